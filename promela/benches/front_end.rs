//! How fast the front end reads: bytes and tokens a second on generated models, and the time for one of usual size.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use promela::{Options, parse_text};

/// A model of at least `bytes` bytes: processes with macros, inlines, channels and control flow.
fn model(bytes: usize) -> String {
    let mut text = String::from(
        "#define N 4\n#define MAX(a, b) ((a) > (b) -> (a) : (b))\nmtype = { request, grant };\nbyte x[N];\n\
         chan c = [N] of { mtype, byte };\ninline bump(i) { x[i] = (x[i] + 1) % N }\n",
    );
    let mut number = 0;
    while text.len() < bytes {
        text.push_str(&format!(
            "proctype Worker{number}(byte me) {{\n    byte got;\n    do\n    :: c!request, me -> atomic {{ bump(me); got++ }}\n    \
             :: c?grant, got -> x[me] = MAX(got, x[me] + 1) % N\n    :: len(c) > 2 && x[me] == 0 ->\n        \
             if\n        :: got > 3 -> goto out /* enough */\n        :: else -> skip\n        fi\n    od;\nout:\n    \
             assert(x[me] < N) // always\n}}\n",
        ));
        number += 1;
    }
    text.push_str("init { run Worker0(0) }\n");
    text
}

fn read(text: &str) -> u32 {
    let parsed = parse_text("model.pml", text.as_bytes(), &Options::default());
    assert!(parsed.diagnostics.is_empty(), "the model has findings");
    parsed.sources.token_count()
}

fn front_end(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("parse");
    group.sample_size(20);
    for (name, bytes) in [("300 lines", 7_500), ("1 MB", 1 << 20), ("2 MB", 2 << 20)] {
        let text = model(bytes);
        let tokens = read(&text);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(format!("{name}, bytes"), |b| b.iter(|| read(black_box(&text))));
        group.throughput(Throughput::Elements(u64::from(tokens)));
        group.bench_function(format!("{name}, tokens"), |b| b.iter(|| read(black_box(&text))));
    }
    group.finish();
}

criterion_group!(benches, front_end);
criterion_main!(benches);
