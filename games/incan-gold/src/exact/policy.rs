//! The best decisions of a lone player, as a lookup table.

use super::rules::MAX_COPIES;
use super::start::{Kinds, Start};

/// The best decision in every position that a game of these rules can reach. For given hazards and artifacts,
/// the backpack alone decides in nearly all positions. In the others, one bit per multiset of gems is stored.
#[derive(Clone, Debug)]
pub struct Policy {
    pub(super) gems: GemTable,
    /// `rounds[r - 1]`: the starts of round `r`, sorted, with the first of their lines.
    pub(super) rounds: Vec<Vec<(Start, u32)>>,
    /// The lines of each start: by artifacts on the path, then by set of hazards seen.
    pub(super) lines: Vec<Line>,
    pub(super) bits: Vec<u64>,
}

/// The decisions in the positions that differ only in gems.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Line {
    /// Staying is best below this sum of gems.
    pub(super) stay_below: u32,
    /// Leaving is best from this sum of gems on.
    pub(super) leave_from: u32,
    /// The bit of the first multiset of gems whose sum is `stay_below`.
    pub(super) first_bit: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hazard {
    /// Number of cards of the kind in the game when the round started.
    pub copies: u32,
    /// True if one of them lies on the path.
    pub seen: bool,
}

/// A position in which the player may leave.
#[derive(Clone, Copy, Debug)]
pub struct Position<'a> {
    /// The round, from 1.
    pub round: u32,
    /// All kinds of hazards, in any order.
    pub hazards: &'a [Hazard],
    /// Number of artifacts on the path and in the deck together.
    pub artifacts: u32,
    pub artifacts_on_path: u32,
    /// Number of artifacts claimed in the game so far, by any player.
    pub claimed: u32,
    /// Gems in the backpack.
    pub backpack: u32,
}

impl Policy {
    /// Returns true if leaving is best. `gems` are the values of the gem cards on the path, in any order;
    /// they are used only where the backpack does not decide. `None` if no game of these rules reaches the
    /// position.
    ///
    /// With several explorers, the backpack is not the sum of the gems. Then the answer is that of a lone
    /// player with this backpack, or with these gems where they matter.
    pub fn leave(&self, position: &Position<'_>, gems: impl IntoIterator<Item = u32>) -> Option<bool> {
        let line = self.lines[self.line(position)?];
        if position.backpack < line.stay_below {
            return Some(false);
        }
        if position.backpack >= line.leave_from {
            return Some(true);
        }
        let index = self.gems.index(gems)?;
        Some(self.leaves(&line, index))
    }

    /// Like [`leave`](Self::leave), by place in the tables; `None` if no game of these rules reaches it.
    pub(super) fn leaves_at(
        &self,
        round: u32,
        start: Start,
        on_path: usize,
        seen: usize,
        multiset: usize,
        backpack: u32,
    ) -> Option<bool> {
        let line = self.lines[self.line_at(round, start, on_path, seen)?];
        Some(match backpack {
            less if less < line.stay_below => false,
            more if more >= line.leave_from => true,
            _ => self.leaves(&line, multiset),
        })
    }

    pub(super) fn leaves(&self, line: &Line, multiset: usize) -> bool {
        let sum = self.gems.sums[multiset];
        if sum < line.stay_below || sum >= line.leave_from {
            return sum >= line.leave_from;
        }
        let bit = line.first_bit as usize + multiset - self.gems.first_with_sum(line.stay_below);
        self.bits[bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Backpacks `(from, surely)`: staying is best below `from`, leaving is best from `surely` on. They
    /// differ only where the gems matter. `None` as in [`leave`](Policy::leave).
    pub fn threshold(&self, position: &Position<'_>) -> Option<(u32, u32)> {
        let line = self.lines[self.line(position)?];
        Some((line.stay_below, line.leave_from))
    }

    fn line(&self, position: &Position<'_>) -> Option<usize> {
        let (start, seen) = position.place()?;
        self.line_at(position.round, start, position.artifacts_on_path as usize, seen)
    }

    /// The line for `on_path` artifacts and the set of hazards `seen`.
    pub(super) fn line_at(&self, round: u32, start: Start, on_path: usize, seen: usize) -> Option<usize> {
        let starts = self.rounds.get((round as usize).checked_sub(1)?)?;
        let at = starts.binary_search_by(|(other, _)| other.cmp(&start)).ok()?;
        Some(starts[at].1 as usize + on_path * seen_size(&start.kinds) + seen)
    }
}

impl Position<'_> {
    /// The start of the round, and the number of the set of hazards seen. Artifacts claimed in this round
    /// count as claimed before. `None` if there are more artifacts on the path than in the round.
    pub(super) fn place(&self) -> Option<(Start, usize)> {
        let mut kinds = [0u8; MAX_COPIES + 1];
        let mut seen = [0u8; MAX_COPIES + 1];
        for hazard in self.hazards.iter().filter(|hazard| hazard.copies > 0) {
            let copies = hazard.copies as usize;
            *kinds.get_mut(copies)? += 1;
            seen[copies] += u8::from(hazard.seen);
        }
        let artifacts = u8::try_from(self.artifacts).ok()?;
        let start = Start { kinds, artifacts, claimed: u8::try_from(self.claimed).ok()? };
        (self.artifacts_on_path <= self.artifacts).then(|| (start, seen_index(&kinds, &seen)))
    }
}

pub(super) fn seen_size(kinds: &Kinds) -> usize {
    kinds[1..].iter().map(|&count| usize::from(count) + 1).product()
}

/// Number of the set `seen`. Its mixed-radix digits are `seen[1], seen[2], …`, the lowest first.
pub(super) fn seen_index(kinds: &Kinds, seen: &Kinds) -> usize {
    (1..=MAX_COPIES)
        .rev()
        .fold(0, |index, copies| index * (usize::from(kinds[copies]) + 1) + usize::from(seen[copies]))
}

/// All multisets of gem cards, by ascending sum.
#[derive(Clone, Debug)]
pub(super) struct GemTable {
    /// The distinct values, ascending.
    pub(super) values: Vec<u32>,
    /// Multiplicity of each value.
    pub(super) counts: Vec<u8>,
    /// The sum of each multiset, ascending.
    pub(super) sums: Vec<u32>,
    /// Number of cards in each multiset.
    pub(super) cards: Vec<u8>,
    /// `[multiset * values + value]`: the multiset with one more card of this value, or the same multiset if
    /// no such card is left.
    next: Vec<u32>,
    /// `[multiset * values + value]`: number of cards of this value outside the multiset.
    left: Vec<u8>,
    /// The multiset at each mixed-radix code.
    by_code: Vec<u32>,
}

impl GemTable {
    /// Number of multisets.
    pub(super) fn count(gems: &[u32]) -> u64 {
        let (_, counts) = distinct(gems);
        counts.iter().map(|&count| u64::from(count) + 1).fold(1, u64::saturating_mul)
    }

    pub(super) fn new(gems: &[u32]) -> Self {
        let (values, counts) = distinct(gems);
        let size = Self::count(gems) as usize;
        let strides = strides(&counts);
        let digit = |code: usize, i: usize| code / strides[i] % (usize::from(counts[i]) + 1);
        let all = 0..values.len();
        let sum_of = |code| all.clone().map(|i| digit(code, i) as u32 * values[i]).sum::<u32>();
        let cards_of = |code| all.clone().map(|i| digit(code, i) as u8).sum::<u8>();
        let mut codes: Vec<(u32, u8, u32)> =
            (0..size).map(|code| (sum_of(code), cards_of(code), code as u32)).collect();
        // A multiset comes after its subsets: its sum is larger, or it has more cards of value 0.
        codes.sort_unstable();
        let mut by_code = vec![0; size];
        for (index, &(_, _, code)) in codes.iter().enumerate() {
            by_code[code as usize] = index as u32;
        }
        let mut next = Vec::with_capacity(size * values.len());
        let mut left = Vec::with_capacity(size * values.len());
        for &(_, _, code) in &codes {
            for i in all.clone() {
                let more = usize::from(counts[i]) - digit(code as usize, i);
                left.push(more as u8);
                let stride = if more > 0 { strides[i] } else { 0 };
                next.push(by_code[code as usize + stride]);
            }
        }
        let sums = codes.iter().map(|code| code.0).collect();
        let cards = codes.iter().map(|code| code.1).collect();
        Self { values, counts, sums, cards, next, left, by_code }
    }

    pub(super) fn index(&self, gems: impl IntoIterator<Item = u32>) -> Option<usize> {
        let mut code = 0;
        for gem in gems {
            let i = self.values.binary_search(&gem).ok()?;
            let stride: usize = self.counts[..i].iter().map(|&count| usize::from(count) + 1).product();
            if code / stride % (usize::from(self.counts[i]) + 1) == usize::from(self.counts[i]) {
                return None;
            }
            code += stride;
        }
        Some(self.by_code[code] as usize)
    }

    /// The successors of a multiset by one more gem, with the number of cards that lead to each, which may be
    /// 0.
    #[inline]
    pub(super) fn more(&self, multiset: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let row = multiset * self.values.len()..(multiset + 1) * self.values.len();
        let left = self.left[row.clone()].iter();
        self.next[row].iter().zip(left).map(|(&next, &left)| (next as usize, f64::from(left)))
    }

    /// The first multiset with at least this sum.
    pub(super) fn first_with_sum(&self, sum: u32) -> usize {
        self.sums.partition_point(|&other| other < sum)
    }
}

/// The distinct values in ascending order, and the multiplicity of each.
fn distinct(gems: &[u32]) -> (Vec<u32>, Vec<u8>) {
    let mut sorted = gems.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|one, other| one == other).map(|equal| (equal[0], equal.len() as u8)).unzip()
}

fn strides(counts: &[u8]) -> Vec<usize> {
    let steps = counts.iter().scan(1, |product, &count| {
        let stride = *product;
        *product *= usize::from(count) + 1;
        Some(stride)
    });
    steps.collect()
}
