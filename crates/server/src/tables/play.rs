//! The routes of players: actions, drafts, and their confirmation.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Form, FromRequest, FromRequestParts, Path, Query, Request, State};
use axum::http::header::{CONTENT_TYPE, SET_COOKIE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use meeple_table::Act;
use serde::Deserialize;

use crate::app::App;
use crate::key;
use crate::page::form::{Fields, field};
use crate::page::frame::shown;
use crate::tables::cookies;
use crate::tables::hosted::Hosted;
use crate::tables::hub::{DraftChange, OwnedDraftOrder, OwnedReply};
use crate::tables::pages::composer::composer;
use crate::tables::pages::question::Question;
use crate::tables::pages::table;
use crate::trouble::{Answer, Trouble};

pub fn routes() -> Router<App> {
    Router::new()
        .route("/t/{table}/act", post(act))
        .route("/t/{table}/draft", post(draft))
        .route("/t/{table}/confirm", post(confirm))
        .route("/t/{table}/compose", get(compose))
        .route("/t/{table}/replace", post(replace))
}

#[derive(Deserialize)]
pub struct TableQuery {
    /// The requested view: a seat, or `watch` for the spectator's.
    pub r#as: Option<String>,
    /// Present if advice is requested.
    pub hint: Option<String>,
    /// Present if the client is a program.
    pub data: Option<String>,
    #[serde(rename = "so-far")]
    pub so_far: Option<String>,
}

/// The browser's view. A requested seat that the browser does not control gives the spectator's view. Without
/// a request it is the first of its seats that owes a decision, or its first seat.
pub async fn browser_view(
    app: &App,
    hosted: &Hosted,
    headers: &HeaderMap,
    wanted: Option<&str>,
) -> Result<table::BrowserView, Trouble> {
    let member = app.member(headers);
    let held = cookies::seats(headers, hosted, member.as_ref());
    hosted.presence.hear(&held, app.hub.time().now_ms());
    let seat = match wanted {
        Some(text) => text.parse().ok().filter(|seat| held.contains(seat)),
        None => hosted.asked(&held).await?.or(held.first().copied()),
    };
    let confirm = cookies::confirms(headers, hosted);
    Ok(table::BrowserView { held, seat, confirm })
}

/// The composer alone, as HTML for the page's script or as JSON for programs.
async fn compose(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<TableQuery>,
    headers: HeaderMap,
) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let view = browser_view(&app, &hosted, &headers, query.r#as.as_deref()).await?;
    let seat =
        view.seat.ok_or_else(|| Trouble::Setup("expected a seat, found somebody who watches".into()))?;
    let made = hosted.compose(seat, query.so_far.as_deref().unwrap_or_default()).await;
    Ok(match made {
        Ok((number, composition)) if query.data.is_some() => {
            let composed = serde_json::json!({ "number": number, "composition": composition });
            ([(CONTENT_TYPE, "application/json")], composed.to_string()).into_response()
        }
        Ok((number, composition)) => {
            let steps = hosted.draft_steps(seat).await;
            let question = Question { seat, number, steps: view.confirm.then_some(steps) };
            shown(&composer(&id, question, &composition))
        }
        // Plain text, because the page's script shows it.
        Err(trouble @ Trouble::Refused(_)) => (StatusCode::CONFLICT, trouble.to_string()).into_response(),
        Err(trouble) => return Err(trouble),
    })
}

/// A player's form with its table and its seat, which the browser controls.
pub struct SeatForm {
    pub hosted: Arc<Hosted>,
    pub seat: usize,
    pub fields: Fields,
    headers: HeaderMap,
}

impl FromRequest<App> for SeatForm {
    type Rejection = Response;

    async fn from_request(request: Request, app: &App) -> Result<Self, Response> {
        let (mut parts, body) = request.into_parts();
        let Path(table) =
            Path::<String>::from_request_parts(&mut parts, app).await.map_err(IntoResponse::into_response)?;
        let headers = parts.headers.clone();
        let Form(fields) = Form::<Fields>::from_request(Request::from_parts(parts, body), app)
            .await
            .map_err(IntoResponse::into_response)?;
        let hosted = app.hub.find(&table).await.map_err(IntoResponse::into_response)?;
        let seat = own_seat(app, &hosted, &headers, &fields).map_err(IntoResponse::into_response)?;
        Ok(Self { hosted, seat, fields, headers })
    }
}

async fn act(State(app): State<App>, form: SeatForm) -> Answer {
    let SeatForm { hosted, seat, fields, headers } = form;
    let number = question_number(&fields)?;
    // A pressed button sends an action, possibly an empty one: in some games doing nothing is an action.
    let pressed = fields.iter().find(|(name, _)| name == "action").map(|(_, action)| action.clone());
    let typed = field(&fields, "typed").map(str::to_owned);
    let Some(reply) = typed.or(pressed) else {
        return Err(Trouble::Setup(
            "expected an action, found none\nhint: press a button or type one".to_owned(),
        ));
    };
    let (message, reply) = (key::fresh_name(), OwnedReply::Text(reply));
    // With confirmation, actions become steps of a draft.
    let done = match number_in(&fields, "steps") {
        Some(steps) => {
            let what = DraftChange::Step(reply);
            let order = OwnedDraftOrder { number, steps: steps as usize, id: message, what };
            app.hub.draft(&hosted, seat, order).await
        }
        None => app.hub.act(&hosted, seat, number, message, reply).await,
    };
    answered(&app, &hosted, &headers, seat, done).await
}

/// Changes or commits a draft.
async fn draft(State(app): State<App>, form: SeatForm) -> Answer {
    let SeatForm { hosted, seat, fields, headers } = form;
    let number = question_number(&fields)?;
    let steps = number_in(&fields, "steps")
        .ok_or_else(|| Trouble::Setup("expected how many steps the draft has, found nothing".to_owned()))?;
    let what = match field(&fields, "do") {
        Some("commit") => DraftChange::Commit,
        Some("undo") => DraftChange::Undo,
        Some("drop") => DraftChange::Drop,
        _ => return Err(Trouble::Setup("expected commit, undo or drop, found something else".to_owned())),
    };
    let order = OwnedDraftOrder { number, steps: steps as usize, id: key::fresh_name(), what };
    let done = app.hub.draft(&hosted, seat, order).await;
    answered(&app, &hosted, &headers, seat, done).await
}

/// Seats an agent at an open seat, or in place of an absent player.
async fn replace(State(app): State<App>, form: SeatForm) -> Answer {
    let SeatForm { hosted, seat, fields, .. } = form;
    let absent = number_in(&fields, "absent")
        .ok_or_else(|| Trouble::Setup("expected the seat of somebody who is away, found none".to_owned()))?;
    app.hub.replace(&hosted, absent as usize, field(&fields, "agent")).await?;
    Ok(Redirect::to(&format!("/t/{}?as={seat}", hosted.row.id)).into_response())
}

/// Switches confirmation of turns of several steps on or off, for this browser at this table.
async fn confirm(form: SeatForm) -> Answer {
    let SeatForm { hosted, seat, fields, .. } = form;
    let id = &hosted.row.id;
    let confirms = match field(&fields, "confirm") {
        Some("on") => true,
        Some("off") => false,
        _ => return Err(Trouble::Setup("expected on or off, found something else".to_owned())),
    };
    let mut response = Redirect::to(&format!("/t/{id}?as={seat}")).into_response();
    let cookie = cookies::confirm_cookie(id, confirms);
    let cookie = HeaderValue::from_str(&cookie).expect("names of tables are letters");
    response.headers_mut().append(SET_COOKIE, cookie);
    Ok(response)
}

/// Redirects to the table, or shows it with the reason of a refusal.
async fn answered(
    app: &App,
    hosted: &Hosted,
    headers: &HeaderMap,
    seat: usize,
    done: Result<Act, Trouble>,
) -> Answer {
    match done {
        Ok(_) => Ok(Redirect::to(&format!("/t/{}", hosted.row.id)).into_response()),
        Err(trouble @ Trouble::Refused(_)) => {
            let view = browser_view(app, hosted, headers, Some(&seat.to_string())).await?;
            let now = hosted.shown(view.seat).await?;
            let wrong = trouble.to_string();
            let legend = hosted.legend().await?;
            let page = table::table(
                hosted,
                &now.frame,
                &view,
                table::PageExtras { wrong: Some(&wrong), legend: &legend, ..table::PageExtras::default() },
            );
            Ok((StatusCode::CONFLICT, Html(page.0)).into_response())
        }
        Err(trouble) => Err(trouble),
    }
}

fn number_in(fields: &Fields, name: &str) -> Option<u64> {
    field(fields, name)?.parse().ok()
}

fn question_number(fields: &Fields) -> Result<u64, Trouble> {
    let missing = || Trouble::Setup("expected the question's number, found none".to_owned());
    number_in(fields, "number").ok_or_else(missing)
}

/// The seat that a form names, if the browser controls it.
///
/// # Errors
/// If the form names no seat, or the browser does not control it.
fn own_seat(app: &App, hosted: &Hosted, headers: &HeaderMap, fields: &Fields) -> Result<usize, Trouble> {
    let seat = field(fields, "seat").and_then(|text| text.parse().ok());
    let seat = seat.ok_or_else(|| Trouble::Setup("expected a seat, found none".to_owned()))?;
    if cookies::seats(headers, hosted, app.member(headers).as_ref()).contains(&seat) {
        Ok(seat)
    } else {
        Err(Trouble::Setup(format!(
            "seat {seat} is not yours\nhint: the browser that sat down there plays it"
        )))
    }
}
