//! Fields that glTF 2.0 lets a file leave out, but our JSON reader wants.

use serde_json::{Value, json};

/// The text of a glTF file with the fields written out that it may leave out and the reader of its
/// objects does not; `None` if it leaves out none of them, or is no JSON.
pub(super) fn filled_in(text: &str) -> Option<String> {
    let mut root: Value = serde_json::from_str(text).ok()?;
    let mut has_changed = false;
    for scene in objects(&mut root, "scenes") {
        if let Some(scene) = scene.as_object_mut()
            && !scene.contains_key("nodes")
        {
            scene.insert("nodes".to_owned(), json!([]));
            has_changed = true;
        }
    }
    // A channel without a node is for an extension: others are to leave it out (glTF 2.0, 3.11).
    for animation in objects(&mut root, "animations") {
        if let Some(Value::Array(channels)) = animation.get_mut("channels") {
            let before = channels.len();
            channels.retain(|channel| {
                let target = channel.get("target");
                target.is_none_or(|target| !target.is_object() || target.get("node").is_some())
            });
            has_changed |= channels.len() < before;
        }
    }
    has_changed.then(|| root.to_string())
}

/// The objects of one of a file's lists.
fn objects<'a>(root: &'a mut Value, list: &str) -> impl Iterator<Item = &'a mut Value> {
    let list = root.get_mut(list).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}
