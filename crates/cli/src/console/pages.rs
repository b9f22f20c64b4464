//! Page sequences: a film, or steps that a person turns.

use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyModifiers};
use meeple_scene::{Camera, Fitted, Ink, Line, Room, Screen, Span, cropped, line_to_ansi};

use crate::console::lists;
use crate::console::raw::{self, HEARTBEAT, Keys, OwnScreen, Waited};
use crate::console::table::fitted_lines;
use crate::console::window::{scrolled, size};
use crate::keyboard::Keyboard;
use crate::terminal;

/// Factor by which one key press changes the speed of a film.
const GEAR: f64 = 1.5;

#[derive(Clone, Default)]
pub struct ScreenPage {
    /// Events, oldest first.
    pub news: Vec<String>,
    pub screen: Option<Screen>,
    pub result: String,
    /// Time that a film shows the page for, at speed 1.
    pub hold: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PageTurning {
    AtOnce,
    ByHand,
    ByTime,
}

pub struct Pages {
    turned: PageTurning,
    speed: f64,
    /// Pages shown so far, for going back. Only pages that a person turns or that are painted are kept.
    shown: Vec<ScreenPage>,
    camera: Camera,
    screen: Option<OwnScreen>,
    keyboard: Keyboard,
}

enum Wish {
    Next,
    Back,
    Quit,
}

impl Pages {
    /// A presenter without pages, which handles Ctrl-C from now on. It uses the full screen for films on a
    /// terminal. With `with_tables` it also does so for pages turned by hand, if stdin is a terminal too.
    pub fn new(turned: PageTurning, with_tables: bool, speed: f64) -> anyhow::Result<Self> {
        let paints = match turned {
            PageTurning::AtOnce => false,
            PageTurning::ByHand => with_tables && terminal::is_interactive(),
            PageTurning::ByTime => terminal::is_painted(),
        };
        Ok(Self {
            turned,
            speed,
            shown: Vec::new(),
            camera: Camera::default(),
            screen: if paints { Some(OwnScreen::enter()?) } else { None },
            keyboard: Keyboard::new()?,
        })
    }

    /// Leaves the full screen and prints the last page below the shell's prompt. Returns true if Ctrl-C was
    /// pressed.
    pub fn finish(mut self) -> anyhow::Result<bool> {
        if let (Some(screen), Some(page)) = (self.screen.take(), self.shown.pop()) {
            drop(screen);
            self.print(&page)?;
        }
        Ok(self.is_interrupted())
    }

    pub fn is_interrupted(&self) -> bool {
        self.keyboard.is_interrupted()
    }

    /// Shows the next page, and earlier pages if the person goes back. Returns false if the person wants no
    /// more.
    pub fn show(&mut self, page: ScreenPage, is_last: bool) -> anyhow::Result<bool> {
        if self.is_interrupted() {
            return Ok(false);
        }
        if self.turned == PageTurning::AtOnce || (self.turned == PageTurning::ByTime && self.screen.is_none())
        {
            self.print(&page)?;
            return Ok(true);
        }
        self.shown.push(page);
        let mut at = self.shown.len() - 1;
        loop {
            let wish = if self.screen.is_some() {
                self.paint_and_wait(at)?
            } else {
                self.print_and_wait(at, is_last)?
            };
            match wish {
                Wish::Quit => return Ok(false),
                Wish::Back => at = at.saturating_sub(1),
                Wish::Next if at + 1 == self.shown.len() => return Ok(true),
                Wish::Next => at += 1,
            }
        }
    }

    fn print(&mut self, page: &ScreenPage) -> anyhow::Result<()> {
        terminal::print(&page_text(page, &mut self.camera))
    }

    fn print_and_wait(&mut self, at: usize, is_last: bool) -> anyhow::Result<Wish> {
        let page = self.shown[at].clone();
        self.print(&page)?;
        if is_last && at + 1 == self.shown.len() {
            return Ok(Wish::Next);
        }
        terminal::prompt("[Enter: on, b: back, q: quit] ");
        let line = self.keyboard.line();
        Ok(match line.as_deref().map(str::trim) {
            None | Some("q" | "quit" | "exit") => Wish::Quit,
            Some("b" | "back") => Wish::Back,
            Some(_) => Wish::Next,
        })
    }

    fn paint_and_wait(&mut self, at: usize) -> anyhow::Result<Wish> {
        let keys = if terminal::is_interactive() { Some(Keys::listen()?) } else { None };
        let mut until = Instant::now() + self.hold(at);
        loop {
            let fitted = self.paint(at, keys.is_some())?;
            if self.is_interrupted() {
                return Ok(Wish::Quit);
            }
            let left = match self.turned {
                PageTurning::ByTime => until.saturating_duration_since(Instant::now()),
                PageTurning::ByHand | PageTurning::AtOnce => HEARTBEAT,
            };
            if keys.is_none() {
                self.keyboard.pause(left);
                return Ok(if self.is_interrupted() { Wish::Quit } else { Wish::Next });
            }
            let key = match raw::wait(left.min(HEARTBEAT))? {
                Waited::Key(key) => key,
                Waited::Nothing if self.turned == PageTurning::ByTime && left <= HEARTBEAT => {
                    return Ok(Wish::Next);
                }
                Waited::Other | Waited::Nothing => continue,
                Waited::Gone => return Ok(Wish::Quit),
            };
            if let Some((columns, lines)) = scrolled(key, &fitted) {
                self.camera.pan(columns, lines);
                continue;
            }
            let control = key.modifiers.contains(KeyModifiers::CONTROL);
            match key.code {
                KeyCode::Char('c') if control => {
                    self.keyboard.interrupt();
                    return Ok(Wish::Quit);
                }
                KeyCode::Char('z') if control => raw::suspend()?,
                KeyCode::Char('q') | KeyCode::Esc => return Ok(Wish::Quit),
                KeyCode::Char(' ') if self.turned == PageTurning::ByTime => self.turned = PageTurning::ByHand,
                KeyCode::Char(' ') => {
                    self.turned = PageTurning::ByTime;
                    self.camera.follow();
                    until = Instant::now() + self.hold(at);
                }
                KeyCode::Char('+') => self.change_speed(GEAR),
                KeyCode::Char('-') => self.change_speed(1.0 / GEAR),
                KeyCode::Char('0') => self.camera.follow(),
                KeyCode::Left | KeyCode::Up | KeyCode::Char('b') | KeyCode::Backspace => {
                    self.turned = PageTurning::ByHand;
                    return Ok(Wish::Back);
                }
                KeyCode::Right | KeyCode::Down | KeyCode::Enter | KeyCode::Char('n') => {
                    self.turned = PageTurning::ByHand;
                    return Ok(Wish::Next);
                }
                _ => {}
            }
        }
    }

    fn hold(&self, at: usize) -> Duration {
        self.shown[at].hold.div_f64(self.speed)
    }

    fn change_speed(&mut self, factor: f64) {
        self.speed = (self.speed * factor).clamp(0.01, 1000.0);
    }

    fn paint(&mut self, at: usize, with_keys: bool) -> anyhow::Result<Fitted> {
        let (columns, lines) = size();
        let page = &self.shown[at];
        let result: Vec<Line> = page.result.lines().map(plain).collect();
        let below = lists::news(&page.news, columns, (lines / 5).max(2), "");
        let room = lines.saturating_sub(1 + below.len() + result.len()).max(1);
        let room = Room { columns, lines: Some(room), cut: "", torn: "Shift and arrows" };
        let mut fitted = match &page.screen {
            Some(screen) => screen.fitted(room, &mut self.camera),
            None => Fitted::default(),
        };
        let mut page: Vec<Line> = std::mem::take(&mut fitted.lines);
        page.extend(below);
        page.extend(result);
        page.truncate(lines.saturating_sub(1));
        let colors = terminal::colors();
        let mut out = String::from("\x1b[?25l\x1b[H");
        for line in &page {
            out.push_str(&line_to_ansi(&cropped(line, 0, columns), colors));
            out.push_str("\x1b[K\r\n");
        }
        let keys = match (with_keys, self.turned) {
            (false, _) => "",
            (true, PageTurning::ByTime) => "   space: stop, ◂ ▸: step, + -: speed, q: quit",
            (true, _) => "   Enter: on, b: back, space: run, q: quit",
        };
        let status = format!("page {}{keys}", at + 1);
        let status = cropped(&[Span { text: status, ink: Ink::plain().dim() }], 0, columns.saturating_sub(1));
        out.push_str(&line_to_ansi(&status, colors));
        out.push_str("\x1b[J");
        raw::write(&out)?;
        Ok(fitted)
    }
}

fn plain(text: &str) -> Line {
    vec![Span { text: text.to_owned(), ink: Ink::plain() }]
}

/// A page as text, as wide as the terminal.
fn page_text(page: &ScreenPage, camera: &mut Camera) -> String {
    let columns = terminal::width().map(usize::from);
    let colors = terminal::colors();
    let mut text = String::new();
    for line in &page.news {
        text.push_str(&meeple_scene::cleaned(line));
        text.push('\n');
    }
    if let Some(screen) = &page.screen {
        for line in fitted_lines(screen, columns, camera) {
            text.push_str(&line_to_ansi(&line, colors));
            text.push('\n');
        }
    }
    if !page.result.is_empty() {
        text.push_str(&page.result);
        text.push('\n');
    }
    if page.screen.is_some() {
        text.push('\n');
    }
    text
}
