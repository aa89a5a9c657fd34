//! The openings that portal meshes make.

use glam::{DMat3, DVec3};

use crate::geometry::{ConvexPolygon, PolygonError, Rigid, Triangle, by_coordinates};
use crate::level::mend::Mend;
use crate::level::{LevelData, PortalSource, ProblemCode, ProblemPlace, Problems, RoomId};

/// Parts of a room nearer than this to a portal's plane or outline touch it, metres.
pub(super) const TOUCH: f64 = 2e-3;

/// A rotation differs from an orthogonal one by less: over the largest level, the way there and back
/// is off by less than a tenth of a millimetre.
const ORTHOGONALITY: f64 = 1e-9;

/// A portal mesh whose polygon is known but not yet where it leads.
pub(super) struct Opening<'a> {
    pub source: &'a PortalSource,
    pub from: RoomId,
    /// In coordinates of `from`, its front out of it.
    pub polygon: ConvexPolygon,
    /// Takes coordinates of `from` to those of the room that it leads to.
    pub far_from_near: Rigid,
    /// The polygon in coordinates of the room that it leads to, its front into that room.
    pub far_polygon: ConvexPolygon,
}

impl<'a> Opening<'a> {
    /// # Errors
    /// What is wrong with the portal, with the cure.
    pub(super) fn of(source: &'a PortalSource, origin: DVec3) -> Result<Self, OpeningError> {
        let polygon = polygon_of(source, origin)?;
        let far_from_near = level_transform(&source.far_from_near, origin)?;
        Ok(Self {
            source,
            from: RoomId(source.room as u32),
            far_polygon: polygon.transformed(&far_from_near),
            far_from_near,
            polygon,
        })
    }

    /// Seen from its other side.
    pub(super) fn turned(self) -> Self {
        Self {
            polygon: self.polygon.flipped(),
            far_polygon: self.far_polygon.flipped(),
            ..self
        }
    }
}

/// Says of a portal around a point that it was turned round, since its front faces into the room that it leaves.
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

/// Why a portal mesh makes no opening.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpeningError {
    #[error(transparent)]
    Polygon(#[from] PolygonError),
    #[error(
        "its transform is no rotation and translation of finite numbers; make the rotation orthogonal to 1e-9 and leave out mirrors and scales"
    )]
    NotRigid,
}

/// A transform between author's coordinates, in those of the level.
fn level_transform(transform: &Rigid, origin: DVec3) -> Result<Rigid, OpeningError> {
    if transform.is_identity() {
        return Ok(Rigid::IDENTITY);
    }
    let rotation = transform.rotation();
    let identity = rotation.transpose() * rotation;
    let translation = transform.point(origin) - origin;
    // NaN is in none of these.
    let is_rigid = identity.abs_diff_eq(DMat3::IDENTITY, ORTHOGONALITY)
        && rotation.determinant() > 0.0
        && translation.is_finite();
    is_rigid
        .then(|| Rigid::new(rotation, translation))
        .ok_or(OpeningError::NotRigid)
}

/// The portal's polygon in level coordinates. Triangles are put into an order of their own, so
/// that the plane's rounding does not depend on the file's.
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
