//! A load generator for servers of Meeple: many tables, each played and watched through sockets like those of
//! its web pages.
//!
//! It measures the size of messages and the latency of answers, to their acknowledgement and to the last
//! viewer's frame. For a server that it starts itself, it also measures processor time and memory.
//!
//! It records every acknowledged answer, and checks every question and every replay against these records.
//! With [`LoadPlan::kills`] it kills its server at random moments.
//!
//! It runs on one thread, so that it takes little of the measured machine.
//!
//! The crate is at the edge of the program: it uses the network, a clock, processes and files.
#![allow(clippy::disallowed_methods)]

mod beside;
mod histogram;
mod http;
mod messages;
mod own;
mod plan;
mod report;
mod socket;
mod table;

use std::net::{SocketAddr, ToSocketAddrs};
use std::rc::Rc;
use std::time::Duration;

use meeple_core::{EpisodeSeed, Stream};
use thiserror::Error;
use tokio::runtime::Builder;
use tokio::sync::mpsc::unbounded_channel;
use tokio::sync::{mpsc, watch};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::{Instant, sleep, timeout};

pub use crate::histogram::{LatencyHistogram, Percentiles};
use crate::http::ServerAddress;
use crate::messages::ServerMessage;
use crate::own::Own;
pub use crate::own::ServerCommand;
pub use crate::plan::{
    Beside, Breaks, LoadPlan, MAX_DURATION, MAX_KILLS, MAX_SOCKETS, MAX_TABLES, PlanError,
};
use crate::report::ServerUse;
pub use crate::report::{BesideReport, Counts, Latencies, LoadReport, LoadSetting, ServerReport, Sizes};
use crate::socket::{Heard, PING, Socket, TableSocket};
use crate::table::{LoadContext, LoadPhase, open_idle, play};

/// Timeout for all games to end, and for the next acknowledged answer before a kill.
const END_TIMEOUT: Duration = Duration::from_secs(600);
/// Polling interval for the number of answers.
const LOOK: Duration = Duration::from_millis(5);
/// Timeout for all idle sockets to receive their first message.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Clone, Debug)]
pub enum LoadTarget {
    /// A running server: `HOST:PORT`, or `http://HOST:PORT`.
    Running {
        address: String,
        reach: Reach,
    },
    Own(ServerCommand),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    Loopback,
    Anywhere,
}

/// Reasons why nothing could be measured.
#[derive(Debug, Error)]
pub enum LoadError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error("'{address}': expected an address as 127.0.0.1:8017 or http://127.0.0.1:8017/: {reason}")]
    Address { address: String, reason: String },
    /// The address is of another machine.
    #[error(
        "{0} is another machine\nhint: a load test keeps other users from a server; if it is yours, say --anywhere"
    )]
    Elsewhere(SocketAddr),
    /// Only a server that the test has started itself can be killed.
    #[error(
        "expected no address, to kill a server of its own, found {0}\nhint: leave the address or --kill away"
    )]
    NotOurs(String),
    #[error("{0}")]
    Server(#[from] std::io::Error),
    /// Nothing could be measured, for example because no table could be opened.
    #[error("{0}")]
    Nothing(String),
}

impl LoadError {
    /// True if the request was invalid.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::Server(_) | Self::Nothing(_))
    }
}

/// A signal that ends a run early. Its clones are the same signal.
#[derive(Clone)]
pub struct StopSignal(watch::Sender<bool>);

impl Default for StopSignal {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl StopSignal {
    /// Ends the run. [`run`] then returns the measurements so far.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// Plays tables by the plan, and returns the measurements.
pub fn run(plan: &LoadPlan, target: LoadTarget, stop: &StopSignal) -> Result<LoadReport, LoadError> {
    plan.check()?;
    let (place, own) = match target {
        LoadTarget::Running { address, .. } if plan.kills > 0 => return Err(LoadError::NotOurs(address)),
        LoadTarget::Running { address, reach } => (place(&address, reach)?, None),
        LoadTarget::Own(command) => {
            // The limit leaves room for tables that are over, which stay in memory for a while.
            let own = Own::start(command, plan.tables * 4 + 16)?;
            (ServerAddress { address: own.address, host: own.address.to_string() }, Some(own))
        }
    };
    let runtime = Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, drive(plan, place, own, stop))
}

fn place(text: &str, reach: Reach) -> Result<ServerAddress, LoadError> {
    let wrong = |reason: String| LoadError::Address { address: text.to_owned(), reason };
    if text.starts_with("https:") {
        return Err(wrong("no TLS is spoken here; name the server behind the proxy".to_owned()));
    }
    let host = text.strip_prefix("http://").unwrap_or(text).trim_end_matches('/');
    let found = host.to_socket_addrs().map_err(|error| wrong(error.to_string()))?.next();
    let address = found.ok_or_else(|| wrong("it has no number".to_owned()))?;
    if reach == Reach::Loopback && !address.ip().is_loopback() {
        return Err(LoadError::Elsewhere(address));
    }
    Ok(ServerAddress { address, host: host.to_owned() })
}

async fn drive(
    plan: &LoadPlan,
    place: ServerAddress,
    mut own: Option<Own>,
    stop: &StopSignal,
) -> Result<LoadReport, LoadError> {
    let phase = watch::Sender::new(LoadPhase::Opening);
    let around = Rc::new(LoadContext::new(plan.clone(), place, phase.subscribe()));
    let mut stopped = stop.0.subscribe();
    let mut tables = JoinSet::new();
    let (opening, mut opened) = mpsc::channel(1);
    for number in 0..plan.tables {
        tables.spawn_local(play(Rc::clone(&around), number, opening.clone()));
    }
    drop(opening);
    tokio::select! {
        // Nothing is ever sent: the channel closes when all tables have dropped their senders.
        _ = opened.recv() => {}
        _ = stopped.wait_for(|stop| *stop) => {}
    }
    if around.measured.borrow().counts.opened == 0 {
        let why = std::mem::take(&mut *around.measured.borrow_mut()).report(
            plan.setting(),
            Duration::ZERO,
            None,
            None,
        );
        let first = why.first_errors.into_iter().next();
        return Err(LoadError::Nothing(
            first.unwrap_or_else(|| "stopped before a table was open".to_owned()),
        ));
    }
    let mut used = ServerUse::default();
    let idle = idle_sockets(&around, own.as_ref(), &mut used).await?;

    let cpu = own.as_ref().and_then(Own::cpu);
    let began = Instant::now();
    phase.send_replace(LoadPhase::Playing);
    let mut company = None;
    match (&mut own, &plan.beside) {
        (own, Some(beside)) => {
            let turns = beside::in_turns(&around, beside, own.as_ref(), &mut used);
            tokio::select! {
                both = turns => company = Some(both.map_err(LoadError::Nothing)?),
                _ = stopped.wait_for(|stop| *stop) => {}
            }
        }
        (Some(own), None) if plan.kills > 0 => {
            kill_now_and_then(&around, own, &mut used, &mut stopped).await?
        }
        _ => {
            let enough = async {
                while plan
                    .answers
                    .is_none_or(|answers| around.measured.borrow().counts.acknowledged < answers)
                {
                    sleep(LOOK).await;
                }
            };
            tokio::select! {
                () = sleep(plan.time) => {}
                () = enough => {}
                _ = stopped.wait_for(|stop| *stop) => {}
            }
            if let (Some(own), Some(before)) = (&own, cpu) {
                used.cpu = own.cpu().map(|after| after.saturating_sub(before));
            }
        }
    }
    if around.breaks {
        // Acknowledged answers are checked against the replays of finished games.
        phase.send_replace(LoadPhase::Finishing);
        let to_the_end = async { while tables.join_next().await.is_some() {} };
        let ended = tokio::select! {
            ended = timeout(END_TIMEOUT, to_the_end) => ended.is_ok(),
            _ = stopped.wait_for(|stop| *stop) => true,
        };
        if !ended {
            around.measured.borrow_mut().error("endless", "games did not come to their end");
        }
    }
    let played = began.elapsed();
    if let Some(own) = &own {
        (used.memory, used.peak) = own.memory();
    }
    phase.send_replace(LoadPhase::Over);
    while tables.join_next().await.is_some() {}
    drop(idle);
    let measured = std::mem::take(&mut *around.measured.borrow_mut());
    Ok(measured.report(plan.setting(), played, company, own.map(|_| used)))
}

/// Opens the idle sockets, and measures the server's memory per socket.
async fn idle_sockets(
    around: &LoadContext,
    own: Option<&Own>,
    used: &mut ServerUse,
) -> Result<Vec<Socket>, LoadError> {
    let count = around.plan.idle;
    if count == 0 {
        return Ok(Vec::new());
    }
    let path = open_idle(around).await.map_err(LoadError::Nothing)?;
    let (sender, mut heard) = unbounded_channel();
    let mut seat = TableSocket { path, cookie: None, since: 0 };
    // The first socket loads its frame like a page. All others send the version of that frame, and receive no
    // frame.
    let first = Socket::open(&around.place, seat.clone(), 0, sender.clone());
    let mut sockets = vec![first];
    let all = async {
        while let Some((_, event)) = heard.recv().await {
            if let Heard::Message { text, .. } = event {
                seat.since =
                    serde_json::from_str::<ServerMessage<'_>>(&text).map_or(0, |message| message.version);
                break;
            }
        }
        let before = memory(own);
        let mut there = 0;
        for number in 1..=count {
            let socket = Socket::open(&around.place, seat.clone(), number, sender.clone());
            socket.say(PING.to_owned());
            sockets.push(socket);
            // At most 64 sockets wait at once, because the system's backlog of incoming connections is
            // limited.
            while number >= there + 64 || number == count && there < count {
                there += usize::from(matches!(heard.recv().await, Some((_, Heard::Message { .. }))));
            }
        }
        before
    };
    match timeout(IDLE_TIMEOUT, all).await {
        Ok(before) => {
            let more = before.zip(memory(own)).map(|(before, after)| after.saturating_sub(before));
            used.idle_socket = more.map(|more| more as f64 / count as f64);
        }
        Err(_) => around.measured.borrow_mut().error("idle", "idle sockets were not answered"),
    }
    // Later messages are ignored.
    tokio::task::spawn_local(async move { while heard.recv().await.is_some() {} });
    Ok(sockets)
}

fn memory(own: Option<&Own>) -> Option<u64> {
    own.and_then(|own| own.memory().0)
}

/// Kills the server `kills` times, each after a random number of answers, and restarts it.
async fn kill_now_and_then(
    around: &LoadContext,
    own: &mut Own,
    used: &mut ServerUse,
    stopped: &mut watch::Receiver<bool>,
) -> Result<(), LoadError> {
    let mut moments: Stream = EpisodeSeed::new(around.plan.seed, u64::MAX).agent(meeple_core::Seat::new(0));
    for _ in 0..around.plan.kills {
        let acknowledged = || around.measured.borrow().counts.acknowledged;
        let wanted = acknowledged() + 1 + u64::from(moments.below(2 * around.plan.tables as u32));
        let enough = async {
            while acknowledged() < wanted {
                // The random pause is short compared to the latency of an answer, so the kill can hit any
                // moment of it.
                sleep(Duration::from_micros(100 + u64::from(moments.below(3000)))).await;
            }
        };
        tokio::select! {
            enough = timeout(END_TIMEOUT, enough) => if enough.is_err() {
                return Err(LoadError::Nothing("no answer was acknowledged any more".to_owned()));
            },
            _ = stopped.wait_for(|stop| *stop) => return Ok(()),
        }
        let before = Instant::now();
        around.restarted.replace(Some(before));
        own.kill_and_start()?;
        used.kills += 1;
    }
    Ok(())
}
