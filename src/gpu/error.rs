//! Errors of drawing.

/// A reason why nothing can be drawn.
#[derive(Debug, thiserror::Error)]
pub enum GpuError {
    /// There is no graphics driver.
    #[error(
        "no graphics driver was found ({0}); install one: on Debian and Ubuntu the package \
         mesa-vulkan-drivers, which also draws without a graphics card"
    )]
    NoAdapter(#[from] wgpu::RequestAdapterError),
    /// The driver cannot open a device.
    #[error("the graphics driver {adapter} gives no device: {source}")]
    NoDevice {
        /// Name of the adapter.
        adapter: String,
        /// The cause.
        source: wgpu::RequestDeviceError,
    },
    /// Drawing to the window is not supported.
    #[error("the window cannot be drawn to: {0}")]
    Surface(#[from] wgpu::CreateSurfaceError),
    /// The window offers no picture format to which the driver can draw.
    #[error("the window offers no picture format to the graphics driver {0}")]
    NoSurfaceFormat(String),
    /// A draw of the level needs a larger buffer than the driver supports.
    #[error(
        "material {material} of one room has more triangles than a buffer of this graphics \
         driver holds ({limit} bytes); split the mesh into several rooms or materials"
    )]
    TooLarge {
        /// Name of the material.
        material: String,
        /// The maximum size of a buffer, bytes.
        limit: u64,
    },
    /// The picture exceeds the driver's maximum size, or is empty.
    #[error(
        "a picture of {width} x {height} is beyond what this graphics driver draws (1..{limit} each way)"
    )]
    PictureSize {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The maximum size each way, pixels.
        limit: u32,
    },
    /// A picture file cannot be written.
    #[error("cannot write the picture {path}: {source}")]
    Unwritten {
        /// The path of the file.
        path: String,
        /// The cause.
        source: image::ImageError,
    },
    /// The device is out of memory.
    #[error(
        "the graphics device is out of memory; a smaller picture or window needs less, and so does a \
         smaller level"
    )]
    OutOfMemory,
    /// The driver reported an error.
    #[error("the graphics driver refused: {0}")]
    Refused(String),
    /// The device was lost: a driver crash or update, or the card was removed.
    #[error("the graphics device was lost; start again, and update the driver if it recurs")]
    Lost,
}
