//! What a plan would cost: the column sweep on the graph of a sample, counted and not stored.

use std::collections::BTreeSet;

use crate::product::Plan;
use crate::sample::Sample;

/// What a plan costs on a sample.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Trial {
    /// The most states stored at a time, as a part of all.
    pub peak: f64,
    /// States expanded, as a multiple of all.
    pub expanded: f64,
    /// Layers.
    pub layers: usize,
}

/// A sweep that expands more than so many times the states is not followed to its end.
const MOST_EXPANDED: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    No,
    Passing,
    Persistent,
}

/// Tries a plan.
pub fn run(sample: &Sample, plan: &Plan) -> Trial {
    let size = sample.states();
    let (line, column) = lines(sample, plan);
    let mut kept = vec![Kept::No; size];
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); column.len()];
    let mut passing: Vec<Vec<u32>> = vec![Vec::new(); column.len()];
    let mut persistent = Vec::new();
    let mut todo = BTreeSet::new();
    let (mut stored, mut peak, mut expanded) = (0usize, 0usize, 0usize);
    if size > 0 {
        kept[0] = Kept::Passing;
        passing[line[0] as usize].push(0);
        waiting[line[0] as usize].push(0);
        todo.insert(line[0]);
        stored = 1;
    }
    let mut at = todo.first().copied();
    while let Some(now) = at {
        todo.remove(&now);
        while let Some(state) = waiting[now as usize].pop() {
            expanded += 1;
            for &next in &sample.successors[state as usize] {
                if kept[next as usize] != Kept::No {
                    continue;
                }
                let to = line[next as usize];
                stored += 1;
                if to < now {
                    kept[next as usize] = Kept::Persistent;
                    persistent.push(next);
                } else {
                    kept[next as usize] = Kept::Passing;
                    passing[to as usize].push(next);
                }
                waiting[to as usize].push(next);
                todo.insert(to);
            }
        }
        todo.remove(&now);
        peak = peak.max(stored);
        for state in passing[now as usize].drain(..) {
            kept[state as usize] = Kept::No;
            stored -= 1;
        }
        if expanded > MOST_EXPANDED * size {
            break;
        }
        let same = |line: &u32| column[*line as usize] == column[now as usize];
        at = todo.range(now + 1..).next().copied().filter(same).or(todo.first().copied());
        if at.is_none_or(|at| !same(&at)) {
            for state in persistent.drain(..) {
                kept[state as usize] = Kept::No;
                stored -= 1;
            }
        }
    }
    let size = size.max(1) as f64;
    Trial { peak: peak as f64 / size, expanded: expanded as f64 / size, layers: column.len() }
}

/// The line of each state, numbered in order, and the column of each line.
fn lines(sample: &Sample, plan: &Plan) -> (Vec<u32>, Vec<u32>) {
    let key = |terms: &[Vec<usize>], state: usize| -> Vec<u64> {
        let sum = |term: &Vec<usize>| term.iter().map(|&part| u64::from(sample.values[part][state])).sum();
        terms.iter().map(sum).collect()
    };
    let mut keys: Vec<(Vec<u64>, Vec<u64>, u32)> =
        (0..sample.states()).map(|state| (key(&plan.columns, state), key(&plan.layers, state), state as u32)).collect();
    keys.sort_unstable();
    let mut line = vec![0; keys.len()];
    let mut column = Vec::new();
    let mut before: Option<&(Vec<u64>, Vec<u64>, u32)> = None;
    for key in &keys {
        match before {
            Some(before) if before.0 == key.0 && before.1 == key.1 => {}
            Some(before) if before.0 == key.0 => column.push(column.last().copied().unwrap_or(0)),
            Some(_) => column.push(column.last().map_or(0, |last| last + 1)),
            None => column.push(0),
        }
        line[key.2 as usize] = column.len() as u32 - 1;
        before = Some(key);
    }
    (line, column)
}
