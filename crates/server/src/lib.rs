//! The web server of Meeple: tables at which people and agents play.
//!
//! One program, one port, one database file. Pages work without scripts; with scripts, a socket updates their
//! parts. Pages contain no rules: drawings, actions and texts come from the games through [`meeple_table`].
//!
//! The server is an edge of the workspace: it uses the network, a clock, threads and a file.
//!
//! Every feature has a folder. Files with the same name have the same role: `store` reads and writes the
//! feature's rows of the database file. `hub` works with tables and the file. `routes` and `pages` make its
//! pages, and `api` and `messages` its part of the JSON API. Each folder uses those below it:
//!
//! - `http`: connections, middleware and the router, which joins the routes of all features;
//! - `operator`: current activity, closed tables, bans;
//! - `competitions`: tournaments that the server plays, and directories that the operator shows;
//! - `laboratory`: runs, sweeps and questions;
//! - `replays`: uploads, finished tables, and episodes of competitions and runs;
//! - `tables`: tables in memory with agents and clocks, their pages and sockets;
//! - `members`: accounts, names and log-ins;
//! - `games`: lists, rules and guides;
//! - `api`: parts of the JSON API that features share;
//! - `jobs`: background jobs of laboratory and competitions;
//! - `page`: parts that all pages share: frame, forms, assets;
//! - `limits`: budgets and bounds for visitors;
//! - `store`: the database file.
//!
//! Two cycles between folders remain, without a cycle between files. `app` holds the state of all features,
//! and their routes use it. `tables` and `replays` use each other: a finished table is a replay, and a table
//! can continue one.
#![allow(clippy::disallowed_methods)]

mod api;
mod app;
mod competitions;
mod games;
mod headers;
mod http;
mod jobs;
mod key;
mod laboratory;
mod limits;
mod log;
mod members;
#[cfg(feature = "schema")]
mod openapi;
mod operator;
mod page;
mod proof;
mod replays;
#[cfg(feature = "schema")]
mod schema;
mod store;
mod tables;
mod time;
mod trouble;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde_json::json;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, watch};

use crate::app::App;
use crate::competitions::directories::Directories;
use crate::competitions::plan::{self, Records};
use crate::competitions::store::CompetitionState;
pub use crate::games::markdown;
pub use crate::http::connections::{Reception, raise_open_files};
use crate::http::host_names::Hosts;
use crate::http::{connections, router};
use crate::jobs::gate::Gate;
use crate::jobs::job::Worker;
use crate::laboratory::plan::{Jobs, Keep};
pub use crate::limits::attempts::AttemptLimit;
pub use crate::limits::budget::{Limits, Network};
use crate::limits::permits::FairPermits;
pub use crate::log::{Log, LogForm};
use crate::members::accounts::{Accounts, SESSION_LIFETIME_S};
use crate::members::names::TakenNames;
use crate::operator::state::Operation;
pub use crate::proof::{FileProof, prove_file};
use crate::store::Store;
pub use crate::store::StoreError;
use crate::tables::hub::Hub;
pub use crate::time::Time;

#[cfg(feature = "schema")]
pub use crate::{openapi::openapi, schema::web_schema};

/// Time limit for the last responses during shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(4);
/// Upper bound on uploads in memory.
const UPLOADS: usize = 64;
/// Upper bound on a party's uploads in memory.
const UPLOADS_EACH: usize = 8;
/// The interval, in ms, at which unused tables are dropped from memory.
const TIDY_MS: u64 = 60_000;

#[derive(Clone, Debug)]
pub struct Options {
    /// The address to listen on.
    pub host: IpAddr,
    pub port: u16,
    /// The database file; `None` for a store in memory.
    pub data: Option<PathBuf>,
    /// Upper bound on tables in memory.
    pub most_tables: usize,
    /// Upper bound on stored uploads, in compressed bytes.
    pub most_upload_bytes: u64,
    /// Number of processors that agents may use, and of threads for replays.
    pub minds: usize,
    /// Directories of tournaments to show, and folders that contain such directories.
    pub competitions: Vec<PathBuf>,
    /// True if there is an operator, who gets a key.
    pub operator: bool,
    /// Days for which finished tables are kept; `None` for ever.
    pub keep_days: Option<u32>,
    /// True if people can register as members.
    pub accounts: bool,
    /// Host names of the server, besides IP addresses and `localhost`; `*` for any.
    pub host_names: Vec<String>,
    pub limits: Limits,
    /// Time limits of requests, and the limit of connections.
    pub reception: Reception,
    pub log: Log,
}

/// Reasons why a server cannot start.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The port is taken or forbidden.
    #[error(
        "{address}: {error}\nhint: another program may use the port; choose one with --port, or 0 for any"
    )]
    Port { address: SocketAddr, error: std::io::Error },
    /// The database file cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A directory of competitions cannot be shown.
    #[error(transparent)]
    Competitions(#[from] meeple_arena::ArenaError),
    #[error("the server cannot run: {0}")]
    System(#[from] std::io::Error),
}

/// A server that holds its port and its database file.
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    hub: Arc<Hub>,
    operation: Arc<Operation>,
    accounts: Option<Arc<Accounts>>,
    operator_key: Option<String>,
    reception: Reception,
    log: Log,
    time: Time,
    hosts: Hosts,
    directories: Arc<Directories>,
    stop: watch::Sender<bool>,
}

#[derive(Clone)]
pub struct Stop(watch::Sender<bool>);

impl Stop {
    /// Shuts the server down. Pages are notified, and pending responses are completed.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// A handle that sets the server's lag in place of measurements. Jobs pause while the lag is high.
#[derive(Clone)]
pub struct LagOverride(Gate);

impl LagOverride {
    pub fn tell(&self, lag: Duration) {
        self.0.tell(lag);
    }
}

impl Server {
    /// Opens the port and the database file.
    pub fn bind(options: &Options) -> Result<Self, ServerError> {
        let runtime = Builder::new_multi_thread().enable_all().build()?;
        let wanted = SocketAddr::new(options.host, options.port);
        let port = |error| ServerError::Port { address: wanted, error };
        let listener = runtime.block_on(TcpListener::bind(wanted)).map_err(port)?;
        let address = listener.local_addr().map_err(port)?;
        let directories = Directories::open(&options.competitions)?;
        let store = Store::open(options.data.as_deref())?;
        let hub = Hub::new(
            store,
            options.most_tables,
            options.minds,
            options.most_upload_bytes,
            options.limits.clone(),
            options.log.clone(),
        );
        let hub = Arc::new(hub);
        let time = hub.time().clone();
        let operator_key = options.operator.then(key::fresh_key);
        let banned = runtime.block_on(hub.store.bans())?;
        let banned = banned.iter().filter_map(|address| address.parse().ok());
        let operation = Arc::new(Operation::new(operator_key.as_deref(), options.keep_days, banned));
        let accounts = match options.accounts {
            true => {
                let sessions = runtime.block_on(hub.store.sessions(time::now() - SESSION_LIFETIME_S))?;
                let names = TakenNames::new(runtime.block_on(hub.store.member_names())?);
                Some(Arc::new(Accounts::new(sessions, names, time.clone())))
            }
            false => None,
        };
        let (log, stop) = (options.log.clone(), watch::Sender::new(false));
        let hosts = Hosts::new(&options.host_names);
        let reception = options.reception.clone();
        Ok(Self {
            runtime,
            listener,
            address,
            hub,
            operation,
            accounts,
            operator_key,
            reception,
            log,
            time,
            hosts,
            directories: Arc::new(directories),
            stop,
        })
    }

    /// The link to the operator's page. Everybody who has it is the operator until the server ends.
    pub fn operator_link(&self) -> Option<String> {
        let key = self.operator_key.as_ref()?;
        Some(format!("http://{}/operator/key/{key}", self.address))
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A handle that sets the server's lag, for callers that know it better than its measurements.
    pub fn lateness(&self) -> LagOverride {
        LagOverride(self.operation.gate.clone())
    }

    /// The clock behind time controls and timeouts. Callers can set it in place of the system's.
    pub fn time(&self) -> Time {
        self.time.clone()
    }

    pub fn stopper(&self) -> Stop {
        Stop(self.stop.clone())
    }

    /// Serves until the server is stopped.
    pub fn run(self) -> Result<(), ServerError> {
        let Self {
            runtime,
            listener,
            address,
            hub,
            operation,
            accounts,
            reception,
            log,
            time,
            hosts,
            directories,
            stop,
            ..
        } = self;
        let version = env!("CARGO_PKG_VERSION");
        log.event("started", &[("address", json!(address.to_string())), ("version", json!(version))]);
        let stopping = stop.subscribe();
        // The jobs' thread lives until the process ends, so it holds only a weak reference to the hub.
        let keeper = Arc::downgrade(&hub);
        let worker = Worker::begin(operation.gate.clone(), log.clone(), Arc::clone(hub.budgets()));
        let keep: Keep = Box::new(move |job, result| {
            if let Some(hub) = keeper.upgrade() {
                hub.keep_job(job, result);
            }
        });
        let jobs = Arc::new(Jobs::new(worker.clone(), keep));
        let records: Weak<dyn Records> = Arc::downgrade(&(Arc::clone(&hub) as Arc<dyn Records>));
        let competitions = Arc::new(plan::Jobs::new(worker, records));
        let unfinished =
            runtime.block_on(hub.store.competitions(usize::MAX >> 1, Some(CompetitionState::Playing)))?;
        runtime.block_on(async {
            let (alive, mut gone) = mpsc::channel(1);
            let (jobs, competitions) = (Arc::clone(&jobs), Arc::clone(&competitions));
            let upload_permits = FairPermits::new(UPLOADS, UPLOADS_EACH);
            let app = App {
                hub: Arc::clone(&hub),
                jobs,
                competitions,
                directories,
                operation: Arc::clone(&operation),
                accounts,
                log: log.clone(),
                upload_permits,
                stop: stopping.clone(),
                alive,
            };
            competitions::routes::go_on_with(&app, unfinished);
            let tidy = tokio::spawn(tidy(Arc::clone(&hub), operation.keep_days, time.clone()));
            let beat = {
                let operation = Arc::clone(&operation);
                tokio::spawn(async move { operation.beat().await })
            };
            let clock = {
                let time = time.clone();
                tokio::spawn(async move { time.beat().await })
            };
            let connections = app.alive.clone();
            let serving = connections::serve(
                listener,
                router::router(app, hosts),
                reception,
                Arc::clone(&operation),
                Arc::clone(&hub),
                stopping.clone(),
                connections,
            );
            // Every connection and socket holds a sender, so this waits for all of them.
            let serving = async {
                serving.await;
                gone.recv().await;
            };
            // A time limit for sockets and slow readers.
            let mut late = stopping.clone();
            let late = async move {
                drop(late.wait_for(|stop| *stop).await);
                tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
            };
            tokio::select! { () = serving => {}, () = late => {} }
            tidy.abort();
            beat.abort();
            clock.abort();
        });
        jobs.stop();
        competitions.stop();
        runtime.shutdown_timeout(Duration::from_secs(1));
        // All accepted changes are at least in the writer's queue. Other holders of the hub end with the
        // runtime.
        if let Ok(hub) = Arc::try_unwrap(hub) {
            hub.close();
        }
        log.event("ended", &[]);
        log.flush();
        Ok(())
    }
}

async fn tidy(hub: Arc<Hub>, keep_days: Option<u32>, time: Time) {
    loop {
        hub.tidy().await;
        // A failed deletion is tried again in the next round.
        drop(hub.forget_tables(keep_days).await);
        time.until(time.now_ms() + TIDY_MS).await;
    }
}
