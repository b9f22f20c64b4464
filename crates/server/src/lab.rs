//! The routes of the laboratory.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use meeple_core::{AnyEntry, EntryError};
use meeple_lab::report::{plot_csv, plot_svg};
use serde::Deserialize;

use crate::answer::{Answer, App, refusal, shown};
use crate::form::{self, Fields, field};
use crate::hub::Trouble;
use crate::jobs::{Ask, Job, Plan};
use crate::pages::lab as pages;
use crate::pages::{ask, walk};
use crate::work::{Question, Result as Shown, Stage};

pub fn routes() -> Router<App> {
    Router::new()
        .route("/lab", get(|| async { shown(&pages::lab()) }))
        .route("/lab/{game}", get(new_run).post(ask_run))
        .route("/lab/{game}/ask", get(new_questions).post(ask_questions))
        .route("/lab/{game}/walk", get(walk_page).post(walk_on))
        .route("/lab/job/{job}", get(page))
        .route("/lab/job/{job}/part", get(part))
        .route("/lab/job/{job}/stop", post(stop))
        .route("/lab/job/{job}/games", get(games))
        .route("/lab/job/{job}/result.json", get(result))
        .route("/lab/job/{job}/plot/{file}", get(plot))
}

fn game(id: &str) -> Result<&'static dyn AnyEntry, Box<Response>> {
    form::game(id).map_err(|wrong| Box::new(refusal(StatusCode::NOT_FOUND, "No such game", &wrong)))
}

/// A form, or a 404 page if there is no such preset.
fn shown_form(page: Result<maud::Markup, EntryError>) -> Response {
    match page {
        Ok(page) => shown(&page),
        Err(error) => refusal(StatusCode::NOT_FOUND, "No such preset", &error.to_string()),
    }
}

/// The form with an error message.
fn refused_form(page: Result<maud::Markup, EntryError>) -> Response {
    match page {
        Ok(page) => (StatusCode::BAD_REQUEST, Html(page.0)).into_response(),
        Err(error) => refusal(StatusCode::BAD_REQUEST, "No such preset", &error.to_string()),
    }
}

#[derive(Deserialize)]
struct NewQuery {
    preset: Option<String>,
    from: Option<String>,
}

impl NewQuery {
    /// The preset, and the fields to fill the form with.
    async fn read(self, app: &App) -> Result<(Option<String>, Fields), Trouble> {
        let Some(from) = self.from else { return Ok((self.preset, Fields::new())) };
        let Some(job) = app.job(&from).await? else { return Ok((self.preset, Fields::new())) };
        let fields = entered(&job.plan);
        Ok((field(&fields, "preset").map(str::to_owned), fields))
    }
}

async fn new_run(State(app): State<App>, Path(id): Path<String>, Query(query): Query<NewQuery>) -> Answer {
    let entry = match game(&id) {
        Ok(entry) => entry,
        Err(refused) => return Ok(*refused),
    };
    let (preset, fields) = query.read(&app).await?;
    Ok(shown_form(pages::form(entry, preset.as_deref(), &fields, None)))
}

async fn new_questions(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<NewQuery>,
) -> Answer {
    let entry = match game(&id) {
        Ok(entry) => entry,
        Err(refused) => return Ok(*refused),
    };
    let (preset, fields) = query.read(&app).await?;
    Ok(shown_form(ask::form(entry, preset.as_deref(), &fields, None)))
}

/// The form's fields that give this plan.
fn entered(plan: &Plan) -> Fields {
    let text = |name: &str, value: String| (name.to_owned(), value);
    let preset = plan.game.split_once('/').map(|(_, preset)| text("preset", preset.to_owned()));
    let mut fields: Fields = preset.into_iter().collect();
    fields.push(text("episodes", plan.episodes.to_string()));
    fields.push(text("seed", plan.seed.to_string()));
    fields.extend(plan.deals.then(|| text("deals", "on".to_owned())));
    match plan.ask {
        Ask::Run => {
            for seat in 0..form::MAX_SEATS {
                let who = plan.line_up.get(seat).map_or(form::NOBODY, String::as_str);
                fields.push((format!("seat.{seat}"), form::NOBODY.to_owned()));
                if who != form::NOBODY {
                    fields.push((format!("agent.{seat}"), who.to_owned()));
                }
            }
        }
        Ask::Balance { seats } | Ask::Parameters { seats } => {
            fields.push(text("seats", seats.to_string()));
            fields.push(text("others", plan.line_up.join("\n")));
        }
    }
    fields.extend(plan.settings.iter().map(|(name, value)| (format!("set.{name}"), value.clone())));
    fields
}

/// The run or sweep that a form describes.
fn run_of(entry: &dyn AnyEntry, fields: &Fields) -> Result<Plan, String> {
    let plan = Plan {
        game: format!("{}/{}", entry.info().id, form::preset(entry, fields)),
        line_up: form::line_up(fields),
        settings: form::settings(entry, fields)?,
        episodes: form::number(fields, "episodes")?.unwrap_or(10_000),
        seed: form::number(fields, "seed")?.unwrap_or(1),
        deals: field(fields, "deals").is_some(),
        ask: Ask::Run,
    };
    Ok(plan)
}

/// The question that a form asks, and the part of its answer to show first.
fn question_of(entry: &dyn AnyEntry, fields: &Fields) -> Result<(Plan, ask::About), String> {
    let about = field(fields, "about").and_then(ask::About::named).unwrap_or_default();
    let seats =
        form::number(fields, "seats")?.map_or_else(|| ask::usual_seats(entry), |seats| seats as usize);
    let lines = field(fields, "others").unwrap_or("").lines().map(str::trim).filter(|line| !line.is_empty());
    let agents = fields.iter().filter(|(name, _)| name == "agent").map(|(_, agent)| agent.as_str());
    let (asked, usual) = match about {
        ask::About::Rules => (Ask::Parameters { seats }, ask::EPISODES_OF_RULES),
        _ => (Ask::Balance { seats }, ask::EPISODES),
    };
    let plan = Plan {
        game: format!("{}/{}", entry.info().id, form::preset(entry, fields)),
        line_up: agents.chain(lines).map(str::to_owned).collect(),
        settings: form::settings(entry, fields)?,
        episodes: form::number(fields, "episodes")?.unwrap_or(usual),
        seed: form::number(fields, "seed")?.unwrap_or(1),
        deals: false,
        ask: asked,
    };
    plan.check()?;
    Ok((plan, about))
}

/// Starts a plan unless it is done.
async fn begun(app: &App, plan: Plan) -> Result<Result<Arc<Job>, String>, Trouble> {
    // Results of other processes, in the file, are reused.
    Ok(match app.job(&plan.name()).await?.filter(|job| job.seen().0 == Stage::Done) {
        Some(job) => Ok(job),
        None => app.jobs.ask(plan),
    })
}

async fn ask_run(State(app): State<App>, Path(id): Path<String>, Form(fields): Form<Fields>) -> Answer {
    let entry = match game(&id) {
        Ok(entry) => entry,
        Err(refused) => return Ok(*refused),
    };
    let asked = match run_of(entry, &fields) {
        // A walk plays one cell at a time.
        Ok(plan) if field(&fields, "walk").is_some() => match plan.sweep() {
            Ok(_) => return Ok(Redirect::to(&walk::address(entry, &entered(&plan), None)).into_response()),
            Err(wrong) => Err(wrong),
        },
        Ok(plan) => match plan.check() {
            Ok(()) => begun(&app, plan).await?,
            Err(wrong) => Err(wrong),
        },
        Err(wrong) => Err(wrong),
    };
    Ok(match asked {
        Ok(job) => Redirect::to(&format!("/lab/job/{}", job.id)).into_response(),
        Err(wrong) => refused_form(pages::form(entry, field(&fields, "preset"), &fields, Some(&wrong))),
    })
}

async fn ask_questions(State(app): State<App>, Path(id): Path<String>, Form(fields): Form<Fields>) -> Answer {
    let entry = match game(&id) {
        Ok(entry) => entry,
        Err(refused) => return Ok(*refused),
    };
    let asked = match question_of(entry, &fields) {
        Ok((plan, about)) => begun(&app, plan).await?.map(|job| (job, about)),
        Err(wrong) => Err(wrong),
    };
    Ok(match asked {
        Ok((job, about)) => Redirect::to(&format!("/lab/job/{}#{}", job.id, about.anchor())).into_response(),
        Err(wrong) => refused_form(ask::form(entry, field(&fields, "preset"), &fields, Some(&wrong))),
    })
}

/// The current state of a walk: the sweep, the selected cell, and its run as far as it is known.
async fn walk_of(
    app: &App,
    entry: &dyn AnyEntry,
    fields: &Fields,
) -> Result<Result<walk::View, String>, Trouble> {
    // A sweep may have thousands of cells.
    let found = tokio::task::block_in_place(|| {
        let plan = run_of(entry, fields)?;
        let sweep = plan.sweep()?;
        let cell = form::number(fields, "cell")?.unwrap_or(0).min(sweep.cells() as u64 - 1) as usize;
        // Other cells are known while they are in memory.
        let known = (0..sweep.cells()).filter_map(|index| {
            let job = app.jobs.find(&plan.cell(&sweep, index).name())?;
            Some((index, job.seen().2?))
        });
        let visited = known.collect();
        Ok((plan, sweep, cell, visited))
    });
    let (plan, sweep, cell, visited) = match found {
        Ok(found) => found,
        Err(wrong) => return Ok(Err(wrong)),
    };
    let job = app.job(&plan.cell(&sweep, cell).name()).await?;
    Ok(Ok(walk::View { fields: entered(&plan), plan, sweep, cell, job, visited }))
}

async fn walk_page(State(app): State<App>, Path(id): Path<String>, Query(fields): Query<Fields>) -> Answer {
    let entry = match game(&id) {
        Ok(entry) => entry,
        Err(refused) => return Ok(*refused),
    };
    Ok(match walk_of(&app, entry, &fields).await? {
        Ok(view) => shown(&walk::page_of(entry, &view, None)),
        Err(wrong) => refused_form(pages::form(entry, field(&fields, "preset"), &fields, Some(&wrong))),
    })
}

/// Moves to another cell. The previous cell's run stops and keeps its results.
async fn walk_on(State(app): State<App>, Path(id): Path<String>, Form(fields): Form<Fields>) -> Answer {
    let entry = match game(&id) {
        Ok(entry) => entry,
        Err(refused) => return Ok(*refused),
    };
    let mut view = match walk_of(&app, entry, &fields).await? {
        Ok(view) => view,
        Err(wrong) => {
            return Ok(refused_form(pages::form(entry, field(&fields, "preset"), &fields, Some(&wrong))));
        }
    };
    view.cell = view.chosen(&fields);
    let plan = view.plan.cell(&view.sweep, view.cell);
    if let Some(left) = field(&fields, "leave").filter(|left| *left != plan.name())
        && let Some(job) = app.jobs.find(left)
    {
        // Runs that another party started continue.
        drop(job.stop_for_starter());
    }
    let asked = match plan.check() {
        Ok(()) => begun(&app, plan).await?,
        Err(wrong) => Err(wrong),
    };
    Ok(match asked {
        Ok(_) => Redirect::to(&walk::address(entry, &view.fields, Some(view.cell))).into_response(),
        Err(wrong) => {
            (StatusCode::BAD_REQUEST, Html(walk::page_of(entry, &view, Some(&wrong)).0)).into_response()
        }
    })
}

/// Finds a job, or returns a 404 page.
async fn job(app: &App, id: &str) -> Result<Result<Arc<Job>, Box<Response>>, Trouble> {
    let missing = "there is no such run here\nhint: it is played again when its form is sent again";
    let found = app.job(id).await?;
    Ok(found.ok_or_else(|| Box::new(refusal(StatusCode::NOT_FOUND, "No such run", missing))))
}

async fn page(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let walk = |job: &Job| tokio::task::block_in_place(|| walk::address_of(&job.plan, &entered(&job.plan)));
    Ok(job(&app, &id)
        .await?
        .map_or_else(|refused| *refused, |job| shown(&pages::job(&job, walk(&job).as_ref()))))
}

#[derive(Deserialize)]
struct PartQuery {
    seen: Option<u64>,
}

/// Long poll for the changing part of a job's page.
async fn part(State(app): State<App>, Path(id): Path<String>, Query(query): Query<PartQuery>) -> Answer {
    const POLL_TIMEOUT: Duration = Duration::from_secs(10);
    let job = match job(&app, &id).await? {
        Ok(job) => job,
        Err(refused) => return Ok(*refused),
    };
    let (mut changed, mut stop) = (job.subscribe(), app.stop.clone());
    let news = async {
        let newer = changed.wait_for(|version| Some(*version) != query.seen);
        tokio::select! { _ = newer => {}, _ = stop.wait_for(|stop| *stop) => {} }
    };
    // After the time limit the unchanged state is sent.
    drop(tokio::time::timeout(POLL_TIMEOUT, news).await);
    let version = job.version();
    let headers = [("x-version", version.to_string()), ("x-running", job.is_running().to_string())];
    Ok((headers, Html(pages::progress(&job).0)).into_response())
}

async fn stop(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(match job(&app, &id).await? {
        Ok(job) => {
            if let Err(wrong) = job.stop_for_starter() {
                return Ok(refusal(StatusCode::FORBIDDEN, "Forbidden", &wrong));
            }
            Redirect::to(&format!("/lab/job/{id}")).into_response()
        }
        Err(refused) => *refused,
    })
}

/// The list of the first episodes of a run.
async fn games(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(job(&app, &id).await?.map_or_else(|refused| *refused, |job| shown(&pages::games(&job))))
}

/// The last result of a job, or a page that says there is none yet.
async fn counted(app: &App, id: &str) -> Result<Result<Arc<Shown>, Box<Response>>, Trouble> {
    let early = "nothing has been counted yet\nhint: wait a moment";
    Ok(match job(app, id).await? {
        Ok(job) => job.seen().2.ok_or_else(|| Box::new(refusal(StatusCode::NOT_FOUND, "Not yet", early))),
        Err(refused) => Err(refused),
    })
}

async fn result(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(match counted(&app, &id).await? {
        Ok(result) => ([(CONTENT_TYPE, "application/json")], result.json.clone()).into_response(),
        Err(refused) => *refused,
    })
}

async fn plot(State(app): State<App>, Path((id, file)): Path<(String, String)>) -> Answer {
    Ok(match counted(&app, &id).await? {
        Ok(result) => plot_file(&result, &file),
        Err(refused) => *refused,
    })
}

/// A plot of a result, as SVG or CSV.
pub fn plot_file(result: &Shown, file: &str) -> Response {
    let (name, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    match (plot_svg(&result.part, name), ending) {
        (Some(svg), "svg") => ([(CONTENT_TYPE, "image/svg+xml")], svg.to_owned()).into_response(),
        (Some(svg), "csv") => ([(CONTENT_TYPE, "text/csv; charset=utf-8")], plot_csv(svg)).into_response(),
        _ => {
            let missing = "there is no such plot\nhint: the page of the run has links to its plots";
            refusal(StatusCode::NOT_FOUND, "No such plot", missing)
        }
    }
}
