//! Lightmaps carried over to the next version of a level, compared with newly baked ones.

use glam::{DVec3, Vec3};

use super::*;
use crate::author::sketch::{Sketch, cuboid};
use crate::level::Material;
use crate::lighting::Lighting;
use crate::lighting::lightmap::LightmapCache;
use crate::lighting::rgb9e5::pack;
use crate::world::World;

/// Four rooms in a row with doorways, each with a box in it; the box in room `higher` is taller.
fn row(higher: Option<usize>, far_lamp: bool) -> Level {
    built(row_sketch(higher, far_lamp))
}

fn row_sketch(higher: Option<usize>, far_lamp: bool) -> Sketch {
    let mut sketch = Sketch::new("row");
    let doorway = |i: usize| {
        let x = 6.0 * i as f64;
        cuboid([x, 0.0, -1.0], [x, 2.0, 1.0])
    };
    for i in 0..4 {
        let x = 6.0 * i as f64;
        let inside = cuboid([x, 0.0, -3.0], [x + 6.0, 3.0, 3.0]);
        let mut openings = Vec::new();
        if i > 0 {
            openings.push(doorway(i));
        }
        if i < 3 {
            openings.push(doorway(i + 1));
        }
        let room = sketch.box_room(&format!("room{i}"), inside, &openings);
        if i > 0 {
            sketch.portal(room, &format!("room{}", i - 1), doorway(i), DVec3::NEG_X);
        }
        let top = if higher == Some(i) { 1.5 } else { 1.0 };
        sketch.furniture(room, 0, cuboid([x + 2.5, 0.0, 0.0], [x + 3.5, top, 1.0]));
        if i == 0 || far_lamp {
            sketch.lamp(room, DVec3::new(x + 3.0, 2.5, -1.0), 30.0);
        }
    }
    sketch
}

fn cached(level: &Level) -> LightmapCache {
    let map = bake(level, LightmapQuality::COARSE, &|_| ());
    let lighting = Lighting::new(level, &World::of(level), map.clone());
    LightmapCache::of(level, LightmapQuality::COARSE, map, lighting.texels.rgb)
}

#[test]
fn only_surfaces_near_a_change_are_baked_and_equal_a_full_bake() {
    let old = cached(&row(None, false));
    for changed in 0..4 {
        let level = row(Some(changed), false);
        let draft = old.draft(&level);
        // The box is farther from the doorways than the occlusion radius.
        assert_eq!(draft.missing(), 1, "{changed}");
        let again = draft.finish(&level, &|| true).unwrap();
        let fresh = bake(&level, LightmapQuality::COARSE, &|_| ());
        assert_eq!(**again.lightmap(), fresh);
    }
}

#[test]
fn a_draft_has_the_old_light_wherever_nothing_changed() {
    let before = row(None, false);
    let map = bake(&before, LightmapQuality::COARSE, &|_| ());
    let lighting = Lighting::new(&before, &World::of(&before), map.clone());
    let old = LightmapCache::of(
        &before,
        LightmapQuality::COARSE,
        map,
        lighting.texels.rgb.clone(),
    );
    // This level differs only in its lamps, on which the lightmap does not depend.
    let level = row(None, true);
    let draft = old.draft(&level);
    assert_eq!(draft.missing(), 0);
    assert_eq!(draft.texels(), lighting.texels.rgb);
    let drafted = Lighting::of_draft(&level, &World::of(&level), &draft, lighting.cache());
    assert_eq!(drafted.texels.rgb, lighting.texels.rgb);
    let finished = draft.finish(&level, &|| true).unwrap();
    let finished = Lighting::new(&level, &World::of(&level), finished.lightmap().clone());
    assert_ne!(finished.texels.rgb, lighting.texels.rgb);
    // Everything except the texels is already final.
    assert_eq!(drafted.exposure, finished.exposure);
    assert_eq!(drafted.lists.lights.len(), finished.lists.lights.len());
}

/// The material of a box changes, but no mesh. The box is beside a doorway, so that the next room's texels depend on it
/// too.
#[test]
fn a_surface_that_begins_to_show_the_sky_no_longer_occludes() {
    let with = |sky: bool| {
        let mut sketch = row_sketch(None, false);
        let look = sketch.source.materials[0].clone();
        sketch.source.materials.push(Material { sky, ..look });
        sketch.furniture(2, 1, cuboid([12.1, 0.0, -0.9], [12.4, 1.5, 0.0]));
        built(sketch)
    };
    let old = cached(&with(false));
    let level = with(true);
    let draft = old.draft(&level);
    assert_eq!(draft.missing(), 2);
    let again = draft.finish(&level, &|| true).unwrap();
    assert_eq!(
        **again.lightmap(),
        bake(&level, LightmapQuality::COARSE, &|_| ())
    );
}

#[test]
fn baking_for_a_level_that_is_old_already_ends_early() {
    let level = row(Some(2), false);
    let old = cached(&row(None, false));
    assert!(old.draft(&level).finish(&level, &|| false).is_none());
}

#[test]
fn unmoved_surfaces_have_their_old_light_until_the_new_light_is_baked() {
    let before = row(None, true);
    let map = bake(&before, LightmapQuality::COARSE, &|_| ());
    let lighting = Lighting::new(&before, &World::of(&before), map.clone());
    let old = LightmapCache::of(
        &before,
        LightmapQuality::COARSE,
        map.clone(),
        lighting.texels.rgb.clone(),
    );
    let level = row(Some(2), true);
    let draft = old.draft(&level);
    assert_eq!(draft.missing(), 1);
    let fresh = bake(&level, LightmapQuality::COARSE, &|_| ());
    let texel = |map: &Lightmap, chart: &Chart, [column, row]: [u32; 2]| {
        let side = map.page_side;
        ((chart.page * side + chart.at[1] + row) * side + chart.at[0] + column) as usize
    };
    // Each texel of the room is compared with the nearest old texel in its plane, found in f64 by brute force.
    let older = &map.charts[map.charts_of[2].start as usize..map.charts_of[2].end as usize];
    let (mut same, mut open, mut nearer) = (0, 0, [0.0; 2]);
    for index in fresh.charts_of[2].clone() {
        let chart = &fresh.charts[index as usize];
        let drafted = &draft.lightmap().charts[index as usize];
        assert_eq!(drafted, chart);
        for (column, row) in
            (0..chart.size[1]).flat_map(|r| (0..chart.size[0]).map(move |c| (c, r)))
        {
            let place = |chart: &Chart, [column, row]: [u32; 2]| {
                (chart.origin + chart.along_u * column as f32 + chart.along_v * row as f32)
                    .as_dvec3()
            };
            let at = place(chart, [column, row]);
            let here = texel(&fresh, chart, [column, row]);
            let same_plane = |other: &&Chart| {
                other.normal.dot(chart.normal) > 0.999
                    && (at - other.origin.as_dvec3())
                        .dot(other.normal.as_dvec3())
                        .abs()
                        < 1e-3
            };
            let texels = older.iter().filter(same_plane).flat_map(|other| {
                let all = (0..other.size[1]).flat_map(|r| (0..other.size[0]).map(move |c| [c, r]));
                let map = &map;
                all.map(move |there| (place(other, there).distance(at), texel(map, other, there)))
            });
            let nearest = texels.min_by(|a, b| a.0.total_cmp(&b.0));
            let rgb = draft.texels()[here];
            let visible = draft.lightmap().sky_visibility[here];
            match nearest {
                Some((distance, there)) if distance < 1e-4 => {
                    assert_eq!(rgb, lighting.texels.rgb[there]);
                    assert_eq!(visible, map.sky_visibility[there]);
                    same += 1;
                }
                // Texels on the sides of the taller box have no old texel at their position: they are not compared with
                // old light.
                Some((distance, _)) if distance < 0.7 => {}
                _ => {
                    assert_eq!((rgb, visible), (pack(Vec3::ONE), 255));
                    open += 1;
                }
            }
            let error = |other: u8| f64::from(fresh.sky_visibility[here].abs_diff(other));
            nearer[0] += error(visible);
            nearer[1] += error(255);
        }
    }
    assert!(same > 500 && open > 0, "{same} {open}");
    assert!(nearer[0] < 0.3 * nearer[1], "{nearer:?}");
}

/// Cases: rooms that lost or gained a lamp, or light through a doorway, and materials with changed colours.
#[test]
fn cached_patches_give_the_light_that_new_ones_do() {
    let before = row(None, true);
    let world = World::of(&before);
    let last = Lighting::new(&before, &world, flat(&before));
    let mut darker = row_sketch(None, true);
    for material in &mut darker.source.materials {
        material.base_colour = [0.1, 0.2, 0.3, 1.0];
    }
    let mut open = row_sketch(None, true);
    open.source.rooms[1].open_to_sky = true;
    let changed = [
        row(Some(2), true),
        row(None, false),
        built(darker),
        built(open),
    ];
    for level in [row(None, true)].into_iter().chain(changed) {
        let world = World::of(&level);
        let relit = Lighting::with_cache(&level, &world, flat(&level), last.cache());
        let fresh = Lighting::new(&level, &world, flat(&level));
        assert_eq!(relit.exposure, fresh.exposure);
        assert_eq!(relit.ambient, fresh.ambient);
    }
}
