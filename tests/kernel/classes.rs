//! Classes of random casts, each hard for another reason. No sphere overlaps its triangle at the start.

use glam::DVec3;

use crate::cast::Cast;
use crate::oracle::{contact, separation};
use crate::random::Random;

/// A class of random casts.
pub(crate) struct Class {
    pub(crate) name: &'static str,
    pub(crate) cast: fn(&mut Random) -> Cast,
    /// The class is a useful test only with at least these fractions of hits and of misses.
    pub(crate) least: [f64; 2],
}

pub(crate) const CLASSES: [Class; 8] = [
    Class {
        name: "ordinary",
        cast: ordinary,
        least: [0.3, 0.2],
    },
    Class {
        name: "needles",
        cast: needle,
        least: [0.3, 0.2],
    },
    Class {
        name: "edge-on",
        cast: edge_on,
        least: [0.3, 0.1],
    },
    Class {
        name: "grazing",
        cast: grazing,
        least: [0.1, 0.1],
    },
    Class {
        name: "along an edge",
        cast: along_an_edge,
        least: [0.3, 0.1],
    },
    Class {
        name: "10 km from the origin",
        cast: far_away,
        least: [0.3, 0.2],
    },
    Class {
        name: "motions of 1 m to 10 km",
        cast: long,
        least: [0.3, 0.2],
    },
    Class {
        name: "motions of 1e-38 m",
        cast: tiny,
        least: [0.0, 0.3],
    },
];

/// Draws casts until the sphere does not overlap the triangle at the start.
fn apart(mut draw: impl FnMut() -> Cast) -> Cast {
    loop {
        let cast = draw();
        let (distance, _) = separation::<f64>(cast.corners, cast.centre);
        // The comparison is false for a degenerate triangle.
        if distance > cast.radius * (1.0 + 1e-9) {
            return cast;
        }
    }
}

fn triangle(random: &mut Random) -> [DVec3; 3] {
    [(); 3].map(|()| random.in_cube(2.0))
}

fn radius(random: &mut Random) -> f64 {
    random.between(0.05, 1.0)
}

/// A point of the triangle: inside it, on an edge, or a corner.
fn point_of([a, b, c]: [DVec3; 3], random: &mut Random) -> DVec3 {
    let (s, t) = (random.between(0.0, 1.0), random.between(0.0, 1.0));
    match random.below(3) {
        0 => a + (b - a) * s + (c - b) * (s * t),
        1 => a + (b - a) * s,
        _ => a,
    }
}

/// A cast that passes the triangle at a distance of up to one and a half radii, after about `before` metres.
fn aimed(corners: [DVec3; 3], radius: f64, before: f64, random: &mut Random) -> Cast {
    let miss = random.direction() * (radius * random.between(0.0, 1.5));
    let target = point_of(corners, random) + miss;
    let direction = random.direction();
    Cast {
        corners,
        radius,
        centre: target - direction * before,
        direction,
        length: before * random.between(0.5, 2.0),
    }
}

/// Returns half of the casts unchanged, and shortens the others to `length` metres around the contact.
fn shortened(mut cast: Cast, length: f64, random: &mut Random) -> Cast {
    if random.coin() {
        let before = length * random.between(0.0, 1.0);
        if let Some(contact) = contact::<f64>(&cast).filter(|c| c.distance > before) {
            cast.centre = cast.at(contact.distance - before);
            cast.length = length;
        }
    }
    cast
}

fn ordinary(random: &mut Random) -> Cast {
    apart(|| {
        let (corners, radius) = (triangle(random), radius(random));
        let before = random.between(0.1, 10.0);
        let cast = aimed(corners, radius, before, random);
        let step = random.of_any_size(1e-4, 1.0);
        shortened(cast, step, random)
    })
}

/// A triangle 100 m long; its third corner may also lie beyond the ends of the long edge.
fn blade(width: f64, random: &mut Random) -> [DVec3; 3] {
    let along = random.direction();
    let across = random.square_to(along);
    let a = random.in_cube(50.0);
    let third = a + along * random.between(-20.0, 120.0) + across * width;
    let mut corners = [a, a + along * 100.0, third];
    corners.rotate_left(random.below(3));
    corners
}

/// A cast at a triangle 100 m long and 1 mm wide.
fn needle(random: &mut Random) -> Cast {
    apart(|| {
        let (corners, radius) = (blade(1e-3, random), radius(random));
        let before = random.between(0.1, 10.0);
        let cast = aimed(corners, radius, before, random);
        let step = random.of_any_size(1e-4, 1.0);
        shortened(cast, step, random)
    })
}

/// Motions in the plane of the triangle and parallel to it: exactly, if the plane is perpendicular to an axis, and
/// otherwise up to rounding.
fn edge_on(random: &mut Random) -> Cast {
    apart(|| {
        let (mut corners, radius) = (triangle(random), radius(random));
        let axis = random.below(4);
        if axis < 3 {
            let level = corners[0][axis];
            corners.iter_mut().for_each(|corner| corner[axis] = level);
        }
        let cross = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let normal = cross / cross.length();
        let height = if random.coin() {
            0.0
        } else {
            radius * random.between(-1.1, 1.1)
        };
        let mut direction = random.square_to(normal);
        if axis < 3 {
            direction[axis] = 0.0;
            direction = direction / direction.length();
        }
        let before = random.between(0.1, 10.0);
        let cast = Cast {
            corners,
            radius,
            centre: point_of(corners, random) + normal * height - direction * before,
            direction,
            length: before * random.between(0.5, 2.0),
        };
        let step = random.of_any_size(1e-4, 1.0);
        shortened(cast, step, random)
    })
}

/// Motions that pass a corner, an edge or a face at a distance that differs from the radius by 1 % to 1e-12 of it.
fn grazing(random: &mut Random) -> Cast {
    apart(|| {
        let (corners, radius) = (triangle(random), radius(random));
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a);
        let (touched, mut direction, mut off);
        match random.below(3) {
            0 => {
                touched = a;
                direction = random.direction();
                off = random.square_to(direction);
            }
            1 => {
                touched = a + (b - a) * random.between(0.0, 1.0);
                direction = random.direction();
                off = (b - a).cross(direction);
            }
            _ => {
                touched = a + (b - a) * 0.5 + (c - a) * random.between(0.0, 0.5);
                direction = random.square_to(normal);
                direction += random.direction() * random.of_any_size(1e-12, 1e-2);
                direction = direction / direction.length();
                off = normal;
            }
        }
        off *= random.sign() / off.length();
        let smallest = if random.coin() { 1e-4 } else { 1e-12 };
        let apart = random.of_any_size(smallest, 1e-2) * random.sign();
        let before = random.between(0.1, 10.0);
        Cast {
            corners,
            radius,
            centre: touched + off * (radius * (1.0 + apart)) - direction * before,
            direction,
            length: before * random.between(0.5, 2.0),
        }
    })
}

/// Motions beside an edge and almost parallel to it, with slowly decreasing distance. There are no needles: the kernel
/// receives their normals in f64, whose rounding tilts the plane of a triangle of 100 m by 1 mm by up to 1e-11, and
/// motions as flat as these meet that plane 1e-5 m early or late.
fn along_an_edge(random: &mut Random) -> Cast {
    apart(|| {
        let corners = if random.coin() {
            triangle(random)
        } else {
            blade(1.0, random)
        };
        let radius = radius(random);
        let edge = corners[1] - corners[0];
        let along = edge / edge.length();
        let off = random.square_to(along);
        let gap = radius * random.of_any_size(1e-3, 0.1);
        let nearer = gap * random.between(0.0, 5.0);
        let motion = edge * (0.5 * random.sign()) - off * nearer;
        let touched = corners[0] + edge * random.between(0.4, 0.6);
        Cast::new(corners, radius, touched + off * (radius + gap), motion)
    })
}

fn far_away(random: &mut Random) -> Cast {
    apart(|| {
        let mut cast = ordinary(random);
        let offset = DVec3::from_array([(); 3].map(|()| random.sign() * 1e4));
        cast.corners = cast.corners.map(|corner| corner + offset);
        cast.centre += offset;
        cast
    })
}

fn long(random: &mut Random) -> Cast {
    apart(|| {
        let (corners, radius) = (triangle(random), radius(random));
        let before = random.of_any_size(1.0, 1e4);
        let mut cast = aimed(corners, radius, before, random);
        cast.length = cast.length.clamp(1.0, 1e4);
        cast
    })
}

/// Tiny motions. Half of them start where the sphere touches, up to rounding.
fn tiny(random: &mut Random) -> Cast {
    let mut cast = ordinary(random);
    if random.coin()
        && let Some(contact) = contact::<f64>(&cast)
    {
        cast.centre = cast.at(contact.distance);
    }
    cast.length = random.of_any_size(1e-39, 1e-37);
    cast
}
