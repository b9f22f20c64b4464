//! Two players: best responses and the equilibrium against full enumeration through the rules themselves.

use std::cell::RefCell;

use meeple_core::{
    AgentSpec, AskedSeat, Defined as _, EpisodeSeed, Game, NoEvents, NoHost, Outcome, Phase, Position, Seat,
    Seating, ToolCall, Turn, Viewer, build_agents,
};
use meeple_incan_gold::exact::{LastRound, Position as ExactPosition, Rules};
use meeple_incan_gold::{Action, Card, IncanGold, State, Variant};

use super::close;
use super::joint::with_position;

/// Probability of leaving in a position.
pub(super) type Odds<'a> = &'a dyn Fn(&State) -> f64;

/// Value of a decision: the state, the deciders, and the value after each combination of leavers.
pub(super) type Choose<'a> = &'a dyn Fn(&State, [bool; 2], &dyn Fn([bool; 2]) -> f64) -> f64;

const ME: Seat = Seat::new(0);
const OTHER: Seat = Seat::new(1);

/// Variants small enough for a walk card by card.
fn small() -> Vec<Variant> {
    let one = Variant {
        rounds: 1,
        gems: vec![1, 4, 7, 7],
        hazard_kinds: 2,
        hazard_copies: 2,
        artifact_values: vec![5],
        ..Variant::default()
    };
    let two = Variant {
        rounds: 2,
        gems: vec![3, 8],
        hazard_kinds: 1,
        hazard_copies: 2,
        artifact_values: vec![4, 9],
        ..Variant::default()
    };
    // Without spare gems and artifacts, leaving is better than staying only because staying draws a card.
    let bare = Variant {
        rounds: 1,
        gems: vec![20, 2],
        hazard_kinds: 2,
        hazard_copies: 2,
        artifact_values: Vec::new(),
        ..Variant::default()
    };
    vec![one, two, bare]
}

fn margin(game: &IncanGold, state: &State) -> f64 {
    let mut outcome = Outcome::default();
    game.outcome(state, &mut outcome);
    (outcome.scores[0] - outcome.scores[1]) as f64
}

fn decided(game: &IncanGold, state: &State, actions: [(Seat, bool); 2]) -> State {
    let mut next = state.clone();
    for (seat, leaves) in actions {
        let action = if leaves { Action::Leave } else { Action::Stay };
        if game.phase(&next).owes(seat) {
            game.apply(&mut next, seat, &action, &mut NoEvents).unwrap();
        }
    }
    next
}

/// The mean margin at the end, with `choose` for decisions.
pub(super) fn walk(game: &IncanGold, state: &State, choose: Choose<'_>) -> f64 {
    walk_to(game, state, choose, &margin)
}

/// The mean value of the ends, with `choose` for decisions.
fn walk_to(
    game: &IncanGold,
    state: &State,
    choose: Choose<'_>,
    worth: &dyn Fn(&IncanGold, &State) -> f64,
) -> f64 {
    match game.phase(state) {
        Phase::Over => worth(game, state),
        Phase::Chance => {
            let outcomes = game.chance_outcomes(state).expect("cards can be listed");
            let value = |(card, odds): &(_, f64)| {
                let mut next = state.clone();
                game.apply_chance(&mut next, card, &mut NoEvents);
                odds * walk_to(game, &next, choose, worth)
            };
            outcomes.iter().map(value).sum()
        }
        Phase::Decide(owing) => {
            let owes = [ME, OTHER].map(|seat| owing.clone().any(|other| other == seat));
            let then = |leave: [bool; 2]| {
                walk_to(game, &decided(game, state, [(ME, leave[0]), (OTHER, leave[1])]), choose, worth)
            };
            choose(state, owes, &then)
        }
    }
}

/// The margin of the best response, by trying everything.
pub(super) fn best_margin(game: &IncanGold, odds: Odds<'_>) -> f64 {
    walk(game, &game.initial_state(), &best_against(odds))
}

/// Value of a decision for a player who knows the other's probability of leaving.
fn best_against(odds: Odds<'_>) -> impl Fn(&State, [bool; 2], &dyn Fn([bool; 2]) -> f64) -> f64 {
    move |state, owes, then| {
        let odds = if owes[1] { odds(state) } else { 0.0 };
        let mine = |leave: bool| {
            let part = |odds: f64, other: bool| if odds > 0.0 { odds * then([leave, other]) } else { 0.0 };
            part(odds, true) + part(1.0 - odds, false)
        };
        if owes[0] { mine(true).max(mine(false)) } else { mine(false) }
    }
}

/// Decisions of a named agent that does not use chance.
fn decisions<'a>(game: &'a IncanGold, name: &str) -> impl Fn(&State) -> f64 + use<'a> {
    let agents = build_agents(game, &IncanGold::definition().agents, &[AgentSpec::parse(name)]).unwrap();
    let agent = RefCell::new(agents.into_iter().next().unwrap());
    move |state| {
        let position = Position::new(game, state);
        let mut asked = AskedSeat::new(EpisodeSeed::new(1, 0), OTHER);
        let action = agent.borrow_mut().act(Turn::new(&position, &mut asked));
        if action == Action::Leave { 1.0 } else { 0.0 }
    }
}

/// Value of a 2×2 game for the row player.
pub(super) fn solved([[a, b], [c, d]]: [[f64; 2]; 2]) -> f64 {
    let (low, high) = (a.min(b).max(c.min(d)), a.max(c).min(b.max(d)));
    if low >= high { low } else { (a * d - b * c) / (a + d - b - c) }
}

/// The margin of the equilibrium, solving a small matrix wherever both decide.
fn even_margin(game: &IncanGold) -> f64 {
    walk(game, &game.initial_state(), &|_, owes, then| match owes {
        [true, true] => solved([true, false].map(|me| [true, false].map(|other| then([me, other])))),
        [true, false] => then([true, false]).max(then([false, false])),
        _ => then([false, true]).min(then([false, false])),
    })
}

pub(super) fn tool(variant: &Variant, words: &str) -> Result<serde_json::Value, String> {
    let game = IncanGold::new(variant.clone(), 2).unwrap();
    let arguments: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let tools = IncanGold::definition().tools;
    let exact = tools.iter().find(|tool| tool.name == "exact").unwrap();
    let mut call = ToolCall {
        game: &game,
        arguments: &arguments,
        seed: 1,
        read_file: &mut |_| Err(String::new()),
        tell: &mut |_| {},
        host: &NoHost,
    };
    (exact.run)(&mut call).map(|output| output.json).map_err(|error| error.to_string())
}

pub(super) fn number(json: &serde_json::Value, row: usize, key: &str) -> f64 {
    json["rows"][row][key].as_f64().unwrap()
}

#[test]
fn best_responses_are_those_of_trying_everything() {
    for variant in small() {
        let game = IncanGold::new(variant.clone(), 2).unwrap();
        for name in
            ["turn:2", "turn:4", "backpack:3", "hazards:1", "never", "lookahead", "collector:4", "nash"]
        {
            let json = tool(&variant, &format!("exploit {name}")).unwrap();
            close(number(&json, 0, "value"), best_margin(&game, &decisions(&game, name)), 1e-9, name);
        }
        for odds in [0.3, 0.7] {
            let json = tool(&variant, &format!("exploit random:{odds}")).unwrap();
            close(number(&json, 0, "value"), best_margin(&game, &|_| odds), 1e-9, "random");
        }
    }
}

#[test]
fn nothing_is_gained_against_the_equilibrium() {
    for variant in small() {
        let game = IncanGold::new(variant.clone(), 2).unwrap();
        close(even_margin(&game), 0.0, 1e-12, "both are even");
        let json = tool(&variant, "exploit nash turn:3").unwrap();
        close(number(&json, 0, "gain"), 0.0, 1e-6, "nash");
        assert!(number(&json, 1, "gain") > 0.1, "others can be exploited: {json}");
        let json = tool(&variant, "equilibrium").unwrap();
        close(number(&json, 0, "gain"), 0.0, 1e-6, "equilibrium");
    }
}

#[test]
fn where_leaving_and_staying_are_even_two_stay_and_one_leaves() {
    // A single hazard of a kind harms nobody, and nothing else comes after the gems.
    let variant = Variant {
        rounds: 1,
        gems: vec![4],
        hazard_kinds: 1,
        hazard_copies: 1,
        artifact_values: Vec::new(),
        ..Variant::default()
    };
    let game = IncanGold::new(variant, 2).unwrap();
    let leaves = decisions(&game, "nash");
    let mut two = game.initial_state();
    game.apply_chance(&mut two, &Card::Gem(4), &mut NoEvents);
    assert!(game.phase(&two).owes(ME) && leaves(&two) == 0.0, "two");
    let one = decided(&game, &two, [(ME, true), (OTHER, false)]);
    assert!(!game.phase(&one).owes(ME), "gone");
    // A lone explorer is asked after the next card, if the round goes on.
    let mut hazard = Variant { hazard_copies: 1, hazard_kinds: 2, ..game.variant().clone() };
    hazard.gems = vec![4];
    let game = IncanGold::new(hazard, 2).unwrap();
    let leaves = decisions(&game, "nash");
    let mut state = game.initial_state();
    game.apply_chance(&mut state, &Card::Gem(4), &mut NoEvents);
    let mut one = decided(&game, &state, [(ME, true), (OTHER, false)]);
    game.apply_chance(&mut one, &Card::Hazard(0), &mut NoEvents);
    assert!(game.phase(&one).owes(OTHER) && leaves(&one) == 1.0, "one");
}

#[test]
fn nash_plays_what_the_tables_say() {
    let variant = small().remove(0);
    let entry = meeple_core::GameEntry::new(IncanGold::definition(), Vec::new());
    let set = [
        ("rounds", "1"),
        ("gems", "1,4,7,7"),
        ("hazards.kinds", "2"),
        ("hazards.copies", "2"),
        ("artifacts.values", "5"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()));
    let game = meeple_core::AnyEntry::set_up(&entry, None, &set, 2).unwrap();
    let line_up = ["nash", "nash"].map(meeple_core::AgentSpec::parse);
    let mut runner = game.runner(&line_up).unwrap();
    let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
    runner.run(7, Seating::Fixed, 0..40_000, &mut |report| {
        // Both players share the cards, so their mean is one sample.
        let gems = (report.outcome.scores[0] + report.outcome.scores[1]) as f64 / 2.0;
        count += 1.0;
        sum += gems;
        squares += gems * gems;
        true
    });
    let mean: f64 = sum / count;
    let error = ((squares / count - mean * mean) / count).sqrt();
    let gems = number(&tool(&variant, "equilibrium").unwrap(), 0, "gems");
    close(mean, gems, 3.0 * error, "mean gems of two who play it");
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let variant = Variant::default();
    for (words, message) in [
        ("exploit", "expected an agent, found nothing"),
        ("exploit mcts", "expected one of"),
        ("exploit lookahed", "did you mean 'lookahead'?"),
        ("exploit turn:x", "turn"),
        ("exploit nash --goal fame", "expected margin or gems, found 'fame'"),
        ("exploit nash --fast", "expected agents and --goal"),
    ] {
        let error = tool(&variant, words).unwrap_err();
        assert!(error.contains(message), "{words}: {error}");
    }
    let large = Variant { gems: (1..=40).collect(), ..Variant::default() };
    let error = tool(&large, "exploit turn:3").unwrap_err();
    assert!(error.contains("multisets of gem cards"), "{error}");
}

/// Two rounds, of which the first is played so that one player is ahead.
fn before_the_last_round(variant: &Variant, taken: &[(Card, &str)]) -> (IncanGold, State) {
    let game = IncanGold::new(Variant { rounds: 2, ..variant.clone() }, 2).unwrap();
    let mut state = game.initial_state();
    for (card, decisions) in taken {
        game.apply_chance(&mut state, card, &mut NoEvents);
        let leaves: Vec<bool> = decisions.chars().map(|decision| decision == 'l').collect();
        state = decided(&game, &state, [(ME, leaves[0]), (OTHER, leaves[leaves.len() - 1])]);
    }
    (game, state)
}

/// Value of an end to the first player, whose goal is to win.
fn chance_to_win(game: &IncanGold, state: &State) -> f64 {
    match margin(game, state) {
        0.0 => 0.5,
        more => f64::from(u8::from(more > 0.0)),
    }
}

/// The chance of the first player, a draw counting half, solving a small matrix wherever both decide.
fn even_chance(game: &IncanGold, state: &State) -> f64 {
    let value = |_: &State, owes: [bool; 2], then: &dyn Fn([bool; 2]) -> f64| match owes {
        [true, true] => solved([true, false].map(|me| [true, false].map(|other| then([me, other])))),
        [true, false] => then([true, false]).max(then([false, false])),
        _ => then([false, true]).min(then([false, false])),
    };
    walk_to(game, state, &value, &chance_to_win)
}

#[test]
fn the_last_round_is_that_of_trying_everything() {
    let variant = Variant {
        gems: vec![1, 4, 7],
        hazard_kinds: 2,
        hazard_copies: 2,
        artifact_values: vec![3],
        ..Variant::default()
    };
    let mut gaps = Vec::new();
    for taken in [
        &[(Card::Gem(4), "ll")][..],
        &[(Card::Gem(1), "ls"), (Card::Gem(4), "sl")],
        &[(Card::Gem(7), "ls"), (Card::Gem(1), "sl")],
        &[(Card::Gem(1), "sl"), (Card::Gem(4), "ls")],
        &[(Card::Gem(1), "sl"), (Card::Hazard(0), "ls")],
        &[(Card::Gem(7), "ls"), (Card::Hazard(0), "sl")],
    ] {
        let (game, state) = before_the_last_round(&variant, taken);
        let sight = game.observe(&state, Viewer::Everything);
        assert_eq!((sight.round(), sight.turn()), (2, 0), "{taken:?}");
        let ahead = i64::from(sight.tent(ME)) - i64::from(sight.tent(OTHER));
        gaps.push(ahead);
        let last_round = LastRound::new(&Rules::from(game.variant())).unwrap();
        close(last_round.chance(ahead), even_chance(&game, &state), 1e-6, &format!("ahead by {ahead}"));
        close(last_round.chance(ahead) + last_round.chance(-ahead), 1.0, 1e-6, "the other has the rest");
        // Against the strategy of the tables, no play wins more than the tables say.
        let odds = |state: &State| {
            with_position(&game, state, |position, gems| {
                let sight = game.observe(state, Viewer::Everything);
                let backpack = sight.backpack();
                let position = ExactPosition { backpack, ..*position };
                let ahead = i64::from(sight.tent(OTHER)) - i64::from(sight.tent(ME));
                last_round.odds(&position, sight.explorers(), ahead, gems).expect("it is a position")
            })
        };
        let best = walk_to(&game, &state, &best_against(&odds), &chance_to_win);
        close(best, last_round.chance(ahead), 1e-6, &format!("ahead by {ahead}, the best answer"));
        let words = format!("equilibrium --goal win --gap {}", ahead.abs());
        let json = tool(game.variant(), &words).unwrap();
        close(number(&json, 0, "chance"), last_round.chance(ahead.abs()), 0.0, "the tool");
    }
    assert_eq!(gaps, [0, -3, 0, 3, -1, 1]);
}

#[test]
fn who_wants_to_win_wins_as_often_as_the_tables_say() {
    // The only round is the last one. Against a player with another goal, the chance of winning is at least
    // one half.
    let set = [("rounds", "1"), ("gems", "1,4,7,7,11"), ("hazards.kinds", "3"), ("hazards.copies", "2")];
    let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let entry = meeple_core::GameEntry::new(IncanGold::definition(), Vec::new());
    let game = meeple_core::AnyEntry::set_up(&entry, None, &set, 2).unwrap();
    for other in ["nash:goal=win", "nash", "turn:3", "backpack:4", "never", "random:0.3"] {
        let line_up = ["nash:goal=win", other].map(AgentSpec::parse);
        let mut runner = game.runner(&line_up).unwrap();
        let (mut count, mut sum, mut squares) = (0.0, 0.0, 0.0);
        runner.run(11, Seating::Fixed, 0..20_000, &mut |report| {
            let won = ((report.outcome.scores[0] - report.outcome.scores[1]).signum() + 1) as f64 / 2.0;
            count += 1.0;
            sum += won;
            squares += won * won;
            true
        });
        let mean: f64 = sum / count;
        let error = ((squares / count - mean * mean) / count).sqrt();
        assert!(mean >= 0.5 - 3.0 * error, "against {other}: {mean} with a standard error of {error}");
        if other == "nash:goal=win" {
            close(mean, 0.5, 3.0 * error, "against itself");
        }
    }
}
