//! The settings file: TOML in the user's configuration folder.
//!
//! Only changed settings are written, so that flags of one start are not saved. Other content of the file stays:
//! comments, and settings that this version does not support.

use std::fs;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;
use toml_edit::{Array, DocumentMut, Item, Table, Value};

use super::actions::ACTIONS;
use super::keys::Key;
use super::table::{SETTINGS, Setting, ValueKind};
use super::{MAX_RECENT, Settings};
use crate::files;

/// The maximum size of a settings file: a larger file is not a settings file of OpenDoor.
const MAX_BYTES: u64 = 1 << 20;
const KEYS: &str = "keys";
const RECENT: &str = "recent";
const KNOWS_FIRST_STEPS: &str = "knows_first_steps";

/// A settings file, and its last known settings.
#[derive(Debug)]
pub struct SettingsFile {
    /// `None` if the system has no configuration folder.
    path: Option<PathBuf>,
    /// The settings as last read or written; differences from them are written next.
    known: Settings,
}

impl SettingsFile {
    /// Returns the default path of the settings file; `None` if the system has no configuration folder.
    pub fn default_path() -> Option<PathBuf> {
        let folders = ProjectDirs::from("", "", "opendoor")?;
        Some(folders.config_dir().join("settings.toml"))
    }

    /// Reads the settings from a file; missing ones have their defaults. A file that is not TOML is renamed to
    /// `NAME.broken`; an unreadable file stays as it is. Also returns messages about problems for the player.
    pub fn open(path: Option<PathBuf>) -> (Self, Settings, Vec<String>) {
        // A symbolic link stays: its target file is replaced.
        let path = path.map(|path| path.canonicalize().unwrap_or(path));
        let mut said = Vec::new();
        let document = match path.as_deref().map(read) {
            None => DocumentMut::new(),
            Some(Ok(document)) => document,
            Some(Err(problem)) => {
                said.extend(path.as_deref().map(|path| problem.tell(path)));
                DocumentMut::new()
            }
        };
        let (settings, problems) = settings_of(&document);
        said.extend(problems);
        let known = settings.clone();
        (Self { path, known }, settings, said)
    }

    /// Marks these settings, which were given by flags, as known: they are not written unless they change again.
    pub fn forget(&mut self, settings: &Settings) {
        self.known = settings.clone();
    }

    /// Writes the settings that have changed since the last write.
    ///
    /// # Errors
    /// Fails if the file cannot be read or written; then it stays as it is.
    pub fn save(&mut self, settings: &Settings) -> Result<(), String> {
        let Some(path) = &self.path else {
            return Ok(());
        };
        if self.known == *settings {
            return Ok(());
        }
        // Another window may have written to the file meanwhile.
        let saved = read(path).map_err(|problem| problem.to_string());
        let saved = saved.and_then(|mut document| {
            write_changes(&self.known, settings, &mut document);
            let unfinished = path.with_extension(format!("{}.unfinished", std::process::id()));
            let bytes = document.to_string().into_bytes();
            files::replace(path, &unfinished, &bytes).map_err(|error| error.to_string())
        });
        saved.map_err(|problem| {
            format!(
                "the settings are not remembered in {}: {problem}",
                path.display()
            )
        })?;
        self.known = settings.clone();
        Ok(())
    }
}

/// The reason why no settings could be read from a file.
#[derive(Debug, thiserror::Error)]
enum ReadProblem {
    /// The file is not text, or the system denies access. It may be another file of the player, so it is not renamed.
    #[error("it {0}")]
    Unreadable(#[from] files::ReadError),
    /// The file is text, but not TOML.
    #[error("it is no TOML: {0}")]
    Broken(#[from] toml_edit::TomlError),
}

impl ReadProblem {
    /// Renames a broken file; returns a message for the player.
    fn tell(&self, path: &Path) -> String {
        let mut name = path.as_os_str().to_owned();
        name.push(".broken");
        let aside = PathBuf::from(name);
        let kept = match self {
            Self::Unreadable(_) => "it stays as it is".to_owned(),
            Self::Broken(_) => match fs::rename(path, &aside) {
                Ok(()) => format!("it is kept as {}", aside.display()),
                Err(error) => format!("it stays as it is ({error})"),
            },
        };
        let problem = self.to_string();
        let problem = problem.lines().next().unwrap_or_default();
        format!(
            "no settings are read from {}: {problem}; {kept}, and all settings are the defaults",
            path.display()
        )
    }
}

/// Returns the file as a document; an empty document if there is no file.
fn read(path: &Path) -> Result<DocumentMut, ReadProblem> {
    if !path.exists() {
        return Ok(DocumentMut::new());
    }
    Ok(files::read_text(path, MAX_BYTES)?.parse()?)
}

/// Returns the settings of a document, and messages about entries that are not understood.
fn settings_of(document: &DocumentMut) -> (Settings, Vec<String>) {
    let (mut settings, mut problems) = (Settings::default(), Vec::new());
    for setting in SETTINGS {
        let Some(item) = document.get(setting.name) else {
            continue;
        };
        let text = scalar_text(item).unwrap_or_default();
        if let Err(range) = setting.parse(&mut settings, &text) {
            problems.push(format!(
                "settings: `{}` is {range}: the default is used",
                setting.name
            ));
        }
    }
    if let Some(keys) = document.get(KEYS).and_then(Item::as_table_like) {
        for info in &ACTIONS {
            let Some(item) = keys.get(info.name) else {
                continue;
            };
            let names = item.as_array().into_iter().flatten();
            let keys: Option<Vec<Key>> = names
                .map(|name| name.as_str().and_then(Key::named))
                .collect();
            match keys {
                Some(keys) if item.is_array() => settings.bindings.set(info.action, keys),
                _ => problems.push(format!(
                    "settings: `keys.{}` is a list of names of keys, as in [\"W\", \"Up\"]: the default is used",
                    info.name
                )),
            }
        }
    }
    let recent = document.get(RECENT).and_then(Item::as_array);
    let recent = recent.into_iter().flatten().filter_map(Value::as_str);
    settings.recent = recent.take(MAX_RECENT).map(PathBuf::from).collect();
    settings.knows_first_steps = document
        .get(KNOWS_FIRST_STEPS)
        .and_then(Item::as_bool)
        .unwrap_or(false);
    (settings, problems)
}

/// Returns a value as the text that [`Setting::parse`] reads.
fn scalar_text(item: &Item) -> Option<String> {
    match item.as_value()? {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(number) => Some(number.value().to_string()),
        Value::Boolean(value) => Some(value.value().to_string()),
        _ => None,
    }
}

/// Returns the TOML value of a setting.
fn value_of(setting: &Setting, settings: &Settings) -> Value {
    match &setting.kind {
        ValueKind::Switch(access) => (access.get)(settings).into(),
        ValueKind::Number { access, .. } => (access.get)(settings).into(),
        ValueKind::Choice { .. } => setting.text(settings).into(),
    }
}

/// Writes the changed settings into the document.
fn write_changes(known: &Settings, settings: &Settings, document: &mut DocumentMut) {
    for setting in SETTINGS {
        if setting.text(known) != setting.text(settings) {
            put(
                document.as_table_mut(),
                setting.name,
                value_of(setting, settings),
            );
        }
    }
    if known.recent != settings.recent {
        let paths = settings.recent.iter().map(|path| path.to_string_lossy());
        let paths: Array = paths.map(|path| path.into_owned()).collect();
        put(document.as_table_mut(), RECENT, paths.into());
    }
    if known.knows_first_steps != settings.knows_first_steps {
        put(
            document.as_table_mut(),
            KNOWS_FIRST_STEPS,
            settings.knows_first_steps.into(),
        );
    }
    if known.bindings != settings.bindings {
        let keys = document
            .entry(KEYS)
            .or_insert_with(|| Item::Table(Table::new()));
        if !keys.is_table_like() {
            *keys = Item::Table(Table::new());
        }
        let Some(keys) = keys.as_table_like_mut() else {
            return;
        };
        for info in &ACTIONS {
            let [old, new] = [known, settings].map(|s| s.bindings.keys(info.action));
            if old != new {
                let names: Array = settings.bindings.names(info.action).collect();
                keys.insert(info.name, Item::Value(names.into()));
            }
        }
    }
}

/// Replaces a value and keeps the comment behind it.
fn put(table: &mut Table, name: &str, mut value: Value) {
    if let Some(old) = table.get(name).and_then(Item::as_value) {
        *value.decor_mut() = old.decor().clone();
    }
    table.insert(name, Item::Value(value));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::TemporaryFolder;
    use crate::rng::Rng;
    use crate::settings::keys::KeyCode;
    use crate::settings::{Action, DrawQuality};

    struct SettingsFolder(TemporaryFolder);

    impl SettingsFolder {
        fn new(test: &str) -> Self {
            Self(TemporaryFolder::new(&format!("settings-{test}"), true))
        }

        fn file(&self) -> PathBuf {
            self.0.0.join("deep").join("settings.toml")
        }

        fn write(&self, text: &[u8]) {
            fs::create_dir_all(self.0.0.join("deep")).unwrap();
            fs::write(self.file(), text).unwrap();
        }

        fn text(&self) -> String {
            fs::read_to_string(self.file()).unwrap()
        }

        fn open(&self) -> (SettingsFile, Settings, Vec<String>) {
            SettingsFile::open(Some(self.file()))
        }
    }

    fn changed() -> Settings {
        let mut settings = Settings::default();
        for setting in SETTINGS {
            let texts = ["off", "on", "60", "0.5", "2", "high"];
            let before = setting.text(&settings);
            for text in texts {
                if setting.text(&settings) == before {
                    let _ = setting.parse(&mut settings, text);
                }
            }
            assert_ne!(setting.text(&settings), before);
        }
        settings
            .bindings
            .set(Action::Jump, [Key::Code(KeyCode::KeyJ)]);
        settings.bindings.set(Action::Plan, []);
        settings.add_recent(PathBuf::from("/levels/an \"old\" house.glb"));
        settings.add_recent(PathBuf::from("tower.glb"));
        settings.knows_first_steps = true;
        settings
    }

    #[test]
    fn chosen_settings_are_kept_at_the_next_start() {
        let folder = SettingsFolder::new("round-trip");
        let (mut file, settings, said) = folder.open();
        assert_eq!((settings, said), (Settings::default(), vec![]));
        file.save(&Settings::default()).unwrap();
        assert!(!folder.file().exists(), "there was nothing to remember");
        file.save(&changed()).unwrap();
        let (mut file, settings, said) = folder.open();
        assert_eq!((settings, said), (changed(), vec![]));
        file.save(&Settings::default()).unwrap();
        assert_eq!(folder.open().1, Settings::default());
    }

    #[test]
    fn unknown_entries_stay_and_values_of_flags_are_not_written() {
        let folder = SettingsFolder::new("foreign");
        folder.write(b"# mine\nfrom_the_future = [1, 2]\nmouse_speed = 2.5 # slow\n\n[keys]\ndance = [\"X\"]\n");
        let (mut file, mut settings, said) = folder.open();
        assert!(said.is_empty(), "{said:?}");
        assert_eq!(settings.mouse_speed, 2.5);
        settings.field_of_view_deg = 90.0;
        file.forget(&settings);
        settings.mouse_speed = 3.0;
        settings
            .bindings
            .set(Action::Use, [Key::Code(KeyCode::KeyF)]);
        file.save(&settings).unwrap();
        let text = folder.text();
        for part in [
            "# mine",
            "from_the_future = [1, 2]",
            "# slow",
            "dance = [\"X\"]",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(text.contains("mouse_speed = 3.0"), "{text}");
        assert!(text.contains("use = [\"F\"]"), "{text}");
        assert!(!text.contains("field_of_view"), "{text}");
    }

    #[test]
    fn two_windows_that_change_different_settings_keep_both() {
        let folder = SettingsFolder::new("two");
        let ((mut a, mut of_a, _), (mut b, mut of_b, _)) = (folder.open(), folder.open());
        of_a.crosshair = false;
        a.save(&of_a).unwrap();
        of_b.quality = DrawQuality::High;
        b.save(&of_b).unwrap();
        let (_, settings, _) = folder.open();
        assert!(!settings.crosshair);
        assert_eq!(settings.quality, DrawQuality::High);
    }

    #[test]
    fn a_broken_file_is_set_aside_and_bad_values_are_named() {
        let folder = SettingsFolder::new("broken");
        folder.write(b"mouse_speed = = 3");
        let (_, settings, said) = folder.open();
        assert_eq!(settings, Settings::default());
        assert!(said[0].contains("settings.toml.broken"), "{said:?}");
        let aside = fs::read(folder.file().with_extension("toml.broken")).unwrap();
        assert_eq!(aside, b"mouse_speed = = 3");
        assert!(!folder.file().exists());
        folder.write(b"mouse_speed = 99\ncrosshair = 'maybe'\nquality = {}\nfield_of_view = 80\n[keys]\njump = 3\nuse = ['Q', 'Hyper']\nrun = []\n");
        let (_, settings, said) = folder.open();
        assert_eq!(said.len(), 5, "{said:?}");
        assert!(said[0].contains("`mouse_speed` is 0.1 to 10"), "{said:?}");
        assert_eq!(settings.field_of_view_deg, 80.0);
        assert_eq!(settings.mouse_speed, 1.0);
        assert!(settings.bindings.keys(Action::Run).is_empty());
    }

    #[test]
    fn a_file_that_is_no_text_is_never_overwritten() {
        let folder = SettingsFolder::new("unreadable");
        let level = b"glTF\xff\xfe\x00";
        folder.write(level);
        let (mut file, _, said) = folder.open();
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(file.save(&changed()).is_err());
        assert_eq!(fs::read(folder.file()).unwrap(), level);
        let (mut file, _, said) = SettingsFile::open(Some(folder.0.0.clone()));
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(file.save(&changed()).is_err());
        assert!(folder.file().exists(), "the folder was moved");
        // The file is broken by another program while the window is open.
        folder.write(b"");
        let (mut file, _, _) = folder.open();
        folder.write(b"crosshair = ");
        assert!(file.save(&changed()).is_err());
        assert_eq!(folder.text(), "crosshair = ");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_the_file_stays_a_link() {
        let folder = SettingsFolder::new("link");
        folder.write(b"# kept elsewhere\n");
        let link = folder.0.0.join("link.toml");
        std::os::unix::fs::symlink(folder.file(), &link).unwrap();
        let (mut file, _, _) = SettingsFile::open(Some(link.clone()));
        file.save(&changed()).unwrap();
        assert!(link.is_symlink());
        assert!(folder.text().contains("# kept elsewhere"));
        assert!(folder.text().contains("crosshair = false"));
    }

    #[test]
    fn thousands_of_damaged_files_do_no_harm() {
        let mut document = DocumentMut::new();
        write_changes(&Settings::default(), &changed(), &mut document);
        let whole = document.to_string().into_bytes();
        let mut rng = Rng::new(15);
        for _ in 0..5000 {
            let mut bytes = whole.clone();
            for _ in 0..=rng.below(4) {
                let at = rng.below(bytes.len());
                match rng.below(4) {
                    0 => bytes[at] = rng.below(256) as u8,
                    1 => bytes.truncate(at + 1),
                    2 => drop(bytes.remove(at)),
                    _ => bytes.insert(at, b"[]{}=\"'.,#\n0e-"[rng.below(14)]),
                }
                if bytes.is_empty() {
                    break;
                }
            }
            let Ok(Ok(document)) = String::from_utf8(bytes).map(|text| text.parse::<DocumentMut>())
            else {
                continue;
            };
            let (settings, _) = settings_of(&document);
            let mut again = document.clone();
            write_changes(&Settings::default(), &settings, &mut again);
            let parsed: DocumentMut = again.to_string().parse().expect("it was written by us");
            assert_eq!(settings_of(&parsed).0, settings);
        }
    }
}
