//! `meeple render`: pictures of stored episodes.

use anyhow::Context;
use meeple_replay::{Page, PageSurroundings, count_moments};
use meeple_scene::{SvgOptions, to_png};

use crate::args::RenderArgs;
use crate::failure::usage;
use crate::replay_file::{self, write_atomically};
use crate::terminal;

pub fn run(args: &RenderArgs) -> anyhow::Result<()> {
    let (replay, entry) = replay_file::read_episode(&args.file, args.episode)?;
    let viewer = replay_file::viewer(&args.viewer, replay.players.len().max(1))?;
    let kind = args.output.extension().map(|kind| kind.to_string_lossy().to_ascii_lowercase());
    let bytes = match kind.as_deref() {
        Some("html") => {
            let mut page = Page::new(viewer, &replay);
            let last = entry
                .replay(&replay, viewer, &mut |episode| page.add(episode))
                .with_context(|| args.file.display().to_string())?;
            page.to_html(&*last, &PageSurroundings::default()).into_bytes()
        }
        Some(kind @ ("svg" | "png")) => {
            let whole = || args.file.display().to_string();
            let at = moment(args.at, count_moments(entry, &replay, viewer).with_context(whole)?)?;
            let found = meeple_replay::moment(entry, &replay, viewer, at).with_context(whole)?;
            let scene = found.context("the replay has no such moment")?.scene;
            if kind == "svg" {
                scene.to_svg(&SvgOptions::default()).into_bytes()
            } else {
                to_png(&scene, args.width)?
            }
        }
        _ => {
            let shown = args.output.display();
            return Err(usage(format!("-o: expected a name ending in .svg, .png or .html, found '{shown}'")));
        }
    };
    write_atomically(&args.output, &bytes)?;
    terminal::tell(format_args!("meeple: wrote {}", args.output.display()));
    Ok(())
}

fn moment(at: i64, moments: usize) -> anyhow::Result<usize> {
    let last = moments as i64 - 1;
    let index = if at < 0 { last + 1 + at } else { at };
    if (0..=last).contains(&index) {
        Ok(index as usize)
    } else {
        Err(usage(format!("--at: expected a moment from 0 to {last} (or -1 to -{}), found {at}", last + 1)))
    }
}
