//! Differences between two lists, such as the lines of two pictures.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::ops::Range;

use similar::algorithms::{Capture, Replace, myers};
use similar::{DiffOp, DiffTag};

/// Maximum product of two lists' lengths for a full diff. Longer lists are first split at members that occur
/// exactly once in both. Pieces that are still above the bound are replaced as a whole, because a comparison
/// would take longer than sending them.
const MAX_COMPARED: usize = 1 << 20;

/// A change of a list: a run of members is replaced by others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Splice {
    /// Position in the old list.
    pub at: usize,
    /// Number of members removed.
    pub gone: usize,
    /// Range of the new list that is inserted.
    pub come: Range<usize>,
}

/// The changes from `old` to `new`, the last change first, so every position refers to the old list.
///
/// ```
/// use meeple_scene::{Splice, splices};
/// let changes = splices(&["a", "b", "c", "d"], &["a", "x", "c"]);
/// assert_eq!(changes[0], Splice { at: 3, gone: 1, come: 3..3 });
/// assert_eq!(changes[1], Splice { at: 1, gone: 1, come: 1..2 });
/// ```
pub fn splices<T: Ord + Hash>(old: &[T], new: &[T]) -> Vec<Splice> {
    let (olds, news) = trimmed(old, new, 0..old.len(), 0..new.len());
    let mut found = Vec::new();
    if olds.len().saturating_mul(news.len()) <= MAX_COMPARED {
        compare(old, new, olds, news, &mut found);
    } else {
        let (mut at, mut to) = (olds.start, news.start);
        for (anchor, new_anchor) in anchors(old, new, olds.clone(), news.clone()) {
            let (olds, news) = trimmed(old, new, at..anchor, to..new_anchor);
            compare(old, new, olds, news, &mut found);
            (at, to) = (anchor + 1, new_anchor + 1);
        }
        let (olds, news) = trimmed(old, new, at..olds.end, to..news.end);
        compare(old, new, olds, news, &mut found);
    }
    found.reverse();
    found
}

/// Both ranges without their common prefix and suffix.
fn trimmed<T: Eq>(
    old: &[T],
    new: &[T],
    olds: Range<usize>,
    news: Range<usize>,
) -> (Range<usize>, Range<usize>) {
    let pairs = old[olds.clone()].iter().zip(&new[news.clone()]);
    let front = pairs.take_while(|(old, new)| old == new).count();
    let most = olds.len().min(news.len()) - front;
    let pairs = old[olds.clone()].iter().rev().zip(new[news.clone()].iter().rev()).take(most);
    let back = pairs.take_while(|(old, new)| old == new).count();
    (olds.start + front..olds.end - back, news.start + front..news.end - back)
}

/// Appends the changes from a range of one list to a range of the other, in order.
fn compare<T: Ord + Hash>(
    old: &[T],
    new: &[T],
    olds: Range<usize>,
    news: Range<usize>,
    found: &mut Vec<Splice>,
) {
    if olds.is_empty() && news.is_empty() {
        return;
    }
    if olds.is_empty() || news.is_empty() || olds.len().saturating_mul(news.len()) > MAX_COMPARED {
        found.push(Splice { at: olds.start, gone: olds.len(), come: news });
        return;
    }
    let mut operations = Replace::new(Capture::new());
    let Ok(()) = myers::diff(&mut operations, old, olds, new, news);
    let splice = |op: &DiffOp| match op.as_tag_tuple() {
        (DiffTag::Equal, ..) => None,
        (_, gone, come) => Some(Splice { at: gone.start, gone: gone.len(), come }),
    };
    found.extend(operations.into_inner().ops().iter().filter_map(splice));
}

/// Positions, in both lists, of members that occur exactly once in each. The pairs are a longest chain that
/// increases in both lists.
fn anchors<T: Ord + Hash>(
    old: &[T],
    new: &[T],
    olds: Range<usize>,
    news: Range<usize>,
) -> Vec<(usize, usize)> {
    // By member: its count in each list, and its last position in the old one.
    let mut known: BTreeMap<&T, ([usize; 2], usize)> = BTreeMap::new();
    for (side, list, range) in [(0, old, olds), (1, new, news.clone())] {
        for place in range {
            let (counts, last) = known.entry(&list[place]).or_default();
            counts[side] += 1;
            if side == 0 {
                *last = place;
            }
        }
    }
    let pair = |place: usize| match known.get(&new[place]) {
        Some(([1, 1], old_place)) => Some((*old_place, place)),
        _ => None,
    };
    let pairs: Vec<(usize, usize)> = news.filter_map(pair).collect();
    // Longest increasing subsequence: `ends` holds, by length, the chain with the smallest last old position.
    // `links` holds the predecessors.
    let (mut ends, mut links) = (Vec::<usize>::new(), Vec::with_capacity(pairs.len()));
    for (index, (place, _)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].0 < *place);
        links.push(length.checked_sub(1).map(|before| ends[before]));
        if length == ends.len() { ends.push(index) } else { ends[length] = index }
    }
    let mut chain = Vec::with_capacity(ends.len());
    let mut link = ends.last().copied();
    while let Some(index) = link {
        chain.push(pairs[index]);
        link = links[index];
    }
    chain.reverse();
    chain
}
