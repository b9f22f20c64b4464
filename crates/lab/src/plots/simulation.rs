use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

use super::figures::{distributions, figures_by_agent};
use super::frame::{
    Area, Axes, AxisText, Drawn, HORIZONTAL_CAP, Key, Mark, SMALL, Sheet, WIDTH, anchored, axes, band,
    dashed, font, ink, interval, line, line_color, padded, point, point_across, quiet, row_axes, span, tell,
    tinted,
};
use super::notes::{MAX_BARS, episodes_note, shown_note};
use super::plot::Plot;
use crate::error::LabError;
use crate::histogram::Histogram;
use crate::run::Run;
use crate::summary::{AgentSummary, Results, Summary, Visits};
use crate::text::{ordinal, percent_with_half};

const MAX_STEPS: usize = 4;
const MAX_LINES: usize = 8;
const MAX_SEAT_BARS: usize = 40;

/// The plots of a simulation: score distributions, win rates, effects of seat or turn order, lengths, the
/// game's figures. Meaningless plots, such as the win rate of a lone player, are left out.
///
/// # Errors
/// If drawing fails.
pub fn simulation_plots(run: &Run) -> Result<Vec<Plot>, LabError> {
    let summary = &run.summary;
    let crowd = summary.agents.len() > MAX_STEPS;
    let mut plots = vec![if crowd { score_ranges(summary)? } else { scores(run)? }];
    if summary.seats.len() > 1 {
        plots.push(results(summary)?);
        plots.push(spots(summary)?);
    }
    plots.push(lengths(run)?);
    plots.extend(distributions(run)?);
    plots.extend(figures_by_agent(summary)?);
    Ok(plots)
}

fn names(summary: &Summary, most: usize) -> String {
    let names: Vec<&str> = summary.agents.iter().take(most).map(|agent| agent.name.as_str()).collect();
    names.join(", ")
}

/// Share of all values in each bin of this width, from `low` on.
fn binned(histogram: &Histogram, low: i64, width: i64) -> Vec<f64> {
    let total = histogram.total().max(1) as f64;
    let mut bins = Vec::new();
    for (value, count) in histogram.iter() {
        let bin = usize::try_from((i128::from(value) - i128::from(low)) / i128::from(width)).unwrap_or(0);
        if bins.len() <= bin {
            bins.resize(bin + 1, 0.0);
        }
        bins[bin] += count as f64 / total;
    }
    bins
}

/// The smallest of 1, 2, 5, 10, … that gives at most 60 bins.
fn bin_width(low: i64, high: i64) -> i64 {
    let span = i128::from(high) - i128::from(low) + 1;
    let mut width: i128 = 1;
    loop {
        for factor in [1, 2, 5] {
            if span <= 60 * width * factor {
                return i64::try_from(width * factor).unwrap_or(i64::MAX);
            }
        }
        width *= 10;
    }
}

fn range_of(from: i64, width: i64) -> String {
    if width == 1 { from.to_string() } else { format!("{from} to {}", from + width - 1) }
}

fn scores(run: &Run) -> Result<Plot, LabError> {
    let summary = &run.summary;
    let shown = summary.agents.len();
    let low = summary.agents.iter().map(|agent| agent.score.min).min().unwrap_or(0);
    let high = summary.agents.iter().map(|agent| agent.score.max).max().unwrap_or(0);
    let width = bin_width(low, high);
    let low = low.div_euclid(width) * width;
    let unit = summary.score_unit;
    let bins: Vec<Vec<f64>> = (0..shown).map(|agent| binned(run.tally.scores(agent), low, width)).collect();
    let top = bins.iter().flatten().copied().fold(0.0, f64::max) * 100.0;
    let legend = summary.agents[..shown].iter().enumerate();
    let bin_note = match width {
        1 => format!("Share of episodes by score; one step per {}.", unit.trim_end_matches('s')),
        _ => format!("Share of episodes by score; a step is {width} {unit} wide."),
    };
    let sheet = Sheet {
        name: "scores".into(),
        title: "Distribution of scores".into(),
        note: format!("{} {bin_note} Dashed: mean.", episodes_note(summary),),
        alt: format!("Step lines of the distribution of scores for {}.", names(summary, shown)),
        legend: legend
            .map(|(index, agent)| Key::new(agent.name.clone(), Mark::Line, line_color(index)))
            .collect(),
        height: 380,
    };
    sheet.draw(&|area| {
        let end = low as f64 + bins.iter().map(Vec::len).max().unwrap_or(1) as f64 * width as f64;
        let y_text = AxisText::numbers("share of episodes in %");
        let mut chart = axes(
            area,
            padded(low as f64, end),
            (0.0, top * 1.06),
            &AxisText::whole(&format!("score in {unit}")),
            &y_text,
        )?;
        for (index, bins) in bins.iter().enumerate() {
            let mut points = vec![(low as f64, 0.0)];
            for (bin, share) in bins.iter().enumerate() {
                let left = low as f64 + bin as f64 * width as f64;
                points.push((left, 100.0 * share));
                points.push((left + width as f64, 100.0 * share));
                if *share > 0.0 {
                    let score = range_of(low + bin as i64 * width, width);
                    let text =
                        format!("{}, {score} {unit}: {:.1} %", summary.agents[index].name, 100.0 * share);
                    tell(&mut chart, (left + width as f64 / 2.0, 100.0 * share), text)?;
                }
            }
            let last = points.last().map_or(0.0, |point| point.0);
            points.push((last, 0.0));
            if shown == 1 {
                let fill = line_color(index).mix(0.25);
                chart.draw_series(std::iter::once(Polygon::new(points.clone(), fill)))?;
            }
            line(&mut chart, points, line_color(index), 2)?;
            // A score s is drawn from s to s + 1, so the mean is drawn half a point to the right.
            let mean = summary.agents[index].results.mean_score + 0.5;
            dashed(&mut chart, (mean, 0.0), (mean, top * 1.06), line_color(index))?;
        }
        Ok(())
    })
}

/// Score ranges of many agents: bars from the 10 % to the 90 % quantile instead of step lines.
fn score_ranges(summary: &Summary) -> Result<Plot, LabError> {
    let shown = summary.agents.len().min(MAX_BARS);
    let agents = &summary.agents[..shown];
    let unit = summary.score_unit;
    let color = line_color(0);
    let sheet = Sheet {
        name: "scores".into(),
        title: "Distribution of scores".into(),
        note: format!("{}{}", episodes_note(summary), shown_note(summary.agents.len(), MAX_BARS)),
        alt: agents.iter().fold("Bars of the spread of scores.".to_owned(), |text, agent| {
            let score = &agent.score;
            text + &format!(" {}: median {}, 10 % {}, 90 % {}.", agent.name, score.p50, score.p10, score.p90)
        }),
        legend: vec![
            Key::new("from 10 % to 90 % of episodes", Mark::Band, color),
            Key::new("lowest to highest", Mark::Line, color),
            Key::new("median", Mark::Ring, ink()),
            Key::new("mean with 95 % interval", Mark::Point, ink()),
        ],
        height: 70 + 30 * shown as u32,
    };
    sheet.draw(&|area| {
        let low = agents.iter().map(|agent| agent.score.min).min().unwrap_or(0) as f64;
        let high = agents.iter().map(|agent| agent.score.max).max().unwrap_or(0) as f64;
        let name = format!("score in {unit}");
        let names = agents.iter().map(|agent| agent.name.clone());
        let mut chart = row_axes(area, padded(low, high), &AxisText::whole(&name), names)?;
        for (index, agent) in agents.iter().enumerate() {
            let (y, score) = ((shown - 1 - index) as f64, &agent.score);
            let corners = [(score.p10 as f64, y - 0.3), (score.p90 as f64, y + 0.3)];
            chart.draw_series(std::iter::once(Rectangle::new(corners, color.mix(0.25).filled())))?;
            line(&mut chart, vec![(score.min as f64, y), (score.max as f64, y)], color, 2)?;
            let median = Circle::new((score.p50 as f64, y), 6, ink().stroke_width(2));
            chart.draw_series(std::iter::once(median))?;
            let at = (agent.results.mean_score, y);
            point_across(&mut chart, &agent.name, at, agent.results.mean_score_ci, ink())?;
        }
        Ok(())
    })
}

/// Colours of wins, draws and losses. They also differ in brightness, for readers without colour vision.
const WIN: RGBColor = RGBColor(0x00, 0x72, 0xb2);
const DRAW: RGBColor = RGBColor(0xf0, 0xe4, 0x42);
const LOSS: RGBColor = RGBColor(0xc4, 0xc4, 0xc4);

fn results(summary: &Summary) -> Result<Plot, LabError> {
    let shown = summary.agents.len().min(MAX_BARS);
    let agents = &summary.agents[..shown];
    let sheet = Sheet {
        name: "results".into(),
        title: "Wins, draws and losses".into(),
        note: format!(
            "{} Thin lines: 95 % intervals of wins (upper) and, from the right, losses (lower). A draw is a shared first place.{}",
            episodes_note(summary),
            shown_note(summary.agents.len(), MAX_BARS)
        ),
        alt: agents.iter().fold("Stacked bars of shares.".to_owned(), |text, agent| {
            let results = &agent.results;
            let share = |count: u64| 100.0 * count as f64 / results.episodes as f64;
            text + &format!(
                " {}: {:.1} % wins, {:.1} % draws, {:.1} % losses.",
                agent.name,
                share(results.wins),
                share(results.draws),
                share(results.losses)
            )
        }),
        legend: vec![
            Key::new("wins", Mark::Bar, WIN),
            Key::new("draws", Mark::Bar, DRAW),
            Key::new("losses", Mark::Bar, LOSS),
        ],
        height: 70 + 44 * shown as u32,
    };
    sheet.draw(&|area| {
        let names = agents.iter().map(|agent| agent.name.clone());
        let x_text = AxisText::numbers("share of episodes in %");
        let mut chart = row_axes(area, (0.0, 100.0), &x_text, names)?;
        for (index, agent) in agents.iter().enumerate() {
            let y = (shown - 1 - index) as f64;
            let results = &agent.results;
            let share = |count: u64| 100.0 * count as f64 / results.episodes as f64;
            let (win, draw) = (share(results.wins), share(results.draws));
            let parts = [
                ("wins", 0.0, win, WIN),
                ("draws", win, win + draw, DRAW),
                ("losses", win + draw, 100.0, LOSS),
            ];
            for (name, from, to, color) in parts {
                if to > from {
                    let corners = [(from, y - 0.32), (to, y + 0.32)];
                    chart.draw_series(std::iter::once(Rectangle::new(corners, color.filled())))?;
                    let text = format!("{}, {name}: {:.1} %", agent.name, to - from);
                    tell(&mut chart, ((from + to) / 2.0, y), text)?;
                }
            }
            // Separate lanes: with rare draws the two intervals would overlap.
            let losses = results.loss_ci.map(|end| 1.0 - end);
            for (lane, ends) in [(y + 0.11, results.win_ci), (y - 0.11, losses)] {
                interval(&mut chart, ends.map(|end| (100.0 * end, lane)), HORIZONTAL_CAP, BLACK)?;
            }
            if win > 14.0 {
                let text = percent_with_half(win / 100.0, results.win_ci);
                let style = anchored(tinted(font(SMALL), WHITE), HPos::Left, VPos::Center);
                chart.draw_series(std::iter::once(Text::new(text, (0.8, y), style)))?;
            }
            let loss = 100.0 - win - draw;
            if loss > 14.0 {
                let text = percent_with_half(loss / 100.0, results.loss_ci);
                let style = anchored(font(SMALL), HPos::Right, VPos::Center);
                chart.draw_series(std::iter::once(Text::new(text, (99.2, y), style)))?;
            }
        }
        Ok(())
    })
}

/// Seats, or turn positions in games that draw the order of turns.
struct Spots<'a> {
    name: &'static str,
    title: &'static str,
    axis: &'static str,
    note: &'static str,
    labels: Vec<String>,
    results: Vec<&'a Results>,
    of_agent: fn(&AgentSummary) -> Vec<(usize, &Visits)>,
}

impl<'a> Spots<'a> {
    fn of(summary: &'a Summary) -> Self {
        if summary.turns.is_empty() {
            return Self {
                name: "seats",
                title: "Effect of the seat",
                axis: "seat",
                note: "Seats are counted from 0.",
                labels: summary.seats.iter().map(|seat| seat.seat.to_string()).collect(),
                results: summary.seats.iter().map(|seat| &seat.results).collect(),
                of_agent: |agent| agent.by_seat.iter().map(|at| (at.seat, &at.visits)).collect(),
            };
        }
        Self {
            name: "turns",
            title: "What the order of turns does",
            axis: "place in the order of turns",
            note: "The order of turns is drawn in every episode.",
            labels: summary.turns.iter().map(|turn| ordinal(turn.turn)).collect(),
            results: summary.turns.iter().map(|turn| &turn.results).collect(),
            of_agent: |agent| agent.by_turn.iter().map(|at| (at.turn - 1, &at.visits)).collect(),
        }
    }
}

fn spots(summary: &Summary) -> Result<Plot, LabError> {
    let spots = Spots::of(summary);
    let count = spots.results.len();
    let shown = if summary.agents.len() <= MAX_LINES { summary.agents.len() } else { 0 };
    let (mark, marks) = if count > MAX_SEAT_BARS { (Mark::Band, "Bands") } else { (Mark::Point, "Bars") };
    let mut legend =
        vec![Key::new("all players", mark, ink()), Key::new("equal shares", Mark::Dashed, quiet())];
    let keys = summary.agents[..shown].iter().enumerate();
    legend.extend(keys.map(|(index, agent)| Key::new(agent.name.clone(), mark, line_color(index))));
    let sheet = Sheet {
        name: spots.name.into(),
        title: spots.title.into(),
        note: format!("{} {marks}: 95 % intervals. {}", episodes_note(summary), spots.note),
        alt: spots
            .labels
            .iter()
            .zip(&spots.results)
            .take(16)
            .fold(format!("Share of the win by {}:", spots.axis), |text, (label, results)| {
                text + &format!(" {label} {:.1} %.", 100.0 * results.win_share)
            }),
        legend,
        height: 340,
    };
    sheet.draw(&|area| {
        let (left, right) = area.split_horizontally(WIDTH / 2);
        let x = (-0.6, count as f64 - 0.4);
        let x_text = if count <= 16 {
            AxisText::words(spots.axis, &spots.labels)
        } else {
            AxisText::whole(spots.axis)
        };
        let intervals = spots.results.iter().map(|results| results.win_share_ci.map(|end| 100.0 * end));
        let fair = 100.0 / count as f64;
        let (low, high) = span(intervals.chain([[fair; 2]]));
        let share_text = AxisText::numbers("share of the win in %");
        let mut chart = axes(&left, x, padded(low, high), &x_text, &share_text)?;
        dashed(&mut chart, (x.0, fair), (x.1, fair), quiet())?;
        let share = |(at, results): (usize, &&Results)| {
            let ci = results.win_share_ci.map(|end| 100.0 * end);
            (format!("{} {}", spots.axis, spots.labels[at]), at as f64, 100.0 * results.win_share, Some(ci))
        };
        let shares: Vec<SeatPoint> = spots.results.iter().enumerate().map(share).collect();
        seat_points(&mut chart, &shares, count, ink())?;
        mean_by_spot(summary, &spots, shown, &right, x, &x_text)
    })
}

/// A point of a plot: label, place, value and interval.
type SeatPoint = (String, f64, f64, Option<[f64; 2]>);

/// Draws points as bars of intervals, or as a band for many seats.
fn seat_points(chart: &mut Axes<'_, '_>, points: &[SeatPoint], seats: usize, color: RGBColor) -> Drawn {
    if seats > MAX_SEAT_BARS {
        return band(chart, points, color);
    }
    for (what, x, value, interval) in points {
        point(chart, what, (*x, *value), *interval, color)?;
    }
    Ok(())
}

/// Mean scores by spot, of all players together and of every agent.
fn mean_by_spot(
    summary: &Summary,
    spots: &Spots<'_>,
    shown: usize,
    area: &Area<'_>,
    x: (f64, f64),
    x_text: &AxisText<'_>,
) -> Drawn {
    let count = spots.results.len();
    let lanes = (shown + 1) as f64;
    let place = |spot: usize, lane: usize| {
        let beside = if count > MAX_SEAT_BARS { 0.0 } else { 0.6 * ((lane as f64 + 0.5) / lanes - 0.5) };
        spot as f64 + beside
    };
    let all = spots.results.iter().enumerate();
    let what = |spot: usize, who: &str| format!("{} {}, {who}", spots.axis, spots.labels[spot]);
    let all = all.map(|(spot, results)| {
        (what(spot, "everybody"), place(spot, 0), results.mean_score, results.mean_score_ci)
    });
    let mut series: Vec<(RGBColor, Vec<SeatPoint>)> = vec![(ink(), all.collect())];
    for (index, agent) in summary.agents[..shown].iter().enumerate() {
        let points = (spots.of_agent)(agent).into_iter();
        let points = points.map(|(spot, at)| {
            (what(spot, &agent.name), place(spot, index + 1), at.mean_score, at.mean_score_ci)
        });
        series.push((line_color(index), points.collect()));
    }
    let points = series.iter().flat_map(|(_, points)| points);
    let (low, high) = span(points.map(|(_, _, mean, ci)| ci.unwrap_or([*mean; 2])));
    let name = format!("mean score in {}", summary.score_unit);
    let mut chart = axes(area, x, padded(low, high), x_text, &AxisText::numbers(&name))?;
    for (color, points) in &series {
        seat_points(&mut chart, points, count, *color)?;
    }
    Ok(())
}

fn lengths(run: &Run) -> Result<Plot, LabError> {
    let summary = &run.summary;
    let length = &summary.length;
    let (low, high) = (length.quantiles.min, length.quantiles.max);
    let width = bin_width(low, high);
    let low = low.div_euclid(width) * width;
    let bins = binned(&run.tally.lengths, low, width);
    let unit = summary.length_unit;
    let sheet = Sheet {
        name: "lengths".into(),
        title: "How long an episode is".into(),
        note: format!(
            "{} Mean {:.2} {unit} (dashed), standard deviation {}.",
            episodes_note(summary),
            length.mean,
            length.sd.map_or_else(|| "unknown".to_owned(), |sd| format!("{sd:.2}")),
        ),
        alt: format!(
            "Bars of the share of episodes by length: from {} to {} {unit}, median {}.",
            length.quantiles.min, length.quantiles.max, length.quantiles.p50
        ),
        legend: Vec::new(),
        height: 320,
    };
    sheet.draw(&|area| {
        let top = 106.0 * bins.iter().copied().fold(0.0, f64::max);
        let half = 0.5;
        let x = (low as f64 - half - 1.0, low as f64 + (bins.len() as i64 * width) as f64 - half + 1.0);
        let name = format!("length in {unit}");
        let mut chart =
            axes(area, x, (0.0, top), &AxisText::whole(&name), &AxisText::numbers("share of episodes in %"))?;
        let color = line_color(0);
        let gap = 0.06 * width as f64;
        for (bin, share) in bins.iter().enumerate() {
            let left = (low + bin as i64 * width) as f64 - half;
            let corners = [(left + gap, 0.0), (left + width as f64 - gap, 100.0 * share)];
            chart.draw_series(std::iter::once(Rectangle::new(corners, color.mix(0.75).filled())))?;
            if *share > 0.0 {
                let bin = range_of(low + bin as i64 * width, width);
                let text = format!("{bin} {unit}: {:.1} %", 100.0 * share);
                tell(&mut chart, (left + width as f64 / 2.0, 50.0 * share), text)?;
            }
        }
        dashed(&mut chart, (length.mean, 0.0), (length.mean, top), ink())
    })
}
