//! Edits a JSON text; every byte that is not edited is preserved.

use std::collections::BTreeMap;
use std::ops::Range;

use gltf::json;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// Changes of elements of the top-level arrays of a text.
#[derive(Default)]
pub(super) struct TextChanges {
    arrays: BTreeMap<&'static str, Array>,
}

#[derive(Default)]
struct Array {
    /// New members of the elements; `None` removes a member.
    set: BTreeMap<usize, BTreeMap<&'static str, Option<Value>>>,
    /// New values at JSON pointers inside the elements.
    put: BTreeMap<usize, BTreeMap<String, Value>>,
    /// Elements from this index on are removed.
    cut: Option<usize>,
    added: Vec<Value>,
}

impl TextChanges {
    pub(super) fn is_empty(&self) -> bool {
        self.arrays.is_empty()
    }

    /// Sets or removes a member of an element, which may be one that was added.
    pub(super) fn set(
        &mut self,
        array: &'static str,
        index: usize,
        key: &'static str,
        value: Option<Value>,
    ) {
        let elements = &mut self.arrays.entry(array).or_default().set;
        elements.entry(index).or_default().insert(key, value);
    }

    /// Replaces the value at a JSON pointer (RFC 6901) inside an element. Must not be combined with `set` for the same
    /// element.
    pub(super) fn put(&mut self, array: &'static str, index: usize, pointer: String, value: Value) {
        let elements = &mut self.arrays.entry(array).or_default().put;
        elements.entry(index).or_default().insert(pointer, value);
    }

    /// Removes the elements from an index on.
    pub(super) fn cut(&mut self, array: &'static str, from: usize) {
        self.arrays.entry(array).or_default().cut = Some(from);
    }

    /// Adds an element.
    pub(super) fn add(&mut self, array: &'static str, element: Value) {
        self.arrays.entry(array).or_default().added.push(element);
    }

    /// The text with the changes; `None` if it is not a JSON object.
    pub(super) fn applied(&self, text: &str) -> Option<String> {
        let top: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        let begin = text.find('{')? + 1;
        for (name, array) in &self.arrays {
            match top.get(*name) {
                Some(known) => array.edit(text, known, &mut edits)?,
                None => {
                    let elements = serde_json::to_string(&array.added).ok()?;
                    edits.push((begin..begin, format!("\"{name}\":{elements},")));
                }
            }
        }
        edits.sort_by_key(|(range, _)| range.start);
        let (mut whole, mut at) = (String::with_capacity(text.len()), 0);
        for (range, new) in edits {
            whole.push_str(text.get(at..range.start)?);
            whole.push_str(&new);
            at = range.end;
        }
        whole.push_str(text.get(at..)?);
        Some(whole)
    }
}

impl Array {
    fn edit(
        &self,
        text: &str,
        array: &RawValue,
        edits: &mut Vec<(Range<usize>, String)>,
    ) -> Option<()> {
        let elements: Vec<&RawValue> = serde_json::from_str(array.get()).ok()?;
        let mut added = self.added.clone();
        for (&index, members) in &self.set {
            let Some(element) = elements.get(index) else {
                let element = added.get_mut(index - elements.len())?.as_object_mut()?;
                for (&key, value) in members {
                    element.insert(key.to_owned(), value.clone().unwrap_or_default());
                }
                continue;
            };
            let mut known: BTreeMap<String, Box<RawValue>> =
                serde_json::from_str(element.get()).ok()?;
            for (&key, value) in members {
                match value {
                    Some(value) => known.insert(key.to_owned(), to_raw_value(value).ok()?),
                    None => known.remove(key),
                };
            }
            edits.push((range_of(text, element), serde_json::to_string(&known).ok()?));
        }
        for (&index, values) in &self.put {
            let element = elements.get(index)?;
            let mut known: Value = serde_json::from_str(element.get()).ok()?;
            for (pointer, value) in values {
                *known.pointer_mut(pointer)? = value.clone();
            }
            edits.push((range_of(text, element), known.to_string()));
        }
        let whole = range_of(text, array);
        let mut end = whole.end - 1..whole.end - 1;
        let kept = self
            .cut
            .map_or(elements.len(), |cut| cut.min(elements.len()));
        if kept < elements.len() {
            end.start = match kept.checked_sub(1) {
                Some(last) => range_of(text, elements[last]).end,
                None => whole.start + 1,
            };
        }
        let mut rest: Vec<String> = added.iter().map(Value::to_string).collect();
        if kept > 0 && !rest.is_empty() {
            rest.insert(0, String::new());
        }
        edits.push((end, rest.join(",")));
        Some(())
    }
}

/// The byte range of a part of a text.
fn range_of(text: &str, part: &RawValue) -> Range<usize> {
    let part = part.get();
    let start = part.as_ptr().addr() - text.as_ptr().addr();
    start..start + part.len()
}

/// Renames a node. If another node has the new name already, a number is appended. Does nothing if custom properties
/// may refer to the node by its name.
pub(super) fn rename(root: &json::Root, (node, name): (usize, &str), changes: &mut TextChanges) {
    let Some(old) = root.nodes.get(node).and_then(|node| node.name.as_deref()) else {
        return;
    };
    let names_it = |extras: &json::Extras| {
        let extras = extras.as_deref().map(RawValue::get).unwrap_or_default();
        // Serialized again, because the text may write the name with escapes.
        let extras: Option<Value> = serde_json::from_str(extras).ok();
        extras.is_some_and(|extras| extras.to_string().contains(old))
    };
    if root.nodes.iter().any(|node| names_it(&node.extras)) {
        return;
    }
    let is_taken = |name: &str| {
        let renamed = changes
            .arrays
            .get("nodes")
            .into_iter()
            .flat_map(|nodes| nodes.set.values());
        let mut renamed = renamed.filter_map(|members| members.get("name")?.as_ref()?.as_str());
        root.nodes
            .iter()
            .any(|node| node.name.as_deref() == Some(name))
            || renamed.any(|other| other == name)
    };
    let numbered = (1..1000).map(|number| format!("{name}.{number:03}"));
    let free = std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|name| !is_taken(name));
    if let Some(free) = free {
        changes.set("nodes", node, "name", Some(free.into()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        r#"{ "a" : [ {"x":1.50, "name":"one"} , {"y":[-0.0]}, 3 ],"extras":{"a":[1]}}"#;

    #[test]
    fn only_changed_values_are_rewritten() {
        let mut changes = TextChanges::default();
        changes.set("a", 0, "name", Some("two".into()));
        changes.add("a", Value::Object(serde_json::Map::new()));
        changes.set("a", 3, "z", Some(5.into()));
        let expected =
            r#"{ "a" : [ {"name":"two","x":1.50} , {"y":[-0.0]}, 3 ,{"z":5}],"extras":{"a":[1]}}"#;
        assert_eq!(changes.applied(TEXT).as_deref(), Some(expected));
        assert_eq!(TextChanges::default().applied(TEXT).as_deref(), Some(TEXT));
    }

    #[test]
    fn elements_and_members_are_taken_away_and_arrays_are_made() {
        let mut changes = TextChanges::default();
        changes.set("a", 0, "x", None);
        changes.put("c", 0, "/d/1/e".to_owned(), 7.into());
        changes.cut("a", 1);
        changes.add("b", true.into());
        let text = TEXT.replace("}}", r#"},"c":[{"d":[0,{"e":1}]}]}"#);
        let expected =
            r#"{"b":[true], "a" : [ {"name":"one"}],"extras":{"a":[1]},"c":[{"d":[0,{"e":7}]}]}"#;
        assert_eq!(changes.applied(&text).as_deref(), Some(expected));
    }
}
