//! A drawing with symbols equals the original drawing.

use meeple_core::{EpisodeSeed, Phase, Seat, Viewer};
use meeple_scene::SvgOptions;
use meeple_table::with_symbols;

use crate::for_every_preset;

/// The drawing with every symbol expanded in place.
fn written_out(svg: &str) -> String {
    let Some((picture, symbols)) = svg.split_once("<defs>\n") else { return svg.to_owned() };
    let symbols = symbols.strip_suffix("</defs>\n</svg>\n").expect("they stand at the end");
    let mut made = format!("{picture}</svg>\n");
    for symbol in symbols.split("<g id=\"").skip(1) {
        let (name, inside) = symbol.split_once("\">\n").expect("a symbol has a name");
        let inside = inside.strip_suffix("</g>\n").expect("a symbol ends");
        let place = format!("<use href=\"#{name}\"/>\n");
        assert!(made.contains(&place), "{name} stands for something");
        made = made.replace(&place, inside);
    }
    made
}

#[test]
fn symbols_stand_for_what_they_are() {
    let options = SvgOptions { interactive: true, ..SvgOptions::default() };
    for_every_preset(|_, game, name| {
        let mut episode = game.episode(EpisodeSeed::new(41, 0));
        let (mut decisions, mut plain, mut short) = (0, 0, 0);
        while decisions < 60 {
            match episode.view().phase() {
                Phase::Over => break,
                Phase::Chance => episode.step_chance(),
                Phase::Decide(mut owing) => {
                    let seat = owing.next().expect("somebody owes a decision");
                    if decisions % 5 == 0 {
                        for viewer in [Viewer::Public, Viewer::Seat(Seat::new(0)), Viewer::Seat(seat)] {
                            let svg = episode.view().draw(viewer, &[]).to_svg(&options);
                            let made = with_symbols(&svg);
                            assert!(written_out(&made) == svg, "{name}: decision {decisions}, {viewer:?}");
                            (plain, short) = (plain + svg.len(), short + made.len());
                        }
                    }
                    let action = episode.sample_action(seat);
                    episode.act(seat, &action).expect("a sampled action is legal");
                    decisions += 1;
                }
            }
        }
        assert!(short <= plain, "{name}: {short} of {plain} bytes");
        assert!(!name.starts_with("carcassonne") || short * 20 < plain * 19, "{name}: {short} of {plain}");
    });
}
