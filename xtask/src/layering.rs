//! Allowed dependencies between crates: from the edges to the core, never back.

use crate::workspace::{Dependency, Need, Package};

/// Purpose of a crate, which determines its allowed dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    Scene,
    Core,
    Agents,
    /// Tree search: agents for every game, which may use the game's own agents in rollouts.
    Search,
    /// Equilibria of small games: pure, and independent of tree search.
    Solving,
    Testkit,
    Game,
    Registry,
    /// Bots as processes: impure; games only through the `dyn` interface of the core.
    BotHost,
    /// Live tables: pure and without the registry, so they run wherever the core does.
    Table,
    /// Stored episodes for people: pure; finds games by name.
    Replays,
    /// Game-independent tools: the laboratory.
    Workshop,
    /// Game theory of pay-offs: pure mathematics without other crates of ours.
    Theory,
    /// The balance module: plays in the laboratory's pool and uses game theory.
    Balance,
    /// Learning players: trained in the laboratory's pool. They are agents of the registry, so they do not
    /// depend on it.
    Learning,
    /// Imported networks: agents of the registry, beside those that learn here.
    Networks,
    /// Competitions: host bots, and present results like the laboratory.
    Arena,
    /// User interfaces: command line, server, bindings.
    Edge,
    /// Chores of the repository.
    Chores,
}

/// Third-party crates allowed in pure crates. Additions need a reason beside them in the root manifest.
const PURE: &[&str] = &["serde", "serde_json", "thiserror"];
/// Names of colours, for games with colours chosen by players.
const GAMES_ONLY: &[&str] = &["csscolorparser"];
const CORE_ONLY: &[&str] = &["strsim", "siphasher"];
const REPLAYS_ONLY: &[&str] = &["flate2"];
/// JSON Schema of table messages; optional, and for tests only.
const TABLE_ONLY: &[&str] = &["schemars"];
const SCENE_ONLY: &[&str] = &["similar", "unicode-width", "png", "tiny-skia", "ttf-parser", "dejavu"];

impl Layer {
    /// `None` for unknown folders.
    fn of(folder: &str) -> Option<Self> {
        let parts: Vec<&str> = folder.split('/').collect();
        Some(match parts.as_slice() {
            ["crates", "scene"] => Self::Scene,
            ["crates", "core"] => Self::Core,
            ["crates", "agents"] => Self::Agents,
            ["crates", "search"] => Self::Search,
            ["crates", "solve"] => Self::Solving,
            ["crates", "testkit"] => Self::Testkit,
            ["crates", "games"] => Self::Registry,
            ["crates", "bothost"] => Self::BotHost,
            ["crates", "table"] => Self::Table,
            ["crates", "replay"] => Self::Replays,
            ["crates", "lab"] => Self::Workshop,
            ["crates", "theory"] => Self::Theory,
            ["crates", "balance"] => Self::Balance,
            ["crates", "learn"] => Self::Learning,
            ["crates", "onnx"] => Self::Networks,
            ["crates", "arena"] => Self::Arena,
            ["crates", "cli" | "load" | "server" | "py"] | ["benches" | "fuzz", ..] => Self::Edge,
            ["games" | "examples", _] => Self::Game,
            ["bots", ..] => Self::Edge,
            ["xtask"] => Self::Chores,
            _ => return None,
        })
    }

    fn may_use(self) -> &'static [Self] {
        use Layer::*;
        match self {
            Scene | Theory => &[],
            Core => &[Scene],
            Balance => &[Core, Scene, Workshop, Theory],
            Agents | Search | Solving | BotHost => &[Core],
            Testkit => &[Core, Scene, Agents],
            Game | Table => &[Core, Scene],
            Workshop => &[Core, Scene],
            Learning => &[Core, Workshop, Theory],
            Networks => &[Core, Learning],
            Registry => &[Core, Scene, Agents, Search, Solving, Learning, Networks, Game],
            Replays => &[Core, Scene, Registry],
            Arena => &[Core, Scene, Registry, BotHost, Workshop],
            Edge => &[
                Core, Scene, Agents, Search, Solving, Learning, Registry, BotHost, Table, Replays, Workshop,
                Balance, Arena, Edge,
            ],
            Chores => &[Core, Scene, Agents, Search, Learning, Registry, BotHost, Workshop, Arena, Testkit],
        }
    }

    fn tests_may_use(self) -> &'static [Self] {
        use Layer::*;
        match self {
            Scene | Theory => &[],
            Core | Agents | Solving | Testkit => &[Testkit],
            Game => &[Testkit, Agents, Search],
            Search => &[Testkit, Agents],
            BotHost | Table | Workshop | Balance | Learning => &[Testkit, Agents, Registry],
            Networks => &[Registry, Workshop],
            Registry | Replays | Arena | Edge | Chores => &[Testkit, Agents],
        }
    }

    /// Third-party crates allowed outside tests; `None` for any.
    fn third_party(self) -> Option<Vec<&'static str>> {
        match self {
            Self::Theory => Some(Vec::new()),
            Self::Scene => Some([PURE, SCENE_ONLY].concat()),
            Self::Core => Some([PURE, CORE_ONLY].concat()),
            Self::Game => Some([PURE, GAMES_ONLY].concat()),
            Self::Replays => Some([PURE, REPLAYS_ONLY].concat()),
            Self::Agents | Self::Search | Self::Solving | Self::Registry => Some(PURE.to_vec()),
            Self::Table => Some([PURE, TABLE_ONLY].concat()),
            Self::Testkit
            | Self::BotHost
            | Self::Workshop
            | Self::Balance
            | Self::Learning
            | Self::Networks
            | Self::Arena
            | Self::Edge
            | Self::Chores => None,
        }
    }
}

/// All violations, one text each.
pub(crate) fn check(packages: &[Package]) -> Vec<String> {
    packages.iter().flat_map(|package| check_package(package, packages)).collect()
}

fn check_package(package: &Package, packages: &[Package]) -> Vec<String> {
    let Some(layer) = Layer::of(&package.folder) else {
        return vec![format!(
            "{} lies in {}, which has no layer\nhint: give it a layer in xtask/src/layering.rs",
            package.name, package.folder
        )];
    };
    // A crate may depend on itself for a feature that only its tests need.
    let itself = |dependency: &Dependency| dependency.need == Need::Test && dependency.name == package.name;
    let wrong = |dependency: &&Dependency| !itself(dependency) && !allowed(layer, dependency, packages);
    package
        .dependencies
        .iter()
        .filter(wrong)
        .map(|dependency| {
            let tests = match dependency.need {
                Need::Use => "",
                Need::Test => "the tests of ",
            };
            format!("{tests}{} ({}) may not know {}", package.name, package.folder, dependency.name)
        })
        .collect()
}

fn allowed(layer: Layer, dependency: &Dependency, packages: &[Package]) -> bool {
    let Some(ours) = packages.iter().find(|package| package.name == dependency.name) else {
        // Tests may use any third-party crate.
        return dependency.need == Need::Test
            || layer.third_party().is_none_or(|known| known.contains(&dependency.name.as_str()));
    };
    let Some(target) = Layer::of(&ours.folder) else { return false };
    layer.may_use().contains(&target)
        || dependency.need == Need::Test && layer.tests_may_use().contains(&target)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small valid workspace.
    fn sound() -> Vec<Package> {
        [
            ("meeple-scene", "crates/scene", "thiserror tiny-skia"),
            ("meeple-core", "crates/core", "meeple-scene serde strsim +meeple-testkit"),
            ("meeple-agents", "crates/agents", "meeple-core +meeple-testkit"),
            ("meeple-testkit", "crates/testkit", "meeple-core meeple-scene roxmltree"),
            ("meeple-search", "crates/search", "meeple-core +meeple-testkit +meeple-agents"),
            ("meeple-solve", "crates/solve", "meeple-core serde_json +meeple-testkit"),
            ("meeple-lab", "crates/lab", "meeple-core meeple-scene +meeple-games rayon"),
            ("meeple-theory", "crates/theory", ""),
            (
                "meeple-balance",
                "crates/balance",
                "meeple-core meeple-lab meeple-theory +meeple-testkit parquet",
            ),
            ("meeple-learn", "crates/learn", "meeple-core meeple-lab meeple-theory +meeple-games safetensors"),
            ("meeple-onnx", "crates/onnx", "meeple-core meeple-learn +meeple-games +meeple-lab rten"),
            (
                "meeple-games",
                "crates/games",
                "meeple-core meeple-agents meeple-search meeple-solve meeple-learn meeple-onnx meeple-dice thiserror",
            ),
            ("meeple-arena", "crates/arena", "meeple-core meeple-games meeple-lab rusqlite"),
            ("meeple-replay", "crates/replay", "meeple-core meeple-games flate2"),
            ("meeple", "crates/cli", "meeple-core meeple-games meeple-lab meeple-arena clap"),
            (
                "meeple-dice",
                "games/dice",
                "meeple-core meeple-scene serde +meeple-testkit +meeple-agents +csv",
            ),
            ("meeple-coin", "examples/coin", "meeple-core serde +meeple-testkit"),
            ("xtask", "xtask", "meeple-games meeple-testkit anyhow"),
        ]
        .map(|(name, folder, dependencies)| Package {
            name: name.into(),
            folder: folder.into(),
            dependencies: dependencies.split_whitespace().map(dependency).collect(),
            mutants: Vec::new(),
            words: Vec::new(),
        })
        .into()
    }

    /// Parses `name`, or `+name` for a dependency of the tests.
    fn dependency(text: &str) -> Dependency {
        match text.strip_prefix('+') {
            Some(name) => Dependency { name: name.into(), need: Need::Test },
            None => Dependency { name: text.into(), need: Need::Use },
        }
    }

    #[test]
    fn a_sound_workspace_passes() {
        assert_eq!(check(&sound()), Vec::<String>::new());
    }

    #[test]
    fn every_wrong_arrow_is_noticed() {
        for (name, wrong, comment) in [
            ("meeple-scene", "meeple-core", "the scene knows nothing of ours"),
            ("meeple-scene", "+meeple-testkit", "nor do its tests"),
            ("meeple-scene", "rayon", "pure"),
            ("meeple-core", "meeple-agents", "the core knows no agents"),
            ("meeple-core", "meeple-games", "nor the registry"),
            ("meeple-core", "meeple-dice", "nor a game"),
            ("meeple-core", "meeple-testkit", "the kit is for tests only"),
            ("meeple-core", "rand", "pure: the generator is fixed"),
            ("meeple-agents", "meeple-scene", "agents do not draw"),
            ("meeple-agents", "meeple-dice", "agents know no game"),
            ("meeple-agents", "+meeple-dice", "nor do their tests"),
            ("meeple-search", "meeple-agents", "the search knows no other agents"),
            ("meeple-search", "meeple-dice", "and no game"),
            ("meeple-search", "+meeple-dice", "nor do its tests"),
            ("meeple-search", "rayon", "pure"),
            ("meeple-solve", "meeple-search", "solving shares nothing with searching"),
            ("meeple-solve", "meeple-dice", "and knows no game"),
            ("meeple-solve", "rayon", "pure"),
            ("meeple-testkit", "meeple-dice", "the kit knows no game"),
            ("meeple-testkit", "meeple-games", "nor the registry"),
            ("meeple-dice", "meeple-agents", "a game needs no general agents"),
            ("meeple-dice", "meeple-coin", "nor another game"),
            ("meeple-dice", "meeple-games", "nor the registry"),
            ("meeple-dice", "meeple-testkit", "the kit is for tests only"),
            ("meeple-dice", "rand", "pure: randomness comes in streams"),
            ("meeple-dice", "tokio", "pure"),
            ("meeple-coin", "meeple-lab", "an example is a game"),
            ("meeple-lab", "meeple-dice", "only the registry knows games"),
            ("meeple-lab", "+meeple-dice", "in tests too"),
            ("meeple-lab", "meeple-games", "nor the registry, but for tests"),
            ("meeple-learn", "meeple-games", "whose agents learn"),
            ("meeple-learn", "meeple-dice", "and no game"),
            ("meeple-onnx", "meeple-lab", "networks of others only play"),
            ("meeple-learn", "meeple-onnx", "whoever learns does without them"),
            ("meeple-lab", "meeple", "arrows point inwards"),
            ("meeple-lab", "meeple-balance", "balance is asked of the laboratory, which does not know it"),
            ("meeple-theory", "meeple-core", "theory knows nothing of ours"),
            ("meeple-theory", "serde", "nor of others"),
            ("meeple-balance", "meeple-games", "only tests name games"),
            ("meeple-balance", "meeple-agents", "and no agents"),
            ("meeple-lab", "meeple-arena", "the arena uses the laboratory, not the other way round"),
            ("meeple-replay", "meeple-dice", "only the registry knows games"),
            ("meeple-replay", "meeple-arena", "what is stored is none of its business"),
            ("meeple-replay", "tokio", "pure"),
            ("meeple-replay", "similar", "the scene finds what changes"),
            ("meeple-arena", "meeple-dice", "only the registry knows games"),
            ("meeple-arena", "meeple", "arrows point inwards"),
            ("meeple", "meeple-dice", "only the registry knows games"),
            ("meeple", "meeple-testkit", "the kit is for tests only"),
            ("meeple-games", "meeple-lab", "arrows point inwards"),
            ("xtask", "meeple-dice", "only the registry knows games"),
        ] {
            let mut packages = sound();
            let package = packages.iter_mut().find(|package| package.name == name).unwrap();
            package.dependencies.push(dependency(wrong));
            let found = check(&packages);
            assert_eq!(found.len(), 1, "{name} -> {wrong} ({comment}): {found:?}");
            let target = wrong.trim_start_matches('+');
            assert!(found[0].contains(&format!("{name} (")), "{found:?}");
            assert!(found[0].ends_with(&format!("may not know {target}")), "{found:?}");
        }
    }

    #[test]
    fn unknown_folders_need_a_layer() {
        let mut packages = sound();
        packages[0].folder = "crates/misc".into();
        let found = check(&packages);
        assert!(found[0].contains("meeple-scene lies in crates/misc"), "{found:?}");
        assert!(found.len() > 1, "whoever depends on it is told too: {found:?}");
    }
}
