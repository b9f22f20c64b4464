//! One tree, grown iteration by iteration.

use meeple_core::{ActionKind, AgentInfo, ChanceStreams, EpisodeSeed, Game, NoEvents, Phase, Seat, Stream};

use crate::logarithm::Logarithms;
use crate::params::{MctsParams, TreeKind};
use crate::rollout::Rollout;
use crate::squares::Squares;
use crate::tally::Tally;
use crate::tree::{NONE, ROOT, Tree};
use crate::worth::Worth;

mod inquiry;

/// A search from what a seat may know, with everything that it needs, reused from decision to decision.
///
/// It is told of a decision by [`begin`](Self::begin); every [`iterate`](Self::iterate) after it plays one imagined
/// episode. What it has found is a function of the observation, the settings, what it began with and the number of
/// iterations, whatever thread they run on.
pub struct Search<G: Game> {
    params: MctsParams,
    logarithms: Logarithms,
    rollout: Rollout<G>,
    tree: Tree<G::Action>,
    worth: Worth,
    seat: Seat,
    stream: Stream,
    chance: ChanceStreams,
    state: G::State,
    /// Entries that this iteration came by.
    path: Vec<u32>,
    /// What the seat's tries at the root were worth, squared.
    squares: Squares,
    /// What the seat takes at the root in this iteration; [`NONE`] if it chooses.
    fixed: u32,
    /// What its end is worth, by seat.
    ends: Vec<f64>,
    legal: Vec<G::Action>,
    /// Entries that may be taken now.
    tried: Vec<u32>,
    /// Legal actions that nobody has tried here, as numbers, with the entry that they follow.
    untried: Vec<(u32, u32)>,
    /// What the seats of this moment choose; [`NONE`] for those who do as in a rollout.
    choices: Vec<(Seat, u32)>,
    chosen: Vec<u32>,
}

impl<G: Game> Search<G> {
    /// With these settings. `known` are the agents that may decide in rollouts.
    ///
    /// # Errors
    /// If none of them has the name that the settings say, or it cannot play this game.
    pub fn new(game: &G, params: MctsParams, known: &[AgentInfo<G>]) -> Result<Self, String> {
        let seed = EpisodeSeed::from_bits(0);
        Ok(Self {
            logarithms: Logarithms::new(),
            rollout: Rollout::new(game, known, &params.rollout, params.epsilon)?,
            tree: Tree::new(params.entries),
            worth: Worth::new(params.margin),
            seat: Seat::new(0),
            stream: Stream::from_seed(0),
            chance: ChanceStreams::new(seed),
            state: game.initial_state(),
            path: Vec::new(),
            squares: Squares::default(),
            fixed: NONE,
            ends: Vec::new(),
            legal: Vec::new(),
            tried: Vec::new(),
            untried: Vec::new(),
            choices: Vec::new(),
            chosen: Vec::new(),
            params,
        })
    }

    /// Forgets what it knows, and begins to search for `seat`. `seed` decides all draws, with the number of the tree
    /// among those that are grown for the same decision. Room is made for so many iterations; more are allowed.
    pub fn begin(&mut self, seat: Seat, seed: u64, tree: u32, iterations: u32) {
        self.seat = seat;
        self.stream = EpisodeSeed::new(seed, tree.into()).agent(seat);
        self.tree.restart(iterations);
        self.squares.restart();
        self.worth.restart();
    }

    /// How many tries the tree remembers, all over.
    pub fn size(&self) -> usize {
        self.tree.size()
    }

    /// Adds what was tried at the root to a tally.
    pub fn count(&self, tally: &mut Tally<G::Action>) {
        for (index, entry) in self.tree.root(self.seat) {
            tally.add(&entry.action, entry.visits, entry.total, self.squares.of(index));
        }
    }

    /// Whether the most visited action at the root stays it, however `left` more iterations end.
    pub fn is_decided(&self, left: u64) -> bool {
        let (mut most, mut second) = (0, 0);
        for (_, entry) in self.tree.root(self.seat) {
            if entry.visits > most {
                (most, second) = (entry.visits, most);
            } else {
                second = second.max(entry.visits);
            }
        }
        u64::from(most - second) > left
    }

    /// Imagines a state that agrees with the observation, plays an episode from there (in the tree as far as it goes,
    /// then as in rollouts), and keeps what came of it.
    pub fn iterate(&mut self, game: &G, observation: &G::Observation<'_>) {
        game.determinize(observation, &mut self.stream, &mut self.state);
        self.chance.restart(EpisodeSeed::from_bits(self.stream.bits()));
        self.rollout.begin(self.stream.bits());
        self.path.clear();
        self.descend(game);
        let (state, stream, depth) = (&mut self.state, &mut self.stream, self.params.depth);
        self.rollout.play_out(game, state, &mut self.chance, stream, depth);
        self.worth.measure(game, &self.state, &mut self.ends);
        self.back_up();
    }

    /// Plays on in the tree until it is left or the episode is over.
    fn descend(&mut self, game: &G) {
        let mut moment = ROOT;
        let mut others = 0;
        loop {
            match game.phase(&self.state) {
                Phase::Over => return,
                Phase::Chance => game.resolve_chance(&mut self.state, &mut self.chance, &mut NoEvents),
                Phase::Decide(seats) => {
                    let mut is_left = false;
                    self.choices.clear();
                    self.chosen.clear();
                    // All choose before anybody acts: nobody may see what another does at the same time.
                    for seat in seats {
                        let mut choice = NONE;
                        if self.fixed != NONE && moment == ROOT && seat == self.seat {
                            choice = self.fixed;
                        } else if self.is_in_tree(seat) {
                            choice = self.select(game, moment, seat);
                            is_left |= choice == NONE;
                        }
                        if choice != NONE {
                            self.chosen.push(choice);
                        }
                        self.choices.push((seat, choice));
                    }
                    self.act(game);
                    self.path.extend_from_slice(&self.chosen);
                    if is_left {
                        return;
                    }
                    if self.chosen.is_empty() {
                        others += 1;
                        if others > self.params.depth {
                            return;
                        }
                        continue;
                    }
                    match self.tree.follow(moment, &self.chosen) {
                        Some(next) => moment = next,
                        None => return,
                    }
                }
            }
        }
    }

    fn is_in_tree(&self, seat: Seat) -> bool {
        self.params.tree != TreeKind::OwnOnly || seat == self.seat
    }

    /// Everybody does what was chosen.
    fn act(&mut self, game: &G) {
        for (seat, choice) in &self.choices {
            if *choice != NONE {
                let action = &self.tree.entry(*choice).action;
                game.apply_unchecked(&mut self.state, *seat, action, &mut NoEvents);
            } else {
                let action = self.rollout.choose(game, &self.state, *seat, &mut self.stream);
                game.apply_unchecked(&mut self.state, *seat, &action, &mut NoEvents);
                self.rollout.recycle(*seat, action);
            }
        }
    }

    /// What `seat` does in this moment: something new, or what promises most. [`NONE`] if the tree is full before
    /// anything was tried here.
    fn select(&mut self, game: &G, moment: u32, seat: Seat) -> u32 {
        let new = match G::INFO.actions {
            ActionKind::Listed => self.try_listed(game, moment, seat),
            ActionKind::Structured => self.try_structured(game, moment, seat),
        };
        let choice = if new == NONE { self.most_promising(game.seats()) } else { new };
        for entry in &self.tried {
            self.tree.entry_mut(*entry).available += 1;
        }
        choice
    }

    /// Looks which legal actions were tried in this moment, and tries another if one is left that may be.
    fn try_listed(&mut self, game: &G, moment: u32, seat: Seat) -> u32 {
        self.legal.clear();
        game.legal_actions(&self.state, seat, &mut self.legal);
        self.tried.clear();
        self.untried.clear();
        // Both lists are sorted.
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
        if self.untried.is_empty() || !self.may_grow(moment) {
            return NONE;
        }
        let pick = self.pick_untried(game, seat);
        let (number, previous) = self.untried[pick];
        let new = self.tree.insert(moment, previous, seat, &self.legal[number as usize]);
        self.tried.push(new);
        new
    }

    /// Which of the untried actions is tried: what is advised, if nothing was tried yet, else any.
    fn pick_untried(&mut self, game: &G, seat: Seat) -> usize {
        if self.tried.is_empty()
            && let Some(action) = self.rollout.advice(game, &self.state, seat)
            && let Ok(pick) = self.legal.binary_search(&action)
        {
            return pick;
        }
        self.stream.index(self.untried.len())
    }

    /// The same for actions that cannot be listed: they are drawn, up to a number, and looked at again where they are
    /// legal.
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
        if known >= self.params.samples || !self.may_grow(moment) {
            return NONE;
        }
        let advice = if known == 0 { self.rollout.advice(game, &self.state, seat) } else { None };
        let action = match advice {
            Some(action) => action,
            None => self.rollout.draw(game, &self.state, seat, &mut self.stream),
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
        let entry = if is_known { at } else { self.tree.insert(moment, previous, seat, &action) };
        if !is_known {
            self.tried.push(entry);
        }
        entry
    }

    /// The first entry of this seat in a moment, or where it would be, and the one before.
    fn first_of(&self, moment: u32, seat: Seat) -> (u32, u32) {
        let (mut previous, mut at) = (NONE, self.tree.first(moment));
        while at != NONE && self.tree.entry(at).seat < seat {
            (previous, at) = (at, self.tree.entry(at).next);
        }
        (previous, at)
    }

    /// Whether something new may be tried in this moment.
    fn may_grow(&self, moment: u32) -> bool {
        if self.tree.is_full() {
            return false;
        }
        if self.params.widening == 0.0 || moment == ROOT {
            return true;
        }
        let visits: u32 = self.tried.iter().map(|entry| self.tree.entry(*entry).visits).sum();
        let allowed = (self.params.widening * f64::from(visits).sqrt()).max(1.0);
        (self.tried.len() as f64) < allowed
    }

    /// The entry, of those that may be taken, with the highest upper bound of confidence; the first of equal ones.
    fn most_promising(&self, seats: usize) -> u32 {
        let (mut best, mut highest) = (NONE, f64::NEG_INFINITY);
        for index in &self.tried {
            let entry = self.tree.entry(*index);
            let visits = f64::from(entry.visits);
            // This time counts too; it is added when all have been looked at.
            let doubt = (self.logarithms.of(entry.available + 1) / visits).sqrt();
            let bound = self.worth.normal(entry.total / visits, seats) + self.params.exploration * doubt;
            if bound > highest {
                (best, highest) = (*index, bound);
            }
        }
        best
    }

    /// Adds what the end is worth to all that led there.
    fn back_up(&mut self) {
        for index in &self.path {
            let entry = self.tree.entry_mut(*index);
            let is_against = self.params.tree == TreeKind::Paranoid && entry.seat != self.seat;
            entry.total +=
                if is_against { 1.0 - self.ends[self.seat.index()] } else { self.ends[entry.seat.index()] };
            entry.visits += 1;
        }
        // The first of its own that it came by is the one at the root, if there was room for it.
        let own = self.path.iter().find(|index| self.tree.entry(**index).seat == self.seat);
        if let Some(index) = own {
            self.squares.add(*index, self.ends[self.seat.index()]);
        }
    }
}
