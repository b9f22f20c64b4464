//! Tests of training on human games, and of numbers that are not finite.

use std::ops::Range;
use std::sync::Arc;

use meeple_core::{AgentSpec, Answer, EpisodeSeed, Phase, PlayerLabel, Seat};
use meeple_lab::StopFlag;
use meeple_learn::{
    Checkpoint, CheckpointInfo, Environment, LearnError, LearnedModel, NamedReplay, Network, Training,
    TrainingBatch, TrainingPlan,
};

use crate::{breaks_change_nothing, game, plan};

/// The episode of this number of a plan's seed, with an agent at every seat, as a replay of people.
pub(crate) fn recorded(name: &str, plan: &TrainingPlan, players: &[&str], index: u64) -> NamedReplay {
    let seed = EpisodeSeed::new(plan.seed, index);
    let mut episode = game(name, plan).episode(seed);
    for (seat, agent) in players.iter().enumerate() {
        episode.seat_agent(Seat::new(seat), &AgentSpec::parse(agent)).unwrap();
    }
    loop {
        match episode.view().phase() {
            Phase::Over => break,
            Phase::Chance => episode.step_chance(),
            Phase::Decide(seats) => {
                for seat in seats {
                    let said = episode.ask_agent(seat).unwrap();
                    episode.decide(seat, Answer::Text(&said)).unwrap();
                }
            }
        }
    }
    let labels: Vec<PlayerLabel> = players.iter().map(|_| PlayerLabel::from("Ann")).collect();
    NamedReplay { name: format!("game-{index}.json"), replay: episode.view().replay(&labels, None) }
}

pub(crate) fn taught(
    name: &str,
    plan: &TrainingPlan,
    games: &[NamedReplay],
    threads: usize,
) -> Result<Checkpoint, LearnError> {
    let mut environment = meeple_games::environment(&*game(name, plan)).unwrap();
    if !games.is_empty() {
        environment.set_replays(games)?;
    }
    let mut training = Training::new(&*environment, plan.clone())?;
    training.run(threads, &StopFlag::new(), |_, _| Ok(true))?;
    Ok(training.checkpoint())
}

/// Training on a replay gives, to the last bit, the same network as training on the same game while watching
/// it.
#[test]
fn a_game_that_is_read_teaches_what_it_would_if_it_were_watched() {
    for (name, agent, more) in [
        ("incan-gold", "turn:7", "positions = \"before\"\n"),
        ("incan-gold", "turn:7", "positions = \"after\"\n"),
        ("incan-gold", "backpack:20", "positions = \"both\"\nseats = 4\n"),
        ("cartolan", "explorer", "positions = \"before\"\n"),
        ("privateers", "trader", "positions = \"before\"\n"),
    ] {
        let text = format!("rounds = 1\nepisodes = 1\nhidden = [4]\nseed = 12\n{more}");
        let watching = plan(&format!("watch_rounds = 1\nopponents = [\"{agent}\"]\n{text}"));
        let reading = plan(&format!("replays = [\"game\"]\nreplay_share = 1.0\n{text}"));
        let one = recorded(name, &reading, &vec![agent; reading.seats], 0);
        let watched = taught(name, &watching, &[], 1).unwrap();
        let read = taught(name, &reading, &[one], 1).unwrap();
        assert_eq!(read.network, watched.network, "{name} {more}");
        assert_eq!(watched.about.people, None);
        let people = read.about.people.unwrap();
        assert_eq!((people.games, people.episodes, people.sha256.len()), (1, 1, 64));
    }
}

const MIXED: &str = "rounds = 6\nepisodes = 40\nhidden = [8]\nself_play = 0.5\nopponents = [\"turn:7\"]\nlambda = 0.8\n\
                     replays = [\"games\"]\nreplay_share = 0.4\n";

#[test]
fn games_of_people_are_mixed_in_the_same_way_on_any_number_of_threads_and_after_a_break() {
    let plan = plan(MIXED);
    let games: Vec<NamedReplay> =
        (0..5).map(|index| recorded("incan-gold", &plan, &["turn:5", "turn:9"], index)).collect();
    let whole = taught("incan-gold", &plan, &games, 1).unwrap();
    assert_eq!(taught("incan-gold", &plan, &games, 2).unwrap().to_bytes(), whole.to_bytes());
    let people = whole.about.people.clone().unwrap();
    // The 240 episodes are drawn in chunks of eight: 96 are human games in the mean, with a standard
    // deviation of 21.
    assert!(
        people.games == 5 && people.episodes.is_multiple_of(8) && (40..160).contains(&people.episodes),
        "{people:?}"
    );
    let without = TrainingPlan { replays: Vec::new(), replay_share: 0.0, ..plan.clone() };
    assert_ne!(taught("incan-gold", &without, &[], 2).unwrap().network, whole.network);
    assert_ne!(taught("incan-gold", &plan, &games[1..], 2).unwrap().network, whole.network);

    let mut environment = meeple_games::environment(&*game("incan-gold", &plan)).unwrap();
    environment.set_replays(&games).unwrap();
    breaks_change_nothing(&*environment, &plan, &whole);
    // With one of the games missing, it is not the same training.
    let mut training = Training::new(&*environment, plan.clone()).unwrap();
    training.run(2, &StopFlag::new(), |_, round| Ok(round.round < 2)).unwrap();
    let kept = training.checkpoint();
    let mut other = meeple_games::environment(&*game("incan-gold", &plan)).unwrap();
    other.set_replays(&games[..4]).unwrap();
    let error = Training::resume(&*other, plan, kept).err().unwrap().to_string();
    assert!(error.contains("expected the same games of people"), "{error}");
}

/// A player trained on replays alone, of `turn:8` and of random players, is much better than the random ones.
#[test]
fn a_player_is_taught_by_games_of_people_alone() {
    let plan = plan(
        "seats = 1\ngoal = \"score\"\nhidden = [16]\nrounds = 40\nepisodes = 200\nlambda = 1.0\nreplays = [\"games\"]\n\
         replay_share = 1.0\nkeep = 0.5\nrate = [0.003, 0.001]\nexamine_episodes = 4000\n",
    );
    let games: Vec<NamedReplay> = (0..200)
        .map(|index| {
            recorded("incan-gold", &plan, &[if index % 2 == 0 { "turn:8" } else { "random:0.1" }], index)
        })
        .collect();
    let learned = taught("incan-gold", &plan, &games, 2).unwrap();
    assert_eq!(learned.about.people.as_ref().unwrap().episodes, 8_000);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("net.safetensors");
    std::fs::write(&path, learned.to_bytes()).unwrap();
    let game = game("incan-gold", &plan);
    let examined = meeple_learn::play_gauntlet(&*game, &plan, &path, 40, 2, &StopFlag::new()).unwrap();
    // A player that leaves with a chance of one in ten has 64.9 gems.
    assert!(examined[0].score > 75.0, "{examined:?}");
}

#[test]
fn games_that_cannot_be_learned_from_are_refused() {
    let plan = plan(MIXED);
    let good = recorded("incan-gold", &plan, &["turn:5", "turn:9"], 0);
    let refused = |change: &dyn Fn(&mut NamedReplay)| {
        let mut bad = good.clone();
        bad.name = "bad.json".to_owned();
        change(&mut bad);
        taught("incan-gold", &plan, &[good.clone(), bad], 1).unwrap_err().to_string()
    };
    let three = TrainingPlan { seats: 3, ..plan.clone() };
    let three = recorded("incan-gold", &three, &["turn:5"; 3], 0);
    let other = TrainingPlan { set: [("rounds".to_owned(), "4".to_owned())].into(), ..plan.clone() };
    let other = recorded("incan-gold", &other, &["turn:5"; 2], 0);
    let foreign = recorded("cartolan", &plan, &["explorer"; 2], 0);
    for (expected, change) in [
        (
            "bad.json: step 3 ('1 dance')",
            &(|bad: &mut NamedReplay| bad.replay.steps[2] = "1 dance".to_owned())
                as &dyn Fn(&mut NamedReplay),
        ),
        ("bad.json: the steps lead to", &|bad| bad.replay.result.as_mut().unwrap().scores[0] += 1),
        ("found one that was broken off after step 7\nhint: only the end", &|bad| {
            bad.replay.steps.truncate(7);
            bad.replay.result = None;
        }),
        ("rules version", &|bad| bad.replay.rules_version += 1),
        ("bad.json: expected a game of 2 seats, found one of 3", &|bad| bad.replay = three.replay.clone()),
        ("bad.json: expected a game with rounds 5, found one with 4\nhint: ", &|bad| {
            bad.replay = other.replay.clone();
        }),
        ("bad.json: expected a replay of incan-gold, found one of cartolan", &|bad| {
            bad.replay = foreign.replay.clone();
        }),
    ] {
        let error = refused(change);
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let error = taught("incan-gold", &plan, &[], 1).unwrap_err().to_string();
    assert!(error.contains("replays: expected their games, found none"), "{error}");
}

/// An environment of made-up training data.
struct Odd {
    inner: Box<dyn Environment>,
    number: f32,
    target: f32,
}

impl Environment for Odd {
    fn required_info(&self) -> CheckpointInfo {
        self.inner.required_info()
    }

    fn check(&self, plan: &TrainingPlan) -> Result<(), LearnError> {
        self.inner.check(plan)
    }

    fn set_replays(&mut self, games: &[NamedReplay]) -> Result<(), LearnError> {
        self.inner.set_replays(games)
    }

    fn field(&self, number: usize) -> &'static str {
        self.inner.field(number)
    }

    fn play(
        &self,
        _: &TrainingPlan,
        round: u32,
        model: &Arc<LearnedModel>,
        episodes: Range<u64>,
    ) -> TrainingBatch {
        let mut batch = TrainingBatch::default();
        for episode in episodes {
            let mut numbers = vec![0.5; model.inputs()];
            let odd = round == 1 && episode % 40 == 9;
            numbers[3] = if odd { self.number } else { 0.25 };
            batch.add(&numbers, if odd { self.target } else { 1.0 });
        }
        batch
    }
}

#[test]
fn what_is_no_number_is_refused_with_its_place() {
    let plan = plan("rounds = 3\nepisodes = 40\nhidden = [4]\n");
    for (number, target, expected) in [
        (
            f32::NAN,
            0.0,
            "round 2: expected finite numbers, found NaN in number 4 (`backpack`) of position 10\nhint: the",
        ),
        (f32::NEG_INFINITY, 0.0, "round 2: expected finite numbers, found -inf in number 4 (`backpack`)"),
        (0.5, f32::INFINITY, "round 2: expected finite numbers, found inf as the target of position 10"),
        (0.5, f32::NAN, "found NaN as the target of position 10\nhint: "),
        // These numbers are finite, but the weights that follow from them are not.
        (f32::MAX, f32::MAX, "round 2: expected finite numbers, found NaN among the weights\nhint: "),
    ] {
        let inner = meeple_games::environment(&*game("incan-gold", &plan)).unwrap();
        let environment = Odd { inner, number, target };
        for threads in [1, 2] {
            let mut training = Training::new(&environment, plan.clone()).unwrap();
            let error = training.run(threads, &StopFlag::new(), |_, _| Ok(true)).unwrap_err().to_string();
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }
    let inner = meeple_games::environment(&*game("incan-gold", &plan)).unwrap();
    let environment = Odd { inner, number: 0.5, target: 2.0 };
    let mut training = Training::new(&environment, plan).unwrap();
    training.run(2, &StopFlag::new(), |_, _| Ok(true)).unwrap();
    let network: Network = training.checkpoint().network;
    assert!(network.weights() > 4);
}
