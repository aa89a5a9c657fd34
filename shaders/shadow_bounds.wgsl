// The nearest and the farthest depth around each block of a shadow map, as the bits of floats.

// Texels of a map along a side of a block.
const BLOCK = 16;
// The maximum number of blocks between a block and the edge of a penumbra in it.
const REACH = 3;
// Texels by which filters reach beyond a penumbra.
const FILTER_REACH = 3.0;

@group(0) @binding(0) var maps: texture_2d_array<f32>;
@group(0) @binding(1) var blocks: texture_2d<u32>;

struct Block {
    @builtin(position) at: vec4f,
    @location(0) @interpolate(flat) layer: u32,
    @location(1) @interpolate(flat) reach: f32,
}

// `reach` is the maximum radius of a penumbra, texels, per depth of its edge.
@vertex
fn vertex(@builtin(vertex_index) index: u32, @location(0) layer: u32, @location(1) reach: f32) -> Block {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    return Block(vec4f(corner, 0.0, 1.0), layer, reach);
}

// The bounds of a block alone.
@fragment
fn measure(block: Block) -> @location(0) vec2u {
    let last = vec2i(textureDimensions(maps)) - 1;
    let first = vec2i(block.at.xy) * BLOCK;
    var nearest = 0.0;
    var farthest = 1.0;
    for (var y = 0; y < BLOCK; y++) {
        for (var x = 0; x < BLOCK; x++) {
            let depth = textureLoad(maps, min(first + vec2i(x, y), last), i32(block.layer), 0).r;
            nearest = max(nearest, depth);
            farthest = min(farthest, depth);
        }
    }
    return bitcast<vec2u>(vec2f(nearest, farthest));
}

// The bounds of a block and its surroundings. Depths that are too far for a penumbra in the block do not count as near.
@fragment
fn widen(block: Block) -> @location(0) vec2u {
    let end = vec2i(textureDimensions(blocks));
    let own = vec2i(block.at.xy);
    var bounds = vec2f(0.0, 1.0);
    for (var y = -REACH; y <= REACH; y++) {
        for (var x = -REACH; x <= REACH; x++) {
            let at = own + vec2i(x, y);
            if any(at < vec2i(0)) || any(at >= end) {
                continue;
            }
            let found = bitcast<vec2f>(textureLoad(blocks, at, 0).rg);
            let gap = f32(max(max(abs(x), abs(y)) - 1, 0) * BLOCK);
            if found.x * block.reach + FILTER_REACH >= gap {
                bounds.x = max(bounds.x, found.x);
            }
            bounds.y = min(bounds.y, found.y);
        }
    }
    return bitcast<vec2u>(bounds);
}
