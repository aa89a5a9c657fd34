// From the pictures on the faces of a cube to its octahedral map, whose levels are filtered for rougher and rougher
// surfaces.

// The factor for all light in the pictures.
override BRIGHTNESS: f32 = 1.0;

// Texels along a side of a face, and of the largest level of the map; the same as in gpu::cube_capture.
const FACE_TEXELS = 64.0;
const MAP_TEXELS = 128u;
// The index of the level for roughness 1.
const LAST_LEVEL = 4.0;
// The number of samples for a texel.
const SAMPLES = 64u;
// The maximum stored light, as a multiple of the mean.
const BRIGHTEST = 1000.0;
const PI = 3.14159265;

@group(0) @binding(0) var picture: texture_multisampled_2d<f32>;
@group(0) @binding(1) var face: texture_storage_2d<rgba16float, write>;

// Copies a picture to a face of the cube, mirrored, because cubes are seen from inside.
@compute @workgroup_size(8, 8)
fn resolve(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(face);
    if id.x >= size.x || id.y >= size.y {
        return;
    }
    var sum = vec3f(0.0);
    for (var i = 0; i < 4; i++) {
        sum += textureLoad(picture, vec2i(id.xy), i).rgb;
    }
    textureStore(face, vec2u(size.x - 1u - id.x, id.y), vec4f(sum * 0.25, 1.0));
}

@group(0) @binding(2) var large: texture_2d_array<f32>;
@group(0) @binding(3) var small: texture_storage_2d_array<rgba16float, write>;

// Halves the size of all faces.
@compute @workgroup_size(8, 8)
fn halve(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(small);
    if id.x >= size.x || id.y >= size.y {
        return;
    }
    var sum = vec3f(0.0);
    for (var i = 0u; i < 4u; i++) {
        sum += textureLoad(large, id.xy * 2u + vec2u(i & 1u, i >> 1u), id.z, 0).rgb;
    }
    textureStore(small, id.xy, id.z, vec4f(sum * 0.25, 1.0));
}

@group(0) @binding(4) var faces: texture_2d_array<f32>;
// The mean radiance of all directions, and its maximum channel in the units of lights.
@group(0) @binding(5) var<storage, read_write> mean: vec4f;

@compute @workgroup_size(1)
fn measure() {
    let size = textureDimensions(faces);
    var sum = vec4f(0.0);
    for (var y = 0u; y < size.y; y++) {
        for (var x = 0u; x < size.x; x++) {
            // The solid angle of a texel is proportional to this.
            let at = (vec2f(vec2u(x, y)) + 0.5) / vec2f(size) * 2.0 - 1.0;
            let part = pow(1.0 + dot(at, at), -1.5);
            for (var i = 0u; i < 6u; i++) {
                sum += vec4f(textureLoad(faces, vec2u(x, y), i, 0).rgb, 1.0) * part;
            }
        }
    }
    let radiance = sum.rgb / sum.a;
    mean = vec4f(radiance, max(radiance.r, max(radiance.g, radiance.b)) / BRIGHTNESS);
}

@group(0) @binding(6) var cube: texture_cube<f32>;
@group(0) @binding(7) var trilinear: sampler;
@group(0) @binding(8) var<storage, read> measured: vec4f;
@group(0) @binding(9) var map: texture_storage_2d<rgba16float, write>;

// The direction of a point of an octahedral map, -1..1; points beyond the border continue on the other side of it.
fn direction_of(point: vec2f) -> vec3f {
    var at = point;
    if abs(at.x) > 1.0 {
        at = vec2f(sign(at.x) * (2.0 - abs(at.x)), -at.y);
    }
    if abs(at.y) > 1.0 {
        at = vec2f(-at.x, sign(at.y) * (2.0 - abs(at.y)));
    }
    let z = 1.0 - abs(at.x) - abs(at.y);
    let fold = max(-z, 0.0);
    let signs = select(vec2f(1.0), vec2f(-1.0), at < vec2f(0.0));
    return normalize(vec3f(at - signs * fold, z));
}

// The light that a facet distribution (GGX) of this roughness reflects towards its normal, which is also the direction
// to the eye (B. Karis, "Real Shading in Unreal Engine 4", 2013). Samples are read from levels of the cube that are as
// coarse as the samples are far apart (J. Krivanek and M. Colbert, 2008).
fn filtered(normal: vec3f, roughness: f32) -> vec3f {
    let alpha = roughness * roughness;
    let a2 = alpha * alpha;
    let helper = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), abs(normal.z) < 0.9);
    let tangent = normalize(cross(helper, normal));
    let bitangent = cross(normal, tangent);
    let texel = 4.0 * PI / (6.0 * FACE_TEXELS * FACE_TEXELS);
    var sum = vec4f(0.0);
    for (var i = 0u; i < SAMPLES; i++) {
        let u = (f32(i) + 0.5) / f32(SAMPLES);
        // Van der Corput's sequence.
        let v = f32(reverseBits(i)) / 4294967296.0;
        let cos2 = (1.0 - u) / (1.0 + (a2 - 1.0) * u);
        let across = sqrt(1.0 - cos2);
        let cos_half = sqrt(cos2);
        let half_way = tangent * (across * cos(2.0 * PI * v)) + bitangent * (across * sin(2.0 * PI * v)) + normal * cos_half;
        let to_light = 2.0 * cos_half * half_way - normal;
        let part = dot(normal, to_light);
        if part > 0.0 {
            let d = cos2 * (a2 - 1.0) + 1.0;
            let density = a2 / (4.0 * PI * d * d);
            let level = 0.5 * log2(1.0 / (f32(SAMPLES) * density * texel)) + 1.0;
            let light = textureSampleLevel(cube, trilinear, to_light, max(level, 0.0)).rgb;
            sum += vec4f(light, 1.0) * part;
        }
    }
    return sum.rgb / max(sum.a, 1e-6);
}

// Fills a level of the map with light as a multiple of the mean. The outermost texels repeat those on the other side of
// the border, so that the map can be interpolated everywhere.
@compute @workgroup_size(8, 8)
fn filter_level(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(map);
    if id.x >= size.x || id.y >= size.y {
        return;
    }
    let point = (vec2f(id.xy) - 0.5) / vec2f(size - 2u) * 2.0 - 1.0;
    let direction = direction_of(point);
    let level = firstLeadingBit(MAP_TEXELS / size.x);
    var light: vec3f;
    if level == 0u {
        light = textureSampleLevel(cube, trilinear, direction, 0.0).rgb;
    } else {
        light = filtered(direction, f32(level) / LAST_LEVEL);
    }
    // A channel without light has the multiple 1.
    let least = 0.01 * max(measured.r, max(measured.g, measured.b)) + 1e-6;
    let multiple = (light + least) / (measured.rgb + least);
    textureStore(map, id.xy, vec4f(min(multiple, vec3f(BRIGHTEST)), measured.a));
}
