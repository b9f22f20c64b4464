//! The cookie of a log-in.

use axum::http::HeaderMap;

use crate::headers::cookie_values;
use crate::members::accounts::{Accounts, Member, SESSION_LIFETIME_S};
use crate::time::now;

const SESSION_COOKIE: &str = "session";

pub fn member(headers: &HeaderMap, accounts: &Accounts) -> Option<Member> {
    cookie_values(headers, SESSION_COOKIE).find_map(|key| accounts.member(key, now()))
}

/// The cookie of a session; without a key, one that deletes it.
pub fn session_cookie(key: Option<&str>) -> String {
    let (key, age) = key.map_or(("", 0), |key| (key, SESSION_LIFETIME_S));
    format!("{SESSION_COOKIE}={key}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax")
}
