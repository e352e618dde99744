//! Time per insertion and per lookup, of states of eight words, in stores of different sizes.

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use statespace::Word;
use std::hint::black_box;
use sweep::store::{StateTable, hash};

/// The n-th state: few bits differ, as in packed states.
fn state(n: u32) -> [Word; 8] {
    [n & 0xff, 3, n >> 8 & 0xff, 0, n >> 16, 1, 0, n & 7]
}

/// Numbers below `size` in an order without locality.
fn shuffled(size: u32) -> impl Iterator<Item = u32> {
    (0..size)
        .map(move |n| (u64::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as u32)
        .map(move |n| ((u64::from(n) * u64::from(size)) >> 32) as u32)
}

fn filled(size: u32) -> StateTable {
    let mut layer = StateTable::new(Some(8));
    for n in 0..size {
        layer.insert(&state(n));
    }
    layer
}

/// Looks up `states` in batches, as the searches do.
fn find_all(layer: &StateTable, states: impl Iterator<Item = [Word; 8]>) -> usize {
    let mut batch = Vec::with_capacity(16);
    let mut found = 0;
    for state in states {
        batch.push((hash(&state), state));
        if batch.len() == batch.capacity() {
            layer.prefetch(batch.iter().map(|&(hash, _)| hash));
            for (hash, state) in batch.drain(..) {
                found += usize::from(layer.find(hash, &state).is_some());
            }
        }
    }
    found
}

fn store(c: &mut Criterion) {
    let mut group = c.benchmark_group("store");
    group.sample_size(10);
    for size in [10_000, 100_000, 1_000_000, 10_000_000] {
        group.throughput(Throughput::Elements(u64::from(size)));
        group.bench_function(BenchmarkId::new("insert", size), |b| {
            b.iter_batched(|| (), |()| filled(size), BatchSize::PerIteration);
        });
        let layer = filled(size);
        let overhead = layer.bytes() as f64 / f64::from(size) - 32.0;
        println!("store of {size}: {overhead:.2} bytes of overhead a state");
        group.throughput(Throughput::Elements(u64::from(size.min(1_000_000))));
        group.bench_function(BenchmarkId::new("hit", size), |b| {
            b.iter(|| black_box(find_all(&layer, shuffled(size).take(1_000_000).map(state))));
        });
        group.bench_function(BenchmarkId::new("miss", size), |b| {
            let absent = |n| state(n).map(|word| word ^ 0x100);
            b.iter(|| black_box(find_all(&layer, shuffled(size).take(1_000_000).map(absent))));
        });
    }
    group.finish();
}

/// Layers come and go: many tiny ones, and one of ten million states.
fn drop_layers(c: &mut Criterion) {
    let mut group = c.benchmark_group("layer");
    group.sample_size(10);
    group.throughput(Throughput::Elements(100_000));
    group.bench_function("make and drop 100000 of 3 states", |b| {
        b.iter(|| (0..100_000).for_each(|_| drop(black_box(filled(3)))));
    });
    group.bench_function("drop 100000 of 3 states", |b| {
        let layers = || (0..100_000).map(|_| filled(3)).collect::<Vec<_>>();
        b.iter_batched(layers, drop, BatchSize::PerIteration);
    });
    group.throughput(Throughput::Elements(10_000_000));
    group.bench_function("drop one of 10000000 states", |b| {
        b.iter_batched(|| filled(10_000_000), drop, BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, store, drop_layers);
criterion_main!(benches);
