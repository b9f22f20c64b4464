use meeple_core::Seat;

use super::{Link, NONE, Tree};

impl<A: Clone + Ord, C: Clone + Eq> Tree<A, C> {
    pub(crate) fn find_or_insert(&mut self, moment: u32, seat: Seat, action: &A) -> u32 {
        let mut previous = NONE;
        let mut at = self.first(moment);
        while at != NONE {
            let entry = self.entry(at);
            if (entry.seat, &entry.action) >= (seat, action) {
                break;
            }
            (previous, at) = (at, entry.next);
        }
        let is_there = at != NONE && self.entry(at).seat == seat && self.entry(at).action == *action;
        if is_there { at } else { self.insert(moment, previous, seat, action, 1.0) }
    }

    /// The most visited line from a moment on, starting with `first`, as long as entries have at least
    /// `least` visits. It has about `longest` entries at most. Ties go to the first entry. Simultaneous
    /// choices are in order of seat.
    pub(crate) fn most_visited(&self, root: u32, first: u32, least: u32, longest: usize) -> Vec<u32> {
        let mut path = Vec::new();
        let mut moment = root;
        loop {
            let begun = path.len();
            let after = if self.moments[moment as usize].links != NONE {
                self.most_visited_together(moment, (moment == root).then_some(first), &mut path)
            } else {
                let best = if moment == root { Some(first) } else { self.most_visited_of(moment) };
                path.extend(best);
                best.map_or(NONE, |best| self.entry(best).after)
            };
            let rarely = |index: &u32| *index != first && self.entry(*index).visits < least;
            if path[begun..].iter().any(rarely) {
                let keeps = |index: &u32| *index == first;
                let kept: Vec<u32> = path.drain(begun..).filter(keeps).collect();
                path.extend(kept);
                return path;
            }
            if after == NONE || path.len() >= longest {
                return path;
            }
            moment = after;
        }
    }

    fn most_visited_of(&self, moment: u32) -> Option<u32> {
        let mut best: Option<(u32, u32)> = None;
        for (number, entry) in self.entries_of(moment) {
            if best.is_none_or(|(_, visits)| entry.visits > visits) {
                best = Some((number, entry.visits));
            }
        }
        best.map(|(number, _)| number)
    }

    /// Adds the most visited simultaneous choices to `path`, and returns the moment after them. If `bound` is
    /// given, the choices include that entry.
    fn most_visited_together(&self, moment: u32, bound: Option<u32>, path: &mut Vec<u32>) -> u32 {
        let mut place = self.moments[moment as usize].links;
        let mut bound = bound;
        loop {
            let mut best = NONE;
            let mut at = place;
            while at != NONE {
                let is_open = bound.is_none_or(|bound| self.leads_to(at, bound));
                if is_open && (best == NONE || self.beats(self.link_at(at).entry, self.link_at(best).entry)) {
                    best = at;
                }
                at = self.link_at(at).next;
            }
            if best == NONE {
                return NONE;
            }
            let link = self.link_at(best);
            path.push(link.entry);
            bound = bound.filter(|bound| link.entry != *bound);
            if link.links == NONE {
                return link.after;
            }
            place = link.links;
        }
    }

    fn link_at(&self, index: u32) -> &Link {
        &self.links[index as usize]
    }

    /// Returns true if this link, or a link of a later seat below it, stands for the entry.
    fn leads_to(&self, link: u32, entry: u32) -> bool {
        let mut behind = self.link_at(link).links;
        if self.link_at(link).entry == entry {
            return true;
        }
        while behind != NONE {
            if self.leads_to(behind, entry) {
                return true;
            }
            behind = self.link_at(behind).next;
        }
        false
    }

    fn beats(&self, entry: u32, other: u32) -> bool {
        let rank = |index: u32| (std::cmp::Reverse(self.entry(index).visits), index);
        rank(entry) < rank(other)
    }
}
