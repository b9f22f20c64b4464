//! The best play of random rules: it attains its value, and every caller gets the same answer.

use std::collections::BTreeMap;
use std::sync::Arc;

use meeple_core::{
    Agent, AgentSpec, Defined as _, Episode, EpisodeSeed, Game, Phase, Seat, Stream, Viewer, build_agents,
};
use meeple_incan_gold::exact::{Hazard, Horizon, Policy, Position, Rules, optimal};
use meeple_incan_gold::{Action, Card, IncanGold, Observation, Removed, Unclaimed, Variant};

use super::close;
use super::enumeration::best_by_search;

/// Small rules of every kind.
fn any_rules(stream: &mut Stream) -> Rules {
    let mut number = |low: u32, high: u32| low + stream.below(high - low + 1);
    let most = [3, 6, 12, 20][number(0, 3) as usize];
    Rules {
        gems: (0..number(0, 8)).map(|_| number(1, most)).collect(),
        rounds: number(1, 3),
        hazard_kinds: number(0, 3),
        hazard_copies: number(0, 4),
        artifact_values: (0..number(0, 4)).map(|_| number(0, 20)).collect(),
        unclaimed: if number(0, 1) == 0 { Unclaimed::Return } else { Unclaimed::Leave },
        removed: if number(0, 2) == 0 { Removed::All } else { Removed::Path },
        ..Rules::classic()
    }
}

/// Rules in which the cards may matter, not the backpack alone: two artifacts are worth waiting
/// for, and the same sum comes from few gems or many, so deck sizes differ.
fn steep_rules(stream: &mut Stream) -> Rules {
    let mut number = |low: u32, high: u32| low + stream.below(high - low + 1);
    let most = [5, 8, 12, 17][number(0, 3) as usize];
    Rules {
        gems: (0..number(6, 9)).map(|_| number(1, most)).collect(),
        rounds: number(2, 3),
        hazard_kinds: number(1, 3),
        hazard_copies: number(2, 4),
        artifact_values: (0..number(2, 3)).map(|index| number(0, 2) + index * number(8, 30)).collect(),
        unclaimed: Unclaimed::Return,
        ..Rules::classic()
    }
}

/// The game between rounds: sorted copies of each kind of hazard, artifacts in the deck, and
/// artifacts claimed.
type Between = (Vec<u32>, u32, u32);

/// A lone player who follows a policy through all rounds, card by card.
struct Walk<'a> {
    rules: &'a Rules,
    policy: &'a Policy,
    /// Distinct gems with their numbers.
    gems: Vec<(u32, u32)>,
    /// Positions in which the gems decided and not the backpack alone.
    by_gems: Vec<ByGems>,
}

/// A position in which the gems decide.
struct ByGems {
    round: u32,
    path: Vec<Card>,
    /// True if every earlier round may have ended with its first card, a gem.
    is_quiet: bool,
}

impl<'a> Walk<'a> {
    fn new(rules: &'a Rules, policy: &'a Policy) -> Self {
        let mut counts = BTreeMap::new();
        rules.gems.iter().for_each(|gem| *counts.entry(*gem).or_insert(0) += 1);
        Self { rules, policy, gems: counts.into_iter().collect(), by_gems: Vec::new() }
    }

    fn scores(&mut self) -> BTreeMap<u32, f64> {
        let copies = vec![self.rules.hazard_copies; self.rules.hazard_kinds as usize];
        let mut worlds: BTreeMap<Between, BTreeMap<u32, f64>> = BTreeMap::new();
        worlds.insert((copies, 0, 0), BTreeMap::from([(0, 1.0)]));
        for round in 1..=self.rules.rounds {
            let mut then: BTreeMap<Between, BTreeMap<u32, f64>> = BTreeMap::new();
            for ((copies, artifacts, claimed), scores) in worlds {
                let entered = u32::from(round as usize <= self.rules.artifact_values.len());
                for ((next, gain), probability) in self.round(round, &copies, artifacts + entered, claimed) {
                    let after = then.entry(next).or_default();
                    for (score, before) in &scores {
                        *after.entry(score + gain).or_default() += before * probability;
                    }
                }
            }
            worlds = then;
        }
        let mut all = BTreeMap::new();
        for (score, probability) in worlds.into_values().flatten() {
            *all.entry(score).or_default() += probability;
        }
        all
    }

    /// Results of a round with their gains, from a deck with these hazards and artifacts.
    fn round(
        &mut self,
        round: u32,
        copies: &[u32],
        artifacts: u32,
        claimed: u32,
    ) -> BTreeMap<(Between, u32), f64> {
        let strides: Vec<usize> = self
            .gems
            .iter()
            .scan(1, |stride, (_, count)| {
                let own = *stride;
                *stride *= *count as usize + 1;
                Some(own)
            })
            .collect();
        let multisets: usize = self.gems.iter().map(|(_, count)| *count as usize + 1).product();
        let masks = 1usize << copies.len();
        let at =
            |on_path: u32, seen: usize, code: usize| (on_path as usize * masks + seen) * multisets + code;
        let mut reached = vec![0.0; (artifacts as usize + 1) * masks * multisets];
        reached[0] = 1.0;
        let mut ends = BTreeMap::new();
        let left_over = |taken: u32, left: u32| match (self.rules.unclaimed, self.rules.removed) {
            (Unclaimed::Return, _) => artifacts - taken,
            (Unclaimed::Leave, Removed::Path) => artifacts - taken - left,
            (Unclaimed::Leave, Removed::All) => 0,
        };
        for on_path in 0..=artifacts {
            for seen in 0..masks {
                for code in 0..multisets {
                    let probability = reached[at(on_path, seen, code)];
                    if probability == 0.0 {
                        continue;
                    }
                    let digits: Vec<u32> = strides
                        .iter()
                        .zip(&self.gems)
                        .map(|(stride, (_, count))| (code / stride % (*count as usize + 1)) as u32)
                        .collect();
                    let backpack: u32 = digits.iter().zip(&self.gems).map(|(n, (value, _))| n * value).sum();
                    let hazards: Vec<Hazard> = copies
                        .iter()
                        .enumerate()
                        .map(|(kind, &copies)| Hazard { copies, seen: seen >> kind & 1 == 1 })
                        .collect();
                    let gems_left: u32 =
                        self.gems.iter().map(|(_, count)| count).sum::<u32>() - digits.iter().sum::<u32>();
                    let hazards_left = copies.iter().sum::<u32>() - seen.count_ones();
                    let deck = gems_left + hazards_left + artifacts - on_path;
                    let position = Position {
                        round,
                        hazards: &hazards,
                        artifacts,
                        artifacts_on_path: on_path,
                        claimed,
                        backpack,
                    };
                    let in_hand = digits.iter().zip(&self.gems);
                    let in_hand =
                        in_hand.flat_map(|(n, (value, _))| std::iter::repeat_n(*value, *n as usize));
                    let leaves =
                        self.policy.leave(&position, in_hand.clone()).expect("a position of the game");
                    let (low, high) = self.policy.threshold(&position).expect("a position of the game");
                    if (low..high).contains(&backpack) {
                        let gems = in_hand.map(|value| Card::Gem(value as u16));
                        let kinds = (0..copies.len()).filter(|kind| seen >> kind & 1 == 1);
                        let hazards = kinds.map(|kind| Card::Hazard(kind as u8));
                        let artifacts_seen = std::iter::repeat_n(Card::Artifact, on_path as usize);
                        self.by_gems.push(ByGems {
                            round,
                            path: gems.chain(hazards).chain(artifacts_seen).collect(),
                            is_quiet: claimed == 0
                                && artifacts == round.min(self.rules.artifact_values.len() as u32)
                                && copies.iter().all(|copies| *copies == self.rules.hazard_copies),
                        });
                    }
                    let fresh = on_path == 0 && seen == 0 && code == 0;
                    assert!(!(leaves && fresh && deck > 0), "nobody leaves before the first card");
                    if leaves || deck == 0 {
                        let values = &self.rules.artifact_values[claimed as usize..][..on_path as usize];
                        let next = (copies.to_vec(), left_over(on_path, 0), claimed + on_path);
                        *ends.entry((next, backpack + values.iter().sum::<u32>())).or_default() +=
                            probability;
                        continue;
                    }
                    let each = probability / f64::from(deck);
                    for (index, (_, count)) in self.gems.iter().enumerate() {
                        if digits[index] < *count {
                            reached[at(on_path, seen, code + strides[index])] +=
                                each * f64::from(count - digits[index]);
                        }
                    }
                    if on_path < artifacts {
                        reached[at(on_path + 1, seen, code)] += each * f64::from(artifacts - on_path);
                    }
                    for (kind, &cards) in copies.iter().enumerate() {
                        if seen >> kind & 1 == 0 {
                            if cards > 0 {
                                reached[at(on_path, seen | 1 << kind, code)] += each * f64::from(cards);
                            }
                        } else if cards > 1 {
                            let mut after = copies.to_vec();
                            after[kind] -= 1;
                            after.sort_unstable();
                            *ends.entry(((after, left_over(0, on_path), claimed), 0)).or_default() +=
                                each * f64::from(cards - 1);
                        }
                    }
                }
            }
        }
        ends
    }
}

#[test]
fn best_play_attains_its_value_and_the_cards_in_hand_play_it() {
    let mut stream = Stream::from_seed(41);
    let mut by_gems = 0;
    for index in 0..120 {
        let rules = if index % 2 == 0 { any_rules(&mut stream) } else { steep_rules(&mut stream) };
        for horizon in [Horizon::Game, Horizon::Round] {
            let what = format!("{horizon:?} of {rules:?}");
            let best = optimal(&rules, horizon).unwrap();
            match horizon {
                Horizon::Game => close(best.score.mean(), best.value, 1e-10, &what),
                Horizon::Round => {
                    let first = optimal(&Rules { rounds: 1, ..rules.clone() }, horizon).unwrap();
                    close(first.score.mean(), best.value, 1e-10, &what);
                }
            }
            let mut walk = Walk::new(&rules, &best.policy);
            let scores = walk.scores();
            by_gems += usize::from(!walk.by_gems.is_empty());
            close(scores.values().sum(), 1.0, 1e-12, &what);
            for (score, probability) in &scores {
                close(best.score.at(*score as i32), *probability, 1e-12, &format!("{what}: P({score})"));
            }
        }
    }
    assert!(by_gems >= 20, "the gems decided under {by_gems} rules only");
}

#[test]
fn no_play_of_random_small_rules_is_better() {
    let mut stream = Stream::from_seed(42);
    let mut searched = 0;
    while searched < 40 {
        let rules = any_rules(&mut stream);
        let cards = rules.gems.len() + (rules.hazard_kinds * rules.hazard_copies) as usize;
        if !(1..=9).contains(&cards) {
            continue;
        }
        let best = optimal(&rules, Horizon::Game).unwrap();
        close(best.value, best_by_search(&rules), 1e-10, &format!("{rules:?}"));
        searched += 1;
    }
}

/// The position of a lone player, derived from the cards alone, and the gems on the path.
pub(super) fn position<'a>(
    sight: &Observation<'_>,
    hazards: &'a mut Vec<Hazard>,
) -> (Position<'a>, Vec<u32>) {
    let gems: Vec<u32> = sight
        .path()
        .iter()
        .filter_map(|card| match card {
            Card::Gem(value) => Some(u32::from(*value)),
            Card::Hazard(_) | Card::Artifact | Card::PrintedArtifact(_) => None,
        })
        .collect();
    let mut artifacts = 0;
    hazards.clear();
    for (card, copies) in sight.pack() {
        match card {
            Card::Gem(_) => {}
            Card::Artifact | Card::PrintedArtifact(_) => artifacts += copies,
            Card::Hazard(_) => hazards.push(Hazard { copies, seen: sight.path().contains(&card) }),
        }
    }
    let position = Position {
        round: sight.round(),
        hazards,
        artifacts,
        artifacts_on_path: sight.path().iter().filter(|card| **card == Card::Artifact).count() as u32,
        claimed: sight.artifacts_claimed(),
        backpack: gems.iter().sum(),
    };
    (position, gems)
}

/// The game with these rules, for a lone player, and the agent that plays best.
fn alone(rules: &Rules) -> (Arc<IncanGold>, Box<dyn Agent<IncanGold>>) {
    let variant = Variant {
        rounds: rules.rounds as u8,
        gems: rules.gems.iter().map(|gem| *gem as u16).collect(),
        hazard_kinds: rules.hazard_kinds as u8,
        hazard_copies: rules.hazard_copies as u8,
        artifact_values: rules.artifact_values.iter().map(|value| *value as u16).collect(),
        unclaimed: rules.unclaimed,
        removed: rules.removed,
        ..Variant::default()
    };
    assert_eq!(Rules::from(&variant), *rules);
    let game = Arc::new(IncanGold::new(variant, 1).unwrap());
    let agents =
        build_agents(&*game, &IncanGold::definition().agents, &[AgentSpec::parse("optimal-solo")]).unwrap();
    let [agent] = agents.try_into().ok().unwrap();
    (game, agent)
}

/// Compares the agent's decision with the policy, which gets the position from the cards.
fn check_agent(
    episode: &mut Episode<IncanGold>,
    agent: &mut dyn Agent<IncanGold>,
    policy: &Policy,
) -> Action {
    let seat = Seat::new(0);
    let action = episode.ask(seat, agent);
    let sight = episode.game().observe(episode.state(), Viewer::Seat(seat));
    let mut hazards = Vec::new();
    let (position, gems) = position(&sight, &mut hazards);
    let leaves = policy.leave(&position, gems.iter().copied()).unwrap();
    assert_eq!(
        action == Action::Leave,
        leaves,
        "{position:?} with {gems:?} of {:?}",
        episode.game().variant()
    );
    action
}

#[test]
fn the_agent_plays_the_policy() {
    let mut stream = Stream::from_seed(43);
    let (seat, mut by_gems) = (Seat::new(0), [0, 0]);
    for _ in 0..60 {
        let rules = steep_rules(&mut stream);
        let policy = Policy::best(&rules, Horizon::Game).unwrap();
        let (game, mut agent) = alone(&rules);
        for index in 0..5 {
            let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(9, index));
            loop {
                episode.settle_chance();
                if episode.phase() == Phase::Over {
                    break;
                }
                let action = check_agent(&mut episode, agent.as_mut(), &policy);
                episode.act(seat, &action).unwrap();
            }
        }
        // Positions in which the gems decide are rare by chance.
        let mut walk = Walk::new(&rules, &policy);
        walk.scores();
        for telling in walk.by_gems.iter().filter(|telling| telling.is_quiet) {
            let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(9, 0));
            for _ in 1..telling.round {
                episode.force_chance(Card::Gem(rules.gems[0] as u16)).unwrap();
                episode.act(seat, &Action::Leave).unwrap();
            }
            let (last, before) = telling.path.split_last().unwrap();
            for card in before {
                episode.force_chance(*card).unwrap();
                episode.act(seat, &Action::Stay).unwrap();
            }
            episode.force_chance(*last).unwrap();
            let action = check_agent(&mut episode, agent.as_mut(), &policy);
            by_gems[usize::from(action == Action::Leave)] += 1;
        }
    }
    assert!(by_gems.iter().all(|times| *times >= 5), "the gems said stay and leave {by_gems:?} times");
}
