//! Draws moments of an episode: `cargo run --release -p meeple-privateers --example picture -- FOLDER [MAP]
//! [STEPS] [SEED]` writes `chart.png`, `fight.png`, `public.png` and `chart.txt`.
#![allow(clippy::disallowed_methods, clippy::disallowed_macros)]

use std::sync::Arc;

use meeple_core::{AgentSpec, Episode, EpisodeSeed, Game, Params, Phase, Seat, Viewer, build_agents};
use meeple_privateers::{Privateers, Variant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |index: usize, default: &str| arguments.get(index).cloned().unwrap_or(default.into());
    let folder = text(0, ".");
    let mut variant = Variant::default();
    variant.set("map", &text(1, "peninsula")).expect("a map");
    let wanted: usize = text(2, "400").parse().expect("a number of steps");
    let seed: u64 = text(3, "3").parse().expect("a seed");
    let names = ["trader", "mixed", "pirate", "coward", "trader"];
    let game = Arc::new(Privateers::new(variant, names.len()).expect("a game"));
    let specs: Vec<AgentSpec> = names.iter().map(|name| AgentSpec::parse(name)).collect();
    let mut agents = build_agents(&*game, &Privateers::agents(), &specs).expect("agents");
    let mut episode = Episode::new(Arc::clone(&game), EpisodeSeed::new(seed, 0));
    for (seat, agent) in Seat::all(names.len()).zip(&mut agents) {
        agent.begin_episode(&game, seat);
    }
    let players: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let save = |episode: &Episode<Privateers>, viewer: Viewer, name: &str| {
        let (scene, screen) =
            episode.with_view(viewer, &players, |view| (game.draw(view), game.screen(view)));
        let png = meeple_scene::to_png(&scene, scene.width as u32).expect("a picture");
        std::fs::write(format!("{folder}/{name}.png"), png).expect("a writable folder");
        std::fs::write(format!("{folder}/{name}.txt"), screen.to_plain()).expect("a writable folder");
        println!("{name}: {} x {}", scene.width, scene.height);
    };
    let (mut charted, mut fought, mut steps) = (false, false, 0);
    while !(charted && fought) {
        steps += 1;
        match episode.phase() {
            Phase::Over => break,
            Phase::Chance => {
                let fight = game.observe(episode.state(), Viewer::Public).fight();
                if let (false, Some(fight)) = (fought, fight.filter(|fight| fight.rolls > 1)) {
                    save(&episode, Viewer::Seat(fight.seats[0]), "fight");
                    fought = true;
                }
                episode.step_chance();
            }
            Phase::Decide(seats) => {
                let seat = seats.lowest().expect("somebody");
                let legal = episode.legal_actions(seat).len();
                if !charted && steps > wanted && legal > 8 {
                    save(&episode, Viewer::Seat(seat), "chart");
                    save(&episode, Viewer::Public, "public");
                    charted = true;
                }
                let action = episode.ask(seat, agents[seat.index()].as_mut());
                episode.act(seat, &action).expect("agents act legally");
            }
        }
    }
}
