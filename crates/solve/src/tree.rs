//! A game as a tree: all histories, and which of them a seat cannot tell apart.

use meeple_core::Seat;
use serde::Serialize;

/// A history: what has happened from the beginning on, chance included. Histories are numbered; the empty one is 0, and
/// those that follow from one by a single step have numbers side by side, higher than its own.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// The episode is over; what was gained begins here.
    End { gains: u32 },
    /// Chance draws: the first history that follows, how many do, and where their probabilities begin.
    Chance { first: u32, count: u32, odds: u32 },
    /// A seat decides: the first history that follows, and the information set, which says how many do.
    Decision { first: u32, set: u32 },
}

/// An information set: histories that the seat that decides cannot tell apart.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) seat: Seat,
    /// Legal actions, the same in all its histories,
    pub(crate) actions: u32,
    /// and where their probabilities begin in a profile.
    pub(crate) first: usize,
    /// The seat's decision before this one, and which action it took: the same in all histories, as nobody forgets.
    pub(crate) before: Option<(u32, u32)>,
    /// How many decisions of the seat came before.
    pub(crate) level: u32,
    /// The first of its histories.
    pub(crate) example: u32,
}

/// A game unrolled: every history from the beginning to every end, with the information sets of all seats.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) seats: usize,
    pub(crate) nodes: Vec<Node>,
    /// The history before each; of the first, itself.
    pub(crate) parents: Vec<u32>,
    pub(crate) odds: Vec<f64>,
    /// By end and seat.
    pub(crate) gains: Vec<f64>,
    pub(crate) sets: Vec<Set>,
    /// The histories of all sets, one set after the other, in order,
    pub(crate) members: Vec<u32>,
    /// and where those of each begin, and the last end.
    pub(crate) member_starts: Vec<usize>,
    /// Actions of all sets together.
    pub(crate) actions: usize,
    pub(crate) steps: usize,
}

/// How large a game is.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Size {
    /// All histories, ends included.
    pub histories: usize,
    /// Those in which an episode is over.
    pub ends: usize,
    /// Information sets by seat.
    pub information_sets: Vec<usize>,
    /// Actions in all information sets together: the numbers that a profile is made of.
    pub actions: usize,
    /// Steps of the longest episode, chance included.
    pub steps: usize,
}

impl Tree {
    /// Number of seats.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        let of = |seat: Seat| self.sets.iter().filter(|set| set.seat == seat).count();
        Size {
            histories: self.nodes.len(),
            ends: self.gains.len() / self.seats,
            information_sets: Seat::all(self.seats).map(of).collect(),
            actions: self.actions,
            steps: self.steps,
        }
    }

    /// Number of information sets; they are numbered from 0 in the order in which a walk through the tree, first actions
    /// first, comes to them.
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// Who decides in an information set.
    ///
    /// # Panics
    /// If there is none of this number.
    pub fn seat_of(&self, set: usize) -> Seat {
        self.sets[set].seat
    }

    /// How many actions are legal in an information set.
    ///
    /// # Panics
    /// If there is none of this number.
    pub fn actions_of(&self, set: usize) -> usize {
        self.sets[set].actions as usize
    }

    /// The seat's information set before this one and the index of the action it took there; `None` if it has not decided
    /// before.
    ///
    /// # Panics
    /// If there is none of this number.
    pub fn before(&self, set: usize) -> Option<(usize, usize)> {
        self.sets[set].before.map(|(set, action)| (set as usize, action as usize))
    }

    /// Number of histories in an information set.
    ///
    /// # Panics
    /// If there is none of this number.
    pub fn histories_of(&self, set: usize) -> usize {
        self.members_of(set).len()
    }

    /// The histories of a set.
    pub(crate) fn members_of(&self, set: usize) -> &[u32] {
        &self.members[self.member_starts[set]..self.member_starts[set + 1]]
    }

    /// Where the numbers of a set are in a profile.
    pub(crate) fn range_of(&self, set: usize) -> std::ops::Range<usize> {
        let Set { first, actions, .. } = self.sets[set];
        first..first + actions as usize
    }

    /// The histories that follow one.
    pub(crate) fn children(&self, node: Node) -> std::ops::Range<u32> {
        match node {
            Node::End { .. } => 0..0,
            Node::Chance { first, count, .. } => first..first + count,
            Node::Decision { first, set } => first..first + self.sets[set as usize].actions,
        }
    }

    /// Which steps lead to a history, each as the index of what was chosen or drawn.
    pub(crate) fn steps_to(&self, node: u32) -> Vec<u32> {
        let mut steps = Vec::new();
        let mut at = node;
        while at != 0 {
            let parent = self.parents[at as usize];
            steps.push(at - self.children(self.nodes[parent as usize]).start);
            at = parent;
        }
        steps.reverse();
        steps
    }

    /// Notes which histories are in which set, once all are there.
    pub(crate) fn gather(&mut self) {
        let mut counts = vec![0; self.sets.len() + 1];
        for node in &self.nodes {
            if let Node::Decision { set, .. } = node {
                counts[*set as usize + 1] += 1;
            }
        }
        for set in 1..counts.len() {
            counts[set] += counts[set - 1];
        }
        let mut next = counts.clone();
        self.members = vec![0; counts[self.sets.len()]];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Node::Decision { set, .. } = node {
                let place = &mut next[*set as usize];
                self.members[*place] = index as u32;
                *place += 1;
            }
        }
        self.member_starts = counts;
    }
}
