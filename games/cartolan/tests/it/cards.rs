//! One test per effect of a card, named after it, and what is drawn instead of wealth.

use meeple_cartolan::{Card, Effect, Step, Wind};

use crate::table::Table;

/// A table of two without domains, whose first Adventurer has the first card and the second the other.
fn table(first: &str, second: &str) -> Table {
    let mut table = Table::new("advanced", 2, &[("domain", "0")]);
    table.run(&format!("person {first}"));
    if first == "charts" {
        table.run("tile water WWWW");
    }
    table.run(&format!("person {second}"));
    table
}

/// Seat 0 discovers a wonder at (2, 0) and takes the wealth.
const WONDER: &str = "go e; go e; tile water WLWW*; wealth";

#[test]
fn settler_places_agents_on_tiles_that_lie_already_and_rests_at_once() {
    let mut settler = table("settler", "escort");
    settler.run(WONDER).run("done; wait; place");
    assert_eq!(settler.chest(0, 0), 0, "for the price at a city, from the Chest");
    assert!(settler.allows("rest"));
    let mut other = table("escort", "settler");
    other.run(WONDER).run("done; wait");
    assert_eq!(other.step(), Step::Move);
}

#[test]
fn cannons_double_the_chance_of_a_conflict() {
    let mut table = table("cannons", "keel");
    table.run("end; go e; end; go e; attack adventurer 1.0");
    assert!((table.chance("won") - 20.0 / 36.0).abs() < 1e-12);
    table.run("lost; end; wait; attack adventurer 0.0");
    assert!((table.chance("won") - 10.0 / 36.0).abs() < 1e-12, "for its owner only");
}

#[test]
fn courier_sends_wealth_to_own_agents() {
    let mut table = table("courier", "escort");
    table.run(WONDER).run("place");
    assert_eq!(table.legal(), ["courier 0", "done"]);
    table.run("courier 0");
    assert_eq!(table.legal(), ["send 1", "send 2"]);
    table.run("send 2");
    assert_eq!((table.player(0).agent[0].wealth, table.chest(0, 0)), (2, 0));
}

#[test]
fn grapnel_sends_the_beaten_home_and_removes_agents() {
    let mut ship = table("keel", "grapnel");
    ship.run(WONDER).run("done; end; go e; go e; attack adventurer 0.0; won");
    assert_eq!((ship.chest(1, 0), ship.chest(0, 0), ship.place(0, 0)), (3, 0, (0, 0)));
    let mut house = table("keel", "grapnel");
    house.run(WONDER).run("place; end; go e; go e; attack agent; won");
    assert_eq!(house.player(0).agents_placed, 0);
}

#[test]
fn escort_must_be_beaten_first() {
    let mut table = table("escort", "keel");
    table.run("go e; end; go e; attack adventurer 0.0; won");
    assert!(matches!(table.step(), Step::Conflict(_, 1, 1)), "one conflict more");
    table.run("lost");
    assert_eq!(table.chest(1, 0), 0);
}

#[test]
fn topsails_give_a_fifth_move() {
    let table = table("topsails", "keel");
    let limits = table.see().limits();
    assert_eq!((limits.moves, limits.land, limits.upwind), (5, 3, 2));
}

#[test]
fn keel_gives_a_land_and_an_upwind_move() {
    let table = table("keel", "topsails");
    let limits = table.see().limits();
    assert_eq!((limits.moves, limits.land, limits.upwind), (4, 4, 3));
}

#[test]
fn charts_are_tried_before_a_draw() {
    let mut table = table("charts", "keel");
    let left = table.see().pile(meeple_cartolan::Back::Water).left();
    assert_eq!(left, 59, "one tile is carried");
    table.run("go e; go e");
    assert_eq!(table.legal(), ["chart 0", "draw"]);
    table.run("chart 0");
    assert_eq!((table.place(0, 0), table.player(0).adventurer[0].charts), ((2, 0), 0));
    assert_eq!(table.see().pile(meeple_cartolan::Back::Water).left(), 59, "nothing was drawn");
    // A city brings the next, of the other colour.
    table.run("end; end; go w; go w; tile land LLLL");
    assert_eq!(table.player(0).adventurer[0].charts, 1);
}

#[test]
fn surveyor_earns_for_edges_that_meet() {
    let mut table = table("surveyor", "keel");
    // (1, 1) meets (0, 1) besides its entry.
    table.run("go e; go n; tile water WWWW");
    assert_eq!(table.chest(0, 0), 1);
}

#[test]
fn guest_rests_free_at_others_agents_once_a_turn() {
    let mut table = table("keel", "guest");
    table.run(WONDER).run("place; end; go e; go e");
    assert!(table.allows("rest"), "with an empty Chest");
    table.run("rest");
    assert_eq!((table.moves(), table.player(0).agent[0].wealth), (0, 0));
    assert!(table.see().turn().free_rest_used);
}

#[test]
fn a_technology_goes_to_the_hand_and_works_from_the_next_turn() {
    let mut table = table("guest", "escort");
    table.run("go e; go e; tile water WLWW*");
    assert_eq!(table.legal(), ["wealth", "card"]);
    table.run("card");
    assert!((table.chance("card keel") - 4.0 / 24.0).abs() < 1e-12);
    assert!((table.chance("card sickness") - 2.0 / 24.0).abs() < 1e-12);
    table.run("card keel");
    assert_eq!((table.chest(0, 0), table.see().hand_size(0)), (0, 1));
    assert_eq!(table.see().limits().upwind, 2, "not yet");
    table.run("end");
    assert_eq!(table.legal(), ["equip keel", "keep"]);
    table.run("equip keel; end");
    assert_eq!(table.see().limits().upwind, 3);
    assert_eq!(table.see().hand_size(0), 0);
}

#[test]
fn a_second_copy_is_for_another_adventurer() {
    let two = [("domain", "0"), ("start_adventurers", "2")];
    let mut table = Table::new("advanced", 2, &two);
    table.run("person guest; person escort; person surveyor; person settler");
    table.run("pick 0; go e; go e; tile water WLWW*; card; card keel; end; equip keel");
    table.run("go w; go w; tile water WWWW; go n; tile water LWWW*; card; card keel; end");
    assert_eq!(table.legal(), ["equip keel", "keep"], "the other card of the kind");
    table.run("equip keel; pick 0; end; end; pick 0; end");
    assert_eq!(table.legal(), ["go n", "go e", "go s", "go w", "wait", "end"], "nothing to equip");
}

#[test]
fn a_new_technology_replaces_the_old_one() {
    let mut table = table("guest", "escort");
    table.run("go e; go e; tile water WLWW*; card; card keel; end; equip keel; end");
    table.run("go e; tile water WLWW*; card; card topsails; end; equip topsails");
    assert_eq!(table.player(0).adventurer[0].gear, Some(Effect::Downwind));
    assert_eq!(table.see().hand(0).expect("all is seen")[Effect::Upwind.index()], 1, "back in the hand");
}

#[test]
fn sickness_dispossesses_agents_on_the_way_and_halves_all_vaults() {
    let mut table = table("guest", "escort");
    // 5 wealth home, then a second journey past an Agent.
    table.run(WONDER).run("done; end; end; go w; end; end; go w; bank 5; done; end");
    assert_eq!(table.vault(0), 5);
    table.run("go e; go e; trade; end; end; go e; tile water WLWW*; wealth; place; end; end");
    table.run("wait; rest; go e; tile water WLWW*; card; card sickness");
    assert_eq!(table.vault(0), 2, "rounded down");
    assert_eq!((table.chest(0, 0), table.place(0, 0)), (0, (0, 0)));
    assert!(table.player(0).agent[0].dispossessed, "the Adventurer was there");
    assert_eq!(table.owes().index(), 1, "the turn is over");
}

#[test]
fn a_season_turns_the_winds_around_the_cities() {
    let mut table = table("guest", "escort");
    table.run("go e; go e; tile water WLWW*; card; card season");
    let map = table.see().map();
    for (x, y) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
        let cell = map.cell(map.find(x, y).expect("a tile"));
        assert_eq!((cell.wind, cell.land), (Wind::SouthWest, 0));
    }
    let wonder = map.cell(map.find(2, 0).expect("a tile"));
    assert_eq!(wonder.wind, Wind::NorthEast, "no other wind turns");
}

#[test]
fn the_decks_have_the_cards_they_should() {
    let named: u32 = Effect::ALL.iter().map(|effect| u32::from(effect.named_copies())).sum();
    let deck: u32 = Card::all().map(|card| u32::from(card.copies())).sum();
    assert_eq!((named, deck), (14, 24));
}

#[test]
fn hands_are_hidden_from_others() {
    use meeple_core::{Audience, Viewer};
    let mut table = table("guest", "escort");
    table.run("go e; go e; tile water WLWW*; card; card keel; end; keep");
    let seat = |index| Viewer::Seat(meeple_core::Seat::new(index));
    assert!(table.see_as(seat(0)).hand(0).is_some());
    assert!(table.see_as(seat(1)).hand(0).is_none());
    assert_eq!(table.see_as(seat(1)).hand_size(0), 1);
    let drawn = table.events().iter().find(|(_, event)| event.to_string().contains("Deep Keel"));
    assert_eq!(drawn.map(|(audience, _)| *audience), Some(Audience::only(meeple_core::Seat::new(0))));
}
