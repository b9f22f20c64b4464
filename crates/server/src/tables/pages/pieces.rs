//! HTML cut into pieces, so that of a question similar to the previous one only the changes are sent.

use meeple_table::{Change, marks};

/// Hashes of the pieces that a page has. The pieces themselves would take too much memory for thousands of
/// pages.
pub struct Pieces(Box<[u64]>);

impl Pieces {
    pub fn of(html: &str) -> Self {
        Self(marks(pieces(html)))
    }

    /// The changes from this HTML to the given one, last first; `None` if they are no shorter than the HTML.
    pub fn changes(&self, html: &str) -> Option<Vec<Change>> {
        let changes = Change::between(&self.0, pieces(html));
        // In JSON a change has about 12 characters of its own, and each piece about 5 for quotes and escapes.
        let length = |change: &Change| 12 + change.2.iter().map(|piece| piece.len() + 5).sum::<usize>();
        (changes.iter().map(length).sum::<usize>() < html.len()).then_some(changes)
    }
}

/// Pieces begin where an element does, and together they are the whole. The page's script cuts at the same
/// places.
fn pieces(html: &str) -> impl Iterator<Item = &str> {
    let begins = |(at, _): &(usize, &str)| *at > 0 && !html[at + 1..].starts_with('/');
    let places = html.match_indices('<').filter(begins).map(|(at, _)| at);
    let ends = places.clone().chain([html.len()]);
    std::iter::once(0).chain(places).zip(ends).map(|(from, to)| &html[from..to])
}
