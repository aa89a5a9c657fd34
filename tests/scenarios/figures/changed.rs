//! A walk through changed versions of a yard.

use glam::DVec3;

use super::rooms::differing;
use crate::actor::{Actor, Stage, body};
use crate::metamorphic::{RADIUS, farthest_off, inputs, start, walk, yard};
use crate::oracle::Corners;
use crate::page::Figure;
use crate::shapes::{heading, moved, stage, v};

pub(super) fn figures() -> Vec<Figure> {
    vec![
        ("D1", reordered()),
        ("D2", mirrored()),
        ("D3", turned()),
        ("D4", shifted()),
        ("D5", scaled()),
        ("D6", cut()),
        ("D7", halved()),
        ("D8", replayed()),
    ]
}

fn reordered() -> String {
    differing(
        &stage(&yard()),
        ("stage", start() + DVec3::Y * 0.1),
        |actor| {
            inputs()
                .iter()
                .for_each(|&(wish, jump)| actor.tick(wish, jump));
        },
    )
}

fn mirrored() -> String {
    let mirror = |p: DVec3| v(-p.x, p.y, p.z);
    let flip = |t: Corners| {
        let [a, b, c] = t.map(mirror);
        [a, c, b]
    };
    let change = |soup: Vec<Corners>| stage(&soup.into_iter().map(flip).collect::<Vec<_>>());
    let (off, _) = farthest_off(change, mirror, mirror);
    format!("{off:.0e} m off in 600 ticks")
}

fn turned() -> String {
    let turn = |p: DVec3| v(p.z, p.y, -p.x);
    let change = |soup: Vec<Corners>| stage(&soup.iter().map(|t| t.map(turn)).collect::<Vec<_>>());
    let (off, _) = farthest_off(change, turn, turn);
    format!("{off:.0e} m off")
}

fn shifted() -> String {
    let by = v(1.0, 0.0, 0.0) * 2.0_f64.powi(13);
    let change = |soup: Vec<Corners>| {
        let mut source = stage(&moved(&soup, by));
        let lobby = source.meshes.iter_mut().filter(|m| m.room == 1);
        lobby.for_each(|m| m.positions.iter_mut().for_each(|p| *p += by));
        source.spawns.iter_mut().for_each(|s| s.position.0 += by);
        source
    };
    let (off, _) = farthest_off(change, |w| w, |p| p + by);
    format!("{off:.0e} m off at 2^13 m")
}

fn scaled() -> String {
    let plain = Stage::of(&stage(&yard()));
    let doubled: Vec<Corners> = yard().iter().map(|t| t.map(|p| p * 2.0)).collect();
    let doubled = Stage::of(&stage(&doubled));
    let wishes: Vec<(DVec3, bool)> = inputs().iter().map(|&(w, j)| (w * 2.0, j)).collect();
    let (_, expected) = walk(&plain, 1.0, start(), &inputs());
    let (_, found) = walk(&doubled, 2.0, start() * 2.0, &wishes);
    let differ = expected
        .iter()
        .zip(&found)
        .filter(|(e, f)| **e * 2.0 != **f);
    format!(
        "of {} ticks {} differ in a bit",
        found.len(),
        differ.count()
    )
}

fn cut() -> String {
    let in_three = |[a, b, c]: Corners| {
        let m = (a + b) * 0.25 + c * 0.5;
        [[a, b, m], [b, c, m], [c, a, m]]
    };
    let change = |soup: Vec<Corners>| {
        let pieces: Vec<Corners> = soup.into_iter().flat_map(in_three).collect();
        stage(&pieces)
    };
    let (off, _) = farthest_off(change, |w| w, |p| p);
    format!("{off:.0e} m off, each in three")
}

fn halved() -> String {
    let stage = Stage::of(&stage(&yard()));
    let (mut count, mut worst) = (0, 0.0_f64);
    for turn in 0..72 {
        for speed in [4.0, 100.0, 3000.0] {
            let wish = (heading(5.0 * f64::from(turn)) - DVec3::Y * 0.2) * speed;
            let end = |steps: usize| {
                let mut actor = Actor::new(&stage, body(RADIUS, 0.0), "stage", start());
                actor.hold(wish / steps as f64, steps);
                actor.centre()
            };
            let (one, two) = (end(1), end(2));
            if (one - start() - wish / 60.0).length() < 1e-9 {
                (count, worst) = (count + 1, worst.max((one - two).length()));
            }
        }
    }
    format!("{worst:.0e} m off in {count} straight steps")
}

fn replayed() -> String {
    let stage = Stage::of(&stage(&yard()));
    let [first, again] = [0, 1].map(|_| walk(&stage, 1.0, start(), &inputs()).0.track);
    let differ = first.iter().zip(&again).filter(|(a, b)| a != b).count();
    format!("of {} ticks {differ} differ", first.len())
}
