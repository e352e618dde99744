//! What goes wrong around psw and not in the model: full disks, closed pipes, files that are none, signals, faults of its
//! own. The verdict and its exit code survive, what is lost is said, nothing waits forever, nothing is half done.
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

const VIOLATED: &str = "active proctype P() { assert(false) }\n";
const HOLDS: &str = "byte x; active proctype P() { x = 1 }\n";
/// Some 40,000 states with a violation at their end: more than the log of predecessors keeps in memory.
const LATE: &str = "short n; active proctype P() { do :: n < 20000 -> n++ :: else -> break od; assert(false) }\n";
/// Far too many states.
const ENDLESS: &str = "\
int a, b, c;
active proctype P() { do :: a++ od }
active proctype Q() { do :: b++ od }
active proctype R() { do :: c++ od }
";

/// A folder with files.
struct Folder(tempfile::TempDir);

impl Folder {
    fn with(files: &[(&str, &str)]) -> Result<Folder> {
        let folder = tempfile::tempdir()?;
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text)?;
        }
        Ok(Folder(folder))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn start(&self, script: &str) -> Result<Child> {
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(script).env("PSW", env!("CARGO_BIN_EXE_psw")).env("NO_COLOR", "1").current_dir(self.path());
        let streams = shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        streams.spawn().context("a shell runs")
    }

    /// Runs a line of shell in which `$PSW` is psw. One that does not end in time is an error.
    fn run(&self, script: &str) -> Result<Told> {
        let started = Instant::now();
        let told = Told::of(script, &self.start(&format!("ulimit -t 60; {script}"))?.wait_with_output()?);
        ensure!(started.elapsed() < Duration::from_secs(60), "{told:?}");
        Ok(told)
    }
}

/// What a call answered.
#[derive(Debug)]
struct Told {
    #[expect(dead_code, reason = "shown by Debug")]
    script: String,
    code: Option<i32>,
    out: String,
    err: String,
}

impl Told {
    fn of(script: &str, output: &Output) -> Told {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Told {
            script: script.to_owned(),
            code: output.status.code(),
            out: text(&output.stdout),
            err: text(&output.stderr),
        }
    }

    fn has(&self, code: i32, err: &str) -> Result<()> {
        ensure!(self.code == Some(code) && self.err.contains(err), "expected {code} and {err:?}: {self:?}");
        Ok(())
    }
}

#[test]
fn a_verdict_survives_a_report_that_cannot_be_written() -> Result<()> {
    let folder = Folder::with(&[("v.pml", VIOLATED), ("h.pml", HOLDS), ("e.pml", ENDLESS)])?;
    let lost = "the report cannot be written: No space left";
    for (call, code) in [
        ("check -q v.pml", 1),
        ("check -q v.pml --format json", 1),
        ("check -q h.pml", 0),
        ("check -q e.pml --no-reduction --max-states 1000", 3),
        ("ltl -q h.pml '[] (x == 0)'", 1),
        ("ltl -q h.pml '<> (x == 1)'", 0),
        ("query -q h.pml --invariant 'x == 0'", 1),
        ("sim v.pml", 1),
    ] {
        folder.run(&format!("$PSW {call} > /dev/full"))?.has(code, lost)?;
        folder.run(&format!("$PSW {call} >&-"))?.has(code, "")?;
        folder.run(&format!("$PSW {call} > /dev/full 2>&1"))?.has(code, "")?;
        folder.run(&format!("$PSW {call} >&- 2>&- <&-"))?.has(code, "")?;
    }
    folder.run("$PSW check -q v.pml --trace-out t > /dev/null")?.has(1, "")?;
    folder.run("$PSW replay v.pml t > /dev/full")?.has(1, lost)?;
    folder.run("$PSW replay v.pml t --msc /dev/full")?.has(1, "cannot write /dev/full")
}

#[test]
fn a_verdict_survives_files_that_cannot_be_written() -> Result<()> {
    let folder = Folder::with(&[("v.pml", VIOLATED), ("h.pml", HOLDS)])?;
    for option in ["--trace-out", "--log"] {
        let told = folder.run(&format!("$PSW check -q v.pml {option} /dev/full --format json"))?;
        told.has(1, "cannot write /dev/full: No space left")?;
        let report: serde_json::Value = serde_json::from_str(&told.out)?;
        ensure!(report["verdict"] == "violated" && report["lost"].as_array().is_some_and(|lost| lost.len() == 1));
    }
    folder.run("$PSW check -q h.pml --log /dev/full")?.has(0, "cannot write /dev/full")?;
    let told = folder.run("$PSW ltl -q h.pml '[] (x == 0)' --trace-out /dev/full --format json")?;
    told.has(1, "cannot write /dev/full")?;
    let report: serde_json::Value = serde_json::from_str(&told.out)?;
    ensure!(report["verdict"] == "violated" && report["lost"].as_array().is_some_and(|lost| lost.len() == 1));
    // What can be written is.
    folder.run("$PSW check -q v.pml --trace-out /dev/full --trail")?.has(1, "cannot write /dev/full")?;
    ensure!(folder.path().join("v.pml.trail").is_file());
    Ok(())
}

#[test]
fn a_place_for_a_file_is_tested_before_the_search() -> Result<()> {
    let folder = Folder::with(&[("e.pml", ENDLESS), ("old", "old")])?;
    std::fs::create_dir(folder.path().join("folder"))?;
    let limits = "--max-time 20s --max-memory 500M";
    for option in ["--trace-out", "--log"] {
        let started = Instant::now();
        folder.run(&format!("$PSW check -q e.pml {limits} {option} none/t"))?.has(2, "cannot write none/t: No such")?;
        folder
            .run(&format!("$PSW check -q e.pml {limits} {option} folder"))?
            .has(2, "cannot write folder: is a dir")?;
        folder.run(&format!("$PSW check -q e.pml {limits} {option} old/t"))?.has(2, "cannot write old/t: Not a dir")?;
        ensure!(started.elapsed() < Duration::from_secs(10));
    }
    folder.run(&format!("$PSW ltl -q e.pml {limits} '[] a == 0' --trace-out none/t"))?.has(2, "cannot write none/t")?;
    folder.run("$PSW dot e.pml -o none/t")?.has(2, "cannot write none/t")
}

#[test]
fn an_old_trace_is_there_until_the_new_one_is_complete() -> Result<()> {
    let late = LATE.replace("20000", "500");
    let folder = Folder::with(&[("v.pml", &late), ("old", "old")])?;
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name));
    // A file may have no more than 512 bytes: the trace is larger.
    let told = folder.run("ulimit -f 1; $PSW check -q v.pml --trace-out old | tail -1")?;
    told.has(0, "cannot write old: File too large")?;
    ensure!(told.out.contains("VIOLATED") && read("old")? == "old", "{told:?}");
    ensure!(std::fs::read_dir(folder.path())?.count() == 2, "nothing else is left");
    folder.run("$PSW check -q v.pml --trace-out old > /dev/null")?.has(1, "")?;
    ensure!(read("old")?.starts_with('{'));
    // Links stay links, and what is no regular file is written to as it is.
    folder.run("ln -s old link; $PSW check -q v.pml --trace-out link > /dev/null")?.has(1, "")?;
    ensure!(std::fs::symlink_metadata(folder.path().join("link"))?.is_symlink());
    folder.run("$PSW check -q v.pml --trace-out /dev/null > /dev/null")?.has(1, "")?;
    let told = folder.run("$PSW check -q v.pml --trace-out /dev/stdout > both; r=$?; cat both; exit $r")?;
    told.has(1, "")?;
    ensure!(told.out.starts_with('{') && told.out.contains("VIOLATED"), "{told:?}");
    let told = folder.run("mkfifo f; cat f & $PSW check -q v.pml --trace-out f > /dev/null; r=$?; wait; exit $r")?;
    told.has(1, "")?;
    ensure!(told.out.starts_with('{') && told.out.ends_with("}\n"), "{} bytes", told.out.len());
    Ok(())
}

#[test]
fn a_lost_log_of_predecessors_costs_the_trace_alone() -> Result<()> {
    let folder = Folder::with(&[("v.pml", LATE)])?;
    for (call, why) in [("TMPDIR=none $PSW", "No such file"), ("ulimit -f 1; $PSW", "File too large")] {
        for search in ["bfs", "sweep"] {
            let told =
                folder.run(&format!("{call} check v.pml --no-reduction --search {search} --trace-out t 2>&1"))?;
            ensure!(told.code == Some(1) && told.out.contains("VIOLATED") && told.out.contains(why), "{told:?}");
        }
    }
    Ok(())
}

#[test]
fn only_regular_files_are_read() -> Result<()> {
    let folder = Folder::with(&[
        ("v.pml", VIOLATED),
        ("zero.pml", "#include \"/dev/zero\"\ninit { skip }\n"),
        ("pipe.pml", "#include \"pipe\"\ninit { skip }\n"),
    ])?;
    folder.run("mkfifo pipe; mkdir folder")?.has(0, "")?;
    for call in ["check zero.pml", "check pipe.pml", "check pipe", "check /dev/zero", "sim pipe", "plot /dev/zero"] {
        folder.run(&format!("$PSW {call}"))?.has(2, "it is not a regular file")?;
    }
    for call in ["replay v.pml pipe", "replay v.pml /dev/zero", "plot pipe"] {
        folder.run(&format!("$PSW {call}"))?.has(2, "it is not a regular file")?;
    }
    for call in ["check folder", "replay v.pml folder", "plot folder"] {
        folder.run(&format!("$PSW {call}"))?.has(2, "s a directory")?;
    }
    // What psw was handed open may be a pipe, but has an end all the same.
    folder.run("cat v.pml | $PSW check -q /dev/stdin")?.has(1, "")?;
    folder.run("$PSW check -q /dev/stdin < /dev/zero")?.has(2, "more than 16 MB")
}

#[test]
fn sizes_are_bounded() -> Result<()> {
    let half = format!("/*{}*/\n", "x".repeat(9 << 20));
    let folder = Folder::with(&[
        ("half.pml", &half),
        ("twice.pml", "#include \"half.pml\"\n#include \"half.pml\"\ninit { skip }\n"),
        ("large.pml", &half.repeat(2)),
        ("bytes", ""),
    ])?;
    folder.run("$PSW check -q twice.pml")?.has(2, "E0019")?;
    folder.run("$PSW check -q large.pml")?.has(2, "E0019")?;
    std::fs::File::create(folder.path().join("bytes"))?.set_len(2 << 30)?;
    folder.run("$PSW plot bytes")?.has(2, "it has more than 16 MB")?;
    folder.run("echo 'init { skip }' > m.pml; $PSW replay m.pml bytes")?.has(2, "it has more than 1024 MB")
}

#[test]
fn no_text_of_a_model_or_a_call_commands_a_terminal() -> Result<()> {
    let model = "#line 1 \"a\x1b[2Jb\"\n\
        active proctype P() { byte x = 1; printf(\"t\tab \x1b[31m\u{9b}1m \u{202e}\r\\n\"); assert(x == 2) }\n";
    let wrong = "init { printf(\"\x1b[31m \u{202e}\"); x = \x1b \u{9b} 1 }\n#error \x1b[2J\n";
    let folder = Folder::with(&[("v.pml", model), ("w.pml", wrong), ("x\x1b[2J.pml", VIOLATED)])?;
    folder.run("$PSW check -q v.pml --trace-out t > /dev/null")?.has(1, "")?;
    let escape = "\x1b[2J";
    for (call, code) in [
        ("check v.pml".to_owned(), 1),
        ("check v.pml --format json".to_owned(), 1),
        ("sim -vvv v.pml".to_owned(), 1),
        ("replay v.pml t --verbose".to_owned(), 1),
        ("replay v.pml t --msc /dev/stdout".to_owned(), 1),
        ("dot v.pml".to_owned(), 0),
        ("dot v.pml --states 100".to_owned(), 0),
        ("check w.pml".to_owned(), 2),
        ("parse w.pml --format json".to_owned(), 2),
        (format!("check 'x{escape}.pml'"), 1),
        (format!("check 'none{escape}'"), 2),
        (format!("check --search '{escape}' v.pml"), 2),
        (format!("ltl v.pml 'a {escape} b'"), 2),
        (format!("ltl --automaton never 'a {escape} b'"), 2),
        (format!("query v.pml --invariant '{escape}'"), 2),
        (format!("explain '{escape}'"), 2),
    ] {
        let told = folder.run(&format!("$PSW {call}"))?;
        told.has(code, "")?;
        let hidden = |c: char| c.is_control() && c != '\n' && c != '\t' || "\u{202e}".contains(c);
        ensure!(!told.out.contains(hidden) && !told.err.contains(hidden), "{told:?}");
    }
    let told = folder.run("$PSW sim v.pml")?;
    ensure!(told.out.starts_with("t\tab \\x1b[31m\\u{9b}1m \\u{202e}\\x0d\n"), "{told:?}");
    // JSON says the same as it always did.
    let report: serde_json::Value = serde_json::from_str(&folder.run("$PSW check -q v.pml --format json")?.out)?;
    let printed = report["trace"]["steps"].to_string();
    ensure!(printed.contains('\u{9b}') && printed.contains('\u{202e}'), "{printed}");
    Ok(())
}

#[test]
fn on_a_terminal_only_colours_of_psw_are_colours() -> Result<()> {
    let model = "active proctype P() { printf(\"\x1b[1;32mholds\x1b[0m\\n\"); assert(false) }\n";
    let folder = Folder::with(&[("v.pml", model)])?;
    if folder.run("command -v script")?.code != Some(0) {
        return Ok(());
    }
    let told = folder.run("unset NO_COLOR; script -qec '$PSW check v.pml' /dev/null")?;
    told.has(1, "")?;
    ensure!(told.out.contains("\x1b[1;31mVIOLATED\x1b[0m"), "{told:?}");
    ensure!(told.out.contains("\\x1b[1;32mholds") && !told.out.contains("\x1b[1;32mholds"), "{told:?}");
    Ok(())
}

#[test]
fn signals_that_end_a_run_leave_its_numbers() -> Result<()> {
    let folder = Folder::with(&[("e.pml", ENDLESS)])?;
    for signal in ["INT", "TERM", "HUP"] {
        let child = folder.start("exec $PSW check e.pml --no-reduction --max-memory 2G --max-time 60s")?;
        std::thread::sleep(Duration::from_millis(700));
        let sent = Command::new("kill").arg(format!("-{signal}")).arg(child.id().to_string()).status()?;
        ensure!(sent.success());
        let told = Told::of(signal, &child.wait_with_output()?);
        told.has(3, "")?;
        ensure!(told.out.contains("STOPPED") && told.out.contains("states"), "{told:?}");
    }
    Ok(())
}

#[test]
fn a_panic_is_told_and_is_no_verdict() -> Result<()> {
    let folder = Folder::with(&[("v.pml", VIOLATED), ("h.pml", HOLDS)])?;
    for (phase, doing) in [
        ("Load", "reading the model"),
        ("Work", "running the command"),
        ("Report", "writing the report"),
        ("Thread", "running the command"),
    ] {
        for model in ["v.pml", "h.pml"] {
            let told = folder.run(&format!("PSW_TEST_PANIC={phase} $PSW check -q {model} --trace-out /dev/null"))?;
            told.has(101, &format!("psw: internal error while {doing}: a panic"))?;
            told.has(101, &format!("psw check -q {model}"))?;
            told.has(101, "Please report it")?;
            ensure!(told.out.is_empty(), "{told:?}");
        }
    }
    Ok(())
}

#[test]
fn deep_input_is_refused_or_read_but_overflows_no_stack() -> Result<()> {
    let folder = Folder::with(&[("p.pml", "bool p; init { p = 1 }\n")])?;
    let nested =
        |open: &str, middle: &str, close: &str| [&open.repeat(100_000), middle, &close.repeat(100_000)].concat();
    let models = [
        format!("int x; init {{ x = {} }}", nested("(", "1", ")")),
        format!("int x; init {{ x = {} }}", nested("!", "1", "")),
        format!("int x; init {{ {} }}", nested("{ ", "skip", " }")),
        format!("int x; init {{ {} }}", nested("if :: ", "skip", " fi")),
        format!("int x; init {{ {} }}", nested("skip unless ", "skip", "")),
        format!("byte a[2]; init {{ {} = 1 }}", nested("a[", "0", "]")),
        format!("#if {}\n#endif\ninit {{ skip }}", nested("(", "1", ")")),
        format!("#if {}\n#endif\ninit {{ skip }}", nested("!", "1", "")),
        nested("#if 1\n", "init { skip }\n", "#endif\n"),
        format!("bool p; init {{ skip }} ltl f {{ {} }}", nested("(", "p", ")")),
        format!("bool p; init {{ skip }} ltl f {{ {} }}", nested("<> ", "p", "")),
    ];
    for model in &models {
        std::fs::write(folder.path().join("m.pml"), model)?;
        let told = folder.run("$PSW check -q m.pml 2>&1 | cut -c1-200; $PSW check -q m.pml > /dev/null 2>&1")?;
        ensure!(matches!(told.code, Some(0 | 2)), "{}: {told:?}", &model[..40]);
    }
    // One argument has at most 128 kB.
    for formula in [["(".repeat(50_000), "p".to_owned(), ")".repeat(50_000)].concat(), "!".repeat(100_000) + "p"] {
        for args in [["ltl", "--automaton=hoa"].as_slice(), ["ltl", "-q", "p.pml"].as_slice()] {
            let ran =
                Command::new(env!("CARGO_BIN_EXE_psw")).args(args).arg(&formula).current_dir(folder.path()).output()?;
            ensure!(matches!(ran.status.code(), Some(0..=2)), "{args:?}: {:?}", ran.status);
        }
    }
    Ok(())
}

#[test]
fn strange_bytes_are_told_or_read() -> Result<()> {
    let folder = Folder::with(&[])?;
    for (bytes, code) in [
        (b"init {\0 skip }".as_slice(), 0),
        (b"init { skip /* \xff\xfe */ }", 0),
        (b"init { x\xff = 1 }", 2),
        (b"\xff\xfe\0\0", 2),
        (b"", 2),
    ] {
        std::fs::write(folder.path().join("m.pml"), bytes)?;
        folder.run("$PSW check -q m.pml")?.has(code, "")?;
    }
    let line = format!("int x; init {{ {} skip }}", "x = 1; ".repeat(150_000));
    std::fs::write(folder.path().join("m.pml"), line)?;
    folder.run("$PSW parse m.pml")?.has(0, "")
}
