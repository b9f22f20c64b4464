//! A bot that plays every game at random.
//!
//! ```text
//! cargo build --release -p meeple-random-bot
//! meeple check-bot target/release/random-bot
//! ```

// A program of its own: it talks on stdin and stdout.
#![allow(clippy::disallowed_methods)]

use std::io::{BufRead, Write};

use serde_json::{Value, json};

/// A small generator (xorshift64), so that the same seed plays the same game.
struct Generator(u64);

impl Generator {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

fn main() -> std::io::Result<()> {
    let mut generator = Generator(1);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let (game, number) = (&message["g"], &message["n"]);
        let reply = match message["t"].as_str() {
            Some("hello") => json!({ "t": "hello", "v": 1, "name": "random", "repeatable": true }),
            Some("start") => {
                let seed = message["seed"].as_str().and_then(|seed| u64::from_str_radix(seed, 16).ok());
                generator = Generator(seed.unwrap_or(1).max(1));
                json!({ "t": "ready", "g": game })
            }
            Some("turn") => {
                let legal = &message["legal"];
                if let Some(actions) = legal.as_array() {
                    json!({ "t": "move", "g": game, "n": number, "a": generator.below(actions.len() as u64) })
                } else if legal["spec"] == "game17/moves" {
                    let moves = random_turn(&message["obs"], &mut generator);
                    json!({ "t": "move", "g": game, "n": number, "m": moves })
                } else {
                    json!({ "t": "move", "g": game, "n": number, "error": "an unknown form of moves" })
                }
            }
            Some("bye") => break,
            // "bad" and "end" want no answer, and what comes in later versions can be ignored.
            _ => continue,
        };
        writeln!(out, "{reply}")?;
        out.flush()?;
    }
    Ok(())
}

/// game17: sends every piece of every own square in a random direction.
fn random_turn(obs: &Value, generator: &mut Generator) -> Vec<Value> {
    let size = obs["size"].as_u64().unwrap_or(1);
    let list = |name: &str| obs[name].as_array().cloned().unwrap_or_default();
    let mut moves = Vec::new();
    for (square, (owner, pieces)) in (0..).zip(list("owners").iter().zip(list("numbers"))) {
        if *owner != obs["to_move"] {
            continue;
        }
        let mut going = [0; 4];
        for _ in 0..pieces.as_u64().unwrap_or(0) {
            going[generator.below(4) as usize] += 1;
        }
        for (way, count) in ["n", "s", "e", "w"].into_iter().zip(going).filter(|(_, count)| *count > 0) {
            moves.push(json!([square / size, square % size, way, count]));
        }
    }
    moves
}
