//! Whether departures of one turn can explain how the counts of a board changed: a flow from the squares of
//! the mover to themselves (what stays) and to their neighbours (what leaves).

use std::collections::VecDeque;

use crate::board::Board;

/// Whether some list of departures of `mover` leads from the counts before to those after. The totals are
/// equal, and counts fall on squares of the mover only.
///
/// # Errors
/// The square whose pieces cannot have come from anywhere.
pub(crate) fn explained(
    board: &Board,
    mover: u16,
    (owners, before): (&[u16], &[u32]),
    after: &[u32],
) -> Result<(), String> {
    let squares = before.len();
    let own = |square: usize| owners[square] == mover;
    // What stays is taken for granted as far as possible; the rest has to be led.
    let stays: Vec<u32> = (0..squares).map(|square| before[square].min(after[square])).collect();
    let mut surplus: Vec<u32> = (0..squares).map(|square| before[square] - stays[square]).collect();
    let mut wanted: Vec<u32> = (0..squares).map(|square| after[square] - stays[square]).collect();
    // Pieces of the mover on this square that go on to `neighbours[square][direction]`.
    let mut gone = vec![[0u32; 4]; squares];
    let mut staying = stays;
    for (target, wanted) in wanted.iter_mut().enumerate() {
        while *wanted > 0 {
            let Some(path) = shortest(board, &own, &staying, &gone, &surplus, target) else {
                let place = board.places[target];
                return Err(format!(
                    "row {}, column {}: expected pieces to come from squares next to it, found {} too many",
                    place.row, place.column, *wanted
                ));
            };
            // A square on the way sends one more and keeps (or sends elsewhere) one less.
            let source = path.source;
            let amount = path.steps.iter().map(|step| step.room(&staying, &gone)).min().unwrap_or(u32::MAX);
            let amount = amount.min(surplus[source]).min(*wanted);
            for step in &path.steps {
                step.push(amount, &mut staying, &mut gone);
            }
            surplus[source] -= amount;
            *wanted -= amount;
        }
    }
    Ok(())
}

/// One step of a rerouting.
#[derive(Clone, Copy)]
enum Step {
    /// More pieces go from a square in a direction.
    Send(usize, usize),
    /// Fewer pieces stay on a square, because others come in.
    Unstay(usize),
    /// Fewer pieces go from a square in a direction, because others come in at its end.
    Unsend(usize, usize),
}

impl Step {
    fn room(self, staying: &[u32], gone: &[[u32; 4]]) -> u32 {
        match self {
            Self::Send(..) => u32::MAX,
            Self::Unstay(square) => staying[square],
            Self::Unsend(square, direction) => gone[square][direction],
        }
    }

    fn push(self, amount: u32, staying: &mut [u32], gone: &mut [[u32; 4]]) {
        match self {
            Self::Send(square, direction) => gone[square][direction] += amount,
            Self::Unstay(square) => staying[square] -= amount,
            Self::Unsend(square, direction) => gone[square][direction] -= amount,
        }
    }
}

/// How pieces get from a square with a surplus to a target.
struct Path {
    source: usize,
    steps: Vec<Step>,
}

/// A shortest way, searched backwards from the target: a square of the mover can serve a place if the place is
/// next to it; if the square has no surplus, pieces that it has given to other places (or keeps) are taken back,
/// and those places are served by somebody else.
fn shortest(
    board: &Board,
    own: &dyn Fn(usize) -> bool,
    staying: &[u32],
    gone: &[[u32; 4]],
    surplus: &[u32],
    target: usize,
) -> Option<Path> {
    let squares = surplus.len();
    // By place: the giver that was taken back, and how it was found.
    let mut giver_of: Vec<Option<(usize, Step)>> = vec![None; squares];
    let mut place_of: Vec<Option<(usize, Step)>> = vec![None; squares];
    let mut place_seen = vec![false; squares];
    let mut queue = VecDeque::from([target]);
    place_seen[target] = true;
    while let Some(place) = queue.pop_front() {
        for next in board.neighbours[place] {
            let giver = usize::from(next);
            if !own(giver) || place_of[giver].is_some() {
                continue;
            }
            let direction =
                (0..4).find(|direction| usize::from(board.neighbours[giver][*direction]) == place)?;
            place_of[giver] = Some((place, Step::Send(giver, direction)));
            if surplus[giver] > 0 {
                return Some(trace(giver, target, &giver_of, &place_of));
            }
            let mut free = |freed: usize, step: Step| {
                if !std::mem::replace(&mut place_seen[freed], true) {
                    giver_of[freed] = Some((giver, step));
                    queue.push_back(freed);
                }
            };
            if staying[giver] > 0 {
                free(giver, Step::Unstay(giver));
            }
            for (direction, count) in gone[giver].iter().enumerate() {
                if *count > 0 {
                    free(usize::from(board.neighbours[giver][direction]), Step::Unsend(giver, direction));
                }
            }
        }
    }
    None
}

fn trace(
    source: usize,
    target: usize,
    giver_of: &[Option<(usize, Step)>],
    place_of: &[Option<(usize, Step)>],
) -> Path {
    let mut steps = Vec::new();
    let mut giver = source;
    loop {
        let (place, send) = place_of[giver].expect("the search came this way");
        steps.push(send);
        if place == target {
            return Path { source, steps };
        }
        let (next, back) = giver_of[place].expect("the search came this way");
        steps.push(back);
        giver = next;
    }
}
