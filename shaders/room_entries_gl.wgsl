// The fragment entry points of the shader of rooms for OpenGL: naga 30 declares the sample masks of GLSL with a wrong
// type. All samples of a pixel count as covered, and a masked pixel is drawn as a whole or not at all.

const ALL_SAMPLES = 15u;

@fragment
fn fragment(in: Fragment, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    return opaque(in, front, ALL_SAMPLES, base_colour(in));
}

// Discards pixels below the alpha cutoff.
@fragment
fn masked(in: Fragment, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let base = base_colour(in);
    let colour = opaque(in, front, ALL_SAMPLES, base);
    if base.a < material.alpha_cutoff {
        discard;
    }
    return colour;
}

// Alpha blends with surfaces behind; the pipeline does not write it to the picture's own alpha.
@fragment
fn blended(in: Fragment, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let base = base_colour(in);
    return vec4f(seen(in, front, ALL_SAMPLES, base.rgb), base.a);
}

// The entry points of surfaces of which portals that bend space hide parts: a pixel is drawn if any sample is in the sheet.

@fragment
fn fragment_in_sheet(in: Fragment, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let samples = samples_in_sheet(in);
    let colour = opaque(in, front, ALL_SAMPLES, base_colour(in));
    if samples == 0u {
        discard;
    }
    return colour;
}

@fragment
fn masked_in_sheet(in: Fragment, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let samples = samples_in_sheet(in);
    let base = base_colour(in);
    let colour = opaque(in, front, ALL_SAMPLES, base);
    if samples == 0u || base.a < material.alpha_cutoff {
        discard;
    }
    return colour;
}

@fragment
fn blended_in_sheet(in: Fragment, @builtin(front_facing) front: bool) -> @location(0) vec4f {
    let samples = samples_in_sheet(in);
    let base = base_colour(in);
    let colour = vec4f(seen(in, front, ALL_SAMPLES, base.rgb), base.a);
    if samples == 0u {
        discard;
    }
    return colour;
}
