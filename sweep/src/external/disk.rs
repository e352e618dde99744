//! The disk of a run: where its files are, how many bytes they may take, and the only place where anything is read or written.
//!
//! A file has no name: it is gone with the process that made it, however that ends. What a file is made of is up to a
//! [`Storage`], so that tests can let any access fail. A failure is a [`DiskFault`], which ends the search: what could not
//! be read or written has been neither expanded nor forgotten, so there is no verdict.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Makes files.
pub trait Storage: fmt::Debug + Send + Sync {
    /// A new empty file, which nobody else knows.
    fn create(&self) -> io::Result<Box<dyn Medium>>;
}

/// A file.
pub trait Medium: Read + Write + Seek {}

impl<T: Read + Write + Seek> Medium for T {}

/// Files without a name in a folder.
#[derive(Debug)]
struct Folder(PathBuf);

impl Storage for Folder {
    fn create(&self) -> io::Result<Box<dyn Medium>> {
        Ok(Box::new(tempfile::tempfile_in(&self.0)?))
    }
}

/// What was tried when a disk failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// A file was to be made.
    Create,
    /// Something was to be read,
    Read,
    /// or written.
    Write,
}

/// Why a search cannot go on with its files.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DiskFault {
    /// The files would take more bytes than they may.
    Limit,
    /// The system refused, with its error number if it gave one.
    Refused(Access, io::ErrorKind, Option<i32>),
    /// What was read is not what was written.
    Damaged,
}

impl DiskFault {
    fn new(access: Access, error: &io::Error) -> DiskFault {
        DiskFault::Refused(access, error.kind(), error.raw_os_error())
    }
}

impl fmt::Display for DiskFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (access, kind, code) = match *self {
            DiskFault::Limit => return f.write_str("the disk limit was reached"),
            DiskFault::Damaged => return f.write_str("a file on disk was damaged"),
            DiskFault::Refused(access, kind, code) => (access, kind, code),
        };
        f.write_str(match access {
            Access::Create => "a file on disk cannot be made: ",
            Access::Read => "a file on disk cannot be read: ",
            Access::Write => "a file on disk cannot be written: ",
        })?;
        match code {
            Some(code) => io::Error::from_raw_os_error(code).fmt(f),
            None => kind.fmt(f),
        }
    }
}

/// What was read and written.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DiskStats {
    /// Streams of states that were written to disk, each as if in a file of its own.
    pub files: u64,
    /// States read and written. What is read or written again counts again.
    pub states_read: u64,
    /// The same for writing.
    pub states_written: u64,
    /// Blocks read.
    pub blocks_read: u64,
    /// Blocks written.
    pub blocks_written: u64,
    /// Bytes read.
    pub bytes_read: u64,
    /// Bytes written.
    pub bytes_written: u64,
    /// The most bytes in files at a time.
    pub peak_bytes: u64,
}

/// The disk of a run. Clones share its limit.
#[derive(Clone, Debug)]
pub struct Disk {
    storage: Arc<dyn Storage>,
    max_bytes: Option<u64>,
    /// Bytes that all files take.
    held: Arc<AtomicU64>,
}

impl Default for Disk {
    /// The folder for temporary files, without a limit.
    fn default() -> Self {
        Disk::in_folder(std::env::temp_dir(), None)
    }
}

impl Disk {
    /// Files in this folder, of at most this many bytes together.
    pub fn in_folder(folder: PathBuf, max_bytes: Option<u64>) -> Disk {
        Disk::on(Arc::new(Folder(folder)), max_bytes)
    }

    /// Files on this storage.
    pub fn on(storage: Arc<dyn Storage>, max_bytes: Option<u64>) -> Disk {
        Disk { storage, max_bytes, held: Arc::default() }
    }

    /// Bytes that all files take now.
    pub fn bytes(&self) -> u64 {
        self.held.load(Ordering::Relaxed)
    }

    /// A new file.
    pub(crate) fn create(&self) -> Result<Box<dyn Medium>, DiskFault> {
        self.storage.create().map_err(|error| DiskFault::new(Access::Create, &error))
    }

    /// Files are going to take this many bytes more.
    pub(crate) fn take(&self, bytes: u64) -> Result<(), DiskFault> {
        let held = self.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if self.max_bytes.is_some_and(|max| held > max) {
            self.give_back(bytes);
            return Err(DiskFault::Limit);
        }
        Ok(())
    }

    /// They take this many bytes less.
    pub(crate) fn give_back(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Writes all of these bytes at a place of a file.
pub(crate) fn write(file: &mut dyn Medium, at: u64, bytes: &[u8]) -> Result<(), DiskFault> {
    let written = file.seek(SeekFrom::Start(at)).and_then(|_| file.write_all(bytes));
    written.map_err(|error| DiskFault::new(Access::Write, &error))
}

/// Reads as many bytes as there is room for, from a place of a file.
pub(crate) fn read(file: &mut dyn Medium, at: u64, bytes: &mut [u8]) -> Result<(), DiskFault> {
    let read = file.seek(SeekFrom::Start(at)).and_then(|_| file.read_exact(bytes));
    read.map_err(|error| DiskFault::new(Access::Read, &error))
}
