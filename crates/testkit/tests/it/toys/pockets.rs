//! Pockets: decisions hidden from all others.

use std::fmt;

use meeple_core::{
    Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Information, Phase, Playable,
    Present, Preset, Purpose, Seat, SetupError, Stream, View, Viewer, choice, params,
};
use meeple_scene::Scene;
use serde::Serialize;

use meeple_testkit::toys::{Card, MAX_CARDS as MAX_COINS};

const MAX_SEATS: usize = 4;
/// Maximum number of coins with which a seat may spend or pass; with more it must bury.
const POCKET: u8 = 9;

choice! {
    /// A secret to leak on purpose, to prove that the laws detect it.
    pub enum Leak {
        None = "none",
        /// The observation counts the others' buried coins, and determinizations respect it.
        Observation = "observation",
        /// A seat that acts reveals its buried coins in an event, and nobody remembers it.
        Event = "event",
        /// Burying is declared public.
        Moments = "moments",
        /// Passing is legal only while the others have buried an even number.
        Question = "question",
        /// The drawing shows the others' buried coins.
        Drawing = "drawing",
        /// A seat that acts reveals everything, and everybody remembers it: nothing stays hidden for long.
        Everything = "everything",
    }
}

params! {
    /// The rules of Pockets.
    pub struct PocketsVariant {
        /// Rounds in an episode.
        pub rounds: u8 = 8 => "rounds", int(1, 100);
        /// The secret to tell.
        pub leak: Leak = Leak::None => "leak", choice(Leak::WORDS);
    }
}

choice! {
    /// A seat's decision on its turn.
    #[derive(Default)]
    pub enum Coin {
        /// Buries a coin in secret; the turn continues.
        Bury = "bury",
        /// Spends a coin in public; the turn ends.
        Spend = "spend",
        /// Ends the turn.
        #[default]
        Pass = "pass",
    }
}

/// An event of Pockets.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
pub enum PocketsEvent {
    /// A seat was dealt coins; only it knows how many.
    Dealt { seat: Seat, coins: u8 },
    /// A seat spent a coin, or passed; its coins left and buried, if they are revealed.
    Acted { seat: Seat, action: Coin, shown: Option<[u8; 2]> },
}

impl fmt::Display for PocketsEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dealt { seat, coins } => write!(f, "seat {seat} is dealt {coins}"),
            Self::Acted { seat, action, shown: None } => write!(f, "seat {seat}: {action}"),
            Self::Acted { seat, action, shown: Some([coins, buried]) } => {
                write!(f, "seat {seat}: {action}, {coins} left, {buried} buried")
            }
        }
    }
}

/// A position of Pockets.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct PocketsState {
    round: u8,
    turn: u8,
    dealt: u8,
    /// Coins spent, by seat; public.
    spent: [u8; MAX_SEATS],
    /// Coins left, by seat; known to the seat alone.
    coins: [u8; MAX_SEATS],
    /// Coins buried, by seat; known to the seat alone.
    buried: [u8; MAX_SEATS],
    /// Coins left and buried that a seat has shown to everybody, by seat.
    shown: [Option<[u8; 2]>; MAX_SEATS],
}

/// A viewer's observation.
#[derive(Serialize)]
pub struct PocketsObservation {
    round: u8,
    turn: u8,
    dealt: u8,
    spent: [u8; MAX_SEATS],
    /// The viewer's coins and buried ones, and those of others as last shown.
    known: Vec<Option<[u8; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    buried: Option<[u8; MAX_SEATS]>,
    /// The whole state, for the leaks that read hidden information.
    #[serde(skip)]
    behind: PocketsState,
}

/// Pockets: every seat is dealt coins, and buries them in secret or spends them in public. Buried coins count
/// in the end. A seat with too many must bury first.
#[derive(Debug)]
pub struct Pockets {
    variant: PocketsVariant,
    seats: usize,
}

impl Pockets {
    /// A game of this many seats that leaks this secret.
    pub fn with_leak(leak: Leak, seats: usize) -> Self {
        Self { variant: PocketsVariant { leak, ..PocketsVariant::default() }, seats }
    }

    fn leaks(&self, leak: Leak) -> bool {
        self.variant.leak == leak
    }

    /// Returns true if a seat has acted in public.
    fn has_acted(&self, observation: &PocketsObservation, seat: usize) -> bool {
        observation.round > 0 || seat < usize::from(observation.turn)
    }
}

static INFO: GameInfo = GameInfo {
    summary: "coins buried in secret",
    seats: 2..=MAX_SEATS,
    information: Information::Hidden,
    presets: &[Preset { name: "usual", doc: "Eight rounds.", set: &[] }],
    demo: &["random", "random", "random"],
    guide: include_str!("../../../src/toys/GUIDE.md"),
    advisor: "random",
    ..GameInfo::new("pockets", "Pockets", "R1: everything is in the code.")
};

impl Pockets {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: PocketsVariant, seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant, seats })
    }
}

impl Game for Pockets {
    type Variant = PocketsVariant;
    type State = PocketsState;
    type Action = Coin;
    type Chance = Card;
    type Event = PocketsEvent;
    type Observation<'a> = PocketsObservation;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &PocketsVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn initial_state(&self) -> PocketsState {
        let none = [0; MAX_SEATS];
        let shown = [None; MAX_SEATS];
        PocketsState { round: 0, turn: 0, dealt: 0, spent: none, coins: none, buried: none, shown }
    }

    fn phase(&self, state: &PocketsState) -> Phase {
        if usize::from(state.dealt) < self.seats {
            Phase::Chance
        } else if state.round < self.variant.rounds {
            Phase::turn(Seat::new(usize::from(state.turn)))
        } else {
            Phase::Over
        }
    }

    fn legal_actions(&self, state: &PocketsState, seat: Seat, actions: &mut Vec<Coin>) {
        let coins = state.coins[seat.index()];
        if coins > 0 {
            actions.push(Coin::Bury);
        }
        if (1..=POCKET).contains(&coins) {
            actions.push(Coin::Spend);
        }
        let others: u8 =
            (0..self.seats).filter(|other| *other != seat.index()).map(|o| state.buried[o]).sum();
        let may_pass = !self.leaks(Leak::Question) || others.is_multiple_of(2) || coins == 0;
        if coins <= POCKET && may_pass {
            actions.push(Coin::Pass);
        }
    }

    fn action_bound(&self) -> u32 {
        3
    }

    fn action_id(&self, _state: &PocketsState, _seat: Seat, action: &Coin) -> u32 {
        *action as u32
    }

    fn decision_audience(&self, _state: &PocketsState, seat: Seat, action: &Coin) -> Audience {
        if *action == Coin::Bury && !self.leaks(Leak::Moments) { Audience::only(seat) } else { Audience::All }
    }

    fn apply_unchecked(
        &self,
        state: &mut PocketsState,
        seat: Seat,
        action: &Coin,
        events: &mut impl EventSink<PocketsEvent>,
    ) {
        let index = seat.index();
        match action {
            Coin::Bury => {
                state.coins[index] = state.coins[index].saturating_sub(1);
                state.buried[index] += 1;
                return;
            }
            Coin::Spend => {
                state.coins[index] = state.coins[index].saturating_sub(1);
                state.spent[index] += 1;
            }
            Coin::Pass => {}
        }
        state.turn = (state.turn + 1) % self.seats as u8;
        state.round += u8::from(state.turn == 0);
        let shown = Some([state.coins[index], state.buried[index]]);
        if self.leaks(Leak::Everything) {
            state.shown[index] = shown;
        }
        let shown = shown.filter(|_| self.leaks(Leak::Event) || self.leaks(Leak::Everything));
        events.emit(Audience::All, || PocketsEvent::Acted { seat, action: *action, shown });
    }

    fn sample_chance(&self, state: &PocketsState, streams: &mut ChanceStreams) -> Card {
        let stream = streams.stream(Purpose::Deal, u32::from(state.dealt));
        Card(1 + stream.below(u32::from(MAX_COINS)) as u8)
    }

    fn apply_chance(
        &self,
        state: &mut PocketsState,
        chance: &Card,
        events: &mut impl EventSink<PocketsEvent>,
    ) {
        let seat = Seat::new(usize::from(state.dealt));
        state.coins[seat.index()] = chance.0;
        state.dealt += 1;
        events.emit(Audience::only(seat), || PocketsEvent::Dealt { seat, coins: chance.0 });
    }

    fn chance_outcomes(&self, _state: &PocketsState) -> Option<Vec<(Card, f64)>> {
        Some((1..=MAX_COINS).map(|coins| (Card(coins), 1.0 / f64::from(MAX_COINS))).collect())
    }

    fn observe<'a>(&'a self, state: &'a PocketsState, viewer: Viewer) -> PocketsObservation {
        let mut observation = PocketsObservation {
            round: state.round,
            turn: state.turn,
            dealt: state.dealt,
            spent: state.spent,
            known: Vec::new(),
            buried: self.leaks(Leak::Observation).then_some(state.buried),
            behind: state.clone(),
        };
        for seat in 0..self.seats {
            let own = viewer.sees(Seat::new(seat)).then(|| [state.coins[seat], state.buried[seat]]);
            observation.known.push(own.or(state.shown[seat]));
        }
        observation
    }

    fn determinize(&self, observation: &PocketsObservation, rng: &mut Stream, state: &mut PocketsState) {
        state.clone_from(&self.initial_state());
        (state.round, state.turn, state.dealt) = (observation.round, observation.turn, observation.dealt);
        state.spent = observation.spent;
        state.shown = observation.behind.shown;
        for seat in 0..self.seats.min(usize::from(observation.dealt)) {
            [state.coins[seat], state.buried[seat]] = observation.known[seat].unwrap_or_else(|| {
                let spent = observation.spent[seat];
                let buried = observation.buried.map(|buried| buried[seat]);
                let most = if self.has_acted(observation, seat) { POCKET } else { MAX_COINS };
                let used = spent + buried.unwrap_or(0);
                let dealt = used.max(1) + rng.below(u32::from(MAX_COINS - used.max(1)) + 1) as u8;
                let left = dealt - spent;
                let least = left.saturating_sub(most);
                let drawn = least + rng.below(u32::from(left - least) + 1) as u8;
                let buried = buried.unwrap_or(drawn);
                [(left - buried).min(most), buried]
            });
        }
    }

    fn score(&self, state: &PocketsState, seat: Seat) -> i64 {
        i64::from(state.buried[seat.index()])
    }
}

impl Present for Pockets {
    fn draw(&self, view: &View<'_, Self>) -> Scene {
        let mut scene = Scene::new(10.0, 2.0 + view.legal.len() as f64);
        scene.text(0.5, 1.0, 0.5, format!("{:?}", view.observation.known));
        if self.leaks(Leak::Drawing) {
            scene.text(0.5, 1.5, 0.5, format!("{:?}", view.observation.behind.buried));
        }
        for (row, action) in view.legal.iter().enumerate() {
            scene.rect(0.0, 1.5 + row as f64, 10.0, 0.8).action(action.to_string());
        }
        scene
    }
}

impl Playable for Pockets {}

impl Defined for Pockets {
    fn definition() -> Definition<Self> {
        Definition::new(&INFO, Default::default(), Self::new)
    }
}
