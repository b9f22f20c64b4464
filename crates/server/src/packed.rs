//! Answers in fewer bytes, for whoever takes gzip.
//!
//! Own code rather than `tower-http`: what is packed is known as a whole, so that streams of events and sockets are never held back, and
//! gzip is there already.

use std::io::Write;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Shorter answers are sent as they are: they fit into one packet either way.
const PACKED_FROM: u64 = 1024;
/// Longer answers are packed on a thread of their own.
const LONG: usize = 128 << 10;

/// Packs texts of which the length is known.
pub async fn pack(request: Request, next: Next) -> Response {
    let takes_gzip = takes_gzip(request.headers());
    let mut response = next.run(request).await;
    if !is_text(response.headers()) || response.headers().contains_key(CONTENT_ENCODING) {
        return response;
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    let length = response.body().size_hint().exact();
    if !takes_gzip || length.is_none_or(|length| length < PACKED_FROM) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.expect("a body of known length is in memory");
    let packed = if bytes.len() < LONG {
        packed(&bytes)
    } else {
        tokio::task::spawn_blocking(move || packed(&bytes)).await.expect("packing does not fail")
    };
    head.headers.remove(CONTENT_LENGTH);
    head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Response::from_parts(head, Body::from(packed))
}

/// Quickly: pages are mostly the same words again and again.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.expect("memory takes everything")
}

/// Whether a client takes gzip: it names it, and not with a weight of 0.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let words = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    words.flat_map(|text| text.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f64>);
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_ok_and(|weight| weight > 0.0)
    })
}

/// Whether it is a text that becomes shorter. Pictures in PNG are packed already, and events are sent as they come.
fn is_text(headers: &HeaderMap) -> bool {
    const KINDS: [&str; 6] =
        ["text/html", "text/css", "text/javascript", "text/plain", "application/json", "image/svg+xml"];
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    KINDS.contains(&kind.split(';').next().unwrap_or_default().trim())
}
