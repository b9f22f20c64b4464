//! Reading requests and writing responses of the JSON API.

use axum::body::Bytes;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use meeple_table::Refused;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::api::messages::{Code, Failure};
use crate::headers;
use crate::trouble::Trouble;
use crate::trouble::UploadError;

#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    failure: Failure,
}

impl Refusal {
    /// A refusal with this text. The part after `hint:` becomes the hint.
    pub fn new(status: StatusCode, code: Code, text: &str) -> Self {
        let (message, hint) = match text.split_once("\nhint: ") {
            Some((message, hint)) => (message, Some(hint.to_owned())),
            None => (text, None),
        };
        Self { status, failure: Failure { code, message: message.to_owned(), hint } }
    }

    /// A malformed or impossible request (400).
    pub fn wrong(text: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, Code::InvalidMessage, text)
    }
}

pub fn no(what: &str, name: &str) -> Refusal {
    let space = if name.is_empty() { "" } else { " " };
    let text =
        format!("there is no such {what}{space}{name}\nhint: /api/v1/openapi.json describes what there is");
    Refusal::new(StatusCode::NOT_FOUND, Code::NotFound, &text)
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, json(&self.failure)).into_response()
    }
}

impl From<Trouble> for Refusal {
    fn from(trouble: Trouble) -> Self {
        let code = match &trouble {
            Trouble::Unknown(_)
            | Trouble::NoReplay(_)
            | Trouble::Missing { .. }
            | Trouble::Closed(_)
            | Trouble::Refused(Refused::NoSeat { .. }) => Code::NotFound,
            Trouble::UsedUp(_)
            | Trouble::Full { .. }
            | Trouble::Busy
            | Trouble::QueueFull(_)
            | Trouble::Upload(UploadError::Full { .. }) => Code::TooMany,
            Trouble::Setup(_) | Trouble::Upload(_) | Trouble::Refused(Refused::Agent(_)) => {
                Code::InvalidMessage
            }
            Trouble::Refused(Refused::Illegal(_)) => Code::InvalidMove,
            Trouble::Refused(Refused::Stale(_) | Refused::Over) => Code::Stale,
            Trouble::Forbidden(_) | Trouble::Refused(_) => Code::NotYours,
            Trouble::Playing => Code::NotYet,
            Trouble::Unstored(_) => Code::Unstored,
            Trouble::Fault(_) | Trouble::Broken(_) | Trouble::Store(_) => Code::Internal,
        };
        Self::new(trouble.status(), code, &trouble.to_string())
    }
}

pub type Answer = Result<Response, Refusal>;

pub fn json(value: &impl Serialize) -> Response {
    let text = serde_json::to_string(value).expect("answers are plain data");
    json_text(text)
}

/// A response that is JSON already.
pub fn json_text(text: String) -> Response {
    ([(CONTENT_TYPE, "application/json")], text).into_response()
}

/// Parses a JSON body.
pub fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|error| Refusal::wrong(&format!("the body: {error}")))
}

/// Parses an optional JSON body. An empty body means the default.
pub fn read_or_default<T: DeserializeOwned + Default>(body: &Bytes) -> Result<T, Refusal> {
    if body.is_empty() { Ok(T::default()) } else { read(body) }
}

/// The bearer token of the request.
pub fn bearer(headers: &HeaderMap) -> Option<String> {
    let text = headers::text(headers, AUTHORIZATION)?;
    let (scheme, key) = text.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim().to_owned())
}

/// A refusal in the API's format, for middleware that runs before the API's handlers.
pub fn refused(status: StatusCode, reason: &str) -> Response {
    Refusal::new(status, Code::NotYours, reason).into_response()
}
