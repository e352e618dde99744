//! A chart as SVG text. Widths are computed for a monospaced font; every text has a halo, so that lines may pass behind
//! it; what is drawn last covers what was drawn before.

use std::fmt::Write;

use super::{Chart, Event, Kind, Row};
use crate::svg::{Document, Frame, cut, embedded, escape};

const ROW: f64 = 26.0;
const CHAR: f64 = 6.65;
/// Rows between two repetitions of the process names.
const REMINDER: usize = 40;
/// An arrow that would pass more rows than this is drawn as two ends with a number.
const LONGEST_ARROW: usize = 8;
/// Length of such an end.
const STUB: f64 = 34.0;
const MOST_CHARS: usize = 48;
const TOP: f64 = 52.0;
/// Where a chart without a title begins.
const EMBEDDED_TOP: f64 = 38.0;
/// Around everything.
const MARGIN: f64 = 16.0;
const HEADER: f64 = 24.0;

const STYLE: &str = "\
text{font:11px 'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:#1d2733;paint-order:stroke;stroke:#fff;stroke-width:4px;\
stroke-linejoin:round}\
.title{font-size:14px;font-weight:bold}.mid{text-anchor:middle}.end{text-anchor:end}\
.dim{fill:#8a95a3}.life{stroke:#9aa5b1;stroke-width:1;stroke-dasharray:4 3}.tie{stroke:#c3cad3;stroke-width:2;fill:none}\
.arrow{stroke:#1f5fa8;stroke-width:1.4;fill:none;marker-end:url(#open)}\
.meet{stroke:#1d2733;stroke-width:1.6;marker-end:url(#full)}\
.lost{stroke:#c07a12;stroke-width:1.4;fill:#fff}.make{stroke:#9aa5b1;stroke-dasharray:2 2;marker-end:url(#open)}\
.head{fill:#e8eef5;stroke:#5b6b7d}.assignment{fill:#fff;stroke:#9aa5b1}.guard{fill:#fff;stroke:#c3cad3;stroke-dasharray:3 3}.assertion{fill:#eef7ee;stroke:#4d8a4d}\
.note{fill:#fff8dc;stroke:#c2a93b}.error{fill:#fde8e8;stroke:#c0221f;stroke-width:1.6}\
.open{fill:none;stroke:#1f5fa8}.full{fill:#1d2733}.lasso path{fill:none;stroke:#8b4fa8;stroke-width:1.6;marker-end:url(#open)}\
.plain{stroke:none}.red{fill:#c0221f;font-weight:bold;stroke:none}.dead{stroke:#5b6b7d;stroke-width:1.6}";

/// Draws a chart as a file.
pub fn draw(chart: &Chart) -> String {
    let mut canvas = drawn(chart);
    let left = canvas.extent.0 - MARGIN;
    canvas.reach(0.0, left + width(&chart.title) * 1.3);
    let (x, title) = (left + MARGIN, escape(&chart.title));
    canvas.put(format_args!("<text class=\"title\" x=\"{x:.1}\" y=\"26\">{title}</text>"));
    let (left, width, height) = canvas.size();
    Document { left, width, height, style: STYLE }.with(&canvas.finish())
}

/// Draws a chart as a part of a page.
pub fn embed(chart: &Chart) -> String {
    let canvas = drawn(chart);
    let (left, width, height) = canvas.size();
    let frame = Frame { left, top: EMBEDDED_TOP, width, height: height - EMBEDDED_TOP };
    embedded("chart", "message sequence chart", frame, &canvas.finish())
}

fn drawn(chart: &Chart) -> Canvas<'_> {
    let mut canvas = Canvas::new(chart);
    canvas.lifelines();
    canvas.arrows();
    for (index, row) in chart.rows.iter().enumerate() {
        canvas.row(index, row);
    }
    canvas.heads();
    canvas.error();
    canvas.ties();
    canvas.lasso();
    canvas
}

struct Canvas<'c> {
    chart: &'c Chart,
    /// Between two lifelines.
    column: f64,
    body: String,
    /// How far it reaches to the left and to the right.
    extent: (f64, f64),
}

impl<'c> Canvas<'c> {
    fn new(chart: &'c Chart) -> Self {
        let texts = chart.rows.iter().map(|row| match &row.event {
            Event::Rendezvous { text, .. } => text.as_str(),
            Event::Send { message } => chart.messages[*message].text.as_str(),
            Event::Start { name, .. } => name.as_str(),
            _ => "",
        });
        let widest = texts.chain(chart.initial.iter().map(String::as_str)).map(width).fold(0.0, f64::max);
        let column = (widest + 30.0).clamp(100.0, if chart.columns > 8 { 130.0 } else { 190.0 });
        Self { chart, column, body: String::new(), extent: (0.0, 0.0) }
    }

    fn x(&self, pid: usize) -> f64 {
        pid as f64 * self.column
    }

    /// The middle of a row.
    fn y(&self, row: usize) -> f64 {
        TOP + HEADER + 12.0 + (row + row / REMINDER) as f64 * ROW + ROW / 2.0
    }

    fn bottom(&self) -> f64 {
        self.y(self.chart.rows.len())
    }

    fn reach(&mut self, from: f64, to: f64) {
        self.extent = (self.extent.0.min(from), self.extent.1.max(to));
    }

    fn put(&mut self, text: std::fmt::Arguments) {
        // Writing into a string does not fail.
        let _ = self.body.write_fmt(text);
        self.body.push('\n');
    }

    /// Each lifeline from where its process starts to where it ends.
    fn lifelines(&mut self) {
        let mut since: Vec<Option<f64>> = vec![None; self.chart.columns];
        for start in since.iter_mut().take(self.chart.initial.len()) {
            *start = Some(TOP + HEADER);
        }
        for (index, row) in self.chart.rows.iter().enumerate() {
            match row.event {
                Event::Start { child, .. } => since[child] = Some(self.y(index)),
                Event::End => {
                    let until = self.y(index);
                    if let Some(from) = since[row.pid].take() {
                        self.lifeline(row.pid, from, until);
                    }
                }
                _ => {}
            }
        }
        let bottom = self.bottom();
        for (pid, from) in since.into_iter().enumerate() {
            if let Some(from) = from {
                self.lifeline(pid, from, bottom);
            }
        }
    }

    fn lifeline(&mut self, pid: usize, from: f64, to: f64) {
        let x = self.x(pid);
        self.put(format_args!(r#"<line class="life" x1="{x:.1}" y1="{from:.1}" x2="{x:.1}" y2="{to:.1}"/>"#));
    }

    /// Whether the arrow of a message is drawn in one piece, and where it ends.
    fn whole(&self, message: usize) -> Option<(usize, usize)> {
        let sent = &self.chart.messages[message];
        sent.received.filter(|&(row, pid)| pid != sent.from && row > sent.sent && row - sent.sent <= LONGEST_ARROW)
    }

    fn arrows(&mut self) {
        for (index, sent) in self.chart.messages.iter().enumerate() {
            if let Some((row, pid)) = self.whole(index) {
                let (x1, y1, x2, y2) = (self.x(sent.from), self.y(sent.sent), self.x(pid), self.y(row));
                self.put(format_args!(r#"<line class="arrow" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#));
            }
        }
    }

    /// Ties the rows of one step together, with its number, to the left of everything else.
    fn ties(&mut self) {
        let x = self.extent.0 - 20.0;
        self.reach(x - 34.0, 0.0);
        let rows: Vec<usize> = (0..self.chart.rows.len()).filter(|&row| self.chart.rows[row].step > 0).collect();
        for tied in rows.chunk_by(|&a, &b| self.chart.rows[a].step == self.chart.rows[b].step) {
            let (first, last) = (tied[0], tied[tied.len() - 1]);
            let (top, bottom) = (self.y(first), self.y(last));
            let step = self.chart.rows[first].step;
            self.put(format_args!(r#"<text class="dim end" x="{:.1}" y="{:.1}">{step}</text>"#, x - 6.0, top + 4.0));
            if first != last {
                let (right, top, bottom) = (x + 5.0, top - 6.0, bottom + 6.0);
                self.put(format_args!(r#"<path class="tie" d="M{right:.1} {top:.1}H{x:.1}V{bottom:.1}H{right:.1}"/>"#));
            }
        }
    }

    fn row(&mut self, index: usize, row: &Row) {
        let (x, y) = (self.x(row.pid), self.y(index));
        let (moves, below) = (row.moves, y + ROW / 2.0 - EMBEDDED_TOP);
        let hint = match &row.event {
            Event::Step { text, .. } | Event::Rendezvous { text, .. } => format!("{}: {text}", row.hint),
            Event::Send { message } | Event::Receive { message } => {
                format!("{}: {}", row.hint, self.chart.messages[*message].text)
            }
            Event::Start { .. } | Event::End | Event::Gap { .. } => row.hint.clone(),
        };
        self.put(format_args!("<g data-moves=\"{moves}\" data-y=\"{below:.0}\"><title>{}</title>", escape(&hint)));
        match &row.event {
            Event::Step { text, kind } => {
                let class = match kind {
                    Kind::Assignment => "assignment",
                    Kind::Guard => "guard",
                    Kind::Assertion => "assertion",
                    Kind::Note => "note",
                    Kind::Error => "error",
                };
                self.boxed(x, y, &cut(text, MOST_CHARS), class, "plain");
            }
            Event::Rendezvous { to, text } => {
                let (to, text) = (self.x(*to), cut(text, MOST_CHARS));
                self.put(format_args!(r#"<line class="meet" x1="{x:.1}" y1="{y:.1}" x2="{to:.1}" y2="{y:.1}"/>"#));
                self.label((x + to) / 2.0, y - 6.0, &text, "mid");
            }
            Event::Send { message } => self.send(x, y, *message),
            Event::Receive { message } => self.receive(x, y, *message),
            Event::Start { child, name } => {
                let to = self.x(*child);
                let edge = to - (width(name) / 2.0 + 7.0).copysign(to - x);
                self.put(format_args!(r#"<line class="make" x1="{x:.1}" y1="{y:.1}" x2="{edge:.1}" y2="{y:.1}"/>"#));
                self.boxed(to, y, name, "head", "plain");
            }
            Event::End => {
                for (dx, dy) in [(-5.0, -5.0), (-5.0, 5.0)] {
                    let (x1, y1, x2, y2) = (x + dx, y + dy, x - dx, y - dy);
                    self.put(format_args!(
                        r#"<line class="dead" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
                    ));
                }
            }
            Event::Gap { rows } => self.label(0.0, y + 4.0, &format!("… {rows} rows left out …"), "dim"),
        }
        self.put(format_args!("</g>"));
    }

    fn send(&mut self, x: f64, y: f64, message: usize) {
        let sent = &self.chart.messages[message];
        let text = cut(&sent.text, MOST_CHARS);
        if let Some((_, to)) = self.whole(message) {
            return self.beside(x, y, self.side(sent.from, to), 6.0, &text);
        }
        let Some((_, to)) = sent.received else {
            // It stays in the channel.
            let side = self.side(sent.from, sent.from + 1);
            let end = x + side * STUB;
            self.put(format_args!(r#"<line class="lost" x1="{x:.1}" y1="{y:.1}" x2="{end:.1}" y2="{y:.1}"/>"#));
            self.put(format_args!(r#"<circle class="lost" cx="{end:.1}" cy="{y:.1}" r="4"/>"#));
            return self.beside(x, y, side, STUB + 9.0, &text);
        };
        let side = self.side(sent.from, to);
        let end = x + side * STUB;
        self.put(format_args!(r#"<line class="arrow" x1="{x:.1}" y1="{y:.1}" x2="{end:.1}" y2="{y:.1}"/>"#));
        self.beside(x, y, side, STUB + 6.0, &format!("{text} #{}", message + 1));
    }

    fn receive(&mut self, x: f64, y: f64, message: usize) {
        if self.whole(message).is_some() {
            return;
        }
        let sent = &self.chart.messages[message];
        let text = format!("{} #{}", cut(&sent.text, MOST_CHARS), message + 1);
        let side = match sent.received {
            Some((_, pid)) if pid != sent.from => self.side(pid, sent.from),
            _ => -1.0,
        };
        let from = x + side * STUB;
        self.put(format_args!(r#"<line class="arrow" x1="{from:.1}" y1="{y:.1}" x2="{x:.1}" y2="{y:.1}"/>"#));
        self.beside(x, y, side, STUB + 6.0, &text);
    }

    /// 1 if `to` is drawn to the right of `from`, or else -1.
    fn side(&self, from: usize, to: usize) -> f64 {
        if to >= from { 1.0 } else { -1.0 }
    }

    /// A text at a distance from a lifeline: behind a stub on its height, or else above the line that passes.
    fn beside(&mut self, x: f64, y: f64, side: f64, distance: f64, text: &str) {
        let class = if side > 0.0 { "" } else { "end" };
        let lower = if distance > STUB { 4.0 } else { -5.0 };
        self.label(x + side * distance, y + lower, text, class);
    }

    fn label(&mut self, x: f64, y: f64, text: &str, class: &str) {
        let wide = width(text);
        let left = match class {
            "mid" => x - wide / 2.0,
            "end" => x - wide,
            _ => x,
        };
        self.reach(left, left + wide);
        self.put(format_args!(r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{}</text>"#, escape(text)));
    }

    fn boxed(&mut self, x: f64, y: f64, text: &str, class: &str, text_class: &str) {
        let wide = width(text) + 14.0;
        let (left, top) = (x - wide / 2.0, y - 9.0);
        self.reach(left, left + wide);
        self.put(format_args!(
            r#"<rect class="{class}" x="{left:.1}" y="{top:.1}" width="{wide:.1}" height="18" rx="3"/>"#
        ));
        let y = y + 4.0;
        self.put(format_args!(r#"<text class="mid {text_class}" x="{x:.1}" y="{y:.1}">{}</text>"#, escape(text)));
    }

    /// The names of the processes: on top, and again now and then.
    fn heads(&mut self) {
        let mut alive = self.chart.initial.clone();
        for (pid, name) in self.chart.initial.iter().enumerate() {
            self.boxed(self.x(pid), TOP + HEADER - 9.0, name, "head", "plain");
        }
        for (index, row) in self.chart.rows.iter().enumerate() {
            if index > 0 && index % REMINDER == 0 {
                let y = self.y(index) - ROW + 4.0;
                for (pid, name) in alive.iter().enumerate() {
                    self.label(self.x(pid), y, name, "mid dim");
                }
            }
            match &row.event {
                Event::Start { name, .. } => alive.push(name.clone()),
                Event::End => {
                    alive.pop();
                }
                _ => {}
            }
        }
    }

    /// What is wrong, below everything, and at whose lifelines.
    fn error(&mut self) {
        let y = self.bottom();
        let fit = match self.chart.guilty.len() {
            1 => MOST_CHARS,
            _ => ((self.column - 20.0) / CHAR) as usize,
        };
        for (pid, text) in &self.chart.guilty {
            self.put(format_args!("<g><title>{}</title>", escape(text)));
            self.boxed(self.x(*pid), y, &cut(text, fit), "error", "plain");
            self.put(format_args!("</g>"));
        }
        let y = y + ROW;
        let left = -self.column / 2.0;
        self.reach(left, left + width(&self.chart.error) * 1.1);
        let error = escape(&self.chart.error);
        self.put(format_args!(r#"<text class="red" x="{left:.1}" y="{y:.1}">{error}</text>"#));
    }

    /// From the end of an infinite run back to where its cycle starts, to the left of everything.
    fn lasso(&mut self) {
        let Some(start) = self.chart.cycle else { return };
        let x = self.extent.0 - 14.0;
        self.reach(x - 14.0, 0.0);
        let right = x + 12.0;
        let bottom = self.y(self.chart.rows.len()) - ROW / 2.0;
        let top = (self.y(start) - ROW / 2.0).min(bottom - 8.0);
        self.put(format_args!("<g class=\"lasso\"><title>what follows the end is the cycle again</title>"));
        self.put(format_args!(
            r#"<path d="M{right:.1} {bottom:.1}H{:.1}Q{x:.1} {bottom:.1} {x:.1} {:.1}V{:.1}Q{x:.1} {top:.1} {:.1} {top:.1}H{right:.1}"/></g>"#,
            x + 4.0,
            bottom - 4.0,
            top + 4.0,
            x + 4.0,
        ));
    }

    /// Where it begins on the left, how wide and how high it is.
    fn size(&self) -> (f64, f64, f64) {
        let left = self.extent.0 - MARGIN;
        (left, self.extent.1 + MARGIN - left, self.bottom() + 2.0 * ROW)
    }

    fn finish(self) -> String {
        let marker = |id: &str, path: &str| {
            format!(
                "<marker id=\"{id}\" viewBox=\"0 0 10 10\" refX=\"9.5\" refY=\"5\" markerWidth=\"8\" markerHeight=\"8\" \
                 orient=\"auto-start-reverse\"><path class=\"{id}\" d=\"{path}\"/></marker>"
            )
        };
        let markers = marker("open", "M1 1L9 5L1 9") + &marker("full", "M1 1L9 5L1 9Z");
        format!("<defs>{markers}</defs>\n{}", self.body)
    }
}

fn width(text: &str) -> f64 {
    text.chars().count() as f64 * CHAR
}
