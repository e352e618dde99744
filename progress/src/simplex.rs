//! Linear programs that begin at the origin: the largest value of a linear function over variables from zero on, some of
//! them with an upper bound, where linear functions of them are not positive.
//!
//! The primal simplex method on a dense table; a variable at its upper bound is replaced by its distance from it. As every
//! row is tight at the origin, each gets a right-hand side that is a little above zero, so that the method moves on with
//! every step: a solution is exact up to that.
//!
//! Dantzig, "Linear Programming and Extensions", 1963, chapters 5, 10 and 18.

/// A linear program.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// What one of each variable is worth.
    pub worth: Vec<f64>,
    /// The most of each.
    pub most: Vec<f64>,
    /// What must not be positive: variables with their factors.
    pub rows: Vec<Vec<(usize, f64)>>,
}

/// What the right-hand sides are, about.
const SLACK: f64 = 1e-7;
/// Smaller numbers are zero.
const ZERO: f64 = 1e-9;
/// The most steps, as a multiple of rows and variables.
const MOST_STEPS: usize = 6;

impl Program {
    /// A new variable.
    pub fn variable(&mut self, worth: f64, most: f64) -> usize {
        self.worth.push(worth);
        self.most.push(most);
        self.worth.len() - 1
    }

    /// The best values of the variables; `None` if there is no best one, or if it takes too long to find.
    pub fn solve(&self) -> Option<Vec<f64>> {
        let mut table = Table::new(self);
        for _ in 0..MOST_STEPS * (self.rows.len() + self.worth.len()) {
            let Some(column) = table.entering() else { return Some(table.values(self.worth.len())) };
            table.step(column)?;
        }
        None
    }
}

/// The table: rows say what the basic variables are in terms of the others.
struct Table {
    rows: Vec<Vec<f64>>,
    /// The values of the basic variables.
    values: Vec<f64>,
    /// What one more of each other variable is worth.
    worth: Vec<f64>,
    /// Which variable each row and each column belongs to; slacks come behind the variables.
    of_row: Vec<usize>,
    of_column: Vec<usize>,
    /// The upper bound of each variable, and whether it is counted down from there.
    most: Vec<f64>,
    is_flipped: Vec<bool>,
}

impl Table {
    fn new(program: &Program) -> Table {
        let (variables, rows) = (program.worth.len(), program.rows.len());
        let row = |parts: &Vec<(usize, f64)>| {
            let mut row = vec![0.0; variables];
            parts.iter().for_each(|&(variable, factor)| row[variable] += factor);
            row
        };
        let mut most = program.most.clone();
        most.resize(variables + rows, f64::INFINITY);
        Table {
            rows: program.rows.iter().map(row).collect(),
            values: (0..rows).map(|row| SLACK * (1.0 + (row * 7919 % 1009) as f64 / 1009.0)).collect(),
            worth: program.worth.clone(),
            of_row: (variables..variables + rows).collect(),
            of_column: (0..variables).collect(),
            most,
            is_flipped: vec![false; variables + rows],
        }
    }

    /// The column that is worth the most.
    fn entering(&self) -> Option<usize> {
        let columns = (0..self.worth.len()).filter(|&column| self.worth[column] > ZERO);
        columns.max_by(|&a, &b| self.worth[a].total_cmp(&self.worth[b]))
    }

    /// As much of a column as possible; `None` if there is no bound.
    fn step(&mut self, column: usize) -> Option<()> {
        let mut bound = self.most[self.of_column[column]];
        let mut leaving = None;
        for (row, entries) in self.rows.iter().enumerate() {
            let entry = entries[column];
            let most = if entry > ZERO {
                self.values[row].max(0.0) / entry
            } else if entry < -ZERO {
                (self.most[self.of_row[row]] - self.values[row]).max(0.0) / -entry
            } else {
                continue;
            };
            if most < bound {
                (bound, leaving) = (most, Some(row));
            }
        }
        match leaving {
            Some(row) => {
                if self.rows[row][column] < 0.0 {
                    self.flip_row(row);
                }
                self.pivot(row, column);
            }
            None if bound.is_finite() => self.flip_column(column, bound),
            None => return None,
        }
        Some(())
    }

    /// The variable of a column goes to its upper bound.
    fn flip_column(&mut self, column: usize, most: f64) {
        for (row, value) in self.rows.iter_mut().zip(&mut self.values) {
            *value -= row[column] * most;
            row[column] = -row[column];
        }
        self.worth[column] = -self.worth[column];
        let variable = self.of_column[column];
        self.is_flipped[variable] = !self.is_flipped[variable];
    }

    /// The variable of a row is counted down from its upper bound.
    fn flip_row(&mut self, row: usize) {
        let variable = self.of_row[row];
        self.values[row] = self.most[variable] - self.values[row];
        self.rows[row].iter_mut().for_each(|entry| *entry = -*entry);
        self.is_flipped[variable] = !self.is_flipped[variable];
    }

    /// The variables of a row and of a column change places.
    fn pivot(&mut self, row: usize, column: usize) {
        let mut pivot = std::mem::take(&mut self.rows[row]);
        let by = 1.0 / pivot[column];
        pivot[column] = 1.0;
        pivot.iter_mut().for_each(|entry| *entry *= by);
        let value = self.values[row].max(0.0) * by;
        self.values[row] = value;
        for (number, (other, its_value)) in self.rows.iter_mut().zip(&mut self.values).enumerate() {
            let factor = if number == row { 0.0 } else { other[column] };
            if factor != 0.0 {
                other[column] = 0.0;
                other.iter_mut().zip(&pivot).for_each(|(entry, &own)| *entry -= factor * own);
                *its_value -= factor * value;
            }
        }
        let factor = std::mem::take(&mut self.worth[column]);
        self.worth.iter_mut().zip(&pivot).for_each(|(worth, &own)| *worth -= factor * own);
        self.rows[row] = pivot;
        std::mem::swap(&mut self.of_row[row], &mut self.of_column[column]);
    }

    /// The values of the first variables.
    fn values(&self, count: usize) -> Vec<f64> {
        let mut values = vec![0.0; self.most.len()];
        for (row, &variable) in self.of_row.iter().enumerate() {
            values[variable] = self.values[row];
        }
        for (variable, value) in values.iter_mut().enumerate().filter(|&(variable, _)| self.is_flipped[variable]) {
            *value = self.most[variable] - *value;
        }
        values.truncate(count);
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_reached() {
        // x + y - 2 z ≤ 0, z ≤ 1, 2 y - x ≤ 0; x + 3 y is largest where x = 4/3 and y = 2/3.
        let mut program = Program::default();
        let x = program.variable(1.0, f64::INFINITY);
        let y = program.variable(3.0, f64::INFINITY);
        let z = program.variable(-0.5, 1.0);
        program.rows = vec![vec![(x, 1.0), (y, 1.0), (z, -2.0)], vec![(y, 2.0), (x, -1.0)]];
        let values = program.solve().unwrap();
        for (value, expected) in values.iter().zip([4.0 / 3.0, 2.0 / 3.0, 1.0]) {
            assert!((value - expected).abs() < 1e-5, "{values:?}");
        }
    }

    #[test]
    fn what_has_no_bound_has_no_best_value() {
        let mut program = Program::default();
        let x = program.variable(1.0, f64::INFINITY);
        let y = program.variable(0.0, f64::INFINITY);
        program.rows = vec![vec![(x, 1.0), (y, -1.0)]];
        assert_eq!(program.solve(), None);
        program.rows.push(vec![(y, 1.0)]);
        assert!(program.solve().is_some_and(|values| values.iter().all(|value| value.abs() < 1e-5)));
    }
}
