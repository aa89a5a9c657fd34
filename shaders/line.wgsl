// Debug lines, given in view coordinates.

struct Globals {
    clip_from_view: mat4x4f,
}

@group(0) @binding(0) var<uniform> globals: Globals;

struct Fragment {
    @builtin(position) clip: vec4f,
    @location(0) colour: vec4f,
}

@vertex
fn vertex(@location(0) position: vec3f, @location(1) colour: vec4f) -> Fragment {
    // Colours are encoded as sRGB; the target converts them back.
    let linear = pow(colour.rgb, vec3f(2.2));
    return Fragment(globals.clip_from_view * vec4f(position, 1.0), vec4f(linear, colour.a));
}

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    // Alpha 0: not tone-mapped.
    return vec4f(in.colour.rgb, 0.0);
}
