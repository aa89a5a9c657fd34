//! The two-pass loop, velocity then gravity, on anything that can cast a sphere.

use glam::DVec3;
use opendoor::motion::{State, TICK_SECS};

use crate::controller::Controller;
use opendoor_benches::walk::BODY;

/// Gap to surfaces, metres, as large as our character's.
pub(crate) const SKIN: f64 = 0.01 * BODY.radius;

/// Maximum number of casts of one pass.
const MAX_CASTS: usize = 5;

/// Minimum upward component of a surface's normal (the cosine of 50 degrees) at which the surface ends the gravity
/// pass, as friction does.
const GROUND_NORMAL_Y: f64 = 0.643;

/// Casts the sphere of [`BODY`] grown by [`SKIN`].
pub(crate) trait SphereCast {
    /// Push along the normal after a hit, metres, so that a rounded cast does not hit the same surface again.
    const NUDGE: f64;

    /// The distance that the sphere moves from `centre` along `direction` (unit) before it hits something, metres, and
    /// the unit normal there, towards the sphere; `None` if it moves `length` metres.
    fn cast(&self, centre: DVec3, direction: DVec3, length: f64) -> Option<(f64, DVec3)>;
}

/// A character that slides.
pub(crate) struct Slider<C> {
    scene: C,
    centre: DVec3,
    /// Velocity accumulated while falling, m/s.
    fall: DVec3,
}

impl<C: SphereCast> Slider<C> {
    pub(crate) fn new(scene: C) -> Self {
        Self {
            scene,
            centre: DVec3::ZERO,
            fall: DVec3::ZERO,
        }
    }

    /// Moves for a tick and returns the remaining velocity. With `stop_on_ground` a hit on the ground ends the motion,
    /// and the velocity is zero.
    fn slide(&mut self, wanted: DVec3, stop_on_ground: bool) -> DVec3 {
        let mut velocity = wanted;
        let mut left_secs = TICK_SECS;
        let mut normals = [DVec3::ZERO; MAX_CASTS];
        for met in 0..MAX_CASTS {
            let speed = velocity.length();
            if speed * left_secs < 1e-9 {
                break;
            }
            let direction = velocity / speed;
            let hit = self.scene.cast(self.centre, direction, speed * left_secs);
            let Some((distance, normal)) = hit else {
                self.centre += velocity * left_secs;
                break;
            };
            self.centre += direction * distance + normal * C::NUDGE;
            left_secs -= distance / speed;
            if stop_on_ground && normal.y >= GROUND_NORMAL_Y {
                return DVec3::ZERO;
            }
            normals[met] = normal;
            velocity = along(wanted, &normals[..=met]);
        }
        velocity
    }
}

/// The velocity projected onto the planes: onto one of them, or along the crease of two, or zero.
fn along(wanted: DVec3, normals: &[DVec3]) -> DVec3 {
    let is_free = |v: DVec3| normals.iter().all(|n| v.dot(*n) > -1e-9);
    for (i, a) in normals.iter().enumerate() {
        let on_plane = wanted - *a * wanted.dot(*a).min(0.0);
        if is_free(on_plane) {
            return on_plane;
        }
        for b in &normals[..i] {
            if let Some(crease) = a.cross(*b).try_normalize() {
                let on_crease = crease * wanted.dot(crease);
                if is_free(on_crease) {
                    return on_crease;
                }
            }
        }
    }
    DVec3::ZERO
}

impl<C: SphereCast> Controller for Slider<C> {
    fn put(&mut self, state: &State) {
        self.centre = state.at.point;
        self.fall = state.fall;
    }

    fn tick(&mut self, wish: DVec3) {
        self.slide(wish, false);
        self.fall.y -= BODY.gravity * TICK_SECS;
        self.fall = self.slide(self.fall, true);
    }

    fn centre(&self) -> DVec3 {
        self.centre
    }
}
