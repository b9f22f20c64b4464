//! Competitors from outside: faults, bans, times, and going on after a stop.

use std::io::Write;

use meeple_arena::schedule::Kind;
use meeple_arena::{
    BanRequest, Bot, Bots, OrderBy, RecordStore, ReplayRetention, RunEnd, RunOptions, StandingsCheck,
    TournamentPlan, run, verify,
};
use meeple_bothost::{
    Bad, BotAnswer, BotReply, BotTurn, End, EpisodeStart, Fault, FaultCode, Legal, OnFault, Player, Usage,
};
use meeple_lab::{NoProgress, StopFlag};

use crate::fault_proofs::replace_replay;
use crate::{play, request};

/// A test player that answers each question with the last legal action, or with a fault in some episodes.
pub struct Scripted {
    /// Divisor of the bot seeds in whose episodes every question ends in a fault; 0 for never.
    every: u64,
    cpu_us: u64,
    /// Time limit of a question that ends in a fault, in µs.
    allowed_us: Option<u64>,
    episode: u64,
    asked: usize,
    /// Bytes of stderr output that are dropped in episodes with a fault.
    dropped_bytes: u64,
}

impl Player for Scripted {
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        // Behaviour depends on the episode alone, so continued tournaments have the same results.
        self.episode = start.seed;
        Ok(Usage::default())
    }

    fn renew(&mut self) {}

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        let Legal::List(legal) = turn.legal else { panic!("this game has listed actions") };
        self.asked = legal.len();
        Ok(())
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        if self.every > 0 && self.episode.is_multiple_of(self.every) {
            let fault = Fault::new(FaultCode::Timeout, "expected an answer in time, found none");
            let used = Usage { cpu_us: Some(self.cpu_us), wall_us: 2 * self.cpu_us };
            return Err(fault.after(used, self.allowed_us));
        }
        let used = Usage { cpu_us: Some(self.cpu_us), wall_us: 2 * self.cpu_us };
        Ok(Some(BotAnswer { reply: BotReply::Index(self.asked as u64 - 1), used }))
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}

    fn dropped_bytes(&self) -> u64 {
        if self.every > 0 && self.episode.is_multiple_of(self.every) { self.dropped_bytes } else { 0 }
    }
}

/// A plan of Incan Gold with agents and bots; `#` marks bots.
pub fn plan(words: &str, change: impl FnOnce(&mut meeple_arena::Request)) -> TournamentPlan {
    let mut request = request("incan-gold", "");
    for word in words.split_whitespace() {
        // A command is never run in these tests: scripted players sit in for it.
        request.add(&match word.strip_prefix('#') {
            Some(name) => format!("{name}=cmd:{name}"),
            None => word.to_owned(),
        });
    }
    request.deals = Some(20);
    change(&mut request);
    crate::plan_with_rotations(request)
}

pub fn bots(plan: &TournamentPlan, every: u64, cpu_us: u64) -> Bots {
    bots_allowed(plan, every, cpu_us, None)
}

fn bots_allowed(plan: &TournamentPlan, every: u64, cpu_us: u64, allowed_us: Option<u64>) -> Bots {
    let bot = |competitor: &meeple_arena::Competitor| {
        competitor.agent().is_none().then(|| Bot {
            player: Box::new(scripted(every, cpu_us, allowed_us)),
            files: None,
            cold_files: None,
        })
    };
    Bots::new(plan.competitors.iter().map(bot).collect(), "none")
}

pub fn banned_at(mean_ms: f64, faulted_episodes: u64) -> BanRequest {
    BanRequest { mean_ms: Some(mean_ms), faulted_episodes: Some(faulted_episodes), waiting_ms: None }
}

/// Compares the faults in replays with the record. Replays of older formats lack faults and take them from
/// the record; those of the current format are returned as stored.
fn every_replay_has_the_faults_of_the_record(directory: &std::path::Path) {
    let mut recorded = vec![Vec::new(); 40];
    RecordStore::open(directory)
        .unwrap()
        .each_fault(&mut |episode, _, code, record| {
            let record: serde_json::Value = serde_json::from_str(record).unwrap();
            recorded[episode as usize].push((record["step"].as_u64().unwrap() as usize, code.to_owned()));
        })
        .unwrap();
    assert!(recorded.iter().any(Vec::is_empty) && recorded.iter().any(|faults| faults.len() == 3));
    let check = |directory: &std::path::Path| {
        let mut store = RecordStore::open(directory).unwrap();
        for (episode, faults) in recorded.iter().enumerate() {
            let replay = store.replay(episode as u64).unwrap().unwrap();
            let found = replay.faults.iter().map(|fault| (fault.step, fault.kind.clone()));
            assert_eq!(&found.collect::<Vec<_>>(), faults, "episode {episode}");
        }
    };
    check(directory);
    // In a copy, replays without faults are appended to the file and used instead of the others.
    let copy = tempfile::tempdir().unwrap();
    for name in [meeple_arena::DATABASE, "replays.jsonl.gz"] {
        std::fs::copy(directory.join(name), copy.path().join(name)).unwrap();
    }
    let directory = copy.path();
    let mut file = std::fs::read(directory.join("replays.jsonl.gz")).unwrap();
    let mut store = RecordStore::open(directory).unwrap();
    let replays: Vec<_> = (0..40).map(|episode| store.replay(episode).unwrap().unwrap()).collect();
    drop(store);
    let database = rusqlite::Connection::open(directory.join(meeple_arena::DATABASE)).unwrap();
    for (episode, mut replay) in replays.into_iter().enumerate() {
        replay.faults.clear();
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        writeln!(packed, "{}", serde_json::to_string(&replay).unwrap()).unwrap();
        let packed = packed.finish().unwrap();
        let change = "UPDATE episodes SET replay_at = ?1, replay_bytes = ?2 WHERE idx = ?3";
        database.execute(change, [file.len() as i64, packed.len() as i64, episode as i64]).unwrap();
        file.extend(packed);
    }
    std::fs::write(directory.join("replays.jsonl.gz"), file).unwrap();
    let mut store = RecordStore::open(directory).unwrap();
    assert!((0..40).all(|episode| store.replay(episode).unwrap().unwrap().faults.is_empty()));
    drop(store);
    let mut older = RecordStore::open(directory).unwrap().plan().unwrap();
    older.format = 3;
    for (key, value) in [("plan", older.to_text()), ("plan_hash", older.hash())] {
        database.execute("UPDATE meta SET value = ?1 WHERE key = ?2", [value.as_str(), key]).unwrap();
    }
    database.pragma_update(None, "user_version", 3).unwrap();
    drop(database);
    check(directory);
}

#[test]
fn faults_are_counted_and_proved() {
    let plan = plan("turn:7 #late", |request| request.schedule = Some(Kind::Single));
    assert_eq!(plan.replays, ReplayRetention::All);
    let directory = tempfile::tempdir().unwrap();
    let (end, standings) = play(&plan, directory.path(), bots(&plan, 3, 700), 1, u64::MAX);
    assert_eq!(end, RunEnd::Complete);
    let late = standings.standings.iter().find(|own| own.name == "late").unwrap();
    assert!(late.faulted_episodes >= 3, "{late:?}");
    assert_eq!(late.faults["TIMEOUT"], 3 * late.faulted_episodes, "three strikes each");
    let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
    assert!(found.is_proved(), "{found:?}");
    assert_eq!(found.by_replay, 40);
    every_replay_has_the_faults_of_the_record(directory.path());
    let times = std::fs::read_to_string(directory.path().join("times.json")).unwrap();
    assert!(times.contains("\"mean_cpu_us\": "), "{times}");
    let log = std::fs::read_to_string(directory.path().join("logs/late.log")).unwrap();
    assert!(log.contains("TIMEOUT: expected an answer in time"), "{log}");
    // The output of a bot must not control the terminal of its reader.
    let database = rusqlite::Connection::open(directory.path().join(meeple_arena::DATABASE)).unwrap();
    let steering = "UPDATE faults SET record = json_set(record, '$.fault.detail', 'a' || char(27) || '[2J' || char(10, 155),
        '$.fault.line', char(7) || 'b', '$.fault.stderr_tail', char(27) || ']0;c' || char(9) || 'ü')";
    database.execute(steering, []).unwrap();
    drop(database);
    let other = tempfile::tempdir().unwrap();
    let store = RecordStore::open(directory.path()).unwrap();
    meeple_arena::write_results(&plan, &store, Some(other.path()), 2).unwrap();
    let log = std::fs::read_to_string(other.path().join("logs/late.log")).unwrap();
    for expected in
        ["TIMEOUT: a\\u{1b}[2J\n  \\u{9b}\n", "  it sent: \\u{7}b\n", "  stderr: \\u{1b}]0;c\tü\n"]
    {
        assert!(log.contains(expected), "{expected}: {log}");
    }
    assert!(!log.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{log:?}");
    drop(store);
    // Below the table, the fault of a bot is its first crash, or any fault if there is no crash.
    let verified = |change: &str| {
        let database = rusqlite::Connection::open(directory.path().join(meeple_arena::DATABASE)).unwrap();
        database.execute(change, []).unwrap();
        drop(database);
        let store = RecordStore::open(directory.path()).unwrap();
        let (standings, times) = meeple_arena::write_results(&plan, &store, None, 2).unwrap();
        meeple_arena::report::tables(&standings, &times, None)
    };
    let text = verified("UPDATE faults SET episode = episode");
    assert!(text.contains(": TIMEOUT: a\\u{1b}[2J\\n\\u{9b}\n"), "{text}");
    let text = verified(
        "UPDATE faults SET code = 'CRASH', record = json_set(record, '$.fault.code', 'CRASH', '$.fault.alive', json('false'),
            '$.fault.detail', 'it ended with status 1', '$.fault.stderr_tail', 'Traceback' || char(10)
            || 'ModuleNotFoundError: No module named ''torch' || char(27) || '''' || char(10) || 'hint: a hint' || char(10))
            WHERE id = (SELECT max(id) FROM faults)",
    );
    let crash = ": CRASH: it ended with status 1; its last words: ModuleNotFoundError: No module named 'torch\\u{1b}'\n\
                 hint: the Python that runs bots has no module 'torch\\u{1b}'; install it";
    assert!(text.contains(crash), "{text}");
    assert!(text.contains("(--python env/bin/python)"), "{text}");
    assert!(!text.contains("TIMEOUT: "), "{text}");
    let report = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
    for part in ["TIMEOUT", "Faults of bots", "Time per decision", "<svg"] {
        assert!(report.contains(part), "{part}");
    }
}

#[test]
fn going_on_gives_the_same_results() {
    let plan = plan("turn:7 #late", |request| request.schedule = Some(Kind::Single));
    let whole = tempfile::tempdir().unwrap();
    let (_, expected) = play(&plan, whole.path(), bots(&plan, 2, 700), 1, u64::MAX);
    let pieces = tempfile::tempdir().unwrap();
    for stop_at in [1, 7, 8, 30] {
        assert_eq!(play(&plan, pieces.path(), bots(&plan, 2, 700), 1, stop_at).0, RunEnd::Stopped);
    }
    let (_, found) = play(&plan, pieces.path(), bots(&plan, 2, 700), 1, u64::MAX);
    assert_eq!(found, expected);
    assert!(crate::results(whole.path()) == crate::results(pieces.path()), "the bytes differ");
}

#[test]
fn who_forfeits_is_last() {
    let plan = plan("turn:1 #late", |request| {
        request.schedule = Some(Kind::Single);
        request.faults.on_fault = OnFault::Forfeit;
    });
    let directory = tempfile::tempdir().unwrap();
    let (_, standings) = play(&plan, directory.path(), bots(&plan, 1, 700), 1, u64::MAX);
    let late = standings.standings.iter().find(|own| own.name == "late").unwrap();
    assert_eq!((late.wins, late.draws, late.losses), (0, 0, 40));
    assert_eq!(late.placements, [0, 40]);
    assert!(verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap().is_proved());
}

#[test]
fn bans_hold_after_going_on() {
    for (ban, cpu_us, reason) in [
        (banned_at(10.0, 0), 10_001, "at most 10 ms"),
        (banned_at(0.0, 2), 5, "fewer than 2 episodes with faults"),
    ] {
        let plan = plan("turn:7 #late turn:5", |request| {
            request.ban = ban;
            request.order = Some(OrderBy::Victories);
        });
        let every = u64::from(ban.faulted_episodes > Some(0));
        let directory = tempfile::tempdir().unwrap();
        let mut last = None;
        for stop_at in [1, 50, u64::MAX] {
            last = Some(play(&plan, directory.path(), bots(&plan, every, cpu_us), 1, stop_at).1);
        }
        let standings = last.unwrap();
        let late = standings.standings.last().unwrap();
        assert_eq!(late.name, "late");
        assert!(late.banned.as_ref().unwrap().contains(reason), "{late:?}");
        assert!(late.faulted_episodes <= 2);
        assert_eq!(standings.standings.iter().filter(|own| own.banned.is_some()).count(), 1);
        let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
        assert!(found.is_proved(), "{found:?}");
    }
    // A mean time exactly at the limit is allowed.
    let plan = plan("turn:7 #late", |request| {
        request.ban = banned_at(10.0, 0);
    });
    let directory = tempfile::tempdir().unwrap();
    let (_, standings) = play(&plan, directory.path(), bots(&plan, 0, 10_000), 1, u64::MAX);
    assert!(standings.standings.iter().all(|own| own.banned.is_none()));
}

/// The seat of a banned bot is played by somebody else, and every replay says so.
#[test]
fn episodes_after_a_ban_tell_it() {
    let banned = |format: Option<u32>| {
        let mut plan = plan("turn:7 #late turn:5", |request| {
            (request.ban, request.replays) = (banned_at(10.0, 0), Some(ReplayRetention::All));
        });
        plan.format = format.unwrap_or(plan.format);
        let directory = tempfile::tempdir().unwrap();
        play(&plan, directory.path(), bots(&plan, 0, 10_001), 1, u64::MAX);
        (plan, directory)
    };
    let is_proved = |directory: &std::path::Path| {
        verify(directory, &mut NoProgress, &StopFlag::new()).unwrap().is_proved()
    };
    let (plan, directory) = banned(None);
    let mut store = RecordStore::open_read_only(directory.path()).unwrap();
    let (late, since, _) = store.bans().unwrap()[0].clone();
    let replays: Vec<_> = (0..store.next()).map(|episode| store.replay(episode).unwrap().unwrap()).collect();
    drop(store);
    let mut recorded = 0;
    for (episode, replay) in (0..).zip(&replays) {
        let seats = plan.schedule.pairing(episode).seats;
        let absent = seats.iter().position(|own| *own == late && episode > since);
        let found: Vec<_> = replay.faults.iter().map(|fault| fault.sentence("seat")).collect();
        match absent {
            None => assert_eq!(found, [""; 0], "episode {episode}"),
            Some(seat) => {
                assert_eq!((replay.faults[0].seat.index(), replay.faults[0].step), (seat, 0));
                // This game has no filler.
                assert_eq!(found, ["fault of seat: BANNED; the fallback action stands in from here on"]);
                recorded += 1;
            }
        }
    }
    assert!(recorded > 20, "{recorded} episodes");
    assert!(is_proved(directory.path()));
    // Events that are removed, moved to another seat, or added to an episode before the ban are found.
    let last = replays.iter().rposition(|replay| !replay.faults.is_empty()).unwrap();
    let mut removed = replays[last].clone();
    removed.faults.clear();
    let mut moved = replays[last].clone();
    moved.faults[0].seat = meeple_core::Seat::new(1 - moved.faults[0].seat.index());
    let mut early = replays[since as usize].clone();
    early.faults.clone_from(&replays[last].faults);
    for (what, episode, other) in
        [("removed", last as u64, removed), ("moved", last as u64, moved), ("early", since, early)]
    {
        // Replays that were replaced leave bytes behind, which is another problem.
        let problems = || {
            let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
            let own = format!("episode {episode}: ");
            found.problems.into_iter().filter(|problem| problem.contains(&own)).collect::<Vec<_>>()
        };
        replace_replay(directory.path(), episode, &other);
        let found = problems();
        assert!(found.iter().any(|problem| problem.contains("faults of the replay")), "{what}: {found:?}");
        replace_replay(directory.path(), episode, &replays[episode as usize]);
        assert_eq!(problems(), [""; 0], "{what} and put back");
    }
    // Records of earlier formats have no ban events.
    let (_, directory) = banned(Some(3));
    let mut store = RecordStore::open_read_only(directory.path()).unwrap();
    for episode in 0..store.next() {
        assert_eq!(store.replay(episode).unwrap().unwrap().faults, []);
    }
    assert!(is_proved(directory.path()));
}

/// A bot that never answers in time is banned by its mean time, whether it computes or sleeps, and its times
/// include all questions.
#[test]
fn decisions_that_time_out_count_for_the_ban() {
    for (cpu_us, allowed_us) in [(2_000_001, Some(2_000_000)), (30, Some(2_000_000)), (10_001, None)] {
        let plan = plan("turn:7 #late", |request| {
            request.schedule = Some(Kind::Single);
            request.ban = banned_at(10.0, 0);
        });
        let directory = tempfile::tempdir().unwrap();
        let (_, standings) =
            play(&plan, directory.path(), bots_allowed(&plan, 1, cpu_us, allowed_us), 1, u64::MAX);
        let late = standings.standings.iter().find(|own| own.name == "late").unwrap();
        assert!(late.banned.as_ref().unwrap().contains("at most 10 ms per decision"), "{late:?}");
        assert_eq!(late.faulted_episodes, 1, "banned after the first: {late:?}");
        let times = std::fs::read_to_string(directory.path().join("times.json")).unwrap();
        let times: serde_json::Value = serde_json::from_str(&times).unwrap();
        let own = &times["times"]["competitors"][1];
        assert_eq!(own["mean_cpu_us"], cpu_us as f64, "{own}");
        assert_eq!((&own["longest_us"], &own["asked"]), (&cpu_us.into(), &3.into()), "{own}");
    }
}

/// Results are the same in parallel and after resuming, with any bans, deaths and bots given up.
#[test]
fn episodes_side_by_side_come_out_the_same() {
    for (ban, kind) in [
        (banned_at(0.0, 4), Kind::Single),
        (banned_at(0.0, 9), Kind::RoundRobin),
        (banned_at(0.0, 0), Kind::Single),
    ] {
        let plan = plan("turn:7 #late #mortal turn:5", |request| {
            request.schedule = Some(kind);
            request.ban = ban;
            request.limits.restarts = 2;
        });
        let set = || {
            let mut set = Vec::new();
            for competitor in &plan.competitors {
                let dies = competitor.name == "mortal";
                set.push(competitor.agent().is_none().then(|| Bot {
                    player: Box::new(Mortal { dies, inner: scripted(2, 700, None) }),
                    files: Some("aa".into()),
                    cold_files: None,
                }));
            }
            Bots::new(set, "none")
        };
        let sets = |jobs: usize| {
            let mut bots = set();
            for _ in 1..jobs {
                bots.join(set()).unwrap();
            }
            bots
        };
        let whole = tempfile::tempdir().unwrap();
        let (end, standings) = play(&plan, whole.path(), sets(1), 1, u64::MAX);
        assert_eq!(end, RunEnd::Complete);
        let mortal = standings.standings.iter().find(|own| own.name == "mortal").unwrap();
        let given_up = format!("{mortal:?}").contains("CRASH") && mortal.banned.is_none();
        assert_eq!(given_up, ban.faulted_episodes == Some(0), "{mortal:?}");
        let facts = |directory: &std::path::Path| {
            let database = rusqlite::Connection::open(directory.join("tournament.db")).unwrap();
            let mut query = database
                .prepare("SELECT episode, competitor, seat, code, detail, step FROM faults ORDER BY id")
                .unwrap();
            let rows = query.query_map([], |row| {
                Ok((
                    (row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?),
                    (row.get::<_, String>(3)?, row.get::<_, String>(4)?, row.get::<_, i64>(5)?),
                ))
            });
            rows.unwrap().map(Result::unwrap).collect::<Vec<_>>()
        };
        for (jobs, stops) in [(2, vec![]), (5, vec![]), (3, vec![1, 2, 30, 31])] {
            let pieces = tempfile::tempdir().unwrap();
            for stop_at in stops {
                assert_eq!(play(&plan, pieces.path(), sets(jobs), 1, stop_at).0, RunEnd::Stopped);
            }
            assert_eq!(play(&plan, pieces.path(), sets(jobs), 1, u64::MAX).0, RunEnd::Complete);
            let (expected, found) = (crate::results(whole.path()), crate::results(pieces.path()));
            assert!(expected == found, "{jobs} at a time: the bytes differ");
            assert_eq!(facts(whole.path()), facts(pieces.path()), "{jobs} at a time");
            let found = verify(pieces.path(), &mut NoProgress, &StopFlag::new()).unwrap();
            assert!(found.is_proved(), "{found:?}");
        }
    }
}

/// A player that, if `dies`, ends at the first question of episodes with an even bot seed.
struct Mortal {
    dies: bool,
    inner: Scripted,
}

impl Player for Mortal {
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        self.inner.start(start)
    }

    fn renew(&mut self) {
        self.inner.renew();
    }

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        if self.dies && self.inner.episode.is_multiple_of(2) {
            return Err(Fault::new(FaultCode::Crash, "it ended").fatal());
        }
        // Some episodes are slower, so that parallel ones overtake them.
        if self.inner.episode.is_multiple_of(3) {
            std::thread::yield_now();
        }
        self.inner.ask(turn)
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        self.inner.poll_answer()
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}
}

pub fn scripted(every: u64, cpu_us: u64, allowed_us: Option<u64>) -> Scripted {
    Scripted { every, cpu_us, allowed_us, episode: 0, asked: 0, dropped_bytes: 0 }
}

#[test]
fn results_may_be_missing_only_while_it_is_incomplete() {
    let plan = plan("turn:7 #late", |request| request.schedule = Some(Kind::Single));
    let directory = tempfile::tempdir().unwrap();
    play(&plan, directory.path(), bots(&plan, 3, 700), 1, 7);
    let proved = || verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
    assert!(proved().is_proved() && proved().standings == StandingsCheck::Same);
    // Stored results must be right even in an incomplete tournament.
    let database = rusqlite::Connection::open(directory.path().join("tournament.db")).unwrap();
    let of_one = "SELECT points FROM ratings WHERE competitor = 1";
    let points: f64 = database.query_row(of_one, [], |row| row.get(0)).unwrap();
    for (stored, right) in [(points + 1.0, false), (points, true)] {
        database.execute("UPDATE ratings SET points = ?1 WHERE competitor = 1", [stored]).unwrap();
        assert_eq!(proved().is_proved(), right);
    }
    drop(database);
    // A run that is killed after it began to continue has removed the earlier results.
    let mut store = RecordStore::open(directory.path()).unwrap();
    let flag = StopFlag::new();
    flag.stop();
    let mut progress = NoProgress;
    let mut options = RunOptions { threads: 1, progress: &mut progress, stop: &flag };
    run(&plan, &mut store, &mut bots(&plan, 3, 700), &mut options).unwrap();
    drop(store);
    for name in ["standings.json", "standings.csv", "times.json", "report.html"] {
        assert!(!directory.path().join(name).exists(), "{name} is of fewer episodes");
    }
    let found = proved();
    assert!(found.is_proved() && !found.complete, "{found:?}");
    assert_eq!((found.standings, found.episodes, found.planned), (StandingsCheck::Missing, 8, 40));
    std::fs::write(directory.path().join("standings.csv"), "rank\n").unwrap();
    assert!(!proved().is_proved());
}

/// Faults of two bots in one episode come mixed; each episode counts once for each of them.
#[test]
fn faulted_episodes_are_counted_once() {
    let plan = plan("#one #two", |request| {
        request.schedule = Some(Kind::Single);
        request.ban = banned_at(0.0, 30);
    });
    let directory = tempfile::tempdir().unwrap();
    for stop_at in [10, u64::MAX] {
        let (_, standings) = play(&plan, directory.path(), bots(&plan, 1, 700), 1, stop_at);
        let due = standings.episodes.min(30);
        for own in &standings.standings {
            assert_eq!((own.faulted_episodes, own.banned.is_some()), (due, due == 30), "{own:?}");
        }
    }
    assert!(verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap().is_proved());
}

/// A player of game17 that does nothing in one of five moves; all its other moves are invalid.
struct Clumsy {
    number: u64,
}

impl Player for Clumsy {
    fn start(&mut self, _start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        Ok(Usage::default())
    }

    fn renew(&mut self) {}

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        self.number = turn.number;
        Ok(())
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        let used = Usage { cpu_us: Some(5), wall_us: 9 };
        let text = if self.number % 5 == 4 { "[]" } else { "[[99,99,\"n\",1]]" };
        let json = serde_json::value::RawValue::from_string(text.to_owned()).unwrap();
        Ok(Some(BotAnswer { reply: BotReply::Move(json), used }))
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}
}

/// In the original a wrong move costs only its turn, so under its rules a bot is asked to the end of the
/// game.
#[test]
fn by_the_original_a_bot_goes_on_after_any_number_of_faults() {
    for (original, strikes) in [(true, None), (false, Some(3))] {
        let mut request = request("game17", "still=zombie clumsy=cmd:clumsy");
        request.schedule = Some(Kind::Single);
        request.original = original;
        request.deals = Some(3);
        request.rotations = Some(1);
        request.set = vec![("size".into(), "10".into()), ("rounds".into(), "30".into())];
        let plan = request.plan().unwrap();
        assert_eq!(plan.faults.strikes, strikes);
        let directory = tempfile::tempdir().unwrap();
        let clumsy = Bot { player: Box::new(Clumsy { number: 0 }), files: None, cold_files: None };
        let bots = Bots::new(vec![None, Some(clumsy)], "none");
        let (_, standings) = play(&plan, directory.path(), bots, 1, u64::MAX);
        let own = standings.standings.iter().find(|own| own.name == "clumsy").unwrap();
        let faults = own.faults["INVALID_MOVE"];
        if original {
            assert!(faults > 9, "{faults} faults in 3 games");
            let times = std::fs::read_to_string(directory.path().join("times.json")).unwrap();
            let times: serde_json::Value = serde_json::from_str(&times).unwrap();
            let asked = times["times"]["competitors"][1]["asked"].as_u64().unwrap();
            assert!(asked > faults && asked - faults >= asked / 5 - 3, "{faults} of {asked}");
        } else {
            assert_eq!(faults, 9, "three strikes in 3 games");
        }
        let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
        assert!(found.is_proved(), "{found:?}");
    }
}

/// A log that is too long is no fault: its dropped bytes are recorded, reported once for each bot, and
/// verified.
#[test]
fn dropped_bytes_are_reported_once_for_each_bot() {
    let plan = plan("turn:7 #wordy #quiet", |request| request.replays = Some(ReplayRetention::All));
    let directory = tempfile::tempdir().unwrap();
    let bot = |name: &str, dropped_bytes| {
        let player = Scripted { dropped_bytes, ..scripted(2, 10, Some(50)) };
        (name != "turn:7").then(|| Bot { player: Box::new(player), files: None, cold_files: None })
    };
    let bots = || vec![bot("turn:7", 0), bot("wordy", 1000), bot("quiet", 0)];
    let (_, standings) = play(&plan, directory.path(), Bots::new(bots(), "none"), 1, 30);
    assert!(standings.standings.iter().any(|own| own.dropped_bytes.is_some()));
    let (_, standings) = play(&plan, directory.path(), Bots::new(bots(), "none"), 1, u64::MAX);
    let by_name = |name: &str| standings.standings.iter().find(|own| own.name == name).unwrap();
    let faulted = by_name("wordy").faulted_episodes;
    assert!(faulted > 5 && by_name("quiet").faulted_episodes > 5);
    assert_eq!(by_name("wordy").dropped_bytes, Some(1000 * faulted));
    assert!(standings.to_json().matches("dropped_bytes").count() == 1);
    let report = meeple_arena::report::tables(&standings, &meeple_arena::CompetitorTimes::default(), None);
    assert_eq!(report.matches("bytes more to stderr").count(), 1, "{report}");
    assert!(report.contains("wordy wrote "), "{report}");
    let proved = || verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
    assert!(proved().is_proved(), "{:?}", proved());
    for (change, expected) in [
        ("INSERT INTO dropped VALUES (1000000, 0, 5)", "the table dropped: 1 rows"),
        ("UPDATE dropped SET seat = 0 - seat - 1", "the table dropped: "),
        ("UPDATE dropped SET bytes = bytes + 1", "standings.json"),
        ("DROP TABLE dropped", "standings.json"),
    ] {
        let database = rusqlite::Connection::open(directory.path().join(meeple_arena::DATABASE)).unwrap();
        let before =
            database.query_row("SELECT count(*) FROM dropped", [], |row| row.get::<_, i64>(0)).unwrap();
        database.execute_batch("CREATE TEMP TABLE kept AS SELECT * FROM dropped").unwrap();
        database.execute_batch(change).unwrap();
        let found = proved();
        assert!(found.problems.iter().any(|text| text.contains(expected)), "{change}: {found:?}");
        if change.starts_with("DROP") {
            return;
        }
        database
            .execute_batch("DELETE FROM dropped; INSERT INTO dropped SELECT * FROM kept; DROP TABLE kept")
            .unwrap();
        assert!(before > 0 && proved().is_proved(), "put back as it was");
    }
}
