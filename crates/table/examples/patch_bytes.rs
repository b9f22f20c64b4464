//! Bytes of patches and frames, game by game: `cargo run -p meeple-table --example patch_bytes`.
#![allow(clippy::disallowed_methods, reason = "a program of its own: it prints")]

use std::io::Write as _;

use meeple_core::{AgentSpec, CancelToken, EpisodeSeed};
use meeple_games::games;
use meeple_table::{Holder, Patch, Reply, Table};

/// Maximum number of decisions measured in a game.
const MAX_DECISIONS: usize = 400;

fn main() {
    let mut out = std::io::stdout().lock();
    let mut line = |text: String| writeln!(out, "{text}").expect("somebody reads it");
    line("game            viewer   patches     p50     p99     max   largest frame".to_owned());
    for entry in games() {
        let info = entry.info();
        let Ok(game) = entry.set_up(None, &[], 4.clamp(*info.seats.start(), *info.seats.end())) else {
            continue;
        };
        let person = Holder::Person { name: "Ann".into() };
        let agents = (1..game.seats()).map(|_| Holder::Agent("random".to_owned()));
        let holders = std::iter::once(person).chain(agents).collect();
        let mut table =
            Table::open(&*game, EpisodeSeed::new(1, 0), holders).expect("every game has the agent");
        let viewers = [(None, "public"), (Some(0), "seat")];
        let mut frames = viewers.map(|(seat, _)| table.frame(seat));
        let mut sizes = [Vec::new(), Vec::new()];
        let mut largest = [0, 0];
        for step in 0..MAX_DECISIONS {
            // Frames are compared after every decision, also those of agents.
            if let Some(thought) = table.thought() {
                let (question, action) =
                    (thought.question(), thought.decide(&CancelToken::new()).expect("it plays"));
                table.take_thought(question, &action).expect("it is in time");
            } else if let Some(thought) = table.advice(0, &AgentSpec::parse("random")) {
                let (number, action) =
                    (thought.question().number, thought.decide(&CancelToken::new()).expect("it plays"));
                table.act(0, number, &step.to_string(), Reply::Text(&action)).expect("it is legal");
            } else {
                break;
            }
            for (index, (seat, _)) in viewers.iter().enumerate() {
                let fresh = table.frame(*seat);
                if fresh.moment() != frames[index].moment() {
                    if let Some(patch) = Patch::between(&frames[index], &fresh) {
                        sizes[index].push(serde_json::to_string(&patch).expect("it is JSON").len());
                    }
                    largest[index] =
                        largest[index].max(serde_json::to_string(&fresh).expect("it is JSON").len());
                    frames[index] = fresh;
                }
            }
        }
        for (index, (_, name)) in viewers.iter().enumerate() {
            let sizes = &mut sizes[index];
            sizes.sort_unstable();
            let at = |share: usize| {
                sizes
                    .get((sizes.len() * share / 100).min(sizes.len().saturating_sub(1)))
                    .copied()
                    .unwrap_or(0)
            };
            let (count, p50, p99, max, frame) = (sizes.len(), at(50), at(99), at(100), largest[index]);
            line(format!("{:<15} {name:<8} {count:>7} {p50:>7} {p99:>7} {max:>7} {frame:>15}", info.id));
        }
    }
}
