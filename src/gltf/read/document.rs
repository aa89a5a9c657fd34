//! The parsed JSON text of a level, with the transforms of its nodes in f64.

use std::collections::BTreeSet;

use glam::{DAffine3, DMat3, DQuat, DVec3};
use gltf::json;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json as value};

use super::physics::{OfDocument, OfNode, Physics};
use crate::naming::composed;
use crate::problems::{ProblemCode, Problems};

/// A glTF document.
pub(crate) struct Document {
    /// The document. Nothing in it is validated, so any index may be out of range. Its node transforms, which are only
    /// f32, are not used.
    pub root: json::Root,
    /// For each node its `parent_from_node`; all are finite.
    pub transforms: Vec<DAffine3>,
    /// For each material its textures that `root` lacks.
    pub more_textures: Vec<MoreTextures>,
    pub physics: Physics,
}

/// The textures of a material that belong to extensions which [`json::Root`] drops.
#[derive(Deserialize)]
pub(crate) struct MoreTextures {
    #[serde(rename = "normalTexture")]
    pub normal: Option<json::texture::Info>,
    #[serde(rename = "occlusionTexture")]
    pub occlusion: Option<json::texture::Info>,
}

impl Document {
    /// The name of a node for messages. An unnamed node is named by its number.
    pub(crate) fn node_name(&self, index: usize) -> String {
        let name = self.root.nodes.get(index).and_then(|n| n.name.clone());
        name_or_number(name, index)
    }
}

fn name_or_number(name: Option<String>, index: usize) -> String {
    match name {
        Some(name) if !name.is_empty() => name,
        _ => format!("node {index}"),
    }
}

/// Maximum number of nodes of a level. The two bytes `{}` are a node, and take hundreds of bytes of memory.
const MAX_NODES: usize = 1 << 21;
/// Maximum number of materials of a level, for the same reason.
const MAX_MATERIALS: usize = 1 << 16;

/// Supported extensions.
const SUPPORTED_EXTENSIONS: &[&str] = &[
    // Only declares that the node tree has a single root, so needs no support.
    "GODOT_single_root",
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_specular",
    "KHR_materials_transmission",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "OMI_physics_body",
    "OMI_physics_shape",
];

/// The parts of the text that are read first: the versions, data that [`json::Root`] drops, and transforms, which it
/// has only in f32.
#[derive(Deserialize)]
struct FileOutline<'a> {
    asset: Asset,
    #[serde(default, rename = "extensionsRequired")]
    extensions_required: Vec<String>,
    #[serde(default, rename = "extensionsUsed")]
    extensions_used: Vec<String>,
    #[serde(default, borrow)]
    nodes: Vec<NodeOutline<'a>>,
    #[serde(default)]
    materials: Vec<MoreTextures>,
    #[serde(borrow)]
    extensions: Option<OfDocument<'a>>,
}

#[derive(Deserialize)]
struct Asset {
    version: String,
    #[serde(rename = "minVersion")]
    min_version: Option<String>,
}

#[derive(Deserialize)]
struct NodeOutline<'a> {
    name: Option<String>,
    #[serde(borrow)]
    matrix: Option<&'a RawValue>,
    #[serde(borrow)]
    translation: Option<&'a RawValue>,
    #[serde(borrow)]
    rotation: Option<&'a RawValue>,
    #[serde(borrow)]
    scale: Option<&'a RawValue>,
    #[serde(borrow)]
    extensions: Option<OfNode<'a>>,
}

/// Parses the text. `None`, with errors in `problems`, if that fails. If there are errors in versions, extensions or
/// transforms, the document can only be used to count its contents.
pub(crate) fn parse(text: &[u8], problems: &mut Problems) -> Option<Document> {
    let text = match std::str::from_utf8(text) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let message = format!("the JSON text is not UTF-8 at byte {at}; export it again");
            problems.error(ProblemCode::Json, "", message);
            return None;
        }
    };
    let outline: FileOutline = parse_json(text, problems)?;
    check_sizes(&outline, problems)?;
    check_versions(&outline, problems);
    let transforms = (0..)
        .zip(&outline.nodes)
        .map(|(index, node)| {
            let name = || name_or_number(node.name.clone(), index);
            node_transform(node).unwrap_or_else(|message| {
                problems.error(ProblemCode::TransformInvalid, &name(), message);
                DAffine3::IDENTITY
            })
        })
        .collect();
    let mut physics = Physics::of_document(outline.extensions.as_ref(), problems);
    for (index, node) in outline.nodes.iter().enumerate() {
        if let Some(extension) = node.extensions.as_ref().and_then(|of| of.body) {
            let name = name_or_number(node.name.clone(), index);
            physics.add_node(index, extension, &name, problems);
        }
    }
    // A file of another version may have another structure, so its further problems are not reported.
    let mut unreported = Problems::default();
    let is_usable = problems.errors.is_empty();
    let problems = if is_usable { problems } else { &mut unreported };
    let mut root: json::Root = match serde_json::from_str(text) {
        Ok(root) => root,
        Err(_) => match filled_in(text) {
            Some(filled) => parse_json(&filled, problems)?,
            None => parse_json(text, problems)?,
        },
    };
    for node in &mut root.nodes {
        node.name = node.name.take().map(|name| composed(&name));
    }
    Some(Document {
        root,
        transforms,
        more_textures: outline.materials,
        physics,
    })
}

/// The text of a glTF file, with those optional fields added that the parser requires; `None` if none is missing, or if
/// the text is not JSON.
fn filled_in(text: &str) -> Option<String> {
    let mut root: Value = serde_json::from_str(text).ok()?;
    let mut has_changed = false;
    for scene in objects(&mut root, "scenes") {
        if let Some(scene) = scene.as_object_mut()
            && !scene.contains_key("nodes")
        {
            scene.insert("nodes".to_owned(), value!([]));
            has_changed = true;
        }
    }
    // An animation channel without a node belongs to an extension, and should be ignored (glTF 2.0, 3.11).
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

/// The objects in one of a file's top-level lists.
fn objects<'a>(root: &'a mut Value, list: &str) -> impl Iterator<Item = &'a mut Value> {
    let list = root.get_mut(list).and_then(Value::as_array_mut);
    list.into_iter().flatten()
}

fn parse_json<'a, T: Deserialize<'a>>(text: &'a str, problems: &mut Problems) -> Option<T> {
    let error = match serde_json::from_str(text) {
        Ok(value) => return Some(value),
        Err(error) => error,
    };
    let before: String = {
        let line = text.lines().nth(error.line().saturating_sub(1));
        let line = line.unwrap_or("").as_bytes();
        let end = error.column().min(line.len());
        let start = end.saturating_sub(40);
        String::from_utf8_lossy(&line[start..end]).into_owned()
    };
    let message = format!("the JSON text is wrong: {error}, after `{before}`; export it again");
    problems.error(ProblemCode::Json, "", message);
    None
}

fn check_versions(outline: &FileOutline, problems: &mut Problems) {
    let version = outline.asset.version.as_str();
    if version.split('.').next() != Some("2") {
        let message =
            format!("asset.version is {version}: only glTF 2.x is read; export it as glTF 2.0");
        problems.error(ProblemCode::Version, "", message);
    }
    if let Some(least) = outline.asset.min_version.as_deref()
        && least != "2.0"
    {
        let message =
            format!("asset.minVersion is {least}: only glTF 2.0 is read; export it as glTF 2.0");
        problems.error(ProblemCode::Version, "", message);
    }
    let unknown = |list: &[String]| -> BTreeSet<String> {
        let names = list
            .iter()
            .filter(|n| !SUPPORTED_EXTENSIONS.contains(&n.as_str()));
        names.cloned().collect()
    };
    let required = unknown(&outline.extensions_required);
    for name in &required {
        let message = format!(
            "the file requires the extension {name}, which is not supported; export it without"
        );
        problems.error(ProblemCode::ExtensionRequired, "", message);
    }
    for name in unknown(&outline.extensions_used).difference(&required) {
        let message =
            format!("the extension {name} is ignored; export without it if something is missing");
        problems.warn(ProblemCode::ExtensionIgnored, "", message);
    }
}

/// Returns `None`, with an error, if a document has too many elements.
fn check_sizes(outline: &FileOutline, problems: &mut Problems) -> Option<()> {
    let sizes = [
        ("nodes", outline.nodes.len(), MAX_NODES),
        ("materials", outline.materials.len(), MAX_MATERIALS),
    ];
    let too_large = sizes.into_iter().find(|(_, count, most)| count > most);
    let Some((what, count, most)) = too_large else {
        return Some(());
    };
    let message = format!("the file has {count} {what}, more than {most}; split the level");
    problems.error(ProblemCode::TooLarge, "", message);
    None
}

/// The `parent_from_node` of a node: its matrix if it has one; otherwise scale, then rotation, then translation.
fn node_transform(node: &NodeOutline) -> Result<DAffine3, String> {
    if let Some(matrix) = node.matrix {
        return matrix_transform(&numbers::<16>("matrix", matrix)?);
    }
    let vector = |what, raw: Option<&RawValue>, default| match raw {
        Some(raw) => numbers::<3>(what, raw).map(DVec3::from_array),
        None => Ok(default),
    };
    let translation = vector("translation", node.translation, DVec3::ZERO)?;
    let scale = vector("scale", node.scale, DVec3::ONE)?;
    let rotation = match node.rotation {
        Some(raw) => unit_quaternion(numbers("rotation", raw)?)?,
        None => DQuat::IDENTITY,
    };
    Ok(DAffine3::from_scale_rotation_translation(
        scale,
        rotation,
        translation,
    ))
}

fn numbers<const N: usize>(what: &str, raw: &RawValue) -> Result<[f64; N], String>
where
    [f64; N]: for<'de> Deserialize<'de>,
{
    serde_json::from_str(raw.get()).map_err(|_| {
        let written: String = raw.get().chars().take(60).collect();
        format!("its {what} is `{written}`: it must be {N} finite numbers; reset it")
    })
}

fn unit_quaternion(xyzw: [f64; 4]) -> Result<DQuat, String> {
    // The largest component is scaled to 1 first, so that no square overflows or underflows.
    let largest = xyzw.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
    if largest == 0.0 {
        return Err("its rotation is the quaternion 0, which is no rotation; reset it".to_owned());
    }
    let [x, y, z, w] = xyzw.map(|part| part / largest);
    let length = (x * x + y * y + z * z + w * w).sqrt();
    Ok(DQuat::from_xyzw(
        x / length,
        y / length,
        z / length,
        w / length,
    ))
}

/// The transform given by 16 numbers in column-major order.
fn matrix_transform(m: &[f64; 16]) -> Result<DAffine3, String> {
    let [c0, c1, c2, translation] =
        [0, 1, 2, 3].map(|c| DVec3::new(m[4 * c], m[4 * c + 1], m[4 * c + 2]));
    let last_row = [m[3], m[7], m[11], m[15]];
    if last_row != [0.0, 0.0, 0.0, 1.0] {
        return Err(format!(
            "the last row of its matrix is {last_row:?}: it must be [0, 0, 0, 1]; reset it"
        ));
    }
    Ok(DAffine3::from_mat3_translation(
        DMat3::from_cols(c0, c1, c2),
        translation,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(nodes: &str) -> Result<Document, Problems> {
        let text = format!(r#"{{"asset":{{"version":"2.0"}},"nodes":[{nodes}]}}"#);
        let mut problems = Problems::default();
        let document = parse(text.as_bytes(), &mut problems);
        let usable = document.filter(|_| problems.errors.is_empty());
        usable.ok_or(problems)
    }

    fn first_error(text: &str) -> String {
        let mut problems = Problems::default();
        parse(text.as_bytes(), &mut problems);
        problems.errors[0].to_string()
    }

    #[test]
    fn transforms_keep_the_precision_that_f32_would_lose() {
        let document = parsed(r#"{"translation":[1000000.0001,0,-7.123456789012]}"#).unwrap();
        let moved = document.transforms[0].transform_point3(DVec3::ZERO);
        assert_eq!(moved, DVec3::new(1000000.0001, 0.0, -7.123456789012));
    }

    #[test]
    fn scale_comes_before_rotation_before_translation_and_quaternions_are_normalised() {
        let quarter_turn_about_y =
            r#"{"translation":[10,0,0],"rotation":[0,2,0,2],"scale":[3,1,1]}"#;
        let document = parsed(quarter_turn_about_y).unwrap();
        let moved = document.transforms[0].transform_point3(DVec3::X);
        assert!(
            moved.distance(DVec3::new(10.0, 0.0, -3.0)) < 1e-12,
            "{moved}"
        );
    }

    #[test]
    fn a_matrix_is_read_by_columns_and_must_be_affine() {
        let document = parsed(r#"{"matrix":[1,0,0,0, 0,2,0,0, 0,0,1,0, 5,6,7,1]}"#).unwrap();
        let moved = document.transforms[0].transform_point3(DVec3::ONE);
        assert_eq!(moved, DVec3::new(6.0, 8.0, 8.0));
        let skewed = parsed(r#"{"matrix":[1,0,0,1, 0,2,0,0, 0,0,1,0, 5,6,7,1]}"#);
        assert_eq!(skewed.err().unwrap().errors[0].code, "transform-invalid");
    }

    #[test]
    fn every_wrong_transform_is_reported_with_its_node() {
        let problems = parsed(
            r#"{"name":"a","translation":[1e999,0,0]}, {"scale":[1,2]},
               {"name":"c","matrix":[1,2,3]}, {"name":"d","rotation":[0,0,0,0]}"#,
        );
        let problems = problems.err().unwrap();
        let named: Vec<_> = problems.errors.iter().map(|e| e.node.as_str()).collect();
        assert_eq!(named, ["a", "node 1", "c", "d"]);
    }

    #[test]
    fn wrong_versions_and_unknown_required_extensions_are_named() {
        let error = first_error(r#"{"asset":{"version":"3.0"}}"#);
        assert!(error.contains("version is 3.0"), "{error}");
        let error = first_error(r#"{"asset":{"version":"2.0","minVersion":"2.1"}}"#);
        assert!(error.contains("minVersion is 2.1"), "{error}");
        let error = first_error(r#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_x"]}"#);
        assert!(error.contains("KHR_x"), "{error}");
    }

    #[test]
    fn only_extensions_that_matter_to_a_level_are_named() {
        let mut problems = Problems::default();
        // Godot 4 declares this extension in every scene that it exports; it needs no support.
        let used = r#"{"asset":{"version":"2.0"},"extensionsUsed":["GODOT_single_root","KHR_x"]}"#;
        parse(used.as_bytes(), &mut problems);
        let messages: Vec<_> = problems.warnings.iter().map(|w| &w.message).collect();
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert!(messages[0].contains("KHR_x"), "{messages:?}");
    }

    #[test]
    fn broken_text_is_refused_with_its_place() {
        let error = first_error("{\"asset\":{\"version\":\"2.0\"},\n \"nodes\":[}");
        assert!(
            error.contains("line 2") && error.contains("\"nodes\":["),
            "{error}"
        );
        first_error("");
        first_error("{\"asset\":{\"version\":\"2.0\"},\"extras\":\"\u{e9}");
    }

    #[test]
    fn text_nested_ten_thousand_deep_does_not_overflow_the_stack() {
        let (open, close) = ("[".repeat(10_000), "]".repeat(10_000));
        for place in ["extras", "unknown", "nodes", "asset"] {
            let text = format!(r#"{{"asset":{{"version":"2.0"}},"{place}":{open}{close}}}"#);
            parse(text.as_bytes(), &mut Problems::default());
        }
    }
}
