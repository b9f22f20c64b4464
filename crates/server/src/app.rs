//! The routes of pages.

use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Form, Path, Query, Request, State};
use axum::http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, SET_COOKIE,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use meeple_core::{AgentSpec, AnyEntry, Information, Seat, Viewer};
use meeple_games::{ANALYST, find_game};
use meeple_table::Holder;
use serde::Deserialize;

use crate::answer::{Answer, App, refusal, shown, with_keys};
use crate::form::{self, Fields, field};
use crate::hosts::Hosts;
use crate::hub::{LeftSeats, Order, Trouble};
use crate::pages::{self, create, home, moment, table, texts};
use crate::play::{SeatForm, TableQuery, eyes};
use crate::{
    api, assets, competitions, hosts, lab, members, operation, operator, packed, party, play, recorded,
    replays, requests, socket, visitor, visits, wire,
};

/// Our own files only, no inline scripts. Inline styles are allowed because drawings contain them.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";

pub fn router(app: App, hosts: Hosts) -> Router {
    let pages = Router::new();
    #[cfg(feature = "faults")]
    let pages = pages.route("/fault/{words}", get(fault));
    pages
        .route("/", get(first_page))
        .route("/tables", get(all_tables))
        .route("/help", get(|| async { shown(&pages::help()) }))
        .route("/rules/{game}", get(rules))
        .route("/guide/{game}", get(guide))
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
        .route("/assets/{name}", get(asset))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .fallback(|| async {
            refusal(
                StatusCode::NOT_FOUND,
                "Page not found",
                "there is no such page\nhint: the first page lists what there is",
            )
        })
        .merge(replays::routes())
        .merge(play::routes())
        .merge(lab::routes())
        .merge(competitions::routes())
        .merge(operator::routes())
        .merge(members::routes(&app))
        .layer(DefaultBodyLimit::max(wire::MAX_BYTES))
        .layer(middleware::from_fn_with_state(app.clone(), members::know))
        .layer(middleware::from_fn_with_state(app.clone(), operator::turn_away))
        .layer(middleware::from_fn(guard))
        // Programs authenticate by keys in headers, so the API has its own guard.
        .merge(api::routes(app.clone()))
        .layer(middleware::from_fn(packed::pack))
        .layer(middleware::from_fn_with_state(hosts, hosts::expect_own_name))
        .layer(middleware::from_fn_with_state(app.clone(), requests::log))
        .layer(middleware::from_fn_with_state(app.clone(), visits::know))
        .with_state(app)
}

/// A handler that panics, for tests.
#[cfg(feature = "faults")]
async fn fault(Path(words): Path<String>) -> Response {
    panic!("{words}")
}

/// Refuses writes from other sites and adds security headers.
async fn guard(request: Request, next: Next) -> Response {
    let writes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let safely = visitor::came_safely(request.headers());
    let mut response = match visitor::expect_own_page(request.headers()) {
        Err(reason) if writes => refusal(StatusCode::FORBIDDEN, "Request from another site", &reason),
        _ => explained(next.run(request).await),
    };
    let headers = response.headers_mut();
    if safely && let axum::http::header::Entry::Occupied(mut cookies) = headers.entry(SET_COOKIE) {
        // A cookie set over HTTPS is never sent over plain HTTP.
        for cookie in cookies.iter_mut() {
            let safe = [cookie.as_bytes(), b"; Secure"].concat();
            *cookie = HeaderValue::from_bytes(&safe).expect("a cookie and a word");
        }
    }
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Turns a refusal from before the handlers into a page.
fn explained(response: Response) -> Response {
    let is_page =
        response.headers().get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    let (title, message) = match response.status() {
        _ if is_page => return response,
        StatusCode::METHOD_NOT_ALLOWED => (
            "Method not allowed",
            "this address takes no such request\nhint: go on from the first page".to_owned(),
        ),
        StatusCode::PAYLOAD_TOO_LARGE => {
            ("Form too large", format!("expected a form of at most {} bytes, found more", wire::MAX_BYTES))
        }
        StatusCode::UNSUPPORTED_MEDIA_TYPE | StatusCode::UNPROCESSABLE_ENTITY => (
            "Invalid form",
            "expected what a page's form sends, found something else\nhint: open the page anew".to_owned(),
        ),
        _ => return response,
    };
    let mut page = refusal(response.status(), title, &message);
    // The methods that the address accepts.
    page.headers_mut().extend(response.headers().get(ALLOW).map(|methods| (ALLOW, methods.clone())));
    page
}

async fn first_page(State(app): State<App>) -> Answer {
    Ok(shown(&home::home(&app.hub.listed().await?)))
}

async fn all_tables(State(app): State<App>) -> Answer {
    Ok(shown(&home::tables(&app.hub.listed().await?)))
}

fn game(id: &str) -> Result<&'static dyn AnyEntry, Box<Response>> {
    find_game(id)
        .map_err(|error| Box::new(refusal(StatusCode::NOT_FOUND, "No such game", &error.to_string())))
}

async fn rules(Path(id): Path<String>) -> Response {
    game(&id).map_or_else(|refused| *refused, |entry| shown(&texts::rules(entry.info())))
}

async fn guide(Path(id): Path<String>) -> Response {
    // The first request plays the guide's examples; their drawings are cached.
    let page = |entry| tokio::task::block_in_place(|| texts::guide(entry));
    game(&id).map_or_else(|refused| *refused, |entry| shown(&page(entry)))
}

#[derive(Deserialize)]
struct NewQuery {
    preset: Option<String>,
}

async fn new_table(Path(id): Path<String>, Query(query): Query<NewQuery>) -> Response {
    let entry = match game(&id) {
        Ok(entry) => entry,
        Err(refused) => return *refused,
    };
    match create::create(entry, query.preset.as_deref(), &Fields::new(), None) {
        Ok(page) => shown(&page),
        Err(error) => refusal(StatusCode::NOT_FOUND, "No such preset", &error.to_string()),
    }
}

async fn open_table(
    State(app): State<App>,
    Path(id): Path<String>,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Response {
    let entry = match game(&id) {
        Ok(entry) => entry,
        Err(refused) => return *refused,
    };
    let order = members::sitter(&app, &headers, field(&fields, "name")).and_then(|(name, owner)| {
        let order = form::read(entry, &fields, &name).map_err(Trouble::Setup)?;
        Ok(Order { owner, ..order })
    });
    let opened = match order {
        Ok(order) => app.hub.open(order).await,
        Err(wrong) => Err(wrong),
    };
    match opened {
        Ok((hosted, keys)) => with_keys(&hosted, &keys),
        // Errors that the user can correct appear above the form.
        Err(Trouble::Setup(wrong)) => {
            match create::create(entry, field(&fields, "preset"), &fields, Some(&wrong)) {
                Ok(page) => (StatusCode::BAD_REQUEST, Html(page.0)).into_response(),
                Err(error) => refusal(StatusCode::BAD_REQUEST, "No such preset", &error.to_string()),
            }
        }
        Err(trouble) => trouble.into_response(),
    }
}

async fn show_table(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<TableQuery>,
    headers: HeaderMap,
) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let eyes = eyes(&app, &hosted, &headers, query.r#as.as_deref()).await?;
    let shown_now = hosted.shown(eyes.seat).await?;
    let secret = hosted.entry.info().information == Information::Hidden;
    if let (None, Some(seat), true, None) =
        (&query.r#as, eyes.seat, secret && eyes.held.len() > 1, &shown_now.frame.ending)
    {
        return Ok(shown(&table::hand_over(&hosted, &shown_now.frame, seat)));
    }
    let advice = match (query.hint.is_some(), eyes.seat, &shown_now.frame.ask) {
        (true, Some(seat), Some(_)) => {
            let [advisor, analyst] = [hosted.entry.info().advisor, ANALYST].map(AgentSpec::parse);
            Some(app.hub.advice(&hosted, seat, &advisor, &analyst).await?)
        }
        _ => None,
    };
    let advice = advice.as_ref();
    let composed = match (&query.so_far, eyes.seat) {
        (Some(text), Some(seat)) => Some(hosted.compose(seat, text).await),
        _ => None,
    };
    let (composition, wrong) = match &composed {
        Some(Ok((_, composition))) => (Some(composition), None),
        // The action no longer fits the current state, so composing restarts.
        Some(Err(trouble)) => (None, Some(trouble.to_string())),
        None => (None, None),
    };
    let opens = |key: &&str| Some(hosted.seats_of([*key])) == eyes.seat.map(|seat| vec![seat]);
    let key = visitor::keys(&headers, &id).into_iter().find(opens);
    let legend = hosted.legend().await?;
    let besides = table::Besides { wrong: wrong.as_deref(), advice, key, legend: &legend, composition };
    Ok(shown(&table::table(&hosted, &shown_now.frame, &eyes, besides)))
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
    let (name, account) = members::sitter(&app, &headers, field(&fields, "name"))?;
    let key = app.hub.join(&hosted, seat, name, account).await?;
    let mut keys: Vec<(usize, String)> =
        visitor::keys(&headers, &id).into_iter().map(|key| (0, key.to_owned())).collect();
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
        visitor::keys(&headers, &id).into_iter().map(|key| (seat, key.to_owned())).collect();
    keys.push((seat, key));
    Ok(with_keys(&hosted, &keys))
}

async fn leave(State(app): State<App>, form: SeatForm) -> Answer {
    let SeatForm { hosted, seat, fields, .. } = form;
    let agent = field(&fields, "agent").unwrap_or(hosted.entry.info().advisor);
    let agent = AgentSpec::parse(agent);
    app.hub.leave(&hosted, seat, agent).await?;
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
    if visitor::seats(&headers, &hosted, app.member(&headers).as_ref()).is_empty() {
        return Err(Trouble::Setup("expected somebody who played, found somebody who watched".to_owned()));
    }
    let left = if field(&fields, "agents").is_some() { LeftSeats::Agents } else { LeftSeats::Open };
    let seed = form::number(&fields, "seed").map_err(Trouble::Setup)?;
    app.hub.rematch(&hosted, left, seed).await?;
    Ok(Redirect::to(&format!("/t/{id}/next")).into_response())
}

/// Redirects to the rematch and sets the keys that open seats there.
async fn next_table(State(app): State<App>, Path(id): Path<String>, headers: HeaderMap) -> Answer {
    let hosted = app.hub.find(&id).await?;
    let Some(next) = hosted.next() else {
        return Ok(Redirect::to(&format!("/t/{id}")).into_response());
    };
    let next = app.hub.find(next).await?;
    let keys = visitor::keys(&headers, &id).into_iter();
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
    let eyes = eyes(&app, &hosted, &headers, Some(query.r#as.as_deref().unwrap_or("watch"))).await?;
    let (replay, over) = hosted.replay().await?;
    let viewer = match eyes.seat {
        _ if over => Viewer::Everything,
        Some(seat) => Viewer::Seat(Seat::new(seat)),
        None => Viewer::Public,
    };
    let entry = hosted.entry;
    let wanted = at.parse().ok();
    let made = app.hub.apart(move || recorded::moment_of(entry, &replay, viewer, wanted)).await?;
    let (at, last, found) = made.map_err(|error| Trouble::Broken(error.to_string()))?;
    let viewer = eyes.seat.map_or("watch".to_owned(), |seat| seat.to_string());
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
    Ok(replays::file("application/json", &name, replay.to_text()))
}

async fn open_socket(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(query): Query<TableQuery>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Answer {
    if let Err(reason) = visitor::expect_own_page(&headers) {
        return Ok(refusal(StatusCode::FORBIDDEN, "Request from another site", &reason));
    }
    let hosted = app.hub.find(&id).await?;
    let eyes = eyes(&app, &hosted, &headers, Some(query.r#as.as_deref().unwrap_or("watch"))).await?;
    // A seat held by key stays with the browser when a member logs out.
    let by_key = eyes.seat.is_some_and(|seat| hosted.seats_of(visitor::keys(&headers, &id)).contains(&seat));
    let login = if by_key { None } else { app.member(&headers).zip(app.accounts.clone()) };
    let form = if query.data.is_some() { socket::Form::Data } else { socket::Form::Html };
    // The default buffer of 128 KiB per socket is too large for thousands of idle sockets.
    let upgrade =
        upgrade.read_buffer_size(4096).max_message_size(wire::MAX_BYTES).max_frame_size(wire::MAX_BYTES);
    let party = party::current();
    let own = app.hub.budgets().open_socket(party.clone()).map_err(Trouble::UsedUp)?;
    Ok(upgrade.on_upgrade(move |socket| async move {
        let open = app.operation.open_socket();
        let serving = socket::serve(app.hub, hosted, eyes, form, socket, app.stop, login);
        party::on_account_of(party, serving).await;
        drop((open, own, app.alive));
    }))
}

async fn asset(Path(name): Path<String>) -> Response {
    match assets::ALL.iter().find(|asset| asset.name == name) {
        Some(asset) => {
            let headers =
                [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
            (headers, asset.bytes).into_response()
        }
        None => refusal(StatusCode::NOT_FOUND, "Page not found", "there is no such file"),
    }
}

async fn ready(State(app): State<App>) -> Response {
    match app.hub.expect_writable().await {
        Ok(()) => "ok\n".into_response(),
        Err(trouble) => (StatusCode::SERVICE_UNAVAILABLE, format!("{trouble}\n")).into_response(),
    }
}

async fn metrics(State(app): State<App>) -> String {
    let tables = app.hub.in_memory().await;
    let jobs = app.jobs.running().len() + app.competitions.running().len();
    let gauge = |name: &str, help: &str, value: String| {
        format!("# HELP meeple_{name} {help}.\n# TYPE meeple_{name} gauge\nmeeple_{name} {value}\n")
    };
    let late = app.operation.lag().as_secs_f64();
    let memory =
        operation::memory().map(|bytes| gauge("memory_bytes", "Memory of the process", bytes.to_string()));
    [
        gauge("tables", "Tables in memory", tables.to_string()),
        gauge("sockets", "Sockets of pages and programs", app.operation.sockets().to_string()),
        gauge("jobs", "Runs and competitions that are played or wait", jobs.to_string()),
        gauge(
            "jobs_paused",
            "Whether they pause because the tables need the machine",
            u8::from(app.operation.gate.is_held()).to_string(),
        ),
        gauge(
            "late_seconds",
            "How late the server came to what was due, at worst in the last minute",
            late.to_string(),
        ),
    ]
    .into_iter()
    .chain(memory)
    .collect()
}
