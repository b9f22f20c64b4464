//! The contract every game fulfils.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::ops::RangeInclusive;
use std::str::FromStr;

use meeple_scene::{Color, Key, Scene, Screen, palette};
use serde::Serialize;
use thiserror::Error;

use crate::agent::AgentInfo;
use crate::event::{Audience, EventSink, Level, NoEvents};
use crate::film::{Film, FilmError};
use crate::outcome::Outcome;
use crate::params::Params;
use crate::playout::Table;
use crate::seat::{Seat, SeatSet};
use crate::stream::{ChanceStreams, Stream};
use crate::tool::Tool;

/// The facts of a game, declared as data. The conformance laws check them against the code.
#[derive(Clone, Debug)]
pub struct GameInfo {
    /// Name on the command line and of the crate's folder: lower case, words joined by `-`.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// One line: what kind of game it is.
    pub summary: &'static str,
    /// Version of the rules as implemented; a replay of another version is refused.
    pub rules_version: u32,
    /// The text of RULES.md.
    pub rules: &'static str,
    /// The text of GUIDE.md: a quick reference, a first game and tips, under the headings of [`GUIDE_SECTIONS`].
    pub guide: &'static str,
    /// Numbers of seats the game can be played with.
    pub seats: RangeInclusive<usize>,
    /// With how many it is best, and what more or fewer make of it, in a clause; empty if it does not matter.
    pub seats_advice: &'static str,
    /// How a seat's actions can be given.
    pub actions: ActionKind,
    /// What seats may not know.
    pub information: Information,
    /// Whether several seats may owe a decision at once.
    pub simultaneous: bool,
    /// Named sets of variant parameters; the first is the default.
    pub presets: &'static [Preset],
    /// Named sets of variant parameters selected by `--set profile=NAME` on top of a preset; empty if the
    /// game has none.
    pub profiles: &'static [Preset],
    /// What a score counts, in the plural.
    pub score_unit: &'static str,
    /// What [`Game::length`] counts, in the plural.
    pub length_unit: &'static str,
    /// End reasons; [`Outcome::end`] is an index into them.
    pub ends: &'static [&'static str],
    /// Figures of one episode, in the order of [`FigureSheet::episode`].
    pub episode_figures: &'static [Figure],
    /// Figures of one seat, in the order of [`FigureSheet::seat`].
    pub seat_figures: &'static [Figure],
    /// Line-up for a first look, as in `meeple sim GAME LINE-UP`; also the line-up of the benchmark.
    pub demo: &'static [&'static str],
    /// Agent for seats that the line-up does not name, in games whose number of seats is fixed by the
    /// variant; `None` if every seat must be named.
    pub filler: Option<&'static str>,
    /// What a person may type, for `help` in terminal play.
    pub input_help: &'static str,
    /// The agent that a person who asks for a hint is advised by, as in a line-up: the strongest that decides
    /// at once.
    pub advisor: &'static str,
}

/// The sections that a game's guide has, in this order.
pub const GUIDE_SECTIONS: [&str; 3] = ["In one page", "Your first game", "Tips"];

impl GameInfo {
    /// A game info with only the mandatory facts: `const INFO: GameInfo = GameInfo { .., ..GameInfo::new(..) }`.
    pub const fn new(id: &'static str, name: &'static str, rules: &'static str) -> Self {
        Self {
            id,
            name,
            summary: "",
            rules_version: 1,
            rules,
            guide: "",
            seats: 2..=2,
            seats_advice: "",
            actions: ActionKind::Listed,
            information: Information::Perfect,
            simultaneous: false,
            presets: &[Preset { name: "default", doc: "The game as it is.", set: &[] }],
            profiles: &[],
            score_unit: "points",
            length_unit: "decisions",
            ends: &["rules"],
            episode_figures: &[],
            seat_figures: &[],
            demo: &[],
            filler: None,
            input_help: "Type one of the listed actions.",
            advisor: "",
        }
    }
}

/// How a seat's actions can be given.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ActionKind {
    /// All legal actions can be listed: sorted, without duplicates, never empty for a seat that owes a
    /// decision, each with a dense id.
    Listed,
    /// There are too many to list; they can be sampled and checked.
    Structured,
}

/// What seats may not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Information {
    /// Everything is known to everybody, but for chance to come.
    Perfect,
    /// All seats know the same, apart from decisions made at the same time.
    Public,
    /// Seats know different things.
    Hidden,
}

/// A named set of variant parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Preset {
    /// Its name, as in `game/preset`.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub doc: &'static str,
    /// Parameters that differ from the defaults, in text form.
    pub set: &'static [(&'static str, &'static str)],
}

/// A figure of the game's own, aggregated and drawn by the laboratory.
///
/// Declared by one of its constructors, which do not compile in a constant without a doc and a unit:
///
/// ```
/// use meeple_core::Figure;
/// const BUSTS: Figure = Figure::count("busts", "rounds", "Rounds in which everybody lost everything.");
/// ```
///
/// ```compile_fail
/// use meeple_core::Figure;
/// const BUSTS: Figure = Figure::count("busts", "rounds", "");
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figure {
    /// Key in JSON and column name: lower case, whole words joined by `_`.
    pub name: &'static str,
    /// Unit, in the plural (`cards`, `gems`, `share`).
    pub unit: &'static str,
    /// What it says, in one sentence on one line.
    pub doc: &'static str,
    /// What its values are.
    pub kind: FigureKind,
}

/// What the values of a figure are, which decides how they are stored and what is said of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FigureKind {
    /// A whole number: stored as one; mean and spread are told.
    Count,
    /// Any number, as a share or a mean; mean and spread are told.
    Amount,
    /// One of these words, at most [`FigureKind::MOST_WORDS`] of them; the value is its index. How often each
    /// came up is told, never a mean.
    Category(&'static [&'static str]),
    /// A seat, or [`Figure::NOBODY`]. How often it was whose is told, by who sat there.
    Seat,
}

impl FigureKind {
    /// Most words of a category.
    pub const MOST_WORDS: usize = 64;

    /// Whether values can be averaged.
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Count | Self::Amount)
    }

    /// Its word in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Count => "count",
            Self::Amount => "amount",
            Self::Category(_) => "category",
            Self::Seat => "seat",
        }
    }
}

impl Figure {
    /// The value of a figure of seats that names none.
    pub const NOBODY: f64 = -1.0;

    const fn new(name: &'static str, unit: &'static str, doc: &'static str, kind: FigureKind) -> Self {
        assert!(!name.is_empty() && !unit.is_empty(), "a figure has a name and a unit");
        assert!(!doc.is_empty(), "a figure says in one sentence what it means");
        Self { name, unit, doc, kind }
    }

    /// A whole number.
    ///
    /// # Panics
    /// If a text is empty; so do the others.
    pub const fn count(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self::new(name, unit, doc, FigureKind::Count)
    }

    /// Any number.
    pub const fn amount(name: &'static str, unit: &'static str, doc: &'static str) -> Self {
        Self::new(name, unit, doc, FigureKind::Amount)
    }

    /// One of these words.
    pub const fn category(
        name: &'static str,
        unit: &'static str,
        doc: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        assert!(!words.is_empty() && words.len() <= FigureKind::MOST_WORDS, "a category has 1 to 64 words");
        Self::new(name, unit, doc, FigureKind::Category(words))
    }

    /// A seat, or nobody.
    pub const fn seat(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, "seats", doc, FigureKind::Seat)
    }

    /// Whether a table of `seats` seats can give this value.
    pub fn allows(&self, value: f64, seats: usize) -> bool {
        let whole = value.fract() == 0.0;
        match self.kind {
            FigureKind::Amount => value.is_finite(),
            // What a double holds exactly.
            FigureKind::Count => whole && value.abs() <= (1u64 << f64::MANTISSA_DIGITS) as f64,
            FigureKind::Category(words) => whole && (0.0..words.len() as f64).contains(&value),
            FigureKind::Seat => whole && (Self::NOBODY..seats as f64).contains(&value),
        }
    }
}

/// The figures of one episode. The game fills it in [`Game::figures`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureSheet {
    episode: Vec<f64>,
    seats: Vec<f64>,
}

impl FigureSheet {
    /// Empties the sheet, keeping its buffers.
    #[inline]
    pub fn clear(&mut self) {
        self.episode.clear();
        self.seats.clear();
    }

    /// Adds the figures of the episode, in the order of [`GameInfo::episode_figures`].
    #[inline]
    pub fn episode<const N: usize>(&mut self, values: [f64; N]) {
        self.episode.extend_from_slice(&values);
    }

    /// Adds the figures of the next seat, in the order of [`GameInfo::seat_figures`].
    #[inline]
    pub fn seat<const N: usize>(&mut self, values: [f64; N]) {
        self.seats.extend_from_slice(&values);
    }

    /// Figures of the episode.
    #[inline]
    pub fn episode_values(&self) -> &[f64] {
        &self.episode
    }

    /// Figures by seat: all of seat 0, then all of seat 1, …
    #[inline]
    pub fn seat_values(&self) -> &[f64] {
        &self.seats
    }
}

/// Who must act next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Each of these seats owes a decision. They may give it in any order; nobody sees another's.
    Decide(SeatSet),
    /// Chance draws.
    Chance,
    /// The episode has ended.
    Over,
}

impl Phase {
    /// One seat owes a decision.
    #[inline]
    pub const fn turn(seat: Seat) -> Self {
        Self::Decide(SeatSet::single(seat))
    }

    /// Whether `seat` owes a decision.
    #[inline]
    pub const fn owes(self, seat: Seat) -> bool {
        matches!(self, Self::Decide(seats) if seats.contains(seat))
    }
}

/// Who owes a decision, as a clause: `seats 0, 1 and 4 owe a decision`.
pub(crate) fn owed_by(seats: SeatSet) -> String {
    format!("{seats} {} a decision", if seats.len() > 1 { "owe" } else { "owes" })
}

/// From whose place the table is looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Viewer {
    /// A seat: what it may know.
    Seat(Seat),
    /// A spectator: what everybody may know.
    Public,
    /// Nothing is hidden: for replays of finished episodes.
    Everything,
}

impl Viewer {
    /// Whether the viewer may see what is private to `seat`.
    #[inline]
    pub fn sees(self, seat: Seat) -> bool {
        match self {
            Self::Seat(own) => own == seat,
            Self::Public => false,
            Self::Everything => true,
        }
    }
}

/// What a drawing or a terminal screen is made from.
pub struct View<'a, G: Game> {
    /// Who looks.
    pub viewer: Viewer,
    /// What is seen.
    pub observation: G::Observation<'a>,
    /// The actions that may be clicked or typed now; empty when the viewer owes nothing, or for structured
    /// actions.
    pub legal: &'a [G::Action],
    /// The events that the viewer has seen, oldest first.
    pub events: &'a [&'a G::Event],
    /// Who sits where, by seat.
    pub players: &'a [String],
}

/// Why an action cannot be taken. The state is as it was.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{reason}")]
pub struct Illegal {
    /// What was expected and what was found, with the rule's clause where there is one.
    pub reason: String,
}

impl Illegal {
    /// With this reason.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

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
    const INFO: GameInfo;

    /// The game with this variant, for `seats` seats (within [`GameInfo::seats`]; checked by the caller).
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    fn new(variant: Self::Variant, seats: usize) -> Result<Self, SetupError>;

    /// The variant it was made with.
    fn variant(&self) -> &Self::Variant;

    /// Number of seats.
    fn seats(&self) -> usize;

    /// Number of seats of a table where `named` players were named: as many as named, unless the variant
    /// fixes it and [`GameInfo::filler`] fills the rest.
    fn seats_for(variant: &Self::Variant, named: usize) -> usize {
        let _ = variant;
        named
    }

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

    /// Ids of listed actions are below this bound, in every state. 0 for structured actions.
    fn action_bound(&self) -> u32 {
        0
    }

    /// The dense id of a listed action: distinct for distinct legal actions of the same state, and the same
    /// meaning in every state of the same game.
    fn action_id(&self, action: &Self::Action) -> u32 {
        let _ = action;
        0
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
            return Err(Illegal::new(match self.phase(state) {
                Phase::Over => format!("seat {seat} cannot act: the episode is over"),
                Phase::Chance => format!("seat {seat} cannot act: chance draws first"),
                Phase::Decide(seats) => {
                    format!("seat {seat} owes no decision; {}", owed_by(seats))
                }
            }));
        }
        self.check(state, seat, action)?;
        self.apply_unchecked(state, seat, action, events);
        Ok(())
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

    /// Structured actions as programs give them: the JSON Schema of what [`read_json`](Self::read_json)
    /// takes. The default is the text form.
    fn action_schema() -> serde_json::Value {
        serde_json::json!({ "type": "string" })
    }

    /// Reads an action that a program gave as JSON, in the form of [`action_schema`](Self::action_schema).
    /// The action may still be illegal.
    ///
    /// # Errors
    /// What was expected.
    fn read_json(json: &str) -> Result<Self::Action, String> {
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

    /// Plays an episode from `state` to its end: the inner loop of every simulation. Nothing is checked or
    /// recorded. Override it only where that is faster, as in games of a few thousand instructions; a law
    /// checks that it is the same.
    #[inline]
    fn play_out(&self, state: &mut Self::State, table: &mut Table<Self>, streams: &mut ChanceStreams) {
        loop {
            match self.phase(state) {
                Phase::Chance => self.resolve_chance(state, streams, &mut NoEvents),
                Phase::Decide(seats) => {
                    for seat in seats {
                        let action = table.ask(self, state, seat);
                        debug_assert_eq!(self.check(state, seat, &action), Ok(()), "agents play legally");
                        self.apply_unchecked(state, seat, &action, &mut NoEvents);
                        table.recycle(seat, action);
                    }
                }
                Phase::Over => return,
            }
        }
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

    /// Equal for two states exactly when the viewer cannot tell them apart. The default is the serde form of
    /// the observation, which is right whenever observations remember all that the viewer may remember.
    fn information_key(&self, state: &Self::State, viewer: Viewer) -> String {
        let observation = self.observe(state, viewer);
        serde_json::to_string(&observation).expect("observations serialise: a law checks it")
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

    /// The table as a drawing. Shapes that stand for a legal action carry its text form. The default is a
    /// plain sheet with the observation as text and a button for every action.
    fn draw(&self, view: &View<'_, Self>) -> Scene {
        crate::plain::draw(self, view)
    }

    /// What shapes and colours of the drawing stand for, in the order in which somebody new would ask. Colours of
    /// players are not among it: see [`player_color`](Self::player_color).
    fn legend(&self, players: &[String]) -> Vec<Key> {
        let _ = players;
        Vec::new()
    }

    /// The colour in which what belongs to a seat is drawn.
    fn player_color(&self, seat: Seat, players: &[String]) -> Color {
        let _ = players;
        palette::seat_color(seat.index())
    }

    /// The table as text for a terminal. The default prints the observation.
    fn screen(&self, view: &View<'_, Self>) -> Screen {
        crate::plain::screen(self, view)
    }

    /// How much an event matters to who watches.
    fn event_level(event: &Self::Event) -> Level {
        let _ = event;
        Level::Turn
    }

    /// Reads what a person typed as an action, at a table that the person sees so. The default is the action's
    /// text form; a game may accept more ("y" for "stay", "all" for what is there). The action may still be
    /// illegal.
    ///
    /// # Errors
    /// What was expected.
    fn read_input(&self, seen: &Self::Observation<'_>, text: &str) -> Result<Self::Action, String> {
        let _ = seen;
        text.trim().parse().map_err(|error: <Self::Action as FromStr>::Err| error.to_string())
    }

    /// Whether a player may be drawn in this colour (`AGENT@COLOUR` in a line-up). The default knows none: most
    /// games have colours of their own for their seats.
    ///
    /// # Errors
    /// What was expected.
    fn check_color(text: &str) -> Result<(), String> {
        Err(format!("{} chooses its players' colours itself, found '@{text}'", Self::INFO.id))
    }

    /// Reads a game record of another program's format: `None` if the text is none of this game. `looks` are
    /// words of the user's about how it should be shown.
    fn film(text: &str, looks: &[String]) -> Option<Result<Film, FilmError>> {
        let _ = (text, looks);
        None
    }

    /// The game's own agents.
    fn agents() -> Vec<AgentInfo<Self>> {
        Vec::new()
    }

    /// The game's own tools: exact values, map generators, …
    fn tools() -> Vec<Tool<Self>> {
        Vec::new()
    }
}
