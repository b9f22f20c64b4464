//! Entrants that do not play.

use meeple_arena::schedule::Kind;
use meeple_arena::{Failed, RecordStore, report, verify, write_results};
use meeple_lab::{NoProgress, StopFlag};

use crate::{play_all, request};

/// Every entrant is in every result, also those that do not play, with the reason.
#[test]
fn every_entrant_is_in_every_result() {
    let mut request = request("incan-gold", "turn:7 random:0.5");
    (request.schedule, request.deals, request.resamples) = (Some(Kind::Single), Some(3), 50);
    let mut plan = request.plan().unwrap();
    plan.failed = vec![Failed {
        name: "broken".into(),
        run: "./broken.py".into(),
        number: Some(3),
        reason: "bot 'broken' did not say hello: \u{1b}[2J\nhint: import it, \"as\" documented".into(),
    }];
    let directory = tempfile::tempdir().unwrap();
    let standings = play_all(&plan, directory.path());
    let read = |name: &str| std::fs::read_to_string(directory.path().join(name)).unwrap();
    let json: serde_json::Value = serde_json::from_str(&read("standings.json")).unwrap();
    let entrants = ["standings", "not_played"].map(|list| json[list].as_array().unwrap().len());
    assert_eq!(entrants, [2, 1]);
    assert_eq!(json["not_played"][0]["name"], "broken");
    let table = read("standings.csv");
    let columns = |line: &str| line.split("\"bot").next().unwrap().matches(',').count();
    let [header, first, _, broken, hint] = table.lines().collect::<Vec<_>>()[..] else { panic!("{table}") };
    assert!(header.ends_with(",forfeits,not_played"), "{header}");
    assert_eq!([columns(header), columns(first), columns(broken)], [25; 3], "{table}");
    assert!(broken.starts_with(",broken,./broken.py,bot,") && broken.contains("\\u{1b}[2J"), "{broken}");
    assert_eq!(hint, "hint: import it, \"\"as\"\" documented\"");
    let shown = report::tables(&standings, &Default::default(), None);
    for text in [&shown, &read("report.html")] {
        assert!(text.contains("broken (did not play)"), "{text}");
        assert!(text.contains("did not say hello") && !text.contains('\u{1b}'), "{text}");
    }
    assert!(read("report.html").contains("2, and 1 that did not play"));
    let found = verify(directory.path(), &mut NoProgress, &StopFlag::new()).unwrap();
    assert!(found.is_proved(), "{found:?}");
    // Plans of format 2 have no reason, so their results leave these entrants out.
    plan.format = 2;
    plan.failed = serde_json::from_str(r#"[{"run":"./broken.py","number":3}]"#).unwrap();
    let store = RecordStore::in_memory(&plan, "").unwrap();
    let (standings, _) = write_results(&plan, &store, None, 1).unwrap();
    assert!(standings.not_played.is_empty() && !standings.to_json().contains("not_played"));
    assert!(plan.to_text().contains(r#""failed":[{"run":"./broken.py","number":3}]"#));
}
