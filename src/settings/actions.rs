//! The table of all actions of keys. Keys, gamepad, help, menu and docs/playing.md are made from it.

use super::keys::{Key, KeyCode, MouseButton, PadButton};

/// An action that a key can be bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Action {
    Forward,
    Back,
    Left,
    Right,
    Run,
    Jump,
    Crouch,
    Use,
    Grab,
    GoBack,
    Menu,
    Help,
    ThirdPerson,
    Fullscreen,
    SavePicture,
    SaveReplay,
    Fly,
    Figures,
    Portals,
    Freeze,
    Culling,
    Rooms,
    Lights,
    Plan,
    Blockers,
    Problems,
}

/// The audience of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// Every player.
    Player,
    /// Authors of levels.
    Author,
}

/// The names of an action in the menu, the help and the settings file, and its default keys.
#[derive(Debug)]
pub struct ActionInfo {
    /// The action.
    pub action: Action,
    /// The name in the settings file.
    pub name: &'static str,
    /// A description of the effect.
    pub label: &'static str,
    /// The audience.
    pub audience: Audience,
    /// The default keys.
    pub keys: &'static [Key],
}

const fn code(code: KeyCode) -> Key {
    Key::Code(code)
}

const fn row(
    action: Action,
    name: &'static str,
    label: &'static str,
    audience: Audience,
    keys: &'static [Key],
) -> ActionInfo {
    ActionInfo {
        action,
        name,
        label,
        audience,
        keys,
    }
}

use Action as A;
use Audience::{Author, Player};
use KeyCode as C;
use PadButton as P;

/// Every action, in the order of [`Action`].
#[rustfmt::skip]
pub const ACTIONS: [ActionInfo; 26] = [
    row(A::Forward, "forward", "walk forward", Player, &[code(C::KeyW), code(C::ArrowUp)]),
    row(A::Back, "back", "walk back", Player, &[code(C::KeyS), code(C::ArrowDown)]),
    row(A::Left, "left", "walk left", Player, &[code(C::KeyA), code(C::ArrowLeft)]),
    row(A::Right, "right", "walk right", Player, &[code(C::KeyD), code(C::ArrowRight)]),
    row(A::Run, "run", "run", Player, &[code(C::ShiftLeft), code(C::ShiftRight), Key::Pad(P::LeftTrigger)]),
    row(A::Jump, "jump", "jump", Player, &[code(C::Space), Key::Pad(P::South)]),
    row(A::Crouch, "crouch", "crouch", Player, &[code(C::KeyC), code(C::ControlLeft), Key::Pad(P::East)]),
    row(A::Use, "use", "use the door, lift or switch ahead", Player, &[code(C::KeyE), Key::Pad(P::West)]),
    row(A::Grab, "grab", "take the body ahead, or throw the held one", Player,
        &[Key::Mouse(MouseButton::Left), Key::Pad(P::RightTrigger)]),
    row(A::GoBack, "go_back", "back to where you last stood; on the ground: to the level's spawn", Player,
        &[code(C::KeyR), Key::Pad(P::Select)]),
    row(A::Menu, "menu", "menu, and the mouse for other windows", Player, &[code(C::Escape), Key::Pad(P::Start)]),
    row(A::Help, "help", "this help: for players, for authors, none", Player, &[code(C::F1), Key::Pad(P::North)]),
    row(A::ThirdPerson, "third_person", "see yourself from behind, or out of your eyes", Player, &[code(C::KeyT)]),
    row(A::Fullscreen, "fullscreen", "full screen (also Alt+Enter)", Player, &[code(C::F11)]),
    row(A::SavePicture, "save_picture", "picture to a file", Player, &[code(C::F12)]),
    row(A::SaveReplay, "save_replay", "replay of the last minute to a file", Player, &[code(C::F10)]),
    row(A::Fly, "fly", "fly through walls; again: walk on from there", Author, &[code(C::KeyV)]),
    row(A::Figures, "figures", "place, view and figures; copies the place as flags", Author, &[code(C::F2)]),
    row(A::Portals, "portals", "outlines of portals", Author, &[code(C::F3)]),
    row(A::Freeze, "freeze", "freeze the view and fly out of it: culled geometry is drawn as edges", Author,
        &[code(C::F4)]),
    row(A::Culling, "culling", "culling: portals, frustum, none", Author, &[code(C::F5)]),
    row(A::Rooms, "rooms", "rooms in colours", Author, &[code(C::F6)]),
    row(A::Lights, "lights", "lights, and how they reach this room", Author, &[code(C::F7)]),
    row(A::Plan, "plan", "plan", Author, &[code(C::F8)]),
    row(A::Blockers, "blockers", "outline and name what blocks you", Author, &[code(C::F9)]),
    row(A::Problems, "problems", "problems of the level, in red: rims of holes, places of others", Author,
        &[code(C::KeyP)]),
];

impl Action {
    /// Returns the action's row of the table.
    pub fn info(self) -> &'static ActionInfo {
        &ACTIONS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_keys_lists_every_action_with_its_keys() {
        let page = include_str!("../../docs/playing.md");
        for info in &ACTIONS {
            let names: Vec<&str> = info.keys.iter().filter_map(|key| key.name()).collect();
            let row = format!("| {} | {} |", names.join(", "), info.label);
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn the_table_is_in_the_order_of_the_actions_and_names_each_once() {
        for (index, info) in ACTIONS.iter().enumerate() {
            assert_eq!(info.action as usize, index, "{}", info.name);
            assert!(!info.keys.is_empty(), "{}", info.name);
            for other in &ACTIONS[..index] {
                assert_ne!(other.name, info.name);
                assert!(other.keys.iter().all(|key| !info.keys.contains(key)));
            }
        }
    }
}
