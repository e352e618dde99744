//! Inputs spliced from seeds, token by token: nothing but a stable compiler is needed, and most inputs stay models.
//!
//! `splice TARGET SECONDS SEED FOLDER...` takes the files of the folders as seeds. An input is a seed in which some tokens
//! or lines are replaced by, exchanged with, or followed by others, of the same seed or another one. An input on which the
//! target panics is written to `fuzz/artifacts/TARGET/`, and the run goes on; an input that takes longer than ten
//! seconds is written too, and ends the run.

use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// An input may take so long.
const LONGEST: Duration = Duration::from_secs(10);

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [target, seconds, seed, folders @ ..] = args.as_slice() else {
        eprintln!("usage: splice front_end|execute|replay|formula SECONDS SEED FOLDER...");
        return ExitCode::from(2);
    };
    let run: fn(&[u8]) = match target.as_str() {
        "front_end" => psw_fuzz::front_end,
        "execute" => psw_fuzz::execute,
        "replay" => psw_fuzz::replay,
        "formula" => psw_fuzz::formula,
        _ => {
            eprintln!("no target {target}");
            return ExitCode::from(2);
        }
    };
    let (Ok(seconds), Ok(seed)) = (seconds.parse(), seed.parse::<u64>()) else {
        eprintln!("SECONDS and SEED are numbers");
        return ExitCode::from(2);
    };
    let seeds: Vec<Vec<String>> = folders.iter().flat_map(|folder| seeds(Path::new(folder))).collect();
    if seeds.is_empty() {
        eprintln!("no seeds");
        return ExitCode::from(2);
    }
    let artifacts = PathBuf::from("fuzz/artifacts").join(target);
    let current = Arc::new(Mutex::new((String::new(), Instant::now())));
    watch(Arc::clone(&current), artifacts.clone());
    let mut random = Random(seed.wrapping_mul(2) | 1);
    let (begin, mut count, mut places) = (Instant::now(), 0u64, BTreeSet::new());
    let place = Arc::new(Mutex::new(String::new()));
    let told = Arc::clone(&place);
    std::panic::set_hook(Box::new(move |panic| {
        let at = panic.location().map(|at| format!("{}:{}", at.file(), at.line())).unwrap_or_default();
        if let Ok(mut told) = told.lock() {
            *told = at;
        }
    }));
    while begin.elapsed() < Duration::from_secs(seconds) {
        let input = splice(&seeds, &mut random);
        if let Ok(mut current) = current.lock() {
            *current = (input.clone(), Instant::now());
        }
        count += 1;
        if catch_unwind(|| run(input.as_bytes())).is_err() {
            let at = place.lock().map(|at| at.clone()).unwrap_or_default();
            if places.insert(at.clone()) {
                keep(&artifacts, &format!("panic-{count}"), &input);
                println!("panic at {at}: panic-{count}");
            }
        }
    }
    println!("{count} inputs, {} places that panic", places.len());
    if places.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Ends the run if an input takes too long.
fn watch(current: Arc<Mutex<(String, Instant)>>, artifacts: PathBuf) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let Ok(current) = current.lock() else { continue };
            if !current.0.is_empty() && current.1.elapsed() > LONGEST {
                keep(&artifacts, "slow", &current.0);
                println!("an input takes longer than {} s: slow", LONGEST.as_secs());
                std::process::exit(1);
            }
        }
    });
}

fn keep(folder: &Path, name: &str, input: &str) {
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(folder.join(name), input));
    if let Err(why) = written {
        eprintln!("cannot write {}: {why}", folder.join(name).display());
    }
}

/// The files of a folder, as tokens.
fn seeds(folder: &Path) -> Vec<Vec<String>> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(|path| path.is_file()).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).map(|text| tokens(&text)).collect()
}

/// Names, numbers, runs of other signs, and blanks, in order.
fn tokens(text: &str) -> Vec<String> {
    let kind = |letter: char| match letter {
        _ if letter.is_alphanumeric() || letter == '_' => 0,
        '\n' => 1,
        _ if letter.is_whitespace() => 2,
        '(' | ')' | '{' | '}' | '[' | ']' | ';' | ',' => 3,
        _ => 4,
    };
    let mut tokens: Vec<String> = Vec::new();
    let mut last = 9;
    for letter in text.chars() {
        let now = kind(letter);
        match tokens.last_mut() {
            Some(token) if now == last && now != 3 && now != 1 => token.push(letter),
            _ => tokens.push(letter.to_string()),
        }
        last = now;
    }
    tokens
}

/// A seed with a few changes.
fn splice(seeds: &[Vec<String>], random: &mut Random) -> String {
    let mut made = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(4) {
        let other = &seeds[random.below(seeds.len())];
        if made.is_empty() || other.is_empty() {
            break;
        }
        let (at, from) = (random.below(made.len()), random.below(other.len()));
        match random.below(6) {
            // One token becomes another of the same seed, or of another.
            0 => made[at] = made[random.below(made.len())].clone(),
            1 => made[at] = other[from].clone(),
            // Some tokens are left out, or said twice.
            2 => drop(made.drain(at..(at + 1 + random.below(4)).min(made.len()))),
            3 => {
                let line = line(&made, at);
                made.splice(at..at, line);
            }
            // A line of another seed comes in, or takes the place of one.
            4 => drop(made.splice(at..at, line(other, from)).collect::<Vec<_>>()),
            _ => {
                let numbers = ["0", "1", "2", "3", "255", "256", "-1", "32767", "2147483647"];
                if made[at].chars().all(|letter| letter.is_ascii_digit()) {
                    made[at] = numbers[random.below(numbers.len())].to_string();
                }
            }
        }
    }
    made.concat()
}

/// The line of a token.
fn line(tokens: &[String], at: usize) -> Vec<String> {
    let start = tokens[..at].iter().rposition(|token| token == "\n").unwrap_or(0);
    let end = tokens[at..].iter().skip(1).position(|token| token == "\n").map_or(tokens.len(), |end| at + 1 + end);
    tokens[start..end].to_vec()
}

/// xorshift64*: Marsaglia 2003, Vigna 2016.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound.max(1)
    }
}
