//! `meeple doctor`: capabilities of this machine.

use std::io::IsTerminal;

use meeple_bothost::{Sandbox, SandboxLevel};
use meeple_scene::ColorMode;
use serde_json::json;

use crate::args::DoctorArgs;
use crate::{sandbox, terminal};

pub fn run(args: &DoctorArgs) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let colors = match terminal::colors() {
        ColorMode::None => "none",
        ColorMode::Ansi256 => "256",
        ColorMode::TrueColor => "24 bit",
    };
    let is_terminal = std::io::stdout().is_terminal();
    let levels = Sandbox::probe(&sandbox::launcher()?);
    if args.json {
        return terminal::print_json(&json!({
            "format": 1, "version": env!("CARGO_PKG_VERSION"), "cores": cores, "terminal": is_terminal,
            "colors": colors, "width": terminal::width(), "fonts": "built in",
            "sandbox": levels,
        }));
    }
    let columns = ["what", "here"].map(str::to_owned);
    let width = terminal::width().map_or("unknown".to_owned(), |width| format!("{width} columns"));
    let rows = [
        ("version", env!("CARGO_PKG_VERSION").to_owned()),
        ("cores", format!("{cores} (simulations use all; --threads limits them)")),
        (
            "terminal",
            if is_terminal { format!("yes, {width}") } else { "no: output goes to a file or pipe".into() },
        ),
        ("colours", format!("{colors} (NO_COLOR turns them off)")),
        ("fonts for PNG", "built in: none are needed on the machine".to_owned()),
    ];
    let mut rows: Vec<Vec<String>> =
        rows.into_iter().map(|(what, here)| vec![what.to_owned(), here]).collect();
    let best = levels.iter().find(|probe| probe.available).map(|probe| probe.level);
    for probe in levels.iter().filter(|probe| probe.level != SandboxLevel::None) {
        let chosen = if Some(probe.level) == best { " (the one bots get)" } else { "" };
        let here = if probe.available { "yes" } else { "no" };
        rows.push(vec![format!("sandbox {}", probe.level), format!("{here}{chosen}: {}", probe.why)]);
    }
    terminal::print(&terminal::table(&columns, &rows))?;
    if let Some(warning) = best.and_then(SandboxLevel::warning) {
        terminal::tell(format_args!("warning: {warning}"));
    }
    Ok(())
}
