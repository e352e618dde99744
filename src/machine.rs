//! What the machine has, and what of it psw may use.
//!
//! Three things bound the memory of a process: what the machine has, the control groups it is in (each of them, up to the
//! root, in both versions), and its address space (`ulimit -v`). What is over the first two ends the process; what is over
//! the third is refused. Both come too late for a verdict, so the limits are read beforehand.

use std::path::{Path, PathBuf};

/// Of the address space so much is left for what is not counted: buffers, code, and pieces between allocations.
const HEADROOM: usize = 24 << 20;

/// Bytes that a run may use unless told otherwise: 80 % of the machine's memory, or of the container's.
pub fn default_memory() -> Option<usize> {
    let total = read("/proc/meminfo").and_then(|text| kilobytes(&text, "MemTotal:"));
    let most = [total, container(Path::new("/"))].into_iter().flatten().min().map(|bytes| bytes / 5 * 4);
    [most, address_space()].into_iter().flatten().min()
}

/// Bytes that can be allocated at all, if anything but the machine itself bounds them.
pub fn most_memory() -> Option<usize> {
    let container = container(Path::new("/")).map(|bytes| bytes.saturating_sub(HEADROOM.min(bytes / 8)));
    [container, address_space()].into_iter().flatten().min()
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    std::fs::read_to_string(path).ok()
}

/// The number of kilobytes behind a name, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<usize> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let kilobytes: usize = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

/// Bytes that the process holds now: its code, the model, everything allocated so far.
pub fn resident() -> usize {
    read("/proc/self/status").and_then(|text| kilobytes(&text, "VmRSS:")).unwrap_or(0)
}

/// What is left of the address space. The stack of the main thread is mapped already.
pub fn address_space() -> Option<usize> {
    let limits = read("/proc/self/limits")?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let most: usize = line.split_whitespace().next()?.parse().ok()?;
    let mapped = read("/proc/self/status").and_then(|text| kilobytes(&text, "VmSize:")).unwrap_or(0);
    Some(most.saturating_sub(mapped).saturating_sub(HEADROOM))
}

/// The tightest limit of the control groups that the process is in, in a file system that begins at `root`.
fn container(root: &Path) -> Option<usize> {
    let groups = read(root.join("proc/self/cgroup"))?;
    let limits = groups.lines().flat_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, group) = (fields.next().unwrap_or(""), fields.next().unwrap_or("/"));
        let (folders, file): (&[&str], &str) = match controllers {
            "" => (&["sys/fs/cgroup", "sys/fs/cgroup/unified"], "memory.max"),
            list if list.split(',').any(|name| name == "memory") => {
                (&["sys/fs/cgroup/memory"], "memory.limit_in_bytes")
            }
            _ => (&[], ""),
        };
        let group = PathBuf::from(group.trim_start_matches('/'));
        let way_up: Vec<PathBuf> = group.ancestors().map(Path::to_owned).collect();
        folders.iter().flat_map(move |folder| way_up.clone().into_iter().map(move |group| (folder, group, file)))
    });
    // A group that is unlimited says "max", or a number that no machine has.
    limits.filter_map(|(folder, group, file)| read(root.join(folder).join(group).join(file))?.trim().parse().ok()).min()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{container, kilobytes};

    #[test]
    fn memory_is_read_from_meminfo() {
        assert_eq!(kilobytes("MemTotal:       24 kB\nMemFree: 3 kB\n", "MemTotal:"), Some(24 * 1024));
        assert_eq!(kilobytes("nothing", "MemTotal:"), None);
    }

    fn written(files: &[(&str, &str)]) -> Option<usize> {
        let root = tempfile::tempdir().expect("there is room for a folder");
        for (path, text) in files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap_or(Path::new("/"))).expect("folders can be made");
            std::fs::write(path, text).expect("files can be written");
        }
        container(root.path())
    }

    #[test]
    fn the_tightest_group_on_the_way_up_counts() {
        let v2 = [
            ("proc/self/cgroup", "0::/a/b/c\n"),
            ("sys/fs/cgroup/a/b/c/memory.max", "max\n"),
            ("sys/fs/cgroup/a/b/memory.max", "3000\n"),
            ("sys/fs/cgroup/a/memory.max", "2000\n"),
            ("sys/fs/cgroup/z/memory.max", "1\n"),
        ];
        assert_eq!(written(&v2), Some(2000));
        let v1 = [
            ("proc/self/cgroup", "5:devices:/\n4:cpu,memory:/a/b\n0::/\n"),
            ("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "700\n"),
            ("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/unified/memory.max", "max\n"),
        ];
        assert_eq!(written(&v1), Some(700));
        assert_eq!(written(&[("proc/self/cgroup", "0::/\n")]), None);
        assert_eq!(written(&[]), None);
    }

    #[test]
    fn in_a_container_the_root_is_its_own_group() {
        let files = [("proc/self/cgroup", "0::/../x\n"), ("sys/fs/cgroup/memory.max", "500\n")];
        assert_eq!(written(&files), Some(500));
    }
}
