//! Errors in psw itself: a panic is reported with what was being done, and never becomes a verdict.
//!
//! The exit code is then 101. Reports are made in memory before a byte of them is written, so none is cut off half-way.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::panic::PanicHookInfo;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::terminal::say;

/// The exit code of a fault of psw's own.
pub const EXIT_CODE: u8 = 101;

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The command line is read.
    Call,
    /// The model is read and compiled.
    Load,
    /// The command does its work.
    Work,
    /// The answer is written.
    Report,
}

impl Phase {
    fn words(self) -> &'static str {
        match self {
            Phase::Call => "reading the command line",
            Phase::Load => "reading the model",
            Phase::Work => "running the command",
            Phase::Report => "writing the report",
        }
    }
}

static PHASE: Mutex<Phase> = Mutex::new(Phase::Call);
static HAPPENED: AtomicBool = AtomicBool::new(false);

/// From now on this is being done.
pub fn enter(phase: Phase) {
    if let Ok(mut now) = PHASE.lock() {
        *now = phase;
    }
    // Tests cause a panic in this way.
    #[cfg(debug_assertions)]
    match std::env::var("PSW_TEST_PANIC").ok().map(|wanted| wanted == format!("{phase:?}")) {
        Some(true) => panic!("a panic that was asked for"),
        Some(false) if phase == Phase::Work && std::env::var_os("PSW_TEST_PANIC").is_some_and(|w| w == "Thread") => {
            let _ = std::thread::spawn(|| panic!("a panic in another thread")).join();
        }
        _ => {}
    }
}

/// Whether there was a panic, in whichever thread: nothing that was found out is to be trusted.
pub fn has_happened() -> bool {
    HAPPENED.load(Ordering::SeqCst)
}

/// Reports panics from now on.
pub fn watch() {
    std::panic::set_hook(Box::new(tell));
}

fn tell(panic: &PanicHookInfo) {
    HAPPENED.store(true, Ordering::SeqCst);
    let phase = PHASE.try_lock().map_or("at work", |phase| phase.words());
    let call: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let place = panic.location().map(|place| format!(" at {place}")).unwrap_or_default();
    let what = panic.payload_as_str().unwrap_or("no message");
    say(format_args!(
        "psw: internal error while {phase}: {what}{place}\n  \
         the call was: psw {}\n  \
         This is a mistake in psw {}, not in the model, and there is no verdict. Please report it with the model,\n  \
         the call and this message.\n",
        call.join(" "),
        env!("CARGO_PKG_VERSION"),
    ));
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        say(format_args!("{backtrace}\n"));
    }
}
