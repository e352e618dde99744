//! SPIN's trails: a trace as `spin -t` replays it.
//!
//! A line `depth:process:statement` for each move: the halves of a rendezvous, the statements of an atomic sequence and the
//! death of a process are lines of their own, a `d_step` is one. Statements are numbered through the whole model in the
//! order of its text, as SPIN numbers them without merging statements; so there is no header that asks for merging, and
//! none that starts a claim. SPIN starts no claim then, also if the model has one.

use std::fmt::Write;
use std::ops::ControlFlow;

use anyhow::{Context, bail, ensure};
use interp::exec::step::{Move, Path, Scratch, Sink};
use interp::inspect::trace::Trace;
use interp::{Model, StateSpace, Violation, Word};

/// A move as a trail has it: process and statement.
type Pair = (u32, u32);

/// The line in front of a cycle.
const CYCLE: &str = "-1:-1:-1\n";

/// The trail of a trace.
pub fn write(model: &Model, trace: &Trace) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for (number, step) in trace.steps.iter().enumerate() {
        if trace.cycle_start == Some(number) {
            text.push_str(CYCLE);
        }
        for a_move in &step.moves {
            let (process, statement) = pair(model, a_move);
            depth += 1;
            let _ = writeln!(text, "{depth}:{process}:{statement}");
        }
    }
    if trace.cycle_start == Some(trace.steps.len()) {
        text.push_str(CYCLE);
    }
    text
}

fn pair(model: &Model, a_move: &Move) -> Pair {
    let proctype = model.program.templates[a_move.template].proctype;
    let element = model.program.edges[a_move.edge].element;
    (u32::from(a_move.pid), model.program.elements_before[proctype] + element - 1)
}

/// The events of a trail.
pub fn read(text: &str, model: &Model) -> anyhow::Result<Vec<u32>> {
    let pairs = parse(text)?;
    let Ok(mut state) = model.initial() else {
        ensure!(pairs.is_empty(), "the model has no initial state");
        return Ok(Vec::new());
    };
    let mut scratch = Scratch::default();
    let mut events = Vec::new();
    let mut done = 0;
    loop {
        let mut search = Search { model, wanted: &pairs[done..], event: 0, step: None, end: None };
        let _ = model.walk(&state, &mut scratch, &mut search);
        match (search.end, search.step) {
            (Some(event), _) => {
                events.push(event);
                return Ok(events);
            }
            (None, Some(step)) if done < pairs.len() => {
                events.push(step.event);
                done += step.moves;
                state = step.next;
            }
            _ => bail!("no step of the model is line {} of the trail", done + 1),
        }
    }
}

fn parse(text: &str) -> anyhow::Result<Vec<Pair>> {
    let mut pairs = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let fields: Result<Vec<i64>, _> = line.trim().split(':').map(str::parse).collect();
        let [depth, process, statement] = fields
            .ok()
            .and_then(|fields| <[i64; 3]>::try_from(fields).ok())
            .with_context(|| format!("line {}: `depth:process:statement` expected", number + 1))?;
        match depth {
            -4 => bail!("it was written by a verifier that merges statements; generate that with `spin -o3 -a`"),
            -2 => bail!("it is a run with a claim, and psw follows runs of the model alone"),
            depth if depth < 0 => bail!("it has a header that psw does not know: {}", line.trim()),
            _ => {}
        }
        let part = |value: i64| u32::try_from(value).with_context(|| format!("line {}: a negative number", number + 1));
        pairs.push((part(process)?, part(statement)?));
    }
    Ok(pairs)
}

/// Looks for the event that the next lines of a trail are. No step is the beginning of another, but a violation can be.
struct Search<'a> {
    model: &'a Model,
    wanted: &'a [Pair],
    event: u32,
    /// The step that the next lines are.
    step: Option<Found>,
    /// A violation that uses the trail up.
    end: Option<u32>,
}

struct Found {
    event: u32,
    moves: usize,
    next: Vec<Word>,
}

impl Search<'_> {
    fn fits(&self, path: Path) -> bool {
        path.moves.len() <= self.wanted.len()
            && path.moves.iter().zip(self.wanted).all(|(a_move, &wanted)| pair(self.model, a_move) == wanted)
    }
}

impl Sink for Search<'_> {
    fn successor(&mut self, next: &[Word], path: Path) -> ControlFlow<()> {
        if self.step.is_none() && self.fits(path) {
            self.step = Some(Found { event: self.event, moves: path.moves.len(), next: next.to_vec() });
        }
        self.event += 1;
        ControlFlow::Continue(())
    }

    fn violation(&mut self, _: Violation, path: Path) -> ControlFlow<()> {
        if path.moves.len() == self.wanted.len() && self.fits(path) {
            self.end = Some(self.event);
            return ControlFlow::Break(());
        }
        self.event += 1;
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn lines_are_triples() {
        assert_eq!(parse("1:0:3\n2:1:7\n").ok(), Some(vec![(0, 3), (1, 7)]));
        assert_eq!(parse("\n").ok(), Some(vec![]));
        for wrong in ["1:0", "1:0:3:4", "a:b:c", "1:-1:2", "-4:-4:-4", "-2:1:-2", "-9:0:0", "99999999999999999999:0:0"]
        {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
