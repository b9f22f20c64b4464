//! The briefing of a player before its turn: changes of its squares, and captures that are possible now.

use meeple_core::Seat;

use crate::event::Event;
use crate::observe::Observation;
use crate::record::Record;
use crate::style::BoardStyle;

pub(crate) fn since_last_turn(
    seen: &Observation<'_>,
    events: &[&Event],
    seat: Seat,
    style: &BoardStyle,
) -> Option<String> {
    let own = seat.index() as u16;
    // The board after the player's last turn and its coin tosses; before the first turn, the start.
    let record = Record::from_events(events.iter().copied())?;
    let last = record.turns().iter().rposition(|turn| turn.owner == own);
    let (owners, numbers) = record.board_after(last.map_or(0, |last| last + 1));
    let at = |square: usize| {
        let place = seen.place(square);
        format!("{},{}", place.row, place.column)
    };
    let mut parts = Vec::new();
    for (square, (before, now)) in owners.iter().zip(seen.owners()).enumerate() {
        let (then, count) = (numbers[square], i64::from(seen.numbers()[square]));
        if *before == own && *now != own {
            parts.push(format!("lost {} to {}", at(square), style.title(*now)));
        } else if *before == own && *now == own && count > then {
            parts.push(format!("{} withstood, +{}", at(square), count - then));
        }
    }
    let squares = owners.iter().filter(|owner| **owner == own).count();
    if squares == 0 {
        return None;
    }
    const MAX_PARTS: usize = 6;
    let more = parts.len().saturating_sub(MAX_PARTS);
    parts.truncate(MAX_PARTS);
    if parts.is_empty() {
        parts.push("nobody came".to_owned());
    }
    let rest = if more > 0 { format!("; and {more} more") } else { String::new() };
    Some(format!("your squares since your last turn: {}{rest}", parts.join("; ")))
}

/// A square adjacent to one of the mover's, and the effect of an attack on it.
pub(crate) struct Target {
    /// The input that sends all pieces of the mover's square there.
    pub text: String,
    pub effect: String,
    /// Attackers minus defenders: above 0 the square is taken, at 0 a coin decides.
    ahead: i64,
}

/// Possible captures with all pieces of one square, best first. Certain ones precede coins; then a larger
/// surplus of attackers comes first.
pub(crate) fn targets(seen: &Observation<'_>, seat: Seat, style: &BoardStyle) -> Vec<Target> {
    let own = seat.index() as u16;
    let mut targets = Vec::new();
    for square in seen.squares(seat) {
        let count = seen.numbers()[square];
        if count == 0 {
            continue;
        }
        let from = seen.place(square);
        for (next, direction) in seen.neighbours(square).into_iter().zip(["north", "south", "east", "west"]) {
            let (owner, stands) = (seen.owners()[next], seen.numbers()[next]);
            if owner == own || stands > count {
                continue;
            }
            let to = seen.place(next);
            let how = if stands == count { "a coin decides" } else { "takes it" };
            targets.push(Target {
                text: format!("{},{} {direction}", from.row, from.column),
                effect: format!(
                    "{count} to {},{}, where {stands} of {} stand: {how}",
                    to.row,
                    to.column,
                    style.title(owner)
                ),
                ahead: i64::from(count) - i64::from(stands),
            });
        }
    }
    targets.sort_by_key(|target| (target.ahead == 0, std::cmp::Reverse(target.ahead)));
    targets
}
