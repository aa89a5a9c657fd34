//! Checks that memory suffices for the large levels.

use std::fs::read_to_string;

/// Returns the reason to skip a measurement that takes this much memory; `None` if memory suffices or the system does
/// not report it.
pub fn shortage(needed_gib: f64) -> Option<String> {
    let told = read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let free_gib = kibibytes / f64::from(1 << 20);
    (free_gib < needed_gib)
        .then(|| format!("skipped: takes {needed_gib:.0} GiB of memory, {free_gib:.0} are free"))
}
