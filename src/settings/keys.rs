//! Keys and buttons, and their names in the settings file, the menu and the help.

pub use winit::event::MouseButton;
pub use winit::keyboard::KeyCode;

/// A key by its place on the keyboard (names are those of a US layout), a mouse button, or a button of a gamepad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A key of the keyboard.
    Code(KeyCode),
    /// A button of the mouse.
    Mouse(MouseButton),
    /// A button of a gamepad.
    Pad(PadButton),
}

/// A button of a gamepad, by its place: gamepads print different letters on the same places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PadButton {
    South,
    East,
    North,
    West,
    LeftBumper,
    RightBumper,
    LeftTrigger,
    RightTrigger,
    LeftStick,
    RightStick,
    Select,
    Start,
    Up,
    Down,
    Left,
    Right,
}

use KeyCode as C;
use PadButton as P;

/// Every key that has a name.
#[rustfmt::skip]
const NAMES: &[(&str, Key)] = &[
    ("A", Key::Code(C::KeyA)), ("B", Key::Code(C::KeyB)), ("C", Key::Code(C::KeyC)), ("D", Key::Code(C::KeyD)),
    ("E", Key::Code(C::KeyE)), ("F", Key::Code(C::KeyF)), ("G", Key::Code(C::KeyG)), ("H", Key::Code(C::KeyH)),
    ("I", Key::Code(C::KeyI)), ("J", Key::Code(C::KeyJ)), ("K", Key::Code(C::KeyK)), ("L", Key::Code(C::KeyL)),
    ("M", Key::Code(C::KeyM)), ("N", Key::Code(C::KeyN)), ("O", Key::Code(C::KeyO)), ("P", Key::Code(C::KeyP)),
    ("Q", Key::Code(C::KeyQ)), ("R", Key::Code(C::KeyR)), ("S", Key::Code(C::KeyS)), ("T", Key::Code(C::KeyT)),
    ("U", Key::Code(C::KeyU)), ("V", Key::Code(C::KeyV)), ("W", Key::Code(C::KeyW)), ("X", Key::Code(C::KeyX)),
    ("Y", Key::Code(C::KeyY)), ("Z", Key::Code(C::KeyZ)),
    ("0", Key::Code(C::Digit0)), ("1", Key::Code(C::Digit1)), ("2", Key::Code(C::Digit2)), ("3", Key::Code(C::Digit3)),
    ("4", Key::Code(C::Digit4)), ("5", Key::Code(C::Digit5)), ("6", Key::Code(C::Digit6)), ("7", Key::Code(C::Digit7)),
    ("8", Key::Code(C::Digit8)), ("9", Key::Code(C::Digit9)),
    ("F1", Key::Code(C::F1)), ("F2", Key::Code(C::F2)), ("F3", Key::Code(C::F3)), ("F4", Key::Code(C::F4)),
    ("F5", Key::Code(C::F5)), ("F6", Key::Code(C::F6)), ("F7", Key::Code(C::F7)), ("F8", Key::Code(C::F8)),
    ("F9", Key::Code(C::F9)), ("F10", Key::Code(C::F10)), ("F11", Key::Code(C::F11)), ("F12", Key::Code(C::F12)),
    ("Up", Key::Code(C::ArrowUp)), ("Down", Key::Code(C::ArrowDown)), ("Left", Key::Code(C::ArrowLeft)),
    ("Right", Key::Code(C::ArrowRight)),
    ("Esc", Key::Code(C::Escape)), ("Space", Key::Code(C::Space)), ("Enter", Key::Code(C::Enter)),
    ("Tab", Key::Code(C::Tab)), ("Backspace", Key::Code(C::Backspace)),
    ("Shift", Key::Code(C::ShiftLeft)), ("Right Shift", Key::Code(C::ShiftRight)),
    ("Ctrl", Key::Code(C::ControlLeft)), ("Right Ctrl", Key::Code(C::ControlRight)),
    ("Alt", Key::Code(C::AltLeft)), ("Right Alt", Key::Code(C::AltRight)), ("Caps Lock", Key::Code(C::CapsLock)),
    ("Insert", Key::Code(C::Insert)), ("Delete", Key::Code(C::Delete)), ("Home", Key::Code(C::Home)),
    ("End", Key::Code(C::End)), ("Page Up", Key::Code(C::PageUp)), ("Page Down", Key::Code(C::PageDown)),
    ("Pause", Key::Code(C::Pause)), ("Print", Key::Code(C::PrintScreen)),
    ("-", Key::Code(C::Minus)), ("=", Key::Code(C::Equal)), ("[", Key::Code(C::BracketLeft)),
    ("]", Key::Code(C::BracketRight)), (";", Key::Code(C::Semicolon)), ("'", Key::Code(C::Quote)),
    ("`", Key::Code(C::Backquote)), ("\\", Key::Code(C::Backslash)), (",", Key::Code(C::Comma)),
    (".", Key::Code(C::Period)), ("/", Key::Code(C::Slash)), ("< >", Key::Code(C::IntlBackslash)),
    ("Numpad 0", Key::Code(C::Numpad0)), ("Numpad 1", Key::Code(C::Numpad1)), ("Numpad 2", Key::Code(C::Numpad2)),
    ("Numpad 3", Key::Code(C::Numpad3)), ("Numpad 4", Key::Code(C::Numpad4)), ("Numpad 5", Key::Code(C::Numpad5)),
    ("Numpad 6", Key::Code(C::Numpad6)), ("Numpad 7", Key::Code(C::Numpad7)), ("Numpad 8", Key::Code(C::Numpad8)),
    ("Numpad 9", Key::Code(C::Numpad9)), ("Numpad +", Key::Code(C::NumpadAdd)),
    ("Numpad -", Key::Code(C::NumpadSubtract)), ("Numpad *", Key::Code(C::NumpadMultiply)),
    ("Numpad /", Key::Code(C::NumpadDivide)), ("Numpad .", Key::Code(C::NumpadDecimal)),
    ("Numpad Enter", Key::Code(C::NumpadEnter)),
    ("left mouse", Key::Mouse(MouseButton::Left)), ("right mouse", Key::Mouse(MouseButton::Right)),
    ("middle mouse", Key::Mouse(MouseButton::Middle)), ("back mouse", Key::Mouse(MouseButton::Back)),
    ("forward mouse", Key::Mouse(MouseButton::Forward)),
    ("pad south", Key::Pad(P::South)), ("pad east", Key::Pad(P::East)), ("pad north", Key::Pad(P::North)),
    ("pad west", Key::Pad(P::West)), ("pad left bumper", Key::Pad(P::LeftBumper)),
    ("pad right bumper", Key::Pad(P::RightBumper)), ("pad left trigger", Key::Pad(P::LeftTrigger)),
    ("pad right trigger", Key::Pad(P::RightTrigger)), ("pad left stick", Key::Pad(P::LeftStick)),
    ("pad right stick", Key::Pad(P::RightStick)), ("pad select", Key::Pad(P::Select)),
    ("pad start", Key::Pad(P::Start)), ("pad up", Key::Pad(P::Up)), ("pad down", Key::Pad(P::Down)),
    ("pad left", Key::Pad(P::Left)), ("pad right", Key::Pad(P::Right)),
];

impl Key {
    /// Returns the key of this name, in upper or lower case.
    pub fn named(name: &str) -> Option<Self> {
        let found = NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name));
        found.map(|(_, key)| *key)
    }

    /// Returns the name of the key; `None` for a key without a name, which cannot be bound.
    pub fn name(self) -> Option<&'static str> {
        let found = NAMES.iter().find(|(_, key)| *key == self);
        found.map(|(name, _)| *name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_one_name_and_each_name_one_key() {
        for (index, (name, key)) in NAMES.iter().enumerate() {
            assert_eq!(Key::named(name), Some(*key), "{name}");
            assert_eq!(key.name(), Some(*name));
            for (other, other_key) in &NAMES[index + 1..] {
                assert!(!name.eq_ignore_ascii_case(other), "{name}");
                assert_ne!(key, other_key, "{name} and {other}");
            }
        }
        assert_eq!(Key::named("w"), Some(Key::Code(C::KeyW)));
        assert_eq!(Key::named("no such key"), None);
        assert_eq!(Key::Code(C::BrowserBack).name(), None);
    }
}
