//! Poker with very few cards: hidden cards, bets, chance, a board card.

use std::fmt;

use meeple_core::{
    Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Information, Phase, Playable,
    Present, Preset, Purpose, Seat, SetupError, Stream, Viewer, choice, params,
};
use serde::Serialize;

use super::hands::Card;

params! {
    /// The rules of poker with very few cards; Kuhn poker (1950) by default.
    pub struct PokerVariant {
        /// Ranks of cards.
        pub ranks: u8 = 3 => "ranks", int(2, 9);
        /// Cards of each rank.
        pub suits: u8 = 1 => "suits", int(1, 4);
        /// Rounds of bets. A card is revealed before the second; it makes a pair with a card of its rank.
        pub rounds: u8 = 1 => "rounds", int(1, 2);
        /// Maximal number of raises in a round.
        pub raises: u8 = 1 => "raises", int(1, 4);
        /// Amount of a raise in the first round; twice that in the second.
        pub bet: u8 = 1 => "bet", int(1, 10);
    }
}

choice! {
    /// A betting action.
    #[derive(Default)]
    pub enum BettingMove {
        /// Gives up the stake.
        Fold = "fold",
        /// Matches the other's stake; a check if they are equal.
        #[default]
        Call = "call",
        /// Exceeds the other's stake.
        Raise = "raise",
    }
}

/// An event of the game.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
pub enum Happened {
    /// A seat was dealt a card; only it sees which.
    Dealt { seat: Seat, card: u8 },
    /// The board card was turned up.
    Board { card: u8 },
    /// A seat acted, with the stakes after it.
    Did { seat: Seat, fold: bool, stakes: [u8; 2] },
    /// Showdown: both cards are shown.
    Showed { cards: [u8; 2] },
}

impl fmt::Display for Happened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dealt { seat, card } => write!(f, "seat {seat} is dealt {card}"),
            Self::Board { card } => write!(f, "{card} is laid open"),
            Self::Did { seat, fold: true, .. } => write!(f, "seat {seat} folds"),
            Self::Did { seat, stakes: [one, two], .. } => {
                write!(f, "seat {seat} goes on: {one} against {two}")
            }
            Self::Showed { cards: [one, two] } => write!(f, "{one} against {two}"),
        }
    }
}

const HIDDEN: u8 = u8::MAX;

/// A position; observations hide the others' cards. The betting history is not part of it: agents that need
/// it must remember it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct PokerState {
    /// Ranks of the cards held, 0 before they are dealt.
    hands: [u8; 2],
    /// Rank of the board card, 0 before it is dealt.
    board: u8,
    stakes: [u8; 2],
    round: u8,
    /// Number of raises in this round.
    raises: u8,
    /// True once a seat has acted in this round.
    begun: bool,
    turn: u8,
    folded: Option<u8>,
    over: bool,
}

/// Each seat antes one and gets a card; the better hand in the end wins the other's stake.
#[derive(Debug)]
pub struct Poker {
    variant: PokerVariant,
}

impl Poker {
    /// Number of cards of this rank that are neither held nor open; hidden cards are not subtracted.
    fn left(&self, state: &PokerState, rank: u8) -> u8 {
        let gone = state.hands.iter().chain([&state.board]).filter(|card| **card == rank).count();
        self.variant.suits - gone as u8
    }

    fn deck(&self, state: &PokerState) -> Vec<u8> {
        let of = |rank| std::iter::repeat_n(rank, self.left(state, rank).into());
        (1..=self.variant.ranks).flat_map(of).collect()
    }

    /// Strength of a hand; a pair beats every single card.
    fn worth(state: &PokerState, seat: usize) -> u8 {
        let card = state.hands[seat];
        if card == state.board { HIDDEN } else { card }
    }

    fn end_round(&self, state: &mut PokerState, events: &mut impl EventSink<Happened>) {
        (state.round, state.raises, state.begun, state.turn) = (state.round + 1, 0, false, 0);
        if state.round == self.variant.rounds {
            state.over = true;
            events.emit(Audience::All, || Happened::Showed { cards: state.hands });
        }
    }
}

static INFO: GameInfo = GameInfo {
    summary: "hidden cards and bets",
    information: Information::Hidden,
    presets: &[
        Preset { name: "kuhn", doc: "Kuhn's: three cards, one bet.", set: &[] },
        Preset {
            name: "leduc",
            doc: "Leduc Hold'em: three pairs, two rounds, two raises in each.",
            set: &[("suits", "2"), ("rounds", "2"), ("raises", "2"), ("bet", "2")],
        },
    ],
    demo: &["random", "random"],
    guide: include_str!("GUIDE.md"),
    advisor: "random",
    ..GameInfo::new("poker", "Poker", "R1: everything is in the code.")
};

impl Poker {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: PokerVariant, _seats: usize) -> Result<Self, SetupError> {
        let (cards, needed) = (variant.ranks * variant.suits, variant.rounds + 1);
        if cards < needed {
            return Err(SetupError::new(format!("ranks, suits: expected {needed} cards, found {cards}")));
        }
        Ok(Self { variant })
    }
}

impl Game for Poker {
    type Variant = PokerVariant;
    type State = PokerState;
    type Action = BettingMove;
    type Chance = Card;
    type Event = Happened;
    type Observation<'a> = PokerState;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &PokerVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        2
    }

    fn initial_state(&self) -> PokerState {
        PokerState { stakes: [1; 2], ..PokerState::default() }
    }

    fn phase(&self, state: &PokerState) -> Phase {
        if state.over {
            Phase::Over
        } else if state.hands.contains(&0) || state.round == 1 && state.board == 0 {
            Phase::Chance
        } else {
            Phase::turn(Seat::new(state.turn.into()))
        }
    }

    fn legal_actions(&self, state: &PokerState, seat: Seat, actions: &mut Vec<BettingMove>) {
        if state.stakes[seat.index()] < state.stakes[1 - seat.index()] {
            actions.push(BettingMove::Fold);
        }
        actions.push(BettingMove::Call);
        if state.raises < self.variant.raises {
            actions.push(BettingMove::Raise);
        }
    }

    fn action_bound(&self) -> u32 {
        3
    }

    fn action_id(&self, _state: &PokerState, _seat: Seat, action: &BettingMove) -> u32 {
        *action as u32
    }

    fn apply_unchecked(
        &self,
        state: &mut PokerState,
        seat: Seat,
        action: &BettingMove,
        events: &mut impl EventSink<Happened>,
    ) {
        let (own, other) = (seat.index(), 1 - seat.index());
        match action {
            BettingMove::Fold => (state.folded, state.over) = (Some(own as u8), true),
            BettingMove::Call => state.stakes[own] = state.stakes[other],
            BettingMove::Raise => {
                state.stakes[own] = state.stakes[other] + (self.variant.bet << state.round);
                state.raises += 1;
            }
        }
        let (fold, stakes) = (state.over, state.stakes);
        events.emit(Audience::All, || Happened::Did { seat, fold, stakes });
        if *action == BettingMove::Call && state.begun {
            self.end_round(state, events);
        } else if !state.over {
            (state.begun, state.turn) = (true, other as u8);
        }
    }

    fn sample_chance(&self, state: &PokerState, streams: &mut ChanceStreams) -> Card {
        let deck = self.deck(state);
        Card(deck[streams.stream(Purpose::Deal, 0).index(deck.len())])
    }

    fn apply_chance(&self, state: &mut PokerState, card: &Card, events: &mut impl EventSink<Happened>) {
        let card = card.0;
        match state.hands.iter().position(|held| *held == 0) {
            Some(seat) => {
                state.hands[seat] = card;
                let seat = Seat::new(seat);
                events.emit(Audience::only(seat), || Happened::Dealt { seat, card });
            }
            None => {
                state.board = card;
                events.emit(Audience::All, || Happened::Board { card });
            }
        }
    }

    fn chance_outcomes(&self, state: &PokerState) -> Option<Vec<(Card, f64)>> {
        let cards = self.deck(state).len() as f64;
        let ranks = (1..=self.variant.ranks).filter(|rank| self.left(state, *rank) > 0);
        Some(ranks.map(|rank| (Card(rank), f64::from(self.left(state, rank)) / cards)).collect())
    }

    fn observe<'a>(&'a self, state: &'a PokerState, viewer: Viewer) -> PokerState {
        let mut seen = *state;
        // After a fold neither card is shown.
        let shown = state.over && state.folded.is_none();
        for (seat, card) in seen.hands.iter_mut().enumerate() {
            if *card > 0 && !shown && !viewer.sees(Seat::new(seat)) {
                *card = HIDDEN;
            }
        }
        seen
    }

    fn determinize(&self, observation: &PokerState, rng: &mut Stream, state: &mut PokerState) {
        *state = *observation;
        for seat in 0..2 {
            if state.hands[seat] == HIDDEN {
                let deck = self.deck(state);
                state.hands[seat] = deck[rng.index(deck.len())];
            }
        }
    }

    fn score(&self, state: &PokerState, seat: Seat) -> i64 {
        let (own, other) = (seat.index(), 1 - seat.index());
        let wins = match state.folded {
            Some(folded) => usize::from(folded) == other,
            None => Self::worth(state, own) > Self::worth(state, other),
        };
        let ties = state.folded.is_none() && Self::worth(state, own) == Self::worth(state, other);
        match (state.over, ties, wins) {
            (false, ..) | (_, true, _) => 0,
            (_, _, true) => state.stakes[other].into(),
            (_, _, false) => -i64::from(state.stakes[own]),
        }
    }
}

impl Present for Poker {}

impl Playable for Poker {}

impl Defined for Poker {
    fn definition() -> Definition<Self> {
        Definition::new(&INFO, Default::default(), Self::new)
    }
}
