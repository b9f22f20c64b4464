//! The routes of competitions.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Form, Path, Query, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Redirect};
use axum::routing::{get, post};
use meeple_arena::schedule::Kind;
use meeple_arena::{RecordStore, Request};
use meeple_core::AnyEntry;
use serde::Deserialize;

use crate::app::App;
use crate::competitions::pages::EPISODES_PER_PAGE;
use crate::competitions::plan::{Competition, Job};
use crate::competitions::store::{CompetitionRow, CompetitionState};
use crate::competitions::{pages, plan};
use crate::games::routes::GamePath;
use crate::jobs::job::{JobQuestion, JobResult, Stage};
use crate::laboratory::routes::plot_file;
use crate::page::form;
use crate::page::form::{Fields, field};
use crate::page::frame::shown;
use crate::replays::routes::file;
use crate::trouble::{Answer, Trouble, or_show_form, shown_form};

pub fn routes() -> Router<App> {
    Router::new()
        .route("/competitions", get(all))
        .route("/competitions/{game}", get(new).post(ask))
        .route("/c/{competition}", get(page))
        .route("/c/{competition}/part", get(part))
        .route("/c/{competition}/stop", post(stop))
        .route("/c/{competition}/go-on", post(go_on))
        .route("/c/{competition}/episodes", get(episodes))
        .route("/c/{competition}/standings.json", get(as_json))
        .route("/c/{competition}/standings.csv", get(as_csv))
        .route("/c/{competition}/plot/{file}", get(plot))
}

/// Resumes the competitions that were running at the last shutdown.
pub fn go_on_with(app: &App, unfinished: Vec<CompetitionRow>) {
    for plan in unfinished.iter().filter_map(own_plan) {
        // Competitions above the limit of jobs resume when their page is visited.
        if app.competitions.start(plan).is_err() {
            break;
        }
    }
}

/// The plan of a stored competition; `None` if another release began it.
fn own_plan(row: &CompetitionRow) -> Option<Competition> {
    Competition::read(&row.plan).ok().filter(|plan| plan.name() == row.id)
}

enum Found {
    /// A competition of this server.
    Own(Arc<Job>),
    /// A directory that the operator shows.
    Opened(Box<pages::View>),
}

impl Found {
    fn view(&self) -> pages::View {
        match self {
            Self::Own(job) => {
                let (stage, done, result) = job.seen();
                let (plan, command) = (job.plan.clone(), job.plan.command());
                let (id, version) = (job.id.clone(), job.version());
                let paused = job.is_paused();
                pages::View { id, plan, command, stage, paused, done, result, version, opened: None }
            }
            Self::Opened(view) => (**view).clone(),
        }
    }
}

async fn find(app: &App, id: &str) -> Result<Option<Found>, Trouble> {
    if let Some(job) = app.competitions.find(id) {
        return Ok(Some(Found::Own(job)));
    }
    if let Some(read) = app.opened_result(id).await? {
        let played = read.result.episodes;
        let whole = played >= read.plan.0.schedule.episodes();
        let stage = match whole {
            true => Stage::Done,
            false if RecordStore::is_played(&read.opened.path) => Stage::Playing,
            false => Stage::Stopped,
        };
        let view = pages::View {
            id: id.to_owned(),
            plan: read.plan.clone(),
            command: read.command.clone(),
            version: 2 * played + u64::from(stage == Stage::Playing),
            stage,
            paused: false,
            done: played,
            result: Some(Arc::clone(&read.result)),
            opened: Some(read.opened.name.to_string()),
        };
        return Ok(Some(Found::Opened(Box::new(view))));
    }
    let Some(row) = app.hub.store.competition(id).await? else { return Ok(None) };
    if row.state == CompetitionState::Playing
        && let Some(plan) = own_plan(&row)
        && let Ok(job) = app.competitions.start(plan)
    {
        return Ok(Some(Found::Own(job)));
    }
    let job = app.hub.idle_competition(row).await?;
    Ok(Some(Found::Own(app.competitions.keep(job))))
}

async fn found(app: &App, id: &str) -> Result<Found, Trouble> {
    let missing = "there is no such competition here\nhint: /competitions lists them";
    find(app, id).await?.ok_or_else(|| Trouble::missing("No such competition", missing))
}

async fn all(State(app): State<App>) -> Answer {
    Ok(shown(&pages::all(&app.hub.store.competitions(50, None).await?, &app.opened())))
}

#[derive(Deserialize)]
struct NewQuery {
    preset: Option<String>,
    from: Option<String>,
}

async fn new(State(app): State<App>, GamePath(entry): GamePath, Query(query): Query<NewQuery>) -> Answer {
    let (mut fields, mut preset) = (Fields::new(), query.preset);
    if let Some(from) = query.from
        && let Some(found) = find(&app, &from).await?
    {
        let plan = found.view().plan;
        preset = plan.0.preset.clone();
        fields = entered(&plan);
    }
    shown_form(pages::form(entry, preset.as_deref(), &fields, None))
}

/// The form's fields that produce this plan.
fn entered(plan: &Competition) -> Fields {
    let schedule = &plan.0.schedule;
    let text = |name: &str, value: String| (name.to_owned(), value);
    let mut fields = vec![
        text("others", plan.words().join("\n")),
        text("schedule", schedule.kind.name().to_owned()),
        text("anchors", plan.anchors().join("\n")),
        text("deals", schedule.deals.to_string()),
        text("seed", schedule.seed.to_string()),
    ];
    if !matches!(schedule.kind, Kind::Single | Kind::Alone) {
        fields.push(text("table", schedule.table.to_string()));
    }
    fields.extend(plan.0.set.iter().map(|(name, value)| (format!("set.{name}"), value.clone())));
    fields
}

fn plan(entry: &dyn AnyEntry, fields: &Fields) -> Result<Competition, String> {
    let mut request = Request::new(format!("{}/{}", entry.info().id, form::preset(entry, fields)));
    let agents = fields.iter().filter(|(name, _)| name == "agent").map(|(_, agent)| agent.as_str());
    let lines =
        |name| field(fields, name).unwrap_or("").lines().map(str::trim).filter(|line| !line.is_empty());
    for word in agents.chain(lines("others")) {
        request.add(word);
    }
    request.set = form::settings(entry, fields)?;
    let kind = field(fields, "schedule").unwrap_or(Kind::RoundRobin.name());
    let known = Kind::ALL.into_iter().find(|known| known.name() == kind);
    let kind = known.ok_or_else(|| {
        let names = Kind::ALL.map(Kind::name).join(", ");
        format!("schedule: expected one of {names}, found '{kind}'")
    })?;
    request.schedule = Some(kind);
    if kind == Kind::Gauntlet {
        request.anchors = lines("anchors").map(str::to_owned).collect();
        if let Some(name) = request.anchors.iter().find(|name| name.contains(',')) {
            return Err(format!(
                "expected a name without a comma for a fixed opponent, found '{name}'\nhint: give it one, as in strong={name}"
            ));
        }
    }
    if !matches!(kind, Kind::Single | Kind::Alone) {
        let small = |table| {
            u16::try_from(table).map_err(|_| format!("table: expected a smaller number, found {table}"))
        };
        request.table = form::number(fields, "table")?.map(small).transpose()?;
    }
    request.deals = form::number(fields, "deals")?;
    let seed = field(fields, "seed").unwrap_or("1");
    request.seed = Some(seed.parse().map_err(|error| format!("seed: {error}"))?);
    plan::plan(&request)
}

async fn ask(State(app): State<App>, GamePath(entry): GamePath, Form(fields): Form<Fields>) -> Answer {
    let entered = fields.clone();
    let begun = match app.set_up(move |_| plan(entry, &entered)).await {
        Ok(plan) => begin(&app, plan).await,
        Err(wrong) => Err(wrong),
    };
    let page = begun.map(|id| Redirect::to(&format!("/c/{id}")).into_response());
    or_show_form(page, |wrong| pages::form(entry, field(&fields, "preset"), &fields, Some(wrong)))
}

/// Starts a competition unless it is running or done, and returns its identifier.
async fn begin(app: &App, plan: Competition) -> Result<String, Trouble> {
    let id = plan.name();
    if let Some(found) = find(app, &id).await?
        && !matches!(found.view().stage, Stage::Stopped | Stage::Failed(_))
    {
        return Ok(id);
    }
    app.hub.begin_competition(&plan).await?;
    match app.competitions.start(plan) {
        Ok(_) => Ok(id),
        Err(trouble) => {
            // No job runs it, so it is stored as stopped.
            app.hub.stop_competition(&id).await?;
            Err(trouble)
        }
    }
}

async fn page(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(shown(&pages::page(&found(&app, &id).await?.view())))
}

#[derive(Deserialize)]
struct PartQuery {
    seen: Option<u64>,
}

/// Long poll for the changing part of the page. It responds on news, after a time limit, or at shutdown.
async fn part(State(app): State<App>, Path(id): Path<String>, Query(query): Query<PartQuery>) -> Answer {
    const MAX_WAIT: Duration = Duration::from_secs(10);
    let mut found = found(&app, &id).await?;
    let mut stop = app.stop.clone();
    let news = async {
        match &mut found {
            Found::Own(job) => {
                let mut changed = job.subscribe();
                drop(changed.wait_for(|version| Some(*version) != query.seen).await);
            }
            Found::Opened(view) => next_opened(&app, view, query.seen).await?,
        }
        Ok::<_, Trouble>(())
    };
    tokio::select! {
        news = news => news?,
        // After the time limit the unchanged state is sent.
        () = tokio::time::sleep(MAX_WAIT) => {}
        _ = stop.wait_for(|stop| *stop) => {}
    }
    let view = found.view();
    let headers = [("x-version", view.version.to_string()), ("x-running", view.is_running().to_string())];
    Ok((headers, Html(pages::progress(&view).0)).into_response())
}

/// Polls a tournament that another process plays, until its state changes.
async fn next_opened(app: &App, view: &mut pages::View, seen: Option<u64>) -> Result<(), Trouble> {
    const PAUSE: Duration = Duration::from_millis(250);
    while view.is_running() && Some(view.version) == seen {
        tokio::time::sleep(PAUSE).await;
        match find(app, &view.id).await? {
            Some(Found::Opened(now)) => *view = *now,
            _ => break,
        }
    }
    Ok(())
}

async fn stop(State(app): State<App>, Path(id): Path<String>) -> Answer {
    if let Found::Own(job) = found(&app, &id).await?
        && job.is_running()
    {
        job.stop_for_starter().map_err(Trouble::Forbidden)?;
        app.hub.stop_competition(&id).await?;
    }
    Ok(Redirect::to(&format!("/c/{id}")).into_response())
}

/// Resumes a stopped competition.
async fn go_on(State(app): State<App>, Path(id): Path<String>) -> Answer {
    if let Found::Own(job) = found(&app, &id).await?
        && job.plan.name() == id
    {
        begin(&app, job.plan.clone()).await?;
    }
    Ok(Redirect::to(&format!("/c/{id}")).into_response())
}

#[derive(Deserialize)]
struct EpisodesQuery {
    from: Option<u64>,
}

/// The list of episodes with links to their replays.
async fn episodes(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<EpisodesQuery>,
) -> Answer {
    let view = found(&app, &id).await?.view();
    let played = view.result.as_ref().map_or(0, |result| result.episodes);
    let from = query.from.unwrap_or(0).min(played.saturating_sub(1)) / EPISODES_PER_PAGE * EPISODES_PER_PAGE;
    let rows = app.episodes(&id, from..(from + EPISODES_PER_PAGE).min(played)).await?;
    Ok(shown(&pages::episodes(&view, from, played, &rows)))
}

async fn results(app: &App, id: &str) -> Result<Arc<JobResult>, Trouble> {
    let waiting = "nothing has been played yet\nhint: wait a moment";
    found(app, id).await?.view().result.ok_or_else(|| Trouble::missing("Not yet", waiting))
}

async fn as_json(State(app): State<App>, Path(id): Path<String>) -> Answer {
    Ok(([(CONTENT_TYPE, "application/json")], results(&app, &id).await?.json.clone()).into_response())
}

async fn as_csv(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let csv = results(&app, &id).await?.csv.clone();
    Ok(file("text/csv; charset=utf-8", &format!("standings-{id}.csv"), csv))
}

async fn plot(State(app): State<App>, Path((id, name)): Path<(String, String)>) -> Answer {
    plot_file(&*results(&app, &id).await?, &name)
}
