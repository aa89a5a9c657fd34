// The light before the tone curve, for OpenGL: wgpu 30 reads no multisampled textures there, so the samples of a pixel are
// averaged before.

@group(0) @binding(0) var light: texture_2d<f32>;

// The mean of all samples of a pixel.
fn light_sample(at: vec2u, index: u32) -> vec4f {
    return textureLoad(light, at, 0);
}
