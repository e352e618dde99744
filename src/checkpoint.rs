//! Checkpoints on disk: what the search writes, behind what it is a search of (docs/checkpoint.md).
//!
//! The new file is written beside the old one and takes its place when it is on the disk, so there is a whole one at every
//! moment. A checkpoint that cannot be written is a warning: the old one stays, and the search goes on.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use interp::Violation;
use interp::exec::reduction::{Reductions, Savings};
use progress::Recipe;
use progress::product::Plan;
use promela::source::Sources;
use sweep::checkpoint::{Codec, Content, Keeper, Reader, ResumeFault, Writer};

use crate::load::Loaded;
use crate::search::reduction::SearchReduction;

/// What a violation is as bytes.
pub const VIOLATIONS: Codec<Violation> = Codec { encode: Violation::to_bytes, decode: Violation::from_bytes };

/// What was decided before the search began. Made again, it might be decided in another way.
pub struct Decided {
    /// Reductions that do too little.
    pub useless: Reductions,
    /// The measure, if one was chosen, and the reason.
    pub measure: Option<(Recipe, String)>,
}

/// The call that a checkpoint belongs to.
#[derive(Default)]
pub struct Origin {
    version: String,
    folder: String,
    /// The words of the command line, the name of the program included.
    arguments: Vec<String>,
}

impl Origin {
    /// This call.
    ///
    /// # Errors
    /// If it cannot be written down.
    pub fn here() -> anyhow::Result<Origin> {
        let arguments: Result<Vec<String>, _> = std::env::args_os().map(std::ffi::OsString::into_string).collect();
        let Ok(arguments) = arguments else { bail!("--checkpoint: the command line is not text") };
        let folder = std::env::current_dir().map(|folder| folder.display().to_string()).unwrap_or_default();
        Ok(Origin { version: env!("CARGO_PKG_VERSION").to_owned(), folder, arguments })
    }

    /// The words of the command line.
    pub fn arguments(&self) -> &[String] {
        &self.arguments
    }

    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        to.bytes(self.version.as_bytes())?;
        to.bytes(self.folder.as_bytes())?;
        to.number(self.arguments.len() as u64)?;
        self.arguments.iter().try_for_each(|argument| to.bytes(argument.as_bytes()))
    }

    fn load(from: &mut Reader<'_>) -> anyhow::Result<Origin> {
        let version = text(from)?;
        let own = env!("CARGO_PKG_VERSION");
        ensure!(version == own, "it was written by psw {version}, and this is psw {own}");
        let folder = text(from)?;
        let mut arguments = Vec::new();
        for _ in 0..from.number()? {
            arguments.push(text(from)?);
        }
        Ok(Origin { version, folder, arguments })
    }
}

/// What is written in front of the search.
pub struct Manifest<'a> {
    pub origin: Origin,
    pub loaded: &'a Loaded,
    pub reduction: &'a SearchReduction,
    pub decided: Decided,
    /// What the reduction had saved when the search began.
    pub sampled: Savings,
}

impl Manifest<'_> {
    fn save(&self, to: &mut Writer<'_>) -> io::Result<()> {
        self.origin.save(to)?;
        save_sources(&self.loaded.sources, to)?;
        to.put(&[self.decided.useless.bits()])?;
        save_measure(self.decided.measure.as_ref(), to)?;
        let Savings { reduced, expanded, passed } = self.reduction.savings();
        to.number(reduced - self.sampled.reduced)?;
        to.number(expanded - self.sampled.expanded)?;
        to.number(passed - self.sampled.passed)?;
        let marks: Vec<u8> = self.loaded.model.coverage.marks().map(u8::from).collect();
        to.bytes(&marks)
    }
}

fn save_sources(sources: &Sources, to: &mut Writer<'_>) -> io::Result<()> {
    to.number(sources.files().count() as u64)?;
    sources.files().try_for_each(|(name, text)| {
        to.bytes(name.as_bytes())?;
        to.bytes(text.as_bytes())
    })
}

fn save_measure(measure: Option<&(Recipe, String)>, to: &mut Writer<'_>) -> io::Result<()> {
    to.flag(measure.is_some())?;
    let Some((Recipe { falling, plan }, reason)) = measure else { return Ok(()) };
    to.bytes(reason.as_bytes())?;
    to.number(falling.len() as u64)?;
    falling.iter().try_for_each(|&falling| to.flag(falling))?;
    for terms in [&plan.columns, &plan.layers] {
        to.number(terms.len() as u64)?;
        for term in terms {
            to.number(term.len() as u64)?;
            term.iter().try_for_each(|&number| to.number(number as u64))?;
        }
    }
    Ok(())
}

fn load_measure(from: &mut Reader<'_>) -> Result<Option<(Recipe, String)>, ResumeFault> {
    if !from.flag()? {
        return Ok(None);
    }
    let reason = String::from_utf8_lossy(&from.bytes()?).into_owned();
    let mut falling = Vec::new();
    for _ in 0..from.number()? {
        falling.push(from.flag()?);
    }
    let mut load_terms = || -> Result<Vec<Vec<usize>>, ResumeFault> {
        let mut terms = Vec::new();
        for _ in 0..from.number()? {
            let mut term = Vec::new();
            for _ in 0..from.number()? {
                term.push(from.small()?);
            }
            terms.push(term);
        }
        Ok(terms)
    };
    let plan = Plan { columns: load_terms()?, layers: load_terms()? };
    Ok(Some((Recipe { falling, plan }, reason)))
}

fn text(from: &mut Reader<'_>) -> anyhow::Result<String> {
    Ok(String::from_utf8(from.bytes()?).map_err(|_| ResumeFault::Mismatch)?)
}

/// A checkpoint to go on from.
pub struct Resumed {
    path: PathBuf,
    pub origin: Origin,
    /// The files of the model, with their names.
    sources: Vec<(String, String)>,
    pub decided: Decided,
    savings: Savings,
    marks: Vec<u8>,
    /// At what the search has written.
    pub search: Reader<'static>,
}

impl Resumed {
    /// Reads a checkpoint up to where the search begins.
    ///
    /// # Errors
    /// If it is none, of another version, or damaged.
    pub fn open(path: &Path) -> anyhow::Result<Resumed> {
        let file = promela::files::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::read(path, file).with_context(|| format!("cannot go on from {}", path.display()))
    }

    fn read(path: &Path, file: File) -> anyhow::Result<Resumed> {
        let mut from = Reader::new(Box::new(file))?;
        let origin = Origin::load(&mut from)?;
        let mut sources = Vec::new();
        for _ in 0..from.number()? {
            sources.push((text(&mut from)?, text(&mut from)?));
        }
        let mut useless = [0];
        from.take(&mut useless)?;
        let [useless] = useless.map(Reductions::from_bits_truncate);
        let decided = Decided { useless, measure: load_measure(&mut from)? };
        let savings = Savings { reduced: from.number()?, expanded: from.number()?, passed: from.number()? };
        let marks = from.bytes()?;
        Ok(Resumed { path: path.to_path_buf(), origin, sources, decided, savings, marks, search: from })
    }

    /// Fails unless the model is the one that was searched.
    ///
    /// # Errors
    /// If it is another one.
    pub fn expect_model(&self, loaded: &Loaded) -> anyhow::Result<()> {
        let path = self.path.display();
        let now: Vec<(&str, &str)> = loaded.sources.files().collect();
        for (name, text) in &self.sources {
            let same = now.iter().any(|&(other, now)| other == name && now == text);
            ensure!(same, "cannot go on from {path}: {name} is not what it was when the check began");
        }
        ensure!(now.len() == self.sources.len(), "cannot go on from {path}: the model has other files now");
        Ok(())
    }

    /// Adds what had been executed and saved before.
    ///
    /// # Errors
    /// If it is of another model.
    pub fn restore(&self, loaded: &Loaded, reduction: &SearchReduction) -> anyhow::Result<()> {
        if let Some(reduction) = reduction.get() {
            reduction.add(self.savings);
        }
        ensure!(loaded.model.coverage.add(&self.marks), self.mismatch());
        Ok(())
    }

    /// Why it is of no use although the file is whole.
    pub fn mismatch(&self) -> String {
        self.fault(ResumeFault::Mismatch)
    }

    /// Why it is of no use.
    fn fault(&self, fault: ResumeFault) -> String {
        format!("cannot go on from {}: {fault}", self.path.display())
    }

    /// The folder in which the check was begun, if this is another one.
    pub fn other_folder(&self) -> Option<&str> {
        let here = std::env::current_dir().ok()?;
        (here != Path::new(&self.origin.folder)).then_some(&*self.origin.folder)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The file that checkpoints are written to.
pub struct CheckpointFile {
    path: PathBuf,
    /// Whether there is one of this run, or the one from which it goes on.
    is_there: Cell<bool>,
    /// Why the last one could not be written.
    failed: Option<String>,
}

impl CheckpointFile {
    /// A file that can be written as far as one can tell now.
    ///
    /// # Errors
    /// If it is certain that it cannot.
    pub fn new(path: &Path, resumed: Option<&Resumed>) -> anyhow::Result<CheckpointFile> {
        let is_there = resumed.is_some_and(|resumed| resumed.path == path);
        let usual = std::fs::metadata(path).map_or(true, |meta| meta.is_file());
        ensure!(usual, "cannot write {}: it is no file", path.display());
        let beside = beside(path);
        File::create(&beside).with_context(|| format!("cannot write {}", beside.display()))?;
        let _ = std::fs::remove_file(&beside);
        Ok(CheckpointFile { path: path.to_path_buf(), is_there: Cell::new(is_there), failed: None })
    }

    /// The file to go on from, if there is one.
    pub fn written(&self) -> Option<&Path> {
        self.is_there.get().then_some(&*self.path)
    }

    /// A keeper that writes this in front of each checkpoint.
    pub fn keeper<'a>(&'a mut self, manifest: &'a Manifest<'a>) -> impl Keeper + 'a {
        FileKeeper { file: self, manifest }
    }
}

struct FileKeeper<'a> {
    file: &'a mut CheckpointFile,
    manifest: &'a Manifest<'a>,
}

impl Keeper for FileKeeper<'_> {
    fn keep(&mut self, content: &mut Content<'_>) {
        let FileKeeper { file, manifest } = self;
        let written = replace(&file.path, |to| {
            let mut writer = Writer::new(to)?;
            manifest.save(&mut writer)?;
            content(&mut writer)?;
            writer.end()
        });
        let failed = written.err().map(|error| error.to_string());
        match &failed {
            None => file.is_there.set(true),
            Some(why) if file.failed != failed => {
                let stays = if file.is_there.get() { "; the one before it stays" } else { "" };
                crate::say(format_args!("psw: no checkpoint in {}: {why}{stays}\n", file.path.display()));
            }
            // It has been said.
            Some(_) => {}
        }
        file.failed = failed;
    }
}

/// The name under which the next checkpoint is written. What a killed run leaves there the next one overwrites.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    path.with_file_name(name)
}

/// Replaces a file by what `write` writes, as a whole or not at all.
fn replace(path: &Path, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<()> {
    let beside = beside(path);
    let written = File::create(&beside).and_then(|mut file| {
        write(&mut file)?;
        file.sync_all()
    });
    let replaced = written.and_then(|()| std::fs::rename(&beside, path));
    if replaced.is_err() {
        let _ = std::fs::remove_file(&beside);
    }
    replaced?;
    // The new name must be on the disk too, where folders can be told to be.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}
