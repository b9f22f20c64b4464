//! Reviews of stored episodes: an agent's analysis of every decision, turning points, and costs by seat.

mod ask;
mod filed;
#[expect(clippy::module_inception, reason = "the noun of the folder is one of its files")]
mod review;
mod shown;
mod verdict;
mod words;

pub use ask::{ReviewOptions, Reviewing};
pub use filed::ReviewFiles;
pub use review::{Review, Reviewed, SeatReview, Swing};
pub use shown::{review_grids, review_plots};
pub use verdict::{ReviewVerdict, Worth};
pub use words::review_words;
