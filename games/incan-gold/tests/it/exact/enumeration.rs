//! A second implementation of the rules: walks small games card by card.

use std::collections::BTreeMap;

use meeple_incan_gold::exact::{
    Hazard, Horizon, Policy, Position, Rules, Strategy, optimal, solo, solo_rounds, versus,
};
use meeple_incan_gold::{Removed, Unclaimed};

use super::{Item, close, hazards_seen};

/// The game between rounds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct World {
    copies: Vec<u32>,
    artifacts: u32,
    claimed: usize,
    scores: Vec<u32>,
}

/// The view of a player of the enumeration.
struct Sight<'a> {
    round: u32,
    path: &'a [Item],
    backpack: u32,
    start: &'a World,
}

type Choose = dyn Fn(&Sight<'_>) -> f64;
type Chooser<'a> = &'a (dyn Fn(&Sight<'_>) -> f64 + 'a);

struct Enumeration<'a> {
    rules: &'a Rules,
    players: &'a [Chooser<'a>],
}

#[derive(Clone)]
struct Moment {
    deck: Vec<Item>,
    path: Vec<Item>,
    exploring: Vec<bool>,
    backpack: u32,
    spare: u32,
    on_path: u32,
    world: World,
}

impl Enumeration<'_> {
    /// All final worlds with their probabilities.
    fn play(&self) -> BTreeMap<Vec<u32>, f64> {
        let first = World {
            copies: vec![self.rules.hazard_copies; self.rules.hazard_kinds as usize],
            artifacts: 0,
            claimed: 0,
            scores: vec![0; self.players.len()],
        };
        let mut worlds = BTreeMap::from([(first, 1.0)]);
        for round in 1..=self.rules.rounds {
            let mut then = BTreeMap::new();
            for (mut world, probability) in worlds {
                if round as usize <= self.rules.artifact_values.len() {
                    world.artifacts += 1;
                }
                let mut deck: Vec<Item> = self.rules.gems.iter().map(|&value| Item::Gem(value)).collect();
                for (kind, &copies) in world.copies.iter().enumerate() {
                    deck.extend((0..copies).map(|_| Item::Hazard(kind)));
                }
                deck.extend((0..world.artifacts).map(|_| Item::Artifact));
                let moment = Moment {
                    deck,
                    path: Vec::new(),
                    exploring: vec![true; self.players.len()],
                    backpack: 0,
                    spare: 0,
                    on_path: 0,
                    world: world.clone(),
                };
                self.card(round, &world, moment, probability, &mut then);
            }
            worlds = then;
        }
        let mut scores = BTreeMap::new();
        for (world, probability) in worlds {
            *scores.entry(world.scores).or_insert(0.0) += probability;
        }
        scores
    }

    fn end(&self, mut moment: Moment, probability: f64, out: &mut BTreeMap<World, f64>) {
        match (self.rules.unclaimed, self.rules.removed) {
            (Unclaimed::Return, _) => {}
            (Unclaimed::Leave, Removed::Path) => moment.world.artifacts -= moment.on_path,
            (Unclaimed::Leave, Removed::All) => moment.world.artifacts = 0,
        }
        *out.entry(moment.world).or_insert(0.0) += probability;
    }

    fn card(&self, round: u32, start: &World, now: Moment, probability: f64, out: &mut BTreeMap<World, f64>) {
        if !now.exploring.contains(&true) {
            return self.end(now, probability, out);
        }
        if now.deck.is_empty() {
            let leavers = now.exploring.clone();
            return self.end(self.leave(now, &leavers), probability, out);
        }
        let mut counts: BTreeMap<Item, usize> = BTreeMap::new();
        now.deck.iter().for_each(|&item| *counts.entry(item).or_default() += 1);
        for (item, count) in counts {
            let probability = probability * count as f64 / now.deck.len() as f64;
            let mut next = now.clone();
            next.deck.remove(next.deck.iter().position(|&other| other == item).unwrap());
            match item {
                Item::Gem(value) => {
                    let explorers = next.exploring.iter().filter(|&&explores| explores).count() as u32;
                    next.backpack += value / explorers;
                    next.spare += value % explorers;
                }
                Item::Hazard(kind) if next.path.contains(&item) => {
                    next.world.copies[kind] -= 1;
                    self.end(next, probability, out);
                    continue;
                }
                Item::Hazard(_) => {}
                Item::Artifact => next.on_path += 1,
            }
            next.path.push(item);
            let sight = Sight { round, path: &next.path, backpack: next.backpack, start };
            let leaves: Vec<f64> = self
                .players
                .iter()
                .zip(&next.exploring)
                .map(|(player, &explores)| if explores { player(&sight) } else { 0.0 })
                .collect();
            for choice in 0..1u32 << leaves.len() {
                let leavers: Vec<bool> = (0..leaves.len()).map(|player| choice >> player & 1 == 1).collect();
                let chance: f64 = leavers
                    .iter()
                    .zip(&leaves)
                    .map(|(&leaver, p)| if leaver { *p } else { 1.0 - p })
                    .product();
                if chance > 0.0 {
                    let after = self.leave(next.clone(), &leavers);
                    self.card(round, start, after, probability * chance, out);
                }
            }
        }
    }

    fn leave(&self, mut moment: Moment, leavers: &[bool]) -> Moment {
        let who: Vec<usize> = (0..leavers.len()).filter(|&player| leavers[player]).collect();
        if who.is_empty() {
            return moment;
        }
        let share = moment.spare / who.len() as u32;
        moment.spare %= who.len() as u32;
        for &player in &who {
            moment.world.scores[player] += moment.backpack + share;
            moment.exploring[player] = false;
        }
        if let [alone] = who[..] {
            for _ in 0..moment.on_path {
                moment.world.scores[alone] += self.rules.artifact_values[moment.world.claimed];
                moment.world.claimed += 1;
                moment.world.artifacts -= 1;
            }
            moment.on_path = 0;
        }
        moment
    }
}

/// Small games, each with something special.
fn small_games() -> Vec<(Rules, &'static str)> {
    let base = Rules {
        rounds: 2,
        gems: vec![1, 2, 5],
        hazard_kinds: 2,
        hazard_copies: 2,
        artifact_values: vec![3, 7],
        unclaimed: Unclaimed::Return,
        ..Rules::classic()
    };
    let leave = Rules { unclaimed: Unclaimed::Leave, ..base.clone() };
    vec![
        (base.clone(), "two of everything"),
        (leave.clone(), "artifacts on the path leave"),
        (
            Rules { rounds: 3, gems: vec![2, 3], artifact_values: vec![4, 1, 9], ..leave.clone() },
            "three rounds of it",
        ),
        (Rules { removed: Removed::All, ..leave }, "all artifacts leave"),
        (
            Rules { rounds: 3, gems: vec![2, 3], artifact_values: vec![4, 1, 9], ..base.clone() },
            "three rounds",
        ),
        (
            Rules {
                gems: vec![3, 3, 4],
                hazard_copies: 3,
                rounds: 3,
                artifact_values: vec![2],
                ..base.clone()
            },
            "three copies",
        ),
        (Rules { rounds: 4, gems: vec![1, 4], hazard_kinds: 1, ..base.clone() }, "the deck can run out"),
        (Rules { hazard_copies: 1, ..base.clone() }, "nothing can bust"),
        (Rules { hazard_kinds: 0, ..base.clone() }, "no hazards"),
        (Rules { gems: vec![], ..base.clone() }, "no gems"),
        (Rules { artifact_values: vec![], ..base }, "no artifacts"),
    ]
}

#[test]
fn solo_equals_enumeration() {
    let strategies: Vec<(Strategy, Box<Choose>)> = vec![
        (Strategy::Turn(1), Box::new(|sight| f64::from(!sight.path.is_empty()))),
        (Strategy::Turn(2), Box::new(|sight| f64::from(sight.path.len() >= 2))),
        (Strategy::Turn(4), Box::new(|sight| f64::from(sight.path.len() >= 4))),
        (Strategy::Turn(50), Box::new(|_| 0.0)),
        (Strategy::Backpack(1), Box::new(|sight| f64::from(sight.backpack >= 1))),
        (Strategy::Backpack(3), Box::new(|sight| f64::from(sight.backpack >= 3))),
        (Strategy::Backpack(6), Box::new(|sight| f64::from(sight.backpack >= 6))),
        (Strategy::Random(0.3), Box::new(|_| 0.3)),
        (Strategy::Hazards(1), Box::new(|sight| f64::from(hazards_seen(sight.path) >= 1))),
        (Strategy::Hazards(2), Box::new(|sight| f64::from(hazards_seen(sight.path) >= 2))),
    ];
    for (rules, comment) in small_games() {
        for (strategy, chooser) in &strategies {
            let what = format!("{comment}, {strategy:?}");
            let enumerated = Enumeration { rules: &rules, players: &[chooser.as_ref()] }.play();
            let exact = solo(&rules, *strategy).unwrap();
            close(exact.total(), 1.0, 1e-13, &what);
            for (scores, probability) in &enumerated {
                close(exact.at(scores[0] as i32), *probability, 1e-12, &format!("{what}: P({})", scores[0]));
            }
            let mean: f64 = enumerated.iter().map(|(scores, p)| f64::from(scores[0]) * p).sum();
            close(solo_rounds(&rules, *strategy).unwrap().iter().sum(), mean, 1e-12, &what);
        }
    }
}

#[test]
fn versus_equals_enumeration() {
    for (rules, comment) in small_games() {
        for [a, b] in [[1, 1], [1, 2], [2, 4], [3, 3], [5, 2], [2, 30], [30, 30], [8, 9], [7, 8], [4, 5]] {
            let what = format!("{comment}, turn:{a} against turn:{b}");
            let first = |sight: &Sight<'_>| f64::from(sight.path.len() >= a as usize);
            let second = |sight: &Sight<'_>| f64::from(sight.path.len() >= b as usize);
            let enumerated = Enumeration { rules: &rules, players: &[&first, &second] }.play();
            let mut expected = [0.0; 5];
            for (scores, probability) in &enumerated {
                let at = match scores[0].cmp(&scores[1]) {
                    std::cmp::Ordering::Greater => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 2,
                };
                expected[at] += probability;
                expected[3] += f64::from(scores[0]) * probability;
                expected[4] += f64::from(scores[1]) * probability;
            }
            let result = versus(&rules, [a, b]).unwrap();
            let found = [result.win, result.draw, result.loss, result.means[0], result.means[1]];
            for (found, expected) in found.iter().zip(expected) {
                close(*found, expected, 1e-12, &what);
            }
        }
    }
}

/// The best mean, found by trying to leave and to stay in every position. Equal cards are distinguished.
pub(super) fn best_by_search(rules: &Rules) -> f64 {
    let world = World {
        copies: vec![rules.hazard_copies; rules.hazard_kinds as usize],
        artifacts: 0,
        claimed: 0,
        scores: vec![],
    };
    best_of_round(rules, 1, world, &mut BTreeMap::new())
}

type Memory = BTreeMap<(u32, World), f64>;

fn best_of_round(rules: &Rules, round: u32, mut world: World, memory: &mut Memory) -> f64 {
    if round > rules.rounds {
        return 0.0;
    }
    if let Some(value) = memory.get(&(round, world.clone())) {
        return *value;
    }
    let key = (round, world.clone());
    world.artifacts += u32::from(round as usize <= rules.artifact_values.len());
    let mut deck: Vec<Item> = rules.gems.iter().map(|&value| Item::Gem(value)).collect();
    for (kind, &copies) in world.copies.iter().enumerate() {
        deck.extend((0..copies).map(|_| Item::Hazard(kind)));
    }
    deck.extend((0..world.artifacts).map(|_| Item::Artifact));
    let value = best_of_position(rules, round, &world, &deck, 0, memory, &mut BTreeMap::new());
    memory.insert(key, value);
    value
}

fn best_of_position(
    rules: &Rules,
    round: u32,
    world: &World,
    deck: &[Item],
    drawn: u32,
    memory: &mut Memory,
    positions: &mut BTreeMap<u32, f64>,
) -> f64 {
    if let Some(value) = positions.get(&drawn) {
        return *value;
    }
    let path: Vec<Item> = (0..deck.len()).filter(|i| drawn >> i & 1 == 1).map(|i| deck[i]).collect();
    let left = deck.len() - path.len();
    let mut after = world.clone();
    let mut leave = 0.0;
    for item in &path {
        match item {
            Item::Gem(value) => leave += f64::from(*value),
            Item::Hazard(_) => {}
            Item::Artifact => {
                leave += f64::from(rules.artifact_values[after.claimed]);
                after.claimed += 1;
                after.artifacts -= 1;
            }
        }
    }
    let on_path = path.iter().filter(|item| matches!(item, Item::Artifact)).count() as u32;
    let rest = |mut world: World, left: u32, memory: &mut Memory| {
        match (rules.unclaimed, rules.removed) {
            (Unclaimed::Return, _) => {}
            (Unclaimed::Leave, Removed::Path) => world.artifacts -= left,
            (Unclaimed::Leave, Removed::All) => world.artifacts = 0,
        }
        best_of_round(rules, round + 1, world, memory)
    };
    leave += rest(after, 0, memory);
    let mut stay = 0.0;
    for i in (0..deck.len()).filter(|i| drawn >> i & 1 == 0) {
        stay += match deck[i] {
            Item::Hazard(kind) if path.contains(&deck[i]) => {
                let mut busted = world.clone();
                busted.copies[kind] -= 1;
                rest(busted, on_path, memory)
            }
            _ => best_of_position(rules, round, world, deck, drawn | 1 << i, memory, positions),
        } / left as f64;
    }
    let value = match (left, path.len()) {
        (0, _) => leave,
        (_, 0) => stay,
        _ => stay.max(leave),
    };
    positions.insert(drawn, value);
    value
}

/// A player of the enumeration who follows a policy.
fn follow<'a>(policy: &'a Policy, rules: &'a Rules) -> impl Fn(&Sight<'_>) -> f64 + 'a {
    move |sight| {
        let hazards: Vec<Hazard> = (sight.start.copies.iter().enumerate())
            .map(|(kind, &copies)| Hazard { copies, seen: sight.path.contains(&Item::Hazard(kind)) })
            .collect();
        let position = Position {
            round: sight.round,
            hazards: &hazards,
            artifacts: sight.start.artifacts,
            artifacts_on_path: sight.path.iter().filter(|&&item| item == Item::Artifact).count() as u32,
            claimed: sight.start.claimed as u32,
            backpack: sight.backpack,
        };
        let gems = sight.path.iter().filter_map(|item| match item {
            Item::Gem(value) => Some(*value),
            _ => None,
        });
        assert!(sight.start.artifacts as usize <= rules.artifact_values.len());
        f64::from(policy.leave(&position, gems).expect("the position is one of the game"))
    }
}

#[test]
fn optimal_equals_search_and_its_policy_attains_it() {
    let mut games = small_games();
    let base = games[0].0.clone();
    // The worth of artifacts rises steeply, so that one step ahead is not far enough.
    games.push((
        Rules { artifact_values: vec![0, 40], gems: vec![2, 2, 3], ..base.clone() },
        "steep artifacts",
    ));
    games.push((
        Rules { rounds: 3, gems: vec![1, 1, 9], hazard_copies: 3, artifact_values: vec![], ..base },
        "one big gem",
    ));
    for (rules, comment) in games {
        let best = optimal(&rules, Horizon::Game).unwrap();
        close(best.value, best_by_search(&rules), 1e-12, comment);
        close(best.score.mean(), best.value, 1e-12, comment);
        let player = follow(&best.policy, &rules);
        let enumerated = Enumeration { rules: &rules, players: &[&player] }.play();
        for (scores, probability) in &enumerated {
            close(best.score.at(scores[0] as i32), *probability, 1e-12, comment);
        }
        let myopic = optimal(&rules, Horizon::Round).unwrap();
        assert!(myopic.score.mean() <= best.value + 1e-12, "{comment}");
        let player = follow(&myopic.policy, &rules);
        for (scores, probability) in (Enumeration { rules: &rules, players: &[&player] }).play() {
            close(myopic.score.at(scores[0] as i32), probability, 1e-12, comment);
        }
    }
}
