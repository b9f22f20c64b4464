//! Runs of the laboratory in the file.

use crate::jobs::job::JobResult;
use crate::laboratory::plan::Job;
use crate::laboratory::store::RunWrite;
use crate::store::StoreError;
use crate::tables::hub::Hub;
use crate::trouble::Trouble;

impl Hub {
    /// Queues a finished run for storage.
    pub fn keep_job(&self, job: &Job, result: &JobResult) {
        let plan = serde_json::to_string(&job.plan).expect("a plan is plain data");
        let result = serde_json::to_string(result).expect("results are plain data");
        // Nothing depends on this write: if it fails, the run is played again on request.
        drop(self.store.write(vec![RunWrite { id: job.id.clone(), plan, result }]));
    }

    /// Finds a stored run, also one of another process.
    pub async fn stored_job(&self, id: &str) -> Result<Option<Job>, Trouble> {
        let Some((plan, result)) = self.store.job(id).await? else { return Ok(None) };
        let damaged = |error: serde_json::Error| StoreError::Damaged {
            table: id.to_owned(),
            reason: error.to_string(),
        };
        let plan = serde_json::from_str(&plan).map_err(damaged)?;
        Ok(Some(Job::stored(plan, serde_json::from_str(&result).map_err(damaged)?)))
    }
}
