//! Queries on the gathered polygons around a body.

use glam::DVec3;

use super::MARGIN;
use super::cast::cast;
use super::contacts::{ContactPlane, Contacts, Touched, touching};
use crate::collision::CandidateCache;

/// The gathered polygons around a body.
pub(in crate::motion) struct NearbyPolygons<'q> {
    pub(super) candidates: &'q CandidateCache,
    pub(super) contacts: &'q mut Contacts,
    pub(super) touched: &'q mut Touched,
    pub(super) radius: f64,
    /// The polygons are complete for a sphere whose centre is within this distance, in metres, of this point.
    pub(super) known: (DVec3, f64),
}

impl NearbyPolygons<'_> {
    /// The radius of the sphere, metres, grown by the skin.
    pub(in crate::motion) fn radius(&self) -> f64 {
        self.radius
    }

    /// The contacts of the sphere at `centre`.
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

    /// The contacts that the last contact query found.
    pub(in crate::motion) fn last_contacts(&self) -> &[ContactPlane] {
        &self.contacts.list
    }

    /// The part of a motion, 0..1, that the sphere can do from `centre` before it meets something.
    pub(in crate::motion) fn cast(&self, centre: DVec3, motion: DVec3) -> f64 {
        debug_assert!(self.knows(centre) && self.knows(centre + motion));
        cast(self.candidates, centre, motion, self.radius)
    }

    /// The part that [`Self::cast`] returns; 0 if the motion enters a contact plane of the sphere at `centre`.
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
