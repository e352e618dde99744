//! Generates the parser from `src/grammar.lalrpop`.

fn main() {
    println!("cargo:rerun-if-changed=src/grammar.lalrpop");
    if let Err(error) = lalrpop::Configuration::new().emit_rerun_directives(true).use_cargo_dir_conventions().process()
    {
        eprintln!("src/grammar.lalrpop: {error}");
        std::process::exit(1);
    }
}
