//! The identity of a request: keys in its cookies, and its origin.

use axum::http::HeaderMap;
use axum::http::header::{COOKIE, HOST, ORIGIN};

use crate::accounts::{Accounts, Member, SESSION};
use crate::hub::{Hosted, now};

/// Lifetime of cookies, in seconds.
const THIRTY_DAYS: u32 = 30 * 24 * 3600;

pub fn keys<'a>(headers: &'a HeaderMap, table: &str) -> Vec<&'a str> {
    let name = format!("seat-{table}");
    let ours: Vec<&str> = cookie_values(headers, &name).collect();
    ours.into_iter().flat_map(|keys| keys.split('.')).filter(|key| !key.is_empty()).collect()
}

pub fn cookie_values<'a, 'n>(
    headers: &'a HeaderMap,
    name: &'n str,
) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
    let cookies = headers.get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(move |(known, _)| *known == name).map(|(_, value)| value)
}

/// The seats of this table that the browser controls: those of its keys, and those of the member who is
/// logged in.
pub fn seats(headers: &HeaderMap, hosted: &Hosted, member: Option<&Member>) -> Vec<usize> {
    let mut seats = hosted.seats_of(keys(headers, &hosted.row.id));
    seats.extend(member.into_iter().flat_map(|member| hosted.seats_of_member(&member.account)));
    seats.sort_unstable();
    seats.dedup();
    seats
}

const SESSION_COOKIE: &str = "session";

pub fn member(headers: &HeaderMap, accounts: &Accounts) -> Option<Member> {
    cookie_values(headers, SESSION_COOKIE).find_map(|key| accounts.member(key, now()))
}

/// The cookie of a session; without a key, one that deletes it.
pub fn session_cookie(key: Option<&str>) -> String {
    let (key, age) = key.map_or(("", 0), |key| (key, SESSION));
    format!("{SESSION_COOKIE}={key}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax")
}

/// Returns true if the browser used HTTPS to reach a proxy before the server. Browsers indicate it with
/// forms, proxies always.
pub fn came_safely(headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    text("origin").is_some_and(|origin| origin.starts_with("https://"))
        || text("x-forwarded-proto") == Some("https")
}

/// The cookie with these keys. Scripts cannot read it, forms of other sites do not send it, and it is sent to
/// its table alone.
pub fn cookie(table: &str, keys: &[&str]) -> String {
    format!("seat-{table}={}; Path=/t/{table}; Max-Age={THIRTY_DAYS}; HttpOnly; SameSite=Lax", keys.join("."))
}

/// Returns true if the browser confirms turns of several steps at this table, which is the default.
pub fn confirms(headers: &HeaderMap, hosted: &Hosted) -> bool {
    let name = format!("confirm-{}", hosted.row.id);
    let cookies = headers.get_all(COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs =
        cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    !pairs.any(|pair| pair == (&name, "off"))
}

pub fn confirm_cookie(table: &str, confirms: bool) -> String {
    let word = if confirms { "on" } else { "off" };
    format!("confirm-{table}={word}; Path=/t/{table}; Max-Age={THIRTY_DAYS}; HttpOnly; SameSite=Lax")
}

/// Checks that a page of this server sent the request, by its header `Origin`.
///
/// # Errors
/// If the origin is missing or foreign, with what was expected.
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
