//! Running a program with a limit on its time, its output kept in files so that a full pipe never blocks it.

use anyhow::{Context, Result};
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// What a program left behind.
pub struct Ran {
    /// How it ended, or `None` if it was stopped because its time was over.
    pub status: Option<ExitStatus>,
    /// What it wrote to standard output.
    pub stdout: String,
    /// What it wrote to standard error.
    pub stderr: String,
}

impl Ran {
    /// True if it ended by itself with code 0.
    pub fn succeeded(&self) -> bool {
        self.status.is_some_and(|status| status.success())
    }

    /// Its exit code, unless a signal or our limit ended it.
    pub fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }
}

/// Runs `command` in `dir` (where its output is kept too) for at most `limit`.
pub fn run(command: &mut Command, dir: &Path, limit: Duration) -> Result<Ran> {
    let (out, err) = (dir.join("_stdout"), dir.join("_stderr"));
    let mut child = command
        .current_dir(dir)
        .stdin(Stdio::null())
        .stdout(File::create(&out)?)
        .stderr(File::create(&err)?)
        .spawn()
        .with_context(|| format!("cannot run {}", command.get_program().to_string_lossy()))?;
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let read = |path| -> Result<String> { Ok(String::from_utf8_lossy(&std::fs::read(path)?).into_owned()) };
    Ok(Ran { status, stdout: read(&out)?, stderr: read(&err)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn output_and_code_are_kept() -> Result<()> {
        let dir = tempfile::tempdir()?;
        let ran =
            run(Command::new("sh").args(["-c", "echo a; echo b >&2; exit 3"]), dir.path(), Duration::from_secs(9))?;
        assert_eq!((ran.code(), ran.stdout.as_str(), ran.stderr.as_str()), (Some(3), "a\n", "b\n"));
        Ok(())
    }

    #[test]
    fn time_is_limited() -> Result<()> {
        let dir = tempfile::tempdir()?;
        let ran = run(Command::new("sleep").arg("30"), dir.path(), Duration::from_millis(30))?;
        assert!(ran.status.is_none());
        Ok(())
    }
}
