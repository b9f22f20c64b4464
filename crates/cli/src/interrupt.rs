//! Ctrl-C and termination signals while bots run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use meeple_bothost::end_all_bots;
use meeple_lab::StopFlag;

use crate::terminal;

/// Message for a signal before the first episode.
pub const NOTHING_PLAYED: &str = "nothing was played";

/// Handler of Ctrl-C, SIGTERM and SIGHUP. Before playing, the first signal ends the program. While episodes
/// are played, the first signal lets the current ones finish, and the second ends the program. All bots are
/// killed and their files removed before the program ends.
pub struct Interrupt {
    stop: StopFlag,
    playing: AtomicBool,
    ending: AtomicBool,
    /// Message for the user if the program ends at once.
    advice: Mutex<String>,
}

impl Interrupt {
    /// Installs the handler; `advice` is printed if the program ends before playing.
    pub fn new(advice: &str) -> anyhow::Result<Arc<Self>> {
        let interrupt = Arc::new(Self {
            stop: StopFlag::new(),
            playing: AtomicBool::new(false),
            ending: AtomicBool::new(false),
            advice: Mutex::new(advice.to_owned()),
        });
        let heard = Arc::clone(&interrupt);
        ctrlc::set_handler(move || heard.hear())?;
        Ok(interrupt)
    }

    /// Marks the start of playing. Returns the flag that the first signal sets. `advice` is printed if a
    /// second signal ends the program.
    pub fn playing(&self, advice: String) -> StopFlag {
        *self.advice.lock().unwrap_or_else(PoisonError::into_inner) = advice;
        self.playing.store(true, Ordering::SeqCst);
        self.stop.clone()
    }

    /// Returns the result of work with bots. If a signal has killed the bots meanwhile, the result is void
    /// and the program ends here.
    pub fn outlive<T>(&self, result: T) -> T {
        while self.ending.load(Ordering::SeqCst) {
            // The signal handler's thread ends the program.
            std::thread::park();
        }
        result
    }

    fn hear(&self) {
        if self.playing.load(Ordering::SeqCst) && !self.stop.is_stopped() {
            self.stop.stop();
            terminal::tell("\nmeeple: stops after this episode; Ctrl-C once more ends at once");
            return;
        }
        let when = if self.playing.load(Ordering::SeqCst) { "ended at once" } else { "stopped at the start" };
        self.ending.store(true, Ordering::SeqCst);
        let advice = self.advice.lock().unwrap_or_else(PoisonError::into_inner).clone();
        terminal::tell(format_args!("\nmeeple: {when}; {advice}"));
        end_all_bots();
        std::process::exit(1);
    }
}
