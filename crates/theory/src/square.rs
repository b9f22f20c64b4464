//! Square matrices.

/// A square matrix, row by row.
#[derive(Clone, PartialEq, Debug)]
pub struct Square {
    size: usize,
    values: Vec<f64>,
}

impl Square {
    /// All zeros.
    pub fn new(size: usize) -> Self {
        Self { size, values: vec![0.0; size * size] }
    }

    /// Of `size * size` values, row by row.
    ///
    /// # Panics
    /// If there are more or fewer.
    pub fn from_rows(size: usize, values: Vec<f64>) -> Self {
        assert_eq!(values.len(), size * size, "a square matrix of size {size}");
        Self { size, values }
    }

    /// Rows, and columns.
    pub fn size(&self) -> usize {
        self.size
    }

    /// A value.
    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    /// Sets a value.
    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] = value;
    }

    /// A row.
    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.size..][..self.size]
    }

    /// The greatest absolute value.
    pub(crate) fn scale(&self) -> f64 {
        self.values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
    }

    /// The matrix times a column.
    pub(crate) fn times(&self, column: &[f64]) -> Vec<f64> {
        let product = |row| self.row(row).iter().zip(column).map(|(a, b)| a * b).sum();
        (0..self.size).map(product).collect()
    }
}
