//! Fills the game's figures of an episode. Figures of shared winners are means.

use meeple_core::FigureSheet;

use crate::game::Cartolan;
use crate::state::State;
use crate::variant::MAX_SEATS;

impl Cartolan {
    pub(crate) fn fill_figures(&self, state: &State, sheet: &mut FigureSheet) {
        let players = &state.players[..self.seats];
        let mut distances = [0u32; MAX_SEATS];
        for (distance, player) in distances.iter_mut().zip(players) {
            *distance = player.crew().map(|(one, _)| one.distance).sum();
        }
        let keys = self.ranking(state);
        let best = keys[..self.seats].iter().max().copied().unwrap_or_default();
        let winners = || (0..self.seats).filter(|seat| keys[*seat] == best);
        let of_winner =
            |figure: &dyn Fn(usize) -> f64| winners().map(figure).sum::<f64>() / winners().count() as f64;
        let share = |part: u32, all: u32| if all == 0 { 0.0 } else { f64::from(part) / f64::from(all) };
        let vaults = players.iter().map(|player| player.vault).sum();
        let travelled = distances[..self.seats].iter().sum();
        let mut patterns = [0.0; 16];
        let mut left = [0.0; 2];
        for (colour, pile) in state.piles.iter().enumerate() {
            for (index, kind) in self.kinds[colour].iter().enumerate() {
                // For tiles dealt face down only the expected number is known.
                let face_down = match pile.fresh_sum {
                    0 => 0.0,
                    sum => f64::from(pile.fresh[index]) * f64::from(pile.fresh_left) / f64::from(sum),
                };
                let count = face_down + f64::from(pile.known[index]) + f64::from(pile.discards[index]);
                // The figures are in the order of the letters, with `uc` first.
                let letters = kind.edges.0;
                let place =
                    (letters & 1) << 3 | (letters >> 1 & 1) << 2 | (letters >> 2 & 1) << 1 | letters >> 3;
                patterns[usize::from(place)] += count;
            }
            left[colour] = f64::from(pile.remaining());
        }
        let placed: u16 = players.iter().map(|player| player.tally.tiles).sum();
        sheet.episode([
            f64::from(self.lead(state)),
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
