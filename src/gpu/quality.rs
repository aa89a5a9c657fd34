//! Quality settings of the drawing.

use super::device::Gpu;
use crate::lighting::LampLight;

/// Quality settings of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RenderQuality {
    /// Texels along a side of a shadow map's view, of which an eighth are guard bands; half of that in a level with more views than fit into
    /// `shadow_bytes`.
    pub shadow_texels: u32,
    /// The memory for shadow maps, bytes; a point light has six views of four bytes per texel. If one picture has more
    /// lights than fit, drawing takes longer, but no shadows are lost.
    pub shadow_bytes: u64,
    /// The maximum size of a buffer of the level's geometry, bytes; 0 for the limit of the device.
    pub buffer_bytes: u64,
    /// The maximum number of texture samples along the slope of a surface (anisotropic filtering): 1 for none; devices
    /// support up to 16.
    pub anisotropy: u16,
    /// The way in which the light of lamps is drawn, for [`Lighting::set_lamps`](crate::lighting::Lighting::set_lamps).
    pub lamps: LampLight,
    /// Whether light above white has a halo. A renderer keeps the value with which it was created.
    pub bloom: bool,
    /// The memory for the reflections of rooms on smooth surfaces, bytes; 0 for none. If one picture reflects more rooms
    /// than fit, drawing takes longer.
    pub reflection_bytes: u64,
}

impl Default for RenderQuality {
    fn default() -> Self {
        Self {
            shadow_texels: 576,
            shadow_bytes: 324 << 20,
            buffer_bytes: 0,
            anisotropy: 8,
            lamps: LampLight::Drawn,
            bloom: true,
            reflection_bytes: 0,
        }
    }
}

impl RenderQuality {
    /// The quality for slow devices. A picture takes a fraction of the time.
    pub const LOW: Self = Self {
        shadow_texels: 288,
        shadow_bytes: 324 << 20,
        buffer_bytes: 0,
        anisotropy: 1,
        lamps: LampLight::Baked,
        bloom: false,
        reflection_bytes: 0,
    };

    /// The quality of pictures: with the reflections of rooms.
    pub fn high() -> Self {
        Self {
            reflection_bytes: 64 << 20,
            ..Self::default()
        }
    }

    /// Returns the settings that a device supports. On OpenGL, rooms are not reflected, because the cubes need textures that
    /// wgpu does not read there.
    pub fn supported_by(self, gpu: &Gpu) -> Self {
        if gpu.is_gl() && self.reflects() {
            return Self {
                reflection_bytes: 0,
                ..self
            };
        }
        self
    }

    /// Whether smooth surfaces reflect rooms, for [`Viewer::set_reflections`](crate::frame::Viewer::set_reflections).
    pub fn reflects(&self) -> bool {
        self.reflection_bytes > 0
    }

    /// The quality for real-time frames: [`Self::LOW`] on software drivers.
    pub fn live(gpu: &Gpu) -> Self {
        if gpu.is_software() {
            Self::LOW
        } else {
            Self::high().supported_by(gpu)
        }
    }

    /// Texels along a side of a view, and the number of views on the device, for a level with `wanted` views: a small
    /// level needs memory only for the views that it has.
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
