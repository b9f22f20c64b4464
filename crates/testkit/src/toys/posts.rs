//! Posts: structured actions, given at once.

use std::fmt;
use std::str::FromStr;

use meeple_core::{
    ActionKind, Audience, ChanceStreams, EventSink, Game, GameInfo, Illegal, Information, Phase, Playable,
    Present, Seat, SeatSet, SetupError, Stream, Viewer, params,
};
use serde::Serialize;

use super::nim::Never;

const POSTS: usize = 3;
const MOST_SEATS: usize = 4;

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

/// Everybody's allocation, told when all have given theirs.
#[derive(Clone, Debug, Serialize)]
pub struct Revealed(Vec<Allocation>);

impl fmt::Display for Revealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts: Vec<String> = self.0.iter().map(Allocation::to_string).collect();
        write!(f, "revealed: {}", texts.join(" against "))
    }
}

/// What has been given, by seat.
pub type Given = [Option<Allocation>; MOST_SEATS];

/// Posts: every seat sends its soldiers to three posts, in secret; the most at a post hold it, and a post
/// held alone is a point.
#[derive(Debug)]
pub struct Posts {
    variant: PostsVariant,
    seats: usize,
    /// Whether it refuses whatever is given.
    is_stubborn: bool,
}

impl Posts {
    /// A game that checks what is given, and refuses it all the same: it breaks a law on purpose.
    pub fn stubborn(seats: usize) -> Self {
        Self { variant: PostsVariant::default(), seats, is_stubborn: true }
    }

    fn is_over(&self, given: &Given) -> bool {
        given[..self.seats].iter().all(Option::is_some)
    }
}

impl Game for Posts {
    type Variant = PostsVariant;
    type State = Given;
    type Action = Allocation;
    type Chance = Never;
    type Event = Revealed;
    type Observation<'a> = Given;

    const INFO: GameInfo = GameInfo {
        summary: "soldiers sent to posts in secret",
        seats: 2..=MOST_SEATS,
        actions: ActionKind::Structured,
        information: Information::Public,
        simultaneous: true,
        demo: &["random", "random"],
        guide: include_str!("GUIDE.md"),
        advisor: "random",
        ..GameInfo::new("posts", "Posts", "R1: everything is in the code.")
    };

    fn new(variant: PostsVariant, seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant, seats, is_stubborn: false })
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
        if self.is_stubborn {
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

    /// All soldiers on the first post: nothing at all would be illegal.
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
        // Whether the others have decided cannot be known, so they have not.
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

impl Present for Posts {}

impl Playable for Posts {}
