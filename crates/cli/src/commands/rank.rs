//! `meeple rank`: a folder of bots in, a ranking out.

use std::path::Path;

use meeple_arena::schedule::Kind;
use meeple_arena::{Bots, Plan, Request, check_name, launch, ranking};
use meeple_bothost::{LeftOut, list_bots};
use meeple_games::adapters;

use crate::args::RankArgs;
use crate::commands::arena::{apply, launch_more, plan, play_new, sandbox};
use crate::failure::{unreadable, usage};
use crate::interrupt::{Interrupt, NOTHING_PLAYED};
use crate::terminal;

pub fn run(args: &RankArgs) -> anyhow::Result<()> {
    let mut request = Request::new(&args.game);
    request.competitors = bots_in(&args.folder)?;
    for word in &args.with {
        request.add(word);
    }
    request.schedule = args.schedule;
    if args.arena.original {
        // The original ranks by a battle royale of everybody.
        request.schedule = request.schedule.or(Some(Kind::Single));
    }
    request.table = args.table.or(request.table);
    apply(&args.arena, &mut request)?;
    // The table is checked before anything is started; who does not start is left out, and said so.
    let plan = plan(&mut request, &args.arena)?;
    let interrupt = Interrupt::new(NOTHING_PLAYED)?;
    let shut_in = sandbox(&plan.sandbox, &args.arena)?;
    let (mut bots, mut failed) = (Vec::new(), Vec::new());
    for competitor in &plan.competitors {
        match interrupt.outlive(launch(competitor, &shut_in, &plan.limits)) {
            Ok(bot) => bots.push(bot),
            Err(error) => {
                terminal::warn(&format!("{} does not play: {error}", competitor.name));
                failed.push(competitor.run.clone());
            }
        }
    }
    request.competitors.retain(|(_, run)| !failed.contains(run));
    // Whoever plays keeps the number that it was given before others failed.
    let numbers: Vec<(String, u32)> = plan.competitors.iter().map(|own| own.run.clone()).zip(1..).collect();
    let plan = if failed.is_empty() { plan } else { request.plan()? };
    let plan = if args.arena.original { numbered(plan, &numbers) } else { plan };
    let bots = Bots::new(bots, shut_in.recorded(&plan.limits));
    let bots = interrupt.outlive(launch_more(&plan, bots, &shut_in, args.arena.jobs))?;
    let played = play_new(plan, Some(bots), &args.arena, &interrupt);
    if let (Some(directory), true) = (&args.arena.out, args.arena.original)
        && directory.is_dir()
    {
        let failed = numbers.iter().filter(|(run, _)| failed.contains(run)).map(|(_, number)| *number);
        ranking::write_failed(Some(directory), &failed.collect::<Vec<_>>())?;
    }
    played
}

/// The plan with these numbers of its competitors.
fn numbered(mut plan: Plan, numbers: &[(String, u32)]) -> Plan {
    for own in &mut plan.competitors {
        own.number = numbers.iter().find(|(run, _)| *run == own.run).map(|(_, number)| *number);
    }
    plan
}

/// The bots of a folder, in the order of their names, each with the name it goes by. Who cannot play is left out,
/// and said so.
fn bots_in(folder: &Path) -> anyhow::Result<Vec<(Option<String>, String)>> {
    let shown = folder.display();
    if !folder.is_dir() {
        let found = if folder.exists() { "a file" } else { "nothing" };
        return Err(usage(format!("expected a folder of bots, found {found} at {shown}")));
    }
    let listing =
        list_bots(folder, adapters()).map_err(|error| unreadable(&format!("the folder {shown}"), error))?;
    for LeftOut { name, why } in &listing.left_out {
        terminal::warn(&format!("{name} does not play: {why}"));
    }
    let file = |word: &str| Path::new(word).file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = |word: &str| Path::new(word).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let mut bots = Vec::new();
    for word in &listing.bots {
        // `a.py` and `a.js` are two bots, so they go by their whole names.
        let twins = listing.bots.iter().filter(|other| stem(other) == stem(word)).count() > 1;
        let name = file(word).filter(|_| twins);
        match check_name(name.as_deref().or(stem(word).as_deref()).unwrap_or_default()) {
            Ok(()) => bots.push((name, word.clone())),
            Err(error) => terminal::warn(&format!("{word} does not play: {error}\nhint: rename it")),
        }
    }
    if bots.is_empty() {
        return Err(usage(format!(
            "expected bots in {shown}, found none\nhint: a bot is a .py or .js file, a program that can be executed, or a folder with a main file"
        )));
    }
    Ok(bots)
}
