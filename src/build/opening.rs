//! Openings: the polygons and transforms of portal meshes.

use glam::{DMat3, DVec3};

use crate::geometry::{ConvexPolygon, PolygonError, Rigid, Triangle, by_coordinates};
use crate::level::{LevelData, RoomId};
use crate::problems::{Mend, ProblemCode, ProblemPlace, Problems};
use crate::source::PortalSource;

/// Maximum distance between a portal's plane or outline and geometry of a room that touches it, metres.
pub(super) const TOUCH: f64 = 2e-3;

/// Maximum deviation of a rotation from an orthogonal matrix. Within this limit, transforming a point there and back
/// moves the point by less than a tenth of a millimetre, even in the largest level.
const ORTHOGONALITY: f64 = 1e-9;

/// The opening of a portal mesh; its destination room may be unknown.
pub(super) struct UnlinkedOpening<'a> {
    pub source: &'a PortalSource,
    pub from: RoomId,
    /// The polygon in coordinates of `from`; its front faces out of `from`.
    pub polygon: ConvexPolygon,
    /// Transforms coordinates of `from` to those of the destination room.
    pub far_from_near: Rigid,
    /// The polygon in coordinates of the destination room; its front faces into that room.
    pub far_polygon: ConvexPolygon,
    /// Whether it can be passed in both directions.
    pub two_way: bool,
    /// The node of the portal at which one arrives, if it is another one and leads back.
    pub arrival: Option<&'a str>,
}

impl<'a> UnlinkedOpening<'a> {
    /// Computes the opening of a portal mesh.
    ///
    /// # Errors
    /// The problem of the portal, with the cure.
    pub(super) fn of(source: &'a PortalSource, origin: DVec3) -> Result<Self, OpeningError> {
        let polygon = polygon_of(source, origin)?;
        let far_from_near = level_transform(&source.far_from_near, origin)?;
        Ok(Self {
            source,
            from: RoomId(source.room as u32),
            far_polygon: polygon.transformed(&far_from_near),
            far_from_near,
            polygon,
            two_way: source.two_way,
            arrival: None,
        })
    }

    /// The opening with front and back exchanged.
    pub(super) fn turned(self) -> Self {
        Self {
            polygon: self.polygon.flipped(),
            far_polygon: self.far_polygon.flipped(),
            ..self
        }
    }
}

/// Reports that a portal was turned because its front faced into its near room.
pub(super) fn report_turned(
    level: &LevelData,
    node: &str,
    (room, centre): (RoomId, DVec3),
    problems: &mut Problems,
) {
    let message = format!(
        "its front faces into its own room `{}`; it was taken the other way round: turn it (Blender: Mesh, Normals, Flip)",
        level.room(room).name
    );
    let place = ProblemPlace::at(level.to_author(centre));
    problems.add_mendable(
        false,
        ProblemCode::PortalBackwards,
        node,
        (Some(place), Some(Mend::TurnPortal(None))),
        || message,
    );
}

/// The reason why a portal mesh has no opening.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpeningError {
    #[error(transparent)]
    Polygon(#[from] PolygonError),
    #[error(
        "its transform is no rotation and translation of finite numbers; make the rotation orthogonal to 1e-9 and leave out mirrors and scales"
    )]
    NotRigid,
}

/// Converts a transform of author's coordinates to one of level coordinates.
fn level_transform(transform: &Rigid, origin: DVec3) -> Result<Rigid, OpeningError> {
    if transform.is_identity() {
        return Ok(Rigid::IDENTITY);
    }
    let rotation = transform.rotation();
    let identity = rotation.transpose() * rotation;
    let translation = transform.point(origin) - origin;
    // These comparisons are false for NaN.
    let is_rigid = identity.abs_diff_eq(DMat3::IDENTITY, ORTHOGONALITY)
        && rotation.determinant() > 0.0
        && translation.is_finite();
    is_rigid
        .then(|| Rigid::new(rotation, translation))
        .ok_or(OpeningError::NotRigid)
}

/// The portal's polygon in level coordinates. Sorts the triangles, so that their order in the file does not change the
/// rounding of the plane.
fn polygon_of(portal: &PortalSource, origin: DVec3) -> Result<ConvexPolygon, PolygonError> {
    let mut triangles: Vec<Triangle> = Vec::with_capacity(portal.triangles.len());
    for corners in &portal.triangles {
        let mut corners = corners.map(|p| (p - origin).as_vec3().as_dvec3() + DVec3::ZERO);
        let least = (0..3).min_by(|&a, &b| by_coordinates(corners[a], corners[b]));
        corners.rotate_left(least.unwrap_or(0));
        triangles.push(Triangle { corners });
    }
    triangles.sort_by(|a, b| {
        (0..3).fold(std::cmp::Ordering::Equal, |order, i| {
            order.then_with(|| by_coordinates(a.corners[i], b.corners[i]))
        })
    });
    let mut polygon = ConvexPolygon::from_triangles(&triangles)?;
    let least = (0..polygon.vertices.len())
        .min_by(|&a, &b| by_coordinates(polygon.vertices[a], polygon.vertices[b]));
    polygon.vertices.rotate_left(least.unwrap_or(0));
    Ok(polygon)
}
