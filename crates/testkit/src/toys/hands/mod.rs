//! Hands: every seat is dealt a hidden card, then all stay or fold simultaneously.

use meeple_core::{
    ActionPart, Audience, ChanceStreams, Defined, Definition, Encode, Encoding, EventSink, FieldSink, Figure,
    FigureSheet, Game, GameInfo, Hints, Illegal, Information, Meaning, Outcome, Phase, Playable, Position,
    Present, Preset, Purpose, Seat, SeatSet, SetupError, Stream, View, Viewer, bent, key_of,
};
use meeple_scene::Scene;
use serde::Serialize;

pub(super) mod values;

pub use values::{Card, CardChoice, Flaw, HandMove, HandsEvent, HandsVariant};

const MAX_SEATS: usize = 5;

/// A position of Hands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct HandsState {
    round: u8,
    scores: [i16; MAX_SEATS],
    /// Card held by each seat, 0 before it is dealt.
    hands: [u8; MAX_SEATS],
    choices: [Option<CardChoice>; MAX_SEATS],
    /// Cards that each seat has folded, as bit sets; only the seat knows them.
    folded: [u32; MAX_SEATS],
    /// Cards that everybody has seen, as a bit set.
    shown: u32,
    /// Seat that decided first, for the flaw that makes the order matter.
    first: u8,
}

/// A viewer's observation of Hands.
#[derive(Clone, Debug, Serialize)]
pub struct HandsObservation {
    round: u8,
    scores: Vec<i16>,
    dealt: Vec<bool>,
    folded: Vec<u32>,
    shown: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<Own>,
    #[serde(skip_serializing_if = "Option::is_none")]
    leak: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    everything: Option<HandsState>,
    /// The whole state, for the flaws that read hidden information.
    #[serde(skip)]
    behind: Option<HandsState>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Own {
    seat: usize,
    hand: u8,
    folded: u32,
    choice: Option<CardChoice>,
}

impl HandsObservation {
    /// The viewer's own card, if the viewer is a seat that holds one.
    pub fn own_card(&self) -> Option<u8> {
        self.own.map(|own| own.hand).filter(|card| *card > 0)
    }
}

/// Hands: each round every seat is dealt a hidden card and stays or folds, all simultaneously. A seat that
/// stays shows its card. The highest card shown wins a point per staying seat; the other staying seats lose
/// one point each. Card 1 must fold. Dealt cards do not return, and a folded card is known only to its seat.
#[derive(Debug)]
pub struct Hands {
    variant: HandsVariant,
    seats: usize,
}

impl Hands {
    fn flawed(&self, flaw: Flaw) -> bool {
        self.variant.flaw == flaw
    }

    /// The highest card. A flaw adds a card above it that prints like the highest.
    fn highest(&self) -> u8 {
        self.variant.cards + u8::from(self.flawed(Flaw::ChanceTextLies))
    }

    fn all_cards(&self) -> u32 {
        (1u32 << (self.highest() + 1)) - 2
    }

    fn deck(&self, state: &HandsState) -> u32 {
        let mut deck = self.all_cards() & !state.shown;
        for seat in 0..self.seats {
            deck &= !state.folded[seat];
            if state.hands[seat] > 0 {
                deck &= !(1 << state.hands[seat]);
            }
        }
        deck
    }

    fn next_dealt(&self, state: &HandsState) -> Option<usize> {
        state.hands[..self.seats].iter().position(|hand| *hand == 0)
    }

    fn resolve(&self, state: &mut HandsState, events: &mut impl EventSink<HandsEvent>) {
        let stays = |state: &HandsState, seat: usize| state.choices[seat] != Some(CardChoice::Fold);
        let staying = (0..self.seats).filter(|seat| stays(state, *seat)).count() as i16;
        let best = (0..self.seats).filter(|seat| stays(state, *seat)).max_by_key(|seat| state.hands[*seat]);
        for seat in 0..self.seats {
            let card = state.hands[seat];
            if stays(state, seat) {
                state.scores[seat] += if Some(seat) == best { staying } else { -1 };
                state.shown |= 1 << card;
                events.emit(Audience::All, || HandsEvent::Showed { seat: Seat::new(seat), card });
            } else {
                state.folded[seat] |= 1 << card;
                events.emit(Audience::All, || HandsEvent::Folded { seat: Seat::new(seat) });
            }
        }
        if self.flawed(Flaw::OrderMatters) {
            state.scores[usize::from(state.first)] += 1;
        }
        state.hands = [0; MAX_SEATS];
        state.choices = [None; MAX_SEATS];
        state.first = 0;
        if !self.flawed(Flaw::Endless) {
            state.round += 1;
        } else {
            (state.folded, state.shown) = ([0; MAX_SEATS], 0);
        }
    }
}

/// Removes a random member of a bit set and returns it.
fn take(set: &mut u32, rng: &mut Stream) -> u8 {
    let skip = rng.below(set.count_ones().max(1));
    let mut rest = *set;
    for _ in 0..skip {
        rest &= rest - 1;
    }
    let card = rest.trailing_zeros() as u8;
    *set &= !(1 << card);
    card
}

fn members(set: u32) -> impl Iterator<Item = u8> {
    (0..32u8).filter(move |bit| set >> bit & 1 == 1)
}

impl Hands {
    /// Static facts of the game.
    pub const INFO: GameInfo = GameInfo {
        summary: "hidden cards, simultaneous choices",
        seats: 2..=MAX_SEATS,
        information: Information::Hidden,
        simultaneous: true,
        presets: &[
            Preset { name: "short", doc: "Two rounds.", set: &[] },
            Preset { name: "long", doc: "Four rounds, for few.", set: &[("rounds", "4")] },
        ],
        episode_figures: &[Figure::count("shown", "cards", "Cards that were shown.")],
        seat_figures: &[Figure::count("folded", "cards", "Cards that the seat folded.")],
        demo: &["random", "random", "random"],
        guide: include_str!("../GUIDE.md"),
        advisor: "random",
        ..GameInfo::new("hands", "Hands", "R1: everything is in the code.")
    };

    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: HandsVariant, seats: usize) -> Result<Self, SetupError> {
        let needed = usize::from(variant.rounds) * seats;
        if needed > usize::from(variant.cards) {
            return Err(SetupError::new(format!(
                "{} rounds of {seats} seats need {needed} cards, found {}",
                variant.rounds, variant.cards
            )));
        }
        Ok(Self { variant, seats })
    }
}

impl Game for Hands {
    type Variant = HandsVariant;
    type State = HandsState;
    type Action = HandMove;
    type Chance = Card;
    type Event = HandsEvent;
    type Observation<'a> = HandsObservation;

    fn info(&self) -> &'static GameInfo {
        &Self::INFO
    }

    fn variant(&self) -> &HandsVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn initial_state(&self) -> HandsState {
        HandsState::default()
    }

    fn reset(&self, state: &mut HandsState) {
        let scores = state.scores;
        state.clone_from(&self.initial_state());
        if self.flawed(Flaw::ResetForgets) {
            state.scores = scores;
        }
    }

    fn phase(&self, state: &HandsState) -> Phase {
        if state.round >= self.variant.rounds {
            Phase::Over
        } else if self.next_dealt(state).is_some() {
            Phase::Chance
        } else {
            let again = |seat: usize| self.flawed(Flaw::DecisionsOwedAgain) && seat == self.seats - 1;
            let owing = (0..self.seats).filter(|seat| again(*seat) || state.choices[*seat].is_none());
            Phase::Decide(SeatSet::from_mask(owing.fold(0, |mask, seat| mask | 1 << seat)))
        }
    }

    fn legal_actions(&self, state: &HandsState, seat: Seat, actions: &mut Vec<HandMove>) {
        if self.flawed(Flaw::ListEmpty) {
            return;
        }
        let may_stay = state.hands[seat.index()] > 1;
        actions.push(HandMove(CardChoice::Fold));
        if self.flawed(Flaw::ListRepeats) {
            actions.push(HandMove(CardChoice::Fold));
        }
        if self.flawed(Flaw::LegalActionsPeek) && state.choices.contains(&Some(CardChoice::Fold)) {
            return;
        }
        if may_stay {
            actions.push(HandMove(CardChoice::Stay));
        }
        if self.flawed(Flaw::ActionTextLies) {
            actions.push(HandMove(CardChoice::Odd));
        }
        if self.flawed(Flaw::ListUnsorted) {
            actions.reverse();
        }
    }

    fn action_bound(&self) -> u32 {
        3
    }

    fn action_id(&self, _state: &HandsState, _seat: Seat, action: &HandMove) -> u32 {
        if self.flawed(Flaw::IdsClash) { 0 } else { action.0 as u32 }
    }

    fn check(&self, state: &HandsState, seat: Seat, action: &HandMove) -> Result<(), Illegal> {
        if self.flawed(Flaw::CheckTooKind) {
            return Ok(());
        }
        let mut legal = Vec::new();
        self.legal_actions(state, seat, &mut legal);
        if legal.contains(action) { Ok(()) } else { Err(Illegal::new("card 1 must fold")) }
    }

    fn apply_unchecked(
        &self,
        state: &mut HandsState,
        seat: Seat,
        action: &HandMove,
        events: &mut impl EventSink<HandsEvent>,
    ) {
        if state.choices.iter().all(Option::is_none) && self.flawed(Flaw::OrderMatters) {
            state.first = seat.index() as u8;
        }
        state.choices[seat.index()] = Some(action.0);
        if self.flawed(Flaw::EarlyEvent) {
            events.emit(Audience::All, || HandsEvent::Folded { seat });
        }
        if state.choices[..self.seats].iter().all(Option::is_some) {
            self.resolve(state, events);
        }
    }

    fn apply(
        &self,
        state: &mut HandsState,
        seat: Seat,
        action: &HandMove,
        events: &mut impl EventSink<HandsEvent>,
    ) -> Result<(), Illegal> {
        let phase = self.phase(state);
        if self.flawed(Flaw::OverAccepts) && phase == Phase::Over
            || self.flawed(Flaw::BystandersAct) && matches!(phase, Phase::Decide(_)) && !phase.owes(seat)
        {
            return Ok(());
        }
        if !phase.owes(seat) {
            return Err(Illegal::new(format!("seat {seat} owes no decision")));
        }
        if self.flawed(Flaw::IllegalChanges) {
            state.scores[seat.index()] -= i16::from(self.check(state, seat, action).is_err());
        }
        self.check(state, seat, action)?;
        self.apply_unchecked(state, seat, action, events);
        if self.flawed(Flaw::UncheckedDiffers) {
            state.scores[0] += 1;
        }
        Ok(())
    }

    fn sample_action(
        &self,
        state: &HandsState,
        seat: Seat,
        rng: &mut Stream,
        scratch: &mut Vec<HandMove>,
    ) -> HandMove {
        if self.flawed(Flaw::SampleTooNarrow) {
            return HandMove(CardChoice::Fold);
        }
        if self.flawed(Flaw::SampleIllegal) {
            return HandMove(CardChoice::Stay);
        }
        self.legal_actions(state, seat, scratch);
        scratch[rng.index(scratch.len())]
    }

    fn fallback_action(&self, state: &HandsState, seat: Seat) -> HandMove {
        if self.flawed(Flaw::FallbackIllegal) {
            return HandMove(CardChoice::Stay);
        }
        let mut legal = Vec::new();
        self.legal_actions(state, seat, &mut legal);
        legal.swap_remove(0)
    }

    fn sample_chance(&self, state: &HandsState, streams: &mut ChanceStreams) -> Card {
        let mut deck = self.deck(state);
        let dealt = u32::from(state.round) * MAX_SEATS as u32;
        Card(take(&mut deck, streams.stream(Purpose::Deal, dealt)))
    }

    fn apply_chance(&self, state: &mut HandsState, chance: &Card, events: &mut impl EventSink<HandsEvent>) {
        let Some(seat) = self.next_dealt(state) else { return };
        state.hands[seat] = chance.0;
        let seat = Seat::new(seat);
        let leaks = self.flawed(Flaw::EventLeaks);
        let audience = if leaks { Audience::All } else { Audience::only(seat) };
        events.emit(audience, || HandsEvent::Dealt { seat, card: chance.0 });
    }

    fn resolve_chance(
        &self,
        state: &mut HandsState,
        streams: &mut ChanceStreams,
        events: &mut impl EventSink<HandsEvent>,
    ) {
        let chance = self.sample_chance(state, streams);
        self.apply_chance(state, &chance, events);
        if self.flawed(Flaw::ResolveDiffers) {
            streams.stream(Purpose::Deal, 77).bits();
        }
    }

    fn chance_outcomes(&self, state: &HandsState) -> Option<Vec<(Card, f64)>> {
        if self.flawed(Flaw::ChanceUnchecked) {
            // Nothing is listed, and nothing is refused.
            return None;
        }
        let deck = self.deck(state);
        let count = f64::from(deck.count_ones());
        let mut outcomes: Vec<(Card, f64)> = members(deck).map(|card| (Card(card), 1.0 / count)).collect();
        if self.flawed(Flaw::ChanceUneven) && outcomes.len() > 1 {
            outcomes[0].1 *= 0.5;
            outcomes[1].1 *= 1.5;
        }
        if self.flawed(Flaw::ChanceSum) {
            outcomes[0].1 *= 0.5;
        }
        if self.flawed(Flaw::ChanceUnlisted) && outcomes.len() > 1 {
            outcomes.pop();
            let count = outcomes.len() as f64;
            outcomes.iter_mut().for_each(|(_, probability)| *probability = 1.0 / count);
        }
        Some(outcomes)
    }

    fn observe<'a>(&'a self, state: &'a HandsState, viewer: Viewer) -> HandsObservation {
        let own = match viewer {
            Viewer::Seat(seat) => Some(seat.index()),
            Viewer::Public | Viewer::Everything => None,
        };
        let leak = match self.variant.flaw {
            Flaw::ObservationLeaks => Some(state.hands.iter().map(|card| u32::from(*card)).sum()),
            Flaw::ObservationCountsEarly => Some(state.choices.iter().flatten().count() as u32),
            _ => None,
        };
        HandsObservation {
            round: state.round,
            scores: state.scores[..self.seats].to_vec(),
            dealt: state.hands[..self.seats].iter().map(|card| *card > 0).collect(),
            folded: state.folded[..self.seats].iter().map(|cards| cards.count_ones()).collect(),
            shown: state.shown,
            own: own.map(|seat| Own {
                seat,
                hand: state.hands[seat],
                folded: state.folded[seat],
                choice: state.choices[seat],
            }),
            leak,
            everything: (viewer == Viewer::Everything).then(|| state.clone()),
            behind: Some(state.clone()),
        }
    }

    fn information_key(&self, state: &HandsState, viewer: Viewer) -> u128 {
        if self.flawed(Flaw::KeyForgets) {
            return u128::from(state.round);
        }
        key_of(&self.observe(state, viewer))
    }

    fn determinize(&self, observation: &HandsObservation, rng: &mut Stream, state: &mut HandsState) {
        if let Some(everything) = &observation.everything {
            state.clone_from(everything);
            return;
        }
        state.clone_from(&self.initial_state());
        state.round = observation.round;
        state.scores[..self.seats].copy_from_slice(&observation.scores);
        state.shown = observation.shown;
        let mut unseen = self.all_cards() & !observation.shown;
        if let Some(own) = &observation.own {
            state.hands[own.seat] = own.hand;
            state.folded[own.seat] = own.folded;
            if !self.flawed(Flaw::DeterminizeForgets) {
                state.choices[own.seat] = own.choice;
            }
            unseen &= !own.folded;
            if own.hand > 0 {
                unseen &= !(1 << own.hand);
            }
        }
        let own = observation.own.map(|own| own.seat);
        match (&observation.behind, self.variant.flaw) {
            (Some(behind), Flaw::DeterminizeCopies) => {
                (state.hands, state.folded) = (behind.hands, behind.folded);
            }
            (Some(behind), Flaw::DeterminizeCopiesFolded) => {
                state.folded = behind.folded;
                behind.folded.iter().for_each(|cards| unseen &= !cards);
            }
            _ => {}
        }
        for seat in (0..self.seats).filter(|seat| Some(*seat) != own) {
            while state.folded[seat].count_ones() < observation.folded[seat] {
                let card = take(&mut unseen, rng);
                state.folded[seat] |= 1 << card;
            }
            if observation.dealt[seat] && state.hands[seat] == 0 {
                state.hands[seat] = take(&mut unseen, rng);
            }
        }
    }

    fn score(&self, state: &HandsState, seat: Seat) -> i64 {
        i64::from(state.scores[seat.index()])
    }

    fn outcome(&self, state: &HandsState, outcome: &mut Outcome) {
        outcome.scores.extend(state.scores[..self.seats].iter().map(|score| i64::from(*score)));
        outcome.rank_by_score();
        match self.variant.flaw {
            Flaw::PlacesWrong => outcome.places.iter_mut().for_each(|place| *place += 1),
            Flaw::ScoreTwice => outcome.scores[0] += 1,
            _ => {}
        }
    }

    fn draws_turn_order(&self) -> bool {
        self.flawed(Flaw::TurnPlaceTwice)
    }

    fn turn_place(&self, _state: &HandsState, seat: Seat) -> usize {
        match self.variant.flaw {
            Flaw::TurnPlaceTwice => seat.index() / 2,
            Flaw::TurnOrderUntold => self.seats - 1 - seat.index(),
            _ => seat.index(),
        }
    }

    fn figures(&self, state: &HandsState, sheet: &mut FigureSheet) {
        let fraction = if self.flawed(Flaw::FigureFraction) { 0.5 } else { 0.0 };
        sheet.episode([f64::from(state.shown.count_ones()) + fraction]);
        let missing = usize::from(self.flawed(Flaw::FigureMissing));
        for cards in &state.folded[missing..self.seats] {
            sheet.seat([f64::from(cards.count_ones())]);
        }
    }
}

impl Present for Hands {
    fn draw(&self, view: &View<'_, Self>) -> Scene {
        let mut scene = Scene::new(10.0, 2.0 + view.legal.len() as f64);
        if self.flawed(Flaw::DrawingBroken) {
            scene.width = f64::NAN;
        }
        scene.text(0.5, 1.0, 0.5, format!("{} players", view.players.len()));
        for (row, action) in view.legal.iter().enumerate() {
            let button = scene.rect(0.0, 1.5 + row as f64, 10.0, 0.8);
            button.action(action.to_string());
            if self.flawed(Flaw::SpotIllegal) {
                button.action("raise");
            }
        }
        scene
    }

    fn action_parts(&self, _view: &View<'_, Self>, action: &HandMove) -> Vec<ActionPart> {
        let (first, last) = (action.0 == CardChoice::Fold, ActionPart::new("Card", action.to_string()));
        match self.variant.flaw {
            Flaw::PartsAlike => vec![ActionPart::new("Card", "decide")],
            Flaw::PartsEmpty => vec![ActionPart::new("Card", " "), last],
            Flaw::PartsNamedTwice => {
                vec![ActionPart::new(if first { "One" } else { "Other" }, "decide"), last]
            }
            Flaw::PartsEndEarly if first => vec![ActionPart::new("Card", "decide")],
            Flaw::PartsEndEarly => vec![ActionPart::new("Card", "decide"), last],
            _ => vec![last],
        }
    }
}

impl Encode for Hands {
    const VERSION: u32 = 1;

    fn encode(&self, seen: &HandsObservation, seat: Seat, sink: &mut impl FieldSink) {
        let card = |card: u8| f32::from(card) / f32::from(values::MAX_CARDS);
        sink.one(
            Meaning::share("card", "the highest card", "The own card."),
            card(seen.own_card().unwrap_or(0)),
        );
        let scores = seat.around(self.seats).map(|seat| bent(f32::from(seen.scores[seat.index()]), 5.0));
        let name = if self.flawed(Flaw::EncodingNamesTwice) { "card" } else { "scores" };
        sink.field(Meaning::signed(name, "bent at 5", "Scores, from the own seat on."), scores);
        let Some(behind) = &seen.behind else { return };
        let others = || seat.around(self.seats).skip(1).map(|seat| behind.hands[seat.index()]);
        let secret = if self.flawed(Flaw::EncodingLeaks) { others().map(card).sum() } else { 0.0 };
        let beyond = if self.flawed(Flaw::EncodingUnbounded) { f32::from(seen.round) } else { 0.0 };
        let doc = "0, unless the flaw is to leak or to leave the bounds.";
        sink.one(Meaning::share("flaw", "a flaw", doc).times(5.0), secret + 6.0 * beyond);
    }
}

/// Heuristic: stay with a high card.
struct HandsHints {
    flaw: Flaw,
    cards: u8,
    /// Number of calls, for the flaw that remembers.
    asked: u32,
}

impl Hints<Hands> for HandsHints {
    fn prior(
        &mut self,
        position: &Position<'_, Hands>,
        seat: Seat,
        actions: &[HandMove],
        weights: &mut Vec<f64>,
    ) {
        let seen = position.observe(Viewer::Seat(seat));
        let high = f64::from(seen.own_card().unwrap_or(0)) / f64::from(self.cards);
        weights.extend(actions.iter().map(|action| if action.0 == CardChoice::Stay { high } else { 1.0 }));
        self.asked += 1;
        match (self.flaw, &seen.behind) {
            (Flaw::HintsSkip, _) => drop(weights.pop()),
            (Flaw::HintsRemember, _) => weights[0] += f64::from(self.asked),
            (Flaw::HintsPeek, Some(behind)) => {
                weights[0] += behind
                    .hands
                    .iter()
                    .zip(1..)
                    .map(|(card, at)| f64::from(*card) * f64::from(at))
                    .sum::<f64>();
            }
            _ => {}
        }
    }

    fn scores(&mut self, position: &Position<'_, Hands>, scores: &mut Vec<f64>) -> Option<f64> {
        let seen = position.observe(Viewer::Public);
        scores.extend(seen.scores.iter().map(|score| f64::from(*score)));
        Some(if self.flaw == Flaw::HintsUncertain { 0.0 } else { 1.0 })
    }

    fn act(&mut self, position: &Position<'_, Hands>, seat: Seat, _rng: &mut Stream) -> Option<HandMove> {
        let card = position.observe(Viewer::Seat(seat)).own_card().unwrap_or(0);
        let least = if self.flaw == Flaw::HintsIllegal { 0 } else { (self.cards / 2).max(1) };
        Some(HandMove(if card > least { CardChoice::Stay } else { CardChoice::Fold }))
    }
}

impl Playable for Hands {
    fn hints(&self) -> Box<dyn Hints<Self>> {
        Box::new(HandsHints { flaw: self.variant.flaw, cards: self.variant.cards, asked: 0 })
    }

    fn encoding(&self) -> Option<Encoding<Self>> {
        let sound = Encoding::<Self>::of_game();
        Some(Encoding {
            write: |game, seen, seat, out| {
                if !game.flawed(Flaw::EncodingSkips) {
                    (Encoding::<Self>::of_game().write)(game, seen, seat, out);
                }
                if game.flawed(Flaw::EncodingTellsNothing) {
                    out.fill(0.0);
                }
            },
            ..sound
        })
    }
}

impl Defined for Hands {
    fn definition() -> Definition<Self> {
        Definition::new(&Self::INFO, Default::default(), Self::new)
    }
}

impl Hands {
    /// The usual game with this flaw.
    ///
    /// # Panics
    /// If two rounds need more cards than the deck has, that is for more than six seats.
    pub fn with_flaw(flaw: Flaw, seats: usize) -> Self {
        let variant = HandsVariant { flaw, ..HandsVariant::default() };
        Self::new(variant, seats).expect("two rounds of five seats take ten cards")
    }
}
