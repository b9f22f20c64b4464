//! Presentation of standings: tables, CSV, plots, HTML report.

use std::fmt::Write as _;

use meeple_core::Seat;
use meeple_lab::plots::{Caption, Plot, ValueRow, bars, intervals, matrix};
use meeple_lab::report::{ReportPage, page, parameters, part};
use meeple_lab::text::{grouped, number, percent_with_half, with_half};
use meeple_lab::{Grid, table, texts};

use crate::error::ArenaError;
use crate::files::MATCHUPS;
use crate::plan::{CompetitorKind, OrderBy};
use crate::rating::{MAX_TABLED_COMPETITORS, Matchup, SeatEffect};
use crate::standings::{
    BotTimes, CompetitorTimes, FaultSample, NotPlayed, Pair, SprtResult, Standings, TournamentStanding,
};
use meeple_lab::sprt::SprtVerdict;

const LEGEND: &str = "points: 400 are odds of ten to one; ± is half of the 95 % interval over deal groups (its wider side). \
    ranks: the ranks it may have; band: these episodes do not separate competitors of one band. \
    win share: a first place shared by k counts 1/k.";

/// The tables printed by commands, at most `width` columns wide if the terminal's width is known.
pub fn tables(standings: &Standings, times: &CompetitorTimes, width: Option<u16>) -> String {
    let mut text = format!("{}, seed {}\n", summary(standings), standings.seed);
    for grid in grids(standings, times) {
        let title = if grid.title.is_empty() { String::new() } else { format!("{}\n", grid.title) };
        text.push_str(&format!("\n{title}{}", table::print(&grid, width)));
    }
    text.push('\n');
    for note in notes(standings).into_iter().chain(fault_notes(standings, times)) {
        text.push_str(&note);
        text.push('\n');
    }
    text.push_str(LEGEND);
    text.push('\n');
    text
}

/// One line about the tournament, without its seed: plots can be read while it goes on, and the seed would
/// reveal the deals to come.
fn summary(standings: &Standings) -> String {
    let of = if standings.is_complete() {
        String::new()
    } else {
        format!(" of {} planned", grouped(standings.planned))
    };
    format!(
        "{}: {}, {} episodes{of} in {} deal groups of {}",
        standings.game,
        standings.schedule,
        grouped(standings.episodes),
        grouped(standings.deal_groups),
        standings.rotations
    )
}

fn grids(standings: &Standings, times: &CompetitorTimes) -> Vec<Grid> {
    let mut grids = vec![ranking(standings)];
    if standings.matchups.iter().flatten().any(Option::is_some) && standings.standings.len() > 1 {
        grids.push(matchups(standings));
    }
    if standings.seats.len() > 1 {
        grids.push(seats(standings));
    }
    grids.extend(faults(standings, times));
    grids
}

fn ranking(standings: &Standings) -> Grid {
    let rated = standings.standings.iter().any(|standing| standing.rating.is_some());
    let mut header = texts(["rank", "competitor"]);
    if rated {
        header.extend(texts(["points", "ranks", "band"]));
    }
    header.extend(texts(["episodes", "wins", "draws", "losses", "win share %"]));
    header.push(format!("mean {}", standings.score_unit));
    let row = |standing: &TournamentStanding| {
        let banned = if standing.banned.is_some() { " (banned)" } else { "" };
        let mut row = vec![standing.rank.to_string(), format!("{}{banned}", standing.name)];
        if let Some(rating) = &standing.rating {
            let [best, worst] = rating.rank_range;
            let range = if best == worst { best.to_string() } else { format!("{best}–{worst}") };
            row.extend([points(rating.points, rating.interval), range, rating.band.to_string()]);
        }
        row.extend([standing.episodes, standing.wins, standing.draws, standing.losses].map(grouped));
        let share = standing.win_share;
        row.push(percent_with_half(share, standing.win_share_ci.unwrap_or([share; 2])));
        row.push(with_half(standing.mean_score, standing.mean_score_ci));
        row
    };
    let anchor = standings.anchor.as_ref().map(|anchor| format!("0 points: {anchor}"));
    let mut rows: Vec<Vec<String>> = standings.standings.iter().map(row).collect();
    for own in &standings.not_played {
        let mut row = vec!["–".to_owned(); header.len()];
        row[1] = format!("{} (did not play)", own.name);
        rows.push(row);
    }
    Grid::new("Standings", header, rows, 2).noted(anchor.unwrap_or_default())
}

/// Points with the wider side of their interval.
fn points(points: f64, interval: Option<[f64; 2]>) -> String {
    match interval.map(|[low, high]| (points - low).max(high - points)) {
        Some(half) if half > 0.0 => format!("{points:.0} ± {half:.0}"),
        _ => format!("{points:.0}"),
    }
}

fn matchups(standings: &Standings) -> Grid {
    let mut header = texts(["%", "against"]);
    header.extend((1..=standings.standings.len()).map(|number| number.to_string()));
    let rows = standings.standings.iter().zip(&standings.matchups).enumerate();
    let rows = rows.map(|(index, (standing, pairs))| {
        let mut row = vec![(index + 1).to_string(), standing.name.clone()];
        row.extend(pairs.iter().map(|pair| match pair {
            Some(pair) => format!("{:.1}", 100.0 * pair.share),
            None => "–".into(),
        }));
        row
    });
    Grid::new("Who finished before whom, in % (ties as halves)", header, rows, 2)
}

fn seats(standings: &Standings) -> Grid {
    let row = |seat: &SeatEffect| vec![Seat::new(seat.seat).to_string(), points(seat.points, seat.interval)];
    let title = "Effect of the seat, in points above the mean seat";
    Grid::new(title, texts(["seat", "points"]), standings.seats.iter().map(row), 1)
}

/// The bots that played or had faults, in the order of the standings, with their times.
fn bots<'a>(
    standings: &'a Standings,
    times: &'a CompetitorTimes,
) -> Vec<(&'a TournamentStanding, &'a BotTimes)> {
    let by_name = standings.by_name();
    let mut in_order = vec![None; standings.standings.len()];
    for bot in &times.competitors {
        if let Some(index) = by_name.get(bot.name.as_str()) {
            in_order[*index] = Some(bot);
        }
    }
    let played = |own: &TournamentStanding, bot: &BotTimes| bot.episodes > 0 || !own.faults.is_empty();
    let all = standings.standings.iter().zip(in_order);
    all.filter_map(|(own, bot)| bot.filter(|bot| played(own, bot)).map(|bot| (own, bot))).collect()
}

/// The table of bots; `None` if no bot played or had faults.
fn faults(standings: &Standings, times: &CompetitorTimes) -> Option<Grid> {
    let ms = |us: Option<f64>| us.map_or("–".to_owned(), |us| number(us / 1000.0));
    let row = |(standing, bot): &(&TournamentStanding, &BotTimes)| {
        let faults = standing.faults.iter().map(|(code, count)| format!("{code} {count}"));
        let faults = faults.collect::<Vec<_>>().join(", ");
        vec![
            standing.name.clone(),
            if faults.is_empty() { "none".into() } else { faults },
            grouped(standing.faulted_episodes),
            grouped(bot.asked),
            grouped(bot.fallbacks),
            ms(bot.mean_cpu_us),
            ms(bot.mean_wall_us),
            ms(Some(bot.longest_us as f64)),
        ]
    };
    let bots = bots(standings, times);
    let header = [
        "bot",
        "faults",
        "episodes with faults",
        "decisions",
        "fallbacks",
        "CPU ms each",
        "wall ms each",
        "longest ms",
    ];
    let sandbox = format!("sandbox: {}", times.sandbox.join(", "));
    (!bots.is_empty()).then(|| Grid::new("Bots", texts(header), bots.iter().map(row), 2).noted(sandbox))
}

/// Sentences below the tables: tests, cycles, absences, forfeits, bans, dropped output, and warnings about
/// the data.
fn notes(standings: &Standings) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(sprt) = &standings.sprt {
        notes.push(sprt_sentence(sprt));
    }
    if let Some(cycles) = standings.cycles.as_ref().filter(|cycles| cycles.degrees > 0) {
        let verdict = match cycles.p_value {
            ..0.01 => "so no single number per competitor describes the results",
            ..0.05 => "a hint that one number per competitor does not tell the whole story",
            _ => "no more than noise would give",
        };
        notes.push(format!(
            "rock, paper, scissors: {:.0} % of the results are cyclic ({:.0} % beyond noise, {}): {verdict}.",
            100.0 * cycles.share,
            100.0 * cycles.share_beyond_noise,
            if cycles.p_value < 0.001 { "p < 0.001".into() } else { format!("p = {:.3}", cycles.p_value) },
        ));
        if let (Some([a, b, c]), Some(cycle), true) =
            (&standings.clearest_cycle, &cycles.clearest, cycles.p_value < 0.01)
        {
            let [ab, bc, ca] = cycle.shares.map(|share| 100.0 * share);
            notes.push(format!("clearest cycle: {a} beats {b} ({ab:.1} %), who beats {c} ({bc:.1} %), who beats {a} ({ca:.1} %)."));
        }
    }
    for NotPlayed { name, reason, .. } in &standings.not_played {
        notes.push(format!("{name} did not play: {reason}"));
    }
    for TournamentStanding { name, banned, forfeits, episodes, .. } in &standings.standings {
        if let Some(forfeits) = forfeits.filter(|forfeits| *forfeits > 0) {
            notes.push(format!(
                "{name} forfeited {} of {} episodes: each counts as the last place and the lowest score of its table.",
                grouped(forfeits),
                grouped(*episodes)
            ));
        }
        if let Some(reason) = banned {
            notes.push(format!("{name} is banned: {reason}."));
        }
    }
    for names in &standings.same_players {
        notes.push(format!(
            "{} are the same player. With full seat rotation they get equal games, so their equal results measure nothing.",
            names.join(" and ")
        ));
    }
    if standings.partial_groups > 0 {
        notes.push(format!(
            "{} of the deals were not played from every seat yet, so seats may still bias the results.",
            grouped(standings.partial_groups)
        ));
    }
    if standings.deal_groups < 10 {
        notes.push(format!("Only {} deal groups: intervals from so few are rough.", standings.deal_groups));
    }
    if !standings.pairs.is_empty() {
        notes.push(format!(
            "Who finished before whom is too much for a table of {} competitors: {MATCHUPS} in the tournament's directory \
             has a line for each of the {} pairs that have met.",
            standings.standings.len(),
            grouped(standings.pairs.len() as u64)
        ));
    }
    if standings.order == OrderBy::Victories {
        notes.push("Ordered by whole victories, shared ones too; equals share their rank.".into());
    }
    notes.extend(drop_notes(standings));
    notes
}

/// Dropped stderr bytes of each bot, one note per bot.
fn drop_notes(standings: &Standings) -> impl Iterator<Item = String> {
    standings.standings.iter().filter_map(|own| {
        let bytes = grouped(own.dropped_bytes?);
        Some(format!(
            "{} wrote {bytes} bytes more to stderr than stderr_bytes allows: they were dropped, which is no fault.",
            own.name
        ))
    })
}

/// The first crash of each bot, or its first fault if it never crashed.
fn fault_notes(standings: &Standings, times: &CompetitorTimes) -> Vec<String> {
    let note = |(own, bot): (&TournamentStanding, &BotTimes)| {
        let FaultSample { episode, summary, hint, .. } = bot.fault.as_ref()?;
        let hint = hint.as_ref().map_or(String::new(), |hint| format!("\nhint: {hint}"));
        Some(format!("{}, episode {episode}: {summary}{hint}", own.name))
    };
    bots(standings, times).into_iter().filter_map(note).collect()
}

fn sprt_sentence(sprt: &SprtResult) -> String {
    let [first, second] = &sprt.of;
    let groups = match sprt.groups {
        1 => "1 group".to_owned(),
        groups => format!("{} groups", grouped(groups)),
    };
    let test = format!(
        "bounds {:.2} and {:.2}; error rates {} and {}",
        sprt.bounds[0], sprt.bounds[1], sprt.plan.alpha, sprt.plan.beta
    );
    let unit = "standard deviations of a deal group";
    let Some(ratio) = sprt.log_ratio.filter(|_| sprt.deviation > 1e-12) else {
        // Zero spread: no unit to measure the difference in.
        let found = match sprt.verdict {
            SprtVerdict::High => format!("{first} is ahead of {second}"),
            SprtVerdict::Low => format!("{first} is not ahead of {second}"),
            SprtVerdict::Open => "undecided".into(),
        };
        let alike = match sprt.mean {
            _ if sprt.groups == 0 => {
                return format!("sequential test: undecided, no whole deal group yet ({test}).");
            }
            mean if mean > 1e-12 => format!("{first} ahead by {mean:.3}"),
            mean if mean < -1e-12 => format!("{second} ahead by {:.3}", -mean),
            _ => "no difference".into(),
        };
        return format!(
            "sequential test: {found} after {groups}; every group came out the same, {alike} ({test})."
        );
    };
    let found = match sprt.verdict {
        SprtVerdict::High => format!("{first} is ahead of {second} by more than {} {unit}", sprt.plan.low),
        SprtVerdict::Low => format!("{first} is not ahead of {second} by {} {unit}", sprt.plan.high),
        SprtVerdict::Open => "undecided".into(),
    };
    format!(
        "sequential test: {found} after {groups} (found {:.3} {unit}, a mean difference of {:.3}; log ratio {ratio:.2}, {test}).",
        sprt.effect, sprt.mean
    )
}

/// The standings as CSV, one row per competitor.
pub fn csv(standings: &Standings) -> String {
    let mut text = String::from(
        "rank,name,run,kind,points,points_low,points_high,best_rank,worst_rank,band,episodes,wins,draws,losses,\
         win_share,win_share_low,win_share_high,mean_score,mean_score_low,mean_score_high,sd_score,\
         faults,faulted_episodes,banned",
    );
    let tells_forfeits = standings.format > 3;
    text.push_str(if tells_forfeits { ",forfeits,not_played\n" } else { "\n" });
    for standing in &standings.standings {
        let rating = standing.rating.as_ref();
        let rated = |value: Option<String>| value.unwrap_or_default();
        let [points_ci, share_ci, score_ci] =
            [rating.and_then(|rating| rating.interval), standing.win_share_ci, standing.mean_score_ci];
        let end = |ends: Option<[f64; 2]>, side: usize| rated(ends.map(|ends| ends[side].to_string()));
        let mut cells = vec![
            standing.rank.to_string(),
            quoted(&standing.name),
            quoted(&standing.run),
            standing.kind.name().to_owned(),
            rated(rating.map(|rating| rating.points.to_string())),
            end(points_ci, 0),
            end(points_ci, 1),
            rated(rating.map(|rating| rating.rank_range[0].to_string())),
            rated(rating.map(|rating| rating.rank_range[1].to_string())),
            rated(rating.map(|rating| rating.band.to_string())),
            standing.episodes.to_string(),
            standing.wins.to_string(),
            standing.draws.to_string(),
            standing.losses.to_string(),
            standing.win_share.to_string(),
            end(share_ci, 0),
            end(share_ci, 1),
            standing.mean_score.to_string(),
            end(score_ci, 0),
            end(score_ci, 1),
            standing.sd_score.to_string(),
            standing.faults.values().sum::<u64>().to_string(),
            standing.faulted_episodes.to_string(),
            quoted(standing.banned.as_deref().unwrap_or_default()),
        ];
        cells
            .extend(standing.forfeits.into_iter().flat_map(|forfeits| [forfeits.to_string(), String::new()]));
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    for NotPlayed { name, run, reason } in &standings.not_played {
        let kind = CompetitorKind::Bot.name();
        let _ = writeln!(
            text,
            ",{},{},{kind}{}0{}{}",
            quoted(name),
            quoted(run),
            ",".repeat(7),
            ",".repeat(15),
            quoted(reason)
        );
    }
    text
}

/// Pairwise results as CSV: one row per pair that met, the higher-ranked first. `None` if the competitors fit
/// a table.
pub fn matchups_csv(standings: &Standings) -> Option<String> {
    if standings.standings.len() <= MAX_TABLED_COMPETITORS {
        return None;
    }
    let mut text =
        String::from("name,against,episodes,before,tied,mean_difference,share,share_error,chance_better\n");
    for Pair { own, other, matchup, better } in &standings.pairs {
        let [own, other] = [own, other].map(|index| quoted(&standings.standings[*index].name));
        let Matchup { episodes, before, tied, mean_difference, share, share_error } = matchup;
        let better = better.map_or(String::new(), |better| better.to_string());
        // Writing to a `String` is infallible.
        let _ = writeln!(
            text,
            "{own},{other},{episodes},{before},{tied},{mean_difference},{share},{share_error},{better}"
        );
    }
    Some(text)
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.into()
    }
}

/// The plots: ratings, win shares, matchups, ranks, faults and times. Uninformative ones are left out.
///
/// # Errors
/// If drawing fails.
pub fn plots(standings: &Standings, times: &CompetitorTimes) -> Result<Vec<Plot>, ArenaError> {
    let all = &standings.standings;
    let note = format!("{}. Bars: 95 % intervals over deal groups.", summary(standings));
    let mut plots = Vec::new();
    let rated: Vec<ValueRow> = all
        .iter()
        .filter_map(|own| own.rating.as_ref().map(|cell| (own.name.clone(), cell.points, cell.interval)))
        .collect();
    if let (Some(anchor), false) = (&standings.anchor, rated.is_empty()) {
        let alt = rated.iter().fold("Ratings with intervals.".to_owned(), |text, (name, value, interval)| {
            let [low, high] = interval.unwrap_or([*value; 2]);
            text + &format!(" {name}: {value:.0} points, from {low:.0} to {high:.0}.")
        });
        let caption = Caption {
            name: "ratings".into(),
            title: "Ratings".into(),
            note: note.clone(),
            alt,
            axis: format!("points above {anchor} (400: odds of ten to one)"),
            ..Caption::default()
        };
        plots.push(intervals(&caption, &rated, 0.0)?);
    }
    let percent = |ends: [f64; 2]| ends.map(|end| 100.0 * end);
    let shares: Vec<ValueRow> = all
        .iter()
        .map(|own| (own.name.clone(), 100.0 * own.win_share, own.win_share_ci.map(percent)))
        .collect();
    let alt = shares.iter().fold("Win shares with intervals.".to_owned(), |text, (name, value, _)| {
        text + &format!(" {name}: {value:.1} %.")
    });
    let caption = Caption {
        name: "wins".into(),
        title: "Win share".into(),
        note: format!("{note} Dashed: an equal share."),
        alt,
        axis: "share of the win in %".into(),
        ..Caption::default()
    };
    plots.push(intervals(&caption, &shares, 100.0 / f64::from(standings.table.max(1)))?);
    let names: Vec<String> = all.iter().map(|own| own.name.clone()).collect();
    let pairs: Vec<Option<f64>> =
        standings.matchups.iter().flatten().map(|pair| pair.map(|pair| 100.0 * pair.share)).collect();
    if all.len() > 1 && pairs.iter().any(Option::is_some) {
        let caption = Caption {
            name: "matchups".into(),
            title: "Who finishes before whom".into(),
            note: format!("{}. Ties count as halves; grey: they never met.", summary(standings)),
            alt: "A matrix of the share of episodes in which the row finished before the column; the table of the same name has the numbers.".into(),
            axis: "the row finishes before the column, in % of their episodes".into(),
            columns: "against".into(),
        };
        plots.push(matrix(&caption, &names, &pairs, (0.0, 100.0), 0)?);
    }
    let ranks: Vec<Option<f64>> = all
        .iter()
        .filter_map(|own| own.rating.as_ref())
        .flat_map(|cell| {
            let before = std::iter::once(&0.0).chain(&cell.rank_at_most);
            cell.rank_at_most.iter().zip(before).map(|(up_to, before)| Some(100.0 * (up_to - before)))
        })
        .collect();
    if all.len() > 1 && ranks.len() == all.len() * all.len() {
        let caption = Caption {
            name: "ranks".into(),
            title: "How sure the ranks are".into(),
            note: format!("{}. From the resamples of the ratings.", summary(standings)),
            alt: "A matrix of the chance that each competitor has each rank.".into(),
            axis: "chance of each rank, in %".into(),
            columns: "rank".into(),
        };
        plots.push(matrix(&caption, &names, &ranks, (0.0, 100.0), 0)?);
    }
    plots.extend(bot_plots(standings, times)?);
    Ok(plots)
}

fn bot_plots(standings: &Standings, times: &CompetitorTimes) -> Result<Vec<Plot>, ArenaError> {
    let (mut plots, bots) = (Vec::new(), bots(standings, times));
    let mut codes: Vec<String> = bots.iter().flat_map(|(own, _)| own.faults.keys().cloned()).collect();
    codes.sort();
    codes.dedup();
    if !codes.is_empty() {
        let count =
            |own: &TournamentStanding, code: &String| own.faults.get(code).copied().unwrap_or(0) as f64;
        let rows: Vec<(String, Vec<f64>)> = bots
            .iter()
            .map(|(own, _)| (own.name.clone(), codes.iter().map(|code| count(own, code)).collect()))
            .collect();
        let alt = bots.iter().fold("Faults by bot.".to_owned(), |text, (own, _)| {
            text + &format!(" {}: {}.", own.name, own.faults.values().sum::<u64>())
        });
        let caption = Caption {
            name: "faults".into(),
            title: "Faults of bots".into(),
            note: format!("{}.", summary(standings)),
            alt,
            axis: "faults".into(),
            ..Caption::default()
        };
        plots.push(bars(&caption, &codes, &rows)?);
    }
    let rows: Vec<(String, Vec<f64>)> = bots
        .iter()
        .filter_map(|(own, bot)| {
            let mean = bot.mean_cpu_us.or(bot.mean_wall_us)?;
            Some((own.name.clone(), vec![mean / 1000.0]))
        })
        .collect();
    if !rows.is_empty() {
        let alt = rows.iter().fold("Mean time per decision.".to_owned(), |text, (name, values)| {
            text + &format!(" {name}: {} ms.", number(values[0]))
        });
        let caption = Caption {
            name: "times".into(),
            title: "Time per decision".into(),
            note: format!("{}. CPU time where it was measured, else wall-clock time.", summary(standings)),
            alt,
            axis: "mean time per decision in ms".into(),
            ..Caption::default()
        };
        plots.push(bars(&caption, &[String::new()], &rows)?);
    }
    Ok(plots)
}

/// The report as a self-contained HTML page. `command` is the command that reproduces the results.
pub fn report(standings: &Standings, times: &CompetitorTimes, plots: &[Plot], command: &str) -> String {
    with_page(standings, times, plots, command, page)
}

/// The report as a fragment without title and styles; addresses of plot files begin with `files`.
pub fn report_part(
    standings: &Standings,
    times: &CompetitorTimes,
    plots: &[Plot],
    command: &str,
    files: &str,
) -> String {
    with_page(standings, times, plots, command, |page| part(page, files))
}

fn competitors(standings: &Standings) -> String {
    let playing = standings.standings.len();
    match standings.not_played.len() {
        0 => playing.to_string(),
        others => format!("{playing}, and {others} that did not play"),
    }
}

fn with_page(
    standings: &Standings,
    times: &CompetitorTimes,
    plots: &[Plot],
    command: &str,
    show: impl Fn(&ReportPage<'_>) -> String,
) -> String {
    let mut facts = vec![
        ("Episodes", grouped(standings.episodes)),
        ("Deal groups", format!("{} of {} rotations", grouped(standings.deal_groups), standings.rotations)),
        ("Competitors", competitors(standings)),
        ("At a table", standings.table.to_string()),
        ("Seed", standings.seed.to_string()),
        ("Plan", standings.plan_hash[..12].to_owned()),
    ];
    if !times.sandbox.is_empty() {
        facts.push(("Sandbox", times.sandbox.join(", ")));
    }
    let notes = notes(standings);
    let legend = if notes.is_empty() { LEGEND.to_owned() } else { format!("{} {LEGEND}", notes.join(" ")) };
    let decided = standings.sprt.as_ref().is_some_and(|sprt| sprt.verdict != SprtVerdict::Open);
    let over = decided && standings.partial_groups == 0;
    let stopped = (!standings.is_complete() && !over)
        .then_some("The tournament is not complete: these are the episodes it has played.");
    let pairs = [(MATCHUPS, "who finished before whom, a line for each pair that has met")];
    show(&ReportPage {
        title: format!("{}: {}", standings.game, standings.schedule),
        facts: &facts,
        stopped,
        words: &[],
        grids: grids(standings, times),
        legend: &legend,
        files: if standings.pairs.is_empty() { &[] } else { &pairs },
        plots,
        command,
        settings: parameters(&standings.variant),
    })
}
