//! Ambient irradiance on surfaces of rooms with many openings.

use super::*;
use crate::geometry::Aabb;
use crate::level::Material;
use crate::lighting::lightmap::{LightmapQuality, bake};

/// A level in which the room `a-hall` is white and lit; all other rooms are black, so that they return little light.
struct Halls {
    sketch: Sketch,
    hall: usize,
    black: usize,
}

impl Halls {
    fn new(inside: Aabb, openings: &[Aabb]) -> Self {
        let mut sketch = Sketch::new("halls");
        let black = sketch.material(Material {
            base_colour: [0.01, 0.01, 0.01, 1.0],
            ..Material::default()
        });
        let hall = sketch.box_room("a-hall", inside, openings);
        sketch.lamp(hall, inside.centre() + DVec3::new(0.3, 0.5, 0.2), 300.0);
        sketch.spawn(hall, inside.min + DVec3::splat(0.1), DVec3::X);
        Self {
            sketch,
            hall,
            black,
        }
    }

    /// Adds a black room and a portal from the hall into it.
    fn closet(&mut self, inside: Aabb, opening: Aabb, out: DVec3) {
        let name = format!("closet-{}", self.sketch.source.rooms.len());
        let room = self.sketch.box_room(&name, inside, &[opening]);
        for mesh in &mut self.sketch.source.meshes {
            if mesh.room == room {
                mesh.material = self.black;
            }
        }
        self.sketch.portal(self.hall, &name, opening, out);
    }

    fn built(self) -> Level {
        match build(self.sketch.source) {
            Ok((level, _)) => level,
            Err(problems) => panic!("{problems}"),
        }
    }
}

/// A hall of 16 x 3 x 16 m with 15 openings of one metre in each of its four walls and closets behind them. In the
/// hall are eight closets one behind the other, each with an opening as large as its front.
fn hall_of_many_openings() -> Level {
    let inside = cuboid([0.0, 0.0, 0.0], [16.0, 3.0, 16.0]);
    let along = |i: usize| 0.5 + i as f64;
    let mut closets: Vec<(Aabb, Aabb, DVec3)> = Vec::new();
    for i in 0..15 {
        let (from, to) = (along(i) + 0.05, along(i) + 0.95);
        for (at, out) in [(0.0, -1.0), (16.0, 1.0)] {
            let [near, far] = [f64::min(at, at + out), f64::max(at, at + out)];
            closets.push((
                cuboid([near, 0.0, from], [far, 2.8, to]),
                cuboid([at, 0.0, from], [at, 2.8, to]),
                DVec3::X * out,
            ));
            closets.push((
                cuboid([from, 0.0, near], [to, 2.8, far]),
                cuboid([from, 0.0, at], [to, 2.8, at]),
                DVec3::Z * out,
            ));
        }
    }
    let in_walls: Vec<Aabb> = closets.iter().map(|&(_, opening, _)| opening).collect();
    let mut halls = Halls::new(inside, &in_walls);
    for i in 0..8 {
        let x = 2.0 + 1.5 * i as f64;
        let closet = cuboid([x, 0.0, 2.0], [x + 0.5, 2.9, 14.0]);
        let front = cuboid([x, 0.1, 2.1], [x, 2.8, 13.9]);
        // The outside of the closet is furniture of the hall, except for the opening.
        let side = |z: f64| cuboid([x, 0.0, z], [x + 0.5, 2.9, z + 0.05]);
        for outside in [
            side(1.95),
            side(14.0),
            cuboid([x + 0.5, 0.0, 1.95], [x + 0.55, 2.9, 14.05]),
            cuboid([x, 2.9, 1.95], [x + 0.55, 2.95, 14.05]),
        ] {
            halls.sketch.furniture(halls.hall, 0, outside);
        }
        closets.push((closet, front, DVec3::X));
    }
    for (closet, opening, out) in closets {
        halls.closet(closet, opening, out);
    }
    halls.built()
}

/// A hall with several overlapping openings into equal rooms, an opening much larger than the hall, and a one-way
/// opening out of the hall.
fn hall_of_odd_openings() -> Level {
    let inside = cuboid([0.0, 0.0, 0.0], [4.0, 3.0, 4.0]);
    let window = |x: f64| cuboid([x, 0.5, 0.0], [x + 2.0, 2.5, 0.0]);
    let mut halls = Halls::new(inside, &[]);
    for x in [1.0, 1.0, 1.3, 1.7] {
        halls.closet(
            cuboid([0.0, 0.0, -2.0], [4.0, 3.0, 0.0]),
            window(x),
            DVec3::NEG_Z,
        );
    }
    halls.closet(
        cuboid([4.0, 0.0, 0.0], [6.0, 3.0, 4.0]),
        cuboid([4.0, -150.0, -150.0], [4.0, 150.0, 150.0]),
        DVec3::X,
    );
    for at in [0.2, 0.4] {
        halls.closet(
            cuboid([-2.0, 0.0, 0.0], [0.0, 3.0, 4.0]),
            cuboid([0.0, at, 0.2], [0.0, 2.9, 3.8]),
            DVec3::NEG_X,
        );
    }
    if let Some(last) = halls.sketch.source.portals.last_mut() {
        last.two_way = false;
    }
    halls.built()
}

/// Checks that the light on every texel of every room is a mean of the light of the room and of the rooms behind its
/// portals; returns the minimum as a fraction of the room's own light, and the number of texels.
fn check_means(level: &Level) -> (f32, usize) {
    let lightmap = bake(level, LightmapQuality::COARSE, &|_| {});
    let lighting = Lighting::new(level, &World::of(level), lightmap);
    let map = &lighting.lightmap;
    let (mut darkest, mut count) = (1.0f32, 0);
    for room in level.room_ids() {
        let own = lighting.texels.ambient[room.0 as usize];
        let behind = level.portals_of(room).map(|(_, portal)| portal.far);
        let behind = behind.map(|room| lighting.texels.ambient[room.0 as usize] / own);
        let (least, most) = behind.fold((Vec3::ONE, Vec3::ONE), |(least, most), light| {
            (least.min(light), most.max(light))
        });
        let charts = map.charts_of[room.0 as usize].clone();
        for chart in &map.charts[charts.start as usize..charts.end as usize] {
            for row in 0..chart.size[1] {
                for column in 0..chart.size[0] {
                    let row = chart.page * map.page_side + chart.at[1] + row;
                    let at = (row * map.page_side + chart.at[0] + column) as usize;
                    let open = f32::from(map.sky_visibility[at]) / 255.0;
                    let light = rgb9e5::unpack(lighting.texels.rgb[at]);
                    // A packed texel is off by less than a five hundredth of its brightest component.
                    let slack = Vec3::splat(most.max_element() * open / 400.0);
                    assert!(
                        (light + slack).cmpge(least * open).all()
                            && (light - slack).cmple(most * open).all(),
                        "{light} with {open} open is not between {least} and {most} in {}",
                        level.room(room).name
                    );
                    if open > 0.1 {
                        darkest = darkest.min(light.min_element() / open);
                        count += 1;
                    }
                }
            }
        }
    }
    (darkest, count)
}

/// Regression test: form factors of openings summed to more than one, so that the weight of the room's own light was
/// negative, and whole walls were black.
#[test]
fn no_surface_is_darker_than_the_rooms_around_it_however_many_openings_it_faces() {
    let level = hall_of_many_openings();
    let (darkest, count) = check_means(&level);
    assert!(count > 5000, "{count}");
    assert!((0.01..0.5).contains(&darkest), "{darkest}");
}

#[test]
fn light_through_overlapping_or_oversized_openings_counts_once() {
    let (_, count) = check_means(&hall_of_odd_openings());
    assert!(count > 500, "{count}");
}
