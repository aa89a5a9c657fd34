//! The gamepad. Without the feature `gamepad` no gamepad is available.

/// The positions of the sticks: right and up, -1 to 1, 0 within their dead zone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sticks {
    /// The stick that moves the player.
    pub(super) left: [f64; 2],
    /// The stick that turns the view.
    pub(super) right: [f64; 2],
}

#[cfg(feature = "gamepad")]
pub(super) use connected::Pad;
#[cfg(not(feature = "gamepad"))]
pub(super) use none::Pad;

#[cfg(not(feature = "gamepad"))]
mod none {
    use super::Sticks;
    use crate::settings::PadButton;

    /// A stand-in without a gamepad.
    #[derive(Debug, Default)]
    pub(in crate::window) struct Pad;

    impl Pad {
        pub(in crate::window) fn open() -> Self {
            Self
        }

        pub(in crate::window) fn next(&mut self) -> Option<(PadButton, bool)> {
            None
        }

        pub(in crate::window) fn sticks(&self) -> Sticks {
            Sticks::default()
        }
    }
}

#[cfg(feature = "gamepad")]
mod connected {
    use gilrs::{Axis, Button, EventType, Gilrs};

    use super::Sticks;
    use crate::settings::PadButton;

    /// The distance from a stick's centre below which it counts as centred: few sticks return to it exactly.
    const DEAD_ZONE: f64 = 0.15;

    /// All connected gamepads, treated as one.
    pub(in crate::window) struct Pad {
        /// `None` if the system does not support gamepads.
        pads: Option<Gilrs>,
        last: Option<gilrs::GamepadId>,
    }

    impl Pad {
        pub(in crate::window) fn open() -> Self {
            let pads = Gilrs::new()
                .inspect_err(|error| log::warn!("there are no gamepads: {error}"))
                .ok();
            Self { pads, last: None }
        }

        /// Returns the next button that was pressed or released.
        pub(in crate::window) fn next(&mut self) -> Option<(PadButton, bool)> {
            let pads = self.pads.as_mut()?;
            while let Some(event) = pads.next_event() {
                self.last = Some(event.id);
                let changed = match event.event {
                    EventType::ButtonPressed(button, _) => Some((button, true)),
                    EventType::ButtonReleased(button, _) => Some((button, false)),
                    _ => None,
                };
                if let Some((button, is_pressed)) = changed
                    && let Some(button) = named(button)
                {
                    return Some((button, is_pressed));
                }
            }
            None
        }

        /// Returns the sticks of the gamepad that was used last.
        pub(in crate::window) fn sticks(&self) -> Sticks {
            let pad = self.pads.as_ref().zip(self.last);
            let Some(pad) = pad.and_then(|(pads, id)| pads.connected_gamepad(id)) else {
                return Sticks::default();
            };
            let at = |x, y| beyond_dead_zone([x, y].map(|axis| f64::from(pad.value(axis))));
            Sticks {
                left: at(Axis::LeftStickX, Axis::LeftStickY),
                right: at(Axis::RightStickX, Axis::RightStickY),
            }
        }
    }

    /// Returns the stick's deflection beyond the dead zone. It is 0 at the edge of the zone, so that small turns are
    /// possible.
    fn beyond_dead_zone(stick: [f64; 2]) -> [f64; 2] {
        let length = stick[0].hypot(stick[1]);
        if length.is_nan() || length <= DEAD_ZONE {
            return [0.0; 2];
        }
        let part = (length.min(1.0) - DEAD_ZONE) / (1.0 - DEAD_ZONE) / length;
        stick.map(|x| x * part)
    }

    fn named(button: Button) -> Option<PadButton> {
        Some(match button {
            Button::South => PadButton::South,
            Button::East => PadButton::East,
            Button::North => PadButton::North,
            Button::West => PadButton::West,
            Button::LeftTrigger => PadButton::LeftBumper,
            Button::RightTrigger => PadButton::RightBumper,
            Button::LeftTrigger2 => PadButton::LeftTrigger,
            Button::RightTrigger2 => PadButton::RightTrigger,
            Button::LeftThumb => PadButton::LeftStick,
            Button::RightThumb => PadButton::RightStick,
            Button::Select => PadButton::Select,
            Button::Start => PadButton::Start,
            Button::DPadUp => PadButton::Up,
            Button::DPadDown => PadButton::Down,
            Button::DPadLeft => PadButton::Left,
            Button::DPadRight => PadButton::Right,
            _ => return None,
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn sticks_begin_at_the_edge_of_the_dead_zone_and_end_at_one() {
            assert_eq!(beyond_dead_zone([0.1, -0.1]), [0.0, 0.0]);
            assert_eq!(beyond_dead_zone([f64::NAN, 0.0]), [0.0, 0.0]);
            let [x, _] = beyond_dead_zone([DEAD_ZONE + 1e-9, 0.0]);
            assert!(x.abs() < 1e-8);
            assert_eq!(beyond_dead_zone([0.0, -1.0]), [0.0, -1.0]);
            let [x, y] = beyond_dead_zone([1.0, 1.0]);
            assert!((x.hypot(y) - 1.0).abs() < 1e-12);
        }
    }
}
