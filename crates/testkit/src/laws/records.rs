//! Laws of whole episodes: agents, replays, playouts.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use meeple_core::{
    ActionKind, Agent, AgentInfo, AgentSpec, Answer, AnyBatch as _, Batch, Course, Definition, Driver, Due,
    Ended, Episode, EpisodeSeed, GameInfo, Illegal, Outcome, Phase, Playable, PlayerLabel, Playouts,
    Question, Refusal, Replay, ReplayError, Rows, Seat, Seating, Step, Stream, any_episode, find_agent,
};

use super::encodings::Encoder;
use super::fault::{Fault, Held, difference, granted, hold};

pub(crate) fn build<G: Playable>(
    game: &G,
    agents: &[AgentInfo<G>],
    line_up: &[AgentSpec],
) -> Result<Vec<Box<dyn Agent<G>>>, Fault> {
    let build =
        |spec: &AgentSpec| find_agent(game.info(), agents, spec).and_then(|info| info.build(game, spec));
    line_up.iter().map(|spec| granted("line-up-builds", build(spec), || spec.to_string())).collect()
}

/// The demo line-up for this many seats, completed by the filler; `None` if it does not fit.
pub(crate) fn demo(info: &GameInfo, seats: usize) -> Option<Vec<AgentSpec>> {
    let mut line_up: Vec<AgentSpec> = info.demo.iter().map(|text| AgentSpec::parse(text)).collect();
    if line_up.is_empty() || line_up.len() > seats {
        return None;
    }
    if line_up.len() < seats {
        line_up.resize(seats, AgentSpec::parse(info.filler?));
    }
    Some(line_up)
}

/// The advisor behind hints to people can play this variant and number of seats.
pub(crate) fn advisor<G: Playable>(game: &G, agents: &[AgentInfo<G>]) -> Held {
    let built = build(game, agents, &[AgentSpec::parse(game.info().advisor)]);
    built.map(drop).map_err(|fault| Fault { law: "advisor-plays", ..fault })
}

/// The laws of whole episodes, for one line-up.
pub(crate) fn line_up<G: Playable>(
    definition: &Definition<G>,
    game: &Arc<G>,
    agents: &[AgentInfo<G>],
    line_up: &[AgentSpec],
    seed: u64,
    episodes: u64,
    longest: usize,
) -> Held {
    let names: Vec<String> = line_up.iter().map(AgentSpec::to_string).collect();
    let mut first = Playouts::new(Arc::clone(game), build(&**game, agents, line_up)?);
    let mut second = Playouts::new(Arc::clone(game), build(&**game, agents, line_up)?);
    let mut outcomes = Vec::new();
    for index in 0..episodes {
        let episode_seed = EpisodeSeed::new(seed, index);
        let mut fresh = build(&**game, agents, line_up)?;
        let mut episode = Episode::new(Arc::clone(game), episode_seed);
        let outcome = finish(&mut episode, &mut fresh, longest, &names)?;
        // Both runners reuse their agents and alternate: nothing may carry over from episode to episode.
        for playouts in [&mut first, &mut second] {
            equal_playout(playouts, &episode, (seed, index), &outcome)
                .map_err(|fault| Fault { what: format!("{names:?}: {}", fault.what), ..fault })?;
        }
        if index < 2 {
            let mut playouts = Playouts::new(Arc::clone(game), build(&**game, agents, line_up)?);
            noted(&mut playouts, &episode, (seed, index), &outcome)?;
            let mut again = Episode::new(Arc::clone(game), episode_seed);
            let mut fresh = build(&**game, agents, line_up)?;
            finish(&mut again, &mut fresh, longest, &names)?;
            let (one, two) = (record(&episode, &names, episode_seed)?, record(&again, &names, episode_seed)?);
            hold!(
                "same-seed-same-bytes",
                one == two,
                "{names:?}, seed {seed}, episode {index} played twice differs {}",
                difference(&one, &two)
            );
            replay(definition, &episode, &names, episode_seed)?;
            driven(&episode, agents, line_up, episode_seed)?;
            if index == 0 && game.info().actions == ActionKind::Listed {
                batched(game, agents, line_up, seed, longest)?;
            }
        }
        outcomes.push(outcome);
    }
    let elsewhere = on_another_thread(game, build(&**game, agents, line_up)?, seed, episodes);
    hold!(
        "threads-and-order-do-not-matter",
        elsewhere == outcomes,
        "{names:?}, seed {seed}: played backwards on another thread, {episodes} episodes end otherwise:\n  \
         {outcomes:?}\n  {elsewhere:?}"
    );
    Ok(())
}

/// A playout equals the finished episode of the same seed.
pub(super) fn equal_playout<G: Playable>(
    playouts: &mut Playouts<G>,
    episode: &Episode<G>,
    (seed, index): (u64, u64),
    outcome: &Outcome,
) -> Held {
    let decisions = decisions(episode);
    let report = playouts.play(seed, Seating::Fixed, index);
    hold!(
        "playouts-equal-episodes",
        report.outcome == outcome && report.length == episode.length() && report.decisions == decisions,
        "seed {seed}, episode {index}: a checked episode ends after {decisions} decisions with {outcome:?}, a playout \
         after {} with {:?}",
        report.decisions,
        report.outcome
    );
    hold!(
        "playouts-equal-episodes",
        playouts.state() == episode.state(),
        "seed {seed}, episode {index}: a playout ends in another state than the episode"
    );
    Ok(())
}

/// A playout with a recorded course equals the episode.
fn noted<G: Playable>(
    playouts: &mut Playouts<G>,
    episode: &Episode<G>,
    (seed, index): (u64, u64),
    outcome: &Outcome,
) -> Held {
    let (decisions, mut course) = (decisions(episode), Course::default());
    let same = playouts.play_noting(seed, Seating::Fixed, index, &mut course).outcome == outcome;
    hold!(
        "noted-playouts-equal-episodes",
        same && playouts.state() == episode.state() && course.decisions() == decisions,
        "seed {seed}, episode {index}: noted, {} decisions end otherwise than the {decisions} of the episode",
        course.decisions()
    );
    hold!(
        "noted-playouts-equal-episodes",
        course.turns() <= decisions && course.forced().is_none_or(|forced| forced <= decisions),
        "seed {seed}, episode {index}: {course:?} of {decisions} decisions"
    );
    Ok(())
}

pub(super) fn decisions<G: Playable>(episode: &Episode<G>) -> u64 {
    episode.steps().iter().filter(|step| matches!(step, Step::Action(..))).count() as u64
}

/// Outcomes of the episodes, played last to first on another thread.
fn on_another_thread<G: Playable>(
    game: &Arc<G>,
    agents: Vec<Box<dyn Agent<G>>>,
    seed: u64,
    episodes: u64,
) -> Vec<Outcome> {
    let play = || {
        let mut playouts = Playouts::new(Arc::clone(game), agents);
        let mut outcomes: Vec<Outcome> = (0..episodes)
            .rev()
            .map(|index| playouts.play(seed, Seating::Fixed, index).outcome.clone())
            .collect();
        outcomes.reverse();
        outcomes
    };
    std::thread::scope(|scope| match scope.spawn(play).join() {
        Ok(outcomes) => outcomes,
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

pub(super) fn finish<G: Playable>(
    episode: &mut Episode<G>,
    agents: &mut [Box<dyn Agent<G>>],
    longest: usize,
    names: &[String],
) -> Result<Outcome, Fault> {
    let seats = episode.game().seats();
    for (agent, seat) in agents.iter_mut().zip(Seat::all(seats)) {
        agent.begin_episode(episode.game(), seat);
    }
    let encoder = Encoder::of(episode.game());
    while episode.steps().len() <= longest {
        match episode.phase() {
            Phase::Over => return Ok(episode.outcome().unwrap_or_default()),
            Phase::Chance => episode.step_chance(),
            Phase::Decide(seats) => {
                for seat in seats {
                    if let Some(encoder) = &encoder {
                        encoder.numbers(episode.game(), episode.state(), seat)?;
                    }
                    let action = episode.ask(seat, agents[seat.index()].as_mut());
                    episode.act(seat, &action).map_err(|illegal| Fault {
                        law: "agents-play-legally",
                        what: format!(
                            "'{}' at seat {seat} played {action} at step {}: {illegal}",
                            names[seat.index()],
                            episode.steps().len()
                        ),
                    })?;
                }
            }
        }
    }
    Err(Fault { law: "episodes-end", what: format!("{names:?} played more than {longest} steps") })
}

/// A person's questions with numbers below this are answered, taken back where possible, and answered again.
/// The limit bounds memory: every answer that can be taken back keeps a whole episode.
const TAKEN_BACK: u64 = 30;

/// A driver produces the same episode, whether agents decide or answers come from outside. Answers come in
/// each of their forms, in reverse order for simultaneous decisions, among answers to closed questions, and
/// with take-backs.
fn driven<G: Playable>(
    episode: &Episode<G>,
    agents: &[AgentInfo<G>],
    line_up: &[AgentSpec],
    seed: EpisodeSeed,
) -> Held {
    let begin = || Driver::new(any_episode(Episode::new(episode.game_arc(), seed), agents.into()));
    let expected = Replay::of(episode, &[], Some(seed));
    let mut hosted = begin();
    for (spec, seat) in line_up.iter().zip(Seat::all(episode.game().seats())) {
        let seated = hosted.seat_agent(seat, spec);
        hold!("driver-equals-playouts", seated.is_ok(), "'{spec}' is refused by the driver: {seated:?}");
    }
    drive(&mut hosted, |driver, question| driver.ask_agent(question))?;
    hold!(
        "driver-equals-playouts",
        hosted.view().replay(&[], Some(seed)) == expected,
        "with agents asked by the driver the episode differs"
    );
    let mut decisions: Vec<VecDeque<&G::Action>> = vec![VecDeque::new(); episode.game().seats()];
    for step in episode.steps() {
        if let Step::Action(seat, action) = step {
            decisions[seat.index()].push_back(action);
        }
    }
    let mut answered = begin();
    answered.seat_person(Seat::new(0));
    drive(&mut answered, |driver, Question { seat, number }| {
        let action = decisions[seat.index()].pop_front().map(G::Action::to_string).unwrap_or_default();
        let mut question = Question { seat, number };
        answer(driver, question, &action)?;
        if seat == Seat::new(0) && number < TAKEN_BACK && driver.take_back(seat).as_ref() == Ok(&action) {
            let Due::Decide(questions) = driver.due() else { return Err(Refusal::NoAgent(seat)) };
            let again = questions.into_iter().find(|question| question.seat == seat);
            question = again.ok_or(Refusal::NoAgent(seat))?;
            answer(driver, question, &action)?;
        }
        Ok(())
    })?;
    hold!(
        "driver-equals-playouts",
        answered.view().replay(&[], Some(seed)) == expected,
        "with answers from outside the episode differs"
    );
    Ok(())
}

/// Answers a question, after answers to closed ones, which must be refused.
fn answer(driver: &mut Driver, Question { seat, number }: Question, action: &str) -> Result<(), Refusal> {
    for closed in [number + 1, number.wrapping_sub(1)] {
        let stale = driver.answer(seat, closed, Answer::Text(action));
        if !matches!(stale, Err(Refusal::Stale { .. })) {
            return Err(
                Illegal::new(format!("an answer to question {closed} of seat {seat} is taken")).into()
            );
        }
    }
    let legal = driver.view().legal_actions(seat);
    match legal.iter().position(|listed| *listed == action) {
        Some(index) if number % 3 == 0 => driver.answer(seat, number, Answer::Index(index)),
        Some(_) if number % 3 == 1 => {
            driver.answer(seat, number, Answer::Json(&serde_json::Value::from(action).to_string()))
        }
        _ => driver.answer(seat, number, Answer::Text(action)),
    }
}

/// Episodes stepped in a batch by action ids, with agents on some seats, equal those played one by one.
fn batched<G: Playable>(
    game: &Arc<G>,
    agents: &[AgentInfo<G>],
    line_up: &[AgentSpec],
    root: u64,
    longest: usize,
) -> Held {
    let outside: Vec<fn(usize) -> bool> = match game.seats() {
        1 => vec![|_| true],
        _ => vec![|_| true, |seat| seat == 0, |seat| seat != 0],
    };
    let seated = |lane: usize| -> Result<Seated<G>, Fault> {
        let agents = build(&**game, agents, line_up)?;
        let held = agents.into_iter().enumerate();
        Ok(held.map(|(seat, agent)| (!outside[lane](seat)).then_some(agent)).collect())
    };
    let lanes = (0..outside.len()).map(seated).collect::<Result<Vec<_>, Fault>>()?;
    let refused = || "a batch is refused".to_owned();
    let mut batch = granted(BATCH, Batch::new(Arc::clone(game), root, lanes), refused)?;
    let (most, bound, size) = (batch.most_rows(), batch.action_bound(), batch.observation_size());
    let (mut row_lanes, mut row_episodes, mut row_seats) = (vec![0; most], vec![0; most], vec![0; most]);
    let (mut masks, mut observations) = (vec![0; most * bound], vec![f32::NAN; most * size]);
    let mut chosen: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    let mut has_ended = vec![false; outside.len()];
    let mut rng = Stream::from_seed(root);
    for _ in 0..longest {
        observations.fill(f32::NAN);
        let rows = Rows {
            lanes: &mut row_lanes,
            episodes: &mut row_episodes,
            seats: &mut row_seats,
            masks: &mut masks,
            observations: &mut observations,
        };
        let count = granted(BATCH, batch.observe(rows), refused)?;
        let (written, rest) = observations.split_at(count * size);
        hold!(
            BATCH,
            written.iter().all(|number| number.is_finite()),
            "the observation of a row is not all numbers"
        );
        hold!(
            BATCH,
            rest.iter().all(|number| number.is_nan()),
            "an observation is written that is of no row"
        );
        let mut ids = Vec::with_capacity(count);
        for (row, episode) in row_episodes[..count].iter().enumerate() {
            let mask = &masks[row * bound..][..bound];
            let legal: Vec<u32> = (0..).zip(mask).filter(|(_, bit)| **bit == 1).map(|(id, _)| id).collect();
            hold!(BATCH, !legal.is_empty(), "the mask of a row is empty");
            ids.push(legal[rng.index(legal.len())]);
            chosen.entry(*episode).or_default().extend(ids.last());
        }
        let ended = granted(BATCH, batch.step(&ids), refused)?;
        for Ended { lane, episode, outcome, length } in ended {
            let lane = lane as usize;
            let ids = chosen.remove(&episode).unwrap_or_default();
            let (again, its_length) =
                led_by(game, seated(lane)?, EpisodeSeed::new(root, episode), &ids, longest)?;
            hold!(
                BATCH,
                again == outcome && its_length == length,
                "episode {episode} ends after {length} with {outcome:?} in a batch, alone after {its_length} with {again:?}"
            );
            has_ended[lane] = true;
        }
        if has_ended.iter().all(|ended| *ended) {
            return Ok(());
        }
    }
    let lanes: Vec<usize> = (0..outside.len()).filter(|lane| !has_ended[*lane]).collect();
    Err(Fault {
        law: BATCH,
        what: format!("after {longest} steps no episode has ended in the lanes {lanes:?}"),
    })
}

/// Agents by seat; `None` where actions come from outside.
type Seated<G> = Vec<Option<Box<dyn Agent<G>>>>;

const BATCH: &str = "batch-equals-episodes";

/// The result of an episode in which agents decide at their seats, and the other seats take the actions with
/// these ids in order.
fn led_by<G: Playable>(
    game: &Arc<G>,
    mut agents: Seated<G>,
    seed: EpisodeSeed,
    ids: &[u32],
    longest: usize,
) -> Result<(Outcome, u64), Fault> {
    let wrong = |what: String| Fault { law: BATCH, what };
    let mut episode = Episode::new(Arc::clone(game), seed);
    for (seat, agent) in Seat::all(game.seats()).zip(&mut agents) {
        if let Some(agent) = agent {
            agent.begin_episode(game, seat);
        }
    }
    let mut ids = ids.iter();
    loop {
        episode.settle_chance();
        let Phase::Decide(seats) = episode.phase() else { break };
        hold!(BATCH, episode.steps().len() <= longest, "alone an episode takes more than {longest} steps");
        for seat in seats {
            let action = match &mut agents[seat.index()] {
                Some(agent) => episode.ask(seat, agent.as_mut()),
                None => {
                    let id = *ids.next().ok_or_else(|| wrong("alone the episode goes on".to_owned()))?;
                    // The action is found in the list of legal actions; the batch's lookup by id must agree
                    // with it.
                    let mut legal = episode.legal_actions(seat);
                    let place =
                        legal.iter().position(|action| game.action_id(episode.state(), seat, action) == id);
                    let place =
                        place.ok_or_else(|| wrong(format!("alone, seat {seat} has no action {id}")))?;
                    legal.swap_remove(place)
                }
            };
            episode.decide(seat, action).map_err(|illegal| wrong(illegal.reason))?;
        }
    }
    hold!(BATCH, ids.next().is_none(), "alone the episode is over before all decisions are taken");
    Ok((episode.outcome().unwrap_or_default(), episode.length()))
}

/// Plays to the end; seats asked together decide from the last to the first.
fn drive(driver: &mut Driver, mut decide: impl FnMut(&mut Driver, Question) -> Result<(), Refusal>) -> Held {
    loop {
        match driver.due() {
            Due::Chance => driver.draw_chance(),
            Due::Over => return Ok(()),
            Due::Decide(questions) => {
                for question in questions.into_iter().rev() {
                    let decided = decide(driver, question);
                    hold!("driver-equals-playouts", decided.is_ok(), "{question:?} is refused: {decided:?}");
                }
            }
        }
    }
}

pub(crate) fn labels(names: &[String]) -> Vec<PlayerLabel> {
    names.iter().map(|name| name.as_str().into()).collect()
}

/// A complete record of an episode as one text.
fn record<G: Playable>(episode: &Episode<G>, names: &[String], seed: EpisodeSeed) -> Result<String, Fault> {
    let mut text = Replay::of(episode, &labels(names), Some(seed)).to_text();
    for (audience, event) in episode.events().entries() {
        let json = serde_json::to_string(event);
        let json = granted("event-serialises", json, || format!("the event '{event}' does not become JSON"))?;
        text.push_str(&format!("{audience:?} {event} {json}\n"));
    }
    Ok(text)
}

/// Law: written, parsed and verified, a replay gives the same episode. A damaged replay is refused or gives
/// another episode.
fn replay<G: Playable>(
    definition: &Definition<G>,
    episode: &Episode<G>,
    names: &[String],
    seed: EpisodeSeed,
) -> Held {
    let replay = Replay::of(episode, &labels(names), Some(seed));
    let text = replay.to_text();
    let parsed =
        granted("replay-round-trip", Replay::parse(&text), || "a replay is refused when read".into())?;
    hold!("replay-round-trip", parsed == replay, "a replay reads back differently:\n{text}");
    verifies(definition, &replay, episode)?;
    let mut cut = replay.clone();
    cut.steps.pop();
    hold!(
        "replay-notices-damage",
        replay.steps.is_empty()
            || matches!(cut.verify(definition, |_| {}), Err(ReplayError::Truncated { .. })),
        "a replay without its last step is accepted with its result"
    );
    let mut more = replay.clone();
    more.steps.push(replay.steps.last().cloned().unwrap_or_else(|| "0 x".into()));
    hold!(
        "replay-notices-damage",
        matches!(more.verify(definition, |_| {}), Err(ReplayError::Step { .. })),
        "a replay with a step after the end is accepted"
    );
    let mut lied = replay.clone();
    if let Some(result) = &mut lied.result {
        result.scores[0] = result.scores[0].wrapping_add(1);
    }
    hold!(
        "replay-notices-damage",
        matches!(lied.verify(definition, |_| {}), Err(ReplayError::Result { .. })),
        "a replay with a wrong score is accepted"
    );
    flips(definition, &replay, Stream::from_seed(seed.bits()))
}

/// Damages bytes of some steps. If the damaged replay is accepted, it must be a valid replay of another
/// episode.
fn flips<G: Playable>(definition: &Definition<G>, replay: &Replay, mut rng: Stream) -> Held {
    let mut places: Vec<usize> = (0..replay.steps.len()).collect();
    rng.shuffle(&mut places);
    // The verification of each flip costs as much as the whole episode.
    let most = (40_000 / (replay.steps.len() + 1)).clamp(4, 60);
    for step in places.into_iter().take(most) {
        let mut bytes = replay.steps[step].clone().into_bytes();
        let at = rng.index(bytes.len());
        bytes[at] = if rng.coin() { bytes[at] ^ (1 << rng.below(7)) } else { b' ' + rng.below(95) as u8 };
        let Ok(text) = String::from_utf8(bytes) else { continue };
        let mut damaged = replay.clone();
        damaged.steps[step].clone_from(&text);
        damaged.result = None;
        if let Ok(played) = damaged.verify(definition, |_| {}) {
            let other = Replay::of(&played, &damaged.players, None);
            let what = || {
                format!(
                    "with step {} changed to '{text}' the replay is accepted, but is no valid one",
                    step + 1
                )
            };
            granted("replay-notices-damage", other.verify(definition, |_| {}), what)?;
            hold!("replay-notices-damage", other.steps.len() == damaged.steps.len(), "{}", what());
        }
    }
    Ok(())
}

/// Every agent plays at every seat, or gives a reason for its refusal.
pub(crate) fn agents<G: Playable>(
    definition: &Definition<G>,
    game: &Arc<G>,
    agents: &[AgentInfo<G>],
    seed: u64,
    episodes: u64,
    longest: usize,
) -> Held {
    for info in agents {
        let spec = AgentSpec { name: info.name.to_owned(), arguments: String::new() };
        if let Err(error) = info.build(&**game, &spec) {
            hold!(
                "agents-refuse-with-reason",
                matches!(&error, meeple_core::AgentError::Refused { reason, .. } if !reason.trim().is_empty()),
                "the agent '{}' with its defaults is refused: {error}",
                info.name
            );
            continue;
        }
        line_up(definition, game, agents, &vec![spec; game.seats()], seed, episodes, longest)?;
        let unknown = AgentSpec { name: info.name.to_owned(), arguments: "no-such-parameter=1".into() };
        hold!(
            "agents-refuse-unknown-parameters",
            info.build(&**game, &unknown).is_err(),
            "the agent '{}' accepts a parameter that it does not have",
            info.name
        );
    }
    Ok(())
}

/// A replay verifies and leads to the same state.
pub(super) fn verifies<G: Playable>(
    definition: &Definition<G>,
    replay: &Replay,
    episode: &Episode<G>,
) -> Held {
    let played =
        granted("replay-verifies", replay.verify(definition, |_| {}), || "a replay is refused".into())?;
    hold!(
        "replay-verifies",
        played.state() == episode.state() && played.outcome() == episode.outcome(),
        "a replay leads to another state than its episode"
    );
    Ok(())
}
