//! `meeple verify`: a tournament, proved.

use anyhow::bail;
use meeple_arena::{StandingsCheck, verify};

use crate::args::VerifyArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::commands::verify_file;
use crate::terminal;
use crate::watch::Bar;

pub fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    if args.directory.is_file() {
        return verify_file::run(args);
    }
    let stop = stop_on_interrupt()?;
    let mut bar = Bar::new(args.quiet);
    let found = verify(&args.directory, &mut bar, &stop);
    bar.finish();
    let found = found?;
    if args.json {
        terminal::print_json(&serde_json::to_value(&found)?)?;
    } else {
        let standings = match found.standings {
            _ if found.being_played => "it is being played, so its results were not compared",
            StandingsCheck::Same if found.unproved > 0 => {
                "the standings follow from what is stored, byte for byte"
            }
            StandingsCheck::Same => "the standings follow from them, byte for byte",
            StandingsCheck::Differ => "the stored standings do NOT follow from them",
            StandingsCheck::Missing if found.complete => "the standings are MISSING",
            StandingsCheck::Missing => "there are no standings yet",
        };
        let mut text = format!(
            "{} of {} episodes: {} proved by their replay, {} played again from their seed, {} without proof; {standings}\n",
            found.episodes, found.planned, found.by_replay, found.by_seed, found.unproved
        );
        if !found.unproved_bots.is_empty() {
            text.push_str(&format!(
                "  decisions of bots are as their replays say; which program made them is not proved: {}\n",
                found.unproved_bots.join(", ")
            ));
        }
        for problem in &found.problems {
            text.push_str(&format!("  {problem}\n"));
        }
        terminal::print(&text)?;
    }
    if found.stopped {
        bail!("stopped before everything was proved");
    }
    if !found.is_proved() {
        bail!(
            "{}: {} problem{}, {} episode{} without proof",
            args.directory.display(),
            found.problem_count,
            if found.problem_count == 1 { "" } else { "s" },
            found.unproved,
            if found.unproved == 1 { "" } else { "s" }
        );
    }
    Ok(())
}
