//! A bot as a process: launched, asked, timed, frozen, killed, launched again.

use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::unistd::Pid;
use serde::Deserialize;
use thiserror::Error;

use crate::clock::{CpuClock, children};
use crate::fault::{Fault, FaultCode};
use crate::limits::{Clock, ClockBasis, Limits};
use crate::pipes::{Found, Pipes};
use crate::player::{Answer, Bad, End, Player, Reply, Start, Turn, Usage, Waiting};
use crate::protocol::{BotHello, BotLine, ClockMessage, HostMessage, Kind, TurnLine, VERSIONS};
use crate::reap::{Marks, resident_bytes, signal_group, wait_for};
use crate::sandbox::{Job, Level, Sandbox, SandboxError, unused_user};
use crate::spec::{BotSpec, SpecError};
use crate::stage::{StageError, Staged};

/// How long a line may be that is kept in a fault.
const KEPT_LINE: usize = 500;
/// How often the clock and the memory of a thinking bot are looked at, at least.
const LOOK: Duration = Duration::from_millis(50);

/// Why a bot could not be launched.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// What it names is not there or cannot be run.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// Its files cannot be put in place.
    #[error("bot '{bot}': its files cannot be copied: {error}")]
    Files {
        /// The bot.
        bot: String,
        /// Why.
        error: std::io::Error,
    },
    /// There is no such sandbox here.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// The process cannot be started.
    #[error("bot '{bot}' cannot be started: {error}")]
    Start {
        /// The bot.
        bot: String,
        /// Why.
        error: std::io::Error,
    },
    /// It started, but did not say hello.
    #[error("bot '{bot}' did not say hello: {fault}{}", tail(.fault))]
    Hello {
        /// The bot.
        bot: String,
        /// What it did instead.
        fault: Box<Fault>,
    },
}

fn tail(fault: &Fault) -> String {
    if fault.stderr_tail.is_empty() {
        "\nhint: `meeple check-bot` explains what is wrong".to_owned()
    } else {
        format!("\nits last words on stderr:\n{}", fault.stderr_tail)
    }
}

/// A bot that is a program, in one process for many episodes.
///
/// The process is killed, with everything it has started, when this is dropped.
pub struct BotProcess {
    spec: BotSpec,
    sandbox: Sandbox,
    limits: Limits,
    staged: Staged,
    hello: BotHello,
    running: Option<Running>,
    /// The fault that ended the last process.
    gone: Option<Fault>,
    restarts: u32,
    /// Number of the episode on this process.
    episode: u64,
    clock: Clock,
    bank: Duration,
    used: Usage,
    last_used_us: u64,
    asked: Option<Asked>,
    /// Questions that got no answer in time: their answers may still come, and are ignored.
    late: Vec<(u64, u64)>,
}

/// A process that runs.
struct Running {
    child: Child,
    pipes: Pipes,
    marks: Marks,
    /// The bot itself; in a namespace of its own it is not our child.
    bot: Pid,
    cpu: Option<CpuClock>,
    frozen: bool,
    last_line: String,
}

/// A question that is open.
struct Asked {
    number: u64,
    sent: Instant,
    cpu_before: Option<Duration>,
    /// What the answer may take, on the basis of the clock.
    budget: Duration,
    /// Whether it is the bank that limits it.
    by_bank: bool,
    /// When to look at memory again.
    look: Instant,
}

impl BotProcess {
    /// Starts a bot and waits for its hello.
    ///
    /// # Errors
    /// If it cannot be started, or does not say hello in time.
    pub fn launch(spec: &BotSpec, sandbox: &Sandbox, limits: &Limits) -> Result<Self, LaunchError> {
        let others = sandbox.drops_user() && sandbox.level() != Level::Strict;
        let staged = Staged::bot(spec, others).map_err(|error| match error {
            StageError::Spec(error) => LaunchError::Spec(error),
            StageError::Files(error) => LaunchError::Files { bot: spec.name.clone(), error },
        })?;
        let mut process = Self {
            spec: spec.clone(),
            sandbox: sandbox.clone(),
            limits: *limits,
            staged,
            hello: BotHello::default(),
            running: None,
            gone: None,
            restarts: 0,
            episode: 0,
            clock: Clock::default(),
            bank: Duration::ZERO,
            used: Usage::default(),
            last_used_us: 0,
            asked: None,
            late: Vec::new(),
        };
        process.run()?;
        Ok(process)
    }

    /// The bot.
    pub fn spec(&self) -> &BotSpec {
        &self.spec
    }

    /// What it said of itself.
    pub fn hello(&self) -> &BotHello {
        &self.hello
    }

    /// Fingerprint of its files, 64 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.staged.hash
    }

    /// How it is shut in.
    pub fn level(&self) -> Level {
        self.sandbox.level()
    }

    /// Whether its CPU time can be measured; if not, the clock counts time on the wall.
    pub fn measures_cpu(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.cpu.is_some())
    }

    /// CPU time of the running process so far, where it can be measured.
    pub fn cpu_time(&mut self) -> Option<Duration> {
        Some(self.running.as_mut()?.cpu.as_mut()?.read())
    }

    /// How often it was started again.
    pub fn restarts(&self) -> u32 {
        self.restarts
    }

    /// Sends a line as it is, for checks that no game would lead to.
    pub(crate) fn send_raw(&mut self, line: &str) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        running.go_on();
        running.pipes.queue().extend_from_slice(line.as_bytes());
        running.pipes.queue().push(b'\n');
        self.flush()
    }

    /// The next line as it is.
    pub(crate) fn line_raw(&mut self, at_most: Duration, due: &str) -> Result<String, Fault> {
        self.line_until(Instant::now() + at_most, due)
    }

    /// Closes the bot's input, with or without a good-bye, and says whether it ends by itself in time.
    pub(crate) fn ends_by_itself(&mut self, with_bye: bool) -> bool {
        if with_bye {
            let _ = self.send(&HostMessage::Bye { why: None });
        }
        let Some(running) = &mut self.running else { return true };
        running.go_on();
        running.pipes.close_input();
        wait_for(&mut running.child, Duration::from_millis(self.limits.shutdown_ms)).is_some()
    }

    /// Starts the process and waits for its hello.
    fn run(&mut self) -> Result<(), LaunchError> {
        let named = |error| LaunchError::Start { bot: self.spec.name.clone(), error };
        self.staged.clear_scratch();
        let user = self.sandbox.drops_user().then(unused_user);
        let token = format!("{}-{}", std::process::id(), unused_user());
        let (folder, scratch) = (self.staged.folder(), self.staged.scratch());
        let job = Job {
            words: &self.staged.words,
            folder: &folder,
            scratch: &scratch,
            visible: &self.staged.visible,
            limits: &self.limits,
            user,
            token: &token,
        };
        let mut command = self.sandbox.command(&job);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if matches!(self.sandbox.level(), Level::Strict | Level::None) {
            // On the other levels the launcher leads a session of its own.
            command.process_group(0);
        }
        let mut child = spawn(command).map_err(named)?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three are piped")
        };
        let bot = pid_of(&child);
        let marks = Marks { user, token };
        let pipes = Pipes::new(input, output, errors).map_err(|error| {
            let _ = child.kill();
            let _ = child.wait();
            named(error)
        })?;
        self.running =
            Some(Running { child, pipes, marks, bot, cpu: None, frozen: false, last_line: String::new() });
        self.gone = None;
        self.asked = None;
        self.late.clear();
        let result = self.greet();
        result.map_err(|fault| LaunchError::Hello { bot: self.spec.name.clone(), fault: Box::new(fault) })
    }

    /// Exchanges hellos.
    fn greet(&mut self) -> Result<(), Fault> {
        self.send(&HostMessage::Hello {
            v: VERSIONS,
            host: format!("meeple {}", env!("CARGO_PKG_VERSION")),
            line_bytes: self.limits.line_bytes as u64,
        })?;
        let deadline = Instant::now() + Duration::from_millis(self.limits.launch_ms);
        let line = self.line_until(deadline, "hello")?;
        let hello = self.read(&line, Kind::Hello)?;
        let [low, high] = VERSIONS;
        match hello.v {
            Some(version) if (low..=high).contains(&version) => {
                self.hello = BotHello {
                    version,
                    name: hello.name.unwrap_or_default(),
                    bot_version: hello.ver.unwrap_or_default(),
                    games: hello.games.unwrap_or_default(),
                };
            }
            Some(version) => {
                let why = format!("the bot speaks version {version}, the host versions {low} to {high}");
                let _ = self.send(&HostMessage::Bye { why: Some(why.clone()) });
                return Err(self.kill(FaultCode::ProtocolVersion, why));
            }
            None => {
                let why = "expected \"v\" with a version of the protocol in hello".to_owned();
                return Err(self.kill(FaultCode::InvalidMessage, why));
            }
        }
        let strict = self.level() == Level::Strict;
        if let Some(running) = &mut self.running {
            if strict {
                // bubblewrap, its first process in the namespace, and the bot.
                let inside = children(running.bot).first().copied();
                running.bot =
                    inside.and_then(|first| children(first).first().copied()).unwrap_or(running.bot);
            }
            running.cpu = CpuClock::of_tree(running.bot);
        }
        self.freeze();
        Ok(())
    }

    /// Starts the process again, as often as it is allowed to.
    fn run_again(&mut self) -> Result<(), Fault> {
        if self.restarts >= self.limits.restarts {
            let mut fault = self.absent();
            fault.detail = format!("given up after {} restarts; last: {}", self.restarts, fault.detail);
            return Err(fault);
        }
        self.restarts += 1;
        self.run().map_err(|error| {
            let fault = match error {
                LaunchError::Hello { fault, .. } => *fault,
                other => Fault::new(FaultCode::Crash, other.to_string()).fatal(),
            };
            self.gone = Some(fault.clone());
            fault
        })
    }

    /// Tells the bot that an episode begins, and waits until it is ready.
    fn begin(&mut self, start: &Start<'_>) -> Result<(), Fault> {
        if !self.hello.games.is_empty() && !self.hello.games.iter().any(|game| game == start.game) {
            let games = self.hello.games.join(", ");
            let detail = format!("the bot plays {games}, not {}", start.game);
            return Err(self.fault(FaultCode::ProtocolVersion, detail));
        }
        self.episode += 1;
        self.clock = *start.clock;
        self.bank = Duration::from_millis(start.clock.bank_ms);
        self.used = Usage::default();
        self.last_used_us = 0;
        self.asked = None;
        if let Some(running) = &mut self.running {
            running.go_on();
            running.pipes.stderr_bytes = 0;
        }
        let clock = start.clock;
        self.send(&HostMessage::Start {
            g: self.episode,
            game: start.game.to_owned(),
            rules: start.rules_version,
            opts: start.variant.clone(),
            seat: start.seat.index() as u64,
            seats: start.seats as u64,
            names: start.names.map(<[String]>::to_vec),
            seed: format!("{:016x}", start.seed),
            clock: ClockMessage {
                start_ms: clock.start_ms,
                bank_ms: clock.bank_ms,
                inc_ms: clock.increment_ms,
                move_ms: clock.move_ms,
                basis: clock.basis,
            },
        })?;
        let deadline = Instant::now() + clock.ceiling(Duration::from_millis(clock.start_ms));
        loop {
            let line = self.line_until(deadline, "ready")?;
            // The answer to a question of the last episode that was given up.
            if let Ok(message) = parse_line(&line)
                && message.t == Kind::Move
                && let (Some(game), Some(number)) = (message.g, message.n)
                && let Some(at) = self.late.iter().position(|late| *late == (game, number))
            {
                self.late.swap_remove(at);
                continue;
            }
            let game = self.read(&line, Kind::Ready)?.g;
            if game != Some(self.episode) {
                let found = game.map_or("none".to_owned(), |game| game.to_string());
                let detail = format!("expected ready with g {}, found {found}", self.episode);
                return Err(self.kill(FaultCode::InvalidMessage, detail));
            }
            break;
        }
        if let Some(running) = &mut self.running {
            // Helpers that it has started since are counted from now on.
            running.cpu = CpuClock::of_tree(running.bot);
        }
        self.freeze();
        Ok(())
    }

    /// Queues a message and sends what the pipe takes.
    fn send(&mut self, message: &HostMessage) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        let queue = running.pipes.queue();
        serde_json::to_writer(&mut *queue, message).expect("plain data");
        queue.push(b'\n');
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        match running.pipes.flush() {
            Ok(()) => Ok(()),
            Err(error) => Err(self.ended(&format!("it does not take messages: {error}"))),
        }
    }

    /// The fault that ended the process.
    fn absent(&self) -> Fault {
        self.gone
            .clone()
            .unwrap_or_else(|| Fault::new(FaultCode::Crash, "the bot has not been started").fatal())
    }

    /// Reads a line as the message that is due.
    fn read<'l>(&mut self, line: &'l str, due: Kind) -> Result<BotLine<'l>, Fault> {
        let wrong = match parse_line(line) {
            Ok(message) if message.t == due => return Ok(message),
            Ok(message) => format!("expected {}, found {}", due.name(), message.t.name()),
            Err(error) => format!("expected {}: {error}", due.name()),
        };
        // Before the first question there is nothing to go on with.
        Err(self.kill(FaultCode::InvalidMessage, wrong))
    }

    /// Waits for a line until a point in time on the wall.
    fn line_until(&mut self, deadline: Instant, due: &str) -> Result<String, Fault> {
        let began = Instant::now();
        loop {
            if let Some(line) = self.next_line()? {
                return Ok(line);
            }
            let now = Instant::now();
            if now >= deadline {
                let waited = (deadline - began).as_millis();
                let half = self.half_line();
                return Err(self.kill(FaultCode::Timeout, format!("no {due} within {waited} ms{half}")));
            }
            self.look()?;
            self.wait((deadline - now).min(LOOK))?;
        }
    }

    fn half_line(&self) -> String {
        let half = self.running.as_ref().map_or(&b""[..], |running| running.pipes.half_line());
        if half.is_empty() {
            String::new()
        } else {
            format!("; a line without its end came: {}", shorten(&String::from_utf8_lossy(half)))
        }
    }

    /// The next line that has come whole.
    fn next_line(&mut self) -> Result<Option<String>, Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        match running.pipes.next_line(&self.limits) {
            Found::Nothing => Ok(None),
            Found::Line(range) => {
                let line = match std::str::from_utf8(&running.pipes.bytes()[range.clone()]) {
                    Ok(line) => line.to_owned(),
                    Err(_) => {
                        let line = String::from_utf8_lossy(&running.pipes.bytes()[range]).into_owned();
                        running.last_line = line;
                        return Err(self.fault_in_line("the line is not UTF-8".into()));
                    }
                };
                running.last_line.clone_from(&line);
                Ok(Some(line))
            }
            Found::Closed => Err(self.ended("it closed its output")),
            Found::TooLong => {
                let limit = self.limits.line_bytes;
                Err(self.kill(FaultCode::OutputLimit, format!("a line is longer than {limit} bytes")))
            }
        }
    }

    /// A line is wrong: at a question that is one strike, before it is the end.
    fn fault_in_line(&mut self, detail: String) -> Fault {
        if self.asked.is_none() {
            return self.kill(FaultCode::InvalidMessage, detail);
        }
        self.settle(FaultCode::InvalidMessage, detail)
    }

    /// Closes the open question with a fault; the bot lives on.
    fn settle(&mut self, code: FaultCode, detail: String) -> Fault {
        if let Some(asked) = self.asked.take() {
            self.late.push((self.episode, asked.number));
            let used = self.usage(&asked);
            self.charge(&asked, used);
        }
        self.fault(code, detail)
    }

    /// Waits a while for something to come, and drains stderr.
    fn wait(&mut self, at_most: Duration) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        if running.pipes.wait(at_most) {
            self.drain_errors()?;
        }
        self.flush()
    }

    fn drain_errors(&mut self) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Ok(()) };
        if running.pipes.drain_errors(&self.limits) {
            return Ok(());
        }
        let limit = self.limits.stderr_bytes;
        Err(self.kill(FaultCode::OutputLimit, format!("more than {limit} bytes on stderr in one episode")))
    }

    /// What is looked at now and then while a bot thinks.
    fn look(&mut self) -> Result<(), Fault> {
        // It may have ended while others that it started hold its pipes open.
        let ended = |running: &mut Running| matches!(running.child.try_wait(), Ok(Some(_)));
        if self.running.as_mut().is_some_and(ended) {
            return Err(self.ended("it ended"));
        }
        self.check_memory()
    }

    /// Kills a bot whose processes hold more memory than one may: shared memory escapes the kernel's limit.
    fn check_memory(&mut self) -> Result<(), Fault> {
        let Some(running) = &self.running else { return Ok(()) };
        if self.level() == Level::None {
            return Ok(());
        }
        let mut pids = vec![running.bot];
        pids.extend(children(running.bot));
        let (held, limit) = (resident_bytes(&pids), self.limits.memory_mib << 20);
        // Programs and libraries count as resident, but not as the bot's own.
        if held <= limit + (128 << 20) {
            return Ok(());
        }
        let detail = format!("it holds {} MiB, more than {} MiB", held >> 20, self.limits.memory_mib);
        Err(self.kill(FaultCode::MemoryLimit, detail))
    }

    /// The process has closed a pipe: finds out whether it ended, and how.
    fn ended(&mut self, what: &str) -> Fault {
        let Some(running) = &mut self.running else { return self.absent() };
        // Let its last words come.
        let status = {
            let deadline = Instant::now() + Duration::from_millis(500);
            loop {
                running.pipes.drain_errors(&self.limits);
                match running.child.try_wait() {
                    Ok(Some(status)) => break Some(status),
                    Ok(None) if Instant::now() < deadline => crate::pipes::breathe(),
                    Ok(None) | Err(_) => break None,
                }
            }
        };
        running.pipes.drain_errors(&self.limits);
        let (code, detail) = match status {
            None => (FaultCode::BrokenPipe, format!("{what}, but did not end")),
            Some(status) if out_of_memory(&running.pipes.tail(), status) => {
                let limit = self.limits.memory_mib;
                (FaultCode::MemoryLimit, format!("it ran out of memory ({limit} MiB): {}", describe(status)))
            }
            Some(status) => (FaultCode::Crash, describe(status)),
        };
        self.kill(code, detail)
    }

    /// Ends the process and everything it started, and says why.
    fn kill(&mut self, code: FaultCode, detail: String) -> Fault {
        let mut fault = self.fault(code, detail);
        fault.alive = false;
        if let Some(running) = self.running.take() {
            running.kill(self.level());
        }
        self.asked = None;
        self.gone = Some(fault.clone());
        fault
    }

    /// Time since the question was sent.
    fn usage(&mut self, asked: &Asked) -> Usage {
        let wall_us = asked.sent.elapsed().as_micros() as u64;
        let now = self.running.as_mut().and_then(|running| running.cpu.as_mut()).map(CpuClock::read);
        let cpu_us = match (asked.cpu_before, now) {
            (Some(before), Some(now)) => Some(now.saturating_sub(before).as_micros() as u64),
            _ => None,
        };
        Usage { cpu_us, wall_us }
    }

    /// What the clock counts of it.
    fn counted(&self, used: Usage) -> Duration {
        Duration::from_micros(match self.clock.basis {
            ClockBasis::Cpu => used.cpu_us.unwrap_or(used.wall_us),
            ClockBasis::Wall => used.wall_us,
        })
    }

    /// Takes the time of a question from the bank.
    fn charge(&mut self, asked: &Asked, used: Usage) {
        let counted = self.counted(used);
        self.last_used_us = counted.as_micros() as u64;
        self.bank = self.bank.saturating_sub(counted);
        if counted <= asked.budget {
            self.bank += Duration::from_millis(self.clock.increment_ms);
        }
        self.used.wall_us += used.wall_us;
        if let Some(cpu) = used.cpu_us {
            *self.used.cpu_us.get_or_insert(0) += cpu;
        }
    }

    /// The fault if the open question has taken too long.
    fn check_clock(&mut self) -> Result<(), Fault> {
        let Some(asked) = self.asked.take() else { return Ok(()) };
        let used = self.usage(&asked);
        let counted = self.counted(used);
        let ceiling = self.clock.ceiling(asked.budget);
        let (by_bank, budget) = (asked.by_bank, asked.budget);
        let wall = Duration::from_micros(used.wall_us);
        self.asked = Some(asked);
        let basis = match self.clock.basis {
            ClockBasis::Cpu if used.cpu_us.is_some() => "of CPU time",
            _ => "on the wall",
        };
        if counted > budget {
            let code = if by_bank { FaultCode::CumulativeTimeout } else { FaultCode::Timeout };
            let what = if by_bank { "in the bank" } else { "allowed for a move" };
            let detail = format!(
                "{} ms {basis}, {} ms {what}{}",
                counted.as_millis(),
                budget.as_millis(),
                self.half_line()
            );
            return Err(self.out_of_time(code, detail));
        }
        if wall > ceiling {
            let detail = format!(
                "no answer within {} ms on the wall; {} ms {basis} used{}",
                ceiling.as_millis(),
                counted.as_millis(),
                self.half_line()
            );
            return Err(self.out_of_time(FaultCode::Timeout, detail));
        }
        Ok(())
    }

    /// The bot lives on, but is stopped until it is asked again.
    fn out_of_time(&mut self, code: FaultCode, detail: String) -> Fault {
        let _ = self.drain_errors();
        let fault = self.settle(code, detail);
        if let Some(running) = &mut self.running {
            running.stop();
        }
        fault
    }

    /// Until when nothing can happen that we must notice, but an answer.
    fn patience(&self) -> Duration {
        let Some(asked) = &self.asked else { return LOOK };
        let wall = asked.sent.elapsed();
        let left = match self.clock.basis {
            ClockBasis::Wall => asked.budget.saturating_sub(wall),
            // With several threads it may be over sooner; then it is noticed at the next look.
            ClockBasis::Cpu => asked.budget.saturating_sub(wall).max(Duration::from_millis(5)),
        };
        let ceiling = self.clock.ceiling(asked.budget).saturating_sub(wall);
        left.min(ceiling).min(LOOK) + Duration::from_millis(1)
    }

    fn freeze(&mut self) {
        if self.limits.freeze
            && let Some(running) = &mut self.running
        {
            running.stop();
        }
    }

    /// Reads a line that answers the open question; `None` if it answers an older one that was given up.
    fn take_answer(&mut self, line: &str) -> Result<Option<Answer>, Fault> {
        let asked_number = self.asked.as_ref().map(|asked| asked.number);
        let message = match parse_line(line) {
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
        let reply = match (message.a, message.m, message.error) {
            (Some(index), None, None) => Reply::Index(index),
            (None, Some(json), None) => Reply::Move(json.to_owned()),
            (None, None, Some(why)) => Reply::Failed(shorten(&why)),
            _ => {
                let detail = "expected exactly one of \"a\", \"m\" and \"error\" in move".to_owned();
                return Err(self.fault_in_line(detail));
            }
        };
        // In time? It may have come just after the last look.
        self.check_clock()?;
        let asked = self.asked.take().expect("a question is open");
        let used = self.usage(&asked);
        self.charge(&asked, used);
        self.freeze();
        Ok(Some(Answer { reply, used }))
    }

    /// Says good-bye, lets the bot end, and kills what is left. What [`Drop`] does too.
    pub fn shut_down(&mut self) {
        let _ = self.send(&HostMessage::Bye { why: None });
        let Some(mut running) = self.running.take() else { return };
        running.go_on();
        running.pipes.close_input();
        let deadline = Instant::now() + Duration::from_millis(self.limits.shutdown_ms);
        while Instant::now() < deadline {
            // Its last words must not keep it from ending.
            running.pipes.drain_errors(&self.limits);
            while let Found::Line(_) = running.pipes.next_line(&self.limits) {}
            match running.child.try_wait() {
                Ok(None) => crate::pipes::breathe(),
                Ok(Some(_)) | Err(_) => break,
            }
        }
        running.kill(self.level());
        self.gone = Some(Fault::new(FaultCode::Crash, "the bot has been shut down").fatal());
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.shut_down();
    }
}

impl Player for BotProcess {
    fn start(&mut self, start: &Start<'_>) -> Result<(), Fault> {
        let idle = self.running.is_some() && self.episode > 0;
        if self.running.is_none() {
            self.run_again()?;
        }
        match self.begin(start) {
            // It went away between two episodes. That costs a restart, but not the episode.
            Err(fault)
                if idle && !fault.alive && matches!(fault.code, FaultCode::Crash | FaultCode::BrokenPipe) =>
            {
                self.run_again()?;
                self.begin(start)
            }
            result => result,
        }
    }

    fn ask(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        running.go_on();
        let cpu_before = running.cpu.as_mut().map(CpuClock::read);
        let line = TurnLine {
            game: self.episode,
            number: turn.number,
            simultaneous: turn.simultaneous,
            observation: turn.observation,
            events: turn.events,
            legal: turn.legal,
            bank_us: self.bank.as_micros() as u64,
            used_us: self.last_used_us,
        };
        line.write(running.pipes.queue());
        let limit = self.clock.move_ms.map(Duration::from_millis);
        let by_bank = limit.is_none_or(|limit| self.bank < limit);
        let budget = limit.map_or(self.bank, |limit| limit.min(self.bank));
        let sent = Instant::now();
        self.asked =
            Some(Asked { number: turn.number, sent, cpu_before, budget, by_bank, look: sent + LOOK });
        self.flush()
    }

    fn poll_answer(&mut self) -> Result<Option<Answer>, Fault> {
        loop {
            match self.next_line()? {
                Some(line) => {
                    if let Some(answer) = self.take_answer(&line)? {
                        return Ok(Some(answer));
                    }
                }
                None => {
                    self.drain_errors()?;
                    self.flush()?;
                    self.check_clock()?;
                    let now = Instant::now();
                    if let Some(asked) = self.asked.as_mut().filter(|asked| asked.look <= now) {
                        asked.look = now + LOOK;
                        self.look()?;
                    }
                    return Ok(None);
                }
            }
        }
    }

    fn waiting(&self) -> Option<Waiting<'_>> {
        let running = self.running.as_ref()?;
        Some(Waiting { descriptors: running.pipes.descriptors(), at_most: self.patience() })
    }

    fn answer(&mut self) -> Result<Answer, Fault> {
        loop {
            self.wait(self.patience())?;
            match self.next_line()? {
                Some(line) => {
                    if let Some(answer) = self.take_answer(&line)? {
                        return Ok(answer);
                    }
                }
                None => {
                    if let Some(answer) = self.poll_answer()? {
                        return Ok(answer);
                    }
                }
            }
        }
    }

    fn refuse(&mut self, bad: &Bad<'_>) {
        let number = self.late.last().map_or(0, |late| late.1);
        let message = HostMessage::Bad {
            g: self.episode,
            n: self.asked.as_ref().map_or(number, |asked| asked.number),
            code: bad.code,
            msg: shorten(bad.message),
            then: bad.then,
        };
        // If it cannot be told, the next question will find out.
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
    }

    fn fault(&mut self, code: FaultCode, detail: String) -> Fault {
        let mut fault = Fault::new(code, detail);
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
}

impl Running {
    fn stop(&mut self) {
        if !std::mem::replace(&mut self.frozen, true) {
            signal_group(self.bot, Signal::SIGSTOP);
        }
    }

    fn go_on(&mut self) {
        if std::mem::take(&mut self.frozen) {
            signal_group(self.bot, Signal::SIGCONT);
        }
    }

    /// Kills the process and everything it started, and reaps it.
    fn kill(mut self, level: Level) {
        let child = pid_of(&self.child);
        if level == Level::Strict {
            // Its first process takes the whole namespace with it; then bubblewrap ends by itself.
            for first in children(child) {
                signal_group(first, Signal::SIGKILL);
            }
            let _ = wait_for(&mut self.child, Duration::from_millis(500));
        }
        signal_group(child, Signal::SIGKILL);
        // Daemons have left the group, and those of a namespace die a moment after it.
        self.marks.kill_all();
        // A killed process ends as soon as the kernel comes to it. If it does not, it is left as it is.
        let _ = wait_for(&mut self.child, Duration::from_secs(5));
    }
}

/// What a line of a bot says.
fn parse_line(line: &str) -> Result<BotLine<'_>, serde_json::Error> {
    let mut reader = serde_json::Deserializer::from_str(line);
    let message = BotLine::deserialize(&mut reader)?;
    reader.end()?;
    Ok(message)
}

fn pid_of(child: &Child) -> Pid {
    Pid::from_raw(child.id() as i32)
}

/// The beginning of a long text.
fn shorten(text: &str) -> String {
    if text.len() <= KEPT_LINE {
        return text.to_owned();
    }
    let end = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= KEPT_LINE).last().unwrap_or(0);
    format!("{}… ({} bytes in all)", &text[..end], text.len())
}

/// How a process ended, for people.
fn describe(status: ExitStatus) -> String {
    let signal = |number: i32| match Signal::try_from(number) {
        Ok(signal) => format!("it was ended by signal {signal}"),
        Err(_) => format!("it was ended by signal {number}"),
    };
    match (status.code(), status.signal()) {
        (_, Some(number)) => signal(number),
        // bubblewrap reports the bot's signals so.
        (Some(code @ 129..=192), _) => format!("{} (status {code})", signal(code - 128)),
        (Some(125 | 127), _) => "it could not be run; its stderr says why".to_owned(),
        (Some(code), _) => format!("it ended with status {code}"),
        (None, None) => "it ended".to_owned(),
    }
}

/// Whether a bot ended because it had no memory: nobody but the bot knows, so its last words decide.
fn out_of_memory(tail: &str, status: ExitStatus) -> bool {
    const WORDS: [&str; 8] = [
        "MemoryError",
        "out of memory",
        "Out of memory",
        "std::bad_alloc",
        "memory allocation of",
        "Cannot allocate memory",
        "OutOfMemoryError",
        "Allocation failed",
    ];
    !status.success() && WORDS.iter().any(|word| tail.contains(word))
}

/// Starts a process from a thread that never ends: some kinds of "die with your parent" mean the thread.
fn spawn(command: Command) -> std::io::Result<Child> {
    type Order = (Command, Sender<std::io::Result<Child>>);
    static SPAWNER: OnceLock<Mutex<Sender<Order>>> = OnceLock::new();
    let spawner = SPAWNER.get_or_init(|| {
        let (orders, received) = channel::<Order>();
        std::thread::spawn(move || {
            for (mut command, reply) in received {
                // Who ordered has gone away only if it panicked.
                let _ = reply.send(command.spawn());
            }
        });
        Mutex::new(orders)
    });
    let (reply, result) = channel();
    let order = spawner.lock().unwrap_or_else(std::sync::PoisonError::into_inner).send((command, reply));
    order.map_err(|_| std::io::Error::other("the thread that starts processes has ended"))?;
    result.recv().map_err(|_| std::io::Error::other("the thread that starts processes has ended"))?
}
