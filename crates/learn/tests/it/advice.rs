//! Tests of players with advice, with some fields of the encoding alone, and at tables with fillers.

use meeple_core::{AgentSpec, AnyGame, EpisodeReport, Seating};
use meeple_lab::StopFlag;
use meeple_learn::{Checkpoint, Scratch, Training, TrainingPlan, play_gauntlet};

use crate::{game, plan, trained};

/// Plan of a duel on a small board.
const DUEL: &str = "seats = 2\nset = { size = \"5\", rounds = \"6\" }\ngoal = \"margin\"\nhidden = [4]\nrounds = 2\n\
                    episodes = 16\nadvice = true\nsamples = 20\n";

/// The scores of all seats in some episodes of a duel, with zombies at the other seats.
fn scores(game: &dyn AnyGame, first: &AgentSpec) -> Vec<Vec<i64>> {
    let mut players = vec![first.clone(), AgentSpec::parse("t800")];
    players.resize(game.seats(), AgentSpec::parse("zombie"));
    let mut scores = Vec::new();
    let mut add = |report: &EpisodeReport<'_>| {
        scores.push(report.outcome.scores.to_vec());
        true
    };
    game.runner(&players).unwrap().run(5, Seating::Shuffle, 0..20, &mut add);
    scores
}

fn written(learned: &Checkpoint, folder: &tempfile::TempDir, name: &str) -> AgentSpec {
    let path = folder.path().join(name);
    std::fs::write(&path, Checkpoint { pending: None, ..learned.clone() }.to_bytes()).unwrap();
    AgentSpec::with("net", [("file", &*path.to_string_lossy()), ("samples", "20")])
}

#[test]
fn who_doubts_all_it_foretells_does_what_is_advised_first() {
    let folder = tempfile::tempdir().unwrap();
    let sure = plan(DUEL);
    let doubtful = TrainingPlan { doubt: 1e6, ..sure.clone() };
    let game = game("game17", &sure);
    let [sure, doubtful] = [("sure", sure), ("doubtful", doubtful)]
        .map(|(name, plan)| written(&trained("game17", &plan, 1).0, &folder, name));
    let hunter = scores(&*game, &AgentSpec::parse("hunter"));
    assert_eq!(scores(&*game, &doubtful), hunter);
    assert_ne!(scores(&*game, &sure), hunter);
}

#[test]
fn the_most_promising_of_listed_actions_comes_first() {
    // In Privateers one of the advised actions has the highest prior. A doubtful player always takes it.
    let doubtful = plan(
        "seats = 2\nset = { max_rounds = \"12\" }\nhidden = [4]\nrounds = 1\nepisodes = 8\nadvice = true\ndoubt = 1000\n",
    );
    let any = TrainingPlan { advice: false, doubt: 0.0, ..doubtful.clone() };
    let folder = tempfile::tempdir().unwrap();
    let game = game("privateers", &doubtful);
    let mut results = Vec::new();
    for (name, plan) in [("doubtful", &doubtful), ("any", &any)] {
        written(&trained("privateers", plan, 1).0, &folder, name);
        let plan = TrainingPlan { gauntlet: vec!["random".to_owned()], examine_episodes: 40, ..plan.clone() };
        results.push(
            play_gauntlet(&*game, &plan, &folder.path().join(name), 0, 2, &StopFlag::new())
                .unwrap()
                .remove(0),
        );
    }
    // A player that has learned next to nothing, and chooses among all actions, trades badly.
    assert!(results[0].share_low > 0.9 && results[0].score > 1.5 * results[1].score, "{results:?}");
}

#[test]
fn any_number_of_threads_makes_the_same_bytes_with_advice() {
    for (name, text) in [
        ("game17", DUEL.to_owned()),
        ("privateers", "set = { max_rounds = \"8\" }\nhidden = [4]\nrounds = 2\nepisodes = 16\nadvice = true\ndoubt = 0.01\n".to_owned()),
    ] {
        let plan = plan(&text);
        let (one, rounds) = trained(name, &plan, 1);
        let (two, others) = trained(name, &plan, 2);
        assert_eq!((one.to_bytes(), rounds), (two.to_bytes(), others), "{name}");
    }
}

#[test]
fn seats_that_nobody_takes_are_the_fillers() {
    // Two of 25 owners learn, once a round at most.
    let (learned, rounds) = trained("game17", &plan(DUEL), 1);
    assert!(rounds.iter().all(|round| (1..=16 * 2 * 6).contains(&round.decisions)), "{rounds:?}");
    assert_eq!(learned.about.seats, 25);
    // Fillers take the other seats in an evaluation, too; they hardly ever beat a planner.
    let folder = tempfile::tempdir().unwrap();
    written(&learned, &folder, "net");
    let plan = TrainingPlan { gauntlet: vec!["still".to_owned()], examine_episodes: 40, ..plan(DUEL) };
    let examined =
        play_gauntlet(&*game("game17", &plan), &plan, &folder.path().join("net"), 0, 2, &StopFlag::new())
            .unwrap();
    assert!(examined[0].share_low > 0.2, "{examined:?}");
}

#[test]
fn fields_that_a_plan_leaves_out_mean_nothing() {
    let text = "rounds = 3\nepisodes = 40\nhidden = [6]\nfields = [\"backpack\", \"lead\"]\n";
    let (learned, _) = trained("incan-gold", &plan(text), 1);
    let encoding = game("incan-gold", &plan(text)).encoding().unwrap();
    let network = learned.into_model().network;
    let mut scratch = Scratch::default();
    let numbers = vec![0.25; network.inputs()];
    let value = network.value(&numbers, &mut scratch);
    let mut end = 0;
    for field in &encoding.fields {
        let begin = end;
        end += field.size;
        let mut other = numbers.clone();
        other[begin..end].fill(0.75);
        let kept = ["backpack", "lead"].contains(&field.name);
        assert_eq!(network.value(&other, &mut scratch) != value, kept, "{}", field.name);
    }
}

#[test]
fn fields_that_do_not_exist_are_named() {
    let plan = plan("fields = [\"backpack\", \"pockets\"]\n");
    let environment = meeple_games::environment(&*game("incan-gold", &plan)).unwrap();
    let error = Training::new(&*environment, plan).err().unwrap().to_string();
    assert!(error.contains("found pockets") && error.contains("backpack, spare"), "{error}");
}
