//! Loads arbitrary bytes as the image of an otherwise valid level.
#![no_main]

use libfuzzer_sys::fuzz_target;
use opendoor_fuzz::glb;

fuzz_target!(|bytes: &[u8]| {
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"name":"hall-room","mesh":0}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"material":0}}]}}],
        "materials":[{{"pbrMetallicRoughness":{{"baseColorTexture":{{"index":0}}}}}}],
        "textures":[{{"source":0}}],"images":[{{"bufferView":1}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":{}}}],
        "buffers":[{{"byteLength":{}}}]}}"#,
        bytes.len(),
        36 + bytes.len()
    );
    let corners = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mut binary: Vec<u8> = corners.into_iter().flat_map(f32::to_le_bytes).collect();
    binary.extend(bytes);
    let read = opendoor::gltf::read_source_bytes("fuzzed", &glb(json.as_bytes(), &binary));
    let (source, _) = read.expect("a bad picture is a warning");
    for image in &source.images {
        let size = 4 * u64::from(image.width) * u64::from(image.height);
        assert_eq!(image.rgba.len() as u64, size);
    }
});
