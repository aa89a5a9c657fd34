// Depth of shadow casters, seen from the light.

struct Material {
    base_colour: vec4f,
    emissive: vec3f,
    alpha_cutoff: f32,
    reflectance: vec3f,
    grazing_reflectance: f32,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    columns: vec4f,
    offset: vec2f,
    uv_set: f32,
}

@group(0) @binding(0) var<uniform> material: Material;
@group(0) @binding(1) var base_texture: texture_2d<f32>;
@group(0) @binding(2) var base_sampler: sampler;

struct ClipFromRoom {
    @location(7) x: vec4f,
    @location(8) y: vec4f,
    @location(9) z: vec4f,
    @location(10) w: vec4f,
}

fn clip(position: vec3f, at: ClipFromRoom) -> vec4f {
    return mat4x4f(at.x, at.y, at.z, at.w) * vec4f(position, 1.0);
}

@vertex
fn vertex(@location(0) position: vec3f, at: ClipFromRoom) -> @builtin(position) vec4f {
    return clip(position, at);
}

// Flattens geometry nearer than the near plane onto it: a map covers only the bounds of a room, and for example the
// head of a figure in an open court may be above them.
@vertex
fn flattened_vertex(@location(0) position: vec3f, at: ClipFromRoom) -> @builtin(position) vec4f {
    let at_light = clip(position, at);
    return vec4f(at_light.xy, min(at_light.z, at_light.w), at_light.w);
}

struct Masked {
    @builtin(position) clip: vec4f,
    @location(0) uv: vec2f,
    @location(1) alpha: f32,
}

@vertex
fn masked_vertex(
    @location(0) position: vec3f,
    @location(3) uvs: vec4f,
    @location(4) colour: vec4f,
    at: ClipFromRoom,
) -> Masked {
    let uv = mix(uvs.xy, uvs.zw, material.uv_set);
    var out: Masked;
    out.clip = clip(position, at);
    out.uv = material.columns.xy * uv.x + material.columns.zw * uv.y + material.offset;
    out.alpha = colour.a * material.base_colour.a;
    return out;
}

@fragment
fn masked(in: Masked) {
    let alpha = in.alpha * sampled(base_texture, base_sampler, in.uv).a;
    if alpha < material.alpha_cutoff {
        discard;
    }
}
