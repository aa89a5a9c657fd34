//! The graphics device: opened here, or provided by a program that has its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::error::GpuError;

/// A graphics device and its queue.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The device that creates all resources.
    pub device: wgpu::Device,
    /// The queue to which drawing is submitted.
    pub queue: wgpu::Queue,
    health: Arc<Health>,
}

/// The wgpu instances in the order in which they should be tried: OpenGL only if no other API works, because some
/// drivers print warnings when OpenGL is merely probed.
pub(super) fn instances() -> impl Iterator<Item = wgpu::Instance> {
    [wgpu::Backends::PRIMARY, wgpu::Backends::SECONDARY]
        .into_iter()
        .map(|backends| {
            let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
            descriptor.backends = backends;
            wgpu::Instance::new(descriptor.with_env())
        })
}

/// The advice for machines on which only OpenGL works.
const CURE: &str = "a Vulkan driver (on Debian: the package `mesa-vulkan-drivers`) draws them all";

/// The state reported by callbacks of the driver.
#[derive(Debug, Default)]
struct Health {
    lost: AtomicBool,
    errors: AtomicU32,
}

impl Gpu {
    /// Opens the best device for drawing; `WGPU_BACKEND` and `WGPU_ADAPTER_NAME` select another one.
    ///
    /// # Errors
    /// Without a usable driver; the message names the package that provides one.
    pub fn open() -> Result<Self, GpuError> {
        let mut tried = Err(GpuError::Lost);
        for instance in instances() {
            tried = pollster::block_on(Self::request(&instance, None)).map(|(gpu, _)| gpu);
            if tried.is_ok() {
                break;
            }
        }
        tried
    }

    /// Opens a device that validates all commands and draws nothing, for tests: it finds mistakes in shaders and
    /// bindings without any driver.
    ///
    /// # Errors
    /// When the device cannot be opened, which would be a bug of wgpu.
    pub fn open_noop() -> Result<Self, GpuError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::NOOP;
        descriptor.backend_options.noop = wgpu::NoopBackendOptions::enabled();
        let instance = wgpu::Instance::new(descriptor);
        Ok(pollster::block_on(Self::request(&instance, None))?.0)
    }

    /// Wraps a device that a program has opened itself. It needs the limits of [`wgpu::Limits::downlevel_defaults`],
    /// and no features; with [`wgpu::Features::TIMESTAMP_QUERY`] frames can be timed. Loss of the device, and errors
    /// outside of functions that return a [`GpuError`], are reported to the program's own callbacks, not by this
    /// value.
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Self {
        Self {
            device,
            queue,
            health: Arc::default(),
        }
    }

    /// Opens the best device that can draw to `surface`, with its adapter.
    pub(super) async fn request(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
    ) -> Result<(Self, wgpu::Adapter), GpuError> {
        let named = wgpu::util::initialize_adapter_from_env(instance, surface).await;
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
        let available = adapter.limits();
        // The required limits are low, so that old cards suffice, except for the sizes of buffers and pictures: these
        // are the largest that the adapter supports.
        let required_limits = wgpu::Limits {
            max_buffer_size: available.max_buffer_size,
            max_storage_buffer_binding_size: available.max_storage_buffer_binding_size,
            max_texture_array_layers: available.max_texture_array_layers,
            ..wgpu::Limits::downlevel_defaults()
                .using_resolution(available.clone())
                .using_alignment(available)
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
        let gpu = Self::from_device(device, queue);
        if gpu.is_gl() {
            log::warn!("OpenGL draws the pictures: without reflections of rooms; {CURE}");
        }
        let health = Arc::clone(&gpu.health);
        gpu.device.set_device_lost_callback(move |reason, message| {
            if reason != wgpu::DeviceLostReason::Destroyed {
                log::error!("the graphics device was lost: {message}");
                health.lost.store(true, Ordering::Relaxed);
            }
        });
        let health = Arc::clone(&gpu.health);
        gpu.device.on_uncaptured_error(Arc::new(move |error| {
            log::error!("the graphics driver refused: {error}");
            health.errors.fetch_add(1, Ordering::Relaxed);
        }));
        Ok((gpu, adapter))
    }

    /// The name of the adapter, and of the driver if known.
    pub fn adapter(&self) -> String {
        let info = self.device.adapter_info();
        if info.driver_info.is_empty() {
            info.name
        } else {
            format!("{} ({})", info.name, info.driver_info)
        }
    }

    /// Whether pictures are drawn in software, without a graphics card.
    pub(super) fn is_software(&self) -> bool {
        self.device.adapter_info().device_type == wgpu::DeviceType::Cpu
    }

    /// Whether the device is one of OpenGL, which lacks some of the features of the other APIs.
    pub(super) fn is_gl(&self) -> bool {
        self.device.adapter_info().backend == wgpu::Backend::Gl
    }

    /// Whether the device was lost; then this value and all its resources are useless.
    pub fn is_lost(&self) -> bool {
        self.health.lost.load(Ordering::Relaxed)
    }

    /// Loses the device, like a driver reset does.
    #[cfg(all(test, feature = "window"))]
    pub(crate) fn lose(&self) {
        self.device.destroy();
        self.health.lost.store(true, Ordering::Relaxed);
    }

    /// The number of errors reported by the driver so far; each was logged.
    pub fn refusals(&self) -> u32 {
        self.health.errors.load(Ordering::Relaxed)
    }

    /// Waits until all submitted commands are done.
    ///
    /// # Errors
    /// [`GpuError::Lost`] when the device was lost.
    pub fn wait(&self) -> Result<(), GpuError> {
        let waited = self.device.poll(wgpu::PollType::wait_indefinitely());
        if waited.is_err() || self.is_lost() {
            return Err(GpuError::Lost);
        }
        Ok(())
    }

    /// Submits the commands that `record` records; submits nothing if it fails.
    pub(super) fn submit(
        &self,
        label: &str,
        record: impl FnOnce(&mut wgpu::CommandEncoder) -> Result<(), GpuError>,
    ) -> Result<(), GpuError> {
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some(label) };
        let mut encoder = self.device.create_command_encoder(&descriptor);
        record(&mut encoder)?;
        self.queue.submit([encoder.finish()]);
        Ok(())
    }

    /// Runs `make`; fails if the driver reports an error meanwhile.
    pub(super) fn checked<T>(
        &self,
        make: impl FnOnce() -> Result<T, GpuError>,
    ) -> Result<T, GpuError> {
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
