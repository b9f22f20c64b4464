//! Overhead of the protocol per move: hosted episodes against a bare echo over pipes, in the same run. Then
//! the additional cost of stopping the bot off-turn, and of each level of the sandbox.
//!
//! ```text
//! cargo run --release -p meeple-bothost --example overhead [EPISODES]
//! ```

// A measuring program: clocks, processes and printing are its business.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use meeple_bothost::{
    Bad, BotAnswer, BotProcess, BotSpec, BotTurn, Clock, End, EpisodeStart, Fault, FaultPolicy, Launcher,
    Legal, Limits, Player, Sandbox, SandboxLevel, SeatPlan, Usage, Waiting, Who, launcher_main, play_episode,
};
use meeple_core::{AgentSpec, EpisodeSeed};
use meeple_games::adapters;

fn main() -> std::process::ExitCode {
    let mut words = std::env::args().skip(1);
    match words.next().as_deref() {
        Some("--launch") => return launcher_main(std::env::args_os().skip(2)),
        Some("--echo") => echo(),
        Some("--bot") => bot(),
        Some(text) => run(text.parse().expect("expected a number of episodes")),
        None => run(300),
    }
    std::process::ExitCode::SUCCESS
}

/// A player that notes how long each answer took, from before the question is written to after the answer is
/// read, and the size of the line.
struct Timed {
    inner: BotProcess,
    began: Instant,
    moves: Vec<f64>,
    bytes: Vec<f64>,
    cpu: Vec<f64>,
}

impl Player for Timed {
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        self.inner.start(start)
    }

    fn renew(&mut self) {
        self.inner.renew();
    }

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        let legal = match turn.legal {
            Legal::List(texts) => texts.iter().map(|text| text.len() + 3).sum(),
            Legal::Spec(text) => text.len(),
        };
        self.bytes.push((turn.observation.len() + turn.events.len() + legal + 70) as f64);
        self.began = Instant::now();
        self.inner.ask(turn)
    }

    fn receive(&mut self, now: Instant) {
        self.inner.receive(now);
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        let answer = self.inner.poll_answer()?;
        if let Some(answer) = &answer {
            self.moves.push(self.began.elapsed().as_nanos() as f64 / 1e3);
            self.cpu.extend(answer.used.cpu_us.map(|cpu| cpu as f64));
        }
        Ok(answer)
    }

    fn waiting(&self) -> Option<Waiting<'_>> {
        self.inner.waiting()
    }

    fn refuse(&mut self, bad: &Bad<'_>) {
        self.inner.refuse(bad);
    }

    fn end(&mut self, end: &End<'_>) {
        self.inner.end(end);
    }

    fn used(&self) -> Usage {
        self.inner.used()
    }
}

fn run(episodes: u64) {
    let own = std::env::current_exe().expect("this program has a file").display().to_string();
    let python = "import json,sys\nfor l in sys.stdin:\n m=json.loads(l)\n t=m['t']\n \
                  if t=='turn': sys.stdout.write('{\"t\":\"move\",\"g\":%d,\"n\":%d,\"a\":0}\\n'%(m['g'],m['n']))\n \
                  elif t=='start': sys.stdout.write('{\"t\":\"ready\",\"g\":%d}\\n'%m['g'])\n \
                  elif t=='hello': sys.stdout.write('{\"t\":\"hello\",\"v\":1}\\n')\n \
                  sys.stdout.flush()\n";
    let folder = std::env::temp_dir().join(format!("meeple-overhead-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let script = folder.join("bot.py");
    std::fs::write(&script, python).expect("a temporary file");
    println!("{:<48} {:>8} {:>8} {:>8} {:>8} {:>9}", "µs per move", "bytes", "p10", "p50", "p90", "moves");
    let limits = |freeze| Limits { freeze, ..Limits::default() };
    let launcher = Launcher { program: own.clone().into(), arguments: vec!["--launch".into()] };
    let levels =
        SandboxLevel::ALL.iter().copied().filter_map(|level| Sandbox::of_level(level, &launcher).ok());
    for (name, bot, echo) in [
        ("native", format!("cmd:{own} --bot"), vec![own.clone(), "--echo".to_owned()]),
        (
            "python",
            script.display().to_string(),
            vec!["python3".to_owned(), "-c".to_owned(), ECHO.to_owned()],
        ),
    ] {
        let spec = BotSpec::parse(&bot, adapters()).expect("it is there");
        let mut tables = vec![
            Table::new(format!("{name}, never stopped"), &spec, &Sandbox::none(), &limits(false)),
            Table::new(format!("{name}, stopped off-turn"), &spec, &Sandbox::none(), &limits(true)),
        ];
        tables.extend(levels.clone().map(|sandbox| {
            Table::new(format!("{name}, {}", sandbox.level()), &spec, &sandbox, &limits(true))
        }));
        // Interleaved, so that background load affects all tables alike.
        for first in (0..episodes).step_by(20) {
            for table in &mut tables {
                table.play(first..episodes.min(first + 20));
            }
        }
        let bytes = median(&mut tables[0].player.bytes);
        let moves = tables[0].decisions;
        let mut bare = bare_echo(&echo, bytes as usize, moves.min(20_000));
        show(&format!("{name}: bare echo, same bytes"), bytes, &mut bare, moves);
        let echo = median(&mut bare);
        let mut before: Option<f64> = None;
        for table in tables {
            let name = table.name.clone();
            let hosted = table.show(bytes);
            match before {
                None => println!(
                    "{name}: {:.1} µs over a bare echo, {:.2} times as long",
                    hosted - echo,
                    hosted / echo
                ),
                Some(before) => println!("{name}: {:+.1} µs over the first", hosted - before),
            }
            before.get_or_insert(hosted);
        }
        println!();
    }
    let _ = std::fs::remove_dir_all(&folder);
}

struct Table {
    name: String,
    player: Timed,
    decisions: u64,
    in_all: Vec<f64>,
}

impl Table {
    fn new(name: String, spec: &BotSpec, sandbox: &Sandbox, limits: &Limits) -> Self {
        let inner = BotProcess::launch(spec, sandbox, limits).expect("it starts");
        let player =
            Timed { inner, began: Instant::now(), moves: Vec::new(), bytes: Vec::new(), cpu: Vec::new() };
        Self { name, player, decisions: 0, in_all: Vec::new() }
    }

    fn play(&mut self, episodes: std::ops::Range<u64>) {
        let entry = meeple_games::find_game("incan-gold").expect("registered");
        let game = entry.set_up(None, &[], 3).expect("three may play");
        let clock = Clock { bank_ms: 600_000, move_ms: None, ..Clock::default() };
        let policy = FaultPolicy { clock, keep_replay: false, ..FaultPolicy::default() };
        for index in episodes {
            let native =
                |text: &str| SeatPlan { name: text.into(), who: Who::Native(AgentSpec::parse(text)) };
            let mut seats = [
                SeatPlan { name: "bot".into(), who: Who::Player(&mut self.player) },
                native("turn:4"),
                native("turn:5"),
            ];
            let began = Instant::now();
            let record =
                play_episode(&*game, EpisodeSeed::new(1, index), &mut seats, &policy).expect("they can play");
            assert!(record.faults.is_empty(), "{:#?}", record.faults);
            self.decisions += record.seats[0].asked;
            self.in_all.push(began.elapsed().as_nanos() as f64 / 1e3 / record.seats[0].asked as f64);
        }
    }

    fn show(mut self, bytes: f64) -> f64 {
        show(&format!("{}: question to answer", self.name), bytes, &mut self.player.moves, self.decisions);
        show(&format!("{}: hosted episode / moves", self.name), bytes, &mut self.in_all, self.decisions);
        show(&format!("{}: CPU of the bot", self.name), bytes, &mut self.player.cpu, self.decisions);
        median(&mut self.in_all)
    }
}

/// A bare echo, in Python.
const ECHO: &str = "import sys\nfor l in sys.stdin:\n sys.stdout.write('{\"t\":\"move\",\"g\":1,\"n\":10,\"a\":0}\\n')\n sys.stdout.flush()\n";

fn bare_echo(words: &[String], bytes: usize, rounds: u64) -> Vec<f64> {
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the echo starts");
    let mut to = child.stdin.take().expect("piped");
    let mut from = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = "x".repeat(bytes);
    line.push('\n');
    let mut answer = String::new();
    let mut times = Vec::new();
    for _ in 0..rounds {
        answer.clear();
        let began = Instant::now();
        to.write_all(line.as_bytes()).expect("it reads");
        from.read_line(&mut answer).expect("it answers");
        times.push(began.elapsed().as_nanos() as f64 / 1e3);
    }
    drop(to);
    child.wait().expect("it ends");
    times
}

fn echo() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let _ = line.expect("lines are text");
        out.write_all(b"{\"t\":\"move\",\"g\":1,\"n\":10,\"a\":0}\n")
            .and_then(|()| out.flush())
            .expect("read");
    }
}

/// The cheapest bot: finds `g` and `n` in the text.
fn bot() {
    let mut out = std::io::stdout().lock();
    let number = |line: &str, key: &str| {
        let rest = &line[line.find(key).expect("the key is there") + key.len()..];
        rest[..rest.find([',', '}']).expect("numbers end")].to_owned()
    };
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("lines are text");
        let reply = if line.starts_with(r#"{"t":"turn""#) {
            format!(
                "{{\"t\":\"move\",\"g\":{},\"n\":{},\"a\":0}}\n",
                number(&line, "\"g\":"),
                number(&line, "\"n\":")
            )
        } else if line.starts_with(r#"{"t":"start""#) {
            format!("{{\"t\":\"ready\",\"g\":{}}}\n", number(&line, "\"g\":"))
        } else if line.starts_with(r#"{"t":"hello""#) {
            "{\"t\":\"hello\",\"v\":1}\n".to_owned()
        } else {
            continue;
        };
        out.write_all(reply.as_bytes()).and_then(|()| out.flush()).expect("the host reads");
    }
}

fn sort(values: &mut [f64]) {
    values.sort_by(f64::total_cmp);
}

fn median(values: &mut [f64]) -> f64 {
    sort(values);
    values[values.len() / 2]
}

fn show(what: &str, bytes: f64, values: &mut [f64], moves: u64) {
    sort(values);
    let at = |share: f64| values[((values.len() - 1) as f64 * share) as usize];
    println!("{what:<48} {bytes:>8.0} {:>8.1} {:>8.1} {:>8.1} {moves:>9}", at(0.1), at(0.5), at(0.9));
}
