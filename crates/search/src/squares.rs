/// Sums of squared values, by entry number. Nearly all root entries are among the first of a tree, so the
/// list stays short. Other entries have none.
#[derive(Default)]
pub(crate) struct Squares(Vec<f64>);

impl Squares {
    pub(crate) fn restart(&mut self) {
        self.0.clear();
    }

    #[inline]
    pub(crate) fn add(&mut self, entry: u32, worth: f64) {
        let entry = entry as usize;
        if entry >= self.0.len() {
            self.0.resize(entry + 1, 0.0);
        }
        self.0[entry] += worth * worth;
    }

    pub(crate) fn of(&self, entry: u32) -> f64 {
        self.0.get(entry as usize).copied().unwrap_or(0.0)
    }
}
