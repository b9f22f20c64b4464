//! `meeple learn`: training of players.

use std::path::Path;

use meeple_testkit::waits::{until, until_some};

use crate::{json, meeple, stdout};

const PLAN: &str = "goal = \"score\"\nhidden = [8]\nrounds = 30\nepisodes = 100\nexamine_every = 3\nexamine_episodes = 50\n\
                    gauntlet = [\"turn:7\", \"random:0.2\"]\n";

fn write_plan(folder: &Path, text: &str) -> String {
    let path = folder.join("plan.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn files(folder: &Path) -> [Vec<u8>; 3] {
    ["net.safetensors", "training.safetensors", "curve.csv"]
        .map(|name| std::fs::read(folder.join(name)).unwrap())
}

#[test]
fn a_training_that_was_killed_goes_on_as_if_it_had_not_been() {
    let ground = tempfile::tempdir().unwrap();
    let plan = write_plan(ground.path(), PLAN);
    let [whole, killed] = ["whole", "killed"].map(|name| ground.path().join(name));
    let text = stdout(&format!("learn incan-gold {plan} --out {} --quiet", whole.display()));
    assert!(text.contains("against turn:7, ") && text.contains("against random:0.2"), "{text}");
    let curve = std::fs::read_to_string(whole.join("curve.csv")).unwrap();
    assert_eq!(curve.lines().count(), 1 + 2 * 10, "{curve}");
    assert!(curve.lines().nth(1).unwrap().starts_with("3,\"turn:7\",0."), "{curve}");

    let words = format!("learn incan-gold {plan} --out {} --quiet", killed.display());
    for round in 0.. {
        // A killed writer leaves such a file.
        if killed.exists() {
            std::fs::write(killed.join(".net.safetensors.meeple-a1B2c3.tmp"), "half").unwrap();
        }
        let resume = if killed.join("training.safetensors").exists() { " --resume" } else { "" };
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("meeple"));
        let mut child =
            command.args(format!("{words}{resume} --threads 1").split_whitespace()).spawn().unwrap();
        let before = std::fs::read(killed.join("training.safetensors")).ok();
        // The process is killed as soon as it has stored something new.
        let ended = until_some("something new kept, or the end of the training", || {
            if child.try_wait().unwrap().is_some() {
                return Some(true);
            }
            (std::fs::read(killed.join("training.safetensors")).ok() != before).then_some(false)
        });
        let _ = child.kill();
        child.wait().unwrap();
        if ended {
            break;
        }
        assert!(round < 10, "ten examinations are kept in a whole training");
    }
    assert_eq!(files(&whole), files(&killed));
    let names = |folder: &Path| -> std::collections::BTreeSet<_> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    assert_eq!(names(&whole), names(&killed), "nothing unfinished is left");
    let again = meeple(&format!("{words} --resume")).output().unwrap();
    assert!(again.status.success());
    assert!(String::from_utf8_lossy(&again.stderr).contains("has learned all 30 rounds"), "{again:?}");
    assert_eq!(files(&whole), files(&killed));

    // The network plays in every command that takes agents.
    let net = whole.join("net.safetensors").display().to_string();
    let played = json(&format!("sim incan-gold net:{net} never -n 400 --json"));
    assert!(played["agents"][0]["win_share"].as_f64().unwrap() > 0.5, "{played}");
}

#[test]
fn what_cannot_be_learned_is_said() {
    let ground = tempfile::tempdir().unwrap();
    let out = ground.path().join("out").display().to_string();
    let cases = [
        ("incan-gold", "rounds = 0", "rounds: expected 1 to"),
        ("incan-gold", "rownds = 1", "unknown field `rownds`"),
        ("incan-gold", "seats = 99", "incan-gold takes 1 to 16 players"),
        ("incan-gold", "self_play = 0\nopponents = [\"turn:x\"]", "turn"),
        ("incan-gold", "set = { gems = \"none\" }", "gems"),
        ("incan-gold", "gauntlet = [\"nobody\"]", "nobody"),
        ("incan-golt", "", "did you mean"),
    ];
    for (game, text, expected) in cases {
        let plan = write_plan(ground.path(), text);
        let output = meeple(&format!("learn {game} {plan} --out {out} -q")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(expected), "{text}: {errors}");
        assert!(!errors.contains("panic"), "{errors}");
    }
    let output = meeple(&format!("learn incan-gold nowhere.toml --out {out}")).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("nowhere.toml"));
    // A training is not overwritten by another one.
    let folder = ground.path().join("one");
    let plan = write_plan(ground.path(), "rounds = 1\nepisodes = 8\nhidden = [2]\n");
    let words = format!("learn incan-gold {plan} --out {} -q", folder.display());
    stdout(&words);
    let output = meeple(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("hint: --resume goes on"));
    write_plan(ground.path(), "rounds = 2\nepisodes = 8\nhidden = [2]\n");
    let output = meeple(&format!("{words} --resume")).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected the same plan"));
}

#[test]
fn without_a_folder_a_training_is_called_as_its_plan() {
    let ground = tempfile::tempdir().unwrap();
    let [plans, here, other] = ["plans", "here", "other"].map(|name| {
        let folder = ground.path().join(name);
        std::fs::create_dir(&folder).unwrap();
        folder
    });
    let plan = write_plan(&plans, "rounds = 1\nepisodes = 8\nhidden = [2]\n");
    let words = format!("learn incan-gold {plan} -q");
    meeple(&words).current_dir(&here).assert().success();
    assert!(here.join("plan/net.safetensors").exists());
    // The same training can only be resumed. A folder without a training is refused and stays as it is.
    meeple(&words).current_dir(&here).assert().code(2);
    meeple(&format!("{words} --resume")).current_dir(&here).assert().success();
    std::fs::create_dir(other.join("plan")).unwrap();
    let output = meeple(&words).current_dir(&other).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        errors.contains("expected no plan here") && errors.contains("hint: -o names another folder"),
        "{errors}"
    );
    assert_eq!(std::fs::read_dir(other.join("plan")).unwrap().count(), 0);
}

/// The whole path of people's games: `play` stores them, a plan in another folder names them, and training
/// mixes them in. The network, the output and the plot report them.
#[test]
fn games_of_people_are_learned_from_too() {
    let ground = tempfile::tempdir().unwrap();
    let folder = ground.path().join("people");
    std::fs::create_dir(&folder).unwrap();
    for (seed, name) in [(1, "a.json"), (2, "b.json"), (3, "c.json.gz")] {
        let game = folder.join(name).display().to_string();
        stdout(&format!("play incan-gold turn:5 backpack:20 --seed {seed} --level game --save {game}"));
    }
    std::fs::write(folder.join("letter.txt"), "Hello Ann").unwrap();
    let plan = |more: &str| {
        write_plan(
            ground.path(),
            &format!(
                "hidden = [6]\nrounds = 4\nepisodes = 80\nexamine_every = 2\nexamine_episodes = 40\n\
                      gauntlet = [\"turn:7\"]\n{more}"
            ),
        )
    };
    let games = plan("replays = [\"people/*.json\", \"people/c.json.gz\"]\nreplay_share = 0.5\n");
    let [one, two, broken] = ["one", "two", "broken"].map(|name| ground.path().join(name));
    let words = |out: &Path| format!("learn incan-gold {games} --out {} --quiet", out.display());
    let errors = stdout(&format!("{} --threads 1", words(&one)));
    assert!(
        errors.contains("\nlearned from 3 games of people in ") && errors.contains(" of 320 episodes"),
        "{errors}"
    );
    assert_eq!(errors, stdout(&format!("{} --threads 2", words(&two))));
    assert_eq!(files(&one), files(&two));
    let net = String::from_utf8_lossy(&files(&one)[0]).into_owned();
    assert!(net.contains("\\\"people\\\":{\\\"games\\\":3,"), "the file says of whom it has learned");
    let plot = std::fs::read_to_string(one.join("curve.svg")).unwrap();
    assert!(plot.contains("with 3 games of people"), "{plot}");

    // This training is killed once something is stored, and then resumed.
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("meeple"))
        .args(words(&broken).split_whitespace())
        .spawn()
        .unwrap();
    until("something kept, or the end of the training", || {
        broken.join("training.safetensors").exists() || child.try_wait().unwrap().is_some()
    });
    let _ = child.kill();
    child.wait().unwrap();
    assert!(meeple(&format!("{} --resume", words(&broken))).output().unwrap().status.success());
    assert_eq!(files(&broken), files(&one));

    // Invalid replays are refused before training begins.
    let other = folder.join("other.json").display().to_string();
    stdout(&format!("play incan-gold turn:5 turn:5 turn:5 --seed 4 --level game --save {other}"));
    let wrong = folder.join("wrong.json");
    let text = std::fs::read_to_string(folder.join("a.json")).unwrap();
    std::fs::write(&wrong, text.replacen("leave", "dance", 1)).unwrap();
    for (replays, expected) in [
        ("people/none*.json", "none*.json, found none\nhint: names begin at the plan's folder"),
        ("people/none.json", "none.json: it does not exist"),
        ("people/let*", "letter.txt: expected a replay"),
        ("people/*r.json", "other.json: expected a game of 2 seats, found one of 3"),
        ("people/w*o*g.json", "wrong.json: step "),
    ] {
        let games = plan(&format!("replays = [\"{replays}\"]\nreplay_share = 0.5\n"));
        let out = ground.path().join("none");
        let output =
            meeple(&format!("learn incan-gold {games} --out {} -q", out.display())).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(expected), "{replays}: {errors}");
        assert!(!out.exists(), "{replays}: nothing is learned");
    }
}

/// Invalid network files are refused before anything is played.
#[test]
fn networks_of_something_else_are_refused() {
    let ground = tempfile::tempdir().unwrap();
    let path = ground.path().join("net");
    std::fs::write(&path, "no network").unwrap();
    for (game, spec, expected) in [
        ("incan-gold", format!("net:{}", path.display()), "expected a file of safetensors"),
        ("incan-gold", "net:nowhere".to_owned(), "nowhere: No such file"),
        ("incan-gold", "net net".to_owned(), "expected seats 4, found a network for"),
    ] {
        let output = meeple(&format!("sim {game} {spec} {spec} -n 10")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && errors.contains(expected), "{errors}");
    }
}

#[test]
fn an_agent_is_tuned_and_printed_as_it_is_typed() {
    for (tuned, parts) in [
        ("backpack --against turn:7 -n 200 --generations 3", &["backpack:gems="][..]),
        // Switches and choices are tuned like numbers.
        (
            "mcts:iterations=20 --only c,select,bend --against turn:7 -n 20 --generations 12 --method ntbea",
            &["mcts:iterations=20,c=", ",select=", ",bend="],
        ),
    ] {
        let words = format!("tune incan-gold {tuned} --final-episodes 200 --quiet");
        let text = stdout(&words);
        assert_eq!(text, stdout(&format!("{words} --threads 1")));
        let agent = text.lines().next().unwrap();
        assert!(parts.iter().all(|part| agent.contains(part)), "{text}");
        assert!(text.contains("against turn:7; it was"), "{text}");
        stdout(&format!("sim incan-gold {agent} turn:7 -n 10"));
    }
    let output = meeple("tune incan-gold backpack --method nothing").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("[possible values: cma, ntbea]"));
    let output = meeple("tune incan-gold never").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("no number that could be tuned"));
}
