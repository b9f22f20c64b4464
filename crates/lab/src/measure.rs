//! Displayed numbers of the game's own figures, with intervals.

use meeple_core::{FigureKind, Seating};

use crate::figures::{FigureDefinition, Spread};
use crate::intervals::{mean_interval, wilson_interval};
use crate::named::Named;
use crate::simulation::seating_word;
use crate::summary::{AgentSummary, Summary};
use crate::text::spaced;

/// The mean of a figure, or the share of one of its words.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Measure {
    key: String,
    /// Index of the category's word; `None` for a mean.
    word: Option<usize>,
    /// Label for people.
    pub label: String,
    /// Unit for people.
    pub unit: String,
    pub meaning: FigureDefinition,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Measured {
    pub value: f64,
    /// 95 % interval. Its unit is the episode or the deal group, even for agents with several dependent
    /// seats.
    pub interval: Option<[f64; 2]>,
    /// Standard deviation of single values; `None` for a share.
    pub sd: Option<f64>,
}

/// Maximum displayed words of a figure that names a seat.
const MAX_WORDS: usize = 20;

impl Measure {
    /// The measures of all figures, of the episode and then of a seat. `names` are those of the agents.
    pub fn all(summary: &Summary, names: &[String]) -> Vec<Self> {
        summary
            .figures
            .0
            .iter()
            .flat_map(|(key, meaning)| Self::of_figure(summary, key, *meaning, names))
            .collect()
    }

    pub fn of_seats(summary: &Summary, names: &[String]) -> Vec<Self> {
        let mut all = Self::all(summary, names);
        all.retain(|measure| measure.meaning.of == "seat");
        all
    }

    fn of_figure(summary: &Summary, key: &str, meaning: FigureDefinition, names: &[String]) -> Vec<Self> {
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
                words.enumerate().take(MAX_WORDS).map(|word| measure(Some(word))).collect()
            }
        }
    }

    pub fn of_table(&self, summary: &Summary) -> Option<Measured> {
        self.of(summary, &summary.stats, &summary.categories)
    }

    /// The value of an agent over its seats; `None` for a figure of the episode.
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
            let interval = mean.zip(sd).and_then(|(mean, sd)| mean_interval(mean, sd, units));
            return Some(Measured { value: mean?, interval, sd });
        };
        let counts = &categories.get(&self.key)?.0;
        let all: u64 = counts.iter().map(|(_, count)| count).sum();
        let share = counts.get(word)?.1 as f64 / all.max(1) as f64;
        let interval = wilson_interval(share, units).map(|end| 100.0 * end);
        Some(Measured { value: 100.0 * share, interval: Some(interval), sd: None })
    }
}

pub(crate) fn independent_units(summary: &Summary) -> f64 {
    let deals = summary.seating == seating_word(Seating::DealGroups);
    let units =
        if deals { summary.episodes.div_ceil(summary.seats.len().max(1) as u64) } else { summary.episodes };
    units as f64
}

/// Label of a figure, qualified by its scope if an episode figure and a seat figure share the name.
fn figure_label(summary: &Summary, key: &str) -> String {
    let known = |key: &str| summary.figures.get(key).is_some();
    match key.strip_prefix("figure_") {
        Some(name) if known(name) => format!("{} (per episode)", spaced(name)),
        _ if known(&format!("figure_{key}")) => format!("{} (per seat)", spaced(key)),
        _ => spaced(key),
    }
}
