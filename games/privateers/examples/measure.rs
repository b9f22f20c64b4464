//! Measures playouts: `cargo run --release -p meeple-privateers --example measure -- [EPISODES] [MODE]
//! [MAP] [KEY=VALUE…] AGENT…` plays episodes with the agents on rotating seats and prints games per second, results by
//! player and the mean of every figure.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::time::Instant;

use meeple_core::{AgentSpec, Game, Params, Playouts, Seating, build_agents};
use meeple_privateers::{Privateers, Variant};

fn main() {
    let (settings, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.contains('=') && !argument.contains(':'));
    let text = |index: usize, default: &str| arguments.get(index).cloned().unwrap_or(default.into());
    let episodes: u64 = text(0, "1000").parse().expect("a number of episodes");
    let mut variant = Variant::default();
    variant.set("mode", &text(1, "infinite")).expect("a mode");
    variant.set("map", &text(2, "archipelago")).expect("a map");
    for setting in &settings {
        let (name, value) = setting.split_once('=').expect("settings have a '='");
        variant.set(name, value).expect("a setting");
    }
    let mut names: Vec<String> = arguments.get(3..).unwrap_or(&[]).to_vec();
    if names.is_empty() {
        names = ["trader", "pirate", "trader", "pirate"].map(String::from).to_vec();
    }
    let seats = names.len();
    let game = Privateers::new(variant, seats).expect("a game");
    let specs: Vec<AgentSpec> = names.iter().map(|name| AgentSpec::parse(name)).collect();
    let agents = build_agents(&game, &Privateers::agents(), &specs).expect("agents");
    let mut playouts = Playouts::new(&game, agents);
    let (mut wins, mut scores) = (vec![0.0; seats], vec![0.0; seats]);
    let mut figures = vec![vec![0.0; Privateers::INFO.seat_figures.len()]; seats];
    let mut episode_figures = vec![0.0; Privateers::INFO.episode_figures.len()];
    let mut ends = vec![0u64; Privateers::INFO.ends.len()];
    let (mut decisions, mut first) = (0, 1);
    let start = Instant::now();
    for index in 0..episodes {
        let report = playouts.play(7, Seating::Rotate, index);
        decisions += report.decisions;
        ends[report.outcome.end] += 1;
        for (sum, value) in episode_figures.iter_mut().zip(report.figures.episode_values()) {
            *sum += value;
        }
        let width = Privateers::INFO.seat_figures.len();
        for (seat, player) in report.player_at.iter().enumerate() {
            let player = usize::from(*player);
            wins[player] += report.outcome.win_share(meeple_core::Seat::new(seat));
            scores[player] += report.outcome.scores[seat] as f64;
            let own = &report.figures.seat_values()[seat * width..][..width];
            for (sum, value) in figures[player].iter_mut().zip(own) {
                *sum += value;
            }
        }
        first = first.max(report.length);
    }
    let seconds = start.elapsed().as_secs_f64();
    let count = episodes as f64;
    println!("{:.0} games/s, {:.1} decisions/game", count / seconds, decisions as f64 / count);
    for (end, count) in Privateers::INFO.ends.iter().zip(&ends) {
        print!("{end}: {count}  ");
    }
    println!();
    for (figure, sum) in Privateers::INFO.episode_figures.iter().zip(&episode_figures) {
        print!("{} {:.1}  ", figure.name, sum / count);
    }
    println!();
    for player in 0..seats {
        let share = wins[player] / count;
        let half = 1.96 * (share * (1.0 - share) / count).sqrt();
        print!(
            "{:22} wins {:5.1} % ± {:.1}  value {:8.0} |",
            names[player],
            100.0 * share,
            100.0 * half,
            scores[player] / count
        );
        for (figure, sum) in Privateers::INFO.seat_figures.iter().zip(&figures[player]) {
            if !figure.name.starts_with("profit_") && !figure.name.starts_with("sunk_") {
                print!(" {} {:.1}", figure.name, sum / count);
            }
        }
        println!();
    }
}
