//! Goofspiel: two seats bid simultaneously, round after round. Only the current bid is hidden.

use std::fmt;
use std::str::FromStr;

use meeple_core::{
    Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Information, Phase, Playable,
    Present, Preset, Purpose, Seat, SeatSet, SetupError, Stream, Viewer, params, wording,
};
use serde::Serialize;

params! {
    /// The rules of Goofspiel.
    pub struct GoofspielVariant {
        /// Cards in each hand, and prizes.
        pub cards: u8 = 4 => "cards", int(1, 8);
    }
}

/// A card, as a bid or as the prize.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Bid(pub u8);

impl fmt::Display for Bid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Bid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let card = text.parse().map_err(|_| format!("expected a card as a number, found '{text}'"))?;
        wording::only(Self(card), text)
    }
}

/// A position of Goofspiel; observations hide the others' bids.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct GoofspielState {
    /// Cards played, as bit sets.
    played: [u16; 2],
    /// Prizes turned up so far, as a bit set.
    turned: u16,
    /// The current prize; 0 before it is turned up.
    prize: u8,
    points: [u8; 2],
    bids: [u8; 2],
}

/// Each round a prize is turned up, and both seats simultaneously bid a card of their hand for it. The higher
/// bid takes the prize; equal bids discard it. Most points win.
#[derive(Debug)]
pub struct Goofspiel {
    variant: GoofspielVariant,
}

impl Goofspiel {
    /// The cards outside a set.
    fn others(&self, set: u16) -> impl Iterator<Item = u8> {
        (1..=self.variant.cards).filter(move |card| set >> card & 1 == 0)
    }
}

static INFO: GameInfo = GameInfo {
    summary: "bids at the same time",
    information: Information::Public,
    simultaneous: true,
    presets: &[Preset { name: "four", doc: "Four cards each.", set: &[] }],
    demo: &["random", "random"],
    guide: include_str!("GUIDE.md"),
    advisor: "random",
    ..GameInfo::new("goofspiel", "Goofspiel", "R1: everything is in the code.")
};

impl Goofspiel {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: GoofspielVariant, _seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant })
    }
}

impl Game for Goofspiel {
    type Variant = GoofspielVariant;
    type State = GoofspielState;
    type Action = Bid;
    type Chance = Bid;
    type Event = Bid;
    type Observation<'a> = GoofspielState;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &GoofspielVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        2
    }

    fn initial_state(&self) -> GoofspielState {
        GoofspielState::default()
    }

    fn phase(&self, state: &GoofspielState) -> Phase {
        if self.others(state.played[0]).next().is_none() {
            Phase::Over
        } else if state.prize == 0 {
            Phase::Chance
        } else {
            let owing = state.bids.iter().enumerate().filter(|(_, bid)| **bid == 0);
            Phase::Decide(SeatSet::from_mask(owing.fold(0, |mask, (seat, _)| mask | 1 << seat)))
        }
    }

    fn legal_actions(&self, state: &GoofspielState, seat: Seat, actions: &mut Vec<Bid>) {
        actions.extend(self.others(state.played[seat.index()]).map(Bid));
    }

    fn action_bound(&self) -> u32 {
        self.variant.cards.into()
    }

    fn action_id(&self, _state: &GoofspielState, _seat: Seat, action: &Bid) -> u32 {
        u32::from(action.0).saturating_sub(1)
    }

    fn apply_unchecked(
        &self,
        state: &mut GoofspielState,
        seat: Seat,
        action: &Bid,
        events: &mut impl EventSink<Bid>,
    ) {
        state.bids[seat.index()] = action.0;
        let [one, other] = state.bids;
        if one == 0 || other == 0 {
            return;
        }
        for bid in state.bids {
            events.emit(Audience::All, || Bid(bid));
        }
        state.played[0] |= 1 << one;
        state.played[1] |= 1 << other;
        state.points[0] += if one > other { state.prize } else { 0 };
        state.points[1] += if other > one { state.prize } else { 0 };
        (state.bids, state.prize) = ([0; 2], 0);
    }

    fn sample_chance(&self, state: &GoofspielState, streams: &mut ChanceStreams) -> Bid {
        let left = self.others(state.turned).count();
        let pick = streams.stream(Purpose::Deal, 0).index(left);
        Bid(self.others(state.turned).nth(pick).expect("a prize is left in every round"))
    }

    fn apply_chance(&self, state: &mut GoofspielState, prize: &Bid, events: &mut impl EventSink<Bid>) {
        events.emit(Audience::All, || *prize);
        state.prize = prize.0;
        state.turned |= 1 << prize.0;
    }

    fn chance_outcomes(&self, state: &GoofspielState) -> Option<Vec<(Bid, f64)>> {
        let share = 1.0 / self.others(state.turned).count() as f64;
        Some(self.others(state.turned).map(|prize| (Bid(prize), share)).collect())
    }

    fn observe<'a>(&'a self, state: &'a GoofspielState, viewer: Viewer) -> GoofspielState {
        let mut seen = *state;
        for seat in Seat::all(2) {
            if !viewer.sees(seat) {
                seen.bids[seat.index()] = 0;
            }
        }
        seen
    }

    fn determinize(&self, observation: &GoofspielState, _rng: &mut Stream, state: &mut GoofspielState) {
        // The other's bid is unobservable, so the determinization has none.
        *state = *observation;
    }

    fn score(&self, state: &GoofspielState, seat: Seat) -> i64 {
        state.points[seat.index()].into()
    }
}

impl Present for Goofspiel {}

impl Playable for Goofspiel {}

impl Defined for Goofspiel {
    fn definition() -> Definition<Self> {
        Definition::new(&INFO, Default::default(), Self::new)
    }
}
