//! Line editor.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::{Input, InputRequest};

/// Maximal length of the history, in lines.
const MAX_HISTORY_LINES: usize = 500;

/// A line with a cursor, and the lines typed earlier.
#[derive(Default)]
pub struct Editor {
    input: Input,
    history: Vec<String>,
    /// Index of the shown line in the history, and the text typed before it was recalled.
    recalled: Option<(usize, String)>,
}

impl Editor {
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// The text from the first visible character to its end, and the cursor's column in it. The text scrolls
    /// so that the cursor lies within `columns`; the caller crops the right side.
    pub fn shown(&self, columns: usize) -> (String, usize) {
        let scroll = self.input.visual_scroll(columns.saturating_sub(1));
        let mut before = 0;
        let mut text = String::new();
        for character in self.input.value().chars() {
            if before >= scroll {
                text.push(character);
            }
            before += meeple_scene::text_columns(character.encode_utf8(&mut [0; 4]));
        }
        (text, self.input.visual_cursor().saturating_sub(scroll))
    }

    /// Takes the line: adds it to the history, and starts an empty one.
    pub fn take(&mut self) -> String {
        let line = self.input.value().to_owned();
        self.input.reset();
        self.recalled = None;
        if !line.trim().is_empty() && self.history.last() != Some(&line) {
            self.history.push(line.clone());
            let old = self.history.len().saturating_sub(MAX_HISTORY_LINES);
            self.history.drain(..old);
        }
        line
    }

    /// Applies a key. Returns true if it moves the cursor, changes the text or recalls a line.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let (control, alt) =
            (key.modifiers.contains(KeyModifiers::CONTROL), key.modifiers.contains(KeyModifiers::ALT));
        let request = match key.code {
            KeyCode::Up => return self.recall(-1),
            KeyCode::Down => return self.recall(1),
            KeyCode::Char('p') if control => return self.recall(-1),
            KeyCode::Char('n') if control => return self.recall(1),
            KeyCode::Left if control => InputRequest::GoToPrevWord,
            KeyCode::Right if control => InputRequest::GoToNextWord,
            KeyCode::Left => InputRequest::GoToPrevChar,
            KeyCode::Right => InputRequest::GoToNextChar,
            KeyCode::Home => InputRequest::GoToStart,
            KeyCode::End => InputRequest::GoToEnd,
            KeyCode::Backspace if control || alt => InputRequest::DeletePrevWord,
            KeyCode::Backspace => InputRequest::DeletePrevChar,
            KeyCode::Delete => InputRequest::DeleteNextChar,
            KeyCode::Esc => InputRequest::DeleteLine,
            KeyCode::Char('a') if control => InputRequest::GoToStart,
            KeyCode::Char('e') if control => InputRequest::GoToEnd,
            KeyCode::Char('b') if control => InputRequest::GoToPrevChar,
            KeyCode::Char('f') if control => InputRequest::GoToNextChar,
            KeyCode::Char('b') if alt => InputRequest::GoToPrevWord,
            KeyCode::Char('f') if alt => InputRequest::GoToNextWord,
            KeyCode::Char('d') if alt => InputRequest::DeleteNextWord,
            KeyCode::Char('d') if control => InputRequest::DeleteNextChar,
            KeyCode::Char('h') if control => InputRequest::DeletePrevChar,
            KeyCode::Char('w') if control => InputRequest::DeletePrevWord,
            KeyCode::Char('u') if control => InputRequest::DeleteFromStart,
            KeyCode::Char('k') if control => InputRequest::DeleteTillEnd,
            KeyCode::Char('y') if control => InputRequest::Yank,
            KeyCode::Char(character) if !control && !alt => InputRequest::InsertChar(character),
            _ => return false,
        };
        self.input.handle(request).is_some()
    }

    fn recall(&mut self, step: isize) -> bool {
        let (at, typed) = match self.recalled.take() {
            Some((at, typed)) => (at, typed),
            None => (self.history.len(), self.input.value().to_owned()),
        };
        let to = at.saturating_add_signed(step).min(self.history.len());
        let line = self.history.get(to).unwrap_or(&typed).clone();
        self.input = Input::new(line);
        if to < self.history.len() {
            self.recalled = Some((to, typed));
        }
        true
    }

    /// Extends the line to the longest common prefix of all matching words. Returns these words if there are
    /// several.
    pub fn complete<'a>(&mut self, words: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let typed = self.input.value().to_owned();
        let mut fits: Vec<&str> = words.filter(|word| word.starts_with(&typed)).collect();
        fits.dedup();
        let Some(first) = fits.first() else { return fits };
        let common = fits.iter().fold(first.len(), |length, word| {
            let same = first.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
            length.min(same)
        });
        // A common prefix in bytes may end within a character.
        let common = (0..=common).rev().find(|end| first.is_char_boundary(*end)).unwrap_or(0);
        if common > typed.len() {
            self.input = Input::new(first[..common].to_owned());
        }
        if fits.len() > 1 { fits } else { Vec::new() }
    }
}
