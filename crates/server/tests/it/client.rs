//! A server, and a headless browser with addresses, forms and cookies.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

use meeple_server::{LagOverride, Limits, Log, Options, Reception, Server, Stop, Time};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};

pub use meeple_testkit::waits::{WAIT_LIMIT as LIMIT, until, until_some};

/// A server that ends with its test.
pub struct Running {
    pub address: SocketAddr,
    pub lateness: LagOverride,
    pub time: Time,
    stop: Stop,
    thread: Option<JoinHandle<()>>,
}

pub fn options(data: Option<&Path>) -> Options {
    Options {
        host: IpAddr::V4(Ipv4Addr::LOCALHOST),
        port: 0,
        data: data.map(Path::to_owned),
        most_tables: 50,
        most_upload_bytes: 1 << 20,
        minds: 2,
        competitions: Vec::new(),
        operator: false,
        keep_days: None,
        accounts: false,
        host_names: Vec::new(),
        limits: Limits { exempt: vec!["127.0.0.0/8".parse().unwrap()], trusted: Vec::new() },
        reception: Reception::default(),
        log: Log::off(),
    }
}

pub fn start(data: Option<&Path>) -> Running {
    start_with(&options(data))
}

pub fn start_with(options: &Options) -> Running {
    run(Server::bind(options).unwrap())
}

/// Runs a server. Its lag is zero, however busy the machine is, until a test sets it.
pub fn run(server: Server) -> Running {
    let (address, stop, lateness) = (server.address(), server.stopper(), server.lateness());
    lateness.tell(Duration::ZERO);
    let time = server.time();
    Running { address, lateness, time, stop, thread: Some(std::thread::spawn(move || server.run().unwrap())) }
}

impl Running {
    pub fn browser(&self) -> Browser {
        Browser::new(self.address)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

#[derive(Debug)]
pub struct Page {
    pub status: u16,
    /// The headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Page {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The values of buttons that are actions, in order.
    pub fn actions(&self) -> Vec<String> {
        let values = self.body.split("name=\"action\" value=\"").skip(1);
        values.map(|rest| unescaped(rest.split('"').next().unwrap_or(""))).collect()
    }

    pub fn hidden(&self, name: &str) -> Option<String> {
        let (_, rest) = self.body.split_once(&format!("type=\"hidden\" name=\"{name}\" value=\""))?;
        Some(unescaped(rest.split('"').next()?))
    }

    /// Returns true if the page says that the game is over.
    pub fn is_over(&self) -> bool {
        self.body.contains("The game is over.")
    }

    /// Returns true if the page says that it is the browser's turn.
    pub fn is_asked(&self) -> bool {
        self.body.contains("It is your turn.")
    }
}

fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[derive(Clone)]
pub struct Browser {
    address: SocketAddr,
    cookies: BTreeMap<String, String>,
}

impl Browser {
    pub fn new(address: SocketAddr) -> Self {
        Self { address, cookies: BTreeMap::new() }
    }

    /// The same browser, for a server restarted on another port.
    pub fn at(&self, address: SocketAddr) -> Self {
        Self { address, cookies: self.cookies.clone() }
    }

    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.cookies.get(name).map(String::as_str)
    }

    pub fn get(&mut self, path: &str) -> Page {
        self.send("GET", path, &[], "")
    }

    /// Sends a form, with the server's own origin.
    pub fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.try_post(path, fields).expect("the server answers")
    }

    /// Fetches a page from a server that may be gone.
    pub fn try_get(&mut self, path: &str) -> Option<Page> {
        self.try_send("GET", path, &[], &[])
    }

    /// Sends a form to a server that may be gone.
    pub fn try_post(&mut self, path: &str, fields: &[(&str, &str)]) -> Option<Page> {
        let body: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let origin = format!("http://{}", self.address);
        let headers = [("origin", origin.as_str()), ("content-type", "application/x-www-form-urlencoded")];
        self.try_send("POST", path, &headers, body.join("&").as_bytes())
    }

    pub fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl AsRef<[u8]>,
    ) -> Page {
        self.try_send(method, path, headers, body.as_ref()).expect("the server answers")
    }

    /// Sends any request with this host name.
    pub fn send_as(
        &mut self,
        host: &str,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl AsRef<[u8]>,
    ) -> Page {
        self.exchange(host, method, path, headers, body.as_ref()).expect("the server answers")
    }

    /// Sends any request to a server that may be gone.
    fn try_send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Option<Page> {
        self.exchange(&self.address.to_string(), method, path, headers, body)
    }

    fn exchange(
        &mut self,
        host: &str,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Option<Page> {
        let mut stream = TcpStream::connect(self.address).ok()?;
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n");
        request += &format!("content-length: {}\r\ncookie: {}\r\n", body.len(), cookies.join("; "));
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        stream.write_all(format!("{request}\r\n").as_bytes()).ok()?;
        // A server that refuses a body may close before all of it was sent.
        drop(stream.write_all(body));
        let mut answer = Vec::new();
        drop(stream.read_to_end(&mut answer));
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(": "))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        for (_, cookie) in headers.iter().filter(|(name, _)| name == "set-cookie") {
            if let Some((name, value)) = cookie.split(';').next().unwrap().split_once('=') {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        Some(Page { status, headers, body: body.to_owned() })
    }

    /// Opens a table of a game with these fields of the form, and returns its address. The deal is fixed
    /// unless a seed is given.
    pub fn open(&mut self, game: &str, fields: &[(&str, &str)]) -> String {
        let fields: Vec<_> = fields.iter().copied().chain([("seed", "1")]).collect();
        let answer = self.post(&format!("/new/{game}"), &fields);
        assert_eq!(answer.status, 303, "{}", answer.body);
        answer.header("location").unwrap().to_owned()
    }

    /// Waits for the browser's turn or the end of the game, and returns the page of the table.
    pub fn until_asked(&mut self, table: &str) -> Page {
        // Agents decide on separate threads.
        until_some("the browser's turn, or the end of the game", || {
            let page = self.get(table);
            assert_eq!(page.status, 200, "{}", page.body);
            (page.is_over() || page.is_asked()).then_some(page)
        })
    }

    /// Waits for the end of a run or competition, and returns its page.
    pub fn until_ended(&mut self, job: &str) -> Page {
        let mut seen = "0".to_owned();
        until("the end of the job", || {
            let part = self.get(&format!("{job}/part?seen={seen}"));
            assert_eq!(part.status, 200, "{}", part.body);
            part.header("x-version").unwrap().clone_into(&mut seen);
            part.header("x-running") == Some("false")
        });
        self.get(job)
    }

    /// Answers the question of a page.
    pub fn answer(&mut self, table: &str, page: &Page, action: &str) -> Page {
        let seat = page.hidden("seat").expect("who is asked has a seat");
        let number = page.hidden("number").expect("a question has a number");
        self.post(&format!("{table}/act"), &[("seat", &seat), ("number", &number), ("action", action)])
    }

    pub fn socket(&self, table: &str, query: &str) -> Socket {
        let mut request =
            format!("ws://{}{table}/socket{query}", self.address).into_client_request().unwrap();
        let cookies: Vec<String> =
            self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let headers = request.headers_mut();
        headers.insert("origin", format!("http://{}", self.address).parse().unwrap());
        headers.insert("cookie", cookies.join("; ").parse().unwrap());
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        Socket(tungstenite::client(request, stream).unwrap().0)
    }
}

fn encoded(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(escape).collect()
}

/// Applies the changes of a patch to the lines of a text.
pub fn patched(text: &str, changes: &serde_json::Value) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for change in changes.as_array().unwrap() {
        let (at, gone, come): (usize, usize, Vec<String>) = serde_json::from_value(change.clone()).unwrap();
        lines.splice(at..at + gone, come);
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// The client's end of a socket.
pub struct Socket(WebSocket<TcpStream>);

impl Socket {
    pub fn say(&mut self, message: &serde_json::Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    /// Sends a message to a server that may have closed the socket.
    pub fn say_or_fail(&mut self, message: &serde_json::Value) {
        drop(self.0.send(Message::text(message.to_string())));
    }

    /// Sends a text that need not be a message.
    pub fn say_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).unwrap();
    }

    pub fn hear(&mut self) -> serde_json::Value {
        serde_json::from_str(&self.hear_text().expect("the socket is open")).unwrap()
    }

    /// The text of the next message; `None` once the socket is closed.
    pub fn hear_text(&mut self) -> Option<String> {
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(text.to_string()),
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    panic!("expected a message or the end of the socket within {LIMIT:?}, found neither")
                }
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// The next message, decompressed, and its compressed size in bytes.
    pub fn hear_packed(&mut self) -> (serde_json::Value, usize) {
        let message = self.0.read().unwrap();
        let (bytes, mut text) = (message.len(), String::new());
        assert!(message.is_binary(), "{message}");
        flate2::read::DeflateDecoder::new(&*message.into_data()).read_to_string(&mut text).unwrap();
        (serde_json::from_str(&text).unwrap(), bytes)
    }

    pub fn hear_type(&mut self, kind: &str) -> serde_json::Value {
        loop {
            let message = self.hear();
            if message["type"] == kind {
                return message;
            }
        }
    }
}
