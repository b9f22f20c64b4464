//! The table as text for a terminal.

use meeple_core::{Phase, View, Viewer};
use meeple_scene::{Area, Color, Ink, Part, Screen, palette};

use crate::event::Place;
use crate::game::Cartolan;
use crate::map::{Cell, Ground, NO_AGENT};
use crate::observe::Observation;
use crate::state::Step;
use crate::tiles::{Back, Dir, Wind};

const COLUMNS: u16 = 5;
const SEA: Color = Color::hex("#8fbcd4");
const SHORE: Color = Color::hex("#b9d39b");

fn arrow(wind: Wind) -> &'static str {
    match wind {
        Wind::NorthEast => "↗",
        Wind::SouthEast => "↘",
        Wind::SouthWest => "↙",
        Wind::NorthWest => "↖",
    }
}

fn paint(land: bool) -> Ink {
    let ground = if land { SHORE } else { SEA };
    Ink::fg(palette::INK).on(ground)
}

fn tile_line(screen: &mut Screen, observation: &Observation<'_>, id: u16, cell: &Cell, line: usize) {
    let edge = |dir: Dir| cell.land & dir.bit() != 0;
    let sign = |land: bool| if land { "#" } else { "~" };
    let quiet = if cell.in_domain { "." } else { " " };
    let middle = paint(cell.land.count_ones() > 1);
    match line {
        0 => {
            let mark = match cell.ground {
                Ground::Wonder => "*",
                Ground::Disaster => "!",
                Ground::City => "@",
                _ => quiet,
            };
            let north = edge(Dir::North);
            screen.push_ink(mark, middle.bold());
            screen.push_ink(sign(north).repeat(3), paint(north));
            match cell.agent {
                NO_AGENT => screen.push_ink(quiet, middle),
                agent => {
                    let seat = usize::from(agent.seat());
                    let lost = observation.players()[seat].agent[usize::from(agent.number())].dispossessed;
                    let letter = if lost { "?" } else { ["a", "b", "c", "d"][seat] };
                    screen.push_ink(letter, Ink::bg(palette::seat_color(seat)).bold())
                }
            };
        }
        1 => {
            screen.push_ink(sign(edge(Dir::West)), paint(edge(Dir::West)));
            let inside = match cell.dropped {
                0 => format!(" {} ", arrow(cell.wind)),
                wealth => format!("{wealth:^3}"),
            };
            screen.push_ink(inside, middle);
            screen.push_ink(sign(edge(Dir::East)), paint(edge(Dir::East)));
        }
        _ => {
            let here: Vec<(usize, bool)> = observation
                .players()
                .iter()
                .enumerate()
                .flat_map(|(seat, player)| {
                    let here = player.crew().filter(move |(_, at)| *at == id);
                    here.map(move |(one, _)| (seat, one.pirate))
                })
                .collect();
            match here.as_slice() {
                [] => screen.push_ink(quiet, middle),
                [(seat, _)] => screen.push_ink(seat.to_string(), Ink::bg(palette::seat_color(*seat)).bold()),
                _ => screen.push_ink("+", middle.bold()),
            };
            let south = edge(Dir::South);
            screen.push_ink(sign(south).repeat(3), paint(south));
            let pirate = here.iter().any(|(_, pirate)| *pirate);
            screen.push_ink(if pirate { "x" } else { quiet }, middle.bold());
        }
    }
}

fn draw_map(screen: &mut Screen, view: &View<'_, Cartolan>) {
    let observation = &view.observation;
    let map = observation.map();
    let [west, east, south, north] = map.bounds();
    screen.panel(Part::Board).labels(1, 5).step(5).origin(5 * i32::from(west), -3 * i32::from(north));
    screen.line().pad_to(5);
    for x in west..=east {
        screen.push(format!("{x:^5}"));
    }
    for y in (south..=north).rev() {
        for line in 0..3 {
            screen.line();
            if line == 1 {
                screen.push(format!("{y:>4} "));
            }
            for x in west..=east {
                let id = map.find(x, y).filter(|id| map.cell(*id).is_placed());
                if let Some(id) = id {
                    screen.pad_to(5 + COLUMNS * (x - west) as u16);
                    tile_line(screen, observation, id, map.cell(id), line);
                }
            }
        }
    }
    let area = |(x, y): Place, around: i16| {
        let (left, right) = ((x - around).max(west), (x + around).min(east));
        let (top, bottom) = ((y + around).min(north), (y - around).max(south));
        Area {
            column: usize::from(5 + COLUMNS * (left - west) as u16),
            line: 1 + 3 * (north - top) as usize,
            columns: usize::from(COLUMNS) * (right - left + 1) as usize,
            lines: 3 * (top - bottom + 1) as usize,
        }
    };
    focus(screen, view, area);
}

/// Sets the order of importance if the map is too large: the acting Adventurer and its surroundings, the last
/// event, then all others.
fn focus(screen: &mut Screen, view: &View<'_, Cartolan>, area: impl Fn(Place, i16) -> Area) {
    let observation = &view.observation;
    let map = observation.map();
    let place = |id: u16| (map.cell(id).x, map.cell(id).y);
    let at = |seat: usize| observation.players()[seat].crew().map(|(_, id)| place(id));
    let turn = observation.turn();
    let hero = match view.viewer {
        Viewer::Seat(seat) if seat.index() != usize::from(turn.seat) => at(seat.index()).next(),
        _ => at(usize::from(turn.seat)).nth(usize::from(turn.adventurer)),
    };
    for around in [0, 1, 2] {
        if let Some(hero) = hero {
            screen.focus(area(hero, around));
        }
    }
    for place in view.events.iter().rev().filter_map(|event| event.place()).take(8) {
        screen.focus(area(place, 0));
    }
    for place in (0..observation.players().len()).flat_map(at) {
        screen.focus(area(place, 0));
    }
}

/// The current decision of the acting player, as one line.
pub(crate) fn question(observation: &Observation<'_>) -> String {
    let turn = observation.turn();
    let who = format!("Adventurer {}.{}", turn.seat, turn.adventurer);
    match observation.step() {
        Step::Move => {
            let limits = observation.limits();
            format!(
                "{who} moves: {} of {} made, {} of {} over land, {} of {} upwind",
                turn.total(),
                limits.moves,
                turn.land,
                limits.land,
                turn.upwind,
                limits.upwind
            )
        }
        Step::Pick => format!("seat {} picks its next Adventurer", turn.seat),
        Step::Act => format!("{who} acts on its tile"),
        Step::Bank => format!("{who} banks any part of its {}", observation.hero().chest),
        Step::Buy => format!("seat {} buys from its Vault", turn.seat),
        Step::Reward => format!("{who} takes wealth or a Discovery card"),
        Step::Equip => format!("{who} may use another Technology"),
        Step::TryChart(_) => format!("{who} may try a carried map tile"),
        Step::Drop => format!("{who} puts a carried map tile away"),
        Step::Relocate(..) => format!("seat {} chooses which Agent moves", turn.seat),
        Step::Send(agent) => format!("{who} sends wealth to Agent {}.{agent}", turn.seat),
        Step::ChoosePerson(seat, number, ..) => format!("seat {seat} names Adventurer {seat}.{number}"),
        Step::Over(reason) => format!("the game is over: {}", crate::info::ENDS[usize::from(reason)]),
        _ => "chance draws".into(),
    }
}

pub(crate) fn screen(view: &View<'_, Cartolan>) -> Screen {
    let observation = &view.observation;
    let variant = observation.variant();
    let needed = variant.winning_lead();
    let mut screen = Screen::new();
    screen.line().push_ink(
        format!("Round {}, lead {} of {needed} needed", observation.round(), observation.lead()),
        Ink::plain().bold(),
    );
    draw_map(&mut screen, view);
    screen.panel(Part::Side);
    for (seat, player) in observation.players().iter().enumerate() {
        let name = view.players.get(seat).map_or("", |player| player.name.as_str());
        screen.line().push_ink(format!(" {seat} "), Ink::bg(palette::seat_color(seat)).bold());
        screen.push(format!(" {name} ")).pad_to(18);
        screen.push_ink(format!("Vault {}", player.vault), Ink::plain().bold());
        let map = observation.map();
        for (number, (one, at)) in player.crew().enumerate() {
            let cell = map.cell(at);
            let cards: Vec<&str> =
                [one.person, one.gear].into_iter().flatten().map(|card| card.word()).collect();
            let cards = if cards.is_empty() { String::new() } else { format!(" [{}]", cards.join(", ")) };
            let pirate = if one.pirate { ", pirate" } else { "" };
            let (x, y, chest) = (cell.x, cell.y, one.chest);
            screen.line().push(format!("    {seat}.{number} at {x}, {y}, Chest {chest}{pirate}{cards}"));
        }
        for (place, (number, agent)) in player.agents_on_map().enumerate() {
            let cell = map.cell(agent.cell);
            let lost = if agent.dispossessed { ", dispossessed" } else { "" };
            let start = if place > 0 { "; " } else { "    Agents: " };
            if place == 0 {
                screen.line();
            }
            screen.push(format!("{start}{number} at {}, {} with {}{lost}", cell.x, cell.y, agent.wealth));
        }
        if observation.hand_size(seat) > 0 {
            let held: Vec<&str> = observation.hand(seat).map_or(Vec::new(), |hand| {
                let counts = crate::cards::Effect::ALL.iter().zip(hand);
                counts.filter(|(_, count)| **count > 0).map(|(effect, _)| effect.word()).collect()
            });
            let held = if held.is_empty() { String::new() } else { format!(": {}", held.join(", ")) };
            screen.line().push(format!("    Technologies in hand: {}{held}", observation.hand_size(seat)));
        }
    }
    screen.panel(Part::Details);
    for back in Back::ALL {
        if *back == Back::Water || observation.variant().inland {
            let pile = observation.pile(*back);
            screen.line().push(format!(
                "{back} tiles: {} left, {} discarded",
                pile.left(),
                pile.discards_sum
            ));
        }
    }
    screen.panel(Part::Foot);
    let own = match (view.viewer, observation.phase()) {
        (Viewer::Seat(seat), phase @ Phase::Decide(_)) => phase.owes(seat),
        _ => false,
    };
    let ink = if own { Ink::plain().bold() } else { Ink::plain() };
    screen.line().push_ink(question(observation), ink);
    screen
}
