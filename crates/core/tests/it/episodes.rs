use std::sync::Arc;

use meeple_core::{
    Agent, AnyRunner, Audience, CancelToken, Episode, EpisodeSeed, EventLog, EventSink, NoEvents, Phase,
    Playouts, Seat, SeatSet, Seating, Step, StepOf, Turn, Viewer,
};
use meeple_testkit::toys::{Hands, Nim, NimVariant, Take};

fn nim(sticks: u8) -> Arc<Nim> {
    Arc::new(Nim::new(NimVariant { sticks, most: 3 }, 2).unwrap())
}

#[test]
fn steps_have_one_text_form() {
    let step: StepOf<Hands> = "c 7".parse().unwrap();
    assert!(matches!(step, Step::Chance(_)));
    assert_eq!(step.to_string(), "c 7");
    let step: StepOf<Nim> = "1 take 3".parse().unwrap();
    assert_eq!(step, Step::Action(Seat::new(1), Take(3)));
    assert_eq!(step.to_string(), "1 take 3");
    for (text, expected) in [
        ("x 7", "expected 'c' or a seat, found 'x'"),
        ("4096 take 1", "expected 'c' or a seat, found '4096'"),
        ("-1 take 1", "expected 'c' or a seat, found '-1'"),
        ("", "expected 'c' or a seat, found ''"),
        ("0", "action '': expected 'take N', found ''"),
        ("0 take x", "action 'take x': expected 'take N', found 'take x'"),
        ("c 7", "chance '7': there is no chance in this game, found '7'"),
    ] {
        assert_eq!(text.parse::<StepOf<Nim>>(), Err(expected.to_owned()), "{text:?}");
    }
}

#[test]
fn refused_actions_leave_the_episode_as_it_was() {
    let mut episode = Episode::new(nim(4), EpisodeSeed::new(1, 0));
    let before = *episode.state();
    for (seat, take, reason) in [
        (0, 4, "expected one of take 1, take 2, take 3, found take 4"),
        (0, 0, "expected one of take 1, take 2, take 3, found take 0"),
        (1, 1, "seat 1 owes no decision; seat 0 owes a decision"),
    ] {
        let refused = episode.act(Seat::new(seat), &Take(take)).unwrap_err();
        assert_eq!(refused.reason, reason);
        assert_eq!((*episode.state(), episode.steps().len(), episode.events().len()), (before, 0, 0));
    }
    episode.act(Seat::new(0), &Take(3)).unwrap();
    episode.act(Seat::new(1), &Take(1)).unwrap();
    let refused = episode.act(Seat::new(0), &Take(1)).unwrap_err();
    assert_eq!(refused.reason, "seat 0 cannot act: the episode is over");
    assert_eq!(episode.outcome().unwrap().scores, [0, 1]);
    assert_eq!(episode.length(), 2);
}

#[test]
fn chance_is_forced_only_where_it_can_happen() {
    let hands = Arc::new(Hands::new(Default::default(), 2).unwrap());
    let mut episode = Episode::new(hands, EpisodeSeed::new(1, 0));
    let refused = episode.act(Seat::new(0), &"fold".parse().unwrap()).unwrap_err();
    assert!(refused.reason.contains("owes no decision"), "{refused}");
    episode.force_chance("7".parse().unwrap()).unwrap();
    let refused = episode.force_chance("7".parse().unwrap()).unwrap_err();
    assert_eq!(refused.reason, "chance cannot draw 7 here");
    episode.force_chance("8".parse().unwrap()).unwrap();
    assert_eq!(episode.phase(), Phase::Decide(SeatSet::first(2)));
    assert!(episode.force_chance("9".parse().unwrap()).is_err(), "it is not chance's turn");
    episode.step_chance();
    assert_eq!(episode.steps().len(), 2, "stepping chance out of turn does nothing");
    assert_eq!(episode.outcome(), None);
}

#[test]
fn a_copy_goes_its_own_way_with_the_same_luck() {
    let hands = Arc::new(Hands::new(Default::default(), 2).unwrap());
    let mut episode = Episode::new(hands, EpisodeSeed::new(3, 0));
    episode.settle_chance();
    let mut copy = episode.clone();
    for seat in Seat::all(2) {
        assert_eq!(episode.sample_action(seat), copy.sample_action(seat));
        for one in [&mut episode, &mut copy] {
            one.act(seat, &"fold".parse().unwrap()).unwrap();
        }
    }
    episode.settle_chance();
    copy.settle_chance();
    assert_eq!(episode.steps(), copy.steps());
}

#[test]
fn events_reach_their_audience() {
    let mut log = EventLog::new();
    log.emit(Audience::All, || "all");
    log.emit(Audience::only(Seat::new(1)), || "one");
    log.emit(Audience::Seats(SeatSet::from_mask(0b101)), || "two");
    let seen = |viewer| log.seen_by(viewer).copied().collect::<Vec<_>>();
    assert_eq!(seen(Viewer::Seat(Seat::new(0))), ["all", "two"]);
    assert_eq!(seen(Viewer::Seat(Seat::new(1))), ["all", "one"]);
    assert_eq!(seen(Viewer::Seat(Seat::new(2))), ["all", "two"]);
    assert_eq!(seen(Viewer::Public), ["all"]);
    assert_eq!(seen(Viewer::Everything), ["all", "one", "two"]);
    assert_eq!((log.len(), log.is_empty()), (3, false));
    let mut silent = NoEvents;
    EventSink::<()>::emit(&mut silent, Audience::All, || panic!("an event that nobody takes is not built"));
}

/// Takes a fixed number of sticks, and records its seats.
struct Counter {
    take: u8,
    seats: Arc<std::sync::Mutex<Vec<usize>>>,
}

impl Agent<Nim> for Counter {
    fn begin_episode(&mut self, _game: &Nim, seat: Seat) {
        self.seats.lock().unwrap().push(seat.index());
    }

    fn act(&mut self, mut turn: Turn<'_, Nim>) -> Take {
        Take(self.take.min(turn.legal_actions().len() as u8))
    }
}

#[test]
fn playouts_seat_players_report_them_and_count_decisions() {
    let nim = nim(5);
    let seats = [Arc::default(), Arc::default()];
    let agents: Vec<Box<dyn Agent<Nim>>> = [(1, &seats[0]), (3, &seats[1])]
        .map(|(take, seats)| Box::new(Counter { take, seats: Arc::clone(seats) }) as Box<dyn Agent<Nim>>)
        .into();
    let mut playouts = Playouts::new(&*nim, agents);
    // With the takes 1, 3, 1 the player that takes one wins; with 3, 1, 1 the player that takes three wins.
    for (index, players, decisions, places) in
        [(0, [0, 1], 3, [1, 2]), (1, [1, 0], 3, [1, 2]), (4, [0, 1], 3, [1, 2])]
    {
        let report = playouts.play(1, Seating::Rotate, index);
        assert_eq!(report.index, index);
        assert_eq!(report.player_at, players);
        assert_eq!((report.decisions, report.length), (decisions, decisions));
        assert_eq!(report.outcome.places, places, "places are by seat");
    }
    assert_eq!(*seats[0].lock().unwrap(), [0, 1, 0]);
    assert_eq!(*seats[1].lock().unwrap(), [1, 0, 1]);
}

/// Takes one stick. Cancels the token at its third decision.
struct Canceller {
    token: CancelToken,
    decisions: u8,
}

impl Agent<Nim> for Canceller {
    fn act(&mut self, _turn: Turn<'_, Nim>) -> Take {
        self.decisions += 1;
        if self.decisions == 3 {
            self.token.cancel();
        }
        Take(1)
    }
}

#[test]
fn a_token_ends_a_run_within_an_episode() {
    let token = CancelToken::new();
    let agents =
        (0..2).map(|_| Box::new(Canceller { token: token.clone(), decisions: 0 }) as Box<dyn Agent<Nim>>);
    let mut playouts = Playouts::new(nim(4), agents.collect());
    AnyRunner::cancel_by(&mut playouts, &token);
    let mut reported = Vec::new();
    // Each player takes two sticks in an episode, so the token is cancelled within the second one.
    for _ in 0..2 {
        AnyRunner::run(&mut playouts, 1, Seating::Fixed, 0..10, &mut |report| {
            reported.push((report.index, report.decisions));
            true
        });
        assert_eq!(reported, [(0, 4)], "an unfinished episode is not reported, and nothing follows it");
    }
}

#[test]
fn finish_names_who_played_illegally() {
    struct Cheat;
    impl Agent<Nim> for Cheat {
        fn act(&mut self, _turn: Turn<'_, Nim>) -> Take {
            Take(9)
        }
    }
    let honest = Counter { take: 1, seats: Arc::default() };
    let mut agents: Vec<Box<dyn Agent<Nim>>> = vec![Box::new(honest), Box::new(Cheat)];
    let (seat, illegal) = Episode::new(nim(9), EpisodeSeed::new(1, 0)).finish(&mut agents).unwrap_err();
    assert_eq!(seat, Seat::new(1));
    assert!(illegal.reason.contains("found take 9"), "{illegal}");
}
