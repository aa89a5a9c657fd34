//! From what the rays tell to texels: what is inside of something follows its neighbours.

use super::Lightmap;
use super::bake::Baked;

/// Texels so far from a visible place are filled; more is hidden.
const PASSES: usize = 4;

/// Writes the texels of a chart, row by row.
pub(super) fn finish(map: &mut Lightmap, chart: usize, baked: &[Baked]) {
    let chart = &map.charts[chart];
    let [columns, rows] = chart.size.map(|n| n as usize);
    let mut known: Vec<Option<f32>> = baked
        .iter()
        .map(|texel| match texel {
            Baked::Open(open) => Some(*open),
            _ => None,
        })
        .collect();
    for _ in 0..PASSES {
        let before = known.clone();
        let mut is_changed = false;
        for (index, _) in before.iter().enumerate().filter(|(_, open)| open.is_none()) {
            let (column, row) = (index % columns, index / columns);
            let mut sum = 0.0;
            let mut count = 0;
            for y in row.saturating_sub(1)..rows.min(row + 2) {
                for x in column.saturating_sub(1)..columns.min(column + 2) {
                    if let Some(open) = before[y * columns + x] {
                        sum += open;
                        count += 1;
                    }
                }
            }
            if count > 0 {
                known[index] = Some(sum / count as f32);
                is_changed = true;
            }
        }
        if !is_changed {
            break;
        }
    }
    let side = map.page_side as usize;
    let first = (chart.page as usize * side + chart.at[1] as usize) * side + chart.at[0] as usize;
    for (row, (known, baked)) in known.chunks(columns).zip(baked.chunks(columns)).enumerate() {
        for (column, (known, baked)) in known.iter().zip(baked).enumerate() {
            let open = match (known, baked) {
                (Some(open), _) | (None, Baked::Inside(open)) => *open,
                (None, _) => 1.0,
            };
            map.openness[first + row * side + column] = (open * 255.0).round() as u8;
        }
    }
}
