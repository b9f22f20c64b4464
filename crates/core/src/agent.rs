//! Agents: in-process decision functions.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::analysis::Analysis;
use crate::game::Game;
use crate::info::{ActionKind, GameInfo};
use crate::params::{ParamSpec, ParamValue, Params, did_you_mean};
use crate::phase::{Illegal, Phase, Viewer};
use crate::seat::Seat;
use crate::spec::{AgentError, AgentSpec};
use crate::stream::{EpisodeSeed, Stream};

/// A decision function.
///
/// One value plays many episodes in turn, perhaps at different seats. [`begin_episode`](Self::begin_episode)
/// must reset it, because the same seed must reproduce the same decisions.
pub trait Agent<G: Game>: Send {
    /// Starts a new episode at this seat.
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        let _ = (game, seat);
    }

    /// Decides. The action must be legal, since playouts do not check it.
    fn act(&mut self, turn: Turn<'_, G>) -> G::Action;
}

/// Thinking budget for a decision. The clock stays with the host.
#[derive(Clone, Debug, Default)]
pub enum Budget {
    /// The agent's own parameters decide.
    #[default]
    Own,
    /// Number of the agent's iterations (playouts, simulations); the agent completes at least one round. The
    /// decision is the same on any machine.
    Iterations(u64),
    /// The agent thinks until the host raises this flag. [`Iterations`](Self::Iterations) with the number
    /// reported in the [`Analysis`] reproduces the decision.
    Until(Arc<AtomicBool>),
}

/// A flag by which a host cancels its request. Clones share the flag.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// A token that is not raised.
    pub fn new() -> Self {
        Self::default()
    }

    /// Raises the flag permanently.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns true once the flag is raised.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Input of a decision: the game, the seat's observation, its legal actions and its random stream. The state
/// itself stays hidden.
///
/// A turn is two pointers wide, so it travels in registers. Calling the agent is half of the work of a fast
/// playout.
pub struct Turn<'a, G: Game> {
    position: &'a Position<'a, G>,
    asked: &'a mut AskedSeat<G>,
}

/// Game and state at a decision, shared by all seats that decide at the same moment. The state itself stays
/// hidden.
pub struct Position<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
}

impl<'a, G: Game> Position<'a, G> {
    /// The position of this game in this state.
    #[inline]
    pub fn new(game: &'a G, state: &'a G::State) -> Self {
        Self { game, state }
    }

    /// The game with its variant and seats.
    #[inline]
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The viewer's observation of the state.
    #[inline]
    pub fn observe(&self, viewer: Viewer) -> G::Observation<'a> {
        self.game.observe(self.state, viewer)
    }

    /// Appends the legal actions of a seat that owes a decision; see [`Game::legal_actions`].
    #[inline]
    pub fn legal_actions(&self, seat: Seat, actions: &mut Vec<G::Action>) {
        self.game.legal_actions(self.state, seat, actions);
    }

    /// The phase: chance, the seats that owe a decision, or the end.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.game.phase(self.state)
    }
}

/// A seat that decides: its agent's random stream, the host's request, and buffers that avoid allocations.
pub struct AskedSeat<G: Game> {
    stream: Stream,
    seat: Seat,
    legal: Vec<G::Action>,
    spare: G::Action,
    budget: Budget,
    /// The analysis, filled by the agent; `None` if the host does not ask for one.
    analysis: Option<Analysis<G::Action>>,
    asked_about: Option<G::Action>,
    /// True if searches may start from the full state instead of the seat's observation.
    sees_all: bool,
    cancel: Option<CancelToken>,
}

impl<G: Game> AskedSeat<G> {
    /// A seat in the episode with this seed.
    pub fn new(seed: EpisodeSeed, seat: Seat) -> Self {
        Self::with(seed.agent(seat), seat)
    }

    fn with(stream: Stream, seat: Seat) -> Self {
        let spare = G::Action::default();
        let (budget, legal) = (Budget::Own, Vec::new());
        let (analysis, asked_about, sees_all, cancel) = (None, None, false, None);
        Self { stream, seat, legal, spare, budget, analysis, asked_about, sees_all, cancel }
    }

    /// Sets the budget of the following decisions, and requests an analysis if `analysed`.
    pub fn expect(&mut self, budget: Budget, analysed: bool) {
        self.budget = budget;
        self.analysis = analysed.then(Analysis::default);
        self.asked_about = None;
    }

    /// Lets this token end decisions of the seat early; see [`Turn::is_cancelled`].
    pub fn cancel_by(&mut self, token: CancelToken) {
        self.cancel = Some(token);
    }

    /// Lets the seat's searches see the full state from now on; see [`Turn::open_cards`].
    pub fn open_cards(&mut self) {
        self.sees_all = true;
    }

    /// Includes this legal action in the analysis, until the next [`expect`](Self::expect).
    pub fn ask_about(&mut self, action: G::Action) {
        self.asked_about = Some(action);
    }

    /// The analysis that the agent has reported since [`expect`](Self::expect); `None` if none was requested.
    pub fn take_analysis(&mut self) -> Option<Analysis<G::Action>> {
        self.analysis.take()
    }

    /// Starts another episode, perhaps at another seat, and keeps the buffers.
    #[inline]
    pub fn restart(&mut self, seed: EpisodeSeed, seat: Seat) {
        self.stream = seed.agent(seat);
        self.seat = seat;
    }

    /// Returns an action's memory for reuse; see [`Turn::recycled_action`].
    #[inline]
    pub fn recycle(&mut self, action: G::Action) {
        self.spare = action;
    }

    /// The agent's random stream.
    pub fn stream(&mut self) -> &mut Stream {
        &mut self.stream
    }
}

impl<G: Game> Clone for AskedSeat<G> {
    /// A copy with empty buffers, without open cards and without a token.
    fn clone(&self) -> Self {
        Self::with(self.stream.clone(), self.seat)
    }
}

impl<'a, G: Game> Turn<'a, G> {
    /// The turn of a seat that owes a decision in this position.
    #[inline]
    pub fn new(position: &'a Position<'a, G>, asked: &'a mut AskedSeat<G>) -> Self {
        Self { position, asked }
    }

    /// The game with its variant and seats.
    #[inline]
    pub fn game(&self) -> &'a G {
        self.position.game
    }

    /// The seat that decides.
    #[inline]
    pub fn seat(&self) -> Seat {
        self.asked.seat
    }

    /// The seat's observation.
    #[inline]
    pub fn observe(&self) -> G::Observation<'a> {
        self.position.game.observe(self.position.state, Viewer::Seat(self.asked.seat))
    }

    /// The full state, if the host has opened the cards, else `None`; only experiments open them. A search
    /// that determinizes from the full state measures the value of hidden information.
    pub fn open_cards(&self) -> Option<G::Observation<'a>> {
        self.asked.sees_all.then(|| self.position.observe(Viewer::Everything))
    }

    /// The seat's information key; see [`Game::information_key`].
    pub fn information_key(&self) -> u128 {
        self.position.game.information_key(self.position.state, Viewer::Seat(self.asked.seat))
    }

    /// The thinking budget set by the host.
    #[inline]
    pub fn budget(&self) -> &Budget {
        &self.asked.budget
    }

    /// Returns true if the host wants the decision now, whatever the budget allows. Long computations poll
    /// this in every loop and return the best action found so far.
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.asked.cancel.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// The token behind [`is_cancelled`](Self::is_cancelled), for loops that do not receive the turn.
    pub fn cancel_token(&self) -> Option<&CancelToken> {
        self.asked.cancel.as_ref()
    }

    /// Returns true if the budget allows another iteration after `done`. With [`Budget::Own`] the limit is
    /// `own`. Returns false once the decision [is cancelled](Self::is_cancelled).
    #[inline]
    pub fn has_time(&self, done: u64, own: u64) -> bool {
        if self.is_cancelled() {
            return false;
        }
        match &self.asked.budget {
            Budget::Own => done < own,
            Budget::Iterations(allowed) => done < *allowed,
            Budget::Until(flag) => !flag.load(Ordering::Relaxed),
        }
    }

    /// Returns true if the host asks for an [`Analysis`], which may cost time and memory.
    #[inline]
    pub fn is_analysed(&self) -> bool {
        self.asked.analysis.is_some()
    }

    /// An extra action to include in the analysis, without effect on the decision. After deciding, sampling
    /// agents evaluate this action and their own choice with fresh playouts, to avoid selection bias.
    pub fn asked_about(&self) -> Option<&G::Action> {
        self.asked.asked_about.as_ref()
    }

    /// Reports the agent's analysis, if the host asks for one.
    pub fn tell(&mut self, analysis: Analysis<G::Action>) {
        if let Some(place) = &mut self.asked.analysis {
            *place = analysis;
        }
    }

    /// Lets `agent` decide in this turn, and returns its action and its analysis (empty if none is reported).
    /// The turn can still be used, and the host's own request for an analysis is unaffected.
    pub fn overhear(&mut self, agent: &mut dyn Agent<G>) -> (G::Action, Analysis<G::Action>) {
        let asked_for = self.asked.analysis.replace(Analysis::default());
        let action = agent.act(Turn { position: self.position, asked: self.asked });
        let reported = std::mem::replace(&mut self.asked.analysis, asked_for);
        (action, reported.unwrap_or_default())
    }

    /// The agent's own random stream.
    #[inline]
    pub fn rng(&mut self) -> &mut Stream {
        &mut self.asked.stream
    }

    /// The legal actions, in order; empty for structured actions.
    #[inline]
    pub fn legal_actions(&mut self) -> &[G::Action] {
        self.legal_actions_and_rng().0
    }

    /// Appends the candidates to `candidates` (empty when called): all legal actions if they are listed, else
    /// up to `max(samples, 1)` random ones without duplicates.
    pub fn candidates(&mut self, samples: u32, candidates: &mut Vec<G::Action>) {
        match self.game().info().actions {
            ActionKind::Listed => candidates.extend_from_slice(self.legal_actions()),
            ActionKind::Structured => {
                for _ in 0..samples.max(1) {
                    let action = self.sample_action();
                    if !candidates.contains(&action) {
                        candidates.push(action);
                    }
                }
            }
        }
    }

    /// The legal actions together with the agent's stream, for agents that draw random numbers while they
    /// iterate.
    #[inline]
    pub fn legal_actions_and_rng(&mut self) -> (&[G::Action], &mut Stream) {
        let asked = &mut *self.asked;
        asked.legal.clear();
        self.position.game.legal_actions(self.position.state, asked.seat, &mut asked.legal);
        (&asked.legal, &mut asked.stream)
    }

    /// A random legal action; see [`Game::sample_action`].
    #[inline]
    pub fn sample_action(&mut self) -> G::Action {
        let asked = &mut *self.asked;
        asked.legal.clear();
        self.position.game.sample_action(self.position.state, asked.seat, &mut asked.stream, &mut asked.legal)
    }

    /// An old action with arbitrary content, whose memory may be reused. This avoids allocations in games
    /// with structured actions.
    #[inline]
    pub fn recycled_action(&mut self) -> G::Action {
        std::mem::take(&mut self.asked.spare)
    }

    /// Checks that the seat may take this action.
    ///
    /// # Errors
    /// The reason why the action is illegal.
    pub fn check(&self, action: &G::Action) -> Result<(), Illegal> {
        self.position.game.check(self.position.state, self.asked.seat, action)
    }
}

/// An agent of the registry: name, parameters and constructor.
pub struct AgentInfo<G: Game> {
    /// Name in a line-up.
    pub name: &'static str,
    /// Description in one sentence.
    pub doc: &'static str,
    /// Overrides of the declared defaults, as in a line-up.
    settings: &'static str,
    specs: fn(&'static str) -> Vec<ParamSpec>,
    values: fn(&AgentSpec, &'static str) -> Result<Values, AgentError>,
    build: Arc<BuildAgent<G>>,
}

/// Parameters with their values, in the order of declaration.
type Values = Vec<(&'static str, ParamValue)>;

type BuildAgent<G> = dyn Fn(&G, &AgentSpec) -> Result<Box<dyn Agent<G>>, AgentError> + Send + Sync;

impl<G: Game> Clone for AgentInfo<G> {
    fn clone(&self) -> Self {
        let build = Arc::clone(&self.build);
        let Self { name, doc, settings, specs, values, .. } = *self;
        Self { name, doc, settings, specs, values, build }
    }
}

impl<G: Game> AgentInfo<G> {
    /// An agent with parameters `P`. `build` refuses games that the agent cannot play, with the reason.
    pub fn new<P: Params + Default, A: Agent<G> + 'static>(
        name: &'static str,
        doc: &'static str,
        build: impl Fn(&G, P) -> Result<A, String> + Send + Sync + 'static,
    ) -> Self {
        Self::with_settings(name, doc, "", build)
    }

    /// As [`new`](Self::new), with other defaults: `settings` are valid parameters as in a line-up.
    pub fn with_settings<P: Params + Default, A: Agent<G> + 'static>(
        name: &'static str,
        doc: &'static str,
        settings: &'static str,
        build: impl Fn(&G, P) -> Result<A, String> + Send + Sync + 'static,
    ) -> Self {
        let build = move |game: &G, spec: &AgentSpec| -> Result<Box<dyn Agent<G>>, AgentError> {
            let params = spec.params_over(defaults_with::<P>(settings))?;
            let agent = build(game, params)
                .map_err(|reason| AgentError::Refused { spec: spec.to_string(), reason })?;
            Ok(Box::new(agent))
        };
        let build = Arc::new(build);
        Self { name, doc, settings, specs: specs::<P>, values: values::<P>, build }
    }

    /// The agent's parameters. In a line-up the first one may be given without its name.
    pub fn specs(&self) -> Vec<ParamSpec> {
        (self.specs)(self.settings)
    }

    /// The value of every parameter under this spec, in the order of declaration.
    ///
    /// # Errors
    /// If a parameter is wrong.
    pub fn values(&self, spec: &AgentSpec) -> Result<Vec<(&'static str, ParamValue)>, AgentError> {
        (self.values)(spec, self.settings)
    }

    /// Builds the agent for `game`.
    ///
    /// # Errors
    /// If a parameter is wrong or the agent cannot play this game.
    pub fn build(&self, game: &G, spec: &AgentSpec) -> Result<Box<dyn Agent<G>>, AgentError> {
        (self.build)(game, spec)
    }
}

/// The default parameters `P`, overridden by `settings` as in a line-up. For agents of the registry that are
/// not built by [`AgentInfo`].
///
/// # Panics
/// If the settings are invalid.
pub fn defaults_with<P: Params + Default>(settings: &'static str) -> P {
    let settings = AgentSpec { name: String::new(), arguments: settings.to_owned() };
    settings.params().expect("settings that come with a game are right (law agent-specs-round-trip)")
}

fn specs<P: Params + Default>(settings: &'static str) -> Vec<ParamSpec> {
    let defaults = defaults_with::<P>(settings);
    let default = |spec: ParamSpec| match defaults.get(spec.name) {
        Some(value) => ParamSpec { default: value.to_string(), ..spec },
        None => spec,
    };
    defaults.specs().into_iter().map(default).collect()
}

fn values<P: Params + Default>(spec: &AgentSpec, settings: &'static str) -> Result<Values, AgentError> {
    let params = spec.params_over(defaults_with::<P>(settings))?;
    let value = |spec: ParamSpec| Some((spec.name, params.get(spec.name)?));
    Ok(params.specs().into_iter().filter_map(value).collect())
}

crate::params! {
    /// No parameters.
    pub struct NoParams {}
}

/// Finds the agent that `spec` names.
///
/// # Errors
/// If no agent has this name; the error suggests the nearest one.
pub fn find_agent<'a, G: Game>(
    info: &GameInfo,
    agents: &'a [AgentInfo<G>],
    spec: &AgentSpec,
) -> Result<&'a AgentInfo<G>, AgentError> {
    agents.iter().find(|agent| agent.name == spec.name).ok_or_else(|| {
        let hint = match spec.name.strip_suffix(':') {
            Some(name) => {
                format!(
                    "expected a value after the colon, as in {name}:VALUE; '{name}' alone takes the defaults"
                )
            }
            None => did_you_mean(&spec.name, agents.iter().map(|agent| agent.name)),
        };
        AgentError::Unknown { name: spec.name.clone(), game: info.id, hint }
    })
}

/// Builds the agents of a line-up, one per player.
///
/// # Errors
/// The first agent that does not exist or cannot be built.
pub fn build_agents<G: Game>(
    game: &G,
    known: &[AgentInfo<G>],
    line_up: &[AgentSpec],
) -> Result<Vec<Box<dyn Agent<G>>>, AgentError> {
    line_up.iter().map(|spec| find_agent(game.info(), known, spec)?.build(game, spec)).collect()
}
