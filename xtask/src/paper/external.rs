//! Paper 002, "Combining the Sweep-Line Method with the Use of an External-Memory Priority Queue" (SPIN 2012): its Tables 1, 3
//! and 4 next to ours, for the instances of BEEM that exist in Promela.
//!
//! States differ a little: the paper's are of models in another language. Part is given the memory, in states, that the sweep
//! with its queue on disk needed at its peak, as in the paper.

use crate::psw::Psw;
use anyhow::{Context, Result};
use serde::Deserialize;
use std::path::Path;

/// A line of the paper's Table 3.
struct Instance {
    name: &'static str,
    states: u64,
    peak: u64,
    revisits: f64,
    /// Regress, forward, stationary, in per cent.
    edges: [f64; 3],
}

const fn instance(name: &'static str, states: u64, peak: u64, revisits: f64, edges: [f64; 3]) -> Instance {
    Instance { name, states, peak, revisits, edges }
}

const INSTANCES: [Instance; 9] = [
    instance("peterson.4", 1_119_560, 38_338, 5.286, [1.8, 46.7, 51.5]),
    instance("cambridge.6", 3_354_295, 39_392, 12.360, [3.5, 39.8, 56.7]),
    instance("rether.6", 5_919_694, 31_599, 1.496, [5.5, 47.4, 47.1]),
    instance("needham.4", 6_525_019, 30_420, 1.000, [0.0, 30.5, 69.5]),
    instance("elevator2.3", 7_667_712, 30_811, 1.172, [0.3, 88.4, 11.2]),
    instance("bakery.6", 11_845_035, 30_119, 1.305, [11.3, 51.0, 37.6]),
    instance("brp.4", 12_068_447, 43_892, 1.122, [1.1, 40.3, 58.6]),
    instance("firewire_link.5", 18_553_032, 128_620, 1.000, [0.0, 6.9, 93.1]),
    instance("iprotocol.6", 41_387_484, 89_480, 1.724, [3.8, 22.8, 73.5]),
];

/// A search, its options, and the paper's means for it: time, I/Os per state, memory.
type Compared = (&'static str, &'static [&'static str], Option<[f64; 3]>);

/// The searches of Table 4, SL-ext first.
const SEARCHES: [Compared; 5] = [
    ("sweep-ext", &["--search", "sweep-ext"], Some([1.0, 1.0, 1.0])),
    ("array heap", &["--search", "sweep-ext", "--queue", "array"], None),
    ("sweep", &["--search", "sweep"], Some([0.4, 0.0, 27.74])),
    ("part", &["--search", "part"], Some([1.88, 9.27, 1.0])),
    ("bfs-ext", &["--search", "bfs-ext"], Some([8.29, 217.5, 1.0])),
];
const PART: usize = 3;

/// What we read of psw's JSON.
#[derive(Deserialize)]
struct Report {
    verdict: String,
    stop_reason: Option<String>,
    states: Option<u64>,
    expanded: u64,
    peak_states: u64,
    sweeps: Option<u64>,
    persistent: Option<u64>,
    edges: Option<Edges>,
    disk: Option<Disk>,
    seconds: f64,
}

#[derive(Deserialize)]
struct Edges {
    forward: u64,
    stationary: u64,
    regress: u64,
}

#[derive(Deserialize)]
struct Disk {
    files: u64,
    states_written: u64,
    states_read: u64,
    bytes_written: u64,
    bytes_read: u64,
    bound: Option<u64>,
}

impl Report {
    /// States read and written.
    fn accesses(&self) -> u64 {
        self.disk.as_ref().map_or(0, |disk| disk.states_written + disk.states_read)
    }
}

/// What is to be measured.
pub struct Args<'a> {
    pub psw: &'a Psw,
    /// The folder of the instances.
    pub folder: &'a Path,
    /// Only those whose names begin like this.
    pub only: &'a str,
    pub max_time: &'a str,
    pub max_memory: &'a str,
}

/// Prints the tables. True if all searches agree wherever they ended.
pub fn run(args: &Args) -> Result<bool> {
    println!(
        "instance        search     |      states  revisits       peak |  back %   fwd %   sta % | sweeps persistent"
    );
    println!(
        "                           | I/Os/state    written       read        bound   files   MB w   MB r |    time"
    );
    let mut fine = true;
    let mut ratios: Vec<Vec<[f64; 3]>> = vec![Vec::new(); SEARCHES.len()];
    for instance in INSTANCES.iter().filter(|instance| instance.name.starts_with(args.only)) {
        fine &= measure(args, instance, &mut ratios)?;
    }
    println!("\nTable 4: means, sweep-ext = 1      |     time  I/Os per state   memory | paper: time  I/Os   memory");
    for ((name, _, paper), ratios) in SEARCHES.iter().zip(&ratios) {
        let mean = |which: usize| ratios.iter().map(|ratio| ratio[which]).sum::<f64>() / ratios.len().max(1) as f64;
        let paper = paper
            .map_or_else(String::new, |[time, accesses, memory]| format!("{time:11.2} {accesses:5.1} {memory:8.2}"));
        let instances = ratios.len();
        println!(
            "{name:12} ({instances} instances)          | {:8.2} {:15.2} {:8.2} | {paper}",
            mean(0),
            mean(1),
            mean(2)
        );
    }
    Ok(fine)
}

/// All searches of an instance.
fn measure(args: &Args, instance: &Instance, ratios: &mut [Vec<[f64; 3]>]) -> Result<bool> {
    let Instance { name, states, peak, revisits, edges: [back, forward, stationary] } = instance;
    println!(
        "{name:15} paper      | {states:11} {revisits:9.3} {peak:10} | {back:7.1} {forward:7.1} {stationary:7.1} |"
    );
    let model = args.folder.join(format!("{name}.pm"));
    let full = ask(args, &model, &["--search", "bfs"])?;
    let distinct = full.states.unwrap_or(full.expanded).max(1);
    println!("{:15} bfs        | {distinct:11} {:>9} {:10} | {:.1} s", "", "", full.peak_states, full.seconds);
    let mut fine = true;
    let mut first: Option<Report> = None;
    for (number, (search, options, _)) in SEARCHES.iter().enumerate() {
        let loaded = first.as_ref().map_or(0, |first| first.peak_states).max(1).to_string();
        let loaded = ["--max-loaded", &loaded];
        let extra: &[&str] = if number == PART { &loaded } else { &[] };
        let report = ask(args, &model, &[options, extra].concat())?;
        print(search, &report, distinct);
        let is_complete = report.stop_reason.is_none() && full.stop_reason.is_none();
        fine &= !is_complete || report.verdict == full.verdict && report.states.is_none_or(|states| states == distinct);
        let base = first.as_ref().unwrap_or(&report);
        if is_complete {
            ratios[number].push([
                report.seconds / base.seconds.max(1e-9),
                report.accesses() as f64 / base.accesses().max(1) as f64,
                report.peak_states as f64 / base.peak_states.max(1) as f64,
            ]);
        }
        if first.is_none() {
            first = Some(report);
        }
    }
    Ok(fine)
}

fn print(search: &str, report: &Report, distinct: u64) {
    let stopped = report.stop_reason.as_deref().map_or_else(String::new, |reason| format!(" STOPPED: {reason}"));
    let revisits = report.expanded as f64 / distinct as f64;
    let states = report.states.unwrap_or(report.expanded);
    print!("{:15} {search:10} | {states:11} {revisits:9.3} {:10} |", "", report.peak_states);
    if let Some(Edges { forward, stationary, regress }) = report.edges {
        let all = (forward + stationary + regress).max(1) as f64;
        let share = |edges: u64| 100.0 * edges as f64 / all;
        print!(" {:7.1} {:7.1} {:7.1} |", share(regress), share(forward), share(stationary));
        print!(" {:6} {:10}", report.sweeps.unwrap_or(0), report.persistent.unwrap_or(0));
    }
    println!("{stopped}");
    let Some(disk) = &report.disk else {
        println!("{:26} | {:.1} s", "", report.seconds);
        return;
    };
    let each = report.accesses() as f64 / distinct as f64;
    let bound = disk.bound.map_or_else(String::new, |bound| bound.to_string());
    let megabytes = |bytes: u64| bytes / 1_000_000;
    println!(
        "{:26} | {each:10.2} {:10} {:10} {bound:>12} {:7} {:6} {:6} | {:.1} s",
        "",
        disk.states_written,
        disk.states_read,
        disk.files,
        megabytes(disk.bytes_written),
        megabytes(disk.bytes_read),
        report.seconds
    );
}

/// One search.
fn ask(args: &Args, model: &Path, options: &[&str]) -> Result<Report> {
    let mut command = args.psw.command();
    command.arg("check").arg(model).args(["-q", "--format", "json", "--no-reduction", "--safety", "--no-end-states"]);
    command.args(["--max-time", args.max_time, "--max-memory", args.max_memory]).args(options);
    let output = command.output().context("psw runs")?;
    serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{}: {}", model.display(), String::from_utf8_lossy(&output.stderr)))
}
