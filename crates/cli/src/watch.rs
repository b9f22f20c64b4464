//! The progress bar of long runs.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use meeple_lab::Progress;

use crate::terminal;

/// A progress bar on stderr, with rate and time left; hidden unless stderr is a terminal.
pub struct Bar {
    bar: ProgressBar,
    /// The label printed last; `None` if labels are not printed.
    last_label: Option<String>,
    pace: Arc<Mutex<Pace>>,
}

/// Progress since the first update, for the estimate of the time left.
#[derive(Default)]
struct Pace {
    /// Time of the first update, and the work done by then.
    begun: Option<(Instant, u64)>,
    done: u64,
    total: u64,
}

impl Pace {
    fn update(&mut self, done: u64, total: u64) {
        self.begun.get_or_insert_with(|| (Instant::now(), done));
        (self.done, self.total) = (done, total);
    }

    /// The estimated time left, by the mean speed so far; `None` before any progress.
    fn left(&self) -> Option<Duration> {
        let (begun, before) = self.begun?;
        let done = self.done.saturating_sub(before);
        let rest = self.total.saturating_sub(self.done);
        (done > 0).then(|| begun.elapsed().mul_f64(rest as f64 / done as f64))
    }

    fn words(&self) -> String {
        match self.left() {
            None => "begins".to_owned(),
            Some(left) if left < Duration::from_secs(1) => "ends at once".to_owned(),
            Some(left) => format!("{:#} left", HumanDuration(left)),
        }
    }
}

impl Bar {
    /// A bar of episodes, hidden if `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self::of("episodes", quiet)
    }

    /// A bar of `what`, hidden if `quiet`.
    pub fn of(what: &str, quiet: bool) -> Self {
        let bar = ProgressBar::new(0);
        if quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = format!(
            "{{bar:32}} {{percent:>3}} %  {{human_pos}}/{{human_len}} {what}  {{per_sec}}  {{left}}  {{msg}}"
        );
        let pace = Arc::new(Mutex::new(Pace::default()));
        let shared = Arc::clone(&pace);
        let left = move |_: &ProgressState, out: &mut dyn std::fmt::Write| {
            // A failed write into the bar is ignored.
            let _ = out.write_str(&shared.lock().unwrap_or_else(PoisonError::into_inner).words());
        };
        let style = ProgressStyle::with_template(&style).expect("the template is constant");
        bar.set_style(style.with_key("left", left));
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, last_label: None, pace }
    }

    /// Makes the bar print a line for every new label, if `verbose`.
    pub fn telling(self, verbose: bool) -> Self {
        Self { last_label: verbose.then(String::new), ..self }
    }

    /// Writes a line above the bar.
    pub fn say(&self, line: &str) {
        self.bar.suspend(|| terminal::tell(format_args!("meeple: {line}")));
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn update(&mut self, done: u64, total: u64, label: &str) {
        self.pace.lock().unwrap_or_else(PoisonError::into_inner).update(done, total);
        self.bar.set_length(total);
        self.bar.set_position(done);
        if label.is_empty() {
            return;
        }
        self.bar.set_message(label.to_owned());
        if let Some(last_label) = self.last_label.as_mut().filter(|last_label| *last_label != label) {
            label.clone_into(last_label);
            self.bar.suspend(|| terminal::tell(format_args!("meeple: {label}")));
        }
    }
}

/// A spinner on stderr for computations of unknown length; hidden unless stderr is a terminal.
pub fn busy(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed}").expect("the template is constant");
    let bar = ProgressBar::new_spinner().with_style(style).with_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
