//! Counting and statistics against values computed by hand, and independence of threads.

use meeple_core::{Seating, Stream};
use meeple_lab::{
    FigureSums, Histogram, LabError, LineUp, NoProgress, Progress, Run, SetUp, StopFlag, mean_interval,
    simulate, t_quantile, wilson_interval,
};

use crate::{play, set_up, simulation, toy, words};

fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "expected {expected} within {tolerance}, found {found}");
}

#[test]
fn wilson_intervals_are_the_published_ones() {
    // Columns: share, n, low, high, source.
    let cases = [
        (0.0, 10.0, 0.0, 0.2775, "Newcombe 1998 style: 0 of 10"),
        (1.0, 10.0, 0.7225, 1.0, "the same turned round"),
        (0.5, 10.0, 0.2366, 0.7634, "5 of 10"),
        (81.0 / 263.0, 263.0, 0.2553, 0.3662, "Newcombe 1998, table I"),
        (15.0 / 148.0, 148.0, 0.0624, 0.1605, "Newcombe 1998, table I"),
        (0.0, 20.0, 0.0, 0.1611, "Newcombe 1998, table I"),
        (1.0 / 29.0, 29.0, 0.0061, 0.1718, "Newcombe 1998, table I"),
        (1.0, 1.0, 0.2065, 1.0, "one trial"),
    ];
    for (share, n, low, high, source) in cases {
        let [found_low, found_high] = wilson_interval(share, n);
        assert!(
            (found_low - low).abs() < 6e-5 && (found_high - high).abs() < 6e-5,
            "{source}: {found_low} {found_high}"
        );
    }
}

#[test]
fn the_interval_of_a_mean_is_that_of_student() {
    // Columns: degrees of freedom, and the 97.5 % quantile as in published tables.
    let cases = [
        (1, 12.706_205),
        (2, 4.302_653),
        (3, 3.182_446),
        (4, 2.776_445),
        (9, 2.262_157),
        (10, 2.228_139),
        (30, 2.042_272),
        (39, 2.022_691),
        (40, 2.021_075),
        (60, 2.000_298),
        (120, 1.979_930),
        (1000, 1.962_339),
        (u64::MAX, 1.959_964),
    ];
    for (degrees, quantile) in cases {
        close(t_quantile(degrees), quantile, 1e-6);
    }
    assert!(t_quantile(0).is_infinite());
    assert!((1..100).all(|degrees| t_quantile(degrees) > t_quantile(degrees + 1)));
    let [low, high] = mean_interval(10.0, 2.0, 10_000_000.0).unwrap();
    close(low, 10.0 - 1.96 * 2.0 / 10_000_000f64.sqrt(), 1e-7);
    close(high, 10.0 + 1.96 * 2.0 / 10_000_000f64.sqrt(), 1e-7);
    let [low, high] = mean_interval(10.0, 2.0, 4.0).unwrap();
    close(low, 10.0 - 3.182_446, 1e-6);
    close(high, 10.0 + 3.182_446, 1e-6);
}

#[test]
fn histograms_are_exact_wherever_values_lie() {
    let values = [3, -5, 3, 1 << 40, i64::MIN, i64::MAX, 70_000, -70_000, 0, 3];
    let (mut whole, mut left, mut right) = (Histogram::new(), Histogram::new(), Histogram::new());
    for (index, value) in values.iter().enumerate() {
        whole.add(*value);
        if index % 2 == 0 { left.add(*value) } else { right.add(*value) }
    }
    left.merge(&right);
    assert_eq!(whole, left);
    let expected =
        [(i64::MIN, 1), (-70_000, 1), (-5, 1), (0, 1), (3, 3), (70_000, 1), (1 << 40, 1), (i64::MAX, 1)];
    assert_eq!(whole.iter().collect::<Vec<_>>(), expected);
    assert_eq!((whole.total(), whole.min(), whole.max()), (10, Some(i64::MIN), Some(i64::MAX)));
    let text = serde_json::to_string(&whole).unwrap();
    assert_eq!(serde_json::from_str::<Histogram>(&text).unwrap(), whole);
}

#[test]
fn histograms_count_the_same_in_a_map_and_in_an_array() {
    // Values of every spread, in numbers that create, grow and fill arrays; halves are counted separately and
    // merged.
    for spread in [1, 5, 100, 1_000, 40_000, 65_535, 65_536, 200_000, i64::MAX / 2] {
        let mut counted = std::collections::BTreeMap::new();
        let (mut whole, mut halves) = (Histogram::new(), [Histogram::new(), Histogram::new()]);
        let mut rng = Stream::from_seed(spread as u64);
        for index in 0..300 {
            let value = (rng.bits() % (2 * spread as u64 + 1)) as i64 - spread;
            *counted.entry(value).or_insert(0) += 1;
            whole.add(value);
            halves[index % 2].add(value);
            if [1, 31, 32, 33, 64, 200, 299].contains(&index) {
                let expected: Vec<(i64, u64)> =
                    counted.iter().map(|(value, count)| (*value, *count)).collect();
                assert_eq!(whole.iter().collect::<Vec<_>>(), expected, "{index} values within {spread}");
                let mut merged = halves[0].clone();
                merged.merge(&halves[1]);
                assert_eq!(merged, whole, "{index} values within {spread}");
                let read: Histogram = serde_json::from_str(&serde_json::to_string(&whole).unwrap()).unwrap();
                assert_eq!(read, whole, "{index} values within {spread}");
            }
        }
        whole.clear();
        assert_eq!(whole, Histogram::new());
        whole.add(7);
        assert_eq!(whole.iter().collect::<Vec<_>>(), [(7, 1)]);
    }
}

#[test]
fn moments_and_quantiles_are_those_of_the_textbook() {
    let mut histogram = Histogram::new();
    assert_eq!((histogram.quantile(0.5), histogram.min()), (None, None));
    for value in [2, 4, 4, 4, 5, 5, 7, 9] {
        histogram.add(value);
    }
    let moments = histogram.moments();
    assert_eq!(moments.mean(), 5.0);
    close(moments.sd().unwrap(), (32.0f64 / 7.0).sqrt(), 1e-12);
    // Smallest value that 0.8, 4 and 7.2 of 8 values do not exceed.
    let quantile = |share| histogram.quantile(share).unwrap();
    assert_eq!((quantile(0.1), quantile(0.5), quantile(0.9)), (2, 4, 9));
    let mut tens = Histogram::new();
    (1..=10).for_each(|value| tens.add(value));
    assert_eq!((tens.quantile(0.1), tens.quantile(0.9), tens.quantile(1.0)), (Some(1), Some(9), Some(10)));
    // The variance of numbers near 10^9 is exact too.
    let mut large = Histogram::new();
    [999_999_999, 1_000_000_000, 1_000_000_001].iter().for_each(|value| large.add(*value));
    assert_eq!(large.moments().sd(), Some(1.0));
    let mut single = Histogram::new();
    single.add(5);
    assert_eq!(single.moments().sd(), None);
}

#[test]
fn a_sure_winner_wins_always() {
    // The die has one side: taking brings 1 point a round, passing 3.
    let table = set_up("sides=1 rounds=4", "at-least:2 at-least:1 at-least:1");
    let run = play(&simulation(&table, 300));
    let [winner, loser, _] = &run.summary.agents[..] else { panic!("three agents") };
    let results = &winner.results;
    assert_eq!((results.episodes, results.wins, results.draws, results.losses), (300, 300, 0, 0));
    assert_eq!((results.mean_score, results.sd_score), (12.0, Some(0.0)));
    assert_eq!((results.win_share, results.win_ci[1]), (1.0, 1.0));
    close(results.win_ci[0], 1.0 / (1.0 + 3.841_458_8 / 300.0), 1e-6);
    assert_eq!(results.win_share_ci, results.win_ci);
    assert_eq!((loser.results.losses, loser.results.mean_score), (300, 4.0));
    // With rotation, every player sits at every seat in a third of the episodes.
    for seat in &run.summary.seats {
        assert_eq!((seat.results.episodes, seat.results.wins, seat.results.losses), (300, 100, 200));
        close(seat.results.mean_score, (12.0 + 4.0 + 4.0) / 3.0, 1e-12);
    }
    assert_eq!(
        winner.by_seat.iter().map(|at| (at.visits.episodes, at.visits.wins)).collect::<Vec<_>>(),
        [(100, 100); 3]
    );
    assert_eq!(run.summary.ends.0, [("high die".into(), 0), ("low die".into(), 300)]);
    let length = &run.summary.length;
    assert_eq!((length.mean, length.sd, length.quantiles.p50), (4.0, Some(0.0), 4));
    // Figures: of the episode, then of a seat over all seats.
    let names: Vec<&str> = run.summary.stats.0.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["sixes", "figure_takes", "takes", "take_share"]);
    close(run.summary.stats.get("takes").unwrap().mean.unwrap(), 8.0 / 3.0, 1e-12);
    assert_eq!(winner.stats.get("takes").unwrap().mean, Some(0.0));
    assert_eq!(loser.stats.get("take_share").unwrap().mean, Some(1.0));
    assert_eq!(run.summary.agents[2].name, "at-least:1 #2");
}

#[test]
fn shared_wins_are_draws_and_count_their_share() {
    let table = set_up("sides=1", "at-least:2 at-least:2 at-least:1");
    let run = play(&simulation(&table, 50));
    let results = &run.summary.agents[0].results;
    assert_eq!((results.wins, results.draws, results.losses), (0, 50, 0));
    // The 51st episode may be unlike these fifty.
    let unlike = results.win_ci[1];
    assert_eq!((results.win_share, results.win_share_ci), (0.5, [0.5 - 0.5 * unlike, 0.5 + 0.5 * unlike]));
    close(unlike, 0.0714, 1e-4);
    assert_eq!((results.draw_ci[1], results.win_ci[0]), (1.0, 0.0));
}

#[test]
fn means_and_spreads_are_those_of_the_rules() {
    // The agent takes dice from 4 to 6, and else gets 3 points. The mean of a round is (3 + 3 + 3 + 4 + 5 +
    // 6) / 6 = 4, its variance 8/6.
    let table = set_up("rounds=1", "at-least:4");
    let run = play(&simulation(&table, 60_000));
    let results = &run.summary.agents[0].results;
    close(results.mean_score, 4.0, 5.0 * (8.0f64 / 6.0 / 60_000.0).sqrt());
    close(results.sd_score.unwrap(), (8.0f64 / 6.0).sqrt(), 0.02);
    let [low, high] = results.mean_score_ci.unwrap();
    close(high - low, 2.0 * 1.959_964 * results.sd_score.unwrap() / 60_000f64.sqrt(), 1e-6);
    close(run.summary.stats.get("sixes").unwrap().mean.unwrap(), 1.0 / 6.0, 0.01);
    // A lone player always wins.
    assert_eq!((results.wins, results.win_share), (60_000, 1.0));
    let score = run.summary.agents[0].score;
    assert_eq!((score.min, score.p10, score.p50, score.p90, score.max), (3, 3, 3, 6, 6));
}

#[test]
fn figures_that_are_no_whole_numbers_are_summed_to_the_last_digit_shown() {
    let table = set_up("rounds=3", "coin");
    let run = play(&simulation(&table, 30_000));
    let takes = run.summary.stats.get("takes").unwrap();
    let share = run.summary.stats.get("take_share").unwrap();
    close(share.mean.unwrap(), takes.mean.unwrap() / 3.0, 1e-11);
    close(share.sd.unwrap(), takes.sd.unwrap() / 3.0, 1e-9);
    close(takes.sd.unwrap(), 0.75f64.sqrt(), 0.02);
}

#[test]
fn seats_of_one_entry_are_counted_together_with_the_episode_as_unit() {
    let table = set_up("", "at-least:4*2 coin");
    let mut apart = set_up("", "at-least:4 at-least:4 coin");
    let run = play(&simulation(&table, 5_000));
    let single = play(&simulation(&apart, 5_000));
    assert_eq!(run.summary.agents.len(), 2);
    let (pair, one, two) = (
        &run.summary.agents[0].results,
        &single.summary.agents[0].results,
        &single.summary.agents[1].results,
    );
    assert_eq!(pair.episodes, 10_000);
    assert_eq!(
        (pair.wins, pair.draws, pair.losses),
        (one.wins + two.wins, one.draws + two.draws, one.losses + two.losses)
    );
    close(pair.win_share, (one.win_share + two.win_share) / 2.0, 1e-12);
    close(pair.mean_score, (one.mean_score + two.mean_score) / 2.0, 1e-12);
    // Both seats take the same dice, so two carry no more information than one: the interval is that of one
    // seat.
    let width = |[low, high]: [f64; 2]| high - low;
    close(width(pair.mean_score_ci.unwrap()), width(one.mean_score_ci.unwrap()), 1e-3);
    close(width(pair.draw_ci), width(one.draw_ci), 1e-3);
    // An entry that has all seats has a win share of one third, with certainty.
    apart = set_up("", "coin*3");
    let run = play(&simulation(&apart, 500));
    let all = &run.summary.agents[0].results;
    close(all.win_share, 1.0 / 3.0, 1e-12);
    close(all.win_share_ci[1] - all.win_share_ci[0], 0.0, 1e-6);
}

/// The shares of the win by entry (over all of its seats) and by seat.
fn shares(run: &Run) -> [Vec<f64>; 2] {
    let agents = run.summary.agents.iter();
    let entries = agents.map(|agent| agent.results.win_share * f64::from(agent.seats_per_episode));
    let seats = run.summary.seats.iter().map(|seat| seat.results.win_share);
    [entries.collect(), seats.collect()]
}

#[test]
fn the_shares_of_seats_and_those_of_entries_sum_to_one() {
    // Columns: settings, line-up, and the share of every entry if all agents always act alike.
    let cases: [(&str, &str, Option<f64>); 6] = [
        ("rounds=1", "at-least:21 at-least:21 at-least:21", Some(1.0 / 3.0)),
        ("rounds=1", "at-least:21*4", Some(1.0)),
        ("rounds=2", "at-least:21*2 at-least:3", None),
        ("rounds=1", "at-least:4 at-least:2 at-least:2 at-least:2", None),
        ("rounds=3", "coin*3 mixed:4,0.3*2", None),
        ("rounds=3", "coin", Some(1.0)),
    ];
    for (set, line_up, all_tie) in cases {
        let table = set_up(set, line_up);
        for seating in [Seating::Fixed, Seating::Rotate, Seating::Shuffle, Seating::DealGroups] {
            let mut simulation = simulation(&table, 60);
            simulation.seating = seating;
            let run = play(&simulation);
            let [entries, seats] = shares(&run);
            for sum in [&entries, &seats] {
                close(sum.iter().sum::<f64>(), 1.0, 1e-9);
            }
            if let Some(share) = all_tie {
                entries.iter().for_each(|found| close(*found, share, 1e-12));
                seats.iter().for_each(|found| close(*found, 1.0 / seats.len() as f64, 1e-12));
            }
            // A player that never changes its seat has the share of the seat.
            if seating == Seating::Fixed && entries.len() == seats.len() {
                entries.iter().zip(&seats).for_each(|(entry, seat)| close(*entry, *seat, 1e-12));
            }
        }
    }
}

#[test]
fn the_share_of_who_has_all_seats_is_certain() {
    for line_up in ["coin", "coin*3"] {
        let run = play(&simulation(&set_up("", line_up), 40));
        let share = run.summary.agents[0].results.win_share;
        assert_eq!(run.summary.agents[0].results.win_share_ci, [share; 2], "{line_up}");
    }
    // A lone player has the whole win, by seat as by entry.
    let alone = play(&simulation(&set_up("", "coin"), 40));
    assert_eq!(
        (shares(&alone), alone.summary.seats[0].results.win_share_ci),
        ([vec![1.0], vec![1.0]], [1.0; 2])
    );
}

#[test]
fn a_figure_has_a_spread_from_two_values_on() {
    let figure = |values: &[f64]| {
        let mut sums = FigureSums::default();
        values.iter().for_each(|value| sums.add(*value));
        (sums.count(), sums.mean(), sums.sd())
    };
    assert_eq!(figure(&[]), (0, None, None));
    for value in [0.5, 3.0, -2.0, 1e9, 1e12] {
        assert_eq!(figure(&[value]), (1, Some(value), None), "{value}");
    }
    // Two values differ from their mean by half of their difference, so the standard deviation is the
    // difference over √2.
    for (one, other) in [(0.5, 1.5), (0.25, 3.0), (2.0, 7.0), (-4.0, 100.0), (0.5, 200.25)] {
        let (count, mean, sd) = figure(&[one, other]);
        assert_eq!((count, mean), (2, Some((one + other) / 2.0)));
        close(sd.unwrap(), (other - one) / 2.0f64.sqrt(), 1e-9);
        let (mut sums, mut more) = (FigureSums::default(), FigureSums::default());
        sums.add(one);
        more.add(other);
        sums.merge(&more);
        assert_eq!(sums.sd(), sd, "{one} and {other} merged");
    }
    assert_eq!(figure(&[f64::NAN, f64::INFINITY]), (0, None, None));
}

#[test]
fn histograms_are_equal_exactly_if_they_count_the_same() {
    let histogram = |values: &[i64]| {
        let mut histogram = Histogram::new();
        values.iter().for_each(|value| histogram.add(*value));
        histogram
    };
    let base: &[i64] = &[1, 2, 2, 900_000];
    for (values, same) in [
        (&[1, 2, 2, 900_000][..], true),
        (&[900_000, 2, 1, 2], true),
        (&[1, 2, 900_000], false),
        (&[1, 2, 2, 900_001], false),
        (&[1, 1, 2, 900_000], false),
        (&[1, 2, 2, 900_000, 3], false),
        (&[], false),
    ] {
        assert_eq!(histogram(base) == histogram(values), same, "{values:?}");
    }
}

#[test]
fn nothing_depends_on_the_number_of_threads() {
    let table = set_up("", "at-least:4 mixed:5,0.3 coin*2");
    for seating in [Seating::Fixed, Seating::Rotate, Seating::Shuffle, Seating::DealGroups] {
        let mut simulation = simulation(&table, 3_001);
        simulation.seating = seating;
        let texts: Vec<String> = [1, 2, 5]
            .map(|threads| {
                simulation.threads = threads;
                let run = play(&simulation);
                assert_eq!((run.timing.threads, run.stopped), (threads, false));
                serde_json::to_string(&run.summary).unwrap()
            })
            .into();
        assert!(texts.iter().all(|text| *text == texts[0]), "{seating:?}");
    }
}

#[test]
fn deals_do_not_depend_on_the_line_up() {
    // The dice are the same, so an agent that takes all has the same scores against any opponent.
    let one = play(&simulation(&set_up("", "at-least:0 coin"), 100)).tally;
    let other = play(&simulation(&set_up("", "at-least:0 mixed:3,0.9"), 100)).tally;
    assert_eq!(one.scores(0), other.scores(0));
}

struct StopAfter(u64, StopFlag, Vec<u64>);

impl Progress for StopAfter {
    fn update(&mut self, done: u64, _total: u64, _label: &str) {
        self.2.push(done);
        if done >= self.0 {
            self.1.stop();
        }
    }
}

#[test]
fn a_stopped_run_is_a_shorter_run() {
    let table = set_up("", "coin at-least:5");
    let mut simulation = simulation(&table, 50_000_000);
    let stop = StopFlag::new();
    let mut progress = StopAfter(200, stop.clone(), Vec::new());
    let run = simulate(&simulation, &mut progress, &stop).unwrap();
    assert_eq!(run.to_json()["stopped"], true);
    assert!(run.stopped && run.summary.episodes >= 200 && run.summary.episodes < 50_000_000);
    assert!(progress.2.is_sorted() && progress.2.last() == Some(&run.summary.episodes));
    simulation.episodes = run.summary.episodes;
    let shorter = play(&simulation);
    assert!(!shorter.stopped && shorter.to_json()["stopped"] == false);
    assert_eq!(shorter.summary, run.summary);
    assert_eq!(shorter.tally, run.tally);
    // A run stopped before it began plays at least one episode, so that there are results to show.
    let run = simulate(&simulation, &mut NoProgress, &stop).unwrap();
    assert!((1..100).contains(&run.summary.episodes), "{}", run.summary.episodes);
}

#[test]
fn an_abandoned_run_needs_no_end_of_an_episode() {
    let table = set_up("", "coin at-least:5");
    let simulation = simulation(&table, 1000);
    let stop = StopFlag::with_abandonment();
    // Runs that can be abandoned play the same episodes.
    assert_eq!(simulate(&simulation, &mut NoProgress, &stop).unwrap().tally, play(&simulation).tally);
    stop.abandon();
    assert!(stop.is_stopped() && stop.is_abandoned());
    assert!(matches!(simulate(&simulation, &mut NoProgress, &stop), Err(LabError::Abandoned)));
}

#[test]
fn a_panic_of_an_agent_is_an_error_that_says_where() {
    let table = set_up("", "panics coin");
    for threads in [1, 4] {
        let mut simulation = simulation(&table, 1000);
        simulation.threads = threads;
        let error = simulate(&simulation, &mut NoProgress, &StopFlag::new()).unwrap_err().to_string();
        assert!(error.starts_with("expected to play episodes 0 to 15, found a panic: "), "{error}");
    }
}

#[test]
fn the_json_has_the_promised_keys_in_order() {
    let run = play(&simulation(&set_up("", "coin at-least:5"), 10));
    let json = run.to_json();
    let keys = |value: &serde_json::Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let top = keys(&json);
    for key in
        words("format game variant seed episodes seconds episodes_per_second agents seats ends length stats")
    {
        assert!(top.contains(&key), "{key} is missing");
    }
    let position = |key: &str| top.iter().position(|own| own == key).unwrap();
    assert_eq!(position("seconds"), position("episodes") + 1);
    let agent = keys(&json["agents"][0]);
    let promised = words(
        "name spec episodes wins draws losses win_share win_share_ci mean_score sd_score mean_score_ci",
    );
    for key in &promised {
        assert!(agent.contains(key), "agents: {key} is missing");
        assert!(
            ["name", "spec"].contains(&key.as_str()) || keys(&json["seats"][0]).contains(key),
            "seats: {key}"
        );
    }
    assert_eq!(keys(&json["length"]), words("mean sd min p10 p50 p90 max"));
    assert_eq!(keys(&json["stats"]["takes"]), words("mean sd"));
    assert_eq!((json["format"].as_u64(), json["variant"]["rounds"].as_u64()), (Some(1), Some(4)));
    assert!(!keys(&run.summary.to_json(None)).contains(&"seconds".to_owned()));
}

#[test]
fn line_ups_read_back() {
    // Columns: words, names, seats by entry.
    let cases = [
        ("coin", "coin", "1"),
        ("coin coin coin", "coin|coin #2|coin #3", "1 1 1"),
        ("at-least:3*2 coin", "at-least:3|coin", "2 1"),
        ("Ann=at-least:least=3*2 Bob=coin", "Ann|Bob", "2 1"),
        ("mixed:least=3,chance=0.1", "mixed:least=3,chance=0.1", "1"),
    ];
    for (text, names, seats) in cases {
        let line_up = LineUp::parse(&words(text)).unwrap();
        let found: Vec<&str> = line_up.entries().iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(found.join("|"), names, "{text}");
        let found: Vec<String> = line_up.entries().iter().map(|entry| entry.seats.to_string()).collect();
        assert_eq!(found.join(" "), seats, "{text}");
        assert_eq!(LineUp::parse(&line_up.words()).unwrap().players(), line_up.players(), "{text}");
    }
}

/// A name that was given belongs to one entry, in whatever order.
#[test]
fn given_names_are_unique() {
    for text in ["a=coin a=at-least:3", "a=coin a=coin", "coin=at-least:3 coin", "coin coin=at-least:3"] {
        let error = LineUp::parse(&words(text)).unwrap_err().to_string();
        assert!(error.contains("expected every name once") && error.contains("hint: "), "{text}: {error}");
    }
}

#[test]
fn guests_fill_the_table() {
    let table = set_up("guests=2", "at-least:3");
    assert_eq!((table.line_up.seats(), table.line_up.entries().len()), (3, 2));
    assert_eq!(table.line_up.groups(), [0, 1, 1]);
    assert_eq!(table.line_up.entries()[1].name, "coin");
}

#[test]
fn bad_input_is_refused_with_a_hint() {
    // Columns: settings, line-up, and a part of the expected message.
    let cases = [
        ("", "", "1 to 6 players, found 0"),
        ("", "coin*0", "1 to 4096 seats"),
        ("", "coin*99999999999999999999", "1 to 4096 seats"),
        ("", ":3", "the name of an agent"),
        ("", "Bob=", "the name of an agent"),
        ("", "coin*7", "1 to 6 players"),
        ("", "koin", "did you mean 'coin'"),
        ("", "at-least:22", "a whole number from 0 to 21, found '22'"),
        ("", "at-least:most=3", "unknown parameter 'most'"),
        ("rouds=3", "coin", "did you mean 'rounds'"),
        ("rounds=0", "coin", "from 1 to 50"),
    ];
    for (set, line_up, message) in cases {
        let error = SetUp::new(&*toy::entry(), None, &crate::settings(set), &words(line_up)).err().unwrap();
        assert!(error.to_string().contains(message), "{line_up}: {error}");
    }
    let table = set_up("", "coin coin");
    let error = simulate(&simulation(&table, 0), &mut NoProgress, &StopFlag::new()).err().unwrap();
    assert!(matches!(error, LabError::Episodes { found: 0 }));
    let mut wrong = simulation(&table, 10);
    wrong.line_up = LineUp::parse(&words("coin")).unwrap();
    let error = simulate(&wrong, &mut NoProgress, &StopFlag::new()).err().unwrap();
    assert!(error.to_string().contains("expected 2 players, found 1"), "{error}");
}
