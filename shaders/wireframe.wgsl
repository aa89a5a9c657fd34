// Edges of culled rooms, in one colour and darker with distance, so that many distant edges do not hide the drawn
// rooms.

// The distance from the eye up to which edges have full brightness, metres.
const NEAR = 6.0;

struct Globals {
    clip_from_view: mat4x4f,
}

@group(0) @binding(0) var<uniform> globals: Globals;

struct InstanceIn {
    @location(7) view_from_room_x: vec3f,
    @location(8) view_from_room_y: vec3f,
    @location(9) view_from_room_z: vec3f,
    @location(10) eye: vec3f,
    @location(11) eye_remainder_sheet: vec4f,
    @location(12) lights_tint_gradient: vec4u,
    @location(14) pose_rotation: vec4f,
}

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) colour: vec3f,
}

// Rotates a vector by a unit quaternion.
fn turn(by: vec4f, v: vec3f) -> vec3f {
    return v + 2.0 * cross(by.xyz, cross(by.xyz, v) + by.w * v);
}

@vertex
fn vertex(@location(0) position: vec3f, at: InstanceIn) -> Fragment {
    let from_eye = turn(at.pose_rotation, (position - at.eye) - at.eye_remainder_sheet.xyz);
    let tint = unpack4x8unorm(at.lights_tint_gradient.z);
    let view_from_room = mat3x3f(at.view_from_room_x, at.view_from_room_y, at.view_from_room_z);
    let part = min(NEAR / max(length(from_eye), NEAR), 1.0);
    return Fragment(globals.clip_from_view * vec4f(view_from_room * from_eye, 1.0), tint.rgb * part);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    return vec4f(in.colour, 0.0);
}
