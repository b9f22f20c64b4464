//! Requests to the server: a few, each on a connection of its own.

use std::io::{Error, ErrorKind, Result};
use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Timeout of a request, from connecting to the end of its answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// Maximal length of an answer, in bytes; the rest is not read.
const MAX_BODY_BYTES: u64 = 64 << 20;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerAddress {
    /// The address to connect to.
    pub address: SocketAddr,
    /// The value of the header `Host`.
    pub host: String,
}

impl ServerAddress {
    /// The `Origin` that a browser sends for a page of this server.
    pub fn origin(&self) -> String {
        format!("http://{}", self.host)
    }
}

#[derive(Clone, Debug)]
pub struct HttpResponse {
    pub status: u16,
    head: String,
    pub body: String,
}

impl HttpResponse {
    /// The value of a header; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let pairs = self.head.lines().filter_map(|line| line.split_once(':'));
        pairs.filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim()).next()
    }
}

/// Sends a GET request.
pub async fn get(place: &ServerAddress, path: &str) -> Result<HttpResponse> {
    send(place, "GET", path, None).await
}

/// Sends a form, like the server's own pages.
pub async fn post(place: &ServerAddress, path: &str, fields: &[(&str, &str)]) -> Result<HttpResponse> {
    let fields = fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    let body = fields.collect::<Vec<_>>().join("&");
    send(place, "POST", path, Some(("application/x-www-form-urlencoded", body))).await
}

/// Sends JSON.
pub async fn post_json(place: &ServerAddress, path: &str, body: &serde_json::Value) -> Result<HttpResponse> {
    send(place, "POST", path, Some(("application/json", body.to_string()))).await
}

/// Sends a DELETE request.
pub async fn delete(place: &ServerAddress, path: &str) -> Result<HttpResponse> {
    send(place, "DELETE", path, Some(("application/json", String::new()))).await
}

/// Sends a request on a connection of its own. `body` is a content type and a text.
async fn send(
    place: &ServerAddress,
    verb: &str,
    path: &str,
    body: Option<(&str, String)>,
) -> Result<HttpResponse> {
    let ServerAddress { host, .. } = place;
    let mut request = format!("{verb} {path} HTTP/1.0\r\nhost: {host}\r\n");
    if let Some((kind, body)) = &body {
        let (origin, length) = (place.origin(), body.len());
        request += &format!("origin: {origin}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n");
    }
    request += "\r\n";
    request += body.as_ref().map_or("", |(_, body)| body);
    let exchange = async {
        let mut stream = TcpStream::connect(place.address).await?;
        stream.write_all(request.as_bytes()).await?;
        // HTTP/1.0: the response ends with the connection, and is never chunked.
        let mut bytes = Vec::new();
        stream.take(MAX_BODY_BYTES).read_to_end(&mut bytes).await?;
        Ok::<_, Error>(bytes)
    };
    let late = || Error::new(ErrorKind::TimedOut, format!("no answer in {} s", REQUEST_TIMEOUT.as_secs()));
    let bytes = tokio::time::timeout(REQUEST_TIMEOUT, exchange).await.map_err(|_| late())??;
    let text = String::from_utf8_lossy(&bytes);
    let unread = || Error::new(ErrorKind::InvalidData, "expected an answer in HTTP, found something else");
    let (head, body) = text.split_once("\r\n\r\n").ok_or_else(unread)?;
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).ok_or_else(unread)?;
    Ok(HttpResponse { status, head: head.to_owned(), body: body.to_owned() })
}

fn encoded(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}
