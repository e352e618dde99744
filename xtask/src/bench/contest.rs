//! One model: every contestant is made ready, then they take turns, and their answers are compared.

use super::list::Entry;
use super::measured::{self, Limits, Measured};
use super::results::Figures;
use super::verifier::{self, Options, Verifier, number_in};
use crate::answer::{Answer, Search};
use crate::psw::{self, Psw};
use crate::spin;
use anyhow::Result;
use serde::Deserialize;
use std::fmt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// How SPIN's verifier is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum SpinBuild {
    /// All states: no merging, no reduction. What psw must equal in numbers, and is compared with.
    Plain,
    /// The same with compressed states.
    Collapse,
    /// As its users run it: merging, dataflow and partial order reduction. Fewer states, the same verdict.
    Default,
}

/// Who is measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contestant {
    /// SPIN: `spin -a`, gcc, pan.
    Spin(SpinBuild),
    /// psw with one of its searches.
    Psw(String),
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contestant::Spin(SpinBuild::Plain) => f.write_str("spin"),
            Contestant::Spin(SpinBuild::Collapse) => f.write_str("spin collapse"),
            Contestant::Spin(SpinBuild::Default) => f.write_str("spin default"),
            Contestant::Psw(search) => write!(f, "psw {search}"),
        }
    }
}

/// A model and the rules.
pub struct Contest<'c> {
    /// The model.
    pub model: &'c Entry,
    /// The psw that takes part.
    pub psw: &'c Psw,
    /// The same for all.
    pub limits: Limits,
    /// How many turns each has.
    pub repeat: usize,
    /// Whether instructions are counted.
    pub callgrind: bool,
}

/// A contestant that can run at once.
struct Ready<'c> {
    contestant: &'c Contestant,
    program: PathBuf,
    args: Vec<String>,
    /// Seconds of `spin -a` and gcc.
    preparation: f64,
    dir: TempDir,
}

/// What one turn showed.
struct Turn {
    search: Search,
    /// What must be the same for all that see every state.
    distinct: Option<u64>,
    /// Seconds.
    wall: f64,
    cpu: f64,
    exploration: f64,
    rss: u64,
    store_bytes: f64,
}

/// What we read of psw's JSON in addition to the answer.
#[derive(Deserialize)]
struct PswFigures {
    seconds: f64,
    peak_bytes: f64,
    distinct: Option<u64>,
}

impl Contest<'_> {
    /// The figures of each contestant, or why they cannot be compared. The first one is SPIN as the others are compared
    /// with.
    pub fn run<'c>(&self, contestants: &'c [Contestant]) -> Result<Result<Vec<Figures>, String>> {
        let mut ready: Vec<Ready<'c>> = Vec::new();
        let mut table_log2 = LEAST_TABLE_LOG2;
        // psw goes first, and says how large SPIN's table must be to be neither too small nor too large.
        for contestant in contestants.iter().rev() {
            let made = match contestant {
                Contestant::Psw(search) => self.psw_ready(contestant, search)?,
                Contestant::Spin(build) => match self.spin_ready(contestant, *build, table_log2)? {
                    Ok(made) => made,
                    Err(why) => return Ok(Err(why)),
                },
            };
            if let Contestant::Psw(_) = contestant {
                match self.turn(&made)? {
                    Ok(turn) => table_log2 = turn.search.states.next_power_of_two().ilog2().max(LEAST_TABLE_LOG2),
                    Err(why) => return Ok(Err(why)),
                }
            }
            ready.push(made);
        }
        ready.reverse();
        let mut turns: Vec<Vec<Turn>> = ready.iter().map(|_| Vec::new()).collect();
        for _ in 0..self.repeat.max(1) {
            for (made, turns) in ready.iter().zip(&mut turns) {
                match self.turn(made)? {
                    Ok(turn) => turns.push(turn),
                    Err(why) => return Ok(Err(why)),
                }
            }
        }
        let judge = &turns[0][0];
        for (contestant, turns) in contestants.iter().zip(&turns) {
            if let Some(what) = turns.iter().find_map(|turn| difference(contestant, turn, judge)) {
                return Ok(Err(format!("{contestant} has {what}")));
            }
        }
        let mut figures: Vec<Figures> = ready.iter().zip(&turns).map(|(made, turns)| best(made, turns)).collect();
        if self.callgrind {
            for (made, figures) in ready.iter().zip(&mut figures) {
                figures.instructions = self.instructions(made)?;
            }
        }
        Ok(Ok(figures))
    }

    fn psw_ready<'c>(&self, contestant: &'c Contestant, search: &str) -> Result<Ready<'c>> {
        let memory = format!("{}M", self.limits.megabytes * 9 / 10);
        let mut args = vec!["check".to_string(), self.model.path.display().to_string()];
        args.extend(self.model.flags.iter().cloned());
        // What follows the search are options: `bfs --compress`.
        let mut words = search.split_whitespace();
        args.extend(["--search", words.next().unwrap_or("bfs")].map(str::to_string));
        args.extend(words.map(str::to_string));
        // All contestants have the same states.
        if !search.contains("--reduce") {
            args.push("--no-reduction".to_string());
        }
        let rest = ["--safety", "--all-errors", "--format", "json", "--max-memory", &memory];
        args.extend(rest.map(str::to_string));
        let program = PathBuf::from(self.psw.command().get_program());
        Ok(Ready { contestant, program, args, preparation: 0.0, dir: tempfile::tempdir()? })
    }

    fn spin_ready<'c>(
        &self,
        contestant: &'c Contestant,
        build: SpinBuild,
        table_log2: u32,
    ) -> Result<Result<Ready<'c>, String>> {
        let strings = |words: &[&str]| words.iter().map(|word| word.to_string()).collect::<Vec<_>>();
        let mut options = Options {
            spin: self.model.flags.clone(),
            gcc: vec![format!("-DMEMLIM={}", self.limits.megabytes)],
            pan: strings(&["-m2000000"]),
        };
        if build != SpinBuild::Default {
            options.spin.extend(strings(&["-o1", "-o2", "-o3"]));
            options.gcc.push("-DNOREDUCE".to_string());
            options.pan.push(format!("-w{table_log2}"));
        }
        if build == SpinBuild::Collapse {
            options.gcc.push("-DCOLLAPSE".to_string());
        }
        let verifier = match Verifier::make(&self.model.path, options, self.limits)? {
            Ok(verifier) => verifier,
            Err(why) => return Ok(Err(why)),
        };
        if Verifier::is_too_narrow(&verifier.run(self.limits)?) {
            verifier.widen(self.limits)?;
        }
        let Verifier { program, args, wall, dir, .. } = verifier;
        Ok(Ok(Ready { contestant, program, args, preparation: wall.as_secs_f64(), dir }))
    }

    fn turn(&self, made: &Ready) -> Result<Result<Turn, String>> {
        let measured = measured::run(&made.program, &made.args, made.dir.path(), self.limits)?;
        let answer = match made.contestant {
            Contestant::Spin(_) => spin::read_report(&measured.ran),
            Contestant::Psw(_) => psw::read_report(&measured.ran),
        };
        let search = match answer {
            Answer::Searched(search) if search.complete => search,
            other => return Ok(Err(format!("{}: {other}", made.contestant))),
        };
        let Measured { ran, wall, cpu, rss, .. } = measured;
        let (wall, cpu) = (wall.as_secs_f64(), cpu.as_secs_f64());
        let turn = |distinct, exploration, store_bytes| Turn {
            search: search.clone(),
            distinct,
            wall,
            cpu,
            exploration,
            rss,
            store_bytes,
        };
        Ok(Ok(match made.contestant {
            Contestant::Spin(_) => {
                turn(Some(search.states), verifier::search_seconds(&ran.stdout, wall), pan_store_bytes(&ran.stdout))
            }
            Contestant::Psw(_) => {
                let figures: PswFigures = serde_json::from_str(&ran.stdout)?;
                turn(figures.distinct, figures.seconds, figures.peak_bytes)
            }
        }))
    }

    /// How many instructions a run takes.
    fn instructions(&self, made: &Ready) -> Result<Option<u64>> {
        let mut args = vec!["--tool=callgrind".to_string(), "--callgrind-out-file=/dev/null".to_string()];
        args.push(made.program.display().to_string());
        args.extend(made.args.iter().cloned());
        let patient = Limits { megabytes: self.limits.megabytes * 4, seconds: self.limits.seconds * 60 };
        let counted = measured::run(Path::new("valgrind"), &args, made.dir.path(), patient)?;
        let line = counted.ran.stderr.lines().find_map(|line| line.split_once("Collected :"));
        Ok(line.and_then(|(_, count)| count.trim().parse().ok()))
    }
}

/// A table of 2 MB; SPIN's own default is 128 MB.
const LEAST_TABLE_LOG2: u32 = 18;

/// What makes a turn not comparable with the judge's.
fn difference(contestant: &Contestant, turn: &Turn, judge: &Turn) -> Option<String> {
    if turn.search.first.is_some() != judge.search.first.is_some() {
        return Some(format!("another verdict: {}, not {}", turn.search, judge.search));
    }
    let sees_all = match contestant {
        Contestant::Spin(build) => *build != SpinBuild::Default,
        Contestant::Psw(search) => ["bfs", "dfs"].contains(&search.split_whitespace().next().unwrap_or_default()),
    };
    let same = match sees_all {
        true => (turn.search.states, turn.search.transitions) == (judge.search.states, judge.search.transitions),
        // Sweeps may meet a state twice; some can tell how many there are.
        false if matches!(contestant, Contestant::Psw(_)) => {
            turn.distinct.is_none_or(|states| states == judge.search.states)
        }
        false => true,
    };
    (!same).then(|| format!("other states: {}, not {}", turn.search, judge.search))
}

/// The best of all turns, figure by figure.
fn best(made: &Ready, turns: &[Turn]) -> Figures {
    let least = |of: fn(&Turn) -> f64| turns.iter().map(of).fold(f64::INFINITY, f64::min);
    let states = turns.first().map_or(0, |turn| turn.search.states);
    let transitions = turns.first().map_or(0, |turn| turn.search.transitions);
    let wall = least(|turn| turn.wall);
    let exploration = least(|turn| turn.exploration);
    Figures {
        contestant: made.contestant.to_string(),
        states,
        transitions,
        end_to_end: made.preparation + wall,
        exploration,
        cpu: least(|turn| turn.cpu),
        rate: states as f64 / exploration,
        rss: least(|turn| turn.rss as f64),
        bytes_per_state: least(|turn| turn.store_bytes) / states.max(1) as f64,
        instructions: None,
    }
}

/// What pan says that states and their table take.
fn pan_store_bytes(report: &str) -> f64 {
    let line = |text: &str| report.lines().find(|line| line.contains(text)).and_then(|line| number_in(line, ""));
    let states = line("actual memory usage for states").or(line("equivalent memory usage for states"));
    (states.unwrap_or(0.0) + line("memory used for hash table").unwrap_or(0.0)) * f64::from(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "Stats on memory usage (in Megabytes):\n    9.543\tequivalent memory usage for states (stored)\n    \
        7.500\tactual memory usage for states (compression: 78.80%)\n    2.000\tmemory used for hash table (-w18)\n\n\
        pan: elapsed time 0.25 seconds\n";

    #[test]
    fn figures_of_pan_are_read() {
        assert_eq!(verifier::search_seconds(REPORT, 9.0), 0.25);
        assert_eq!(pan_store_bytes(REPORT), 9.5 * 1048576.0);
        let without = REPORT.replace("actual", "");
        assert!((pan_store_bytes(&without) / 1048576.0 - 11.543).abs() < 1e-9);
    }

    fn turn(states: u64, violated: bool) -> Turn {
        let first = violated.then(|| crate::answer::Kind("assertion".to_string()));
        let kinds = first.iter().cloned().collect();
        let search = Search {
            complete: true,
            once: true,
            states,
            transitions: 2 * states,
            errors: u64::from(violated),
            first,
            kinds,
        };
        Turn { search, distinct: Some(states), wall: 1.0, cpu: 1.0, exploration: 1.0, rss: 0, store_bytes: 0.0 }
    }

    #[test]
    fn other_answers_are_refused() {
        let judge = turn(100, false);
        let bfs = Contestant::Psw("bfs".to_string());
        assert_eq!(difference(&bfs, &turn(100, false), &judge), None);
        assert!(difference(&bfs, &turn(99, false), &judge).is_some());
        assert!(difference(&bfs, &turn(100, true), &judge).is_some());
        let reduced = Contestant::Spin(SpinBuild::Default);
        assert_eq!(difference(&reduced, &turn(50, false), &judge), None);
        assert!(difference(&reduced, &turn(50, true), &judge).is_some());
    }
}
