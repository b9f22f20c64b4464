//! Reports: one page with everything, readable without a network.
use crate::{Run, SweepResult, plots::Plot};
/// The report of a simulation.
pub fn simulation_report(run: &Run, plots: &[Plot], command: &str) -> String {
    let _ = (run, plots, command);
    String::new()
}
/// The report of a sweep.
pub fn sweep_report(result: &SweepResult, plots: &[Plot], command: &str) -> String {
    let _ = (result, plots, command);
    String::new()
}
