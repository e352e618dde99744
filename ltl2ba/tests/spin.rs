//! Real SPIN on small models: with psw's never claim it says what it says with its own.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use ltl2ba::{never_claim, parse, translate};
use xtask::spin::Spin;

/// Systems over three bits: one that may do anything, and one that may end.
const MODELS: [&str; 2] = [
    "bool p, q, r;\nactive proctype A() { do :: p = !p :: q = !q :: r = !r od }\n",
    "bool p, q, r;\nactive proctype A() { p = true; do :: q = true; q = false :: break od; r = true }\n",
];

const FORMULAS: [&str; 14] = [
    "[] p",
    "<> p",
    "[]<> q",
    "<>[] !q",
    "[] (p -> <> q)",
    "!([] (p -> <> q))",
    "(!p) U q",
    "!(p V (!q))",
    "[]<>p && []<>q",
    "[]<>p || <>[]q",
    "([]<>r) -> ([] (p -> <> q))",
    "<>(p && <>(q && <>r))",
    "[](p -> (p U (q || []p)))",
    "<>p && []!p",
];

/// The number of errors that pan finds in the model with this claim.
fn errors(spin: &Spin, dir: &Path, model: &str, claim: &str) -> u64 {
    fs::write(dir.join("m.pml"), format!("{model}\n{claim}\n")).expect("a folder to write to");
    let run = |program: &str, arguments: &[&str]| {
        let ran = Command::new(program).args(arguments).current_dir(dir).output().expect("a program that runs");
        (String::from_utf8_lossy(&ran.stdout).into_owned(), ran.status.success())
    };
    let (said, made) = run("spin", &["-a", "m.pml"]);
    assert!(made, "spin refuses the claim: {said}\n{claim}");
    assert!(spin.compile(dir, &["-DNOREDUCE"]).is_ok_and(|ran| ran.succeeded()), "pan.c does not compile");
    let (report, _) = run("./pan", &["-a", "-m100000"]);
    let count = report.split("errors: ").nth(1).and_then(|rest| rest.split_whitespace().next()?.parse().ok());
    count.unwrap_or_else(|| panic!("pan says how many errors there are: {report}"))
}

#[test]
fn spin_finds_the_same_with_either_claim() {
    let Some(spin) = Spin::for_test("never claims", Duration::from_secs(60)).expect("SPIN is required") else {
        return;
    };
    let dir = tempfile::tempdir().expect("a folder");
    let mut found = [0, 0];
    for formula in FORMULAS {
        let parsed = parse(formula).expect("a formula");
        let automaton = translate(&parsed.formulas, parsed.formula).expect("an automaton");
        let own = never_claim(&automaton, &parsed.names(), formula);
        let spins = Command::new("spin").args(["-f", formula]).output().expect("spin runs");
        let spins = String::from_utf8_lossy(&spins.stdout).into_owned();
        for model in MODELS {
            let (with_own, with_spins) =
                (errors(&spin, dir.path(), model, &own), errors(&spin, dir.path(), model, &spins));
            assert_eq!(with_own > 0, with_spins > 0, "{formula} on\n{model}");
            found[usize::from(with_own > 0)] += 1;
        }
    }
    assert!(found.iter().all(|&count| count > 5), "both verdicts occur: {found:?}");
}
