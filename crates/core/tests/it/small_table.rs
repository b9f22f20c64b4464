//! The fast path of decisions: a game with its own playout loop counts the same decisions as the default
//! loop.

use std::num::NonZeroU64;

use meeple_core::{
    Agent, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, NoEvents, Outcome, Phase, Playable,
    PlayoutTable, Playouts, Present, Seat, Seating, SetupError, Stream, Turn, Viewer,
};
use meeple_testkit::toys::{Nim, NimVariant, Take};

type NimState = <Nim as Game>::State;
type Never = <Nim as Game>::Chance;
type Taken = <Nim as Game>::Event;

/// Nim with its own playout loop, which asks through `SmallTable` as fast games do.
struct FastNim(Nim);

impl FastNim {
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: NimVariant, seats: usize) -> Result<Self, SetupError> {
        Nim::new(variant, seats).map(Self)
    }
}

impl Game for FastNim {
    type Variant = NimVariant;
    type State = NimState;
    type Action = Take;
    type Chance = Never;
    type Event = Taken;
    type Observation<'a> = NimState;

    fn info(&self) -> &'static GameInfo {
        &Nim::INFO
    }

    // All other methods delegate to Nim.
    fn variant(&self) -> &NimVariant {
        self.0.variant()
    }

    fn seats(&self) -> usize {
        self.0.seats()
    }

    fn initial_state(&self) -> NimState {
        self.0.initial_state()
    }

    fn phase(&self, state: &NimState) -> Phase {
        self.0.phase(state)
    }

    fn legal_actions(&self, state: &NimState, seat: Seat, actions: &mut Vec<Take>) {
        self.0.legal_actions(state, seat, actions);
    }

    fn action_bound(&self) -> u32 {
        self.0.action_bound()
    }

    fn action_id(&self, state: &Self::State, seat: Seat, action: &Take) -> u32 {
        self.0.action_id(state, seat, action)
    }

    fn apply_unchecked(&self, state: &mut NimState, seat: Seat, take: &Take, to: &mut impl EventSink<Taken>) {
        self.0.apply_unchecked(state, seat, take, to);
    }

    fn sample_chance(&self, state: &NimState, streams: &mut ChanceStreams) -> Never {
        self.0.sample_chance(state, streams)
    }

    fn apply_chance(&self, state: &mut NimState, chance: &Never, to: &mut impl EventSink<Taken>) {
        self.0.apply_chance(state, chance, to);
    }

    fn chance_outcomes(&self, state: &NimState) -> Option<Vec<(Never, f64)>> {
        self.0.chance_outcomes(state)
    }

    fn observe<'a>(&'a self, state: &'a NimState, viewer: Viewer) -> NimState {
        self.0.observe(state, viewer)
    }

    fn determinize(&self, observation: &NimState, rng: &mut Stream, state: &mut NimState) {
        self.0.determinize(observation, rng, state);
    }

    fn score(&self, state: &NimState, seat: Seat) -> i64 {
        self.0.score(state, seat)
    }

    fn outcome(&self, state: &NimState, outcome: &mut Outcome) {
        self.0.outcome(state, outcome);
    }
}

impl Present for FastNim {}

impl Playable for FastNim {
    fn play_out(&self, state: &mut NimState, table: &mut PlayoutTable<Self>, _: &mut ChanceStreams) {
        let mut asked = 0;
        let mut table = table.small();
        while let Phase::Decide(_) = self.phase(state) {
            let seat = state.turn;
            let mut taken = Take(0);
            let mask = NonZeroU64::new(1 << seat.index()).unwrap();
            table.ask_all(self, state, mask, |_, take| taken = take);
            asked += 1;
            self.apply_unchecked(state, seat, &taken, &mut NoEvents);
        }
        table.count(asked);
    }
}

impl Defined for FastNim {
    fn definition() -> Definition<Self> {
        Definition::new(&Nim::INFO, Default::default(), Self::new)
    }
}

/// Takes one stick.
struct One;

impl<G: Game<Action = Take>> Agent<G> for One {
    fn act(&mut self, _: Turn<'_, G>) -> Take {
        Take(1)
    }
}

#[test]
fn decisions_are_counted_either_way() {
    let variant = NimVariant { sticks: 7, most: 3 };
    let (nim, fast) = (Nim::new(variant.clone(), 2).unwrap(), FastNim::new(variant, 2).unwrap());
    let mut slow_playouts = Playouts::new(&nim, vec![Box::new(One) as Box<dyn Agent<Nim>>, Box::new(One)]);
    let mut playouts = Playouts::new(&fast, vec![Box::new(One) as Box<dyn Agent<FastNim>>, Box::new(One)]);
    for index in 0..3 {
        let expected = slow_playouts.play(1, Seating::Rotate, index).decisions;
        assert_eq!((playouts.play(1, Seating::Rotate, index).decisions, expected), (7, 7), "episode {index}");
    }
}
