//! The facts of a game, declared as data.

use std::ops::RangeInclusive;

use serde::Serialize;

use crate::figure::Figure;

/// The facts of a game, declared as data. The conformance laws compare them with the code.
#[derive(Clone, Debug)]
pub struct GameInfo {
    /// Name on the command line and of the crate's folder: lower case, words joined by `-`.
    pub id: &'static str,
    /// Name for people, such as "Incan Gold".
    pub name: &'static str,
    /// The kind of game, in one line.
    pub summary: &'static str,
    /// Version of the implemented rules; replays of other versions are refused.
    pub rules_version: u32,
    /// The text of RULES.md.
    pub rules: &'static str,
    /// The text of GUIDE.md: a quick reference, a first game and tips, under the headings of
    /// [`GUIDE_SECTIONS`].
    pub guide: &'static str,
    /// Allowed numbers of seats.
    pub seats: RangeInclusive<usize>,
    /// Best number of seats and the effect of more or fewer, as a clause; empty if the number does not
    /// matter.
    pub seats_advice: &'static str,
    /// Form of a seat's actions.
    pub actions: ActionKind,
    /// Information hidden from seats.
    pub information: Information,
    /// True if several seats may owe a decision at once.
    pub simultaneous: bool,
    /// Named sets of variant parameters; the first is the default.
    pub presets: &'static [Preset],
    /// Named sets of variant parameters selected by `--profile NAME` on top of a preset; empty if the
    /// game has none.
    pub profiles: &'static [Preset],
    /// Unit of scores, in the plural.
    pub score_unit: &'static str,
    /// Unit of [`Game::length`](crate::Game::length), in the plural.
    pub length_unit: &'static str,
    /// End reasons; [`Outcome::end`](crate::Outcome::end) is an index into them.
    pub ends: &'static [&'static str],
    /// Figures of one episode, in the order of [`FigureSheet::episode`](crate::FigureSheet::episode).
    pub episode_figures: &'static [Figure],
    /// Figures of one seat, in the order of [`FigureSheet::seat`](crate::FigureSheet::seat).
    pub seat_figures: &'static [Figure],
    /// Line-up of a first simulation, as in `meeple sim GAME LINE-UP`, and of the benchmark.
    pub demo: &'static [&'static str],
    /// Agent for seats that the line-up does not name, in games whose number of seats is fixed by the
    /// variant; `None` if every seat must be named.
    pub filler: Option<&'static str>,
    /// Explanation of the input that a person types; `help` prints it in terminal play.
    pub input_help: &'static str,
    /// Agent that gives hints to people, as in a line-up: the strongest that decides instantly.
    pub advisor: &'static str,
    /// Measured strengths of all agents of the game, in the format of
    /// [`Strengths::parse`](crate::Strengths::parse); empty if unmeasured.
    pub strengths: &'static str,
}

/// The sections of a game's guide, in this order.
pub const GUIDE_SECTIONS: [&str; 3] = ["In one page", "Your first game", "Tips"];

impl GameInfo {
    /// This preset, or the game's first: the preset of a game that is named without one.
    pub fn preset_or_first<'a>(&self, preset: Option<&'a str>) -> &'a str {
        preset.unwrap_or(self.presets[0].name)
    }

    /// A game info with only the mandatory facts:
    /// `static INFO: GameInfo = GameInfo { .., ..GameInfo::new(..) }`.
    pub const fn new(id: &'static str, name: &'static str, rules: &'static str) -> Self {
        Self {
            id,
            name,
            summary: "",
            rules_version: 1,
            rules,
            guide: "",
            seats: 2..=2,
            seats_advice: "",
            actions: ActionKind::Listed,
            information: Information::Perfect,
            simultaneous: false,
            presets: &[Preset { name: "default", doc: "The game as it is.", set: &[] }],
            profiles: &[],
            score_unit: "points",
            length_unit: "decisions",
            ends: &["rules"],
            episode_figures: &[],
            seat_figures: &[],
            demo: &[],
            filler: None,
            input_help: "Type one of the listed actions.",
            advisor: "",
            strengths: "",
        }
    }
}

/// Form of a seat's actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// All legal actions can be listed: sorted, without duplicates, never empty for a seat that owes a
    /// decision, each with a dense id.
    Listed,
    /// The legal actions are too many to list. They can be sampled and checked.
    Structured,
}

/// Information hidden from seats.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Information {
    /// Everybody knows everything except future chance.
    Perfect,
    /// All seats know the same, apart from simultaneous decisions.
    Public,
    /// Seats know different things.
    Hidden,
}

/// A named set of variant parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Preset {
    /// Name, as in `game/preset`.
    pub name: &'static str,
    /// Description in one sentence.
    pub doc: &'static str,
    /// Parameters that differ from the defaults: names and values in text form.
    pub set: &'static [(&'static str, &'static str)],
}
