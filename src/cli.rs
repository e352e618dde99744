//! The command line: commands, options and their help.

// The texts are shown as help: `P[1]` in them is Promela, not a link.
#![allow(rustdoc::broken_intra_doc_links)]

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use sweep::{Disk, ExternalOptions, HashedTable, QueueKind};

/// A model checker for Promela.
#[derive(Parser, Debug)]
#[command(
    version,
    max_term_width = 100,
    after_help = "\
Exit codes: 0 holds, 1 violated, 2 errors in the input or the call, 3 stopped by a limit or not fully checked.

Examples:
  psw check examples/handshake.pml           assertions, deadlocks, run-time errors
  psw check -D N=5 --all-errors model.pml    go on after the first violation
  psw hunt --max-time 10m model.pml          look for bugs in a model that is too large
  psw query --bounds-all model.pml           least and greatest values of every variable
  psw sim --seed 7 --steps 100 model.pml     one random run
  psw dot model.pml | dot -Tsvg > model.svg  its automata as a drawing
  psw ltl --automaton never '[]<>p'          the automaton of a formula
  psw explain E0204                          what a diagnostic means"
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check a model: assertions, deadlocks, run-time errors and its temporal properties.
    Check(CheckArgs),
    /// Go on with a check that was interrupted, from its checkpoint.
    Resume(ResumeArgs),
    /// Hunt for violations in a model that is too large to be checked.
    Hunt(HuntArgs),
    /// Query all reachable states: reachability, invariants, bounds of values, dead states.
    Query(QueryArgs),
    /// Check temporal properties: a formula, or the ltl blocks and claims of the model.
    Ltl(LtlArgs),
    /// Replay a saved trace: verify it, step through it, draw it.
    Replay(ReplayArgs),
    /// Simulate a model: at random, or choosing each step.
    Sim(SimArgs),
    /// Check the syntax and types of a model.
    Parse(ParseArgs),
    /// Show the layout of a state: which bits hold what.
    Layout(LayoutArgs),
    /// Explain a diagnostic's code.
    Explain(ExplainArgs),
    /// Show the progress measure that is chosen for a model, and why.
    Progress(ProgressArgs),
    /// Explain what reductions can do with a model, and what stands in their way.
    Reduce(ReduceCommandArgs),
    /// Draw a model for Graphviz: its automata, or its states.
    Dot(DotArgs),
    /// Plot logs of runs: states stored, progress, memory over time.
    Plot(PlotArgs),
    /// Print the completion script of a shell.
    Completions(CompletionsArgs),
    /// Print the manual page.
    Man(ManArgs),
}

impl Command {
    /// The model, if the command reports about it as JSON.
    pub fn reports_json_of(&self) -> Option<PathBuf> {
        let (model, format) = match self {
            Command::Check(args) => (&args.model, args.format),
            Command::Query(args) => (&args.model, args.format),
            Command::Ltl(args) => (&args.model, args.format),
            Command::Reduce(args) => (&args.model, args.format),
            _ => return None,
        };
        (format == Format::Json).then(|| model.model.clone())
    }
}

/// The model and its macros.
#[derive(Args, Debug)]
pub struct ModelArgs {
    /// The model; `-` is standard input.
    #[arg(value_parser = parse_model)]
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
    /// Execute the model as written, without any analysis: slow, to check psw itself.
    #[arg(long, hide_short_help = true)]
    pub plain: bool,
}

/// The format of a report.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// What is shown of a trace, as text.
#[derive(Args, Default, Debug)]
pub struct ShowArgs {
    /// Show only steps that change these variables, or use these channels, as in 'x,c'.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Show only steps of these processes: a proctype, P(1), or a pid.
    #[arg(long, value_name = "P", value_delimiter = ',')]
    pub process: Vec<String>,
}

/// Which steps are shown of a trace, as text.
#[derive(Args, Default, Debug)]
pub struct StepsArgs {
    /// Show only these steps, as in 10..20.
    #[arg(long = "steps", value_name = "FROM..TO", value_parser = parse_range)]
    pub range: Option<RangeInclusive<usize>>,
}

/// The order of a search.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum SearchOrder {
    /// Breadth-first: shortest traces if there is no reduction
    Bfs,
    /// Depth-first, as SPIN does it
    Dfs,
    /// Sweep-line: by increasing progress, deleting states behind the sweep line
    Sweep,
    /// Sweep-line, column by column: persistent states are deleted with their column
    Column,
    /// Depth-first with state-space caching: stores only --cache states
    Cache,
    /// Sweep-line with only the present layer in memory, the others on disk
    SweepExt,
    /// Breadth-first with all states on disk
    BfsExt,
    /// Partition by partition of the states, one in memory, the others on disk
    Part,
}

/// The order of a search, and the reason for it.
#[derive(Clone, Copy, Debug)]
pub struct ChosenOrder {
    pub order: SearchOrder,
    pub reason: &'static str,
}

/// The reason if no option gives one.
pub const DEFAULT: &str = "the default";

/// The search and its limits.
#[derive(Args, Debug)]
pub struct SearchArgs {
    /// The order of the search [default: column; bfs with --max-depth].
    #[arg(long, value_enum)]
    search: Option<SearchOrder>,
    /// Find a shortest trace to a violation: search breadth-first, without reductions.
    #[arg(long, conflicts_with = "search")]
    pub shortest: bool,
    /// Progress measure of a sweep: auto, control (locations of processes), none, or expressions of the model that never
    /// decrease, as in 'round, P[1]:sent' [default: auto, and one layer for small models].
    #[arg(long, value_name = "MEASURE")]
    pub progress: Option<String>,
    /// Reject the measure at the first regress edge.
    #[arg(long)]
    pub progress_strict: bool,
    /// Sweeps delete states only after every N stored states.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub gc: u64,
    /// Number of states that `--search cache` stores.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    pub cache: u64,
    /// Compress states of more than 20 bytes, as is always done with states of more than 32, and in breadth-first searches
    /// all states: less memory, up to 50 % more time.
    #[arg(long)]
    pub compress: bool,
    /// What searches on disk are given.
    #[command(flatten)]
    pub external: ExternalArgs,
    /// What may be left out of the search because it changes no answer.
    #[command(flatten)]
    pub reduce: ReduceArgs,
    /// The limits.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// The priority queue of `--search sweep-ext`.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum QueueOrder {
    /// A file for each highest bit in which progress differs from that of the sweep-line
    Radix,
    /// Sorted files in levels, merged when a level is full
    Array,
}

/// Where states go when they do not stay in memory.
#[derive(Args, Debug)]
pub struct DiskArgs {
    /// A folder for temporary files: of states on disk, and of traces [default: TMPDIR].
    #[arg(long, value_name = "DIR", value_parser = parse_folder)]
    disk: Option<PathBuf>,
    /// Limit on the bytes that a search has in files, e.g. 20G; with 0 the default search stops when memory ends, and does not
    /// go on on disk.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    max_disk: Option<usize>,
}

impl DiskArgs {
    /// The folder for temporary files, if one is given.
    pub fn folder(&self) -> Option<&Path> {
        self.disk.as_deref()
    }

    /// When a search that is in memory may use the disk (`SearchOptions::hand_over_after`): when memory ends, or never.
    pub fn hand_over_after(&self) -> Option<u64> {
        (self.max_disk != Some(0)).then_some(u64::MAX)
    }

    /// Where files go, and how much they may take.
    pub fn disk(&self) -> Disk {
        let folder = self.disk.clone().unwrap_or_else(std::env::temp_dir);
        Disk::in_folder(folder, self.max_disk.map(|bytes| bytes as u64))
    }
}

/// Searches that keep states on disk: sweep-ext, bfs-ext and part, and the default one when memory ends.
#[derive(Args, Debug)]
pub struct ExternalArgs {
    /// Where they go.
    #[command(flatten)]
    pub disk: DiskArgs,
    /// The most states of a layer (sweep-ext) or partition (part) in memory; what is larger is split [default: as many as
    /// --max-memory allows].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_loaded: Option<u32>,
    /// The queue of sweep-ext on disk.
    #[arg(long, value_enum, default_value_t = QueueOrder::Radix)]
    queue: QueueOrder,
    /// States in the insertion buffer of a queue or a sorter (T).
    #[arg(long, value_name = "T", default_value_t = 20_000, hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(2..))]
    queue_buffer: u32,
    /// States that are written when it is full, less than T (B).
    #[arg(long, value_name = "B", default_value_t = 10_000, hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(1..))]
    queue_spill: u32,
    /// Files in a level of an array heap (μ).
    #[arg(long, value_name = "MU", default_value_t = 10, hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(2..))]
    queue_level: u32,
    /// States that are read or written at a time (K).
    #[arg(long, value_name = "K", default_value_t = 1_000, hide_short_help = true,
        value_parser = clap::value_parser!(u32).range(1..))]
    queue_block: u32,
}

impl ExternalArgs {
    /// The parameters of the search.
    pub fn options(&self) -> ExternalOptions {
        ExternalOptions {
            queue: match self.queue {
                QueueOrder::Radix => QueueKind::Radix,
                QueueOrder::Array => QueueKind::Array,
            },
            fan_in: self.queue_level as usize,
            buffer: self.queue_buffer as usize,
            spill: self.queue_spill as usize,
            block: self.queue_block as usize,
            max_loaded: self.max_loaded,
            ..ExternalOptions::default()
        }
    }
}

/// What may be left out of a search.
#[derive(Args, Debug)]
pub struct ReduceArgs {
    /// What to leave out of the search because it changes no answer. The report says what that has saved, or why it could not
    /// be done.
    #[arg(long, value_enum, default_value_t = Reduce::Full)]
    reduce: Reduce,
    /// Explore every state and step: exactly SPIN's counts. The same as --reduce none.
    #[arg(long, conflicts_with = "reduce")]
    no_reduction: bool,
}

/// Reductions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Reduce {
    /// Nothing: every state and every step is explored.
    None,
    /// States between steps that concern nobody else, and values that change nothing any more.
    Static,
    /// Also steps that are independent of those taken (partial order reduction).
    Full,
}

impl ReduceArgs {
    /// What may be left out.
    pub fn level(&self) -> Reduce {
        if self.no_reduction { Reduce::None } else { self.reduce }
    }
}

impl SearchArgs {
    /// Whether a short depth-first search may come before the search: only if no order is given.
    pub fn looks_first(&self) -> bool {
        self.order().reason == DEFAULT
    }

    /// The order that the options say, or the default one.
    pub fn order(&self) -> ChosenOrder {
        self.order_or(ChosenOrder { order: SearchOrder::Column, reason: DEFAULT })
    }

    /// The same for a command that does best with another search.
    pub fn order_or(&self, default: ChosenOrder) -> ChosenOrder {
        match self.search {
            _ if self.shortest => ChosenOrder { order: SearchOrder::Bfs, reason: "--shortest" },
            Some(order) => ChosenOrder { order, reason: "--search" },
            None if self.limits.max_depth.is_some() => {
                ChosenOrder { order: SearchOrder::Bfs, reason: "--max-depth bounds shortest paths" }
            }
            None => default,
        }
    }
}

/// The equivalence cut-off.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("equivalence").multiple(true)))]
pub struct CutoffArgs {
    /// States that differ only in these variables are equivalent, as in 'x, P[1]:seq' (of a channel: in the contents of its
    /// messages). A state is not explored if an equivalent one has been visited.
    #[arg(long, value_name = "NAMES", group = "equivalence")]
    pub ignore: Vec<String>,
    /// Equivalent states have equal values of these; without --ignore, also the same processes at the same locations.
    #[arg(long, value_name = "EXPR", group = "equivalence")]
    pub canonical: Vec<String>,
    /// Store only states in which this holds; every infinite run must visit such states infinitely often [default: all].
    #[arg(long, value_name = "EXPR", requires = "equivalence")]
    pub cutoff: Option<String>,
}

/// `psw check`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw check model.pml
  psw check --shortest model.pml               a shortest trace
  psw check --no-reduction --all-errors model.pml   every state and step, as SPIN counts them
  psw check --search dfs --all-errors --format json model.pml
  psw check --property assertions --property p model.pml   assertions and ltl p only
  psw check --progress 'round' model.pml       delete states of earlier rounds
  psw check --report out.html model.pml        the report as a page for a browser
  psw check --fair weak model.pml              where every process that could always move does
  psw check --max-memory 4G --max-time 10m model.pml
  psw check --checkpoint run.ckpt model.pml    and psw resume run.ckpt, if it was interrupted")]
pub struct CheckArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub cut_off: CutoffArgs,
    /// Write a checkpoint of the search to this file now and then, and when a limit, Ctrl-C or SIGTERM stops it: `psw resume
    /// FILE` goes on from there. With the searches column, sweep and bfs.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["log", "count_distinct", "equivalence"])]
    pub checkpoint: Option<PathBuf>,
    /// Time from one checkpoint to the next; 0s: one at every layer [default: 5m].
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "checkpoint")]
    pub checkpoint_every: Option<Duration>,
    /// Which runs count for temporal properties.
    #[command(flatten)]
    pub fairness: FairnessArgs,
    /// Log states, progress and memory to this CSV file as the run goes, for `psw plot`.
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Search depth-first and keep a few bits of each state in a table of this size, e.g. 1G, as -DBITSTATE of SPIN's does.
    /// Such a search finds violations and proves nothing.
    #[arg(long, value_name = "SIZE", value_parser = parse_size, conflicts_with_all = ["search", "shortest", "hash_compact", "equivalence"])]
    pub bitstate: Option<usize>,
    /// Search depth-first and keep eight bytes of each state, as -DHC of SPIN's does. Such a search finds violations and proves
    /// nothing.
    #[arg(long, conflicts_with_all = ["search", "shortest", "equivalence"])]
    pub hash_compact: bool,
    /// Do not begin with a short hunt for violations, before the sweep.
    #[arg(long)]
    pub no_hunt: bool,
    /// Write the report as one HTML file that needs nothing else: verdict, runs step by step, source, how the search went, to look at in a browser.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Count distinct states also in a search that deletes states, at about 18 bytes per state.
    #[arg(long)]
    pub count_distinct: bool,
    /// Add a digest of the set of reachable states, by value, to the JSON report: to check psw itself.
    #[arg(long, hide_short_help = true)]
    pub digest: bool,
    /// Continue after the first violation and count all (with --no-reduction: as often as SPIN does).
    #[arg(long)]
    pub all_errors: bool,
    /// Do not report invalid end states.
    #[arg(long)]
    pub no_end_states: bool,
    /// Do not report violated assertions.
    #[arg(long)]
    pub no_assertions: bool,
    /// Check assertions, end states and run-time errors only, no ltl blocks, claims or accept labels.
    #[arg(long, conflicts_with = "property")]
    pub safety: bool,
    /// Check only this, and run-time errors: assertions, end-states, errors, or a property by its name, as in p, 'ltl p',
    /// 'never claim', 'accept labels'. May be given more than once.
    #[arg(long, value_name = "NAME")]
    pub property: Vec<String>,
    /// Format of the report.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print every step of a long trace, not only its ends, and every move of loops and atomic sequences.
    #[arg(long)]
    pub full_trace: bool,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub steps: StepsArgs,
    /// Save the trace of the first violation in this file, for `psw replay`.
    #[arg(long, value_name = "FILE")]
    pub trace_out: Option<PathBuf>,
    /// Write the trace of the first violation as MODEL.trail into the current folder, for `spin -t -p MODEL`.
    #[arg(long)]
    pub trail: bool,
    /// Show the search and what it took, all variables at the end of a trace, statements with their macros expanded, and all
    /// statements that are never reached.
    #[arg(short, long)]
    pub verbose: bool,
    /// Print the verdicts only: no traces, warnings and statistics.
    #[arg(short, long)]
    pub quiet: bool,
}

/// `psw resume`.
#[derive(Args, Debug)]
#[command(after_help = "\
The model, the options and the limits are those of the interrupted `psw check`; the limits given here hold instead, for this
run. A limit on time counts from now on, one on states from the beginning of the first run. The model must not have changed,
and psw must be of the same version.

Examples:
  psw check --checkpoint run.ckpt --max-time 1h model.pml
  psw resume run.ckpt
  psw resume --max-memory 16G run.ckpt")]
pub struct ResumeArgs {
    /// The checkpoint.
    pub file: PathBuf,
    /// Limit on memory, e.g. 4G.
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<usize>,
    /// Limit on time, e.g. 10m.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub max_time: Option<Duration>,
    /// Limit on stored states.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Write further checkpoints to this file [default: the same].
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Time from one checkpoint to the next; 0s: one at every layer.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub checkpoint_every: Option<Duration>,
    /// Format of the report.
    #[arg(long, value_enum)]
    pub format: Option<Format>,
    /// Print every step of a long trace, not only its ends.
    #[arg(long)]
    pub full_trace: bool,
    /// Save the trace of the first violation in this file, for `psw replay`.
    #[arg(long, value_name = "FILE")]
    pub trace_out: Option<PathBuf>,
    /// Show all variables at the end of a trace, and all statements that are never reached.
    #[arg(short, long)]
    pub verbose: bool,
    /// No warnings, and no status line on the terminal.
    #[arg(short, long)]
    pub quiet: bool,
}

impl ResumeArgs {
    /// The options of the check as it was begun, with those given now.
    pub fn apply(&self, check: &mut CheckArgs) {
        fn replace<T: Clone>(old: &mut Option<T>, new: Option<&T>) {
            if let Some(new) = new {
                *old = Some(new.clone());
            }
        }
        let LimitArgs { max_memory, max_time, max_states, .. } = &mut check.search.limits;
        replace(max_memory, self.max_memory.as_ref());
        replace(max_time, self.max_time.as_ref());
        replace(max_states, self.max_states.as_ref());
        replace(&mut check.trace_out, self.trace_out.as_ref());
        replace(&mut check.checkpoint_every, self.checkpoint_every.as_ref());
        check.checkpoint = Some(self.checkpoint.as_ref().unwrap_or(&self.file).clone());
        check.format = self.format.unwrap_or(check.format);
        check.full_trace |= self.full_trace;
        check.verbose |= self.verbose;
        check.quiet |= self.quiet;
    }
}

impl CheckArgs {
    /// The search that is meant.
    pub fn order(&self) -> ChosenOrder {
        match (self.bitstate, self.hash_compact) {
            (Some(_), _) => ChosenOrder { order: SearchOrder::Dfs, reason: "--bitstate" },
            (None, true) => ChosenOrder { order: SearchOrder::Dfs, reason: "--hash-compact" },
            (None, false) => self.search.order(),
        }
    }

    /// What remembers hashes of states, if not the states themselves are.
    pub fn hashed(&self) -> Option<HashedTable> {
        self.bitstate.map(HashedTable::Bits).or(self.hash_compact.then_some(HashedTable::Compact))
    }
}

/// `psw hunt`.
#[derive(Args, Debug)]
#[command(after_help = "\
Each worker searches depth-first, again and again, each time with the steps in another random order, with another hash
function and, in some rounds, with paths cut off early. A violation is shown with a trace that is made shorter first. A hunt
never says that a property holds: it ends with a violation, or with no verdict and an estimate of what it has seen.
It looks for violated assertions, invalid end states and run-time errors, not for temporal properties.

Examples:
  psw hunt model.pml                     hunt for five minutes, on all cores
  psw hunt --max-time 2h --max-memory 8G model.pml
  psw hunt --workers 1 --seed 7 model.pml    always the same hunt")]
pub struct HuntArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// How long to hunt, in whole seconds, minutes or hours.
    #[arg(long, value_name = "TIME", value_parser = parse_time, default_value = "5m")]
    pub max_time: Duration,
    /// Memory limit, e.g. 500M or 4G [default: 80 % of the machine's memory].
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<usize>,
    /// Cut paths off at this depth.
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u64>,
    /// Searches at a time [default: one for each core].
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
    /// Another seed takes other paths. With one worker the same seed gives the same hunt.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// End after so many depth-first searches.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// What may be left out.
    #[command(flatten)]
    pub reduce: ReduceArgs,
    /// Do not report invalid end states.
    #[arg(long)]
    pub no_end_states: bool,
    /// Do not report violated assertions.
    #[arg(long)]
    pub no_assertions: bool,
    /// Format of the report.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print every step of a long trace, not only its ends.
    #[arg(long)]
    pub full_trace: bool,
    /// Save the trace of the violation in this file, for `psw replay`.
    #[arg(long, value_name = "FILE")]
    pub trace_out: Option<PathBuf>,
    /// Write the trace of the violation as MODEL.trail into the current folder, for `spin -t -p MODEL`.
    #[arg(long)]
    pub trail: bool,
    /// Show all variables at the end of a trace.
    #[arg(short, long)]
    pub verbose: bool,
    /// No warnings, and no status line on the terminal.
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

/// The search for accepting cycles.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum CycleOrder {
    /// Nested depth-first search, as SPIN does it
    Ndfs,
    /// Maximal accepting predecessors
    Map,
    /// LTL sweep; cycles over several layers are searched for at the end
    SweepOff,
    /// LTL sweep; cycles over several layers are searched for after each sweep
    SweepOn,
    /// LTL sweep, column by column: no cycle leaves a column
    Column,
}

/// Which runs count: assumptions of fairness.
#[derive(Args, Debug)]
pub struct FairnessArgs {
    /// Only runs that are fair count. weak: a process that could always move does so again and again. strong: a process that
    /// can move again and again does. P, P[2] or 2: weak for these processes alone; strong:P: strong for these. none: all
    /// runs [default: none].
    #[arg(long, value_name = "FAIRNESS", value_delimiter = ',')]
    fair: Vec<String>,
    /// Channels do not lose forever: a statement that sends to channel C or receives from it, and can be executed again and
    /// again, is (C:P: of process P alone).
    #[arg(long, value_name = "C[:P]", value_delimiter = ',')]
    fair_channel: Vec<String>,
    /// Choices do not always go the same way: an option of process P that can be taken again and again is.
    #[arg(long, value_name = "P", value_delimiter = ',')]
    fair_choice: Vec<String>,
}

impl FairnessArgs {
    /// The assumptions, each as it is shown and saved, none of them twice.
    pub fn words(&self) -> Vec<String> {
        let fair = self.fair.iter().map(String::as_str).filter(|&text| text != "none");
        let fair = fair.map(|text| text.trim().replacen(':', " ", 1));
        let channels = self.fair_channel.iter().map(|text| format!("channel {}", text.trim()));
        let choices = self.fair_choice.iter().map(|text| format!("choice {}", text.trim()));
        let mut words: Vec<String> = Vec::new();
        for text in fair.chain(channels).chain(choices) {
            if !words.contains(&text) {
                words.push(text);
            }
        }
        words
    }
}

/// `psw ltl`.
#[derive(Args, Debug)]
#[command(after_help = "\
A formula is made of expressions of the model with [] (always), <> (eventually), U (until), W (weak until), V (release),
X (next), ! && || -> <->, or the words always, eventually, until, weakuntil, release, next. A comparison binds
tighter than these: [] x > 3 means [](x > 3). A run that ends repeats its last state forever. A deadlock that violates
no property is reported too.

Examples:
  psw ltl model.pml '[]<>done'                   in every run, done is true infinitely often
  psw ltl model.pml '[](req -> <>(ack == 1))'    every request is answered
  psw ltl model.pml                              every ltl block, never claim and accept label of the model
  psw ltl --name p model.pml                     one of them
  psw ltl --fair weak model.pml '<>done'         under weak fairness
  psw ltl --fair weak --fair-channel data model.pml '[]<>received'   where channel data does not lose forever
  psw ltl --non-progress model.pml               cycles without a progress label
  psw ltl --automaton never '[]<>p'              the automaton of a formula, for SPIN")]
pub struct LtlArgs {
    /// The model (with --automaton alone: the formula).
    #[command(flatten)]
    pub model: ModelArgs,
    /// The formula; without one, all properties of the model are checked.
    pub formula: Option<String>,
    /// Check only the ltl block or never claim of this name. May be given more than once.
    #[arg(long, visible_alias = "property", value_name = "NAME", conflicts_with_all = ["formula", "non_progress"])]
    pub name: Vec<String>,
    /// Search for cycles without a progress label.
    #[arg(long, conflicts_with = "formula")]
    pub non_progress: bool,
    /// Print the automaton of the formula in this format; nothing is checked.
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with_all = ["name", "non_progress"])]
    pub automaton: Option<AutomatonFormat>,
    /// Which runs count.
    #[command(flatten)]
    pub fairness: FairnessArgs,
    /// The search [default: column, after a short nested depth-first search].
    #[arg(long, value_enum)]
    pub search: Option<CycleOrder>,
    /// Progress measure of a sweep: auto, control (locations of processes), none, or expressions of the model that never
    /// decrease, as in 'round, P[1]:sent'.
    #[arg(long, value_name = "MEASURE", default_value = "auto")]
    pub progress: String,
    /// With sweep-off and sweep-on: search for cycles only in layers on a cycle of layers that has an accepting state.
    #[arg(long)]
    pub progress_graph: bool,
    /// With sweep-off and sweep-on: order accepting predecessors by progress first.
    #[arg(long)]
    pub progress_first: bool,
    /// Do not report invalid end states.
    #[arg(long)]
    pub no_end_states: bool,
    /// What may be left out of the search because it changes no answer.
    #[command(flatten)]
    pub reduce: ReduceArgs,
    /// Where states go when memory ends.
    #[command(flatten)]
    pub disk: DiskArgs,
    /// The limits.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Format of the report.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print every step of a long trace, not only its ends, and every move of loops and atomic sequences.
    #[arg(long)]
    pub full_trace: bool,
    /// Write the report as one HTML file that needs nothing else: verdict, counterexamples step by step, source, to look at in a browser.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub steps: StepsArgs,
    /// Save the first counterexample in this file, for `psw replay`.
    #[arg(long, value_name = "FILE")]
    pub trace_out: Option<PathBuf>,
    /// Write the first counterexample as MODEL.trail into the current folder, for `spin -t -p MODEL`.
    #[arg(long)]
    pub trail: bool,
    /// Show the search and what it took, all variables at the end of a trace, and statements with their macros expanded.
    #[arg(short, long)]
    pub verbose: bool,
    /// Print the verdicts only: no traces, warnings and statistics.
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
Expressions are those of the model: globals, P[1]:x and P[1]@label for the process with pid 1 (or P:x, P@label for the
only process of its proctype), len(c), c?[ack]. Several may be given with commas between them. All questions are answered in one
search. Exit code: 0 answered, 1 an invariant is violated, 2 errors in a question, 3 stopped by a limit.

Examples:
  psw query --bounds-all --dead-states --dead-code model.pml
  psw query --reachable 'P[1]@critical && P[2]@critical' model.pml
  psw query --bounds 'sent - received' --histogram 'len(c)' model.pml
  psw query --invariant 'x <= 4' --search column --format json model.pml
  psw query --channel data model.pml         the number of copies of each message it can hold"
)]
pub struct QueryArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Is a state reachable in which this holds? With a trace to one.
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
    /// List the states without successors, valid and invalid end states alike.
    #[arg(long, group = "question")]
    pub dead_states: bool,
    /// The number of dead states to list.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = parse_count, allow_negative_numbers = true)]
    pub limit: usize,
    /// List the statements, and the whole proctypes, that are never executed.
    #[arg(long, group = "question")]
    pub dead_code: bool,
    /// Does this hold in every reachable state? If not, with a trace to one where it does not.
    #[arg(long, value_name = "EXPR", group = "question")]
    pub invariant: Vec<String>,
    /// The number of states for each value.
    #[arg(long, value_name = "EXPR", group = "question")]
    pub histogram: Vec<String>,
    /// How to search.
    #[command(flatten)]
    pub search: SearchArgs,
    #[command(flatten)]
    pub cut_off: CutoffArgs,
    /// Format of the report.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print every step of a long trace, not only its ends.
    #[arg(long)]
    pub full_trace: bool,
    /// Show the search and what it took, all variables at the end of a trace, and all statements that are never reached.
    #[arg(short, long)]
    pub verbose: bool,
    /// No warnings, and no status line on the terminal.
    #[arg(short, long)]
    pub quiet: bool,
}

/// `psw replay`.
#[derive(Args, Debug)]
#[command(after_help = "\
The exit code is 1 if every step exists in the model and the run ends with the recorded violation; otherwise, or if -D or
-U differ, it is 2. An edited model is accepted if all of that still holds.

Examples:
  psw check --trace-out t.json model.pml
  psw replay model.pml t.json              the same run, verified step by step
  psw replay --step model.pml t.json       step forward and back: n, p, a number, q
  psw replay --msc t.svg model.pml t.json  a message sequence chart
  psw replay --report t.html model.pml t.json  a page for a browser, with every step
  psw replay model.pml model.pml.trail     a trail of `psw check --trail`, or of a verifier made by `spin -o3 -a`")]
pub struct ReplayArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// The trace: a file of `psw check --trace-out`, or a trail.
    pub trace: PathBuf,
    /// Step through the trace in the terminal, forward and back.
    #[arg(long)]
    pub step: bool,
    /// Draw the trace as a message sequence chart into this SVG file.
    #[arg(long, value_name = "FILE")]
    pub msc: Option<PathBuf>,
    /// Write the report as one HTML file that needs nothing else: verdict, the run step by step, source, to look at in a browser.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Print every step of a long trace, not only its ends, and every move of loops and atomic sequences.
    #[arg(long)]
    pub full_trace: bool,
    #[command(flatten)]
    pub show: ShowArgs,
    #[command(flatten)]
    pub steps: StepsArgs,
    /// Show all variables at the end (with --step: after each step).
    #[arg(short, long)]
    pub verbose: bool,
    /// No warnings, and no status line on the terminal.
    #[arg(short, long)]
    pub quiet: bool,
}

/// The limits of a run.
#[derive(Args, Debug)]
pub struct LimitArgs {
    /// Memory limit, e.g. 500M or 4G; the default search goes on on disk when it is reached, others stop [default: 80 % of
    /// the machine's memory].
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub max_memory: Option<usize>,
    /// Time limit in whole seconds, minutes or hours, e.g. 90s, 10m or 2h.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub max_time: Option<Duration>,
    /// Limit on the number of states stored in total.
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// Limit on the depth of the search.
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u64>,
}

/// `psw sim`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw sim model.pml                      a random run until no process can move
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
    /// The number of steps to stop after.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub steps: u64,
    /// Write the run as one HTML file that needs nothing else: its steps, source, values, to look at in a browser.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// What is shown of the steps with -v.
    #[command(flatten)]
    pub show: ShowArgs,
    /// -v statements, -vv and variables that change, -vvv and all variables at the end.
    #[arg(short, long, action = clap::ArgAction::Count)]
    pub verbose: u8,
}

/// `psw parse`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  psw parse model.pml                    every error, each with a code and its place
  psw parse --print -D N=5 model.pml     the model with macros and inlines expanded
  psw parse --format json model.pml      the errors for an editor")]
pub struct ParseArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Format of the report.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Print the model as parsed, with macros and inlines expanded.
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
  psw progress model.pml             the components considered, a sample of the states, the choice
  psw progress --control model.pml   only locations of processes
  psw progress --dot model.pml | dot -Tsvg > progress.svg

In the drawing a cycle has a colour, locations have their level and their position in the cycle, back edges are red. A
component that was chosen has a star, and its automaton a thick frame.")]
pub struct ProgressArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Consider only locations of processes, no variables and channels.
    #[arg(long)]
    pub control: bool,
    /// Draw the automata with their cycles and levels for Graphviz instead.
    #[arg(long)]
    pub dot: bool,
}

/// `psw reduce`.
#[derive(Args, Debug)]
#[command(after_help = "\
A search need not try all orders of steps that do not depend on each other, nor store values that change nothing any more.
This says where a model allows it, as for assertions, deadlocks and run-time errors; what a formula reads matters in addition.

At a location a process is a cluster of its own if no other process can disturb its steps:
  always     its steps depend on nothing that others may still do: they are taken first, and often not even stored
  sometimes  it depends on where the others are, and on which channels are full or empty
  never      its steps depend on everything that any other process may still do
In brackets is through what. Where processes of a proctype differ, their pids follow. A location that closes a cycle of the
control flow is not reduced in the search for a temporal property. A process ends only after all that were created later.

A variable is dead where it is overwritten before it is read again, and only assigned if no guard, assertion or property
ever depends on it: neither splits states.

What is shared is listed by harm: how many locations would be independent without it, then how many it concerns. To make a
model reduce better, use variables of fewer processes, one channel per sender and receiver instead of one for all, no len
or poll where a receive does, an atomic sequence where others do not look inside, and no timeout, enabled or priorities.

Examples:
  psw reduce model.pml
  psw reduce --all model.pml                 every location and everything that is shared
  psw reduce --format json model.pml         also the pairs of statements, as docs/reduce.schema.json says")]
pub struct ReduceCommandArgs {
    /// The model.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Show all, however much it is.
    #[arg(long)]
    pub all: bool,
    /// Format of the report.
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
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
A double circle is a valid end state; progress is green, accept blue.

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
    text.parse().map_err(|_| "write a number, 0 or more".to_owned())
}

/// `-` → standard input.
fn parse_model(text: &str) -> Result<PathBuf, String> {
    Ok(PathBuf::from(if text == "-" { "/dev/stdin" } else { text }))
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
        _ => return Err(format!("`{unit}` is not a unit; write K, M, G or T, as in 4G")),
    };
    let number: usize = digits.parse().map_err(|_| "write a whole number and a unit, as in 4G".to_owned())?;
    number.checked_mul(factor).ok_or_else(|| "that is more than any machine has".to_owned())
}

/// A folder that is there.
fn parse_folder(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if path.is_dir() { Ok(path) } else { Err("there is no such folder".to_owned()) }
}

/// `10..20` → steps 10 to 20.
fn parse_range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let wrong = || "write two step numbers, from 1, as in 10..20".to_owned();
    let (from, to) = text.split_once("..").map_or((text, text), |(from, to)| (from, to.trim_start_matches('=')));
    let number =
        |text: &str, default| if text.is_empty() { Ok(default) } else { text.trim().parse().map_err(|_| wrong()) };
    let (from, to) = (number(from, 1)?, number(to, usize::MAX)?);
    if text.is_empty() || from == 0 || from > to { Err(wrong()) } else { Ok(from..=to) }
}

/// `10m` → time.
fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let factor = match &text[digits.len()..] {
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        unit => return Err(format!("`{unit}` is not a unit; write s, m or h, as in 10m")),
    };
    let number: u64 = digits.parse().map_err(|_| "write a whole number and a unit, as in 10m".to_owned())?;
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
    fn ranges_of_steps() {
        assert_eq!(parse_range("10..20"), Ok(10..=20));
        assert_eq!(parse_range("7"), Ok(7..=7));
        assert_eq!(parse_range("7.."), Ok(7..=usize::MAX));
        assert_eq!(parse_range("..7"), Ok(1..=7));
        assert!(["", "0..3", "5..4", "a..b", "-1"].iter().all(|text| parse_range(text).is_err()));
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
