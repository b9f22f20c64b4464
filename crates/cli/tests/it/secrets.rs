//! A viewer's frames depend only on what that viewer may see: two episodes that differ only in secret steps
//! give the same bytes.

use serde_json::{Value, json};

use crate::{meeple, stdout};

/// The number of units of every trade in a Privateers episode, in order.
fn trades(replay: &str) -> Vec<usize> {
    let output = stdout(&format!("replay {replay} --level detail"));
    let units = output.lines().filter_map(|line| {
        let (_, words) = line.strip_prefix("* seat ")?.split_once(' ')?;
        let words = words.strip_prefix("buys ").or(words.strip_prefix("sells "))?;
        words.split(' ').next()?.parse().ok()
    });
    units.collect()
}

/// The same episode, in which seats other than `viewer` trade unit by unit instead of in bulk. The viewer
/// cannot tell the difference (R5.6).
fn twin(steps: &[Value], trades: &[usize], viewer: char) -> Vec<Value> {
    let mut trades = trades.iter();
    let mut twin = Vec::new();
    for step in steps {
        let text = step.as_str().unwrap();
        let (seat, action) = text.split_once(' ').unwrap();
        let single = ["buy-max", "sell-all"].into_iter().zip(["buy", "sell"]);
        let (mut unit, mut units) = (text.to_owned(), 1);
        if let Some((verb, product)) = action.split_once(' ')
            && ["buy", "sell", "buy-max", "sell-all"].contains(&verb)
            && !["galleon", "frigate"].contains(&product)
        {
            let traded = *trades.next().unwrap();
            if let Some((_, single)) = single.clone().find(|(bulk, _)| *bulk == verb)
                && !seat.starts_with(viewer)
            {
                (unit, units) = (format!("{seat} {single} {product}"), traded);
            }
        }
        twin.extend(vec![json!(unit); units]);
    }
    assert_eq!(trades.next(), None, "every trade has its step");
    twin
}

#[test]
fn how_often_others_trade_is_shown_nowhere() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (one, two) = (file("one.json"), file("two.json"));
    let game = "privateers trader pirate mixed --set map=pocket --set max_rounds=14";
    stdout(&format!("play {game} --seed 6 --level totals --save {one}"));
    let mut replay: Value = serde_json::from_slice(&std::fs::read(&one).unwrap()).unwrap();
    let steps = replay["steps"].as_array().unwrap().clone();
    for viewer in ['1', 'p'] {
        let other = twin(&steps, &trades(&one), viewer);
        assert!(other.len() > steps.len() + 10, "{} steps and {}", other.len(), steps.len());
        replay["steps"] = json!(other);
        std::fs::write(&two, replay.to_string()).unwrap();
        let who = if viewer == 'p' { "public".to_owned() } else { viewer.to_string() };
        for level in ["totals", "game", "round", "turn", "detail"] {
            let shown = |replay: &str| stdout(&format!("replay {replay} --viewer {who} --level {level}"));
            assert_eq!(shown(&one), shown(&two), "viewer {who}, level {level}");
        }
        let film = |replay: &str| stdout(&format!("replay {replay} --viewer {who} --film"));
        assert_eq!(film(&one), film(&two), "viewer {who}");
        let drawn = |replay: &str, options: &str, output: &str| {
            let output = file(output);
            stdout(&format!("render {replay} --viewer {who} -o {output} {options}"));
            std::fs::read(output).unwrap()
        };
        assert!(drawn(&one, "", "a.html") == drawn(&two, "", "b.html"), "viewer {who}");
        for at in ["--at 40", "--at -1", "--at -9"] {
            assert!(drawn(&one, at, "a.svg") == drawn(&two, at, "b.svg"), "viewer {who} {at}");
        }
        let refused = |replay: &str| {
            let words = format!("render {replay} --viewer {who} -o {} --at 99999", file("x.svg"));
            let output = meeple(&words).output().unwrap();
            assert_eq!(output.status.code(), Some(2));
            String::from_utf8(output.stderr).unwrap()
        };
        assert_eq!(refused(&one), refused(&two), "viewer {who}");
        // A viewer who sees everything sees every step, so the episodes differ.
        let all = |replay: &str| stdout(&format!("replay {replay} --level turn"));
        assert_ne!(all(&one), all(&two));
    }
}
