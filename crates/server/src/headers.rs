//! Headers of requests: their texts and lists, cookies, and the page that sent them.
//!
//! Everything in the server that reads headers reads them here. Bytes that are not UTF-8 never make a header
//! count as absent.

use std::borrow::Cow;

use axum::http::header::{COOKIE, HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderName};

/// The chain of addresses before a proxy.
pub const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The scheme by which the browser reached a proxy.
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The lines of a header, in order. Bytes that are not UTF-8 become U+FFFD.
pub fn lines(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = Cow<'_, str>> {
    headers.get_all(name).into_iter().map(|line| String::from_utf8_lossy(line.as_bytes()))
}

/// The first line of a header.
pub fn text(headers: &HeaderMap, name: HeaderName) -> Option<Cow<'_, str>> {
    lines(headers, name).next()
}

/// The parts of a header's list over all its lines, in order, trimmed and possibly empty.
pub fn parts(headers: &HeaderMap, name: HeaderName, separator: u8) -> impl DoubleEndedIterator<Item = &[u8]> {
    let lines = headers.get_all(name).into_iter();
    lines.flat_map(move |line| line.as_bytes().split(move |byte| *byte == separator)).map(<[u8]>::trim_ascii)
}

pub fn cookie_values<'a, 'n>(
    headers: &'a HeaderMap,
    name: &'n str,
) -> impl Iterator<Item = &'a str> + use<'a, 'n> {
    // Our own cookies are letters. Those of others on this host may be anything, and hide none of ours.
    let cookies = parts(headers, COOKIE, b';').filter_map(|pair| std::str::from_utf8(pair).ok());
    let pairs = cookies.filter_map(|pair| pair.split_once('='));
    pairs.filter(move |(known, _)| *known == name).map(|(_, value)| value)
}

/// Returns true if the browser reached a proxy before the server over HTTPS. `Origin` shows this for forms,
/// and `X-Forwarded-Proto` for all requests through proxies.
pub fn came_over_https(headers: &HeaderMap) -> bool {
    text(headers, ORIGIN).is_some_and(|origin| origin.starts_with("https://"))
        || text(headers, X_FORWARDED_PROTO).is_some_and(|scheme| scheme == "https")
}

/// Checks that a page of this server sent the request, by its header `Origin`.
///
/// # Errors
/// If the origin is missing or foreign. The text is for people.
pub fn expect_own_page(headers: &HeaderMap) -> Result<(), String> {
    let origin = text(headers, ORIGIN).ok_or("expected the header Origin, found none\nhint: browsers send it; a program says `Origin: http://HOST`")?;
    let from = origin.split_once("://").map_or(&*origin, |(_, host)| host);
    match text(headers, HOST) {
        Some(host) if host.eq_ignore_ascii_case(from) => Ok(()),
        Some(host) => Err(format!(
            "expected a page of {host}, found one of {origin}\nhint: behind a proxy, the header Host must be passed on"
        )),
        None => Err("expected the header Host, found none".to_owned()),
    }
}
