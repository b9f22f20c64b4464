//! Lines out and in, and their defects.

use std::borrow::Cow;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Deserialize;

use super::running::{Running, describe, out_of_memory};
use super::{BotProcess, LOOK, Leaving};
use crate::fault::{Fault, FaultCode};
use crate::patience::{Activity, Waited};
use crate::pipes::Found;
use crate::player::Player;
use crate::protocol::{HostMessage, Kind, KindLine};
use crate::usage::Usage;

/// Longest part of a line kept in a fault, in bytes.
const KEPT_LINE: usize = 500;
/// Longest detail of a fault, in bytes. Details may quote the bot, and every fault is stored.
const MAX_DETAIL: usize = 4 * KEPT_LINE;
/// Time for a program to end after it has closed a pipe.
const EXIT_STATUS_WAIT: Duration = Duration::from_secs(2);

impl BotProcess {
    /// Queues a message and sends as much as the pipe takes.
    pub(super) fn send(&mut self, message: &HostMessage) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        let queue = running.pipes.queue();
        meeple_core::json::write(message, queue).expect("plain data");
        queue.push(b'\n');
        self.flush()
    }

    pub(super) fn flush(&mut self) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        match running.pipes.flush() {
            Ok(()) => Ok(()),
            Err(error) => {
                running.pipes.close_input();
                self.leaves(&format!("it does not take messages: {error}"))
            }
        }
    }

    pub(super) fn absent(&self) -> Fault {
        self.gone
            .clone()
            .unwrap_or_else(|| Fault::new(FaultCode::Crash, "the bot has not been started").fatal())
    }

    /// Parses a line as the expected message.
    pub(super) fn read<'l, T: Deserialize<'l>>(&mut self, line: &'l str, due: Kind) -> Result<T, Fault> {
        let wrong = match parse_line::<KindLine>(line) {
            Ok(message) if message.t != due => format!("expected {}, found {}", due.name(), message.t.name()),
            Ok(_) => match parse_line(line) {
                Ok(message) => return Ok(message),
                Err(error) => format!("expected {}: {error}", due.name()),
            },
            Err(error) => format!("expected {}: {error}", due.name()),
        };
        // A wrong line before the first question is fatal, because no fallback exists there.
        Err(self.kill(FaultCode::InvalidMessage, wrong))
    }

    /// Waits for the line with the message `due`, at most the wall time `allowed` since the request.
    pub(crate) fn line_within(
        &mut self,
        allowed: Duration,
        since: Instant,
        due: &str,
    ) -> Result<String, Fault> {
        let deadline = since + allowed;
        self.wait_begins();
        loop {
            if let Some(line) = self.next_line()? {
                return Ok(line);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let starved = left.is_zero().then(|| self.waited(allowed));
            if let Some(waited @ (Waited::Enough | Waited::Starved)) = starved {
                let half = self.half_line();
                let detail = format!("no {due} within {} ms{half}", allowed.as_millis());
                let fault = self.kill(FaultCode::Timeout, detail);
                return Err(Fault { starved: waited == Waited::Starved, ..fault });
            }
            self.look()?;
            self.wait(if left.is_zero() { LOOK } else { left.min(LOOK) })?;
        }
    }

    pub(super) fn wait_begins(&mut self) {
        let supervised = |running: &Running| Arc::clone(&running.supervised);
        let patient = self.running.as_ref().filter(|_| self.patient_until.is_some());
        self.activity = patient.map(supervised).map(Activity::new);
    }

    /// Judges an overlong wait for something that may take this much CPU time.
    pub(super) fn waited(&self, work: Duration) -> Waited {
        match (&self.activity, self.patient_until) {
            (Some(activity), Some(until)) => activity.judge(work, until),
            _ => Waited::Enough,
        }
    }

    pub(super) fn half_line(&self) -> String {
        let half = self.running.as_ref().map_or(&b""[..], |running| running.pipes.half_line());
        if half.is_empty() {
            String::new()
        } else {
            format!("; a line without its end came: {}", shorten(&String::from_utf8_lossy(half)))
        }
    }

    pub(super) fn next_line(&mut self) -> Result<Option<String>, Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        match running.pipes.next_line(&self.limits) {
            Found::Nothing => Ok(None),
            Found::Line(range) => {
                let line = String::from_utf8_lossy(&running.pipes.bytes()[range]);
                line.as_ref().clone_into(&mut running.last_line);
                match line {
                    Cow::Borrowed(line) => Ok(Some(line.to_owned())),
                    Cow::Owned(_) => Err(self.fault_in_line("the line is not UTF-8".into())),
                }
            }
            Found::Closed => self.leaves("it closed its output").map(|()| None),
            Found::TooLong => {
                let limit = self.limits.line_bytes;
                Err(self.kill(FaultCode::OutputLimit, format!("a line is longer than {limit} bytes")))
            }
        }
    }

    /// The fault of a wrong line: a strike during a question, fatal otherwise.
    pub(super) fn fault_in_line(&mut self, detail: String) -> Fault {
        if self.asked.is_none() {
            return self.kill(FaultCode::InvalidMessage, detail);
        }
        self.settle(FaultCode::InvalidMessage, detail)
    }

    /// Closes the open question with a fault; the bot lives on.
    pub(super) fn settle(&mut self, code: FaultCode, detail: String) -> Fault {
        let spent = self.close_question(code);
        let mut fault = self.fault(code, detail);
        if let Some((number, used, allowed_us)) = spent {
            self.late.push((self.episode, number));
            fault = fault.after(used, allowed_us);
        }
        fault
    }

    /// Closes the open question without an answer, and charges its time to the bank. Returns its number, its
    /// time, and its allowance in µs if the fault is about time.
    fn close_question(&mut self, code: FaultCode) -> Option<(u64, Usage, Option<u64>)> {
        let asked = self.asked.take()?;
        let used = self.final_usage(&asked);
        let out_of_time = matches!(code, FaultCode::Timeout | FaultCode::CumulativeTimeout);
        let allowed = out_of_time.then_some(asked.budget);
        self.charge(used, allowed.unwrap_or_default());
        Some((asked.number, used, allowed.map(|allowed| allowed.as_micros() as u64)))
    }

    /// Waits for input, at most this long, and drains stderr.
    pub(super) fn wait(&mut self, at_most: Duration) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        if running.pipes.wait(at_most) {
            self.drain_errors();
        }
        self.flush()
    }

    pub(super) fn drain_errors(&mut self) {
        if let Some(running) = &mut self.running {
            running.pipes.drain_errors(&self.limits);
        }
    }

    /// Periodic checks while a bot thinks.
    pub(super) fn look(&mut self) -> Result<(), Fault> {
        if let Some(activity) = &mut self.activity {
            activity.look();
        }
        // The process may have ended while descendants hold its pipes open.
        let ended = |running: &mut Running| running.try_wait().is_some();
        if self.running.as_mut().is_some_and(ended) {
            let status = self.running.as_mut().and_then(Running::try_wait);
            return Err(self.gone_for("it ended", status));
        }
        match self.running.as_ref().and_then(Running::excess) {
            Some(excess) => Err(self.kill(excess.code, excess.detail)),
            None => Ok(()),
        }
    }

    /// Handles a closed pipe. During a question the host does not wait for the end of the process;
    /// [`left`](Self::left) reports it.
    fn leaves(&mut self, what: &str) -> Result<(), Fault> {
        let Some(asked) = &mut self.asked else { return Err(self.ended(what)) };
        asked.arrived.get_or_insert(self.time.now());
        if self.leaving.is_none() {
            self.leaving = Some(Leaving { what: what.to_owned(), until: Instant::now() + EXIT_STATUS_WAIT });
        }
        if let Some(running) = &mut self.running {
            // A stopped process cannot end.
            running.go_on();
        }
        Ok(())
    }

    /// The fault of a process that has closed a pipe, once it has ended or its deadline is over.
    pub(super) fn left(&mut self) -> Result<(), Fault> {
        let (Some(leaving), Some(running)) = (&self.leaving, &mut self.running) else { return Ok(()) };
        running.pipes.drain_errors(&self.limits);
        let status = running.try_wait();
        if status.is_none() && Instant::now() < leaving.until {
            return Ok(());
        }
        let what = leaving.what.clone();
        Err(self.gone_for(&what, status))
    }

    /// The fault of a process that has closed a pipe. Waits up to `EXIT_STATUS_WAIT` for its exit status.
    pub(super) fn ended(&mut self, what: &str) -> Fault {
        let Some(running) = &mut self.running else { return self.absent() };
        // On a busy machine even a failed program needs time to end, and would look alive.
        let status = {
            let deadline = Instant::now() + EXIT_STATUS_WAIT;
            self.time.wait_for_one();
            loop {
                running.pipes.drain_errors(&self.limits);
                match running.try_wait() {
                    Some(status) => break Some(status),
                    None if Instant::now() < deadline => crate::pipes::breathe(),
                    None => break None,
                }
            }
        };
        self.gone_for(what, status)
    }

    /// Kills a process after the action `what`; the fault depends on the exit status, if the process has
    /// ended.
    fn gone_for(&mut self, what: &str, status: Option<ExitStatus>) -> Fault {
        let Some(running) = &mut self.running else { return self.absent() };
        running.pipes.drain_errors(&self.limits);
        let (code, detail) = match status {
            _ if let Some(excess) = running.excess() => (excess.code, excess.detail),
            None => (FaultCode::BrokenPipe, format!("{what}, but did not end")),
            Some(status) if out_of_memory(&running.pipes.tail(), status) => {
                let limit = self.limits.memory_mib;
                (FaultCode::MemoryLimit, format!("it ran out of memory ({limit} MiB): {}", describe(status)))
            }
            Some(status) => (FaultCode::Crash, describe(status)),
        };
        self.kill(code, detail)
    }

    /// Ends the process and its descendants. Returns the fault with this reason.
    pub(super) fn kill(&mut self, code: FaultCode, detail: String) -> Fault {
        let others_may_think = self.asked.is_some();
        self.leaving = None;
        self.dropped_before = self.dropped_bytes();
        let spent = self.close_question(code);
        let mut fault = self.fault(code, detail).fatal();
        if let Some((_, used, allowed_us)) = spent {
            fault = fault.after(used, allowed_us);
        }
        if let Some(running) = self.running.take() {
            if others_may_think {
                running.supervised.ask_to_end();
                self.remains = Some(running);
            } else {
                self.time.wait_for_one();
                running.kill();
            }
        }
        // Later faults belong to no question.
        self.gone = Some(Fault { used: None, allowed_us: None, ..fault.clone() });
        fault
    }
}

/// Parses a line of a bot.
pub(super) fn parse_line<'l, T: Deserialize<'l>>(line: &'l str) -> Result<T, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(line);
    let message = T::deserialize(&mut reader)?;
    reader.end()?;
    Ok(message)
}

pub(super) fn shorten(text: &str) -> String {
    shorten_to(text, KEPT_LINE)
}

pub(super) fn shorten_detail(text: &str) -> String {
    shorten_to(text, MAX_DETAIL)
}

fn shorten_to(text: &str, bytes: usize) -> String {
    if text.len() <= bytes {
        return text.to_owned();
    }
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= bytes).last().unwrap_or(0);
    format!("{}… ({} bytes in all)", &text[..end], text.len())
}
