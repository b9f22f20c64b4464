//! The event log for the operator: one line per event, as `key=value` or JSON.
//!
//! It replaces `tracing-subscriber`, whose subscriber is global to the process. Tests run several servers in
//! one process, and read the log of each.

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

/// Capacity of the queue in lines. When it is full, lines are dropped and counted, so that a slow reader
/// blocks nobody.
const MAX_WAITING: usize = 4096;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogForm {
    /// `key=value`, with quotes around values that contain spaces or special characters.
    Text,
    Json,
}

type Sink = Box<dyn FnMut(&str) + Send>;

/// An event log. Clones share it.
#[derive(Clone)]
pub struct Log(Option<Arc<Lines>>);

struct Lines {
    form: LogForm,
    queue: mpsc::SyncSender<Order>,
    /// Lines that were dropped since the last one in the queue.
    lost: AtomicU64,
}

enum Order {
    Line(String),
    /// A request for a signal once all earlier lines are written.
    Flush(mpsc::Sender<()>),
}

impl Log {
    /// A log that discards events.
    pub fn off() -> Self {
        Self(None)
    }

    pub fn to_stderr(form: LogForm) -> Self {
        // Without a standard error there is nowhere to report.
        Self::to(form, Box::new(|line| drop(writeln!(std::io::stderr(), "{line}"))))
    }

    /// A log to this sink, written by a thread that ends with the last clone.
    pub fn to(form: LogForm, mut sink: Sink) -> Self {
        let (queue, inbox) = mpsc::sync_channel(MAX_WAITING);
        std::thread::spawn(move || {
            for order in inbox {
                match order {
                    Order::Line(line) => sink(&line),
                    Order::Flush(done) => drop(done.send(())),
                }
            }
        });
        Self(Some(Arc::new(Lines { form, queue, lost: AtomicU64::new(0) })))
    }

    /// Logs an event without blocking. Keys must be plain words.
    pub fn event(&self, name: &str, fields: &[(&str, Value)]) {
        let Some(lines) = &self.0 else { return };
        let lost = lines.lost.swap(0, Ordering::Relaxed);
        let mut all = vec![("at", Value::from(rfc3339(SystemTime::now()))), ("event", Value::from(name))];
        all.extend(fields.iter().cloned());
        all.extend((lost > 0).then(|| ("lost", Value::from(lost))));
        if lines.queue.try_send(Order::Line(written(lines.form, &all))).is_err() {
            lines.lost.fetch_add(lost + 1, Ordering::Relaxed);
        }
    }

    pub fn flush(&self) {
        let Some(lines) = &self.0 else { return };
        let (done, answer) = mpsc::channel();
        if lines.queue.send(Order::Flush(done)).is_ok() {
            // Receiving fails if the thread has ended.
            let _ = answer.recv();
        }
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Log").field(&self.0.as_ref().map(|lines| lines.form)).finish()
    }
}

fn written(form: LogForm, fields: &[(&str, Value)]) -> String {
    let mut line = String::new();
    for (index, (key, value)) in fields.iter().enumerate() {
        // Writing to a string cannot fail.
        match (form, value) {
            (LogForm::Json, _) => {
                line.push_str(if index == 0 { "{" } else { "," });
                let _ = write!(line, "\"{key}\":{value}");
                continue;
            }
            (LogForm::Text, _) if index > 0 => line.push(' '),
            _ => {}
        }
        match value.as_str() {
            Some(text) if is_plain(text) => {
                let _ = write!(line, "{key}={text}");
            }
            _ => {
                let _ = write!(line, "{key}={value}");
            }
        }
    }
    if form == LogForm::Json {
        line.push('}');
    }
    line
}

/// Returns true if a value needs no quotes.
fn is_plain(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'=' | b'\\'))
}

/// A time in the format of RFC 3339, in UTC, with milliseconds.
pub fn rfc3339(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second, ms) = (second / 3600, second / 60 % 60, second % 60, since.subsec_millis());
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z")
}

/// The date of a day number since 1 January 1970 (H. Hinnant, `civil_from_days`). Years begin in March, so
/// that leap days come last.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (day, month) = (day - (153 * month + 2) / 5 + 1, if month < 10 { month + 3 } else { month - 9 });
    (year + era * 400 + u64::from(month <= 2), month, day)
}
