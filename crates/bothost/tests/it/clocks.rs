//! Clocks: whatever a bot starts is charged to it, and nothing of it runs while others think.

use meeple_bothost::{BotProcess, Limits, SandboxLevel, play_episode};
use meeple_testkit::waits::until_some;

use crate::hostile::{POLITE, bot, host, policy};
use crate::hosts::for_every_user;
use crate::support::{bot_file, game, has, limits, processes_like, sandboxes, seat, seed};

/// A bot whose first three turns each need a tenth of a second of CPU time, in a process other than its own.
const BURNER: &str = "\
turns = 0
def burn():
    end = time.process_time() + 0.1
    while time.process_time() < end: pass
def on_turn(message):
    global turns
    turns += 1
    if turns <= 3:
        HELPER
    answer(message)
";

#[track_caller]
fn charged(test: &str, levels: &[SandboxLevel], helper: &str) {
    if !has("python3") {
        return;
    }
    let hostile = bot(&BURNER.replace("HELPER", &helper.replace('\n', "\n        ")));
    for_every_user(test, || {
        for sandbox in sandboxes().iter().filter(|sandbox| levels.contains(&sandbox.level())) {
            let record = host(&hostile, sandbox, &limits(), &policy());
            assert_eq!(record.faults, [], "{}", sandbox.level());
            assert!(record.seats[0].asked >= 3, "{}", sandbox.level());
            let used = record.seats[0].used.cpu_us.unwrap();
            // Reaped processes are counted in hundredths of a second.
            assert!(used >= 270_000, "{}: {used} of 300,000 µs", sandbox.level());
            assert!(
                record.seats[0].used.wall_us >= 300_000,
                "{}: {:?}",
                sandbox.level(),
                record.seats[0].used
            );
        }
    });
}

#[test]
fn helpers_that_are_waited_for_are_charged() {
    let helper = "pid = os.fork()\nif pid == 0:\n    burn()\n    os._exit(0)\nos.waitpid(pid, 0)";
    charged("clocks::helpers_that_are_waited_for_are_charged", SandboxLevel::ALL, helper);
}

#[test]
fn helpers_that_live_on_are_charged() {
    let helper = "a, b = os.pipe()\nif os.fork() == 0:\n    burn()\n    os.write(b, b'x')\n    time.sleep(1000)\nos.read(a, 1)";
    charged("clocks::helpers_that_live_on_are_charged", SandboxLevel::ALL, helper);
}

#[test]
fn helpers_of_helpers_are_charged() {
    // The middle process ends before the work is done, and nobody waits for the last.
    let helper = "\
a, b = os.pipe()
pid = os.fork()
if pid == 0:
    if os.fork() == 0:
        try: os.setsid()
        except OSError: pass
        burn()
        os.write(b, b'x')
        os._exit(0)
    os._exit(0)
os.waitpid(pid, 0)
os.read(a, 1)";
    charged("clocks::helpers_of_helpers_are_charged", SandboxLevel::ALL, helper);
}

#[test]
fn helpers_that_nobody_waits_for_are_charged() {
    // A parent that ignores the end of children, so that the kernel forgets them at once.
    let helper = "\
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
a, b = os.pipe()
if os.fork() == 0:
    burn()
    os._exit(0)
os.close(b)
os.read(a, 1)
time.sleep(0.01)";
    let levels = [SandboxLevel::Strict, SandboxLevel::InProcess, SandboxLevel::LimitsOnly];
    charged("clocks::helpers_that_nobody_waits_for_are_charged", &levels, helper);
}

/// Two helpers that keep each other awake by every known means, and one that only works.
const RESTLESS: &str = r#"
def work():
    while True: pass

def keep_awake(other):
    libc = ctypes.CDLL(None)
    def quietly(attempt):
        try: attempt()
        except (OSError, ValueError): pass
    quietly(os.setsid)
    quietly(lambda: os.setpgid(0, 0))
    event = struct.pack("QiiQQQQQQ", 0, signal.SIGCONT, 0, 0, 0, 0, 0, 0, 0)
    timer = ctypes.create_string_buffer(8)
    if libc.timer_create(1, event, timer) == 0:
        every = struct.pack("qqqq", 0, 1000000, 0, 1000000)
        libc.timer_settime(ctypes.c_void_p.from_buffer(timer), 0, every, None)
    while True:
        quietly(lambda: os.kill(other, signal.SIGCONT))
        quietly(lambda: os.kill(0, signal.SIGCONT))
        quietly(lambda: os.killpg(other, signal.SIGCONT))

threading.Thread(target=work, daemon=True).start()
def on_hello(message):
    first = os.fork()
    if first == 0:
        keep_awake(os.getppid())
    if os.fork() == 0:
        if os.fork() == 0:
            keep_awake(first)
        os._exit(0)
    say({"t": "hello", "v": 1, "name": "restless"})
"#;

/// State and CPU time (in hundredths of a second) of a process.
fn state(pid: u32) -> (char, u64) {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<u64>().ok()).unwrap_or_default();
    let letter = fields.first().and_then(|text| text.chars().next()).unwrap_or('?');
    (letter, ticks(11) + ticks(12))
}

#[test]
fn nothing_of_a_bot_runs_off_turn() {
    if !has("python3") {
        return;
    }
    for_every_user("clocks::nothing_of_a_bot_runs_off_turn", || {
        let levels = [SandboxLevel::Strict, SandboxLevel::InProcess, SandboxLevel::LimitsOnly];
        for sandbox in sandboxes().into_iter().filter(|sandbox| levels.contains(&sandbox.level())) {
            let marker = format!("restless-{}.py", std::process::id());
            let hostile = bot_file(&marker, &POLITE.replace("ATTACK", RESTLESS));
            assert!(Limits::default().freeze, "frozen if nobody says otherwise");
            let mut bot = BotProcess::launch(&hostile.spec, &sandbox, &limits()).unwrap();
            let table = game("incan-gold", 1);
            for index in 0..3 {
                let record = play_episode(&*table, seed(index), &mut [seat(&mut bot)], &policy()).unwrap();
                assert_eq!(record.faults, [], "{}", sandbox.level());
                // The marker is also in the command lines of those that wait for the bot.
                let waiting = 1 + 2 * usize::from(sandbox.level() == SandboxLevel::Strict);
                let what = format!("the stop of all processes at {}", sandbox.level());
                let stopped = until_some(&what, || {
                    let pids = processes_like(&marker);
                    let stopped: Vec<u32> = pids.iter().copied().filter(|pid| state(*pid).0 == 'T').collect();
                    (stopped.len() >= 3 && stopped.len() + waiting == pids.len()).then_some(stopped)
                });
                let used: Vec<_> = stopped.iter().map(|pid| state(*pid)).collect();
                for _ in 0..300 {
                    let now: Vec<_> = stopped.iter().map(|pid| state(*pid)).collect();
                    assert_eq!(now, used, "{}", sandbox.level());
                    std::thread::yield_now();
                }
            }
        }
    });
}

#[test]
fn no_terminal_belongs_to_a_bot() {
    if !has("python3") {
        return;
    }
    // When a terminal disappears, the kernel continues its processes.
    let attack = r#"
import fcntl, termios
try:
    master, slave = os.openpty()
    own = os.open(os.ttyname(slave), os.O_RDWR)
except OSError:
    own = None
if own is not None:
    try: fcntl.ioctl(own, termios.TIOCSCTTY, 0)
    except OSError: pass
try:
    os.open("/dev/tty", os.O_RDWR)
    print("a terminal of its own", file=sys.stderr)
    os._exit(9)
except OSError: pass
"#;
    for_every_user("clocks::no_terminal_belongs_to_a_bot", || {
        for sandbox in crate::hostile::limited() {
            let record = host(&crate::hostile::at_turn(attack), &sandbox, &limits(), &policy());
            assert_eq!(record.faults, [], "{}", sandbox.level());
        }
    });
}
