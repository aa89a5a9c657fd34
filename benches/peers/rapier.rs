//! Rapier's kinematic character controller.

use glam::DVec3;
use opendoor::motion::{State, TICK_SECS};
use rapier3d::control::{CharacterLength, KinematicCharacterController};
use rapier3d::prelude::*;

use crate::casts::vector;
use crate::controller::Controller;
use crate::scenes::Scene;
use crate::slide::SKIN;
use opendoor_benches::walk::BODY;

/// A scene of one trimesh collider per room, with a character.
pub(crate) struct Rapier {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    controller: KinematicCharacterController,
    ball: Ball,
    pose: Pose,
    /// Velocity accumulated while falling, m/s.
    fall: f32,
}

impl Rapier {
    pub(crate) fn new(scene: &Scene) -> Self {
        let mut colliders = ColliderSet::new();
        for mesh in scene.meshes() {
            let points = mesh.points.iter().map(|p| Vector::from_array(p.to_array()));
            let collider = ColliderBuilder::trimesh(points.collect(), mesh.triangles);
            colliders.insert(collider.expect("a room has triangles"));
        }
        let mut rapier = Self {
            bodies: RigidBodySet::new(),
            colliders,
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            controller: KinematicCharacterController {
                offset: CharacterLength::Absolute(SKIN as f32),
                autostep: None,
                snap_to_ground: None,
                max_slope_climb_angle: 80f32.to_radians(),
                ..KinematicCharacterController::default()
            },
            ball: Ball::new(BODY.radius as f32),
            pose: Pose::IDENTITY,
            fall: 0.0,
        };
        // Queries find the colliders only after a step.
        CollisionPipeline::new().step(
            0.0,
            &mut IslandManager::new(),
            &mut rapier.broad_phase,
            &mut rapier.narrow_phase,
            &mut rapier.bodies,
            &mut rapier.colliders,
            &(),
            &(),
        );
        rapier
    }
}

impl Controller for Rapier {
    fn put(&mut self, state: &State) {
        self.pose = Pose::from_translation(vector(state.at.point));
        self.fall = state.fall.y as f32;
    }

    fn tick(&mut self, wish: DVec3) {
        let dt = TICK_SECS as f32;
        self.fall -= BODY.gravity as f32 * dt;
        let queries = self.broad_phase.as_query_pipeline(
            self.narrow_phase.query_dispatcher(),
            &self.bodies,
            &self.colliders,
            QueryFilter::default(),
        );
        let wanted = (vector(wish) + Vector::Y * self.fall) * dt;
        let moved =
            self.controller
                .move_shape(dt, &queries, &self.ball, &self.pose, wanted, |_| {});
        self.pose.translation += moved.translation;
        if moved.grounded {
            self.fall = 0.0;
        }
    }

    fn centre(&self) -> DVec3 {
        DVec3::from_array(self.pose.translation.to_array().map(f64::from))
    }
}
