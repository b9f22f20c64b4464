//! The line that is being typed.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_input::{Input, InputRequest};

/// Lines that are remembered.
const REMEMBERED: usize = 500;

/// A line with a cursor, and the lines before it.
#[derive(Default)]
pub struct Editor {
    input: Input,
    history: Vec<String>,
    /// The place in the history that is shown, and what was typed before it was.
    recalled: Option<(usize, String)>,
}

impl Editor {
    /// What has been typed.
    pub fn text(&self) -> &str {
        self.input.value()
    }

    /// The piece of the text that fits so many columns, and the column of the cursor in it.
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

    /// Takes the line: it is remembered, and the next one is empty.
    pub fn take(&mut self) -> String {
        let line = self.input.value().to_owned();
        self.input.reset();
        self.recalled = None;
        if !line.trim().is_empty() && self.history.last() != Some(&line) {
            self.history.push(line.clone());
            let old = self.history.len().saturating_sub(REMEMBERED);
            self.history.drain(..old);
        }
        line
    }

    /// Changes the line as the key says; whether it did.
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

    /// Goes through the lines before.
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

    /// Completes the line to what all words have in common that begin with it. Returns those words if there are
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
        // Bytes may agree within a letter.
        let common = (0..=common).rev().find(|end| first.is_char_boundary(*end)).unwrap_or(0);
        if common > typed.len() {
            self.input = Input::new(first[..common].to_owned());
        }
        if fits.len() > 1 { fits } else { Vec::new() }
    }
}
