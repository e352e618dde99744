//! What can be typed: commands, options and their help.

// The texts are shown as help: `P[1]` in them is Promela, not a link.
#![allow(rustdoc::broken_intra_doc_links)]

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// A model checker for Promela.
#[derive(Parser, Debug)]
#[command(
    version,
    max_term_width = 100,
    after_help = "\
Exit codes: 0 holds, 1 violated, 2 the input or the call is wrong, 3 stopped by a limit or not fully checked.

Examples:
  psw check examples/handshake.pml           assertions, deadlocks, run-time errors
  psw check -D N=5 --all-errors model.pml    count every violation
  psw query --bounds-all model.pml           least and greatest values of every variable
  psw sim --seed 7 --steps 100 model.pml     one random run
  psw dot model.pml | dot -Tsvg > model.svg  its automata as a drawing
  psw ltl --automaton never '[]<>p'          the automaton of a formula
  psw explain E0204                          what a diagnostic means"
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a model: assertions, end states and run-time errors.
    Check(CheckArgs),
    /// Ask about all states: what is reachable, bounds of values, dead states.
    Query(QueryArgs),
    /// Check temporal properties: a formula, or what the model states.
    Ltl(LtlArgs),
    /// Replay a saved trace: verify it again, walk through it, draw it.
    Replay(ReplayArgs),
    /// Run a model: at random, or choosing each step.
    Sim(SimArgs),
    /// Check that a file is correct Promela.
    Parse(ParseArgs),
    /// Show which bits of a state hold what.
    Layout(LayoutArgs),
    /// Explain a diagnostic's code.
    Explain(ExplainArgs),
    /// Show by which measure of progress a model is swept, and why.
    Progress(ProgressArgs),
    /// Draw a model for Graphviz: its automata, or its states.
    Dot(DotArgs),
    /// Draw how runs went: states stored, progress, memory.
    Plot(PlotArgs),
    /// Print what a shell needs to complete psw's commands.
    Completions(CompletionsArgs),
    /// Print the manual page.
    Man(ManArgs),
}

/// The model and its macros.
#[derive(Args, Debug)]
pub struct ModelArgs {
    /// The model.
    pub model: PathBuf,
    /// Define a macro, as `#define NAME VALUE` (VALUE is 1 if left out).
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Undefine a macro.
    #[arg(short = 'U', value_name = "NAME")]
    pub undefines: Vec<String>,
    /// A folder to look for `#include <file>` in.
    #[arg(short = 'I', value_name = "DIR")]
    pub include_dirs: Vec<PathBuf>,
    /// Run the model as it is written, without any analysis: slow, to check psw itself.
    #[arg(long, hide_short_help = true)]
    pub plain: bool,
}

/// How to answer.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Format {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// The order of a search.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum SearchOrder {
    /// Breadth-first: shortest traces.
    Bfs,
    /// Depth-first, as SPIN does it.
    Dfs,
    /// By progress, forgetting what lies behind.
    Sweep,
    /// By progress, column by column: also forgets what was kept for steps back.
    Column,
    /// Depth-first, remembering only --cache states.
    Cache,
}

/// How a search goes, and when it stops.
#[derive(Args, Debug)]
pub struct SearchArgs {
    /// The order of the search [default: column; bfs with --max-depth].
    #[arg(long, value_enum)]
    search: Option<SearchOrder>,
    /// Find a shortest trace to a violation: search breadth-first.
    #[arg(long, conflicts_with = "search")]
    shortest: bool,
    /// What sweeps go by: auto, control (where processes stand), none, or expressions of the model that grow, as in
    /// 'round, P[1]:sent' [default: auto, and one layer if there are few states].
    #[arg(long, value_name = "MEASURE")]
    pub progress: Option<String>,
    /// Reject the measure at the first step by which it falls.
    #[arg(long)]
    pub progress_strict: bool,
    /// Sweeps forget only when so many states were stored since the last time.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub gc: u64,
    /// How many states `--search cache` remembers.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub cache: u64,
    /// Breadth-first searches, and sweeps of models without progress, keep states in as few bytes as they can, as they
    /// always do if states have more than 32 bytes: in less memory, in up to half as much time again.
    #[arg(long)]
    pub compress: bool,
    /// The limits.
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl SearchArgs {
    /// The order of the search that is meant, and why.
    pub fn order(&self) -> (SearchOrder, &'static str) {
        self.order_or((SearchOrder::Column, "the default"))
    }

    /// The same for a command that does best with another search.
    pub fn order_or(&self, default: (SearchOrder, &'static str)) -> (SearchOrder, &'static str) {
        match self.search {
            _ if self.shortest => (SearchOrder::Bfs, "--shortest"),
            Some(search) => (search, "--search"),
            None if self.limits.max_depth.is_some() => (SearchOrder::Bfs, "--max-depth limits the shortest ways"),
            None => default,
        }
    }
}

/// The equivalence cut-off.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("equivalence").multiple(true)))]
pub struct CutoffArgs {
    /// States that differ only in these variables are equivalent, as in 'x, P[1]:seq' (of a channel: in what its messages
    /// are). A state is left out if one that is equivalent has been seen.
    #[arg(long, value_name = "NAMES", group = "equivalence")]
    pub ignore: Vec<String>,
    /// Equivalent states must have equal values of these; without --ignore, and their processes in the same places.
    #[arg(long, value_name = "EXPR", group = "equivalence")]
    pub canonical: Vec<String>,
    /// Remember only states in which this holds; every endless run must come to one again and again [default: all].
    #[arg(long, value_name = "EXPR", requires = "equivalence")]
    pub cutoff: Option<String>,
}

/// `psw check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw check model.pml
  psw check --shortest model.pml               a shortest trace
  psw check --search dfs --all-errors --format json model.pml
  psw check --progress 'round' model.pml       forget states of earlier rounds
  psw check --max-memory 4G --max-time 10m model.pml")]
pub struct CheckArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Which states need not be looked at.
    #[command(flatten)]
    pub cut_off: CutoffArgs,
    /// Write how the run goes to this CSV file, for `psw plot`: states stored, progress, memory over time.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Count distinct states also when the search forgets some, at some 18 bytes a state.
    #[arg(long)]
    pub count_distinct: bool,
    /// Add a digest of the set of reachable states, by value, to the JSON report: to check psw itself.
    #[arg(long, hide_short_help = true)]
    pub digest: bool,
    /// Go on after the first violation and count them all.
    #[arg(long)]
    pub all_errors: bool,
    /// Do not report invalid end states.
    #[arg(long)]
    pub no_end_states: bool,
    /// Do not report violated assertions.
    #[arg(long)]
    pub no_assertions: bool,
    /// Check assertions, end states and run-time errors only: ltl blocks and claims are left out on purpose.
    #[arg(long)]
    pub safety: bool,
    /// Text for people or JSON for machines.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print every step of a long trace, not only its ends.
    #[arg(long)]
    pub full_trace: bool,
    /// Save the trace of the first violation in this file, for `psw replay`.
    #[arg(long, value_name = "FILE")]
    pub trace_out: Option<PathBuf>,
    /// Write the trace of the first violation as MODEL.trail into the current folder, for `spin -t -p MODEL`.
    #[arg(long)]
    pub trail: bool,
    /// Show all variables at the end of a trace, and all statements that are never reached.
    #[arg(short, long)]
    pub verbose: bool,
    /// No warnings, and no live line on the terminal.
    #[arg(short, long)]
    pub quiet: bool,
}

/// How to write an automaton.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum AutomatonFormat {
    /// A never claim, as SPIN reads it.
    Never,
    /// The Hanoi omega-automata format.
    Hoa,
    /// A drawing for Graphviz.
    Dot,
}

/// How cycles are searched for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum CycleOrder {
    /// Nested depth-first, as SPIN does it.
    Ndfs,
    /// By maximal accepting predecessors.
    Map,
    /// By progress; cycles over several layers are searched for in the end.
    SweepOff,
    /// By progress; cycles over several layers are searched for after each sweep.
    SweepOn,
    /// By progress, column by column: no cycle leaves a column.
    Column,
}

/// Which runs count.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Fairness {
    /// All.
    None,
    /// Those in which no process can move for ever and never does.
    Weak,
}

/// `psw ltl`.
#[derive(Args, Debug)]
#[command(after_help = "\
A formula is made of expressions of the model with [] (always), <> (eventually), U (until), W (weak until), V (release),
X (next), ! && || -> <->, or the words always, eventually, until, weakuntil, release, next. A comparison binds
tighter than these: [] x > 3 means [](x > 3). Runs that end are taken to stay in their last state for ever. An invalid end
state that violates no property is reported next to them.

Examples:
  psw ltl model.pml '[]<>done'                   in every run, done is true again and again
  psw ltl model.pml '[](req -> <>(ack == 1))'    every request is answered
  psw ltl model.pml                              every ltl block, never claim and accept label of the model
  psw ltl --name p model.pml                     one of them
  psw ltl --fair weak model.pml '<>done'         if no process is held back for ever
  psw ltl --non-progress model.pml               cycles without a progress label
  psw ltl --automaton never '[]<>p'              the automaton of a formula, for SPIN")]
pub struct LtlArgs {
    /// The model (with --automaton alone: the formula).
    #[command(flatten)]
    pub model: ModelArgs,
    /// The formula; without one, everything that the model states is checked.
    pub formula: Option<String>,
    /// Check only the ltl block or never claim of this name.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["formula", "non_progress"])]
    pub name: Option<String>,
    /// Look for cycles without a progress label.
    #[arg(long, conflicts_with = "formula")]
    pub non_progress: bool,
    /// Print the automaton of the formula in this form; nothing is checked.
    #[arg(long, value_enum, value_name = "FORM", conflicts_with_all = ["name", "non_progress"])]
    pub automaton: Option<AutomatonFormat>,
    /// Which runs count.
    #[arg(long, value_enum, value_name = "FAIRNESS", default_value = "none")]
    pub fair: Fairness,
    /// How to search [default: column, after a short look depth-first].
    #[arg(long, value_enum)]
    pub search: Option<CycleOrder>,
    /// What sweeps go by: auto, control (where processes stand), none, or expressions of the model that grow, as in
    /// 'round, P[1]:sent'.
    #[arg(long, value_name = "MEASURE", default_value = "auto")]
    pub progress: String,
    /// With sweep-off and sweep-on: look for cycles only among layers that lie on a cycle of layers with an accepting one.
    #[arg(long)]
    pub progress_graph: bool,
    /// With sweep-off and sweep-on: among the predecessors of a state, progress decides which is the greatest.
    #[arg(long)]
    pub progress_first: bool,
    /// Do not report invalid end states.
    #[arg(long)]
    pub no_end_states: bool,
    /// The limits.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Text for people or JSON for machines.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print every step of a long trace, not only its ends.
    #[arg(long)]
    pub full_trace: bool,
    /// Save the first run that violates something in this file, for `psw replay`.
    #[arg(long, value_name = "FILE")]
    pub trace_out: Option<PathBuf>,
    /// Write the first run that violates something as MODEL.trail into the current folder, for `spin -t -p MODEL`.
    #[arg(long)]
    pub trail: bool,
    /// Show all variables at the end of a trace.
    #[arg(short, long)]
    pub verbose: bool,
    /// No warnings, and no live line on the terminal.
    #[arg(short, long)]
    pub quiet: bool,
}

impl LtlArgs {
    /// The search that is meant.
    pub fn order(&self) -> CycleOrder {
        self.search.unwrap_or(CycleOrder::Column)
    }
}

/// `psw query`.
#[derive(Args, Debug)]
#[command(
    group(clap::ArgGroup::new("question").required(true).multiple(true)),
    after_help = "\
Expressions are those of the model: globals, P[1]:x and P[1]@label for the process with number 1 (or P:x, P@label for the
only one of its kind), len(c), c?[ack]. Several may be given with commas between them. All questions are answered in one
search. Exit code: 0 answered, 1 an invariant is violated, 2 a question is wrong, 3 stopped by a limit.

Examples:
  psw query --bounds-all --dead-states --dead-code model.pml
  psw query --reachable 'P[1]@critical && P[2]@critical' model.pml
  psw query --bounds 'sent - received' --histogram 'len(c)' model.pml
  psw query --invariant 'x <= 4' --search column --format json model.pml
  psw query --channel data model.pml         how many copies of each message it may hold"
)]
pub struct QueryArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Is there a state in which this holds? With a trace to one.
    #[arg(long, value_name = "EXPR", group = "question")]
    pub reachable: Vec<String>,
    /// Show up to N states that satisfy (or violate) an expression, with a trace to each.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_count, allow_negative_numbers = true)]
    pub all_witnesses: usize,
    /// The least and the greatest value in any state, with a trace to each.
    #[arg(long, value_name = "EXPR", group = "question")]
    pub bounds: Vec<String>,
    /// The least and the greatest value of every variable, and the lengths of every channel.
    #[arg(long, group = "question")]
    pub bounds_all: bool,
    /// For each message: the least and the greatest number of copies in this channel.
    #[arg(long, value_name = "CHANNEL", group = "question")]
    pub channel: Vec<String>,
    /// List the states in which nothing can move, valid and invalid end states alike.
    #[arg(long, group = "question")]
    pub dead_states: bool,
    /// List so many dead states.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_count, allow_negative_numbers = true)]
    pub limit: usize,
    /// List the statements, and the whole proctypes, that are never executed.
    #[arg(long, group = "question")]
    pub dead_code: bool,
    /// Does this hold in every state? If not, with a trace to one where it does not.
    #[arg(long, value_name = "EXPR", group = "question")]
    pub invariant: Vec<String>,
    /// How many states there are for each value.
    #[arg(long, value_name = "EXPR", group = "question")]
    pub histogram: Vec<String>,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Which states need not be looked at.
    #[command(flatten)]
    pub cut_off: CutoffArgs,
    /// Text for people or JSON for machines.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print every step of a long trace, not only its ends.
    #[arg(long)]
    pub full_trace: bool,
    /// Show all variables at the end of a trace, and all statements that are never reached.
    #[arg(short, long)]
    pub verbose: bool,
    /// No warnings, and no live line on the terminal.
    #[arg(short, long)]
    pub quiet: bool,
}

/// `psw replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
The trace must have been made from the same model with the same -D and -U; anything else is an error (exit code 2).
When the violation is found again the exit code is 1.

Examples:
  psw check --trace-out t.json model.pml
  psw replay model.pml t.json              the same run, verified step by step
  psw replay --step model.pml t.json       walk forward and back: n, p, a number, q
  psw replay --msc t.svg model.pml t.json  a message sequence chart
  psw replay model.pml model.pml.trail     a trail of `psw check --trail`, or of a verifier made by `spin -o3 -a`")]
pub struct ReplayArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// The trace: a file of `psw check --trace-out`, or a trail.
    pub trace: PathBuf,
    /// Walk through the trace in the terminal, forward and back.
    #[arg(long)]
    pub step: bool,
    /// Draw the trace as a message sequence chart into this SVG file.
    #[arg(long, value_name = "FILE")]
    pub msc: Option<PathBuf>,
    /// Print every step of a long trace, not only its ends.
    #[arg(long)]
    pub full_trace: bool,
    /// Show all variables at the end (with --step: after each step).
    #[arg(short, long)]
    pub verbose: bool,
    /// No warnings, and no live line on the terminal.
    #[arg(short, long)]
    pub quiet: bool,
}

/// When to stop.
#[derive(Args, Debug)]
pub struct LimitArgs {
    /// Memory, e.g. 500M or 4G [default: 80 % of the machine's].
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<usize>,
    /// Time, e.g. 90s, 10m or 2h.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub max_time: Option<Duration>,
    /// Number of states stored in all.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Depth of the search.
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u64>,
}

/// `psw sim`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw sim model.pml                      a random run until nothing can move
  psw sim --seed 7 --steps 500 -v model.pml
  psw sim --interactive model.pml        choose each step by its number")]
pub struct SimArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Seed of the random choices; the same seed gives the same run [default: from the clock].
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Choose each step by its number.
    #[arg(short, long)]
    pub interactive: bool,
    /// Stop after so many steps.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub steps: u64,
    /// -v statements, -vv and variables that change, -vvv and all variables at the end.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// `psw parse`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw parse model.pml                    every mistake, each with a code and its place
  psw parse --print -D N=5 model.pml     the model with macros and inlines expanded
  psw parse --format json model.pml      the mistakes for an editor")]
pub struct ParseArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Text for people or JSON for machines.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print the model as it was understood, macros and inlines expanded.
    #[arg(long)]
    pub print: bool,
}

/// `psw layout`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw layout model.pml                   how many bits each variable takes
  psw layout -D N=5 model.pml")]
pub struct LayoutArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
}

/// `psw progress`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw progress model.pml             what was considered, what a sample of the states says, what was chosen
  psw progress --control model.pml   only where processes stand
  psw progress --dot model.pml | dot -Tsvg > progress.svg

In the drawing a cycle has a colour; locations have their level and their place in the cycle, steps back are red; what
was chosen has a star, and its automaton a thick frame.")]
pub struct ProgressArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Look only at where processes stand, not at variables and channels.
    #[arg(long)]
    pub control: bool,
    /// Draw the automata with their cycles and ranks for Graphviz instead.
    #[arg(long)]
    pub dot: bool,
}

/// `psw explain`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw explain                            all codes, a line each
  psw explain E0602                      what a diagnostic means and what to do
  psw explain D02                        a difference between psw and SPIN")]
pub struct ExplainArgs {
    /// The code, e.g. E0204; without one, all codes are listed.
    pub code: Option<String>,
}

/// `psw dot`.
#[derive(Args, Debug)]
#[command(after_help = "\
Bold edges are atomic: the process keeps control. Blue edges are d_steps, dashed ones the escape of an unless.
A double circle is where a process may stay for ever; progress is green, accept blue.

Examples:
  psw dot model.pml | dot -Tsvg > automata.svg
  psw dot --states 200 model.pml -o states.dot")]
pub struct DotArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Draw the states instead, if there are at most N.
    #[arg(long, value_name = "N")]
    pub states: Option<usize>,
    /// The file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `psw plot`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw check --log column.csv model.pml
  psw plot column.csv -o column.svg
  psw check --search bfs --log bfs.csv model.pml
  psw plot --compare bfs.csv column.csv -o both.svg")]
pub struct PlotArgs {
    /// Files of `psw check --log`.
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Draw several runs in one picture.
    #[arg(long)]
    pub compare: bool,
    /// The SVG file to write [default: standard output].
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `psw completions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw completions bash > ~/.local/share/bash-completion/completions/psw
  psw completions zsh > ~/.zfunc/_psw
  psw completions fish > ~/.config/fish/completions/psw.fish")]
pub struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `psw man`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw man > psw.1
  psw man check | man -l -                the options of psw check")]
pub struct ManArgs {
    /// The command to tell about; without one, the page of psw itself.
    pub command: Option<String>,
}

/// A number of things to show.
fn parse_count(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "write a number from 0 on".to_owned())
}

/// `500M` → bytes.
fn parse_size(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = text[digits.len()..].trim_end_matches(['B', 'b']).trim_end_matches('i');
    let factor: usize = match unit.trim().to_ascii_uppercase().as_str() {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return Err(format!("`{unit}` is no unit; write K, M, G or T, as in 4G")),
    };
    let number: usize = digits.parse().map_err(|_| "write a number and a unit, as in 4G".to_owned())?;
    number.checked_mul(factor).ok_or_else(|| "that is more than any machine has".to_owned())
}

/// `10m` → time.
fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        unit => return Err(format!("`{unit}` is no unit; write s, m or h, as in 10m")),
    };
    let number: u64 = digits.parse().map_err(|_| "write a number and a unit, as in 10m".to_owned())?;
    number.checked_mul(factor).map(Duration::from_secs).ok_or_else(|| "that is too long".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn sizes_and_times() {
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("500MiB"), Ok(500 << 20));
        assert_eq!(parse_size("12"), Ok(12));
        assert!(parse_size("4X").is_err() && parse_size("").is_err() && parse_size("99999999T").is_err());
        assert_eq!(parse_time("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(parse_time("90"), Ok(Duration::from_secs(90)));
        assert!(parse_time("-1s").is_err() && parse_time("1 day").is_err());
    }
}
