//! The log of a run as CSV: states stored, progress and memory over time.
//!
//! A row is added after a number of expansions. When there are too many rows every other one is dropped and rows are added
//! half as often: a long run has as many as a short one, evenly spread.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail};
use promela::files;
use sweep::Stats;

use crate::target::Target;

/// The most rows of a file.
const MOST_ROWS: usize = 2_000;
/// The most bytes of a file that is read: many times what is written.
const MOST_BYTES: usize = 16 << 20;
/// The first line of a file.
const HEADER: &str = "seconds,stored,expanded,waiting,columns,layers,bytes";

/// One moment of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Row {
    /// Seconds since the run began.
    pub seconds: f64,
    /// States stored.
    pub stored: f64,
    /// States expanded so far.
    pub expanded: f64,
    /// States that wait to be expanded.
    pub waiting: f64,
    /// Columns swept so far.
    pub columns: f64,
    /// Layers opened so far.
    pub layers: f64,
    /// Bytes allocated.
    pub bytes: f64,
}

/// Takes down how a run goes.
pub struct Log {
    started: Instant,
    rows: Vec<Row>,
    every: u64,
    until: u64,
}

impl Log {
    /// A log that begins now.
    pub fn new() -> Self {
        Log { started: Instant::now(), rows: Vec::new(), every: 1, until: 1 }
    }

    /// A state is going to be expanded.
    #[inline]
    pub fn expanding(&mut self, stats: &Stats) {
        self.until -= 1;
        if self.until == 0 {
            self.take(stats);
        }
    }

    #[cold]
    fn take(&mut self, stats: &Stats) {
        self.rows.push(self.row(stats));
        if self.rows.len() == MOST_ROWS {
            let mut number = 0;
            self.rows.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.every *= 2;
        }
        self.until = self.every;
    }

    fn row(&self, stats: &Stats) -> Row {
        Row {
            seconds: self.started.elapsed().as_secs_f64(),
            stored: stats.stored as f64,
            expanded: stats.expanded as f64,
            waiting: stats.waiting as f64,
            columns: stats.sweep.columns as f64,
            layers: stats.sweep.layers as f64,
            bytes: stats.bytes as f64,
        }
    }

    /// Writes the file; `end` are the numbers at the end of the run.
    pub fn write(&self, file: &Target, end: &Stats) -> anyhow::Result<()> {
        let mut text = format!("{HEADER}\n");
        for row in self.rows.iter().chain([&self.row(end)]) {
            let Row { seconds, stored, expanded, waiting, columns, layers, bytes } = row;
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{seconds:.6},{stored},{expanded},{waiting},{columns},{layers},{bytes}");
        }
        file.write(&text)
    }
}

/// Reads a file that `write` has written.
pub fn read(path: &Path) -> anyhow::Result<Vec<Row>> {
    let text = files::read_text(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        bail!("{} is no log of psw check --log: its first line is not {HEADER}", path.display());
    }
    let row = |(number, line): (usize, &str)| -> anyhow::Result<Row> {
        let values: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
        match values.as_deref() {
            Ok(&[seconds, stored, expanded, waiting, columns, layers, bytes])
                if values.iter().flatten().all(|v| v.is_finite()) =>
            {
                Ok(Row { seconds, stored, expanded, waiting, columns, layers, bytes })
            }
            _ => bail!("{}:{}: expected seven numbers", path.display(), number + 2),
        }
    };
    lines.enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_few_and_evenly_spread() {
        let mut log = Log::new();
        for expanded in 0..1_000_000 {
            log.expanding(&Stats { expanded, ..Stats::default() });
        }
        assert!((MOST_ROWS / 2..MOST_ROWS).contains(&log.rows.len()), "{}", log.rows.len());
        let steps: Vec<f64> = log.rows.windows(2).map(|pair| pair[1].expanded - pair[0].expanded).collect();
        assert!(steps.iter().all(|&step| step <= 2.0 * log.every as f64 && step > 0.0));
        assert!(log.rows[log.rows.len() - 1].expanded > 990_000.0);
    }
}
