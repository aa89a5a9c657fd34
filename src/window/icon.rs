//! What desktops show for the window.

use winit::window::{Icon, WindowAttributes};

/// `opendoor.svg` there, drawn by `rsvg-convert --width 64`.
const PICTURE: &[u8] = include_bytes!("../../.ci/packaging/window.png");
/// The name of the desktop file, `.ci/packaging/opendoor.desktop`.
#[cfg(target_os = "linux")]
const NAME: &str = "opendoor";

/// Adds the icon. Wayland has no icons of windows: there it is that of the desktop file of the same name.
pub(super) fn with_icon(attributes: WindowAttributes) -> WindowAttributes {
    #[cfg(target_os = "linux")]
    let attributes = {
        // The same name is for X11.
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
