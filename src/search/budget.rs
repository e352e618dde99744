//! The budget of a run: one deadline and one memory limit for everything that a command does.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sweep::{Limits, Meter, StopReason};

use crate::cli::{DiskArgs, LimitArgs};
use crate::machine;
use crate::report::summary::bytes;

/// The limits of each search.
pub fn limits(args: &LimitArgs) -> Limits {
    Limits { max_states: args.max_states, max_depth: args.max_depth }
}

/// The limits of the whole run: the clock runs from now on, and Ctrl-C stops it.
pub fn meter(args: &LimitArgs) -> Meter {
    Meter::unlimited()
        .with_max_bytes(args.max_memory.map(at_most).or_else(machine::default_memory))
        .with_deadline(args.max_time.and_then(|time| Instant::now().checked_add(time)))
        .with_interrupt(interrupt())
}

/// What was found before a limit was reached may still take so long to be followed.
const AFTERWARDS: Duration = Duration::from_secs(2);

/// The budget of traces that a search has found which may have been stopped since.
pub fn of_traces(meter: &Meter) -> Meter {
    meter.after(AFTERWARDS)
}

/// Of a memory limit this part at most goes to what is there before the search: a small limit is still one for states.
const MOST_OF_THE_REST: usize = 8;

/// What the memory limit leaves to the searches: the program and the model, which has been loaded, are in memory too, and so
/// will be the transition cache.
pub fn beside_the_rest(meter: Meter) -> Meter {
    let rest = machine::resident() + interp::MAX_CACHE_BYTES;
    let left = meter.max_bytes().map(|most| most - rest.min(most / MOST_OF_THE_REST));
    meter.with_max_bytes(left)
}

/// The part of a memory limit that this machine has. A warning says if that is less.
fn at_most(limit: usize) -> usize {
    let most = machine::most_memory().filter(|&most| most < limit);
    if let Some(most) = most {
        let (limit, most) = (bytes(limit), bytes(most));
        crate::say(format_args!("psw: --max-memory is {limit}, but only {most} are available here\n"));
    }
    most.unwrap_or(limit)
}

/// The same for a search that may use a disk.
pub fn meter_with_disk(limits: &LimitArgs, disk: &DiskArgs) -> Meter {
    if let Some(folder) = disk.folder() {
        // Traces go there too. It fails only if it was done before.
        let _ = tempfile::env::override_temp_dir(folder);
    }
    meter(limits).with_disk(disk.disk())
}

/// Two presses of Ctrl-C within this time are one wish: to end the run.
const TWICE: Duration = Duration::from_millis(1500);

/// What Ctrl-C has done so far.
#[derive(Default)]
struct Interrupts {
    /// The search at hand is to stop.
    stop: Arc<AtomicBool>,
    /// Nothing is to follow it.
    end: AtomicBool,
    /// The command has several searches, and goes on with the next.
    has_several: AtomicBool,
    last: Mutex<Option<Instant>>,
}

static INTERRUPTS: LazyLock<Interrupts> = LazyLock::new(Interrupts::default);

impl Interrupts {
    /// Ctrl-C was pressed; whether psw is to end at once, with no report.
    fn pressed(&self, now: Instant) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).replace(now);
        let is_again = self.stop.load(Ordering::Relaxed) || last.is_some_and(|last| now - last < TWICE);
        let at_once = is_again && (self.end.swap(true, Ordering::Relaxed) || !self.has_several.load(Ordering::Relaxed));
        self.stop.store(true, Ordering::Relaxed);
        at_once
    }

    /// Whether the next search may begin after one that was stopped.
    fn goes_on(&self) -> bool {
        let goes_on = !self.end.load(Ordering::Relaxed);
        if goes_on {
            self.stop.store(false, Ordering::Relaxed);
        }
        goes_on
    }
}

/// A flag that Ctrl-C sets. A second Ctrl-C ends psw at once; if the command [has several searches](has_several), it ends the
/// run with its report, and a third one ends psw.
pub fn interrupt() -> Arc<AtomicBool> {
    // Without a handler Ctrl-C still ends psw, only without the statistics.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTS.pressed(Instant::now()) {
            std::process::exit(130);
        }
    });
    Arc::clone(&INTERRUPTS.stop)
}

/// From now on Ctrl-C stops one search of several.
pub fn has_several() {
    INTERRUPTS.has_several.store(true, Ordering::Relaxed);
}

/// Whether the next search may begin after one that was stopped for this reason.
pub fn goes_on(reason: StopReason) -> bool {
    reason == StopReason::Interrupted && INTERRUPTS.goes_on()
}

/// There is no search any more: what Ctrl-C has stopped does not keep traces from being shown.
pub fn is_over() {
    INTERRUPTS.stop.store(false, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_press_goes_on_and_two_end_the_run() {
        let interrupts = Interrupts { has_several: AtomicBool::new(true), ..Interrupts::default() };
        let start = Instant::now();
        assert!(!interrupts.pressed(start));
        assert!(interrupts.goes_on());
        assert!(!interrupts.stop.load(Ordering::Relaxed));
        // Much later: the next one is skipped.
        assert!(!interrupts.pressed(start + 3 * TWICE));
        assert!(interrupts.goes_on());
        // At once: that was meant for all.
        assert!(!interrupts.pressed(start + 3 * TWICE + TWICE / 2));
        assert!(!interrupts.goes_on());
        assert!(interrupts.stop.load(Ordering::Relaxed));
        // Nobody listens.
        assert!(interrupts.pressed(start + 9 * TWICE));
    }

    #[test]
    fn a_press_that_is_not_answered_counts() {
        let interrupts = Interrupts { has_several: AtomicBool::new(true), ..Interrupts::default() };
        let start = Instant::now();
        assert!(!interrupts.pressed(start));
        assert!(!interrupts.pressed(start + 9 * TWICE));
        assert!(!interrupts.goes_on());
    }

    #[test]
    fn a_single_search_is_ended_by_two() {
        let interrupts = Interrupts::default();
        let start = Instant::now();
        assert!(!interrupts.pressed(start));
        assert!(interrupts.pressed(start + 9 * TWICE));
    }
}
