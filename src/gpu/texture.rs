//! Images and samplers on the device, without duplicates.

use std::collections::BTreeMap;

use super::device::Gpu;
use super::mipmap::{Colours, mipmaps};
use crate::level::{Filter, Image, Level, Sampler, Texture, Wrap};

/// The level's images in the forms that materials use.
pub(super) struct GpuTextures {
    /// The views by image index and colour encoding.
    views: BTreeMap<(u32, Colours), wgpu::TextureView>,
    samplers: BTreeMap<Sampler, wgpu::Sampler>,
    /// The texture of materials without a texture.
    white: wgpu::TextureView,
    /// The anisotropy, as in [`super::RenderQuality`].
    anisotropy: u16,
}

impl GpuTextures {
    pub(super) fn new(gpu: &Gpu, anisotropy: u16) -> Self {
        let white = Image {
            name: "white".to_owned(),
            width: 1,
            height: 1,
            rgba: [255; 4].into(),
        };
        Self {
            views: BTreeMap::new(),
            samplers: BTreeMap::new(),
            white: upload(gpu, &white, Colours::Linear),
            anisotropy,
        }
    }

    /// The textures of the images that both levels have, by the new level's image indices.
    pub(super) fn kept(&self, old: &Level, level: &Level) -> Self {
        let same = |image: &Image| old.images.iter().position(|other| other == image);
        let places: Vec<Option<usize>> = level.images.iter().map(same).collect();
        let views = (0u32..).zip(places).flat_map(|(image, place)| {
            [Colours::Srgb, Colours::Linear]
                .into_iter()
                .filter_map(move |colours| {
                    let view = self.views.get(&(place? as u32, colours))?;
                    Some(((image, colours), view.clone()))
                })
        });
        Self {
            views: views.collect(),
            samplers: self.samplers.clone(),
            white: self.white.clone(),
            anisotropy: self.anisotropy,
        }
    }

    /// Creates the texture's image and sampler, unless they exist.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        level: &Level,
        texture: Option<&Texture>,
        colours: Colours,
    ) {
        let sampler = texture.map_or(Sampler::default(), |texture| texture.sampler);
        self.samplers
            .entry(sampler)
            .or_insert_with(|| make_sampler(gpu, sampler, self.anisotropy));
        if let Some(texture) = texture
            && let Some(image) = level.images.get(texture.image as usize)
        {
            self.views
                .entry((texture.image, colours))
                .or_insert_with(|| upload(gpu, image, colours));
        }
    }

    /// The prepared view and sampler of the texture; a white view without a texture.
    pub(super) fn get(
        &self,
        texture: Option<&Texture>,
        colours: Colours,
    ) -> Option<(&wgpu::TextureView, &wgpu::Sampler)> {
        let view = texture.and_then(|texture| self.views.get(&(texture.image, colours)));
        let sampler = texture.map_or(Sampler::default(), |texture| texture.sampler);
        Some((view.unwrap_or(&self.white), self.samplers.get(&sampler)?))
    }
}

fn upload(gpu: &Gpu, image: &Image, colours: Colours) -> wgpu::TextureView {
    let mips = mipmaps(image, colours, gpu.device.limits().max_texture_dimension_2d);
    let (width, height) = mips.first().map_or((1, 1), |mip| (mip.width, mip.height));
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(&image.name),
        size: extent(width, height, 1),
        mip_level_count: mips.len() as u32,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: match colours {
            Colours::Srgb => wgpu::TextureFormat::Rgba8UnormSrgb,
            Colours::Linear => wgpu::TextureFormat::Rgba8Unorm,
        },
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    for (level, mip) in (0u32..).zip(&mips) {
        let to = wgpu::TexelCopyTextureInfo {
            mip_level: level,
            ..texture.as_image_copy()
        };
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(mip.width * 4),
            rows_per_image: None,
        };
        let size = extent(mip.width, mip.height, 1);
        gpu.queue.write_texture(to, &mip.rgba, layout, size);
    }
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// The extent of `layers` layers of `width` by `height` texels.
pub(super) fn extent(width: u32, height: u32, layers: u32) -> wgpu::Extent3d {
    wgpu::Extent3d {
        width,
        height,
        depth_or_array_layers: layers,
    }
}

/// The number of layers of a texture array for `wanted` layers, within the limit of the device. wgpu takes a texture of
/// OpenGL with one layer for a flat one, and with a multiple of six for cubes.
pub(super) fn array_layers(gpu: &Gpu, wanted: u32) -> u32 {
    let is_array = |layers: u32| layers > 1 && !layers.is_multiple_of(6);
    let limit = gpu.device.limits().max_texture_array_layers;
    let more = (wanted.max(1)..=limit).find(|&layers| is_array(layers));
    more.unwrap_or_else(|| {
        if is_array(limit) {
            limit
        } else {
            limit.saturating_sub(1)
        }
    })
}

fn make_sampler(gpu: &Gpu, sampler: Sampler, anisotropy: u16) -> wgpu::Sampler {
    let [u, v] = sampler.wrap.map(|wrap| match wrap {
        Wrap::Repeat => wgpu::AddressMode::Repeat,
        Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
    });
    let filter = |filter| match filter {
        Filter::Linear => wgpu::FilterMode::Linear,
        Filter::Nearest => wgpu::FilterMode::Nearest,
    };
    let (mipmap_filter, lod_max_clamp) = match sampler.mipmap_filter {
        Some(Filter::Linear) => (wgpu::MipmapFilterMode::Linear, f32::MAX),
        Some(Filter::Nearest) => (wgpu::MipmapFilterMode::Nearest, f32::MAX),
        // Only the full size is used. At a maximum level of 0, the magnification filter would apply to minified texels
        // too.
        None => (wgpu::MipmapFilterMode::Nearest, 0.25),
    };
    // Anisotropic filtering requires all filters to be linear.
    let filters = [
        Some(sampler.mag_filter),
        Some(sampler.min_filter),
        sampler.mipmap_filter,
    ];
    let is_linear = filters == [Some(Filter::Linear); 3];
    let anisotropy_clamp = if is_linear { anisotropy.max(1) } else { 1 };
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        label: Some("texture"),
        address_mode_u: u,
        address_mode_v: v,
        mag_filter: filter(sampler.mag_filter),
        min_filter: filter(sampler.min_filter),
        mipmap_filter,
        lod_max_clamp,
        anisotropy_clamp,
        ..Default::default()
    })
}
