//! `psw plot`: the curves of runs that `psw check --log` took down, as SVG: states, the sweep-line and memory over time.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;

use crate::Status;
use crate::cli::PlotArgs;
use crate::observers::log::{self, Row};
use crate::svg::{Document, Frame, cut, embedded, escape};
use crate::target::{self, Target};

const WIDTH: f64 = 900.0;
const PANEL: f64 = 190.0;
/// Room on the left of a panel, on its right, above it, and below it.
const LEFT: f64 = 78.0;
const RIGHT: f64 = 20.0;
const ABOVE: f64 = 46.0;
const BELOW: f64 = 40.0;
/// How many runs have a colour of their own.
const COLOURS: usize = 6;
/// Lines of the grid on an axis, about.
const LINES: f64 = 5.0;
/// The most points of a curve: as many as there are pixels.
const MOST_POINTS: usize = 900;

const STYLE: &str = "text{font:12px sans-serif;fill:#333}.head{font-size:16px;font-weight:bold}.name{font-weight:bold}\
.grid{stroke:#e3e3e3}.axis{stroke:#888;fill:none}.end{text-anchor:end}.mid{text-anchor:middle}\
.curve{fill:none;stroke-width:1.6;stroke-linejoin:round}.faint{stroke-dasharray:5 4;stroke-width:1.2}\
.c0{stroke:#1b6ca8}.c1{stroke:#c8501e}.c2{stroke:#2e8b57}.c3{stroke:#8b4fa8}.c4{stroke:#a88b1b}.c5{stroke:#555}";

/// What a panel shows.
struct Panel {
    title: &'static str,
    unit: &'static str,
    curves: &'static [Curve],
}

/// A curve of each run.
struct Curve {
    name: &'static str,
    value: fn(&Row) -> f64,
    is_faint: bool,
}

/// The unit of memory, which is shown in larger ones.
const BYTES: &str = "bytes";

const PANELS: [Panel; 3] = [
    Panel {
        title: "States: those found so far, and those that are in memory",
        unit: "states",
        curves: &[
            Curve { name: "in memory", value: |row| row.stored, is_faint: false },
            Curve { name: "found so far", value: |row| row.found, is_faint: true },
        ],
    },
    Panel {
        title: "Sweep-line: how many values of the progress measure it has come to",
        unit: "values",
        curves: &[Curve { name: "sweep-line", value: |row| row.layers, is_faint: false }],
    },
    Panel {
        title: "Memory",
        unit: BYTES,
        curves: &[Curve { name: "memory", value: |row| row.bytes, is_faint: false }],
    },
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

/// All panels, one below the other, with title and legend on top.
fn draw(names: &[String], runs: &[Vec<Row>]) -> String {
    let title = match names {
        [name] => format!("{name}: how the search went"),
        names => format!("{}: how the searches went", names.join(", ")),
    };
    let mut svg = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(svg, "<text class=\"head\" x=\"{LEFT}\" y=\"26\">{}</text>", escape(&cut(&title, 90)));
    let mut top = 50.0;
    if names.len() > 1 {
        for (number, name) in names.iter().enumerate() {
            let colour = number % COLOURS;
            let (line, right, text) = (top - 4.0, LEFT + 26.0, LEFT + 34.0);
            let _ = writeln!(svg, "<path class=\"curve c{colour}\" d=\"M{LEFT} {line}H{right}\"/>");
            let _ = writeln!(svg, "<text x=\"{text}\" y=\"{top}\">{}</text>", escape(name));
            top += 18.0;
        }
    }
    let runs: Vec<&[Row]> = runs.iter().map(Vec::as_slice).collect();
    let height = panels(&mut svg, top - 12.0, &runs);
    Document { left: 0.0, width: WIDTH, height, style: STYLE }.with(&svg)
}

/// The panels of one run as a part of a page.
pub fn embed(rows: &[Row]) -> String {
    let mut svg = String::new();
    let height = panels(&mut svg, 0.0, &[rows]);
    embedded(
        "plot",
        "how the search went: states, sweep-line and memory over time",
        Frame { left: 0.0, top: 0.0, width: WIDTH, height },
        &svg,
    )
}

/// Draws the panels that say something, and answers how high the picture is.
fn panels(svg: &mut String, mut top: f64, runs: &[&[Row]]) -> f64 {
    let end = runs.iter().copied().flatten().map(|row| row.seconds).fold(0.0, f64::max);
    for panel in &PANELS {
        // A search without a sweep has one layer.
        if panel.unit == "values" && runs.iter().copied().flatten().all(|row| row.layers <= 1.0) {
            continue;
        }
        draw_panel(svg, panel, top + ABOVE, end, runs);
        top += ABOVE + PANEL + BELOW;
    }
    top + 8.0
}

fn draw_panel(svg: &mut String, panel: &Panel, top: f64, end: f64, runs: &[&[Row]]) {
    let values = |curve: &Curve| runs.iter().copied().flatten().map(curve.value).fold(0.0, f64::max);
    let most = panel.curves.iter().map(values).fold(0.0, f64::max);
    let (scale, unit) = match panel.unit {
        BYTES if most >= 1e9 => (1e9, "GB"),
        BYTES if most >= 1e6 => (1e6, "MB"),
        BYTES => (1e3, "kB"),
        unit => (1.0, unit),
    };
    let most = most / scale;
    let (bottom, right) = (top + PANEL, WIDTH - RIGHT);
    let _ = writeln!(svg, "<text class=\"name\" x=\"{LEFT}\" y=\"{}\">{}</text>", top - 26.0, panel.title);
    let _ = writeln!(svg, "<text class=\"end\" x=\"{}\" y=\"{}\">{}</text>", LEFT - 8.0, top - 10.0, unit);
    let (high, wide) = (grid(most), grid(end));
    for line in &high {
        let y = bottom - PANEL * part(*line, most);
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>");
        let text = (LEFT - 8.0, y + 4.0, number(*line, &high));
        let _ = writeln!(svg, "<text class=\"end\" x=\"{:.1}\" y=\"{:.1}\">{}</text>", text.0, text.1, text.2);
    }
    for line in &wide {
        let x = LEFT + (right - LEFT) * part(*line, end);
        let _ = writeln!(svg, "<path class=\"grid\" d=\"M{x:.1} {top}V{bottom}\"/>");
        let text = number(*line, &wide);
        let _ = writeln!(svg, "<text class=\"mid\" x=\"{x:.1}\" y=\"{}\">{text} s</text>", bottom + 17.0);
    }
    let _ = writeln!(svg, "<path class=\"axis\" d=\"M{LEFT} {top}V{bottom}H{right}\"/>");
    for (nth, curve) in panel.curves.iter().enumerate() {
        let class = if curve.is_faint { " faint" } else { "" };
        for (number, run) in runs.iter().enumerate() {
            let step = run.len().div_ceil(MOST_POINTS).max(1);
            let last = run.len() - usize::from(!run.is_empty());
            let kept = run.iter().enumerate().filter(|(at, _)| at % step == 0 || *at == last);
            let point = |(_, row): (usize, &Row)| {
                let x = LEFT + (right - LEFT) * part(row.seconds, end);
                format!("{x:.1},{:.1}", bottom - PANEL * part((curve.value)(row) / scale, most))
            };
            let points = kept.map(point).collect::<Vec<_>>().join(" ");
            let _ = writeln!(svg, "<polyline class=\"curve c{}{class}\" points=\"{points}\"/>", number % COLOURS);
        }
        if panel.curves.len() > 1 {
            let colour = if runs.len() == 1 { "c0" } else { "axis" };
            let (x, y) = (right - 250.0 + 120.0 * nth as f64, top - 8.0);
            let _ = writeln!(svg, "<path class=\"curve {colour}{class}\" d=\"M{x} {}h26\"/>", y - 4.0);
            let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", x + 32.0, curve.name);
        }
    }
}

/// The share of `all`, from 0 to 1.
fn part(value: f64, all: f64) -> f64 {
    if all > 0.0 { value / all } else { 0.0 }
}

/// Round values from 0 to `most`, about as many as the grid has lines.
fn grid(most: f64) -> Vec<f64> {
    if most <= 0.0 {
        return vec![0.0];
    }
    let size = 10f64.powf((most / LINES).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|round| round * size).into_iter().find(|step| most / step <= LINES + 0.5);
    let step = step.unwrap_or(10.0 * size);
    (0..).map(|line| f64::from(line) * step).take_while(|line| *line <= most * 1.000_001).collect()
}

/// A line of a grid, with as many digits as its neighbours need: `1.5 M`.
fn number(value: f64, grid: &[f64]) -> String {
    let most = grid.last().copied().unwrap_or(0.0);
    let step = grid.get(1).copied().unwrap_or(1.0);
    let (size, unit) = match most {
        _ if most >= 1e9 => (1e9, " G"),
        _ if most >= 1e6 => (1e6, " M"),
        _ if most >= 1e4 => (1e3, " k"),
        _ => (1.0, ""),
    };
    let digits = (-(step / size).log10().floor()).max(0.0) as usize;
    if value == 0.0 { "0".to_owned() } else { format!("{:.digits$}{unit}", value / size) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_round() {
        let texts = |most: f64| grid(most).iter().map(|&line| number(line, &grid(most))).collect::<Vec<_>>().join(" ");
        assert_eq!(texts(0.0), "0");
        assert_eq!(texts(7.3), "0 2 4 6");
        assert_eq!(texts(0.034), "0 0.01 0.02 0.03");
        assert_eq!(texts(2_600_000.0), "0 0.5 M 1.0 M 1.5 M 2.0 M 2.5 M");
        assert_eq!(texts(52_000.0), "0 10 k 20 k 30 k 40 k 50 k");
    }
}
