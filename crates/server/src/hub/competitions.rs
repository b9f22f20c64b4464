//! Competitions: records in the file, and directories that the operator shows.

use std::sync::Arc;

use meeple_arena::shard::Shard;
use meeple_arena::{ArenaError, Played};
use meeple_core::Replay;
use meeple_games::find_game;

use super::{Hub, Trouble, now};
use crate::competition::{self, Competition, Job, Piece, Records};
use crate::jobs::Plan;
use crate::opened::{Opened, OpenedResult};
use crate::recorded::{Held, Recorded};
use crate::store::{Competing, CompetitionRow, CompetitionWrite, StoreError, Write};
use crate::work::{Question, Result as Shown, Stage};

/// Upper bound on all records together, in bytes.
const MAX_BYTES: u64 = 256 << 20;
pub fn episode_name(competition: &str, index: u64) -> String {
    format!("{competition}.{index}")
}

fn unreadable(error: &dyn std::fmt::Display) -> Trouble {
    Trouble::Setup(error.to_string())
}

impl Hub {
    pub fn opened(&self) -> Vec<Opened> {
        self.competitions.opened()
    }

    /// The result of such a directory, cached while it is current.
    pub async fn opened_result(&self, id: &str) -> Result<Option<Arc<OpenedResult>>, Trouble> {
        let Some(opened) = self.competitions.find(id) else { return Ok(None) };
        let known = || self.competitions.result(id).filter(|known| known.is_current());
        if let Some(known) = known() {
            return Ok(Some(known));
        }
        let _reading = self.competitions.reading.lock().await;
        if let Some(known) = known() {
            return Ok(Some(known));
        }
        let read = self.apart(move || opened.read()).await?.map_err(|error| unreadable(&error))?;
        let read = Arc::new(read);
        self.competitions.keep_result(id, &read);
        Ok(Some(read))
    }

    /// The last competitions, newest first.
    pub async fn last_competitions(&self) -> Result<Vec<CompetitionRow>, Trouble> {
        Ok(self.store.competitions(50, None).await?)
    }

    /// The competitions that were running at the last shutdown, oldest first.
    pub async fn unfinished_competitions(&self) -> Result<Vec<CompetitionRow>, StoreError> {
        self.store.competitions(usize::MAX >> 1, Some(Competing::Playing)).await
    }

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
        self.store.write(vec![Write::Competition(write)]).await.map_err(Trouble::Unstored)
    }

    /// Marks a competition as stopped by a user.
    pub async fn stop_competition(&self, id: &str) -> Result<(), Trouble> {
        let write = CompetitionWrite::end(id, Competing::Stopped, None);
        self.store.write(vec![Write::Competition(write)]).await.map_err(Trouble::Unstored)
    }

    pub async fn stored_competition(&self, id: &str) -> Result<Option<CompetitionRow>, Trouble> {
        Ok(self.store.competition(id).await?)
    }

    /// A stored competition that is not running, with its result.
    pub async fn rest_of_competition(&self, row: CompetitionRow) -> Result<Job, Trouble> {
        let damaged = |reason: String| StoreError::Damaged { table: row.id.clone(), reason };
        let plan = Competition::read(&row.plan).map_err(|error| damaged(error.to_string()))?;
        if let Some(result) = row.result {
            return Ok(Job::at(plan, Stage::Done, Some(result)).named(&row.id));
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
        Ok(Job::at(plan, stage, result).named(&row.id))
    }

    /// The results of a range of episodes, in order, from the file or a directory.
    pub async fn episodes(&self, id: &str, episodes: std::ops::Range<u64>) -> Result<Vec<Played>, Trouble> {
        if let Some(opened) = self.competitions.find(id) {
            let read = self.apart(move || {
                let mut rows = Vec::new();
                let record = meeple_arena::Store::open_read_only(&opened.path)?;
                record.each_of(episodes, &mut |row| rows.push(row))?;
                Ok::<_, ArenaError>(rows)
            });
            return read.await?.map_err(|error| unreadable(&error));
        }
        let pieces = self.store.pieces(id, episodes.clone()).await?;
        let read = self.apart(move || {
            let mut rows = Vec::new();
            for piece in pieces {
                let shard: Shard = serde_json::from_str(&piece.shard)?;
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

    /// The replay of an episode of a laboratory run, played again.
    pub async fn episode_of_run(&self, name: &str, plan: &Plan, index: &str) -> Result<Recorded, Trouble> {
        if let Some(replay) = self.competitions.replay(name) {
            return recorded(&replay);
        }
        let index: u64 = index.parse().map_err(|_| Trouble::NoReplay(name.to_owned()))?;
        let plan = plan.clone();
        let replay = Arc::new(self.apart(move || plan.replay(index)).await?.map_err(Trouble::Setup)?);
        self.competitions.keep_replay(name, &replay);
        recorded(&replay)
    }

    /// The replay of an episode of a competition.
    pub(super) async fn episode(&self, name: &str) -> Result<Recorded, Trouble> {
        let unknown = || Trouble::NoReplay(name.to_owned());
        if let Some(replay) = self.competitions.replay(name) {
            return recorded(&replay);
        }
        let (id, index) = name.split_once('.').ok_or_else(unknown)?;
        let index: u64 = index.parse().map_err(|_| unknown())?;
        let [row] = &self.episodes(id, index..index.saturating_add(1)).await?[..] else {
            return Err(unknown());
        };
        let row = row.clone();
        let made = match self.competitions.find(id) {
            Some(opened) => {
                let read = move || {
                    let wrong = |error: ArenaError| error.to_string();
                    let mut record = meeple_arena::Store::open_read_only(&opened.path).map_err(wrong)?;
                    match record.replay(index).map_err(wrong)? {
                        Some(replay) => Ok(replay),
                        None => competition::replay(&record.plan().map_err(wrong)?, &row),
                    }
                };
                self.apart(read).await?
            }
            None => {
                let stored = self.store.competition(id).await?.ok_or_else(unknown)?;
                self.apart(move || {
                    let plan = Competition::read(&stored.plan).map_err(|error| error.to_string())?;
                    competition::replay(&plan.0, &row)
                })
                .await?
            }
        };
        let replay = Arc::new(made.map_err(Trouble::Setup)?);
        self.competitions.keep_replay(name, &replay);
        recorded(&replay)
    }
}

const OTHER_RELEASE: &str = "expected a competition of this release of meeple, found one that another has begun: agents may play \
     otherwise now\nhint: below is what was played; set it up again to have it played whole";

fn recorded(replay: &Arc<Replay>) -> Result<Recorded, Trouble> {
    let entry = find_game(&replay.game).map_err(|error| unreadable(&error))?;
    Ok(Recorded::Ours { entry, replay: Held::new(Replay::clone(replay), None) })
}

impl Records for Hub {
    fn keep_piece(&self, piece: Piece) -> Result<(), String> {
        self.store.write_and_wait(vec![Write::Competition(CompetitionWrite::piece(&piece))])
    }

    fn pieces(&self, competition: &str) -> Result<Vec<Piece>, String> {
        self.store.all_pieces(competition).map_err(|error| error.to_string())
    }

    fn end(&self, competition: &str, result: Option<&Shown>) {
        let state = if result.is_some() { Competing::Done } else { Competing::Stopped };
        let write = CompetitionWrite::end(competition, state, result);
        // If this write fails, the missing part is played or computed again.
        drop(self.store.write_and_wait(vec![Write::Competition(write)]));
    }
}
