//! Scope and cost limits of a search.

use std::sync::Arc;

use meeple_core::{AgentInfo, AgentSpec, Defined, Definition, Domain, Game, ParamSpec, Playable};

use crate::laws::fault::setters;
use crate::laws::run::agents_with;

/// Maximum number of players for which every table size is tried; beyond it only the largest.
const USUAL_PLAYERS: usize = 16;

/// Parameters of unbounded cost, with the maximum tried: agent, parameter, value.
const COSTLY: &[(&str, &str, i64)] = &[
    ("greedy", "worlds", 2),
    ("greedy", "samples", 3),
    ("flat", "playouts", 6),
    ("flat", "samples", 3),
    ("flat", "longest", 20),
];

/// Condition on the rules under which an agent takes part.
type Condition<G> = fn(&<G as Game>::Variant) -> bool;

/// A search for parameters of rules and agents that break a game.
///
/// First every rule parameter is set to the ends of its domain and to some values between. Then every agent
/// plays with itself at tables of every size, and with each of its parameters at their ends. Random
/// combinations follow. Each case is set up, or refused with a reason that names a parameter. Its agents (the
/// game's own and the general ones) play checked episodes, the first of which must equal a playout and a
/// replay. Some cases are also walked at random under all laws. Everything is a function of the seed.
pub struct Fuzz<G: Playable> {
    pub(super) definition: Arc<Definition<G>>,
    pub(super) agents: Vec<AgentInfo<G>>,
    pub(super) conditions: Vec<(&'static str, Condition<G>)>,
    pub(super) short: Vec<(&'static str, &'static str)>,
    pub(super) texts: Vec<(&'static str, Vec<String>)>,
    pub(super) combinations: u64,
    pub(super) episodes: u64,
    pub(super) seed: u64,
}

impl<G: Defined> Default for Fuzz<G> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G: Playable> Fuzz<G> {
    /// A search with seed 1 and 100 random combinations, without parameters that lengthen episodes.
    pub fn new() -> Self
    where
        G: Defined,
    {
        Self::of(Arc::new(G::definition()))
    }

    /// As [`new`](Self::new), for any definition.
    pub fn of(definition: Arc<Definition<G>>) -> Self {
        Self {
            agents: agents_with(&definition, meeple_agents::general()),
            definition,
            conditions: Vec::new(),
            short: Vec::new(),
            texts: Vec::new(),
            combinations: 100,
            episodes: 5,
            seed: 1,
        }
    }

    /// Declares the parameters that lengthen episodes, with values for short ones. An episode may exceed
    /// 20,000 steps only if the case sets one of these parameters to a larger value, or to 0 (no limit). The
    /// short values hold unless a case sets others. Other parameters that make cases cheaper are allowed too.
    pub fn short(mut self, settings: &[(&'static str, &'static str)]) -> Self {
        self.short = settings.to_vec();
        self
    }

    /// Declares texts to try for a parameter that takes any text.
    pub fn texts(mut self, param: &'static str, texts: &[&str]) -> Self {
        self.texts.push((param, texts.iter().map(|text| (*text).to_owned()).collect()));
        self
    }

    /// Restricts a costly agent to variants for which `condition` holds.
    pub fn agent_if(mut self, agent: &'static str, condition: fn(&G::Variant) -> bool) -> Self {
        self.conditions.push((agent, condition));
        self
    }

    setters! {
        /// Number of random combinations; default 100.
        combinations: u64;
        /// Number of checked episodes per case; default 5. Several episodes give rare faults a chance.
        episodes: u64;
        /// Seed of the search; default 1.
        seed: u64;
    }

    pub(super) fn known_agents(&self) -> Vec<AgentInfo<G>> {
        self.agents.clone()
    }

    pub(super) fn texts_of(&self, param: &str) -> &[String] {
        self.texts.iter().find(|(name, _)| *name == param).map_or(&[], |(_, texts)| texts)
    }

    /// Returns true if this value makes episodes longer than those of a short game.
    pub(super) fn is_longer(&self, param: &str, value: &str) -> bool {
        let Some((_, short)) = self.short.iter().find(|(name, _)| *name == param) else { return false };
        match (value.parse::<f64>(), short.parse::<f64>()) {
            (Ok(value), Ok(short)) => value > short || value == 0.0 && short > 0.0,
            _ => value != *short,
        }
    }

    pub(super) fn numbers_of_players(&self) -> Vec<usize> {
        let Definition { info, variant, seats_for, .. } = &*self.definition;
        let (fewest, most) = (*info.seats.start(), *info.seats.end());
        let mut numbers: Vec<usize> = (fewest..=most.min(USUAL_PLAYERS.max(fewest))).collect();
        // Where the variant fixes the number of seats, the number of players has no effect.
        numbers.dedup_by_key(|named| seats_for(variant, *named));
        if most > USUAL_PLAYERS && seats_for(variant, most) == most {
            numbers.push(most);
        }
        numbers
    }

    /// The parameters of an agent, with costly ones capped.
    pub(super) fn cheap_params(&self, agent: &AgentInfo<G>) -> Vec<ParamSpec> {
        let mut params = agent.specs();
        for param in &mut params {
            if let (Some(most), Domain::Int { max, .. }) =
                (most_of(agent.name, param.name), &mut param.domain)
            {
                *max = most;
                param.default = most.to_string();
            }
        }
        params
    }

    /// The agent with these parameters; costly ones not given are capped.
    pub(super) fn agent_with(
        &self,
        agent: &AgentInfo<G>,
        mut given: Vec<(&'static str, String)>,
    ) -> AgentSpec {
        for param in self.cheap_params(agent) {
            if most_of(agent.name, param.name).is_some() && given.iter().all(|(name, _)| *name != param.name)
            {
                given.push((param.name, param.default));
            }
        }
        AgentSpec::with(agent.name, given.iter().map(|(name, value)| (*name, value.as_str())))
    }
}

/// The maximum tried for a costly parameter.
fn most_of(agent: &str, param: &str) -> Option<i64> {
    COSTLY.iter().find(|(own, name, _)| *own == agent && *name == param).map(|(_, _, most)| *most)
}

pub(super) fn is_costly(agent: &str) -> bool {
    COSTLY.iter().any(|(own, ..)| *own == agent)
}
