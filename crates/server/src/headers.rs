//! Headers of requests: cookies, and the page that sent them.

use axum::http::HeaderMap;
use axum::http::header::{COOKIE, HOST, ORIGIN};

pub fn cookie_values<'a, 'n>(
    headers: &'a HeaderMap,
    name: &'n str,
) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
    let cookies = headers.get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(move |(known, _)| *known == name).map(|(_, value)| value)
}

/// Returns true if the browser reached a proxy before the server over HTTPS. `Origin` shows this for forms,
/// and `X-Forwarded-Proto` for all requests through proxies.
pub fn came_over_https(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    text("origin").is_some_and(|origin| origin.starts_with("https://"))
        || text("x-forwarded-proto") == Some("https")
}

/// Checks that a page of this server sent the request, by its header `Origin`.
///
/// # Errors
/// If the origin is missing or foreign. The text is for people.
pub fn expect_own_page(headers: &HeaderMap) -> Result<(), String> {
    let text = |name| headers.get(name).and_then(|value: &axum::http::HeaderValue| value.to_str().ok());
    let origin = text(ORIGIN).ok_or("expected the header Origin, found none\nhint: browsers send it; a program says `Origin: http://HOST`")?;
    let from = origin.split_once("://").map_or(origin, |(_, host)| host);
    match text(HOST) {
        Some(host) if host.eq_ignore_ascii_case(from) => Ok(()),
        Some(host) => Err(format!(
            "expected a page of {host}, found one of {origin}\nhint: behind a proxy, the header Host must be passed on"
        )),
        None => Err("expected the header Host, found none".to_owned()),
    }
}
