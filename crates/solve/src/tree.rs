//! Extensive-form game trees: all histories, grouped into information sets.

use meeple_core::Seat;
use serde::Serialize;

/// A history: all steps since the beginning, including chance. The empty history has number 0. Children are
/// consecutive and have higher numbers than their parent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Node {
    /// An end; `gains` is the index of its first pay-off.
    End { gains: u32 },
    /// A chance draw; `odds` is the index of the first child's probability.
    Chance { first: u32, count: u32, odds: u32 },
    /// A decision; its information set stores the number of children.
    Decision { first: u32, set: u32 },
}

/// An information set: histories that the deciding seat cannot distinguish.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    pub(crate) seat: Seat,
    /// Number of actions, which is the same in all histories of the set.
    pub(crate) actions: u32,
    /// Index of the first action's probability in a profile.
    pub(crate) first: usize,
    /// The seat's previous set and action there. By perfect recall they are the same in all histories of the
    /// set.
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
    /// Pay-offs: `[end, seat]`.
    pub(crate) gains: Vec<f64>,
    pub(crate) sets: Vec<Set>,
    /// Histories of all information sets, set by set.
    pub(crate) members: Vec<u32>,
    /// Start of each set in `members`; the last item is the end of the last set.
    pub(crate) member_starts: Vec<usize>,
    pub(crate) actions: usize,
    pub(crate) steps: usize,
}

/// Sizes of a game tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Size {
    /// Number of histories, ends included.
    pub histories: usize,
    /// Number of terminal histories.
    pub ends: usize,
    /// Number of information sets, by seat.
    pub information_sets: Vec<usize>,
    /// Sum of the numbers of actions over all information sets: the dimension of a profile.
    pub actions: usize,
    /// Length of the longest episode in steps, chance included.
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

    /// Number of information sets, which are numbered in the order of a depth-first walk.
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

    /// Indices in a profile of a set's actions.
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

    /// Indices of the choices and chance outcomes that lead to a history.
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
