//! Contacts of meshes: pairs of triangles, or of a triangle and a convex shape, found through the sphere trees, and joined
//! to manifolds by their normals.

use super::bounds::OrientedBox;
use super::box_triangle::box_triangle;
use super::clip::choose_points;
use super::contact::{MAX_POINTS, Manifold, ManifoldPoint};
use super::hull_triangle::hull_triangle;
use super::mesh::Mesh;
use super::shape::Shape;
use super::sphere::sphere_triangle;
use super::sphere_tree::{Node, descend};
use super::surface_triangle::SurfaceTriangle;
use super::triangle_triangle::triangle_triangle;
use crate::geometry::Rigid;

/// Manifolds of one pair of shapes, at most; of more the deepest are kept.
const MAX_MANIFOLDS: usize = 16;

/// Cosine of the angle, two degrees, within which normals are one.
const SAME_NORMAL: f64 = 0.9994;

/// Points of one manifold that are closer than this part of the mesh's radius are one: corners that triangles share.
const SAME_POINT: f64 = 1e-4;

/// The contacts of a mesh, which is `a`, and another shape.
pub(super) fn mesh_shape(
    mesh: &Mesh,
    world_from_mesh: &Rigid,
    other: &Shape,
    world_from_other: &Rigid,
    margin: f64,
    out: &mut Vec<Manifold>,
) {
    let first = out.len();
    let mesh_from_world = world_from_mesh.inverse();
    let mesh_from_other = mesh_from_world.after(world_from_other);
    let same_point = SAME_POINT * mesh.bounding_sphere().radius;
    let mut add = |manifold: Manifold, salt: usize| join(out, first, manifold, salt, same_point);
    if let Shape::Mesh(of_other) = other {
        descend(
            &mesh.tree,
            &of_other.tree,
            &mesh_from_other,
            margin,
            |i, j, reach| {
                let triangle = of_other.surface[j].transformed(&mesh_from_other);
                add(
                    triangle_triangle(&mesh.surface[i], &triangle, false, margin),
                    i << 16 | j,
                );
                reach
            },
        );
    } else {
        let single = [Node::single(other.bounding_sphere())];
        descend(
            &mesh.tree,
            &single,
            &mesh_from_other,
            margin,
            |i, _, reach| {
                add(
                    shape_triangle(other, &mesh_from_other, &mesh.surface[i], margin).flipped(),
                    i,
                );
                reach
            },
        );
    }
    for manifold in &mut out[first..] {
        *manifold = manifold.transformed(world_from_mesh);
    }
}

/// The contacts of a mesh and a triangle of a surface.
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
    if is_behind && surface.ridges == [false; 3] {
        return;
    }
    let same_point = SAME_POINT * mesh.bounding_sphere().radius;
    let around = super::bounds::BoundingSphere::around(&surface.triangle.corners);
    descend(
        &mesh.tree,
        &[Node::single(around)],
        &Rigid::IDENTITY,
        margin,
        |i, _, reach| {
            let manifold = triangle_triangle(&mesh.surface[i], &surface, is_behind, margin);
            join(out, first, manifold, i, same_point);
            reach
        },
    );
    for manifold in &mut out[first..] {
        *manifold = manifold.transformed(world_from_mesh);
    }
}

/// The manifold of a sphere, box or hull, which is `a`, and a triangle; empty for a mesh.
pub(super) fn shape_triangle(
    shape: &Shape,
    world_from_shape: &Rigid,
    surface: &SurfaceTriangle,
    margin: f64,
) -> Manifold {
    match shape {
        Shape::Sphere { radius } => {
            let centre = world_from_shape.translation();
            let contact = sphere_triangle(centre, *radius, surface);
            let near = contact.filter(|(contact, _)| contact.separation <= margin);
            near.map_or(Manifold::EMPTY, |(contact, _)| {
                Manifold::of_contact(&contact, 0)
            })
        }
        Shape::Box { half_extents } => {
            let solid = OrientedBox {
                world_from_box: *world_from_shape,
                half_extents: *half_extents,
            };
            box_triangle(&solid, surface, margin)
        }
        Shape::Hull(hull) => hull_triangle(hull, world_from_shape, surface, margin),
        Shape::Mesh(_) => Manifold::EMPTY,
    }
}

/// Adds the points to the manifold from `first` on with the same normal, or as another one. `salt` makes their features
/// those of this pair of triangles.
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
