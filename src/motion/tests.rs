//! What a player sees: walls, floors, corners, slopes, portals.

use glam::{DMat3, DVec3};
use proptest::prelude::*;

use super::*;
use crate::level::sketch::{Sketch, cuboid};
use crate::level::{Material, build};

const BODY: Body = Body {
    radius: 0.3,
    axis: 0.0,
    gravity: 9.81,
    jump_height: 1.0,
    acceleration: 1e9,
    gait: Gait::PURE,
};
const RHO: f64 = 0.3 * 1.01;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// A big room with the given solids in it, the floor at y = 0.
fn arena(solids: &[[DVec3; 3]], material: Material) -> Level {
    let mut sketch = Sketch::new("arena");
    let room = sketch.box_room("arena", cuboid([-60., 0., -60.], [60., 60., 60.]), &[]);
    let material = sketch.material(material);
    sketch.mesh(room, material, solids);
    sketch.spawn(room, v(0., 1., 30.), DVec3::X);
    let (level, _) = build(sketch.source).unwrap();
    level
}

/// A wall through `at`, 8 m high and `half` metres long both ways, facing `normal`.
fn wall(at: DVec3, normal: DVec3, half: f64) -> [[DVec3; 3]; 2] {
    let side = DVec3::Y.cross(normal).try_normalize().unwrap() * half;
    let (low, high) = (at - DVec3::Y * 4., at + DVec3::Y * 4.);
    let [a, b, c, d] = [low - side, low + side, high + side, high - side];
    [[a, b, c], [a, c, d]]
}

struct Walker<'a> {
    level: &'a Level,
    open: OpenLinks,
    scope: Scope,
    body: Body,
    state: State,
    scratch: Scratch,
    min_gap: f64,
}

impl<'a> Walker<'a> {
    fn at(level: &'a Level, centre: DVec3) -> Self {
        let open = OpenLinks::of(level);
        let mut scratch = Scratch::default();
        let world = World {
            level,
            open: &open,
            scope: Scope::Portals,
        };
        let feet = centre - DVec3::Y * BODY.radius;
        let state = place(&world, &BODY, feet, false, &mut scratch).expect("in a room");
        Self {
            level,
            open,
            scope: Scope::Portals,
            body: BODY,
            state,
            scratch,
            min_gap: f64::INFINITY,
        }
    }

    fn tick(&mut self, wish: DVec3, jump: bool) {
        let world = World {
            level: self.level,
            open: &self.open,
            scope: self.scope,
        };
        let command = Command { wish, jump };
        let before = self.state;
        tick(
            &world,
            &self.body,
            &mut self.state,
            &command,
            &mut self.scratch,
        );
        assert!(self.state.centre.is_finite());
        let mut end = (before.room, before.centre);
        for &(room, from, to) in &self.scratch.path {
            let gap = clearance(&world, room, [from, to], 0.0, 1.0) - self.body.radius;
            self.min_gap = self.min_gap.min(gap);
            assert!(gap > 0.0, "gap {gap} from {from} to {to}");
            end = (room, to);
        }
        let _ = end;
    }

    fn walk(&mut self, wish: DVec3, ticks: usize) {
        for _ in 0..ticks {
            self.tick(wish, false);
        }
    }
}

#[test]
fn a_body_rests_on_the_floor_with_its_gap_and_does_not_move_again() {
    let level = arena(&[], Material::default());
    let mut walker = Walker::at(&level, v(1.3, 2.0, 0.7));
    walker.walk(DVec3::ZERO, 120);
    let rest = walker.state.centre;
    assert!((rest - v(1.3, RHO, 0.7)).length() < 1e-6, "{rest}");
    assert!(walker.state.grounded);
    walker.walk(DVec3::ZERO, 3600);
    assert!((walker.state.centre - rest).length() < 1e-9);
}

#[test]
fn a_fall_at_any_speed_ends_on_a_thin_floor() {
    let plate = cuboid([-20., 9.99, -20.], [20., 10., 20.]);
    for speed in [1.0, 100.0, 1e4, 1e5] {
        let mut sketch = Sketch::new("plate");
        let room = sketch.box_room("r", cuboid([-60., 0., -60.], [60., 60., 60.]), &[]);
        sketch.furniture(room, 0, plate);
        sketch.spawn(room, v(30., 1., 30.), DVec3::X);
        let (level, _) = build(sketch.source).unwrap();
        let mut walker = Walker::at(&level, v(0.1, 40.0, 0.2));
        walker.state.fall = DVec3::NEG_Y * speed;
        walker.walk(DVec3::ZERO, 400);
        assert!(
            (walker.state.centre.y - 10.0 - RHO).abs() < 1e-6,
            "{}",
            walker.state.centre
        );
    }
}

#[test]
fn walls_are_slid_along_at_the_cosine_of_the_angle() {
    for degrees in [0.5, 10.0, 15.0, 30.0, 45.0, 60.0, 75.0, 85.0_f64] {
        let angle = degrees.to_radians();
        // 200 flush pieces, so that inner edges would be felt.
        let mut pieces = Vec::new();
        for i in -50..50 {
            let at = v(f64::from(i) * 0.4, 4.0, 0.0);
            pieces.extend(wall(at, DVec3::Z, 0.2));
        }
        let level = arena(&pieces, Material::default());
        let mut walker = Walker::at(&level, v(-15.0, RHO, RHO + 0.05));
        let wish = v(4.0 * angle.cos(), 0.0, -4.0 * angle.sin());
        // Until it touches, then two seconds along the wall.
        while walker.state.centre.z > RHO + 1e-6 {
            walker.walk(wish, 1);
        }
        let start = walker.state.centre;
        walker.walk(wish, 120);
        let end = walker.state.centre;
        assert!(
            (end.x - start.x - 8.0 * angle.cos()).abs() < 1e-4,
            "{degrees}: {start} {end}"
        );
        assert!(
            (end.z - RHO).abs() < 1e-6 && (end.y - RHO).abs() < 1e-6,
            "{degrees}: {end}"
        );
    }
}

#[test]
fn an_acute_corner_stops_the_body_without_a_tremble() {
    for degrees in [10.0, 30.0, 60.0_f64] {
        let half = (degrees * 0.5).to_radians();
        let (sin, cos) = half.sin_cos();
        let mut walls = Vec::new();
        for side in [-1.0, 1.0] {
            let normal = v(-sin, 0.0, -side * cos);
            let along = v(-cos, 0.0, side * sin);
            walls.extend(wall(along * 5.0 + DVec3::Y * 4.0, normal, 5.0));
        }
        let level = arena(&walls, Material::default());
        for off in [0.0, 10.0_f64] {
            let mut walker = Walker::at(&level, v(-5.0, RHO, 0.0));
            let wish = v(
                4.0 * off.to_radians().cos(),
                0.0,
                4.0 * off.to_radians().sin(),
            );
            walker.walk(wish, 240);
            let before = walker.state.centre;
            walker.walk(wish, 60);
            let end = walker.state.centre;
            assert!(
                (end - v(-RHO / sin, RHO, 0.0)).length() < 1e-5,
                "{degrees} {off}: {end}"
            );
            assert!((end - before).length() < 1e-5);
        }
    }
}

#[test]
fn under_a_sloping_ceiling_the_body_stops_and_slides_along_the_crease() {
    let angle = 30.0_f64.to_radians();
    let normal = v(-angle.sin(), -angle.cos(), 0.0);
    let along = v(-angle.cos(), angle.sin(), 0.0);
    let z = v(0.0, 0.0, 40.0);
    let [a, b, c, d] = [-z, z, along * 20.0 + z, along * 20.0 - z];
    let mut ceiling = vec![[a, b, c], [a, c, d]];
    if (b - a).cross(c - a).dot(normal) < 0.0 {
        ceiling.iter_mut().for_each(|t| t.swap(1, 2));
    }
    let level = arena(&ceiling, Material::default());
    let mut walker = Walker::at(&level, v(-4.0, RHO, 0.0));
    walker.walk(v(4.0, 0.0, 1.0), 240);
    let stop = -RHO / (angle * 0.5).tan();
    let end = walker.state.centre;
    assert!((end - v(stop, RHO, 4.0)).length() < 1e-4, "{end} {stop}");
}

/// A slope of `degrees` that rises towards +x from x = 0, far to both sides.
fn slope(degrees: f64) -> [[DVec3; 3]; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let up = v(cos, sin, 0.0) * 50.0;
    let z = v(0.0, 0.0, 50.0);
    [[-z, z, up + z], [-z, up + z, up - z]]
}

#[test]
fn shallow_slopes_hold_a_body_and_steep_ones_let_it_slip_as_coulomb_says() {
    for (degrees, friction) in [
        (10.0, 0.7),
        (30.0, 0.7),
        (40.0, 0.7),
        (20.0, 0.3),
        (50.0, 1.2),
        (10.0, 0.0),
    ] {
        let material = Material {
            friction,
            ..Material::default()
        };
        let level = arena(&slope(degrees), material);
        let (sin, cos) = f64::to_radians(degrees).sin_cos();
        let on = v(30.0 * cos, 30.0 * sin, 0.0) + v(-sin, cos, 0.0) * (RHO + 1e-9);
        let mut walker = Walker::at(&level, on);
        let slips = sin / cos > friction;
        if slips {
            walker.walk(DVec3::ZERO, 60);
            let moved = (walker.state.centre - on).length();
            let expected = 0.5 * 9.81 * (sin - friction * cos);
            assert!(
                (moved - expected).abs() < 0.02 * expected,
                "{degrees}: {moved} {expected}"
            );
        } else {
            walker.walk(DVec3::ZERO, 3600);
            let moved = (walker.state.centre - on).length();
            assert!(moved < 1e-6, "{degrees}: crept {moved}");
            assert!(walker.state.grounded);
        }
    }
}

#[test]
fn a_jump_is_a_metre_high_and_only_from_the_ground() {
    let level = arena(&[], Material::default());
    let mut walker = Walker::at(&level, v(0.0, RHO, 0.0));
    walker.walk(DVec3::ZERO, 5);
    let mut highest: f64 = 0.0;
    for _ in 0..120 {
        walker.tick(DVec3::ZERO, true);
        highest = highest.max(walker.state.centre.y - RHO);
    }
    assert!((highest - 1.0).abs() < 2e-3, "{highest}");
}

#[test]
fn a_groove_of_steep_slopes_is_ground_and_lets_the_body_run_along_it() {
    let (sin, cos) = 60.0_f64.to_radians().sin_cos();
    let z = v(0.0, 0.0, 50.0);
    let mut groove = Vec::new();
    for side in [-1.0, 1.0] {
        let up = v(side * cos, sin, 0.0) * 10.0 + DVec3::Y;
        let low = DVec3::Y;
        let mut quad = [[low - z, low + z, up + z], [low - z, up + z, up - z]];
        if side < 0.0 {
            quad.iter_mut().for_each(|t| t.swap(1, 2));
        }
        groove.extend(quad);
    }
    let level = arena(&groove, Material::default());
    let mut walker = Walker::at(&level, v(0.2, 4.0, 0.0));
    walker.walk(DVec3::ZERO, 300);
    assert!((walker.state.centre - v(0.0, 1.0 + RHO / cos, 0.0)).length() < 1e-5);
    assert!(walker.state.grounded);
    walker.walk(v(0.0, 0.0, 4.0), 240);
    assert!(
        (walker.state.centre.z - 16.0).abs() < 1e-4,
        "{}",
        walker.state.centre
    );
}

#[test]
fn bouncing_floors_throw_back_and_come_to_rest() {
    let floor = cuboid([-5., 0., -5.], [5., 1., 5.]);
    let mut sketch = Sketch::new("trampoline");
    let room = sketch.box_room("r", cuboid([-60., 0., -60.], [60., 60., 60.]), &[]);
    let rubber = sketch.material(Material {
        bounce: 0.5,
        ..Material::default()
    });
    sketch.furniture(room, rubber, floor);
    sketch.spawn(room, v(30., 1., 30.), DVec3::X);
    let (level, _) = build(sketch.source).unwrap();
    let mut walker = Walker::at(&level, v(0.0, 1.0 + RHO + 4.0, 0.0));
    let mut highest_after: f64 = 0.0;
    let mut bounced = false;
    for _ in 0..600 {
        walker.tick(DVec3::ZERO, false);
        bounced |= walker.state.fall.y > 0.0;
        if bounced {
            highest_after = highest_after.max(walker.state.centre.y - 1.0 - RHO);
        }
    }
    // Half the speed is a quarter of the height.
    assert!((highest_after - 1.0).abs() < 0.1, "{highest_after}");
    assert!((walker.state.centre.y - 1.0 - RHO).abs() < 1e-5);
}

#[test]
fn drag_takes_its_part_of_the_slide() {
    let pieces = wall(v(0.0, 4.0, 0.0), DVec3::Z, 40.0);
    let level = arena(
        &pieces,
        Material {
            drag: 0.5,
            ..Material::default()
        },
    );
    let mut walker = Walker::at(&level, v(-15.0, RHO, RHO + 1e-9));
    walker.walk(v(2.0, 0.0, -2.0), 60);
    assert!(
        (walker.state.centre.x + 15.0 - 1.0).abs() < 1e-6,
        "{}",
        walker.state.centre
    );
}

/// Two rooms, 10 m each, floors flush, whole wall open between them at x = 0.
fn open_joint() -> Level {
    let mut sketch = Sketch::new("joint");
    let opening = cuboid([0., 0., -5.], [0., 5., 5.]);
    let a = sketch.box_room("a", cuboid([-10., 0., -5.], [0., 5., 5.]), &[opening]);
    let b = sketch.box_room("b", cuboid([0., 0., -5.], [10., 5., 5.]), &[opening]);
    sketch.furniture(b, 0, cuboid([0.2, 0., 2.], [0.6, 4., 2.4]));
    sketch.portal(a, "b", opening, DVec3::X);
    sketch.spawn(a, v(-5., 0.5, 0.), DVec3::X);
    build(sketch.source).unwrap().0
}

#[test]
fn rooms_are_changed_at_the_portal_at_any_speed_and_nothing_is_felt() {
    let level = open_joint();
    for speed in [0.06, 4.0, 60.0, 540.0] {
        for angle in [0.0, 80.0_f64] {
            let wish = v(
                speed * angle.to_radians().cos(),
                0.0,
                -speed * angle.to_radians().sin(),
            );
            let mut walker = Walker::at(&level, v(-1e-4, RHO, 0.0));
            assert_eq!(walker.state.room, RoomId(0));
            walker.walk(wish, 1);
            assert_eq!(walker.state.room, RoomId(1), "{speed} {angle}");
            assert!((walker.state.centre.y - RHO).abs() < 1e-6);
        }
    }
}

#[test]
fn a_pillar_in_the_next_room_is_felt_before_the_portal_is_crossed() {
    let level = open_joint();
    let mut walker = Walker::at(&level, v(-2.0, RHO, 2.2));
    walker.walk(v(4.0, 0.0, 0.0), 120);
    assert_eq!(walker.state.room, RoomId(0));
    assert!(
        (walker.state.centre.x - (0.2 - RHO)).abs() < 1e-6,
        "{}",
        walker.state.centre
    );
}

#[test]
fn walking_inside_the_portals_plane_does_not_flicker_between_rooms() {
    let level = open_joint();
    let mut walker = Walker::at(&level, v(-1.0, RHO, -3.0));
    walker.state.centre.x = 0.0;
    let mut rooms = Vec::new();
    for _ in 0..60 {
        walker.tick(v(0.0, 0.0, 2.0), false);
        rooms.push(walker.state.room);
    }
    rooms.dedup();
    assert_eq!(rooms.len(), 1);
}

#[test]
fn a_closed_portal_is_a_wall_and_an_open_one_is_not() {
    let level = open_joint();
    let mut walker = Walker::at(&level, v(-2.0, RHO, 0.0));
    walker.open.set(crate::level::LinkId(0), false);
    walker.walk(v(4.0, 0.0, 0.0), 120);
    assert!(
        (walker.state.centre.x + RHO).abs() < 1e-6,
        "{}",
        walker.state.centre
    );
    walker.open.set(crate::level::LinkId(0), true);
    walker.walk(v(4.0, 0.0, 0.0), 120);
    assert_eq!(walker.state.room, RoomId(1));
}

#[test]
fn a_portal_that_bends_space_carries_body_and_velocity_along() {
    // Two closed rooms far apart; the east door of `a` leads in through the north door of `b`.
    let mut sketch = Sketch::new("bent");
    let east = cuboid([5., 0., -1.], [5., 3., 1.]);
    let north = cuboid([99., 0., -5.], [101., 3., -5.]);
    let a = sketch.box_room("a", cuboid([-5., 0., -5.], [5., 3., 5.]), &[east]);
    let b = sketch.box_room("b", cuboid([95., 0., -5.], [105., 3., 5.]), &[north]);
    sketch.furniture(b, 0, cuboid([98., 0., 2.], [102., 2., 3.]));
    sketch.portal(a, "b", east, DVec3::X);
    sketch.spawn(a, v(0., 0.5, 0.), DVec3::X);
    let (mut level, _) = build(sketch.source).unwrap();
    // East becomes south: x -> z, z -> -x.
    let turn = DMat3::from_cols(DVec3::Z, DVec3::Y, -DVec3::X);
    let b_from_a = Rigid::new(turn, v(100.0, 0.0, -5.0) - turn * v(5.0, 0.0, 0.0));
    for portal in &mut level.portals {
        if portal.from == RoomId(0) {
            portal.to_from_from = b_from_a;
        } else {
            portal.polygon = b_from_a.polygon(&portal.polygon);
            portal.reach = portal.polygon.bounds();
            portal.to_from_from = b_from_a.inverse();
        }
    }
    let mut walker = Walker::at(&level, v(0.0, RHO, 0.2));
    let mut wish = v(4.0, 0.0, 0.0);
    for _ in 0..300 {
        walker.tick(wish, false);
        wish = walker.scratch.target_from_start.vector(wish);
    }
    assert_eq!(walker.state.room, RoomId(1));
    let end = walker.state.centre;
    // 0.2 m to the right of the door's middle, stopped by the box behind it.
    assert!((end - v(99.8, RHO, 2.0 - RHO)).length() < 1e-5, "{end}");
    assert!((wish - v(0.0, 0.0, 4.0)).length() < 1e-9);
    for _ in 0..300 {
        walker.tick(v(0.0, 0.0, -4.0), false);
        if walker.state.room == RoomId(0) {
            break;
        }
    }
    assert_eq!(walker.state.room, RoomId(0));
}

#[test]
fn a_body_put_into_the_floor_comes_out_upwards() {
    let level = arena(&[], Material::default());
    for depth in [0.01, 0.15, 0.29] {
        let walker = Walker::at(&level, v(1.0, 0.3 - depth, 2.0));
        let at = walker.state.centre;
        assert!((at - v(1.0, RHO, 2.0)).length() < 1e-6, "{depth}: {at}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn in_a_random_soup_the_gap_is_never_lost_and_both_scopes_agree(seed in any::<u64>()) {
        let mut state = seed | 1;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        let mut sketch = Sketch::new("soup");
        let opening = cuboid([0., 0., -2.], [0., 3., 2.]);
        let a = sketch.box_room("a", cuboid([-6., 0., -5.], [0., 5., 5.]), &[opening]);
        let b = sketch.box_room("b", cuboid([0., 0., -5.], [6., 5., 5.]), &[opening]);
        for room in [a, b] {
            for _ in 0..25 {
                let at = v(random() * 5.6 - 2.8, random() * 2.0, random() * 9.0 - 4.5);
                let at = at + DVec3::X * if room == a { -3.0 } else { 3.0 };
                let mut corner = || at + v(random() - 0.5, random() - 0.5, random() - 0.5) * 1.6;
                let (p, q, r) = (corner(), corner(), corner());
                // Nothing solid may stand in the opening of one room and belong to the other.
                let crosses = [p, q, r].iter().any(|c| (c.x < 0.0) != (room == a));
                if !crosses {
                    sketch.mesh(room, 0, &[[p, q, r], [p, r, q]]);
                }
            }
        }
        sketch.portal(a, "b", opening, DVec3::X);
        sketch.spawn(a, v(-3.0, 4.0, 0.0), DVec3::X);
        let (level, _) = build(sketch.source).unwrap();
        let mut walker = Walker::at(&level, v(-3.0, 4.5, 0.0));
        let mut twin = Walker::at(&level, v(-3.0, 4.5, 0.0));
        twin.scope = Scope::WholeSoup;
        let mut wish = DVec3::X;
        for i in 0..600 {
            if i % 20 == 0 {
                wish = v(random() - 0.5, 0.0, random() - 0.5) * 14.0;
            }
            let jump = random() < 0.1;
            walker.tick(wish, jump);
            twin.tick(wish, jump);
            prop_assert_eq!(walker.state, twin.state);
        }
    }
}
