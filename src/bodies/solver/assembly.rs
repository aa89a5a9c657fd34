//! A direct solver for all joints of a group of bodies. Gauss-Seidel iteration converges slowly for joints, and does
//! not converge if arms are long.
//!
//! The rows of all joints are a symmetric system, factored within its envelope (A. George, J. W. Liu, "Computer
//! Solution of Large Sparse Positive Definite Systems", 1981, chapter 4): the cost of a chain is proportional to its
//! number of links. Springs are on the diagonal (E. Catto, "Soft Constraints", GDC 2011). Limits take part while they
//! are reached.

use glam::Vec4;

use super::body::{GROUND, Inertia, VelocityChange};
use super::joint::{JointConstraint, JointRow};
use super::softness::Softness;
use crate::bodies::tuning::MAX_PUSH_SPEED;

/// The maximum number of envelope entries of a block. If the envelope is larger, the rows are solved in several
/// blocks, one after another. A chain of any length is one block, and so are 60 joints of one body.
const MAX_ENTRIES: usize = 20_000;

/// The maximum number of times that a solution in which a limit would pull is solved again without that limit.
const MAX_RELEASES: u32 = 4;

/// The relative term added to the diagonal: redundant joints, such as two hinges of a door, make the system singular.
const REGULARIZATION: f64 = 1e-9;

/// The joints of a group, and the buffers of their solution.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    pub joints: Vec<JointConstraint>,
    rows: Vec<JointRow>,
    /// The changes of velocity and spin by joints in this substep, for each body of the group.
    changed: Vec<[Vec4; 2]>,
    /// The index after the last row of each block.
    block_ends: Vec<usize>,
    /// One plus the index, in the block or among the active rows, of the first row that acts on each body of the
    /// group; 0 if no row does.
    first_rows: Vec<usize>,
    /// The rows that are solved at once.
    active: Vec<usize>,
    is_released: Vec<bool>,
    first: Vec<usize>,
    starts: Vec<usize>,
    matrix: Vec<f64>,
    solution: Vec<f64>,
}

/// The kind of a pass over the joints: a soft pass has a bias that corrects errors, a relaxing pass has none. `rate`
/// is substeps per second.
#[derive(Clone, Copy)]
pub(super) struct Pass<'s> {
    pub rate: f64,
    pub spring: Option<&'s Softness>,
}

impl Pass<'_> {
    /// The target speed along a row, by which its error is corrected, and the softness of the row, in units of its
    /// diagonal.
    fn aim(&self, row: &JointRow) -> (f64, f64) {
        match self.spring {
            // A limit may be reached in this substep, but not exceeded.
            _ if row.holds.is_limit() && row.error > 0.0 => (row.error * self.rate, 0.0),
            Some(spring) => {
                let push = row.error * spring.push_rate;
                let softness = spring.impulse_scale / spring.mass_scale;
                (push.clamp(-MAX_PUSH_SPEED, MAX_PUSH_SPEED), softness)
            }
            None => (0.0, 0.0),
        }
    }
}

impl Assembly {
    /// Begins a step of the group's bodies, including the ground.
    pub(super) fn begin(&mut self, inertias: &[Inertia], changes: &[VelocityChange]) {
        self.changed.clear();
        self.first_rows.clear();
        if !self.joints.is_empty() {
            self.changed.resize(inertias.len(), [Vec4::ZERO; 2]);
            self.first_rows.resize(inertias.len(), 0);
            self.damp_once();
        }
        self.find_rows(inertias, changes, 0.0);
    }

    /// Keeps only one damping per body: the strongest of its joints, the first of equals.
    fn damp_once(&mut self) {
        for index in 0..self.joints.len() {
            let joint = &self.joints[index];
            let strongest = &mut self.first_rows[joint.bodies[0] as usize];
            let other = match std::mem::replace(strongest, index + 1) {
                0 => continue,
                other => other - 1,
            };
            let weaker = if self.joints[other].damping >= joint.damping {
                *strongest = other + 1;
                index
            } else {
                other
            };
            self.joints[weaker].damping = 0.0;
        }
        self.first_rows.fill(0);
    }

    /// Warm start: applies the impulses of the last substep, but along the current directions. Along the old
    /// directions a pendulum would gain a thousandth of its energy in a tick.
    pub(super) fn begin_substep(&mut self, changes: &mut [VelocityChange]) {
        for (change, changed) in changes.iter_mut().zip(&mut self.changed) {
            change.velocity -= changed[0];
            change.spin -= changed[1];
            *changed = [Vec4::ZERO; 2];
        }
        for row in &self.rows {
            let joint = &mut self.joints[row.joint as usize];
            let impulse = joint.impulse_of(row);
            joint.apply(row, impulse);
            row.push(impulse, changes, &mut self.changed);
        }
    }

    /// Solves all joints once.
    pub(super) fn solve(&mut self, changes: &mut [VelocityChange], pass: &Pass) {
        let mut from = 0;
        for block in 0..self.block_ends.len() {
            let end = self.block_ends[block];
            self.solve_rows(from..end, changes, pass);
            from = end;
        }
    }

    /// The bodies of the rows whose speed a soft pass would change by more than `most` m/s.
    pub(super) fn restless(
        &self,
        changes: &[VelocityChange],
        (pass, most): (&Pass, f64),
    ) -> impl Iterator<Item = u32> {
        let rows = self.rows.iter().filter(move |row| {
            let error = row.speed_now(changes) + pass.aim(row).0;
            match row.holds.is_limit() {
                true => error < -most,
                false => error.abs() > most,
            }
        });
        rows.flat_map(|row| row.bodies)
    }

    /// Ends a substep `time` seconds after the step began: computes the rows of the new poses, damps, relaxes, and
    /// accumulates the impulses.
    pub(super) fn end_substep(
        &mut self,
        inertias: &[Inertia],
        changes: &mut [VelocityChange],
        [time, secs]: [f64; 2],
    ) {
        self.find_rows(inertias, changes, time);
        for joint in &mut self.joints {
            joint.damp(inertias, changes, &mut self.changed, secs);
        }
        let pass = Pass {
            rate: secs.recip(),
            spring: None,
        };
        self.solve(changes, &pass);
        for joint in &mut self.joints {
            joint.end_substep();
        }
    }

    fn find_rows(&mut self, inertias: &[Inertia], changes: &[VelocityChange], time: f64) {
        self.rows.clear();
        for (index, joint) in (0..).zip(&mut self.joints) {
            joint.rows(index, (inertias, changes), time, &mut self.rows);
        }
        self.find_blocks();
    }

    /// Divides the rows into blocks; the rows of one joint stay in one block.
    fn find_blocks(&mut self) {
        self.block_ends.clear();
        let (mut from, mut end, mut entries) = (0, 0, 0);
        for of_joint in self.rows.chunk_by(|p, q| p.joint == q.joint) {
            let first = first_row(&mut self.first_rows, &of_joint[0], end - from);
            entries += of_joint.len() * (end - from + of_joint.len() - first);
            if entries > MAX_ENTRIES && end > from {
                self.block_ends.push(end);
                self.first_rows.fill(0);
                from = end;
                entries = of_joint.len() * of_joint.len();
                first_row(&mut self.first_rows, &of_joint[0], 0);
            }
            end += of_joint.len();
        }
        self.first_rows.fill(0);
        self.block_ends.extend((end > from).then_some(end));
    }

    fn solve_rows(
        &mut self,
        range: std::ops::Range<usize>,
        changes: &mut [VelocityChange],
        pass: &Pass,
    ) {
        self.is_released.clear();
        self.is_released.resize(self.rows.len(), false);
        for release in 0..=MAX_RELEASES {
            self.activate(range.clone(), changes, pass);
            self.assemble(changes, pass);
            if !self.factor() {
                return;
            }
            self.substitute();
            let is_last = release == MAX_RELEASES;
            if is_last || !self.release(changes) {
                break;
            }
        }
        for (&index, &change) in self.active.iter().zip(&self.solution) {
            let row = &self.rows[index];
            let joint = &mut self.joints[row.joint as usize];
            let change = match row.holds.is_limit() {
                true => change.max(-joint.impulse_of(row)),
                false => change,
            };
            joint.add(row, change);
            row.push(change, changes, &mut self.changed);
        }
    }

    /// Lists the active rows: all rows except limits that are not reached, and ropes without a direction.
    fn activate(&mut self, range: std::ops::Range<usize>, changes: &[VelocityChange], pass: &Pass) {
        let Self {
            joints,
            rows,
            active,
            is_released,
            ..
        } = self;
        active.clear();
        active.extend(range.filter(|&index| {
            let row = &rows[index];
            let is_reached = || {
                let has_impulse = joints[row.joint as usize].impulse_of(row) > 0.0;
                row.response(row) > 0.0
                    && (has_impulse || row.speed_now(changes) + pass.aim(row).0 < 0.0)
            };
            !row.holds.is_limit() || !is_released[index] && is_reached()
        }));
    }

    /// Releases the limits that would pull. Returns whether it released any.
    fn release(&mut self, changes: &mut [VelocityChange]) -> bool {
        let mut any = false;
        for (&index, &change) in self.active.iter().zip(&self.solution) {
            let row = &self.rows[index];
            let joint = &mut self.joints[row.joint as usize];
            let impulse = joint.impulse_of(row);
            if row.holds.is_limit() && impulse + change < 0.0 {
                joint.add(row, -impulse);
                row.push(-impulse, changes, &mut self.changed);
                (self.is_released[index], any) = (true, true);
            }
        }
        any
    }

    /// Assembles the matrix of the active rows, and the right-hand side.
    fn assemble(&mut self, changes: &[VelocityChange], pass: &Pass) {
        self.first.clear();
        self.starts.clear();
        self.matrix.clear();
        self.solution.clear();
        for (i, &index) in self.active.iter().enumerate() {
            let row = &self.rows[index];
            let first = first_row(&mut self.first_rows, row, i);
            self.first.push(first);
            self.starts.push(self.matrix.len());
            let others = self.active[first..=i].iter();
            self.matrix
                .extend(others.map(|&other| row.response(&self.rows[other])));
            let (aim, softness) = pass.aim(row);
            let diagonal = self.matrix.last_mut().expect("a row has its diagonal");
            let impulse = self.joints[row.joint as usize].impulse_of(row);
            let wanted = -(row.speed_now(changes) + aim) - softness * *diagonal * impulse;
            *diagonal *= 1.0 + softness + REGULARIZATION;
            self.solution.push(wanted);
        }
        for &index in &self.active {
            for body in self.rows[index].bodies {
                self.first_rows[body as usize] = 0;
            }
        }
    }

    /// Factors the matrix into a triangle and its transpose (A. L. Cholesky). Returns whether this succeeded.
    fn factor(&mut self) -> bool {
        for i in 0..self.active.len() {
            for j in self.first[i]..=i {
                let from = self.first[i].max(self.first[j]);
                let mut sum = self.entry(i, j);
                for k in from..j {
                    sum -= self.entry(i, k) * self.entry(j, k);
                }
                let value = match i == j {
                    true => sum.sqrt(),
                    false => sum / self.entry(j, j),
                };
                if !(value.is_finite() && (i != j || value > 0.0)) {
                    return false;
                }
                let place = self.starts[i] + j - self.first[i];
                self.matrix[place] = value;
            }
        }
        true
    }

    /// Solves with the factors.
    fn substitute(&mut self) {
        let count = self.active.len();
        for i in 0..count {
            let known = (self.first[i]..i).map(|k| self.entry(i, k) * self.solution[k]);
            let known: f64 = known.sum();
            self.solution[i] = (self.solution[i] - known) / self.entry(i, i);
        }
        for i in (0..count).rev() {
            self.solution[i] /= self.entry(i, i);
            for k in self.first[i]..i {
                let part = self.entry(i, k) * self.solution[i];
                self.solution[k] -= part;
            }
        }
    }

    /// An entry of the lower triangle within the envelope.
    fn entry(&self, i: usize, j: usize) -> f64 {
        self.matrix[self.starts[i] + j - self.first[i]]
    }
}

/// Returns the first row that shares a body with the row at `index`, and records that this row acts on its bodies.
fn first_row(first_rows: &mut [usize], row: &JointRow, index: usize) -> usize {
    let mut first = index;
    for body in row.bodies {
        let known = &mut first_rows[body as usize];
        if body != GROUND {
            if *known == 0 {
                *known = index + 1;
            }
            first = first.min(*known - 1);
        }
    }
    first
}
