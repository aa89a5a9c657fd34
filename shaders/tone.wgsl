// Conversion of light to screen colours. The tone curve is applied to every sample before the samples are averaged, so
// that edges of bright surfaces stay smooth.

@group(0) @binding(0) var light: texture_multisampled_2d<f32>;

// A triangle that covers the whole picture.
fn corner(index: u32) -> vec4f {
    return vec4f(vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0, 0.0, 1.0);
}

@vertex
fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {
    return corner(index);
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

fn pixel(at: vec2u) -> vec3f {
    var sum = vec3f(0.0);
    for (var i = 0u; i < 4u; i++) {
        let sample = textureLoad(light, at, i);
        // Alpha 0 marks pixels that are not tone-mapped.
        sum += select(sample.rgb, tone(sample.rgb), sample.a > 0.5);
    }
    return sum * 0.25;
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return vec4f(pixel(vec2u(at.xy)), 1.0);
}

struct Scaled {
    @builtin(position) clip: vec4f,
    // The position in the picture: 0, 0 in the upper left corner, 1, 1 in the lower right one.
    @location(0) part: vec2f,
}

@vertex
fn scaled_vertex(@builtin(vertex_index) index: u32) -> Scaled {
    let clip = corner(index);
    return Scaled(clip, clip.xy * vec2f(0.5, -0.5) + 0.5);
}

// Tone-maps light with fewer pixels than the picture: bilinear interpolation after the tone curve.
@fragment
fn scaled(at: Scaled) -> @location(0) vec4f {
    let last = vec2i(textureDimensions(light)) - 1;
    let place = at.part * vec2f(last + 1) - 0.5;
    let low = vec2i(floor(place));
    let weight = place - floor(place);
    let a = vec2u(clamp(low, vec2i(0), last));
    let b = vec2u(clamp(low + 1, vec2i(0), last));
    let above = mix(pixel(a), pixel(vec2u(b.x, a.y)), weight.x);
    let below = mix(pixel(vec2u(a.x, b.y)), pixel(b), weight.x);
    return vec4f(mix(above, below, weight.y), 1.0);
}
