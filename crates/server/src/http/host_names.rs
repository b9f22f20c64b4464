//! The host names of the server. Requests under other names are refused, which prevents DNS rebinding.

use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::HOST;
use axum::middleware::Next;
use axum::response::Response;

use crate::api::answers;
use crate::headers;
use crate::page::frame::refusal;

/// Health checks. They reveal nothing, so any host name is accepted.
const PROBES: [&str; 2] = ["/healthz", "/readyz"];
/// Upper bound on the host name that an error text repeats, in characters.
const MAX_HOST_CHARS: usize = 80;

/// The server's host names, besides IP addresses and `localhost`.
#[derive(Clone, Debug)]
pub struct Hosts(Arc<[String]>);

impl Hosts {
    /// Host names that requests may use; `*` allows any.
    pub fn new(names: &[String]) -> Self {
        Self(names.iter().map(|name| without_port(name).to_ascii_lowercase()).collect())
    }

    /// Returns true if this host, with or without a port, is the server. IP addresses are always accepted,
    /// because DNS rebinding needs a name.
    pub fn is_ours(&self, host: &str) -> bool {
        let host = without_port(host).trim_end_matches('.').to_ascii_lowercase();
        let address = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(&host);
        address.parse::<IpAddr>().is_ok()
            || host == "localhost"
            || host.ends_with(".localhost")
            || self.0.iter().any(|name| name == "*" || *name == host)
    }
}

/// The host without its port.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Refuses requests whose host is foreign. Requests without a host are accepted, because browsers always send
/// one.
pub async fn expect_own_name(State(hosts): State<Hosts>, request: Request, next: Next) -> Response {
    let named = headers::lines(request.headers(), HOST);
    let foreign = named.chain(request.uri().host().map(Cow::from)).find(|host| !hosts.is_ours(host));
    match foreign {
        Some(host) if !PROBES.contains(&request.uri().path()) => {
            let host: String = without_port(&host).chars().take(MAX_HOST_CHARS).collect();
            let reason = format!(
                "expected an address or a name of this server in the header Host, found {host}\nhint: if it is one, start it \
                 with: meeple serve --host-name {host}"
            );
            let status = StatusCode::MISDIRECTED_REQUEST;
            match request.uri().path().starts_with("/api/") {
                true => answers::refused(status, &reason),
                false => refusal(status, "Unknown host name", &reason),
            }
        }
        _ => next.run(request).await,
    }
}
