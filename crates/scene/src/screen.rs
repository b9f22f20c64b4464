//! Styled lines of text for terminals.

use std::fmt::Write;
use std::time::Duration;

use unicode_width::UnicodeWidthStr;

use crate::color::Color;

/// What colours a terminal shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorMode {
    /// No escape sequences at all: plain text.
    #[default]
    None,
    /// The 256 colours of xterm; each colour becomes the nearest of them.
    Ansi256,
    /// 24-bit colours.
    TrueColor,
}

/// How letters look. The default is the terminal's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ink {
    /// Colour of the letters; none is the terminal's own.
    pub fg: Option<Color>,
    /// Colour of the ground; none is the terminal's own.
    pub bg: Option<Color>,
    /// Heavier letters.
    pub bold: bool,
    /// Fainter letters.
    pub dim: bool,
    /// Underlined letters.
    pub underline: bool,
}

impl Ink {
    /// The terminal's own ink.
    pub fn plain() -> Ink {
        Ink::default()
    }

    /// Coloured letters.
    pub fn fg(color: Color) -> Ink {
        Ink { fg: Some(color), ..Ink::default() }
    }

    /// Letters that read well on a coloured ground.
    pub fn bg(color: Color) -> Ink {
        Ink { fg: Some(color.contrasting()), bg: Some(color), ..Ink::default() }
    }

    /// The same on a coloured ground.
    pub fn on(mut self, color: Color) -> Ink {
        self.bg = Some(color);
        self
    }

    /// The same with heavier letters.
    pub fn bold(mut self) -> Ink {
        self.bold = true;
        self
    }

    /// The same with fainter letters.
    pub fn dim(mut self) -> Ink {
        self.dim = true;
        self
    }

    /// The same underlined.
    pub fn underline(mut self) -> Ink {
        self.underline = true;
        self
    }
}

/// A piece of a line in one ink.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The letters; control characters are written as U+FFFD, tabs as one blank.
    pub text: String,
    /// How they look.
    pub ink: Ink,
}

/// A line as its pieces from left to right.
pub type Line = Vec<Span>;

/// What a panel of a screen is for: it decides where the panel stands, and what gives way where room is short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// Where the game stands, in a line or two: on top.
    #[default]
    Head,
    /// The picture. Where it is larger than the room a piece of it is seen, which follows what happens; so its
    /// lines are never broken. The first of a screen's boards is that picture, and there should be one only.
    Board,
    /// Players, legend: beside the board where there is room, otherwise below it.
    Side,
    /// What happened since the viewer's last decision, where the game tells that itself: whoever shows the screen
    /// then leaves out the events.
    News,
    /// What the next decision is about: a hand, a question.
    Foot,
    /// The legal actions in the game's own order and words: whoever shows the screen then leaves out the list.
    Choices,
    /// What may be left out first, most important lines on top: tables of prices, what is left in piles.
    Details,
}

/// Columns and lines of a board, counted from its top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Area {
    /// The first column.
    pub column: usize,
    /// The first line.
    pub line: usize,
    /// How many columns.
    pub columns: usize,
    /// How many lines.
    pub lines: usize,
}

/// Lines of a screen that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Panel {
    /// What it is for.
    pub part: Part,
    /// The lines from top to bottom.
    pub lines: Vec<Line>,
    /// Lines at the top and columns at the left that stay in sight whatever piece of a board is seen: labels.
    pub labels: (usize, usize),
    /// Columns of a square of a board. What is seen of it begins and ends with whole squares, so that no label is
    /// cut.
    pub step: usize,
    /// What the first column and the first line of a board are called. A board that grows to the west or north
    /// counts them down, so that what is seen of it stands still.
    pub origin: (i32, i32),
    /// What should be seen of a board, the most important first: what has just happened, one's own pieces.
    pub focus: Vec<Area>,
}

/// The table as styled lines: panels, built from top to bottom.
///
/// ```
/// use meeple_scene::{Ink, Screen, palette};
/// let mut screen = Screen::new();
/// screen.line().push("gold").pad_to(8).push_ink("12", Ink::fg(palette::GOLD));
/// screen.line().push("hazards").pad_to(8).push("1");
/// assert_eq!(screen.to_plain(), "gold    12\nhazards 1\n");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Screen {
    /// The panels, in the order in which they are read.
    pub panels: Vec<Panel>,
    /// How long it should stand in a film; none leaves that to whoever shows the film.
    pub hold: Option<Duration>,
}

impl Screen {
    /// A screen without lines.
    pub fn new() -> Screen {
        Screen::default()
    }

    /// Starts a panel: the lines that follow belong to it. Lines before the first one are a [`Part::Head`].
    pub fn panel(&mut self, part: Part) -> &mut Screen {
        self.panels.push(Panel { part, ..Panel::default() });
        self
    }

    /// Says that so many lines at the top and columns at the left of the last panel are labels, which stay in
    /// sight whatever piece of a board is seen.
    pub fn labels(&mut self, lines: usize, columns: usize) -> &mut Screen {
        self.last().labels = (lines, columns);
        self
    }

    /// Says how many columns a square of the last panel has: see [`Panel::step`].
    pub fn step(&mut self, columns: usize) -> &mut Screen {
        self.last().step = columns;
        self
    }

    /// Names the first column and line of the last panel: see [`Panel::origin`].
    pub fn origin(&mut self, column: i32, line: i32) -> &mut Screen {
        self.last().origin = (column, line);
        self
    }

    /// Asks that this area of the last panel is seen, if it has to share the room with those asked for before.
    pub fn focus(&mut self, area: Area) -> &mut Screen {
        self.last().focus.push(area);
        self
    }

    /// Starts a new line.
    pub fn line(&mut self) -> &mut Screen {
        self.last().lines.push(Vec::new());
        self
    }

    /// Leaves a line empty; what follows needs a [`line`](Screen::line) of its own.
    pub fn blank(&mut self) -> &mut Screen {
        self.line()
    }

    /// Adds text to the last line, in the terminal's own ink. A line break in it starts a new line.
    pub fn push(&mut self, text: impl AsRef<str>) -> &mut Screen {
        self.push_ink(text, Ink::default())
    }

    /// Adds text to the last line of the last panel. A line break in it starts a new line.
    pub fn push_ink(&mut self, text: impl AsRef<str>, ink: Ink) -> &mut Screen {
        for (index, part) in text.as_ref().split('\n').enumerate() {
            if index > 0 || self.last().lines.is_empty() {
                self.line();
            }
            let part = part.strip_suffix('\r').unwrap_or(part);
            if let Some(line) = self.last().lines.last_mut()
                && !part.is_empty()
            {
                match line.last_mut() {
                    Some(span) if span.ink == ink => span.text.push_str(part),
                    _ => line.push(Span { text: part.to_owned(), ink }),
                }
            }
        }
        self
    }

    /// Fills the last line with blanks up to a column, counted from 0; nothing if it is there already.
    pub fn pad_to(&mut self, column: u16) -> &mut Screen {
        let missing =
            usize::from(column).saturating_sub(self.last().lines.last().map_or(0, |line| line_columns(line)));
        if missing > 0 { self.push(" ".repeat(missing)) } else { self }
    }

    /// Puts the panels of another screen below.
    pub fn below(&mut self, other: Screen) -> &mut Screen {
        self.panels.extend(other.panels);
        self
    }

    /// The lines of all panels, from top to bottom.
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.panels.iter().flat_map(|panel| &panel.lines)
    }

    /// Columns of the widest line.
    pub fn width(&self) -> usize {
        self.lines().map(|line| line_columns(line)).max().unwrap_or(0)
    }

    /// The text alone; every line ends with a line break and has no blanks before it.
    pub fn to_plain(&self) -> String {
        self.to_ansi(ColorMode::None)
    }

    /// The text with escape sequences for its inks; every line ends in the terminal's own ink and
    /// with a line break. With [`ColorMode::None`] the same as [`to_plain`](Screen::to_plain).
    pub fn to_ansi(&self, mode: ColorMode) -> String {
        self.lines().map(|line| line_to_ansi(line, mode) + "\n").collect()
    }

    fn last(&mut self) -> &mut Panel {
        if self.panels.is_empty() {
            self.panel(Part::default());
        }
        let last = self.panels.len() - 1;
        &mut self.panels[last]
    }
}

/// One line with escape sequences for its inks and without a line break; with [`ColorMode::None`] the text alone,
/// without blanks at its end.
pub fn line_to_ansi(line: &[Span], mode: ColorMode) -> String {
    let mut out = String::new();
    let mut current = Ink::default();
    for span in line {
        if span.ink != current && mode != ColorMode::None {
            if current != Ink::default() {
                out.push_str("\x1b[0m");
            }
            push_ink_codes(&mut out, span.ink, mode);
            current = span.ink;
        }
        out.push_str(&cleaned(&span.text));
    }
    if current != Ink::default() {
        out.push_str("\x1b[0m");
    }
    if mode == ColorMode::None {
        out.truncate(out.trim_end_matches(' ').len());
    }
    out
}

/// Columns a one-line text takes on a terminal: wide characters take two, combining ones none.
///
/// Terminals differ on emoji sequences; this follows the `unicode-width` crate.
pub fn text_columns(text: &str) -> usize {
    if is_simple(text) {
        return text.len();
    }
    cleaned(text).width()
}

/// Columns a line takes on a terminal.
pub fn line_columns(line: &[Span]) -> usize {
    line.iter().map(|span| text_columns(&span.text)).sum()
}

/// Text that cannot steer the terminal: every control character and direction mark becomes U+FFFD, tabs
/// become blanks. For one line: a line break is a control character too.
///
/// ```
/// assert_eq!(meeple_scene::cleaned("Ann\u{1b}[2J\tBob"), "Ann\u{fffd}[2J Bob");
/// ```
pub fn cleaned(text: &str) -> String {
    if is_simple(text) {
        return text.to_owned();
    }
    let clean = |character: char| match character {
        '\t' => ' ',
        // Direction marks would let a name reorder the rest of its line.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ if character.is_control() => '\u{fffd}',
        _ => character,
    };
    text.chars().map(clean).collect()
}

/// Whether every byte is a harmless letter of one column. Nearly all texts are, and need no closer look.
pub(crate) fn is_simple(text: &str) -> bool {
    text.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}

fn push_ink_codes(out: &mut String, ink: Ink, mode: ColorMode) {
    let mut codes: Vec<String> = Vec::new();
    for (set, code) in [(ink.bold, "1"), (ink.dim, "2"), (ink.underline, "4")] {
        if set {
            codes.push(code.to_owned());
        }
    }
    for (color, code) in [(ink.fg, 38), (ink.bg, 48)] {
        match (color, mode) {
            (None, _) | (_, ColorMode::None) => {}
            (Some(color), ColorMode::Ansi256) => codes.push(format!("{code};5;{}", nearest_of_256(color))),
            (Some(Color(red, green, blue)), ColorMode::TrueColor) => {
                codes.push(format!("{code};2;{red};{green};{blue}"));
            }
        }
    }
    if !codes.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(out, "\x1b[{}m", codes.join(";"));
    }
}

/// The nearest colour of xterm's fixed ones: the 6x6x6 cube (16 to 231) or the grey ramp (232 to 255).
fn nearest_of_256(color: Color) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let nearest_level =
        |channel: u8| (0..6u8).min_by_key(|&i| LEVELS[usize::from(i)].abs_diff(channel)).unwrap_or(0);
    let (red, green, blue) = (nearest_level(color.0), nearest_level(color.1), nearest_level(color.2));
    let cube = Color(LEVELS[usize::from(red)], LEVELS[usize::from(green)], LEVELS[usize::from(blue)]);
    let mean = (u16::from(color.0) + u16::from(color.1) + u16::from(color.2)) / 3;
    let step = u8::try_from((mean.saturating_sub(3) / 10).min(23)).unwrap_or(23);
    let grey = 8 + 10 * step;
    if distance(color, Color(grey, grey, grey)) < distance(color, cube) {
        232 + step
    } else {
        16 + 36 * red + 6 * green + blue
    }
}

fn distance(a: Color, b: Color) -> u32 {
    let square = |x: u8, y: u8| u32::from(x.abs_diff(y)).pow(2);
    square(a.0, b.0) + square(a.1, b.1) + square(a.2, b.2)
}
