//! The cyclic component of a matrix of margins, which no rating can express.

use crate::square::Square;

/// Decomposition of an antisymmetric matrix into potential differences and a cyclic remainder (Hodge
/// decomposition on the complete graph; Jiang, Lim, Yao and Ye 2011).
#[derive(Clone, PartialEq, Debug)]
pub struct Cyclic {
    pub potentials: Vec<f64>,
    /// Share of the cyclic remainder in the sum of squares, in `0..=1`. It is 0 if ratings explain
    /// everything.
    pub share: f64,
    /// The 3-cycle with the largest minimum margin. Each strategy beats the next, and the last beats the
    /// first.
    pub clearest: Option<[usize; 3]>,
}

pub fn cyclic(margins: &Square) -> Cyclic {
    let size = margins.size();
    let potentials: Vec<f64> =
        (0..size).map(|row| margins.row(row).iter().sum::<f64>() / size as f64).collect();
    let (mut all, mut rest) = (0.0, 0.0);
    for row in 0..size {
        for column in 0..size {
            let margin = margins.at(row, column);
            all += margin * margin;
            rest += (margin - (potentials[row] - potentials[column])).powi(2);
        }
    }
    let share = if all > 0.0 { (rest / all).clamp(0.0, 1.0) } else { 0.0 };
    // Rounding errors do not count as cycles.
    let share = if share < 1e-20 { 0.0 } else { share };
    Cyclic { share, clearest: clearest(margins), potentials }
}

fn clearest(margins: &Square) -> Option<[usize; 3]> {
    let size = margins.size();
    let (mut best, mut found) = (0.0, None);
    for first in 0..size {
        for second in first + 1..size {
            let own = margins.at(first, second);
            for third in (first + 1..size).filter(|third| *third != second) {
                let least = own.min(margins.at(second, third)).min(margins.at(third, first));
                if least > best {
                    (best, found) = (least, Some([first, second, third]));
                }
            }
        }
    }
    found
}
