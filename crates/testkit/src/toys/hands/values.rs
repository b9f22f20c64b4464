//! Values of Hands: flaws, parameters, actions, cards, events.

use meeple_core::{Seat, choice, params};
use serde::Serialize;

/// Maximum number of cards in a deck, and the highest card.
pub const MAX_CARDS: u8 = 12;

choice! {
    /// A law to break on purpose, to prove that the laws detect it.
    pub enum Flaw {
        None = "none",
        ObservationLeaks = "observation-leaks",
        ObservationCountsEarly = "observation-counts-early",
        LegalActionsPeek = "legal-actions-peek",
        EarlyEvent = "early-event",
        EventLeaks = "event-leaks",
        DeterminizeCopies = "determinize-copies",
        DeterminizeCopiesFolded = "determinize-copies-folded",
        DeterminizeForgets = "determinize-forgets",
        KeyForgets = "key-forgets",
        ListUnsorted = "list-unsorted",
        ListRepeats = "list-repeats",
        ListEmpty = "list-empty",
        IdsClash = "ids-clash",
        CheckTooKind = "check-too-kind",
        SampleTooNarrow = "sample-too-narrow",
        SampleIllegal = "sample-illegal",
        FallbackIllegal = "fallback-illegal",
        IllegalChanges = "illegal-changes",
        OverAccepts = "over-accepts",
        BystandersAct = "bystanders-act",
        UncheckedDiffers = "unchecked-differs",
        ActionTextLies = "action-text-lies",
        ChanceTextLies = "chance-text-lies",
        ChanceUneven = "chance-uneven",
        ChanceSum = "chance-sum",
        ChanceUnlisted = "chance-unlisted",
        ChanceUnchecked = "chance-unchecked",
        ResolveDiffers = "resolve-differs",
        DecisionsOwedAgain = "decisions-owed-again",
        OrderMatters = "order-matters",
        ResetForgets = "reset-forgets",
        PlacesWrong = "places-wrong",
        ScoreTwice = "score-twice",
        FigureMissing = "figure-missing",
        FigureFraction = "figure-fraction",
        TurnPlaceTwice = "turn-place-twice",
        TurnOrderUntold = "turn-order-untold",
        Endless = "endless",
        SpotIllegal = "spot-illegal",
        DrawingBroken = "drawing-broken",
        PartsAlike = "parts-alike",
        PartsEmpty = "parts-empty",
        PartsNamedTwice = "parts-named-twice",
        PartsEndEarly = "parts-end-early",
        EncodingNamesTwice = "encoding-names-twice",
        EncodingLeaks = "encoding-leaks",
        EncodingUnbounded = "encoding-unbounded",
        EncodingSkips = "encoding-skips",
        EncodingTellsNothing = "encoding-tells-nothing",
        HintsSkip = "hints-skip",
        HintsPeek = "hints-peek",
        HintsIllegal = "hints-illegal",
        HintsRemember = "hints-remember",
        HintsUncertain = "hints-uncertain",
    }
}

params! {
    /// The rules of Hands.
    pub struct HandsVariant {
        /// Rounds in an episode.
        pub rounds: u8 = 2 => "rounds", int(1, 6);
        /// Highest card of the deck; there is one of each value from 1.
        pub cards: u8 = MAX_CARDS => "cards", int(2, i64::from(MAX_CARDS));
        /// The law to break.
        pub flaw: Flaw = Flaw::None => "flaw", choice(Flaw::WORDS);
    }
}

choice! {
    /// A seat's decision about its card.
    pub enum CardChoice {
        Fold = "fold",
        Stay = "stay",
        Odd = "odd",
    }
}

/// An action: a [`CardChoice`]. [`CardChoice::Odd`] has the text of [`CardChoice::Stay`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandMove(pub CardChoice);

impl Default for HandMove {
    fn default() -> Self {
        Self(CardChoice::Fold)
    }
}

impl std::fmt::Display for HandMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0 == CardChoice::Odd { "stay" } else { self.0.word() })
    }
}

impl std::str::FromStr for HandMove {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse().map(Self)
    }
}

/// A card dealt to the next seat; in poker a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card(pub u8);

impl std::fmt::Display for Card {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A card above the highest exists only to print like another one.
        write!(f, "{}", self.0.min(MAX_CARDS))
    }
}

impl std::str::FromStr for Card {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse() {
            Ok(card) if (1..=MAX_CARDS).contains(&card) && !text.starts_with(['+', '0']) => Ok(Self(card)),
            _ => Err(format!("expected a number from 1 to {MAX_CARDS}, found '{text}'")),
        }
    }
}

/// An event of Hands.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
pub enum HandsEvent {
    /// A seat was dealt a card; only it sees which.
    Dealt { seat: Seat, card: u8 },
    /// A seat folded; its card stays hidden.
    Folded { seat: Seat },
    /// A seat stayed and showed its card.
    Showed { seat: Seat, card: u8 },
}

impl std::fmt::Display for HandsEvent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Dealt { seat, card } => write!(f, "seat {seat} is dealt {card}"),
            Self::Folded { seat } => write!(f, "seat {seat} folds"),
            Self::Showed { seat, card } => write!(f, "seat {seat} shows {card}"),
        }
    }
}
