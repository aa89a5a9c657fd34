//! Custom properties that authors add to nodes and materials.

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::naming::{composed, is_typo};

/// Minimum length of a name in which typos are detected; shorter names resemble too many words.
const MIN_LETTERS: usize = 4;

/// The custom properties (extras) of a node or material.
pub(crate) struct Properties(Map<String, Value>);

impl Properties {
    /// Parses extras; extras that are not an object have no properties.
    pub(crate) fn of(extras: Option<&RawValue>) -> Self {
        let parsed = extras.and_then(|raw| serde_json::from_str(raw.get()).ok());
        Self(parsed.unwrap_or_default())
    }

    /// A number that is stored as a number or as text; for anything else an error with the stored value.
    pub(crate) fn number(&self, key: &str) -> Option<Result<f64, String>> {
        let value = self.0.get(key)?;
        Some(number(value).ok_or_else(|| value.to_string()))
    }

    /// An array of `N` numbers, each as in [`Self::number`].
    pub(crate) fn numbers<const N: usize>(&self, key: &str) -> Option<Result<[f64; N], String>> {
        let value = self.0.get(key)?;
        let numbers = || {
            let items: &[Value; N] = value.as_array()?.as_array()?;
            let mut numbers = [0.0; N];
            for (to, item) in numbers.iter_mut().zip(items) {
                *to = number(item)?;
            }
            Some(numbers)
        };
        Some(numbers().ok_or_else(|| value.to_string()))
    }

    /// Whether the property exists.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// The properties whose names are unknown but almost equal one of `names`, each with the intended name.
    pub(crate) fn almost<'a>(
        &'a self,
        names: &'a [&'a str],
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        let unknown = self.0.keys().filter(|key| !names.contains(&key.as_str()));
        unknown.filter_map(|key| {
            let word = key.to_ascii_lowercase().replace('-', "_");
            let is_meant =
                |name: &&&str| word == **name || name.len() >= MIN_LETTERS && is_typo(&word, name);
            Some((key.as_str(), *names.iter().find(is_meant)?))
        })
    }

    /// A text in composed Unicode form, or the name of a selected object. Any other value is returned as it is written.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        let value = self.0.get(key)?;
        let text = value.as_str().or_else(|| value.get("name")?.as_str());
        Some(text.map_or_else(|| value.to_string(), composed))
    }

    /// Names: a comma-separated text, a list of texts, or Blender's value for a selected object.
    pub(crate) fn names(&self, key: &str) -> Vec<String> {
        fn add(value: &Value, names: &mut Vec<String>) {
            match value {
                Value::String(text) => {
                    let parts = text.split(',').map(str::trim);
                    names.extend(parts.filter(|name| !name.is_empty()).map(composed));
                }
                Value::Array(items) => items.iter().for_each(|item| add(item, names)),
                Value::Object(object) if let Some(Value::String(name)) = object.get("name") => {
                    // Not split, because names of objects may contain commas.
                    names.push(composed(name));
                }
                Value::Null => {}
                other => names.push(other.to_string()),
            }
        }
        let mut names = Vec::new();
        if let Some(value) = self.0.get(key) {
            add(value, &mut names);
        }
        names
    }

    /// Whether the value is a selected object, for which Blender writes the name and the type.
    pub(crate) fn is_object(&self, key: &str) -> bool {
        self.0
            .get(key)
            .is_some_and(|value| value.get("name").is_some())
    }

    /// A boolean that is stored as a boolean, a number or text; for anything else an error with the stored value.
    pub(crate) fn flag(&self, key: &str) -> Option<Result<bool, String>> {
        let value = self.0.get(key)?;
        let flag = match value {
            Value::Bool(flag) => Some(*flag),
            Value::Number(number) => number.as_f64().map(|number| number != 0.0),
            Value::String(text) => match text.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" | "1" => Some(true),
                "false" | "no" | "off" | "0" => Some(false),
                _ => None,
            },
            _ => None,
        };
        Some(flag.ok_or_else(|| value.to_string()))
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn properties(json: &str) -> Properties {
        let raw: Box<RawValue> = serde_json::from_str(json).unwrap();
        Properties::of(Some(&raw))
    }

    #[test]
    fn numbers_are_read_from_numbers_and_from_text() {
        let all = properties(r#"{"a":0.5,"b":" 0.25 ","c":"slippery","d":[1]}"#);
        assert_eq!(all.number("a"), Some(Ok(0.5)));
        assert_eq!(all.number("b"), Some(Ok(0.25)));
        assert!(all.number("c").unwrap().unwrap_err().contains("slippery"));
        assert!(all.number("d").unwrap().is_err());
        assert_eq!(all.number("e"), None);
    }

    #[test]
    fn names_that_are_almost_known_are_reported() {
        let all = properties(r#"{"lokced":1,"Angle":2,"moves-with":3,"time":4,"tine":5,"rate":6}"#);
        let known = ["locked", "angle", "moves_with", "time", "wait"];
        let almost: Vec<(&str, &str)> = all.almost(&known).collect();
        let expected = [
            ("Angle", "angle"),
            ("lokced", "locked"),
            ("moves-with", "moves_with"),
            ("tine", "time"),
        ];
        assert_eq!(almost, expected);
    }

    #[test]
    fn arrays_of_a_wrong_length_are_errors() {
        let all = properties(r#"{"a":[0.5,"1",2],"b":[1,2],"c":[1,2,"x"],"d":3,"e":[1,2,3,4]}"#);
        assert_eq!(all.numbers("a"), Some(Ok([0.5, 1.0, 2.0])));
        for key in ["b", "c", "d", "e"] {
            assert!(all.numbers::<3>(key).unwrap().is_err(), "{key}");
        }
        assert_eq!(all.numbers::<3>("f"), None);
    }

    #[test]
    fn flags_are_read_from_truth_values_numbers_and_text() {
        let all = properties(r#"{"a":false,"b":0,"c":"No","d":1.0,"e":"TRUE","f":"maybe"}"#);
        for (key, expected) in [
            ("a", false),
            ("b", false),
            ("c", false),
            ("d", true),
            ("e", true),
        ] {
            assert_eq!(all.flag(key), Some(Ok(expected)), "{key}");
        }
        assert!(all.flag("f").unwrap().is_err());
    }

    #[test]
    fn names_are_read_from_text_lists_and_objects_that_were_chosen() {
        let all = properties(
            r#"{"a":" a-door, ,b-door","b":["a-door","b-door,c-door"],"c":{"name":"a-door","type":"Object"},
                "d":[{"name":"a-door","type":"Object"}],"e":7,"f":null}"#,
        );
        for (key, expected) in [
            ("a", &["a-door", "b-door"][..]),
            ("b", &["a-door", "b-door", "c-door"]),
            ("c", &["a-door"]),
            ("d", &["a-door"]),
            ("e", &["7"]),
            ("f", &[]),
            ("g", &[]),
        ] {
            assert_eq!(all.names(key), expected, "{key}");
        }
    }

    #[test]
    fn extras_that_are_no_object_or_nested_too_deep_have_no_properties() {
        let deep = format!("{{\"a\":{}1{}}}", "[".repeat(5000), "]".repeat(5000));
        for json in ["null", "[1]", "\"a\"", deep.as_str()] {
            assert_eq!(properties(json).number("a"), None);
        }
        assert_eq!(Properties::of(None).number("a"), None);
    }
}
