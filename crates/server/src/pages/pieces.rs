//! HTML in pieces, so that of a question that is much like the one before only the rest is sent.

use meeple_table::{Change, marks};

/// Of the HTML that somebody has, hashes of its pieces: thousands have some.
pub struct Pieces(Box<[u64]>);

impl Pieces {
    /// Of this HTML.
    pub fn of(html: &str) -> Self {
        Self(marks(pieces(html)))
    }

    /// What makes other HTML of this, the last change first; nothing if that is no shorter than the HTML itself.
    pub fn changes(&self, html: &str) -> Option<Vec<Change>> {
        let changes = Change::between(&self.0, pieces(html));
        // In JSON a change has some letters, and a piece quotes of its own.
        let length = |change: &Change| 12 + change.2.iter().map(|piece| piece.len() + 5).sum::<usize>();
        (changes.iter().map(length).sum::<usize>() < html.len()).then_some(changes)
    }
}

/// A piece begins where an element does, and all of them are the whole. The page's script cuts in the same places.
fn pieces(html: &str) -> impl Iterator<Item = &str> {
    let begins = |(at, _): &(usize, &str)| *at > 0 && !html[at + 1..].starts_with('/');
    let places = html.match_indices('<').filter(begins).map(|(at, _)| at);
    let ends = places.clone().chain([html.len()]);
    std::iter::once(0).chain(places).zip(ends).map(|(from, to)| &html[from..to])
}
