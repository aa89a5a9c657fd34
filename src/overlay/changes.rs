//! The overlay that was painted last, to find whether anything has changed.

use glam::DVec3;

use super::contents::OverlayContents;
use super::plan::PlanView;
use crate::level::RoomId;
use crate::world::World;

/// The movement of the eye, metres, after which the plan is painted again; some pixels of the plan.
const STEP: f64 = 0.25;
/// The cosine of the rotation after which the plan is painted again: about two degrees.
const TURN: f64 = 0.9994;

/// The contents painted last; at first nothing, on a picture without pixels.
#[derive(Default)]
pub(super) struct Last {
    size: [u32; 2],
    scale: f32,
    text: String,
    message: String,
    title: String,
    crosshair: bool,
    plan: Option<LastPlan>,
}

struct LastPlan {
    room: RoomId,
    eye: DVec3,
    forward: DVec3,
    tan_half: [f64; 2],
    world: World,
    visible: Vec<RoomId>,
}

impl Last {
    /// Discards the stored contents because something else was painted: the next contents need a repaint.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// Returns whether these contents differ from those painted last and must be painted; if so, stores them as the
    /// last ones.
    pub(super) fn needs_repaint(
        &mut self,
        size: [u32; 2],
        scale: f32,
        contents: &OverlayContents,
    ) -> bool {
        if self.shows(size, scale, contents) {
            return false;
        }
        self.size = size;
        self.scale = scale;
        contents.text.clone_into(&mut self.text);
        contents.message.clone_into(&mut self.message);
        contents.title.clone_into(&mut self.title);
        self.crosshair = contents.crosshair;
        self.plan = contents.plan.as_ref().map(LastPlan::of);
        true
    }

    fn shows(&self, size: [u32; 2], scale: f32, contents: &OverlayContents) -> bool {
        let shows_plan = match (&self.plan, &contents.plan) {
            (Some(last), Some(plan)) => last.shows(plan),
            (last, plan) => last.is_none() && plan.is_none(),
        };
        self.size == size
            && self.scale == scale
            && self.text == contents.text
            && self.message == contents.message
            && self.title == contents.title
            && self.crosshair == contents.crosshair
            && shows_plan
    }
}

impl LastPlan {
    fn of(plan: &PlanView) -> Self {
        Self {
            room: plan.camera.at.room,
            eye: plan.camera.at.point,
            forward: plan.camera.forward(),
            tan_half: plan.camera.tan_half(),
            world: plan.world.clone(),
            visible: plan.visible.iter().map(|seen| seen.room).collect(),
        }
    }

    fn shows(&self, plan: &PlanView) -> bool {
        let camera = plan.camera;
        self.room == camera.at.room
            && self.eye.distance(camera.at.point) < STEP
            && self.forward.dot(camera.forward()) > TURN
            && self.tan_half == camera.tan_half()
            && self.world == *plan.world
            && plan.visible.iter().map(|seen| &seen.room).eq(&self.visible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::author::grid_glb;
    use crate::level::{At, Level, LinkId};
    use crate::load::load_bytes;
    use crate::map::Plan;
    use crate::visibility::{Camera, Visibility, flood};

    const SIZE: [u32; 2] = [640, 360];

    #[test]
    fn unchanged_contents_are_not_painted_again_and_changed_ones_are() {
        let mut last = Last::default();
        let contents = |text, message| OverlayContents {
            text,
            message,
            ..OverlayContents::default()
        };
        for (size, scale, contents) in [
            (SIZE, 1.0, contents("", "")),
            (SIZE, 1.0, contents("a", "")),
            (SIZE, 1.0, contents("a", "b")),
            (SIZE, 1.0, contents("ab", "")),
            ([640, 361], 1.0, contents("ab", "")),
            ([640, 361], 1.5, contents("ab", "")),
            ([640, 361], 1.5, contents("", "")),
            (
                [640, 361],
                1.5,
                OverlayContents {
                    title: "hall",
                    ..OverlayContents::default()
                },
            ),
            (
                [640, 361],
                1.5,
                OverlayContents {
                    crosshair: true,
                    ..OverlayContents::default()
                },
            ),
        ] {
            assert!(last.needs_repaint(size, scale, &contents));
            assert!(!last.needs_repaint(size, scale, &contents));
        }
    }

    /// The plan of a grid of rooms, with the eye starting in the middle of the first room.
    struct PlanWalk {
        last: Last,
        level: Level,
        plan: Plan,
        world: World,
        eye: DVec3,
        yaw: f64,
    }

    impl PlanWalk {
        fn new() -> Self {
            let level = load_bytes("grid", &grid_glb(3, 3)).unwrap().0;
            Self {
                last: Last::default(),
                plan: Plan::of(&level),
                world: World::of(&level),
                eye: level.room(RoomId(0)).bounds.centre(),
                yaw: 0.0,
                level,
            }
        }

        fn is_repainted(&mut self) -> bool {
            let camera = Camera::new(At::new(RoomId(0), self.eye), [self.yaw, 0.0], 70.0, 1.6);
            let mut visibility = Visibility::default();
            flood(&self.level, &self.world, &camera, &mut visibility);
            let contents = OverlayContents {
                plan: Some(PlanView {
                    plan: &self.plan,
                    level: &self.level,
                    world: &self.world,
                    camera: &camera,
                    visible: &visibility.rooms,
                }),
                ..OverlayContents::default()
            };
            self.last.needs_repaint(SIZE, 1.0, &contents)
        }
    }

    #[test]
    fn the_plan_follows_the_eye_in_small_steps_and_the_doors_at_once() {
        let mut walk = PlanWalk::new();
        assert!(walk.is_repainted());
        assert!(!walk.is_repainted());
        walk.yaw += 10.0;
        assert!(walk.is_repainted());
        for link in 0..walk.level.links.len() as u32 {
            walk.world.close(LinkId(link));
        }
        assert!(walk.is_repainted());
        assert!(!walk.is_repainted());
        // Very small steps add up to a repaint.
        let mut painted = 0;
        for _ in 0..500 {
            walk.eye.x += 0.002;
            painted += usize::from(walk.is_repainted());
        }
        assert!((3..=4).contains(&painted), "{painted} times in a metre");
    }
}
