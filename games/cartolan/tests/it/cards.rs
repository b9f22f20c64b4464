//! One test per card effect, named after the effect, and tests of cards drawn instead of wealth.

use meeple_cartolan::{Card, Effect, Step, Wind};

use crate::table::Table;

/// A table of two players without domains. Seat 0 gets the named card `first`, seat 1 the card `second`.
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
    settler.run("rest");
    assert_eq!(settler.moves(), 0, "and moves start again");
    let mut poor = table("settler", "escort");
    poor.run("go e; wait");
    assert_eq!(poor.step(), Step::Move, "without 5 in the Chest");
    let mut other = table("escort", "settler");
    other.run(WONDER).run("done; wait");
    assert_eq!(other.step(), Step::Move, "others place on new tiles only");
    // Only the settler rests at once where an Agent was just placed or restored.
    for (first, rests) in [("settler", true), ("keel", false)] {
        let mut placed = table(first, "escort");
        placed.run(WONDER).run("place");
        assert_eq!(placed.allows("rest"), rests, "{first} placed");
        placed.run(if rests { "done; end" } else { "end" });
        placed.run("go e; go e; attack agent; won; done; end; wait; restore");
        assert_eq!(placed.allows("rest"), rests, "{first} restored");
    }
}

#[test]
fn cannons_double_the_chance_of_a_conflict() {
    let mut table = table("cannons", "keel");
    table.run("end; go e; end; go e; attack adventurer 1.0");
    assert!((table.chance("won") - 20.0 / 36.0).abs() < 1e-12);
    table.run("lost; end; wait; attack adventurer 0.0");
    assert!((table.chance("won") - 10.0 / 36.0).abs() < 1e-12, "for its owner only");
    let mut agent = self::table("keel", "cannons");
    agent.run(WONDER).run("place; end; go e; go e; attack agent");
    assert!((agent.chance("won") - 20.0 / 36.0).abs() < 1e-12, "against Agents too");
    let mut disaster = self::table("cannons", "keel");
    disaster.run("go e; go e; tile water WWWW!; go e; end; go e; attack adventurer 1.0; lost; go e; court");
    assert!((disaster.chance("won") - 26.0 / 36.0).abs() < 1e-12, "a disaster is not impressed");
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
    assert!(!table.allows("attack adventurer 0.0"), "one loss ends it");
    let mut beaten = self::table("escort", "keel");
    beaten.run(WONDER).run("done; end; go e; go e; attack adventurer 0.0; won; won");
    assert_eq!((beaten.chest(1, 0), beaten.chest(0, 0)), (3, 2), "two wins are enough");
    let mut agent = self::table("escort", "keel");
    agent.run(WONDER).run("place; end; go e; go e; attack agent; won");
    assert!(agent.player(0).agent[0].dispossessed, "Agents have no escort");
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
    // An arrival in a city draws the next map tile, of the other colour.
    table.run("end; end; go w; go w; tile land LLLL");
    let carried = table.player(0).adventurer[0];
    assert_eq!((carried.charts, table.see().chart(&carried, 0).to_string()), (1, "land LLLL".to_owned()));
    // A carried tile that does not fit stays with the Adventurer, and a draw follows.
    table.run("end; go e; go n");
    table.run("chart 0");
    assert!(table.chance("tile water WWWW") > 0.0);
    table.run("tile water WWWW");
    assert_eq!((table.place(0, 0), table.player(0).adventurer[0].charts), ((1, 1), 1));
    // With two map cards the Adventurer carries two tiles, one of each colour.
    let mut two = self::table("charts", "keel");
    two.run("go e; go e; draw; tile water WLWW*; card; card charts; end; equip charts");
    let lands = two.chances().iter().all(|(tile, _)| tile.starts_with("tile land"));
    assert!(lands, "water was first, land is next");
    two.run("tile land LLLL; end");
    let hold = two.player(0).adventurer[0];
    let tiles = [0, 1].map(|which| two.see().chart(&hold, which).to_string());
    assert_eq!((hold.charts, tiles), (2, ["water WWWW".to_owned(), "land LLLL".to_owned()]));
}

#[test]
fn surveyor_earns_for_edges_that_meet() {
    let mut table = table("surveyor", "keel");
    // The tile at (1, 1) meets the tile at (0, 1), besides the tile from which it was entered.
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
    // A rest at a second Agent in the same turn costs the usual price.
    let mut second = self::table("keel", "guest");
    second
        .run(WONDER)
        .run("place; go e; tile water WLWW*; wealth; place; end; go e; go e; rest; trade; done");
    second.run("go e");
    assert_eq!(second.chest(1, 0), 2);
    second.run("rest");
    assert_eq!((second.chest(1, 0), second.player(0).agent[1].wealth), (1, 1));
    let mut poor = self::table("keel", "surveyor");
    poor.run(WONDER).run("place; end; go e; go e");
    assert!(!poor.allows("rest"), "without the card a rest costs 1");
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
    // Seat 0 banks 5 wealth, then passes an Agent on a second journey.
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
    table.run("end; go e; go e");
    assert_eq!((table.see().turn().upwind, table.see().turn().downwind), (1, 0), "what was downwind");
    // A season turns the winds around both cities, and the next season turns them back.
    let mut both = Table::new("advanced", 3, &[("domain", "0")]);
    both.run("person guest; person escort; person keel");
    both.run("go e; go e; tile water WLWW*; card; card season");
    let wind = |table: &Table, x, y| {
        let map = table.see().map();
        map.cell(map.find(x, y).expect("a tile")).wind
    };
    for (x, y) in [(9, 0), (10, 1), (11, 0), (10, -1)] {
        assert_eq!(wind(&both, x, y), Wind::NorthEast);
    }
    both.run("end; end; end; go e; tile water WLWW*; card; card season");
    assert_eq!((wind(&both, 1, 0), wind(&both, 10, 1)), (Wind::NorthEast, Wind::SouthWest));
}

#[test]
fn the_decks_have_the_cards_they_should() {
    let named: u32 = Effect::ALL.iter().map(|effect| u32::from(effect.cards().copies[0])).sum();
    let deck: u32 = Card::all().map(|card| u32::from(card.copies())).sum();
    assert_eq!((named, deck), (14, 24));
}

#[test]
fn a_technology_that_went_back_is_known_to_be_in_the_hand() {
    use meeple_core::{Seat, Stream, Viewer};
    let mut table = table("guest", "escort");
    table.run("go e; go e; tile water WLWW*; card; card keel; end; equip keel; end");
    table.run("go e; tile water WLWW*; card; card topsails; end; equip topsails");
    table.run("end; go e; tile water WLWW*; card; card escort");
    let other = Viewer::Seat(Seat::new(1));
    assert!(table.see_as(other).hand(0).is_none());
    assert_eq!(table.see_as(other).seen_hand(0)[Effect::Upwind.index()], 1);
    let mut rng = Stream::from_seed(5);
    let mut drawn = [0; 2];
    for _ in 0..200 {
        let hand = table.redrawn(other, &mut rng, 0);
        assert!(hand[Effect::Upwind.index()] >= 1, "all have seen it");
        assert_eq!(hand.iter().sum::<u8>(), 2);
        drawn[usize::from(hand[Effect::Defence.index()] == 1)] += 1;
    }
    assert!(drawn[0] > 100 && drawn[1] > 0, "the other card may be any: {drawn:?}");
    // Once equipped again, a Technology is no longer in the public part of the hand.
    table.run("end; equip keel");
    assert_eq!(table.see_as(other).seen_hand(0)[Effect::Upwind.index()], 0);
    assert_eq!(table.see_as(other).seen_hand(0)[Effect::Downwind.index()], 1);
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
