//! Simulation from a determinized state.

use meeple_core::{CancelToken, ChanceStreams, EpisodeSeed, Game, NoEvents, Outcome, Phase, Seat, Stream};

pub(crate) struct World<G: Game> {
    pub(crate) state: G::State,
    chance: ChanceStreams,
    scratch: Vec<G::Action>,
    outcome: Outcome,
    cancel: Option<CancelToken>,
}

impl<G: Game> World<G> {
    pub(crate) fn new(game: &G) -> Self {
        Self {
            state: game.initial_state(),
            chance: ChanceStreams::new(EpisodeSeed::from_bits(0)),
            scratch: Vec::new(),
            outcome: Outcome::default(),
            cancel: None,
        }
    }

    /// Lets this token, if there is one, end playouts early.
    pub(crate) fn cancel_by(&mut self, token: Option<CancelToken>) {
        self.cancel = token;
    }

    /// Reseeds chance. Equal `bits` give equal draws.
    pub(crate) fn reseed(&mut self, bits: u64) {
        self.chance.restart(EpisodeSeed::from_bits(bits));
    }

    fn act_at_random(&mut self, game: &G, seat: Seat, rng: &mut Stream) {
        self.scratch.clear();
        let action = game.sample_action(&self.state, seat, rng, &mut self.scratch);
        game.apply_unchecked(&mut self.state, seat, &action, &mut NoEvents);
    }

    /// Applies the action of `seat` and random actions of the other seats that decide at the same moment.
    /// Then draws chance until the next decision.
    pub(crate) fn step(&mut self, game: &G, seat: Seat, action: &G::Action, rng: &mut Stream) {
        let others = match game.phase(&self.state) {
            Phase::Decide(seats) => seats,
            Phase::Chance | Phase::Over => return,
        };
        game.apply_unchecked(&mut self.state, seat, action, &mut NoEvents);
        for other in others {
            if other != seat {
                self.act_at_random(game, other, rng);
            }
        }
        while game.phase(&self.state) == Phase::Chance {
            game.resolve_chance(&mut self.state, &mut self.chance, &mut NoEvents);
        }
    }

    /// Plays at random to the end, but stops after about `longest` steps or when cancelled.
    pub(crate) fn play_out(&mut self, game: &G, longest: u32, rng: &mut Stream) {
        let mut steps = 0;
        while steps < longest {
            match game.phase(&self.state) {
                Phase::Over => return,
                Phase::Chance => {
                    game.resolve_chance(&mut self.state, &mut self.chance, &mut NoEvents);
                    steps += 1;
                }
                Phase::Decide(_) if self.cancel.as_ref().is_some_and(CancelToken::is_cancelled) => return,
                Phase::Decide(seats) => {
                    for seat in seats {
                        self.act_at_random(game, seat, rng);
                        steps += 1;
                    }
                }
            }
        }
    }

    /// Utility of the outcome for `seat`; if the episode is not over, the utility of the current scores.
    pub(crate) fn utility(&mut self, game: &G, seat: Seat) -> f64 {
        self.outcome.clear();
        if game.phase(&self.state) == Phase::Over {
            game.outcome(&self.state, &mut self.outcome);
        } else {
            self.outcome.scores.extend(Seat::all(game.seats()).map(|seat| game.score(&self.state, seat)));
            self.outcome.rank_by_score();
        }
        self.outcome.utility(seat)
    }
}
