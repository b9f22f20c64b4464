//! Fuzzing of parameters: at the ends of their domains, between them, and in combinations. It finds panics,
//! endless episodes and broken laws.

mod case;
mod draw;
mod plan;
mod play;
mod search;
mod watched;

use std::time::{Duration, Instant};

use meeple_core::{Defined, Playable};

use super::fault::BrokenLaw;
pub use plan::Fuzz;
pub use search::FuzzReport;
use search::Search;
use watched::Watched;

/// Environment variable that makes [`fuzz`] continue with random cases for this many seconds: `SECONDS` or
/// `SECONDS:SEED`.
pub const FUZZ: &str = "MEEPLE_FUZZ";

impl<G: Playable> Fuzz<G> {
    /// Runs the systematic cases and the random combinations.
    ///
    /// # Errors
    /// The faults found, each as a minimised case.
    pub fn run(&self) -> Result<FuzzReport, Vec<BrokenLaw>> {
        let mut search = Search::new(self, None);
        let random = (0..self.combinations).map(|index| self.random_case(index));
        for case in self.systematic_cases().into_iter().chain(random) {
            search.try_case(&case);
        }
        search.result()
    }

    /// Searches until the time is over. Faults and slow cases are reported at once.
    fn run_for(&self, time: Duration) -> Result<FuzzReport, Vec<BrokenLaw>> {
        let start = Instant::now();
        let watched = Watched::new();
        std::thread::scope(|scope| {
            scope.spawn(|| watched.watch());
            let mut search = Search::new(self, Some(&watched));
            let random = (0..).map(|index| self.random_case(index));
            let cases = self.systematic_cases().into_iter().chain(random);
            for case in cases.take_while(|_| start.elapsed() < time) {
                search.try_case(&case);
            }
            watched.end();
            search.result()
        })
    }
}

/// Searches for parameters of rules and agents that break `G`; see [`Fuzz`]. `configure` declares the short
/// and the costly parameters.
///
/// ```
/// use meeple_testkit::{fuzz, toys::Nim};
///
/// fuzz::<Nim>(|fuzz| fuzz.combinations(20));
/// ```
///
/// With [`FUZZ`] in the environment, as set by `cargo xtask fuzz`, the search continues for longer.
///
/// # Panics
/// If a fault is found, with instructions to reproduce it.
pub fn fuzz<G: Defined>(configure: impl Fn(Fuzz<G>) -> Fuzz<G>) {
    let fuzz = configure(Fuzz::new());
    let result = match std::env::var(FUZZ) {
        Err(_) => fuzz.run(),
        Ok(text) => {
            let (seconds, seed) = text.split_once(':').unwrap_or((&text, "1"));
            let number =
                |text: &str| text.parse().unwrap_or_else(|_| panic!("{FUZZ}: '{text}' is no number"));
            fuzz.seed(number(seed)).run_for(Duration::from_secs(number(seconds)))
        }
    };
    match result {
        Ok(report) => println!("{report:?}"),
        Err(found) => {
            let texts: Vec<String> = found.iter().map(BrokenLaw::to_string).collect();
            panic!("{} faults of {}\n\n{}", texts.len(), G::definition().info.id, texts.join("\n\n"));
        }
    }
}
