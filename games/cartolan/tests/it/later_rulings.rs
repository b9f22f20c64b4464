//! One test per ruling from R36 to R52, and a test that every ruling has its own.

use meeple_cartolan::{Back, Captain, Dir, Generation, Origin, Role, Step, Temper, Try};
use meeple_core::{Seat, Stream};

use crate::rulings::{BANK, OPEN, PIRATE_BY_A_DISASTER, WONDER};
use crate::table::Table;

/// Seat 0 is the Chartmaker and carries `water WWWW`; with old charts from a wonder at (2, 0) it carries
/// `land LLLL` too.
const CHARTMAKER: &str = "person charts; tile water WWWW; person escort; go e; go e; draw; tile water WLWW*; \
                          card; card charts; end; equip charts; tile land LLLL; end";

/// The tiles that an Adventurer of seat 0 carries.
fn carried(table: &Table) -> Vec<String> {
    let hero = table.player(0).adventurer[0];
    (0..hero.charts).map(|which| table.see().chart(&hero, which).to_string()).collect()
}

#[test]
fn r36_a_carried_tile_is_put_away_with_its_card() {
    // When another Technology replaces the old charts, they go back to the hand, and the Chartmaker may keep
    // one tile of two.
    let second = "draw; tile water WLWW*; card; card keel; end; equip keel";
    for (drop, left, kept) in [("drop 0", Back::Water, "land LLLL"), ("drop 1", Back::Land, "water WWWW")] {
        let mut table = Table::new("advanced", 2, &[OPEN]);
        table.run(CHARTMAKER).run("go e").run(second);
        assert_eq!((table.step(), table.legal()), (Step::Drop, vec!["drop 0".into(), "drop 1".into()]));
        assert!(table.refuses("keep").starts_with("5.1"));
        let before = table.see().pile(left).discards_sum;
        table.run(drop);
        assert_eq!(carried(&table), [kept]);
        assert_eq!(table.see().pile(left).discards_sum, before + 1, "on the discards of its colour");
        assert_eq!(table.owes(), Seat::new(1), "and that was all");
        let announced = table.events().iter().rev().find_map(|(audience, event)| match event {
            meeple_cartolan::Event::Dropped { who, tile } => Some((*audience, *who, tile.to_string())),
            _ => None,
        });
        let tile = if drop == "drop 0" { "water WWWW" } else { "land LLLL" };
        assert_eq!(announced, Some((meeple_core::Audience::All, (0, 0), tile.to_owned())));
    }
    // A single tile is dropped without a question when no card carries it any more.
    let mut single = Table::new("advanced", 2, &[OPEN]);
    single.run("person guest; person escort; go e; go e; tile water WLWW*; card; card charts; end");
    single.run("equip charts; tile water WWWW; end; go e; draw; tile water WLWW*; card; card keel; end");
    assert_eq!(carried(&single), ["water WWWW"]);
    single.run("equip keel");
    assert_eq!((carried(&single).len(), single.owes()), (0, Seat::new(1)));
    assert_eq!(single.see().pile(Back::Water).discards_sum, 1);
}

#[test]
fn r37_a_trade_on_arrival_is_a_decision_where_declining_may_matter() {
    let visit = "go e; go e; tile water WLWW*";
    // In Beginner and Regular the trade is automatic and precedes everything else on the tile.
    for preset in ["beginner", "regular"] {
        let mut table = Table::new(preset, 2, &[OPEN]);
        table.run(visit).run("place; end; go e; go e");
        assert_eq!((table.chest(1, 0), table.player(0).agent[0].wealth), (2, 1), "{preset}");
        assert!(!table.allows("trade") && table.allows("rest"), "{preset}");
        assert!(table.refuses("trade").starts_with("9.2"), "{preset}");
        // A discovery inside a domain is a trade as well.
        let mut inside = Table::new(preset, 2, &[]);
        inside.run(visit);
        assert_eq!((inside.chest(0, 0), inside.step()), (2, Step::Move), "{preset}");
    }
    // In Advanced, where an empty Chest moves farther, the player decides about the trade and may make it
    // later.
    let mut advanced = Table::new("advanced", 2, &[OPEN]);
    advanced.run("person guest; person escort").run(visit).run("wealth; done; end; go e; go e");
    assert!(advanced.allows("trade"));
    assert_eq!(advanced.run("done").chest(1, 0), 0);
    assert_eq!(advanced.run("wait; trade").chest(1, 0), 2);
    let mut inside = Table::new("advanced", 2, &[]);
    inside.run("person guest; person escort").run(visit);
    assert_eq!((inside.chest(0, 0), inside.legal()), (0, vec!["trade".into(), "done".into()]));
    assert_eq!(inside.run("done").chest(0, 0), 0);
    assert!(inside.run("wait").allows("trade"), "what was declined is not used up");
    // Every mode allows both values of the parameter.
    let mut asked = Table::new("beginner", 2, &[OPEN, ("trading", "decision")]);
    assert!(asked.run(visit).run("done; end; go e; go e").allows("trade"));
    let mut unasked = Table::new("advanced", 2, &[("trading", "automatic")]);
    assert_eq!(unasked.run("person guest; person escort").run(visit).chest(0, 0), 2);
}

#[test]
fn r38_a_discovery_is_the_discoverers_trade_until_a_city() {
    for trading in ["automatic", "decision"] {
        let mut table = Table::new("regular", 2, &[OPEN, ("trading", trading)]);
        table.run(WONDER).run("done; wait");
        assert_eq!((table.step(), table.chest(0, 0)), (Step::Move, 5), "{trading}");
    }
    // With the switch off the discoverer may trade on a later visit, once.
    let off = [OPEN, ("discovery_uses_trade", "off")];
    let mut table = Table::new("regular", 2, &off);
    table.run(WONDER);
    assert!(!table.allows("trade"), "not in the move of the discovery");
    assert!(table.refuses("trade").starts_with("9.2: whoever discovers"));
    assert_eq!(table.run("done; wait").chest(0, 0), 7);
    assert_eq!(table.run("wait").chest(0, 0), 7, "once between cities");
    let mut asked = Table::new("regular", 2, &[off[0], off[1], ("trading", "decision")]);
    asked.run(WONDER);
    assert_eq!(asked.legal(), ["place", "done"]);
    assert!(asked.run("done; wait").allows("trade"));
}

#[test]
fn r39_a_pirate_stays_at_the_disaster_it_discovers() {
    let way = "go e; end; go e; attack adventurer 0.0; won; go e; tile water WWWW!";
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run(way);
    assert_eq!((table.place(1, 0), table.is_pirate(1, 0)), ((2, 0), true));
    assert_eq!(table.legal(), ["court", "done"]);
    let mut back = Table::new("regular", 2, &[OPEN, ("pirate_at_disaster", "sent_back")]);
    back.run(way);
    assert_eq!((back.place(1, 0), back.is_pirate(1, 0)), ((0, 0), false));
    assert_eq!(back.owes(), Seat::new(0), "its turn is over");
    // Pirates that come to a known disaster stay.
    let mut known = Table::new("regular", 2, &[("pirate_at_disaster", "sent_back")]);
    assert!(known.run(PIRATE_BY_A_DISASTER).run("go e").allows("court"));
}

#[test]
fn r39_a_pirate_takes_the_reward_or_card_for_a_discovery() {
    let way = "go e; end; go e; attack adventurer 0.0; lost; go e; tile water WLWW*";
    assert_eq!(Table::new("regular", 2, &[OPEN]).run(way).chest(1, 0), 5);
    let mut none = Table::new("regular", 2, &[OPEN, ("pirate_rewards", "off")]);
    assert_eq!(none.run(way).chest(1, 0), 0);
    for (rewards, legal) in [("on", vec!["wealth", "card"]), ("off", vec![])] {
        let mut cards = Table::new("advanced", 2, &[OPEN, ("pirate_rewards", rewards)]);
        cards.run("person guest; person topsails").run(way);
        assert_eq!(cards.step() == Step::Reward, rewards == "on");
        assert!(legal.iter().all(|action| cards.allows(action)));
    }
    // Other players still get the reward.
    assert_eq!(Table::new("regular", 2, &[OPEN, ("pirate_rewards", "off")]).run(WONDER).chest(0, 0), 5);
}

#[test]
fn r40_a_courtship_that_fails_costs_chest_flag_and_turn() {
    let mut table = Table::new("regular", 2, &[OPEN]);
    table.run("go e; go e; tile water WLWW*; done; end; go e; go e; attack adventurer 0.0; won");
    table.run("go e; tile water WWWW!; court");
    assert_eq!(table.chest(1, 0), 5);
    table.run("lost");
    assert_eq!((table.chest(1, 0), table.place(1, 0), table.is_pirate(1, 0)), (0, (0, 0), false));
    let map = table.see().map();
    assert_eq!(map.cell(map.find(3, 0).expect("a tile")).dropped, 5);
    assert_eq!(table.owes(), Seat::new(0));
}

#[test]
fn r41_attempts_stop_at_the_first_success() {
    // Two attackers against one defender have two attempts.
    let two = [OPEN, ("start_adventurers", "2")];
    let both = "pick 0; go e; end; end; pick 0; go e; done; end; go e; attack adventurer 0.0";
    let mut table = Table::new("regular", 2, &two);
    table.run(both);
    assert!(matches!(table.step(), Step::Conflict(_, 1, 2)), "{:?}", table.step());
    table.run("won");
    assert_eq!(table.step(), Step::Move, "no second attempt after a success");
    assert_eq!(table.player(1).tally.attacks, 1, "it was one attack");
    let mut again = Table::new("regular", 2, &two);
    again.run(both).run("lost; won");
    assert_eq!(again.player(1).tally.attacks_won, 1);
}

#[test]
fn r42_successes_against_an_escort_may_come_in_any_order() {
    // Two attackers against one defender with an escort need two successes before two failures.
    let two = [OPEN, ("start_adventurers", "2")];
    let both = "person escort; person guest; person keel; person topsails; \
                pick 0; go e; end; end; pick 0; go e; done; end; go e; attack adventurer 0.0";
    for (rolls, success) in [
        ("won; won", true),
        ("won; lost; won", true),
        ("lost; won; won", true),
        ("lost; lost", false),
        ("lost; won; lost", false),
        ("won; lost; lost", false),
    ] {
        let mut table = Table::new("advanced", 2, &two);
        table.run(both);
        assert!(matches!(table.step(), Step::Conflict(_, 2, 2)), "{:?}", table.step());
        table.run(rolls);
        assert!(!matches!(table.step(), Step::Conflict(..)), "{rolls}");
        assert_eq!(table.player(1).tally.attacks_won == 1, success, "{rolls}");
    }
}

#[test]
fn r43_land_and_upwind_moves_exclude_each_other_in_budgetted_movement() {
    let table = |budget| {
        let settings = [("movement", "budgetted"), ("gust", "off"), ("budget", budget)];
        let mut table = Table::new("regular", 2, &settings);
        table.run("go e; end; end; go s; tile water WLWW");
        table
    };
    let mut exclusive = table("exclusive");
    assert!(exclusive.refuses("go s").starts_with("6.2: south is a land move"));
    assert!(table("land_after_upwind").allows("go s"));
}

#[test]
fn r44_any_number_is_hired_at_one_visit() {
    let cheap = [OPEN, ("price_adventurer", "1"), ("price_hire", "1")];
    let mut table = Table::new("regular", 2, &cheap);
    table.run(WONDER).run(BANK);
    table.run("hire adventurer; hire agent 2 0; hire agent 1 0; hire adventurer; hire agent 0 1");
    assert_eq!((table.player(0).adventurers, table.player(0).agents_placed, table.vault(0)), (3, 3, 0));
}

#[test]
fn r45_the_explorer_explores_away_from_its_last_city() {
    let mut table = Table::new("regular", 3, &[("mythical_distance", "4"), OPEN]);
    table.run("go e; go e; tile water WWWW; go e; end; end; end; go e; end; end; go n");
    assert_eq!(table.place(0, 0), (4, 1));
    let tries = |away| {
        let temper = Temper { whim: 0.0, away };
        let mut explorer = Captain::new(Role::Explorer, Generation::First, &temper);
        explorer.begin(0);
        explorer.next_try(&table.see(), &mut Stream::from_seed(1)).map(|(what, _)| what)
    };
    // The city just left lies south, the Capital far in the west.
    assert_eq!(tries(Origin::LastCity), Some(Try::Go(Dir::East)));
    assert_eq!(tries(Origin::Capital), Some(Try::Go(Dir::North)));
    assert_eq!(Temper::default().away, Origin::LastCity);
}

#[test]
fn r46_an_equipped_card_moves_from_the_next_turn_and_defends_and_draws_at_once() {
    let equip = |card: &str| {
        let mut table = Table::new("advanced", 2, &[OPEN]);
        table.run("person guest; person topsails; go e; go e; tile water WLWW*; card");
        table.run(&format!("card {card}; end; equip {card}"));
        table
    };
    let mut keel = equip("keel");
    assert_eq!(keel.owes(), Seat::new(1), "its turn is over");
    assert_eq!(keel.run("end").see().limits().upwind, 3);
    let mut escort = equip("escort");
    escort.run("go e; go e; attack adventurer 0.0");
    assert!(matches!(escort.step(), Step::Conflict(_, 2, 1)), "{:?}", escort.step());
    let charts = equip("charts");
    assert_eq!(charts.step(), Step::Chart(0, 0, Back::Water as u8), "a tile is drawn at once");
}

#[test]
fn r47_the_own_dispossessed_agent_returns_before_another_is_placed() {
    let one = [OPEN, ("agents", "1"), ("price_hire", "2")];
    let mut table = Table::new("regular", 2, &one);
    table.run(WONDER).run("place; go n; tile water WWWW; end");
    table.run("go e; go e; attack agent; won; go e; tile water WWWW; done; end; go s; done; end; end");
    table.run("go w; end; end; go w; bank 2");
    assert!(table.player(0).agent[0].dispossessed);
    table.run("hire agent 2 0");
    assert_eq!(table.owes(), Seat::new(1), "nobody is asked which Agent moves");
    let (player, map) = (table.player(0), table.see().map());
    assert_eq!((player.agents_placed, player.vault, player.agent[0].dispossessed), (1, 0, false));
    assert_eq!(map.find(2, 0), Some(player.agent[0].cell));
}

#[test]
fn r48_discards_are_shuffled_before_a_carried_tile_is_drawn() {
    let few = [("supply", "fixed"), ("water_tiles", "9"), ("land_tiles", "1"), ("tries", "1")];
    let mut table = Table::new("advanced", 2, &few);
    table.run("person charts; tile water WWWW; person escort");
    table.run("go s; go e; chart 0; end; go e; go e; tile water WLWW; end; end; go s; tile land LLLL; end");
    assert_eq!((table.see().pile(Back::Land).left(), table.see().pile(Back::Land).discards_sum), (0, 1));
    table.run("go w; go n");
    assert_eq!(table.chances(), [("tile land LLLL again".to_owned(), 1.0)], "land is due");
    let shuffled = |(_, event): &(_, meeple_cartolan::Event)| {
        matches!(event, meeple_cartolan::Event::Reshuffled { tile_back: Back::Land })
    };
    assert!(table.events().iter().any(shuffled));
    assert_eq!(carried(table.run("tile land LLLL again")), ["land LLLL"]);
    // The other colour is drawn only if neither pile nor discards of this colour are left.
    let mut none = Table::new("advanced", 2, &[("supply", "fixed"), ("water_tiles", "1")]);
    none.run("person charts; tile water WWWW; person charts");
    assert_eq!(none.step(), Step::Chart(1, 0, Back::Land as u8));
}

#[test]
fn r49_the_capital_is_the_last_city_of_whoever_a_disaster_sends_there() {
    let way = "go e; go e; tile water WWWW; go e; end; end; end; go e; end; end; \
               go n; go w; tile water WWWW!";
    for (back, home) in [("last_city", (4, 0)), ("capital", (0, 0))] {
        let set = [("mythical_distance", "4"), OPEN, ("disaster_return", back)];
        let mut table = Table::new("regular", 3, &set);
        table.run(way);
        let city = table.player(0).adventurer[0].last_city;
        let cell = table.see().map().cell(city);
        assert_eq!((table.place(0, 0), (cell.x, cell.y)), (home, home), "{back}");
    }
}

#[test]
fn r50_a_wonder_that_an_unrewarded_pirate_discovers_is_used() {
    let way = "go e; end; go e; attack adventurer 0.0; lost; go e; tile water WLWW*";
    let table = |rewards| {
        let set = [OPEN, ("pirate_rewards", rewards), ("discovery_uses_trade", "off")];
        let mut table = Table::new("regular", 2, &set);
        table.run(way);
        (table.chest(1, 0), table.player(1).adventurer[0].used != 0)
    };
    assert_eq!(table("off"), (0, true));
    assert_eq!(table("on"), (5, false), "R38: what was paid may be traded at later");
    let mut used = Table::new("regular", 2, &[OPEN, ("pirate_rewards", "off")]);
    used.run(way);
    assert!(used.player(1).adventurer[0].used != 0);
}

#[test]
fn r51_banking_attacks_purchases_and_then_the_margin() {
    // Seat 0 comes home with 5 wealth to where seat 1 is, and may attack before it buys.
    let way = "go e; go e; tile water WLWW*; done; end; end; go w; end; end; go w; bank 5";
    let table = |order, first| {
        let set = [
            OPEN,
            ("city_attacks", "on"),
            ("city_order", order),
            ("margin", "4"),
            ("price_adventurer", "5"),
            ("purchase_before_margin_check", first),
        ];
        let mut table = Table::new("regular", 2, &set);
        table.run(way);
        table
    };
    let mut attacks = table("attacks_first", "yes");
    assert_eq!(
        (attacks.step(), attacks.legal()),
        (Step::Act, vec!["attack adventurer 1.0".into(), "done".into()])
    );
    attacks.run("attack adventurer 1.0; lost");
    assert_eq!((attacks.step(), attacks.vault(0)), (Step::Buy, 5));
    assert!(!attacks.allows("attack adventurer 1.0"));
    attacks.run("hire adventurer");
    assert!(attacks.vault(0) == 0 && attacks.owes() == Seat::new(0), "the lead was spent; the new one moves");
    let mut kept = table("attacks_first", "yes");
    assert_eq!(kept.run("done; done").end(), "margin", "after the purchases");
    // Stored games and those of the original buy first.
    let mut purchases = table("purchases_first", "yes");
    assert_eq!(purchases.step(), Step::Buy);
    assert!(purchases.run("done").allows("attack adventurer 1.0"));
    assert_eq!(purchases.run("done").end(), "margin");
    // If the check does not wait for purchases, it comes right after banking.
    assert_eq!(table("attacks_first", "no").end(), "margin");
}

#[test]
fn r52_a_purchase_that_leaves_another_far_ahead_ends_the_game_before_a_card_is_drawn() {
    // Seat 1 has 9 and seat 0 has 5. With a margin of 8 this wins nothing, until seat 0 spends its 5.
    let set = [OPEN, ("margin", "8"), ("price_adventurer", "5"), ("reward_water", "10")];
    let mut table = Table::new("advanced", 2, &set);
    table.run("person guest; person topsails; go e; go e; tile water WLWW*; wealth; done; end");
    table.run("go n; go n; tile water WLWW*; wealth; done; end; go w; end; go s; end");
    table.run("go w; bank 5; done; go s; bank 9; done; wait; bank 0");
    assert_eq!((table.vault(0), table.vault(1), table.step()), (5, 9, Step::Buy));
    table.run("hire adventurer");
    assert_eq!(table.end(), "margin");
    assert!(table.player(0).adventurer[1].person.is_none(), "no card was drawn");
    assert_eq!(table.outcome().places, [2, 1]);
}

#[test]
fn every_ruling_has_a_test_of_its_name() {
    let rules = include_str!("../../RULES.md");
    let tests = [include_str!("rulings.rs"), include_str!("later_rulings.rs")].concat();
    let rulings: std::collections::BTreeSet<u8> = rules
        .split("**")
        .skip(1)
        .step_by(2)
        .filter_map(|bold| bold.strip_prefix('R'))
        .map(|number| number.parse().expect("a ruling has a number"))
        .collect();
    assert!(rulings.iter().copied().eq(1..=52), "RULES.md has {rulings:?}");
    for number in rulings {
        assert!(tests.contains(&format!("\nfn r{number}_")), "R{number} has no test");
    }
}
