//! Measures of real models: every search sees what depth-first search sees, and what is proven to be monotone is.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use interp::inspect::expression::Expressions;
use interp::{Analysis, Model, Word};
use progress::component::Claim;
use progress::sample::{Sample, Size};
use progress::{Mode, UserMeasure, choose, potential, process, variable};
use promela::model::CheckedModel;
use sweep::measure::Measure;
use sweep::{Algorithm, Limits, Meter, Observer, Outcome, SearchOptions, Stats, StopReason};

/// A model from text.
fn model(text: &str, defines: &[&str]) -> Model {
    Model::new(from_text(text, defines).expect("a correct model"))
}

fn from_text(text: &str, defines: &[&str]) -> Option<CheckedModel> {
    let path = Path::new("m.pml");
    checked(path, &promela::OneFile { path, bytes: text.as_bytes() }, defines)
}

fn read(path: &Path, defines: &[&str]) -> Option<Model> {
    checked(path, &promela::Disk, defines).map(Model::new)
}

fn checked(path: &Path, files: &impl promela::Files, defines: &[&str]) -> Option<CheckedModel> {
    let defines = defines.iter().map(|&define| define.to_owned()).collect();
    let options = promela::Options { defines, ..Default::default() };
    let parsed = promela::parse(path, files, &options);
    parsed.diagnostics.iter().all(|finding| finding.severity != promela::diagnostics::Severity::Error).then_some(())?;
    promela::check(&parsed.ast, &mut Vec::new())
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples").join(name)
}

/// The different states that were expanded.
#[derive(Default)]
struct Seen(HashSet<Vec<Word>>);

impl Observer for Seen {
    fn expanding(&mut self, state: &[Word], _: &Stats) {
        self.0.insert(state.to_vec());
    }
}

fn options(algorithm: Algorithm) -> SearchOptions {
    let limits = Limits { max_states: Some(200_000), ..Limits::default() };
    SearchOptions { algorithm, limits, all_errors: true, reexpansion_limit: Some(75), ..SearchOptions::default() }
}

fn run(model: &Model, measure: &mut impl Measure, algorithm: Algorithm) -> (Outcome<interp::Violation>, Seen) {
    let mut seen = Seen::default();
    let outcome = sweep::check_with(model, measure, &options(algorithm), &mut seen, &Meter::unlimited());
    (outcome, seen)
}

fn models_in(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut models: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    models.retain(|path| path.extension().is_some_and(|extension| extension == "pml"));
    models.sort();
    models
}

#[test]
fn every_sweep_sees_what_depth_first_search_sees() {
    let mut swept = 0;
    for path in models_in("examples").into_iter().chain(models_in("tests/models")) {
        let Some(model) = read(&path, &[]) else { continue };
        let (full, expected) = run(&model, &mut sweep::measure::NoMeasure, Algorithm::Dfs);
        if full.stopped.is_some() {
            continue;
        }
        for mode in [Mode::Auto, Mode::Control] {
            for algorithm in [Algorithm::Sweep, Algorithm::ColumnSweep] {
                let choice =
                    choose(&model, None, mode, Size { states: 300, walks: 4, steps: 100, few: 0 }, &Meter::unlimited());
                let (outcome, seen) = run(&model, &mut choice.measure.clone(), algorithm);
                assert_eq!(outcome.stopped, None, "{} {algorithm:?}", path.display());
                assert_eq!(outcome.verdict(), full.verdict(), "{} {algorithm:?}", path.display());
                assert!(seen.0 == expected.0, "{} {algorithm:?}: {} states", path.display(), seen.0.len());
                for found in &outcome.violations {
                    let trace = found.trace.as_ref().expect("the log fits in memory");
                    assert!(model.replay(trace).is_ok(), "{} {algorithm:?}", path.display());
                }
                for id in &outcome.demoted {
                    let component = &choice.measure.components()[id.0 as usize];
                    assert_eq!(component.claim, Claim::Presumed, "{}: {}", path.display(), component.name);
                }
            }
        }
        swept += 1;
    }
    assert!(swept > 20, "{swept} models");
}

#[test]
fn what_is_proven_never_falls() {
    for path in models_in("examples").into_iter().chain(models_in("tests/models")) {
        let Some(model) = read(&path, &[]) else { continue };
        let mut components = process::components(&model);
        components.extend(variable::components(&model));
        let sample = Sample::take(
            &model,
            None,
            &components,
            Size { states: 2_000, walks: 8, steps: 300, few: 0 },
            &Meter::unlimited(),
        );
        for (component, directions) in components.iter().zip(&sample.directions) {
            if component.claim == Claim::Proven {
                assert_eq!(directions.regress, 0, "{}: {}", path.display(), component.name);
            }
        }
    }
}

#[test]
fn the_papers_systems_need_little() {
    let peak = |name: &str, defines: &[&str]| {
        let model = read(&example(name), defines).expect("a correct example");
        let mut choice = choose(&model, None, Mode::Auto, Size::default(), &Meter::unlimited());
        let (full, _) = run(&model, &mut sweep::measure::NoMeasure, Algorithm::Bfs);
        let (outcome, _) = run(&model, &mut choice.measure, Algorithm::ColumnSweep);
        assert_eq!(outcome.stats.expanded, full.stats.states, "{name}: nothing is expanded twice");
        (outcome.stats.peak_states, full.stats.states)
    };
    let (least, all) = peak("master_slave.pml", &["SLAVES=6", "JOBS=40"]);
    assert!(least * 50 < all, "{least} of {all}");
    let (least, all) = peak("two_phase_commit.pml", &["VOTERS=6"]);
    assert!(least * 3 < all, "{least} of {all}");
    let (few, _) = peak("stop_and_wait.pml", &["PACKETS=50"]);
    let (many, _) = peak("stop_and_wait.pml", &["PACKETS=500"]);
    assert!(many * 10 <= few * 11, "{many} for 500 packets, {few} for 50");
}

/// The processes of stop-and-wait all go round; the paper's peak is 61.3 % of the states.
#[test]
fn where_processes_stand_is_enough_for_stop_and_wait() {
    let model = read(&example("stop_and_wait.pml"), &["PACKETS=50"]).expect("a correct example");
    let mut choice = choose(&model, None, Mode::Control, Size::default(), &Meter::unlimited());
    let (full, _) = run(&model, &mut sweep::measure::NoMeasure, Algorithm::Bfs);
    for algorithm in [Algorithm::ColumnSweep, Algorithm::Sweep] {
        let (outcome, _) = run(&model, &mut choice.measure, algorithm);
        let (peak, all) = (outcome.stats.peak_states, full.stats.states);
        assert!(peak * 100 < all * 61, "{algorithm:?}: {peak} of {all}");
    }
}

/// A message is sent, passed on by a network, and answered; what is lost is sent again while there are retries.
const RELAY: &str = "
mtype = { question, again, answer };
chan to_net = [2] of { mtype };
chan from_net = [2] of { mtype };
chan back = [2] of { mtype };
byte retries = 3, answers;
active proctype sender() {
	to_net ! question;
	do
	:: retries > 0 -> retries--; to_net ! question
	:: back ? answer -> answers++
	:: back ? again -> to_net ! question
	od
}
active proctype network() {
	mtype m;
	do
	:: to_net ? m -> if :: from_net ! m :: skip fi
	od
}
active proctype receiver() {
	do
	:: from_net ? question -> back ! answer
	:: SWITCH -> back ! again
	od
}
";

#[test]
fn what_is_paid_for_is_progress() {
    let model = model(RELAY, &["SWITCH=false"]);
    let potential = potential::component(&model).expect("each message is paid for by a retry");
    let sample = Sample::take(&model, None, std::slice::from_ref(&potential), Size::default(), &Meter::unlimited());
    assert!(sample.complete);
    let directions = sample.directions[0];
    assert_eq!((directions.regress, directions.stationary), (0, 0), "every step rises: {}", potential.reason);
    // A process that can always send makes messages of nothing.
    let model = self::model(RELAY, &["SWITCH=true"]);
    let potential = potential::component(&model);
    assert!(potential.is_none_or(|potential| !potential.reason.contains("channel 1")));
}

#[test]
fn a_potential_pays_for_what_ends_with_a_process() {
    let model = model("active [2] proctype p() { chan own = [3] of { byte }; do :: own ! 1 :: break od }", &[]);
    let potential = potential::component(&model).expect("the channel only fills");
    let sample = Sample::take(&model, None, std::slice::from_ref(&potential), Size::default(), &Meter::unlimited());
    assert_eq!(sample.directions[0].regress, 0, "{}", potential.reason);
}

#[test]
fn potentials_never_fall() {
    let mut found = 0;
    for path in models_in("examples").into_iter().chain(models_in("tests/models")) {
        let Some(model) = read(&path, &[]) else { continue };
        let Some(potential) = potential::component(&model) else { continue };
        let size = Size { states: 2_000, walks: 8, steps: 300, few: 0 };
        let sample = Sample::take(&model, None, std::slice::from_ref(&potential), size, &Meter::unlimited());
        assert_eq!(sample.directions[0].regress, 0, "{}: {}", path.display(), potential.reason);
        found += 1;
    }
    assert!(found > 10, "{found} potentials");
}

const COUNTER: &str = "
byte up, down = 9, round;
active proctype p() {
	do
	:: up < 9 -> up++
	:: down > 0 -> down--
	:: round = (round + 1) % 3
	od
}
";

#[test]
fn a_measure_of_the_user_is_corrected_or_rejected() {
    let checked = from_text(COUNTER, &[]).expect("a correct model");
    let mut sources = promela::source::Sources::default();
    let (parsed, _) = promela::parse_expressions(&mut sources, "<test>", "up, round, 0 - down");
    let mut expressions = Expressions::default();
    let given: Vec<_> = parsed
        .iter()
        .map(|expr| promela::check_expression(&checked, expr, &mut Vec::new()).expect("a correct expression"))
        .map(|expr| expressions.guide(expr))
        .collect();
    let model = Model::with(checked, Analysis::Full, &expressions);
    let (full, expected) = run(&model, &mut sweep::measure::NoMeasure, Algorithm::Dfs);

    let (outcome, seen) = run(&model, &mut UserMeasure::new(&model, &given), Algorithm::ColumnSweep);
    assert_eq!(outcome.demoted.len(), 1, "round falls");
    assert!(seen.0 == expected.0);
    let (outcome, _) = run(&model, &mut UserMeasure::new(&model, &given), Algorithm::StrictSweep);
    assert_eq!(outcome.stopped, Some(StopReason::Rejected));
    let good = [given[0], given[2]];
    let (outcome, seen) = run(&model, &mut UserMeasure::new(&model, &good), Algorithm::StrictSweep);
    assert_eq!(outcome.stopped, None);
    assert!(seen.0 == expected.0 && outcome.stats.distinct == Some(full.stats.states));
    assert!(outcome.stats.peak_states * 5 < full.stats.states);
}

#[test]
fn claims_are_what_the_program_says() {
    let model = model(COUNTER, &[]);
    let claim = |name: &str| {
        let found = variable::components(&model).into_iter().find(|component| component.name == name);
        found.map(|component| (component.claim, component.falling))
    };
    assert_eq!(claim("up"), Some((Claim::Presumed, false)));
    assert_eq!(claim("down"), Some((Claim::Presumed, true)));
    assert_eq!(claim("round"), Some((Claim::None, false)));
}
