//! Pictures without a Vulkan driver, drawn with OpenGL.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

use std::path::Path;
use std::process::Command;

use image::RgbImage;

/// The mean difference of two pictures, in codes of 8 bits.
fn difference(a: &RgbImage, b: &RgbImage) -> f64 {
    assert_eq!(a.dimensions(), b.dimensions());
    let off = a.as_raw().iter().zip(b.as_raw());
    let off: u64 = off.map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    off as f64 / a.as_raw().len() as f64
}

/// Draws a level, and returns the picture and the messages; `None` without a driver.
fn shot(level: &str, quality: &str, gl: bool) -> Option<(RgbImage, String)> {
    let name = format!("opengl-{quality}-{gl}-{}", level.replace('/', "-"));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(name)
        .with_extension("png");
    let mut command = Command::new(env!("CARGO_BIN_EXE_opendoor"));
    command.args(["shot", level, "--size", "192x108"]);
    command.args(["--quality", quality, "-o"]).arg(&path);
    command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"));
    if gl {
        command.env("VK_DRIVER_FILES", "/dev/null");
        command.env("VK_ICD_FILENAMES", "/dev/null");
    }
    let output = command.output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if gl && !output.status.success() && messages.contains("mesa-vulkan-drivers, which") {
        return None;
    }
    assert!(output.status.success(), "{messages}");
    Some((image::open(&path).unwrap().to_rgb8(), messages))
}

#[test]
fn a_picture_of_opengl_is_that_of_vulkan() {
    // The second level has portals that bend space.
    let levels = ["levels/blender/tutorial.glb", "levels/folded.glb"];
    let cases = levels.map(|level| ["low", "high"].map(|quality| (level, quality)));
    for (level, quality) in cases.into_iter().flatten() {
        let Some((gl, messages)) = shot(level, quality, true) else {
            return;
        };
        assert!(!messages.contains("refused"), "{messages}");
        assert!(!messages.contains("heuristics"), "{messages}");
        assert!(messages.contains("without reflections"), "{messages}");
        let (vulkan, _) = shot(level, quality, false).unwrap();
        let off = difference(&gl, &vulkan);
        assert!(off < 1.5, "{level} {quality}: {off} codes");
    }
}
