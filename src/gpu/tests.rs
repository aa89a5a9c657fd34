//! Tests that shaders and Rust agree on the layout of all data for the device: naga parses the shaders.

use std::collections::BTreeMap;
use std::mem::offset_of;

use bytemuck::Zeroable;
use wgpu::naga::front::wgsl;
use wgpu::naga::{Binding, GlobalVariable, Module, StructMember, TypeInner};

use super::geometry::DrawnVertex;
use super::material::{Coordinates, Factors};
use super::scene::Globals;
use super::shader_sources;
use super::vertex_layouts::{
    CasterInstance, GpuInstance, caster_layout, instance_layout, line_layout, vertex_layout,
};
use crate::frame::LineVertex;
use crate::level::Vertex;
use crate::lighting::GpuLight;

const LINE: &str = include_str!("../../shaders/line.wgsl");
const WIREFRAME: &str = include_str!("../../shaders/wireframe.wgsl");

/// The members of a struct by name, each with its offset and size in bytes.
type StructMembers = BTreeMap<String, (usize, usize)>;

/// The members of a Rust struct; does not compile if one is missing.
macro_rules! members {
    ($type:ident { $($member:ident),* $(,)? }) => {{
        let $type { $($member),* } = $type::zeroed();
        StructMembers::from([$((
            stringify!($member).to_owned(),
            (offset_of!($type, $member), size_of_val(&$member)),
        )),*])
    }};
}

/// Replaces a matrix member by its columns.
fn with_columns<const N: usize>(
    mut members: StructMembers,
    matrix: &str,
    names: [&str; N],
) -> StructMembers {
    let (offset, size) = members.remove(matrix).unwrap();
    for (i, name) in names.iter().enumerate() {
        let column = size / N;
        members.insert(format!("{matrix}_{name}"), (offset + i * column, column));
    }
    members
}

/// Replaces the member `name` of `outer` by the members of its struct `inner`.
fn with_inner(mut outer: StructMembers, name: &str, inner: StructMembers) -> StructMembers {
    let (start, _) = outer.remove(name).unwrap();
    let inner = inner.into_iter();
    outer.extend(inner.map(|(name, (offset, size))| (name, (start + offset, size))));
    outer
}

fn globals() -> StructMembers {
    members!(Globals {
        clip_from_view,
        eye_from_view,
        sky_zenith,
        shadow_size,
        sky_horizon,
        exposure,
        sky_ground,
        brightness,
        suns,
        clouds,
        first_factor,
        pixel_size,
    })
}

fn light() -> StructMembers {
    let members = members!(GpuLight {
        position,
        inverse_range_squared,
        colour,
        spot_scale,
        direction,
        spot_offset,
        first_clip_plane,
        opening_count,
        first_view,
        projection,
        map_from_room,
        radius,
        penumbra,
        padding,
    });
    with_columns(members, "map_from_room", ["x", "y", "z"])
}

fn coordinates() -> StructMembers {
    members!(Coordinates {
        columns,
        offset,
        uv_set,
        padding
    })
}

fn factors() -> StructMembers {
    members!(Factors {
        base_colour,
        emissive,
        alpha_cutoff,
        reflectance,
        grazing_reflectance,
        metallic,
        roughness,
        normal_scale,
        occlusion_strength,
        coordinates,
        light_factor,
        padding,
    })
}

fn drawn_vertex() -> StructMembers {
    let vertex = members!(Vertex {
        position,
        normal,
        tangent,
        uvs,
        colour
    });
    let drawn = members!(DrawnVertex {
        vertex,
        place,
        extent
    });
    with_inner(drawn, "vertex", vertex)
}

fn instance() -> StructMembers {
    let members = members!(GpuInstance {
        view_from_room,
        eye,
        eye_remainder_sheet,
        lights_tint_gradient,
        ambient,
        pose_rotation,
        pose_translation,
    });
    with_columns(members, "view_from_room", ["x", "y", "z"])
}

fn caster() -> StructMembers {
    let members = members!(CasterInstance { clip_from_room });
    let columns = with_columns(members, "clip_from_room", ["x", "y", "z", "w"]);
    // The shader's struct represents the matrix, and its members are the columns.
    let columns = columns.into_iter();
    let short = |name: String| name.trim_start_matches("clip_from_room_").to_owned();
    columns.map(|(name, at)| (short(name), at)).collect()
}

/// The members and the size, bytes, of the shader's struct with this name.
fn shader_struct(module: &Module, name: &str) -> (StructMembers, usize) {
    let is_named = |name_of_type: &Option<String>| name_of_type.as_deref() == Some(name);
    let mut types = module.types.iter().map(|(_, of_type)| of_type);
    let found = types.find(|of_type| is_named(&of_type.name));
    let TypeInner::Struct { members, span } = &found.unwrap().inner else {
        panic!("{name} is no struct");
    };
    let size = |member: &StructMember| module.types[member.ty].inner.size(module.to_ctx());
    let members = members.iter().map(|member| {
        let at = (member.offset as usize, size(member) as usize);
        (member.name.clone().unwrap(), at)
    });
    (members.collect(), *span as usize)
}

/// Checks that all members have the same offsets in the shader and in Rust; Rust's may be padded to a larger size.
fn assert_at_same_offsets(name: &str, shader: &StructMembers, rust: &StructMembers) {
    for (member, &(offset, size)) in shader {
        let found = rust.get(member);
        let &(in_rust, rust_size) =
            found.unwrap_or_else(|| panic!("Rust's {name} has no {member}"));
        assert_eq!(offset, in_rust, "offset of {name}.{member}");
        assert!(size <= rust_size, "size of {name}.{member}");
    }
}

#[test]
fn the_structs_of_the_shaders_are_those_that_are_uploaded() {
    let module = wgsl::parse_str(&shader_sources::room(false)).unwrap();
    for (name, rust, rust_size) in [
        ("Globals", globals(), size_of::<Globals>()),
        ("Light", light(), size_of::<GpuLight>()),
        ("Coordinates", coordinates(), size_of::<Coordinates>()),
        ("Material", factors(), size_of::<Factors>()),
    ] {
        let (shader, size) = shader_struct(&module, name);
        assert_at_same_offsets(name, &shader, &rust);
        assert_eq!(size, rust_size, "size of {name}");
        let unread = |member: &&String| *member != "padding" && !shader.contains_key(*member);
        let unread: Vec<_> = rust.keys().filter(unread).collect();
        assert!(unread.is_empty(), "the shader's {name} has no {unread:?}");
    }
}

/// These shaders declare only a prefix of the members; that of `Material` ends after the base colour's coordinates.
#[test]
fn the_shorter_structs_of_the_other_shaders_have_the_same_offsets() {
    let shadow = shader_sources::shadow();
    let with_coordinates = with_inner(factors(), "coordinates", coordinates());
    for (text, name, rust) in [
        (LINE, "Globals", globals()),
        (WIREFRAME, "Globals", globals()),
        (&shadow, "Material", with_coordinates),
    ] {
        let (shader, _) = shader_struct(&wgsl::parse_str(text).unwrap(), name);
        assert_at_same_offsets(name, &shader, &rust);
    }
}

#[test]
fn the_elements_of_the_shaders_arrays_are_as_large_as_those_that_are_uploaded() {
    let module = wgsl::parse_str(&shader_sources::room(false)).unwrap();
    let arrays = module.global_variables.iter();
    let arrays =
        arrays.filter_map(
            |(_, GlobalVariable { name, ty, .. })| match module.types[*ty].inner {
                TypeInner::Array { stride, .. } => {
                    Some((name.as_deref().unwrap(), stride as usize))
                }
                _ => None,
            },
        );
    let uploaded = [
        ("lights", size_of::<GpuLight>()),
        ("clip_planes", size_of::<[f32; 4]>()),
        ("layers", size_of::<u32>()),
        ("records", size_of::<[f32; 4]>()),
    ];
    assert_eq!(arrays.collect::<Vec<_>>(), uploaded);
    let (material, _) = shader_struct(&module, "Material");
    assert_eq!(material["coordinates"].1, size_of::<[Coordinates; 5]>());
}

/// The names and locations of the inputs of a vertex shader.
fn vertex_inputs(module: &Module, entry: &str) -> Vec<(String, u32)> {
    let mut inputs = Vec::new();
    let mut add = |name: &Option<String>, binding: &Option<Binding>| {
        if let Some(Binding::Location { location, .. }) = binding {
            inputs.push((name.clone().unwrap(), *location));
        }
    };
    let entry = module.entry_points.iter().find(|at| at.name == entry);
    for argument in &entry.unwrap().function.arguments {
        add(&argument.name, &argument.binding);
        if let TypeInner::Struct { members, .. } = &module.types[argument.ty].inner {
            members.iter().for_each(|at| add(&at.name, &at.binding));
        }
    }
    inputs
}

#[test]
fn vertex_shaders_read_the_member_of_the_same_name() {
    let rooms = || {
        let vertices = (vertex_layout(), drawn_vertex(), size_of::<DrawnVertex>());
        let instances = (instance_layout(), instance(), size_of::<GpuInstance>());
        vec![vertices, instances]
    };
    let casters = || {
        let vertices = (vertex_layout(), drawn_vertex(), size_of::<DrawnVertex>());
        let instances = (caster_layout(), caster(), size_of::<CasterInstance>());
        vec![vertices, instances]
    };
    let ends = members!(LineVertex { position, colour });
    let lines = vec![(line_layout(), ends, size_of::<LineVertex>())];
    let (room, shadow) = (shader_sources::room(false), shader_sources::shadow());
    for (text, entry, buffers) in [
        (room.as_str(), "vertex", rooms()),
        (WIREFRAME, "vertex", rooms()),
        (&shadow, "vertex", casters()),
        (&shadow, "masked_vertex", casters()),
        (LINE, "vertex", lines),
    ] {
        let module = wgsl::parse_str(text).unwrap();
        let inputs = vertex_inputs(&module, entry);
        assert!(!inputs.is_empty());
        for (layout, _, size) in &buffers {
            assert_eq!(layout.array_stride, *size as u64);
        }
        for (name, location) in inputs {
            let mut attributes = buffers.iter().flat_map(|(layout, members, _)| {
                let attributes = layout.attributes.iter();
                attributes.map(move |attribute| (attribute, members))
            });
            let found = attributes.find(|(at, _)| at.shader_location == location);
            let (attribute, members) = found.unwrap();
            let read = (attribute.offset as usize, attribute.format.size() as usize);
            assert_eq!(Some(&read), members.get(&name), "{name} of {entry}");
        }
    }
}
