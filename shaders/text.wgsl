// Overlay text: an instance for each character cell, a letter over a dark backing.

struct Screen {
    // Pixels of the picture.
    size: vec2f,
    // Pixels of one character cell in the atlas.
    cell: vec2f,
    // Pixels of the picture for each pixel of the font.
    scale: f32,
}

@group(0) @binding(0) var<uniform> screen: Screen;
@group(0) @binding(1) var atlas: texture_2d<f32>;

struct Fragment {
    @builtin(position) clip: vec4f,
    // Pixels in the atlas.
    @location(0) texel: vec2f,
}

// The atlas is one row of cells; `cell` is (column, row, index of the glyph).
@vertex
fn vertex(@builtin(vertex_index) index: u32, @location(0) cell: vec4<u32>) -> Fragment {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u));
    let pixel = (vec2f(cell.xy) + corner) * screen.cell * screen.scale;
    let clip = vec2f(pixel.x / screen.size.x * 2.0 - 1.0, 1.0 - pixel.y / screen.size.y * 2.0);
    let texel = vec2f((f32(cell.z) + corner.x) * screen.cell.x, corner.y * screen.cell.y);
    return Fragment(vec4f(clip, 0.0, 1.0), texel);
}

// Blending is linear: this leaves a tenth of the light, which to the eye is about a third.
const BACKING = 0.9;

@fragment
fn fragment(in: Fragment) -> @location(0) vec4f {
    let ink = textureLoad(atlas, vec2i(in.texel), 0).r;
    return vec4f(vec3f(ink), max(ink, BACKING));
}
