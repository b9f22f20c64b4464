//! Set-up of a case, or its refusal, and play under the laws.

use std::sync::Arc;

use meeple_core::{
    AgentError, AgentSpec, ChanceStreams, Episode, EpisodeSeed, Params, Phase, Playable, Playouts, Replay,
    find_agent,
};

use super::case::Case;
use super::plan::{Fuzz, is_costly};
use crate::laws::fault::{Fault, hold};
use crate::laws::memory::{Memory, Position};
use crate::laws::run::Laws;
use crate::laws::{endings, facts, records};

/// Maximum number of steps of an episode.
const MAX_STEPS: usize = 20_000;
/// Number of steps after which an episode is cut, if its parameters make it long.
const CUT: usize = 1_000;
/// Maximum number of costly agents at a table; random players take the other seats.
const MAX_COSTLY: usize = 4;

/// Result of a case that broke no law.
pub(super) enum Played {
    Refused,
    Cut(usize),
    Whole(usize),
}

impl<G: Playable> Fuzz<G> {
    /// The game of a case; `None` if it is refused.
    pub(super) fn set_up(&self, case: &Case) -> Result<Option<Arc<G>>, Fault> {
        let mut variant = facts::variant_of(&self.definition, case.preset)?;
        let settings = case.settings(&self.short);
        for (name, value) in &settings {
            let set = variant.set(name, value);
            hold!("domains-enforced", set.is_ok(), "{name} refuses '{value}' of its own domain: {set:?}");
        }
        let seats = (self.definition.seats_for)(&variant, case.named);
        if !self.definition.info.seats.contains(&seats) || case.named > seats {
            return Ok(None);
        }
        match self.definition.set_up(variant.clone(), seats) {
            Ok(game) => {
                facts::variant_kept(&game, &variant, seats)?;
                Ok(Some(Arc::new(game)))
            }
            Err(error) => {
                let params = variant.specs();
                let mut names = params.iter().map(|param| param.name).chain(["seats", "players"]);
                hold!(
                    "refusals-name-a-parameter",
                    names.any(|name| error.reason.contains(name)),
                    "it is refused, but the reason names no parameter: {}",
                    error.reason
                );
                Ok(None)
            }
        }
    }

    /// The line-up, with random players in place of agents that cannot play here.
    pub(super) fn seated(&self, game: &G, case: &Case) -> Result<Vec<AgentSpec>, Fault> {
        let random = AgentSpec::with("random", []);
        let mut line_up = case.line_up(game.seats());
        let mut builds: Vec<(AgentSpec, bool)> = Vec::new();
        let mut costly = 0;
        for spec in &mut line_up {
            costly += usize::from(is_costly(&spec.name));
            if is_costly(&spec.name) && costly > MAX_COSTLY {
                spec.clone_from(&random);
            }
            let known = builds.iter().find(|(other, _)| other == spec).map(|(_, builds)| *builds);
            let builds_here = match known {
                Some(builds_here) => builds_here,
                None => {
                    let builds_here = self.can_play(game, spec)?;
                    builds.push((spec.clone(), builds_here));
                    builds_here
                }
            };
            if !builds_here {
                spec.clone_from(&random);
            }
        }
        Ok(line_up)
    }

    fn can_play(&self, game: &G, spec: &AgentSpec) -> Result<bool, Fault> {
        let mut conditions = self.conditions.iter().filter(|(agent, _)| *agent == spec.name);
        if !conditions.all(|(_, condition)| condition(game.variant())) {
            return Ok(false);
        }
        match find_agent(game.info(), &self.agents, spec).and_then(|info| info.build(game, spec)) {
            Ok(_) => Ok(true),
            Err(AgentError::Refused { reason, .. }) => {
                hold!("agents-refuse-with-reason", !reason.trim().is_empty(), "'{spec}' gives no reason");
                Ok(false)
            }
            Err(error) => Err(Fault { law: "domains-enforced", what: format!("'{spec}': {error}") }),
        }
    }

    pub(super) fn play(&self, case: &Case, walk: bool) -> Result<Played, Fault> {
        let Some(game) = self.set_up(case)? else { return Ok(Played::Refused) };
        let is_long = case.set.iter().any(|(name, value)| self.is_longer(name, value));
        let longest = if is_long { CUT } else { MAX_STEPS };
        let line_up = self.seated(&game, case)?;
        let names: Vec<String> = line_up.iter().map(AgentSpec::to_string).collect();
        let build = || records::build(&*game, &self.agents, &line_up);
        let mut agents = build()?;
        let mut play = |index| {
            let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(case.seed, index));
            match records::finish(&mut episode, &mut agents, longest, &names) {
                Err(fault) if fault.law == "episodes-end" && is_long => Ok((episode, None)),
                Err(fault) => Err(fault),
                Ok(outcome) => Ok((episode, Some(outcome))),
            }
        };
        let (episode, outcome) = play(0)?;
        for index in 1..self.episodes {
            play(index)?;
        }
        let seed = EpisodeSeed::new(case.seed, 0);
        let steps = episode.steps().len();
        if let Some(outcome) = &outcome {
            let chance = ChanceStreams::new(seed);
            let (state, log) = (episode.state(), episode.events());
            endings::ending(
                &Position { game: &*game, state, phase: Phase::Over, chance: &chance, log },
                records::decisions(&episode),
            )?;
            let mut playouts = Playouts::new(Arc::clone(&game), build()?);
            records::equal_playout(&mut playouts, &episode, (case.seed, 0), outcome)?;
        }
        records::verifies(
            &self.definition,
            &Replay::of(&episode, &records::labels(&names), Some(seed)),
            &episode,
        )?;
        if walk && !is_long {
            let laws = Laws::with(Arc::clone(&self.definition), Arc::clone(&game), case.seed, longest);
            let walked = laws.walk(0, steps.max(1), &mut Memory::new(&*game, case.seed, longest));
            let lived = walked.and_then(|_| laws.twin_episodes());
            lived.map_err(|broken| Fault { law: broken.law, what: broken.message })?;
        }
        Ok(if outcome.is_some() { Played::Whole(steps) } else { Played::Cut(steps) })
    }
}
