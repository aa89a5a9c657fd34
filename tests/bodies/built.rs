//! Bodies of levels made in code, and of the files to which these levels are written.

use std::f64::consts::FRAC_PI_4;

use opendoor::author::builder::{
    BuilderBody, BuilderError, BuilderShape, LevelBuilder, MaterialKey, RoomKey, RoomMaterials,
};
use opendoor::build::build;
use opendoor::game::Game;
use opendoor::glam::{DQuat, DVec3};
use opendoor::gltf::write_glb;
use opendoor::level::{BodyId, Level, Material};
use opendoor::load::load_bytes;
use opendoor::shapes;

fn hall() -> (LevelBuilder, RoomKey, MaterialKey) {
    let mut builder = LevelBuilder::new("hall");
    let wood = builder.material(Material {
        friction: 0.4,
        bounce: 0.1,
        ..Material::default()
    });
    let inside = BuilderShape::cuboid(DVec3::new(-5.0, 0.0, -5.0), DVec3::new(5.0, 4.0, 5.0));
    let hall = builder.room("hall", &inside, RoomMaterials::all(wood));
    let hall = hall.expect("it is sound");
    let spawn = builder.spawn(hall, "player", DVec3::new(4.0, 0.0, 4.0), DVec3::NEG_X);
    spawn.expect("it is sound");
    (builder, hall, wood)
}

/// A hall with one body of each shape in the air, two of them rotated.
fn furnished() -> LevelBuilder {
    let (mut builder, hall, wood) = hall();
    let wedge = [[0., 0., 0.], [1., 0., 0.], [0., 0.5, 0.], [0., 0., 1.]].map(DVec3::from);
    let corner = BuilderShape::prism(
        &[
            [0., 0.],
            [0.6, 0.],
            [0.6, 0.2],
            [0.2, 0.2],
            [0.2, 0.6],
            [0., 0.6],
        ]
        .map(Into::into),
        0.0,
        0.3,
    );
    let turn = DQuat::from_rotation_y(FRAC_PI_4) * DQuat::from_rotation_x(0.3);
    let ball = BuilderBody::ball(0.25).at(DVec3::new(-3.0, 2.0, 0.0));
    let crate_ = BuilderBody::cuboid(DVec3::new(0.6, 0.4, 0.8)).at(DVec3::new(0.0, 1.0, 0.0));
    let log = BuilderBody::capsule(0.1, 0.5).at(DVec3::new(3.0, 1.0, 2.0));
    let wedge = BuilderBody::hull(&wedge).at(DVec3::new(-2.0, 1.0, 3.0));
    let corner = BuilderBody::solid(&corner).at(DVec3::new(2.0, 1.0, -2.0));
    for (name, body) in [
        (
            "ball",
            ball.with_mass(2.0).with_friction(0.9).with_bounce(0.5),
        ),
        ("crate", crate_),
        ("log", log.turned(turn)),
        ("wedge", wedge.turned(turn)),
        ("corner", corner.turned(turn * 3.0)),
    ] {
        builder.body(hall, name, &body, wood).expect("it is sound");
    }
    builder
}

fn built(builder: &LevelBuilder) -> Level {
    let (level, problems) = build(builder.source()).expect("it is sound");
    assert!(
        problems.warnings.iter().all(|w| w.code == "no-light"),
        "{problems}"
    );
    level
}

#[test]
fn bodies_have_the_shape_mass_and_surface_that_they_were_given() {
    let level = built(&furnished());
    let body = |name: &str| {
        let mut bodies = level.bodies.iter();
        bodies.find(|body| body.name == name).expect("it is there")
    };
    let ball = body("ball-body");
    assert!(
        matches!(ball.shape, shapes::Shape::Sphere { radius } if (radius - 0.25).abs() < 1e-12)
    );
    assert_eq!(
        (ball.mass.mass, ball.friction, ball.bounce),
        (2.0, 0.9, 0.5)
    );
    let place = level.to_author(ball.start.point).0;
    assert!(place.distance(DVec3::new(-3.0, 2.0, 0.0)) < 1e-12);
    let crate_ = body("crate-body");
    // The mass follows from the volume and the density of wood; friction and restitution follow from the material.
    assert!((crate_.mass.mass - 600.0 * 0.192).abs() < 1e-9);
    assert_eq!((crate_.friction, crate_.bounce), (0.4, 0.1));
    let shapes::Shape::Box { half_extents } = crate_.shape else {
        panic!("it is a box")
    };
    assert!(half_extents.distance(DVec3::new(0.3, 0.2, 0.4)) < 1e-12);
    let shapes::Shape::Capsule {
        half_segment,
        radius,
    } = body("log-body").shape
    else {
        panic!("it is a capsule")
    };
    assert!((radius - 0.1).abs() < 1e-12 && half_segment.distance(DVec3::Y * 0.25) < 1e-12);
    let wedge = body("wedge-body");
    assert!(
        (wedge.mass.mass - 600.0 / 12.0).abs() < 1e-9,
        "{}",
        wedge.mass.mass
    );
    let corner = body("corner-body");
    assert!((corner.mass.mass - 600.0 * 0.3 * 0.2).abs() < 1e-9);
    assert!(level.bodies.iter().all(|body| !body.draws.is_empty()));
}

#[test]
fn bodies_fall_as_the_game_ticks_and_come_to_rest() {
    let level = built(&furnished());
    let mut game = Game::new(&level).expect("there is room");
    for _ in 0..900 {
        game.tick(&level, &[]);
    }
    assert_eq!(game.world().bodies.awake_count(), 0);
    let height = |name: &str| {
        let index = level.bodies.iter().position(|body| body.name == name);
        let id = BodyId(index.expect("it is there") as u32);
        level.to_author(game.world().bodies.state(id).at.point).0.y
    };
    assert!((height("ball-body") - 0.25).abs() < 1e-3);
    assert!((height("crate-body") - 0.2).abs() < 1e-3);
    assert!((height("log-body") - 0.1).abs() < 1e-3);
    assert!(height("wedge-body") < 0.4 && height("corner-body") < 0.4);
}

#[test]
fn bodies_come_back_from_the_file_that_they_are_written_to() {
    let builder = furnished();
    let level = built(&builder);
    let bytes = write_glb(&builder.source()).expect("it can be written");
    let (again, _) = load_bytes("hall", &bytes).expect("it is sound");
    assert_eq!(level.bodies.len(), again.bodies.len());
    for (body, back) in level.bodies.iter().zip(&again.bodies) {
        assert_eq!(body.name, back.name);
        assert!(body.start.point.distance(back.start.point) < 1e-6);
        assert!(body.rotation.dot(back.rotation).abs() > 1.0 - 1e-9);
        assert_eq!((body.friction, body.bounce), (back.friction, back.bounce));
        assert!((body.mass.mass / back.mass.mass - 1.0).abs() < 1e-5);
        let kinds = [&body.shape, &back.shape].map(std::mem::discriminant);
        assert_eq!(kinds[0], kinds[1], "{}", body.name);
        let radii = [&body.shape, &back.shape].map(|shape| shape.radius_about(DVec3::ZERO));
        assert!((radii[0] - radii[1]).abs() < 1e-6);
    }
    // Writing the level a second time gives the same bodies.
    let (source, _) = opendoor::gltf::read_source_bytes("hall", &bytes).expect("it is sound");
    let (twice, _) =
        load_bytes("hall", &write_glb(&source).expect("as before")).expect("as before");
    for (once, twice) in again.bodies.iter().zip(&twice.bodies) {
        assert!(once.start.point.distance(twice.start.point) < 1e-9);
        assert_eq!(once.name, twice.name);
    }
}

#[test]
fn mistakes_are_errors_with_the_name_and_the_cure() {
    let (mut builder, hall, wood) = hall();
    let mut error = |name: &str, body: BuilderBody| {
        let error = builder
            .body(hall, name, &body, wood)
            .expect_err("it is wrong");
        assert!(error.to_string().contains(name), "{error}");
        error
    };
    let ball = || BuilderBody::ball(0.2).at(DVec3::Y);
    let number = |error: BuilderError| match error {
        BuilderError::BodyNumber { what, .. } => what,
        other => panic!("{other}"),
    };
    for mass in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert_eq!(number(error("a", ball().with_mass(mass))), "mass");
    }
    assert_eq!(number(error("a", ball().with_friction(-0.1))), "friction");
    assert_eq!(number(error("a", ball().with_bounce(1.5))), "bounce");
    assert_eq!(number(error("a", BuilderBody::ball(f64::NAN))), "radius");
    assert_eq!(
        number(error("a", BuilderBody::cuboid(DVec3::new(1.0, 0.0, 1.0)))),
        "size"
    );
    let flat = [DVec3::ZERO, DVec3::X, DVec3::Z, DVec3::X + DVec3::Z];
    assert!(matches!(
        error("a", BuilderBody::hull(&flat)),
        BuilderError::Hull { .. }
    ));
    assert!(matches!(
        error("a", BuilderBody::hull(&[])),
        BuilderError::Hull { .. }
    ));
    let nowhere = ball().at(DVec3::NAN);
    assert!(matches!(
        error("a", nowhere),
        BuilderError::NonFinite { .. }
    ));
    let no_turn = ball().turned(DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0));
    assert!(matches!(
        error("a", no_turn),
        BuilderError::NonFinite { .. }
    ));
    assert!(matches!(error("a-room", ball()), BuilderError::Name { .. }));
    let (mut other, ..) = self::hall();
    assert!(matches!(
        other.body(hall, "a", &ball(), wood),
        Err(BuilderError::ForeignKey { .. })
    ));
    builder.body(hall, "a", &ball(), wood).expect("it is sound");
    let twice = builder.body(hall, "a", &ball(), wood);
    assert!(matches!(twice, Err(BuilderError::NameTwice { .. })));
}

/// Regression test: every contact calls `body_of_solid`, which used to search all bodies, so the check of a level was
/// quadratic in their number.
#[test]
fn the_body_of_a_solid_triangle_is_the_one_whose_set_has_it() {
    let (mut builder, hall, wood) = hall();
    for index in 0..40 {
        let at = DVec3::new(f64::from(index % 8) - 4.0, 1.0, f64::from(index / 8) - 2.0);
        // Balls have no triangles.
        let body = if index % 3 == 0 {
            BuilderBody::ball(0.2)
        } else {
            BuilderBody::cuboid(DVec3::splat(0.3))
        };
        let name = format!("body {index}");
        let added = builder.body(hall, &name, &body.at(at), wood);
        added.expect("it is sound");
    }
    let level = built(&builder);
    let mut of_bodies = 0;
    for triangle in 0..level.solids.len() as u32 + 2 {
        let mut bodies = (0..).map(BodyId).zip(&level.bodies);
        let by_search = bodies.find(|(_, body)| body.solids.contains(triangle));
        let by_search = by_search.map(|(id, _)| id);
        assert_eq!(level.body_of_solid(triangle), by_search, "{triangle}");
        of_bodies += usize::from(by_search.is_some());
    }
    assert_eq!(of_bodies, 26 * 12);
}
