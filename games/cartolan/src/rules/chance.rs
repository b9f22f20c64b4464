//! Outcomes of chance and their probabilities.

use meeple_core::{ChanceStreams, Illegal, Purpose};

use crate::action::{Chance, Conflict, WindDie};
use crate::cards::{Card, Effect};
use crate::event::Events;
use crate::game::Cartolan;
use crate::pile::{pick, total};
use crate::state::{State, Step};
use crate::variant::{MAX_SEATS, Start};

impl Cartolan {
    /// Probability of each seat to play first. If the rules fix the first seat, it is still a chance outcome,
    /// because the events of the set-up must belong to a step.
    fn start_weights(&self) -> [f64; MAX_SEATS] {
        let seats = self.seats;
        let calm = 1.0 - 1.0 / f64::from(self.variant.die_faces);
        std::array::from_fn(|seat| match self.variant.start {
            _ if seat >= seats => 0.0,
            Start::Uniform => 1.0 / seats as f64,
            Start::FirstSeat => f64::from(u8::from(seat == 0)),
            Start::GustRoll => (1.0 - calm) * calm.powi(seat as i32) / (1.0 - calm.powi(seats as i32)),
        })
    }

    pub(crate) fn sample(&self, state: &State, streams: &mut ChanceStreams) -> Chance {
        match state.step {
            Step::Start => {
                let weights = self.start_weights();
                let seat = streams.stream(Purpose::Ties, 0).weighted(&weights).unwrap_or(0);
                Chance::Start(seat as u8)
            }
            Step::Gust(_) => {
                let rolled = streams.stream(Purpose::Play, 0).below(u32::from(self.variant.die_faces));
                Chance::Gust(if rolled == 0 { WindDie::Gust } else { WindDie::Calm })
            }
            Step::Conflict(option, ..) => {
                let p = self.win_probability(state, option);
                let won = streams.stream(Purpose::Play, 0).chance(p);
                Chance::Conflict(if won { Conflict::Won } else { Conflict::Lost })
            }
            Step::Person(..) => {
                let rng = streams.stream(Purpose::Deal, 0);
                Chance::Person(Effect::ALL[pick(&state.persons, total(&state.persons), rng)])
            }
            Step::Discover => {
                let rng = streams.stream(Purpose::Deal, 0);
                Chance::Card(Card::from_index(pick(&state.deck, total(&state.deck), rng)))
            }
            _ => {
                let (kind, again) = self.sample_tile(state, streams);
                Chance::tile(self.kinds[self.draw_colour(state)][usize::from(kind)], again)
            }
        }
    }

    #[inline]
    pub(crate) fn sample_tile(&self, state: &State, streams: &mut ChanceStreams) -> (u8, bool) {
        state.piles[self.draw_colour(state)].sample(streams.stream(Purpose::Deal, 0))
    }

    /// Draws an outcome and applies it. Tiles bypass [`Chance`] for speed.
    #[inline]
    pub(crate) fn resolve(&self, state: &mut State, streams: &mut ChanceStreams, events: &mut impl Events) {
        match state.step {
            Step::Explore(..) => {
                let tile = self.sample_tile(state, streams);
                self.drawn(state, tile, events);
            }
            _ => {
                let chance = self.sample(state, streams);
                self.happen(state, &chance, events);
            }
        }
    }

    pub(crate) fn happen(&self, state: &mut State, chance: &Chance, events: &mut impl Events) {
        match (*chance, state.step) {
            (Chance::Start(seat), _) => self.begin(state, seat, events),
            (Chance::Gust(die), Step::Gust(dir)) => self.gust(state, dir, die == WindDie::Gust, events),
            (Chance::Conflict(conflict), _) => self.fought(state, conflict == Conflict::Won, events),
            (Chance::Person(effect), _) => self.person(state, effect, events),
            (Chance::Card(card), _) => self.discovery(state, card, events),
            (Chance::Tile(kind) | Chance::TileAgain(kind), step) => {
                let colour = self.draw_colour(state);
                let index = self.kinds[colour].iter().position(|other| *other == kind);
                let tile = (
                    index.expect("the tile is one of the pile's kinds") as u8,
                    *chance == Chance::TileAgain(kind),
                );
                match step {
                    Step::Chart(..) => self.charted(state, tile, events),
                    _ => self.drawn(state, tile, events),
                }
            }
            (Chance::Gust(_), _) => {}
        }
    }

    pub(crate) fn outcomes(&self, state: &State) -> Vec<(Chance, f64)> {
        let of_two = |yes: Chance, no: Chance, p: f64| {
            [(yes, p), (no, 1.0 - p)].into_iter().filter(|(_, p)| *p > 0.0).collect()
        };
        match state.step {
            Step::Start => {
                let weights = self.start_weights().into_iter().enumerate();
                weights.map(|(seat, p)| (Chance::Start(seat as u8), p)).filter(|(_, p)| *p > 0.0).collect()
            }
            Step::Gust(_) => {
                let p = 1.0 / f64::from(self.variant.die_faces);
                of_two(Chance::Gust(WindDie::Gust), Chance::Gust(WindDie::Calm), p)
            }
            Step::Conflict(option, ..) => {
                let p = self.win_probability(state, option);
                of_two(Chance::Conflict(Conflict::Won), Chance::Conflict(Conflict::Lost), p)
            }
            Step::Person(..) => {
                shares(&state.persons).map(|(at, p)| (Chance::Person(Effect::ALL[at]), p)).collect()
            }
            Step::Discover => {
                shares(&state.deck).map(|(at, p)| (Chance::Card(Card::from_index(at)), p)).collect()
            }
            _ => {
                let colour = self.draw_colour(state);
                let pile = &state.piles[colour];
                let mut outcomes = Vec::new();
                for (index, kind) in self.kinds[colour].iter().enumerate() {
                    for again in [false, true] {
                        let p = pile.probability(index, again);
                        if p > 0.0 {
                            outcomes.push((Chance::tile(*kind, again), p));
                        }
                    }
                }
                outcomes
            }
        }
    }

    pub(crate) fn check_outcome(&self, state: &State, chance: &Chance) -> Result<(), Illegal> {
        let outcomes = self.outcomes(state);
        if outcomes.iter().any(|(outcome, _)| outcome == chance) {
            return Ok(());
        }
        let shown: Vec<String> = outcomes.iter().take(20).map(|(outcome, _)| outcome.to_string()).collect();
        Err(Illegal::new(format!("chance cannot draw {chance} here, only {}", shown.join(", "))))
    }
}

fn shares(counts: &[u8]) -> impl Iterator<Item = (usize, f64)> + '_ {
    let sum = f64::from(total(counts));
    counts
        .iter()
        .enumerate()
        .filter(|(_, count)| **count > 0)
        .map(move |(index, count)| (index, f64::from(*count) / sum))
}
