//! `meeple analyse`: an agent's review of a stored episode.

use anyhow::{Context, bail};
use meeple_core::{AgentSpec, Seat};
use meeple_lab::review::{Review, ReviewFiles, ReviewOptions, Reviewing, review_grids, review_words};
use meeple_lab::{Existing, LabError, table};

use crate::args::AnalyseArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::failure::usage;
use crate::replay_file;
use crate::settings::quoted;
use crate::terminal;
use crate::watch::Bar;

pub fn run(args: &AnalyseArgs) -> anyhow::Result<()> {
    let (replay, entry) = replay_file::read_episode(&args.file, args.episode)?;
    let shown = args.file.display();
    let seats = replay.players.len();
    if let Some(seat) = args.seat.map(usize::from).filter(|seat| *seat >= seats) {
        let last = seats.saturating_sub(1);
        return Err(usage(format!("--seat: expected a seat from 0 to {last}, found {seat}")));
    }
    if args.iterations == Some(0) {
        return Err(usage("--iterations: expected at least 1, found 0"));
    }
    let options = ReviewOptions {
        agent: AgentSpec::parse(&args.agent),
        iterations: args.iterations,
        seat: args.seat.map(|seat| Seat::new(seat.into())),
        seed: args.seed,
        threads: args.threads,
    };
    let reviewing = match Reviewing::new(entry, &replay, &options) {
        Err(error @ LabError::Replay(_)) => return Err(error).with_context(|| shown.to_string()),
        other => other?,
    };
    let existing = if args.force { Existing::Replace } else { Existing::Refuse };
    let open = |path| ReviewFiles::open(path, existing, entry.info().id, &args.agent);
    // Ctrl-C is handled before files exist that an interruption could leave behind.
    let stop = stop_on_interrupt()?;
    let files = args.out.as_deref().map(open).transpose()?;
    let mut bar = Bar::of("decisions", args.quiet);
    let review = reviewing.run(&mut bar, &stop)?;
    bar.finish();
    if args.json {
        terminal::print_json(&review)?;
    } else {
        terminal::print(&review_text(&review))?;
    }
    if let (Some(files), Some(path)) = (files, &args.out) {
        files.write(&review, &command(args))?;
        terminal::tell(format_args!("meeple: wrote {}", path.join("report.html").display()));
    }
    if !review.complete {
        let (done, all) = (review.decisions.len(), review.of.asked);
        bail!(
            "stopped after {done} of {all} decisions, which are listed above\nhint: analyse fewer decisions with --seat, or each in less time with --iterations"
        );
    }
    Ok(())
}

fn review_text(review: &Review) -> String {
    let width = terminal::width();
    let words = review_words(review);
    let words: Vec<String> =
        words.iter().map(|sentence| terminal::wrapped(sentence, terminal::text_width(), "")).collect();
    let words = words.join("\n");
    let tables = review_grids(review).into_iter().map(|grid| {
        let text = table::print(&grid, width);
        format!("\n{}\n{text}", grid.title)
    });
    terminal::harmless(&format!("{words}\n{}", tables.collect::<String>())) + "\n"
}

fn command(args: &AnalyseArgs) -> String {
    let mut words = vec!["analyse".to_owned(), args.file.display().to_string()];
    let mut with = |name: &str, value: String| words.extend([name.to_owned(), value]);
    args.episode.iter().for_each(|episode| with("--episode", episode.to_string()));
    with("--agent", args.agent.clone());
    args.iterations.iter().for_each(|iterations| with("--iterations", iterations.to_string()));
    args.seat.iter().for_each(|seat| with("--seat", seat.to_string()));
    with("--seed", args.seed.to_string());
    quoted(words)
}
