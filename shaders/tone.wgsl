// From light to the screen: the tone curve on every sample, then their mean, so that edges of
// bright things stay smooth.

@group(0) @binding(0) var light: texture_multisampled_2d<f32>;

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    return vec4f(corner, 0.0, 1.0);
}

const COMPRESSION_START = 0.8 - 0.04;
const DESATURATION = 0.15;

// The Khronos PBR neutral tone mapper (2024): colours keep their hue and, up to the start of the
// compression, their value less the Fresnel reflection of 0.04.
fn tone(light: vec3f) -> vec3f {
    let least = min(light.r, min(light.g, light.b));
    let offset = select(0.04, least - 6.25 * least * least, least < 0.08);
    let colour = light - offset;
    let peak = max(colour.r, max(colour.g, colour.b));
    if peak < COMPRESSION_START {
        return colour;
    }
    let above = 1.0 - COMPRESSION_START;
    let new_peak = 1.0 - above * above / (peak + above - COMPRESSION_START);
    let kept = 1.0 / (DESATURATION * (peak - new_peak) + 1.0);
    return mix(vec3f(new_peak), colour * (new_peak / peak), kept);
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    var sum = vec3f(0.0);
    for (var i = 0u; i < 4u; i++) {
        let sample = textureLoad(light, vec2u(at.xy), i);
        // Alpha 0 marks pixels that are shown as they are.
        sum += select(sample.rgb, tone(sample.rgb), sample.a > 0.5);
    }
    return vec4f(sum * 0.25, 1.0);
}
