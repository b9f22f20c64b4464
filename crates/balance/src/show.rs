//! The answers as tables of text.

use meeple_lab::text::number;
use meeple_lab::{Grid, texts};

use crate::answers::{Answers, Estimate, Luck, StrategyStanding};
use crate::plan::TablePayoff;

/// Maximum number of strategies in a table of pairs; JSON has all.
const MAX_PAIRS: usize = 16;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    Short,
    Full,
}

fn share(share: Estimate) -> String {
    share.percent()
}

/// A share with the ends of its interval, which is asymmetric near 0 and 1.
pub(crate) fn range(share: Estimate) -> String {
    let percent = |share: f64| format!("{:.0}", 100.0 * share);
    let [low, high] = share.ends().map(percent);
    if low == high { low } else { format!("{} ({low} to {high})", percent(share.value)) }
}

/// A pay-off as text, in percentage points of the win or in points of score, without the unit.
fn pay_off(answers: &Answers, pay_off: Estimate) -> String {
    match answers.pay_off {
        TablePayoff::Win => pay_off.times(100.0).text(),
        TablePayoff::Score => pay_off.text(),
    }
}

pub(crate) fn unit(answers: &Answers) -> &'static str {
    match answers.pay_off {
        TablePayoff::Win => "win %",
        TablePayoff::Score => "score",
    }
}

pub fn grids(answers: &Answers, detail: Detail) -> Vec<Grid> {
    let mut grids = vec![standings(answers)];
    if answers.strategies.len() > 1 {
        grids.push(pairs(answers));
    }
    if detail == Detail::Full {
        // For two seats the invasion equals the margins.
        if answers.seats > 2 && answers.strategies.len() > 1 {
            grids.push(invasion(answers));
        }
        grids.push(rests(answers));
    }
    if !answers.at_all_tables.spots.is_empty() {
        grids.push(spots(answers));
    }
    grids.push(games(answers));
    grids.extend(answers.luck.as_ref().map(luck));
    grids
}

/// Indices of the strategies by share of the equilibrium, then by gain against it.
pub(crate) fn ranked(answers: &Answers) -> Vec<usize> {
    let mut order: Vec<usize> = (0..answers.strategies.len()).collect();
    let of = |index: usize| &answers.strategies[index];
    order.sort_by(|a, b| {
        let by_share = of(*b).equilibrium.value.total_cmp(&of(*a).equilibrium.value);
        let by_gain = of(*b).gain.value.total_cmp(&of(*a).gain.value);
        if of(*a).equilibrium.value.max(of(*b).equilibrium.value) > 1e-6 {
            by_share.then(by_gain)
        } else {
            by_gain
        }
    });
    order
}

fn standings(answers: &Answers) -> Grid {
    let unit = unit(answers);
    let header = vec![
        "strategy".into(),
        "equilibrium %".into(),
        "survives %".into(),
        format!("against it ({unit})"),
        "alpha-rank %".into(),
        format!("against all ({unit})"),
    ];
    let row = |index: usize| {
        let StrategyStanding { name, field, equilibrium, survives, gain, alpha_rank } =
            &answers.strategies[index];
        vec![
            name.clone(),
            range(*equilibrium),
            format!("{:.0}", 100.0 * survives),
            pay_off(answers, *gain),
            range(*alpha_rank),
            pay_off(answers, *field),
        ]
    };
    let seats = if answers.seats == 2 {
        "the equilibrium of greatest entropy".to_owned()
    } else {
        let gain = Estimate { value: answers.equilibrium_gain, interval: None };
        format!(
            "a symmetric equilibrium of {} seats; the best strategy gains {} against it",
            answers.seats,
            pay_off(answers, gain)
        )
    };
    Grid::new("Who survives", header, ranked(answers).into_iter().map(row), 1).noted(format!(
        "equilibrium: {seats}.\nsurvives: share of the resamples of the deals in which the strategy has at \
         least 1 % of the equilibrium.\nagainst it, against all: gain above the mean, among players of the \
         equilibrium and among all strategies alike."
    ))
}

/// A table of pairs, in the order of strength.
fn table_of_pairs(answers: &Answers, title: String, note: &str, at: &[Vec<Estimate>]) -> Grid {
    let order = ranked(answers);
    let shown = &order[..order.len().min(MAX_PAIRS)];
    let mut header = texts([""]);
    header.extend((1..=shown.len()).map(|number| number.to_string()));
    let rows = shown.iter().enumerate().map(|(place, own)| {
        let cells = shown.iter().map(|other| {
            if own == other {
                return "–".to_owned();
            }
            let (value, [low, high]) = (at[*own][*other].value, at[*own][*other].ends());
            let open = if low <= 0.0 && high >= 0.0 { "?" } else { "" };
            // With two seats, the cell shows the more familiar share of the win instead of the margin.
            let shown = match answers.pay_off {
                TablePayoff::Win if answers.seats == 2 => format!("{:.1}", 50.0 + 50.0 * value),
                TablePayoff::Win => format!("{:.1}", 100.0 * value),
                TablePayoff::Score => number(value),
            };
            format!("{shown}{open}")
        });
        std::iter::once(format!("{} {}", place + 1, answers.strategies[*own].name)).chain(cells).collect()
    });
    let rest = match order.len() - shown.len() {
        0 => String::new(),
        more => format!("\n… and {more} more strategies: see --json"),
    };
    Grid::new(title, header, rows, 1)
        .noted(format!("{note} ?: they may be equal.{rest}").trim_start().to_owned())
}

fn what_of_the_row(answers: &Answers, where_to: &str) -> String {
    match answers.pay_off {
        TablePayoff::Win if answers.seats == 2 => format!("win % of the row {where_to}"),
        _ => format!("{} that the row gains more than the column, {where_to}", unit(answers)),
    }
}

fn pairs(answers: &Answers) -> Grid {
    let title = format!("Win shares by pair: {}", what_of_the_row(answers, "against the column"));
    let note = if answers.seats == 2 {
        "A strategy that wins more than half invades the other."
    } else {
        "At tables of only these two, over all numbers of their seats."
    };
    table_of_pairs(answers, title, note, &answers.margins)
}

fn invasion(answers: &Answers) -> Grid {
    let title = format!("Who invades whom: {}", what_of_the_row(answers, "alone among those of the column"));
    table_of_pairs(answers, title, "The strategy that gains more there spreads.", &answers.invasion)
}

fn rests(answers: &Answers) -> Grid {
    let row = |rest: &crate::answers::ReplicatorLimit| {
        let mut shares: Vec<(usize, f64)> = rest.shares.iter().copied().enumerate().collect();
        shares.sort_by(|a, b| b.1.total_cmp(&a.1));
        let named = shares.iter().filter(|(_, share)| *share >= 0.005);
        let named =
            named.map(|(index, share)| format!("{} {:.0} %", answers.strategies[*index].name, 100.0 * share));
        vec![
            if rest.rests { "rests at" } else { "goes round" }.to_owned(),
            named.collect::<Vec<_>>().join(", "),
            format!("{:.1}", 100.0 * rest.starts),
        ]
    };
    let header = texts(["a population", "shares", "of starts %"]);
    Grid::new("Rest points of populations", header, answers.rests.iter().take(12).map(row), 2)
        .noted("Replicator dynamics from random shares: strategies that gain more grow.")
}

fn spots(answers: &Answers) -> Grid {
    let (head, first) = if answers.spots_are_turns { ("turn", 1) } else { ("seat", 0) };
    let header = vec![
        head.to_owned(),
        format!("at the equilibrium ({})", unit(answers)),
        format!("at all tables ({})", unit(answers)),
    ];
    let both = answers.at_equilibrium.spots.iter().zip(&answers.at_all_tables.spots).enumerate();
    let rows = both.map(|(index, (best, all))| {
        vec![(index + first).to_string(), pay_off(answers, *best), pay_off(answers, *all)]
    });
    Grid::new(if answers.spots_are_turns { "Order of turns" } else { "Seats" }, header, rows, 1)
}

fn games(answers: &Answers) -> Grid {
    let (best, all) = (&answers.at_equilibrium, &answers.at_all_tables);
    let plain = Estimate::text;
    let mut rows = vec![
        vec![format!("length ({})", answers.length_unit), plain(best.length), plain(all.length)],
        vec!["decisions".into(), plain(best.decisions), plain(all.decisions)],
        vec!["decisions in a row".into(), plain(best.decisions_a_turn), plain(all.decisions_a_turn)],
    ];
    if let (Some(best), Some(all)) = (best.forced, all.forced) {
        rows.push(vec!["forced decisions (%)".into(), share(best), share(all)]);
    }
    rows.push(vec!["changes of the lead".into(), plain(best.lead_changes), plain(all.lead_changes)]);
    rows.push(vec!["wins from behind (%)".into(), share(best.comebacks), share(all.comebacks)]);
    for (index, end) in answers.ends.iter().enumerate().filter(|_| answers.ends.len() > 1) {
        rows.push(vec![format!("ended by {end} (%)"), share(best.ends[index]), share(all.ends[index])]);
    }
    let header = texts(["a game", "at the equilibrium", "at all tables"]);
    Grid::new("What games are like", header, rows, 1)
        .noted("from behind: another had the highest score, alone, at half of the decisions.")
}

pub(crate) fn parts(luck: &Luck) -> [(&'static str, Estimate); 5] {
    [
        ("who plays", luck.agents),
        ("the seat", luck.seats),
        ("the deal, by seat", luck.deals_by_seat),
        ("the deal, by strategy", luck.deals_by_strategy),
        ("the rest", luck.rest),
    ]
}

fn luck(luck: &Luck) -> Grid {
    let rows = parts(luck).map(|(name, part)| vec![name.to_owned(), range(part)]);
    Grid::new("What decides", texts(["part", "of the variance %"]), rows, 1).noted(
        "Parts of a seat's gain in one game of different players. the deal: the seat that it favours, with \
         any strategy there, and the strategy that it favours, in any seat.\nthe rest: differences between \
         games of the same players and deal.",
    )
}
