use meeple_balance::{
    Rules, TrialPlan, grids_of_effects, grids_of_values, plots_of_effects, plots_of_values,
    sentences_of_effects, sentences_of_values, try_parameters, try_values,
};
use meeple_lab::{NoProgress, StopFlag};

use crate::{ALL, hands, near, options, settings, words};

#[test]
fn survivors_are_named_at_each_value() {
    let entry = hands::entry();
    let rules = Rules { entry: &entry, preset: None, set: &[] };
    let plan = TrialPlan::of_values(rules, "paper=0..3", &words(&ALL), &options()).unwrap();
    let trials =
        try_values(&plan, &mut NoProgress, &StopFlag::new(), &mut |_, _, _| Ok(())).unwrap().unwrap();
    let share =
        |value: usize, strategy: usize| trials.trials[value].answers.strategies[strategy].equilibrium.value;
    near(share(0, 0), 1.0 / 3.0, 1e-9);
    // With one point for paper, scissors score 1 against paper's 1 - 1 = 0 and still win.
    near(share(1, 0), 1.0 / 3.0, 1e-9);
    // With two points, they are even (1 against 2 - 1), and paper beats rock: rock does not survive.
    near(share(2, 0), 0.0, 1e-6);
    // With three points, paper beats both others.
    near(share(3, 1), 1.0, 1e-6);
    let answer = &sentences_of_values(&trials)[0].answer;
    for part in ["at paper=0 to 1", "at paper=3 `throws:paper` dominates"] {
        assert!(answer.contains(part), "{answer}");
    }
    assert_eq!(grids_of_values(&trials)[0].rows.len(), 4);
    let plots = plots_of_values(&trials).unwrap();
    assert_eq!(
        plots.iter().map(|plot| plot.name.as_str()).collect::<Vec<_>>(),
        ["survivors-by-value", "lengths", "spots-by-value", "ends-by-value"]
    );
}

#[test]
fn parameters_are_ranked_by_what_they_do() {
    let entry = hands::entry();
    let set = settings(&[("rounds", "4"), ("paper", "2")]);
    let rules = Rules { entry: &entry, preset: None, set: &set };
    let plan = TrialPlan::of_parameters(rules, &words(&ALL), &options()).unwrap();
    let effects =
        try_parameters(&plan, &mut NoProgress, &StopFlag::new(), &mut |_, _, _| Ok(())).unwrap().unwrap();
    let of = |parameter: &str, to: &str| {
        let found = effects.effects.iter().find(|effect| effect.parameter == parameter && effect.to == to);
        found.unwrap_or_else(|| panic!("{parameter}={to} among {:?}", effects.effects))
    };
    near(of("rounds", "2").length.value, -0.5, 1e-6);
    near(of("rounds", "6").length.value, 0.5, 1e-6);
    near(of("first", "1").length.value, 0.0, 1e-9);
    assert!(of("first", "1").unfairness.value > 0.1);
    assert!(of("hard", "on").survivors.value > 0.5);
    assert_eq!(effects.effects[0].parameter, "rounds");
    let sentences = sentences_of_effects(&effects);
    assert!(
        sentences[0].answer.contains("rounds=") && sentences[0].answer.contains("+50 %"),
        "{}",
        sentences[0].answer
    );
    // In the second round the first seat must throw rock, which `hard` makes unbeatable.
    assert!(
        sentences[1]
            .answer
            .starts_with("hard=on instead of off: gain of the best seat over the worst changes by"),
        "{}",
        sentences[1].answer
    );
    assert!(sentences[2].answer.contains("hard=on"), "{}", sentences[2].answer);
    let grids = grids_of_effects(&effects, meeple_balance::Detail::Full);
    assert_eq!(grids[0].rows.len(), effects.effects.len());
    // Each ranking begins with the parameter of greatest effect on its own number.
    assert_eq!(
        [&grids[0], &grids[1], &grids[2]].map(|grid| grid.rows[0][0].as_str()),
        ["rounds", "hard", "paper"]
    );
    assert_eq!(plots_of_effects(&effects).unwrap().len(), 3);
}

#[test]
fn a_stop_gives_nothing() {
    let entry = hands::entry();
    let rules = Rules { entry: &entry, preset: None, set: &[] };
    let plan = TrialPlan::of_parameters(rules, &words(&ALL), &options()).unwrap();
    let stop = StopFlag::new();
    stop.stop();
    assert!(try_parameters(&plan, &mut NoProgress, &stop, &mut |_, _, _| Ok(())).unwrap().is_none());
}
