//! A picture in pieces, one for each thing that stands on it, and what changes from one picture to the next.

use std::hash::Hash;
use std::ops::Range;

// Differences of one list to the next: Myers' algorithm, and no dependencies of its own.
use similar::algorithms::{Capture, Replace, myers};
use similar::{DiffOp, DiffTag};

/// Lists that differ in more than so many places (the product of their lengths) are replaced as a whole: to look for what
/// they have in common would take longer than to send it.
const MOST_COMPARED: usize = 1 << 20;

/// A picture as SVG, of which is known where its pieces begin: the children of its root element, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Svg {
    text: String,
    /// Where pieces begin; the last one is where they end.
    starts: Vec<usize>,
}

impl Svg {
    /// From the whole text, and where its pieces begin and the last one ends.
    pub(crate) fn new(mut text: String, mut starts: Vec<usize>) -> Self {
        // Servers keep one for every viewer: what the buffer has grown beyond it goes back.
        text.shrink_to_fit();
        starts.shrink_to_fit();
        Self { text, starts }
    }

    /// From the tag of the root element and the pieces.
    pub fn of_pieces<'a>(head: &str, pieces: impl IntoIterator<Item = &'a str>) -> Self {
        let mut svg = Self { text: format!("{head}\n"), starts: Vec::new() };
        svg.starts.push(svg.text.len());
        for piece in pieces {
            svg.text.push_str(piece);
            svg.text.push('\n');
            svg.starts.push(svg.text.len());
        }
        svg.text.push_str("</svg>\n");
        svg
    }

    /// The whole.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The same, as a text of one's own.
    pub fn into_text(self) -> String {
        self.text
    }

    /// The tag of the root element.
    pub fn head(&self) -> &str {
        self.text[..self.starts[0]].trim_end()
    }

    /// The pieces. Each is one element.
    pub fn pieces(&self) -> Vec<&str> {
        self.starts.windows(2).map(|ends| self.text[ends[0]..ends[1]].trim_end()).collect()
    }
}

/// A change of a list: so many of its members go, and others come in their place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Splice {
    /// Where, in the old list.
    pub at: usize,
    /// How many go.
    pub gone: usize,
    /// Which of the new list come.
    pub come: Range<usize>,
}

/// What makes `new` of `old`, the last change first, so that every place counts in the old list.
///
/// ```
/// use meeple_scene::{Splice, splices};
/// let changes = splices(&["a", "b", "c", "d"], &["a", "x", "c"]);
/// assert_eq!(changes[0], Splice { at: 3, gone: 1, come: 3..3 });
/// assert_eq!(changes[1], Splice { at: 1, gone: 1, come: 1..2 });
/// ```
pub fn splices<T: Eq + Hash>(old: &[T], new: &[T]) -> Vec<Splice> {
    let front = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - front;
    let back = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - back, new.len() - back);
    if front == old_end && front == new_end {
        return Vec::new();
    }
    if (old_end - front).saturating_mul(new_end - front) > MOST_COMPARED {
        return vec![Splice { at: front, gone: old_end - front, come: front..new_end }];
    }
    let mut found = Replace::new(Capture::new());
    let Ok(()) = myers::diff(&mut found, old, front..old_end, new, front..new_end);
    let splice = |op: &DiffOp| match op.as_tag_tuple() {
        (DiffTag::Equal, ..) => None,
        (_, gone, come) => Some(Splice { at: gone.start, gone: gone.len(), come }),
    };
    found.into_inner().ops().iter().rev().filter_map(splice).collect()
}
