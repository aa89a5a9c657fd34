// Surfaces of rooms: base colour under the room's lights, in the room's coordinates, so that a
// surface's colour depends on nothing but the level.

struct Globals {
    clip_from_view: mat4x4f,
    // Light from everywhere on a white surface, 1 being white on the screen.
    ambient: f32,
}

// One light in the coordinates of one room; see lighting::PlacedLight.
struct Light {
    position: vec3f,
    // 1 / range^2, 1/m2; negative for parallel light.
    inverse_range_squared: f32,
    colour: vec3f,
    spot_scale: f32,
    direction: vec3f,
    spot_offset: f32,
    first_side: u32,
    side_count: u32,
}

struct Material {
    base_colour: vec4f,
    emissive: vec3f,
    // Below this alpha nothing is drawn.
    alpha_cutoff: f32,
}

// Whether texels are cut away. Told apart, because a shader that may discard cannot test the depth
// before it computes the colour.
override MASKED: bool = false;
// Whether the surface shows its colour whatever the light. Told apart as well: a condition on a
// uniform makes Mesa's software driver compile the shader anew for every draw call.
override UNLIT: bool = false;

@group(0) @binding(0) var<uniform> globals: Globals;
@group(0) @binding(1) var<storage, read> lights: array<Light>;
@group(0) @binding(2) var<storage, read> sides: array<vec4f>;
@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var base_texture: texture_2d<f32>;
@group(1) @binding(2) var base_sampler: sampler;

struct VertexIn {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
}

// The same for all vertices of a drawn room; see frame::Placement.
struct PlacementIn {
    @location(3) view_from_room_x: vec3f,
    @location(4) view_from_room_y: vec3f,
    @location(5) view_from_room_z: vec3f,
    @location(6) eye: vec3f,
    @location(7) eye_remainder: vec3f,
    // First and one past the last of its lights.
    @location(8) lights: vec2u,
}

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) uv: vec2f,
    @location(3) @interpolate(flat) lights: vec2u,
}

@vertex
fn vertex(in: VertexIn, at: PlacementIn) -> Fragment {
    let from_eye = (in.position - at.eye) - at.eye_remainder;
    let view_from_room = mat3x3f(at.view_from_room_x, at.view_from_room_y, at.view_from_room_z);
    var out: Fragment;
    out.clip = globals.clip_from_view * vec4f(view_from_room * from_eye, 1.0);
    out.position = in.position;
    out.normal = in.normal;
    out.uv = in.uv;
    out.lights = at.lights;
    return out;
}

// Width of the soft rim around light that came through an opening: the sine of the angle under
// which a lamp of some centimetres is seen from across a room. The rim lies outside, so that no
// line shows where the opening meets the floor.
const RIM = 0.03;

// How much of the light arrives, 0..1, for the openings that it came through.
fn through_openings(light: Light, from_light: vec3f) -> f32 {
    var part = 1.0;
    for (var i = light.first_side; i < light.first_side + light.side_count; i++) {
        part *= smoothstep(-RIM, 0.0, dot(sides[i].xyz, from_light));
    }
    return part;
}

// Light from one lamp on a white surface: Lambert, inverse square, the window and the cone of
// KHR_lights_punctual.
fn illumination(light: Light, position: vec3f, normal: vec3f) -> vec3f {
    if light.inverse_range_squared < 0.0 {
        return light.colour * max(dot(normal, -light.direction), 0.0);
    }
    let to_light = light.position - position;
    let distance_squared = max(dot(to_light, to_light), 1e-4);
    let direction = to_light * inverseSqrt(distance_squared);
    let facing = dot(normal, direction);
    let part_of_range = distance_squared * light.inverse_range_squared;
    if facing <= 0.0 || part_of_range >= 1.0 {
        return vec3f(0.0);
    }
    let window = 1.0 - part_of_range * part_of_range;
    let spot = saturate(dot(-direction, light.direction) * light.spot_scale + light.spot_offset);
    let falloff = window * spot * spot / distance_squared;
    return light.colour * (falloff * facing * through_openings(light, -direction));
}

// Soft light from above and a little from one side, so that the floor, the ceiling and the
// walls of one colour are told apart where no lamp shines.
fn ambient(normal: vec3f) -> f32 {
    let from_above = 0.86 + 0.14 * normal.y;
    let from_side = 1.0 + 0.12 * dot(normal, vec3f(0.8, 0.0, 0.6));
    return globals.ambient * from_above * from_side;
}

// The Khronos PBR Neutral curve without its Fresnel offset: colours up to KNEE stay as they
// are, brighter ones approach white and lose saturation.
const KNEE = 0.5;
const DESATURATION = 0.15;

fn tone(colour: vec3f) -> vec3f {
    let peak = max(colour.r, max(colour.g, colour.b));
    if peak < KNEE {
        return colour;
    }
    let room_above = 1.0 - KNEE;
    let new_peak = 1.0 - room_above * room_above / (peak + room_above - KNEE);
    let grey = 1.0 - 1.0 / (DESATURATION * (peak - new_peak) + 1.0);
    return mix(colour * (new_peak / peak), vec3f(new_peak), grey);
}

@fragment
fn fragment(in: Fragment, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let base = material.base_colour * textureSample(base_texture, base_sampler, in.uv);
    if MASKED && base.a < material.alpha_cutoff {
        discard;
    }
    if UNLIT {
        return vec4f(base.rgb, 1.0);
    }
    let normal = normalize(select(-in.normal, in.normal, front));
    var light = vec3f(ambient(normal));
    for (var i = in.lights.x; i < in.lights.y; i++) {
        light += illumination(lights[i], in.position, normal);
    }
    return vec4f(tone(base.rgb * light + material.emissive), 1.0);
}
