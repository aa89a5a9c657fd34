//! Reflected light on the nodes and on the texels, computed at once or by a thread of its own.

use std::thread::{self, JoinHandle};

use glam::Vec3;

use super::irradiance::{TexelInputs, Texels};
use super::room_set::RoomSet;
use super::transport::{Solution, SolutionInputs};

/// Reflected light.
#[derive(Debug)]
pub(super) struct Reflection {
    pub solution: Solution,
    pub texels: Texels,
    /// The mean ambient irradiance of each room. Rooms without nodes keep theirs.
    pub ambient: Vec<Vec3>,
}

/// Everything that reflected light is computed from.
pub(super) struct ReflectionInputs {
    pub solution: SolutionInputs,
    /// [`super::Lighting::hemisphere`].
    pub hemisphere: Vec3,
}

impl Reflection {
    /// Computes the reflected light again after changes.
    pub(super) fn update(&mut self, inputs: &ReflectionInputs) {
        let ReflectionInputs {
            solution: inputs,
            hemisphere,
        } = inputs;
        let mut relit = RoomSet::new(inputs.rooms.len());
        self.solution.update(inputs, &mut relit);
        let nodes = self.solution.irradiance();
        for room in relit.iter() {
            if let Some(mean) = inputs.transport.mean(room, nodes) {
                self.ambient[room.0 as usize] = mean;
            }
        }
        let inputs = TexelInputs {
            lightmap: &inputs.lightmap,
            transport: &inputs.transport,
            solution: &self.solution,
            ambient: &self.ambient,
            hemisphere: *hemisphere,
        };
        self.texels.update(&inputs, &relit);
    }
}

/// A thread that computes reflected light, so that a frame does not wait for it.
#[derive(Debug, Default)]
pub struct Relighting(Option<JoinHandle<Reflection>>);

impl Relighting {
    /// Whether the thread is computing.
    pub(super) fn is_busy(&self) -> bool {
        self.0.is_some()
    }

    /// Starts the thread.
    pub(super) fn start(&mut self, mut reflection: Reflection, inputs: ReflectionInputs) {
        self.0 = Some(thread::spawn(move || {
            reflection.update(&inputs);
            reflection
        }));
    }

    /// The reflected light, if the thread has computed it.
    pub(super) fn take_finished(&mut self) -> Option<Reflection> {
        self.0.take_if(|thread| thread.is_finished())?.join().ok()
    }
}
