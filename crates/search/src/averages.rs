use meeple_core::{ActionKind, Game, Odds, Seat, Stream};

/// Mean values of episode ends by seat and action id (MAST: move-average sampling technique).
pub(crate) struct Averages {
    odds: Odds,
    /// Exclusive upper bound of action ids; 0 if the averages are switched off.
    bound: usize,
    /// `[seat, id]`: number of choices of the action, and sum of the values of their episodes.
    kept: Vec<(u32, f32)>,
    /// Seats and action ids chosen in the current episode.
    chosen: Vec<(Seat, u32)>,
}

impl Averages {
    /// Averages for rollouts that take the best action with probability `share`; 0 switches them off.
    pub(crate) fn new<G: Game>(game: &G, share: f64) -> Self {
        let is_kept = share > 0.0 && game.info().actions == ActionKind::Listed;
        let bound = if is_kept { game.action_bound() as usize } else { 0 };
        let kept = vec![(0, 0.0); bound * game.seats()];
        Self { odds: Odds::new(share), bound, kept, chosen: Vec::new() }
    }

    #[inline]
    pub(crate) fn are_kept(&self) -> bool {
        self.bound > 0
    }

    pub(crate) fn restart(&mut self) {
        self.kept.fill((0, 0.0));
    }

    #[inline]
    pub(crate) fn begin(&mut self) {
        self.chosen.clear();
    }

    /// With probability `odds` the action with the best mean so far, else a random one. Untried actions count
    /// as 0.5.
    pub(crate) fn choose<G: Game>(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        stream: &mut Stream,
        scratch: &mut Vec<G::Action>,
    ) -> G::Action {
        scratch.clear();
        game.legal_actions(state, seat, scratch);
        let mut pick = stream.index(scratch.len());
        if stream.hits(self.odds) {
            let mut highest = f32::NEG_INFINITY;
            // A random start breaks ties evenly.
            for at in (pick..scratch.len()).chain(0..pick) {
                let (count, sum) = self.kept[self.place(seat, game.action_id(state, seat, &scratch[at]))];
                let mean = if count == 0 { 0.5 } else { sum / count as f32 };
                if mean > highest {
                    (pick, highest) = (at, mean);
                }
            }
        }
        let action = scratch.swap_remove(pick);
        self.chosen.push((seat, game.action_id(state, seat, &action)));
        action
    }

    #[inline]
    fn place(&self, seat: Seat, id: u32) -> usize {
        seat.index() * self.bound + id as usize
    }

    /// Adds the values of an episode's end to the actions chosen in it.
    pub(crate) fn learn(&mut self, worth: impl Fn(Seat) -> f64) {
        for at in 0..self.chosen.len() {
            let (seat, id) = self.chosen[at];
            let place = self.place(seat, id);
            let (count, sum) = &mut self.kept[place];
            *count += 1;
            *sum += worth(seat) as f32;
        }
    }
}
