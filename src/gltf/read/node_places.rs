//! Positions of nodes whose meshes are not read, taken from the bounds that their accessors declare.

use glam::{DAffine3, DVec3};
use gltf::json;

use super::document::Document;
use crate::geometry::Aabb;
use crate::level::AuthorPoint;
use crate::problems::ProblemPlace;

/// Maximum number of nodes that are visited at a node in no room and below it.
pub(crate) const MAX_BELOW: usize = 1000;

/// The bounds of a node: those of its mesh and of the meshes below it, up to a limit of visited nodes. Without meshes,
/// the node's origin.
pub(crate) fn place_of(
    document: &Document,
    node: usize,
    author_from_node: &DAffine3,
    max_nodes: usize,
) -> Option<ProblemPlace> {
    let nodes = &document.root.nodes;
    let (mut waiting, mut bounds) = (vec![(node, *author_from_node)], Aabb::EMPTY);
    for _ in 0..max_nodes {
        let Some((index, author_from_node)) = waiting.pop() else {
            break;
        };
        let node = &nodes[index];
        bounds = bounds.union(mesh_bounds(document, node, &author_from_node));
        let children = node.children.iter().flatten().map(|child| child.value());
        let children = children.filter(|&child| child < nodes.len());
        waiting
            .extend(children.map(|child| (child, author_from_node * document.transforms[child])));
    }
    if !bounds.is_empty() {
        return Some(ProblemPlace::of_mesh(bounds));
    }
    let origin = author_from_node.translation;
    super::in_reach(origin).then(|| ProblemPlace::at(AuthorPoint(origin)))
}

/// The bounding box of a node's mesh; empty if the node has no mesh, or the box is out of range.
fn mesh_bounds(document: &Document, node: &json::Node, author_from_node: &DAffine3) -> Aabb {
    let meshes = &document.root.meshes;
    let mesh = node.mesh.and_then(|mesh| meshes.get(mesh.value()));
    let primitives = mesh.iter().flat_map(|mesh| &mesh.primitives);
    let boxes = primitives.filter_map(|primitive| bounds_of(document, primitive));
    let corners = boxes.flat_map(|bounds| bounds.corners());
    let corners = corners.map(|p| author_from_node.transform_point3(p));
    Aabb::around(corners.filter(|&p| super::in_reach(p)))
}

/// The bounding box of a primitive in mesh coordinates, as its accessor declares it.
pub(crate) fn bounds_of(document: &Document, primitive: &json::mesh::Primitive) -> Option<Aabb> {
    let positions = json::validation::Checked::Valid(json::mesh::Semantic::Positions);
    let accessor = primitive.attributes.get(&positions)?.value();
    let accessor = document.root.accessors.get(accessor)?;
    let corner = |value: &Option<json::Value>| {
        let value = value.as_ref()?;
        let [x, y, z] = [0, 1, 2].map(|axis| value.get(axis).and_then(json::Value::as_f64));
        Some(DVec3::new(x?, y?, z?))
    };
    let [min, max] = [corner(&accessor.min)?, corner(&accessor.max)?];
    let is_box = min.is_finite() && max.is_finite() && min.cmple(max).all();
    is_box.then_some(Aabb { min, max })
}
