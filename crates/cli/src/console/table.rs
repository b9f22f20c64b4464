//! What a person who has to decide looks at, and how much of it fits.

use meeple_scene::{Camera, Line, Part, Room, Screen};

/// What is said of panels that did not fit.
pub const CUT: &str = "board shows all";

/// Where the news are that did not fit.
pub const LOG: &str = ": log";

/// Most lines of news, and of a list of actions, where lines follow each other.
pub const LONGEST_NEWS: usize = 16;
pub const LONGEST_LIST: usize = 8;

/// Columns of lines that go to a file or a pipe, if no board needs more.
pub const FILE_COLUMNS: usize = 100;

/// What a person who has to decide looks at.
#[derive(Clone, Default)]
pub struct Table {
    /// The game's table.
    pub screen: Screen,
    /// What has happened since the person decided last, oldest first.
    pub news: Vec<String>,
    /// The legal actions; empty if they cannot be listed.
    pub actions: Vec<String>,
}

impl Table {
    /// Whether the game itself tells what happened.
    pub fn tells_news(&self) -> bool {
        self.screen.panels.iter().any(|panel| panel.part == Part::News)
    }

    /// Whether the game itself lists the actions.
    pub fn lists_actions(&self) -> bool {
        self.screen.panels.iter().any(|panel| panel.part == Part::Choices)
    }
}

/// A screen without a limit of lines: as wide as the terminal, or as its board where there is none.
pub fn fitted_lines(screen: &Screen, columns: Option<usize>, camera: &mut Camera) -> Vec<Line> {
    let board = screen.panels.iter().filter(|panel| panel.part == Part::Board).flat_map(|panel| &panel.lines);
    let widest = board.map(|line| meeple_scene::line_columns(line)).max().unwrap_or(0);
    let columns = columns.unwrap_or(FILE_COLUMNS.max(widest));
    screen.fitted(Room { columns, lines: None, cut: "", torn: "scroll DIRECTION" }, camera).lines
}
