//! Plays a line-up of game17 (zombies on all other seats) and prints means and shares with 95 % intervals.
//!
//! `cargo run --release -p meeple-game17 --example measure -- EPISODES [AGENT…]`
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)] // a program, not a part of the game

use meeple_core::{AgentSpec, Game, Playouts, Seat, Seating, build_agents};
use meeple_game17::{Game17, Variant};

/// Root seed of the numbers printed in RULES.md.
const SEED: u64 = 17;

/// A running mean.
#[derive(Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// Mean, standard deviation and the normal 95 % interval of the mean.
    fn row(&self, name: &str) -> String {
        let mean = self.sum / self.count;
        let variance = (self.squares - self.sum * mean) / (self.count - 1.0).max(1.0);
        let deviation = variance.max(0.0).sqrt();
        let half = 1.96 * deviation / self.count.sqrt();
        format!("| {name} | {mean:.4} | {:.4} – {:.4} | {deviation:.3} |", mean - half, mean + half)
    }
}

/// A share with the Wilson 95 % interval.
fn share(name: &str, hits: f64, count: f64) -> String {
    let (z, p) = (1.96f64, hits / count);
    let middle = (p + z * z / (2.0 * count)) / (1.0 + z * z / count);
    let half = z / (1.0 + z * z / count) * (p * (1.0 - p) / count + z * z / (4.0 * count * count)).sqrt();
    format!("| {name} | {p:.4} | {:.4} – {:.4} | |", middle - half, middle + half)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let episodes: u64 = arguments.first().and_then(|text| text.parse().ok()).unwrap_or(1000);
    let variant = Variant::default();
    let seats = Game17::seats_for(&variant, 0);
    let game = Game17::new(variant, seats).expect("the defaults make a game");
    let mut line_up: Vec<AgentSpec> = arguments.iter().skip(1).map(|text| AgentSpec::parse(text)).collect();
    let named = line_up.len();
    line_up.resize(seats, AgentSpec::parse("zombie"));
    let agents = build_agents(&game, &Game17::agents(), &line_up).expect("known agents");
    let mut playouts = Playouts::new(&game, agents);

    let start = std::time::Instant::now();
    let mut figures: [(&str, Mean); 7] = [
        ("rounds", Mean::default()),
        ("sides left (with pieces)", Mean::default()),
        ("owners left (with squares)", Mean::default()),
        ("most squares", Mean::default()),
        ("winners", Mean::default()),
        ("place of the winner in the turn order", Mean::default()),
        ("decisions", Mean::default()),
    ];
    let (mut last_round, mut tied) = (0.0, 0.0);
    let mut players: Vec<(f64, f64, Mean)> = (0..named).map(|_| (0.0, 0.0, Mean::default())).collect();
    for index in 0..episodes {
        let report = playouts.play(SEED, Seating::Shuffle, index);
        let own = report.figures.episode_values();
        let values = [report.length as f64, own[0], own[1], own[2], own[3], own[4], report.decisions as f64];
        for ((_, mean), value) in figures.iter_mut().zip(values) {
            mean.add(value);
        }
        last_round += f64::from(u8::from(report.outcome.end == 1));
        tied += f64::from(u8::from(report.outcome.winners() > 1));
        for (seat, player) in report.player_at.iter().enumerate() {
            if let Some((first, alone, squares)) = players.get_mut(usize::from(*player)) {
                let place = report.outcome.win_share(Seat::new(seat));
                *first += f64::from(u8::from(place > 0.0));
                *alone += f64::from(u8::from(place == 1.0));
                squares.add(report.outcome.scores[seat] as f64);
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let count = episodes as f64;
    println!("{episodes} games, {:.0} games/s", count / seconds);
    println!("| figure | mean or share | 95 % interval | sd |\n|---|---|---|---|");
    for (name, mean) in &figures {
        println!("{}", mean.row(name));
    }
    println!("{}", share("games that end after the last round", last_round, count));
    println!("{}", share("games with several winners", tied, count));
    for (spec, (first, alone, squares)) in line_up.iter().zip(&players) {
        println!("{}", share(&format!("{spec} on the first place"), *first, count));
        println!("{}", share(&format!("{spec} alone on the first place"), *alone, count));
        println!("{}", squares.row(&format!("squares of {spec}")));
    }
}
