//! The game's own figures: what they mean, and the numbers that are told of them.

use meeple_core::{Figure, FigureKind, GameInfo, Seating};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::histogram::FigureSums;
use crate::intervals::{mean_interval, wilson_interval};
use crate::summary::{AgentSummary, Named, Spread, Summary, seating_word};
use crate::text::spaced;

/// What a figure means.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Meaning {
    /// As the game declares it.
    pub figure: &'static Figure,
    /// Of an `episode` or of a `seat`.
    pub of: &'static str,
}

impl Meaning {
    /// As JSON: `of`, `unit`, `meaning`, `kind`, and the `words` of a category.
    pub(crate) fn to_json(self) -> Map<String, Value> {
        let Self { figure, of } = self;
        let texts =
            [("of", of), ("unit", figure.unit), ("meaning", figure.doc), ("kind", figure.kind.word())];
        let mut object: Map<String, Value> =
            texts.into_iter().map(|(key, text)| (key.to_owned(), text.into())).collect();
        if let FigureKind::Category(words) = figure.kind {
            object.insert("words".to_owned(), json!(words));
        }
        object
    }
}

impl Serialize for Meaning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// The figures of a game by their keys: those of an episode, then of a seat. Where both have one of the same name,
/// the episode's key is `figure_NAME`.
pub fn meanings(info: &'static GameInfo) -> Named<Meaning> {
    let seats: Vec<String> = info.seat_figures.iter().map(|figure| figure.name.to_owned()).collect();
    let episode =
        |figure: &'static Figure| (unlike(&seats, figure.name.to_owned()), Meaning { figure, of: "episode" });
    let seat = |figure: &'static Figure| (figure.name.to_owned(), Meaning { figure, of: "seat" });
    Named(info.episode_figures.iter().map(episode).chain(info.seat_figures.iter().map(seat)).collect())
}

/// The name, made unlike these.
pub(crate) fn unlike(names: &[String], mut name: String) -> String {
    while names.contains(&name) {
        name = format!("figure_{name}");
    }
    name
}

/// Spreads of figures that are numbers, and how often each word of the others came up.
pub(crate) type Split = (Named<Spread>, Named<Named<u64>>);

/// The sums of figures by their keys. `whose` are the words of figures of seats, which `named` counts by the
/// figure's index.
pub(crate) fn split(
    figures: &[(String, Meaning)],
    sums: &[FigureSums],
    whose: &[&str],
    named: &dyn Fn(usize) -> Vec<u64>,
) -> Split {
    let (mut stats, mut categories) = (Vec::new(), Vec::new());
    let counts = |words: &[&str], counts: &[u64]| {
        Named(words.iter().zip(counts).map(|(word, count)| ((*word).to_owned(), *count)).collect())
    };
    for (index, ((key, meaning), sums)) in figures.iter().zip(sums).enumerate() {
        match meaning.figure.kind {
            FigureKind::Count | FigureKind::Amount => {
                stats.push((key.clone(), Spread { mean: sums.mean(), sd: sums.sd() }));
            }
            FigureKind::Category(words) => {
                categories.push((key.clone(), counts(words, sums.of_each(words.len()))));
            }
            FigureKind::Seat => categories.push((key.clone(), counts(whose, &named(index)))),
        }
    }
    (Named(stats), Named(categories))
}

/// A number that is told of a figure: its mean, or the share of one of its words.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Measure {
    key: String,
    /// Of a category: which of its words.
    word: Option<usize>,
    /// What it is, for people.
    pub label: String,
    /// Its unit, for people.
    pub unit: String,
    /// What its figure means.
    pub meaning: Meaning,
}

/// The value of a measure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Measured {
    pub value: f64,
    /// Its 95 % interval. The episode, or the group of those that share their deal, is the unit, also where an
    /// agent has several seats: they may all move together.
    pub interval: Option<[f64; 2]>,
    /// The spread of single values; none of a share.
    pub sd: Option<f64>,
}

/// Words of a category that are told; those of a line-up of many agents would fill a page.
const MOST_WORDS: usize = 20;

impl Measure {
    /// What is told of all figures of an episode, then of a seat. `names` are those of the agents.
    pub fn all(summary: &Summary, names: &[String]) -> Vec<Self> {
        summary
            .figures
            .0
            .iter()
            .flat_map(|(key, meaning)| Self::of_figure(summary, key, *meaning, names))
            .collect()
    }

    /// What is told of the figures of a seat.
    pub fn of_seats(summary: &Summary, names: &[String]) -> Vec<Self> {
        let mut all = Self::all(summary, names);
        all.retain(|measure| measure.meaning.of == "seat");
        all
    }

    fn of_figure(summary: &Summary, key: &str, meaning: Meaning, names: &[String]) -> Vec<Self> {
        let name = figure_label(summary, key);
        let measure = |word: Option<(usize, &str)>| Self {
            key: key.to_owned(),
            word: word.map(|(index, _)| index),
            label: word.map_or_else(|| name.clone(), |(_, word)| format!("{name}: {word}")),
            unit: match word {
                Some(_) => format!("% of {}s", meaning.of),
                None => meaning.figure.unit.to_owned(),
            },
            meaning,
        };
        match meaning.figure.kind {
            FigureKind::Count | FigureKind::Amount => vec![measure(None)],
            FigureKind::Category(words) => {
                let words = words.iter().copied().enumerate();
                words.map(|word| measure(Some(word))).collect()
            }
            FigureKind::Seat => {
                let words = std::iter::once("nobody").chain(names.iter().map(String::as_str));
                words.enumerate().take(MOST_WORDS).map(|word| measure(Some(word))).collect()
            }
        }
    }

    /// Over the whole table.
    pub fn of_table(&self, summary: &Summary) -> Option<Measured> {
        self.of(summary, &summary.stats, &summary.categories)
    }

    /// Of an agent, over its seats; none of a figure of the episode.
    pub fn of_agent(&self, summary: &Summary, agent: &AgentSummary) -> Option<Measured> {
        self.of(summary, &agent.stats, &agent.categories)
    }

    fn of(
        &self,
        summary: &Summary,
        stats: &Named<Spread>,
        categories: &Named<Named<u64>>,
    ) -> Option<Measured> {
        let units = independent_units(summary);
        let Some(word) = self.word else {
            let Spread { mean, sd } = *stats.get(&self.key)?;
            let interval = mean.zip(sd).map(|(mean, sd)| mean_interval(mean, sd, units));
            return Some(Measured { value: mean?, interval, sd });
        };
        let counts = &categories.get(&self.key)?.0;
        let all: u64 = counts.iter().map(|(_, count)| count).sum();
        let share = counts.get(word)?.1 as f64 / all.max(1) as f64;
        let interval = wilson_interval(share, units).map(|end| 100.0 * end);
        Some(Measured { value: 100.0 * share, interval: Some(interval), sd: None })
    }
}

/// Episodes, or groups of them that share their deal.
pub(crate) fn independent_units(summary: &Summary) -> f64 {
    let deals = summary.seating == seating_word(Seating::DealGroups);
    let units =
        if deals { summary.episodes.div_ceil(summary.seats.len().max(1) as u64) } else { summary.episodes };
    units as f64
}

/// A figure's name; where an episode and a seat have one of the same name, with whose it is.
fn figure_label(summary: &Summary, key: &str) -> String {
    let known = |key: &str| summary.figures.get(key).is_some();
    match key.strip_prefix("figure_") {
        Some(name) if known(name) => format!("{} (per episode)", spaced(name)),
        _ if known(&format!("figure_{key}")) => format!("{} (per seat)", spaced(key)),
        _ => spaced(key),
    }
}
