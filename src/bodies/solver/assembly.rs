//! All joints of a group of bodies, solved at once: one after another they converge slowly, and where arms are long not at all.
//!
//! The rows of all joints are a symmetric system, factored within its envelope (A. George, J. W. Liu, "Computer Solution of Large
//! Sparse Positive Definite Systems", 1981, chapter 4): a chain costs as much as it has links. Springs are on the diagonal
//! (E. Catto, "Soft Constraints", GDC 2011). Bounds take part while they are reached.

use glam::Vec4;

use super::body::{Change, Inertia};
use super::joint::{JointConstraint, Row};
use super::softness::Softness;
use crate::bodies::tuning::MAX_PUSH_SPEED;

/// Rows that are solved at once, at most.
const MAX_ROWS: usize = 240;

/// Solutions in which a bound would pull are solved again without it, so often at most.
const MAX_RELEASES: u32 = 4;

/// Two joints may hold one thing twice, as two hinges of a door do; in units of the diagonal.
const REGULARIZATION: f64 = 1e-9;

/// The joints of a group, and the memory of their solution.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    pub joints: Vec<JointConstraint>,
    rows: Vec<Row>,
    /// Per body of the group what its joints changed in this substep: its velocity and its spin.
    changed: Vec<[Vec4; 2]>,
    /// The rows that are solved at once, and the system: its rows, each from the first entry that is not zero on.
    active: Vec<usize>,
    is_released: Vec<bool>,
    first: Vec<usize>,
    starts: Vec<usize>,
    matrix: Vec<f64>,
    solution: Vec<f64>,
}

/// How a pass is solved: by springs, with so many substeps in a second, or in the end without what these push.
#[derive(Clone, Copy)]
pub(super) struct Pass<'s> {
    pub rate: f64,
    pub spring: Option<&'s Softness>,
}

impl Pass<'_> {
    /// The speed that the error of a row is to be changed with, and how soft the row is, in units of its diagonal.
    fn aim(&self, row: &Row) -> (f64, f64) {
        match self.spring {
            // A bound may be reached in this substep, and not be passed.
            _ if row.holds.is_bound() && row.error > 0.0 => (row.error * self.rate, 0.0),
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
    /// Begins a step of so many bodies, with the ground.
    pub(super) fn begin(&mut self, inertias: &[Inertia], changes: &[Change]) {
        self.changed.clear();
        if !self.joints.is_empty() {
            self.changed.resize(inertias.len(), [Vec4::ZERO; 2]);
        }
        self.find_rows(inertias, changes, 0.0);
    }

    /// Begins a substep with the impulses of the last one. Bodies have what these changed then, but arms have turned since:
    /// in a tick a pendulum would gain a thousandth of its energy.
    pub(super) fn begin_substep(&mut self, changes: &mut [Change]) {
        for (change, changed) in changes.iter_mut().zip(&mut self.changed) {
            change.velocity -= changed[0];
            change.spin -= changed[1];
            *changed = [Vec4::ZERO; 2];
        }
        for row in &self.rows {
            let impulse = self.joints[row.joint as usize].impulse_of(row);
            row.push(impulse, changes, &mut self.changed);
        }
    }

    /// Solves all joints once.
    pub(super) fn solve(&mut self, changes: &mut [Change], pass: &Pass) {
        let mut from = 0;
        while from < self.rows.len() {
            let mut end = (from + MAX_ROWS).min(self.rows.len());
            // No joint is divided.
            while end < self.rows.len() && self.rows[end].joint == self.rows[end - 1].joint {
                end -= 1;
            }
            self.solve_rows(from..end, changes, pass);
            from = end;
        }
    }

    /// Ends a substep `time` seconds after the step began: finds the rows of the poses of then, damps, takes away what
    /// springs pushed, and adds the impulses up.
    pub(super) fn end_substep(
        &mut self,
        inertias: &[Inertia],
        changes: &mut [Change],
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
        for row in &self.rows {
            self.joints[row.joint as usize].add_up(row);
        }
    }

    fn find_rows(&mut self, inertias: &[Inertia], changes: &[Change], time: f64) {
        self.rows.clear();
        for (index, joint) in (0..).zip(&mut self.joints) {
            joint.rows(index, (inertias, changes), time, &mut self.rows);
        }
    }

    fn solve_rows(&mut self, range: std::ops::Range<usize>, changes: &mut [Change], pass: &Pass) {
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
            let change = match row.holds.is_bound() {
                true => change.max(-joint.impulse_of(row)),
                false => change,
            };
            joint.add(row, change);
            row.push(change, changes, &mut self.changed);
        }
    }

    /// Lists the rows that take part: all but bounds that are not reached.
    fn activate(&mut self, range: std::ops::Range<usize>, changes: &[Change], pass: &Pass) {
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
                has_impulse || row.speed_now(changes) + pass.aim(row).0 < 0.0
            };
            !row.holds.is_bound() || !is_released[index] && is_reached()
        }));
    }

    /// Takes the impulses of bounds that would pull away. Returns whether there are any.
    fn release(&mut self, changes: &mut [Change]) -> bool {
        let mut any = false;
        for (&index, &change) in self.active.iter().zip(&self.solution) {
            let row = &self.rows[index];
            let joint = &mut self.joints[row.joint as usize];
            let impulse = joint.impulse_of(row);
            if row.holds.is_bound() && impulse + change < 0.0 {
                joint.add(row, -impulse);
                row.push(-impulse, changes, &mut self.changed);
                (self.is_released[index], any) = (true, true);
            }
        }
        any
    }

    /// The system of the active rows, and what its solution is to give.
    fn assemble(&mut self, changes: &[Change], pass: &Pass) {
        self.first.clear();
        self.starts.clear();
        self.matrix.clear();
        self.solution.clear();
        for (i, &index) in self.active.iter().enumerate() {
            let row = &self.rows[index];
            let is_joined = |&other: &usize| {
                let other = &self.rows[other];
                let ground = super::body::GROUND;
                let mut bodies = row.bodies.iter().filter(|body| **body != ground);
                bodies.any(|body| other.bodies.contains(body))
            };
            let first = self.active[..=i].iter().position(is_joined).unwrap_or(i);
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
    }

    /// Factors the system into a triangle and its transpose (A. L. Cholesky). Returns whether it could.
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
