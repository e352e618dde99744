//! Limits asked and kept: psw as a program, on models that are hard to stop, ends by itself, in time, in its memory, and with
//! an exit code of its own. `cargo xtask limits` measures more of it.
//!
//! The bounds are generous, because whoever tests may have other things to do at the same time.
#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

/// Stopped by a limit.
const STOPPED: i32 = 3;
/// What a run of a second or two may take.
const SOON: Duration = Duration::from_secs(30);

/// A chain of choices inside an atomic sequence: 2^40 ways through it.
fn paths() -> String {
    format!("byte x;\nactive proctype P() {{ atomic {{ {} x = 1 }} }}\n", "if :: skip :: skip fi; ".repeat(40))
}

const ENDLESS: &str = "int x;\nactive proctype P() { atomic { do :: x++ od } }\n";
const ARRAY: &str =
    "int a[500000];\nactive proctype P() { int i; do :: i < 500000 -> a[i] = i; i++ :: i > 0 -> i-- od }\n";
const MANY: &str = "\
int a, b, c;
active proctype A() { do :: a++ od }
active proctype B() { do :: b++ od }
active proctype C() { do :: c++ od }
";

/// What a call answered, and when.
#[derive(Debug)]
struct Told {
    code: Option<i32>,
    out: String,
    err: String,
    took: Duration,
}

impl Told {
    fn has(&self, code: i32, out: &str) -> Result<()> {
        ensure!(self.code == Some(code) && self.out.contains(out), "expected {code} and {out:?}: {self:?}");
        ensure!(self.took < SOON, "{self:?}");
        Ok(())
    }
}

/// Runs psw on a model with so many megabytes of address space.
fn psw(model: &str, megabytes: u64, args: &str) -> Result<Told> {
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("m.pml"), model)?;
    run(folder.path(), &format!("ulimit -v {}; exec $PSW {args}", megabytes * 1024))
}

fn run(folder: &Path, script: &str) -> Result<Told> {
    let mut shell = Command::new("sh");
    // Whoever does not end is ended.
    shell.arg("-c").arg(format!("ulimit -t 60; {script}")).current_dir(folder);
    shell.env("PSW", env!("CARGO_BIN_EXE_psw")).env("NO_COLOR", "1");
    let started = Instant::now();
    let output = shell.output().context("a shell runs")?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let took = started.elapsed();
    Ok(Told { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr), took })
}

const TIME: &str = "the time limit was reached";
const MEMORY: &str = "the memory limit was reached";

#[test]
fn time_is_kept_inside_an_atomic_sequence() -> Result<()> {
    for command in ["check m.pml", "check m.pml --search dfs", "query m.pml --bounds x", "ltl m.pml '<>(x == 1)'"] {
        psw(&paths(), 4000, &format!("{command} --max-time 1s --max-memory 1G"))?.has(STOPPED, TIME)?;
    }
    Ok(())
}

#[test]
fn memory_is_kept_inside_an_atomic_sequence() -> Result<()> {
    // The address space holds no more than twice what is asked for.
    for command in ["check m.pml", "check m.pml --search dfs", "query m.pml --bounds x"] {
        psw(ENDLESS, 800, &format!("{command} --max-memory 200M"))?.has(STOPPED, MEMORY)?;
    }
    Ok(())
}

#[test]
fn one_clock_runs_for_all_properties() -> Result<()> {
    let model = format!("{MANY}ltl p {{ [](a != -1) }}\nltl q {{ [](b != -1) }}\nltl r {{ []<>(c != -1) }}\n");
    let told = psw(&model, 8000, "ltl m.pml --no-reduction --max-time 2s --max-memory 4G")?;
    told.has(STOPPED, &format!("m.pml: ltl p: STOPPED, no verdict: {TIME}\n"))?;
    // Invariants have one search.
    told.has(STOPPED, &format!("m.pml: ltl q: STOPPED, no verdict: {TIME}\n"))?;
    told.has(STOPPED, &format!("m.pml: ltl r: not checked: {TIME}\n"))?;
    Ok(())
}

#[test]
fn large_states_are_stopped_in_time_and_in_memory() -> Result<()> {
    for command in
        ["check m.pml --no-reduction", "check m.pml --no-reduction --search dfs", "query m.pml --bounds 'a[3]'"]
    {
        psw(ARRAY, 1200, &format!("{command} --max-time 2s --max-memory 300M"))?.has(STOPPED, "limit was reached")?;
    }
    let nested = "typedef A { int a[100] }\ntypedef B { A a[100] }\ntypedef C { B a[100] }\ntypedef D { C a[100] }\n\
        typedef E { D a[16] }\nE e;\ninit { e.a[1].a[1].a[1].a[1].a[1] = 1 }\n";
    psw(nested, 500, "check m.pml")?.has(2, "")
}

#[test]
fn reporting_on_large_states_is_part_of_the_run() -> Result<()> {
    // Ten million values: to name all of them takes seconds and gigabytes.
    let nested = "typedef A { byte a[1000] }\nA x[10000];\n\
        active proctype P() { x[3].a[4] = 1; x[7].a[8] = 2; assert(x[3].a[4] == 2) }\n";
    let few = Duration::from_secs(10);
    let limits = "--max-time 2s --max-memory 300M";
    let told = psw(nested, 1000, &format!("check m.pml {limits} -v"))?;
    told.has(1, "x[7].a[8]: 0 → 2")?;
    told.has(1, "is not listed by value")?;
    ensure!(told.took < few, "{told:?}");
    let told = psw(nested, 1000, &format!("query m.pml {limits} --dead-states --bounds 'x[3].a[4]'"))?;
    told.has(0, "answered")?;
    ensure!(told.took < few, "{told:?}");
    let told = psw(nested, 1000, &format!("query m.pml {limits} --bounds-all"))?;
    ensure!(told.code == Some(STOPPED) && told.err.contains("more than the memory limit"), "{told:?}");
    // Half a million fit, but not in two seconds.
    let told = psw(ARRAY, 1500, "query m.pml --max-time 2s --max-memory 500M --bounds-all")?;
    told.has(STOPPED, TIME)?;
    ensure!(told.took < few, "{} s", told.took.as_secs_f64());
    Ok(())
}

#[test]
fn a_trace_of_large_states_is_bounded() -> Result<()> {
    // The search keeps what states share once; the trace would be 300 states of 2 MB.
    let model = "int a[500000];\nactive proctype P() { int i; do :: i < 100 -> a[i] = i * 1000000; i++ :: else -> break od;\n\
        assert(false) }\n";
    psw(model, 2000, "check m.pml --search bfs --max-memory 500M")?
        .has(1, "(no trace: its states take more than 256 MB)")
}

/// Three counters: what they do, and how far they come.
fn counters(loops: &str, top: u32) -> String {
    let process = |x: &str| format!("active proctype P{x}() {{ end: do {} od }}\n", loops.replace('x', x));
    format!("#define TOP {top}\nbyte a, b, c;\n{}", ["a", "b", "c"].map(process).concat())
}

/// The default search has the same numbers with little memory, on disk, as with much. Without a disk it stops.
#[test]
fn a_search_goes_on_when_memory_ends() -> Result<()> {
    let model = counters(":: x < TOP -> x++ :: x > 0 -> x--", 20);
    // In one layer each state is expanded once; by a measure, more often if less is remembered.
    for (progress, numbers) in [("none", "226981 stored, 893041 transitions"), ("a, b", "holds"), ("auto", "holds")] {
        let command = format!("check m.pml --no-reduction --progress '{progress}'");
        psw(&model, 4000, &command)?.has(0, numbers)?;
        let on_disk = psw(&model, 4000, &format!("{command} --max-memory 1M"))?;
        on_disk.has(0, "in use since memory ended, after ")?;
        on_disk.has(0, numbers)?;
        psw(&model, 4000, &format!("{command} --max-memory 1M --max-disk 0"))?.has(STOPPED, MEMORY)?;
        psw(&model, 4000, &format!("{command} --max-memory 1M --max-disk 100k"))?
            .has(STOPPED, "the disk limit was reached")?;
    }
    Ok(())
}

#[test]
fn the_address_space_is_a_limit() -> Result<()> {
    for search in ["bfs", "dfs", "cache", "sweep", "column"] {
        let told = psw(MANY, 300, &format!("check m.pml --no-reduction --search {search} --max-time 5s"))?;
        told.has(STOPPED, "limit was reached")?;
    }
    for search in ["ndfs", "map", "sweep-off", "sweep-on", "column"] {
        let told = psw(MANY, 300, &format!("ltl m.pml --no-reduction --search {search} --max-time 5s '[](a != -1)'"))?;
        told.has(STOPPED, "limit was reached")?;
    }
    let told = psw(MANY, 400, "check m.pml --no-reduction --max-memory 100G --max-time 2s")?;
    ensure!(told.code == Some(STOPPED) && told.err.contains("are available here"), "{told:?}");
    Ok(())
}

#[test]
fn little_address_space_is_enough_for_a_little_model() -> Result<()> {
    psw("byte x; active proctype P() { x = 1 }\n", 100, "check m.pml")?.has(0, "holds")?;
    // The program itself can be loaded, and nothing more.
    let told = psw("byte x; active proctype P() { x = 1 }\n", 40, "check m.pml")?;
    ensure!(told.code == Some(STOPPED) && told.err.contains("not enough memory"), "{told:?}");
    Ok(())
}

#[test]
fn a_simulation_looks_at_so_many_ways_only() -> Result<()> {
    psw(&paths(), 2000, "sim m.pml --seed 1")?.has(0, "step 1 is chosen from the first 10000 of more")?;
    psw(ENDLESS, 1000, "sim m.pml --seed 1")?.has(STOPPED, "stopped after 0 steps")
}
