use meeple_core::{ActionKind, Hints, Playable, Position, Seat, Stream};

pub(crate) struct Advice<G: Playable> {
    pub(crate) hints: Box<dyn Hints<G>>,
    weights: Vec<f64>,
}

impl<G: Playable> Advice<G> {
    pub(crate) fn new(game: &G) -> Self {
        Self { hints: game.hints(), weights: Vec::new() }
    }

    /// Reduces `actions` to those that the hints advise, the most promising first. `actions` has the legal
    /// ones, or nothing if they cannot be listed; structured actions come from the hints alone.
    /// `determinization` agrees with `seen`.
    pub(crate) fn filter(
        &mut self,
        (game, seat, seen): (&G, Seat, &G::Observation<'_>),
        determinization: &G::State,
        max_candidates: u32,
        rng: &mut Stream,
        actions: &mut Vec<G::Action>,
    ) {
        self.hints.begin(game, seen, seat);
        self.hints.imagine(game);
        let position = Position::new(game, determinization);
        if game.info().actions == ActionKind::Structured {
            self.hints.candidates(&position, seat, max_candidates as usize, rng, actions);
            return;
        }
        self.weights.clear();
        self.hints.prior(&position, seat, actions, &mut self.weights);
        let mut weights = self.weights.iter();
        actions.retain(|_| weights.next().is_some_and(|weight| *weight > 0.0));
        self.weights.retain(|weight| *weight > 0.0);
        let mut first = 0;
        for (index, weight) in self.weights.iter().enumerate() {
            if *weight > self.weights[first] {
                first = index;
            }
        }
        // Empty if the hints advise none of the actions.
        if let Some(up_to_first) = actions.get_mut(..=first) {
            up_to_first.rotate_right(1);
        }
    }
}
