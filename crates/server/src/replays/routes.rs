//! The routes of replays.

use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Form, FromRequest, Multipart, Path, Query, Request, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use meeple_core::{AnyEntry, Replay, ReplayError, Viewer};
use meeple_replay::{PageSurroundings, parse_viewer};
use meeple_scene::{SvgOptions, to_png};
use serde::Deserialize;

use crate::app::App;
use crate::limits::party;
use crate::page::form;
use crate::page::form::{Fields, field};
use crate::page::frame::{refusal, shown};
use crate::replays::recorded::{FILE_BUDGET, MAX_BODY, Permitted, Recorded};
use crate::replays::{moment, pages, recorded};
use crate::tables::cookies::with_keys;
use crate::tables::order::{self, Order};
use crate::trouble::UploadError;
use crate::trouble::{Answer, Trouble};

/// Time limit for receiving an upload.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(30);
/// Allowance for the multipart form around a file, in bytes.
const FORM_BYTES: usize = 4096;

pub fn routes() -> Router<App> {
    let upload_limit = DefaultBodyLimit::max(MAX_BODY + FORM_BYTES);
    Router::new()
        .route("/replays", get(all).post(upload).layer(upload_limit))
        .route("/r/{replay}", get(player))
        .route("/r/{replay}/moments", get(moments))
        .route("/r/{replay}/at/{moment}", get(at))
        .route("/r/{replay}/play", post(play_on))
        .route("/r/{replay}/replay.json", get(as_json))
        .route("/r/{replay}/replay.html", get(as_html))
}

pub fn file(kind: &str, name: &str, content: impl IntoResponse) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    ([(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, disposition)], content).into_response()
}

async fn all(State(app): State<App>) -> Answer {
    listing(&app, None).await
}

async fn listing(app: &App, wrong: Option<&str>) -> Answer {
    let over: Vec<_> = app.hub.listed().await?.into_iter().filter(|table| table.over).collect();
    Ok(shown(&pages::replays(&over, wrong)))
}

/// Accepts an upload: a file in a form, or a bare file as the body.
async fn upload(State(app): State<App>, request: Request) -> Answer {
    let is_form = is_form(&request);
    // Permits bound the number of bodies that arrive, or wait in memory for a thread.
    let Some(_permit) = app.upload_permits.try_take(party::current(), 1) else {
        let busy = "too many replays are being sent just now\nhint: try again in a moment";
        return Ok(refusal(StatusCode::SERVICE_UNAVAILABLE, "Busy", busy));
    };
    let body = tokio::time::timeout(UPLOAD_TIMEOUT, body(request)).await;
    let kept = match body.unwrap_or_else(|_| Err("expected a whole file, found a part of it".to_owned())) {
        Ok(bytes) => app.hub.upload(bytes.into()).await,
        Err(wrong) => Err(Trouble::Setup(wrong)),
    };
    match kept {
        Ok(id) => Ok(Redirect::to(&format!("/r/{id}")).into_response()),
        // Users of the form get the form again, with the error.
        Err(trouble @ (Trouble::Upload(_) | Trouble::Setup(_))) if is_form => {
            let page = listing(&app, Some(&trouble.to_string())).await?;
            Ok((trouble.into_response().status(), page).into_response())
        }
        Err(trouble) => Err(trouble),
    }
}

/// Returns true for a multipart form, as opposed to a bare file.
fn is_form(request: &Request) -> bool {
    request.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"multipart/"))
}

async fn body(request: Request) -> Result<Bytes, String> {
    let too_long = |status: StatusCode, reason: String| match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            format!(
                "expected at most {MAX_BODY} bytes, found more\nhint: a replay can be compressed with gzip"
            )
        }
        _ => format!("expected a file: {reason}"),
    };
    let bytes = if is_form(&request) {
        let mut form = Multipart::from_request(request, &())
            .await
            .map_err(|wrong| too_long(wrong.status(), wrong.body_text()))?;
        let mut found = Bytes::new();
        while let Some(field) =
            form.next_field().await.map_err(|wrong| too_long(wrong.status(), wrong.body_text()))?
        {
            if field.name() == Some("file") {
                found = field.bytes().await.map_err(|wrong| too_long(wrong.status(), wrong.body_text()))?;
            }
        }
        found
    } else {
        Bytes::from_request(request, &())
            .await
            .map_err(|wrong| too_long(wrong.status(), wrong.body_text()))?
    };
    if bytes.is_empty() {
        return Err("expected a file, found none\nhint: choose one first".to_owned());
    }
    Ok(bytes)
}

#[derive(Deserialize)]
struct ReplayQuery {
    r#as: Option<String>,
}

impl ReplayQuery {
    /// The requested view; [`Viewer::Everything`] by default.
    fn viewer(&self, replay: &Replay) -> Result<Viewer, Trouble> {
        let text = self.r#as.as_deref().unwrap_or("all");
        parse_viewer(text, replay.players.len()).map_err(|wrong| Trouble::Setup(format!("as: {wrong}")))
    }
}

fn wrong(error: ReplayError) -> Trouble {
    UploadError::Wrong(error).into()
}

async fn player(State(app): State<App>, Path(id): Path<String>, Query(query): Query<ReplayQuery>) -> Answer {
    let (entry, replay) = match app.recorded(&id).await? {
        Recorded::Ours { entry, replay } => (entry, replay),
        Recorded::Foreign { entry, text } => return foreign(&app, &id, entry, text, 0).await,
    };
    let viewer = query.viewer(&replay)?;
    let made = move || {
        let around = pages::around(&id, entry, &replay.players, viewer);
        let around = PageSurroundings {
            head: &around.head,
            top: &around.top,
            below: &around.below,
            script: Some(&around.script),
            moments: Some(&around.moments),
        };
        recorded::player(entry, &replay, viewer, &around)
    };
    let html = app.hub.apart(made).await?.map_err(wrong)?;
    Ok(Html(html.expect("a portion always fits")).into_response())
}

#[derive(Deserialize)]
struct MomentsQuery {
    r#as: Option<String>,
    from: usize,
}

async fn moments(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<MomentsQuery>,
) -> Answer {
    let Recorded::Ours { entry, replay } = app.recorded(&id).await? else {
        return Err(Trouble::Setup("expected a replay, found a record of another program".to_owned()));
    };
    let MomentsQuery { r#as, from } = query;
    let viewer = ReplayQuery { r#as }.viewer(&replay)?;
    let made = app.hub.apart(move || recorded::moments_from(entry, &replay, viewer, from)).await?;
    Ok(([(CONTENT_TYPE, "application/json")], made.map_err(wrong)?).into_response())
}

/// Width of a moment as PNG, in pixels.
const PNG_WIDTH: u32 = 1600;

/// A moment as a page, or as a drawing if its number ends in `.svg` or `.png`.
async fn at(
    State(app): State<App>,
    Path((id, moment)): Path<(String, String)>,
    Query(query): Query<ReplayQuery>,
) -> Answer {
    let (entry, replay) = match app.recorded(&id).await? {
        Recorded::Ours { entry, replay } => (entry, replay),
        Recorded::Foreign { entry, text } => {
            return foreign(&app, &id, entry, text, moment.parse().unwrap_or(usize::MAX)).await;
        }
    };
    let viewer = query.viewer(&replay)?;
    let (number, ending) = moment.split_once('.').unwrap_or((&moment, ""));
    let wanted = number.parse().ok();
    let name = |at: usize| format!("{}-{id}-{at}.{ending}", entry.info().id);
    let players = replay.players.clone();
    let made = app.hub.apart(move || recorded::moment_of(entry, &replay, viewer, wanted)).await?;
    let (at, last, found) = made.map_err(wrong)?;
    match ending {
        "svg" => return Ok(file("image/svg+xml", &name(at), found.scene.to_svg(&SvgOptions::default()))),
        "png" => {
            let drawn = app.hub.apart(move || to_png(&found.scene, PNG_WIDTH)).await?;
            let drawn = drawn.map_err(|error| Trouble::Setup(error.to_string()))?;
            return Ok(file("image/png", &name(at), drawn));
        }
        _ => {}
    }
    let moment = moment::Shown { info: entry.info(), at, last, found: &found };
    let below = maud::html! {
        @if !found.over {
            h2 { "Play on from here" }
            (pages::play_on(&id, entry, &players, at, viewer))
        }
    };
    let base = format!("/r/{id}");
    Ok(shown(&moment::moment(&moment, &base, &pages::viewer_text(viewer), "To the player", &below)))
}

async fn foreign(
    app: &App,
    id: &str,
    entry: &'static dyn AnyEntry,
    text: Permitted<String>,
    wanted: usize,
) -> Answer {
    let found = app.hub.apart(move || recorded::foreign_moment(entry, &text, wanted)).await?;
    let found = found.map_err(|error| Trouble::Upload(error.into()))?;
    Ok(shown(&pages::foreign(id, entry.info(), &found)))
}

/// Opens a table at a moment of a replay.
async fn play_on(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Answer {
    let setup = |wrong: String| Trouble::Setup(wrong);
    let Recorded::Ours { entry, replay } = app.recorded(&id).await? else {
        return Err(setup("expected a replay, found a record of another program".to_owned()));
    };
    let seats = replay.players.len();
    let viewer = parse_viewer(field(&fields, "as").unwrap_or("all"), seats);
    let viewer = viewer.map_err(|wrong| setup(format!("as: {wrong}")))?;
    let number = |name: &str| form::number(&fields, name).map_err(setup);
    let (at, seat) = (number("at")?.unwrap_or(0) as usize, number("seat")?.unwrap_or(0) as usize);
    if seat >= seats {
        return Err(setup(format!("seat: expected a seat from 0 to {}, found {seat}", seats - 1)));
    }
    let agent = field(&fields, "agent").unwrap_or(order::AS_PLAYED).to_owned();
    let (name, owner) = app.sitter(&headers, None)?;
    let seed = number("seed")?;
    let order = app.hub.apart(move || {
        let (found_at, last, found) =
            recorded::moment_of(entry, &replay, viewer, Some(at)).map_err(|error| error.to_string())?;
        if found.over || found_at != at {
            return Err(format!(
                "at: expected a moment before the end, found {at} of {last}\nhint: go back first"
            ));
        }
        order::play_on(entry, &replay, found.steps, seat, &agent, &name)
    });
    let order = Order { owner, root: seed, ..order.await?.map_err(setup)? };
    let (hosted, keys) = app.hub.play_on(order).await?;
    Ok(with_keys(&hosted, &keys))
}

async fn as_json(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let recorded = app.recorded(&id).await?;
    let (Recorded::Ours { entry, .. } | Recorded::Foreign { entry, .. }) = &recorded;
    let name = format!("{}-{id}.json", entry.info().id);
    Ok(file("application/json", &name, recorded.text()))
}

/// The standalone page that `meeple render` makes, as a download.
async fn as_html(State(app): State<App>, Path(id): Path<String>, Query(query): Query<ReplayQuery>) -> Answer {
    let Recorded::Ours { entry, replay } = app.recorded(&id).await? else {
        return Err(Trouble::Setup("expected a replay, found a record of another program".to_owned()));
    };
    let viewer = query.viewer(&replay)?;
    let made = move || recorded::player(entry, &replay, viewer, &PageSurroundings::default());
    let html = app.hub.apart(made).await?.map_err(wrong)?;
    let too_long = || {
        let most = FILE_BUDGET.bytes >> 20;
        let text = format!(
            "expected a replay whose moments take at most {most} MiB together, found a longer one\n\
             hint: `meeple render` makes the page of the replay's file on a machine of your own"
        );
        Trouble::Setup(text)
    };
    let html = html.ok_or_else(too_long)?;
    Ok(file("text/html; charset=utf-8", &format!("{}-{id}.html", entry.info().id), html))
}
