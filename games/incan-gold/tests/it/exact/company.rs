//! Two players: best responses and the equilibrium against full enumeration through the rules of the game itself.

use meeple_core::{Game, NoEvents, Outcome, Phase, Seat, Seating, ToolCall, Viewer};
use meeple_incan_gold::{Action, IncanGold, Observation, State, Variant};

use super::close;

/// What somebody who leaves nothing to chance does.
type Rule<'a> = &'a dyn Fn(&Observation<'_>) -> bool;

/// What a decision is worth: the state, who decides, and what comes of whoever leaves.
type Choose<'a> = &'a dyn Fn(&State, [bool; 2], &dyn Fn([bool; 2]) -> f64) -> f64;

const ME: Seat = Seat::new(0);
const OTHER: Seat = Seat::new(1);

/// Small enough to be walked card by card.
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
    vec![one, two]
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
fn walk(game: &IncanGold, state: &State, choose: Choose<'_>) -> f64 {
    match game.phase(state) {
        Phase::Over => margin(game, state),
        Phase::Chance => {
            let outcomes = game.chance_outcomes(state).expect("cards can be listed");
            let value = |(card, odds): &(_, f64)| {
                let mut next = state.clone();
                game.apply_chance(&mut next, card, &mut NoEvents);
                odds * walk(game, &next, choose)
            };
            outcomes.iter().map(value).sum()
        }
        Phase::Decide(owing) => {
            let owes = [ME, OTHER].map(|seat| owing.clone().any(|other| other == seat));
            let then = |leave: [bool; 2]| {
                walk(game, &decided(game, state, [(ME, leave[0]), (OTHER, leave[1])]), choose)
            };
            choose(state, owes, &then)
        }
    }
}

fn leaves(game: &IncanGold, state: &State, rule: Rule<'_>) -> bool {
    rule(&game.observe(state, Viewer::Seat(OTHER)))
}

/// The margin of the best response, by trying everything.
fn best_margin(game: &IncanGold, rule: Rule<'_>) -> f64 {
    walk(game, &game.initial_state(), &|state, owes, then| {
        let other = owes[1] && leaves(game, state, rule);
        if owes[0] { then([true, other]).max(then([false, other])) } else { then([false, other]) }
    })
}

/// The value of a game of two moves each, to who chooses the row.
fn solved([[a, b], [c, d]]: [[f64; 2]; 2]) -> f64 {
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

fn tool(variant: &Variant, words: &str) -> Result<serde_json::Value, String> {
    let game = IncanGold::new(variant.clone(), 2).unwrap();
    let arguments: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let tools = <IncanGold as meeple_core::Playable>::tools();
    let exact = tools.iter().find(|tool| tool.name == "exact").unwrap();
    let mut call = ToolCall {
        game: &game,
        arguments: &arguments,
        seed: 1,
        read_file: &mut |_| Err(String::new()),
        tell: &mut |_| {},
    };
    (exact.run)(&mut call).map(|output| output.json).map_err(|error| error.to_string())
}

fn number(json: &serde_json::Value, row: usize, key: &str) -> f64 {
    json["rows"][row][key].as_f64().unwrap()
}

#[test]
fn best_responses_are_those_of_trying_everything() {
    for variant in small() {
        let game = IncanGold::new(variant.clone(), 2).unwrap();
        let rules: [(&str, Rule<'_>); 5] = [
            ("turn:2", &|seen| seen.turn() >= 2),
            ("turn:4", &|seen| seen.turn() >= 4),
            ("backpack:3", &|seen| seen.backpack() >= 3),
            ("hazards:1", &|seen| seen.hazards() >= 1),
            ("never", &|_| false),
        ];
        for (name, rule) in rules {
            let json = tool(&variant, &format!("exploit {name}")).unwrap();
            close(number(&json, 0, "value"), best_margin(&game, rule), 1e-9, name);
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
fn nash_plays_what_the_tables_say() {
    let variant = small().remove(0);
    let entry = meeple_core::Entry::<IncanGold>::new(Vec::new());
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
        // The two have a deal in common: one number of each.
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
    for (words, told) in [
        ("exploit", "expected an agent, found nothing"),
        ("exploit mcts", "expected one of"),
        ("exploit lookahed", "did you mean 'lookahead'?"),
        ("exploit turn:x", "turn"),
        ("exploit nash --goal fame", "expected margin or gems, found 'fame'"),
        ("exploit nash --fast", "expected agents and --goal"),
    ] {
        let error = tool(&variant, words).unwrap_err();
        assert!(error.contains(told), "{words}: {error}");
    }
    let large = Variant { gems: (1..=40).collect(), ..Variant::default() };
    let error = tool(&large, "exploit turn:3").unwrap_err();
    assert!(error.contains("multisets of gem cards"), "{error}");
}
