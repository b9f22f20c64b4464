//! `meeple balance`: what many strategies say of a game.

use std::path::Path;

use anyhow::bail;
use meeple_balance::{
    Answers, Balance, Detail, Files, Options, Plan, Report, Rules, Sentence, grids, grids_of_effects,
    grids_of_values, plots, plots_of_effects, plots_of_values, sentences, sentences_of_effects,
    sentences_of_values, try_once, try_parameters, try_values,
};
use meeple_games::parse_game;
use meeple_lab::plots::Plot;
use meeple_lab::{Existing, Grid, StopFlag, table, texts};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::BalanceArgs;
use crate::commands::sim::stop_on_interrupt;
use crate::settings::{quoted, refuse_all_but_agents, settings};
use crate::terminal;
use crate::watch::Bar;

const STOPPED: &str = "stopped: nothing can be said while tables are missing\nhint: fewer episodes with -n, fewer strategies, or a sweep of fewer values";

pub fn run(args: &BalanceArgs) -> anyhow::Result<()> {
    let name = parse_game(&args.game)?;
    refuse_all_but_agents("balance", &args.game, &args.strategies)?;
    let set = settings(&args.variant)?;
    let options = Options {
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
        let plan = Plan::of_values(rules, range, &args.strategies, &options)?;
        let files = asking.files(plan.first(), &json!({ "sweep": range }))?;
        let mut bar = Bar::new(args.quiet);
        let Some(trials) = try_values(&plan, &mut bar, &asking.stop)? else { bail!(STOPPED) };
        bar.finish();
        let sentences = sentences_of_values(&trials);
        let plots = plots_of_values(&trials)?;
        let grids = grids_of_values(&trials);
        asking.tell(&trials, &sentences, &grids)?;
        let first = &trials.trials[0].answers;
        return asking.write(files, &trials, None, first, grids, &plots, &sentences);
    }
    if args.parameters {
        let plan = Plan::of_parameters(rules, &args.strategies, &options)?;
        let files = asking.files(plan.first(), &json!("parameters"))?;
        let mut bar = Bar::new(args.quiet);
        let Some(effects) = try_parameters(&plan, &mut bar, &asking.stop)? else { bail!(STOPPED) };
        bar.finish();
        let sentences = sentences_of_effects(&effects);
        let plots = plots_of_effects(&effects)?;
        asking.tell(&effects, &sentences, &grids_of_effects(&effects, detail))?;
        let grids = grids_of_effects(&effects, Detail::Full);
        return asking.write(files, &effects, None, &effects.base, grids, &plots, &sentences);
    }
    let balance = Balance::new(name.entry, name.preset, &set, &args.strategies, &options)?;
    let files = asking.files(&balance, &Value::Null)?;
    let mut bar = Bar::new(args.quiet);
    let Some((played, answers)) = try_once(&balance, &mut bar, &asking.stop)? else { bail!(STOPPED) };
    bar.finish();
    let sentences = sentences(&answers);
    asking.tell(&answers, &sentences, &grids(&answers, detail))?;
    let all = grids(&answers, Detail::Full);
    asking.write(files, &answers, Some((&balance, &played)), &answers, all, &plots(&answers)?, &sentences)
}

struct Asking<'a> {
    args: &'a BalanceArgs,
    stop: StopFlag,
}

impl Asking<'_> {
    /// The directory, if one is asked for; before anything is played.
    fn files(&self, balance: &Balance, asked: &Value) -> anyhow::Result<Option<(&Path, Files)>> {
        let existing = if self.args.force { Existing::Replace } else { Existing::Refuse };
        let Some(path) = &self.args.out else { return Ok(None) };
        Ok(Some((path, Files::open(path, existing, balance, asked)?)))
    }

    /// Prints the answers.
    fn tell(&self, answers: &impl Serialize, sentences: &[Sentence], grids: &[Grid]) -> anyhow::Result<()> {
        if self.args.json {
            return terminal::print_json(answers);
        }
        let width = terminal::text_width();
        let mut text = String::new();
        for Sentence { question, answer } in sentences {
            text.push_str(&format!("{question}\n{}\n", terminal::wrapped(answer, width, "    ")));
        }
        for grid in grids {
            text.push_str(&format!("\n{}\n{}", grid.title, table::print(grid, terminal::width())));
        }
        terminal::print(&text)
    }

    /// Writes what was asked for into files.
    #[expect(clippy::too_many_arguments, reason = "each is a part of what is written, once")]
    fn write(
        &self,
        files: Option<(&Path, Files)>,
        summary: &impl Serialize,
        played: Option<(&Balance, &meeple_balance::Played)>,
        answers: &Answers,
        mut grids: Vec<Grid>,
        plots: &[Plot],
        sentences: &[Sentence],
    ) -> anyhow::Result<()> {
        let Some((path, files)) = files else { return Ok(()) };
        let rows =
            sentences.iter().map(|sentence| vec![sentence.question.to_owned(), sentence.answer.clone()]);
        grids.insert(0, Grid::new("In words", texts(["question", "answer"]), rows, 2));
        let command = self.command();
        files.write(summary, played, Report { answers, grids, plots, command: &command })?;
        terminal::tell(format_args!("meeple: wrote {}", path.join("report.html").display()));
        Ok(())
    }

    /// The command that gives these answers.
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
