//! Blended panes, which transmit a part of the light from behind.

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::level::{Alpha, Level, Material};
use opendoor::source::MeshSource;

use crate::fixture::{build, gpu, square, unlit};
use crate::probe::{Shown, add_square, assert_near, dark_hall, in_the_middle, matt, studio, toned};

const RED: DVec3 = DVec3::new(0.8, 0.1, 0.0);
const BLUE: DVec3 = DVec3::new(0.0, 0.2, 0.7);
const WALL: DVec3 = DVec3::new(0.1, 0.5, 0.3);

/// An unlit pane that covers the fraction `alpha` of the light from behind.
fn pane(colour: DVec3, alpha: f64) -> Material {
    Material {
        alpha: Alpha::Blend,
        double_sided: true,
        ..unlit(colour.extend(alpha).as_vec4().to_array())
    }
}

/// Adds two unlit walls: the background as seen from (0, 0, 2), and the one as seen from (0, 0, -2).
fn add_walls(sketch: &mut Sketch, room: usize) {
    let material = sketch.material(Material {
        double_sided: true,
        ..unlit(WALL.extend(1.0).as_vec4().to_array())
    });
    for z in [-5.0, 5.0] {
        let far = square(z).map(|t| t.map(|p| p * DVec3::new(8.0, 8.0, 1.0)));
        sketch.mesh(room, material, &far);
    }
}

fn last_mesh(sketch: &mut Sketch) -> &mut MeshSource {
    let mesh = sketch.source.meshes.last_mut();
    mesh.expect("a mesh was added")
}

/// The middle texels of the image from (0, 0, 2), and of the image from (0, 0, -2) in the opposite direction.
fn from_both_sides(level: &Level) -> [DVec3; 2] {
    let gpu = gpu();
    let mut studio = studio(&gpu, level, 0.0, 0.0);
    [(2.0, 0.0), (-2.0, 180.0)]
        .map(|(z, yaw)| Shown::new(&mut studio, [0.0, 0.0, z], [yaw, 0.0]).middle())
}

#[test]
fn a_pane_mixes_its_light_with_the_light_behind_it() {
    let lit_pane = Material {
        alpha: Alpha::Blend,
        ..matt([0.6, 0.3, 0.9])
    };
    let light_of_lit_pane = 0.5 * DVec3::new(0.6, 0.3, 0.9);
    for (alpha, is_lit) in [
        (0.5, false),
        (0.5, true),
        (0.2, true),
        (0.0, true),
        (1.0, false),
    ] {
        let of_pane = if is_lit { light_of_lit_pane } else { RED };
        let material = || {
            let mut material = if is_lit {
                lit_pane.clone()
            } else {
                pane(RED, alpha)
            };
            material.base_colour[3] = alpha as f32;
            material
        };
        // Over an unlit wall the tone curve is not applied; over a lit wall it is applied to the whole blended colour.
        let (mut sketch, room) = dark_hall();
        add_walls(&mut sketch, room);
        let material_index = sketch.material(material());
        add_square(&mut sketch, room, material_index, 0.0);
        let level = build(sketch);
        let gpu = gpu();
        let found = in_the_middle(&mut studio(&gpu, &level, 0.5, 0.0));
        let what = format!("alpha {alpha}, lit {is_lit}");
        assert_near(found, WALL.lerp(of_pane, alpha), 0.001, &what);

        let (mut sketch, room) = dark_hall();
        let behind = sketch.material(matt([0.9, 0.2, 0.4]));
        add_square(&mut sketch, room, behind, -0.5);
        let material_index = sketch.material(material());
        add_square(&mut sketch, room, material_index, 0.0);
        let level = build(sketch);
        let found = in_the_middle(&mut studio(&gpu, &level, 0.5, 0.0));
        let of_wall = 0.5 * DVec3::new(0.9, 0.2, 0.4);
        assert_near(found, toned(of_wall.lerp(of_pane, alpha)), 0.001, &what);
    }
}

#[test]
fn panes_mix_from_far_to_near_in_whatever_order_they_are_authored() {
    // Seen from the front, the red pane at z = 0.5 is in front of the blue one at z = -0.5.
    let front = WALL.lerp(BLUE, 0.4).lerp(RED, 0.7);
    let back = WALL.lerp(RED, 0.7).lerp(BLUE, 0.4);
    let mut panes = [(0.5, RED, 0.7), (-0.5, BLUE, 0.4)];
    for _ in 0..2 {
        let (mut sketch, room) = dark_hall();
        add_walls(&mut sketch, room);
        for (z, colour, alpha) in panes {
            let material = sketch.material(pane(colour, alpha));
            add_square(&mut sketch, room, material, z);
        }
        let [from_front, from_back] = from_both_sides(&build(sketch));
        assert_near(from_front, front, 0.001, "from the front");
        assert_near(from_back, back, 0.001, "from behind");

        // Both panes in one mesh with one material.
        let (mut sketch, room) = dark_hall();
        add_walls(&mut sketch, room);
        let material = sketch.material(pane(DVec3::ONE, 1.0));
        let both: Vec<_> = panes.iter().flat_map(|&(z, ..)| square(z)).collect();
        sketch.mesh(room, material, &both);
        let colours = panes
            .iter()
            .flat_map(|&(_, colour, alpha)| [colour.extend(alpha).as_vec4().to_array(); 6]);
        last_mesh(&mut sketch).colours = colours.collect();
        let [from_front, from_back] = from_both_sides(&build(sketch));
        assert_near(from_front, front, 0.001, "one mesh, from the front");
        assert_near(from_back, back, 0.001, "one mesh, from behind");
        panes.reverse();
    }
}

#[test]
fn a_pane_behind_a_portal_is_mixed_in_before_one_on_this_side() {
    // Rooms are sorted by name, so each of the two is first once.
    for [this, next] in [["a", "b"], ["b", "a"]] {
        let door = cuboid([-2.0, -2.0, 0.0], [2.0, 2.0, 0.0]);
        let mut sketch = Sketch::new("panes");
        sketch.source.materials[0] = unlit(WALL.extend(1.0).as_vec4().to_array());
        let here = sketch.box_room(this, cuboid([-4.0, -4.0, 0.0], [4.0, 4.0, 4.0]), &[door]);
        let there = sketch.box_room(next, cuboid([-4.0, -4.0, -4.0], [4.0, 4.0, 0.0]), &[door]);
        sketch.portal(here, "", door, DVec3::NEG_Z);
        for (room, colour, z) in [(there, BLUE, -0.3), (here, RED, 0.3)] {
            let material = sketch.material(pane(colour, 0.5));
            add_square(&mut sketch, room, material, z);
        }
        let [from_here, from_there] = from_both_sides(&build(sketch));
        let what = format!("{this} before {next}");
        assert_near(from_here, WALL.lerp(BLUE, 0.5).lerp(RED, 0.5), 0.001, &what);
        assert_near(
            from_there,
            WALL.lerp(RED, 0.5).lerp(BLUE, 0.5),
            0.001,
            &what,
        );
    }
}

#[test]
fn a_glass_box_shows_its_far_side_through_its_near_side() {
    for reversed in [false, true] {
        let (mut sketch, room) = dark_hall();
        add_walls(&mut sketch, room);
        let glass = sketch.material(pane(DVec3::ONE, 0.5));
        sketch.furniture(room, glass, cuboid([-1.0, -1.0, -1.6], [1.0, 1.0, -0.4]));
        let mesh = last_mesh(&mut sketch);
        let towards = |p: &DVec3| if p.z > -1.0 { RED } else { BLUE };
        let colours = mesh.positions.iter().map(towards);
        mesh.colours = colours
            .map(|colour| colour.extend(1.0).as_vec4().to_array())
            .collect();
        if reversed {
            mesh.triangles.reverse();
        }
        let [front, back] = from_both_sides(&build(sketch));
        assert_near(
            front,
            WALL.lerp(BLUE, 0.5).lerp(RED, 0.5),
            0.001,
            "from the front",
        );
        assert_near(
            back,
            WALL.lerp(RED, 0.5).lerp(BLUE, 0.5),
            0.001,
            "from behind",
        );
    }
}

#[test]
fn a_pane_hides_nothing_that_is_blended_after_it() {
    // Two panes joined by a third form one connected component, which is drawn in its own triangle order: in one of the
    // two views the nearer pane comes first. All have the same colour, so the order has no other effect.
    let (mut sketch, room) = dark_hall();
    add_walls(&mut sketch, room);
    let glass = sketch.material(pane(RED, 0.5));
    let [top_left, top_right] = [-1.0, 1.0].map(|x| DVec3::new(x, 1.0, -0.5));
    let [near_left, near_right] = [top_left, top_right].map(|p| p + DVec3::Z);
    let lid = [
        [near_left, near_right, top_right],
        [near_left, top_right, top_left],
    ];
    let both: Vec<_> = square(-0.5)
        .into_iter()
        .chain(square(0.5))
        .chain(lid)
        .collect();
    sketch.mesh(room, glass, &both);
    for (found, side) in from_both_sides(&build(sketch))
        .into_iter()
        .zip(["front", "back"])
    {
        assert_near(found, WALL.lerp(RED, 0.75), 0.001, side);
    }
}

#[test]
fn surfaces_behind_a_solid_surface_are_not_mixed_in() {
    let (mut sketch, room) = dark_hall();
    add_walls(&mut sketch, room);
    let glass = sketch.material(pane(RED, 0.5));
    add_square(&mut sketch, room, glass, -0.5);
    let solid = sketch.material(unlit(BLUE.extend(1.0).as_vec4().to_array()));
    add_square(&mut sketch, room, solid, 0.0);
    let [front, back] = from_both_sides(&build(sketch));
    assert_near(front, BLUE, 0.001, "from the front");
    // The back of the opaque square is culled.
    assert_near(back, WALL.lerp(RED, 0.5), 0.001, "from behind");
}
