//! Invalid set-ups, and their error texts.

use meeple_cartolan::{Action, Back, Cartolan, MAX_DEALT, MAX_MYTHICAL_DISTANCE};
use meeple_core::Defined as _;

use crate::table::{Table, refusal, variant};

fn check(preset: &str, seats: usize, settings: &[(&str, &str)], expected: &str) {
    let reason = refusal(preset, seats, settings);
    assert!(reason.contains(expected), "{settings:?}: expected '{expected}' in '{reason}'");
}

#[test]
fn contradictory_switches_are_refused() {
    check("beginner", 2, &[("mythical", "fixed")], "hint: set mythical=none");
    check("beginner", 2, &[("gust", "attempt")], "no gusts");
    check("beginner", 2, &[("cards", "on")], "cards need");
    check("advanced", 2, &[("act_order", "scripted")], "knows no cards");
    check("regular", 2, &[("act_order", "scripted")], "knows no gusts");
    check("regular", 2, &[("act_order", "scripted"), ("gust", "off")], "hire_moves=next_round");
    check("regular", 2, &[("start_adventurers", "4")], "up to adventurers (3), found 4");
}

#[test]
fn tiles_that_cannot_supply_the_piles_are_refused() {
    let head = "back,edges,plain,wonder,disaster\n";
    let tiles = |rows: &str| format!("{head}{rows}");
    let with = |rows: &str, expected: &str| {
        check("regular", 2, &[("catalogue", "file"), ("tiles", &tiles(rows))], expected);
    };
    with("water,WWWW,9,0,0\n", "land-backed tiles, found none");
    with("land,LLLL,9,0,0\n", "water-backed tiles, found none");
    with("water,WWWX,9,0,0\n", "line 2: expected four edges");
    with("water,WWWW,9,0\n", "line 2: expected back,edges");
    with("air,WWWW,9,0,0\n", "line 2: expected one of water, land");
    with("water,WWWW,300,0,0\n", "a number from 0 to 255");
    with("water,WWWW,9,0,0\nwater,WWWW,9,0,0\n", "line 3: water WWWW stands there twice");
    with("water,WWWL,9,0,1\nland,LLLL,9,0,0\n", "hint: set disaster_edges=all_land");
    with("water,WWWW,9,60,0\nland,LLLL,9,9,0\n", "up to 64 wonders, found 69");
    check("regular", 2, &[("catalogue", "file")], "tiles is empty");
    check("regular", 2, &[("tiles", head)], "set catalogue=file");
    check("regular", 2, &[("catalogue", "file"), ("tiles", "edges\n")], "line 1: expected");
    check("regular", 2, &[("supply", "fixed"), ("water_tiles", "90")], "but the catalogue has 73");
    let many = tiles("water,WWWW,250,0,0\nland,LLLL,250,0,0\n");
    let all = [
        ("catalogue", "file"),
        ("tiles", many.as_str()),
        ("supply", "fixed"),
        ("water_tiles", "150"),
        ("land_tiles", "150"),
    ];
    check("regular", 2, &all, "up to 180 tiles in all, found 150 water-backed and 150 land-backed");
    check("regular", 2, &all, "hint: lower water_tiles or land_tiles");
}

#[test]
fn disasters_that_are_plain_tiles_are_counted_in_full() {
    let tiles =
        |plain, disasters| format!("back,edges,plain,wonder,disaster\nwater,WWWW,{plain},0,{disasters}\n");
    let refused = |plain, disasters, supply| {
        let tiles = tiles(plain, disasters);
        let settings = [("catalogue", "file"), ("tiles", tiles.as_str()), ("supply", supply)];
        refusal("beginner", 2, &settings)
    };
    for supply in ["per_player_capped", "fixed"] {
        let reason = refused(255, 2, supply);
        assert!(reason.contains("expected up to 255 plain tiles water WWWW, found 257"), "{reason}");
        assert!(reason.contains("hint: lower either number in the parameter tiles"), "{reason}");
        assert!(refused(1, 255, supply).contains("found 256"));
    }
    // One kind may have 255 tiles, and all of them may be among the 60 dealt.
    let most = tiles(253, 2);
    let table = Table::new("beginner", 2, &[("catalogue", "file"), ("tiles", &most)]);
    let pile = table.see().pile(Back::Water);
    assert_eq!((pile.left(), pile.fresh_sum), (60, 255));
}

#[test]
fn a_file_of_tiles_is_played_with() {
    let tiles = "back,edges,plain,wonder,disaster\nwater,WWWW,30,0,0\nwater,WLWW,10,40,0\nland,LLLL,40,0,0\n";
    let mut table = Table::new("regular", 2, &[("catalogue", "file"), ("tiles", tiles)]);
    assert_eq!(table.see().pile(Back::Water).left(), 60, "of 80");
    assert_eq!(table.see().pile(Back::Land).left(), 30, "of 40");
    table.run("go e; go e");
    let chances = [("tile water WWWW", 30.0), ("tile water WLWW", 10.0), ("tile water WLWW*", 40.0)];
    for (tile, count) in chances {
        assert!((table.chance(tile) - count / 80.0).abs() < 1e-12, "{tile}");
    }
    assert_eq!(table.chances().len(), 3, "and nothing else");
    table.run("tile water WLWW*; end; end; go s");
    assert_eq!(table.chances(), [("tile land LLLL".to_owned(), 1.0)]);
}

#[test]
fn a_deck_for_four_players_is_dealt_whole() {
    let tiles = "back,edges,plain,wonder,disaster\nwater,WWWW,108,12,0\nland,LLLL,52,8,0\n";
    let table = Table::new("regular", 4, &[("catalogue", "file"), ("tiles", tiles)]);
    let left = Back::ALL.iter().map(|back| table.see().pile(*back).left());
    assert_eq!(left.collect::<Vec<_>>(), [120, 60]);
}

#[test]
fn every_place_that_a_tile_can_have_has_an_action_of_its_own() {
    let reach = MAX_MYTHICAL_DISTANCE + 1 + MAX_DEALT as i16;
    let places = [-reach, 1 - reach, -1, 0, 1, reach - 1, reach];
    for (x, y) in places.into_iter().flat_map(|y| places.map(|x| (x, y))) {
        let action = Action::HireAgent { x, y };
        assert_eq!(action.to_string().parse(), Ok(action));
    }
    assert!(format!("hire agent {} 0", reach + 1).parse::<Action>().is_err());
}

#[test]
fn a_fifth_player_is_refused() {
    let error = Cartolan::new(variant("regular", &[]), 5).err().expect("four at most");
    assert!(error.to_string().contains("2 to 4 players, found 5"));
}

#[test]
fn profiles_fit_every_preset() {
    for preset in Cartolan::definition().info.presets {
        for profile in Cartolan::definition().info.profiles {
            for seats in 2..=4 {
                let made = Cartolan::new(variant(preset.name, profile.set), seats);
                assert!(made.is_ok(), "{} with {} for {seats}", preset.name, profile.name);
            }
        }
    }
}
