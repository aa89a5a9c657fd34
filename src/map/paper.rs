//! Sheets of paper: which scale fits, and where a plan lies on them.

use glam::DVec2;

use super::plan::Plan;

/// A4 upright, millimetres.
const A4: DVec2 = DVec2::new(210.0, 297.0);
/// Free at each edge, millimetres.
const MARGIN: f64 = 10.0;
/// Below the plan, for title and scale bar, millimetres.
const TITLE: f64 = 16.0;
/// Scales are 1 to these, times a power of ten...
const SCALES: [f64; 10] = [1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5];
/// ...and scale bars are so long.
const BARS: [f64; 3] = [1.0, 2.0, 5.0];

/// Where a plan lies on a sheet; all in millimetres but for the plan's own metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paper {
    /// Of a sheet.
    pub(super) size: DVec2,
    /// 1 to so much.
    pub(super) scale: f64,
    /// What of the plan, metres, lies at `corner`.
    least: DVec2,
    /// The upper left corner of the plan.
    corner: DVec2,
}

impl Paper {
    /// For all storeys of a plan at one scale.
    pub(super) fn of(plan: &Plan) -> Self {
        let shapes = || plan.storeys.iter().flat_map(|storey| &storey.shapes);
        let least = shapes().map(|shape| shape.bounds[0]).reduce(DVec2::min);
        let greatest = shapes().map(|shape| shape.bounds[1]).reduce(DVec2::max);
        let (least, greatest) = (least.unwrap_or_default(), greatest.unwrap_or_default());
        let extent = (greatest - least).max(DVec2::splat(1.0));
        let size = if extent.x > extent.y {
            DVec2::new(A4.y, A4.x)
        } else {
            A4
        };
        let free = size - DVec2::new(2.0 * MARGIN, 2.0 * MARGIN + TITLE);
        let fits = |scale: &f64| (extent * 1000.0 / scale).cmple(free).all();
        let scales = (1..9).flat_map(|power| {
            let unit = libm::pow(10.0, f64::from(power));
            SCALES.map(|scale| scale * unit)
        });
        let scale = scales.clone().find(fits).or(scales.last()).unwrap_or(100.0);
        let drawn = extent * 1000.0 / scale;
        Self {
            size,
            scale,
            least,
            corner: DVec2::splat(MARGIN) + (free - drawn) * 0.5,
        }
    }

    /// Where a point of the plan, metres, is on its sheet.
    pub(super) fn at(&self, p: DVec2) -> DVec2 {
        self.corner + (p - self.least) * 1000.0 / self.scale
    }

    /// Millimetres of so many metres.
    pub(super) fn length(&self, metres: f64) -> f64 {
        metres * 1000.0 / self.scale
    }

    /// Where the title begins, and where the scale bar ends: on their base line.
    pub(super) fn title(&self) -> [DVec2; 2] {
        let y = self.size.y - MARGIN;
        [DVec2::new(MARGIN, y), DVec2::new(self.size.x - MARGIN, y)]
    }

    /// Metres of the scale bar: as long as a hand's width at most.
    pub(super) fn bar(&self) -> f64 {
        let most = 80.0 * self.scale / 1000.0;
        let mut powers = (-2..9).flat_map(|power| {
            let unit = libm::pow(10.0, f64::from(power));
            BARS.map(|scale| scale * unit)
        });
        powers.rfind(|metres| *metres <= most).unwrap_or(most)
    }
}
