//! Measures: games per second, rounds, wins. `measure [PRESET] [PLAYERS] [GAMES] [AGENT...] [-- NAME=VALUE...]`

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an example measures and prints")]

use std::time::Instant;

use meeple_cartolan::Cartolan;
use meeple_core::{AgentSpec, Game, Params, Playouts, Seating, build_agents};

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let settings = match words.iter().position(|word| word == "--") {
        Some(at) => words.split_off(at)[1..].to_vec(),
        None => Vec::new(),
    };
    let preset = words.first().cloned().unwrap_or_else(|| "regular".into());
    let seats: usize = words.get(1).and_then(|word| word.parse().ok()).unwrap_or(4);
    let games: u64 = words.get(2).and_then(|word| word.parse().ok()).unwrap_or(10_000);
    let mut agents: Vec<String> = words.iter().skip(3).cloned().collect();
    let info = Cartolan::INFO;
    let mut variant = <Cartolan as Game>::Variant::default();
    let preset = info.presets.iter().find(|known| known.name == preset).expect("a preset");
    for (name, value) in preset.set {
        variant.set(name, value).expect("presets fit");
    }
    for setting in &settings {
        let (name, value) = setting.split_once('=').expect("NAME=VALUE");
        if name == "profile" {
            let profile = info.profiles.iter().find(|known| known.name == value).expect("a profile");
            for (name, value) in profile.set {
                variant.set(name, value).expect("profiles fit");
            }
        } else {
            variant.set(name, value).expect("a setting");
        }
    }
    if agents.is_empty() {
        let roster = ["explorer-oct", "trader-oct", "router-oct", "pirate-oct"];
        agents = roster.iter().take(seats).map(|name| (*name).to_owned()).collect();
    }
    let game = Cartolan::new(variant, seats).expect("it can be set up");
    let specs: Vec<AgentSpec> =
        (0..seats).map(|seat| AgentSpec::parse(&agents[seat % agents.len()])).collect();
    let built = build_agents(&game, &Cartolan::agents(), &specs).expect("the agents exist");
    let mut playouts = Playouts::new(&game, built);
    let mut wins = vec![0.0; seats];
    let mut squares = vec![0.0; seats];
    let mut scores = vec![0.0; seats];
    let mut seat_wins = vec![0.0; seats];
    let mut ends = vec![0u64; info.ends.len()];
    let (mut rounds, mut decisions) = (0u64, 0u64);
    let mut figures = vec![0.0; info.episode_figures.len()];
    let mut seat_figures = vec![vec![0.0; info.seat_figures.len()]; seats];
    let start = Instant::now();
    for index in 0..games {
        let report = playouts.play(1, Seating::Rotate, index);
        #[allow(clippy::needless_range_loop, reason = "seats index four lists at once")]
        for seat in 0..seats {
            let player = usize::from(report.player_at[seat]);
            let share = report.outcome.win_share(meeple_core::Seat::new(seat));
            wins[player] += share;
            squares[player] += share * share;
            seat_wins[seat] += share;
            scores[player] += report.outcome.scores[seat] as f64;
            let width = info.seat_figures.len();
            let own = &report.figures.seat_values()[seat * width..(seat + 1) * width];
            for (sum, value) in seat_figures[player].iter_mut().zip(own) {
                *sum += value;
            }
        }
        for (sum, value) in figures.iter_mut().zip(report.figures.episode_values()) {
            *sum += value;
        }
        ends[report.outcome.end] += 1;
        rounds += report.length;
        decisions += report.decisions;
    }
    let seconds = start.elapsed().as_secs_f64();
    let n = games as f64;
    println!(
        "{games} games in {seconds:.2} s: {:.0} games/s, {:.1} rounds, {:.0} decisions a game, {:.0} ns a decision",
        n / seconds,
        rounds as f64 / n,
        decisions as f64 / n,
        seconds * 1e9 / decisions as f64
    );
    for player in 0..seats {
        let mean = wins[player] / n;
        let error = 1.96 * ((squares[player] / n - mean * mean) / n).sqrt();
        println!(
            "{:14} wins {:.3} ± {error:.3}, mean Vault {:.1}",
            specs[player].to_string(),
            mean,
            scores[player] / n
        );
        let shown: Vec<String> = info
            .seat_figures
            .iter()
            .zip(&seat_figures[player])
            .map(|(figure, sum)| format!("{} {:.2}", figure.name, sum / n))
            .collect();
        println!("    {}", shown.join(", "));
    }
    let seats: Vec<String> = seat_wins.iter().map(|sum| format!("{:.3}", sum / n)).collect();
    println!("wins by seat {}", seats.join(" "));
    for (name, count) in info.ends.iter().zip(&ends) {
        println!("{name}: {:.3}", *count as f64 / n);
    }
    let shown: Vec<String> = info
        .episode_figures
        .iter()
        .zip(&figures)
        .take(10)
        .map(|(figure, sum)| format!("{} {:.2}", figure.name, sum / n))
        .collect();
    println!("{}", shown.join(", "));
}
