// The fragment entry points of the shader of rooms.

@fragment
fn fragment(in: Fragment, @builtin(front_facing) front: bool, @builtin(sample_mask) coverage: u32) -> @location(0) vec4f {
    return opaque(in, front, coverage, base_colour(in));
}

struct Masked {
    @location(0) colour: vec4f,
    @builtin(sample_mask) samples: u32,
}

// The samples above the alpha cutoff, as bits. At the edge of the opaque area, alpha determines how many samples of a
// pixel are covered.
fn opaque_samples(alpha: f32) -> u32 {
    let sharpened = (alpha - material.alpha_cutoff) / max(fwidth(alpha), 1e-4) + 0.5;
    return (1u << u32(round(saturate(sharpened) * 4.0))) - 1u;
}

@fragment
fn masked(in: Fragment, @builtin(front_facing) front: bool, @builtin(sample_mask) coverage: u32) -> Masked {
    let base = base_colour(in);
    return Masked(opaque(in, front, coverage, base), opaque_samples(base.a));
}

// Alpha blends with surfaces behind; the pipeline does not write it to the picture's own alpha.
@fragment
fn blended(in: Fragment, @builtin(front_facing) front: bool, @builtin(sample_mask) coverage: u32) -> @location(0) vec4f {
    let base = base_colour(in);
    return vec4f(seen(in, front, coverage, base.rgb), base.a);
}

// The entry points of surfaces of which portals that bend space hide parts.

@fragment
fn fragment_in_sheet(in: Fragment, @builtin(front_facing) front: bool, @builtin(sample_mask) coverage: u32) -> Masked {
    let samples = samples_in_sheet(in);
    return Masked(opaque(in, front, coverage, base_colour(in)), samples);
}

@fragment
fn masked_in_sheet(in: Fragment, @builtin(front_facing) front: bool, @builtin(sample_mask) coverage: u32) -> Masked {
    let samples = samples_in_sheet(in);
    let base = base_colour(in);
    return Masked(opaque(in, front, coverage, base), opaque_samples(base.a) & samples);
}

@fragment
fn blended_in_sheet(in: Fragment, @builtin(front_facing) front: bool, @builtin(sample_mask) coverage: u32) -> Masked {
    let samples = samples_in_sheet(in);
    let base = base_colour(in);
    return Masked(vec4f(seen(in, front, coverage, base.rgb), base.a), samples);
}
