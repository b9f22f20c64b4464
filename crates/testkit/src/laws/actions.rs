//! Laws of decisions: list, check, samples, text, refusals.

use meeple_core::{ActionKind, EventLog, NoEvents, Phase, Playable, Seat, Stream, Viewer};

use super::fault::{Held, granted, hash_of, hold, hold_same, text_form};
use super::memory::{Memory, Position};

/// Laws of the phase itself.
pub(crate) fn phase<G: Playable>(at: &Position<'_, G>, memory: &mut Memory<G>) -> Held {
    if let Phase::Decide(seats) = at.phase {
        hold!("decide-names-somebody", !seats.is_empty(), "the phase is Decide with an empty set of seats");
        for seat in seats {
            hold!(
                "decide-names-seats",
                seat.index() < at.game.seats(),
                "seat {seat} owes a decision, but there are {} seats",
                at.game.seats()
            );
        }
        for seat in seats {
            hold!(
                "who-is-out-stays-out",
                at.game.can_still_decide(at.state, seat) && !memory.out[seat.index()],
                "seat {seat} owes a decision, but it was said that it has none any more; hint: `can_still_decide`"
            );
        }
        if seats.len() > 1 {
            memory.counts.simultaneous += 1;
            hold!(
                "simultaneous-as-declared",
                at.game.info().simultaneous,
                "{seats:?} owe a decision at once, but INFO.simultaneous is false"
            );
        }
    }
    for (out, seat) in memory.out.iter_mut().zip(Seat::all(at.game.seats())) {
        *out |= !at.game.can_still_decide(at.state, seat);
    }
    Ok(())
}

/// Laws of the actions of a seat that owes a decision.
pub(crate) fn decision<G: Playable>(at: &Position<'_, G>, seat: Seat, memory: &mut Memory<G>) -> Held {
    let mut legal = Vec::new();
    at.game.legal_actions(at.state, seat, &mut legal);
    match at.game.info().actions {
        ActionKind::Listed => listed(at, seat, &legal)?,
        ActionKind::Structured => {
            hold!(
                "structured-lists-nothing",
                legal.is_empty() && at.game.action_bound() == 0,
                "structured actions are not listed and have no ids, found {} actions and the bound {}",
                legal.len(),
                at.game.action_bound()
            );
        }
    }
    let fallback = at.game.fallback_action(at.state, seat);
    granted("fallback-legal", at.game.check(at.state, seat, &fallback), || {
        format!("the fallback action {fallback} of seat {seat} is refused by `check`")
    })?;
    samples(at, seat, &legal, memory)?;
    for action in &legal {
        text(at, action)?;
    }
    foreign(at, seat, &legal, memory)
}

/// A seat that owes a decision has a legal action, here and in states that other laws reach.
pub(crate) fn something_to_do<G: Playable>(game: &G, state: &G::State, seat: Seat) -> Held {
    if game.info().actions == ActionKind::Listed {
        let mut legal = Vec::new();
        game.legal_actions(state, seat, &mut legal);
        hold!("list-not-empty", !legal.is_empty(), "seat {seat} owes a decision but has no legal action");
    }
    Ok(())
}

fn listed<G: Playable>(at: &Position<'_, G>, seat: Seat, legal: &[G::Action]) -> Held {
    something_to_do(at.game, at.state, seat)?;
    for pair in legal.windows(2) {
        hold!(
            "list-sorted-unique",
            pair[0] < pair[1],
            "legal actions of seat {seat} must be sorted without duplicates, but {} is followed by {}",
            pair[0],
            pair[1]
        );
    }
    let mut again = Vec::new();
    at.game.legal_actions(at.state, seat, &mut again);
    hold!("list-repeatable", again == legal, "legal actions of seat {seat} differ when asked for twice");
    let bound = at.game.action_bound();
    let mut ids = std::collections::BTreeMap::new();
    for action in legal {
        let id = at.game.action_id(at.state, seat, action);
        hold!("ids-below-bound", id < bound, "{action} has the id {id}, but the bound is {bound}");
        if let Some(other) = ids.insert(id, action) {
            hold!("ids-distinct", false, "{other} and {action} are both legal and share the id {id}");
        }
        granted("check-agrees-with-list", at.game.check(at.state, seat, action), || {
            format!("{action} is listed for seat {seat}, but `check` refuses it")
        })?;
    }
    let mut mask = vec![0; bound as usize];
    // The scratch memory has old content, which must not matter.
    at.game.mark_ids(at.state, seat, &mut legal.to_vec(), &mut mask);
    let marked = mask.iter().enumerate().filter(|(_, mark)| **mark == 1).map(|(id, _)| id as u32);
    hold!(
        "ids-marked",
        marked.eq(ids.keys().copied()),
        "a mask marks other ids than those of the legal actions"
    );
    // Only a sample is looked up, because each lookup may scan the whole list.
    for action in legal.iter().step_by(legal.len() / 4 + 1).chain(legal.last()) {
        let id = at.game.action_id(at.state, seat, action);
        let inverse = at.game.action_of(at.state, seat, id);
        hold!(
            "ids-invert",
            inverse.as_ref() == Some(action),
            "{action} has the id {id}, but the action of {id} is {inverse:?}"
        );
    }
    let mut drawn = Stream::from_seed(u64::from(bound) ^ ids.len() as u64);
    let some = (0..4).map(|_| drawn.below(bound.max(1)));
    let tried = (0..=bound).find(|id| !ids.contains_key(id)).into_iter().chain(some);
    for unused in tried.chain([bound.saturating_sub(1), bound, u32::MAX]).filter(|id| !ids.contains_key(id)) {
        let found = at.game.action_of(at.state, seat, unused);
        hold!(
            "ids-invert",
            found.is_none(),
            "no legal action has the id {unused}, but {found:?} is the action of it"
        );
    }
    Ok(())
}

fn samples<G: Playable>(
    at: &Position<'_, G>,
    seat: Seat,
    legal: &[G::Action],
    memory: &mut Memory<G>,
) -> Held {
    let full = at.game.info().actions == ActionKind::Listed && legal.len() <= 12 && memory.support_budget > 0;
    let draws = if full { 60 * legal.len() } else { 3 };
    if full && legal.len() > 1 {
        memory.support_budget -= 1;
    }
    let mut drawn = vec![false; legal.len()];
    let mut scratch = Vec::new();
    for _ in 0..draws {
        scratch.clear();
        let action = at.game.sample_action(at.state, seat, &mut memory.rng, &mut scratch);
        granted("samples-legal", at.game.check(at.state, seat, &action), || {
            format!("seat {seat} was given the random action {action}, which `check` refuses")
        })?;
        match at.game.info().actions {
            ActionKind::Listed => {
                let place = legal.binary_search(&action);
                hold!("samples-listed", place.is_ok(), "the random action {action} is not in the list");
                drawn[place.unwrap_or_default()] = true;
            }
            ActionKind::Structured => text(at, &action)?,
        }
        memory.remember_action(&action);
    }
    if full {
        for (action, drawn) in legal.iter().zip(drawn) {
            hold!(
                "samples-full-support",
                drawn,
                "{action} is legal for seat {seat} but did not come up in {draws} random actions"
            );
        }
    }
    Ok(())
}

fn text<G: Playable>(at: &Position<'_, G>, action: &G::Action) -> Held {
    let parsed = text_form(action, ["action-text-one-line", "action-text-round-trip"])?;
    hold!(
        "action-text-round-trip",
        hash_of(&parsed) == hash_of(action),
        "{action} has another hash when it has been read"
    );
    const TYPED: &str = "input-accepts-action-text";
    let read = at.game.read_input(&at.game.observe(at.state, Viewer::Public), &action.to_string());
    let read = granted(TYPED, read, || format!("'{action}' typed by a person is refused"))?;
    hold!(TYPED, read == *action, "'{action}' typed by a person becomes {read}");
    Ok(())
}

/// Listed actions are accepted. Actions from other positions are refused exactly when they are illegal, and
/// then change nothing.
fn foreign<G: Playable>(
    at: &Position<'_, G>,
    seat: Seat,
    legal: &[G::Action],
    memory: &mut Memory<G>,
) -> Held {
    for action in legal.iter().take(40) {
        applied(at, seat, action, "apply-agrees-with-list")?;
    }
    for action in memory.foreign_actions(12) {
        let verdict = at.game.check(at.state, seat, &action);
        if at.game.info().actions == ActionKind::Listed {
            let is_listed = legal.binary_search(&action).is_ok();
            hold!(
                "check-agrees-with-list",
                verdict.is_ok() == is_listed,
                "{action} is {} for seat {seat}, but `check` {}",
                if is_listed { "listed" } else { "not listed" },
                match &verdict {
                    Ok(()) => "accepts it".to_owned(),
                    Err(illegal) => format!("refuses it: {}", illegal.reason),
                }
            );
        }
        match verdict {
            Ok(()) => {
                applied(at, seat, &action, "apply-agrees-with-check")?;
            }
            Err(illegal) => {
                hold!(
                    "reason-given",
                    !illegal.reason.trim().is_empty(),
                    "{action} of seat {seat} is refused without a reason"
                );
                refused(at, seat, &action, "illegal-changes-nothing", memory)?;
            }
        }
    }
    Ok(())
}

/// A legal action is accepted, and `apply_unchecked` without events leads to the same state as `apply` with a
/// log.
fn applied<G: Playable>(at: &Position<'_, G>, seat: Seat, action: &G::Action, law: &'static str) -> Held {
    let (mut checked, mut unchecked) = (at.state.clone(), at.state.clone());
    let applied = at.game.apply(&mut checked, seat, action, &mut EventLog::new());
    granted(law, applied, || format!("`apply` refuses {action} of seat {seat}, which is legal"))?;
    at.game.apply_unchecked(&mut unchecked, seat, action, &mut NoEvents);
    hold_same("unchecked-twin", &checked, &unchecked, || {
        format!("`apply` and `apply_unchecked` of {action} by seat {seat} lead to different states")
    })
}

fn refused<G: Playable>(
    at: &Position<'_, G>,
    seat: Seat,
    action: &G::Action,
    law: &'static str,
    memory: &mut Memory<G>,
) -> Held {
    memory.used.clone_from(at.state);
    let mut log = EventLog::new();
    let applied = at.game.apply(&mut memory.used, seat, action, &mut log);
    hold!(law, applied.is_err(), "`apply` takes {action} of seat {seat}, which should be refused");
    hold_same(law, at.state, &memory.used, || {
        format!("`apply` refuses {action} of seat {seat} but changes the state")
    })?;
    hold!(law, log.is_empty(), "`apply` refuses {action} of seat {seat} but emits events");
    Ok(())
}

/// Seats that owe no decision are refused in every phase.
pub(crate) fn bystanders<G: Playable>(at: &Position<'_, G>, memory: &mut Memory<G>) -> Held {
    let law = match at.phase {
        Phase::Over => "over-refuses",
        Phase::Chance => "chance-phase-refuses",
        Phase::Decide(_) => "bystanders-refused",
    };
    let idle = Seat::all(at.game.seats()).filter(|seat| !at.phase.owes(*seat));
    for seat in memory.some_seats(idle, 4) {
        for action in memory.foreign_actions(3) {
            refused(at, seat, &action, law, memory)?;
        }
    }
    Ok(())
}
