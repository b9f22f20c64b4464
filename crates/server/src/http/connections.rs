//! Connections. Each is served, refused or closed in time.
//!
//! A connection is closed if a request's head or body is late, or if the client reads nothing of a response.
//! At the limit of connections one without a request in progress makes room: the oldest that never had one,
//! or else the one that is idle longest. If there is none, the new connection is refused. A party has at most
//! half of all connections.

use std::collections::BTreeMap;
use std::future::Future;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::ConnectInfo;
use axum::http::Request;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, Semaphore, mpsc, watch};
use tokio::time::Sleep;
use tower_service::Service;

use crate::limits::party::Party;
use crate::operator::state::Operation;
use crate::tables::hub::Hub;
use crate::time::Time;

/// File descriptors that the process needs besides connections.
const OTHER_FILES: u64 = 150;
/// Default limit where the system does not report its limit of open files.
const USUAL_CONNECTIONS: u64 = 800;
/// Upper bound on the limit of connections.
const MAX_CONNECTIONS: u64 = 100_000;
/// Refusals with a response that may be in progress at the same time.
const REFUSALS: usize = 64;
/// Time for which a refused connection is still read, so that the client receives the refusal.
const REFUSAL_TIME: Duration = Duration::from_secs(1);
/// Pause after the system failed to accept a connection.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);
/// Time in ms after which a connection is closed if its client reads nothing.
const WRITE_TIMEOUT_MS: u64 = 30_000;
const REFUSAL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\ncontent-length: 67\r\n\
    retry-after: 10\r\nconnection: close\r\n\r\n\
    expected fewer connections, found too many\nhint: try again shortly\n";

/// Time limits of requests, and the limit of connections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reception {
    /// Time limit for receiving a request's head.
    pub head: Duration,
    /// Time limit for receiving a request's body.
    pub body: Duration,
    /// Upper bound on connections; `None` derives it from the process's limit of open files.
    pub connections: Option<usize>,
}

impl Default for Reception {
    fn default() -> Self {
        Self { head: Duration::from_secs(15), body: Duration::from_secs(30), connections: None }
    }
}

impl Reception {
    fn most(&self) -> usize {
        self.connections.unwrap_or_else(|| {
            let files =
                open_files().map_or(USUAL_CONNECTIONS, |files| files.saturating_sub(OTHER_FILES).max(16));
            files.min(MAX_CONNECTIONS) as usize
        })
    }
}

/// Raises the soft limit of open files to the hard one, because every connection is a file. Returns the
/// limit, where the system reports it.
pub fn raise_open_files() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
        // If the system refuses, the limit stays.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum });
    }
    open_files()
}

/// The limit of open files, where the system reports it.
fn open_files() -> Option<u64> {
    #[cfg(target_os = "linux")]
    let files = {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
        Some(limit.current.unwrap_or(MAX_CONNECTIONS))
    };
    #[cfg(not(target_os = "linux"))]
    let files = None;
    files
}

#[derive(Default)]
struct Connections(Mutex<OpenConnections>);

#[derive(Default)]
struct OpenConnections {
    /// The number of the newest connection.
    newest: u64,
    by_number: BTreeMap<u64, Arc<Connection>>,
    /// Numbers of connections.
    by_party: BTreeMap<Party, usize>,
    /// The number of the last activity of any connection.
    activities: Arc<AtomicU64>,
}

struct Connection {
    party: Party,
    /// True while a request is in progress.
    is_answering: AtomicBool,
    /// The number of the connection's last activity: the end of a request, or data that the client took. 0
    /// before the first.
    active: AtomicU64,
    activities: Arc<AtomicU64>,
    /// Notified when the connection must make room.
    ended: Notify,
}

impl Connection {
    fn note_activity(&self) {
        self.active.store(self.activities.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

impl OpenConnections {
    fn of(&self, party: &Party) -> usize {
        self.by_party.get(party).copied().unwrap_or(0)
    }

    fn remove(&mut self, number: u64) -> Option<Arc<Connection>> {
        let removed = self.by_number.remove(&number)?;
        match self.of(&removed.party) {
            0 | 1 => self.by_party.remove(&removed.party),
            count => self.by_party.insert(removed.party.clone(), count - 1),
        };
        Some(removed)
    }

    /// The connection without a request in progress that makes room first, of this party if one is given.
    fn idle_longest(&self, party: Option<&Party>) -> Option<u64> {
        let idle = self.by_number.iter().filter(|(_, one)| {
            !one.is_answering.load(Ordering::Relaxed) && party.is_none_or(|party| one.party == *party)
        });
        idle.min_by_key(|(_, one)| one.active.load(Ordering::Relaxed)).map(|(number, _)| *number)
    }
}

/// A guard that counts one connection until it is dropped.
struct Counted {
    all: Arc<Connections>,
    number: u64,
    own: Arc<Connection>,
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.all.lock().remove(self.number);
    }
}

impl Connections {
    fn lock(&self) -> MutexGuard<'_, OpenConnections> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts another connection. At the limit of all or of the party, another one makes room; `None` if none
    /// can.
    fn enter(self: &Arc<Self>, most: usize, party: Party) -> Option<Counted> {
        let mut all = self.lock();
        let has_share = party == Party::Exempt || all.of(&party) < most.div_ceil(2);
        if !has_share || all.by_number.len() >= most {
            let idle = all.idle_longest((!has_share).then_some(&party))?;
            all.remove(idle)?.ended.notify_one();
        }
        all.newest += 1;
        *all.by_party.entry(party.clone()).or_default() += 1;
        let number = all.newest;
        let own = Arc::new(Connection {
            party,
            is_answering: AtomicBool::new(false),
            active: AtomicU64::new(0),
            activities: Arc::clone(&all.activities),
            ended: Notify::new(),
        });
        all.by_number.insert(number, Arc::clone(&own));
        Some(Counted { all: Arc::clone(self), number, own })
    }
}

/// Accepts connections until shutdown. Open ones then finish by themselves; each holds a clone of `alive`.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    reception: Reception,
    operation: Arc<Operation>,
    hub: Arc<Hub>,
    mut stop: watch::Receiver<bool>,
    alive: mpsc::Sender<std::convert::Infallible>,
) {
    let (connections, refusals) = (Arc::<Connections>::default(), Arc::new(Semaphore::new(REFUSALS)));
    let most = reception.most();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stop.wait_for(|stop| *stop) => return,
        };
        let Ok((stream, peer)) = accepted else {
            // The process may be out of files, or the client has gone already.
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        // Nagle's algorithm is off. Otherwise a second message waits until the first is acknowledged, which
        // readers delay by 40 ms. The call fails harmlessly if the stream is gone.
        drop(stream.set_nodelay(true));
        // WebSockets have left HTTP, but still are open files.
        let party = hub.budgets().connecting_party(peer.ip());
        match connections.enter(most.saturating_sub(operation.sockets()).max(1), party) {
            Some(counted) => {
                let (router, stop, alive) = (router.clone(), stop.clone(), alive.clone());
                let own = Arc::clone(&counted.own);
                let stream = TimedStream { stream, own, time: hub.time().clone(), stuck: None };
                tokio::spawn(answer(stream, peer, router, reception.clone(), counted, stop, alive));
            }
            None => {
                // With too many refusals in progress the connection is closed without a response.
                if let Ok(place) = Arc::clone(&refusals).try_acquire_owned() {
                    tokio::spawn(async move {
                        drop(tokio::time::timeout(REFUSAL_TIME, refuse(stream)).await);
                        drop(place);
                    });
                }
            }
        }
    }
}

/// Sends the refusal. Reads incoming data afterwards, because otherwise the client might not see the refusal.
async fn refuse(mut stream: TcpStream) {
    if stream.write_all(REFUSAL).await.is_ok() && stream.shutdown().await.is_ok() {
        let mut buffer = [0; 1024];
        while let Ok(1..) = stream.read(&mut buffer).await {}
    }
}

/// Serves the requests of one connection.
async fn answer(
    stream: TimedStream,
    peer: SocketAddr,
    router: Router,
    reception: Reception,
    counted: Counted,
    mut stop: watch::Receiver<bool>,
    alive: mpsc::Sender<std::convert::Infallible>,
) {
    let (own, body_time) = (Arc::clone(&counted.own), reception.body);
    let service = service_fn(move |request: Request<Incoming>| {
        own.is_answering.store(true, Ordering::Relaxed);
        let mut request = request.map(|body| Body::new(TimedBody::new(body, body_time)));
        request.extensions_mut().insert(ConnectInfo(peer));
        let (answering, own) = (router.clone().call(request), Arc::clone(&own));
        async move {
            let answer = answering.await;
            own.note_activity();
            own.is_answering.store(false, Ordering::Relaxed);
            answer
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(reception.head)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    tokio::pin!(connection);
    let mut leaving = false;
    loop {
        tokio::select! {
            _ = connection.as_mut() => break,
            () = counted.own.ended.notified() => break,
            _ = stop.wait_for(|stop| *stop), if !leaving => {
                leaving = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
    drop((counted, alive));
}

/// A connection that is closed when its client reads nothing for [`WRITE_TIMEOUT_MS`].
struct TimedStream {
    stream: TcpStream,
    own: Arc<Connection>,
    time: Time,
    /// The timeout; `None` while the client reads.
    stuck: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl TimedStream {
    fn in_time<T>(&mut self, context: &mut Context<'_>, taken: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if taken.is_ready() {
            self.own.note_activity();
            self.stuck = None;
            return taken;
        }
        let time = &self.time;
        let stuck = self.stuck.get_or_insert_with(|| {
            let (time, end) = (time.clone(), time.now_ms() + WRITE_TIMEOUT_MS);
            Box::pin(async move { time.until(end).await })
        });
        ready!(stuck.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let taken = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, taken)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let taken = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.in_time(context, taken)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// A body that must arrive within a time limit.
struct TimedBody {
    body: Incoming,
    late: Pin<Box<Sleep>>,
}

impl TimedBody {
    fn new(body: Incoming, time: Duration) -> Self {
        Self { body, late: Box::pin(tokio::time::sleep(time)) }
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        match Pin::new(&mut self.body).poll_frame(context) {
            Poll::Ready(frame) => Poll::Ready(frame.map(|frame| frame.map_err(axum::Error::new))),
            Poll::Pending => {
                ready!(self.late.as_mut().poll(context));
                Poll::Ready(Some(Err(axum::Error::new("expected a whole body in time, found a part of it"))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
