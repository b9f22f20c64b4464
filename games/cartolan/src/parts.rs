//! Actions as people choose them, part by part.

use meeple_core::{ActionPart, View};

use crate::action::Action;
use crate::game::Cartolan;
use crate::map::{CellId, Crossing};
use crate::state::Step;

/// If there are more amounts than this, people choose the tens first.
const MAX_PLAIN_AMOUNTS: usize = 24;

pub(crate) fn parts(view: &View<'_, Cartolan>, action: &Action) -> Vec<ActionPart> {
    let observation = &view.observation;
    let v = observation.variant();
    let turn = observation.turn();
    let seat = usize::from(turn.seat);
    let own = &observation.players()[seat];
    let hero = observation.hero();
    let one = |name, label: String| vec![ActionPart::new(name, label)];
    let place = |cell: CellId| {
        let cell = observation.map().cell(cell);
        at(cell.x, cell.y)
    };
    match *action {
        Action::Pick(number) => {
            let chest = own.adventurer[usize::from(number)].chest;
            one("Adventurer", format!("move your Adventurer {number} next, who carries {chest}"))
        }
        Action::Go(dir) => {
            let to = observation.map().neighbour(observation.here(), dir);
            let what = if observation.map().cell(to).is_placed() { "go" } else { "explore" };
            let way = match observation.crossing(observation.here(), dir) {
                Crossing::Land => "over land",
                Crossing::Upwind => "against the wind",
                Crossing::Downwind => "with the wind",
            };
            one("Move", format!("{what} {}, {way}", dir.long()))
        }
        Action::Gust(dir) => {
            one("Move", format!("roll for a gust to the {} (1 chance in {})", dir.long(), v.die_faces))
        }
        Action::Wait => one("Move", "wait on this tile for one move".into()),
        Action::End => one("End", "end this Adventurer's turn".into()),
        Action::Chart(which) => {
            one("Map tile", format!("try the map tile you carry: {}", described(view, which)))
        }
        Action::Draw => one("Map tile", "draw from the pile instead".into()),
        Action::Wealth => one("Discovery", "take the wealth".into()),
        Action::Card => one("Discovery", "draw a Discovery card instead".into()),
        Action::Trade => one("Here", format!("trade at the wonder for {} wealth", v.trade)),
        Action::Collect => one("Here", "collect the wealth of your Agent".into()),
        Action::Rest => one("Here", "rest at the Agent, to move on afresh".into()),
        Action::AttackAgent => one("Attack", "attack the Agent on this tile".into()),
        Action::Restore => one("Here", format!("restore your Agent for {} wealth", v.price_restore)),
        Action::Attack { seat, adventurer } => {
            one("Attack", format!("attack Adventurer {adventurer} of {}", seat_name(view, seat)))
        }
        Action::Court => one("Here", "court the disaster, to be a pirate no more".into()),
        Action::Place => one("Here", "put an Agent on this tile".into()),
        Action::Courier(agent) => {
            let cell = own.agent[usize::from(agent)].cell;
            one("Here", format!("send wealth to your Agent {agent} at {}", place(cell)))
        }
        Action::Done if observation.step() == Step::Buy => one("End", "buy nothing more".into()),
        Action::Done => one("End", "do nothing more here".into()),
        Action::Send(wealth) => amount(view, "send", wealth),
        Action::Relocate(agent) => {
            let from = &own.agent[usize::from(agent)];
            let label = format!("take your Agent {agent} from {}, with {}", place(from.cell), from.wealth);
            one("Agent", label)
        }
        Action::Bank(wealth) => amount(view, "bank", wealth),
        Action::HireAdventurer => {
            one("Hire", format!("hire an Adventurer for {} wealth", v.price_adventurer))
        }
        Action::HireAgent { x, y } => {
            vec![
                ActionPart::new("Hire", "hire an Agent"),
                ActionPart::new("Where", format!("at {}", at(x, y))),
            ]
        }
        Action::Equip(effect) => {
            one("Technology", format!("use {}: {}", effect.cards().thing, effect.cards().rule))
        }
        Action::Keep => one("Technology", "keep what you have".into()),
        Action::Drop(which) => {
            let tile = observation.chart(hero, which);
            one("Map tile", format!("put map tile {} away: {tile}", which + 1))
        }
        Action::Name(effect) => {
            one("Adventurer", format!("{}: {}", effect.cards().person, effect.cards().rule))
        }
    }
}

/// A map tile with its number, because two carried tiles may look alike.
fn described(view: &View<'_, Cartolan>, which: u8) -> String {
    let tile = view.observation.chart(view.observation.hero(), which);
    format!("{tile} (tile {})", which + 1)
}

fn amount(view: &View<'_, Cartolan>, verb: &str, wealth: u16) -> Vec<ActionPart> {
    let label = if wealth == 0 { format!("{verb} nothing") } else { format!("{verb} {wealth}") };
    let last = ActionPart::new("Wealth", label);
    if view.legal.len() <= MAX_PLAIN_AMOUNTS {
        return vec![last];
    }
    let ten = wealth / 10 * 10;
    vec![ActionPart::new("Wealth", format!("{verb} {ten} to {}", ten + 9)), last]
}

fn at(x: i16, y: i16) -> String {
    format!("({x}, {y})").replace('-', "−")
}

fn seat_name(view: &View<'_, Cartolan>, seat: u8) -> String {
    match view.players.get(usize::from(seat)) {
        Some(player) if !player.name.is_empty() => format!("seat {seat} ({})", player.name),
        _ => format!("seat {seat}"),
    }
}
