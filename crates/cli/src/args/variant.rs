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

    /// Adds the settings of what is continued: those that `stored` adds to the given ones.
    ///
    /// # Errors
    /// That of `stored`.
    pub fn go_on<E>(
        &mut self,
        stored: impl FnOnce(&[(String, String)]) -> Result<Vec<(String, String)>, E>,
    ) -> Result<(), E> {
        let given = self.settings();
        let given =
            given.filter_map(|text| text.split_once('=').map(|(key, value)| (key.into(), value.into())));
        let given: Vec<(String, String)> = given.collect();
        let later = stored(&given)?.into_iter().filter(|(name, _)| given.iter().all(|(own, _)| own != name));
        self.set.extend(later.map(|(name, value)| format!("{name}={value}")));
        Ok(())
    }
}
