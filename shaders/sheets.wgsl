// The sheets of a picture: the rooms that are seen between portals that bend space; see frame::sheets.

// The distance from a portal's plane within which surfaces of both sheets are drawn, metres, and the rounding errors of
// directions.
const PORTAL_SLACK = 1e-3;
const DIRECTION_ROUNDING = 1e-6;
// The maximum number of portals that a ray passes.
const MAX_PASSED_PORTALS = 256u;
// The head of a sheet that is not drawn.
const NO_SHEET = 0xffffffffu;
// The inverse depth of a portal in whose plane the eye is.
const MAX_INVERSE_DEPTH = 1e9;

// Whether a ray from the eye is in the sheet with the head `own` at this inverse depth (1/m). `point` is the ray's point in
// the picture, in normalised device coordinates, and 1.
fn is_in_sheet(own: u32, point: vec3f, inverse_depth: f32) -> bool {
    var head = u32(i32(own) + i32(records[own].z));
    var last = MAX_INVERSE_DEPTH;
    for (var passed = 0u; passed < MAX_PASSED_PORTALS; passed++) {
        let end = head + u32(records[head].y);
        // The first portal of this sheet that the ray passes before the fragment and after the last portal.
        var first = 0.0;
        var next_head = NO_SHEET;
        for (var at = head + 1u; at < end; at += 2u + u32(records[at].y)) {
            let portal = records[at];
            let to_head = select(NO_SHEET, u32(i32(at) + i32(portal.x)), portal.x != 0.0);
            let side_count = u32(portal.y);
            let towards = dot(records[at + 1u].xyz, point);
            let slack = PORTAL_SLACK * inverse_depth + DIRECTION_ROUNDING;
            let margin = select(slack, -slack, to_head == own);
            let inverse = min(towards / max(portal.z, 1e-9), MAX_INVERSE_DEPTH);
            if towards <= portal.z * inverse_depth + margin || inverse > last || inverse <= first {
                continue;
            }
            var is_inside = true;
            for (var side = 0u; side < side_count; side++) {
                is_inside = is_inside && dot(records[at + 2u + side].xyz, point) >= 0.0;
            }
            if is_inside {
                first = inverse;
                next_head = to_head;
            }
        }
        if first <= 0.0 {
            return head == own;
        }
        if next_head == NO_SHEET {
            return false;
        }
        last = first;
        head = next_head;
    }
    return false;
}

// The samples of a pixel, as bits, at which the fragment is in its sheet.
fn samples_in_sheet(in: Fragment) -> u32 {
    let change = vec2f(dpdx(in.clip.w), dpdy(in.clip.w));
    var samples = 0u;
    for (var i = 0u; i < 4u; i++) {
        let pixel = in.clip.xy + SAMPLE_PLACES[i];
        let point = vec3f(pixel * globals.pixel_size * vec2f(1.0, -1.0) + vec2f(-1.0, 1.0), 1.0);
        let inverse_depth = in.clip.w + dot(SAMPLE_PLACES[i], change);
        samples |= select(0u, 1u << i, is_in_sheet(in.lights.w, point, inverse_depth));
    }
    return samples;
}
