//! Tournaments as a user runs them: killed at any moment, stopped, continued, verified.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use meeple_arena::RecordStore;
use meeple_core::Stream;
use meeple_testkit::waits::{end_of, rest_of, until_while_running};

use crate::{meeple, stdout};

fn meeple_in(directory: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("meeple"));
    command.current_dir(directory).env("NO_COLOR", "1").args(words);
    command
}

fn run(directory: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let output = meeple_in(directory, words).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn ok(directory: &Path, words: &[&str]) -> String {
    let (code, out, errors) = run(directory, words);
    assert_eq!(code, Some(0), "meeple {words:?}\n{errors}");
    out
}

/// Files that must not depend on interruptions. With bots the report is left out, because it has their times.
fn results(directory: &Path, bots: bool) -> Vec<(&'static str, Vec<u8>)> {
    let mut names =
        vec!["standings.json", "standings.csv", "plan.json", "replays.jsonl.gz", "plots/ratings.svg"];
    if !bots {
        names.push("report.html");
    }
    names.into_iter().map(|name| (name, std::fs::read(directory.join(name)).unwrap())).collect()
}

fn bot(path: &str) -> String {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../bots");
    root.join(path).canonicalize().unwrap().display().to_string()
}

/// Kills a program after a random time below `most_ms`. Returns false if the program has ended before.
fn kill_soon(mut child: Child, stream: &mut Stream, most_ms: u32) -> bool {
    std::thread::sleep(Duration::from_micros(u64::from(stream.below(1000 * most_ms))));
    let ended = child.try_wait().unwrap().is_some();
    if !ended {
        child.kill().unwrap();
    }
    child.wait().unwrap();
    !ended
}

/// Compares a tournament that is killed repeatedly with an uninterrupted one.
fn survives_kills(words: &[&str], kills: u32, most_ms: u32, bots: bool) {
    let whole = tempfile::tempdir().unwrap();
    ok(whole.path(), words);
    let pieces = tempfile::tempdir().unwrap();
    let cup = pieces.path().join("cup");
    let mut stream = Stream::from_seed(99);
    let mut killed = 0;
    for _ in 0..kills {
        let begun = cup.join("tournament.db").exists();
        let words = if begun { &["tournament", "--resume", "cup", "-q"][..] } else { words };
        let child =
            meeple_in(pieces.path(), words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        killed += u32::from(kill_soon(child, &mut stream, most_ms));
    }
    assert!(killed > 0, "the tournament is long enough to be killed in");
    if cup.join("tournament.db").exists() {
        ok(pieces.path(), &["tournament", "--resume", "cup", "-q"]);
    } else {
        ok(pieces.path(), words);
    }
    for (expected, found) in results(&whole.path().join("cup"), bots).iter().zip(results(&cup, bots)) {
        assert!(*expected == found, "{} is not the same after {killed} kills", found.0);
    }
    let proof = ok(pieces.path(), &["verify", "cup", "-q"]);
    assert!(proof.contains("the standings follow from them, byte for byte"), "{proof}");
}

#[test]
fn killed_at_random_moments_it_ends_the_same() {
    let words = "tournament incan-gold turn:7 backpack:20 random:0.2 -n 300 --seed 5 --replays all --resamples 100 --out cup -q";
    survives_kills(&words.split(' ').collect::<Vec<_>>(), 25, 250, false);
}

#[test]
fn with_bots_too() {
    let python = format!("py={}", bot("python/random_bot.py"));
    let words = "tournament incan-gold turn:7 random:0.2 -n 30 --rotations 2 --seed 5 --resamples 100 --sandbox limits-only --out cup -q";
    let words: Vec<&str> = words.split(' ').chain([python.as_str()]).collect();
    survives_kills(&words, 6, 1200, true);
}

/// A bot that reports reaching the moment named in the file `wanted`, and waits until that file is gone. Each
/// process counts its own moments.
const HALTING: &str = r#"
import json, os, sys, time

seen = {}
def at(moment):
    count = seen[moment] = seen.get(moment, -1) + 1
    def wanted():
        try:
            return open("FOLDER/wanted").read() == f"{moment} {count}"
        except FileNotFoundError:
            return False
    if wanted():
        open("FOLDER/reached", "w").close()
        while wanted():
            time.sleep(0.005)

for line in sys.stdin:
    message = json.loads(line)
    at(message["t"])
    if message["t"] == "hello":
        print(json.dumps({"t": "hello", "v": 1, "name": "halting"}), flush=True)
    elif message["t"] == "start":
        print(json.dumps({"t": "ready", "g": message["g"]}), flush=True)
    elif message["t"] == "turn":
        action = message["legal"].index("leave" if message["obs"]["backpack"] >= 12 else "stay")
        print(json.dumps({"t": "move", "g": message["g"], "n": message["n"], "a": action}), flush=True)
"#;

/// Kills the program while bots start, at the beginning of an episode, within one, between two, and while a
/// bot is replaced. Later kills hit the resumed tournament.
#[test]
fn killed_at_chosen_moments_it_ends_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let shown = folder.path().to_str().unwrap();
    let halting = folder.path().join("halting.py");
    std::fs::write(&halting, HALTING.replace("FOLDER", shown)).unwrap();
    let (wanted, reached) = (folder.path().join("wanted"), folder.path().join("reached"));
    let jobs = std::thread::available_parallelism().map_or(1, usize::from).min(2).to_string();
    let begin = |out: &str, jobs: &str| {
        let words = format!(
            "tournament incan-gold turn:7 {} random:0.2 -n 4 --rotations 2 --seed 5 --resamples 100 --sandbox none --jobs {jobs} --out {out} -q",
            halting.display()
        );
        words.split(' ').map(str::to_owned).collect::<Vec<_>>()
    };
    ok(folder.path(), &begin("whole", "1").iter().map(String::as_str).collect::<Vec<_>>());
    let expected = results(&folder.path().join("whole"), true);
    let report = std::fs::read_to_string(folder.path().join("whole/report.html")).unwrap();
    assert!(report.contains("none, bots may think off-turn"), "without a sandbox nobody can be sure of it");
    for (number, (moments, jobs)) in [
        (&["hello 0", "start 0", "turn 2", "end 0", "end 3", "hello 0", "bye 0", "end 0"][..], "1"),
        (&["start 2", "hello 0", "turn 3"], jobs.as_str()),
    ]
    .into_iter()
    .enumerate()
    {
        let out = format!("cup-{number}");
        let cup = folder.path().join(&out);
        let next = || match cup.join("tournament.db").exists() {
            true => {
                format!("tournament --resume {out} -q --jobs {jobs}").split(' ').map(str::to_owned).collect()
            }
            false => begin(&out, jobs),
        };
        for (kill, moment) in moments.iter().enumerate() {
            std::fs::write(&wanted, moment).unwrap();
            let words: Vec<String> = next();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut child =
                meeple_in(folder.path(), &words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let what = format!("the bot at '{moment}' of {moments:?}");
            until_while_running(&mut child, &what, || reached.exists());
            child.kill().unwrap();
            child.wait().unwrap();
            std::fs::remove_file(&wanted).unwrap();
            std::fs::remove_file(&reached).unwrap();
            assert_eq!(cup.join("tournament.db").exists(), *moment != "hello 0" || kill > 0);
            assert!(!cup.join("standings.json").exists(), "there are none of fewer episodes");
        }
        let words: Vec<String> = next();
        ok(folder.path(), &words.iter().map(String::as_str).collect::<Vec<_>>());
        for (expected, found) in expected.iter().zip(results(&cup, true)) {
            assert!(*expected == found, "{} is not the same after {moments:?}", found.0);
        }
        let proof = ok(folder.path(), &["verify", &out, "-q"]);
        assert!(proof.starts_with("24 of 24 episodes: 24 proved by their replay"), "{proof}");
    }
}

#[test]
fn interrupted_it_says_how_to_go_on() {
    let directory = tempfile::tempdir().unwrap();
    let words = "tournament incan-gold turn:7 random:0.2 -n 2000000 --seed 5 --resamples 100 --out cup -q";
    let words: Vec<&str> = words.split(' ').collect();
    let mut child =
        meeple_in(directory.path(), &words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // The program handles signals before its first episode, so a stored episode shows that it does.
    until_while_running(&mut child, "the first stored episodes", || {
        RecordStore::open_read_only(&directory.path().join("cup")).is_ok_and(|store| store.next() > 0)
    });
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let errors = rest_of(child.stderr.take().unwrap(), "a tournament that was interrupted");
    assert_eq!(end_of(&mut child, "it").code(), Some(1), "{errors}");
    assert!(errors.contains("go on with:\n  meeple tournament --resume cup"), "{errors}");
    assert!(directory.path().join("cup/report.html").exists());
    let proof = ok(directory.path(), &["verify", "cup", "--json", "-q"]);
    let proof: serde_json::Value = serde_json::from_str(&proof).unwrap();
    assert!(proof["episodes"].as_u64().unwrap() > 0, "{proof}");
    assert_eq!((&proof["standings"], &proof["problem_count"]), (&"same".into(), &0.into()));
}

#[test]
fn a_folder_is_ranked() {
    let directory = tempfile::tempdir().unwrap();
    let bots = directory.path().join("bots");
    std::fs::create_dir(&bots).unwrap();
    let copy = |from: &str, to: &str| std::fs::copy(bot(from), bots.join(to)).unwrap();
    copy("python/random_bot.py", "alpha.py");
    copy("javascript/random_bot.js", "alpha.js");
    std::fs::write(bots.join("broken.py"), "import nothing_of_this_name\n").unwrap();
    std::fs::write(bots.join("notes.txt"), "not a bot").unwrap();
    let words = "rank bots --game incan-gold --with turn:7 --anchor turn:7 -n 3 --seed 5 --resamples 100 --out cup -q --json";
    let (code, out, errors) = run(directory.path(), &words.split(' ').collect::<Vec<_>>());
    assert_eq!(code, Some(0), "{errors}");
    assert!(errors.contains("broken does not play") && errors.contains("nothing_of_this_name"), "{errors}");
    assert!(
        errors.contains("hint: the Python that runs bots has no module 'nothing_of_this_name'"),
        "{errors}"
    );
    let standings: serde_json::Value = serde_json::from_str(&out).unwrap();
    let names: Vec<&str> =
        standings["standings"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    assert_eq!(names[0], "turn:7");
    for name in ["alpha.py", "alpha.js"] {
        assert!(names.contains(&name), "{names:?}");
    }
    // A tournament that is complete runs no bots, so a changed bot does not matter.
    std::fs::write(bots.join("alpha.py"), "# another program\n").unwrap();
    ok(directory.path(), &["tournament", "--resume", "cup", "-q"]);
}

#[test]
fn the_original_rank_writes_its_files() {
    let directory = tempfile::tempdir().unwrap();
    let words = "tournament game17 t800 hunter zombie=zombie twin=zombie --schedule single --original -n 3 \
        --set size=5 --set rounds=10 --seed 5 --resamples 100 --out cup -q";
    ok(directory.path(), &words.split_whitespace().collect::<Vec<_>>());
    let cup = directory.path().join("cup");
    let read =
        |name: &str| std::fs::read_to_string(cup.join(name)).unwrap_or_else(|_| panic!("{name} is missing"));
    assert_eq!(
        (read("players.txt").as_str(), read("players_that_failed_on_import.txt").as_str()),
        ("", "\n")
    );
    let summary = read("battle-royale-summary.txt");
    assert!(summary.starts_with("  games won max time\n1 "), "{summary}");
    let ranks = read("ranks.txt");
    for number in 1..=4 {
        assert!(ranks.contains(&number.to_string()), "{ranks}");
    }
    for game in 0..3 {
        let record = cup.join(format!("battle-royale-{game}.json")).display().to_string();
        let output = ok(directory.path(), &["record", "game17", "import", &record]);
        assert!(output.contains("5 x 5"), "{output}");
    }
    assert!(
        ok(directory.path(), &["verify", "cup", "-q"])
            .starts_with("3 of 3 episodes: 3 proved by their replay")
    );

    let words = "tournament game17 t800 hunter --schedule vs-zombies --original -n 4 --set size=4 \
        --set rounds=8 --seed 5 --out zombies -q";
    ok(directory.path(), &words.split_whitespace().collect::<Vec<_>>());
    let table = std::fs::read_to_string(directory.path().join("zombies/vs-zombies.txt")).unwrap();
    assert!(table.starts_with("player\tnum_wins\tmax_time\n1\t"), "{table}");
}

#[test]
fn a_competition_knows_numbers_times_and_who_failed() {
    if !crate::has_python() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let at = directory.path();
    std::fs::create_dir(at.join("bots")).unwrap();
    let stay = "def make_moves(owner, rounds_left, owners, numbers):\n    return []\n";
    for (name, text) in [("a.py", stay), ("broken.py", "def make_moves(:\n"), ("c.py", stay)] {
        std::fs::write(at.join("bots").join(name), text).unwrap();
    }
    let of_folder = "rank bots --game game17 --original --with one=t800;two=t800 -n 2 --set size=4 --seed 5 --out rank -q";
    let of_list = "tournament game17 bots/a.py bots/broken.py again=bots/a.py one=t800 two=t800 --schedule single \
        --original -n 2 --set size=4 --seed 5 --out list -q";
    for (words, out) in [(of_folder, "rank"), (of_list, "list")] {
        let words: Vec<&str> = words.split_whitespace().collect();
        let (code, _, errors) = run(at, &words);
        assert_eq!(code, Some(0), "{errors}");
        assert!(errors.contains("broken does not play"), "{errors}");
        let read = |name: &str| std::fs::read_to_string(at.join(out).join(name)).unwrap();
        assert_eq!(read("players_that_failed_on_import.txt"), "2\n");
        let players = read("players.txt");
        let numbers: Vec<&str> =
            players.lines().map(|line| line.rsplit_once(" is player ").unwrap().1).collect();
        // The failed file keeps its number, because the original numbers files before it imports them.
        assert_eq!(numbers, ["1", "2", "3"], "{players}");
        assert!(players.contains("broken.py is player 2"), "{players}");
        let summary = read("battle-royale-summary.txt");
        let rows: Vec<Vec<&str>> =
            summary.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), ["1", "3", "4", "5"], "{summary}");
        for row in &rows {
            let seconds: f64 = row[2].parse().unwrap();
            assert_eq!(seconds > 0.0, ["1", "3"].contains(&row[0]), "programs are timed: {summary}");
        }
    }
    let words = "tournament game17 bots/a.py --schedule vs-zombies --original -n 3 --set size=2 --seed 5 --out alone -q";
    ok(at, &words.split(' ').collect::<Vec<_>>());
    let table = std::fs::read_to_string(at.join("alone/vs-zombies.txt")).unwrap();
    let row: Vec<&str> = table.lines().nth(1).unwrap().split('\t').collect();
    assert_eq!(row[0], "1");
    assert_eq!(row[1] != "0", row[2].parse::<f64>().unwrap() > 0.0, "{table}");
}

#[test]
fn an_episode_of_a_tournament_is_a_replay() {
    let directory = tempfile::tempdir().unwrap();
    let words = "match incan-gold turn:7 random:0.5 -n 2 --seed 5 --replays all --resamples 100 --out cup -q";
    ok(directory.path(), &words.split(' ').collect::<Vec<_>>());
    let output = ok(directory.path(), &["replay", "cup", "--episode", "3", "--check"]);
    assert!(output.contains("every step is right"), "{output}");
    let (code, _, errors) = run(directory.path(), &["replay", "cup", "--episode", "4"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("expected a number below 4, found 4"), "{errors}");
    let (code, _, errors) = run(directory.path(), &["replay", "cup"]);
    assert_eq!(code, Some(2));
    assert!(errors.contains("hint: --episode 0"), "{errors}");
}

/// Stored parameters must be read exactly, or the stored plan would count as another one.
#[test]
fn rules_with_a_long_real_are_kept_and_proved() {
    let rules = ["--set", "conflict_chance=0.36995516654807925"];
    let home = tempfile::tempdir().unwrap();
    let line_up = ["cartolan", "random", "greedy", rules[0], rules[1], "--seed", "3"];
    let words = |verb: &'static str, more: &[&'static str]| [&[verb], &line_up[..], more].concat();
    ok(home.path(), &words("tournament", &["--deals", "1", "--replays", "all", "--out", "cup"]));
    ok(home.path(), &["verify", "cup", "-q"]);
    ok(home.path(), &words("sim", &["-n", "20", "--out", "runs"]));
    ok(home.path(), &words("sim", &["-n", "20", "--out", "runs", "--resume"]));
}

/// The seed of a competition is unpredictable unless a user names one. It is printed and stored, and it
/// reproduces the competition.
#[test]
fn a_seed_is_drawn_printed_and_kept() {
    let directory = tempfile::tempdir().unwrap();
    let mut drawn = Vec::new();
    for out in ["one", "two"] {
        let words = format!("match incan-gold turn:7 turn:8 -n 3 --resamples 50 --out {out} -q --json");
        let (code, printed, errors) = run(directory.path(), &words.split(' ').collect::<Vec<_>>());
        assert_eq!(code, Some(0), "{errors}");
        let standings: serde_json::Value = serde_json::from_str(&printed).unwrap();
        let seed = standings["seed"].as_str().unwrap().to_owned();
        assert!(seed.len() == 34 && seed.starts_with("0x"), "128 bits: {seed}");
        assert!(
            errors.contains(&format!("drew the seed {seed}; it is kept in {out}/tournament.db")),
            "{errors}"
        );
        assert!(!errors.contains("keep it secret"), "agents of ours cannot use it: {errors}");
        let report = std::fs::read_to_string(directory.path().join(out).join("report.html")).unwrap();
        assert!(report.contains(&format!("--seed {seed}")), "the command of the report gives the same deals");
        ok(directory.path(), &["verify", out, "-q"]);
        let again = format!("match incan-gold turn:7 turn:8 -n 3 --resamples 50 -q --json --seed {seed}");
        assert_eq!(printed, ok(directory.path(), &again.split(' ').collect::<Vec<_>>()));
        drawn.push(seed);
    }
    assert_ne!(drawn[0], drawn[1]);
    // A file may name a seed, even one too large for an integer of TOML.
    let seed = "0x00000000000000ff0000000000000000";
    for (line, expected) in [("seed = 7", "7"), ("seed = '7'", "7"), (&format!("seed = '{seed}'"), seed)] {
        let file = format!("game = 'incan-gold'\nbot = ['turn:7', 'turn:8']\ndeals = 1\n{line}\n");
        std::fs::write(directory.path().join("cup.toml"), file).unwrap();
        let standings = ok(directory.path(), &["tournament", "cup.toml", "-q", "--json"]);
        let standings: serde_json::Value = serde_json::from_str(&standings).unwrap();
        assert_eq!(standings["seed"], expected);
    }
    // Bots could try small seeds. A drawn seed must be kept secret from them.
    let python = bot("python/random_bot.py");
    for (seed, expected) in
        [(&["--seed", "12345"][..], "the seed 12345 can be guessed"), (&[], "keep it secret")]
    {
        let words = ["match", "incan-gold", "turn:7", &python, "-n", "1", "--set", "rounds=1", "-q"];
        let (code, _, errors) = run(directory.path(), &[&words, seed].concat());
        assert_eq!(code, Some(0), "{errors}");
        assert!(errors.contains(expected), "{errors}");
    }
    for seed in ["-1", "1.5", "0x", "two"] {
        let words = ["match", "incan-gold", "turn:7", "turn:8", "--seed", seed];
        let (code, _, errors) = run(directory.path(), &words);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("expected a whole number from 0 to 2^128 - 1, or 0x"), "{errors}");
    }
}

/// A tournament's files reveal future deals, so only its user may read them.
#[test]
fn what_is_kept_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let directory = tempfile::tempdir().unwrap();
    let words = "tournament incan-gold turn:7 turn:8 -n 2 --seed 5 --replays all --resamples 50 -q --out";
    for out in ["made", "deep/down", "there"] {
        if out == "there" {
            std::fs::create_dir(directory.path().join(out)).unwrap();
            std::fs::set_permissions(directory.path().join(out), PermissionsExt::from_mode(0o755)).unwrap();
        }
        ok(directory.path(), &[&words.split(' ').collect::<Vec<_>>()[..], &[out]].concat());
        let cup = directory.path().join(out);
        assert_eq!(mode(&cup), if out == "there" { 0o755 } else { 0o700 }, "{out}");
        for name in ["tournament.db", "replays.jsonl.gz", "plan.json"] {
            assert_eq!(mode(&cup.join(name)), 0o600, "{out}/{name}");
        }
        // The plots, which others may read, do not reveal the seed.
        for name in std::fs::read_dir(cup.join("plots")).unwrap().flatten().map(|file| file.path()) {
            let text = String::from_utf8_lossy(&std::fs::read(&name).unwrap()).into_owned();
            assert!(!text.contains("seed"), "{}", name.display());
        }
    }
}

#[test]
fn directories_of_earlier_releases_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let words = "tournament incan-gold turn:7 turn:8 -n 1 --seed 5 --resamples 50 --out cup -q";
    ok(directory.path(), &words.split(' ').collect::<Vec<_>>());
    let path = directory.path().join("cup/tournament.db");
    let mut bytes = std::fs::read(&path).unwrap();
    // The format is SQLite's user version: 4 bytes of the header, big-endian.
    assert_eq!(bytes[60..64], [0, 0, 0, 4]);
    for (format, age) in [(1, "an earlier"), (5, "a later")] {
        bytes[63] = format;
        std::fs::write(&path, &bytes).unwrap();
        for words in [&["tournament", "--resume", "cup"][..], &["verify", "cup"]] {
            let (code, _, errors) = run(directory.path(), words);
            assert_eq!(code, Some(1), "{errors}");
            let expected = format!("expected a tournament of format 2 to 4, found one of format {format}");
            assert!(errors.contains(&expected) && errors.contains(&format!("use {age} release")), "{errors}");
        }
        assert!(std::fs::read(&path).unwrap() == bytes, "nothing was changed");
    }
}

#[test]
fn a_match_of_one_says_whom_it_meets() {
    let directory = tempfile::tempdir().unwrap();
    let words = "match game17 t800 -n 2 --set size=4 --set rounds=5 -q";
    let (code, out, errors) = run(directory.path(), &words.split(' ').collect::<Vec<_>>());
    assert_eq!(code, Some(0), "{errors}");
    assert!(out.contains("game17: vs-zombies, 2 episodes"), "{out}");
    assert!(
        errors.contains("t800 has no opponent, so it plays alone against the game's fillers (zombie)"),
        "{errors}"
    );
    let words = "match incan-gold turn:7 -n 2 -q";
    let (_, _, errors) = run(directory.path(), &words.split(' ').collect::<Vec<_>>());
    assert!(errors.contains("turn:7 has no opponent, so it plays alone, as with"), "{errors}");
    let (_, _, errors) = run(directory.path(), &["match", "incan-gold", "turn:7", "turn:8", "-n", "1", "-q"]);
    assert!(!errors.contains("alone"), "{errors}");
}

/// Every result names every entrant of a folder, with the reason if an entrant does not play.
#[test]
fn entrants_that_do_not_start_are_in_every_result() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine");
    std::fs::create_dir(&mine).unwrap();
    std::fs::write(mine.join("broken.py"), "import nothing_of_this_name\n").unwrap();
    std::os::unix::fs::symlink("/etc/hostname", mine.join("linked.py")).unwrap();
    std::fs::copy(bot("python/random_bot.py"), mine.join("fine.py")).unwrap();
    let words =
        "rank mine --game incan-gold --with turn:7 -n 1 --seed 5 --resamples 50 --sandbox none --out cup -q";
    let mut words: Vec<&str> = words.split(' ').collect();
    let (code, table, errors) = run(folder.path(), &words);
    assert_eq!(code, Some(0), "{errors}");
    let read = |name: &str| std::fs::read_to_string(folder.path().join("cup").join(name)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&read("standings.json")).unwrap();
    let names: Vec<&str> =
        json["not_played"].as_array().unwrap().iter().map(|own| own["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["linked.py", "broken"], "{errors}");
    for text in [&table, &read("standings.csv"), &read("report.html"), &errors] {
        for part in ["broken", "nothing_of_this_name", "linked.py", "leads out"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    ok(folder.path(), &["verify", "cup", "-q"]);
    let proof = ok(folder.path(), &["verify", "cup", "--json", "-q"]);
    let proof: serde_json::Value = serde_json::from_str(&proof).unwrap();
    assert_eq!(proof["unproved_bots"], serde_json::json!(["fine"]));
    // A ranking fails if no two competitors are left.
    std::fs::remove_file(mine.join("fine.py")).unwrap();
    let out = words.iter().position(|word| *word == "cup").unwrap();
    words[out] = "other";
    let (code, _, errors) = run(folder.path(), &words);
    assert_eq!(code, Some(2), "{errors}");
    assert!(errors.contains("broken does not play"), "{errors}");
}

#[test]
fn copies_without_an_adapter_have_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.py"), "").unwrap();
    for (game, hint) in
        [("carcassonne", "COUNT:PATH is for --adapter syncs"), ("incan-gold", "name each copy")]
    {
        let (code, _, errors) = run(folder.path(), &["match", game, "3:./a.py", "random"]);
        assert_eq!(code, Some(2), "{errors}");
        assert!(errors.contains("found '3:./a.py'\nhint: ") && errors.contains(hint), "{errors}");
    }
}

#[test]
fn strengths_of_agents_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("strength.txt");
    let command = "tournament incan-gold turn:7 random never -n 4 --seed 1";
    let words = format!("{command} -q --strength {}", file.display());
    stdout(&words);
    let read = || std::fs::read_to_string(&file).unwrap();
    let strengths = meeple_core::Strengths::parse(&read()).unwrap();
    assert_eq!(strengths.command, format!("meeple {command}"));
    assert_eq!((strengths.anchor().unwrap().spec.as_str(), strengths.measured.len()), ("turn:7", 3));
    // Older strengths are replaced; other files and line-ups with bots are refused.
    let first = read();
    stdout(&words);
    assert_eq!(read(), first);
    std::fs::write(&file, "notes").unwrap();
    meeple(&words).assert().code(2);
    assert_eq!(read(), "notes");
    let bot = concat!(env!("CARGO_MANIFEST_DIR"), "/../../bots/python/random_bot.py");
    let new = folder.path().join("new.txt");
    meeple(&format!("tournament incan-gold turn:7 {bot} --strength {}", new.display())).assert().code(2);
    assert!(!new.exists());
}
