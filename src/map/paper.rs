//! Sheets of paper: the scale that fits, and the position of a plan on a sheet.

use glam::DVec2;

use super::plan::Plan;

/// A4 in portrait format, millimetres.
const A4: DVec2 = DVec2::new(210.0, 297.0);
/// The free margin at each edge, millimetres.
const MARGIN: f64 = 10.0;
/// The space below the plan for the title and the scale bar, millimetres.
const TITLE: f64 = 16.0;
/// The choice of scales: 1 to one of these numbers times a power of ten.
const SCALES: [f64; 10] = [1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.5];
/// The choice of lengths of scale bars: one of these numbers times a power of ten.
const BARS: [f64; 3] = [1.0, 2.0, 5.0];

/// The layout of a plan on a sheet; everything in millimetres except the plan's own metres.
#[derive(Clone, Copy, Debug)]
pub(super) struct Paper {
    /// The size of a sheet.
    pub(super) size: DVec2,
    /// The denominator of the scale 1:`scale`.
    pub(super) scale: f64,
    /// The point of the plan that lies at `corner`, metres.
    least: DVec2,
    /// The upper left corner of the plan on the sheet.
    corner: DVec2,
}

impl Paper {
    /// Chooses the layout for all storeys of a plan, at one scale.
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

    /// Converts a point of the plan, metres, to its position on the sheet.
    pub(super) fn at(&self, p: DVec2) -> DVec2 {
        self.corner + (p - self.least) * 1000.0 / self.scale
    }

    /// Converts metres to millimetres on the sheet.
    pub(super) fn length(&self, metres: f64) -> f64 {
        metres * 1000.0 / self.scale
    }

    /// The start of the title and the end of the scale bar, on their common base line.
    pub(super) fn title(&self) -> [DVec2; 2] {
        let y = self.size.y - MARGIN;
        [DVec2::new(MARGIN, y), DVec2::new(self.size.x - MARGIN, y)]
    }

    /// The length of the scale bar, metres: at most 80 mm on paper.
    pub(super) fn bar(&self) -> f64 {
        let most = 80.0 * self.scale / 1000.0;
        let mut powers = (-2..9).flat_map(|power| {
            let unit = libm::pow(10.0, f64::from(power));
            BARS.map(|scale| scale * unit)
        });
        powers.rfind(|metres| *metres <= most).unwrap_or(most)
    }
}
