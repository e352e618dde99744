//! Message sequence charts: well-formed, with what belongs into them, and visible in a real browser.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use roxmltree::{Document, Node};

use super::{MODEL, answer, folder};

/// The chart of a model's first violation.
fn chart(folder: &Path) -> Result<String> {
    answer(folder, &["check", "-q", "--safety", "--trace-out", "t.json", "m.pml"], 1)?;
    answer(folder, &["replay", "-q", "--msc", "t.svg", "m.pml", "t.json"], 1)?;
    Ok(std::fs::read_to_string(folder.join("t.svg"))?)
}

fn of_class<'d>(document: &'d Document<'d>, class: &'d str) -> impl Iterator<Item = Node<'d, 'd>> {
    document.descendants().filter(move |node| node.attribute("class") == Some(class))
}

fn number(node: Node, name: &str) -> f64 {
    node.attribute(name).and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

#[test]
fn a_chart_has_lifelines_arrows_boxes_and_the_error() -> Result<()> {
    let folder = folder(MODEL)?;
    let svg = chart(folder.path())?;
    let document = Document::parse(&svg)?;
    let texts: Vec<&str> =
        document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
    for expected in ["Client(0)", "Server(1)", "Worker(2)", "meet [req,7]", "line [3]", "total = 1", "total is 11"] {
        assert!(texts.contains(&expected), "no `{expected}` in {texts:?}");
    }
    assert!(texts.contains(&"assertion violated") && texts.contains(&"assert(total < LIMIT)"), "{texts:?}");
    assert_eq!(of_class(&document, "life").count(), 3);
    assert_eq!(of_class(&document, "error").count(), 1);
    for arrow in of_class(&document, "meet") {
        assert_eq!(number(arrow, "y1"), number(arrow, "y2"));
    }
    // The message nobody takes ends in the channel.
    assert_eq!(of_class(&document, "lost").filter(|node| node.has_tag_name("circle")).count(), 1);
    Ok(())
}

#[test]
fn hostile_names_stay_well_formed() -> Result<()> {
    let folder = folder(
        "byte x; active proctype P() { x = 1; printf(\"MSC: <a & \\\"b\\\">\\t\\n\"); assert(x < 1 && x > 0) }",
    )?;
    let svg = chart(folder.path())?;
    Document::parse(&svg)?;
    assert!(svg.contains("&lt;a &amp;"), "{svg}");
    Ok(())
}

/// 100 messages there and back, some of which wait for long; then a deadlock.
const LONG: &str = "\
chan to = [1] of { byte }; chan back = [4] of { byte }; chan late = [2] of { byte };
active proctype A() { byte i; byte x; late!42; do :: i < 60 -> to!i; back?x; i++ :: else -> break od; to!99 }
active proctype B() { byte x; do :: to?x -> if :: x == 99 -> break :: else -> back!x fi od; late?x; back?eval(x) }
";

#[test]
fn texts_of_a_long_chart_do_not_overlap() -> Result<()> {
    let folder = folder(LONG)?;
    let svg = chart(folder.path())?;
    let document = Document::parse(&svg)?;
    let texts: Vec<Node> = document.descendants().filter(|node| node.has_tag_name("text")).collect();
    assert!(texts.len() > 200);
    let extent = |node: &Node| {
        let class = node.attribute("class").unwrap_or_default();
        let wide = node.text().unwrap_or_default().chars().count() as f64 * 6.6;
        let x = number(*node, "x");
        let left = if class.contains("mid") {
            x - wide / 2.0
        } else if class.contains("end") {
            x - wide
        } else {
            x
        };
        (left, left + wide, number(*node, "y"))
    };
    let boxes: Vec<_> = texts.iter().map(extent).collect();
    for (index, a) in boxes.iter().enumerate() {
        for (other, b) in boxes.iter().enumerate().skip(index + 1) {
            let apart = a.1 <= b.0 || b.1 <= a.0 || (a.2 - b.2).abs() >= 10.0;
            assert!(apart, "{:?} and {:?}", texts[index].text(), texts[other].text());
        }
    }
    assert!(of_class(&document, "error").count() == 1, "B waits forever");
    Ok(())
}

#[test]
fn a_browser_shows_a_picture() -> Result<()> {
    let Some(browser) = ["chromium", "chromium-browser", "google-chrome"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()))
    else {
        println!("skipped: no chromium");
        return Ok(());
    };
    let folder = folder(LONG)?;
    let svg = chart(folder.path())?;
    std::fs::write(folder.path().join("blank.svg"), "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")?;
    assert!(svg.starts_with("<svg"));
    let picture = |name: &str| -> Result<u64> {
        let profile = tempfile::tempdir()?;
        let shot = folder.path().join(format!("{name}.png"));
        Command::new(browser)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"])
            .args(["--disable-background-networking", "--disable-component-update", "--window-size=800,1200"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg(format!("--screenshot={}", shot.display()))
            .arg(folder.path().join(name))
            .output()?;
        Ok(std::fs::metadata(&shot).with_context(|| format!("no picture of {name}"))?.len())
    };
    // An empty page takes a few kilobytes, whatever its size.
    let (blank, drawn) = (picture("blank.svg")?, picture("t.svg")?);
    assert!(drawn > 4 * blank, "{drawn} bytes, and an empty page has {blank}");
    Ok(())
}

#[test]
fn an_arrow_ends_where_this_very_message_is_taken() -> Result<()> {
    let folder = folder(
        "chan c = [4] of { byte };
         active proctype A() { c!1; c!2 }
         active proctype B() { len(c) == 2; c??2; d_step { c?1; c!5 }; assert(len(c) == 0) }",
    )?;
    let svg = chart(folder.path())?;
    let document = Document::parse(&svg)?;
    let arrows: Vec<f64> =
        of_class(&document, "arrow").map(|arrow| number(arrow, "y2") - number(arrow, "y1")).collect();
    // With the condition between them the first message passes four rows, the second two; taken in their order they would
    // pass three each.
    assert_eq!(arrows, [2.0 * arrows[1], arrows[1]]);
    let lost = of_class(&document, "lost").filter(|node| node.has_tag_name("circle"));
    assert_eq!(lost.count(), 1, "what the d_step sends stays");
    Ok(())
}
