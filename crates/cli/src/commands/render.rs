//! `meeple render`: pictures of stored episodes.

use std::collections::HashMap;

use anyhow::Context;
use meeple_core::{AnyEpisode, Replay, Viewer};
use meeple_scene::{Scene, SvgOptions, to_png};
use serde_json::{Value, json};
// Differences of one drawing to the next: Myers' algorithm, and no dependencies of its own.
use similar::algorithms::{Capture, Replace, myers};
use similar::{DiffOp, DiffTag};

use crate::args::RenderArgs;
use crate::failure::usage;
use crate::replay_file::{self, write_atomically};
use crate::spectate::{Moments, may_hear};

pub fn run(args: &RenderArgs) -> anyhow::Result<()> {
    let (replay, entry) = replay_file::read_episode(&args.file, args.episode)?;
    let viewer = replay_file::viewer(&args.viewer, replay.players.len().max(1))?;
    let kind = args.output.extension().map(|kind| kind.to_string_lossy().to_ascii_lowercase());
    let bytes = match kind.as_deref() {
        Some("html") => {
            let mut pages = Pages::new(viewer);
            entry
                .replay(&replay, viewer, &mut |episode| pages.add(episode, &replay))
                .with_context(|| args.file.display().to_string())?;
            pages.to_html(entry.info().name, &replay).into_bytes()
        }
        Some(kind @ ("svg" | "png")) => {
            let mut moments = 0;
            entry
                .replay(&replay, viewer, &mut |_| moments += 1)
                .with_context(|| args.file.display().to_string())?;
            let at = moment(args.at, moments)?;
            let mut scene: Option<Scene> = None;
            let mut index = 0;
            entry
                .replay(&replay, viewer, &mut |episode| {
                    if index == at {
                        scene = Some(episode.draw(viewer, &replay.players));
                    }
                    index += 1;
                })
                .with_context(|| args.file.display().to_string())?;
            let scene = scene.context("the replay has no such moment")?;
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
    eprintln!("meeple: wrote {}", args.output.display());
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

/// Every so many moments are kept whole, so that a page can go to any moment at once.
const WHOLE_EVERY: usize = 100;

/// The moments of an episode. Their drawings are mostly the same: each line of SVG is kept once, and most
/// moments are kept as changes to the one before.
struct Pages {
    viewer: Viewer,
    worth: Moments,
    lines: Vec<String>,
    number_of: HashMap<String, usize>,
    moments: Vec<Value>,
    /// The lines of the last moment, by number.
    svg: Vec<usize>,
    steps: usize,
    log: Vec<String>,
}

impl Pages {
    fn new(viewer: Viewer) -> Self {
        Self {
            viewer,
            worth: Moments::new(viewer),
            lines: Vec::new(),
            number_of: HashMap::new(),
            moments: Vec::new(),
            svg: Vec::new(),
            steps: 0,
            log: Vec::new(),
        }
    }

    fn add(&mut self, episode: &dyn AnyEpisode, replay: &Replay) {
        for index in self.steps..episode.steps() {
            if let Some((seat, action)) = episode.step_text(index).split_once(' ')
                && let Ok(seat) = seat.parse::<usize>()
                && may_hear(episode, self.viewer, seat)
            {
                let player = replay.players.get(seat).map_or("", String::as_str);
                self.log.push(format!("seat {seat} {player}: {action}"));
            }
        }
        self.steps = episode.steps();
        let (events, shown) = self.worth.news(episode);
        self.log.extend(events);
        if !shown {
            return;
        }
        let options = SvgOptions { interactive: false, ..SvgOptions::default() };
        let svg = episode.draw(self.viewer, &replay.players).to_svg(&options);
        let svg: Vec<usize> = svg.lines().map(|line| self.line(line)).collect();
        // Nothing to see and nothing to hear: that there was a moment is not for this viewer to know.
        if svg == self.svg && self.log.is_empty() {
            return;
        }
        let log = std::mem::take(&mut self.log);
        self.moments.push(match self.moments.len() % WHOLE_EVERY {
            0 => json!({ "svg": svg, "log": log }),
            _ => json!({ "changes": changes(&self.svg, &svg), "log": log }),
        });
        self.svg = svg;
    }

    fn line(&mut self, line: &str) -> usize {
        if let Some(number) = self.number_of.get(line) {
            return *number;
        }
        let number = self.lines.len();
        self.lines.push(line.to_owned());
        self.number_of.insert(line.to_owned(), number);
        number
    }

    fn to_html(&self, game: &str, replay: &Replay) -> String {
        // `<` is escaped so that no text can end the script element.
        let data =
            json!({ "lines": self.lines, "moments": self.moments }).to_string().replace('<', "\\u003c");
        let escape = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let title = format!("{}: {}", escape(game), escape(&replay.players.join(", ")));
        include_str!("replay.html").replace("{{title}}", &title).replace("{{data}}", &data)
    }
}

/// What makes the old list the new one: [from, how many go, what comes in their place], the last change first, so
/// that every `from` counts in the old list.
fn changes(old: &[usize], new: &[usize]) -> Vec<Value> {
    let change = |op: &DiffOp| match op.as_tag_tuple() {
        (DiffTag::Equal, ..) => None,
        (_, old, here) => Some(json!([old.start, old.len(), new[here]])),
    };
    let mut found = Replace::new(Capture::new());
    let Ok(()) = myers::diff(&mut found, old, 0..old.len(), new, 0..new.len());
    found.into_inner().ops().iter().rev().filter_map(change).collect()
}
