//! The cost of a sweep without regress edges, computed in closed form.
//!
//! Each state is then expanded once. It is stored from the first line in which one of its predecessors is until its own
//! line has been passed, and a line is there from when its first state is stored. So how much is stored at each line is a
//! count of the intervals that it is in.

use super::Cost;
use super::lines::Lines;
use crate::sample::Steps;

/// The numbers of states and lines, allocated once.
#[derive(Default)]
pub(super) struct Forward {
    /// The line at which each state is stored.
    stored: Vec<u32>,
    /// The line at which each line is opened: the first of its states is stored.
    opened: Vec<u32>,
    /// At each line, how many more states are stored than at the one before, and how many more lines are open.
    more: Vec<(usize, usize)>,
}

impl Forward {
    /// What it costs to sweep states with these steps, none of which goes back. All are reached from the first state.
    pub(super) fn cost(&mut self, steps: &Steps, lines: &Lines, layer_weight: usize) -> Cost {
        let Forward { stored, opened, more } = self;
        stored.clear();
        stored.extend_from_slice(&lines.of);
        for (from, to) in steps.pairs() {
            let stored = &mut stored[to as usize];
            *stored = lines.of[from as usize].min(*stored);
        }
        let count = lines.keys.len();
        opened.clear();
        opened.extend(0..count as u32);
        more.clear();
        more.resize(count, (0, 0));
        for (&stored, &own) in stored.iter().zip(&lines.of) {
            more[stored as usize].0 += 1;
            let opened = &mut opened[own as usize];
            *opened = stored.min(*opened);
        }
        opened.iter().for_each(|&at| more[at as usize].1 += 1);
        let mut cost = Cost { expanded: lines.of.len(), ..Cost::default() };
        let (mut states, mut open) = (0, 0);
        for (&(more_states, more_lines), &passed) in more.iter().zip(&lines.counts) {
            states += more_states;
            open += more_lines;
            cost.peak = cost.peak.max(states);
            cost.weight = cost.weight.max(states + layer_weight * open);
            (states, open) = (states - passed as usize, open - 1);
        }
        cost
    }
}
