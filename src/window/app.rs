//! The window's event loop.

use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, ElementState, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::WindowId;

use super::error::WindowError;
use super::graphics::Graphics;
use super::loading::Loading;
use super::options::Options;
use super::walk::Walk;
use super::watch::Watch;
use crate::game::Game;
use crate::level::Level;
use crate::lighting::Lighting;

/// Wait between pictures of how much is done: the work needs the time.
const LOADING_WAIT: Duration = Duration::from_millis(50);
/// Wait between looks for a level that is being loaded again.
const RELOADING_WAIT: Duration = Duration::from_millis(5);
/// Wait between attempts while nothing can be shown.
const HIDDEN_WAIT: Duration = Duration::from_millis(50);

/// Opens a window and walks in it through a level until the player quits; `watch` is shown what the player
/// does. `make` makes the level and its game on another thread and reports how much is done (0..1), which the window
/// shows meanwhile. Closing the window does not wait for it: the thread goes on until the program ends.
///
/// # Errors
/// Without a display, and then `make` is never called; without a graphics driver; and what `make` fails with.
pub fn run<E, F>(options: Options, watch: &mut Watch, make: F) -> Result<(), E>
where
    E: From<WindowError> + Send + 'static,
    F: FnOnce(&(dyn Fn(f32) + Sync)) -> Result<(Level, Lighting, Game), E> + Send + 'static,
{
    let events = EventLoop::new().map_err(|error| WindowError::NoDisplay(error.to_string()))?;
    let mut app = App {
        options,
        watch,
        graphics: None,
        stage: Stage::Loading(Loading::begin(make)),
        due: Instant::now(),
        ended: Ok(()),
    };
    let run = events.run_app(&mut app);
    if let Stage::Walking(walk) = &mut app.stage {
        walk.end(app.watch);
    }
    app.ended?;
    Ok(run.map_err(|error| WindowError::NoWindow(error.to_string()))?)
}

/// Everything of a running window.
struct App<'a, 'w, E> {
    options: Options<'a>,
    watch: &'a mut Watch<'w>,
    graphics: Option<Graphics>,
    stage: Stage<E>,
    /// When the next frame is to be drawn.
    due: Instant,
    ended: Result<(), E>,
}

/// How far the window is.
enum Stage<E> {
    Loading(Loading<E>),
    Walking(Box<Walk>),
}

impl<E: From<WindowError>> ApplicationHandler for App<'_, '_, E> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.graphics.is_none() {
            match Graphics::open(events, self.options.name) {
                Ok(graphics) => self.graphics = Some(graphics),
                Err(error) => self.fail(events, error.into()),
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(graphics) = &mut self.graphics else {
            return;
        };
        match (event, &mut self.stage) {
            (WindowEvent::CloseRequested, _) => events.exit(),
            (WindowEvent::Resized(size), _) => graphics.resize(size.into()),
            (WindowEvent::RedrawRequested, _) => match self.redraw() {
                Ok(wait) => self.due = Instant::now() + wait,
                Err(error) => self.fail(events, error),
            },
            (WindowEvent::KeyboardInput { event, .. }, Stage::Loading(_))
                if event.physical_key == PhysicalKey::Code(KeyCode::Escape) =>
            {
                events.exit();
            }
            (_, Stage::Loading(_)) => {}
            (WindowEvent::Focused(false), Stage::Walking(walk)) => {
                walk.controls.release(&graphics.window);
            }
            (
                WindowEvent::MouseInput {
                    state: ElementState::Pressed,
                    button: MouseButton::Left,
                    ..
                },
                Stage::Walking(walk),
            ) => walk.controls.grab(&graphics.window),
            (WindowEvent::KeyboardInput { event, .. }, Stage::Walking(walk)) => {
                walk.key(events, graphics, &event);
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let (DeviceEvent::MouseMotion { delta }, Some(graphics), Stage::Walking(walk)) =
            (event, &self.graphics, &mut self.stage)
        {
            walk.mouse_moved(graphics, delta);
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let Some(graphics) = &self.graphics else {
            return;
        };
        if self.due <= Instant::now() {
            events.set_control_flow(ControlFlow::Poll);
            graphics.window.request_redraw();
        } else {
            events.set_control_flow(ControlFlow::WaitUntil(self.due));
        }
    }
}

impl<E: From<WindowError>> App<'_, '_, E> {
    /// Draws a frame; returns how long to wait before the next.
    fn redraw(&mut self) -> Result<Duration, E> {
        let Some(graphics) = &mut self.graphics else {
            return Ok(HIDDEN_WAIT);
        };
        if let Stage::Loading(loading) = &mut self.stage
            && let Some(made) = loading.take_made()
        {
            let (level, lighting, game) = made?;
            graphics
                .prepare(&level, &lighting)
                .map_err(WindowError::from)?;
            let walk = Walk::new(level, lighting, game, &self.options);
            self.stage = Stage::Walking(Box::new(walk));
        }
        if let Stage::Walking(walk) = &mut self.stage
            && walk
                .take_news(graphics, self.watch)
                .map_err(WindowError::from)?
        {
            return Ok(RELOADING_WAIT);
        }
        let (drawn, wait) = match &mut self.stage {
            Stage::Loading(loading) => {
                let part = loading.part(Instant::now());
                (
                    graphics.show_progress(self.options.name, part),
                    LOADING_WAIT,
                )
            }
            Stage::Walking(walk) => {
                let is_shown = walk.redraw(graphics, self.watch, self.options.camera);
                (is_shown, Duration::ZERO)
            }
        };
        let is_shown = drawn.map_err(WindowError::from)?;
        Ok(if is_shown { wait } else { HIDDEN_WAIT })
    }

    fn fail(&mut self, events: &ActiveEventLoop, error: E) {
        self.ended = Err(error);
        events.exit();
    }
}
