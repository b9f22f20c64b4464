//! Layout of a screen in limited room: positions of panels, and the visible section of the board.

use crate::screen::{Area, Ink, Line, Panel, Part, Screen, Span, line_columns, text_columns};
use crate::wrap::{Letter, cropped, joined, letters, wrapped};

/// Columns between a board and the panels beside it.
const GAP: usize = 2;

/// Minimum number of lines of a board that is at least this high, in a room with at least twice as many
/// lines. Other panels yield lines to it.
const MIN_BOARD: usize = 7;

/// Minimum columns of the panels beside a board, unless all their lines are shorter.
const MIN_SIDE: usize = 20;

/// Indent of the continuation of a broken line, in columns.
const HANG: usize = 2;

/// Minimum number of lines of an overview.
const MIN_OVERVIEW: usize = 4;

/// Maximum size of an overview, in columns and lines.
const OVERVIEW: (usize, usize) = (36, 8);

/// The room for a screen.
#[derive(Clone, Copy, Debug)]
pub struct Room<'a> {
    /// Maximum columns of a line.
    pub columns: usize,
    /// Maximum number of lines; `None` for no limit.
    pub lines: Option<usize>,
    /// Hint added to panels that were cut, such as `board shows all`.
    pub cut: &'a str,
    /// Hint added to a board that extends beyond its window, such as `scroll: Shift and arrows`.
    pub torn: &'a str,
}

/// Position of a board's visible section, kept from screen to screen. The section moves only if a requested
/// area is not visible.
#[derive(Clone, Debug, Default)]
pub struct Camera {
    /// First visible column and line, in the board's coordinates; see [`Panel::origin`].
    at: Option<(i32, i32)>,
    /// True after a manual move, until [`follow`](Camera::follow).
    held: bool,
}

impl Camera {
    /// Moves right and down by this many columns and lines, and stays there until [`follow`](Self::follow).
    pub fn pan(&mut self, columns: i32, lines: i32) {
        if let Some((column, line)) = &mut self.at {
            *column = column.saturating_add(columns);
            *line = line.saturating_add(lines);
            self.held = true;
        }
    }

    /// Follows the requested areas again.
    pub fn follow(&mut self) {
        self.held = false;
    }

    /// Moves to a section of `columns` by `lines` that shows the wanted area of the board's body. Returns the
    /// section's first column and line.
    fn aim(&mut self, board: &Body<'_>, columns: usize, lines: usize) -> (usize, usize) {
        let origin = board.panel.origin;
        let before =
            self.at.map(|(column, line)| (column.saturating_sub(origin.0), line.saturating_sub(origin.1)));
        let wanted = if self.held { None } else { board.wanted(columns, lines) };
        let place =
            |before: Option<i32>, wanted: Option<(usize, usize)>, room: usize, size: usize, margin: usize| {
                let last = size.saturating_sub(room);
                let aim = match (before, wanted) {
                    (Some(before), Some((from, to))) => {
                        let inner = margin.min(room.saturating_sub(to - from) / 2) as i32;
                        let free = |edge: bool| if edge { 0 } else { inner };
                        let low = from as i32 - free(from == 0);
                        let high = to as i32 + free(to >= size);
                        if low >= before && high <= before + room as i32 {
                            before
                        } else {
                            centred(from, to, room)
                        }
                    }
                    (Some(before), None) => before,
                    (None, Some((from, to))) => centred(from, to, room),
                    (None, None) => 0,
                };
                (aim.max(0) as usize).min(last)
            };
        let column = place(
            before.map(|at| at.0),
            wanted.map(|area| (area.column, area.column + area.columns)),
            columns,
            board.columns,
            6,
        );
        let line = place(
            before.map(|at| at.1),
            wanted.map(|area| (area.line, area.line + area.lines)),
            lines,
            board.lines,
            3,
        );
        // Sections begin with a whole square, except at the right edge of the board.
        let step = board.panel.step.max(1);
        let column = if column + columns < board.columns { column / step * step } else { column };
        self.at = Some((column as i32 + origin.0, line as i32 + origin.1));
        (column, line)
    }
}

fn centred(from: usize, to: usize, room: usize) -> i32 {
    (from as i32 + to as i32 - room as i32) / 2
}

/// Visible section of a board, and the board's size, all without labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// The visible section, in the board's columns and lines without labels.
    pub seen: Area,
    /// Columns of the whole board.
    pub columns: usize,
    /// Lines of the whole board.
    pub lines: usize,
}

impl Sight {
    /// Returns true if the whole board is visible.
    pub fn is_whole(&self) -> bool {
        self.beyond().is_empty()
    }

    /// Signs and words of the directions in which the board extends beyond the section.
    fn beyond(&self) -> Vec<(&'static str, &'static str)> {
        let seen = self.seen;
        let sides = [
            (seen.column > 0, "◂", "left"),
            (seen.column + seen.columns < self.columns, "▸", "right"),
            (seen.line > 0, "▴", "up"),
            (seen.line + seen.lines < self.lines, "▾", "down"),
        ];
        sides.into_iter().filter(|side| side.0).map(|(_, sign, word)| (sign, word)).collect()
    }
}

/// A screen as laid out in a room.
#[derive(Clone, Debug, Default)]
pub struct Fitted {
    /// Lines from top to bottom, none wider than the room.
    pub lines: Vec<Line>,
    /// Visible section of the board, if there is one.
    pub sight: Option<Sight>,
    /// True if lines of panels were cut.
    pub is_cut: bool,
}

struct Body<'a> {
    panel: &'a Panel,
    columns: usize,
    lines: usize,
}

impl<'a> Body<'a> {
    fn new(panel: &'a Panel) -> Self {
        let width = panel.lines.iter().map(|line| line_columns(line)).max().unwrap_or(0);
        let (above, left) = panel.labels;
        Self { panel, columns: width.saturating_sub(left), lines: panel.lines.len().saturating_sub(above) }
    }

    /// Columns and lines of the board, labels included.
    fn whole(&self) -> (usize, usize) {
        (self.columns + self.panel.labels.1, self.lines + self.panel.labels.0)
    }

    /// The requested areas, relative to the body and clamped to it. Areas beyond the board become the nearest
    /// edge.
    fn asked(&self) -> impl Iterator<Item = Area> {
        let (above, left) = self.panel.labels;
        let within = |from: usize, size: usize, labels: usize, whole: usize| {
            let end = from.saturating_add(size).saturating_sub(labels).min(whole);
            let from = from.saturating_sub(labels).min(whole.saturating_sub(1));
            (from, end.saturating_sub(from))
        };
        self.panel.focus.iter().map(move |area| {
            let (column, columns) = within(area.column, area.columns, left, self.columns);
            let (line, lines) = within(area.line, area.lines, above, self.lines);
            Area { column, line, columns, lines }
        })
    }

    /// The area to show through a window of this size: the union of the requested areas, in order of
    /// priority, as far as they fit. If the first area is too large, its middle is taken.
    fn wanted(&self, columns: usize, lines: usize) -> Option<Area> {
        let mut wanted: Option<Area> = None;
        for area in self.asked() {
            let joint = wanted.map_or(area, |wanted| union(wanted, area));
            match wanted {
                None => wanted = Some(middle(area, columns, lines)),
                Some(_) if joint.columns <= columns && joint.lines <= lines => wanted = Some(joint),
                Some(_) => {}
            }
        }
        wanted
    }

    /// The lines of the section seen through a window of this size, labels included.
    fn piece(&self, columns: usize, lines: usize, camera: &mut Camera) -> (Vec<Line>, Sight) {
        let (above, left) = self.panel.labels;
        let step = self.panel.step.max(1);
        let room = columns.saturating_sub(left);
        // Only whole squares are shown, if at least one fits.
        let room = if room < self.columns && room >= step { room / step * step } else { room };
        let seen_columns = room.min(self.columns);
        let seen_lines = lines.saturating_sub(above).min(self.lines);
        let (column, line) = camera.aim(self, seen_columns, seen_lines);
        let heads = self.panel.lines.iter().take(above.min(lines));
        let body = self.panel.lines.iter().skip(above + line).take(seen_lines);
        let cut = |whole: &Line| {
            let mut piece = cropped(whole, 0, left.min(columns));
            piece.extend(cropped(whole, left + column, seen_columns));
            piece
        };
        let seen = Area { column, line, columns: seen_columns, lines: seen_lines };
        (heads.chain(body).map(cut).collect(), Sight { seen, columns: self.columns, lines: self.lines })
    }

    /// The whole board in miniature: each square shows the most common letter of its part. Corners mark the
    /// visible section, and `@` marks the first requested area.
    fn overview(&self, sight: &Sight, columns: usize, lines: usize) -> Vec<Line> {
        let factor = self.columns.div_ceil(columns.max(1)).max(self.lines.div_ceil(lines.max(1))).max(1);
        let (above, left) = self.panel.labels;
        let body: Vec<Vec<Letter>> = self.panel.lines.iter().skip(above).map(|line| letters(line)).collect();
        let (wide, high) = (self.columns.div_ceil(factor), self.lines.div_ceil(factor));
        let mut small: Vec<Vec<Letter>> = (0..high)
            .map(|row| {
                let square = |column: usize| {
                    let lines = body.iter().skip(row * factor).take(factor);
                    most_common(lines.flat_map(|line| line.iter().skip(left + column * factor).take(factor)))
                };
                (0..wide).map(square).collect()
            })
            .collect();
        let seen = sight.seen;
        let (west, north) = (seen.column / factor, seen.line / factor);
        let east = (seen.column + seen.columns).div_ceil(factor).clamp(1, wide) - 1;
        let south = (seen.line + seen.lines).div_ceil(factor).clamp(1, high) - 1;
        for (row, line) in small.iter_mut().enumerate() {
            for (column, letter) in line.iter_mut().enumerate() {
                let inside = (north..=south).contains(&row) && (west..=east).contains(&column);
                letter.ink.dim = !inside;
            }
        }
        let mut mark = |row: usize, column: usize, sign: &str| {
            if let Some(letter) = small.get_mut(row).and_then(|line| line.get_mut(column)) {
                *letter = Letter { text: sign.to_owned(), ink: Ink::plain().bold(), columns: 1 };
            }
        };
        for (row, column, sign) in
            [(north, west, "┌"), (north, east, "┐"), (south, west, "└"), (south, east, "┘")]
        {
            mark(row, column, sign);
        }
        if let Some(area) = self.asked().next() {
            mark((area.line + area.lines / 2) / factor, (area.column + area.columns / 2) / factor, "@");
        }
        small.iter().map(|line| joined(line)).collect()
    }
}

fn most_common<'a>(letters: impl Iterator<Item = &'a Letter>) -> Letter {
    let mut counts: Vec<(&Letter, usize)> = Vec::new();
    for letter in letters.filter(|letter| !letter.is_blank() && letter.columns == 1) {
        match counts.iter_mut().find(|(known, _)| known.text == letter.text && known.ink == letter.ink) {
            Some((_, count)) => *count += 1,
            None => counts.push((letter, 1)),
        }
    }
    // On ties the letter that occurs first wins.
    counts
        .iter()
        .rev()
        .max_by_key(|(_, count)| *count)
        .map_or_else(Letter::blank, |(letter, _)| (*letter).clone())
}

fn union(a: Area, b: Area) -> Area {
    let (column, line) = (a.column.min(b.column), a.line.min(b.line));
    Area {
        column,
        line,
        columns: (a.column + a.columns).max(b.column + b.columns) - column,
        lines: (a.line + a.lines).max(b.line + b.lines) - line,
    }
}

/// The middle of an area, cut to this size.
fn middle(area: Area, columns: usize, lines: usize) -> Area {
    Area {
        column: area.column + area.columns.saturating_sub(columns) / 2,
        line: area.line + area.lines.saturating_sub(lines) / 2,
        columns: area.columns.min(columns),
        lines: area.lines.min(lines),
    }
}

impl Screen {
    /// Lays the screen out in the given room. Text wraps at words. If there are too few lines, blank lines
    /// are dropped first, then details. The board, seen through the camera, and the other panels share the
    /// rest.
    pub fn fitted(&self, room: Room<'_>, camera: &mut Camera) -> Fitted {
        let board = self.panels.iter().find(|panel| panel.part == Part::Board).map(Body::new);
        let text = |part: Part, columns: usize| -> Vec<Line> {
            let panels = self.panels.iter().filter(|panel| panel.part == part);
            panels.flat_map(|panel| &panel.lines).flat_map(|line| wrapped(line, columns, HANG)).collect()
        };
        let block = |part: Part| Block::new(part, text(part, room.columns), room.columns);
        let (mut head, mut news, mut foot) = (block(Part::Head), block(Part::News), block(Part::Foot));
        let (mut choices, mut details) = (block(Part::Choices), block(Part::Details));
        let fixed = head.lines() + news.lines() + foot.lines() + choices.lines();
        let mut rest = room.lines.map(|lines| lines.saturating_sub(fixed));
        // Text panels give up lines if too few are left for the board.
        if let (Some(lines), Some(left)) = (room.lines, &mut rest) {
            let least = match &board {
                Some(board) => board.whole().1.min(MIN_BOARD.max(lines / 2)),
                None => text(Part::Side, room.columns).len().min(MIN_BOARD),
            };
            let mut missing = least.min(lines / 2).saturating_sub(*left) + fixed.saturating_sub(lines);
            for block in [&mut choices, &mut foot, &mut news, &mut head] {
                missing -= block.give(missing);
            }
            *left = lines.saturating_sub(head.lines() + news.lines() + foot.lines() + choices.lines());
        }
        let best = self
            .middles(&board, room.columns)
            .into_iter()
            .map(|middle| middle.within(&board, rest, details.lines()));
        let mut best: Vec<(usize, Shape)> = best.collect();
        best.sort_by_key(|(cost, _)| *cost);
        let Some((_, shape)) = best.into_iter().next() else { return Fitted::default() };

        details.keep(shape.details);
        let mut fitted = Fitted::default();
        let side_columns = shape.side_columns.unwrap_or(room.columns);
        let mut side = Block::new(Part::Side, text(Part::Side, side_columns), side_columns);
        side.keep(shape.side);
        let blocks = [&head, &side, &details, &news, &foot, &choices];
        fitted.is_cut = blocks.iter().any(|block| block.left_out() > 0);
        let middle = match &board {
            Some(board) => {
                let (lines, sight) = shape.picture(board, side, room, camera);
                fitted.sight = Some(sight);
                lines
            }
            None => side.shown(room),
        };
        let blocks = [
            head.shown(room),
            middle,
            details.shown(room),
            news.shown(room),
            foot.shown(room),
            choices.shown(room),
        ];
        let used: usize = blocks.iter().map(Vec::len).sum();
        let blocks: Vec<Vec<Line>> = blocks.into_iter().filter(|block| !block.is_empty()).collect();
        let roomy = room.lines.is_none_or(|lines| used + blocks.len().saturating_sub(1) <= lines);
        for block in blocks {
            if roomy && !fitted.lines.is_empty() {
                fitted.lines.push(Vec::new());
            }
            fitted.lines.extend(block);
        }
        // Rooms of a few lines are too small for the minimum of every panel.
        fitted.lines.truncate(room.lines.unwrap_or(usize::MAX));
        fitted
    }

    /// The board in miniature within these columns and lines, with the section of `sight` marked. Empty
    /// without a board.
    pub fn overview(&self, sight: &Sight, columns: usize, lines: usize) -> Vec<Line> {
        let board = self.panels.iter().find(|panel| panel.part == Part::Board);
        board.map_or_else(Vec::new, |board| Body::new(board).overview(sight, columns, lines))
    }

    /// Candidate layouts of the board and the side panels: stacked, or side by side with several widths.
    fn middles(&self, board: &Option<Body<'_>>, columns: usize) -> Vec<Middle> {
        let side =
            || self.panels.iter().filter(|panel| panel.part == Part::Side).flat_map(|panel| &panel.lines);
        let natural = side().map(|line| line_columns(line)).max().unwrap_or(0);
        let height = |columns: usize| side().map(|line| wrapped(line, columns, HANG).len()).sum();
        let stacked = Middle { columns, side_columns: None, side: height(columns) };
        let Some(board) = board.as_ref().filter(|_| natural > 0) else { return vec![stacked] };
        let spare = columns.saturating_sub(board.whole().0 + GAP);
        let mut widths = vec![natural, spare, columns / 2, columns * 9 / 20, columns * 2 / 5, columns / 3];
        widths.retain(|width| *width >= natural.min(MIN_SIDE) && width + GAP + MIN_SIDE / 2 <= columns);
        widths.iter_mut().for_each(|width| *width = natural.min(*width));
        widths.dedup();
        let beside = widths.into_iter().map(|width| Middle {
            columns: columns - width - GAP,
            side_columns: Some(width),
            side: height(width),
        });
        beside.chain([stacked]).collect()
    }
}

/// A layout of the board and the side panels, beside or below it.
struct Middle {
    /// Columns for the board.
    columns: usize,
    /// Columns of the side panels beside the board; `None` if they are below it.
    side_columns: Option<usize>,
    /// Lines that the side panels need.
    side: usize,
}

/// Room allotted to the board, the side panels and the details, in lines and columns.
struct Shape {
    columns: usize,
    board: usize,
    side: usize,
    side_columns: Option<usize>,
    details: usize,
}

impl Middle {
    /// Allots the lines. Also returns the cost: the number of lost lines, weighted by panel.
    fn within(self, board: &Option<Body<'_>>, lines: Option<usize>, details: usize) -> (usize, Shape) {
        let (board_columns, board_lines) = board.as_ref().map_or((0, 0), |board| board.whole());
        let shape = |board: usize, side: usize, details: usize| Shape {
            columns: self.columns,
            board,
            side,
            side_columns: self.side_columns,
            details,
        };
        let torn = board_columns > self.columns;
        let Some(lines) = lines else {
            let lost = if torn { board_lines * 4 } else { 0 };
            return (lost, shape(board_lines + usize::from(torn), self.side, details));
        };
        let beside = self.side_columns.is_some();
        let wanted = board_lines + usize::from(torn);
        let whole = if beside { wanted.max(self.side) } else { wanted + self.side };
        let shape = if whole <= lines {
            shape(wanted, self.side, details.min(lines - whole))
        } else if beside {
            shape(wanted.min(lines), self.side.min(lines), 0)
        } else {
            let board = wanted.min(lines.saturating_sub(self.side).max(MIN_BOARD.max(lines / 2)).min(lines));
            shape(board, self.side.min(lines - board), 0)
        };
        let seen = shape.board * self.columns.min(board_columns);
        let lost = (board_lines * board_columns).saturating_sub(seen) / (self.columns + 1);
        (2 * lost + 4 * (self.side - shape.side) + details - shape.details, shape)
    }
}

impl Shape {
    /// Lines of the board with the side panels beside or below it.
    fn picture(
        &self,
        board: &Body<'_>,
        side: Block,
        room: Room<'_>,
        camera: &mut Camera,
    ) -> (Vec<Line>, Sight) {
        let whole = board.whole();
        let torn = whole.0 > self.columns || whole.1 > self.board;
        let lines = if torn { self.board.saturating_sub(1) } else { self.board };
        let (mut picture, sight) = board.piece(self.columns, lines, camera);
        if torn && self.board > 0 {
            picture.push(torn_line(&sight, room, self.columns));
        }
        let mut side = side.shown(room);
        let Some(side_columns) = self.side_columns else {
            picture.extend(side);
            return (picture, sight);
        };
        // The overview fills otherwise empty room.
        let spare = self.board.saturating_sub(side.len() + 1).min(OVERVIEW.1);
        if torn && spare >= MIN_OVERVIEW {
            side.resize(self.board - spare, Vec::new());
            side.extend(board.overview(&sight, side_columns.min(OVERVIEW.0), spare));
        }
        let left = if torn { self.columns } else { whole.0 };
        picture.resize(picture.len().max(side.len()), Vec::new());
        for (line, right) in picture.iter_mut().zip(side) {
            let missing = (left + GAP).saturating_sub(line_columns(line));
            line.push(Span { text: " ".repeat(missing), ink: Ink::default() });
            line.extend(right);
        }
        (picture, sight)
    }
}

/// The line below a cut board that names the directions in which it continues.
fn torn_line(sight: &Sight, room: Room<'_>, columns: usize) -> Line {
    let beyond = sight.beyond();
    let signs: Vec<&str> = beyond.iter().map(|(sign, _)| *sign).collect();
    let words: Vec<&str> = beyond.iter().map(|(_, word)| *word).collect();
    let mut text = format!("{} more {}", signs.concat(), words.join(", "));
    if !room.torn.is_empty() {
        text.push_str(&format!(" ({})", room.torn));
    }
    cropped(&[Span { text, ink: Ink::plain().dim() }], 0, columns)
}

/// Lines of a panel, of which a prefix is shown.
struct Block {
    all: Vec<Line>,
    /// Lines allotted, including the mark for omitted lines.
    room: usize,
    columns: usize,
    part: Part,
}

impl Block {
    fn new(part: Part, all: Vec<Line>, columns: usize) -> Self {
        Self { room: all.len(), all, columns, part }
    }

    fn lines(&self) -> usize {
        self.room
    }

    fn keep(&mut self, lines: usize) {
        self.room = self.room.min(lines);
    }

    /// Gives up to `lines` lines away, but keeps the last one. Returns the number of lines given.
    fn give(&mut self, lines: usize) -> usize {
        let given = self.room.saturating_sub(1).min(lines);
        self.room -= given;
        given
    }

    fn left_out(&self) -> usize {
        if self.room < self.all.len() { self.all.len() - self.room.saturating_sub(1) } else { 0 }
    }

    fn shown(&self, room: Room<'_>) -> Vec<Line> {
        let left_out = self.left_out();
        if left_out > 0 && self.room == 1 && self.part == Part::Head {
            // The game's status is more important than the number of omitted lines.
            return self.all.iter().take(1).cloned().collect();
        }
        let mut lines: Vec<Line> = self.all.iter().take(self.all.len() - left_out).cloned().collect();
        if left_out > 0 && self.room > 0 {
            let s = if left_out == 1 { "" } else { "s" };
            let mut text = format!("… {left_out} more line{s}");
            let hint = format!(" ({})", room.cut);
            if !room.cut.is_empty() && text_columns(&text) + text_columns(&hint) <= self.columns {
                text.push_str(&hint);
            }
            lines.push(cropped(&[Span { text, ink: Ink::plain().dim() }], 0, self.columns));
        }
        lines
    }
}
