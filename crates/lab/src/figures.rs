//! The game's own figures: their meanings and the display of their sums.

use meeple_core::{Figure, FigureKind, GameInfo};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::histogram::FigureSums;
use crate::named::{Name, Named};

/// Definition of a figure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FigureDefinition {
    /// The game's declaration of the figure.
    pub figure: &'static Figure,
    /// Scope: `episode` or `seat`.
    pub of: &'static str,
}

impl FigureDefinition {
    /// JSON object with the keys `of`, `unit`, `meaning`, `kind`, and the `words` of a category.
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

impl Serialize for FigureDefinition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}

/// The figures of a game by key: episode figures, then seat figures. The key of an episode figure is
/// `figure_NAME` if a seat figure has the same name.
pub fn meanings(info: &'static GameInfo) -> Named<FigureDefinition> {
    let seats: Vec<String> = info.seat_figures.iter().map(|figure| figure.name.to_owned()).collect();
    let episode = |figure: &'static Figure| {
        let key = match unlike(&seats, figure.name.to_owned()) {
            own if own == figure.name => Name::Borrowed(figure.name),
            other => Name::Owned(other),
        };
        (key, FigureDefinition { figure, of: "episode" })
    };
    let seat = |figure: &'static Figure| (figure.name.into(), FigureDefinition { figure, of: "seat" });
    Named(info.episode_figures.iter().map(episode).chain(info.seat_figures.iter().map(seat)).collect())
}

/// Prefixes the name until it differs from all of `names`.
pub(crate) fn unlike(names: &[String], mut name: String) -> String {
    while names.contains(&name) {
        name = format!("figure_{name}");
    }
    name
}

/// Mean and standard deviation of a figure; `None` without enough finite values.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Spread {
    /// Mean; `None` without finite values.
    pub mean: Option<f64>,
    /// Sample standard deviation, with n - 1; `None` for fewer than two values.
    pub sd: Option<f64>,
}

/// Spreads of numeric figures, and counts by word of categorical ones.
pub(crate) type Split = (Named<Spread>, Named<Named<u64>>);

/// Splits sums by kind of figure. Figures that name a seat have the words `whose`: nobody and the entries.
/// `named` returns the counts of such a figure, given its index.
pub(crate) fn split(
    figures: &[(Name, FigureDefinition)],
    sums: &[FigureSums],
    whose: &[Name],
    named: &dyn Fn(usize) -> Vec<u64>,
) -> Split {
    let (mut stats, mut categories) = (Vec::new(), Vec::new());
    let counts =
        |words: &[Name], counts: &[u64]| Named(words.iter().cloned().zip(counts.iter().copied()).collect());
    for (index, ((key, meaning), sums)) in figures.iter().zip(sums).enumerate() {
        match meaning.figure.kind {
            FigureKind::Count | FigureKind::Amount => {
                stats.push((key.clone(), Spread { mean: sums.mean(), sd: sums.sd() }));
            }
            FigureKind::Category(words) => {
                let words: Vec<Name> = words.iter().map(|word| Name::from(*word)).collect();
                categories.push((key.clone(), counts(&words, sums.of_each(words.len()))));
            }
            FigureKind::Seat => categories.push((key.clone(), counts(whose, &named(index)))),
        }
    }
    // A sweep keeps thousands of these vectors in memory.
    stats.shrink_to_fit();
    categories.shrink_to_fit();
    (Named(stats), Named(categories))
}
