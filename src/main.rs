//! The `opendoor` program.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    // egui-wgpu would rather blend colours as they are coded; ours are linear, and it says so.
    let default_level = env_logger::Env::default().default_filter_or("warn,egui_wgpu=error");
    env_logger::Builder::from_env(default_level).init();
    cli::run()
}
