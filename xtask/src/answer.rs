//! What a checker said about one model, in terms that psw and SPIN share.

use std::fmt;

/// What a checker said about one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It searched.
    Searched(Search),
    /// It says that the text is not a valid model; its first error.
    Rejected(String),
    /// The model is valid, but this checker does not run such models; its reason.
    Unsupported(String),
    /// It was stopped, or SPIN broke down, before it said anything that can be compared.
    Lost(String),
    /// psw broke down.
    Broken(String),
}

impl Answer {
    /// What psw's answer has that SPIN's has not: the part that differs, in a few words.
    ///
    /// SPIN's search may have broken off at an error that it cannot go on after, and then only the error counts. The
    /// error that psw met first must be one that SPIN met.
    pub fn difference(&self, spin: &Answer) -> Option<&'static str> {
        match (self, spin) {
            (Answer::Broken(_), _) => Some("psw breaks down"),
            (_, Answer::Unsupported(_) | Answer::Lost(_) | Answer::Broken(_)) => None,
            (Answer::Rejected(_), Answer::Rejected(_)) => None,
            // psw takes labels at more places, as in front of an `unless` that opens a block.
            (Answer::Searched(_), Answer::Rejected(why)) if why.contains("placed incorrectly") => None,
            (Answer::Searched(psw), Answer::Searched(spin)) => psw.difference(spin),
            (Answer::Rejected(_) | Answer::Unsupported(_), _) => Some("psw rejects what SPIN accepts"),
            (_, Answer::Rejected(_)) => Some("psw accepts what SPIN rejects"),
            (Answer::Lost(_), _) => Some("psw gives no answer"),
        }
    }
}

impl Search {
    fn difference(&self, spin: &Search) -> Option<&'static str> {
        let known = self.first.as_ref().is_none_or(|kind| spin.kinds.contains(kind));
        // A search that SPIN gave up has not named all that is wrong.
        if self.first.is_some() != spin.first.is_some() || spin.complete && !known {
            return Some("another verdict");
        }
        if !spin.complete {
            return None;
        }
        if !self.complete || self.states != spin.states {
            return Some("another number of states");
        }
        if !self.once {
            return None;
        }
        if self.transitions != spin.transitions {
            return Some("another number of transitions");
        }
        // Inside one step SPIN counts a bad index once for each time that its C code looks at it.
        let repeated = spin.kinds.iter().any(|kind| kind.0 == "array_index");
        (self.errors != spin.errors && !repeated).then_some("another number of errors")
    }
}

/// The figures of a search that went on after errors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// False if the search ended before everything was seen; the figures then say nothing.
    pub complete: bool,
    /// Each state was expanded once, so that steps and errors are counted as SPIN counts them.
    pub once: bool,
    /// SPIN's "states, stored".
    pub states: u64,
    /// SPIN's "transitions".
    pub transitions: u64,
    /// How often something was wrong.
    pub errors: u64,
    /// The kind of the first error.
    pub first: Option<Kind>,
    /// All kinds of errors that were named, the first one first.
    pub kinds: Vec<Kind>,
}

/// A kind of error, by the name that psw's JSON gives it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Kind(pub String);

impl Kind {
    /// The kind that a line of pan's output, such as `assertion violated (x==1)`, is about.
    pub fn of_spin_text(text: &str) -> Kind {
        // The first text that occurs decides, so the special cases come before the general ones.
        const TABLE: &[(&str, &str)] = &[
            ("invalid array index", "array_index"),
            ("xr assertion violated", "xr"),
            ("xs assertion violated", "xs"),
            ("xr chans cannot be used for rv", "xr"),
            ("xs chans cannot be used for rv", "xs"),
            ("assertion violated", "assertion"),
            ("invalid end state", "invalid_end_state"),
            ("event_trace error", "trace"),
            ("non-determinism in event-trace", "trace"),
            ("block in d_step", "block_in_d_step"),
            ("blocking sel in d_step", "block_in_d_step"),
            ("rv-attempt in d_step", "rendezvous_in_d_step"),
            ("missing pars in receive", "message_arity"),
            ("non-determinism in D_proctype", "nondeterminism"),
            ("uninitialized chan", "uninitialised_channel"),
            ("poll rendezvous channel", "poll_rendezvous"),
            ("too few parameters in send", "message_arity"),
            ("too many processes", "too_many_processes"),
            ("too many queues", "too_many_channels"),
            ("priority is out of range", "priority_range"),
            ("used: enabled(pid=thisproc)", "enabled_of_itself"),
        ];
        let known = TABLE.iter().find(|(needle, _)| text.contains(needle));
        Kind(known.map_or(text, |(_, kind)| kind).to_string())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.first {
            None => write!(f, "holds")?,
            Some(kind) => write!(f, "violated={kind}")?,
        }
        if !self.complete {
            return write!(f, " (search not completed)");
        }
        write!(f, " states={} transitions={}", self.states, self.transitions)?;
        if self.errors > 0 {
            write!(f, " errors={}", self.errors)?;
        }
        Ok(())
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Searched(search) => search.fmt(f),
            Answer::Rejected(why) => write!(f, "rejected: {why}"),
            Answer::Unsupported(why) => write!(f, "unsupported: {why}"),
            Answer::Lost(why) => write!(f, "lost: {why}"),
            Answer::Broken(why) => write!(f, "broke down: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spin_texts_become_kinds() {
        let kind = |text| Kind::of_spin_text(text).0;
        assert_eq!(kind("assertion violated (x!=3)"), "assertion");
        assert_eq!(kind("assertion violated - invalid array index"), "array_index");
        assert_eq!(kind("xr assertion violated: access to chan q (0)"), "xr");
        assert_eq!(kind("ref to uninitialized chan name (len)"), "uninitialised_channel");
        assert_eq!(kind("something new"), "something new");
    }
}
