//! Lighting that is updated after changes of links and movers, compared with lighting computed from scratch.

use super::*;
use crate::level::{Drive, Mover, MoverId, Track};
use crate::lighting::irradiance::MIN_CHANGE;
use crate::source::MoverSource;
use crate::world::MoverState;

const TICKS: u32 = 40;

/// Furnished rooms with lamps of both kinds and an indoor sun. Between the rooms are rotating, sliding and vanishing
/// doors, one of which passes light. There are also a lift and a rotating cabin.
fn rooms_with_movers() -> Level {
    let mut source = rooms_source();
    source.lights.push(LightSource {
        node: "inner sun".to_owned(),
        radius: 0.0,
        kind: LightKind::Directional,
        starts_lit: true,
        flicker: 0.0,
        direction: DVec3::new(0.3, -0.5, 0.4).normalize_or_zero(),
        ..source.lights[0].clone()
    });
    let pane = source.materials.len();
    source.materials.push(crate::level::Material {
        base_colour: [1.0, 1.0, 1.0, 0.5],
        alpha: crate::level::Alpha::Blend,
        ..Default::default()
    });
    let turn = |pivot| Track::Turn {
        pivot,
        axis: DVec3::Y,
        angle: 1.5,
    };
    for (i, portal) in source.portals.iter().enumerate().step_by(2) {
        let opening = Aabb::around(portal.triangles.iter().flatten().copied());
        let track = match i % 4 {
            _ if i == 4 => Track::Vanish,
            0 => turn(opening.min),
            _ => Track::Slide(DVec3::Y * 2.0),
        };
        let mut sketch = Sketch::new("door");
        sketch.source.rooms.clone_from(&source.rooms);
        let material = if i % 6 == 2 { pane } else { 0 };
        sketch.furniture(portal.room, material, opening.grown(0.02));
        source.movers.push(MoverSource {
            track,
            ..mover(format!("{i}-door"), sketch)
        });
    }
    let mut sketch = Sketch::new("lift");
    sketch.source.rooms.clone_from(&source.rooms);
    let plate = cuboid([2.5, 0.5, 2.5], [3.5, 0.7, 3.5]);
    sketch.furniture(0, 0, plate);
    source.movers.push(MoverSource {
        is_door: false,
        track: Track::Slide(DVec3::Y * 1.5),
        ..mover("lift-mover".to_owned(), sketch)
    });
    // A cabin with a lamp and a window; it is a room of its own.
    let mut sketch = Sketch { source };
    let around = sketch.source.rooms[0].name.clone();
    let window = cuboid([1.5, 1.0, 1.0], [1.5, 1.75, 1.75]);
    let inside = cuboid([0.75, 0.25, 0.75], [1.5, 2.0, 2.0]);
    let cabin = sketch.box_room("zz-cabin", inside, &[window]);
    sketch.portal(cabin, &around, window, DVec3::X);
    sketch.lamp(cabin, DVec3::new(1.0, 1.75, 1.25), 10.0);
    let mut source = sketch.source;
    source.movers.push(MoverSource {
        is_door: false,
        track: Track::Turn {
            pivot: DVec3::new(2.0, 0.0, 2.0),
            axis: DVec3::Y,
            angle: 2.0,
        },
        moved_rooms: vec![cabin],
        ..mover("zz-cabin-room".to_owned(), Sketch::new("no shell"))
    });
    build(source).expect("the grid is good").0
}

fn mover(node: String, sketch: Sketch) -> MoverSource {
    let drive = Drive {
        ticks: TICKS,
        ..Drive::default()
    };
    MoverSource {
        drive,
        ..MoverSource::vanishing_door(node, sketch.source.meshes)
    }
}

/// Changes one or a few links or movers of the world.
fn change(level: &Level, world: &mut World, mut next: impl FnMut(f64, f64) -> f64) {
    for _ in 0..next(1.0, 4.0) as usize {
        if next(0.0, 1.0) < 0.3 {
            let link = LinkId(next(0.0, level.links.len() as f64) as u32);
            if !world.has_moving_panel(link) {
                toggle(world, link);
            }
        } else {
            let mover = MoverId(next(0.0, level.movers.len() as f64) as u32);
            let tick = (next(-0.5, 1.5) * f64::from(TICKS)).clamp(0.0, f64::from(TICKS));
            if level.mover(mover).track != Track::Vanish {
                world.set(level, mover, MoverState::resting_at(tick as u32));
            }
        }
    }
}

#[test]
fn each_step_that_follows_links_and_movers_is_the_same_as_from_scratch() {
    let level = rooms_with_movers();
    let count = |is: fn(&Mover) -> bool| level.movers.iter().filter(|mover| is(mover)).count();
    assert!(count(|mover| mover.link.is_some()) > 5);
    assert!(count(|mover| mover.see_through) > 0);
    assert_eq!(count(|mover| mover.track == Track::Vanish), 1);
    let mut next = scattered(31);
    let mut world = World::of(&level);
    let mut followed = Lighting::new(&level, &world, flat(&level));
    for _ in 0..150 {
        change(&level, &mut world, &mut next);
        followed.update(&level, &world);
        assert_as_from_scratch(&level, &world, &followed);
    }
    assert!(!followed.update(&level, &world), "nothing moved");
}

#[test]
fn where_a_lift_moves_only_maps_that_it_is_in_change_and_no_ambient_irradiance() {
    let level = rooms_with_movers();
    let lift = MoverId(
        level
            .movers
            .iter()
            .position(|m| m.link.is_none())
            .expect("it is there") as u32,
    );
    let mut world = World::of(&level);
    let mut lighting = Lighting::new(&level, &world, flat(&level));
    let before = lighting.clone();
    world.set(&level, lift, MoverState::resting_at(3));
    assert!(lighting.update(&level, &world));
    let maps = before.lists.shadows.iter().zip(&lighting.lists.shadows);
    let drawn_again = maps.filter(|(was, is)| was.shadow != is.shadow).count();
    let count = before.lists.shadows.len();
    assert!(
        (1..count).contains(&drawn_again),
        "{drawn_again} of {count}"
    );
    assert_eq!(before.ambient, lighting.ambient);
    assert_eq!(before.texels.revision, lighting.texels.revision);
}

#[test]
fn buffers_of_lists_do_not_grow_without_bound() {
    let level = rooms_with_movers();
    let mut next = scattered(41);
    let mut world = World::of(&level);
    let mut followed = Lighting::new(&level, &world, flat(&level));
    let lengths = |lists: &LightLists| [lists.lights.len(), lists.clip_planes.len()];
    let at_first = lengths(&followed.lists);
    for _ in 0..300 {
        change(&level, &mut world, &mut next);
        followed.update(&level, &world);
    }
    let at_last = lengths(&followed.lists);
    for (first, last) in at_first.into_iter().zip(at_last) {
        assert!(last <= 4 * first, "{at_first:?}, {at_last:?}");
    }
}

#[test]
fn texels_that_follow_movers_stay_near_those_from_scratch() {
    let level = rooms_with_movers();
    let lightmap = lightmap::bake(&level, lightmap::LightmapQuality::COARSE, &|_| {});
    let mut next = scattered(51);
    let mut world = World::of(&level);
    let mut followed = Lighting::new(&level, &world, lightmap.clone());
    for _ in 0..40 {
        change(&level, &mut world, &mut next);
        followed.update(&level, &world);
    }
    let again = Lighting::new(&level, &world, lightmap);
    assert!(worst_texel(&followed, &again) < 4.0 * MIN_CHANGE);
}
