//! What all SVG drawings share: the document, and text that XML can hold.

use promela::visible::visible;

/// A drawing that begins at `left` and is `width` wide and `height` high, on white.
pub struct Document {
    pub left: f64,
    pub width: f64,
    pub height: f64,
    /// CSS.
    pub style: &'static str,
}

impl Document {
    /// The document with these elements.
    pub fn with(&self, elements: &str) -> String {
        let Document { left, width, height, style } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"{left:.1} 0 {width:.1} {height:.1}\">\n<style>{style}</style>\n\
             <rect x=\"{left:.1}\" y=\"0\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"#fff\"/>\n{elements}</svg>\n"
        )
    }
}

/// What of the plane a drawing shows.
#[derive(Clone, Copy)]
pub struct Frame {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

/// A drawing as a part of a page, which has its style.
pub fn embedded(class: &str, title: &str, frame: Frame, elements: &str) -> String {
    let Frame { left, top, width, height } = frame;
    let title = escape(title);
    format!(
        "<svg class=\"{class}\" role=\"img\" aria-label=\"{title}\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"{left:.1} {top:.1} {width:.1} {height:.1}\">\n{elements}</svg>\n"
    )
}

/// A text as XML has it. Characters that XML cannot hold are left out.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' => escaped.push(' '),
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

/// A text of at most this many characters.
pub fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
