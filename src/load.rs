//! From a file to a compiled model: text, [`ParsedInput`], [`CheckedInput`], [`Loaded`]. What the command line adds is added
//! to the checked model, so that it is compiled once and is immutable afterwards.

use std::path::Path;

use anyhow::{Context, bail};
use interp::code::layout::{Declared, MOST_BYTES, declared};
use interp::inspect::expression::Expressions;
use interp::inspect::trace::{NoRun, Trace};
use interp::{Analysis, Model};
use promela::diagnostics::{Diagnostic, Severity};
use promela::model::{CheckedModel, LtlBlock};
use promela::source::Sources;
use promela::{Disk, Options};
use sweep::Meter;

use crate::cli::ModelArgs;
use crate::fault::{self, Phase};
use crate::report::refusal;
use crate::report::summary::bytes;
use crate::search::{budget, expression};
use crate::terminal;

/// A compiled model with the text it was read from.
pub struct Loaded {
    pub sources: Sources,
    pub model: Model,
    /// The budget of the run, for whoever follows traces again.
    pub meter: Meter,
}

impl Loaded {
    /// Follows a list of events within the budget of the run.
    pub fn replay(&self, events: &[u32]) -> Result<Trace, NoRun> {
        let meter = budget::of_traces(&self.meter);
        self.model.replay_while(events, &mut || meter.check().is_ok())
    }
}

/// A correct model before it is compiled, with the formulas and expressions of the command line that it will be compiled
/// with.
pub struct CheckedInput {
    pub sources: Sources,
    pub model: CheckedModel,
    /// The last `ltl` block of the model was given on the command line.
    pub has_given_formula: bool,
    pub expressions: Expressions,
    analysis: Analysis,
}

/// A file as far as the front end gets.
pub struct ParsedInput {
    pub sources: Sources,
    pub ast: promela::ast::Ast,
    /// `None` if there was an error.
    pub model: Option<CheckedModel>,
    /// In the order of the text.
    pub findings: Vec<Diagnostic>,
}

/// Reads and checks a file.
pub fn parse(args: &ModelArgs) -> anyhow::Result<ParsedInput> {
    // A file that is not there, or not ours to read, is a mistake in the call, not in a model.
    promela::files::open(&args.model).with_context(|| format!("cannot read {}", args.model.display()))?;
    let options = Options {
        defines: args.defines.clone(),
        undefines: args.undefines.clone(),
        include_dirs: args.include_dirs.clone(),
    };
    let parsed = promela::parse(&args.model, &Disk, &options);
    let mut findings = parsed.diagnostics;
    // A tree with holes would be checked for nothing but errors that follow from the first ones.
    let broken = findings.iter().any(|finding| finding.severity == Severity::Error);
    let mut own = Vec::new();
    let model = promela::check(&parsed.ast, &mut own).filter(|_| !broken);
    if !broken {
        findings.append(&mut own);
    }
    Ok(ParsedInput { sources: parsed.sources, ast: parsed.ast, model, findings })
}

/// Reads and checks a file; `None` if it has errors, which have been shown.
pub fn check(args: &ModelArgs, warnings: bool) -> anyhow::Result<Option<CheckedInput>> {
    let ParsedInput { sources, model, mut findings, .. } = parse(args)?;
    findings.retain(|finding| warnings || finding.severity == Severity::Error);
    show(&sources, &findings);
    let Some(model) = model else {
        crate::say(summary(&args.model, &findings) + "\n");
        return Ok(None);
    };
    refuse_large(&model)?;
    let analysis = if args.plain { Analysis::Plain } else { Analysis::Full };
    Ok(Some(CheckedInput { sources, model, has_given_formula: false, expressions: Expressions::default(), analysis }))
}

/// Reads, checks and compiles a file without anything from the command line; `None` if it has errors, which have been
/// shown.
pub fn load(args: &ModelArgs, warnings: bool) -> anyhow::Result<Option<Loaded>> {
    Ok(check(args, warnings)?.and_then(CheckedInput::compile))
}

impl CheckedInput {
    /// Adds a formula of the command line as the last `ltl` block of the model; `None` if it has errors, which have been
    /// shown.
    pub fn add_formula(&mut self, text: &str) -> Option<()> {
        let (parsed, mut findings) = promela::parse_formula(&mut self.sources, "<formula>", text);
        let lowered = parsed.as_ref().and_then(|ltl| promela::check_formula(&self.model, ltl, &mut findings));
        show(&self.sources, &findings);
        let failed = findings.iter().any(|finding| finding.severity == Severity::Error);
        let (parsed, formula) = parsed.zip(lowered).filter(|_| !failed)?;
        self.model.ltl.push(LtlBlock { name: None, formula, span: parsed.span });
        self.has_given_formula = true;
        Some(())
    }

    /// Compiles the model, once and for all; `None` if an expression reads what states do not hold, which has been shown.
    pub fn compile(self) -> Option<Loaded> {
        let absent = expression::absent(&self);
        show(&self.sources, &absent);
        if !absent.is_empty() {
            return None;
        }
        let model = Model::with(self.model, self.analysis, &self.expressions);
        fault::enter(Phase::Work);
        Some(Loaded { sources: self.sources, model, meter: Meter::unlimited() })
    }
}

/// A model whose states are too large cannot be laid out, let alone searched.
fn refuse_large(checked: &CheckedModel) -> anyhow::Result<()> {
    let Declared { bytes: all, variables } = declared(checked);
    if all > MOST_BYTES {
        let largest = variables.iter().filter(|&&(_, size)| size > all / 10).take(3);
        let largest: Vec<String> = largest.map(|(name, size)| format!("{name} ({})", bytes(*size as usize))).collect();
        let (all, most) = (bytes(all as usize), bytes(MOST_BYTES as usize));
        bail!("a state of this model takes {all}, and psw handles at most {most}; the largest: {}", largest.join(", "));
    }
    Ok(())
}

/// Prints findings on standard error.
pub fn show(sources: &Sources, findings: &[Diagnostic]) {
    let colour = terminal::has_colours_on_stderr();
    refusal::keep(sources, findings);
    for finding in findings {
        crate::say(terminal::trusted(&promela::render::to_text(sources, finding, colour)));
    }
}

/// The number of errors and warnings.
pub fn summary(path: &Path, findings: &[Diagnostic]) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    format!("{}: {}, {}", path.display(), plural(errors, "error"), plural(warnings, "warning"))
}
