//! Tangents for normal maps: imported if the file has them, computed otherwise.

use std::collections::BTreeSet;

use glam::{DMat2, DVec2, DVec3, Vec4};
use opendoor::gltf::read_source_bytes;
use opendoor::source::MeshSource;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::gltf_file::{GltfFile, SQUARE, read, read_cleanly};

/// A mesh with a normal map.
struct Mapped {
    positions: Vec<[f32; 3]>,
    normals: Option<Vec<[f32; 3]>>,
    tangents: Option<Vec<[f32; 4]>>,
    uvs: Vec<[f32; 2]>,
    indices: Vec<u16>,
    /// The texture transform of the normal texture.
    transform: Value,
}

impl Mapped {
    /// [`SQUARE`], with texture coordinates computed from x and z.
    fn square(uv: impl Fn(f32, f32) -> [f32; 2]) -> Self {
        Self {
            positions: SQUARE.to_vec(),
            normals: Some(vec![[0.0, 1.0, 0.0]; 4]),
            tangents: None,
            uvs: SQUARE.map(|[x, _, z]| uv(x, z)).to_vec(),
            indices: vec![0, 1, 2, 0, 2, 3],
            transform: json!({}),
        }
    }

    fn file(&self) -> GltfFile {
        let mut file = GltfFile::new();
        let texture = file.texture();
        let normal = json!({
            "index": texture, "extensions": {"KHR_texture_transform": self.transform},
        });
        file.push("materials", json!({"normalTexture": normal}));
        let mut attributes = json!({
            "POSITION": file.floats(&self.positions), "TEXCOORD_0": file.floats(&self.uvs),
        });
        if let Some(normals) = &self.normals {
            attributes["NORMAL"] = json!(file.floats(normals));
        }
        if let Some(tangents) = &self.tangents {
            attributes["TANGENT"] = json!(file.floats(tangents));
        }
        let indices = file.indices(&self.indices);
        let mesh = file.mesh(json!({"attributes": attributes, "indices": indices, "material": 0}));
        file.in_room(mesh);
        file
    }

    fn mesh(&self) -> MeshSource {
        read_cleanly(&self.file()).meshes.swap_remove(0)
    }
}

#[test]
fn tangents_of_the_file_are_used_unchanged() {
    let mut square = Mapped::square(|x, z| [x, z]);
    square.tangents = Some(vec![[0.0, 0.0, -2.0, -1.0]; 4]);
    assert_eq!(square.mesh().tangents, [Vec4::new(0.0, 0.0, -1.0, -1.0); 4]);
}

#[test]
fn tangents_lie_in_the_surface_under_any_transform_and_flip_in_a_mirror() {
    // A slope of 45 degrees along x and its tangent, scaled to half of the height: 26.6 degrees.
    let mut slope = Mapped::square(|x, z| [x, z]);
    for position in &mut slope.positions {
        position[1] = position[0];
    }
    let half = 0.5_f32.sqrt();
    slope.normals = Some(vec![[-half, half, 0.0]; 4]);
    slope.tangents = Some(vec![[half, half, 0.0, 1.0]; 4]);
    for (scale, tangent) in [
        ([1.0, 0.5, 1.0], Vec4::new(1.0, 0.5, 0.0, 1.0)),
        ([-1.0, 0.5, 1.0], Vec4::new(-1.0, 0.5, 0.0, -1.0)),
        ([1.0, 0.5, -1.0], Vec4::new(1.0, 0.5, 0.0, -1.0)),
        ([-1.0, 0.5, -1.0], Vec4::new(-1.0, 0.5, 0.0, 1.0)),
        ([1e-7, 0.5e-7, 1e-7], Vec4::new(1.0, 0.5, 0.0, 1.0)),
    ] {
        let mut file = slope.file();
        file.json["nodes"][0]["scale"] = json!(scale);
        let mesh = &read_cleanly(&file).meshes[0];
        let expected = tangent
            .truncate()
            .try_normalize()
            .unwrap()
            .extend(tangent.w);
        for (found, normal) in mesh.tangents.iter().zip(&mesh.normals) {
            assert!(found.distance(expected) < 1e-6, "{scale:?}: {found}");
            assert!(found.truncate().dot(*normal).abs() < 1e-6, "{scale:?}");
        }
    }
}

#[test]
fn tangents_without_normals_do_not_count() {
    let mut square = Mapped::square(|x, z| [x, z]);
    square.tangents = Some(vec![[0.0, 0.6, 0.8, -1.0]; 4]);
    square.normals = None;
    let mesh = square.mesh();
    // Flat normals are computed, with a separate vertex for each corner, and tangents as well.
    assert_eq!(mesh.normals, [glam::Vec3::Y; 6]);
    assert_eq!(mesh.tangents, [Vec4::new(1.0, 0.0, 0.0, 1.0); 6]);
}

#[test]
fn tangents_that_nothing_uses_are_not_read() {
    let mut square = Mapped::square(|x, z| [x, z]);
    square.tangents = Some(vec![[f32::NAN; 4]; 3]);
    let mut file = square.file();
    for material in [
        json!({}),
        json!({"normalTexture": {"index": 0}, "extensions": {"KHR_materials_unlit": {}}}),
    ] {
        file.json["materials"][0] = material;
        let mesh = &read_cleanly(&file).meshes[0];
        assert!(mesh.tangents.is_empty());
        assert_eq!(mesh.positions.len(), 4);
    }
}

#[test]
fn tangents_that_cannot_be_read_break_their_mesh() {
    for (tangents, says) in [
        (vec![[1.0, 0.0, 0.0, 1.0]; 3], "TANGENT: accessor"),
        (vec![[1.0, f32::NAN, 0.0, 1.0]; 4], "TANGENT: vertex 0"),
    ] {
        let mut square = Mapped::square(|x, z| [x, z]);
        square.tangents = Some(tangents);
        let problems = read_source_bytes("test", &square.file().glb()).unwrap_err();
        assert_eq!(problems.errors.len(), 1, "{problems}");
        assert!(problems.errors[0].message.contains(says), "{problems}");
    }
}

#[test]
fn vertices_on_the_line_of_a_mirrored_texture_are_split() {
    // Two squares side by side, with u growing away from the line x = 0 between them.
    let xs = [-1.0_f32, 0.0, 1.0];
    let positions: Vec<_> = xs
        .iter()
        .flat_map(|&x| [[x, 0.0, 0.0], [x, 0.0, 1.0]])
        .collect();
    let mapped = Mapped {
        uvs: positions.iter().map(|[x, _, z]| [x.abs(), *z]).collect(),
        normals: Some(vec![[0.0, 1.0, 0.0]; 6]),
        positions,
        tangents: None,
        indices: vec![0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4],
        transform: json!({}),
    };
    let mesh = mapped.mesh();
    assert_eq!(mesh.positions.len(), 8);
    assert_eq!(mesh.uvs[0].len(), 8);
    for triangle in &mesh.triangles {
        let middle: f64 = triangle.iter().map(|&i| mesh.positions[i as usize].x).sum();
        // Seen from above with -z up, +u to the right is not mirrored.
        let side = middle.signum() as f32;
        for &corner in triangle {
            assert_eq!(
                mesh.tangents[corner as usize],
                Vec4::new(side, 0.0, 0.0, side)
            );
        }
    }
}

#[test]
fn a_plane_keeps_its_vertices() {
    assert_eq!(Mapped::square(|x, z| [x, z]).mesh().positions.len(), 4);
}

#[test]
fn where_the_texture_has_no_area_any_direction_along_the_surface_will_do() {
    let mut square = Mapped::square(|_, _| [0.5, 0.5]);
    for tangents in [None, Some(vec![[0.0, 0.0, 0.0, 1.0]; 4])] {
        square.tangents = tangents;
        let mesh = square.mesh();
        for (tangent, normal) in mesh.tangents.iter().zip(&mesh.normals) {
            assert!(tangent.truncate().is_normalized(), "{tangent}");
            assert_eq!(tangent.truncate().dot(*normal), 0.0);
        }
        assert_eq!(mesh.tangents.len(), mesh.positions.len());
    }
}

/// A fan of `count` triangles around its first vertex.
fn fan(count: u16) -> Mapped {
    let rim = (0..=count).map(|i| {
        let (sin, cos) = (f32::from(i) / f32::from(count) * 6.0).sin_cos();
        [cos, 0.0, -sin]
    });
    let positions: Vec<_> = std::iter::once([0.0; 3]).chain(rim).collect();
    Mapped {
        uvs: positions.iter().map(|[x, _, z]| [*x, *z]).collect(),
        normals: Some(vec![[0.0, 1.0, 0.0]; positions.len()]),
        positions,
        tangents: None,
        indices: (1..=count).flat_map(|i| [0, i, i + 1]).collect(),
        transform: json!({}),
    }
}

#[test]
fn a_point_with_too_many_triangles_around_it_is_a_warning_and_drawn_all_the_same() {
    let around = fan(1000).mesh();
    assert!(
        around
            .tangents
            .iter()
            .all(|t| t.distance(Vec4::new(1.0, 0.0, 0.0, 1.0)) < 1e-3)
    );
    let (source, problems) = read(&fan(1500).file());
    assert_eq!(problems.warnings.len(), 1, "{problems}");
    assert!(
        problems.warnings[0]
            .message
            .contains("1500 triangles around one point")
    );
    assert_eq!(source.meshes[0].triangles.len(), 1500);
}

proptest! {
    /// On a plane the tangent is known: the direction in which u grows while v is constant.
    #[test]
    fn on_a_plane_tangents_are_where_u_grows(
        uv_from_plane in prop::array::uniform4(-2.0..2.0_f64),
        texture_scale in prop::array::uniform2(prop_oneof![-3.0..-0.3, 0.3..3.0]),
        texture_angle in -3.0..3.0_f64,
        scale in prop::array::uniform3(prop_oneof![-3.0..-0.3, 0.3..3.0]),
        rotation in prop::array::uniform4(0.1..1.0_f64),
    ) {
        let uv_from_plane = DMat2::from_cols_array(&uv_from_plane);
        prop_assume!(uv_from_plane.determinant().abs() > 0.2);
        let mut square = Mapped::square(|x, z| {
            (uv_from_plane * DVec2::new(x.into(), z.into())).as_vec2().to_array()
        });
        square.transform =
            json!({"scale": texture_scale, "rotation": texture_angle, "offset": [0.3, 7]});
        let mut file = square.file();
        file.json["nodes"][0]["scale"] = json!(scale);
        file.json["nodes"][0]["rotation"] = json!(rotation);
        let mesh = &read_cleanly(&file).meshes[0];
        let (sin, cos) = texture_angle.sin_cos();
        let turned = DMat2::from_cols(DVec2::new(cos, -sin), DVec2::new(sin, cos));
        let texture_from_plane = turned * DMat2::from_diagonal(texture_scale.into()) * uv_from_plane;
        let quaternion = glam::DQuat::from_array(rotation).normalize();
        let along = |step: DVec2| {
            let step = texture_from_plane.inverse() * step;
            quaternion * (DVec3::new(step.x, 0.0, step.y) * DVec3::from(scale))
        };
        let (u_grows, v_falls) = (along(DVec2::X), along(DVec2::NEG_Y));
        for (tangent, normal) in mesh.tangents.iter().zip(&mesh.normals) {
            let direction = tangent.truncate().as_dvec3();
            prop_assert!(direction.distance(u_grows.try_normalize().unwrap()) < 1e-4, "{tangent} {u_grows}");
            let bitangent = normal.as_dvec3().cross(direction) * f64::from(tangent.w);
            prop_assert!(bitangent.dot(v_falls) > 0.0, "{tangent} {normal} {v_falls}");
        }
        prop_assert_eq!(mesh.tangents.len(), mesh.positions.len());
    }

    /// Random triangles of a few points: folded, duplicated, degenerate and mirrored.
    #[test]
    fn any_heap_of_triangles_gets_tangents(
        points in prop::collection::vec(prop::array::uniform3(-1..=1_i8), 3..7),
        uvs in prop::collection::vec(prop::array::uniform2(-1..=1_i8), 7),
        indices in prop::collection::vec(0..64_u16, 3..60),
        with_normals: bool,
    ) {
        let count = points.len() as u16;
        let positions: Vec<_> = points.iter().map(|p| p.map(f32::from)).collect();
        let whole = indices.len() / 3 * 3;
        let heap = Mapped {
            normals: with_normals.then(|| positions.clone()),
            uvs: (0..positions.len()).map(|i| uvs[i].map(f32::from)).collect(),
            positions,
            tangents: None,
            indices: indices[..whole].iter().map(|i| i % count).collect(),
            transform: json!({}),
        };
        let mesh = heap.mesh();
        prop_assert_eq!(mesh.tangents.len(), mesh.positions.len());
        prop_assert_eq!(mesh.normals.len(), mesh.positions.len());
        for tangent in &mesh.tangents {
            prop_assert!(tangent.truncate().is_normalized());
            prop_assert_eq!(tangent.w.abs(), 1.0);
        }
        // The triangles themselves are unchanged.
        let corners = mesh.triangles.iter().flatten().map(|&i| mesh.positions[i as usize]);
        let given = heap.indices.iter().map(|&i| DVec3::from(heap.positions[usize::from(i)].map(f64::from)));
        prop_assert!(corners.eq(given));
        let used: BTreeSet<u32> = mesh.triangles.iter().flatten().copied().collect();
        prop_assert_eq!(used.len(), mesh.positions.len());
    }
}
