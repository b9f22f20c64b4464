//! The sandbox levels: their availability, and what every bot gets at them.

use std::time::Duration;

use meeple_bothost::{
    Counted, FaultPolicy, Launcher, LevelProbe, Limits, Sandbox, SandboxLevel, play_episode,
};
use nix::unistd::{Pid, getpgid, getpgrp, getsid};

use crate::hosts::for_every_user;
use crate::support::{
    bot_file, game, has, launch, launcher, offers, patient, processes_like, sandbox, sandboxes, seat, seed,
};

#[test]
fn every_level_that_the_machine_offers_comes_up() {
    for level in SandboxLevel::ALL.iter().copied() {
        // The helper panics if a level must be available and is not.
        assert!(sandbox(level).is_some() || offers(level).is_err(), "{level}");
    }
    for level in [SandboxLevel::LimitsOnly, SandboxLevel::None] {
        assert_eq!(sandbox(level).expect("every machine offers it").level(), level);
    }
    let probed = Sandbox::probe(&launcher());
    let tried = |probe: &LevelProbe| (probe.level, probe.available);
    let expected =
        SandboxLevel::ALL.iter().map(|level| (*level, sandbox(*level).is_some())).collect::<Vec<_>>();
    assert_eq!(probed.iter().map(tried).collect::<Vec<_>>(), expected, "{probed:#?}");
}

/// A record says if bots may think off-turn.
#[test]
fn a_record_says_who_may_think_off_turn() {
    let (stopped, free) =
        (Limits { freeze: true, ..Limits::default() }, Limits { freeze: false, ..Limits::default() });
    assert_eq!(Sandbox::none().recorded(&stopped), "none, bots may think off-turn");
    for sandbox in sandboxes() {
        let level = sandbox.level().word();
        let said =
            if sandbox.freezes() { level.to_owned() } else { format!("{level}, bots may think off-turn") };
        assert_eq!((sandbox.recorded(&stopped), &*sandbox.recorded(&free)), (said, level));
        // The filter of system calls guarantees stops, and every machine with these levels has it.
        assert!(sandbox.freezes() || sandbox.level() >= SandboxLevel::LimitsOnly, "{level}");
    }
}

#[test]
fn levels_have_one_name_everywhere() {
    for (level, name) in
        SandboxLevel::ALL.iter().copied().zip(["strict", "in-process", "limits-only", "none"])
    {
        assert_eq!((level.word(), &*level.to_string(), name.parse()), (name, name, Ok(level)));
        assert_eq!(serde_json::to_value(level).unwrap(), name);
        // Names can be padded, as in a table.
        assert_eq!(format!("{level:>12}|"), format!("{name:>12}|"));
    }
    let error = "tight".parse::<SandboxLevel>().unwrap_err();
    assert!(error.contains("strict, in-process, limits-only, none"), "{error}");
}

/// A launcher that does not launch is no sandbox: it ends, is missing, or never ends.
#[test]
fn a_broken_launcher_is_no_sandbox() {
    let broken = |program: &str, arguments: &[&str]| Launcher {
        program: program.into(),
        arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
    };
    for level in [SandboxLevel::Strict, SandboxLevel::InProcess, SandboxLevel::LimitsOnly] {
        for launcher in [broken("/bin/false", &[]), broken("/nowhere/meeple-launch", &[])] {
            let error = Sandbox::of_level(level, &launcher).unwrap_err();
            assert_eq!(error.level, level);
        }
    }
    assert_eq!(Sandbox::best(&broken("/bin/false", &[])).level(), SandboxLevel::None);
}

#[test]
fn a_launcher_that_never_ends_is_given_up() {
    // The launcher sleeps as good as for ever, but no test hangs. The decimals identify our process.
    let marker = format!("100.{}", std::process::id());
    let sleeps =
        Launcher { program: "/bin/sh".into(), arguments: vec!["-c".into(), format!("exec sleep {marker}")] };
    for level in [SandboxLevel::Strict, SandboxLevel::InProcess, SandboxLevel::LimitsOnly]
        .into_iter()
        .filter(|level| offers(*level).is_ok())
    {
        let error = Sandbox::of_level_within(level, &sleeps, Duration::from_millis(300)).unwrap_err();
        assert!(error.why.contains("did not end within 0.3 s"), "{error}");
        assert_eq!(processes_like(&marker), Vec::<u32>::new(), "{level}");
    }
}

/// Without a group of its own, a bot could end the tournament with a signal to its group. Without a session
/// of its own, it could write to the terminal.
#[test]
fn a_bot_has_a_session_and_a_group_of_its_own() {
    if !has("python3") {
        return;
    }
    for sandbox in sandboxes() {
        let level = sandbox.level();
        let marker = format!("group-{}-{level}.py", std::process::id());
        let bot = launch(&bot_file(&marker, HELLO_AND_WAIT).spec, &sandbox);
        let processes = processes_like(&marker);
        assert!(!processes.is_empty(), "{level}");
        for pid in processes.into_iter().map(|pid| Pid::from_raw(pid as i32)) {
            assert_ne!(getpgid(Some(pid)), Ok(getpgrp()), "{level}");
            // The session of bubblewrap is not checked, only that of the bot in it.
            let bubblewrap = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap().trim() == "bwrap";
            if level != SandboxLevel::None && !bubblewrap {
                assert_ne!(getsid(Some(pid)), getsid(None), "{level}");
            }
        }
        drop(bot);
    }
}

const HELLO_AND_WAIT: &str = "
import json, sys
for line in sys.stdin:
    if json.loads(line)['t'] == 'hello': print(json.dumps({'t': 'hello', 'v': 1}))
    else: break
";

/// Programs need some devices. At in-process, where devices are the machine's own, only the needed ones
/// exist.
#[test]
fn devices_are_there_for_what_they_are_for() {
    if !has("python3") {
        return;
    }
    let text = "
import json, sys
def denied(path, mode):
    try: open(path, mode, buffering=0).write(b'x')
    except OSError: return True
def uses_devices():
    for path in ('/dev/urandom', '/dev/random'):
        with open(path, 'rb', buffering=0) as device:
            assert len(device.read(16)) == 16, path
    if ZERO:
        with open('/dev/zero', 'rb') as device: assert device.read(8) == bytes(8)
    with open('/dev/null', 'wb', buffering=0) as device: assert device.write(b'x') == 1
    with open('/dev/null', 'rb') as device: assert device.read() == b''
    if LEVEL == 'in-process':
        for path in ('/dev/zero', '/dev/urandom', '/dev/random', '/dev/full', '/dev/tty', '/dev/kmsg'):
            assert denied(path, 'wb'), path
        assert denied('/dev/full', 'rb')
for line in sys.stdin:
    m = json.loads(line)
    if m['t'] == 'hello': print(json.dumps({'t': 'hello', 'v': 1}))
    if m['t'] == 'start': print(json.dumps({'t': 'ready', 'g': m['g']}))
    if m['t'] == 'turn':
        uses_devices()
        print(json.dumps({'t': 'move', 'g': m['g'], 'n': m['n'], 'a': 1}))
";
    for_every_user("levels::devices_are_there_for_what_they_are_for", || {
        for sandbox in sandboxes() {
            // The device for shared memory is missing if the kernel does not count such memory.
            let zero =
                sandbox.counts_memory() == Counted::ByKernel || sandbox.level() > SandboxLevel::InProcess;
            let text = text.replace("ZERO", if zero { "True" } else { "False" });
            let file = bot_file("devices.py", &text.replace("LEVEL", &format!("'{}'", sandbox.level())));
            let mut bot = launch(&file.spec, &sandbox);
            let policy = FaultPolicy { clock: patient(), strikes: Some(1), ..FaultPolicy::default() };
            let game = game("incan-gold", 1);
            let record = play_episode(&*game, seed(0), &mut [seat(&mut bot)], &policy).unwrap();
            assert_eq!(record.faults, [], "{}", sandbox.level());
        }
    });
}
