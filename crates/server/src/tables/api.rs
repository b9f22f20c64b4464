//! Tables in the API.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::header::{ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use meeple_table::{Frame, Holder};
use serde::Deserialize;

use crate::api::answers::{Answer, Refusal, bearer, json, json_text, no, read, read_or_default};
use crate::api::games::setting;
use crate::api::messages::{Code, Named};
use crate::app::App;
use crate::tables::hosted::Hosted;
use crate::tables::hub::OwnedReply;
use crate::tables::messages::{
    Act, Ending, Join, Leave, LogLine, NewTable, OpenedTable, Part, Question, Rematch, SeatKey, SeatLine,
    Sitter, TableFrame, TableLine, Tables, Taken,
};
use crate::tables::order::Order;
use crate::tables::store::Listed;
use crate::tables::wire::SeatTime;
use crate::trouble::Trouble;

pub fn routes() -> Router<App> {
    Router::new()
        .route("/tables", get(list).post(open))
        .route("/tables/{table}/frame", get(frame))
        .route("/tables/{table}/act", post(act))
        .route("/tables/{table}/compose", get(compose))
        .route("/tables/{table}/seats/{seat}", post(join).delete(leave))
        .route("/tables/{table}/seats/{seat}/agent", post(replace))
        .route("/tables/{table}/rematch", post(rematch))
        .route("/tables/{table}/replay", get(replay))
}

async fn open(State(app): State<App>, body: Bytes) -> Answer {
    let NewTable { game, settings, seats, listed, seed, time } = read(&body)?;
    let (entry, game, settings) = setting(&game, settings)?;
    let holder = |sitter| {
        Ok(match sitter {
            Sitter::Open => Holder::Open,
            Sitter::Person { name } => Holder::Person { name: app.guest(Some(&name))? },
            Sitter::Agent(agent) => Holder::Agent(agent),
        })
    };
    let holders = seats.into_iter().map(holder).collect::<Result<Vec<Holder>, Trouble>>()?;
    let order =
        Order { game, settings, holders, steps: Vec::new(), listed, root: seed, owner: None, time: None };
    let order = order.checked(entry, time.as_deref()).map_err(Trouble::Setup)?;
    let (hosted, keys) = app.hub.open(order).await?;
    let keys = keys.into_iter().map(|(seat, key)| SeatKey { seat, key }).collect();
    let opened = OpenedTable { id: hosted.row.id.clone(), keys };
    Ok((StatusCode::CREATED, json(&opened)).into_response())
}

#[derive(Deserialize)]
struct ListQuery {
    over: Option<bool>,
}

async fn list(State(app): State<App>, Query(query): Query<ListQuery>) -> Answer {
    let listed = app.hub.listed().await?.into_iter();
    let wanted = listed.filter(|table| query.over.is_none_or(|over| over == table.over));
    let line = |table: Listed| {
        let open_seats = table.open_seats();
        TableLine { id: table.id, game: table.game, over: table.over, open_seats }
    };
    Ok(json(&Tables { tables: wanted.map(line).collect() }))
}

/// The seat that the request's key opens; `None` without a key. The request counts as a sign of life.
fn seat(app: &App, hosted: &Hosted, headers: &HeaderMap) -> Result<Option<usize>, Refusal> {
    let Some(key) = bearer(headers) else { return Ok(None) };
    match *hosted.seats_of([key.as_str()]) {
        [seat] => {
            hosted.presence.hear(&[seat], app.hub.time().now_ms());
            Ok(Some(seat))
        }
        _ => {
            let text = "the key opens no seat of this table\nhint: its player may have left";
            Err(Refusal::new(StatusCode::FORBIDDEN, Code::NotYours, text))
        }
    }
}

fn own_seat(app: &App, hosted: &Hosted, headers: &HeaderMap) -> Result<usize, Refusal> {
    let missing = || {
        let text = "expected the key to a seat, found none\nhint: send `Authorization: Bearer KEY`";
        Refusal::new(StatusCode::UNAUTHORIZED, Code::NotYours, text)
    };
    seat(app, hosted, headers)?.ok_or_else(missing)
}

fn shown(hosted: &Hosted, frame: &Frame) -> TableFrame {
    let question = |ask: &meeple_table::Ask| Question {
        number: ask.number,
        actions: ask.actions.clone(),
        parts: ask
            .parts
            .iter()
            .map(|parts| {
                let part = |part: &meeple_core::ActionPart| Part {
                    name: part.name.to_owned(),
                    label: part.label.clone(),
                };
                parts.iter().map(part).collect()
            })
            .collect(),
        suggestions: ask.suggestions.iter().map(|suggestion| suggestion.action.clone()).collect(),
        fallback: ask.fallback.clone(),
    };
    let sitter = |holder: &Holder| match holder {
        Holder::Open => Sitter::Open,
        Holder::Person { name } => Sitter::Person { name: name.to_string() },
        Holder::Agent(agent) => Sitter::Agent(agent.clone()),
    };
    let seats = frame.seats.iter().map(|line| SeatLine {
        holder: sitter(&line.holder),
        color: line.color.clone(),
        owes: line.owes,
    });
    let log = frame.log.iter().map(|line| LogLine { text: line.text.clone(), detail: line.detail });
    TableFrame {
        version: frame.version,
        you: frame.you,
        drawing: frame.drawing.as_str().to_owned(),
        text: frame.text.clone(),
        ask: frame.ask.as_ref().map(question),
        seats: seats.collect(),
        log: log.collect(),
        ending: frame.ending.as_ref().map(|ending| Ending {
            end: ending.end.clone(),
            places: ending.places.clone(),
            scores: ending.scores.clone(),
            unit: ending.unit.clone(),
        }),
        time: SeatTime::of(hosted, frame),
    }
}

async fn frame(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let seat = seat(&app, &hosted, &headers)?;
    let now = hosted.shown(seat).await?;
    // Versions are counted per viewer, so the tag names the viewer.
    let viewer = seat.map_or("public".to_owned(), |seat| seat.to_string());
    let (version, revision) = now.frame.moment();
    let tag = format!("\"{viewer}-{version}-{revision}\"");
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return Ok((StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response());
    }
    Ok(([(ETAG, tag)], json(&shown(&hosted, &now.frame))).into_response())
}

async fn act(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap, body: Bytes) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let seat = own_seat(&app, &hosted, &headers)?;
    let Act { number, id, action, index } = read(&body)?;
    let reply = match (action, index) {
        (Some(action), None) => OwnedReply::Text(action),
        (None, Some(index)) => OwnedReply::Index(index),
        _ => return Err(Refusal::wrong("expected either an action or an index")),
    };
    let taken = app.hub.act(&hosted, seat, number, id, reply).await?;
    let now = hosted.shown(Some(seat)).await?;
    Ok(json(&Taken { repeated: taken == meeple_table::Act::Repeated, frame: shown(&hosted, &now.frame) }))
}

#[derive(Deserialize)]
struct ComposeQuery {
    #[serde(rename = "so-far", default)]
    so_far: String,
}

async fn compose(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<ComposeQuery>,
    headers: HeaderMap,
) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let seat = own_seat(&app, &hosted, &headers)?;
    let (number, composition) = hosted.compose(seat, &query.so_far).await?;
    Ok(json(&serde_json::json!({ "number": number, "composition": composition })))
}

fn seat_number(text: &str) -> Result<usize, Refusal> {
    text.parse().map_err(|_| no("seat", text))
}

async fn join(State(app): State<App>, Path((id, seat)): Path<(String, String)>, body: Bytes) -> Answer {
    let Join { name } = read(&body)?;
    let seat = seat_number(&seat)?;
    let hosted = app.hub.find(&id).await?;
    let name = app.guest(Some(&name))?;
    let key = app.hub.join(&hosted, seat, name, None).await?;
    let key = key.expect("who has no account gets a key");
    Ok((StatusCode::CREATED, json(&SeatKey { seat, key })).into_response())
}

async fn leave(
    State(app): State<App>,
    Path((id, seat)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let Leave { agent } = read_or_default(&body)?;
    let seat = seat_number(&seat)?;
    let hosted = app.hub.find(&id).await?;
    if own_seat(&app, &hosted, &headers)? != seat {
        let text = format!("the key opens another seat than {seat}");
        return Err(Refusal::new(StatusCode::FORBIDDEN, Code::NotYours, &text));
    }
    app.hub.leave(&hosted, seat, agent.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Seats an agent at an open seat, or in place of an absent player.
async fn replace(
    State(app): State<App>,
    Path((id, seat)): Path<(String, String)>,
    headers: HeaderMap,
    body: Bytes,
) -> Answer {
    let Leave { agent } = read_or_default(&body)?;
    let absent = seat_number(&seat)?;
    let hosted = app.hub.find(&id).await?;
    own_seat(&app, &hosted, &headers)?;
    app.hub.replace(&hosted, absent, agent.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

async fn rematch(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap, body: Bytes) -> Answer {
    let wanted: Rematch = read_or_default(&body)?;
    let hosted: Arc<Hosted> = app.hub.find(&id).await?;
    let own = own_seat(&app, &hosted, &headers)?;
    hosted.expect_own_seed(&[own], wanted.seed)?;
    let id = app.hub.rematch(&hosted, wanted).await?;
    Ok((StatusCode::CREATED, json(&Named { id })).into_response())
}

async fn replay(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let hosted = app.hub.find(&id).await?;
    match hosted.replay().await? {
        (replay, true) => Ok(json_text(replay.to_text())),
        _ => Err(Trouble::Playing.into()),
    }
}
