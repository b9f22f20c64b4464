//! Conservation: nothing is lost and nothing appears from nowhere.

use std::sync::Arc;

use meeple_cartolan::{Cartolan, Effect, Ground, NO_AGENT, Step, Trading};
use meeple_core::{Episode, EpisodeSeed, Game, Phase, Viewer};

use crate::table::variant;

/// Checks the number of dealt tiles of both colours, and all invariants of pieces.
fn check(episode: &Episode<Cartolan>, dealt: u16, set_up: usize) {
    let game = episode.game();
    let see = game.observe(episode.state(), Viewer::Everything);
    let mut tiles = see.map().placed() - set_up;
    for back in meeple_cartolan::Back::ALL {
        let pile = see.pile(*back);
        tiles += usize::from(pile.left() + pile.discards_sum);
        let sum = |counts: &[u8]| counts.iter().map(|count| u16::from(*count)).sum::<u16>();
        assert_eq!(
            (sum(&pile.fresh), sum(&pile.known), sum(&pile.discards)),
            (pile.fresh_sum, pile.known_sum, pile.discards_sum)
        );
        assert!(pile.fresh_left <= pile.fresh_sum);
    }
    let mut agents = 0;
    for (seat, player) in see.players().iter().enumerate() {
        assert!(player.adventurers <= game.variant().adventurers);
        assert!(player.agents_placed <= game.variant().agents);
        for number in 0..usize::from(player.adventurers) {
            let one = &player.adventurer[number];
            tiles += usize::from(one.charts);
            // R36: every carried tile has a card that carries it.
            assert!(one.charts <= one.count(Effect::Maps) || see.step() == Step::Drop, "{one:?}");
            assert!(see.map().cell(player.at[number]).is_placed(), "an Adventurer stands on a tile");
        }
        for number in player.placed_agents() {
            agents += 1;
            let agent = &player.agent[usize::from(*number)];
            let cell = see.map().cell(agent.cell);
            assert_eq!(cell.agent.who(), (seat as u8, *number), "map and Agent agree");
        }
    }
    // R37: an automatic trade has happened before anything else can.
    let (hero, cell) = (see.hero(), see.map().cell(see.here()));
    if game.variant().trading == Trading::Automatic
        && matches!(see.step(), Step::Move | Step::Act)
        && cell.ground == Ground::Wonder
    {
        assert!(hero.pirate || hero.used >> cell.wonder & 1 == 1, "{hero:?}");
    }
    assert_eq!(tiles, usize::from(dealt), "tiles");
    assert_eq!(see.map().cells().iter().filter(|cell| cell.agent != NO_AGENT).count(), agents, "Agents");
}

#[test]
fn pieces_are_conserved() {
    for (preset, seats) in [("beginner", 2), ("regular", 4), ("advanced", 3)] {
        for movement in ["initial", "budgetted"] {
            let settings = [("movement", movement), ("rounds", "60"), ("start_adventurers", "2")];
            let game = Arc::new(Cartolan::new(variant(preset, &settings), seats).expect("it can be set up"));
            for seed in 0..4 {
                let mut episode = Episode::new(game.clone(), EpisodeSeed::new(seed, 0));
                let (dealt, set_up) = {
                    let see = game.observe(episode.state(), Viewer::Everything);
                    let piles = meeple_cartolan::Back::ALL.iter().map(|back| see.pile(*back).left());
                    (piles.sum::<u16>(), see.map().placed())
                };
                loop {
                    check(&episode, dealt, set_up);
                    match episode.phase() {
                        Phase::Chance => episode.step_chance(),
                        Phase::Decide(seats) => {
                            let seat = seats.lowest().expect("somebody decides");
                            let action = episode.sample_action(seat);
                            episode.act(seat, &action).expect("it is legal");
                        }
                        Phase::Over => break,
                    }
                }
            }
        }
    }
}
