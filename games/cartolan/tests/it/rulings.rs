//! One test per ruling, R1 to R35.

use meeple_cartolan::{Back, Ground, Step, Wind};
use meeple_core::{Defined as _, Seat};

use crate::table::{Table, variant};

/// Without domains everything may be placed next to the Capital.
pub const OPEN: (&str, &str) = ("domain", "0");

/// Seat 0 discovers a wonder east of the first sea tile and stands on it with 5 wealth.
pub const WONDER: &str = "go e; go e; tile water WLWW*";

#[test]
fn r1_wonders_and_disasters_come_on_top_of_plain_tiles() {
    let left = |preset, settings: &[(&str, &str)]| {
        let table = Table::new(preset, 4, settings);
        let see = table.see();
        (see.pile(Back::Water).left(), see.pile(Back::Land).left())
    };
    assert_eq!(left("regular", &[]), (73, 49));
    assert_eq!(left("beginner", &[]), (72, 0));
    assert_eq!(left("regular", &[("catalogue", "csv")]), (60, 40));
    assert_eq!(left("beginner", &[("catalogue", "csv")]), (60, 0));
}

#[test]
fn r2_supplies_are_capped_at_the_deck() {
    for (seats, water, land) in [(2, 60, 30), (3, 73, 45), (4, 73, 49)] {
        let table = Table::new("regular", seats, &[]);
        assert_eq!(table.see().pile(Back::Water).left(), water, "{seats} players");
        assert_eq!(table.see().pile(Back::Land).left(), land, "{seats} players");
    }
    // Nobody knows which 60 of the 73 tiles were dealt to two players.
    let mut two = Table::new("regular", 2, &[]);
    two.run("go e; go e");
    assert!((two.chance("tile water WWWW") - 15.0 / 73.0).abs() < 1e-12);
}

#[test]
fn r2_the_cap_is_in_the_log() {
    let log = |preset, seats, settings: &[(&str, &str)]| -> Vec<String> {
        let mut table = Table::with_start(preset, seats, settings);
        table.run("start 0");
        let capped = table.events().iter().filter(|(audience, event)| {
            *audience == meeple_core::Audience::All && matches!(event, meeple_cartolan::Event::Capped { .. })
        });
        capped.map(|(_, event)| event.to_string()).collect()
    };
    assert_eq!(log("regular", 2, &[]), [""; 0]);
    let water =
        |dealt, wanted| format!("{dealt} water-backed tiles are dealt, not {wanted}: there are no more");
    assert_eq!(log("regular", 3, &[]), [water(73, 90)]);
    let land = "49 land-backed tiles are dealt, not 60: there are no more".to_owned();
    assert_eq!(log("regular", 4, &[]), [water(73, 120), land]);
    assert_eq!(log("beginner", 4, &[]), [water(72, 120)]);
    assert_eq!(log("regular", 4, &[("supply", "fixed")]), [""; 0]);
    assert_eq!(log("regular", 3, &[("start", "first_seat")]), [water(73, 90)]);
}

#[test]
fn the_log_begins_with_the_set_up_whoever_begins() {
    for start in ["gust_roll", "uniform", "first_seat"] {
        let mut table = Table::with_start("beginner", 4, &[("start", start)]);
        assert!(table.events().is_empty(), "{start}: nothing has happened");
        table.run("start 0");
        let log: Vec<String> = table.events().iter().map(|(_, event)| event.to_string()).collect();
        assert_eq!(log.len(), 3, "{start}: {log:?}");
        let all: Vec<_> = table.events().iter().map(|(_, event)| event).collect();
        assert!(
            matches!(
                all[..],
                [
                    meeple_cartolan::Event::Began { seat: 0 },
                    meeple_cartolan::Event::Capped { wanted: 120, dealt: 72, .. },
                    meeple_cartolan::Event::Round { round: 1 }
                ]
            ),
            "{start}: {log:?}"
        );
    }
    // The profile has exactly the tiles that it requests, so its log reports no cap.
    let profile =
        meeple_cartolan::Cartolan::definition().info.profiles.iter().find(|known| known.name == "oct-2020");
    let mut table = Table::with_start("regular", 3, profile.expect("there").set);
    table.run("start 0");
    assert_eq!(table.events().len(), 2);
}

#[test]
fn r3_the_mythical_city_lies_ten_east_from_three_players_on() {
    assert_eq!(Table::new("regular", 2, &[]).ground(10, 0), Ground::Empty);
    assert_eq!(Table::new("regular", 3, &[("mythical", "none")]).ground(10, 0), Ground::Empty);
    assert_eq!(Table::new("beginner", 4, &[]).ground(10, 0), Ground::Empty);
    let table = Table::new("regular", 3, &[]);
    assert_eq!(table.ground(10, 0), Ground::City);
    let map = table.see().map();
    for (x, y) in [(9, 0), (11, 0), (10, 1), (10, -1)] {
        let cell = map.cell(map.find(x, y).expect("a tile"));
        assert_eq!((cell.wind, cell.land), (Wind::SouthWest, 0), "({x}, {y})");
    }
}

#[test]
fn r3_the_mythical_city_may_come_from_the_land_pile() {
    let mut table = Table::new("regular", 2, &[("mythical", "in_land_pile"), ("domain", "1")]);
    assert_eq!(table.see().pile(Back::Land).left(), 31, "30 tiles and the city");
    table.run("go e; go e; tile water WLWW; end; end; go s; tile land LLLL# again");
    assert_eq!(table.ground(2, -1), Ground::City);
    assert_eq!(table.owes(), Seat::new(1), "arriving in a city ends the turn");
    let map = table.see().map();
    assert!(map.cell(map.find(2, 0).expect("a tile")).in_domain, "it has a domain too");
}

#[test]
fn r4_the_first_player_rolls_a_gust_first_or_is_anybody() {
    let table = Table::with_start("regular", 3, &[]);
    let sixth = 1.0 / 6.0f64;
    let all = 1.0 - (5.0 * sixth).powi(3);
    for seat in 0..3 {
        let expected = sixth * (5.0 * sixth).powi(seat) / all;
        assert!((table.chance(&format!("start {seat}")) - expected).abs() < 1e-12);
    }
    let uniform = Table::with_start("regular", 4, &[("start", "uniform")]);
    assert!((uniform.chance("start 3") - 0.25).abs() < 1e-12);
    let mut third = Table::with_start("regular", 3, &[]);
    assert_eq!(third.run("start 2").owes(), Seat::new(2));
    let first = Table::with_start("regular", 3, &[("start", "first_seat")]);
    assert_eq!(first.chances(), [("start 0".to_owned(), 1.0)]);
}

#[test]
fn r5_wonders_pay_five_at_sea_and_ten_inland() {
    assert_eq!(Table::new("regular", 2, &[OPEN]).run(WONDER).chest(0, 0), 5);
    let mut inland = Table::new("regular", 2, &[OPEN]);
    inland.run("go e; go e; tile water WLWW; end; end; go s; tile land WLWL*");
    assert_eq!(inland.chest(0, 0), 10);
    // Inside a domain a discovery is a trade.
    assert_eq!(Table::new("regular", 2, &[]).run(WONDER).chest(0, 0), 2);
}

/// Seat 0 brings the 5 wealth of the wonder home, seat 1 idle.
pub const BANK: &str = "done; end; end; go w; end; end; go w; bank 5";

#[test]
fn r6_a_hired_adventurer_moves_in_the_same_turn() {
    let mut table = Table::new("regular", 2, &[OPEN, ("price_adventurer", "5")]);
    table.run(WONDER).run(BANK).run("hire adventurer");
    assert_eq!(table.owes(), Seat::new(0), "the new Adventurer is not done yet");
    assert_eq!(table.see().turn().adventurer, 1);
    let mut later =
        Table::new("regular", 2, &[OPEN, ("price_adventurer", "5"), ("hire_moves", "next_round")]);
    later.run(WONDER).run(BANK).run("hire adventurer");
    assert_eq!(later.owes(), Seat::new(1));
    assert!(later.run("end").allows("pick 1"), "in the next round it moves");
}

#[test]
fn r7_an_agent_rests_an_adventurer_once_a_turn() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run("place; end; end; wait; rest");
    assert_eq!(table.moves(), 0, "moves start again");
    table.run("wait");
    assert_eq!((table.step(), table.moves()), (Step::Move, 1), "no second rest");
    assert!(table.run("end; end; wait").allows("rest"), "the next turn brings another");
}

#[test]
fn r8_an_agent_just_placed_rests_from_the_next_move_on() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run("place");
    assert_eq!((table.step(), table.moves()), (Step::Move, 2), "no rest at once");
    table.run("wait");
    assert!(table.allows("rest"));
    let mut next_turn = Table::new("regular", 2, &[OPEN, ("placed_agent_rest", "next_turn")]);
    next_turn.run(WONDER).run("place; wait");
    assert_eq!(next_turn.step(), Step::Move);
    assert!(next_turn.run("end; end; wait").allows("rest"));
}

#[test]
fn r9_a_gust_attempt_spends_a_move() {
    let mut table = Table::new("regular", 2, &[]);
    table.run("go e");
    assert!(!table.allows("go s") && table.allows("gust s") && !table.allows("gust e"));
    let reason = table.refuses("go s");
    assert!(reason.starts_with("6.2: south is an upwind move;"), "{reason}");
    assert!(reason.ends_with("; gust s may be tried"), "{reason}");
    table.run("gust s");
    assert!((table.chance("gust") - 1.0 / 6.0).abs() < 1e-12);
    table.run("calm");
    assert_eq!((table.place(0, 0), table.moves()), ((1, 0), 2));
    table.run("gust s; gust; tile water WWWW");
    assert_eq!((table.place(0, 0), table.moves()), ((1, -1), 3));
    let mut off = Table::new("regular", 2, &[("gust", "off")]);
    assert!(off.run("go e").refuses("gust s").starts_with("6.4"));
    assert!(!off.refuses("go s").contains("gust"), "none is on offer");
}

#[test]
fn r10_a_failed_exploration_spends_the_move_and_allows_nothing() {
    let mut table = Table::new("regular", 2, &[OPEN, ("tries", "1")]);
    table.run("go e; go n; tile water WWLW; end; end; go s; go e; tile water WLWW*; done");
    // (2, 1) needs water to the south and land to the west.
    table.run("go n; tile water WWWW");
    assert_eq!((table.step(), table.place(0, 0), table.moves()), (Step::Move, (2, 0), 3));
    assert_eq!(table.see().failed(), 1);
    assert_eq!(table.see().pile(Back::Water).discards_sum, 1);
    // An own Agent on the tile gives no rest right after the failed exploration, but does after a wait.
    let mut table = Table::new("regular", 2, &[OPEN, ("tries", "1")]);
    table.run("go e; go n; tile water WWLW; end; end; go s; go e; tile water WLWW*; place; end; end");
    table.run("go n; tile water WWWW");
    assert_eq!((table.step(), table.place(0, 0), table.moves()), (Step::Move, (2, 0), 1));
    assert!(table.refuses("rest").starts_with("5.3"));
    assert!(table.run("wait").allows("rest"));
}

#[test]
fn r11_there_are_no_attacks_in_cities() {
    let mut table = Table::new("regular", 2, &[]);
    assert_eq!(table.run("wait").owes(), Seat::new(1));
    let mut rough = Table::new("regular", 2, &[("city_attacks", "on")]);
    assert!(rough.run("wait").allows("attack adventurer 1.0"));
}

#[test]
fn r12_a_moved_agent_keeps_its_wealth() {
    let mut table = Table::new("regular", 2, &[OPEN, ("agents", "1"), ("price_place", "1")]);
    table.run(WONDER).run("place; end; go e; go e; done; end; go n; tile water WWWW; place");
    assert_eq!(table.legal(), ["relocate 0"]);
    table.run("relocate 0");
    let agent = table.player(0).agent[0];
    let map = table.see().map();
    assert_eq!((map.cell(agent.cell).x, map.cell(agent.cell).y, agent.wealth), (2, 1, 1));
    assert_eq!(table.chest(0, 0), 3, "paid twice");
}

#[test]
fn r13_the_lead_must_exceed_the_margin() {
    let mut table = Table::new("regular", 2, &[OPEN, ("margin", "5")]);
    assert_eq!(table.run(WONDER).run(BANK).step(), Step::Buy);
    let mut four = Table::new("regular", 2, &[OPEN, ("margin", "4")]);
    assert_eq!(four.run(WONDER).run(BANK).end(), "margin");
    let mut inclusive = Table::new("regular", 2, &[OPEN, ("margin", "5"), ("margin_rule", "inclusive")]);
    assert_eq!(inclusive.run(WONDER).run(BANK).outcome().places, [1, 2]);
}

#[test]
fn r14_equals_share_the_win() {
    let mut table = Table::new("regular", 2, &[("rounds", "1")]);
    assert_eq!(table.run("wait; wait").outcome().places, [1, 1]);
    assert_eq!(table.end(), "round cap");
    let mut first = Table::new("regular", 2, &[("rounds", "1"), ("tie", "first_seat")]);
    assert_eq!(first.run("wait; wait").outcome().places, [1, 2]);
    // Both seats bring home 5 wealth, then the water tiles run out.
    let even = "go e; go e; tile water WLWW*; done; end; go n; go n; tile water LWWW*; done; end; \
                go w; end; go s; end; go w; bank 5; done; go s; bank 5; done; go e; go n; tile water WWWW; end";
    let three = [OPEN, ("supply", "fixed"), ("water_tiles", "3"), ("tie", "shared")];
    let mut table = Table::new("regular", 2, &three);
    table.run(even);
    assert_eq!((table.end(), table.outcome().scores), ("water exhausted", vec![5, 5]));
    assert_eq!(table.outcome().places, [1, 1]);
    assert_eq!((table.figure("lead"), table.figure("winner_vault_share")), (0.0, 0.5));
    assert_eq!(table.figure("winner_distance_share"), 0.5, "of both winners");
    let mut first = Table::new("regular", 2, &[three[0], three[1], three[2], ("tie", "first_seat")]);
    assert_eq!(first.run(even).outcome().places, [1, 2]);
}

#[test]
fn with_all_vaults_empty_the_fullest_chest_wins() {
    let mut table = Table::new("regular", 2, &[("rounds", "1"), OPEN]);
    table.run("wait; go e; go e; tile water WLWW*; done; end");
    assert_eq!(table.outcome().places, [2, 1]);
    assert_eq!(table.figure("winner_distance_share"), 1.0, "the figures know who won");
}

#[test]
fn r15_a_disaster_has_the_edges_of_its_back() {
    let mut table = Table::new("regular", 2, &[]);
    table.run("go e; go e; tile water WWWW!");
    assert_eq!(table.ground(2, 0), Ground::Disaster);
    let mut land = Table::new("regular", 2, &[("disaster_edges", "all_land"), ("tries", "1")]);
    land.run("go e; go e; tile water LLLL!");
    assert_eq!(land.ground(2, 0), Ground::Empty);
    let mut inland = Table::new("regular", 2, &[]);
    inland.run("go e; go e; tile water WLWW; end; end; go s; tile land LLLL!");
    assert_eq!(inland.ground(2, -1), Ground::Disaster);
}

#[test]
fn r15_a_disaster_is_left_over_land() {
    let mut table = Table::new("regular", 2, &[]);
    table.run(PIRATE_BY_A_DISASTER).run("go e; done");
    assert_eq!((table.step(), table.see().turn().land), (Step::Move, 2));
    let reason = table.refuses("go e");
    assert!(reason.starts_with("6.2: east is a land move"), "{reason}");
    table.run("end; end; go e");
    assert_eq!(table.see().turn().land, 1);
    let chances = table.chances();
    assert!(!chances.is_empty());
    assert!(chances.iter().all(|(tile, _)| tile.starts_with("tile land ")), "{chances:?}");
}

#[test]
fn r16_a_disaster_keeps_the_chest_and_sends_back_to_the_last_city() {
    let way = "go e; go e; tile water WWWW; go e; end; end; end; go e; end; end; \
               go n; go w; tile water WWWW!";
    let near = [("mythical_distance", "4"), OPEN];
    let mut table = Table::new("regular", 3, &near);
    table.run(way);
    assert_eq!(table.place(0, 0), (4, 0), "back where it was last");
    assert_eq!(table.owes(), Seat::new(1), "the turn is over");
    let mut capital = Table::new("regular", 3, &[near[0], near[1], ("disaster_return", "capital")]);
    assert_eq!(capital.run(way).place(0, 0), (0, 0));
    let mut wealth = Table::new("regular", 2, &[OPEN]);
    wealth.run(WONDER).run("done; go e; tile water WWWW!");
    let map = wealth.see().map();
    assert_eq!(map.cell(map.find(3, 0).expect("a tile")).dropped, 5);
    assert_eq!(wealth.chest(0, 0), 0);
}

/// A disaster at (2, 0); then seat 0 turns pirate at (1, 0), where seat 1 is.
pub const PIRATE_BY_A_DISASTER: &str =
    "go e; go e; tile water WWWW!; go e; end; go e; attack adventurer 1.0; lost";

#[test]
fn r17_only_pirates_enter_a_known_disaster() {
    let mut table = Table::new("regular", 2, &[]);
    table.run("go e; go e; tile water WWWW!; go e");
    assert!(table.refuses("go e").starts_with("6.5"));
    let mut pirate = Table::new("regular", 2, &[]);
    pirate.run(PIRATE_BY_A_DISASTER).run("go e");
    assert_eq!(pirate.place(0, 0), (2, 0));
    assert_eq!(pirate.see().turn().land, 2, "a pirate enters it over land");
    assert!(pirate.allows("court"));
}

#[test]
fn r18_an_arrest_pays_five_into_the_vault() {
    let fight = "go e; end; go e; attack adventurer 0.0; lost; end; wait; attack adventurer 1.0; won";
    let mut table = Table::new("regular", 2, &[]);
    table.run(fight);
    assert_eq!((table.vault(0), table.chest(0, 0)), (5, 0));
    assert_eq!((table.place(1, 0), table.is_pirate(1, 0)), ((0, 0), false));
    let mut chest = Table::new("regular", 2, &[("arrest_to", "chest")]);
    chest.run(fight);
    assert_eq!((chest.vault(0), chest.chest(0, 0)), (0, 5));
}

#[test]
fn r19_an_attack_makes_a_pirate_won_or_lost() {
    for result in ["won", "lost"] {
        let mut table = Table::new("regular", 2, &[]);
        table.run("go e; end; go e; attack adventurer 0.0").run(result);
        assert!(table.is_pirate(1, 0), "{result}");
    }
    let mut arrest = Table::new("regular", 2, &[]);
    arrest.run("go e; end; go e; attack adventurer 0.0; lost; end; wait; attack adventurer 1.0; lost");
    assert!(!arrest.is_pirate(0, 0), "trying to arrest a pirate makes none");
}

#[test]
fn r20_the_poor_may_be_attacked() {
    let mut table = Table::new("regular", 2, &[]);
    assert!(table.run("go e; end; go e").allows("attack adventurer 0.0"));
    let mut spared = Table::new("regular", 2, &[("attack_poor", "off")]);
    assert_eq!(spared.run("go e; end; go e").step(), Step::Move);
}

/// Both seats have two Adventurers. Seat 0 leaves an Agent at (2, 0), and both Adventurers of seat 1 go
/// there.
const SIEGE: &str = "pick 0; go e; go e; tile water WLWW*; place; go n; tile water WWWW; end; end; \
                     pick 0; go e; go e";

#[test]
fn r21_an_agent_alone_counts_as_one_defender() {
    let two = [OPEN, ("start_adventurers", "2")];
    let mut lone = Table::new("regular", 2, &two);
    lone.run(SIEGE).run("attack agent; lost");
    assert!(!lone.allows("attack agent"), "one try for one against one");
    assert!(matches!(lone.step(), Step::Act | Step::Move));
    let mut pair = Table::new("regular", 2, &two);
    pair.run(SIEGE).run("done; end; go e; go e; attack agent; lost");
    assert!(matches!(pair.step(), Step::Conflict(_, 1, 1)), "two against one have a second try");
    pair.run("won");
    assert!(pair.player(0).agent[0].dispossessed);
}

#[test]
fn r21_defenders_beside_an_agent_count_instead_of_it() {
    let two = [OPEN, ("start_adventurers", "2")];
    let placed = "pick 0; go e; go e; tile water WLWW*; place; end";
    // With one Adventurer beside the Agent, the conflict is still one against one.
    let mut one = Table::new("regular", 2, &two);
    one.run(placed).run("end; pick 0; go e; go e; attack agent");
    assert!(matches!(one.step(), Step::Conflict(_, 1, 1)), "{:?}", one.step());
    // With two Adventurers beside the Agent, one attacker must win twice in a row, and two attackers once.
    let both = "go e; go e; done; end; pick 0; go e; go e";
    let mut table = Table::new("regular", 2, &two);
    table.run(placed).run(both).run("attack agent");
    assert!(matches!(table.step(), Step::Conflict(_, 2, 1)), "{:?}", table.step());
    table.run("won");
    assert!(matches!(table.step(), Step::Conflict(_, 1, 1)), "{:?}", table.step());
    assert!(!table.player(0).agent[0].dispossessed);
    assert!(table.run("won").player(0).agent[0].dispossessed);
    let mut even = Table::new("regular", 2, &two);
    even.run(placed).run(both).run("done; end; go e; go e; attack agent");
    assert!(matches!(even.step(), Step::Conflict(_, 1, 1)), "{:?}", even.step());
}

#[test]
fn numbers_make_an_attack_easier_or_harder() {
    let two = [OPEN, ("start_adventurers", "2")];
    // One attacker against two defenders must win twice in a row.
    let mut table = Table::new("regular", 2, &two);
    table.run("pick 0; go e; end; go e; end; pick 0; go e; attack adventurer 0.0; won");
    assert!(matches!(table.step(), Step::Conflict(_, 1, 1)));
    table.run("lost");
    assert!(!table.allows("attack adventurer 0.0"), "a loss ends it");
    let mut off = Table::new("regular", 2, &[OPEN, ("start_adventurers", "2"), ("numbers_matter", "off")]);
    off.run("pick 0; go e; end; go e; end; pick 0; go e; attack adventurer 0.0; won");
    assert_eq!(off.step(), Step::Act, "one win is enough");
}

#[test]
fn r22_only_the_owner_restores() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run("place; go n; tile water WWWW; end; go e; go e; attack agent; won");
    assert_eq!(table.chest(1, 0), 4, "2 for the trade, what the Agent earned by it, and 1 more");
    assert!(!table.allows("restore"));
    table.run("end; go s");
    assert!(table.allows("restore"));
    table.run("restore");
    assert_eq!(table.chest(0, 0), 1);
    assert!(!table.player(0).agent[0].dispossessed);
    assert!(!table.allows("rest"), "it cannot rest that Adventurer in this turn");
}

#[test]
fn r23_beginners_cannot_attack() {
    let mut table = Table::new("beginner", 2, &[]);
    assert_eq!(table.run("go e; end; go e").step(), Step::Move);
}

#[test]
fn r24_no_agents_in_a_domain() {
    let mut table = Table::new("regular", 2, &[("domain", "1")]);
    table.run(WONDER).run(BANK);
    assert!(table.allows("hire agent 2 0"));
    assert!(table.refuses("hire agent 1 0").contains("within 1 of a city"));
    assert!(table.refuses("hire agent 0 0").starts_with("8.3"));
    assert!(table.refuses("hire agent 3 0").contains("no tile"));
    // Inside a domain no Agent is placed while exploring either.
    let mut inside = Table::new("regular", 2, &[]);
    assert_eq!(inside.run(WONDER).step(), Step::Move);
}

#[test]
fn r25_an_agent_is_cheaper_where_an_own_adventurer_stands() {
    let mut table = Table::new("regular", 2, &[("domain", "1"), ("start_adventurers", "2")]);
    table.run("pick 0; go e; go e; tile water WLWW*; done; end; go e; go e; end; pick 0; end; end");
    table.run("pick 0; go w; end; end; pick 0; end; end; pick 0; go w; bank 5; hire agent 2 0");
    assert_eq!(table.vault(0), 2);
    let mut alone = Table::new("regular", 2, &[("domain", "1")]);
    alone.run(WONDER).run(BANK).run("hire agent 2 0");
    assert_eq!(alone.vault(0), 0);
}

#[test]
fn r26_named_cards_come_by_chance_or_by_choice() {
    let table = Table::new("advanced", 2, &[]);
    let chances = table.chances();
    assert_eq!(chances.len(), 10);
    assert!((table.chance("person keel") - 2.0 / 14.0).abs() < 1e-12);
    let mut choice = Table::new("advanced", 2, &[("card_draw", "choose_of_two")]);
    choice.run("person keel; person escort");
    assert_eq!(choice.legal(), ["name escort", "name keel"]);
    choice.run("name escort");
    assert!((choice.chance("person keel") - 2.0 / 13.0).abs() < 1e-12, "the other went back");
}

#[test]
fn r27_the_game_ends_when_a_colour_runs_out() {
    let one = [("supply", "fixed"), ("water_tiles", "1")];
    let mut at_the_end = Table::new("regular", 2, &one);
    at_the_end.run("go e; go e; tile water WWWW; end");
    assert_eq!(at_the_end.end(), "water exhausted");
    let mut at_the_draw = Table::new("regular", 2, &one);
    at_the_draw.run("go e; go e; tile water WWWW; go e");
    assert_eq!(at_the_draw.end(), "water exhausted");
    let mut inland =
        Table::new("regular", 2, &[("supply", "fixed"), ("land_tiles", "1"), ("water_tiles", "9")]);
    inland.run("go e; go e; tile water WLWW; end; end; go s; tile land WLWL; end");
    assert_eq!(inland.end(), "land exhausted");
}

#[test]
fn r28_the_taker_rounds_up() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run("done; end; go e; go e; attack adventurer 0.0; won");
    assert_eq!((table.chest(1, 0), table.chest(0, 0)), (2 + 3, 2));
}

#[test]
fn r29_an_empty_chest_helps_in_the_advanced_game_only() {
    let limits = |table: &Table| {
        let limits = table.see().limits();
        (limits.land, limits.upwind)
    };
    assert_eq!(limits(&Table::new("regular", 2, &[])), (2, 1));
    let mut advanced = Table::new("advanced", 2, &[OPEN]);
    advanced.run("person guest; person escort");
    assert_eq!(limits(&advanced), (3, 2));
    advanced.run(WONDER).run("wealth; done");
    assert_eq!(limits(&advanced), (2, 1), "burdened now");
}

#[test]
fn r30_waiting_is_a_move() {
    let mut table = Table::new("regular", 2, &[]);
    table.run("go e; wait; wait");
    assert_eq!(table.moves(), 3);
    assert_eq!(table.run("wait").owes(), Seat::new(1), "the fourth move ends the turn");
}

#[test]
fn r31_pirates_place_agents_but_do_not_trade() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run("go e; end; go e; attack adventurer 0.0; lost; go e; tile water WLWW*");
    assert!(table.is_pirate(1, 0) && table.allows("place"));
    assert_eq!(table.chest(1, 0), 5, "a discovery is no trade");
    table.run("place");
    assert_eq!((table.chest(1, 0), table.player(1).agents_placed), (2, 1));
    // Seat 1 comes to a wonder that seat 0 discovered.
    let mut table = Table::new("regular", 2, &[OPEN, ("trading", "decision")]);
    table.run(WONDER).run("done; end; go e; go e");
    assert!(table.allows("trade"), "before the attack");
    table.run("attack adventurer 0.0; lost");
    assert!(!table.allows("trade"));
    assert!(table.refuses("trade").starts_with("9.3"));
    // A pirate makes no automatic trade either: seat 1 turns pirate before it comes to the wonder.
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run("go n; end; go n; attack adventurer 0.0; lost; end; go n; tile water LWWW*; done; end; go n");
    assert_eq!((table.place(1, 0), table.chest(1, 0)), ((0, 2), 0));
    assert!(table.refuses("trade").starts_with("9.3"));
}

#[test]
fn r32_filling_gaps_pays_only_if_the_parameters_say_so() {
    let way = "go e; go n; tile water WWWW";
    assert_eq!(Table::new("regular", 2, &[]).run(way).chest(0, 0), 0);
    // The tile at (1, 1) meets the tile at (0, 1), besides the tile from which it was entered.
    assert_eq!(Table::new("regular", 2, &[("gap_water", "2")]).run(way).chest(0, 0), 2);
    assert_eq!(Table::new("regular", 2, &[("gap_land", "2"), ("gap_closed", "7")]).run(way).chest(0, 0), 0);
}

#[test]
fn r33_any_part_of_the_chest_is_banked_and_never_comes_back() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(WONDER).run("done; end; end; go w; end; end; go w");
    assert_eq!(table.legal().len(), 6, "0 to 5");
    assert!(table.refuses("bank 6").starts_with("10.1"));
    table.run("bank 2");
    assert_eq!((table.vault(0), table.chest(0, 0)), (2, 3));
}

#[test]
fn r34_a_settler_places_where_an_opponent_stands_but_nobody_hires_there() {
    let mut table = Table::new("advanced", 2, &[OPEN]);
    table.run("person settler; person escort").run(WONDER);
    table.run("wealth; done; end; go e; go e; done; end; wait");
    assert!(table.allows("attack adventurer 1.0") && table.allows("place"));
    table.run("place");
    assert_eq!((table.chest(0, 0), table.player(0).agents_placed), (0, 1));
    let mut city = Table::new("regular", 2, &[OPEN]);
    city.run(WONDER).run("done; end; go e; go e; done; end; go w; end; end; go w; bank 5");
    assert!(!city.allows("hire agent 2 0") && city.allows("hire agent 1 0"));
    assert!(city.refuses("hire agent 2 0").contains("without another player's Adventurer"));
}

#[test]
fn r35_a_try_for_a_gust_bars_land_moves_in_budgetted_movement() {
    let settings = [("movement", "budgetted"), ("upwind_moves", "0"), ("unburdened_upwind_moves", "0")];
    let mut table = Table::new("regular", 2, &settings);
    table.run("go e; go e; tile water WLWW; end; end");
    assert!(table.allows("go s") && table.allows("gust w"));
    table.run("gust w; calm");
    assert!(!table.allows("go s"), "a land move");
    assert!(table.refuses("go s").starts_with("6.2: south is a land move"));
    assert!(table.allows("gust w") && table.allows("go e"));
}

#[test]
fn budgetted_movement_is_a_choice_between_land_and_upwind() {
    let limits = [("movement", "budgetted"), ("gust", "off")];
    let mut table = Table::new("regular", 2, &limits);
    table.run("go e");
    assert!(!table.allows("go s") && !table.allows("go w"), "a land move excludes upwind ones");
    table.run("go n; tile water WWWW; end; end; go n; tile water WWWW");
    assert!(table.allows("go s"), "upwind late in the turn");
    table.run("go s");
    assert!(table.refuses("go s").contains("budgetted"));
    let initial = variant("regular", &[]);
    assert_eq!(initial.movement.to_string(), "initial");
}
