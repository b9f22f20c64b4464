//! The socket of a simulated page: it is kept open, and its messages are passed on.

use std::io::{Error, ErrorKind, Read};
use std::time::Duration;

use flate2::read::DeflateDecoder;
use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use crate::http::ServerAddress;

/// Interval between heartbeats to the server.
const HEARTBEAT: Duration = Duration::from_secs(10);
/// Pause before each attempt to reconnect.
const RETRY: Duration = Duration::from_millis(20);
/// Time without a connection after which attempts to connect are given up.
const RECONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// Size of a read buffer, in bytes. With thousands of sockets, buffers of the usual 128 KiB would take most
/// of our memory.
const BUFFER: usize = 16 * 1024;

/// Upper bound on the size of an unpacked message, in bytes.
const MAX_MESSAGE_BYTES: u64 = 1 << 26;

/// A heartbeat message.
pub const PING: &str = r#"{"type":"ping"}"#;

/// Parameters of a socket of a table.
#[derive(Clone, Debug)]
pub struct TableSocket {
    /// Path and query of the socket's address.
    pub path: String,
    /// Value of the header `Cookie`, if any.
    pub cookie: Option<String>,
    /// Version of the frame that the client already has; 0 for none.
    pub since: u64,
}

#[derive(Debug)]
pub enum Heard {
    /// The socket is open, for the first time or again, and has sent its hello.
    Open,
    Message {
        text: String,
        /// Size as received, in bytes; the text may have been compressed.
        bytes: u64,
        /// Time of arrival.
        at: Instant,
    },
    /// All attempts to connect have failed.
    Failed(String),
}

/// A handle to a socket. Dropping it closes the socket.
pub struct Socket {
    outbox: UnboundedSender<String>,
}

impl Socket {
    /// Opens a socket, and reopens it whenever it breaks. `heard` receives its events, each with this
    /// `number`.
    pub fn open(
        place: &ServerAddress,
        seat: TableSocket,
        number: usize,
        heard: UnboundedSender<(usize, Heard)>,
    ) -> Self {
        let (outbox, inbox) = unbounded_channel();
        tokio::task::spawn_local(serve(place.clone(), seat, number, heard, inbox));
        Self { outbox }
    }

    /// Sends a message, if the socket is open. Callers that need delivery send it again after
    /// [`Heard::Open`].
    pub fn say(&self, text: String) {
        // Sending fails only if the socket's task has ended, which it has reported.
        drop(self.outbox.send(text));
    }
}

async fn serve(
    place: ServerAddress,
    seat: TableSocket,
    number: usize,
    heard: UnboundedSender<(usize, Heard)>,
    mut inbox: UnboundedReceiver<String>,
) {
    let mut since = Instant::now();
    loop {
        match connect(&place, &seat).await {
            Ok(socket) => {
                if heard.send((number, Heard::Open)).is_err()
                    || !listen(socket, number, &heard, &mut inbox).await
                {
                    return;
                }
                since = Instant::now();
            }
            Err(error) if since.elapsed() > RECONNECT_TIMEOUT => {
                drop(heard.send((number, Heard::Failed(error.to_string()))));
                return;
            }
            Err(_) => {}
        }
        // The inbox closes when the [`Socket`] is dropped.
        tokio::select! {
            () = sleep(RETRY) => {}
            () = async { while inbox.recv().await.is_some() {} } => return,
        }
    }
}

async fn connect(place: &ServerAddress, seat: &TableSocket) -> Result<WebSocketStream<TcpStream>, Error> {
    let wrong = |error: &dyn std::fmt::Display| Error::new(ErrorKind::InvalidData, error.to_string());
    let stream = TcpStream::connect(place.address).await?;
    // An answer is a few bytes, and must not wait for more data to send.
    stream.set_nodelay(true)?;
    let address = format!("ws://{}{}", place.host, seat.path);
    let mut request = address.into_client_request().map_err(|error| wrong(&error))?;
    let headers = request.headers_mut();
    headers.insert("origin", place.origin().parse().map_err(|error| wrong(&error))?);
    if let Some(cookie) = &seat.cookie {
        headers.insert("cookie", cookie.parse().map_err(|error| wrong(&error))?);
    }
    let config = WebSocketConfig::default().read_buffer_size(BUFFER);
    let (mut socket, _) =
        client_async_with_config(request, stream, Some(config)).await.map_err(|error| wrong(&error))?;
    let hello = format!(r#"{{"type":"hello","since":{},"packed":true,"pieces":true}}"#, seat.since);
    socket.send(Message::text(hello)).await.map_err(|error| wrong(&error))?;
    Ok(socket)
}

fn read(message: &Message) -> Result<String, Error> {
    let mut text = String::new();
    match message {
        Message::Text(plain) => text.push_str(plain.as_str()),
        packed => {
            let bytes = packed.clone().into_data();
            DeflateDecoder::new(&*bytes).take(MAX_MESSAGE_BYTES).read_to_string(&mut text)?;
        }
    }
    Ok(text)
}

/// Passes messages on until the connection breaks or the handle is dropped. Returns true if the socket is
/// still wanted.
async fn listen(
    mut socket: WebSocketStream<TcpStream>,
    number: usize,
    heard: &UnboundedSender<(usize, Heard)>,
    inbox: &mut UnboundedReceiver<String>,
) -> bool {
    let mut heartbeat = interval(HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    heartbeat.reset();
    loop {
        tokio::select! {
            message = socket.next() => match message {
                Some(Ok(message @ (Message::Text(_) | Message::Binary(_)))) => {
                    let (bytes, at) = (message.len() as u64, Instant::now());
                    // Unreadable bytes become an empty text, which counts as an error.
                    let text = read(&message).unwrap_or_default();
                    if heard.send((number, Heard::Message { text, bytes, at })).is_err() {
                        return false;
                    }
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return true,
                Some(Ok(_)) => {}
            },
            text = inbox.recv() => match text {
                Some(text) => if socket.send(Message::text(text)).await.is_err() {
                    return true;
                },
                None => {
                    // The socket closes like that of a closed tab, without waiting for the server's reply.
                    drop(socket.close(None).await);
                    return false;
                }
            },
            _ = heartbeat.tick() => if socket.send(Message::text(PING)).await.is_err() {
                return true;
            },
        }
    }
}
