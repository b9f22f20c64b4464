//! No hidden number reaches a seat that may not know it. Before every step of random games, each viewer's
//! observation is turned into another world that it cannot distinguish from the true one. After the step in
//! both worlds, the viewer must hear and see the same, except for what the rules reveal by this step. The
//! same walk with spies, which see or hear one hidden thing more, must fail.

use meeple_core::{Audience, ChanceStreams, EpisodeSeed, EventLog, Game, Phase, Seat, Stream, Viewer};
use meeple_privateers::{Action, Chance, Event, FightView, Privateers, Stage, State};
use meeple_testkit::Laws;
use serde_json::Value;

use crate::bench::game;

/// A viewer's channel: correct, or with one leak.
#[derive(Clone, Copy)]
struct Spy {
    look: fn(&Privateers, &State, Viewer) -> String,
    hears: fn(&Audience, &Event, Viewer) -> bool,
}

const HONEST: Spy = Spy { look, hears };

fn look(game: &Privateers, state: &State, viewer: Viewer) -> String {
    serde_json::to_string(&game.observe(state, viewer)).unwrap()
}

fn hears(audience: &Audience, _: &Event, viewer: Viewer) -> bool {
    audience.includes(viewer)
}

/// Numbers of comparisons.
#[derive(Default, Debug)]
struct Coverage {
    looks: u64,
    /// Steps with a full comparison.
    full: u64,
    /// Steps that reveal hidden information by the rules: only earlier events were compared.
    revealed: u64,
    /// Actions of others that are impossible in the other world.
    impossible: u64,
    /// Hidden steps of others: nothing was heard, nothing changed.
    silent: u64,
    fights: u64,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Chance(Chance),
    Act(Seat, Action),
}

impl Step {
    /// True if only the acting seat may notice the step.
    fn is_private(self) -> bool {
        use Action::{Buy, BuyMax, Discard, Sell, SellAll};
        matches!(self, Self::Act(_, Buy(_) | Sell(_) | BuyMax(_) | SellAll(_) | Discard(_)))
    }
}

fn stage(game: &Privateers, state: &State) -> (Stage, Phase) {
    (game.observe(state, Viewer::Public).stage(), game.phase(state))
}

fn is_fighter(fight: Option<FightView>, viewer: Viewer) -> bool {
    fight.is_some_and(|fight| fight.seats.iter().any(|seat| viewer == Viewer::Seat(*seat)))
}

/// Events that a viewer hears, without the prices of newly seen ports.
fn heard_by(log: &EventLog<Event>, viewer: Viewer, spy: Spy) -> Vec<String> {
    let heard = log.entries().iter().filter(|(audience, event)| (spy.hears)(audience, event, viewer));
    heard
        .map(|(_, event)| match event {
            Event::Prices { seat, port, .. } if viewer == Viewer::Seat(*seat) => format!("prices of {port}"),
            event => event.to_string(),
        })
        .collect()
}

/// Takes a step; `false` if it is impossible.
fn take(game: &Privateers, state: &mut State, step: Step, log: &mut EventLog<Event>) -> bool {
    match step {
        Step::Chance(chance) => {
            let possible = game.check_chance(state, &chance).is_ok();
            if possible {
                game.apply_chance(state, &chance, log);
            }
            possible
        }
        Step::Act(seat, action) => game.apply(state, seat, &action, log).is_ok(),
    }
}

/// Compares one step in the true world and in one that `viewer` cannot tell from it.
fn compare(
    game: &Privateers,
    (before, after, log): (&State, &State, &EventLog<Event>),
    (step, draw): (Step, u64),
    viewer: Viewer,
    spy: Spy,
    coverage: &mut Coverage,
) -> Result<(), String> {
    let mut other = game.initial_state();
    game.determinize(&game.observe(before, viewer), &mut Stream::from_seed(draw), &mut other);
    let say = |what: &str, left: &dyn std::fmt::Debug, right: &dyn std::fmt::Debug| {
        Err(format!("{viewer:?} {what} at {step:?}:\n{left:?}\n{right:?}"))
    };
    let (own, twin) = ((spy.look)(game, before, viewer), (spy.look)(game, &other, viewer));
    coverage.looks += 1;
    if own != twin {
        return say("can tell two worlds apart", &own, &twin);
    }
    let heard = heard_by(log, viewer, spy);
    let acts = matches!(step, Step::Act(seat, _) if viewer == Viewer::Seat(seat));
    if step.is_private() && !acts && stage(game, before) == stage(game, after) {
        coverage.silent += 1;
        let seen = (spy.look)(game, after, viewer);
        if !heard.is_empty() || seen != own {
            return say("notices a hidden step", &heard, &(own, seen));
        }
    }
    let mut other_log = EventLog::new();
    if !take(game, &mut other, step, &mut other_log) {
        if acts {
            return say("finds its action impossible", &step, &"");
        }
        coverage.impossible += 1;
        return Ok(());
    }
    let other_heard = heard_by(&other_log, viewer, spy);
    let fight = [before, after].map(|state| game.observe(state, Viewer::Public).fight());
    // The rules reveal points to the fighters at once, and the loot at the end. Everybody sees turns that
    // pass by themselves, ends of fights and overfull holds. A viewer sees the prices of a new port.
    let points = matches!(step, Step::Act(_, Action::Attack(_))) && is_fighter(fight[1], viewer);
    let spoils = matches!(step, Step::Chance(Chance::Roll(..)))
        && is_fighter(fight[0], viewer)
        && stage(game, after).0 != Stage::Roll;
    let parted = stage(game, after) != stage(game, &other);
    let prices = heard.iter().any(|event| event.starts_with("prices of"));
    if parted && matches!(step, Step::Act(_, Action::EndTurn | Action::Retire | Action::Attack(_))) {
        return say("sees a public step end differently", &after, &other);
    }
    if points || spoils || parted {
        coverage.revealed += 1;
        return match (heard.first(), other_heard.first()) {
            (Some(first), Some(second)) if first != second && !parted => say("hears", &first, &second),
            _ => Ok(()),
        };
    }
    coverage.full += 1;
    if heard != other_heard {
        return say("hears different things", &heard, &other_heard);
    }
    let (seen, twin) = ((spy.look)(game, after, viewer), (spy.look)(game, &other, viewer));
    if seen != twin && !prices {
        return say("sees different things afterwards", &seen, &twin);
    }
    Ok(())
}

/// Plays a random game that seeks fights, and compares every step for every viewer.
fn walk(game: &Privateers, index: u64, spy: Spy, coverage: &mut Coverage) -> Result<(), String> {
    let seed = EpisodeSeed::new(21, index);
    let mut streams = ChanceStreams::new(seed);
    let mut rng = Stream::from_seed(seed.bits());
    let mut state = game.initial_state();
    let mut count = 0;
    loop {
        let step = match game.phase(&state) {
            Phase::Over => return Ok(()),
            Phase::Chance => Step::Chance(game.sample_chance(&state, &mut streams)),
            Phase::Decide(seats) => {
                let seat = seats.lowest().unwrap();
                let mut legal = Vec::new();
                game.legal_actions(&state, seat, &mut legal);
                let action = match legal.last() {
                    Some(attack @ Action::Attack(_)) if rng.chance(0.7) => *attack,
                    _ => legal[rng.index(legal.len())],
                };
                Step::Act(seat, action)
            }
        };
        let (mut after, mut log) = (state.clone(), EventLog::new());
        assert!(take(game, &mut after, step, &mut log));
        for viewer in Seat::all(game.seats()).map(Viewer::Seat).chain([Viewer::Public]) {
            count += 1;
            let draw = index << 32 | count;
            compare(game, (&state, &after, &log), (step, draw), viewer, spy, coverage)?;
        }
        coverage.fights += u64::from(matches!(step, Step::Act(_, Action::Attack(_))));
        state = after;
    }
}

const SETS: [&[(&str, &str)]; 5] = [
    &[("map", "pocket"), ("max_rounds", "12")],
    &[("map", "pocket"), ("max_rounds", "12"), ("mode", "survival"), ("start_cannons", "4")],
    &[("map", "pocket"), ("max_rounds", "12"), ("start_money", "700"), ("ranges", "1,2,3")],
    &[
        ("map", "pocket"),
        ("max_rounds", "20"),
        ("holds", "1,2,4"),
        ("ranges", "6,6,6"),
        ("start_money", "500"),
    ],
    &[("max_rounds", "12"), ("closing", "physical"), ("ranges", "2,2,2"), ("start_money", "3000")],
];

#[test]
fn every_observation_and_event_stream_agrees_under_determinize() {
    let mut coverage = Coverage::default();
    for set in SETS {
        let game = game(4, set);
        for index in 0..10 {
            walk(&game, index, HONEST, &mut coverage).unwrap_or_else(|error| panic!("{error}"));
        }
    }
    let Coverage { looks, full, revealed, impossible, silent, fights } = coverage;
    assert!(looks > 20_000 && fights > 50 && silent > 3_000, "{coverage:?}");
    assert!(full * 100 > looks * 75, "most steps are compared in full: {coverage:?}");
    assert!(revealed > 100 && impossible > 100, "{coverage:?}");
}

/// First violation found with a spy in the same games.
fn caught(spy: Spy) -> Option<String> {
    SETS.iter().find_map(|set| {
        let game = game(4, set);
        (0..4).find_map(|index| walk(&game, index, spy, &mut Coverage::default()).err())
    })
}

/// The viewer's observation, plus one hidden thing of others.
fn with_more(game: &Privateers, state: &State, viewer: Viewer, more: fn(&Value) -> Value) -> String {
    let everything = serde_json::to_value(game.observe(state, Viewer::Everything)).unwrap();
    look(game, state, viewer) + &more(&everything).to_string()
}

fn of_ships(everything: &Value, key: &str) -> Value {
    everything["ships"].as_array().unwrap().iter().map(|ship| ship[key].clone()).collect()
}

#[test]
fn spies_who_see_more_are_caught() {
    macro_rules! spy {
        ($more:expr) => {
            Spy { look: |game, state, viewer| with_more(game, state, viewer, $more), hears }
        };
    }
    let spies: [(&str, Spy); 10] = [
        ("money", spy!(|all| of_ships(all, "money"))),
        ("units", spy!(|all| of_ships(all, "units"))),
        ("mounted cannons", spy!(|all| of_ships(all, "mounted"))),
        ("values", spy!(|all| of_ships(all, "value"))),
        ("what was bought during the stay", spy!(|all| of_ships(all, "bought"))),
        ("what was sold during the stay", spy!(|all| of_ships(all, "sold"))),
        ("books", spy!(|all| of_ships(all, "books"))),
        ("prices", spy!(|all| all["ports"].clone())),
        ("fight points", spy!(|all| all["fight"].clone())),
        ("fight points at the start", spy!(|all| all["fight_start"].clone())),
    ];
    for (what, spy) in spies {
        assert!(caught(spy).is_some(), "a spy who sees {what} stays unnoticed");
    }
}

#[test]
fn spies_who_hear_more_are_caught() {
    macro_rules! spy {
        ($event:pat) => {
            Spy {
                look,
                hears: |audience, event, viewer| audience.includes(viewer) || matches!(event, $event),
            }
        };
    }
    let spies: [(&str, Spy); 6] = [
        ("prices", spy!(Event::Prices { .. })),
        ("purchases", spy!(Event::Bought { .. })),
        ("sales", spy!(Event::Sold { .. })),
        ("fight points", spy!(Event::FightPoints { .. })),
        ("loot", spy!(Event::Looted { .. })),
        ("discards", spy!(Event::Discarded { .. })),
    ];
    for (what, spy) in spies {
        assert!(caught(spy).is_some(), "a spy who hears of {what} stays unnoticed");
    }
}

/// Twin episodes of games with rich ships that fight at every meeting: most fights end with an
/// overfull hold in only one of the twins.
#[test]
fn twins_of_fights_get_the_same() {
    for set in SETS {
        let game = game(4, set);
        meeple_testkit::Laws::new(game).episodes(0).agent_episodes(0).twins(120).check();
    }
}

/// R8.2, R9.1: the end by the limit on decisions does not reveal whether the last one ended a turn.
#[test]
fn the_limit_on_decisions_hides_the_last_one() {
    for limit in ["25", "40", "60"] {
        let game = game(3, &[("map", "pocket"), ("start_money", "800"), ("max_decisions", limit)]);
        Laws::new(game).episodes(1).positions(2).agent_episodes(0).twins(300).check();
    }
}
