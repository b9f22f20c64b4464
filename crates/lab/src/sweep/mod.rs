//! Sweeps: one simulation for every value of one or two parameters.

mod plan;
mod play;
mod range;
mod result;

pub use plan::{Axis, ReadFile, Sweep};
pub(crate) use play::play_cells;
pub use play::{SweepOptions, sweep};
pub(crate) use result::axes_json;
pub use result::{Cell, CellRun, SweepResult};
