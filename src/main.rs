//! The `opendoor` program.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    // egui-wgpu warns of linear targets, which ours are.
    let default_level = env_logger::Env::default().default_filter_or("warn,egui_wgpu=error");
    env_logger::Builder::from_env(default_level).init();
    cli::run()
}
