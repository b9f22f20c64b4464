//! Console of a playing person: full screen in a terminal, line by line elsewhere.

use std::io::Write;

use anyhow::Context;
use meeple_scene::{Camera, Line, Part, Room};

use crate::console::lists;
use crate::console::pager;
use crate::console::raw;
use crate::console::table::{FILE_COLUMNS, LOG, MAX_LIST, MAX_NEWS, TableScreen, fitted_lines};
use crate::console::text::Text;
use crate::console::window::{self, Window};
use crate::keyboard::Keyboard;
use crate::terminal;

pub struct Console {
    keyboard: Keyboard,
    table: TableScreen,
    camera: Camera,
    /// Full-screen window; `None` in line mode.
    window: Option<Window>,
}

impl Console {
    /// A full-screen console if stdin and stdout are a capable terminal and `plain` is false.
    pub fn new(plain: bool) -> anyhow::Result<Self> {
        let keyboard = Keyboard::new()?;
        let window =
            if plain || !terminal::is_interactive() { None } else { Some(Window::open(keyboard.flag())?) };
        Ok(Self { keyboard, table: TableScreen::default(), camera: Camera::default(), window })
    }

    pub fn is_interrupted(&self) -> bool {
        self.keyboard.is_interrupted()
    }

    pub fn is_window(&self) -> bool {
        self.window.is_some()
    }

    /// Shows a table: in line mode prints it; in full screen keeps it for the next [`Self::ask`].
    pub fn show(&mut self, table: TableScreen) -> anyhow::Result<()> {
        self.table = table;
        self.camera.follow();
        if self.is_window() { Ok(()) } else { self.print_table() }
    }

    /// Prints the table, its news and the list of actions.
    fn print_table(&mut self) -> anyhow::Result<()> {
        let columns = terminal::width().map(usize::from);
        let mut lines: Vec<Line> = Vec::new();
        if !self.table.tells_news() {
            let news = lists::news(&self.table.news, columns.unwrap_or(usize::MAX), MAX_NEWS, LOG);
            if !news.is_empty() {
                lines.push(Vec::new());
            }
            lines.extend(news);
        }
        lines.extend(fitted_lines(&self.table.screen, columns, &mut self.camera));
        if !self.table.lists_actions() {
            let columns = columns.unwrap_or(FILE_COLUMNS);
            lines.extend(lists::actions(&self.table.actions, columns, MAX_LIST));
        }
        terminal::print_lines(&lines)
    }

    pub fn ask(&mut self, prompt: &str, words: &[String]) -> anyhow::Result<Option<String>> {
        match &mut self.window {
            Some(window) => window.ask(&self.table, &mut self.camera, prompt, words),
            None => {
                terminal::prompt(format_args!("{prompt}> "));
                Ok(self.keyboard.line())
            }
        }
    }

    pub fn tell(&mut self, text: &str) {
        match &mut self.window {
            Some(window) => window.tell(text),
            None => terminal::tell(text),
        }
    }

    pub fn read(&mut self, title: &str, text: &Text) -> anyhow::Result<()> {
        if self.window.is_none() {
            return match text {
                Text::Markdown(text) | Text::Plain(text) => terminal::print(text.trim_end()),
                Text::Lines(lines) => terminal::print_lines(lines),
            };
        }
        if !pager::read(title, text)? {
            self.keyboard.interrupt();
        }
        Ok(())
    }

    /// Scrolls the board right and down by columns and lines; with (0, 0) it follows events again.
    pub fn scroll(&mut self, columns: i32, lines: i32) -> anyhow::Result<()> {
        if (columns, lines) == (0, 0) {
            self.camera.follow();
        } else {
            self.camera.pan(columns, lines);
        }
        if self.is_window() { Ok(()) } else { self.print_table() }
    }

    pub fn show_all(&mut self) -> anyhow::Result<()> {
        let columns = terminal::width().map(usize::from).unwrap_or(FILE_COLUMNS);
        let widest = self.table.screen.panels.iter().filter(|panel| panel.part == Part::Board);
        let widest = widest.flat_map(|panel| &panel.lines).map(|line| meeple_scene::line_columns(line)).max();
        let room = Room { columns: columns.max(widest.unwrap_or(0)), lines: None, cut: "", torn: "" };
        let whole = self.table.screen.fitted(room, &mut Camera::default());
        self.read("the whole table", &Text::Lines(whole.lines))
    }

    /// Shows the board in small; in full screen only if it exceeds the window.
    pub fn overview(&mut self) -> anyhow::Result<()> {
        let (columns, lines) = window::size();
        let room = match &self.window {
            Some(window) => window.table_room(&self.table),
            None => Room { columns, lines: None, cut: "", torn: "" },
        };
        let fitted = self.table.screen.fitted(room, &mut self.camera.clone());
        match fitted.sight {
            None => self.tell("there is no board"),
            Some(sight) if sight.is_whole() && self.is_window() => self.tell("all of the board is in sight"),
            Some(sight) => {
                let overview = self.table.screen.overview(&sight, columns, lines.saturating_sub(2).max(4));
                self.read("the board in small", &Text::Lines(overview))?;
            }
        }
        Ok(())
    }

    /// In full screen, hides the table until the next person takes over; `None` if the person leaves. In line
    /// mode, does nothing.
    pub fn hand_over(&mut self, to: &str) -> anyhow::Result<Option<()>> {
        let Some(window) = &mut self.window else { return Ok(Some(())) };
        let hidden =
            TableScreen { news: vec![format!("{to}: your turn at the keyboard")], ..TableScreen::default() };
        let answer =
            window.ask(&hidden, &mut Camera::default(), "press Enter when nobody else is looking", &[])?;
        Ok(answer.map(drop))
    }

    pub fn wait_for(&mut self, what: &str) -> anyhow::Result<()> {
        match &self.window {
            Some(window) => window.status(what),
            None => Ok(()),
        }
    }

    /// Leaves the full screen for line mode.
    pub fn close_window(&mut self) {
        self.window = None;
    }
}

/// Prints a text. For a person at a terminal, a text longer than the screen is shown page by page. `PAGER`
/// names another program for paging; an empty name or `cat` disables it.
pub fn read_or_print(title: &str, text: &Text) -> anyhow::Result<()> {
    let (columns, lines) = window::size();
    let whole = match text {
        Text::Markdown(text) | Text::Plain(text) => text.trim_end(),
        Text::Lines(lines) => return terminal::print_lines(lines),
    };
    if !terminal::is_interactive() {
        return terminal::print(whole);
    }
    let shown = text.lines(columns);
    match std::env::var("PAGER") {
        _ if shown.len() < lines => terminal::print_lines(&shown),
        Ok(pager) if pager.trim().is_empty() || pager.trim() == "cat" => terminal::print_lines(&shown),
        Ok(pager) => page_with(&pager, &shown),
        Err(_) => {
            // Ctrl-C is a key here, but a signal of another program must restore the terminal, too.
            ctrlc::set_handler(|| {
                raw::leave();
                std::process::exit(1);
            })?;
            let _screen = raw::OwnScreen::enter()?;
            pager::read(title, text).map(drop)
        }
    }
}

fn page_with(pager: &str, lines: &[Line]) -> anyhow::Result<()> {
    let mut child = std::process::Command::new("sh")
        .args(["-c", pager])
        // `FRX` makes less exit after a single page and show colours; a `LESS` of the user has precedence.
        .env("LESS", std::env::var("LESS").unwrap_or_else(|_| "FRX".to_owned()))
        .stdin(std::process::Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start the pager '{pager}'\nhint: PAGER= turns it off"))?;
    let colors = terminal::colors();
    let text: String = lines.iter().map(|line| meeple_scene::line_to_ansi(line, colors) + "\n").collect();
    if let Some(mut input) = child.stdin.take() {
        // The write fails if the reader quits before the end.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait()?;
    Ok(())
}
