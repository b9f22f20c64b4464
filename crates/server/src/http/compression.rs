//! Compression of responses for clients that accept gzip.
//!
//! It replaces `tower-http`. Only bodies of known length are compressed, so that event streams and sockets
//! are never delayed. The gzip encoder is a dependency anyway.

use std::io::Write;

use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::headers;

/// Responses shorter than this, in bytes, are sent uncompressed. They fit into one packet either way.
const MIN_COMPRESSED_BYTES: u64 = 1024;
/// Responses of at least this length, in bytes, are compressed on a blocking thread.
const BLOCKING_FROM_BYTES: usize = 128 << 10;

/// Middleware that compresses texts of known length.
pub async fn pack(request: Request, next: Next) -> Response {
    let takes_gzip = takes_gzip(request.headers());
    let mut response = next.run(request).await;
    if !is_text(response.headers()) || response.headers().contains_key(CONTENT_ENCODING) {
        return response;
    }
    response.headers_mut().append(VARY, HeaderValue::from_static("accept-encoding"));
    let length = response.body().size_hint().exact();
    if !takes_gzip || length.is_none_or(|length| length < MIN_COMPRESSED_BYTES) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let bytes = to_bytes(body, usize::MAX).await.expect("a body of known length is in memory");
    let packed = if bytes.len() < BLOCKING_FROM_BYTES {
        packed(&bytes)
    } else {
        tokio::task::spawn_blocking(move || packed(&bytes)).await.expect("packing does not fail")
    };
    head.headers.remove(CONTENT_LENGTH);
    head.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Response::from_parts(head, Body::from(packed))
}

/// Compresses at the fast level, which suffices because pages are repetitive.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let packed = encoder.write_all(bytes).and_then(|()| encoder.finish());
    packed.expect("memory takes everything")
}

/// Returns true if the client accepts gzip: it is listed with a weight above 0.
fn takes_gzip(headers: &HeaderMap) -> bool {
    let codings = headers::parts(headers, ACCEPT_ENCODING, b',');
    codings.filter_map(|coding| std::str::from_utf8(coding).ok()).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f64>);
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_ok_and(|weight| weight > 0.0)
    })
}

/// Returns true for compressible texts. PNG is compressed already, and events are streamed.
fn is_text(headers: &HeaderMap) -> bool {
    const KINDS: [&str; 6] =
        ["text/html", "text/css", "text/javascript", "text/plain", "application/json", "image/svg+xml"];
    let kind = headers::text(headers, CONTENT_TYPE).unwrap_or_default();
    KINDS.contains(&kind.split(';').next().unwrap_or_default().trim())
}
