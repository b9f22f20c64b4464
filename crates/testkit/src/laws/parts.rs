//! Laws of the choice of actions: the parts of listed ones, the composer of structured ones.

use std::collections::{BTreeMap, BTreeSet};

use meeple_core::{ActionKind, ActionPart, Phase, Playable, PlayerLabel, View, Viewer};

use super::fault::{Held, granted, hold};
use super::memory::{Memory, Position};

/// Maximum number of steps of a walk through a composer.
const STEPS: usize = 16;

/// Law: a seat that owes a decision can reach every listed action by its parts, or compose a structured one.
pub(crate) fn chosen<G: Playable>(at: &Position<'_, G>, memory: &mut Memory<G>) -> Held {
    let Phase::Decide(owing) = at.phase else { return Ok(()) };
    let players: Vec<PlayerLabel> =
        (0..at.game.seats()).map(|seat| format!("player {seat}").into()).collect();
    // A copy of the stream, so that draws of other laws stay the same.
    let mut rng = memory.rng.clone();
    for seat in memory.some_seats(owing, 2) {
        let viewer = Viewer::Seat(seat);
        let mut legal = Vec::new();
        at.game.legal_actions(at.state, seat, &mut legal);
        let events: Vec<&G::Event> = at.log.seen_by(viewer).collect();
        let observation = at.game.observe(at.state, viewer);
        let view = View { viewer, observation, legal: &legal, events: &events, players: &players };
        if at.game.info().actions == ActionKind::Listed {
            let parts = |action| (format!("{action}"), at.game.action_parts(&view, action));
            tree(&legal.iter().map(parts).collect::<Vec<_>>())?;
            continue;
        }
        let scene = at.game.draw(&view);
        let targets: BTreeSet<&str> = scene.targets.iter().map(|target| target.name.as_str()).collect();
        let mut text = String::new();
        for _ in 0..STEPS {
            let made = granted("composer-reads-on", at.game.compose(&view, &text), || {
                format!("seat {seat} cannot go on with '{text}', which was offered")
            })?;
            let Some(mut made) = made else { break };
            hold!(
                "composer-steps-back",
                match &made.back {
                    None => text.is_empty(),
                    Some(back) => back.len() < text.len() && text.starts_with(back.as_str()),
                },
                "from '{text}' it goes back to {:?}",
                made.back
            );
            let additions: Vec<_> = made
                .additions
                .iter()
                .map(|addition| (addition.text.clone(), addition.parts.clone()))
                .collect();
            tree(&additions)?;
            let pointed = made.additions.iter().filter_map(|addition| addition.target.as_ref());
            for target in pointed.chain(&made.chosen).chain(&made.used) {
                hold!(
                    "composer-points-at-targets",
                    targets.contains(target.as_str()),
                    "'{text}' speaks of the target '{target}', which the drawing for seat {seat} has not"
                );
            }
            hold!(
                "composer-goes-on",
                made.action.is_some() || !made.additions.is_empty(),
                "'{text}' is no whole action, and nothing can be added"
            );
            if let Some(action) = &made.action {
                let why = || format!("'{text}' makes the action '{action}' of seat {seat}");
                let action = granted("composer-makes-legal-actions", action.parse::<G::Action>(), why)?;
                granted("composer-makes-legal-actions", at.game.check(at.state, seat, &action), why)?;
            }
            if made.additions.is_empty() {
                break;
            }
            text = made.additions.swap_remove(rng.index(made.additions.len())).text;
            // Texts that were never offered are refused or accepted, without a panic.
            let half: String = text.chars().take(text.chars().count() / 2).collect();
            let rest: String = text.chars().skip(1).collect();
            for foreign in [half, rest, format!("{text} {text}")] {
                drop(at.game.compose(&view, &foreign));
            }
        }
    }
    Ok(())
}

/// The parts of all answers form a tree whose leaves are exactly these answers.
fn tree(answers: &[(String, Vec<ActionPart>)]) -> Held {
    let mut leaves: BTreeMap<&[ActionPart], &str> = BTreeMap::new();
    let mut names: BTreeMap<(&[ActionPart], &str), &str> = BTreeMap::new();
    for (text, parts) in answers {
        let said = parts.iter().all(|part| !part.name.trim().is_empty() && !part.label.trim().is_empty());
        hold!("parts-have-words", said && !parts.is_empty(), "the parts of '{text}' are {parts:?}");
        let same = leaves.insert(parts, text);
        hold!(
            "parts-tell-actions-apart",
            same.is_none(),
            "'{text}' and '{}' have the same parts {parts:?}",
            same.unwrap_or_default()
        );
        for (place, part) in parts.iter().enumerate() {
            let name = names.entry((&parts[..place], &part.label)).or_insert(part.name);
            hold!(
                "parts-have-different-labels",
                *name == part.name,
                "'{}' is a part of '{text}' both as '{name}' and as '{}'",
                part.label,
                part.name
            );
        }
    }
    for (text, parts) in answers {
        let shorter = (1..parts.len()).find_map(|length| leaves.get(&parts[..length]));
        hold!(
            "parts-tell-actions-apart",
            shorter.is_none(),
            "'{text}' goes on where the parts of '{}' have ended: {parts:?}",
            shorter.unwrap_or(&"")
        );
    }
    Ok(())
}
