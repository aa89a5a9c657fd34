//! What can be chosen of the drawing.

use super::device::Gpu;

/// What can be chosen of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Texels along a side of a view of a shadow map; half of that in a level with more views than
    /// fit into `shadow_bytes`.
    pub shadow_texels: u32,
    /// Memory for shadow maps; a point light has six views of four bytes a texel. More lights than fit in
    /// one picture cost time, not shadows.
    pub shadow_bytes: u64,
    /// Bytes of a buffer of the level's geometry, at most; 0 for the limit of the device.
    pub buffer_bytes: u64,
    /// Samples of a texture along the slant of its surface, at most (anisotropic filtering): 1 for
    /// none; devices have up to 16.
    pub anisotropy: u16,
}

impl Default for Quality {
    fn default() -> Self {
        Self {
            shadow_texels: 512,
            shadow_bytes: 256 << 20,
            buffer_bytes: 0,
            anisotropy: 8,
        }
    }
}

impl Quality {
    /// For frames in real time: on software drivers, which are slow at it, without anisotropic
    /// filtering.
    pub fn live(gpu: &Gpu) -> Self {
        let all = Self::default();
        Self {
            anisotropy: if gpu.is_software() { 1 } else { all.anisotropy },
            ..all
        }
    }

    /// Texels along a side of a view, and how many views are kept, for a level that has `wanted`:
    /// a small level needs no more memory than it has views.
    pub(super) fn shadow_maps(&self, wanted: u32) -> (u32, u32) {
        let views = |texels: u32| {
            let bytes = 4 * u64::from(texels) * u64::from(texels);
            u32::try_from(self.shadow_bytes / bytes.max(1)).unwrap_or(u32::MAX)
        };
        let texels = if views(self.shadow_texels) >= wanted {
            self.shadow_texels
        } else {
            self.shadow_texels / 2
        };
        (texels, views(texels).clamp(1, wanted.max(1)))
    }
}
