//! Cookies of tables: keys to seats, and the choice to confirm turns.

use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Redirect, Response};

use crate::headers::cookie_values;
use crate::members::accounts::Member;
use crate::tables::hosted::Hosted;

/// Redirects to a table and sets the cookie with the keys to its seats.
pub fn with_keys(hosted: &Hosted, keys: &[(usize, String)]) -> Response {
    let mut response = Redirect::to(&format!("/t/{}", hosted.row.id)).into_response();
    if !keys.is_empty() {
        let texts: Vec<&str> = keys.iter().map(|(_, key)| key.as_str()).collect();
        let cookie = cookie(&hosted.row.id, &texts);
        response.headers_mut().insert(SET_COOKIE, HeaderValue::from_str(&cookie).expect("keys are letters"));
    }
    response
}

/// Lifetime of cookies, in seconds.
const COOKIE_MAX_AGE_S: u32 = 30 * 24 * 3600;

pub fn keys<'a>(headers: &'a HeaderMap, table: &str) -> Vec<&'a str> {
    let name = format!("seat-{table}");
    let ours: Vec<&str> = cookie_values(headers, &name).collect();
    ours.into_iter().flat_map(|keys| keys.split('.')).filter(|key| !key.is_empty()).collect()
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

/// The cookie with these keys. Scripts cannot read it (`HttpOnly`), other sites' forms do not send it
/// (`SameSite=Lax`), and only the table's pages receive it (`Path`).
pub fn cookie(table: &str, keys: &[&str]) -> String {
    format!(
        "seat-{table}={}; Path=/t/{table}; Max-Age={COOKIE_MAX_AGE_S}; HttpOnly; SameSite=Lax",
        keys.join(".")
    )
}

/// Returns true if the browser confirms turns of several steps at this table, which is the default.
pub fn confirms(headers: &HeaderMap, hosted: &Hosted) -> bool {
    let name = format!("confirm-{}", hosted.row.id);
    !cookie_values(headers, &name).any(|value| value == "off")
}

pub fn confirm_cookie(table: &str, confirms: bool) -> String {
    let word = if confirms { "on" } else { "off" };
    format!("confirm-{table}={word}; Path=/t/{table}; Max-Age={COOKIE_MAX_AGE_S}; HttpOnly; SameSite=Lax")
}
