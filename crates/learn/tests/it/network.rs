//! Tests of networks: values, gradients and training steps.

use meeple_core::{EpisodeSeed, Seat, Stream};
use meeple_learn::{Adam, Network, Scratch};

fn draws(seed: u64) -> Stream {
    EpisodeSeed::new(seed, 0).agent(Seat::new(0))
}

/// Random input, of which half is 0 in the mean: encodings have many zeros, too.
fn input(size: usize, rng: &mut Stream) -> Vec<f32> {
    (0..size).map(|_| if rng.coin() { 0.0 } else { (rng.unit() * 2.0 - 1.0) as f32 }).collect()
}

#[test]
fn slopes_are_those_of_finite_differences() {
    for (seed, hidden) in [(1, vec![]), (2, vec![5]), (3, vec![11, 3]), (4, vec![17, 9, 4])] {
        let mut rng = draws(seed);
        let network = Network::new(7, &hidden, &mut rng);
        let (input, target) = (input(7, &mut rng), 0.7);
        let mut scratch = Scratch::default();
        let mut gradient = vec![0.0; network.weights()];
        network.accumulate_gradient(&input, target, &mut gradient, &mut scratch);
        let mut loss = |network: &Network| {
            let error = f64::from(network.value(&input, &mut scratch)) - f64::from(target);
            error * error / 2.0
        };
        for (at, gradient) in gradient.iter().enumerate() {
            let step = 1e-3;
            let [more, less] = [step, -step].map(|step| loss(&network.perturbed(at, step)));
            let differs = f64::from(*gradient) - (more - less) / (2.0 * f64::from(step));
            assert!(differs.abs() < 2e-3, "{hidden:?}, weight {at}: {gradient} and {differs} more");
        }
        assert!(gradient.iter().any(|gradient| gradient.abs() > 1e-3));
    }
}

#[test]
fn a_network_learns_what_no_line_can_say() {
    // The network learns the exclusive or of the signs of two numbers.
    let mut rng = draws(5);
    let mut network = Network::new(2, &[16], &mut rng);
    let mut adam = Adam::new(network.weights());
    let (mut scratch, mut gradient) = (Scratch::default(), vec![0.0; network.weights()]);
    let mut example = || {
        let [one, other] = [rng.coin(), rng.coin()].map(|up| if up { 1.0 } else { -1.0 });
        ([one, other], -one * other)
    };
    for _ in 0..1_500 {
        gradient.fill(0.0);
        for _ in 0..8 {
            let (input, target) = example();
            network.accumulate_gradient(&input, target, &mut gradient, &mut scratch);
        }
        adam.step(&mut network, &gradient, 0.01);
    }
    for _ in 0..20 {
        let (input, target) = example();
        let value = network.value(&input, &mut scratch);
        assert!((value - target).abs() < 0.2, "{input:?}: {value}");
    }
}
