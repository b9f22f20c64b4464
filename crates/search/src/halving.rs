//! Sequential Halving at the root (Karnin, Koren, Somekh 2013). Candidates share the iterations evenly, and
//! the worse half is eliminated repeatedly.

use crate::tree::Tree;

#[derive(Default)]
pub(crate) struct Halving {
    /// Initial number of candidates; 0 without halving.
    most: usize,
    /// Iterations to share among the candidates; doubled once they are used up.
    iterations: u32,
    /// Entries of the remaining candidates; empty until all candidates have been tried once.
    left: Vec<u32>,
    rounds: u32,
    /// Visits of every candidate that the next elimination requires.
    target: u32,
}

impl Halving {
    pub(crate) fn begin(&mut self, most: u32, iterations: u32) {
        self.most = most as usize;
        self.iterations = iterations;
        self.left.clear();
        self.target = 0;
    }

    /// Starts again if a candidate is ruled out. The others, perhaps with new ones, then share all
    /// iterations.
    pub(crate) fn restart_without(&mut self, is_out: impl Fn(u32) -> bool) {
        if self.left.iter().any(|entry| is_out(*entry)) {
            self.left.clear();
        }
    }

    pub(crate) fn is_on(&self) -> bool {
        self.most > 0
    }

    pub(crate) fn most(&self) -> usize {
        self.most
    }

    /// The next candidate to visit, after due eliminations.
    ///
    /// After the declared iterations halving starts again, as if twice as many had been declared from the
    /// start. Eliminated candidates then catch up first.
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
            // Best first. Ties stay in the order in which the candidates were first tried.
            self.left.sort_by(|one, other| promise(*other).total_cmp(&promise(*one)));
            self.left.truncate(self.left.len().div_ceil(2));
            self.target = self.target.saturating_add(self.share());
        }
    }

    /// Visits of each candidate in a round; one iteration is reserved for the final candidate.
    fn share(&self) -> u32 {
        (self.iterations.saturating_sub(1) / (self.rounds * self.left.len() as u32)).max(1)
    }
}
