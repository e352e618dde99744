//! The automaton of each proctype as a part of the page. Locations have SPIN's numbers, by which the page finds them.

use std::collections::HashMap;
use std::fmt::Write;

use interp::code::flow::LocationFlags;
use interp::code::program::{Edge, Graph};

use super::layers::Drawing;
use crate::commands::dot::step_text;
use crate::load::Loaded;
use crate::svg::{Frame, cut, embedded, escape};

/// The most points of a drawing.
const MOST_POINTS: usize = 20_000;
/// The most characters of a text.
const MOST_CHARS: usize = 30;
const CHAR: f64 = 6.1;
const RADIUS: f64 = 11.0;
const MARGIN: f64 = 16.0;

/// A figure for each proctype.
pub fn draw(loaded: &Loaded) -> String {
    let mut figures = String::new();
    for (id, proc) in &loaded.model.checked.proctypes {
        let Some(template) = loaded.model.program.template_of(id) else { continue };
        let name = escape(&proc.name);
        let (drawing, size) = automaton(loaded, &template.graph, &proc.name);
        let plural = if size == 1 { "" } else { "s" };
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            figures,
            "<figure class=\"automaton\" data-process=\"{name}\"><figcaption>{name} <small>{size} location{plural}</small></figcaption>\
             <div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"automaton of {name}\">{drawing}</div></figure>"
        );
    }
    figures
}

/// The drawing, and how many locations it has.
fn automaton(loaded: &Loaded, graph: &Graph, name: &str) -> (String, usize) {
    let edges = &loaded.model.program.edges;
    // The first location is on top; what no edge leads to says nothing.
    let mut order = vec![graph.start];
    let mut place = HashMap::from([(graph.start, 0)]);
    let (mut drawing, mut drawn) = (Drawing { vertices: Vec::new(), edges: Vec::new() }, Vec::new());
    let mut end = None;
    let mut at = 0;
    while let Some(&pc) = order.get(at) {
        for edge in graph.locations[pc].edges().map(|id| &edges[id]) {
            let to = match edge.to {
                Some(to) => *place.entry(to).or_insert_with(|| {
                    order.push(to);
                    order.len() - 1
                }),
                None => usize::MAX,
            };
            let text = cut(&step_text(&loaded.sources, edge), MOST_CHARS);
            drawing.edges.push((at, to, text.chars().count() as f64 * CHAR + 10.0));
            drawn.push((edge, text));
        }
        at += 1;
    }
    drawing.vertices = vec![2.0 * RADIUS; order.len()];
    if drawing.edges.iter().any(|&(_, to, _)| to == usize::MAX) {
        end = Some(order.len());
        drawing.vertices.push(2.0 * RADIUS);
        for edge in &mut drawing.edges {
            edge.1 = edge.1.min(order.len());
        }
    }
    if drawing.most_points() > MOST_POINTS {
        return ("<p>too large to be drawn here; psw dot draws it</p>".to_owned(), order.len());
    }
    let placed = drawing.place();
    let mut svg = String::new();
    for ((points, _), (edge, _)) in placed.edges.iter().zip(&drawn) {
        let _ = writeln!(svg, "<path class=\"way{}\" d=\"{}\"/>", style(edge), way(points));
    }
    for ((points, middle), (edge, text)) in placed.edges.iter().zip(&drawn) {
        let (x, y) = points[*middle];
        let line = loaded.sources.line(edge.span);
        let whole = step_text(&loaded.sources, edge);
        let wide = text.chars().count() as f64 * CHAR + 6.0;
        let _ = writeln!(
            svg,
            "<g><title>line {line}: {}</title><rect class=\"label\" x=\"{:.1}\" y=\"{:.1}\" width=\"{wide:.1}\" height=\"16\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\">{}</text></g>",
            escape(&whole),
            x - wide / 2.0,
            y - 8.0,
            y + 4.0,
            escape(text)
        );
    }
    for (number, &(x, y)) in placed.vertices.iter().enumerate() {
        match order.get(number) {
            Some(&pc) => {
                let location = &graph.locations[pc];
                let (mut class, mut says) = (String::from("location"), String::new());
                for (flag, name) in [
                    (LocationFlags::END, "end"),
                    (LocationFlags::PROGRESS, "progress"),
                    (LocationFlags::ACCEPT, "accept"),
                ] {
                    if location.flags.contains(flag) {
                        class.push_str(&format!(" {name}"));
                        says.push_str(&format!(", {name} state"));
                    }
                }
                let (id, line) = (location.number, loaded.sources.line(location.span));
                let _ = writeln!(
                    svg,
                    "<g class=\"{class}\" data-location=\"{id}\"><title>location {id}, line {line}{says}</title>\
                     <circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\"/>\
                     <text x=\"{x:.1}\" y=\"{:.1}\">{line}</text></g>",
                    RADIUS + 3.0,
                    y + 4.0
                );
            }
            None if end == Some(number) => {
                let _ = writeln!(
                    svg,
                    "<circle class=\"over\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"><title>ended</title></circle>"
                );
            }
            None => {}
        }
    }
    let wide = placed.width + 2.0 * MARGIN;
    let high = placed.height + 2.0 * RADIUS + 2.0 * MARGIN;
    let svg = format!(
        "<defs><marker id=\"tip\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path class=\"tip\" d=\"M1 1L9 5L1 9Z\"/></marker></defs>\n<g transform=\"translate({MARGIN} {:.1})\">{svg}</g>",
        RADIUS + MARGIN
    );
    let frame = Frame { left: 0.0, top: 0.0, width: wide, height: high };
    (embedded("automaton", &format!("automaton of {name}"), frame, &svg), order.len())
}

/// A curve through points that ends at the rim of a location.
fn way(points: &[(f64, f64)]) -> String {
    let last = points.len() - 1;
    let mut path = String::new();
    for (number, pair) in points.windows(2).enumerate() {
        let ((x1, mut y1), (x2, mut y2)) = (pair[0], pair[1]);
        let down = if y2 > y1 { 1.0 } else { -1.0 };
        // A loop leaves and comes back at two places.
        let is_loop = points[0] == points[last];
        let aside = |ends: bool| if is_loop && ends { 6.0 } else { 0.0 };
        if number == 0 {
            y1 += down * RADIUS;
            let _ = write!(path, "M{:.1} {y1:.1}", x1 - aside(true));
        }
        if number + 1 == last {
            y2 -= down * (RADIUS + 2.0);
        }
        let middle = f64::midpoint(y1, y2);
        let (from, to) = (x1 - aside(number == 0), x2 + aside(number + 1 == last));
        let _ = write!(path, "C{from:.1} {middle:.1} {to:.1} {middle:.1} {to:.1} {y2:.1}");
    }
    path
}

/// As in the drawings for Graphviz.
fn style(edge: &Edge) -> String {
    let marks = [(edge.atomic, " atomic"), (edge.d_step, " dstep"), (edge.escape > 0, " escape")];
    marks.iter().filter(|(on, _)| *on).map(|(_, name)| *name).collect()
}
