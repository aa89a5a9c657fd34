// The fragment entry points of the shader of rooms.

@fragment
fn fragment(in: Fragment, @builtin(front_facing) front: bool, @builtin(sample_mask) coverage: u32) -> @location(0) vec4f {
    return vec4f(seen(in, front, coverage, base_colour(in).rgb), select(TONED, AS_IT_IS, UNLIT));
}

struct Masked {
    @location(0) colour: vec4f,
    @builtin(sample_mask) samples: u32,
}

// Discards samples below the alpha cutoff. At the edge of the opaque area, alpha determines how many samples of a pixel
// are covered.
@fragment
fn masked(in: Fragment, @builtin(front_facing) front: bool, @builtin(sample_mask) coverage: u32) -> Masked {
    let base = base_colour(in);
    let sharpened = (base.a - material.alpha_cutoff) / max(fwidth(base.a), 1e-4) + 0.5;
    let samples = (1u << u32(round(saturate(sharpened) * 4.0))) - 1u;
    return Masked(vec4f(seen(in, front, coverage, base.rgb), select(TONED, AS_IT_IS, UNLIT)), samples);
}

// Alpha blends with surfaces behind; the pipeline does not write it to the picture's own alpha.
@fragment
fn blended(in: Fragment, @builtin(front_facing) front: bool, @builtin(sample_mask) coverage: u32) -> @location(0) vec4f {
    let base = base_colour(in);
    return vec4f(seen(in, front, coverage, base.rgb), base.a);
}
