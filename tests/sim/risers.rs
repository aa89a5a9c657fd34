//! Random staircases in one room: `check` reports the step that is too high for the player, at any position in the
//! staircase, and no step of a good staircase. Furniture is not part of a staircase.

use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::problems::ProblemCode as Code;
use opendoor::rng::Rng;

use crate::checks::{House, furniture, said};

/// A staircase along x in a hall, and the platform at its end. Lengths in metres.
struct Stairs {
    rises: Vec<f64>,
    tread: f64,
    width: f64,
    platform: f64,
}

impl Stairs {
    fn random(rng: &mut Rng) -> Self {
        let rise = rng.between(0.16, 0.24);
        Self {
            rises: vec![rise; 3 + rng.below(3)],
            tread: rng.between(0.26, 0.4),
            width: rng.between(0.9, 2.0),
            platform: rng.between(1.0, 2.0),
        }
    }

    fn build(&self) -> Sketch {
        let mut house = House::new();
        house.hall.max.y = 5.0;
        let mut sketch = house.sketch();
        sketch.source.spawns[0].position.0.x = 7.0;
        let z = [0.0, self.width];
        let (mut x, mut y) = (5.0, 0.0);
        let mut part = |from: f64, to: f64, high: f64| {
            let outside = cuboid([from, 0.0, z[0]], [to, high, z[1]]);
            furniture(&mut sketch, 0, "stairs", outside);
        };
        for rise in &self.rises {
            y += rise;
            part(x - self.tread, x, y);
            x -= self.tread;
        }
        part(x - self.platform, x, y);
        sketch
    }
}

fn too_high(sketch: Sketch) -> Vec<String> {
    let (_, problems) = said(sketch.source);
    let found = problems.warnings.iter();
    let found = found.filter(|problem| problem.code == Code::StepTooHigh);
    found.map(ToString::to_string).collect()
}

#[test]
fn the_high_step_of_a_staircase_is_named_wherever_it_is() {
    let mut wrong = Vec::new();
    for seed in 0..16 {
        let rng = &mut Rng::new(seed);
        let mut stairs = Stairs::random(rng);
        let good = too_high(stairs.build());
        if !good.is_empty() {
            wrong.push(format!("seed {seed}, good: {good:?}"));
        }
        let step = rng.below(stairs.rises.len());
        let rise = stairs.rises[step];
        // The step is clearly higher than the step height, because a round body climbs steps that are slightly higher.
        stairs.rises[step] = rng.between(0.45, 2.9 * rise).min(0.55);
        let found = too_high(stairs.build());
        if found.len() != 1 {
            let rises = &stairs.rises;
            wrong.push(format!("seed {seed}, step {step} of {rises:?}: {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Regression test: desks, benches and shelves at the top and the bottom of a staircase were treated as its steps.
#[test]
fn furniture_beside_a_staircase_is_no_step_of_it() {
    for seed in 0..20 {
        let rng = &mut Rng::new(1000 + seed);
        let stairs = Stairs::random(rng);
        let mut sketch = stairs.build();
        let high = rng.between(0.65, 0.78);
        let x = 5.0 + rng.between(0.7, 1.0);
        furniture(
            &mut sketch,
            0,
            "desk",
            cuboid([x, 0.0, 0.0], [x + 0.8, high, 1.6]),
        );
        assert_eq!(too_high(sketch), Vec::<String>::new(), "seed {seed}");
    }
}
