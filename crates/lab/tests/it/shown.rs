//! Presentation of results: tables, plots, reports.

use std::sync::Arc;

use meeple_core::Seating;
use meeple_lab::plots::{Plot, simulation_plots, sweep_plots};
use meeple_lab::report::{simulation_report, sweep_report};
use meeple_lab::table::{simulation_tables, sweep_tables};
use meeple_lab::{NoProgress, Run, StopFlag, Sweep, SweepOptions, SweepResult, sweep};

use crate::{play, set_up, settings, simulation, toy, words};

fn run(set: &str, line_up: &str, episodes: u64) -> Run {
    play(&simulation(&set_up(set, line_up), episodes))
}

fn swept(set: &str, line_up: &str, episodes: u64) -> SweepResult {
    let it = Sweep::new(&*toy::entry(), None, &settings(set), &words(line_up)).unwrap();
    let options = SweepOptions { seed: 3, episodes, seating: Seating::Rotate, threads: 2 };
    sweep(&it, &options, &mut NoProgress, &StopFlag::new()).unwrap()
}

/// Checks that a plot is well-formed, fits its picture, has texts for screen readers and no NaN, and draws as
/// PNG.
fn check(plot: &Plot, texts: &[&str]) {
    let svg = plot.to_svg();
    let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{}: {error}", plot.name));
    let root = document.root_element();
    let child =
        |name: &str| root.children().find(|node| node.has_tag_name(name)).and_then(|node| node.text());
    assert_eq!(
        (child("title"), child("desc")),
        (Some(plot.scene.title.as_str()), Some(plot.scene.description.as_str()))
    );
    assert_eq!(root.attribute("role"), Some("img"));
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{}", plot.name);
    let shown: Vec<String> = document
        .descendants()
        .filter(|node| node.has_tag_name("text"))
        .map(|node| node.text().unwrap_or_default().trim().to_owned())
        .collect();
    for text in texts {
        assert!(shown.iter().any(|own| own.contains(text)), "{}: '{text}' is not in {shown:?}", plot.name);
    }
    let (width, height) = (
        root.attribute("width").and_then(|width| width.parse::<f64>().ok()).unwrap(),
        root.attribute("height").and_then(|height| height.parse::<f64>().ok()).unwrap(),
    );
    // Every text begins inside the picture.
    for node in document.descendants().filter(|node| node.has_tag_name("text")) {
        let at = |name: &str| node.attribute(name).and_then(|at| at.parse::<f64>().ok()).unwrap();
        assert!(
            (0.0..=width).contains(&at("x")) && (0.0..=height).contains(&at("y")),
            "{}: {node:?}",
            plot.name
        );
    }
    let png = plot.to_png().unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(&png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((f64::from(info.width), f64::from(info.height)), (2.0 * width, 2.0 * height));
    assert!(pixels.chunks(4).filter(|pixel| pixel[0] < 0x60).count() > 500, "{}", plot.name);
}

#[test]
fn every_plot_of_a_simulation_is_a_labelled_picture() {
    let plots = simulation_plots(&run("", "at-least:4 mixed:5,0.3 coin*2", 3_000)).unwrap();
    let names: Vec<&str> = plots.iter().map(|plot| plot.name.as_str()).collect();
    assert_eq!(names, ["scores", "results", "seats", "lengths", "distributions", "figures"]);
    check(
        &plots[0],
        &["score in points", "share of episodes in %", "at-least:4", "mixed:5,0.3", "3,000 episodes"],
    );
    check(&plots[1], &["wins", "draws", "losses", "±", "coin"]);
    check(&plots[2], &["share of the win in %", "mean score in points", "seat"]);
    check(&plots[3], &["length in rounds"]);
    check(&plots[4], &["sixes, in dice", "last die, in dice", "low", "leader, in seats", "nobody", "coin"]);
    check(
        &plots[5],
        &[
            "takes (per seat), in rounds",
            "take share",
            "next: nobody, in % of seats",
            "parity: even, in % of seats",
        ],
    );
    // A lone player cannot lose, so the plots of results and seats are missing.
    let solo = simulation_plots(&run("", "coin", 10)).unwrap();
    let names: Vec<&str> = solo.iter().map(|plot| plot.name.as_str()).collect();
    assert_eq!(names, ["scores", "lengths", "distributions", "figures"]);
    // If the order of turns is drawn, results by seat carry no information.
    let drawn = simulation_plots(&run("drawn=on", "at-least:4 coin*2", 500)).unwrap();
    let names: Vec<&str> = drawn.iter().map(|plot| plot.name.as_str()).collect();
    assert_eq!(names, ["scores", "results", "turns", "lengths", "distributions", "figures"]);
    check(&drawn[2], &["What the order of turns does", "place in the order of turns", "1st", "3rd"]);
}

#[test]
fn plots_stand_hard_cases() {
    // Cases: one episode, one score, huge scores, negative scores, a long name, many seats.
    let cases = [
        ("", "coin", 1),
        ("sides=1", "coin coin", 5),
        ("bonus=1000000000", "coin at-least:3", 40),
        ("bonus=-1000000000 rounds=50", "coin", 40),
        ("sides=20 rounds=50", "mixed:least=3,chance=0.123456789 coin*5", 200),
        ("", "coin coin coin coin coin coin", 30),
    ];
    for (set, line_up, episodes) in cases {
        for plot in simulation_plots(&run(set, line_up, episodes)).unwrap() {
            check(&plot, &["episode"]);
        }
    }
}

#[test]
fn every_plot_of_a_sweep_is_a_labelled_picture() {
    let solo = sweep_plots(&swept("", "solo at-least:1..6", 300)).unwrap();
    let names: Vec<&str> = solo.iter().map(|plot| plot.name.as_str()).collect();
    assert_eq!(names, ["scores", "lengths", "endings", "figures"]);
    solo.iter().for_each(|plot| check(plot, &["300 episodes per value"]));
    check(&solo[1], &["length in rounds", "median"]);
    check(&solo[2], &["high die", "low die", "share of episodes in %"]);
    check(&solo[3], &["sixes, in dice", "take share, in share", "last die: high, in % of episodes"]);
    let expected =
        ["highest", "lowest", "mean with 95 % interval", "best three", "at-least: The smallest die to take"];
    check(&solo[0], &expected);
    let against = sweep_plots(&swept("", "at-least:1..6 coin", 100)).unwrap();
    let names: Vec<&str> = against.iter().map(|plot| plot.name.as_str()).collect();
    // Fourteen figures and words of figures fill two sheets.
    let play = ["lengths", "endings", "figures", "figures-2"];
    assert_eq!(names, [&["win-share", "scores-1", "scores-2"][..], &play].concat());
    against.iter().for_each(|plot| check(plot, &["100 episodes per value"]));
    let both = swept("", "at-least:1..6 x at-least:1..6", 50);
    let maps = sweep_plots(&both).unwrap();
    let names: Vec<&str> = maps.iter().map(|plot| plot.name.as_str()).collect();
    assert_eq!(names, ["heat-1", "heat-2", "lengths", "endings", "figures", "figures-2"]);
    check(&maps[2], &["mean length in rounds", "at-least (2nd)"]);
    check(&maps[3], &["ended by high die, in %", "ended by low die, in %"]);
    for map in &maps[..2] {
        check(map, &["wins in %", "draws in %", "losses in %", "mean score in points", "at-least (2nd)"]);
    }
    // Every cell of every map has its number.
    let cell = &both.cells[7].run.summary.agents[0].results;
    check(&maps[0], &[&format!("{:.1}", 100.0 * cell.draws as f64 / 50.0)]);
    let rules = sweep_plots(&swept("rounds=1..3 sides=2|6|12", "solo coin", 50)).unwrap();
    check(&rules[0], &["sides", "rounds", "mean score in points"]);
    // The axes have a single value, or numbers at uneven distances.
    for (set, line_up) in
        [("", "solo at-least:3..3"), ("rounds=1|20|50", "coin coin"), ("rounds=1..2 sides=5..5", "coin")]
    {
        for plot in sweep_plots(&swept(set, line_up, 20)).unwrap() {
            check(&plot, &["20 episodes"]);
        }
    }
}

/// The texts of a plot with their y coordinates.
fn texts(plot: &Plot) -> Vec<(i64, String)> {
    let svg = plot.to_svg();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let text = |node: roxmltree::Node<'_, '_>| {
        let y = node.attribute("y").unwrap().parse::<f64>().unwrap();
        (y as i64, node.text().unwrap_or_default().trim().to_owned())
    };
    document.descendants().filter(|node| node.has_tag_name("text")).map(text).collect()
}

/// Tick labels of the lower axis, whose name stands below them.
fn lower_ticks(plot: &Plot) -> Vec<String> {
    let texts = texts(plot);
    let name = texts.iter().map(|(y, _)| *y).max().unwrap();
    let line = texts.iter().map(|(y, _)| *y).filter(|y| *y < name).max().unwrap();
    let mut ticks: Vec<String> =
        texts.into_iter().filter(|(y, _)| *y == line).map(|(_, text)| text).collect();
    ticks.sort();
    ticks
}

#[test]
fn numbers_of_an_axis_have_one_form() {
    let plot = |set: &str| sweep_plots(&swept(set, "solo coin", 5)).unwrap().remove(0);
    let check = |set: &str, expected: &[&str]| assert_eq!(lower_ticks(&plot(set)), expected, "{set}");
    check("bonus=0..1500000+500000", &["0", "0.2M", "0.4M", "0.6M", "0.8M", "1.0M", "1.2M", "1.4M"]);
    check("bonus=0..20000+10000", &["0", "10k", "12k", "14k", "16k", "18k", "20k", "2k", "4k", "6k", "8k"]);
    check("bonus=0..8000+4000", &["0", "1000", "2000", "3000", "4000", "5000", "6000", "7000", "8000"]);
    // Scores this close to each other have no unit.
    check("bonus=1000000..1000002", &["1,000,000", "1,000,001", "1,000,002"]);
    let tens: Vec<String> = (10..=20).map(|thousands| format!("-{thousands}k")).collect();
    check("bonus=-20000..-10000+5000", &tens.iter().map(String::as_str).collect::<Vec<_>>());
    let upright = texts(&plot("bonus=0..1500000+500000"));
    let scores: Vec<&str> =
        upright.iter().map(|(_, text)| text.as_str()).filter(|text| text.ends_with('M')).collect();
    // The number includes labels of the lower axis.
    assert!(scores.len() >= 7 + 3, "{scores:?}");
    assert!(scores.iter().all(|text| text.len() == 4), "{scores:?}");
}

#[test]
fn axes_of_whole_numbers_have_whole_ticks() {
    let check = |set: &str, expected: &[&str]| {
        for plot in sweep_plots(&swept(set, "coin coin", 5)).unwrap() {
            // Panels have axes of their own.
            if !plot.name.starts_with("figures") {
                assert_eq!(lower_ticks(&plot), expected, "{} of {set}", plot.name);
            }
        }
    };
    check("rounds=1..3", &["1", "2", "3"]);
    check("rounds=4..4", &["4"]);
    let plots = simulation_plots(&run("rounds=2", "coin coin", 20)).unwrap();
    for name in ["scores", "lengths"] {
        let plot = plots.iter().find(|plot| plot.name == name).unwrap();
        let ticks = lower_ticks(plot);
        assert!(ticks.len() > 1 && ticks.iter().all(|tick| tick.parse::<i64>().is_ok()), "{ticks:?}");
    }
}

#[test]
fn large_numbers_in_cells_are_short() {
    let maps = sweep_plots(&swept("rounds=1..2 bonus=50000|200000", "solo coin", 5)).unwrap();
    let shown: Vec<String> = texts(&maps[0]).into_iter().map(|(_, text)| text).collect();
    // Each number is in two cells and at an end of the colour bar.
    assert_eq!(shown.iter().filter(|text| *text == "50k").count(), 3, "{shown:?}");
    assert_eq!(shown.iter().filter(|text| *text == "200k").count(), 3, "{shown:?}");
    check(&maps[0], &["bonus: Added to every score.", "Rounds in an episode."]);
}

#[test]
fn tables_say_what_the_summary_says() {
    let run = run("", "at-least:4 coin*2", 2_000);
    let text = simulation_tables(&run, None);
    let results = &run.summary.agents[0].results;
    let wins = format!("{:.2}", 100.0 * results.wins as f64 / 2_000.0);
    let row = text.lines().find(|line| line.starts_with("at-least:4")).unwrap();
    assert!(row.contains(wins.trim_end_matches('0').trim_end_matches('.')), "{row}");
    for word in [
        "wins %",
        "losses %",
        "mean points",
        "high die",
        "take share",
        "takes (per episode)",
        "takes (per seat)",
        "2,000 episodes",
        "per second",
        "seat",
    ] {
        assert!(text.contains(word), "{word} is not in\n{text}");
    }
    assert!(text.lines().all(|line| line == line.trim_end()), "no blanks at line ends");
    let narrow = simulation_tables(&run, Some(60));
    assert!(narrow.lines().filter(|line| line.contains("at-least")).all(|line| line.chars().count() <= 60));
}

#[test]
fn wide_tables_of_figures_are_turned() {
    let few = simulation_tables(&run("", "coin at-least:3", 20), None);
    assert!(
        few.lines().any(|line| line.starts_with("mean per seat ") && line.ends_with("parity: even")),
        "{few}"
    );
    // The summary gets 20 more figures, too many for one row of heads.
    let mut wide = run("", "coin at-least:3", 20);
    for agent in &mut wide.summary.agents {
        let takes = *agent.stats.get("takes").unwrap();
        agent.stats.0.extend((0..20).map(|number| (format!("figure_number_{number}").into(), takes)));
    }
    let takes = *wide.summary.figures.get("takes").unwrap();
    Arc::make_mut(&mut wide.summary.figures)
        .0
        .extend((0..20).map(|number| (format!("figure_number_{number}").into(), takes)));
    let text = simulation_tables(&wide, None);
    assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("mean per seat")).collect();
    assert!(
        table[0].contains("coin") && table[0].contains("at-least:3") && table[2].starts_with("takes"),
        "{text}"
    );
    assert_eq!(table.iter().filter(|line| line.starts_with("figure number")).count(), 20);
    // A continued run may have nothing left to play.
    wide.timing.episodes = 0;
    assert!(simulation_tables(&wide, None).ends_with("\nnothing was left to play\n"));
    assert!(
        sweep_tables(&swept("", "solo at-least:3..3", 20), None).contains("at-least (1 value), 20 episodes")
    );
}

#[test]
fn tables_of_a_sweep_name_the_best() {
    let result = swept("rounds=1", "solo at-least:1..6", 2_000);
    let text = sweep_tables(&result, None);
    let best = text.split("Best three by mean score").nth(1).unwrap().split("\n\n").next().unwrap();
    let places: Vec<Vec<&str>> = best
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words.contains(&"±") && words.len() > 4 && !words.contains(&"is"))
        .collect();
    assert_eq!(places.len(), 3, "{text}");
    assert_eq!(places[0][..3], ["at-least", "1", "3"]);
    let matrix = sweep_tables(&swept("", "at-least:1..3 x at-least:1..2", 20), None);
    assert!(
        matrix.contains("at-least (1st): wins %") && matrix.contains("at-least (2nd): mean points"),
        "{matrix}"
    );
}

#[test]
fn lone_players_and_several_stand_in_one_table() {
    let result = swept("", "at-least:4*1..3", 300);
    assert_eq!(result.cells[0].run.summary.seats.len(), 1);
    let text = sweep_tables(&result, None);
    let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("seats of")).collect();
    // Every row ends where the header does, and the lone player has no wins.
    let width = table[0].chars().count();
    assert!(table[0].contains("wins %") && table[0].contains("win share %"), "{text}");
    assert!(table[2..5].iter().all(|row| row.chars().count() == width), "{text}");
    assert_eq!(table[2].matches('–').count(), 4, "{text}");
    assert_eq!(table[3].matches('–').count(), 0, "{text}");
    // All cells are ranked by the mean score, which all of them have.
    assert!(result.ranks_by_score() && text.contains("Best three by mean score"), "{text}");
    let mean = |cell: &&meeple_lab::Cell| cell.run.summary.agents[0].results.mean_score;
    let means: Vec<f64> = result.best(0, 3).iter().map(mean).collect();
    assert!(means.is_sorted_by(|left, right| left >= right), "{means:?}");
    let report = sweep_report(&result, &[], "");
    for row in report.split("<tr>").skip(1) {
        let row = row.split("</tr>").next().unwrap();
        let cells = row.matches("<td").count() + row.matches("<th").count();
        // Cells in a row, by table: parameters, end reasons, figures, their meanings, the best, lengths, all
        // cells.
        assert!([2, 3, 4, 6, 7, 8, 11].contains(&cells), "{cells} cells in {row}");
    }
    // The same holds with two axes.
    let text = sweep_tables(&swept("rounds=1..2", "at-least:4*1..2", 50), None);
    assert!(
        text.contains("wins %") && text.lines().any(|line| line.starts_with("1 ") && line.ends_with('–')),
        "{text}"
    );
}

#[test]
fn reports_stand_alone() {
    let run = run("note=<b>&\"x\"", "Ann=coin at-least:3", 100);
    let report = simulation_report(&run, &simulation_plots(&run).unwrap(), "meeple sim toy 'coin' -n 100");
    assert!(
        report.contains("meeple sim toy 'coin' -n 100")
            || report.contains("meeple sim toy &#39;coin&#39; -n 100")
    );
    assert!(report.contains("&lt;b&gt;&amp;") && !report.contains("<b>&"), "settings are escaped");
    assert_eq!(report.matches("<svg").count(), 6);
    assert_eq!(report.matches("<h1").count(), 1);
    let result = swept("", "at-least:1..3 x at-least:1..2", 20);
    let sweep = sweep_report(&result, &sweep_plots(&result).unwrap(), "meeple sweep toy");
    for page in [&report, &sweep] {
        for outside in ["<script", "src=", "href=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside} would need a network or a program");
        }
        let addresses = page.matches("://").count();
        assert_eq!(addresses, page.matches("http://www.w3.org/2000/svg").count(), "only the name of SVG");
        assert!(page.contains("width=device-width") && page.contains("prefers-color-scheme:dark"));
    }
}
