//! No process of a bot gets two episodes of one deal, in any kind of run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use meeple_arena::schedule::{Kind, Schedule};
use meeple_arena::{
    Bot, Bots, Compare, DATABASE, RecordStore, Request, RunEnd, RunOptions, SprtMatch, TournamentPlan,
    ranking, run, verify,
};
use meeple_bothost::{Bad, BotAnswer, BotTurn, End, EpisodeStart, Fault, FaultCode, Player, Usage, bot_seed};
use meeple_core::Seat;
use meeple_lab::{NoProgress, StopFlag};

use crate::{LastAction, go_on, play, request};

/// Log of the bots' deals, in order.
type Shown = Arc<Mutex<Vec<Noted>>>;

/// Competitor, life, and the seed that identifies the deal and its seat; `None` at the end of the life.
type Noted = (usize, u64, Option<u64>);

static LIVES: AtomicU64 = AtomicU64::new(0);

/// A player that logs the deals seen in each of its lives. A life corresponds to a process: it ends when the
/// player is renewed, or with a fault that ends a process.
struct Spy {
    competitor: usize,
    life: u64,
    shown: Shown,
    /// Divisor of the bot seeds in whose episodes the player fails; 0 for never.
    fails: u64,
    /// True if a failure ends the life.
    dies: bool,
    episode: u64,
    last: LastAction,
}

fn new_life() -> u64 {
    LIVES.fetch_add(1, Ordering::Relaxed)
}

impl Spy {
    fn end_life(&self) {
        self.shown.lock().unwrap().push((self.competitor, self.life, None));
    }
}

impl Drop for Spy {
    fn drop(&mut self) {
        self.end_life();
    }
}

impl Player for Spy {
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        self.episode = start.seed;
        self.shown.lock().unwrap().push((self.competitor, self.life, Some(start.seed)));
        Ok(Usage::default())
    }

    fn renew(&mut self) {
        self.end_life();
        self.life = new_life();
    }

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        if self.fails > 0 && self.episode.is_multiple_of(self.fails) {
            let fault = Fault::new(FaultCode::Crash, "it ended");
            if self.dies {
                self.renew();
            }
            return Err(if self.dies { fault.fatal() } else { fault });
        }
        // Some episodes are slower, so that parallel ones overtake them.
        if self.episode.is_multiple_of(3) {
            std::thread::yield_now();
        }
        self.last = LastAction::of(&turn.legal);
        Ok(())
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        let used = Usage { cpu_us: Some(5), wall_us: 9 };
        Ok(Some(BotAnswer { reply: self.last.reply(), used }))
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}
}

/// Sets of spies for the bots of a plan; all spies log to `shown`.
fn spies(plan: &TournamentPlan, jobs: usize, fails: u64, dies: bool, shown: &Shown) -> Bots {
    let set = || {
        let spy = |(competitor, own): (usize, &meeple_arena::Competitor)| {
            own.agent().is_none().then(|| Bot {
                player: Box::new(Spy {
                    competitor,
                    life: new_life(),
                    shown: Arc::clone(shown),
                    fails,
                    dies,
                    episode: 0,
                    last: LastAction::default(),
                }),
                files: None,
                cold_files: None,
            })
        };
        Bots::new(plan.competitors.iter().enumerate().map(spy).collect(), "none")
    };
    let mut bots = set();
    for _ in 1..jobs {
        bots.join(set()).unwrap();
    }
    bots
}

/// The deal of every seed that a bot of this schedule may be given.
fn deals(schedule: &Schedule, seats: usize) -> BTreeMap<u64, u64> {
    let mut deals = BTreeMap::new();
    for group in 0..schedule.groups() {
        for seat in 0..seats {
            deals.insert(bot_seed(schedule.seed_of(group), Seat::new(seat)), group);
        }
    }
    deals
}

/// Asserts that no life saw a deal twice; returns the number of lives by competitor.
fn no_life_saw_a_deal_twice(shown: &Shown, deals: &BTreeMap<u64, u64>, what: &str) -> BTreeMap<usize, usize> {
    let mut lives: BTreeMap<(usize, u64), BTreeSet<u64>> = BTreeMap::new();
    for (competitor, life, seed) in shown.lock().unwrap().iter() {
        let Some(seed) = seed else { continue };
        let deal = deals.get(seed).unwrap_or_else(|| panic!("{what}: a seed of no deal"));
        let first = lives.entry((*competitor, *life)).or_default().insert(*deal);
        assert!(first, "{what}: a process of competitor {competitor} was shown deal {deal} twice");
    }
    let mut counts = BTreeMap::new();
    for (competitor, _) in lives.keys() {
        *counts.entry(*competitor).or_default() += 1;
    }
    counts
}

/// Asserts that no bot is alive that knows the current deal from another episode: players at the table could
/// ask it.
fn nobody_could_tell(shown: &Shown, schedule: &Schedule, what: &str) {
    // Deal and episode by competitor and bot seed. Repeated episodes have the same seed.
    let mut episodes = BTreeMap::new();
    for pairing in (0..schedule.episodes()).map(|index| schedule.pairing(index)) {
        for (seat, competitor) in pairing.seats.iter().enumerate() {
            let seed = bot_seed(schedule.seed_of(pairing.group), Seat::new(seat));
            episodes.insert((usize::from(*competitor), seed), (pairing.group, pairing.index));
        }
    }
    // Deals and episodes that each life knows, until its end.
    let mut lives: BTreeMap<(usize, u64), BTreeSet<(u64, u64)>> = BTreeMap::new();
    for (competitor, life, seed) in shown.lock().unwrap().iter() {
        let own = (*competitor, *life);
        let Some(seed) = seed else {
            lives.remove(&own);
            continue;
        };
        let (deal, episode) = episodes[&(*competitor, *seed)];
        for (other, known) in lives.iter().filter(|(other, _)| **other != own) {
            let knows = known.iter().find(|(known, of)| {
                // A player at the same table is no help; another process of the same competitor is.
                *known == deal && (*of != episode || other.0 == *competitor)
            });
            assert_eq!(
                knows, None,
                "{what}: {other:?} could tell {own:?} of deal {deal} in episode {episode}"
            );
        }
        lives.entry(own).or_default().insert((deal, episode));
    }
}

/// A plan with bots (`#`) and agents.
fn plan(game: &str, words: &str, change: impl FnOnce(&mut Request)) -> TournamentPlan {
    let mut request = request(game, "");
    for word in words.split_whitespace() {
        request.add(&match word.strip_prefix('#') {
            Some(name) => format!("{name}=cmd:{name}"),
            None => word.to_owned(),
        });
    }
    request.set = match game {
        "game17" => vec![("size".into(), "4".into()), ("rounds".into(), "4".into())],
        _ => vec![("rounds".into(), "1".into())],
    };
    change(&mut request);
    crate::plan_with_rotations(request)
}

/// Checks for every schedule that no process sees a deal twice, and that no live bot could leak a deal.
/// Covers one and several processes per bot, planned and stopped runs, and all orders of the schedule. Also
/// covers bots that fail, are banned or die, which repeats episodes.
#[test]
fn no_process_sees_a_deal_twice() {
    for (kind, words, table) in [
        (Kind::Single, "#a turn:3 #b", 3),
        (Kind::RoundRobin, "#a #b #c turn:3", 2),
        (Kind::BattleRoyale, "#a #b #c #d turn:3", 3),
        (Kind::Gauntlet, "#a #b turn:3 turn:4", 3),
        (Kind::Alone, "#a #b", 1),
    ] {
        let game = if kind == Kind::Alone { "game17" } else { "incan-gold" };
        let usual = plan(game, words, |request| {
            request.schedule = Some(kind);
            request.table = Some(table);
            request.deals = Some(if kind == Kind::Single { 12 } else { 6 });
            request.anchors = match kind {
                Kind::Gauntlet => vec!["turn:3".into(), "turn:4".into()],
                _ => Vec::new(),
            };
            request.ban.faulted_episodes = Some(9);
            request.limits.restarts = 3;
        });
        // Blocks smaller than planned, and the worst order there is: one rotation of a deal after the other.
        for block in [usual.schedule.block, 4, 1] {
            let mut plan = usual.clone();
            plan.schedule.block = block;
            // Competitors share deals in records of earlier releases.
            plan.schedule.own_deals &= block != 4;
            for (jobs, fails, dies, stops) in [
                (1, 0, false, &[][..]),
                (1, 2, true, &[1, 5, 9]),
                (2, 2, false, &[]),
                (3, 2, false, &[3, 11]),
            ] {
                let shown = Shown::default();
                let directory = tempfile::tempdir().unwrap();
                let bots = || spies(&plan, jobs, fails, dies, &shown);
                for stop_at in stops {
                    go_on(&plan, directory.path(), bots(), 1, *stop_at);
                }
                assert_eq!(go_on(&plan, directory.path(), bots(), 1, u64::MAX), RunEnd::Complete);
                let what = format!("{kind:?}, blocks of {block}, {jobs} jobs, stops at {stops:?}");
                let deals = deals(&plan.schedule, usize::from(table));
                let lives = no_life_saw_a_deal_twice(&shown, &deals, &what);
                nobody_could_tell(&shown, &plan.schedule, &what);
                let episodes = |competitor: usize| {
                    let shown = shown.lock().unwrap();
                    shown.iter().filter(|(own, _, seed)| *own == competitor && seed.is_some()).count()
                };
                if fails == 0 {
                    // Every rotation but a block's first takes a new life, and no more than that.
                    let groups = plan.schedule.groups();
                    let blocks = groups.div_ceil(plan.schedule.block.min(groups));
                    let most = 1 + blocks * (plan.schedule.group_episodes() - 1);
                    for (competitor, lives) in &lives {
                        assert!(*lives as u64 <= most, "{what}: {lives} lives, {most} needed");
                        assert!(*lives <= episodes(*competitor), "{what}");
                    }
                }
                if block == usual.schedule.block && jobs == 3 {
                    play(&plan, directory.path(), Bots::none(), 1, u64::MAX);
                    let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
                    assert!(found.is_proved(), "{what}: {found:?}");
                }
            }
        }
    }
}

/// Bots restart once per rotation, not per deal: a match of 100 deals at three seats takes each bot three
/// processes, not three hundred.
#[test]
fn a_match_of_a_hundred_deals_takes_three_processes() {
    let plan = plan("incan-gold", "#a turn:3 #b", |request| {
        request.schedule = Some(Kind::Single);
        request.deals = Some(100);
    });
    let (shown, directory) = (Shown::default(), tempfile::tempdir().unwrap());
    play(&plan, directory.path(), spies(&plan, 1, 0, false, &shown), 1, u64::MAX);
    let lives = no_life_saw_a_deal_twice(&shown, &deals(&plan.schedule, 3), "the usual match");
    assert_eq!(lives, BTreeMap::from([(0, 3), (2, 3)]));
}

/// A sequential test stops at the end of a block, with complete groups, also in parallel and after a stop.
#[test]
fn a_sequential_test_ends_with_whole_groups() {
    let plan = plan("incan-gold", "#a random:0.9", |request| {
        request.set = vec![("rounds".into(), "2".into())];
        request.schedule = Some(Kind::Single);
        request.deals = Some(5000);
        request.sprt = Some(SprtMatch { low: -0.2, high: 0.2, alpha: 0.05, beta: 0.05, by: Compare::Place });
    });
    assert_eq!(plan.schedule.block, 24, "what the test looks at first is whole after one block");
    // The same deals one after the other give the same verdict after as many groups.
    let mut by_deal = plan.clone();
    by_deal.schedule.block = 1;
    let mut found = Vec::new();
    for (plan, jobs, stops) in
        [(&by_deal, 1, &[][..]), (&plan, 1, &[]), (&plan, 2, &[30, 49]), (&plan, 3, &[])]
    {
        let (shown, directory) = (Shown::default(), tempfile::tempdir().unwrap());
        let bots = || spies(plan, jobs, 0, false, &shown);
        for stop_at in stops {
            let (end, standings) = play(plan, directory.path(), bots(), 1, *stop_at);
            assert_eq!(end, RunEnd::Stopped);
            assert!(standings.partial_groups > 0, "{stop_at}");
        }
        let (end, standings) = play(plan, directory.path(), bots(), 1, u64::MAX);
        let RunEnd::Decided(_) = end else { panic!("{end:?}") };
        no_life_saw_a_deal_twice(&shown, &deals(&plan.schedule, 2), "a sequential test");
        let sprt = standings.sprt.clone().unwrap();
        let block = plan.schedule.block;
        assert_eq!(standings.partial_groups, 0);
        assert_eq!(
            standings.deal_groups,
            sprt.groups.next_multiple_of(block),
            "no block is begun for nothing"
        );
        assert_eq!(standings.episodes, 2 * standings.deal_groups);
        let proved = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
        assert!(proved.is_proved() && proved.complete, "{proved:?}");
        // A decided test plays nothing more when it is continued.
        let (end, same) = play(plan, directory.path(), bots(), 1, u64::MAX);
        assert_eq!((end, same.episodes), (RunEnd::Decided(sprt.verdict), standings.episodes));
        found.push(sprt);
    }
    assert!(found.iter().all(|sprt| *sprt == found[0]), "{found:?}");
}

/// By the rules of the original, tied competitors play a tie-break tournament with deals of its own.
#[test]
fn splitting_equals_fresh_deals() {
    let plan = plan("game17", "#a #b #c", |request| {
        request.schedule = Some(Kind::Single);
        request.original = true;
        request.deals = Some(3);
    });
    let (shown, directory) = (Shown::default(), tempfile::tempdir().unwrap());
    let mut bots = spies(&plan, 1, 0, false, &shown);
    let mut store = RecordStore::create(directory.path(), &plan, "meeple test").unwrap();
    let (mut progress, flag) = (NoProgress, StopFlag::new());
    let mut options = RunOptions { threads: 1, progress: &mut progress, stop: &flag };
    run(&plan, &mut store, &mut bots, &mut options).unwrap();
    ranking::finish(&plan, &mut store, &mut bots, Some(directory.path()), &mut options).unwrap();
    let of = |path: &Path| deals(&RecordStore::open_read_only(path).unwrap().plan().unwrap().schedule, 16);
    let mut all = deals(&plan.schedule, 16);
    let folder = directory.path().join("round-robin");
    assert!(folder.join(DATABASE).exists(), "three who never move are equal");
    let own = of(&folder);
    let (first, games) = (all.len() as u64, own.len());
    all.extend(own.into_iter().map(|(seed, deal)| (seed, first + deal)));
    assert_eq!(all.len() as u64, first + games as u64, "no deal of the one is a deal of the other");
    let lives = no_life_saw_a_deal_twice(&shown, &all, "split");
    assert!(shown.lock().unwrap().len() > 9, "they have split: {lives:?}");
    assert!(lives.values().all(|lives| *lives == 1), "nothing made them start again: {lives:?}");
}

/// The order of episodes in a record changes no computed number: the same episodes in blocks, and deal by
/// deal.
#[test]
fn the_order_of_episodes_changes_no_standings() {
    let mut request = request("incan-gold", "turn:7 backpack:20 random:0.2 never");
    request.table = Some(3);
    request.deals = Some(9);
    let plan = request.plan().unwrap();
    let mut expected = None;
    for block in [1, 7, 1000] {
        let mut plan = plan.clone();
        plan.schedule.block = block;
        let directory = tempfile::tempdir().unwrap();
        let (_, mut standings) = play(&plan, directory.path(), Bots::none(), 2, u64::MAX);
        assert_eq!((standings.deal_groups, standings.partial_groups), (36, 0));
        standings.plan_hash.clear();
        assert_eq!(standings.to_json(), *expected.get_or_insert(standings.to_json()), "blocks of {block}");
    }
}
