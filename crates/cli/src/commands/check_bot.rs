//! `meeple check-bot`: sends every message of the protocol to a bot and explains its errors.

use std::time::Duration;

use meeple_bothost::check::{CheckPart, CheckSetting, CheckVerdict, Finding, check};
use meeple_bothost::{BotSpec, Clock, Limits};
use meeple_core::AnyEntry;
use meeple_games::{adapters, find_game, games};
use serde_json::json;

use crate::args::CheckBotArgs;
use crate::failure::usage;
use crate::interrupt::Interrupt;
use crate::{sandbox, terminal};

/// Time from the start of the checks during which the machine's load is not held against the bot.
const MAX_CHECK_TIME: Duration = Duration::from_secs(300);

pub fn run(args: &CheckBotArgs) -> anyhow::Result<()> {
    let spec = BotSpec::parse(&args.bot, adapters())?;
    let mut entries: Vec<&dyn AnyEntry> = Vec::new();
    for text in &args.games {
        entries.push(find_game(text)?);
    }
    if entries.is_empty() {
        entries.extend(games());
    }
    let sandbox = sandbox::choose(args.sandbox.as_deref(), args.python.as_deref())?;
    let mut limits = Limits::default();
    limits
        .set("memory_mib", &args.memory.to_string())
        .map_err(|reason| usage(format!("--memory: {reason}")))?;
    args.limits.apply(&mut limits)?;
    let setting = CheckSetting {
        spec: &spec,
        sandbox: &sandbox,
        limits: &limits,
        games: &entries,
        clock: Clock::default(),
        parts: &CheckPart::ALL,
        patience: MAX_CHECK_TIME,
    };
    let interrupt = Interrupt::new("not everything was checked")?;
    let findings = interrupt.outlive(check(&setting));
    let count = |verdict| findings.iter().filter(|finding| finding.verdict == verdict).count();
    let (warnings, failures) = (count(CheckVerdict::Warning), count(CheckVerdict::Failed));
    if args.json {
        terminal::print_json(&json!({
            "format": 1, "bot": spec.to_string(), "sandbox": sandbox.level(), "findings": findings,
        }))?;
    } else {
        for finding in &findings {
            terminal::print(&terminal::harmless(&show(finding)))?;
        }
        terminal::print(&format!(
            "\n{} passed, {warnings} warning{}, {failures} failed; sandbox {}",
            count(CheckVerdict::Passed),
            if warnings == 1 { "" } else { "s" },
            sandbox.level()
        ))?;
    }
    if failures > 0 {
        anyhow::bail!("the bot failed {failures} of {} checks", findings.len());
    }
    Ok(())
}

fn show(finding: &Finding) -> String {
    let mark = match finding.verdict {
        CheckVerdict::Passed => "ok  ",
        CheckVerdict::Warning => "WARN",
        CheckVerdict::Failed => "FAIL",
    };
    if finding.detail.is_empty() {
        format!("{mark} {}", finding.check)
    } else {
        format!("{mark} {}: {}", finding.check, finding.detail.replace('\n', "\n       "))
    }
}
