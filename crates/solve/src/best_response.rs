//! The best that a seat can do against fixed strategies of the others, exactly.

use meeple_core::Seat;

use crate::profile::Profile;
use crate::tree::{Node, Tree};

/// The best that a seat can do against fixed strategies of the others.
#[derive(Clone, PartialEq, Debug)]
pub struct BestResponse {
    /// What it gains in the mean.
    pub value: f64,
    /// By information set of the whole tree, the index of the action it takes: the first of the best. In sets of other
    /// seats, and where the others never let it come, 0.
    pub actions: Vec<u32>,
}

/// The best that a seat can do against the strategies that the profile has for the others.
///
/// Histories of one information set are weighed by how likely chance and the others make them, and the action that is best
/// over all of them is taken; sets are decided from the last decisions of the seat to its first. This needs seats that forget
/// nothing, as those of a [`Tree`] are.
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
    /// How likely chance and the others make each history.
    reach: Vec<f64>,
    /// Of histories in which the seat decides: what it gains from there on, times how likely it is.
    values: Vec<f64>,
}

impl Answering<'_> {
    /// Decides in an information set, when all later ones of the seat are decided.
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

    /// What the seat gains from a history on, times how likely chance and the others make it.
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

/// How much seats could gain: what all could by changing their strategy, each alone, added up. It is 0 in an equilibrium and
/// positive elsewhere. Between two seats half of it is called exploitability.
pub fn nash_conv(tree: &Tree, profile: &Profile) -> f64 {
    regrets(tree, profile).iter().sum()
}

/// What each seat could gain by changing its strategy alone.
pub fn regrets(tree: &Tree, profile: &Profile) -> Vec<f64> {
    let values = profile.values(tree);
    let best = Seat::all(tree.seats).map(|seat| best_response(tree, profile, seat).value);
    best.zip(values).map(|(best, value)| best - value).collect()
}
