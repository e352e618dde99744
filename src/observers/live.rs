//! The status line of a long run, on one line of the terminal that is cleared before the report.

use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressStyle};
use sweep::{Observer, Stats};

use crate::report::summary::bytes;

/// Runs shorter than this show nothing.
const SILENT: Duration = Duration::from_secs(1);
/// The rate is that of the last so long.
const WINDOW: Duration = Duration::from_secs(1);

/// Shows a line, or does not.
pub struct Live {
    bar: ProgressBar,
    /// When the rate was last taken, and how many states there were.
    since: (Duration, u64),
    /// States a second.
    rate: f64,
    /// What is searched for, if that has a name.
    name: String,
    news: News,
}

/// Sentences that are shown above the line as soon as possible. Clones share them.
#[derive(Clone, Default)]
pub struct News(Arc<Mutex<Vec<String>>>);

impl News {
    /// Adds a sentence.
    pub fn add(&self, sentence: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sentence);
    }

    /// Takes all that there are.
    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Live {
    /// A line on standard error if that is a terminal and `wanted`.
    pub fn new(wanted: bool) -> Self {
        let target = match wanted && std::io::stderr().is_terminal() {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Live { bar, since: (Duration::ZERO, 0), rate: 0.0, name: String::new(), news: News::default() }
    }

    /// Begins a search for something that has this name.
    pub fn begin(&mut self, name: &str) {
        name.clone_into(&mut self.name);
        self.since = (Duration::ZERO, 0);
    }

    /// Where sentences go that are to be shown at once.
    pub fn news(&self) -> News {
        self.news.clone()
    }

    /// Shows the news that there are.
    pub fn tell(&self) {
        for sentence in self.news.take() {
            self.bar.println(format!("psw: {sentence}"));
        }
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.tell();
        self.bar.finish_and_clear();
    }
}

impl Observer for Live {
    fn tick(&mut self, stats: &Stats) {
        if self.bar.is_hidden() {
            return;
        }
        self.tell();
        let (then, states) = self.since;
        let passed = stats.elapsed.saturating_sub(then);
        if passed >= WINDOW {
            self.rate = stats.states.saturating_sub(states) as f64 / passed.as_secs_f64();
            self.since = (stats.elapsed, stats.states);
        }
        if stats.elapsed >= SILENT {
            self.bar.set_message(line(&self.name, stats, self.rate));
        }
    }
}

fn line(name: &str, stats: &Stats, rate: f64) -> String {
    let name = if name.is_empty() { String::new() } else { format!("{name} · ") };
    let layer = match stats.sweep.layers {
        0 => String::new(),
        layers => format!(" · layer {}", HumanCount(layers)),
    };
    let disk = stats.external.map_or_else(String::new, |external| {
        let size = bytes(external.disk.peak_bytes as usize);
        match external.handed_over_after {
            None => format!(" · {size} on disk"),
            Some(states) => format!(" · {size} on disk since state {}", HumanCount(states)),
        }
    });
    format!(
        "{name}{} · {} states · {} states/s · {} · queue {} · depth {}{layer}{disk}",
        clock(stats.elapsed),
        HumanCount(stats.states),
        HumanCount(rate as u64),
        bytes(stats.bytes),
        HumanCount(stats.waiting),
        HumanCount(stats.depth),
    )
}

/// `1:05`.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_the_numbers_of_the_moment() {
        let stats = Stats {
            states: 1_234_567,
            waiting: 890,
            depth: 31,
            bytes: 45_600_000,
            elapsed: Duration::from_secs(65),
            ..Stats::default()
        };
        let expected = "1:05 · 1,234,567 states · 600,000 states/s · 45.6 MB · queue 890 · depth 31";
        assert_eq!(line("", &stats, 600_000.4), expected);
        assert_eq!(line("ltl p", &stats, 600_000.4), format!("ltl p · {expected}"));
    }

    #[test]
    fn a_line_tells_when_the_disk_came_into_use() {
        let disk = sweep::DiskStats { peak_bytes: 1_200_000_000, ..Default::default() };
        let external = sweep::ExternalStats { disk, bound: None, handed_over_after: Some(3_100_000) };
        let stats = Stats { external: Some(external), ..Stats::default() };
        assert!(line("", &stats, 0.0).ends_with(" · depth 0 · 1.2 GB on disk since state 3,100,000"));
    }

    #[test]
    fn hours_are_told_when_there_are_any() {
        assert_eq!(clock(Duration::from_secs(7)), "0:07");
        assert_eq!(clock(Duration::from_secs(3 * 3600 + 61)), "3:01:01");
    }
}
