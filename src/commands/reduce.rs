//! `psw reduce`: what reductions can do with a model, and what stands in their way.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

use interp::Model;
use interp::analysis::dependence::explain::{
    ChannelPart, Explanation, Obstacle, OwnCluster, PlaceReport, Reason, Shared, Subject, Usage, explain,
};
use interp::analysis::unused::{Unused, UnusedKinds};
use interp::code::program::Guard;
use promela::source::Sources;
use serde::Serialize;

use crate::cli::{Format, ReduceCommandArgs};
use crate::load::{Loaded, load};
use crate::report::trace;
use crate::{Status, terminal};

/// The most lines of a list, unless all are wanted.
const MOST_LINES: usize = 20;
/// The most statements of a line, unless all are wanted.
const MOST_USES: usize = 8;
/// The most pairs of statements that share one thing in JSON, unless all are wanted.
const MOST_PAIRS: usize = 1_000;

/// Runs the command.
pub fn run(args: &ReduceCommandArgs) -> anyhow::Result<Status> {
    let Some(loaded) = load(&args.model, false)? else { return Ok(Status::BadInput) };
    let report = Report::new(&args.model.model.display().to_string(), &loaded, args.all);
    let mut out = terminal::stdout_as(args.format);
    match args.format {
        Format::Text => out.write_all(report.text(args.all).as_bytes())?,
        Format::Json => {
            serde_json::to_writer_pretty(&mut out, &report)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(Status::Good)
}

/// What is reported, in either format.
#[derive(Serialize)]
struct Report {
    version: u32,
    model: String,
    /// Whether the model is small enough to be reduced.
    reducible: bool,
    /// Whether all pairs of statements were compared.
    complete: bool,
    irrelevant: Vec<String>,
    proctypes: Vec<Proctype>,
    statements: Vec<Statement>,
    shared: Vec<SharedThing>,
}

#[derive(Serialize)]
struct Proctype {
    name: String,
    /// Of the processes that are known before the run.
    pids: Vec<usize>,
    irrelevant: Vec<String>,
    dead: Vec<DeadVariable>,
    locations: Vec<Location>,
}

#[derive(Serialize)]
struct DeadVariable {
    variable: String,
    lines: Vec<u32>,
}

#[derive(Serialize)]
struct Location {
    line: u32,
    cluster: &'static str,
    /// Where processes differ: their pids.
    clusters: Option<BTreeMap<&'static str, Vec<usize>>>,
    steps: Vec<usize>,
    shared: Vec<usize>,
    closes_cycle: bool,
}

#[derive(Serialize)]
struct Statement {
    process: String,
    file: String,
    line: u32,
    /// As written.
    statement: String,
}

#[derive(Serialize)]
struct SharedThing {
    kind: &'static str,
    name: Option<String>,
    locations: usize,
    alone: usize,
    uses: Vec<Use>,
    pair_count: usize,
    pairs: Vec<Pair>,
}

#[derive(Serialize)]
struct Use {
    statement: usize,
    does: Vec<&'static str>,
}

#[derive(Serialize)]
struct Pair {
    statements: [usize; 2],
    reasons: Vec<&'static str>,
}

impl Report {
    fn new(file: &str, loaded: &Loaded, is_all: bool) -> Self {
        let Loaded { model, sources, .. } = loaded;
        let unused = Unused::new(model, UnusedKinds::all(), &[], true);
        let found = explain(model);
        let reducible = found.is_some();
        let nothing = Explanation { statements: vec![], places: vec![], shared: vec![], is_complete: true };
        let Explanation { statements, places, shared, is_complete } = found.unwrap_or(nothing);
        let statement = |statement: &interp::analysis::dependence::explain::Statement| Statement {
            process: model.checked.proctypes[statement.proctype].name.to_string(),
            file: sources.file_name(statement.span).to_string(),
            line: sources.line(statement.span),
            statement: match statement.is_end {
                true => "-end-".to_owned(),
                false => trace::statement(sources, statement.span),
            },
        };
        let most_pairs = if is_all { usize::MAX } else { MOST_PAIRS };
        Report {
            version: 1,
            model: file.to_owned(),
            reducible,
            complete: is_complete,
            irrelevant: unused.irrelevant_globals(),
            proctypes: proctypes(model, sources, &unused, &places),
            statements: statements.iter().map(statement).collect(),
            shared: shared.iter().map(|shared| SharedThing::new(shared, most_pairs)).collect(),
        }
    }
}

/// Those that have code, in order of declaration.
fn proctypes(model: &Model, sources: &Sources, unused: &Unused, places: &[PlaceReport]) -> Vec<Proctype> {
    let mut all = Vec::new();
    for (id, proctype) in &model.checked.proctypes {
        let templates: Vec<_> = model.program.templates.iter().filter(|(_, code)| code.proctype == id).collect();
        let Some(&(first, code)) = templates.first() else { continue };
        let mut dead: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for (pc, location) in &code.graph.locations {
            // Behind its last statement everything is.
            let is_end = |edge| matches!(model.program.edges[edge].guard, Guard::End);
            if location.edges().all(is_end) {
                continue;
            }
            for variable in unused.dead_locals(first, pc) {
                dead.entry(variable).or_default().push(sources.line(location.span));
            }
        }
        let dead = dead.into_iter().map(|(variable, mut lines)| {
            lines.sort_unstable();
            lines.dedup();
            DeadVariable { variable, lines }
        });
        let locations = places.iter().filter(|place| place.proctype == id).map(|place| location(sources, place));
        let mut locations: Vec<Location> = locations.collect();
        locations.sort_by_key(|location| location.line);
        all.push(Proctype {
            name: proctype.name.to_string(),
            pids: templates.iter().filter_map(|&(id, _)| model.layout.templates[id].pid).collect(),
            irrelevant: unused.irrelevant_locals(first),
            dead: dead.collect(),
            locations,
        });
    }
    all
}

fn location(sources: &Sources, place: &PlaceReport) -> Location {
    let name = |cluster: OwnCluster| match cluster {
        OwnCluster::Always => "always",
        OwnCluster::Sometimes => "sometimes",
        OwnCluster::Never => "never",
    };
    let first = place.clusters.first().map_or(OwnCluster::Sometimes, |&(_, cluster)| cluster);
    let is_same = place.clusters.iter().all(|&(_, cluster)| cluster == first);
    let mut by_cluster: BTreeMap<&'static str, Vec<usize>> = BTreeMap::new();
    for &(pid, cluster) in &place.clusters {
        by_cluster.entry(name(cluster)).or_default().extend(pid);
    }
    Location {
        line: sources.line(place.span),
        cluster: if is_same { name(first) } else { "sometimes" },
        clusters: (!is_same).then_some(by_cluster),
        steps: place.steps.clone(),
        shared: place.shared.clone(),
        closes_cycle: place.closes_cycle,
    }
}

impl SharedThing {
    fn new(shared: &Shared, most_pairs: usize) -> Self {
        let (kind, name) = match &shared.subject {
            Subject::Variable(name) => ("variable", Some(name.to_string())),
            Subject::Channel(name) => ("channel", Some(name.to_string())),
            Subject::Processes => ("processes", None),
            Subject::Everything(Obstacle::Timeout) => ("timeout", None),
            Subject::Everything(Obstacle::Enabled) => ("enabled", None),
            Subject::Everything(Obstacle::Priorities) => ("priorities", None),
        };
        let uses = shared.uses.iter().map(|&(statement, usage)| Use { statement, does: words(usage) });
        let pairs = shared.pairs.iter().take(most_pairs).map(|pair| Pair {
            statements: pair.statements.into(),
            reasons: pair.reasons.iter().map(reason).collect(),
        });
        SharedThing {
            kind,
            name,
            locations: shared.places,
            alone: shared.alone,
            uses: uses.collect(),
            pair_count: shared.pairs.len(),
            pairs: pairs.collect(),
        }
    }

    /// The head of its line.
    fn title(&self) -> String {
        let name = self.name.as_deref().unwrap_or_default();
        match self.kind {
            "channel" => format!("channel {name}"),
            "processes" => "number of processes".to_owned(),
            "timeout" => "timeout: a step beside it depends on everything".to_owned(),
            "enabled" => "enabled: it depends on everything, and everything depends on it".to_owned(),
            "priorities" => "priorities differ: every step depends on everything".to_owned(),
            _ => name.to_owned(),
        }
    }
}

/// What a statement does, in the words of the report.
fn words(usage: Usage) -> Vec<&'static str> {
    const WORDS: [(Usage, &str); 11] = [
        (Usage::READS, "reads"),
        (Usage::WRITES, "writes"),
        (Usage::SENDS, "sends"),
        (Usage::RECEIVES, "receives"),
        (Usage::LOOKS, "looks"),
        (Usage::ASKS_FOR_PARTNERS, "asks for a partner"),
        (Usage::APPROACHES, "leads to a receive"),
        (Usage::CREATES, "creates"),
        (Usage::ENDS, "ends"),
        (Usage::COUNTS, "counts"),
        (Usage::DEPENDS, "depends"),
    ];
    WORDS.into_iter().filter(|&(flag, _)| usage.contains(flag)).map(|(_, word)| word).collect()
}

/// Why two statements depend on each other, in a word.
fn reason(reason: &Reason) -> &'static str {
    match reason {
        Reason::Variable(_) => "variable",
        Reason::Channel(_, part) => match part {
            ChannelPart::Tail => "tail",
            ChannelPart::Head => "head",
            ChannelPart::Contents => "contents",
            ChannelPart::Rendezvous => "rendezvous",
            ChannelPart::Existence => "existence",
            ChannelPart::WhileFull => "while full",
            ChannelPart::WhileEmpty => "while empty",
        },
        Reason::Creation => "creation",
        Reason::Death => "death",
        Reason::ProcessCount => "process count",
        Reason::Everything(_) => "everything",
    }
}

/// `1 location`, `2 locations`.
fn counted(count: usize, thing: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{plural}")
}

impl Report {
    fn text(&self, is_all: bool) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, is_all);
        text
    }

    fn write(&self, out: &mut String, is_all: bool) -> std::fmt::Result {
        if !self.reducible {
            return writeln!(out, "{}: too many locations: no step is left out", self.model);
        }
        let locations = || self.proctypes.iter().flat_map(|proctype| &proctype.locations);
        let are = |cluster: &str| locations().filter(|location| location.cluster == cluster).count();
        writeln!(
            out,
            "{}: {}; a process is a cluster of its own always at {}, sometimes at {}, never at {}",
            self.model,
            counted(locations().count(), "location"),
            are("always"),
            are("sometimes"),
            are("never")
        )?;
        if !self.irrelevant.is_empty() {
            writeln!(out, "only assigned, never part of an answer: {}", self.irrelevant.join(", "))?;
        }
        for proctype in &self.proctypes {
            self.write_proctype(out, proctype, is_all)?;
        }
        self.write_shared(out, is_all)
    }

    fn write_proctype(&self, out: &mut String, proctype: &Proctype, is_all: bool) -> std::fmt::Result {
        let pids: Vec<String> = proctype.pids.iter().map(usize::to_string).collect();
        let pids = match &pids[..] {
            [] => ", created at run time".to_owned(),
            [pid] => format!(", pid {pid}"),
            pids => format!(", pids {}", pids.join(", ")),
        };
        writeln!(out, "\n{}{pids}", proctype.name)?;
        writeln!(out, "{:>6}  {:<9}  steps", "line", "cluster")?;
        let shown = if is_all { usize::MAX } else { MOST_LINES };
        for location in proctype.locations.iter().take(shown) {
            let steps: Vec<String> =
                location.steps.iter().map(|&step| short(&self.statements[step].statement)).collect();
            let through: Vec<String> = location.shared.iter().map(|&shared| self.shared[shared].short_name()).collect();
            let through = match through.is_empty() {
                true => String::new(),
                false => format!("  [{}]", through.join(", ")),
            };
            let cycle = if location.closes_cycle { "  (closes a cycle)" } else { "" };
            let steps = steps.join(" | ");
            writeln!(out, "{:>6}  {:<9}  {steps}{through}{cycle}", location.line, location.cluster)?;
            for (cluster, pids) in location.clusters.iter().flatten() {
                let pids: Vec<String> = pids.iter().map(usize::to_string).collect();
                writeln!(out, "{:>17}  {cluster} with pid {}", "", pids.join(", "))?;
            }
        }
        if proctype.locations.len() > shown {
            writeln!(out, "        … {} more (--all)", counted(proctype.locations.len() - shown, "location"))?;
        }
        if !proctype.irrelevant.is_empty() {
            writeln!(out, "  only assigned: {}", proctype.irrelevant.join(", "))?;
        }
        for DeadVariable { variable, lines } in &proctype.dead {
            let plural = if lines.len() == 1 { "" } else { "s" };
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            writeln!(out, "  {variable} is dead in front of line{plural} {}", lines.join(", "))?;
        }
        Ok(())
    }

    fn write_shared(&self, out: &mut String, is_all: bool) -> std::fmt::Result {
        if self.shared.is_empty() {
            return writeln!(out, "\nno statement depends on what another process does");
        }
        writeln!(out, "\nwhat statements of different processes share, most harmful first:")?;
        let shown = if is_all { usize::MAX } else { MOST_LINES };
        for shared in self.shared.iter().take(shown) {
            let alone = match shared.alone {
                0 => String::new(),
                alone => format!(", {alone} through nothing else"),
            };
            writeln!(out, "  {} ({}{alone})", shared.title(), counted(shared.locations, "location"))?;
            // What is done, and where.
            let mut by_deed: BTreeMap<(&str, String), Vec<u32>> = BTreeMap::new();
            for Use { statement, does } in &shared.uses {
                let statement = &self.statements[*statement];
                by_deed.entry((&statement.process, does.join(" and "))).or_default().push(statement.line);
            }
            let most = if is_all { usize::MAX } else { MOST_USES };
            for ((process, does), mut lines) in by_deed {
                lines.sort_unstable();
                lines.dedup();
                let more = lines.len().saturating_sub(most);
                let plural = if lines.len() == 1 { "" } else { "s" };
                let lines: Vec<String> = lines.iter().take(most).map(u32::to_string).collect();
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                writeln!(out, "      {process} {does} in line{plural} {}{more}", lines.join(", "))?;
            }
        }
        if self.shared.len() > shown {
            writeln!(out, "  … {} more (--all)", self.shared.len() - shown)?;
        }
        if !self.complete {
            writeln!(out, "there are too many statements to compare them all: more may be shared")?;
        }
        Ok(())
    }
}

impl SharedThing {
    /// How it is called behind a location.
    fn short_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| self.kind.to_owned())
    }
}

/// The beginning of a statement.
fn short(statement: &str) -> String {
    const MOST: usize = 40;
    match statement.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &statement[..end]),
        None => statement.to_owned(),
    }
}
