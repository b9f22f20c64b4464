//! Tests of policies: imitation of an expert, and learning from their own actions.

use meeple_core::{
    Agent, AgentInfo, AgentSpec, AnyEntry, AnyGame, Defined as _, EpisodeSeed, GameEntry, NoParams, Seat,
    Turn,
};
use meeple_lab::StopFlag;
use meeple_learn::{
    Checkpoint, Environment, Network, PolicyExample, PolicyScratch, PolicyTarget, Scratch, Training,
    TrainingPlan, accumulate_policy_gradient, environment, play_gauntlet,
};
use meeple_testkit::toys::{Nim, Take};

use crate::{breaks_change_nothing, game, plan, trained};

/// Action probabilities: the softmax of the network's scores.
fn chances(network: &Network, numbers: &[f32]) -> Vec<f64> {
    let mut scratch = Scratch::default();
    let rows = numbers.chunks_exact(network.inputs());
    let scores: Vec<f64> = rows.map(|row| f64::from(network.value(row, &mut scratch)).exp()).collect();
    let whole: f64 = scores.iter().sum();
    scores.iter().map(|score| score / whole).collect()
}

#[test]
fn slopes_of_policies_are_those_of_finite_differences() {
    let mut rng = EpisodeSeed::new(6, 0).agent(Seat::new(0));
    let taught = [0.0, 0.25, 0.75, 0.0];
    let tried = [0.0, 1.0, 0.0, 0.0];
    // Columns: target, ratio of the probability now to that when sampled, advantage, entropy, and true if the
    // loss has a gradient. A positive advantage has none beyond a ratio of 1.2, a negative one none below
    // 0.8.
    let cases = [
        (taught, None, 0.0, 0.0, true),
        (taught, None, 0.0, 0.3, true),
        (tried, Some(1.1), 0.7, 0.0, true),
        (tried, Some(0.9), -1.3, 0.2, true),
        (tried, Some(1.3), 0.7, 0.0, false),
        (tried, Some(0.7), -0.7, 0.0, false),
        (tried, Some(0.7), 0.7, 0.0, true),
        (tried, Some(1.3), -0.7, 0.0, true),
    ];
    for (hidden, (wanted, ratio, advantage, entropy, teaches)) in
        [vec![], vec![9, 5]].into_iter().flat_map(|hidden| cases.map(|case| (hidden.clone(), case)))
    {
        let mut network = Network::new(6, &hidden, &mut rng);
        // A new network scores all actions nearly alike; the perturbed one does not.
        for weight in 0..network.weights() {
            network = network.perturbed(weight, (rng.unit() - 0.5) as f32);
        }
        let numbers: Vec<f32> = (0..24).map(|_| (rng.unit() * 2.0 - 1.0) as f32).collect();
        let now = chances(&network, &numbers)[1];
        let chance = ratio.map(|ratio: f64| (now / ratio) as f32);
        let asked = PolicyExample {
            target: PolicyTarget { features: &numbers, probabilities: &wanted, behaviour: chance },
            advantage,
            entropy,
        };
        let mut gradient = vec![0.0; network.weights()];
        let unlikely =
            accumulate_policy_gradient(&network, &asked, &mut gradient, &mut PolicyScratch::default());
        let loss = |network: &Network| {
            let chances = chances(network, &numbers);
            let own = match chance {
                None => -wanted
                    .iter()
                    .zip(&chances)
                    .map(|(wanted, chance)| f64::from(*wanted) * chance.ln())
                    .sum::<f64>(),
                Some(_) if !teaches => 0.0,
                Some(then) => -f64::from(advantage) * chances[1] / f64::from(then),
            };
            own + f64::from(entropy) * chances.iter().map(|chance| chance * chance.ln()).sum::<f64>()
        };
        for (at, gradient) in gradient.iter().enumerate() {
            let step = 1e-3;
            let [more, less] = [step, -step].map(|step| loss(&network.perturbed(at, step)));
            let differs = f64::from(*gradient) - (more - less) / (2.0 * f64::from(step));
            assert!(
                differs.abs() < 3e-3,
                "{hidden:?} {wanted:?} {ratio:?}, weight {at}: {gradient}, {differs} more"
            );
        }
        assert_eq!(gradient.iter().any(|gradient| gradient.abs() > 1e-3), teaches || entropy > 0.0);
        let likely: f64 = wanted
            .iter()
            .zip(chances(&network, &numbers))
            .map(|(wanted, chance)| f64::from(*wanted) * chance)
            .sum();
        assert!((unlikely - (1.0 - likely)).abs() < 1e-6);
    }
}

fn nim(sticks: &str, agents: Vec<AgentInfo<Nim>>) -> (Box<dyn AnyGame>, Box<dyn Environment>) {
    let set = [("sticks", sticks), ("most", "2")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let game = GameEntry::new(Nim::definition(), agents).set_up(None, &set, 2).unwrap();
    let environment = environment::<Nim>(&*game).unwrap();
    (game, environment)
}

/// Agent that plays Nim perfectly, and takes one stick in lost positions.
struct Master;

impl Agent<Nim> for Master {
    fn act(&mut self, turn: Turn<'_, Nim>) -> Take {
        Take((turn.observe().sticks % 3).max(1))
    }
}

fn master() -> AgentInfo<Nim> {
    AgentInfo::new("master", "knows how it is won", |_: &Nim, _: NoParams| Ok(Master))
}

/// Probability of taking one stick; two is the only other action.
fn takes_one(network: &Network, sticks: u8) -> f64 {
    let after = [1, 2].map(|taken| [f32::from(sticks - taken) / 100.0, 0.0]);
    chances(network, after.as_flattened())[0]
}

#[test]
fn a_policy_becomes_its_teacher() {
    let (_, environment) = nim("4", vec![master()]);
    let plan = plan(
        "learns = \"policy\"\nhidden = [32, 32]\nrounds = 150\nepisodes = 200\nteacher = \"master\"\nteach_rounds = 150\n\
         rate = [0.01, 0.001]\nminibatch = 32\n",
    );
    let mut training = Training::new(&*environment, plan).unwrap();
    let mut missed = Vec::new();
    let each = |_: &Training<'_>, round: meeple_learn::TrainingRound| {
        missed.push(round.error);
        Ok(true)
    };
    training.run(1, &StopFlag::new(), each).unwrap();
    let network = training.checkpoint().network;
    for sticks in 2..=4 {
        let wanted = if sticks % 3 == 2 { 0.0 } else { 1.0 };
        let found = takes_one(&network, sticks);
        assert!((found - wanted).abs() < 0.25, "of {sticks} sticks: {found}");
    }
    assert!(missed[149] < 0.1 && missed[149] < missed[0] / 3.0, "{missed:?}");
}

#[test]
fn a_policy_that_tries_finds_out_how_nim_is_won() {
    let (_, environment) = nim("4", Vec::new());
    let plan = plan(
        "learns = \"policy\"\nseed = 2\nhidden = [32, 32]\nrounds = 150\nepisodes = 200\nrate = [0.004, 0.001]\nminibatch = 32\nlambda = 0.9\n",
    );
    let mut training = Training::new(&*environment, plan).unwrap();
    training.run(1, &StopFlag::new(), |_, _| Ok(true)).unwrap();
    let learned = training.checkpoint();
    // Four sticks are won by leaving three, two by taking both; one leaves no choice, and three are lost.
    let (of_four, of_two) = (takes_one(&learned.network, 4), takes_one(&learned.network, 2));
    assert!(of_four > 0.9 && of_two < 0.1, "{of_four} {of_two}");
    // The critic values four sticks above three.
    let critic = learned.critic.unwrap();
    let [of_four, of_three] =
        [0.04, 0.03].map(|sticks| critic.value(&[sticks, 1.0], &mut Scratch::default()));
    assert!(of_four > of_three + 0.1, "{of_four} {of_three}");
}

/// Monte Carlo action values (Zha et al. 2021): the prediction of an action moves towards the outcome of its
/// episode. Positions after actions are the actions' values here, and `lambda = 1` is that update.
#[test]
fn with_lambda_1_values_of_actions_are_what_came_at_the_end() {
    let (_, environment) = nim("4", Vec::new());
    let plan = plan(
        "goal = \"win\"\nhidden = [32, 32]\nrounds = 60\nepisodes = 400\nlambda = 1\nexplore = [1, 1]\nrate = [0.005, 0.0002]\nminibatch = 64\n",
    );
    let mut training = Training::new(&*environment, plan.clone()).unwrap();
    let mut ends = Vec::new();
    let each = |training: &Training<'_>, _| {
        let model = training.checkpoint().into_model();
        ends.extend_from_slice(environment.play(&plan, 5, &model.into(), 0..8).targets());
        Ok(true)
    };
    training.run(1, &StopFlag::new(), each).unwrap();
    assert!(!ends.is_empty() && ends.iter().all(|end| end.abs() == 1.0), "{ends:?}");
    // Both seats take one or two sticks at random. Leaving 1 loses: Q(1) = -1. Leaving 2 loses to one of two
    // answers and wins by the other: Q(2) = 0. After leaving 3, the other seat leaves 2 or 1: Q(3) = -(Q(2) +
    // Q(1)) / 2.
    let network = training.checkpoint().network;
    let mut scratch = Scratch::default();
    for (left, exact) in [(1.0f32, -1.0f32), (2.0, 0.0), (3.0, 0.5)] {
        let value = network.value(&[left / 100.0, 0.0], &mut scratch);
        assert!((value - exact).abs() < 0.15, "{left} left: {value}, {exact} expected");
    }
}

const TAUGHT: &str = "learns = \"policy\"\nrounds = 3\nepisodes = 24\nhidden = [8]\nself_play = 0.5\nopponents = [\"random\"]\n\
                      teacher = \"greedy\"\nteach_rounds = 2\nsamples = 5\nkeep = 0.5\n";

#[test]
fn any_number_of_threads_and_any_break_make_the_same_policy() {
    let plan = plan(TAUGHT);
    let (one, rounds) = trained("incan-gold", &plan, 1);
    let (two, others) = trained("incan-gold", &plan, 2);
    assert_eq!(one.to_bytes(), two.to_bytes());
    assert_eq!(rounds, others);
    let environment = meeple_games::environment(&*game("incan-gold", &plan)).unwrap();
    breaks_change_nothing(&*environment, &plan, &one);
}

#[test]
fn policies_are_learned_in_every_game() {
    for entry in meeple_games::games() {
        let info = entry.info();
        let seats = 2.clamp(*info.seats.start(), *info.seats.end());
        let text = format!("seats = {seats}\n{TAUGHT}gauntlet = [\"random\"]\nexamine_episodes = 4\n");
        let plan = TrainingPlan { episodes: 8, rounds: 2, teach_rounds: 1, keep: 0.1, ..plan(&text) };
        let game = game(info.id, &plan);
        if game.encoding().is_none() {
            continue;
        }
        let (learned, rounds) = trained(info.id, &plan, 2);
        assert!(
            rounds.iter().all(|round| round.decisions > 0 && (0.0..=1.0).contains(&round.error)),
            "{rounds:?}"
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("net.safetensors");
        std::fs::write(&path, Checkpoint { pending: None, ..learned }.to_bytes()).unwrap();
        let examined = play_gauntlet(&*game, &plan, &path, 2, 2, &StopFlag::new()).unwrap();
        assert_eq!(examined.len(), 1, "{}", info.id);
    }
}

#[test]
fn a_search_teaches_by_its_visits() {
    let plan = plan(
        "learns = \"policy\"\nhidden = [8]\nrounds = 4\nepisodes = 16\nteacher = \"mcts:iterations=30\"\nteach_rounds = 4\n",
    );
    let (learned, rounds) = trained("incan-gold", &plan, 2);
    // A search that visits several actions gives none the probability 1, so the error stays above 0.
    assert!(rounds.iter().all(|round| round.error > 0.05), "{rounds:?}");
    assert_eq!(learned.to_bytes(), trained("incan-gold", &plan, 1).0.to_bytes());
}

#[test]
fn a_teacher_that_cannot_play_is_refused() {
    for (teacher, expected) in
        [("nobody", "nobody"), ("merchant", "merchant"), ("mcts:iterations=0", "iterations")]
    {
        let plan = plan(&format!("learns = \"policy\"\nteacher = \"{teacher}\"\nteach_rounds = 1\n"));
        let environment = meeple_games::environment(&*game("incan-gold", &plan)).unwrap();
        let error = Training::new(&*environment, plan).err().unwrap().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_policy_is_read_as_it_was_written() {
    let (learned, _) = trained("incan-gold", &plan(TAUGHT), 1);
    let again = Checkpoint::from_bytes(&learned.to_bytes(), "it").unwrap();
    assert_eq!((&again.network, &again.critic), (&learned.network, &learned.critic));
    assert_eq!(again.pending, learned.pending);
    let bytes = Checkpoint { pending: None, ..learned }.to_bytes();
    assert_eq!(Checkpoint::from_bytes(&bytes, "it").unwrap().to_bytes(), bytes);
    let header = 8 + u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize;
    for at in (header..bytes.len()).step_by(5) {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        assert!(Checkpoint::from_bytes(&bytes, "it").is_err(), "{at}");
    }
}

/// Sampling from a policy varies; the likeliest action does not.
#[test]
fn a_policy_plays_by_its_temperature() {
    let folder = tempfile::tempdir().unwrap();
    let mut results = Vec::new();
    for temperature in [0.0, 1.0] {
        let plan = TrainingPlan { temperature, ..plan(TAUGHT) };
        let path = folder.path().join(format!("{temperature}.safetensors"));
        std::fs::write(&path, trained("incan-gold", &plan, 2).0.to_bytes()).unwrap();
        let game = game("incan-gold", &plan);
        let player = AgentSpec::with("net", [("file", &*path.to_string_lossy())]);
        let mut runner = game.runner(&[player.clone(), player]).unwrap();
        let mut scores = Vec::new();
        runner.run(3, meeple_core::Seating::Fixed, 0..50, &mut |report| {
            scores.push(report.outcome.scores.to_vec());
            true
        });
        // Equal players decide alike where they see the same.
        results.push(scores.iter().all(|scores| scores[0] == scores[1]));
    }
    assert_eq!(results, [true, false]);
}

/// Scores of a search that plays against itself.
fn searched(game: &dyn AnyGame, spec: &str) -> Vec<Vec<i64>> {
    let player = AgentSpec::parse(spec);
    let mut scores = Vec::new();
    game.runner(&[player.clone(), player]).unwrap().run(
        3,
        meeple_core::Seating::Fixed,
        0..2,
        &mut |report| {
            scores.push(report.outcome.scores.to_vec());
            true
        },
    );
    scores
}

#[test]
fn a_search_asks_a_policy_what_is_promising() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let taught = "hidden = [8]\nrounds = 1\nepisodes = 8\nkeep = 0.2\n";
    let policy = format!("{taught}learns = \"policy\"\nteacher = \"greedy\"\nteach_rounds = 1\n");
    let write = |name: &str, game: &str, text: &str| {
        let learned = Checkpoint { pending: None, ..trained(game, &plan(text), 2).0 };
        std::fs::write(file(name), learned.to_bytes()).unwrap();
    };
    write("policy", "incan-gold", &policy);
    write("value", "incan-gold", taught);
    let (two, three) = (plan(taught), TrainingPlan { seats: 3, ..plan(taught) });
    let small = game("incan-gold", &two);
    let search = |rest: &str| format!("mcts:iterations=30,prior=5,{rest}");
    let with = searched(&*small, &search(&format!("policy={}", file("policy"))));
    assert_eq!(with, searched(&*small, &search(&format!("policy={}", file("policy")))));
    assert_ne!(with, searched(&*small, "mcts:iterations=30,prior=5"));
    // Both files may be named, and a policy's file has values of positions, too.
    searched(&*small, &search(&format!("policy={},value={},margin=0", file("policy"), file("value"))));
    searched(&*small, &search(&format!("policy={0},value={0},margin=0", file("policy"))));
    let refused = |game: &str, plan: &TrainingPlan, name: &str, prior: &str| {
        let spec = AgentSpec::parse(&format!("mcts:policy={}{prior}", file(name)));
        let game = crate::game(game, plan);
        let seats = vec![spec; game.seats()];
        game.check_line_up(&seats).unwrap_err().to_string()
    };
    for (error, expected) in [
        (refused("incan-gold", &two, "value", ",prior=1"), "expected a policy"),
        (refused("incan-gold", &three, "policy", ",prior=1"), "expected seats 3"),
        (refused("incan-gold", &two, "nothing", ",prior=1"), "nothing"),
        (refused("incan-gold", &two, "policy", ",prior=0"), "found prior=0"),
        (refused("privateers", &two, "policy", ",prior=1"), "expected game privateers"),
        (refused("game17", &two, "policy", ",prior=1"), "actions can be listed"),
    ] {
        assert!(error.contains("policy: ") && error.contains(expected), "{error}");
    }
}
