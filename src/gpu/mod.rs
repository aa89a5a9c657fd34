//! Drawing with wgpu. The only code that names it.
//!
//! Window, picture and test are one path: [`Renderer::draw`] takes a [`crate::frame::Frame`] and
//! a texture view. It knows the level and the frame; never the game, motion or visibility.

mod dfg_lut;
mod geometry;
mod growable_buffer;
mod loading_screen;
mod material;
mod mipmap;
mod offscreen;
mod overlay;
mod pipeline;
mod renderer;
mod scene;
mod shadow;
mod surface;
mod targets;
#[cfg(test)]
mod tests;
mod texture;
mod timer;
mod window_surface;

pub use loading_screen::LoadingScreen;
pub use offscreen::Offscreen;
pub use renderer::{Quality, Renderer};
pub use wgpu::TextureFormat;
pub use window_surface::{PresentResult, WindowSurface};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// Why nothing can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// There is no graphics driver.
    #[error(
        "no graphics driver was found ({0}); install one: on Debian and Ubuntu the package \
         mesa-vulkan-drivers, which also draws without a graphics card"
    )]
    NoAdapter(#[from] wgpu::RequestAdapterError),
    /// The driver is there but gives no device.
    #[error("the graphics driver {adapter} gives no device: {source}")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// What it says.
        source: wgpu::RequestDeviceError,
    },
    /// The window cannot be drawn to.
    #[error("the window cannot be drawn to: {0}")]
    Surface(#[from] wgpu::CreateSurfaceError),
    /// The window offers no picture format that can be drawn to.
    #[error("the window offers no picture format to the graphics driver {0}")]
    NoSurfaceFormat(String),
    /// One draw of the level needs a larger buffer than the driver has.
    #[error(
        "material {material} of one room has more triangles than a buffer of this graphics \
         driver holds ({limit} bytes); split the mesh into several rooms or materials"
    )]
    TooLarge {
        /// Name of the material.
        material: String,
        /// Bytes that a buffer can have.
        limit: u64,
    },
    /// The picture is larger than the driver can draw.
    #[error(
        "a picture of {width} x {height} is beyond what this graphics driver draws (1..{limit} each way)"
    )]
    PictureSize {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// Most pixels each way.
        limit: u32,
    },
    /// A picture cannot be written.
    #[error("cannot write the picture {path}: {source}")]
    Unwritten {
        /// The file.
        path: String,
        /// What is wrong.
        source: image::ImageError,
    },
    /// There is not enough memory.
    #[error(
        "the graphics device has not the memory for this; a smaller picture or window needs less, \
         and so does a smaller level"
    )]
    OutOfMemory,
    /// The driver refused something.
    #[error("the graphics driver refused: {0}")]
    Refused(String),
    /// The device has gone: a driver crash or update, or the card was removed.
    #[error("the graphics device was lost; start again, and update the driver if it recurs")]
    Lost,
}

/// An open graphics device.
#[derive(Debug)]
pub struct Gpu {
    adapter: wgpu::Adapter,
    device: wgpu::Device,
    queue: wgpu::Queue,
    health: Arc<Health>,
}

/// Ways to the drivers, in the order in which they are to be tried: OpenGL only where nothing
/// better is, because merely looking for it makes some drivers complain aloud.
fn instances() -> impl Iterator<Item = wgpu::Instance> {
    [wgpu::Backends::PRIMARY, wgpu::Backends::SECONDARY]
        .into_iter()
        .map(|backends| {
            let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
            descriptor.backends = backends;
            wgpu::Instance::new(descriptor.with_env())
        })
}

/// What callbacks of the driver report.
#[derive(Debug, Default)]
struct Health {
    lost: AtomicBool,
    errors: AtomicU32,
}

impl Gpu {
    /// Opens the best device for drawing pictures; `WGPU_BACKEND` and `WGPU_ADAPTER_NAME`
    /// choose another.
    ///
    /// # Errors
    /// Without a usable driver; the message names the package that brings one.
    pub fn open() -> Result<Self, GpuError> {
        let mut tried = Err(GpuError::Lost);
        for instance in instances() {
            tried = pollster::block_on(Self::request(instance, None));
            if tried.is_ok() {
                break;
            }
        }
        tried
    }

    /// Opens a device that does nothing but check all that it is asked, for tests: it finds
    /// mistakes in shaders and bindings without any driver.
    ///
    /// # Errors
    /// When the device cannot be opened, which would be a defect of wgpu.
    pub fn open_noop() -> Result<Self, GpuError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::NOOP;
        descriptor.backend_options.noop = wgpu::NoopBackendOptions::enabled();
        pollster::block_on(Self::request(wgpu::Instance::new(descriptor), None))
    }

    async fn request(
        instance: wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<Self, GpuError> {
        let named = wgpu::util::initialize_adapter_from_env(&instance, surface).await;
        let adapter = match named {
            Ok(adapter) => adapter,
            Err(_) => {
                let options = wgpu::RequestAdapterOptions {
                    power_preference: wgpu::PowerPreference::HighPerformance,
                    compatible_surface: surface,
                    ..Default::default()
                };
                instance.request_adapter(&options).await?
            }
        };
        let theirs = adapter.limits();
        // Modest needs, so that old cards will do, but as large buffers and pictures as there are.
        let required_limits = wgpu::Limits {
            max_buffer_size: theirs.max_buffer_size,
            max_storage_buffer_binding_size: theirs.max_storage_buffer_binding_size,
            max_texture_array_layers: theirs.max_texture_array_layers,
            ..wgpu::Limits::downlevel_defaults()
                .using_resolution(theirs.clone())
                .using_alignment(theirs)
        };
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("opendoor"),
            required_limits,
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            ..Default::default()
        };
        let requested = adapter.request_device(&descriptor).await;
        let (device, queue) = requested.map_err(|source| GpuError::NoDevice {
            adapter: adapter.get_info().name,
            source,
        })?;
        let health = Arc::new(Health::default());
        let watcher = Arc::clone(&health);
        device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                log::error!("the graphics device was lost: {message}");
                watcher.lost.store(true, Ordering::Relaxed);
            }
        });
        let watcher = Arc::clone(&health);
        device.on_uncaptured_error(Arc::new(move |error| {
            log::error!("the graphics driver refused: {error}");
            watcher.errors.fetch_add(1, Ordering::Relaxed);
        }));
        Ok(Self {
            adapter,
            device,
            queue,
            health,
        })
    }

    /// Name of the adapter, and of the driver where it has one.
    pub fn adapter(&self) -> String {
        let info = self.adapter.get_info();
        if info.driver_info.is_empty() {
            info.name
        } else {
            format!("{} ({})", info.name, info.driver_info)
        }
    }

    /// Whether pictures are drawn by the processor, for want of a card.
    fn is_software(&self) -> bool {
        self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Whether the device has gone; then this value and all made from it are useless.
    pub fn is_lost(&self) -> bool {
        self.health.lost.load(Ordering::Relaxed)
    }

    /// How many times the driver refused something so far; each was logged.
    pub fn refusals(&self) -> u32 {
        self.health.errors.load(Ordering::Relaxed)
    }

    /// Waits until all that was submitted is done.
    ///
    /// # Errors
    /// [`GpuError::Lost`] when that cannot be.
    pub fn wait(&self) -> Result<(), GpuError> {
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        if waited.is_err() || self.is_lost() {
            return Err(GpuError::Lost);
        }
        Ok(())
    }

    /// Runs `make` and turns what the driver refuses in it into an error.
    fn checked<T>(&self, make: impl FnOnce() -> Result<T, GpuError>) -> Result<T, GpuError> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = make();
        let refused = pollster::block_on(validation.pop());
        let refused = pollster::block_on(memory.pop()).or(refused);
        match refused {
            Some(wgpu::Error::OutOfMemory { .. }) => Err(GpuError::OutOfMemory),
            Some(error) => Err(GpuError::Refused(error.to_string())),
            None => made,
        }
    }
}
