//! `meeple verify`: verification of a tournament or a server's file.

use std::sync::Arc;

use anyhow::bail;
use meeple_arena::{RecordStore, StandingsCheck, Verification, verify, verify_replaying_bots};
use meeple_lab::StopFlag;
use meeple_server::{FileProof, prove_file};
use serde::Serialize;

use crate::args::VerifyArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::failure::usage;
use crate::interrupt::Interrupt;
use crate::sandbox::choose;
use crate::terminal;
use crate::watch::Bar;

trait Proof: Serialize {
    /// Sentences about the extent of what was verified.
    fn summary(&self) -> String;

    /// The first problems, and their total number.
    fn problems(&self) -> (&[String], u64);

    /// The amount of data that could not be verified, in words.
    fn unproved(&self) -> String;

    fn is_stopped(&self) -> bool;

    /// True if all stored data was verified.
    fn is_proved(&self) -> bool;
}

pub fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    if args.directory.is_file() {
        return run_file(args);
    }
    if !args.replay_bots {
        let stop = stop_on_interrupt()?;
        return prove(args, &stop, |bar, stop| Ok(verify(&args.directory, bar, stop)?));
    }
    let interrupt = Interrupt::new("nothing was proved")?;
    let plan = RecordStore::open_read_only(&args.directory)?.plan()?;
    let asked = args.sandbox.as_deref().or(Some(plan.sandbox.as_str()).filter(|level| *level != "auto"));
    let sandbox = choose(asked, args.python.as_deref())?;
    let stop = interrupt.playing("the rest was not proved".to_owned());
    let interrupt = Arc::clone(&interrupt);
    prove(args, &stop, move |bar, stop| {
        Ok(interrupt.outlive(verify_replaying_bots(&args.directory, &sandbox, bar, stop))?)
    })
}

fn run_file(args: &VerifyArgs) -> anyhow::Result<()> {
    if args.replay_bots {
        return Err(usage(
            "--replay-bots: expected the directory of a tournament, found a file: no bots play in it",
        ));
    }
    let stop = stop_on_interrupt()?;
    // A file of another kind is bad usage. Problems within a server's file are results, printed by `prove`.
    prove(args, &stop, |bar, stop| {
        prove_file(&args.directory, bar, stop).map_err(|error| usage(error.to_string()))
    })
}

/// Verifies with a progress bar, and prints the results.
fn prove<P: Proof>(
    args: &VerifyArgs,
    stop: &StopFlag,
    proof: impl FnOnce(&mut Bar, &StopFlag) -> anyhow::Result<P>,
) -> anyhow::Result<()> {
    let mut bar = Bar::new(args.quiet);
    let found = proof(&mut bar, stop);
    bar.finish();
    let found = found?;
    let (problems, count) = found.problems();
    if args.json {
        terminal::print_json(&serde_json::to_value(&found)?)?;
    } else {
        let problems: String = problems.iter().map(|problem| format!("  {problem}\n")).collect();
        terminal::print(&format!("{}{problems}", found.summary()))?;
    }
    if found.is_stopped() {
        bail!("stopped before everything was proved");
    }
    if !found.is_proved() {
        let problems = if count == 1 { "problem" } else { "problems" };
        bail!("{}: {count} {problems}, {} without proof", args.directory.display(), found.unproved());
    }
    Ok(())
}

impl Proof for Verification {
    fn summary(&self) -> String {
        let standings = match self.standings {
            _ if self.being_played => "it is being played, so its results were not compared",
            StandingsCheck::Same if self.unproved > 0 => {
                "the standings follow from what is stored, byte for byte"
            }
            StandingsCheck::Same => "the standings follow from them, byte for byte",
            StandingsCheck::Differ => "the stored standings do NOT follow from them",
            StandingsCheck::Missing if self.complete => "the standings are MISSING",
            StandingsCheck::Missing => "there are no standings yet",
        };
        let mut text = format!(
            "{} of {} episodes: {} proved by their replay, {} played again from their seed, {} without proof; {standings}\n",
            self.episodes, self.planned, self.by_replay, self.by_seed, self.unproved
        );
        if !self.repeated_bots.is_empty() {
            text.push_str(&format!(
                "  run again on the recorded games: {} ({} decisions are the same",
                self.repeated_bots.join(", "),
                self.repeated_decisions
            ));
            text.push_str(&match self.unrepeated_faults {
                0 => ")\n".to_owned(),
                faults => format!("; {faults} faults, as of the clock, are as the record says)\n"),
            });
        }
        if !self.unproved_bots.is_empty() {
            text.push_str(&format!(
                "  decisions of bots are as their replays say; which program made them is not proved: {}\n",
                self.unproved_bots.join(", ")
            ));
        }
        text
    }

    fn problems(&self) -> (&[String], u64) {
        (&self.problems, self.problem_count)
    }

    fn unproved(&self) -> String {
        format!("{} episode{}", self.unproved, if self.unproved == 1 { "" } else { "s" })
    }

    fn is_stopped(&self) -> bool {
        self.stopped
    }

    fn is_proved(&self) -> bool {
        Self::is_proved(self)
    }
}

impl Proof for FileProof {
    fn summary(&self) -> String {
        format!(
            "{} tables with {} entries, {} replays and {} episodes of {} competitions played again; {} members, {} logins and \
             {} runs read; {} of other rules or releases, without proof\n",
            self.tables,
            self.entries,
            self.replays,
            self.episodes,
            self.competitions,
            self.members,
            self.sessions,
            self.runs,
            self.unproved
        )
    }

    fn problems(&self) -> (&[String], u64) {
        (&self.problems, self.problem_count)
    }

    fn unproved(&self) -> String {
        self.unproved.to_string()
    }

    fn is_stopped(&self) -> bool {
        self.stopped
    }

    fn is_proved(&self) -> bool {
        Self::is_proved(self)
    }
}
