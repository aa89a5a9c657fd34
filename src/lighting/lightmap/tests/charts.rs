//! Layout of surfaces in charts.

use glam::DVec2;

use super::*;
use crate::level::AuthorPoint;
use crate::load::load_bytes;
use crate::source::{LevelSource, MeshSource};

/// The resolution of positions in texels; the error is up to half of it.
fn step(map: &Lightmap) -> f64 {
    f64::from(map.page_side) / 65535.0
}

/// The position of a lightmap vertex in its chart; integers are texel centres.
fn placed(map: &Lightmap, chart: &Chart, vertex: u32) -> DVec2 {
    let [u, v, page, _] = map.places[vertex as usize];
    assert_eq!(u32::from(page), chart.page);
    let in_page = DVec2::new(f64::from(u), f64::from(v)) * step(map);
    in_page - DVec2::new(f64::from(chart.at[0]), f64::from(chart.at[1])) - 0.5
}

/// Calls `found` for each triangle of each chart with its number and the positions of its corners.
fn for_each_triangle(map: &Lightmap, mut found: impl FnMut(&Chart, u32, [DVec2; 3])) {
    for chart in &map.charts {
        for &number in &map.triangles[chart.triangles.start as usize..chart.triangles.end as usize]
        {
            let corners = [0, 1, 2].map(|i| map.indices[3 * number as usize + i]);
            found(
                chart,
                number,
                corners.map(|vertex| placed(map, chart, vertex)),
            );
        }
    }
}

/// Adds a smooth ball with the given numbers of rings and segments around the origin, seen from outside.
fn ball(sketch: &mut Sketch, room: usize, radius: f64, rings: u32) {
    let segments = 2 * rings;
    let at = |ring: u32, segment: u32| {
        let (up, round) = (
            f64::from(ring) / f64::from(rings),
            f64::from(segment % segments) / f64::from(segments),
        );
        let (sin, cos) = (std::f64::consts::PI * up).sin_cos();
        let (sin_round, cos_round) = (std::f64::consts::TAU * round).sin_cos();
        v(sin * cos_round, cos, -sin * sin_round) * radius
    };
    let corners: Vec<DVec3> = (0..=rings)
        .flat_map(|ring| (0..=segments).map(move |segment| at(ring, segment)))
        .collect();
    let mut triangles = Vec::new();
    for ring in 0..rings {
        for segment in 0..segments {
            let a = ring * (segments + 1) + segment;
            let [b, c, d] = [a + segments + 1, a + segments + 2, a + 1];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    let centre = v(0.0, 2.0, 0.0);
    sketch.source.meshes.push(MeshSource {
        room,
        node: "ball".into(),
        positions: corners.iter().map(|&p| p + centre).collect(),
        normals: corners.iter().map(|&p| (p / radius).as_vec3()).collect(),
        tangents: Vec::new(),
        uvs: [Vec::new(), Vec::new()],
        colours: Vec::new(),
        triangles,
        material: 0,
        drawn: true,
        solid: false,
    });
}

fn hall_with_ball(rings: u32) -> Level {
    let mut sketch = Sketch::new("ball");
    let hall = sketch.box_room("hall", cuboid([-5., 0., -5.], [5., 5., 5.]), &[]);
    ball(&mut sketch, hall, 1.0, rings);
    built(sketch)
}

fn grid() -> Level {
    load_bytes("grid", &crate::author::grid_glb(3, 2))
        .unwrap()
        .0
}

#[test]
fn the_triangles_to_draw_are_those_of_the_level() {
    for level in [built(furnished()), hall_with_ball(12), grid()] {
        let map = unwrap(&level, LightmapQuality::default(), 1);
        assert_eq!(map.vertices.len(), map.places.len());
        assert_eq!(map.vertices.len(), map.extents.len());
        let vertices = map.indices.iter().map(|&i| map.vertices[i as usize]);
        assert_eq!(vertices.collect::<Vec<_>>(), level.indices);
        let mut numbers = map.triangles.clone();
        numbers.sort_unstable();
        let all = 0..level.indices.len() as u32 / 3;
        let with_area = all.filter(|&i| patches::corners_of(&level, i).cross().length() > 2e-9);
        assert_eq!(
            numbers,
            with_area.collect::<Vec<_>>(),
            "each is in one chart"
        );
    }
}

#[test]
fn blending_stays_inside_of_the_chart() {
    for level in [built(furnished()), hall_with_ball(12), grid()] {
        let map = unwrap(&level, LightmapQuality::default(), 1);
        for_each_triangle(&map, |chart, _, corners| {
            for corner in corners {
                for axis in 0..2 {
                    let last = f64::from(chart.size[axis] - 1);
                    let off = (-corner[axis]).max(corner[axis] - last);
                    // With one texel across, every position is the centre of that texel, up to the resolution of the
                    // stored coordinates.
                    let most = if chart.size[axis] == 1 {
                        step(&map)
                    } else {
                        0.0
                    };
                    assert!(off <= most, "{off} texels beyond the middles of {chart:?}");
                }
            }
        });
    }
}

/// Positions that multisampling extrapolates beyond a triangle's edge are clamped to the extents.
#[test]
fn extents_hold_every_vertex_of_a_chart_and_no_texel_of_another() {
    for level in [built(furnished()), hall_with_ball(12), grid()] {
        let map = unwrap(&level, LightmapQuality::default(), 1);
        for chart in &map.charts {
            let triangles = chart.triangles.start as usize..chart.triangles.end as usize;
            let corners = map.triangles[triangles].iter().flat_map(|&triangle| {
                let first = 3 * triangle as usize;
                &map.indices[first..first + 3]
            });
            for &vertex in corners {
                let (place, extent) = (map.places[vertex as usize], map.extents[vertex as usize]);
                for axis in 0..2 {
                    let (least, greatest) = (extent[axis], extent[2 + axis]);
                    assert!((least..=greatest).contains(&place[axis]), "{chart:?}");
                    let in_texels = f64::from(map.page_side) / 65535.0;
                    let [least, greatest] =
                        [least, greatest].map(|at| f64::from(at) * in_texels - 0.5);
                    let first = f64::from(chart.at[axis]);
                    let last = first + f64::from(chart.size[axis] - 1);
                    // With one texel across, every position is the centre of that texel, up to the resolution of the
                    // stored coordinates.
                    let slack = if chart.size[axis] == 1 {
                        step(&map)
                    } else {
                        1e-9
                    };
                    assert!(
                        least >= first - slack && greatest <= last + slack,
                        "{chart:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn charts_do_not_overlap_and_leave_the_open_texel_alone() {
    for level in [built(furnished()), hall_with_ball(12), grid()] {
        let map = unwrap(&level, LightmapQuality::default(), 1);
        let mut taken = vec![false; map.sky_visibility.len()];
        taken[0] = true;
        for chart in &map.charts {
            for row in chart.at[1]..chart.at[1] + chart.size[1] {
                for column in chart.at[0]..chart.at[0] + chart.size[0] {
                    assert!(row < map.page_side && column < map.page_side);
                    let row = chart.page * map.page_side + row;
                    let texel = &mut taken[(row * map.page_side + column) as usize];
                    assert!(!*texel, "{chart:?} lies on another");
                    *texel = true;
                }
            }
        }
    }
}

#[test]
fn flat_surfaces_keep_their_area_and_every_place_its_position() {
    for level in [built(furnished()), grid()] {
        let map = unwrap(&level, LightmapQuality::default(), 1);
        for_each_triangle(&map, |chart, number, corners| {
            let vertices = [0, 1, 2].map(|i| level.indices[3 * number as usize + i]);
            let triangle = Triangle {
                corners: vertices.map(|i| level.vertices[i as usize].position.as_dvec3()),
            };
            let texel = chart.along_u.length();
            for (at, corner) in corners.iter().zip(triangle.corners) {
                let [origin, u, v] =
                    [chart.origin, chart.along_u, chart.along_v].map(Vec3::as_dvec3);
                let mut off = origin + u * at.x + v * at.y - corner;
                // Across a narrow patch a single texel covers everything.
                for (size, along) in chart.size.iter().zip([u, v]) {
                    if *size == 1 {
                        off -= along * off.dot(along) / along.length_squared();
                    }
                }
                let most = step(&map) * f64::from(texel);
                assert!(off.length() <= most, "{} m off in {chart:?}", off.length());
            }
            if chart.size.iter().all(|&size| size > 1) {
                let [a, b, c] = corners;
                let area = 0.5 * (b - a).perp_dot(c - a) * f64::from(texel * texel);
                let right = 0.5 * triangle.cross().length();
                let round =
                    (a.distance(b) + b.distance(c) + c.distance(a)) * f64::from(texel * texel);
                assert!(
                    (area - right).abs() <= step(&map) * round,
                    "{area} for {right} m2"
                );
            }
        });
    }
}

#[test]
fn a_room_has_as_many_charts_as_it_has_flat_surfaces() {
    let level = built(furnished());
    let map = unwrap(&level, LightmapQuality::default(), 1);
    // Six charts each for the room, for the crate (its bottom has one too) and for the board.
    assert_eq!(map.charts.len(), 18);
    assert_eq!((map.charts_of.len(), &map.charts_of[0]), (1, &(0..18)));
    let floor = map.chart_at(&level, v(1., 0., 1.), DVec3::Y);
    // The floor is 8 m by 6 m, with 10 texels per metre, and one texel more beyond each wall. Texel centres are half
    // way between tenths of metres.
    assert_eq!(floor.size, [82, 62]);
    let first = floor.origin.as_dvec3();
    assert!(
        first.abs_diff_eq(v(-0.05, 0., -0.05), 1e-6) || first.x > 8.0 || first.z > 6.0,
        "{first}"
    );
    let edge_of_board = map.chart_at(&level, v(2.5, 1.22, 0.4), DVec3::Z);
    assert!(edge_of_board.size.contains(&1), "5 cm are one texel");
}

#[test]
fn a_ball_has_few_charts_that_bend_but_do_not_fold() {
    let level = hall_with_ball(24);
    let map = unwrap(&level, LightmapQuality::default(), 1);
    assert!(
        map.charts.len() < 100, // of 2208 triangles
        "{} charts",
        map.charts.len()
    );
    for_each_triangle(&map, |chart, number, [a, b, c]| {
        let normal = patches::corners_of(&level, number).normal().unwrap();
        assert!(normal.dot(chart.normal.as_dvec3()) > 0.7);
        if chart.size.iter().all(|&size| size > 1) {
            assert!((b - a).perp_dot(c - a) > 0.0, "turned over in {chart:?}");
        }
    });
    let centre = level.from_author(AuthorPoint(v(0.0, 2.0, 0.0))).as_vec3();
    let bent = map.charts.iter().filter(|chart| {
        let triangles = map.triangles_of(&level, chart);
        triangles[0].corners[0].distance(centre.as_dvec3()) < 1.1
    });
    let mut alike = Vec::new();
    for chart in bent {
        for texel in map
            .texels(&level, chart, 0..chart.size[1])
            .into_iter()
            .flatten()
        {
            let out = texel.position - centre;
            // The outermost texels lie beside the surface, on the planes of its triangles, so they are not exactly 1 m
            // from the centre.
            assert!(
                (out.length() - 1.0).abs() < 0.05,
                "{} m from the centre",
                out.length()
            );
            alike.push(out.normalize_or_zero().dot(texel.normal));
        }
    }
    alike.sort_by(f32::total_cmp);
    assert!(alike.len() > 1000 && alike[0] > 0.97, "{}", alike[0]);
    // Most normals are smooth like those of the ball, not flat like its triangles.
    assert!(
        alike[alike.len() / 2] > 0.9995,
        "{}",
        alike[alike.len() / 2]
    );
}

#[test]
fn a_ridge_is_no_plane() {
    let mut sketch = furnished();
    // Two slopes of 10 degrees with flat shading.
    let [a, b, c] = [5.5, 6.5, 7.5].map(|x| v(x, if x == 6.5 { 0.68 } else { 0.5 }, 4.0));
    let [d, e, f] = [a, b, c].map(|p| p + DVec3::Z);
    sketch.mesh(0, 0, &[[a, d, e], [a, e, b], [b, e, f], [b, f, c]]);
    let map = unwrap(&built(sketch), LightmapQuality::default(), 1);
    assert_eq!(map.charts.len(), 18 + 2);
}

#[test]
fn unlit_surfaces_and_the_sky_are_open_and_have_no_chart() {
    let mut sketch = furnished();
    let sky = sketch.material(crate::level::Material {
        sky: true,
        ..Default::default()
    });
    let lamp = sketch.material(crate::level::Material {
        unlit: true,
        ..Default::default()
    });
    sketch.furniture(0, sky, cuboid([6., 2., 1.], [7., 2.5, 2.]));
    sketch.furniture(0, lamp, cuboid([6., 2., 3.], [7., 2.5, 4.]));
    let level = built(sketch);
    let map = baked(&level, LightmapQuality::COARSE);
    assert_eq!(map.charts.len(), 18);
    assert_eq!(map.sky_visibility[0], 255);
    for draw in level.draws.iter().filter(|draw| draw.material > 0) {
        for &vertex in &map.indices[draw.indices.start as usize..draw.indices.end as usize] {
            assert_eq!(map.places[vertex as usize], [0; 4]);
        }
    }
}

#[test]
fn the_order_of_a_file_does_not_show() {
    let shuffled = |source: &LevelSource| {
        let mut source = source.clone();
        source.meshes.reverse();
        for mesh in &mut source.meshes {
            mesh.triangles.reverse();
            mesh.triangles
                .iter_mut()
                .for_each(|corners| corners.rotate_left(1));
        }
        source
    };
    let mut sketch = furnished();
    sketch.spawn(0, v(1., 1., 1.), DVec3::X);
    let (one, _) = build(sketch.source.clone()).unwrap();
    let (other, _) = build(shuffled(&sketch.source)).unwrap();
    let places = |level: &Level| {
        level
            .vertices
            .iter()
            .map(|v| v.position)
            .collect::<Vec<_>>()
    };
    assert_ne!(places(&one), places(&other));
    let [one, other] = [one, other].map(|level| baked(&level, LightmapQuality::COARSE));
    assert!(one.sky_visibility == other.sky_visibility);
    let shapes = |map: &Lightmap| {
        let charts = map.charts.iter();
        charts
            .map(|c| (c.page, c.at, c.size, c.origin))
            .collect::<Vec<_>>()
    };
    assert_eq!(shapes(&one), shapes(&other));
}
