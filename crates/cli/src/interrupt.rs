//! Ctrl-C and the signals that ask a program to end, while bots run.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use meeple_bothost::end_all_bots;
use meeple_lab::StopFlag;

use crate::terminal;

/// What is said of a tournament that is ended before its first episode.
pub const NOTHING_PLAYED: &str = "nothing was played";

/// Listens to Ctrl-C, SIGTERM and SIGHUP. Before anything is played the first one ends the program; while a
/// tournament is played the first one lets it finish its episodes, and the second ends the program. It never ends
/// without having killed all bots and removed their files.
pub struct Interrupt {
    stop: StopFlag,
    playing: AtomicBool,
    ending: AtomicBool,
    /// What a user should know when the program ends at once.
    advice: Mutex<String>,
}

impl Interrupt {
    /// Listens from now on; `advice` is told if the program ends before it plays.
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

    /// The playing begins. Returns the flag that the first signal sets; `advice` is told if there is a second.
    pub fn playing(&self, advice: String) -> StopFlag {
        *self.advice.lock().unwrap_or_else(PoisonError::into_inner) = advice;
        self.playing.store(true, Ordering::SeqCst);
        self.stop.clone()
    }

    /// Passes on what came of work with bots, unless they were killed under it: then the program ends here.
    pub fn outlive<T>(&self, result: T) -> T {
        while self.ending.load(Ordering::SeqCst) {
            // The thread of the signals ends the program.
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
