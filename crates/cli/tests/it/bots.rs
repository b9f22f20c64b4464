//! Bots on the command line: `check-bot`, and the sandbox part of `doctor`.

use crate::{json, meeple, stdout};

/// A folder with the bot of about ten lines that the bot author's guide shows.
fn first_bot() -> tempfile::TempDir {
    let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/bots.md"))
        .unwrap();
    let code = guide.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    assert!(code.lines().count() <= 12, "the guide promises about ten lines");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("first.py"), code).unwrap();
    folder
}

#[test]
fn the_first_bot_of_the_guide_passes() {
    let folder = first_bot();
    let bot = folder.path().join("first.py");
    let report = stdout(&format!("check-bot {} --game incan-gold", bot.display()));
    assert!(report.contains("ok   plays incan-gold: 3 episodes without a fault"), "{report}");
    assert!(report.contains(" 0 failed; sandbox "), "{report}");
}

#[test]
fn failures_end_with_status_1_and_bad_usage_with_2() {
    let folder = first_bot();
    let bot = folder.path().join("wrong.py");
    std::fs::write(&bot, "print('hi')\n").unwrap();
    let output = meeple(&format!("check-bot {} --json", bot.display())).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["findings"][0]["verdict"], "failed");
    assert!(report["findings"][0]["detail"].as_str().unwrap().contains("INVALID_MESSAGE"), "{report}");
    for (words, hint) in [
        ("check-bot ./nowhere.py", "does not exist"),
        ("check-bot ./Cargo.toml", "not executable"),
        ("check-bot cmd:true --sandbox best", "expected one of strict"),
        ("check-bot cmd:true --game chess", "unknown game"),
    ] {
        let output = meeple(words).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{words}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(hint), "{words}: {output:?}");
    }
}

#[test]
fn one_warning_is_one_warning() {
    let folder = first_bot();
    let bot = folder.path().join("first.py");
    let code = std::fs::read_to_string(&bot).unwrap();
    // The bot hangs only in checks without a game, because a hanging bot costs much time in the others.
    let code = code.replacen("import json, sys\n", "import json, sys, time\nplayed = False\n", 1).replacen(
        "    if message[",
        "    played = played or message[\"t\"] == \"start\"\n    if message[",
        1,
    );
    std::fs::write(&bot, code + "\nif not played: time.sleep(1000)\n").unwrap();
    let report = stdout(&format!("check-bot {} --game incan-gold", bot.display()));
    assert!(report.contains("passed, 2 warnings, 0 failed; sandbox "), "{report}");
    // Now the bot leaves when asked to, but still not at the end of its input.
    let code = std::fs::read_to_string(&bot).unwrap();
    let leaves =
        code.replacen("    if message[", "    if message[\"t\"] == \"bye\": sys.exit()\n    if message[", 1);
    std::fs::write(&bot, leaves).unwrap();
    let report = stdout(&format!("check-bot {} --game incan-gold", bot.display()));
    assert!(report.contains("passed, 1 warning, 0 failed; sandbox "), "{report}");
}

/// Limits are options of all commands that run bots. Dropped bytes of a log are reported once, both in words
/// and in JSON.
#[test]
fn limits_are_options_and_dropped_logs_are_reported() {
    let folder = first_bot();
    let bot = folder.path().join("first.py");
    let code = std::fs::read_to_string(&bot).unwrap();
    let wordy = code.replacen(
        "for line in sys.stdin:",
        "for line in sys.stdin:\n    sys.stderr.write('x' * 5000)",
        1,
    );
    assert_ne!(wordy, code);
    std::fs::write(&bot, wordy).unwrap();
    let words =
        format!("match incan-gold {} turn:7 -n 4 --seed 1 -q --limit stderr_bytes=1000", bot.display());
    let text = stdout(&words);
    assert_eq!(text.matches("first wrote ").count(), 1, "{text}");
    let standings = &json(&format!("{words} --json"))["standings"];
    let dropped: Vec<u64> =
        standings.as_array().unwrap().iter().filter_map(|own| own["dropped_bytes"].as_u64()).collect();
    assert!(dropped.len() == 1 && dropped[0] > 4000, "{standings}");
    let check = format!("check-bot {} --game incan-gold --limit stderr_bytes=1000", bot.display());
    let text = stdout(&check);
    assert_eq!(text.matches(" bytes on stderr were dropped").count(), 1, "{text}");
    assert!(text.contains("WARN log: ") && text.contains(" 0 failed; "), "{text}");
    let findings = json(&format!("{check} --json"))["findings"].clone();
    assert!(findings.as_array().unwrap().iter().any(|finding| finding["check"] == "log"), "{findings}");
    for (limit, hint) in [
        ("stderr_byte=5", "stderr_bytes"),
        ("stderr_bytes=-1", "stderr_bytes: expected a whole number up to 1099511627776, found '-1'"),
        ("disk_mib=18446744073709551615", "up to 1099511627776, found '18446744073709551615'"),
        ("freeze=1", "freeze: expected true or false, found '1'"),
        ("processes", "processes: expected a whole number up to 1099511627776, found ''"),
    ] {
        let output = meeple(&format!("match incan-gold turn:7 never --limit {limit}")).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && text.contains(hint), "{limit}: {text}");
    }
}

#[test]
fn doctor_shows_the_levels() {
    let levels = json("doctor --json")["sandbox"].clone();
    let levels = levels.as_array().unwrap();
    let names: Vec<&str> = levels.iter().map(|level| level["level"].as_str().unwrap()).collect();
    assert_eq!(names, ["strict", "in-process", "limits-only", "none"]);
    let table = stdout("doctor");
    for level in levels {
        let why = level["why"].as_str().unwrap();
        assert!(!why.is_empty(), "{level}");
        // The text says that bots are stopped off-turn, or not, and how the memory of all their processes is
        // limited.
        let (frozen, memory) = (level["frozen"].as_bool().unwrap(), level["memory"].as_str().unwrap());
        assert!(["by-kernel", "by-looking", "not"].contains(&memory), "{level}");
        assert!(["by-kernel", "by-looking", "not"].contains(&level["cpu_time"].as_str().unwrap()), "{level}");
        if level["available"] == true {
            let expected = if frozen { "stopped off-turn" } else { "may think off-turn" };
            assert!(why.contains(expected) && why.contains("memory in all: "), "{level}");
            assert_eq!(memory == "not", level["level"] == "none", "{level}");
        }
        assert!(table.contains(why) || level["level"] == "none", "{table}");
    }
}

/// A bot for the original of game17, as its authors write them.
const MOVER: &str = "from game17 import find_owned_pieces

def make_moves(owner, rounds_left, owners, numbers):
    return [((i, j), 'n', c) for i, j, c in find_owned_pieces(owner, owners, numbers)]
";

/// A strategy for the original of Incan Gold.
const STRATEGY: &str = "def careful(name, turn, backpack):
    return turn >= 6 or backpack > 12
";

/// Pages for authors of bots for an original promise three commands each. All of them run with bots at the
/// paths that the pages name.
#[test]
fn the_commands_for_players_of_originals_run() {
    if !crate::has_python() {
        return;
    }
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let found =
        std::process::Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    let python = String::from_utf8(found.unwrap().stdout).unwrap();
    let syncs = std::fs::read_to_string(format!("{root}/bots/syncs/simple.py")).unwrap();
    let page_of = |page: &str| std::fs::read_to_string(format!("{root}/docs/reference/{page}")).unwrap();
    let block = |page: &str, kind: &str| {
        let block = page.split(kind).nth(1).and_then(|rest| rest.split("```").next());
        block.unwrap_or_else(|| panic!("no {kind:?} in\n{page}")).to_owned()
    };
    let example = block(&page_of("cartolan-bots.md"), "```python\n");
    for (page, files) in [
        ("syncs.md", vec![("my_bot.py", &*syncs), ("other_bot.py", &*syncs)]),
        ("game17-bots.md", vec![("mybot.py", MOVER), ("bots/north.py", MOVER), ("bots/south.py", MOVER)]),
        ("incan-gold-bots.md", vec![("mine.py", STRATEGY)]),
        ("cartolan-bots.md", vec![("mine.py", &*example)]),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("bots")).unwrap();
        for (file, text) in files {
            std::fs::write(folder.path().join(file), text).unwrap();
        }
        let page = block(&page_of(page), "```sh\n");
        let lines = page.lines().filter_map(|line| line.split(" #").next());
        let commands: Vec<&str> = lines.filter_map(|line| line.trim().strip_prefix("meeple ")).collect();
        assert_eq!(commands.len(), 3, "three commands are promised: {commands:?}");
        for command in commands {
            // The commands use the interpreter of the tests and play as few games as possible.
            let words =
                command.replace("env/bin/python", python.trim()).replace(" -n 20", "").replace(" -n 1", "");
            let plays = ["match", "tournament", "rank"].iter().any(|verb| words.starts_with(verb));
            let words = if plays { format!("{words} -n 1 --resamples 50 --seed 5 -q --json") } else { words };
            let output = meeple(&words).current_dir(folder.path()).output().unwrap();
            let shown = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success(), "{words}\n{shown}\n{}", String::from_utf8_lossy(&output.stderr));
            if plays {
                let report: serde_json::Value = serde_json::from_str(&shown).unwrap();
                let standings = report["standings"].as_array().unwrap();
                let bots: Vec<_> = standings.iter().filter(|row| row["kind"] == "bot").collect();
                assert!(!bots.is_empty(), "{words}\n{shown}");
                assert!(bots.iter().all(|row| row["faulted_episodes"] == 0), "{words}\n{shown}");
            }
        }
    }
}
