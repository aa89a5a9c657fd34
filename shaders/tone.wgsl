// Conversion of light to screen colours. The tone curve is applied to every sample before the samples are averaged, so
// that edges of bright surfaces stay smooth. Pictures of 8 bits are dithered.

// The halo, in half of the light's resolution; or another texture of the bloom's chain.
@group(0) @binding(1) var source: texture_2d<f32>;
@group(0) @binding(2) var smooth_clamped: sampler;
// One texel: the adapted exposure in stops, as the bits of a float. OpenGL ES draws no textures of 32-bit floats.
@group(1) @binding(0) var exposure: texture_2d<u32>;

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

// The factor of the adapted exposure.
fn exposure_factor() -> f32 {
    let stops = bitcast<f32>(textureLoad(exposure, vec2u(0u), 0).r);
    return select(exp2(stops), 1.0, stops == 0.0);
}

// Whether light above white has a halo.
override BLOOM: bool = false;

// The part of the light above white that the halo spreads.
const SCATTERED = 0.1;
// The amount above white at which the share of the halo stops growing.
const KNEE = 1.0;
// The maximum light of a sample that the halo spreads: the sun, or a highlight of one pixel.
const MAX_SCATTERED = 64.0;

// The light of a sample above white, which the halo spreads.
fn above_white(light: vec3f) -> vec3f {
    let peak = max(light.r, max(light.g, light.b));
    let above = max(peak - 1.0, 0.0);
    let amount = select(above - 0.5 * KNEE, above * above * (0.5 / KNEE), above < KNEE);
    return light * (min(amount, MAX_SCATTERED) / max(peak, 1.0));
}

// The mean of a pixel's samples after the tone curve; alpha is the part of the samples that are tone-mapped.
fn pixel(at: vec2u) -> vec4f {
    let factor = exposure_factor();
    var halo = vec3f(0.0);
    if BLOOM {
        let uv = (vec2f(at) + 0.5) * 0.5 / vec2f(textureDimensions(source));
        halo = textureSampleLevel(source, smooth_clamped, uv, 0.0).rgb;
    }
    var sum = vec4f(0.0);
    for (var i = 0u; i < 4u; i++) {
        let sample = light_sample(at, i);
        var exposed = sample.rgb * factor;
        if BLOOM {
            exposed += (halo - above_white(exposed)) * SCATTERED;
        }
        // Alpha 0 marks pixels that are not tone-mapped.
        sum += select(vec4f(sample.rgb, 0.0), vec4f(tone(exposed), 1.0), sample.a > 0.5);
    }
    return sum * 0.25;
}

// Whether the target has sRGB codes of 8 bits.
override DITHERS: bool = false;

// Rounds a colour to codes after adding noise of one code, so that smooth surfaces show no contours. The noise has a
// triangular distribution, and a uniform one of half the width within half a code of black and white, so that it changes
// no mean. It depends on the position in the picture alone: the R2 sequence (M. Roberts, 2018) in integers. Black stays
// black, and pixels that are not tone-mapped keep their colours. The result is the exact value of a code, because some
// drivers only approximate the conversion.
fn dithered(colour: vec4f, at: vec2f) -> vec4f {
    if !DITHERS {
        return vec4f(colour.rgb, 1.0);
    }
    let corner = vec2u(at);
    let part = f32((corner.x * 3242174889u + corner.y * 2447445414u) >> 8u) / 16777216.0;
    let triangular = select(1.0 - sqrt(2.0 - 2.0 * part), sqrt(2.0 * part) - 1.0, part < 0.5);
    let linear = colour.rgb;
    let curved = 1.055 * pow(linear, vec3f(1.0 / 2.4)) - 0.055;
    let code = 255.0 * select(curved, linear * 12.92, linear < vec3f(0.0031308));
    let near_end = (code < vec3f(0.5)) | (code > vec3f(254.5));
    let noise = select(vec3f(triangular), vec3f(part - 0.5), near_end) * colour.a;
    let rounded = clamp(floor(code + noise + 0.5) / 255.0, vec3f(0.0), vec3f(1.0));
    let shown = select(pow((rounded + 0.055) / 1.055, vec3f(2.4)), rounded / 12.92, rounded < vec3f(0.04045));
    let has_noise = (linear > vec3f(0.0)) & vec3<bool>(colour.a > 0.0);
    return vec4f(select(linear, shown, has_noise), 1.0);
}

@fragment
fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {
    return dithered(pixel(vec2u(at.xy)), at.xy);
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
    return dithered(mix(above, below, weight.y), at.clip.xy);
}

// The first texture of the bloom's chain: the light above white, in half of the resolution.
@fragment
fn bright(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let factor = exposure_factor();
    let size = textureDimensions(light);
    let corner = vec2u(at.xy) * 2u;
    var sum = vec3f(0.0);
    for (var i = 0u; i < 16u; i++) {
        let place = corner + vec2u(i & 1u, (i >> 1u) & 1u);
        let sample = light_sample(min(place, size - 1u), i >> 2u);
        let counts = sample.a > 0.5 && all(place < size);
        sum += select(vec3f(0.0), above_white(sample.rgb * factor), counts);
    }
    return vec4f(sum / 16.0, 1.0);
}

// A texture of half of the source's size, with the weights 1, 3, 3, 1 along each axis.
@fragment
fn halve(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let size = vec2f(textureDimensions(source));
    let middle = floor(at.xy) * 2.0 + 1.0;
    var sum = vec3f(0.0);
    for (var i = 0u; i < 4u; i++) {
        let corner = vec2f(f32(i & 1u), f32(i >> 1u)) * 1.5 - 0.75;
        sum += textureSampleLevel(source, smooth_clamped, (middle + corner) / size, 0.0).rgb;
    }
    return vec4f(sum * 0.25, 1.0);
}

// The source in twice its size, interpolated, to be blended over the texture of that size.
@fragment
fn enlarge(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let uv = at.xy * 0.5 / vec2f(textureDimensions(source));
    return vec4f(textureSampleLevel(source, smooth_clamped, uv, 0.0).rgb, 1.0);
}

// The grid of cells in which the light is measured, and the samples along a cell's sides.
const CELLS = vec2u(16u, 9u);
const CELL_SAMPLES = 8u;
// The limits of measured light: darker surfaces are noise to the eye, brighter ones are lamps.
const MIN_MEASURED = 1.0 / 512.0;
const MAX_MEASURED = 16.0;

@group(0) @binding(3) var cells: texture_2d<f32>;
@group(0) @binding(4) var previous: texture_2d<u32>;
// The parts of a change to a higher and to a lower exposure that are done.
@group(0) @binding(5) var<uniform> step_parts: vec4f;

// A cell: the mean binary logarithm of the luminance, and the part of the samples that are tone-mapped.
@fragment
fn measure(@builtin(position) at: vec4f) -> @location(0) vec4f {
    let size = textureDimensions(light);
    let corner = vec2u(at.xy) * CELL_SAMPLES;
    var sum = 0.0;
    var count = 0.0;
    for (var i = 0u; i < CELL_SAMPLES * CELL_SAMPLES; i++) {
        let part = vec2f(corner + vec2u(i % CELL_SAMPLES, i / CELL_SAMPLES)) + 0.5;
        let place = vec2u(part / vec2f(CELLS * CELL_SAMPLES) * vec2f(size));
        let sample = light_sample(min(place, size - 1u), 0u);
        let luminance = dot(sample.rgb, vec3f(0.2126, 0.7152, 0.0722));
        // The comparison is false for NaN.
        let measured = select(MIN_MEASURED, min(luminance, MAX_MEASURED), luminance > MIN_MEASURED);
        let weight = select(0.0, 1.0, sample.a > 0.5);
        sum += log2(measured) * weight;
        count += weight;
    }
    return vec4f(sum / max(count, 1.0), count / f32(CELL_SAMPLES * CELL_SAMPLES), 0.0, 1.0);
}

// The mean logarithm of the luminance for which the exposure of the level is kept.
const TYPICAL_LOG = -3.0;
// The part of a deviation from it that is compensated: a cellar stays darker than a garden.
const COMPENSATED = 0.6;
// The maximum change of the level's exposure, stops.
const MAX_STOPS = 2.0;

// The next exposure in stops, as the bits of a float, from the previous one and the light in the cells.
@fragment
fn adapt(@builtin(position) at: vec4f) -> @location(0) vec4u {
    var sum = 0.0;
    var weights = 0.0;
    for (var i = 0u; i < CELLS.x * CELLS.y; i++) {
        let cell = vec2u(i % CELLS.x, i / CELLS.x);
        let measured = textureLoad(cells, cell, 0);
        // The weight falls from the centre to a sixteenth in the middle of each side.
        let offset = (vec2f(cell) + 0.5) / vec2f(CELLS) * 2.0 - 1.0;
        let weight = exp2(-4.0 * dot(offset, offset)) * measured.g;
        sum += measured.r * weight;
        weights += weight;
    }
    let before = bitcast<f32>(textureLoad(previous, vec2u(0u), 0).r);
    let wanted = clamp((TYPICAL_LOG - sum / max(weights, 1e-6)) * COMPENSATED, -MAX_STOPS, MAX_STOPS);
    let part = select(step_parts.y, step_parts.x, wanted > before);
    // A picture without measured light keeps the exposure.
    let next = select(before, mix(before, wanted, part), weights > 0.0);
    return vec4u(bitcast<u32>(next), 0u, 0u, 0u);
}
