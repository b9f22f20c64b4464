//! Checksums of small trainings, one for each kind of plan: the same plan makes the same file, from release
//! to release.
//!
//! A change of these numbers is a change of what trainings make, and stored ones no longer resume to the same
//! end.

use meeple_core::{AgentSpec, EpisodeSeed, Seat};
use meeple_lab::StopFlag;
use meeple_learn::{Cma, MatchSetup, Ntbea, TrainingPlan, Tuning, TuningMethod, tune};
use sha2::{Digest, Sha256};

use crate::people::{recorded, taught};
use crate::{game, plan, trained};

/// The first eight bytes of SHA-256.
fn checksum(bytes: &[u8]) -> String {
    Sha256::digest(bytes)[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Plans with the checksum of the file that they make, training state included.
const TRAININGS: [(&str, &str, &str); 9] = [
    // TD(λ) of self-play, opponents and watching, with every key of such plans.
    (
        "incan-gold",
        "rounds = 3\nepisodes = 24\nhidden = [8, 4]\nself_play = 0.5\nwatch_rounds = 1\nwatch = 0.3\nopponents = [\"turn:7\", \"random\"]\n\
         lambda = 0.6\nexplore = [0.3, 0.1]\nkeep = 0.7\npasses = 2\nminibatch = 16\npositions = \"both\"\n",
        "ccf71d30db2f205a",
    ),
    // Score as the goal, positions before decisions, three seats.
    (
        "cartolan",
        "seats = 3\ngoal = \"score\"\nrounds = 2\nepisodes = 8\nhidden = [4]\nkeep = 0.2\npositions = \"before\"\nset = { water_tiles = \"12\", land_tiles = \"6\" }\n",
        "8a2d39e4534cb0a2",
    ),
    // Structured actions, advice and fillers.
    (
        "game17",
        "set = { size = \"5\", rounds = \"6\" }\ngoal = \"margin\"\nrounds = 2\nepisodes = 16\nhidden = [4]\nadvice = true\ndoubt = 0.5\n\
         samples = 20\n",
        "1b0706e402debfb0",
    ),
    // Imitation of an agent by DAgger.
    (
        "incan-gold",
        "learns = \"policy\"\nrounds = 3\nepisodes = 24\nhidden = [8]\nself_play = 0.5\nopponents = [\"random\"]\nteacher = \"greedy\"\n\
         teach_rounds = 3\nguided = [0.9, 0.1]\nkeep = 0.5\n",
        "04819c45b9f3701a",
    ),
    // Imitation of the visits of a search.
    (
        "incan-gold",
        "learns = \"policy\"\nrounds = 2\nepisodes = 8\nhidden = [8]\nteacher = \"mcts:iterations=30\"\nteach_rounds = 2\n",
        "24dab732f622914b",
    ),
    // PPO: one round with an expert, then the policy's own trials.
    (
        "incan-gold",
        "learns = \"policy\"\nrounds = 4\nepisodes = 24\nhidden = [8]\nlambda = 0.8\nentropy = 0.05\npasses = 3\ntemperature = 1.0\n\
         teacher = \"turn:7\"\nteach_rounds = 1\n",
        "c211c87788e7c0fc",
    ),
    // A policy of structured actions with advice.
    (
        "game17",
        "learns = \"policy\"\nset = { size = \"5\", rounds = \"6\" }\nrounds = 2\nepisodes = 8\nhidden = [4]\nadvice = true\nsamples = 10\n\
         goal = \"margin\"\n",
        "bf63ce4031997d70",
    ),
    // SORN with a reward at every decision.
    (
        "incan-gold",
        "seats = 1\ngoal = \"score\"\nhidden = []\nlambda = 0.9\nexplore = [0.1, 0.0]\nrate = [1.0, 0.5]\nrounds = 3\nepisodes = 24\n\
         [sorn]\nunits = 40\nwinners = 6\n",
        "ca4835d083627555",
    ),
    // SORN with a reward at the end.
    (
        "incan-gold",
        "hidden = []\nself_play = 0.5\nopponents = [\"turn:7\"]\nrounds = 2\nepisodes = 16\n[sorn]\nunits = 30\nwinners = 5\ntemperature = 0.5\n",
        "6415df58cb19f23f",
    ),
];

#[test]
fn trainings_make_the_files_that_they_made() {
    let made: Vec<_> = TRAININGS
        .iter()
        .map(|(name, text, _)| checksum(&trained(name, &plan(text), 2).0.to_bytes()))
        .collect();
    assert_eq!(made, TRAININGS.map(|(_, _, checksum)| checksum));
}

#[test]
fn games_of_people_make_the_file_that_they_made() {
    let plan = plan(
        "rounds = 3\nepisodes = 32\nhidden = [8]\nself_play = 0.5\nopponents = [\"turn:7\"]\nlambda = 0.8\nfields = [\"turn\", \"backpack\"]\n\
         replays = [\"games\"]\nreplay_share = 0.4\n",
    );
    let games: Vec<_> =
        (0..3).map(|index| recorded("incan-gold", &plan, &["turn:5", "turn:9"], index)).collect();
    assert_eq!(checksum(&taught("incan-gold", &plan, &games, 2).unwrap().to_bytes()), "6c7583d5b8b96535");
}

/// Examinations of networks and results of matches are reproducible to the last bit.
#[test]
fn evaluations_are_what_they_were() {
    let plan = TrainingPlan {
        gauntlet: vec!["turn:7".to_owned(), "random".to_owned()],
        examine_episodes: 40,
        ..plan("rounds = 1\nepisodes = 16\nhidden = [4]\n")
    };
    let game = game("incan-gold", &plan);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    std::fs::write(&path, trained("incan-gold", &plan, 1).0.to_bytes()).unwrap();
    let examined = meeple_learn::play_gauntlet(&*game, &plan, &path, 1, 2, &StopFlag::new()).unwrap();
    let curve = meeple_learn::LearningCurve(examined).to_csv();
    assert_eq!(checksum(curve.as_bytes()), "c9da35dee26131cf", "{curve}");
    let ground = MatchSetup { game: &*game, seed: 99, threads: 2 };
    let [one, other] = ["turn:7", "turn:9"].map(AgentSpec::parse);
    let met = ground.compare(&one, &other, 60, &StopFlag::new()).unwrap();
    let met = serde_json::to_string(&met).unwrap();
    assert_eq!(
        met,
        r#"{"groups":60,"share":0.7000000000000001,"interval":[0.5830131251778459,0.8169868748221543]}"#
    );
}

/// Candidates of both searches, to as many digits as any library for logarithms agrees on.
#[test]
fn tuning_asks_for_the_candidates_that_it_asked_for() {
    let mut draws = EpisodeSeed::new(5, 0).agent(Seat::new(0));
    let mut cma = Cma::new(vec![0.5; 3], 0.3);
    for _ in 0..20 {
        let candidates = cma.ask(&mut draws);
        let worth: Vec<f64> =
            candidates.iter().map(|place| -place.iter().map(|part| part * part).sum::<f64>()).collect();
        cma.tell(&candidates, &worth);
    }
    let mean: Vec<String> = cma.mean().iter().map(|part| format!("{part:.6e}")).collect();
    assert_eq!(mean.join(" "), "5.533770e-3 1.684908e-3 -7.045326e-3");
    let mut ntbea = Ntbea::new(vec![5; 3], vec![0; 3]);
    let mut asked = String::new();
    for _ in 0..40 {
        let choices = ntbea.ask(&mut draws);
        asked.extend(choices.iter().map(|choice| format!("{choice}")));
        ntbea.tell(&choices, (choices[0] * choices[1]) as f64 - choices[2] as f64 + draws.unit());
    }
    assert_eq!(checksum(asked.as_bytes()), "16bf7bef607fdd56", "{asked}");
    let game = game("incan-gold", &plan(""));
    let tuning = Tuning {
        agent: AgentSpec::parse("backpack"),
        method: TuningMethod::Cma,
        only: Vec::new(),
        against: vec!["turn:7".to_owned()],
        generations: 4,
        episodes: 40,
        final_episodes: 40,
        seed: 3,
        threads: 2,
    };
    let entry = meeple_games::find_game("incan-gold").unwrap();
    let tuned = tune(entry, &*game, &tuning, &StopFlag::new(), |_, _, _| {}).unwrap();
    let [(_, now, before)] = &tuned.compared[..] else { panic!("{tuned:?}") };
    assert_eq!(format!("{} {} {}", tuned.agent, now.mean, before.mean), "backpack:gems=16 0.525 0.35");
}
