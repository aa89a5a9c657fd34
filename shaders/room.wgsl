// Surfaces of rooms: glTF 2.0 materials under the room's lights, in the room's coordinates, so that a surface's colour
// depends only on the level and the eye's position.
//
// The unit of light is that of the screen: under light 1 a white surface is displayed as white.

struct Globals {
    clip_from_view: mat4x4f,
    // Rotation from view coordinates to those of the eye's room.
    eye_from_view: mat3x3f,
    sky_zenith: vec3f,
    // Texels along a side of a shadow map's view.
    shadow_size: f32,
    sky_horizon: vec3f,
    // The factor for lights.
    exposure: f32,
    sky_ground: vec3f,
    // The level's exposure compensation: the factor for all light.
    brightness: f32,
    // Suns without a direction are not there.
    suns: array<Sun, MAX_SUNS>,
    // The part of the sky that clouds cover.
    clouds: f32,
    // The index of the record with the first factors of lights.
    first_factor: u32,
    // The size of a pixel in normalised device coordinates.
    pixel_size: vec2f,
}

const MAX_SUNS = 4;

// A sun in the sky: the unit direction to it, and its colour, of which the largest component is 1.
struct Sun {
    direction: vec4f,
    colour: vec4f,
}

// One light in the coordinates of one room; see lighting::GpuLight.
struct Light {
    position: vec3f,
    // 1 / range^2, 1/m2; negative for parallel light.
    inverse_range_squared: f32,
    colour: vec3f,
    spot_scale: f32,
    direction: vec3f,
    spot_offset: f32,
    first_clip_plane: u32,
    opening_count: u32,
    first_view: u32,
    // The projection of the shadow map in the lowest 8 bits, and the index of the light's factor.
    projection: u32,
    map_from_room_x: vec4f,
    map_from_room_y: vec4f,
    map_from_room_z: vec4f,
    radius: f32,
    penumbra: f32,
}

// The transform of a texture's coordinates.
struct Coordinates {
    // Columns of the matrix.
    columns: vec4f,
    offset: vec2f,
    // The vertex's set of coordinates: 0 or 1.
    uv_set: f32,
}

struct Material {
    base_colour: vec4f,
    emissive: vec3f,
    // The alpha below which nothing is drawn.
    alpha_cutoff: f32,
    // The reflectance of dielectrics: at normal incidence, and at grazing angles.
    reflectance: vec3f,
    grazing_reflectance: f32,
    metallic: f32,
    roughness: f32,
    normal_scale: f32,
    occlusion_strength: f32,
    // For base colour, metalness and roughness, normal, occlusion, emission.
    coordinates: array<Coordinates, 5>,
    // The index of the factor of the emission.
    light_factor: u32,
}

// The variants of a pipeline. They are overrides, because a shader that may discard cannot test the depth before it
// computes the colour, and because a condition on a uniform makes Mesa's software driver recompile the shader for
// every draw call.
override UNLIT: bool = false;
override SKY: bool = false;
override CLOUDS: bool = false;
override BASE_TEXTURE: bool = false;
override METALLIC_ROUGHNESS_TEXTURE: bool = false;
override NORMAL_TEXTURE: bool = false;
override OCCLUSION_TEXTURE: bool = false;
override EMISSIVE_TEXTURE: bool = false;
// Whether the surface shows the reflection of its room.
override REFLECTIONS: bool = false;
// Whether bodies may darken the surface.
override OCCLUDERS: bool = false;
// Whether the emission has the factor of a light.
override GLOWS_WITH_LIGHT: bool = false;

@group(0) @binding(0) var<uniform> globals: Globals;
@group(0) @binding(1) var<storage, read> lights: array<Light>;
@group(0) @binding(2) var<storage, read> clip_planes: array<vec4f>;
// The layer of each view of each shadow map, or NO_LAYER.
@group(0) @binding(3) var<storage, read> layers: array<u32>;
// Depth as floats: naga 30 gathers no depth textures in GLSL.
@group(0) @binding(4) var shadows: texture_2d_array<f32>;
@group(0) @binding(5) var nearest: sampler;
// Ambient irradiance as a fraction of that of the whole room.
@group(0) @binding(6) var lightmap: texture_2d_array<f32>;
// Split-sum table of ambient irradiance: scale (red) and bias (green) of the reflectance, by the
// cosine to the eye and the roughness.
@group(0) @binding(7) var dfg_lut: texture_2d<f32>;
@group(0) @binding(8) var smooth_clamped: sampler;
// The records of rooms, portals and instances (see frame::reflections), and then the factors of lights.
@group(0) @binding(9) var<storage, read> records: array<vec4f>;
// The octahedral maps of the cubes, filtered for rougher surfaces in each level: light as a multiple of the cube's mean,
// and the mean.
@group(0) @binding(10) var cube_maps: texture_2d_array<f32>;
// The nearest and the farthest depth around each block of the shadow maps, as the bits of floats; see `shadow_bounds.wgsl`.
@group(0) @binding(11) var shadow_bounds: texture_2d_array<u32>;

@group(1) @binding(0) var<uniform> material: Material;
@group(1) @binding(1) var base_texture: texture_2d<f32>;
@group(1) @binding(2) var base_sampler: sampler;
@group(1) @binding(3) var metallic_roughness_texture: texture_2d<f32>;
@group(1) @binding(4) var metallic_roughness_sampler: sampler;
@group(1) @binding(5) var normal_texture: texture_2d<f32>;
@group(1) @binding(6) var normal_sampler: sampler;
@group(1) @binding(7) var occlusion_texture: texture_2d<f32>;
@group(1) @binding(8) var occlusion_sampler: sampler;
@group(1) @binding(9) var emissive_texture: texture_2d<f32>;
@group(1) @binding(10) var emissive_sampler: sampler;

struct VertexIn {
    @location(0) position: vec3f,
    @location(1) normal: vec2<i32>,
    @location(2) tangent: vec2<i32>,
    @location(3) uvs: vec4f,
    @location(4) colour: vec4f,
    // Position in the lightmap: u, v, page.
    @location(5) place: vec4<u32>,
    // Extents of its chart there: minimum u and v, maximum u and v.
    @location(6) extent: vec4f,
}

// Attributes of all vertices of a drawn room or mover part; see frame::Instance.
struct InstanceIn {
    @location(7) view_from_room_x: vec3f,
    @location(8) view_from_room_y: vec3f,
    @location(9) view_from_room_z: vec3f,
    @location(10) eye: vec3f,
    // w is the index of the record of its sheet, or -1.
    @location(11) eye_remainder_sheet: vec4f,
    // The index of its first light; the number of its lights, and the index of its reflections above 8 bits; the overlaid
    // tint as four bytes; the gradient of the ambient irradiance, 10 bits for each coordinate.
    @location(12) lights_tint_gradient: vec4u,
    // Ambient irradiance, the mean of all directions; w is the index of the record of the grid of occluders, or -1.
    @location(13) ambient: vec4f,
    // Rotation of the pose, a quaternion.
    @location(14) pose_rotation: vec4f,
    // w is the index of the instance itself among the occluders, or -1.
    @location(15) pose_translation: vec4f,
}

struct Fragment {
    @builtin(position) clip: vec4f,
    // Position relative to the eye, in the room's coordinates.
    @location(0) from_eye: vec3f,
    @location(1) normal: vec3f,
    // w is the sign of the bitangent.
    @location(2) tangent: vec4f,
    @location(3) uvs: vec4f,
    @location(4) colour: vec4f,
    // Position in the lightmap. At a triangle's edge the centre of a pixel may lie beyond the triangle, and then this
    // position lies beyond the chart.
    @location(5) place: vec2f,
    @location(6) @interpolate(flat) page: u32,
    // The index of the first light, the index after the last light, the index of the reflections, and the head of the
    // sheet, if there is one.
    @location(7) @interpolate(flat) lights: vec4u,
    // w is the index of the instance itself among the occluders, or -1.
    @location(8) @interpolate(flat) eye: vec4f,
    // w is the index of the record of the grid of occluders, or -1.
    @location(9) @interpolate(flat) ambient: vec4f,
    @location(10) @interpolate(flat) tint: vec4f,
    // Extents of the chart: minimum u and v, maximum u and v.
    @location(11) @interpolate(flat) extent: vec4f,
    // The relative excess of ambient irradiance from this vector's direction over the mean.
    @location(12) @interpolate(flat) gradient: vec3f,
}

// Decodes a unit vector from its octahedral encoding; see level::UnitVector.
fn unpack(packed: vec2<i32>) -> vec3f {
    let at = vec2f(packed) / 32767.0;
    let z = 1.0 - abs(at.x) - abs(at.y);
    let fold = max(-z, 0.0);
    let signs = select(vec2f(1.0), vec2f(-1.0), at < vec2f(0.0));
    return normalize(vec3f(at - signs * fold, z));
}

// Decodes a vector of three signed numbers of 10 bits.
fn unpack_gradient(bits: u32) -> vec3f {
    let parts = vec3<i32>(bitcast<i32>(bits << 22u), bitcast<i32>(bits << 12u), bitcast<i32>(bits << 2u));
    return vec3f(parts >> vec3u(22u)) / 511.0;
}

// Rotates a vector by a unit quaternion.
fn turn(by: vec4f, v: vec3f) -> vec3f {
    return v + 2.0 * cross(by.xyz, cross(by.xyz, v) + by.w * v);
}

@vertex
fn vertex(in: VertexIn, at: InstanceIn) -> Fragment {
    let from_eye = turn(at.pose_rotation, (in.position - at.eye) - at.eye_remainder_sheet.xyz);
    let view_from_room = mat3x3f(at.view_from_room_x, at.view_from_room_y, at.view_from_room_z);
    var out: Fragment;
    out.clip = globals.clip_from_view * vec4f(view_from_room * from_eye, 1.0);
    out.from_eye = from_eye;
    out.normal = turn(at.pose_rotation, unpack(in.normal));
    let tangent = turn(at.pose_rotation, unpack(in.tangent));
    out.tangent = vec4f(tangent, 1.0 - 2.0 * f32(in.tangent.y & 1));
    out.uvs = in.uvs;
    out.colour = in.colour;
    out.place = vec2f(in.place.xy) / 65535.0;
    out.page = in.place.z;
    out.extent = in.extent;
    let first_light = at.lights_tint_gradient.x;
    let packed = at.lights_tint_gradient.y;
    out.lights = vec4u(first_light, first_light + (packed & 0xffu), packed >> 8u, u32(max(at.eye_remainder_sheet.w, 0.0)));
    let eye = turn(at.pose_rotation, at.eye + at.eye_remainder_sheet.xyz) + at.pose_translation.xyz;
    out.eye = vec4f(eye, at.pose_translation.w);
    out.ambient = at.ambient;
    out.tint = unpack4x8unorm(at.lights_tint_gradient.z);
    out.gradient = unpack_gradient(at.lights_tint_gradient.w);
    return out;
}

fn texture_coordinates(index: u32, uvs: vec4f) -> vec2f {
    let at = material.coordinates[index];
    let uv = mix(uvs.xy, uvs.zw, at.uv_set);
    return at.columns.xy * uv.x + at.columns.zw * uv.y + at.offset;
}

fn base_colour(in: Fragment) -> vec4f {
    var base = material.base_colour * in.colour;
    if BASE_TEXTURE {
        base *= sampled(base_texture, base_sampler, texture_coordinates(0u, in.uvs));
    }
    return base;
}

// The maximum brightness; slightly brighter light overflows half floats.
const BRIGHTEST = 60000.0;

// The sine of the angular radius of the sun.
const SUN_RADIUS = 0.004625;
// The radiance of a sun's disc: so bright that it has a halo. The real one would be above the range of half floats.
const SUN_RADIANCE = 200.0;
// The height above the horizon, as a sine, below which the colour of the seen sky changes more slowly.
const HAZE = 0.04;
// The height above the horizon, as a sine, from which on clouds are seen, and where haze no longer dims them.
const CLOUDS_START = 0.02;
const CLOUDS_CLEAR = 0.25;
// The number of the largest clouds' cells along the height of the layer.
const CLOUD_SCALE = 0.9;

// The sky in a direction: three colours, blended by the height above the horizon. The light of the sky
// (lighting::transport) has a harder horizon.
fn sky(direction: vec3f) -> vec3f {
    let height = normalize(direction).y;
    let up = max(height, 0.0);
    let soft = (sqrt(up * up + HAZE * HAZE) - HAZE) / (sqrt(1.0 + HAZE * HAZE) - HAZE);
    let above = mix(globals.sky_horizon, globals.sky_zenith, pow(soft, 0.55));
    let all = mix(above, globals.sky_ground, 1.0 - smoothstep(-0.12, 0.0, height));
    return min(all * globals.brightness, vec3f(BRIGHTEST));
}

// The sky with clouds and the discs of the suns, as it is seen. Both are only drawn: the suns light the rooms on their
// own.
fn seen_sky(along: vec3f) -> vec3f {
    let direction = normalize(along);
    var colour = sky(direction);
    var clear = smoothstep(-SUN_RADIUS, SUN_RADIUS, direction.y);
    if CLOUDS {
        let clouds = clouds_at(direction);
        colour = mix(colour, clouds.rgb * globals.brightness, clouds.a);
        clear *= 1.0 - clouds.a;
    }
    for (var i = 0; i < MAX_SUNS; i++) {
        let sun = globals.suns[i];
        let offset = length(cross(direction, sun.direction.xyz));
        let limb = max(fwidth(offset), 0.2 * SUN_RADIUS);
        let disc = 1.0 - smoothstep(SUN_RADIUS - limb, SUN_RADIUS + limb, offset);
        let part = select(0.0, disc * clear, dot(direction, sun.direction.xyz) > 0.0);
        colour += sun.colour.rgb * (part * SUN_RADIANCE * globals.brightness);
    }
    return min(colour, vec3f(BRIGHTEST));
}

// The clouds in a direction, on a flat layer: their colour, and the part of the sky that they cover.
fn clouds_at(direction: vec3f) -> vec4f {
    let sun = globals.suns[0];
    let at = direction.xz / max(direction.y, CLOUDS_START) * CLOUD_SCALE;
    let thickness = cloud_noise(at);
    // Towards the sun the layer is thinner where light enters a cloud.
    let lit = saturate(0.5 + 4.0 * (thickness - cloud_noise(at + 0.2 * sun.direction.xz)));
    let least = mix(0.75, 0.2, globals.clouds);
    let cover = smoothstep(least, least + 0.25, thickness);
    let white = max(globals.sky_horizon.r, max(globals.sky_horizon.g, globals.sky_horizon.b)) * 1.15;
    let shaded = mix(globals.sky_zenith, globals.sky_horizon, 0.7) * 0.75;
    let tint = select(vec3f(1.0), sun.colour.rgb, any(sun.colour.rgb > vec3f(0.0)));
    let colour = mix(shaded, white * tint, lit * (1.0 - 0.4 * cover) + 0.2);
    return vec4f(colour, cover * smoothstep(CLOUDS_START, CLOUDS_CLEAR, direction.y));
}

// Five octaves of value noise, 0..1.
fn cloud_noise(place: vec2f) -> f32 {
    var at = place;
    var sum = 0.0;
    var amplitude = 0.5;
    for (var octave = 0; octave < 5; octave++) {
        let cell = floor(at);
        let part = at - cell;
        let smooth_part = part * part * (3.0 - 2.0 * part);
        let low = vec2<i32>(cell);
        let near = mix(cell_noise(low), cell_noise(low + vec2<i32>(1, 0)), smooth_part.x);
        let far = mix(cell_noise(low + vec2<i32>(0, 1)), cell_noise(low + vec2<i32>(1, 1)), smooth_part.x);
        sum += mix(near, far, smooth_part.y) * amplitude;
        amplitude *= 0.5;
        // Turned by the angle of a triangle with the sides 3, 4 and 5, so that the octaves' grids do not coincide.
        at = vec2f(0.8 * at.x - 0.6 * at.y, 0.6 * at.x + 0.8 * at.y) * 2.03;
    }
    // The sum of the amplitudes is 1 - 1/32.
    return sum * (32.0 / 31.0);
}

// A pseudo-random number of a cell, 0..1 (M. Jarzynski and M. Olano, "Hash Functions for GPU Rendering", 2020: PCG).
fn cell_noise(cell: vec2<i32>) -> f32 {
    let seed = bitcast<u32>(cell.x) * 1664525u + bitcast<u32>(cell.y) * 22695477u + 1013904223u;
    let word = ((seed >> ((seed >> 28u) + 4u)) ^ seed) * 277803737u;
    return f32(((word >> 22u) ^ word) >> 8u) / 16777216.0;
}

// The material and geometry of a surface at one point.
struct Surface {
    base: vec3f,
    metallic: f32,
    // Albedo of diffuse reflection.
    diffuse: vec3f,
    // Reflectance at normal incidence and at grazing angles: of the whole material, and of the dielectric part, which
    // reduces diffuse reflection.
    reflectance: vec3f,
    grazing: f32,
    dielectric: f32,
    dielectric_grazing: f32,
    // Perceptual roughness, and that of the microfacet distribution (GGX alpha).
    roughness: f32,
    alpha: f32,
    normal: vec3f,
    // Geometric normal of the triangle.
    flat_normal: vec3f,
    // A point of the pixel that the triangle covers, in the room's coordinates.
    covered: vec3f,
    // Unit direction to the eye.
    to_eye: vec3f,
    // Texel of `dfg_lut` for this surface.
    dfg: vec2f,
}

// A point of the pixel that the triangle covers, relative to the eye in the room's coordinates. A point past the
// triangle's edge could be sunlit, for example beyond the foot of a wall. The interpolation `centroid` is meant for
// this, but software drivers do not apply it at every edge. `normal` is the triangle's.
fn covered_place(in: Fragment, coverage: u32, normal: vec3f) -> vec3f {
    // The position times the depth is linear in screen space.
    let ray = in.from_eye * in.clip.w;
    let across = dpdx(ray);
    let down = dpdy(ray);
    var sum = vec2f(0.0);
    var count = 0.0;
    for (var i = 0u; i < 4u; i++) {
        if ((coverage >> i) & 1u) != 0u {
            sum += SAMPLE_PLACES[i];
            count += 1.0;
        }
    }
    let offset = sum / max(count, 1.0);
    let there = ray + across * offset.x + down * offset.y;
    let part = dot(normal, in.from_eye) / dot(normal, there);
    return select(in.from_eye, there * part, count < 4.0 && part > 0.0);
}

// Constants of widened roughness: the variance of the filter of a pixel, and the maximum addition to the squared GGX
// alpha.
const PIXEL_VARIANCE = 0.1591549;
const MOST_WIDENING = 0.18;
// The length that a mean normal lacks because of 8-bit texels.
const NORMAL_ROUNDING = 0.01;

// The roughness of all facets of a pixel: of the surface's own, of its curvature (Y. Tokuyoshi and A. Kaplanyan, "Improved
// Geometric Specular Antialiasing", 2019), and of the normals that a texel averages (M. Toksvig, 2005). Without it,
// reflections sparkle.
fn widened(roughness: f32, normal: vec3f, flatness: f32) -> f32 {
    let across = dpdx(normal);
    let down = dpdy(normal);
    let curvature = 2.0 * PIXEL_VARIANCE * (dot(across, across) + dot(down, down));
    let mean = min(flatness + NORMAL_ROUNDING, 1.0);
    let spread = 2.0 * (1.0 - mean * mean) / (mean * (3.0 - mean * mean));
    let alpha = roughness * roughness;
    let all = alpha * alpha + min(curvature + spread, MOST_WIDENING);
    return sqrt(sqrt(min(all, 1.0)));
}

fn surface_at(in: Fragment, front: bool, coverage: u32, base: vec3f) -> Surface {
    var metallic = material.metallic;
    var roughness = material.roughness;
    if METALLIC_ROUGHNESS_TEXTURE {
        let texel = sampled(metallic_roughness_texture, metallic_roughness_sampler, texture_coordinates(1u, in.uvs));
        roughness *= texel.g;
        metallic *= texel.b;
    }
    // Roughness has a minimum, because a perfect mirror would not reflect a point light at all.
    roughness = max(roughness, 0.045);
    let turn = select(-1.0, 1.0, front);
    var normal = normalize(in.normal) * turn;
    // The length of the mean of the normals that the texel averages.
    var flatness = 1.0;
    if NORMAL_TEXTURE {
        let texel = sampled(normal_texture, normal_sampler, texture_coordinates(2u, in.uvs)).xyz * 2.0 - 1.0;
        flatness = length(texel);
        let tangent = in.tangent.xyz;
        let bitangent = cross(in.normal, tangent) * in.tangent.w;
        let scaled = texel * vec3f(material.normal_scale, material.normal_scale, 1.0);
        let bent = tangent * scaled.x + bitangent * scaled.y + in.normal * scaled.z;
        normal = normalize(bent) * turn;
    }
    var surface: Surface;
    surface.to_eye = -normalize(in.from_eye);
    surface.flat_normal = normal;
    // The plane of the triangle, from derivatives that are exact near the eye.
    let flat_normal = cross(dpdx(in.from_eye), dpdy(in.from_eye));
    let length_squared = dot(flat_normal, flat_normal);
    if length_squared > 0.0 {
        let towards = select(-1.0, 1.0, dot(flat_normal, surface.to_eye) > 0.0);
        surface.flat_normal = flat_normal * (inverseSqrt(length_squared) * towards);
    }
    surface.covered = covered_place(in, coverage, surface.flat_normal) + in.eye.xyz;
    surface.normal = normal;
    surface.base = base;
    surface.metallic = metallic;
    surface.diffuse = base * (1.0 - metallic);
    surface.reflectance = mix(material.reflectance, base, metallic);
    surface.grazing = mix(material.grazing_reflectance, 1.0, metallic);
    let straight = material.reflectance;
    surface.dielectric = max(straight.r, max(straight.g, straight.b));
    surface.dielectric_grazing = material.grazing_reflectance;
    if REFLECTIONS {
        roughness = widened(roughness, normal, flatness);
    }
    surface.roughness = roughness;
    surface.alpha = roughness * roughness;
    let to_eye = abs(dot(normal, surface.to_eye));
    surface.dfg = textureSampleLevel(dfg_lut, smooth_clamped, vec2f(to_eye, roughness), 0.0).rg;
    return surface;
}

// The fraction of light from a direction that the surface reflects to the eye: glTF 2.0, appendix B, with Trowbridge
// and Reitz's (GGX) facets, Smith's height-correlated shadowing, Schlick's Fresnel term, and compensation for light
// reflected between facets (E. Turquin, "Practical Multiple Scattering Compensation for Microfacet Models", 2019).
fn brdf(surface: Surface, to_light: vec3f) -> vec3f {
    let normal_light = dot(surface.normal, to_light);
    if normal_light <= 0.0 {
        return vec3f(0.0);
    }
    let half_way = normalize(to_light + surface.to_eye);
    let normal_eye = max(abs(dot(surface.normal, surface.to_eye)), 1e-4);
    let normal_half = saturate(dot(surface.normal, half_way));
    let eye_half = saturate(dot(surface.to_eye, half_way));
    let a2 = surface.alpha * surface.alpha;
    let d = normal_half * normal_half * (a2 - 1.0) + 1.0;
    let distribution = a2 / (d * d);
    let masking = normal_light * sqrt(normal_eye * normal_eye * (1.0 - a2) + a2);
    let shadowing = normal_eye * sqrt(normal_light * normal_light * (1.0 - a2) + a2);
    let visible = 0.5 / (masking + shadowing);
    let away = 1.0 - eye_half;
    let grazing = away * away * away * away * away;
    let fresnel = surface.reflectance + (surface.grazing - surface.reflectance) * grazing;
    let compensation = 1.0 + surface.reflectance * (1.0 / max(surface.dfg.r + surface.dfg.g, 0.1) - 1.0);
    let facets = fresnel * (distribution * visible) * compensation;
    let kept = mix(surface.dielectric, surface.dielectric_grazing, grazing);
    return (surface.diffuse * (1.0 - kept) + facets) * normal_light;
}

// The reflection of ambient irradiance (C. Fdez-Agueera, "A Multiple-Scattering Microfacet Model for Real-Time
// Image-based Lighting", 2019): `diffuse` arrives around the normal, `specular` from the mirror direction.
fn ambient_reflection(surface: Surface, diffuse: vec3f, specular: vec3f) -> vec3f {
    let metal = specular_albedo(surface, surface.base, 1.0);
    let dielectric = specular_albedo(surface, material.reflectance, material.grazing_reflectance);
    let kept = max(dielectric.r, max(dielectric.g, dielectric.b));
    return mix(dielectric, metal, surface.metallic) * specular
        + surface.diffuse * (1.0 - kept) * diffuse;
}

// The fraction of ambient irradiance that facets of this reflectance reflect, including multiple scattering.
fn specular_albedo(surface: Surface, reflectance: vec3f, grazing: f32) -> vec3f {
    let once = reflectance * surface.dfg.r + grazing * surface.dfg.g;
    let lost = 1.0 - (surface.dfg.r + surface.dfg.g);
    let mean = reflectance + (grazing - reflectance) / 21.0;
    return once + once * mean / (1.0 - lost * mean) * lost;
}

// Constants of gpu::cube_capture: texels along a side of an octahedral map, and its last level, for roughness 1.
const MAP_TEXELS = 128u;
const LAST_LEVEL = 4u;
// The distance from a portal within which the reflection blends with that of the room behind it, metres.
const BLEND_REACH = 1.5;
// The maximum ratio of a fragment's ambient irradiance to the mean of the cube with which the reflection is multiplied.
// More ambient irradiance is added as the same light from all directions.
const MOST_GAIN = 4.0;

// Weighted sums over cubes: of the light as a multiple of the mean, of the mean, and of the weights.
struct Reflected {
    multiple: vec3f,
    mean: f32,
    weight: f32,
}

// A level of an octahedral map. Its outermost texels are a border.
fn cube_texel(layer: u32, octahedral: vec2f, level: u32) -> vec4f {
    let size = f32(MAP_TEXELS >> level);
    let at = (octahedral * (size - 2.0) + 1.0) / size;
    return textureSampleLevel(cube_maps, smooth_clamped, at, layer, f32(level));
}

// Adds a cube, whose record is given; `hit` is the reflected point of the room.
fn add_cube(sum: ptr<function, Reflected>, cube: vec4f, hit: vec3f, roughness: f32, weight: f32) {
    if cube.w < 0.0 || weight <= 0.0 {
        return;
    }
    let path = hit - cube.xyz;
    let flat_path = path / max(abs(path.x) + abs(path.y) + abs(path.z), 1e-6);
    let signs = select(vec2f(1.0), vec2f(-1.0), flat_path.xy < vec2f(0.0));
    let octahedral = (select(flat_path.xy, (1.0 - abs(flat_path.yx)) * signs, flat_path.z < 0.0)) * 0.5 + 0.5;
    let level = roughness * f32(LAST_LEVEL);
    let lower = min(u32(level), LAST_LEVEL - 1u);
    let layer = u32(cube.w);
    let texel = mix(cube_texel(layer, octahedral, lower), cube_texel(layer, octahedral, lower + 1u), level - f32(lower));
    (*sum).multiple += texel.rgb * weight;
    (*sum).mean += texel.a * weight;
    (*sum).weight += weight;
}

// Adds the cubes of the room with this record: the two around the position, blended. The direction is followed to the
// walls of the room.
fn add_room(sum: ptr<function, Reflected>, room: u32, position: vec3f, direction: vec3f, roughness: f32, weight: f32) {
    let low = records[room];
    let high = records[room + 1u];
    let axis = records[room + 2u].xyz;
    let inside = clamp(position, low.xyz, high.xyz);
    let safe = select(direction, vec3f(1e-6), abs(direction) < vec3f(1e-6));
    let distances = (select(low.xyz, high.xyz, safe > vec3f(0.0)) - inside) / safe;
    let hit = inside + direction * min(distances.x, min(distances.y, distances.z));
    var cube = room + 3u;
    let last = room + 2u + u32(low.w);
    let along = dot(axis, position);
    while cube + 1u < last && dot(axis, records[cube + 1u].xyz) < along {
        cube++;
    }
    var part = 0.0;
    if cube < last {
        let start = dot(axis, records[cube].xyz);
        let end = dot(axis, records[cube + 1u].xyz);
        part = saturate((along - start) / max(end - start, 1e-3));
        add_cube(sum, records[cube + 1u], hit, roughness, weight * part);
    }
    add_cube(sum, records[cube], hit, roughness, weight * (1.0 - part));
}

// The influence of the room behind a portal, whose record is given: 1 in the opening, 0 from the reach on.
fn portal_influence(portal: u32, position: vec3f) -> f32 {
    let across = records[portal + 1u];
    let up = records[portal + 2u];
    let path = position - records[portal].xyz;
    let in_plane = vec2f(dot(path, across.xyz), dot(path, up.xyz));
    let away = path - across.xyz * in_plane.x - up.xyz * in_plane.y;
    let beside = max(abs(in_plane) - vec2f(across.w, up.w), vec2f(0.0));
    return 1.0 - smoothstep(0.0, BLEND_REACH, sqrt(dot(away, away) + dot(beside, beside)));
}

// The weight of an influence among others: unbounded in the opening, so that no other portal counts there.
fn share(influence: f32) -> f32 {
    return influence / (1.0001 - influence);
}

// The reflection of the surroundings: the picture of the room's cubes as a multiple of its mean, times the ambient
// irradiance of the fragment. So it is dark in corners, and has on average the energy of the ambient irradiance. In a
// portal, both rooms count by half.
fn room_reflection(in: Fragment, surface: Surface, mirrored: vec3f, position: vec3f, around: vec3f) -> vec3f {
    // Rough surfaces reflect more from around their normal (S. Lagarde and C. de Rousiers, "Moving Frostbite to
    // Physically Based Rendering", 2014).
    let smoothness = 1.0 - surface.alpha;
    let dominant = mix(surface.normal, mirrored, smoothness * (sqrt(smoothness) + surface.alpha));
    let list = in.lights.z;
    let rows = array(records[list + 1u], records[list + 2u], records[list + 3u]);
    let point = vec4f(position, 1.0);
    let at = vec3f(dot(rows[0], point), dot(rows[1], point), dot(rows[2], point));
    let towards = normalize(vec3f(dot(rows[0].xyz, dominant), dot(rows[1].xyz, dominant), dot(rows[2].xyz, dominant)));
    let own = u32(records[list].x);
    let first_portal = own + 3u + u32(records[own].w);
    let portals = u32(records[own + 1u].w);
    var strongest = 0.0;
    var shares = 0.0;
    for (var i = 0u; i < portals; i++) {
        let influence = portal_influence(first_portal + i * 6u, at);
        strongest = max(strongest, influence);
        shares += share(influence);
    }
    var sum = Reflected();
    add_room(&sum, own, at, towards, surface.roughness, 1.0 - 0.5 * strongest);
    for (var i = 0u; i < portals && strongest > 0.0; i++) {
        let portal = first_portal + i * 6u;
        let influence = portal_influence(portal, at);
        if influence <= 0.0 {
            continue;
        }
        let x = records[portal + 3u];
        let y = records[portal + 4u];
        let z = records[portal + 5u];
        let place = vec4f(at, 1.0);
        let there = vec3f(dot(x, place), dot(y, place), dot(z, place));
        let direction = vec3f(dot(x.xyz, towards), dot(y.xyz, towards), dot(z.xyz, towards));
        let weight = 0.5 * strongest * share(influence) / shares;
        add_room(&sum, u32(records[portal].w), there, direction, surface.roughness, weight);
    }
    let gain = min(around, vec3f(MOST_GAIN * sum.mean));
    let without = (1.0 - sum.weight) * dot(mirrored, in.gradient);
    return max(around * (1.0 + without) + gain * (sum.multiple - sum.weight), vec3f(0.0));
}

// The sine of the angular width of the penumbra around light that came through an opening, as for a lamp of some
// centimetres seen from across a room. The penumbra lies outside the opening's light, so that there is no visible seam
// where the opening meets the floor.
const RIM = 0.03;

// The fraction of the light that passes the openings through which it may come, 0..1. It is the maximum over the
// openings, so that there is no visible seam where two openings meet. `distance` is the distance from the light.
fn through_openings(light: Light, position: vec3f, distance: f32) -> f32 {
    var brightest = select(0.0, 1.0, light.opening_count == 0u);
    var at = light.first_clip_plane;
    for (var i = 0u; i < light.opening_count; i++) {
        let end = at + 1u + u32(clip_planes[at].x);
        var part = 1.0;
        for (at++; at < end; at++) {
            part *= smoothstep(-RIM * distance, 0.0, dot(clip_planes[at], vec4f(position, 1.0)));
        }
        brightest = max(brightest, part);
    }
    return brightest;
}

// The parts of the integral of the cosine along an edge of a polygon, as seen from the origin, over a full turn. `a`
// and `b` are the unit vectors to its ends. The angle over its sine is a rational function, as in E. Heitz and S. Hill,
// "Real-Time Line- and Disk-Light Shading" (SIGGRAPH courses, 2017).
fn edge_integral(a: vec3f, b: vec3f) -> vec3f {
    let x = dot(a, b);
    let y = abs(x);
    let acute = (0.8543985 + (0.4965155 + 0.0145206 * y) * y) / (3.4175940 + (4.1616724 + y) * y);
    let angle_over_sine = select(0.5 * inverseSqrt(max(1.0 - x * x, 1e-7)) - acute, acute, x > 0.0);
    return cross(a, b) * angle_over_sine;
}

// The form factor of an object whose vector irradiance is `flux` where a part of it is below the horizon: that of a
// sphere (S. Hill and E. Heitz, "Real-Time Area Lighting: a Journey from Research to Production", 2016).
fn clipped_form_factor(flux: vec3f, normal: vec3f) -> f32 {
    let size = length(flux);
    return max((size * size + dot(flux, normal)) / (size + 1.0), 0.0);
}

// The form factor of a box with this half size around the origin, seen from a point with a normal.
fn box_form_factor(point: vec3f, normal: vec3f, half_size: vec3f) -> f32 {
    let outside = abs(point) > half_size;
    if !any(outside) {
        return 0.5 + 0.5 * dot(normal, -normalize(point));
    }
    // The face of each axis that is seen from the point, and the directions to the corners.
    let near = select(vec3f(-1.0), vec3f(1.0), point > vec3f(0.0)) * half_size;
    var flux = vec3f(0.0);
    var lowest = 1.0;
    for (var axis = 0u; axis < 3u; axis++) {
        if !outside[axis] {
            continue;
        }
        let u = (axis + 1u) % 3u;
        let v = (axis + 2u) % 3u;
        var corners: array<vec3f, 4>;
        for (var i = 0u; i < 4u; i++) {
            var corner = vec3f(0.0);
            corner[axis] = near[axis];
            corner[u] = select(half_size[u], -half_size[u], i == 1u || i == 2u);
            corner[v] = select(half_size[v], -half_size[v], i >= 2u);
            corners[i] = normalize(corner - point);
            lowest = min(lowest, dot(corners[i], normal));
        }
        let face = edge_integral(corners[0], corners[1]) + edge_integral(corners[1], corners[2])
            + edge_integral(corners[2], corners[3]) + edge_integral(corners[3], corners[0]);
        // The integral points from the point towards the face.
        flux += select(face, -face, face[axis] * point[axis] > 0.0);
    }
    return mix(dot(flux, normal), clipped_form_factor(flux, normal), saturate(-4.0 * lowest));
}

const PI = 3.14159265;
// The reach of an occluder in its radii; see frame::occluder_grid.
const REACH = 3.0;
// The distances, in radii, between which the form factor of a box is blended into that of a sphere.
const BOX_TO_SPHERE = vec2f(2.0, 2.5);

// The part of the ambient light that the occluder with this record takes from a point.
fn occlusion(record: u32, position: vec3f, normal: vec3f) -> f32 {
    let place = records[record];
    let path = place.xyz - position;
    let distance_squared = dot(path, path);
    let reach = place.w;
    let radius = reach / REACH;
    let height = dot(path, normal);
    if distance_squared >= reach * reach || height <= -radius {
        return 0.0;
    }
    let part_of_reach = distance_squared / (reach * reach);
    let window = 1.0 - part_of_reach * part_of_reach * part_of_reach;
    let size = records[record + 2u];
    let from_distance = inverseSqrt(max(distance_squared, 1e-8));
    let back = records[record + 1u] * vec4f(-1.0, -1.0, -1.0, 1.0);
    let from_box = turn(back, -path);
    // The square of the radius of a sphere that covers as much: for a box, its projection over pi.
    let faces = size.yzx * size.zxy;
    let projection = dot(abs(from_box), faces) * from_distance * (4.0 / PI);
    let square = select(projection, size.x * size.x, size.w > 0.0);
    let flux = min(square * from_distance * from_distance, 1.0);
    let sphere = max((flux * flux + flux * height * from_distance) / (flux + 1.0), 0.0);
    let box_part = saturate((BOX_TO_SPHERE.y - 1.0 / (from_distance * radius)) / (BOX_TO_SPHERE.y - BOX_TO_SPHERE.x));
    if size.w > 0.0 || box_part <= 0.0 {
        return window * sphere;
    }
    let of_box = saturate(box_form_factor(from_box, turn(back, normal), size.xyz));
    return window * mix(sphere, of_box, box_part);
}

// The part of the ambient light that the bodies around a point leave; see frame::occluder_grid.
fn unoccluded(in: Fragment, position: vec3f, normal: vec3f) -> f32 {
    let grid = u32(in.ambient.w);
    let corner = records[grid];
    let offsets = records[grid + 1u];
    let column = floor((position.xz - corner.xy) * corner.z);
    let size = vec2f(corner.w, offsets.x);
    if any(column < vec2f(0.0)) || any(column >= size) {
        return 1.0;
    }
    let at = u32(column.y * size.x + column.x);
    let starts = grid + u32(offsets.y);
    let entries = grid + u32(offsets.z);
    let occluders = grid + u32(offsets.w);
    let end = u32(records[starts + (at + 1u) / 4u][(at + 1u) % 4u]);
    var left = 1.0;
    for (var i = u32(records[starts + at / 4u][at % 4u]); i < end; i++) {
        let occluder = records[entries + i / 4u][i % 4u];
        if occluder != in.eye.w {
            left *= 1.0 - occlusion(occluders + 3u * u32(occluder), position, normal);
        }
    }
    return left;
}

// Positions of samples in a pixel, from its centre (Vulkan, standard sample locations).
const SAMPLE_PLACES = array(
    vec2f(-0.125, -0.375), vec2f(0.375, -0.125), vec2f(-0.375, 0.125), vec2f(0.125, 0.375),
);

// The factor of a light in this frame: 1 for most, 0 for one that is off, and less or more for one that flickers.
fn light_factor(index: u32) -> f32 {
    return records[globals.first_factor + index].x;
}

// The fraction of one light that the surface reflects to the eye. The falloff is inverse square, with the range window
// and the cone of KHR_lights_punctual.
fn lit(light: Light, position: vec3f, surface: Surface) -> vec3f {
    var to_light = -light.direction;
    var falloff = 1.0;
    var distance = 1.0;
    if light.inverse_range_squared >= 0.0 {
        let path = light.position - position;
        let distance_squared = max(dot(path, path), 1e-4);
        to_light = path * inverseSqrt(distance_squared);
        let part_of_range = distance_squared * light.inverse_range_squared;
        if part_of_range >= 1.0 {
            return vec3f(0.0);
        }
        let window = 1.0 - part_of_range * part_of_range;
        let spot = saturate(dot(-to_light, light.direction) * light.spot_scale + light.spot_offset);
        falloff = window * spot * spot / distance_squared;
        distance = sqrt(distance_squared);
    }
    if falloff <= 0.0 || dot(surface.flat_normal, to_light) <= 0.0 {
        return vec3f(0.0);
    }
    falloff *= through_openings(light, position, distance);
    if falloff <= 0.0 {
        return vec3f(0.0);
    }
    falloff *= unshadowed(light, surface.covered, surface.flat_normal);
    falloff *= light_factor(light.projection >> 8u);
    return light.colour * globals.exposure * brdf(surface, to_light) * falloff;
}

// The values of the picture's own alpha for pixels that are tone-mapped and that are not.
const TONED = 1.0;
const AS_IT_IS = 0.0;

// The light from the surface to the eye.
fn seen(in: Fragment, front: bool, coverage: u32, base: vec3f) -> vec3f {
    if SKY {
        return tinted(in, seen_sky(in.from_eye));
    }
    if UNLIT {
        return tinted(in, base);
    }
    let surface = surface_at(in, front, coverage, base);
    let place = clamp(in.place, in.extent.xy, in.extent.zw);
    var around = in.ambient.rgb * textureSample(lightmap, smooth_clamped, place, in.page).rgb;
    if OCCLUSION_TEXTURE {
        let open = sampled(occlusion_texture, occlusion_sampler, texture_coordinates(3u, in.uvs)).r;
        around *= mix(1.0, open, material.occlusion_strength);
    }
    let mirrored = reflect(-surface.to_eye, surface.normal);
    let position = in.from_eye + in.eye.xyz;
    if OCCLUDERS {
        around *= unoccluded(in, position, surface.flat_normal);
    }
    var specular = around * (1.0 + dot(mirrored, in.gradient));
    if REFLECTIONS {
        if in.lights.z > 0u {
            specular = room_reflection(in, surface, mirrored, position, around);
        }
    }
    var colour = ambient_reflection(surface, around * (1.0 + dot(surface.normal, in.gradient)), specular);
    var emissive = material.emissive;
    if GLOWS_WITH_LIGHT {
        emissive *= light_factor(material.light_factor);
    }
    if EMISSIVE_TEXTURE {
        emissive *= sampled(emissive_texture, emissive_sampler, texture_coordinates(4u, in.uvs)).rgb;
    }
    colour += emissive;
    for (var i = in.lights.x; i < in.lights.y; i++) {
        colour += lit(lights[i], position, surface);
    }
    return tinted(in, min(colour * globals.brightness, vec3f(BRIGHTEST)));
}

// The light and the alpha of a surface that is not blended.
fn opaque(in: Fragment, front: bool, coverage: u32, base: vec4f) -> vec4f {
    return vec4f(seen(in, front, coverage, base.rgb), select(TONED, AS_IT_IS, UNLIT));
}

// Overlays the room's tint: its hue, with the brightness of the colour.
fn tinted(in: Fragment, colour: vec3f) -> vec3f {
    let brightness = dot(colour, vec3f(0.2126, 0.7152, 0.0722));
    return mix(colour, in.tint.rgb * (0.15 + brightness), in.tint.a);
}

struct Background {
    @builtin(position) clip: vec4f,
    @location(0) direction: vec3f,
}

// The background: the sky, one triangle over the whole picture, at infinity.
@vertex
fn background_vertex(@builtin(vertex_index) index: u32) -> Background {
    let corner = vec2f(f32(index & 1u), f32(index >> 1u)) * 4.0 - 1.0;
    let scale = vec2f(globals.clip_from_view[0][0], globals.clip_from_view[1][1]);
    let ray = vec3f(corner / scale, -1.0);
    return Background(vec4f(corner, 0.0, 1.0), globals.eye_from_view * ray);
}

@fragment
fn background(in: Background) -> @location(0) vec4f {
    return vec4f(seen_sky(in.direction), TONED);
}
