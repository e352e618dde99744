//! Small models, each with exactly the reasons that are found in it.

use super::{OwnCluster, Subject, explain};
use crate::{Analysis, Model};

/// What is shared, by whom in which lines, and why: `x: 2 writes, 3 reads, for variable`. Then the locations that have a
/// cluster of their own always and never.
fn found(body: &str) -> String {
    let parsed = promela::parse_text("test.pml", body.as_bytes(), &Default::default());
    let mut findings = parsed.diagnostics;
    let checked = promela::check(&parsed.ast, &mut findings).unwrap_or_else(|| panic!("{findings:?}"));
    let model = Model::with(checked, Analysis::Full, &Default::default());
    let found = explain(&model).expect("the model is small");
    assert!(found.is_complete);
    let line = |statement: usize| match found.statements[statement] {
        statement if statement.is_end => "end".to_owned(),
        statement => parsed.sources.line(statement.span).to_string(),
    };
    let mut lines = Vec::new();
    for shared in &found.shared {
        let subject = match &shared.subject {
            Subject::Variable(name) | Subject::Channel(name) => name.to_string(),
            Subject::Processes => "processes".to_owned(),
            Subject::Everything(obstacle) => format!("{obstacle:?}").to_lowercase(),
        };
        let uses = shared.uses.iter().map(|&(statement, usage)| {
            let usage: Vec<String> = usage.iter_names().map(|(name, _)| name.to_lowercase()).collect();
            format!("{} {}", line(statement), usage.join("+"))
        });
        let mut reasons: Vec<String> = Vec::new();
        for reason in shared.pairs.iter().flat_map(|pair| &pair.reasons) {
            let reason = match reason {
                super::Reason::Channel(_, part) => format!("{part:?}"),
                super::Reason::Variable(_) => "Variable".to_owned(),
                other => format!("{other:?}"),
            };
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons.sort_unstable();
        lines.push(format!("{subject}: {} ({})", uses.collect::<Vec<_>>().join(", "), reasons.join(" ")));
    }
    for (cluster, name) in [(OwnCluster::Always, "always"), (OwnCluster::Never, "never")] {
        let places = found.places.iter().filter(|place| place.clusters.iter().all(|&(_, own)| own == cluster));
        let places: Vec<String> = places.filter_map(|place| place.steps.first()).map(|&step| line(step)).collect();
        lines.push(format!("{name}: {}", places.join(" ")).trim_end().to_owned());
    }
    lines.join("\n")
}

/// Compares what is found, without the spaces in front of lines.
fn expect(body: &str, expected: &str) {
    let (found, expected): (String, Vec<&str>) = (found(body), expected.lines().map(str::trim).collect());
    assert_eq!(found, expected.join("\n"), "\n{found}");
}

#[test]
fn a_variable_of_two() {
    let body = "byte x, y;
        active proctype A() { byte own;
            x = 1;
            own = 2;
            y = own }
        active proctype B() {
            x > 0;
            assert(x == 1) }";
    expect(
        body,
        "x: 3 writes, 7 reads, 8 reads (Variable)
        always: 4 5 end end
        never:",
    );
}

#[test]
fn elements_of_an_array_that_are_told_apart() {
    let body = "byte a[2], i;
        active proctype A() {
            a[0] = 1;
            a[0] = 2 }
        active proctype B() {
            a[1] = 1;
            a[i] = 2;
            assert(a[0] < 3) }";
    expect(
        body,
        "a[]: 3 writes, 4 writes, 7 reads+writes, 8 reads (Variable)
        always: end 6 end
        never:",
    );
}

#[test]
fn a_variable_that_nobody_looks_at() {
    let body = "byte n;
        active [2] proctype A() {
            n++;
            printf(\"%d\", n) }";
    expect(
        body,
        "always: 3 4 end
        never:",
    );
}

#[test]
fn the_ends_of_a_channel() {
    let body = "chan c = [2] of { byte };
        active proctype A() {
            c!1 }
        active proctype B() {
            c?_;
            c?_ }";
    expect(
        body,
        "c: 3 sends, 5 receives, 6 receives (WhileEmpty WhileFull)
        always: end end
        never:",
    );
}

#[test]
fn two_receivers_and_one_that_looks() {
    let body = "chan c = [2] of { byte };
        active [2] proctype A() {
            c?_ }
        active proctype B() {
            c!1;
            len(c) > 0 }";
    expect(
        body,
        "c: 3 receives, 5 sends, 6 looks (Contents Head WhileEmpty WhileFull)
        always: end end
        never:",
    );
}

#[test]
fn a_rendezvous() {
    let body = "chan c = [0] of { byte };
        active proctype A() {
            c!1 }
        active proctype B() {
            c?_ }";
    expect(
        body,
        "c: 3 sends, 5 receives (Rendezvous)
        always: end end
        never:",
    );
}

#[test]
fn timeout_and_its_neighbours() {
    let body = "byte x;
        active proctype A() {
            if
            :: timeout
            :: x == 1
            fi }
        active proctype B() { byte y;
            y = 1;
            assert(y == 1) }";
    expect(
        body,
        "timeout: 4 depends (Everything(Timeout))
        always: end 8 9 end
        never: 4",
    );
}

#[test]
fn the_number_of_processes() {
    let body = "proctype A() {
            skip }
        init {
            run A();
            _nr_pr == 1 }";
    expect(
        body,
        "processes: 4 creates, 5 counts, end ends (Creation Death ProcessCount)
        always: 2 end
        never: 4",
    );
}

#[test]
fn priorities() {
    let body = "byte x;
        active proctype A() priority 2 {
            x = 1 }
        active proctype B() { byte y;
            y = 2 }";
    expect(
        body,
        "the location of A: 3 writes, end writes, 5 reads, end reads (Variable)
        processes: end ends, 5 counts, end ends+counts (ProcessCount)
        always:
        never: 3 end 5 end",
    );
}
