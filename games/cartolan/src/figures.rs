//! The game's own figures: what the designer's playtests counted. Where a win is shared, a figure of the winner
//! is the mean over those who share it.

use meeple_core::{Figure, FigureSheet};

use crate::rules::Cartolan;
use crate::state::State;
use crate::variant::MAX_SEATS;

const fn tiles(name: &'static str, doc: &'static str) -> Figure {
    // Of tiles dealt face down only their expected number is known.
    Figure::amount(name, "tiles", doc)
}

/// Figures of an episode.
pub(crate) const EPISODE: &[Figure] = &[
    Figure::count("lead", "wealth", "Lead of the first Vault over the second."),
    Figure::amount("winner_vault_share", "share", "The winner's part of the wealth in all Vaults."),
    Figure::amount("winner_distance_share", "share", "The winner's part of all tiles travelled."),
    Figure::amount("winner_agents", "agents", "The winner's Agents on the map."),
    Figure::amount("winner_adventurers", "adventurers", "The winner's Adventurers."),
    Figure::count("water_left", "tiles", "Water-backed tiles in pile and discards."),
    Figure::count("land_left", "tiles", "Land-backed tiles in pile and discards."),
    Figure::count("discards", "tiles", "Tiles drawn that did not fit."),
    Figure::count("failed_explorations", "explorations", "Explorations in which no tile fitted."),
    Figure::count("placed", "tiles", "Tiles placed while exploring."),
    tiles("left_over_all_water", "Tiles left over with water on all edges (WWWW as uc ua dc da)."),
    tiles(
        "left_over_land_downwind_anticlockwise",
        "Tiles left over with land on the downwind anticlockwise edge alone (WWWL as uc ua dc da).",
    ),
    tiles(
        "left_over_land_downwind_clockwise",
        "Tiles left over with land on the downwind clockwise edge alone (WWLW as uc ua dc da).",
    ),
    tiles(
        "left_over_land_downwind",
        "Tiles left over with land on both downwind edges (WWLL as uc ua dc da).",
    ),
    tiles(
        "left_over_land_upwind_anticlockwise",
        "Tiles left over with land on the upwind anticlockwise edge alone (WLWW as uc ua dc da).",
    ),
    tiles(
        "left_over_land_anticlockwise",
        "Tiles left over with land on both anticlockwise edges, which lie opposite (WLWL as uc ua dc da).",
    ),
    tiles(
        "left_over_land_starboard",
        "Tiles left over with land on the two edges on the right of where the wind blows to (WLLW as uc ua dc da).",
    ),
    tiles(
        "left_over_water_upwind_clockwise",
        "Tiles left over with water on the upwind clockwise edge alone (WLLL as uc ua dc da).",
    ),
    tiles(
        "left_over_land_upwind_clockwise",
        "Tiles left over with land on the upwind clockwise edge alone (LWWW as uc ua dc da).",
    ),
    tiles(
        "left_over_land_port",
        "Tiles left over with land on the two edges on the left of where the wind blows to (LWWL as uc ua dc da).",
    ),
    tiles(
        "left_over_land_clockwise",
        "Tiles left over with land on both clockwise edges, which lie opposite (LWLW as uc ua dc da).",
    ),
    tiles(
        "left_over_water_upwind_anticlockwise",
        "Tiles left over with water on the upwind anticlockwise edge alone (LWLL as uc ua dc da).",
    ),
    tiles("left_over_land_upwind", "Tiles left over with land on both upwind edges (LLWW as uc ua dc da)."),
    tiles(
        "left_over_water_downwind_clockwise",
        "Tiles left over with water on the downwind clockwise edge alone (LLWL as uc ua dc da).",
    ),
    tiles(
        "left_over_water_downwind_anticlockwise",
        "Tiles left over with water on the downwind anticlockwise edge alone (LLLW as uc ua dc da).",
    ),
    tiles("left_over_all_land", "Tiles left over with land on all edges (LLLL as uc ua dc da)."),
];

/// Figures of a seat.
pub(crate) const SEAT: &[Figure] = &[
    Figure::count("chests", "wealth", "Wealth left in the Chests."),
    Figure::count("adventurers", "adventurers", "Adventurers in play."),
    Figure::count("agents", "agents", "Agents on the map."),
    Figure::count("distance", "tiles", "Tiles travelled."),
    Figure::amount("mean_range", "tiles", "Mean distance to the Capital after a move."),
    Figure::count("trades", "trades", "Trades at wonders."),
    Figure::count("wonders", "wonders", "Wonders discovered."),
    Figure::count("explored", "tiles", "Tiles placed."),
    Figure::count("failed", "explorations", "Explorations in which no tile fitted."),
    Figure::count("attacks", "attacks", "Attacks and arrests tried."),
    Figure::count("attacks_won", "attacks", "Attacks and arrests that succeeded."),
];

impl Cartolan {
    pub(crate) fn fill_figures(&self, state: &State, sheet: &mut FigureSheet) {
        let players = &state.players[..self.seats];
        let mut distances = [0u32; MAX_SEATS];
        for (distance, player) in distances.iter_mut().zip(players) {
            *distance =
                player.adventurer[..usize::from(player.adventurers)].iter().map(|one| one.distance).sum();
        }
        let keys = self.ranking(state);
        let best = keys[..self.seats].iter().max().copied().unwrap_or_default();
        let winners = || (0..self.seats).filter(|seat| keys[*seat] == best);
        let of_winner =
            |figure: &dyn Fn(usize) -> f64| winners().map(figure).sum::<f64>() / winners().count() as f64;
        let share = |part: u32, all: u32| if all == 0 { 0.0 } else { f64::from(part) / f64::from(all) };
        let vaults = players.iter().map(|player| player.vault).sum();
        let travelled = distances[..self.seats].iter().sum();
        let (mut first, mut second) = (0, 0);
        for player in players {
            (first, second) = (first.max(player.vault), second.max(player.vault.min(first)));
        }
        let mut patterns = [0.0; 16];
        let mut left = [0.0; 2];
        for (colour, pile) in state.piles.iter().enumerate() {
            for (index, kind) in self.kinds[colour].iter().enumerate() {
                // Of tiles dealt face down only their expected number is known.
                let face_down = match pile.fresh_sum {
                    0 => 0.0,
                    sum => f64::from(pile.fresh[index]) * f64::from(pile.fresh_left) / f64::from(sum),
                };
                let count = face_down + f64::from(pile.known[index]) + f64::from(pile.discards[index]);
                // The figures are in the order of the letters, `uc` first.
                let letters = kind.edges.0;
                let place =
                    (letters & 1) << 3 | (letters >> 1 & 1) << 2 | (letters >> 2 & 1) << 1 | letters >> 3;
                patterns[usize::from(place)] += count;
            }
            left[colour] = f64::from(pile.left() + pile.discards_sum);
        }
        let placed: u16 = players.iter().map(|player| player.tally.tiles).sum();
        sheet.episode([
            f64::from(first - second),
            of_winner(&|seat| share(players[seat].vault, vaults)),
            of_winner(&|seat| share(distances[seat], travelled)),
            of_winner(&|seat| f64::from(players[seat].agents_placed)),
            of_winner(&|seat| f64::from(players[seat].adventurers)),
            left[0],
            left[1],
            f64::from(state.discarded),
            f64::from(state.failed),
            f64::from(placed),
        ]);
        sheet.episode(patterns);
        for (player, distance) in players.iter().zip(distances) {
            let tally = &player.tally;
            sheet.seat([
                f64::from(player.chests()),
                f64::from(player.adventurers),
                f64::from(player.agents_placed),
                f64::from(distance),
                share(tally.range, distance),
                f64::from(tally.trades),
                f64::from(tally.wonders),
                f64::from(tally.tiles),
                f64::from(tally.failed),
                f64::from(tally.attacks),
                f64::from(tally.attacks_won),
            ]);
        }
    }
}
