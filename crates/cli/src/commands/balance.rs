//! `meeple balance`: statistics of a game over a set of strategies.

use std::path::Path;

use anyhow::bail;
use meeple_balance::{
    Answers, Balance, BalanceFiles, BalanceOptions, BalanceReport, BalanceSummary, Detail, PayoffFile, Rules,
    Sentence, SettingCallback, TrialPlan, grids, grids_of_effects, grids_of_values, plots, plots_of_effects,
    plots_of_values, sentences, sentences_of_effects, sentences_of_values, try_once, try_parameters,
    try_values,
};
use meeple_games::parse_game;
use meeple_lab::plots::Plot;
use meeple_lab::{Existing, Grid, LabError, StopFlag, table};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::BalanceArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::settings::{quoted, refuse_all_but_agents, settings};
use crate::terminal;
use crate::watch::Bar;

const STOPPED: &str = "stopped before all tables were played, so there are no answers\nhint: fewer \
                       episodes with -n, fewer strategies, or a sweep of fewer values";

pub fn run(args: &BalanceArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    refuse_all_but_agents("balance", &args.game, &args.strategies)?;
    let set = settings(&args.variant)?;
    let options = BalanceOptions {
        seats: args.seats,
        episodes: args.episodes,
        seed: args.seed,
        pay_off: args.pay_off,
        threads: args.threads,
    };
    let rules = Rules { entry: name.entry, preset: name.preset, set: &set };
    let asking = Asking { args, stop: stop_on_interrupt()? };
    let detail = if args.full { Detail::Full } else { Detail::Short };
    if let Some(range) = &args.sweep {
        let plan = TrialPlan::of_values(rules, range, &args.strategies, &options)?;
        let mut files = asking.files(plan.first(), &json!({ "sweep": range }))?;
        let Some(trials) = asking.play(&mut files, |bar, keep| try_values(&plan, bar, &asking.stop, keep))?
        else {
            bail!(STOPPED)
        };
        let findings = Findings {
            answers: &trials.trials[0].answers,
            sentences: sentences_of_values(&trials),
            short: grids_of_values(&trials),
            full: grids_of_values(&trials),
        };
        return asking.tell(files, &trials, findings, || plots_of_values(&trials));
    }
    if args.parameters {
        let plan = TrialPlan::of_parameters(rules, &args.strategies, &options)?;
        let mut files = asking.files(plan.first(), &json!("parameters"))?;
        let Some(effects) =
            asking.play(&mut files, |bar, keep| try_parameters(&plan, bar, &asking.stop, keep))?
        else {
            bail!(STOPPED)
        };
        let findings = Findings {
            answers: &effects.base,
            sentences: sentences_of_effects(&effects),
            short: grids_of_effects(&effects, detail),
            full: grids_of_effects(&effects, Detail::Full),
        };
        return asking.tell(files, &effects, findings, || plots_of_effects(&effects));
    }
    let balance = Balance::new(name.entry, name.preset, &set, &args.strategies, &options)?;
    let mut files = asking.files(&balance, &Value::Null)?;
    let Some(answers) = asking.play(&mut files, |bar, keep| try_once(&balance, bar, &asking.stop, keep))?
    else {
        bail!(STOPPED)
    };
    let findings = Findings {
        answers: &answers,
        sentences: sentences(&answers),
        short: grids(&answers, detail),
        full: grids(&answers, Detail::Full),
    };
    asking.tell(files, &answers, findings, || plots(&answers))
}

struct Findings<'a> {
    /// Answers for the only setting, or for the first of several.
    answers: &'a Answers,
    sentences: Vec<Sentence>,
    short: Vec<Grid>,
    full: Vec<Grid>,
}

struct Place<'a> {
    path: &'a Path,
    files: BalanceFiles,
    pay_offs: PayoffFile,
}

struct Asking<'a> {
    args: &'a BalanceArgs,
    stop: StopFlag,
}

impl Asking<'_> {
    /// Opens the requested directory before anything is played.
    fn files(&self, balance: &Balance, asked: &Value) -> anyhow::Result<Option<Place<'_>>> {
        let existing = if self.args.force { Existing::Replace } else { Existing::Refuse };
        let Some(path) = &self.args.out else { return Ok(None) };
        let mut files = BalanceFiles::open(path, existing, balance, asked)?;
        let pay_offs = files.pay_offs()?;
        Ok(Some(Place { path, files, pay_offs }))
    }

    /// Plays with a progress bar. Stores the pay-offs if there is a directory for results.
    fn play<T>(
        &self,
        place: &mut Option<Place<'_>>,
        play: impl FnOnce(&mut Bar, SettingCallback<'_>) -> Result<T, LabError>,
    ) -> anyhow::Result<T> {
        let mut bar = Bar::new(self.args.quiet);
        let played = play(&mut bar, &mut |setting, balance, played| match place {
            Some(place) => place.pay_offs.add(setting, balance, played),
            None => Ok(()),
        });
        bar.finish();
        Ok(played?)
    }

    fn tell(
        &self,
        place: Option<Place<'_>>,
        answers: &impl Serialize,
        findings: Findings<'_>,
        plots: impl FnOnce() -> Result<Vec<Plot>, LabError>,
    ) -> anyhow::Result<()> {
        let summary = BalanceSummary { answers, sentences: &findings.sentences };
        self.print(&summary, &findings)?;
        let Some(Place { path, files, pay_offs }) = place else { return Ok(()) };
        let Findings { answers, sentences, full, .. } = &findings;
        pay_offs.finish()?;
        let (command, plots) = (self.command(), plots()?);
        let grids = full.clone();
        files
            .write(&summary, BalanceReport { answers, sentences, grids, plots: &plots, command: &command })?;
        terminal::tell(format_args!("meeple: wrote {}", path.join("report.html").display()));
        Ok(())
    }

    fn print(
        &self,
        summary: &BalanceSummary<'_, impl Serialize>,
        findings: &Findings<'_>,
    ) -> anyhow::Result<()> {
        if self.args.json {
            return terminal::print_json(summary);
        }
        let width = terminal::text_width();
        let mut text = String::new();
        for Sentence { question, answer } in &findings.sentences {
            text.push_str(&format!("{question}\n{}\n", terminal::wrapped(answer, width, "    ")));
        }
        for grid in &findings.short {
            let title = terminal::wrapped(&grid.title, width, "");
            let bare = Grid { note: String::new(), ..grid.clone() };
            text.push_str(&format!("\n{title}\n{}", table::print(&bare, terminal::width())));
            if !grid.note.is_empty() {
                text.push_str(&format!("{}\n", terminal::wrapped(&grid.note, width, "")));
            }
        }
        terminal::print(&text)
    }

    fn command(&self) -> String {
        let args = self.args;
        let mut words = vec!["balance".to_owned(), args.game.clone()];
        words.extend_from_slice(&args.strategies);
        let mut with = |name: &str, value: String| words.extend([name.to_owned(), value]);
        args.variant.set.iter().for_each(|setting| with("--set", setting.clone()));
        args.variant.profile.iter().for_each(|profile| with("--profile", profile.clone()));
        args.sweep.iter().for_each(|range| with("--sweep", range.clone()));
        with("--seats", args.seats.to_string());
        if let Ok(Value::String(word)) = serde_json::to_value(args.pay_off) {
            with("--pay-off", word);
        }
        with("--seed", args.seed.to_string());
        with("-n", args.episodes.to_string());
        if args.parameters {
            words.push("--parameters".to_owned());
        }
        quoted(words)
    }
}
