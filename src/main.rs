//! The `opendoor` program.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    // egui-wgpu warns about linear targets, which are used here on purpose; winit warns about X servers without desktop
    // services, which it does not need.
    let quiet = "warn,egui_wgpu=error,winit=error";
    let default_level = env_logger::Env::default().default_filter_or(quiet);
    env_logger::Builder::from_env(default_level).init();
    cli::run()
}
