//! Runs of the laboratory in the API.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use futures_util::stream;
use tokio::sync::{mpsc, watch};

use crate::api::answers::{Answer, Refusal, json, no, read};
use crate::api::games::setting;
use crate::api::messages::Code;
use crate::app::App;
use crate::jobs::job;
use crate::laboratory::messages::{JobState, NewJob, Stage};
use crate::laboratory::plan::{Ask, Job, Plan};
use crate::trouble::Trouble;

/// The interval of keep-alive comments in event streams.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

pub fn routes() -> Router<App> {
    Router::new()
        .route("/jobs", post(ask))
        .route("/jobs/{job}", get(state).delete(stop))
        .route("/jobs/{job}/result", get(result))
        .route("/jobs/{job}/events", get(events))
}

fn state_of(job: &Job) -> JobState {
    let (stage, playing, result) = job.seen();
    let (stage, failure) = match stage {
        job::Stage::Waiting => (Stage::Waiting, None),
        job::Stage::Playing => (Stage::Playing, None),
        job::Stage::Done => (Stage::Done, None),
        job::Stage::Stopped => (Stage::Stopped, None),
        job::Stage::Failed(wrong) => (Stage::Failed, Some(wrong)),
    };
    JobState {
        id: job.id.clone(),
        stage,
        paused: job.is_paused(),
        failure,
        counted: result.map_or(0, |result| result.episodes),
        playing,
        command: job.plan.command(),
    }
}

async fn ask(State(app): State<App>, body: Bytes) -> Answer {
    let NewJob { game, line_up, settings, episodes, seed, deals } = read(&body)?;
    let (_, game, settings) = setting(&game, settings)?;
    let plan = Plan { game, line_up, settings, episodes, seed, deals, ask: Ask::Run };
    let job = app.begin_run(plan).await?;
    Ok((StatusCode::ACCEPTED, json(&state_of(&job))).into_response())
}

async fn known(app: &App, id: &str) -> Result<Arc<Job>, Refusal> {
    app.job(id).await?.ok_or_else(|| no("run", id))
}

async fn state(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(json(&state_of(&*known(&app, &id).await?)))
}

async fn stop(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let job = known(&app, &id).await?;
    job.stop_for_starter().map_err(Trouble::Forbidden)?;
    Ok((StatusCode::ACCEPTED, json(&state_of(&job))).into_response())
}

async fn result(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let job = known(&app, &id).await?;
    match job.seen().2 {
        Some(result) => Ok(([(CONTENT_TYPE, "application/json")], result.json.clone()).into_response()),
        None => {
            let text = "nothing has been counted yet\nhint: wait a moment";
            Err(Refusal::new(StatusCode::CONFLICT, Code::NotYet, text))
        }
    }
}

/// An open event stream of a run.
struct Following {
    job: Arc<Job>,
    changed: watch::Receiver<u64>,
    stop: watch::Receiver<bool>,
    sent: Option<Stage>,
    /// Delays shutdown until the stream ends.
    _alive: mpsc::Sender<Infallible>,
}

impl Following {
    /// The run's state, at once for the first event and then after the next change. `None` after the final
    /// state or at shutdown.
    async fn next(mut self) -> Option<(JobState, Self)> {
        match self.sent {
            None => {}
            Some(Stage::Waiting | Stage::Playing) => tokio::select! {
                _ = self.changed.changed() => {}
                _ = self.stop.wait_for(|stop| *stop) => return None,
            },
            Some(_) => return None,
        }
        self.changed.mark_unchanged();
        let state = state_of(&self.job);
        self.sent = Some(state.stage);
        Some((state, self))
    }
}

/// The event stream of a run: its current state, then its state after each change until it ends, as JSON.
async fn events(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let job = known(&app, &id).await?;
    let changed = job.subscribe();
    let following = Following { job, changed, stop: app.stop, sent: None, _alive: app.alive };
    let states = stream::unfold(following, |following| async {
        let (state, following) = following.next().await?;
        let text = serde_json::to_string(&state).expect("states are plain data");
        Some((Ok::<_, Infallible>(Event::default().event("state").data(text)), following))
    });
    Ok(Sse::new(states).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}
