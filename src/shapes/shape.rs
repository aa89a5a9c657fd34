//! Shapes of rigid bodies.

use glam::{DMat3, DVec3};

use super::bounds::{BoundingSphere, OrientedBox};
use super::box_faces::PosedBox;
use super::hull::Hull;
use super::mass::MassProperties;
use super::mesh::Mesh;
use super::revolution::{capsule_profile, surface_of_revolution};
use crate::geometry::{Aabb, Rigid, Triangle};

/// The number of sides of a capsule's triangles.
const SIDES_OF_CAPSULE: u32 = 16;

/// A solid shape in its own coordinates, metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A ball around the origin.
    Sphere {
        /// The radius, metres, above 0.
        radius: f64,
    },
    /// The points within a radius of a segment around the origin.
    Capsule {
        /// The vector from the origin to an end of the segment, metres, not zero; the other end is opposite.
        half_segment: DVec3,
        /// The radius, metres, above 0.
        radius: f64,
    },
    /// An axis-aligned box around the origin.
    Box {
        /// Half the lengths of its edges, metres, each above 0.
        half_extents: DVec3,
    },
    /// A convex polyhedron.
    Hull(Hull),
    /// A solid of arbitrary shape.
    Mesh(Mesh),
}

impl Shape {
    /// Whether the shape is a ball.
    pub fn is_sphere(&self) -> bool {
        matches!(self, Self::Sphere { .. })
    }

    /// The mass, centre of mass and moments of inertia of the shape filled with `density` kilograms per cubic metre.
    pub fn mass_properties(&self, density: f64) -> MassProperties {
        match self {
            Self::Sphere { radius } => MassProperties::of_sphere(*radius, density),
            Self::Capsule {
                half_segment,
                radius,
            } => MassProperties::of_capsule(*half_segment, *radius, density),
            Self::Box { half_extents } => MassProperties::of_box(*half_extents, density),
            Self::Hull(hull) => hull.mass_properties().with_density(density),
            Self::Mesh(mesh) => mesh.mass_properties().with_density(density),
        }
    }

    /// The triangles of the surface, counter-clockwise seen from outside; none for a sphere. For a capsule, only the
    /// corners lie on its surface.
    pub fn triangles(&self) -> Vec<Triangle> {
        match self {
            Self::Sphere { .. } => Vec::new(),
            Self::Capsule {
                half_segment,
                radius,
            } => triangles_of_capsule(*half_segment, *radius),
            Self::Box { half_extents } => {
                let solid = PosedBox {
                    centre: DVec3::ZERO,
                    axes: DMat3::IDENTITY,
                    half: *half_extents,
                };
                let faces = (0..6).map(|face| {
                    let mut corners = solid.corners_of_face(face);
                    // Odd faces point the other way.
                    if !face.is_multiple_of(2) {
                        corners.reverse();
                    }
                    corners
                });
                faces.flat_map(|face| fan(&face)).collect()
            }
            Self::Hull(hull) => {
                let corner = |&i: &u32| hull.corners()[i as usize];
                let faces = hull
                    .faces()
                    .map(|(_, face)| face.iter().map(corner).collect::<Vec<_>>());
                faces.flat_map(|face| fan(&face)).collect()
            }
            Self::Mesh(mesh) => mesh.triangles().copied().collect(),
        }
    }

    /// A sphere around the shape, in its own coordinates.
    pub fn bounding_sphere(&self) -> BoundingSphere {
        match self {
            Self::Sphere { radius } => BoundingSphere {
                centre: DVec3::ZERO,
                radius: *radius,
            },
            Self::Capsule {
                half_segment,
                radius,
            } => BoundingSphere {
                centre: DVec3::ZERO,
                radius: half_segment.length() + radius,
            },
            Self::Box { half_extents } => BoundingSphere {
                centre: DVec3::ZERO,
                radius: half_extents.length(),
            },
            Self::Hull(hull) => hull.bounding_sphere(),
            Self::Mesh(mesh) => mesh.bounding_sphere(),
        }
    }

    /// The distance of the shape's farthest point from `centre`, metres: it bounds the speed of its points in a rotation.
    pub fn radius_about(&self, centre: DVec3) -> f64 {
        match self {
            Self::Sphere { radius } => centre.length() + radius,
            Self::Capsule {
                half_segment,
                radius,
            } => {
                let ends = [-*half_segment, *half_segment].map(|end| end.distance(centre));
                ends[0].max(ends[1]) + radius
            }
            Self::Box { half_extents } => (centre.abs() + *half_extents).length(),
            // Bodies rotate about the origin: the radius about it is precomputed.
            Self::Hull(hull) if centre == DVec3::ZERO => hull.radius,
            Self::Mesh(mesh) if centre == DVec3::ZERO => mesh.radius,
            Self::Hull(hull) => hull.radius_about(centre),
            Self::Mesh(mesh) => mesh.radius_about(centre),
        }
    }

    /// The smallest axis-aligned box around the shape with this pose.
    pub fn aabb(&self, world_from_shape: &Rigid) -> Aabb {
        let centre = world_from_shape.translation();
        let half = match self {
            Self::Sphere { radius } => DVec3::splat(*radius),
            Self::Capsule {
                half_segment,
                radius,
            } => world_from_shape.vector(*half_segment).abs() + DVec3::splat(*radius),
            Self::Box { half_extents } => extents_of_turned_box(world_from_shape, *half_extents),
            Self::Hull(hull) => return hull.aabb(|corner| world_from_shape.point(corner)),
            Self::Mesh(mesh) => return mesh.aabb(|corner| world_from_shape.point(corner)),
        };
        Aabb {
            min: centre - half,
            max: centre + half,
        }
    }

    /// An axis-aligned box around the shape with this pose, computed in constant time: for a hull or mesh it encloses the box
    /// along its principal axes.
    pub fn coarse_aabb(&self, world_from_shape: &Rigid) -> Aabb {
        match self {
            Self::Sphere { .. } | Self::Capsule { .. } | Self::Box { .. } => {
                self.aabb(world_from_shape)
            }
            Self::Hull(_) | Self::Mesh(_) => {
                let around = self.oriented_box(world_from_shape);
                let centre = around.world_from_box.translation();
                let half = extents_of_turned_box(&around.world_from_box, around.half_extents);
                Aabb {
                    min: centre - half,
                    max: centre + half,
                }
            }
        }
    }

    /// An oriented box around the shape with this pose.
    pub(super) fn oriented_box(&self, world_from_shape: &Rigid) -> OrientedBox {
        let own = |half_extents: DVec3| OrientedBox {
            world_from_box: *world_from_shape,
            half_extents,
        };
        let of_solid = match self {
            Self::Sphere { radius } => return own(DVec3::splat(*radius)),
            Self::Capsule {
                half_segment,
                radius,
            } => {
                let shape_from_box = Rigid::new(axes_along(*half_segment), DVec3::ZERO);
                return OrientedBox {
                    world_from_box: world_from_shape.after(&shape_from_box),
                    half_extents: DVec3::splat(*radius) + DVec3::Y * half_segment.length(),
                };
            }
            Self::Box { half_extents } => return own(*half_extents),
            Self::Hull(hull) => &hull.oriented,
            Self::Mesh(mesh) => &mesh.oriented,
        };
        OrientedBox {
            world_from_box: world_from_shape.after(&of_solid.world_from_box),
            ..*of_solid
        }
    }
}

/// Orthonormal right-handed axes, with the second along a vector.
fn axes_along(along: DVec3) -> DMat3 {
    let axis = along.normalize_or(DVec3::Y);
    let (u, v) = axis.any_orthonormal_pair();
    DMat3::from_cols(v, axis, u)
}

fn triangles_of_capsule(half_segment: DVec3, radius: f64) -> Vec<Triangle> {
    let profile = capsule_profile(2.0 * half_segment.length(), [radius; 2]);
    let shape_from_axis = Rigid::new(axes_along(half_segment), DVec3::ZERO);
    let along_y = surface_of_revolution(&profile, SIDES_OF_CAPSULE).into_iter();
    along_y
        .map(|triangle| triangle.transformed(&shape_from_axis))
        .collect()
}

/// The triangles of a convex face.
fn fan(face: &[DVec3]) -> Vec<Triangle> {
    let (first, rest) = (face.first().copied().unwrap_or_default(), face.get(1..));
    let pairs = rest.unwrap_or_default().windows(2);
    let triangles = pairs.map(|pair| Triangle {
        corners: [first, pair[0], pair[1]],
    });
    triangles.collect()
}

/// Half the extents, along the world's axes, of a rotated box.
fn extents_of_turned_box(world_from_box: &Rigid, half_extents: DVec3) -> DVec3 {
    let DMat3 {
        x_axis,
        y_axis,
        z_axis,
    } = world_from_box.rotation();
    x_axis.abs() * half_extents.x + y_axis.abs() * half_extents.y + z_axis.abs() * half_extents.z
}
