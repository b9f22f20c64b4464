//! Batches: many episodes stepped together.

use std::sync::Arc;

use meeple_core::{Agent, AnyBatch as _, Batch, BatchError, Ended, Game, Playable, Rows, Turn};
use meeple_testkit::toys::{Hands, HandsVariant, Nim, NimVariant};

type Seats<G> = Vec<Option<Box<dyn Agent<G>>>>;

struct Memory {
    lanes: Vec<u32>,
    episodes: Vec<u64>,
    seats: Vec<u16>,
    masks: Vec<u8>,
    observations: Vec<f32>,
}

impl Memory {
    fn of<G: Playable>(batch: &Batch<G>) -> Self {
        let most = batch.most_rows();
        Self {
            lanes: vec![0; most],
            episodes: vec![0; most],
            seats: vec![0; most],
            masks: vec![7; most * batch.action_bound()],
            observations: vec![f32::NAN; most * batch.observation_size()],
        }
    }

    fn rows(&mut self) -> Rows<'_> {
        let Self { lanes, episodes, seats, masks, observations } = self;
        Rows { lanes, episodes, seats, masks, observations }
    }
}

fn nim(sticks: u8) -> Arc<Nim> {
    Arc::new(Nim::new(NimVariant { sticks, most: 3 }, 2).unwrap())
}

fn nobody<G: Playable>(seats: usize) -> Seats<G> {
    (0..seats).map(|_| None).collect()
}

/// Random agent.
struct Drawn;

impl<G: Game> Agent<G> for Drawn {
    fn act(&mut self, mut turn: Turn<'_, G>) -> G::Action {
        turn.sample_action()
    }
}

#[test]
fn rows_say_who_owes_what() {
    let mut batch = Batch::new(nim(2), 1, vec![nobody(2), nobody(2)]).unwrap();
    let mut memory = Memory::of(&batch);
    assert_eq!(batch.observe(memory.rows()), Ok(2));
    assert_eq!((memory.lanes.as_slice(), memory.seats.as_slice()), (&[0, 1][..], &[0, 0][..]));
    assert_eq!(memory.masks, [1, 1, 0, 1, 1, 0], "two sticks: one or two can be taken");
    assert_eq!(memory.observations, [0.02, 1.0, 0.02, 1.0], "what Nim's encoding says");
    // Lane 0 takes both and starts again, lane 1 continues.
    let ended = batch.step(&[1, 0]).unwrap();
    let [Ended { lane: 0, episode: 0, outcome, length: 1 }] = ended.as_slice() else { panic!("{ended:?}") };
    assert_eq!(outcome.places, [1, 2]);
    assert_eq!(batch.observe(memory.rows()), Ok(2));
    assert_eq!(memory.seats, [0, 1]);
    assert_eq!(memory.episodes, [2, 1], "lane 0 has begun its next episode");
    assert_eq!(memory.masks, [1, 1, 0, 1, 0, 0]);
    let ended = batch.step(&[1, 0]).unwrap();
    assert_eq!(ended.iter().map(|ended| (ended.lane, ended.episode)).collect::<Vec<_>>(), [(0, 2), (1, 1)]);
}

#[test]
fn agents_decide_for_their_seats() {
    let game = nim(12);
    let lanes = || -> Seats<Nim> {
        let mut seats = nobody(2);
        seats[1] = Some(Box::new(Drawn));
        seats
    };
    let mut batch = Batch::new(Arc::clone(&game), 3, vec![lanes(), lanes()]).unwrap();
    let mut memory = Memory::of(&batch);
    let mut ended = 0;
    while ended < 20 {
        let count = batch.observe(memory.rows()).unwrap();
        assert!(count > 0 && memory.seats[..count].iter().all(|seat| *seat == 0));
        ended += batch.step(&vec![0; count]).unwrap().len();
    }
}

#[test]
fn simultaneous_seats_are_rows_of_their_own() {
    let game = Arc::new(Hands::new(HandsVariant::default(), 3).unwrap());
    let mut batch = Batch::new(game, 1, vec![nobody(3)]).unwrap();
    let mut memory = Memory::of(&batch);
    assert_eq!(batch.most_rows(), 3);
    let count = batch.observe(memory.rows()).unwrap();
    assert_eq!(memory.seats[..count], [0, 1, 2][..count]);
    assert!(count > 1);
}

#[test]
fn wrong_ids_and_wrong_slices_change_nothing() {
    let mut batch = Batch::new(nim(2), 1, vec![nobody(2), nobody(2)]).unwrap();
    let mut memory = Memory::of(&batch);
    let mut short = Memory::of(&batch);
    short.masks.pop();
    let error = batch.observe(short.rows()).unwrap_err();
    assert_eq!(error.to_string(), "masks: expected 6 values, found 5");
    batch.observe(memory.rows()).unwrap();
    assert_eq!(batch.step(&[0]).unwrap_err().to_string(), "ids: expected 2 values, found 1");
    let error = batch.step(&[1, 2]).unwrap_err();
    assert_eq!(error, BatchError::Id { row: 1, lane: 1, seat: 0, id: 2 });
    assert!(error.to_string().starts_with("row 1 (lane 1, seat 0): no legal action has the id 2\nhint: "));
    let before = memory.masks.clone();
    batch.observe(memory.rows()).unwrap();
    assert_eq!(memory.masks, before);
}

#[test]
fn episodes_that_agents_end_alone_are_reported_too() {
    // With two sticks the agent at seat 0 may take both, before seat 1 has been asked.
    let lane = || -> Seats<Nim> { vec![Some(Box::new(Drawn)), None] };
    let mut batch = Batch::new(nim(2), 1, vec![lane(), lane(), lane()]).unwrap();
    let mut memory = Memory::of(&batch);
    let mut by_lane = vec![Vec::new(); 3];
    for _ in 0..20 {
        let count = batch.observe(memory.rows()).unwrap();
        assert_eq!(count, 3);
        for Ended { lane, episode, .. } in batch.step(&[0, 0, 0]).unwrap() {
            by_lane[lane as usize].push(episode);
        }
    }
    for (lane, episodes) in (0u64..).zip(by_lane) {
        let expected: Vec<u64> = (0..episodes.len() as u64).map(|index| lane + 3 * index).collect();
        assert_eq!(episodes, expected, "no episode of lane {lane} is left out");
        assert!(episodes.len() > 20, "some had no decision of seat 1");
    }
}

#[test]
fn lanes_where_nobody_outside_is_asked_come_to_an_end() {
    // With one stick the agent at seat 0 always takes it.
    let lane = || -> Seats<Nim> { vec![Some(Box::new(Drawn)), None] };
    let mut batch = Batch::new(nim(1), 1, vec![lane(), lane()]).unwrap();
    let mut memory = Memory::of(&batch);
    let mut by_lane = [Vec::new(), Vec::new()];
    for _ in 0..2 {
        assert_eq!(batch.observe(memory.rows()), Ok(0));
        for Ended { lane, episode, .. } in batch.step(&[]).unwrap() {
            by_lane[lane as usize].push(episode);
        }
    }
    for (lane, episodes) in (0u64..).zip(by_lane) {
        assert_eq!(episodes[..3], [lane, lane + 2, lane + 4]);
        assert_eq!(episodes.len(), 3_000, "a thousand at the beginning and with each step");
    }
}
