//! Draws a moment of a game: `picture FILE.png [PRESET] [SEED] [DECISIONS] [AGENT...]`, from the eyes of
//! whoever must act; `terminal` instead of a file name prints the terminal's screen.

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an example writes files")]

use std::sync::Arc;

use meeple_cartolan::Cartolan;
use meeple_core::{AgentSpec, Episode, EpisodeSeed, Game, Params, Phase, Viewer, build_agents};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize| words.get(at).map(String::as_str);
    let file = word(0).expect("FILE.png");
    let preset = word(1).unwrap_or("regular");
    let seed: u64 = word(2).and_then(|text| text.parse().ok()).unwrap_or(1);
    let decisions: u64 = word(3).and_then(|text| text.parse().ok()).unwrap_or(u64::MAX);
    let mut names: Vec<String> = words.iter().skip(4).cloned().collect();
    if names.is_empty() {
        names = ["explorer", "trader", "router", "pirate"].map(String::from).to_vec();
    }
    let mut variant = <Cartolan as Game>::Variant::default();
    let preset = Cartolan::INFO.presets.iter().find(|known| known.name == preset).expect("a preset");
    for (name, value) in preset.set {
        variant.set(name, value).expect("presets fit");
    }
    let game = Arc::new(Cartolan::new(variant, names.len()).expect("it can be set up"));
    let specs: Vec<AgentSpec> = names.iter().map(|name| AgentSpec::parse(name)).collect();
    let mut agents = build_agents(&*game, &Cartolan::agents(), &specs).expect("the agents exist");
    let mut episode = Episode::new(game.clone(), EpisodeSeed::new(seed, 0));
    for (agent, seat) in agents.iter_mut().zip(meeple_core::Seat::all(names.len())) {
        agent.begin_episode(&game, seat);
    }
    let mut made = 0;
    let viewer = loop {
        match episode.phase() {
            Phase::Chance => episode.step_chance(),
            Phase::Decide(seats) => {
                let seat = seats.lowest().expect("somebody decides");
                if made == decisions {
                    break Viewer::Seat(seat);
                }
                let action = episode.ask(seat, agents[seat.index()].as_mut());
                episode.act(seat, &action).expect("agents act legally");
                made += 1;
            }
            Phase::Over => break Viewer::Everything,
        }
    };
    if file == "terminal" {
        let screen = episode.with_view(viewer, &names, |view| game.screen(view));
        print!("{}", screen.to_plain());
        return;
    }
    let scene = episode.with_view(viewer, &names, |view| game.draw(view));
    println!("{made} decisions, {:.1} x {:.1}: {}", scene.width, scene.height, scene.description);
    let png = meeple_scene::to_png(&scene, 1500).expect("it can be painted");
    std::fs::write(file, png).expect("the file can be written");
}
