//! The rules: whose move it is, what it does, what it brings. Clauses as numbered in RULES.md.

use std::fmt;
use std::num::NonZeroU64;
use std::sync::{Arc, OnceLock};

use meeple_core::{
    Audience, ChanceStreams, EventSink, FigureSheet, Game, GameInfo, NoEvents, Phase, Purpose, Seat, SeatSet,
    SetupError, Stream, Table, Viewer,
};
use serde::Serialize;

use crate::action::Action;
use crate::card::{Card, Pack, bits};
use crate::exact;
use crate::observe::Observation;
use crate::state::{Haul, Path, State};
use crate::variant::{MAX_CARDS, MAX_SEATS, Unclaimed, Variant};

/// Incan Gold with one variant and number of seats.
#[derive(Clone, Debug)]
pub struct IncanGold {
    variant: Variant,
    seats: usize,
    /// All seats, as bits.
    everybody: u16,
    pub(crate) pack: Pack,
    /// By number of explorers (less 1), then bit: what the card does.
    effects: Box<[[Effect; MAX_CARDS]; MAX_SEATS]>,
    /// Points that the first m artifacts claimed in the game bring together, by m.
    worth: [u32; 32],
    /// The best policy of a lone player, computed when it is first asked for.
    best_policy: OnceLock<Result<Arc<exact::Policy>, exact::ExactError>>,
}

/// What revealing a card does among so many explorers: looked up, because dividing by a number that is not
/// known beforehand is slow, and so is a branch on the kind of card that goes another way every time.
#[derive(Clone, Copy, Debug)]
struct Effect {
    /// The lowest bit of the cards equal to it.
    foot: u64,
    haul: Haul,
    card: Card,
    /// Its hazard kind, as a bit; 0 if it is none.
    hazard: u8,
}

impl Effect {
    fn new(pack: &Pack, bit: u32, explorers: u32) -> Self {
        let card = pack.card(bit);
        let (foot, mut hazard, mut haul) = (pack.foot(bit), 0, Haul { cards: 1, ..Haul::default() });
        match card {
            // R3.1: an equal share each, the rest stays on the path.
            Card::Gem(value) => {
                (haul.backpack, haul.spare) = (u32::from(value) / explorers, u32::from(value) % explorers);
            }
            Card::Hazard(kind) => hazard = 1 << kind,
            Card::Artifact => haul.artifacts = 1, // R3.4
        }
        Self { foot, haul, card, hazard }
    }

    /// The set without one such card; it has one.
    #[inline]
    fn take_from(&self, set: u64) -> u64 {
        // Equal cards are side by side, and those in the set are the uppermost of them. Less the lowest bit of
        // all, they lose the lowest of theirs and gain those below it, which the set does not have.
        set & set.wrapping_sub(self.foot)
    }
}

/// Something that happened. Everything in Incan Gold happens in public.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// A round began.
    RoundStarted {
        /// Round, from 1.
        round: u8,
    },
    /// A card was revealed.
    CardDrawn {
        /// Turn of the round, from 1.
        turn: u8,
        /// The card.
        card: Card,
        /// Gems that each explorer put into the backpack.
        share: u32,
        /// Gems on the path after that.
        spare: u32,
    },
    /// The second hazard of a kind: all explorers lost their backpacks.
    Busted {
        /// The hazard.
        card: Card,
        /// The explorers.
        seats: Vec<u16>,
    },
    /// Explorers left, together.
    Left {
        /// Who.
        seats: Vec<u16>,
        /// Gems each brought to the tent, spare gems included.
        gems: u32,
        /// Points for artifacts; only who leaves alone takes them.
        artifacts: u32,
    },
    /// The deck was empty, so the last explorers walked out.
    DeckEmpty,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |seats: &[u16]| {
            let names: Vec<String> = seats.iter().map(|seat| format!("seat {seat}")).collect();
            names.join(", ")
        };
        match self {
            Self::RoundStarted { round } => write!(f, "round {round} begins"),
            Self::CardDrawn { turn, card: card @ Card::Gem(_), share, spare } => {
                write!(f, "turn {turn}: {card}, {share} each, {spare} spare on the path")
            }
            Self::CardDrawn { turn, card, .. } => write!(f, "turn {turn}: {card}"),
            Self::Busted { card, seats } => {
                let lose = if seats.len() == 1 { "loses" } else { "lose" };
                write!(f, "second {card}! {} {lose} the backpack", list(seats))
            }
            Self::Left { seats, gems, artifacts: 0 } => match seats.len() {
                1 => write!(f, "{} leaves alone with {gems}", list(seats)),
                _ => write!(f, "{} leave with {gems} each", list(seats)),
            },
            Self::Left { seats, gems, artifacts } => {
                write!(f, "{} leaves alone with {gems} and artifacts worth {artifacts}", list(seats))
            }
            Self::DeckEmpty => write!(f, "no card is left: everybody walks out"),
        }
    }
}

impl IncanGold {
    /// Points for the artifacts on the path, if one explorer takes them all now.
    #[inline]
    pub(crate) fn artifact_worth(&self, claimed: u8, count: u32) -> u32 {
        // R5.3: the m-th artifact claimed in the whole game has the m-th value.
        let claimed = usize::from(claimed);
        self.worth[(claimed + count as usize) % 32] - self.worth[claimed % 32]
    }

    /// The best policy of a lone player. Computed once (a quarter of a second for the classic rules).
    pub(crate) fn best_policy(&self) -> Result<Arc<exact::Policy>, exact::ExactError> {
        let compute =
            || exact::Policy::best(&exact::Rules::from(&self.variant), exact::Horizon::Game).map(Arc::new);
        self.best_policy.get_or_init(compute).clone()
    }

    /// R2.2: how many artifacts have entered the deck by this round, claimed ones included.
    #[inline]
    fn entered(&self, round: u8) -> u8 {
        (self.variant.artifacts() as u8).min(round)
    }

    #[inline]
    fn start_round(&self, state: &mut State) {
        // R2.1: what was on the path returns; R2.2: one more artifact enters while there are any.
        let entered = self.entered(state.round);
        let artifacts = match self.variant.unclaimed {
            Unclaimed::Return => entered - state.claimed,
            Unclaimed::Leave => entered - state.claimed - state.lost_artifacts,
        };
        state.pack = self.pack.without_artifacts(state.pack) | self.pack.artifacts(u32::from(artifacts));
        state.deck = state.pack;
        state.path.clear();
        state.seen = 0;
        state.explorers = self.seats as u16;
        state.exploring = self.everybody;
        state.owing = 0;
        state.leaving = 0;
    }

    fn end_round(&self, state: &mut State, events: &mut impl EventSink<Event>) {
        if self.variant.unclaimed == Unclaimed::Leave {
            // R2.3: in the deck or on the path, it was this round's only artifact.
            let entered = self.entered(state.round);
            state.lost_artifacts = entered - state.claimed;
        }
        state.round += 1;
        state.turns += state.path.len() as u16;
        if state.round <= self.variant.rounds {
            self.start_round(state);
            let round = state.round;
            events.emit(Audience::All, || Event::RoundStarted { round });
        } else {
            (state.owing, state.exploring, state.explorers) = (0, 0, 0);
        }
    }

    /// R5: everybody in `leaving` leaves at once.
    #[inline]
    fn leave(&self, state: &mut State, leaving: u16, events: &mut impl EventSink<Event>) {
        state.exploring &= !leaving;
        let turn = state.path.len();
        if leaving & (leaving - 1) == 0 {
            let seat = leaving.trailing_zeros() as usize % MAX_SEATS;
            let gems = state.path.haul.backpack + state.path.haul.spare;
            state.path.haul.spare = 0;
            state.explorers -= 1;
            state.decisions += turn;
            state.tents[seat] += gems;
            let artifacts = if state.path.haul.artifacts == 0 { 0 } else { self.take_artifacts(state, seat) };
            events.emit(Audience::All, || Event::Left { seats: seat_list(leaving), gems, artifacts });
        } else {
            // R5.2: the spare gems are shared, the rest stays on the path, and so do artifacts.
            let leavers = leaving.count_ones();
            let gems = state.path.haul.backpack + state.path.haul.spare / leavers;
            state.path.haul.spare %= leavers;
            state.explorers -= leavers as u16;
            state.decisions += turn * leavers;
            for seat in bits(u64::from(leaving)) {
                state.tents[seat as usize % MAX_SEATS] += gems;
            }
            events.emit(Audience::All, || Event::Left { seats: seat_list(leaving), gems, artifacts: 0 });
        }
    }

    /// R5.3: who leaves alone takes all artifacts, out of the game for good. Returns their worth.
    fn take_artifacts(&self, state: &mut State, seat: usize) -> u32 {
        let count = std::mem::take(&mut state.path.haul.artifacts);
        let worth = self.artifact_worth(state.claimed, count);
        state.tents[seat] += worth;
        state.artifacts[seat] += count as u8;
        state.claimed += count as u8;
        worth
    }

    /// R4: the last decision has been given, and somebody leaves or there is no card left. Returns whether the
    /// round goes on.
    fn walk_out(&self, state: &mut State, leaving: u16, events: &mut impl EventSink<Event>) -> bool {
        if leaving != 0 {
            self.leave(state, leaving, events);
        }
        if state.exploring != 0 && state.deck == 0 {
            // R6.3: no card is left to reveal, so the last explorers walk out together.
            events.emit(Audience::All, || Event::DeckEmpty);
            self.leave(state, state.exploring, events);
        }
        let goes_on = state.exploring != 0;
        if !goes_on {
            self.end_round(state, events);
        }
        goes_on
    }

    /// What every card does among so many explorers.
    #[inline]
    fn effects(&self, explorers: u16) -> &[Effect; MAX_CARDS] {
        &self.effects[usize::from(explorers).wrapping_sub(1) % MAX_SEATS]
    }

    /// What the card of `bit` does.
    #[inline]
    fn effect(&self, state: &State, bit: u32) -> &Effect {
        &self.effects(state.explorers)[bit as usize % MAX_CARDS]
    }

    /// R3: a card is revealed. Returns whether the round goes on: then every explorer owes a decision.
    #[inline]
    fn reveal(&self, state: &mut State, effect: &Effect, events: &mut impl EventSink<Event>) -> bool {
        state.deck = effect.take_from(state.deck);
        if state.path.len() == 0 && state.round == 1 {
            events.emit(Audience::All, || Event::RoundStarted { round: 1 });
        }
        state.path.push(effect.card, effect.haul);
        if state.seen & effect.hazard != 0 {
            self.bust(state, effect, events);
            return false;
        }
        // R3.2: the first hazard of its kind does nothing.
        state.seen |= effect.hazard;
        let (turn, spare) = (state.path.len() as u8, state.path.haul.spare);
        let (card, share) = (effect.card, effect.haul.backpack);
        events.emit(Audience::All, || Event::CardDrawn { turn, card, share, spare });
        true
    }

    /// R3.3: the second hazard of its kind.
    fn bust(&self, state: &mut State, effect: &Effect, events: &mut impl EventSink<Event>) {
        let (turn, spare, card) = (state.path.len() as u8, state.path.haul.spare, effect.card);
        events.emit(Audience::All, || Event::CardDrawn { turn, card, share: 0, spare });
        let exploring = state.exploring;
        events.emit(Audience::All, || Event::Busted { card, seats: seat_list(exploring) });
        state.busts += 1;
        state.decisions += u32::from(state.explorers) * (state.path.len() - 1);
        for seat in bits(u64::from(exploring)) {
            state.busted[seat as usize % MAX_SEATS] += 1;
        }
        state.pack = effect.take_from(state.pack);
        self.end_round(state, events);
    }
}

fn seat_list(mask: u16) -> Vec<u16> {
    bits(u64::from(mask)).map(|seat| seat as u16).collect()
}

impl Game for IncanGold {
    type Variant = Variant;
    type State = State;
    type Action = Action;
    type Chance = Card;
    type Event = Event;
    type Observation<'a> = Observation<'a>;

    const INFO: GameInfo = crate::INFO;

    fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        variant.check()?;
        let mut worth = [0; 32];
        for (index, value) in variant.artifact_values.iter().enumerate() {
            worth[index + 1] = worth[index] + u32::from(*value);
        }
        let everybody = (u32::MAX >> (32 - seats as u32)) as u16;
        let pack = Pack::new(&variant);
        let effects = Box::new(std::array::from_fn(|explorers| {
            std::array::from_fn(|bit| Effect::new(&pack, bit as u32, explorers as u32 + 1))
        }));
        Ok(Self { pack, effects, variant, seats, everybody, worth, best_policy: OnceLock::new() })
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    #[inline]
    fn seats(&self) -> usize {
        self.seats
    }

    fn initial_state(&self) -> State {
        let mut state = State {
            deck: 0,
            pack: 0,
            path: Path::EMPTY,
            round: 0,
            turns: 0,
            decisions: 0,
            seen: 0,
            busts: 0,
            claimed: 0,
            lost_artifacts: 0,
            explorers: 0,
            exploring: 0,
            owing: 0,
            leaving: 0,
            tents: [0; MAX_SEATS],
            artifacts: [0; MAX_SEATS],
            busted: [0; MAX_SEATS],
        };
        self.reset(&mut state);
        state
    }

    #[inline]
    fn reset(&self, state: &mut State) {
        state.pack = self.pack.gems_and_hazards();
        state.round = 1;
        state.turns = 0;
        state.decisions = 0;
        state.busts = 0;
        state.claimed = 0;
        state.lost_artifacts = 0;
        state.tents = [0; MAX_SEATS];
        state.artifacts = [0; MAX_SEATS];
        state.busted = [0; MAX_SEATS];
        self.start_round(state);
    }

    #[inline]
    fn phase(&self, state: &State) -> Phase {
        if state.owing != 0 {
            Phase::Decide(SeatSet::from_mask(u64::from(state.owing)))
        } else if state.round <= self.variant.rounds {
            Phase::Chance
        } else {
            Phase::Over
        }
    }

    #[inline]
    fn legal_actions(&self, _state: &State, _seat: Seat, actions: &mut Vec<Action>) {
        actions.extend_from_slice(Action::ALL);
    }

    fn action_bound(&self) -> u32 {
        Action::ALL.len() as u32
    }

    fn action_id(&self, _state: &State, _seat: Seat, action: &Action) -> u32 {
        *action as u32
    }

    #[inline]
    fn apply_unchecked(
        &self,
        state: &mut State,
        seat: Seat,
        action: &Action,
        events: &mut impl EventSink<Event>,
    ) {
        let bit = 1 << seat.index();
        state.owing &= !bit;
        if *action == Action::Leave {
            state.leaving |= bit;
        }
        if state.owing == 0 {
            let leaving = std::mem::take(&mut state.leaving);
            if leaving != 0 || state.deck == 0 {
                self.walk_out(state, leaving, events);
            }
        }
    }

    // A function of its own: inlined into the laboratory's loop, it has fewer registers.
    #[inline]
    fn sample_action(&self, _: &State, _: Seat, rng: &mut Stream, _: &mut Vec<Action>) -> Action {
        if rng.coin() { Action::Leave } else { Action::Stay }
    }

    fn sample_chance(&self, state: &State, streams: &mut ChanceStreams) -> Card {
        self.pack.card(self.draw_card(state, streams))
    }

    fn apply_chance(&self, state: &mut State, card: &Card, events: &mut impl EventSink<Event>) {
        let bit = self.pack.find(state.deck, *card).expect("chance draws only cards of the deck");
        if self.reveal(state, self.effect(state, bit), events) {
            state.owing = state.exploring;
        }
    }

    #[inline]
    fn resolve_chance(
        &self,
        state: &mut State,
        streams: &mut ChanceStreams,
        events: &mut impl EventSink<Event>,
    ) {
        let bit = self.draw_card(state, streams);
        if self.reveal(state, self.effect(state, bit), events) {
            state.owing = state.exploring;
        }
    }

    fn chance_outcomes(&self, state: &State) -> Option<Vec<(Card, f64)>> {
        let cards = f64::from(state.deck.count_ones());
        Some(self.pack.tally(state.deck).map(|(card, count)| (card, f64::from(count) / cards)).collect())
    }

    #[inline]
    fn observe<'a>(&'a self, state: &'a State, viewer: Viewer) -> Observation<'a> {
        Observation::new(self, state, viewer)
    }

    fn determinize(&self, observation: &Observation<'_>, _rng: &mut Stream, state: &mut State) {
        observation.determinize(state);
    }

    #[inline]
    fn score(&self, state: &State, seat: Seat) -> i64 {
        i64::from(state.tents[seat.index()])
    }

    #[inline]
    fn length(&self, state: &State, _decisions: u64) -> u64 {
        u64::from(state.turns)
    }

    #[inline]
    fn figures(&self, state: &State, sheet: &mut FigureSheet) {
        sheet.episode([f64::from(state.busts), f64::from(state.claimed)]);
        for seat in 0..self.seats {
            sheet.seat([f64::from(state.artifacts[seat]), f64::from(state.busted[seat])]);
        }
    }
}

impl IncanGold {
    /// Playouts: from now on, these explorers owe a decision at every card. Returns what cards do among them.
    #[inline]
    fn explore(&self, state: &mut State) -> (&[Effect; MAX_CARDS], NonZeroU64) {
        state.owing = state.exploring;
        let owing =
            NonZeroU64::new(u64::from(state.owing)).expect("somebody explores while the round goes on");
        (self.effects(state.explorers), owing)
    }

    /// R3: a uniform draw from the deck. Each round has a stream of its own, and cards that are gone are
    /// skipped in it, so that the same seed shows different line-ups the same cards as far as it can.
    #[inline]
    fn draw_card(&self, state: &State, streams: &mut ChanceStreams) -> u32 {
        let artifacts = u32::from(self.entered(state.round));
        self.pack.draw(state.deck, artifacts, streams.stream(Purpose::Deal, u32::from(state.round)))
    }
}

impl IncanGold {
    /// The whole of an episode; see [`Playable::play_out`](meeple_core::Playable::play_out).
    #[inline(never)]
    pub(crate) fn play_fast(&self, state: &mut State, table: &mut Table<Self>, streams: &mut ChanceStreams) {
        for seat in SeatSet::from_mask(u64::from(state.owing)) {
            let action = table.ask(self, state, seat);
            self.apply_unchecked(state, seat, &action, &mut NoEvents);
        }
        let mut table = table.small();
        let before = state.decisions + u32::from(state.explorers) * state.path.len();
        // A copy will do: nobody comes back to the stream of a round.
        let mut stream = streams.stream(Purpose::Deal, u32::from(state.round)).clone();
        while state.round <= self.variant.rounds {
            let mut draws = self.pack.draws(u32::from(self.entered(state.round)), stream);
            let (mut effects, mut owing) = self.explore(state);
            loop {
                let Some(bit) = draws.draw(state.deck) else {
                    self.walk_out(state, 0, &mut NoEvents);
                    break;
                };
                if !self.reveal(state, &effects[bit as usize % MAX_CARDS], &mut NoEvents) {
                    break;
                }
                // Nothing changes before the last decision, so they can be collected first.
                let mut leaving = 0;
                table.ask_all(self, state, owing, |seat, action| {
                    if action == Action::Leave {
                        std::hint::cold_path();
                        leaving |= 1 << seat;
                    }
                });
                if leaving != 0 {
                    if !self.walk_out(state, leaving, &mut NoEvents) {
                        break;
                    }
                    (effects, owing) = self.explore(state);
                }
            }
            stream = streams.fresh_stream(Purpose::Deal, u32::from(state.round));
        }
        table.count(u64::from(state.decisions - before));
    }
}
