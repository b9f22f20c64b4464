//! A run of the laboratory at the server that is played at, in every other part of the time: what tables
//! notice of it.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, sleep, sleep_until};

use crate::http::{self, Answer};
use crate::own::Own;
use crate::plan::Beside;
use crate::report::{BesideUse, Company, ServerUse};
use crate::table::Around;

/// Parts of the time, alone and beside the run in turns: what else the machine does falls on both alike.
const PARTS: u32 = 8;
/// Episodes that a run is asked for: as many as a server plays, so that none ends by itself.
const EPISODES: u64 = 10_000_000;
/// Polling interval for events.
const LOOK: Duration = Duration::from_millis(5);

/// The server's state of a run.
#[derive(Deserialize)]
struct Run {
    id: String,
    stage: String,
    counted: u64,
    playing: u64,
    failure: Option<String>,
}

impl Run {
    fn read(answer: std::io::Result<Answer>) -> Result<Self, String> {
        let answer = answer.map_err(|error| error.to_string())?;
        if !matches!(answer.status, 200 | 202) {
            return Err(format!("the server plays no run (status {}): {}", answer.status, answer.body));
        }
        serde_json::from_str(&answer.body).map_err(|error| format!("expected the state of a run: {error}"))
    }

    fn path(&self) -> String {
        format!("/api/v1/jobs/{}", self.id)
    }

    fn has_ended(&self) -> bool {
        !matches!(self.stage.as_str(), "waiting" | "playing")
    }
}

/// Plays for the plan's duration, in turns without and with the run. Adds the server's processor time to
/// `used`, and returns the use of both.
///
/// # Errors
/// If the server does not play the run.
pub async fn in_turns(
    around: &Around,
    beside: &Beside,
    own: Option<&Own>,
    used: &mut ServerUse,
) -> Result<BesideUse, String> {
    let words = [&beside.game].into_iter().chain(&beside.line_up).map(String::as_str);
    let mut both = BesideUse { run: words.collect::<Vec<_>>().join(" "), ..BesideUse::default() };
    for part in 0..PARTS {
        let (began, before) = (Instant::now(), own.and_then(Own::cpu));
        let took = || Some(own?.cpu()?.saturating_sub(before?));
        let end = began + around.plan.time / PARTS;
        if part % 2 == 0 {
            until(around, end).await;
            used.cpu = sum(used.cpu, took());
            continue;
        }
        around.measured.borrow_mut().company = Company::Beside;
        // Another one each time: what was answered once is not played again.
        let plan = json!({
            "game": beside.game, "line_up": beside.line_up, "episodes": EPISODES, "seed": around.plan.seed.wrapping_add(u64::from(part)),
        });
        let run = Run::read(http::post_json(&around.place, "/api/v1/jobs", &plan).await)?;
        until(around, end).await;
        let stopped = stop(around, &run).await?;
        around.measured.borrow_mut().company = Company::Alone;
        both.played += began.elapsed();
        both.cpu = sum(both.cpu, took());
        both.episodes += stopped.counted.max(stopped.playing);
        if let Some(failure) = stopped.failure {
            return Err(format!("{}: {failure}", both.run));
        }
    }
    Ok(both)
}

/// Stops a run, and waits until nothing of it is played any more.
async fn stop(around: &Around, run: &Run) -> Result<Run, String> {
    let mut state = Run::read(http::delete(&around.place, &run.path()).await)?;
    while !state.has_ended() {
        sleep(LOOK).await;
        state = Run::read(http::get(&around.place, &run.path()).await)?;
    }
    Ok(state)
}

/// Waits until then, and until something was acknowledged meanwhile: on a machine that is slow there is no
/// part without.
async fn until(around: &Around, end: Instant) {
    let acknowledged = || around.measured.borrow().counts.acknowledged;
    let before = acknowledged();
    sleep_until(end).await;
    while acknowledged() == before {
        sleep(LOOK).await;
    }
}

fn sum(all: Option<Duration>, more: Option<Duration>) -> Option<Duration> {
    Some(all.unwrap_or_default() + more?)
}
