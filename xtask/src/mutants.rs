//! Mutants: psw made wrong on purpose, in one place at a time. Some test of `cargo test` must notice each.
//!
//! The list is in `xtask/mutants/*.txt` (see `list.rs` for its form). All mutants are built at once, into a copy of the
//! tree: at each place stands a choice between what is written there and its replacements, which an environment variable
//! decides when a program starts (*mutant schemata*: Untch, Offutt, Harrold, ISSTA 1993). So a hundred mutants cost one
//! build, and the sources themselves know nothing of it.
//! A mutant is killed if a test fails or does not end in time. One that survives shows a hole in the tests, unless it is
//! equivalent: then it has no place in the list.

mod list;
mod schemata;
mod suite;

use crate::parallel;
use anyhow::{Context, Result, ensure};
use list::Mutant;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use suite::{Fate, Suite};

/// Make psw wrong in many places, one at a time, and see whether the tests notice.
#[derive(clap::Args)]
pub struct Args {
    /// Only the mutants whose names contain this; may be given several times.
    #[arg(long)]
    only: Vec<String>,
    /// List the mutants and find their places, no more.
    #[arg(long)]
    list: bool,
    /// How many mutants are judged at the same time.
    #[arg(long, default_value_t = 2)]
    jobs: usize,
    /// Begin with no mutant after so many seconds.
    #[arg(long, default_value_t = 900)]
    max_time: u64,
    /// The tree that is judged.
    #[arg(long, default_value = ".")]
    tree: PathBuf,
    /// Do not run all tests without a mutant first.
    #[arg(long)]
    trust_tests: bool,
}

/// Judges the mutants. True if all were killed.
pub fn run(args: &Args) -> Result<bool> {
    let tree = args.tree.canonicalize().context("no such tree")?;
    let mutants = list::read(&tree.join("xtask/mutants"))?;
    let is_wanted = |mutant: &Mutant| args.only.is_empty() || args.only.iter().any(|part| mutant.name.contains(part));
    let files = schemata::rewrite(&mutants, |file| Ok(std::fs::read_to_string(tree.join(file))?))?;
    if args.list {
        for mutant in mutants.iter().filter(|mutant| is_wanted(mutant)) {
            println!("{:32} {:36} {}", mutant.name, mutant.file.display(), mutant.why);
        }
        println!("{} mutants", mutants.len());
        return Ok(true);
    }
    let wanted: Vec<(u32, &Mutant)> = (1..).zip(&mutants).filter(|(_, mutant)| is_wanted(mutant)).collect();
    ensure!(!wanted.is_empty(), "no mutant has such a name");

    let begin = Instant::now();
    let folder = tree.join("target/mutants");
    let copy = folder.join("tree");
    schemata::copy_tree(&tree, &copy, files)?;
    let suite = Suite::build(&copy, &folder.join("build"))?;
    println!("built in {} s", begin.elapsed().as_secs());
    if !args.trust_tests {
        let begin = Instant::now();
        suite.must_pass(args.jobs)?;
        println!("all tests pass without a mutant, in {} s", begin.elapsed().as_secs());
    }

    let begin = Instant::now();
    let last = begin + Duration::from_secs(args.max_time);
    let output = Mutex::new(());
    let fates = parallel::map(&wanted, args.jobs, |&(number, mutant)| {
        if Instant::now() > last {
            return Ok(None);
        }
        let start = Instant::now();
        let fate = suite.judge(number, mutant)?;
        let _guard = output.lock();
        println!("{:32} {fate} ({:.1} s)", mutant.name, start.elapsed().as_secs_f32());
        Ok(Some(fate))
    })?;
    let count = |is: fn(&Option<Fate>) -> bool| fates.iter().filter(|fate| is(fate)).count();
    let (killed, left) = (count(|fate| matches!(fate, Some(Fate::Killed(_)))), count(Option::is_none));
    println!("{killed} of {} mutants were killed in {} s", fates.len(), begin.elapsed().as_secs());
    if left > 0 {
        println!("{left} were not judged: the time was over");
    }
    for ((_, mutant), _) in wanted.iter().zip(&fates).filter(|(_, fate)| matches!(fate, Some(Fate::Survived))) {
        println!("SURVIVED: {} in {}: {}", mutant.name, mutant.file.display(), mutant.why);
    }
    Ok(killed == fates.len())
}

/// The files of a tree that are or could be under version control.
fn files_of(tree: &Path) -> Result<Vec<PathBuf>> {
    let args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let listed = Command::new("git").args(args).current_dir(tree).output().context("cannot run git")?;
    ensure!(listed.status.success(), "git cannot list the files of {}", tree.display());
    let names = String::from_utf8(listed.stdout)?;
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list fits the sources: each place is there, and once.
    #[test]
    fn every_mutant_has_its_place() -> Result<()> {
        let tree = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mutants = list::read(&tree.join("xtask/mutants"))?;
        assert!(mutants.len() >= 60, "only {} mutants", mutants.len());
        schemata::rewrite(&mutants, |file| Ok(std::fs::read_to_string(tree.join(file))?))?;
        Ok(())
    }
}
