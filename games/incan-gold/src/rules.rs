//! The rules. Clause numbers are those of RULES.md.

use std::num::NonZeroU64;

use meeple_core::{
    Audience, ChanceStreams, EventSink, FigureSheet, Game, GameInfo, NoEvents, Outcome, Phase, PlayoutTable,
    Purpose, Seat, SeatSet, SetupError, Stream, TextWriter, Viewer, WriteText,
};

use crate::action::Action;
use crate::card::{Card, bits};
use crate::event::Event;
use crate::game::{Effect, IncanGold};
use crate::info::INFO;
use crate::observe::Observation;
use crate::state::{CardLeftovers, State};
use crate::variant::{Leftovers, MAX_CARDS, MAX_SEATS, Removed, Ties, Unclaimed, Variant, Worth};

impl IncanGold {
    #[inline]
    fn start_round(&self, state: &mut State) {
        // R2.1: the cards on the path return to the deck. R2.2: one more artifact enters while any are left.
        let entered = self.entered(state.round);
        state.pack = match self.variant.worth {
            Worth::Order => {
                let artifacts = entered - state.claimed - state.lost_artifacts;
                self.pack.without_artifacts(state.pack) | self.pack.artifacts(u32::from(artifacts))
            }
            Worth::Printed if entered == state.round => {
                state.pack | self.pack.nth_artifact(u32::from(entered))
            }
            Worth::Printed => state.pack,
        };
        if self.variant.leftovers == Leftovers::ByCard {
            state.leftovers = CardLeftovers::default();
        }
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
            // R2.3: unclaimed artifacts leave the game.
            state.lost_artifacts = match self.variant.removed {
                Removed::Path => state.lost_artifacts + state.path.haul.artifacts as u8,
                Removed::All => self.entered(state.round) - state.claimed,
            };
            match self.variant.removed {
                Removed::Path => state.pack &= !self.artifacts_on_path(state),
                Removed::All => state.pack = self.pack.without_artifacts(state.pack),
            }
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

    /// R5: all explorers in `leaving` leave at once.
    #[inline]
    fn leave(&self, state: &mut State, leaving: u16, events: &mut impl EventSink<Event>) {
        state.exploring &= !leaving;
        let turn = state.path.len();
        let by_card = self.variant.leftovers == Leftovers::ByCard;
        if leaving & (leaving - 1) == 0 {
            let seat = leaving.trailing_zeros() as usize % MAX_SEATS;
            let gems = state.path.haul.backpack + state.path.haul.spare;
            state.path.haul.spare = 0;
            if by_card {
                state.divide_by_card(1);
            }
            state.explorers -= 1;
            state.decisions += turn;
            state.tents[seat] += gems;
            let artifacts = if state.path.haul.artifacts == 0 { 0 } else { self.take_artifacts(state, seat) };
            events.emit(Audience::All, || Event::Left { seats: seat_list(leaving), gems, artifacts });
        } else {
            // R5.2: the spare gems are divided, and the rest stays on the path. Artifacts stay, too.
            let leavers = leaving.count_ones();
            let spare = state.path.haul.spare;
            let share = if by_card { state.divide_by_card(leavers) } else { spare / leavers };
            let gems = state.path.haul.backpack + share;
            state.path.haul.spare = spare - share * leavers;
            state.explorers -= leavers as u16;
            state.decisions += turn * leavers;
            for seat in bits(u64::from(leaving)) {
                state.tents[seat as usize % MAX_SEATS] += gems;
            }
            events.emit(Audience::All, || Event::Left { seats: seat_list(leaving), gems, artifacts: 0 });
        }
    }

    /// R5.3: a lone leaver takes all artifacts, which leave the game. Returns their worth.
    fn take_artifacts(&self, state: &mut State, seat: usize) -> u32 {
        let worth = self.path_worth(state);
        if self.variant.worth == Worth::Printed {
            state.pack &= !self.artifacts_on_path(state);
        }
        let count = std::mem::take(&mut state.path.haul.artifacts);
        state.tents[seat] += worth;
        state.artifacts[seat] += count as u8;
        state.claimed += count as u8;
        worth
    }

    /// R4: executes the decisions, after the last one is made, if somebody leaves or the deck is empty.
    /// Returns true if the round goes on.
    fn walk_out(&self, state: &mut State, leaving: u16, events: &mut impl EventSink<Event>) -> bool {
        if leaving != 0 {
            self.leave(state, leaving, events);
        }
        if state.exploring != 0 && state.deck == 0 {
            // R6.3: the deck is empty, so the last explorers leave together.
            events.emit(Audience::All, || Event::DeckEmpty);
            self.leave(state, state.exploring, events);
        }
        let goes_on = state.exploring != 0;
        if !goes_on {
            self.end_round(state, events);
        }
        goes_on
    }

    /// R3: reveals a card. Returns true if the round goes on; then every explorer owes a decision.
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
        // R3.2: the first hazard of a kind has no effect.
        state.seen |= effect.hazard;
        let (turn, spare) = (state.path.len() as u8, state.path.haul.spare);
        let (card, share) = (effect.card, effect.haul.backpack);
        events.emit(Audience::All, || Event::CardDrawn { turn, card, share, spare });
        true
    }

    /// R3.3: the second hazard of a kind ends the round.
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

impl IncanGold {
    /// Fails if [`Variant::check`] rejects the parameters.
    pub fn new(variant: Variant, seats: usize) -> Result<Self, SetupError> {
        variant.check()?;
        Ok(Self::prepared(variant, seats))
    }
}

impl Game for IncanGold {
    type Variant = Variant;
    type State = State;
    type Action = Action;
    type Chance = Card;
    type Event = Event;
    type Observation<'a> = Observation<'a>;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    #[inline]
    fn seats(&self) -> usize {
        self.seats
    }

    fn initial_state(&self) -> State {
        let mut state = State::default();
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
    fn mark_ids(&self, _state: &State, _seat: Seat, _scratch: &mut Vec<Action>, mask: &mut [u8]) {
        mask[..Action::ALL.len()].fill(1);
    }

    #[inline]
    fn action_of(&self, _state: &State, _seat: Seat, id: u32) -> Option<Action> {
        Action::ALL.get(id as usize).copied()
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

    #[inline]
    fn sample_action(&self, _: &State, _: Seat, rng: &mut Stream, _: &mut Vec<Action>) -> Action {
        if rng.coin() { Action::Leave } else { Action::Stay }
    }

    fn write_action(action: &Action, text: &mut TextWriter<'_>) {
        action.write_text(text);
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

    #[inline(always)] // inlined like the provided method
    fn outcome(&self, state: &State, outcome: &mut Outcome) {
        outcome.scores.extend(state.tents[..self.seats].iter().map(|gems| i64::from(*gems)));
        match self.variant.ties {
            Ties::Draw => outcome.rank_by_score(),
            Ties::Artifacts => self.rank_by_artifacts(state, outcome),
        }
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
    /// R6.2: at equal points, more artifacts win.
    #[cold]
    fn rank_by_artifacts(&self, state: &State, outcome: &mut Outcome) {
        let keys: [(u32, u8); MAX_SEATS] =
            std::array::from_fn(|seat| (state.tents[seat], state.artifacts[seat]));
        outcome.rank_by(&keys[..self.seats]);
    }

    /// For playouts: from now on these explorers owe a decision after every card. Returns the effects of
    /// cards for their number, and their bits.
    #[inline]
    fn explore(&self, state: &mut State) -> (&[Effect; MAX_CARDS], NonZeroU64) {
        state.owing = state.exploring;
        let owing =
            NonZeroU64::new(u64::from(state.owing)).expect("somebody explores while the round goes on");
        (self.effects(state.explorers), owing)
    }

    /// R3: draws a uniform card from the deck. Each round has its own stream, and missing cards are skipped
    /// in it. So line-ups with the same seed see the same cards as far as possible.
    #[inline]
    fn draw_card(&self, state: &State, streams: &mut ChanceStreams) -> u32 {
        let artifacts = u32::from(self.entered(state.round));
        self.pack.draw(state.deck, artifacts, streams.stream(Purpose::Deal, u32::from(state.round)))
    }
}

impl IncanGold {
    /// Plays a whole episode; see [`Playable::play_out`](meeple_core::Playable::play_out).
    #[inline(never)]
    pub(crate) fn play_fast(
        &self,
        state: &mut State,
        table: &mut PlayoutTable<Self>,
        streams: &mut ChanceStreams,
    ) {
        for seat in SeatSet::from_mask(u64::from(state.owing)) {
            let action = table.ask(self, state, seat);
            self.apply_unchecked(state, seat, &action, &mut NoEvents);
        }
        let mut table = table.small();
        let before = state.decisions + u32::from(state.explorers) * state.path.len();
        // A copy suffices, because the stream of a round is not used again.
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
                // Decisions have no effect before the last one is made, so all are collected first.
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
