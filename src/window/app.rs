//! The window's event loop. The window shows a level that is loading, a walk, or the menu.

use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::PhysicalKey;
use winit::window::WindowId;

use super::device::Over;
use super::error::{Failure, WindowError};
use super::graphics::Graphics;
use super::levels::{Shelf, spawn_names};
use super::loading::Loading;
use super::options::{LevelChoice, Make, Options, Wanted};
use super::pad::Pad;
use super::walk::WalkState;
use super::watch::Watch;
use crate::menu::{Menu, MenuCommand, MenuInfo, Page};
use crate::settings::Key;

/// The wait between frames of the progress bar: loading needs the processor time.
const LOADING_WAIT: Duration = Duration::from_millis(50);
/// The wait between polls for a level that is reloading.
const RELOADING_WAIT: Duration = Duration::from_millis(5);
/// The wait between attempts to draw while nothing can be shown.
const HIDDEN_WAIT: Duration = Duration::from_millis(200);
/// The wait between frames while another window has the keyboard focus and the game is paused.
const BACKGROUND_WAIT: Duration = Duration::from_millis(100);

/// Opens a window in which the player walks through levels until quitting; `watch` is called for each event of a walk.
/// `make` loads a level and its game on another thread, while the window shows the progress. Closing the window does
/// not wait for that thread: it runs until the program ends. If a level cannot be loaded, the window shows the error
/// and the player can choose another level.
///
/// # Errors
/// Fails without a display or without the shared libraries of a window (then `make` is never called), and without a
/// graphics driver. Returns the error of `make` if no other level was walked through after it.
pub fn run<E: Failure>(options: Options, watch: &mut Watch, make: Make<E>) -> Result<(), E> {
    #[cfg(target_os = "linux")]
    super::libraries::try_libraries()?;
    let events = EventLoop::new().map_err(|error| WindowError::NoDisplay(error.to_string()))?;
    let mut app = App::new(options, watch, make);
    let run = events.run_app(&mut app);
    app.end_walk();
    app.save_settings();
    app.ended?;
    match (app.stage, app.failed) {
        (Stage::Nothing, Some(error)) => Err(error),
        _ => Ok(run.map_err(|error| WindowError::NoWindow(error.to_string()))?),
    }
}

fn begin<E: Send + 'static>(make: &Make<E>, wanted: Wanted) -> Loading<E> {
    let make = Arc::clone(make);
    Loading::begin(move |progress| make(&wanted, progress))
}

/// The state of a running window.
pub(super) struct App<'a, 'w, E> {
    pub(super) options: Options<'a>,
    pub(super) watch: &'a mut Watch<'w>,
    make: Make<E>,
    pub(super) graphics: Option<Graphics>,
    pub(super) stage: Stage<E>,
    /// The level that is loading or was loaded last.
    loading_of: Wanted,
    /// The menu's data about levels.
    shelf: Shelf,
    /// The menu while it is open.
    pub(super) menu: Option<Menu>,
    pad: Pad,
    pub(super) focus: Focus,
    /// Whether other windows hide this one.
    is_occluded: bool,
    /// The time at which the next frame is drawn.
    due: Instant,
    /// The error because of which there is no level to walk through.
    failed: Option<E>,
    pub(super) ended: Result<(), E>,
}

/// The loading state of the window.
pub(super) enum Stage<E> {
    Loading(Loading<E>),
    Walking(Box<WalkState>),
    /// The requested level cannot be walked through.
    Nothing,
}

/// The keyboard focus of this window. Some systems never report focus: then a lost focus stays unknown too.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    Unknown,
    Here,
    Elsewhere,
}

impl<E: Failure> ApplicationHandler for App<'_, '_, E> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.graphics.is_none() {
            match Graphics::open(events, &self.options.settings) {
                Ok(mut graphics) => {
                    graphics.begin_level(&self.loading_of.level.name());
                    self.graphics = Some(graphics);
                }
                Err(error) => self.fail(events, error.into()),
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(graphics) = &mut self.graphics else {
            return;
        };
        match &event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::Resized(size) => graphics.resize((*size).into()),
            WindowEvent::Occluded(is_occluded) => self.is_occluded = *is_occluded,
            WindowEvent::RedrawRequested => match self.redraw(events) {
                Ok(wait) => self.due = Instant::now() + wait,
                Err(error) => self.fail(events, error),
            },
            WindowEvent::Focused(is_here) => self.focus_changed(*is_here),
            WindowEvent::DroppedFile(path) => {
                self.open(LevelChoice::File(path.clone()));
            }
            WindowEvent::KeyboardInput { event, .. } => {
                if let PhysicalKey::Code(code) = event.physical_key
                    && !event.repeat
                    && self.key(events, Key::Code(code), event.state.is_pressed())
                {
                    return;
                }
            }
            WindowEvent::MouseInput { state, button, .. } => {
                let is_pressed = *state == ElementState::Pressed;
                let is_done = self.key(events, Key::Mouse(*button), is_pressed);
                if is_done {
                    return;
                }
            }
            _ => {}
        }
        // The menu is not passed events while it is closed: they would pile up.
        let is_for_menu = self.menu.is_some() || matches!(event, WindowEvent::ModifiersChanged(_));
        if let (Some(graphics), true) = (&mut self.graphics, is_for_menu) {
            graphics.tell_menu(&event);
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let (DeviceEvent::MouseMotion { delta }, Some(graphics), Stage::Walking(walk), None) =
            (event, &self.graphics, &mut self.stage, &self.menu)
        {
            walk.mouse_moved(graphics, delta, &self.options.settings);
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        while let Some((button, is_pressed)) = self.pad.next() {
            self.pad_button(events, button, is_pressed);
        }
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

impl<'a, 'w, E: Failure> App<'a, 'w, E> {
    /// Begins to load the first level.
    pub(super) fn new(options: Options<'a>, watch: &'a mut Watch<'w>, make: Make<E>) -> Self {
        let wanted = options.first.clone();
        Self {
            loading_of: wanted.clone(),
            stage: Stage::Loading(begin(&make, wanted)),
            shelf: Shelf::default(),
            options,
            watch,
            make,
            graphics: None,
            menu: None,
            pad: Pad::open(),
            focus: Focus::Unknown,
            is_occluded: false,
            due: Instant::now(),
            failed: None,
            ended: Ok(()),
        }
    }

    pub(super) fn open_menu(&mut self, page: Page) {
        self.menu = Some(Menu::at(page));
        if let (Some(graphics), Stage::Walking(walk)) = (&self.graphics, &mut self.stage) {
            walk.controls.release(&graphics.window);
            self.shelf.spawns = spawn_names(&walk.level);
        }
        self.shelf.look_beside(&self.loading_of.level);
    }

    pub(super) fn close_menu(&mut self) {
        self.menu = None;
        self.save_settings();
        if let (Some(graphics), Stage::Walking(walk)) = (&self.graphics, &mut self.stage) {
            walk.controls.capture(&graphics.window);
        }
    }

    pub(super) fn save_settings(&mut self) {
        let saved = self.options.settings_file.save(&self.options.settings);
        if let Err(problem) = saved {
            log::warn!("{problem}");
            if let Stage::Walking(walk) = &mut self.stage {
                walk.message.show(problem);
            }
        }
    }

    /// Begins to load another level, which replaces the current one.
    fn open(&mut self, level: LevelChoice) {
        let wanted = Wanted::from_its_spawn(level);
        self.end_walk();
        self.menu = None;
        self.failed = None;
        self.shelf.problem.clear();
        if let Some(graphics) = &mut self.graphics {
            graphics.begin_level(&wanted.level.name());
        }
        self.loading_of = wanted.clone();
        self.stage = Stage::Loading(begin(&self.make, wanted));
    }

    fn end_walk(&mut self) {
        if let Stage::Walking(walk) = &mut self.stage {
            if let Some(graphics) = &self.graphics {
                walk.controls.release(&graphics.window);
            }
            walk.end(self.watch);
        }
    }

    fn obey(&mut self, command: MenuCommand, events: &ActiveEventLoop) {
        match command {
            MenuCommand::Resume => self.close_menu(),
            MenuCommand::Quit => events.exit(),
            MenuCommand::OpenShipped(name) => self.open(LevelChoice::Shipped(name)),
            MenuCommand::OpenFile(path) => self.open(LevelChoice::File(path)),
            MenuCommand::StartAt(spawn) => {
                if let Stage::Walking(walk) = &mut self.stage {
                    walk.start_at(spawn, self.watch);
                }
                self.close_menu();
            }
        }
    }

    /// Takes the result of loading, if it is ready.
    fn take_loaded(&mut self) -> Result<(), E> {
        let (Stage::Loading(loading), Some(graphics)) = (&mut self.stage, &mut self.graphics)
        else {
            return Ok(());
        };
        let Some(made) = loading.take_made() else {
            return Ok(());
        };
        match made {
            Ok(made) => {
                graphics
                    .prepare(&made.level, &made.lighting)
                    .map_err(WindowError::from)?;
                let level = &self.loading_of.level;
                let mut walk = WalkState::new(made, level, &self.options);
                if let Some(path) = level.file()
                    && let Ok(path) = path.canonicalize()
                {
                    self.options.settings.add_recent(path);
                }
                if !self.options.said.is_empty() {
                    walk.message.show(self.options.said.join("\n"));
                    self.options.said.clear();
                }
                self.stage = Stage::Walking(Box::new(walk));
                self.save_settings();
            }
            Err(error) => {
                self.shelf.problem = error.to_string();
                log::error!("{error}");
                self.failed = Some(error);
                self.stage = Stage::Nothing;
                self.shelf.spawns.clear();
                self.open_menu(Page::Levels);
            }
        }
        Ok(())
    }

    /// Draws a frame; returns the wait before the next frame.
    fn redraw(&mut self, events: &ActiveEventLoop) -> Result<Duration, E> {
        self.take_loaded()?;
        let begun = Instant::now();
        let Some(graphics) = &mut self.graphics else {
            return Ok(HIDDEN_WAIT);
        };
        if let Stage::Walking(walk) = &mut self.stage
            && walk
                .take_news(graphics, self.watch)
                .map_err(WindowError::from)?
        {
            return Ok(RELOADING_WAIT);
        }
        let is_background =
            self.focus == Focus::Elsewhere && self.options.settings.pause_in_background;
        let is_hidden = self.is_occluded || graphics.is_minimized();
        let stands = self.menu.is_some() || is_background || is_hidden;
        if let Stage::Walking(walk) = &mut self.stage {
            walk.controls.sticks = self.pad.sticks();
            walk.pass_time(stands, &mut self.options.settings, self.watch);
        }
        if is_hidden {
            return Ok(HIDDEN_WAIT);
        }
        let (is_shown, command) = self.show()?;
        if let (Stage::Walking(_), Some(graphics), false) =
            (&self.stage, &mut self.graphics, stands || !is_shown)
        {
            graphics.frame_took(begun.elapsed());
        }
        if let Some(command) = command {
            self.obey(command, events);
        }
        Ok(match &self.stage {
            _ if !is_shown => HIDDEN_WAIT,
            Stage::Loading(_) => LOADING_WAIT,
            _ if is_background => BACKGROUND_WAIT,
            _ => self.frame_wait(begun),
        })
    }

    /// Returns the wait that limits the frame rate to the `max_fps` setting.
    fn frame_wait(&self, begun: Instant) -> Duration {
        let fps = self.options.settings.max_fps;
        if fps < 1.0 {
            return Duration::ZERO;
        }
        Duration::from_secs_f64(fps.recip()).saturating_sub(begun.elapsed())
    }

    /// Shows the current stage; returns whether anything is visible, and the command that the player chose in the menu.
    fn show(&mut self) -> Result<(bool, Option<MenuCommand>), E> {
        let Self {
            options,
            graphics,
            stage,
            menu,
            shelf,
            loading_of,
            ..
        } = self;
        let Some(graphics) = graphics else {
            return Ok((false, None));
        };
        let level = match stage {
            Stage::Walking(walk) => Some(Arc::clone(&walk.level)),
            _ => None,
        };
        let info = MenuInfo {
            level: level.as_ref().map_or("", |level| &level.name),
            spawns: &shelf.spawns,
            shipped: options.shipped,
            nearby: &shelf.nearby,
            problem: &shelf.problem,
        };
        let is_open = menu.is_some();
        let mut chosen = is_open.then(|| options.settings.clone());
        let mut command = None;
        let mut show_menu = |ui: &mut egui::Ui| {
            if let (Some(menu), Some(chosen)) = (&mut *menu, &mut chosen) {
                let wanted = menu.show(ui, chosen, &info);
                command = wanted.or(command.take());
            }
        };
        let over = is_open.then_some(Over::Menu(&mut show_menu));
        let shown = match stage {
            Stage::Walking(walk) => walk.redraw(graphics, &options.settings, options.camera, over),
            Stage::Loading(loading) => {
                let name = loading_of.level.name();
                let part = loading.part(Instant::now());
                graphics.show_alone(part.map(|part| Over::Progress(&name, part)))
            }
            Stage::Nothing => graphics.show_alone(over),
        };
        let is_shown = shown.map_err(WindowError::from)?;
        if let Some(chosen) = chosen
            && chosen != options.settings
        {
            options.settings = chosen;
            graphics.apply(&options.settings);
        }
        Ok((is_shown, command))
    }

    fn fail(&mut self, events: &ActiveEventLoop, error: E) {
        self.ended = Err(error);
        events.exit();
    }
}
