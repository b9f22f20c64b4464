//! The beginning of a process and of an episode.

use std::os::unix::process::CommandExt;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::lines::parse_line;
use super::running::{Running, leader_below, spawn};
use super::{BotProcess, LaunchError};
use crate::clock::CpuClock;
use crate::fault::{Fault, FaultCode};
use crate::limits::{Clock, Limits};
use crate::pipes::Pipes;
use crate::player::{EpisodeStart, Player};
use crate::protocol::{BotHello, ClockMessage, HelloLine, HostMessage, Kind, MoveLine, ReadyLine, VERSIONS};
use crate::sandbox::job::Job;
use crate::sandbox::{Sandbox, SandboxLevel, strict};
use crate::shown::shown;
use crate::spec::BotSpec;
use crate::stage::{StageError, Staged};
use crate::targets::GroupId;
use crate::usage::Usage;
use crate::wall::WallClock;
use crate::watch::{Room, Subject, Watch};

impl BotProcess {
    /// Starts a bot and waits for its hello.
    ///
    /// # Errors
    /// If the bot cannot be started, or does not say hello in time.
    pub fn launch(spec: &BotSpec, sandbox: &Sandbox, limits: &Limits) -> Result<Self, LaunchError> {
        Self::launch_with_patience(spec, sandbox, limits, None)
    }

    /// As [`launch`](Self::launch). Until `patient_until` the machine's load is not held against the bot:
    /// after an overlong wall time, the bot's activity decides.
    pub(crate) fn launch_with_patience(
        spec: &BotSpec,
        sandbox: &Sandbox,
        limits: &Limits,
        patient_until: Option<Instant>,
    ) -> Result<Self, LaunchError> {
        let others = sandbox.drops_user() && sandbox.level() != SandboxLevel::Strict;
        let staged = Staged::bot(spec, others, sandbox.python()).map_err(|error| match error {
            StageError::Spec(error) => LaunchError::Spec(error),
            StageError::Files(error) => LaunchError::Files { bot: shown(&spec.name), error },
            StageError::Folder(error) => LaunchError::Start { bot: shown(&spec.name), error },
        })?;
        let mut process = Self {
            spec: spec.clone(),
            sandbox: sandbox.clone(),
            limits: *limits,
            staged,
            hello: BotHello::default(),
            running: None,
            remains: None,
            time: WallClock::system(),
            gone: None,
            restarts: 0,
            renewed: false,
            cold_files: None,
            episode: 0,
            clock: Clock::default(),
            bank: Duration::ZERO,
            untimed: false,
            announced_bank: None,
            start_used: Usage::default(),
            used: Usage::default(),
            last_used_us: 0,
            dropped_before: 0,
            last_number: 0,
            asked: None,
            received: None,
            leaving: None,
            late: Vec::new(),
            patient_until,
            activity: None,
        };
        process.read_files();
        process.run()?;
        Ok(process)
    }

    /// Reads the bot's readable files into memory, if another bot may have played its deals before. Notes the
    /// reason if some cannot be kept in memory.
    pub(super) fn read_files(&mut self) {
        if self.renewed || self.sandbox.reads_files() {
            let own = [self.staged.folder()];
            let read = match self.level() {
                SandboxLevel::Strict | SandboxLevel::InProcess => {
                    self.staged.readable.read_all(&[self.staged.visible.as_slice(), &own].concat())
                }
                level => Err(format!("at the level {level} it may read all files of the machine")),
            };
            self.cold_files = read.err();
        }
    }

    pub(crate) fn send_raw(&mut self, line: &str) -> Result<(), Fault> {
        let Some(running) = &mut self.running else { return Err(self.absent()) };
        running.go_on();
        running.pipes.queue().extend_from_slice(line.as_bytes());
        running.pipes.queue().push(b'\n');
        self.flush()
    }

    /// Starts the process and waits for its hello.
    pub(super) fn run(&mut self) -> Result<(), LaunchError> {
        self.bury();
        let named = |error| LaunchError::Start { bot: self.spec.name.clone(), error };
        self.staged.clear_scratch().map_err(named)?;
        let user = self.sandbox.unused_user().map_err(named)?;
        let groups = self.sandbox.groups(&self.limits).map(Arc::new);
        let (folder, scratch) = (self.staged.folder(), self.staged.scratch());
        let job = Job {
            words: &self.staged.words,
            folder: &folder,
            scratch: &scratch,
            visible: &self.staged.visible,
            readable: &self.staged.readable,
            limits: &self.limits,
            user,
            groups: groups.as_deref(),
        };
        let mut command = self.sandbox.command(&job);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let supervises = self.sandbox.supervises();
        if !supervises {
            // Makes the launcher lead a process group of its own.
            command.process_group(0);
        }
        let supervised = spawn(command, supervises, user).map_err(named)?;
        let taken = {
            let mut child = supervised.child();
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        };
        let (Some(input), Some(output), Some(errors)) = taken else { unreachable!("all three are piped") };
        let unable = |error| {
            supervised.end();
            crate::living::forget_bot(&supervised);
            named(error)
        };
        let pipes = Pipes::new(input, output, errors).map_err(unable)?;
        let watch = (self.level() != SandboxLevel::None).then(|| {
            let room = match self.level() {
                SandboxLevel::Strict => Room::OwnFileSystem,
                _ => Room::Folder(scratch.clone()),
            };
            let (supervised, limits, groups) = (Arc::clone(&supervised), self.limits, groups.clone());
            let shares_user = user.is_none() && self.level() != SandboxLevel::Strict;
            Watch::begin(Subject { supervised, limits, groups, room, shares_user })
        });
        let watch = watch.transpose().map_err(unable)?;
        let (group, cpu, last_line) = (None, None, String::new());
        self.running =
            Some(Running { supervised, groups, pipes, group, cpu, frozen: false, last_line, watch });
        self.gone = None;
        self.asked = None;
        self.leaving = None;
        self.late.clear();
        let result = self.greet();
        result.map_err(|fault| LaunchError::Hello { bot: self.spec.name.clone(), fault: Box::new(fault) })
    }

    pub(super) fn greet(&mut self) -> Result<(), Fault> {
        self.send(&HostMessage::Hello {
            v: VERSIONS,
            host: format!("meeple {}", env!("CARGO_PKG_VERSION")),
            line_bytes: self.limits.line_bytes as u64,
        })?;
        let allowed = Duration::from_millis(self.limits.launch_ms);
        let line = self.line_within(allowed, Instant::now(), "hello")?;
        let hello: HelloLine = self.read(&line, Kind::Hello)?;
        let [low, high] = VERSIONS;
        match hello.v {
            Some(version) if (low..=high).contains(&version) => {
                self.hello = BotHello {
                    version,
                    name: hello.name.unwrap_or_default(),
                    bot_version: hello.ver.unwrap_or_default(),
                    games: hello.games.unwrap_or_default(),
                    skips_news: hello.news == Some(false),
                    wants_setup: hello.setup == Some(true),
                    repeatable: hello.repeatable == Some(true),
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
        let depth = match self.level() {
            SandboxLevel::Strict => strict::DEPTH,
            _ => usize::from(self.sandbox.supervises()),
        };
        if let Some(running) = &mut self.running {
            let root = running.supervised.pid();
            let bot = leader_below(root, depth);
            let group = || running.groups.as_ref().and_then(|groups| groups.clock());
            running.group = bot.and_then(|bot| GroupId::new(bot.as_raw()));
            running.cpu = bot.and_then(|bot| CpuClock::new(root, bot, group()));
        }
        if self.sandbox.freezes() && self.running.as_ref().is_some_and(|running| running.group.is_none()) {
            // A process that cannot be found cannot be stopped.
            return Err(self.ended("its process cannot be found"));
        }
        self.rest();
        Ok(())
    }

    /// Stops the bot until the next question, and records its CPU time so far.
    fn rest(&mut self) {
        self.freeze();
        if let Some(cpu) = self.running.as_mut().and_then(|running| running.cpu.as_mut()) {
            cpu.settle();
        }
    }

    /// Starts the process again, within the limit of restarts; a renewal is always allowed.
    pub(super) fn run_again(&mut self) -> Result<(), Fault> {
        if !std::mem::take(&mut self.renewed) {
            if self.restarts >= self.limits.restarts {
                let mut fault = self.absent();
                let given_up = Fault::GIVEN_UP;
                fault.detail = format!("{given_up} {} restarts; last: {}", self.restarts, fault.detail);
                return Err(fault);
            }
            self.restarts += 1;
        }
        self.run().map_err(|error| {
            let fault = match error {
                LaunchError::Hello { fault, .. } => *fault,
                other => Fault::new(FaultCode::Crash, other.to_string()).fatal(),
            };
            self.gone = Some(fault.clone());
            fault
        })
    }

    /// Notifies the bot of a new episode, and waits until it is ready.
    pub(super) fn begin(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        if !self.hello.games.is_empty() && !self.hello.games.iter().any(|game| game == start.game) {
            let games = self.hello.games.join(", ");
            let detail = format!("the bot plays {games}, not {}", start.game);
            return Err(self.fault(FaultCode::ProtocolVersion, detail));
        }
        self.episode += 1;
        self.clock = if self.untimed { start.clock.eased() } else { *start.clock };
        self.announced_bank = self.untimed.then(|| Duration::from_millis(start.clock.bank_ms));
        self.bank = Duration::from_millis(self.clock.bank_ms);
        (self.start_used, self.used) = (Usage::default(), Usage::default());
        (self.last_used_us, self.dropped_before) = (0, 0);
        self.asked = None;
        let mut cpu_before = None;
        if let Some(running) = &mut self.running {
            cpu_before = running.cpu_before_a_question();
            running.go_on();
            running.pipes.stderr_bytes = 0;
        }
        let sent = Instant::now();
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
            obs: start.observation.map(|text| serde_json::from_str(text).expect("observations are JSON")),
        })?;
        let allowed = self.clock.ceiling(Duration::from_millis(self.clock.start_ms));
        let started = Instant::now();
        loop {
            let line = self.line_within(allowed, started, "ready")?;
            // A late answer to a question of the last episode that timed out is skipped.
            if let Ok(message) = parse_line::<MoveLine<'_>>(&line)
                && message.t == Kind::Move
                && let (Some(game), Some(number)) = (message.g, message.n)
                && let Some(at) = self.late.iter().position(|late| *late == (game, number))
            {
                self.late.swap_remove(at);
                continue;
            }
            let game = self.read::<ReadyLine>(&line, Kind::Ready)?.g;
            if game != Some(self.episode) {
                let found = game.map_or("none".to_owned(), |game| game.to_string());
                let detail = format!("expected ready with g {}, found {found}", self.episode);
                return Err(self.kill(FaultCode::InvalidMessage, detail));
            }
            break;
        }
        self.freeze();
        self.start_used = self.usage_within(sent.elapsed(), cpu_before, |cpu, _| cpu.settle());
        if self.clock.start_in_bank {
            self.bank = self.bank.saturating_sub(self.counted(self.start_used));
        }
        Ok(self.start_used)
    }
}
