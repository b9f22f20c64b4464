//! Meeple in the browser: tables that people and agents play at.
//!
//! One program, one port, one file. Pages are whole without a script; where one runs, a socket renews their parts. The
//! page holds no rules: drawings, actions and words come from the games through [`meeple_table`].
//!
//! Files use those before them: `key`, `names` (of people), `time`, `tries` (limits of them), `accounts` (members and their sessions), `log`, `party` (on whose account something counts), `budget` (what strangers may use up), `thinking` (agents' decisions), `effort` (which agents strangers may have play), `gate` (where jobs wait), `work` (what takes long), `jobs` (the laboratory's runs and questions), `competition`, `opened`, `recorded` (replays),
//! `store`, `hub` (tables in memory), `form`, `visitor`, `operation`, `wire`, `assets`, `example` (what guides show), `pages`, `socket`, `answer`, `members`, `replays`, `play`, `lab`, `competitions`, `operator`,
//! `packed` (answers in fewer bytes), `requests` (a line of the log for each), `api` (the interface for programs), `visits` (who each request is from), `hosts` (the names of the server) and `app` (which address does what), `serving` (connections), `schema` (what messages are), `proof` (a file proved), and this one, which has the port.
//!
//! An edge: it has the network, a clock, threads and a file.
#![allow(clippy::disallowed_methods)]

mod accounts;
mod answer;
mod api;
mod app;
mod assets;
mod budget;
mod competition;
mod competitions;
mod effort;
mod example;
mod form;
mod gate;
mod hosts;
mod hub;
mod jobs;
mod key;
mod lab;
mod log;
mod members;
mod names;
mod opened;
mod operation;
mod operator;
mod packed;
mod pages;
mod party;
mod play;
mod proof;
mod recorded;
mod replays;
mod requests;
#[cfg(feature = "schema")]
mod schema;
mod serving;
mod socket;
mod store;
mod thinking;
mod time;
mod tries;
mod visitor;
mod visits;
mod wire;
mod work;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde_json::json;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, mpsc, watch};

use crate::accounts::{Accounts, SESSION};
use crate::answer::App;
pub use crate::budget::{Limits, Network};
use crate::competition::Records;
use crate::gate::Gate;
use crate::hosts::Hosts;
use crate::hub::Hub;
use crate::jobs::Jobs;
pub use crate::log::{Log, LogForm};
use crate::names::TakenNames;
use crate::opened::Kept;
use crate::operation::Operation;
pub use crate::proof::{FileProof, prove_file};
pub use crate::serving::{Reception, raise_open_files};
use crate::store::Store;
pub use crate::store::StoreError;
pub use crate::time::Time;
pub use crate::tries::TryLimit;
use crate::work::Worker;
#[cfg(feature = "schema")]
pub use crate::{api::openapi, schema::web_schema};

/// How long the last answers may take once the server is to end.
const FAREWELL: Duration = Duration::from_secs(4);
/// Uploads that are in memory at once.
const UPLOADS: usize = 8;
/// How often tables that nobody looks at are forgotten.
const TIDY: Duration = Duration::from_secs(60);

/// What a server is told.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where it listens.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// Its file; `None` for one that is gone with it.
    pub data: Option<PathBuf>,
    /// How many tables it keeps in memory.
    pub most_tables: usize,
    /// How many bytes of uploads it keeps, compressed.
    pub most_upload_bytes: u64,
    /// Processors that agents may use.
    pub minds: usize,
    /// Directories of tournaments that it shows, and folders of such.
    pub competitions: Vec<PathBuf>,
    /// Whether there is an operator, who has a key.
    pub operator: bool,
    /// Days for which tables are kept that are over; `None` for ever.
    pub keep_days: Option<u32>,
    /// Whether people can become members, with a name and a password.
    pub accounts: bool,
    /// Names by which browsers may reach it, besides addresses and `localhost`; `*` for any.
    pub host_names: Vec<String>,
    /// Whom budgets do not count, and which proxies say where visitors come from.
    pub limits: Limits,
    /// How long requests may take to come, and how many connections there are.
    pub reception: Reception,
    /// Where it writes what happens.
    pub log: Log,
}

/// Why a server cannot begin.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The port is taken or forbidden.
    #[error(
        "{address}: {error}\nhint: another program may use the port; choose one with --port, or 0 for any"
    )]
    Port {
        /// Where it should listen.
        address: SocketAddr,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A directory of competitions cannot be shown.
    #[error(transparent)]
    Competitions(#[from] meeple_arena::ArenaError),
    /// The system refuses something else.
    #[error("the server cannot run: {0}")]
    System(#[from] std::io::Error),
}

/// A server that has its port and its file.
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
    stop: watch::Sender<bool>,
}

/// Ends a server.
#[derive(Clone)]
pub struct Stop(watch::Sender<bool>);

impl Stop {
    /// The server ends: pages are told, answers that were begun are given.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// Says how late a server is to what is due, in place of its own measurements: runs and competitions pause while that is
/// much.
#[derive(Clone)]
pub struct Lateness(Gate);

impl Lateness {
    /// It is so late until this is called again.
    pub fn tell(&self, lag: Duration) {
        self.0.tell(lag);
    }
}

impl Server {
    /// Takes the port and the file.
    ///
    /// # Errors
    /// If it cannot have one of them.
    pub fn bind(options: &Options) -> Result<Self, ServerError> {
        let runtime = Builder::new_multi_thread().enable_all().build()?;
        let wanted = SocketAddr::new(options.host, options.port);
        let port = |error| ServerError::Port { address: wanted, error };
        let listener = runtime.block_on(TcpListener::bind(wanted)).map_err(port)?;
        let address = listener.local_addr().map_err(port)?;
        let shown = Kept::open(&options.competitions)?;
        let store = Store::open(options.data.as_deref())?;
        let hub = Hub::new(
            store,
            options.most_tables,
            options.minds,
            options.most_upload_bytes,
            options.limits.clone(),
            options.log.clone(),
        );
        let hub = Arc::new(hub.showing(shown));
        let time = hub.time().clone();
        let operator_key = options.operator.then(key::fresh_key);
        let banned = runtime.block_on(hub.bans())?;
        let banned = banned.iter().filter_map(|address| address.parse().ok());
        let operation = Arc::new(Operation::new(operator_key.as_deref(), options.keep_days, banned));
        let accounts = match options.accounts {
            true => {
                let sessions = runtime.block_on(hub.sessions(hub::now() - SESSION))?;
                let names = TakenNames::new(runtime.block_on(hub.member_names())?);
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
            stop,
        })
    }

    /// Where the operator's page is opened; whoever has the link is the operator until the server ends.
    pub fn operator_link(&self) -> Option<String> {
        let key = self.operator_key.as_ref()?;
        Some(format!("http://{}/operator/key/{key}", self.address))
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What says how late it is, for whoever knows better than its own measurements.
    pub fn lateness(&self) -> Lateness {
        Lateness(self.operation.gate.clone())
    }

    /// What time it is for people's clocks, and for those who read nothing, for whoever would say so in place of the system.
    pub fn time(&self) -> Time {
        self.time.clone()
    }

    /// What ends it.
    pub fn stopper(&self) -> Stop {
        Stop(self.stop.clone())
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// If the system takes the port away.
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
            stop,
            ..
        } = self;
        let version = env!("CARGO_PKG_VERSION");
        log.event("started", &[("address", json!(address.to_string())), ("version", json!(version))]);
        let told = stop.subscribe();
        // The thread of jobs ends with the process: it must not keep the hub.
        let keeper = Arc::downgrade(&hub);
        let worker = Worker::begin(operation.gate.clone(), log.clone(), Arc::clone(hub.budgets()));
        let keep: jobs::Keep = Box::new(move |job, result| {
            if let Some(hub) = keeper.upgrade() {
                hub.keep_job(job, result);
            }
        });
        let jobs = Arc::new(Jobs::new(worker.clone(), keep));
        let records: Weak<dyn Records> = Arc::downgrade(&(Arc::clone(&hub) as Arc<dyn Records>));
        let competitions = Arc::new(competition::Jobs::new(worker, records));
        let unfinished = runtime.block_on(hub.unfinished_competitions())?;
        runtime.block_on(async {
            let (alive, mut gone) = mpsc::channel(1);
            let (jobs, competitions) = (Arc::clone(&jobs), Arc::clone(&competitions));
            let upload_places = Arc::new(Semaphore::new(UPLOADS));
            let app = App {
                hub: Arc::clone(&hub),
                jobs,
                competitions,
                operation: Arc::clone(&operation),
                accounts,
                log: log.clone(),
                upload_places,
                stop: told.clone(),
                alive,
            };
            competitions::go_on_with(&app, unfinished);
            let tidy = tokio::spawn(tidy(Arc::clone(&hub), operation.keep_days));
            let beat = {
                let operation = Arc::clone(&operation);
                tokio::spawn(async move { operation.beat().await })
            };
            let clock = {
                let time = time.clone();
                tokio::spawn(async move { time.beat().await })
            };
            let connections = app.alive.clone();
            let serving = serving::serve(
                listener,
                app::router(app, hosts),
                reception,
                Arc::clone(&operation),
                time,
                told.clone(),
                connections,
            );
            // Connections and sockets are waited for: each keeps a share of the channel.
            let serving = async {
                serving.await;
                gone.recv().await;
            };
            // Sockets and slow readers are not waited for without end.
            let mut late = told.clone();
            let late = async move {
                drop(late.wait_for(|stop| *stop).await);
                tokio::time::sleep(FAREWELL).await;
            };
            tokio::select! { () = serving => {}, () = late => {} }
            tidy.abort();
            beat.abort();
            clock.abort();
        });
        jobs.stop();
        competitions.stop();
        runtime.shutdown_timeout(Duration::from_secs(1));
        // What was accepted is in the writer's queue at least; whoever still holds the hub ends with the runtime.
        if let Ok(hub) = Arc::try_unwrap(hub) {
            hub.close();
        }
        log.event("ended", &[]);
        log.flush();
        Ok(())
    }
}

async fn tidy(hub: Arc<Hub>, keep_days: Option<u32>) {
    let mut every = tokio::time::interval(TIDY);
    loop {
        every.tick().await;
        hub.tidy().await;
        // If it fails, the next time comes soon.
        drop(hub.forget_tables(keep_days).await);
    }
}
