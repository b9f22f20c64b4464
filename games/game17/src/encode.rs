//! The encoding of an observation as numbers for learners: a summary, and the board as planes.

use meeple_core::{Encode, FieldSink, Meaning, Seat, bent};

use crate::dangers::{Dangers, KINDS};
use crate::game::Game17;
use crate::observe::Observation;

const ROUNDS_LEFT: Meaning = Meaning::share("rounds_left", "all rounds", "Rounds after this one.");
const PHASE: Meaning =
    Meaning::flag("phase", "The phase: own turn, another owner's turn, coins for ties, set-up or end.");
const UNTIL: Meaning = Meaning::share("until", "all owners", "Places in the turn order to the own turn.");
const OWN: Meaning = Meaning::share("own", "the whole board", "Own squares, own pieces.");
const BEST: Meaning =
    Meaning::share("best", "the whole board", "Most squares, most pieces of another owner.");
const LEAD: Meaning = Meaning::signed(
    "lead",
    "the whole board",
    "Own squares less the most squares of another owner; the same for pieces.",
);
const SIDES: Meaning = Meaning::share("sides", "all owners", "Owners that have pieces.");
const BORDER: Meaning =
    Meaning::share("border", "the whole board", "Own squares beside a square of another owner.");
const OWN_SQUARES: Meaning = Meaning::flag("own_squares", "Plane: 1 on own squares.");
const OWN_PIECES: Meaning =
    Meaning::share("own_pieces", "bent at the pieces of a square", "Plane: own pieces on the square.");
const OTHER_PIECES: Meaning =
    Meaning::share("other_pieces", "bent at those of ten squares", "Plane: pieces of others on the square.");
const STRENGTH: Meaning =
    Meaning::share("strength", "log of all pieces", "Plane: all pieces of the owner of the square.");
const TURN_OF: Meaning = Meaning::share(
    "turn_of",
    "all owners",
    "Plane: places in the turn order from the mover to the owner of the square.",
);

/// Factor of features that concern few squares: shares of a twentieth of the board instead of the whole
/// board.
const FINE: f32 = 20.0;

const WORTH: Meaning = Meaning::signed(
    "worth",
    "a twentieth of the board",
    "Squares plus pieces (all pieces together count as much as the board, and less in the last rounds): those of the own seat, and \
     its lead over the best other owner.",
)
.times(FINE);
const FRONT: Meaning = Meaning::share(
    "front",
    "a twentieth of all pieces",
    "Own pieces on squares beside squares of others, and all other own pieces.",
)
.times(FINE);
const EMPTY: Meaning =
    Meaning::share("empty", "a twentieth of the board", "Own squares without pieces.").times(FINE);
const EXPOSED: Meaning = Meaning::share(
    "exposed",
    "a twentieth of the board, of all pieces",
    "Own squares that a single other owner can surely take before the next own turn, and the pieces on them: by owners of few \
     squares, by owners of more, and by the strongest of the latter.",
)
.times(FINE);
const AT_RISK: Meaning = Meaning::share(
    "at_risk",
    "a twentieth of the board, of all pieces",
    "Own squares, and pieces on them, that owners of few squares take in the mean if their pieces move at \
     random.",
)
.times(FINE);
const TAKEABLE: Meaning = Meaning::share(
    "takeable",
    "a twentieth of the board, of all pieces",
    "Squares that own pieces beside them can surely take, and the pieces on them: of owners of few squares, of owners of more, and \
     of the strongest of the latter.",
)
.times(FINE);
const BESIDE: Meaning = Meaning::share(
    "beside",
    "a twentieth of the board, of all pieces",
    "Squares of the same owners beside own ones, and the pieces on them.",
)
.times(FINE);
const RIVAL: Meaning = Meaning::share(
    "rival",
    "a twentieth of the board, of all pieces",
    "Squares and pieces of the strongest other owner that has more than a few squares.",
)
.times(FINE);

/// Rounds before the end at which the weight of pieces starts to fall.
const LATE: f32 = 12.0;

impl Encode for Game17 {
    const VERSION: u32 = 2;

    /// Planes list the board row by row from the top left. The agents behind owners are hidden, so zombies
    /// look like other owners.
    fn encode(&self, seen: &Observation<'_>, seat: Seat, sink: &mut impl FieldSink) {
        let count = self.board.squares();
        let all = count as f32;
        // The total number of pieces is constant during a game.
        let total = seen.numbers().iter().sum::<u32>().max(1) as f32;
        let mover = seen.mover();
        let coins = seen.tied_squares().next().is_some();

        sink.one(ROUNDS_LEFT, f32::from(seen.rounds_left()) / f32::from(self.rounds()));
        let phase = match mover {
            None => 3,
            Some(_) if coins => 2,
            Some(mover) if mover == seat => 0,
            Some(_) => 1,
        };
        sink.one_of(PHASE, 4, Some(phase));
        let until = |owner: usize| match mover {
            Some(mover) => (seen.turn_place(owner) + count - seen.turn_place(mover.index())) % count,
            None => 0,
        };
        sink.one(UNTIL, until(seat.index()) as f32 / all);
        let share = |squares: u32, pieces: u32| [squares as f32 / all, pieces as f32 / total];
        let own = (seen.squares_of(seat), seen.pieces_of(seat));
        let others = || Seat::all(count).filter(|other| *other != seat);
        let best = (
            others().map(|other| seen.squares_of(other)).max().unwrap_or(0),
            others().map(|other| seen.pieces_of(other)).max().unwrap_or(0),
        );
        let (own_share, best_share) = (share(own.0, own.1), share(best.0, best.1));
        sink.field(OWN, own_share);
        sink.field(BEST, best_share);
        sink.field(LEAD, [0, 1].map(|what| own_share[what] - best_share[what]));
        sink.one(SIDES, seen.sides() as f32 / all);

        // During the set-up, squares have no owners.
        let owners = seen.owners();
        let owner = |square: usize| owners.get(square).map(|owner| usize::from(*owner));
        let is_own = |square: usize| owner(square) == Some(seat.index());
        let exposed = |square: &usize| seen.neighbours(*square).into_iter().any(|other| !is_own(other));
        let border = (0..count).filter(|square| is_own(*square)).filter(exposed).count();
        sink.one(BORDER, border as f32 / all);
        sink.flags(OWN_SQUARES, (0..count).map(is_own));
        let start = self.variant.pieces as f32;
        let numbers = seen.numbers();
        let pieces = |own: bool| {
            (0..count).map(move |square| match owner(square) {
                Some(owner) if (owner == seat.index()) == own => bent(numbers[square] as f32, start),
                _ => 0.0,
            })
        };
        sink.field(OWN_PIECES, pieces(true));
        sink.field(OTHER_PIECES, pieces(false));
        let strength = |owner: usize| bent(seen.pieces_of(Seat::new(owner)) as f32, 10.0 * start);
        sink.field(STRENGTH, (0..count).map(|square| owner(square).map_or(0.0, strength)));
        let turn = |owner: usize| until(owner) as f32 / all;
        sink.field(TURN_OF, (0..count).map(|square| owner(square).map_or(0.0, turn)));
        let dangers = Dangers::of(seen, seat);
        let weight = (f32::from(seen.rounds_left()) / LATE).min(1.0) / 2.0;
        let worth = |[squares, pieces]: [f32; 2]| FINE * ((1.0 - weight) * squares + weight * pieces);
        let most = others().map(|other| worth(share(seen.squares_of(other), seen.pieces_of(other))));
        let most = most.fold(0.0, f32::max);
        sink.field(WORTH, [worth(own_share), worth(own_share) - most]);
        let (all, total) = (all / FINE, total / FINE);
        let pieces = |number: u32| number as f32 / total;
        sink.field(FRONT, [dangers.front, own.1.saturating_sub(dangers.front)].map(pieces));
        sink.one(EMPTY, dangers.empty as f32 / all);
        let shares = |kinds: [[u32; 2]; KINDS]| {
            kinds.into_iter().flat_map(move |[squares, pieces]| [squares as f32 / all, pieces as f32 / total])
        };
        sink.field(EXPOSED, shares(dangers.exposed));
        sink.field(AT_RISK, [dangers.at_risk[0] / all, dangers.at_risk[1] / total]);
        sink.field(TAKEABLE, shares(dangers.takeable));
        sink.field(BESIDE, shares(dangers.beside));
        let rival = dangers.rival.map_or([0.0; 2], |rival| {
            share(seen.squares_of(rival), seen.pieces_of(rival)).map(|share| FINE * share)
        });
        sink.field(RIVAL, rival);
    }
}
