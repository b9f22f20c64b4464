//! A position on the bench: set up, rolled and played step by step.

use meeple_core::{
    ChanceStreams, EpisodeSeed, EventLog, EventSink, Game, Params, Phase, Seat, Stream, Viewer,
};
use meeple_privateers::{
    Action, Cell, Chance, Class, Event, Heading, PRODUCTS, Privateers, Product, Setup, ShipSetup, Stage,
    State, Wind,
};

pub fn game(seats: usize, set: &[(&str, &str)]) -> Privateers {
    let mut variant = <Privateers as Game>::Variant::default();
    for (name, value) in set {
        variant.set(name, value).unwrap_or_else(|error| panic!("{error}"));
    }
    Privateers::new(variant, seats).unwrap_or_else(|error| panic!("{error}"))
}

/// A map file with these rows.
pub fn chart(rows: &[&str]) -> String {
    format!("name: test\nauthor: test\nversion: 1\n\n{}\n", rows.join("\n"))
}

/// Open sea, 13 x 13, with ports A and B in two corners.
pub fn open_sea() -> String {
    let mut rows = vec![".............".to_owned(); 13];
    rows[0].replace_range(0..1, "A");
    rows[12].replace_range(12..13, "B");
    chart(&rows.iter().map(String::as_str).collect::<Vec<_>>())
}

pub const fn cell(column: usize, row: usize) -> Cell {
    Cell::new(column, row)
}

pub const fn seat(index: usize) -> Seat {
    Seat::new(index)
}

pub fn at(column: usize, row: usize) -> ShipSetup {
    ShipSetup::at(cell(column, row))
}

/// A position on open sea, with port A in the north-western corner and port B in the south-eastern one.
pub fn open(set: &[(&str, &str)], ships: Vec<ShipSetup>) -> Bench {
    let map = open_sea();
    Bench::new(&[&[("map", map.as_str())], set].concat(), ships)
}

/// Plays a game. `visit` sees every state with all events so far, and `choose` selects a legal action.
pub fn episode(
    game: &Privateers,
    seed: EpisodeSeed,
    mut visit: impl FnMut(&State, &EventLog<Event>, &mut Stream),
    mut choose: impl FnMut(&[Action], &mut Stream) -> Action,
) {
    let mut streams = ChanceStreams::new(seed);
    let mut rng = Stream::from_seed(seed.bits());
    let mut state = game.initial_state();
    let mut log = EventLog::new();
    loop {
        visit(&state, &log, &mut rng);
        match game.phase(&state) {
            Phase::Over => return,
            Phase::Chance => {
                let chance = game.sample_chance(&state, &mut streams);
                game.apply_chance(&mut state, &chance, &mut log);
            }
            Phase::Decide(seats) => {
                let seat = seats.lowest().unwrap();
                let mut legal = Vec::new();
                game.legal_actions(&state, seat, &mut legal);
                let action = choose(&legal, &mut rng);
                game.apply(&mut state, seat, &action, &mut log).unwrap();
            }
        }
    }
}

pub struct Bench {
    pub game: Privateers,
    pub state: State,
    pub log: EventLog<Event>,
}

impl Bench {
    pub fn new(set: &[(&str, &str)], ships: Vec<ShipSetup>) -> Self {
        Self::with_prices(set, ships, None)
    }

    pub fn with_prices(
        set: &[(&str, &str)],
        ships: Vec<ShipSetup>,
        prices: Option<Vec<[u16; PRODUCTS]>>,
    ) -> Self {
        let game = game(ships.len(), set);
        let state = game.set_up(&Setup { ships, prices });
        Self { game, state, log: EventLog::new() }
    }

    pub fn chance(&mut self, chance: Chance) -> &mut Self {
        assert_eq!(self.game.phase(&self.state), Phase::Chance, "before {chance}");
        self.game.check_chance(&self.state, &chance).unwrap();
        self.game.apply_chance(&mut self.state, &chance, &mut self.log);
        self
    }

    pub fn wind(&mut self, wind: Wind, power: u8) -> &mut Self {
        self.chance(Chance::Wind(wind, power))
    }

    pub fn roll(&mut self, initiator: u8, defender: u8) -> &mut Self {
        self.chance(Chance::Roll(initiator, defender))
    }

    pub fn decider(&self) -> Option<Seat> {
        match self.game.phase(&self.state) {
            Phase::Decide(seats) => seats.lowest(),
            _ => None,
        }
    }

    pub fn legal(&self) -> Vec<Action> {
        let mut legal = Vec::new();
        if let Some(seat) = self.decider() {
            self.game.legal_actions(&self.state, seat, &mut legal);
        }
        legal
    }

    pub fn attacks(&self, other: usize) -> bool {
        self.legal().contains(&Action::Attack(seat(other)))
    }

    pub fn act(&mut self, action: Action) -> &mut Self {
        let seat = self.decider().expect("somebody owes a decision");
        self.game
            .apply(&mut self.state, seat, &action, &mut self.log)
            .unwrap_or_else(|error| panic!("{error}"));
        self
    }

    /// The winner of a fight discards units of this product until the rest fits, and goes on if asked.
    pub fn make_room(&mut self, product: Product) -> &mut Self {
        while self.stage() == Stage::Loot {
            let fits = self.legal() == [Action::EndTurn];
            self.act(if fits { Action::EndTurn } else { Action::Discard(product) });
        }
        self
    }

    pub fn moves(&mut self, headings: &[Heading]) -> &mut Self {
        for heading in headings {
            self.act(Action::Move(*heading));
        }
        self
    }

    pub fn refused(&mut self, action: Action) -> String {
        let seat = self.decider().expect("somebody owes a decision");
        let before = self.state.clone();
        let error = self.game.apply(&mut self.state, seat, &action, &mut self.log).unwrap_err();
        assert_eq!(self.state, before, "{action} changed the state");
        error.reason
    }

    /// The stage, with nothing hidden.
    pub fn stage(&self) -> Stage {
        self.stage_for(Viewer::Everything)
    }

    pub fn stage_for(&self, viewer: Viewer) -> Stage {
        self.game.observe(&self.state, viewer).stage()
    }

    pub fn budget(&self) -> u8 {
        self.game.observe(&self.state, Viewer::Public).budget()
    }

    pub fn lives(&self, index: usize) -> bool {
        self.game.observe(&self.state, Viewer::Public).lives(seat(index))
    }

    pub fn class(&self, index: usize) -> Class {
        self.game.observe(&self.state, Viewer::Public).class(seat(index))
    }

    pub fn at(&self, index: usize) -> Cell {
        self.game.cell_of(&self.state, seat(index))
    }

    pub fn money(&self, index: usize) -> i64 {
        let viewer = Viewer::Seat(seat(index));
        self.game.observe(&self.state, viewer).money(seat(index)).unwrap()
    }

    pub fn units(&self, index: usize, product: Product) -> u16 {
        let viewer = Viewer::Seat(seat(index));
        self.game.observe(&self.state, viewer).units(seat(index), product).unwrap()
    }

    pub fn points(&self) -> [u8; 2] {
        let fight = self.game.observe(&self.state, Viewer::Everything).fight().unwrap();
        fight.points.unwrap()
    }

    /// Sails in one direction as far as possible; returns the number of cells.
    pub fn run(&mut self, heading: Heading) -> usize {
        let mut count = 0;
        while self.decider() == Some(seat(0)) && self.legal().contains(&Action::Move(heading)) {
            self.act(Action::Move(heading));
            count += 1;
        }
        count
    }
}

/// A sink that counts events, so that they are built.
pub struct Count(pub usize);

impl EventSink<Event> for Count {
    fn emit(&mut self, _audience: meeple_core::Audience, event: impl FnOnce() -> Event) {
        let _ = event();
        self.0 += 1;
    }
}
