//! Agents: the heuristic players of the original in two generations, and one of our own.

pub mod captain;
mod gait;
mod merchant;
mod plan;

use meeple_core::{Agent, AgentInfo, Seat, Turn};

use crate::action::Action;
use crate::cards::Effect;
use crate::observe::Observation;
use crate::rules::Cartolan;
use crate::state::Step;
use crate::tiles::Mark;
use captain::{Captain, Generation, Role, Temper};

impl Agent<Cartolan> for Captain {
    fn begin_episode(&mut self, _game: &Cartolan, seat: Seat) {
        self.begin(seat.index());
    }

    #[inline]
    fn act(&mut self, mut turn: Turn<'_, Cartolan>) -> Action {
        let observation = turn.observe();
        self.decide(&observation, turn.rng())
    }
}

fn captain(name: &'static str, doc: &'static str, role: Role, generation: Generation) -> AgentInfo<Cartolan> {
    AgentInfo::new(name, doc, move |_: &Cartolan, temper: Temper| Ok(Captain::new(role, generation, &temper)))
}

/// What every agent here answers where it has no mind of its own.
fn plain_choice(observation: &Observation<'_>) -> Action {
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
        // A wonder is worth keeping.
        Step::Drop => {
            let worth = |which: &u8| match observation.chart(hero, *which).mark {
                Mark::Disaster => 0,
                Mark::Plain => 1,
                Mark::City | Mark::Wonder => 2,
            };
            Action::Drop((0..hero.charts).min_by_key(worth).unwrap_or(0))
        }
        Step::Reward => Action::Wealth,
        // Whoever has nothing takes what there is.
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

/// The game's own agents.
pub(crate) fn all() -> Vec<AgentInfo<Cartolan>> {
    use Generation::{First, Second};
    vec![
        captain("explorer", "Explores away from home and banks what puts it ahead.", Role::Explorer, First),
        captain("trader", "Settles Agents at wonders and trades its way along them.", Role::Trader, First),
        captain(
            "router",
            "Builds a chain of Agents where its moves end and travels along it.",
            Role::Router,
            First,
        ),
        captain(
            "pirate",
            "Hunts whatever promises most: Adventurers, Agents, disasters.",
            Role::Pirate,
            First,
        ),
        captain("explorer-oct", "The explorer of October 2020: fills the best gaps.", Role::Explorer, Second),
        captain("trader-oct", "The trader of October 2020.", Role::Trader, Second),
        captain("router-oct", "The router of October 2020.", Role::Router, Second),
        captain("pirate-oct", "The pirate of October 2020: waits to attack again.", Role::Pirate, Second),
        merchant::info(),
    ]
}
