//! Transcripts of traces: the values that decide, what a process waits for, what is folded and what is left out; and the
//! judges of folding and of the values shown.

use serde_json::Value;

use crate::FILTERS;
use crate::call::{Folder, ROOT, psw, transcript};

/// Every kind of value, one for each value of `N`.
const VALUES: &str = "\
#define SIZE 4
mtype = { idle, busy };
byte a[SIZE], i = 7;
int v = 3, expect = 1;
mtype st = busy;
active proctype P() {
  v = v + 1;
#if N == 0
  assert(v == expect)
#elif N == 1
  assert(st == idle || v == 2 && i > 7)
#elif N == 2
  a[i] = 1
#elif N == 3
  a[i] == 1
#elif N == 4
  v = expect / (v - 4)
#elif N == 5
  assert(!(v > 2 || st == idle))
#elif N == 6
  d_step { v = 9; assert(v < i) }
#elif N == 7
  assert(SIZE > 4)
#elif N == 8
  assert(v == SIZE && a[1])
#endif
}
";

/// Every reason to wait.
const WAITS: &str = "\
mtype = { req, ack };
chan c2s = [1] of { mtype, byte };
chan r = [0] of { byte };
byte x = 2;
bool serverUp;
active proctype Client() {
  c2s!req,1;
  c2s!req,2
}
active proctype Server() {
  do
  :: serverUp -> c2s?req,_
  :: x > 3 && serverUp -> skip
  :: c2s?ack,_
  :: c2s??ack,_
  od
}
active proctype Receiver() { byte y; r?y }
active proctype Choice() {
  { if :: d_step { x == 9 -> x = 1 } :: x == 8 fi } unless { serverUp }
}
active proctype Provided() provided (x == 7) { x = 4 }
active proctype Fine() { end: c2s?ack,_ }
";

/// A loop, an atomic sequence, a printf and macros.
const FOLDS: &str = "\
#define SIZE 3
#define WANTED (n == 3)
byte n, a[SIZE];
chan c = [2] of { byte };
active proctype P() {
  byte i;
  for (i : 0 .. SIZE - 1) {
    a[i] = i % SIZE;
    n = n + a[i]
  }
  printf(\"n is %d\\n\", n);
  atomic { n++; n++; n++; n = n - 3; a[0] = n; n = SIZE; c!n }
  assert(!WANTED)
}
active proctype Q() { byte k; c?k }
";

macro_rules! approve {
    ($name:expr, $text:expr) => {
        insta::with_settings!({ filters => FILTERS.to_vec(), omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

#[test]
fn values_decide() {
    let values: Vec<String> =
        (0..9).map(|n| transcript(VALUES, &["check", "-q", "-D", &format!("N={n}"), "m.pml"])).collect();
    approve!("values", values.concat());
    approve!("values_index", transcript(VALUES, &["check", "-D", "N=2", "m.pml"]));
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    approve!("waits", transcript(WAITS, &["check", "m.pml"]));
    approve!("waits_sim", transcript(WAITS, &["sim", "--seed", "1", "m.pml"]));
}

#[test]
fn traces_are_folded_and_filtered() {
    approve!("folds", transcript(FOLDS, &["check", "m.pml"]));
    approve!("folds_full", transcript(FOLDS, &["check", "--full-trace", "m.pml"]));
    approve!("folds_verbose", transcript(FOLDS, &["check", "-v", "m.pml"]));
    approve!("folds_only", transcript(FOLDS, &["check", "--only", "a,c", "m.pml"]));
    approve!("folds_process", transcript(FOLDS, &["check", "--process", "Q", "m.pml"]));
    approve!("folds_steps", transcript(FOLDS, &["check", "--steps", "4..6", "m.pml"]));
    let wrong = [["--only", "z"], ["--process", "R"], ["--process", "P(x)"], ["--steps", "6..4"]];
    let told: Vec<String> =
        wrong.iter().map(|[option, value]| transcript(FOLDS, &["check", option, value, "m.pml"])).collect();
    approve!("folds_wrong", told.concat());
    approve!("sim_only", transcript(FOLDS, &["sim", "--seed", "1", "-vv", "--only", "a", "m.pml"]));
}

/// Several properties: a line each, first and last. A lasso is as short as it can be, and the conjunct that fails is named.
#[test]
fn verdicts_come_first_and_last() {
    let model = "\
byte x;
bool up, ok = true;
active proctype P() { do :: x = 0; up = true :: up -> up = false; x = 1; x = 2 od }
ltl low { [] (ok && x < 2) }
ltl again { []<> (x == 2) }
ltl small { [] (x < 3) }
";
    approve!("verdicts", transcript(model, &["check", "m.pml"]));
    approve!("verdicts_quiet", transcript(model, &["check", "-q", "m.pml"]));
    approve!("verdicts_ltl", transcript(model, &["ltl", "m.pml", "[]<>(x == 2 && up)"]));
    approve!("verdicts_ltl_quiet", transcript(model, &["ltl", "-q", "m.pml"]));
}

#[test]
fn a_model_comes_from_standard_input() -> anyhow::Result<()> {
    let folder = Folder::with("")?;
    let told = folder.transcript(&["check", "-"], "byte x; active proctype P() { assert(x == 1) }\n");
    approve!("standard_input", told);
    Ok(())
}

/// What is wrong with a model or a call is JSON too, as the schema says.
#[test]
fn errors_are_json() -> anyhow::Result<()> {
    let folder = Folder::with("active proctype P() { if :: x = 1 }\n")?;
    std::fs::write(folder.path().join("good.pml"), "byte x; active proctype P() { x = 1 }\n")?;
    let calls: [&[&str]; 9] = [
        &["check", "--format", "json", "m.pml"],
        &["ltl", "--format", "json", "m.pml"],
        &["query", "--format", "json", "--bounds-all", "m.pml"],
        &["reduce", "--format", "json", "m.pml"],
        &["check", "--format", "json", "nowhere.pml"],
        &["check", "--format=json", "--no-such-option", "m.pml"],
        &["check", "--format", "json", "--only", "z", "good.pml"],
        &["ltl", "--format", "json", "good.pml", "[] ("],
        &["query", "--format", "json", "--bounds", "y", "good.pml"],
    ];
    for call in calls {
        let out = psw(folder.path()).args(call).output()?;
        assert_eq!(out.status.code(), Some(2), "{call:?}");
        let report: Value = serde_json::from_slice(&out.stdout)?;
        assert_eq!((&report["version"], &report["verdict"]), (&1.into(), &"error".into()), "{call:?}");
        let says = report["error"].is_string() || report["diagnostics"].as_array().is_some_and(|all| !all.is_empty());
        assert!(says, "{call:?}: {report}");
        for finding in report["diagnostics"].as_array().into_iter().flatten() {
            for field in ["code", "severity", "message", "label", "file"] {
                assert!(finding[field].is_string(), "{call:?}: {finding}");
            }
            assert!(finding["notes"].is_array() && finding["related"].is_array(), "{call:?}: {finding}");
        }
    }
    for name in ["m.pml", "nowhere.pml"] {
        let out = psw(folder.path()).args(["parse", "--format", "json", name]).output()?;
        let list: Value = serde_json::from_slice(&out.stdout)?;
        assert!(out.status.code() == Some(2) && list.as_array().is_some_and(|list| !list.is_empty()), "{name}: {list}");
    }
    Ok(())
}

/// The models of the corpus and the examples that violate something in few states.
fn violated() -> anyhow::Result<Vec<(String, Value)>> {
    let mut found = Vec::new();
    for folder in ["tests/models", "examples"] {
        for entry in std::fs::read_dir(format!("{ROOT}/{folder}"))? {
            let path = entry?.path().display().to_string();
            let args = ["check", "--safety", "--quiet", "--format", "json", "--max-states", "20000", &path];
            let out = psw(ROOT.as_ref()).args(args).output()?;
            if out.status.code() == Some(1) {
                found.push((path, serde_json::from_slice(&out.stdout)?));
            }
        }
    }
    Ok(found)
}

/// Folding loses no move: those that the rows of a text stand for are as many as those of the JSON report.
#[test]
fn folding_loses_nothing() -> anyhow::Result<()> {
    let mut folded = 0;
    for (path, report) in violated()? {
        let moves = report["trace"]["steps"].as_array().map_or(0, Vec::len);
        let steps = report["trace"]["length"].as_u64().unwrap_or(0);
        if moves == 0 || steps > 200 {
            continue;
        }
        let args = ["check", "--safety", "--max-states", "20000", &path];
        let out = psw(ROOT.as_ref()).args(args).output()?;
        let text = String::from_utf8_lossy(&out.stdout).into_owned();
        let trace = text.split("\ntrace, ").nth(1).and_then(|rest| rest.split_once(":\n"));
        let rows = trace.map_or("", |(_, rows)| rows.split("at the end:").next().unwrap_or(""));
        let is_row =
            |line: &&str| !line.trim_start().starts_with("prints:") && !line.trim_start().starts_with("│   prints:");
        let count = |line: &str| {
            let moves = line.split("  … ").nth(1).and_then(|rest| {
                let words: Vec<&str> = rest.split([' ', ',']).collect();
                let at = words.iter().position(|word| *word == "moves")?;
                words[at - 1].parse::<usize>().ok()
            });
            folded_or_one(moves)
        };
        let shown: usize = rows.lines().filter(|line| !line.is_empty()).filter(is_row).map(count).sum();
        assert_eq!(shown, moves, "{path}:\n{rows}");
        folded += usize::from(rows.contains(" moves"));
    }
    assert!(folded > 0, "nothing is folded anywhere");
    Ok(())
}

fn folded_or_one(moves: Option<usize>) -> usize {
    moves.unwrap_or(1)
}

/// The values in the message of a failed assertion make it false, and they are those of the model as it is written.
#[test]
fn values_that_are_shown_make_the_assertion_fail() -> anyhow::Result<()> {
    let mut judged = 0;
    for (path, report) in violated()? {
        let violation = &report["violation"];
        let (Some("assertion"), Some(values)) = (violation["kind"].as_str(), violation["values"].as_str()) else {
            continue;
        };
        if let Some(value) = (Evaluator { words: words(values) }).whole() {
            assert_eq!(value, 0, "{path}: {values}");
            judged += 1;
        }
        let call = |more: &[&str]| -> anyhow::Result<Value> {
            let args = ["check", "--safety", "--quiet", "--shortest", "--format", "json", "--max-states", "20000"];
            let out = psw(ROOT.as_ref()).args(args).args(more).arg(&path).output()?;
            Ok(serde_json::from_slice(&out.stdout)?)
        };
        let (analysed, plain) = (call(&[])?, call(&["--plain"])?);
        let (analysed, plain) = (&analysed["violation"], &plain["violation"]);
        for field in ["kind", "message", "values", "line", "pid"] {
            assert_eq!(analysed[field], plain[field], "{path}: {field}");
        }
        // What is known before the run, as a pid may be, is a number and no operand.
        let operands = |violation: &Value| violation["operands"].as_array().cloned().unwrap_or_default();
        let known = operands(plain);
        assert!(operands(analysed).iter().all(|operand| known.contains(operand)), "{path}: {analysed} {plain}");
    }
    assert!(judged > 10, "only {judged} assertions have values that can be judged");
    Ok(())
}

/// The words of an expression over numbers.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        let goes_on = c.is_ascii_digit() && (last.is_ascii_digit() || last == '-')
            || matches!((last, c), ('=', '=') | ('!', '=') | ('<', '=') | ('>', '=') | ('&', '&') | ('|', '|'));
        match words.last_mut() {
            Some(word) if goes_on => word.push(c),
            _ => words.push(c.to_string()),
        }
        last = c;
    }
    words
}

/// Evaluates comparisons of numbers, joined with `&&`, `||`, `!` and parentheses; nothing else has a value.
struct Evaluator {
    words: Vec<String>,
}

impl Evaluator {
    fn whole(mut self) -> Option<i64> {
        self.words.reverse();
        let value = self.either()?;
        self.words.is_empty().then_some(value)
    }

    fn take(&mut self, word: &str) -> bool {
        let is_it = self.words.last().is_some_and(|next| next == word);
        if is_it {
            self.words.pop();
        }
        is_it
    }

    fn either(&mut self) -> Option<i64> {
        let mut value = self.both()?;
        while self.take("||") {
            let right = self.both()?;
            value = i64::from(value != 0 || right != 0);
        }
        Some(value)
    }

    fn both(&mut self) -> Option<i64> {
        let mut value = self.comparison()?;
        while self.take("&&") {
            // What is not shown was not evaluated.
            let right = if self.take("…") { 0 } else { self.comparison()? };
            value = i64::from(value != 0 && right != 0);
        }
        Some(value)
    }

    fn comparison(&mut self) -> Option<i64> {
        let left = self.operand()?;
        let Some(sign) =
            self.words.last().filter(|word| "== != < <= > >=".split(' ').any(|sign| sign == *word)).cloned()
        else {
            return Some(left);
        };
        self.words.pop();
        let right = self.operand()?;
        Some(i64::from(match &*sign {
            "==" => left == right,
            "!=" => left != right,
            "<" => left < right,
            "<=" => left <= right,
            ">" => left > right,
            _ => left >= right,
        }))
    }

    fn operand(&mut self) -> Option<i64> {
        if self.take("!") {
            return self.operand().map(|value| i64::from(value == 0));
        }
        if self.take("(") {
            let value = self.either()?;
            return self.take(")").then_some(value);
        }
        self.words.pop()?.parse().ok()
    }
}

#[test]
fn the_judge_of_values_can_count() {
    let value = |text: &str| Evaluator { words: words(text) }.whole();
    assert_eq!(value("4 == 1"), Some(0));
    assert_eq!(value("!(4 > 2 || 1 == 1)"), Some(0));
    assert_eq!(value("-4 < 1 && (0 || 2 >= 2)"), Some(1));
    assert_eq!(value("0 == 1 && …"), Some(0));
    assert_eq!(value("busy == idle"), None);
}
