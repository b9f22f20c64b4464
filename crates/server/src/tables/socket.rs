//! The socket of a table's page: frames, and responses to actions. Nothing is sent before it is stored.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use meeple_table::{Act, Change, Frame, FrameId, Patch, Refused, mark};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::members::accounts::{Accounts, Member};
use crate::tables::away::OpenPage;
use crate::tables::hosted::{Hosted, News};
use crate::tables::hub::{DraftChange, Hub, OwnedDraftOrder, OwnedReply};
use crate::tables::pages::pieces::Pieces;
use crate::tables::pages::table::{BrowserView, Parts, log};
use crate::tables::wire::{Code, Do, FrameOnWire, FromPage, SeatTime, ToPage};
use crate::trouble::Trouble;

/// Capacity of a socket's token bucket, in messages.
const BUCKET_CAPACITY: f64 = 100.0;
/// Refill rate of the token bucket, in messages per second.
const REFILL_PER_S: f64 = 5.0;
/// A socket is closed after this time without a message. Pages send a message every ten seconds.
const IDLE_TIMEOUT: Duration = Duration::from_secs(45);

/// Messages shorter than this, in bytes, are sent uncompressed.
const MIN_COMPRESSED_BYTES: usize = 512;

/// The form of frames: HTML of the page's parts, or data for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Html,
    Data,
}

/// Frames and patches for our own page, in place of those of [`ToPage`].
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum ToOwnPage<'a> {
    /// The whole frame.
    Frame(PageFrame<'a>),
    /// The changes since the last frame.
    Patch(PagePatch<'a>),
}

/// A frame for our own page.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageFrame<'a> {
    version: u64,
    revision: u64,
    drawing: &'a str,
    text: &'a str,
    log: String,
    /// True if the table waits for the viewer.
    asked: bool,
    parts: Parts,
}

/// A patch for our own page.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PagePatch<'a> {
    since: u64,
    version: u64,
    revision: u64,
    drawing: &'a [Change],
    text: &'a [Change],
    log_from: usize,
    log: String,
    /// Absent if another patch follows at once.
    #[serde(flatten)]
    last: Option<Last>,
}

/// The parts of the frame that the patches lead to.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Last {
    asked: bool,
    parts: SomeParts,
}

/// The changed parts of a page.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SomeParts {
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ask: Option<String>,
    /// In place of `ask`: changes to the last question sent while the table waited for the viewer, the last
    /// change first. Every piece of text begins where an element begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    ask_changes: Option<Vec<Change>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    players: Option<String>,
}

/// Serves a socket until it closes or the server shuts down.
pub async fn serve(
    hub: Arc<Hub>,
    hosted: Arc<Hosted>,
    view: BrowserView,
    form: Form,
    mut socket: WebSocket,
    mut stop: watch::Receiver<bool>,
    login: Option<(Member, Arc<Accounts>)>,
) {
    // A member's seat stays with the socket while the member is logged in.
    let is_in = || login.as_ref().is_none_or(|(member, accounts)| accounts.is_in(member));
    let mut changed = hosted.subscribe();
    let _open = OpenPage::new(&hub, &hosted, &view.held);
    let mut page = Page {
        hosted,
        view,
        form,
        sent: (0, 0),
        log: 0,
        parts: None,
        question: None,
        greeted: false,
        packed: false,
        pieces: false,
        sent_elsewhere: false,
        sent_rematch: false,
    };
    let mut bucket = MessageBucket::new();
    loop {
        let answers = tokio::select! {
            biased;
            () = stopped(&mut stop) => {
                drop(say(&mut socket, &ToPage::Leaving).await);
                let frame = CloseFrame { code: close_code::RESTART, reason: "the server ends".into() };
                drop(socket.send(Message::Close(Some(frame))).await);
                return;
            }
            heard = tokio::time::timeout(IDLE_TIMEOUT, socket.recv()) => match heard {
                Ok(Some(Ok(Message::Text(_)))) if !is_in() => return,
                Ok(Some(Ok(Message::Text(text)))) if bucket.spend() && hub.may_write() => page.hear(&hub, &text).await,
                Ok(Some(Ok(Message::Text(_) | Message::Binary(_)))) => {
                    vec![bad(None, Code::TooMany, "expected fewer or shorter messages\nhint: texts, a few in a second")]
                }
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => Vec::new(),
                _ => return,
            },
            // Nothing is sent before the client's hello.
            change = changed.changed(), if page.greeted => match change {
                Ok(()) => page.updates().await,
                Err(_) => return,
            },
        };
        if !is_in() {
            return;
        }
        for answer in answers {
            // Messages wait for the reader and are not queued: a slow reader gets the current state next.
            if socket.send(page.message(answer)).await.is_err() {
                return;
            }
        }
    }
}

async fn stopped(stop: &mut watch::Receiver<bool>) {
    // The sender is gone if the server has ended.
    drop(stop.wait_for(|stop| *stop).await);
}

async fn say(socket: &mut WebSocket, message: &ToPage<'_>) -> Result<(), axum::Error> {
    socket.send(Message::Text(text(message).into())).await
}

fn text(message: &impl Serialize) -> String {
    serde_json::to_string(message).expect("messages are JSON")
}

fn bad(id: Option<&str>, code: Code, message: impl Into<String>) -> String {
    text(&ToPage::Bad { id, code, message: message.into() })
}

struct Page {
    hosted: Arc<Hosted>,
    view: BrowserView,
    form: Form,
    /// The version and the draft's revision that were sent last.
    sent: FrameId,
    /// Number of log lines sent.
    log: usize,
    /// Hashes of the parts sent last: status, question, players.
    parts: Option<[u64; 3]>,
    /// The last question sent while the table waited for the viewer.
    question: Option<Pieces>,
    greeted: bool,
    /// True if the client accepts compressed messages.
    packed: bool,
    /// True if the client accepts a question as changes of the last one.
    pieces: bool,
    sent_elsewhere: bool,
    sent_rematch: bool,
}

impl Page {
    /// Encodes a text, compressed if it is long and the client accepts that.
    fn message(&self, text: String) -> Message {
        if !self.packed || text.len() < MIN_COMPRESSED_BYTES {
            return Message::Text(text.into());
        }
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        let packed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        Message::Binary(packed.expect("a list takes all bytes").into())
    }

    async fn hear(&mut self, hub: &Arc<Hub>, message: &str) -> Vec<String> {
        let message = match serde_json::from_str(message) {
            Ok(message) => message,
            Err(error) => {
                return vec![bad(
                    None,
                    Code::InvalidMessage,
                    format!("expected a message of the page: {error}"),
                )];
            }
        };
        match message {
            FromPage::Ping => vec![text(&ToPage::Pong)],
            FromPage::Hello { since, revision, log, packed, pieces } => {
                // A restart of the server loses drafts, and another draft may have the same revision now.
                let sent = if revision == 0 { (since, 0) } else { (0, 0) };
                (self.sent, self.log, self.greeted) = (sent, log, true);
                (self.packed, self.pieces) = (packed, pieces);
                self.updates().await
            }
            FromPage::Act { number, id, action, index } => match reply(action, index) {
                Some(reply) => self.carry_out(hub, number, id, SeatRequest::Act(reply)).await,
                None => vec![no_reply(&id)],
            },
            FromPage::Draft { number, steps, id, r#do, action, index } => {
                let change = match r#do {
                    Do::Step => match reply(action, index) {
                        Some(reply) => DraftChange::Step(reply),
                        None => return vec![no_reply(&id)],
                    },
                    Do::Undo => DraftChange::Undo,
                    Do::Drop => DraftChange::Drop,
                    Do::Commit => DraftChange::Commit,
                };
                self.carry_out(hub, number, id, SeatRequest::Draft(steps, change)).await
            }
        }
    }

    async fn carry_out(
        &mut self,
        hub: &Arc<Hub>,
        number: u64,
        id: String,
        request: SeatRequest,
    ) -> Vec<String> {
        let Some(seat) = self.view.seat else {
            return vec![bad(
                Some(&id),
                Code::NotYours,
                "expected somebody with a seat, found somebody who watches",
            )];
        };
        let done = match request {
            SeatRequest::Act(reply) => hub.act(&self.hosted, seat, number, id.clone(), reply).await,
            SeatRequest::Draft(steps, what) => {
                hub.draft(&self.hosted, seat, OwnedDraftOrder { number, steps, id: id.clone(), what }).await
            }
        };
        match done {
            Ok(act) => vec![text(&ToPage::Ack {
                id: &id,
                repeated: act == Act::Repeated,
                drafted: act == Act::Drafted,
                stopped: if let Act::Stopped { taken } = act { Some(taken) } else { None },
            })],
            Err(trouble) => {
                // The page may show an old state, so it is sent a full frame.
                self.sent = (0, 0);
                let refused = bad(Some(&id), code(&trouble), trouble.to_string());
                std::iter::once(refused).chain(self.news().await).collect()
            }
        }
    }

    /// All unsent changes.
    async fn updates(&mut self) -> Vec<String> {
        let rematch = self.rematch();
        let news = self.news().await;
        news.into_iter().chain(self.elsewhere().await).chain(rematch).collect()
    }

    fn rematch(&mut self) -> Option<String> {
        if self.sent_rematch || self.hosted.next().is_none() {
            return None;
        }
        self.sent_rematch = true;
        // The frame has the same version, but the page has a new link.
        self.sent = (0, 0);
        let address = format!("/t/{}/next", self.hosted.row.id);
        Some(text(&ToPage::Rematch { address: &address }))
    }

    /// Patches since the last message. A page without a frame, or with an old one, gets the full frame.
    async fn news(&mut self) -> Vec<String> {
        let (frame, mut news) = match self.hosted.news(self.view.seat, self.sent).await {
            Ok(News::Patches(frame, patches)) => {
                let news = self.patches(&frame, &patches);
                (frame, news)
            }
            Ok(News::Frame(frame)) => {
                if frame.you != self.view.seat {
                    // The player has left the seat, here or in another tab.
                    self.view.held.retain(|seat| Some(*seat) != self.view.seat);
                    self.view.seat = None;
                }
                let news = vec![self.frame(&frame)];
                (frame, news)
            }
            Ok(News::Nothing) => return Vec::new(),
            Err(trouble) => return vec![bad(None, Code::Internal, trouble.to_string())],
        };
        // Our own page gets clocks as part of the players.
        if self.form == Form::Data
            && !news.is_empty()
            && let Some(seats) = SeatTime::of(&self.hosted, &frame)
        {
            news.push(text(&ToPage::Clock { seats: &seats }));
        }
        news
    }

    fn frame(&mut self, frame: &Frame) -> String {
        let known = std::mem::replace(&mut self.log, frame.log.len());
        self.sent = frame.moment();
        match self.form {
            Form::Data => text(&ToPage::Frame(FrameOnWire::new(frame, known))),
            Form::Html => {
                let parts = Parts::of(&self.hosted, frame, &self.view);
                self.parts = Some(marks(&parts));
                if self.pieces && is_asked(frame) {
                    self.question = Some(Pieces::of(&parts.ask));
                }
                text(&ToOwnPage::Frame(PageFrame {
                    version: frame.version,
                    revision: frame.moment().1,
                    drawing: &frame.drawing,
                    text: &frame.text,
                    log: log(&frame.log).into_string(),
                    asked: is_asked(frame),
                    parts,
                }))
            }
        }
    }

    fn patches(&mut self, frame: &Frame, patches: &[Arc<Patch>]) -> Vec<String> {
        self.log = frame.log.len();
        self.sent = frame.moment();
        if self.form == Form::Data {
            return patches.iter().map(|patch| text(&ToPage::Patch(patch))).collect();
        }
        let page_patch = |(index, patch): (usize, &Arc<Patch>)| {
            let last = (index + 1 == patches.len()).then(|| self.last(frame));
            text(&ToOwnPage::Patch(PagePatch {
                since: patch.since,
                version: patch.version,
                revision: patch.revision,
                drawing: &patch.drawing,
                text: &patch.text,
                log_from: patch.log_from,
                log: log(&patch.log).into_string(),
                last,
            }))
        };
        patches.iter().enumerate().map(page_patch).collect()
    }

    fn last(&mut self, frame: &Frame) -> Last {
        let parts = Parts::of(&self.hosted, frame, &self.view);
        let now = marks(&parts);
        let before = self.parts.replace(now);
        let changed = |index: usize| before.is_none_or(|before| before[index] != now[index]);
        let asked = is_asked(frame);
        let Parts { status, ask, players } = parts;
        let mut ask_changes = None;
        if self.pieces && changed(1) && asked {
            ask_changes = self.question.as_ref().and_then(|question| question.changes(&ask));
            self.question = Some(Pieces::of(&ask));
        }
        let parts = SomeParts {
            status: changed(0).then_some(status),
            ask: (changed(1) && ask_changes.is_none()).then_some(ask),
            ask_changes,
            players: changed(2).then_some(players),
        };
        Last { asked, parts }
    }

    /// The notice that another seat of this browser owes a decision. It is sent once while that lasts.
    async fn elsewhere(&mut self) -> Option<String> {
        let asked = match self.view.held.len() {
            0 | 1 => None,
            _ => self.hosted.asked(&self.view.held).await.ok()?,
        };
        let other = asked.is_some() && asked != self.view.seat && self.view.seat.is_some();
        let is_new = other && !self.sent_elsewhere;
        self.sent_elsewhere = other;
        is_new.then(|| text(&ToPage::Elsewhere))
    }
}

/// Returns true if the table waits for the viewer.
fn is_asked(frame: &Frame) -> bool {
    frame.ask.is_some() || frame.draft.is_some()
}

/// Hashes of the parts, which would take too much memory for thousands of sockets themselves.
fn marks(parts: &Parts) -> [u64; 3] {
    [&parts.status, &parts.ask, &parts.players].map(mark)
}

enum SeatRequest {
    Act(OwnedReply),
    /// The number of steps in the draft, and its change.
    Draft(usize, DraftChange),
}

fn reply(action: Option<String>, index: Option<usize>) -> Option<OwnedReply> {
    match (action, index) {
        (Some(action), None) => Some(OwnedReply::Text(action)),
        (None, Some(index)) => Some(OwnedReply::Index(index)),
        _ => None,
    }
}

fn no_reply(id: &str) -> String {
    bad(Some(id), Code::InvalidMessage, "expected either an action or an index")
}

fn code(trouble: &Trouble) -> Code {
    match trouble {
        Trouble::Refused(Refused::Stale(_) | Refused::Moved { .. } | Refused::NoDraft) => Code::Stale,
        Trouble::Refused(Refused::Illegal(_) | Refused::Unconfirmed | Refused::LongDraft { .. }) => {
            Code::InvalidMove
        }
        Trouble::Refused(_) => Code::NotYours,
        Trouble::UsedUp(_) => Code::TooMany,
        _ => Code::Internal,
    }
}

/// A token bucket of messages.
struct MessageBucket {
    left: f64,
    at: Instant,
}

impl MessageBucket {
    fn new() -> Self {
        Self { left: BUCKET_CAPACITY, at: Instant::now() }
    }

    fn spend(&mut self) -> bool {
        let now = Instant::now();
        self.left = (self.left + (now - self.at).as_secs_f64() * REFILL_PER_S).min(BUCKET_CAPACITY);
        self.at = now;
        let may = self.left >= 1.0;
        self.left -= f64::from(u8::from(may));
        may
    }
}
