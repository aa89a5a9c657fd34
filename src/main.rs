//! The `opendoor` program.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    // egui-wgpu warns of linear targets, which ours are; winit of X servers without a desktop's services, which it can do
    // without.
    let quiet = "warn,egui_wgpu=error,winit=error";
    let default_level = env_logger::Env::default().default_filter_or(quiet);
    env_logger::Builder::from_env(default_level).init();
    cli::run()
}
