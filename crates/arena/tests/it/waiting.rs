//! Bots that sleep: the most time that they can cost the others.

use meeple_arena::schedule::Kind;
use meeple_arena::{
    Bot, Bots, RecordStore, RunEnd, RunOptions, Standings, TournamentPlan, Verification, ranking, run, verify,
};
use meeple_bothost::{
    Bad, BotAnswer, BotTurn, ClockBasis, End, EpisodeStart, Fault, FaultCode, Player, Usage,
};
use meeple_lab::{NoProgress, StopFlag};

use crate::{LastAction, go_on, play, request};

/// A player that sleeps, on a simulated clock: before it is ready, before each answer, or instead of
/// answering. Like a process it is stopped at the time limits of each question and of the episode.
struct Sleeper {
    start_ms: u64,
    answer_ms: u64,
    /// True if it answers after sleeping.
    answers: bool,
    /// CPU time of the start and of each answer, in milliseconds.
    cpu_ms: u64,
    clock: meeple_bothost::Clock,
    /// Milliseconds slept in this episode.
    slept_ms: u64,
    last: LastAction,
}

/// A measured time: milliseconds asleep, and of CPU time.
fn usage(slept_ms: u64, cpu_ms: u64) -> Usage {
    Usage { cpu_us: Some(1000 * cpu_ms), wall_us: 1000 * (slept_ms + cpu_ms) }
}

impl Player for Sleeper {
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        self.clock = *start.clock;
        self.slept_ms = self.start_ms;
        Ok(usage(self.start_ms, self.cpu_ms))
    }

    fn renew(&mut self) {}

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        self.last = LastAction::of(&turn.legal);
        Ok(())
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        let clock = &self.clock;
        let question = 1000 * 2 * u64::from(clock.wall_factor) + clock.wall_slack_ms;
        let left = clock.episode_slack_ms.saturating_sub(self.slept_ms);
        let slept = if self.answers { self.answer_ms } else { u64::MAX }.min(question).min(left);
        let used = usage(slept, self.cpu_ms);
        self.slept_ms += clock.slept(used).as_millis() as u64;
        if !self.answers || slept < self.answer_ms {
            let code = if slept < question { FaultCode::CumulativeTimeout } else { FaultCode::Timeout };
            return Err(Fault::new(code, "it sleeps").after(used, Some(2_000_000)));
        }
        Ok(Some(BotAnswer { reply: self.last.reply(), used }))
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}
}

fn sleeper(start_ms: u64, answer_ms: u64, answers: bool, cpu_ms: u64) -> Sleeper {
    let clock = meeple_bothost::Clock::default();
    Sleeper { start_ms, answer_ms, answers, cpu_ms, clock, slept_ms: 0, last: LastAction::default() }
}

/// The usual match: a hundred deals in three rotations.
fn usual(change: impl FnOnce(&mut meeple_arena::Request)) -> TournamentPlan {
    let mut request = request("incan-gold", "turn:3 sleeper=cmd:sleeper turn:4");
    request.schedule = Some(Kind::Single);
    request.deals = Some(100);
    change(&mut request);
    crate::plan_with_rotations(request)
}

/// Plays a match with a sleeper, stopped now and then; returns its standings, and the total waiting time in
/// seconds.
fn wait_for(plan: &TournamentPlan, make: impl Fn() -> Sleeper, stops: &[u64]) -> (Standings, u64) {
    let directory = tempfile::tempdir().unwrap();
    let bots = || {
        Bots::new(
            vec![
                None,
                Some(Bot { player: Box::new(make()), files: None, cold_files: Some("a test".into()) }),
                None,
            ],
            "none",
        )
    };
    for stop_at in stops {
        go_on(plan, directory.path(), bots(), 1, *stop_at);
    }
    assert_eq!(go_on(plan, directory.path(), bots(), 1, u64::MAX), RunEnd::Complete);
    let store = RecordStore::open_read_only(directory.path()).unwrap();
    let note = "none; bots may measure which files their predecessors read: a test";
    assert_eq!(store.sandboxes().unwrap(), [note]);
    let standings = Standings::compute(plan, &store, 2).unwrap();
    let mut waited_us = 0;
    store.each_time(|_, time| waited_us += time.start.wall_us + time.wall_us).unwrap();
    (standings, waited_us / 1_000_000)
}

fn banned(standings: &Standings) -> Option<&str> {
    standings.standings.iter().find(|own| own.name == "sleeper").unwrap().banned.as_deref()
}

/// Waiting time that the worst sleeping bots cause in a match of three hundred episodes.
#[test]
fn a_sleeper_cannot_cost_much() {
    for (name, start_ms, answer_ms, answers, most_s, is_banned) in [
        // Each episode takes 12 to 15 s, of which 2 s are allowed; the ban comes at 120 s beyond that.
        ("never answers", 0, 0, false, 160, true),
        ("is late to be ready, too", 11_000, 0, false, 160, true),
        ("is ready just in time", 11_900, 0, true, 160, true),
        // Shorter sleep delays the ban: it costs 120 s, and 2 s for each of the episodes before.
        ("answers after a second", 0, 1_000, true, 735, true),
        ("takes a little too long", 3_000, 0, true, 735, true),
        // A busy machine may cost two seconds an episode.
        ("is slow", 1_990, 0, true, 600, false),
        // The bot ends after every episode, and takes 20 s to launch.
        ("comes back late", 20_000, 0, true, 160, true),
    ] {
        let (standings, waited_s) =
            wait_for(&usual(|_| {}), || sleeper(start_ms, answer_ms, answers, 1), &[1, 7, 8]);
        assert!(waited_s <= most_s, "{name}: {waited_s} s");
        let reason = banned(&standings);
        assert_eq!(reason.is_some(), is_banned, "{name}: {reason:?}");
        assert!(reason.is_none_or(|text| text.contains("at most 120000 ms of waiting")), "{reason:?}");
    }
    // Without the limits, a sleeping bot costs more than an hour.
    let endless = usual(|request| {
        request.ban.waiting_ms = Some(0);
        request.ban.faulted_episodes = Some(0);
    });
    let (standings, waited_s) = wait_for(&endless, || sleeper(0, 0, false, 1), &[]);
    assert!(banned(&standings).is_none() && waited_s >= 300 * 15, "{waited_s} s");
}

/// A wall clock for decisions does not cover restarts, so late restarts count as waiting.
#[test]
fn coming_back_late_counts_on_every_clock() {
    for (start_ms, most_s, is_banned) in [(20_000, 160, true), (1_990, 600, false)] {
        let plan = usual(|request| request.faults.clock.basis = ClockBasis::Wall);
        let (standings, waited_s) = wait_for(&plan, || sleeper(start_ms, 0, true, 1), &[1, 7, 8]);
        assert!(waited_s <= most_s, "{start_ms} ms: {waited_s} s");
        assert_eq!(banned(&standings).is_some(), is_banned, "{start_ms} ms");
    }
}

/// CPU time never counts as waiting, however long it is, and also on a busy machine.
#[test]
fn work_is_no_sleep() {
    let plan = usual(|request| request.deals = Some(20));
    // 700 ms of CPU time on a machine with a fifth of a processor for it, at every question.
    let (standings, waited_s) = wait_for(&plan, || sleeper(4 * 700, 4 * 700, true, 700), &[]);
    assert!(waited_s > 1000 && banned(&standings).is_none(), "{waited_s} s");
}

/// Faults count towards a ban by default, but not by the rules of the original, where a wrong move costs only
/// its turn.
#[test]
fn who_fails_again_and_again_is_banned() {
    let plan = usual(|request| request.faults.clock.episode_slack_ms = 0);
    let (standings, _) = wait_for(&plan, || sleeper(0, 0, false, 1), &[30]);
    let own = standings.standings.iter().find(|own| own.name == "sleeper").unwrap();
    assert_eq!((own.faulted_episodes, own.rank), (50, 3));
    assert_eq!(banned(&standings), Some("expected fewer than 50 episodes with faults, found 50"));
    let ban = |original: bool| {
        let mut request = request("game17", "t800 bot=cmd:bot");
        request.original = original;
        let ban = request.plan().unwrap().ban;
        (ban.mean_ms, ban.faulted_episodes, ban.waiting_ms)
    };
    assert_eq!((ban(false), ban(true)), ((0.0, 50, 120_000), (10.0, 0, 120_000)));
}

fn proved(directory: &std::path::Path) -> Verification {
    verify(directory, &mut NoProgress, &StopFlag::new()).unwrap()
}

/// Changed times are found, because they would lead to another ban.
#[test]
fn a_ban_for_waiting_is_proved() {
    let plan = usual(|request| request.deals = Some(10));
    for (sql, word) in [
        ("UPDATE times SET start_wall_us = 0 WHERE episode = 3", "the times and faults lead to"),
        ("UPDATE times SET wall_us = wall_us / 2 WHERE episode < 9", "the times and faults lead to"),
        ("UPDATE times SET start_cpu_us = 5000000 WHERE episode = 3", "the times and faults lead to"),
        ("DELETE FROM bans", "the times and faults lead to"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let bot = Bot { player: Box::new(sleeper(11_000, 0, false, 1)), files: None, cold_files: None };
        play(&plan, directory.path(), Bots::new(vec![None, Some(bot), None], "none"), 1, u64::MAX);
        assert!(proved(directory.path()).is_proved());
        let database = rusqlite::Connection::open(directory.path().join("tournament.db")).unwrap();
        assert!(database.execute(sql, []).unwrap() > 0, "{sql}");
        drop(database);
        let found = proved(directory.path());
        assert!(found.problems.iter().any(|text| text.contains(word)), "{sql}: {found:?}");
    }
}

/// By the rules of the original, a sleeper is banned after one game, and banned bots play no tie-break.
#[test]
fn splitting_equals_does_not_wait_again() {
    let names = ["one", "two", "three", "four"];
    let words = names.map(|name| format!("{name}=cmd:{name}")).join(" ");
    let mut request = request("game17", &format!("{words} still"));
    request.schedule = Some(Kind::Single);
    request.original = true;
    request.deals = Some(3);
    request.set = vec![("size".into(), "4".into()), ("rounds".into(), "6".into())];
    let plan = request.plan().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let bot = |_| Some(Bot { player: Box::new(sleeper(0, 0, false, 0)), files: None, cold_files: None });
    let bots: Vec<Option<Bot>> = names.iter().map(bot).chain([None]).collect();
    let mut bots = Bots::new(bots, "none");
    let mut store = RecordStore::create(directory.path(), &plan, "meeple test").unwrap();
    let (mut progress, flag) = (NoProgress, StopFlag::new());
    let mut options = RunOptions { threads: 1, progress: &mut progress, stop: &flag };
    run(&plan, &mut store, &mut bots, &mut options).unwrap();
    let ranking =
        ranking::finish(&plan, &mut store, &mut bots, Some(directory.path()), &mut options).unwrap();
    assert_eq!(ranking, Some(vec![vec![4], vec![0, 1, 2, 3]]));
    assert_eq!(store.bans().unwrap().len(), 4);
    let (mut asked, mut waited_us) = (0, 0);
    store
        .each_time(|episode, time| {
            assert_eq!(episode, 0, "nobody is asked after the ban");
            asked += time.asked;
            waited_us += time.wall_us;
        })
        .unwrap();
    assert!(asked > 4 && waited_us == 4 * 15_000_000, "{asked} questions, {waited_us} us");
    assert!(!directory.path().join("round-robin").exists(), "the banned are equal");
}

/// By the rules of the original, a turn of three seconds is accepted while the episode has time for it; later
/// turns are lost. In solo play only waiting leads to a ban. Among bots the mean time does, where a lost turn
/// counts with its limit.
#[test]
fn slow_turns_are_taken_until_the_episode_has_waited_enough() {
    for (schedule, others, reason) in
        [(Kind::Alone, "", "at most 120000 ms of waiting"), (Kind::Single, " still", "at most 10 ms")]
    {
        let mut request = request("game17", &format!("sleeper=cmd:sleeper{others}"));
        request.schedule = Some(schedule);
        request.original = true;
        request.deals = Some(40);
        request.set = vec![("size".into(), "6".into()), ("rounds".into(), "12".into())];
        let plan = request.plan().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let bot = Bot { player: Box::new(sleeper(0, 3_000, true, 1)), files: None, cold_files: None };
        let others = others.split_whitespace().map(|_| None);
        let bots = Bots::new(std::iter::once(Some(bot)).chain(others).collect(), "none");
        assert_eq!(go_on(&plan, directory.path(), bots, 1, u64::MAX), RunEnd::Complete);
        let store = RecordStore::open_read_only(directory.path()).unwrap();
        let standings = Standings::compute(&plan, &store, 2).unwrap();
        assert!(banned(&standings).is_some_and(|text| text.contains(reason)), "{:?}", banned(&standings));
        let (mut most_taken, mut waited_us) = (0, 0);
        store
            .each_time(|_, time| {
                most_taken = most_taken.max(time.asked - time.fallbacks);
                waited_us += time.wall_us;
            })
            .unwrap();
        // An episode has time for five turns of three seconds.
        assert_eq!(most_taken, 5, "{schedule:?}");
        assert!(waited_us < 160_000_000, "{waited_us} us");
        let faults = &standings.standings.iter().find(|own| own.name == "sleeper").unwrap().faults;
        assert!(faults.keys().eq(["CUMULATIVE_TIMEOUT"]), "{faults:?}");
    }
}
