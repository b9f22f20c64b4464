//! Ctrl-C and SIGTERM: the program ends soon, says what to do, and leaves nothing behind, above all no bots.

use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use meeple_testkit::waits::{blocking, end_of, lines_until, rest_of, until_while_running};

/// A bot that ignores all signals, and has a child in its own session that ignores them too. At its moment it
/// writes its location to a file, optionally sends its host a signal, and sleeps. Before that it plays
/// normally.
///
/// The bot itself sends the signal right after its report. A host waits for a bot only for a limited time,
/// which a test on a busy machine could miss.
const STUBBORN: &str = r#"
import json, os, signal, sys, time

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
child = os.fork()
if child == 0:
    os.setsid()
    time.sleep(1000)
def here(moment):
    with open("MARKER.tmp", "w") as file:
        file.write(f"{moment} {os.getpid()} {child} {os.getcwd()}")
    os.rename("MARKER.tmp", "MARKER")
    if SIGNAL:
        # The bot's parent is its supervisor, and the parent of that is the host.
        with open(f"/proc/{os.getppid()}/stat") as file:
            host = int(file.read().rsplit(")", 1)[1].split()[1])
        os.kill(host, SIGNAL)
    while True:
        time.sleep(1000)

if "MOMENT" == "hello":
    here("hello")
for line in sys.stdin:
    message = json.loads(line)
    if message["t"] == "hello":
        print(json.dumps({"t": "hello", "v": 1, "name": "stubborn"}), flush=True)
    elif message["t"] == "start":
        print(json.dumps({"t": "ready", "g": message["g"]}), flush=True)
    elif message["t"] == "turn":
        here("turn")
"#;

struct Stubborn {
    folder: tempfile::TempDir,
}

impl Stubborn {
    /// A bot that acts when it is greeted (`hello`) or asked (`turn`). `signal` is the signal for its host; 0
    /// for none.
    fn new(moment: &str, signal: i32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let marker = folder.path().join("marker");
        let code = STUBBORN.replace("MARKER", marker.to_str().unwrap()).replace("MOMENT", moment);
        let code = code.replace("SIGNAL", &signal.to_string());
        std::fs::create_dir(folder.path().join("bots")).unwrap();
        std::fs::write(folder.path().join("bots/stubborn.py"), code).unwrap();
        Self { folder }
    }

    fn start(&self, words: &str) -> Child {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("meeple"));
        command.current_dir(self.folder.path()).env("NO_COLOR", "1").args(words.split_whitespace());
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Waits until the bot sleeps, and returns its traces.
    fn asleep(&self, child: &mut Child) -> (Vec<PathBuf>, PathBuf) {
        until_while_running(child, "the bot's marker", || self.folder.path().join("marker").exists());
        self.traces()
    }

    /// Traces of a bot that sleeps: its processes, and the folder that it was copied to.
    fn traces(&self) -> (Vec<PathBuf>, PathBuf) {
        let text = std::fs::read_to_string(self.folder.path().join("marker")).unwrap();
        let mut words = text.splitn(4, ' ').skip(1);
        let mut process = || Path::new("/proc").join(words.next().unwrap());
        let processes = vec![process(), process()];
        (processes, Path::new(words.next().unwrap()).parent().unwrap().to_owned())
    }
}

const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGTERM: i32 = 15;

fn signal(child: &Child, name: &str) {
    assert!(Command::new("kill").args([name, &child.id().to_string()]).status().unwrap().success());
}

fn runs(process: &Path) -> bool {
    let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with(['Z', 'X']))
}

#[track_caller]
fn nothing_is_left(processes: &[PathBuf], folder: &Path) {
    for process in processes {
        assert!(!runs(process), "{} still runs", process.display());
    }
    assert!(!folder.exists(), "{} is still there", folder.display());
}

#[test]
fn while_bots_are_started() {
    if !crate::has_python() {
        return;
    }
    for (words, number, advice) in [
        ("match incan-gold bots/stubborn.py turn:7 -q", SIGINT, "stopped at the start; nothing was played"),
        (
            "tournament incan-gold bots/stubborn.py turn:7 --out cup -q",
            SIGTERM,
            "stopped at the start; nothing was played",
        ),
        ("rank bots --game incan-gold --with turn:7 -q", SIGHUP, "stopped at the start; nothing was played"),
        ("check-bot bots/stubborn.py", SIGTERM, "stopped at the start; not everything was checked"),
    ] {
        let bot = Stubborn::new("hello", number);
        let mut child = bot.start(&format!("{words} --sandbox none"));
        let errors = rest_of(child.stderr.take().unwrap(), words);
        assert_eq!(end_of(&mut child, words).code(), Some(1), "{words}: {errors}");
        let (processes, folder) = bot.traces();
        assert!(errors.contains(advice), "{words}: {errors}");
        assert!(!errors.contains("did not say hello"), "its end is no fault of the bot: {errors}");
        nothing_is_left(&processes, &folder);
        assert!(!bot.folder.path().join("cup").exists());
    }
}

#[test]
fn twice_while_a_bot_thinks() {
    if !crate::has_python() {
        return;
    }
    let bot = Stubborn::new("turn", 0);
    // The clock never ends the bot's decision, however long the test takes.
    let file = "game = 'incan-gold'\nbot = ['bots/stubborn.py', 'turn:7']\n\
        [clock]\nwall_slack_ms = 3600000\nepisode_slack_ms = 3600000\n";
    std::fs::write(bot.folder.path().join("cup.toml"), file).unwrap();
    let mut child = bot.start("tournament cup.toml --sandbox none --out cup -q");
    let (processes, folder) = bot.asleep(&mut child);
    assert!(processes.iter().all(|process| runs(process)) && folder.exists());
    let errors = BufReader::new(child.stderr.take().unwrap());
    signal(&child, "-INT");
    let (errors, mut shown) = lines_until(errors, "stops after this episode");
    signal(&child, "-INT");
    shown += &rest_of(errors, "a tournament that was interrupted twice");
    assert_eq!(end_of(&mut child, "it").code(), Some(1), "{shown}");
    assert!(shown.contains("ended at once"), "{shown}");
    assert!(shown.contains("go on with:\n  meeple tournament --resume cup"), "{shown}");
    nothing_is_left(&processes, &folder);
}

#[test]
fn a_simulation_keeps_what_was_played_and_says_that_it_is_not_all() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("meeple"));
    command.current_dir(folder.path()).env("NO_COLOR", "1");
    command.args("sim incan-gold turn:7 random:0.2 -n 100000000 --out long -q".split_whitespace());
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    until_while_running(&mut child, "the first kept part", || {
        folder.path().join("long/.meeple.tmp").exists()
    });
    signal(&child, "-INT");
    let errors = rest_of(child.stderr.take().unwrap(), "a simulation that was interrupted");
    assert_eq!(end_of(&mut child, "it").code(), Some(1), "{errors}");
    assert!(errors.contains("stopped after ") && errors.contains("--resume goes on"), "{errors}");
    let summary = std::fs::read_to_string(folder.path().join("long/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let episodes = summary["episodes"].as_u64().unwrap();
    assert!(errors.contains(&format!("stopped after {episodes} of")), "{errors}");
}

#[test]
fn a_game_that_is_left_by_ctrl_c_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("meeple"));
    command.current_dir(folder.path()).env("NO_COLOR", "1");
    command.args(["play", "incan-gold", "human", "turn:7", "--seed", "3", "--save", "game.json"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.as_mut().unwrap().write_all(b"y\n").unwrap();
    // At the second prompt one decision has been taken and another one is due.
    let mut errors = child.stderr.take().unwrap();
    let (errors, mut shown) = blocking("two questions", move || {
        let mut shown = String::new();
        while shown.matches("your action").count() < 2 {
            let mut byte = [0];
            errors.read_exact(&mut byte).unwrap();
            shown.push(char::from(byte[0]));
        }
        (errors, shown)
    });
    signal(&child, "-INT");
    shown += &rest_of(errors, "a game that was interrupted");
    assert_eq!(end_of(&mut child, "it").code(), Some(1), "{shown}");
    assert!(shown.contains("wrote game.json") && shown.contains("stopped before the end"), "{shown}");
    let check = format!("replay {} --check", folder.path().join("game.json").display());
    assert!(crate::stdout(&check).contains("4 steps, broken off, every step is right"));
}
