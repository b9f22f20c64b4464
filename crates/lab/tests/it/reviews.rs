//! Reviews of a game in which one agent knows the value of every action.

use meeple_core::{AgentSpec, Driver, Due, EpisodeSeed, Replay, Seat};
use meeple_lab::review::{Review, ReviewOptions, Reviewing, Worth, review_grids, review_plots, review_words};
use meeple_lab::{LabError, NoProgress, StopFlag};

use crate::{set_up, toy};

/// An episode of 12 rounds. Seat 0 takes a die from 5 on, seat 1 from 2 on, and seat 2 from 4 on, which is
/// best.
fn replay() -> Replay {
    let players = "at-least:5 at-least:2 at-least:4";
    let set_up = set_up("rounds=12", players);
    let mut driver = Driver::new(set_up.game.episode(EpisodeSeed::new(3, 0)));
    for (seat, player) in players.split(' ').enumerate() {
        driver.seat_agent(Seat::new(seat), &AgentSpec::parse(player)).unwrap();
    }
    loop {
        match driver.due() {
            Due::Chance => driver.draw_chance(),
            Due::Decide(questions) => {
                questions.into_iter().for_each(|question| driver.ask_agent(question).unwrap());
            }
            Due::Over => break,
        }
    }
    driver.replay(&players.split(' ').map(Into::into).collect::<Vec<_>>(), None)
}

fn options(agent: &str) -> ReviewOptions {
    ReviewOptions { agent: AgentSpec::parse(agent), iterations: None, seat: None, seed: 1, threads: 1 }
}

fn review(replay: &Replay, options: &ReviewOptions) -> Result<Review, LabError> {
    Reviewing::new(&*toy::entry(), replay, options)?.run(&mut NoProgress, &StopFlag::new())
}

/// The die that every decision is about, by moment.
fn dice(replay: &Replay) -> Vec<f64> {
    let mut die = 0.0;
    let step = |text: &String| {
        if let Some(drawn) = text.strip_prefix("c ") {
            die = drawn.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap();
        }
        die
    };
    replay.steps.iter().map(step).collect()
}

#[test]
fn costs_are_what_a_better_choice_would_have_brought() {
    let replay = replay();
    let dice = dice(&replay);
    let review = review(&replay, &options("tells")).unwrap();
    assert_eq!((review.decisions.len(), review.complete, review.of.unit), (36, true, "points"));
    let mut mistakes = [0, 0, 0];
    for verdict in &review.decisions {
        let die = dice[verdict.moment];
        let (best, played) = (die.max(3.0), if verdict.played == "take" { die } else { 3.0 });
        let cost = verdict.cost.unwrap();
        // A die of three is worth as much either way, and the agent passes then.
        assert_eq!((verdict.expected.value, cost.value), (best, best - played), "{verdict:?}");
        assert_eq!(verdict.agrees(), verdict.played == verdict.choice);
        let half = if verdict.agrees() { 0.0 } else { 1.959_964 * 0.5 * 2.0_f64.sqrt() };
        assert!((cost.half.unwrap() - half).abs() < 1e-6, "{verdict:?}");
        mistakes[verdict.seat.index()] += usize::from(cost.value > 0.0);
    }
    assert!(mistakes[0] > 0 && mistakes[1] > 0, "the dice showed 4 and 2: {mistakes:?}");
    assert_eq!(mistakes[2], 0);
    for (seat, mistakes) in review.seats.iter().zip(mistakes) {
        // Every mistake here costs one point.
        let mean = seat.mean_cost.unwrap().value;
        assert!((mean - mistakes as f64 / 12.0).abs() < 1e-12, "{seat:?}");
    }
    let grids = review_grids(&review);
    let costly = grids.iter().find(|grid| grid.title.starts_with("Costliest decisions of seat 0")).unwrap();
    assert_eq!(costly.rows.len(), mistakes[0].min(5));
    assert!(costly.note.contains("may be 0"), "one point is within the interval");
    assert!(!grids.iter().any(|grid| grid.title.starts_with("Costliest decisions of seat 2")));
    assert_eq!(review_plots(&review).unwrap().len(), 1);
}

#[test]
fn swings_add_up_to_the_whole_way() {
    let replay = replay();
    let review = review(&replay, &ReviewOptions { seat: Some(Seat::new(1)), ..options("tells") }).unwrap();
    assert_eq!((review.decisions.len(), review.of.viewpoint), (12, Seat::new(1)));
    let changes: f64 = review.swings.iter().map(|swing| swing.after - swing.before).sum();
    let end = replay.result.unwrap().scores[1] as f64;
    let first = review.decisions[0].expected.value;
    assert!((changes - (end - first)).abs() < 1e-9, "points at the end, and what was expected at first");
    for swing in &review.swings {
        let parts = swing.own.unwrap() + swing.rest.unwrap();
        assert!((parts - (swing.after - swing.before)).abs() < 1e-9, "{swing:?}");
    }
    assert!(review.swings.windows(2).all(|pair| pair[0].size() >= pair[1].size()));
    let words = review_words(&review).join("\n");
    assert!(
        words.contains("Expected result of seat 1 (at-least:2), as estimated by tells (points)"),
        "{words}"
    );
    assert!(words.contains(&format!("the end was worth {end} points")), "{words}");
}

#[test]
fn threads_do_not_matter_and_a_stop_keeps_the_beginning() {
    let replay = replay();
    let whole = review(&replay, &options("tells")).unwrap();
    assert_eq!(review(&replay, &ReviewOptions { threads: 4, ..options("tells") }).unwrap(), whole);
    let stop = StopFlag::new();
    /// Stops a run after this number of decisions.
    struct After(u64, StopFlag);
    impl meeple_lab::Progress for After {
        fn update(&mut self, done: u64, total: u64, _: &str) {
            assert_eq!(total, 36);
            if done == self.0 {
                self.1.stop();
            }
        }
    }
    let options = options("tells");
    let reviewing = Reviewing::new(&*toy::entry(), &replay, &options).unwrap();
    let part = reviewing.run(&mut After(7, stop.clone()), &stop).unwrap();
    let done = part.decisions.len();
    assert!((7..36).contains(&done) && !part.complete);
    assert_eq!(part.decisions, whole.decisions[..done]);
    assert!(!review_words(&part).join(" ").contains("the end was worth"));
}

#[test]
fn who_cannot_judge_is_refused() {
    let replay = replay();
    let refusal = |agent: &str| review(&replay, &options(agent)).unwrap_err().to_string();
    assert!(refusal("coin").starts_with("expected an agent that analyses its actions, found 'coin'"));
    assert!(refusal("panics").starts_with("expected what the agent thinks at moment 1, found a panic: "));
    assert!(refusal("nobody").starts_with("unknown agent 'nobody'"));
    let mut broken = replay.clone();
    broken.steps.swap(0, 1);
    assert!(matches!(review(&broken, &options("tells")), Err(LabError::Replay(_))));
}

#[test]
fn worths_are_printed_with_known_intervals() {
    for (worth, is_share, expected) in [
        (Worth { value: 0.573, half: Some(0.021) }, true, "57.3 ± 2.1"),
        (Worth { value: 0.573, half: None }, true, "57.3"),
        (Worth { value: 0.0, half: Some(0.0) }, true, "0.0"),
        (Worth { value: -0.0001, half: None }, true, "0.0"),
        (Worth { value: 57.3, half: Some(2.1) }, false, "57.3 ± 2.1"),
        (Worth { value: 57.0, half: None }, false, "57"),
    ] {
        assert_eq!(worth.text_with_interval(is_share), expected);
    }
}
