//! Checks that are interrupted and resumed, as users do it: by signals and limits, with damaged files and changed models.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Some 100,000 states, and a violation at their end.
const LATE: &str = "\
#include \"bound.h\"
byte a, b, c;
proctype P() { do :: a < BOUND -> a++ :: a == BOUND -> break od }
proctype Q() { do :: b < BOUND -> b++ :: b == BOUND -> break od }
init {
  atomic { run P(); run Q() }
  do :: c < 40 -> c++ :: else -> break od;
  (a == BOUND && b == BOUND && _nr_pr == 1);
  assert(a != BOUND)
}
";
const BOUND: &str = "#define BOUND 40\n";
const CHECK: &str = "$PSW check m.pml --no-reduction --all-errors --checkpoint run.ckpt";

fn folder() -> Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("m.pml"), LATE)?;
    std::fs::write(folder.path().join("bound.h"), BOUND)?;
    Ok(folder)
}

/// What a call answered.
#[derive(Debug)]
struct Told {
    code: Option<i32>,
    out: String,
    err: String,
}

fn run(folder: &Path, script: &str) -> Result<Told> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("ulimit -t 60; {script}")).current_dir(folder);
    let output = shell.env("PSW", env!("CARGO_BIN_EXE_psw")).env("NO_COLOR", "1").output().context("a shell runs")?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Told { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) })
}

/// A report without times and bytes.
fn without_measured(report: &str) -> String {
    let is_measured = |line: &&str| ["\"seconds\"", "\"peak_bytes\""].iter().any(|name| line.contains(name));
    report.lines().filter(|line| !is_measured(line)).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_check_goes_on_after_limits_as_if_there_had_been_none() -> Result<()> {
    for search in ["", "--search bfs", "--search bfs --compress", "--search sweep --gc 3000", "--progress none"] {
        let folder = folder()?;
        let alone = run(folder.path(), &format!("{} {search} --format json", CHECK.replace("run.ckpt", "other.ckpt")))?;
        ensure!(alone.code == Some(1), "{alone:?}");
        let told = run(folder.path(), &format!("{CHECK} {search} --max-states 7000"))?;
        ensure!(told.code == Some(3) && told.out.contains("psw resume run.ckpt"), "{search}: {told:?}");
        let told = run(folder.path(), "$PSW resume run.ckpt --max-states 30000 --format json")?;
        ensure!(told.code == Some(3) && told.out.contains("\"checkpoint\": \"run.ckpt\""), "{search}: {told:?}");
        let told = run(folder.path(), "$PSW resume run.ckpt --max-states 10000000 --format json --trace-out t.json")?;
        ensure!(told.code == Some(1), "{search}: {told:?}");
        ensure!(without_measured(&told.out) == without_measured(&alone.out), "{search}: {alone:?}\n{told:?}");
        let replayed = run(folder.path(), "$PSW replay m.pml t.json")?;
        ensure!(replayed.code == Some(1), "{replayed:?}");
    }
    Ok(())
}

#[test]
fn a_signal_and_a_time_limit_leave_a_checkpoint() -> Result<()> {
    let endless = "int a, b; active proctype P() { do :: a++ od } active proctype Q() { do :: b++ od }\n";
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("m.pml"), endless)?;
    let wait = "i=0; while [ ! -e run.ckpt -a $i -lt 300 ]; do sleep 0.1; i=$((i+1)); done";
    for signal in ["TERM", "INT"] {
        // A job in the background ignores Ctrl-C unless it is told otherwise.
        let start = "$PSW check m.pml --no-reduction --checkpoint run.ckpt --checkpoint-every 1s";
        let told =
            run(folder.path(), &format!("rm -f run.ckpt; set -m; {start} & {wait}; kill -{signal} $!; wait $!"))?;
        ensure!(told.code == Some(3) && told.out.contains("psw resume run.ckpt"), "{signal}: {told:?}");
    }
    let states = |told: &Told| -> Result<u64> {
        let line = told.out.lines().find(|line| line.contains("\"expanded\"")).context("there are numbers")?;
        Ok(line.trim().trim_start_matches("\"expanded\": ").trim_end_matches(',').parse()?)
    };
    let first = run(folder.path(), "$PSW resume run.ckpt --max-time 1s --format json")?;
    let second = run(folder.path(), "$PSW resume run.ckpt --max-time 1s --format json")?;
    ensure!(first.code == Some(3) && second.code == Some(3), "{first:?} {second:?}");
    ensure!(states(&first)? < states(&second)?, "it goes on");
    Ok(())
}

#[test]
fn what_has_changed_is_refused() -> Result<()> {
    let folder = folder()?;
    let stop = || run(folder.path(), &format!("{CHECK} --max-states 7000"));
    ensure!(stop()?.code == Some(3));
    let refused = |script: &str, why: &str| -> Result<()> {
        let told = run(folder.path(), script)?;
        ensure!(told.code == Some(2) && told.err.contains(why) && told.out.is_empty(), "{script}: {told:?}");
        Ok(())
    };
    std::fs::write(folder.path().join("bound.h"), "#define BOUND 41\n")?;
    refused("$PSW resume run.ckpt", "bound.h is not what it was")?;
    std::fs::write(folder.path().join("bound.h"), BOUND)?;
    std::fs::write(folder.path().join("m.pml"), LATE.replace("c < 40", "c < 30"))?;
    refused("$PSW resume run.ckpt", "m.pml is not what it was")?;
    std::fs::write(folder.path().join("m.pml"), LATE)?;
    // A file that was cut off, one in which a byte is another one, one of another version, and one that is none.
    refused("head -c 20000 run.ckpt > cut; $PSW resume cut", "it is damaged")?;
    let mut bytes = std::fs::read(folder.path().join("run.ckpt"))?;
    for (at, why) in [(30_000, "it is damaged"), (40, "it is damaged"), (5, "version"), (0, "it is no checkpoint")] {
        bytes[at] ^= 4;
        std::fs::write(folder.path().join("changed"), &bytes)?;
        refused("$PSW resume changed", why)?;
        bytes[at] ^= 4;
    }
    refused("$PSW resume m.pml", "it is no checkpoint")?;
    refused("$PSW resume nothing", "cannot read nothing")?;
    refused("mkdir -p d; cd d; $PSW resume ../run.ckpt", "the check was begun in")?;
    // What was refused is still there.
    let told = run(folder.path(), "$PSW resume run.ckpt --max-states 10000000")?;
    ensure!(told.code == Some(1), "{told:?}");
    Ok(())
}

#[test]
fn a_call_that_cannot_have_checkpoints_is_refused() -> Result<()> {
    let folder = folder()?;
    for (options, why) in [
        ("--search dfs", "--search dfs writes no checkpoints"),
        ("--search cache", "writes no checkpoints"),
        ("--search sweep-ext", "writes no checkpoints"),
        ("--count-distinct", "cannot be used with"),
        ("--log l.csv", "cannot be used with"),
        ("--ignore a", "cannot be used with"),
    ] {
        let told = run(folder.path(), &format!("{CHECK} {options}"))?;
        ensure!(told.code == Some(2) && told.err.contains(why), "{options}: {told:?}");
    }
    let told = run(folder.path(), &CHECK.replace("run.ckpt", "none/run.ckpt"))?;
    ensure!(told.code == Some(2) && told.err.contains("cannot write"), "{told:?}");
    let told = run(folder.path(), &CHECK.replace("run.ckpt", "/dev/null"))?;
    ensure!(told.code == Some(2) && told.err.contains("it is no file"), "{told:?}");
    Ok(())
}

#[test]
fn a_disk_that_is_full_is_a_warning() -> Result<()> {
    let folder = folder()?;
    let told = run(folder.path(), &format!("ulimit -f 20; {CHECK} --search bfs --checkpoint-every 0s"))?;
    ensure!(told.code == Some(1) && told.err.contains("no checkpoint in run.ckpt"), "{told:?}");
    ensure!(told.err.matches("no checkpoint").count() < 3, "{told:?}");
    ensure!(!folder.path().join("run.ckpt.new").exists(), "nothing is left behind");
    Ok(())
}

#[test]
fn memory_that_does_not_suffice_to_go_on_leaves_the_checkpoint() -> Result<()> {
    let folder = folder()?;
    ensure!(run(folder.path(), &format!("{CHECK} --search bfs --max-states 50000"))?.code == Some(3));
    let told = run(folder.path(), "$PSW resume run.ckpt --max-memory 100K")?;
    ensure!(told.code == Some(3) && told.out.contains("psw resume run.ckpt"), "{told:?}");
    ensure!(run(folder.path(), "$PSW resume run.ckpt --max-states 10000000")?.code == Some(1));
    Ok(())
}

#[test]
fn properties_are_checked_after_what_was_resumed() -> Result<()> {
    let folder = folder()?;
    std::fs::write(
        folder.path().join("m.pml"),
        format!("{}ltl p {{ <>(c == 40) }}\n", LATE.replace("assert(a != BOUND)", "skip")),
    )?;
    let alone = run(folder.path(), &CHECK.replace("run.ckpt", "other.ckpt"))?;
    ensure!(run(folder.path(), &format!("{CHECK} --max-states 5000"))?.code == Some(3));
    let told = run(folder.path(), "$PSW resume run.ckpt --max-states 10000000")?;
    ensure!(told.code == alone.code && told.out.contains("ltl p: <> (c == 40)"), "{alone:?}\n{told:?}");
    Ok(())
}
