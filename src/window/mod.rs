//! Walking through a level in a window. The only code that names winit.
//!
//! A frame is one straight line: input, no to some ticks of the game, camera, visibility, frame,
//! renderer.

mod figures;
mod graphics;
mod input;
mod view;

use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, ElementState, KeyEvent, MouseButton, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::WindowId;

use crate::frame::{self, Frame};
use crate::game::{Game, GameError, PLAYER, Start};
use crate::gpu::GpuError;
use crate::level::{Level, LinkId};
use crate::lighting::Lighting;
use crate::motion::TICK_SECS;
use crate::overlay::{Contents, Plan, PlanView};
use crate::visibility::{Camera, Visibility, visible_rooms};
use figures::Figures;
use graphics::Graphics;
use input::Controls;
use view::View;

/// At most this much time is caught up with in one frame, seconds: after a pause the game goes
/// on instead of racing.
const MAX_CATCH_UP_SECS: f64 = 0.25;
/// A second Esc within this time quits.
const ESCAPE_AGAIN: Duration = Duration::from_secs(3);
/// How long a message stays.
const MESSAGE_TIME: Duration = Duration::from_secs(3);
/// How long figures stay, so that they can be read and are seldom painted.
const FIGURES_TIME: Duration = Duration::from_millis(200);
/// Wait between attempts while nothing can be shown.
const HIDDEN_WAIT: Duration = Duration::from_millis(50);

/// Why there is no window.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no display to open a window on.
    #[error("there is no display to open a window on ({0})")]
    NoDisplay(String),
    /// The window cannot be opened.
    #[error("the window cannot be opened: {0}")]
    NoWindow(String),
    /// The character cannot start.
    #[error("{0}")]
    Game(#[from] GameError),
    /// Nothing can be drawn.
    #[error("{0}")]
    Gpu(#[from] GpuError),
}

/// Opens a window and walks through the level until the player quits.
///
/// # Errors
/// Without a display or a graphics driver, or when the character cannot start.
pub fn run(level: &Level, lighting: Lighting) -> Result<(), WindowError> {
    let events = EventLoop::new().map_err(|error| WindowError::NoDisplay(error.to_string()))?;
    let mut app = App {
        level,
        lighting,
        game: Game::start(level, &Start::Default, PLAYER)?,
        graphics: None,
        controls: Controls::default(),
        view: View::default(),
        visibility: Visibility::default(),
        frame: Frame::default(),
        plan: None,
        text: String::new(),
        written: None,
        figures: Figures::default(),
        last_frame: Instant::now(),
        behind_secs: 0.0,
        escaped: None,
        message: None,
        ended: Ok(()),
    };
    let run = events.run_app(&mut app);
    app.ended?;
    run.map_err(|error| WindowError::NoWindow(error.to_string()))
}

/// Everything of a running window.
struct App<'a> {
    level: &'a Level,
    game: Game,
    lighting: Lighting,
    graphics: Option<Graphics>,
    controls: Controls,
    view: View,
    visibility: Visibility,
    frame: Frame,
    /// Made when it is first asked for.
    plan: Option<Plan>,
    text: String,
    /// When the text was written, unless another is wanted.
    written: Option<Instant>,
    figures: Figures,
    last_frame: Instant,
    /// Time that the ticks have yet to catch up with, seconds, less than a tick after a frame.
    behind_secs: f64,
    escaped: Option<Instant>,
    message: Option<(Instant, String)>,
    ended: Result<(), WindowError>,
}

impl ApplicationHandler for App<'_> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.graphics.is_none() {
            match Graphics::open(events, self.level, &self.lighting) {
                Ok(graphics) => self.graphics = Some(graphics),
                Err(error) => self.end(events, Err(error)),
            }
            self.last_frame = Instant::now();
            self.tell("click to look around, F1 for help".to_owned());
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(graphics) = &mut self.graphics else {
            return;
        };
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::Resized(size) => graphics.resize(size.into()),
            WindowEvent::Focused(false) => self.controls.release(&graphics.window),
            WindowEvent::MouseInput {
                state: ElementState::Pressed,
                button: MouseButton::Left,
                ..
            } => self.controls.capture(&graphics.window),
            WindowEvent::KeyboardInput { event, .. } => self.key(events, &event),
            WindowEvent::RedrawRequested => self.redraw(events),
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let (DeviceEvent::MouseMotion { delta }, Some(graphics)) = (event, &self.graphics)
            && let Some((left, up)) = self.controls.mouse_moved(&graphics.window, delta)
        {
            self.view.look(&mut self.game, left, up);
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(graphics) = &self.graphics {
            graphics.window.request_redraw();
        }
    }
}

impl App<'_> {
    fn key(&mut self, events: &ActiveEventLoop, event: &KeyEvent) {
        let PhysicalKey::Code(key) = event.physical_key else {
            return;
        };
        self.controls.key(key, event.state.is_pressed());
        if !event.state.is_pressed() || event.repeat {
            return;
        }
        self.written = None;
        match key {
            KeyCode::Escape => self.escape(events),
            KeyCode::KeyE => self.use_door(),
            KeyCode::F1 => self.view.help = !self.view.help,
            KeyCode::F2 => self.view.figures = !self.view.figures,
            KeyCode::F3 => self.view.outlines = !self.view.outlines,
            KeyCode::F4 => {
                let aspect = self.aspect();
                let camera = self.view.camera(self.level, &mut self.game, 1.0, aspect);
                self.view.toggle_freeze(&self.game, camera);
            }
            KeyCode::F5 => {
                self.view.next_culling();
                self.tell(format!("culling: {}", self.view.culling_name()));
            }
            KeyCode::F6 => self.view.rooms = !self.view.rooms,
            KeyCode::F7 => self.view.lights = !self.view.lights,
            KeyCode::F8 => self.view.plan = !self.view.plan,
            KeyCode::F9 => self.view.blockers = !self.view.blockers,
            KeyCode::F12 => self.save_picture(),
            _ => {}
        }
    }

    fn escape(&mut self, events: &ActiveEventLoop) {
        if self.escaped.is_some_and(|at| at.elapsed() < ESCAPE_AGAIN) {
            return events.exit();
        }
        self.escaped = Some(Instant::now());
        if let Some(graphics) = &self.graphics {
            self.controls.release(&graphics.window);
        }
        self.tell("Esc again quits".to_owned());
    }

    fn use_door(&mut self) {
        let Some(door) = self.view.door_ahead(self.level, &mut self.game) else {
            return;
        };
        let open = !self.game.open.is_open(door);
        if let Err(error) = self.game.set_link(self.level, door, open) {
            self.tell(error.to_string());
        } else {
            self.tell(door_message(self.level, door, open));
        }
    }

    fn redraw(&mut self, events: &ActiveEventLoop) {
        let passed = self.last_frame.elapsed();
        self.last_frame = Instant::now();
        self.advance(passed.as_secs_f64());
        let camera = self.compose();
        if self.written.is_none_or(|at| at.elapsed() >= FIGURES_TIME) {
            self.write();
        }
        self.message
            .take_if(|(since, _)| since.elapsed() >= MESSAGE_TIME);
        let gpu_time = self.graphics.as_mut().and_then(Graphics::gpu_time);
        if let Some(took) = gpu_time {
            self.figures.gpu_took(took);
        }
        match self.show(&camera) {
            Ok(true) => events.set_control_flow(ControlFlow::Poll),
            Ok(false) => {
                events.set_control_flow(ControlFlow::WaitUntil(Instant::now() + HIDDEN_WAIT));
            }
            Err(error) => self.end(events, Err(error.into())),
        }
        self.figures.frame_took(passed);
    }

    /// Runs the ticks that fall into the time since the last frame.
    fn advance(&mut self, passed_secs: f64) {
        let input = self.controls.input();
        if self.view.fly(&input, passed_secs) {
            return;
        }
        self.behind_secs = (self.behind_secs + passed_secs).min(MAX_CATCH_UP_SECS);
        while self.behind_secs >= TICK_SECS {
            let start = Instant::now();
            self.game.tick(self.level, &self.controls.input());
            self.figures.tick_took(start.elapsed());
            self.controls.tick_done();
            self.behind_secs -= TICK_SECS;
        }
    }

    /// Composes the frame; returns the camera that it is seen by.
    fn compose(&mut self) -> Camera {
        let level = self.level;
        let alpha = self.behind_secs / TICK_SECS;
        let aspect = self.aspect();
        let camera = self.view.camera(level, &mut self.game, alpha, aspect);
        let seen_by = self.view.frozen().copied().unwrap_or(camera);
        let open = &self.game.open;
        self.lighting.update(level, open);
        let start = Instant::now();
        visible_rooms(
            self.view.culling,
            level,
            open,
            &seen_by,
            &mut self.visibility,
        );
        self.figures.visibility_took(start.elapsed());
        let rooms = &self.visibility.rooms;
        frame::compose(level, open, &camera, rooms, &mut self.frame);
        if self.view.outlines {
            frame::add_portal_outlines(level, open, &camera, rooms, &mut self.frame);
        }
        if self.view.blockers {
            let solids = self.game.scratch.blockers.iter().map(|b| b.solid);
            let triangles = solids.flat_map(|solid| {
                let room = solid.room(level);
                let triangles = solid.triangles(level).into_iter();
                triangles.map(move |triangle| (room, triangle))
            });
            frame::add_triangle_outlines(triangles, &camera, rooms, &mut self.frame);
        }
        if self.view.rooms {
            frame::tint_rooms(level, &mut self.frame);
        }
        if self.view.lights {
            frame::add_lights(&self.lighting, &camera, rooms, &mut self.frame);
        }
        if let Some(frozen) = self.view.frozen() {
            frame::add_culled(level, &camera, rooms, &mut self.frame);
            frame::add_view_outline(&camera, frozen, view::OUTLINE_LENGTH, &mut self.frame);
        }
        camera
    }

    /// Writes anew what is switched on.
    fn write(&mut self) {
        let level = self.level;
        self.written = Some(Instant::now());
        self.text.clear();
        if self.view.figures {
            self.figures
                .write(level, &self.view, &self.frame, &mut self.text);
        }
        if self.view.blockers {
            figures::write_blockers(level, &self.game, &mut self.text);
        }
        if self.view.help {
            let gap = if self.text.is_empty() { "" } else { "\n" };
            self.text.push_str(gap);
            self.text.push_str(figures::HELP);
        }
    }

    /// Shows the frame and what is written over it; says whether anything can be seen.
    fn show(&mut self, camera: &Camera) -> Result<bool, GpuError> {
        let Some(graphics) = &mut self.graphics else {
            return Ok(false);
        };
        let level = self.level;
        let contents = Contents {
            text: &self.text,
            message: self.message.as_ref().map_or("", |(_, text)| text),
            plan: self.view.plan.then(|| PlanView {
                plan: self.plan.get_or_insert_with(|| Plan::of(level)),
                level,
                open: &self.game.open,
                camera,
                visible: &self.visibility.rooms,
            }),
        };
        graphics.show(level, &self.lighting, &self.frame, &contents)
    }

    fn save_picture(&mut self) {
        let Some(graphics) = &mut self.graphics else {
            return;
        };
        let saved = graphics.save_picture(self.level, &self.lighting, &self.frame);
        self.tell(match saved {
            Ok(path) => format!("wrote {}", path.display()),
            Err(error) => error.to_string(),
        });
    }

    fn aspect(&self) -> f64 {
        self.graphics.as_ref().map_or(1.0, Graphics::aspect)
    }

    fn tell(&mut self, message: String) {
        self.message = Some((Instant::now(), message));
    }

    fn end(&mut self, events: &ActiveEventLoop, ended: Result<(), WindowError>) {
        self.ended = ended;
        events.exit();
    }
}

fn door_message(level: &Level, door: LinkId, open: bool) -> String {
    let leaf = level.link(door).leaf.as_ref();
    let name = leaf.map_or("door", |leaf| leaf.name.as_str());
    format!("{name}: {}", if open { "open" } else { "closed" })
}
