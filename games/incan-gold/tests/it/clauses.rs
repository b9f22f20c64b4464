//! One test per clause of RULES.md, named after it.

use meeple_core::{Defined as _, Game, Params, Phase, PlayerLabel, Replay, Seat, Standing};
use meeple_incan_gold::{Action, Event, IncanGold, Variant};

use crate::table::TestTable;

#[test]
fn r1_1_pack_has_31_cards_in_round_one() {
    let table = TestTable::new(3, &[]);
    let deck = table.seen()["deck"].clone();
    let cards = deck.as_object().unwrap();
    let count = |prefix: &str| -> u64 {
        cards.iter().filter(|(name, _)| name.starts_with(prefix)).map(|(_, n)| n.as_u64().unwrap()).sum()
    };
    assert_eq!(count(""), 31);
    assert_eq!(count("gem:"), 15);
    let gems: u64 = cards
        .iter()
        .filter_map(|(name, n)| {
            Some(name.strip_prefix("gem:")?.parse::<u64>().unwrap() * n.as_u64().unwrap())
        })
        .sum();
    assert_eq!(gems, 124);
    for hazard in ["fire", "mummy", "rocks", "snake", "spiders"] {
        assert_eq!(table.in_deck(hazard), 3, "{hazard}");
    }
    assert_eq!(table.in_deck("artifact"), 1);
}

#[test]
fn r1_3_one_to_sixteen_seats() {
    assert_eq!(IncanGold::definition().info.seats, 1..=16);
    let mut table = TestTable::new(16, &[]);
    table.turn("gem:17", "slslslslslslslsl");
    assert_eq!(table.scores(), [0, 1].repeat(8));
}

#[test]
fn r2_1_path_returns_and_everybody_explores_again() {
    let mut table = TestTable::new(2, &[]);
    table.turn("gem:9", "ss").turn("fire", "ll");
    let seen = table.seen();
    assert_eq!(seen["round"], 2);
    assert_eq!(seen["path"], serde_json::json!([]));
    assert_eq!(seen["backpack"], 0);
    assert_eq!(seen["spare"], 0);
    assert_eq!(seen["exploring"], serde_json::json!([0, 1]));
    assert_eq!(table.in_deck("gem:9"), 1);
    assert_eq!(table.in_deck("fire"), 3);
}

#[test]
fn r2_2_an_artifact_joins_every_round() {
    let mut table = TestTable::new(1, &[]);
    for round in 1..=5 {
        assert_eq!(table.in_deck("artifact"), round);
        table.turn("gem:1", "l");
    }
    assert_eq!(table.episode.phase(), Phase::Over);
}

#[test]
fn r2_2_no_more_artifacts_than_values() {
    let mut table = TestTable::new(1, &[("artifacts.values", "5"), ("rounds", "3")]);
    for _ in 1..=3 {
        assert_eq!(table.in_deck("artifact"), 1);
        table.turn("gem:1", "l");
    }
}

#[test]
fn r2_3_unclaimed_artifacts_return_or_leave() {
    let mut classic = TestTable::new(2, &[]);
    classic.turn("artifact", "ll");
    assert_eq!(classic.in_deck("artifact"), 2);
    for removed in ["path", "all"] {
        let set = [("artifacts.unclaimed", "leave"), ("artifacts.removed", removed)];
        let mut boxed = TestTable::new(2, &set);
        boxed.turn("artifact", "ll");
        assert_eq!(boxed.in_deck("artifact"), 1, "it lay on the path");
        boxed.bust("fire", 2);
        assert_eq!(boxed.seen()["artifacts_lost"], if removed == "all" { 2 } else { 1 });
        assert_eq!(boxed.in_deck("artifact"), if removed == "all" { 1 } else { 2 }, "nobody had found it");
        boxed.turn("artifact", "ls").turn("gem:1", "l");
        assert_eq!(boxed.scores(), [5, 1], "the first claimed is still worth 5");
        if removed == "path" {
            // Round 4 has two artifacts in the deck: one of an earlier round and a new one. One is drawn and
            // left behind, and the other stays in the deck.
            assert_eq!(boxed.in_deck("artifact"), 2);
            boxed.turn("artifact", "ss").bust("mummy", 2);
            assert_eq!(boxed.in_deck("artifact"), 2);
        }
    }
}

#[test]
fn r3_1_gems_are_shared_and_the_rest_stays() {
    // The worked example: three explorers, 11 gems: 3 each, 2 spare; two leave with one more each.
    let mut table = TestTable::new(3, &[]);
    table.turn("gem:11", "lls");
    assert_eq!(table.scores(), [4, 4, 0]);
    let seen = table.seen();
    assert_eq!((&seen["backpack"], &seen["spare"]), (&3.into(), &0.into()));
}

#[test]
fn r3_2_first_hazard_does_nothing() {
    let mut table = TestTable::new(2, &[]);
    table.turn("gem:4", "ss").turn("snake", "ll");
    assert_eq!(table.scores(), [2, 2]);
}

#[test]
fn r3_3_second_hazard_ends_the_round() {
    let mut table = TestTable::new(3, &[]);
    // The worked example: mummy, fire, mummy.
    table.turn("gem:15", "lss").turn("mummy", "ss").turn("fire", "ss").turn("mummy", "");
    assert_eq!(table.scores(), [5, 0, 0]);
    assert_eq!(table.in_deck("mummy"), 2);
    assert_eq!(table.in_deck("fire"), 3);
    assert!(
        table.events().iter().any(|event| matches!(event, Event::Busted { seats, .. } if seats == &[1, 2]))
    );
}

#[test]
fn r3_3_a_kind_with_one_copy_cannot_end_a_round() {
    let mut table = TestTable::new(1, &[]);
    table.bust("rocks", 1).bust("rocks", 1);
    assert_eq!(table.in_deck("rocks"), 1);
    table.turn("rocks", "s");
    assert_eq!(table.in_deck("rocks"), 0);
}

#[test]
fn r3_4_artifacts_stay_on_the_path() {
    let mut table = TestTable::new(2, &[]);
    table.turn("artifact", "ss");
    assert_eq!(table.seen()["artifacts_on_path"], 1);
}

#[test]
fn r4_1_every_explorer_decides_and_nobody_else() {
    let mut table = TestTable::new(3, &[]);
    table.turn("gem:3", "lss");
    table.episode.force_chance("gem:4".parse().unwrap()).unwrap();
    let Phase::Decide(seats) = table.episode.phase() else { panic!("a decision is due") };
    assert_eq!(seats.map(Seat::index).collect::<Vec<_>>(), [1, 2]);
    assert!(table.episode.act(Seat::new(0), &Action::Stay).is_err());
}

#[test]
fn r4_2_decisions_are_hidden_until_the_last() {
    let mut table = TestTable::new(2, &[]);
    table.episode.force_chance("gem:4".parse().unwrap()).unwrap();
    let before = table.seen();
    table.episode.act(Seat::new(1), &Action::Leave).unwrap();
    assert_eq!(table.seen(), before);
    assert_eq!(table.scores(), [0, 0]);
    table.episode.act(Seat::new(0), &Action::Stay).unwrap();
    assert_eq!(table.scores(), [0, 2]);
}

#[test]
fn r5_1_a_leaver_is_safe() {
    let mut table = TestTable::new(2, &[]);
    table.turn("gem:14", "ls").turn("fire", "s").turn("fire", "");
    assert_eq!(table.scores(), [7, 0]);
}

#[test]
fn r5_2_spare_gems_are_for_the_leavers_of_the_turn() {
    let mut table = TestTable::new(4, &[]);
    // With 4 explorers, 7 gems bring 1 each and 3 spare ones, and 11 gems bring 2 each and 3 spare ones. So 6
    // spare gems lie on the path.
    table.turn("gem:7", "ssss").turn("gem:11", "llll");
    assert_eq!(table.scores(), [4, 4, 4, 4]);
    let mut later = TestTable::new(4, &[]);
    later.turn("gem:7", "llss").turn("snake", "ls").turn("fire", "l");
    assert_eq!(later.scores(), [2, 2, 2, 1], "one spare gem stays for the next leaver");
}

#[test]
fn r5_2_leftovers_by_card_are_divided_card_by_card() {
    // With 4 explorers, 3 gems of each of the cards 7 and 11 stay on the path. Pooled, these 6 bring 1 to
    // each leaver. Card by card they bring nothing.
    for (leftovers, scores) in [("pooled", [4; 4]), ("by_card", [3; 4])] {
        let mut table = TestTable::new(4, &[("leftovers", leftovers)]);
        table.turn("gem:7", "ssss");
        let shown = table.seen()["leftovers"].clone();
        assert_eq!(
            shown,
            if leftovers == "pooled" { serde_json::Value::Null } else { serde_json::json!([3]) }
        );
        assert_eq!(table.turn("gem:11", "llll").scores(), scores);
    }
    // With 5 explorers, 1 of 11 gems and 4 of 14 gems stay. Three leavers get 1 each from the second card,
    // and 1 gem stays on each card. Then 2 explorers leave 1 of 9 gems, and a lone leaver takes all 3.
    let mut table = TestTable::new(5, &[("leftovers", "by_card")]);
    table.turn("gem:11", "sssss").turn("gem:14", "sslll");
    assert_eq!(table.scores(), [0, 0, 5, 5, 5]);
    assert_eq!(table.seen()["leftovers"], serde_json::json!([1, 1]));
    table.turn("fire", "ss").turn("gem:9", "ss");
    assert_eq!(table.seen()["leftovers"], serde_json::json!([1, 1, 0, 1]));
    assert_eq!(table.seen()["spare"], 3);
    table.turn("snake", "ls");
    assert_eq!(table.scores(), [4 + 4 + 3, 0, 5, 5, 5]);
    assert_eq!(table.seen()["leftovers"], serde_json::json!([0, 0, 0, 0, 0]));
    table.turn("rocks", "l").turn("gem:7", "sssss");
    assert_eq!(table.seen()["leftovers"], serde_json::json!([2]), "a new round, a new path");
}

#[test]
fn r5_3_a_printed_worth_goes_with_its_card() {
    let set = [("artifacts.values", "5,7,8,10,12"), ("artifacts.worth", "printed")];
    let mut table = TestTable::new(2, &set);
    assert_eq!((table.in_deck("artifact"), table.in_deck("artifact:5")), (0, 1));
    table.turn("gem:2", "ll").turn("artifact:7", "ss");
    assert_eq!(table.seen()["artifact_worth"], 7);
    table.turn("fire", "ls").turn("fire", "");
    assert_eq!(table.scores(), [1 + 7, 1], "the second card, claimed first");
    assert_eq!(["artifact:5", "artifact:7", "artifact:8"].map(|card| table.in_deck(card)), [1, 0, 1]);
    table.turn("artifact:8", "ss").turn("artifact:5", "ss").turn("snake", "sl");
    assert_eq!(table.scores(), [8, 1 + 13]);
    // Artifacts left on the path return to the deck with their worth, or leave the game.
    for (removed, left) in [("return", 1), ("leave", 0)] {
        let mut table = TestTable::new(2, &[set[0], set[1], ("artifacts.unclaimed", removed)]);
        table.turn("artifact:5", "ll");
        assert_eq!((table.in_deck("artifact:5"), table.in_deck("artifact:7")), (left, 1), "{removed}");
    }
    // Artifacts of equal worth are equal cards.
    let mut equal = TestTable::new(2, &[("artifacts.values", "4,4"), set[1]]);
    equal.turn("gem:2", "ll");
    assert_eq!(equal.in_deck("artifact:4"), 2);
    equal.turn("artifact:4", "ls").turn("artifact:4", "l");
    assert_eq!((equal.scores(), equal.in_deck("artifact:4")), (vec![5, 5], 0));
    let mut falling = Variant::default();
    falling.set("artifacts.values", "7,5").unwrap();
    falling.set("artifacts.worth", "printed").unwrap();
    let refused = IncanGold::new(falling, 2).unwrap_err().to_string();
    assert!(refused.contains("expected rising artifacts.values") && refused.contains("hint: "), "{refused}");
}

#[test]
fn r5_3_who_leaves_alone_takes_the_artifacts_in_order_of_claiming() {
    // The worked example: two claimed, two on the path, one leaver: 5 + 10.
    let mut table = TestTable::new(2, &[]);
    table.turn("artifact", "ls").turn("gem:1", "l");
    table.turn("artifact", "ls").turn("gem:1", "l");
    table.turn("gem:2", "ll").turn("gem:2", "ll");
    assert_eq!(table.scores(), [5 + 5 + 1 + 1, 1 + 1 + 1 + 1]);
    table.turn("artifact", "ss").turn("artifact", "ls").turn("gem:1", "l");
    assert_eq!(table.scores()[0], 12 + 5 + 10);
    let mut boxed =
        TestTable::new(2, &[("artifacts.values", "5,7,8,10,12"), ("artifacts.unclaimed", "leave")]);
    boxed.turn("artifact", "sl").turn("fire", "l").turn("artifact", "sl").turn("fire", "l");
    assert_eq!(boxed.scores(), [0, 12]);
}

#[test]
fn r5_4_together_nobody_takes_artifacts() {
    let mut table = TestTable::new(3, &[]);
    table.turn("artifact", "lls");
    assert_eq!(table.scores(), [0, 0, 0]);
    table.turn("fire", "l");
    assert_eq!(table.scores(), [0, 0, 5], "it is still there for the last explorer");
}

#[test]
fn r6_1_spare_gems_vanish() {
    let mut table = TestTable::new(2, &[]);
    table.turn("gem:5", "ss").bust("fire", 2);
    assert_eq!(table.seen()["spare"], 0);
    assert_eq!(table.scores(), [0, 0]);
}

#[test]
fn r6_2_most_points_win_and_ties_are_draws() {
    let mut table = TestTable::new(3, &[("rounds", "1")]);
    table.turn("gem:12".replace("12", "11").as_str(), "lls").turn("fire", "s").turn("fire", "");
    let outcome = table.episode.outcome().unwrap();
    assert_eq!(outcome.scores, [4, 4, 0]);
    assert_eq!(outcome.places, [1, 1, 3]);
    assert_eq!(outcome.standing(Seat::new(0)), Standing::Draw);
    assert_eq!(outcome.standing(Seat::new(2)), Standing::Loss);

    let mut nothing = TestTable::new(2, &[("rounds", "1")]);
    nothing.bust("fire", 2);
    assert_eq!(nothing.episode.outcome().unwrap().places, [1, 1], "no gems at all: a draw for everybody");

    let mut alone = TestTable::new(1, &[("rounds", "1")]);
    alone.bust("fire", 1);
    assert_eq!(alone.episode.outcome().unwrap().standing(Seat::new(0)), Standing::Win);
}

#[test]
fn r6_2_ties_may_go_to_more_artifacts() {
    // Seat 0 has 5 gems, seat 1 an artifact worth 5, and seat 2 also 5 gems.
    for (ties, places) in [("draw", [1, 1, 1]), ("artifacts", [2, 1, 2])] {
        let mut table = TestTable::new(3, &[("rounds", "1"), ("ties", ties), ("gems", "10")]);
        table.turn("fire", "sss").turn("artifact", "sls").turn("gem:10", "ll");
        let outcome = table.episode.outcome().unwrap();
        assert_eq!((&outcome.scores[..], &outcome.places[..]), (&[5, 5, 5][..], &places[..]), "{ties}");
    }
}

#[test]
fn replays_of_before_play_by_the_rules_of_before() {
    // Round 1 leaves its artifact in the deck, where the former rules lost it.
    let set = [
        ("artifacts.unclaimed", "leave"),
        ("artifacts.removed", "all"),
        ("rounds", "2"),
        ("gems", "2"),
        ("hazards.kinds", "0"),
        ("artifacts.values", "5,7"),
    ];
    let mut table = TestTable::new(1, &set);
    table.turn("gem:2", "l").turn("artifact", "s").turn("gem:2", "s");
    let replay =
        Replay::of(&table.episode, &[PlayerLabel { name: "one".into(), ..PlayerLabel::default() }], None);
    let mut stored = serde_json::to_value(&replay).unwrap();
    for (name, _) in table.episode.game().variant().before() {
        stored["variant"].as_object_mut().unwrap().remove(*name);
    }
    let old = Replay::parse(&stored.to_string()).unwrap();
    let episode = old.verify(&IncanGold::definition(), |_| {}).unwrap();
    assert_eq!(episode.game().variant(), table.episode.game().variant());
    // By the rules of today the deck has another card, and the game goes on.
    let mut today = serde_json::to_value(&replay).unwrap();
    today["variant"]["artifacts.removed"] = "path".into();
    assert!(Replay::parse(&today.to_string()).unwrap().verify(&IncanGold::definition(), |_| {}).is_err());
}

#[test]
fn r6_3_an_empty_deck_sends_everybody_out() {
    let set = [
        ("rounds", "1"),
        ("gems", "7,9"),
        ("hazards.copies", "1"),
        ("hazards.kinds", "1"),
        ("artifacts.values", ""),
    ];
    let mut table = TestTable::new(2, &set);
    table.turn("gem:7", "ss").turn("fire", "ss").turn("gem:9", "ss");
    assert_eq!(table.episode.phase(), Phase::Over);
    assert_eq!(table.scores(), [8, 8]);
}

#[test]
fn variants_without_cards_or_with_too_many_are_refused() {
    let refuse = |set: &[(&str, &str)]| {
        let mut variant = Variant::default();
        for (key, value) in set {
            variant.set(key, value).unwrap();
        }
        IncanGold::new(variant, 2).unwrap_err().to_string()
    };
    assert!(
        refuse(&[("gems", ""), ("hazards.kinds", "0")]).contains("expected at least one gem or hazard card")
    );
    let many = refuse(&[("hazards.kinds", "8"), ("hazards.copies", "8")]);
    assert!(many.contains("expected at most 64 cards, found 84"), "{many}");
    let gems = (1..=41).map(|value| value.to_string()).collect::<Vec<_>>().join(",");
    assert!(Variant::default().set("gems", &gems).is_err());
}
