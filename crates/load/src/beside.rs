//! A laboratory run on the tested server in every other part of the time, to measure its effect on tables.

use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use tokio::time::{Instant, sleep, sleep_until};

use crate::http::{self, HttpResponse};
use crate::own::Own;
use crate::plan::Beside;
use crate::report::{BesideUse, Company, ServerUse};
use crate::table::LoadContext;

/// Number of parts of the time, alternately without and with the run, so that other load of the machine
/// affects both.
const PARTS: u32 = 8;
/// Requested episodes: the server's maximum, so that no run ends by itself.
const EPISODES: u64 = 10_000_000;
/// Polling interval for acknowledgements and for the state of a run.
const LOOK: Duration = Duration::from_millis(5);
/// Longest wait for an acknowledgement or for the end of a run.
const MAX_WAIT: Duration = Duration::from_secs(60);

#[derive(Deserialize)]
struct Run {
    id: String,
    stage: String,
    counted: u64,
    playing: u64,
    failure: Option<String>,
}

impl Run {
    fn read(answer: std::io::Result<HttpResponse>) -> Result<Self, String> {
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

/// Plays for the plan's duration, in parts without and with the run. Adds the server's processor time of the
/// parts without the run to `used`, and returns the use of the parts with it.
pub async fn in_turns(
    around: &LoadContext,
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
            until(around, end).await?;
            used.cpu = sum(used.cpu, took());
            continue;
        }
        around.measured.borrow_mut().company = Company::Beside;
        // Each part has another seed, because the server does not play an answered question again.
        let plan = json!({
            "game": beside.game, "line_up": beside.line_up, "episodes": EPISODES, "seed": around.plan.seed.wrapping_add(u64::from(part)),
        });
        let run = Run::read(http::post_json(&around.place, "/api/v1/jobs", &plan).await)?;
        until(around, end).await?;
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

/// Stops a run, and waits until it has ended.
async fn stop(around: &LoadContext, run: &Run) -> Result<Run, String> {
    let mut state = Run::read(http::delete(&around.place, &run.path()).await)?;
    let end = Instant::now() + MAX_WAIT;
    while !state.has_ended() {
        if Instant::now() > end {
            return Err(format!(
                "expected the run to stop within {} s, found it {}",
                MAX_WAIT.as_secs(),
                state.stage
            ));
        }
        sleep(LOOK).await;
        state = Run::read(http::get(&around.place, &run.path()).await)?;
    }
    Ok(state)
}

/// Waits until `end`, and then until an answer has been acknowledged since the call, so that no part is
/// empty.
async fn until(around: &LoadContext, end: Instant) -> Result<(), String> {
    let acknowledged = || around.measured.borrow().counts.acknowledged;
    let before = acknowledged();
    sleep_until(end).await;
    while acknowledged() == before {
        if Instant::now() > end + MAX_WAIT {
            return Err(format!(
                "expected the server to acknowledge an answer within {} s, found none",
                MAX_WAIT.as_secs()
            ));
        }
        sleep(LOOK).await;
    }
    Ok(())
}

fn sum(all: Option<Duration>, more: Option<Duration>) -> Option<Duration> {
    Some(all.unwrap_or_default() + more?)
}
