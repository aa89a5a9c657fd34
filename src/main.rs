//! The `opendoor` program.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    let default_level = env_logger::Env::default().default_filter_or("warn");
    env_logger::Builder::from_env(default_level).init();
    cli::run()
}
