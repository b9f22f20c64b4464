//! `meeple replay`: a stored episode, checked step by step and shown.

use std::time::Duration;

use anyhow::{Context, bail};
use meeple_core::{Film, FilmError, Phase};
use meeple_games::games;

use crate::args::{LevelArg, ReplayArgs};
use crate::failure::usage;
use crate::keyboard::Keyboard;
use crate::replay_file;
use crate::spectate::{Answer, Moments, Spectator, wait};
use crate::terminal;

/// How long a moment of a film stands if its game does not say.
const HOLD: Duration = Duration::from_millis(700);

/// What is shown at once.
struct Page {
    text: String,
    hold: Duration,
}

pub fn run(args: &ReplayArgs) -> anyhow::Result<()> {
    let (replay, entry) = if args.episode.is_some() || args.file.is_dir() {
        replay_file::read_episode(&args.file, args.episode)?
    } else {
        let text = replay_file::read_text(&args.file)?;
        if let Some(film) = games().iter().find_map(|entry| entry.film(&text, &args.looks)) {
            return match film {
                Ok(film) => run_film(args, film),
                Err(FilmError::Look(reason)) => Err(usage(reason)),
                Err(FilmError::Record(reason)) => bail!("{}: {reason}", args.file.display()),
            };
        }
        replay_file::parse(&args.file, &text)?
    };
    if let Some(word) = args.looks.first() {
        return Err(usage(format!(
            "--look {word}: expected a game record of another program, found a replay"
        )));
    }
    let viewer = replay_file::viewer(&args.viewer, replay.players.len().max(1))?;
    // A film has the table at every moment and nothing that scrolls.
    let level = if args.film { LevelArg::Turn } else { args.level };
    let mut spectator = Spectator::new(level, viewer, &replay.players);
    let mut moments = Moments::new(viewer);
    let mut pages: Vec<Page> = Vec::new();
    let last = entry
        .replay(&replay, viewer, &mut |episode| {
            if args.check {
                return;
            }
            if !args.film {
                pages.extend(spectator.page(episode).map(|text| Page { text, hold: HOLD }));
                return;
            }
            if !moments.news(episode).shown {
                return;
            }
            let screen = episode.screen(viewer, &replay.players);
            let page = Page { text: screen.to_ansi(terminal::colors()), hold: screen.hold.unwrap_or(HOLD) };
            // Several decide on the same table, one after the other.
            if pages.last().is_none_or(|last| last.text != page.text) {
                pages.push(page);
            }
        })
        .with_context(|| args.file.display().to_string())?;
    let finished = last.phase() == Phase::Over;
    if args.check {
        let steps = replay.steps.len();
        let state = if finished { "finished" } else { "broken off" };
        let s = if steps == 1 { "" } else { "s" };
        terminal::print(&format!("{}: {steps} step{s}, {state}, every step is right", args.file.display()))?;
        return if finished { terminal::print(spectator.result(&*last).trim_start()) } else { Ok(()) };
    }
    if args.film {
        play_film(pages.into_iter(), args.speed)?;
        if finished {
            terminal::print(spectator.result(&*last).trim_start())?;
        }
    } else {
        turn_pages(pages.into_iter(), args.step)?;
    }
    if !finished {
        eprintln!("meeple: the episode was broken off here");
    }
    Ok(())
}

/// A record of another program: in a terminal it runs as a film, elsewhere its last moment is printed.
fn run_film(args: &ReplayArgs, film: Film) -> anyhow::Result<()> {
    if args.check {
        let shown = args.file.display();
        return terminal::print(&format!("{shown}: every move is possible; {}", film.summary));
    }
    let colors = terminal::colors();
    let mut pages = film
        .frames
        .map(move |screen| Page { text: screen.to_ansi(colors), hold: screen.hold.unwrap_or(HOLD) });
    if args.step {
        turn_pages(pages, true)?;
    } else if args.film || terminal::size().is_some() {
        play_film(pages, args.speed)?;
    } else if let Some(last) = pages.by_ref().last() {
        terminal::print(&last.text)?;
    }
    terminal::print(&film.summary)
}

/// Prints page after page; with `step` a person turns them.
fn turn_pages(mut pages: impl Iterator<Item = Page>, step: bool) -> anyhow::Result<()> {
    let Some(first) = pages.next() else { return Ok(()) };
    terminal::print(&first.text)?;
    // What has been shown, to go back to.
    let mut keyboard = if step { Some(Keyboard::new()?) } else { None };
    let mut shown = vec![first.text];
    let mut index = 0;
    loop {
        let ahead = if index + 1 < shown.len() { None } else { pages.next() };
        if index + 1 == shown.len() && ahead.is_none() {
            return Ok(());
        }
        if let Some(page) = ahead {
            shown.push(page.text);
        }
        match keyboard.as_mut().map_or(Answer::Next, |keyboard| wait(keyboard, true)) {
            Answer::Next => index += 1,
            Answer::Back => index = index.saturating_sub(1),
            Answer::Quit => return Ok(()),
        }
        terminal::print(&shown[index])?;
        if !step {
            // Nobody goes back.
            shown.drain(..index);
            index = 0;
        }
    }
}

/// Shows all pages in the same place, each as long as it holds and as much of it as there is room for. Where
/// there is no terminal, one after the other without waiting.
fn play_film(pages: impl Iterator<Item = Page>, speed: f64) -> anyhow::Result<()> {
    let mut first = true;
    for page in pages {
        let Some((_, height)) = terminal::size() else {
            terminal::print(&page.text)?;
            continue;
        };
        let room = usize::from(height).saturating_sub(1).max(1);
        let lines: Vec<&str> = page.text.lines().take(room).collect();
        // Home, the page with every line cleared to its end, and what an older page left below.
        let top = if first { "\x1b[2J\x1b[H" } else { "\x1b[H" };
        first = false;
        terminal::print(&format!("{top}{}\x1b[K\n\x1b[J", lines.join("\x1b[K\n")))?;
        std::thread::sleep(page.hold.div_f64(speed));
    }
    Ok(())
}
