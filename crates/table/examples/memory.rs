//! Memory of a table with two people and one spectator, as the resident size of this process:
//! `cargo run -p meeple-table --example memory [GAME] [TABLES] [DECISIONS] [VIEWERS]`.
#![allow(clippy::disallowed_methods, reason = "a program of its own: it prints, and reads what it takes")]

use std::io::Write as _;
use std::sync::Arc;

use meeple_core::{AgentSpec, CancelToken, EpisodeSeed};
use meeple_games::parse_game;
use meeple_table::{Holder, Reply, Ring, Table};

/// The viewers of each table.
const VIEWERS: [Option<usize>; 3] = [None, Some(0), Some(1)];

/// Resident size of this process in kB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("it runs on Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("Linux tells it");
    line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("it is a number")
}

fn main() {
    let mut words = std::env::args().skip(1);
    let game = words.next().unwrap_or_else(|| "carcassonne".to_owned());
    let mut number = |default| words.next().map_or(default, |word| word.parse().expect("a number"));
    let (tables, decisions): (u64, usize) = (number(200), number(20) as usize);
    let viewers = &VIEWERS[..number(3) as usize];
    let game = parse_game(&game).expect("it is registered");
    let game = game.entry.set_up(game.preset, &[], 2).expect("two can play");
    let person = |seat| match seat {
        0 | 1 => Holder::Person { name: format!("Ann {seat}").into() },
        _ => Holder::Agent("random".to_owned()),
    };
    let mut out = std::io::stdout().lock();
    let mut tell = |what: &str, from: u64| {
        let each = (resident() - from) as f64 / tables as f64;
        writeln!(out, "{what}: {each:.1} kB a table").expect("somebody reads it");
    };
    let before = resident();
    let mut live: Vec<Table> = Vec::new();
    for seed in 0..tables {
        let holders = (0..game.seats()).map(person).collect();
        live.push(Table::open(&*game, EpisodeSeed::new(seed, 0), holders).expect("people can play"));
    }
    tell("opened", before);
    let look =
        |table: &Table| viewers.iter().map(|viewer| Ring::new(&Arc::new(table.frame(*viewer)))).collect();
    let mut rings: Vec<Vec<Ring>> = live.iter().map(look).collect();
    tell("and shown to two people and one who watches", before);
    let random = AgentSpec::parse("random");
    for decision in 0..decisions {
        for (table, rings) in live.iter_mut().zip(&mut rings) {
            if let Some(thought) = table.thought() {
                let (question, action) =
                    (thought.question(), thought.decide(&CancelToken::new()).expect("it plays"));
                table.take_thought(question, &action).expect("it is in time");
            } else if let Some((seat, thought)) =
                [0, 1].into_iter().find_map(|seat| table.advice(seat, &random).map(|thought| (seat, thought)))
            {
                let (number, action) =
                    (thought.question().number, thought.decide(&CancelToken::new()).expect("it plays"));
                table.act(seat, number, &decision.to_string(), Reply::Text(&action)).expect("it is legal");
            }
            for (viewer, ring) in viewers.iter().zip(rings) {
                ring.push(&Arc::new(table.frame(*viewer)));
            }
        }
    }
    tell(&format!("after {decisions} decisions"), before);
    drop(rings);
    tell("without what is shown", before);
}
