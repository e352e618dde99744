//! Limits asked and kept: models that are hard to stop, each with a time and a memory limit, and what psw really took.
//!
//! Every run must end by itself, with an exit code of psw's own, and not much later or larger than it was told. A run that
//! does not is killed after a while and counts as a failure.

mod memory;

use crate::bench::measured::{self, Limits};
use crate::psw::Psw;
use anyhow::{Context, Result};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Check that psw keeps the limits it is given.
#[derive(clap::Args)]
pub struct Args {
    /// Only runs whose line in the table contains this.
    #[arg(long, default_value = "")]
    only: String,
    /// The psw to judge; the one in this program's folder by default.
    #[arg(long)]
    psw: Option<PathBuf>,
    /// A corpus: instead, a table of the peak memory of every search beside --max-memory, on large models of it.
    #[arg(long, value_name = "FOLDER")]
    memory: Option<PathBuf>,
    /// The limits of that table, in megabytes.
    #[arg(long, value_delimiter = ',', default_value = "100,500,2000")]
    megabytes: Vec<u64>,
    /// The seconds for each of its runs.
    #[arg(long, default_value_t = 30)]
    seconds: u64,
}

/// Time over the limit that is forgiven, and its share.
const MORE_TIME: (f64, f64) = (1.0, 0.1);
/// The same for memory, in megabytes.
const MORE_MEMORY: (f64, f64) = (10.0, 0.05);
/// Who takes more processor time than this, in seconds, is stopped from outside.
const PATIENCE: u64 = 60;
/// Address space where it is not what is tested, in megabytes.
const ENOUGH: u64 = 20_000;

/// One run.
struct Case {
    model: &'static str,
    text: String,
    args: &'static [&'static str],
    /// `--max-time`, in seconds.
    seconds: Option<u64>,
    /// `--max-memory`, in megabytes.
    megabytes: Option<u64>,
    /// `ulimit -v`, in megabytes.
    space: Option<u64>,
    /// The exit codes that are right.
    codes: &'static [i32],
}

/// What stops for a limit exits like this.
const STOPPED: &[i32] = &[3];
/// What is refused, like this.
const REFUSED: &[i32] = &[2];
/// Either is right, and so is an answer.
const ANY: &[i32] = &[0, 1, 2, 3];

/// Eight million states of 28 bytes, more than fit into what they are given.
const LARGE: &str = "byte a, b, c; int h[6];\n\
    proctype A() { do :: a < 200 -> a++ :: a > 0 -> a-- od }\n\
    proctype B() { do :: b < 200 -> b++ :: b > 0 -> b-- od }\n\
    proctype C() { do :: c < 200 -> c++ :: c > 0 -> c-- od }\n\
    init { atomic { h[0] = 2000000000; h[5] = h[0] - 1; h[4] = h[5]; h[3] = h[5]; h[2] = h[5]; h[1] = h[5];\n\
        run A(); run B(); run C() } }\n";
/// Counters without end: by progress of all three, every state has a layer of its own.
const COUNTERS: &str = "int a, b, c;\n\
    active proctype A() { do :: a++ od }\nactive proctype B() { do :: b++ od }\nactive proctype C() { do :: c++ od }\n";
/// The most seconds for one run.
const ENOUGH_TIME: Option<u64> = Some(5);

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |model, text: &str, args, seconds, megabytes, space, codes| {
        cases.push(Case { model, text: text.to_owned(), args, seconds, megabytes, space, codes });
    };
    let paths =
        format!("byte x;\nactive proctype P() {{ atomic {{ {} x = 1 }} }}\n", "if :: skip :: skip fi; ".repeat(40));
    let endless = "int x;\nactive proctype P() { atomic { do :: x++ od } }\n";
    let bytes = "byte x, y, z, w;\n\
        active proctype P() { atomic { do :: x++ :: y++ :: z++ :: w++ od } }\n";
    let d_step =
        "int x, y;\nactive proctype P() { d_step { do :: y < 110000000 -> y++ :: else -> break od }; x = 1 }\n";
    let mut wide = "short x, y;\nactive proctype P() { do\n".to_owned();
    for option in 0..20_000 {
        let _ = writeln!(wide, ":: x = {option}");
    }
    wide.push_str("od }\nactive proctype Q() { do :: y++ od }\n");
    let array = "int a[500000];\nactive proctype P() { int i; do :: i < 500000 -> a[i] = i; i++ :: i > 0 -> i-- od }\n";
    let nested = "typedef A { int a[100] }\ntypedef B { A a[100] }\ntypedef C { B a[100] }\ntypedef D { C a[100] }\n\
        typedef E { D a[16] }\nE e;\ninit { e.a[1].a[1].a[1].a[1].a[1] = 1; assert(e.a[1].a[1].a[1].a[1].a[1] == 1) }\n";
    let many = format!(
        "{LARGE}ltl p {{ [](a <= 200) }}\nltl q {{ [](b <= 200) }}\nltl r {{ [](c <= 200) }}\nltl s {{ [](a + b <= 400) }}\n"
    );

    for args in [&["check"][..], &["check", "--search", "dfs"], &["query", "--bounds", "x"]] {
        add("2^40 atomic paths", &paths, args, Some(3), None, None, STOPPED);
        add("endless atomic", endless, args, None, Some(500), None, ANY);
        add("endless atomic, bytes", bytes, args, Some(5), Some(500), None, ANY);
        add("d_step of 110 million", d_step, args, Some(3), None, None, ANY);
        add("20,000 successors", &wide, args, Some(2), None, None, STOPPED);
    }
    add("2^40 atomic paths", &paths, &["ltl", "<>(x == 1)"], Some(3), None, None, STOPPED);
    add("20,000 successors", &wide, &["ltl", "[]<>(x == 1)"], Some(2), None, None, ANY);
    for args in
        [&["check"][..], &["check", "--search", "dfs"], &["check", "--search", "sweep"], &["ltl", "[]<>(a[3] == 1)"]]
    {
        add("int a[500000]", array, args, Some(3), Some(300), None, STOPPED);
    }
    add("int a[500000]", array, &["query", "--bounds", "a[3]"], Some(3), Some(300), None, STOPPED);
    for args in [&["check"][..], &["query", "--bounds-all"], &["ltl", "[](e.a[1].a[1].a[1].a[1].a[1] < 3)"]] {
        add("a[100] five times", nested, args, None, Some(300), None, REFUSED);
    }
    add("a[100] five times", nested, &["sim"], None, None, Some(500), REFUSED);
    add("endless atomic", endless, &["sim", "--seed", "1"], None, None, Some(1500), STOPPED);
    add("endless atomic", endless, &["check"], None, None, Some(1500), STOPPED);
    add("2^40 atomic paths", &paths, &["sim", "--seed", "1"], None, None, None, ANY);
    for args in [&["ltl"][..], &["ltl", "--search", "ndfs"], &["ltl", "--search", "map"], &["check"]] {
        add("many properties", &many, args, Some(4), None, None, STOPPED);
    }
    const SEARCHES: [&[&str]; 8] = [
        &["check", "--search", "bfs"],
        &["check", "--search", "bfs", "--compress"],
        &["check", "--search", "dfs"],
        &["check", "--search", "cache"],
        &["check", "--search", "sweep"],
        &["check", "--search", "column"],
        &["check", "--search", "sweep", "--count-distinct"],
        &["query", "--bounds-all"],
    ];
    const PRODUCTS: [&[&str]; 6] = [
        &["ltl", "--search", "ndfs", "[]<>(a == 0)"],
        &["ltl", "--search", "map", "[](a <= 200)"],
        &["ltl", "--search", "sweep-off", "[](a <= 200)"],
        &["ltl", "--search", "sweep-on", "[](a <= 200)"],
        &["ltl", "--search", "column", "[](a <= 200)"],
        &["ltl", "--search", "column", "--fair", "weak", "[]((a == 7) -> <>(b == 7))"],
    ];
    for args in SEARCHES.into_iter().chain(PRODUCTS) {
        add("8 million states", LARGE, args, ENOUGH_TIME, Some(100), None, ANY);
        add("8 million states", LARGE, args, ENOUGH_TIME, None, Some(250), ANY);
    }
    const SMALL_LAYERS: [&[&str]; 4] = [
        &["check", "--search", "sweep", "--progress", "a,b,c"],
        &["check", "--search", "column", "--progress", "a,b,c"],
        &["check", "--search", "sweep", "--progress", "a,b,c", "--count-distinct"],
        &["ltl", "--search", "sweep-on", "--progress", "a,b,c", "[](a != -1)"],
    ];
    for args in SMALL_LAYERS {
        add("a layer a state", COUNTERS, args, ENOUGH_TIME, Some(100), None, STOPPED);
    }
    add("8 million states", LARGE, &["check"], ENOUGH_TIME, Some(100_000), Some(400), ANY);
    add("8 million states", LARGE, &["check"], ENOUGH_TIME, None, Some(150), ANY);
    add("8 million states", LARGE, &["check"], ENOUGH_TIME, None, Some(60), ANY);
    add("int a[500000]", array, &["check"], Some(5), None, Some(500), STOPPED);
    cases
}

/// Prints a line per run. True if every limit was kept.
pub fn run(args: &Args) -> Result<bool> {
    let psw = Psw::find(args.psw.as_deref(), Duration::from_secs(PATIENCE))?;
    if let Some(corpus) = &args.memory {
        return memory::table(psw.program(), &corpus.canonicalize()?, &args.megabytes, args.seconds);
    }
    println!("| model | command | time asked | time | memory asked | RSS | ulimit -v | exit | |");
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut kept = true;
    for case in cases() {
        let asked = format!("| {} | {} | {}", case.model, case.args.join(" "), told(case.seconds, "s"));
        if asked.contains(&args.only) {
            let (line, fine) = case.run(psw.program())?;
            println!("{asked} {line}");
            kept &= fine;
        }
    }
    Ok(kept)
}

/// A limit as it is shown.
fn told(limit: Option<u64>, unit: &str) -> String {
    limit.map_or_else(|| "-".to_owned(), |limit| format!("{limit} {unit}"))
}

impl Case {
    /// The rest of the line, and whether all is well.
    fn run(&self, psw: &Path) -> Result<(String, bool)> {
        let dir = tempfile::tempdir()?;
        std::fs::write(dir.path().join("model.pml"), &self.text).context("cannot write a model")?;
        // The model comes first, then what is asked about it.
        let (command, rest) = self.args.split_first().context("a run has a command")?;
        let mut args = vec![(*command).to_owned(), "model.pml".to_owned()];
        args.extend(rest.iter().map(|&arg| arg.to_owned()));
        if *command != "sim" {
            // What is meant to be large stays large.
            args.push("--no-reduction".to_owned());
        }
        args.extend(self.seconds.iter().flat_map(|seconds| ["--max-time".to_owned(), format!("{seconds}s")]));
        args.extend(self.megabytes.iter().flat_map(|size| ["--max-memory".to_owned(), format!("{size}M")]));
        let limits = Limits { megabytes: self.space.unwrap_or(ENOUGH), seconds: PATIENCE };
        let took = measured::run(psw, &args, dir.path(), limits)?;
        let (wall, rss) = (took.wall.as_secs_f64(), took.rss as f64 / 1e6);
        let late = self.seconds.is_some_and(|asked| wall > asked as f64 * (1.0 + MORE_TIME.1) + MORE_TIME.0);
        let large = self.megabytes.or(self.space).is_some_and(|asked| {
            let asked = asked as f64 * 1.048_576;
            rss > asked * (1.0 + MORE_MEMORY.1) + MORE_MEMORY.0
        });
        let code = took.ran.code();
        let wrong = code.is_none_or(|code| !self.codes.contains(&code));
        let words = [(late, "LATE"), (large, "LARGE"), (wrong, "WRONG EXIT")];
        let words: Vec<&str> = words.into_iter().filter_map(|(is, word)| is.then_some(word)).collect();
        let line = format!(
            "| {wall:.1} s | {} | {rss:.0} MB | {} | {} | {} |",
            told(self.megabytes, "MB"),
            told(self.space, "MB"),
            code.map_or_else(|| "killed".to_owned(), |code| code.to_string()),
            if words.is_empty() { "kept".to_owned() } else { words.join(", ") }
        );
        Ok((line, words.is_empty()))
    }
}
