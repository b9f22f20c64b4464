//! `meeple verify FILE`: a server's file, proved.

use anyhow::bail;
use meeple_server::prove_file;

use crate::args::VerifyArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::failure::usage;
use crate::terminal;
use crate::watch::Bar;

pub fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    let stop = stop_on_interrupt()?;
    let mut bar = Bar::new(args.quiet);
    let found = prove_file(&args.directory, &mut bar, &stop);
    bar.finish();
    // What is no file of a server is bad usage; what is wrong in one is told below.
    let found = found.map_err(|error| usage(error.to_string()))?;
    if args.json {
        terminal::print_json(&serde_json::to_value(&found)?)?;
    } else {
        let mut text = format!(
            "{} tables with {} entries, {} replays and {} episodes of {} competitions played again; {} members, {} logins and \
             {} runs read; {} of other rules or releases, without proof\n",
            found.tables,
            found.entries,
            found.replays,
            found.episodes,
            found.competitions,
            found.members,
            found.sessions,
            found.runs,
            found.unproved
        );
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
            "{}: {} problem{}, {} without proof",
            args.directory.display(),
            found.problem_count,
            if found.problem_count == 1 { "" } else { "s" },
            found.unproved
        );
    }
    Ok(())
}
