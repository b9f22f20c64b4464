//! Shared parts of the tests: games, bots written into folders, sandboxes.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use landlock::{ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr};
use meeple_bothost::{
    BotProcess, BotSpec, Clock, EpisodeRecord, FaultPolicy, Launcher, Limits, Player, Sandbox, SandboxLevel,
    SeatPlan, Who, play_episode,
};
use meeple_core::{AgentSpec, AnyGame, EpisodeSeed};
use meeple_games::adapters;

/// A game of the registry with settings.
pub fn game_with(name: &str, set: &[(&str, &str)], seats: usize) -> Box<dyn AnyGame> {
    let name = meeple_games::parse_game(name).unwrap();
    let set: Vec<(String, String)> =
        set.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    name.entry.set_up(name.preset, &set, seats).unwrap()
}

pub fn game(name: &str, seats: usize) -> Box<dyn AnyGame> {
    game_with(name, &[], seats)
}

pub fn seed(index: u64) -> EpisodeSeed {
    EpisodeSeed::new(17, index)
}

/// A seat with a native agent.
pub fn native<'a>(spec: &str) -> SeatPlan<'a> {
    SeatPlan { name: spec.into(), who: Who::Native(AgentSpec::parse(spec)) }
}

pub fn seat(player: &mut dyn Player) -> SeatPlan<'_> {
    SeatPlan { name: "bot".into(), who: Who::Player(player) }
}

/// The launcher that cargo has built for us.
pub fn launcher() -> Launcher {
    let program = std::env::var_os(LAUNCHER).unwrap_or(env!("CARGO_BIN_EXE_meeple-launch").into());
    Launcher { program: program.into(), arguments: Vec::new() }
}

/// The sandbox of a level, or `None` with a message on stderr if this machine does not offer it. A level that
/// the machine offers must work, as tests would otherwise be skipped unnoticed.
pub fn sandbox(level: SandboxLevel) -> Option<Sandbox> {
    static PROBED: OnceLock<Vec<(SandboxLevel, Result<Sandbox, String>)>> = OnceLock::new();
    let probed = PROBED.get_or_init(|| {
        // Probes may take long on a busy machine.
        let sandbox = |level| Sandbox::of_level_within(level, &launcher(), Duration::from_secs(300));
        let probe = |level| (level, sandbox(level).map_err(|error| error.why));
        SandboxLevel::ALL.iter().copied().map(probe).collect()
    });
    match &probed.iter().find(|(probed, _)| *probed == level).unwrap().1 {
        Ok(sandbox) => Some(sandbox.clone()),
        Err(why) => {
            let refused = offers(level).expect_err(&format!("the machine offers {level}, but: {why}"));
            skipped(&format!("the machine does not offer the level {level}: {refused}"));
            None
        }
    }
}

/// Checks, without the launcher, that this machine has the features of a level.
///
/// # Errors
/// The missing feature.
pub fn offers(level: SandboxLevel) -> Result<(), String> {
    match level {
        SandboxLevel::Strict => {
            if !has("bwrap") {
                return Err("bubblewrap (bwrap) is not on PATH".into());
            }
            let mut command = std::process::Command::new("bwrap");
            command.args(["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts"]);
            if !nix::unistd::geteuid().is_root() {
                command.args(["--unshare-user", "--disable-userns"]);
            }
            let output = command.args(["--ro-bind", "/", "/", "--proc", "/proc", "--", "true"]).output();
            let output = output.map_err(|error| error.to_string())?;
            let message = String::from_utf8_lossy(&output.stderr);
            if output.status.success() { Ok(()) } else { Err(message.trim().to_owned()) }
        }
        SandboxLevel::InProcess => {
            let rules = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
            let rules = rules.handle_access(AccessFs::from_all(ABI::V1)).and_then(Ruleset::create);
            rules.map(drop).map_err(|error| error.to_string())
        }
        SandboxLevel::LimitsOnly | SandboxLevel::None => Ok(()),
    }
}

/// Returns true if skipped tests must fail, as in continuous integration, where nobody reads messages about
/// them.
fn all_is_tested() -> bool {
    std::env::var("CI").is_ok_and(|value| !["", "0", "false"].contains(&&*value))
}

/// Reports a skipped test, past the test harness, which would capture it.
fn skipped(why: &str) {
    use std::io::Write;
    let test = std::thread::current().name().unwrap_or("test").to_owned();
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

/// The sandboxes of this machine.
pub fn sandboxes() -> Vec<Sandbox> {
    SandboxLevel::ALL.iter().copied().filter_map(sandbox).collect()
}

/// Returns true if a program is on PATH; if not, reports that, and fails where everything must be tested.
pub fn has(program: &str) -> bool {
    let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).is_file());
    if !found {
        let why = format!("{program} is not on PATH (scripts/test-tools installs it)");
        assert!(!all_is_tested(), "{why}");
        skipped(&why);
    }
    found
}

/// The environment variable with the path of the launcher, if not the one that was built.
pub const LAUNCHER: &str = "MEEPLE_TEST_LAUNCHER";

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A folder with one bot file.
pub struct BotFile {
    _folder: tempfile::TempDir,
    pub spec: BotSpec,
}

/// Writes a bot file; one without extension is made executable.
pub fn bot_file(name: &str, text: &str) -> BotFile {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    if path.extension().is_none() {
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let spec = BotSpec::parse(path.to_str().unwrap(), adapters()).unwrap();
    BotFile { _folder: folder, spec }
}

/// A bot that starts fast and leaves at once.
pub fn shell_bot() -> BotFile {
    bot_file("shell-bot", SHELL_BOT)
}

/// The shell bot with other commands at its launch, or at messages of this kind.
pub fn shell_bot_that(at: &str, commands: &str) -> BotFile {
    let (first, rest) = SHELL_BOT.split_once('\n').unwrap();
    let (case, arms) = rest.split_once("in\n").unwrap();
    let text = match at {
        "launch" => format!("{first}\n{commands}\n{rest}"),
        kind => format!("{first}\n{case}in\n    *'\"t\":\"{kind}\"'*) {commands} ;;\n{arms}"),
    };
    bot_file("shell-bot", &text)
}

const SHELL_BOT: &str = r#"#!/bin/sh
g=0
while read -r line; do
  case "$line" in
    *'"t":"hello"'*) echo '{"t":"hello","v":1,"name":"shell"}' ;;
    *'"t":"start"'*) g=$((g+1)); echo "{\"t\":\"ready\",\"g\":$g}" ;;
    *'"t":"turn"'*)
      n=${line#*\"n\":}; n=${n%%,*}
      echo "{\"t\":\"move\",\"g\":$g,\"n\":$n,\"a\":1}" ;;
    *'"t":"bye"'*) exit 0 ;;
  esac
done
"#;

/// Limits that are safe on a loaded machine.
pub fn limits() -> Limits {
    Limits { launch_ms: 60_000, shutdown_ms: 200, memory_mib: 256, ..Limits::default() }
}

/// A clock that never matters.
pub fn patient() -> Clock {
    Clock {
        start_ms: 10_000,
        bank_ms: 10_000,
        increment_ms: 1_000,
        move_ms: None,
        wall_factor: 1,
        wall_slack_ms: 20_000,
        episode_slack_ms: 120_000,
        ..Clock::default()
    }
}

pub fn launch(spec: &BotSpec, sandbox: &Sandbox) -> BotProcess {
    BotProcess::launch(spec, sandbox, &limits())
        .unwrap_or_else(|error| panic!("{}: {error}", sandbox.level()))
}

/// Plays one episode of Incan Gold of a bot against `turn:3`.
pub fn incan_gold(bot: &mut dyn Player, policy: &FaultPolicy, index: u64) -> EpisodeRecord {
    let game = game("incan-gold", 2);
    play_episode(&*game, seed(index), &mut [seat(bot), native("turn:3")], policy).unwrap()
}

/// The processes with this text in their command line that are not zombies.
pub fn processes_like(marker: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        // Zombies have no command line.
        if pid != std::process::id() && String::from_utf8_lossy(&line).contains(marker) {
            found.push(pid);
        }
    }
    found
}

/// A Python interpreter with numpy: `MEEPLE_TEST_PYTHON`, that on PATH, or the system's. If there is none,
/// reports that, and fails where everything must be tested.
pub fn python_with_numpy() -> Option<PathBuf> {
    static FOUND: OnceLock<Option<PathBuf>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let named = std::env::var_os("MEEPLE_TEST_PYTHON").map(PathBuf::from);
        let path = std::env::var_os("PATH").unwrap_or_default();
        let on_path: Vec<PathBuf> =
            std::env::split_paths(&path).map(|folder| folder.join("python3")).collect();
        named.into_iter().chain(on_path).chain([PathBuf::from("/usr/bin/python3")]).find(|python| {
            let imports = std::process::Command::new(python).args(["-c", "import numpy"]).output();
            imports.is_ok_and(|output| output.status.success())
        })
    });
    if found.is_none() {
        let why =
            "no python3 has numpy (scripts/test-tools installs it; MEEPLE_TEST_PYTHON names another one)";
        assert!(!all_is_tested(), "{why}");
        skipped(why);
    }
    found.clone()
}
