//! Questions about the polygons around a body.

use glam::DVec3;

use super::MARGIN;
use super::cast::cast;
use super::contacts::{Contact, Contacts, Touched, touching};
use crate::collision::CandidateCache;

/// The polygons around a body, as far as they were asked for.
pub(in crate::motion) struct Near<'q> {
    pub(super) candidates: &'q CandidateCache,
    pub(super) contacts: &'q mut Contacts,
    pub(super) touched: &'q mut Touched,
    pub(super) radius: f64,
    /// The polygons are complete within this many metres of this point, beside the sphere's radius.
    pub(super) known: (DVec3, f64),
}

impl Near<'_> {
    /// Radius of the sphere, metres, grown by the skin.
    pub(in crate::motion) fn radius(&self) -> f64 {
        self.radius
    }

    /// What the sphere touches at `centre`.
    pub(in crate::motion) fn contacts(&mut self, centre: DVec3) -> &Contacts {
        debug_assert!(self.knows(centre));
        touching(
            self.candidates,
            centre,
            self.radius,
            self.contacts,
            self.touched,
        );
        self.contacts
    }

    /// What was touched at the last place asked for.
    pub(in crate::motion) fn last_contacts(&self) -> &[Contact] {
        &self.contacts.list
    }

    /// Which part of a motion, 0..1, the sphere can do from `centre` before it meets something.
    pub(in crate::motion) fn cast(&self, centre: DVec3, motion: DVec3) -> f64 {
        debug_assert!(self.knows(centre) && self.knows(centre + motion));
        cast(self.candidates, centre, motion, self.radius)
    }

    /// The same; nothing if the motion enters what the sphere touches at `centre`.
    pub(in crate::motion) fn free(&mut self, centre: DVec3, motion: DVec3) -> f64 {
        if self.contacts(centre).enters(motion) {
            return 0.0;
        }
        self.cast(centre, motion)
    }

    /// Whether the polygons are complete for a sphere at `centre`.
    fn knows(&self, centre: DVec3) -> bool {
        let (around, reach) = self.known;
        centre.distance(around) <= reach + (MARGIN - 1.0) * self.radius
    }
}
