//! Plots as drawings, with labelled axes and 95 % intervals. The colours of Okabe and Ito and the scale
//! viridis are readable in print and for colour-blind people.

mod backend;
mod figures;
mod frame;
mod general;
mod heat;
mod notes;
mod play;
mod plot;
mod scale;
mod sheets;
mod simulation;
mod sweep;
mod ticks;

pub use general::{Caption, PlotSeries, ValueRow, bars, intervals, lines, matrix};
pub(crate) use notes::MAX_AGENTS;
pub use plot::Plot;
pub(crate) use sheets::{MAX_SHEETS, sheet_name};
pub use simulation::simulation_plots;
pub(crate) use sweep::each_sweep_plot;
pub use sweep::sweep_plots;
