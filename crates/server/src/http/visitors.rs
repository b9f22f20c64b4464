//! The first middleware: it determines the party of each request.

use std::net::SocketAddr;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{RETRY_AFTER, SET_COOKIE};
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::api::answers;
use crate::app::App;
use crate::headers::X_FORWARDED_FOR;
use crate::limits::party;
use crate::limits::party::Starter;
use crate::trouble::Trouble;
use crate::{headers, key};

/// The cookie that identifies a browser that has started jobs.
const COOKIE: &str = "starter";
/// The value of `Retry-After` for clients that are turned away for now, in seconds.
const RETRY_AFTER_S: &str = "10";

/// Middleware that charges a request to its party. From here on, the connection info holds the visitor's
/// address, even behind proxies.
pub async fn identify_party(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let Some(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|from| from.0) else {
        return next.run(request).await;
    };
    let budgets = app.hub.budgets();
    let forwarded = headers::parts(request.headers(), X_FORWARDED_FOR, b',');
    let visitor = budgets.visitor(peer.ip(), forwarded);
    request.extensions_mut().insert(ConnectInfo(SocketAddr::new(visitor, peer.port())));
    // The JSON API ignores cookies.
    let is_page = !request.uri().path().starts_with("/api/");
    let member = app.member(request.headers()).filter(|_| is_page);
    let party = budgets.party(visitor, member.as_ref().map(|member| member.account.as_str()));
    let writes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let headers = request.headers();
    let shown = match is_page {
        true => headers::cookie_values(headers, COOKIE).next().map(str::to_owned),
        false => answers::bearer(headers),
    };
    // Browsers get a key with the first job that they start.
    let path = request.uri().path();
    let begins = ["/lab/", "/competitions/", "/c/"].iter().any(|start| path.starts_with(start));
    let fresh = (writes && begins && shown.is_none()).then(key::fresh_key);
    let key = shown.as_deref().or(fresh.as_deref()).map(key::hash);
    let safely = if headers::came_over_https(headers) { "; Secure" } else { "" };
    let cookie = fresh.map(|key| format!("{COOKIE}={key}; Path=/; HttpOnly; SameSite=Lax{safely}"));
    let starter = Starter { party, key };
    let mut response = party::started_by(starter, async move {
        if writes && !app.hub.may_write() {
            let wrong = "expected fewer messages of one visitor\nhint: wait a little";
            if is_page {
                return Trouble::UsedUp(wrong.to_owned()).into_response();
            }
            return (StatusCode::TOO_MANY_REQUESTS, wrong).into_response();
        }
        let mut response = next.run(request).await;
        if let Some(cookie) = cookie.filter(|_| response.status() == StatusCode::SEE_OTHER) {
            let cookie = HeaderValue::from_str(&cookie).expect("keys are letters");
            response.headers_mut().append(SET_COOKIE, cookie);
        }
        response
    })
    .await;
    // Clients that are turned away for now learn when to retry.
    if matches!(response.status(), StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) {
        response.headers_mut().entry(RETRY_AFTER).or_insert(HeaderValue::from_static(RETRY_AFTER_S));
    }
    response
}
