//! Guides: the game accepts the typed examples, and no action is a word of the prompt.

use meeple_core::{EpisodeSeed, Phase};
use meeple_games::games;

use crate::{meeple, stdout};

/// The games that a guide shows: the command of each, and the lines typed in it.
fn games_of(guide: &str) -> Vec<(String, Vec<String>)> {
    let mut games: Vec<(String, Vec<String>)> = Vec::new();
    let mut fenced = false;
    for line in guide.lines() {
        fenced ^= line.starts_with("```");
        if !fenced {
            continue;
        }
        if let Some(command) = line.strip_prefix("$ meeple ") {
            games.push((command.to_owned(), Vec::new()));
        } else if let Some(typed) = line.strip_prefix("> ") {
            games.last_mut().expect("a game was begun").1.push(typed.to_owned());
        }
    }
    games
}

#[test]
fn what_guides_show_as_typed_is_accepted() {
    for entry in games() {
        let info = entry.info();
        let shown = games_of(info.guide);
        assert!(shown.iter().any(|(_, typed)| typed.len() > 1), "{}: a first game is shown", info.id);
        for (command, typed) in shown {
            let output = meeple(&command).write_stdin(typed.join("\n") + "\nquit\n").output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{command}: {errors}");
            assert!(!errors.contains("hint: help"), "{command}: every line is accepted, found\n{errors}");
            // Each typed line has one prompt, and so has `quit`.
            assert_eq!(errors.matches("your action").count(), typed.len() + 1, "{command}\n{errors}");
        }
    }
}

#[test]
fn every_game_has_its_guide_in_three_places() {
    for entry in games() {
        let info = entry.info();
        assert_eq!(stdout(&format!("guide {}", info.id)).trim_end(), info.guide.trim_end());
        assert!(stdout(&format!("rules {}", info.id)).contains(info.guide.trim_end()), "{}", info.id);
        let tip = info.guide.split("## Tips").nth(1).unwrap().lines().find(|line| !line.is_empty()).unwrap();
        let quick =
            info.guide.split("## In one page").nth(1).unwrap().lines().find(|line| !line.is_empty()).unwrap();
        let seats = vec!["random"; info.seats.start().saturating_sub(1)].join(" ");
        let words = format!("play {} human {seats} --seed 1", info.id);
        let output = meeple(&words).write_stdin("help\nguide\nrules\nquit\n").output().unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!((shown.matches(tip).count(), shown.matches(quick).count()), (3, 3), "{}", info.id);
    }
    meeple("guide nothing").assert().code(2);
    meeple("guide incan-gold/foo").assert().code(2);
}

#[test]
fn words_at_the_prompt_are_no_actions() {
    let words = [
        "q",
        "?",
        "h",
        "help",
        "list",
        "hint",
        "hint mcts",
        "analyse",
        "analyze mcts:iterations=9",
        "undo",
        "board",
        "overview",
        "scroll left",
        "scroll up 5",
        "follow",
        "log",
        "log 20",
        "rules",
        "guide",
        "save x.json",
        "quit",
        "exit",
    ];
    for entry in games() {
        let info = entry.info();
        let named = info.demo.len().max(*info.seats.start());
        let game = entry.set_up(None, &[], named).unwrap();
        let mut episode = game.episode(EpisodeSeed::new(1, 1));
        for _ in 0..60 {
            match episode.phase() {
                Phase::Over => break,
                Phase::Chance => episode.step_chance(),
                Phase::Decide(seats) => {
                    for seat in seats {
                        let legal = episode.legal_actions(seat);
                        for word in words {
                            assert!(!legal.iter().any(|action| action == word), "{}: {word}", info.id);
                            let read = episode.read_input(seat, word);
                            let is_taken = read.as_ref().is_ok_and(|action| legal.contains(action));
                            assert!(!is_taken, "{}: '{word}' is read as {read:?}", info.id);
                        }
                        let action = episode.sample_action(seat);
                        episode.act(seat, &action).unwrap();
                    }
                }
            }
        }
    }
}
