use meeple_core::{AgentSpec, AnyGame, EpisodeSeed, Phase, Seat, Seating};
use meeple_lab::{LineUp, NoProgress, Simulation, StopFlag, simulate};
use meeple_learn::{Checkpoint, LearnError, TrainingPlan};

use crate::{breaks_change_nothing, game, plan, trained};

/// Plan for a lone player of Incan Gold, which trains in a few seconds.
const ALONE: &str =
    "seats = 1\ngoal = \"score\"\nhidden = []\nlambda = 0.9\nexplore = [0.0, 0.0]\nrate = [1.0, 1.0]\n";

fn a_plan(more: &str) -> TrainingPlan {
    plan(&format!("{ALONE}{more}[sorn]\nunits = 40\nwinners = 6\n"))
}

#[test]
fn any_number_of_threads_makes_the_same_bytes_and_a_training_goes_on() {
    let plan = a_plan("rounds = 4\nepisodes = 24\n");
    let (one, rounds) = trained("incan-gold", &plan, 1);
    let (two, others) = trained("incan-gold", &plan, 2);
    assert_eq!(one.to_bytes(), two.to_bytes());
    assert_eq!(rounds, others);
    assert!(rounds.iter().all(|round| round.decisions > 0 && round.error.is_finite()), "{rounds:?}");
    let environment = meeple_games::environment(&*game("incan-gold", &plan)).unwrap();
    breaks_change_nothing(&*environment, &plan, &one);
}

#[test]
fn it_is_read_as_it_was_written_and_damage_is_noticed() {
    let (learned, _) = trained("incan-gold", &a_plan("rounds = 1\nepisodes = 8\n"), 1);
    let again = Checkpoint::from_bytes(&learned.to_bytes(), "it").unwrap();
    assert_eq!((&again.network, &again.reservoir), (&learned.network, &learned.reservoir));
    assert_eq!(again.pending, learned.pending);
    assert_eq!(learned.about.sizes.len(), 3);
    let bytes = Checkpoint { pending: None, ..learned }.to_bytes();
    for cut in (0..bytes.len()).step_by(97) {
        assert!(Checkpoint::from_bytes(&bytes[..cut], "it").is_err(), "cut at {cut}");
    }
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for at in (header..bytes.len()).step_by(31) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        let error = Checkpoint::from_bytes(&bytes, "it").unwrap_err();
        assert!(matches!(error, LearnError::Network { .. }), "{at}: {error}");
    }
    for at in 0..header {
        let mut bytes = bytes.clone();
        bytes[at] = bytes[at].wrapping_add(3);
        let _ = Checkpoint::from_bytes(&bytes, "it");
    }
}

/// The share of the win against random play, and all results as one text.
fn played(game: &dyn AnyGame, learned: &Checkpoint, threads: usize) -> (f64, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    std::fs::write(&path, learned.to_bytes()).unwrap();
    let simulation = Simulation {
        game,
        line_up: LineUp::parse(&[format!("net:{}", path.display()), "random".to_owned()]).unwrap(),
        seed: 99,
        episodes: 1000,
        seating: Seating::DealGroups,
        threads,
    };
    let run = simulate(&simulation, &mut NoProgress, &StopFlag::new()).unwrap();
    let results = &run.summary.agents[0].results;
    // Only the results are returned: the rest of the summary has the name of the file.
    (results.win_share, serde_json::to_string(results).unwrap())
}

#[test]
fn its_readout_learns_from_rewards_and_its_memory_ends_with_the_episode() {
    let plan = plan(
        "goal = \"win\"\nhidden = []\nrounds = 60\nepisodes = 64\nself_play = 0.0\nopponents = [\"random\"]\nlambda = 0.95\n\
         explore = [0.0, 0.0]\nrate = [0.3, 0.1]\n[sorn]\nunits = 60\nwinners = 8\n",
    );
    let game = game("incan-gold", &plan);
    let (learned, _) = trained("incan-gold", &plan, 2);
    let (first, _) = trained("incan-gold", &TrainingPlan { rounds: 1, ..plan }, 2);
    let ((before, _), (after, told)) = (played(&*game, &first, 1), played(&*game, &learned, 1));
    assert!(after > before + 0.1, "{before} of the win before, {after} after");
    // With more threads an agent plays other episodes in succession, and its memory must not carry over.
    assert_eq!(told, played(&*game, &learned, 2).1);
}

#[derive(Clone, Copy)]
enum PolicyExample {
    Times(usize),
    /// A player without memory.
    Fresh,
}

/// The decisions of an episode.
fn decisions(game: &dyn AnyGame, spec: &AgentSpec, index: u64, asked: PolicyExample) -> Vec<String> {
    let seat = Seat::new(0);
    let mut episode = game.episode(EpisodeSeed::new(99, index));
    episode.seat_agent(seat, spec).unwrap();
    let mut decisions = Vec::new();
    loop {
        match episode.view().phase() {
            Phase::Over => return decisions,
            Phase::Chance => episode.step_chance(),
            Phase::Decide(_) => {
                let times = match asked {
                    PolicyExample::Times(times) => times,
                    PolicyExample::Fresh => {
                        episode.seat_agent(seat, spec).unwrap();
                        1
                    }
                };
                // The draws are the same each time, as at a repeated decision.
                let draws = episode.agent_streams()[0].clone();
                let mut ask = || {
                    *episode.agent_streams()[0] = draws.clone();
                    episode.ask_agent(seat).unwrap()
                };
                let said: Vec<String> = (0..times).map(|_| ask()).collect();
                assert!(said.iter().all(|one| *one == said[0]), "{said:?}");
                episode.act(seat, &said[0]).unwrap();
                decisions.push(said[0].clone());
            }
        }
    }
}

#[test]
fn it_remembers_what_it_decided_and_being_asked_again_is_no_decision() {
    let plan = a_plan("rounds = 5\nepisodes = 100\n");
    let game = game("incan-gold", &plan);
    let (learned, _) = trained("incan-gold", &plan, 2);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    std::fs::write(&path, learned.to_bytes()).unwrap();
    let spec = AgentSpec::with("net", [("file", path.to_str().unwrap())]);
    let mut remembered = 0;
    for index in 0..30 {
        let once = decisions(&*game, &spec, index, PolicyExample::Times(1));
        assert_eq!(once, decisions(&*game, &spec, index, PolicyExample::Times(3)), "episode {index}");
        remembered += usize::from(once != decisions(&*game, &spec, index, PolicyExample::Fresh));
    }
    assert!(remembered > 0, "it decides the same without a memory");
}

#[test]
fn it_is_no_value_for_a_search() {
    let plan = a_plan("rounds = 1\nepisodes = 8\n");
    let (learned, _) = trained("incan-gold", &plan, 1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    std::fs::write(&path, learned.to_bytes()).unwrap();
    let spec = AgentSpec::with("mcts", [("value", path.to_str().unwrap())]);
    let error = game("incan-gold", &plan).check_line_up(&[spec]).unwrap_err().to_string();
    assert!(error.contains("units that remember") && error.contains("hint: it plays as net:"), "{error}");
}

#[test]
fn a_plan_asks_for_what_it_can_have() {
    let cases = [
        ("[sorn]\n", "hidden: expected none beside [sorn]"),
        ("hidden = []\nwatch_rounds = 3\nopponents = [\"random\"]\n[sorn]\n", "watch_rounds: expected none"),
        ("hidden = []\npositions = \"both\"\n[sorn]\n", "positions: expected none"),
        ("hidden = []\n[sorn]\nunits = 10\nwinners = 11\n", "sorn.winners: expected 1 to 10, found 11"),
        ("hidden = []\n[sorn]\nunits = 1000000000\n", "sorn.units: expected 2 to 1000"),
        ("hidden = []\n[sorn]\necho = nan\n", "sorn.echo: expected 0 to 100, found NaN"),
        ("hidden = []\n[sorn]\nneurons = 3\n", "unknown field `neurons`"),
    ];
    for (text, expected) in cases {
        let error = TrainingPlan::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
}
