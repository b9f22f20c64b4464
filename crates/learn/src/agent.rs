use std::sync::Arc;

use meeple_core::{
    Agent, AgentInfo, Definition, Encoding, Game, LearnedPlayer, Params, Playable, Seat, Turn, params,
};

use crate::afterstate::AfterstateAgent;
use crate::agent_file::read_agent_file;
use crate::checkpoint::{Checkpoint, CheckpointInfo};
use crate::error::LearnError;
use crate::goal::Goal;
use crate::plan::TrainingPlan;
use crate::play_settings::PlaySettings;
use crate::policy::Policy;
use crate::sorn::SornAgent;

params! {
    /// Settings of [`Net`].
    pub struct NetParams {
        /// The network, a file that `meeple learn` has written; without it the one that comes with the game.
        pub file: String = String::new() => "file", file();
        /// Random actions to choose from, in games whose actions cannot be listed.
        pub samples: u32 = 60 => "samples", int(1, 10_000);
    }
}

params! {
    /// Settings of a player that comes with a game.
    pub struct ShippedParams {
        /// Random actions to choose from, in games whose actions cannot be listed.
        pub samples: u32 = 60 => "samples", int(1, 10_000);
    }
}

/// Agent that plays a trained model: a value network (best afterstate), a policy or a self-organising
/// network.
pub struct Net<G: Playable>(Player<G>);

enum Player<G: Playable> {
    Value(AfterstateAgent<G>),
    Policy(Policy<G>),
    Sorn(SornAgent<G>),
}

impl<G: Playable> Net<G> {
    /// # Errors
    /// If the file cannot be read, or its model does not fit the game.
    fn new(game: &G, shipped: &Shipped<G>, params: &NetParams) -> Result<Self, LearnError> {
        if params.file.is_empty() {
            return Self::shipped(game, shipped, NET, params.samples);
        }
        Self::of(game, read(&params.file)?, &params.file, params.samples)
    }

    /// The shipped player of this name: the one trained by exactly these rules, else the first that fits.
    ///
    /// # Errors
    /// If none fits these seats and rules.
    fn shipped(game: &G, shipped: &Shipped<G>, name: &str, samples: u32) -> Result<Self, LearnError> {
        let (mut refused, mut other) = (None, None);
        for player in shipped.players.iter().filter(|player| player.name == name) {
            let learned = Checkpoint::from_bytes(player.file, name)?;
            let of_these_rules =
                rules_of(&shipped.variant, &learned).is_some_and(|rules| rules == *game.variant());
            match Self::of(game, learned, name, samples) {
                Ok(net) if of_these_rules => return Ok(net),
                Ok(net) => other = other.or(Some(net)),
                Err(error) => refused = Some(error),
            }
        }
        if let Some(net) = other {
            return Ok(net);
        }
        Err(refused.unwrap_or_else(|| LearnError::Network {
            what: name.to_owned(),
            expected: "a file".to_owned(),
            found: format!("none, and none comes with {}", game.info().id),
            hint: "net:FILE plays a network that `meeple learn` has trained",
        }))
    }

    fn of(game: &G, learned: Checkpoint, what: &str, samples: u32) -> Result<Self, LearnError> {
        let encoding = fitting(game, &learned, what)?;
        let goal = learned.about.goal;
        // Files from before the setting `advice` existed were trained without it.
        let plan: Option<TrainingPlan> = serde_json::from_value(learned.about.plan.clone()).ok();
        let settings = plan.map(|plan| plan.play_settings());
        let doubt = settings.and_then(|settings| settings.doubt);
        let temperature = settings.map_or(0.0, |settings| settings.temperature);
        let settings = PlaySettings { goal, samples, doubt, temperature };
        let model = Arc::new(learned.into_model());
        if model.reservoir.is_some() {
            let inputs = model.inputs();
            return Ok(Self(Player::Sorn(SornAgent::new(game, model, encoding, inputs, samples))));
        }
        Ok(Self(match model.critic {
            Some(_) => Player::Policy(Policy::new(game, model, encoding, settings)),
            None => Player::Value(AfterstateAgent::new(game, model, encoding, settings)),
        }))
    }
}

struct Shipped<G: Game> {
    players: &'static [LearnedPlayer],
    variant: G::Variant,
}

const NET: &str = "net";

pub(crate) fn read(file: &str) -> Result<Checkpoint, LearnError> {
    Checkpoint::from_bytes(&read_agent_file(file)?, file)
}

fn rules_of<V: Params>(variant: &V, learned: &Checkpoint) -> Option<V> {
    let plan: TrainingPlan = serde_json::from_value(learned.about.plan.clone()).ok()?;
    let mut rules = variant.clone();
    plan.set.iter().try_for_each(|(name, value)| rules.set(name, value)).ok()?;
    Some(rules)
}

/// The game's encoding, if it fits the model. `what` is the model's name in messages.
pub(crate) fn fitting<G: Playable>(
    game: &G,
    learned: &Checkpoint,
    what: &str,
) -> Result<Encoding<G>, LearnError> {
    let encoding = game.encoding().ok_or(LearnError::NoEncoding(game.info().id))?;
    learned.check(what, &required_info(game, &encoding))?;
    Ok(encoding)
}

pub fn required_info<G: Game>(game: &G, encoding: &Encoding<G>) -> CheckpointInfo {
    CheckpointInfo {
        game: game.info().id.to_owned(),
        rules_version: game.info().rules_version,
        encoding_version: encoding.version,
        seats: game.seats(),
        goal: Goal::default(),
        sizes: vec![encoding.size(game)],
        round: 0,
        episodes: 0,
        plan: serde_json::Value::Null,
        people: None,
        checksum: String::new(),
    }
}

impl<G: Playable> Agent<G> for Net<G> {
    fn begin_episode(&mut self, game: &G, seat: Seat) {
        match &mut self.0 {
            Player::Value(player) => player.begin_episode(game, seat),
            Player::Policy(policy) => policy.begin_episode(game, seat),
            Player::Sorn(player) => player.begin_episode(game, seat),
        }
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        match &mut self.0 {
            Player::Value(player) => player.choose(&mut turn, 0.0).0,
            Player::Policy(policy) => policy.act(turn),
            Player::Sorn(player) => player.act(turn),
        }
    }
}

/// `net`, and the players shipped with the game under their own names.
pub fn agents<G: Playable>(definition: &Definition<G>) -> Vec<AgentInfo<G>> {
    let shipped = Arc::new(Shipped { players: definition.learned, variant: definition.variant.clone() });
    let own = Arc::clone(&shipped);
    let mut agents = vec![AgentInfo::new(
        NET,
        "a network that has learned: the action after which it expects most",
        move |game: &G, params: NetParams| Net::new(game, &own, &params).map_err(|error| error.to_string()),
    )];
    for player in definition.learned {
        if agents.iter().all(|agent| agent.name != player.name) {
            let shipped = Arc::clone(&shipped);
            agents.push(AgentInfo::new(player.name, player.doc, move |game: &G, params: ShippedParams| {
                Net::shipped(game, &shipped, player.name, params.samples).map_err(|error| error.to_string())
            }));
        }
    }
    agents
}
