//! Competitions: the results equal those of the command line, whatever happens in between.

use std::path::Path;

use meeple_arena::schedule::Kind;
use meeple_arena::{
    Bots, RecordStore, Request, RunOptions, Standings, TournamentPlan, report, run, write_results,
};
use meeple_core::Replay;
use meeple_lab::{NoProgress, StopFlag};

use crate::client::{Browser, options, start, start_with, until};
use crate::restart::process;

/// Sends a form, and returns the address of the competition.
fn ask(browser: &mut Browser, game: &str, fields: &[(&str, &str)]) -> String {
    let answer = browser.post(&format!("/competitions/{game}"), fields);
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.header("location").unwrap().to_owned()
}

/// The request that `meeple tournament` makes of these words.
fn request(game: &str, words: &[&str], deals: u64, seed: &str) -> Request {
    let mut request = Request::new(game);
    words.iter().for_each(|word| request.add(word));
    (request.deals, request.seed) = (Some(deals), Some(seed.parse().unwrap()));
    request
}

/// Plays a plan in one piece, as the command line does.
fn played(plan: &TournamentPlan, store: &mut RecordStore) -> Standings {
    let (mut watch, stop) = (NoProgress, StopFlag::new());
    let mut how = RunOptions { threads: 1, progress: &mut watch, stop: &stop };
    run(plan, store, &mut Bots::none(), &mut how).unwrap();
    Standings::compute(plan, store, 1).unwrap()
}

/// The command line's output with `--json` and `--csv`.
fn expected(request: &Request) -> (String, String) {
    let plan = request.plan().unwrap();
    let standings = played(&plan, &mut RecordStore::in_memory(&plan, "").unwrap());
    (standings.to_json(), report::csv(&standings))
}

fn check(browser: &mut Browser, competition: &str, request: &Request) {
    let (json, csv) = expected(request);
    assert_eq!(browser.get(&format!("{competition}/standings.json")).body, json);
    assert_eq!(browser.get(&format!("{competition}/standings.csv")).body, csv);
}

const FOUR: [(&str, &str); 4] = [
    ("others", "turn:7\nbackpack:20\r\nbold=turn:9\nrandom:0.2"),
    ("deals", "30"),
    ("seed", "0x5"),
    ("set.rounds", "4"),
];

fn four() -> Request {
    let words = ["turn:7", "backpack:20", "bold=turn:9", "random:0.2"];
    let mut request = request("incan-gold/classic", &words, 30, "5");
    request.set.push(("rounds".to_owned(), "4".to_owned()));
    request
}

#[test]
fn a_competition_is_what_the_command_line_plays() {
    let server = start(None);
    let mut browser = server.browser();
    let competition = ask(&mut browser, "incan-gold", &FOUR);
    let page = browser.until_ended(&competition);
    for words in [
        "Done: 360 episodes.",
        "Who finished before whom",
        "Effect of the seat",
        "<svg",
        "meeple tournament incan-gold/classic turn:7 backpack:20 ",
        "--schedule round-robin --table 2 -n 30 --seed 5 --set ",
    ] {
        assert!(page.body.contains(words), "{words}: {}", page.body);
    }
    check(&mut browser, &competition, &four());
    // The same question has the same address, and its answer is there.
    assert_eq!(ask(&mut browser, "incan-gold", &FOUR), competition);
    assert!(browser.get(&competition).body.contains("Done: 360"));
    assert!(browser.get("/competitions").body.contains(&format!("href=\"{competition}\"")));
    // The form is filled with all of it.
    let again = browser.get(&format!("/competitions/incan-gold?from={}", &competition[3..])).body;
    for kept in ["turn:7\nbackpack:20\nbold=turn:9\nrandom:0.2", "value=\"30\"", "name=\"seed\" value=\"5\""]
    {
        assert!(again.contains(kept), "{kept}: {again}");
    }
}

#[test]
fn every_schedule_is_played() {
    let server = start(None);
    let mut browser = server.browser();
    let words = ["turn:7", "never", "random"];
    for (kind, table, anchors) in [
        (Kind::Single, "", ""),
        (Kind::RoundRobin, "3", ""),
        (Kind::BattleRoyale, "2", ""),
        (Kind::Gauntlet, "", "never"),
        (Kind::Alone, "", ""),
    ] {
        let fields = [
            ("agent", "never"),
            ("agent", "random"),
            ("others", "turn:7"),
            ("schedule", kind.name()),
            ("table", table),
            ("anchors", anchors),
            ("deals", "12"),
        ];
        let competition = ask(&mut browser, "incan-gold", &fields);
        let page = browser.until_ended(&competition);
        assert!(page.body.contains("Done"), "{kind:?}: {}", page.body);
        let mut request = request("incan-gold/classic", &[words[1], words[2], words[0]], 12, "1");
        (request.schedule, request.table) = (Some(kind), table.parse().ok());
        request.anchors = anchors.split_whitespace().map(str::to_owned).collect();
        check(&mut browser, &competition, &request);
    }
}

#[test]
fn every_episode_is_a_replay() {
    let server = start(None);
    let mut browser = server.browser();
    for (game, agents) in [("carcassonne", "random\ngreedy"), ("game17", "hunter\nt800")] {
        let fields = [("others", agents), ("deals", "28"), ("schedule", "single")];
        let competition = ask(&mut browser, game, &fields);
        browser.until_ended(&competition);
        let list = browser.get(&format!("{competition}/episodes?from=51"));
        assert_eq!(list.status, 200);
        assert!(list.body.contains("Games 50 to 55 of 56"), "{}", list.body);
        let name = format!("/r/{}.55", &competition[3..]);
        assert!(list.body.contains(&format!("href=\"{name}\"")), "{}", list.body);
        assert_eq!(browser.get(&name).status, 200);
        let replay = Replay::parse(&browser.get(&format!("{name}/replay.json")).body).unwrap();
        let entry = meeple_games::find_game(game).unwrap();
        let end = entry.replay(&replay, meeple_core::Viewer::Everything, &mut |_| {}).unwrap();
        let outcome = end.outcome().unwrap();
        let names: Vec<&str> = replay.players.iter().map(|player| player.name.as_str()).collect();
        let first = if outcome.places[0] == 1 { "</strong>" } else { "" };
        let line = format!("{}{first} {}. with {}", names[0], outcome.places[0], outcome.scores[0]);
        assert!(list.body.contains(&line), "{line}: {}", list.body);
        for page in ["/at/3", "/at/3.svg", "/replay.html", "?as=1"] {
            assert_eq!(browser.get(&format!("{name}{page}")).status, 200, "{page}");
        }
        let on = browser.post(&format!("{name}/play"), &[("at", "4"), ("seat", "0")]);
        assert_eq!(on.status, 303, "{}", on.body);
        for missing in [".56", ".", ".x", ".99999999999999999999", ".5.5"] {
            assert_eq!(browser.get(&format!("/r/{}{missing}", &competition[3..])).status, 404, "{missing}");
        }
    }
    assert_eq!(browser.get("/r/nothing.0").status, 404);
}

const LONG: [(&str, &str); 3] = [("others", "merchant\nexplorer=merchant"), ("deals", "2000"), ("seed", "3")];

#[test]
fn what_is_stopped_keeps_what_it_has_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let server = start(Some(&file));
    let mut browser = server.browser();
    let fields = [("others", "turn:7\nnever\nrandom"), ("deals", "8000"), ("seed", "7")];
    let competition = ask(&mut browser, "incan-gold", &fields);
    // As soon as there is a result.
    until("the first standings", || browser.get(&format!("{competition}/standings.json")).status == 200);
    assert_eq!(browser.post(&format!("{competition}/stop"), &[]).status, 303);
    let page = browser.until_ended(&competition);
    assert!(page.body.contains("Stopped after ") && page.body.contains("Go on"), "{}", page.body);
    // It stays stopped after a restart.
    drop(server);
    let server = start(Some(&file));
    let mut browser = browser.at(server.address);
    let again = browser.get(&competition);
    assert!(again.body.contains("Stopped after "), "{}", again.body);
    assert_eq!(browser.post(&format!("{competition}/go-on"), &[]).status, 303);
    let page = browser.until_ended(&competition);
    assert!(page.body.contains("Done: 48000 episodes."), "{}", page.body);
    check(
        &mut browser,
        &competition,
        &request("incan-gold/classic", &["turn:7", "never", "random"], 8000, "7"),
    );
    // Finished competitions survive a restart.
    drop(server);
    let server = start(Some(&file));
    assert_eq!(browser.at(server.address).get(&competition).body, page.body);
}

#[test]
fn kills_lose_and_double_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tables.db");
    let (mut child, address) = process(&file);
    let mut browser = Browser::new(address);
    let fields = [("others", "turn:7\nnever"), ("deals", "20000"), ("seed", "9")];
    let competition = ask(&mut browser, "incan-gold", &fields);
    let progress = |browser: &mut Browser, seen: &str| {
        let part = browser.get(&format!("{competition}/part?seen={seen}"));
        (part.header("x-version").unwrap().to_owned(), part.header("x-running") == Some("true"))
    };
    for kill in 0..4 {
        // After this number of updates, which come at different moments every time.
        let mut seen = "0".to_owned();
        for _ in 0..=kill {
            seen = progress(&mut browser, &seen).0;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let address;
        (child, address) = process(&file);
        browser = browser.at(address);
    }
    let page = browser.until_ended(&competition);
    assert!(page.body.contains("Done: 40000 episodes."), "{}", page.body);
    check(&mut browser, &competition, &request("incan-gold/classic", &["turn:7", "never"], 20_000, "9"));
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn something_short_does_not_wait_for_something_long() {
    let server = start(None);
    let mut browser = server.browser();
    let long = ask(&mut browser, "cartolan", &LONG);
    let run = browser.post("/lab/incan-gold", &[("agent.0", "turn:7"), ("episodes", "1000")]);
    let short = run.header("location").unwrap().to_owned();
    loop {
        let part = browser.get(&format!("{short}/part?seen=0"));
        if part.header("x-running") == Some("false") {
            assert!(part.body.contains("Done"), "{}", part.body);
            break;
        }
    }
    assert_eq!(browser.get(&format!("{long}/part?seen=-")).status, 400);
    let part = browser.get(&format!("{long}/part"));
    assert_eq!(part.header("x-running"), Some("true"), "{}", part.body);
}

/// Writes a directory like `meeple tournament --out`.
fn directory(path: &Path, request: &Request, command: &str) {
    let plan = request.plan().unwrap();
    let mut store = RecordStore::create(path, &plan, command).unwrap();
    played(&plan, &mut store);
    write_results(&plan, &store, Some(path), 1).unwrap();
    store.close().unwrap();
}

#[test]
fn tournaments_of_the_command_line_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("autumn <cup>");
    let command = "meeple tournament incan-gold turn:7 never";
    directory(&own, &request("incan-gold", &["turn:7", "never"], 20, "77"), command);
    let mut config = options(None);
    config.competitions.push(folder.path().to_owned());
    let server = start_with(&config);
    let mut browser = server.browser();
    let list = browser.get("/competitions").body;
    let (before, _) = list.split_once(">autumn &lt;cup&gt;</a>").expect("it is listed");
    let competition = before.rsplit_once("href=\"").unwrap().1.trim_end_matches('"').to_owned();
    let page = browser.get(&competition).body;
    for words in ["Done: 40 episodes.", command, "From the directory "] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(!page.contains("<form method=\"post\" action=\"/c/"), "{page}");
    let json = std::fs::read_to_string(own.join("standings.json")).unwrap();
    assert_eq!(browser.get(&format!("{competition}/standings.json")).body, json);
    let games = browser.get(&format!("{competition}/episodes"));
    assert!(games.body.contains("Games 0 to 39 of 40"), "{}", games.body);
    let replay = browser.get(&format!("/r/{}.39/replay.json", &competition[3..]));
    assert!(Replay::parse(&replay.body).is_ok(), "{}", replay.body);
    // A missing directory is reported.
    std::fs::remove_dir_all(&own).unwrap();
    assert_eq!(browser.get(&competition).status, 404);
    let mut config = options(None);
    config.competitions.push(own);
    let wrong = meeple_server::Server::bind(&config).err().unwrap().to_string();
    assert!(wrong.contains("expected a directory, of a tournament or for several"), "{wrong}");
}

#[test]
fn new_and_growing_tournaments_are_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = options(None);
    config.competitions.push(folder.path().to_owned());
    let server = start_with(&config);
    let mut browser = server.browser();
    assert!(!browser.get("/competitions").body.contains("From the command line"));
    // The tournament starts after the server.
    let plan = request("incan-gold", &["turn:7", "never"], 20, "77").plan().unwrap();
    let mut store = RecordStore::create(&folder.path().join("late"), &plan, "meeple tournament").unwrap();
    let list = browser.get("/competitions").body;
    let (before, _) = list.split_once(">late</a>").expect("it is listed");
    let competition = before.rsplit_once("href=\"").unwrap().1.trim_end_matches('"').to_owned();
    // One part is played now, and the rest after a continuation.
    let half = meeple_arena::shard::play(
        &plan,
        0..20,
        &mut RunOptions { threads: 1, progress: &mut NoProgress, stop: &StopFlag::new() },
    )
    .unwrap();
    meeple_arena::shard::merge(&plan, &mut store, [half]).unwrap();
    assert_eq!(store.next(), 20);
    store.close().unwrap();
    let page = browser.get(&competition).body;
    assert!(page.contains("Stopped after 20 of 40 episodes."), "{page}");
    // While another program plays it.
    let mut store = RecordStore::open(&folder.path().join("late")).unwrap();
    let page = browser.get(&competition).body;
    assert!(page.contains("20 of 40 episodes are played.") && page.contains("data-running"), "{page}");
    assert!(!page.contains("/stop\""), "it is not this server's to be stopped: {page}");
    played(&plan, &mut store);
    let mut part = browser.get(&format!("{competition}/part?seen=41"));
    while part.header("x-running") == Some("true") && !part.body.contains("40 of 40") {
        let seen = part.header("x-version").unwrap().to_owned();
        part = browser.get(&format!("{competition}/part?seen={seen}"));
    }
    assert!(part.body.contains("Done: 40 episodes."), "{}", part.body);
    let standings = browser.get(&format!("{competition}/standings.json")).body;
    assert_eq!(standings, Standings::compute(&plan, &store, 1).unwrap().to_json());
    let games = browser.get(&format!("{competition}/episodes"));
    assert!(games.body.contains("Games 0 to 39 of 40"), "{}", games.body);
    store.close().unwrap();
    let page = browser.get(&competition).body;
    assert!(page.contains("Done: 40 episodes."), "{page}");
}

#[test]
fn what_cannot_be_played_is_said_before() {
    let server = start(None);
    let mut browser = server.browser();
    let many = (0..33).map(|turn| format!("p{turn}=turn:7")).collect::<Vec<_>>().join("\n");
    for (fields, expected) in [
        (vec![], "expected at least one competitor"),
        (vec![("others", "turn:7")], "at least 2 competitors"),
        (vec![("others", "turn:7\nghost")], "ghost"),
        (vec![("others", "turn:7\nturn:7")], "twice"),
        (vec![("others", "turn:7\n./bot.py")], "expected agents, found the program"),
        (vec![("others", "turn:7\nbot=/etc/passwd")], "expected agents, found the program"),
        (vec![("others", "turn:7\ncmd:true")], "expected agents, found the program"),
        (vec![("others", "turn:7\n@words")], "files cannot be named here"),
        (vec![("others", "turn:7\nnet:file=x")], "may name files of this machine"),
        (vec![("others", "turn:7\nmcts:iterations=100000000")], "expected iterations of at most 2000"),
        (vec![("others", "turn:7\nmcts:99999999999999999999999")], "expected iterations of at most 2000"),
        (vec![("others", "turn:7\nnever"), ("deals", "0")], "at least 1 deal"),
        (vec![("others", "turn:7\nnever"), ("deals", "many")], "deals: expected a whole number"),
        (vec![("others", "turn:7\nnever"), ("deals", "50001")], "expected at most 100000 episodes"),
        (vec![("others", "turn:7\nnever"), ("deals", "18446744073709551615")], "2^48"),
        (vec![("others", "turn:7\nnever"), ("table", "70000")], "table: expected a smaller number"),
        (vec![("others", "turn:7\nnever"), ("table", "3")], "expected a table of"),
        (vec![("others", "turn:7\nnever"), ("schedule", "swiss")], "schedule: expected one of"),
        (vec![("others", "turn:7\nnever"), ("schedule", "gauntlet")], "needs anchors"),
        (
            vec![("others", "turn:7\nnever"), ("schedule", "gauntlet"), ("anchors", "ghost")],
            "unknown competitor",
        ),
        (vec![("others", "turn:7\nnever"), ("schedule", "gauntlet"), ("anchors", "a,b")], "without a comma"),
        (vec![("others", "turn:7\nnever"), ("seed", "x")], "seed: "),
        (vec![("others", "turn:7\nnever"), ("set.rounds", "99")], "rounds"),
        (vec![("others", many.as_str())], "expected at most 32 competitors"),
    ] {
        let page = browser.post("/competitions/incan-gold", &fields);
        assert_eq!(page.status, 400, "{fields:?}: {}", page.body);
        assert!(page.body.contains(expected), "{fields:?}: {}", page.body);
    }
    for path in ["/c/nothing", "/c/nothing/episodes", "/c/nothing/standings.csv", "/competitions/chess"] {
        assert_eq!(browser.get(path).status, 404, "{path}");
    }
    let page =
        browser.post("/lab/incan-gold", &[("agent.0", "mcts:iterations=100..100000"), ("episodes", "10")]);
    assert!(page.status == 400 && page.body.contains("of at most 2000"), "{}", page.body);
    // Nothing of it is listed.
    assert!(browser.get("/competitions").body.contains("None yet."));
}
