//! The ratios of all models as one picture: a row for each, how many times faster psw searches, and what a state takes.

use super::results::{Figures, Results, Row};
use std::fmt::Write;

const ROW: f64 = 22.0;
const LEFT: f64 = 330.0;
const PANEL: f64 = 330.0;
const GAP: f64 = 40.0;
const TOP: f64 = 70.0;
/// Factors at both ends of an axis, which is logarithmic with 1 in its middle.
const FARTHEST: f64 = 8.0;

/// Draws every row that was compared; the colours are those of the searches, in order.
pub fn draw(results: &Results) -> String {
    let rows: Vec<&Row> = results.rows.iter().filter(|row| row.refused.is_none()).collect();
    let height = TOP + ROW * rows.len() as f64 + 30.0;
    let width = LEFT + 2.0 * PANEL + GAP + 20.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    axis(&mut svg, LEFT, height, "search: times faster than SPIN");
    axis(&mut svg, LEFT + PANEL + GAP, height, "bytes a state: times smaller than SPIN's");
    for (nth, row) in rows.iter().enumerate() {
        let y = TOP + ROW * (nth as f64 + 0.5);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT - 8.0,
            y + 4.0,
            short(&row.model)
        );
        let Some(plain) = row.entries.first() else { continue };
        let others = row.entries.iter().filter(|entry| entry.contestant.starts_with("psw"));
        for (entry, colour) in others.zip(COLOURS.iter().cycle()) {
            bar(&mut svg, (LEFT, y), entry.rate / plain.rate, entry, colour);
            let smaller = plain.bytes_per_state / entry.bytes_per_state;
            bar(&mut svg, (LEFT + PANEL + GAP, y), smaller, entry, colour);
        }
    }
    svg.push_str("</svg>\n");
    svg
}

const COLOURS: [&str; 4] = ["#1f77b4", "#ff7f0e", "#2ca02c", "#9467bd"];

fn place(left: f64, ratio: f64) -> f64 {
    let along = (ratio.clamp(1.0 / FARTHEST, FARTHEST).ln() / FARTHEST.ln() + 1.0) / 2.0;
    left + PANEL * along
}

fn axis(svg: &mut String, left: f64, height: f64, title: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"24\" text-anchor=\"middle\" font-weight=\"bold\">{title}</text>",
        left + PANEL / 2.0
    );
    for (ratio, label) in [(0.125, "1/8"), (0.25, "1/4"), (0.5, "1/2"), (1.0, "1"), (2.0, "2"), (4.0, "4"), (8.0, "8")]
    {
        let x = place(left, ratio);
        let stroke = if ratio == 1.0 { "#444" } else { "#ddd" };
        let _ =
            writeln!(svg, "<line x1=\"{x:.1}\" y1=\"52\" x2=\"{x:.1}\" y2=\"{}\" stroke=\"{stroke}\"/>", height - 20.0);
        let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"46\" text-anchor=\"middle\" fill=\"#666\">{label}</text>");
    }
}

fn bar(svg: &mut String, (left, y): (f64, f64), ratio: f64, entry: &Figures, colour: &str) {
    let (one, end) = (place(left, 1.0), place(left, ratio));
    let _ = writeln!(
        svg,
        "<line x1=\"{one:.1}\" y1=\"{y:.1}\" x2=\"{end:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>\
         <circle cx=\"{end:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"><title>{}: {ratio:.2}</title></circle>",
        entry.contestant
    );
}

/// The name without its folders, as text of an XML element.
fn short(model: &str) -> String {
    let (path, flags) = model.split_once(' ').unwrap_or((model, ""));
    let name = path.rsplit('/').next().unwrap_or(path);
    format!("{name} {flags}").trim().replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_one_and_ends_hold() {
        assert_eq!(place(100.0, 1.0), 100.0 + PANEL / 2.0);
        assert_eq!(place(0.0, 1000.0), PANEL);
        assert_eq!(place(0.0, 0.0), 0.0);
    }

    #[test]
    fn names_are_short_and_harmless() {
        assert_eq!(short("a/b/m.pml -DX=a<b&c"), "m.pml -DX=a&lt;b&amp;c");
    }
}
