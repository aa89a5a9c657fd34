//! Reads skinned figures: surface, joints and actions of the first skinned mesh of a file.

mod error;
mod skeleton;
mod surface;

use crate::figure::Figure;
use crate::gltf::read::accessor::AccessorBuffers;
use crate::gltf::read::{container, document, materials, read_buffers};
use crate::memo::Memo;
use crate::problems::Problems;
pub use error::FigureError;
use error::at_most;
use skeleton::Skeleton;
use surface::FigureSurface;

/// The maximum number of vertices; the project's own person has 1,800.
const MAX_VERTICES: usize = 1 << 16;
/// The maximum number of actions; the project's own person has 8.
const MAX_CLIPS: usize = 64;

/// Reads a figure from the bytes of a .glb that needs no other file. Only the base colour of materials is used.
///
/// # Errors
/// When the file contains no figure, or the figure cannot be posed.
pub fn read_figure(bytes: &[u8]) -> Result<Figure, FigureError> {
    let mut problems = Problems::default();
    let container =
        container::split(bytes).map_err(|error| FigureError::File(error.to_string()))?;
    let document = document::parse(container.json, &mut problems);
    let document = document.ok_or_else(|| first(&problems))?;
    let bytes = read_buffers(&document.root, container.binary, None, &mut problems);
    if !problems.errors.is_empty() {
        return Err(first(&problems));
    }
    let bytes: Vec<Option<&[u8]>> = bytes.iter().map(Option::as_deref).collect();
    let mut buffers = AccessorBuffers::new(&document.root, &bytes);
    let (materials, ..) =
        materials::read(&document, &buffers, None, &Memo::default(), &mut problems);

    let skinned = document.root.nodes.iter().enumerate();
    let mut skinned =
        skinned.filter_map(|(node, of)| Some((node, of.mesh?.value(), of.skin?.value())));
    let (node, mesh, skin) = skinned.next().ok_or(FigureError::NoSkin)?;
    let skin = document.root.skins.get(skin).ok_or(FigureError::NoSkin)?;
    let mesh = document.root.meshes.get(mesh).ok_or(FigureError::NoSkin)?;
    let skeleton = Skeleton::new(&document, &mut buffers, skin)?;
    let mut figure = Figure {
        joints: skeleton.joints.clone(),
        ..Figure::default()
    };
    let mut surface = FigureSurface {
        figure: &mut figure,
        joints_from_file: &skeleton.from_file,
        materials: &materials,
    };
    for primitive in &mesh.primitives {
        surface
            .add(&mut buffers, primitive)
            .map_err(|problem| FigureError::Mesh {
                name: document.node_name(node),
                problem,
            })?;
        at_most("vertices", surface.figure.vertices.len(), MAX_VERTICES)?;
    }
    at_most("actions", document.root.animations.len(), MAX_CLIPS)?;
    for (index, animation) in document.root.animations.iter().enumerate() {
        let name = animation.name.clone();
        let name = name.unwrap_or_else(|| format!("animation {index}"));
        let clip = skeleton.clip(&mut buffers, animation, &name);
        let clip = clip.map_err(|problem| FigureError::Animation {
            name,
            problem: problem.to_string(),
        })?;
        figure.clips.push(clip);
    }
    Ok(figure)
}

fn first(problems: &Problems) -> FigureError {
    let first = problems.errors.iter().next();
    FigureError::File(first.map_or_else(String::new, ToString::to_string))
}
