//! Sample games: plays a number of games and draws those with the smallest, the median and the largest final
//! lead, with all routes and attacks. `samples DIRECTORY [PRESET] [GAMES] [AGENT...] [-- NAME=VALUE...]`

#![allow(clippy::disallowed_methods, clippy::disallowed_macros, reason = "an example writes files")]

use std::path::Path;
use std::sync::Arc;

use meeple_cartolan::Cartolan;
use meeple_core::{
    AgentSpec, Defined as _, Episode, EpisodeSeed, Game, Params, PlayerLabel, Playouts, Present, Seating,
    Viewer, build_agents,
};

const SEED: u64 = 1;

const WIDTH: u32 = 1100;

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let settings = match words.iter().position(|word| word == "--") {
        Some(at) => words.split_off(at)[1..].to_vec(),
        None => Vec::new(),
    };
    let directory = words.first().expect("DIRECTORY").clone();
    let preset = words.get(1).map_or("regular", String::as_str);
    let games: u64 = words.get(2).and_then(|word| word.parse().ok()).unwrap_or(1000);
    let mut names: Vec<String> = words.iter().skip(3).cloned().collect();
    if names.is_empty() {
        names = Cartolan::definition().info.demo.iter().map(|name| (*name).to_owned()).collect();
    }
    let labels: Vec<PlayerLabel> = names.iter().map(|name| name.as_str().into()).collect();
    let game = Arc::new(Cartolan::new(variant(preset, &settings), names.len()).expect("it can be set up"));
    let specs: Vec<AgentSpec> = names.iter().map(|name| AgentSpec::parse(name)).collect();
    let build = || build_agents(&*game, &Cartolan::definition().agents, &specs).expect("the agents exist");

    let mut playouts = Playouts::new(&*game, build());
    let mut leads: Vec<(f64, u64)> = Vec::new();
    for index in 0..games {
        let report = playouts.play(SEED, Seating::Fixed, index);
        leads.push((report.figures.episode_values()[0], index));
    }
    leads.sort_by(|one, other| one.partial_cmp(other).expect("leads are numbers"));
    let picks = [("smallest", 0), ("median", leads.len() / 2), ("largest", leads.len() - 1)];
    for (what, at) in picks {
        let (lead, index) = leads[at];
        let mut agents = build();
        let mut episode = Episode::new(game.clone(), EpisodeSeed::new(SEED, index));
        let outcome = episode.finish(&mut agents).expect("agents act legally");
        let scene = episode.with_view(Viewer::Everything, &labels, |view| game.draw(view));
        let png = meeple_scene::to_png(&scene, WIDTH).expect("it can be painted");
        let file = Path::new(&directory).join(format!("{preset}-{what}-lead.png"));
        std::fs::write(&file, &png).expect("the file can be written");
        println!(
            "{what} lead {lead}: game {index}, {} rounds, Vaults {:?}, {}; {} ({} KiB)",
            episode.length(),
            outcome.scores,
            Cartolan::definition().info.ends[outcome.end],
            file.display(),
            png.len() / 1024
        );
    }
}

fn variant(preset: &str, settings: &[String]) -> <Cartolan as Game>::Variant {
    let info = Cartolan::definition().info;
    let mut variant = <Cartolan as Game>::Variant::default();
    let preset = info.presets.iter().find(|known| known.name == preset).expect("a preset");
    for (name, value) in preset.set {
        variant.set(name, value).expect("presets fit");
    }
    for setting in settings {
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
    variant
}
