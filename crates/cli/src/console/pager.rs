//! Pager for long texts and large boards.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use meeple_scene::{Ink, Line, Span, cropped, line_columns, line_to_ansi};

use crate::console::raw::{self, Keys, Waited};
use crate::console::text::Text;
use crate::terminal;

/// Columns of a sideways scroll step.
const SIDE_STEP: usize = 8;

/// Shows a text until the reader leaves. Returns false if Ctrl-C was pressed or the terminal is gone. The
/// screen must already be in full-screen mode.
pub fn read(title: &str, text: &Text) -> anyhow::Result<bool> {
    let _keys = Keys::listen()?;
    let mut pager =
        Pager { title, text, lines: Vec::new(), size: (0, 0), top: 0, left: 0, search: None, wanted: None };
    loop {
        pager.paint()?;
        match raw::wait(raw::HEARTBEAT)? {
            Waited::Key(key) => match pager.key(key) {
                Turned::On => {}
                Turned::Done => return Ok(true),
                Turned::Interrupted => return Ok(false),
            },
            Waited::Other | Waited::Nothing => {}
            // A lost terminal counts as Ctrl-C.
            Waited::Gone => return Ok(false),
        }
    }
}

enum Turned {
    On,
    Done,
    Interrupted,
}

struct Pager<'a> {
    title: &'a str,
    text: &'a Text,
    lines: Vec<Line>,
    /// Terminal size `(columns, lines)` that the lines were wrapped for.
    size: (usize, usize),
    top: usize,
    left: usize,
    search: Option<String>,
    /// The search text, while it is typed after `/`.
    wanted: Option<String>,
}

impl Pager<'_> {
    fn paint(&mut self) -> anyhow::Result<()> {
        let (columns, lines) =
            terminal::size().map_or((80, 24), |(width, height)| (width.into(), height.into()));
        if self.size != (columns, lines) {
            // After a resize the top line stays about in place.
            let before = self.lines.len().max(1);
            self.lines = self.text.lines(columns);
            self.top = self.top * self.lines.len() / before;
            self.size = (columns, lines);
        }
        let page = self.page();
        self.top = self.top.min(self.lines.len().saturating_sub(page));
        let colors = terminal::colors();
        let mut out = String::from("\x1b[?25l\x1b[H");
        for index in 0..page {
            if let Some(line) = self.lines.get(self.top + index) {
                let found =
                    self.search.as_ref().is_some_and(|word| text_of(line).to_lowercase().contains(word));
                let mut line = cropped(line, self.left, columns);
                line.iter_mut().for_each(|span| span.ink.bold |= found);
                out.push_str(&line_to_ansi(&line, colors));
            }
            out.push_str("\x1b[K\r\n");
        }
        let footer = match &self.wanted {
            Some(wanted) => format!("/{wanted}"),
            None => {
                let last = (self.top + page).min(self.lines.len());
                let wide = self.lines.iter().any(|line| line_columns(line) > columns);
                let sides = if wide { ", ◂ ▸" } else { "" };
                format!(
                    "{}: {}–{last} of {}   q: back, space, b, ▴ ▾{sides}: scroll, /: find",
                    self.title,
                    self.top + 1,
                    self.lines.len()
                )
            }
        };
        let footer =
            cropped(&[Span { text: footer, ink: Ink::plain().bold() }], 0, columns.saturating_sub(1));
        out.push_str(&line_to_ansi(&footer, colors));
        out.push_str("\x1b[J");
        raw::write(&out)?;
        Ok(())
    }

    fn page(&self) -> usize {
        self.size.1.saturating_sub(1).max(1)
    }

    fn key(&mut self, key: KeyEvent) -> Turned {
        if key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c') {
            return Turned::Interrupted;
        }
        if let Some(mut wanted) = self.wanted.take() {
            match key.code {
                KeyCode::Enter => {
                    self.search = Some(wanted.to_lowercase()).filter(|word| !word.is_empty());
                    self.find(self.top);
                    return Turned::On;
                }
                KeyCode::Esc => return Turned::On,
                KeyCode::Backspace => {
                    wanted.pop();
                }
                KeyCode::Char(letter) => wanted.push(letter),
                _ => {}
            }
            self.wanted = Some(wanted);
            return Turned::On;
        }
        let page = self.page();
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Turned::Done,
            KeyCode::Char('/') => self.wanted = Some(String::new()),
            KeyCode::Char('n') => self.find(self.top + 1),
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Enter => self.top += 1,
            KeyCode::Up | KeyCode::Char('k') => self.top = self.top.saturating_sub(1),
            KeyCode::PageDown | KeyCode::Char(' ' | 'f') => self.top += page,
            KeyCode::PageUp | KeyCode::Char('b') => self.top = self.top.saturating_sub(page),
            KeyCode::Home | KeyCode::Char('g') => self.top = 0,
            KeyCode::End | KeyCode::Char('G') => self.top = self.lines.len(),
            KeyCode::Left | KeyCode::Char('h') => self.left = self.left.saturating_sub(SIDE_STEP),
            KeyCode::Right | KeyCode::Char('l') => {
                let widest = self.lines.iter().map(|line| line_columns(line)).max().unwrap_or(0);
                self.left = (self.left + SIDE_STEP).min(widest.saturating_sub(self.size.0));
            }
            _ => {}
        }
        Turned::On
    }

    /// Moves to the next match, searching from line `from` to the end and then from the first line.
    fn find(&mut self, from: usize) {
        let Some(word) = &self.search else { return };
        let count = self.lines.len();
        let found = (0..count)
            .map(|step| (from + step) % count)
            .find(|index| text_of(&self.lines[*index]).to_lowercase().contains(word));
        self.top = found.unwrap_or(self.top);
    }
}

fn text_of(line: &[Span]) -> String {
    line.iter().map(|span| span.text.as_str()).collect()
}
