//! The budget of a run: one deadline and one memory limit for everything that a command does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use sweep::{Limits, Meter};

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

/// A flag that Ctrl-C sets. A second Ctrl-C ends psw at once.
pub fn interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    // Without a handler Ctrl-C still ends psw, only without the statistics.
    let _ = ctrlc::set_handler(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    flag
}
