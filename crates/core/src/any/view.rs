//! Read access to an episode without its type.

use std::fmt::Write as _;

use meeple_scene::{Color, Key, Scene, Screen};
use serde_json::Value;

use crate::episode::Episode;
use crate::event::{EventCursor, Level};
use crate::info::GameInfo;
use crate::json;
use crate::label::PlayerLabel;
use crate::outcome::Outcome;
use crate::parts::{ActionPart, Composition};
use crate::phase::{Phase, Viewer};
use crate::present::Present;
use crate::replay::Replay;
use crate::seat::Seat;
use crate::stream::EpisodeSeed;

/// Read access to an episode without its type. [`AnyEpisode`](crate::AnyEpisode) adds methods that change it.
pub trait EpisodeView {
    /// Static facts of the game.
    fn info(&self) -> &'static GameInfo;
    /// True if everybody always knows who owes a decision; see
    /// [`Game::decides_openly`](crate::Game::decides_openly).
    fn decides_openly(&self) -> bool;
    /// Number of seats.
    fn seats(&self) -> usize;
    /// The phase: chance, the seats that owe a decision, or the end.
    fn phase(&self) -> Phase;
    /// Returns true if a seat owes a decision or may owe one later; see
    /// [`Game::can_still_decide`](crate::Game::can_still_decide).
    fn can_still_decide(&self, seat: Seat) -> bool;
    /// The texts of the legal actions of a seat, in order; empty if it owes no decision, and for structured
    /// actions.
    fn legal_actions(&self, seat: Seat) -> Vec<String>;
    /// As [`legal_actions`](Self::legal_actions), but overwrites `texts` and reuses its memory.
    fn write_legal_actions(&self, seat: Seat, texts: &mut Vec<String>);
    /// The parts of the legal actions of a seat, in order; see [`Present::action_parts`].
    fn action_parts(&self, seat: Seat, players: &[PlayerLabel]) -> Vec<Vec<ActionPart>>;
    /// The structured action of a seat after the steps in `text`, with possible next steps; see
    /// [`Present::compose`].
    ///
    /// # Errors
    /// A description of the error in the text.
    fn compose(&self, seat: Seat, players: &[PlayerLabel], text: &str)
    -> Result<Option<Composition>, String>;
    /// The text of the fallback action of a seat that owes a decision; see
    /// [`Game::fallback_action`](crate::Game::fallback_action).
    fn fallback_action(&self, seat: Seat) -> String;
    /// Parses input typed by a person at `seat`. Returns the text of an action, which may be illegal.
    ///
    /// # Errors
    /// A description of the expected input.
    fn read_input(&self, seat: Seat, text: &str) -> Result<String, String>;
    /// The observation as JSON.
    fn observation(&self, viewer: Viewer) -> Value;
    /// Appends [`observation`](Self::observation) as JSON text to `out`, without building a [`Value`].
    fn write_observation(&self, viewer: Viewer, out: &mut Vec<u8>);
    /// The viewer's information key; see [`Game::information_key`](crate::Game::information_key).
    fn information_key(&self, viewer: Viewer) -> u128;
    /// The events that `viewer` may see, from number `from` on.
    fn events(&self, viewer: Viewer, from: usize) -> Vec<EventRecord>;
    /// All events that `viewer` may see, as lines for people. The method builds no JSON, because a long game
    /// has a thousand events.
    fn event_lines(&self, viewer: Viewer) -> Vec<EventLine>;
    /// The events that `viewer` may see after the cursor, which moves to the end.
    fn news(&self, viewer: Viewer, cursor: &mut EventCursor) -> Vec<EventRecord>;
    /// Appends the events of [`news`](Self::news) to `out`, as the text of a JSON list.
    fn write_news(&self, viewer: Viewer, cursor: &mut EventCursor, out: &mut Vec<u8>);
    /// The cursor behind the last event that `viewer` may see.
    fn end_of_events(&self, viewer: Viewer) -> EventCursor;
    /// Number of steps so far. Only hosts may use it, like [`step_text`](Self::step_text): some steps are
    /// secret.
    fn steps(&self) -> usize;
    /// The text of a step, as in replays.
    fn step_text(&self, index: usize) -> String;
    /// Current score of a seat.
    fn score(&self, seat: Seat) -> i64;
    /// Length so far, in the game's length unit.
    fn length(&self) -> u64;
    /// The outcome, once the episode is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The table as a drawing.
    fn draw(&self, viewer: Viewer, players: &[PlayerLabel]) -> Scene;
    /// The legend of the drawing: the meanings of shapes and colours.
    fn legend(&self, players: &[PlayerLabel]) -> Vec<Key>;
    /// The colour of a seat's items in the drawing.
    fn player_color(&self, seat: Seat, players: &[PlayerLabel]) -> Color;
    /// The table as text.
    fn screen(&self, viewer: Viewer, players: &[PlayerLabel]) -> Screen;
    /// The replay so far.
    fn replay(&self, players: &[PlayerLabel], seed: Option<EpisodeSeed>) -> Replay;
}

/// One event as a line of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventLine {
    /// Number as in [`EventRecord`].
    pub number: usize,
    /// Text of the line, without a line break.
    pub text: String,
    /// Importance for spectators.
    pub level: Level,
}

/// One event as text and JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRecord {
    /// Index among the events that the viewer may see, from 0; hidden events leave no gap. After a take-back,
    /// numbers repeat from the first event that was undone.
    pub number: usize,
    /// One line for a log.
    pub text: String,
    /// Importance for spectators.
    pub level: Level,
    /// JSON form, for programs.
    pub json: Value,
}

fn record<G: Present>((number, event): (usize, &G::Event)) -> EventRecord {
    EventRecord {
        number,
        text: event.to_string(),
        level: G::event_level(event),
        json: serde_json::to_value(event).expect("events serialise: a law checks it"),
    }
}

impl<G: Present> EpisodeView for Episode<G> {
    fn info(&self) -> &'static GameInfo {
        self.game().info()
    }

    fn decides_openly(&self) -> bool {
        self.game().decides_openly()
    }

    fn seats(&self) -> usize {
        self.game().seats()
    }

    fn phase(&self) -> Phase {
        Self::phase(self)
    }

    fn can_still_decide(&self, seat: Seat) -> bool {
        self.game().can_still_decide(self.state(), seat)
    }

    fn legal_actions(&self, seat: Seat) -> Vec<String> {
        Self::legal_actions(self, seat).iter().map(G::Action::to_string).collect()
    }

    fn write_legal_actions(&self, seat: Seat, texts: &mut Vec<String>) {
        let actions = Self::legal_actions(self, seat);
        texts.resize_with(actions.len(), String::new);
        for (action, text) in actions.iter().zip(texts) {
            text.clear();
            write!(text, "{action}").expect("a string takes every text");
        }
    }

    fn action_parts(&self, seat: Seat, players: &[PlayerLabel]) -> Vec<Vec<ActionPart>> {
        self.with_view(Viewer::Seat(seat), players, |view| {
            view.legal.iter().map(|action| self.game().action_parts(view, action)).collect()
        })
    }

    fn compose(
        &self,
        seat: Seat,
        players: &[PlayerLabel],
        text: &str,
    ) -> Result<Option<Composition>, String> {
        self.with_view(Viewer::Seat(seat), players, |view| self.game().compose(view, text))
    }

    fn fallback_action(&self, seat: Seat) -> String {
        self.game().fallback_action(self.state(), seat).to_string()
    }

    fn read_input(&self, seat: Seat, text: &str) -> Result<String, String> {
        let seen = self.game().observe(self.state(), Viewer::Seat(seat));
        self.game().read_input(&seen, text).map(|action| action.to_string())
    }

    fn observation(&self, viewer: Viewer) -> Value {
        let observation = self.game().observe(self.state(), viewer);
        serde_json::to_value(&observation).expect("observations serialise: a law checks it")
    }

    fn write_observation(&self, viewer: Viewer, out: &mut Vec<u8>) {
        let observation = self.game().observe(self.state(), viewer);
        json::write(&observation, out).expect("observations serialise: a law checks it");
    }

    fn information_key(&self, viewer: Viewer) -> u128 {
        self.game().information_key(self.state(), viewer)
    }

    fn events(&self, viewer: Viewer, from: usize) -> Vec<EventRecord> {
        self.events().seen_by(viewer).enumerate().skip(from).map(record::<G>).collect()
    }

    fn event_lines(&self, viewer: Viewer) -> Vec<EventLine> {
        let seen = self.events().seen_by(viewer).enumerate();
        let line = |(number, event): (usize, &G::Event)| EventLine {
            number,
            text: event.to_string(),
            level: G::event_level(event),
        };
        seen.map(line).collect()
    }

    fn news(&self, viewer: Viewer, cursor: &mut EventCursor) -> Vec<EventRecord> {
        self.events().news(viewer, cursor).map(record::<G>).collect()
    }

    fn write_news(&self, viewer: Viewer, cursor: &mut EventCursor, out: &mut Vec<u8>) {
        out.push(b'[');
        for (index, (_, event)) in self.events().news(viewer, cursor).enumerate() {
            if index > 0 {
                out.push(b',');
            }
            G::write_event(event, out);
        }
        out.push(b']');
    }

    fn end_of_events(&self, viewer: Viewer) -> EventCursor {
        let mut cursor = EventCursor::default();
        drop(self.events().news(viewer, &mut cursor));
        cursor
    }

    fn steps(&self) -> usize {
        Self::steps(self).len()
    }

    fn step_text(&self, index: usize) -> String {
        Self::steps(self)[index].to_string()
    }

    fn score(&self, seat: Seat) -> i64 {
        self.game().score(self.state(), seat)
    }

    fn length(&self) -> u64 {
        Self::length(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Self::outcome(self)
    }

    fn draw(&self, viewer: Viewer, players: &[PlayerLabel]) -> Scene {
        self.with_view(viewer, players, |view| self.game().draw(view))
    }

    fn legend(&self, players: &[PlayerLabel]) -> Vec<Key> {
        self.game().legend(players)
    }

    fn player_color(&self, seat: Seat, players: &[PlayerLabel]) -> Color {
        self.game().player_color(seat, players)
    }

    fn screen(&self, viewer: Viewer, players: &[PlayerLabel]) -> Screen {
        self.with_view(viewer, players, |view| self.game().screen(view))
    }

    fn replay(&self, players: &[PlayerLabel], seed: Option<EpisodeSeed>) -> Replay {
        Replay::of(self, players, seed)
    }
}
