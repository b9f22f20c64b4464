//! Tuning.

use meeple_core::{AgentSpec, EpisodeSeed, Seat};
use meeple_games::find_game;
use meeple_lab::StopFlag;
use meeple_learn::{Cma, LearnError, Tuned, Tuning, tune};

/// A hill that is narrow, and lies across the axes.
fn worth(place: &[f64]) -> f64 {
    let pairs =
        place.windows(2).map(|pair| 100.0 * (pair[1] - pair[0] * pair[0]).powi(2) + (1.0 - pair[0]).powi(2));
    -pairs.sum::<f64>()
}

#[test]
fn the_top_of_a_bent_ridge_is_found() {
    let mut draws = EpisodeSeed::new(1, 0).agent(Seat::new(0));
    let mut cma = Cma::new(vec![-1.0; 5], 0.3);
    for _ in 0..900 {
        let candidates = cma.ask(&mut draws);
        assert_eq!(candidates.len(), cma.population());
        let worth: Vec<f64> = candidates.iter().map(|place| worth(place)).collect();
        cma.tell(&candidates, &worth);
    }
    assert!(cma.mean().iter().all(|number| (number - 1.0).abs() < 1e-6), "{:?}", cma.mean());
}

fn tuned(agent: &str, only: &[&str], seats: usize, against: &[&str]) -> Result<Tuned, LearnError> {
    let entry = find_game("incan-gold").unwrap();
    let game = entry.set_up(None, &[], seats).unwrap();
    let tuning = Tuning {
        agent: AgentSpec::parse(agent),
        only: only.iter().map(|name| (*name).to_owned()).collect(),
        against: against.iter().map(|agent| (*agent).to_owned()).collect(),
        generations: 12,
        episodes: 4_000,
        final_episodes: 10_000,
        seed: 3,
        threads: 2,
    };
    tune(entry, &*game, &tuning, &StopFlag::new(), |_, _, _| {})
}

/// Exact: the best number of gems to leave with, alone, is 29 (`meeple exact incan-gold solo backpack:15..40`), and 24 to 35 are
/// within 1.5 gems of it.
#[test]
fn a_number_comes_near_its_exact_best() {
    let tuned = tuned("backpack", &[], 1, &[]).unwrap();
    let gems: f64 = tuned.agent.arguments.strip_prefix("gems=").unwrap().parse().unwrap();
    assert!((24.0..=35.0).contains(&gems), "{tuned:?}");
    let [(_, now, before)] = &tuned.compared[..] else { panic!("{tuned:?}") };
    assert!(now.mean + 0.5 > before.mean, "{tuned:?}");
}

#[test]
fn what_cannot_be_tuned_is_said() {
    for (agent, only, against, expected) in [
        ("nobody", &[][..], &[][..], "unknown agent 'nobody'"),
        ("never", &[], &[], "has no number"),
        ("backpack:20", &[], &[], "has no number"),
        ("backpack", &["gold"], &[], "found 'gold'"),
        ("backpack:20", &["gems"], &[], "found 'gems'"),
        ("backpack", &[], &["nobody"], "nobody"),
    ] {
        let error = tuned(agent, only, 2, against).unwrap_err().to_string();
        assert!(error.contains(expected), "{agent}: {error}");
    }
}
