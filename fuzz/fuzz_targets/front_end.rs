//! Arbitrary text through the whole front end. `fuzz/README.md` says how to run it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| psw_fuzz::front_end(bytes));
