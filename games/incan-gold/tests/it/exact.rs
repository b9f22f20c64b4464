//! Exact values against hand-computed numbers, against full enumeration of small games, and against samples.

mod company;
mod enumeration;
mod joint;
mod random_rules;
mod search;
mod share;
mod tool;

use meeple_core::{AgentSpec, Defined as _, Game, Playouts, Seat, Seating, Stream, build_agents};
use meeple_incan_gold::exact::{
    ExactError, Hazard, Horizon, Mass, Policy, Position, Rules, Strategy, optimal, solo, solo_rounds, versus,
};
use meeple_incan_gold::{IncanGold, Leftovers, Removed, Ties, Unclaimed, Variant, Worth};

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
    // In one round, all gem cards have the value 1: every player who is not busted has the worth of two
    // cards.
    let rules = Rules { rounds: 1, gems: vec![1; 15], artifact_values: vec![1], ..Rules::classic() };
    let score = solo(&rules, Strategy::Turn(2)).unwrap();
    // Two hazards of different kinds bring nothing either, with probability 15·12/(31·30).
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

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Item {
    Gem(u32),
    Hazard(usize),
    Artifact,
}

fn hazards_seen(path: &[Item]) -> usize {
    path.iter().filter(|item| matches!(item, Item::Hazard(_))).count()
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
    let agents = build_agents(&game, &IncanGold::definition().agents, &specs).unwrap();
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
    let gone = Variant { removed: Removed::All, ..boxed.clone() };
    for variant in [Variant::default(), boxed, gone] {
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
    // Positions that a lone player cannot reach: others claim artifacts and bust in the same round.
    let means = simulate(&Variant::default(), &["optimal-solo", "turn:4", "random:0.3", "never"], 2_000);
    assert!(means[0] > means[2] && means[3] == 0.0, "{means:?}");
}

// ---- Bounds ----

#[test]
fn what_cannot_be_computed_is_refused() {
    let rules = Rules::classic();
    assert!(matches!(solo(&rules, Strategy::Turn(0)), Err(ExactError::OutOfRange { what: "turn", .. })));
    assert!(solo(&rules, Strategy::Random(1.5)).is_err());
    assert!(solo(&rules, Strategy::Random(f64::NAN)).is_err());
    assert!(versus(&rules, [3, 0]).is_err());
    for (other, message) in [
        (
            Rules { worth: Worth::Printed, ..rules.clone() },
            "artifacts.worth: expected order for exact values",
        ),
        (
            Rules { leftovers: Leftovers::ByCard, ..rules.clone() },
            "leftovers: expected pooled for exact values",
        ),
    ] {
        assert!(solo(&other, Strategy::Turn(1)).unwrap_err().to_string().starts_with(message));
        assert!(optimal(&other, Horizon::Round).unwrap_err().to_string().starts_with(message));
        assert!(versus(&other, [1, 2]).unwrap_err().to_string().starts_with(message));
    }
    let tied = Rules { ties: Ties::Artifacts, ..rules.clone() };
    assert!(versus(&tied, [1, 2]).unwrap_err().to_string().starts_with("ties: expected draw"));
    assert!(solo(&tied, Strategy::Turn(1)).is_ok(), "nobody to be tied with");
    assert!(solo(&Rules { rounds: 0, ..rules.clone() }, Strategy::Turn(1)).is_err());
    let many = Rules { gems: (1..=30).collect(), ..rules.clone() };
    assert!(matches!(optimal(&many, Horizon::Game), Err(ExactError::TooLarge { .. })));
    assert!(solo(&many, Strategy::Turn(5)).is_ok());
    let huge = Rules { rounds: 20, gems: vec![100; 32], hazard_kinds: 8, hazard_copies: 4, ..rules };
    assert!(matches!(solo(&huge, Strategy::Turn(5)), Err(ExactError::TooLarge { .. })));
}
