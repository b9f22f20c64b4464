//! Maps: format, checks, generator, distances, reach.

use meeple_core::{Params, Stream};
use meeple_privateers::{
    BUILT_IN, Cell, Class, Heading, IMPOSSIBLE, MapError, Reach, SeaMap, UNREACHABLE, Wind, Wish, generate,
};

use crate::bench::{chart, game};

fn distances(map: &SeaMap) -> (u16, f64, u16) {
    let mut all = Vec::new();
    for a in 0..map.ports() {
        for b in 0..a {
            all.push(map.port_distance(a, map.port_cell(b)));
        }
    }
    let mean = all.iter().copied().map(f64::from).sum::<f64>() / all.len() as f64;
    (*all.iter().min().unwrap(), mean, *all.iter().max().unwrap())
}

#[test]
fn built_in_maps_are_as_the_rules_say() {
    let check = |name: &str, size: (usize, usize), ports: usize, water: usize, span: (u16, f64, u16)| {
        let map = SeaMap::load(name).unwrap();
        assert_eq!((map.width(), map.height()), size, "{name}");
        assert_eq!((map.ports(), map.cells().count()), (ports, water), "{name}");
        let (min, mean, max) = distances(&map);
        assert_eq!((min, max), (span.0, span.2), "{name}");
        assert!((mean - span.1).abs() < 0.05, "{name}: {mean}");
        for port in 0..ports {
            assert!(touches_land(&map, map.port_cell(port)), "{name}: port {}", map.label(port));
        }
    };
    check("pocket", (12, 8), 4, 77, (5, 10.0, 14));
    check("peninsula", (18, 12), 7, 178, (5, 12.4, 22));
    check("archipelago", (26, 16), 12, 340, (7, 16.42, 35));
}

fn touches_land(map: &SeaMap, cell: Cell) -> bool {
    let (x, y) = (cell.column() as isize, cell.row() as isize);
    [(0, -1), (-1, 0), (0, 1), (1, 0)].iter().any(|(dx, dy)| {
        let (x, y) = (x + dx, y + dy);
        (0..map.width() as isize).contains(&x)
            && (0..map.height() as isize).contains(&y)
            && !map.is_water(Cell::new(x as usize, y as usize))
    })
}

#[test]
fn maps_print_as_they_parse() {
    for (name, text) in BUILT_IN {
        assert_eq!(SeaMap::parse(text).unwrap().to_string(), *text, "{name}");
    }
}

#[test]
fn faults_name_their_cell() {
    let fault = |rows: &[&str]| SeaMap::parse(&chart(rows)).unwrap_err();
    let (at, first) = (Cell::new(1, 2), Cell::new(0, 0));
    assert_eq!(fault(&["A..", "...", ".?B"]), MapError::Character { cell: at, found: '?' });
    assert_eq!(fault(&["A..", "...", ".AB"]), MapError::Twice { label: 'A', first, second: at });
    assert_eq!(fault(&["A..", "##.", ".#B"]), MapError::CutOff { cell: Cell::new(0, 2), from: first });
    assert_eq!(fault(&["A..", "...", "..."]), MapError::Ports { found: 1 });
    assert_eq!(fault(&["A..", "..", "..B"]), MapError::Ragged { row: 2, expected: 3, found: 2 });
    assert!(fault(&["A..", "..", "..B"]).to_string().starts_with("row 2, column 3: expected 3"));
    assert!(fault(&["A..", "....", "..B"]).to_string().starts_with("row 2, column 4: expected 3"));
    assert_eq!(fault(&["A..", "..B"]), MapError::Size { what: "rows", found: 2 });
    assert_eq!(fault(&["A.", "..", ".B"]), MapError::Size { what: "columns", found: 2 });
    let long = "A".to_owned() + &".".repeat(64);
    assert_eq!(fault(&[&long, &long, &long]), MapError::Size { what: "columns", found: 65 });
    assert_eq!(
        fault(&["A..", "...", ".?B"]).to_string(),
        "row 3, column 2: expected '.', '#' or a port's letter, found '?'"
    );
}

#[test]
fn header_is_checked() {
    let fault = |head: &str| SeaMap::parse(&format!("{head}\n\nA..\n...\n..B\n")).unwrap_err().to_string();
    assert!(fault("name: x\nauthor: y\nversion: 2").contains("line 3"));
    assert!(fault("name: x\nversion: 1").contains("author"));
    assert!(fault("name: x\nname: y").contains("once"));
    assert!(fault("nonsense").contains("line 1"));
    assert!(SeaMap::parse("name: x\r\nauthor: y\r\nversion: 1\r\n\r\nA..\r\n...\r\n..B\r\n").is_ok());
    assert!(SeaMap::load("nowhere").unwrap_err().contains("pocket"));
}

#[test]
fn hostile_text_is_refused_without_a_panic() {
    let mut rng = Stream::from_seed(5);
    let letters: Vec<char> = "A.#B\n: né1\u{0}\u{202e}".chars().collect();
    for _ in 0..500 {
        let junk: String = (0..rng.index(80)).map(|_| letters[rng.index(letters.len())]).collect();
        let _ = SeaMap::parse(&junk);
        let _ = SeaMap::parse(&format!("name: x\nauthor: y\nversion: 1\n\n{junk}"));
    }
}

#[test]
fn generated_maps_keep_their_promises() {
    for seed in 0..40 {
        let mut wish =
            Wish { width: 12 + seed as usize % 30, height: 10 + seed as usize % 17, ..Wish::default() };
        wish.ports = 4 + seed as usize % 5;
        let map = generate(seed, &wish).unwrap();
        let text = map.to_string();
        assert_eq!(text, generate(seed, &wish).unwrap().to_string(), "same seed, same bytes");
        let again = SeaMap::parse(&text).unwrap();
        assert_eq!(again.to_string(), text);
        assert_eq!((map.width(), map.height(), map.ports()), (wish.width, wish.height, wish.ports));
        let apart = ((wish.width + wish.height) / 8).max(3);
        for a in 0..map.ports() {
            for b in 0..a {
                let distance = map.port_distance(a, map.port_cell(b));
                assert!(distance != UNREACHABLE && usize::from(distance) >= apart, "{text}");
            }
        }
        let ring = |cell: &Cell| cell.column() == 0 || cell.row() == 0;
        assert_eq!(map.cells().filter(ring).count(), map.width() + map.height() - 1, "the ring is sea");
        assert!((1..map.ports()).all(|port| map.port_cell(port - 1).row() <= map.port_cell(port).row()));
    }
}

#[test]
fn generator_is_frozen() {
    // These bytes must not change: seeds of maps are published.
    let wish = Wish { width: 12, height: 8, ports: 3, land: 22 };
    let text = generate(7, &wish).unwrap().to_string();
    assert_eq!(text, include_str!("generated-7.map"));
}

#[test]
fn generator_gives_up_with_a_reason() {
    let crowded = Wish { width: 6, height: 6, ports: 20, land: 30 };
    assert!(generate(1, &crowded).unwrap_err().contains("fewer ports"));
    let dry = Wish { land: 0, ..Wish::default() };
    assert!(generate(1, &dry).unwrap_err().contains("no coast"));
    assert!(Wish::default().set("width", "65").is_err());
}

#[test]
fn distances_agree_with_each_other() {
    for (name, text) in BUILT_IN {
        let map = SeaMap::parse(text).unwrap();
        let cells: Vec<Cell> = map.cells().collect();
        for port in 0..map.ports() {
            for cell in &cells {
                assert_eq!(
                    map.distance(map.port_cell(port), *cell),
                    map.port_distance(port, *cell),
                    "{name}"
                );
            }
        }
        for pair in cells.windows(2) {
            assert_eq!(map.distance(pair[0], pair[1]), map.distance(pair[1], pair[0]));
            assert!(map.distance(pair[0], pair[1]) >= pair[0].manhattan(pair[1]));
        }
    }
}

/// Cheapest cost by trying every sequence of moves, one relaxation at a time.
fn slow_reach(map: &SeaMap, from: Cell, costs: [u8; 4], budget: u8, moves: u8) -> Vec<(Cell, u8)> {
    let mut best: Vec<(Cell, u8)> = vec![(from, 0)];
    for _ in 0..moves {
        for (cell, cost) in best.clone() {
            for heading in Heading::ALL {
                let Some(next) = map.next(cell, *heading) else { continue };
                let total = cost.saturating_add(costs[heading.index()]);
                if total > budget {
                    continue;
                }
                match best.iter_mut().find(|(known, _)| *known == next) {
                    Some((_, known)) => *known = total.min(*known),
                    None => best.push((next, total)),
                }
            }
        }
    }
    best.sort();
    best
}

#[test]
fn reach_is_what_moves_can_pay() {
    for set in
        [&[][..], &[("max_moves", "3")], &[("cost_with", "2"), ("cost_across", "3"), ("max_moves", "5")]]
    {
        let game = game(2, &[&[("map", "archipelago")], set].concat());
        let moves = game_moves(set);
        let map = game.map();
        let mut reach = Reach::default();
        let mut rng = Stream::from_seed(1);
        let cells: Vec<Cell> = map.cells().collect();
        for _ in 0..150 {
            let from = cells[rng.index(cells.len())];
            let wind = Wind::ALL[rng.index(6)];
            let class = Class::ALL[rng.index(3)];
            let budget = game.budget(wind, 1 + rng.below(6) as u8);
            let costs = game.costs(class, wind);
            reach.find(map, from, costs, budget, moves);
            let mut found: Vec<(Cell, u8)> = reach.cells().collect();
            found.sort();
            assert_eq!(
                found,
                slow_reach(map, from, costs, budget, moves),
                "{from}, {wind} {budget}, {class}"
            );
            for (cell, cost) in found {
                assert_eq!(reach.cost(cell), Some(cost));
                let step = reach.first_step(cell);
                assert_eq!(step.is_none(), cell == from);
            }
        }
    }
}

/// The reused buffer keeps nothing of earlier searches.
#[test]
fn reach_forgets_where_it_was() {
    let game = game(2, &[("map", "archipelago")]);
    let cells: Vec<Cell> = game.map().cells().collect();
    let mut reach = Reach::default();
    let mut rng = Stream::from_seed(2);
    let mut out_of_reach = 0;
    for _ in 0..600 {
        let from = cells[rng.index(cells.len())];
        let costs =
            std::array::from_fn(|_| if rng.chance(0.2) { IMPOSSIBLE } else { 1 + rng.below(12) as u8 });
        let (budget, moves) = (rng.below(13) as u8, rng.below(13) as u8);
        reach.find(game.map(), from, costs, budget, moves);
        let mut found: Vec<(Cell, u8)> = reach.cells().collect();
        found.sort();
        assert_eq!(
            found,
            slow_reach(game.map(), from, costs, budget, moves),
            "{from} {costs:?} {budget} {moves}"
        );
        assert!(
            cells
                .iter()
                .all(|cell| reach.cost(*cell).is_some() == found.iter().any(|(known, _)| known == cell))
        );
        out_of_reach += usize::from(found.len() == 1);
    }
    assert!(out_of_reach > 50, "{out_of_reach}");
}

fn game_moves(set: &[(&str, &str)]) -> u8 {
    set.iter().find(|(name, _)| *name == "max_moves").map_or(12, |(_, moves)| moves.parse().unwrap())
}

#[test]
fn reach_works_at_the_edges_of_the_largest_map() {
    let mut rows = vec![".".repeat(64); 64];
    rows[0].replace_range(0..1, "A");
    rows[63].replace_range(63..64, "B");
    let map = SeaMap::parse(&chart(&rows.iter().map(String::as_str).collect::<Vec<_>>())).unwrap();
    let mut reach = Reach::default();
    for (x, y) in [(0, 0), (63, 0), (0, 63), (63, 63), (31, 31), (12, 51), (13, 50)] {
        let from = Cell::new(x, y);
        reach.find(&map, from, [1; 4], 12, 12);
        let expected = map.cells().filter(|cell| cell.manhattan(from) <= 12).count();
        assert_eq!(reach.cells().count(), expected, "{from}");
        assert!(reach.cells().all(|(cell, cost)| u16::from(cost) == cell.manhattan(from)));
    }
}
