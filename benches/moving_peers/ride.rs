//! Rapier's character in a hall with a mover.

use glam::{DQuat, DVec3};
use opendoor::geometry::Rigid;
use opendoor::level::Track;
use opendoor::motion::TICK_SECS;
use rapier3d::control::{CharacterLength, KinematicCharacterController};
use rapier3d::prelude::*;

/// Radius of the ball, metres. It is that of the peers in the other sections, as are the gap and gravity below.
const RADIUS: f64 = 0.3;
/// Gap between the ball and surfaces, metres.
const OFFSET: f64 = 0.02;
/// Radius of the ball plus its gap, metres.
pub(crate) const RHO: f64 = RADIUS + OFFSET;
/// Acceleration of gravity, m/s2.
const GRAVITY: f64 = 9.81;

/// Corners of a box, metres.
pub(crate) type Corners = [[f64; 3]; 2];

/// Behaviour of a mover at the end of its track.
#[derive(Clone, Copy)]
pub(crate) enum End {
    Shuttle,
    Loop,
    Rest,
}

/// A track, its duration in ticks, and the behaviour at its end.
pub(crate) type Way<'a> = (&'a Track, u32, End);

/// A hall with fixed boxes, the boxes of a mover, and a character.
pub(crate) struct Ride<'a> {
    pub(crate) bodies: RigidBodySet,
    pub(crate) colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    islands: IslandManager,
    pipeline: PhysicsPipeline,
    pub(crate) mover: RigidBodyHandle,
    controller: KinematicCharacterController,
    fixed: Vec<Corners>,
    moving: Vec<Corners>,
    way: Way<'a>,
    /// Ticks since the mover started.
    ticks: u32,
    pub(crate) centre: DVec3,
    /// Upward speed, m/s.
    fall: f64,
    pub(crate) grounded: bool,
    pub(crate) least_gap: f64,
}

impl<'a> Ride<'a> {
    /// Places the character with its feet as high as our character's: its gap above the floor.
    pub(crate) fn new(
        snaps: bool,
        fixed: &[Corners],
        moving: &[Corners],
        way: Way<'a>,
        feet: DVec3,
    ) -> Self {
        let mut bodies = RigidBodySet::new();
        let mut colliders = ColliderSet::new();
        let floor = [[-80.0, -1.0, -80.0], [80.0, 0.0, 80.0]];
        let fixed: Vec<Corners> = fixed.iter().copied().chain([floor]).collect();
        for corners in &fixed {
            colliders.insert(cuboid(corners));
        }
        let mover = bodies.insert(RigidBodyBuilder::kinematic_position_based());
        for corners in moving {
            colliders.insert_with_parent(cuboid(corners), mover, &mut bodies);
        }
        let default = KinematicCharacterController::default();
        let mut ride = Self {
            bodies,
            colliders,
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            islands: IslandManager::new(),
            pipeline: PhysicsPipeline::new(),
            mover,
            controller: KinematicCharacterController {
                offset: CharacterLength::Absolute(OFFSET as f32),
                snap_to_ground: default.snap_to_ground.filter(|_| snaps),
                ..default
            },
            fixed,
            moving: moving.to_vec(),
            way,
            ticks: 0,
            centre: feet + DVec3::Y * RHO,
            fall: 0.0,
            grounded: false,
            least_gap: f64::INFINITY,
        };
        for _ in 0..30 {
            ride.tick_at(Rigid::IDENTITY, DVec3::ZERO, false);
        }
        ride.least_gap = f64::INFINITY;
        ride
    }

    /// The pose of the mover after this number of ticks.
    fn pose(&self, ticks: u32) -> Rigid {
        let (track, length, end) = self.way;
        let at = match end {
            End::Shuttle => {
                let round = ticks % (2 * length);
                round.min(2 * length - round)
            }
            End::Loop => ticks % length,
            End::Rest => ticks.min(length),
        };
        track.pose(f64::from(at) / f64::from(length))
    }

    pub(crate) fn tick(&mut self, wish: DVec3, jump: bool) {
        self.ticks += 1;
        self.tick_at(self.pose(self.ticks), wish, jump);
    }

    pub(crate) fn tick_at(&mut self, pose: Rigid, wish: DVec3, jump: bool) {
        self.bodies[self.mover].set_next_kinematic_position(isometry(&pose));
        self.step();
        self.walk(wish, jump);
    }

    /// Steps the bodies.
    pub(crate) fn step(&mut self) {
        let parameters = IntegrationParameters {
            dt: TICK_SECS as f32,
            ..IntegrationParameters::default()
        };
        self.pipeline.step(
            Vector::ZERO,
            &parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut ImpulseJointSet::new(),
            &mut MultibodyJointSet::new(),
            &mut SoftBodySet::new(),
            &mut CCDSolver::new(),
            &(),
            &(),
        );
    }

    /// Steps the character.
    pub(crate) fn walk(&mut self, wish: DVec3, jump: bool) {
        let dt = TICK_SECS as f32;
        if jump && self.grounded {
            self.fall = (2.0 * GRAVITY).sqrt();
        }
        self.fall -= GRAVITY * TICK_SECS;
        let queries = self.broad_phase.as_query_pipeline(
            self.narrow_phase.query_dispatcher(),
            &self.bodies,
            &self.colliders,
            QueryFilter::default(),
        );
        let wanted = vector((wish + DVec3::Y * self.fall) * TICK_SECS);
        let pose = Pose::from_translation(vector(self.centre));
        let ball = Ball::new(RADIUS as f32);
        let moved = self
            .controller
            .move_shape(dt, &queries, &ball, &pose, wanted, |_| {});
        self.centre += DVec3::from_array(moved.translation.to_array().map(f64::from));
        self.grounded = moved.grounded;
        if moved.grounded && self.fall < 0.0 {
            self.fall = 0.0;
        }
        self.least_gap = self.least_gap.min(self.gap());
    }

    /// Distance from the ball to the nearest box, metres; a negative value is a penetration depth.
    fn gap(&self) -> f64 {
        let on_mover = self.on_mover();
        let fixed = self.fixed.iter().map(|part| apart(self.centre, part));
        let moving = self.moving.iter().map(|part| apart(on_mover, part));
        fixed.chain(moving).fold(f64::INFINITY, f64::min) - RADIUS
    }

    /// Position of the character in coordinates that move with the mover, and equal the room's in its first pose.
    pub(crate) fn on_mover(&self) -> DVec3 {
        self.pose(self.ticks).inverse().point(self.centre)
    }
}

pub(crate) fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.as_vec3().to_array())
}

fn isometry(pose: &Rigid) -> Pose {
    let turn = DQuat::from_mat3(&pose.rotation()).as_quat();
    Pose::from_parts(
        vector(pose.translation()),
        Rotation::from_array(turn.to_array()),
    )
}

fn ends([min, max]: &Corners) -> [DVec3; 2] {
    [min, max].map(|corner| DVec3::from_array(*corner))
}

fn cuboid(corners: &Corners) -> ColliderBuilder {
    let [min, max] = ends(corners);
    let [x, y, z] = ((max - min) * 0.5).as_vec3().to_array();
    ColliderBuilder::cuboid(x, y, z).translation(vector((min + max) * 0.5))
}

/// Distance of a point from a box, negative inside.
fn apart(point: DVec3, corners: &Corners) -> f64 {
    let [min, max] = ends(corners);
    let out = (min - point).max(point - max);
    out.max(DVec3::ZERO).length() + out.max_element().min(0.0)
}
