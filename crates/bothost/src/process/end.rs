//! The end of a process, voluntary or forced.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::BotProcess;
use crate::fault::{Fault, FaultCode};
use crate::patience::Activity;
use crate::pipes::breathe;
use crate::protocol::HostMessage;

/// CPU time in which any program can end.
const MAX_WORK: Duration = Duration::from_secs(2);

/// The behaviour of a bot once there is nothing more to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    Ended,
    /// The bot sleeps, so it waits for something.
    Sleeps,
    /// The bot goes on working.
    Works,
    /// The machine has no time for the bot.
    Starved,
}

impl BotProcess {
    /// Closes the bot's input, with or without a good-bye, and reports whether it ends by itself. That may
    /// take long on a busy machine, so the bot's activity decides. A bot that sleeps through the shutdown
    /// time, or works longer than `MAX_WORK`, does not end by itself.
    pub(crate) fn ending(&mut self, with_bye: bool) -> Ending {
        if with_bye {
            let _ = self.send(&HostMessage::Bye { why: None });
        }
        let limits = self.limits;
        let Some(running) = &mut self.running else { return Ending::Ended };
        running.go_on();
        running.pipes.close_input();
        let allowed = Duration::from_millis(limits.shutdown_ms);
        let began = Instant::now();
        let mut activity = Activity::new(Arc::clone(&running.supervised));
        loop {
            if running.try_wait_draining(&limits).is_some() {
                return Ending::Ended;
            }
            activity.look();
            if activity.asleep() > allowed {
                return Ending::Sleeps;
            }
            if activity.worked() > MAX_WORK {
                return Ending::Works;
            }
            let now = Instant::now();
            if now > began + allowed && self.patient_until.is_none_or(|until| now > until) {
                return Ending::Starved;
            }
            breathe();
        }
    }

    /// Waits until nothing is left of a process that was ended while others were thinking.
    pub(super) fn bury(&mut self) {
        if let Some(running) = self.remains.take() {
            self.time.wait_for_one();
            running.kill();
        }
    }

    /// Says good-bye, waits up to `shutdown_ms` for the end, and kills the remaining processes. [`Drop`] does
    /// the same.
    pub fn shut_down(&mut self) {
        self.bury();
        let _ = self.send(&HostMessage::Bye { why: None });
        let Some(mut running) = self.running.take() else { return };
        running.go_on();
        running.pipes.close_input();
        let deadline = Instant::now() + Duration::from_millis(self.limits.shutdown_ms);
        self.time.wait_for_one();
        while Instant::now() < deadline && running.try_wait_draining(&self.limits).is_none() {
            breathe();
        }
        running.kill();
        self.gone = Some(Fault::new(FaultCode::Crash, "the bot has been shut down").fatal());
    }
}

impl Drop for BotProcess {
    fn drop(&mut self) {
        self.shut_down();
    }
}
