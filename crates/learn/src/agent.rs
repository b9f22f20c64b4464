//! Networks as agents.

use std::sync::Arc;

use meeple_core::{
    Agent, AgentInfo, Definition, Encoding, Game, LearnedPlayer, Params, Playable, Seat, Turn, params,
};

use crate::chooser::Chooser;
use crate::choosing::Choosing;
use crate::error::LearnError;
use crate::goal::Goal;
use crate::learned::{About, Learned};
use crate::plan::Plan;
use crate::policy::Policy;
use crate::sorn::Organised;

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

/// Plays what a network likes best, one step ahead: where it expects most, or what its policy finds likeliest.
pub struct Net<G: Playable>(Plays<G>);

enum Plays<G: Playable> {
    FeedForward(Chooser<G>),
    Policy(Policy<G>),
    Organised(Organised<G>),
}

impl<G: Playable> Net<G> {
    /// With these settings.
    ///
    /// # Errors
    /// If there is no such file, or its network is of something else.
    fn new(game: &G, comes: &Shipped<G>, params: &NetParams) -> Result<Self, LearnError> {
        if params.file.is_empty() {
            return Self::shipped(game, comes, NET, params.samples);
        }
        Self::of(game, read(&params.file)?, &params.file, params.samples)
    }

    /// The player of this name that comes with the game: the one that has learned by exactly these rules, if there is one, else
    /// the first that fits.
    ///
    /// # Errors
    /// If it has not learned for so many seats and these rules.
    fn shipped(game: &G, comes: &Shipped<G>, name: &str, samples: u32) -> Result<Self, LearnError> {
        let (mut refused, mut other) = (None, None);
        for player in comes.players.iter().filter(|player| player.name == name) {
            let learned = Learned::from_bytes(player.file, name)?;
            let of_these_rules =
                rules_of(&comes.variant, &learned).is_some_and(|rules| rules == *game.variant());
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

    fn of(game: &G, learned: Learned, what: &str, samples: u32) -> Result<Self, LearnError> {
        let encoding = fitting(game, &learned, what)?;
        let goal = learned.about.goal;
        // Files of before there was such a thing as advice have learned without it.
        let plan: Option<Plan> = serde_json::from_value(learned.about.plan.clone()).ok();
        let learned_so = plan.map(|plan| plan.choosing());
        let doubt = learned_so.and_then(|choosing| choosing.doubt);
        let temperature = learned_so.map_or(0.0, |choosing| choosing.temperature);
        let choosing = Choosing { goal, samples, doubt, temperature };
        let mind = Arc::new(learned.into_mind());
        if mind.reservoir.is_some() {
            let inputs = mind.inputs();
            return Ok(Self(Plays::Organised(Organised::new(game, mind, encoding, inputs, samples))));
        }
        Ok(Self(match mind.critic {
            Some(_) => Plays::Policy(Policy::new(game, mind, encoding, choosing)),
            None => Plays::FeedForward(Chooser::new(game, mind, encoding, choosing)),
        }))
    }
}

/// The players that come with a game, and its default variant.
struct Shipped<G: Game> {
    players: &'static [LearnedPlayer],
    variant: G::Variant,
}

/// The name of any network as an agent.
const NET: &str = "net";

/// The network in a file.
pub(crate) fn read(file: &str) -> Result<Learned, LearnError> {
    Learned::from_bytes(&std::fs::read(file).map_err(LearnError::file(file))?, file)
}

/// The rules by which a network has learned.
fn rules_of<V: Params>(variant: &V, learned: &Learned) -> Option<V> {
    let plan: Plan = serde_json::from_value(learned.about.plan.clone()).ok()?;
    let mut rules = variant.clone();
    plan.set.iter().try_for_each(|(name, value)| rules.set(name, value)).ok()?;
    Some(rules)
}

/// What goes into a network, if it is of this game. `what` is its name in messages.
pub(crate) fn fitting<G: Playable>(
    game: &G,
    learned: &Learned,
    what: &str,
) -> Result<Encoding<G>, LearnError> {
    let encoding = game.encoding().ok_or(LearnError::NoEncoding(game.info().id))?;
    learned.check(what, &about(game, &encoding))?;
    Ok(encoding)
}

/// What a network must be of to play this game.
pub fn about<G: Game>(game: &G, encoding: &Encoding<G>) -> About {
    About {
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
            Plays::FeedForward(chooser) => chooser.begin_episode(game, seat),
            Plays::Policy(policy) => policy.begin_episode(game, seat),
            Plays::Organised(player) => player.begin_episode(game, seat),
        }
    }

    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        match &mut self.0 {
            Plays::FeedForward(chooser) => chooser.choose(&mut turn, 0.0).0,
            Plays::Policy(policy) => policy.act(turn),
            Plays::Organised(player) => player.act(turn),
        }
    }
}

/// The agents that have learned, for any game: `net`, and those that come with the game by names of their own.
pub fn agents<G: Playable>(definition: &Definition<G>) -> Vec<AgentInfo<G>> {
    let comes = Arc::new(Shipped { players: definition.learned, variant: definition.variant.clone() });
    let own = Arc::clone(&comes);
    let mut agents = vec![AgentInfo::new(
        NET,
        "a network that has learned: the action after which it expects most",
        move |game: &G, params: NetParams| Net::new(game, &own, &params).map_err(|error| error.to_string()),
    )];
    for player in definition.learned {
        if agents.iter().all(|agent| agent.name != player.name) {
            let comes = Arc::clone(&comes);
            agents.push(AgentInfo::new(player.name, player.doc, move |game: &G, params: ShippedParams| {
                Net::shipped(game, &comes, player.name, params.samples).map_err(|error| error.to_string())
            }));
        }
    }
    agents
}
