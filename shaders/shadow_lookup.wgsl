// Shadows of lamps and suns: the look-up in the maps that `shadow.wgsl` draws. A part of the shader of rooms.

// Constants of lighting::shadow.
const SHADOW_NEAR = 0.02;
const INNER = 0.875;
const NO_LAYER = 0xffffffffu;

// The minimum weight of the samples to which a wall is fitted: a quarter of all samples, as in the corner of a room.
const LEAST_WALL = 2.2;
// The minimum determinant of the covariance matrix of these samples' positions, texels to the fourth power.
const LEAST_AREA = 0.02;
// The distance in front of the foot of a wall, texels, within which a point still counts as behind the wall.
const FOOT_ROUNDING = 0.1;
// The distance behind the foot of a wall, texels, up to which the filter reaches; farther points need no fit.
const FILTER_REACH = 3.0;

// Weighted sums over the samples of a shadow map that block the light of a plane. x and y are in texels from the lit
// point; height is the depth above the lit plane, towards the light.
struct BlockingSamples {
    weight: f32,
    // Sums of x, y and height.
    first: vec3f,
    // Sums of x * x, x * y, y * y.
    second: vec3f,
    // Sums of x * height, y * height.
    mixed: vec2f,
}

fn add_samples(sums: ptr<function, BlockingSamples>, weights: vec4f, x: vec4f, y: vec4f, height: vec4f) {
    let wx = weights * x;
    let wy = weights * y;
    (*sums).weight += dot(weights, vec4f(1.0));
    (*sums).first += vec3f(dot(wx, vec4f(1.0)), dot(wy, vec4f(1.0)), dot(weights, height));
    (*sums).second += vec3f(dot(wx, x), dot(wx, y), dot(wy, y));
    (*sums).mixed += vec2f(dot(wx, height), dot(wy, height));
}

// Whether the lit point is behind a wall whose foot is within the filter. The wall is the surface that blocks the light
// around the point; its foot is where it meets the lit plane. Texels beyond the foot see past a one-sided wall and
// would light the corner. The least-squares fit of the wall's plane gives the position of the foot and the side on
// which the point is.
fn is_behind_foot(sums: BlockingSamples) -> bool {
    if sums.weight < LEAST_WALL {
        return false;
    }
    let mean = sums.first / sums.weight;
    let variance = sums.second / sums.weight - vec3f(mean.x * mean.x, mean.x * mean.y, mean.y * mean.y);
    let covariance = sums.mixed / sums.weight - mean.xy * mean.z;
    let area = variance.x * variance.z - variance.y * variance.y;
    if area < LEAST_AREA {
        return false;
    }
    let slope = vec2f(
        variance.z * covariance.x - variance.y * covariance.y,
        variance.x * covariance.y - variance.y * covariance.x,
    ) / area;
    let height = mean.z - dot(slope, mean.xy);
    // Distance from the foot, texels; positive behind the wall.
    let distance = height / length(slope);
    return distance > -FOOT_ROUNDING && distance < FILTER_REACH;
}

// Texels along a side of a block of `shadow_bounds`.
const BOUNDS_BLOCK = 16.0;
// The minimum radius of a penumbra, texels, that is wider than the filter of sharp shadows, and that from which on the
// filter of soft shadows alone counts.
const MIN_PENUMBRA = 1.5;
const SOFT_PENUMBRA = 3.0;
// The number of places of the search for blocking texels and of the filter, up to a radius of so many texels and above;
// each place has four texels.
const SEARCH_TAPS = vec2u(8u, 16u);
const FILTER_TAPS = vec2u(16u, 32u);
const FEW_TAPS = 5.0;
// The golden angle as a rotation: places at its multiples are evenly distributed over a disc (H. Vogel, 1979).
const GOLDEN_TURN = mat2x2f(-0.737368878, 0.675490294, -0.675490294, -0.737368878);

// A point of a plane that is looked up in a view of a shadow map.
struct LookUp {
    layer: u32,
    // The position in texels, from the middle of the first texel.
    place: vec2f,
    depth: f32,
    // The derivative of the plane's depth by the position in texels.
    gradient: vec2f,
    // The height above the plane from which on a texel blocks the light.
    slack: f32,
    // The radius of a penumbra, texels, per difference in depth.
    penumbra: f32,
    // The tangent of the angle between the light's direction and the view's axis, in texels' directions. Penumbras are
    // longer along it.
    tilt: vec2f,
}

// The four texels around a position that a filter looks up.
struct Tap {
    // Positions from the lit point, texels.
    x: vec4f,
    y: vec4f,
    // Weights of linear interpolation.
    weights: vec4f,
    // Differences of the depth from that of the lit point, and from the plane.
    excess: vec4f,
    height: vec4f,
    // Distances from the lit point, as for a lamp in the middle of the view.
    distance: vec4f,
}

fn tap(at: LookUp, offset: vec2f) -> Tap {
    let squared = dot(at.tilt, at.tilt);
    let stretch = sqrt(1.0 + squared);
    let longer = at.tilt * (dot(at.tilt, offset) / (1.0 + stretch));
    let place = at.place + offset + longer;
    let first = floor(place);
    let part = place - first;
    let found = textureGather(0, shadows, nearest, (first + 1.0) / globals.shadow_size, at.layer);
    var out: Tap;
    // Texels in the order of textureGather.
    out.x = first.x - at.place.x + vec4f(0.0, 1.0, 1.0, 0.0);
    out.y = first.y - at.place.y + vec4f(1.0, 1.0, 0.0, 0.0);
    let right = vec4f(1.0 - part.x, part.x, part.x, 1.0 - part.x);
    out.weights = right * vec4f(part.y, part.y, 1.0 - part.y, 1.0 - part.y);
    out.excess = found - at.depth;
    out.height = out.excess - (at.gradient.x * out.x + at.gradient.y * out.y);
    let along = (at.tilt.x * out.x + at.tilt.y * out.y) / (stretch * (1.0 + stretch));
    let x = out.x - at.tilt.x * along;
    let y = out.y - at.tilt.y * along;
    out.distance = sqrt(x * x + y * y);
    return out;
}

// The fraction of a light with a size that arrives at a point: percentage-closer soft shadows (R. Fernando, 2005). Texels
// that block the light around the point have a mean depth, and with it the penumbra a radius: that of the lamp, seen from
// the point in the plane of the edge. A texel blocks the light only if its own penumbra reaches the point, so a wall does
// not darken a floor that it meets. `sharp` is the light of a lamp without size, `widest` the maximum radius of the
// penumbra, texels, and `own` the radius for the texels that block the light of such a lamp. In the shade, the radius is at
// most that: it is 0 at the foot of a wall, and the filter does not reach beyond the foot.
fn soft_part(at: LookUp, sharp: f32, widest: f32, own: f32) -> f32 {
    var sum = 0.0;
    var count = 0.0;
    var direction = vec2f(1.0, 0.0);
    let searched = select(SEARCH_TAPS.y, SEARCH_TAPS.x, widest < FEW_TAPS);
    for (var i = 0u; i < searched; i++) {
        let texels = tap(at, direction * (widest * sqrt((f32(i) + 0.5) / f32(searched))));
        direction = GOLDEN_TURN * direction;
        let reaches = texels.excess * at.penumbra >= texels.distance - 1.0;
        let blocks = (texels.height > vec4f(at.slack)) & reaches;
        let weights = select(vec4f(0.0), vec4f(1.0), blocks);
        sum += dot(weights, texels.excess);
        count += dot(weights, vec4f(1.0));
    }
    if count == 0.0 {
        return sharp;
    }
    let mean = min(sum / count * at.penumbra, widest);
    let radius = min(mean, mix(own, mean, sharp));
    if radius <= MIN_PENUMBRA || (count == f32(searched * 4u) && sharp == 0.0) {
        return sharp;
    }
    var soft = 0.0;
    direction = vec2f(1.0, 0.0);
    let filtered = select(FILTER_TAPS.y, FILTER_TAPS.x, radius < FEW_TAPS);
    for (var i = 0u; i < filtered; i++) {
        let texels = tap(at, direction * (radius * sqrt((f32(i) + 0.5) / f32(filtered))));
        direction = GOLDEN_TURN * direction;
        // Texels above the plane whose own penumbra does not reach the point belong to a slanted surface that crosses the
        // light's rays elsewhere, or not at all. They count like the middle of the lamp, so no light leaks through walls.
        let reaches = texels.excess * at.penumbra >= 0.5 * texels.distance - 1.5;
        let above = select(vec4f(sharp), vec4f(0.0), reaches);
        soft += dot(texels.weights, select(vec4f(1.0), above, texels.height > vec4f(at.slack)));
    }
    return mix(sharp, soft / f32(filtered), smoothstep(MIN_PENUMBRA, SOFT_PENUMBRA, radius));
}

// The fraction of a light that arrives at a point of a plane, 0..1, from the view of its shadow map in `layer`. `at` is
// the point in the view, -1..1; `depth` its depth there, and `gradient` the derivative of depth over the plane.
// `penumbra` is that of the light, and `tilt` that of a LookUp in the view's coordinates.
//
// Each texel is compared with the plane's own depth at that texel, so a plane never shadows itself. The slack covers
// rounding, and surfaces that meet the plane at an angle and differ by less than a texel's step. In maps of parallel
// light, a wall is fitted to samples that differ by more than rounding alone. In other maps no wall is fitted: lamps
// are near, and their texels too large for the relief of doors and panels.
fn lit_part(
    layer: u32, at: vec2f, depth: f32, gradient: vec2f, is_parallel: bool, penumbra: f32, tilt: vec2f,
) -> f32 {
    let size = globals.shadow_size;
    let texel = 2.0 / (size * INNER);
    let step = (abs(gradient.x) + abs(gradient.y)) * texel;
    let least_slack = select(0.0, 2e-6, is_parallel);
    let slack = step * 0.75 + depth * 2e-4 + least_slack;
    let rounding = step * 0.02 + depth * 2e-5 + least_slack;
    let place = (vec2f(at.x, -at.y) * (0.5 * INNER) + 0.5) * size - 0.5;
    var widest = 0.0;
    if penumbra > 0.0 {
        let block = vec2i((place + 0.5) / BOUNDS_BLOCK);
        let bounds = bitcast<vec2f>(textureLoad(shadow_bounds, block, i32(layer), 0).rg);
        let stretch = sqrt(1.0 + dot(tilt, tilt));
        // The guard band, without the texels around the last place.
        let most = (size * (0.5 - 0.5 * INNER) - 2.0) / stretch;
        widest = min((bounds.x - depth) * penumbra / texel, most);
        if bounds.x <= depth - 2.0 * step + select(slack, rounding, is_parallel) {
            return 1.0;
        }
        if bounds.y > depth + (2.0 + max(widest, 0.0) * stretch) * step + slack {
            return 0.0;
        }
    }
    let first = floor(place);
    let part = place - first;
    // Four by four texels, with the weights of a box filter three texels wide over bilinear texels.
    var lit = 0.0;
    var blocking = BlockingSamples();
    for (var k = 0u; k < 4u; k++) {
        let corner = vec2f(f32(k & 1u), f32(k >> 1u)) * 2.0;
        let found = textureGather(0, shadows, nearest, (first + corner) / size, layer);
        // Texels around the corner, in the order of textureGather.
        let x = corner.x - 1.0 - part.x + vec4f(0.0, 1.0, 1.0, 0.0);
        let y = corner.y - 1.0 - part.y + vec4f(1.0, 1.0, 0.0, 0.0);
        let height = found - (depth + texel * (gradient.x * x - gradient.y * y));
        let weights = saturate(2.0 - abs(x)) * saturate(2.0 - abs(y));
        lit += dot(weights, select(vec4f(0.0), vec4f(1.0), height <= vec4f(slack)));
        let weights_above = select(vec4f(0.0), weights, height > vec4f(rounding));
        add_samples(&blocking, weights_above, x, y, height);
    }
    if is_parallel && lit > 0.0 && is_behind_foot(blocking) {
        return 0.0;
    }
    if widest <= MIN_PENUMBRA {
        return lit / 9.0;
    }
    let texels = vec2f(gradient.x, -gradient.y) * texel;
    let look_up = LookUp(layer, place, depth, texels, slack, penumbra / texel, vec2f(tilt.x, -tilt.y));
    var own = widest;
    if blocking.weight > 0.0 {
        let slope = dot(blocking.first.xy, texels);
        own = max((blocking.first.z + slope) / blocking.weight * look_up.penumbra, 0.0);
    }
    return soft_part(look_up, lit / 9.0, widest, own);
}

fn unshadowed(light: Light, position: vec3f, normal: vec3f) -> f32 {
    let rows = mat3x3f(light.map_from_room_x.xyz, light.map_from_room_y.xyz, light.map_from_room_z.xyz);
    let point = vec4f(position, 1.0);
    var q = vec3f(
        dot(light.map_from_room_x, point),
        dot(light.map_from_room_y, point),
        dot(light.map_from_room_z, point),
    );
    // The plane's normal in the map's coordinates: by the inverse transpose, because these coordinates may be scaled.
    var m = (normal * rows) / vec3f(dot(rows[0], rows[0]), dot(rows[1], rows[1]), dot(rows[2], rows[2]));
    var view = light.first_view;
    var at: vec2f;
    var depth: f32;
    var gradient: vec2f;
    var tilt = vec2f(0.0);
    let projection = light.projection & 0xffu;
    let is_parallel = projection >= 2u;
    if is_parallel {
        if abs(m.z) < 1e-12 {
            return 1.0;
        }
        let tiles = f32(projection - 1u);
        let tile = clamp(floor((q.xy * 0.5 + 0.5) * tiles), vec2f(0.0), vec2f(tiles - 1.0));
        view += u32(tile.y * tiles + tile.x);
        at = ((q.xy * 0.5 + 0.5) * tiles - tile) * 2.0 - 1.0;
        depth = q.z;
        gradient = -m.xy / (m.z * tiles);
    } else {
        if projection == 0u {
            // Selects the face of the cube, and permutes the coordinates so that the face's axis is last.
            let a = abs(q);
            if a.x >= a.y && a.x >= a.z {
                view += select(1u, 0u, q.x > 0.0);
                m = vec3f(m.yz, m.x * sign(q.x));
                q = vec3f(q.yz, a.x);
            } else if a.y >= a.z {
                view += select(3u, 2u, q.y > 0.0);
                m = vec3f(m.zx, m.y * sign(q.y));
                q = vec3f(q.zx, a.y);
            } else {
                view += select(5u, 4u, q.z > 0.0);
                m = vec3f(m.xy, m.z * sign(q.z));
                q = vec3f(q.xy, a.z);
            }
            tilt = q.xy / q.z;
        }
        let height = dot(m, q);
        if q.z < SHADOW_NEAR || abs(height) < 1e-9 {
            return 1.0;
        }
        // Depth is NEAR / z, and linear over a plane.
        at = q.xy / q.z;
        depth = SHADOW_NEAR / q.z;
        gradient = SHADOW_NEAR * m.xy / height;
    }
    let layer = layers[view];
    if layer == NO_LAYER {
        return 1.0;
    }
    // A single call, because drivers compile a copy of the function for each.
    return lit_part(layer, at, depth, gradient, is_parallel, light.penumbra, tilt);
}
