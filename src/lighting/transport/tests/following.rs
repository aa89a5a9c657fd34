//! Light that follows doors and switches, compared with light from scratch.

use super::*;
use crate::rng::Rng;

#[test]
fn light_that_follows_random_doors_and_switches_equals_light_from_scratch_in_every_bit() {
    let mut sketch = Sketch::new("ring");
    sketch.source.materials[0] = matt([0.7; 3]);
    let size = 4.0;
    // Three by three rooms with a link in each common wall.
    let at = |i: usize| {
        (
            f64::from(i as u32 % 3) * size,
            f64::from(i as u32 / 3) * size,
        )
    };
    let mut links = Vec::new();
    for i in 0..9 {
        let (x, z) = at(i);
        if i % 3 < 2 {
            let x = x + size;
            links.push((
                i,
                i + 1,
                cuboid([x, 0.0, z + 1.0], [x, 2.0, z + 2.5]),
                DVec3::X,
            ));
        }
        if i < 6 {
            let z = z + size;
            links.push((
                i,
                i + 3,
                cuboid([x + 1.0, 0.0, z], [x + 2.5, 2.0, z]),
                DVec3::Z,
            ));
        }
    }
    for i in 0..9 {
        let (x, z) = at(i);
        let openings: Vec<Aabb> = links
            .iter()
            .filter(|(a, b, ..)| *a == i || *b == i)
            .map(|(_, _, opening, _)| *opening)
            .collect();
        let inside = cuboid([x, 0.0, z], [x + size, 3.0, z + size]);
        sketch.box_room(&format!("r{i}"), inside, &openings);
    }
    for (near, far, opening, out) in &links {
        sketch.portal(*near, &format!("r{far}"), *opening, *out);
    }
    for i in [0, 4, 8] {
        let (x, z) = at(i);
        sketch.lamp(i, DVec3::new(x + 2.0, 2.5, z + 2.2), 30.0);
    }
    let shade = sketch.source.materials.len();
    sketch.source.materials.push(Material {
        emissive: [0.6, 0.5, 0.2],
        glows_with: "r4_lamp".to_owned(),
        ..matt([0.7; 3])
    });
    sketch.furniture(4, shade, cuboid([5.0, 1.0, 5.0], [5.5, 2.0, 5.5]));
    switch(&mut sketch, &["r0_lamp", "r4_lamp"]);
    let level = built(sketch, DVec3::new(0.5, 0.1, 0.5));
    let mut world = World::all_open(&level);
    let mut followed = lit_in(&level, &world);
    let mut rng = Rng::new(71);
    for _ in 0..30 {
        let changed = rng.below(level.links.len() + 2);
        match changed.checked_sub(level.links.len()) {
            Some(lamp) => world.switch_light(LightId(lamp as u32)),
            None if world.is_open(LinkId(changed as u32)) => world.close(LinkId(changed as u32)),
            None => world.open(LinkId(changed as u32)),
        }
        followed.update(&level, &world);
        let again = lit_in(&level, &world);
        assert_eq!(followed.solution.irradiance(), again.solution.irradiance());
        assert_eq!(followed.ambient, again.ambient);
        assert_eq!(followed.probes, again.probes);
    }
}
