//! Serialisation of states to bytes: little-endian, field by field. Loaded bytes are untrusted: every index is checked against
//! the level, and every number against the range of values that a game can have.

use glam::{DQuat, DVec3};

use crate::level::{At, BodyId, Level, LinkId, MoverId, RoomId, TriggerId};

/// The largest absolute value of any number in a game: positions, velocities and others.
const LARGEST: f64 = 1e9;

/// The maximum velocity in a game, m/s or rad/s. A fall of [`LARGEST`] metres reaches a seventh of this.
pub(crate) const MAX_SPEED: f64 = 1e6;

/// Clamps a vector's length to `most`, rounding included, without changing its direction. A non-finite vector becomes zero.
pub(crate) fn bounded(vector: DVec3, most: f64) -> DVec3 {
    if !vector.is_finite() {
        return DVec3::ZERO;
    }
    let largest = vector.abs().max_element();
    // Squares of large components overflow.
    let scaled = if largest > most {
        vector * (most / largest)
    } else {
        vector
    };
    if scaled.length() > most {
        scaled * (most * (1.0 - 1e-12) / scaled.length())
    } else {
        scaled
    }
}

/// A value that can be saved and loaded bit-exactly.
pub(crate) trait Saved: Sized {
    /// Appends the value.
    fn save(&self, to: &mut Vec<u8>);

    /// Reads the value; `None` if the bytes are not a valid value.
    fn load(from: &mut StateReader) -> Option<Self>;
}

/// A reader of the bytes of a state in a level. Without a level, it reads only values that contain no index into one.
pub(crate) struct StateReader<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) level: Option<&'a Level>,
}

impl StateReader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, left) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = left;
        Some(*taken)
    }
}

/// Implements [`Saved`] for a struct by all of its fields, or for an enum without fields by its values.
macro_rules! saved {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::save::Saved for $type {
            fn save(&self, to: &mut Vec<u8>) {
                $($crate::save::Saved::save(&self.$field, to);)*
            }

            fn load(from: &mut $crate::save::StateReader) -> Option<Self> {
                Some(Self { $($field: $crate::save::Saved::load(from)?),* })
            }
        }
    };
    ($type:ty [ $($value:ident),* $(,)? ]) => {
        impl $crate::save::Saved for $type {
            fn save(&self, to: &mut Vec<u8>) {
                to.push(*self as u8);
            }

            fn load(from: &mut $crate::save::StateReader) -> Option<Self> {
                let code = <u8 as $crate::save::Saved>::load(from)?;
                [$(Self::$value),*].into_iter().find(|value| *value as u8 == code)
            }
        }
    };
}
pub(crate) use saved;

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Saved for $type {
            fn save(&self, to: &mut Vec<u8>) {
                to.extend(self.to_le_bytes());
            }

            fn load(from: &mut StateReader) -> Option<Self> {
                from.take().map(Self::from_le_bytes)
            }
        }
    )*};
}
integers!(u8, u32, u64, u128);

/// Implements [`Saved`] for an index into a list of the level.
macro_rules! indices {
    ($($type:ident of $list:ident),*) => {$(
        impl Saved for $type {
            fn save(&self, to: &mut Vec<u8>) {
                self.0.save(to);
            }

            fn load(from: &mut StateReader) -> Option<Self> {
                let index = u32::load(from)?;
                ((index as usize) < from.level?.$list.len()).then_some(Self(index))
            }
        }
    )*};
}
indices!(RoomId of rooms, BodyId of bodies, LinkId of links, MoverId of movers, TriggerId of triggers);

saved!(At { room, point });

impl Saved for bool {
    fn save(&self, to: &mut Vec<u8>) {
        to.push(u8::from(*self));
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        match u8::load(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl Saved for f64 {
    fn save(&self, to: &mut Vec<u8>) {
        self.to_bits().save(to);
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let number = Self::from_bits(u64::load(from)?);
        (number.abs() <= LARGEST).then_some(number)
    }
}

impl Saved for DVec3 {
    fn save(&self, to: &mut Vec<u8>) {
        self.to_array().iter().for_each(|x| x.save(to));
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let [x, y, z] = [f64::load(from)?, f64::load(from)?, f64::load(from)?];
        Some(Self::new(x, y, z))
    }
}

/// Loading rejects quaternions that are not of unit length.
impl Saved for DQuat {
    fn save(&self, to: &mut Vec<u8>) {
        self.to_array().iter().for_each(|x| x.save(to));
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let [[x, y], [z, w]] = [<[f64; 2]>::load(from)?, <[f64; 2]>::load(from)?];
        let rotation = Self::from_xyzw(x, y, z, w);
        (rotation.length_squared() - 1.0)
            .abs()
            .le(&1e-6)
            .then_some(rotation)
    }
}

impl<T: Saved + Copy> Saved for [T; 2] {
    fn save(&self, to: &mut Vec<u8>) {
        self.iter().for_each(|x| x.save(to));
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        Some([T::load(from)?, T::load(from)?])
    }
}

impl<T: Saved> Saved for Option<T> {
    fn save(&self, to: &mut Vec<u8>) {
        self.is_some().save(to);
        self.iter().for_each(|x| x.save(to));
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        if bool::load(from)? {
            Some(Some(T::load(from)?))
        } else {
            Some(None)
        }
    }
}

impl<T: Saved> Saved for Vec<T> {
    fn save(&self, to: &mut Vec<u8>) {
        (self.len() as u64).save(to);
        self.iter().for_each(|x| x.save(to));
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        let count = u64::load(from)?;
        // Every item takes at least one byte: the allocation is bounded by the number of remaining bytes.
        if count > from.bytes.len() as u64 {
            return None;
        }
        (0..count).map(|_| T::load(from)).collect()
    }
}

impl Saved for String {
    fn save(&self, to: &mut Vec<u8>) {
        (self.len() as u64).save(to);
        to.extend(self.as_bytes());
    }

    fn load(from: &mut StateReader) -> Option<Self> {
        Self::from_utf8(Vec::load(from)?).ok()
    }
}
