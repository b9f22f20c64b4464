//! The search tree, stored in flat lists.

use meeple_core::Seat;

mod line;

pub(crate) const NONE: u32 = u32::MAX;

pub(crate) const ROOT: u32 = 0;

/// Proven result of an action for the seat that takes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    Open,
    /// The seat wins alone, whatever others do.
    Won,
    Drawn,
    Lost,
}

pub(crate) struct Entry<A> {
    pub(crate) action: A,
    pub(crate) total: f64,
    pub(crate) visits: u32,
    /// Number of iterations since its expansion in which the action was legal.
    pub(crate) available: u32,
    /// Next entry of the same moment, in order of seat and action.
    pub(crate) next: u32,
    /// Next moment, if the seat decides alone; else [`NONE`].
    pub(crate) after: u32,
    /// Prior relative to the best action, in `0..=1`.
    pub(crate) prior: f32,
    pub(crate) seat: Seat,
    pub(crate) proof: Proof,
}

/// A node of the tree: the sequence of all seats' decisions so far, or a position with `transpositions`.
/// Unless the tree branches at chance, a sequence may be reached in different states.
#[derive(Clone, Copy)]
struct Moment {
    entries: u32,
    /// First link of the lowest of several seats that decide at once.
    links: u32,
    draws: u32,
}

const BLANK: Moment = Moment { entries: NONE, links: NONE, draws: NONE };

struct Draw<C> {
    outcome: C,
    next: u32,
    after: u32,
}

/// The choice of one of several seats that decide at once, after the choices of the lower seats. The next
/// moment depends on all of them.
struct Link {
    entry: u32,
    next: u32,
    /// First link of the next seat; [`NONE`] if the seat is the last.
    links: u32,
    /// Next moment, if the seat is the last; else [`NONE`].
    after: u32,
}

#[derive(Clone, Copy)]
enum Chain {
    Moment(u32),
    Link(u32),
}

/// Entries, moments and links by number. Their memory is reused from search to search.
pub(crate) struct Tree<A, C> {
    entries: Vec<Entry<A>>,
    /// Number of entries in use. Later ones keep their buffers for reuse.
    used: usize,
    moments: Vec<Moment>,
    links: Vec<Link>,
    draws: Vec<Draw<C>>,
    most: usize,
}

impl<A: Clone, C: Clone + Eq> Tree<A, C> {
    pub(crate) fn new(most: u32) -> Self {
        Self {
            entries: Vec::new(),
            used: 0,
            moments: vec![BLANK],
            links: Vec::new(),
            draws: Vec::new(),
            most: most as usize,
        }
    }

    /// Clears the tree, and reserves memory for this number of iterations, with one deciding seat at a time.
    pub(crate) fn restart(&mut self, iterations: u32) {
        self.used = 0;
        self.links.clear();
        self.draws.clear();
        self.moments.clear();
        self.moments.push(BLANK);
        let room = (iterations as usize).min(self.most);
        self.entries.reserve(room.saturating_sub(self.entries.len()));
        self.moments.reserve(room);
    }

    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.used >= self.most
    }

    pub(crate) fn size(&self) -> usize {
        self.used
    }

    #[inline]
    pub(crate) fn entry(&self, index: u32) -> &Entry<A> {
        &self.entries[index as usize]
    }

    #[inline]
    pub(crate) fn entry_mut(&mut self, index: u32) -> &mut Entry<A> {
        &mut self.entries[index as usize]
    }

    pub(crate) fn add_root(&mut self) -> u32 {
        self.moments.push(BLANK);
        self.moments.len() as u32 - 1
    }

    #[inline]
    pub(crate) fn first(&self, moment: u32) -> u32 {
        self.moments[moment as usize].entries
    }

    /// Adds an entry after `previous`, or as the moment's first entry if `previous` is [`NONE`].
    pub(crate) fn insert(&mut self, moment: u32, previous: u32, seat: Seat, action: &A, prior: f32) -> u32 {
        let index = self.used as u32;
        let place = match previous {
            NONE => &mut self.moments[moment as usize].entries,
            previous => &mut self.entries[previous as usize].next,
        };
        let next = std::mem::replace(place, index);
        if let Some(old) = self.entries.get_mut(self.used) {
            old.action.clone_from(action);
            (old.total, old.visits, old.available) = (0.0, 0, 0);
            (old.next, old.after, old.seat, old.prior) = (next, NONE, seat, prior);
            old.proof = Proof::Open;
        } else {
            let action = action.clone();
            let (after, proof) = (NONE, Proof::Open);
            let entry =
                Entry { action, total: 0.0, visits: 0, available: 0, next, after, prior, seat, proof };
            self.entries.push(entry);
        }
        self.used += 1;
        index
    }

    /// The moment after these choices of all deciding seats, in order; `None` at their first visit.
    pub(crate) fn follow(&mut self, moment: u32, choices: &[u32]) -> Option<u32> {
        if let [choice] = *choices {
            let entry = &mut self.entries[choice as usize];
            if entry.visits == 0 {
                return None;
            }
            return Some(begin(&mut entry.after, &mut self.moments));
        }
        let mut chain = Chain::Moment(moment);
        let (mut link, mut is_new) = (NONE, false);
        for choice in choices {
            (link, is_new) = self.find_link(chain, *choice);
            chain = Chain::Link(link);
        }
        if is_new || link == NONE {
            return None;
        }
        Some(begin(&mut self.links[link as usize].after, &mut self.moments))
    }

    pub(crate) fn lead(&mut self, entry: u32, after: u32) {
        self.entries[entry as usize].after = after;
    }

    pub(crate) fn after_draw(&mut self, moment: u32, outcome: &C) -> u32 {
        let mut at = self.moments[moment as usize].draws;
        while at != NONE {
            let draw = &self.draws[at as usize];
            if draw.outcome == *outcome {
                return draw.after;
            }
            at = draw.next;
        }
        let (after, index) = (self.add_root(), self.draws.len() as u32);
        let next = std::mem::replace(&mut self.moments[moment as usize].draws, index);
        self.draws.push(Draw { outcome: outcome.clone(), next, after });
        after
    }

    /// The link for these choices of all deciding seats; `None` if it does not exist.
    pub(crate) fn link(&self, moment: u32, choices: impl IntoIterator<Item = u32>) -> Option<u32> {
        let (mut first, mut found) = (self.moments[moment as usize].links, None);
        for choice in choices {
            let mut at = first;
            while at != NONE && self.links[at as usize].entry != choice {
                at = self.links[at as usize].next;
            }
            if at == NONE {
                return None;
            }
            (first, found) = (self.links[at as usize].links, Some(at));
        }
        found
    }

    /// The link for this choice, created if missing; true if it is new.
    fn find_link(&mut self, chain: Chain, choice: u32) -> (u32, bool) {
        let place = match chain {
            Chain::Moment(moment) => &mut self.moments[moment as usize].links,
            Chain::Link(link) => &mut self.links[link as usize].links,
        };
        let first = *place;
        let mut at = first;
        while at != NONE {
            let link = &self.links[at as usize];
            if link.entry == choice {
                return (at, false);
            }
            at = link.next;
        }
        let index = self.links.len() as u32;
        match chain {
            Chain::Moment(moment) => self.moments[moment as usize].links = index,
            Chain::Link(link) => self.links[link as usize].links = index,
        }
        self.links.push(Link { entry: choice, next: first, links: NONE, after: NONE });
        (index, true)
    }

    /// The entries of this seat at a moment, with their numbers, in order of the actions.
    pub(crate) fn of_seat(&self, moment: u32, seat: Seat) -> impl Iterator<Item = (u32, &Entry<A>)> {
        self.entries_of(moment).filter(move |(_, entry)| entry.seat == seat)
    }

    /// The entries of a moment with their numbers, in order of seat and action.
    fn entries_of(&self, moment: u32) -> impl Iterator<Item = (u32, &Entry<A>)> {
        let mut at = self.first(moment);
        std::iter::from_fn(move || {
            let (number, entry) = (at, (at != NONE).then(|| self.entry(at))?);
            at = entry.next;
            Some((number, entry))
        })
    }
}

/// The moment at `after`, created if missing.
fn begin(after: &mut u32, moments: &mut Vec<Moment>) -> u32 {
    if *after == NONE {
        *after = moments.len() as u32;
        moments.push(BLANK);
    }
    *after
}
