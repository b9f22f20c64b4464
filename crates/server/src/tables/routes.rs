//! The routes of tables: list, open, show, sit down, leave, and play again.

use std::net::SocketAddr;

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{ConnectInfo, Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect};
use axum::routing::{get, post};
use meeple_core::{AgentSpec, Information, Seat, Viewer};
use meeple_games::ANALYST;
use meeple_table::Holder;
use serde::Deserialize;

use crate::app::App;
use crate::games::routes::GamePath;
use crate::headers;
use crate::limits::MAX_MESSAGE_BYTES;
use crate::limits::party;
use crate::page::form::{Fields, field, number};
use crate::page::frame::{refusal, shown};
use crate::replays::routes::file;
use crate::replays::{moment, recorded};
use crate::tables::cookies::{self, with_keys};
use crate::tables::messages::Rematch;
use crate::tables::order::{self, Order};
use crate::tables::pages::{create, home, table};
use crate::tables::play::{SeatForm, TableQuery, browser_view};
use crate::tables::{play, socket};
use crate::trouble::{Answer, Trouble, or_show_form, shown_form};

pub fn routes() -> Router<App> {
    Router::new()
        .route("/", get(first_page))
        .route("/tables", get(all_tables))
        .route("/new/{game}", get(new_table).post(open_table))
        .route("/t/{table}", get(show_table))
        .route("/t/{table}/join", post(join))
        .route("/t/{table}/join/{seat}", get(join_page))
        .route("/t/{table}/seat/{key}", get(take_key))
        .route("/t/{table}/leave", post(leave))
        .route("/t/{table}/rematch", post(rematch))
        .route("/t/{table}/next", get(next_table))
        .route("/t/{table}/at/{moment}", get(moment_page))
        .route("/t/{table}/replay.json", get(replay))
        .route("/t/{table}/socket", get(open_socket))
        .merge(play::routes())
}

async fn first_page(State(app): State<App>) -> Answer {
    Ok(shown(&home::home(&app.hub.listed().await?)))
}

async fn all_tables(State(app): State<App>) -> Answer {
    Ok(shown(&home::tables(&app.hub.listed().await?)))
}

#[derive(Deserialize)]
struct NewQuery {
    preset: Option<String>,
}

async fn new_table(GamePath(entry): GamePath, Query(query): Query<NewQuery>) -> Answer {
    shown_form(create::create(entry, query.preset.as_deref(), &Fields::new(), None))
}

async fn open_table(
    State(app): State<App>,
    GamePath(entry): GamePath,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Answer {
    let opened = async {
        let (name, owner) = app.sitter(&headers, field(&fields, "name"))?;
        let order = order::read(entry, &fields, &name).map_err(Trouble::Setup)?;
        let (hosted, keys) = app.hub.open(Order { owner, ..order }).await?;
        Ok(with_keys(&hosted, &keys))
    };
    or_show_form(opened.await, |wrong| create::create(entry, field(&fields, "preset"), &fields, Some(wrong)))
}

async fn show_table(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<TableQuery>,
    headers: HeaderMap,
) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let view = browser_view(&app, &hosted, &headers, query.r#as.as_deref()).await?;
    let shown_now = hosted.shown(view.seat).await?;
    let secret = hosted.entry.info().information == Information::Hidden;
    if let (None, Some(seat), true, None) =
        (&query.r#as, view.seat, secret && view.held.len() > 1, &shown_now.frame.ending)
    {
        return Ok(shown(&table::hand_over(&hosted, &shown_now.frame, seat)));
    }
    let advice = match (query.hint.is_some(), view.seat, &shown_now.frame.ask) {
        (true, Some(seat), Some(_)) => {
            let [advisor, analyst] = [hosted.entry.info().advisor, ANALYST].map(AgentSpec::parse);
            Some(app.hub.advice(&hosted, seat, &advisor, &analyst).await?)
        }
        _ => None,
    };
    let advice = advice.as_ref();
    let composed = match (&query.so_far, view.seat) {
        (Some(text), Some(seat)) => Some(hosted.compose(seat, text).await),
        _ => None,
    };
    let (composition, wrong) = match &composed {
        Some(Ok((_, composition))) => (Some(composition), None),
        // The action no longer fits the current state, so composing restarts.
        Some(Err(trouble)) => (None, Some(trouble.to_string())),
        None => (None, None),
    };
    let opens = |key: &&str| Some(hosted.seats_of([*key])) == view.seat.map(|seat| vec![seat]);
    let key = cookies::keys(&headers, &id).into_iter().find(opens);
    let legend = hosted.legend().await?;
    let extras = table::PageExtras { wrong: wrong.as_deref(), advice, key, legend: &legend, composition };
    Ok(shown(&table::table(&hosted, &shown_now.frame, &view, extras)))
}

async fn join_page(State(app): State<App>, Path((id, seat)): Path<(String, usize)>) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let public = hosted.shown(None).await?;
    match public.frame.seats.get(seat).map(|line| &line.holder) {
        Some(Holder::Open) => Ok(shown(&table::join(&hosted, seat))),
        // The seat is taken already. Everybody with the link may watch.
        _ => Ok(Redirect::to(&format!("/t/{id}")).into_response()),
    }
}

async fn join(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let seat = field(&fields, "seat").and_then(|text| text.parse().ok());
    let seat = seat.ok_or_else(|| Trouble::Setup("expected a seat, found none".to_owned()))?;
    let (name, account) = app.sitter(&headers, field(&fields, "name"))?;
    let key = app.hub.join(&hosted, seat, name, account).await?;
    let mut keys: Vec<(usize, String)> =
        cookies::keys(&headers, &id).into_iter().map(|key| (0, key.to_owned())).collect();
    keys.extend(key.map(|key| (seat, key)));
    Ok(with_keys(&hosted, &keys))
}

/// Claims a seat on another device, by its key.
async fn take_key(
    State(app): State<App>,
    Path((id, key)): Path<(String, String)>,
    headers: HeaderMap,
) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let [seat] = *hosted.seats_of([key.as_str()]) else {
        return Err(Trouble::Setup("this link opens no seat\nhint: its player may have left".to_owned()));
    };
    let mut keys: Vec<(usize, String)> =
        cookies::keys(&headers, &id).into_iter().map(|key| (seat, key.to_owned())).collect();
    keys.push((seat, key));
    Ok(with_keys(&hosted, &keys))
}

async fn leave(State(app): State<App>, form: SeatForm) -> Answer {
    let SeatForm { hosted, seat, fields, .. } = form;
    app.hub.leave(&hosted, seat, field(&fields, "agent")).await?;
    Ok(Redirect::to(&format!("/t/{}?as=watch", hosted.row.id)).into_response())
}

/// Opens a rematch with seats rotated by one.
async fn rematch(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let own = cookies::seats(&headers, &hosted, app.member(&headers).as_ref());
    if own.is_empty() {
        return Err(Trouble::Setup("expected somebody who played, found somebody who watched".to_owned()));
    }
    let seed = number(&fields, "seed").map_err(Trouble::Setup)?;
    hosted.expect_own_seed(&own, seed)?;
    let wanted = Rematch { agents: field(&fields, "agents").is_some(), seed };
    app.hub.rematch(&hosted, wanted).await?;
    Ok(Redirect::to(&format!("/t/{id}/next")).into_response())
}

/// Redirects to the rematch and sets the keys that open seats there.
async fn next_table(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let Some(next) = hosted.next() else {
        return Ok(Redirect::to(&format!("/t/{id}")).into_response());
    };
    let next = app.hub.find(next).await?;
    let keys = cookies::keys(&headers, &id).into_iter();
    let keys: Vec<(usize, String)> =
        keys.filter_map(|key| Some((*next.seats_of([key]).first()?, key.to_owned()))).collect();
    Ok(with_keys(&next, &keys))
}

async fn moment_page(
    State(app): State<App>,
    Path((id, at)): Path<(String, String)>,
    Query(query): Query<TableQuery>,
    headers: HeaderMap,
) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let view = browser_view(&app, &hosted, &headers, Some(query.r#as.as_deref().unwrap_or("watch"))).await?;
    let (replay, over) = hosted.replay().await?;
    let viewer = match view.seat {
        _ if over => Viewer::Everything,
        Some(seat) => Viewer::Seat(Seat::new(seat)),
        None => Viewer::Public,
    };
    let entry = hosted.entry;
    let wanted = at.parse().ok();
    let made = app.hub.apart(move || recorded::moment_of(entry, &replay, viewer, wanted)).await?;
    let (at, last, found) = made.map_err(|error| Trouble::Broken(error.to_string()))?;
    let viewer = view.seat.map_or("watch".to_owned(), |seat| seat.to_string());
    let shown_moment = moment::Shown { info: entry.info(), at, last, found: &found };
    let base = format!("/t/{id}");
    Ok(shown(&moment::moment(&shown_moment, &base, &viewer, "To the table", &maud::html! {})))
}

async fn replay(State(app): State<App>, Path(id): Path<String>) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let (replay, over) = hosted.replay().await?;
    if !over {
        let reason = "a replay tells everything, and the game is not over\nhint: come back when it is";
        return Ok(refusal(StatusCode::FORBIDDEN, "Not yet", reason));
    }
    let name = format!("{}-{id}.json", hosted.entry.info().id);
    Ok(file("application/json", &name, replay.to_text()))
}

async fn open_socket(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<TableQuery>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Answer {
    if let Err(reason) = headers::expect_own_page(&headers) {
        return Ok(refusal(StatusCode::FORBIDDEN, "Request from another site", &reason));
    }
    let hosted = app.hub.find(&id).await?;
    let view = browser_view(&app, &hosted, &headers, Some(query.r#as.as_deref().unwrap_or("watch"))).await?;
    // A key keeps its seat after a logout, so such a socket need not watch the login.
    let by_key = view.seat.is_some_and(|seat| hosted.seats_of(cookies::keys(&headers, &id)).contains(&seat));
    let login = if by_key { None } else { app.member(&headers).zip(app.accounts.clone()) };
    let form = if query.data.is_some() { socket::Form::Data } else { socket::Form::Html };
    // The default buffer of 128 KiB per socket is too large for thousands of idle sockets.
    let upgrade =
        upgrade.read_buffer_size(4096).max_message_size(MAX_MESSAGE_BYTES).max_frame_size(MAX_MESSAGE_BYTES);
    let party = party::current();
    let own = app.hub.budgets().open_socket(party.clone()).map_err(Trouble::UsedUp)?;
    Ok(upgrade.on_upgrade(move |socket| async move {
        let open = app.operation.open_socket();
        let serving = socket::serve(app.hub, hosted, view, form, socket, app.stop, login);
        tokio::select! {
            () = party::on_account_of(party, serving) => {}
            () = app.operation.until_banned(from.ip()) => {}
        }
        drop((open, own, app.alive));
    }))
}
