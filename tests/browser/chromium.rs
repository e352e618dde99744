//! Chromium, headless, driven by its DevTools protocol over two named pipes: JSON messages, each ended by a zero byte.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// What takes longer than this does not happen any more.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub struct Browser {
    process: Child,
    to: File,
    from: BufReader<File>,
    /// Its profile and the pipes.
    _folder: tempfile::TempDir,
    session: Option<String>,
    last: u64,
    /// What the page did since it was opened: messages on its console, and what it asked for.
    noise: Vec<String>,
    requests: Vec<String>,
    /// Why requests were blocked.
    blocked: Vec<String>,
    /// Browsers are large: there is one at a time.
    _alone: MutexGuard<'static, ()>,
}

static ALONE: Mutex<()> = Mutex::new(());

/// Starts Chromium. Where there is none, that is said, and the test is skipped unless it is required.
pub fn is_there() -> Result<Option<Browser>> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name))).find(|file| file.is_file());
    match found {
        Some(program) => Ok(Some(Browser::start(&program)?)),
        None if std::env::var_os("PSW_REQUIRE_CHROMIUM").is_some_and(|value| value == "1") => {
            bail!("there is no Chromium")
        }
        None => {
            eprintln!("skipped: there is no Chromium (apt-get install chromium)");
            Ok(None)
        }
    }
}

impl Browser {
    fn start(program: &Path) -> Result<Browser> {
        let alone = ALONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let folder = tempfile::tempdir()?;
        let at = |name: &str| folder.path().join(name);
        ensure!(Command::new("mkfifo").args([at("to"), at("from")]).status()?.success(), "mkfifo");
        // It reads from descriptor 3 and writes to 4, which a shell can open; each end waits for the other.
        let process = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<to 4>from"#])
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--hide-scrollbars",
            ])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--remote-debugging-pipe", "--window-size=1400,900"])
            .arg(format!("--user-data-dir={}", at("profile").display()))
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let to = File::options().write(true).open(at("to"))?;
        let from = BufReader::new(File::open(at("from"))?);
        let (noise, requests) = (Vec::new(), Vec::new());
        let mut browser = Browser {
            process,
            to,
            from,
            _folder: folder,
            session: None,
            last: 0,
            noise,
            requests,
            blocked: Vec::new(),
            _alone: alone,
        };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }))?;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", attach)?;
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}))?;
        }
        browser.resize(1400, 900)?;
        Ok(browser)
    }

    /// Sends a command and waits for its answer.
    fn call(&mut self, method: &str, params: Value) -> Result<Value> {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes())?;
        loop {
            let answer = self.read()?;
            if answer["id"] == self.last {
                ensure!(answer["error"].is_null(), "{method}: {}", answer["error"]);
                return Ok(answer["result"].clone());
            }
        }
    }

    /// The next message; what it tells of the page is remembered.
    fn read(&mut self) -> Result<Value> {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message)?;
        ensure!(message.pop() == Some(0), "the browser is gone");
        let message: Value = serde_json::from_slice(&message)?;
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Log.entryAdded" | "Runtime.consoleAPICalled") => {
                self.noise.push(params.to_string())
            }
            Some("Network.requestWillBeSent") => {
                self.requests.extend(params["request"]["url"].as_str().map(str::to_owned));
            }
            Some("Network.loadingFailed") => {
                self.blocked.extend(params["blockedReason"].as_str().map(str::to_owned));
            }
            _ => {}
        }
        Ok(message)
    }

    /// Opens a file, and waits until it is shown.
    pub fn open(&mut self, page: &Path) -> Result<()> {
        self.call("Page.navigate", json!({ "url": "about:blank" }))?;
        self.noise.clear();
        self.requests.clear();
        self.blocked.clear();
        self.call("Page.navigate", json!({ "url": super::address(page) }))?;
        self.wait_for("document.readyState === 'complete' && document.documentElement.dataset.ready !== undefined")
    }

    /// The value of an expression in the page.
    pub fn evaluate(&mut self, expression: &str) -> Result<Value> {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", params)?;
        ensure!(answer["exceptionDetails"].is_null(), "{expression}: {}", answer["exceptionDetails"]);
        Ok(answer["result"]["value"].clone())
    }

    /// Waits until an expression is true.
    pub fn wait_for(&mut self, expression: &str) -> Result<()> {
        let start = Instant::now();
        while self.evaluate(expression).ok() != Some(json!(true)) {
            ensure!(start.elapsed() < PATIENCE, "it never came true: {expression}");
            std::thread::sleep(Duration::from_millis(10));
        }
        Ok(())
    }

    /// Presses a key.
    pub fn key(&mut self, key: &str) -> Result<()> {
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "Tab" => 9,
            " " => 32,
            other => bail!("no key {other}"),
        };
        let name = if key == " " { "Space" } else { key };
        for kind in ["rawKeyDown", "keyUp"] {
            let params = json!({ "type": kind, "key": key, "code": name, "windowsVirtualKeyCode": code });
            self.call("Input.dispatchKeyEvent", params)?;
        }
        Ok(())
    }

    /// Clicks on an element, at this share of its width.
    pub fn click(&mut self, selector: &str, share: f64) -> Result<()> {
        let place = self.evaluate(&format!(
            "(() => {{ const e = document.querySelector({selector:?}); e.scrollIntoView({{ block: 'center' }}); \
             const b = e.getBoundingClientRect(); return [b.left + b.width * {share}, b.top + b.height / 2] }})()"
        ))?;
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({ "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", params)?;
        }
        Ok(())
    }

    /// Nothing was written on the console, and nothing but the file was asked for.
    pub fn is_quiet(&mut self) -> Result<()> {
        self.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))")?;
        ensure!(self.noise.is_empty(), "on the console: {:?}", self.noise);
        ensure!(self.requests.iter().all(|url| url.starts_with("file:")), "requests: {:?}", self.requests);
        Ok(())
    }

    /// What was asked for since the page was opened.
    pub fn requests(&mut self) -> Result<&[String]> {
        self.evaluate("new Promise((done) => setTimeout(done, 50))")?;
        Ok(&self.requests)
    }

    /// Why requests were blocked since the page was opened.
    pub fn blocked(&mut self) -> Result<&[String]> {
        self.requests()?;
        Ok(&self.blocked)
    }

    /// Gives the window a size.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<()> {
        let params = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", params)?;
        Ok(())
    }

    /// The page as a PDF.
    pub fn print(&mut self) -> Result<Vec<u8>> {
        let answer = self.call("Page.printToPDF", json!({ "printBackground": true }))?;
        decode(answer["data"].as_str().context("a PDF")?)
    }

    /// Pictures of the page in all its looks, into the folder that is asked for.
    pub fn photograph(&mut self, name: &str) -> Result<()> {
        let Some(folder) = std::env::var_os("PSW_SCREENSHOTS").map(PathBuf::from) else { return Ok(()) };
        for (look, width, height) in [("light", 1400, 1000), ("dark", 1400, 1000), ("narrow", 420, 2400)] {
            self.resize(width, height)?;
            let scheme = if look == "dark" { "dark" } else { "light" };
            let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
            self.call("Emulation.setEmulatedMedia", media)?;
            self.evaluate("scrollTo(0, 0); new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")?;
            let answer = self.call("Page.captureScreenshot", json!({ "captureBeyondViewport": width == 1400 }))?;
            let picture = decode(answer["data"].as_str().context("a picture")?)?;
            std::fs::write(folder.join(format!("{name}-{look}.png")), picture)?;
        }
        std::fs::write(folder.join(format!("{name}.pdf")), self.print()?)?;
        self.resize(1400, 900)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session = None;
        let _ = self.call("Browser.close", json!({}));
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Base64.
fn decode(text: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0u32, 0);
    for c in text.bytes().filter(|&c| c != b'=') {
        let digit = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => bail!("no base64"),
        };
        (held, bits) = (held << 6 | u32::from(digit), bits + 6);
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff) as u8);
        }
    }
    Ok(bytes)
}
