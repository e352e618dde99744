//! Files that psw writes: tested before the work, complete or not there after it.
//!
//! The new file is written beside the old one, under another name, and takes its place when it is complete and on the
//! disk: if anything fails, the old one is unchanged. Links are followed, and keep pointing where they did. What is no
//! regular file (a device, a named pipe, `/dev/stdout`) is written to as it is.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::terminal;

/// The most links that are followed.
const MOST_LINKS: usize = 40;

/// A file to be written.
pub struct Target {
    /// As it was named.
    named: PathBuf,
    place: Place,
}

/// How it is written.
enum Place {
    Stdout,
    /// As it is.
    Direct,
    /// Beside this file, which it then replaces.
    Beside(PathBuf),
}

impl Target {
    /// A target that can be written as far as one can tell now.
    ///
    /// # Errors
    /// If it is certain that it cannot.
    pub fn new(path: &Path) -> anyhow::Result<Target> {
        let place = place(path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Target { named: path.to_path_buf(), place })
    }

    /// Whether it can be written again and again, each time whole.
    pub fn is_replaced(&self) -> bool {
        matches!(self.place, Place::Beside(_))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If that is impossible; what was there before is there still.
    pub fn write(&self, text: &str) -> anyhow::Result<()> {
        let written = match &self.place {
            Place::Stdout => io::stdout().lock().write_all(text.as_bytes()),
            Place::Direct => std::fs::write(&self.named, text),
            Place::Beside(path) => replace(path, text),
        };
        written.with_context(|| format!("cannot write {}", self.named.display()))
    }
}

/// Writes text to a file, or prints it if there is none.
///
/// # Errors
/// If that is impossible.
pub fn write_or_print(file: Option<&Target>, text: &str) -> anyhow::Result<()> {
    match file {
        Some(file) => file.write(text),
        None => Ok(terminal::print(text)?),
    }
}

/// Finds out what a path leads to.
fn place(path: &Path) -> anyhow::Result<Place> {
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        if ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|stdout| path == Path::new(stdout)) {
            return Ok(Place::Stdout);
        }
        // What other processes hold open is no file that could be replaced.
        if path.starts_with("/proc") {
            return Ok(Place::Direct);
        }
        match std::fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_symlink() => {
                let to = std::fs::read_link(&path)?;
                path = folder(&path).join(to);
            }
            Ok(meta) if meta.is_dir() => bail!(io::Error::from(io::ErrorKind::IsADirectory)),
            Ok(meta) if meta.is_file() => {
                OpenOptions::new().write(true).open(&path)?;
                drop(new_file(&path)?);
                return Ok(Place::Beside(path));
            }
            Ok(_) => return Ok(Place::Direct),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                drop(new_file(&path)?);
                return Ok(Place::Beside(path));
            }
            Err(error) => return Err(error.into()),
        }
    }
    bail!("it is a link that leads nowhere");
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new file beside another, which vanishes unless it takes its place.
fn new_file(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new();
    file.prefix(".psw-");
    // The user's mask decides who may read it, as for any new file.
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    file.tempfile_in(folder(path)).map_err(plain)
}

/// An error without the name of the file beside, which says nothing to users.
fn plain(error: io::Error) -> io::Error {
    let cause = error.get_ref().and_then(|error| error.source()).and_then(|cause| cause.downcast_ref::<io::Error>());
    match cause.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let mut file = new_file(path)?;
    file.write_all(text.as_bytes()).map_err(plain)?;
    if let Ok(old) = std::fs::metadata(path) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("trace");
        std::fs::write(&file, "old")?;
        let target = Target::new(&file)?;
        assert_eq!(std::fs::read_to_string(&file)?, "old");
        target.write("new")?;
        assert_eq!(std::fs::read_to_string(&file)?, "new");
        assert_eq!(std::fs::read_dir(folder.path())?.count(), 1);
        assert!(Target::new(folder.path()).is_err());
        assert!(Target::new(&folder.path().join("none/trace")).is_err());
        Ok(())
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_stay() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let (link, file) = (folder.path().join("link"), folder.path().join("file"));
        std::os::unix::fs::symlink("file", &link)?;
        Target::new(&link)?.write("text")?;
        assert_eq!(std::fs::read_to_string(&file)?, "text");
        assert!(std::fs::symlink_metadata(&link)?.is_symlink());
        let ring = folder.path().join("ring");
        std::os::unix::fs::symlink("ring", &ring)?;
        assert!(Target::new(&ring).is_err());
        Ok(())
    }
}
