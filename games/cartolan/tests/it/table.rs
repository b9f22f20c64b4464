//! A table for tests: steps are given as text, chance included.

use std::sync::Arc;

use meeple_cartolan::{Action, Cartolan, Chance, EFFECTS, Ground, Observation, Player, Step};
use meeple_core::{
    Defined as _, Episode, EpisodeSeed, FigureSheet, Game, Outcome, Params, Phase, PlayerLabel, Present,
    Seat, Stream, Viewer,
};

/// The variant of a preset with settings on top.
pub fn variant(preset: &str, settings: &[(&str, &str)]) -> <Cartolan as Game>::Variant {
    let mut variant = <Cartolan as Game>::Variant::default();
    let preset =
        Cartolan::definition().info.presets.iter().find(|known| known.name == preset).expect("a preset");
    for (name, value) in preset.set.iter().chain(settings) {
        variant.set(name, value).expect("a setting");
    }
    variant
}

/// The reason why a game cannot be set up.
pub fn refusal(preset: &str, seats: usize, settings: &[(&str, &str)]) -> String {
    match Cartolan::new(variant(preset, settings), seats) {
        Ok(_) => panic!("{settings:?} should be refused"),
        Err(error) => error.to_string(),
    }
}

pub struct Table {
    episode: Episode<Cartolan>,
}

impl Table {
    /// A new game in which seat 0 begins.
    pub fn new(preset: &str, seats: usize, settings: &[(&str, &str)]) -> Self {
        let mut all = vec![("start", "first_seat")];
        all.extend_from_slice(settings);
        let mut table = Self::with_start(preset, seats, &all);
        table.run("start 0");
        table
    }

    /// A new game, started according to the settings.
    pub fn with_start(preset: &str, seats: usize, settings: &[(&str, &str)]) -> Self {
        let game = Cartolan::new(variant(preset, settings), seats).expect("it can be set up");
        Self { episode: Episode::new(Arc::new(game), EpisodeSeed::new(1, 0)) }
    }

    /// Takes steps, separated by `;`: actions of the seat to act, and chance outcomes.
    pub fn run(&mut self, steps: &str) -> &mut Self {
        for step in steps.split(';').map(str::trim).filter(|step| !step.is_empty()) {
            match self.episode.phase() {
                Phase::Chance => {
                    let chance: Chance = step.parse().unwrap_or_else(|error| panic!("'{step}': {error}"));
                    self.episode.force_chance(chance).unwrap_or_else(|error| panic!("'{step}': {error}"));
                }
                Phase::Decide(seats) => {
                    let seat = seats.lowest().expect("somebody decides");
                    let action: Action = step.parse().unwrap_or_else(|error| panic!("'{step}': {error}"));
                    self.episode
                        .act(seat, &action)
                        .unwrap_or_else(|error| panic!("'{step}' at {:?}: {error}", self.step()));
                }
                Phase::Over => panic!("'{step}' comes after the end"),
            }
        }
        self
    }

    pub fn refuses(&mut self, action: &str) -> String {
        let Phase::Decide(seats) = self.episode.phase() else { panic!("nobody decides") };
        let seat = seats.lowest().expect("somebody decides");
        let action: Action = action.parse().expect("an action");
        let before = self.episode.state().clone();
        let error = self.episode.act(seat, &action).expect_err("it should be illegal");
        assert_eq!(*self.episode.state(), before, "an illegal action changes nothing");
        error.reason
    }

    pub fn legal(&self) -> Vec<String> {
        match self.episode.phase() {
            Phase::Decide(seats) => {
                let seat = seats.lowest().expect("somebody decides");
                self.episode.legal_actions(seat).iter().map(Action::to_string).collect()
            }
            _ => Vec::new(),
        }
    }

    pub fn allows(&self, action: &str) -> bool {
        self.legal().iter().any(|legal| legal == action)
    }

    /// The possible chance outcomes with probabilities.
    pub fn chances(&self) -> Vec<(String, f64)> {
        let outcomes = self.episode.game().chance_outcomes(self.episode.state()).expect("listed");
        outcomes.into_iter().map(|(chance, p)| (chance.to_string(), p)).collect()
    }

    /// The probability of one chance outcome.
    pub fn chance(&self, outcome: &str) -> f64 {
        self.chances().iter().filter(|(text, _)| text == outcome).map(|(_, p)| p).sum()
    }

    pub fn see(&self) -> Observation<'_> {
        self.episode.game().observe(self.episode.state(), Viewer::Everything)
    }

    pub fn see_as(&self, viewer: Viewer) -> Observation<'_> {
        self.episode.game().observe(self.episode.state(), viewer)
    }

    /// A hand in a determinization by this viewer.
    pub fn redrawn(&self, viewer: Viewer, rng: &mut Stream, seat: usize) -> [u8; EFFECTS] {
        let game = self.episode.game();
        let mut state = self.episode.state().clone();
        game.determinize(&self.see_as(viewer), rng, &mut state);
        *game.observe(&state, Viewer::Everything).hand(seat).expect("all is seen")
    }

    pub fn picture(&self) -> String {
        let names: Vec<PlayerLabel> =
            (0..self.see().seats()).map(|seat| format!("player {seat}").into()).collect();
        let game = self.episode.game();
        let scene = self.episode.with_view(Viewer::Everything, &names, |view| game.draw(view));
        scene.to_svg(&meeple_scene::SvgOptions::default())
    }

    /// The events with their audiences.
    pub fn events(&self) -> &[(meeple_core::Audience, meeple_cartolan::Event)] {
        self.episode.events().entries()
    }

    pub fn step(&self) -> Step {
        self.see().step()
    }

    pub fn player(&self, seat: usize) -> Player {
        self.see().players()[seat]
    }

    pub fn chest(&self, seat: usize, number: usize) -> u16 {
        self.player(seat).adventurer[number].chest
    }

    pub fn vault(&self, seat: usize) -> u32 {
        self.player(seat).vault
    }

    pub fn place(&self, seat: usize, number: usize) -> (i16, i16) {
        let cell = self.player(seat).at[number];
        let cell = self.see().map().cell(cell);
        (cell.x, cell.y)
    }

    pub fn is_pirate(&self, seat: usize, number: usize) -> bool {
        self.player(seat).adventurer[number].pirate
    }

    pub fn ground(&self, x: i16, y: i16) -> Ground {
        let map = self.see().map();
        map.find(x, y).map_or(Ground::Empty, |cell| map.cell(cell).ground)
    }

    /// Moves made in the Adventurer's turn.
    pub fn moves(&self) -> u8 {
        self.see().turn().total()
    }

    pub fn owes(&self) -> Seat {
        match self.episode.phase() {
            Phase::Decide(seats) => seats.lowest().expect("somebody decides"),
            other => panic!("nobody decides: {other:?}"),
        }
    }

    pub fn outcome(&self) -> Outcome {
        self.episode.outcome().expect("it is over")
    }

    pub fn figure(&self, name: &str) -> f64 {
        let mut sheet = FigureSheet::default();
        self.episode.game().figures(self.episode.state(), &mut sheet);
        let at = Cartolan::definition().info.episode_figures.iter().position(|figure| figure.name == name);
        sheet.episode_values()[at.expect("a figure")]
    }

    pub fn end(&self) -> &'static str {
        Cartolan::definition().info.ends[self.outcome().end]
    }
}
