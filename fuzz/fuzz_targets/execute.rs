//! Models that are parsed, checked, compiled and searched. `fuzz/README.md` says how to run it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| psw_fuzz::execute(bytes));
