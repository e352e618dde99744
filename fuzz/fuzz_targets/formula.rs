//! Formulas of linear temporal logic, translated and judged by direct evaluation. `fuzz/README.md` says how to run it.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| psw_fuzz::formula(bytes));
