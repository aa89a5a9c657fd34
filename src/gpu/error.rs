//! Why nothing can be drawn.

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
        /// Why.
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
        /// Why.
        source: image::ImageError,
    },
    /// There is not enough memory.
    #[error(
        "the graphics device is out of memory; a smaller picture or window needs less, and so does a \
         smaller level"
    )]
    OutOfMemory,
    /// The driver refused something.
    #[error("the graphics driver refused: {0}")]
    Refused(String),
    /// The device has gone: a driver crash or update, or the card was removed.
    #[error("the graphics device was lost; start again, and update the driver if it recurs")]
    Lost,
}
