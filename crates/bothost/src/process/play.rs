//! A bot as a player: questions, answers, notifications.

use std::time::{Duration, Instant};

use super::lines::{parse_line, shorten, shorten_detail};
use super::{Asked, BotProcess, LOOK};
use crate::fault::{Fault, FaultCode};
use crate::player::{Bad, BotAnswer, BotReply, BotTurn, End, EpisodeStart, Player, Waiting};
use crate::protocol::{HostMessage, Kind, MoveLine, TurnLine};
use crate::usage::Usage;

impl BotProcess {
    /// Reads a line that answers the open question; `None` if it answers an older one that timed out.
    pub(super) fn take_answer(&mut self, line: &str) -> Result<Option<BotAnswer>, Fault> {
        let asked_number = self.asked.as_ref().map(|asked| asked.number);
        let message: MoveLine<'_> = match parse_line(line) {
            Ok(message) => message,
            Err(error) => return Err(self.fault_in_line(format!("expected move: {error}"))),
        };
        if message.t != Kind::Move {
            return Err(self.fault_in_line(format!("expected move, found {}", message.t.name())));
        }
        let (Some(game), Some(number)) = (message.g, message.n) else {
            return Err(self.fault_in_line("expected \"g\" and \"n\" in move".into()));
        };
        if (game, Some(number)) != (self.episode, asked_number) {
            if let Some(at) = self.late.iter().position(|late| *late == (game, number)) {
                self.late.swap_remove(at);
                return Ok(None);
            }
            let due = asked_number.unwrap_or_default();
            return Err(self.fault_in_line(format!(
                "expected a move with g {} and n {due}, found g {game} and n {number}",
                self.episode
            )));
        }
        let reply = match (message.a, message.m, message.error, message.garbled) {
            (Some(index), None, None, None) => BotReply::Index(index),
            (None, Some(json), None, None) => BotReply::Move(json.to_owned()),
            (None, None, Some(why), None) => BotReply::Failed(shorten(&why)),
            (None, None, None, Some(why)) => return Err(self.fault_in_line(shorten(&why))),
            (index, json, error, garbled) => {
                let given = [
                    ("a", index.is_some()),
                    ("m", json.is_some()),
                    ("error", error.is_some()),
                    ("garbled", garbled.is_some()),
                ];
                let found: Vec<&str> =
                    given.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
                let found = if found.is_empty() { "none".to_owned() } else { found.join(" and ") };
                return Err(self.fault_in_line(format!(
                    "expected exactly one of \"a\", \"m\", \"error\" and \"garbled\" in move, found {found}"
                )));
            }
        };
        let asked = self.asked.take().expect("a question is open");
        let used = self.final_usage(&asked);
        self.asked = Some(asked);
        // Checks the clock: the answer may have arrived just after the last look.
        self.check_time(used)?;
        self.asked = None;
        self.charge(used, Duration::ZERO);
        Ok(Some(BotAnswer { reply, used }))
    }

    fn judge(&mut self) -> Result<Option<BotAnswer>, Fault> {
        let arrived = |own: &Self| own.asked.as_ref().is_none_or(|asked| asked.arrived.is_some());
        while self.leaving.is_none()
            && arrived(self)
            && let Some(line) = self.next_line()?
        {
            if let Some(answer) = self.take_answer(&line)? {
                return Ok(Some(answer));
            }
        }
        if self.leaving.is_some() {
            return self.left().map(|()| None);
        }
        self.reopen();
        self.drain_errors();
        self.flush()?;
        self.check_clock()?;
        let now = Instant::now();
        if let Some(asked) = self.asked.as_mut().filter(|asked| asked.look <= now) {
            asked.look = now + LOOK;
            self.look()?;
        }
        Ok(None)
    }

    /// Continues the open question after input that answered an older one. The time in which the bot was
    /// stopped does not count.
    fn reopen(&mut self) {
        let now = self.time.now();
        let (Some(asked), Some(running)) = (&mut self.asked, &mut self.running) else { return };
        if let Some(arrived) = asked.arrived.take()
            && running.frozen
        {
            asked.sent += now.saturating_duration_since(arrived);
            running.go_on();
        }
    }
}

impl Player for BotProcess {
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        let idle = self.running.is_some() && self.episode > 0;
        if self.running.is_none() {
            self.read_files();
        }
        let began = Instant::now();
        let wall_us = || began.elapsed().as_micros() as u64;
        let mut launched = Usage::default();
        if self.running.is_none() {
            self.run_again()?;
            let cpu_us = self.cpu_time().map(|time| time.as_micros() as u64);
            launched = Usage { cpu_us, wall_us: wall_us() };
        }
        match self.begin(start) {
            // The process ended between two episodes. That costs a restart and its time, but not the episode.
            Err(fault)
                if idle && !fault.alive && matches!(fault.code, FaultCode::Crash | FaultCode::BrokenPipe) =>
            {
                self.run_again()?;
                let lost = Usage { cpu_us: None, wall_us: wall_us() };
                Ok(lost + self.begin(start)?)
            }
            result => Ok(launched + result?),
        }
    }

    fn wants_setup(&self) -> bool {
        self.hello.wants_setup
    }

    fn reads_news(&self) -> bool {
        !self.hello.skips_news
    }

    fn renew(&mut self) {
        // A process that is gone left nothing to reset, and its relaunch counts as a restart.
        if self.running.is_some() {
            self.shut_down();
            self.renewed = true;
            self.episode = 0;
        }
    }

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        let cpu_before = running.cpu_before_a_question();
        running.go_on();
        let line = TurnLine {
            game: self.episode,
            turn,
            bank_us: self.announced_bank.unwrap_or(self.bank).as_micros() as u64,
            used_us: if self.untimed { 0 } else { self.last_used_us },
        };
        line.write(running.pipes.queue());
        let limit = self.clock.move_ms.map(Duration::from_millis);
        let by_bank = limit.is_none_or(|limit| self.bank < limit);
        let budget = limit.map_or(self.bank, |limit| limit.min(self.bank));
        self.last_number = turn.number;
        let sent = self.time.now();
        self.received = None;
        self.wait_begins();
        let look = Instant::now() + LOOK;
        self.asked =
            Some(Asked { number: turn.number, sent, arrived: None, cpu_before, budget, by_bank, look });
        self.flush()
    }

    fn receive(&mut self, now: Instant) {
        self.received = Some(now);
        let (Some(running), Some(asked)) = (&mut self.running, &mut self.asked) else { return };
        if asked.arrived.is_none() && running.pipes.fill(&self.limits) {
            asked.arrived = Some(now.max(asked.sent));
            // A bot that has closed its output may be about to end, so only one that has sent a line is
            // stopped.
            if running.pipes.has_line(&self.limits) {
                self.freeze();
            }
        }
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        if self.received.is_none() {
            self.receive(self.time.now());
        }
        let answer = self.judge();
        self.received = None;
        answer
    }

    fn waiting(&self) -> Option<Waiting<'_>> {
        let running = self.running.as_ref()?;
        // The end of a process signals no descriptor.
        let polled = if self.leaving.is_some() { Vec::new() } else { running.pipes.polled() };
        Some(Waiting { polled, at_most: self.patience() })
    }

    fn refuse(&mut self, bad: &Bad<'_>) {
        let message = HostMessage::Bad {
            g: self.episode,
            n: self.last_number,
            code: bad.code,
            msg: shorten(bad.message),
            then: bad.then,
        };
        // If sending fails, the next question will find out.
        let _ = self.send(&message);
    }

    fn end(&mut self, end: &End<'_>) {
        self.asked = None;
        let _ = self.send(&HostMessage::End {
            g: self.episode,
            places: end.places.to_vec(),
            scores: end.scores.to_vec(),
            why: end.reason.to_owned(),
        });
        self.bury();
    }

    fn fault(&mut self, code: FaultCode, detail: String) -> Fault {
        let mut fault = Fault::new(code, shorten_detail(&detail));
        if let Some(running) = &mut self.running {
            running.pipes.drain_errors(&self.limits);
            fault.stderr_tail = running.pipes.tail();
            if matches!(code, FaultCode::InvalidMessage | FaultCode::InvalidMove | FaultCode::ProtocolVersion)
            {
                fault.line = Some(shorten(&running.last_line)).filter(|line| !line.is_empty());
            }
        } else {
            fault.alive = false;
        }
        fault
    }

    fn used(&self) -> Usage {
        self.used
    }

    fn dropped_bytes(&self) -> u64 {
        self.running.as_ref().map_or(self.dropped_before, |running| {
            running.pipes.stderr_bytes.saturating_sub(self.limits.stderr_bytes)
        })
    }
}
