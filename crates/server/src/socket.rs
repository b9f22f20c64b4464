//! A page's socket: frames as they come, answers, and nothing that was not stored.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use meeple_table::{Act, Refused};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::hub::{Change, Hosted, Hub, OwnedOrder, OwnedReply, Trouble};
use crate::pages::table::{Eyes, Parts};
use crate::wire::{Code, Do, FrameOnWire, FromPage, ToPage};

/// So many messages may come at once,
const CREDIT: f64 = 100.0;
/// and so many in a second for long.
const REFILL: f64 = 5.0;
/// Who says nothing for so long is gone: pages say something every ten seconds.
const SILENCE: Duration = Duration::from_secs(45);

/// Whether frames come as HTML of the page's parts, or as data for programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// For our own page.
    Html,
    /// For others.
    Data,
}

/// A frame for our own page.
#[derive(Serialize)]
struct PartsOnWire<'a> {
    r#type: &'static str,
    version: u64,
    revision: u64,
    drawing: &'a str,
    /// Whether the table waits for who looks at it.
    asked: bool,
    parts: Parts,
}

/// Serves a socket until it closes or the server ends.
pub async fn serve(
    hub: Arc<Hub>,
    hosted: Arc<Hosted>,
    eyes: Eyes,
    form: Form,
    mut socket: WebSocket,
    mut stop: watch::Receiver<bool>,
) {
    let mut changed = hosted.subscribe();
    let mut page = Page {
        hosted,
        eyes,
        form,
        sent: (0, 0),
        log: 0,
        greeted: false,
        told_elsewhere: false,
        told_rematch: false,
    };
    let mut credit = Credit::new();
    loop {
        let answers = tokio::select! {
            biased;
            () = stopped(&mut stop) => {
                drop(say(&mut socket, &ToPage::Leaving).await);
                let frame = CloseFrame { code: close_code::RESTART, reason: "the server ends".into() };
                drop(socket.send(Message::Close(Some(frame))).await);
                return;
            }
            heard = tokio::time::timeout(SILENCE, socket.recv()) => match heard {
                Ok(Some(Ok(Message::Text(text)))) if credit.spend() => page.hear(&hub, &text).await,
                Ok(Some(Ok(Message::Text(_) | Message::Binary(_)))) => {
                    vec![bad(None, Code::TooMany, "expected fewer or shorter messages\nhint: texts, a few in a second")]
                }
                Ok(Some(Ok(Message::Ping(_) | Message::Pong(_)))) => Vec::new(),
                _ => return,
            },
            // Whoever has not said hello is told nothing.
            told = changed.changed(), if page.greeted => match told {
                Ok(()) => page.told().await,
                Err(_) => return,
            },
        };
        for answer in answers {
            if socket.send(Message::Text(answer.into())).await.is_err() {
                return;
            }
        }
    }
}

/// Waits until the server is to end.
async fn stopped(stop: &mut watch::Receiver<bool>) {
    // Its other end is gone: the server has ended.
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
    eyes: Eyes,
    form: Form,
    /// Which moment and revision of its draft it was sent last.
    sent: (u64, u64),
    /// How many lines of the log it has.
    log: usize,
    greeted: bool,
    told_elsewhere: bool,
    told_rematch: bool,
}

impl Page {
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
            FromPage::Hello { since, revision, log } => {
                // Drafts do not outlast the server: another may have the same number now.
                let sent = if revision == 0 { (since, 0) } else { (0, 0) };
                (self.sent, self.log, self.greeted) = (sent, log, true);
                self.told().await
            }
            FromPage::Act { number, id, action, index } => match reply(action, index) {
                Some(reply) => self.do_as_told(hub, number, id, Doing::Act(reply)).await,
                None => vec![no_reply(&id)],
            },
            FromPage::Draft { number, steps, id, r#do, action, index } => {
                let change = match r#do {
                    Do::Step => match reply(action, index) {
                        Some(reply) => Change::Step(reply),
                        None => return vec![no_reply(&id)],
                    },
                    Do::Undo => Change::Undo,
                    Do::Drop => Change::Drop,
                    Do::Commit => Change::Commit,
                };
                self.do_as_told(hub, number, id, Doing::Draft(steps, change)).await
            }
        }
    }

    async fn do_as_told(&mut self, hub: &Arc<Hub>, number: u64, id: String, doing: Doing) -> Vec<String> {
        let Some(seat) = self.eyes.seat else {
            return vec![bad(
                Some(&id),
                Code::NotYours,
                "expected somebody with a seat, found somebody who watches",
            )];
        };
        let done = match doing {
            Doing::Act(reply) => hub.act(&self.hosted, seat, number, id.clone(), reply).await,
            Doing::Draft(steps, what) => {
                hub.draft(&self.hosted, seat, OwnedOrder { number, steps, id: id.clone(), what }).await
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
                // What the page shows may be old: it is shown everything anew.
                self.sent = (0, 0);
                let refused = bad(Some(&id), code(&trouble), trouble.to_string());
                std::iter::once(refused).chain(self.news().await).collect()
            }
        }
    }

    /// Everything that it has not been told.
    async fn told(&mut self) -> Vec<String> {
        let rematch = self.rematch();
        let news = self.news().await;
        news.into_iter().chain(self.elsewhere().await).chain(rematch).collect()
    }

    /// Where the game goes on, told once.
    fn rematch(&mut self) -> Option<String> {
        if self.told_rematch || self.hosted.next().is_none() {
            return None;
        }
        self.told_rematch = true;
        // The frame is the same, but the page has a link more.
        self.sent = (0, 0);
        let address = format!("/t/{}/next", self.hosted.row.id);
        Some(text(&ToPage::Rematch { address: &address }))
    }

    /// The frame, if the page has not been sent it.
    async fn news(&mut self) -> Option<String> {
        let shown = match self.hosted.shown(self.eyes.seat).await {
            Ok(shown) => shown,
            Err(trouble) => return Some(bad(None, Code::Internal, trouble.to_string())),
        };
        let frame = &shown.frame;
        if shown.moment() == self.sent {
            return None;
        }
        let known = std::mem::replace(&mut self.log, frame.log.len());
        self.sent = shown.moment();
        Some(match self.form {
            Form::Data => text(&ToPage::Frame(FrameOnWire::new(frame, known))),
            Form::Html => text(&PartsOnWire {
                r#type: "frame",
                version: frame.version,
                drawing: &frame.drawing,
                revision: shown.moment().1,
                asked: frame.ask.is_some() || frame.draft.is_some(),
                parts: Parts::of(&self.hosted, frame, &self.eyes),
            }),
        })
    }

    /// Whether another seat of this browser is waited for, told once.
    async fn elsewhere(&mut self) -> Option<String> {
        let asked = match self.eyes.held.len() {
            0 | 1 => None,
            _ => self.hosted.asked(&self.eyes.held).await.ok()?,
        };
        let other = asked.is_some() && asked != self.eyes.seat && self.eyes.seat.is_some();
        let is_new = other && !self.told_elsewhere;
        self.told_elsewhere = other;
        is_new.then(|| text(&ToPage::Elsewhere))
    }
}

/// What somebody with a seat does.
enum Doing {
    Act(OwnedReply),
    /// To a draft of so many steps.
    Draft(usize, Change),
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
        _ => Code::Internal,
    }
}

/// A bucket of messages.
struct Credit {
    left: f64,
    at: Instant,
}

impl Credit {
    fn new() -> Self {
        Self { left: CREDIT, at: Instant::now() }
    }

    fn spend(&mut self) -> bool {
        let now = Instant::now();
        self.left = (self.left + (now - self.at).as_secs_f64() * REFILL).min(CREDIT);
        self.at = now;
        let may = self.left >= 1.0;
        self.left -= f64::from(u8::from(may));
        may
    }
}
