//! Styled lines of text for terminals.

use std::fmt::Write;
use std::time::Duration;

use unicode_width::UnicodeWidthStr;

use crate::color::Color;

/// Colour support of a terminal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorMode {
    /// Plain text without escape sequences.
    #[default]
    None,
    /// The 256 colours of xterm; each colour becomes the nearest one.
    Ansi256,
    /// 24-bit colours.
    TrueColor,
}

/// Style of letters; the default is the terminal's own style.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ink {
    /// Colour of the letters; `None` is the terminal's own.
    pub fg: Option<Color>,
    /// Background colour; `None` is the terminal's own.
    pub bg: Option<Color>,
    /// Bold letters.
    pub bold: bool,
    /// Dim letters.
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

    /// Letters with readable contrast on a coloured background.
    pub fn bg(color: Color) -> Ink {
        Ink { fg: Some(color.contrasting()), bg: Some(color), ..Ink::default() }
    }

    /// Sets the background colour.
    pub fn on(mut self, color: Color) -> Ink {
        self.bg = Some(color);
        self
    }

    /// Makes the letters bold.
    pub fn bold(mut self) -> Ink {
        self.bold = true;
        self
    }

    /// Dims the letters.
    pub fn dim(mut self) -> Ink {
        self.dim = true;
        self
    }

    /// Underlines the letters.
    pub fn underline(mut self) -> Ink {
        self.underline = true;
        self
    }
}

/// A piece of a line in one ink.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// The letters. On output control characters become U+FFFD, and tabs become blanks.
    pub text: String,
    /// Style of the letters.
    pub ink: Ink,
}

/// A line as spans from left to right.
pub type Line = Vec<Span>;

/// Purpose of a panel. It decides the panel's position, and its priority if room is short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// Status of the game, in a line or two; placed on top.
    #[default]
    Head,
    /// The picture. If it exceeds the room, a section is shown that follows the events. Its lines are never
    /// broken. A screen should have one board, because only the first counts.
    Board,
    /// Players and legend: beside the board if there is room, otherwise below it.
    Side,
    /// Events since the viewer's last decision, if the game reports them itself. Hosts then omit their own
    /// list of events.
    News,
    /// Subject of the next decision, such as a hand or a question.
    Foot,
    /// Legal actions in the game's own order and words. Hosts then omit their own list of actions.
    Choices,
    /// Optional details, such as price tables or remaining piles. They are dropped first; the most important
    /// lines stand on top.
    Details,
}

/// A rectangle of a board in columns and lines, counted from its top left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Area {
    /// First column.
    pub column: usize,
    /// First line.
    pub line: usize,
    /// Number of columns.
    pub columns: usize,
    /// Number of lines.
    pub lines: usize,
}

/// A group of lines of a screen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Panel {
    /// Purpose of the panel.
    pub part: Part,
    /// The lines from top to bottom.
    pub lines: Vec<Line>,
    /// Size of a board's labels: lines at the top and columns at the left. Labels stay visible with every
    /// section.
    pub labels: (usize, usize),
    /// Columns per square of a board. Sections begin and end with whole squares, so no square is cut.
    pub step: usize,
    /// Coordinates of the first column and line. A board that grows to the west or north decreases them,
    /// which keeps its visible section in place.
    pub origin: (i32, i32),
    /// Areas of a board to show, the most important first, such as the latest event or the viewer's own
    /// pieces.
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
    /// The panels, in reading order.
    pub panels: Vec<Panel>,
    /// Time for which a film shows this screen; `None` leaves it to the program that shows the film.
    pub hold: Option<Duration>,
}

impl Screen {
    /// A screen without lines.
    pub fn new() -> Screen {
        Screen::default()
    }

    /// Starts a panel, to which the following lines belong. Lines before the first panel form a
    /// [`Part::Head`].
    pub fn panel(&mut self, part: Part) -> &mut Screen {
        self.panels.push(Panel { part, ..Panel::default() });
        self
    }

    /// Sets the size of the labels of the last panel, in lines at the top and columns at the left; see
    /// [`Panel::labels`].
    pub fn labels(&mut self, lines: usize, columns: usize) -> &mut Screen {
        self.last().labels = (lines, columns);
        self
    }

    /// Sets the columns per square of the last panel; see [`Panel::step`].
    pub fn step(&mut self, columns: usize) -> &mut Screen {
        self.last().step = columns;
        self
    }

    /// Sets the coordinates of the first column and line in the last panel; see [`Panel::origin`].
    pub fn origin(&mut self, column: i32, line: i32) -> &mut Screen {
        self.last().origin = (column, line);
        self
    }

    /// Requests that this area of the last panel is visible. Earlier requests have higher priority.
    pub fn focus(&mut self, area: Area) -> &mut Screen {
        self.last().focus.push(area);
        self
    }

    /// Starts a new line.
    pub fn line(&mut self) -> &mut Screen {
        self.last().lines.push(Vec::new());
        self
    }

    /// Adds an empty line. The next text must be preceded by another [`line`](Screen::line).
    pub fn blank(&mut self) -> &mut Screen {
        self.line()
    }

    /// Adds text to the last line, in the terminal's own style. A line break in the text starts a new line.
    pub fn push(&mut self, text: impl AsRef<str>) -> &mut Screen {
        self.push_ink(text, Ink::default())
    }

    /// Adds text to the last line of the last panel. A line break in the text starts a new line.
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

    /// Pads the last line with blanks up to a column, counted from 0. Longer lines are unchanged.
    pub fn pad_to(&mut self, column: u16) -> &mut Screen {
        let missing =
            usize::from(column).saturating_sub(self.last().lines.last().map_or(0, |line| line_columns(line)));
        if missing > 0 { self.push(" ".repeat(missing)) } else { self }
    }

    /// Appends the panels of another screen.
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

    /// The text without styles. Every line ends with a line break, without trailing blanks.
    pub fn to_plain(&self) -> String {
        self.to_ansi(ColorMode::None)
    }

    /// The text with escape sequences for its inks. Every line ends in the terminal's own style, and with a
    /// line break. With [`ColorMode::None`] the result equals [`to_plain`](Screen::to_plain).
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

/// One line with escape sequences for its inks, without a line break. With [`ColorMode::None`] the result has
/// no styles and no trailing blanks.
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

/// Columns of a one-line text on a terminal: wide characters take two, combining ones none.
///
/// Terminals differ on emoji sequences; the count follows the `unicode-width` crate.
pub fn text_columns(text: &str) -> usize {
    if is_simple(text) {
        return text.len();
    }
    cleaned(text).width()
}

/// Columns of a line on a terminal.
pub fn line_columns(line: &[Span]) -> usize {
    line.iter().map(|span| text_columns(&span.text)).sum()
}

/// Text that cannot control the terminal, for one line. Control characters, line breaks included, and
/// direction marks become U+FFFD; tabs become blanks.
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
        // Direction marks would let a name reorder the rest of the line.
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        _ if character.is_control() => '\u{fffd}',
        _ => character,
    };
    text.chars().map(clean).collect()
}

/// Returns true if every byte is printable ASCII, which takes one column each. Nearly all texts allow this
/// fast path.
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
        let _ = write!(out, "\x1b[{}m", codes.join(";"));
    }
}

/// The nearest of xterm's fixed colours: the 6x6x6 cube (16 to 231) or the grey ramp (232 to 255).
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
