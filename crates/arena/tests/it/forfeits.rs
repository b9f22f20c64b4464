//! Forfeits: one placement, from which wins, shares, scores, ratings and every order follow.

use meeple_arena::schedule::Kind;
use meeple_arena::{Bot, Bots, OrderBy, Placement, RunEnd, Standings, TournamentPlan, verify};
use meeple_bothost::{
    Bad, BotAnswer, BotReply, BotTurn, End, EpisodeStart, Fault, FaultCode, Legal, OnFault, Player, Usage,
};
use meeple_core::{Outcome, Stream};
use meeple_lab::{NoProgress, StopFlag};
use serde_json::Value;

use crate::{play, request, results};

const ORDERS: [OrderBy; 4] = [OrderBy::Rating, OrderBy::Wins, OrderBy::Score, OrderBy::Victories];

/// A player of Incan Gold that carries treasure out and so leads. It breaks the rules in the last round of
/// every episode whose seed is a multiple of `every`; 0 for never.
struct Leader {
    every: u64,
    seed: u64,
    reply: Option<u64>,
}

impl Player for Leader {
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        self.seed = start.seed;
        Ok(Usage::default())
    }

    fn renew(&mut self) {}

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        let Legal::List(legal) = turn.legal else { panic!("this game has listed actions") };
        let seen: Value = serde_json::from_str(turn.observation).unwrap();
        let leaves = seen["backpack"].as_u64().unwrap() >= 12;
        let faulty = self.every > 0 && self.seed.is_multiple_of(self.every);
        let breaks = faulty && (seen["round"].as_u64().unwrap() >= 5 || turn.number > 18);
        let word = if leaves { "leave" } else { "stay" };
        self.reply = legal.iter().position(|action| action == word).map(|at| at as u64).filter(|_| !breaks);
        Ok(())
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        match self.reply {
            Some(index) => Ok(Some(BotAnswer { reply: BotReply::Index(index), used: Usage::default() })),
            None => Err(Fault::new(FaultCode::InvalidMove, "expected an action, found 99")),
        }
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}
}

/// A plan of 12 deals in which a fault forfeits; `#` marks bots.
fn plan(words: &str, kind: Kind, order: OrderBy) -> TournamentPlan {
    let mut request = request("incan-gold", "");
    for word in words.split_whitespace() {
        request.add(&word.strip_prefix('#').map_or(word.to_owned(), |name| format!("{name}=cmd:{name}")));
    }
    request.schedule = Some(kind);
    request.order = Some(order);
    request.faults.on_fault = OnFault::Forfeit;
    request.deals = Some(12);
    crate::plan_with_rotations(request)
}

fn bots(plan: &TournamentPlan, every: u64) -> Bots {
    let bot = |own: &meeple_arena::Competitor| {
        own.agent().is_none().then(|| Bot {
            player: Box::new(Leader { every, seed: 1, reply: None }),
            files: None,
            cold_files: None,
        })
    };
    Bots::new(plan.competitors.iter().map(bot).collect(), "none")
}

fn is_proved(directory: &std::path::Path) -> bool {
    verify(directory, &mut NoProgress, &StopFlag::new()).unwrap().is_proved()
}

fn of<'s>(standings: &'s Standings, name: &str) -> &'s meeple_arena::TournamentStanding {
    standings.standings.iter().find(|own| own.name == name).unwrap()
}

#[test]
fn a_forfeiting_leader_leaves_the_win_to_its_rival() {
    for order in ORDERS {
        let plan = plan("#leader never", Kind::Single, order);
        let directory = tempfile::tempdir().unwrap();
        let (_, standings) = play(&plan, directory.path(), bots(&plan, 1), 1, u64::MAX);
        let (rival, leader) = (of(&standings, "never"), of(&standings, "leader"));
        assert_eq!((rival.wins, rival.draws, rival.losses, rival.forfeits), (24, 0, 0, Some(0)), "{order:?}");
        assert_eq!((leader.wins, leader.draws, leader.losses, leader.forfeits), (0, 0, 24, Some(24)));
        assert_eq!((rival.win_share, leader.win_share), (1.0, 0.0));
        assert!(rival.mean_score >= leader.mean_score, "{rival:?} {leader:?}");
        assert_eq!((rival.rank, leader.rank), (1, 2), "{order:?}");
        assert_eq!((&rival.placements[..], &leader.placements[..]), (&[24][..], &[0, 24][..]));
        assert!(is_proved(directory.path()), "{order:?}");
    }
}

/// All results agree on forfeits, over all orders, schedules and frequencies of faults, whole and in pieces.
#[test]
fn standings_follow_from_one_placement() {
    for (words, kind, frequencies) in [
        ("#leader never", Kind::Single, &[1, 2][..]),
        ("#leader turn:7 #second never", Kind::Single, &[1, 3]),
        ("#leader turn:7 never", Kind::RoundRobin, &[2]),
    ] {
        for (order, every) in
            ORDERS.into_iter().flat_map(|order| frequencies.iter().map(move |every| (order, *every)))
        {
            let what = format!("{words}, {kind:?}, {order:?}, every {every}");
            let plan = plan(words, kind, order);
            let directory = tempfile::tempdir().unwrap();
            let (_, standings) = play(&plan, directory.path(), bots(&plan, every), 1, u64::MAX);
            assert!(is_proved(directory.path()), "{what}");
            let mut won = 0.0;
            for (index, own) in standings.standings.iter().enumerate() {
                let forfeits = own.forfeits.unwrap();
                assert_eq!(own.wins + own.draws + own.losses, own.episodes, "{what}: {own:?}");
                assert!(own.losses >= forfeits, "{what}: {own:?}");
                assert_eq!(own.faulted_episodes, forfeits, "{what}: {own:?}");
                won += own.win_share * own.episodes as f64;
                if forfeits == own.episodes && kind == Kind::Single {
                    let after = &standings.standings[index..];
                    assert!(
                        after.iter().all(|own| own.forfeits > Some(0)),
                        "{what}: {:?}",
                        standings.standings
                    );
                    assert_eq!(own.wins + own.draws, 0, "{what}: {own:?}");
                }
            }
            // Somebody without faults sits at every table, so that every episode is won.
            assert!((won - standings.episodes as f64).abs() < 1e-9, "{what}: {won}");
        }
    }
    let plan = plan("#leader never", Kind::Single, OrderBy::Score);
    let [whole, pieces] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    play(&plan, whole.path(), bots(&plan, 2), 1, u64::MAX);
    assert_eq!(play(&plan, pieces.path(), bots(&plan, 2), 1, 7).0, RunEnd::Stopped);
    play(&plan, pieces.path(), bots(&plan, 2), 1, u64::MAX);
    assert!(results(whole.path()) == results(pieces.path()), "the bytes differ");
}

/// The placement alone, over random outcomes and all sets of seats that forfeit.
#[test]
fn a_forfeit_is_last_and_never_helps() {
    let mut rng = Stream::from_seed(4);
    for seats in 1..=5u16 {
        for _ in 0..40 {
            let scores: Vec<i64> = (0..seats).map(|_| rng.index(4) as i64 - 1).collect();
            let mut outcome = Outcome { scores, ..Outcome::default() };
            outcome.rank_by_score();
            for set in 0..1u16 << seats {
                let forfeits: Vec<u16> = (0..seats).filter(|seat| set >> seat & 1 == 1).collect();
                let (placed, winners) = Placement::ForfeitsLast.place(&outcome, &forfeits);
                let what = format!("{outcome:?} {forfeits:?}: {placed:?}");
                let gone = |seat: usize| forfeits.contains(&(seat as u16));
                let mut firsts = 0;
                for own in 0..usize::from(seats) {
                    firsts += u32::from(placed.places[own] == 1 && !gone(own));
                    for other in 0..usize::from(seats) {
                        let [before, after] =
                            [&outcome, &placed].map(|of| of.places[own].cmp(&of.places[other]));
                        match (gone(own), gone(other)) {
                            (false, false) => assert_eq!(before, after, "{what}"),
                            (true, true) => assert!(after.is_eq(), "{what}"),
                            (false, true) => assert!(after.is_lt(), "{what}"),
                            (true, false) => assert!(after.is_gt(), "{what}"),
                        }
                        assert!(!gone(own) || placed.scores[own] <= placed.scores[other], "{what}");
                    }
                    assert!(gone(own) || placed.scores[own] == outcome.scores[own], "{what}");
                    if !gone(own) {
                        let more = [&forfeits[..], &[own as u16]].concat();
                        let (helped, _) = Placement::ForfeitsLast.place(&outcome, &more);
                        assert!(helped.places[own] >= placed.places[own], "{what}");
                        assert!(helped.scores[own] <= placed.scores[own], "{what}");
                        let others = (0..usize::from(seats)).filter(|other| *other != own && !gone(*other));
                        assert!(
                            others.into_iter().all(|other| helped.places[other] <= placed.places[other]),
                            "{what}"
                        );
                    }
                }
                assert_eq!(winners, firsts, "{what}");
                assert_eq!(winners == 0, forfeits.len() == usize::from(seats), "{what}");
                if forfeits.is_empty() {
                    assert_eq!(placed, outcome);
                }
                assert_eq!(Placement::ByRules.place(&outcome, &forfeits).0, outcome);
            }
        }
    }
}

#[test]
fn a_record_that_counts_the_forfeiting_leader_first_is_not_proved() {
    for change in ["places = '[1,2]'", "scores = '[1000,0]'", "winners = 2", "forfeits = '[]'"] {
        let plan = plan("#leader never", Kind::Single, OrderBy::Wins);
        let directory = tempfile::tempdir().unwrap();
        play(&plan, directory.path(), bots(&plan, 1), 1, u64::MAX);
        let database = rusqlite::Connection::open(directory.path().join(meeple_arena::DATABASE)).unwrap();
        let changed = database.execute(&format!("UPDATE episodes SET {change} WHERE idx = 0"), []).unwrap();
        assert_eq!(changed, 1);
        drop(database);
        assert!(!is_proved(directory.path()), "{change}");
    }
}

/// Records of older releases count by their own rule: they are opened, verified and continued to the same
/// bytes.
#[test]
fn records_of_format_2_count_by_the_rules_of_the_game() {
    let mut plan = plan("#leader never", Kind::Single, OrderBy::Rating);
    plan.format = 2;
    let [whole, pieces] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (_, standings) = play(&plan, whole.path(), bots(&plan, 1), 1, u64::MAX);
    let (rival, leader) = (of(&standings, "never"), of(&standings, "leader"));
    assert_eq!((standings.format, rival.wins, rival.forfeits), (3, 0, None));
    assert!(rival.losses > 20, "it stays behind, but where both have nothing: {rival:?}");
    assert_eq!((leader.wins, leader.losses, leader.rank), (0, 24, 2));
    assert!(!standings.to_json().contains("forfeits\": "));
    for stop_at in [5, u64::MAX] {
        play(&plan, pieces.path(), bots(&plan, 1), 1, stop_at);
        assert!(is_proved(pieces.path()));
    }
    assert!(results(whole.path()) == results(pieces.path()), "the bytes differ");
    // The database states its format, and releases that do not know the format refuse it.
    let database = rusqlite::Connection::open(whole.path().join(meeple_arena::DATABASE)).unwrap();
    let format = |set: &str| {
        database.execute_batch(set).unwrap();
        meeple_arena::RecordStore::open_read_only(whole.path()).and_then(|store| store.plan())
    };
    assert_eq!(format("").unwrap().format, 2);
    let error = format("PRAGMA user_version = 3").unwrap_err().to_string();
    assert!(error.contains("expected a plan of format 3, found 2"), "{error}");
    let error = format("PRAGMA user_version = 9").unwrap_err().to_string();
    assert!(error.contains("expected a tournament of format 2 to 4, found one of format 9"), "{error}");
}
