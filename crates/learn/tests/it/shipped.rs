//! Players that come with the games.

use std::path::Path;

use meeple_lab::StopFlag;
use meeple_learn::{Learned, Plan, examine};

use crate::game;

/// The file, the plan that made it, and the least share of the win against everybody of a gauntlet (points, alone) that the
/// lower end of its interval must reach in so many episodes. Those of Carcassonne take long without optimisation.
const SHIPPED: &[(&str, &str, &str, &[&str], u64, f64)] = &[
    ("games/incan-gold/learned/net-1.safetensors", "incan-gold-1.toml", "incan-gold", &[], 600, 95.0),
    (
        "games/incan-gold/learned/net-2.safetensors",
        "incan-gold-2.toml",
        "incan-gold",
        &["turn:7", "lookahead", "nash"],
        600,
        0.5,
    ),
    (
        "games/cartolan/learned/feedforward-2.safetensors",
        "cartolan.toml",
        "cartolan",
        &["explorer", "trader", "router", "pirate"],
        600,
        0.42,
    ),
    (
        "games/carcassonne/learned/net-2-classic.safetensors",
        "carcassonne.toml",
        "carcassonne",
        &["builder", "greedy"],
        80,
        0.55,
    ),
    (
        "games/carcassonne/learned/net-2-towers.safetensors",
        "carcassonne-towers.toml",
        "carcassonne",
        &["greedy"],
        60,
        0.75,
    ),
];

#[test]
fn shipped_players_are_what_their_plans_say_and_play_well() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for (file, plan, name, gauntlet, episodes, least) in SHIPPED {
        let path = root.join(file);
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.len() <= 1_000_000, "{file}");
        let learned = Learned::from_bytes(&bytes, file).unwrap();
        assert_eq!(learned.to_bytes(), bytes, "{file}");
        let plan =
            Plan::parse(&std::fs::read_to_string(root.join("docs/plans").join(plan)).unwrap()).unwrap();
        assert_eq!(serde_json::from_value::<Plan>(learned.about.plan.clone()).unwrap(), plan, "{file}");
        assert_eq!((learned.about.round, learned.pending), (plan.rounds, None), "{file}");

        let gauntlet = gauntlet.iter().map(|agent| (*agent).to_owned()).collect();
        let plan = Plan { gauntlet, examine_episodes: *episodes, seed: 99, ..plan };
        let examined = examine(&*game(name, &plan), &plan, &path, 0, 2, &StopFlag::new()).unwrap();
        for examined in examined {
            let low = if plan.seats == 1 { examined.score - examined.score_half } else { examined.share_low };
            assert!(low > *least, "{file}: {examined:?}");
        }
    }
}

#[test]
fn shipped_players_have_names() {
    for (name, seats, agents) in [
        ("incan-gold", 1, &["net"][..]),
        ("incan-gold", 2, &["net", "net"]),
        ("cartolan", 2, &["feedforward", "merchant"]),
        ("carcassonne", 2, &["net", "builder"]),
    ] {
        let game = game(name, &Plan { seats, ..Plan::default() });
        let agents: Vec<_> = agents.iter().map(|agent| meeple_core::AgentSpec::parse(agent)).collect();
        game.check_line_up(&agents).unwrap();
    }
    let game = game("cartolan", &Plan { seats: 3, ..Plan::default() });
    let three = vec![meeple_core::AgentSpec::parse("feedforward"); 3];
    let error = game.check_line_up(&three).unwrap_err().to_string();
    assert!(error.contains("expected seats 3, found a network for 2"), "{error}");
}
