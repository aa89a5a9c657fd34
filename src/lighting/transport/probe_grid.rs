//! The lattice of probes over each room, and the interpolation between probes.

use glam::{DVec3, IVec3, UVec3, Vec3};

use super::chains::ChainId;
use crate::level::{Level, RoomId};

/// A site without a probe.
pub(super) const NO_PROBE: u32 = u32::MAX;
/// The minimum distance of neighbouring probes, metres. Narrow rooms have half of it.
const SPACING: f64 = 1.0;
/// The approximate maximum number of sites of a level: a larger level has wider lattices.
const MAX_SITES: f64 = 16_000.0;
/// The position of a site in multiples of the widest spacing: at most places, walls and floors are not there.
const OFFSET: DVec3 = DVec3::new(0.31, 0.43, 0.37);
/// The minimum weight of linear interpolation.
const LEAST_WEIGHT: f32 = 1e-6;
/// The corners of a cell: offsets, of which the bits of an octant have the order.
pub(super) const CORNERS: [UVec3; 8] = [
    UVec3::new(0, 0, 0),
    UVec3::new(1, 0, 0),
    UVec3::new(0, 1, 0),
    UVec3::new(1, 1, 0),
    UVec3::new(0, 0, 1),
    UVec3::new(1, 0, 1),
    UVec3::new(0, 1, 1),
    UVec3::new(1, 1, 1),
];

/// The sites of a room: places for probes at multiples of a distance from a common origin, so that the lattices of
/// adjacent rooms coincide. The lattice surrounds the room.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProbeGrid {
    /// Index of the first site.
    pub first_site: u32,
    /// Index of the first octant.
    pub first_octant: u32,
    /// The number of sites along each axis, at least 2.
    pub count: UVec3,
    /// The common origin of all lattices, metres.
    origin: Vec3,
    /// The first site in multiples of `spacing` from the origin.
    start: IVec3,
    /// The distance of neighbouring sites, metres.
    pub spacing: f32,
}

/// A site of a lattice.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct ProbeSite {
    /// The probe, maybe of another room behind open portals; [`NO_PROBE`] if there is none.
    pub probe: u32,
    /// The links between the room and the probe.
    pub chain: ChainId,
}

impl ProbeSite {
    pub(super) const EMPTY: Self = Self {
        probe: NO_PROBE,
        chain: 0,
    };

    /// Whether the site refers to one of these numbers of probes and chains, or to none.
    pub(super) fn is_valid(self, probes: usize, chains: usize) -> bool {
        self.chain as usize <= chains && (self.probe == NO_PROBE || (self.probe as usize) < probes)
    }
}

/// The grids of all rooms, with the number of all sites and of all octants.
#[derive(Debug, Default)]
pub(super) struct ProbeLayout {
    pub grids: Vec<ProbeGrid>,
    pub site_count: usize,
    pub octant_count: usize,
}

/// Lays out the grids of all rooms.
pub(super) fn lay_out(level: &Level) -> ProbeLayout {
    let extents = |room: RoomId| {
        let bounds = &level.room(room).bounds;
        let extent = bounds.max - bounds.min;
        extent.is_finite().then_some(extent)
    };
    let volumes = level.room_ids().filter_map(extents);
    let volume: f64 = volumes.map(|e| e.x * e.y * e.z).sum();
    let wide = libm::cbrt(volume / MAX_SITES).max(SPACING);
    let mut layout = ProbeLayout::default();
    for room in level.room_ids() {
        let bounds = &level.room(room).bounds;
        let is_narrow = extents(room).is_none_or(|extent| extent.min_element() < 2.0 * wide);
        let spacing = if is_narrow { 0.5 * wide } else { wide };
        let is_finite = extents(room).is_some();
        let [min, max] = if is_finite {
            [bounds.min, bounds.max].map(|corner| (corner - OFFSET * wide) / spacing)
        } else {
            Default::default()
        };
        let start = min.floor().as_ivec3();
        let end = max.ceil().as_ivec3().max(start + IVec3::ONE);
        let count = (end - start).as_uvec3() + UVec3::ONE;
        let grid = ProbeGrid {
            first_site: layout.site_count as u32,
            first_octant: layout.octant_count as u32,
            count,
            origin: (OFFSET * wide).as_vec3(),
            start,
            spacing: spacing as f32,
        };
        layout.site_count += count.element_product() as usize;
        layout.octant_count += grid.octants().element_product() as usize;
        layout.grids.push(grid);
    }
    layout
}

impl ProbeGrid {
    /// The number of octants of cells along each axis.
    pub(super) fn octants(&self) -> UVec3 {
        (self.count - UVec3::ONE) * 2
    }

    /// The position of a site, metres, in the room's coordinates.
    pub(super) fn position(&self, site: UVec3) -> Vec3 {
        self.origin + (self.start + site.as_ivec3()).as_vec3() * self.spacing
    }

    /// The centre of an octant of a cell.
    pub(super) fn octant_centre(&self, octant: UVec3) -> Vec3 {
        self.position(UVec3::ZERO) + (octant.as_vec3() + 0.5) * (0.5 * self.spacing)
    }

    /// The number of a site.
    pub(super) fn site(&self, site: UVec3) -> u32 {
        self.first_site + index(site, self.count)
    }

    /// The number of an octant.
    pub(super) fn octant(&self, octant: UVec3) -> u32 {
        self.first_octant + index(octant, self.octants())
    }

    /// The number of the site at a position; `None` if there is no site.
    pub(super) fn site_at(&self, position: Vec3) -> Option<u32> {
        let at = (position - self.origin) / self.spacing;
        let nearest = at.round();
        let site = nearest.as_ivec3() - self.start;
        let is_site = at.abs_diff_eq(nearest, 1e-3)
            && site.cmpge(IVec3::ZERO).all()
            && site.cmplt(self.count.as_ivec3()).all();
        is_site.then(|| self.site(site.as_uvec3()))
    }

    /// The sites around a point, with their weights: those of linear interpolation, times the visibility of the site.
    /// Visibility is interpolated between octants, of which `in_sight` has one bit for each site of their cell.
    pub(super) fn around(&self, point: Vec3, in_sight: &[u8]) -> [(u32, f32); 8] {
        let at = (point - self.origin) / self.spacing - self.start.as_vec3();
        let (cell, weights) = stencil(at, self.count);
        let (octant, octant_weights) = stencil(at * 2.0 - 0.5, self.octants());
        let octants: [_; 8] = std::array::from_fn(|nth| {
            let octant = octant + CORNERS[nth];
            let bits = in_sight[self.octant(octant) as usize];
            (octant / 2, bits, octant_weights[nth])
        });
        std::array::from_fn(|nth| {
            let site = cell + CORNERS[nth];
            let visible = octants.iter().filter(|(cell, bits, _)| {
                let off = site.as_ivec3() - cell.as_ivec3();
                let is_of_cell = off.cmpge(IVec3::ZERO).all() && off.cmple(IVec3::ONE).all();
                is_of_cell && bits >> (off.x + 2 * off.y + 4 * off.z) & 1 == 1
            });
            let visible: f32 = visible.map(|(.., weight)| weight).sum();
            // Sites at a weight of 0 count if no others are in sight.
            (self.site(site), visible * weights[nth].max(LEAST_WEIGHT))
        })
    }
}

/// The lowest corner of the cell around a point of a lattice with this number of places, and the weights of the cell's
/// [`CORNERS`] in linear interpolation.
fn stencil(at: Vec3, count: UVec3) -> (UVec3, [f32; 8]) {
    let last = (count - UVec3::ONE).as_vec3();
    let at = at.clamp(Vec3::ZERO, last);
    let cell = at.floor().min(last - 1.0);
    let part = at - cell;
    let weights = CORNERS.map(|corner| {
        let far = corner.as_vec3();
        (far * part + (1.0 - far) * (1.0 - part)).element_product()
    });
    (cell.as_uvec3(), weights)
}

/// The index of a place in an array of this size.
fn index(at: UVec3, size: UVec3) -> u32 {
    at.x + size.x * (at.y + size.y * at.z)
}
