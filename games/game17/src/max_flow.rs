//! A test if departures of one turn explain a change of a board's counts. It is a maximum flow from the
//! squares of the mover to themselves (pieces that stay) and to their neighbours (pieces that leave).

use std::collections::VecDeque;

use crate::board::Board;

/// Number of places where a piece can be after a turn: the four neighbours, and its own square.
const WAYS: usize = 5;
const STAY: usize = 4;

/// Checks if some list of departures of `mover` leads from the counts before to the counts after. The totals
/// must be equal, and counts may fall only on squares of the mover.
///
/// # Errors
/// If pieces of a square cannot have come from anywhere; the error names the square.
pub(crate) fn explained(
    board: &Board,
    mover: u16,
    (owners, before): (&[u16], &[u32]),
    after: &[u32],
) -> Result<(), String> {
    let mut flow = Flow {
        board,
        own: owners.iter().map(|owner| *owner == mover).collect(),
        sent: vec![[0; WAYS]; before.len()],
        surplus: vec![0; before.len()],
    };
    let mut wanted = vec![0; before.len()];
    for (square, (before, after)) in before.iter().zip(after).enumerate() {
        // Initially as many pieces as possible stay. The search corrects wrong guesses.
        let stays = *before.min(after);
        flow.sent[square][STAY] = stays;
        flow.surplus[square] = before - stays;
        wanted[square] = after - stays;
    }
    for (target, wanted) in wanted.iter_mut().enumerate() {
        while *wanted > 0 {
            let Some(path) = flow.shortest(target) else {
                let place = board.places[target];
                return Err(format!(
                    "row {}, column {}: expected pieces to come from squares next to it, found {} too many",
                    place.row, place.column, *wanted
                ));
            };
            *wanted -= flow.lead(&path, *wanted);
        }
    }
    Ok(())
}

struct Flow<'a> {
    board: &'a Board,
    own: Vec<bool>,
    /// Pieces of each square sent each way.
    sent: Vec<[u32; WAYS]>,
    /// Pieces of each square that are not sent yet.
    surplus: Vec<u32>,
}

/// A square of the mover, and a way that its pieces go.
#[derive(Clone, Copy)]
struct Arc {
    giver: usize,
    way: usize,
}

/// An augmenting path to a target.
struct Path {
    source: usize,
    /// Arcs whose flow increases; the first one leaves the source.
    more: Vec<Arc>,
    /// Arcs whose flow decreases, because other pieces arrive at their ends.
    fewer: Vec<Arc>,
}

impl Flow<'_> {
    fn end(&self, arc: Arc) -> usize {
        match self.board.neighbours[arc.giver].get(arc.way) {
            Some(next) => usize::from(*next),
            None => arc.giver,
        }
    }

    /// Augments the flow along the path, by at most `wanted`. Returns the amount.
    fn lead(&mut self, path: &Path, wanted: u32) -> u32 {
        let room = path.fewer.iter().map(|arc| self.sent[arc.giver][arc.way]).min().unwrap_or(u32::MAX);
        let amount = room.min(wanted).min(self.surplus[path.source]);
        self.surplus[path.source] -= amount;
        for arc in &path.more {
            self.sent[arc.giver][arc.way] += amount;
        }
        for arc in &path.fewer {
            self.sent[arc.giver][arc.way] -= amount;
        }
        amount
    }

    /// A shortest augmenting path, searched backwards from the target. A square of the mover can serve its
    /// own place and the adjacent ones. If it has no surplus, pieces that serve other places are redirected,
    /// and other squares then serve those places.
    fn shortest(&self, target: usize) -> Option<Path> {
        let squares = self.surplus.len();
        // By place: the arc whose flow is reduced to free pieces.
        let mut freed: Vec<Option<Arc>> = vec![None; squares];
        // By square of the mover: the arc by which it serves a place.
        let mut serves: Vec<Option<Arc>> = vec![None; squares];
        let mut seen = vec![false; squares];
        let mut queue = VecDeque::from([target]);
        seen[target] = true;
        while let Some(place) = queue.pop_front() {
            for giver in self.board.neighbours[place].map(usize::from).into_iter().chain([place]) {
                if !self.own[giver] || serves[giver].is_some() {
                    continue;
                }
                let way = (0..WAYS).find(|way| self.end(Arc { giver, way: *way }) == place)?;
                serves[giver] = Some(Arc { giver, way });
                if self.surplus[giver] > 0 {
                    return Some(self.trace(giver, target, &freed, &serves));
                }
                for way in (0..WAYS).filter(|way| self.sent[giver][*way] > 0) {
                    let back = Arc { giver, way };
                    let place = self.end(back);
                    if !std::mem::replace(&mut seen[place], true) {
                        freed[place] = Some(back);
                        queue.push_back(place);
                    }
                }
            }
        }
        None
    }

    fn trace(&self, source: usize, target: usize, freed: &[Option<Arc>], serves: &[Option<Arc>]) -> Path {
        let mut path = Path { source, more: Vec::new(), fewer: Vec::new() };
        let mut giver = source;
        loop {
            let more = serves[giver].expect("the search came this way");
            path.more.push(more);
            let place = self.end(more);
            if place == target {
                return path;
            }
            let fewer = freed[place].expect("the search came this way");
            path.fewer.push(fewer);
            giver = fewer.giver;
        }
    }
}
