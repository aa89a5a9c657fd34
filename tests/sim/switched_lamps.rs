//! Lamps that triggers and switches turn on and off: in games, in saved games, and in files.

use glam::DVec3;
use opendoor::game::{Game, PLAYER, Start};
use opendoor::gltf::write_glb;
use opendoor::level::{Level, LightId, Material, TriggerTarget};
use opendoor::load::load_bytes;
use opendoor::problems::ProblemCode;
use opendoor::source::{LevelSource, LightSource};

use crate::shared::built;
use crate::triggers::hall;

/// The hall of triggers with two lamps. The first volume, around the origin, switches `near`; a relay switches `fire`.
fn lit_hall(change: impl FnOnce(&mut LevelSource)) -> LevelSource {
    hall(|source| {
        let lamp = source.lights.first().cloned().unwrap_or_else(light);
        source.lights = ["near", "fire"].map(|name| named(&lamp, name)).into();
        source.lights[1].flicker = 0.25;
        source.lights[1].starts_lit = false;
        source.triggers[0].targets = vec!["near".to_owned(), "fire".to_owned()];
        source.materials.push(Material {
            name: "flame".to_owned(),
            emissive: [1.0, 0.5, 0.25],
            glows_with: "fire".to_owned(),
            ..Material::default()
        });
        let flame = source.materials.len() - 1;
        source.meshes.last_mut().unwrap().material = flame;
        change(source);
    })
}

fn light() -> LightSource {
    let mut sketch = opendoor::author::sketch::Sketch::new("lamp");
    let room = opendoor::author::sketch::cuboid([0.0; 3], [1.0; 3]);
    let room = sketch.box_room("room", room, &[]);
    sketch.lamp(room, DVec3::new(0.5, 4.0, 0.5), 50.0);
    sketch.source.lights.remove(0)
}

fn named(lamp: &LightSource, name: &str) -> LightSource {
    LightSource {
        node: name.to_owned(),
        ..lamp.clone()
    }
}

fn light_named(level: &Level, name: &str) -> LightId {
    let found = level.lights.iter().position(|light| light.name == name);
    LightId(found.expect("the light exists") as u32)
}

#[test]
fn a_trigger_turns_lamps_on_and_off_and_saved_games_keep_their_states() {
    let level = built(lit_hall(|_| {}));
    let [near, fire] = ["near", "fire"].map(|name| light_named(&level, name));
    let mut game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    let states = |game: &Game| [near, fire].map(|light| game.world().is_lit(light));
    assert_eq!(states(&game), [true, false]);
    let before = game.state_hash(&level);
    let mut seen = vec![states(&game)];
    for _ in 0..400 {
        game.tick(&level, &[crate::common::FORWARD]);
        if seen.last() != Some(&states(&game)) {
            seen.push(states(&game));
        }
        let restored = Game::restore(&level, &game.save(&level)).unwrap();
        assert_eq!(states(&restored), states(&game));
        assert_eq!(restored.state_hash(&level), game.state_hash(&level));
    }
    assert_eq!(seen, [[true, false], [false, true]]);
    assert_ne!(game.state_hash(&level), before);
}

#[test]
fn the_state_of_a_lamp_is_part_of_the_state_hash_and_goes_on_in_the_reloaded_level() {
    let old = built(lit_hall(|_| {}));
    let new = built(lit_hall(|source| source.lights.reverse()));
    let other = built(lit_hall(|source| source.lights[0].starts_lit = false));
    let mut game = Game::start(&old, &Start::Default, PLAYER).unwrap();
    while game.world().is_lit(light_named(&old, "near")) {
        game.tick(&old, &[crate::common::FORWARD]);
    }
    let (mut carried, _) = game.carry_to(&old, &new).unwrap();
    assert_eq!(carried.state_hash(&new), game.state_hash(&old));
    assert!(!carried.world().is_lit(light_named(&new, "near")));
    assert!(carried.world().is_lit(light_named(&new, "fire")));
    carried = game.carry_to(&old, &other).unwrap().0;
    assert!(!carried.world().is_lit(light_named(&other, "near")));
    // The trigger of this level has no targets.
    let plain = built(lit_hall(|source| {
        source.triggers[0].targets = vec!["lift".to_owned()]
    }));
    let mut unswitched = Game::start(&plain, &Start::Default, PLAYER).unwrap();
    while unswitched.tick < game.tick {
        unswitched.tick(&plain, &[crate::common::FORWARD]);
    }
    assert_ne!(game.state_hash(&old), unswitched.state_hash(&plain));
}

#[test]
fn a_saved_game_with_another_number_of_lamps_is_refused() {
    let level = built(lit_hall(|_| {}));
    let other = built(lit_hall(|source| {
        source.lights.pop();
        source.triggers[0].targets.pop();
    }));
    let game = Game::start(&level, &Start::Default, PLAYER).unwrap();
    assert!(Game::restore(&other, &game.save(&level)).is_err());
}

#[test]
fn lamps_are_read_back_from_files_with_their_states_and_what_glows_with_them() {
    let source = lit_hall(|_| {});
    let (level, problems) = load_bytes("hall", &write_glb(&source).unwrap()).unwrap();
    assert!(problems.warnings.is_empty(), "{problems}");
    let fire = &level.lights[light_named(&level, "fire").0 as usize];
    assert_eq!((fire.starts_lit, fire.flicker), (false, 0.25));
    assert!(fire.is_switched);
    let glows = |material: &Material| material.glows_with == "fire";
    let flame = level.materials.iter().position(glows);
    assert_eq!(fire.materials, [flame.unwrap() as u32]);
    let near = &level.lights[light_named(&level, "near").0 as usize];
    assert_eq!(
        (near.starts_lit, near.flicker, near.materials.len()),
        (true, 0.0, 0)
    );
}

#[test]
fn a_target_that_is_the_name_of_a_lamp_and_the_stem_of_a_mover_is_the_mover() {
    let level = built(lit_hall(|source| {
        source.lights[0].node = "lift".to_owned();
        source.triggers[0].targets = vec!["lift".to_owned()];
    }));
    let targets = level.triggers.iter().map(|trigger| trigger.targets[0]);
    assert!(
        targets
            .into_iter()
            .all(|target| matches!(target, TriggerTarget::Mover(_)))
    );
}

#[test]
fn a_material_that_glows_with_no_lamp_is_named() {
    let source = lit_hall(|source| source.lights[1].node = "stove".to_owned());
    let (_, problems) = opendoor::build::build(source).expect("these are only warnings");
    let found = problems
        .warnings
        .iter()
        .find(|problem| problem.code == ProblemCode::Light);
    let message = &found.expect("it is reported").message;
    assert!(
        message.contains("glows with fire, which is no light"),
        "{message}"
    );
}
