// Fights by the rules, for the test `fights` and the example `generated_maps`. Both include this file,
// because examples and tests cannot share a module.

const S: Class = Class::Schooner;
const G: Class = Class::Galleon;
const F: Class = Class::Frigate;

/// Initiator, defender, distance, probability that the initiator wins: from the rules.
const EXACT: [(Class, u16, Class, u16, u8, f64); 13] = [
    (S, 2, S, 2, 0, 0.500000),
    (S, 0, S, 2, 0, 0.336111),
    (S, 4, S, 2, 0, 0.656946),
    (S, 2, S, 4, 0, 0.343054),
    (S, 4, F, 18, 0, 0.042904),
    (G, 2, S, 2, 1, 0.613053),
    (F, 2, S, 2, 2, 0.712217),
    (F, 2, G, 2, 2, 0.613053),
    (F, 4, S, 4, 2, 0.656455),
    (F, 18, S, 4, 2, 0.976520),
    (F, 18, G, 12, 2, 0.764302),
    (G, 12, F, 18, 1, 0.269483),
    (G, 12, F, 12, 1, 0.500000),
];

/// The initiator's share of wins over `fights` fights, in the first row of a map without land in this row.
fn share_won(
    game: &Privateers,
    a: (Class, u16),
    b: (Class, u16),
    distance: u8,
    fights: u64,
    rng: &mut Stream,
) -> f64 {
    let ship = |column, (class, cannons)| ShipSetup::at(Cell::new(column, 0)).class(class).cannons(cannons);
    let ships = vec![ship(5, a), ship(5 + usize::from(distance), b)];
    let mut start = game.set_up(&Setup { ships, prices: None });
    game.apply_chance(&mut start, &Chance::Wind(Wind::Fickle, 6), &mut NoEvents);
    game.apply(&mut start, Seat::new(0), &Action::Attack(Seat::new(1)), &mut NoEvents).expect("a fight");
    let (mut state, mut won) = (start.clone(), 0u64);
    for _ in 0..fights {
        state.clone_from(&start);
        while game.observe(&state, Viewer::Public).stage() == Stage::Roll {
            let roll = Chance::Roll(1 + rng.below(6) as u8, 1 + rng.below(6) as u8);
            game.apply_chance(&mut state, &roll, &mut NoEvents);
        }
        won += u64::from(game.observe(&state, Viewer::Public).lives(Seat::new(0)));
    }
    won as f64 / fights as f64
}
