//! Uploads in the API.

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::{get, post};

use crate::api::answers::{Answer, Refusal, json, json_text};
use crate::api::messages::{Code, Named};
use crate::app::App;
use crate::limits::party;
use crate::replays::recorded::{MAX_BODY, Recorded};

pub fn routes() -> Router<App> {
    Router::new()
        .route("/replays", post(upload).layer(DefaultBodyLimit::max(MAX_BODY)))
        .route("/replays/{replay}", get(uploaded))
}

/// Time limit for receiving an upload.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(30);

async fn upload(State(app): State<App>, request: axum::extract::Request) -> Answer {
    // Permits bound the number of bodies that arrive, or wait in memory for a thread.
    let Some(_permit) = app.upload_permits.try_take(party::current(), 1) else {
        let busy = "too many replays are being sent just now\nhint: try again in a moment";
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, Code::TooMany, busy));
    };
    let body =
        tokio::time::timeout(UPLOAD_TIMEOUT, axum::body::to_bytes(request.into_body(), MAX_BODY)).await;
    let late = || Refusal::wrong("expected a whole file, found a part of it");
    let long = |_| {
        let text = format!(
            "expected at most {MAX_BODY} bytes, found more\nhint: a replay can be compressed with gzip"
        );
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, Code::TooMany, &text)
    };
    let bytes = body.map_err(|_| late())?.map_err(long)?;
    if bytes.is_empty() {
        return Err(Refusal::wrong("expected a replay, found an empty body"));
    }
    let id = app.hub.upload(bytes.into()).await?;
    Ok((StatusCode::CREATED, json(&Named { id })).into_response())
}

async fn uploaded(State(app): State<App>, Path(id): Path<String>) -> Answer {
    match app.recorded(&id).await? {
        Recorded::Ours { replay, .. } => Ok(json_text(replay.to_text())),
        Recorded::Foreign { text: record, .. } => {
            Ok(([(CONTENT_TYPE, "application/octet-stream")], record.to_string()).into_response())
        }
    }
}
