//! `meeple replay`: a stored episode, checked step by step and shown.

use std::time::Duration;

use anyhow::Context;
use meeple_core::{Film, Phase};
use meeple_games::games;

use crate::args::{LevelArg, ReplayArgs};
use crate::replay_file;
use crate::spectate::{Answer, Spectator, wait};
use crate::terminal;

/// How long a moment of a film stands if its game does not say.
const HOLD: Duration = Duration::from_millis(700);

/// What is shown at once.
struct Page {
    text: String,
    hold: Duration,
}

pub fn run(args: &ReplayArgs) -> anyhow::Result<()> {
    let text = replay_file::read_text(&args.file)?;
    if let Some(film) = games().iter().find_map(|entry| entry.film(&text, &args.looks)) {
        let film = film.map_err(|reason| anyhow::anyhow!("{}: {reason}", args.file.display()))?;
        return run_film(args, &film);
    }
    let (replay, entry) = replay_file::parse(&args.file, &text)?;
    let viewer = replay_file::viewer(&args.viewer, replay.players.len().max(1))?;
    // A film has the table at every moment and nothing that scrolls.
    let level = if args.film { LevelArg::Turn } else { args.level };
    let mut spectator = Spectator::new(level, viewer, &replay.players);
    let mut pages = Vec::new();
    let last = entry
        .replay(&replay, &mut |episode| {
            if args.check {
                return;
            }
            if !args.film {
                pages.extend(spectator.page(episode).map(|text| Page { text, hold: HOLD }));
            } else if episode.phase() != Phase::Chance {
                let screen = episode.screen(viewer, &replay.players);
                let hold = screen.hold.unwrap_or(HOLD);
                pages.push(Page { text: screen.to_ansi(terminal::colors()), hold });
            }
        })
        .with_context(|| args.file.display().to_string())?;
    if args.check {
        let steps = replay.steps.len();
        let state = if replay.result.is_some() { "finished" } else { "broken off" };
        terminal::print(&format!("{}: {steps} steps, {state}, every step is right", args.file.display()))?;
        return match replay.result {
            Some(_) => terminal::print(spectator.result(&*last).trim_start()),
            None => Ok(()),
        };
    }
    if args.film {
        play_film(&pages, args.speed)?;
        if replay.result.is_some() {
            terminal::print(spectator.result(&*last).trim_start())?;
        }
    } else {
        turn_pages(&pages, args.step)?;
    }
    if replay.result.is_none() {
        eprintln!("meeple: the episode was broken off here");
    }
    Ok(())
}

/// A record of another program: in a terminal it runs as a film, elsewhere its last moment is printed.
fn run_film(args: &ReplayArgs, film: &Film) -> anyhow::Result<()> {
    if args.check {
        let shown = args.file.display();
        return terminal::print(&format!("{shown}: every move is possible; {}", film.summary));
    }
    let colors = terminal::colors();
    let page = |screen: &meeple_scene::Screen| Page {
        text: screen.to_ansi(colors),
        hold: screen.hold.unwrap_or(HOLD),
    };
    let pages: Vec<Page> = film.frames.iter().map(page).collect();
    if args.step {
        turn_pages(&pages, true)?;
    } else if args.film || terminal::width().is_some() {
        play_film(&pages, args.speed)?;
    } else if let Some(last) = pages.last() {
        terminal::print(&last.text)?;
    }
    terminal::print(&film.summary)
}

/// Prints page after page; with `step` a person turns them.
fn turn_pages(pages: &[Page], step: bool) -> anyhow::Result<()> {
    let mut index = 0;
    while let Some(page) = pages.get(index) {
        terminal::print(&page.text)?;
        index += 1;
        if step && index < pages.len() {
            match wait(true)? {
                Answer::Next => {}
                Answer::Back => index = index.saturating_sub(2),
                Answer::Quit => break,
            }
        }
    }
    Ok(())
}

/// Shows all pages in the same place, each as long as it holds. Where there is no terminal, one after the
/// other without waiting.
fn play_film(pages: &[Page], speed: f64) -> anyhow::Result<()> {
    let live = terminal::width().is_some();
    for (index, page) in pages.iter().enumerate() {
        if live {
            // Home, the page with every line cleared to its end, and what an older page left below.
            let top = if index == 0 { "\x1b[2J\x1b[H" } else { "\x1b[H" };
            terminal::print(&format!("{top}{}\x1b[J", page.text.replace('\n', "\x1b[K\n")))?;
            std::thread::sleep(page.hold.div_f64(speed));
        } else {
            terminal::print(&page.text)?;
        }
    }
    Ok(())
}
