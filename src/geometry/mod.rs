//! Boxes, planes, convex polygons, triangles and rigid transforms, in f64.
//!
//! Signs: a [`Plane`]'s normal points to its front, and a signed distance is positive in
//! front. A polygon's winding is counter-clockwise seen from its front.

mod box_tree;
mod clip;
mod components;
mod outline;
mod passage;
mod polygon;
mod ray_slabs;
mod rigid;
mod sorted_boxes;
mod triangle;
mod triangle_tree;

pub use box_tree::BoxTree;
pub(crate) use clip::{ClippedCorner, clip_corners, clip_polygon, part_in_front, part_inside};
pub(crate) use components::{MeshVertex, connected_components, join_neighbours};
pub(crate) use outline::{MovedCorner, mended};
pub(crate) use passage::{PassageAxes, roll_of};
pub use polygon::{ConvexPolygon, PolygonError};
pub(crate) use ray_slabs::RaySlabs;
pub use rigid::Rigid;
pub use sorted_boxes::SortedBoxes;
pub(crate) use triangle::closest_on_segments;
pub use triangle::{
    Feature, Triangle, by_coordinates, closest_on_segment, comes_before, points_of_contact,
    segment_triangle_distance, solid_angle,
};
pub(crate) use triangle_tree::{TriangleHit, TriangleTree};

use glam::{DVec3, Vec3};

/// An axis-aligned box, closed. The empty box has `min > max`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// The minimum corner, metres.
    pub min: DVec3,
    /// The maximum corner, metres.
    pub max: DVec3,
}

impl Aabb {
    /// The empty box.
    pub const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    /// The smallest box around `points`.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with_point)
    }

    /// The box enlarged to contain `point`.
    pub fn with_point(self, point: DVec3) -> Self {
        Self {
            min: self.min.min(point),
            max: self.max.max(point),
        }
    }

    /// The smallest box around both boxes.
    pub fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The intersection of both boxes; empty if they share no point.
    pub fn intersection(self, other: Self) -> Self {
        Self {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        }
    }

    /// The box enlarged by `margin` metres on every side.
    pub fn grown(self, margin: f64) -> Self {
        Self {
            min: self.min - DVec3::splat(margin),
            max: self.max + DVec3::splat(margin),
        }
    }

    /// Whether the two boxes share a point; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether `point` is inside or on the box.
    pub fn contains(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Whether the box is empty.
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// The smallest axis-aligned box, in other coordinates, around this one.
    pub fn transformed(&self, other_from_this: &Rigid) -> Self {
        if other_from_this.is_identity() {
            return *self;
        }
        Self::around(self.corners().map(|corner| other_from_this.point(corner)))
    }

    /// The centre of the box.
    pub fn centre(&self) -> DVec3 {
        (self.min + self.max) * 0.5
    }

    /// The eight corners; bit 0 of the index selects x, bit 1 y, bit 2 z.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize, axis: usize| {
                if i >> bit & 1 == 0 {
                    self.min[axis]
                } else {
                    self.max[axis]
                }
            };
            DVec3::new(pick(0, 0), pick(1, 1), pick(2, 2))
        })
    }
}

/// An axis-aligned box in f32, as stored for every solid triangle.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub struct Aabb32 {
    /// The minimum corner, metres.
    pub min: Vec3,
    /// The maximum corner, metres.
    pub max: Vec3,
}

impl Aabb32 {
    /// The smallest f32 box around an f64 box: rounded outwards, so that no overlap is missed.
    pub fn around(outer: &Aabb) -> Self {
        let down = |x: f64| {
            let y = x as f32;
            if f64::from(y) > x { y.next_down() } else { y }
        };
        let up = |x: f64| {
            let y = x as f32;
            if f64::from(y) < x { y.next_up() } else { y }
        };
        Self {
            min: Vec3::new(down(outer.min.x), down(outer.min.y), down(outer.min.z)),
            max: Vec3::new(up(outer.max.x), up(outer.max.y), up(outer.max.z)),
        }
    }

    /// The smallest box around `points`.
    pub fn around_points(points: &[Vec3]) -> Self {
        points.iter().fold(
            Self {
                min: Vec3::INFINITY,
                max: Vec3::NEG_INFINITY,
            },
            |b, &p| Self {
                min: b.min.min(p),
                max: b.max.max(p),
            },
        )
    }

    /// Whether the two boxes share a point; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        (self.min.x <= other.max.x)
            & (other.min.x <= self.max.x)
            & (self.min.y <= other.max.y)
            & (other.min.y <= self.max.y)
            & (self.min.z <= other.max.z)
            & (other.min.z <= self.max.z)
    }

    /// The box in f64.
    pub fn to_f64(self) -> Aabb {
        Aabb {
            min: self.min.as_dvec3(),
            max: self.max.as_dvec3(),
        }
    }
}

/// A plane: the points `p` with `normal . p = offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The unit normal, pointing to the front.
    pub normal: DVec3,
    /// The signed distance of the plane from the origin along the normal, metres.
    pub offset: f64,
}

impl Plane {
    /// The plane through `point` with the unit normal `normal`.
    pub fn through(point: DVec3, normal: DVec3) -> Self {
        Self {
            normal,
            offset: normal.dot(point),
        }
    }

    /// The signed distance of `point`, metres: positive in front, negative behind.
    pub fn distance(&self, point: DVec3) -> f64 {
        self.normal.dot(point) - self.offset
    }

    /// The plane with the opposite normal; distances change their sign exactly.
    pub fn flipped(self) -> Self {
        Self {
            normal: -self.normal,
            offset: -self.offset,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_that_touch_overlap_and_the_empty_box_overlaps_nothing() {
        let a = Aabb::around([DVec3::ZERO, DVec3::ONE]);
        let b = Aabb::around([DVec3::ONE, DVec3::splat(2.0)]);
        assert!(a.overlaps(&b));
        assert!(!a.overlaps(&Aabb::EMPTY));
        assert!(Aabb::EMPTY.is_empty());
        assert_eq!(Aabb::EMPTY.union(a), a);
    }

    #[test]
    fn the_f32_box_never_cuts_into_the_f64_box() {
        let third = DVec3::splat(1.0 / 3.0);
        for b in [
            Aabb {
                min: third,
                max: third,
            },
            Aabb {
                min: -third,
                max: third * 1e6,
            },
        ] {
            let outer = Aabb32::around(&b).to_f64();
            assert!(outer.contains(b.min) && outer.contains(b.max), "{b:?}");
        }
    }

    #[test]
    fn a_flipped_plane_negates_distances_exactly() {
        let plane = Plane::through(
            DVec3::new(0.1, 0.2, 0.3),
            DVec3::new(1.0, 2.0, 3.0).try_normalize().unwrap(),
        );
        let p = DVec3::new(7.7, -3.1, 0.013);
        assert_eq!(plane.distance(p), -plane.flipped().distance(p));
    }
}
