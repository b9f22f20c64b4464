//! `meeple tournament`: from a file, from flags, or resumed.

use std::path::Path;

use anyhow::Context;
use meeple_arena::schedule::Kind;
use meeple_arena::{Request, Standings, read_file};
use meeple_core::{Strength, Strengths};

use crate::args::TournamentArgs;
use crate::commands::arena::{apply, plan, play_new, play_who_starts, resume};
use crate::failure::usage;
use crate::interrupt::{Interrupt, NOTHING_PLAYED};
use crate::replay_file::{check_new_file, write_atomically};
use crate::settings::command_without;
use crate::terminal;

/// The flag that names the file for strengths.
const STRENGTH: &str = "--strength";

pub fn run(args: &TournamentArgs) -> anyhow::Result<()> {
    if let Some(directory) = &args.resume {
        return resume(directory, &args.arena).map(drop);
    }
    let mut request = request(args)?;
    let plan = plan(&mut request, &args.arena)?;
    if let Some(file) = &args.strength {
        if !plan.is_native() {
            return Err(usage(
                "--strength: expected agents only, found a bot\nhint: strengths are those of a game's agents",
            ));
        }
        check_target(file)?;
    }
    let interrupt = Interrupt::new(NOTHING_PLAYED)?;
    // In a competition of the original, competitors that fail to start do not stop the others.
    if plan.original && !plan.is_native() {
        return play_who_starts(request, plan, Vec::new(), &args.arena, &interrupt).map(drop);
    }
    let standings = play_new(plan, None, &args.arena, &interrupt)?;
    write_strength(args, &standings)
}

/// Checks, before anything is played, that strengths can be written to a new file or over older strengths.
fn check_target(file: &Path) -> anyhow::Result<()> {
    let is_strength = std::fs::read_to_string(file).is_ok_and(|text| {
        // A file may consist of comments alone before its strengths are measured.
        text.lines().all(|line| line.starts_with('#')) || Strengths::parse(&text).is_ok()
    });
    check_new_file(file, is_strength).map_err(|error| match file.is_file() && !is_strength {
        true => usage(format!(
            "cannot write {}: it is there already and no file of strengths\nhint: choose another name",
            file.display()
        )),
        false => error,
    })
}

/// Writes the file of `--strength`.
fn write_strength(args: &TournamentArgs, standings: &Standings) -> anyhow::Result<()> {
    let Some(file) = &args.strength else { return Ok(()) };
    let mut measured = Vec::new();
    for standing in &standings.standings {
        let rating = standing
            .rating
            .as_ref()
            .context("expected players who met, found none\nhint: play more deals")?;
        // Only the anchor's points are fixed.
        let is_anchor = standings.anchor.as_ref() == Some(&standing.name);
        let interval = rating.interval.or(is_anchor.then_some([0.0; 2]));
        let interval = interval.with_context(|| {
            format!("expected an interval for {}, found none\nhint: play more deals with -n", standing.name)
        })?;
        measured.push(Strength {
            spec: standing.run.clone(),
            points: rating.points.round() as i32,
            interval: interval.map(|end| end.round() as i32),
            win_share: standing.win_share,
        });
    }
    measured.sort_by_key(|strength| -strength.points);
    let mut command = command_without(STRENGTH, &["--quiet", "-q"]);
    if args.arena.seed.is_none() {
        command.push_str(&format!(" --seed {}", standings.seed));
    }
    let text = Strengths { command, measured }.to_string();
    Strengths::parse(&text).context("strengths that were written can be read")?;
    write_atomically(file, text.as_bytes())?;
    terminal::tell(format_args!("meeple: wrote {}", file.display()));
    Ok(())
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
