//! Kills: when a host ends, however it ends, all processes of its bots end.

use std::io::{BufReader, Write};
use std::process::Stdio;

use meeple_bothost::{FaultCode, SandboxLevel, play_episode};
use meeple_testkit::waits::{lines_until, until};

use crate::hostile::{POLITE, at_turn, policy};
use crate::hosts::{Ground, User, for_every_user, plays};
use crate::support::{bot_file, game, has, launch, limits, processes_like, sandbox, sandboxes, seat, seed};

/// A bot that leaves every kind of process behind, closes its pipes, and ignores signals.
const DAEMONS: &str = r#"
def stay():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGCONT):
        signal.signal(number, signal.SIG_IGN)
    for attempt in (os.setsid, lambda: os.setpgid(0, 0)):
        try: attempt()
        except OSError: pass
    for fd in range(3): os.close(fd)
    os.environ.clear()
    while True: time.sleep(1000)

def on_start(message):
    for number in range(3):
        if os.fork() == 0:
            if number == 0: stay()
            if os.fork() == 0:
                if number == 1 or os.fork() == 0: stay()
            os._exit(0)
    say({"t": "ready", "g": message["g"]})
"#;

const HOST: &str = "host that is killed";

#[test]
fn nothing_outlives_a_killed_host() {
    if !has("python3") {
        return;
    }
    const TEST: &str = "kills::nothing_outlives_a_killed_host";
    if plays(HOST) {
        let level: SandboxLevel = std::env::var("MEEPLE_TEST_LEVEL").unwrap().parse().unwrap();
        let marker = std::env::var("MEEPLE_TEST_MARKER").unwrap();
        let hostile = bot_file(&marker, &POLITE.replace("ATTACK", DAEMONS));
        let mut bot = launch(&hostile.spec, &sandbox(level).unwrap());
        let table = game("incan-gold", 1);
        let record = play_episode(&*table, seed(0), &mut [seat(&mut bot)], &policy()).unwrap();
        assert_eq!(record.faults, []);
        println!("\nplayed");
        std::io::stdout().flush().unwrap();
        loop {
            std::thread::park();
        }
    }
    for user in User::all() {
        for sandbox in sandboxes() {
            let level = sandbox.level();
            let marker = format!("orphan-{}-{level}-{user:?}.py", std::process::id());
            let ground = Ground::new();
            let mut command = ground.host(TEST, HOST, user);
            command.env("MEEPLE_TEST_LEVEL", level.word()).env("MEEPLE_TEST_MARKER", &marker);
            let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
            let (_output, _) = lines_until(BufReader::new(child.stdout.take().unwrap()), "played");
            assert!(processes_like(&marker).len() >= 4, "the bot and three daemons");
            child.kill().unwrap();
            child.wait().unwrap();
            until(&format!("the end of all processes at {level}, {user:?}"), || {
                processes_like(&marker).is_empty()
            });
        }
    }
}

#[test]
fn nothing_outlives_a_bot() {
    if !has("python3") {
        return;
    }
    for_every_user("kills::nothing_outlives_a_bot", || {
        for sandbox in sandboxes() {
            let marker = format!("daemons-{}.py", std::process::id());
            let hostile = bot_file(&marker, &POLITE.replace("ATTACK", DAEMONS));
            let mut bot = launch(&hostile.spec, &sandbox);
            let table = game("incan-gold", 1);
            let record = play_episode(&*table, seed(0), &mut [seat(&mut bot)], &policy()).unwrap();
            assert_eq!(record.faults, [], "{}", sandbox.level());
            assert!(processes_like(&marker).len() >= 4, "the bot and three daemons");
            drop(bot);
            assert_eq!(processes_like(&marker), Vec::<u32>::new(), "{}", sandbox.level());
        }
    });
}

#[test]
fn who_watches_a_bot_is_out_of_its_reach() {
    if !has("python3") {
        return;
    }
    // The bot's parent is the process that ends everything when the host is gone.
    let hostile = at_turn(
        "failed = 0\n\
         for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM):\n    \
             try: os.kill(os.getppid() or 1, number)\n    except OSError: failed += 1\n\
         print('FAILED', failed, os.getppid(), file=sys.stderr)\nos._exit(9)",
    );
    for_every_user("kills::who_watches_a_bot_is_out_of_its_reach", || {
        // A different user separates them if nothing else does.
        let is_root = nix::unistd::geteuid().is_root();
        let apart =
            |level| level <= SandboxLevel::InProcess || (level == SandboxLevel::LimitsOnly && is_root);
        for sandbox in sandboxes().into_iter().filter(|sandbox| apart(sandbox.level())) {
            let fault = crate::hostile::fault_of(&hostile, &sandbox, &limits(), &policy());
            assert_eq!(fault.code, FaultCode::Crash, "{}: {fault:#?}", sandbox.level());
            // In a namespace of its own the first process ignores the signals.
            assert!(fault.detail.contains("status 9"), "{}: {fault:#?}", sandbox.level());
            if sandbox.level() != SandboxLevel::Strict {
                assert!(fault.stderr_tail.contains("FAILED 3"), "{}: {fault:#?}", sandbox.level());
            }
        }
    });
}
