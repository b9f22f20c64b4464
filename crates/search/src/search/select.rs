//! Selection and expansion at a seat's decision in the tree.

use meeple_core::{ActionKind, Game, Phase, Position, Seat};

use super::Search;
use crate::params::Selection;
use crate::tree::{NONE, Proof};

impl<G: Game> Search<G> {
    /// Selects or adds a choice of `seat`. Returns [`NONE`] if nothing has been tried here and the tree is
    /// full.
    pub(super) fn select(&mut self, game: &G, moment: u32, seat: Seat) -> u32 {
        if self.proofs.are_sought()
            && let Some(won) = self.won(moment, seat)
        {
            self.tree.entry_mut(won).available += 1;
            return won;
        }
        let new = match game.info().actions {
            ActionKind::Listed => self.try_listed(game, moment, seat),
            ActionKind::Structured => self.try_structured(game, moment, seat),
        };
        let choice = match new {
            NONE if self.tried.is_empty() => NONE,
            NONE => {
                self.avoid_losses();
                self.choose(game, moment, seat)
            }
            new => new,
        };
        for entry in &self.tried {
            self.tree.entry_mut(*entry).available += 1;
        }
        choice
    }

    fn choose(&mut self, game: &G, moment: u32, seat: Seat) -> u32 {
        if moment == self.root && self.halving.is_on() && seat == self.seat {
            let (tree, worth, weight) = (&self.tree, &self.worth, self.params.prior);
            if self.proofs.are_sought() {
                self.halving.restart_without(|index| tree.entry(index).proof == Proof::Lost);
            }
            let promise = |index: u32| {
                let entry = tree.entry(index);
                let visits = f64::from(entry.visits);
                let mean = worth.normal(entry.total / visits, game.seats());
                mean + weight * f64::from(entry.prior) / (visits + 1.0)
            };
            return self.halving.choose(tree, &self.tried, promise);
        }
        let is_together =
            self.is_joint() && matches!(game.phase(&self.state), Phase::Decide(seats) if seats.len() > 1);
        if self.params.select == Selection::Regret && is_together {
            return self.regrets.choose(&self.tried, &mut self.stream);
        }
        // Halving visits each of the own actions anyway, so ties need no random choice.
        let is_halved = moment == self.root && self.halving.is_on();
        self.most_promising(game.seats(), is_together && !is_halved)
    }

    fn has_priors(&self) -> bool {
        self.params.prior > 0.0 || self.params.select == Selection::Puct
    }

    /// Collects the entries of tried legal actions in `tried`. Adds and returns another action if the tree
    /// may grow, else [`NONE`].
    fn try_listed(&mut self, game: &G, moment: u32, seat: Seat) -> u32 {
        self.legal.clear();
        game.legal_actions(&self.state, seat, &mut self.legal);
        self.tried.clear();
        self.untried.clear();
        let (mut previous, mut at) = self.first_of(moment, seat);
        for (number, action) in (0..).zip(&self.legal) {
            while at != NONE {
                let entry = self.tree.entry(at);
                if entry.seat != seat || entry.action >= *action {
                    break;
                }
                (previous, at) = (at, entry.next);
            }
            let known = (at != NONE).then(|| self.tree.entry(at));
            if let Some(entry) = known.filter(|entry| entry.seat == seat && entry.action == *action) {
                self.tried.push(at);
                (previous, at) = (at, entry.next);
            } else {
                self.untried.push((number, previous));
            }
        }
        self.proofs.note_complete(self.untried.len() < 2);
        if self.untried.is_empty() || !self.may_grow(moment, seat) {
            self.proofs.note_complete(self.untried.is_empty());
            return NONE;
        }
        let Some((pick, prior)) = self.pick_untried(game, moment, seat) else {
            self.proofs.note_complete(false);
            return NONE;
        };
        let (number, previous) = self.untried[pick];
        let new = self.tree.insert(moment, previous, seat, &self.legal[number as usize], prior);
        self.regrets.insert(new);
        self.tried.push(new);
        new
    }

    /// Picks an untried action, with its prior. With priors it is the most promising one; otherwise the
    /// advised one first, then random ones. `None` if the priors of all untried actions are 0, unless nothing
    /// was tried yet.
    fn pick_untried(&mut self, game: &G, moment: u32, seat: Seat) -> Option<(usize, f32)> {
        if self.has_priors() && self.legal.len() > 1 {
            self.weigh(game, moment, seat);
            let weights = &self.weights;
            let highest = weights.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            let (mut pick, mut best) = (0, f64::NEG_INFINITY);
            for (at, (number, _)) in self.untried.iter().enumerate() {
                if weights[*number as usize] > best {
                    (pick, best) = (at, weights[*number as usize]);
                }
            }
            let is_worth_it = best > 0.0 || self.tried.is_empty();
            return is_worth_it.then_some((pick, (best / highest) as f32));
        }
        if self.tried.is_empty()
            && let Some(action) =
                self.rollout.advice(game, &self.state, seat, &mut *self.hints, &mut self.stream)
            && let Ok(pick) = self.legal.binary_search(&action)
        {
            return Some((pick, 1.0));
        }
        Some((self.stream.index(self.untried.len()), 1.0))
    }

    fn weigh(&mut self, game: &G, moment: u32, seat: Seat) {
        self.weights.clear();
        let is_root = moment == self.root && seat == self.seat;
        if is_root && self.root_weights.len() == self.legal.len() {
            self.weights.extend_from_slice(&self.root_weights);
            return;
        }
        let position = Position::new(game, &self.state);
        self.hints.prior(&position, seat, &self.legal, &mut self.weights);
        if is_root {
            self.root_weights.clone_from(&self.weights);
        }
    }

    /// As [`try_listed`](Self::try_listed), for actions that cannot be listed. Up to `samples` actions are
    /// advised or sampled.
    fn try_structured(&mut self, game: &G, moment: u32, seat: Seat) -> u32 {
        self.tried.clear();
        let (before, first) = self.first_of(moment, seat);
        let (mut at, mut known) = (first, 0);
        while at != NONE && self.tree.entry(at).seat == seat {
            if game.check(&self.state, seat, &self.tree.entry(at).action).is_ok() {
                self.tried.push(at);
            }
            known += 1;
            at = self.tree.entry(at).next;
        }
        if known >= self.params.samples || !self.may_grow(moment, seat) {
            return NONE;
        }
        let Some((action, prior)) = self.next_candidate(game, moment, seat, known as usize) else {
            return NONE;
        };
        let (mut previous, mut at) = (before, first);
        while at != NONE {
            let entry = self.tree.entry(at);
            if entry.seat != seat || entry.action >= action {
                break;
            }
            (previous, at) = (at, entry.next);
        }
        let is_known = at != NONE && self.tree.entry(at).seat == seat && self.tree.entry(at).action == action;
        let entry = if is_known { at } else { self.tree.insert(moment, previous, seat, &action, prior) };
        if !is_known {
            self.regrets.insert(entry);
            self.tried.push(entry);
        }
        entry
    }

    /// Another action with its prior, if actions cannot be listed. The game's candidates come in their order;
    /// without any, the advised action is followed by random ones. `None` if all candidates are known.
    fn next_candidate(
        &mut self,
        game: &G,
        moment: u32,
        seat: Seat,
        known: usize,
    ) -> Option<(G::Action, f32)> {
        if self.has_priors() {
            let is_root = moment == self.root && seat == self.seat;
            let candidates = if is_root { &mut self.root_candidates } else { &mut self.legal };
            if !is_root || candidates.is_empty() {
                candidates.clear();
                let position = Position::new(game, &self.state);
                let (most, stream) = (self.params.samples as usize, &mut self.stream);
                self.hints.candidates(&position, seat, most, stream, candidates);
            }
            if !candidates.is_empty() {
                let is_new = |action: &&G::Action| {
                    self.tree.of_seat(moment, seat).all(|(_, entry)| entry.action != **action)
                };
                let (rank, action) = (1u16..).zip(&*candidates).find(|(_, action)| is_new(action))?;
                return Some((action.clone(), 1.0 / f32::from(rank)));
            }
        }
        let advice = match known {
            0 => self.rollout.advice(game, &self.state, seat, &mut *self.hints, &mut self.stream),
            _ => None,
        };
        Some((advice.unwrap_or_else(|| self.rollout.draw(game, &self.state, seat, &mut self.stream)), 1.0))
    }

    /// The entry before the seat's first entry at a moment, and that first entry or the entry at its place.
    fn first_of(&self, moment: u32, seat: Seat) -> (u32, u32) {
        let (mut previous, mut at) = (NONE, self.tree.first(moment));
        while at != NONE && self.tree.entry(at).seat < seat {
            (previous, at) = (at, self.tree.entry(at).next);
        }
        (previous, at)
    }

    /// Returns true if the tree has room, and halving or progressive widening allows another action.
    fn may_grow(&self, moment: u32, seat: Seat) -> bool {
        if self.tree.is_full() {
            return false;
        }
        let is_root = moment == self.root;
        if is_root && seat == self.seat && self.halving.is_on() {
            return self.not_lost() < self.halving.most();
        }
        if self.params.widening == 0.0 || is_root && !self.has_priors() {
            return true;
        }
        let visits: u32 = self.tried.iter().map(|entry| self.tree.entry(*entry).visits).sum();
        let allowed = (self.params.widening * f64::from(visits).sqrt()).max(1.0);
        (self.tried.len() as f64) < allowed
    }

    /// The available entry with the highest upper confidence bound; ties go to the first. At simultaneous
    /// decisions ties are broken at random. Otherwise seats in equal positions would always choose alike, and
    /// never see the effect of different choices.
    fn most_promising(&mut self, seats: usize, is_together: bool) -> u32 {
        let (mut best, mut highest) = (NONE, f64::NEG_INFINITY);
        let c = self.params.exploration;
        let is_puct = self.params.select == Selection::Puct;
        let prior = |index: &u32| f64::from(self.tree.entry(*index).prior);
        let whole: f64 = if is_puct { self.tried.iter().map(prior).sum() } else { 0.0 };
        for index in &self.tried {
            let entry = self.tree.entry(*index);
            let visits = f64::from(entry.visits);
            // The number includes the current visit, which is added to the entry after the comparison.
            let available = entry.available + 1;
            let doubt = if is_puct && whole > 0.0 {
                prior(index) / whole * f64::from(available).sqrt() / (1.0 + visits)
            } else {
                (self.logarithms.of(available) / visits).sqrt()
            };
            let mut bound = self.worth.normal(entry.total / visits, seats) + c * doubt;
            if self.params.prior > 0.0 {
                bound += self.params.prior * prior(index) / (visits + 1.0);
            }
            if bound > highest {
                (best, highest) = (*index, bound);
            }
        }
        if is_together && best != NONE {
            let found = |index: u32| (self.tree.entry(index).visits, self.tree.entry(index).total);
            let (first, mut alike) = (found(best), 0);
            for index in self.tried.iter().filter(|index| found(**index) == first) {
                alike += 1;
                if self.stream.below(alike) == 0 {
                    best = *index;
                }
            }
        }
        best
    }
}
