//! The effect of a deal on a seat, whoever sits there.

/// `[deal, seat]`: sums of pay-offs over all tables.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct DealCells {
    seats: usize,
    /// Pay-offs and their squares.
    sums: Vec<[f64; 2]>,
    /// Number of episodes by deal.
    counts: Vec<f64>,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Variance {
    /// The variance of a seat's gain in an episode, around the mean.
    pub total: f64,
    /// Variance between the means of the seats.
    pub seats: f64,
    /// Variance between the deals at the same seat, for equal players; see [`Variance::of_deals`].
    pub deals: f64,
    /// Number of episodes of a deal, over all tables.
    pub episodes: f64,
}

impl Variance {
    /// The variance between the deals at the same seat. `agents` is the variance between the players there.
    /// It adds to the differences within a deal, but not to the noise of the deal's mean: every deal sees the
    /// same players.
    pub fn of_deals(&self, agents: f64) -> f64 {
        if self.episodes < 2.0 { 0.0 } else { (self.deals + agents / (self.episodes - 1.0)).max(0.0) }
    }
}

impl DealCells {
    pub fn new(deals: usize, seats: usize) -> Self {
        Self { seats, sums: vec![[0.0; 2]; deals * seats], counts: vec![0.0; deals] }
    }

    /// Adds sums of a table by deal and seat, from deal `first` on. Each deal has `episodes` episodes.
    pub fn add(&mut self, first: usize, cells: &[[f64; 2]], episodes: f64) {
        if self.seats == 0 {
            return;
        }
        let own = self.sums[first * self.seats..].iter_mut();
        for (own, cell) in own.zip(cells) {
            own[0] += cell[0];
            own[1] += cell[1];
        }
        self.counts[first..][..cells.len() / self.seats].iter_mut().for_each(|count| *count += episodes);
    }

    /// Variance with weighted deals; 0 in all parts for fewer than two deals, or fewer than two episodes of a
    /// deal.
    pub fn variance(&self, weights: &[u16]) -> Variance {
        let deals: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
        let (mut episodes, mut squares, mut within, mut per_cell) = (0.0, 0.0, 0.0, 0.0);
        // By seat: means over the deals of the cells' means, and of their squares.
        let mut seats = vec![[0.0; 2]; self.seats];
        for (deal, weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0) {
            let (weight, count) = (f64::from(*weight), self.counts[deal]);
            if count < 2.0 {
                return Variance::default();
            }
            episodes += weight * count;
            per_cell = count;
            for (seat, mean_of) in seats.iter_mut().enumerate() {
                let [sum, square] = self.sums[deal * self.seats + seat];
                let mean = sum / count;
                squares += weight * square;
                within += weight * (square - sum * mean) / (count - 1.0);
                mean_of[0] += weight * mean / deals;
                mean_of[1] += weight * mean * mean / deals;
            }
        }
        if deals < 2.0 {
            return Variance::default();
        }
        let n = self.seats as f64;
        let mean = seats.iter().map(|[mean, _]| mean).sum::<f64>() / n;
        let total = squares / (episodes * n) - mean * mean;
        let within = within / (deals * n);
        let between =
            seats.iter().map(|[mean, square]| (square - mean * mean) * deals / (deals - 1.0)).sum::<f64>()
                / n;
        let of_deals = between - within / per_cell;
        let of_seats = seats.iter().map(|[own, _]| (own - mean).powi(2)).sum::<f64>() / n - between / deals;
        Variance { total, seats: of_seats.max(0.0), deals: of_deals, episodes: per_cell }
    }
}
