//! Competitions: records in the database file, and directories that the operator shows.

use std::sync::Arc;

use meeple_arena::shard::TournamentShard;
use meeple_arena::{ArenaError, PlayedEpisode};
use meeple_core::Replay;
use meeple_games::find_game;

use crate::app::App;
use crate::competitions::directories::{DirectoryResult, TournamentDirectory};
use crate::competitions::plan;
use crate::competitions::plan::{Competition, Job, Piece, Records};
use crate::competitions::store::{CompetitionRow, CompetitionState, CompetitionWrite};
use crate::jobs::job::{JobQuestion, JobResult, Stage};
use crate::laboratory::plan::Plan;
use crate::replays::recorded::{Permitted, Recorded};
use crate::store::StoreError;
use crate::tables::hub::Hub;
use crate::time::now;
use crate::trouble::Trouble;

/// Upper bound on all records together, in bytes.
const MAX_BYTES: u64 = 256 << 20;

fn unreadable(error: &dyn std::fmt::Display) -> Trouble {
    Trouble::Setup(error.to_string())
}

impl App {
    pub fn opened(&self) -> Vec<TournamentDirectory> {
        self.directories.opened()
    }

    /// The result of a directory. A cached one is reused while it is current.
    pub async fn opened_result(&self, id: &str) -> Result<Option<Arc<DirectoryResult>>, Trouble> {
        let Some(opened) = self.directories.find(id) else { return Ok(None) };
        let known = || self.directories.result(id).filter(|known| known.is_current());
        if let Some(known) = known() {
            return Ok(Some(known));
        }
        let _reading = self.directories.reading.lock().await;
        if let Some(known) = known() {
            return Ok(Some(known));
        }
        let read = self.hub.apart(move || opened.read()).await?.map_err(|error| unreadable(&error))?;
        let read = Arc::new(read);
        self.directories.keep_result(id, &read);
        Ok(Some(read))
    }

    /// The results of a range of episodes, in order, from the database file or a directory.
    pub async fn episodes(
        &self,
        id: &str,
        episodes: std::ops::Range<u64>,
    ) -> Result<Vec<PlayedEpisode>, Trouble> {
        if let Some(opened) = self.directories.find(id) {
            let read = self.hub.apart(move || {
                let mut rows = Vec::new();
                let record = meeple_arena::RecordStore::open_read_only(&opened.path)?;
                record.each_of(episodes, &mut |row| rows.push(row))?;
                Ok::<_, ArenaError>(rows)
            });
            return read.await?.map_err(|error| unreadable(&error));
        }
        let pieces = self.hub.store.pieces(id, episodes.clone()).await?;
        let read = self.hub.apart(move || {
            let mut rows = Vec::new();
            for piece in pieces {
                let shard: TournamentShard = serde_json::from_str(&piece.shard)?;
                let wanted = shard.rows().iter().filter(|row| episodes.contains(&row.pairing.index));
                rows.extend(wanted.map(|row| row.played.clone()));
            }
            Ok::<_, serde_json::Error>(rows)
        });
        let damaged = |error: serde_json::Error| StoreError::Damaged {
            table: id.to_owned(),
            reason: error.to_string(),
        };
        Ok(read.await?.map_err(damaged)?)
    }

    /// The replay of an episode of a laboratory run, which is played again unless it is cached.
    pub async fn episode_of_run(&self, name: &str, plan: &Plan, index: &str) -> Result<Recorded, Trouble> {
        if let Some(replay) = self.directories.replay(name) {
            return recorded(&replay);
        }
        let index: u64 = index.parse().map_err(|_| Trouble::NoReplay(name.to_owned()))?;
        let plan = plan.clone();
        let replay = Arc::new(self.set_up(move |proof| plan.replay(index, proof)).await?);
        self.directories.keep_replay(name, &replay);
        recorded(&replay)
    }

    /// The replay of an episode of a competition.
    pub async fn episode(&self, name: &str) -> Result<Recorded, Trouble> {
        let unknown = || Trouble::NoReplay(name.to_owned());
        if let Some(replay) = self.directories.replay(name) {
            return recorded(&replay);
        }
        let (id, index) = name.split_once('.').ok_or_else(unknown)?;
        let index: u64 = index.parse().map_err(|_| unknown())?;
        let [row] = &self.episodes(id, index..index.saturating_add(1)).await?[..] else {
            return Err(unknown());
        };
        let row = row.clone();
        let made = match self.directories.find(id) {
            Some(opened) => {
                let read = move || {
                    let wrong = |error: ArenaError| error.to_string();
                    let mut record =
                        meeple_arena::RecordStore::open_read_only(&opened.path).map_err(wrong)?;
                    match record.replay(index).map_err(wrong)? {
                        Some(replay) => Ok(replay),
                        None => plan::replay(&record.plan().map_err(wrong)?, &row),
                    }
                };
                self.hub.apart(read).await?
            }
            None => {
                let stored = self.hub.store.competition(id).await?.ok_or_else(unknown)?;
                self.hub
                    .apart(move || {
                        let plan = Competition::read(&stored.plan).map_err(|error| error.to_string())?;
                        plan::replay(&plan.0, &row)
                    })
                    .await?
            }
        };
        let replay = Arc::new(made.map_err(Trouble::Setup)?);
        self.directories.keep_replay(name, &replay);
        recorded(&replay)
    }
}

impl Hub {
    pub async fn begin_competition(&self, plan: &Competition) -> Result<(), Trouble> {
        let found = self.store.competition_bytes().await?;
        if found > MAX_BYTES {
            return Err(Trouble::Setup(format!(
                "expected at most {MAX_BYTES} bytes of competitions, found {found}\nhint: the command line has no such limit: {}",
                plan.command()
            )));
        }
        let (id, plan) = (plan.name(), plan.0.to_text());
        let write = CompetitionWrite::Begin { id, plan, created: now() };
        self.note(vec![write]).await
    }

    /// Marks a competition as stopped by a user.
    pub async fn stop_competition(&self, id: &str) -> Result<(), Trouble> {
        let write = CompetitionWrite::end(id, CompetitionState::Stopped, None);
        self.note(vec![write]).await
    }

    /// A stored competition that is not running, with its result.
    pub async fn idle_competition(&self, row: CompetitionRow) -> Result<Job, Trouble> {
        let damaged = |reason: String| StoreError::Damaged { table: row.id.clone(), reason };
        let plan = Competition::read(&row.plan).map_err(|error| damaged(error.to_string()))?;
        if let Some(result) = row.result {
            return Ok(Job::idle(plan, Stage::Done, Some(result)).named(&row.id));
        }
        let pieces = self.store.pieces(&row.id, 0..u64::MAX >> 1).await?;
        let is_ours = plan.name() == row.id;
        let id = row.id.clone();
        let computed = self.apart(move || {
            if pieces.is_empty() {
                return Ok((plan, None));
            }
            let result = plan.record(&pieces).and_then(|record| plan.result(&id, &record, 1))?;
            Ok((plan, Some(result)))
        });
        let (plan, result) = computed.await?.map_err(damaged)?;
        let stage = if is_ours { Stage::Stopped } else { Stage::Failed(OTHER_RELEASE.to_owned()) };
        Ok(Job::idle(plan, stage, result).named(&row.id))
    }
}

const OTHER_RELEASE: &str = "expected a competition of this release of meeple, found one that another has begun: agents may play \
     otherwise now\nhint: below is what was played; set it up again to have it played whole";

fn recorded(replay: &Arc<Replay>) -> Result<Recorded, Trouble> {
    let entry = find_game(&replay.game).map_err(|error| unreadable(&error))?;
    Ok(Recorded::Ours { entry, replay: Permitted::new(Replay::clone(replay), None) })
}

impl Records for Hub {
    fn keep_piece(&self, piece: Piece) -> Result<(), String> {
        self.store.write_and_wait(vec![CompetitionWrite::piece(&piece)])
    }

    fn pieces(&self, competition: &str) -> Result<Vec<Piece>, String> {
        self.store.all_pieces(competition).map_err(|error| error.to_string())
    }

    fn end(&self, competition: &str, result: Option<&JobResult>) {
        let state = if result.is_some() { CompetitionState::Done } else { CompetitionState::Stopped };
        let write = CompetitionWrite::end(competition, state, result);
        // If this write fails, the missing part is played or computed again.
        drop(self.store.write_and_wait(vec![write]));
    }
}
