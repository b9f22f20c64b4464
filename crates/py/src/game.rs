//! A game that is set up.

use std::sync::Arc;

use meeple_core::{AgentSpec, AnyEntry, AnyGame, EpisodeSeed, GameInfo};
use meeple_games::{find_game, parse_game};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::batch::Batch;
use crate::episode::Episode;
use crate::failure::{entry_error, guarded, usage};
use crate::lanes::Lanes;

/// A game with its variant and seats.
#[pyclass(frozen, module = "meeple._meeple")]
pub(crate) struct Game {
    game: Arc<dyn AnyGame>,
    entry: &'static dyn AnyEntry,
}

impl Game {
    /// A game that was set up elsewhere.
    pub(crate) fn found(game: Arc<dyn AnyGame>) -> PyResult<Self> {
        let entry = find_game(game.info().id).map_err(usage)?;
        Ok(Self { game, entry })
    }
}

#[pymethods]
impl Game {
    /// Sets up `game` or `game/preset` for this many named players. `None` takes the number of the demo
    /// line-up.
    #[new]
    fn new(name: &str, set: Vec<(String, String)>, seats: Option<usize>) -> PyResult<Self> {
        let name = parse_game(name).map_err(usage)?;
        let info = name.entry.info();
        let seats = seats.unwrap_or_else(|| info.demo.len().max(*info.seats.start()));
        let game = guarded(|| name.entry.set_up(name.preset, &set, seats))?.map_err(entry_error)?;
        Ok(Self { game: Arc::from(game), entry: name.entry })
    }

    /// A description of the game, as the text of a JSON object.
    fn describe(&self) -> String {
        let mut described = describe(self.entry);
        let own = json!({
            "variant": self.game.variant(), "table": self.game.seats(), "action_bound": self.game.action_bound(),
            "draws_turn_order": self.game.draws_turn_order(), "action_schema": self.game.action_schema(),
            "encoding": self.game.encoding(),
        });
        if let (Some(all), Value::Object(own)) = (described.as_object_mut(), own) {
            all.extend(own);
        }
        described.to_string()
    }

    /// Checks that every agent exists and can play in this game.
    fn check_agents(&self, agents: Vec<String>) -> PyResult<()> {
        let specs: Vec<AgentSpec> = agents.iter().map(|agent| AgentSpec::parse(agent)).collect();
        guarded(|| self.game.check_line_up(&specs))?.map_err(usage)
    }

    /// The episode of this index in the run with this seed.
    fn episode(&self, seed: u64, index: u64) -> PyResult<Episode> {
        self.seeded(EpisodeSeed::new(seed, index).bits())
    }

    /// A new episode with these bits as its own seed.
    fn seeded(&self, bits: u64) -> PyResult<Episode> {
        guarded(|| Episode::new(Arc::clone(&self.game), EpisodeSeed::from_bits(bits)))
    }

    /// A batch of episodes. `lanes` has by lane and seat an agent, or `None` for a player outside.
    fn batch(&self, py: Python<'_>, seed: u64, lanes: Vec<Vec<Option<String>>>) -> PyResult<Batch> {
        let lanes: Vec<Vec<Option<AgentSpec>>> = lanes.iter().map(|lane| specs(lane)).collect();
        let batch = py.detach(|| guarded(|| self.game.batch(seed, &lanes)))?.map_err(usage)?;
        Ok(Batch::new(batch))
    }

    /// `count` parallel episodes for one learner, who plays at the only seat without an agent. At most
    /// `threads` threads step them (0: all cores).
    fn lanes(&self, count: usize, players: Vec<Option<String>>, threads: usize) -> PyResult<Lanes> {
        Lanes::new(Arc::clone(&self.game), count, specs(&players), threads)
    }
}

fn specs(agents: &[Option<String>]) -> Vec<Option<AgentSpec>> {
    agents.iter().map(|agent| agent.as_deref().map(AgentSpec::parse)).collect()
}

/// Static facts of a game of the registry, as JSON.
pub(crate) fn describe(entry: &dyn AnyEntry) -> Value {
    let info: &GameInfo = entry.info();
    let presets: Vec<Value> =
        info.presets.iter().map(|preset| json!({ "name": preset.name, "doc": preset.doc })).collect();
    json!({
        "id": info.id, "name": info.name, "summary": info.summary, "rules_version": info.rules_version,
        "seats": [info.seats.start(), info.seats.end()], "seats_advice": info.seats_advice, "actions": info.actions,
        "information": info.information, "simultaneous": info.simultaneous, "score_unit": info.score_unit,
        "length_unit": info.length_unit, "ends": info.ends, "demo": info.demo, "presets": presets,
        "params": entry.params(), "tools": entry.tools(),
    })
}
