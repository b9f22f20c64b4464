//! The same strategies under other rules: several values of a parameter, or every parameter lower and higher.

use meeple_core::{AnyEntry, Domain, ParamSpec};
use meeple_lab::{LabError, Mismatch, Progress, StopFlag, Sweep};
use serde::Serialize;
use serde_json::Value;

use crate::answers::{Answers, Brief, Estimate, answer_briefly, paired, paired_shares};
use crate::plan::{Balance, BalanceOptions};
use crate::play::{PlayedTables, play};

#[derive(Clone, Copy)]
pub struct Rules<'a> {
    pub entry: &'a dyn AnyEntry,
    pub preset: Option<&'a str>,
    pub set: &'a [(String, String)],
}

impl Rules<'_> {
    fn balance(
        &self,
        change: Option<&Change>,
        words: &[String],
        options: &BalanceOptions,
    ) -> Result<Balance, LabError> {
        let changed = change.map(|change| (change.parameter.clone(), change.value.clone()));
        let kept = self.set.iter().filter(|(key, _)| change.is_none_or(|change| *key != change.parameter));
        let set: Vec<(String, String)> = kept.cloned().chain(changed).collect();
        Balance::new(self.entry, self.preset, &set, words, options)
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Trial {
    pub value: String,
    /// Gain of the best seat above the worst, at all tables; noise alone makes it positive.
    pub unfairness: Estimate,
    pub answers: Answers,
}

#[derive(Clone, Debug, Serialize)]
pub struct Trials {
    pub format: u32,
    pub parameter: String,
    /// Trials in the order of the given values.
    pub trials: Vec<Trial>,
    /// Agents that cannot play at every value; empty if strategies were named.
    pub left_out: Vec<SkippedSetting>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Change {
    parameter: String,
    value: String,
}

impl Change {
    fn new(parameter: &str, value: &str) -> Self {
        Self { parameter: parameter.to_owned(), value: value.to_owned() }
    }
}

/// Several balances, all set up before the first is played.
pub struct TrialPlan {
    /// The change of the rules in each balance; `None` for the rules as they are.
    tried: Vec<Option<Change>>,
    balances: Vec<Balance>,
    left_out: Vec<SkippedSetting>,
}

#[derive(Clone, Debug, Serialize)]
pub struct SkippedSetting {
    pub parameter: String,
    pub value: Option<String>,
    pub reason: String,
}

impl TrialPlan {
    /// Several values of one parameter, given as `KEY=RANGE`.
    ///
    /// # Errors
    /// If there is no such parameter or range, or the strategies cannot play at one of the values.
    pub fn of_values(
        rules: Rules<'_>,
        range: &str,
        words: &[String],
        options: &BalanceOptions,
    ) -> Result<Self, LabError> {
        let wrong = |found: &str, hint: &str| {
            Err(LabError::Sweep(Mismatch::new("KEY=RANGE", format!("'{found}'"), hint)))
        };
        let Some((key, values)) = range.split_once('=') else {
            return wrong(range, "as in --sweep KEY=1..5 or --sweep KEY=50|200");
        };
        if !rules.entry.params().iter().any(|param| param.name == key) {
            let names: Vec<String> = rules.entry.params().iter().map(|param| param.name.to_owned()).collect();
            return wrong(range, &format!("parameters of the rules are {}", names.join(", ")));
        }
        if !values.contains("..") && !values.contains('|') {
            return wrong(range, "for one value there is --set; a range is KEY=1..5 or KEY=50|200");
        }
        let kept = rules.set.iter().filter(|(own, _)| own != key).cloned();
        let set: Vec<(String, String)> = kept.chain([(key.to_owned(), values.to_owned())]).collect();
        let table = [format!("random*{}", options.seats)];
        let sweep = Sweep::new(rules.entry, rules.preset, &set, &table)?;
        let values = &sweep.axes()[0].values;
        let tried: Vec<_> = values.iter().map(|value| Some(Change::new(key, value))).collect();
        let balance =
            |value: &String, words: &[String]| rules.balance(Some(&Change::new(key, value)), words, options);
        let play = |words: &[String]| -> Result<Vec<Balance>, LabError> {
            values.iter().map(|value| balance(value, words)).collect()
        };
        let mut balances = play(words)?;
        let mut left_out = Vec::new();
        // All values compare the same strategies: those of the game that can play at each of them.
        let fewest = balances.iter().min_by_key(|balance| balance.strategies.len());
        let common: Vec<String> = fewest.map(Balance::names).unwrap_or_default();
        let plays = |name: &String| balances.iter().all(|balance| balance.names().contains(name));
        let common: Vec<String> = common.into_iter().filter(plays).collect();
        if balances.iter().any(|balance| balance.strategies.len() > common.len()) {
            for (value, balance) in values.iter().zip(&balances) {
                for name in balance.names().into_iter().filter(|name| !common.contains(name)) {
                    let reason = format!("`{name}` cannot play at every value");
                    left_out.push(SkippedSetting {
                        parameter: key.to_owned(),
                        value: Some(value.clone()),
                        reason,
                    });
                }
            }
            left_out.dedup_by(|later, first| later.reason == first.reason);
            if common.is_empty() {
                let hint = "name the strategies; `meeple agents GAME` lists them";
                return Err(LabError::Sweep(Mismatch::new(
                    "an agent of the game that can play at every value",
                    "none",
                    hint,
                )));
            }
            balances = play(&common)?;
        }
        Ok(Self { tried, balances, left_out })
    }

    /// The rules as they are, then every parameter lower and higher, or with other choices.
    ///
    /// # Errors
    /// If the strategies cannot play by the rules as they are.
    pub fn of_parameters(
        rules: Rules<'_>,
        words: &[String],
        options: &BalanceOptions,
    ) -> Result<Self, LabError> {
        let base = rules.balance(None, words, options)?;
        let variant = base.game.variant();
        let count = base.strategies.len();
        let mut plan = Self { tried: vec![None], balances: vec![base], left_out: Vec::new() };
        for param in rules.entry.params() {
            let now = &variant[param.name];
            let others = others(&param, now);
            let leave = |value: Option<String>, reason: String| SkippedSetting {
                parameter: param.name.to_owned(),
                value,
                reason,
            };
            if others.is_empty() {
                plan.left_out.push(leave(
                    None,
                    format!("no lower or higher value than {now}: it is {}", param.domain),
                ));
            }
            for value in others {
                let change = Change::new(param.name, &value);
                match rules.balance(Some(&change), words, options) {
                    Ok(balance) if balance.strategies.len() == count => {
                        plan.tried.push(Some(change));
                        plan.balances.push(balance);
                    }
                    Ok(_) => {
                        plan.left_out.push(leave(Some(value), "not all strategies can play there".into()))
                    }
                    Err(error) => plan.left_out.push(leave(Some(value), first_line(&error))),
                }
            }
        }
        Ok(plan)
    }

    pub fn first(&self) -> &Balance {
        &self.balances[0]
    }

    pub fn episodes(&self) -> u64 {
        self.balances.iter().map(Balance::episodes).sum()
    }

    /// Plays all balances in order; returns false if stopped.
    ///
    /// # Errors
    /// If an agent panics.
    fn play(
        &self,
        progress: &mut dyn Progress,
        stop: &StopFlag,
        keep: SettingCallback<'_>,
        each: &mut dyn FnMut(Answered<'_>),
    ) -> Result<bool, LabError> {
        let total = self.episodes();
        let mut before = 0;
        for (tried, balance) in self.tried.iter().zip(&self.balances) {
            let label = tried
                .as_ref()
                .map_or_else(String::new, |Change { parameter, value }| format!("{parameter}={value}"));
            let mut part = Part { progress, before, total, label: &label };
            let Some(played) = play(balance, &mut part, stop)? else { return Ok(false) };
            keep(&label, balance, &played)?;
            let (answers, briefs) = answer_briefly(balance, &played)?;
            each(Answered { tried: tried.as_ref(), answers, briefs });
            before += balance.episodes();
            balance.game.release();
        }
        Ok(true)
    }
}

/// Callback for every played setting (`KEY=VALUE`, empty for the rules as they are).
pub type SettingCallback<'a> = &'a mut dyn FnMut(&str, &Balance, &PlayedTables) -> Result<(), LabError>;

struct Answered<'a> {
    /// The change of the rules; `None` for the rules as they are.
    tried: Option<&'a Change>,
    answers: Answers,
    briefs: Vec<Brief>,
}

/// The progress of one balance, as a part of the whole.
struct Part<'a> {
    progress: &'a mut dyn Progress,
    before: u64,
    total: u64,
    label: &'a str,
}

impl Progress for Part<'_> {
    fn update(&mut self, done: u64, _: u64, _: &str) {
        self.progress.update(self.before + done, self.total, self.label);
    }
}

fn first_line(error: &LabError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// Other values of a parameter. Numbers (of a list, all items) are about a half lower and higher; a choice
/// has at most [`MAX_OTHERS`] other words.
fn others(param: &ParamSpec, now: &Value) -> Vec<String> {
    match &param.domain {
        Domain::Int { min, max } => {
            let Some(now) = now.as_i64() else { return Vec::new() };
            let step = (now.abs() / 2).max(1);
            let values = [now.saturating_sub(step).max(*min), now.saturating_add(step).min(*max)];
            values.iter().filter(|value| **value != now).map(i64::to_string).collect()
        }
        Domain::Real { min, max } => {
            let Some(now) = now.as_f64() else { return Vec::new() };
            let step = if now == 0.0 { 0.1 } else { now.abs() / 2.0 };
            let values = [(now - step).max(*min), (now + step).min(*max)];
            values.iter().filter(|value| **value != now).map(f64::to_string).collect()
        }
        Domain::Switch => {
            now.as_bool().map(|on| vec![if on { "off" } else { "on" }.to_owned()]).unwrap_or_default()
        }
        Domain::Choice(words) | Domain::ChoiceOrFile(words) => {
            let others = words.iter().filter(|word| now.as_str() != Some(**word));
            others.take(MAX_OTHERS).map(|word| (*word).to_owned()).collect()
        }
        Domain::IntList { min, max, .. } => {
            let Some(items) = now.as_array() else { return Vec::new() };
            let scaled = |by: f64| {
                let item = |item: &Value| {
                    let item = item.as_f64().unwrap_or_default();
                    ((item * by).round() as i64).clamp(*min, *max).to_string()
                };
                items.iter().map(item).collect::<Vec<_>>().join(",")
            };
            let unchanged = scaled(1.0);
            [0.5, 1.5].map(scaled).into_iter().filter(|value| *value != unchanged).collect()
        }
        Domain::Text | Domain::File => Vec::new(),
    }
}

/// Maximum number of other words of a choice.
const MAX_OTHERS: usize = 4;

/// Plays the values of a parameter; `None` if stopped.
///
/// # Errors
/// If an agent panics, or `keep` fails.
pub fn try_values(
    plan: &TrialPlan,
    progress: &mut dyn Progress,
    stop: &StopFlag,
    keep: SettingCallback<'_>,
) -> Result<Option<Trials>, LabError> {
    let left_out = plan.left_out.clone();
    let mut trials = Trials { format: 1, parameter: String::new(), trials: Vec::new(), left_out };
    let mut add = |Answered { tried, answers, briefs }: Answered<'_>| {
        if let Some(Change { parameter, value }) = tried {
            trials.parameter.clone_from(parameter);
            let unfairness = paired(answers.deals, briefs.iter().map(Brief::unfairness).collect());
            trials.trials.push(Trial { value: value.clone(), unfairness, answers });
        }
    };
    let done = plan.play(progress, stop, keep, &mut add)?;
    Ok(done.then_some(trials))
}

#[derive(Clone, Debug, Serialize)]
pub struct Effect {
    pub parameter: String,
    pub from: String,
    pub to: String,
    /// Relative change of the length, against the rules as they are, at all tables.
    pub length: Estimate,
    /// Gain of the best seat above the worst, minus the same under the rules as they are, at all tables.
    pub unfairness: Estimate,
    /// Share of the equilibrium that moves to other strategies, `0..=1`; noise alone makes it positive.
    pub survivors: Estimate,
    /// The surviving strategies, the greatest share first.
    pub alive: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Effects {
    pub format: u32,
    /// Answers under the rules as they are.
    pub base: Answers,
    /// Effects, those with the greatest change of length first.
    pub effects: Vec<Effect>,
    pub left_out: Vec<SkippedSetting>,
}

/// Plays every parameter lower and higher; `None` if stopped.
///
/// # Errors
/// If an agent panics, or `keep` fails.
pub fn try_parameters(
    plan: &TrialPlan,
    progress: &mut dyn Progress,
    stop: &StopFlag,
    keep: SettingCallback<'_>,
) -> Result<Option<Effects>, LabError> {
    let mut base: Option<(Answers, Vec<Brief>)> = None;
    let mut effects = Vec::new();
    let mut add = |Answered { tried, answers, briefs }: Answered<'_>| match (tried, &base) {
        (Some(Change { parameter, value }), Some((before, old))) => {
            let deals = answers.deals;
            let pairs = || old.iter().zip(&briefs);
            let length = paired(deals, pairs().map(|(old, new)| new.length / old.length - 1.0).collect());
            let unfairness =
                paired(deals, pairs().map(|(old, new)| new.unfairness() - old.unfairness()).collect());
            let survivors = paired_shares(deals, pairs().map(|(old, new)| old.distance(new)).collect());
            let alive = crate::sentences::surviving(&answers.strategies);
            effects.push(Effect {
                parameter: parameter.clone(),
                from: text(&before.variant[parameter]),
                to: value.clone(),
                length,
                unfairness,
                survivors,
                alive: alive.iter().map(|standing| standing.name.clone()).collect(),
            });
        }
        _ => base = Some((answers, briefs)),
    };
    let done = plan.play(progress, stop, keep, &mut add)?;
    let Some((base, _)) = base.filter(|_| done) else { return Ok(None) };
    effects.sort_by(|a: &Effect, b: &Effect| b.length.value.abs().total_cmp(&a.length.value.abs()));
    Ok(Some(Effects { format: 1, base, effects, left_out: plan.left_out.clone() }))
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(on) => if *on { "on" } else { "off" }.to_owned(),
        other => other.to_string(),
    }
}

/// Plays one balance and answers it; `None` if stopped.
///
/// # Errors
/// If an agent panics, or `keep` fails.
pub fn try_once(
    balance: &Balance,
    progress: &mut dyn Progress,
    stop: &StopFlag,
    keep: SettingCallback<'_>,
) -> Result<Option<Answers>, LabError> {
    let Some(played) = play(balance, progress, stop)? else { return Ok(None) };
    keep("", balance, &played)?;
    let (answers, _) = answer_briefly(balance, &played)?;
    Ok(Some(answers))
}
