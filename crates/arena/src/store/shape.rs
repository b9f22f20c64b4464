use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::plan::TournamentPlan;
use crate::row::PlayedEpisode;
use crate::schedule::Kind;

/// The text of a list in the database.
pub(super) fn list<T: Serialize>(values: &[T]) -> String {
    serde_json::to_string(values).expect("numbers are plain data")
}

/// Reads a list that [`list`] has written.
pub(super) fn unlist<T: DeserializeOwned + Serialize>(
    row: &rusqlite::Row<'_>,
    column: usize,
) -> rusqlite::Result<Vec<T>> {
    let text = row.get_ref(column)?.as_str()?;
    let values: Vec<T> =
        serde_json::from_str(text).map_err(|error| impossible(row, column, &error.to_string()))?;
    match list(&values) {
        written if written == text => Ok(values),
        written => Err(impossible(row, column, &format!("expected the text '{written}', found '{text}'"))),
    }
}

/// Largest stored number; sums of hundreds of such numbers fit 64 bits.
const LARGEST: i64 = 1 << 53;

/// Reads a number from 0 to [`LARGEST`].
pub(super) fn number(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    match u64::try_from(value) {
        Ok(number) if value <= LARGEST => Ok(number),
        _ => Err(impossible(row, column, &format!("expected a number from 0 to {LARGEST}, found {value}"))),
    }
}

/// As [`number`]; `None` for NULL.
pub(super) fn perhaps(row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<Option<u64>> {
    row.get::<_, Option<i64>>(column)?.map(|_| number(row, column)).transpose()
}

/// The error for a row that this program never writes.
pub(super) fn impossible(row: &rusqlite::Row<'_>, column: usize, reason: &str) -> rusqlite::Error {
    let name = row.as_ref().column_name(column).unwrap_or("?");
    let key = row.as_ref().column_name(0).unwrap_or("?");
    let value = row.get::<_, i64>(0).map_or("?".to_owned(), |value| value.to_string());
    let reason = format!("the row with {key} {value}, column {name}: {reason}");
    rusqlite::Error::FromSqlConversionFailure(column, rusqlite::types::Type::Text, reason.into())
}

/// Constraints of the plan on every row, so readers can trust its numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    competitors: usize,
    rotations: u16,
    seats: usize,
    groups: u64,
}

impl Shape {
    pub(super) fn of(plan: &TournamentPlan) -> Self {
        let schedule = &plan.schedule;
        let seats = if schedule.kind == Kind::Alone { 1 } else { usize::from(schedule.table) };
        Self {
            competitors: plan.competitors.len(),
            rotations: schedule.rotations,
            seats,
            groups: schedule.groups(),
        }
    }

    pub(super) fn competitor(&self, row: &rusqlite::Row<'_>, column: usize) -> rusqlite::Result<u16> {
        let found: u16 = row.get(column)?;
        if usize::from(found) < self.competitors {
            return Ok(found);
        }
        let reason = format!("expected a competitor below {}, found {found}", self.competitors);
        Err(impossible(row, column, &reason))
    }

    pub(super) fn check(&self, row: &PlayedEpisode) -> Result<(), String> {
        let (seats, pairing) = (self.seats, &row.pairing);
        let expect = |fits: bool, what: &str, found: &dyn std::fmt::Debug| {
            if fits { Ok(()) } else { Err(format!("expected {what}, found {found:?}")) }
        };
        let known = pairing.seats.iter().all(|own| usize::from(*own) < self.competitors);
        expect(
            known && pairing.seats.len() == seats,
            &format!("a seating of {seats} competitors below {}", self.competitors),
            &pairing.seats,
        )?;
        expect(pairing.group < self.groups, &format!("a deal below {}", self.groups), &pairing.group)?;
        let rotations = self.rotations.max(1);
        expect(pairing.rotation < rotations, &format!("a rotation below {rotations}"), &pairing.rotation)?;
        let small = row.scores.iter().all(|score| score.unsigned_abs() <= LARGEST as u64);
        expect(small && row.scores.len() == seats, &format!("{seats} scores"), &row.scores)?;
        expect(row.places.len() == seats, &format!("{seats} places"), &row.places)?;
        // Without winners, everybody must have forfeited.
        expect(row.winners > 0 || row.forfeits.len() == seats, "at least one winner", &row.winners)?;
        let seated = row.forfeits.iter().all(|seat| usize::from(*seat) < seats);
        expect(seated, &format!("forfeits of seats below {seats}"), &row.forfeits)
    }
}
