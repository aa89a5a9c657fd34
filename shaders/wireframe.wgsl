// Edges of culled rooms, in one colour.

struct Globals {
    clip_from_view: mat4x4f,
}

@group(0) @binding(0) var<uniform> globals: Globals;

struct InstanceIn {
    @location(6) view_from_room_x: vec3f,
    @location(7) view_from_room_y: vec3f,
    @location(8) view_from_room_z: vec3f,
    @location(9) eye: vec3f,
    @location(10) eye_remainder: vec3f,
    @location(13) tint: vec4f,
}

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) colour: vec3f,
}

@vertex
fn vertex(@location(0) position: vec3f, at: InstanceIn) -> Fragment {
    let from_eye = (position - at.eye) - at.eye_remainder;
    let view_from_room = mat3x3f(at.view_from_room_x, at.view_from_room_y, at.view_from_room_z);
    return Fragment(globals.clip_from_view * vec4f(view_from_room * from_eye, 1.0), at.tint.rgb);
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    return vec4f(in.colour, 0.0);
}
