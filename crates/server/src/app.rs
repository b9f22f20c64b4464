//! The state that all handlers share.

use std::convert::Infallible;
use std::sync::Arc;

use axum::http::HeaderMap;
use meeple_core::PublicName;
use tokio::sync::{mpsc, watch};

use crate::competitions::directories::Directories;
use crate::competitions::plan;
use crate::laboratory::plan::Jobs;
use crate::limits::permits::FairPermits;
use crate::log::Log;
use crate::members::accounts::{Accounts, Member};
use crate::members::cookies;
use crate::members::names::guest_name;
use crate::operator::state::Operation;
use crate::replays::recorded::Recorded;
use crate::tables::hub::Hub;
use crate::trouble::Trouble;

#[derive(Clone)]
pub struct App {
    pub hub: Arc<Hub>,
    pub jobs: Arc<Jobs>,
    pub competitions: Arc<plan::Jobs>,
    /// Tournaments of other processes that the operator shows.
    pub directories: Arc<Directories>,
    pub operation: Arc<Operation>,
    /// Members; `None` if the server has no accounts.
    pub accounts: Option<Arc<Accounts>>,
    pub log: Log,
    /// Permits for the bodies of uploads.
    pub upload_permits: Arc<FairPermits>,
    pub stop: watch::Receiver<bool>,
    /// A liveness token that sends nothing. Shutdown waits until all clones are dropped.
    pub alive: mpsc::Sender<Infallible>,
}

impl App {
    /// Finds a replay by its name: an upload, a table that is over, or an episode of a competition or run.
    pub async fn recorded(&self, name: &str) -> Result<Recorded, Trouble> {
        // Only names of episodes contain a dot.
        if let Some((id, index)) = name.split_once('.') {
            return match self.job(id).await? {
                Some(run) => self.episode_of_run(name, &run.plan, index).await,
                None => self.episode(name).await,
            };
        }
        self.hub.recorded(name).await
    }

    /// The member who is logged in with this request's cookie.
    pub fn member(&self, headers: &HeaderMap) -> Option<Member> {
        cookies::member(headers, self.accounts.as_deref()?)
    }

    /// The name and the account for taking a seat: a member's own, or a guest's chosen name without an
    /// account.
    pub fn sitter(
        &self,
        headers: &HeaderMap,
        called: Option<&str>,
    ) -> Result<(PublicName, Option<String>), Trouble> {
        match self.member(headers) {
            Some(member) => Ok((member.name.into(), Some(member.account))),
            None => Ok((self.guest(called)?, None)),
        }
    }

    /// A guest's public name. On servers with members it is marked, so that it cannot pass for a member's.
    ///
    /// # Errors
    /// If a guest may not have the name.
    pub fn guest(&self, called: Option<&str>) -> Result<PublicName, Trouble> {
        guest_name(called, self.accounts.is_some()).map_err(|wrong| Trouble::Setup(wrong.to_string()))
    }
}
