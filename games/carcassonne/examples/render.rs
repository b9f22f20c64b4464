//! Draws moments of games as PNG: `render PRESET SEATS SEED TILES VIEWER FILE [AGENT [STAGE]]`. TILES is when to
//! stop (laid tiles), STAGE at what (tile, action, capture), VIEWER a seat or `all`; the viewer's legal
//! actions are drawn.
#![allow(missing_docs, clippy::disallowed_methods, clippy::disallowed_macros)]

use std::sync::Arc;

use meeple_carcassonne::{Carcassonne, Variant};
use meeple_core::{Agent, AgentSpec, Episode, EpisodeSeed, Game, Params, Phase, Seat, Viewer, build_agents};

/// The game's own agents and the general ones.
fn agents_of_all() -> Vec<meeple_core::AgentInfo<Carcassonne>> {
    let mut agents = Carcassonne::agents();
    agents.extend(meeple_agents::general());
    agents
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [preset, seats, seed, tiles, viewer, file, agent @ ..] = &arguments[..] else {
        println!("render PRESET SEATS SEED TILES VIEWER FILE [AGENT [STAGE]]");
        return;
    };
    let mut variant = Variant::default();
    let known = Carcassonne::INFO.presets.iter().find(|known| known.name == preset).expect("a preset");
    for (name, value) in known.set {
        variant.set(name, value).expect("presets are valid");
    }
    let seats: usize = seats.parse().expect("a number of seats");
    let game = Arc::new(Carcassonne::new(variant, seats).expect("a game"));
    let spec = AgentSpec::parse(agent.first().map_or("builder", String::as_str));
    let mut agents: Vec<Box<dyn Agent<Carcassonne>>> =
        build_agents(&*game, &agents_of_all(), &vec![spec.clone(); seats]).expect("agents");
    let seed = EpisodeSeed::new(seed.parse().expect("a seed"), 0);
    let mut episode = Episode::new(Arc::clone(&game), seed);
    let stop: usize = tiles.parse().expect("a number of tiles");
    let watching = viewer.parse().ok().map(Seat::new);
    loop {
        match episode.phase() {
            Phase::Over => break,
            Phase::Chance => episode.step_chance(),
            Phase::Decide(deciding) => {
                let seat = deciding.lowest().expect("never empty");
                let laid = game.observe(episode.state(), Viewer::Public).board().len();
                let stage = game.observe(episode.state(), Viewer::Public).stage().word();
                let wanted = agent.get(1).is_none_or(|wanted| wanted == stage);
                if laid >= stop && wanted && watching.is_none_or(|watching| watching == seat) {
                    break;
                }
                let action = episode.ask(seat, agents[seat.index()].as_mut());
                episode.act(seat, &action).expect("agents act legally");
            }
        }
    }
    let viewer = watching.map_or(Viewer::Everything, Viewer::Seat);
    let players: Vec<String> = (0..seats).map(|_| spec.to_string()).collect();
    let scene = episode.with_view(viewer, &players, |view| game.draw(view));
    std::fs::write(file, meeple_scene::to_png(&scene, 1600).expect("a picture")).expect("a writable file");
    let screen = episode.with_view(viewer, &players, |view| game.screen(view));
    println!("{}", screen.to_plain());
}
