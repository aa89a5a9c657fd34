//! The window. The only code that names winit.
