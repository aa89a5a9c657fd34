//! The table of settings.

use super::{DrawQuality, Settings};

/// A row of the table of settings.
#[derive(Debug)]
pub struct Setting {
    /// The name in the settings file. The flag of the command line is the same name with `-` instead of `_`.
    pub name: &'static str,
    /// The name in the menu.
    pub label: &'static str,
    /// A description for the help of the command line and the menu.
    pub help: &'static str,
    /// The group in the menu.
    pub group: SettingGroup,
    /// The type and range of the value.
    pub kind: ValueKind,
}

/// A group of related settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingGroup {
    /// Mouse and gamepad.
    Looking,
    /// The drawing and the display of the picture.
    Picture,
    /// Texts over the picture, and pausing of the game.
    Game,
}

/// The type and range of a setting.
#[derive(Debug)]
pub enum ValueKind {
    /// On or off.
    Switch(Access<bool>),
    /// A number in a range.
    Number {
        /// The access to the number.
        access: Access<f64>,
        /// The minimum.
        min: f64,
        /// The maximum.
        max: f64,
        /// The change by a key press in the menu.
        step: f64,
        /// The unit, as written after the number.
        unit: &'static str,
    },
    /// One of several names, by index.
    Choice {
        /// The access to the index.
        access: Access<usize>,
        /// The names.
        names: &'static [&'static str],
    },
}

/// The functions that read and write a value of the settings.
#[derive(Debug)]
pub struct Access<T> {
    /// Reads the value.
    pub get: fn(&Settings) -> T,
    /// Writes the value.
    pub set: fn(&mut Settings, T),
}

macro_rules! field {
    ($field:ident) => {
        Access {
            get: |settings| settings.$field,
            set: |settings, value| settings.$field = value,
        }
    };
}

macro_rules! switch {
    ($group:ident, $field:ident, $label:literal, $help:literal) => {
        Setting {
            name: stringify!($field),
            label: $label,
            help: $help,
            group: SettingGroup::$group,
            kind: ValueKind::Switch(field!($field)),
        }
    };
}

macro_rules! number {
    ($group:ident, $name:literal, $field:ident, $min:literal..$max:literal by $step:literal $unit:literal, $label:literal, $help:literal) => {
        Setting {
            name: $name,
            label: $label,
            help: $help,
            group: SettingGroup::$group,
            kind: ValueKind::Number {
                access: field!($field),
                min: $min,
                max: $max,
                step: $step,
                unit: $unit,
            },
        }
    };
}

const QUALITIES: [DrawQuality; 4] = [
    DrawQuality::Auto,
    DrawQuality::Low,
    DrawQuality::Medium,
    DrawQuality::High,
];

/// All settings except the key bindings, in the order of the menu.
#[rustfmt::skip]
pub const SETTINGS: &[Setting] = &[
    number!(Looking, "mouse_speed", mouse_speed, 0.1..10.0 by 0.1 "", "Mouse speed",
        "How fast the mouse turns the view; 1 is 0.12 degrees a pixel"),
    switch!(Looking, invert_mouse, "Invert the mouse", "Moving the mouse forward looks down"),
    number!(Looking, "stick_speed", stick_speed, 20.0..720.0 by 20.0 "°/s", "Gamepad speed",
        "How fast the stick of a gamepad turns the view, degrees a second"),
    number!(Picture, "field_of_view", field_of_view_deg, 60.0..110.0 by 1.0 "°", "Field of view",
        "Vertical field of view, degrees"),
    switch!(Picture, smooth_steps, "Smooth steps", "The eye glides over steps instead of jumping with the body"),
    switch!(Picture, third_person, "Third person", "The player is seen from behind"),
    switch!(Picture, fullscreen, "Full screen", "The window fills the screen"),
    number!(Picture, "max_fps", max_fps, 0.0..500.0 by 10.0 "/s", "Frame limit",
        "At most so many pictures a second; 0 for as many as the display shows"),
    Setting {
        name: "quality",
        label: "Quality",
        help: "How finely it is drawn: shadows, filtered textures; low bakes the light of lamps. auto lowers the resolution too, below 20 pictures a second",
        group: SettingGroup::Picture,
        kind: ValueKind::Choice {
            access: Access {
                get: |settings| QUALITIES.iter().position(|q| *q == settings.quality).unwrap_or(0),
                set: |settings, value| settings.quality = QUALITIES[value.min(QUALITIES.len() - 1)],
            },
            names: &["auto", "low", "medium", "high"],
        },
    },
    number!(Picture, "resolution_scale", resolution_scale, 0.25..1.0 by 0.05 "", "Resolution",
        "Pixels drawn along a side for each that is shown: less is faster"),
    switch!(Picture, exposure_adaptation, "Exposure adaptation",
        "Dark rooms slowly become brighter, and bright ones darker, as for an eye"),
    number!(Game, "text_size", text_size, 0.5..3.0 by 0.1 "", "Text size", "Size of all text; 1 is 14 points"),
    switch!(Game, crosshair, "Crosshair", "A dot in the middle of the picture"),
    switch!(Game, room_names, "Room names", "The name of a room is shown on entering it"),
    switch!(Game, pause_in_background, "Pause in the background",
        "The game stands still while another window has the keyboard"),
];

impl Setting {
    /// Returns the setting's value as text.
    pub fn text(&self, settings: &Settings) -> String {
        match &self.kind {
            ValueKind::Switch(access) => (access.get)(settings).to_string(),
            ValueKind::Number { access, .. } => (access.get)(settings).to_string(),
            ValueKind::Choice { access, names } => names[(access.get)(settings)].to_owned(),
        }
    }

    /// Sets the value to that of the text.
    ///
    /// # Errors
    /// Returns the range of the setting if the text is not a valid value; then the value stays as it is.
    pub fn parse(&self, settings: &mut Settings, text: &str) -> Result<(), String> {
        match &self.kind {
            ValueKind::Switch(access) => {
                let value = match text.to_ascii_lowercase().as_str() {
                    "true" | "on" | "yes" => true,
                    "false" | "off" | "no" => false,
                    _ => return Err(self.range()),
                };
                (access.set)(settings, value);
            }
            ValueKind::Number {
                access, min, max, ..
            } => {
                let value = text.parse::<f64>().ok();
                let value = value.filter(|value| (*min..=*max).contains(value));
                (access.set)(settings, value.ok_or_else(|| self.range())?);
            }
            ValueKind::Choice { access, names } => {
                let mut all = names.iter();
                let value = all.position(|name| name.eq_ignore_ascii_case(text));
                (access.set)(settings, value.ok_or_else(|| self.range())?);
            }
        }
        Ok(())
    }

    /// Returns the range of the setting in words.
    pub fn range(&self) -> String {
        match &self.kind {
            ValueKind::Switch(_) => "on or off".to_owned(),
            ValueKind::Number { min, max, .. } => format!("{min} to {max}"),
            ValueKind::Choice { names, .. } => names.join(", "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_parses_its_own_text_and_refuses_invalid_values() {
        for setting in SETTINGS {
            let mut settings = Settings::default();
            let text = setting.text(&settings);
            assert_eq!(setting.parse(&mut settings, &text), Ok(()));
            assert_eq!(settings, Settings::default(), "{}", setting.name);
            let other = match &setting.kind {
                ValueKind::Switch(access) if (access.get)(&settings) => "off".to_owned(),
                ValueKind::Switch(_) => "on".to_owned(),
                ValueKind::Number { min, max, .. } if text == max.to_string() => min.to_string(),
                ValueKind::Number { max, .. } => max.to_string(),
                ValueKind::Choice { names, .. } => names[names.len() - 1].to_uppercase(),
            };
            assert_eq!(setting.parse(&mut settings, &other), Ok(()));
            assert_ne!(settings, Settings::default(), "{}", setting.name);
            let before = settings.clone();
            for bad in ["", "nan", "inf", "-1e300", "1e300", "maybe", "\u{0}"] {
                assert_eq!(setting.parse(&mut settings, bad), Err(setting.range()));
                assert_eq!(settings, before, "{} {bad}", setting.name);
            }
        }
    }
}
