// The textures of materials. A part of the shaders of rooms and of shadow maps.

// Maximum distance of a position from the origin, repetitions of the texture.
const MAX_POSITION = 1e6;
// Maximum difference of positions in neighbouring pixels, repetitions of the texture. A floor seen at a slant has such
// positions only far away.
const MAX_SLOPE = 64.0;

// The colour of a material's texture at a position. Derivatives are computed with pixels beyond the edges of a triangle.
// If the plane of the triangle almost contains the eye, the positions of such pixels are at any distance, infinite or not
// a number. Mesa's software driver filters all texels between them, and does not return. So positions that differ by
// more than `MAX_SLOPE` are replaced by others that differ by at most that, but by enough for the smallest mipmaps: such
// a pixel shows the mean of the texture.
fn sampled(image: texture_2d<f32>, filtering: sampler, position: vec2f) -> vec4f {
    let slope = abs(dpdx(position)) + abs(dpdy(position));
    let near = select(fract(position) * MAX_SLOPE, position, slope < vec2f(MAX_SLOPE));
    let at = select(vec2f(0.0), near, abs(near) < vec2f(MAX_POSITION));
    return textureSample(image, filtering, at);
}
