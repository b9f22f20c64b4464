//! Bots as processes: they play, are timed, and leave nothing behind.

use meeple_bothost::{BotProcess, BotSpec, FaultPolicy, Sandbox, play_episode};
use meeple_games::adapters;

use crate::hosts::alone;
use crate::support::{
    game_with, has, incan_gold, launch, limits, native, patient, repository, sandboxes, seat, seed, shell_bot,
};

fn example(path: &str) -> BotSpec {
    BotSpec::parse(repository().join("bots").join(path).to_str().unwrap(), adapters()).unwrap()
}

fn policy() -> FaultPolicy {
    FaultPolicy { clock: patient(), ..FaultPolicy::default() }
}

#[test]
fn a_python_bot_plays_in_every_sandbox() {
    if !has("python3") {
        return;
    }
    for sandbox in sandboxes() {
        let mut bot = launch(&example("python/random_bot.py"), &sandbox);
        assert!(bot.measures_cpu(), "{}", sandbox.level());
        for index in 0..3 {
            let record = incan_gold(&mut bot, &policy(), index);
            assert_eq!(record.faults, [], "{}", sandbox.level());
            let used = record.seats[0].used;
            assert!(used.cpu_us.unwrap() > 0 && used.wall_us > 0, "{}: {used:?}", sandbox.level());
        }
    }
}

/// One episode of every game of the registry, with the bot on the first seat.
fn plays_every_game(spec: &BotSpec) {
    for sandbox in sandboxes() {
        let mut bot = launch(spec, &sandbox);
        for entry in meeple_games::games() {
            let info = entry.info();
            let named = (*info.seats.start()).max(info.demo.len().min(3));
            let game = entry.set_up(None, &[], named).unwrap();
            let mut seats = vec![seat(&mut bot)];
            seats.extend((1..game.seats()).map(|_| native(info.filler.unwrap_or("random"))));
            let record = play_episode(&*game, seed(0), &mut seats, &policy()).unwrap();
            assert_eq!(record.faults, [], "{} at {}", info.id, sandbox.level());
            assert!(record.seats[0].asked > 0, "{}", info.id);
        }
    }
}

#[test]
fn the_python_example_plays_every_game() {
    if has("python3") {
        plays_every_game(&example("python/random_bot.py"));
    }
}

#[test]
fn the_javascript_example_plays_every_game() {
    if has("node") {
        plays_every_game(&example("javascript/random_bot.js"));
    }
}

#[test]
fn the_c_example_plays_every_game() {
    if has("cc") {
        let folder = tempfile::tempdir().unwrap();
        let binary = folder.path().join("random_bot");
        let source = repository().join("bots/c/random_bot.c");
        let status = std::process::Command::new("cc").arg("-O2").arg("-o").arg(&binary).arg(source).status();
        assert!(status.unwrap().success());
        plays_every_game(&BotSpec::parse(binary.to_str().unwrap(), adapters()).unwrap());
    }
}

#[test]
fn commands_and_folders() {
    if !has("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(repository().join("bots/python/random_bot.py"), folder.path().join("main.py")).unwrap();
    std::fs::write(folder.path().join("helper.txt"), "beside it").unwrap();
    let path = folder.path().to_str().unwrap();
    let twin = folder.path().join("twin");
    std::fs::create_dir(&twin).unwrap();
    std::fs::write(twin.join("main.py"), "another file of the same name").unwrap();
    let clash =
        BotSpec::parse(&format!("cmd:python3 {path}/main.py {path}/twin/main.py"), adapters()).unwrap();
    let error = BotProcess::launch(&clash, &Sandbox::none(), &limits()).err().unwrap().to_string();
    assert!(error.contains("two files named main.py"), "{error}");
    let by_folder = BotSpec::parse(&format!("{path}/"), adapters()).unwrap();
    let by_command = BotSpec::parse(&format!("cmd:python3 -u '{path}/main.py'"), adapters()).unwrap();
    assert_eq!(by_command.name, "main");
    for spec in [by_folder, by_command] {
        for sandbox in sandboxes() {
            let mut bot = launch(&spec, &sandbox);
            assert_eq!(bot.hash().len(), 64);
            assert_eq!(incan_gold(&mut bot, &policy(), 0).faults, [], "{spec} at {}", sandbox.level());
        }
    }
}

#[test]
fn bots_that_cannot_be_run_are_named_before_anything_starts() {
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("plain");
    std::fs::write(&plain, "text").unwrap();
    for (text, word) in [
        ("./nowhere.py", "does not exist"),
        (folder.path().to_str().unwrap(), "no main file"),
        (plain.to_str().unwrap(), "not executable"),
        ("cmd:", "no command"),
        ("cmd:python3 'bot.py", "not closed"),
        ("cmd:python3 bot.py #1 --deep", "quote the word"),
        ("cmd:python3 bot.py # it's mine", "quote the word"),
        ("cmd:python3 bot.py\n#1", "quote the word"),
    ] {
        let error = BotSpec::parse(text, adapters()).unwrap_err().to_string();
        assert!(error.contains(word), "{text}: {error}");
    }
    for text in
        ["cmd:python3 'bot#1.py'", "cmd:python3 bot.py '#1'", r"cmd:python3 bot.py \#1", "cmd:python3 a#1"]
    {
        assert!(BotSpec::parse(text, adapters()).is_ok(), "{text}");
    }
    let missing = BotSpec::parse("cmd:no-such-program-anywhere bot", adapters()).unwrap();
    let error = BotProcess::launch(&missing, &Sandbox::none(), &limits()).err().unwrap().to_string();
    assert!(error.contains("needs 'no-such-program-anywhere'"), "{error}");
}

/// Descriptors and children of this process.
fn possessions() -> (usize, usize) {
    let descriptors = std::fs::read_dir("/proc/self/fd").unwrap().count();
    let children = std::fs::read_dir("/proc/self/task").unwrap().flatten().map(|task| {
        std::fs::read_to_string(task.path().join("children")).unwrap_or_default().split_whitespace().count()
    });
    (descriptors, children.sum())
}

#[test]
fn nothing_is_left_over() {
    // Other tests have descriptors and children too.
    if !alone("processes::nothing_is_left_over") {
        return;
    }
    let bot = shell_bot();
    let policy = FaultPolicy { keep_replay: false, ..policy() };
    // Kept resources (the thread that starts processes, buffers) are made before the first count.
    for sandbox in sandboxes() {
        drop(launch(&bot.spec, &sandbox));
    }
    let before = possessions();
    for sandbox in sandboxes() {
        for _ in 0..8 {
            let mut player = launch(&bot.spec, &sandbox);
            assert_eq!(incan_gold(&mut player, &policy, 0).faults, []);
        }
    }
    assert_eq!(possessions(), before, "after many launches");
    let mut player = launch(&bot.spec, &Sandbox::none());
    let while_playing = possessions();
    // Short episodes, so that there can be many.
    let game = game_with("incan-gold", &[("rounds", "1")], 2);
    for index in 0..2_000 {
        let mut seats = [seat(&mut player), native("turn:3")];
        assert_eq!(play_episode(&*game, seed(index), &mut seats, &policy).unwrap().faults, []);
    }
    assert_eq!(possessions(), while_playing, "after many episodes");
    drop(player);
    assert_eq!(possessions(), before, "at the end");
}

#[test]
fn what_a_killed_host_has_left_is_swept_up() {
    let folder = |name: &str| {
        let path = std::env::temp_dir().join(format!("meeple-bot-{name}-{}", std::process::id()));
        std::fs::create_dir_all(path.join("bot")).unwrap();
        let lock = std::fs::File::create(path.join(".lock")).unwrap();
        let hour = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
        std::fs::File::open(&path).unwrap().set_modified(hour).unwrap();
        (path, lock)
    };
    let aged = |path: &std::path::Path, seconds: u64| {
        let then = std::time::SystemTime::now() - std::time::Duration::from_secs(seconds);
        std::fs::File::open(path).unwrap().set_modified(then).unwrap();
    };
    let (left, lock) = folder("left");
    drop(lock);
    // Folders of hosts that were killed between making a folder and locking it, or while removing it.
    let [bare, begun] = ["bare", "begun"].map(|name| {
        let (path, _) = folder(name);
        std::fs::remove_file(path.join(".lock")).unwrap();
        path
    });
    aged(&bare, 3600);
    aged(&begun, 120);
    let (held, lock) = folder("held");
    lock.lock().unwrap();
    drop(launch(&shell_bot().spec, &Sandbox::none()));
    assert!(!left.exists(), "its host is gone");
    assert!(held.exists(), "its host lives");
    assert!(!bare.exists(), "nobody will lock it any more");
    assert!(begun.exists(), "its host may be about to lock it");
    for path in [held, begun] {
        std::fs::remove_dir_all(path).unwrap();
    }
}
