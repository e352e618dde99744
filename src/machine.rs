//! What the machine has.

/// Bytes that a run may use unless told otherwise: 80 % of the machine's memory, or of the container's.
pub fn default_memory() -> Option<usize> {
    let total = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| total_in(&text));
    let container = std::fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    let bytes: usize = match (total, container) {
        (Some(total), Some(container)) => total.min(container),
        (total, container) => total.or(container)?,
    };
    Some(bytes / 5 * 4)
}

fn total_in(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::total_in;

    #[test]
    fn memory_is_read_from_meminfo() {
        assert_eq!(total_in("MemTotal:       24 kB\nMemFree: 3 kB\n"), Some(24 * 1024));
        assert_eq!(total_in("nothing"), None);
    }
}
