//! Long computations whose progress is stored by the host.

use std::ops::ControlFlow;

use meeple_core::{ToolError, ToolHost, ToolNews};

use super::company::{Step, Values};
use super::rules::ExactError;

pub(crate) struct Listener<'l> {
    pub(crate) host: &'l dyn ToolHost,
    pub(crate) tell: &'l mut dyn FnMut(ToolNews<'_>),
}

/// Runs a computation from the values that the host has stored, and stores its results after every step. For
/// the progress display, `before` of `all` computations of equal length are finished.
pub(crate) fn with_kept<T>(
    values: &mut Values,
    [before, all]: [u64; 2],
    listener: &mut Listener<'_>,
    compute: impl FnOnce(
        &mut Values,
        &dyn ToolHost,
        &mut dyn FnMut(Step<'_>) -> ControlFlow<()>,
    ) -> Result<T, ExactError>,
) -> Result<T, ToolError> {
    let Listener { host, tell } = listener;
    let name = values.file_name();
    let known = match host.kept(&name) {
        Ok(None) => Ok(()),
        Ok(Some(text)) => values.read(&text),
        Err(error) => Err(error),
    };
    if let Err(error) = known {
        tell(ToolNews::Says(&format!("{name} cannot be used and is computed again: {error}")));
    } else if values.len() > 0 {
        tell(ToolNews::Says(&format!("goes on from {name}, which has {} starts", values.len())));
    }
    let (mut written, mut complains) = (values.len(), true);
    let mut step = |step: Step<'_>| {
        if step.values.len() > written {
            written = step.values.len();
            if let Err(error) = host.keep(&name, &step.values.to_text())
                && std::mem::take(&mut complains)
            {
                tell(ToolNews::Says(&format!("{name} cannot be kept: {error}")));
            }
        }
        tell(ToolNews::Done { done: before * step.total + step.done, total: all * step.total });
        ControlFlow::Continue(())
    };
    compute(values, *host, &mut step).map_err(|error| match error {
        ExactError::Stopped => ToolError::Failed(format!(
            "stopped with {} starts of rounds\nhint: the same command goes on from there, if {name} could be kept",
            values.len()
        )),
        other => other.into(),
    })
}
