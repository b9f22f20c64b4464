//! The contract every game fulfils: its rules.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

use crate::event::{Audience, EventSink};
use crate::figure::FigureSheet;
use crate::info::{GameInfo, Information};
use crate::json;
use crate::key;
use crate::outcome::Outcome;
use crate::params::Params;
use crate::phase::{Illegal, Phase, Viewer};
use crate::seat::Seat;
use crate::stream::{ChanceStreams, Stream};
use crate::text::TextWriter;

/// Why a game cannot be set up with these parameters and this number of seats.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{reason}")]
pub struct SetupError {
    /// What was expected and what was found, with a `hint:` line if the user can act.
    pub reason: String,
}

impl SetupError {
    /// With this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// Most ids that listed actions of a game may have; see [`Game::action_bound`].
pub const MOST_IDS: u32 = 4096;

/// The rules of a game with one variant and number of seats: immutable, shared by all threads.
///
/// # How the methods relate
///
/// An episode starts from [`initial_state`](Game::initial_state). As long as [`phase`](Game::phase) is not
/// [`Phase::Over`], whoever it names moves it on:
///
/// * [`Phase::Chance`]: [`sample_chance`](Game::sample_chance) draws an outcome without changing the state,
///   [`apply_chance`](Game::apply_chance) makes it happen.
/// * [`Phase::Decide`]: every seat of the set gives one action, in any order, through
///   [`apply`](Game::apply) (checked) or [`apply_unchecked`](Game::apply_unchecked) (for playouts). Until
///   the last one has been given, the state only stores them: the set shrinks, nothing else that another
///   seat could see may change, and no other seat's legal actions do. The last one resolves.
///
/// A state is a plain value. Copying it (`clone_from` into a reused buffer) is how search saves and restores
/// a position; there is no undo. It holds nothing that is undrawn: a deck is a multiset, not an order.
///
/// # Who may see what
///
/// Agents, drawings and bots never get the state. They get an [`Observation`](Game::Observation): a view of
/// what the viewer may know. A searching agent turns its observation back into a state that *could* be true
/// with [`determinize`](Game::determinize). Because that function is given the observation and not the
/// state, it cannot leak.
///
/// # Purity
///
/// Every method is a function of its arguments: no clock, files, environment, printing, threads, global
/// randomness or hash order. The same calls give the same bytes on every machine.
///
/// The laws of `meeple-testkit` check all of this for a game in a few lines.
pub trait Game: Sized + Send + Sync + 'static {
    /// The rule parameters, declared with [`params!`](crate::params!).
    type Variant: Params;

    /// A position: a plain value of fixed arrays and small indices, wherever the game allows it.
    type State: Clone + Eq + Hash + Debug + Serialize + Send + Sync;

    /// What a seat decides. `Display` and `FromStr` are one unambiguous text form: what is printed parses
    /// to the same action.
    type Action: Clone + Eq + Ord + Hash + Debug + Display + FromStr<Err: Display> + Default + Send + Sync;

    /// One chance outcome: small, with a text form that is its id in replays.
    type Chance: Clone + Eq + Debug + Display + FromStr<Err: Display> + Send + Sync;

    /// Something that happened. `Display` is the line in a log; serde is what bots and the web get.
    type Event: Clone + Debug + Display + Serialize + Send + Sync;

    /// What a viewer may know, as a view that borrows the game and the state. Its fields must be private to
    /// the module that makes it, so that agents in the same crate cannot reach the state either. Its serde
    /// form holds everything the viewer may know and nothing else.
    type Observation<'a>: Serialize;

    /// The facts of the game.
    fn info(&self) -> &'static GameInfo;

    /// True if everybody always knows which seats owe a decision: hosts then say whom a table waits for, and whose time runs.
    /// Where seats know different things it may be a secret, so a game with hidden information says so itself; a law holds
    /// that against all that a viewer cannot tell apart. It takes, too, that nobody's decisions are hidden
    /// ([`decision_audience`](Self::decision_audience)).
    fn decides_openly(&self) -> bool {
        !matches!(self.info().information, Information::Hidden)
    }

    /// The variant it was set up with.
    fn variant(&self) -> &Self::Variant;

    /// Number of seats.
    fn seats(&self) -> usize;

    /// The state before anything has happened, set-up by chance included.
    fn initial_state(&self) -> Self::State;

    /// Makes `state` the initial state, reusing its memory.
    #[inline]
    fn reset(&self, state: &mut Self::State) {
        state.clone_from(&self.initial_state());
    }

    /// Who must act next. Never a [`Phase::Decide`] with an empty set.
    fn phase(&self, state: &Self::State) -> Phase;

    /// Appends to `actions` (empty when called) the legal actions of a seat that owes a decision: sorted,
    /// without duplicates, at least one. For structured actions it appends nothing.
    fn legal_actions(&self, state: &Self::State, seat: Seat, actions: &mut Vec<Self::Action>);

    /// Ids of listed actions are below this bound, in every state: the length of a policy vector, at most
    /// [`MOST_IDS`]. 0 for structured actions.
    fn action_bound(&self) -> u32 {
        0
    }

    /// The dense id of a legal action of a seat that owes a decision: distinct for distinct actions, and a function of
    /// what the seat knows. Where a game has few actions, an id means the same in every state; where it has many (all
    /// cells of a board), ids count from something that the seat sees, as the places that are open, and the game says
    /// from what.
    fn action_id(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> u32 {
        let _ = (state, seat, action);
        0
    }

    /// Writes 1 at the ids of the legal actions of a seat that owes a decision, into a mask that comes with zeros.
    /// `scratch` is memory to list actions in. Games override it where ids are sooner told than actions.
    fn mark_ids(&self, state: &Self::State, seat: Seat, scratch: &mut Vec<Self::Action>, mask: &mut [u8]) {
        scratch.clear();
        self.legal_actions(state, seat, scratch);
        for action in scratch {
            mask[self.action_id(state, seat, action) as usize] = 1;
        }
    }

    /// The legal action with this id; `None` if none has it.
    fn action_of(&self, state: &Self::State, seat: Seat, id: u32) -> Option<Self::Action> {
        let mut legal = Vec::new();
        self.legal_actions(state, seat, &mut legal);
        legal.into_iter().find(|action| self.action_id(state, seat, action) == id)
    }

    /// Whether a seat that owes a decision may take this action, with the reason if not. The default looks
    /// the action up in the list; structured actions, and games that can explain more, override it.
    ///
    /// # Errors
    /// The reason why the action is illegal.
    fn check(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> Result<(), Illegal> {
        let mut legal = Vec::new();
        self.legal_actions(state, seat, &mut legal);
        if legal.contains(action) {
            return Ok(());
        }
        let shown: Vec<String> = legal.iter().take(20).map(Self::Action::to_string).collect();
        let more = if legal.len() > 20 { format!(" … ({} in all)", legal.len()) } else { String::new() };
        Err(Illegal::new(format!("expected one of {}{more}, found {action}", shown.join(", "))))
    }

    /// Takes an action that is legal. With any other the state afterwards is unspecified (but safe), so this
    /// is for playouts whose agents choose from the legal actions.
    fn apply_unchecked(
        &self,
        state: &mut Self::State,
        seat: Seat,
        action: &Self::Action,
        events: &mut impl EventSink<Self::Event>,
    );

    /// Takes an action.
    ///
    /// # Errors
    /// If the seat owes no decision or the action is illegal; the state is as it was.
    fn apply(
        &self,
        state: &mut Self::State,
        seat: Seat,
        action: &Self::Action,
        events: &mut impl EventSink<Self::Event>,
    ) -> Result<(), Illegal> {
        if !self.phase(state).owes(seat) {
            return Err(self.phase(state).refusal(seat));
        }
        self.check(state, seat, action)?;
        self.apply_unchecked(state, seat, action, events);
        Ok(())
    }

    /// Whether a seat owes a decision or may owe one later. Who sits where that is over is told nothing more, so that a host
    /// need not note what happens. The default is `true`, which is always right.
    fn can_still_decide(&self, state: &Self::State, seat: Seat) -> bool {
        let _ = (state, seat);
        true
    }

    /// Who may know that this decision is being taken: that anything happens now at all, not what. The seat
    /// itself always does. Everybody else does too, unless the rules hide it, as a trade that nobody hears of.
    ///
    /// Who watches is shown the table before every step that it may know of, and at the end, but never between
    /// steps that it may not: how many there were would tell what the events do not. The twin law of the
    /// testkit checks it. The action need not be legal.
    fn decision_audience(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> Audience {
        let _ = (state, seat, action);
        Audience::All
    }

    /// Draws a legal action at random with full support, not necessarily uniformly. `scratch` is an empty
    /// list to work in; it is left in any state.
    fn sample_action(
        &self,
        state: &Self::State,
        seat: Seat,
        rng: &mut Stream,
        scratch: &mut Vec<Self::Action>,
    ) -> Self::Action {
        self.legal_actions(state, seat, scratch);
        let pick = rng.index(scratch.len());
        scratch.swap_remove(pick)
    }

    /// What a seat that owes a decision does if its player fails to decide (too late, illegal, gone): always
    /// legal, the same in equal states, and as neutral as the rules allow. The default is the first legal
    /// action, and for structured actions the default action, which must be legal then.
    fn fallback_action(&self, state: &Self::State, seat: Seat) -> Self::Action {
        let mut legal = Vec::new();
        self.legal_actions(state, seat, &mut legal);
        legal.into_iter().next().unwrap_or_default()
    }

    /// Appends the text of an action, which is what it displays. Games override it that write their texts without formats:
    /// replays are full of them.
    fn write_action(action: &Self::Action, text: &mut TextWriter<'_>) {
        text.push_shown(action);
    }

    /// Appends the text of a chance outcome; as [`write_action`](Self::write_action).
    fn write_chance(chance: &Self::Chance, text: &mut TextWriter<'_>) {
        text.push_shown(chance);
    }

    /// Appends an event as JSON, as it serialises, which a law checks. Games override it that tell very many.
    fn write_event(event: &Self::Event, out: &mut Vec<u8>) {
        json::write(event, out).expect("events serialise: a law checks it");
    }

    /// Structured actions as programs give them: the JSON Schema of what [`read_json`](Self::read_json)
    /// takes. The default is the text form.
    fn action_schema(&self) -> serde_json::Value {
        serde_json::json!({ "type": "string" })
    }

    /// Reads an action that a program gave as JSON, in the form of [`action_schema`](Self::action_schema).
    /// The action may still be illegal.
    ///
    /// # Errors
    /// What was expected.
    fn read_json(&self, json: &str) -> Result<Self::Action, String> {
        let text: String = serde_json::from_str(json).map_err(|error| error.to_string())?;
        text.parse().map_err(|error: <Self::Action as FromStr>::Err| error.to_string())
    }

    /// Draws what chance does next; called only in [`Phase::Chance`]. See [`ChanceStreams::stream`] for the
    /// choice of purpose and key.
    fn sample_chance(&self, state: &Self::State, streams: &mut ChanceStreams) -> Self::Chance;

    /// Makes a chance outcome happen; called only in [`Phase::Chance`] with an outcome that can happen.
    fn apply_chance(
        &self,
        state: &mut Self::State,
        chance: &Self::Chance,
        events: &mut impl EventSink<Self::Event>,
    );

    /// Draws and applies in one step. Override it only where that is faster; a law checks that it is the
    /// same.
    #[inline]
    fn resolve_chance(
        &self,
        state: &mut Self::State,
        streams: &mut ChanceStreams,
        events: &mut impl EventSink<Self::Event>,
    ) {
        let chance = self.sample_chance(state, streams);
        self.apply_chance(state, &chance, events);
    }

    /// All outcomes of the chance draw that is due, with their probabilities (summing to 1), or `None` if
    /// there are too many to list.
    fn chance_outcomes(&self, state: &Self::State) -> Option<Vec<(Self::Chance, f64)>>;

    /// Whether this outcome can happen now. Games whose outcomes cannot be listed override it.
    ///
    /// # Errors
    /// The reason why it cannot.
    fn check_chance(&self, state: &Self::State, chance: &Self::Chance) -> Result<(), Illegal> {
        match self.chance_outcomes(state) {
            Some(outcomes) if !outcomes.iter().any(|(outcome, _)| outcome == chance) => {
                Err(Illegal::new(format!("chance cannot draw {chance} here")))
            }
            _ => Ok(()),
        }
    }

    /// What `viewer` may know of `state`.
    fn observe<'a>(&'a self, state: &'a Self::State, viewer: Viewer) -> Self::Observation<'a>;

    /// Equal for two states exactly when the viewer cannot tell them apart (but for collisions of 128 bits). The default
    /// is the hash of the observation's serde form, which is right whenever observations remember all that the viewer
    /// may remember. It takes no memory if serialising takes none.
    fn information_key(&self, state: &Self::State, viewer: Viewer) -> u128 {
        key::of(&self.observe(state, viewer))
    }

    /// Writes into `state` a state that agrees with the observation, with everything the viewer cannot know
    /// drawn anew: uniformly over what is consistent, or by a prior that the game documents.
    fn determinize(&self, observation: &Self::Observation<'_>, rng: &mut Stream, state: &mut Self::State);

    /// The seat's score as it stands. The viewer at that seat must know it.
    fn score(&self, state: &Self::State, seat: Seat) -> i64;

    /// Scores, places and end reason of a state that is over. `outcome` comes cleared.
    #[inline(always)] // as Outcome::rank_by_score
    fn outcome(&self, state: &Self::State, outcome: &mut Outcome) {
        outcome.scores.extend(Seat::all(self.seats()).map(|seat| self.score(state, seat)));
        outcome.rank_by_score();
    }

    /// Length of an episode that is over, in [`GameInfo::length_unit`]. `decisions` were made in it.
    #[inline]
    fn length(&self, state: &Self::State, decisions: u64) -> u64 {
        let _ = state;
        decisions
    }

    /// Whether the order of turns is drawn anew in every episode of this game. Results by seat say nothing of
    /// who comes first then, and are told by [`turn_place`](Self::turn_place) instead.
    #[inline]
    fn draws_turn_order(&self) -> bool {
        false
    }

    /// The place of a seat in the order of turns, from 0, in an episode that is over. The default is the order of
    /// the seats.
    #[inline]
    fn turn_place(&self, state: &Self::State, seat: Seat) -> usize {
        let _ = state;
        seat.index()
    }

    /// The game's own figures of an episode that is over. `sheet` comes cleared.
    #[inline]
    fn figures(&self, state: &Self::State, sheet: &mut FigureSheet) {
        let _ = (state, sheet);
    }
}
