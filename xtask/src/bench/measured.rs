//! Running a program under limits and measuring it: wall time, processor time, and the most memory it ever had.
//!
//! The limits are the shell's (`ulimit`), the same for all programs. The kernel counts a program's memory from before it is
//! started, so no figure can be below this program's own few megabytes.

use crate::process::Ran;
use anyhow::{Context, Result};
use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

/// What every program is held to.
#[derive(Clone, Copy)]
pub struct Limits {
    /// Address space.
    pub megabytes: u64,
    /// Processor time.
    pub seconds: u64,
}

/// What a program left behind, and what it took.
pub struct Measured {
    /// Output and exit code.
    pub ran: Ran,
    /// From its start to its end.
    pub wall: Duration,
    /// Processor time, its own and the system's for it.
    pub cpu: Duration,
    /// The part of it that is its own.
    pub user: Duration,
    /// Peak resident set, in bytes.
    pub rss: u64,
}

/// Runs `program` with `args` in `dir`, where its output is kept too.
pub fn run(program: &Path, args: &[String], dir: &Path, limits: Limits) -> Result<Measured> {
    let (out, err) = (dir.join("_stdout"), dir.join("_stderr"));
    let kilobytes = limits.megabytes * 1024;
    let script = format!("ulimit -v {kilobytes}; ulimit -t {}; exec \"$0\" \"$@\"", limits.seconds);
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(program).args(args).current_dir(dir).stdin(Stdio::null());
    command.stdout(File::create(&out)?).stderr(File::create(&err)?);
    let start = Instant::now();
    let used = command.spawn().and_then(Wait4::wait4).with_context(|| format!("cannot run {}", program.display()))?;
    let wall = start.elapsed();
    let read = |path| -> Result<String> { Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned()) };
    let ran = Ran { status: Some(used.status), stdout: read(&out)?, stderr: read(&err)? };
    let cpu = used.rusage.utime + used.rusage.stime;
    Ok(Measured { ran, wall, cpu, user: used.rusage.utime, rss: used.rusage.maxrss })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, limits: Limits) -> Result<Measured> {
        let dir = tempfile::tempdir()?;
        run(Path::new("sh"), &["-c".to_string(), script.to_string()], dir.path(), limits)
    }

    #[test]
    fn time_and_memory_are_measured() -> Result<()> {
        let limits = Limits { megabytes: 1000, seconds: 9 };
        let slept = shell("sleep 0.05; echo done", limits)?;
        assert_eq!((slept.ran.code(), slept.ran.stdout.as_str()), (Some(0), "done\n"));
        assert!(slept.wall >= Duration::from_millis(50));
        let filled = shell("x=$(head -c 100000000 /dev/zero | tr '\\0' x); true", limits)?;
        assert!(filled.rss > 100_000_000, "{} bytes", filled.rss);
        Ok(())
    }

    #[test]
    fn limits_hold() -> Result<()> {
        let looped = shell("while :; do :; done", Limits { megabytes: 1000, seconds: 1 })?;
        assert_eq!(looped.ran.code(), None);
        let filled = shell("x=$(head -c 100000000 /dev/zero | tr '\\0' x)", Limits { megabytes: 50, seconds: 9 })?;
        assert_ne!(filled.ran.code(), Some(0));
        Ok(())
    }
}
