//! Arbitrary text through the whole front end: `cargo +nightly fuzz run front_end fuzz/corpus/front_end fuzz/seeds/front_end`. The inputs
//! in `seeds/front_end` are where it starts.
#![no_main]

use std::io;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use promela::ast::print::{print, same_tree};
use promela::diagnostics::Severity;
use promela::{Files, Options, Parsed, check, parse, render};

struct OneFile<'a>(&'a [u8]);

impl Files for OneFile<'_> {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        if path == Path::new("m.pml") { Ok(self.0.to_vec()) } else { Err(io::ErrorKind::NotFound.into()) }
    }
}

fn read(bytes: &[u8]) -> Parsed {
    parse(Path::new("m.pml"), &OneFile(bytes), &Options::default())
}

fuzz_target!(|bytes: &[u8]| {
    let mut parsed = read(bytes);
    for finding in &parsed.diagnostics {
        render::to_text(&parsed.sources, finding, false);
    }
    if parsed.diagnostics.iter().any(|finding| finding.severity == Severity::Error) {
        return;
    }
    let again = read(print(&parsed.ast).as_bytes());
    assert!(same_tree(&parsed.ast, &again.ast), "the print of a model reads differently");
    check(&parsed.ast, &mut parsed.diagnostics);
});
