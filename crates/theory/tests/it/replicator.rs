use meeple_theory::{Compositions, TableGame, basins, replicate};

use crate::near;

/// A game of two seats, from the pay-offs of the row's strategy against the column's.
fn game(rows: &[&[f64]]) -> TableGame {
    let size = rows.len();
    let tables = Compositions::new(2, size);
    let mut pay_offs = vec![0.0; tables.len() * size];
    for (a, own) in rows.iter().enumerate() {
        for (b, gained) in own.iter().enumerate() {
            let mut counts = vec![0; size];
            counts[a] += 1;
            counts[b] += 1;
            pay_offs[tables.index(&counts) * size + a] = *gained;
        }
    }
    TableGame::new(tables, pay_offs)
}

#[test]
fn hawks_and_doves_rest_where_they_must() {
    // With a prize of 2 and fights that cost 5, hawks have a share of 2/5.
    let game = game(&[&[-1.5, 2.0], &[0.0, 1.0]]);
    let rest = replicate(&game, &[0.9, 0.1]);
    assert!(rest.rested);
    near(&rest.shares, &[0.4, 0.6], 1e-6);
}

#[test]
fn coordination_has_two_basins_in_proportion() {
    // Meeting at the first strategy pays 2, at the second 1. The border lies where the first has a share of
    // 1/3.
    let game = game(&[&[2.0, 0.0], &[0.0, 1.0]]);
    let found = basins(&game, 1000, 1);
    assert_eq!(found.len(), 2);
    near(&found[0].shares, &[1.0, 0.0], 1e-6);
    near(&found[1].shares, &[0.0, 1.0], 1e-6);
    // Six standard errors of 1,000 starts.
    assert!(found[0].starts.abs_diff(667) < 90, "{found:?}");
    assert_eq!(found, basins(&game, 1000, 1));
}

#[test]
fn a_ring_goes_round_its_middle() {
    let game = game(&[&[0.0, -1.0, 1.0], &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]]);
    let rest = replicate(&game, &[0.5, 0.3, 0.2]);
    assert!(!rest.rested);
    near(&rest.shares, &[1.0 / 3.0; 3], 0.02);
    let found = basins(&game, 20, 1);
    assert_eq!((found.len(), found[0].rests, found[0].starts), (1, false, 20));
}
