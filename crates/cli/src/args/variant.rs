//! The rules to play by, for every verb that plays.

use clap::Args;
use meeple_core::param_text;
use meeple_games::GameName;

/// The rules to play by.
#[derive(Args, Clone, Default)]
pub struct Variant {
    /// Set a variant parameter; may be repeated for others. `@FILE` as value stands for the content of that
    /// file
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Use a named set of parameters (profile) of the game; `meeple games GAME` lists them
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
}

impl Variant {
    /// Every setting as `KEY=VALUE`; a profile counts as one.
    pub fn settings(&self) -> impl Iterator<Item = String> {
        let profile = self.profile.iter().map(|name| format!("profile={name}"));
        profile.chain(self.set.iter().cloned())
    }

    /// Adds stored settings, so that a run continues by the rules it began with. `stored` completes the given
    /// settings. Settings that were given, and values equal to the defaults of preset and profile, are not
    /// added.
    ///
    /// # Errors
    /// Only those of `stored`.
    pub fn go_on<E>(
        &mut self,
        game: &GameName<'_>,
        stored: impl FnOnce(&[(String, String)]) -> Result<Vec<(String, String)>, E>,
    ) -> Result<(), E> {
        let given = self.settings();
        let given =
            given.filter_map(|text| text.split_once('=').map(|(key, value)| (key.into(), value.into())));
        let given: Vec<(String, String)> = given.collect();
        let profile: Vec<_> = given.iter().filter(|(name, _)| name == "profile").cloned().collect();
        let usual = game.entry.variant(game.preset, &profile).unwrap_or_default();
        let is_usual =
            |name: &str, text: &str| usual.get(name).is_some_and(|value| param_text(value) == text);
        let later = stored(&given)?.into_iter().filter(|(name, _)| given.iter().all(|(own, _)| own != name));
        let later = later.filter(|(name, text)| !is_usual(name, text));
        self.set.extend(later.map(|(name, value)| format!("{name}={value}")));
        Ok(())
    }
}
