//! How long translations take: what users write, and families that are hard for one step or another.

use criterion::{Criterion, criterion_group, criterion_main};
use ltl2ba::{parse, translate};

fn translations(c: &mut Criterion) {
    let fair = |n: u32| (1..=n).map(|i| format!("[]<>p{i}")).collect::<Vec<_>>().join(" && ");
    let formulas = [
        ("response", "!([] (p -> <> q))".to_string()),
        ("precedence", "[]((q && <>r) -> ((!p) U (s || r)))".to_string()),
        ("fairness 8", format!("!(({}) -> [](q -> <>r))", fair(8))),
        ("fairness 30", fair(30)),
        ("streett 4", (1..=4).map(|i| format!("([]<>a{i} || <>[]b{i})")).collect::<Vec<_>>().join(" && ")),
        ("obligation 5", (1..=5).map(|i| format!("(<>p{i} || []p{})", i + 1)).collect::<Vec<_>>().join(" && ")),
        ("until 6", "(((((p1 U p2) U p3) U p4) U p5) U p6)".to_string()),
    ];
    let mut group = c.benchmark_group("translate");
    group.sample_size(20);
    for (name, text) in formulas {
        let parsed = parse(&text).expect("a formula");
        group.bench_function(name, |b| b.iter(|| translate(&parsed.formulas, parsed.formula).expect("an automaton")));
    }
    group.finish();
}

criterion_group!(benches, translations);
criterion_main!(benches);
