//! Flags of `meeple new-game`.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub struct NewGameArgs {
    /// Name of the game and its crate: lower case letters and digits, words joined by `-`
    pub name: String,
    /// Write the rules in Rust
    #[arg(long, required = true)]
    pub rust: bool,
    /// Directory of the crate, which must not exist [default: ./NAME]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Source of Meeple: a clone, or the address of a git repository [default: the repository of this
    /// release, or the clone that this program was built in]
    #[arg(long, value_name = "PATH|URL")]
    pub meeple: Option<String>,
}
