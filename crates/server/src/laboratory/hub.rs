//! Runs of the laboratory, in memory and in the database file.

use std::sync::Arc;

use crate::app::App;
use crate::jobs::job::{JobQuestion, JobResult, Stage};
use crate::laboratory::apart::{self, SetUpProof};
use crate::laboratory::plan::{Job, Plan};
use crate::laboratory::store::RunWrite;
use crate::store::StoreError;
use crate::tables::hub::Hub;
use crate::trouble::Trouble;

impl App {
    /// Finds a run, in memory or in the database file.
    pub async fn job(&self, id: &str) -> Result<Option<Arc<Job>>, Trouble> {
        if let Some(job) = self.jobs.find(id) {
            return Ok(Some(job));
        }
        Ok(self.hub.stored_job(id).await?.map(|job| self.jobs.keep(job)))
    }

    /// Sets a plan up on a separate thread; see [`apart::set_up`].
    pub async fn set_up<T: Send + 'static>(
        &self,
        work: impl FnOnce(&SetUpProof) -> Result<T, String> + Send + 'static,
    ) -> Result<T, Trouble> {
        apart::set_up(&self.hub, work).await
    }

    /// Starts a run, unless its complete result is known already. Stored results of other processes count.
    pub async fn begin_run(&self, plan: Plan) -> Result<Arc<Job>, Trouble> {
        let plan = self.set_up(move |proof| plan.check(proof).map(|()| plan)).await?;
        match self.job(&plan.name()).await?.filter(|job| job.seen().0 == Stage::Done) {
            Some(job) => Ok(job),
            None => self.jobs.start(plan),
        }
    }
}

impl Hub {
    /// Queues a finished run for storage.
    pub fn keep_job(&self, job: &Job, result: &JobResult) {
        let plan = serde_json::to_string(&job.plan).expect("a plan is plain data");
        let result = serde_json::to_string(result).expect("results are plain data");
        // Nothing depends on this write: if it fails, the run is played again on request.
        drop(self.store.write(vec![RunWrite { id: job.id.clone(), plan, result }]));
    }

    /// Finds a stored run, including those of other processes.
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
