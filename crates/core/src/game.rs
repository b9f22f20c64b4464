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
/// # How the methods relate
///
/// An episode starts from [`initial_state`](Game::initial_state). Until [`phase`](Game::phase) is
/// [`Phase::Over`], chance or the named seats advance it:
///
/// * [`Phase::Chance`]: [`sample_chance`](Game::sample_chance) draws an outcome without changing the state,
///   [`apply_chance`](Game::apply_chance) applies it.
/// * [`Phase::Decide`]: every seat of the set gives one action, in any order, through [`apply`](Game::apply)
///   (checked) or [`apply_unchecked`](Game::apply_unchecked) (for playouts). Until the last one arrives, the
///   state only stores them: the set shrinks, and neither another seat's observation nor its legal actions
///   change. The last one resolves.
///
/// A state is a plain value: search copies it (`clone_from` into a reused buffer), and there is no undo. It
/// holds nothing undrawn: a deck is a multiset, not an order.
///
/// # Who may see what
///
/// Agents, drawings and bots receive an [`Observation`](Game::Observation), a view of the viewer's knowledge.
/// A searching agent turns it back into a state that *could* be true with [`determinize`](Game::determinize),
/// which sees only the observation, so it cannot leak the state.
///
/// # Purity
///
/// Every method is a function of its arguments: no clock, files, environment, printing, threads, global
/// randomness or hash order.
///
/// The laws of `meeple-testkit` check all of this for a game in a few lines.
///
/// # Example
///
/// A whole game: in turn, two seats either take three points or roll a die, of which a one counts nothing.
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

    /// A position: a plain value of fixed arrays and small indices, wherever the game allows it.
    type State: Clone + Eq + Hash + Debug + Serialize + Send + Sync;

    /// A decision of a seat. `Display` and `FromStr` are one unambiguous text form: printed text parses to
    /// the same action.
    type Action: Clone + Eq + Ord + Hash + Debug + Display + FromStr<Err: Display> + Default + Send + Sync;

    /// One chance outcome: small, with a text form that is its id in replays.
    type Chance: Clone + Eq + Debug + Display + FromStr<Err: Display> + Send + Sync;

    /// An event. `Display` is its log line; its serde form goes to bots and the web.
    type Event: Clone + Debug + Display + Serialize + Send + Sync;

    /// A viewer's observation, borrowing the game and the state. Its fields must be private to the module
    /// that builds it: agents in the same crate must not reach the state either. Its serde form holds exactly
    /// the viewer's knowledge.
    type Observation<'a>: Serialize;

    /// Static facts: id, name, seats, presets.
    fn info(&self) -> &'static GameInfo;

    /// True if everybody always knows which seats owe a decision: hosts then show whose turn it is and whose
    /// time runs. With hidden information this may be secret, so such games declare it themselves; a law
    /// checks it, and that no decision is hidden ([`decision_audience`](Self::decision_audience)).
    fn decides_openly(&self) -> bool {
        !matches!(self.info().information, Information::Hidden)
    }

    /// The variant the game was set up with.
    fn variant(&self) -> &Self::Variant;

    /// Number of seats.
    fn seats(&self) -> usize;

    /// The state before any event, even before chance sets up the table.
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

    /// Exclusive upper bound of the ids of listed actions, in every state: the length of a policy vector, at
    /// most [`MAX_IDS`]. 0 for structured actions.
    fn action_bound(&self) -> u32 {
        0
    }

    /// The dense id of a legal action of a seat that owes a decision: distinct for distinct actions, and a
    /// function of the seat's knowledge. In games with few actions an id means the same in every state;
    /// otherwise ids index something visible, such as the open places, and the game documents what.
    fn action_id(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> u32 {
        let _ = (state, seat, action);
        0
    }

    /// Writes 1 at the ids of the legal actions of a seat that owes a decision, into a zeroed mask. `scratch`
    /// is memory for listing actions. Games override it where ids are cheaper to compute than actions.
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

    /// Takes a legal action. After an illegal one the state is unspecified (but safe): this is for playouts
    /// whose agents choose from the legal actions.
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

    /// Returns true if a seat owes a decision or may owe one later; if false, hosts may stop recording events
    /// for it. The default is `true`, which is always correct.
    fn can_still_decide(&self, state: &Self::State, seat: Seat) -> bool {
        let _ = (state, seat);
        true
    }

    /// The viewers who may learn *that* this decision happens (not its content). The seat itself always does.
    /// By default everybody does; a game overrides it for hidden decisions, such as a secret trade.
    ///
    /// A spectator sees the table before every step that it may know of, and at the end, but nothing between
    /// hidden steps: their number would leak information. The action may be illegal.
    fn decision_audience(&self, state: &Self::State, seat: Seat, action: &Self::Action) -> Audience {
        let _ = (state, seat, action);
        Audience::All
    }

    /// Draws a legal action at random with full support, not necessarily uniformly. `scratch` comes empty and
    /// may be left in any state.
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

    /// The fallback action of a seat whose player fails to decide (too late, illegal, gone): always legal,
    /// equal in equal states, and as neutral as the rules allow. The default is the first legal action, or
    /// the default value of structured actions, which must be legal then.
    fn fallback_action(&self, state: &Self::State, seat: Seat) -> Self::Action {
        let mut legal = Vec::new();
        self.legal_actions(state, seat, &mut legal);
        legal.into_iter().next().unwrap_or_default()
    }

    /// Appends the text of an action, equal to its `Display`, without format strings: replays consist of
    /// action texts.
    fn write_action(action: &Self::Action, text: &mut TextWriter<'_>) {
        text.push_shown(action);
    }

    /// Appends the text of a chance outcome; as [`write_action`](Self::write_action).
    fn write_chance(chance: &Self::Chance, text: &mut TextWriter<'_>) {
        text.push_shown(chance);
    }

    /// Appends an event as JSON, equal to its serde form (a law checks it). Games with very many events
    /// override it.
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

    /// Applies a chance outcome; called only in [`Phase::Chance`] with a possible outcome.
    fn apply_chance(
        &self,
        state: &mut Self::State,
        chance: &Self::Chance,
        events: &mut impl EventSink<Self::Event>,
    );

    /// Draws and applies in one step. Override it only where that is faster; a law checks that the result is
    /// the same.
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

    /// All outcomes of the pending chance draw, with their probabilities (summing to 1); `None` if they are
    /// too many to list.
    fn chance_outcomes(&self, state: &Self::State) -> Option<Vec<(Self::Chance, f64)>>;

    /// Checks that this outcome is possible now. Games whose outcomes cannot be listed override it.
    ///
    /// # Errors
    /// The reason why it is impossible.
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

    /// The information key: equal for two states exactly when the viewer cannot distinguish them (up to
    /// 128-bit collisions). The default hashes the observation's serde form, which is correct whenever
    /// observations hold everything the viewer may remember, and allocates only if serialising does.
    fn information_key(&self, state: &Self::State, viewer: Viewer) -> u128 {
        key::of(&self.observe(state, viewer))
    }

    /// Writes a state consistent with the observation into `state`, drawing everything hidden from the viewer
    /// at random: uniformly over the consistent states, or by a prior that the game documents.
    fn determinize(&self, observation: &Self::Observation<'_>, rng: &mut Stream, state: &mut Self::State);

    /// The seat's current score. The viewer at that seat must know it.
    fn score(&self, state: &Self::State, seat: Seat) -> i64;

    /// Writes scores, places and end reason of a finished episode. `outcome` comes cleared.
    #[inline(always)] // as Outcome::rank_by_score
    fn outcome(&self, state: &Self::State, outcome: &mut Outcome) {
        outcome.scores.extend(Seat::all(self.seats()).map(|seat| self.score(state, seat)));
        outcome.rank_by_score();
    }

    /// Length of a finished episode with `decisions` decisions, in [`GameInfo::length_unit`].
    #[inline]
    fn length(&self, state: &Self::State, decisions: u64) -> u64 {
        let _ = state;
        decisions
    }

    /// Returns true if the turn order is drawn in every episode. Results are then reported by
    /// [`turn_place`](Self::turn_place), since seats say nothing about the order.
    #[inline]
    fn draws_turn_order(&self) -> bool {
        false
    }

    /// The place of a seat in the turn order, from 0, in a finished episode. The default is the seat order.
    #[inline]
    fn turn_place(&self, state: &Self::State, seat: Seat) -> usize {
        let _ = state;
        seat.index()
    }

    /// Writes the game's own figures of a finished episode. `sheet` comes cleared.
    #[inline]
    fn figures(&self, state: &Self::State, sheet: &mut FigureSheet) {
        let _ = (state, sheet);
    }
}
