//! Reading regular files, up to a size limit.
//!
//! A device may be infinite, and opening a named pipe may block: both are refused before they are opened. Files that were
//! open when psw was started, standard input or the pipe of a shell's `<(…)`, may be pipes.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file.
///
/// # Errors
/// When it cannot be opened or is no regular file.
pub fn open(path: &Path) -> io::Result<File> {
    let meta = std::fs::metadata(path)?;
    match meta.is_file() || is_handed_over(path) {
        _ if meta.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        true => File::open(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a regular file")),
    }
}

/// The bytes of a file.
///
/// # Errors
/// When it cannot be read, is no regular file, or has more than `most` bytes.
pub fn read(path: &Path, most: usize) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let mut bytes = Vec::new();
    // What is said to be its length may be wrong: some files have none until they are read.
    if file.metadata()?.len() <= most as u64 {
        file.take(most as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() <= most {
            return Ok(bytes);
        }
    }
    Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {}", size(most))))
}

/// The text of a file.
///
/// # Errors
/// As [`read`], and when it is not UTF-8.
pub fn read_text(path: &Path, most: usize) -> io::Result<String> {
    let text = String::from_utf8(read(path, most)?);
    text.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8 text"))
}

/// Whether the path names a file that was open when psw was started.
fn is_handed_over(path: &Path) -> bool {
    ["/dev/stdin", "/dev/fd", "/proc/self/fd"].iter().any(|prefix| path.starts_with(prefix))
}

/// A size as text: `64 MB`.
fn size(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        megabytes => format!("{megabytes} MB"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_within_the_bound_are_read() {
        let own = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml"));
        let kind = |path: &Path, most| read(path, most).map_err(|error| error.kind());
        assert!(kind(own, 1 << 20).is_ok_and(|bytes| !bytes.is_empty()));
        assert_eq!(kind(own, 10), Err(io::ErrorKind::FileTooLarge));
        assert_eq!(kind(Path::new(env!("CARGO_MANIFEST_DIR")), 10), Err(io::ErrorKind::IsADirectory));
        #[cfg(unix)]
        assert_eq!(kind(Path::new("/dev/zero"), 10), Err(io::ErrorKind::InvalidInput));
    }
}
