//! The contract of a game: its rules.

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

/// Reason why a game cannot be set up with these parameters and this number of seats.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{reason}")]
pub struct SetupError {
    /// Expected and found values, with a `hint:` line if the user can act.
    pub reason: String,
}

impl SetupError {
    /// An error with this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

/// Upper bound on the number of ids of a game's listed actions; see [`Game::action_bound`].
pub const MAX_IDS: u32 = 4096;

/// The rules of a game with one variant and number of seats: immutable, shared by all threads.
///
/// # Course of an episode
///
/// An episode starts from [`initial_state`](Game::initial_state). Until [`phase`](Game::phase) is
/// [`Phase::Over`], chance or the named seats advance it:
///
/// * [`Phase::Chance`]: [`sample_chance`](Game::sample_chance) draws an outcome without changing the state,
///   [`apply_chance`](Game::apply_chance) applies it.
/// * [`Phase::Decide`]: every seat of the set gives one action, in any order, through [`apply`](Game::apply)
///   (checked) or [`apply_unchecked`](Game::apply_unchecked) (for playouts). Until the last one arrives, the
///   state only stores them. The set shrinks, but the other seats' observations and legal actions stay the
///   same. The last action resolves all of them.
///
/// A state is a plain value: search copies it (`clone_from` into a reused buffer), and there is no undo. A
/// state contains no future randomness: a deck is a multiset, not an order.
///
/// # Hidden information
///
/// Agents, drawings and bots receive an [`Observation`](Game::Observation), a view of the viewer's knowledge.
/// A searching agent turns an observation back into a state that *could* be true with
/// [`determinize`](Game::determinize). That method sees only the observation, so it cannot leak the state.
///
/// # Purity
///
/// Every method is a function of its arguments. It uses no clock, files, environment, printing, threads,
/// global randomness or hash order.
///
/// The laws of `meeple-testkit` check all of this for a game in a few lines.
///
/// # Example
///
/// A whole game: two seats in turn either take three points or roll a die. A one counts nothing.
///
/// ```
/// use meeple_core::{
///     Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Phase, Playable, Present,
///     Purpose, Seat, Stream, Viewer, choice, params,
/// };
/// use serde::Serialize;
///
/// params! {
///     /// The rules.
///     pub struct Rules {
///         /// Points that win.
///         pub goal: u8 = 12 => "goal", int(1, 100);
///     }
/// }
///
/// choice! {
///     /// A decision.
///     #[derive(Default)]
///     pub enum Pick { #[default] Take = "take", Roll = "roll" }
/// }
///
/// #[derive(Clone, Default, PartialEq, Eq, Hash, Debug, Serialize)]
/// struct Position { points: [u8; 2], turn: usize, rolling: bool }
///
/// impl Position {
///     fn score(&mut self, points: u8) {
///         self.points[self.turn] += points;
///         (self.turn, self.rolling) = (1 - self.turn, false);
///     }
/// }
///
/// struct Race(Rules);
///
/// static INFO: GameInfo = GameInfo {
///     summary: "three points for sure, or a die",
///     demo: &["random", "random"],
///     advisor: "random",
/// #   guide: concat!(
/// #       "# Race: guide\n\n## In one page\n\nRoll.\n\n## Your first game\n\nRoll.\n\n",
/// #       "## Tips\n\nTake.\n",
/// #   ),
///     ..GameInfo::new("race", "Race", "R1: the first seat with 12 points wins.")
/// };
///
/// impl Game for Race {
///     type Variant = Rules;
///     type State = Position;
///     type Action = Pick;
///     type Chance = u8;
///     type Event = String;
///     type Observation<'a> = &'a Position;
///
///     fn info(&self) -> &'static GameInfo { &INFO }
///     fn variant(&self) -> &Rules { &self.0 }
///     fn seats(&self) -> usize { 2 }
///     fn initial_state(&self) -> Position { Position::default() }
///
///     fn phase(&self, state: &Position) -> Phase {
///         match state.points.iter().max() {
///             Some(most) if *most >= self.0.goal => Phase::Over,
///             _ if state.rolling => Phase::Chance,
///             _ => Phase::turn(Seat::new(state.turn)),
///         }
///     }
///
///     fn legal_actions(&self, _: &Position, _: Seat, actions: &mut Vec<Pick>) {
///         actions.extend_from_slice(Pick::ALL);
///     }
///     fn action_bound(&self) -> u32 { 2 }
///     fn action_id(&self, _: &Position, _: Seat, action: &Pick) -> u32 { *action as u32 }
///     fn apply_unchecked(
///         &self, state: &mut Position, _: Seat, pick: &Pick, _: &mut impl EventSink<String>,
///     ) {
///         match pick {
///             Pick::Take => state.score(3),
///             Pick::Roll => state.rolling = true,
///         }
///     }
///
///     fn chance_outcomes(&self, _: &Position) -> Option<Vec<(u8, f64)>> {
///         Some((1..=6).map(|eyes| (eyes, 1.0 / 6.0)).collect())
///     }
///     fn sample_chance(&self, _: &Position, streams: &mut ChanceStreams) -> u8 {
///         streams.stream(Purpose::Play, 0).below(6) as u8 + 1
///     }
///     fn apply_chance(&self, state: &mut Position, eyes: &u8, events: &mut impl EventSink<String>) {
///         events.emit(Audience::All, || format!("the die shows {eyes}"));
///         state.score(if *eyes == 1 { 0 } else { *eyes });
///     }
///
///     fn observe<'a>(&'a self, state: &'a Position, _: Viewer) -> &'a Position { state }
///     fn determinize(&self, seen: &&Position, _: &mut Stream, state: &mut Position) {
///         state.clone_from(seen);
///     }
///     fn score(&self, state: &Position, seat: Seat) -> i64 { state.points[seat.index()].into() }
/// }
///
/// impl Present for Race {}
/// impl Playable for Race {}
/// impl Defined for Race {
///     fn definition() -> Definition<Self> {
///         Definition::new(&INFO, Rules::default(), |rules, _seats| Ok(Race(rules)))
///     }
/// }
///
/// // The conformance laws, as in the game's tests.
/// meeple_testkit::for_every_preset::<Race>(|laws| laws.episodes(2));
/// ```
pub trait Game: Sized + Send + Sync + 'static {
    /// The rule parameters, declared with [`params!`](crate::params!).
    type Variant: Params;

    /// A position: a plain value, made of fixed arrays and small indices if the game allows this.
    type State: Clone + Eq + Hash + Debug + Serialize + Send + Sync;

    /// A decision of a seat. `Display` and `FromStr` are one unambiguous text form: printed text parses to
    /// the same action.
    type Action: Clone + Eq + Ord + Hash + Debug + Display + FromStr<Err: Display> + Default + Send + Sync;

    /// One chance outcome: a small value, whose text form identifies it in replays.
    type Chance: Clone + Eq + Debug + Display + FromStr<Err: Display> + Send + Sync;

    /// An event. `Display` is its log line; its serde form goes to bots and the web.
    type Event: Clone + Debug + Display + Serialize + Send + Sync;

    /// A viewer's observation, borrowing the game and the state. Its fields must be private to the module
    /// that builds it, so that agents in the same crate cannot reach the state. Its serde form holds exactly
    /// the viewer's knowledge.
    ///
    /// The observation after a step still shows everything that the events of this step revealed to the
    /// viewer. Later observations may forget it, as the game decides. A game therefore remembers, for
    /// example, its last action, or cards shown before the table was cleared; the law `events-keep-secrets`
    /// checks this.
    type Observation<'a>: Serialize;

    /// Static facts: id, name, seats, presets.
    fn info(&self) -> &'static GameInfo;

    /// True if everybody always knows which seats owe a decision. Hosts then show whose turn it is and whose
    /// clock runs. The default is false with hidden information, where turns may be secret; such games
    /// override it if turns are public. A law checks the answer, and also that no decision is hidden
    /// ([`decision_audience`](Self::decision_audience)).
    fn decides_openly(&self) -> bool {
        !matches!(self.info().information, Information::Hidden)
    }

    /// The variant the game was set up with.
    fn variant(&self) -> &Self::Variant;

    /// Number of seats.
    fn seats(&self) -> usize;

    /// The state before any event: chance has not yet set up the table.
    fn initial_state(&self) -> Self::State;

    /// Resets `state` to the initial state, reusing its memory.
    #[inline]
    fn reset(&self, state: &mut Self::State) {
        state.clone_from(&self.initial_state());
    }

    /// The phase: chance, the seats that owe a decision, or the end. [`Phase::Decide`] never has an empty
    /// set.
    fn phase(&self, state: &Self::State) -> Phase;

    /// Appends to `actions` (empty when called) the legal actions of a seat that owes a decision: sorted,
    /// without duplicates, at least one. For structured actions it appends nothing.
    fn legal_actions(&self, state: &Self::State, seat: Seat, actions: &mut Vec<Self::Action>);

    /// Exclusive upper bound of the ids of listed actions in every state, at most [`MAX_IDS`]: the length of
    /// a policy vector. 0 for structured actions.
    fn action_bound(&self) -> u32 {
        0
    }

    /// The dense id of a legal action of a seat that owes a decision. Distinct actions have distinct ids,
    /// which depend only on the seat's knowledge. In games with few actions an id has the same meaning in
    /// every state. In other games ids index something visible, such as the open places, and the game
    /// documents what.
    fn action_id(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> u32 {
        let _ = (state, seat, action);
        0
    }

    /// Writes 1 at the ids of the legal actions of a seat that owes a decision, into a zeroed mask. `scratch`
    /// is a buffer for lists of actions. Games override the method if ids are cheaper to compute than
    /// actions.
    fn mark_ids(&self, state: &Self::State, seat: Seat, scratch: &mut Vec<Self::Action>, mask: &mut [u8]) {
        scratch.clear();
        self.legal_actions(state, seat, scratch);
        for action in scratch {
            mask[self.action_id(state, seat, action) as usize] = 1;
        }
    }

    /// The legal action with this id; `None` if there is none.
    fn action_of(&self, state: &Self::State, seat: Seat, id: u32) -> Option<Self::Action> {
        let mut legal = Vec::new();
        self.legal_actions(state, seat, &mut legal);
        legal.into_iter().find(|action| self.action_id(state, seat, action) == id)
    }

    /// Checks that a seat that owes a decision may take this action. The default looks the action up in the
    /// list; structured actions need an override.
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

    /// Takes a legal action, without a check. After an illegal one the state is unspecified (but safe).
    /// Playouts use this method, because their agents choose among the legal actions.
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
    /// If the seat owes no decision or the action is illegal; the state is unchanged then.
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

    /// Returns true if a seat owes a decision or may owe one later. If false, hosts may stop recording events
    /// for the seat. The default is `true`, which is always correct.
    fn can_still_decide(&self, state: &Self::State, seat: Seat) -> bool {
        let _ = (state, seat);
        true
    }

    /// Viewers who may learn *that* this decision happens (not its content); the seat itself always may. By
    /// default everybody may. Games with hidden decisions, such as a secret trade, override the method.
    ///
    /// A spectator sees the table before every step that the spectator may notice, and at the end. Nothing is
    /// shown between hidden steps, because their number would leak information. `action` may be illegal.
    fn decision_audience(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> Audience {
        let _ = (state, seat, action);
        Audience::All
    }

    /// Draws a legal action at random. Every legal action must have a positive probability, but the
    /// distribution need not be uniform. `scratch` is empty when called and may be left in any state.
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

    /// The fallback action of a seat whose player fails to decide (too late, illegal, gone). It must be
    /// legal, equal in equal states, and as neutral as the rules allow. The default is the first legal
    /// action, or for structured actions the default value, which must be legal then.
    fn fallback_action(&self, state: &Self::State, seat: Seat) -> Self::Action {
        let mut legal = Vec::new();
        self.legal_actions(state, seat, &mut legal);
        legal.into_iter().next().unwrap_or_default()
    }

    /// Appends the text of an action, equal to its `Display`. Games override the method to avoid format
    /// strings, because replays consist of action texts.
    fn write_action(action: &Self::Action, text: &mut TextWriter<'_>) {
        text.push_shown(action);
    }

    /// Appends the text of a chance outcome, as [`write_action`](Self::write_action) does for actions.
    fn write_chance(chance: &Self::Chance, text: &mut TextWriter<'_>) {
        text.push_shown(chance);
    }

    /// Appends an event as JSON, equal to its serde form (a law checks it). Games with very many events
    /// override it for speed.
    fn write_event(event: &Self::Event, out: &mut Vec<u8>) {
        json::write(event, out).expect("events serialise: a law checks it");
    }

    /// JSON Schema of the structured actions that [`read_json`](Self::read_json) accepts. The default is the
    /// text form.
    fn action_schema(&self) -> serde_json::Value {
        serde_json::json!({ "type": "string" })
    }

    /// Reads an action from a program's JSON, in the form of [`action_schema`](Self::action_schema). The
    /// action may still be illegal.
    ///
    /// # Errors
    /// A description of the expected input.
    fn read_json(&self, json: &str) -> Result<Self::Action, String> {
        let text: String = serde_json::from_str(json).map_err(|error| error.to_string())?;
        text.parse().map_err(|error: <Self::Action as FromStr>::Err| error.to_string())
    }

    /// Draws the next chance outcome; called only in [`Phase::Chance`]. See [`ChanceStreams::stream`] for the
    /// choice of purpose and key.
    fn sample_chance(&self, state: &Self::State, streams: &mut ChanceStreams) -> Self::Chance;

    /// Applies a chance outcome; called only in [`Phase::Chance`], with a possible outcome.
    fn apply_chance(
        &self,
        state: &mut Self::State,
        chance: &Self::Chance,
        events: &mut impl EventSink<Self::Event>,
    );

    /// Draws and applies a chance outcome in one step. Games override it only with something faster; a law
    /// checks that the result is the same.
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

    /// All outcomes of the pending chance draw, with their probabilities (summing to 1). `None` if there are
    /// too many to list.
    fn chance_outcomes(&self, state: &Self::State) -> Option<Vec<(Self::Chance, f64)>>;

    /// Checks that this outcome is possible now. Games whose outcomes cannot be listed override it.
    ///
    /// # Errors
    /// The reason why the outcome is impossible.
    fn check_chance(&self, state: &Self::State, chance: &Self::Chance) -> Result<(), Illegal> {
        match self.chance_outcomes(state) {
            Some(outcomes) if !outcomes.iter().any(|(outcome, _)| outcome == chance) => {
                Err(Illegal::new(format!("chance cannot draw {chance} here")))
            }
            _ => Ok(()),
        }
    }

    /// The viewer's observation of `state`.
    fn observe<'a>(&'a self, state: &'a Self::State, viewer: Viewer) -> Self::Observation<'a>;

    /// The information key: equal for two states exactly if the viewer cannot distinguish them (up to 128-bit
    /// collisions). The default hashes the observation's serde form. This is correct if observations hold
    /// everything that the viewer may remember, and allocates only if serialising does.
    fn information_key(&self, state: &Self::State, viewer: Viewer) -> u128 {
        key::of(&self.observe(state, viewer))
    }

    /// Writes a state consistent with the observation into `state`. Everything hidden from the viewer is
    /// drawn at random: uniformly over the consistent states, or by a prior that the game documents.
    fn determinize(&self, observation: &Self::Observation<'_>, rng: &mut Stream, state: &mut Self::State);

    /// The seat's current score, which that seat must be allowed to know.
    fn score(&self, state: &Self::State, seat: Seat) -> i64;

    /// Writes scores, places and end reason of a finished episode. `outcome` is cleared when called.
    #[inline(always)] // for the same reason as `rank` in outcome.rs
    fn outcome(&self, state: &Self::State, outcome: &mut Outcome) {
        outcome.scores.extend(Seat::all(self.seats()).map(|seat| self.score(state, seat)));
        outcome.rank_by_score();
    }

    /// Length of an episode after `decisions` decisions, in [`GameInfo::length_unit`].
    #[inline]
    fn length(&self, state: &Self::State, decisions: u64) -> u64 {
        let _ = state;
        decisions
    }

    /// Returns true if the turn order is drawn in every episode. Results are then reported by
    /// [`turn_place`](Self::turn_place), because the seat does not determine the order.
    #[inline]
    fn draws_turn_order(&self) -> bool {
        false
    }

    /// The place of a seat in the turn order, from 0, in a finished episode. By default the order of seats.
    #[inline]
    fn turn_place(&self, state: &Self::State, seat: Seat) -> usize {
        let _ = state;
        seat.index()
    }

    /// Writes the game's own figures of a finished episode. `sheet` is cleared when called.
    #[inline]
    fn figures(&self, state: &Self::State, sheet: &mut FigureSheet) {
        let _ = (state, sheet);
    }
}
