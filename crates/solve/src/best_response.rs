//! Exact best responses to fixed strategies.

use meeple_core::Seat;

use crate::profile::Profile;
use crate::tree::{Node, Tree};

#[derive(Clone, PartialEq, Debug)]
pub struct BestResponse {
    pub value: f64,
    /// Index of the chosen action, by information set of the whole tree; the first among equals. 0 in sets of
    /// other seats and in unreachable sets.
    pub actions: Vec<u32>,
}

/// The best response of a seat to the profile's strategies of the others.
///
/// Information sets are decided from the last to the first, which requires perfect recall. Each takes the
/// action with the largest expected value. Histories are weighted by the probabilities of chance and of the
/// other seats (counterfactual reach).
///
/// # Panics
/// If there is no such seat.
pub fn best_response(tree: &Tree, profile: &Profile, seat: Seat) -> BestResponse {
    assert!(seat.index() < tree.seats, "expected a seat below {}, found {seat}", tree.seats);
    let mut answering = Answering {
        tree,
        seat: seat.index(),
        reach: profile.reach(tree, Some(seat.index())),
        values: vec![0.0; tree.nodes.len()],
    };
    let mut actions = vec![0; tree.sets()];
    let mut own: Vec<usize> = (0..tree.sets()).filter(|set| tree.seat_of(*set) == seat).collect();
    own.sort_by_key(|set| std::cmp::Reverse(tree.sets[*set].level));
    for set in own {
        actions[set] = answering.decide(set);
    }
    BestResponse { value: answering.value(0), actions }
}

struct Answering<'a> {
    tree: &'a Tree,
    seat: usize,
    /// Counterfactual reach of each history.
    reach: Vec<f64>,
    /// Values of histories at the seat's own decisions, times the counterfactual reach.
    values: Vec<f64>,
}

impl Answering<'_> {
    /// Decides in an information set, after all later sets of the seat.
    fn decide(&mut self, set: usize) -> u32 {
        let tree = self.tree;
        let members = tree.members_of(set);
        let first = |member: u32| tree.children(tree.nodes[member as usize]).start;
        let mut best = (f64::NEG_INFINITY, 0);
        for action in 0..tree.sets[set].actions {
            let worth = members.iter().map(|member| self.value(first(*member) + action)).sum();
            if worth > best.0 {
                best = (worth, action);
            }
        }
        for member in members {
            self.values[*member as usize] = self.value(first(*member) + best.1);
        }
        best.1
    }

    /// Expected pay-off of the seat from a history on, times the counterfactual reach.
    fn value(&self, node: u32) -> f64 {
        let reach = self.reach[node as usize];
        if reach == 0.0 {
            return 0.0;
        }
        match self.tree.nodes[node as usize] {
            Node::End { gains } => reach * self.tree.gains[gains as usize + self.seat],
            Node::Decision { set, .. } if self.tree.sets[set as usize].seat.index() == self.seat => {
                self.values[node as usize]
            }
            other => self.tree.children(other).map(|child| self.value(child)).sum(),
        }
    }
}

/// NashConv: the sum over seats of the gain from a unilateral best response. It is 0 exactly in equilibria.
/// For two seats, half of it is the exploitability.
pub fn nash_conv(tree: &Tree, profile: &Profile) -> f64 {
    regrets(tree, profile).iter().sum()
}

/// Gain of each seat from a unilateral best response.
pub fn regrets(tree: &Tree, profile: &Profile) -> Vec<f64> {
    let values = profile.values(tree);
    let best = Seat::all(tree.seats).map(|seat| best_response(tree, profile, seat).value);
    best.zip(values).map(|(best, value)| best - value).collect()
}
