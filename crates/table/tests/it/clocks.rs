//! Clocks, at times that tests choose.

use meeple_core::{AgentSpec, CancelToken, EpisodeSeed, Replay, Stream};
use meeple_table::{Act, Clocks, Entry, Left, Reply, RunOut, Table, TimeControl};

use crate::{for_every_preset, late, mixed, table};

fn control(text: &str) -> TimeControl {
    text.parse().unwrap()
}

fn runs(ms: u64) -> Left {
    Left { ms, runs: true }
}

fn stands(ms: u64) -> Left {
    Left { ms, runs: false }
}

#[test]
fn controls_are_read_as_they_are_written() {
    for (text, words) in [
        ("30s", "30s for each decision"),
        ("1h", "1h for each decision"),
        ("10m+5s", "10m for the game, and 5s more with each decision"),
        ("90s+0s", "90s for the game"),
    ] {
        assert_eq!((control(text).to_string().as_str(), control(text).words().as_str()), (text, words));
    }
    assert_eq!(control("60s").to_string(), "1m");
    for wrong in [
        "",
        "30",
        "s",
        "4s",
        "2h",
        "-5s",
        "+5s",
        "5m+",
        "9s+1s",
        "4h+1s",
        "5m+11m",
        "1.5m",
        "99999999999999999999s",
        "3é",
    ] {
        let message = wrong.parse::<TimeControl>().unwrap_err().to_string();
        assert!(message.contains(&format!("found '{wrong}'")), "{message}");
    }
}

#[test]
fn time_runs_for_who_is_asked_alone() {
    let mut clocks = Clocks::new(control("1m+5s"), 2);
    // Without a question the clock stands still.
    assert_eq!((clocks.left(0, 1_000_000), clocks.next_end()), (stands(60_000), None));
    clocks.go_on(1_000_000, &[Some(0), None]);
    assert_eq!((clocks.left(0, 1_010_000), clocks.left(1, 1_010_000)), (runs(50_000), stands(60_000)));
    assert_eq!(clocks.next_end(), Some(1_060_000));
    // The table goes on without this seat: its time keeps running.
    clocks.go_on(1_010_000, &[Some(0), Some(1)]);
    assert_eq!(clocks.left(0, 1_020_000), runs(40_000));
    // Seat 0 answers, and seat 1 gets a new question.
    clocks.go_on(1_020_000, &[None, Some(2)]);
    assert_eq!((clocks.left(0, 1_500_000), clocks.left(1, 1_020_000)), (stands(45_000), runs(55_000)));
}

#[test]
fn a_decision_has_its_time_whatever_was_left_of_the_one_before() {
    let mut clocks = Clocks::new(control("30s"), 1);
    clocks.go_on(0, &[Some(0)]);
    clocks.go_on(29_000, &[Some(1)]);
    assert_eq!(clocks.left(0, 29_000), runs(30_000));
}

#[test]
fn three_decisions_missed_in_a_row_lose_the_seat_and_the_games_time_does_at_once() {
    let mut clocks = Clocks::new(control("30s"), 2);
    let mut now = 0;
    let mut miss = |clocks: &mut Clocks, number: u64| {
        clocks.go_on(now, &[Some(number), None]);
        assert_eq!(clocks.out(now + 29_999), None);
        now += 30_000;
        assert_eq!((clocks.out(now), clocks.left(0, now)), (Some(0), runs(0)));
        clocks.miss(0)
    };
    assert_eq!([miss(&mut clocks, 0), miss(&mut clocks, 1)], [RunOut::Decision; 2]);
    // A decision by the seat itself resets the count.
    clocks.go_on(60_000, &[Some(2), None]);
    clocks.go_on(61_000, &[Some(3), None]);
    let mut now = 61_000;
    for (number, expected) in [(3, RunOut::Decision), (4, RunOut::Decision), (5, RunOut::Seat)] {
        clocks.go_on(now, &[Some(number), None]);
        now += 30_000;
        // Two calls for the same decision count once.
        assert_eq!((clocks.out(now), clocks.miss(0), clocks.miss(0)), (Some(0), expected, expected));
    }
    let mut clocks = Clocks::new(control("10s+5s"), 1);
    clocks.go_on(0, &[Some(0)]);
    assert_eq!((clocks.out(10_000), clocks.miss(0)), (Some(0), RunOut::Seat));
}

#[test]
fn a_restart_takes_no_time() {
    let mut clocks = Clocks::new(control("1m+0s"), 2);
    clocks.go_on(5_000, &[Some(0), None]);
    clocks.go_on(25_000, &[None, Some(1)]);
    let stored = clocks.all_left(25_000);
    // Ten seconds later the server is killed, and restarts with a different clock.
    let mut again = Clocks::with_left(clocks.control(), &stored);
    again.go_on(3, &[None, Some(1)]);
    assert_eq!((again.left(0, 3), again.left(1, 3)), (stands(40_000), runs(60_000)));
}

#[test]
fn whatever_happens_nobody_has_less_than_nothing_and_time_only_passes_for_who_is_asked() {
    let mut stream = Stream::from_seed(7);
    for text in ["30s", "1m+5s", "10s+0s"] {
        let mut clocks = Clocks::new(control(text), 3);
        let (mut now, mut numbers) = (0_u64, [None; 3]);
        for step in 0..5_000 {
            let before = clocks.all_left(now);
            now += u64::from(stream.below(7_000));
            let after = clocks.all_left(now);
            for seat in 0..3 {
                let asked = numbers[seat].is_some();
                assert_eq!(clocks.left(seat, now).runs, asked);
                assert!(if asked { after[seat] <= before[seat] } else { after[seat] == before[seat] });
            }
            assert_eq!(clocks.out(now).is_some(), clocks.next_end().is_some_and(|end| end <= now));
            if let Some(seat) = clocks.out(now) {
                clocks.miss(seat);
            }
            numbers[stream.index(3)] = (stream.below(3) > 0).then_some(step);
            clocks.go_on(now, &numbers);
        }
    }
}

/// Number of decisions in each game that substitutes take for people.
const DECISIONS: usize = 6;

#[test]
fn a_stand_in_takes_the_decision_of_a_person_as_a_step_like_any_other() {
    let agent = AgentSpec::parse("random");
    for_every_preset(|_, game, name| {
        let (mut table, mut own) = (table(game, 5), table(game, 5));
        // No time runs while a seat is open.
        assert!(table.times().iter().all(Option::is_none), "{name}");
        for table in [&mut table, &mut own] {
            table.join(1, "Ben").unwrap();
        }
        let mut taken = 0;
        while taken < DECISIONS && !table.is_over() {
            while let Some(thought) = table.thought() {
                let question = thought.question();
                let action = thought.decide(&CancelToken::new()).unwrap();
                table.take_thought(question, &action).unwrap();
                own.take_thought(question, &action).unwrap();
            }
            let times = table.times();
            let Some(seat) = times.iter().position(Option::is_some) else { break };
            assert_eq!(times[seat], table.question(seat).map(|question| question.number), "{name}");
            let thought = table.stand_in(seat, &agent).unwrap();
            let question = thought.question();
            let action = thought.decide(&CancelToken::new()).unwrap();
            let faults =
                table.frame(None).log.iter().filter(|line| line.text.starts_with("fault of")).count();
            // A refused decision leaves no fault behind.
            let before = table.record().len();
            assert!(table.take_stand_in(question, "no action", &agent, late()).is_err(), "{name}");
            assert_eq!((table.record().len(), table.replay().faults.len()), (before, taken), "{name}");
            table.take_stand_in(question, &action, &agent, late()).unwrap();
            let step = Entry::Decision { seat, action: action.clone(), id: None };
            assert_eq!(table.record().last(), Some(&step), "{name}");
            // A late decision is refused, and changes nothing.
            let before = table.record().len();
            assert!(table.take_stand_in(question, &action, &agent, late()).is_err(), "{name}");
            assert_eq!(table.record().len(), before, "{name}");
            // The person could have done the same.
            let done = own.act(seat, question.number, &format!("a{taken}"), Reply::Text(&action));
            assert_eq!(done, Ok(Act::Taken), "{name}");
            taken += 1;
            hold_fault(&table, seat, faults, name);
        }
        assert!(taken > 0, "{name}");
        let replay = table.replay();
        assert_eq!(replay.faults.len(), taken, "{name}");
        assert_eq!(Replay { faults: Vec::new(), ..replay }.to_text(), own.replay().to_text(), "{name}");
        let again = Table::rebuild(game, EpisodeSeed::new(5, 0), mixed(game), &[], table.record()).unwrap();
        assert_eq!(again.replay().to_text(), table.replay().to_text(), "{name}");
        // The next accepted entry is stored behind the whole record.
        assert_eq!(again.record(), table.record(), "{name}");
    });
}

/// Checks that a fault of a seat is reported once to viewers who may know that it decides: kind, time used,
/// substitute, and date.
fn hold_fault(table: &Table, seat: usize, before: usize, name: &str) {
    let line = format!(
        "fault of seat {seat} {}: TIMEOUT after 10.000 s at 2026-01-31T12:00:00.000Z; random stands in",
        table.holders()[seat].label().name
    );
    let reported = |viewer| table.frame(viewer).log.into_iter().filter(|entry| entry.text == line).count();
    let own = table.replay().faults.iter().filter(|fault| fault.seat.index() == seat).count();
    assert_eq!(reported(Some(seat)), own, "{name}");
    let public = table.frame(None).log.iter().filter(|line| line.text.starts_with("fault of")).count();
    let openly = table.view().decides_openly() || table.is_over();
    assert_eq!(public, if openly { table.replay().faults.len() } else { before }, "{name}");
    for viewer in [None, Some(0), Some(1)] {
        let numbers: Vec<usize> = table.frame(viewer).log.iter().map(|line| line.number).collect();
        assert_eq!(numbers, (0..numbers.len()).collect::<Vec<_>>(), "{name}");
    }
}
