//! Metrics of the process, from Linux's `/proc`. Elsewhere there is only its start.

use std::fs;
use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use super::MetricsText;

/// The unit of Linux's times, independent of the kernel's own clock.
const TICKS_A_SECOND: f64 = 100.0;

/// Returns the time when the process was started. The first call, at startup, sets it.
pub(crate) fn started() -> f64 {
    static STARTED: LazyLock<f64> = LazyLock::new(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.unwrap_or_default().as_secs_f64()
    });
    *STARTED
}

pub(crate) fn write(text: &mut MetricsText) {
    let mut number = |name: &str, kind, help, value: Option<f64>| {
        if let Some(value) = value {
            text.single(name, kind, help, value);
        }
    };
    number(
        "process_start_time_seconds",
        "gauge",
        "When the process was started, in seconds since 1970.",
        Some(started()),
    );
    number(
        "process_resident_memory_bytes",
        "gauge",
        "Memory of the process.",
        resident_memory(),
    );
    number(
        "process_cpu_seconds_total",
        "counter",
        "CPU time of the process.",
        cpu_seconds(),
    );
    number(
        "process_open_fds",
        "gauge",
        "Open files of the process, connections included.",
        fs::read_dir("/proc/self/fd")
            .ok()
            .map(|files| files.count() as f64),
    );
    number(
        "process_max_fds",
        "gauge",
        "Maximum number of open files.",
        rlimit::Resource::NOFILE
            .get_soft()
            .ok()
            .map(|limit| limit as f64),
    );
}

fn resident_memory() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024.0)
}

fn cpu_seconds() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the process comes first, in parentheses.
    let (_, after) = stat.rsplit_once(')')?;
    let mut ticks = after.split_whitespace().skip(11);
    let user: f64 = ticks.next()?.parse().ok()?;
    let system: f64 = ticks.next()?.parse().ok()?;
    Some((user + system) / TICKS_A_SECOND)
}
