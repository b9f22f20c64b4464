//! Questions of the driver, and its treatment of late, wrong and missing answers.

use std::sync::Arc;

use meeple_core::{
    Agent, AgentInfo, AgentSpec, Answer, Consequence, Defined as _, Driver, Due, Episode, EpisodeSeed,
    FaultRule, Final, Game, NoParams, Phase, PlayerFault, Question, Refusal, ReplayFault, Seat, Severity,
    Stream, Turn, any_episode,
};
use meeple_testkit::toys::{Hands, HandsVariant, Nim, NimVariant};

const KIND: FaultRule = FaultRule { forfeit: false, strikes: Some(2) };

fn fault(severity: Severity) -> PlayerFault<'static> {
    PlayerFault { kind: "TIMEOUT", severity, took_us: Some(2_000_000) }
}

/// Random agent.
struct Random;

impl<G: Game> Agent<G> for Random {
    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        turn.sample_action()
    }
}

fn random<G: Game>() -> AgentInfo<G> {
    AgentInfo::new("random", "decides at random", |_: &G, _: NoParams| Ok(Random))
}

fn nim(sticks: u8) -> Driver {
    let game = Arc::new(Nim::new(NimVariant { sticks, most: 3 }, 2).unwrap());
    Driver::new(any_episode(Episode::new(game, EpisodeSeed::new(1, 0)), [random()].into()))
}

fn hands() -> Driver {
    let game = Arc::new(Hands::new(HandsVariant::default(), 3).unwrap());
    Driver::new(any_episode(Episode::new(game, EpisodeSeed::new(1, 0)), [random()].into()))
}

/// The open questions, after chance has drawn.
fn open(driver: &mut Driver) -> Vec<Question> {
    loop {
        match driver.due() {
            Due::Chance => driver.draw_chance(),
            Due::Decide(questions) => return questions,
            Due::Over => return Vec::new(),
        }
    }
}

fn seat(index: usize) -> Seat {
    Seat::new(index)
}

#[test]
fn a_question_has_one_number_until_it_is_answered() {
    let mut driver = nim(5);
    let first = vec![Question { seat: seat(0), number: 0 }];
    assert_eq!(driver.due(), Due::Decide(first.clone()));
    assert_eq!(driver.due(), Due::Decide(first), "asking again asks nothing new");
    let early = driver.answer(seat(1), 0, Answer::Index(0)).unwrap_err();
    assert_eq!(early.to_string(), "question 0 of seat 1 is not open; the seat owes no decision");
    let late = driver.answer(seat(0), 1, Answer::Index(0)).unwrap_err();
    assert_eq!(late, Refusal::Stale { seat: seat(0), number: 1, open: Some(0) });
    assert_eq!(late.to_string(), "question 1 of seat 0 is not open; expected an answer to 0");
    assert_eq!(
        driver.answer(seat(9), 0, Answer::Index(0)).unwrap_err().to_string(),
        "question 0 of seat 9 is not open; the seat owes no decision"
    );
    for (wrong, reason) in [
        (Answer::Index(3), "expected an index below 3, found 3"),
        (Answer::Text("take 4"), "expected one of take 1, take 2, take 3, found take 4"),
        (Answer::Json("7"), "invalid type"),
    ] {
        let refused = driver.answer(seat(0), 0, wrong).unwrap_err();
        assert!(refused.to_string().contains(reason), "{refused}");
    }
    assert_eq!(driver.view().steps(), 0, "nothing has changed");
    driver.answer(seat(0), 0, Answer::Json("\"take 2\"")).unwrap();
    let again = driver.answer(seat(0), 0, Answer::Text("take 2")).unwrap_err();
    assert!(matches!(again, Refusal::Stale { open: None, .. }), "an answer is taken once");
    assert_eq!(driver.due(), Due::Decide(vec![Question { seat: seat(1), number: 0 }]));
    driver.answer(seat(1), 0, Answer::Index(2)).unwrap();
    assert_eq!(driver.due(), Due::Over);
    assert_eq!(driver.view().outcome().unwrap().places, [2, 1]);
}

#[test]
fn decisions_of_one_moment_are_taken_together_in_the_order_of_seats() {
    let (mut quick, mut slow) = (hands(), hands());
    while !open(&mut quick).is_empty() {
        let questions = open(&mut quick);
        let before = quick.view().steps();
        for (index, Question { seat, number }) in questions.iter().enumerate() {
            assert_eq!(quick.view().steps(), before, "held until the last has come");
            quick.answer(*seat, *number, Answer::Index(0)).unwrap();
            assert_eq!(quick.view().steps() > before, index + 1 == questions.len());
        }
        for Question { seat, number } in open(&mut slow).into_iter().rev() {
            slow.answer(seat, number, Answer::Index(0)).unwrap();
        }
    }
    assert_eq!(slow.due(), Due::Over);
    assert_eq!(quick.view().replay(&[], None), slow.view().replay(&[], None));
}

#[test]
fn faults_bring_the_fallback_and_then_the_end_of_play() {
    let mut driver = nim(20);
    open(&mut driver);
    assert_eq!(driver.fault(seat(0), Some(0), fault(Severity::Passing), KIND), Ok(Consequence::Fallback));
    assert_eq!(driver.view().step_text(0), format!("0 {}", "take 1"), "the fallback has answered");
    assert_eq!(open(&mut driver), [Question { seat: seat(1), number: 0 }]);
    let late = driver.fault(seat(0), Some(0), fault(Severity::Fatal), KIND);
    assert_eq!(
        late,
        Err(Refusal::Stale { seat: seat(0), number: 0, open: None }),
        "a clock that expired too late"
    );
    assert_eq!(driver.tally(seat(0)).faults, 1);
    // A fault without a question answers no question, but counts.
    assert_eq!(driver.fault(seat(0), None, fault(Severity::Passing), KIND), Ok(Consequence::Out));
    assert_eq!(driver.view().steps(), 1);
    driver.answer(seat(1), 0, Answer::Index(1)).unwrap();
    assert_eq!(open(&mut driver), [Question { seat: seat(1), number: 1 }], "seat 0 is answered for");
    let tally = driver.tally(seat(0));
    assert_eq!((tally.asked, tally.decisions, tally.fallbacks, tally.faults), (1, 2, 2, 2));
    // The replay has all recorded faults, in order, and is readable.
    let replay = driver.replay(&["Ann".into(), "Bob".into()], None);
    let expected = |step, then| ReplayFault {
        took_us: Some(2_000_000),
        ..ReplayFault::new(seat(0), step, "TIMEOUT", then)
    };
    assert_eq!(replay.faults, [expected(0, Consequence::Fallback), expected(1, Consequence::Out)]);
    assert_eq!(meeple_core::Replay::parse(&replay.to_text()).unwrap(), replay);
    replay.verify(&Nim::definition(), |_| {}).map(drop).unwrap();
    for (severity, rule) in
        [(Severity::Fatal, KIND), (Severity::Passing, FaultRule { forfeit: true, strikes: None })]
    {
        let mut driver = nim(20);
        open(&mut driver);
        assert_eq!(driver.fault(seat(0), Some(0), fault(severity), rule), Ok(Consequence::Out));
        assert_eq!(driver.view().steps(), 1);
    }
}

#[test]
fn an_episode_ends_though_nobody_plays() {
    let mut driver = hands();
    for index in 0..3 {
        driver.put_out(seat(index));
    }
    assert!(open(&mut driver).is_empty());
    assert!(driver.view().outcome().is_some());
    assert_eq!(driver.tally(seat(0)).asked, 0);
}

/// Agents, seats that are out, and chance need no host. Questions, decisions and draws are the same as step
/// by step.
#[test]
fn playing_on_is_the_same_as_asking_each() {
    for (begin, outside) in
        [(nim as fn(u8) -> Driver, 1), (nim, 9), (|_| hands(), 1), (|_| hands(), 9), (|_| hands(), 2)]
    {
        for out in [None, Some(seat(0))] {
            let play = |plays_on: bool| {
                let mut driver = begin(15);
                let agents: Vec<Seat> =
                    Seat::all(driver.view().seats()).filter(|seat| seat.index() != outside).collect();
                for agent in &agents {
                    driver.seat_agent(*agent, &AgentSpec::parse("random")).unwrap();
                }
                if let Some(out) = out {
                    driver.put_out(out);
                }
                loop {
                    if plays_on {
                        driver.play_on().unwrap();
                    }
                    match driver.due() {
                        Due::Chance => driver.draw_chance(),
                        Due::Over => break,
                        Due::Decide(questions) => {
                            for question in questions {
                                match agents.contains(&question.seat) {
                                    true => driver.ask_agent(question).unwrap(),
                                    false => driver
                                        .answer(question.seat, question.number, Answer::Index(0))
                                        .unwrap(),
                                }
                            }
                        }
                    }
                }
                let tallies: Vec<_> =
                    Seat::all(driver.view().seats()).map(|seat| driver.tally(seat)).collect();
                let news: Vec<_> = Seat::all(driver.view().seats()).map(|seat| driver.news(seat)).collect();
                (driver.view().replay(&[], None), tallies, news)
            };
            assert_eq!(play(true), play(false));
        }
    }
    let mut alone = nim(15);
    open(&mut alone);
    alone.seat_agent(seat(0), &AgentSpec::parse("random")).unwrap();
    alone.play_on().unwrap();
    assert_eq!(alone.tally(seat(0)).asked, 1, "the question that was open is no other");
    assert_eq!(open(&mut alone), [Question { seat: seat(1), number: 0 }]);
}

#[test]
fn who_takes_back_gets_another_question() {
    let mut driver = nim(9);
    driver.seat_person(seat(0));
    assert_eq!(driver.take_back(seat(0)), Err(Final::Nothing));
    open(&mut driver);
    driver.answer(seat(0), 0, Answer::Text("take 3")).unwrap();
    assert_eq!(driver.take_back(seat(0)), Ok("take 3".to_owned()));
    assert_eq!(open(&mut driver), [Question { seat: seat(0), number: 1 }]);
    assert!(driver.answer(seat(0), 0, Answer::Index(0)).is_err(), "an answer on its way comes too late");
    assert_eq!(driver.tally(seat(0)).decisions, 0);
    driver.answer(seat(0), 1, Answer::Text("take 1")).unwrap();
    open(&mut driver);
    driver.answer(seat(1), 0, Answer::Index(0)).unwrap();
    assert_eq!(driver.take_back(seat(0)), Err(Final::Other(seat(1))));
    // Nobody else knows a held decision yet, so it can be taken back.
    let mut driver = hands();
    driver.seat_person(seat(1));
    let questions = open(&mut driver);
    let own = questions.iter().find(|question| question.seat == seat(1)).unwrap();
    let steps = driver.view().steps();
    driver.answer(seat(1), own.number, Answer::Index(0)).unwrap();
    driver.seat_person(seat(2));
    assert_eq!(driver.take_back(seat(2)), Err(Final::Nothing), "decisions of others are not revealed");
    driver.take_back(seat(1)).unwrap();
    assert_eq!(driver.view().steps(), steps);
    assert!(open(&mut driver).contains(&Question { seat: seat(1), number: own.number + 1 }));
}

/// A seat cannot take back a decision after its clock expired, and gets no new clock.
#[test]
fn what_the_fallback_decided_stands() {
    let lenient = FaultRule { forfeit: false, strikes: None };
    for rule in [lenient, FaultRule { forfeit: true, strikes: None }] {
        let mut driver = nim(9);
        driver.seat_person(seat(0));
        driver.seat_person(seat(1));
        open(&mut driver);
        driver.fault(seat(0), Some(0), fault(Severity::Passing), rule).unwrap();
        assert_eq!(driver.take_back(seat(0)), Err(Final::StoodIn));
        assert_eq!(open(&mut driver), [Question { seat: seat(1), number: 0 }]);
        // A fallback among simultaneous decisions is final, too.
        let mut driver = hands();
        driver.seat_person(seat(1));
        let own = open(&mut driver).into_iter().find(|question| question.seat == seat(1)).unwrap();
        driver.fault(seat(1), Some(own.number), fault(Severity::Passing), rule).unwrap();
        assert_eq!(driver.take_back(seat(1)), Err(Final::StoodIn));
        let mut episode = driver.into_episode();
        assert_eq!(episode.take_back(seat(1)), Err(Final::Nothing), "nor does it go below the driver");
    }
    // A seat that is put out cannot take back its own earlier decision, either.
    let mut driver = nim(9);
    driver.seat_person(seat(0));
    open(&mut driver);
    driver.answer(seat(0), 0, Answer::Text("take 3")).unwrap();
    driver.put_out(seat(0));
    assert_eq!(driver.take_back(seat(0)), Err(Final::StoodIn));
}

/// A seat gets the true reason why its decision stands, and learns nothing of others who are deciding.
#[test]
fn a_decision_that_stands_says_why() {
    let mut driver = nim(9);
    driver.seat_person(seat(0));
    driver.seat_person(seat(1));
    for number in 0..2 {
        open(&mut driver);
        driver.answer(seat(number), 0, Answer::Text("take 1")).unwrap();
    }
    assert_eq!(driver.take_back(seat(0)), Err(Final::Other(seat(1))));
    assert_eq!(driver.take_back(seat(1)), Ok("take 1".to_owned()));
    assert_eq!(driver.take_back(seat(0)), Ok("take 1".to_owned()), "all since are gone");

    let mut driver = hands();
    (0..3).for_each(|index| driver.seat_person(seat(index)));
    let first = open(&mut driver);
    for Question { seat, number } in &first {
        driver.answer(*seat, *number, Answer::Index(0)).unwrap();
    }
    let second = open(&mut driver);
    assert!(second.len() > 1, "the next moment is one of several seats too");
    let before = driver.take_back(second[0].seat);
    driver.answer(second[1].seat, second[1].number, Answer::Index(0)).unwrap();
    assert_eq!(
        driver.take_back(second[0].seat),
        before,
        "it is the same before and after another has decided"
    );
}

#[test]
fn news_of_a_decision_taken_back_are_void() {
    let mut driver = nim(9);
    driver.seat_person(seat(0));
    open(&mut driver);
    driver.news(seat(1));
    let before = driver.told(seat(1));
    driver.answer(seat(0), 0, Answer::Text("take 3")).unwrap();
    let news = driver.news(seat(1));
    assert_eq!(news[0].number, before);
    assert_eq!(driver.told(seat(1)), before + news.len());
    driver.take_back(seat(0)).unwrap();
    assert_eq!(driver.told(seat(1)), before);
    open(&mut driver);
    driver.answer(seat(0), 1, Answer::Text("take 1")).unwrap();
    assert_eq!(driver.news(seat(1))[0].number, before, "numbers go on where the others no longer hold");
}

#[test]
fn an_episode_without_events_is_the_same_episode() {
    let play = |mut driver: Driver| {
        while let Some(question) = open(&mut driver).first().copied() {
            driver.answer(question.seat, question.number, Answer::Index(0)).unwrap();
        }
        (driver.view().replay(&[], None), driver.news(seat(0)).len())
    };
    let mut silent = hands();
    silent.keep_events_for(Vec::new());
    let ((expected, heard), (replay, nothing)) = (play(hands()), play(silent));
    assert_eq!(replay, expected);
    assert!(heard > 0 && nothing == 0);
}

#[test]
fn news_are_reported_once() {
    let mut driver = hands();
    open(&mut driver);
    let news = driver.news(seat(0));
    assert!(!news.is_empty());
    assert!(driver.news(seat(0)).is_empty());
    let mut json = Vec::new();
    driver.write_news(seat(1), &mut json);
    assert!(json.len() > 2);
    json.clear();
    driver.write_news(seat(1), &mut json);
    assert_eq!(json, b"[]");
}

/// Random calls in random order: question numbers are never reused, refusals change nothing, and the counts
/// match the episode.
#[test]
fn nothing_that_comes_confuses_the_table() {
    for (seed, begin) in (0..60).flat_map(|seed| [(seed, hands as fn() -> Driver), (seed, || nim(30))]) {
        let mut rng = Stream::from_seed(seed);
        let mut driver = begin();
        let seats = driver.view().seats();
        driver.seat_person(seat(0));
        driver.seat_person(seat(1));
        // By seat: the numbers of closed questions, and the decisions (true for fallbacks).
        let mut closed: Vec<Vec<u64>> = vec![Vec::new(); seats];
        let mut decided: Vec<Vec<bool>> = vec![Vec::new(); seats];
        for _ in 0..200 {
            let questions = open(&mut driver);
            for Question { seat, number } in &questions {
                assert!(!closed[seat.index()].contains(number), "a number is used again");
            }
            let Some(question) = questions.get(rng.index(questions.len().max(1))) else { break };
            let Question { seat: asked, number } = *question;
            let index = asked.index();
            match rng.below(8) {
                0 => {
                    let (seen, tally) = (driver.view().replay(&[], None), driver.tally(asked));
                    for stale in closed[index].iter().copied().chain([number + 1]) {
                        assert!(driver.answer(asked, stale, Answer::Index(0)).is_err());
                        assert!(driver.fault(asked, Some(stale), fault(Severity::Fatal), KIND).is_err());
                    }
                    assert!(driver.answer(asked, number, Answer::Index(usize::MAX)).is_err());
                    assert_eq!((driver.view().replay(&[], None), driver.tally(asked)), (seen, tally));
                    assert_eq!(open(&mut driver), questions, "what is refused leaves all questions open");
                }
                1 => {
                    let rule = FaultRule { forfeit: false, strikes: None };
                    driver.fault(asked, Some(number), fault(Severity::Passing), rule).unwrap();
                    closed[index].push(number);
                    decided[index].push(true);
                }
                2 | 3 => {
                    let who = rng.index(2);
                    let steps = driver.view().steps();
                    if driver.take_back(seat(who)).is_ok() {
                        decided[who].pop().expect("there was a decision");
                        let withdrawn = driver.view().steps() == steps;
                        let others = |questions: &[Question]| {
                            questions
                                .iter()
                                .filter(|open| open.seat != seat(who))
                                .copied()
                                .collect::<Vec<_>>()
                        };
                        let again = open(&mut driver);
                        assert!(again.iter().any(|open| open.seat == seat(who)), "it is asked again");
                        if withdrawn {
                            assert_eq!(others(&again), others(&questions), "nobody else is asked again");
                        } else {
                            for Question { seat, number } in others(&questions) {
                                closed[seat.index()].push(number);
                            }
                        }
                    }
                }
                _ => {
                    let legal = driver.view().legal_actions(asked).len();
                    driver.answer(asked, number, Answer::Index(rng.index(legal))).unwrap();
                    closed[index].push(number);
                    decided[index].push(false);
                }
            }
            for (index, decided) in decided.iter().enumerate() {
                let tally = driver.tally(seat(index));
                let fallbacks = decided.iter().filter(|fallback| **fallback).count();
                assert_eq!((tally.decisions, tally.fallbacks), (decided.len() as u64, fallbacks as u64));
            }
        }
    }
}

/// Seats go out at random times, before or after others decide: each moment resolves once, and the episode
/// ends.
#[test]
fn seats_go_out_at_any_moment() {
    for (seed, seats) in (0..100).flat_map(|seed| [2, 3, 5].map(|seats| (seed, seats))) {
        let mut rng = Stream::from_seed(seed);
        let game = Arc::new(Hands::new(HandsVariant::default(), seats).unwrap());
        let mut driver = Driver::new(any_episode(Episode::new(game, EpisodeSeed::new(seed, 0)), [].into()));
        loop {
            let questions = open(&mut driver);
            if questions.is_empty() {
                break;
            }
            let Question { seat, number } = questions[rng.index(questions.len())];
            match rng.below(4) {
                0 => driver.put_out(seat),
                1 => driver.put_out(Seat::new(rng.index(seats))),
                _ => driver.answer(seat, number, Answer::Index(0)).unwrap(),
            }
        }
        assert!(driver.view().outcome().is_some());
        let decisions: u64 = Seat::all(seats).map(|seat| driver.tally(seat).decisions).sum();
        let steps = (0..driver.view().steps()).map(|step| driver.view().step_text(step));
        assert_eq!(steps.filter(|step| !step.starts_with('c')).count() as u64, decisions);
    }
}

#[test]
fn an_answer_may_be_an_id_that_the_mask_allows() {
    let game = Arc::new(Hands::new(HandsVariant::default(), 3).unwrap());
    let mut mask = vec![9; game.action_bound() as usize];
    let mut episode = any_episode(Episode::new(game, EpisodeSeed::new(1, 0)), [].into());
    while episode.phase() == Phase::Chance {
        episode.write_mask(seat(0), &mut mask);
        assert!(mask.iter().all(|byte| *byte == 0), "nobody owes a decision yet");
        let early = episode.decide(seat(0), Answer::Id(0)).unwrap_err();
        assert_eq!(early.reason, "seat 0 cannot act: chance draws first");
        episode.step_chance();
    }
    episode.write_mask(seat(0), &mut mask);
    assert_eq!(mask.iter().filter(|byte| **byte == 1).count(), episode.legal_actions(seat(0)).len());
    let unknown = episode.decide(seat(0), Answer::Id(mask.len() as u32)).unwrap_err();
    assert_eq!(unknown.reason, format!("no legal action has the id {}", mask.len()));
    assert!(episode.held().is_empty(), "nothing has changed");
    let (id, texts) = (mask.iter().position(|byte| *byte == 1).unwrap(), episode.legal_actions(seat(0)));
    episode.decide(seat(0), Answer::Id(id as u32)).unwrap();
    let held = episode.held();
    assert!(matches!(&held[..], [(first, text)] if *first == seat(0) && texts.contains(text)), "{held:?}");
    episode.write_mask(seat(0), &mut mask);
    assert!(mask.iter().all(|byte| *byte == 0), "it has decided");
    let again = episode.decide(seat(0), Answer::Id(id as u32)).unwrap_err();
    assert_eq!(again.reason, "seat 0 has decided already; others still owe a decision");
}

#[test]
fn streams_go_on_where_they_stood() {
    let game = Arc::new(Nim::new(NimVariant { sticks: 20, most: 3 }, 2).unwrap());
    let mut episode = any_episode(Episode::new(game, EpisodeSeed::new(1, 0)), [].into());
    let mut sample = |stood: Option<&[u64]>| {
        if let Some(stood) = stood {
            let streams = episode.agent_streams().into_iter().zip(stood);
            streams.for_each(|(stream, seed)| *stream = Stream::from_seed(*seed));
        }
        let drawn: Vec<String> = (0..20).map(|_| episode.sample_action(seat(0))).collect();
        (drawn, episode.agent_streams().iter().map(|stream| stream.seed()).collect::<Vec<u64>>())
    };
    let (_, stood) = sample(None);
    let first = sample(None);
    assert_eq!(sample(Some(&stood)), first);
    assert_ne!(sample(None), first);
}
