//! `meeple rank`: a folder of bots in, a ranking out.

use std::path::Path;

use anyhow::Context;
use meeple_arena::schedule::Kind;
use meeple_arena::{Bots, Request, launch, original};
use meeple_bothost::BotSpec;

use crate::args::RankArgs;
use crate::commands::arena::{apply, kind, launch_more, play_new, sandbox};
use crate::failure::usage;
use crate::interrupt::{Interrupt, NOTHING_PLAYED};

pub fn run(args: &RankArgs) -> anyhow::Result<()> {
    let found = bots_in(&args.folder)?;
    let mut request = Request::new(&args.game);
    for word in &found {
        // `a.py` and `a.js` are two bots, so they go by their whole names.
        let name = |word: &str| Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned());
        let stem = |word: &str| Path::new(word).file_stem().map(|stem| stem.to_owned());
        let twins = found.iter().filter(|other| stem(other) == stem(word)).count() > 1;
        request.competitors.push((name(word).filter(|_| twins), word.clone()));
    }
    for word in &args.with {
        request.add(word);
    }
    request.schedule = args.schedule.map(kind);
    if args.arena.original {
        // The original ranks by a battle royale of everybody.
        request.schedule = request.schedule.or(Some(Kind::Single));
    }
    request.table = args.table.or(request.table);
    apply(&args.arena, &mut request)?;
    // The table is checked before anything is started; who does not start is left out, and said so.
    let plan = request.plan()?;
    let interrupt = Interrupt::new(NOTHING_PLAYED)?;
    let shut_in = sandbox(&plan.sandbox)?;
    let (mut bots, mut failed) = (Vec::new(), Vec::new());
    for competitor in &plan.competitors {
        match interrupt.outlive(launch(competitor, &shut_in, &plan.limits)) {
            Ok(bot) => bots.push(bot),
            Err(error) => {
                eprintln!("meeple: {} does not play: {error}", competitor.name);
                failed.push((competitor.run.clone(), error.to_string()));
            }
        }
    }
    request.competitors.retain(|(_, run)| !failed.iter().any(|(own, _)| own == run));
    let plan = if failed.is_empty() { plan } else { request.plan()? };
    let bots = Bots::new(bots, shut_in.recorded(&plan.limits));
    let bots = interrupt.outlive(launch_more(&plan, bots, &shut_in, args.arena.jobs))?;
    let played = play_new(plan, Some(bots), &args.arena, &interrupt);
    if let (Some(directory), true) = (&args.arena.out, args.arena.original)
        && directory.is_dir()
    {
        original::write_failed(directory, &failed)?;
    }
    played
}

/// The bots of a folder, in the order of their names: whatever can be run.
fn bots_in(folder: &Path) -> anyhow::Result<Vec<String>> {
    let shown = folder.display();
    if !folder.is_dir() {
        let found = if folder.exists() { "a file" } else { "nothing" };
        return Err(usage(format!("expected a folder of bots, found {found} at {shown}")));
    }
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read the folder {shown}"))?;
    let mut bots = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| format!("cannot read the folder {shown}"))?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if name.starts_with(['.', '_']) {
            continue;
        }
        let text = path.display().to_string();
        // A path with a slash, so that it is read as a bot and not as an agent.
        let word = if text.contains('/') { text } else { format!("./{text}") };
        if BotSpec::parse(&word).is_ok() {
            bots.push(word);
        }
    }
    bots.sort();
    if bots.is_empty() {
        return Err(usage(format!(
            "expected bots in {shown}, found none\nhint: a bot is a .py or .js file, a program that can be executed, or a folder with a main file"
        )));
    }
    Ok(bots)
}
