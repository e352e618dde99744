//! A file into a compiled model, with every finding shown on the way.

use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Context, bail};
use interp::code::layout::{Declared, MOST_BYTES, declared};
use interp::{Analysis, Model};
use promela::diagnostics::{Diagnostic, Severity};
use promela::model::{CheckedModel, LtlBlock};
use promela::source::Sources;
use promela::{Disk, Options};

use crate::cli::ModelArgs;
use crate::fault::{self, Phase};
use crate::report::summary::bytes;
use crate::terminal;

/// A model that is ready to run.
pub struct Loaded {
    /// The text it was read from.
    pub sources: Sources,
    /// The compiled model.
    pub model: Model,
    /// Its last `ltl` block was given on the command line.
    pub has_given_formula: bool,
}

/// A file as far as the front end gets.
pub struct Checked {
    /// The text.
    pub sources: Sources,
    /// The tree.
    pub ast: promela::ast::Ast,
    /// The model, if there was no error.
    pub model: Option<CheckedModel>,
    /// All findings, in the order of the text.
    pub findings: Vec<Diagnostic>,
}

/// Reads and checks a file.
pub fn check(args: &ModelArgs) -> anyhow::Result<Checked> {
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
    Ok(Checked { sources: parsed.sources, ast: parsed.ast, model, findings })
}

/// Reads, checks and compiles a file; `None` if it is wrong, which has then been said.
pub fn load(args: &ModelArgs, warnings: bool) -> anyhow::Result<Option<Loaded>> {
    load_with(args, warnings, None)
}

/// As [`load`], with a formula of the command line as the last `ltl` block of the model: what it speaks of is compiled as
/// if it stood there.
pub fn load_with(args: &ModelArgs, warnings: bool, formula: Option<&str>) -> anyhow::Result<Option<Loaded>> {
    let Checked { mut sources, model, mut findings, .. } = check(args)?;
    findings.retain(|finding| warnings || finding.severity == Severity::Error);
    show(&sources, &findings);
    let Some(mut checked) = model else {
        crate::say(summary(&args.model, &findings) + "\n");
        return Ok(None);
    };
    if let Some(text) = formula {
        let (parsed, mut findings) = promela::parse_formula(&mut sources, "<formula>", text);
        let lowered = parsed.as_ref().and_then(|ltl| promela::check_formula(&checked, ltl, &mut findings));
        show(&sources, &findings);
        let failed = findings.iter().any(|finding| finding.severity == Severity::Error);
        let Some((parsed, formula)) = parsed.zip(lowered).filter(|_| !failed) else { return Ok(None) };
        checked.ltl.push(LtlBlock { name: None, formula, span: parsed.span });
    }
    refuse_large(&checked)?;
    let analysis = if args.plain { Analysis::Plain } else { Analysis::Full };
    let model = Model::with(checked, analysis);
    fault::enter(Phase::Work);
    Ok(Some(Loaded { sources, model, has_given_formula: formula.is_some() }))
}

/// A model whose states are too large cannot be laid out, let alone searched.
fn refuse_large(checked: &CheckedModel) -> anyhow::Result<()> {
    let Declared { bytes: all, variables } = declared(checked);
    if all > MOST_BYTES {
        let largest = variables.iter().filter(|&&(_, size)| size > all / 10).take(3);
        let largest: Vec<String> = largest.map(|(name, size)| format!("{name} ({})", bytes(*size as usize))).collect();
        let (all, most) = (bytes(all as usize), bytes(MOST_BYTES as usize));
        bail!("a state of this model would take {all}, and psw handles {most}: the largest is {}", largest.join(", "));
    }
    Ok(())
}

/// Prints findings on standard error.
pub fn show(sources: &Sources, findings: &[Diagnostic]) {
    let colour = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    for finding in findings {
        crate::say(terminal::trusted(&promela::render::to_text(sources, finding, colour)));
    }
}

/// How many there were.
pub fn summary(path: &Path, findings: &[Diagnostic]) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    let plural = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    format!("{}: {}, {}", path.display(), plural(errors, "error"), plural(warnings, "warning"))
}
