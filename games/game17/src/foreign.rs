//! Game records of the original, for display.

use meeple_core::{ForeignRecord, ForeignRecordError};

use crate::event::{count, names};
use crate::record::{Record, RecordError, RecordSummary};
use crate::screen::{Picture, board_screen};
use crate::style::BoardStyle;

/// The caption of the board after the first `turn` turns.
pub(crate) fn caption(record: &Record, turn: usize) -> String {
    match turn.checked_sub(1).map(|index| &record.turns()[index]) {
        None => "start".to_owned(),
        Some(taken) => format!("round {}, after the turn of {}", u64::from(taken.round) + 1, taken.owner),
    }
}

/// Reads a record of the original; `None` if the text does not look like one. A record is a JSON object with
/// start boards and differences.
pub(crate) fn foreign_record(
    text: &str,
    looks: &[String],
) -> Option<Result<ForeignRecord, ForeignRecordError>> {
    let text = text.trim_start();
    let head = &text[..text.floor_char_boundary(200)];
    let keys = ["\"owners\"", "\"numbers\"", "\"diffs\""];
    let meant = head.starts_with('{') && keys.iter().any(|key| head.contains(key));
    meant.then(|| read(text, looks))
}

fn read(text: &str, looks: &[String]) -> Result<ForeignRecord, ForeignRecordError> {
    let wrong = |error: RecordError| ForeignRecordError::Record(error.to_string());
    let record = Record::parse(text).map_err(wrong)?;
    let summary = record.check().map_err(wrong)?;
    let mut style = BoardStyle::ids();
    let mut counts = false;
    for word in looks {
        match word.as_str() {
            "counts" => counts = true,
            _ => style
                .add_player(word, record.size())
                .map_err(|error| ForeignRecordError::Look(format!("--look: {error}, or counts")))?,
        }
    }
    if counts {
        style = style.with_counts();
    }
    let mut boards = record.boards();
    let mut turn = 0;
    let frames = std::iter::from_fn(move || {
        let (owners, numbers) = boards.next()?;
        let caption = caption(&record, turn);
        turn += 1;
        let picture =
            Picture { size: record.size(), owners: &owners, numbers: numbers.into(), caption: &caption };
        Some(board_screen(&picture, &style))
    });
    Ok(ForeignRecord { summary: summary_text(&summary), frames: Box::new(frames) })
}

fn summary_text(summary: &RecordSummary) -> String {
    let negative = match summary.negative_counts.len() {
        0 => String::new(),
        turns => format!("; moves of negative counts in {}", count(turns as i64, "turn")),
    };
    format!(
        "{}, {}; most squares: {} with {}; sides left: {}{negative}",
        count(summary.rounds.into(), "round"),
        count(summary.turns as i64, "turn"),
        names(&summary.winners),
        summary.most_squares,
        summary.sides
    )
}
