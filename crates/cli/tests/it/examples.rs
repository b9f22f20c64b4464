//! The example game of the recipe for games, which needs only a line in the registry.

#[cfg(feature = "examples")]
#[test]
fn everything_works_for_the_coin_game() {
    use crate::{json, meeple, stdout};

    assert!(stdout("games").contains("coin-game"));
    let summary = json("sim coin-game always:heads random -n 500 --json");
    assert_eq!(summary["agents"].as_array().unwrap().len(), 2);
    assert_eq!(
        json("sweep coin-game random random --set rounds=1..3 -n 50 --json")["cells"]
            .as_array()
            .unwrap()
            .len(),
        3
    );
    let folder = tempfile::tempdir().unwrap();
    let replay = folder.path().join("coin.json");
    stdout(&format!("play coin-game random random --seed 1 --level totals --save {}", replay.display()));
    stdout(&format!("replay {}", replay.display()));
    meeple(&format!("render {} -o {}", replay.display(), folder.path().join("coin.png").display()))
        .assert()
        .success();
    let output =
        meeple("play coin-game human random --seed 2").write_stdin("heads\ntails\n1\n").output().unwrap();
    assert!(output.status.success());
    // The leader wants to match the other's guess, and the trailing player wants to differ. In an equilibrium
    // neither can be predicted.
    let solved = json("solve coin-game --set rounds=2 -n 20000 --json -q");
    assert!((solved["seats"][0]["value"].as_f64().unwrap() - 0.5).abs() < 0.02, "{solved}");
    assert!(solved["nash_conv"].as_f64().unwrap() < 0.05, "{solved}");
}
