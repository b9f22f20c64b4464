//! News and actions in compact lines.

use meeple_scene::{Ink, Line, Span, wrapped};

/// The latest events in at most `most` lines; if some are left out, `where_all` names their place.
pub fn news(events: &[String], columns: usize, most: usize, where_all: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut shown = 0;
    for event in events.iter().rev() {
        let pieces = wrapped(&[Span { text: event.clone(), ink: Ink::plain().dim() }], columns, 2);
        // One line is reserved for the number of omitted events.
        let spare = usize::from(shown + 1 < events.len());
        if lines.len() + pieces.len() + spare > most {
            break;
        }
        lines.splice(..0, pieces);
        shown += 1;
    }
    let left_out = events.len() - shown;
    if left_out > 0 && most > 0 {
        let text = format!("* … {left_out} more before{where_all}");
        lines.insert(0, vec![Span { text, ink: Ink::plain().dim() }]);
    }
    lines
}

pub fn actions(legal: &[String], columns: usize, most: usize) -> Vec<Line> {
    let mut lines: Vec<String> = Vec::new();
    for (index, action) in legal.iter().enumerate() {
        let item = format!("  {}) {action}", index + 1);
        let fits =
            |line: &String| meeple_scene::text_columns(line) + meeple_scene::text_columns(&item) <= columns;
        match lines.last_mut() {
            Some(line) if fits(line) => line.push_str(&item),
            _ => lines.push(item),
        }
    }
    if lines.len() > most {
        lines.truncate(most.saturating_sub(1));
        lines.push(format!("  … {} in all: list", legal.len()));
        lines.truncate(most);
    }
    let plain = |text: String| Span { text, ink: Ink::plain() };
    lines.into_iter().flat_map(|text| wrapped(&[plain(text)], columns, 2)).take(most).collect()
}
