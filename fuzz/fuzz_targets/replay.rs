//! Arbitrary traces and trails, followed in a model. `fuzz/README.md` says how to run it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| psw_fuzz::replay(bytes));
