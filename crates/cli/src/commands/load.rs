//! `meeple load`: load test of a server with many tables.

use std::time::Duration;

use anyhow::bail;
use meeple_games::{games, parse_game};
use meeple_load::{
    Beside, Breaks, Latencies, LoadPlan, LoadReport, LoadTarget, Percentiles, Reach, ServerCommand,
    StopSignal, run as play,
};

use crate::args::LoadArgs;
use crate::failure::usage;
use crate::{sandbox, terminal};

/// Bytes per megabyte (decimal).
const MB: f64 = 1e6;

pub fn run(args: &LoadArgs) -> anyhow::Result<()> {
    let found = match &args.game {
        Some(text) => parse_game(text)?,
        None => meeple_games::GameName { entry: games()[0], preset: None },
    };
    let info = found.entry.info();
    let preset = info.preset_or_first(found.preset);
    // An unknown preset is refused before a server is started.
    found.entry.variant(Some(preset), &[])?;
    let plan = LoadPlan {
        game: format!("{}/{preset}", info.id),
        tables: args.tables as usize,
        people: args.people as usize,
        agents: args.agents.clone(),
        watchers: args.watchers as usize,
        tabs: args.tabs,
        every: args.every,
        time: Duration::from_secs(u64::from(args.seconds)),
        answers: args.answers,
        idle: args.idle as usize,
        seed: args.seed,
        kills: args.kill,
        breaks: Breaks::Unexpected,
        beside: args.beside.as_deref().map(beside).transpose()?,
    };
    let seats = plan.people + plan.agents.len();
    if !info.seats.contains(&seats) {
        let (least, most) = (info.seats.start(), info.seats.end());
        return Err(usage(format!(
            "{}: expected {least} to {most} seats, found {seats}\nhint: --people and --agent say who plays",
            info.id
        )));
    }
    let target = match &args.address {
        Some(address) if args.anywhere => {
            terminal::warn(
                "other users of this server have to wait meanwhile, and the tables stay in its file",
            );
            LoadTarget::Running { address: address.clone(), reach: Reach::Anywhere }
        }
        Some(address) => LoadTarget::Running { address: address.clone(), reach: Reach::Loopback },
        None => {
            let program = sandbox::launcher()?.program;
            LoadTarget::Own(ServerCommand {
                program,
                words: ["serve", "--exempt", "127.0.0.0/8"].map(str::to_owned).into(),
            })
        }
    };
    let stop = StopSignal::default();
    let stopper = stop.clone();
    ctrlc::set_handler(move || stopper.stop())?;
    let report = play(&plan, target, &stop)?;
    if args.json {
        terminal::print_json(&report)?;
    } else {
        print(&report)?;
    }
    if !report.is_well() {
        let first = report.first_errors.first().map_or("no answer was acknowledged", String::as_str);
        let count: u64 = report.errors.values().sum();
        bail!(
            "{count} errors, {} answers lost, {} doubled: {first}",
            report.counts.lost,
            report.counts.doubled
        );
    }
    Ok(())
}

fn beside(text: &str) -> anyhow::Result<Beside> {
    let mut words = text.split_whitespace().map(str::to_owned);
    let game = words.next().unwrap_or_default();
    parse_game(&game)?;
    let line_up: Vec<String> = words.collect();
    if line_up.is_empty() {
        return Err(usage(format!(
            "--beside: expected a game and its agents, found '{text}'\nhint: as --beside 'GAME AGENT*4'"
        )));
    }
    Ok(Beside { game, line_up })
}

fn print(report: &LoadReport) -> anyhow::Result<()> {
    let setting = &report.setting;
    let agents = setting.agents.iter().map(|agent| format!(" {agent}")).collect::<String>();
    terminal::print(&format!(
        "{}: {} tables with {} people{agents} and {} watchers each, an answer every {} s, {:.1} s\n",
        setting.game, setting.tables, setting.people, setting.watchers, setting.every, report.seconds
    ))?;
    let counts = &report.counts;
    let rows: Vec<Vec<String>> = times(&report.times)
        .into_iter()
        .chain([
            row("restart to the first frame, ms", &report.restart_ms, 0),
            row("first frame, bytes", &report.sizes.first_frame_bytes, 0),
            row("frame, bytes", &report.sizes.frame_bytes, 0),
            row("patch, bytes", &report.sizes.patch_bytes, 0),
            row("frame of a page, bytes", &report.sizes.tab_frame_bytes, 0),
            row("patch of a page with a question, bytes", &report.sizes.tab_question_bytes, 0),
            row("any other patch of a page, bytes", &report.sizes.tab_patch_bytes, 0),
        ])
        .flatten()
        .collect();
    print_rows(&rows)?;
    terminal::print(&format!(
        "\n{} answers, {} acknowledged ({} when sent again), {} lost, {} doubled; {} games over, {} answers proved by replays",
        counts.acts,
        counts.acknowledged,
        counts.repeated,
        counts.lost,
        counts.doubled,
        counts.finished,
        counts.proved
    ))?;
    if let Some(beside) = &report.beside {
        terminal::print(&format!(
            "\nbeside {} ({} episodes in {:.1} s):",
            beside.run, beside.episodes, beside.seconds
        ))?;
        print_rows(&times(&beside.times).into_iter().flatten().collect::<Vec<_>>())?;
        if let (Some(alone), Some(both)) = (&report.times.act_to_all_ms, &beside.times.act_to_all_ms) {
            let ratio = both.p99 / alone.p99;
            terminal::print(&format!("\np99 of answers to all viewers: {ratio:.2} times what it is alone"))?;
        }
        if let Some(cores) = beside.cores {
            terminal::print(&format!("the server meanwhile: {cores:.2} cores"))?;
        }
    }
    if let Some(server) = &report.server {
        let mut parts = Vec::new();
        parts.extend(server.cores.map(|cores| format!("{cores:.2} cores")));
        parts.extend(server.memory_bytes.map(|bytes| format!("{:.0} MB", bytes as f64 / MB)));
        parts.extend(server.memory_peak_bytes.map(|bytes| format!("{:.0} MB at most", bytes as f64 / MB)));
        parts.extend(server.idle_socket_bytes.map(|bytes| format!("{:.1} kB an idle socket", bytes / 1e3)));
        parts.extend((server.kills > 0).then(|| format!("killed {} times", server.kills)));
        if !parts.is_empty() {
            terminal::print(&format!("the server: {}", parts.join(", ")))?;
        }
    }
    for (kind, count) in &report.errors {
        terminal::print(&format!("{kind}: {count} errors"))?;
    }
    Ok(())
}

type Row = Option<Vec<String>>;

fn row(what: &str, found: &Option<Percentiles>, digits: usize) -> Row {
    let Percentiles { count, p50, p95, p99, max } = (*found)?;
    let numbers = [p50, p95, p99, max].map(|value| format!("{value:.digits$}"));
    Some([what.to_owned(), count.to_string()].into_iter().chain(numbers).collect())
}

fn times(times: &Latencies<Option<Percentiles>>) -> [Row; 4] {
    [
        row("answer to acknowledgement, ms", &times.act_to_ack_ms, 2),
        row("answer to any viewer, ms", &times.act_to_seen_ms, 2),
        row("answer to all viewers, ms", &times.act_to_all_ms, 2),
        row("answer to the next question, ms", &times.act_to_asked_ms, 2),
    ]
}

fn print_rows(rows: &[Vec<String>]) -> anyhow::Result<()> {
    let columns = ["what", "count", "p50", "p95", "p99", "most"].map(str::to_owned);
    if rows.is_empty() { Ok(()) } else { terminal::print(&terminal::table(&columns, rows)) }
}
