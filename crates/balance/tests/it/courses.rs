use meeple_core::{AgentSpec, AnyEntry, EpisodeSeed, Phase, Seat, Seating};

use crate::{hands, near, options, settings, words};

#[test]
fn courses_are_what_happened() {
    let set = settings(&[("rounds", "6"), ("luck", "1")]);
    let game = hands::entry().set_up(None, &set, 3).unwrap();
    let agents = vec![AgentSpec::parse("random"); 3];
    let mut runner = game.course_runner(&agents).unwrap();
    let (mut changes, mut forced_at_all) = (0, 0);
    runner.run(5, Seating::Fixed, 0..200, &mut |report, course| {
        let mut episode = game.episode(EpisodeSeed::new(5, report.index));
        for seat in Seat::all(3) {
            episode.seat_agent(seat, &agents[0]).unwrap();
        }
        let (mut leaders, mut decisions, mut forced) = (vec![None], 0, 0);
        loop {
            match episode.phase() {
                Phase::Over => break,
                Phase::Chance => {
                    episode.step_chance();
                    let scores = [0, 1, 2].map(|seat| episode.score(Seat::new(seat)));
                    let most = scores.iter().max();
                    let mut best = (0..3).filter(|seat| Some(&scores[*seat]) == most);
                    let first = best.next();
                    leaders.resize(decisions + 1, *leaders.last().unwrap());
                    leaders[decisions] = if best.next().is_some() { None } else { first };
                }
                Phase::Decide(seats) => {
                    for seat in seats {
                        forced += u64::from(episode.legal_actions(seat).len() == 1);
                        episode.let_agent_decide(seat, None).unwrap().unwrap();
                        decisions += 1;
                    }
                }
            }
        }
        assert_eq!(course.decisions(), decisions as u64);
        assert_eq!(course.turns(), decisions as u64, "all decide at the same time");
        assert_eq!(course.forced(), Some(forced));
        for (at, leader) in leaders.iter().enumerate() {
            assert_eq!(course.leader_after(at as u64).map(Seat::index), *leader, "{course:?} after {at}");
        }
        let mut alone: Vec<usize> = leaders.into_iter().flatten().collect();
        alone.dedup();
        assert_eq!(course.lead_changes(), alone.len().saturating_sub(1) as u64);
        changes += course.lead_changes();
        forced_at_all += forced;
        true
    });
    assert!(changes > 100, "{changes}");
    assert_eq!(forced_at_all, 200);
}

#[test]
fn what_games_are_like_comes_from_their_courses() {
    let options = meeple_balance::BalanceOptions { seats: 2, ..options() };
    let set = settings(&[("rounds", "4")]);
    let balance =
        meeple_balance::Balance::new(&hands::entry(), None, &set, &words(&crate::ALL), &options).unwrap();
    let played = meeple_balance::play(&balance, &mut meeple_lab::NoProgress, &meeple_lab::StopFlag::new());
    let answers = meeple_balance::answer(&balance, &played.unwrap().unwrap()).unwrap();
    let course = &answers.at_all_tables;
    near(course.length.value, 4.0, 1e-6);
    near(course.decisions.value, 8.0, 1e-6);
    near(course.decisions_a_turn.value, 1.0, 1e-6);
    // One of eight decisions is forced.
    near(course.forced.unwrap().value, 0.125, 1e-6);
    near(course.ends[0].value, 1.0, 1e-6);
    near(course.ends[1].value, 0.0, 1e-6);
    assert!(course.ends[1].ends()[1] > 0.0, "what was not seen may be");
    assert_eq!(answers.lengths, [4; 5]);
}
