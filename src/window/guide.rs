//! First steps: hints for a new player, each shown until its action is done.

use crate::game::Player;
use crate::motion::State;
use crate::settings::{Action, Bindings};

/// The distance after which the hint for walking is hidden, metres.
const WALKED: f64 = 2.0;
/// The rotation of the view after which the hint for looking around is hidden, degrees.
const TURNED: f64 = 60.0;

/// The progress of a new player in the first steps.
#[derive(Debug, Default)]
pub(super) struct Guide {
    walked: f64,
    turned: f64,
    last: Option<([f64; 2], State)>,
}

impl Guide {
    /// Adds the player's motion since the last call; returns whether all steps are done.
    pub(super) fn follow(&mut self, player: &Player) -> bool {
        let (view, state) = ([player.yaw, player.pitch], player.actor.state);
        if let Some((last_view, last)) = self.last.replace((view, state))
            && last.at.room == state.at.room
        {
            self.walked += last.at.point.distance(state.at.point);
            self.turned +=
                (view[0] - last_view[0]).abs().min(10.0) + (view[1] - last_view[1]).abs();
        }
        self.is_done()
    }

    fn is_done(&self) -> bool {
        self.walked >= WALKED && self.turned >= TURNED
    }

    /// Returns the hint for the next step; empty when all steps are done.
    pub(super) fn hint(&self, bindings: &Bindings, is_captured: bool) -> String {
        let name = |action| bindings.first_name(action);
        if self.turned < TURNED {
            return if is_captured {
                "move the mouse to look around".to_owned()
            } else {
                "click, and move the mouse to look around".to_owned()
            };
        }
        if self.walked < WALKED {
            let keys = [Action::Forward, Action::Left, Action::Back, Action::Right].map(name);
            return format!("{} to walk", keys.join(" "));
        }
        String::new()
    }
}
