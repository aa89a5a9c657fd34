//! Everything that needs no graphics, tried from outside: one binary, because linking is slow.

mod check;
mod gltf_file;
mod hostile;
mod import;
mod visibility;
