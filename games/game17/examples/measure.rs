//! Measures a line-up.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]
use meeple_core::*;
use meeple_game17::*;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let episodes: u64 = args[0].parse().unwrap();
    let variant = Variant::default();
    let seats = Game17::seats_for(&variant, 0);
    let game = Game17::new(variant, seats).unwrap();
    let mut line: Vec<AgentSpec> = args[1..].iter().map(|t| AgentSpec::parse(t)).collect();
    let named = line.len();
    line.resize(seats, AgentSpec::parse("zombie"));
    let agents = build_agents(&game, &Game17::agents(), &line).unwrap();
    let mut p = Playouts::new(&game, agents);
    let start = std::time::Instant::now();
    let mut wins = vec![0.0; named];
    let (mut len, mut sides, mut dec) = (0.0, 0.0, 0.0);
    for i in 0..episodes {
        let r = p.play(17, Seating::Shuffle, i);
        len += r.length as f64;
        sides += r.figures.episode_values()[0];
        dec += r.decisions as f64;
        for (seat, player) in r.player_at.iter().enumerate() {
            if (*player as usize) < named {
                wins[*player as usize] += r.outcome.win_share(Seat::new(seat));
            }
        }
    }
    let t = start.elapsed().as_secs_f64();
    let n = episodes as f64;
    println!("{:.1} games/s, rounds {:.3} sides {:.3} decisions {:.1}", n / t, len / n, sides / n, dec / n);
    for (i, w) in wins.iter().enumerate() {
        println!("{} {:.4}", line[i], w / n);
    }
}
