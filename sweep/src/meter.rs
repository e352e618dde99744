//! The resources of a run: one memory limit, one deadline and one interrupt flag for everything that a command does.
//!
//! A component that allocates holds an [`Account`] and writes its size there when it grows or shrinks, so the sum is
//! known in one place and nobody passes byte counts around. Searches that run inside or after one another take the same
//! meter. Before a component grows it asks ([`Meter::allow`]): a limit then ends the search with its statistics, and an
//! address space that is too small (`ulimit -v`) does too, where a failed allocation would abort.
//! Invariant: `Ledger::held` is the sum of all accounts.
//!
//! The counters are atomic, so a meter can be shared between threads. Accounts change on growth only, never per
//! successor: relaxed operations on one cache line are cheap enough.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::control::StopReason;
use crate::external::Disk;

/// Before memory is allocated there must be this much more, or half of it when the last probe was made; and a quarter of
/// what is held, for components that grow before they are counted.
const SPARE: usize = 8 << 20;

/// Limits of a run, and what it uses. A clone counts in the same ledger; it may have tighter limits.
#[derive(Clone, Debug)]
pub struct Meter {
    ledger: Arc<Ledger>,
    interrupt: Arc<AtomicBool>,
    max_bytes: Option<usize>,
    deadline: Option<Instant>,
    disk: Disk,
}

#[derive(Default, Debug)]
struct Ledger {
    /// Bytes in all accounts.
    held: AtomicUsize,
    /// The total that the machine was able to give at the last probe.
    assured: AtomicUsize,
}

impl Meter {
    /// A meter without limits, for which nothing is held.
    pub fn unlimited() -> Self {
        Meter {
            ledger: Arc::default(),
            interrupt: Arc::default(),
            max_bytes: None,
            deadline: None,
            disk: Disk::default(),
        }
    }

    /// The same ledger with this limit on the bytes of all accounts together.
    pub fn with_max_bytes(self, max_bytes: Option<usize>) -> Self {
        Meter { max_bytes, ..self }
    }

    /// The same ledger with this deadline.
    pub fn with_deadline(self, deadline: Option<Instant>) -> Self {
        Meter { deadline, ..self }
    }

    /// The same ledger, stopped when this flag is set.
    pub fn with_interrupt(self, interrupt: Arc<AtomicBool>) -> Self {
        Meter { interrupt, ..self }
    }

    /// The same ledger with this disk.
    pub fn with_disk(self, disk: Disk) -> Self {
        Meter { disk, ..self }
    }

    /// Where files are.
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// The limit on bytes, if there is one.
    pub fn max_bytes(&self) -> Option<usize> {
        self.max_bytes
    }

    /// The same ledger with a share of the remaining time and memory, for work that must leave enough for what follows.
    pub fn share(&self, parts: u32) -> Self {
        let (now, held) = (Instant::now(), self.bytes());
        let deadline = self.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / parts);
        let max_bytes = self.max_bytes.map(|max| held + max.saturating_sub(held) / parts as usize);
        Meter { deadline, max_bytes, ..self.clone() }
    }

    /// The same ledger with a deadline that is no later than this.
    pub fn until(&self, latest: Instant) -> Self {
        self.clone().with_deadline(Some(self.deadline.map_or(latest, |deadline| deadline.min(latest))))
    }

    /// The same ledger with at least so much time, for what a search has found before it was stopped.
    pub fn after(&self, least: Duration) -> Self {
        let latest = Instant::now() + least;
        match self.interrupt.load(Ordering::Relaxed) {
            true => self.clone().with_interrupt(Arc::default()).with_deadline(Some(latest)),
            false => self.clone().with_deadline(self.deadline.map(|deadline| deadline.max(latest))),
        }
    }

    /// A new account, with nothing in it.
    pub fn account(&self) -> Account {
        Account { ledger: Some(Arc::clone(&self.ledger)), bytes: 0 }
    }

    /// Bytes that all components hold.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.ledger.held.load(Ordering::Relaxed)
    }

    /// Whether less than one of so many parts of the memory is left.
    #[inline]
    pub fn is_nearly_full(&self, parts: usize) -> bool {
        self.max_bytes.is_some_and(|max| self.bytes() > max - max / parts)
    }

    /// Sets the interrupt flag: every check fails from now on.
    pub fn interrupt(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// Fails if a limit is exceeded, the deadline has passed, or the interrupt flag is set.
    pub fn check(&self) -> Result<(), StopReason> {
        if self.max_bytes.is_some_and(|max| self.bytes() > max) {
            return Err(StopReason::Memory);
        }
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(StopReason::Interrupted);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Err(StopReason::Time),
            _ => Ok(()),
        }
    }

    /// Fails if a component must not grow by this many bytes.
    #[inline]
    pub fn allow(&self, growth: usize) -> Result<(), StopReason> {
        let held = self.bytes();
        let total = held + growth;
        let is_assured = total <= self.ledger.assured.load(Ordering::Relaxed);
        match self.max_bytes.is_none_or(|max| total <= max) && (is_assured || self.probe(held, growth)) {
            true => Ok(()),
            false => Err(StopReason::Memory),
        }
    }

    /// Whether the machine can give this much more. It may refuse, and that must be known before a component begins to
    /// change.
    #[cold]
    fn probe(&self, held: usize, growth: usize) -> bool {
        let total = held + growth;
        let spare = SPARE.max(total / 4);
        // A vector that grows may be moved: both copies exist for a moment.
        let is_available = Vec::<u8>::new().try_reserve_exact(2 * growth + spare).is_ok();
        self.ledger.assured.store(total + spare / 2, Ordering::Relaxed);
        is_available
    }
}

/// The bytes of one component. Dropping it returns them. The default account belongs to no meter.
#[derive(Default, Debug)]
pub struct Account {
    ledger: Option<Arc<Ledger>>,
    bytes: usize,
}

impl Account {
    /// The bytes in this account.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The component holds this many bytes now.
    #[inline]
    pub fn set(&mut self, bytes: usize) {
        if bytes != self.bytes {
            self.change(bytes);
        }
    }

    #[cold]
    fn change(&mut self, bytes: usize) {
        if let Some(ledger) = &self.ledger {
            // Wrapping addition: a smaller number subtracts.
            ledger.held.fetch_add(bytes.wrapping_sub(self.bytes), Ordering::Relaxed);
        }
        self.bytes = bytes;
    }
}

impl Drop for Account {
    fn drop(&mut self) {
        self.set(0);
    }
}

/// The buffers of an expansion outside of a search, and the limit that ended it.
#[derive(Debug)]
pub struct Buffers<'a> {
    meter: &'a Meter,
    account: Account,
    end: Result<(), StopReason>,
}

impl<'a> Buffers<'a> {
    /// Empty buffers.
    pub fn new(meter: &'a Meter) -> Self {
        Buffers { meter, account: meter.account(), end: Ok(()) }
    }

    /// They hold this many bytes ([`statespace::Visit::working`]). `Break` if a limit is reached.
    pub fn hold(&mut self, bytes: usize) -> ControlFlow<()> {
        self.account.set(bytes);
        self.end = self.meter.check();
        if self.end.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    /// Which limit ended the expansion, if one did.
    pub fn end(&self) -> Result<(), StopReason> {
        self.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_add_up_until_they_are_dropped() {
        let meter = Meter::unlimited();
        let (mut first, mut second) = (meter.account(), meter.clone().account());
        first.set(700);
        second.set(300);
        assert_eq!(meter.bytes(), 1000);
        first.set(100);
        assert_eq!(meter.bytes(), 400);
        drop(second);
        assert_eq!((meter.bytes(), first.bytes()), (100, 100));
    }

    #[test]
    fn growth_is_allowed_up_to_the_limit() {
        let meter = Meter::unlimited().with_max_bytes(Some(1000));
        let mut account = meter.account();
        account.set(600);
        assert_eq!(meter.allow(400), Ok(()));
        assert_eq!(meter.allow(401), Err(StopReason::Memory));
        assert_eq!(meter.check(), Ok(()));
        account.set(1001);
        assert_eq!(meter.check(), Err(StopReason::Memory));
    }

    #[test]
    fn a_share_counts_what_is_held_already() {
        let meter = Meter::unlimited().with_max_bytes(Some(1000));
        let mut account = meter.account();
        account.set(600);
        let share = meter.share(4);
        assert_eq!(share.max_bytes(), Some(700));
        let mut inner = share.account();
        inner.set(101);
        assert_eq!(share.check(), Err(StopReason::Memory));
        assert_eq!((meter.check(), meter.bytes()), (Ok(()), 701));
    }

    #[test]
    fn all_clones_have_one_flag_and_the_earlier_deadline() {
        let meter = Meter::unlimited();
        let past = meter.until(Instant::now());
        assert_eq!(past.check(), Err(StopReason::Time));
        assert_eq!(past.until(Instant::now() + Duration::from_secs(9)).check(), Err(StopReason::Time));
        assert_eq!(meter.check(), Ok(()));
        past.interrupt();
        assert_eq!(meter.check(), Err(StopReason::Interrupted));
        assert_eq!(past.after(Duration::from_secs(60)).check(), Ok(()));
    }

    #[test]
    fn threads_count_in_one_ledger() {
        let meter = Meter::unlimited();
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut account = meter.account();
                    (0..10_000).for_each(|bytes| account.set(bytes));
                });
            }
        });
        assert_eq!(meter.bytes(), 0);
    }
}
