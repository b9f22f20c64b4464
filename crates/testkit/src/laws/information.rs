//! Laws of hidden information.

use std::collections::btree_map::Entry;

use meeple_core::{Audience, EventLog, Information, NoEvents, Phase, Playable, Seat, Step, Stream, Viewer};

use super::fault::{Fault, Held, difference, granted, hold, hold_same};
use super::memory::{Memory, Position};
use super::sight::{Sight, viewer_text};

/// The law that an encoding is a function of the observation.
const DETERMINED: &str = "encoding-is-determined-by-the-observation";

/// `determinize` preserves the viewer's information, depends on the observation only, and returns playable
/// states.
pub(crate) fn determinized<G: Playable>(
    at: &Position<'_, G>,
    viewer: Viewer,
    memory: &mut Memory<G>,
) -> Held {
    let game = at.game;
    let who = viewer_text(viewer);
    let sight = Sight::of(game, at.state, viewer)?;
    let seed = memory.rng.bits();
    // A used buffer: its old content must not matter.
    let mut first = memory.used.clone();
    game.determinize(&game.observe(at.state, viewer), &mut Stream::from_seed(seed), &mut first);
    let seen = Sight::of(game, &first, viewer)?;
    sight.hold_equal(
        "determinize-keeps-information",
        &seen,
        &format!("{who} cannot tell the true state from a determinized one"),
    )?;
    let mut second = game.initial_state();
    game.determinize(&game.observe(&first, viewer), &mut Stream::from_seed(seed), &mut second);
    hold_same("determinize-sees-observation-only", &first, &second, || {
        format!(
            "for {who} the true state and a determinized one look alike, but `determinize` with the same seed \
             gives different states for them"
        )
    })?;
    if let (Viewer::Seat(seat), Some(encoder)) = (viewer, &memory.encoder) {
        let why = || format!("{who} cannot tell the true state from a determinized one");
        encoder.hold_alike(DETERMINED, game, (at.state, &first), (seat, seat), why)?;
    }
    if let Viewer::Seat(seat) = viewer {
        let why = || format!("{who} cannot tell the true state from a determinized one");
        memory.adviser.hold_alike(game, [at.state, &first], seat, why)?;
    }
    if viewer == Viewer::Everything || game.info().information == Information::Perfect {
        hold_same("nothing-hidden-nothing-redrawn", at.state, &first, || {
            format!("nothing is hidden from {who}, but `determinize` gives another state")
        })?;
    } else {
        memory.counts.determinized += 1;
        memory.counts.redrawn += u64::from(first != *at.state);
    }
    if memory.keys.len() < 2_000 {
        // The viewer also knows whether it owes a decision, and whether the episode is over: keys are
        // compared only among positions equal in both.
        let asked = format!("{who} {} {}", sight.owes, sight.over);
        match memory.keys.entry((asked, sight.key)) {
            Entry::Vacant(place) => drop(place.insert(sight)),
            Entry::Occupied(before) => before.get().hold_equal(
                "equal-keys-look-alike",
                &sight,
                &format!("an earlier position of this episode has the same information key for {who}"),
            )?,
        }
    }
    Ok(())
}

/// A determinized state can be played to its end.
pub(crate) fn playable<G: Playable>(at: &Position<'_, G>, viewer: Viewer, memory: &mut Memory<G>) -> Held {
    const LAW: &str = "determinized-states-playable";
    let game = at.game;
    let mut state = game.initial_state();
    game.determinize(&game.observe(at.state, viewer), &mut memory.rng, &mut state);
    let mut streams = meeple_core::ChanceStreams::new(meeple_core::EpisodeSeed::from_bits(memory.rng.bits()));
    let mut scratch = Vec::new();
    for _ in 0..memory.longest {
        match game.phase(&state) {
            Phase::Over => return Ok(()),
            Phase::Chance => game.resolve_chance(&mut state, &mut streams, &mut NoEvents),
            Phase::Decide(seats) => {
                let Some(seat) = seats.lowest() else { break };
                super::actions::something_to_do(game, &state, seat)?;
                scratch.clear();
                let action = game.sample_action(&state, seat, &mut memory.rng, &mut scratch);
                granted(LAW, game.apply(&mut state, seat, &action, &mut NoEvents), || {
                    let who = viewer_text(viewer);
                    format!("in a state determinized for {who} the random {action} of seat {seat} is refused")
                })?;
            }
        }
    }
    let (who, longest) = (viewer_text(viewer), memory.longest);
    let what = format!("a state determinized for {who} is not over after {longest} random steps");
    Err(Fault { law: LAW, what })
}

/// Two futures of one position with equal keys for a viewer look alike in every way, and are determinized
/// alike.
pub(crate) fn futures<G: Playable>(at: &Position<'_, G>, memory: &mut Memory<G>) -> Held {
    let game = at.game;
    let mut logs = (EventLog::new(), EventLog::new());
    let (mut one, mut two) = (at.state.clone(), at.state.clone());
    let what = match at.phase {
        Phase::Over => return Ok(()),
        Phase::Chance => {
            let draw = |memory: &mut Memory<G>| {
                let seed = meeple_core::EpisodeSeed::from_bits(memory.rng.bits());
                game.sample_chance(at.state, &mut meeple_core::ChanceStreams::new(seed))
            };
            let first = draw(memory);
            let Some(second) = (0..8).map(|_| draw(memory)).find(|other| *other != first) else {
                return Ok(());
            };
            game.apply_chance(&mut one, &first, &mut logs.0);
            game.apply_chance(&mut two, &second, &mut logs.1);
            format!("after chance drew {first} or {second}")
        }
        Phase::Decide(seats) => {
            let seats: Vec<Seat> = seats.collect();
            let seat = seats[memory.rng.index(seats.len())];
            let Some((first, second)) = two_actions(at, seat, memory) else { return Ok(()) };
            game.apply_unchecked(&mut one, seat, &first, &mut logs.0);
            game.apply_unchecked(&mut two, seat, &second, &mut logs.1);
            format!("after seat {seat} chose {first} or {second}")
        }
    };
    let viewers = memory.some_viewers(game, game.phase(&one), 6);
    for viewer in &viewers {
        alike(game, (&one, &logs.0), (&two, &logs.1), *viewer, &what, memory)?;
    }
    // Both futures continue with the same steps while a viewer cannot distinguish them: hidden information
    // must stay hidden.
    let mut what = format!("{what}, then");
    for _ in 0..12 {
        let mut blind = Vec::new();
        for viewer in &viewers {
            if one != two && game.information_key(&one, *viewer) == game.information_key(&two, *viewer) {
                blind.push(*viewer);
            }
        }
        if blind.is_empty() || game.phase(&one) != game.phase(&two) {
            return Ok(());
        }
        logs = (EventLog::new(), EventLog::new());
        match common_step(game, &one, &two, memory)? {
            None => return Ok(()),
            Some(Step::Chance(outcome)) => {
                game.apply_chance(&mut one, &outcome, &mut logs.0);
                game.apply_chance(&mut two, &outcome, &mut logs.1);
                what.push_str(&format!(" {outcome};"));
            }
            Some(Step::Action(seat, action)) => {
                game.apply_unchecked(&mut one, seat, &action, &mut logs.0);
                game.apply_unchecked(&mut two, seat, &action, &mut logs.1);
                what.push_str(&format!(" {seat} {action};"));
            }
        }
        for viewer in blind {
            alike(game, (&one, &logs.0), (&two, &logs.1), viewer, &what, memory)?;
        }
    }
    Ok(())
}

/// A random step that is possible in both states.
fn common_step<G: Playable>(
    game: &G,
    one: &G::State,
    two: &G::State,
    memory: &mut Memory<G>,
) -> Result<Option<meeple_core::StepOf<G>>, Fault> {
    match game.phase(one) {
        Phase::Over => Ok(None),
        Phase::Chance => {
            for _ in 0..8 {
                let seed = meeple_core::EpisodeSeed::from_bits(memory.rng.bits());
                let outcome = game.sample_chance(one, &mut meeple_core::ChanceStreams::new(seed));
                if game.check_chance(two, &outcome).is_ok() {
                    return Ok(Some(Step::Chance(outcome)));
                }
            }
            Ok(None)
        }
        Phase::Decide(seats) => {
            let Some(seat) = seats.lowest() else { return Ok(None) };
            super::actions::something_to_do(game, one, seat)?;
            for _ in 0..8 {
                let action = game.sample_action(one, seat, &mut memory.rng, &mut Vec::new());
                if game.check(two, seat, &action).is_ok() && game.check(one, seat, &action).is_ok() {
                    return Ok(Some(Step::Action(seat, action)));
                }
            }
            Ok(None)
        }
    }
}

/// Law: states with equal keys for a viewer are equal in everything else that the viewer receives.
fn alike<G: Playable>(
    game: &G,
    (one, one_log): (&G::State, &EventLog<G::Event>),
    (two, two_log): (&G::State, &EventLog<G::Event>),
    viewer: Viewer,
    what: &str,
    memory: &mut Memory<G>,
) -> Held {
    let (left, right) = (Sight::of(game, one, viewer)?, Sight::of(game, two, viewer)?);
    let distinguished = left.key != right.key || left.owes != right.owes || left.over != right.over;
    if one == two || distinguished {
        return Ok(());
    }
    let why = format!("{what} {} has the same information key", viewer_text(viewer));
    left.hold_equal("equal-keys-look-alike", &right, &why)?;
    if let (Viewer::Seat(seat), Some(encoder)) = (viewer, &memory.encoder) {
        encoder.hold_alike(DETERMINED, game, (one, two), (seat, seat), || why.clone())?;
    }
    let (left, right) = (seen(one_log, viewer)?, seen(two_log, viewer)?);
    hold!(
        "events-keep-secrets",
        left == right,
        "{why}, but the events it sees differ {}",
        difference(&left, &right)
    );
    let seed = memory.rng.bits();
    let (mut left, mut right) = (game.initial_state(), game.initial_state());
    game.determinize(&game.observe(one, viewer), &mut Stream::from_seed(seed), &mut left);
    game.determinize(&game.observe(two, viewer), &mut Stream::from_seed(seed), &mut right);
    hold_same("determinize-sees-observation-only", &left, &right, || {
        format!("{why}, but `determinize` with the same seed gives different states")
    })
}

fn two_actions<G: Playable>(
    at: &Position<'_, G>,
    seat: Seat,
    memory: &mut Memory<G>,
) -> Option<(G::Action, G::Action)> {
    let mut sample = || at.game.sample_action(at.state, seat, &mut memory.rng, &mut Vec::new());
    let first = sample();
    let second = (0..8).map(|_| sample()).find(|other| *other != first)?;
    Some((first, second))
}

fn seen<E: serde::Serialize>(log: &EventLog<E>, viewer: Viewer) -> Result<String, Fault> {
    let events: Vec<&E> = log.seen_by(viewer).collect();
    granted("event-serialises", serde_json::to_string(&events), || "the events do not become JSON".into())
}

/// Simultaneous decisions may come in any order, and nobody sees an early one.
pub(crate) fn simultaneous<G: Playable>(at: &Position<'_, G>, memory: &mut Memory<G>) -> Held {
    let Phase::Decide(owing) = at.phase else { return Ok(()) };
    if owing.len() < 2 {
        return Ok(());
    }
    let game = at.game;
    let seats: Vec<Seat> = owing.collect();
    let mut plan: Vec<(Seat, G::Action)> = Vec::new();
    for seat in &seats {
        plan.push((*seat, game.sample_action(at.state, *seat, &mut memory.rng, &mut Vec::new())));
    }
    for (seat, action) in plan.first().into_iter().chain(plan.last()) {
        stored(at, &seats, *seat, action)?;
    }
    let mut in_order = at.state.clone();
    for (seat, action) in &plan {
        take(game, &mut in_order, *seat, action)?;
    }
    memory.rng.shuffle(&mut plan);
    let mut shuffled = at.state.clone();
    for (seat, action) in &plan {
        take(game, &mut shuffled, *seat, action)?;
    }
    let order: Vec<String> = plan.iter().map(|(seat, action)| format!("{seat} {action}")).collect();
    hold_same("simultaneous-order", &in_order, &shuffled, || {
        let order = order.join(", ");
        format!("decisions given by rising seat and in the order {order} lead to different states")
    })?;
    early(at, &seats, &plan[0], memory)
}

fn take<G: Playable>(game: &G, state: &mut G::State, seat: Seat, action: &G::Action) -> Held {
    granted("simultaneous-order", game.apply(state, seat, action, &mut NoEvents), || {
        format!(
            "{action} of seat {seat} is legal before the others of the same moment decided, and refused after"
        )
    })
}

/// A seat that has decided owes no more decision, and the others still do.
fn stored<G: Playable>(at: &Position<'_, G>, owing: &[Seat], seat: Seat, action: &G::Action) -> Held {
    let mut after = at.state.clone();
    at.game.apply_unchecked(&mut after, seat, action, &mut NoEvents);
    let left: Vec<Seat> = match at.game.phase(&after) {
        Phase::Decide(seats) => seats.collect(),
        Phase::Chance | Phase::Over => Vec::new(),
    };
    let rest: Vec<Seat> = owing.iter().filter(|other| **other != seat).copied().collect();
    hold!(
        "decisions-are-stored",
        left == rest,
        "{owing:?} owed decisions and seat {seat} gave one, but now {:?}",
        at.game.phase(&after)
    );
    Ok(())
}

/// One seat decides before the others: they see nothing of it.
fn early<G: Playable>(
    at: &Position<'_, G>,
    owing: &[Seat],
    (seat, action): &(Seat, G::Action),
    memory: &mut Memory<G>,
) -> Held {
    stored(at, owing, *seat, action)?;
    let game = at.game;
    let mut after = at.state.clone();
    let mut log = EventLog::new();
    game.apply_unchecked(&mut after, *seat, action, &mut log);
    let rest = owing.iter().filter(|other| *other != seat).copied();
    for other in memory.some_seats(rest, 6) {
        let before = Sight::of(game, at.state, Viewer::Seat(other))?;
        let now = Sight::of(game, &after, Viewer::Seat(other))?;
        before.hold_equal(
            "early-decisions-stay-secret",
            &now,
            &format!("seat {other} still owes a decision when seat {seat} has chosen {action}"),
        )?;
        hold!(
            "early-decisions-stay-secret",
            !log.entries().iter().any(|(audience, _)| audience.includes(Viewer::Seat(other))),
            "seat {other} still owes a decision, but sees an event of the early {action} of seat {seat}"
        );
    }
    // Spectators may see *that* a seat decided, but not its action.
    let Some((first, second)) = two_actions(at, *seat, memory) else { return Ok(()) };
    let (mut one, mut two) = (at.state.clone(), at.state.clone());
    let mut logs = (EventLog::new(), EventLog::new());
    game.apply_unchecked(&mut one, *seat, &first, &mut logs.0);
    game.apply_unchecked(&mut two, *seat, &second, &mut logs.1);
    let idle = Seat::all(game.seats()).filter(|other| !owing.contains(other));
    let mut viewers: Vec<Viewer> = memory.some_seats(idle, 3).into_iter().map(Viewer::Seat).collect();
    viewers.push(Viewer::Public);
    for viewer in viewers {
        let why = format!(
            "{} must not tell an early {first} of seat {seat} from an early {second}",
            viewer_text(viewer)
        );
        let (left, right) = (Sight::of(game, &one, viewer)?, Sight::of(game, &two, viewer)?);
        left.hold_equal("early-decisions-stay-secret", &right, &why)?;
        let (left, right) = (seen(&logs.0, viewer)?, seen(&logs.1, viewer)?);
        hold!("early-decisions-stay-secret", left == right, "{why}, but the events differ");
    }
    Ok(())
}

/// Audiences name seats of the table.
pub(crate) fn audiences<G: Playable>(at: &Position<'_, G>) -> Held {
    for (audience, event) in at.log.entries() {
        if let Audience::Seats(seats) = audience {
            for seat in *seats {
                hold!(
                    "audience-names-seats",
                    seat.index() < at.game.seats(),
                    "the event '{event}' is for seat {seat}, but there are {} seats",
                    at.game.seats()
                );
            }
        }
    }
    Ok(())
}
