//! The track of a mover along a path of empties.

use glam::{DQuat, DVec3};

use crate::level::{Track, TrackKey};
use crate::naming::plain_name;

/// Maximum number of points of one path.
const MAX_POINTS: usize = 4096;

/// A point of a path: the name of its empty, and its position in author's coordinates, metres.
pub(crate) type Waypoint = (String, DVec3);

/// The reason why a path is not used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PathError {
    #[error(
        "no empty has the name `{0}`, `{0}.001` and so on; set the property to the name of the empties"
    )]
    NoPoints(String),
    #[error("it has more than {MAX_POINTS} points; leave some out")]
    TooMany,
    #[error("all its points are where the mover stands; move them")]
    NoLength,
}

/// A track with constant speed from the origin of a mover through the empties with this name, in the order of their
/// numbers; if it `closes`, back to the origin. Also returns its length, metres.
pub(crate) fn track(
    points: &[Waypoint],
    path: &str,
    origin: DVec3,
    closes: bool,
) -> Result<(Track, f64), PathError> {
    let mut named: Vec<&Waypoint> = points
        .iter()
        .filter(|(name, _)| plain_name(name) == path)
        .collect();
    if named.is_empty() {
        return Err(PathError::NoPoints(path.to_owned()));
    }
    if named.len() > MAX_POINTS {
        return Err(PathError::TooMany);
    }
    named.sort_by(|a, b| number(&a.0).cmp(&number(&b.0)).then(a.0.cmp(&b.0)));
    let named = named.iter().map(|(_, at)| *at - origin);
    let offsets = [DVec3::ZERO].into_iter().chain(named);
    let offsets: Vec<DVec3> = offsets.chain(closes.then_some(DVec3::ZERO)).collect();
    let lengths = offsets.windows(2).map(|pair| pair[0].distance(pair[1]));
    let ends: Vec<f64> = lengths
        .scan(0.0, |end, length| {
            *end += length;
            Some(*end)
        })
        .collect();
    let length = ends.last().copied().unwrap_or(0.0);
    if !length.is_normal() {
        return Err(PathError::NoLength);
    }
    let parts = [0.0].into_iter().chain(ends.iter().map(|end| end / length));
    let keys = offsets.iter().zip(parts).map(|(&offset, part)| TrackKey {
        part,
        pivot: origin,
        offset,
        rotation: DQuat::IDENTITY,
    });
    Ok((Track::Keys(keys.collect()), length))
}

/// The number that Blender appends to a name that is already used; 0 if the name has none.
fn number(name: &str) -> u64 {
    let (_, digits) = name.rsplit_once('.').unwrap_or_default();
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_by_the_numbers_at_constant_speed_and_closes_if_asked() {
        let origin = DVec3::new(5.0, 1.0, 0.0);
        let at = |x: f64, z: f64| origin + DVec3::new(x, 0.0, z);
        let points = [
            ("rail.010".to_owned(), at(3.0, 6.0)),
            ("rail".to_owned(), at(3.0, 0.0)),
            ("other".to_owned(), at(9.0, 9.0)),
            ("rail.002".to_owned(), at(3.0, 3.0)),
        ];
        let (way, length) = track(&points, "rail", origin, false).unwrap();
        assert_eq!(length, 9.0);
        for (metres, x, z) in [
            (0.0, 0.0, 0.0),
            (3.0, 3.0, 0.0),
            (4.5, 3.0, 1.5),
            (9.0, 3.0, 6.0),
        ] {
            let moved = way.pose(metres / 9.0).point(DVec3::ZERO);
            assert!(
                moved.distance(DVec3::new(x, 0.0, z)) < 1e-12,
                "{metres}: {moved}"
            );
        }
        let (way, length) = track(&points, "rail", origin, true).unwrap();
        assert!((length - 9.0 - 45f64.sqrt()).abs() < 1e-12);
        assert!(way.pose(1.0).is_about(&crate::geometry::Rigid::IDENTITY));
    }

    #[test]
    fn paths_that_lead_nowhere_are_refused() {
        let here = [("rail".to_owned(), DVec3::X)];
        assert!(matches!(
            track(&here, "road", DVec3::ZERO, false),
            Err(PathError::NoPoints(_))
        ));
        assert!(matches!(
            track(&here, "rail", DVec3::X, true),
            Err(PathError::NoLength)
        ));
    }
}
