//! Bad input: the exit code, one clear message with a hint, and no output.

use crate::{meeple, stdout};

/// Words, exit code, and parts of the message.
const CASES: &[(&str, i32, &[&str])] = &[
    ("sim incan-god turn:7", 2, &["unknown game 'incan-god'", "hint: did you mean 'incan-gold'?"]),
    ("sim incan-gold/clasic turn:7", 2, &["unknown preset 'clasic'", "did you mean 'classic'?"]),
    ("sim cartolan random random --set profile=foo", 2, &["unknown profile 'foo'", "oct-2020"]),
    ("sim cartolan random random --profile foo", 2, &["unknown profile 'foo'", "oct-2020"]),
    ("sim cartolan random random --profile oct-2020 --set profile=oct-2020", 2, &["profile"]),
    ("sim privateers random random --profile foo", 2, &["unknown", "profile"]),
    ("sim incan-gold trun:7", 2, &["unknown agent 'trun'", "did you mean 'turn'?"]),
    ("sim incan-gold turn:0", 2, &["turns: expected a whole number from 1 to 64, found '0'"]),
    (
        "sim incan-gold turn:",
        2,
        &["unknown agent 'turn:'", "hint: expected a value after the colon, as in turn:VALUE"],
    ),
    ("match incan-gold turn: turn:5", 2, &["unknown agent 'turn:'", "'turn' alone takes the defaults"]),
    ("sim incan-gold a=turn:7 a=turn:5", 2, &["expected every name once, found 'a' twice", "hint: "]),
    ("sweep incan-gold solo turn:1...5", 2, &["found '1...5'", "hint: a range has two dots, as in 1..5"]),
    ("sim incan-gold turn:x", 2, &["turns: expected a whole number", "found 'x'"]),
    ("sim incan-gold turn:speed=3", 2, &["unknown parameter 'speed'", "hint:"]),
    ("sim incan-gold random:1.5", 2, &["probability: expected a number from 0 to 1, found '1.5'"]),
    ("sim incan-gold turn:7 -n 0", 2, &["expected at least 1 episode, found 0"]),
    ("sim incan-gold turn:7 --set round=3", 2, &["unknown parameter 'round'", "did you mean 'rounds'?"]),
    (
        "sim incan-gold turn:7 --set rounds=99",
        2,
        &["rounds: expected a whole number from 1 to 20, found '99'"],
    ),
    ("sim incan-gold turn:7 --set rounds", 2, &["expected KEY=VALUE, found 'rounds'"]),
    ("sim incan-gold", 2, &["takes 1 to 16 players, found 0"]),
    ("sim game17 hunter@blurple", 2, &["unknown colour 'blurple'", "CSS name"]),
    ("sim incan-gold turn:7@red", 2, &["chooses its players' colours itself"]),
    ("sim incan-gold turn:7*17", 2, &["takes 1 to 16 players, found 17"]),
    ("sim incan-gold human", 2, &["human plays only in `meeple play`"]),
    ("sim incan-gold turn:7 Bob=human*2", 2, &["Bob=human*2: human plays only in `meeple play`"]),
    ("sweep incan-gold human turn:1..3", 2, &["human plays only in `meeple play`"]),
    ("sim privateers trader*2 --set map=@/dev/zero", 2, &["--set map: cannot read /dev/zero", "less than"]),
    ("exact incan-gold solo random:0.1..0.9", 2, &["expected a step, as in 0.1..0.9+0.05", "hint"]),
    ("sim incan-gold turn:7 -v -q", 2, &["--verbose", "--quiet"]),
    ("sim incan-gold turn:7 -n -5", 2, &["'-5'", "expected a whole number from 1 to 18446744073709551615"]),
    ("sim incan-gold turn:7 -n 1e6", 2, &["'1e6'", "expected a whole number", "digits only"]),
    (
        "sim incan-gold turn:7 --seed -1",
        2,
        &["'-1'", "expected a whole number from 0 to 18446744073709551615"],
    ),
    ("play incan-gold turn:7 --seed -1", 2, &["'-1'", "expected a whole number from 0 to"]),
    ("play incan-gold turn:7 -n 0", 2, &["expected at least 1 game, found 0"]),
    ("play incan-gold turn:7 -n -5", 2, &["'-5'", "expected a whole number from 1 to"]),
    ("simulate incan-gold turn:7", 2, &["unknown command 'simulate'"]),
    ("exact incan-gold solo turn:0..3", 2, &["turn"]),
    ("exact incan-gold sole turn:1", 2, &["found 'sole'", "hint: try 'solo'"]),
    ("exact", 2, &["expected a game"]),
    ("exact --fast", 2, &["exact: unknown option '--fast'"]),
    (
        "exact incan-gold solo turn:1 --fast=3",
        2,
        &["exact: unknown option '--fast'", "hint: solo STRATEGY | versus", "[--set KEY=VALUE]"],
    ),
    ("exact privateers fight a b --far 3", 2, &["exact: unknown option '--far'", "[--distance D]"]),
    ("exakt incan-gold", 2, &["unknown command 'exakt'", "did you mean 'exact'?"]),
    ("check-bott", 2, &["did you mean 'check-bot'?"]),
    ("sweep incan-gold solo turn:9..3", 2, &["hint:"]),
    ("sweep incan-gold turn:7", 2, &["hint:"]),
    ("tournament --resume cup -n 100", 2, &["'--resume <DIR>' cannot be used with", "--deals"]),
    (
        "tournament incan-gold turn:7 turn:8 --sandbox steel",
        2,
        &["--sandbox: expected one of strict", "or auto"],
    ),
    ("tournament incan-gold turn:7 turn:8 --anchors turn:7", 2, &["hint: add --schedule gauntlet"]),
    ("replay no-such-file.json", 2, &["cannot read no-such-file.json: it does not exist"]),
    (
        "sim privateers trader pirate --set map=@none.map",
        2,
        &["--set map", "cannot read none.map: it does not exist"],
    ),
    ("rules nothing", 2, &["unknown game 'nothing'"]),
    ("match incan-gold turn:7 turn:7", 2, &["found 'turn:7' twice", "hint: give one of them another name"]),
    ("match incan-gold turn:7 ./nobody.py", 2, &["bot './nobody.py' does not exist", "hint:"]),
    ("match incan-gold turn:7 trun:8", 2, &["unknown agent 'trun'", "did you mean 'turn'?"]),
    ("match incan-gold turn:7 turn:8 --sprt=1", 2, &["--sprt: expected LOW,HIGH, found '1'"]),
    ("match incan-gold turn:7 turn:8 --sprt=2,1", 2, &["expected two bounds LOW,HIGH", "found 2,1"]),
    ("match incan-gold turn:7 turn:8 -n 0", 2, &["expected at least 1 deal, found 0"]),
    ("match incan-gold turn:7 turn:8 --anchor turn:9", 2, &["unknown competitor 'turn:9'", "did you mean"]),
    ("match incan-gold turn:7 turn:8 --resamples 1", 2, &["expected 50 to 100000 resamples, found 1"]),
    ("match incan-gold turn:7 ./x.py --sandbox strong", 2, &["--sandbox: expected one of"]),
    (
        "match incan-gold turn:7 turn:8 -n -5",
        2,
        &["'-5'", "expected a whole number from 1 to 18446744073709551615"],
    ),
    ("match incan-gold turn:7 turn:8 -n 1e6", 2, &["'1e6'", "digits only"]),
    (
        "tournament incan-gold turn:7 turn:8 --seed -1",
        2,
        &["'-1'", "expected a whole number from 0 to 2^128 - 1, or 0x"],
    ),
    ("match incan-gold turn:7 turn:8 --jobs 0", 2, &["--jobs: expected 1 to", "found 0"]),
    (
        "match incan-gold turn:7 turn:8 --jobs 5000",
        2,
        &["--jobs: expected 1 to", "cores, found 5000", "hint"],
    ),
    ("match carcassonne random", 2, &["cannot be played by one", "hint: name more competitors"]),
    ("match incan-gold turn:7 turn:8 --original", 2, &["has no original"]),
    ("tournament", 2, &["required"]),
    ("tournament none.toml", 2, &["none.toml: expected a tournament file, found none"]),
    ("tournament incan-gold turn:7", 2, &["at least 2 competitors, found 1"]),
    ("tournament --resume none", 2, &["expected a directory with a tournament (tournament.db), found none"]),
    (
        "tournament incan-gold turn:7 turn:8 --out /proc/none -n 1",
        1,
        &["/proc/none: expected to make the directory"],
    ),
    ("rank none --game incan-gold", 2, &["expected a folder of bots, found nothing at none"]),
    ("rank Cargo.toml --game incan-gold", 2, &["expected a folder of bots, found a file"]),
    ("rank src --game incan-gold", 2, &["expected bots in src, found none"]),
    ("serve --tables 0", 2, &["--tables", "expected a whole number from 1 to"]),
    ("verify Cargo.toml", 2, &["Cargo.toml", "is no database"]),
    ("verify none", 2, &["expected a directory with a tournament"]),
    ("sim incan-gold turn:7 --set rounds=3 --set rounds=4", 2, &["rounds is given twice, as '3' and as '4'"]),
    ("sweep incan-gold turn:1..3 --set rounds=3 --set rounds=4", 2, &["rounds is given twice"]),
    ("exact incan-gold solo turn:7 --set rounds=3 --set rounds=4", 2, &["rounds is given twice"]),
    ("match incan-gold turn:7 turn:8 --set rounds=3 --set rounds=4", 2, &["rounds is given twice"]),
    ("sim incan-gold turn:7,8", 2, &["unknown parameter '8'"]),
    ("sim incan-gold turn:7,turns=8", 2, &["turns is given twice, as '7' and as '8'"]),
    ("sim privateers mixed:loot=1,2 trader", 2, &["loot: expected 3 to 3 whole numbers", "found '1,2'"]),
    ("rules incan-gold/foo", 2, &["unknown preset 'foo'"]),
    ("agents incan-gold/foo", 2, &["unknown preset 'foo'"]),
    ("games incan-gold/foo", 2, &["unknown preset 'foo'"]),
    (
        "sim incan-gold ./bot.py turn:7*2",
        2,
        &["`meeple sim` plays agents", "meeple match incan-gold ./bot.py turn:7\n"],
    ),
    ("sim incan-gold Bob=cmd:node turn:7", 2, &["Bob=cmd:node: ", "hint: meeple match plays both"]),
    ("sim carcassonne syncs:bot random", 2, &["syncs:bot: ", "hint: meeple match plays both"]),
    ("sweep incan-gold bot.js turn:1..3", 2, &["`meeple sweep` plays agents", "hint: meeple match"]),
    (
        "play incan-gold human ./bot.py",
        2,
        &["meeple match incan-gold ./bot.py --out DIR", "hint: to watch it afterwards: meeple replay DIR"],
    ),
    (
        "games incan-gold --encoding --seats x",
        2,
        &["'x'", "--seats", "expected a whole number, digits only", "hint: meeple games lists"],
    ),
    ("games incan-gold --encoding --seats -1", 2, &["'-1'", "expected a whole number, digits only"]),
    ("games incan-gold --encoding --seats 99", 2, &["--seats: expected 1-16 for incan-gold, found 99"]),
    (
        "games incan-gold --encoding --set round=3",
        2,
        &["unknown parameter 'round'", "did you mean 'rounds'?"],
    ),
    ("games cartolan --encoding --profile foo", 2, &["unknown profile 'foo'", "oct-2020"]),
    ("games incan-gold --tools --set rounds=99", 2, &["rounds: expected a whole number from 1 to 20"]),
    ("games --set rounds=3", 2, &["expected a game before them", "hint:"]),
];

#[test]
fn messages_and_exit_codes() {
    for (words, code, parts) in CASES {
        let output = meeple(words).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(*code), "meeple {words}\n{errors}");
        assert!(output.stdout.is_empty(), "meeple {words} prints to stdout");
        for part in *parts {
            assert!(errors.contains(part), "meeple {words}: expected {part:?} in\n{errors}");
        }
        assert!(!errors.contains("panicked"), "meeple {words}\n{errors}");
    }
}

/// Every flag with a restricted value says what it expects.
#[test]
fn flags_say_what_they_expect() {
    let verbs = stdout("--help");
    let verbs = verbs.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names =
        |line: &str| line.strip_prefix("  ").and_then(|line| line.split(' ').next()).map(str::to_owned);
    let verbs: Vec<String> = verbs.lines().filter_map(names).filter(|verb| !verb.is_empty()).collect();
    assert!(verbs.len() > 15, "{verbs:?}");
    let (mut refused, ground) = (0, tempfile::tempdir().unwrap());
    for verb in verbs.iter().filter(|verb| *verb != "help") {
        let help = stdout(&format!("{verb} --help"));
        let flags = help.lines().filter_map(|line| line.split_once("--")?.1.split_once(" <"));
        for (flag, _) in
            flags.filter(|(flag, _)| flag.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'))
        {
            // `serve` accepts any file and host name, and then serves until it is stopped.
            if verb == "serve" && ["data", "host-name"].contains(&flag) {
                continue;
            }
            for value in ["1x", "-1x", "99999999999999999999"] {
                let mut asked = meeple(&format!("{verb} --{flag}={value}"));
                // Some flags take the value as the name of a file or folder.
                let output = asked.current_dir(ground.path()).output().unwrap();
                let errors = String::from_utf8_lossy(&output.stderr);
                if errors.contains("invalid value") {
                    refused += 1;
                    let is_explained = errors.contains("expected") || errors.contains("possible values");
                    assert!(is_explained, "meeple {verb} --{flag}={value}\n{errors}");
                }
            }
        }
    }
    assert!(refused > 50, "{refused} values were refused");
}

#[test]
fn a_broken_replay_names_the_step() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.json");
    let shown = path.to_str().unwrap();
    stdout(&format!("play incan-gold turn:3 turn:5 --seed 4 --level totals --save {shown}"));
    let text = std::fs::read_to_string(&path).unwrap();
    let check = |content: &str, expected: &str| {
        std::fs::write(&path, content).unwrap();
        let output = meeple(&format!("replay {shown} --check")).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains(expected), "expected {expected:?} in\n{errors}");
        errors
    };
    check(&text.replacen("0 stay", "0 run", 1), "'run'");
    check(&text.replacen("0 stay", "1 stay", 1), "seat 1 owes no decision");
    check(&text.replacen("\"incan-gold\"", "\"chess\"", 1), "unknown game 'chess'");
    check(&text.replacen("\"format\": 1", "\"format\": 7", 1), "expected a replay of format 1, found 7");
    check(&text.replacen("\"rules_version\": 1", "\"rules_version\": 0", 1), "expected rules version 1");
    let errors = check(&text[..text.len() / 2], "expected a replay in JSON");
    assert_eq!(errors.matches("EOF").count(), 1, "the cause is printed once: {errors}");
    let errors = check(&text.replacen("0 stay", "0 \\u001b[2J", 1), "expected one of");
    assert!(!errors.contains('\x1b'), "nothing steers the terminal: {errors:?}");
    check(&text.replacen("c gem", "0 stay\", \"c gem", 1), "cannot act: chance draws first");
    check(&text.replacen("\"0 stay", "\"c gem:5\", \"0 stay", 1), "seats 0 and 1 owe a decision");
    check(&text.replacen("\"rounds\": 5,", "", 1), "variant: expected a value of 'rounds', found none");
    check("", "expected a replay in JSON");
    let scores = text.rfind("\"scores\"").unwrap();
    let digit = scores + text[scores..].find(|c: char| c.is_ascii_digit()).unwrap();
    let mut wrong = text.clone();
    wrong.insert(digit, '1');
    check(&wrong, "the steps lead to");
}

#[test]
fn an_occupied_directory_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let shown = folder.path().to_str().unwrap();
    std::fs::write(folder.path().join("mine.txt"), "mine").unwrap();
    let output = meeple(&format!("sim incan-gold turn:7 -n 10 --out {shown}")).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("expected an empty or new directory"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing was written");

    let file = folder.path().join("mine.txt");
    let output = meeple(&format!("sim incan-gold turn:7 -n 10 --out {}", file.display())).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}
