//! The progress bar of long runs.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use meeple_lab::Progress;

/// A bar on stderr, with rate and time left; nothing when stderr is no terminal.
pub struct Bar {
    bar: ProgressBar,
    /// The label told last, if every new one is told.
    told: Option<String>,
}

impl Bar {
    /// A bar, or none if `quiet`.
    pub fn new(quiet: bool) -> Self {
        let bar = ProgressBar::new(0);
        if quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        let style = "{bar:32} {percent:>3} %  {human_pos}/{human_len} episodes  {per_sec}  {eta} left  {msg}";
        bar.set_style(ProgressStyle::with_template(style).expect("the template is constant"));
        bar.enable_steady_tick(Duration::from_millis(250));
        Self { bar, told: None }
    }

    /// Also writes a line for every new label, if `verbose`.
    pub fn telling(self, verbose: bool) -> Self {
        Self { told: verbose.then(String::new), ..self }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Bar {
    fn update(&mut self, done: u64, total: u64, label: &str) {
        self.bar.set_length(total);
        self.bar.set_position(done);
        if label.is_empty() {
            return;
        }
        self.bar.set_message(label.to_owned());
        if let Some(told) = self.told.as_mut().filter(|told| *told != label) {
            label.clone_into(told);
            self.bar.suspend(|| eprintln!("meeple: {label}"));
        }
    }
}

/// A sign of life on stderr while something is computed whose end is not known; nothing when stderr is no terminal.
pub fn busy(what: &str) -> ProgressBar {
    let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed}").expect("the template is constant");
    let bar = ProgressBar::new_spinner().with_style(style).with_message(what.to_owned());
    bar.enable_steady_tick(Duration::from_millis(250));
    bar
}
