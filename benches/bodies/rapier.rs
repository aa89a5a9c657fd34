//! Rapier simulations of the balls and boxes of the other benches.

use std::time::Instant;

use glam::DVec3;
use opendoor::rng::Rng;
use opendoor::source::BodyShape;
use rapier3d::prelude::*;

use crate::scenes::{self, HALF, HEAP_SURFACE, Kind, PYRAMID_FRICTION, RADIUS, Scene, direction};

fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.as_vec3().to_array())
}

/// Nanoseconds per ball of each of `count` steps. Each room is one mesh, balls bounce perfectly and without friction or
/// gravity, and none sleeps.
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
    let mut simulation = Simulation::new((bodies, colliders), Vector::ZERO);
    let count_of_balls = scene.centres.len() as f64;
    (0..count)
        .map(|_| simulation.step() / count_of_balls)
        .collect()
}

/// Nanoseconds of each of `count` steps of a pyramid of boxes that do not sleep, and the largest displacement of a box,
/// metres. `iterations` replaces rapier's default of 4 solver iterations, which are substeps.
pub(crate) fn pyramid(rows: u32, count: u32, iterations: Option<usize>) -> (Vec<f64>, f64) {
    let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
    let floor = ColliderBuilder::cuboid(200.0, 1.0, 200.0).translation(Vector::new(0.0, -1.0, 0.0));
    colliders.insert(floor.friction(PYRAMID_FRICTION as f32));
    let half = HALF as f32;
    let boxes: Vec<_> = scenes::pyramid(rows)
        .map(|centre| {
            let body = RigidBodyBuilder::dynamic()
                .translation(vector(centre))
                .can_sleep(false);
            let body = bodies.insert(body);
            let shape = ColliderBuilder::cuboid(half, half, half).friction(PYRAMID_FRICTION as f32);
            colliders.insert_with_parent(shape, body, &mut bodies);
            (body, vector(centre))
        })
        .collect();
    let mut simulation = Simulation::new((bodies, colliders), Vector::new(0.0, -9.81, 0.0));
    if let Some(iterations) = iterations {
        simulation.parameters.num_solver_iterations = iterations;
    }
    let times = (0..count).map(|_| simulation.step()).collect();
    let ways = boxes.iter().map(|(body, first)| {
        let way = simulation.bodies[*body].translation() - *first;
        f64::from(way.length())
    });
    let farthest = ways.fold(0.0, f64::max);
    (times, farthest)
}

/// Nanoseconds of each of `steps` steps of a falling heap, and the step from which all bodies sleep.
pub(crate) fn heap(kind: Kind, count: u32, steps: u32) -> (Vec<f64>, Option<u32>) {
    let (mut bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
    let (centres, room) = scenes::heap(count);
    let (friction, room) = (HEAP_SURFACE.0 as f32, room as f32);
    let floor = ColliderBuilder::cuboid(room, 1.0, room).translation(Vector::new(0.0, -1.0, 0.0));
    colliders.insert(floor.friction(friction));
    let sides = [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)];
    for (x, z) in sides {
        let wall = ColliderBuilder::cuboid(room + 1.0, 4.0 * room, room + 1.0);
        let out = 2.0 * room + 1.0;
        let wall = wall.translation(Vector::new(x * out, 4.0 * room, z * out));
        colliders.insert(wall.friction(friction));
    }
    let half = HALF as f32;
    let mut handles = Vec::new();
    for (index, centre) in centres.into_iter().enumerate() {
        let body = RigidBodyBuilder::dynamic().translation(vector(centre));
        let body = bodies.insert(body);
        handles.push(body);
        let shape = match kind.shape(index) {
            BodyShape::Sphere => ColliderBuilder::ball(half),
            BodyShape::Hull => {
                let signs = [-half, half];
                let corners = signs.iter().flat_map(|x| {
                    let along = move |y: &f32| signs.map(|z| Vector::new(*x, *y, z));
                    signs.iter().flat_map(along).collect::<Vec<_>>()
                });
                let corners: Vec<_> = corners.collect();
                ColliderBuilder::convex_hull(&corners).expect("a cube is a hull")
            }
            _ => ColliderBuilder::cuboid(half, half, half),
        };
        let shape = shape.friction(friction).restitution(HEAP_SURFACE.1 as f32);
        colliders.insert_with_parent(shape, body, &mut bodies);
    }
    let mut simulation = Simulation::new((bodies, colliders), Vector::new(0.0, -9.81, 0.0));
    let mut asleep = None;
    let mut times = Vec::new();
    for now in 0..steps {
        times.push(simulation.step());
        let mut all = handles.iter();
        if asleep.is_none() && all.all(|body| simulation.bodies[*body].is_sleeping()) {
            asleep = Some(now);
        }
    }
    (times, asleep)
}

/// The data of a rapier simulation.
struct Simulation {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    gravity: Vector,
    parameters: IntegrationParameters,
    pipeline: PhysicsPipeline,
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
}

impl Simulation {
    fn new((bodies, colliders): (RigidBodySet, ColliderSet), gravity: Vector) -> Self {
        Self {
            bodies,
            colliders,
            gravity,
            parameters: IntegrationParameters {
                dt: 1.0 / 60.0,
                ..IntegrationParameters::default()
            },
            pipeline: PhysicsPipeline::new(),
            islands: IslandManager::new(),
            broad_phase: BroadPhaseBvh::new(),
            narrow_phase: NarrowPhase::new(),
            impulse_joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
        }
    }

    /// Steps once and returns the time of the step, nanoseconds.
    fn step(&mut self) -> f64 {
        let start = Instant::now();
        self.pipeline.step(
            self.gravity,
            &self.parameters,
            &mut self.islands,
            &mut self.broad_phase,
            &mut self.narrow_phase,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &(),
        );
        start.elapsed().as_nanos() as f64
    }
}
