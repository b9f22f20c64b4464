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
use crate::tables::thinking::Undecided;

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
    /// A limit of this visitor is reached.
    #[error("{0}")]
    UsedUp(String),
    /// Too many jobs wait, of all visitors.
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

impl From<Undecided> for Trouble {
    fn from(undecided: Undecided) -> Self {
        match undecided {
            Undecided::Fault(fault) => Self::Fault(fault),
            Undecided::Late | Undecided::Stuck | Undecided::Ended => {
                Self::Closed("its agents were stopped".to_owned())
            }
        }
    }
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

/// The answer to a form. If the user can correct it or try again, the form is shown again, with the message
/// above.
pub fn or_show_form(done: Answer, form: impl FnOnce(&str) -> Result<Markup, EntryError>) -> Answer {
    match done {
        Err(trouble @ (Trouble::Setup(_) | Trouble::QueueFull(_) | Trouble::UsedUp(_))) => {
            match form(&trouble.to_string()) {
                Ok(page) => Ok((trouble.status(), shown(&page)).into_response()),
                Err(error) => Ok(refusal(StatusCode::BAD_REQUEST, "No such preset", &error.to_string())),
            }
        }
        done => done,
    }
}

impl Trouble {
    /// The status of the response, of pages and of the API.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::Unknown(_)
            | Self::NoReplay(_)
            | Self::Missing { .. }
            | Self::Refused(Refused::NoSeat { .. }) => StatusCode::NOT_FOUND,
            Self::Setup(_) | Self::Refused(Refused::Agent(_)) => StatusCode::BAD_REQUEST,
            Self::Upload(UploadError::Full { .. }) => StatusCode::INSUFFICIENT_STORAGE,
            Self::Upload(_) => StatusCode::BAD_REQUEST,
            Self::Forbidden(_) => StatusCode::FORBIDDEN,
            Self::UsedUp(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::QueueFull(_) | Self::Full { .. } | Self::Busy | Self::Unstored(_) => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Refused(_) | Self::Playing => StatusCode::CONFLICT,
            Self::Closed(_) => StatusCode::GONE,
            Self::Fault(_) | Self::Broken(_) | Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn title(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "No such table",
            Self::NoReplay(_) => "No such replay",
            Self::Missing { title, .. } => title,
            Self::Setup(_) => "Invalid request",
            Self::Upload(UploadError::Full { .. }) => "Storage full",
            Self::Upload(_) => "Invalid replay",
            Self::Forbidden(_) => "Forbidden",
            Self::UsedUp(_) => "Too many requests",
            Self::QueueFull(_) | Self::Busy => "Server busy",
            Self::Full { .. } => "Server full",
            Self::Unstored(_) => "Not saved",
            Self::Refused(_) => "Refused",
            Self::Playing => "Not yet",
            Self::Closed(_) | Self::Broken(_) => "This table has ended",
            Self::Fault(_) => "A fault",
            Self::Store(_) => "Unreadable",
        }
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        refusal(self.status(), self.title(), &self.to_string())
    }
}
