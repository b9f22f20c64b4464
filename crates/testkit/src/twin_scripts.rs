//! Twin episodes for hosts: two lists of decisions that differ only in what one viewer may not know.
//!
//! A host plays both and compares, message by message, what it sends to the viewer. The viewer
//! receives the same events, so their order, grouping and message numbers must be equal.

use meeple_core::{Answer, AnyEpisode, AnyGame, EpisodeSeed, EventRecord, Phase, Seat, Stream, Viewer};

/// A decision: the seat, and the action's text.
pub type ScriptedDecision = (usize, String);

/// Upper bound on attempts at a step that leads both worlds to the same events.
const MAX_ATTEMPTS: usize = 40;

/// Two lists of decisions.
pub struct TwinScripts {
    /// The decisions of both worlds, from the beginning.
    pub decisions: [Vec<ScriptedDecision>; 2],
    /// Steps that were given up because the viewer was asked in only one of the worlds.
    pub asked_apart: usize,
}

/// Plays a game twice, up to `steps` steps that the viewer notices. Chance and all decisions
/// are equal in both worlds, except decisions hidden from the viewer.
pub fn twin_scripts(
    game: &dyn AnyGame,
    seed: EpisodeSeed,
    viewer: Viewer,
    steps: usize,
    rng: &mut Stream,
) -> TwinScripts {
    let mut episode = game.episode(seed);
    settle(&mut *episode);
    let one = World { episode, viewer, decisions: Vec::new() };
    let two = one.fork();
    let mut twins = Twins { worlds: [one, two], seen: Vec::new(), asked_apart: 0 };
    // Number of decisions in each world when the viewer had last received the same in both.
    let mut met = [0, 0];
    let mut noticed = 0;
    for _ in 0..steps * MAX_ATTEMPTS {
        match twins.step(rng) {
            Stepped::Secretly => {}
            Stepped::Over => break,
            Stepped::Together => {
                met = [0, 1].map(|world| twins.worlds[world].decisions.len());
                noticed += 1;
                if noticed == steps {
                    break;
                }
            }
        }
    }
    let asked_apart = twins.asked_apart;
    let mut worlds = twins.worlds.into_iter().zip(met).map(|(world, length)| {
        let mut decisions = world.decisions;
        decisions.truncate(length);
        decisions
    });
    let mut next = || worlds.next().expect("there are two");
    TwinScripts { decisions: [next(), next()], asked_apart }
}

fn settle(episode: &mut dyn AnyEpisode) {
    while episode.view().phase() == Phase::Chance {
        episode.step_chance();
    }
}

struct World {
    episode: Box<dyn AnyEpisode>,
    viewer: Viewer,
    decisions: Vec<ScriptedDecision>,
}

/// Signs by which a viewer notices a step.
#[derive(PartialEq, Eq)]
struct Noticed {
    key: u128,
    events: usize,
    is_asked: bool,
    /// Seats that owe a decision, where that is public.
    owing: Vec<Seat>,
}

impl World {
    fn fork(&self) -> Self {
        Self { episode: self.episode.fork(), viewer: self.viewer, decisions: self.decisions.clone() }
    }

    fn owing(&self) -> Vec<Seat> {
        match self.episode.view().phase() {
            Phase::Decide(seats) => seats.filter(|seat| !self.episode.holds(*seat)).collect(),
            Phase::Chance | Phase::Over => Vec::new(),
        }
    }

    fn is_over(&self) -> bool {
        self.episode.view().phase() == Phase::Over
    }

    fn is_asked(&self) -> bool {
        self.owing().into_iter().any(|seat| self.viewer == Viewer::Seat(seat))
    }

    fn noticed(&self) -> Noticed {
        let view = self.episode.view();
        Noticed {
            key: view.information_key(self.viewer),
            events: view.end_of_events(self.viewer).seen(),
            is_asked: self.is_asked(),
            owing: if view.decides_openly() { self.owing() } else { Vec::new() },
        }
    }

    fn events(&self) -> Vec<EventRecord> {
        self.episode.view().events(self.viewer, 0)
    }

    /// The world after a decision, if it is legal.
    fn after(&self, seat: Seat, action: &str) -> Option<Self> {
        if !self.owing().contains(&seat) {
            return None;
        }
        let mut after = self.fork();
        after.episode.decide(seat, Answer::Text(action)).ok()?;
        settle(&mut *after.episode);
        after.decisions.push((seat.index(), action.to_owned()));
        Some(after)
    }

    /// A random possible decision. Half of the time rare kinds of actions are preferred, because random play
    /// hardly ever reaches some situations.
    fn sample(&self, seats: &[Seat], seen: &[ScriptedDecision], rng: &mut Stream) -> (Seat, String) {
        let seat = seats[rng.index(seats.len())];
        let legal = self.episode.view().legal_actions(seat);
        if legal.is_empty() {
            return (seat, self.episode.fork().sample_action(seat));
        }
        let kind = |action: &str| action.split(' ').next().unwrap_or_default().to_owned();
        let any = legal[rng.index(legal.len())].clone();
        if rng.coin() {
            return (seat, any);
        }
        let times = |action: &String| {
            let wanted = kind(action);
            seen.iter().filter(|(_, taken)| kind(taken) == wanted).count()
        };
        let least = legal.iter().map(times).min().unwrap_or(0);
        let rare: Vec<&String> = legal.iter().filter(|action| times(action) == least).collect();
        (seat, rare[rng.index(rare.len())].clone())
    }

    /// The world after a decision of others that the viewer does not notice.
    fn after_secret(&self, seen: &[ScriptedDecision], rng: &mut Stream) -> Option<Self> {
        let others: Vec<Seat> =
            self.owing().into_iter().filter(|seat| self.viewer != Viewer::Seat(*seat)).collect();
        let before = self.noticed();
        (0..8).filter(|_| !others.is_empty()).find_map(|_| {
            let (seat, action) = self.sample(&others, seen, rng);
            self.after(seat, &action).filter(|after| !after.is_over() && after.noticed() == before)
        })
    }

    /// The world after a decision of others that shows the viewer exactly these events.
    fn after_step_towards(&self, events: &[EventRecord], rng: &mut Stream) -> Option<Self> {
        let others: Vec<Seat> =
            self.owing().into_iter().filter(|seat| self.viewer != Viewer::Seat(*seat)).collect();
        (0..8).filter(|_| !others.is_empty()).find_map(|_| {
            let (seat, action) = self.sample(&others, &[], rng);
            self.after(seat, &action).filter(|after| !after.is_over() && events.starts_with(&after.events()))
        })
    }
}

enum Stepped {
    /// Unnoticed by the viewer, or nothing has happened.
    Secretly,
    /// The viewer has received the same in both worlds.
    Together,
    Over,
}

struct Twins {
    worlds: [World; 2],
    seen: Vec<ScriptedDecision>,
    asked_apart: usize,
}

impl Twins {
    fn step(&mut self, rng: &mut Stream) -> Stepped {
        let [one, two] = &self.worlds;
        let owing = one.owing();
        if owing.is_empty() {
            return Stepped::Over;
        }
        let (seat, action) = one.sample(&owing, &self.seen, rng);
        let Some(after) = one.after(seat, &action) else { return Stepped::Secretly };
        if after.is_over() {
            // The end of an episode reveals everything, so this step is not taken.
            return Stepped::Secretly;
        }
        let before = one.noticed();
        if after.noticed() == before {
            let same = two.after(seat, &action).filter(|_| rng.coin());
            let same = same.filter(|other| !other.is_over() && other.noticed() == two.noticed());
            let other = same.or_else(|| two.after_secret(&self.seen, rng).filter(|_| rng.coin()));
            self.seen.push((seat.index(), action));
            self.worlds[0] = after;
            if let Some(other) = other {
                self.worlds[1] = other;
            }
            return Stepped::Secretly;
        }
        // A veiled decision shows no event yet: the viewer may know that it was taken, but not its content.
        let is_veiled =
            after.noticed().events == before.events && self.worlds[0].viewer != Viewer::Seat(seat);
        let mut other = None;
        for _ in 0..MAX_ATTEMPTS {
            let two = &self.worlds[1];
            if is_veiled && rng.coin() && two.owing().contains(&seat) {
                let (_, instead) = two.sample(&[seat], &self.seen, rng);
                other = two.after(seat, &instead).filter(|other| other.noticed() == after.noticed());
            }
            other = other.or_else(|| two.after(seat, &action)).filter(|other| !other.is_over());
            if other.is_some() {
                break;
            }
            match two.after_secret(&self.seen, rng) {
                Some(secret) => self.worlds[1] = secret,
                None => break,
            }
        }
        let Some(other) = other else { return Stepped::Secretly };
        let Some([after, other]) = caught_up([after, other], rng) else { return Stepped::Secretly };
        if after.is_asked() != other.is_asked() {
            self.asked_apart += 1;
            return Stepped::Secretly;
        }
        self.seen.push((seat.index(), action));
        self.worlds = [after, other];
        Stepped::Together
    }
}

/// Both worlds, once the viewer has received the same events in them; `None` if they cannot get there.
fn caught_up(mut worlds: [World; 2], rng: &mut Stream) -> Option<[World; 2]> {
    for _ in 0..MAX_ATTEMPTS {
        let events = [worlds[0].events(), worlds[1].events()];
        if events[0] == events[1] {
            return Some(worlds);
        }
        let behind = usize::from(events[0].len() > events[1].len());
        let ahead = &events[1 - behind];
        if !ahead.starts_with(&events[behind]) {
            return None;
        }
        worlds[behind] = worlds[behind].after_step_towards(ahead, rng)?;
    }
    None
}
