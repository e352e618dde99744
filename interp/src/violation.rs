//! Violations of a step or a state.

use promela::source::Span;

/// A violation, and where it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Violation {
    /// The rule that is broken.
    pub kind: ViolationKind,
    /// The process that moved, if one did.
    pub pid: Option<u8>,
    /// The statement or expression, if there is one.
    pub span: Option<Span>,
}

/// The kinds of violations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ViolationKind {
    /// A failed `assert`.
    Assertion,
    /// Nothing can move, and some process is not where it may stop.
    InvalidEndState,
    /// An index outside its array.
    ArrayIndex,
    /// A division, or a remainder, by zero.
    DivisionByZero,
    /// A shift by a negative number or by 32 and more.
    Shift,
    /// Use of a channel variable that holds no channel.
    UninitialisedChannel,
    /// Use of a channel that does not exist (any more).
    BadChannel,
    /// A message with another number of fields than its channel has.
    MessageArity,
    /// A test of the contents of a rendezvous channel.
    PollRendezvous,
    /// A statement inside a `d_step` that cannot be executed.
    BlockInDStep,
    /// A rendezvous inside a `d_step`.
    RendezvousInDStep,
    /// A `d_step` that never ends.
    EndlessDStep,
    /// An atomic sequence that never ends.
    EndlessAtomic,
    /// More than 255 processes.
    TooManyProcesses,
    /// More than 255 channels.
    TooManyChannels,
    /// A priority outside 1 to 255.
    PriorityRange,
    /// `enabled` of the process that evaluates it, or one whose value depends on itself.
    EnabledOfItself,
    /// A receive from a channel that another process has for itself.
    ExclusiveReceive,
    /// A send to a channel that another process has for itself.
    ExclusiveSend,
    /// A send or receive that the `trace` does not allow, or that completes a `notrace`.
    Trace,
    /// More than one executable statement in a `D_proctype`.
    Nondeterminism,
    /// A never claim came to its closing brace.
    ClaimEnd,
    /// No continuation of the run satisfies a temporal formula.
    Formula,
    /// An accepting cycle: through `accept` labels, or of a run of the negated formula.
    AcceptanceCycle,
    /// A cycle without `progress` labels.
    NonProgressCycle,
}

impl Violation {
    /// As bytes of a checkpoint: the kind, the process and where the statement begins and ends, each of these two behind
    /// whether it is there.
    pub fn to_bytes(self) -> Vec<u8> {
        let span = self.span.unwrap_or_default();
        let mut bytes = vec![self.kind as u8, u8::from(self.pid.is_some()), self.pid.unwrap_or(0)];
        bytes.push(u8::from(self.span.is_some()));
        bytes.extend(span.start.to_le_bytes());
        bytes.extend(span.end.to_le_bytes());
        bytes
    }

    /// The violation that is these bytes, if they are one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Violation> {
        let &[kind, has_pid, pid, has_span, ref span @ ..] = bytes else { return None };
        let (start, end) = (span.first_chunk()?, span.last_chunk()?);
        let span = Span { start: u32::from_le_bytes(*start), end: u32::from_le_bytes(*end) };
        Some(Violation {
            kind: *ViolationKind::ALL.get(usize::from(kind))?,
            pid: (has_pid == 1).then_some(pid),
            span: (has_span == 1).then_some(span),
        })
    }
}

impl ViolationKind {
    /// All of them, in order.
    pub const ALL: [ViolationKind; 25] = [
        Self::Assertion,
        Self::InvalidEndState,
        Self::ArrayIndex,
        Self::DivisionByZero,
        Self::Shift,
        Self::UninitialisedChannel,
        Self::BadChannel,
        Self::MessageArity,
        Self::PollRendezvous,
        Self::BlockInDStep,
        Self::RendezvousInDStep,
        Self::EndlessDStep,
        Self::EndlessAtomic,
        Self::TooManyProcesses,
        Self::TooManyChannels,
        Self::PriorityRange,
        Self::EnabledOfItself,
        Self::ExclusiveReceive,
        Self::ExclusiveSend,
        Self::Trace,
        Self::Nondeterminism,
        Self::ClaimEnd,
        Self::Formula,
        Self::AcceptanceCycle,
        Self::NonProgressCycle,
    ];

    /// Its name for machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::InvalidEndState => "invalid_end_state",
            Self::ArrayIndex => "array_index",
            Self::DivisionByZero => "division_by_zero",
            Self::Shift => "shift",
            Self::UninitialisedChannel => "uninitialised_channel",
            Self::BadChannel => "bad_channel",
            Self::MessageArity => "message_arity",
            Self::PollRendezvous => "poll_rendezvous",
            Self::BlockInDStep => "block_in_d_step",
            Self::RendezvousInDStep => "rendezvous_in_d_step",
            Self::EndlessDStep => "endless_d_step",
            Self::EndlessAtomic => "endless_atomic",
            Self::TooManyProcesses => "too_many_processes",
            Self::TooManyChannels => "too_many_channels",
            Self::PriorityRange => "priority_range",
            Self::EnabledOfItself => "enabled_of_itself",
            Self::ExclusiveReceive => "xr",
            Self::ExclusiveSend => "xs",
            Self::Trace => "trace",
            Self::Nondeterminism => "nondeterminism",
            Self::ClaimEnd => "claim_end",
            Self::Formula => "formula",
            Self::AcceptanceCycle => "acceptance_cycle",
            Self::NonProgressCycle => "non_progress_cycle",
        }
    }

    /// A sentence for people.
    pub fn message(self) -> &'static str {
        match self {
            Self::Assertion => "assertion violated",
            Self::InvalidEndState => "deadlock: no process can move, and not all are at a valid end state",
            Self::ArrayIndex => "array index out of range",
            Self::DivisionByZero => "division by zero",
            Self::Shift => "shift by a negative number or by 32 or more",
            Self::UninitialisedChannel => "use of an uninitialised channel",
            Self::BadChannel => "use of a channel that no longer exists",
            Self::MessageArity => "message with a wrong number of fields",
            Self::PollRendezvous => "test of the contents of a rendezvous channel",
            Self::BlockInDStep => "a statement inside a d_step cannot be executed",
            Self::RendezvousInDStep => "rendezvous inside a d_step",
            Self::EndlessDStep => "a d_step that never ends",
            Self::EndlessAtomic => "an atomic sequence that never ends",
            Self::TooManyProcesses => "more than 255 processes",
            Self::TooManyChannels => "more than 255 channels",
            Self::PriorityRange => "priority outside 1 to 255",
            Self::EnabledOfItself => {
                "enabled() of the process that evaluates it, or with a value that depends on itself"
            }
            Self::ExclusiveReceive => "receive from a channel that another process claims with xr",
            Self::ExclusiveSend => "send to a channel that another process claims with xs",
            Self::Trace => "the sends and receives do not follow the trace assertion",
            Self::Nondeterminism => "more than one statement of a D_proctype is executable",
            Self::ClaimEnd => "the never claim reached its end",
            Self::Formula => "safety violation: no continuation satisfies the formula",
            Self::AcceptanceCycle => "acceptance cycle",
            Self::NonProgressCycle => "non-progress cycle",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_violation_is_what_it_was_before_it_became_bytes() {
        for (nth, kind) in ViolationKind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, nth);
            for (pid, span) in [(None, None), (Some(7), None), (None, Some(Span { start: 3, end: 1 << 20 }))] {
                let violation = Violation { kind, pid, span };
                assert_eq!(Violation::from_bytes(&violation.to_bytes()), Some(violation));
            }
        }
        assert_eq!(Violation::from_bytes(&[]), None);
        assert_eq!(Violation::from_bytes(&[255; 12]), None);
        assert_eq!(Violation::from_bytes(&[0; 5]), None);
    }
}
