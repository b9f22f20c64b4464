//! Extensive-form game trees: all histories, grouped into information sets.

use meeple_core::Seat;
use serde::Serialize;

/// A history: all steps from the initial state, chance included. Histories are numbered: the root is 0, and
/// the children of a history are consecutive and have higher numbers than it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// A terminal history. `gains` is the index of seat 0's pay-off in [`Tree::gains`].
    End { gains: u32 },
    /// A chance node. `first` is the first child, `odds` the index of its probability in [`Tree::odds`].
    Chance { first: u32, count: u32, odds: u32 },
    /// A decision node. `first` is the first child; the number of children is that of the set's actions.
    Decision { first: u32, set: u32 },
}

/// An information set: histories indistinguishable to the deciding seat.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) seat: Seat,
    /// Number of legal actions, equal in all histories of the set.
    pub(crate) actions: u32,
    /// Index of the first action's probability in a profile.
    pub(crate) first: usize,
    /// The seat's previous set and its action there, equal in all histories by perfect recall.
    pub(crate) before: Option<(u32, u32)>,
    /// Number of the seat's earlier decisions.
    pub(crate) level: u32,
    /// The first history found in the set.
    pub(crate) example: u32,
}

/// A game tree whose histories, pay-offs and sets are stored in flat arrays.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(crate) seats: usize,
    pub(crate) nodes: Vec<Node>,
    /// Parent of each history; the root is its own parent.
    pub(crate) parents: Vec<u32>,
    /// Probabilities of chance outcomes.
    pub(crate) odds: Vec<f64>,
    /// Pay-offs, `[end, seat]`.
    pub(crate) gains: Vec<f64>,
    pub(crate) sets: Vec<Set>,
    /// Histories of all information sets, concatenated.
    pub(crate) members: Vec<u32>,
    /// Start of each set's histories in `members`, and the length of `members` at the end.
    pub(crate) member_starts: Vec<usize>,
    pub(crate) actions: usize,
    pub(crate) steps: usize,
}

/// Sizes of a game tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Size {
    /// Number of histories, terminal ones included.
    pub histories: usize,
    /// Number of terminal histories.
    pub ends: usize,
    /// Number of information sets, by seat.
    pub information_sets: Vec<usize>,
    /// Number of actions, summed over all information sets: the dimension of a profile.
    pub actions: usize,
    /// Length of the longest episode, chance included.
    pub steps: usize,
}

impl Tree {
    pub fn seats(&self) -> usize {
        self.seats
    }

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

    /// Number of information sets. They are numbered from 0 in the order of a depth-first walk.
    pub fn sets(&self) -> usize {
        self.sets.len()
    }

    /// # Panics
    /// If there is no such set.
    pub fn seat_of(&self, set: usize) -> Seat {
        self.sets[set].seat
    }

    /// # Panics
    /// If there is no such set.
    pub fn actions_of(&self, set: usize) -> usize {
        self.sets[set].actions as usize
    }

    /// The seat's previous information set and the index of its action there; `None` for its first decision.
    ///
    /// # Panics
    /// If there is no such set.
    pub fn before(&self, set: usize) -> Option<(usize, usize)> {
        self.sets[set].before.map(|(set, action)| (set as usize, action as usize))
    }

    /// # Panics
    /// If there is no such set.
    pub fn histories_of(&self, set: usize) -> usize {
        self.members_of(set).len()
    }

    pub(crate) fn members_of(&self, set: usize) -> &[u32] {
        &self.members[self.member_starts[set]..self.member_starts[set + 1]]
    }

    /// Indices of a set's actions in a profile.
    pub(crate) fn range_of(&self, set: usize) -> std::ops::Range<usize> {
        let Set { first, actions, .. } = self.sets[set];
        first..first + actions as usize
    }

    pub(crate) fn children(&self, node: Node) -> std::ops::Range<u32> {
        match node {
            Node::End { .. } => 0..0,
            Node::Chance { first, count, .. } => first..first + count,
            Node::Decision { first, set } => first..first + self.sets[set as usize].actions,
        }
    }

    /// The path from the root to a history: at each step, the index of the action or chance outcome.
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

    /// Fills `members` and `member_starts` from the nodes, by a counting sort.
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
