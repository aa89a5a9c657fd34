//! The key bindings.

use super::actions::{ACTIONS, Action};
use super::keys::Key;

/// The maximum number of keys of an action.
const MAX_KEYS: usize = 8;

/// The keys of every action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bindings {
    /// The keys of each action, in the order of [`Action`].
    keys: [Vec<Key>; ACTIONS.len()],
}

impl Default for Bindings {
    fn default() -> Self {
        Self {
            keys: std::array::from_fn(|index| ACTIONS[index].keys.to_vec()),
        }
    }
}

impl Bindings {
    /// Returns the keys of an action.
    pub fn keys(&self, action: Action) -> &[Key] {
        &self.keys[action as usize]
    }

    /// Returns the actions of a key: more than one if the bindings are in conflict.
    pub fn actions(&self, key: Key) -> impl Iterator<Item = Action> + use<'_> {
        let rows = ACTIONS.iter().zip(&self.keys);
        rows.filter(move |(_, keys)| keys.contains(&key))
            .map(|(info, _)| info.action)
    }

    /// Whether a key of this action is bound to another action too.
    pub fn is_in_conflict(&self, action: Action) -> bool {
        let mut keys = self.keys(action).iter();
        keys.any(|&key| self.actions(key).nth(1).is_some())
    }

    /// Binds keys to an action: keys with a name, without repetitions, up to the maximum number.
    pub fn set(&mut self, action: Action, keys: impl IntoIterator<Item = Key>) {
        let mut kept: Vec<Key> = Vec::new();
        for key in keys {
            if kept.len() < MAX_KEYS && key.name().is_some() && !kept.contains(&key) {
                kept.push(key);
            }
        }
        // Without a key for the menu, the bindings could not be corrected in the menu.
        if action == Action::Menu && kept.is_empty() {
            kept = Action::Menu.info().keys.to_vec();
        }
        self.keys[action as usize] = kept;
    }

    /// Returns the names of an action's keys.
    pub fn names(&self, action: Action) -> impl Iterator<Item = &'static str> + use<'_> {
        self.keys(action).iter().filter_map(|key| key.name())
    }

    /// Returns the name of the action's first key, for prompts; `-` for none.
    pub fn first_name(&self, action: Action) -> &'static str {
        self.names(action).next().unwrap_or("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::keys::KeyCode;

    #[test]
    fn a_key_of_two_actions_is_a_conflict_of_both_and_of_no_other() {
        let mut bindings = Bindings::default();
        let is_in_conflict = |bindings: &Bindings| {
            let actions = ACTIONS.iter().map(|info| info.action);
            actions
                .filter(|&action| bindings.is_in_conflict(action))
                .collect::<Vec<_>>()
        };
        assert_eq!(is_in_conflict(&bindings), []);
        let e = Key::Code(KeyCode::KeyE);
        bindings.set(Action::Jump, [e, e]);
        assert_eq!(bindings.keys(Action::Jump), [e]);
        assert_eq!(is_in_conflict(&bindings), [Action::Jump, Action::Use]);
        bindings.set(Action::Use, []);
        assert_eq!(is_in_conflict(&bindings), []);
        assert_eq!(bindings.first_name(Action::Use), "-");
        assert_eq!(bindings.actions(e).collect::<Vec<_>>(), [Action::Jump]);
    }

    #[test]
    fn the_menu_keeps_a_key() {
        let mut bindings = Bindings::default();
        bindings.set(Action::Menu, []);
        assert_eq!(bindings, Bindings::default());
        bindings.set(Action::Menu, [Key::Code(KeyCode::BrowserBack)]);
        assert_eq!(bindings, Bindings::default());
    }
}
