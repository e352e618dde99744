//! Transcripts of the command: what is typed, what psw answers, and its exit code, in one situation each.
//!
//! Colours are off, since psw writes to a pipe here; times and memory are replaced by a word. `cargo insta review`
//! shows what a change does to them.

mod call;
mod traces;

use std::collections::HashSet;
use std::process::{Command, Stdio};

use call::{Folder, ROOT, psw, transcript};

/// Compares a transcript with the one that was approved.
macro_rules! approve {
    ($name:expr, $text:expr) => {
        insta::with_settings!({ filters => FILTERS.to_vec(), omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        });
    };
}

/// What differs from run to run.
const FILTERS: &[(&str, &str)] = &[
    (r"\d+\.\d\d s(, \d+ states/s)?", "[time]"),
    (r"[\d.]+ (bytes|kB|MB|GB) at peak", "[memory] at peak"),
    (r#""seconds": [\d.e-]+"#, r#""seconds": "[time]""#),
    (r#""peak_bytes": \d+"#, r#""peak_bytes": "[memory]""#),
];

/// A protocol of two that holds.
const HOLDS: &str = "\
chan c = [1] of { byte };
active proctype Sender() { c!1; c!2 }
active proctype Receiver() { byte x; c?x; assert(x == 1); c?x; assert(x == 2) }
";

/// Processes that come and go, so that only the first is measured; a step that is blue, and one that goes back.
const CREATES: &str = "\
byte x;
proctype Child() { d_step { x > 0; x-- } }
active proctype Parent() {
  do
  :: x < 2 -> x++; run Child()
  :: d_step { x == 2 -> x = 0 }
  :: break
  od
}
";

/// Everything that processes can have in common: a variable, one element each of an array, a channel with two receivers, a
/// rendezvous, processes that come and go, a timeout. `got` is dead while nothing was received.
const SHARES: &str = "\
byte turn, seen;
bool wants[2];
chan work = [2] of { byte };
chan done = [0] of { byte };
active [2] proctype Worker() {
  byte got, own;
  do
  :: work?got ->
    own = got + 1;
    wants[_pid] = true;
    turn = own;
    seen = turn;
    assert(seen > 0);
    wants[_pid] = false;
    done!own
  :: timeout -> break
  od
}
active proctype Boss() {
  work!1;
  work!2;
  done?_;
  done?_;
  run Child(3)
}
proctype Child(byte p) { turn = p; _nr_pr > 1 }
";

/// Its statements are not all executed.
const UNREACHED: &str = "\
byte x;
active proctype Loop() {
  do
  :: x < 2 -> x++; x--
  :: x == 5 -> break
  od;
  assert(false)
}
proctype Idle() { x = 1; x = 2 }
";

/// Unreached in every construct: one use of an inline but not the other, one option in a d_step, one turn of a loop
/// but never a jump, an escape, what is behind a jump, and a statement at which a process waits forever.
const UNREACHED_EVERYWHERE: &str = "\
byte x, y;
inline set(v) {
  x = v
}
active proctype P() {
  set(1);
  if
  :: x == 2 -> set(3)
  :: else
  fi;
  d_step {
    y = 1;
    if
    :: y == 1 -> y = 2
    :: else -> y = 3
    fi
  }
  for (x : 1 .. 2) {
    if
    :: x > 2 -> break
    :: x == 5 -> y = 9
    :: else
    fi
  }
  { y = 4 } unless { y == 7; y = 8 };
  goto done;
  y = 5;
done:
  skip;
end:
  x == 77;
  y = 6
}
";

/// Wrong in three ways.
const WRONG: &str = "\
byte x;
active proctype A() { assert(x == 0) }
active proctype B() { x = 1; x > 1 }
";

/// Never comes to an end.
const ENDLESS: &str = "\
int n;
active proctype Count() { do :: n++ od }
";

/// Has an `ltl` block, which `check` has to say something about.
const WITH_LTL: &str = "\
bool done;
active proctype P() { done = true }
ltl finishes { <> done }
";

#[test]
fn check_that_holds() {
    approve!("holds", transcript(HOLDS, &["check", "m.pml"]));
    approve!("holds_depth_first", transcript(HOLDS, &["check", "-v", "--search", "dfs", "m.pml"]));
    approve!("holds_swept", transcript(HOLDS, &["check", "-v", "--search", "column", "m.pml"]));
    approve!("holds_quiet", transcript(HOLDS, &["check", "--quiet", "m.pml"]));
    approve!("holds_json", transcript(HOLDS, &["check", "--format", "json", "m.pml"]));
}

/// Steps that concern nobody else, and two processes that never meet.
const APART: &str = "\
byte a, b;
active proctype A() { byte i; do :: i < 3 -> i++; a = i :: else -> break od; assert(a == 3) }
active proctype B() { byte i; do :: i < 3 -> i++; b = i :: else -> break od; assert(b == 3) }
";

#[test]
fn what_a_search_leaves_out() {
    approve!("reduction_full", transcript(APART, &["check", "-v", "m.pml"]));
    approve!("reduction_static", transcript(APART, &["check", "-v", "--reduce", "static", "m.pml"]));
    approve!("reduction_none", transcript(APART, &["check", "-v", "--no-reduction", "m.pml"]));
    approve!("reduction_shortest", transcript(APART, &["check", "-v", "--shortest", "m.pml"]));
    approve!("reduction_depth", transcript(APART, &["check", "-v", "--max-depth", "100", "m.pml"]));
    approve!("reduction_ltl", transcript(APART, &["ltl", "-v", "m.pml", "<>(a == 3)"]));
    approve!("reduction_ltl_next", transcript(APART, &["ltl", "-v", "m.pml", "X (a == 0)"]));
    approve!("reduction_query", transcript(APART, &["query", "-v", "--reachable", "a == 2", "--dead-states", "m.pml"]));
    let both = ["--reduce", "full", "--no-reduction"];
    approve!("reduction_twice", transcript(APART, &[&["check"], &both[..], &["m.pml"]].concat()));
}

/// A measure of the user reads what nothing else does: it keeps its values.
#[test]
fn a_measure_of_ones_own_is_kept() {
    let model = "\
byte x;
int turns;
active [2] proctype P() { do :: x < 50 -> x++; turns++ :: else -> break od }
";
    let text = transcript(model, &["check", "--search", "sweep", "--progress", "turns", "--format", "json", "m.pml"]);
    let layers =
        text.lines().find_map(|line| line.trim().strip_prefix("\"layers\": ")?.strip_suffix(',')?.parse().ok());
    assert!(layers > Some(20), "{layers:?} layers\n{text}");
}

#[test]
fn check_that_leaves_code_unreached() {
    approve!("unreached", transcript(UNREACHED, &["check", "m.pml"]));
    approve!("unreached_all", transcript(UNREACHED, &["check", "-v", "m.pml"]));
    approve!("unreached_everywhere", transcript(UNREACHED_EVERYWHERE, &["check", "m.pml"]));
    let many: String = (0..30).map(|line| format!("  n = {line};\n")).collect();
    let many = format!("byte n;\nactive proctype P() {{\n  goto out;\n{many}out: skip }}\n");
    approve!("unreached_many", transcript(&many, &["check", "m.pml"]));
}

#[test]
fn check_that_is_violated() {
    approve!("violated", transcript(WRONG, &["check", "m.pml"]));
    approve!("violated_all_errors", transcript(WRONG, &["check", "--all-errors", "m.pml"]));
    approve!("violated_verbose", transcript(WRONG, &["check", "-v", "m.pml"]));
    approve!("violated_json", transcript(WRONG, &["check", "--format", "json", "m.pml"]));
    approve!("no_assertions", transcript(WRONG, &["check", "--no-assertions", "m.pml"]));
    approve!("no_end_states", transcript(WRONG, &["check", "--no-assertions", "--no-end-states", "m.pml"]));
}

/// One model for each kind of violation.
const VIOLATIONS: &[(&str, &str)] = &[
    ("assertion", "byte x = 3;\nactive proctype P() { x++; assert(x < 4) }\n"),
    ("invalid_end_state", "chan c = [0] of { bit };\nactive proctype P() { c!1 }\n"),
    ("array_index", "byte a[2]; byte i = 2;\nactive proctype P() { a[i] = 1 }\n"),
    ("division_by_zero", "int x, y;\nactive proctype P() { x = 1 / y }\n"),
    ("shift", "int x, y = 32;\nactive proctype P() { x = 1 << y }\n"),
    ("uninitialised_channel", "active proctype P() { chan c; byte x; c?x }\n"),
    (
        "bad_channel",
        "chan kept = [1] of { chan };\nproctype Q() { chan own = [1] of { byte }; kept!own }\n\
         active proctype P() { chan c; run Q(); kept?c; _nr_pr == 1; c!1 }\n",
    ),
    (
        "message_arity",
        "chan c = [1] of { byte, byte };\nchan d = [1] of { byte };\nactive proctype P() { c = d; c!1,2 }\n",
    ),
    ("poll_rendezvous", "chan c = [0] of { byte };\nactive proctype P() { c?[1] }\n"),
    ("block_in_d_step", "bit b;\nactive proctype P() { d_step { skip; b == 1 } }\n"),
    (
        "rendezvous_in_d_step",
        "chan c = [0] of { bit };\nactive proctype P() { d_step { skip; c!1 } }\nactive proctype Q() { c?_ }\n",
    ),
    ("endless_d_step", "byte x;\nactive proctype P() { d_step { do :: x = 1 - x od } }\n"),
    ("endless_atomic", "byte x;\nactive proctype P() { atomic { do :: x = 1 - x od } }\n"),
    ("too_many_processes", "proctype Q() { false }\nactive proctype P() { do :: run Q() od }\n"),
    (
        "too_many_channels",
        "proctype Q() { chan a = [1] of { bit }; chan b = [1] of { bit }; false }\n\
         active proctype P() { do :: run Q() od }\n",
    ),
    ("priority_range", "int n = 300;\nactive proctype P() { set_priority(_pid, n) }\n"),
    ("xr", "chan c = [1] of { bit };\nactive proctype P() { xr c; c!1 }\nactive proctype Q() { c?_ }\n"),
    ("xs", "chan c = [1] of { bit };\nactive proctype P() { xs c; c?_ }\nactive proctype Q() { c!1 }\n"),
    ("trace", "chan c = [1] of { bit };\ntrace { do :: c!1; c?1 od }\nactive proctype P() { c!0 }\n"),
    ("nondeterminism", "byte x;\nactive D_proctype P() { if :: x = 1 :: x = 2 fi }\n"),
];

#[test]
fn every_kind_of_violation() {
    for (kind, model) in VIOLATIONS {
        let text = transcript(model, &["check", "m.pml"]);
        assert!(text.contains("exit code 1"), "{kind}:\n{text}");
        approve!(format!("violation_{kind}"), without_middle(&text));
        let json = transcript(model, &["check", "--format", "json", "m.pml"]);
        assert!(json.contains(&format!("\"kind\": \"{kind}\"")), "{kind}:\n{json}");
    }
}

/// A long transcript, but only its ends.
fn without_middle(text: &str) -> String {
    const ENDS: usize = 16;
    let lines: Vec<&str> = text.lines().collect();
    match lines.len() > 4 * ENDS {
        true => [&lines[..ENDS], &["[…]"], &lines[lines.len() - ENDS..]].concat().join("\n"),
        false => text.to_owned(),
    }
}

/// Differences from SPIN: a model that meets each, and the nearest that does not.
const DIFFERENCES: &[(&str, &str, &str)] = &[
    ("D02", "bit b; active proctype P() { b = 1 }\nltl p { <> b }", "bit b; active proctype P() { b = 1 }"),
    (
        "D05",
        "bit b; active proctype P() { _nr_pr == 1; b = 1 }\nltl p { <> b }",
        "bit b; active proctype P() { _nr_pr == 1; b = 1 }",
    ),
    ("D09", "active proctype P() { do :: skip od }", "bit b; active proctype P() { do :: b = 1 - b od }"),
    (
        "D17",
        "bit b; active proctype P() { if :: if :: b :: else fi :: else fi }",
        "bit b; active proctype P() { if :: b :: else -> if :: b :: else fi fi }",
    ),
    ("D18", "bit b[2]; byte x; active proctype P() { b[0] = x }", "bit b[2], x; active proctype P() { b[0] = x }"),
    (
        "D19",
        "mtype:role = { lead }; active proctype P() { mtype:role role; role = lead }",
        "mtype:role = { lead }; active proctype P() { mtype:role my_role; my_role = lead }",
    ),
    (
        "D20",
        "byte a[4], j; active proctype P() { a[a[j] % 4] = 3 }",
        "byte a[4], b[4], j; active proctype P() { a[b[j] % 4] = 3 }",
    ),
    (
        "D20",
        "chan c = [1] of { byte, byte }; byte i, a[4]; active proctype P() { c!1,2; c?i,a[i] }",
        "chan c = [1] of { byte, byte }; byte i, a[4]; active proctype P() { c!1,2; d_step { c?i,a[i] } }",
    ),
    (
        "D20",
        "chan c = [1] of { byte, byte }; byte i; active proctype P() { c!0,2; c?eval(i),i }",
        "chan c = [1] of { byte, byte }; byte i, j; active proctype P() { c!0,2; c?eval(j),i }",
    ),
];

#[test]
fn every_difference_is_announced() {
    let announces = |model: &str, id: &str| {
        let text = transcript(model, &["check", "m.pml"]);
        let json = transcript(model, &["check", "--format", "json", "m.pml"]);
        let said = text.contains(&format!("note[{id}]: difference from SPIN"));
        assert_eq!(said, json.contains(&format!("\"{id}\"")), "{text}{json}");
        said
    };
    for (id, meets, does_not) in DIFFERENCES {
        assert!(announces(meets, id), "{id} is not announced:\n{meets}");
        assert!(!announces(does_not, id), "{id} is announced:\n{does_not}");
    }
}

#[test]
fn every_kind_of_limit() {
    approve!("limit_states", transcript(ENDLESS, &["check", "--no-reduction", "--max-states", "1000", "m.pml"]));
    approve!(
        "limit_memory",
        without_numbers(&transcript(
            ENDLESS,
            &["check", "--no-reduction", "--search", "bfs", "--max-memory", "1M", "m.pml"]
        ))
    );
    approve!("limit_depth", transcript(ENDLESS, &["check", "--no-reduction", "--max-depth", "50", "m.pml"]));
    approve!(
        "limit_json",
        transcript(ENDLESS, &["check", "--no-reduction", "--max-states", "1000", "--format", "json", "m.pml"])
    );
    approve!(
        "limit_time",
        without_numbers(&transcript(ENDLESS, &["check", "--no-reduction", "--max-time", "1s", "m.pml"]))
    );
}

/// How far a run gets in a given time, or in a given memory, is a matter of luck. The call and the exit code are not.
fn without_numbers(text: &str) -> String {
    let is_kept = |line: &str| line.starts_with("$ psw") || line.starts_with("---");
    let lines = text.lines().map(|line| if is_kept(line) { line.to_owned() } else { numberless(line) });
    lines.collect::<Vec<_>>().join("\n")
}

fn numberless(line: &str) -> String {
    let mut words = String::new();
    let mut in_number = false;
    for letter in line.chars() {
        let digit = letter.is_ascii_digit();
        match (digit, in_number) {
            (true, false) => words.push('#'),
            (true, true) => {}
            (false, _) => words.push(letter),
        }
        in_number = digit;
    }
    // A sign, a fraction, a unit and the rate of a longer run come and go with the numbers.
    words
        .replace(", # states/s", "")
        .replace("-#", "#")
        .replace("#.#", "#")
        .replace("# MB", "#")
        .replace("# kB", "#")
        .replace("# GB", "#")
}

#[test]
fn properties_that_the_model_states() {
    approve!("properties", transcript(WITH_LTL, &["check", "m.pml"]));
    approve!("properties_json", transcript(WITH_LTL, &["check", "--format", "json", "m.pml"]));
    approve!("properties_violated", transcript(SPINNING, &["check", "m.pml"]));
    approve!(
        "properties_not_reached",
        transcript(WITH_LTL, &["check", "--no-reduction", "--max-states", "2", "m.pml"])
    );
    approve!("safety_only", transcript(WITH_LTL, &["check", "--safety", "m.pml"]));
}

/// An assertion and two invariants of four are violated, each in a state of its own; one has no value in the end.
const SEVERAL: &str = "\
byte x
active proctype P() {
    do
    :: x < 6 -> x++; assert(x != 2)
    :: x == 6 -> break
    od
}
ltl below { [] (x < 9) }
ltl never_four { !<>(x == 4) }
ltl always_small { always (x < 3) && [] (x < 5) }
ltl divides { [] (60 / (6 - x) > 9) }
ltl ends { <>(x == 6) }
";

#[test]
fn one_search_answers_all_invariants() {
    approve!("several", transcript(SEVERAL, &["check", "m.pml"]));
    approve!("several_json", transcript(SEVERAL, &["check", "--search", "bfs", "--format", "json", "m.pml"]));
    approve!("several_all_errors", transcript(SEVERAL, &["check", "--all-errors", "--no-reduction", "m.pml"]));
    approve!("several_ltl", transcript(SEVERAL, &["ltl", "m.pml"]));
    approve!("several_stopped", transcript(SEVERAL, &["check", "--no-reduction", "--max-states", "8", "m.pml"]));
}

#[test]
fn properties_are_selected_by_name() {
    let check = |names: &[&str]| {
        let named = names.iter().flat_map(|name| ["--property", name]);
        transcript(SEVERAL, &["check", "--quiet"].into_iter().chain(named).chain(["m.pml"]).collect::<Vec<_>>())
    };
    approve!("property_one", check(&["below"]));
    approve!("property_whole_name", check(&["ltl ends", "errors"]));
    approve!("property_assertions", check(&["assertions", "end-states"]));
    approve!("property_unknown", check(&["below", "nosuch"]));
    approve!("property_of_ltl", transcript(SEVERAL, &["ltl", "--property", "below", "--name", "ends", "m.pml"]));
}

/// A loop that can be stayed in forever, an invariant, and what is never put to the test.
const SPINNING: &str = "\
bool on, done
active proctype Blinker() {
    do
    :: on = !on
    :: on -> break
    od
    done = true
}
ltl ends { <>done }
ltl lit { [](done -> on) }
ltl odd { []((done && !on) -> <>on) }
";

#[test]
fn temporal_properties() {
    approve!("ltl_all", transcript(SPINNING, &["ltl", "m.pml"]));
    approve!("ltl_one", transcript(SPINNING, &["ltl", "--name", "lit", "m.pml"]));
    approve!("ltl_given", transcript(SPINNING, &["ltl", "m.pml", "[] (done -> on)"]));
    approve!("ltl_comparison", transcript(SPINNING, &["ltl", "m.pml", "[] on < 1"]));
    approve!("ltl_fair", transcript(SPINNING, &["ltl", "--fair", "weak", "m.pml", "<>done"]));
    approve!("ltl_fair_choice", transcript(SPINNING, &["ltl", "--fair-choice", "Blinker", "m.pml", "<>done"]));
    approve!("ltl_fair_unknown", transcript(SPINNING, &["ltl", "--fair", "Winker", "m.pml", "<>done"]));
    approve!("ltl_fair_no_channel", transcript(STUCK, &["ltl", "--fair-channel", "lonk", "m.pml"]));
    approve!("ltl_fair_search", transcript(SPINNING, &["ltl", "--fair", "strong", "--search", "ndfs", "m.pml"]));
    approve!("check_fair", transcript(IDLING, &["check", "m.pml"]));
    approve!("check_fair_weak", transcript(IDLING, &["check", "--fair", "weak", "m.pml"]));
    approve!("check_fair_json", transcript(IDLING, &["check", "--format", "json", "m.pml"]));
    approve!("ltl_ndfs", transcript(SPINNING, &["ltl", "--search", "ndfs", "m.pml", "<>done"]));
    approve!("ltl_json", transcript(SPINNING, &["ltl", "--format", "json", "m.pml", "<>done"]));
    approve!("ltl_limit", transcript(SPINNING, &["ltl", "--max-states", "1", "m.pml", "<>done"]));
    approve!("ltl_non_progress", transcript(SPINNING, &["ltl", "--non-progress", "m.pml"]));
}

/// Somebody who works if he is let.
const IDLING: &str = "\
bool on, done
active proctype Blinker() { do :: on = !on od }
active proctype Worker() { done = true }
ltl ends { <>done }
";

/// One message too many, which no formula sees.
const STUCK: &str = "\
chan link = [0] of { byte }
byte got
active proctype Left() { link!1; link!2 }
active proctype Right() { link?got }
ltl small { [] (got < 9) }
";

#[test]
fn a_deadlock_is_not_hidden_by_a_property() -> anyhow::Result<()> {
    let folder = Folder::with(STUCK)?;
    approve!("ltl_stuck", folder.transcript(&["ltl", "--trace-out", "t.json", "m.pml"], ""));
    approve!("ltl_stuck_replayed", folder.transcript(&["replay", "m.pml", "t.json"], ""));
    approve!("ltl_stuck_json", transcript(STUCK, &["ltl", "--format", "json", "m.pml"]));
    approve!("ltl_stuck_allowed", transcript(STUCK, &["ltl", "--no-end-states", "m.pml"]));
    approve!("ltl_stuck_and_violated", transcript(STUCK, &["ltl", "m.pml", "<> (got == 2)"]));
    let stopped = ["ltl", "--no-reduction", "--search", "column", "--max-states", "2", "m.pml"];
    approve!("ltl_stuck_and_stopped", transcript(STUCK, &stopped));
    Ok(())
}

#[test]
fn questions_about_all_states() {
    let all = ["query", "--bounds-all", "--reachable", "done && on", "--dead-states", "--dead-code", "m.pml"];
    approve!("query_answered", transcript(SPINNING, &all));
    approve!("query_invariant", transcript(SPINNING, &["query", "--invariant", "!done", "m.pml"]));
    approve!("query_histogram", transcript(SPINNING, &["query", "--histogram", "on + done", "m.pml"]));
    approve!("query_stopped", transcript(SPINNING, &["query", "--bounds", "on", "--max-states", "2", "m.pml"]));
}

#[test]
fn questions_that_are_wrong() {
    approve!("query_nothing_asked", transcript(SPINNING, &["query", "m.pml"]));
    approve!("query_syntax", transcript(SPINNING, &["query", "--bounds", "on +", "m.pml"]));
    approve!("query_unknown_name", transcript(SPINNING, &["query", "--reachable", "finished", "m.pml"]));
    approve!("query_no_channel", transcript(SPINNING, &["query", "--channel", "on", "m.pml"]));
    approve!("query_negative_limit", transcript(SPINNING, &["query", "--dead-states", "--limit", "-3", "m.pml"]));
    approve!("query_division", transcript(SPINNING, &["query", "--bounds", "1 / on", "m.pml"]));
    approve!("cutoff_alone", transcript(SPINNING, &["check", "--cutoff", "on", "m.pml"]));
}

#[test]
fn formulas_that_are_wrong() {
    approve!("ltl_unknown_name", transcript(SPINNING, &["ltl", "m.pml", "[]<>finished"]));
    approve!("ltl_chain", transcript(SPINNING, &["ltl", "m.pml", "on -> done -> on"]));
    approve!("ltl_until_chain", transcript(SPINNING, &["ltl", "m.pml", "on U done U on"]));
    approve!("ltl_syntax", transcript(SPINNING, &["ltl", "m.pml", "[](on"]));
    approve!("ltl_no_such_property", transcript(SPINNING, &["ltl", "--name", "nosuch", "m.pml"]));
    approve!("ltl_nothing_stated", transcript(HOLDS, &["ltl", "m.pml"]));
}

#[test]
fn a_run_that_goes_round_is_kept_and_confirmed() -> anyhow::Result<()> {
    let folder = Folder::with(SPINNING)?;
    approve!("ltl_kept", folder.transcript(&["ltl", "--quiet", "--trace-out", "t.json", "m.pml", "<>done"], ""));
    approve!("ltl_replayed", folder.transcript(&["replay", "m.pml", "t.json"], ""));
    Ok(())
}

#[test]
fn files_that_cannot_be_checked() -> anyhow::Result<()> {
    approve!("missing_file", transcript(HOLDS, &["check", "nowhere.pml"]));
    approve!("directory", transcript(HOLDS, &["check", "."]));
    approve!("empty_file", transcript("", &["check", "m.pml"]));
    approve!("wrong_model", transcript("active proctype P() { x = 1; y = }\n", &["check", "m.pml"]));
    let folder = Folder::with(HOLDS)?;
    if folder.forbid("m.pml")? {
        approve!("unreadable_file", folder.transcript(&["check", "m.pml"], ""));
    }
    Ok(())
}

#[test]
fn calls_that_are_wrong() {
    approve!("no_command", transcript(HOLDS, &[]));
    approve!("wrong_command", transcript(HOLDS, &["chekc", "m.pml"]));
    approve!("wrong_option", transcript(HOLDS, &["check", "--al-errors", "m.pml"]));
    approve!("wrong_define", transcript(HOLDS, &["check", "-D", "1x=3", "m.pml"]));
    approve!("wrong_size", transcript(HOLDS, &["check", "--max-memory", "4X", "m.pml"]));
}

#[test]
fn warnings_and_quiet() {
    let model = "byte x;\nactive proctype P() { x = 300 }\n";
    approve!("warning", transcript(model, &["check", "m.pml"]));
    approve!("warning_quiet", transcript(model, &["check", "--quiet", "m.pml"]));
}

#[test]
fn parsing() {
    let wrong = "#define PUT(x) c!x\nchan c = [1] of { byte };\nactive proctype P() { PUT(y); break }\n";
    approve!("parse", transcript(HOLDS, &["parse", "m.pml"]));
    approve!("parse_print", transcript(UNREACHED, &["parse", "--print", "m.pml"]));
    approve!("parse_wrong", transcript(wrong, &["parse", "m.pml"]));
    approve!("parse_wrong_json", transcript(wrong, &["parse", "--format", "json", "m.pml"]));
}

#[test]
fn explanations() {
    approve!("explain_code", transcript(HOLDS, &["explain", "D02"]));
    approve!("explain_unknown", transcript(HOLDS, &["explain", "E9999"]));
    let all = transcript(HOLDS, &["explain"]);
    assert!(all.lines().count() > 80 && all.contains("E0602  "), "{all}");
}

#[test]
fn layout_and_drawings() {
    approve!("layout", transcript(HOLDS, &["layout", "m.pml"]));
    approve!("dot", transcript(UNREACHED, &["dot", "m.pml"]));
    approve!("dot_states", transcript(WRONG, &["dot", "--states", "100", "m.pml"]));
    approve!("dot_too_many_states", transcript(WRONG, &["dot", "--states", "3", "m.pml"]));
}

#[test]
fn progress_is_explained_and_drawn() {
    approve!("progress", transcript(UNREACHED_EVERYWHERE, &["progress", "m.pml"]));
    approve!("progress_control", transcript(CREATES, &["progress", "--control", "m.pml"]));
    approve!("progress_dot", transcript(CREATES, &["progress", "--dot", "m.pml"]));
}

#[test]
fn reduction_is_explained() {
    approve!("reduce", transcript(SHARES, &["reduce", "m.pml"]));
    approve!("reduce_json", transcript(HOLDS, &["reduce", "--format", "json", "m.pml"]));
    approve!("reduce_wrong", transcript("active proctype P() { x = 1 }", &["reduce", "m.pml"]));
}

/// A drawing has balanced braces and quotes, and every step leads between locations that are drawn.
#[test]
fn drawings_of_progress_are_well_formed() -> anyhow::Result<()> {
    for model in std::fs::read_dir(format!("{ROOT}/examples"))? {
        let model = model?.path();
        let out = psw(ROOT.as_ref()).args(["progress", "--dot"]).arg(&model).output()?;
        let text = String::from_utf8(out.stdout)?;
        assert!(out.status.success() && text.starts_with("digraph"), "{}", model.display());
        let (mut depth, mut drawn, mut named) = (0, HashSet::new(), HashSet::new());
        for line in text.lines() {
            let plain = outside_quotes(line).unwrap_or_else(|| panic!("an open quote in {line}"));
            depth += plain.matches('{').count();
            depth = depth.checked_sub(plain.matches('}').count()).unwrap_or_else(|| panic!("a stray brace in {line}"));
            let (statement, attributes) = plain.split_once('[').unwrap_or((&plain, "]"));
            assert!(attributes.ends_with(']'), "{line}");
            match statement.split_once("->") {
                Some((from, to)) => named.extend([from, to].map(|node| node.trim().to_owned())),
                None => drop(drawn.insert(statement.trim().to_owned())),
            }
        }
        assert_eq!(depth, 0, "{}", model.display());
        assert!(!named.is_empty() && named.is_subset(&drawn), "{}: {named:?} {drawn:?}", model.display());
    }
    Ok(())
}

/// A line without what its strings hold; `None` if one is not closed.
fn outside_quotes(line: &str) -> Option<String> {
    let (mut plain, mut inside, mut escaped) = (String::new(), false, false);
    for character in line.chars() {
        match character {
            '"' if !escaped => inside = !inside,
            _ if !inside => plain.push(character),
            _ => {}
        }
        escaped = character == '\\' && !escaped;
    }
    (!inside).then_some(plain)
}

#[test]
fn simulation() -> anyhow::Result<()> {
    approve!("sim", transcript(HOLDS, &["sim", "--seed", "7", "-vvv", "m.pml"]));
    approve!("sim_steps", transcript(ENDLESS, &["sim", "--seed", "7", "--steps", "3", "-v", "m.pml"]));
    approve!("sim_violated", transcript(VIOLATIONS[0].1, &["sim", "--seed", "7", "m.pml"]));
    let folder = Folder::with(HOLDS)?;
    approve!("sim_interactive", folder.transcript(&["sim", "--interactive", "m.pml"], "1\nnine\n1\n2\nq\n"));
    approve!("sim_interactive_end_of_input", folder.transcript(&["sim", "--interactive", "m.pml"], "1\n"));
    Ok(())
}

#[test]
fn help_has_examples() -> anyhow::Result<()> {
    let help = transcript(HOLDS, &["--help"]);
    approve!("help", &help);
    let listed = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap_or_default();
    let commands: Vec<&str> = listed.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"check") && commands.contains(&"man"), "{commands:?}");
    for command in commands.into_iter().filter(|&command| command != "help") {
        let help = transcript(HOLDS, &[command, "--help"]);
        assert!(help.contains("Examples:"), "psw {command} --help has no examples");
        let page = transcript(HOLDS, &["man", command]);
        assert!(page.contains(".SH SYNOPSIS") && page.contains("exit code 0"), "psw man {command}:\n{page}");
    }
    approve!("man_unknown", transcript(HOLDS, &["man", "nothing"]));
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = transcript(HOLDS, &["completions", shell]);
        assert!(script.contains("max-states") && script.contains("exit code 0"), "psw completions {shell}");
    }
    Ok(())
}

/// `psw … | head -1`: whoever reads is gone before psw writes, on one of the streams or on both.
#[test]
fn a_closed_pipe_is_no_error_and_loses_no_verdict() -> anyhow::Result<()> {
    let folder = Folder::with(WRONG)?;
    std::fs::write(folder.path().join("bad.pml"), "active proctype P() { x = 1 }\n")?;
    for (args, code) in [
        (&["check", "m.pml"][..], 1),
        (&["check", "--format", "json", "m.pml"], 1),
        (&["check", "--max-states", "1", "m.pml"], 3),
        (&["check", "bad.pml"], 2),
        (&["check", "nowhere.pml"], 2),
        (&["parse", "bad.pml"], 2),
        (&["explain"], 0),
        (&["layout", "m.pml"], 0),
        (&["dot", "m.pml"], 0),
        (&["man"], 0),
        (&["completions", "bash"], 0),
    ] {
        let closed = || -> anyhow::Result<Stdio> { Ok(std::io::pipe()?.1.into()) };
        let out = psw(folder.path()).args(args).stdout(closed()?).stderr(Stdio::piped()).output()?;
        assert_ne!(out.status.code(), Some(101), "psw {args:?}");
        assert!(!String::from_utf8_lossy(&out.stderr).contains("pipe"), "psw {args:?} complains");
        let both = psw(folder.path()).args(args).stdout(closed()?).stderr(closed()?).status()?;
        if args[0] == "check" {
            assert_eq!((out.status.code(), both.code()), (Some(code), Some(code)), "psw {args:?}");
        }
        assert_ne!(both.code(), Some(101), "psw {args:?}");
    }
    Ok(())
}

/// Ctrl-C ends a long run with the numbers so far.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_ends_with_the_numbers() -> anyhow::Result<()> {
    let folder = Folder::with(ENDLESS)?;
    let child = psw(folder.path())
        .args(["check", "--no-reduction", "m.pml"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let listens = || -> anyhow::Result<bool> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()))?;
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
        Ok(u64::from_str_radix(caught.trim(), 16)? & 0b10 != 0)
    };
    while !listens()? {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(200));
    Command::new("kill").args(["-INT", &child.id().to_string()]).status()?;
    let out = child.wait_with_output()?;
    approve!("interrupted", without_numbers(&call::told("check --no-reduction m.pml", &out)));
    assert_eq!(out.status.code(), Some(3));
    Ok(())
}

/// Runs psw in a terminal, if `script` can make one: its output with all that a terminal interprets.
fn in_terminal(folder: &Folder, command: &str, no_color: bool) -> Option<String> {
    let mut script = Command::new("script");
    script.args(["-qec", &format!("{} {command}", env!("CARGO_BIN_EXE_psw")), "/dev/null"]);
    match no_color {
        true => script.env("NO_COLOR", "1"),
        false => script.env_remove("NO_COLOR"),
    };
    let out = script.env("TERM", "xterm-256color").current_dir(folder.path()).stdin(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&out.stdout).into_owned())
}

#[test]
fn colours_follow_the_terminal_and_no_color() -> anyhow::Result<()> {
    let folder = Folder::with(WRONG)?;
    let (Some(plain), Some(coloured)) =
        (in_terminal(&folder, "check m.pml", true), in_terminal(&folder, "check m.pml", false))
    else {
        return Ok(());
    };
    assert!(plain.contains("VIOLATED") && !plain.contains("\x1b["), "{plain:?}");
    assert!(coloured.contains("\x1b[1;31mVIOLATED"), "{coloured:?}");
    Ok(())
}

#[test]
fn the_live_line_is_for_terminals() -> anyhow::Result<()> {
    let folder = Folder::with(ENDLESS)?;
    let call = "check --no-reduction --max-time 2s m.pml";
    if let Some(shown) = in_terminal(&folder, call, true) {
        assert!(shown.contains("states/s · ") && shown.contains("queue"), "{shown:?}");
        let quiet = in_terminal(&folder, "check --no-reduction --quiet --max-time 2s m.pml", true).unwrap_or_default();
        assert!(quiet.contains("STOPPED") && !quiet.contains("queue"), "{quiet:?}");
    }
    let piped = transcript(ENDLESS, &["check", "--no-reduction", "--max-time", "2s", "m.pml"]);
    assert!(piped.contains("STOPPED") && !piped.contains("queue"), "{piped:?}");
    Ok(())
}

/// The opening comment of each example says how to run it, and what psw answers.
#[test]
fn examples_tell_the_truth() -> anyhow::Result<()> {
    let mut claims = 0;
    for entry in std::fs::read_dir(std::path::Path::new(ROOT).join("examples"))? {
        let path = entry?.path();
        let text = std::fs::read_to_string(&path)?;
        let name = format!("examples/{}", path.file_name().unwrap_or_default().to_string_lossy());
        let calls: Vec<&str> = text.split("*/").next().unwrap_or_default().split("psw check ").skip(1).collect();
        assert!(!calls.is_empty(), "{name} does not say how to run it");
        for call in calls {
            let (args, claim) = call.split_once(&name).unwrap_or((call, ""));
            claims += usize::from(is_true(&format!("{args}{name}"), claim)?);
        }
    }
    assert!(claims >= 10, "only {claims} claims");
    Ok(())
}

/// Whether something is claimed about `psw check ARGS`; if so, that it is the case.
fn is_true(args: &str, claim: &str) -> anyhow::Result<bool> {
    let answer = |more: &str| -> anyhow::Result<serde_json::Value> {
        let call = format!("{} check --format json {more} {args}", env!("CARGO_BIN_EXE_psw"));
        let out = Command::new("sh").args(["-c", &call]).current_dir(ROOT).output()?;
        Ok(serde_json::from_slice(&out.stdout)?)
    };
    if claim.contains("holds") {
        let report = answer("")?;
        assert_eq!(report["verdict"], "holds", "psw check {args}");
        let numbers = format!("holds ({} states, {} transitions)", report["states"], report["transitions"]);
        assert!(claim.contains(&numbers) || !claim.contains("holds ("), "psw check {args}: {numbers}");
    } else if claim.contains("VIOLATED") {
        let (first, all) = (answer("")?, answer("--all-errors")?);
        let plural = if all["errors"] == 1 { "" } else { "s" };
        let numbers = format!(
            "after {} steps (in all, with --all-errors: {} states, {} transitions, {} violation{plural})",
            first["trace"]["length"], all["states"], all["transitions"], all["errors"]
        );
        assert!(claim.contains(&numbers), "psw check {args}: {numbers}");
    } else {
        return Ok(false);
    }
    Ok(true)
}
