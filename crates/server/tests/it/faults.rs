//! Network faults: messages are accepted once, and nobody waits for clients that are gone.

use std::time::Duration;

use meeple_core::{EpisodeSeed, Seat};
use meeple_load::{Breaks, LoadPlan, LoadTarget, Reach, StopSignal};
use serde_json::{Value, json};

use crate::client::{Browser, Running, Socket, options, patched, start, start_with};
use crate::proxy::{Flow, Proxy};

/// Number of network faults with many tables.
const BREAKS: u32 = 40;

fn hello() -> Value {
    json!({ "type": "hello", "since": 0 })
}

/// A table of one browser, whose first seat owes a decision. Its sockets use the faulty network or bypass it.
struct Scene {
    server: Running,
    proxy: Proxy,
    browser: Browser,
    table: String,
    number: Value,
}

impl Scene {
    fn new(game: &str, fields: &[(&str, &str)]) -> Self {
        let server = start(None);
        let proxy = Proxy::before(server.address);
        let mut browser = server.browser();
        let table = browser.open(game, fields);
        let mut scene = Self { server, proxy, browser, table, number: Value::Null };
        let mut near = scene.near();
        while !scene.number.is_number() {
            scene.number = near.hear()["ask"]["number"].clone();
        }
        scene
    }

    /// A socket of the first seat through the network.
    fn far(&self) -> Socket {
        self.greeted(&self.browser.at(self.proxy.address))
    }

    /// A socket of another tab of the same seat, directly to the server.
    fn near(&self) -> Socket {
        self.greeted(&self.browser.at(self.server.address))
    }

    fn greeted(&self, browser: &Browser) -> Socket {
        let mut socket = browser.socket(&self.table, "?as=0&data=1");
        socket.say(&hello());
        socket
    }

    fn act(&self) -> Value {
        json!({ "type": "act", "number": self.number, "id": "once", "index": 0 })
    }
}

#[test]
fn an_answer_whose_acknowledgement_is_lost_is_taken_once() {
    let scene = Scene::new("carcassonne", &[("agent.0", "me"), ("agent.1", "me")]);
    let (mut far, mut near) = (scene.far(), scene.near());
    far.hear_type("frame");
    near.hear_type("frame");
    scene.proxy.set(Flow::Open, Flow::Swallowed);
    far.say(&scene.act());
    // The action has happened, for everybody except its sender.
    near.hear();
    scene.proxy.cut();
    let mut again = scene.far();
    again.say(&scene.act());
    assert_eq!(again.hear_type("ack")["repeated"], json!(true));
}

#[test]
fn an_answer_that_is_lost_on_its_way_has_not_happened() {
    let scene = Scene::new("carcassonne", &[("agent.0", "me"), ("agent.1", "me")]);
    let mut far = scene.far();
    far.hear_type("frame");
    scene.proxy.set(Flow::Swallowed, Flow::Open);
    far.say(&scene.act());
    scene.proxy.cut();
    let mut again = scene.far();
    assert_eq!(again.hear_type("frame")["ask"]["number"], scene.number);
    again.say(&scene.act());
    assert_eq!(again.hear_type("ack")["repeated"], json!(false));
}

#[test]
fn an_answer_that_comes_late_is_known_by_its_name() {
    let scene = Scene::new("carcassonne", &[("agent.0", "me"), ("agent.1", "me")]);
    let (mut far, mut near) = (scene.far(), scene.near());
    far.hear_type("frame");
    near.hear_type("frame");
    scene.proxy.set(Flow::Held, Flow::Open);
    far.say(&scene.act());
    // After giving up, the client has sent it again by another way.
    near.say(&scene.act());
    assert_eq!(near.hear_type("ack")["repeated"], json!(false));
    scene.proxy.set(Flow::Open, Flow::Open);
    assert_eq!(far.hear_type("ack")["repeated"], json!(true));
}

#[test]
fn who_takes_nothing_any_more_keeps_nobody_waiting() {
    // The game with the largest drawings.
    let scene = Scene::new("game17", &[("agent.0", "me")]);
    let mut far = scene.far();
    far.hear_type("frame");
    scene.proxy.set(Flow::Open, Flow::Held);
    // Full frames, again and again: far more than the buffers in between hold.
    for _ in 0..95 {
        far.say(&hello());
    }
    let mut near = scene.near();
    let action = &near.hear_type("frame")["ask"]["fallback"];
    near.say(&json!({ "type": "act", "number": scene.number, "id": "near", "action": action }));
    assert_eq!(near.hear_type("ack")["repeated"], json!(false));
    scene.proxy.cut();
    assert_eq!(scene.far().hear()["type"], "frame");
}

/// The server's own number of open sockets.
fn sockets(server: &Running) -> usize {
    let metrics = server.browser().get("/metrics").body;
    let count = metrics.lines().find_map(|line| line.strip_prefix("meeple_sockets "));
    count.expect("it says how many").parse().unwrap()
}

#[test]
fn who_takes_nothing_for_long_is_gone_and_comes_back_to_what_it_missed() {
    // The game with the largest drawings.
    let scene = Scene::new("game17", &[("agent.0", "me")]);
    let mut now = 0;
    scene.server.time.tell(now);
    let (mut far, mut near) = (scene.far(), scene.near());
    let (mut had, asked) = (far.hear_type("frame"), near.hear_type("frame"));
    scene.proxy.set(Flow::Open, Flow::Held);
    for _ in 0..95 {
        far.say(&hello());
    }
    // It may take any time until the buffers in between are full. The other client has read everything, so
    // nothing of it is late.
    while sockets(&scene.server) > 1 {
        far.say_or_fail(&hello());
        now += 30_000;
        scene.server.time.tell(now);
    }
    let action = &asked["ask"]["fallback"];
    near.say(&json!({ "type": "act", "number": scene.number, "id": "near", "action": action }));
    assert_eq!(near.hear_type("ack")["repeated"], json!(false), "the table goes on");
    let mut message = near.hear();
    while message["ask"]["number"].is_null() {
        message = near.hear();
    }
    scene.proxy.cut();
    let mut again = scene.browser.at(scene.proxy.address).socket(&scene.table, "?as=0&data=1");
    again.say(
        &json!({ "type": "hello", "since": had["version"], "log": had["log"].as_array().unwrap().len() }),
    );
    while had["version"] != message["version"] {
        let news = again.hear();
        if news["type"] == "frame" {
            had = news;
            continue;
        }
        assert_eq!((&news["type"], &news["since"]), (&json!("patch"), &had["version"]), "no gaps");
        had["version"] = news["version"].clone();
        for part in ["drawing", "text"] {
            had[part] = json!(patched(had[part].as_str().unwrap(), &news[part]));
        }
    }
    let now = scene.near().hear_type("frame");
    assert_eq!((&had["version"], &had["text"]), (&now["version"], &now["text"]));
    assert!(had["drawing"] == now["drawing"], "the same board");
}

#[test]
fn many_tables_lose_and_double_nothing_over_a_network_that_breaks() {
    let mut many = options(None);
    many.most_tables = 1000;
    let server = start_with(&many);
    let proxy = Proxy::before(server.address);
    let plan = LoadPlan {
        game: "incan-gold/classic".to_owned(),
        tables: 6,
        people: 2,
        agents: vec!["turn:3".to_owned()],
        watchers: 1,
        tabs: true,
        every: Duration::ZERO,
        time: Duration::from_secs(1),
        idle: 0,
        seed: 3,
        kills: 0,
        answers: None,
        breaks: Breaks::Expected,
        beside: None,
    };
    let target = LoadTarget::Running { address: proxy.address.to_string(), reach: Reach::Loopback };
    let report = std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut moments = EpisodeSeed::new(3, 0).agent(Seat::new(0));
            let flows = [Flow::Open, Flow::Held, Flow::Swallowed];
            // Afterwards the network is good, and the games end.
            for _ in 0..BREAKS {
                proxy.set(flows[moments.index(3)], flows[moments.index(3)]);
                std::thread::park_timeout(Duration::from_micros(u64::from(moments.below(20_000))));
                proxy.cut();
                std::thread::park_timeout(Duration::from_micros(u64::from(moments.below(60_000))));
            }
        });
        meeple_load::run(&plan, target, &StopSignal::default()).unwrap()
    });
    assert!(report.is_well(), "{report:?}");
    assert!(
        report.sizes.tab_frame_bytes.is_some() && report.sizes.tab_question_bytes.is_some(),
        "{report:?}"
    );
    assert!(report.counts.reconnects > 0 && report.counts.proved == report.counts.acknowledged, "{report:?}");
}
