//! Contacts of meshes: pairs of convex parts or triangles, found through the sphere trees, and merged into manifolds by their
//! normals.

use glam::DVec3;

use super::bounds::{BoundingSphere, OrientedBox};
use super::box_triangle::box_triangle;
use super::capsule::PosedCapsule;
use super::capsule_triangle::capsule_triangle;
use super::clip::choose_points;
use super::contact::{MAX_POINTS, Manifold, ManifoldPoint};
use super::convex_contacts::{ConvexShape, convex_contacts};
use super::hull::Hull;
use super::hull_triangle::{hull_triangle, hull_triangle_seen_from};
use super::mesh::Mesh;
use super::pair_cache::PairCache;
use super::shape::Shape;
use super::sphere::sphere_triangle;
use super::sphere_tree::{SphereNode, descend};
use super::surface_triangle::SurfaceTriangle;
use super::triangle_triangle::triangle_triangle;
use crate::geometry::Rigid;

/// The maximum number of manifolds of a pair of shapes; if there are more, the deepest are kept.
const MAX_MANIFOLDS: usize = 16;

/// The cosine of the angle, two degrees, within which normals count as equal.
const SAME_NORMAL: f64 = 0.9994;

/// The distance, relative to the mesh's radius, within which points of a manifold count as equal, as at corners that
/// triangles share.
const SAME_POINT: f64 = 1e-4;

/// The unit of contacts: a convex part of a mesh, a triangle of a mesh without convex parts, or a convex shape.
#[derive(Clone, Copy)]
enum Part<'a> {
    Convex(ConvexShape<'a>),
    Triangle(&'a SurfaceTriangle),
}

impl<'a> Part<'a> {
    /// The part of a mesh with a number in [`tree`].
    fn of_mesh(mesh: &'a Mesh, number: usize) -> Self {
        match &mesh.convex_parts {
            Some(parts) => Self::Convex(ConvexShape::Hull(&parts.hulls[number])),
            None => Self::Triangle(&mesh.surface[number]),
        }
    }
}

/// The sphere tree over the parts of a mesh.
fn tree(mesh: &Mesh) -> &[SphereNode] {
    mesh.convex_parts
        .as_ref()
        .map_or(&mesh.tree, |parts| &parts.tree)
}

/// Adds the contacts of a mesh, which is `a`, and another shape to `out`. The pairs of parts share `cache`.
pub(super) fn mesh_shape(
    mesh: &Mesh,
    world_from_mesh: &Rigid,
    other: &Shape,
    world_from_other: &Rigid,
    margin: f64,
    cache: &mut PairCache,
    out: &mut Vec<Manifold>,
) {
    let first = out.len();
    let mesh_from_other = world_from_mesh.inverse().after(world_from_other);
    let same_point = SAME_POINT * mesh.bounding_sphere().radius;
    let single = [SphereNode::single(other.bounding_sphere())];
    let of_other = match other {
        Shape::Mesh(other) => tree(other),
        _ => &single,
    };
    let part_of_other = |number| match other {
        Shape::Mesh(other) => Some(Part::of_mesh(other, number)),
        _ => ConvexShape::of(other).map(Part::Convex),
    };
    descend(
        tree(mesh),
        of_other,
        &mesh_from_other,
        margin,
        |i, j, reach| {
            if let Some(other) = part_of_other(j) {
                let parts = (Part::of_mesh(mesh, i), other);
                let manifold = parts_contact(parts, &mesh_from_other, margin, cache);
                join(out, first, manifold, i << 16 | j, same_point);
            }
            reach
        },
    );
    for manifold in &mut out[first..] {
        *manifold = manifold.transformed(world_from_mesh);
    }
}

/// The manifold of two parts, in coordinates of the first part, which is `a`.
fn parts_contact(
    parts: (Part, Part),
    a_from_b: &Rigid,
    margin: f64,
    cache: &mut PairCache,
) -> Manifold {
    let a_from_a = &Rigid::IDENTITY;
    match parts {
        (Part::Convex(a), Part::Convex(b)) => {
            convex_contacts(a, a_from_a, b, a_from_b, margin, cache)
        }
        (Part::Convex(a), Part::Triangle(b)) => {
            convex_triangle(a, a_from_a, &b.transformed(a_from_b), margin)
        }
        (Part::Triangle(a), Part::Convex(b)) => convex_triangle(b, a_from_b, a, margin).flipped(),
        (Part::Triangle(a), Part::Triangle(b)) => {
            triangle_triangle(a, &b.transformed(a_from_b), false, margin)
        }
    }
}

/// Adds the contacts of a mesh and a surface triangle to `out`.
pub(super) fn mesh_triangle(
    mesh: &Mesh,
    world_from_mesh: &Rigid,
    surface: &SurfaceTriangle,
    margin: f64,
    out: &mut Vec<Manifold>,
) {
    let first = out.len();
    let surface = surface.transformed(&world_from_mesh.inverse());
    let is_behind = surface.normal_towards(mesh.centre()).is_none();
    if is_behind && mesh.convex_parts.is_none() && surface.ridges == [false; 3] {
        return;
    }
    let same_point = SAME_POINT * mesh.bounding_sphere().radius;
    let around = BoundingSphere::around(&surface.triangle.corners);
    descend(
        tree(mesh),
        &[SphereNode::single(around)],
        &Rigid::IDENTITY,
        margin,
        |i, _, reach| {
            let manifold = match Part::of_mesh(mesh, i) {
                Part::Convex(ConvexShape::Hull(hull)) => {
                    let seen_from = reference_point(hull, &surface, is_behind);
                    hull_triangle_seen_from(hull, &Rigid::IDENTITY, &surface, seen_from, margin)
                }
                Part::Convex(other) => convex_triangle(other, &Rigid::IDENTITY, &surface, margin),
                Part::Triangle(of_mesh) => triangle_triangle(of_mesh, &surface, is_behind, margin),
            };
            join(out, first, manifold, i, same_point);
            reach
        },
    );
    for manifold in &mut out[first..] {
        *manifold = manifold.transformed(world_from_mesh);
    }
}

/// A point that selects the side to which a triangle pushes a convex part: the part's centre. If the mesh is in front
/// of the triangle but the part's centre behind it, the part's foremost corner.
fn reference_point(hull: &Hull, surface: &SurfaceTriangle, is_mesh_behind: bool) -> DVec3 {
    let centre = hull.centre();
    if is_mesh_behind || surface.normal_towards(centre).is_some() {
        return centre;
    }
    let front = surface.triangle.cross();
    hull.corners()[hull.support(front)]
}

/// The manifold of a convex shape, which is `a`, and a triangle.
pub(super) fn convex_triangle(
    shape: ConvexShape,
    world_from_shape: &Rigid,
    surface: &SurfaceTriangle,
    margin: f64,
) -> Manifold {
    match shape {
        ConvexShape::Sphere(radius) => {
            let centre = world_from_shape.translation();
            let contact = sphere_triangle(centre, radius, surface);
            let near = contact.filter(|(contact, _)| contact.separation <= margin);
            near.map_or(Manifold::EMPTY, |(contact, _)| {
                Manifold::of_contact(&contact, 0)
            })
        }
        ConvexShape::Capsule(half_segment, radius) => {
            let capsule = PosedCapsule::new(world_from_shape, half_segment, radius);
            capsule_triangle(&capsule, surface, margin)
        }
        ConvexShape::Box(half_extents) => {
            let solid = OrientedBox {
                world_from_box: *world_from_shape,
                half_extents,
            };
            box_triangle(&solid, surface, margin)
        }
        ConvexShape::Hull(hull) => hull_triangle(hull, world_from_shape, surface, margin),
    }
}

/// Merges the points into the manifold from `first` on that has the same normal, or adds a new manifold. `salt` makes their
/// features unique to this pair of parts.
fn join(out: &mut Vec<Manifold>, first: usize, manifold: Manifold, salt: usize, same_point: f64) {
    if manifold.is_empty() {
        return;
    }
    let manifold = manifold.salted(salt as u64 + 1);
    let same = |other: &&mut Manifold| other.normal.dot(manifold.normal) >= SAME_NORMAL;
    if let Some(joined) = out[first..].iter_mut().find(same) {
        let mut points = [ManifoldPoint::default(); 2 * MAX_POINTS];
        let mut count = joined.points().len();
        points[..count].copy_from_slice(joined.points());
        for point in manifold.points() {
            let is_same =
                |other: &&mut ManifoldPoint| (other.on_a - point.on_a).length() <= same_point;
            match points[..count].iter_mut().find(is_same) {
                Some(other) if other.separation <= point.separation => {}
                Some(other) => *other = *point,
                None => {
                    points[count] = *point;
                    count += 1;
                }
            }
        }
        let mut chosen = Manifold::along(joined.normal);
        choose_points(&points[..count], &mut chosen);
        *joined = chosen;
    } else if out.len() - first < MAX_MANIFOLDS {
        out.push(manifold);
    } else {
        let by_depth =
            |a: &&mut Manifold, b: &&mut Manifold| a.separation().total_cmp(&b.separation());
        if let Some(shallowest) = out[first..].iter_mut().max_by(by_depth)
            && manifold.separation() < shallowest.separation()
        {
            *shallowest = manifold;
        }
    }
}
