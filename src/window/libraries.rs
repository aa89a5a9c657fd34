//! The shared libraries that winit loads at run time on Linux. If one is missing, winit panics or returns an error that
//! does not name it, so the libraries are tested beforehand.

use x11_dl::error::OpenError;
use x11_dl::{xcursor, xinput2, xlib, xlib_xcb};
use xkbcommon_dl::x11::xkbcommon_x11_option;
use xkbcommon_dl::xkbcommon_option;

use super::error::WindowError;

/// A shared library, its Debian package, and a function that tests whether it can be loaded.
type Library = (&'static str, &'static str, fn() -> bool);

/// The libraries of a window on X11.
const X11: [Library; 6] = [
    ("libX11.so.6", "libx11-6", || loads(xlib::Xlib::open)),
    ("libXcursor.so.1", "libxcursor1", || {
        loads(xcursor::Xcursor::open)
    }),
    ("libX11-xcb.so.1", "libx11-xcb1", || {
        loads(xlib_xcb::Xlib_xcb::open)
    }),
    ("libXi.so.6", "libxi6", || loads(xinput2::XInput2::open)),
    KEYBOARD,
    ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", || {
        xkbcommon_x11_option().is_some()
    }),
];

/// The library for keyboard layouts, on X11 and on Wayland.
const KEYBOARD: Library = ("libxkbcommon.so.0", "libxkbcommon0", || {
    xkbcommon_option().is_some()
});

fn loads<L>(open: fn() -> Result<L, OpenError>) -> bool {
    open().is_ok()
}

/// Tests the libraries of the display that winit will choose: Wayland if available, else X11.
///
/// # Errors
/// [`WindowError::MissingLibraries`] with all libraries that cannot be loaded.
pub(super) fn try_libraries() -> Result<(), WindowError> {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET") {
        all_load(&[KEYBOARD])
    } else if is_set("DISPLAY") {
        all_load(&X11)
    } else {
        Ok(())
    }
}

fn all_load(libraries: &[Library]) -> Result<(), WindowError> {
    let missing = libraries.iter().filter(|(.., loads)| !loads());
    let (names, packages): (Vec<_>, Vec<_>) =
        missing.map(|&(name, package, _)| (name, package)).unzip();
    if names.is_empty() {
        return Ok(());
    }
    Err(WindowError::MissingLibraries {
        libraries: names.join(", "),
        packages: packages.join(" "),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_each_missing_library_and_the_packages_to_install() {
        let missing: Library = ("libnone.so.1", "libnone1", || false);
        let present: Library = ("libsome.so.1", "libsome1", || true);
        let other: Library = ("libother.so.2", "libother2", || false);
        let error = all_load(&[missing, present, other]).expect_err("two are missing");
        let text = error.to_string();
        assert!(text.contains("libnone.so.1, libother.so.2"), "{text}");
        assert!(text.contains("apt install libnone1 libother2"), "{text}");
        assert!(!text.contains("some"), "{text}");
        assert!(all_load(&[present]).is_ok());
    }

    #[test]
    fn the_libraries_of_a_window_are_installed_for_tests_and_with_the_package() {
        let install = include_str!("../../.ci/install");
        let depends = include_str!("../../Cargo.toml");
        for (library, package, _) in X11 {
            assert!(
                install.contains(&format!("{library}={package}")),
                "{library}"
            );
            assert!(
                depends.contains(&format!("{package},"))
                    || depends.contains(&format!("{package} ")),
                "{package}"
            );
        }
    }
}
