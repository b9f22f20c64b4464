//! Dice: perfect information and chance, with optional flaws in values, lists and drawings.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU32, Ordering};

use meeple_core::{
    Audience, ChanceStreams, Defined, Definition, EventSink, Game, GameInfo, Illegal, Outcome, Phase,
    Playable, Present, Preset, Purpose, Seat, SetupError, Stream, View, Viewer, choice, params,
};
use meeple_scene::{Area, Part, Scene, Screen};
use serde::{Serialize, Serializer, ser::Error as _};

/// Faces of the die.
const FACES: u8 = 3;
/// A face that no die has, with a text of two lines.
const TORN: u8 = 31;
/// A seat that does not exist.
const NOWHERE: Seat = Seat::new(9);

choice! {
    /// A law to break on purpose, to prove that the laws detect it.
    pub enum DiceFlaw {
        None = "none",
        ActionTorn = "action-torn",
        ActionReadsAsOther = "action-reads-as-other",
        ActionOfNothing = "action-of-nothing",
        ActionOfOther = "action-of-other",
        ApplyRefuses = "apply-refuses",
        AudienceOfNobody = "audience-of-nobody",
        BoundTooLow = "bound-too-low",
        ChanceActs = "chance-acts",
        ChanceCheckTooKind = "chance-check-too-kind",
        ChanceListsNothing = "chance-lists-nothing",
        ChanceListsTwice = "chance-lists-twice",
        ChanceListsZero = "chance-lists-zero",
        ChanceMoody = "chance-moody",
        ChanceRefused = "chance-refused",
        ChanceTorn = "chance-torn",
        CloneDiffers = "clone-differs",
        CloneFromDiffers = "clone-from-differs",
        DeterminizeWears = "determinize-wears",
        DrawingMoody = "drawing-moody",
        EndUndeclared = "end-undeclared",
        Endless = "endless",
        EventMatters = "event-matters",
        EventMoody = "event-moody",
        EventTorn = "event-torn",
        EventUnwritten = "event-unwritten",
        InputRefused = "input-refused",
        LengthMoody = "length-moody",
        ListMoody = "list-moody",
        MarksNothing = "marks-nothing",
        NobodyDecides = "nobody-decides",
        ObservationUnwritten = "observation-unwritten",
        OddSampled = "odd-sampled",
        OutcomeMoody = "outcome-moody",
        OutcomeShort = "outcome-short",
        OutComesBack = "out-comes-back",
        SampleIllegal = "sample-illegal",
        ReasonMissing = "reason-missing",
        ScreenEmpty = "screen-empty",
        ScreenBeyond = "screen-beyond",
        ScreenFarOff = "screen-far-off",
        ScreenMoody = "screen-moody",
        SpotIllegal = "spot-illegal",
        SpotsForAll = "spots-for-all",
        StateUnwritten = "state-unwritten",
        StrangerDecides = "stranger-decides",
    }
}

params! {
    /// The rules of Dice.
    pub struct DiceVariant {
        /// Throws in an episode.
        pub throws: u8 = 8 => "throws", int(1, 100);
        /// The law to break.
        pub flaw: DiceFlaw = DiceFlaw::None => "flaw", choice(DiceFlaw::WORDS);
    }
}

/// A seat's decision about a throw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pick {
    /// Counts the throw.
    #[default]
    Keep,
    /// Discards the throw.
    Leave,
    /// Counts the throw twice, and prints like [`Keep`](Self::Keep): legal only under a flaw.
    Odd,
    /// Discards the throw, and prints as two lines: legal only under a flaw.
    Torn,
}

impl fmt::Display for Pick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Keep | Self::Odd => "keep",
            Self::Leave => "leave",
            Self::Torn => "to\nrn",
        })
    }
}

impl FromStr for Pick {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "keep" => Ok(Self::Keep),
            "leave" => Ok(Self::Leave),
            "to\nrn" => Ok(Self::Torn),
            _ => Err(format!("expected keep or leave, found '{text}'")),
        }
    }
}

/// Result of a throw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face(u8);

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == TORN { f.write_str("to\nrn") } else { write!(f, "{}", self.0) }
    }
}

impl FromStr for Face {
    type Err = String;

    /// Also parses faces that the die does not have.
    fn from_str(text: &str) -> Result<Self, String> {
        match text.as_bytes() {
            [digit @ b'1'..=b'9'] => Ok(Self(digit - b'0')),
            _ => Err(format!("expected a face, found '{text}'")),
        }
    }
}

/// Event: a throw was counted or discarded.
#[derive(Clone, Debug)]
pub struct Picked {
    seat: Seat,
    pick: Pick,
    /// A value that nothing should depend on.
    mood: bool,
    flaw: DiceFlaw,
}

impl fmt::Display for Picked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = match self.flaw {
            DiceFlaw::EventTorn => "\n",
            DiceFlaw::EventMoody if self.mood => " with a sigh",
            _ => "",
        };
        write!(f, "seat {}: {}{end}", self.seat, self.pick)
    }
}

impl Serialize for Picked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.flaw == DiceFlaw::EventUnwritten {
            return Err(S::Error::custom("it does not want to"));
        }
        (self.seat, self.pick as u8).serialize(serializer)
    }
}

/// A position of Dice.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct DiceState {
    thrown: u8,
    /// The throw that awaits a decision, 0 for none.
    face: u8,
    scores: [u16; 2],
    /// Number of copies under a flaw; hidden from everybody.
    wear: u8,
    flaw: DiceFlaw,
}

impl DiceState {
    fn copied(&self, worn_by: DiceFlaw) -> Self {
        let wear = self.wear + u8::from(self.flaw == worn_by);
        Self { thrown: self.thrown, face: self.face, scores: self.scores, wear, flaw: self.flaw }
    }

    fn seen(&self) -> (u8, u8, [u16; 2]) {
        (self.thrown, self.face, self.scores)
    }
}

impl Clone for DiceState {
    fn clone(&self) -> Self {
        self.copied(DiceFlaw::CloneDiffers)
    }

    fn clone_from(&mut self, source: &Self) {
        *self = source.copied(DiceFlaw::CloneFromDiffers);
    }
}

impl Serialize for DiceState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.flaw {
            DiceFlaw::StateUnwritten => Err(S::Error::custom("it does not want to")),
            _ => self.seen().serialize(serializer),
        }
    }
}

/// Every viewer's observation.
pub struct DiceObservation<'a>(&'a DiceState);

impl Serialize for DiceObservation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.flaw {
            DiceFlaw::ObservationUnwritten => Err(S::Error::custom("it does not want to")),
            _ => self.0.seen().serialize(serializer),
        }
    }
}

/// Dice: a die is thrown for two seats in turn, and each counts the throw or not. A one must be discarded.
#[derive(Debug)]
pub struct Dice {
    variant: DiceVariant,
    /// Number of calls, for flaws that depend on it: such a game is no function of its state.
    asked: AtomicU32,
}

impl Dice {
    /// The usual game with this flaw.
    pub fn with_flaw(flaw: DiceFlaw) -> Self {
        Self { variant: DiceVariant { flaw, ..DiceVariant::default() }, asked: AtomicU32::new(0) }
    }

    fn flawed(&self, flaw: DiceFlaw) -> bool {
        self.variant.flaw == flaw
    }

    /// Under this flaw, true in every other run of `calls` calls.
    fn is_moody(&self, flaw: DiceFlaw, calls: u32) -> bool {
        self.flawed(flaw) && self.asked.fetch_add(1, Ordering::Relaxed) / calls % 2 == 1
    }

    fn may(&self, state: &DiceState, pick: Pick) -> bool {
        match pick {
            Pick::Keep => state.face != 1,
            Pick::Leave => true,
            Pick::Odd => self.flawed(DiceFlaw::ActionReadsAsOther),
            Pick::Torn => self.flawed(DiceFlaw::ActionTorn),
        }
    }
}

static INFO: GameInfo = GameInfo {
    summary: "throws to keep or to leave",
    presets: &[Preset { name: "usual", doc: "Eight throws.", set: &[] }],
    ends: &["thrown", "tired"],
    demo: &["random", "random"],
    guide: include_str!("../../../src/toys/GUIDE.md"),
    advisor: "random",
    ..GameInfo::new("dice", "Dice", "R1: everything is in the code.")
};

impl Dice {
    /// The game with this variant, for this number of seats.
    ///
    /// # Errors
    /// If the parameters contradict each other or the number of seats.
    pub fn new(variant: DiceVariant, _seats: usize) -> Result<Self, SetupError> {
        Ok(Self { variant, asked: AtomicU32::new(0) })
    }
}

impl Game for Dice {
    type Variant = DiceVariant;
    type State = DiceState;
    type Action = Pick;
    type Chance = Face;
    type Event = Picked;
    type Observation<'a> = DiceObservation<'a>;

    fn info(&self) -> &'static GameInfo {
        &INFO
    }

    fn variant(&self) -> &DiceVariant {
        &self.variant
    }

    fn seats(&self) -> usize {
        2
    }

    fn initial_state(&self) -> DiceState {
        DiceState { thrown: 0, face: 0, scores: [0; 2], wear: 0, flaw: self.variant.flaw }
    }

    fn phase(&self, state: &DiceState) -> Phase {
        if state.thrown == self.variant.throws {
            return Phase::Over;
        }
        match self.variant.flaw {
            _ if state.face == 0 => Phase::Chance,
            DiceFlaw::NobodyDecides => Phase::Decide(meeple_core::SeatSet::EMPTY),
            DiceFlaw::StrangerDecides => Phase::turn(NOWHERE),
            _ => Phase::turn(Seat::new(usize::from(state.thrown % 2))),
        }
    }

    fn can_still_decide(&self, state: &DiceState, seat: Seat) -> bool {
        // The flaw: a seat that has thrown counts as finished.
        !self.flawed(DiceFlaw::OutComesBack) || seat.index() != usize::from(state.thrown + 1) % 2
    }

    fn legal_actions(&self, state: &DiceState, _seat: Seat, actions: &mut Vec<Pick>) {
        if self.is_moody(DiceFlaw::ListMoody, 2) {
            actions.push(Pick::Leave);
            return;
        }
        let all = [Pick::Keep, Pick::Leave, Pick::Odd, Pick::Torn];
        actions.extend(all.into_iter().filter(|pick| self.may(state, *pick)));
    }

    fn action_bound(&self) -> u32 {
        if self.flawed(DiceFlaw::BoundTooLow) { 1 } else { 4 }
    }

    fn action_id(&self, _state: &DiceState, _seat: Seat, action: &Pick) -> u32 {
        *action as u32
    }

    fn mark_ids(&self, state: &DiceState, seat: Seat, scratch: &mut Vec<Pick>, mask: &mut [u8]) {
        scratch.clear();
        if !self.flawed(DiceFlaw::MarksNothing) {
            self.legal_actions(state, seat, scratch);
        }
        for pick in scratch {
            mask[self.action_id(state, seat, pick) as usize] = 1;
        }
    }

    fn action_of(&self, state: &DiceState, _seat: Seat, id: u32) -> Option<Pick> {
        let all = [Pick::Keep, Pick::Leave, Pick::Odd, Pick::Torn];
        let found = all.into_iter().find(|pick| *pick as u32 == id && self.may(state, *pick))?;
        match self.variant.flaw {
            DiceFlaw::ActionOfNothing => None,
            DiceFlaw::ActionOfOther => Some(Pick::Leave),
            _ => Some(found),
        }
    }

    fn check(&self, state: &DiceState, _seat: Seat, action: &Pick) -> Result<(), Illegal> {
        let is_odd = *action == Pick::Odd && self.flawed(DiceFlaw::OddSampled);
        if is_odd || self.may(state, *action) {
            return Ok(());
        }
        Err(Illegal::new(if self.flawed(DiceFlaw::ReasonMissing) { "" } else { "a one must be left" }))
    }

    fn apply_unchecked(
        &self,
        state: &mut DiceState,
        seat: Seat,
        action: &Pick,
        events: &mut impl EventSink<Picked>,
    ) {
        let times = match action {
            Pick::Keep => 1,
            Pick::Odd => 2,
            Pick::Leave | Pick::Torn => 0,
        };
        if let Some(score) = state.scores.get_mut(seat.index()) {
            *score += times * u16::from(state.face);
        }
        state.face = 0;
        state.thrown += 1;
        if self.flawed(DiceFlaw::Endless) {
            state.thrown %= self.variant.throws;
        }
        let audience = match self.variant.flaw {
            DiceFlaw::AudienceOfNobody => Audience::only(NOWHERE),
            _ => Audience::All,
        };
        let (pick, flaw) = (*action, self.variant.flaw);
        events.emit(audience, || Picked { seat, pick, mood: self.is_moody(DiceFlaw::EventMoody, 3), flaw });
    }

    fn apply(
        &self,
        state: &mut DiceState,
        seat: Seat,
        action: &Pick,
        events: &mut impl EventSink<Picked>,
    ) -> Result<(), Illegal> {
        let phase = self.phase(state);
        if self.flawed(DiceFlaw::ChanceActs) && phase == Phase::Chance {
            return Ok(());
        }
        if !phase.owes(seat) {
            return Err(Illegal::new(format!("seat {seat} owes no decision")));
        }
        if self.flawed(DiceFlaw::ApplyRefuses) {
            return Err(Illegal::new("not today"));
        }
        self.check(state, seat, action)?;
        self.apply_unchecked(state, seat, action, events);
        Ok(())
    }

    fn sample_action(
        &self,
        state: &DiceState,
        seat: Seat,
        rng: &mut Stream,
        scratch: &mut Vec<Pick>,
    ) -> Pick {
        if self.flawed(DiceFlaw::OddSampled) {
            return Pick::Odd;
        }
        // An illegal sample comes only sometimes, so determinized playouts do not detect the flaw first.
        if self.is_moody(DiceFlaw::SampleIllegal, 40) {
            return Pick::Torn;
        }
        scratch.clear();
        self.legal_actions(state, seat, scratch);
        scratch[rng.index(scratch.len())]
    }

    fn fallback_action(&self, _state: &DiceState, _seat: Seat) -> Pick {
        Pick::Leave
    }

    fn sample_chance(&self, state: &DiceState, streams: &mut ChanceStreams) -> Face {
        let face = 1 + streams.stream(Purpose::Deal, u32::from(state.thrown)).below(u32::from(FACES)) as u8;
        if self.flawed(DiceFlaw::ChanceTorn) {
            return Face(TORN);
        }
        Face(if self.is_moody(DiceFlaw::ChanceMoody, 1) { face % FACES + 1 } else { face })
    }

    fn apply_chance(&self, state: &mut DiceState, chance: &Face, events: &mut impl EventSink<Picked>) {
        state.face = chance.0;
        if self.flawed(DiceFlaw::EventMatters) {
            let mut is_heard = false;
            events.emit(Audience::All, || {
                is_heard = true;
                Picked { seat: Seat::new(0), pick: Pick::Leave, mood: false, flaw: DiceFlaw::None }
            });
            state.scores[0] += u16::from(is_heard);
        }
    }

    fn chance_outcomes(&self, _state: &DiceState) -> Option<Vec<(Face, f64)>> {
        let mut outcomes: Vec<(Face, f64)> =
            (1..=FACES).map(|face| (Face(face), 1.0 / f64::from(FACES))).collect();
        match self.variant.flaw {
            DiceFlaw::ChanceListsNothing => outcomes.clear(),
            DiceFlaw::ChanceListsZero => outcomes.push((Face(FACES + 1), 0.0)),
            DiceFlaw::ChanceListsTwice => {
                outcomes[0].1 /= 2.0;
                outcomes.push(outcomes[0]);
            }
            _ => {}
        }
        Some(outcomes)
    }

    fn check_chance(&self, _state: &DiceState, chance: &Face) -> Result<(), Illegal> {
        let is_torn = chance.0 == TORN && self.flawed(DiceFlaw::ChanceTorn);
        let is_face = chance.0 <= FACES && !self.flawed(DiceFlaw::ChanceRefused);
        if is_face || is_torn || self.flawed(DiceFlaw::ChanceCheckTooKind) {
            return Ok(());
        }
        Err(Illegal::new(format!("the die has {FACES} faces, found {chance}")))
    }

    fn observe<'a>(&'a self, state: &'a DiceState, _viewer: Viewer) -> DiceObservation<'a> {
        DiceObservation(state)
    }

    fn determinize(&self, observation: &DiceObservation<'_>, _rng: &mut Stream, state: &mut DiceState) {
        state.clone_from(observation.0);
        state.wear = u8::from(self.flawed(DiceFlaw::DeterminizeWears));
    }

    fn score(&self, state: &DiceState, seat: Seat) -> i64 {
        state.scores.get(seat.index()).copied().unwrap_or(0).into()
    }

    fn outcome(&self, state: &DiceState, outcome: &mut Outcome) {
        outcome.scores.extend(Seat::all(2).map(|seat| self.score(state, seat)));
        outcome.rank_by_score();
        match self.variant.flaw {
            DiceFlaw::EndUndeclared => outcome.end = INFO.ends.len(),
            DiceFlaw::OutcomeMoody => outcome.end = usize::from(self.is_moody(DiceFlaw::OutcomeMoody, 1)),
            DiceFlaw::OutcomeShort => drop(outcome.places.pop()),
            _ => {}
        }
    }

    fn length(&self, _state: &DiceState, decisions: u64) -> u64 {
        decisions + u64::from(self.is_moody(DiceFlaw::LengthMoody, 1))
    }
}

impl Present for Dice {
    fn draw(&self, view: &View<'_, Self>) -> Scene {
        let mut scene = Scene::new(10.0, 4.0);
        let mood = if self.is_moody(DiceFlaw::DrawingMoody, 1) { "!" } else { "" };
        scene.text(0.5, 1.0, 0.5, format!("{:?}{mood}", view.observation.0.seen()));
        if self.flawed(DiceFlaw::SpotIllegal) && !view.legal.is_empty() {
            scene.rect(0.0, 1.0, 1.0, 1.0).action(Pick::Keep.to_string());
        }
        if self.flawed(DiceFlaw::SpotsForAll) {
            scene.rect(0.0, 1.0, 1.0, 1.0).action(Pick::Leave.to_string());
        }
        scene
    }

    fn screen(&self, view: &View<'_, Self>) -> Screen {
        let mut screen = Screen::new();
        if !self.flawed(DiceFlaw::ScreenEmpty) {
            let mood = if self.is_moody(DiceFlaw::ScreenMoody, 1) { "!" } else { "" };
            screen.line().push(format!("{:?}{mood}", view.observation.0.seen()));
        }
        // Requested areas beyond the board: just outside, and at the largest number.
        for (flaw, off) in [(DiceFlaw::ScreenBeyond, 1), (DiceFlaw::ScreenFarOff, usize::MAX)] {
            if self.flawed(flaw) {
                screen.panel(Part::Board).line().push(".");
                screen.focus(Area { column: off, line: off, columns: off, lines: off });
            }
        }
        screen
    }

    fn read_input(&self, _seen: &DiceObservation<'_>, text: &str) -> Result<Pick, String> {
        if self.flawed(DiceFlaw::InputRefused) {
            return Err("expected silence".to_owned());
        }
        text.parse()
    }
}

impl Playable for Dice {}

impl Defined for Dice {
    fn definition() -> Definition<Self> {
        Definition::new(&INFO, Default::default(), Self::new)
    }
}
