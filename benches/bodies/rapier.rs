//! The same balls in rapier.

use std::time::Instant;

use glam::DVec3;
use opendoor::rng::Rng;
use rapier3d::prelude::*;

use crate::scenes::{RADIUS, Scene, direction};

fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.as_vec3().to_array())
}

/// Nanoseconds a ball of each of some steps: each room is one mesh, balls bounce perfectly and without friction or
/// gravity, none sleeps.
pub(crate) fn steps(scene: &Scene, speed: f64, count: u32) -> Vec<f64> {
    let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
    let per_room = scene.sketch.source.meshes.len() / scene.corners.len();
    for meshes in scene.sketch.source.meshes.chunks(per_room) {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        for mesh in meshes {
            let first = points.len() as u32;
            points.extend(mesh.positions.iter().map(|point| vector(*point)));
            triangles.extend(
                mesh.triangles
                    .iter()
                    .map(|t| t.map(|corner| first + corner)),
            );
        }
        let room = ColliderBuilder::trimesh(points, triangles).expect("a room has triangles");
        colliders.insert(room.friction(0.0).restitution(1.0));
    }
    let mut rng = Rng::new(7);
    for centre in &scene.centres {
        let body = RigidBodyBuilder::dynamic()
            .translation(vector(*centre))
            .linvel(vector(direction(&mut rng) * speed))
            .can_sleep(false);
        let body = bodies.insert(body);
        let ball = ColliderBuilder::ball(RADIUS as f32);
        colliders.insert_with_parent(ball.friction(0.0).restitution(1.0), body, &mut bodies);
    }
    let parameters = IntegrationParameters {
        dt: 1.0 / 60.0,
        ..IntegrationParameters::default()
    };
    let mut pipeline = PhysicsPipeline::new();
    let mut islands = IslandManager::new();
    let mut broad_phase = BroadPhaseBvh::new();
    let mut narrow_phase = NarrowPhase::new();
    let mut joints = (
        ImpulseJointSet::new(),
        MultibodyJointSet::new(),
        SoftBodySet::new(),
    );
    let mut ccd = CCDSolver::new();
    let mut step = || {
        let start = Instant::now();
        pipeline.step(
            Vector::ZERO,
            &parameters,
            &mut islands,
            &mut broad_phase,
            &mut narrow_phase,
            &mut bodies,
            &mut colliders,
            &mut joints.0,
            &mut joints.1,
            &mut joints.2,
            &mut ccd,
            &(),
            &(),
        );
        start.elapsed().as_nanos() as f64 / scene.centres.len() as f64
    };
    (0..count).map(|_| step()).collect()
}
