use meeple_core::{
    AgentInfo, CancelToken, ChanceStreams, EpisodeSeed, Game, Hints, Information, NoEvents, Phase, Seat,
    Stream, Viewer,
};

use crate::halving::Halving;
use crate::logarithm::Logarithms;
use crate::params::{MctsParams, Selection, TreeKind};
use crate::positions::Positions;
use crate::proofs::Proofs;
use crate::regret::Regrets;
use crate::rollout::Rollout;
use crate::squares::Squares;
use crate::tally::RootTally;
use crate::tree::{NONE, Proof, ROOT, Tree};
use crate::worth::Worth;

mod inquiry;
mod prove;
mod select;

/// Maximum number of choices of an iteration in a tree of positions, whose paths may have cycles.
const MAX_WAY: usize = 1000;

#[derive(Clone, Copy, Debug)]
pub struct SearchStart {
    pub seat: Seat,
    /// Seed of all draws, together with the number of the tree.
    pub seed: u64,
    /// Number of this tree among the trees for the same decision.
    pub tree: u32,
    /// Number of iterations for which memory is reserved; more are allowed.
    pub iterations: u32,
}

/// A search from a seat's observation, with buffers reused from decision to decision.
///
/// [`begin`](Self::begin) sets the decision; every [`iterate`](Self::iterate) plays one sampled episode. The
/// result is a function of the observation, the settings, the [`SearchStart`] and the number of iterations.
pub struct Search<G: Game> {
    params: MctsParams,
    logarithms: Logarithms,
    hints: Box<dyn Hints<G>>,
    rollout: Rollout<G>,
    tree: Tree<G::Action, G::Chance>,
    regrets: Regrets,
    worth: Worth,
    seat: Seat,
    /// Moment of the searching seat's decision.
    root: u32,
    seed: u64,
    stream: Stream,
    chance: ChanceStreams,
    state: G::State,
    /// By seat, the root of its own tree; in `places` its current moment there. [`NONE`] if there is none.
    roots: Vec<u32>,
    places: Vec<u32>,
    /// Entries on the path of the current iteration.
    path: Vec<u32>,
    /// Moments of simultaneous choices on the path, each with the index of its first choice.
    together: Vec<(u32, usize)>,
    proofs: Proofs,
    /// Transposition table, used if positions are the nodes.
    positions: Positions,
    branching: usize,
    squares: Squares,
    /// Forced root action of the current iteration; [`NONE`] if the seat selects.
    fixed: u32,
    /// Values of the iteration's end, by seat.
    ends: Vec<f64>,
    legal: Vec<G::Action>,
    weights: Vec<f64>,
    /// Priors at the root, which stay constant; empty before their first use.
    root_weights: Vec<f64>,
    /// Candidates of the game's hints at the root, if actions cannot be listed.
    root_candidates: Vec<G::Action>,
    tried: Vec<u32>,
    /// Indices of untried legal actions, each with the entry after which it is inserted.
    untried: Vec<(u32, u32)>,
    /// Selected entries of the deciding seats; [`NONE`] for seats that follow the rollout policy.
    choices: Vec<(Seat, u32)>,
    chosen: Vec<u32>,
    halving: Halving,
}

impl<G: Game> Search<G> {
    /// Makes a search. `known` are the agents that may decide in rollouts.
    ///
    /// # Errors
    /// If no known agent has the name in the settings, that agent cannot play this game, or the settings do
    /// not suit it.
    pub fn new(
        game: &G,
        params: MctsParams,
        known: &[AgentInfo<G>],
        hints: Box<dyn Hints<G>>,
    ) -> Result<Self, String> {
        if params.transpositions && game.info().information == Information::Hidden {
            return Err(format!(
                "transpositions: expected a game in which everybody knows the same, found {}",
                game.info().id
            ));
        }
        let seed = EpisodeSeed::from_bits(0);
        Ok(Self {
            logarithms: Logarithms::new(),
            hints,
            rollout: Rollout::new(game, known, &params)?,
            tree: Tree::new(params.entries),
            regrets: Regrets::new(params.select),
            worth: Worth::new(&params),
            seat: Seat::new(0),
            root: ROOT,
            seed: 0,
            stream: Stream::from_seed(0),
            chance: ChanceStreams::new(seed),
            state: game.initial_state(),
            roots: vec![NONE; game.seats()],
            places: Vec::new(),
            path: Vec::new(),
            together: Vec::new(),
            proofs: Proofs::new(game, &params),
            positions: Positions::default(),
            branching: params.branching(game.info()) as usize,
            squares: Squares::default(),
            fixed: NONE,
            ends: Vec::new(),
            legal: Vec::new(),
            weights: Vec::new(),
            root_weights: Vec::new(),
            root_candidates: Vec::new(),
            tried: Vec::new(),
            untried: Vec::new(),
            choices: Vec::new(),
            chosen: Vec::new(),
            halving: Halving::default(),
            params,
        })
    }

    /// Sets the token that ends iterations early.
    pub(crate) fn cancel_by(&mut self, token: Option<CancelToken>) {
        self.rollout.cancel_by(token);
    }

    pub(crate) fn begin_episode(&mut self, game: &G, seat: Seat) {
        self.hints.begin_episode(game, seat);
    }

    /// Starts a decision with a new tree.
    pub fn begin(&mut self, game: &G, observation: &G::Observation<'_>, start: SearchStart) {
        self.tree.restart(start.iterations);
        self.positions.restart();
        self.regrets.restart();
        self.squares.restart();
        self.worth.restart();
        self.rollout.restart();
        self.go_on(game, observation, start);
        self.root = ROOT;
        if self.params.tree == TreeKind::Apart {
            self.roots.clear();
            self.roots.extend(Seat::all(game.seats()).map(|_| self.tree.add_root()));
        }
        // Halving uses the declared iterations, whatever number the turn allows. To reproduce a decision
        // under a time limit, a replay allows as many iterations as were made then, and must get the same
        // result.
        self.halving.begin(self.params.halving, self.params.iterations.div_ceil(self.params.trees));
    }

    /// Starts a decision without clearing the tree.
    fn go_on(&mut self, game: &G, observation: &G::Observation<'_>, start: SearchStart) {
        self.seat = start.seat;
        let seed = EpisodeSeed::new(start.seed, start.tree.into());
        (self.seed, self.stream) = (seed.bits(), seed.agent(start.seat));
        self.root_weights.clear();
        self.root_candidates.clear();
        self.hints.begin(game, observation, start.seat);
    }

    /// Keeps the subtree after `action` for the next decision, and returns its visits. `None` if there is no
    /// such subtree.
    pub(crate) fn follow(
        &mut self,
        game: &G,
        observation: &G::Observation<'_>,
        action: &G::Action,
        start: SearchStart,
    ) -> Option<u64> {
        let chosen = self.tree.of_seat(self.root, self.seat).find(|(_, entry)| entry.action == *action);
        let after = chosen.map(|(_, entry)| entry.after).filter(|after| *after != NONE)?;
        self.root = after;
        self.go_on(game, observation, start);
        let visits = self.tree.of_seat(after, self.seat).map(|(_, entry)| u64::from(entry.visits)).sum();
        self.halving.begin(0, 0);
        Some(visits)
    }

    /// The information key of the seat's next decision after this action. `None` unless the seat decides
    /// alone now and again at once.
    pub(crate) fn foresee(
        &mut self,
        game: &G,
        observation: &G::Observation<'_>,
        action: &G::Action,
    ) -> Option<u128> {
        let alone = Phase::turn(self.seat);
        game.determinize(observation, &mut self.stream, &mut self.state);
        if game.phase(&self.state) != alone {
            return None;
        }
        game.apply_unchecked(&mut self.state, self.seat, action, &mut NoEvents);
        (game.phase(&self.state) == alone).then(|| game.information_key(&self.state, Viewer::Seat(self.seat)))
    }

    pub fn size(&self) -> usize {
        self.tree.size()
    }

    /// Adds the root statistics of this tree to a tally.
    pub fn count(&self, tally: &mut RootTally<G::Action>) {
        for (index, entry) in self.tree.of_seat(self.root, self.seat) {
            tally.add(&entry.action, entry.visits, entry.total, self.squares.of(index));
            if self.regrets.are_kept() {
                tally.add_average(&entry.action, self.regrets.average(index));
            }
            if entry.proof != Proof::Open {
                tally.add_proof(&entry.action, entry.proof, self.params.margin == 0.0);
            }
        }
    }

    /// Returns true if the hints leave a single root action. This is known after the first iteration.
    pub fn is_forced(&self) -> bool {
        self.root_weights.iter().filter(|weight| **weight > 0.0).count() == 1
    }

    /// Returns true if `left` more iterations cannot change the most visited root action.
    pub fn is_decided(&self, left: u64) -> bool {
        if self.halving.is_on() || self.params.select == Selection::Regret {
            return false;
        }
        if self.proofs.are_sought() {
            // The most visited action may still be proven lost.
            return self.tree.of_seat(self.root, self.seat).any(|(_, entry)| entry.proof == Proof::Won);
        }
        let (mut most, mut second) = (0, 0);
        for (_, entry) in self.tree.of_seat(self.root, self.seat) {
            if entry.visits > most {
                (most, second) = (entry.visits, most);
            } else {
                second = second.max(entry.visits);
            }
        }
        u64::from(most - second) > left
    }

    /// Runs one iteration. Samples a state that agrees with the observation, and plays an episode from there:
    /// first in the tree, then by the rollout policy. Backs up the result.
    pub fn iterate(&mut self, game: &G, observation: &G::Observation<'_>) {
        self.imagine(game, observation);
        self.path.clear();
        self.together.clear();
        self.proofs.begin();
        self.descend(game, observation);
        self.prove(game);
        let (state, stream, hints) = (&mut self.state, &mut self.stream, &mut *self.hints);
        self.rollout.play_out(game, state, &mut self.chance, hints, stream);
        self.worth.measure(game, &self.state, hints, &mut self.ends);
        self.back_up(game.seats());
    }

    /// Samples a state and the seeds of chance and rollout.
    fn imagine(&mut self, game: &G, observation: &G::Observation<'_>) {
        game.determinize(observation, &mut self.stream, &mut self.state);
        self.chance.restart(EpisodeSeed::from_bits(self.stream.bits()));
        self.rollout.begin(self.stream.bits());
        self.hints.imagine(game);
    }

    fn is_joint(&self) -> bool {
        matches!(self.params.tree, TreeKind::MaxN | TreeKind::Paranoid)
    }

    /// Plays on until the path leaves the tree or the episode is over.
    fn descend(&mut self, game: &G, observation: &G::Observation<'_>) {
        let is_joint = self.is_joint();
        let mut moment = self.root;
        // Number of seats whose path is still inside their own tree.
        let mut inside = 1;
        if !is_joint {
            self.places.clone_from(&self.roots);
            self.places[self.seat.index()] = self.root;
            inside = self.places.iter().filter(|place| **place != NONE).count();
        }
        let (mut others, mut has_drawn) = (0, false);
        while inside > 0 {
            match game.phase(&self.state) {
                Phase::Over => break,
                Phase::Chance => {
                    has_drawn = true;
                    self.proofs.end();
                    self.draw(game, is_joint, &mut moment);
                }
                Phase::Decide(seats) => {
                    if self.params.transpositions && is_joint {
                        if self.path.len() > MAX_WAY {
                            break;
                        }
                        moment = self.moment_of_position(game, moment, has_drawn);
                        has_drawn = false;
                    }
                    let mut is_left = false;
                    self.choices.clear();
                    self.chosen.clear();
                    // All seats choose before any acts, because simultaneous choices are hidden from each
                    // other.
                    for seat in seats {
                        let place = if is_joint { moment } else { self.places[seat.index()] };
                        let mut choice = NONE;
                        if self.fixed != NONE && place == self.root && seat == self.seat {
                            choice = self.fixed;
                        } else if place != NONE {
                            choice = self.select(game, place, seat);
                            is_left |= choice == NONE;
                        }
                        if choice != NONE {
                            self.chosen.push(choice);
                        }
                        self.choices.push((seat, choice));
                    }
                    if let [(seat, choice)] = self.choices[..]
                        && self.params.common
                        && self.path.is_empty()
                        && seat == self.seat
                        && choice != NONE
                    {
                        self.imagine_as_before(game, observation, choice);
                    }
                    match self.choices[..] {
                        [(_, choice)] if choice != NONE => self.proofs.follow(choice),
                        _ => self.proofs.end(),
                    }
                    self.act(game);
                    if is_joint && self.chosen.len() > 1 {
                        self.together.push((moment, self.path.len()));
                    }
                    self.path.extend_from_slice(&self.chosen);
                    if is_joint {
                        if is_left {
                            break;
                        }
                        match self.tree.follow(moment, &self.chosen) {
                            Some(next) => moment = next,
                            None => break,
                        }
                        continue;
                    }
                    if self.chosen.is_empty() {
                        others += 1;
                        if others > self.rollout.depth() || self.rollout.is_cancelled() {
                            break;
                        }
                    }
                    for (seat, choice) in &self.choices {
                        let place = &mut self.places[seat.index()];
                        if *place != NONE {
                            let next =
                                if *choice == NONE { None } else { self.tree.follow(*place, &[*choice]) };
                            *place = next.unwrap_or(NONE);
                            inside -= usize::from(next.is_none());
                        }
                    }
                }
            }
        }
    }

    /// The node of the position. An action that leads there without chance is linked to the node, for the
    /// principal variation and for subtrees that are kept.
    fn moment_of_position(&mut self, game: &G, moment: u32, has_drawn: bool) -> u32 {
        if self.path.is_empty() {
            return moment;
        }
        let key = game.information_key(&self.state, Viewer::Public);
        let place = self.positions.find_or_insert(key, || self.tree.add_root());
        if let ([choice], false) = (&self.chosen[..], has_drawn) {
            self.tree.lead(*choice, place);
        }
        place
    }

    /// Samples state and chance from the number of visits of `choice`. The n-th visits of all root actions
    /// thus share them.
    fn imagine_as_before(&mut self, game: &G, observation: &G::Observation<'_>, choice: u32) {
        let visits = self.tree.entry(choice).visits;
        self.stream = EpisodeSeed::new(self.seed, visits.into()).agent(self.seat);
        self.imagine(game, observation);
    }

    /// Draws a chance outcome. The tree branches here if there are at most `branching` outcomes.
    fn draw(&mut self, game: &G, is_joint: bool, moment: &mut u32) {
        let most = self.branching;
        let branches = is_joint
            && most > 0
            && game.chance_outcomes(&self.state).is_some_and(|outcomes| outcomes.len() <= most);
        if branches {
            let outcome = game.sample_chance(&self.state, &mut self.chance);
            *moment = self.tree.after_draw(*moment, &outcome);
            game.apply_chance(&mut self.state, &outcome, &mut NoEvents);
        } else {
            game.resolve_chance(&mut self.state, &mut self.chance, &mut NoEvents);
        }
    }

    fn act(&mut self, game: &G) {
        for (seat, choice) in &self.choices {
            if *choice != NONE {
                let action = &self.tree.entry(*choice).action;
                game.apply_unchecked(&mut self.state, *seat, action, &mut NoEvents);
            } else {
                let (hints, stream) = (&mut *self.hints, &mut self.stream);
                let action = self.rollout.choose(game, &self.state, *seat, hints, stream);
                game.apply_unchecked(&mut self.state, *seat, &action, &mut NoEvents);
                self.rollout.recycle(*seat, action);
            }
        }
    }

    fn back_up(&mut self, seats: usize) {
        for index in &self.path {
            let entry = self.tree.entry_mut(*index);
            let is_against = self.params.tree == TreeKind::Paranoid && entry.seat != self.seat;
            entry.total +=
                if is_against { 1.0 - self.ends[self.seat.index()] } else { self.ends[entry.seat.index()] };
            entry.visits += 1;
        }
        if self.regrets.are_kept() {
            for (moment, start) in &self.together {
                self.regrets.learn(&self.tree, *moment, &self.path[*start..], &self.ends);
            }
        }
        // The seat's first entry on the path is the one at the root, unless the tree was full.
        let own = self.path.iter().find(|index| self.tree.entry(**index).seat == self.seat);
        if let Some(index) = own {
            self.squares.add(*index, self.ends[self.seat.index()]);
        }
        let (ends, worth) = (&self.ends, &self.worth);
        self.rollout.learn(|seat| worth.normal(ends[seat.index()], seats));
    }
}
