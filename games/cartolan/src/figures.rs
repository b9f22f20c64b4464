//! The game's own figures: what the designer's playtests counted. Where a win is shared, a figure of the winner
//! is the mean over those who share it.

use meeple_core::{Figure, FigureSheet};

use crate::rules::Cartolan;
use crate::state::State;
use crate::variant::MAX_SEATS;

const fn figure(name: &'static str, unit: &'static str, doc: &'static str) -> Figure {
    Figure { name, unit, doc }
}

const fn pattern(name: &'static str, doc: &'static str) -> Figure {
    figure(name, "tiles", doc)
}

/// Figures of an episode.
pub(crate) const EPISODE: &[Figure] = &[
    figure("lead", "wealth", "Lead of the first Vault over the second."),
    figure("winner_vault_share", "share", "The winner's part of the wealth in all Vaults."),
    figure("winner_distance_share", "share", "The winner's part of all tiles travelled."),
    figure("winner_agents", "agents", "The winner's Agents on the map."),
    figure("winner_adventurers", "adventurers", "The winner's Adventurers."),
    figure("water_left", "tiles", "Water-backed tiles in pile and discards."),
    figure("land_left", "tiles", "Land-backed tiles in pile and discards."),
    figure("discards", "tiles", "Tiles drawn that did not fit."),
    figure("failed_explorations", "explorations", "Explorations in which no tile fitted."),
    figure("placed", "tiles", "Tiles placed while exploring."),
    pattern("left_wwww", "Left-over tiles with edges WWWW (uc ua dc da)."),
    pattern("left_wwwl", "Left-over tiles with edges WWWL."),
    pattern("left_wwlw", "Left-over tiles with edges WWLW."),
    pattern("left_wwll", "Left-over tiles with edges WWLL."),
    pattern("left_wlww", "Left-over tiles with edges WLWW."),
    pattern("left_wlwl", "Left-over tiles with edges WLWL."),
    pattern("left_wllw", "Left-over tiles with edges WLLW."),
    pattern("left_wlll", "Left-over tiles with edges WLLL."),
    pattern("left_lwww", "Left-over tiles with edges LWWW."),
    pattern("left_lwwl", "Left-over tiles with edges LWWL."),
    pattern("left_lwlw", "Left-over tiles with edges LWLW."),
    pattern("left_lwll", "Left-over tiles with edges LWLL."),
    pattern("left_llww", "Left-over tiles with edges LLWW."),
    pattern("left_llwl", "Left-over tiles with edges LLWL."),
    pattern("left_lllw", "Left-over tiles with edges LLLW."),
    pattern("left_llll", "Left-over tiles with edges LLLL."),
];

/// Figures of a seat.
pub(crate) const SEAT: &[Figure] = &[
    figure("chests", "wealth", "Wealth left in the Chests."),
    figure("adventurers", "adventurers", "Adventurers in play."),
    figure("agents", "agents", "Agents on the map."),
    figure("distance", "tiles", "Tiles travelled."),
    figure("mean_range", "tiles", "Mean distance to the Capital after a move."),
    figure("trades", "trades", "Trades at wonders."),
    figure("wonders", "wonders", "Wonders discovered."),
    figure("explored", "tiles", "Tiles placed."),
    figure("failed", "explorations", "Explorations in which no tile fitted."),
    figure("attacks", "attacks", "Attacks and arrests tried."),
    figure("attacks_won", "attacks", "Attacks and arrests that succeeded."),
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
