//! The budget of a run: one deadline and one memory limit for everything that a command does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use sweep::Limits;

use crate::cli::LimitArgs;
use crate::machine;
use crate::report::summary::bytes;

/// The limits of a command; its clock runs from now on.
pub fn limits(args: &LimitArgs) -> Limits {
    Limits {
        max_states: args.max_states,
        max_bytes: args.max_memory.map(at_most).or_else(machine::default_memory),
        deadline: args.max_time.and_then(|time| Instant::now().checked_add(time)),
        max_depth: args.max_depth,
    }
}

/// Of a memory limit this part at most goes to what is there before the search: a small limit is still one for states.
const MOST_OF_THE_REST: usize = 8;

/// What the limits leave to a search: the program and the model, which has been loaded, are in memory too, and so will be the
/// transition cache.
pub fn beside_the_rest(limits: Limits) -> Limits {
    let rest = machine::resident() + interp::MAX_CACHE_BYTES;
    let left = |most: usize| most - rest.min(most / MOST_OF_THE_REST);
    Limits { max_bytes: limits.max_bytes.map(left), ..limits }
}

/// What the limits leave when bytes are set aside; `None` if there are not enough.
pub fn reserve(limits: Limits, bytes: usize) -> Option<Limits> {
    match limits.max_bytes {
        None => Some(limits),
        Some(most) => Some(Limits { max_bytes: Some(most.checked_sub(bytes)?), ..limits }),
    }
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
