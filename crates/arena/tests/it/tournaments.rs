//! Tournaments of native agents: the same bytes however they are played, and verified.

use meeple_arena::schedule::Kind;
use meeple_arena::sprt::SprtVerdict;
use meeple_arena::{
    Bots, Compare, OrderBy, RecordStore, ReplayRetention, RunEnd, SprtMatch, StandingsCheck, Verification,
    verify,
};
use meeple_lab::{NoProgress, StopFlag};

use crate::{play, play_all, request, results};

fn proved(directory: &std::path::Path) -> Verification {
    verify(directory, &mut NoProgress, &StopFlag::new()).unwrap()
}

#[test]
fn threads_and_interruptions_do_not_matter() {
    for keep in [ReplayRetention::None, ReplayRetention::All] {
        let mut request = request("incan-gold", "turn:7 backpack:20 random:0.2 never");
        request.table = Some(3);
        request.deals = Some(60);
        request.replays = Some(keep);
        let plan = request.plan().unwrap();
        assert_eq!(plan.schedule.episodes(), 4 * 60 * 3);
        let whole = tempfile::tempdir().unwrap();
        assert_eq!(play(&plan, whole.path(), Bots::none(), 1, u64::MAX).0, RunEnd::Complete);
        let pieces = tempfile::tempdir().unwrap();
        let mut stopped = 0;
        // A run that is stopped before it begins still plays its first episode; the others stop later, or not
        // at all.
        for stop_at in [0, 0, 40, 300, 0, 719, u64::MAX] {
            let (end, standings) = play(&plan, pieces.path(), Bots::none(), 2, stop_at);
            stopped += usize::from(end == RunEnd::Stopped);
            assert!(standings.episodes >= stop_at.min(720), "{} of {stop_at}", standings.episodes);
        }
        assert!(stopped >= 2, "it was really stopped, {stopped} times");
        assert!(results(whole.path()) == results(pieces.path()), "{keep:?}: the bytes differ");
        let found = proved(pieces.path());
        assert!(found.is_proved(), "{found:?}");
        let expected = if keep == ReplayRetention::All { (720, 0) } else { (0, 720) };
        assert_eq!((found.by_replay, found.by_seed), expected);
        assert_eq!(found.standings, StandingsCheck::Same);
    }
}

#[test]
fn every_game_can_be_a_tournament() {
    for (game, competitors) in [
        ("incan-gold", "turn:7 random:0.2"),
        ("game17", "t800 hunter"),
        ("carcassonne", "random greedy"),
        ("cartolan", "random greedy"),
        ("privateers", "random greedy"),
    ] {
        let mut request = request(game, competitors);
        request.deals = Some(1);
        request.replays = Some(ReplayRetention::All);
        if game == "game17" {
            request.set = vec![("size".into(), "4".into()), ("rounds".into(), "8".into())];
        }
        let plan = request.plan().unwrap_or_else(|error| panic!("{game}: {error}"));
        let directory = tempfile::tempdir().unwrap();
        play_all(&plan, directory.path());
        let found = proved(directory.path());
        assert!(found.is_proved() && found.by_replay == 2, "{game}: {found:?}");
        // Without replays the standings are the same.
        request.replays = Some(ReplayRetention::None);
        let again = tempfile::tempdir().unwrap();
        let standings = play_all(&request.plan().unwrap(), again.path());
        let first = std::fs::read_to_string(directory.path().join("standings.csv")).unwrap();
        assert_eq!(meeple_arena::report::csv(&standings), first, "{game}");
    }
}

#[test]
fn better_agents_are_rated_better() {
    let mut request = request("incan-gold", "turn:7 random:0.5 turn:2 backpack:20");
    request.anchor = Some("random:0.5".into());
    request.deals = Some(150);
    let directory = tempfile::tempdir().unwrap();
    let standings = play_all(&request.plan().unwrap(), directory.path());
    let points = |name: &str| {
        let standing = standings.standings.iter().find(|own| own.name == name).unwrap();
        standing.rating.as_ref().unwrap().points
    };
    assert_eq!(standings.anchor.as_deref(), Some("random:0.5"));
    assert_eq!(points("random:0.5"), 0.0);
    assert!(points("turn:7") > 100.0, "{standings:?}");
    assert_eq!(standings.standings[0].rank, 1);
    let episodes: Vec<u64> = standings.standings.iter().map(|own| own.episodes).collect();
    assert_eq!(episodes, [900; 4], "three opponents, 150 deals, two seats");
    for own in &standings.standings {
        assert_eq!(own.wins + own.draws + own.losses, own.episodes);
        assert_eq!(own.placements.iter().sum::<u64>(), own.episodes);
        let [low, high] = own.win_share_ci.unwrap();
        assert!(low < high && low <= own.win_share && own.win_share <= high);
    }
    let shares: f64 = standings.standings.iter().map(|own| own.win_share * own.episodes as f64).sum();
    assert!((shares - standings.episodes as f64).abs() < 1e-6, "one win per episode");
}

#[test]
fn the_sequential_test_stops_a_match() {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    request.schedule = Some(Kind::Single);
    request.deals = Some(5000);
    request.sprt = Some(SprtMatch { low: 0.0, high: 0.2, alpha: 0.05, beta: 0.05, by: Compare::Place });
    let plan = request.plan().unwrap();
    let mut found = Vec::new();
    for (threads, stop_at) in [(1, u64::MAX), (2, 9)] {
        let directory = tempfile::tempdir().unwrap();
        let (mut end, mut standings) = play(&plan, directory.path(), Bots::none(), threads, stop_at);
        if end == RunEnd::Stopped {
            (end, standings) = play(&plan, directory.path(), Bots::none(), threads, u64::MAX);
        }
        assert_eq!(end, RunEnd::Decided(SprtVerdict::High));
        let sprt = standings.sprt.clone().unwrap();
        assert!(sprt.groups >= 24 && sprt.groups < 400, "{sprt:?}");
        assert_eq!(standings.episodes, 2 * sprt.groups, "it stopped at the deciding deal");
        let found_here = proved(directory.path());
        assert!(found_here.is_proved() && found_here.complete, "{found_here:?}");
        // A decided match is complete, so none of its results may be missing.
        for name in ["standings.json", "standings.csv", "times.json", "plan.json"] {
            let path = directory.path().join(name);
            let bytes = std::fs::read(&path).unwrap();
            std::fs::remove_file(&path).unwrap();
            let missing = proved(directory.path());
            assert!(missing.complete && !missing.is_proved(), "{name}: {missing:?}");
            assert!(missing.problems.iter().any(|text| text.starts_with(name)), "{name}: {missing:?}");
            std::fs::write(&path, bytes).unwrap();
        }
        found.push(standings);
    }
    assert_eq!(found[0], found[1]);
}

/// The same player under two names gets the same games from mirrored deals, and the report says so.
#[test]
fn equal_players_are_said_to_be_equal() {
    for (words, table, rotations, expected) in [
        ("a=turn:7 b=turn:7", 2, 2, &[&["a", "b"][..]][..]),
        ("a=random:0.3 b=random:0.3", 2, 2, &[&["a", "b"]]),
        ("a=turn:7 b=turn:7", 2, 1, &[]),
        ("a=turn:7 b=turn:8", 2, 2, &[]),
        ("a=turn:7 b=random:0.3 c=turn:7 d=random:0.3", 2, 2, &[&["a", "c"], &["b", "d"]]),
        ("a=turn:7 b=turn:7 c=turn:7", 3, 3, &[&["a", "b", "c"]]),
        ("a=turn:7 b=turn:7 c=turn:8", 3, 3, &[]),
    ] {
        let mut request = request("incan-gold", words);
        (request.table, request.rotations, request.deals) = (Some(table), Some(rotations), Some(8));
        let directory = tempfile::tempdir().unwrap();
        let standings = play_all(&request.plan().unwrap(), directory.path());
        assert_eq!(standings.same_players, expected, "{words}");
        let text = meeple_arena::report::tables(&standings, &meeple_arena::CompetitorTimes::default(), None);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let sentences = text.matches("are the same player. With full seat rotation").count();
        assert_eq!(sentences, expected.len(), "{words}: {text}");
        for names in expected {
            assert!(text.contains(&format!("{} are the same player", names.join(" and "))), "{text}");
            // No deal tells the equal players apart.
            let index = |name: &str| standings.standings.iter().position(|own| own.name == name).unwrap();
            for pair in names.windows(2) {
                let found = standings.matchups[index(pair[0])][index(pair[1])].unwrap();
                assert_eq!((found.share, found.mean_difference), (0.5, 0.0), "{words}: {found:?}");
            }
        }
    }
}

#[test]
fn zombies_are_met_alone() {
    let mut request = request("game17", "t800 hunter");
    request.schedule = Some(Kind::Alone);
    request.set = vec![("size".into(), "5".into()), ("rounds".into(), "12".into())];
    request.deals = Some(30);
    let plan = request.plan().unwrap();
    assert_eq!(plan.order, OrderBy::Wins);
    let directory = tempfile::tempdir().unwrap();
    let standings = play_all(&plan, directory.path());
    assert_eq!((standings.episodes, standings.deal_groups), (60, 30));
    assert!(standings.standings.iter().all(|own| own.rating.is_none()));
    assert!(standings.standings[0].win_share >= standings.standings[1].win_share);
    assert!(proved(directory.path()).is_proved());
}

#[test]
fn what_was_tampered_with_is_found() {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    request.deals = Some(10);
    for (keep, sql, expected) in [
        (
            ReplayRetention::None,
            "UPDATE episodes SET scores = '[1,2]' WHERE idx = 7",
            "episode 7: stored scores [1, 2]",
        ),
        (
            ReplayRetention::All,
            "UPDATE episodes SET places = '[2,2]' WHERE idx = 3",
            "episode 3: stored scores",
        ),
        (
            ReplayRetention::None,
            "UPDATE episodes SET seating = '[1,1]' WHERE idx = 4",
            "episode 4: expected Pairing",
        ),
        (ReplayRetention::All, "UPDATE episodes SET replay_at = 0 WHERE idx = 5", "episode 5:"),
    ] {
        request.replays = Some(keep);
        let directory = tempfile::tempdir().unwrap();
        play_all(&request.plan().unwrap(), directory.path());
        let database = rusqlite::Connection::open(directory.path().join(meeple_arena::DATABASE)).unwrap();
        database.execute(sql, []).unwrap();
        drop(database);
        let found = proved(directory.path());
        assert!(!found.is_proved());
        let counts = (found.by_replay, found.by_seed, found.unproved);
        let expected_counts = if keep == ReplayRetention::All { (19, 0, 1) } else { (0, 19, 1) };
        assert_eq!(counts, expected_counts, "what was disproved is not proved: {sql}");
        assert!(found.problems.iter().any(|text| text.contains(expected)), "{sql}: {found:?}");
    }
    let directory = tempfile::tempdir().unwrap();
    play_all(&request.plan().unwrap(), directory.path());
    let path = directory.path().join("standings.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"deal_groups\": 10", "\"deal_groups\": 11")).unwrap();
    assert_eq!(proved(directory.path()).standings, StandingsCheck::Differ);
}

#[test]
fn rows_that_cannot_be_are_damage_and_no_panic() {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    request.deals = Some(5);
    request.sprt = Some(SprtMatch { low: 0.0, high: 0.1, alpha: 0.05, beta: 0.05, by: Compare::Score });
    for (sql, expected) in [
        ("UPDATE episodes SET seating = '[9,8,7]' WHERE idx = 4", "a seating of 2 competitors below 2"),
        ("UPDATE episodes SET seating = '[0,2]' WHERE idx = 4", "found [0, 2]"),
        ("UPDATE episodes SET seating = 'x' WHERE idx = 4", "the row with idx 4, column seating"),
        ("UPDATE episodes SET scores = '[1]' WHERE idx = 4", "expected 2 scores, found [1]"),
        (
            "UPDATE episodes SET scores = '[9223372036854775807,-9223372036854775807]' WHERE idx = 4",
            "expected 2 scores",
        ),
        ("UPDATE episodes SET places = '[1,2,3]' WHERE idx = 4", "expected 2 places"),
        ("UPDATE episodes SET forfeits = '[2]' WHERE idx = 4", "forfeits of seats below 2"),
        ("UPDATE episodes SET winners = 0 WHERE idx = 4", "at least one winner"),
        ("UPDATE episodes SET rotation = 65535 WHERE idx = 4", "a rotation below 2"),
        ("UPDATE episodes SET length = -1 WHERE idx = 4", "column length: expected a number from 0"),
        ("UPDATE episodes SET idx = -1 WHERE idx = 4", "expected episodes 0 to 9"),
        ("INSERT INTO bans VALUES (77, 3, 'x')", "expected a competitor below 2, found 77"),
        (
            "INSERT INTO times VALUES (3, 0, 44, 1, 0, NULL, 1, 1, NULL, 1)",
            "expected a competitor below 2, found 44",
        ),
        ("INSERT INTO faults VALUES (1, 3, 77, 0, 'X', 'x', 0, '{}')", "a competitor below 2, found 77"),
        ("DELETE FROM meta WHERE key = 'plan'", "no rows"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let plan = request.plan().unwrap();
        play_all(&plan, directory.path());
        let database = rusqlite::Connection::open(directory.path().join(meeple_arena::DATABASE)).unwrap();
        database.execute(sql, []).unwrap();
        drop(database);
        let check = |error: meeple_arena::ArenaError| {
            let text = error.to_string();
            assert!(!error.is_usage() && text.contains("the database is damaged"), "{sql}: {text}");
            assert!(text.contains(expected) && !text.contains("can be written to"), "{sql}: {text}");
        };
        let found = verify(directory.path(), &mut NoProgress, &StopFlag::new());
        check(found.err().unwrap_or_else(|| panic!("accepted: {sql}")));
        let resumed = RecordStore::open(directory.path())
            .and_then(|store| meeple_arena::write_results(&plan, &store, None, 2).map(|_| store.plan()))
            .and_then(|plan| plan);
        check(resumed.err().unwrap_or_else(|| panic!("accepted: {sql}")));
    }
}

#[test]
fn the_record_can_be_asked_in_sql() {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    request.deals = Some(10);
    let directory = tempfile::tempdir().unwrap();
    let standings = play_all(&request.plan().unwrap(), directory.path());
    let database = rusqlite::Connection::open(directory.path().join(meeple_arena::DATABASE)).unwrap();
    let mean: f64 = database
        .query_row(
            "SELECT avg(score) FROM seats JOIN competitors ON competitor = id WHERE name = 'turn:7'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    let own = standings.standings.iter().find(|own| own.name == "turn:7").unwrap();
    assert!((mean - own.mean_score).abs() < 1e-9);
    let rated: f64 = database
        .query_row(
            "SELECT points FROM ratings JOIN competitors ON competitor = id WHERE name = 'turn:7'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(rated, own.rating.as_ref().unwrap().points);
}

#[test]
fn only_one_program_writes() {
    let plan = request("incan-gold", "turn:7 random:0.5").plan().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let store = RecordStore::create(directory.path(), &plan, "").unwrap();
    let second = RecordStore::open(directory.path()).err().unwrap().to_string();
    assert!(second.contains("expected to be the only one"), "{second}");
    drop(store);
    assert!(RecordStore::open(directory.path()).is_ok());
}
