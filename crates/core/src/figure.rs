//! Figures: a game's own statistics besides scores.

/// A statistic that the game defines; the laboratory aggregates and draws it.
///
/// In a constant, the constructors do not compile without a doc and a unit:
///
/// ```
/// use meeple_core::Figure;
/// const BUSTS: Figure = Figure::count("busts", "rounds", "Rounds in which everybody lost everything.");
/// ```
///
/// ```compile_fail
/// use meeple_core::Figure;
/// const BUSTS: Figure = Figure::count("busts", "rounds", "");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// Key in JSON and column name: lower case, whole words joined by `_`.
    pub name: &'static str,
    /// Unit, in the plural (`cards`, `gems`, `share`).
    pub unit: &'static str,
    /// Meaning, in one sentence on one line.
    pub doc: &'static str,
    /// Kind of the values.
    pub kind: FigureKind,
}

/// Kind of a figure's values, which decides their storage and their statistics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FigureKind {
    /// A whole number, stored as an integer; reported by mean and spread.
    Count,
    /// Any finite number, such as a share or a mean; reported by mean and spread.
    Amount,
    /// One of these words, at most [`FigureKind::MAX_WORDS`]; the value is the word's index. Reported by
    /// frequencies only.
    Category(&'static [&'static str]),
    /// A seat, or [`Figure::NOBODY`]. Reported by frequencies per player.
    Seat,
}

impl FigureKind {
    /// Maximum number of words of a category.
    pub const MAX_WORDS: usize = 64;

    /// Returns true if values can be averaged.
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Count | Self::Amount)
    }

    /// Name of the kind in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Amount => "amount",
            Self::Category(_) => "category",
            Self::Seat => "seat",
        }
    }
}

impl Figure {
    /// Value of a seat figure that stands for no seat.
    pub const NOBODY: f64 = -1.0;

    const fn new(name: &'static str, unit: &'static str, doc: &'static str, kind: FigureKind) -> Self {
        assert!(!name.is_empty() && !unit.is_empty(), "a figure has a name and a unit");
        assert!(!doc.is_empty(), "a figure says in one sentence what it means");
        Self { name, unit, doc, kind }
    }

    /// A figure of whole numbers.
    ///
    /// # Panics
    /// If a text is empty. The other constructors panic likewise.
    pub const fn count(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self::new(name, unit, doc, FigureKind::Count)
    }

    /// A figure of any numbers.
    pub const fn amount(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self::new(name, unit, doc, FigureKind::Amount)
    }

    /// A figure of words: the value is an index into `words`, 1 to [`FigureKind::MAX_WORDS`] of them.
    pub const fn category(
        name: &'static str,
        unit: &'static str,
        doc: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        assert!(!words.is_empty() && words.len() <= FigureKind::MAX_WORDS, "a category has 1 to 64 words");
        Self::new(name, unit, doc, FigureKind::Category(words))
    }

    /// A figure of seats: the value is a seat's index, or [`Figure::NOBODY`].
    pub const fn seat(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, "seats", doc, FigureKind::Seat)
    }

    /// Returns true if a table of `seats` seats can produce this value.
    pub fn allows(&self, value: f64, seats: usize) -> bool {
        let whole = value.fract() == 0.0;
        match self.kind {
            FigureKind::Amount => value.is_finite(),
            // An `f64` holds integers up to 2⁵³ exactly.
            FigureKind::Count => whole && value.abs() <= (1u64 << f64::MANTISSA_DIGITS) as f64,
            FigureKind::Category(words) => whole && (0.0..words.len() as f64).contains(&value),
            FigureKind::Seat => whole && (Self::NOBODY..seats as f64).contains(&value),
        }
    }
}

/// The figures of one episode, filled in [`Game::figures`](crate::Game::figures).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureSheet {
    episode: Vec<f64>,
    seats: Vec<f64>,
}

impl FigureSheet {
    /// Empties the sheet, keeping its buffers.
    #[inline]
    pub fn clear(&mut self) {
        self.episode.clear();
        self.seats.clear();
    }

    /// Adds the figures of the episode, in the order of
    /// [`GameInfo::episode_figures`](crate::GameInfo::episode_figures).
    #[inline]
    pub fn episode<const N: usize>(&mut self, values: [f64; N]) {
        self.episode.extend_from_slice(&values);
    }

    /// Adds the figures of the next seat, in the order of
    /// [`GameInfo::seat_figures`](crate::GameInfo::seat_figures).
    #[inline]
    pub fn seat<const N: usize>(&mut self, values: [f64; N]) {
        self.seats.extend_from_slice(&values);
    }

    /// Figures of the episode.
    #[inline]
    pub fn episode_values(&self) -> &[f64] {
        &self.episode
    }

    /// Figures by seat, flat: first all figures of seat 0, then all of seat 1, and so on.
    #[inline]
    pub fn seat_values(&self) -> &[f64] {
        &self.seats
    }
}
