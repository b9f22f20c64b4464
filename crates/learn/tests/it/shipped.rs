//! Players that come with the games.

use std::path::Path;

use meeple_lab::StopFlag;
use meeple_learn::{Checkpoint, TrainingPlan, play_gauntlet};

use crate::game;

/// A player, and its required strength.
struct Shipped {
    file: &'static str,
    plan: &'static str,
    game: &'static str,
    /// Opponents and number of episodes; episodes of Carcassonne take long without optimisation.
    gauntlet: &'static [&'static str],
    episodes: u64,
    /// Required lower end of the interval: the share of the win against everybody, or points for a lone
    /// player.
    least: f64,
}

const SHIPPED: &[Shipped] = &[
    Shipped {
        file: "games/incan-gold/learned/net-1.safetensors",
        plan: "incan-gold-1.toml",
        game: "incan-gold",
        gauntlet: &[],
        episodes: 600,
        least: 95.0,
    },
    Shipped {
        file: "games/incan-gold/learned/net-2.safetensors",
        plan: "incan-gold-2.toml",
        game: "incan-gold",
        gauntlet: &["turn:7", "lookahead", "nash"],
        episodes: 600,
        least: 0.5,
    },
    Shipped {
        file: "games/cartolan/learned/feedforward-2.safetensors",
        plan: "cartolan.toml",
        game: "cartolan",
        gauntlet: &["merchant", "explorer", "trader", "router", "pirate"],
        episodes: 300,
        least: 0.5,
    },
    Shipped {
        file: "games/cartolan/learned/sorn-2.safetensors",
        plan: "cartolan-sorn.toml",
        game: "cartolan",
        gauntlet: &["random"],
        episodes: 400,
        least: 0.6,
    },
    Shipped {
        file: "games/carcassonne/learned/net-2-classic.safetensors",
        plan: "carcassonne.toml",
        game: "carcassonne",
        gauntlet: &["builder", "greedy"],
        episodes: 80,
        least: 0.55,
    },
    Shipped {
        file: "games/carcassonne/learned/net-2-towers.safetensors",
        plan: "carcassonne-towers.toml",
        game: "carcassonne",
        gauntlet: &["greedy"],
        episodes: 60,
        least: 0.75,
    },
    Shipped {
        file: "games/privateers/learned/net-2.safetensors",
        plan: "privateers.toml",
        game: "privateers",
        gauntlet: &["admiral", "trader"],
        episodes: 80,
        least: 0.5,
    },
    Shipped {
        file: "games/game17/learned/net-2.safetensors",
        plan: "game17.toml",
        game: "game17",
        gauntlet: &["hunter", "t800"],
        episodes: 60,
        least: 0.8,
    },
];

#[test]
fn shipped_players_are_what_their_plans_say_and_play_well() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for Shipped { file, plan, game: name, gauntlet, episodes, least } in SHIPPED {
        let path = root.join(file);
        let bytes = std::fs::read(&path).unwrap();
        assert!(bytes.len() <= 1_000_000, "{file}");
        let learned = Checkpoint::from_bytes(&bytes, file).unwrap();
        assert_eq!(learned.to_bytes(), bytes, "{file}");
        let plan = TrainingPlan::parse(&std::fs::read_to_string(root.join("docs/plans").join(plan)).unwrap())
            .unwrap();
        assert_eq!(
            serde_json::from_value::<TrainingPlan>(learned.about.plan.clone()).unwrap(),
            plan,
            "{file}"
        );
        assert_eq!((learned.about.round, learned.pending), (plan.rounds, None), "{file}");

        let gauntlet = gauntlet.iter().map(|agent| (*agent).to_owned()).collect();
        let plan = TrainingPlan { gauntlet, examine_episodes: *episodes, seed: 99, ..plan };
        let examined = play_gauntlet(&*game(name, &plan), &plan, &path, 0, 2, &StopFlag::new()).unwrap();
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
        ("cartolan", 2, &["sorn", "random"]),
        ("carcassonne", 2, &["net", "builder"]),
        ("privateers", 2, &["net", "admiral"]),
    ] {
        let game = game(name, &TrainingPlan { seats, ..TrainingPlan::default() });
        let agents: Vec<_> = agents.iter().map(|agent| meeple_core::AgentSpec::parse(agent)).collect();
        game.check_line_up(&agents).unwrap();
    }
    let game = game("cartolan", &TrainingPlan { seats: 3, ..TrainingPlan::default() });
    let three = vec![meeple_core::AgentSpec::parse("feedforward"); 3];
    let error = game.check_line_up(&three).unwrap_err().to_string();
    assert!(error.contains("expected seats 3, found a network for 2"), "{error}");
}
