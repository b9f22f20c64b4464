//! The routes of the laboratory.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::{get, post};
use meeple_core::AnyEntry;
use meeple_lab::report::{plot_csv, plot_svg};
use serde::Deserialize;

use crate::app::App;
use crate::games::routes::GamePath;
use crate::jobs::job::{JobQuestion, JobResult};
use crate::laboratory::pages::{questions, run, walk};
use crate::laboratory::plan::{Ask, Job, Plan};
use crate::page::form::{self, Fields, field};
use crate::page::frame::shown;
use crate::trouble::{Answer, Trouble, or_show_form, shown_form};

pub fn routes() -> Router<App> {
    Router::new()
        .route("/lab", get(|| async { shown(&run::lab()) }))
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

#[derive(Deserialize)]
struct NewQuery {
    preset: Option<String>,
    from: Option<String>,
}

impl NewQuery {
    /// The preset, and the fields that fill the form.
    async fn read(self, app: &App) -> Result<(Option<String>, Fields), Trouble> {
        let Some(from) = self.from else { return Ok((self.preset, Fields::new())) };
        let Some(job) = app.job(&from).await? else { return Ok((self.preset, Fields::new())) };
        let fields = entered(&job.plan);
        Ok((field(&fields, "preset").map(str::to_owned), fields))
    }
}

async fn new_run(State(app): State<App>, GamePath(entry): GamePath, Query(query): Query<NewQuery>) -> Answer {
    let (preset, fields) = query.read(&app).await?;
    shown_form(run::form(entry, preset.as_deref(), &fields, None))
}

async fn new_questions(
    State(app): State<App>,
    GamePath(entry): GamePath,
    Query(query): Query<NewQuery>,
) -> Answer {
    let (preset, fields) = query.read(&app).await?;
    shown_form(questions::form(entry, preset.as_deref(), &fields, None))
}

/// The form's fields that produce this plan.
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
                let who = plan.line_up.get(seat).map_or(form::SEAT_NOBODY, String::as_str);
                fields.push((format!("seat.{seat}"), form::SEAT_NOBODY.to_owned()));
                if who != form::SEAT_NOBODY {
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

/// The question that a form asks, and the part of its answer that is shown first.
fn question_of(entry: &dyn AnyEntry, fields: &Fields) -> Result<(Plan, questions::DesignQuestion), String> {
    let about = field(fields, "about").and_then(questions::DesignQuestion::named).unwrap_or_default();
    let seats =
        form::number(fields, "seats")?.map_or_else(|| questions::usual_seats(entry), |seats| seats as usize);
    let lines = field(fields, "others").unwrap_or("").lines().map(str::trim).filter(|line| !line.is_empty());
    let agents = fields.iter().filter(|(name, _)| name == "agent").map(|(_, agent)| agent.as_str());
    let (asked, usual) = match about {
        questions::DesignQuestion::Rules => (Ask::Parameters { seats }, questions::EPISODES_OF_RULES),
        _ => (Ask::Balance { seats }, questions::EPISODES),
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
    Ok((plan, about))
}

async fn ask_run(State(app): State<App>, GamePath(entry): GamePath, Form(fields): Form<Fields>) -> Answer {
    let begun = async {
        let plan = run_of(entry, &fields).map_err(Trouble::Setup)?;
        let address = if field(&fields, "walk").is_some() {
            // A walk plays one cell at a time.
            let fields = entered(&plan);
            app.set_up(move |proof| plan.sweep(proof).map(drop)).await?;
            walk::address(entry, &fields, None)
        } else {
            format!("/lab/job/{}", app.begin_run(plan).await?.id)
        };
        Ok(Redirect::to(&address).into_response())
    };
    or_show_form(begun.await, |wrong| run::form(entry, field(&fields, "preset"), &fields, Some(wrong)))
}

async fn ask_questions(
    State(app): State<App>,
    GamePath(entry): GamePath,
    Form(fields): Form<Fields>,
) -> Answer {
    let begun = async {
        let (plan, about) = question_of(entry, &fields).map_err(Trouble::Setup)?;
        let job = app.begin_run(plan).await?;
        Ok(Redirect::to(&format!("/lab/job/{}#{}", job.id, about.anchor())).into_response())
    };
    or_show_form(begun.await, |wrong| questions::form(entry, field(&fields, "preset"), &fields, Some(wrong)))
}

/// The current state of a walk: the sweep, the selected cell with its run, and all known results.
async fn walk_of(app: &App, entry: &dyn AnyEntry, fields: &Fields) -> Result<walk::View, Trouble> {
    let plan = run_of(entry, fields).map_err(Trouble::Setup)?;
    let cell = form::number(fields, "cell").map_err(Trouble::Setup)?.unwrap_or(0);
    let jobs = Arc::clone(&app.jobs);
    let found = app.set_up(move |proof| {
        let sweep = plan.sweep(proof)?;
        let cell = cell.min(sweep.cells() as u64 - 1) as usize;
        // Results of other cells are known while their jobs are in memory.
        let known = (0..sweep.cells()).filter_map(|index| {
            let job = jobs.find(&plan.cell(&sweep, index).name())?;
            Some((index, job.seen().2?))
        });
        let visited = known.collect();
        Ok((plan, sweep, cell, visited))
    });
    let (plan, sweep, cell, visited) = found.await?;
    let job = app.job(&plan.cell(&sweep, cell).name()).await?;
    Ok(walk::View { fields: entered(&plan), plan, sweep, cell, job, visited })
}

async fn walk_page(
    State(app): State<App>,
    GamePath(entry): GamePath,
    Query(fields): Query<Fields>,
) -> Answer {
    let view = walk_of(&app, entry, &fields).await;
    let page = view.map(|view| shown(&walk::page_of(entry, &view, None)));
    or_show_form(page, |wrong| run::form(entry, field(&fields, "preset"), &fields, Some(wrong)))
}

/// Moves to another cell. The previous cell's run stops and keeps its results.
async fn walk_on(State(app): State<App>, GamePath(entry): GamePath, Form(fields): Form<Fields>) -> Answer {
    let mut view = match walk_of(&app, entry, &fields).await {
        Ok(view) => view,
        Err(wrong) => {
            let form = |wrong: &str| run::form(entry, field(&fields, "preset"), &fields, Some(wrong));
            return or_show_form(Err(wrong), form);
        }
    };
    view.cell = view.chosen(&fields);
    let plan = view.plan.cell(&view.sweep, view.cell);
    if let Some(left) = field(&fields, "leave").filter(|left| *left != plan.name())
        && let Some(job) = app.jobs.find(left)
    {
        // A run of another starter continues.
        drop(job.stop_for_starter());
    }
    let begun = app.begin_run(plan).await;
    let next = || Redirect::to(&walk::address(entry, &view.fields, Some(view.cell))).into_response();
    or_show_form(begun.map(|_| next()), |wrong| Ok(walk::page_of(entry, &view, Some(wrong))))
}

async fn job(app: &App, id: &str) -> Result<Arc<Job>, Trouble> {
    let missing = "there is no such run here\nhint: it is played again when its form is sent again";
    app.job(id).await?.ok_or_else(|| Trouble::missing("No such run", missing))
}

async fn page(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let job = job(&app, &id).await?;
    let mut walk = None;
    if job.plan.is_sweep() {
        let swept = Arc::clone(&job);
        let address = move |proof: &_| walk::address_of(&swept.plan, &entered(&swept.plan), proof);
        // A visitor without processor time sees the results, without the link.
        walk = app.set_up(address).await.ok();
    }
    Ok(shown(&run::job(&job, walk.as_ref())))
}

#[derive(Deserialize)]
struct PartQuery {
    seen: Option<u64>,
}

/// Long poll for the changing part of a job's page.
async fn part(State(app): State<App>, Path(id): Path<String>, Query(query): Query<PartQuery>) -> Answer {
    const POLL_TIMEOUT: Duration = Duration::from_secs(10);
    let job = job(&app, &id).await?;
    let (mut changed, mut stop) = (job.subscribe(), app.stop.clone());
    let news = async {
        let newer = changed.wait_for(|version| Some(*version) != query.seen);
        tokio::select! { _ = newer => {}, _ = stop.wait_for(|stop| *stop) => {} }
    };
    // After the time limit the unchanged state is sent.
    drop(tokio::time::timeout(POLL_TIMEOUT, news).await);
    let version = job.version();
    let headers = [("x-version", version.to_string()), ("x-running", job.is_running().to_string())];
    Ok((headers, Html(run::progress(&job).0)).into_response())
}

async fn stop(State(app): State<App>, Path(id): Path<String>) -> Answer {
    job(&app, &id).await?.stop_for_starter().map_err(Trouble::Forbidden)?;
    Ok(Redirect::to(&format!("/lab/job/{id}")).into_response())
}

/// The list of the first episodes of a run.
async fn games(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(shown(&run::games(&*job(&app, &id).await?)))
}

/// The last result of a job.
async fn counted(app: &App, id: &str) -> Result<Arc<JobResult>, Trouble> {
    let early = "nothing has been counted yet\nhint: wait a moment";
    job(app, id).await?.seen().2.ok_or_else(|| Trouble::missing("Not yet", early))
}

async fn result(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(([(CONTENT_TYPE, "application/json")], counted(&app, &id).await?.json.clone()).into_response())
}

async fn plot(State(app): State<App>, Path((id, file)): Path<(String, String)>) -> Answer {
    plot_file(&*counted(&app, &id).await?, &file)
}

/// A plot of a result, as SVG or CSV.
pub fn plot_file(result: &JobResult, file: &str) -> Answer {
    let (name, ending) = file.rsplit_once('.').unwrap_or((file, ""));
    Ok(match (plot_svg(&result.part, name), ending) {
        (Some(svg), "svg") => ([(CONTENT_TYPE, "image/svg+xml")], svg.to_owned()).into_response(),
        (Some(svg), "csv") => ([(CONTENT_TYPE, "text/csv; charset=utf-8")], plot_csv(svg)).into_response(),
        _ => {
            let missing = "there is no such plot\nhint: the page of the run has links to its plots";
            return Err(Trouble::missing("No such plot", missing));
        }
    })
}
