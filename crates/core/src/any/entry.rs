//! Games of the registry before variant and seats are chosen, without their types.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use crate::adapter::BotAdapter;
use crate::agent::AgentInfo;
use crate::any::episode::{AnyEpisode, any_episode};
use crate::any::game::{AnyGame, AnyGameOf};
use crate::any::view::EpisodeView;
use crate::definition::Definition;
use crate::foreign::{ForeignRecord, ForeignRecordError};
use crate::game::SetupError;
use crate::info::{GameInfo, Preset};
use crate::params::{ParamError, ParamSpec, Params, did_you_mean, param_text};
use crate::phase::Viewer;
use crate::playable::Playable;
use crate::replay::{Replay, ReplayError};
use crate::spec::AgentError;
use crate::tool::{ToolCall, ToolError, ToolHost, ToolNews, ToolOutput};

/// A game of the registry, before variant and seats are chosen.
pub trait AnyEntry: Send + Sync {
    /// Static facts: id, name, seats, presets.
    fn info(&self) -> &'static GameInfo;
    /// The parameters of the variant.
    fn params(&self) -> Vec<ParamSpec>;
    /// Parameters added after the first release, with the value that reproduces the older rules
    /// ([`Params::before`]).
    fn params_before(&self) -> &'static [(&'static str, &'static str)];

    /// The settings to store with a game. They include every parameter added after the first release, because
    /// its absence marks a game under the older rules. `variant` is the variant of these settings.
    fn settings_to_store(&self, variant: &Value, mut set: Vec<(String, String)>) -> Vec<(String, String)> {
        for (name, _) in self.params_before() {
            if let Some(value) = variant.get(name).filter(|_| set.iter().all(|(other, _)| other != name)) {
                set.push(((*name).to_owned(), param_text(value)));
            }
        }
        set
    }

    /// The settings of a stored game as this release reads them. A parameter added after the first release
    /// may be missing from `set`. Its value then comes from `stored`, an object of parameters, or else from
    /// the older rules.
    fn settings_of_stored(&self, set: &[(String, String)], stored: &Value) -> Vec<(String, String)> {
        let later = self.params_before().iter().filter(|(name, _)| set.iter().all(|(own, _)| own != name));
        let later = later.map(|(name, before)| {
            ((*name).to_owned(), stored.get(name).map_or_else(|| (*before).to_owned(), param_text))
        });
        set.iter().cloned().chain(later).collect()
    }

    /// The agents with name, doc and parameters.
    fn agents(&self) -> Vec<AgentDoc>;
    /// The names of the game's own agents, without the general ones.
    fn own_agents(&self) -> Vec<&'static str>;
    /// The tools with name, usage and doc.
    fn tools(&self) -> Vec<ToolDoc>;
    /// Adapters for bots of the game's original program.
    fn adapters(&self) -> &'static [BotAdapter];
    /// Every parameter's value under a preset and settings, in order of declaration.
    ///
    /// # Errors
    /// If the preset, a parameter or a value is wrong.
    fn variant(&self, preset: Option<&str>, set: &[(String, String)]) -> Result<Value, EntryError>;
    /// Sets a game up for `named` players; the game may have more seats than players (see
    /// [`GameInfo::filler`]).
    ///
    /// # Errors
    /// If the preset, a parameter or the number of seats is wrong.
    fn set_up(
        &self,
        preset: Option<&str>,
        set: &[(String, String)],
        named: usize,
    ) -> Result<Box<dyn AnyGame>, EntryError>;
    /// Runs a tool with the variant of these settings.
    ///
    /// # Errors
    /// If the tool does not exist or fails.
    fn run_tool(
        &self,
        name: &str,
        preset: Option<&str>,
        set: &[(String, String)],
        request: ToolRequest<'_>,
    ) -> Result<ToolOutput, EntryError>;
    /// Refuses a colour that no player may have; see [`Definition::check_color`]. Games that choose their
    /// players' colours refuse all.
    ///
    /// # Errors
    /// A description of the expected colour.
    fn check_color(&self, text: &str) -> Result<(), String>;
    /// Reads a game record in another program's format; see [`Definition::foreign_record`].
    fn foreign_record(
        &self,
        text: &str,
        looks: &[String],
    ) -> Option<Result<ForeignRecord, ForeignRecordError>>;
    /// Verifies a replay and shows every moment of `viewer` to `watch`; see [`Replay::watch`].
    ///
    /// # Errors
    /// The first mismatch.
    fn replay(
        &self,
        replay: &Replay,
        viewer: Viewer,
        watch: &mut dyn FnMut(&dyn EpisodeView),
    ) -> Result<Box<dyn AnyEpisode>, ReplayError>;
}

/// A request to run a tool.
pub struct ToolRequest<'a> {
    /// The arguments after the game's name.
    pub arguments: &'a [String],
    /// Root seed of the tool's random streams.
    pub seed: u64,
    /// Reads a file that the user named.
    pub read_file: &'a mut dyn FnMut(&str) -> Result<String, String>,
    /// Receives the progress of a long computation.
    pub tell: &'a mut dyn FnMut(ToolNews<'_>),
    /// Host of long computations: lends threads, stores partial results, and cancels them.
    pub host: &'a dyn ToolHost,
}

/// An agent as shown in help.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AgentDoc {
    /// Name in a line-up.
    pub name: &'static str,
    /// Description in one sentence.
    pub doc: &'static str,
    /// Parameters, in the order of declaration.
    pub params: Vec<ParamSpec>,
}

/// A tool as shown in help.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ToolDoc {
    /// Name on the command line.
    pub name: &'static str,
    /// Usage of the arguments.
    pub usage: &'static str,
    /// Description in one sentence.
    pub doc: &'static str,
}

/// Error of a request to a game of the registry.
#[allow(missing_docs, reason = "the fields are what their names and the variants' docs say")]
#[derive(Debug, Error)]
pub enum EntryError {
    /// No preset or profile has this name.
    #[error("unknown {what} '{name}' of {game}\nhint: {hint}")]
    Unknown {
        /// `preset` or `profile`.
        what: &'static str,
        /// The name as given by the user.
        name: String,
        game: &'static str,
        hint: String,
    },
    /// A variant parameter is wrong.
    #[error(transparent)]
    Param(#[from] ParamError),
    /// The game cannot be set up with this variant and number of seats.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// An agent does not exist or cannot play.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// The game has no such tool.
    #[error("{game} has no '{name}'\nhint: {hint}")]
    NoTool {
        /// The name as given by the user.
        name: String,
        game: &'static str,
        hint: String,
    },
    /// A tool refused its arguments or failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
}

impl EntryError {
    /// True if the user asked for something that does not exist or fit; false if a tool failed.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Tool(ToolError::Failed(_)))
    }
}

/// The registry's entry of game `G`, with the general agents added to its own.
pub struct GameEntry<G: Playable> {
    definition: Arc<Definition<G>>,
    /// The game's own agents, then the general ones.
    agents: Arc<[AgentInfo<G>]>,
}

impl<G: Playable> GameEntry<G> {
    /// The entry of a game with its own agents. Agents of `general` are added if their names are unused.
    pub fn new(definition: Definition<G>, general: Vec<AgentInfo<G>>) -> Self {
        let agents = definition.agents_with(general).into();
        Self { definition: Arc::new(definition), agents }
    }

    fn parse_variant(
        &self,
        preset: Option<&str>,
        set: &[(String, String)],
    ) -> Result<G::Variant, EntryError> {
        for (index, (name, second)) in set.iter().enumerate() {
            if let Some((_, first)) = set[..index].iter().find(|(earlier, _)| earlier == name) {
                return Err(ParamError::repeated(name, first, second).into());
            }
        }
        let mut variant = self.definition.variant.clone();
        let preset = match preset {
            Some(name) => self.find("preset", self.definition.info.presets, name)?,
            None => &self.definition.info.presets[0],
        };
        let is_profile = |name: &str| name == "profile";
        let profile = match set.iter().find(|(name, _)| is_profile(name)) {
            Some((_, name)) => self.find("profile", self.definition.info.profiles, name)?.set,
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

    fn find(
        &self,
        what: &'static str,
        presets: &'static [Preset],
        name: &str,
    ) -> Result<&'static Preset, EntryError> {
        presets.iter().find(|preset| preset.name == name).ok_or_else(|| EntryError::Unknown {
            what,
            name: name.to_owned(),
            game: self.definition.info.id,
            hint: match presets {
                [] => format!("it has no {what}s"),
                _ => did_you_mean(name, presets.iter().map(|preset| preset.name)),
            },
        })
    }

    fn make(&self, variant: G::Variant, named: usize) -> Result<AnyGameOf<G>, EntryError> {
        let seats = (self.definition.seats_for)(&variant, named);
        if !self.definition.info.seats.contains(&seats) {
            let (low, high) = (self.definition.info.seats.start(), self.definition.info.seats.end());
            let (id, demo) = (self.definition.info.id, self.definition.info.demo.join(" "));
            let hint = format!("\nhint: name one agent per seat, as in: {id} {demo}");
            let hint = if demo.is_empty() { String::new() } else { hint };
            let range = if low == high { low.to_string() } else { format!("{low} to {high}") };
            return Err(SetupError::new(format!("{id} takes {range} players, found {seats}{hint}")).into());
        }
        if named > seats {
            return Err(SetupError::new(format!("expected at most {seats} players, found {named}")).into());
        }
        let game = self.definition.set_up(variant, seats)?;
        Ok(AnyGameOf::new(game, Arc::clone(&self.definition), Arc::clone(&self.agents)))
    }
}

impl<G: Playable> AnyEntry for GameEntry<G> {
    fn info(&self) -> &'static GameInfo {
        self.definition.info
    }

    fn params(&self) -> Vec<ParamSpec> {
        self.definition.variant.specs()
    }

    fn agents(&self) -> Vec<AgentDoc> {
        let doc = |agent: &AgentInfo<G>| AgentDoc { name: agent.name, doc: agent.doc, params: agent.specs() };
        self.agents.iter().map(doc).collect()
    }

    fn own_agents(&self) -> Vec<&'static str> {
        self.definition.agents.iter().map(|agent| agent.name).collect()
    }

    fn tools(&self) -> Vec<ToolDoc> {
        self.definition
            .tools
            .iter()
            .map(|tool| ToolDoc { name: tool.name, usage: tool.usage, doc: tool.doc })
            .collect()
    }

    fn params_before(&self) -> &'static [(&'static str, &'static str)] {
        self.definition.variant.before()
    }

    fn adapters(&self) -> &'static [BotAdapter] {
        self.definition.adapters
    }

    fn variant(&self, preset: Option<&str>, set: &[(String, String)]) -> Result<Value, EntryError> {
        Ok(self.parse_variant(preset, set)?.to_json())
    }

    fn set_up(
        &self,
        preset: Option<&str>,
        set: &[(String, String)],
        named: usize,
    ) -> Result<Box<dyn AnyGame>, EntryError> {
        Ok(Box::new(self.make(self.parse_variant(preset, set)?, named)?))
    }

    fn run_tool(
        &self,
        name: &str,
        preset: Option<&str>,
        set: &[(String, String)],
        request: ToolRequest<'_>,
    ) -> Result<ToolOutput, EntryError> {
        let tools = &self.definition.tools;
        let Some(tool) = tools.iter().find(|tool| tool.name == name) else {
            let names: Vec<&str> = tools.iter().map(|tool| tool.name).collect();
            let names = if names.is_empty() { "no tools".to_owned() } else { names.join(", ") };
            let hint = format!("it has {names}");
            return Err(EntryError::NoTool { name: name.to_owned(), game: self.definition.info.id, hint });
        };
        let game = self.make(self.parse_variant(preset, set)?, *self.definition.info.seats.start())?;
        let mut call = ToolCall {
            game: &*game.game(),
            arguments: request.arguments,
            seed: request.seed,
            read_file: request.read_file,
            tell: request.tell,
            host: request.host,
        };
        Ok((tool.run)(&mut call)?)
    }

    fn check_color(&self, text: &str) -> Result<(), String> {
        match self.definition.check_color {
            Some(check) => check(text),
            None => {
                let id = self.definition.info.id;
                Err(format!("{id} chooses its players' colours itself, found '@{text}'"))
            }
        }
    }

    fn foreign_record(
        &self,
        text: &str,
        looks: &[String],
    ) -> Option<Result<ForeignRecord, ForeignRecordError>> {
        (self.definition.foreign_record)(text, looks)
    }

    fn replay(
        &self,
        replay: &Replay,
        viewer: Viewer,
        watch: &mut dyn FnMut(&dyn EpisodeView),
    ) -> Result<Box<dyn AnyEpisode>, ReplayError> {
        let episode = replay.watch(&self.definition, viewer, |episode| watch(episode))?;
        Ok(any_episode(episode, Arc::clone(&self.agents)))
    }
}
