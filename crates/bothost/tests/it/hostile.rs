//! Bots that misbehave in every way we could think of. Each ends as the right fault, in bounded time, and the
//! others at the table are unaffected.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use meeple_bothost::{
    BotProcess, BotSpec, Clock, EpisodeRecord, Fault, FaultCode, FaultPolicy, LaunchError, Limits, Player,
    Sandbox, SandboxLevel, SeatRecord, play_episode,
};
use meeple_testkit::waits::until;

use crate::hosts::for_every_user;
use crate::support::{
    BotFile, bot_file, game, game_with, has, launch, limits, native, patient, processes_like, sandbox,
    sandboxes, seat, seed, shell_bot, shell_bot_that,
};

/// A polite bot with hooks for attacks. `ATTACK` is put at the top.
pub const POLITE: &str = r#"
import ctypes, json, mmap, os, signal, socket, struct, sys, threading, time

def say(message):
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()

def raw(text):
    sys.stdout.write(text)
    sys.stdout.flush()

def answer(message, **changes):
    say({"t": "move", "g": message["g"], "n": message["n"], "a": 0, **changes})

def on_hello(message): say({"t": "hello", "v": 1, "name": "test"})
def on_start(message): say({"t": "ready", "g": message["g"]})
def on_turn(message): answer(message)
def on_bad(message): pass
def on_end(message): pass
def on_bye(message): sys.exit(0)

ATTACK

for line in sys.stdin:
    message = json.loads(line)
    globals()["on_" + message["t"]](message)
"#;

pub fn bot(attack: &str) -> BotFile {
    bot_file("bot.py", &POLITE.replace("ATTACK", attack))
}

/// A bot that attacks at its first question, and then answers as if nothing had happened.
pub fn at_turn(attack: &str) -> BotFile {
    let body = attack.replace('\n', "\n    ");
    bot(&format!("def on_turn(message):\n    {body}\n    answer(message)\n"))
}

pub fn policy() -> FaultPolicy {
    FaultPolicy { clock: patient(), strikes: Some(1), ..FaultPolicy::default() }
}

/// Hosts one episode of a hostile bot, a polite one and a native agent; the polite bot must be unaffected.
pub fn host(hostile: &BotFile, sandbox: &Sandbox, limits: &Limits, policy: &FaultPolicy) -> EpisodeRecord {
    host_spec(&hostile.spec, sandbox, limits, policy)
}

fn host_spec(hostile: &BotSpec, sandbox: &Sandbox, limits: &Limits, policy: &FaultPolicy) -> EpisodeRecord {
    let polite = shell_bot();
    let mut polite = launch(&polite.spec, sandbox);
    let mut hostile = BotProcess::launch(hostile, sandbox, limits).unwrap();
    let game = game("incan-gold", 3);
    let mut seats = [seat(&mut hostile), seat(&mut polite), native("turn:3")];
    let record = play_episode(&*game, seed(1), &mut seats, policy).unwrap();
    let others: Vec<_> = record.faults.iter().filter(|fault| fault.seat.index() != 0).collect();
    assert!(others.is_empty(), "{}: {others:#?}", sandbox.level());
    assert_eq!(record.seats[1].asked, record.seats[1].decisions, "the polite bot plays on");
    record
}

/// The one fault of the hostile bot.
pub fn fault_of(hostile: &BotFile, sandbox: &Sandbox, limits: &Limits, policy: &FaultPolicy) -> Fault {
    fault_of_spec(&hostile.spec, sandbox, limits, policy)
}

/// As [`fault_of`], of a bot by its spec.
pub fn fault_of_spec(hostile: &BotSpec, sandbox: &Sandbox, limits: &Limits, policy: &FaultPolicy) -> Fault {
    let record = host_spec(hostile, sandbox, limits, policy);
    match record.faults.as_slice() {
        [only] => only.fault.clone(),
        faults => panic!("{}: expected one fault, found {faults:#?}", sandbox.level()),
    }
}

#[track_caller]
fn check(hostile: &BotFile, code: FaultCode, word: &str) {
    for sandbox in sandboxes() {
        let fault = fault_of(hostile, &sandbox, &limits(), &policy());
        assert_eq!(fault.code, code, "{}: {fault:#?}", sandbox.level());
        let text = format!("{} {} {}", fault.detail, fault.line.unwrap_or_default(), fault.stderr_tail);
        assert!(text.contains(word), "{}: expected '{word}' in {text}", sandbox.level());
    }
}

/// Checks that an attack crashes the bot, at the levels that isolate files and network.
#[track_caller]
fn check_denied(attack: &str) {
    let hostile = at_turn(attack);
    for sandbox in isolated() {
        let fault = fault_of(&hostile, &sandbox, &limits(), &policy());
        assert_eq!(fault.code, FaultCode::Crash, "{}: {fault:#?}", sandbox.level());
        let denied =
            ["PermissionError", "FileNotFoundError", "ConnectionRefusedError", "OSError", "ProcessLookup"];
        assert!(
            denied.iter().any(|word| fault.stderr_tail.contains(word)),
            "{}: {fault:#?}",
            sandbox.level()
        );
    }
}

pub fn isolated() -> Vec<Sandbox> {
    sandboxes().into_iter().filter(|sandbox| sandbox.level() <= SandboxLevel::InProcess).collect()
}

pub fn limited() -> Vec<Sandbox> {
    sandboxes().into_iter().filter(|sandbox| sandbox.level() != SandboxLevel::None).collect()
}

#[test]
fn sockets_are_denied() {
    if !has("python3") {
        return;
    }
    for_every_user("hostile::sockets_are_denied", || {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        check_denied(&format!("socket.create_connection(('127.0.0.1', {port}), 1)"));
        assert!(listener.accept().is_err(), "nobody came through");
        // Names in the abstract namespace have no file.
        let name = format!("meeple-test-{}", std::process::id());
        use std::os::linux::net::SocketAddrExt;
        let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
        let listener = std::os::unix::net::UnixListener::bind_addr(&address).unwrap();
        listener.set_nonblocking(true).unwrap();
        check_denied(&format!("socket.socket(socket.AF_UNIX).connect('\\0{name}')"));
        assert!(listener.accept().is_err(), "nobody came through");
    });
}

#[test]
fn files_outside_are_denied() {
    if !has("python3") {
        return;
    }
    for_every_user("hostile::files_outside_are_denied", || {
        let folder = tempfile::tempdir().unwrap();
        let secret = folder.path().join("secret");
        std::fs::write(&secret, "42").unwrap();
        // The most tempting ones first: the tests may run as root.
        for path in ["/etc/passwd", "/etc/shadow", secret.to_str().unwrap()] {
            check_denied(&format!("open({path:?}).read()"));
        }
        check_denied(&format!("os.listdir({:?})", folder.path()));
        check_denied("os.listdir('/home')");
    });
}

/// Files of `/proc` about the machine and mounts name the host's folders, and reveal earlier processes.
#[test]
fn the_kernels_accounts_are_denied() {
    if !has("python3") {
        return;
    }
    for_every_user("hostile::the_kernels_accounts_are_denied", || {
        for file in ["self/mountinfo", "self/mounts", "stat", "loadavg", "vmstat", "sys/fs/dentry-state"] {
            check_denied(&format!("open('/proc/{file}').read()"));
        }
    });
}

#[test]
fn writing_outside_is_denied() {
    if !has("python3") {
        return;
    }
    for_every_user("hostile::writing_outside_is_denied", || {
        let folder = tempfile::tempdir().unwrap();
        for path in [
            folder.path().join("new").to_str().unwrap(),
            "/usr/meeple-test",
            "/meeple-test",
            "/dev/meeple-test",
        ] {
            check_denied(&format!("open({path:?}, 'w').write('x')"));
            assert!(!std::path::Path::new(path).exists());
        }
        check_denied("open(__file__, 'a').write('x')");
    });
}

#[test]
fn the_scratch_folder_is_writable_and_small() {
    if !has("python3") {
        return;
    }
    for_every_user("hostile::the_scratch_folder_is_writable_and_small", || {
        let fine = at_turn(
            "p = os.environ['TMPDIR'] + '/x'\nopen(p, 'w').write('x' * 1000)\nassert len(open(p).read()) == 1000",
        );
        let full = at_turn(
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nopen(os.environ['TMPDIR'] + '/y', 'wb').write(bytes(64 << 20))",
        );
        for sandbox in limited() {
            let record = host(&fine, &sandbox, &limits(), &policy());
            assert_eq!(record.faults, [], "{}", sandbox.level());
            let fault = fault_of(&full, &sandbox, &limits(), &policy());
            assert_eq!(fault.code, FaultCode::Crash, "{}: {fault:#?}", sandbox.level());
            assert!(fault.stderr_tail.contains("OSError"), "{fault:#?}");
        }
    });
}

#[test]
fn neighbours_cannot_be_reached() {
    if !has("python3") {
        return;
    }
    for_every_user("hostile::neighbours_cannot_be_reached", || {
        // The host, seen from inside or by its number outside.
        check_denied(&format!("os.kill({}, signal.SIGTERM)", std::process::id()));
        check_denied(
            "libc = ctypes.CDLL(None, use_errno=True)\n\
         if libc.unshare(0x10000000) != 0: raise OSError(ctypes.get_errno(), 'unshare')",
        );
        check_denied(
            "libc = ctypes.CDLL(None, use_errno=True)\n\
         if libc.ptrace(16, os.getppid(), 0, 0) != 0: raise OSError(ctypes.get_errno(), 'ptrace')",
        );
    });
}

#[test]
fn forks_without_end_stop() {
    if !has("python3") {
        return;
    }
    for_every_user("hostile::forks_without_end_stop", || {
        let marker = format!("fork-{}.py", std::process::id());
        let hostile = bot_file(
        &marker,
        &POLITE.replace(
            "ATTACK",
            "def on_turn(message):\n    while True:\n        if os.fork() == 0:\n            time.sleep(1000)\n",
        ),
    );
        let limits = Limits { processes: 24, ..limits() };
        for sandbox in limited() {
            let fault = fault_of(&hostile, &sandbox, &limits, &policy());
            assert_eq!(fault.code, FaultCode::Crash, "{}: {fault:#?}", sandbox.level());
            // A bot that shares our user is watched; others have a limit of the kernel's own.
            let stopped = fault.stderr_tail.contains("BlockingIOError")
                || fault.detail.contains("processes and threads");
            assert!(stopped, "{fault:#?}");
            assert_eq!(processes_like(&marker), Vec::<u32>::new(), "{}", sandbox.level());
        }
    });
}

/// A policy with little CPU time, and much wall time.
fn hurried() -> FaultPolicy {
    let clock = Clock { bank_ms: 10_000, move_ms: Some(300), ..patient() };
    FaultPolicy { clock, ..policy() }
}

/// The one fault of an idle bot, alone at a table where the wall clock expires soon.
fn fault_on_the_wall(hostile: &BotFile, sandbox: &Sandbox) -> (Fault, SeatRecord) {
    let clock = Clock { wall_factor: 1, wall_slack_ms: 100, ..hurried().clock };
    let mut hostile = launch(&hostile.spec, sandbox);
    let game = game("incan-gold", 2);
    let policy = FaultPolicy { clock, ..policy() };
    let mut record =
        play_episode(&*game, seed(1), &mut [seat(&mut hostile), native("turn:3")], &policy).unwrap();
    assert_eq!(record.faults.len(), 1, "{}: {:#?}", sandbox.level(), record.faults);
    (record.faults.remove(0).fault, record.seats[0])
}

/// Asserts that a bot's first question timed out and its seat is charged for it.
#[track_caller]
fn is_charged(fault: &Fault, own: SeatRecord, sandbox: &Sandbox) {
    assert_eq!(fault.code, FaultCode::Timeout, "{}: {fault:#?}", sandbox.level());
    assert_eq!(fault.allowed_us, Some(300_000), "{}: {fault:#?}", sandbox.level());
    assert_eq!(fault.used, Some(own.used), "{}: the only question", sandbox.level());
    assert!(own.counted_us >= 300_000, "{}: {own:?}", sandbox.level());
}

#[test]
fn spinning_ends_on_the_cpu_clock() {
    if !has("python3") {
        return;
    }
    let hostile = at_turn("while True: pass");
    for sandbox in sandboxes() {
        let record = host(&hostile, &sandbox, &limits(), &hurried());
        let ([only], own) = (&record.faults[..], record.seats[0]) else { panic!("{:#?}", record.faults) };
        is_charged(&only.fault, own, &sandbox);
        assert!(only.fault.detail.contains("of CPU time"), "{}: {only:#?}", sandbox.level());
        assert!(own.used.cpu_us.unwrap() >= 300_000, "{}: {own:?}", sandbox.level());
        assert!(own.longest_us >= 300_000, "{}: {own:?}", sandbox.level());
    }
}

#[test]
fn sleeping_ends_on_the_wall() {
    if !has("python3") {
        return;
    }
    let hostile = at_turn("time.sleep(1000)");
    for sandbox in sandboxes() {
        let began = Instant::now();
        let (fault, own) = fault_on_the_wall(&hostile, &sandbox);
        is_charged(&fault, own, &sandbox);
        assert!(fault.detail.contains("on the wall"), "{}: {}", sandbox.level(), fault.detail);
        assert!(own.used.wall_us >= 400_000, "{}: {own:?}", sandbox.level());
        assert!(began.elapsed() < Duration::from_secs(60));
    }
}

#[test]
fn the_bank_runs_dry() {
    if !has("python3") {
        return;
    }
    let hostile = at_turn("end = time.process_time() + 0.2\nwhile time.process_time() < end: pass");
    let clock = Clock { bank_ms: 500, increment_ms: 0, move_ms: Some(10_000), ..patient() };
    let policy = FaultPolicy { clock, ..policy() };
    for sandbox in sandboxes() {
        let record = host(&hostile, &sandbox, &limits(), &policy);
        let [only] = record.faults.as_slice() else { panic!("{:#?}", record.faults) };
        assert_eq!(only.fault.code, FaultCode::CumulativeTimeout, "{:#?}", only.fault);
        assert_eq!(only.turn, Some(2), "two moves of 0.2 s fit into 0.5 s");
    }
}

#[test]
fn a_late_answer_is_not_taken_for_the_next() {
    if !has("python3") {
        return;
    }
    // The bot is too slow once: its late answer comes during a later question, and all others come in time.
    let hostile = bot("slow = [True]\n\
         def on_turn(message):\n    if slow:\n        slow.clear()\n        end = time.process_time() + 0.6\n        while time.process_time() < end: pass\n    answer(message)\n");
    let policy = FaultPolicy { strikes: Some(3), ..hurried() };
    for sandbox in sandboxes() {
        let record = host(&hostile, &sandbox, &limits(), &policy);
        // The question after the slow one may time out, too: the bot still thinks about the old question.
        assert!(matches!(record.faults.len(), 1 | 2), "{:#?}", record.faults);
        assert!(
            record.faults.iter().all(|fault| fault.fault.code == FaultCode::Timeout),
            "{:#?}",
            record.faults
        );
        assert!(record.seats[0].asked > 4, "{:?}", record.seats[0]);
    }
}

#[test]
fn floods_are_cut_off() {
    if !has("python3") {
        return;
    }
    let limits = Limits { stderr_bytes: 1 << 20, ..limits() };
    for attack in [
        "while True: raw('x' * 65536)",
        "say({'t': 'move', 'g': message['g'], 'n': message['n'], 'a': 0, 'x': 'y' * (2 << 20)})",
    ] {
        for sandbox in sandboxes() {
            let fault = fault_of(&at_turn(attack), &sandbox, &limits, &policy());
            assert_eq!(fault.code, FaultCode::OutputLimit, "{}: {attack}: {fault:#?}", sandbox.level());
            assert!(fault.stderr_tail.len() <= limits.stderr_tail_bytes);
        }
    }
}

/// A long log is no fault: its tail is kept, the rest is dropped and counted.
#[test]
fn a_long_log_is_dropped_and_counted() {
    if !has("python3") {
        return;
    }
    let wordy = at_turn("for number in range(33): sys.stderr.write('x' * 65536)\nsys.stderr.flush()");
    let limits = Limits { stderr_bytes: 1 << 20, ..limits() };
    for sandbox in sandboxes() {
        let record = host(&wordy, &sandbox, &limits, &policy());
        assert_eq!(record.faults, [], "{}", sandbox.level());
        let own = record.seats[0];
        let written = u64::from(33_u32 * 65536) * own.asked;
        // Output of the last question may be unread in the pipe.
        let counted = written - (1 << 20) - 65536..=written - (1 << 20);
        assert!(counted.contains(&own.dropped_bytes), "{}: {own:?}", sandbox.level());
        assert_eq!(record.seats[1].dropped_bytes, 0);
    }
}

/// Faults are stored, some with texts of the bot, so their size is bounded.
#[test]
fn what_is_kept_of_a_fault_is_bounded() {
    if !has("python3") {
        return;
    }
    const MANY_GAMES: &str = "['g%d\\n' % number for number in range(60000)]";
    for (what, games, answer) in [
        ("many games", MANY_GAMES, "'a': 0"),
        ("a long error", "[]", "'error': '\\x1be' * 100000"),
        ("a long garbled", "[]", "'garbled': 'e\\n' * 200000"),
        ("a move of one text", "[]", "'m': 'x' * 900000"),
        ("a move of many", "[]", "'m': [[0, 0, 'n', 'x' * 100000]] * 9"),
        ("a long word", "[]", "'t': 'x' * 900000"),
        ("a long key", "[]", "'x' * 900000: 1, 'g': 'y' * 100000"),
    ] {
        let code = format!(
            "import json, sys\ndef say(m): print(json.dumps(m), flush=True)\nfor line in sys.stdin:\n    m = json.loads(line)\n    \
             if m['t'] == 'hello': say({{'t': 'hello', 'v': 1, 'games': {games}}})\n    \
             if m['t'] == 'start': say({{'t': 'ready', 'g': m['g']}})\n    \
             if m['t'] == 'turn': say({{'t': 'move', 'g': m['g'], 'n': m['n'], {answer}}})\n"
        );
        let wordy = bot_file("wordy.py", &code);
        let mut bot =
            BotProcess::launch(&wordy.spec, &sandbox(SandboxLevel::None).unwrap(), &limits()).unwrap();
        let game = game_with("game17", &[("size", "3"), ("rounds", "2")], 1);
        let others = (1..game.seats()).map(|_| native("zombie"));
        let mut seats: Vec<_> = std::iter::once(seat(&mut bot)).chain(others).collect();
        let record = play_episode(&*game, seed(1), &mut seats, &policy()).unwrap();
        assert!(!record.faults.is_empty(), "{what}");
        for fault in &record.faults {
            let kept = serde_json::to_string(&fault.fault).unwrap();
            assert!(kept.len() < 20_000, "{what}: {} bytes", kept.len());
        }
    }
}

#[test]
fn lines_that_are_no_message() {
    if !has("python3") {
        return;
    }
    for (line, word) in [
        ("hello?", "hello?"),
        ("", "expected move"),
        ("{\"t\":\"move\",\"g\":1,\"n\":0,\"a\":0} x", "trailing"),
        ("[1, 2]", "expected move"),
        ("{\"t\":\"fly\"}", "fly"),
        ("{\"t\":\"move\",\"g\":1,\"n\":0}", "and \"garbled\" in move, found none"),
        ("{\"t\":\"move\",\"g\":1,\"n\":0,\"a\":0,\"m\":[]}", "found a and m"),
        ("{\"t\":\"move\",\"g\":1,\"n\":0,\"a\":0,\"garbled\":\"x\"}", "found a and garbled"),
        ("{\"t\":\"move\",\"g\":1,\"n\":0,\"error\":\"x\",\"garbled\":\"x\"}", "\"error\" and \"garbled\""),
        ("{\"t\":\"move\",\"g\":1,\"n\":0,\"a\":-1}", "-1"),
        ("{\"t\":\"move\",\"g\":1,\"n\":0,\"a\":0.5}", "0.5"),
        ("{\"t\":\"move\",\"g\":1,\"n\":0,\"a\":0,\"a\":1}", "duplicate"),
        ("{\"t\":\"move\",\"g\":1,\"n\":7,\"a\":0}", "n 7"),
        ("{\"t\":\"move\",\"g\":9,\"n\":0,\"a\":0}", "g 9"),
        ("{\"t\":\"ready\",\"g\":1}", "found ready"),
        ("[[[[[[[[[[[[[[[[[[", "expected move"),
    ] {
        let attack = format!("def on_turn(message): raw({line:?} + '\\n')\n");
        let sandbox = Sandbox::none();
        let fault = fault_of(&bot(&attack), &sandbox, &limits(), &policy());
        assert_eq!(fault.code, FaultCode::InvalidMessage, "{line}: {fault:#?}");
        assert!(format!("{} {:?}", fault.detail, fault.line).contains(word), "{line}: {fault:#?}");
    }
    let bytes = "def on_turn(message):\n    os.write(1, bytes([255, 254, 10]))\n";
    let fault = fault_of(&bot(bytes), &Sandbox::none(), &limits(), &policy());
    assert_eq!(fault.code, FaultCode::InvalidMessage, "{fault:#?}");
    let deep = "def on_turn(message): raw('{\"m\":' + '[' * 100000 + '\\n')\n";
    let fault = fault_of(&bot(deep), &Sandbox::none(), &limits(), &policy());
    assert_eq!(fault.code, FaultCode::InvalidMessage, "{fault:#?}");
}

#[test]
fn moves_of_another_game() {
    if !has("python3") {
        return;
    }
    check(&at_turn("return answer(message, a=17)"), FaultCode::InvalidMove, "index below 2, found 17");
    let moves = "return say({'t': 'move', 'g': message['g'], 'n': message['n'], 'm': [[0, 0, 'n', 1]]})";
    check(&at_turn(moves), FaultCode::InvalidMove, "index into legal");
}

#[test]
fn half_lines() {
    if !has("python3") {
        return;
    }
    let dies = at_turn("raw('{\"t\":\"mo')\nos._exit(3)");
    check(&dies, FaultCode::Crash, "status 3");
    let sleeps = at_turn("raw('{\"t\":\"mo')\ntime.sleep(1000)");
    let (fault, _) = fault_on_the_wall(&sleeps, &Sandbox::none());
    assert_eq!(fault.code, FaultCode::Timeout);
    assert!(fault.detail.contains("without its end"), "{}", fault.detail);
}

#[test]
fn deaths_at_every_phase() {
    for (at, attack, word) in [
        ("launch", "exit 7", "status 7"),
        ("hello", "echo at hello >&2; exit 1", "at hello"),
        ("hello", "kill -SEGV $$; sleep 5", "SIGSEGV"),
    ] {
        for sandbox in sandboxes()
            .into_iter()
            .filter(|sandbox| !(word == "SIGSEGV" && sandbox.level() == SandboxLevel::InProcess))
        {
            match BotProcess::launch(&shell_bot_that(at, attack).spec, &sandbox, &limits()) {
                Err(LaunchError::Hello { fault, .. }) => {
                    assert_eq!(fault.code, FaultCode::Crash, "{}: {attack}: {fault:#?}", sandbox.level());
                    let text = format!("{} {}", fault.detail, fault.stderr_tail);
                    assert!(text.contains(word), "{}: {attack}: {text}", sandbox.level());
                }
                Err(error) => panic!("{attack}: {error}"),
                Ok(_) => panic!("{attack}: it came up"),
            }
        }
    }
    check(&shell_bot_that("start", "echo at start >&2; exit 1"), FaultCode::Crash, "at start");
    check(&shell_bot_that("turn", "echo at turn >&2; exit 1"), FaultCode::Crash, "at turn");
    check(&shell_bot_that("turn", "exit 0"), FaultCode::Crash, "status 0");
    let closed = shell_bot_that("turn", "exec sleep 1000 >&-");
    for sandbox in sandboxes() {
        let (fault, _) = fault_on_the_wall(&closed, &sandbox);
        // bubblewrap holds the pipe open, so there it is only noticed that no answer comes.
        let expected = match sandbox.level() {
            SandboxLevel::Strict => FaultCode::Timeout,
            _ => FaultCode::BrokenPipe,
        };
        assert_eq!(fault.code, expected, "{}: {fault:#?}", sandbox.level());
    }
    // Actions after the last question do no harm to this episode.
    for (at, attack) in [("end", "exit 1"), ("bye", "sleep 1000")] {
        for sandbox in sandboxes() {
            assert_eq!(host(&shell_bot_that(at, attack), &sandbox, &limits(), &policy()).faults, []);
        }
    }
}

#[test]
fn who_died_is_started_again() {
    if !has("python3") {
        return;
    }
    let hostile = bot("def on_end(message): os._exit(1)");
    let sandbox = Sandbox::none();
    let limits = Limits { restarts: 2, ..limits() };
    let mut bot = BotProcess::launch(&hostile.spec, &sandbox, &limits).unwrap();
    let game = game("incan-gold", 1);
    let mut faults = Vec::new();
    for index in 0..5 {
        let record = play_episode(&*game, seed(index), &mut [seat(&mut bot)], &policy()).unwrap();
        faults.push(record.faults.first().map(|fault| fault.fault.clone()));
    }
    assert_eq!(bot.restarts(), 2);
    assert_eq!(faults[..3], [None, None, None], "dying between episodes costs a restart, not an episode");
    for fault in &faults[3..] {
        let fault = fault.as_ref().expect("nobody is there");
        assert!(fault.detail.contains("given up after 2 restarts"), "{fault:#?}");
        assert!(!fault.alive);
    }
}

/// A tournament counts the time that everybody waits. A bot that ends after every episode and comes back late
/// must be charged for that time.
#[test]
fn coming_back_late_counts_as_waiting() {
    if !has("python3") {
        return;
    }
    let late_us = 300_000;
    let hostile = bot("def on_end(message): os._exit(0)\n\
         def on_hello(message):\n    time.sleep(0.3)\n    say({'t': 'hello', 'v': 1, 'name': 'late'})");
    let sandbox = Sandbox::none();
    let mut bot = BotProcess::launch(&hostile.spec, &sandbox, &limits()).unwrap();
    let game = game("incan-gold", 1);
    let mut starts = Vec::new();
    for index in 0..3 {
        let record = play_episode(&*game, seed(index), &mut [seat(&mut bot)], &policy()).unwrap();
        assert_eq!(record.faults, [], "going away costs no episode");
        starts.push(record.seats[0].start);
    }
    assert_eq!(bot.restarts(), 2);
    for start in &starts[1..] {
        assert!(start.wall_us >= late_us, "{starts:?}");
        // CPU time of the launch must not explain the whole wait.
        assert!(start.cpu_us.is_none_or(|cpu_us| cpu_us < start.wall_us), "{starts:?}");
    }
}

/// Late hellos of relaunched processes count as waiting, too.
#[test]
fn a_late_hello_counts_as_waiting() {
    if !has("python3") {
        return;
    }
    let hostile =
        bot("def on_hello(message):\n    time.sleep(0.3)\n    say({'t': 'hello', 'v': 1, 'name': 'late'})");
    for sandbox in sandboxes() {
        let mut bot = launch(&hostile.spec, &sandbox);
        let game = game("incan-gold", 1);
        let started = |bot: &mut BotProcess, index| {
            play_episode(&*game, seed(index), &mut [seat(bot)], &policy()).unwrap().seats[0].start
        };
        let before = started(&mut bot, 0);
        bot.renew();
        let launched = started(&mut bot, 1);
        assert!(launched.wall_us >= 300_000, "{}: {launched:?}", sandbox.level());
        // CPU time of the launch is counted, too, because work is no sleep.
        assert!(launched.cpu_us > before.cpu_us, "{}: {before:?}, {launched:?}", sandbox.level());
        assert_eq!(bot.restarts(), 0);
    }
}

#[test]
fn versions_without_overlap() {
    if !has("python3") {
        return;
    }
    let hostile = bot("def on_hello(message): say({'t': 'hello', 'v': 9})");
    let Err(LaunchError::Hello { fault, .. }) =
        BotProcess::launch(&hostile.spec, &Sandbox::none(), &limits())
    else {
        panic!("it came up")
    };
    assert_eq!(fault.code, FaultCode::ProtocolVersion);
    assert!(fault.detail.contains("version 9"), "{fault:#?}");
    let other = bot("def on_hello(message): say({'t': 'hello', 'v': 1, 'games': ['chess']})");
    check(&other, FaultCode::ProtocolVersion, "plays chess, not incan-gold");
}

#[test]
fn ignoring_signals_does_not_help() {
    if !has("python3") {
        return;
    }
    let marker = format!("deaf-{}.py", std::process::id());
    let attack = "for s in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP): signal.signal(s, signal.SIG_IGN)\n\
                  def on_bye(message):\n    while True: time.sleep(1000)\n";
    let hostile = bot_file(&marker, &POLITE.replace("ATTACK", attack));
    for sandbox in sandboxes() {
        let bot = launch(&hostile.spec, &sandbox);
        // The bot, its supervisor, and bubblewrap twice.
        assert_eq!(
            processes_like(&marker).len(),
            usize::from(sandbox.level() == SandboxLevel::Strict) * 2 + 2
        );
        drop(bot);
        assert_eq!(processes_like(&marker), Vec::<u32>::new(), "{}", sandbox.level());
    }
}

#[test]
fn frozen_bots_do_not_think() {
    if !has("python3") {
        return;
    }
    // The bot works in a thread all the time; when frozen, only while it is asked or started.
    let busy = bot("def work():\n    while True: pass\nthreading.Thread(target=work, daemon=True).start()\n");
    for sandbox in sandboxes() {
        let launch =
            |freeze| BotProcess::launch(&busy.spec, &sandbox, &Limits { freeze, ..limits() }).unwrap();
        let (mut free, mut frozen) = (launch(false), launch(true));
        let [before, began] = [&mut frozen, &mut free].map(|bot| bot.cpu_time().unwrap());
        // A machine that has this much time for the one would have had as much for the other. Half of it is
        // far more than what a busy machine may still count for a process that was just stopped.
        until("300 ms of CPU time of a free bot", || {
            free.cpu_time().unwrap() - began >= Duration::from_millis(300)
        });
        let used = frozen.cpu_time().unwrap() - before;
        assert!(used < Duration::from_millis(150), "{}: {used:?}", sandbox.level());
        drop(free);
        let game = game("incan-gold", 1);
        let record = play_episode(&*game, seed(0), &mut [seat(&mut frozen)], &policy()).unwrap();
        assert_eq!(record.faults, [], "{}", sandbox.level());
        assert!(frozen.used().cpu_us.is_some());
    }
}
