//! Running psw as its users do, and writing down what happens.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The folder of the workspace.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// The command, to be run in `folder` without colours.
pub fn psw(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_psw"));
    command.current_dir(folder).env("NO_COLOR", "1").env("COLUMNS", "100").stdin(Stdio::null());
    command
}

/// A folder of its own, with a model `m.pml` in it.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// With this model.
    pub fn with(model: &str) -> std::io::Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("m.pml"), model)?;
        Ok(Self(folder))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Takes away the right to read a file; `false` if that changes nothing, as for root.
    #[cfg(unix)]
    pub fn forbid(&self, name: &str) -> std::io::Result<bool> {
        use std::os::unix::fs::PermissionsExt;
        let file = self.path().join(name);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000))?;
        Ok(std::fs::read(&file).is_err())
    }

    /// What a call with this input answers.
    pub fn transcript(&self, args: &[&str], input: &str) -> String {
        let call = || -> std::io::Result<Output> {
            let mut command = psw(self.path());
            let mut child =
                command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
            if let Some(mut stdin) = child.stdin.take() {
                // Whoever does not read its input may be gone already.
                let _ = stdin.write_all(input.as_bytes());
            }
            child.wait_with_output()
        };
        call().map_or_else(|error| format!("psw cannot be run: {error}"), |out| told(&args.join(" "), &out))
    }
}

/// What a call answers about a model.
pub fn transcript(model: &str, args: &[&str]) -> String {
    match Folder::with(model) {
        Ok(folder) => folder.transcript(args, ""),
        Err(error) => format!("no folder: {error}"),
    }
}

/// A call and its answer, as in a terminal.
pub fn told(call: &str, out: &Output) -> String {
    let mut text = format!("$ psw {call}\n{}", String::from_utf8_lossy(&out.stdout));
    if !out.stderr.is_empty() {
        text += "--- standard error\n";
        text += &String::from_utf8_lossy(&out.stderr);
    }
    match out.status.code() {
        Some(code) => text + &format!("--- exit code {code}\n"),
        None => text + &format!("--- {}\n", out.status),
    }
}
