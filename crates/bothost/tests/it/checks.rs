//! `check`: good bots pass, and each kind of mistake is found and explained.

use meeple_bothost::check::{Finding, Setting, Verdict, check};
use meeple_bothost::{BotSpec, Clock, Level};
use meeple_core::AnyEntry;

use crate::support::{bot_file, has, limits, patient, repository, sandbox};

fn findings(spec: &BotSpec, games: &[&str]) -> Vec<Finding> {
    let games: Vec<&dyn AnyEntry> = games.iter().map(|id| meeple_games::find_game(id).unwrap()).collect();
    let clock = Clock { start_ms: 2_000, bank_ms: 20_000, wall_slack_ms: 1_000, ..patient() };
    let sandbox = sandbox(Level::None).unwrap();
    check(&Setting { spec, sandbox: &sandbox, limits: &limits(), games: &games, clock })
}

fn wrong(findings: &[Finding]) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.verdict != Verdict::Passed).collect()
}

#[test]
fn the_examples_pass() {
    if !has("python3") {
        return;
    }
    let mut bots = vec!["python/random_bot.py"];
    if has("node") {
        bots.push("javascript/random_bot.js");
    }
    for bot in bots {
        let spec = BotSpec::parse(repository().join("bots").join(bot).to_str().unwrap()).unwrap();
        let ids: Vec<&str> = meeple_games::games().iter().map(|entry| entry.info().id).collect();
        let findings = findings(&spec, &ids);
        assert!(wrong(&findings).is_empty(), "{bot}: {:#?}", wrong(&findings));
        assert!(findings.len() > 2 * ids.len() + 8, "{findings:#?}");
    }
}

#[test]
fn adapted_bots_pass() {
    if !has("python3") {
        return;
    }
    let file = bot_file("careful.py", "def strategy(name, turn, backpack):\n    return turn >= 3\n");
    let findings = findings(&file.spec, &["game17", "incan-gold"]);
    assert!(wrong(&findings).is_empty(), "{:#?}", wrong(&findings));
    assert!(!findings.iter().any(|finding| finding.check.contains("game17")), "it does not play that");
}

/// A bot with a mistake in place of one of its lines.
fn with_mistake(line: &str, instead: &str) -> Vec<Finding> {
    let good = r#"
import json, sys
def say(m): print(json.dumps(m), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    t = m["t"]
    if t == "hello": say({"t": "hello", "v": 1})
    elif t == "start": say({"t": "ready", "g": m["g"]})
    elif t == "turn": say({"t": "move", "g": m["g"], "n": m["n"], "a": 0})
    elif t == "bye": break
"#;
    assert!(good.contains(line), "{line}");
    findings(&bot_file("bot.py", &good.replace(line, instead)).spec, &["incan-gold"])
}

#[test]
fn mistakes_are_found_and_explained() {
    if !has("python3") {
        return;
    }
    for (line, instead, check, word) in [
        ("import json, sys", "import jsn", "starts", "ModuleNotFoundError"),
        (
            "import json, sys",
            "import numpyy as np",
            "starts",
            "hint: the Python that runs bots has no module 'numpyy'",
        ),
        (r#"say({"t": "hello", "v": 1})"#, r#"print("Hello!")"#, "starts", "print nothing but messages"),
        (r#""v": 1"#, r#""v": 2"#, "starts", "version 2"),
        (r#""a": 0"#, r#""a": 2"#, "plays incan-gold", "index below 2"),
        (r#""n": m["n"]"#, r#""n": 0"#, "plays incan-gold", "n 1"),
        (r#""g": m["g"]})"#, r#""g": 1})"#, "plays incan-gold", "ready with g 2"),
        (r#"t = m["t"]"#, r#"t = m["t"]; assert "x-check" not in m"#, "fields", "AssertionError"),
        (
            r#"t = m["t"]"#,
            r#"t = m["t"]; assert not t.startswith("x-")"#,
            "messages it does not",
            "AssertionError",
        ),
        (r#"elif t == "bye": break"#, r#"elif t == "bad": say({"t": "ok"})"#, "refusal", "expected move"),
        (
            "for line in sys.stdin:",
            "for line in sys.stdin:\n    assert len(line) < 100000",
            "long lines",
            "AssertionError",
        ),
        (
            r#"m = json.loads(line)"#,
            r#"m = json.loads(line.encode("ascii", "strict"))"#,
            "names",
            "UnicodeEncodeError",
        ),
        (
            r#"elif t == "start":"#,
            "elif t == 'start' and m['g'] > 2**32: int8 = [0][m['g']]\n    elif t == 'start':",
            "large",
            "IndexError",
        ),
    ] {
        let findings = with_mistake(line, instead);
        let wrong = wrong(&findings);
        let found = wrong.iter().find(|finding| finding.check.contains(check));
        let found = found.unwrap_or_else(|| panic!("{instead}: nothing about '{check}' in {findings:#?}"));
        assert_eq!(found.verdict, Verdict::Failed, "{instead}: {found:#?}");
        assert!(found.detail.contains(word), "{instead}: {found:#?}");
        assert!(found.detail.contains("hint:"), "{instead}: {found:#?}");
    }
}

#[test]
fn warnings() {
    if !has("python3") {
        return;
    }
    let random = with_mistake(r#""a": 0"#, r#""a": __import__("random").randrange(2)"#);
    let found = wrong(&random);
    assert!(found.iter().any(|finding| finding.check.contains("the same again")), "{random:#?}");
    assert!(found.iter().all(|finding| finding.verdict == Verdict::Warning), "{random:#?}");
    let stays = with_mistake(
        r#"elif t == "bye": break"#,
        r#"elif t == "bye":
        import time
        time.sleep(1000)"#,
    );
    assert!(wrong(&stays).iter().any(|finding| finding.check == "ends after bye"), "{stays:#?}");
}

/// How a bot ends that does this when it is told to.
fn endings(at_the_end: &str) -> Vec<Finding> {
    let bye = r#"elif t == "bye": break"#;
    let findings = with_mistake(bye, &format!("{bye}\nimport os, signal, time\n{at_the_end}"));
    findings.into_iter().filter(|finding| finding.check.starts_with("ends ")).collect()
}

/// The time for a shutdown is 0.2 s here; a bot that works, or that the machine has no time for, has longer.
#[test]
fn ending_late_is_no_mistake_unless_it_sleeps_or_goes_on() {
    if !has("python3") {
        return;
    }
    let starved = "pid = os.getpid()\n\
        if os.fork() == 0:\n    time.sleep(1)\n    os.kill(pid, signal.SIGCONT)\n    os._exit(0)\n\
        os.kill(pid, signal.SIGSTOP)";
    for (at_the_end, verdict) in [
        ("while time.process_time() < 0.8: pass", Verdict::Passed),
        (starved, Verdict::Passed),
        ("time.sleep(1000)", Verdict::Warning),
        ("while True: pass", Verdict::Warning),
    ] {
        let found = endings(at_the_end);
        let verdicts: Vec<Verdict> = found.iter().map(|finding| finding.verdict).collect();
        assert_eq!(verdicts, [verdict; 2], "{at_the_end}: {found:#?}");
    }
}
