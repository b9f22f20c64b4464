//! The progress bar of long runs.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use meeple_lab::Progress;

/// A bar on stderr, with rate and time left; nothing when stderr is no terminal.
pub struct Bar(ProgressBar);

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
        Self(bar)
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn update(&mut self, done: u64, total: u64, label: &str) {
        self.0.set_length(total);
        self.0.set_position(done);
        if !label.is_empty() {
            self.0.set_message(label.to_owned());
        }
    }
}
