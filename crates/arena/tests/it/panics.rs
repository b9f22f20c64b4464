//! Native agents that panic: the run ends with an error that names episode, seat and agent, and stored
//! episodes stay.

use std::path::Path;
use std::sync::Once;

use meeple_arena::{
    ArenaError, Bot, Bots, RecordStore, ReplayRetention, Request, RunOptions, TournamentPlan, run, shard,
    verify,
};
use meeple_bothost::{
    Bad, BotAnswer, BotReply, BotTurn as Question, End, EpisodeStart, Fault, Legal, Player, Usage,
};
use meeple_core::{Agent, AgentInfo, Defined, NoParams, Turn};
use meeple_games::Registered;
use meeple_lab::{NoProgress, StopFlag};
use meeple_testkit::toys::{Nim, Take};

/// Takes one stick, and panics once in 60 decisions.
struct Brittle;

impl Agent<Nim> for Brittle {
    fn act(&mut self, mut turn: Turn<'_, Nim>) -> Take {
        assert!(turn.rng().unit() > 1.0 / 60.0, "it broke");
        Take(1)
    }
}

/// A plan of Nim, in which `brittle` plays.
fn plan(rival: &str, keep: ReplayRetention) -> TournamentPlan {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let mut nim = Nim::definition();
        nim.agents.push(AgentInfo::new("brittle", "Panics at times.", |_, _: NoParams| Ok(Brittle)));
        meeple_games::register(Registered::new(nim)).unwrap();
    });
    let mut request = Request::new("nim");
    request.add("brittle");
    request.add(rival);
    (request.deals, request.replays, request.resamples) = (Some(1000), Some(keep), 50);
    request.seed = Some(1.into());
    request.plan().unwrap()
}

/// Takes one stick at each question.
struct Modest;

impl Player for Modest {
    fn start(&mut self, _start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        Ok(Usage::default())
    }

    fn renew(&mut self) {}

    fn ask(&mut self, turn: &Question<'_>) -> Result<(), Fault> {
        assert!(matches!(turn.legal, Legal::List(_)), "this game has listed actions");
        Ok(())
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        Ok(Some(BotAnswer { reply: BotReply::Index(0), used: Usage::default() }))
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}
}

fn bots(plan: &TournamentPlan) -> Bots {
    let bot = |own: &meeple_arena::Competitor| {
        let modest = || Bot { player: Box::new(Modest), files: None, cold_files: None };
        own.agent().is_none().then(modest)
    };
    Bots::new(plan.competitors.iter().map(bot).collect(), "none")
}

/// Plays until the panic; returns the error and the number of stored episodes.
fn broken(plan: &TournamentPlan, directory: &Path, threads: usize) -> (ArenaError, u64) {
    let mut store = if directory.join(meeple_arena::DATABASE).exists() {
        RecordStore::open(directory).unwrap()
    } else {
        RecordStore::create(directory, plan, "meeple test").unwrap()
    };
    let (mut progress, stop) = (NoProgress, StopFlag::new());
    let mut options = RunOptions { threads, progress: &mut progress, stop: &stop };
    let error = run(plan, &mut store, &mut bots(plan), &mut options).unwrap_err();
    let stored = store.next();
    store.close().unwrap();
    (error, stored)
}

#[test]
fn a_panic_of_an_agent_ends_the_run_at_its_episode() {
    for (rival, keep) in [
        ("random", ReplayRetention::All),
        ("random", ReplayRetention::None),
        ("modest=cmd:modest", ReplayRetention::All),
    ] {
        let plan = plan(rival, keep);
        let mut messages = Vec::new();
        for threads in [1, 3] {
            let directory = tempfile::tempdir().unwrap();
            // A continued run ends with the same panic, and the record stays valid.
            for _ in 0..2 {
                let (error, stored) = broken(&plan, directory.path(), threads);
                let ArenaError::Panic { episode, group, seed, players, panic } = &error else {
                    panic!("{error:?}")
                };
                assert_eq!((*episode, plan.schedule.pairing(*episode).group), (stored, *group));
                assert_eq!(*seed, plan.schedule.seed_of(*group).bits());
                assert!(players.contains("brittle"), "{players}");
                let (seat, agent) = panic.seat.as_ref().expect("it is known who decided");
                let competitor = plan.schedule.pairing(*episode).seats[seat.index()];
                assert_eq!((agent.to_string().as_str(), competitor), ("brittle", 0));
                assert!(panic.message.contains("it broke"), "{panic}");
                let proof = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
                assert_eq!((proof.episodes, &proof.problems), (stored, &Vec::new()));
                messages.push(error.to_string());
            }
        }
        assert!(messages[0].contains("a panic of the agent 'brittle' at seat "), "{}", messages[0]);
        messages.dedup();
        assert_eq!(messages.len(), 1, "it is the same however it is played");
    }
}

#[test]
fn a_shard_says_it_too() {
    let plan = plan("random", ReplayRetention::None);
    let (mut progress, stop) = (NoProgress, StopFlag::new());
    let mut options = RunOptions { threads: 1, progress: &mut progress, stop: &stop };
    let error = shard::play(&plan, 0..plan.schedule.episodes(), &mut options).unwrap_err();
    assert!(matches!(error, ArenaError::Panic { .. }), "{error}");
}
