//! No interval of a result has width zero.

use meeple_arena::schedule::Kind;
use meeple_arena::{Bots, RecordStore, RunOptions, Standings, TournamentPlan, report, run, write_results};
use meeple_lab::{NoProgress, StopFlag, wilson_interval};

use crate::{play_all, request};

/// Every interval of the standings: a name, the estimate, and its interval.
fn intervals(standings: &Standings) -> Vec<(String, f64, Option<[f64; 2]>)> {
    let mut all = Vec::new();
    for own in &standings.standings {
        all.push((format!("win share of {}", own.name), own.win_share, own.win_share_ci));
        all.push((format!("mean score of {}", own.name), own.mean_score, own.mean_score_ci));
        if let Some(rating) = &own.rating {
            all.push((format!("points of {}", own.name), rating.points, rating.interval));
        }
    }
    let seats = standings.seats.iter();
    all.extend(seats.map(|own| (format!("seat {}", own.seat), own.points, own.interval)));
    all
}

fn plan(words: &str, kind: Kind, deals: u64) -> TournamentPlan {
    let mut request = request("incan-gold", words);
    (request.schedule, request.deals, request.resamples) = (Some(kind), Some(deals), 50);
    request.plan().unwrap()
}

/// Covers schedules, numbers of deals, clean sheets (`never` always loses its treasure) and equal players.
#[test]
fn no_interval_has_width_zero() {
    for (words, kind) in [
        ("turn:7 never", Kind::Single),
        ("never other=never", Kind::Single),
        ("turn:7 same=turn:7", Kind::Single),
        ("turn:7 never random:0.5", Kind::Single),
        ("turn:7 never random:0.5", Kind::RoundRobin),
        ("turn:7 never", Kind::Alone),
    ] {
        for deals in [1, 2, 3, 12, 40] {
            let plan = plan(words, kind, deals);
            let mut store = RecordStore::in_memory(&plan, "").unwrap();
            let (mut progress, stop) = (NoProgress, StopFlag::new());
            let mut options = RunOptions { threads: 1, progress: &mut progress, stop: &stop };
            run(&plan, &mut store, &mut Bots::none(), &mut options).unwrap();
            let (standings, _) = write_results(&plan, &store, None, 1).unwrap();
            for (name, value, interval) in intervals(&standings) {
                let what = format!("{words}, {kind:?}, {deals} deals, {name}: {value} {interval:?}");
                if let Some([low, high]) = interval {
                    assert!(low < high && low <= value && value <= high, "{what}");
                }
                assert!(interval.is_some() || !name.starts_with("win share"), "{what}");
                let is_anchor = name == format!("points of {}", standings.anchor.clone().unwrap_or_default());
                assert!(!is_anchor || interval.is_none(), "{what}");
            }
            let shown = report::tables(&standings, &Default::default(), None);
            assert!(!shown.contains("± 0.0 ") && !shown.contains("± 0\n"), "{words}, {deals}: {shown}");
        }
    }
}

/// The interval of a clean sheet in n deals is that of Wilson for n wins.
#[test]
fn a_clean_sheet_is_not_certain() {
    let directory = tempfile::tempdir().unwrap();
    let standings = play_all(&plan("turn:7 never", Kind::Single, 12), directory.path());
    let [first, last] = &standings.standings[..] else { panic!("two play") };
    assert_eq!((first.name.as_str(), first.win_share, last.win_share), ("turn:7", 1.0, 0.0), "{first:?}");
    assert_eq!(first.win_share_ci, Some(wilson_interval(1.0, 12.0)));
    assert_eq!(last.win_share_ci, Some(wilson_interval(0.0, 12.0)));
    // Scores that are all 0 give no estimate of their spread, so the mean has no interval.
    assert_eq!((last.mean_score, last.mean_score_ci), (0.0, None));
    let table = report::csv(&standings);
    let row = table.lines().find(|line| line.starts_with("2,never")).unwrap();
    assert!(row.contains(",0,,,0,0,0,,0,"), "empty cells where nothing can be said: {row}");
}
