//! The chart, the ships and the prices as text for a terminal.

use meeple_core::{Seat, View, Viewer};
use meeple_scene::{Area, Ink, Part, Screen, palette};

use crate::game::Privateers;
use crate::goods::Product;
use crate::map::Cell;
use crate::observe::Observation;
use crate::reach::{IMPOSSIBLE, Reach};
use crate::state::Stage;
use crate::wind::{Heading, Wind};

/// Wider maps get one column per cell instead of two.
const WIDE: usize = 40;

pub(crate) fn screen(_game: &Privateers, view: &View<'_, Privateers>) -> Screen {
    let obs = &view.observation;
    let mut screen = Screen::new();
    screen.line().push_ink(headline(view), Ink::plain().bold());
    if let Some(text) = wind_line(obs) {
        screen.line().push(text);
    }
    if let Some(text) = fight_line(obs) {
        screen.line().push_ink(text, Ink::fg(palette::DANGER).bold());
    }
    screen.below(chart(view)).below(ships(view)).below(prices(obs));
    screen
}

/// Name of a seat, with the player's name if it is known.
pub(crate) fn seat_name(view: &View<'_, Privateers>, seat: Seat) -> String {
    match view.players.get(seat.index()) {
        Some(player) if !player.name.is_empty() => format!("seat {seat} ({player})"),
        _ => format!("seat {seat}"),
    }
}

pub(crate) fn headline(view: &View<'_, Privateers>) -> String {
    let obs = &view.observation;
    let seat = |seat: Seat| match view.viewer {
        Viewer::Seat(own) if own == seat => "you".to_owned(),
        _ => seat_name(view, seat),
    };
    let round = match obs.variant().max_rounds {
        0 => format!("Round {}", obs.round() + 1),
        cap => format!("Round {} of {cap}", (obs.round() + 1).min(cap)),
    };
    let what = match (obs.stage(), obs.fight()) {
        (Stage::Order | Stage::Prices(_) | Stage::Spawn(_), _) => return "The game is being set up".into(),
        (Stage::Over(end), _) => {
            return format!(
                "The game is over after {} rounds: {}",
                obs.round(),
                crate::state::End::NAMES[end as usize]
            );
        }
        (Stage::Wind, _) => format!("the wind turns for {}", seat(obs.current())),
        (Stage::Loot, Some(fight)) => {
            let winner = fight.seats.into_iter().find(|seat| obs.lives(*seat)).unwrap_or(fight.seats[0]);
            format!("loot: to decide: {}", seat(winner))
        }
        (Stage::Respawn | Stage::Place, Some(fight)) => {
            let loser = fight.seats.into_iter().find(|seat| !obs.lives(*seat)).unwrap_or(fight.seats[1]);
            format!("sunk: {}", seat(loser))
        }
        (Stage::Roll, Some(fight)) => format!("{} against {}", seat(fight.seats[0]), seat(fight.seats[1])),
        _ => format!("to act: {}", seat(obs.current())),
    };
    format!("{round}, {what}")
}

/// The wind and its direction, in words that can begin a sentence.
pub(crate) fn wind_words(obs: &Observation<'_>) -> String {
    match (obs.wind(), obs.game().push(obs.wind())) {
        (Wind::Calm, _) => "No wind".into(),
        (wind, Some(push)) => format!("{} wind {}, pushing {push}", capital(wind.word()), obs.power()),
        _ => format!("Fickle wind {}", obs.power()),
    }
}

fn wind_line(obs: &Observation<'_>) -> Option<String> {
    if !matches!(obs.stage(), Stage::Act | Stage::Roll | Stage::Loot | Stage::Respawn | Stage::Place) {
        return None;
    }
    let wind = wind_words(obs);
    if obs.wind() == Wind::Calm {
        return Some(format!("{wind}."));
    }
    let costs: Vec<String> = Heading::ALL
        .iter()
        .map(|heading| match obs.costs()[heading.index()] {
            IMPOSSIBLE => format!("{} -", &heading.word()[..1]),
            cost => format!("{} {cost}", &heading.word()[..1]),
        })
        .collect();
    Some(format!("{wind}: {} half points left. A cell: {}.", obs.budget(), costs.join(", ")))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

pub(crate) fn fight_line(obs: &Observation<'_>) -> Option<String> {
    let fight = obs.fight()?;
    let [a, b] = fight.seats;
    let mut text = format!("Fight: seat {a} attacked seat {b}, distance {}", fight.distance);
    if fight.rolls > 0 {
        text += &format!(", dice {}:{}", fight.dice[0], fight.dice[1]);
    }
    text += &format!("; lost {} and {}", fight.lost[0], fight.lost[1]);
    if let Some(points) = fight.points {
        text += &format!("; fight points {} and {}", points[0], points[1]);
    }
    Some(text + ".")
}

/// The character of a seat on the chart.
fn sign(seat: Seat) -> char {
    char::from_digit(seat.index() as u32, 16).unwrap_or('?')
}

fn chart(view: &View<'_, Privateers>) -> Screen {
    let obs = &view.observation;
    let map = obs.map();
    let narrow = map.width() > WIDE;
    let mut reach = Reach::default();
    let own_turn = matches!(view.viewer, Viewer::Seat(seat) if seat == obs.current());
    let reachable: Vec<Cell> = if own_turn && obs.stage() == Stage::Act {
        obs.reach(&mut reach);
        reach.cells().skip(1).map(|(cell, _)| cell).collect()
    } else {
        Vec::new()
    };
    let mut screen = Screen::new();
    screen.panel(Part::Board).labels(1, 3).step(if narrow { 1 } else { 2 });
    // Columns 1, 5, 10, … are numbered above the chart; all rows are numbered beside it.
    let step = if narrow { 1 } else { 2 };
    screen.line();
    for column in (1..=map.width()).filter(|column| *column == 1 || column % 5 == 0) {
        screen.pad_to((3 + step * (column - 1)) as u16).push_ink(column.to_string(), Ink::plain().dim());
    }
    for y in 0..map.height() {
        screen.line().push_ink(format!("{:>2} ", y + 1), Ink::plain().dim());
        for x in 0..map.width() {
            let cell = Cell::new(x, y);
            let ships: Vec<Seat> = match obs.has_begun() {
                true => obs.living().filter(|seat| obs.cell(*seat) == cell).collect(),
                false => Vec::new(),
            };
            let (ground, ink) = match map.port_at(cell) {
                _ if !map.is_water(cell) => ('#', Ink::fg(palette::EARTH)),
                Some(port) if obs.sees_port(port) => {
                    (map.label(port), Ink::fg(palette::INK).on(palette::GOLD).bold())
                }
                Some(port) => (map.label(port), Ink::plain().bold()),
                None if reachable.contains(&cell) => ('+', Ink::fg(palette::SPOT)),
                None => ('.', Ink::fg(palette::WATER)),
            };
            let ship =
                ships.first().map(|seat| (sign(*seat), Ink::bg(palette::seat_color(seat.index())).bold()));
            match (ship, narrow) {
                (Some((sign, ink)), true) => screen.push_ink(sign.to_string(), ink),
                (None, true) => screen.push_ink(ground.to_string(), ink),
                (Some((sign, ship)), false) => {
                    let more = if ships.len() > 1 { '&' } else { ground };
                    let first = if ships.len() > 1 { ship } else { ink };
                    screen.push_ink(more.to_string(), first).push_ink(sign.to_string(), ship)
                }
                (None, false) if ground == '#' => screen.push_ink("##", ink),
                (None, false) => screen.push_ink(ground.to_string(), ink).push(" "),
            };
        }
    }
    focus(view, &mut screen, &reachable, step);
    screen
}

/// Sets the focus of the chart: first the viewer's or the acting seat's ship with its surroundings, then its
/// reachable cells, then the other ships.
fn focus(view: &View<'_, Privateers>, screen: &mut Screen, reachable: &[Cell], step: usize) {
    let obs = &view.observation;
    if !obs.has_begun() {
        return;
    }
    let around = |cell: Cell, cells: usize| {
        let (x, y) = (cell.column().saturating_sub(cells), cell.row().saturating_sub(cells));
        let (columns, lines) = (step * (cell.column() + cells + 1 - x), cell.row() + cells + 1 - y);
        Area { column: 3 + step * x, line: 1 + y, columns, lines }
    };
    let own = match view.viewer {
        Viewer::Seat(seat) => seat,
        Viewer::Public | Viewer::Everything => obs.current(),
    };
    let fighters = obs.fight().map_or([own, own], |fight| fight.seats);
    for seat in fighters.into_iter().chain([own]).filter(|seat| obs.lives(*seat)) {
        screen.focus(around(obs.cell(seat), 2));
    }
    for cell in reachable {
        screen.focus(around(*cell, 0));
    }
    for seat in obs.living() {
        screen.focus(around(obs.cell(seat), 0));
    }
}

fn ships(view: &View<'_, Privateers>) -> Screen {
    let obs = &view.observation;
    let mut screen = Screen::new();
    screen.panel(Part::Side);
    if !obs.has_begun() {
        return screen;
    }
    let viewer = Seat::all(obs.seats()).find(|seat| view.viewer == Viewer::Seat(*seat));
    for seat in Seat::all(obs.seats()) {
        let mark = Ink::bg(palette::seat_color(seat.index())).bold();
        screen.line().push_ink(format!(" {} ", sign(seat)), mark).push(" ");
        let name = if viewer == Some(seat) { "you".into() } else { seat_name(view, seat) };
        if !obs.lives(seat) {
            screen.push_ink(format!("{name}: no ship"), Ink::plain().dim());
            continue;
        }
        screen.push(format!("{name}: {}, {}", obs.class(seat), place(obs, seat)));
        if let Some(own) = viewer.filter(|own| *own != seat && obs.lives(*own))
            && let Some(distance) = obs.game().attack_distance(obs.cell(own), obs.cell(seat))
        {
            screen.push_ink(format!(", distance {distance}"), Ink::fg(palette::DANGER));
        }
        if let Some(lines) = hold_lines(obs, seat) {
            for line in lines {
                screen.line().push(format!("     {line}"));
            }
        } else if obs.is_fresh(seat) {
            screen.push(format!(", {}", fresh_words(obs)));
        }
        if let Some(seen) = obs.sighting(seat) {
            let when = if seen.exact { "has" } else { "had" };
            screen.line().push(format!("     sank you; {when} {} mounted cannons", seen.mounted));
        }
    }
    if viewer.is_some_and(|seat| seat == obs.current()) && obs.stage() == Stage::Act {
        screen.line().push_ink("+ cells you can reach this turn", Ink::fg(palette::SPOT));
    }
    screen
}

pub(crate) fn place(obs: &Observation<'_>, seat: Seat) -> String {
    match obs.port(seat) {
        Some(port) => format!("in port {}", obs.map().label(port)),
        None => obs.cell(seat).to_string(),
    }
}

pub(crate) fn fresh_words(obs: &Observation<'_>) -> String {
    let variant = obs.variant();
    format!("fresh: {} cannons, {} $", variant.start_cannons, variant.start_money)
}

pub(crate) fn hold_lines(obs: &Observation<'_>, seat: Seat) -> Option<[String; 2]> {
    let (money, value) = (obs.money(seat)?, obs.value(seat)?);
    let build = obs.game().build(obs.class(seat));
    let cargo: Vec<String> = Product::ALL
        .iter()
        .filter_map(|product| {
            let units = obs.units(seat, *product)?;
            let units = if *product == Product::Cannon { units.saturating_sub(build.mounts) } else { units };
            (units > 0).then(|| format!("{units} {product}"))
        })
        .collect();
    let cargo = if cargo.is_empty() { "empty".to_owned() } else { cargo.join(", ") };
    Some([
        format!("{money} $, value {value}, cannons {} of {}", obs.mounted(seat)?, build.mounts),
        format!("hold {} of {}: {cargo}", obs.load(seat)?, build.hold),
    ])
}

/// The known prices as a table, with the ranges of the map on top. In a port they matter for the next
/// decision, so they go to the foot; elsewhere they are details.
fn prices(obs: &Observation<'_>) -> Screen {
    let mut screen = Screen::new();
    let afloat = match obs.viewer() {
        Viewer::Seat(seat) if obs.has_begun() && obs.lives(seat) => Some(seat),
        _ => None,
    };
    let here = afloat.and_then(|seat| obs.port(seat));
    screen.panel(if here.is_some() { Part::Foot } else { Part::Details });
    let ends: [String; 7] = std::array::from_fn(|product| {
        let range = obs.game().price_range(Product::new(product));
        format!("{}-{}", range.min, range.max)
    });
    // Cells are at most as wide as a product's name or its range.
    let widths: [usize; 7] =
        std::array::from_fn(|product| Product::new(product).word().len().max(ends[product].len()));
    let row = |screen: &mut Screen, head: &str, ink: Ink, cells: [String; 7]| {
        screen.line().push_ink(format!("{head:<11}"), ink);
        for (cell, width) in cells.iter().zip(widths) {
            screen.push_ink(format!("{cell:>width$}", width = width + 1), ink);
        }
    };
    let names = std::array::from_fn(|product| Product::new(product).to_string());
    row(&mut screen, "prices", Ink::plain().bold(), names);
    let of_port = |port: usize| {
        std::array::from_fn(|product| {
            obs.price(port, Product::new(product)).map_or(String::new(), |price| price.to_string())
        })
    };
    if let Some(port) = here.filter(|port| obs.sees_port(*port)) {
        row(&mut screen, &format!("{} (here)", obs.map().label(port)), Ink::plain().bold(), of_port(port));
    }
    row(&mut screen, "everywhere", Ink::plain().dim(), ends.clone());
    if let Some(seat) = afloat {
        let units = |product| obs.units(seat, Product::new(product)).unwrap_or(0).to_string();
        row(&mut screen, "you have", Ink::fg(palette::SPOT), std::array::from_fn(units));
    }
    if here.is_some() {
        screen.panel(Part::Details);
    }
    for port in (0..obs.map().ports()).filter(|port| here != Some(*port) && obs.sees_port(*port)) {
        row(&mut screen, &obs.map().label(port).to_string(), Ink::plain(), of_port(port));
    }
    let unknown: Vec<String> = (0..obs.map().ports())
        .filter(|port| !obs.sees_port(*port))
        .map(|port| obs.map().label(port).to_string())
        .collect();
    if !unknown.is_empty() {
        screen.line().push_ink(format!("not seen: {}", unknown.join(" ")), Ink::plain().dim());
    }
    screen
}
