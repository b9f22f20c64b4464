//! Tournament files, and directories that are not as they should be.

use std::os::unix::fs::PermissionsExt;

use meeple_arena::schedule::Kind;
use meeple_arena::{ArenaError, DATABASE, RecordStore, ReplayRetention, read_file, write_results};

use crate::{play, play_all, request};

fn read(text: &str) -> Result<meeple_arena::TournamentPlan, ArenaError> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bot.py"), "").unwrap();
    let file = folder.path().join("cup.toml");
    std::fs::write(&file, text).unwrap();
    read_file(&file)?.plan()
}

#[test]
fn a_full_file_is_read() {
    let plan = read(
        r#"
        game = "incan-gold"
        schedule = "gauntlet"
        table = 2
        deals = 7
        rotations = 1
        seed = 12
        anchors = ["turn:7", "wild"]
        anchor = "wild"
        replays = "faulted"
        order = "score"
        sandbox = "strict"
        bot = ["turn:7", { name = "wild", run = "random:0.5" }, "./bot.py", { name = "other", run = "bot.py" }]

        [set]
        rounds = 3

        [rating]
        resamples = 200
        prior = 0.5

        [clock]
        bank_ms = 100
        move_ms = "none"

        [limits]
        memory_mib = 64

        [faults]
        on_fault = "forfeit"
        strikes = 1

        [ban]
        mean_ms = 10

        [sprt]
        high = 1
        by = "score"
        "#,
    )
    .unwrap();
    assert_eq!(plan.names(), ["turn:7", "wild", "bot", "other"]);
    assert!(plan.competitors[2].run.ends_with("/bot.py"), "{:?}", plan.competitors[2]);
    assert_eq!(plan.schedule.kind, Kind::Gauntlet);
    assert_eq!((plan.schedule.anchors.as_slice(), plan.schedule.episodes()), (&[0, 1][..], 2 * 2 * 7));
    assert_eq!(plan.rating.anchor, 1);
    assert_eq!(plan.replays, ReplayRetention::Faulted);
    assert_eq!(plan.variant["rounds"], 3);
    assert_eq!((plan.faults.clock.bank_ms, plan.faults.clock.move_ms), (100, None));
    assert_eq!(plan.limits.memory_mib, 64);
    assert_eq!((plan.ban.mean_ms, plan.ban.faulted_episodes), (10.0, 50));
    assert_eq!(plan.sprt.unwrap().high, 1.0);
    let again = serde_json::from_str::<meeple_arena::TournamentPlan>(&plan.to_text()).unwrap();
    assert_eq!((again.hash(), again), (plan.hash(), plan));
}

#[test]
fn bad_files_say_what_and_where() {
    for (text, expected) in [
        (
            "game = 'incan-gold'\nshedule = 'single'",
            &["line 2, column 1", "unknown key `shedule`", "did you mean 'schedule'?"][..],
        ),
        ("bot = ['turn:7']", &["expected a game, found none"]),
        ("game = 'incan-god'\nbot = ['turn:7']", &["unknown game 'incan-god'", "incan-gold"]),
        ("game = 'incan-gold", &["expected TOML", "line 1"]),
        ("game = 'incan-gold'\nbot = []", &["at least one competitor, found none"]),
        ("game = 'incan-gold'\nbot = ['turn:7']", &["at least 2 competitors, found 1"]),
        (
            "game = 'incan-gold'\nbot = ['turn:7', 'turn:8', 'turn:7']",
            &["found 'turn:7' twice", "give one of them another name"],
        ),
        (
            "game = 'incan-gold'\nbot = ['turn:7', 'trun:8']",
            &["unknown agent 'trun'", "did you mean 'turn'?"],
        ),
        ("game = 'incan-gold'\nbot = ['turn:7', './none.py']", &["none.py' does not exist"]),
        (
            "game = 'incan-gold'\nbot = ['turn:7', { run = 'turn:8', nam = 'x' }]",
            &["bot 2: unknown key `nam`", "did you mean 'name'?"],
        ),
        ("game = 'incan-gold'\nbot = ['turn:7', { name = 'x' }]", &["bot 2: expected a key `run`"]),
        (
            "game = 'incan-gold'\nschedule = 'swiss'\nbot = ['turn:7', 'turn:8']",
            &["line 2", "schedule = 'swiss'", "unknown word `swiss`", "round-robin"],
        ),
        (
            "game = 'incan-gold'\ndeals = 'many'\nbot = ['turn:7', 'turn:8']",
            &["line 2, column 9", "deals = 'many'", "expected a whole number"],
        ),
        (
            "game = 'incan-gold'\ndeals = -1\nbot = ['turn:7', 'turn:8']",
            &["deals = -1", "expected a whole number"],
        ),
        ("game = 'incan-gold'\nbot = 'turn:7'", &["line 2", "found an error"]),
        ("game = 'incan-gold'\nclock = 5\nbot = ['turn:7', 'turn:8']", &["clock = 5", "expected a table"]),
        ("game = 'incan-gold'\nseed = -5\nbot = ['turn:7', 'turn:8']", &["seed = -5", "whole number from 0"]),
        (
            "game = 'incan-gold'\nanchor = 5\nbot = ['turn:7', 'turn:8']",
            &["anchor = 5", "expected a text in quotes"],
        ),
        (
            "game = 'incan-gold'\nbot = ['turn:7', 'turn:8']\n[clock]\nmove_ms = 'never'",
            &["move_ms = 'never'", "expected a whole number, or \"none\""],
        ),
        ("game = 'incan-gold'\nbot = ['turn:7', 'turn:8']\n[faults]\nclock = 5", &["unknown key `clock`"]),
        (
            "game = 'incan-gold'\nbot = ['turn:7', 'turn:8']\n[clock]\nbank = 5",
            &["unknown key `bank`", "bank_ms"],
        ),
        (
            "game = 'incan-gold'\nbot = ['turn:7', 'turn:8']\n[clock]\nbank_ms = 'x'",
            &["line 4", "bank_ms = 'x'", "expected a whole number"],
        ),
        (
            "game = 'incan-gold'\nbot = ['turn:7', 'turn:8']\n[set]\nround = 5",
            &["unknown parameter 'round'", "rounds"],
        ),
        (
            "game = 'incan-gold'\nschedule = 'gauntlet'\nbot = ['turn:7', 'turn:8']",
            &["a gauntlet needs anchors", "hint"],
        ),
        (
            "game = 'incan-gold'\nanchor = 'turn:9'\nbot = ['turn:7', 'turn:8']",
            &["anchor: unknown competitor 'turn:9'", "did you mean 'turn:7'?"],
        ),
        ("game = 'carcassonne'\nschedule = 'vs-zombies'\nbot = ['random']", &["cannot be played by one"]),
        ("game = 'cartolan'\ntable = 9\nbot = ['random', 'greedy']", &["at most 4", "found a table of 9"]),
        (
            "game = 'incan-gold'\nbot = ['turn:7', 'turn:8']\n[sprt]\nlow = 1\nhigh = 0",
            &["sprt: expected two bounds"],
        ),
        (
            "game = 'incan-gold'\nbot = ['turn:7', 'turn:8']\n[rating]\nprior = 0.0000001",
            &["expected a prior from 0.000001 to 100, found 0.0000001", "hint"],
        ),
        (
            "game = 'incan-gold'\nbot = ['turn:7', 'turn:8']\n[rating]\nprior = 0",
            &["0.000001 to 100, found 0"],
        ),
        (
            "game = 'incan-gold'\nbot = ['turn:7', 'turn:8']\n[ban]\nmean_ms = -3",
            &["0 to 1000000000 ms", "found -3", "hint"],
        ),
    ] {
        let error = read(text).err().unwrap_or_else(|| panic!("accepted: {text}"));
        assert!(error.is_usage(), "{error}");
        for part in expected {
            assert!(error.to_string().contains(part), "expected {part:?} in: {error}\n{text}");
        }
    }
}

#[test]
fn directories_that_hold_something_are_left_alone() {
    let plan = request("incan-gold", "turn:7 random").plan().unwrap();
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("notes.txt"), "mine").unwrap();
    let error = RecordStore::create(directory.path(), &plan, "").err().unwrap().to_string();
    assert!(error.contains("found 'notes.txt'"), "{error}");
    let names: Vec<_> =
        std::fs::read_dir(directory.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names, ["notes.txt"]);

    let directory = tempfile::tempdir().unwrap();
    drop(RecordStore::create(directory.path(), &plan, "").unwrap());
    let error = RecordStore::create(directory.path(), &plan, "").err().unwrap().to_string();
    assert!(error.contains("found a tournament") && error.contains("meeple tournament --resume"), "{error}");

    let file = tempfile::NamedTempFile::new().unwrap();
    let error = RecordStore::create(file.path(), &plan, "").err().unwrap().to_string();
    assert!(error.contains("found a file"), "{error}");

    let empty = tempfile::tempdir().unwrap();
    let error = RecordStore::open(empty.path()).err().unwrap().to_string();
    assert!(error.contains("expected a directory with a tournament"), "{error}");
}

#[test]
fn damaged_records_are_refused_and_left_as_they_are() {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    request.deals = Some(200);
    let plan = request.plan().unwrap();
    let whole = tempfile::tempdir().unwrap();
    play_all(&plan, whole.path());
    let bytes = std::fs::read(whole.path().join(DATABASE)).unwrap();
    let mut garbled = bytes.clone();
    let middle = bytes.len() / 2 / 4096 * 4096;
    garbled[middle..middle + 4096].fill(0x5a);
    for (name, bytes) in [
        ("cut", bytes[..bytes.len() / 2].to_vec()),
        ("garbled", garbled),
        ("text", b"this is no database, but a text of some length that says so".to_vec()),
        ("empty", Vec::new()),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(DATABASE);
        std::fs::write(&path, &bytes).unwrap();
        for open in [RecordStore::open, RecordStore::open_read_only] {
            let error =
                open(directory.path()).err().unwrap_or_else(|| panic!("{name} was opened")).to_string();
            assert!(error.contains(DATABASE) && error.contains("hint: "), "{name}: {error}");
            assert!(error.contains("nothing was changed"), "{name}: {error}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), bytes, "{name}: the file was changed");
    }
}

#[test]
fn lost_replays_are_noticed() {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    request.deals = Some(20);
    request.replays = Some(ReplayRetention::All);
    let plan = request.plan().unwrap();
    let directory = tempfile::tempdir().unwrap();
    play(&plan, directory.path(), meeple_arena::Bots::none(), 1, 20);
    let path = directory.path().join(meeple_arena::REPLAYS);
    let bytes = std::fs::read(&path).unwrap();
    // Bytes behind the last stored episode are from a killed run, and opening the record cuts them off.
    std::fs::write(&path, [&bytes[..], b"half a replay"].concat()).unwrap();
    drop(RecordStore::open(directory.path()).unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    std::fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    let error = RecordStore::open(directory.path()).err().unwrap().to_string();
    assert!(error.contains("bytes of replays"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap().len(), bytes.len() - 1);
    std::fs::remove_file(&path).unwrap();
    for open in [RecordStore::open, RecordStore::open_read_only] {
        let error = open(directory.path()).err().expect("replays are missing").to_string();
        assert!(error.contains("replays.jsonl.gz: expected at least"), "{error}");
        assert!(error.contains("found no such file") && error.contains("nothing was changed"), "{error}");
        assert!(!path.exists(), "the empty file would hide that replays are missing");
    }
}

/// Special files are refused, because a reader of a pipe would wait for its writer.
#[test]
fn pipes_sockets_and_devices_are_refused() {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    request.deals = Some(2);
    let directory = tempfile::tempdir().unwrap();
    play_all(&request.plan().unwrap(), directory.path());
    let _socket = std::os::unix::net::UnixListener::bind(directory.path().join("any.json")).unwrap();
    for open in [RecordStore::open, RecordStore::open_read_only] {
        let error = open(directory.path()).err().expect("a socket is no file").to_string();
        assert!(
            error.contains("any.json: expected files and folders of a tournament, found a pipe"),
            "{error}"
        );
    }
}

/// Files are replaced atomically. They have the permissions of any new file; only the plan, which contains
/// the seed, and the record are private. A symbolic link is replaced, and its target stays.
#[test]
fn files_are_replaced_as_a_whole() {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    request.deals = Some(2);
    let plan = request.plan().unwrap();
    let directory = tempfile::tempdir().unwrap();
    play_all(&plan, directory.path());
    let path = |name: &str| directory.path().join(name);
    let rights = |name: &str| std::fs::symlink_metadata(path(name)).unwrap().permissions().mode() & 0o7777;
    std::fs::write(path("any"), "").unwrap();
    for (name, expected) in [
        ("standings.json", rights("any")),
        ("report.html", rights("any")),
        ("plots/wins.png", rights("any")),
        ("plan.json", 0o600),
        (DATABASE, 0o600),
    ] {
        assert_eq!(format!("{name} {:o}", rights(name)), format!("{name} {expected:o}"));
    }
    let names = std::fs::read_dir(directory.path()).unwrap().map(|entry| entry.unwrap().file_name());
    let hidden: Vec<_> = names.filter(|name| name.as_encoded_bytes().starts_with(b".")).collect();
    assert!(hidden.is_empty(), "{hidden:?}");

    let table = std::fs::read(path("standings.csv")).unwrap();
    let store = RecordStore::open(directory.path()).unwrap();
    std::fs::remove_file(path("standings.csv")).unwrap();
    std::os::unix::fs::symlink(path("any"), path("standings.csv")).unwrap();
    write_results(&plan, &store, Some(directory.path()), 2).unwrap();
    assert_eq!(std::fs::read(path("standings.csv")).unwrap(), table);
    assert_eq!(std::fs::read(path("any")).unwrap(), b"");

    std::fs::remove_file(path("standings.csv")).unwrap();
    std::fs::create_dir(path("standings.csv")).unwrap();
    let error = write_results(&plan, &store, Some(directory.path()), 2).unwrap_err().to_string();
    assert!(error.contains("standings.csv: expected to write it: "), "{error}");
}

#[test]
fn the_original_knows_no_strikes() {
    let strikes = |text: &str| {
        let text = format!("game = 'game17'\nschedule = 'single'\nbot = ['t800', './bot.py']\n{text}");
        read(&text).unwrap().faults.strikes
    };
    assert_eq!(strikes(""), Some(3));
    assert_eq!(strikes("original = true"), None);
    assert_eq!(strikes("original = true\n[faults]\nstrikes = 5"), Some(5));
    assert_eq!(strikes("[faults]\nstrikes = 'none'"), None);
    assert_eq!(strikes("[faults]\nstrikes = 0"), None);
}
