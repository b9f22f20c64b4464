//! Competitions: tournaments of agents that are started from a page.
//!
//! A competition is a plan of the arena. Its record consists of pieces: consecutive shards of the plan. Each
//! piece is on disk before any part of it is shown. The merged pieces equal the record of an uninterrupted
//! run byte for byte, even after stops and crashes.

use std::ops::Range;
use std::sync::Weak;
use std::time::{Duration, Instant};

use meeple_arena::report::{csv, plots, report_part};
use meeple_arena::schedule::Kind;
use meeple_arena::shard::{self, TournamentShard};
use meeple_arena::{
    ArenaError, CompetitorKind, CompetitorTimes, PlayedEpisode, RecordStore, Request, RunEnd, RunOptions,
    Standings, TournamentPlan,
};

use crate::jobs::job;
use crate::jobs::job::{JobQuestion, JobResult, Stage, Step};
use crate::limits::effort;
use crate::members::names::ChosenName;

/// Upper bound on competitors.
pub const MAX_COMPETITORS: usize = 32;
/// Upper bound on episodes.
pub const MAX_EPISODES: u64 = 100_000;
/// Upper bound on the processor time of a competition, over all threads.
pub const MAX_TIME: Duration = Duration::from_secs(30 * 60);
/// Target duration of a piece. It bounds the wait of other jobs and the loss if the process is killed.
const PIECE_DURATION: Duration = Duration::from_millis(1000);
/// Upper bound on episodes of a piece. A look-up of one episode reads the whole piece.
const MAX_PIECE_EPISODES: u64 = 4096;
/// Upper bound on a piece's growth, as a factor of the previous piece's episodes.
const GROWTH: u64 = 8;
/// Playing time between two computations of the standings, as a multiple of the last computation's time.
const STANDINGS_SHARE: u32 = 4;

#[derive(Clone, PartialEq, Debug)]
pub struct Competition(pub TournamentPlan);

pub type Job = job::Job<Competition>;
pub type Jobs = job::Jobs<Competition>;

/// Consecutive episodes, as stored.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The competition's identifier.
    pub competition: String,
    pub episodes: Range<u64>,
    /// A [`TournamentShard`] as JSON.
    pub shard: String,
    /// Processor time over all threads.
    pub took: Duration,
}

/// The store of records. Calls block until the work is done.
pub trait Records: Send + Sync {
    fn keep_piece(&self, piece: Piece) -> Result<(), String>;

    /// The stored pieces of a competition, in order.
    fn pieces(&self, competition: &str) -> Result<Vec<Piece>, String>;

    fn end(&self, competition: &str, result: Option<&JobResult>);
}

/// Validates a request and returns its plan. Visitors may not name bots or files.
pub fn plan(request: &Request) -> Result<Competition, String> {
    let words = || request.competitors.iter().map(|(_, run)| run.as_str());
    // Programs are refused before anything looks for their files.
    if let Some(bot) = words().find(|word| meeple_arena::kind_of(word) == CompetitorKind::Bot) {
        return Err(format!(
            "expected agents, found the program '{bot}'\nhint: programs compete on the command line: meeple tournament"
        ));
    }
    let texts = words().chain(request.set.iter().map(|(_, value)| value.as_str()));
    if let Some(text) = texts.into_iter().find(|text| text.contains('@')) {
        return Err(format!("expected agents and values, found '{text}'\nhint: files cannot be named here"));
    }
    let game = meeple_games::parse_game(&request.game).map_err(|error| error.to_string())?;
    effort::check_agents(game.entry, words())?;
    if request.competitors.len() > MAX_COMPETITORS {
        return Err(format!(
            "expected at most {MAX_COMPETITORS} competitors, found {}\nhint: the command line has no such limit: meeple tournament",
            request.competitors.len()
        ));
    }
    let plan = Competition(request.plan().map_err(|error| error.to_string())?);
    for name in request.competitors.iter().filter_map(|(name, _)| name.as_deref()) {
        check_name(name)?;
    }
    let episodes = plan.0.schedule.episodes();
    if episodes > MAX_EPISODES {
        return Err(format!(
            "expected at most {MAX_EPISODES} episodes, found {episodes}\nhint: fewer deals; or on the command line: {}",
            plan.command()
        ));
    }
    Ok(plan)
}

/// Checks that a competitor's name has plain letters of one alphabet. The arena refuses hidden letters.
fn check_name(name: &str) -> Result<(), String> {
    let plain = ChosenName::any(name, usize::MAX).map_err(|wrong| format!("competitor '{name}': {wrong}"))?;
    if plain.as_str() != name.split_whitespace().collect::<Vec<_>>().join(" ") {
        return Err(format!(
            "expected a competitor's name in plain letters, found '{name}'\nhint: write it as {}",
            plain.as_str()
        ));
    }
    Ok(())
}

impl Competition {
    pub fn read(text: &str) -> serde_json::Result<Self> {
        Ok(Self(serde_json::from_str(text)?))
    }

    pub fn game(&self) -> String {
        match &self.0.preset {
            Some(preset) => format!("{}/{preset}", self.0.game),
            None => self.0.game.clone(),
        }
    }

    pub fn words(&self) -> Vec<String> {
        let word = |own: &meeple_arena::Competitor| {
            let usual = own.agent().is_some_and(|agent| agent.to_string() == own.name);
            if usual { own.run.clone() } else { format!("{}={}", own.name, own.run) }
        };
        self.0.competitors.iter().map(word).collect()
    }

    /// The names of a gauntlet's fixed opponents.
    pub fn anchors(&self) -> Vec<&str> {
        let name = |index: &u16| self.0.competitors[usize::from(*index)].name.as_str();
        self.0.schedule.anchors.iter().map(name).collect()
    }

    /// The equivalent command line.
    pub fn command(&self) -> String {
        let schedule = &self.0.schedule;
        let mut words = vec!["meeple".to_owned(), "tournament".to_owned(), self.game()];
        words.extend(self.words());
        words.extend(["--schedule".to_owned(), schedule.kind.name().to_owned()]);
        if !matches!(schedule.kind, Kind::Single | Kind::Alone) {
            words.extend(["--table".to_owned(), schedule.table.to_string()]);
        }
        if schedule.kind == Kind::Gauntlet {
            words.extend(["--anchors".to_owned(), self.anchors().join(",")]);
        }
        words.extend(["-n".to_owned(), schedule.deals.to_string()]);
        words.extend(["--seed".to_owned(), schedule.seed.to_string()]);
        words.extend(
            self.0.set.iter().flat_map(|(name, value)| ["--set".to_owned(), format!("{name}={value}")]),
        );
        job::command(&words)
    }

    /// Merges pieces into a record in memory.
    ///
    /// # Errors
    /// If the pieces are unreadable or not consecutive.
    pub fn record(&self, pieces: &[Piece]) -> Result<RecordStore, String> {
        let plan = &self.0;
        let mut record = RecordStore::in_memory(plan, &self.command()).map_err(|error| error.to_string())?;
        for piece in pieces {
            let shard: TournamentShard =
                serde_json::from_str(&piece.shard).map_err(|error| error.to_string())?;
            shard::merge(plan, &mut record, [shard]).map_err(|error| error.to_string())?;
        }
        Ok(record)
    }

    /// Computes the result of a record with this number of threads. `id` is the identifier in addresses.
    pub fn result(&self, id: &str, record: &RecordStore, threads: usize) -> Result<JobResult, String> {
        result(id, &self.0, record, &self.command(), threads).map_err(|error| error.to_string())
    }
}

/// Computes the result of a record. `id` is the identifier in addresses.
pub fn result(
    id: &str,
    plan: &TournamentPlan,
    record: &RecordStore,
    command: &str,
    threads: usize,
) -> Result<JobResult, ArenaError> {
    let standings = Standings::compute(plan, record, threads)?;
    let times = CompetitorTimes::compute(plan, record)?;
    let plots = plots(&standings, &times)?;
    Ok(JobResult {
        episodes: standings.episodes,
        part: report_part(&standings, &times, &plots, command, &format!("/c/{id}/plot/")),
        json: standings.to_json(),
        csv: csv(&standings),
        ..JobResult::default()
    })
}

pub struct Course {
    record: RecordStore,
    /// Approximate number of episodes of the next piece.
    next: u64,
    /// Processor time of all pieces, over all threads.
    took: Duration,
    /// Playing time since the last computation of the standings.
    since: Duration,
    /// Time that the last computation of the standings took.
    standings: Duration,
}

impl JobQuestion for Competition {
    type Course = Course;
    type Host = Weak<dyn Records>;

    fn name(&self) -> String {
        job::name_of(&self.0.to_text())
    }

    fn begin(job: &Job, host: &Self::Host) -> Result<Course, String> {
        let host = host.upgrade().ok_or("the server ends")?;
        let pieces = host.pieces(&job.id)?;
        let record = job.plan.record(&pieces)?;
        let took = pieces.iter().map(|piece| piece.took).sum();
        Ok(Course { record, next: 1, took, since: Duration::ZERO, standings: Duration::ZERO })
    }

    fn step(job: &Job, course: &mut Course, host: &Self::Host, threads: usize) -> Step {
        match piece(job, course, host, threads) {
            Ok(step) => step,
            Err(wrong) => {
                Step::Ended(Stage::Failed(wrong), job.plan.result(&job.id, &course.record, threads).ok())
            }
        }
    }

    fn ended(job: &Job, stage: &Stage, result: Option<&JobResult>, host: &Self::Host) {
        if let Some(host) = host.upgrade() {
            match stage {
                Stage::Done => host.end(&job.id, result),
                Stage::Failed(_) => host.end(&job.id, None),
                // A user's stop is stored by its request. A shutdown is not stored, so the competition
                // continues.
                _ => {}
            }
        }
    }
}

/// Plays the next piece.
fn piece(job: &Job, course: &mut Course, host: &Weak<dyn Records>, threads: usize) -> Result<Step, String> {
    let (plan, first) = (&job.plan.0, course.record.next());
    let result = |record: &RecordStore| job.plan.result(&job.id, record, threads);
    let all = plan.schedule.episodes();
    if first >= all {
        return Ok(Step::Ended(Stage::Done, Some(result(&course.record)?)));
    }
    if course.took >= MAX_TIME {
        return Err(format!(
            "expected a competition of at most {} minutes of a processor's time, found a longer one\nhint: below is what was \
             played; the command line has no such limit: {}",
            MAX_TIME.as_secs() / 60,
            job.plan.command()
        ));
    }
    let last = plan.schedule.block_of((first + course.next - 1).min(all - 1)).end;
    let mut watch = job.watch(first);
    let mut options = RunOptions { threads, progress: &mut watch, stop: &job.stop };
    let began = Instant::now();
    let shard = shard::play(plan, first..last, &mut options).map_err(|error| error.to_string())?;
    let (episodes, took) = (shard.episodes(), began.elapsed());
    if !episodes.is_empty() {
        let spent = took * threads as u32;
        let text = serde_json::to_string(&shard).expect("a shard is plain data");
        let piece =
            Piece { competition: job.id.clone(), episodes: episodes.clone(), shard: text, took: spent };
        host.upgrade().ok_or("the server ends")?.keep_piece(piece)?;
        let end = shard::merge(plan, &mut course.record, [shard]).map_err(|error| error.to_string())?;
        course.took += spent;
        course.since += took;
        if end == RunEnd::Complete {
            return Ok(Step::Ended(Stage::Done, Some(result(&course.record)?)));
        }
    }
    if job.stop.is_stopped() {
        let shown = course.record.next();
        let news = (shown > 0 && !job.has_shown(shown)).then(|| result(&course.record)).transpose()?;
        return Ok(Step::Ended(Stage::Stopped, news));
    }
    if course.since >= course.standings * STANDINGS_SHARE {
        let began = Instant::now();
        job.show(Stage::Playing, Some(result(&course.record)?));
        (course.standings, course.since) = (began.elapsed(), Duration::ZERO);
    }
    let played = episodes.end - episodes.start;
    let fits = (played as u128 * PIECE_DURATION.as_micros() / took.as_micros().max(1)) as u64;
    course.next = fits.clamp(1, (played * GROWTH).min(MAX_PIECE_EPISODES));
    Ok(Step::More)
}

/// Replays a recorded episode.
///
/// # Errors
/// If the result differs from the record, because another release played it.
pub fn replay(plan: &TournamentPlan, recorded: &PlayedEpisode) -> Result<meeple_core::Replay, String> {
    let again = meeple_arena::play_again(plan, recorded.pairing.index).map_err(|error| error.to_string())?;
    if again.played != *recorded {
        return Err(
            "this episode comes out otherwise than it is recorded\nhint: another release of meeple has played it".into()
        );
    }
    again.replay.ok_or_else(|| "a bug in meeple: an episode without a replay".to_owned())
}

/// Reads the current state of a competition from a directory of the arena.
pub fn opened(id: &str, directory: &std::path::Path) -> Result<(Competition, String, JobResult), ArenaError> {
    let record = RecordStore::open_read_only(directory)?;
    let (plan, command) = (record.plan()?, record.command()?);
    let result = result(id, &plan, &record, &command, 1)?;
    Ok((Competition(plan), command, result))
}
