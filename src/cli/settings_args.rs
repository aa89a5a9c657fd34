//! A flag for each setting of play, made from the table of settings.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, FromArgMatches};
use opendoor::settings::{SETTINGS, Setting, Settings, SettingsFile, ValueKind};

const CONFIG: &str = "config";

/// The settings of this start only, and the file with the other settings.
#[derive(Clone, Debug, Default)]
pub(crate) struct SettingsArgs {
    config: Option<PathBuf>,
    /// The settings that were given as flags, with their values as text.
    given: Vec<(&'static Setting, String)>,
}

impl SettingsArgs {
    /// Returns the settings of the file, overridden by those of the flags, the settings file, and messages for the
    /// player.
    pub(crate) fn open(&self) -> (Settings, SettingsFile, Vec<String>) {
        let path = self.config.clone().or_else(SettingsFile::default_path);
        let (mut file, mut settings, mut said) = SettingsFile::open(path);
        for (setting, text) in &self.given {
            if let Err(range) = setting.parse(&mut settings, text) {
                said.push(format!("--{} is {range}", flag(setting)));
            }
        }
        file.forget(&settings);
        (settings, file, said)
    }
}

fn flag(setting: &Setting) -> String {
    setting.name.replace('_', "-")
}

fn arg(setting: &'static Setting) -> Arg {
    let can_be = |text: &str| {
        let parsed = setting.parse(&mut Settings::default(), text);
        parsed.map(|()| text.to_owned())
    };
    let arg = Arg::new(setting.name)
        .long(flag(setting))
        .value_name(setting.range().to_uppercase())
        .help(setting.help)
        .help_heading("Settings for this start; the menu sets them for good")
        .hide_short_help(true)
        .value_parser(can_be);
    match setting.kind {
        ValueKind::Switch(_) => arg
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value("on"),
        _ => arg,
    }
}

impl clap::Args for SettingsArgs {
    fn augment_args(command: Command) -> Command {
        let config = Arg::new(CONFIG)
            .long(CONFIG)
            .value_name("FILE")
            .help("Remember settings in this file instead of the user's configuration folder")
            .value_parser(clap::value_parser!(PathBuf));
        SETTINGS
            .iter()
            .map(arg)
            .fold(command.arg(config), Command::arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingsArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |setting: &'static Setting| {
            let text = matches.get_one::<String>(setting.name)?;
            Some((setting, text.clone()))
        };
        Ok(Self {
            config: matches.get_one::<PathBuf>(CONFIG).cloned(),
            given: SETTINGS.iter().filter_map(given).collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
