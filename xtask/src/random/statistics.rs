//! What a run of the generator was like: whether its models are taken, how large they are, what occurs in them.

use super::print::print;
use super::shapes::CREATION;
use super::tree::Model;
use crate::answer::Answer;
use std::collections::BTreeMap;
use std::fmt;

/// Counts over the models of a run.
#[derive(Default)]
pub struct Statistics {
    outcomes: BTreeMap<&'static str, u64>,
    rejected: Vec<String>,
    states: Vec<u64>,
    constructs: BTreeMap<&'static str, u64>,
}

/// A construct, and a text that shows that a model has it.
const CONSTRUCTS: &[(&str, &str)] = &[
    ("rendezvous", "[0] of"),
    ("sorted send", "!!"),
    ("random receive", "??"),
    ("copying receive", "?<"),
    ("poll", "?["),
    ("eval", "eval("),
    ("channel of channels", "{ chan }"),
    ("channel parameter", "chan pc"),
    ("local channel", "chan lq"),
    ("array", "[2];"),
    ("inline", "inline"),
    ("D_proctype", "D_proctype"),
    ("structure in a message", "of { rec }"),
    ("for over a channel", "in qs)"),
    ("atomic", "atomic"),
    ("d_step", "d_step"),
    ("unless", "unless"),
    ("run", "run "),
    ("priority", "priority"),
    ("set_priority", "set_priority"),
    ("provided", "provided"),
    ("typedef", "typedef"),
    ("goto", "goto"),
    ("remote label", "]@"),
    ("remote variable", "]:"),
    ("timeout", "timeout"),
    ("else", "else"),
    ("assert", "assert"),
    ("for", "for ("),
    ("select", "select"),
    ("mtype", "mtype"),
    ("end label", "end"),
    ("_pid", "_pid"),
    ("_nr_pr", "_nr_pr"),
    ("_last", "_last"),
    ("enabled", "enabled("),
    ("unsigned", "unsigned"),
    ("do", "do\n"),
    ("if", "if\n"),
    ("conditional", "->"),
];

impl Statistics {
    /// Counts a model.
    pub fn add(&mut self, seed: u64, model: &Model, judge: &Answer) {
        let outcome = match judge {
            Answer::Searched(search) if search.errors == 0 => "hold",
            Answer::Searched(_) => "are violated",
            Answer::Rejected(_) => "are rejected",
            Answer::Unsupported(_) => "are refused by pan or C",
            Answer::Lost(_) | Answer::Broken(_) => "are skipped: too large, or no answer",
        };
        *self.outcomes.entry(outcome).or_default() += 1;
        match judge {
            Answer::Searched(search) => self.states.push(search.states),
            Answer::Rejected(why) | Answer::Unsupported(why) => self.rejected.push(format!("{seed}: {why}")),
            Answer::Lost(_) | Answer::Broken(_) => {}
        }
        let text = print(model);
        for (shape, occurs) in CREATION {
            *self.constructs.entry(shape).or_default() += u64::from(occurs(model));
        }
        for (construct, shown_by) in CONSTRUCTS {
            *self.constructs.entry(construct).or_default() += u64::from(text.contains(shown_by));
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "judged")?;
        self.outcomes.iter().try_for_each(|(outcome, count)| write!(f, ", {count} {outcome}"))?;
        writeln!(f)?;
        self.rejected.iter().take(10).try_for_each(|why| writeln!(f, "  {why}"))?;
        let mut states = self.states.clone();
        states.sort_unstable();
        write!(f, "states:")?;
        for percent in [5, 25, 50, 75, 95, 100] {
            let at = (states.len() * percent / 100).min(states.len().saturating_sub(1));
            write!(f, " {percent}% <= {},", states.get(at).copied().unwrap_or(0))?;
        }
        write!(f, "\nmodels with")?;
        self.constructs.iter().try_for_each(|(construct, count)| write!(f, " {construct} {count},"))?;
        writeln!(f)
    }
}
