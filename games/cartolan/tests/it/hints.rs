//! Hints for search agents: legal, equal for equal positions, and useful.

use std::sync::Arc;

use meeple_cartolan::{Action, Cartolan};
use meeple_core::{
    AgentInfo, AgentSpec, AskedSeat, ChanceStreams, Defined as _, EpisodeSeed, Game, Hints, NoEvents, Phase,
    Playable, Playouts, Position, Seat, Seating, Stream, Turn, Viewer, build_agents,
};

use crate::table::variant;

/// Plays a game between copies of `player`. Calls `look` with the state and the deciding seat before every
/// decision.
fn watch(
    player: &str,
    preset: &str,
    seats: usize,
    seed: u64,
    look: &mut dyn FnMut(&Cartolan, &<Cartolan as Game>::State, Seat),
) {
    let game = Cartolan::new(variant(preset, &[("rounds", "60")]), seats).unwrap();
    let line_up = vec![AgentSpec::parse(player); seats];
    let mut agents = build_agents(&game, &known(), &line_up).unwrap();
    let seed = EpisodeSeed::new(seed, 0);
    let mut asked: Vec<_> = Seat::all(seats).map(|seat| AskedSeat::new(seed, seat)).collect();
    for (agent, seat) in agents.iter_mut().zip(Seat::all(seats)) {
        agent.begin_episode(&game, seat);
    }
    let mut chance = ChanceStreams::new(seed);
    let mut state = game.initial_state();
    loop {
        match game.phase(&state) {
            Phase::Over => return,
            Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
            Phase::Decide(deciding) => {
                let seat = deciding.lowest().unwrap();
                look(&game, &state, seat);
                let position = Position::new(&game, &state);
                let action = agents[seat.index()].act(Turn::new(&position, &mut asked[seat.index()]));
                game.apply(&mut state, seat, &action, &mut NoEvents).unwrap();
            }
        }
    }
}

fn hints(game: &Cartolan) -> Box<dyn Hints<Cartolan>> {
    game.hints()
}

/// All advice about a position, as text with exact numbers.
fn advice(
    hints: &mut dyn Hints<Cartolan>,
    game: &Cartolan,
    state: &<Cartolan as Game>::State,
    seat: Seat,
) -> (Vec<f64>, Vec<f64>, Action) {
    let position = Position::new(game, state);
    hints.begin(game, &position.observe(Viewer::Seat(seat)), seat);
    hints.imagine(game);
    let mut actions = Vec::new();
    game.legal_actions(state, seat, &mut actions);
    let (mut weights, mut scores) = (Vec::new(), Vec::new());
    hints.prior(&position, seat, &actions, &mut weights);
    let spread = hints.scores(&position, &mut scores).unwrap();
    let action = hints.act(&position, seat, &mut Stream::from_seed(3)).unwrap();
    assert_eq!(game.check(state, seat, &action), Ok(()), "{action}");
    assert_eq!(weights.len(), actions.len());
    assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "{weights:?}");
    assert!(weights.iter().any(|weight| *weight > 0.0), "{weights:?}");
    assert_eq!(scores.len(), game.seats());
    assert!(spread > 0.0 && scores.iter().all(|score| score.is_finite()), "{scores:?}");
    (weights, scores, action)
}

#[test]
fn advice_is_legal_and_the_same_for_the_same_position() {
    for (preset, seats) in [("beginner", 2), ("regular", 2), ("regular", 3), ("advanced", 2), ("advanced", 4)]
    {
        let mut used: Option<Box<dyn Hints<Cartolan>>> = None;
        let mut looks = 0;
        watch("merchant", preset, seats, 7, &mut |game, state, seat| {
            let used = used.get_or_insert_with(|| hints(game));
            assert_eq!(advice(&mut **used, game, state, seat), advice(&mut *hints(game), game, state, seat));
            looks += 1;
        });
        assert!(looks > 100, "{preset} {seats}");
    }
}

/// Hints decide for all seats and remember paths over several turns. Every action that they choose must be
/// legal.
#[test]
fn whole_imagined_games_are_legal() {
    let definition = Cartolan::definition();
    let plain: &[(&str, &str)] = &[];
    let original = definition.info.profiles.iter().find(|known| known.name == "oct-2020").unwrap().set;
    let presets = definition.info.presets.iter().map(|preset| (preset.name, plain));
    for (preset, settings) in presets.chain([("beginner", original), ("regular", original)]) {
        let settings = [settings, &[("rounds", "60")]].concat();
        for (seats, seed) in [(2, 5), (3, 6)] {
            let game = Cartolan::new(variant(preset, &settings), seats).unwrap();
            let mut chance = ChanceStreams::new(EpisodeSeed::new(seed, 0));
            let mut rng = Stream::from_seed(seed);
            let mut state = game.initial_state();
            let mut hints: Option<Box<dyn Hints<Cartolan>>> = None;
            loop {
                match game.phase(&state) {
                    Phase::Over => break,
                    Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
                    Phase::Decide(deciding) => {
                        let seat = deciding.lowest().unwrap();
                        let position = Position::new(&game, &state);
                        let hints = hints.get_or_insert_with(|| {
                            let mut hints = game.hints();
                            hints.begin(&game, &position.observe(Viewer::Seat(seat)), seat);
                            hints.imagine(&game);
                            hints
                        });
                        let action = hints.act(&position, seat, &mut rng).unwrap();
                        assert_eq!(
                            game.check(&state, seat, &action),
                            Ok(()),
                            "{preset} {settings:?}: {action}"
                        );
                        game.apply(&mut state, seat, &action, &mut NoEvents).unwrap();
                    }
                }
            }
        }
    }
}

/// The hidden hands of other seats do not change the advice.
#[test]
fn advice_follows_from_what_the_seat_sees() {
    let mut rng = Stream::from_seed(11);
    let mut differed = 0;
    watch("random", "advanced", 3, 3, &mut |game, state, seat| {
        let observation = game.observe(state, Viewer::Seat(seat));
        let mut other = game.initial_state();
        game.determinize(&observation, &mut rng, &mut other);
        differed += u32::from(other != *state);
        let mut hints = hints(game);
        assert_eq!(advice(&mut *hints, game, state, seat), advice(&mut *hints, game, &other, seat));
    });
    assert!(differed > 10, "only {differed} hands were others");
}

/// A score is the Vault plus its expected gains, and near the end of a game close to the real score.
#[test]
fn scores_stay_near_the_vaults() {
    for (preset, seats) in [("beginner", 4), ("regular", 2), ("regular", 4)] {
        let mut settled = 0;
        watch("merchant", preset, seats, 5, &mut |game, state, seat| {
            let mut hints = hints(game);
            let (_, scores, _) = advice(&mut *hints, game, state, seat);
            if !hints.is_settled(&Position::new(game, state)) {
                return;
            }
            settled += 1;
            let observation = game.observe(state, Viewer::Public);
            for (score, player) in scores.iter().zip(observation.players()) {
                let more = score - f64::from(player.vault);
                let chests = f64::from(player.chests());
                let crew = f64::from(player.adventurers);
                let wonders = f64::from(observation.map().wonders());
                let most = 1.1 * chests + 0.5 * wonders * crew + 0.7;
                assert!((-3.0 * crew - 2.0 * chests..=most + 1e-9).contains(&more), "{more} {chests}");
            }
        });
        assert!(settled > 30, "{preset} {seats}");
    }
}

fn known() -> Vec<AgentInfo<Cartolan>> {
    let game = Cartolan::definition();
    let search = meeple_search::agents(&game);
    game.agents.into_iter().chain(meeple_agents::general()).chain(search).collect()
}

/// The first agent's mean share of the win over `deals` deals.
fn share(line_up: &[&str], settings: &[(&str, &str)], deals: u64) -> f64 {
    let game = Cartolan::new(variant("regular", settings), line_up.len()).unwrap();
    let seats = line_up.len();
    let line_up: Vec<_> = line_up.iter().map(|text| AgentSpec::parse(text)).collect();
    let agents = build_agents(&game, &known(), &line_up).unwrap();
    let mut playouts = Playouts::new(Arc::new(game), agents);
    let episodes = deals * seats as u64;
    let share = |index| {
        let report = playouts.play(9, Seating::DealGroups, index);
        let seat = report.player_at.iter().position(|player| *player == 0).unwrap();
        report.outcome.win_share(Seat::new(seat))
    };
    (0..episodes).map(share).sum::<f64>() / episodes as f64
}

#[test]
fn search_with_hints_beats_flat() {
    let found =
        share(&["mcts:iterations=16", "flat:playouts=16,goal=win,longest=100"], &[("rounds", "20")], 3);
    assert!(found >= 0.75, "{found}");
}
