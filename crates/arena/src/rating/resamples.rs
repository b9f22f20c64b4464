//! Bootstrap resamples of the episodes.
//!
//! Every resample has its own random stream, so threads may draw them in any order.

use meeple_core::{EpisodeSeed, Stream};
use meeple_lab::{StopFlag, pool};

use super::fit::{Cholesky, RatingError, nearby};
use super::likelihood::{Model, Sample};

#[derive(Clone, Copy)]
pub(super) struct Drawing {
    pub resamples: usize,
    pub seed: u64,
    pub threads: usize,
}

#[derive(Default)]
struct Work {
    counts: Vec<f64>,
    sample: Sample,
}

/// Draws deal groups with replacement, and finds the maximum of each resample from the `best` parameters of
/// all episodes. `factor` is the factorised curvature at `best`, if helpful. Returns the parameters, indexed
/// `[parameter, resample]`.
///
/// The prior game of each parameter is won to a random share, so a competitor that won everything still has
/// uncertainty.
pub(super) fn resample(
    model: &Model<'_>,
    best: &[f64],
    factor: Option<&Cholesky>,
    drawing: Drawing,
) -> Result<Vec<Vec<f64>>, RatingError> {
    let mut parameters = vec![Vec::with_capacity(drawing.resamples); best.len()];
    let threads = pool::threads(drawing.threads).min(drawing.resamples).max(1);
    let work = |worker: &mut pool::PoolWorker<'_, usize, Work>, number: usize| {
        let Work { counts, sample } = &mut worker.kept;
        let mut stream = Stream::from_seed(EpisodeSeed::new(drawing.seed ^ 0xb007, number as u64).bits());
        model.orders.draw_groups(&mut stream, counts);
        model.recount(sample, counts);
        sample.won.clear();
        sample.won.extend((0..best.len()).map(|_| stream.unit()));
        nearby(model, sample, best, factor)
    };
    let numbers = (0..drawing.resamples).map(|number| ((), number));
    pool::in_order(threads, numbers, &StopFlag::new(), work, |(), at| {
        for (all, value) in parameters.iter_mut().zip(at.expect("arithmetic does not panic")?) {
            all.push(value);
        }
        Ok::<_, RatingError>(())
    })?;
    Ok(parameters)
}
