//! What the speed figures are measured with.
//!
//! `measure playouts PRESET SEATS COUNT [KEY=VALUE…]` plays random playouts, `measure placements` times the
//! placements of one tile, `measure clone` the copy of a state. Instructions per playout are the slope of
//! `valgrind --tool=callgrind` between two counts.
#![allow(missing_docs, clippy::disallowed_methods, clippy::disallowed_macros)]

use std::time::Instant;

use meeple_carcassonne::{Carcassonne, Kind, LAND_KINDS, MAX_FRONTIER, State, Variant, tables};
use meeple_core::{
    AgentSpec, ChanceStreams, EpisodeSeed, Game, NoEvents, Params, Phase, Playouts, Seat, Seating, Viewer,
    build_agents,
};

fn set_up(preset: &str, seats: usize, set: &[String]) -> Carcassonne {
    let mut variant = Variant::default();
    let preset = Carcassonne::INFO.presets.iter().find(|known| known.name == preset).expect("a preset");
    for (name, value) in preset.set {
        variant.set(name, value).expect("presets are valid");
    }
    for pair in set {
        let (name, value) = pair.split_once('=').expect("KEY=VALUE");
        variant.set(name, value).expect("a parameter");
    }
    Carcassonne::new(variant, seats).expect("a number of seats")
}

/// A random game after this many decisions.
fn middle(game: &Carcassonne, index: u64, tiles: usize) -> State {
    let seed = EpisodeSeed::new(7, index);
    let mut chance = ChanceStreams::new(seed);
    let mut rng = seed.agent(Seat::new(0));
    let mut state = game.initial_state();
    loop {
        match game.phase(&state) {
            Phase::Over => return state,
            Phase::Chance => game.resolve_chance(&mut state, &mut chance, &mut NoEvents),
            Phase::Decide(seats) => {
                let seat = seats.lowest().expect("never empty");
                if game.observe(&state, Viewer::Public).board().len() >= tiles {
                    return state;
                }
                let action = game.sample_action(&state, seat, &mut rng, &mut Vec::new());
                game.apply_unchecked(&mut state, seat, &action, &mut NoEvents);
            }
        }
    }
}

/// The game's own agents and the general ones.
fn agents_of_all() -> Vec<meeple_core::AgentInfo<Carcassonne>> {
    let mut agents = Carcassonne::agents();
    agents.extend(meeple_agents::general());
    agents
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize, default: &str| arguments.get(at).map_or(default, String::as_str).to_owned();
    match word(0, "playouts").as_str() {
        "playouts" => {
            let (preset, seats, count) = (word(1, "classic"), word(2, "2"), word(3, "1000"));
            let seats: usize = seats.parse().expect("seats");
            let game = set_up(&preset, seats, arguments.get(4..).unwrap_or(&[]));
            let line_up = vec![AgentSpec::parse("random"); seats];
            let agents = build_agents(&game, &agents_of_all(), &line_up).expect("agents");
            let mut playouts = Playouts::new(&game, agents);
            let start = Instant::now();
            let (mut decisions, mut points, count) = (0, 0, count.parse::<u64>().expect("a count"));
            for index in 0..count {
                let report = playouts.play(1, Seating::Rotate, index);
                decisions += report.decisions;
                points += report.outcome.scores.iter().sum::<i64>();
            }
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "{preset} {seats}: {count} playouts, {decisions} decisions, {:.1} points a seat, {:.0} playouts/s",
                points as f64 / (count as f64 * seats as f64),
                count as f64 / seconds
            );
        }
        "placements" => {
            let game = set_up("classic", 2, &[]);
            let states: Vec<State> = (0..16).map(|index| middle(&game, index, 36)).collect();
            let mut found = [(0, 0); MAX_FRONTIER];
            let mut medians = Vec::new();
            let cells: usize =
                states.iter().map(|state| game.observe(state, Viewer::Public).board().frontier().len()).sum();
            for _ in 0..51 {
                let (mut total, mut calls) = (0u64, 0u64);
                let start = Instant::now();
                for _ in 0..50 {
                    for state in &states {
                        let observation = game.observe(state, Viewer::Public);
                        for kind in 0..LAND_KINDS {
                            let (_, placements) =
                                observation.board().placements(tables(), Kind::new(kind), &mut found);
                            total += u64::from(placements);
                            calls += 1;
                        }
                    }
                }
                medians.push(start.elapsed().as_secs_f64() * 1e9 / calls as f64);
                std::hint::black_box(total);
            }
            medians.sort_by(f64::total_cmp);
            println!(
                "placements of one tile: median {:.1} ns (36 tiles, {:.1} cells)",
                medians[medians.len() / 2],
                cells as f64 / states.len() as f64
            );
        }
        "clone" => {
            let game = set_up("towers", 4, &[]);
            let state = middle(&game, 1, 50);
            let mut copy = game.initial_state();
            let mut times: Vec<f64> = (0..101)
                .map(|_| {
                    let start = Instant::now();
                    for _ in 0..1000 {
                        std::hint::black_box(&mut copy).clone_from(std::hint::black_box(&state));
                    }
                    start.elapsed().as_secs_f64() * 1e6
                })
                .collect();
            times.sort_by(f64::total_cmp);
            println!("state: {} bytes, clone_from: median {:.0} ns", size_of::<State>(), times[50]);
        }
        "duel" => {
            // `duel PRESET COUNT AGENT AGENT…`: mean win share of the first against the others, rotating seats.
            let (preset, count) = (word(1, "towers"), word(2, "100"));
            let line_up: Vec<AgentSpec> = arguments[3..].iter().map(|spec| AgentSpec::parse(spec)).collect();
            let game = set_up(&preset, line_up.len(), &[]);
            let agents = build_agents(&game, &agents_of_all(), &line_up).expect("agents");
            let mut playouts = Playouts::new(&game, agents);
            let count: u64 = count.parse().expect("a count");
            let mut shares = vec![0.0; line_up.len()];
            let mut points = vec![0.0; line_up.len()];
            let figures = Carcassonne::INFO.seat_figures;
            let mut sums = vec![vec![0.0; figures.len()]; line_up.len()];
            let (mut squares, mut turns) = (0.0, 0);
            let start = Instant::now();
            for index in 0..count {
                let report = playouts.play(3, Seating::DealGroups, index);
                turns += report.length;
                for (seat, player) in report.player_at.iter().enumerate() {
                    let own = &report.figures.seat_values()[figures.len() * seat..];
                    sums[usize::from(*player)].iter_mut().zip(own).for_each(|(sum, value)| *sum += value);
                    let share = report.outcome.win_share(Seat::new(seat));
                    shares[usize::from(*player)] += share;
                    points[usize::from(*player)] += report.outcome.scores[seat] as f64;
                    if *player == 0 {
                        squares += share * share;
                    }
                }
            }
            let n = count as f64;
            for (player, spec) in line_up.iter().enumerate() {
                let (share, mean) = (shares[player] / n, points[player] / n);
                let means = figures.iter().zip(&sums[player]);
                let means: Vec<String> =
                    means.map(|(figure, sum)| format!("{} {:.1}", figure.name, sum / n)).collect();
                println!("{spec}: win share {share:.3}, mean {mean:.1}: {}", means.join(", "));
            }
            let mean = shares[0] / n;
            let error = ((squares / n - mean * mean) / n).sqrt();
            println!(
                "first: {mean:.3} +- {:.3} (95 %), {:.1} turns, {:.1} games/s",
                1.96 * error,
                turns as f64 / n,
                n / start.elapsed().as_secs_f64()
            );
        }
        other => println!("unknown measurement '{other}': playouts, placements or clone"),
    }
}
