//! `meeple rank`: ranking of a folder of bots.

use std::path::Path;

use meeple_arena::schedule::Kind;
use meeple_arena::{Failed, Request, check_name};
use meeple_bothost::{InvalidBot, list_bots};
use meeple_games::adapters;

use crate::args::RankArgs;
use crate::commands::arena::{apply, plan, play_who_starts};
use crate::failure::{unreadable, usage};
use crate::interrupt::{Interrupt, NOTHING_PLAYED};
use crate::terminal;

pub fn run(args: &RankArgs) -> anyhow::Result<()> {
    let mut request = Request::new(&args.game);
    let Entrants { bots, left_out } = entrants_in(&args.folder)?;
    request.competitors = bots;
    for word in &args.with {
        request.add(word);
    }
    request.schedule = args.schedule;
    if args.arena.original {
        // The original ranks by games of all competitors at one table.
        request.schedule = request.schedule.or(Some(Kind::Single));
    }
    request.table = args.table.or(request.table);
    apply(&args.arena, &mut request)?;
    // The plan is checked before any bot starts.
    let plan = plan(&mut request, &args.arena)?;
    let interrupt = Interrupt::new(NOTHING_PLAYED)?;
    play_who_starts(request, plan, left_out, &args.arena, &interrupt).map(drop)
}

struct Entrants {
    /// The bots sorted by name, each with its display name.
    bots: Vec<(Option<String>, String)>,
    /// Entrants that cannot play, with the reason.
    left_out: Vec<Failed>,
}

/// The bots of a folder. Prints a warning for every entrant that cannot play.
fn entrants_in(folder: &Path) -> anyhow::Result<Entrants> {
    let shown = folder.display();
    if !folder.is_dir() {
        let found = if folder.exists() { "a file" } else { "nothing" };
        return Err(usage(format!("expected a folder of bots, found {found} at {shown}")));
    }
    let listing =
        list_bots(folder, adapters()).map_err(|error| unreadable(&format!("the folder {shown}"), error))?;
    let mut left_out = Vec::new();
    let mut leave_out = |name: &str, run: &str, reason: String| {
        terminal::warn(&format!("{run} does not play: {reason}"));
        left_out.push(Failed { name: name.to_owned(), run: run.to_owned(), number: None, reason });
    };
    for InvalidBot { name, why } in &listing.left_out {
        leave_out(name, name, why.clone());
    }
    let file = |word: &str| Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = |word: &str| Path::new(word).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let mut bots = Vec::new();
    for word in &listing.bots {
        // `a.py` and `a.js` are two bots, so they keep their extensions.
        let twins = listing.bots.iter().filter(|other| stem(other) == stem(word)).count() > 1;
        let name = file(word).filter(|_| twins);
        match check_name(name.as_deref().or(stem(word).as_deref()).unwrap_or_default()) {
            Ok(()) => bots.push((name, word.clone())),
            Err(error) => {
                leave_out(&stem(word).unwrap_or_default(), word, format!("{error}\nhint: rename it"))
            }
        }
    }
    if bots.is_empty() {
        return Err(usage(format!(
            "expected bots in {shown}, found none\nhint: a bot is a .py or .js file, a program that can be executed, or a folder with a main file"
        )));
    }
    Ok(Entrants { bots, left_out })
}
