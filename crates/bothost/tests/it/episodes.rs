//! Episodes hosted with players that are no processes: handling of answers and faults.

use std::collections::VecDeque;

use meeple_bothost::{
    Bad, BotAnswer, BotReply, BotTurn, End, EpisodeStart, Fault, FaultCode, FaultPolicy, Legal, OnFault,
    Player, SeatPlan, Then, Usage, Who, bot_seed, play_episode,
};
use meeple_core::{AgentSpec, Answer as Taken, AnyGame, Driver, Due, EpisodeSeed, Seat, Viewer};
use serde_json::value::RawValue;

/// The behaviour of a scripted player at a question.
#[derive(Clone)]
enum Act {
    Index(u64),
    Move(&'static str),
    Failed,
    Fault(FaultCode),
    Gone,
}

/// A player that follows a script, and then answers 0 (or an empty move) for ever.
#[derive(Default)]
struct Scripted {
    script: VecDeque<Act>,
    structured: bool,
    log: Vec<String>,
}

impl Scripted {
    fn new(script: impl IntoIterator<Item = Act>) -> Self {
        Self { script: script.into_iter().collect(), ..Self::default() }
    }
}

impl Player for Scripted {
    fn start(&mut self, start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        self.log.push(format!("start {} seat {} of {}", start.game, start.seat, start.seats));
        Ok(Usage::default())
    }

    fn renew(&mut self) {
        self.log.push("renew".into());
    }

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        serde_json::from_str::<serde_json::Value>(turn.observation).unwrap();
        serde_json::from_str::<Vec<serde_json::Value>>(turn.events).unwrap();
        self.structured = matches!(turn.legal, Legal::Spec(_));
        self.log.push(format!("ask {}", turn.number));
        Ok(())
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        let raw = |text: &str| RawValue::from_string(text.to_owned()).unwrap();
        let reply = match self.script.pop_front() {
            None if self.structured => BotReply::Move(raw("[]")),
            None => BotReply::Index(0),
            Some(Act::Index(index)) => BotReply::Index(index),
            Some(Act::Move(text)) => BotReply::Move(raw(text)),
            Some(Act::Failed) => BotReply::Failed("ZeroDivisionError".into()),
            Some(Act::Fault(code)) => return Err(Fault::new(code, "scripted")),
            Some(Act::Gone) => return Err(Fault::new(FaultCode::Crash, "scripted").fatal()),
        };
        Ok(Some(BotAnswer { reply, used: Usage { cpu_us: Some(2), wall_us: 3 } }))
    }

    fn refuse(&mut self, bad: &Bad<'_>) {
        self.log.push(format!("bad {} {:?}", bad.code, bad.then));
    }

    fn end(&mut self, end: &End<'_>) {
        self.log.push(format!("end {}", end.reason));
    }
}

fn game(name: &str, seats: usize) -> Box<dyn AnyGame> {
    let name = meeple_games::parse_game(name).unwrap();
    name.entry.set_up(name.preset, &[], seats).unwrap()
}

fn seed() -> EpisodeSeed {
    EpisodeSeed::new(17, 0)
}

fn native<'a>(spec: &str) -> SeatPlan<'a> {
    SeatPlan { name: spec.into(), who: Who::Native(AgentSpec::parse(spec)) }
}

fn seat(player: &mut Scripted) -> SeatPlan<'_> {
    SeatPlan { name: "scripted".into(), who: Who::Player(player) }
}

#[test]
fn a_player_that_always_stays_never_scores() {
    let game = game("incan-gold", 2);
    let mut player = Scripted::new([]);
    let mut seats = [seat(&mut player), native("turn:3")];
    let record = play_episode(&*game, seed(), &mut seats, &FaultPolicy::default()).unwrap();
    assert_eq!(record.outcome.scores[0], 0);
    assert_eq!(record.faults, []);
    let own = &record.seats[0];
    assert!(own.asked > 5 && own.asked == own.decisions, "{own:?}");
    assert_eq!(own.used, Usage { cpu_us: Some(2 * own.asked), wall_us: 3 * own.asked });
    assert_eq!(player.log[0], "start incan-gold seat 0 of 2");
    assert_eq!(player.log.last().unwrap(), "end last round");
}

#[test]
fn the_same_episode_as_with_native_agents() {
    // Index 1 is "leave": leaving at once is turn:1.
    let game = game("incan-gold", 2);
    let mut player = Scripted::new(std::iter::repeat_n(Act::Index(1), 100));
    let mut with_player = [seat(&mut player), native("random:0.3")];
    let mut all_native = [native("turn:1"), native("random:0.3")];
    let policy = FaultPolicy::default();
    let one = play_episode(&*game, seed(), &mut with_player, &policy).unwrap();
    let other = play_episode(&*game, seed(), &mut all_native, &policy).unwrap();
    assert_eq!(one.outcome, other.outcome);
    assert_eq!(one.replay.unwrap().steps, other.replay.unwrap().steps);
}

/// The content of every question, as JSON: observation, events, legal actions.
#[derive(Default)]
struct Recorder(Vec<[serde_json::Value; 3]>);

impl Player for Recorder {
    fn start(&mut self, _start: &EpisodeStart<'_>) -> Result<Usage, Fault> {
        Ok(Usage::default())
    }

    fn renew(&mut self) {}

    fn ask(&mut self, turn: &BotTurn<'_>) -> Result<(), Fault> {
        let legal = match turn.legal {
            Legal::List(texts) => serde_json::json!(texts),
            Legal::Spec(_) => serde_json::Value::Null,
        };
        let read = |text| serde_json::from_str(text).unwrap();
        self.0.push([read(turn.observation), read(turn.events), legal]);
        Ok(())
    }

    fn poll_answer(&mut self) -> Result<Option<BotAnswer>, Fault> {
        let is_structured = self.0.last().is_some_and(|[_, _, legal]| legal.is_null());
        let stay = || BotReply::Move(RawValue::from_string("[]".to_owned()).unwrap());
        let reply = if is_structured { stay() } else { BotReply::Index(0) };
        Ok(Some(BotAnswer { reply, used: Usage::default() }))
    }

    fn refuse(&mut self, _bad: &Bad<'_>) {}

    fn end(&mut self, _end: &End<'_>) {}
}

/// The host skips decisions among agents and writes texts by its own code. A player must receive the same
/// messages as from a host that asks all seats one by one.
#[test]
fn questions_are_those_of_a_host_that_asks_one_by_one() {
    for (name, seats, agent) in [
        ("game17", 196, "zombie"),
        ("incan-gold", 3, "random:0.1"),
        ("carcassonne/towers", 2, "random"),
        ("cartolan/advanced", 3, "random"),
        ("privateers", 3, "trader"),
    ] {
        let game = game(name, seats);
        let mut player = Recorder::default();
        let mut plans: Vec<SeatPlan<'_>> = (1..seats).map(|_| native(agent)).collect();
        plans.insert(0, SeatPlan { name: "recorder".into(), who: Who::Player(&mut player) });
        let record = play_episode(&*game, seed(), &mut plans, &FaultPolicy::default()).unwrap();
        drop(plans);

        let own = Seat::new(0);
        let mut driver = Driver::new(game.episode(seed()));
        for seat in Seat::all(seats).skip(1) {
            driver.seat_agent(seat, &AgentSpec::parse(agent)).unwrap();
        }
        let mut sent = Vec::new();
        loop {
            match driver.due() {
                Due::Chance => driver.draw_chance(),
                Due::Over => break,
                Due::Decide(questions) => {
                    for question in questions {
                        if question.seat != own {
                            driver.ask_agent(question).unwrap();
                            continue;
                        }
                        let events: Vec<_> = driver.news(own).into_iter().map(|news| news.json).collect();
                        let legal = driver.view().legal_actions(own);
                        let answer = if legal.is_empty() { Taken::Json("[]") } else { Taken::Index(0) };
                        let legal = if legal.is_empty() { None } else { Some(legal) };
                        let observation = driver.view().observation(Viewer::Seat(own));
                        sent.push([observation, events.into(), serde_json::json!(legal)]);
                        driver.answer(own, question.number, answer).unwrap();
                    }
                }
            }
        }
        assert!(!sent.is_empty(), "{name}");
        assert_eq!(player.0, sent, "{name}");
        assert_eq!(record.replay.unwrap().steps, driver.view().replay(&[], None).steps, "{name}");
        assert_eq!(record.seats[0].asked, sent.len() as u64, "{name}");
    }
}

#[test]
fn strikes_put_a_player_out() {
    let game = game("incan-gold", 2);
    let mut player =
        Scripted::new([Act::Index(7), Act::Fault(FaultCode::Timeout), Act::Failed, Act::Index(1)]);
    let mut seats = [seat(&mut player), native("turn:9")];
    let record = play_episode(&*game, seed(), &mut seats, &FaultPolicy::default()).unwrap();
    let codes: Vec<FaultCode> = record.faults.iter().map(|fault| fault.fault.code).collect();
    assert_eq!(codes, [FaultCode::InvalidMove, FaultCode::Timeout, FaultCode::InvalidMove]);
    assert_eq!(record.seats[0].asked, 3, "nobody asks a player who is out");
    assert_eq!(record.seats[0].fallbacks, record.seats[0].decisions);
    assert!(record.faults.iter().all(|fault| fault.observation.is_some()));
    let bad: Vec<&str> =
        player.log.iter().map(String::as_str).filter(|line| line.starts_with("bad")).collect();
    assert_eq!(bad, ["bad INVALID_MOVE Fallback", "bad TIMEOUT Fallback", "bad INVALID_MOVE Out"]);
}

#[test]
fn who_is_gone_is_out_at_once() {
    let game = game("incan-gold", 1);
    let mut player = Scripted::new([Act::Gone]);
    let policy = FaultPolicy { strikes: None, ..FaultPolicy::default() };
    let record = play_episode(&*game, seed(), &mut [seat(&mut player)], &policy).unwrap();
    assert_eq!((record.faults.len(), record.faults[0].then), (1, Then::Out));
    assert!(!player.log.iter().any(|line| line.starts_with("bad")), "nobody talks to who is gone");
}

#[test]
fn forfeits_are_marked() {
    let game = game("incan-gold", 2);
    let mut player = Scripted::new([Act::Index(2)]);
    let policy = FaultPolicy { on_fault: OnFault::Forfeit, ..FaultPolicy::default() };
    let record = play_episode(&*game, seed(), &mut [seat(&mut player), native("turn:2")], &policy).unwrap();
    assert!(record.seats[0].forfeited && !record.seats[1].forfeited);
    assert_eq!(record.seats[0].asked, 1);
}

#[test]
fn structured_moves_are_checked_with_a_reason() {
    let name = meeple_games::parse_game("game17").unwrap();
    let set = [("size".to_owned(), "3".to_owned()), ("rounds".to_owned(), "4".to_owned())];
    let game = name.entry.set_up(None, &set, 1).unwrap();
    let mut player = Scripted::new([
        Act::Move(r#"[[0,0,"n",1000000]]"#),
        Act::Move(r#"[[0,0,"up",1]]"#),
        Act::Index(0),
        Act::Move("[]"),
    ]);
    let mut seats: Vec<SeatPlan<'_>> = vec![seat(&mut player)];
    seats.extend((1..9).map(|_| native("zombie")));
    let policy = FaultPolicy { strikes: None, ..FaultPolicy::default() };
    let record = play_episode(&*game, seed(), &mut seats, &policy).unwrap();
    assert_eq!(record.faults.len(), 3, "{:#?}", record.faults);
    assert!(record.faults.iter().all(|fault| fault.fault.code == FaultCode::InvalidMove));
    assert!(
        record.faults[1].fault.detail.contains("[row, column, direction, count]"),
        "{:#?}",
        record.faults[1]
    );
    assert!(record.faults[2].fault.detail.contains("structured move"), "{:#?}", record.faults[2]);
}

#[test]
fn nobody_plays_the_fallback() {
    let game = game("incan-gold", 2);
    let nobody = SeatPlan { name: "banned".into(), who: Who::Nobody };
    let record =
        play_episode(&*game, seed(), &mut [nobody, native("turn:1")], &FaultPolicy::default()).unwrap();
    assert_eq!(record.outcome.scores[0], 0);
    assert_eq!(record.seats[0].fallbacks, record.seats[0].decisions);
    assert_eq!(record.faults, []);
}

#[test]
fn seeds_of_seats_and_episodes_differ() {
    let seeds =
        [(0, 0), (0, 1), (1, 0)].map(|(index, seat)| bot_seed(EpisodeSeed::new(5, index), Seat::new(seat)));
    assert!(seeds[0] != seeds[1] && seeds[0] != seeds[2] && seeds[1] != seeds[2]);
    assert_eq!(seeds[0], bot_seed(EpisodeSeed::new(5, 0), Seat::new(0)));
}
