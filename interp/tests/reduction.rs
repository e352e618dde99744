//! Reduced searches against full ones, on all models, in fixed layouts and in others.
//!
//! *Searches:* breadth-first, depth-first and in a random order, with the proviso that they owe to a reduction: the same
//! violations, the same states in which nothing can move, the same executed edges, the same values of whatever is observed;
//! every violation has a run of the model itself. *Cycles:* where the reduction has the proviso, cycles and dead states
//! with the same values of what is observed. *Definition:* on small models, whatever the processes outside of a cluster do
//! on their own, the steps of the cluster stay as they are and commute with it. Endless sequences end an expansion, so only
//! the verdict is compared where one is met.
//!
//! With `REDUCTION_MODELS` set to a folder, its models are judged instead.

mod common;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use common::{load, models};
use interp::analysis::dependence::Observed;
use interp::analysis::unused::{Unused, UnusedKinds};
use interp::code::flow::LocationFlags;
use interp::exec::reduction::{Proviso, Reduction, Reductions};
use interp::exec::step::{Move, Path as Moves, Scratch, Sink};
use interp::ids::ExpressionId;
use interp::inspect::expression::Expressions;
use interp::model::Tables;
use interp::{Analysis, Model, StateSpace, Violation, ViolationKind, Visit, Word};
use promela::model::{BasicType, CheckedModel, Expr, Ltl, VarType};

/// The moves of a step, and what they lead to.
type MovesTo = (Vec<Move>, Event);

/// States of one exploration, and of one whose clusters are judged by their definition.
const MOST: usize = 5_000;
const MOST_BY_DEFINITION: usize = 200;
/// States that others reach on their own from one state.
const MOST_WITHOUT: usize = 40;
/// Events of one state, and looks at the limits, after which it is given up.
const MOST_EVENTS: usize = 20_000;
const PATIENCE: u32 = 2_000;

/// A model with what is observed of it.
struct Subject {
    model: Model,
    expressions: Vec<ExpressionId>,
}

fn atoms(formula: &Ltl, all: &mut Vec<Expr>) {
    match formula {
        Ltl::Atom(expr) => all.push(expr.clone()),
        Ltl::Not(one) | Ltl::Next(one) | Ltl::Always(one) | Ltl::Eventually(one) => atoms(one, all),
        Ltl::And(one, other)
        | Ltl::Or(one, other)
        | Ltl::Implies(one, other)
        | Ltl::Equivalent(one, other)
        | Ltl::Until(one, other)
        | Ltl::WeakUntil(one, other)
        | Ltl::Release(one, other) => {
            atoms(one, all);
            atoms(other, all);
        }
    }
}

/// Some scalars among the globals.
fn globals(checked: &CheckedModel) -> Vec<Expr> {
    let is_scalar = |ty| matches!(ty, VarType::Basic(ty) if ty != BasicType::Chan);
    let names = checked.globals.values().filter(|var| is_scalar(var.ty) && var.len.is_none()).map(|var| &var.name);
    let mut sources = promela::source::Sources::default();
    let parsed = names.take(2).flat_map(|name| promela::parse_expressions(&mut sources, "observed", name).0);
    parsed.filter_map(|expr| promela::check_expression(checked, &expr, &mut Vec::new())).collect()
}

/// Compiles a model, and expressions to observe if that is wanted.
fn subject(path: &Path, analysis: Analysis, observes: bool) -> Option<Subject> {
    if !observes {
        return load(path, analysis).map(|model| Subject { model, expressions: Vec::new() });
    }
    let checked = common::checked(path)?;
    let mut observed = Vec::new();
    checked.ltl.iter().for_each(|block| atoms(&block.formula, &mut observed));
    observed.truncate(3);
    observed.extend(globals(&checked));
    let mut expressions = Expressions::default();
    let ids = observed.into_iter().map(|expr| expressions.observe(expr)).collect();
    let model = Model::with(checked, analysis, &expressions);
    Some(Subject { model, expressions: ids })
}

/// Which state is expanded next.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Order {
    First,
    Last,
    Random,
}

/// What happens in a state.
type Event = Result<Vec<Word>, Violation>;

/// Collects the events of one state.
struct Collector<'a> {
    events: Vec<Event>,
    /// Whether the events so far suffice.
    suffices: &'a mut dyn FnMut(&[Event]) -> bool,
    /// The number of events when that was asked, and the answer.
    asked: Option<(usize, bool)>,
    looks: u32,
}

impl<'a> Collector<'a> {
    fn new(suffices: &'a mut dyn FnMut(&[Event]) -> bool) -> Self {
        Collector { events: Vec::new(), suffices, asked: None, looks: 0 }
    }

    fn event(&mut self, number: u32, event: Event) -> ControlFlow<()> {
        assert_eq!(number as usize, self.events.len(), "events are numbered");
        self.events.push(event);
        if self.events.len() > MOST_EVENTS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

impl Visit<Violation> for Collector<'_> {
    fn successor(&mut self, event: u32, next: &[Word]) -> ControlFlow<()> {
        self.event(event, Ok(next.to_vec()))
    }

    fn violation(&mut self, event: u32, violation: Violation) -> ControlFlow<()> {
        self.event(event, Err(violation))
    }

    fn left_out(&mut self, _: u32) -> ControlFlow<()> {
        unreachable!("a model leaves out nothing")
    }

    fn suffices(&mut self) -> bool {
        assert_eq!(self.asked, None, "asked once");
        let answer = (self.suffices)(&self.events);
        self.asked = Some((self.events.len(), answer));
        answer
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        self.looks += 1;
        if self.looks > PATIENCE { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

fn is_endless(violation: &Violation) -> bool {
    matches!(violation.kind, ViolationKind::EndlessAtomic | ViolationKind::EndlessDStep)
}

fn name(violation: &Violation) -> String {
    let Violation { kind, pid, span } = violation;
    format!("{kind:?} {pid:?} {span:?}")
}

/// What an exploration meets.
#[derive(Default)]
struct Met {
    states: Vec<Vec<Word>>,
    successors: Vec<Vec<usize>>,
    /// Each with a run to it.
    violations: BTreeMap<String, (Violation, Vec<u32>)>,
    is_endless: bool,
    /// States in which nothing can move.
    dead: Vec<usize>,
    /// States in which not all steps were taken.
    reduced: usize,
}

impl Met {
    fn names(&self) -> BTreeSet<&String> {
        self.violations.keys().collect()
    }
}

/// Explores; `None` if that takes too long.
fn explore(model: &Model, reduction: Option<&Reduction>, order: Order, most: usize) -> Option<Met> {
    let mut met = Met::default();
    let initial = match reduction {
        Some(reduction) => reduction.initial(model),
        None => model.initial(),
    };
    let initial = match initial {
        Ok(initial) => initial,
        Err(violation) => {
            met.violations.insert(name(&violation), (violation, Vec::new()));
            return Some(met);
        }
    };
    let mut known = HashMap::from([(initial.clone(), 0)]);
    let mut from: Vec<Option<(usize, u32)>> = vec![None];
    met.states.push(initial);
    met.successors.push(Vec::new());
    let mut is_done = vec![false];
    let mut waiting = VecDeque::from([0]);
    let mut scratch = model.scratch();
    let mut random = 88_172_645_463_325_252u64;
    loop {
        let next = match order {
            Order::First => waiting.pop_front(),
            Order::Last => waiting.pop_back(),
            Order::Random => {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let at = random as usize % waiting.len().max(1);
                waiting.swap_remove_back(at)
            }
        };
        let Some(state) = next else { break };
        is_done[state] = true;
        let mut later = |events: &[Event]| {
            events.iter().flatten().any(|next| known.get(next).is_none_or(|&next: &usize| !is_done[next]))
        };
        let mut collector = Collector::new(&mut later);
        let words = met.states[state].clone();
        match reduction {
            None => model.expand(&words, &mut scratch, &mut collector),
            Some(reduction) => model.expand_reduced(reduction, &words, &mut scratch, &mut collector),
        }
        .is_continue()
        .then_some(())?;
        met.reduced += usize::from(collector.asked.is_some_and(|(_, answer)| answer));
        let events = collector.events;
        if !events.iter().any(Result::is_ok) {
            met.dead.push(state);
        }
        for (number, event) in events.into_iter().enumerate() {
            match event {
                Ok(next) => {
                    let at = met.states.len();
                    let at = *known.entry(next.clone()).or_insert(at);
                    met.successors[state].push(at);
                    if at == met.states.len() {
                        met.states.push(next);
                        met.successors.push(Vec::new());
                        is_done.push(false);
                        from.push(Some((state, number as u32)));
                        waiting.push_back(at);
                    }
                }
                Err(violation) if is_endless(&violation) => met.is_endless = true,
                Err(violation) => {
                    met.violations.entry(name(&violation)).or_insert_with(|| {
                        let mut run = vec![number as u32];
                        let mut at = state;
                        while let Some((before, event)) = from[at] {
                            run.push(event);
                            at = before;
                        }
                        run.reverse();
                        (violation, run)
                    });
                }
            }
        }
        if met.states.len() > most {
            return None;
        }
    }
    Some(met)
}

/// States in which nothing can move, with what a reduction clears set to zero.
fn cleared(model: &Model, unused: &Unused, met: &Met) -> BTreeSet<Vec<Word>> {
    met.dead.iter().map(|&state| clear(model, unused, &met.states[state])).collect()
}

fn clear(model: &Model, unused: &Unused, state: &[Word]) -> Vec<Word> {
    let (mut words, mut tables) = (state.to_vec(), Tables::default());
    model.locate(&words, &mut tables);
    unused.clear(model, &mut words, &tables);
    words
}

fn values(subject: &Subject, met: &Met) -> Vec<BTreeSet<i32>> {
    let all = |&id: &ExpressionId| met.states.iter().map(|state| subject.model.value(id, state)).collect();
    subject.expressions.iter().map(all).collect()
}

fn coverage(subject: &Subject) -> Vec<bool> {
    subject.model.program.edges.keys().map(|edge| subject.model.coverage.contains(edge)).collect()
}

/// What temporal formulas can see: for each observed expression and pair of them, what cycles and runs there are.
fn visible_cycles(subject: &Subject, met: &Met) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let count = met.states.len();
    let mut sides: Vec<(String, Vec<bool>)> = Vec::new();
    for (number, &id) in subject.expressions.iter().enumerate() {
        let holds: Vec<bool> = met.states.iter().map(|state| subject.model.value(id, state) != 0).collect();
        let fails = holds.iter().map(|holds| !holds).collect();
        sides.push((format!("e{number}"), holds));
        sides.push((format!("!e{number}"), fails));
    }
    sides.push(("accept".to_owned(), met.states.iter().map(|state| subject.model.is_at_accept(state)).collect()));
    sides.push(("true".to_owned(), vec![true; count]));
    let on_cycle = |inside: &[bool]| -> Vec<bool> {
        let filtered: Vec<Vec<usize>> = (0..count)
            .map(|state| {
                let next = met.successors[state].iter().copied().filter(|&next| inside[state] && inside[next]);
                next.collect()
            })
            .collect();
        let components = graph::components(&filtered);
        (0..count)
            .map(|state| inside[state] && (components.is_on_cycle(state) || met.successors[state].is_empty()))
            .collect()
    };
    let cycles: Vec<Vec<bool>> = sides.iter().map(|(_, inside)| on_cycle(inside)).collect();
    let all_cycles = cycles.last().expect("one for true").clone();
    for (one, holds) in &sides {
        let once = (0..count).any(|state| all_cycles[state] && holds[state]);
        found.push((format!("a cycle with {one}"), once));
        // Everything that can be reached from where it holds.
        let mut reached = holds.clone();
        let mut open: Vec<usize> = (0..count).filter(|&state| holds[state]).collect();
        while let Some(state) = open.pop() {
            for &next in &met.successors[state] {
                if !std::mem::replace(&mut reached[next], true) {
                    open.push(next);
                }
            }
        }
        for ((other, also), cycle) in sides.iter().zip(&cycles) {
            let later = (0..count).any(|state| reached[state] && also[state]);
            found.push((format!("{one}, later {other}"), later));
            let always = (0..count).any(|state| reached[state] && cycle[state]);
            found.push((format!("{one}, later always {other}"), always));
            let both = {
                let components = graph::components(&met.successors);
                (0..count).any(|state| {
                    holds[state]
                        && (components.is_on_cycle(state) || met.successors[state].is_empty())
                        && components.members[components.rank[state] as usize].iter().any(|&member| also[member])
                })
            };
            if count < 3_000 {
                found.push((format!("a cycle with {one} and {other}"), both));
            }
        }
    }
    found
}

/// What was compared.
#[derive(Default, Debug)]
struct Totals {
    models: usize,
    full: usize,
    reduced: usize,
    judged: usize,
    clusters: usize,
}

fn fail(problems: &mut Vec<String>, path: &Path, what: &str, detail: String) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut detail = detail;
    detail.truncate(600);
    problems.push(format!("{name}: {what}: {detail}"));
}

/// Searches of one model with each kind of reduction.
fn searches(path: &Path, analysis: Analysis, problems: &mut Vec<String>, totals: &mut Totals) -> Option<()> {
    for observes in [false, true] {
        let full_subject = subject(path, analysis, observes)?;
        let full = explore(&full_subject.model, None, Order::First, MOST)?;
        let full_coverage = coverage(&full_subject);
        let full_values = values(&full_subject, &full);
        totals.models += 1;
        for (kinds, order) in [
            (Reductions::CLUSTERS, Order::First),
            (Reductions::CLUSTERS, Order::Random),
            (Reductions::CLUSTERS | Reductions::MOVERS, Order::Random),
            (Reductions::CHAINS, Order::Last),
            (Reductions::CLUSTERS | Reductions::CHAINS, Order::Last),
            (Reductions::CLUSTERS | Reductions::CHAINS, Order::Random),
            (Reductions::all(), Order::First),
            (Reductions::all(), Order::Random),
        ] {
            let subject = subject(path, analysis, observes)?;
            let model = &subject.model;
            let observed = Observed { expressions: subject.expressions.clone(), ..Observed::default() };
            let Some(reduction) = Reduction::new(model, kinds, Proviso::Search, &observed) else { continue };
            let what = |detail: &str| format!("{analysis:?} {observes} {kinds:?} {order:?}: {detail}");
            let Some(met) = explore(model, Some(&reduction), order, MOST) else {
                fail(problems, path, &what("more states"), String::new());
                continue;
            };
            totals.full += full.states.len();
            totals.reduced += met.states.len();
            if met.violations.is_empty() && !met.is_endless && (full.is_endless || !full.violations.is_empty()) {
                fail(problems, path, &what("no violation"), String::new());
            }
            if met.is_endless != full.is_endless {
                fail(problems, path, &what("endless"), format!("{} {}", full.is_endless, met.is_endless));
            }
            // The run of each violation.
            for (violation, run) in met.violations.values().take(10) {
                let unreduced = model.unreduced(&reduction, run, &mut || true).map(|events| events.concat());
                let replayed = unreduced.and_then(|events| model.replay(&events)).map(|trace| trace.violation);
                if !matches!(replayed, Ok(Some(found)) if found == *violation) {
                    let (violation, run) = (name(violation), format!("{run:?} {replayed:?}"));
                    fail(problems, path, &what(&violation), run);
                }
            }
            if full.is_endless {
                continue;
            }
            if full.names() != met.names() {
                let lost: Vec<_> = full.names().difference(&met.names()).cloned().cloned().collect();
                let made_up: Vec<_> = met.names().difference(&full.names()).cloned().cloned().collect();
                fail(problems, path, &what("violations"), format!("lost {lost:?}, made up {made_up:?}"));
            }
            let mut unused = UnusedKinds::empty();
            unused.set(UnusedKinds::IRRELEVANT, kinds.contains(Reductions::IRRELEVANT));
            unused.set(UnusedKinds::DEAD, kinds.contains(Reductions::DEAD));
            let unused = Unused::new(model, unused, &observed.expressions, false);
            // A step clears what it changes; that must be all there is.
            if met.states.iter().any(|state| clear(model, &unused, state) != *state) {
                fail(problems, path, &what("not cleared"), String::new());
            }
            let (all, few) = (cleared(model, &unused, &full), cleared(model, &unused, &met));
            if all != few {
                let detail = format!("{} and {}", all.len(), few.len());
                fail(problems, path, &what("states in which nothing can move"), detail);
            }
            if full_values != values(&subject, &met) {
                fail(problems, path, &what("values"), format!("{full_values:?} {:?}", values(&subject, &met)));
            }
            let Subject { model, .. } = &subject;
            let edges: Vec<bool> = model.program.edges.keys().map(|edge| model.coverage.contains(edge)).collect();
            if full_coverage != edges {
                let differ = (0..edges.len()).filter(|&edge| edges[edge] != full_coverage[edge]).collect::<Vec<_>>();
                fail(problems, path, &what("executed edges"), format!("{differ:?}"));
            }
            stable(model, &reduction, &met, path, problems);
        }
    }
    Some(())
}

/// The same state has the same events, however the search answers.
fn stable(model: &Model, reduction: &Reduction, met: &Met, path: &Path, problems: &mut Vec<String>) {
    let (mut scratch, mut other) = (model.scratch(), model.scratch());
    for state in met.states.iter().take(100) {
        let events = |scratch: &mut Scratch, answer: bool| {
            let mut suffices = |_: &[Event]| answer;
            let mut collector = Collector::new(&mut suffices);
            let _ = model.expand_reduced(reduction, state, scratch, &mut collector);
            (collector.events, collector.asked)
        };
        let (all, asked) = events(&mut scratch, false);
        let (few, also_asked) = events(&mut other, true);
        let (again, _) = events(&mut scratch, false);
        let of = |asked: Option<(usize, bool)>| asked.map(|(count, _)| count);
        if all != again || of(asked) != of(also_asked) || few.len() > all.len() || few[..] != all[..few.len()] {
            fail(problems, path, "events change", format!("{state:?}"));
        }
    }
}

/// Cycles of one model with and without reduction.
fn cycles(path: &Path, analysis: Analysis, problems: &mut Vec<String>, totals: &mut Totals) -> Option<()> {
    let subject = subject(path, analysis, true)?;
    let model = &subject.model;
    let full = explore(model, None, Order::First, MOST)?;
    let expected = visible_cycles(&subject, &full);
    totals.models += 1;
    let steps = Reductions::CLUSTERS | Reductions::CHAINS;
    for kinds in [Reductions::CLUSTERS, Reductions::CHAINS, steps, steps | Reductions::MOVERS] {
        let observed =
            Observed { expressions: subject.expressions.clone(), labels: LocationFlags::ACCEPT, ..Observed::default() };
        let Some(reduction) = Reduction::new(model, kinds, Proviso::Cycles, &observed) else { continue };
        let met = explore(model, Some(&reduction), Order::First, MOST)?;
        totals.full += full.states.len();
        totals.reduced += met.states.len();
        if full.is_endless {
            continue;
        }
        let found = visible_cycles(&subject, &met);
        if met.states.len() < 3_000 && full.states.len() >= 3_000 {
            let names: HashSet<&String> = expected.iter().map(|(name, _)| name).collect();
            if found.iter().filter(|(name, _)| names.contains(name)).ne(expected.iter()) {
                fail(problems, path, "cycles", format!("{analysis:?} {kinds:?}"));
            }
            continue;
        }
        if found != expected {
            let differ: Vec<_> = expected.iter().zip(&found).filter(|(one, other)| one != other).collect();
            let (violations, states) = (full.names(), (full.states.len(), met.states.len()));
            fail(problems, path, "cycles", format!("{analysis:?} {kinds:?}: {differ:?}; {violations:?} {states:?}"));
        }
    }
    Some(())
}

/// Collects the steps of a state with their moves.
#[derive(Default)]
struct Steps(Vec<(Vec<Move>, Event)>);

impl Sink for Steps {
    fn successor(&mut self, next: &[Word], path: Moves) -> ControlFlow<()> {
        self.0.push((path.moves.to_vec(), Ok(next.to_vec())));
        if self.0.len() > 500 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn violation(&mut self, violation: Violation, path: Moves) -> ControlFlow<()> {
        self.0.push((path.moves.to_vec(), Err(violation)));
        if is_endless(&violation) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn working(&mut self, _: usize) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

fn steps(model: &Model, state: &[Word], scratch: &mut Scratch) -> Option<Vec<(Vec<Move>, Event)>> {
    let mut found = Steps::default();
    model.walk(state, scratch, &mut found).is_continue().then_some(found.0)
}

/// Clusters by their definition, in every state of a small model.
fn definition(path: &Path, analysis: Analysis, problems: &mut Vec<String>, totals: &mut Totals) -> Option<()> {
    let subject = subject(path, analysis, false)?;
    let model = &subject.model;
    let full = explore(model, None, Order::First, MOST_BY_DEFINITION)?;
    let reduction = Reduction::new(model, Reductions::CLUSTERS, Proviso::Search, &Observed::default())?;
    if full.is_endless {
        return None;
    }
    totals.judged += 1;
    let mut scratch = model.scratch();
    for state in &full.states {
        for is_single in [false, true] {
            for cluster in model.clusters_of(&reduction, state, is_single, &mut scratch) {
                totals.clusters += 1;
                if let Err(why) = persistent(model, state, &cluster, &mut scratch) {
                    fail(problems, path, "definition", format!("{analysis:?} {cluster:?} in {state:?}: {why}"));
                    return None;
                }
            }
        }
    }
    Some(())
}

fn persistent(model: &Model, state: &[Word], cluster: &[usize], scratch: &mut Scratch) -> Result<(), String> {
    // A violation can be found before the move that it is about.
    let is_inside = |step: &(Vec<Move>, Event)| {
        let pid = step.1.as_ref().err().and_then(|violation| violation.pid).filter(|_| step.0.is_empty());
        let pids = step.0.iter().map(|a| a.pid).chain(pid);
        pids.into_iter().any(|pid| cluster.contains(&usize::from(pid)))
    };
    let of_cluster = |steps: &[(Vec<Move>, Event)]| steps.iter().filter(|step| is_inside(step)).cloned().collect();
    let Some(first) = steps(model, state, scratch) else { return Ok(()) };
    let own: Vec<(Vec<Move>, Event)> = of_cluster(&first);
    let same = |one: &[(Vec<Move>, Event)], other: &[(Vec<Move>, Event)]| {
        one.len() == other.len()
            && one
                .iter()
                .zip(other)
                .all(|(one, other)| one.0 == other.0 && one.1.as_ref().err() == other.1.as_ref().err())
    };
    let mut known = HashSet::from([state.to_vec()]);
    let mut open = VecDeque::from([(state.to_vec(), own)]);
    while let Some((before, own)) = open.pop_front() {
        let Some(all) = steps(model, &before, scratch) else { return Ok(()) };
        for other in all.iter().filter(|step| !is_inside(step)) {
            // The other step after each step of the cluster, and the other way round.
            let after: Option<(Vec<Word>, Vec<MovesTo>)> = match &other.1 {
                Err(_) => None,
                Ok(next) => {
                    let Some(then) = steps(model, next, scratch) else { return Ok(()) };
                    let then: Vec<_> = of_cluster(&then);
                    if !same(&own, &then) {
                        return Err(format!("{:?} changes {own:?} to {then:?}", other.0));
                    }
                    Some((next.clone(), then))
                }
            };
            for (number, step) in own.iter().enumerate() {
                let Ok(end) = &step.1 else { continue };
                let Some(later) = steps(model, end, scratch) else { return Ok(()) };
                let found =
                    later.iter().find(|step| step.0 == other.0 && step.1.as_ref().err() == other.1.as_ref().err());
                let Some(found) = found else {
                    return Err(format!("{:?} is not possible after {:?}", other.0, step.0));
                };
                if let (Ok(one), Some((_, then))) = (&found.1, &after)
                    && then[number].1.as_ref().ok() != Some(one)
                {
                    return Err(format!("{:?} and {:?} do not commute", other.0, step.0));
                }
            }
            if let Some((next, then)) = after
                && known.len() < MOST_WITHOUT
                && known.insert(next.clone())
            {
                open.push_back((next, then));
            }
        }
    }
    Ok(())
}

fn all_models() -> Vec<PathBuf> {
    if let Ok(folder) = std::env::var("REDUCTION_MODELS") {
        return models(&folder);
    }
    // Those of the last folder have no meaning in SPIN.
    ["tests/models", "examples", "interp/tests/reduction"].iter().flat_map(|folder| models(folder)).collect()
}

/// Whether enough was compared to mean anything.
fn is_enough(is_enough: bool) {
    assert!(is_enough || std::env::var("REDUCTION_MODELS").is_ok(), "too little was compared");
}

fn judge(what: impl Fn(&Path, Analysis, &mut Vec<String>, &mut Totals) -> Option<()>) -> Totals {
    let (mut problems, mut totals) = (Vec::new(), Totals::default());
    for path in all_models() {
        for analysis in [Analysis::Full, Analysis::Plain] {
            let judged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                what(&path, analysis, &mut problems, &mut totals);
            }));
            if judged.is_err() {
                fail(&mut problems, &path, "panic", format!("{analysis:?}"));
            }
        }
    }
    println!("{totals:?}");
    assert!(problems.is_empty(), "{} problems\n{}", problems.len(), problems.join("\n"));
    totals
}

#[test]
fn reduced_searches_meet_the_same() {
    let totals = judge(searches);
    is_enough(totals.models > 100 && totals.reduced < totals.full);
}

#[test]
fn reduced_graphs_have_the_same_cycles() {
    let totals = judge(cycles);
    is_enough(totals.models > 100 && totals.reduced < totals.full);
}

#[test]
fn clusters_are_persistent() {
    let totals = judge(definition);
    is_enough(totals.judged > 100 && totals.clusters > 1000);
}
