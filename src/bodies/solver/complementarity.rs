//! Linear complementarity problems: find impulses `x >= 0` with speeds `w = A x + c >= 0`, such that at each contact
//! the impulse or the speed is zero.
//!
//! Block principal pivoting (J. Júdice, F. Pires, "A Block Principal Pivoting Algorithm for Large-Scale Strictly
//! Monotone Linear Complementarity Problems", 1994).

/// A solver of linear complementarity problems, with its buffers.
#[derive(Debug, Default)]
pub(super) struct Complementarity {
    /// Whether each contact has an impulse.
    has_impulse: Vec<bool>,
    /// The contacts that have an impulse.
    chosen: Vec<usize>,
    /// The matrix, scaled so that its diagonal is one.
    matrix: Vec<f64>,
    /// The constants, scaled like the matrix.
    constants: Vec<f64>,
    /// The scale of each row.
    scales: Vec<f64>,
    /// The lower triangle of the Cholesky factor of the chosen rows.
    factor: Vec<f64>,
    /// The solution of the chosen rows.
    solution: Vec<f64>,
    infeasible: Vec<usize>,
}

/// The term added to the diagonal, which is one. It is needed because some points of a face determine the others.
const REGULARISATION: f64 = 1e-12;

/// A negative number counts as zero if its magnitude is below this fraction of the largest number.
const TOLERANCE: f64 = 1e-10;

/// After this many exchanges of all infeasible contacts that do not reduce their number, contacts are exchanged one
/// at a time.
const BLOCK_TRIES: u32 = 8;
/// The maximum number of exchanges of either kind.
const MAX_PIVOTS: u32 = 100;

impl Complementarity {
    /// Finds `x` for a symmetric positive semidefinite matrix, stored row by row, with a positive diagonal.
    pub(super) fn solve(&mut self, matrix: &[f64], constants: &[f64], x: &mut [f64]) {
        let count = constants.len();
        self.scale(matrix, constants);
        self.has_impulse.clear();
        self.has_impulse.extend(constants.iter().map(|c| *c < 0.0));
        let (mut fewest, mut tries) = (count + 1, BLOCK_TRIES);
        for _ in 0..MAX_PIVOTS {
            self.solve_chosen();
            self.find_infeasible(x);
            let found = self.infeasible.len();
            if found == 0 {
                break;
            }
            if found < fewest {
                (fewest, tries) = (found, BLOCK_TRIES);
            } else if tries > 0 {
                tries -= 1;
            } else {
                // Only the exchange of one contact at a time is certain to terminate, however slowly (K. Murty,
                // 1974).
                self.infeasible.drain(..found - 1);
            }
            for &index in &self.infeasible {
                self.has_impulse[index] = !self.has_impulse[index];
            }
        }
        for (x, scale) in x.iter_mut().zip(&self.scales) {
            *x = (*x * scale).max(0.0);
        }
    }

    fn scale(&mut self, matrix: &[f64], constants: &[f64]) {
        let count = constants.len();
        self.scales.clear();
        let diagonal = (0..count).map(|i| matrix[i * count + i]);
        self.scales.extend(diagonal.map(|d| d.sqrt().recip()));
        self.constants.clear();
        let scaled = constants.iter().zip(&self.scales).map(|(c, s)| c * s);
        self.constants.extend(scaled);
        self.matrix.clear();
        for (row, scale) in matrix.chunks(count).zip(&self.scales) {
            let scaled = row.iter().zip(&self.scales).map(|(a, s)| a * s * scale);
            self.matrix.extend(scaled);
        }
    }

    /// Solves the rows of the contacts that have impulses.
    fn solve_chosen(&mut self) {
        let count = self.constants.len();
        self.chosen.clear();
        self.chosen
            .extend((0..count).filter(|i| self.has_impulse[*i]));
        let size = self.chosen.len();
        let Self {
            chosen,
            matrix,
            constants,
            factor,
            solution,
            ..
        } = self;
        factor.clear();
        factor.resize(size * size, 0.0);
        for i in 0..size {
            for j in 0..=i {
                let products = (0..j).map(|k| factor[i * size + k] * factor[j * size + k]);
                let products = products.sum::<f64>();
                let rest = matrix[chosen[i] * count + chosen[j]] - products;
                factor[i * size + j] = if i == j {
                    (rest + REGULARISATION).max(REGULARISATION).sqrt()
                } else {
                    rest / factor[j * size + j]
                };
            }
        }
        solution.clear();
        solution.extend(chosen.iter().map(|i| -constants[*i]));
        for i in 0..size {
            let known = (0..i).map(|k| factor[i * size + k] * solution[k]);
            let known = known.sum::<f64>();
            solution[i] = (solution[i] - known) / factor[i * size + i];
        }
        for i in (0..size).rev() {
            let known = (i + 1..size).map(|k| factor[k * size + i] * solution[k]);
            let known = known.sum::<f64>();
            solution[i] = (solution[i] - known) / factor[i * size + i];
        }
    }

    /// Lists the contacts with a negative impulse or speed, and writes the impulses.
    fn find_infeasible(&mut self, x: &mut [f64]) {
        let count = self.constants.len();
        x.fill(0.0);
        for (&index, solution) in self.chosen.iter().zip(&self.solution) {
            x[index] = *solution;
        }
        let largest = |values: &[f64]| values.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let least_x = -TOLERANCE * largest(x);
        let least_w = -TOLERANCE * largest(&self.constants);
        self.infeasible.clear();
        for index in 0..count {
            let is_feasible = if self.has_impulse[index] {
                x[index] >= least_x
            } else {
                let row = &self.matrix[index * count..(index + 1) * count];
                let products = row.iter().zip(&*x).map(|(a, x)| a * x);
                self.constants[index] + products.sum::<f64>() >= least_w
            };
            if !is_feasible {
                self.infeasible.push(index);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn no_impulse_and_no_speed_is_negative_and_one_of_both_is_zero() {
        let mut rng = Rng::new(3);
        let mut lcp = Complementarity::default();
        for trial in 0..3000 {
            let count = 1 + trial % 24;
            // The matrix is rank deficient, as there are fewer bodies than contacts; masses range from 1e-6 to 1.
            let bodies = 1 + count / 2;
            let rows: Vec<Vec<f64>> = (0..count)
                .map(|_| {
                    let of_body = |_| {
                        let size = libm::exp2(rng.between(-10.0, 0.0));
                        size * rng.between(-1.0, 1.0)
                    };
                    (0..3 * bodies).map(of_body).collect()
                })
                .collect();
            let product = |p: &[f64], q: &[f64]| p.iter().zip(q).map(|(p, q)| p * q).sum::<f64>();
            let matrix: Vec<f64> = rows
                .iter()
                .flat_map(|p| rows.iter().map(|q| product(p, q)))
                .collect();
            // The speeds without impulses come from velocities of bodies, so that a solution exists.
            let free: Vec<f64> = (0..3 * bodies).map(|_| rng.between(-1.0, 1.0)).collect();
            let constants: Vec<f64> = rows.iter().map(|row| product(row, &free)).collect();
            let mut x = vec![0.0; count];
            lcp.solve(&matrix, &constants, &mut x);
            let mut velocity = free;
            for (row, x) in rows.iter().zip(&x) {
                for (v, r) in velocity.iter_mut().zip(row) {
                    *v += r * x;
                }
            }
            for (row, x) in rows.iter().zip(&x) {
                let (length, speed) = (product(row, row).sqrt(), product(row, &velocity));
                assert!(*x >= 0.0 && speed >= -1e-6 * length, "{trial}: {x} {speed}");
                assert!(*x == 0.0 || speed <= 1e-6 * length, "{trial}: {x} {speed}");
            }
        }
    }
}
