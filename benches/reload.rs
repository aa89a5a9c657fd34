//! Cost of reloading a level in which one room changed, stage by stage and without a window: the house, the labyrinth,
//! and 16,384 rooms.
//!
//! `cargo bench -p opendoor-benches --bench reload`
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a bench prints, and fails by panicking"
)]

use std::fs;
use std::path::Path;
use std::time::Instant;

use opendoor::author::grid_glb;
use opendoor::build::BuildCache;
use opendoor::gltf::{read_source_bytes, write_glb};
use opendoor::lighting::Lighting;
use opendoor::lighting::lightmap::{LightmapCache, LightmapQuality, bake};
use opendoor::load::load_bytes_with_cache;
use opendoor::source::LevelSource;
use opendoor::world::World;

/// Number of times that each level is reloaded.
const TURNS: usize = 9;
/// The lightmap resolution of the game, but few rays, since the baked texels are not examined.
const QUALITY: LightmapQuality = LightmapQuality {
    texels_per_metre: 10.0,
    rays: 1,
};

/// The file after the first mesh whose name contains `mesh` was moved.
fn moved(bytes: &[u8], mesh: &str, metres: f64) -> Vec<u8> {
    let (mut source, _): (LevelSource, _) = read_source_bytes("level", bytes).unwrap();
    let mut meshes = source.meshes.iter_mut();
    let mesh = meshes.find(|m| m.node.contains(mesh)).unwrap();
    for position in &mut mesh.positions {
        position.y += metres;
    }
    write_glb(&source).unwrap()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn measure(name: &str, bytes: &[u8], mesh: &str) {
    // Both versions come from one writer, so that they differ in the mesh alone.
    let versions = [moved(bytes, mesh, 0.0), moved(bytes, mesh, 0.03)];
    let mut cache = BuildCache::default();
    let (level, _) = load_bytes_with_cache("level", &versions[0], &mut cache).unwrap();
    let map = bake(&level, QUALITY, &|_| {});
    let lighting = Lighting::new(&level, &World::of(&level), map);
    let mut patches = lighting.cache().clone();
    let mut baked = LightmapCache::of(
        &level,
        QUALITY,
        lighting.lightmap.clone(),
        lighting.texels.rgb.clone(),
    );
    let mut times: [Vec<f64>; 3] = Default::default();
    for turn in 0..TURNS {
        let start = Instant::now();
        let (new, _) =
            load_bytes_with_cache("level", &versions[(turn + 1) % 2], &mut cache).unwrap();
        let read = start.elapsed();
        let draft = baked.draft(&new);
        let carried = start.elapsed();
        let lighting = Lighting::of_draft(&new, &World::of(&new), &draft, &patches);
        let lit = start.elapsed();
        patches.clone_from(lighting.cache());
        for (times, time) in times.iter_mut().zip([read, carried - read, lit - carried]) {
            times.push(1e3 * time.as_secs_f64());
        }
        baked = draft.finish(&new, &|| true).unwrap();
    }
    let times = times.map(median);
    let [read, carry, light] = times;
    let all = read + carry + light;
    println!("| {name} | {read:.0} ms | {carry:.0} ms | {light:.0} ms | {all:.0} ms |");
}

fn main() {
    let levels = Path::new(env!("CARGO_MANIFEST_DIR")).join("../levels");
    let read = |name: &str| fs::read(levels.join(name)).unwrap();
    println!("| one mesh moved in | read | lightmap | light | in all |");
    println!("| --- | --: | --: | --: | --: |");
    measure("the house", &read("house.glb"), "hall-tall-column");
    measure("the labyrinth", &read("labyrinth.glb"), "pillar");
    measure("16,384 rooms", &grid_glb(128, 128), "room_064_064");
}
