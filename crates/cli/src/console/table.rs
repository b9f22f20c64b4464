//! The table shown to a deciding person, and its fitting into the screen.

use meeple_scene::{Camera, Line, Part, Room, Screen};

/// Note shown for panels that did not fit: the input word that shows them.
pub const CUT: &str = "board shows all";

/// Note shown for news that did not fit: the input word that lists them.
pub const LOG: &str = ": log";

/// Maximal lines of news in line mode; [`MAX_LIST`] is that of the list of actions.
pub const MAX_NEWS: usize = 16;
pub const MAX_LIST: usize = 8;

/// Columns of output to a file or a pipe, unless a board needs more.
pub const FILE_COLUMNS: usize = 100;

#[derive(Clone, Default)]
pub struct TableScreen {
    pub screen: Screen,
    /// Events since the person's last decision, oldest first.
    pub news: Vec<String>,
    /// The legal actions; empty if they cannot be enumerated.
    pub actions: Vec<String>,
}

impl TableScreen {
    /// True if a panel of the game's screen shows news.
    pub fn tells_news(&self) -> bool {
        self.screen.panels.iter().any(|panel| panel.part == Part::News)
    }

    /// True if a panel of the game's screen lists actions.
    pub fn lists_actions(&self) -> bool {
        self.screen.panels.iter().any(|panel| panel.part == Part::Choices)
    }
}

/// A screen of any number of lines, as wide as the terminal. Without a terminal it has [`FILE_COLUMNS`]
/// columns, or as many as its board needs.
pub fn fitted_lines(screen: &Screen, columns: Option<usize>, camera: &mut Camera) -> Vec<Line> {
    let board = screen.panels.iter().filter(|panel| panel.part == Part::Board).flat_map(|panel| &panel.lines);
    let widest = board.map(|line| meeple_scene::line_columns(line)).max().unwrap_or(0);
    let columns = columns.unwrap_or(FILE_COLUMNS.max(widest));
    screen.fitted(Room { columns, lines: None, cut: "", torn: "scroll DIRECTION" }, camera).lines
}
