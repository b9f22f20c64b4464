//! The original's game record: the start position and the changes of every turn.
//!
//! ```text
//! { "owners": n x n ids, "numbers": n x n counts,
//!   "diffs": [ { "round": 0-based, "owner": whose turn, "owners": [[row, column, id], …],
//!                "numbers": [[row, column, count], …] }, … ] }
//! ```
//!
//! A record has no moves, coins, names or seeds. So it can be shown and checked, but not replayed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::board::Board;
use crate::event::{Change, Event};
use crate::max_flow;
use crate::variant::MAX_SIZE;

/// A record whose values are all in range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    size: usize,
    /// Owner of each square at the start, row by row.
    owners: Vec<u16>,
    /// Pieces on each square at the start, row by row.
    numbers: Vec<i64>,
    turns: Vec<RecordedTurn>,
}

/// A square with a new count: row, column, count. The original accepted moves of negative counts. They create
/// pieces on their origin and leave negative counts on their target.
pub type CountChange = (u8, u8, i64);

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RecordedTurn {
    /// Round, from 0.
    pub round: u32,
    pub owner: u16,
    pub owners: Vec<Change>,
    pub numbers: Vec<CountChange>,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    /// The text is not JSON of the right shape.
    #[error("expected a game record in JSON: {0}")]
    Syntax(String),
    /// A value is out of range: its place, and the reason.
    #[error("{place}: {reason}")]
    Value { place: String, reason: String },
    /// A turn is impossible: its index in the file from 0, its round and owner, and the reason.
    #[error("diff {diff} (round {round}, owner {owner}): {reason}")]
    Turn { diff: usize, round: u32, owner: u16, reason: String },
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RecordSummary {
    /// Number of squares along each side.
    pub size: usize,
    pub pieces: u64,
    /// Number of rounds that were started.
    pub rounds: u32,
    pub turns: usize,
    /// Owners in the order of their turns in the first round.
    pub turn_order: Vec<u16>,
    /// True if one owner holds all pieces at the end.
    pub one_side: bool,
    /// Turns that only negative counts or their consequences explain, each with the error without them.
    pub negative_counts: Vec<String>,
    /// Number of owners with pieces at the end.
    pub sides: usize,
    /// Owners with the most squares at the end.
    pub winners: Vec<u16>,
    /// The number of squares of each winner.
    pub most_squares: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRecord {
    owners: Vec<Vec<i64>>,
    numbers: Vec<Vec<i64>>,
    diffs: Vec<RawTurn>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTurn {
    round: i64,
    owner: i64,
    owners: Vec<[i64; 3]>,
    numbers: Vec<[i64; 3]>,
}

fn within<T: TryFrom<i64>>(place: impl FnOnce() -> String, value: i64, most: i64) -> Result<T, RecordError> {
    T::try_from(value).ok().filter(|_| (0..=most).contains(&value)).ok_or_else(|| RecordError::Value {
        place: place(),
        reason: format!("expected a number from 0 to {most}, found {value}"),
    })
}

/// Parses a square table, row by row.
fn table<T: TryFrom<i64>>(
    name: &str,
    size: usize,
    rows: &[Vec<i64>],
    most: i64,
) -> Result<Vec<T>, RecordError> {
    let wrong = |place: String, reason: String| Err(RecordError::Value { place, reason });
    if rows.len() != size {
        return wrong(name.into(), format!("expected {size} rows, found {}", rows.len()));
    }
    let mut values = Vec::with_capacity(size * size);
    for (row, entries) in rows.iter().enumerate() {
        if entries.len() != size {
            return wrong(
                format!("{name}, row {row}"),
                format!("expected {size} entries, found {}", entries.len()),
            );
        }
        for (column, value) in entries.iter().enumerate() {
            values.push(within(|| format!("{name}, row {row}, column {column}"), *value, most)?);
        }
    }
    Ok(values)
}

impl Record {
    /// Parses the text form. [`check`](Self::check) then tests if the turns are possible.
    ///
    /// # Errors
    /// At the first place with a wrong format; the error has the reason.
    pub fn parse(text: &str) -> Result<Self, RecordError> {
        let raw: RawRecord =
            serde_json::from_str(text).map_err(|error| RecordError::Syntax(error.to_string()))?;
        let size = raw.owners.len();
        if !(1..=MAX_SIZE).contains(&size) {
            return Err(RecordError::Value {
                place: "owners".into(),
                reason: format!("expected 1 to {MAX_SIZE} rows, found {size}"),
            });
        }
        let most_id = (size * size - 1) as i64;
        let mut turns = Vec::with_capacity(raw.diffs.len());
        for (index, diff) in raw.diffs.iter().enumerate() {
            let place =
                |name: &str, entry: usize, what: &str| format!("diff {index}, {name}, entry {entry}, {what}");
            let changes = |name: &'static str, list: &[[i64; 3]]| {
                let change =
                    |(entry, [row, column, value]): (usize, &[i64; 3])| -> Result<CountChange, RecordError> {
                        Ok((
                            within(|| place(name, entry, "row"), *row, size as i64 - 1)?,
                            within(|| place(name, entry, "column"), *column, size as i64 - 1)?,
                            *value,
                        ))
                    };
                list.iter().enumerate().map(change).collect::<Result<Vec<_>, _>>()
            };
            let owner = |(entry, (row, column, value)): (usize, CountChange)| -> Result<Change, RecordError> {
                Ok((row, column, within(|| place("owners", entry, "value"), value, most_id)?))
            };
            turns.push(RecordedTurn {
                round: within(|| format!("diff {index}, round"), diff.round, u32::MAX.into())?,
                owner: within(|| format!("diff {index}, owner"), diff.owner, most_id)?,
                owners: changes("owners", &diff.owners)?
                    .into_iter()
                    .enumerate()
                    .map(owner)
                    .collect::<Result<_, _>>()?,
                numbers: changes("numbers", &diff.numbers)?,
            });
        }
        Ok(Self {
            size,
            owners: table("owners", size, &raw.owners, most_id)?,
            numbers: table::<u32>("numbers", size, &raw.numbers, u32::MAX.into())?
                .into_iter()
                .map(i64::from)
                .collect(),
            turns,
        })
    }

    /// The text form: one line of JSON. Parsing it gives an equal record.
    pub fn to_text(&self) -> String {
        /// The fields in the original's order. Serialising through a tree of JSON values would take several
        /// times as long.
        #[derive(Serialize)]
        struct Fields<'a> {
            owners: Vec<&'a [u16]>,
            numbers: Vec<&'a [i64]>,
            diffs: &'a [RecordedTurn],
        }
        let fields = Fields {
            owners: self.owners.chunks(self.size).collect(),
            numbers: self.numbers.chunks(self.size).collect(),
            diffs: &self.turns,
        };
        serde_json::to_string(&fields).expect("numbers and lists can be written") + "\n"
    }

    /// The record of a game, from its events; `None` if the game was interrupted before the first turn.
    pub fn from_events<'a>(events: impl IntoIterator<Item = &'a Event>) -> Option<Self> {
        let mut record: Option<Self> = None;
        let mut ready = false;
        for event in events {
            match event {
                Event::Board { size, owners, numbers } => {
                    record = Some(Self {
                        size: usize::from(*size),
                        owners: owners.clone(),
                        numbers: numbers.iter().copied().map(i64::from).collect(),
                        turns: Vec::new(),
                    });
                }
                Event::TurnOrder { .. } => ready = true,
                Event::Turn(turn) => {
                    record.as_mut()?.turns.push(RecordedTurn {
                        round: turn.round().into(),
                        owner: turn.owner(),
                        owners: turn.owners().to_vec(),
                        numbers: turn
                            .numbers()
                            .iter()
                            .map(|(row, column, number)| (*row, *column, i64::from(*number)))
                            .collect(),
                    });
                }
                Event::Coin { row, column, from, owner } if from != owner => {
                    let changes = &mut record.as_mut()?.turns.last_mut()?.owners;
                    let change = (*row, *column, u32::from(*owner));
                    let at = changes.partition_point(|other| *other < change);
                    changes.insert(at, change);
                }
                Event::Coin { .. } | Event::End { .. } => {}
            }
        }
        record.filter(|_| ready)
    }

    /// The same game with these ids for the seats, as the original's program numbers its players. The other
    /// owners get the remaining ids in order. If the number of owners is one of the given ids, these ids
    /// count from one, and otherwise from zero. `None` if an id is duplicate or still out of range.
    pub fn with_ids(mut self, numbers: &[u16]) -> Option<Self> {
        let all = self.owners.len() as u16;
        let first = u16::from(numbers.contains(&all));
        let mut ids: Vec<u16> = numbers.iter().map(|id| id.checked_sub(first)).collect::<Option<_>>()?;
        if ids.iter().enumerate().any(|(seat, id)| *id >= all || ids[..seat].contains(id)) {
            return None;
        }
        ids.extend((0..all).filter(|id| !ids.contains(id)).collect::<Vec<_>>());
        let id = |owner: u16| ids[usize::from(owner)];
        self.owners.iter_mut().for_each(|owner| *owner = id(*owner));
        for turn in &mut self.turns {
            turn.owner = id(turn.owner);
            turn.owners.iter_mut().for_each(|(_, _, owner)| *owner = id(*owner as u16).into());
        }
        Some(self)
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn turns(&self) -> &[RecordedTurn] {
        &self.turns
    }

    /// Owner and count of each square after `turns` turns. The number 0 gives the start, and any number above
    /// that of the turns gives the end.
    pub fn board_after(&self, turns: usize) -> (Vec<u16>, Vec<i64>) {
        let mut board = (self.owners.clone(), self.numbers.clone());
        self.turns.iter().take(turns).for_each(|turn| self.apply(turn, &mut board));
        board
    }

    /// Owner and count of each square at the start and after every turn.
    pub fn boards(&self) -> impl Iterator<Item = (Vec<u16>, Vec<i64>)> + use<> {
        let record = self.clone();
        let mut board = self.board_after(0);
        (0..=self.turns.len()).map(move |turn| {
            if let Some(last) = turn.checked_sub(1) {
                record.apply(&record.turns[last], &mut board);
            }
            board.clone()
        })
    }

    fn apply(&self, turn: &RecordedTurn, (owners, numbers): &mut (Vec<u16>, Vec<i64>)) {
        for (row, column, owner) in &turn.owners {
            owners[usize::from(*row) * self.size + usize::from(*column)] = *owner as u16;
        }
        for (row, column, number) in &turn.numbers {
            numbers[usize::from(*row) * self.size + usize::from(*column)] = *number;
        }
    }

    /// Checks that the turns are possible under the rules, and summarises the game.
    ///
    /// At the start, every id must have one square, and all squares the same number of pieces. Turns must
    /// come in the same order in every round, and no owner of a square may be skipped. The number of pieces
    /// must be constant. Pieces may leave only squares of the mover and arrive only next to them. A square
    /// must change its owner exactly if the majority rule says so. One list of departures must explain all
    /// counts, and every listed change must change a value.
    ///
    /// The original also accepted departures of negative counts. A turn that only they explain is listed in
    /// [`RecordSummary::negative_counts`]. It must not change the total of pieces either.
    ///
    /// # Errors
    /// At the first impossible turn; the error has the reason.
    pub fn check(&self) -> Result<RecordSummary, RecordError> {
        self.check_start()?;
        let board = Board::new(self.size);
        let mut now = self.board_after(0);
        let mut order: Vec<u16> = Vec::new();
        // Owners still due in the current round, last first. The first round fills `order` instead.
        let mut due: Vec<u16> = Vec::new();
        let mut round = 0;
        let mut negative_counts = Vec::new();
        for (diff, turn) in self.turns.iter().enumerate() {
            let wrong =
                |reason: String| RecordError::Turn { diff, round: turn.round, owner: turn.owner, reason };
            let before = now.clone();
            let (owners, numbers) = (&before.0[..], &before.1[..]);
            // With negative counts on the board, the original may miss the end of the game, so the end is not
            // required.
            if one_side(owners, numbers) && diff > 0 && negative_counts.is_empty() {
                return Err(wrong("expected no turn after one side holds all pieces".into()));
            }
            let lives = |owner: &u16| owners.contains(owner);
            while due.last().is_some_and(|owner| !lives(owner)) {
                due.pop();
            }
            if turn.round != round {
                if turn.round != round + 1 {
                    return Err(wrong(format!("expected round {round} or {}", round + 1)));
                }
                let left_out = if round == 0 {
                    owners.iter().copied().find(|owner| !order.contains(owner))
                } else {
                    due.last().copied()
                };
                if let Some(owner) = left_out {
                    return Err(wrong(format!(
                        "expected owner {owner} to have its turn in round {round} first"
                    )));
                }
                round = turn.round;
                due = order.iter().rev().copied().filter(|owner| lives(owner)).collect();
            }
            if !lives(&turn.owner) {
                return Err(wrong("expected an owner with a square, found one without".into()));
            }
            if round == 0 {
                if order.contains(&turn.owner) {
                    return Err(wrong("expected one turn for each owner in a round, found a second".into()));
                }
                order.push(turn.owner);
            } else {
                match due.pop() {
                    Some(next) if next == turn.owner => {}
                    Some(next) => return Err(wrong(format!("expected the turn of owner {next}"))),
                    None => return Err(wrong("expected one turn for each owner in a round".into())),
                }
            }
            check_changes(self.size, turn, owners, numbers).map_err(wrong)?;
            self.apply(turn, &mut now);
            let after = (&now.0[..], &now.1[..]);
            let reason = match without_negative(numbers, after.1) {
                Some((before, now)) => {
                    check_turn(&board, turn.owner, (owners, &before), (after.0, &now)).err()
                }
                None => Some("expected no change of a square with fewer than no pieces".to_owned()),
            };
            if let Some(reason) = reason {
                let error = wrong(reason);
                if !is_explained_by_negative_counts(&board, turn.owner, (owners, numbers), after) {
                    return Err(error);
                }
                negative_counts.push(error.to_string());
            }
        }
        Ok(RecordSummary { negative_counts, ..self.sum_up(&now.0, &now.1, order, round) })
    }

    fn check_start(&self) -> Result<(), RecordError> {
        let wrong = |list: &str, square: usize, reason: String| {
            let place = format!("{list}, row {}, column {}", square / self.size, square % self.size);
            Err(RecordError::Value { place, reason })
        };
        let mut seen = vec![false; self.owners.len()];
        for (square, owner) in self.owners.iter().enumerate() {
            if std::mem::replace(&mut seen[usize::from(*owner)], true) {
                return wrong(
                    "owners",
                    square,
                    format!("expected every id once, found {owner} a second time"),
                );
            }
        }
        let first = self.numbers[0];
        if let Some(square) = self.numbers.iter().position(|number| *number != first || *number == 0) {
            let found = self.numbers[square];
            let expected = "expected the same number of pieces, at least 1, on every square";
            return wrong("numbers", square, format!("{expected}, found {found} and {first}"));
        }
        Ok(())
    }

    fn sum_up(&self, owners: &[u16], numbers: &[i64], turn_order: Vec<u16>, round: u32) -> RecordSummary {
        let (mut squares, mut pieces) = (vec![0u32; owners.len()], vec![0i128; owners.len()]);
        for (owner, number) in owners.iter().zip(numbers) {
            squares[usize::from(*owner)] += 1;
            pieces[usize::from(*owner)] += i128::from(*number);
        }
        let most_squares = squares.iter().copied().max().unwrap_or(0);
        let winners = (0..owners.len()).filter(|owner| squares[*owner] == most_squares);
        RecordSummary {
            size: self.size,
            // The number at the start, when no count can be negative.
            pieces: self.numbers.iter().map(|number| number.unsigned_abs()).sum(),
            rounds: if self.turns.is_empty() { 0 } else { round + 1 },
            turns: self.turns.len(),
            turn_order,
            one_side: one_side(owners, numbers),
            negative_counts: Vec::new(),
            sides: pieces.iter().filter(|pieces| **pieces > 0).count(),
            winners: winners.map(|owner| owner as u16).collect(),
            most_squares,
        }
    }
}

/// Returns true if all pieces belong to one owner.
fn one_side(owners: &[u16], numbers: &[i64]) -> bool {
    let mut holders = owners.iter().zip(numbers).filter(|(_, number)| **number > 0).map(|(owner, _)| owner);
    let first = holders.next();
    holders.all(|owner| Some(owner) == first)
}

fn check_changes(size: usize, turn: &RecordedTurn, owners: &[u16], numbers: &[i64]) -> Result<(), String> {
    let owner = |(row, column, owner): &Change| (*row, *column, i64::from(*owner));
    let lists = [("owners", turn.owners.iter().map(owner).collect()), ("numbers", turn.numbers.clone())];
    for (name, changes) in lists {
        let mut seen = BTreeSet::new();
        for (row, column, value) in changes {
            let at = format!("{name}, row {row}, column {column}");
            if !seen.insert((row, column)) {
                return Err(format!("{at}: expected every square once, found it again"));
            }
            let square = usize::from(row) * size + usize::from(column);
            let now = if name == "owners" { i64::from(owners[square]) } else { numbers[square] };
            if now == value {
                return Err(format!("{at}: expected a change, found {value} as before"));
            }
        }
    }
    Ok(())
}

/// The counts of both boards, if they are in the range of a game. A square with a negative count that does
/// not change counts as empty.
fn without_negative(before: &[i64], after: &[i64]) -> Option<(Vec<u32>, Vec<u32>)> {
    let both = before.iter().zip(after).map(|(before, after)| {
        let idle = before == after && *before < 0;
        if idle { Some((0, 0)) } else { Some((u32::try_from(*before).ok()?, u32::try_from(*after).ok()?)) }
    });
    both.collect()
}

/// Returns true if one turn of `mover`, with negative counts allowed, can lead from one board to the other.
/// Pieces may then leave any square next to the mover's, but the total and the majority rule still hold.
fn is_explained_by_negative_counts(
    board: &Board,
    mover: u16,
    before: (&[u16], &[i64]),
    after: (&[u16], &[i64]),
) -> bool {
    let total = |numbers: &[i64]| numbers.iter().map(|number| i128::from(*number)).sum::<i128>();
    let possible = |square: usize| {
        let (owner, now) = (before.0[square], after.0[square]);
        let (stay, number) = (i128::from(before.1[square]), i128::from(after.1[square]));
        let arrivals = number - stay;
        if owner == mover {
            return now == mover;
        }
        let reached = board.neighbours[square].iter().any(|next| before.0[usize::from(*next)] == mover);
        if now == owner {
            return arrivals == 0 || reached && (arrivals < 0 || arrivals <= stay);
        }
        // If negative arrivals meet a negative count, the majority is undetermined.
        now == mover && reached && arrivals >= stay && (arrivals > 0 || arrivals < 0 && stay < 0)
    };
    total(before.1) == total(after.1) && (0..before.0.len()).all(possible)
}

/// Checks that one turn of `mover` can lead from one board to the other.
fn check_turn(
    board: &Board,
    mover: u16,
    before: (&[u16], &[u32]),
    after: (&[u16], &[u32]),
) -> Result<(), String> {
    let total = |numbers: &[u32]| numbers.iter().map(|number| u64::from(*number)).sum::<u64>();
    if total(before.1) != total(after.1) {
        return Err(format!("expected {} pieces on the board, found {}", total(before.1), total(after.1)));
    }
    for square in 0..before.0.len() {
        let place = board.places[square];
        let at = format!("row {}, column {}", place.row, place.column);
        let (owner, now) = (before.0[square], after.0[square]);
        let (stay, number) = (before.1[square], after.1[square]);
        let own = owner == mover;
        if number < stay && !own {
            return Err(format!("{at}: expected pieces to leave squares of the mover only, found {owner}'s"));
        }
        let reachable = || {
            board.neighbours[square]
                .iter()
                .any(|next| before.0[usize::from(*next)] == mover && before.1[usize::from(*next)] > 0)
        };
        if number > stay && !reachable() {
            return Err(format!("{at}: expected arrivals only next to pieces of the mover"));
        }
        let arrivals = number.saturating_sub(stay);
        let may_fall = !own && arrivals > 0 && arrivals >= stay;
        let must_fall = !own && arrivals > stay;
        if now != owner && (now != mover || !may_fall) {
            return Err(format!(
                "{at}: expected it to stay with {owner} ({arrivals} arrivals against {stay}), found {now}"
            ));
        }
        if now == owner && must_fall {
            return Err(format!(
                "{at}: expected it to fall to the mover ({arrivals} arrivals against {stay}), found {now}"
            ));
        }
    }
    max_flow::explained(board, mover, before, after.1)
}
