//! Games with known answers, asked through the whole laboratory.
