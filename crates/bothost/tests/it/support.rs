//! What the tests share: games, bots written into folders, sandboxes.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use meeple_bothost::{
    BotProcess, BotSpec, Clock, EpisodeRecord, FaultPolicy, Launcher, Level, Limits, Player, Sandbox,
    SeatPlan, Who, play_episode,
};
use meeple_core::{AgentSpec, AnyGame, EpisodeSeed};

/// A game of the registry with settings.
pub fn game_with(name: &str, set: &[(&str, &str)], seats: usize) -> Box<dyn AnyGame> {
    let name = meeple_games::parse_game(name).unwrap();
    let set: Vec<(String, String)> =
        set.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    name.entry.set_up(name.preset, &set, seats).unwrap()
}

/// A game of the registry.
pub fn game(name: &str, seats: usize) -> Box<dyn AnyGame> {
    game_with(name, &[], seats)
}

/// The seed of an episode.
pub fn seed(index: u64) -> EpisodeSeed {
    EpisodeSeed::new(17, index)
}

/// A seat with a native agent.
pub fn native<'a>(spec: &str) -> SeatPlan<'a> {
    SeatPlan { name: spec.into(), who: Who::Native(AgentSpec::parse(spec)) }
}

/// A seat with a player.
pub fn seat(player: &mut dyn Player) -> SeatPlan<'_> {
    SeatPlan { name: "bot".into(), who: Who::Player(player) }
}

/// The launcher that cargo has built for us.
pub fn launcher() -> Launcher {
    Launcher { program: env!("CARGO_BIN_EXE_meeple-launch").into(), arguments: Vec::new() }
}

/// The sandbox of a level, or `None` with a line on stderr if this machine does not have it.
pub fn sandbox(level: Level) -> Option<Sandbox> {
    static PROBED: OnceLock<Vec<(Level, Result<Sandbox, String>)>> = OnceLock::new();
    let probed = PROBED.get_or_init(|| {
        let probe = |level| (level, Sandbox::of_level(level, &launcher()).map_err(|error| error.why));
        Level::ALL.into_iter().map(probe).collect()
    });
    match &probed.iter().find(|(probed, _)| *probed == level).unwrap().1 {
        Ok(sandbox) => Some(sandbox.clone()),
        Err(why) => {
            skipped(&format!("at level {level}: {why}"));
            None
        }
    }
}

/// Says what is not tested, past the test harness, which would keep it to itself.
fn skipped(why: &str) {
    use std::io::Write;
    let test = std::thread::current().name().unwrap_or("test").to_owned();
    let _ = writeln!(std::io::stderr(), "SKIPPED {test}: {why}");
}

/// The sandboxes of this machine.
pub fn sandboxes() -> Vec<Sandbox> {
    Level::ALL.into_iter().filter_map(sandbox).collect()
}

/// Whether a program is on PATH; if not, says so.
pub fn has(program: &str) -> bool {
    let found = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())
        .any(|folder| folder.join(program).is_file());
    if !found {
        skipped(&format!("{program} is not on PATH"));
    }
    found
}

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
    let spec = BotSpec::parse(path.to_str().unwrap()).unwrap();
    BotFile { _folder: folder, spec }
}

/// Limits that a loaded machine keeps easily.
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

/// Launches a bot that must come up.
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
