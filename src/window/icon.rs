//! The icon of the window.

use winit::window::{Icon, WindowAttributes};

/// The icon, drawn from `.ci/packaging/opendoor.svg` by `rsvg-convert --width 64`.
const PICTURE: &[u8] = include_bytes!("../../.ci/packaging/window.png");
/// The name of the desktop file, `.ci/packaging/opendoor.desktop`.
#[cfg(target_os = "linux")]
const NAME: &str = "opendoor";

/// Adds the icon. Wayland has no window icons: it shows the icon of the desktop file that has the window's name.
pub(super) fn with_icon(attributes: WindowAttributes) -> WindowAttributes {
    #[cfg(target_os = "linux")]
    let attributes = {
        // This sets the name for X11 too.
        use winit::platform::wayland::WindowAttributesExtWayland;
        attributes.with_name(NAME, NAME)
    };
    attributes.with_window_icon(icon())
}

fn icon() -> Option<Icon> {
    let picture = image::load_from_memory(PICTURE).ok()?.into_rgba8();
    let (width, height) = picture.dimensions();
    Icon::from_rgba(picture.into_raw(), width, height).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_has_an_icon() {
        assert!(icon().is_some());
    }
}
