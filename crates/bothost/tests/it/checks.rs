//! `check`: good bots pass, and each kind of mistake is found and explained.

use std::time::Duration;

use meeple_bothost::check::{CheckPart, CheckSetting, CheckVerdict, Finding, check};
use meeple_bothost::{BotSpec, Clock, Limits, Sandbox};
use meeple_core::AnyEntry;
use meeple_games::adapters;

use crate::support::{BotFile, bot_file, has, limits, patient, repository};

fn findings(spec: &BotSpec, games: &[&str], parts: &[CheckPart]) -> Vec<Finding> {
    let clock = Clock { start_ms: 2_000, bank_ms: 20_000, wall_slack_ms: 1_000, ..patient() };
    findings_of(spec, games, &|setting| check(&CheckSetting { parts, clock, ..setting }))
}

/// The findings of a check with modified settings.
fn findings_of(
    spec: &BotSpec,
    games: &[&str],
    check: &dyn Fn(CheckSetting<'_>) -> Vec<Finding>,
) -> Vec<Finding> {
    let games: Vec<&dyn AnyEntry> = games.iter().map(|id| meeple_games::find_game(id).unwrap()).collect();
    check(CheckSetting {
        spec,
        sandbox: &Sandbox::none(),
        limits: &limits(),
        games: &games,
        clock: patient(),
        parts: &CheckPart::ALL,
        patience: Duration::from_secs(600),
    })
}

fn wrong(findings: &[Finding]) -> Vec<&Finding> {
    findings.iter().filter(|finding| finding.verdict != CheckVerdict::Passed).collect()
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
        let spec = BotSpec::parse(repository().join("bots").join(bot).to_str().unwrap(), adapters()).unwrap();
        let ids: Vec<&str> = meeple_games::games().iter().map(|entry| entry.info().id).collect();
        let findings = findings(&spec, &ids, &CheckPart::ALL);
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
    let findings = findings(&file.spec, &["game17", "incan-gold"], &CheckPart::ALL);
    assert!(wrong(&findings).is_empty(), "{:#?}", wrong(&findings));
    assert!(!findings.iter().any(|finding| finding.check.contains("game17")), "it does not play that");
}

#[test]
fn the_example_with_hooks_passes() {
    if !has("python3") {
        return;
    }
    let spec =
        BotSpec::parse(repository().join("bots/cartolan/coaster.py").to_str().unwrap(), adapters()).unwrap();
    let findings = findings(&spec, &["cartolan"], &CheckPart::ALL);
    assert!(wrong(&findings).is_empty(), "{:#?}", wrong(&findings));
    assert!(findings.iter().any(|finding| finding.check == "plays cartolan"), "{findings:#?}");
}

/// A bot that makes no mistake.
const GOOD: &str = r#"
import json, os, signal, sys, time
def say(m): print(json.dumps(m), flush=True)
for line in sys.stdin:
    m = json.loads(line)
    t = m["t"]
    if t == "hello": say({"t": "hello", "v": 1})
    elif t == "start": say({"t": "ready", "g": m["g"]})
    elif t == "turn": say({"t": "move", "g": m["g"], "n": m["n"], "a": 0})
    elif t == "bye": break
"#;

/// The good bot with mistakes in place of some of its text.
fn with_mistakes(mistakes: &[(&str, &str)]) -> BotFile {
    let mut text = GOOD.to_owned();
    for (good, instead) in mistakes {
        assert!(text.contains(good), "{good}");
        text = text.replacen(good, instead, 1);
    }
    bot_file("bot.py", &text)
}

fn with_mistake(good: &str, instead: &str, parts: &[CheckPart]) -> Vec<Finding> {
    findings(&with_mistakes(&[(good, instead)]).spec, &["incan-gold"], parts)
}

/// Asserts that this check has failed, with this word and a hint.
#[track_caller]
fn has_failed(findings: &[Finding], check: &str, word: &str) {
    let found = wrong(findings).into_iter().find(|finding| finding.check.contains(check));
    let found = found.unwrap_or_else(|| panic!("nothing about '{check}' in {findings:#?}"));
    assert_eq!(found.verdict, CheckVerdict::Failed, "{found:#?}");
    assert!(found.detail.contains(word) && found.detail.contains("hint:"), "{word}: {found:#?}");
}

#[test]
fn mistakes_are_found_and_explained() {
    if !has("python3") {
        return;
    }
    let imports = "import json, os, signal, sys, time";
    for (good, instead, check, word) in [
        (imports, "import jsn", "starts", "ModuleNotFoundError"),
        (imports, "import numpyy as np", "starts", "hint: the Python that runs bots has no module 'numpyy'"),
        (r#"say({"t": "hello", "v": 1})"#, r#"print("Hello!")"#, "starts", "print nothing but messages"),
        (r#""v": 1"#, r#""v": 2"#, "starts", "version 2"),
        (r#""a": 0"#, r#""a": 2"#, "plays incan-gold", "index below 2"),
        (r#""n": m["n"]"#, r#""n": 0"#, "plays incan-gold", "n 1"),
        (r#""g": m["g"]})"#, r#""g": 1})"#, "plays incan-gold", "ready with g 2"),
    ] {
        has_failed(&with_mistake(good, instead, &[CheckPart::Episodes]), check, word);
    }
}

/// Each mistake concerns one message, and every check has its own process, so one bot makes them all.
#[test]
fn mistakes_over_odd_messages_are_distinguished() {
    if !has("python3") {
        return;
    }
    let kind = r#"t = m["t"]"#;
    let mistaken = format!(
        "{kind}\n    assert 'x-check' not in m, 'over a field'\n    \
         assert not t.startswith('x-'), 'over a message'\n    \
         if t == 'bad': say({{'t': 'ok'}})\n    \
         if t == 'start' and m['g'] > 2**32: int8 = [0][m['g']]\n    \
         if t == 'start' and m['names']: m['names'][0].encode('ascii')"
    );
    let bot = with_mistakes(&[
        (kind, &mistaken),
        ("for line in sys.stdin:", "for line in sys.stdin:\n    assert len(line) < 100000, 'over a line'"),
    ]);
    let findings = findings(&bot.spec, &["incan-gold"], &[CheckPart::Messages]);
    for (check, word) in [
        ("fields", "over a field"),
        ("messages it does not", "over a message"),
        ("refusal", "expected move"),
        ("large", "IndexError"),
        ("names", "UnicodeEncodeError"),
        ("long lines", "over a line"),
    ] {
        has_failed(&findings, check, word);
    }
    assert_eq!(wrong(&findings).len(), 6, "{findings:#?}");
}

#[test]
fn chance_that_is_not_of_the_seed_is_a_warning() {
    if !has("python3") {
        return;
    }
    let chance = r#""a": __import__("random").randrange(2)"#;
    let random = with_mistake(r#""a": 0"#, chance, &[CheckPart::Episodes]);
    let found = wrong(&random);
    assert!(found.iter().any(|finding| finding.check.contains("the same again")), "{random:#?}");
    assert!(found.iter().all(|finding| finding.verdict == CheckVerdict::Warning), "{random:#?}");
}

/// The shutdown time is 0.2 s here; a bot that works, or gets no processor time, has longer.
#[test]
fn ending_late_is_no_mistake_unless_it_sleeps_or_goes_on() {
    if !has("python3") {
        return;
    }
    const WORKS: &str = "while time.process_time() < 0.3: pass";
    let starves = format!("{STARVED}\nstarve(0.4)");
    // The bot only waits for a child that works.
    let has_a_child = format!("if os.fork() == 0:\n    {WORKS}\n    os._exit(0)\nos.wait()");
    let (sleeps, goes_on) = ("time.sleep(1000)", "while True: pass");
    for (at_bye, when_closed, expected) in [
        (WORKS, &*starves, [(CheckVerdict::Passed, ""), (CheckVerdict::Passed, "")]),
        (&has_a_child, sleeps, [(CheckVerdict::Passed, ""), (CheckVerdict::Warning, "it sleeps")]),
        (goes_on, "pass", [(CheckVerdict::Warning, "it goes on"), (CheckVerdict::Passed, "")]),
    ] {
        let [at_bye, when_closed] = [at_bye, when_closed].map(|code| code.replace('\n', "\n        "));
        let instead =
            format!("elif t == 'bye':\n        {at_bye}\n        break\nelse:\n        {when_closed}");
        let endings = with_mistake(r#"elif t == "bye": break"#, &instead, &[CheckPart::Endings]);
        assert_eq!(endings.len(), 3, "the start, and the two ways to end");
        for (found, (verdict, word)) in endings[1..].iter().zip(expected) {
            assert!(found.verdict == verdict && found.detail.contains(word), "{instead}: {found:#?}");
        }
    }
}

/// `starve(seconds)`: the process is inactive for a time, as on a busy machine, and then continues; for ever
/// without an argument.
const STARVED: &str = "
def starve(seconds=None):
    pid = os.getpid()
    if seconds and os.fork() == 0:
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)
        os._exit(0)
    os.kill(pid, signal.SIGSTOP)
";

/// The good bot, with this code at its first message of a kind.
fn at_first(kind: &str, what: &str) -> BotFile {
    let text = format!("{STARVED}\nseen = set()\nfor line in sys.stdin:");
    let first = format!("t = m['t']\n    if t == '{kind}' and t not in seen: seen.add(t); {what}");
    with_mistakes(&[("for line in sys.stdin:", &text), (r#"t = m["t"]"#, &first)])
}

/// The findings of a check whose waits are shorter than a starved bot takes.
fn in_a_hurry(bot: &BotFile, launch_ms: u64, patience: Duration) -> Vec<Finding> {
    let clock = Clock {
        start_ms: 100,
        bank_ms: 20_000,
        move_ms: Some(200),
        wall_factor: 1,
        wall_slack_ms: 0,
        ..patient()
    };
    let limits = Limits { launch_ms, ..limits() };
    findings_of(&bot.spec, &["incan-gold"], &|setting| {
        check(&CheckSetting { limits: &limits, clock, parts: &[CheckPart::Episodes], patience, ..setting })
    })
}

#[test]
fn a_bot_that_the_machine_has_no_time_for_passes() {
    if !has("python3") {
        return;
    }
    for (kind, seconds) in [("hello", 1.2), ("start", 0.4), ("turn", 0.5)] {
        let bot = at_first(kind, &format!("starve({seconds})"));
        let findings = in_a_hurry(&bot, 800, Duration::from_secs(600));
        assert!(wrong(&findings).is_empty(), "{kind}: {findings:#?}");
    }
}

#[test]
fn what_a_busy_machine_does_not_tell_is_a_warning() {
    if !has("python3") {
        return;
    }
    for (kind, check) in [("hello", "starts"), ("start", "plays incan-gold"), ("turn", "plays incan-gold")] {
        // Without patience a busy machine may starve the bot earlier, so its start may be slow.
        let launch_ms = if kind == "hello" { 800 } else { 60_000 };
        let findings = in_a_hurry(&at_first(kind, "starve()"), launch_ms, Duration::ZERO);
        let [only] = wrong(&findings)[..] else { panic!("{kind}: {findings:#?}") };
        assert!(only.check.contains(check) && only.verdict == CheckVerdict::Warning, "{kind}: {findings:#?}");
        for word in ["TIMEOUT", "the machine had no time for the bot", "hint: check again"] {
            assert!(only.detail.contains(word), "{kind}: {only:#?}");
        }
    }
}

/// Patience is for the machine: a bot that sleeps, or has had its CPU time, fails.
#[test]
fn a_bot_that_does_not_answer_fails_however_patient_the_check_is() {
    if !has("python3") {
        return;
    }
    for (kind, what, check) in [
        ("hello", "time.sleep(1000)", "starts"),
        ("start", "time.sleep(1000)", "plays incan-gold"),
        ("turn", "time.sleep(1000)", "plays incan-gold"),
        ("start", "exec('while True: pass')", "plays incan-gold"),
    ] {
        let findings = in_a_hurry(&at_first(kind, what), 800, Duration::from_secs(600));
        has_failed(&findings, check, "TIMEOUT");
    }
}
