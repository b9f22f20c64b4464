//! Full-screen window of a playing person: table, news, actions, messages, and the input line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use meeple_scene::{Camera, Fitted, Ink, Line, Room, Span, cropped, line_to_ansi, text_columns, wrapped};

use crate::console::edit::Editor;
use crate::console::lists;
use crate::console::raw::{self, HEARTBEAT, Keys, OwnScreen, Waited};
use crate::console::table::{CUT, LOG, TableScreen};
use crate::terminal;

/// Keys for scrolling, named at edges where the board is cut off.
const TORN: &str = "Shift and arrows";

/// Lines reserved for the table before messages, actions and news get any.
const MIN_TABLE: usize = 8;

/// Columns reserved for typed text beside the prompt.
const MIN_TYPED: usize = 16;

pub struct Window {
    _screen: OwnScreen,
    editor: Editor,
    /// Messages in reply to the last input.
    message: Vec<String>,
    interrupted: Arc<AtomicBool>,
}

enum Typed {
    Nothing,
    Line(String),
    Left,
}

impl Window {
    /// Opens the window. Ctrl-C sets `interrupted`; once it is set, also by a signal, every prompt ends.
    pub fn open(interrupted: Arc<AtomicBool>) -> anyhow::Result<Self> {
        Ok(Self { _screen: OwnScreen::enter()?, editor: Editor::default(), message: Vec::new(), interrupted })
    }

    pub fn tell(&mut self, text: &str) {
        self.message.extend(text.lines().map(str::to_owned));
    }

    pub fn table_room(&self, table: &TableScreen) -> Room<'static> {
        let (columns, lines) = size();
        let parts = Parts::new(table, &self.message, columns, lines);
        Room { columns, lines: Some(parts.table), cut: CUT, torn: TORN }
    }

    /// Writes into the input line what the person waits for.
    pub fn status(&self, text: &str) -> anyhow::Result<()> {
        let line = [Span { text: format!("{text} …"), ink: Ink::plain().dim() }];
        let line = cropped(&line, 0, size().0.saturating_sub(1));
        Ok(raw::write(&format!("\r\x1b[K{}", line_to_ansi(&line, terminal::colors()).trim_end()))?)
    }

    /// Shows the table until a line is entered; `None` if the person leaves.
    pub fn ask(
        &mut self,
        table: &TableScreen,
        camera: &mut Camera,
        prompt: &str,
        words: &[String],
    ) -> anyhow::Result<Option<String>> {
        let _keys = Keys::listen()?;
        loop {
            let fitted = self.paint(table, camera, prompt)?;
            let key = loop {
                if self.interrupted.load(Ordering::SeqCst) {
                    return Ok(None);
                }
                match raw::wait(HEARTBEAT)? {
                    Waited::Key(key) => break Some(key),
                    Waited::Other => break None,
                    Waited::Nothing => {}
                    Waited::Gone => return Ok(None),
                }
            };
            let Some(key) = key else { continue };
            match self.key(key, &fitted, camera, words)? {
                Typed::Nothing => {}
                Typed::Line(line) => {
                    self.message.clear();
                    return Ok(Some(line));
                }
                Typed::Left => return Ok(None),
            }
        }
    }

    fn key(
        &mut self,
        key: KeyEvent,
        fitted: &Fitted,
        camera: &mut Camera,
        words: &[String],
    ) -> anyhow::Result<Typed> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => {
                self.interrupted.store(true, Ordering::SeqCst);
                return Ok(Typed::Left);
            }
            KeyCode::Char('d') if control && self.editor.text().is_empty() => return Ok(Typed::Left),
            KeyCode::Char('z') if control => raw::suspend()?,
            KeyCode::Enter => return Ok(Typed::Line(self.editor.take())),
            KeyCode::Tab => {
                let fits = self.editor.complete(words.iter().map(String::as_str));
                if !fits.is_empty() {
                    self.message = vec![fits.join("  ")];
                }
            }
            _ => {
                if let Some((columns, lines)) = scrolled(key, fitted) {
                    camera.pan(columns, lines);
                } else {
                    self.editor.key(key);
                }
            }
        }
        Ok(Typed::Nothing)
    }

    fn paint(&self, table: &TableScreen, camera: &mut Camera, prompt: &str) -> anyhow::Result<Fitted> {
        let (columns, lines) = size();
        let parts = Parts::new(table, &self.message, columns, lines);
        let room = Room { columns, lines: Some(parts.table), cut: CUT, torn: TORN };
        let mut fitted = table.screen.fitted(room, camera);
        let colors = terminal::colors();
        let mut page: Vec<Line> = std::mem::take(&mut fitted.lines);
        // Lines that the table leaves unused go to more news and to blank lines between blocks.
        let mut spare = parts.table.saturating_sub(page.len());
        let news = parts.news.len() + spare.saturating_sub(3);
        let news = lists::news(window_news(table), columns, news, LOG);
        spare = spare.saturating_sub(news.len().saturating_sub(parts.news.len()));
        for block in [news, parts.actions, parts.message] {
            if spare > 0 && !block.is_empty() && !page.is_empty() {
                page.push(Vec::new());
                spare -= 1;
            }
            page.extend(block);
        }
        let mut out = String::from("\x1b[?25l\x1b[H");
        for line in &page {
            out.push_str(&line_to_ansi(line, colors));
            out.push_str("\x1b[K\r\n");
        }
        let prompt = cropped_text(&format!("{prompt}> "), columns.saturating_sub(MIN_TYPED));
        let before = text_columns(&prompt);
        let (typed, cursor) = self.editor.shown(columns.saturating_sub(before + 1));
        let bold = [Span { text: prompt, ink: Ink::plain().bold() }];
        // Without colours trailing blanks are dropped, so the typed text is placed by its column.
        out.push_str(&line_to_ansi(&bold, colors));
        let typed =
            cropped(&[Span { text: typed, ink: Ink::plain() }], 0, columns.saturating_sub(before + 1));
        out.push_str(&format!("\x1b[{}G{}\x1b[K\x1b[J", before + 1, line_to_ansi(&typed, colors)));
        out.push_str(&format!("\x1b[{}G\x1b[?25h", before + cursor + 1));
        raw::write(&out)?;
        Ok(fitted)
    }
}

/// A text cut to `columns` columns.
fn cropped_text(text: &str, columns: usize) -> String {
    if text_columns(text) <= columns {
        return text.to_owned();
    }
    let piece = cropped(&[Span { text: text.to_owned(), ink: Ink::plain() }], 0, columns.saturating_sub(2));
    piece.iter().map(|span| span.text.as_str()).collect::<String>() + "> "
}

/// Columns and lines of the terminal, or 80 and 24 if unknown.
pub fn size() -> (usize, usize) {
    terminal::size()
        .map_or((80, 24), |(columns, lines)| (usize::from(columns).max(10), usize::from(lines).max(3)))
}

/// Scroll distance of a key, in columns and lines; `None` for other keys. Page Up and Page Down scroll by
/// half of the visible lines. Arrows with Shift or Alt scroll by a quarter of the lines or columns.
pub fn scrolled(key: KeyEvent, fitted: &Fitted) -> Option<(i32, i32)> {
    let seen = fitted.sight?.seen;
    let (wide, high) = ((seen.columns / 4).max(1) as i32, (seen.lines / 2).max(1) as i32);
    let moved = key.modifiers.intersects(KeyModifiers::SHIFT | KeyModifiers::ALT);
    Some(match key.code {
        KeyCode::PageUp => (0, -high),
        KeyCode::PageDown => (0, high),
        KeyCode::Up if moved => (0, -(high / 2).max(1)),
        KeyCode::Down if moved => (0, (high / 2).max(1)),
        KeyCode::Left if moved => (-wide, 0),
        KeyCode::Right if moved => (wide, 0),
        _ => return None,
    })
}

fn window_news(table: &TableScreen) -> &[String] {
    if table.tells_news() { &[] } else { &table.news }
}

/// Allocation of the window's lines.
struct Parts {
    table: usize,
    news: Vec<Line>,
    actions: Vec<Line>,
    message: Vec<Line>,
}

impl Parts {
    fn new(table: &TableScreen, message: &[String], columns: usize, lines: usize) -> Self {
        // One line is reserved for input.
        let room = lines.saturating_sub(1);
        let few = (lines / 8).max(2);
        let spare = room.saturating_sub(MIN_TABLE).max(1);
        let mut shown: Vec<Line> = message
            .iter()
            .flat_map(|line| wrapped(&[Span { text: line.clone(), ink: Ink::plain() }], columns, 2))
            .collect();
        shown.truncate((lines / 3).max(2).min(spare));
        let spare = spare.saturating_sub(shown.len());
        let listed = if table.lists_actions() { &[][..] } else { &table.actions };
        let actions = lists::actions(listed, columns, few.min(spare));
        let spare = spare.saturating_sub(actions.len());
        let news = lists::news(window_news(table), columns, few.min(spare), LOG);
        let mut parts = Self { table: 0, news, actions, message: shown };
        parts.table = room.saturating_sub(parts.lines());
        parts
    }

    /// Number of lines outside the table.
    fn lines(&self) -> usize {
        self.news.len() + self.actions.len() + self.message.len()
    }
}
