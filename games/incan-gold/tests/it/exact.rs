//! Exact values against hand-computed numbers, against full enumeration of small games, and against samples.

use std::collections::BTreeMap;

use meeple_core::{AgentSpec, Game, Playouts, Seat, Seating, Stream, build_agents};
use meeple_incan_gold::exact::{
    ExactError, Hazard, Horizon, Mass, Policy, Position, Rules, Strategy, optimal, solo, solo_rounds, tool,
    versus,
};
use meeple_incan_gold::{IncanGold, Unclaimed, Variant};

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: expected {expected}, found {found}");
}

// ---- Numbers computed by hand and by earlier programs ----

#[test]
fn one_card_in_round_one_is_129_over_31() {
    let means = solo_rounds(&Rules::classic(), Strategy::Turn(1)).unwrap();
    close(means[0], 129.0 / 31.0, 1e-13, "round 1");
    for (mean, expected) in means.iter().zip([4.1613, 4.1867, 4.2098, 4.2311, 4.2508]) {
        close(*mean, expected, 5e-5, "turn:1 by round");
    }
}

#[test]
fn two_cards_are_safe_with_probability_30_over_31() {
    // One round without anything to gain but one gem each: whoever is not busted has two cards' worth.
    let rules = Rules { rounds: 1, gems: vec![1; 15], artifact_values: vec![1], ..Rules::classic() };
    let score = solo(&rules, Strategy::Turn(2)).unwrap();
    // Two hazards of different kinds bring nothing either: 15·12/(31·30).
    close(score.at(0), 1.0 / 31.0 + 180.0 / 930.0, 1e-14, "no gain from two cards");
    close(score.total(), 1.0, 1e-14, "total");
}

#[test]
fn turn_seven_and_the_best_play_have_the_known_means() {
    let rules = Rules::classic();
    close(solo(&rules, Strategy::Turn(7)).unwrap().mean(), 96.4873, 5e-5, "turn:7");
    let best = optimal(&rules, Horizon::Game).unwrap();
    close(best.value, 100.3425, 5e-5, "optimal");
    close(
        best.score.mean(),
        best.value,
        1e-10,
        "the distribution of the best play has the mean of the programme",
    );
    close(best.score.total(), 1.0, 1e-12, "total");
    let myopic = optimal(&rules, Horizon::Round).unwrap();
    close(myopic.score.mean(), 99.9277, 5e-5, "optimal round by round");
    for turn in 1..=26 {
        assert!(solo(&rules, Strategy::Turn(turn)).unwrap().mean() < best.value, "turn:{turn}");
    }
}

#[test]
fn every_distribution_sums_to_one() {
    let rules = Rules::classic();
    let turns = (1..=30).map(Strategy::Turn);
    let backpacks = (0..=130).step_by(13).map(Strategy::Backpack);
    let odds = [0.0, 0.05, 0.3, 1.0].map(Strategy::Random);
    let hazards = (0..=6).map(Strategy::Hazards);
    for strategy in turns.chain(backpacks).chain(odds).chain(hazards) {
        close(solo(&rules, strategy).unwrap().total(), 1.0, 1e-12, &format!("{strategy:?}"));
    }
    for pair in [[1, 1], [3, 9], [15, 2], [30, 30], [26, 27]] {
        let result = versus(&rules, pair).unwrap();
        close(result.win + result.draw + result.loss, 1.0, 1e-12, &format!("{pair:?}"));
    }
}

#[test]
fn strategies_that_do_the_same_have_the_same_distribution() {
    let rules = Rules::classic();
    let one_card = solo(&rules, Strategy::Turn(1)).unwrap();
    for strategy in [Strategy::Random(1.0), Strategy::Backpack(0), Strategy::Hazards(0)] {
        same(&solo(&rules, strategy).unwrap(), &one_card, &format!("{strategy:?}"));
    }
    let never = Mass::point(0, 1.0);
    for strategy in [Strategy::Random(0.0), Strategy::Backpack(125), Strategy::Hazards(6), Strategy::Turn(36)]
    {
        same(&solo(&rules, strategy).unwrap(), &never, &format!("{strategy:?}"));
    }
}

fn same(found: &Mass, expected: &Mass, what: &str) {
    for (value, _) in found.iter().chain(expected.iter()) {
        close(found.at(value), expected.at(value), 1e-12, &format!("{what}: P({value})"));
    }
}

#[test]
fn quantiles_are_the_smallest_values_that_reach_the_share() {
    // One round, gems 1..10, no hazards: one card is uniform on 1..10.
    let rules = Rules {
        rounds: 1,
        gems: (1..=10).collect(),
        hazard_kinds: 0,
        artifact_values: vec![],
        ..Rules::classic()
    };
    let score = solo(&rules, Strategy::Turn(1)).unwrap();
    assert_eq!([0.1, 0.11, 0.5, 0.9, 0.91, 1.0].map(|share| score.quantile(share)), [1, 2, 5, 9, 10, 10]);
    close(score.sd(), (99.0f64 / 12.0).sqrt(), 1e-12, "sd of a uniform number");
}

#[test]
fn versus_is_its_own_mirror_image() {
    let rules = Rules::classic();
    for [a, b] in [[1, 5], [4, 4], [6, 8], [13, 7]] {
        let one = versus(&rules, [a, b]).unwrap();
        let other = versus(&rules, [b, a]).unwrap();
        assert_eq!(one, other.mirrored());
        if a == b {
            close(one.draw, 1.0, 1e-12, "both do the same");
        }
    }
}

// ---- A second implementation of the rules, card by card ----

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Item {
    Gem(u32),
    Hazard(usize),
    Artifact,
}

/// What is left between rounds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct World {
    copies: Vec<u32>,
    artifacts: u32,
    claimed: usize,
    scores: Vec<u32>,
}

/// What a player of the enumeration may look at.
struct Sight<'a> {
    round: u32,
    path: &'a [Item],
    backpack: u32,
    start: &'a World,
}

/// The probability of leaving.
type Chooser<'a> = &'a dyn Fn(&Sight<'_>) -> f64;

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
        if self.rules.unclaimed == Unclaimed::Leave {
            moment.world.artifacts = 0;
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

fn hazards_seen(path: &[Item]) -> usize {
    path.iter().filter(|item| matches!(item, Item::Hazard(_))).count()
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
    };
    vec![
        (base.clone(), "two of everything"),
        (Rules { unclaimed: Unclaimed::Leave, ..base.clone() }, "artifacts leave"),
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
    let strategies: Vec<(Strategy, Box<dyn Fn(&Sight<'_>) -> f64>)> = vec![
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

/// The best mean by trying leaving and staying in every position, each card its own.
fn best_by_search(rules: &Rules) -> f64 {
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
    let rest = |mut world: World, memory: &mut Memory| {
        if rules.unclaimed == Unclaimed::Leave {
            world.artifacts = 0;
        }
        best_of_round(rules, round + 1, world, memory)
    };
    leave += rest(after, memory);
    let mut stay = 0.0;
    for i in (0..deck.len()).filter(|i| drawn >> i & 1 == 0) {
        stay += match deck[i] {
            Item::Hazard(kind) if path.contains(&deck[i]) => {
                let mut busted = world.clone();
                busted.copies[kind] -= 1;
                rest(busted, memory)
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

#[test]
fn a_policy_answers_for_positions_of_its_rules_only() {
    let policy = Policy::best(&Rules::classic(), Horizon::Game).unwrap();
    let hazards = [Hazard { copies: 3, seen: false }; 5];
    let fresh = Position {
        round: 1,
        hazards: &hazards,
        artifacts: 1,
        artifacts_on_path: 0,
        claimed: 0,
        backpack: 17,
    };
    assert_eq!(policy.leave(&fresh, [17]), Some(false), "nothing can bust");
    let mut seen = hazards;
    seen[..2].iter_mut().for_each(|hazard| hazard.seen = true);
    let position = Position { hazards: &seen, backpack: 60, ..fresh };
    assert_eq!(policy.leave(&position, [17, 15, 14, 14]), Some(true), "60 against two hazards");
    let (stay_below, leave_from) = policy.threshold(&position).unwrap();
    assert!((10..=40).contains(&stay_below) && stay_below <= leave_from, "{stay_below}, {leave_from}");
    for wrong in [
        Position { round: 0, ..fresh },
        Position { round: 6, ..fresh },
        Position { artifacts: 2, ..fresh },
        Position { artifacts_on_path: 2, ..fresh },
        Position { claimed: 3, ..fresh },
        Position { hazards: &hazards[..4], ..fresh },
    ] {
        assert_eq!(policy.leave(&wrong, [17]), None, "{wrong:?}");
    }
}

// ---- Samples ----

#[test]
fn thresholds_and_chances_agree_with_a_sample() {
    let rules = Rules::classic();
    for strategy in
        [Strategy::Backpack(10), Strategy::Backpack(29), Strategy::Random(0.05), Strategy::Random(0.2)]
    {
        let exact = solo(&rules, strategy).unwrap();
        let mut stream = Stream::from_seed(11);
        let games = 40_000;
        let (mut sum, mut nothing) = (0.0, 0.0);
        for _ in 0..games {
            let score = sample(&rules, strategy, &mut stream);
            sum += f64::from(score);
            nothing += f64::from(score == 0);
        }
        let root = f64::from(games).sqrt();
        let what = format!("{strategy:?}");
        close(sum / f64::from(games), exact.mean(), 4.0 * exact.sd() / root, &what);
        let zero = exact.at(0);
        close(nothing / f64::from(games), zero, 4.0 * (zero * (1.0 - zero)).sqrt() / root + 1e-9, &what);
    }
}

/// One game, with a shuffled deck in each round.
fn sample(rules: &Rules, strategy: Strategy, stream: &mut Stream) -> u32 {
    let mut copies = vec![rules.hazard_copies; rules.hazard_kinds as usize];
    let (mut claimed, mut score) = (0, 0);
    for round in 1..=rules.rounds as usize {
        let mut deck: Vec<Item> = rules.gems.iter().map(|&value| Item::Gem(value)).collect();
        for (kind, &copies) in copies.iter().enumerate() {
            deck.extend((0..copies).map(|_| Item::Hazard(kind)));
        }
        deck.extend((0..round - claimed).map(|_| Item::Artifact));
        stream.shuffle(&mut deck);
        let (mut backpack, mut on_path) = (0, 0);
        for (turn, &item) in deck.iter().enumerate() {
            match item {
                Item::Gem(value) => backpack += value,
                Item::Artifact => on_path += 1,
                Item::Hazard(kind) if deck[..turn].contains(&item) => {
                    copies[kind] -= 1;
                    break;
                }
                Item::Hazard(_) => {}
            }
            let leaves = match strategy {
                Strategy::Turn(turns) => turn + 1 >= turns as usize,
                Strategy::Backpack(gems) => backpack >= gems,
                Strategy::Random(p) => stream.chance(p),
                Strategy::Hazards(count) => hazards_seen(&deck[..=turn]) >= count as usize,
            };
            if leaves {
                score += backpack + rules.artifact_values[claimed..claimed + on_path].iter().sum::<u32>();
                claimed += on_path;
                break;
            }
        }
    }
    score
}

/// Mean scores of `episodes` episodes of the engine, by player.
fn simulate(variant: &Variant, line_up: &[&str], episodes: u64) -> Vec<f64> {
    let game = IncanGold::new(variant.clone(), line_up.len()).unwrap();
    let specs: Vec<AgentSpec> = line_up.iter().map(|text| AgentSpec::parse(text)).collect();
    let agents = build_agents(&game, &IncanGold::agents(), &specs).unwrap();
    let mut playouts = Playouts::new(&game, agents);
    let mut sums = vec![0.0; line_up.len()];
    for index in 0..episodes {
        playouts.play(5, Seating::Fixed, index);
        for (seat, sum) in sums.iter_mut().enumerate() {
            *sum += game.score(playouts.state(), Seat::new(seat)) as f64;
        }
    }
    sums.iter().map(|sum| sum / episodes as f64).collect()
}

#[test]
fn the_engine_agrees_for_both_presets() {
    let boxed =
        Variant { artifact_values: vec![5, 7, 8, 10, 12], unclaimed: Unclaimed::Leave, ..Variant::default() };
    for variant in [Variant::default(), boxed] {
        let rules = Rules::from(&variant);
        let best = optimal(&rules, Horizon::Game).unwrap();
        let cases = [
            ("turn:7", solo(&rules, Strategy::Turn(7)).unwrap()),
            ("backpack:20", solo(&rules, Strategy::Backpack(20)).unwrap()),
            ("random:0.2", solo(&rules, Strategy::Random(0.2)).unwrap()),
            ("hazards:2", solo(&rules, Strategy::Hazards(2)).unwrap()),
            ("optimal-solo", best.score),
        ];
        let episodes = 20_000;
        for (agent, exact) in cases {
            let mean = simulate(&variant, &[agent], episodes)[0];
            let error = exact.sd() / (episodes as f64).sqrt();
            close(mean, exact.mean(), 4.0 * error, &format!("{agent}, {:?}", variant.unclaimed));
        }
        let means = simulate(&variant, &["turn:5", "turn:8"], episodes);
        let exact = versus(&rules, [5, 8]).unwrap();
        for (mean, exact) in means.iter().zip(exact.means) {
            // The standard deviation of one of two players is well below 40.
            close(*mean, exact, 4.0 * 40.0 / (episodes as f64).sqrt(), &format!("{:?}", variant.unclaimed));
        }
    }
}

#[test]
fn the_best_lone_player_also_plays_in_company() {
    // Positions that a lone player cannot come to: others claim artifacts and bust in the same round.
    let means = simulate(&Variant::default(), &["optimal-solo", "turn:4", "random:0.3", "never"], 2_000);
    assert!(means[0] > means[2] && means[3] == 0.0, "{means:?}");
}

// ---- Bounds and the tool ----

#[test]
fn what_cannot_be_computed_is_refused() {
    let rules = Rules::classic();
    assert!(matches!(solo(&rules, Strategy::Turn(0)), Err(ExactError::OutOfRange { what: "turn", .. })));
    assert!(solo(&rules, Strategy::Random(1.5)).is_err());
    assert!(solo(&rules, Strategy::Random(f64::NAN)).is_err());
    assert!(versus(&rules, [3, 0]).is_err());
    assert!(solo(&Rules { rounds: 0, ..rules.clone() }, Strategy::Turn(1)).is_err());
    let many = Rules { gems: (1..=30).collect(), ..rules.clone() };
    assert!(matches!(optimal(&many, Horizon::Game), Err(ExactError::TooLarge { .. })));
    assert!(solo(&many, Strategy::Turn(5)).is_ok());
    let huge = Rules { rounds: 20, gems: vec![100; 32], hazard_kinds: 8, hazard_copies: 4, ..rules };
    assert!(matches!(solo(&huge, Strategy::Turn(5)), Err(ExactError::TooLarge { .. })));
}

fn run(arguments: &str) -> Result<meeple_core::ToolOutput, String> {
    let words: Vec<String> = arguments.split_whitespace().map(str::to_owned).collect();
    tool::run(&Rules::classic(), &words).map_err(|error| error.to_string())
}

#[test]
fn the_tool_gives_rows() {
    let cases = [
        ("solo turn:1..26", 26, "turn:1", "turn:26"),
        ("solo turn:7", 1, "turn:7", "turn:7"),
        ("solo backpack:1..100+3", 34, "backpack:1", "backpack:100"),
        ("solo random:0.05..1+0.05", 20, "random:0.05", "random:1"),
        ("solo hazards:1..3", 3, "hazards:1", "hazards:3"),
        ("optimal", 2, "optimal", "optimal round by round"),
    ];
    for (arguments, count, first, last) in cases {
        let output = run(arguments).unwrap();
        assert_eq!(output.json["format"], 1);
        let rows = output.json["rows"].as_array().unwrap();
        assert_eq!((rows.len(), output.tables[0].rows.len()), (count, count), "{arguments}");
        assert_eq!((&rows[0]["setting"], &rows[count - 1]["setting"]), (&first.into(), &last.into()));
        for key in ["mean", "sd", "p10", "p50", "p90", "p_zero"] {
            assert!(rows[0][key].is_number(), "{arguments}: {key}");
        }
    }
    let output = run("solo turn:1..26").unwrap();
    close(output.json["rows"][6]["mean"].as_f64().unwrap(), 96.4873, 5e-5, "turn:7");
    assert!(
        output.tables[0].notes[0].starts_with("best: turn:7 (96.4873), "),
        "{:?}",
        output.tables[0].notes
    );

    let output = run("versus turn:5..7 turn:6..8").unwrap();
    let rows = output.json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 9);
    assert_eq!((&rows[1]["a"], &rows[1]["b"]), (&"turn:5".into(), &"turn:7".into()));
    let number = |row: usize, key: &str| rows[row][key].as_f64().unwrap();
    // turn:6 against turn:7 and turn:7 against turn:6.
    assert_eq!((number(4, "win"), number(4, "mean_a")), (number(6, "loss"), number(6, "mean_b")));
    close(number(3, "draw"), 1.0, 1e-12, "turn:6 against itself");
}

#[test]
fn the_tool_explains_wrong_arguments() {
    let cases = [
        ("", "expected solo, versus or optimal, found nothing"),
        ("sole turn:7", "try 'solo'"),
        ("solo", "expected one strategy"),
        ("solo turn", "expected a number, A..B or A..B+STEP, found ''"),
        ("solo turn:x", "found 'x'"),
        ("solo turn:0..5", "expected a range within 1..64, found '0..5'"),
        ("solo turn:1..65", "within 1..64"),
        ("solo turn:5..1", "expected a range that ascends"),
        ("solo turn:1..5+0", "expected a step above 0"),
        ("solo turn:1.5", "expected whole numbers"),
        ("solo turn:1..3+0.5", "expected whole numbers"),
        ("solo random:0..1.5", "within 0..1"),
        ("solo random:-1", "found '-1'"),
        ("solo random:0..1+0.00001", "at most 5000 values"),
        ("solo trun:7", "did you mean 'turn'?"),
        ("solo never", "turn, backpack, random, hazards"),
        ("versus turn:7", "expected two strategies"),
        ("versus turn:7 backpack:20", "turn only"),
        ("optimal 5", "expected no arguments"),
    ];
    for (arguments, expected) in cases {
        let error = run(arguments).expect_err(arguments);
        assert!(error.contains(expected), "{arguments}: {error}");
        assert!(error.contains("hint: "), "{arguments}: {error}");
    }
}
