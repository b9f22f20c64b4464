//! Errors of requests, and how pages show them.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use maud::Markup;
use meeple_core::{EntryError, ForeignRecordError, ReplayError};
use meeple_replay::ReadError;
use meeple_table::Refused;
use thiserror::Error;

use crate::page::frame::{refusal, shown};
use crate::store::StoreError;

/// Reasons why a replay is not accepted.
#[derive(Debug, Error)]
pub enum UploadError {
    #[error(transparent)]
    Unread(#[from] ReadError),
    #[error(transparent)]
    Wrong(#[from] ReplayError),
    /// An invalid record of another program.
    #[error(transparent)]
    Foreign(#[from] ForeignRecordError),
    #[error(
        "expected at most {most} bytes of uploads, found {found}\nhint: the operator can allow more with --uploads"
    )]
    Full {
        /// The limit, in bytes.
        most: u64,
        /// Size including this upload, in bytes.
        found: u64,
    },
}

/// Reasons why a request fails.
#[derive(Debug, Error)]
pub enum Trouble {
    #[error("there is no table '{0}' here\nhint: the list of tables is on the first page")]
    Unknown(String),
    /// The limit of tables in memory is reached.
    #[error("expected at most {most} tables at once, found {most}\nhint: try again when some have ended")]
    Full { most: usize },
    #[error("{0}")]
    UsedUp(String),
    /// Too many jobs wait, too many are the visitor's, or the visitor's processor time is used up.
    #[error("{0}")]
    QueueFull(String),
    /// The requested thing does not exist, or not yet.
    #[error("{message}")]
    Missing { title: &'static str, message: String },
    /// Only others may do this.
    #[error("{0}")]
    Forbidden(String),
    /// The request is invalid, or cannot be set up or played.
    #[error("{0}")]
    Setup(String),
    /// The table refused the action. Nothing has changed.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The request needs a finished game.
    #[error("the game is not over\nhint: come back when it is")]
    Playing,
    /// The change could not be stored and was discarded.
    #[error(
        "this could not be stored, and has not happened: {0}\nhint: try again; the operator should look at the disk"
    )]
    Unstored(String),
    /// The table is broken by an internal error.
    #[error("this table has ended by a bug in meeple: {0}\nhint: its record is kept; please report it")]
    Broken(String),
    /// The operator has closed the table.
    #[error("the operator of this server has ended this table: {0}\nhint: what was played is a replay")]
    Closed(String),
    #[error("too many replays are asked for at once\nhint: try again in a moment")]
    Busy,
    #[error("there is no replay '{0}' here\nhint: /replays shows those that are, and takes yours")]
    NoReplay(String),
    /// A replay is invalid, or the storage is full.
    #[error(transparent)]
    Upload(#[from] UploadError),
    /// An internal error outside of a table's state, for example while rendering.
    #[error("this cannot be shown, by a bug in meeple: {0}\nhint: please report it")]
    Fault(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Trouble {
    pub fn missing(title: &'static str, message: impl ToString) -> Self {
        Self::Missing { title, message: message.to_string() }
    }
}

pub type Answer = Result<Response, Trouble>;

/// A page with a form. A preset that does not exist is a 404.
pub fn shown_form(form: Result<Markup, EntryError>) -> Answer {
    form.map(|page| shown(&page)).map_err(|error| Trouble::missing("No such preset", error))
}

/// The answer to a form. If the user can correct the input, the form is shown again with the message.
pub fn or_form(done: Answer, form: impl FnOnce(&str) -> Result<Markup, EntryError>) -> Answer {
    match done {
        Err(Trouble::Setup(wrong) | Trouble::QueueFull(wrong)) => match form(&wrong) {
            Ok(page) => Ok((StatusCode::BAD_REQUEST, shown(&page)).into_response()),
            Err(error) => Ok(refusal(StatusCode::BAD_REQUEST, "No such preset", &error.to_string())),
        },
        done => done,
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let (status, title) = match &self {
            Self::Unknown(_) => (StatusCode::NOT_FOUND, "No such table"),
            Self::NoReplay(_) => (StatusCode::NOT_FOUND, "No such replay"),
            Self::Upload(UploadError::Full { .. }) => (StatusCode::INSUFFICIENT_STORAGE, "Storage full"),
            Self::Upload(_) => (StatusCode::BAD_REQUEST, "Invalid replay"),
            Self::Missing { title, .. } => (StatusCode::NOT_FOUND, *title),
            Self::Forbidden(_) => (StatusCode::FORBIDDEN, "Forbidden"),
            Self::QueueFull(_) => (StatusCode::SERVICE_UNAVAILABLE, "Server busy"),
            Self::Fault(_) => (StatusCode::INTERNAL_SERVER_ERROR, "A fault"),
            Self::Full { .. } => (StatusCode::SERVICE_UNAVAILABLE, "Server full"),
            Self::Busy => (StatusCode::SERVICE_UNAVAILABLE, "Server busy"),
            Self::UsedUp(_) => (StatusCode::TOO_MANY_REQUESTS, "Too many requests"),
            Self::Setup(_) => (StatusCode::BAD_REQUEST, "Invalid request"),
            Self::Refused(_) => (StatusCode::CONFLICT, "Refused"),
            Self::Playing => (StatusCode::CONFLICT, "Not yet"),
            Self::Unstored(_) => (StatusCode::SERVICE_UNAVAILABLE, "Not saved"),
            Self::Closed(_) => (StatusCode::GONE, "This table has ended"),
            Self::Broken(_) => (StatusCode::INTERNAL_SERVER_ERROR, "This table has ended"),
            Self::Store(_) => (StatusCode::INTERNAL_SERVER_ERROR, "Unreadable"),
        };
        refusal(status, title, &self.to_string())
    }
}
