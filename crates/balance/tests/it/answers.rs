use meeple_balance::{BalanceOptions, TablePayoff, sentences};

use crate::{ALL, asked, near, options};

#[test]
fn rock_paper_scissors_are_a_third_each() {
    for seats in [2, 3] {
        let answers = asked(&[], &ALL, &BalanceOptions { seats, ..options() });
        for standing in &answers.strategies {
            near(standing.equilibrium.value, 1.0 / 3.0, 1e-9);
            near(standing.alpha_rank.value, 1.0 / 3.0, 1e-9);
            near(standing.gain.value, 0.0, 1e-9);
            assert_eq!(standing.survives, 1.0);
        }
        near(answers.equilibrium_gain, 0.0, 1e-9);
        near(answers.cycles.share.value, 1.0, 1e-9);
        assert_eq!((answers.cycles.clearest, answers.cycles.certainty), (Some([0, 2, 1]), 1.0));
        assert_eq!(answers.rests.len(), 1, "{:?}", answers.rests);
    }
    let answers = asked(&[], &ALL, &options());
    // Paper has the whole win against rock, and rock none of it.
    near(answers.margins[1][0].value, 1.0, 1e-6);
    near(answers.invasion[2][1].value, 1.0, 1e-6);
    let text = &sentences(&answers)[1].answer;
    assert!(text.contains("`throws:rock` beats `throws:scissors`"), "{text}");
}

#[test]
fn who_beats_all_is_all() {
    let answers = asked(&[("hard", "on")], &ALL, &options());
    near(answers.strategies[0].equilibrium.value, 1.0, 1e-6);
    near(answers.strategies[1].gain.value, -0.5, 1e-6);
    let text = &sentences(&answers)[0].answer;
    assert!(text.contains("`throws:rock` dominates: it alone forms the equilibrium of 3"), "{text}");
    assert!(text.contains("costs 50"), "{text}");
}

#[test]
fn a_copy_changes_nobody() {
    let with = |strategies: &[&str]| asked(&[("paper", "0")], strategies, &options());
    let once = with(&[ALL[0], ALL[1], ALL[2], "random"]);
    let twice = with(&[ALL[0], ALL[1], ALL[2], "random", "Copy=throws:rock"]);
    assert_eq!(twice.strategies[4].name, "Copy");
    near(
        twice.strategies[0].equilibrium.value + twice.strategies[4].equilibrium.value,
        once.strategies[0].equilibrium.value,
        0.1,
    );
    near(twice.strategies[0].equilibrium.value, twice.strategies[4].equilibrium.value, 1e-6);
}

#[test]
fn what_decides_is_who_plays_or_the_seat_or_the_deal() {
    let part = |set: &[(&str, &str)]| {
        let luck = asked(set, &ALL, &BalanceOptions { episodes: 6000, ..options() }).luck.unwrap();
        [luck.agents.value, luck.seats.value, luck.deals_by_seat.value, luck.rest.value]
    };
    let [agents, seats, deals, _] = part(&[]);
    near(agents, 1.0, 0.02);
    near(seats + deals, 0.0, 0.02);
    let [agents, seats, deals, _] = part(&[("first", "10")]);
    near(seats, 1.0, 0.02);
    near(agents + deals, 0.0, 0.02);
    let [agents, seats, deals, _] = part(&[("luck", "10")]);
    near(deals, 1.0, 0.02);
    near(agents + seats, 0.0, 0.03);
    // Random agents have the same draws at the same seat of a deal, so between two of them the deal decides.
    let luck = asked(&[], &["random", "Other=random"], &BalanceOptions { episodes: 6000, ..options() })
        .luck
        .unwrap();
    near(luck.deals_by_seat.value, 1.0, 0.02);
    // Against other strategies the same draws win at one table and lose at another.
    let luck =
        asked(&[], &[ALL[0], ALL[1], ALL[2], "random"], &BalanceOptions { episodes: 6000, ..options() })
            .luck
            .unwrap();
    let deals = luck.deals_by_seat.value + luck.deals_by_strategy.value;
    near(luck.agents.value + luck.seats.value + deals + luck.rest.value, 1.0, 1e-9);
    // Three of the six tables have two fixed hands, so the players decide; the other three are even in the
    // mean.
    near(luck.agents.value, 0.6, 0.1);
    near(luck.rest.value, 0.4, 0.1);
}

#[test]
fn who_plays_and_the_deal_decide_half_each() {
    // The deal gives two points to one seat. If rock sits there, rock and paper are even: paper gains 1 or
    // 1/2, rock 1/2 or 0. Nothing else decides, however few strategies there are.
    let luck =
        asked(&[("luck", "2")], &ALL[..2], &BalanceOptions { episodes: 6000, ..options() }).luck.unwrap();
    near(luck.agents.value, 0.5, 0.03);
    near(luck.deals_by_seat.value, 0.5, 0.03);
    near(luck.seats.value + luck.deals_by_strategy.value + luck.rest.value, 0.0, 0.03);
    // Differences between the games of a deal are the rest: against rock, a random agent draws differently at
    // each seat.
    let luck =
        asked(&[("rounds", "1")], &[ALL[0], "random"], &BalanceOptions { episodes: 6000, ..options() });
    let luck = luck.luck.unwrap();
    near(luck.rest.value, 1.0, 0.06);
    // The deal favours rock or paper, wherever they sit.
    let luck =
        asked(&[("suit", "10")], &ALL[..2], &BalanceOptions { episodes: 6000, ..options() }).luck.unwrap();
    near(luck.deals_by_strategy.value, 1.0, 0.03);
    near(luck.deals_by_seat.value + luck.rest.value, 0.0, 0.03);
}

#[test]
fn few_deals_have_wide_intervals() {
    // Four deals of luck alone may give a seat any share of the wins. The interval must contain 1/2 for most
    // of forty seeds.
    let holds = (0..40).filter(|seed| {
        let options = BalanceOptions { seed: *seed, episodes: 1, ..options() };
        let answers = asked(&[("luck", "10"), ("rounds", "3")], &["random", "Other=random"], &options);
        assert_eq!(answers.deals, 4);
        let [low, high] = answers.at_all_tables.spots[0].ends();
        let comebacks = answers.at_all_tables.comebacks;
        assert!(
            comebacks.ends()[0] <= comebacks.value && comebacks.value <= comebacks.ends()[1],
            "{comebacks:?}"
        );
        low <= 0.5 && 0.5 <= high
    });
    let holds = holds.count();
    assert!(holds >= 34, "{holds} of 40");
}

#[test]
fn intervals_are_as_wide_as_deals_make_them() {
    // Rock plays a random agent. Each of the two games of a deal is won, drawn or lost with probability 1/3;
    // the margin is 1, 0 or -1.
    let options = BalanceOptions { episodes: 2000, ..options() };
    let answers = asked(&[("rounds", "1")], &[ALL[0], "random"], &options);
    let [low, high] = answers.margins[1][0].ends();
    let expected = 2.0 * 1.96 * (1.0 / (3.0 * answers.deals as f64)).sqrt();
    assert!(((high - low) / expected - 1.0).abs() < 0.12, "{} of {expected}", high - low);
}

#[test]
fn what_chance_puts_between_two_who_are_alike_is_no_skill() {
    // With twenty deals, chance puts 1/40 of the variance between two equal players. Almost none is left once
    // this noise is subtracted.
    let of = |seed| {
        let options = BalanceOptions { seed, episodes: 120, ..options() };
        let answers = asked(&[("rounds", "1")], &[ALL[0], "random"], &options);
        assert_eq!(answers.deals, 20);
        answers.luck.unwrap().agents.value
    };
    let mean = (0..60).map(of).sum::<f64>() / 60.0;
    assert!(mean < 0.017, "{mean}");
}

#[test]
fn the_better_seat_is_found() {
    let answers = asked(&[("first", "10")], &ALL, &options());
    near(answers.at_equilibrium.spots[0].value, 1.0, 1e-6);
    near(answers.at_all_tables.spots[1].value, 0.0, 1e-6);
    let all = sentences(&answers);
    let seat = all.iter().find(|sentence| sentence.question == "What is a seat worth?").unwrap();
    assert!(seat.answer.contains("seat 0 wins 100"), "{}", seat.answer);
    // The pay-off is counted in points of score.
    let answers =
        asked(&[("first", "10")], &ALL, &BalanceOptions { pay_off: TablePayoff::Score, ..options() });
    near(answers.at_all_tables.spots[0].value, 5.0, 1e-6);
}

#[test]
fn threads_change_no_byte() {
    let bytes = |threads| {
        let options = BalanceOptions { seats: 3, threads, ..options() };
        let answers = asked(&[("luck", "1")], &[ALL[0], ALL[1], "random"], &options);
        serde_json::to_string(&answers).unwrap()
    };
    let alone = bytes(1);
    assert_eq!(alone, bytes(2));
    assert_eq!(alone, bytes(5));
}

#[test]
fn intervals_hold_what_more_games_find() {
    // Two random agents are even, so 95 % of the intervals should contain 0; of 40, at least 32 must.
    let holds = (0..40).filter(|seed| {
        let options = BalanceOptions { seed: *seed, episodes: 300, ..options() };
        let answers = asked(&[("rounds", "3")], &["random", "Other=random"], &options);
        let [low, high] = answers.margins[0][1].ends();
        low <= 0.0 && 0.0 <= high
    });
    let holds = holds.count();
    assert!((32..=40).contains(&holds), "{holds} of 40");
}

#[test]
fn a_range_is_a_strategy_of_each_value() {
    let answers = asked(&[], &["throws:rock|paper|scissors"], &options());
    let names: Vec<&str> = answers.strategies.iter().map(|standing| standing.name.as_str()).collect();
    assert_eq!(names, ALL);
    // Without named strategies, all of the game's own agents take part.
    let answers = asked(&[], &[], &options());
    assert_eq!(answers.strategies.len(), 1);
    assert_eq!(answers.strategies[0].name, "throws");
}
