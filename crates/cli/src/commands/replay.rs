//! `meeple replay`: a stored episode, checked step by step and shown.

use anyhow::Context;

use crate::args::ReplayArgs;
use crate::replay_file;
use crate::spectate::{Answer, Spectator, wait};
use crate::terminal;

pub fn run(args: &ReplayArgs) -> anyhow::Result<()> {
    let (replay, entry) = replay_file::read_episode(&args.file, args.episode)?;
    let viewer = replay_file::viewer(&args.viewer, replay.players.len().max(1))?;
    let mut spectator = Spectator::new(args.level, viewer, &replay.players);
    let mut pages = Vec::new();
    let last = entry
        .replay(&replay, &mut |episode| {
            if !args.check {
                pages.extend(spectator.page(episode));
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
    let mut index = 0;
    while let Some(page) = pages.get(index) {
        terminal::print(page)?;
        index += 1;
        if args.step && index < pages.len() {
            match wait(true)? {
                Answer::Next => {}
                Answer::Back => index = index.saturating_sub(2),
                Answer::Quit => break,
            }
        }
    }
    if replay.result.is_none() && index == pages.len() {
        eprintln!("meeple: the episode was broken off here");
    }
    Ok(())
}
