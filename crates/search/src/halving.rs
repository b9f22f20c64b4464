//! Sequential Halving at the root (Karnin, Koren, Somekh 2013): candidates share the iterations evenly, and
//! the worse half of them is eliminated repeatedly.

use crate::tree::Tree;

/// Which actions at the root are still candidates.
#[derive(Default)]
pub(crate) struct Halving {
    /// Candidates at first; 0 if there is no halving.
    most: usize,
    /// Iterations that are shared.
    iterations: u32,
    /// Entries that are left; empty before all have been tried.
    left: Vec<u32>,
    rounds: u32,
    /// Visits that every candidate gets before the next half is left out.
    target: u32,
}

impl Halving {
    /// Begins with up to `most` candidates (0 for no halving) that share `iterations` iterations.
    pub(crate) fn begin(&mut self, most: u32, iterations: u32) {
        self.most = most as usize;
        self.iterations = iterations;
        self.left.clear();
        self.target = 0;
    }

    /// Begins again if a candidate is ruled out: all others share the iterations again, as new candidates may
    /// have replaced it.
    pub(crate) fn begin_anew_without(&mut self, is_out: impl Fn(u32) -> bool) {
        if self.left.iter().any(|entry| is_out(*entry)) {
            self.left.clear();
        }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.most > 0
    }

    /// Most candidates.
    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// The next candidate to look at, of those that were tried at the root. Less promising ones are
    /// eliminated.
    ///
    /// When all iterations have been shared and there are more, halving begins again, as if there had been
    /// twice as many from the start: eliminated candidates catch up first.
    pub(crate) fn choose<A: Clone, C: Clone + Eq>(
        &mut self,
        tree: &Tree<A, C>,
        tried: &[u32],
        promise: impl Fn(u32) -> f64,
    ) -> u32 {
        if self.left.is_empty() {
            self.left.extend_from_slice(tried);
            self.rounds = (usize::BITS - (tried.len() - 1).leading_zeros()).max(1);
            self.target = self.share();
        }
        if self.left.len() == 1 {
            let visits: u32 = tried.iter().map(|entry| tree.entry(*entry).visits).sum();
            if visits >= self.iterations {
                self.iterations = self.iterations.saturating_mul(2);
                self.left.clear();
                self.left.extend_from_slice(tried);
                self.target = self.share();
            }
        }
        loop {
            let fewest = self.left.iter().copied().min_by_key(|entry| tree.entry(*entry).visits);
            let fewest = fewest.expect("one candidate is always left");
            if self.left.len() == 1 || tree.entry(fewest).visits < self.target {
                return fewest;
            }
            // The best first, of equal ones the one that was tried first.
            self.left.sort_by(|one, other| promise(*other).total_cmp(&promise(*one)));
            self.left.truncate(self.left.len().div_ceil(2));
            self.target = self.target.saturating_add(self.share());
        }
    }

    /// Visits for each candidate in a round. One iteration is kept for the candidate that is left in the end.
    fn share(&self) -> u32 {
        (self.iterations.saturating_sub(1) / (self.rounds * self.left.len() as u32)).max(1)
    }
}
