//! The `dyn` face of a game: text and JSON in and out, for everything that must not know which game it
//! serves. Implemented once, here, for every [`Game`].

use std::ops::Range;
use std::sync::Arc;

use meeple_scene::{Color, Key, Scene, Screen};
use serde_json::Value;
use thiserror::Error;

use crate::agent::{Agent, AgentInfo, find_agent};
use crate::episode::{Episode, Step};
use crate::event::Level;
use crate::film::{Film, FilmError};
use crate::game::{Game, GameInfo, Illegal, Phase, Preset, SetupError, Viewer};
use crate::outcome::Outcome;
use crate::params::{ParamError, ParamSpec, Params, nearest};
use crate::playout::{EpisodeReport, Playouts, Seating, build_agents};
use crate::replay::{Replay, ReplayError};
use crate::seat::Seat;
use crate::spec::{AgentError, AgentSpec};
use crate::stream::EpisodeSeed;
use crate::take_back::{Final, Moments};
use crate::tool::{ToolCall, ToolError, ToolOutput};

/// A game of the registry, before variant and seats are chosen.
pub trait AnyEntry: Send + Sync {
    /// The facts.
    fn info(&self) -> &'static GameInfo;
    /// The variant's parameters.
    fn params(&self) -> Vec<ParamSpec>;
    /// The agents: name, doc, parameters.
    fn agents(&self) -> Vec<AgentDoc>;
    /// The tools: name, usage, doc.
    fn tools(&self) -> Vec<ToolDoc>;
    /// Every parameter's value under a preset and settings, in order.
    ///
    /// # Errors
    /// If the preset, a parameter or a value is wrong.
    fn variant(&self, preset: Option<&str>, set: &[(String, String)]) -> Result<Value, FaceError>;
    /// Sets a game up for `named` players; the game may have more seats (see [`GameInfo::filler`]).
    ///
    /// # Errors
    /// If the preset, a parameter or the number of seats is wrong.
    fn set_up(
        &self,
        preset: Option<&str>,
        set: &[(String, String)],
        named: usize,
    ) -> Result<Box<dyn AnyGame>, FaceError>;
    /// Runs a tool with the variant of these settings.
    ///
    /// # Errors
    /// If it does not exist or fails.
    fn run_tool(
        &self,
        name: &str,
        preset: Option<&str>,
        set: &[(String, String)],
        request: ToolRequest<'_>,
    ) -> Result<ToolOutput, FaceError>;
    /// Whether a player may be drawn in this colour; see [`Game::check_color`].
    ///
    /// # Errors
    /// What was expected.
    fn check_color(&self, text: &str) -> Result<(), String>;
    /// Reads a game record of another program's format; see [`Game::film`].
    fn film(&self, text: &str, looks: &[String]) -> Option<Result<Film, FilmError>>;
    /// Verifies a replay and shows every moment of `viewer` to `watch`; see [`Replay::watch`].
    ///
    /// # Errors
    /// The first thing that does not fit.
    fn replay(
        &self,
        replay: &Replay,
        viewer: Viewer,
        watch: &mut dyn FnMut(&dyn AnyEpisode),
    ) -> Result<Box<dyn AnyEpisode>, ReplayError>;
}

/// What a tool is asked for.
pub struct ToolRequest<'a> {
    /// The arguments after the game's name.
    pub arguments: &'a [String],
    /// The root seed.
    pub seed: u64,
    /// Reads a file the user named.
    pub read_file: &'a mut dyn FnMut(&str) -> Result<String, String>,
}

/// An agent as shown in help.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentDoc {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
    /// Its parameters.
    pub params: Vec<ParamSpec>,
}

/// A tool as shown in help.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToolDoc {
    /// Its name.
    pub name: &'static str,
    /// Its arguments.
    pub usage: &'static str,
    /// What it does.
    pub doc: &'static str,
}

/// A game set up with a variant and a number of seats.
pub trait AnyGame: Send + Sync {
    /// The facts.
    fn info(&self) -> &'static GameInfo;
    /// Every variant parameter.
    fn variant(&self) -> Value;
    /// Number of seats.
    fn seats(&self) -> usize;
    /// Whether the order of turns is drawn; see [`Game::draws_turn_order`].
    fn draws_turn_order(&self) -> bool;
    /// The JSON Schema of structured actions; see [`Game::action_schema`].
    fn action_schema(&self) -> Value;
    /// Whether every agent of a line-up exists and can play.
    ///
    /// # Errors
    /// The first that cannot.
    fn check_line_up(&self, line_up: &[AgentSpec]) -> Result<(), AgentError>;
    /// A runner of playouts by these agents, one per seat.
    ///
    /// # Errors
    /// The first agent that cannot play.
    ///
    /// # Panics
    /// If there are not as many agents as seats.
    fn runner(&self, line_up: &[AgentSpec]) -> Result<Box<dyn AnyRunner + '_>, AgentError>;
    /// A new episode with this seed.
    fn episode(&self, seed: EpisodeSeed) -> Box<dyn AnyEpisode>;
}

/// Playouts behind the `dyn` face: one call plays many episodes.
pub trait AnyRunner {
    /// Plays the episodes `range` and reports each, in order, until `each` returns false.
    fn run(
        &mut self,
        root: u64,
        seating: Seating,
        range: Range<u64>,
        each: &mut dyn FnMut(&EpisodeReport<'_>) -> bool,
    );
    /// Plays the episode with this seed, player p at seat p, and reports it as episode `index`.
    fn play_seeded(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_>;
}

/// An episode behind the `dyn` face.
pub trait AnyEpisode: Send {
    /// The facts of its game.
    fn info(&self) -> &'static GameInfo;
    /// Number of seats.
    fn seats(&self) -> usize;
    /// Who must act next.
    fn phase(&self) -> Phase;
    /// Lets chance draw once, if it is its turn.
    fn step_chance(&mut self);
    /// The texts of the legal actions of a seat, in order.
    fn legal_actions(&self, seat: Seat) -> Vec<String>;
    /// A random legal action of a seat that owes a decision, from the seat's own stream.
    fn sample_action(&mut self, seat: Seat) -> String;
    /// Takes an action given by its text.
    ///
    /// # Errors
    /// If the text is no action or the action is illegal; nothing has changed then.
    fn act(&mut self, seat: Seat, action: &str) -> Result<(), Illegal>;
    /// As [`act`](Self::act), and keeps the moment before, so that the decision can be taken back.
    ///
    /// # Errors
    /// If the text is no action or the action is illegal; nothing has changed then.
    fn act_and_keep(&mut self, seat: Seat, action: &str) -> Result<(), Illegal>;
    /// Goes back to the moment before the last decision that `seat` made by
    /// [`act_and_keep`](Self::act_and_keep), if nothing has come since but decisions of its own that have shown
    /// it nothing. Returns the text of that decision.
    ///
    /// # Errors
    /// Why it stands; nothing has changed then.
    fn take_back(&mut self, seat: Seat) -> Result<String, Final>;
    /// The text of what a seat that owes a decision does if its player fails to decide; see
    /// [`Game::fallback_action`].
    fn fallback_action(&self, seat: Seat) -> String;
    /// Takes a structured action given as JSON; see [`Game::read_json`].
    ///
    /// # Errors
    /// If it is no action or the action is illegal; nothing has changed then.
    fn act_json(&mut self, seat: Seat, json: &str) -> Result<(), Illegal>;
    /// Reads what a person at `seat` typed and returns the action's text. The action may still be illegal.
    ///
    /// # Errors
    /// What was expected.
    fn read_input(&self, seat: Seat, text: &str) -> Result<String, String>;
    /// Seats an agent.
    ///
    /// # Errors
    /// If it does not exist or cannot play.
    fn seat_agent(&mut self, seat: Seat, spec: &AgentSpec) -> Result<(), AgentError>;
    /// The text of the action that the seated agent chooses; `None` if no agent sits there or the seat owes
    /// no decision.
    fn ask_agent(&mut self, seat: Seat) -> Option<String>;
    /// The observation as JSON.
    fn observation(&self, viewer: Viewer) -> Value;
    /// The observation as JSON text, appended to `out`: what [`observation`](Self::observation) gives, without
    /// a tree in between.
    fn write_observation(&self, viewer: Viewer, out: &mut Vec<u8>);
    /// The events from number `from` on that `viewer` may see, as the text of a JSON list, appended to `out`.
    /// Returns the number of the next event.
    fn write_events(&self, viewer: Viewer, from: usize, out: &mut Vec<u8>) -> usize;
    /// The information key; see [`Game::information_key`].
    fn information_key(&self, viewer: Viewer) -> String;
    /// The events from number `from` on that `viewer` may see: number, text, JSON.
    fn events(&self, viewer: Viewer, from: usize) -> Vec<EventRecord>;
    /// Number of steps so far.
    fn steps(&self) -> usize;
    /// The text of a step, as in replays.
    fn step_text(&self, index: usize) -> String;
    /// Score of a seat as it stands.
    fn score(&self, seat: Seat) -> i64;
    /// Length so far.
    fn length(&self) -> u64;
    /// The outcome, once it is over.
    fn outcome(&self) -> Option<Outcome>;
    /// The table as a drawing.
    fn draw(&self, viewer: Viewer, players: &[String]) -> Scene;
    /// What shapes and colours of the drawing stand for.
    fn legend(&self, players: &[String]) -> Vec<Key>;
    /// The colour in which what belongs to a seat is drawn.
    fn player_color(&self, seat: Seat, players: &[String]) -> Color;
    /// The table as text.
    fn screen(&self, viewer: Viewer, players: &[String]) -> Screen;
    /// The replay so far.
    fn replay(&self, players: &[String], seed: Option<EpisodeSeed>) -> Replay;
    /// A copy without its agents.
    fn fork(&self) -> Box<dyn AnyEpisode>;
}

/// One event as text and JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct EventRecord {
    /// Its number in the episode, from 0; numbers that the viewer may not see are missing.
    pub number: usize,
    /// One line for a log.
    pub text: String,
    /// How much it matters to who watches.
    pub level: Level,
    /// For programs.
    pub json: Value,
}

/// What can go wrong at the face.
#[derive(Debug, Error)]
pub enum FaceError {
    /// There is no such preset.
    #[error("unknown preset '{name}' of {game}\nhint: {hint}")]
    Preset {
        /// As given.
        name: String,
        /// The game.
        game: &'static str,
        /// The nearest, or all.
        hint: String,
    },
    /// There is no such profile.
    #[error("unknown profile '{name}' of {game}\nhint: {hint}")]
    Profile {
        /// As given.
        name: String,
        /// The game.
        game: &'static str,
        /// The nearest, or all.
        hint: String,
    },
    /// A variant parameter is wrong.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The game cannot be set up so.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// An agent is wrong.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The game has no such tool.
    #[error("{game} has no '{name}'\nhint: {hint}")]
    NoTool {
        /// As given.
        name: String,
        /// The game.
        game: &'static str,
        /// What it has.
        hint: String,
    },
    /// A tool failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
}

/// The registry's entry of game `G`, with agents that play every game added to its own.
pub struct Entry<G: Game> {
    agents: Arc<[AgentInfo<G>]>,
    info: &'static GameInfo,
}

impl<G: Game> Entry<G> {
    /// The entry of `G`. Of two agents with the same name the game's own is kept.
    pub fn new(general: Vec<AgentInfo<G>>) -> Self {
        let mut agents = G::agents();
        for agent in general {
            if !agents.iter().any(|own| own.name == agent.name) {
                agents.push(agent);
            }
        }
        // One small value per registry entry, alive as long as the program.
        Self { agents: agents.into(), info: Box::leak(Box::new(G::INFO)) }
    }

    fn parse_variant(&self, preset: Option<&str>, set: &[(String, String)]) -> Result<G::Variant, FaceError> {
        for (index, (name, second)) in set.iter().enumerate() {
            if let Some((_, first)) = set[..index].iter().find(|(earlier, _)| earlier == name) {
                return Err(ParamError::repeated(name, first, second).into());
            }
        }
        let mut variant = G::Variant::default();
        let preset = match preset {
            Some(name) => find_preset(self.info.presets, name).map_err(|hint| FaceError::Preset {
                name: name.to_owned(),
                game: self.info.id,
                hint,
            })?,
            None => &self.info.presets[0],
        };
        let is_profile = |name: &str| name == "profile" && !self.info.profiles.is_empty();
        let profile = match set.iter().find(|(name, _)| is_profile(name)) {
            Some((_, name)) => {
                let found = find_preset(self.info.profiles, name).map_err(|hint| FaceError::Profile {
                    name: name.clone(),
                    game: self.info.id,
                    hint,
                })?;
                found.set
            }
            None => &[],
        };
        for (name, value) in preset.set.iter().chain(profile) {
            variant.set(name, value)?;
        }
        for (name, value) in set.iter().filter(|(name, _)| !is_profile(name)) {
            variant.set(name, value)?;
        }
        Ok(variant)
    }

    fn make(&self, variant: G::Variant, named: usize) -> Result<AnyGameOf<G>, FaceError> {
        let seats = G::seats_for(&variant, named);
        if !self.info.seats.contains(&seats) {
            let (low, high) = (self.info.seats.start(), self.info.seats.end());
            let hint = if self.info.demo.is_empty() {
                String::new()
            } else {
                format!(
                    "\nhint: name one agent per seat, as in: {} {}",
                    self.info.id,
                    self.info.demo.join(" ")
                )
            };
            let range = if low == high { low.to_string() } else { format!("{low} to {high}") };
            let id = self.info.id;
            return Err(SetupError::new(format!("{id} takes {range} players, found {seats}{hint}")).into());
        }
        if named > seats {
            return Err(SetupError::new(format!("expected at most {seats} players, found {named}")).into());
        }
        let game = Arc::new(G::new(variant, seats)?);
        Ok(AnyGameOf { game, agents: Arc::clone(&self.agents), info: self.info })
    }
}

/// The preset or profile of this name; otherwise what to try instead.
fn find_preset<'a>(presets: &'a [Preset], name: &str) -> Result<&'a Preset, String> {
    presets.iter().find(|preset| preset.name == name).ok_or_else(|| {
        let names: Vec<&str> = presets.iter().map(|preset| preset.name).collect();
        match nearest(name, names.iter().copied()) {
            Some(nearest) => format!("did you mean '{nearest}'?"),
            None => format!("expected one of {}", names.join(", ")),
        }
    })
}

impl<G: Game> AnyEntry for Entry<G> {
    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn params(&self) -> Vec<ParamSpec> {
        G::Variant::specs()
    }

    fn agents(&self) -> Vec<AgentDoc> {
        let doc = |agent: &AgentInfo<G>| AgentDoc { name: agent.name, doc: agent.doc, params: agent.specs() };
        self.agents.iter().map(doc).collect()
    }

    fn tools(&self) -> Vec<ToolDoc> {
        let tools = G::tools();
        tools.iter().map(|tool| ToolDoc { name: tool.name, usage: tool.usage, doc: tool.doc }).collect()
    }

    fn variant(&self, preset: Option<&str>, set: &[(String, String)]) -> Result<Value, FaceError> {
        Ok(self.parse_variant(preset, set)?.to_json())
    }

    fn set_up(
        &self,
        preset: Option<&str>,
        set: &[(String, String)],
        named: usize,
    ) -> Result<Box<dyn AnyGame>, FaceError> {
        Ok(Box::new(self.make(self.parse_variant(preset, set)?, named)?))
    }

    fn run_tool(
        &self,
        name: &str,
        preset: Option<&str>,
        set: &[(String, String)],
        request: ToolRequest<'_>,
    ) -> Result<ToolOutput, FaceError> {
        let tools = G::tools();
        let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
            let names: Vec<&str> = tools.iter().map(|tool| tool.name).collect();
            let hint = if names.is_empty() {
                "it has no tools".to_owned()
            } else {
                format!("it has {}", names.join(", "))
            };
            return Err(FaceError::NoTool { name: name.to_owned(), game: self.info.id, hint });
        };
        let game = self.make(self.parse_variant(preset, set)?, *self.info.seats.start())?;
        let mut call = ToolCall {
            game: &*game.game,
            arguments: request.arguments,
            seed: request.seed,
            read_file: request.read_file,
        };
        Ok((tool.run)(&mut call)?)
    }

    fn check_color(&self, text: &str) -> Result<(), String> {
        G::check_color(text)
    }

    fn film(&self, text: &str, looks: &[String]) -> Option<Result<Film, FilmError>> {
        G::film(text, looks)
    }

    fn replay(
        &self,
        replay: &Replay,
        viewer: Viewer,
        watch: &mut dyn FnMut(&dyn AnyEpisode),
    ) -> Result<Box<dyn AnyEpisode>, ReplayError> {
        let mut moments = AnyEpisodeOf {
            agents: Arc::clone(&self.agents),
            episode: None,
            seated: Vec::new(),
            moments: Moments::default(),
            info: self.info,
        };
        let episode = replay.watch::<G>(viewer, |episode| {
            // The face owns its episode, so each moment is shown as a copy.
            moments.episode = Some(episode.clone());
            watch(&moments);
        })?;
        moments.episode = Some(episode);
        Ok(Box::new(moments))
    }
}

struct AnyGameOf<G: Game> {
    game: Arc<G>,
    agents: Arc<[AgentInfo<G>]>,
    info: &'static GameInfo,
}

impl<G: Game> AnyGame for AnyGameOf<G> {
    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn variant(&self) -> Value {
        self.game.variant().to_json()
    }

    fn seats(&self) -> usize {
        self.game.seats()
    }

    fn draws_turn_order(&self) -> bool {
        self.game.draws_turn_order()
    }

    fn action_schema(&self) -> Value {
        G::action_schema()
    }

    fn check_line_up(&self, line_up: &[AgentSpec]) -> Result<(), AgentError> {
        let mut distinct = line_up.to_vec();
        distinct.sort();
        distinct.dedup();
        build_agents(&*self.game, &self.agents, &distinct).map(drop)
    }

    fn runner(&self, line_up: &[AgentSpec]) -> Result<Box<dyn AnyRunner + '_>, AgentError> {
        let agents = build_agents(&*self.game, &self.agents, line_up)?;
        Ok(Box::new(Playouts::new(&*self.game, agents)))
    }

    fn episode(&self, seed: EpisodeSeed) -> Box<dyn AnyEpisode> {
        let episode = Episode::new(Arc::clone(&self.game), seed);
        let seated = Seat::all(self.game.seats()).map(|_| None).collect();
        Box::new(AnyEpisodeOf {
            agents: Arc::clone(&self.agents),
            episode: Some(episode),
            seated,
            moments: Moments::default(),
            info: self.info,
        })
    }
}

impl<G: Game> AnyRunner for Playouts<'_, G> {
    fn run(
        &mut self,
        root: u64,
        seating: Seating,
        range: Range<u64>,
        each: &mut dyn FnMut(&EpisodeReport<'_>) -> bool,
    ) {
        for index in range {
            if !each(&self.play(root, seating, index)) {
                return;
            }
        }
    }

    fn play_seeded(&mut self, seed: EpisodeSeed, index: u64) -> EpisodeReport<'_> {
        Self::play_seeded(self, seed, index)
    }
}

struct AnyEpisodeOf<G: Game> {
    agents: Arc<[AgentInfo<G>]>,
    /// Always there once the value has been handed out.
    episode: Option<Episode<G>>,
    seated: Vec<Option<Box<dyn Agent<G>>>>,
    /// To take decisions back.
    moments: Moments<G>,
    info: &'static GameInfo,
}

impl<G: Game> AnyEpisodeOf<G> {
    fn inner(&self) -> &Episode<G> {
        self.episode.as_ref().expect("set before the value is handed out")
    }

    fn inner_mut(&mut self) -> &mut Episode<G> {
        self.episode.as_mut().expect("set before the value is handed out")
    }
}

impl<G: Game> AnyEpisode for AnyEpisodeOf<G> {
    fn info(&self) -> &'static GameInfo {
        self.info
    }

    fn seats(&self) -> usize {
        self.inner().game().seats()
    }

    fn phase(&self) -> Phase {
        self.inner().phase()
    }

    fn step_chance(&mut self) {
        self.inner_mut().step_chance();
    }

    fn legal_actions(&self, seat: Seat) -> Vec<String> {
        self.inner().legal_actions(seat).iter().map(G::Action::to_string).collect()
    }

    fn sample_action(&mut self, seat: Seat) -> String {
        self.inner_mut().sample_action(seat).to_string()
    }

    fn act(&mut self, seat: Seat, action: &str) -> Result<(), Illegal> {
        let parsed = action
            .parse::<G::Action>()
            .map_err(|error| Illegal::new(format!("'{action}' is no action: {error}")))?;
        self.inner_mut().act(seat, &parsed)
    }

    fn act_and_keep(&mut self, seat: Seat, action: &str) -> Result<(), Illegal> {
        let before = self.inner().clone();
        self.act(seat, action)?;
        self.moments.keep(before, seat);
        Ok(())
    }

    fn take_back(&mut self, seat: Seat) -> Result<String, Final> {
        let episode = self.episode.as_mut().expect("set before the value is handed out");
        let before = self.moments.take_back(episode, seat)?;
        let decision = match &episode.steps()[before.steps().len()] {
            Step::Action(_, action) => action.to_string(),
            Step::Chance(chance) => chance.to_string(),
        };
        *episode = before;
        Ok(decision)
    }

    fn fallback_action(&self, seat: Seat) -> String {
        self.inner().game().fallback_action(self.inner().state(), seat).to_string()
    }

    fn act_json(&mut self, seat: Seat, json: &str) -> Result<(), Illegal> {
        let action = G::read_json(json).map_err(Illegal::new)?;
        self.inner_mut().act(seat, &action)
    }

    fn read_input(&self, seat: Seat, text: &str) -> Result<String, String> {
        let (game, state) = (self.inner().game(), self.inner().state());
        let seen = game.observe(state, Viewer::Seat(seat));
        game.read_input(&seen, text).map(|action| action.to_string())
    }

    fn seat_agent(&mut self, seat: Seat, spec: &AgentSpec) -> Result<(), AgentError> {
        let mut agent = find_agent(&self.agents, spec)?.build(self.inner().game(), spec)?;
        agent.begin_episode(self.inner().game(), seat);
        if self.seated.len() <= seat.index() {
            self.seated.resize_with(seat.index() + 1, || None);
        }
        self.seated[seat.index()] = Some(agent);
        Ok(())
    }

    fn ask_agent(&mut self, seat: Seat) -> Option<String> {
        let episode = self.episode.as_mut()?;
        let agent = self.seated.get_mut(seat.index())?.as_mut()?;
        episode.phase().owes(seat).then(|| episode.ask(seat, agent.as_mut()).to_string())
    }

    fn observation(&self, viewer: Viewer) -> Value {
        let observation = self.inner().game().observe(self.inner().state(), viewer);
        serde_json::to_value(&observation).expect("observations serialise: a law checks it")
    }

    fn write_observation(&self, viewer: Viewer, out: &mut Vec<u8>) {
        let observation = self.inner().game().observe(self.inner().state(), viewer);
        serde_json::to_writer(out, &observation).expect("observations serialise: a law checks it");
    }

    fn write_events(&self, viewer: Viewer, from: usize, out: &mut Vec<u8>) -> usize {
        let entries = self.inner().events().entries();
        out.push(b'[');
        let mut first = true;
        for (audience, event) in entries.iter().skip(from) {
            if audience.includes(viewer) {
                if !std::mem::take(&mut first) {
                    out.push(b',');
                }
                serde_json::to_writer(&mut *out, event).expect("events serialise: a law checks it");
            }
        }
        out.push(b']');
        entries.len()
    }

    fn information_key(&self, viewer: Viewer) -> String {
        self.inner().game().information_key(self.inner().state(), viewer)
    }

    fn events(&self, viewer: Viewer, from: usize) -> Vec<EventRecord> {
        let entries = self.inner().events().entries().iter().enumerate().skip(from);
        entries
            .filter(|(_, (audience, _))| audience.includes(viewer))
            .map(|(number, (_, event))| EventRecord {
                number,
                text: event.to_string(),
                level: G::event_level(event),
                json: serde_json::to_value(event).expect("events serialise: a law checks it"),
            })
            .collect()
    }

    fn steps(&self) -> usize {
        self.inner().steps().len()
    }

    fn step_text(&self, index: usize) -> String {
        self.inner().steps()[index].to_string()
    }

    fn score(&self, seat: Seat) -> i64 {
        self.inner().game().score(self.inner().state(), seat)
    }

    fn length(&self) -> u64 {
        self.inner().length()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.inner().outcome()
    }

    fn draw(&self, viewer: Viewer, players: &[String]) -> Scene {
        self.inner().with_view(viewer, players, |view| self.inner().game().draw(view))
    }

    fn legend(&self, players: &[String]) -> Vec<Key> {
        self.inner().game().legend(players)
    }

    fn player_color(&self, seat: Seat, players: &[String]) -> Color {
        self.inner().game().player_color(seat, players)
    }

    fn screen(&self, viewer: Viewer, players: &[String]) -> Screen {
        self.inner().with_view(viewer, players, |view| self.inner().game().screen(view))
    }

    fn replay(&self, players: &[String], seed: Option<EpisodeSeed>) -> Replay {
        Replay::of(self.inner(), players, seed)
    }

    fn fork(&self) -> Box<dyn AnyEpisode> {
        Box::new(Self {
            agents: Arc::clone(&self.agents),
            episode: self.episode.clone(),
            seated: Vec::new(),
            moments: Moments::default(),
            info: self.info,
        })
    }
}
