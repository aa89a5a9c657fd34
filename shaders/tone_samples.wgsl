// The light before the tone curve.

@group(0) @binding(0) var light: texture_multisampled_2d<f32>;

// A sample of a pixel.
fn light_sample(at: vec2u, index: u32) -> vec4f {
    return textureLoad(light, at, index);
}
