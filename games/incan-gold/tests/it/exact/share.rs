//! Several players who want gems: against a search through the rules of the game itself, and against samples.

use std::cell::RefCell;
use std::collections::BTreeMap;

use meeple_core::{
    AgentSpec, Defined as _, Game, NoEvents, NoHost, Outcome, Phase, Seat, Seating, ToolCall, Viewer,
    build_agents,
};
use meeple_incan_gold::exact::{Hazard, Position, Rules, Share};
use meeple_incan_gold::{Action, Card, IncanGold, Removed, State, Unclaimed, Variant};

use super::close;
use super::company::{number, tool};

/// Variants small enough for a walk card by card, with the number of players.
fn small() -> Vec<(Variant, usize)> {
    let variant = |rounds, gems: &[u16], kinds, artifacts: &[u16], unclaimed| Variant {
        rounds,
        gems: gems.to_vec(),
        hazard_kinds: kinds,
        hazard_copies: 2,
        artifact_values: artifacts.to_vec(),
        unclaimed,
        ..Variant::default()
    };
    let (back, gone) = (Unclaimed::Return, Unclaimed::Leave);
    vec![
        (variant(1, &[1, 4, 7, 7], 1, &[5], back), 2),
        (variant(2, &[3, 8], 1, &[4, 9], back), 2),
        (variant(2, &[5, 5], 1, &[7, 2], gone), 2),
        (variant(1, &[2, 7, 11], 1, &[5], back), 3),
        (variant(1, &[5, 5], 2, &[1], back), 3),
        (variant(2, &[8], 1, &[4, 9], back), 3),
        (variant(1, &[7, 11], 1, &[6], back), 4),
        (variant(1, &[9], 1, &[4], back), 5),
        (Variant { removed: Removed::All, ..variant(2, &[5, 5], 1, &[7, 2], gone) }, 2),
        (variant(2, &[8], 1, &[4, 9], gone), 3),
    ]
}

/// The points of each seat from here on, for every position of the game that was asked for.
type Known = RefCell<BTreeMap<String, Vec<f64>>>;

/// A function for the points of each seat, from the state, the deciding seats, and the points after each set
/// of leavers.
type Decide<'d> = dyn Fn(&State, &[Seat], &dyn Fn(usize) -> Vec<f64>) -> Vec<f64> + 'd;

/// A walk through all possible events. `odds` computes the points of a decision from the points after each
/// set of leavers.
struct Walk<'w> {
    game: &'w IncanGold,
    known: Known,
    odds: &'w Decide<'w>,
}

impl Walk<'_> {
    fn points(&self, state: &State) -> Vec<f64> {
        let seen = self.game.observe(state, Viewer::Everything);
        let name = serde_json::to_string(&seen).unwrap();
        if let Some(known) = self.known.borrow().get(&name) {
            return known.clone();
        }
        let points = match self.game.phase(state) {
            Phase::Over => {
                let mut outcome = Outcome::default();
                self.game.outcome(state, &mut outcome);
                outcome.scores.iter().map(|score| *score as f64).collect()
            }
            Phase::Chance => {
                let mut sum = vec![0.0; self.game.seats()];
                for (card, odds) in self.game.chance_outcomes(state).unwrap() {
                    let mut next = state.clone();
                    self.game.apply_chance(&mut next, &card, &mut NoEvents);
                    let points = self.points(&next);
                    sum.iter_mut().zip(points).for_each(|(sum, points)| *sum += odds * points);
                }
                sum
            }
            Phase::Decide(owing) => {
                let seats: Vec<Seat> = owing.collect();
                let after = |leavers: usize| {
                    let mut next = state.clone();
                    for (index, seat) in seats.iter().enumerate() {
                        let action = if leavers >> index & 1 == 1 { Action::Leave } else { Action::Stay };
                        self.game.apply(&mut next, *seat, &action, &mut NoEvents).unwrap();
                    }
                    self.points(&next)
                };
                (self.odds)(state, &seats, &after)
            }
        };
        self.known.borrow_mut().insert(name, points.clone());
        points
    }
}

/// The mean points, if the `index`-th decider leaves with `odds[index]`.
fn mixed(odds: &[f64], seats: usize, after: &[Vec<f64>]) -> Vec<f64> {
    let mut sum = vec![0.0; seats];
    for (leavers, points) in after.iter().enumerate() {
        let each = odds.iter().enumerate();
        let part: f64 =
            each.map(|(index, odds)| if leavers >> index & 1 == 1 { *odds } else { 1.0 - odds }).product();
        sum.iter_mut().zip(points).for_each(|(sum, points)| *sum += part * points);
    }
    sum
}

/// The smallest probability from which nobody gains by deviating, found by trying many.
fn even_odds(seats: &[Seat], all: usize, after: &[Vec<f64>]) -> f64 {
    let gain = |odds: f64| {
        let of = |mine: f64| {
            let mut each = vec![odds; seats.len()];
            each[0] = mine;
            mixed(&each, all, after)[seats[0].index()]
        };
        of(0.0) - of(1.0)
    };
    const STEPS: usize = 100;
    if gain(0.0) >= 0.0 {
        return 0.0;
    }
    for step in 1..=STEPS {
        let (mut low, mut high) = ((step - 1) as f64 / STEPS as f64, step as f64 / STEPS as f64);
        if gain(high) > 0.0 {
            for _ in 0..60 {
                let middle = (low + high) / 2.0;
                *(if gain(middle) > 0.0 { &mut high } else { &mut low }) = middle;
            }
            return high;
        }
    }
    1.0
}

/// Gems of each player in the equilibrium, which is searched for at every decision.
fn searched(game: &IncanGold) -> f64 {
    let odds = |_: &State, seats: &[Seat], then: &dyn Fn(usize) -> Vec<f64>| {
        let after: Vec<Vec<f64>> = (0..1 << seats.len()).map(then).collect();
        let odds = match seats.len() {
            1 => {
                let mine = |leavers: usize| after[leavers][seats[0].index()];
                if mine(1) >= mine(0) { 1.0 } else { 0.0 }
            }
            _ => even_odds(seats, game.seats(), &after),
        };
        mixed(&vec![odds; seats.len()], game.seats(), &after)
    };
    let points = Walk { game, known: Known::default(), odds: &odds }.points(&game.initial_state());
    for other in &points {
        close(*other, points[0], 1e-9, "all play alike");
    }
    points[0]
}

/// The equilibrium's decision in a state.
fn odds(share: &Share, game: &IncanGold, state: &State) -> f64 {
    let sight = game.observe(state, Viewer::Everything);
    let mut hazards = Vec::new();
    let mut artifacts = 0;
    for (card, copies) in sight.deck().chain(sight.path().iter().map(|card| (*card, 1))) {
        match card {
            Card::Gem(_) => {}
            Card::Artifact | Card::PrintedArtifact(_) => artifacts += copies,
            Card::Hazard(kind) => {
                let kind = usize::from(kind);
                hazards.resize(hazards.len().max(kind + 1), Hazard { copies: 0, seen: false });
                hazards[kind].copies += copies;
                hazards[kind].seen = sight.hazard_seen(kind as u8);
            }
        }
    }
    // Artifacts that were taken from the path do not lie there any more.
    let artifacts = artifacts
        - (sight.path().iter().filter(|card| **card == Card::Artifact).count() as u32 - sight.artifacts());
    let gems = sight.path().iter().filter_map(|card| match card {
        Card::Gem(value) => Some(u32::from(*value)),
        _ => None,
    });
    let position = Position {
        round: sight.round(),
        hazards: &hazards,
        artifacts,
        artifacts_on_path: sight.artifacts(),
        claimed: sight.artifacts_claimed(),
        backpack: sight.backpack(),
    };
    share.odds(&position, sight.explorers(), sight.spare(), gems).expect("a position of the game")
}

/// Points of the first seat, if the others play the equilibrium and it plays the best response.
fn best_response(share: &Share, game: &IncanGold) -> f64 {
    let decide = |state: &State, seats: &[Seat], then: &dyn Fn(usize) -> Vec<f64>| {
        let after: Vec<Vec<f64>> = (0..1 << seats.len()).map(then).collect();
        let odds = odds(share, game, state);
        let of = |mine: f64| {
            let mut each = vec![odds; seats.len()];
            if seats[0] == Seat::new(0) {
                each[0] = mine;
            }
            mixed(&each, game.seats(), &after)
        };
        let (stay, leave) = (of(0.0), of(1.0));
        if leave[0] > stay[0] { leave } else { stay }
    };
    Walk { game, known: Known::default(), odds: &decide }.points(&game.initial_state())[0]
}

#[test]
fn the_equilibrium_is_that_of_searching_everywhere() {
    for (variant, seats) in small() {
        let what = format!("{seats} of {variant:?}");
        let share = Share::known(&Rules::from(&variant), seats, &[]).unwrap();
        let game = IncanGold::new(variant, seats).unwrap();
        close(share.gems(), searched(&game), 1e-9, &what);
    }
}

#[test]
fn nobody_gains_by_playing_otherwise() {
    let mut mixed = 0;
    for (variant, seats) in small() {
        let what = format!("{seats} of {variant:?}");
        let share = Share::known(&Rules::from(&variant), seats, &[]).unwrap();
        let game = IncanGold::new(variant.clone(), seats).unwrap();
        close(best_response(&share, &game), share.gems(), 1e-6, &what);
        if seats == 2 {
            let json = tool(&variant, "exploit nash-share --goal gems").unwrap();
            close(number(&json, 0, "gain"), 0.0, 1e-6, "the tool says so, too");
            close(number(&json, 0, "even"), share.gems(), 1e-6, "against itself");
        }
        let json = tool(&variant, &format!("equilibrium --goal gems --seats {seats}")).unwrap();
        close(number(&json, 0, "gems"), share.gems(), 0.0, "the tool has the same value");
        mixed += usize::from(number(&json, 0, "mixed") > 0.0);
    }
    assert!(mixed >= 4, "chance decides under {mixed} rules only");
}

#[test]
fn leaving_more_often_brings_no_more() {
    let variant = Variant {
        rounds: 1,
        gems: vec![6, 6, 6],
        hazard_kinds: 1,
        hazard_copies: 2,
        artifact_values: vec![1],
        ..Variant::default()
    };
    let found = |choice: &str| {
        let words = format!("equilibrium --seats 3 --goal gems --choose {choice}");
        tool(&variant, &words).unwrap()
    };
    let (smallest, largest) = (found("smallest"), found("largest"));
    let game = IncanGold::new(variant.clone(), 3).unwrap();
    close(number(&smallest, 0, "gems"), searched(&game), 1e-9, "the smallest");
    assert!(number(&smallest, 0, "gems") >= number(&largest, 0, "gems") - 1e-9, "{smallest} {largest}");
}

#[test]
fn the_values_that_come_with_the_game_are_right() {
    let rules = Rules::classic();
    let seats = 2;
    let game = IncanGold::new(Variant::default(), seats).unwrap();
    let known = build_agents(&game, &IncanGold::definition().agents, &[AgentSpec::parse("nash-share")]);
    assert!(known.is_ok(), "the agent has them");
    let text = include_str!("../../../values/classic-2.values");
    let share = Share::with_values(&rules, seats, text).unwrap();
    // Each round is solved again from the values of the next round.
    for round in 1..=2 {
        let hazards = [Hazard { copies: 3, seen: false }; 5];
        let start = Position {
            round,
            hazards: &hazards,
            artifacts: round,
            artifacts_on_path: 0,
            claimed: 0,
            backpack: 0,
        };
        let [found, known] = share.solved_again(round, &start).unwrap();
        close(found, known, 0.0, &format!("round {round} of {seats}"));
    }
}

#[test]
fn values_are_taken_only_for_what_they_are_of() {
    let (variant, seats) = small().remove(3);
    let game = IncanGold::new(variant.clone(), seats).unwrap();
    let tools = IncanGold::definition().tools;
    let exact = tools.iter().find(|tool| tool.name == "exact").unwrap();
    let arguments = ["equilibrium", "--seats", "3", "--output", "file"].map(str::to_owned);
    let mut call = ToolCall {
        game: &game,
        arguments: &arguments,
        seed: 1,
        read_file: &mut |_| Err(String::new()),
        tell: &mut |_| {},
        host: &NoHost,
    };
    let output = (exact.run)(&mut call).unwrap();
    let [(path, text)] = output.files.as_slice() else { panic!("one file: {:?}", output.files) };
    assert_eq!(path, "file");
    let build = |game: &IncanGold, text: &str| {
        let spec = match text {
            "" => AgentSpec::parse("nash-share"),
            _ => AgentSpec::parse(&format!("nash-share:{text}")),
        };
        build_agents(game, &IncanGold::definition().agents, &[spec])
            .map(drop)
            .map_err(|error| error.to_string())
    };
    assert_eq!(build(&game, text), Ok(()));
    let other = IncanGold::new(Variant { rounds: 2, ..variant.clone() }, seats).unwrap();
    let fewer = IncanGold::new(variant, 2).unwrap();
    let last = text.lines().nth_back(1).unwrap();
    for (game, text, message) in [
        (&other, text.clone(), "expected values of 'rounds 2', found 'rounds 1'"),
        (&fewer, text.clone(), "expected values of 'of gems 2 players smallest'"),
        (&game, text.replace("rounds 1", "rounds 3"), "expected the checksum"),
        (&game, text.replace(last, &last.replace('4', "5")), "expected the checksum"),
        (&game, "meeple values 1".to_owned(), "expected a last line with a checksum"),
    ] {
        let error = build(game, &text).unwrap_err();
        assert!(error.contains(message) && error.contains("hint: meeple exact"), "{error}");
    }
    let large = Variant { gems: (1..=9).chain(12..=17).collect(), ..Variant::default() };
    let error = build(&IncanGold::new(large, 2).unwrap(), "").unwrap_err();
    assert!(error.contains("equilibrium --seats 2 --goal gems --output FILE"), "{error}");
    let huge = Variant { gems: (1..=30).collect(), ..Variant::default() };
    let error = build(&IncanGold::new(huge, 2).unwrap(), "").unwrap_err();
    assert!(error.contains("multisets of gem cards, at most"), "{error}");
    let error = build(&IncanGold::new(Variant::default(), 9).unwrap(), "").unwrap_err();
    assert!(error.contains("players: expected 2 to 6"), "{error}");
}

#[test]
fn nash_share_plays_what_the_tables_say() {
    let sets = [
        (2, "1,4,7,7", "2", "5", "1"),
        (2, "3,8,11", "1", "4,9", "2"),
        (3, "2,7,11,11", "2", "5", "1"),
        (3, "3,8,14", "2", "4,9", "2"),
        (4, "7,11,13", "2", "6", "1"),
    ];
    for (seats, gems, kinds, artifacts, rounds) in sets {
        let entry = meeple_core::GameEntry::new(IncanGold::definition(), Vec::new());
        let set = [
            ("rounds", rounds),
            ("gems", gems),
            ("hazards.kinds", kinds),
            ("hazards.copies", "2"),
            ("artifacts.values", artifacts),
        ];
        let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let game = meeple_core::AnyEntry::set_up(&entry, None, &set, seats).unwrap();
        let line_up: Vec<AgentSpec> = (0..seats).map(|_| AgentSpec::parse("nash-share")).collect();
        let mut runner = game.runner(&line_up).unwrap();
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        runner.run(7, Seating::Fixed, 0..40_000, &mut |report| {
            // All players share the cards, so their mean is one sample.
            let gems = report.outcome.scores.iter().sum::<i64>() as f64 / seats as f64;
            count += 1.0;
            sum += gems;
            squares += gems * gems;
            true
        });
        let mean: f64 = sum / count;
        let error = ((squares / count - mean * mean) / count).sqrt();
        let list = |text: &str| text.split(',').map(|value| value.parse().unwrap()).collect();
        let rules = Rules {
            rounds: rounds.parse().unwrap(),
            gems: list(gems),
            hazard_kinds: kinds.parse().unwrap(),
            hazard_copies: 2,
            artifact_values: list(artifacts),
            unclaimed: Unclaimed::Return,
            ..Rules::classic()
        };
        let exact = Share::known(&rules, seats, &[]).unwrap().gems();
        close(mean, exact, 3.0 * error, &format!("{seats} of {rules:?}"));
    }
}
