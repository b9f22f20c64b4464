//! Searches whose value comes from a game's own network.

use meeple_cartolan::Cartolan;
use meeple_core::{
    Agent, AgentSpec, AskedSeat, Budget, ChanceStreams, Defined, EpisodeSeed, Game, NoEvents, Phase,
    Playable, Position, Seat, Stream, Turn, Viewer, build_agents,
};
use meeple_incan_gold::IncanGold;
use meeple_learn::{policy_hints, value_hints};

const CARTOLAN: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/cartolan/learned/feedforward-2.safetensors");
const INCAN_GOLD: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/incan-gold/learned/net-2.safetensors");

fn two<G: Defined>() -> G {
    G::definition().by_default(2).unwrap()
}

fn agent<G: Defined>(game: &G, spec: &str) -> Box<dyn Agent<G>> {
    let known = meeple_search::agents_that_load(&G::definition(), value_hints, policy_hints);
    build_agents(game, &known, &[AgentSpec::parse(spec)]).unwrap().remove(0)
}

/// Positions of an episode among random players, one in `every`.
fn positions<G: Game>(game: &G, every: usize, mut each: impl FnMut(&G::State, Seat)) {
    let mut rng = Stream::from_seed(3);
    let mut chance = ChanceStreams::new(EpisodeSeed::new(4, 0));
    let mut state = game.initial_state();
    let mut decisions = 0;
    loop {
        match game.phase(&state) {
            Phase::Over => return,
            Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
            Phase::Decide(seats) => {
                for seat in seats {
                    decisions += 1;
                    if decisions % every == 0 {
                        each(&state, seat);
                    }
                    let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
                    game.apply_unchecked(&mut state, seat, &action, &mut NoEvents);
                }
            }
        }
        if decisions > 40 * every {
            return;
        }
    }
}

/// Decision and analysis of a seat in a state, to the last bit.
fn decision<G: Defined>(
    game: &G,
    spec: &str,
    state: &G::State,
    seat: Seat,
) -> (String, Vec<(String, u64, u64)>) {
    let mut asked = AskedSeat::new(EpisodeSeed::new(9, 0), seat);
    asked.expect(Budget::Own, true);
    let action = agent(game, spec).act(Turn::new(&Position::new(game, state), &mut asked));
    let tried = asked.take_analysis().unwrap().actions.into_iter();
    (
        action.to_string(),
        tried.map(|tried| (tried.action.to_string(), tried.visits, tried.value.to_bits())).collect(),
    )
}

/// Asserts that hidden information, here simultaneous decisions of others, changes neither decision nor
/// analysis.
fn keeps_secrets<G: Defined>(file: &str, settings: &str, every: usize) {
    let game = two::<G>();
    let (mut swapped, mut telling) = (0, 0);
    let mut rng = Stream::from_seed(8);
    positions(&game, every, |state, seat| {
        let mut other = game.initial_state();
        game.determinize(&game.observe(state, Viewer::Seat(seat)), &mut rng, &mut other);
        swapped += usize::from(other != *state);
        let spec = format!("mcts:value={file},{settings}");
        let decided = decision(&game, &spec, state, seat);
        assert_eq!(decided, decision(&game, &spec, &other, seat), "{seat:?} of {}", G::definition().info.id);
        telling +=
            usize::from(decided != decision(&game, &format!("mcts:value=hints,{settings}"), state, seat));
    });
    assert!(swapped >= 5, "{}: {swapped} pairs", G::definition().info.id);
    assert!(telling >= 3, "{}: the network says what the game does", G::definition().info.id);
}

#[test]
fn a_search_with_a_network_keeps_secrets() {
    keeps_secrets::<IncanGold>(INCAN_GOLD, "iterations=60,margin=0", 1);
}

/// A network that predicts the margin gives half of it to each seat, with the spread of the game's own hints.
#[test]
fn a_network_of_the_margin_gives_half_of_it_to_each_seat() {
    let game = two::<Cartolan>();
    let mut learned = value_hints(&game, CARTOLAN).unwrap();
    let mut own = game.hints();
    let mut lowest = 0.0_f64;
    positions(&game, 25, |state, seat| {
        let (position, observation) = (Position::new(&game, state), game.observe(state, Viewer::Seat(seat)));
        learned.begin(&game, &observation, seat);
        own.begin(&game, &observation, seat);
        let (mut scores, mut others) = (Vec::new(), Vec::new());
        let spread = learned.scores(&position, &mut scores);
        assert_eq!(spread, own.scores(&position, &mut others));
        assert_eq!(scores[0], -scores[1]);
        assert_ne!(scores, others);
        lowest = lowest.min(scores[0]).min(scores[1]);
        assert!(!learned.shares(&position, &mut Vec::new()));
    });
    assert!(lowest < -0.5, "{lowest}");
}

/// A network that predicts the win gives shares, and leaves points to the game's own hints.
#[test]
fn a_network_of_the_win_gives_shares() {
    let game = two::<IncanGold>();
    let mut learned = value_hints(&game, INCAN_GOLD).unwrap();
    let mut own = game.hints();
    let (mut even, mut uneven) = (0, 0);
    positions(&game, 1, |state, _| {
        let position = Position::new(&game, state);
        let (mut shares, mut scores, mut others) = (Vec::new(), Vec::new(), Vec::new());
        assert!(learned.shares(&position, &mut shares));
        assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9 && shares.iter().all(|share| *share >= 0.0));
        assert_eq!(learned.scores(&position, &mut scores), own.scores(&position, &mut others));
        assert_eq!(scores, others);
        if (shares[0] - 0.5).abs() < 0.15 { even += 1 } else { uneven += 1 }
    });
    assert!(even > 0 && uneven > 0, "{even} even, {uneven} not");
}

/// The error says what was expected.
#[test]
fn files_that_do_not_fit_are_refused() {
    let refused = |spec: &str| {
        let game = two::<Cartolan>();
        let known = meeple_search::agents_that_load(&Cartolan::definition(), value_hints, policy_hints);
        build_agents(&game, &known, &[AgentSpec::parse(spec)]).err().unwrap().to_string()
    };
    let error = refused(&format!("mcts:value={INCAN_GOLD}"));
    assert!(error.contains("expected game cartolan, found a network for incan-gold"), "{error}");
    let error = refused("mcts:value=hint");
    assert!(error.contains("hint: value is one of scores, hints, or"), "{error}");
    let error = refused(&format!("mcts:value={}", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")));
    assert!(error.contains("expected a file of safetensors"), "{error}");
    let error = refused("mcts:value=");
    assert!(error.contains("expected one of scores, hints, or a file"), "{error}");
    let three = Cartolan::new(Default::default(), 3).unwrap();
    let error = value_hints(&three, CARTOLAN).err().unwrap();
    assert!(error.contains("expected seats 3, found a network for 2"), "{error}");
    // Incan Gold's search counts points alone by default.
    let build = |settings: &str| {
        let known = meeple_search::agents_that_load(&IncanGold::definition(), value_hints, policy_hints);
        let spec = AgentSpec::parse(&format!("mcts:value={INCAN_GOLD}{settings}"));
        build_agents(&two::<IncanGold>(), &known, &[spec]).map(drop).map_err(|error| error.to_string())
    };
    let error = build("").unwrap_err();
    assert!(
        error.contains("margin: expected less than 1, found 1") && error.contains(",margin=0"),
        "{error}"
    );
    assert_eq!(build(",margin=0.5"), Ok(()));
    // Agents without file access refuse.
    let game = two::<Cartolan>();
    let spec = AgentSpec::parse(&format!("mcts:value={CARTOLAN}"));
    let error = build_agents(&game, &meeple_search::agents(&Cartolan::definition()), &[spec])
        .err()
        .unwrap()
        .to_string();
    assert!(error.contains("expected scores or hints, found"), "{error}");
}
