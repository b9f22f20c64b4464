//! `meeple tournament`: from a file, from flags, or resumed.

use std::path::Path;

use meeple_arena::schedule::Kind;
use meeple_arena::{Request, read_file};

use crate::args::TournamentArgs;
use crate::commands::arena::{apply, plan, play_new, play_who_starts, resume};
use crate::failure::usage;
use crate::interrupt::{Interrupt, NOTHING_PLAYED};

pub fn run(args: &TournamentArgs) -> anyhow::Result<()> {
    if let Some(directory) = &args.resume {
        return resume(directory, &args.arena);
    }
    let mut request = request(args)?;
    let plan = plan(&mut request, &args.arena)?;
    let interrupt = Interrupt::new(NOTHING_PLAYED)?;
    // In a competition of the original, competitors that fail to start do not stop the others.
    if plan.original && !plan.is_native() {
        return play_who_starts(request, plan, Vec::new(), &args.arena, &interrupt);
    }
    play_new(plan, None, &args.arena, &interrupt)
}

pub fn request(args: &TournamentArgs) -> anyhow::Result<Request> {
    let Some(game) = &args.game else {
        return Err(usage("expected a tournament file or a game, found nothing"));
    };
    let mut request = if game.ends_with(".toml") { read_file(Path::new(game))? } else { Request::new(game) };
    for word in &args.bots {
        request.add(word);
    }
    if let Some(schedule) = args.schedule {
        request.schedule = Some(schedule);
    }
    request.table = args.table.or(request.table);
    if !args.anchors.is_empty() {
        request.anchors.clone_from(&args.anchors);
        if request.schedule != Some(Kind::Gauntlet) {
            return Err(usage(
                "--anchors: expected a gauntlet, in which everybody meets them\nhint: add --schedule gauntlet",
            ));
        }
    }
    apply(&args.arena, &mut request)?;
    Ok(request)
}
