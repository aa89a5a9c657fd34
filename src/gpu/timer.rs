//! The GPU time of a frame, from device timestamps.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::device::Gpu;

/// The maximum number of frames whose times are pending.
const IN_FLIGHT: usize = 3;
/// The size of two 64-bit timestamps, bytes.
const BYTES: u64 = 16;

/// A frame timer for devices with timestamps.
pub(super) struct GpuTimer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    slots: Vec<TimerSlot>,
    /// The slot of the current frame.
    current: Option<usize>,
    latest: Option<Duration>,
}

/// The times of one frame while they are read back.
struct TimerSlot {
    buffer: wgpu::Buffer,
    is_mapped: Arc<AtomicBool>,
    is_free: bool,
}

impl GpuTimer {
    /// Creates the timer; `None` for a device without timestamps.
    pub(super) fn new(gpu: &Gpu) -> Option<Self> {
        if !gpu
            .device
            .features()
            .contains(wgpu::Features::TIMESTAMP_QUERY)
        {
            return None;
        }
        let buffer = |usage| {
            gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("times"),
                size: BYTES,
                usage: wgpu::BufferUsages::COPY_DST | usage,
                mapped_at_creation: false,
            })
        };
        let slot = |_| TimerSlot {
            buffer: buffer(wgpu::BufferUsages::MAP_READ),
            is_mapped: Arc::new(AtomicBool::new(false)),
            is_free: true,
        };
        Some(Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("times"),
                ty: wgpu::QueryType::Timestamp,
                count: 2,
            }),
            resolved: buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            slots: (0..IN_FLIGHT).map(slot).collect(),
            current: None,
            latest: None,
        })
    }

    /// Begins a frame. The frame is not timed while the times of too many others are pending.
    pub(super) fn begin(&mut self, gpu: &Gpu) {
        self.collect(gpu);
        self.current = self.slots.iter().position(|slot| slot.is_free);
    }

    /// The timestamp writes of the first pass of the frame.
    pub(super) fn first(&self) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.current.map(|_| wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: None,
        })
    }

    /// The timestamp writes of the last pass of the frame.
    pub(super) fn last(&self) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        self.current.map(|_| wgpu::RenderPassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: None,
            end_of_pass_write_index: Some(1),
        })
    }

    /// Records the read-back of the times, after the last pass.
    pub(super) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let Some(current) = self.current.take() else {
            return;
        };
        encoder.resolve_query_set(&self.queries, 0..2, &self.resolved, 0);
        let slot = &mut self.slots[current];
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &slot.buffer, 0, BYTES);
        slot.is_free = false;
        let is_mapped = Arc::clone(&slot.is_mapped);
        encoder.map_buffer_on_submit(&slot.buffer, wgpu::MapMode::Read, .., move |mapped| {
            is_mapped.store(mapped.is_ok(), Ordering::Release);
        });
    }

    /// Reads the arrived times.
    fn collect(&mut self, gpu: &Gpu) {
        let period_ns = f64::from(gpu.queue.get_timestamp_period());
        for slot in &mut self.slots {
            if !slot.is_mapped.swap(false, Ordering::Acquire) {
                continue;
            }
            if let Ok(times) = slot.buffer.slice(..).get_mapped_range() {
                let times: &[u64] = bytemuck::cast_slice(&times);
                if let [start, end] = *times {
                    let ns = end.saturating_sub(start) as f64 * period_ns;
                    self.latest = Some(Duration::from_nanos(ns as u64));
                }
            }
            slot.buffer.unmap();
            slot.is_free = true;
        }
    }

    /// The GPU time of the latest frame whose times have arrived.
    pub(super) fn latest(&mut self, gpu: &Gpu) -> Option<Duration> {
        self.collect(gpu);
        self.latest
    }
}
