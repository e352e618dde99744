//! `psw plot`: the curves of runs that `psw check --log` took down, as SVG: states stored, progress, memory, over time.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;

use crate::Status;
use crate::cli::PlotArgs;
use crate::observers::log::{self, Row};
use crate::svg::{Document, escape};
use crate::target::{self, Target};

const WIDTH: f64 = 900.0;
const PANEL: f64 = 200.0;
/// Room on the left of a panel, on its right, and above it.
const LEFT: f64 = 90.0;
const RIGHT: f64 = 20.0;
const ABOVE: f64 = 40.0;
const COLOURS: [&str; 6] = ["#1b6ca8", "#c8501e", "#2e8b57", "#8b4fa8", "#a88b1b", "#555555"];

/// What a panel shows.
struct Panel {
    title: &'static str,
    value: fn(&Row) -> f64,
}

const PANELS: [Panel; 3] = [
    Panel { title: "states stored", value: |row| row.stored },
    Panel { title: "progress: layers opened", value: |row| row.layers },
    Panel { title: "memory, bytes", value: |row| row.bytes },
];

/// Runs the command.
pub fn run(args: &PlotArgs) -> anyhow::Result<Status> {
    if args.logs.len() > 1 && !args.compare {
        bail!("several logs are drawn in one picture with --compare");
    }
    let output = args.output.as_deref().map(Target::new).transpose()?;
    let runs: Vec<Vec<Row>> = args.logs.iter().map(|path| log::read(path)).collect::<anyhow::Result<_>>()?;
    let names: Vec<String> = args.logs.iter().map(|path| name(path)).collect();
    let drawing = draw(&names, &runs);
    target::write_or_print(output.as_ref(), &drawing)?;
    Ok(Status::Good)
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// All panels, one below the other, with a legend on top.
fn draw(names: &[String], runs: &[Vec<Row>]) -> String {
    let legend = 20.0 * names.len() as f64 + 10.0;
    let height = legend + PANELS.len() as f64 * (PANEL + ABOVE) + 40.0;
    let mut svg = String::new();
    for (number, name) in names.iter().enumerate() {
        let y = 20.0 * number as f64 + 20.0;
        let colour = COLOURS[number % COLOURS.len()];
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(svg, "<rect x=\"{LEFT}\" y=\"{}\" width=\"20\" height=\"4\" fill=\"{colour}\"/>", y - 6.0);
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", LEFT + 28.0, escape(name));
    }
    let end = runs.iter().flatten().map(|row| row.seconds).fold(0.0, f64::max);
    for (number, panel) in PANELS.iter().enumerate() {
        let top = legend + ABOVE + number as f64 * (PANEL + ABOVE);
        draw_panel(&mut svg, panel, top, end, runs);
    }
    let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">seconds</text>", WIDTH / 2.0, height - 8.0);
    Document { left: 0.0, width: WIDTH, height, style: "text{font:12px sans-serif}" }.with(&svg)
}

fn draw_panel(svg: &mut String, panel: &Panel, top: f64, end: f64, runs: &[Vec<Row>]) {
    let most = runs.iter().flatten().map(panel.value).fold(0.0, f64::max);
    let (bottom, right) = (top + PANEL, WIDTH - RIGHT);
    let x = |row: &Row| LEFT + (right - LEFT) * part(row.seconds, end);
    let y = |row: &Row| bottom - PANEL * part((panel.value)(row), most);
    let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"{}\" style=\"font-weight:bold\">{}</text>", top - 8.0, panel.title);
    let _ = writeln!(svg, "<path d=\"M{LEFT} {top} V{bottom} H{right}\" fill=\"none\" stroke=\"#888\"/>");
    for (value, at) in [(most, top + 4.0), (most / 2.0, top + PANEL / 2.0 + 4.0), (0.0, bottom + 4.0)] {
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{at}\" text-anchor=\"end\">{}</text>", LEFT - 6.0, number(value));
    }
    for share in [0.0, 0.5, 1.0] {
        let at = LEFT + (right - LEFT) * share;
        let _ = writeln!(
            svg,
            "<text x=\"{at}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            bottom + 16.0,
            number(end * share)
        );
    }
    for (number, run) in runs.iter().enumerate() {
        let points: Vec<String> = run.iter().map(|row| format!("{:.1},{:.1}", x(row), y(row))).collect();
        let colour = COLOURS[number % COLOURS.len()];
        let points = points.join(" ");
        let _ = writeln!(svg, "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>");
    }
}

/// The share of `all`, from 0 to 1.
fn part(value: f64, all: f64) -> f64 {
    if all > 0.0 { value / all } else { 0.0 }
}

/// `1.5 M`.
fn number(value: f64) -> String {
    match value {
        _ if value >= 1e9 => format!("{:.1} G", value / 1e9),
        _ if value >= 1e6 => format!("{:.1} M", value / 1e6),
        _ if value >= 1e4 => format!("{:.0} k", value / 1e3),
        _ if value >= 10.0 || value == 0.0 => format!("{value:.0}"),
        _ => format!("{value:.2}"),
    }
}
