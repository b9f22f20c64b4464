//! Tests of champion gates and crosstables.

use meeple_core::AgentSpec;
use meeple_lab::StopFlag;
use meeple_lab::sprt::SprtVerdict;
use meeple_learn::{ChampionGate, Checkpoint, GateResult, MatchSetup, crosstable};

use crate::{game, plan, trained};

fn gated(gate: &ChampionGate, seats: usize, threads: usize) -> GateResult {
    let game = game("incan-gold", &plan(&format!("seats = {seats}")));
    let ground = MatchSetup { game: &*game, seed: 99, threads };
    gate.play(&ground, &StopFlag::new()).unwrap().unwrap()
}

fn gate(candidate: &str, champion: &str, former: &[&str], groups: u64) -> ChampionGate {
    let [candidate, champion] = [candidate, champion].map(AgentSpec::parse);
    ChampionGate {
        candidate,
        champion,
        former: former.iter().map(|text| AgentSpec::parse(text)).collect(),
        groups,
    }
}

/// A trained network passes against its beginning, on any number of threads, and not against itself.
#[test]
fn a_network_that_has_learned_passes_and_one_that_has_not_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let text = "hidden = [16]\nepisodes = 400\nkeep = 0.5\nrate = [0.003, 0.0005]\n";
    let [before, after] = [1, 15].map(|rounds| {
        let (learned, _) = trained("incan-gold", &plan(&format!("{text}rounds = {rounds}\n")), 2);
        let path = folder.path().join(format!("net-{rounds}.safetensors"));
        std::fs::write(&path, Checkpoint { pending: None, ..learned }.to_bytes()).unwrap();
        AgentSpec::with("net", [("file", path.to_str().unwrap())]).to_string()
    });
    let passed = gated(&gate(&after, &before, &[], 2_000), 2, 1);
    assert!(passed.passed && passed.verdict == SprtVerdict::High, "{passed:?}");
    assert!(passed.champion.groups < 2_000 && passed.champion.interval[0] > 0.5, "{passed:?}");
    assert_eq!(gated(&gate(&after, &before, &[], 2_000), 2, 2), passed);
    let itself = gated(&gate(&after, &after, &[&before], 2_000), 2, 2);
    assert!(!itself.passed && itself.verdict == SprtVerdict::Low, "{itself:?}");
    // A candidate that loses the test meets no former champion.
    assert_eq!(itself.former, []);
    assert_eq!(itself.champion.share, 0.5);
    let back = gated(&gate(&before, &after, &[], 2_000), 2, 2);
    assert_eq!((back.passed, back.verdict), (false, SprtVerdict::Low), "{back:?}");
}

#[test]
fn who_loses_to_a_former_champion_is_none() {
    let lost = gated(&gate("turn:6", "turn:1", &["turn:1", "net"], 1_000), 2, 2);
    assert_eq!(
        (lost.passed, lost.verdict, lost.loses_to_none),
        (false, SprtVerdict::High, false),
        "{lost:?}"
    );
    assert!(lost.former[0].share > 0.6 && lost.former[1].share < 0.47, "{lost:?}");
    let won = gated(&gate("net", "turn:1", &["turn:2", "random"], 1_000), 2, 2);
    assert!(won.passed && won.loses_to_none, "{won:?}");
}

/// Too few games prove nothing.
#[test]
fn who_has_not_met_often_enough_is_none() {
    let open = gated(&gate("turn:7", "turn:6", &[], 23), 2, 2);
    assert_eq!((open.passed, open.verdict, open.champion.groups), (false, SprtVerdict::Open, 23), "{open:?}");
}

#[test]
fn tables_of_one_and_of_many_are_tested_too() {
    // Alone, both play the same deals: leaving after seven cards brings more than after one, but not always.
    let alone = gated(&gate("turn:7", "turn:1", &[], 1_000), 1, 2);
    assert!(alone.passed && alone.champion.share > 0.8, "{alone:?}");
    let four = gated(&gate("turn:7", "turn:1", &[], 1_000), 4, 2);
    assert!(four.passed, "{four:?}");
    let alike = gated(&gate("turn:7", "turn:7", &[], 1_000), 4, 2);
    assert_eq!((alike.passed, alike.champion.share), (false, 0.5), "{alike:?}");
}

/// With fillers at most seats, two players swap two seats, and fillers are no rivals.
#[test]
fn a_duel_among_fillers_is_between_two() {
    let game = game("game17", &plan("seats = 2"));
    let meet = |first: &str, second: &str, threads| {
        let ground = MatchSetup { game: &*game, seed: 99, threads };
        ground.compare(&AgentSpec::parse(first), &AgentSpec::parse(second), 12, &StopFlag::new()).unwrap()
    };
    let won = meet("hunter", "still", 1);
    assert!(won.groups == 12 && won.share > 0.9, "{won:?}");
    assert_eq!(meet("hunter", "still", 2), won);
    let [low, high] = won.interval;
    let lost = meet("still", "hunter", 2);
    assert!((lost.share - (1.0 - won.share)).abs() < 1e-12, "{won:?} {lost:?}");
    assert!((lost.interval[0] - (1.0 - high)).abs() + (lost.interval[1] - (1.0 - low)).abs() < 1e-9);
    assert_eq!(meet("hunter", "hunter", 2).share, 0.5);
}

#[test]
fn everybody_meets_everybody() {
    let game = game("incan-gold", &plan(""));
    let players = ["turn:1", "turn:4", "turn:7"].map(AgentSpec::parse);
    let table = |threads| {
        let ground = MatchSetup { game: &*game, seed: 99, threads };
        let mut told = Vec::new();
        let table = crosstable(&ground, &players, 300, &StopFlag::new(), |done| told.push(done)).unwrap();
        assert_eq!(told, [1, 2, 3]);
        table.unwrap()
    };
    let one = table(1);
    assert_eq!(one, table(2));
    assert_eq!(one.ring, None);
    for first in 0..3 {
        assert_eq!(one.met[first][first], None);
        for second in (0..3).filter(|second| *second != first) {
            let [own, other] = [one.met[first][second].unwrap(), one.met[second][first].unwrap()];
            assert_eq!(own.groups, 300);
            assert!((own.share + other.share - 1.0).abs() < 1e-12, "{own:?} {other:?}");
            assert!((own.interval[0] + other.interval[1] - 1.0).abs() < 1e-12, "{own:?} {other:?}");
        }
    }
    assert!(one.strength[0] < one.strength[2] && (one.strength.iter().sum::<f64>()).abs() < 1e-12, "{one:?}");
    assert!((0.0..=1.0).contains(&one.cyclic));
}
