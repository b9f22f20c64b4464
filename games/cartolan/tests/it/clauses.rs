//! Clauses of the rules beside the numbered rulings, and the effects of parameters on them.

use meeple_cartolan::{Back, Ground, Step, Wind};
use meeple_core::{Defined as _, Seat};

use crate::table::Table;

/// Without domains everything may be placed next to the Capital.
const OPEN: (&str, &str) = ("domain", "0");

/// Seat 0 discovers a wonder east of the first sea tile and stands on it with 5 wealth.
const WONDER: &str = "go e; go e; tile water WLWW*";

/// Seat 0 brings the 5 wealth of the wonder home, seat 1 idle.
const BANK: &str = "done; end; end; go w; end; end; go w; bank 5";

fn wind_at(table: &Table, x: i16, y: i16) -> Wind {
    let map = table.see().map();
    map.cell(map.find(x, y).expect("a tile")).wind
}

fn dropped_at(table: &Table, x: i16, y: i16) -> u16 {
    let map = table.see().map();
    map.cell(map.find(x, y).expect("a tile")).dropped
}

#[test]
fn c6_land_and_upwind_moves_come_first_in_initial_movement() {
    let mut table = Table::new("regular", 2, &[OPEN, ("gust", "off")]);
    table.run("go e");
    assert!(table.refuses("go w").starts_with("6.2"), "upwind is for the first move only");
    table.run("go e; tile water WLWW");
    assert!(table.refuses("go s").starts_with("6.2"), "land is for the first two");
    table.run("end; end; wait");
    assert!(table.allows("go s"), "the second move may be over land");
    table.run("wait");
    assert!(!table.allows("go s"), "the third may not");
    let mut three = Table::new("regular", 2, &[OPEN, ("land_moves", "3"), ("unburdened_land_moves", "3")]);
    assert!(three.run("go e; go e; tile water WLWW").allows("go s"));
    let mut upwind = Table::new("regular", 2, &[("upwind_moves", "2"), ("unburdened_upwind_moves", "2")]);
    assert!(upwind.run("go e").allows("go w"));
    let mut short = Table::new("regular", 2, &[("moves", "1")]);
    assert_eq!(short.run("go e").owes(), Seat::new(1));
}

#[test]
fn c6_the_capital_is_entered_by_the_wind_of_its_neighbours() {
    let mut table = Table::new("regular", 2, &[]);
    table.run("go w; go e");
    assert_eq!((table.place(0, 0), table.owes()), ((0, 0), Seat::new(1)), "downwind from the west");
    let mut east = Table::new("regular", 2, &[("gust", "off")]);
    assert!(east.run("go e").refuses("go w").contains("upwind move"), "upwind from the east");
}

#[test]
fn c7_the_turns_tried_depend_on_the_variant() {
    // The cell (2, 1) is entered from the south, so the tile's southern edge must be water. With the wind of
    // the last tile this edge is land.
    let steps = "go e; go e; tile water WWWW; go n; tile water WLWW";
    let mut clockwise = Table::new("regular", 2, &[]);
    clockwise.run(steps);
    assert_eq!(wind_at(&clockwise, 2, 1), Wind::SouthEast, "clockwise first");
    let mut continuous = Table::new("regular", 2, &[("exploration", "continuous")]);
    continuous.run(steps);
    assert_eq!(wind_at(&continuous, 2, 1), Wind::NorthWest, "so that the arrows join");
    // For a move to the east, a clockwise turn joins the arrows.
    let mut east = Table::new("regular", 2, &[("exploration", "continuous")]);
    east.run("go e; go e; tile water LWWW");
    assert_eq!(wind_at(&east, 2, 0), Wind::SouthEast);
    // The wind of the last tile is tried first.
    east.run("go s; tile water WWWW");
    assert_eq!(wind_at(&east, 2, -1), Wind::SouthEast);
}

#[test]
fn c7_no_tile_is_turned_about() {
    // Only half a turn would put the tile's land in the north.
    let mut table = Table::new("regular", 2, &[("tries", "1")]);
    table.run("go e; go e; tile water WLWW; end; end; go s; tile land WLWW");
    assert_eq!(table.ground(2, -1), Ground::Empty);
    assert_eq!(table.see().pile(Back::Land).discards_sum, 1);
}

#[test]
fn c7_colours_follow_the_edge() {
    let mut table = Table::new("regular", 2, &[]);
    table.run("go e; go e; tile water WLWW; end; end; go s");
    assert!(table.chances().iter().all(|(tile, _)| tile.contains("land")));
    let mut beginner = Table::new("beginner", 2, &[]);
    beginner.run("go e; go e; tile water WLWW; end; end; go s");
    assert!(beginner.chances().iter().all(|(tile, _)| tile.contains("water")), "Beginner has one pile");
}

#[test]
fn c7_five_tiles_are_tried() {
    // (2, -1) needs land in the north and water in the west: no side of LLLL is water.
    let steps = "go s; go e; tile water WWWW; end; go e; go e; tile water WLWW; end; end; go s";
    let mut table = Table::new("regular", 2, &[]);
    table.run(steps);
    for _ in 0..4 {
        table.run("tile land LLLL");
        assert!(matches!(table.step(), Step::Explore(..)));
    }
    table.run("tile land LLLL");
    assert_eq!((table.step(), table.moves(), table.see().failed()), (Step::Move, 1, 1));
    assert_eq!(table.see().pile(Back::Land).discards_sum, 5);
    let mut two = Table::new("regular", 2, &[("tries", "2")]);
    two.run(steps).run("tile land LLLL; tile land LLLL");
    assert_eq!(two.step(), Step::Move);
}

#[test]
fn c7_discards_wait_until_the_pile_is_empty() {
    let steps = "go e; go e; tile water WLWW; end; end; go s; tile land WLWW; end";
    let left = |discards| {
        let mut table = Table::new("regular", 2, &[("tries", "1"), ("discards", discards)]);
        table.run(steps);
        let pile = *table.see().pile(Back::Land);
        (pile.left(), pile.discards_sum)
    };
    assert_eq!(left("until_empty"), (29, 1));
    assert_eq!(left("every_subturn"), (30, 0));
    // An empty pile takes its discards back.
    let two = [("tries", "1"), ("supply", "fixed"), ("water_tiles", "9"), ("land_tiles", "1")];
    let mut table = Table::new("regular", 2, &two);
    table.run(steps).run("end; go s");
    assert_eq!(table.chances().len(), 1);
    assert!((table.chance("tile land WLWW again") - 1.0).abs() < 1e-12);
}

#[test]
fn c8_agents_earn_by_trades_and_hand_over_all() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run("place; end; go e; go e; done; end");
    assert_eq!((table.chest(1, 0), table.player(0).agent[0].wealth), (2, 1));
    table.run("wait; collect");
    assert_eq!((table.chest(0, 0), table.player(0).agent[0].wealth), (3, 0));
    assert!(!table.allows("collect"), "there is nothing left");
    let mut more = Table::new("regular", 2, &[OPEN, ("trade", "7"), ("trade_bonus", "4")]);
    more.run(WONDER).run("place; end; go e; go e");
    assert_eq!((more.chest(1, 0), more.player(0).agent[0].wealth), (7, 4));
}

#[test]
fn c8_rest_at_anothers_agent_is_paid_to_it() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run("place; end; go e; go e; rest");
    assert_eq!((table.chest(1, 0), table.player(0).agent[0].wealth, table.moves()), (1, 2, 0));
    let mut expensive = Table::new("regular", 2, &[OPEN, ("price_rest", "2")]);
    expensive.run(WONDER).run("place; end; go e; go e; rest");
    assert_eq!((expensive.chest(1, 0), expensive.player(0).agent[0].wealth), (0, 3));
    let mut poor = Table::new("regular", 2, &[OPEN, ("price_rest", "3")]);
    let reason = poor.run(WONDER).run("place; end; go e; go e").refuses("rest");
    assert!(reason.starts_with("8.4: a rest costs 3, the Chest has 2"), "{reason}");
}

#[test]
fn c8_a_dispossessed_agent_neither_rests_nor_earns_nor_blocks() {
    let settings = [OPEN, ("mythical", "none"), ("price_hire", "2")];
    let mut table = Table::new("regular", 3, &settings);
    table.run(WONDER).run("place; go n; tile water WWWW; end");
    table.run("go e; go e; attack agent; won; go e; tile water WWWW; done; end; go e; go e");
    assert!(!table.allows("rest") && !table.allows("attack agent"));
    assert_eq!((table.chest(2, 0), table.step()), (2, Step::Move), "after the trade there is nothing to do");
    assert_eq!(table.player(0).agent[0].wealth, 0, "it earns nothing");
    table.run("end; end; end; go w; end; end; end; go w; bank 2; hire agent 2 0");
    assert_eq!(table.player(0).agents_placed, 0, "back in its owner's supply");
    assert_eq!(table.player(2).agents_placed, 1);
}

#[test]
fn c8_restoring_costs_wealth() {
    let mut table = Table::new("regular", 2, &[OPEN, ("price_restore", "2"), ("agent_loot", "3")]);
    table.run(WONDER).run("place; go n; tile water WWWW; end; go e; go e; attack agent; won; end; go s");
    assert_eq!(table.chest(1, 0), 6, "2 for the trade, 1 that the Agent earned by it, and 3");
    table.run("restore");
    assert_eq!(table.chest(0, 0), 0);
    let mut expensive = Table::new("regular", 2, &[OPEN, ("price_restore", "3")]);
    expensive.run(WONDER).run("place; go n; tile water WWWW; end; go e; go e; attack agent; won; end; go s");
    assert!(expensive.refuses("restore").starts_with("8.8"));
}

#[test]
fn c8_an_agent_wants_its_price_in_the_chest() {
    let mut table = Table::new("regular", 2, &[OPEN, ("price_place", "6")]);
    assert_eq!(table.run(WONDER).step(), Step::Move, "5 are not enough");
    let mut five = Table::new("regular", 2, &[OPEN, ("price_place", "5")]);
    five.run(WONDER).run("place");
    assert_eq!(five.chest(0, 0), 0);
    let mut none = Table::new("regular", 2, &[OPEN, ("agents", "0")]);
    assert_eq!(none.run(WONDER).step(), Step::Move);
}

#[test]
fn c8_domains_reach_four_tiles_and_five_in_advanced() {
    for (preset, radius) in [("regular", 4), ("advanced", 5)] {
        let mut table = Table::new(preset, 2, &[]);
        if preset == "advanced" {
            table.run("person guest; person escort");
        }
        table.run("go e; go e; tile water WWWW; go e; tile water WWWW; go e; tile water WWWW; end");
        table.run("go e; tile water WWWW; go e; tile water WWWW");
        let map = table.see().map();
        for x in 1..=6 {
            let cell = map.cell(map.find(x, 0).expect("a tile"));
            assert_eq!(cell.in_domain, x <= radius, "{preset}: {x}");
        }
    }
}

#[test]
fn c9_a_wonder_pays_once_between_cities() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run("done; wait");
    assert_eq!(table.step(), Step::Move, "the discovery was this journey's use");
    table.run("end; end; go w; end; end; go w; bank 0; end; go e; go e");
    assert_eq!(table.chest(0, 0), 7);
    table.run("wait");
    assert_eq!(table.step(), Step::Move);
}

#[test]
fn c9_discoveries_pay_what_the_parameters_say() {
    let mut sea = Table::new("regular", 2, &[OPEN, ("reward_water", "8")]);
    assert_eq!(sea.run(WONDER).chest(0, 0), 8);
    let mut land = Table::new("regular", 2, &[OPEN, ("reward_land", "13")]);
    land.run("go e; go e; tile water WLWW; end; end; go s; tile land WLWL*");
    assert_eq!(land.chest(0, 0), 13);
    let city = [("mythical", "in_land_pile"), ("domain", "1"), ("reward_city", "5")];
    let mut city = Table::new("regular", 2, &city);
    city.run("go e; go e; tile water WLWW; end; end; go s; tile land LLLL# again");
    assert_eq!((city.chest(0, 0), city.step()), (5, Step::Bank));
}

#[test]
fn c10_at_most_three_adventurers_for_ten_each() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run(BANK);
    assert!(table.refuses("hire adventurer").starts_with("10.3: an Adventurer costs 10"));
    let mut cheap = Table::new("regular", 2, &[OPEN, ("price_adventurer", "2"), ("adventurers", "2")]);
    cheap.run(WONDER).run(BANK).run("hire adventurer");
    assert_eq!((cheap.vault(0), cheap.player(0).adventurers), (3, 2));
    assert!(!cheap.allows("hire adventurer"));
}

#[test]
fn c10_the_margin_is_checked_before_purchases() {
    let settings = |first| [OPEN, ("margin", "4"), ("purchase_before_margin_check", first)];
    assert_eq!(Table::new("regular", 2, &settings("no")).run(WONDER).run(BANK).end(), "margin");
    let mut spent = Table::new("regular", 2, &settings("yes"));
    spent.run(WONDER).run(BANK).run("hire agent 2 0");
    assert_eq!((spent.vault(0), spent.owes()), (0, Seat::new(1)), "the lead was spent");
    let mut kept = Table::new("regular", 2, &settings("yes"));
    assert_eq!(kept.run(WONDER).run(BANK).run("done").end(), "margin", "the visit is over");
}

#[test]
fn c10_only_purchases_make_the_margin_wait() {
    // An arrest far from any city brings the lead; there is nothing to buy, so nothing to wait for.
    let arrest = "go e; end; go e; attack adventurer 0.0; lost; end; wait; attack adventurer 1.0; won";
    for first in ["no", "yes"] {
        let mut table = Table::new("regular", 2, &[("margin", "4"), ("purchase_before_margin_check", first)]);
        assert_eq!(table.run(arrest).end(), "margin", "{first}");
        // With too small a lead the turn goes on.
        let mut less = Table::new("regular", 2, &[("margin", "5"), ("purchase_before_margin_check", first)]);
        assert_eq!(less.run(arrest).owes(), Seat::new(0), "{first}");
    }
}

#[test]
fn c10_whoever_exhausts_a_pile_may_be_paid() {
    let one = [("supply", "fixed"), ("water_tiles", "1"), ("exhaustion_bonus", "7")];
    let mut table = Table::new("regular", 2, &one);
    table.run("go e; go e; tile water WWWW; end");
    assert_eq!(table.outcome().scores, [7, 0]);
}

/// The disaster at (3, 0) holds 5 wealth, and seat 0 turns pirate and goes there.
const COURTSHIP: &str = "done; go e; tile water WWWW!; go e; end; go e; attack adventurer 1.0; lost; go e; \
                         end; end; go e";

#[test]
fn c10_courting_takes_half_or_costs_all() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run(COURTSHIP).run("court");
    assert!((table.chance("won") - 26.0 / 36.0).abs() < 1e-12, "when the rolls match");
    table.run("won");
    assert_eq!((table.chest(0, 0), dropped_at(&table, 3, 0)), (3, 2));
    assert!(!table.allows("court"), "once per move");
    table.run("wait; court; lost");
    assert_eq!((table.chest(0, 0), dropped_at(&table, 3, 0)), (0, 5), "its own Chest stays there");
    assert_eq!((table.place(0, 0), table.is_pirate(0, 0)), ((0, 0), false));
    assert_eq!(table.owes(), Seat::new(1), "and the turn is over");
    let mut copied = Table::new("regular", 2, &[OPEN, ("courted_wealth", "copied")]);
    copied.run(WONDER).run(COURTSHIP).run("court; won");
    assert_eq!((copied.chest(0, 0), dropped_at(&copied, 3, 0)), (3, 5));
}

#[test]
fn c10_anyone_may_enter_a_disaster_if_the_switch_says_so() {
    let mut table = Table::new("regular", 2, &[("disaster_entry", "anyone")]);
    table.run("go e; go e; tile water WWWW!; go e; go e");
    assert_eq!((table.place(1, 0), table.owes()), ((0, 0), Seat::new(0)), "and is sent back");
}

/// The original of October 2020, in which a pirate that turns a disaster over may settle there.
#[test]
fn profile_a_pirate_that_does_not_court_a_new_disaster_is_asked_whether_it_places_an_agent() {
    let profile =
        meeple_cartolan::Cartolan::definition().info.profiles.iter().find(|known| known.name == "oct-2020");
    let table = || {
        let mut table = Table::with_start("regular", 2, profile.expect("there").set);
        table.run("start 0; go e; go e; tile water WLWW*; done; wait; wait");
        table.run("go e; go e; trade; attack adventurer 0.0; won; wait; wait; end");
        table.run("wait; done; wait; done; wait; done; wait; done; go s; tile land LLLL!");
        assert_eq!((table.place(1, 0), table.is_pirate(1, 0), table.chest(1, 0)), ((2, -1), true, 2));
        assert_eq!(table.legal(), ["court", "done"]);
        table
    };
    let mut placed = table();
    assert_eq!(placed.run("done").legal(), ["place", "done"]);
    placed.run("place");
    assert_eq!((placed.player(1).agents_placed, placed.chest(1, 0)), (1, 1));
    assert_eq!(placed.step(), Step::Move);
    assert_eq!(table().run("done; done").step(), Step::Move, "it may decline both");
    // Neither courting the disaster nor a later arrival there leads to the question.
    assert_eq!(table().run("court; won").step(), Step::Move);
    assert_eq!(table().run("done; done; wait").legal(), ["court", "done"]);
    assert_eq!(table().run("done; done; wait; done").step(), Step::Move);
    // In the game of the guide no Agent is placed on a disaster.
    let mut guide = Table::new("regular", 2, &[OPEN]);
    guide.run(WONDER).run("done; end; go e; go e; attack adventurer 0.0; won; go e; tile water WWWW!");
    assert!(guide.chest(1, 0) >= 3);
    assert_eq!(guide.legal(), ["court", "done"]);
    assert!(guide.refuses("place").starts_with("8.2: no Agents on Disaster tiles"));
}

#[test]
fn c11_an_arrest_takes_the_chest_and_sends_back() {
    let mut table = Table::new("regular", 2, &[OPEN, ("arrest_reward", "9")]);
    table.run(WONDER).run("done; end; go e; go e; attack adventurer 0.0; won; end");
    assert_eq!(table.chest(1, 0), 5, "2 for the trade and half of 5");
    table.run("wait; attack adventurer 1.0; won");
    assert_eq!((table.vault(0), table.chest(0, 0)), (9, 2), "the loot goes to the bank");
    assert_eq!((table.chest(1, 0), table.place(1, 0), table.is_pirate(1, 0)), (0, (0, 0), false));
    let mut win = Table::new("regular", 2, &[("margin", "4")]);
    win.run("go e; end; go e; attack adventurer 0.0; lost; end; wait; attack adventurer 1.0; won");
    assert_eq!(win.end(), "margin", "the win is checked at once");
}

#[test]
fn c11_a_city_lifts_the_flag() {
    let mut table = Table::new("regular", 2, &[]);
    table.run("go w; end; go w; attack adventurer 0.0; lost");
    assert!(table.is_pirate(1, 0));
    table.run("go e");
    assert!(!table.is_pirate(1, 0));
}

#[test]
fn c11_a_pirate_rests_at_own_agents_only() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run("place; end; go e; go e; attack adventurer 0.0; lost");
    assert!(table.refuses("rest").starts_with("11.5"));
    // A pirate may rest at its own Agent.
    let mut own = Table::new("regular", 2, &[OPEN]);
    own.run(WONDER).run("place; end; go e; go e; done; end; wait; attack adventurer 1.0; lost; rest");
    assert!(own.is_pirate(0, 0));
}

#[test]
fn c11_the_chance_of_a_conflict_follows_die_and_switch() {
    let chance = |settings: &[(&str, &str)]| {
        let mut table = Table::new("regular", 2, settings);
        table.run("go e; end; go e; attack adventurer 0.0").chance("won")
    };
    assert!((chance(&[]) - 10.0 / 36.0).abs() < 1e-12);
    assert!((chance(&[("die_faces", "4")]) - 6.0 / 16.0).abs() < 1e-12);
    let flat = [("conflict", "flat"), ("numbers_matter", "off"), ("conflict_chance", "0.4")];
    assert!((chance(&flat) - 0.4).abs() < 1e-12);
    let mut court = Table::new("regular", 2, &[OPEN, flat[0], flat[1], flat[2]]);
    court.run(WONDER).run(COURTSHIP).run("court");
    assert!((court.chance("won") - 0.4).abs() < 1e-12, "flat is flat for disasters, too");
    let mut gust = Table::new("regular", 2, &[("die_faces", "4")]);
    assert!((gust.run("go e; gust s").chance("gust") - 0.25).abs() < 1e-12);
}

#[test]
fn city_edges_are_land_or_water_to_tiles_beside() {
    // A city of the land pile fits where its neighbours have land, if its edges are land.
    let steps = "go e; go e; tile water WLWW; end; end; go s; tile land LLLL# again";
    let city = |edges| [("mythical", "in_land_pile"), ("city_edges", edges), ("tries", "1")];
    assert_eq!(Table::new("regular", 2, &city("land")).run(steps).ground(2, -1), Ground::City);
    assert_eq!(Table::new("regular", 2, &city("water")).run(steps).ground(2, -1), Ground::Empty);
}

#[test]
fn c5_acting_without_a_move_names_the_rule_that_forbids_it() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    let check = |table: &mut Table, action: &str, clause: &str| {
        let reason = table.refuses(action);
        assert!(reason.starts_with(clause), "{action}: expected {clause}, found '{reason}'");
    };
    for (action, clause) in [
        ("trade", "9.2"),
        ("rest", "8.1"),
        ("collect", "8.1"),
        ("restore", "8.1"),
        ("attack agent", "8.1"),
        ("attack adventurer 1.0", "11.2"),
        ("court", "10.6"),
        ("place", "8.2"),
        ("courier 0", "12.4"),
        ("bank 0", "10.1"),
        ("hire adventurer", "10.1"),
        ("hire agent 2 0", "10.1"),
    ] {
        check(&mut table, action, clause);
    }
    table.run(WONDER);
    check(&mut table, "trade", "9.2");
    table.run("done");
    // The tile's options must wait for a move or a wait.
    check(&mut table, "place", "5.3");
    table.run("end; go e; go e; done");
    check(&mut table, "attack adventurer 0.0", "5.3");
    check(&mut table, "attack adventurer 1.0", "11.1");
    assert!(table.run("wait").allows("attack adventurer 0.0"));
    let mut choice = Table::new("regular", 2, &[OPEN, ("trading", "decision")]);
    choice.run(WONDER).run("done; end; go e; go e; done");
    check(&mut choice, "trade", "5.3");
    assert!(choice.run("wait").allows("trade"));
}

#[test]
fn c7_discards_may_go_back_after_every_turn_and_the_log_says_so() {
    let reshuffled = |discards| {
        let mut table = Table::new("regular", 2, &[OPEN, ("tries", "1"), ("discards", discards)]);
        table.run("go e; go n; tile water WWLW; end; end; go s; go e; tile water WLWW*; done");
        table.run("go n; tile water WWWW");
        assert_eq!(table.see().pile(Back::Water).discards_sum, 1);
        table.run("end");
        let events = table.events().iter().filter(|(_, event)| {
            matches!(event, meeple_cartolan::Event::Reshuffled { tile_back: Back::Water })
        });
        (events.count(), table.see().pile(Back::Water).discards_sum)
    };
    assert_eq!(reshuffled("every_subturn"), (1, 0));
    assert_eq!(reshuffled("until_empty"), (0, 1));
}

#[test]
fn the_panel_says_what_lead_wins() {
    for (rule, text) in [("strict", "wins above 25"), ("inclusive", "wins from 25")] {
        let table = Table::new("regular", 2, &[("margin_rule", rule)]);
        assert!(table.picture().contains(text), "{rule}");
    }
}
