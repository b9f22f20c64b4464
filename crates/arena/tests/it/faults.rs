//! Competitors from outside: faults, bans, times, and going on after a stop.

use meeple_arena::schedule::Kind;
use meeple_arena::{Ban, Bot, Bots, Keep, OrderBy, Plan, RunEnd, StandingsCheck, verify};
use meeple_bothost::{Answer, Bad, End, Fault, FaultCode, Legal, OnFault, Player, Reply, Start, Turn, Usage};
use meeple_lab::{NoProgress, StopFlag};

use crate::{play, request};

/// What a player in a test does at each question: the last legal action, or a fault in some episodes.
struct Scripted {
    /// Faults at every question of episodes whose number is a multiple of this; 0 for never.
    every: u64,
    cpu_us: u64,
    /// What a question that ends in a fault was allowed.
    allowed_us: Option<u64>,
    episode: u64,
    asked: usize,
}

impl Player for Scripted {
    fn start(&mut self, start: &Start<'_>) -> Result<(), Fault> {
        // A function of the episode alone, as a player that is to be gone on with must be.
        self.episode = start.seed;
        Ok(())
    }

    fn ask(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let Legal::List(legal) = turn.legal else { panic!("this game has listed actions") };
        self.asked = legal.len();
        Ok(())
    }

    fn poll_answer(&mut self) -> Result<Option<Answer>, Fault> {
        self.answer().map(Some)
    }

    fn answer(&mut self) -> Result<Answer, Fault> {
        if self.every > 0 && self.episode.is_multiple_of(self.every) {
            let fault = Fault::new(FaultCode::Timeout, "expected an answer in time, found none");
            let used = Usage { cpu_us: Some(self.cpu_us), wall_us: 2 * self.cpu_us };
            return Err(fault.after(used, self.allowed_us));
        }
        let used = Usage { cpu_us: Some(self.cpu_us), wall_us: 2 * self.cpu_us };
        Ok(Answer { reply: Reply::Index(self.asked as u64 - 1), used })
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}
}

/// A plan of Incan Gold with agents and bots; `#` marks bots.
fn plan(words: &str, change: impl FnOnce(&mut meeple_arena::Request)) -> Plan {
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
    request.plan().unwrap()
}

fn bots(plan: &Plan, every: u64, cpu_us: u64) -> Bots {
    bots_allowed(plan, every, cpu_us, None)
}

fn bots_allowed(plan: &Plan, every: u64, cpu_us: u64, allowed_us: Option<u64>) -> Bots {
    let bot = |competitor: &meeple_arena::Competitor| {
        competitor.agent().is_none().then(|| Bot {
            player: Box::new(Scripted { every, cpu_us, allowed_us, episode: 0, asked: 0 }),
            files: None,
        })
    };
    Bots::new(plan.competitors.iter().map(bot).collect(), "none")
}

#[test]
fn faults_are_counted_and_proved() {
    let plan = plan("turn:7 #late", |request| request.schedule = Some(Kind::Single));
    assert_eq!(plan.replays, Keep::All);
    let directory = tempfile::tempdir().unwrap();
    let (end, standings) = play(&plan, directory.path(), bots(&plan, 3, 700), 1, u64::MAX);
    assert_eq!(end, RunEnd::Complete);
    let late = standings.standings.iter().find(|own| own.name == "late").unwrap();
    assert!(late.faulted_episodes >= 3, "{late:?}");
    assert_eq!(late.faults["TIMEOUT"], 3 * late.faulted_episodes, "three strikes each");
    let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
    assert!(found.is_proved(), "{found:?}");
    assert_eq!(found.by_replay, 40);
    let times = std::fs::read_to_string(directory.path().join("times.json")).unwrap();
    assert!(times.contains("\"mean_cpu_us\": "), "{times}");
    let log = std::fs::read_to_string(directory.path().join("logs/late.log")).unwrap();
    assert!(log.contains("TIMEOUT: expected an answer in time"), "{log}");
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
        (Ban { mean_ms: 10.0, faulted_episodes: 0 }, 10_001, "at most 10 ms"),
        (Ban { mean_ms: 0.0, faulted_episodes: 2 }, 5, "fewer than 2 episodes with faults"),
    ] {
        let plan = plan("turn:7 #late turn:5", |request| {
            request.ban = Some(ban);
            request.order = Some(OrderBy::Victories);
        });
        let every = u64::from(ban.faulted_episodes > 0);
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
    // Just at the limit is allowed.
    let plan = plan("turn:7 #late", |request| {
        request.ban = Some(Ban { mean_ms: 10.0, faulted_episodes: 0 });
    });
    let directory = tempfile::tempdir().unwrap();
    let (_, standings) = play(&plan, directory.path(), bots(&plan, 0, 10_000), 1, u64::MAX);
    assert!(standings.standings.iter().all(|own| own.banned.is_none()));
}

/// A bot that never answers in time is banned by its mean time, whether it computes or sleeps, and its times are
/// those of all questions.
#[test]
fn decisions_that_time_out_count_for_the_ban() {
    for (cpu_us, allowed_us) in [(2_000_001, Some(2_000_000)), (30, Some(2_000_000)), (10_001, None)] {
        let plan = plan("turn:7 #late", |request| {
            request.schedule = Some(Kind::Single);
            request.ban = Some(Ban { mean_ms: 10.0, faulted_episodes: 0 });
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

#[test]
fn without_replays_bots_cannot_be_proved() {
    let plan = plan("turn:7 #late", |request| request.replays = Some(Keep::Faulted));
    let directory = tempfile::tempdir().unwrap();
    play(&plan, directory.path(), bots(&plan, 3, 700), 1, u64::MAX);
    let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
    assert!(found.by_replay > 0 && found.unproved > 0 && !found.is_proved(), "{found:?}");
    assert_eq!((found.problem_count, found.standings), (0, StandingsCheck::Same));
}

#[test]
fn another_program_is_noticed() {
    let mut plan = plan("turn:7 #late", |_| {});
    let signed = |hash: &str| {
        let bot = Bot {
            player: Box::new(Scripted { every: 0, cpu_us: 1, allowed_us: None, episode: 0, asked: 0 }),
            files: Some(hash.to_owned()),
        };
        Bots::new(vec![None, Some(bot)], "none")
    };
    signed("aa").sign(&mut plan.competitors);
    assert!(signed("aa").check(&plan.competitors).is_ok());
    let error = signed("bb").check(&plan.competitors).err().unwrap().to_string();
    assert!(error.contains("fingerprint aa, found bb") && error.contains("hint"), "{error}");
}
