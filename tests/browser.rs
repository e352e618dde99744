//! The HTML report in a real browser: Chromium, driven over its own protocol with real keys and clicks.
//!
//! Skipped where there is no Chromium, unless `PSW_REQUIRE_CHROMIUM=1`. `browser/chromium.rs` is the driver. With
//! `PSW_SCREENSHOTS=DIR` every page is photographed too: light, dark, wide, narrow, printed.

#[path = "browser/chromium.rs"]
mod chromium;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use chromium::{Browser, is_there};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// A loop without an end: `x` goes to 2 first, and is never 3.
const LASSO: &str = "\
byte x;
active proctype P() { x = 1; x = 2; do :: x = 0 -> x = 1 od }
active proctype Q() { skip }
";

/// Everything here wants to be a part of the page.
const HOSTILE: &str = r#"
#define EVIL 1 /* </script><script>window.hacked = 1</script> */
mtype = { ok };
chan c = [1] of { byte };
byte x;
active proctype P() {
  printf("</script><script>window.hacked = 2</script><img src=x onerror='window.hacked = 3'>\n");
  printf("\"'`${window.hacked = 4}`'\" \\u003c/script\\u003e &lt;script&gt; <!-- <![CDATA[ \n");
  printf("FILLER\n");
  c!1; /* <svg onload="window.hacked = 5"> */
  c?x;
  assert(x == 2)
}
"#;

struct Pages {
    folder: tempfile::TempDir,
}

impl Pages {
    fn new() -> Result<Pages> {
        Ok(Pages { folder: tempfile::tempdir()? })
    }

    /// Writes a model and runs psw on it.
    fn make(&self, name: &str, text: &str, args: &[&str]) -> Result<PathBuf> {
        std::fs::write(self.folder.path().join(name), text)?;
        self.run(&[args, &["--report", "out.html"]].concat())?;
        Ok(self.folder.path().join("out.html"))
    }

    fn run(&self, args: &[&str]) -> Result<Output> {
        let ran = Command::new(env!("CARGO_BIN_EXE_psw")).current_dir(self.folder.path()).args(args).output()?;
        ensure!(matches!(ran.status.code(), Some(0 | 1)), "{args:?}: {ran:?}");
        Ok(ran)
    }

    fn example(&self, name: &str, args: &[&str]) -> Result<PathBuf> {
        let model = format!("{ROOT}/examples/{name}.pml");
        let page = format!("{name}.html");
        self.run(&[args, &["-q", &model, "--report", &page]].concat())?;
        Ok(self.folder.path().join(page))
    }
}

/// The text of an element.
fn text(browser: &mut Browser, selector: &str) -> Result<String> {
    let text = browser.evaluate(&format!("document.querySelector({selector:?}).textContent"))?;
    Ok(text.as_str().unwrap_or_default().to_owned())
}

fn at(browser: &mut Browser) -> Result<i64> {
    browser.evaluate("Number(document.getElementById('slider').value)")?.as_i64().context("the slider has a number")
}

#[test]
fn keys_and_slider_go_through_the_run() -> Result<()> {
    let Some(mut browser) = is_there()? else { return Ok(()) };
    let pages = Pages::new()?;
    browser.open(&pages.example("mutex_race", &["check"])?)?;
    ensure!(text(&mut browser, "#what")? == "assertion violated");
    ensure!(text(&mut browser, "#story")? == "Worker(1), line 16: assert(inside == 1), where inside = 2");
    ensure!(at(&mut browser)? == 7, "a violated run opens at its end");
    ensure!(text(&mut browser, ".line.wrong code")?.contains("assert(inside == 1)"));
    for (key, after) in [
        ("ArrowLeft", 6),
        ("ArrowUp", 5),
        ("ArrowRight", 6),
        ("ArrowDown", 7),
        ("ArrowDown", 7),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("PageDown", 7),
        ("PageUp", 0),
        ("End", 7),
    ] {
        browser.key(key)?;
        ensure!(at(&mut browser)? == after, "{key} leads to {}, not to {after}", at(&mut browser)?);
    }
    browser.key("Home")?;
    ensure!(text(&mut browser, "#values tr:nth-child(2) .value")? == "0");
    ensure!(text(&mut browser, "[aria-selected=true]")?.contains("the state at the start"));
    for _ in 0..4 {
        browser.key("ArrowRight")?;
    }
    ensure!(text(&mut browser, "#values tr.changed .value")? == "0 → 1", "what changes is marked");
    ensure!(text(&mut browser, ".line.current code")?.contains("inside++"));
    ensure!(text(&mut browser, "#where")? == "step 4 of 7");
    // Space plays, and pauses.
    browser.key(" ")?;
    browser.wait_for("document.getElementById('slider').value > 5")?;
    browser.key(" ")?;
    ensure!(text(&mut browser, "#play")?.contains("play"));
    // The slider by the mouse, and by its own keys; the list by a click.
    browser.click("#slider", 0.5)?;
    ensure!((3..=4).contains(&at(&mut browser)?), "{}", at(&mut browser)?);
    let before = at(&mut browser)?;
    browser.key("ArrowRight")?;
    ensure!(at(&mut browser)? == before + 1, "a key moves the slider once");
    browser.click("#row-2", 0.5)?;
    ensure!(at(&mut browser)? == 2);
    browser.click("#next", 0.5)?;
    browser.click("#chart [data-moves='6'] rect", 0.5)?;
    ensure!(at(&mut browser)? == 6, "a click in the chart goes there");
    // All can be reached by the keyboard alone, and one sees where it is.
    let mut reached = std::collections::BTreeSet::new();
    browser.evaluate("document.activeElement.blur()")?;
    for _ in 0..30 {
        browser.key("Tab")?;
        let id = browser.evaluate("document.activeElement.id")?;
        reached.extend(id.as_str().map(str::to_owned));
    }
    for id in ["first", "back", "play", "next", "last", "slider", "steps", "source", "chart"] {
        ensure!(reached.contains(id), "Tab does not come to {id}: {reached:?}");
    }
    browser.is_quiet()?;
    browser.photograph("mutex_race")
}

#[test]
fn a_lasso_is_a_loop() -> Result<()> {
    let Some(mut browser) = is_there()? else { return Ok(()) };
    let pages = Pages::new()?;
    browser.open(&pages.make("lasso.pml", LASSO, &["ltl", "-q", "lasso.pml", "<> (x == 3)"])?)?;
    let count = at(&mut browser)?;
    ensure!(browser.evaluate("document.querySelectorAll('#lasso .loop').length")? == 1);
    ensure!(browser.evaluate("document.querySelectorAll('#chart .lasso').length")? == 1);
    ensure!(
        text(&mut browser, "#story")?.contains("meanwhile never true: x == 3"),
        "{}",
        text(&mut browser, "#story")?
    );
    ensure!(text(&mut browser, ".ending")?.contains("comes next, and so on forever"));
    let cycle = browser.evaluate("DATA.runs[0].cycle")?.as_i64().context("there is a cycle")?;
    ensure!(cycle >= 2 && cycle < count, "{cycle} of {count}");
    ensure!(browser.evaluate("document.querySelectorAll('.step.cycle').length")? == count - cycle);
    // What follows the end is the cycle.
    browser.key(" ")?;
    browser.wait_for(&format!("document.getElementById('slider').value == {}", cycle + 1))?;
    browser.key(" ")?;
    browser.click(".ending", 0.5)?;
    ensure!(at(&mut browser)? == cycle + 1);
    browser.is_quiet()?;
    browser.photograph("lasso")
}

#[test]
fn five_thousand_steps_are_shown_in_a_second() -> Result<()> {
    let Some(mut browser) = is_there()? else { return Ok(()) };
    let pages = Pages::new()?;
    let page = pages.folder.path().join("sim.html");
    let model = format!("{ROOT}/examples/alternating_bit.pml");
    pages.run(&["sim", "--seed", "3", "--steps", "5000", &model, "--report", "sim.html"])?;
    // The machine may be busy: the best of three.
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        browser.open(&page)?;
        ensure!(at(&mut browser)? == 5000);
        best =
            best.min(browser.evaluate("Number(document.documentElement.dataset.ready)")?.as_f64().unwrap_or(f64::MAX));
    }
    println!("5,000 steps shown after {best} ms");
    ensure!(best < 1000.0, "{best} ms");
    ensure!(
        browser.evaluate("document.querySelectorAll('.step').length < 200")? == true,
        "rows out of view do not exist"
    );
    let moves = browser.evaluate(
        "(() => { const start = performance.now(); for (let n = 0; n < 50; n++) page.go(n * 97); return (performance.now() - start) / 50 })()",
    )?;
    println!("a jump takes {moves} ms");
    browser.key("Home")?;
    ensure!(text(&mut browser, "[aria-selected=true]")?.contains("the state at the start"));
    browser.is_quiet()?;
    browser.photograph("sim")
}

#[test]
fn a_model_cannot_do_anything() -> Result<()> {
    let Some(mut browser) = is_there()? else { return Ok(()) };
    let pages = Pages::new()?;
    let name = "<img src=x onerror=alert(1)>'\"&.pml";
    let model = HOSTILE.replace("FILLER", &"<b>\u{2028}</script>&".repeat(500));
    let page = pages.make(name, &model, &["check", "-q", name])?;
    let file = std::fs::read_to_string(&page)?;
    ensure!(
        file.matches("<script").count() == 2 && file.matches("</script").count() == 2,
        "the scripts are the page's own"
    );
    browser.open(&page)?;
    let count = at(&mut browser)?;
    for _ in 0..=count {
        browser.key("ArrowLeft")?;
    }
    ensure!(browser.evaluate("window.hacked === undefined")? == true, "the model ran a script");
    ensure!(
        browser.evaluate("document.querySelectorAll('img, iframe, object, b b, [onload], [onerror]').length")? == 0
    );
    ensure!(text(&mut browser, "#model")?.contains(name));
    ensure!(
        browser.evaluate("DATA.runs[0].moves.some((move) => (move.printed ?? '').includes(\"</script><script>\"))")?
            == true
    );
    browser.is_quiet()?;
    // Even what came in would not run, and load nothing.
    browser.evaluate(
        "(() => { const made = document.createElement('div'); \
         made.innerHTML = '<img src=\"http://127.0.0.1:9/x\" onerror=\"window.hacked = 9\">'; document.body.append(made) })()",
    )?;
    ensure!(browser.blocked()?.contains(&"csp".to_owned()), "the picture was loaded");
    ensure!(browser.evaluate("window.hacked === undefined")? == true);
    Ok(())
}

/// A run that holds has no steps, but all the rest; and what is on the first screen of each violated example.
#[test]
fn the_first_screen_says_what_is_wrong() -> Result<()> {
    let Some(mut browser) = is_there()? else { return Ok(()) };
    let pages = Pages::new()?;
    for (example, args, told) in [
        (
            "philosophers",
            &["check"][..],
            "Philosopher(0) waits at line 18 for !taken[right], where taken[1] = 1, right = 1",
        ),
        ("mutex_race", &["check"][..], "Worker(1), line 16: assert(inside == 1), where inside = 2"),
    ] {
        browser.open(&pages.example(example, args)?)?;
        let story = text(&mut browser, "#story")?;
        ensure!(story.contains(told), "{story}");
        ensure!(browser.evaluate("document.getElementById('story').getBoundingClientRect().bottom < 700")? == true);
        browser.is_quiet()?;
        browser.photograph(example)?;
    }
    browser.open(&pages.example("stop_and_wait", &["check", "-DPACKETS=300", "--search", "sweep"])?)?;
    ensure!(text(&mut browser, "#verdict")? == "holds");
    ensure!(
        browser
            .evaluate("document.getElementById('player').hidden && document.querySelectorAll('figure').length === 4")?
            == true
    );
    ensure!(browser.evaluate("document.getElementById('growth-panel').hidden || document.querySelectorAll('#growth polyline').length >= 3")? == true);
    browser.is_quiet()?;
    browser.photograph("stop_and_wait")
}

#[test]
fn pages_fit_narrow_screens_and_print_whole() -> Result<()> {
    let Some(mut browser) = is_there()? else { return Ok(()) };
    let pages = Pages::new()?;
    browser.open(&pages.example("philosophers", &["check", "-DN=7"])?)?;
    for width in [360, 420, 800, 1400] {
        browser.resize(width, 900)?;
        ensure!(
            browser.evaluate(&format!("document.documentElement.scrollWidth <= {width}"))? == true,
            "wider than {width}"
        );
    }
    let printed = browser.print()?;
    ensure!(printed.starts_with(b"%PDF"));
    browser.is_quiet()
}

/// A path as the browser names it.
fn address(page: &Path) -> String {
    let text = page.display().to_string();
    let escaped: Vec<String> = text
        .bytes()
        .map(|byte| match byte.is_ascii_alphanumeric() || b"/._-".contains(&byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect();
    format!("file://{}", escaped.concat())
}
