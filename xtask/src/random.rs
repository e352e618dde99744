//! Random models.
use anyhow::Result;
/// Compare psw and SPIN on random models.
#[derive(clap::Args)]
pub struct Args {}
/// Stub.
pub fn run(_args: &Args) -> Result<bool> {
    Ok(true)
}
