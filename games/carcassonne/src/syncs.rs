//! The files of the original bot battle: a log of events, made from an episode, and its summaries.
//!
//! Positions are those of the original: the first tile lies at 85,85. Events have the names and the order
//! that bots and visualisers expect. Events that the original lacks (discards, towers) have their own names.

use meeple_core::{
    Defined as _, EventLog, Game, Replay, Step, StepOf, TextTable, Tool, ToolCall, ToolError, ToolOutput,
};
use serde_json::{Value, json};

use crate::action::Action;
use crate::board::{Node, node_of, segment_of, tile_of};
use crate::event::{Chance, Event};
use crate::game::Carcassonne;
use crate::geometry::{Cell, FieldSpot, Side, Spot};
use crate::info::ends;
use crate::state::{Stage, State};
use crate::tiles::Kind;
use crate::variant::Order;

/// Column and row of the first tile in the original.
const CENTER: i16 = 85;

pub(crate) const TOOL: &str = "syncs";

const USAGE: &str = "export REPLAY -o FOLDER [--ban SEAT STEP TYPE REASON]";

pub(crate) fn tool() -> Tool<Carcassonne> {
    Tool {
        name: TOOL,
        usage: USAGE,
        doc: "The files of the original bot battle (SYNCS 2025) out of a replay: results.json, game.json and \
              visualiser_forwards_differential.json. With --ban the game ends before the step with this number, \
              with the ban of a player.",
        run,
    }
}

fn run(call: &mut ToolCall<'_, Carcassonne>) -> Result<ToolOutput, ToolError> {
    let usage = |reason: String| ToolError::Usage(format!("{reason}\nhint: {TOOL} {USAGE}"));
    let words: Vec<&str> = call.arguments.iter().map(String::as_str).collect();
    let (file, folder, ban) = match words[..] {
        ["export", file, "-o", folder] => (file, folder, None),
        ["export", file, "-o", folder, "--ban", seat, step, kind, reason] => {
            let number = |what: &str, text: &str| {
                text.parse::<usize>()
                    .map_err(|_| usage(format!("--ban: expected the number of a {what}, found '{text}'")))
            };
            if !BANS.contains(&kind) {
                return Err(usage(format!("--ban: expected one of {}, found '{kind}'", BANS.join(", "))));
            }
            let (seat, step) = (number("seat", seat)?, number("step", step)?);
            (file, folder, Some(Ban { seat, step, kind, reason }))
        }
        _ => return Err(usage("expected a replay and where to write".to_owned())),
    };
    let text = (call.read_file)(file).map_err(|error| ToolError::Usage(format!("{file}: {error}")))?;
    let failed = |error: &dyn std::fmt::Display| ToolError::Failed(format!("{file}: {error}"));
    let replay = Replay::parse(&text).map_err(|error| failed(&error))?;
    let episode = replay.verify(&Carcassonne::definition(), |_| {}).map_err(|error| failed(&error))?;
    let files = Files::new(episode.game(), episode.steps(), ban.as_ref());
    let path = |name: &str| format!("{folder}/{name}");
    Ok(ToolOutput {
        tables: vec![TextTable {
            notes: vec![format!("events written to {folder}: {}", files.events.len())],
            ..TextTable::default()
        }],
        json: json!({ "format": 1, "game": crate::info::INFO.id, "folder": folder, "events": files.events.len() }),
        files: vec![
            (path("results.json"), files.results.to_string()),
            (path("game.json"), Value::Array(files.events.clone()).to_string()),
            (path("visualiser_forwards_differential.json"), Value::Array(files.shown()).to_string()),
        ],
    })
}

const BANS: [&str; 5] = ["TIMEOUT", "CUMULATIVE_TIMEOUT", "BROKEN_PIPE", "INVALID_MESSAGE", "INVALID_MOVE"];

struct Ban<'a> {
    seat: usize,
    /// Number of steps of the episode before the ban.
    step: usize,
    kind: &'a str,
    reason: &'a str,
}

struct Files {
    events: Vec<Value>,
    results: Value,
}

const SHOWN: [&str; 6] = [
    "event_game_started",
    "event_starting_tile_placed",
    "event_river_phase_completed",
    "move_place_tile",
    "move_place_meeple",
    "event_player_meeple_freed",
];

impl Files {
    fn new(game: &Carcassonne, steps: &[StepOf<Carcassonne>], ban: Option<&Ban<'_>>) -> Self {
        let mut log = Log::new(game);
        for step in steps.iter().take(ban.map_or(usize::MAX, |ban| ban.step)) {
            log.step(step);
        }
        let state = &log.state;
        let points = &state.points[..game.seats];
        let results = match ban {
            Some(Ban { seat, kind, reason, .. }) => {
                log.emit(json!({
                    "event_type": "event_player_banned", "player_id": seat, "ban_type": kind, "reason": reason,
                    "details": null,
                }));
                json!({ "result_type": "PLAYER_BANNED", "ban_type": kind, "player": seat, "reason": reason })
            }
            None if state.stage == Stage::Over => {
                // The original has no ties: at equal points the lower seat number comes first.
                let mut ranking: Vec<usize> = (0..game.seats).collect();
                ranking.sort_by_key(|seat| std::cmp::Reverse(points[*seat]));
                let score: serde_json::Map<String, Value> = points
                    .iter()
                    .enumerate()
                    .map(|(seat, points)| (seat.to_string(), json!(points)))
                    .collect();
                log.emit(json!({
                    "event_type": "event_player_won", "player_id": ranking[0], "points": points[ranking[0]],
                }));
                json!({ "result_type": "SUCCESS", "ranking": ranking, "score": score })
            }
            None => {
                let reason = "the replay stops before the end of the game";
                log.emit(json!({ "event_type": "event_game_ended_cancelled", "reason": reason }));
                json!({ "result_type": "CANCELLED", "reason": reason })
            }
        };
        Self { events: log.events, results }
    }

    fn shown(&self) -> Vec<Value> {
        let shown = |event: &&Value| SHOWN.iter().any(|kind| event["event_type"] == *kind);
        self.events.iter().filter(shown).cloned().collect()
    }
}

struct Log<'a> {
    game: &'a Carcassonne,
    state: State,
    events: Vec<Value>,
    /// Tiles of each hand in the order they were drawn.
    hands: Vec<Vec<Kind>>,
    /// Drawn tiles that are not logged yet.
    drawn: Vec<Kind>,
    /// True while the first hands are dealt.
    dealing: bool,
    /// The seat whose turn was logged last.
    turn: Option<usize>,
}

/// A placed tile in the original's format.
fn tile(kind: Kind, cell: Cell, turns: u8) -> Value {
    json!({ "tile_type": kind.to_string(), "pos": pos(cell), "rotation": turns })
}

fn pos(cell: Cell) -> [i16; 2] {
    [i16::from(cell.x) + CENTER, i16::from(cell.y) + CENTER]
}

/// An unplaced tile in the original's format.
fn held(kind: Kind) -> Value {
    json!({ "tile_type": kind.to_string(), "pos": [0, 0], "rotation": 0 })
}

fn place(spot: Spot) -> String {
    let edge = |side: Side| match side {
        Side::N => "top_edge",
        Side::E => "right_edge",
        Side::S => "bottom_edge",
        Side::W => "left_edge",
    };
    match spot {
        Spot::City(side) | Spot::Road(side) => edge(side).to_owned(),
        Spot::Monastery => "MONASTARY".to_owned(),
        Spot::Field(FieldSpot::At(half)) => format!("field_{half}"),
        Spot::Field(FieldSpot::Inside) => "field_inside".to_owned(),
    }
}

impl<'a> Log<'a> {
    fn new(game: &'a Carcassonne) -> Self {
        let hands = vec![Vec::new(); game.seats];
        Self {
            game,
            state: game.initial_state(),
            events: Vec::new(),
            hands,
            drawn: Vec::new(),
            dealing: false,
            turn: None,
        }
    }

    fn emit(&mut self, event: Value) {
        self.events.push(event);
    }

    fn begin_turn(&mut self, seat: usize) {
        if self.turn != Some(seat) {
            self.turn = Some(seat);
            self.emit(json!({ "event_type": "event_player_turn_started", "player_id": seat }));
        }
    }

    fn step(&mut self, step: &StepOf<Carcassonne>) {
        let before = self.state;
        let mut emitted = EventLog::new();
        match step {
            Step::Chance(chance) => {
                if let Chance::Draw(kind) = chance {
                    self.drawn.push(*kind);
                }
                self.game.apply_chance(&mut self.state, chance, &mut emitted);
                self.dealing = self.state.dealt > before.dealt;
            }
            Step::Action(seat, action) => {
                if *action == Action::Pass {
                    self.pass(seat.index());
                }
                self.game.apply_unchecked(&mut self.state, *seat, action, &mut emitted);
            }
        }
        let mut standing = meeples(&before);
        let mut scored = Vec::new();
        // The meeple of a claim that scores at once is on neither board, so it is added.
        if let Step::Action(seat, Action::Claim(spot)) = step {
            let last = before.board.len() - 1;
            if let Some(segment) = before.board.tiles()[last].piece().segment_at(*spot) {
                let own = (node_of(last, segment), seat.index());
                if !standing.contains(&own) {
                    standing.push(own);
                }
            }
        }
        // If the turn ends without a decision about a meeple, the original logs a pass.
        let mut passes = matches!(step, Step::Action(_, Action::Place { .. }))
            && self.state.stage != Stage::Action
            && self.game.variant.order == Order::ClaimFirst;
        for (_, event) in emitted.entries() {
            if passes && !matches!(event, Event::Placed { .. }) {
                passes = false;
                self.pass(before.mover());
            }
            self.event(event, &mut standing, &mut scored);
        }
        if passes {
            self.pass(before.mover());
        }
    }

    fn pass(&mut self, seat: usize) {
        self.emit(json!({ "event_type": "move_place_meeple_pass", "player_id": seat }));
        self.turn = None;
    }

    fn event(
        &mut self,
        event: &Event,
        standing: &mut Vec<(Node, usize)>,
        scored: &mut Vec<(usize, Cell, i32)>,
    ) {
        let seats = self.game.seats;
        match event {
            Event::TurnOrder { order } => {
                let meeples = self.game.variant.meeples;
                let player = |seat: usize| json!({ "player_id": seat, "team_id": seat, "points": 0, "tiles": [], "num_meeples": meeples });
                let players: Vec<Value> = (0..seats).map(player).collect();
                self.emit(
                    json!({ "event_type": "event_game_started", "turn_order": order, "players": players }),
                );
            }
            Event::Started { tile: kind } => {
                let placed = tile(*kind, Cell::default(), 0);
                self.emit(json!({ "event_type": "event_starting_tile_placed", "tile_placed": placed }));
            }
            Event::Drew { seat } => self.drew(seat.index()),
            Event::DrewTile { seat, .. } if self.game.open_hands() => self.drew(seat.index()),
            Event::Placed { seat, tile: kind, cell, turns } => {
                let seat = seat.index();
                self.begin_turn(seat);
                let index = self.hands[seat].iter().position(|own| own == kind).unwrap_or(0);
                if index < self.hands[seat].len() {
                    self.hands[seat].remove(index);
                }
                self.emit(json!({
                    "event_type": "move_place_tile", "player_id": seat, "tile": tile(*kind, *cell, *turns),
                    "player_tile_index": index,
                }));
            }
            Event::Lake { cell, turns } => {
                let end = tile(Kind::LAKE, *cell, *turns);
                self.emit(json!({ "event_type": "event_river_phase_completed", "end_tile": end }));
            }
            Event::Discarded { seat, tile: kind } => {
                let seat = seat.index();
                self.begin_turn(seat);
                self.hands[seat].retain({
                    let mut left = 1;
                    move |own| own != kind || std::mem::take(&mut left) == 0
                });
                let event = "event_player_discarded_tile";
                self.emit(json!({ "event_type": event, "player_id": seat, "tile": held(*kind) }));
            }
            Event::Claimed { seat, cell, spot } => {
                let placed = self.lying(*cell);
                self.emit(json!({
                    "event_type": "move_place_meeple", "player_id": seat.index(), "tile": placed,
                    "placed_on": place(*spot),
                }));
                self.turn = None;
            }
            Event::Scored { seat, cell, points, end, .. } => {
                scored.push((seat.index(), *cell, *points));
                if *end {
                    self.free(seat.index(), *cell, usize::MAX, standing, scored);
                }
            }
            Event::Returned { seat, meeples, cell } => {
                self.free(seat.index(), *cell, usize::from(*meeples), standing, scored);
            }
            Event::Ended { reason } => self.ended(reason),
            Event::Floor { seat, cell, height } => {
                let event = "event_floor_built";
                self.emit(json!({ "event_type": event, "player_id": seat.index(), "pos": pos(*cell), "height": height }));
                self.turn = None;
            }
            Event::Closed { seat, cell } => {
                self.emit(json!({ "event_type": "event_tower_closed", "player_id": seat.index(), "pos": pos(*cell) }));
                self.turn = None;
            }
            Event::Captured { seat, owner, cell, post } => {
                let on = post.parse::<Spot>().map_or_else(|_| post.clone(), place);
                self.emit(json!({
                    "event_type": "event_meeple_captured", "player_id": seat.index(), "owner_id": owner.index(),
                    "pos": pos(*cell), "placed_on": on,
                }));
            }
            Event::Exchanged { seats: [one, other] } => self.emit(json!({
                "event_type": "event_prisoners_exchanged", "player_ids": [one.index(), other.index()],
            })),
            Event::Ransomed { seat, captor, points } => self.emit(json!({
                "event_type": "event_ransom_paid", "player_id": seat.index(), "captor_id": captor.index(),
                "points": points,
            })),
            Event::DrewTile { .. } | Event::RiverBroken { .. } => {}
        }
    }

    fn lying(&self, cell: Cell) -> Value {
        let placed = self.state.board.tile_at(cell).map(|number| self.state.board.tiles()[number]);
        placed.map_or(Value::Null, |placed| tile(placed.kind(), placed.cell, placed.turns()))
    }

    /// Logs a seat's draw. The first tiles of a hand are logged together, without a turn.
    fn drew(&mut self, seat: usize) {
        if self.dealing && self.drawn.len() + 1 < usize::from(self.game.variant.hand) {
            return;
        }
        let drawn = std::mem::take(&mut self.drawn);
        let tiles: Vec<Value> = drawn.iter().copied().map(held).collect();
        self.emit(json!({
            "event_type": "event_player_drew_tiles", "player_id": seat, "num_tiles": drawn.len(), "tiles": tiles,
        }));
        self.hands[seat].extend(drawn);
        if !self.dealing {
            self.begin_turn(seat);
        }
    }

    /// Logs that up to `count` meeples of a seat return from the feature that includes this tile.
    fn free(
        &mut self,
        seat: usize,
        cell: Cell,
        count: usize,
        standing: &mut Vec<(Node, usize)>,
        scored: &[(usize, Cell, i32)],
    ) {
        let board = self.state.board;
        let rootcell = |node: Node| board.tiles()[tile_of(board.root(node))].cell;
        let own: Vec<(Node, usize)> = standing
            .iter()
            .copied()
            .filter(|(node, owner)| *owner == seat && rootcell(*node) == cell && self.goes_home(*node, count))
            .collect();
        // Two features of one tile may complete at once, so each call handles one feature.
        let Some(root) = own.first().map(|(node, _)| board.root(*node)) else { return };
        let own: Vec<(Node, usize)> = own.into_iter().filter(|(node, _)| board.root(*node) == root).collect();
        let paid = scored.iter().rev().find(|(other, at, _)| (*other, *at) == (seat, cell));
        let mut reward = paid.map_or(0, |(.., points)| *points);
        for (node, owner) in own {
            standing.retain(|one| *one != (node, owner));
            let placed = board.tiles()[tile_of(node)];
            self.emit(json!({
                "event_type": "event_player_meeple_freed", "player_id": seat, "reward": reward,
                "tile": tile(placed.kind(), placed.cell, placed.turns()),
                "placed_on": place(placed.piece().spots[segment_of(node)]),
            }));
            reward = 0;
        }
    }

    /// Returns true if a meeple has left its place, or if it is paid in place at the end of the game.
    fn goes_home(&self, node: Node, count: usize) -> bool {
        count == usize::MAX || self.state.board.owner(node).is_none()
    }

    fn ended(&mut self, reason: &str) {
        if reason == ends::NAMES[usize::from(ends::LIMIT)] {
            let limit = self.game.variant.point_limit;
            let first = (0..self.game.seats).find(|seat| self.state.points[*seat] >= limit).unwrap_or(0);
            self.emit(json!({ "event_type": "event_game_ended_point_limit_reached", "player_id": first }));
        } else {
            self.emit(json!({ "event_type": "event_game_ended_stale_mate", "reason": "All player tiles exhuasted" }));
        }
    }
}

/// Meeples on features, with their seats.
fn meeples(state: &State) -> Vec<(Node, usize)> {
    let board = &state.board;
    let of_tile = |number: usize| {
        let segments = 0..usize::from(board.tiles()[number].piece().segments);
        segments.filter_map(move |segment| {
            let node = node_of(number, segment);
            Some((node, board.owner(node)?))
        })
    };
    (0..board.len()).flat_map(of_tile).collect()
}
