//! All mutants in one tree: at the place of each, a choice.

use super::list::Mutant;
use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The variable that says which mutant a program is.
pub const VARIABLE: &str = "PSW_MUTANT";

/// What every crate with a mutant gets: the choice, made once per process.
const SWITCH: &str = r#"
#[allow(missing_docs, dead_code)]
mod mutant_switch {
    pub(crate) fn is(number: u32) -> bool {
        static MUTANT: std::sync::LazyLock<u32> = std::sync::LazyLock::new(|| {
            std::env::var("PSW_MUTANT").ok().and_then(|number| number.parse().ok()).unwrap_or(0)
        });
        *MUTANT == number
    }
}
"#;

/// The files that change, with what they contain then. Mutants are numbered from 1 in the order of the list.
pub fn rewrite(mutants: &[Mutant], read: impl Fn(&Path) -> Result<String>) -> Result<BTreeMap<PathBuf, String>> {
    let mut by_file: BTreeMap<&Path, Alternatives> = BTreeMap::new();
    for (number, mutant) in (1..).zip(mutants) {
        by_file.entry(&mutant.file).or_default().push((number, mutant));
    }
    let mut files = BTreeMap::new();
    for (file, mutants) in by_file {
        let text = read(file).with_context(|| format!("mutants of {}", file.display()))?;
        files.insert(file.to_path_buf(), with_choices(&text, &mutants)?);
        let root = crate_root(file);
        if let std::collections::btree_map::Entry::Vacant(entry) = files.entry(root.clone()) {
            entry.insert(read(&root)?);
        }
    }
    let roots: HashSet<PathBuf> = files.keys().map(|file| crate_root(file)).collect();
    for root in roots {
        if let Some(text) = files.get_mut(&root) {
            text.push_str(SWITCH);
        }
    }
    Ok(files)
}

/// The file that a crate begins with.
fn crate_root(file: &Path) -> PathBuf {
    match file.strip_prefix("src") {
        Ok(_) => PathBuf::from("src/main.rs"),
        Err(_) => file.components().take(1).collect::<PathBuf>().join("src/lib.rs"),
    }
}

/// The mutants of one place, with their numbers.
type Alternatives<'a> = Vec<(u32, &'a Mutant)>;

fn with_choices(text: &str, mutants: &[(u32, &Mutant)]) -> Result<String> {
    let mut places: Vec<(Range<usize>, Alternatives)> = Vec::new();
    for &(number, mutant) in mutants {
        let place = place(text, mutant).with_context(|| format!("mutant {}", mutant.name))?;
        match places.iter_mut().find(|(other, _)| *other == place) {
            Some((_, alternatives)) => alternatives.push((number, mutant)),
            None => places.push((place, vec![(number, mutant)])),
        }
    }
    places.sort_by_key(|(place, _)| place.start);
    let mut result = String::new();
    let mut end = 0;
    for (place, alternatives) in places {
        if place.start < end {
            bail!("mutant {} overlaps another one", alternatives[0].1.name);
        }
        let original = &text[place.clone()];
        let is_statement = original.ends_with([';', '}']);
        result.push_str(&text[end..place.start]);
        result.push_str(if is_statement { "" } else { "(" });
        for (number, mutant) in alternatives {
            write!(result, "if crate::mutant_switch::is({number}) {{ {} }} else ", mutant.to)?;
        }
        write!(result, "{{ {original} }}")?;
        result.push_str(if is_statement { "" } else { ")" });
        end = place.end;
    }
    result.push_str(&text[end..]);
    Ok(result)
}

/// Where a mutant is.
fn place(text: &str, mutant: &Mutant) -> Result<Range<usize>> {
    let Some(after) = &mutant.after else {
        let found = find_all(text, &mutant.from);
        ensure!(!found.is_empty(), "its text is no longer in {}", mutant.file.display());
        ensure!(found.len() == 1, "its text is in {} {} times", mutant.file.display(), found.len());
        return Ok(found[0].clone());
    };
    let found = find_all(text, after);
    ensure!(found.len() == 1, "the text in front of it is in {} {} times", mutant.file.display(), found.len());
    let start = found[0].end;
    let behind = find_all(&text[start..], &mutant.from);
    let first = behind.first().with_context(|| format!("its text is no longer in {}", mutant.file.display()))?;
    Ok(start + first.start..start + first.end)
}

/// Every place of a piece in a text, blanks left out of account.
fn find_all(text: &str, piece: &str) -> Vec<Range<usize>> {
    let ((places, text), (_, piece)) = (dense(text), dense(piece));
    // The last letter of a piece of code is one byte long.
    text.match_indices(&piece).map(|(at, _)| places[at]..places[at + piece.len() - 1] + 1).collect()
}

/// A text without blanks, and where each of its bytes was.
fn dense(text: &str) -> (Vec<usize>, String) {
    let (mut places, mut dense) = (Vec::new(), String::new());
    for (at, letter) in text.char_indices().filter(|(_, letter)| !letter.is_whitespace()) {
        places.resize(places.len() + letter.len_utf8(), at);
        dense.push(letter);
    }
    (places, dense)
}

/// Makes `copy` a copy of the tree with some files changed. What is the same already is not touched, so that little is
/// built again.
pub fn copy_tree(tree: &Path, copy: &Path, mut changed: BTreeMap<PathBuf, String>) -> Result<()> {
    let mut wanted = HashSet::new();
    for file in super::files_of(tree)? {
        let content = match changed.remove(&file) {
            Some(text) => text.into_bytes(),
            None => match std::fs::read(tree.join(&file)) {
                Ok(content) => content,
                // Deleted, but still known to git.
                Err(why) if why.kind() == std::io::ErrorKind::NotFound => continue,
                Err(why) => return Err(why).with_context(|| format!("cannot read {}", file.display())),
            },
        };
        let to = copy.join(&file);
        if std::fs::read(&to).ok().as_deref() != Some(&content) {
            std::fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
            std::fs::write(&to, content)?;
        }
        wanted.insert(to);
    }
    ensure!(changed.is_empty(), "not in the tree: {:?}", changed.keys());
    remove_others(copy, &wanted)
}

fn remove_others(folder: &Path, wanted: &HashSet<PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => remove_others(&entry.path(), wanted)?,
            false if !wanted.contains(&entry.path()) => std::fs::remove_file(entry.path())?,
            false => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(from: &str, to: &str, after: Option<&str>) -> Mutant {
        let text = |text: &str| text.to_string();
        Mutant { name: text("m"), from: text(from), to: text(to), after: after.map(text), ..Mutant::default() }
    }

    #[test]
    fn a_place_becomes_a_choice() -> Result<()> {
        let text = "fn f() { a(1,\n  2); b }\nfn g() { b; }";
        let (first, second) = (mutant("a(1, 2)", "()", None), mutant("b;", "c;", Some("fn g()")));
        let made = with_choices(text, &[(1, &first), (2, &second)])?;
        assert_eq!(
            made,
            "fn f() { (if crate::mutant_switch::is(1) { () } else { a(1,\n  2) }); b }\n\
             fn g() { if crate::mutant_switch::is(2) { c; } else { b; } }"
        );
        Ok(())
    }

    #[test]
    fn a_place_that_is_not_there_or_twice_is_an_error() {
        let text = "b; b; é c";
        assert!(with_choices(text, &[(1, &mutant("d", "()", None))]).is_err());
        assert!(with_choices(text, &[(1, &mutant("b", "()", None))]).is_err());
        assert!(with_choices(text, &[(1, &mutant("c", "()", None))]).is_ok());
    }
}
