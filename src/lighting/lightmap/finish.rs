//! Conversion of ray results to texels: texels inside objects are filled from their neighbours. Neighbouring texels are
//! blended, since each casts different rays.

use super::layout::Lightmap;

/// The number of fill passes. Each pass fills texels one texel farther away; texels farther than this from a visible
/// place are never seen.
const PASSES: usize = 4;

/// The sky visibility of a texel as measured by its rays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Baked {
    /// Too far from the patch to be visible.
    Unseen,
    /// The texel is inside an object; the value is the result of its rays nevertheless.
    Inside(f32),
    /// The sky visibility, 0..1.
    Open(f32),
}

/// A rectangle of numbers, row by row, some of them unknown.
struct TexelGrid {
    columns: usize,
    rows: usize,
    known: Vec<Option<f32>>,
}

/// Writes the texels of a chart, row by row.
pub(super) fn finish(map: &mut Lightmap, chart: usize, baked: &[Baked]) {
    let chart = &map.charts[chart];
    let [columns, rows] = chart.size.map(|n| n as usize);
    let open = baked.iter().map(|texel| match texel {
        Baked::Open(open) => Some(*open),
        Baked::Inside(_) | Baked::Unseen => None,
    });
    let mut grid = TexelGrid {
        columns,
        rows,
        known: open.collect(),
    };
    for _ in 0..PASSES {
        if !grid.fill() {
            break;
        }
    }
    grid.blend([1, 0]);
    grid.blend([0, 1]);
    let side = map.page_side as usize;
    let first = map.texel_index(chart, [0, 0]);
    for (index, (known, baked)) in grid.known.iter().zip(baked).enumerate() {
        let open = match (known, baked) {
            (Some(open), _) | (None, Baked::Inside(open)) => *open,
            (None, _) => 1.0,
        };
        let place = first + index / columns * side + index % columns;
        map.sky_visibility[place] = (open * 255.0).round() as u8;
    }
}

impl TexelGrid {
    /// The number this many columns and rows from the number at `index`; `None` if it is unknown or outside the grid.
    fn beside(&self, index: usize, [columns, rows]: [isize; 2]) -> Option<f32> {
        let column = (index % self.columns).checked_add_signed(columns)?;
        let row = (index / self.columns).checked_add_signed(rows)?;
        let is_inside = column < self.columns && row < self.rows;
        is_inside.then(|| self.known[row * self.columns + column])?
    }

    /// Sets unknown numbers to the mean of the known numbers around them; returns whether any was set.
    fn fill(&mut self) -> bool {
        let around = [-1, 0, 1].map(|row| [-1, 0, 1].map(|column| [column, row]));
        let mut found = Vec::new();
        for index in (0..self.known.len()).filter(|&i| self.known[i].is_none()) {
            let known = around.as_flattened().iter();
            let known = known.filter_map(|&off| self.beside(index, off));
            let (sum, count) = known.fold((0.0, 0), |(sum, count), open| (sum + open, count + 1));
            if count > 0 {
                found.push((index, sum / count as f32));
            }
        }
        for &(index, open) in &found {
            self.known[index] = Some(open);
        }
        !found.is_empty()
    }

    /// Blurs along one axis: half of each number plus a quarter of each neighbour, so that even and odd places have
    /// the same weight. At the ends a number replaces its missing neighbour.
    fn blend(&mut self, [column, row]: [isize; 2]) {
        let blended = self.known.iter().enumerate().map(|(index, open)| {
            let open = (*open)?;
            let beside = [[-column, -row], [column, row]].map(|off| self.beside(index, off));
            let [before, after] = beside.map(|other| other.unwrap_or(open));
            Some(0.5 * open + 0.25 * (before + after))
        });
        self.known = blended.collect();
    }
}
