//! Ambient irradiance on each texel of the lightmap, as a multiple of the mean irradiance of its room: reflected light,
//! interpolated between the nodes of the light transport, with the contact shadows of the texel's sky visibility.

use glam::Vec3;

use super::lightmap::Lightmap;
use super::rgb9e5::pack;
use super::room_set::RoomSet;
use super::transport::{Solution, Transport};
use crate::parallel::{cores, parallel_map};

/// Texels are rewritten if the light on a node changes by more than this fraction of the room's mean.
pub(super) const MIN_CHANGE: f32 = 0.005;
/// The maximum stored irradiance, as a multiple of the room's mean.
const MAX_MULTIPLE: f32 = 60.0;
/// The minimum mean irradiance of a room by which texels are divided.
const MIN_MEAN: f32 = 1e-4;
/// The limits of the ratio of a texel's sky visibility to that of the nodes around it.
const DETAIL: [f32; 2] = [0.25, 1.5];
/// The number of texels for which another thread pays off; a moving door changes fewer.
const WORTH_A_THREAD: usize = 50_000;

/// Ambient irradiance on the texels of a level's lightmap.
#[derive(Clone, Debug, Default)]
pub struct Texels {
    /// Irradiance as a multiple of the room's, RGB with a shared exponent (`Rgb9e5Ufloat`); page by page, row by row.
    pub rgb: Vec<u32>,
    /// A counter of changes.
    pub revision: u64,
    /// The light on each node from which the texels were computed.
    written: Vec<Vec3>,
}

/// Everything that texels are computed from.
pub(super) struct TexelInputs<'a> {
    pub lightmap: &'a Lightmap,
    pub transport: &'a Transport,
    /// The light on the nodes.
    pub solution: &'a Solution,
    /// The mean ambient irradiance of each room.
    pub ambient: &'a [Vec3],
    /// [`super::Lighting::hemisphere`], by which the shader multiplies.
    pub hemisphere: Vec3,
}

impl Texels {
    /// The texels of surfaces on which the same light arrives everywhere, before nearby occluders.
    pub(super) fn uniform(lightmap: &Lightmap) -> Self {
        let visible = lightmap.sky_visibility.iter();
        let visible = visible.map(|&part| f32::from(part) / 255.0);
        Self::of_draft(visible.map(|part| pack(Vec3::splat(part))).collect())
    }

    /// Existing texels.
    pub(super) fn of_draft(rgb: Vec<u32>) -> Self {
        Self {
            rgb,
            ..Self::default()
        }
    }

    /// Updates the texels of rooms whose light changed.
    pub(super) fn update(&mut self, inputs: &TexelInputs, relit: &RoomSet) {
        let TexelInputs {
            lightmap,
            transport,
            solution,
            ambient,
            ..
        } = *inputs;
        let nodes = solution.irradiance();
        if transport.nodes.is_empty() {
            return;
        }
        if self.written.is_empty() {
            // No light is negative, so each node counts as changed.
            self.written = vec![Vec3::NEG_INFINITY; transport.nodes.len()];
        }
        let mut to_write = Vec::new();
        for (set, charts) in lightmap.charts_of.iter().enumerate() {
            let range = &transport.nodes_of[set];
            let range = range.start as usize..range.end as usize;
            let all = &transport.nodes[range.clone()];
            if !all.iter().any(|node| relit.contains(node.room)) {
                continue;
            }
            let (is, was) = (&nodes[range.clone()], &mut self.written[range]);
            let mut changes = all.iter().zip(is.iter().zip(&*was));
            let is_changed = changes.any(|(node, (is, was))| {
                let least = MIN_CHANGE * ambient[node.room.0 as usize].max_element();
                (*is - *was).abs().max_element() > least
            });
            if is_changed {
                was.copy_from_slice(is);
                let rooms = charts.clone().map(|chart| chart as usize);
                to_write.extend(rooms.filter_map(|c| Some((c, transport.room_of_chart(c)?))));
            }
        }
        let of_index = |index: usize| {
            let (chart, room) = to_write[index];
            of_chart(inputs, chart, ambient[room.0 as usize])
        };
        let count = |&(chart, _): &(usize, _)| {
            let [columns, rows] = lightmap.charts[chart].size;
            columns as usize * rows as usize
        };
        let all: usize = to_write.iter().map(count).sum();
        let threads = (all / WORTH_A_THREAD).clamp(1, cores());
        let mut write = |(at, texel): (usize, u32)| self.rgb[at] = texel;
        if threads == 1 {
            (0..to_write.len()).flat_map(of_index).for_each(write);
        } else {
            let made = |index| of_index(index).collect::<Vec<_>>();
            let made = parallel_map(to_write.len(), threads, made);
            made.into_iter().flatten().for_each(&mut write);
        }
        self.revision += u64::from(!to_write.is_empty());
    }
}

/// The texels of a chart with their indices, row by row. `mean` is the ambient irradiance of the chart's room.
fn of_chart<'a>(
    inputs: &TexelInputs<'a>,
    chart: usize,
    mean: Vec3,
) -> impl Iterator<Item = (usize, u32)> + 'a {
    let TexelInputs {
        lightmap,
        transport,
        solution,
        ..
    } = *inputs;
    let nodes = solution.irradiance();
    let number = chart;
    let chart = &lightmap.charts[number];
    // The shader multiplies by the hemisphere, which the nodes already contain.
    let facing = 1.0 + chart.normal.dot(inputs.hemisphere);
    let scale = (mean.max(Vec3::splat(MIN_MEAN)) * facing).recip();
    (0..chart.size[1]).flat_map(move |row| {
        let start = lightmap.texel_index(chart, [0, row]);
        (0..chart.size[0]).map(move |column| {
            let at = start + column as usize;
            let visibility = f32::from(lightmap.sky_visibility[at]) / 255.0;
            let (mut light, mut around, mut weights) = (Vec3::ZERO, 0.0, 0.0);
            let in_sight = transport.in_sight[at];
            let passes = |chain| solution.passes(chain);
            for (node, weight) in transport.weights_across(number, [column, row], in_sight, passes)
            {
                if weight > 0.0 {
                    light += nodes[node as usize] * weight;
                    around += transport.nodes[node as usize].visibility * weight;
                    weights += weight;
                }
            }
            if weights == 0.0 {
                return (at, pack(Vec3::splat(visibility)));
            }
            let detail = (visibility / around.max(1e-3)).clamp(DETAIL[0], DETAIL[1]);
            let light = light * detail * scale;
            (at, pack(light.min(Vec3::splat(MAX_MULTIPLE))))
        })
    })
}
