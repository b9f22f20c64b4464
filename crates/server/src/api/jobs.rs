//! Runs of the laboratory.

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

use super::answers::{Answer, Refusal, json, no, read};
use super::messages::{Code, JobState, NewJob, Stage};
use super::tables::setting;
use crate::answer::App;
use crate::jobs::{Ask, Job, Plan};
use crate::work::{self, Question};

/// The interval of keep-alive comments in event streams.
const KEEP_ALIVE: Duration = Duration::from_secs(10);

pub fn routes() -> Router<App> {
    Router::new()
        .route("/jobs", post(ask))
        .route("/jobs/{job}", get(state).delete(stop))
        .route("/jobs/{job}/result", get(result))
        .route("/jobs/{job}/events", get(events))
}

fn told(job: &Job) -> JobState {
    let (stage, playing, result) = job.seen();
    let (stage, failure) = match stage {
        work::Stage::Waiting => (Stage::Waiting, None),
        work::Stage::Playing => (Stage::Playing, None),
        work::Stage::Done => (Stage::Done, None),
        work::Stage::Stopped => (Stage::Stopped, None),
        work::Stage::Failed(wrong) => (Stage::Failed, Some(wrong)),
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
    plan.check().map_err(|wrong| Refusal::wrong(&wrong))?;
    let job = match app.job(&plan.name()).await?.filter(|job| job.seen().0 == work::Stage::Done) {
        Some(job) => job,
        None => {
            let full = |wrong: String| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, Code::TooMany, &wrong);
            app.jobs.ask(plan).map_err(full)?
        }
    };
    Ok((StatusCode::ACCEPTED, json(&told(&job))).into_response())
}

async fn known(app: &App, id: &str) -> Result<Arc<Job>, Refusal> {
    app.job(id).await?.ok_or_else(|| no("run", id))
}

async fn state(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(json(&told(&*known(&app, &id).await?)))
}

async fn stop(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let job = known(&app, &id).await?;
    let foreign = |wrong: String| Refusal::new(StatusCode::FORBIDDEN, Code::NotYours, &wrong);
    job.stop_for_starter().map_err(foreign)?;
    Ok((StatusCode::ACCEPTED, json(&told(&job))).into_response())
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
    told: Option<Stage>,
    /// Delays shutdown until the stream ends.
    _alive: mpsc::Sender<Infallible>,
}

impl Following {
    /// The next state, or `None` after the final one or at shutdown.
    async fn next(mut self) -> Option<(JobState, Self)> {
        match self.told {
            None => {}
            Some(Stage::Waiting | Stage::Playing) => tokio::select! {
                _ = self.changed.changed() => {}
                _ = self.stop.wait_for(|stop| *stop) => return None,
            },
            Some(_) => return None,
        }
        self.changed.mark_unchanged();
        let state = told(&self.job);
        self.told = Some(state.stage);
        Some((state, self))
    }
}

/// The event stream of a run: one event per change until it ends, each with the text of its state.
async fn events(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let job = known(&app, &id).await?;
    let changed = job.subscribe();
    let following = Following { job, changed, stop: app.stop, told: None, _alive: app.alive };
    let states = stream::unfold(following, |following| async {
        let (state, following) = following.next().await?;
        let text = serde_json::to_string(&state).expect("states are plain data");
        Some((Ok::<_, Infallible>(Event::default().event("state").data(text)), following))
    });
    Ok(Sse::new(states).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}
