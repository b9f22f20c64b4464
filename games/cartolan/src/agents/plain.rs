//! Default decisions, shared by all agents.

use crate::action::Action;
use crate::cards::Effect;
use crate::observe::Observation;
use crate::rules::options;
use crate::state::Step;
use crate::tiles::Mark;

/// The default decision for the current step.
pub(crate) fn plain_choice(observation: &Observation<'_>) -> Action {
    let (player, hero) = (observation.owner(), observation.hero());
    match observation.step() {
        Step::Pick => {
            let moved = observation.turn().moved;
            let ready = |number: &u8| {
                moved >> number & 1 == 0
                    && player.adventurer[usize::from(*number)].moves_from <= observation.round()
            };
            Action::Pick((0..player.adventurers).find(ready).unwrap_or(0))
        }
        Step::TryChart(dir) => {
            let welcome = |which: &u8| {
                let tile = observation.chart(hero, *which);
                (tile.mark != Mark::Disaster || hero.pirate) && observation.fitting_wind(dir, tile).is_some()
            };
            (0..hero.charts).find(welcome).map_or(Action::Draw, Action::Chart)
        }
        // Wonders and cities are kept longest.
        Step::Drop => {
            let worth = |which: &u8| match observation.chart(hero, *which).mark {
                Mark::Disaster => 0,
                Mark::Plain => 1,
                Mark::City | Mark::Wonder => 2,
            };
            Action::Drop((0..hero.charts).min_by_key(worth).unwrap_or(0))
        }
        Step::Reward => Action::Wealth,
        // An Adventurer equips a Technology only if it has none.
        Step::Equip => match hero.gear {
            None => Action::Equip(Effect::ALL[observation.equippable().trailing_zeros() as usize]),
            Some(_) => Action::Keep,
        },
        Step::ChoosePerson(_, _, low, _) => Action::Name(low),
        Step::Relocate(..) => Action::Relocate(player.placed_agents()[0]),
        Step::Send(_) => Action::Send(1),
        _ => Action::Done,
    }
}

/// The first wanted option on the tile, in the order of the script, or [`Action::Done`].
#[inline(always)]
pub(crate) fn first_wanted(observation: &Observation<'_>, wants: impl Fn(u8) -> bool) -> Action {
    let mut left = observation.offered();
    while left != 0 {
        let option = left.trailing_zeros() as u8;
        left &= left - 1;
        if wants(option) {
            return options::action(option);
        }
    }
    Action::Done
}
