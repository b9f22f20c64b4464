//! HTML cut into pieces. A question similar to the last one is sent as changes of its pieces.

use meeple_table::{Change, marks};

/// Hashes of the pieces that a page has. The pieces themselves would take too much memory for thousands of
/// pages.
pub struct Pieces(Box<[u64]>);

impl Pieces {
    pub fn of(html: &str) -> Self {
        Self(marks(pieces(html)))
    }

    /// The changes from the page's HTML to the given one, last first; `None` if they are no shorter than the
    /// HTML.
    pub fn changes(&self, html: &str) -> Option<Vec<Change>> {
        let changes = Change::between(&self.0, pieces(html));
        // A change costs about 12 characters of JSON, and each of its pieces about 5 for quotes and escapes.
        let length = |change: &Change| 12 + change.2.iter().map(|piece| piece.len() + 5).sum::<usize>();
        (changes.iter().map(length).sum::<usize>() < html.len()).then_some(changes)
    }
}

/// The pieces of HTML, which together are the whole. Each piece after the first begins at a start tag. The
/// page's script cuts at the same places.
fn pieces(html: &str) -> impl Iterator<Item = &str> {
    let begins = |(at, _): &(usize, &str)| *at > 0 && !html[at + 1..].starts_with('/');
    let places = html.match_indices('<').filter(begins).map(|(at, _)| at);
    let ends = places.clone().chain([html.len()]);
    std::iter::once(0).chain(places).zip(ends).map(|(from, to)| &html[from..to])
}
