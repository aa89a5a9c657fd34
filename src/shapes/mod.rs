//! Shapes of bodies and their collision queries: mass, bounds, contacts and times of impact, in f64.
//!
//! Pure geometry without rooms or levels. Queries allocate nothing, and keep no state between calls except caches that the
//! caller passes in. A [`Shape`] is in its own coordinates; `world_from_shape` places it in coordinates that both shapes of a
//! query share.
//!
//! Signs: a contact's normal is a unit vector that points from `b` to `a`, so that `a` moves out along it; a separation is
//! positive if there is a gap, and negative if the shapes overlap. The methods and their sources are in `docs/bodies.md`.

mod bounds;
mod box_box;
mod box_faces;
mod box_triangle;
mod capsule;
mod capsule_triangle;
mod clip;
mod contact;
mod contacts;
mod convex;
mod convex_contacts;
mod convex_convex;
mod convex_parts;
mod epa;
mod gjk;
mod hull;
mod hull_faces;
mod hull_triangle;
mod mass;
mod mesh;
mod mesh_contacts;
mod moving;
mod pair_cache;
mod passing;
mod polynomial;
mod quickhull;
mod revolution;
mod shape;
mod speculative;
mod sphere;
mod sphere_hull;
mod sphere_impact;
mod sphere_tree;
mod surface_triangle;
mod time_of_impact;
mod triangle_axes;
mod triangle_triangle;

pub use bounds::{BoundingSphere, OrientedBox};
pub use box_box::box_box;
pub use box_triangle::box_triangle;
pub use capsule::PosedCapsule;
pub use capsule_triangle::capsule_triangle;
pub use contact::{Contact, MAX_POINTS, Manifold, ManifoldPoint};
pub use contacts::{closest, closest_to_triangle, contacts, surface_contacts};
pub use convex::Convex;
pub use convex_convex::{Closest, convex_contact, convex_convex};
pub use hull::Hull;
pub use hull_triangle::hull_triangle;
pub use mass::MassProperties;
pub use mesh::{MAX_TRIANGLES, Mesh, MeshError};
pub use moving::{Sweep, rotation_by};
pub use pair_cache::PairCache;
pub use passing::{Deepest, deepest_passing};
pub use quickhull::{HullError, MAX_CORNERS};
pub(crate) use revolution::{capsule_profile, surface_of_revolution};
pub use shape::Shape;
pub use speculative::speculative_points;
pub use sphere::{sphere_box, sphere_sphere, sphere_triangle};
pub use sphere_hull::sphere_hull;
pub use sphere_impact::{MovingSphere, moving_sphere_triangle, moving_spheres};
pub use surface_triangle::SurfaceTriangle;
pub use time_of_impact::{ShapeImpact, time_of_impact, triangle_time_of_impact};
pub use triangle_triangle::triangle_triangle;
