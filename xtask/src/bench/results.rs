//! The figures of a whole run, and what they come to: ratios to SPIN, their geometric means, wins and losses.

use super::contest::{Contestant, SpinBuild};
use super::machine::Machine;
use serde::Serialize;

/// A whole run.
#[derive(Serialize)]
pub struct Results {
    /// When, where, how.
    pub machine: Machine,
    /// One for each model.
    pub rows: Vec<Row>,
    /// One for each pair of a search of psw and a build of SPIN.
    pub summary: Vec<Summary>,
}

/// One model.
#[derive(Serialize)]
pub struct Row {
    /// Its name and flags.
    pub model: String,
    /// SPIN's plain build first.
    pub entries: Vec<Figures>,
    /// Why nothing was compared, if it was not.
    pub refused: Option<String>,
}

/// One contestant on one model, the best of all turns.
#[derive(Serialize)]
pub struct Figures {
    /// Who.
    pub contestant: String,
    /// States stored.
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// Seconds from the text of the model to the answer; for SPIN with generator and compiler.
    pub end_to_end: f64,
    /// Seconds of the search alone, as the program says.
    pub exploration: f64,
    /// Seconds of processor time of psw or the verifier, all in all: steadier than wall time on a busy machine.
    pub cpu: f64,
    /// States a second of exploration.
    pub rate: f64,
    /// The most memory the program had, in bytes.
    pub rss: f64,
    /// Bytes for states and their table, as the program says, for each state.
    pub bytes_per_state: f64,
    /// Instructions of the whole program, if they were counted.
    pub instructions: Option<u64>,
}

/// psw against one build of SPIN on all models.
#[derive(Serialize)]
pub struct Summary {
    /// The search of psw.
    pub psw: String,
    /// The build of SPIN.
    pub spin: String,
    /// How many times faster the exploration is.
    pub exploration: Ratios,
    /// How many times less processor time psw takes than the verifier.
    pub cpu: Ratios,
    /// How many times faster it is from text to answer.
    pub end_to_end: Ratios,
    /// Memory for each state, as a part of SPIN's; below 1 is a win.
    pub bytes_per_state: Ratios,
    /// Peak memory of the program, as a part of SPIN's; below 1 is a win.
    pub rss: Ratios,
}

/// Ratios over all models.
#[derive(Serialize)]
pub struct Ratios {
    /// Their geometric mean.
    pub mean: f64,
    /// The worst for psw.
    pub worst: f64,
    /// The model that is the worst for psw.
    pub worst_model: String,
    /// On how many models psw is better.
    pub wins: usize,
    /// On how many it is not.
    pub losses: usize,
}

/// Which side of 1 is a win.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Better {
    Higher,
    Lower,
}

impl Results {
    /// Nothing measured yet.
    pub fn new(machine: Machine) -> Results {
        Results { machine, rows: Vec::new(), summary: Vec::new() }
    }

    /// Compares every search of psw with every build of SPIN.
    pub fn summarise(&mut self, contestants: &[Contestant]) {
        for psw in contestants.iter().filter(|one| matches!(one, Contestant::Psw(_))) {
            for spin in contestants.iter().filter(|one| matches!(one, Contestant::Spin(_))) {
                let pairs = self.pairs(&psw.to_string(), &spin.to_string());
                if pairs.is_empty() {
                    continue;
                }
                let of = |better, value: fn(&Figures, &Figures) -> f64| {
                    ratios(pairs.iter().map(|(model, psw, spin)| (*model, value(psw, spin))), better)
                };
                // With reduction SPIN has fewer states to see: only times can be compared.
                let explored: fn(&Figures, &Figures) -> f64 = match spin {
                    Contestant::Spin(SpinBuild::Default) => |psw, spin| spin.exploration / psw.exploration,
                    _ => |psw, spin| psw.rate / spin.rate,
                };
                let summary = Summary {
                    psw: psw.to_string(),
                    spin: spin.to_string(),
                    exploration: of(Better::Higher, explored),
                    cpu: of(Better::Higher, |psw, spin| spin.cpu / psw.cpu),
                    end_to_end: of(Better::Higher, |psw, spin| spin.end_to_end / psw.end_to_end),
                    bytes_per_state: of(Better::Lower, |psw, spin| psw.bytes_per_state / spin.bytes_per_state),
                    rss: of(Better::Lower, |psw, spin| psw.rss / spin.rss),
                };
                self.summary.push(summary);
            }
        }
    }

    fn pairs(&self, psw: &str, spin: &str) -> Vec<(&str, &Figures, &Figures)> {
        self.rows
            .iter()
            .filter_map(|row| {
                let of = |name: &str| row.entries.iter().find(|entry| entry.contestant == name);
                Some((row.model.as_str(), of(psw)?, of(spin)?))
            })
            .collect()
    }
}

/// What they come to; each has the name of its model.
pub(crate) fn ratios<'m>(values: impl Iterator<Item = (&'m str, f64)>, better: Better) -> Ratios {
    let mut all = Ratios { mean: 0.0, worst: f64::NAN, worst_model: String::new(), wins: 0, losses: 0 };
    for (model, value) in values {
        let wins = if better == Better::Higher { value > 1.0 } else { value < 1.0 };
        all.wins += usize::from(wins);
        all.losses += usize::from(!wins);
        all.mean += value.ln();
        let worse = if better == Better::Higher { value < all.worst } else { value > all.worst };
        if all.worst.is_nan() || worse {
            (all.worst, all.worst_model) = (value, model.to_string());
        }
    }
    all.mean = (all.mean / (all.wins + all.losses) as f64).exp();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_geometric_and_worst_is_worst() {
        let higher = ratios([("a", 4.0), ("b", 1.0), ("c", 2.0)].into_iter(), Better::Higher);
        assert!((higher.mean - 2.0).abs() < 1e-9);
        assert_eq!((higher.worst_model.as_str(), higher.wins, higher.losses), ("b", 2, 1));
        let lower = ratios([("a", 0.5), ("b", 2.0)].into_iter(), Better::Lower);
        assert_eq!((lower.worst_model.as_str(), lower.wins, lower.losses), ("b", 1, 1));
    }
}
