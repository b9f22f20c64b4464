//! Posts: structured actions, simultaneous.

use std::fmt;
use std::str::FromStr;

use meeple_core::{
    ActionKind, ActionPart, Addition, Audience, ChanceStreams, Composition, Defined, Definition, EventSink,
    Game, GameInfo, Illegal, Information, Phase, Playable, Present, Seat, SeatSet, SetupError, Stream, View,
    Viewer, params,
};
use serde::Serialize;

use super::nim::Never;

const POSTS: usize = 3;
const MAX_SEATS: usize = 4;

params! {
    /// The rules of Posts.
    pub struct PostsVariant {
        /// Soldiers of each seat.
        pub soldiers: u8 = 20 => "soldiers", int(0, 200);
    }
}

/// Soldiers sent to each post.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Allocation(pub [u8; POSTS]);

impl fmt::Display for Allocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(u8::to_string).collect();
        f.write_str(&texts.join("/"))
    }
}

impl FromStr for Allocation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts: Vec<u8> = text.split('/').filter_map(|part| part.parse().ok()).collect();
        match <[u8; POSTS]>::try_from(parts) {
            Ok(posts) if text.matches('/').count() == POSTS - 1 => Ok(Self(posts)),
            _ => Err(format!("expected {POSTS} numbers as in 3/0/5, found '{text}'")),
        }
    }
}

/// Event with every seat's allocation, once all have decided.
#[derive(Clone, Debug, Serialize)]
pub struct Revealed(Vec<Allocation>);

impl fmt::Display for Revealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(Allocation::to_string).collect();
        write!(f, "revealed: {}", texts.join(" against "))
    }
}

/// Allocations given so far, by seat.
pub type Given = [Option<Allocation>; MAX_SEATS];

/// Posts: every seat secretly sends its soldiers to three posts. The seat with the most soldiers at a post
/// gets a point; nobody gets one in a tie.
#[derive(Debug)]
pub struct Posts {
    variant: PostsVariant,
    seats: usize,
    flaw: PostsFlaw,
}

/// A law that Posts breaks on purpose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PostsFlaw {
    /// None: the game is sound.
    None,
    /// `apply` refuses actions that `check` accepts.
    Stubborn,
    /// The composer does not accept its own additions.
    ComposerForgets,
    /// The composer steps back to the same place.
    ComposerStays,
    /// The composer names a target that is not drawn.
    ComposerPointsNowhere,
    /// The composer ends in the middle.
    ComposerEnds,
    /// The composer takes half an action for a complete one.
    ComposerTooEarly,
}

impl Posts {
    /// The game with a law broken on purpose.
    pub fn with_flaw(flaw: PostsFlaw, seats: usize) -> Self {
        Self { variant: PostsVariant::default(), seats, flaw }
    }

    fn is_over(&self, given: &Given) -> bool {
        given[..self.seats].iter().all(Option::is_some)
    }
}

static INFO: GameInfo = GameInfo {
    summary: "soldiers sent to posts in secret",
    seats: 2..=MAX_SEATS,
    actions: ActionKind::Structured,
    information: Information::Public,
    simultaneous: true,
    demo: &["random", "random"],
    guide: include_str!("GUIDE.md"),
    advisor: "random",
    ..GameInfo::new("posts", "Posts", "R1: everything is in the code.")
};

impl Posts {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: PostsVariant, seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant, seats, flaw: PostsFlaw::None })
    }
}

impl Game for Posts {
    type Variant = PostsVariant;
    type State = Given;
    type Action = Allocation;
    type Chance = Never;
    type Event = Revealed;
    type Observation<'a> = Given;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &PostsVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        self.seats
    }

    fn initial_state(&self) -> Given {
        Given::default()
    }

    fn phase(&self, given: &Given) -> Phase {
        if self.is_over(given) {
            return Phase::Over;
        }
        let owing = (0..self.seats).filter(|seat| given[*seat].is_none());
        Phase::Decide(SeatSet::from_mask(owing.fold(0, |mask, seat| mask | 1 << seat)))
    }

    fn legal_actions(&self, _given: &Given, _seat: Seat, _actions: &mut Vec<Allocation>) {}

    fn check(&self, _given: &Given, _seat: Seat, action: &Allocation) -> Result<(), Illegal> {
        let sent: u32 = action.0.iter().map(|count| u32::from(*count)).sum();
        if sent == u32::from(self.variant.soldiers) {
            return Ok(());
        }
        Err(Illegal::new(format!("expected {} soldiers in all, found {sent}", self.variant.soldiers)))
    }

    fn apply_unchecked(
        &self,
        given: &mut Given,
        seat: Seat,
        action: &Allocation,
        events: &mut impl EventSink<Revealed>,
    ) {
        given[seat.index()] = Some(*action);
        if self.is_over(given) {
            events.emit(Audience::All, || Revealed(given.iter().copied().flatten().collect()));
        }
    }

    fn apply(
        &self,
        given: &mut Given,
        seat: Seat,
        action: &Allocation,
        events: &mut impl EventSink<Revealed>,
    ) -> Result<(), Illegal> {
        if !self.phase(given).owes(seat) {
            return Err(Illegal::new(format!("seat {seat} owes no decision")));
        }
        if self.flaw == PostsFlaw::Stubborn {
            return Err(Illegal::new("nothing is good enough"));
        }
        self.check(given, seat, action)?;
        self.apply_unchecked(given, seat, action, events);
        Ok(())
    }

    fn sample_action(
        &self,
        _given: &Given,
        _seat: Seat,
        rng: &mut Stream,
        _scratch: &mut Vec<Allocation>,
    ) -> Allocation {
        let mut posts = [0; POSTS];
        for _ in 0..self.variant.soldiers {
            posts[rng.index(POSTS)] += 1;
        }
        Allocation(posts)
    }

    /// All soldiers on the first post: the empty allocation would be illegal.
    fn fallback_action(&self, _given: &Given, _seat: Seat) -> Allocation {
        let mut posts = [0; POSTS];
        posts[0] = self.variant.soldiers;
        Allocation(posts)
    }

    fn sample_chance(&self, _given: &Given, _streams: &mut ChanceStreams) -> Never {
        unreachable!("never in a chance phase")
    }

    fn apply_chance(&self, _given: &mut Given, chance: &Never, _events: &mut impl EventSink<Revealed>) {
        match *chance {}
    }

    fn chance_outcomes(&self, _given: &Given) -> Option<Vec<(Never, f64)>> {
        Some(Vec::new())
    }

    fn observe<'a>(&'a self, given: &'a Given, viewer: Viewer) -> Given {
        let mut seen = Given::default();
        for seat in Seat::all(self.seats) {
            if self.is_over(given) || viewer.sees(seat) {
                seen[seat.index()] = given[seat.index()];
            }
        }
        seen
    }

    fn determinize(&self, observation: &Given, _rng: &mut Stream, given: &mut Given) {
        // The others' decisions are unobservable, so the determinization has none.
        *given = *observation;
    }

    fn score(&self, given: &Given, seat: Seat) -> i64 {
        if !self.is_over(given) {
            return 0;
        }
        let sent = |seat: usize, post: usize| given[seat].map_or(0, |allocation| allocation.0[post]);
        let holds = |post: usize| {
            let own = sent(seat.index(), post);
            (0..self.seats).filter(|other| *other != seat.index()).all(|other| sent(other, post) < own)
        };
        (0..POSTS).filter(|post| holds(*post)).count() as i64
    }
}

impl Present for Posts {
    /// One post after another; the remaining soldiers go to the last.
    fn compose(&self, _view: &View<'_, Self>, text: &str) -> Result<Option<Composition>, String> {
        let sent = text.split('/').filter(|number| !number.is_empty()).map(str::parse);
        let sent: Vec<u8> = sent.collect::<Result<_, _>>().map_err(|error| format!("'{text}': {error}"))?;
        let sum: u32 = sent.iter().map(|count| u32::from(*count)).sum();
        let wrong = || format!("expected at most {POSTS} numbers of {} in all", self.variant.soldiers);
        let left = u32::from(self.variant.soldiers).checked_sub(sum).filter(|_| sent.len() <= POSTS);
        let left = left.ok_or_else(wrong)?;
        if self.flaw == PostsFlaw::ComposerForgets && sent.len() == 2 {
            return Err(wrong());
        }
        let add = |count: u32| Addition {
            text: format!("{text}{count}/"),
            parts: vec![ActionPart::new("Soldiers", format!("{count} to post {}", sent.len()))],
            target: (self.flaw == PostsFlaw::ComposerPointsNowhere).then(|| "nowhere".to_owned()),
        };
        let numbers = match POSTS - sent.len() {
            0 => 0..=0,
            1 => left..=left,
            _ => 0..=left,
        };
        let is_whole = sent.len() == POSTS;
        let ends = is_whole || self.flaw == PostsFlaw::ComposerEnds && sent.len() == 1;
        let taken = is_whole || self.flaw == PostsFlaw::ComposerTooEarly && sent.len() == 1;
        let before = text.trim_end_matches('/').rsplit_once('/').map_or("", |(before, _)| before);
        let before = if before.is_empty() { String::new() } else { format!("{before}/") };
        Ok(Some(Composition {
            lines: sent.iter().map(u8::to_string).collect(),
            back: if self.flaw == PostsFlaw::ComposerStays {
                Some(text.to_owned())
            } else {
                (!text.is_empty()).then_some(before)
            },
            additions: if ends { Vec::new() } else { numbers.map(add).collect() },
            action: taken.then(|| text.trim_end_matches('/').to_owned()),
            words: if taken { "send them".into() } else { String::new() },
            ..Composition::default()
        }))
    }
}

impl Playable for Posts {}

impl Defined for Posts {
    fn definition() -> Definition<Self> {
        Definition::new(&INFO, Default::default(), Self::new)
    }
}
