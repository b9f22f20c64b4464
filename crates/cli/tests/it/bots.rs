//! Bots on the command line: `check-bot`, and the sandbox part of `doctor`.

use crate::{json, meeple, stdout};

/// The ten lines of the bot author's guide.
fn first_bot() -> tempfile::TempDir {
    let guide = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/bots.md")).unwrap();
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
    // Only where nothing was played: there its end is what is looked at, and elsewhere it would only take long.
    let code = code.replacen("import json, sys\n", "import json, sys, time\nplayed = False\n", 1).replacen(
        "    if message[",
        "    played = played or message[\"t\"] == \"start\"\n    if message[",
        1,
    );
    std::fs::write(&bot, code + "\nif not played: time.sleep(1000)\n").unwrap();
    let report = stdout(&format!("check-bot {} --game incan-gold", bot.display()));
    assert!(report.contains("passed, 2 warnings, 0 failed; sandbox "), "{report}");
    // Told to go it goes, but not if its input just ends.
    let code = std::fs::read_to_string(&bot).unwrap();
    let leaves =
        code.replacen("    if message[", "    if message[\"t\"] == \"bye\": sys.exit()\n    if message[", 1);
    std::fs::write(&bot, leaves).unwrap();
    let report = stdout(&format!("check-bot {} --game incan-gold", bot.display()));
    assert!(report.contains("passed, 1 warning, 0 failed; sandbox "), "{report}");
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
        // What is stopped, and what is limited for all processes together.
        let (frozen, memory) = (level["frozen"].as_bool().unwrap(), level["memory"].as_str().unwrap());
        assert!(["by-kernel", "by-looking", "not"].contains(&memory), "{level}");
        assert!(["by-kernel", "by-looking", "not"].contains(&level["cpu_time"].as_str().unwrap()), "{level}");
        if level["available"] == true {
            let told = if frozen { "stopped off-turn" } else { "may think off-turn" };
            assert!(why.contains(told) && why.contains("memory in all: "), "{level}");
            assert_eq!(memory == "not", level["level"] == "none", "{level}");
        }
        assert!(table.contains(why) || level["level"] == "none", "{table}");
    }
}

/// The page for players of Cartolan's original: its commands run with its example.
#[test]
fn the_commands_for_players_of_cartolan_run() {
    if !crate::has_python() {
        return;
    }
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/cartolan-bots.md");
    let page = std::fs::read_to_string(page).unwrap();
    let block = |kind: &str| page.split(kind).nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.py"), block("```python\n")).unwrap();
    let commands: Vec<&str> = block("```sh\n").lines().filter_map(|line| line.split('#').next()).collect();
    assert_eq!(commands.len(), 3, "three commands are promised");
    for command in commands {
        let words = command.strip_prefix("meeple ").unwrap().trim().to_owned();
        let words = match words.starts_with("match") {
            // As few games as there can be.
            true => format!("{words} -n 1 --resamples 50 --seed 5 -q --json"),
            false => words,
        };
        let output = meeple(&words).current_dir(folder.path()).output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{words}\n{shown}\n{}", String::from_utf8_lossy(&output.stderr));
        if words.starts_with("match") {
            let report: serde_json::Value = serde_json::from_str(&shown).unwrap();
            let standings = report["standings"].as_array().unwrap();
            let own = standings.iter().find(|row| row["name"] == "mine").unwrap();
            assert_eq!(
                (&own["kind"], &own["faulted_episodes"]),
                (&"bot".into(), &0.into()),
                "{words}: {own}"
            );
        }
    }
}
