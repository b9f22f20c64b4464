//! A renewed bot is in its initial state, and sleeping bots do not delay an episode for long.

use std::time::Duration;

use meeple_bothost::{Clock, ClockBasis, FaultCode, FaultPolicy, Player, Usage};

use crate::hosts::for_every_user;
use crate::support::{bot_file, has, incan_gold, launch, patient, processes_like, sandboxes};

/// A bot that reports at its first question the remains of its earlier processes: running ones, and visible
/// files. Each process leaves as much as it can.
const HOARDER: &str = r#"
import json, os, subprocess, sys, time

MARK = "MARKER"
scratch = os.environ["TMPDIR"]

def left():
    found = []
    for folder, _, names in os.walk(scratch):
        found += [os.path.join(folder, name) for name in names] + ([folder] if folder != scratch else [])
    try:
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                if MARK.encode() in file.read():
                    found.append(f"process {pid}")
    except OSError:
        pass
    return found

before = left()
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print(json.dumps({"t": "hello", "v": 1, "name": "hoarder"}), flush=True)
    elif message["t"] == "start":
        print(json.dumps({"t": "ready", "g": message["g"]}), flush=True)
    elif message["t"] == "turn":
        if message["n"] == 0:
            answer = {"t": "move", "g": message["g"], "n": 0, "error": f"g {message['g']} pid {os.getpid()} left {before}"}
            print(json.dumps(answer), flush=True)
            try:
                os.makedirs(os.path.join(scratch, "closed"), exist_ok=True)
                for name in ("open", "closed/inside"):
                    with open(os.path.join(scratch, name), "w") as file:
                        file.write("a deal")
                os.chmod(os.path.join(scratch, "closed"), 0)
            except OSError:
                pass
            try:
                helper = [sys.executable, "-c", "import time; time.sleep(1000)", MARK]
                subprocess.Popen(helper, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            except OSError:
                pass
        else:
            print(json.dumps({"t": "move", "g": message["g"], "n": message["n"], "a": 0}), flush=True)
"#;

#[test]
fn a_renewed_bot_finds_nothing_of_its_past() {
    if !has("python3") {
        return;
    }
    for_every_user("renewal::a_renewed_bot_finds_nothing_of_its_past", || {
        for (number, sandbox) in sandboxes().into_iter().enumerate() {
            let level = sandbox.level();
            let marker = format!("meeple-hoarder-{}-{number}", std::process::id());
            let bot = bot_file("hoarder.py", &HOARDER.replace("MARKER", &marker));
            let mut player = launch(&bot.spec, &sandbox);
            let policy = FaultPolicy { clock: patient(), strikes: None, ..FaultPolicy::default() };
            let report = |player: &mut dyn Player| {
                let record = incan_gold(player, &policy, 0);
                let [only] = record.faults.as_slice() else { panic!("{level}: {:#?}", record.faults) };
                only.fault.detail.clone()
            };
            let first = report(&mut player);
            assert!(first.ends_with("left []"), "{level}: {first}");
            // Without a renewal the process is the same, and remembers.
            assert!(report(&mut player).contains(" g 2 pid "), "{level}");
            let mut pids = std::collections::BTreeSet::new();
            for _ in 0..2 {
                player.renew();
                assert_eq!(processes_like(&marker), [0u32; 0], "{level}: renewed, and something still runs");
                let again = report(&mut player);
                assert!(again.contains(" g 1 pid ") && again.ends_with("left []"), "{level}: {again}");
                pids.insert(again);
            }
            assert_eq!(player.restarts(), 0, "{level}: it was not its fault");
            drop(player);
            assert_eq!(processes_like(&marker), [0u32; 0], "{level}");
        }
    });
}

/// A bot that has ended is relaunched and counted as usual, renewed or not.
#[test]
fn renewing_what_is_gone_forgives_nothing() {
    if !has("python3") {
        return;
    }
    let mortal = "import json, sys\n\
        for line in sys.stdin:\n    message = json.loads(line)\n    \
        if message['t'] == 'hello': print(json.dumps({'t': 'hello', 'v': 1}), flush=True)\n    \
        elif message['t'] == 'start': print(json.dumps({'t': 'ready', 'g': message['g']}), flush=True)\n    \
        elif message['t'] == 'turn': sys.exit(3)\n";
    let bot = bot_file("mortal.py", mortal);
    let mut player = launch(&bot.spec, &meeple_bothost::Sandbox::none());
    let policy = FaultPolicy { clock: patient(), ..FaultPolicy::default() };
    for restarts in [0, 1, 2] {
        let record = incan_gold(&mut player, &policy, 0);
        assert_eq!(record.faults[0].fault.code, FaultCode::Crash);
        assert_eq!(player.restarts(), restarts);
        player.renew();
    }
}

/// A bot that sleeps before it is ready, or before it answers.
fn sleeper(at: &str, seconds: &str) -> crate::support::BotFile {
    let code = "import json, sys, time\n\
        for line in sys.stdin:\n    message = json.loads(line)\n    \
        if message['t'] == 'KIND': time.sleep(SECONDS)\n    \
        if message['t'] == 'hello': print(json.dumps({'t': 'hello', 'v': 1}), flush=True)\n    \
        elif message['t'] == 'start': print(json.dumps({'t': 'ready', 'g': message['g']}), flush=True)\n    \
        elif message['t'] == 'turn':\n        \
        print(json.dumps({'t': 'move', 'g': message['g'], 'n': message['n'], 'a': 0}), flush=True)\n";
    bot_file("sleeper.py", &code.replace("KIND", at).replace("SECONDS", seconds))
}

/// A policy that is patient with single answers, but not with an episode: 1.2 s of sleep in all.
fn no_time_for_sleep() -> FaultPolicy {
    let clock = Clock { episode_slack_ms: 1_200, ..patient() };
    FaultPolicy { clock, strikes: None, ..FaultPolicy::default() }
}

#[test]
fn sleep_is_limited_over_the_episode() {
    if !has("python3") {
        return;
    }
    // The clock is the same at every level.
    for sandbox in sandboxes().into_iter().take(1) {
        // All questions time out, or a little sleep before each answer, or all of it before the first
        // question.
        for (at, seconds) in [("turn", "1000"), ("turn", "0.5"), ("start", "2")] {
            let bot = sleeper(at, seconds);
            let mut player = launch(&bot.spec, &sandbox);
            let record = incan_gold(&mut player, &no_time_for_sleep(), 0);
            let what = format!("{}: {at} {seconds}: {:#?}", sandbox.level(), record.faults);
            let codes: Vec<FaultCode> = record.faults.iter().map(|fault| fault.fault.code).collect();
            assert!(codes.iter().all(|code| *code == FaultCode::CumulativeTimeout), "{what}");
            assert!(record.faults[0].fault.detail.starts_with("the episode has waited "), "{what}");
            let own = record.seats[0];
            // The sleep is used up, so every further question times out at once.
            let before = own.asked - own.fallbacks;
            assert!(before <= if seconds == "0.5" { 2 } else { 0 }, "{what}");
            assert!(own.fallbacks > 3 && codes.len() as u64 == own.fallbacks, "{what}");
            let clock = no_time_for_sleep().clock;
            let slept = clock.slept(own.start + own.used);
            assert!(slept > Duration::from_millis(1_200), "{what}");
            if at == "start" {
                assert!(own.start.wall_us >= 2_000_000, "{what}: {own:?}");
            }
        }
    }
}

#[test]
fn what_is_slept_is_what_no_work_explains() {
    let clock = Clock { wall_factor: 5, ..Clock::default() };
    let wall = Clock { basis: ClockBasis::Wall, ..clock };
    for (clock, cpu_us, wall_us, slept_us) in [
        (clock, Some(0), 700, 700),
        (clock, Some(100), 700, 200),
        (clock, Some(140), 700, 0),
        (clock, Some(9_999), 700, 0),
        (Clock { wall_factor: 0, ..clock }, Some(100), 700, 600),
        // Without measured CPU time, or if it does not count, the bank limits wall time.
        (clock, None, 700, 0),
        (wall, Some(0), 700, 0),
    ] {
        let found = clock.slept(Usage { cpu_us, wall_us });
        assert_eq!(found, Duration::from_micros(slept_us), "{clock:?} {cpu_us:?} {wall_us}");
    }
    let sum = |a: Option<u64>, b: Option<u64>| {
        (Usage { cpu_us: a, wall_us: 3 } + Usage { cpu_us: b, wall_us: 4 }).cpu_us
    };
    assert_eq!(
        [sum(None, None), sum(Some(1), None), sum(None, Some(2)), sum(Some(1), Some(2))],
        [None, Some(1), Some(2), Some(3)]
    );
}
