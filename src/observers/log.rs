//! The log of a run as CSV: states stored, progress and memory over time.
//!
//! A row is added after a number of expansions. When there are too many rows every other one is dropped and rows are added
//! half as often: a long run has as many as a short one, evenly spread. The file is replaced every two seconds, so that a
//! run that is killed leaves its log.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use promela::files;
use sweep::Stats;

use crate::target::Target;

/// The most rows of a file.
const MOST_ROWS: usize = 2_000;
/// The most bytes of a file that is read: many times what is written.
const MOST_BYTES: usize = 16 << 20;
/// The first line of a file.
const HEADER: &str = "seconds,stored,expanded,waiting,columns,layers,bytes,found";
/// The file is not written more often.
const WRITE_EVERY: Duration = Duration::from_secs(2);

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
    /// States found so far; one that was deleted and met again counts again.
    pub found: f64,
}

/// Takes down how a run goes.
pub struct Log {
    started: Instant,
    rows: Vec<Row>,
    every: u64,
    until: u64,
    file: Option<Target>,
    /// When the file was last written.
    written: Option<Instant>,
    /// The file could not be written; one more attempt is made at the end.
    has_failed: bool,
}

impl Log {
    /// A log that begins now. The file, if there is one, is written as the run goes.
    pub fn new(file: Option<Target>) -> Self {
        let started = Instant::now();
        Log { started, rows: Vec::new(), every: 1, until: 1, file, written: None, has_failed: false }
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
        let is_due = self.written.is_none_or(|then| then.elapsed() >= WRITE_EVERY) && !self.has_failed;
        if let Some(file) = self.file.as_ref().filter(|file| is_due && file.is_replaced()) {
            self.has_failed = file.write(&text(&self.rows)).is_err();
            self.written = Some(Instant::now());
        }
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
            found: stats.states as f64,
        }
    }

    /// Adds the numbers at the end of the run, and writes the file.
    pub fn finish(&mut self, end: &Stats) -> anyhow::Result<()> {
        self.rows.push(self.row(end));
        self.file.as_ref().map_or(Ok(()), |file| file.write(&text(&self.rows)))
    }

    /// What was taken down.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }
}

/// The file.
fn text(rows: &[Row]) -> String {
    let mut text = format!("{HEADER}\n");
    for row in rows {
        let Row { seconds, stored, expanded, waiting, columns, layers, bytes, found } = row;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{seconds:.6},{stored},{expanded},{waiting},{columns},{layers},{bytes},{found}");
    }
    text
}

/// Reads the file of a log.
pub fn read(path: &Path) -> anyhow::Result<Vec<Row>> {
    let text = files::read_text(path, MOST_BYTES).with_context(|| format!("cannot read {}", path.display()))?;
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        bail!("{} is no log of psw check --log: its first line is not {HEADER}", path.display());
    }
    let row = |(number, line): (usize, &str)| -> anyhow::Result<Row> {
        let values: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
        match values.as_deref() {
            Ok(&[seconds, stored, expanded, waiting, columns, layers, bytes, found])
                if values.iter().flatten().all(|v| v.is_finite()) =>
            {
                Ok(Row { seconds, stored, expanded, waiting, columns, layers, bytes, found })
            }
            _ => bail!("{}:{}: expected eight numbers", path.display(), number + 2),
        }
    };
    lines.enumerate().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_few_and_evenly_spread() {
        let mut log = Log::new(None);
        for expanded in 0..1_000_000 {
            log.expanding(&Stats { expanded, ..Stats::default() });
        }
        assert!((MOST_ROWS / 2..MOST_ROWS).contains(&log.rows.len()), "{}", log.rows.len());
        let steps: Vec<f64> = log.rows.windows(2).map(|pair| pair[1].expanded - pair[0].expanded).collect();
        assert!(steps.iter().all(|&step| step <= 2.0 * log.every as f64 && step > 0.0));
        assert!(log.rows[log.rows.len() - 1].expanded > 990_000.0);
    }

    #[test]
    fn a_run_that_is_killed_leaves_its_log() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("log.csv");
        let mut log = Log::new(Some(Target::new(&path)?));
        log.expanding(&Stats { states: 7, ..Stats::default() });
        std::mem::forget(log);
        assert_eq!(read(&path)?.iter().map(|row| row.found).collect::<Vec<_>>(), [7.0]);
        Ok(())
    }
}
