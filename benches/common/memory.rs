//! Is there memory enough for the large levels?

use std::fs::read_to_string;

/// Says why something that takes so much memory is skipped; `None` if there is enough or the
/// system does not tell.
pub fn shortage(needed_gib: f64) -> Option<String> {
    let told = read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|l| l.strip_prefix("MemAvailable:"))?;
    let kibibytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    let free_gib = kibibytes / f64::from(1 << 20);
    (free_gib < needed_gib)
        .then(|| format!("skipped: takes {needed_gib:.0} GiB of memory, {free_gib:.0} are free"))
}
