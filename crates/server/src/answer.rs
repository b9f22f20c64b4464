//! State that all handlers share, and their responses.

use std::convert::Infallible;
use std::sync::Arc;

use axum::http::header::SET_COOKIE;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::Markup;
use tokio::sync::{Semaphore, mpsc, watch};

use crate::accounts::{Accounts, Member};
use crate::competition;
use crate::hub::{Hosted, Hub, Trouble};
use crate::jobs::{Job, Jobs};
use crate::log::Log;
use crate::operation::Operation;
use crate::recorded::{Recorded, UploadError};
use crate::{pages, visitor};

#[derive(Clone)]
pub struct App {
    pub hub: Arc<Hub>,
    pub jobs: Arc<Jobs>,
    pub competitions: Arc<competition::Jobs>,
    pub operation: Arc<Operation>,
    /// Members; `None` if the server has no accounts.
    pub accounts: Option<Arc<Accounts>>,
    pub log: Log,
    pub upload_places: Arc<Semaphore>,
    pub stop: watch::Receiver<bool>,
    /// A liveness token that sends nothing. Shutdown waits until all clones are dropped.
    pub alive: mpsc::Sender<Infallible>,
}

impl App {
    /// Finds a run of the laboratory, in memory or in the file.
    pub async fn job(&self, id: &str) -> Result<Option<Arc<Job>>, Trouble> {
        if let Some(job) = self.jobs.find(id) {
            return Ok(Some(job));
        }
        Ok(self.hub.stored_job(id).await?.map(|job| self.jobs.keep(job)))
    }

    /// Finds a replay by its name: an upload, a table that is over, or an episode of a competition or run.
    pub async fn recorded(&self, name: &str) -> Result<Recorded, Trouble> {
        if let Some((run, index)) = name.split_once('.')
            && let Some(job) = self.job(run).await?
        {
            return self.hub.episode_of_run(name, &job.plan, index).await;
        }
        self.hub.recorded(name).await
    }

    /// The member who is logged in with this request's cookie.
    pub fn member(&self, headers: &HeaderMap) -> Option<Member> {
        visitor::member(headers, self.accounts.as_deref()?)
    }
}

pub fn shown(page: &Markup) -> Response {
    Html(page.0.clone()).into_response()
}

pub fn refusal(status: StatusCode, title: &str, message: &str) -> Response {
    (status, Html(pages::trouble(title, message, "/").0)).into_response()
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        let (status, title) = match &self {
            Self::Unknown(_) => (StatusCode::NOT_FOUND, "No such table"),
            Self::NoReplay(_) => (StatusCode::NOT_FOUND, "No such replay"),
            Self::Upload(UploadError::Full { .. }) => (StatusCode::INSUFFICIENT_STORAGE, "Storage full"),
            Self::Upload(_) => (StatusCode::BAD_REQUEST, "Invalid replay"),
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

pub type Answer = Result<Response, Trouble>;

/// Redirects to a table and sets the cookie with the keys to its seats.
pub fn with_keys(hosted: &Hosted, keys: &[(usize, String)]) -> Response {
    let mut response = Redirect::to(&format!("/t/{}", hosted.row.id)).into_response();
    if !keys.is_empty() {
        let texts: Vec<&str> = keys.iter().map(|(_, key)| key.as_str()).collect();
        let cookie = visitor::cookie(&hosted.row.id, &texts);
        response.headers_mut().insert(SET_COOKIE, HeaderValue::from_str(&cookie).expect("keys are letters"));
    }
    response
}
