//! Rigid bodies made in code.

use std::f64::consts::{PI, TAU};
use std::ops::RangeInclusive;

use glam::{DMat3, DQuat, DVec3, DVec4, Vec3};

use super::{BuilderError, BuilderShape, LevelBuilder, MaterialKey, RoomKey, meshes};
use crate::geometry::Rigid;
use crate::shapes::{Hull, HullError, Shape as Solid};
use crate::source::{BodyShape, BodySource, MeshSource, SpawnerSource, Spawning};

/// Number of sides of a drawn ball. A multiple of 4, so that the outermost corners lie on the ball's axes.
const SIDES: u32 = 24;
/// Number of rings of a drawn ball from pole to pole, also a multiple of 4.
const RINGS: u32 = 12;

/// A rigid body for [`LevelBuilder::body`]: a shape around a position. By default its mass is that of wood with its
/// volume, and its friction and restitution are those of its material.
#[derive(Clone, Debug, PartialEq)]
pub struct BuilderBody {
    form: Form,
    place: DVec3,
    turn: DQuat,
    mass: Option<f64>,
    friction: Option<f64>,
    bounce: Option<f64>,
    spawning: Option<Spawning>,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    Ball { radius: f64 },
    Capsule { radius: f64, segment_length: f64 },
    Cuboid { size: DVec3 },
    Hull { points: Vec<DVec3> },
    Solid { shape: BuilderShape },
}

impl BuilderBody {
    /// A ball around its position. The radius is in metres.
    pub fn ball(radius: f64) -> Self {
        Self::of(Form::Ball { radius })
    }

    /// A capsule along y around its position. `segment_length` is the distance between the centres of its round ends;
    /// both lengths are in metres.
    pub fn capsule(radius: f64, segment_length: f64) -> Self {
        Self::of(Form::Capsule {
            radius,
            segment_length,
        })
    }

    /// A box around its position. The size is in metres along each axis.
    pub fn cuboid(size: DVec3) -> Self {
        Self::of(Form::Cuboid { size })
    }

    /// The convex hull of points, which are relative to the body's position. Coordinates are in metres.
    pub fn hull(points: &[DVec3]) -> Self {
        let points = points.to_vec();
        Self::of(Form::Hull { points })
    }

    /// A solid of any closed shape, which is relative to the body's position. Costs more time than a hull.
    pub fn solid(shape: &BuilderShape) -> Self {
        let shape = shape.clone();
        Self::of(Form::Solid { shape })
    }

    fn of(form: Form) -> Self {
        Self {
            form,
            place: DVec3::ZERO,
            turn: DQuat::IDENTITY,
            mass: None,
            friction: None,
            bounce: None,
            spawning: None,
        }
    }

    /// Sets the initial position, author's coordinates. The shape's origin is placed there.
    #[must_use]
    pub fn at(mut self, place: DVec3) -> Self {
        self.place = place;
        self
    }

    /// Sets the initial rotation about the position. The quaternion may have any length except 0.
    #[must_use]
    pub fn turned(mut self, turn: DQuat) -> Self {
        self.turn = turn;
        self
    }

    /// Sets the mass, kilograms. Valid: 1e-6..=1e9.
    #[must_use]
    pub fn with_mass(mut self, kilograms: f64) -> Self {
        self.mass = Some(kilograms);
        self
    }

    /// Sets the Coulomb friction coefficient. Valid: 0..=100. A contact uses the geometric mean of the coefficients of
    /// both surfaces.
    #[must_use]
    pub fn with_friction(mut self, coefficient: f64) -> Self {
        self.friction = Some(coefficient);
        self
    }

    /// Sets the coefficient of restitution. Valid: 0..=1. A contact uses the larger coefficient of both surfaces.
    #[must_use]
    pub fn with_bounce(mut self, coefficient: f64) -> Self {
        self.bounce = Some(coefficient);
        self
    }

    /// Turns the body into a spawner: copies of the body appear at its position one after another, and none is there at
    /// first.
    #[must_use]
    pub fn spawned(mut self, spawning: Spawning) -> Self {
        self.spawning = Some(spawning);
        self
    }
}

impl LevelBuilder {
    /// Adds a rigid body, which falls, collides and sleeps while a game ticks.
    ///
    /// ```
    /// use opendoor::game::{Game, Input};
    /// use opendoor::glam::DVec3;
    /// use opendoor::author::builder::{BuilderBody, BuilderShape, LevelBuilder, RoomMaterials};
    /// use opendoor::level::{BodyId, Material};
    /// use opendoor::build::build;
    ///
    /// let mut builder = LevelBuilder::new("hall");
    /// let rubber = builder.material(Material::default());
    /// let inside = BuilderShape::cuboid(DVec3::ZERO, DVec3::new(6.0, 3.0, 4.0));
    /// let hall = builder.room("hall", &inside, RoomMaterials::all(rubber))?;
    /// builder.spawn(hall, "player", DVec3::new(1.0, 0.0, 2.0), DVec3::X)?;
    /// let ball = BuilderBody::ball(0.25).at(DVec3::new(4.0, 2.0, 2.0)).with_mass(0.5);
    /// builder.body(hall, "ball", &ball, rubber)?;
    /// let (level, _) = build(builder.source())?;
    /// let mut game = Game::new(&level)?;
    /// for _ in 0..120 {
    ///     game.tick(&level, &[Input::default()]);
    /// }
    /// let place = game.world().bodies.state(BodyId(0)).at.point;
    /// assert!((level.to_author(place).0.y - 0.25).abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the name is in use or invalid, the shape has no volume or is not closed, a number is out of its range, or a key
    /// belongs to another builder.
    pub fn body(
        &mut self,
        room: RoomKey,
        name: &str,
        body: &BuilderBody,
        material: MaterialKey,
    ) -> Result<(), BuilderError> {
        let room = self.room_index(room, name)?;
        let material = self.material_index(material, name)?;
        let check = |what, value: Option<f64>, range| match value {
            Some(value) => check_range(name, what, value, range).map(Some),
            None => Ok(None),
        };
        let mass = check("mass", body.mass, BodySource::MASS)?;
        let friction = check("friction", body.friction, BodySource::FRICTION)?;
        let bounce = check("bounce", body.bounce, BodySource::BOUNCE)?;
        let turn = DVec4::from(body.turn).try_normalize();
        let turn = turn.filter(|_| body.place.is_finite());
        let turn = turn.ok_or_else(|| BuilderError::NonFinite {
            node: name.to_owned(),
        })?;
        let axes = DMat3::from_quat(DQuat::from_vec4(turn));
        let placed = Rigid::new(axes, body.place);
        if let Some(spawning) = &body.spawning {
            let count = f64::from(spawning.count);
            check_range(name, "count", count, Spawning::COUNT)?;
            check_range(name, "speed", spawning.speed, Spawning::SPEED)?;
        }
        let ending = body.spawning.map_or("body", |_| "spawner");
        let node = format!("{name}-{ending}");
        let (shape, meshes) = body.form.meshes((name, &node), room, material, &placed)?;
        let node = self.take_name(name, ending)?;
        self.parts
            .spawners
            .extend(body.spawning.map(|spawning| SpawnerSource {
                node: node.clone(),
                spawning,
            }));
        self.parts.bodies.push(BodySource {
            node,
            meshes,
            shape,
            axes,
            mass,
            friction,
            bounce,
        });
        Ok(())
    }
}

impl Form {
    /// The meshes of a form: the drawn one and the solid one.
    fn meshes(
        &self,
        (name, node): (&str, &str),
        room: usize,
        material: usize,
        placed: &Rigid,
    ) -> Result<(BodyShape, Vec<MeshSource>), BuilderError> {
        let round = |radius: f64, segment_length: f64| {
            vec![MeshSource {
                room,
                node: node.into(),
                material,
                ..round(radius, 0.5 * segment_length, placed)
            }]
        };
        let closed = |shape: BuilderShape| {
            let faces = shape.moved(placed).faces(name, false)?;
            let faces = faces.into_iter().map(|face| (face, material)).collect();
            Ok(meshes(room, node, faces))
        };
        Ok(match self {
            Self::Ball { radius } => {
                check_range(name, "radius", *radius, SIZE)?;
                (BodyShape::Sphere, round(*radius, 0.0))
            }
            Self::Capsule {
                radius,
                segment_length,
            } => {
                check_range(name, "radius", *radius, SIZE)?;
                check_range(name, "segment length", *segment_length, SIZE)?;
                (BodyShape::Capsule, round(*radius, *segment_length))
            }
            Self::Cuboid { size } => {
                for along in size.to_array() {
                    check_range(name, "size", along, SIZE)?;
                }
                let half = *size * 0.5;
                (BodyShape::Box, closed(BuilderShape::cuboid(-half, half))?)
            }
            Self::Hull { points } => {
                let hull = Hull::of_points(points).map_err(|error| match error {
                    HullError::NotFinite => BuilderError::NonFinite {
                        node: name.to_owned(),
                    },
                    error => BuilderError::Hull {
                        node: name.to_owned(),
                        error,
                    },
                })?;
                let faces = Solid::Hull(hull).triangles();
                let faces = faces.iter().map(|face| face.corners.to_vec()).collect();
                (BodyShape::Hull, closed(BuilderShape::polygons(faces))?)
            }
            Self::Solid { shape } => (BodyShape::Mesh, closed(shape.clone())?),
        })
    }
}

/// Valid sizes of a body, metres. A smaller one has no volume, and a larger one is a mistake.
const SIZE: RangeInclusive<f64> = 1e-4..=1e4;

fn check_range(
    name: &str,
    what: &'static str,
    value: f64,
    range: RangeInclusive<f64>,
) -> Result<f64, BuilderError> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(BuilderError::BodyNumber {
        node: name.to_owned(),
        what,
        value,
        range,
    })
}

/// The surface of a ball, or of a capsule along y. `half` is half the distance between the centres of the round ends.
/// The caller sets its room and material.
fn round(radius: f64, half: f64, placed: &Rigid) -> MeshSource {
    // The widest ring exists twice, once at each end of a capsule's straight part.
    let lower = (0..=RINGS / 2).map(|ring| (ring, -half));
    let upper = (RINGS / 2..=RINGS).map(|ring| (ring, half));
    let rings: Vec<(u32, f64)> = match half > 0.0 {
        true => lower.chain(upper).collect(),
        false => (0..=RINGS).map(|ring| (ring, 0.0)).collect(),
    };
    let last = rings.len() as u32 - 1;
    let (mut directions, mut positions) = (Vec::new(), Vec::new());
    for (ring, height) in rings {
        let (sin_ring, cos_ring) = libm::sincos(PI * f64::from(ring) / f64::from(RINGS));
        for side in 0..SIDES {
            let (sin, cos) = libm::sincos(TAU * f64::from(side) / f64::from(SIDES));
            let direction = DVec3::new(sin_ring * sin, -cos_ring, sin_ring * cos);
            directions.push(direction);
            positions.push(placed.point(direction * radius + DVec3::Y * height));
        }
    }
    let mut triangles = Vec::new();
    for ring in 0..last {
        for side in 0..SIDES {
            let next = (side + 1) % SIDES;
            let [a, b] = [side, next].map(|side| ring * SIDES + side);
            let [d, c] = [side, next].map(|side| (ring + 1) * SIDES + side);
            // At the poles one of the two triangles is degenerate.
            if ring > 0 {
                triangles.push([a, b, c]);
            }
            if ring + 1 < last {
                triangles.push([a, c, d]);
            }
        }
    }
    let normals = directions.iter().map(|d| placed.vector(*d).as_vec3());
    MeshSource {
        room: 0,
        node: "".into(),
        positions,
        normals: normals.map(|n| n.normalize_or(Vec3::Y)).collect(),
        tangents: Vec::new(),
        uvs: [Vec::new(), Vec::new()],
        colours: Vec::new(),
        triangles,
        material: 0,
        drawn: true,
        solid: true,
    }
}
