//! Pieces of tournaments, played apart and put together: the same bytes as in one run.

use std::ops::Range;
use std::path::Path;

use meeple_arena::schedule::Kind;
use meeple_arena::shard::{self, merge};
use meeple_arena::sprt::SprtVerdict;
use meeple_arena::{
    Bots, Compare, RecordStore, ReplayRetention, RunEnd, RunOptions, SprtMatch, TournamentPlan,
    TournamentShard, verify, write_results,
};
use meeple_lab::{NoProgress, StopFlag};

use crate::{StopAt, play, request, results};

/// Plays a shard, serialises it, and parses it again.
fn piece(plan: &TournamentPlan, episodes: Range<u64>, threads: usize) -> Result<TournamentShard, String> {
    let mut options = RunOptions { threads, progress: &mut NoProgress, stop: &StopFlag::new() };
    let shard = shard::play(plan, episodes, &mut options).map_err(|error| error.to_string())?;
    let text = serde_json::to_string(&shard).unwrap();
    let again: TournamentShard = serde_json::from_str(&text).unwrap();
    assert_eq!(again, shard);
    Ok(again)
}

/// Puts shards into a new record, and writes the results.
fn merged(plan: &TournamentPlan, directory: &Path, shards: Vec<TournamentShard>) -> RunEnd {
    let mut store = RecordStore::create(directory, plan, "meeple test").unwrap();
    let end = merge(plan, &mut store, shards).unwrap();
    write_results(plan, &store, Some(directory), 2).unwrap();
    store.close().unwrap();
    end
}

/// All rows of a record, as text.
fn content(directory: &Path) -> Vec<String> {
    let database = rusqlite::Connection::open(directory.join(meeple_arena::DATABASE)).unwrap();
    let mut all = Vec::new();
    for table in ["meta", "competitors", "episodes", "faults", "times", "bans", "sessions", "ratings"] {
        let mut query = database.prepare(&format!("SELECT * FROM {table}")).unwrap();
        let columns = query.column_count();
        let mut rows = query.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let cells = (0..columns).map(|column| format!("{:?}", row.get_ref(column).unwrap()));
            all.push(format!("{table}: {}", cells.collect::<Vec<_>>().join(" ")));
        }
    }
    all
}

/// Plays a plan whole, and in pieces that end at these episodes.
fn check(plan: &TournamentPlan, ends: &[u64], expected: RunEnd) {
    let [whole, pieces] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    assert_eq!(play(plan, whole.path(), Bots::none(), 2, u64::MAX).0, expected);
    let begins = [&[0], &ends[..ends.len() - 1]].concat();
    // Each shard is played by itself, the last one first.
    let shards = begins.into_iter().zip(ends).enumerate().rev();
    let shards = shards.map(|(number, (begin, end))| piece(plan, begin..*end, 1 + number % 2).unwrap());
    let mut shards: Vec<TournamentShard> = shards.collect();
    shards.reverse();
    assert_eq!(merged(plan, pieces.path(), shards), expected);
    assert!(results(whole.path()) == results(pieces.path()), "{}: the bytes differ", plan.game);
    assert_eq!(content(whole.path()), content(pieces.path()), "{}", plan.game);
    let proof = verify(pieces.path(), &mut NoProgress, &StopFlag::new()).unwrap();
    assert!(proof.is_proved() && proof.complete, "{proof:?}");
}

#[test]
fn uneven_shards_come_to_the_whole_run() {
    for (game, competitors, deals, keep) in [
        ("incan-gold", "turn:7 backpack:20 random:0.2 never", 40, ReplayRetention::None),
        ("incan-gold", "turn:7 backpack:20 random:0.2 never", 10, ReplayRetention::All),
        ("game17", "t800 hunter zombie", 3, ReplayRetention::All),
        ("carcassonne", "random greedy", 4, ReplayRetention::None),
        ("cartolan", "random greedy", 4, ReplayRetention::None),
        ("privateers", "random greedy", 4, ReplayRetention::All),
    ] {
        let mut request = request(game, competitors);
        (request.deals, request.replays) = (Some(deals), Some(keep));
        if game == "game17" {
            request.set = vec![("size".into(), "4".into()), ("rounds".into(), "8".into())];
        }
        let plan = request.plan().unwrap();
        let (each, all) = (plan.schedule.group_episodes(), plan.schedule.episodes());
        assert!(each > 1 && plan.schedule.block == 1);
        check(&plan, &[each, 3 * each, all], RunEnd::Complete);
        check(&plan, &[all], RunEnd::Complete);
        let halves: Vec<u64> = shard::ranges(&plan, 2).iter().map(|range| range.end).collect();
        check(&plan, &halves, RunEnd::Complete);
    }
}

#[test]
fn blocks_of_deal_groups_stay_together() {
    let mut plan = request("incan-gold", "turn:7 random:0.2 never").plan().unwrap();
    plan.schedule.block = 7;
    let (block, all) = (14, plan.schedule.episodes());
    assert_eq!(shard::ranges(&plan, 3), [0..42, 42..84, 84..120]);
    assert!(shard::ranges(&plan, 1).into_iter().eq(std::iter::once(0..120)));
    assert_eq!(shard::ranges(&plan, 1000).len(), 9, "number of blocks");
    assert_eq!((plan.schedule.block_of(0), all), (0..block, 120));
    check(&plan, &[block, 4 * block, all], RunEnd::Complete);
    for wrong in [0..2, 1..block, 2..3 * block, block..all - 2, 0..all + 2, block..block] {
        let expected =
            format!("expected whole blocks out of {all} episodes, found {} to {}", wrong.start, wrong.end);
        let error = piece(&plan, wrong, 1).unwrap_err();
        assert!(error.starts_with(&expected) && error.contains("hint: one block is"), "{error}");
    }
    let mut alone = request("game17", "t800 hunter zombie");
    (alone.schedule, alone.deals) = (Some(Kind::Alone), Some(5));
    alone.set = vec![("size".into(), "4".into()), ("rounds".into(), "8".into())];
    check(&alone.plan().unwrap(), &[3, 12, 15], RunEnd::Complete);
}

#[test]
fn a_sequential_test_ends_where_it_would_have() {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    request.schedule = Some(Kind::Single);
    request.deals = Some(500);
    request.sprt = Some(SprtMatch { low: 0.0, high: 0.2, alpha: 0.05, beta: 0.05, by: Compare::Place });
    check(&request.plan().unwrap(), &[46, 900, 1000], RunEnd::Decided(SprtVerdict::High));
}

#[test]
fn what_does_not_belong_is_refused() {
    let plan = request("incan-gold", "turn:7 random:0.2").plan().unwrap();
    let other = request("incan-gold", "turn:8 random:0.2").plan().unwrap();
    let mut store = RecordStore::in_memory(&plan, "").unwrap();
    let shard = |plan, episodes| piece(plan, episodes, 1).unwrap();
    let mut merge = |shard| merge(&plan, &mut store, [shard]).map_err(|error| error.to_string());
    assert_eq!(merge(shard(&plan, 0..4)), Ok(RunEnd::Stopped));
    for (wrong, expected) in [
        (shard(&other, 4..40), "expected episodes of the plan"),
        (shard(&plan, 6..40), "expected episodes from 4 on, as the plan has them, found 34 from 6 to 40"),
        (shard(&plan, 0..4), "found 4 from 0 to 4"),
        (forged(&shard(&plan, 4..40), "\"end\":40}", "\"end\":38}"), "found 36 from 4 to 38"),
        (forged(&shard(&plan, 4..40), "\"seats\":[0,1]", "\"seats\":[1,0]"), "found 36 from 4 to 40"),
    ] {
        let error = merge(wrong).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(merge(shard(&plan, 4..40)), Ok(RunEnd::Complete));
    let mut bots = plan.clone();
    bots.competitors[0].kind = meeple_arena::CompetitorKind::Bot;
    assert!(piece(&bots, 0..4, 1).unwrap_err().contains("found bots"));
}

fn forged(shard: &TournamentShard, from: &str, to: &str) -> TournamentShard {
    let text = serde_json::to_string(shard).unwrap();
    let changed = text.replacen(from, to, 1);
    assert_ne!(text, changed, "{from}");
    serde_json::from_str(&changed).unwrap()
}

/// A stopped shard holds whole blocks, and the rest can be played as another shard.
#[test]
fn a_stopped_shard_is_gone_on_with() {
    let mut plan = request("incan-gold", "turn:7 random:0.2 never").plan().unwrap();
    plan.schedule.block = 3;
    let (flag, all) = (StopFlag::new(), plan.schedule.episodes());
    let mut progress = StopAt { episodes: 16, flag: flag.clone() };
    let mut options = RunOptions { threads: 1, progress: &mut progress, stop: &flag };
    let begun = shard::play(&plan, 6..all, &mut options).unwrap();
    let Range { start, end } = begun.episodes();
    assert!(start == 6 && end % 6 == 0 && end >= 18, "{:?}", begun.episodes());
    let rest = (end < all).then(|| piece(&plan, end..all, 1).unwrap());
    let directory = tempfile::tempdir().unwrap();
    let shards = [piece(&plan, 0..6, 1).unwrap(), begun].into_iter().chain(rest).collect();
    assert_eq!(merged(&plan, directory.path(), shards), RunEnd::Complete);
}
