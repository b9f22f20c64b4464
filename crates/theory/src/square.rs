/// A square matrix of doubles, in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub struct Square {
    size: usize,
    values: Vec<f64>,
}

impl Square {
    pub fn new(size: usize) -> Self {
        Self { size, values: vec![0.0; size * size] }
    }

    /// A matrix with these values, in row-major order.
    ///
    /// # Panics
    /// If the number of values is not `size` squared.
    pub fn from_rows(size: usize, values: Vec<f64>) -> Self {
        assert_eq!(values.len(), size * size, "a square matrix of size {size}");
        Self { size, values }
    }

    pub fn size(&self) -> usize {
        self.size
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.size + column]
    }

    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.size + column] = value;
    }

    pub fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.size..][..self.size]
    }

    pub(crate) fn scale(&self) -> f64 {
        self.values.iter().fold(0.0, |most: f64, value| most.max(value.abs()))
    }

    pub(crate) fn times(&self, column: &[f64]) -> Vec<f64> {
        let product = |row| self.row(row).iter().zip(column).map(|(a, b)| a * b).sum();
        (0..self.size).map(product).collect()
    }
}
