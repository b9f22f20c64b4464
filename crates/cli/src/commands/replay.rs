//! `meeple replay`: a stored episode, checked step by step and shown.

use std::time::Duration;

use anyhow::{Context, bail};
use meeple_core::{Film, FilmError, Phase};
use meeple_games::games;

use crate::args::{LevelArg, ReplayArgs};
use crate::console::{Page, Pages, Turned};
use crate::failure::usage;
use crate::replay_file;
use crate::spectate::{Moments, Spectator};
use crate::terminal;

/// How long a moment of a film stands if its game does not say.
const HOLD: Duration = Duration::from_millis(700);

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
    // What is told with the next page.
    let mut heard: Vec<String> = Vec::new();
    let last = entry
        .replay(&replay, viewer, &mut |episode| {
            if args.check {
                return;
            }
            if !args.film {
                pages.extend(spectator.page(episode));
                return;
            }
            let (news, is_shown) = moments.news(episode);
            if !is_shown {
                heard.extend(news);
                return;
            }
            let screen = episode.screen(viewer, &replay.players);
            let hold = screen.hold.unwrap_or(HOLD);
            let news: Vec<String> = heard.drain(..).chain(news).map(|text| format!("* {text}")).collect();
            // Several decide on the same table, one after the other.
            if !news.is_empty() || pages.last().is_none_or(|last| last.screen.as_ref() != Some(&screen)) {
                pages.push(Page { news, screen: Some(screen), hold, ..Page::default() });
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
    if args.film
        && finished
        && let Some(last_page) = pages.last_mut()
    {
        last_page.result = spectator.result(&*last);
    }
    let turned = match (args.step, args.film) {
        (true, _) => Turned::ByHand,
        (_, true) => Turned::ByTime,
        _ => Turned::AtOnce,
    };
    show(args, turned, pages.into_iter(), level >= LevelArg::Turn)?;
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
    let page = |screen: meeple_scene::Screen| {
        let hold = screen.hold.unwrap_or(HOLD);
        Page { screen: Some(screen), hold, ..Page::default() }
    };
    let pages = film.frames.map(page);
    if args.step {
        show(args, Turned::ByHand, pages, true)?;
    } else if args.film || terminal::size().is_some() {
        show(args, Turned::ByTime, pages, true)?;
    } else if let Some(last) = pages.last() {
        Pages::new(Turned::AtOnce, true, 1.0)?.show(last, true)?;
    }
    terminal::print(&film.summary)
}

/// Shows pages until there are no more, or nobody wants more.
fn show(
    args: &ReplayArgs,
    turned: Turned,
    pages: impl Iterator<Item = Page>,
    with_tables: bool,
) -> anyhow::Result<()> {
    let mut shown = Pages::new(turned, with_tables, args.speed)?;
    let mut pages = pages.peekable();
    while let Some(page) = pages.next() {
        if !shown.show(page, pages.peek().is_none())? {
            break;
        }
    }
    shown.finish()
}
