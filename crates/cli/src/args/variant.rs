//! The rules to play by, for every verb that plays.

use clap::Args;

/// The rules to play by.
#[derive(Args, Clone, Default)]
pub struct Variant {
    /// Set a variant parameter; may be repeated for others. `@FILE` as value stands for the content of that file
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Set the parameters that a named profile of the game sets; `meeple games GAME` lists them
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
}

impl Variant {
    /// Every setting as `KEY=VALUE`; a profile counts as one.
    pub fn settings(&self) -> impl Iterator<Item = String> {
        let profile = self.profile.iter().map(|name| format!("profile={name}"));
        profile.chain(self.set.iter().cloned())
    }
}
