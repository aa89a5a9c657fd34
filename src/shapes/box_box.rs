//! Two boxes: the separating axis test over 15 axes, and the contact manifold.
//!
//! S. Gottschalk, M. Lin and D. Manocha, "OBBTree", 1996; the manifold as in E. Catto, "Contact Manifolds", 2007. All
//! computations are in coordinates of box `a`.

use glam::{DMat3, DVec3};

use super::bounds::OrientedBox;
use super::box_faces::PosedBox;
use super::clip::{ClipPolygon, EDGES, Reference, closest_on_lines};
use super::contact::{Contact, Manifold};
use super::convex::Convex;
use super::convex_convex::convex_convex;
use super::pair_cache::PairCache;
use crate::geometry::Plane;

/// The squared sine of the angle between two edges below which they count as parallel. Then a face axis separates as
/// well as the edge axis, and rounding dominates the edge axis.
const PARALLEL: f64 = 1e-8;

/// The margin by which an edge axis must separate better than a face axis, relative to the boxes' size. Without it, a
/// resting box would change its contact points from tick to tick, because edge contacts are less stable.
const PREFERENCE: f64 = 1e-3;

/// The rounding of the crossing point of two edges, relative to their length.
const ON_EDGE: f64 = 1e-9;

/// An axis of the test: 0 to 2 are face normals of `a`, 3 to 5 of `b`, and `6 + 3 i + j` is the cross product of edge `i` of
/// `a` and edge `j` of `b`.
type Axis = u8;

/// The chosen axis, and the axis of largest separation, each with its separation.
struct Chosen {
    axis: (Axis, f64),
    best: (Axis, f64),
}

impl Chosen {
    fn apart(axis: (Axis, f64)) -> Self {
        Self { axis, best: axis }
    }
}

/// Two boxes in coordinates of the first one.
struct BoxPair {
    half_a: DVec3,
    half_b: DVec3,
    /// The axes of `b`, as columns.
    b: DMat3,
    /// The absolute values of the elements of `b`.
    abs_b: DMat3,
    /// The vector from the centre of `a` to the centre of `b`.
    offset: DVec3,
}

impl BoxPair {
    fn new(a: &OrientedBox, b: &OrientedBox) -> Self {
        let a_from_world = a.world_from_box.rotation().transpose();
        let axes = a_from_world * b.world_from_box.rotation();
        let DMat3 {
            x_axis,
            y_axis,
            z_axis,
        } = axes;
        Self {
            half_a: a.half_extents,
            half_b: b.half_extents,
            b: axes,
            abs_b: DMat3::from_cols(x_axis.abs(), y_axis.abs(), z_axis.abs()),
            offset: a_from_world
                * (b.world_from_box.translation() - a.world_from_box.translation()),
        }
    }

    fn face_of_a(&self, i: usize) -> f64 {
        let reach = self.abs_b.row(i).dot(self.half_b);
        self.offset[i].abs() - self.half_a[i] - reach
    }

    fn face_of_b(&self, j: usize) -> f64 {
        let reach = self.abs_b.col(j).dot(self.half_a);
        self.offset.dot(self.b.col(j)).abs() - self.half_b[j] - reach
    }

    /// The separation along the cross product of two edges; minus infinity if they are parallel.
    fn edges(&self, i: usize, j: usize) -> f64 {
        let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
        let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
        let (b, abs_b) = (self.b.col(j), self.abs_b.col(j));
        let length_squared = b[i1] * b[i1] + b[i2] * b[i2];
        if length_squared < PARALLEL {
            return f64::NEG_INFINITY;
        }
        let reach_a = self.half_a[i1] * abs_b[i2] + self.half_a[i2] * abs_b[i1];
        let reach_b =
            self.half_b[j1] * self.abs_b.col(j2)[i] + self.half_b[j2] * self.abs_b.col(j1)[i];
        let apart = (self.offset[i2] * b[i1] - self.offset[i1] * b[i2]).abs();
        (apart - reach_a - reach_b) / length_squared.sqrt()
    }

    /// The unit vector along the axis, pointing from `b` to `a`.
    fn normal(&self, axis: Axis) -> DVec3 {
        let along = match usize::from(axis) {
            i @ 0..3 => DVec3::AXES[i],
            j @ 3..6 => self.b.col(j - 3),
            edges => {
                let across = DVec3::AXES[(edges - 6) / 3 % 3].cross(self.b.col(edges % 3));
                across / across.length()
            }
        };
        if along.dot(self.offset) > 0.0 {
            -along
        } else {
            along
        }
    }

    /// Chooses the axis along which the boxes are pushed apart: the axis of largest separation, or a face axis that
    /// separates almost as well. If an axis separates by more than `margin`, returns the first such axis.
    fn choose_axis(&self, margin: f64) -> Chosen {
        let (mut face, mut edges) = ((0, f64::NEG_INFINITY), (6, f64::NEG_INFINITY));
        for i in 0..3 {
            for (axis, separation) in [(i, self.face_of_a(i)), (3 + i, self.face_of_b(i))] {
                if separation > margin {
                    return Chosen::apart((axis as Axis, separation));
                }
                if separation > face.1 {
                    face = (axis as Axis, separation);
                }
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                let separation = self.edges(i, j);
                let axis = (6 + 3 * i + j) as Axis;
                if separation > margin {
                    return Chosen::apart((axis, separation));
                }
                if separation > edges.1 {
                    edges = (axis, separation);
                }
            }
        }
        let size = self.half_a.max_element().min(self.half_b.max_element());
        let preference = PREFERENCE * size;
        let best = if edges.1 > face.1 { edges } else { face };
        let steady = if edges.1 > face.1 + preference {
            edges
        } else {
            face
        };
        Chosen { axis: steady, best }
    }

    /// The manifold along an axis; empty if the features of the axis do not cross each other.
    fn manifold(&self, (axis, separation): (Axis, f64), margin: f64) -> Manifold {
        let normal = self.normal(axis);
        let solids = match axis {
            0..3 => [self.solid_a(), self.solid_b()],
            3..6 => [self.solid_b(), self.solid_a()],
            _ => {
                let at_edges = self.edge_contact(axis, normal, separation);
                return at_edges.unwrap_or(Manifold::EMPTY);
            }
        };
        let reference = if axis < 3 { Reference::A } else { Reference::B };
        face_manifold(&solids, usize::from(axis) % 3, normal, reference, margin)
    }

    fn solid_a(&self) -> PosedBox {
        PosedBox {
            centre: DVec3::ZERO,
            axes: DMat3::IDENTITY,
            half: self.half_a,
        }
    }

    fn solid_b(&self) -> PosedBox {
        PosedBox {
            centre: self.offset,
            axes: self.b,
            half: self.half_b,
        }
    }

    /// The contact point of edge `i` of `a` and edge `j` of `b`, in the direction `normal` from `b` to `a`; `None` if the
    /// closest points of the lines lie outside the edges.
    fn edge_contact(&self, axis: Axis, normal: DVec3, separation: f64) -> Option<Manifold> {
        let edges = usize::from(axis) - 6;
        let (i, j) = (edges / 3 % 3, edges % 3);
        let (a, b) = (self.solid_a(), self.solid_b());
        let (from_a, signs_a) = a.middle_of_edge(i, -normal);
        let (from_b, signs_b) = b.middle_of_edge(j, normal);
        let [on_a, on_b] = closest_on_lines(from_a, a.axes.col(i), from_b, b.axes.col(j))?;
        let reaches =
            |from: DVec3, to: DVec3, half: f64| (to - from).length() <= half * (1.0 + ON_EDGE);
        if !reaches(from_a, on_a, a.half[i]) || !reaches(from_b, on_b, b.half[j]) {
            return None;
        }
        let contact = Contact {
            on_a,
            on_b,
            normal,
            separation,
        };
        let feature = EDGES | u64::from(axis) << 8 | signs_a << 4 | signs_b;
        Some(Manifold::of_contact(&contact, feature))
    }
}

/// The manifold of two boxes, empty if they are more than `margin` metres apart. `cache` belongs to the pair, and does not
/// affect the result.
pub fn box_box(a: &OrientedBox, b: &OrientedBox, margin: f64, cache: &mut PairCache) -> Manifold {
    let [solid_a, solid_b] =
        [a, b].map(|solid| Convex::cuboid(solid.world_from_box, solid.half_extents));
    if cache.separates(&solid_a, &solid_b, margin) {
        return Manifold::EMPTY;
    }
    *cache = PairCache::default();
    let boxes = BoxPair::new(a, b);
    let Chosen { axis, best } = boxes.choose_axis(margin);
    if axis.1 > margin {
        *cache = PairCache::along(a.world_from_box.vector(boxes.normal(axis.0)));
        return Manifold::EMPTY;
    }
    let mut manifold = boxes.manifold(axis, margin);
    if manifold.is_empty() && axis.0 != best.0 {
        manifold = boxes.manifold(best, margin);
    }
    if manifold.is_empty() {
        // These features form no manifold (corner against corner, or rounding): use the general convex test.
        return convex_convex(&solid_a, &solid_b, margin, cache);
    }
    manifold.transformed(&a.world_from_box)
}

/// The manifold of the incident face, clipped against the reference face.
fn face_manifold(
    [of_reference, incident]: &[PosedBox; 2],
    axis: usize,
    normal: DVec3,
    reference: Reference,
    margin: f64,
) -> Manifold {
    let outwards = match reference {
        Reference::A => -normal,
        Reference::B => normal,
    };
    let along = of_reference.axes.col(axis);
    let is_negative = along.dot(outwards) < 0.0;
    let plane = Plane::through(
        of_reference.centre + outwards * of_reference.half[axis],
        outwards,
    );
    let (_, face) = incident.face_towards(-outwards);
    let mut polygon = ClipPolygon::<8>::new(incident.corners_of_face(face).into_iter());
    of_reference.clip_to_face(&mut polygon, axis);
    let of_reference = 2 * axis as u16 + u16::from(is_negative);
    polygon.manifold(&plane, reference, margin, [of_reference, face])
}

impl OrientedBox {
    /// The axis that separates the two boxes best, a unit vector from `b` to `a`, and the separation along it,
    /// metres. If they overlap, the separation is minus the penetration depth.
    pub fn separation(&self, b: &Self) -> (DVec3, f64) {
        let boxes = BoxPair::new(self, b);
        let (axis, separation) = boxes.choose_axis(f64::INFINITY).best;
        (self.world_from_box.vector(boxes.normal(axis)), separation)
    }

    /// Whether the two boxes share a point; touching counts.
    pub fn overlaps(&self, other: &Self) -> bool {
        BoxPair::new(self, other).choose_axis(0.0).axis.1 <= 0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Rigid;
    use crate::shapes::rotation_by;

    fn cube(centre: DVec3, turn: DVec3) -> OrientedBox {
        OrientedBox {
            world_from_box: Rigid::new(rotation_by(turn), centre),
            half_extents: DVec3::splat(0.5),
        }
    }

    const QUARTER: f64 = std::f64::consts::FRAC_PI_4;

    #[test]
    fn a_crate_on_a_crate_has_four_points_at_the_corners_of_the_overlap() {
        let below = cube(DVec3::ZERO, DVec3::ZERO);
        for (gap, margin) in [(0.0, 0.01), (-0.01, 0.01), (0.005, 0.01), (-0.3, 0.0)] {
            let above = cube(DVec3::new(0.25, 1.0 + gap, 0.0), DVec3::ZERO);
            let manifold = box_box(&above, &below, margin, &mut PairCache::default());
            assert_eq!(manifold.normal, DVec3::Y);
            assert_eq!(manifold.points().len(), 4);
            for point in manifold.points() {
                assert!((point.separation - gap).abs() < 1e-12);
                assert!((point.on_a - point.on_b - DVec3::Y * gap).length() < 1e-12);
                let corner = point.on_b - DVec3::new(0.125, 0.5, 0.0);
                assert!((corner.abs() - DVec3::new(0.375, 0.0, 0.5)).length() < 1e-12);
            }
        }
        let above = cube(DVec3::new(0.25, 1.011, 0.0), DVec3::ZERO);
        assert!(box_box(&above, &below, 0.01, &mut PairCache::default()).is_empty());
    }

    #[test]
    fn crossed_edges_touch_in_one_point() {
        let below = cube(DVec3::ZERO, DVec3::X * QUARTER);
        let diagonal = 2.0_f64.sqrt();
        let above = cube(DVec3::Y * (diagonal - 0.01), DVec3::Z * QUARTER);
        let manifold = box_box(&above, &below, 0.0, &mut PairCache::default());
        assert!((manifold.normal - DVec3::Y).length() < 1e-12);
        assert_eq!(manifold.points().len(), 1);
        let point = manifold.points()[0];
        assert!((point.separation + 0.01).abs() < 1e-12, "{point:?}");
        assert!((point.on_b - DVec3::Y * diagonal * 0.5).length() < 1e-12);
    }

    #[test]
    fn boxes_in_one_place_are_pushed_apart() {
        let manifold = box_box(
            &cube(DVec3::ZERO, DVec3::ZERO),
            &cube(DVec3::ZERO, DVec3::ZERO),
            0.0,
            &mut PairCache::default(),
        );
        assert_eq!(manifold.points().len(), 4);
        assert_eq!(manifold.separation(), -1.0);
    }
}
