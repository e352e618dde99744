//! What a measurement must be read with: when, on what, with which versions, under which limits.

use super::measured::Limits;
use crate::psw::Psw;
use serde::Serialize;
use std::process::Command;

/// The circumstances of a run. Nothing in it names the machine.
#[derive(Serialize)]
pub struct Machine {
    /// Day, in UTC.
    pub date: String,
    /// What kind of processor, how many of its cores, how much memory.
    pub hardware: String,
    /// The programs that were run.
    pub versions: Vec<String>,
    /// Limits and repetitions.
    pub rules: String,
}

impl Machine {
    /// The beginning of a page that `command` writes.
    pub fn heading(&self, command: &str) -> String {
        let written = format!("Written by `{command}` on {} (UTC); do not edit.\n\n", self.date);
        let facts = [&self.hardware].into_iter().chain(&self.versions).chain([&self.rules]);
        written + &facts.map(|fact| format!("- {fact}\n")).collect::<String>() + "\n"
    }
}

/// The circumstances of this run.
pub fn describe(psw: &Psw, limits: Limits, repeat: usize) -> Machine {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let after = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split_once(':')).map_or("unknown".to_string(), |(_, value)| value.trim().to_string())
    };
    let memory = after(&read("/proc/meminfo"), "MemTotal");
    let kilobytes: f64 = memory.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0.0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let processor = after(&read("/proc/cpuinfo"), "model name");
    let mut version = psw.command();
    version.arg("--version");
    Machine {
        date: first_line(Command::new("date").args(["-u", "+%Y-%m-%d"])),
        hardware: format!("{processor}, {cores} cores, {:.0} GB of memory", kilobytes / 1e6),
        versions: vec![
            first_line(&mut version),
            first_line(Command::new("spin").arg("-V")),
            first_line(Command::new("gcc").arg("--version")),
        ],
        rules: format!(
            "one core each; at most {} MB and {} s of processor time; best of {repeat}",
            limits.megabytes, limits.seconds
        ),
    }
}

fn first_line(command: &mut Command) -> String {
    let output = command.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    output.unwrap_or_default().lines().next().unwrap_or("unknown").to_string()
}
