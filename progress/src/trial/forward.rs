//! What a sweep costs if no step goes back, reckoned without sweeping.
//!
//! Each state is then expanded once. It is stored from the first line in which one of its predecessors is until its own
//! line has been passed, and a line is there from when its first state is stored. So how much is stored at each line is a
//! count of the intervals that it is in.

use super::{Cost, lines::Lines};
use crate::sample::Steps;

/// The numbers at each line, allocated once.
#[derive(Default)]
pub(super) struct Forward {
    /// At each line, the first at which one of its states is stored.
    opened: Vec<u32>,
    /// At each line, how many more states are stored than at the one before, and how many more lines.
    more: Vec<(i32, i32)>,
}

impl Forward {
    /// What it costs to sweep states that have these predecessors; `None` if a step goes back. All are reached from the
    /// first state.
    pub(super) fn cost(&mut self, predecessors: &Steps, lines: &Lines, layer_weight: usize) -> Option<Cost> {
        let Forward { opened, more } = self;
        let count = lines.keys.len();
        opened.clear();
        opened.extend(0..count as u32);
        more.clear();
        more.resize(count + 1, (0, 0));
        let mut start = 0;
        for (state, (&end, &own)) in predecessors.ends.iter().zip(&lines.of).enumerate() {
            let (mut first, mut last) = if state == 0 { (own, own) } else { (u32::MAX, 0) };
            for &before in &predecessors.states[start..end as usize] {
                let line = lines.of[before as usize];
                (first, last) = (first.min(line), last.max(line));
            }
            if last > own {
                return None;
            }
            start = end as usize;
            let opened = &mut opened[own as usize];
            *opened = first.min(*opened);
            more[first as usize].0 += 1;
            more[own as usize + 1].0 -= 1;
        }
        for (line, &opened) in opened.iter().enumerate() {
            more[opened as usize].1 += 1;
            more[line + 1].1 -= 1;
        }
        let mut cost = Cost { expanded: lines.of.len(), ..Cost::default() };
        let (mut states, mut open) = (0, 0);
        for &(more_states, more_lines) in &more[..count] {
            states += more_states;
            open += more_lines;
            cost.peak = cost.peak.max(states as usize);
            cost.weight = cost.weight.max(states as usize + layer_weight * open as usize);
        }
        Some(cost)
    }
}
