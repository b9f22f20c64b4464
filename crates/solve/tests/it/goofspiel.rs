//! Goofspiel, compared with backward induction over matrix games, which is implemented here without trees.

use std::collections::BTreeMap;

use meeple_solve::nash_conv;
use meeple_testkit::toys::{Goofspiel, GoofspielVariant};

use crate::support::{close, learned, profile, tree};

/// The mixture x of the rows, and the value v, for which every column of the square `matrix` gives x the
/// expected pay-off v.
fn equalised(matrix: &[Vec<f64>]) -> Option<(Vec<f64>, f64)> {
    let size = matrix.len() + 1;
    // One equation per column: the sum of x · matrix - v is 0. The last equation: the sum of x is 1.
    let mut rows: Vec<Vec<f64>> = (0..size)
        .map(|column| {
            let of = |row: usize| match (row + 1 == size, column + 1 == size) {
                (true, true) => 0.0,
                (true, false) => -1.0,
                (false, true) => 1.0,
                (false, false) => matrix[row][column],
            };
            (0..size).map(of).chain([if column + 1 == size { 1.0 } else { 0.0 }]).collect()
        })
        .collect();
    for pivot in 0..size {
        let best = (pivot..size).max_by(|a, b| rows[*a][pivot].abs().total_cmp(&rows[*b][pivot].abs()))?;
        rows.swap(pivot, best);
        if rows[pivot][pivot].abs() < 1e-9 {
            return None;
        }
        for row in (0..size).filter(|row| *row != pivot) {
            let line = rows[pivot].clone();
            let factor = rows[row][pivot] / line[pivot];
            rows[row].iter_mut().zip(line).for_each(|(number, taken)| *number -= factor * taken);
        }
    }
    let mut solved: Vec<f64> = (0..size).map(|row| rows[row][size] / rows[row][row]).collect();
    let value = solved.pop()?;
    Some((solved, value))
}

/// The subsets of `0..count` with `members` members.
fn parts(count: usize, members: u32) -> Vec<Vec<usize>> {
    let of = |mask: u32| (0..count).filter(|place| mask >> place & 1 == 1).collect();
    (0..1_u32 << count).filter(|mask| mask.count_ones() == members).map(of).collect()
}

/// Value and best mixtures of a matrix game, by trying all square submatrices (Shapley, Snow 1950).
fn solve_matrix(matrix: &[Vec<f64>]) -> (f64, Vec<f64>, Vec<f64>) {
    let (height, width) = (matrix.len(), matrix[0].len());
    for size in 1..=height.min(width) {
        for rows in parts(height, size as u32) {
            for columns in parts(width, size as u32) {
                let part = |turned: bool| -> Vec<Vec<f64>> {
                    let of = |row: usize, column: usize| matrix[rows[row]][columns[column]];
                    let line = |a| (0..size).map(move |b| if turned { of(b, a) } else { of(a, b) }).collect();
                    (0..size).map(line).collect()
                };
                let (Some((x, value)), Some((y, _))) = (equalised(&part(false)), equalised(&part(true)))
                else {
                    continue;
                };
                let (mut row, mut column) = (vec![0.0; height], vec![0.0; width]);
                rows.iter().zip(&x).for_each(|(place, share)| row[*place] = *share);
                columns.iter().zip(&y).for_each(|(place, share)| column[*place] = *share);
                let least = (0..width).map(|c| (0..height).map(|r| row[r] * matrix[r][c]).sum::<f64>());
                let most =
                    matrix.iter().map(|line| line.iter().zip(&column).map(|(a, b)| a * b).sum::<f64>());
                let shares = row.iter().chain(&column).all(|share| *share > -1e-12);
                let holds = least.fold(f64::MAX, f64::min) > value - 1e-9
                    && most.fold(f64::MIN, f64::max) < value + 1e-9;
                if shares && holds {
                    let sound = |shares: Vec<f64>| shares.into_iter().map(|share| share.max(0.0)).collect();
                    return (value, sound(row), sound(column));
                }
            }
        }
    }
    panic!("every matrix game has a value")
}

/// Cards that a seat has left.
fn left(cards: u8, played: u64) -> Vec<u8> {
    (1..=cards).filter(|card| played >> card & 1 == 0).collect()
}

/// Common knowledge of both bidders: cards played by both, prizes turned up, and the current prize.
type Known = ([u64; 2], u64, u8);

/// Half of the first seat's expected lead in points from this position on. Stores the best mixtures of both
/// bidders in `best`.
fn induce(cards: u8, played: [u64; 2], turned: u64, best: &mut BTreeMap<Known, [Vec<f64>; 2]>) -> f64 {
    let prizes = left(cards, turned);
    let mut sum = 0.0;
    for prize in &prizes {
        let hands = played.map(|played| left(cards, played));
        let matrix: Vec<Vec<f64>> = hands[0]
            .iter()
            .map(|one| {
                let gain = |two: &u8| {
                    let now = f64::from(*prize) / 2.0
                        * match one.cmp(two) {
                            std::cmp::Ordering::Less => -1.0,
                            std::cmp::Ordering::Equal => 0.0,
                            std::cmp::Ordering::Greater => 1.0,
                        };
                    let then = [played[0] | 1 << one, played[1] | 1 << two];
                    now + induce(cards, then, turned | 1 << prize, best)
                };
                hands[1].iter().map(gain).collect()
            })
            .collect();
        let (value, row, column) = solve_matrix(&matrix);
        best.insert((played, turned | 1 << prize, *prize), [row, column]);
        sum += value;
    }
    if prizes.is_empty() { 0.0 } else { sum / prizes.len() as f64 }
}

#[test]
fn backward_induction_finds_an_equilibrium() {
    for (cards, histories) in [(3, 1066), (4, 68_245)] {
        let game = Goofspiel::new(GoofspielVariant { cards }, 2).unwrap();
        let tree = tree(&game);
        assert_eq!(tree.size().histories, histories);
        let mut best = BTreeMap::new();
        close(induce(cards, [0; 2], 0, &mut best), 0.0, 1e-12);
        let known = profile(&game, &tree, |situation| {
            let number = |value: &serde_json::Value| value.as_u64().unwrap();
            let sees = &situation.sees;
            let played = [number(&sees["played"][0]), number(&sees["played"][1])];
            best[&(played, number(&sees["turned"]), number(&sees["prize"]) as u8)][situation.seat.index()]
                .clone()
        });
        close(known.values(&tree)[0], 0.0, 1e-12);
        close(nash_conv(&tree, &known), 0.0, 1e-9);
        // The learned strategies come near the equilibrium, in the same unit of points.
        let solution = learned(&tree, 60_000, 5);
        assert!(solution.nash_conv() / 2.0 < 0.05, "{cards} cards: {}", solution.nash_conv() / 2.0);
        close(solution.values[0], 0.0, 0.05);
    }
}
