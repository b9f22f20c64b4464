//! Growth of work and files with the number of competitors, measured by doubling it: at most in proportion to
//! the pairs that met.

use meeple_arena::rating::{Entrant, Orders, RateOptions, rate};
use meeple_arena::schedule::Kind;
use meeple_arena::{Bots, RecordStore, RunOptions, Standings, TournamentPlan, run, verify, write_results};
use meeple_core::Stream;
use meeple_lab::{NoProgress, StopFlag};

use crate::request;

/// Operations of rating this number of competitors.
fn work(competitors: u16, orders: impl Fn(&mut Stream, &mut Orders, u16)) -> f64 {
    let (mut stream, mut found) = (Stream::from_seed(3), Orders::new(competitors.into()));
    orders(&mut stream, &mut found, competitors);
    rate(&found, &RateOptions { resamples: 20, ..RateOptions::default() }).unwrap().work as f64
}

/// Adds an order in which the later numbers tend to be a little stronger.
fn race(stream: &mut Stream, orders: &mut Orders, group: u64, table: &[u16]) {
    let strength = |own: u16| 2.0 * f64::from(own) / orders.competitors() as f64;
    let mut race: Vec<(f64, usize)> = (0..table.len())
        .map(|seat| (-(1.0 - stream.unit()).ln() / strength(table[seat]).exp(), seat))
        .collect();
    race.sort_by(|a, b| a.0.total_cmp(&b.0));
    let entrant = |(place, (_, seat)): (usize, &(f64, usize))| Entrant {
        competitor: table[*seat],
        seat: *seat as u16,
        place: place as u32,
    };
    orders.add(group, &race.iter().enumerate().map(entrant).collect::<Vec<_>>());
}

fn round_robin(stream: &mut Stream, orders: &mut Orders, competitors: u16) {
    let pairs = (0..competitors).flat_map(|own| (own + 1..competitors).map(move |other| [own, other]));
    for (group, pair) in (0..).zip(pairs) {
        race(stream, orders, group, &pair);
        race(stream, orders, group, &[pair[1], pair[0]]);
    }
}

fn battle_royale(stream: &mut Stream, orders: &mut Orders, competitors: u16) {
    let mut all: Vec<u16> = (0..competitors).collect();
    for round in 0..4 {
        stream.shuffle(&mut all);
        for (group, table) in (1000 * round..).zip(all.chunks(8)) {
            race(stream, orders, group, table);
        }
    }
}

#[test]
fn ratings_look_at_no_more_than_who_has_met() {
    // Doubling the competitors gives four times the pairs; the work per pair hardly grows.
    let pairs: Vec<f64> = [40, 80, 160].map(|competitors| work(competitors, round_robin)).into();
    assert!(pairs[1] < 5.0 * pairs[0] && pairs[2] < 5.0 * pairs[1], "round robin: {pairs:?}");
    // Doubling gives twice the tables. The number of steps depends on the draw, so sizes four times apart are
    // compared.
    let tables: Vec<f64> = [160, 320, 640, 1280].map(|competitors| work(competitors, battle_royale)).into();
    assert!(tables[2] < 6.0 * tables[0] && tables[3] < 6.0 * tables[1], "battle royale: {tables:?}");
}

fn tournament(competitors: usize) -> TournamentPlan {
    let names: Vec<String> =
        (0..competitors).map(|own| format!("random:{}", 0.001 * (own + 1) as f64)).collect();
    let mut request = request("incan-gold", &names.join(" "));
    request.schedule = Some(Kind::BattleRoyale);
    (request.deals, request.rotations, request.resamples) = (Some(1), Some(1), 50);
    request.plan().unwrap()
}

fn written(plan: &TournamentPlan, directory: &std::path::Path) -> Standings {
    let mut store = RecordStore::create(directory, plan, "meeple test").unwrap();
    let mut options = RunOptions { threads: 1, progress: &mut NoProgress, stop: &StopFlag::new() };
    run(plan, &mut store, &mut Bots::none(), &mut options).unwrap();
    let (standings, _) = write_results(plan, &store, Some(directory), 1).unwrap();
    store.close().unwrap();
    standings
}

#[test]
fn files_of_many_grow_as_the_many_do() {
    let sizes = [101, 202, 404].map(|competitors| {
        let directory = tempfile::tempdir().unwrap();
        let standings = written(&tournament(competitors), directory.path());
        assert!(standings.matchups.is_empty() && standings.better.is_empty());
        ["report.html", "standings.json", "standings.csv", "matchups.csv"]
            .map(|name| std::fs::metadata(directory.path().join(name)).unwrap().len())
    });
    for (file, name) in ["report", "JSON", "CSV", "matchups"].iter().enumerate() {
        let [small, middle, large] = sizes.map(|files| files[file] as f64);
        // Differences of sizes cancel the constant part of a file.
        assert!(large - middle < 2.3 * (middle - small), "{name}: {small}, {middle}, {large} bytes");
    }
    assert!(sizes[2][0] < 500_000, "the report of 404: {} bytes", sizes[2][0]);
}

#[test]
fn the_pairs_of_many_have_a_file_which_is_proved() {
    for competitors in [100, 101] {
        let directory = tempfile::tempdir().unwrap();
        let standings = written(&tournament(competitors), directory.path());
        let path = directory.path().join("matchups.csv");
        let report = std::fs::read_to_string(directory.path().join("report.html")).unwrap();
        assert_eq!(path.exists(), competitors == 101);
        assert_eq!(report.contains("<a href=\"matchups.csv\">"), competitors == 101);
        assert_eq!(standings.matchups.len(), if competitors == 101 { 0 } else { 100 });
        if competitors == 100 {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let mut lines = text.lines();
        let head = "name,against,episodes,before,tied,mean_difference,share,share_error,chance_better";
        assert_eq!(lines.next(), Some(head));
        let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
        assert_eq!(rows.len(), standings.pairs.len());
        assert!(rows.iter().all(|row| row.len() == 9), "{text}");
        let met = standings.pairs.iter().filter(|pair| pair.own.min(pair.other) == 0).count();
        assert_eq!(rows.iter().filter(|row| row[0] == standings.standings[0].name).count(), met);
        for pair in &standings.pairs {
            let matchup = &pair.matchup;
            let expected = (matchup.before as f64 + 0.5 * matchup.tied as f64) / matchup.episodes as f64;
            assert!((matchup.share - expected).abs() < 1e-12, "{pair:?}");
        }
        let problems = || {
            let stop = StopFlag::new();
            verify(directory.path(), &mut NoProgress, &stop).unwrap().problems
        };
        assert_eq!(problems(), Vec::<String>::new());
        std::fs::write(&path, text.replacen(",0.5,", ",0.6,", 1)).unwrap();
        assert!(problems().iter().any(|problem| problem.starts_with("matchups.csv: ")), "{:?}", problems());
    }
}
