//! The resting position of a sphere that is lowered onto the ground.

use glam::DVec3;

use super::projection::project_velocity;
use super::queries::Queries;
use super::reactions::is_stable;
use super::tuning::*;

/// The resting position of a lowered sphere.
pub(super) struct Support {
    pub centre: DVec3,
    /// Height of the lowest contact point that supports the sphere.
    pub height: f64,
}

/// Lowers the sphere from `centre` by at most `drop` metres; it slides off surfaces that do not hold it. `None` if it
/// finds no support. On stairs whose treads are shorter than the sphere's diameter, it rests between two edges, not
/// on a tread.
pub(super) fn find_support(
    q: &mut Queries,
    mut centre: DVec3,
    drop: f64,
    max_slope_cos: f64,
) -> Option<Support> {
    let (radius, start) = (q.radius(), q.state.at.point);
    let lowest = centre.y - drop - TOUCH * radius;
    for _ in 0..MAX_SETTLINGS {
        let mut near = q.within(centre.distance(start));
        let contacts = &near.contacts(centre).list;
        if is_stable(contacts, max_slope_cos) {
            let below = contacts.iter().filter(|c| c.supports());
            let heights = below.map(|c| centre.y - radius * c.normal.y);
            return Some(Support {
                centre,
                height: heights.fold(f64::INFINITY, f64::min),
            });
        }
        let way = project_velocity(DVec3::NEG_Y, contacts).velocity;
        let left = centre.y - lowest;
        if way.y >= -MIN_MOTION || left <= 0.0 {
            return None;
        }
        let slides = way != DVec3::NEG_Y;
        let longest = if slides { SETTLING_STEP * radius } else { left };
        let motion = way * (left / -way.y).min(longest / way.length());
        let near = q.within((centre + motion).distance(start));
        centre += motion * near.cast(centre, motion);
    }
    None
}
