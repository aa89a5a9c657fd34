//! Tests of all parts that need no graphics, from outside, as a player and an author use them. One binary, because
//! linking is slow.
#![expect(
    clippy::unwrap_used,
    reason = "a helper of a test fails the test by panicking"
)]

mod animations;
mod approach;
mod architecture;
mod attributes;
mod authors;
mod bake_command;
mod between_ticks;
mod blending;
mod carry;
mod check;
mod checks;
mod checks_followers;
mod checks_of_meshes;
mod command_line;
mod common;
mod culled_frames;
mod determinism;
mod door_levels;
mod doors;
mod dungeon;
mod events;
mod falls;
mod figure;
mod fixes;
mod folds;
mod gltf_file;
mod hostile;
mod import;
mod imports;
mod joints;
mod lamps;
mod language;
mod leaving;
mod levels;
#[path = "../shared/lift.rs"]
mod lift;
mod loading_again;
mod map;
mod materials;
mod moved_rooms;
mod mover_checks;
mod movers;
mod mutations;
mod near_names;
mod odd_moved_rooms;
mod open_rooms;
mod optional_fields;
mod out_of_place;
mod pits;
mod player;
mod players;
mod portals;
mod problem_codes;
mod queries;
mod readme;
#[path = "../readme/mod.rs"]
mod readme_examples;
mod replay_commands;
mod replays;
mod restores;
mod risers;
mod said_of_files;
mod saves;
#[path = "../shared/mod.rs"]
mod shared;
mod shells;
mod sky;
mod slivers;
mod slopes;
mod spawners;
mod starts;
mod stations;
mod switched_lamps;
mod tangents;
mod textures;
mod thin_walls;
mod third_person;
mod tours;
mod trigger_rings;
mod triggers;
mod turned_portals;
mod unread_properties;
mod using;
mod views;
mod visibility;
mod walk_tests;
mod walls;
mod wander;
mod written;
