//! A walk through a level: input, ticks of the game, camera, visibility, frame, one after another.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::event::KeyEvent;
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{KeyCode, PhysicalKey};

use super::figures::{self, Figures};
use super::graphics::Graphics;
use super::input::Controls;
use super::leaks::Leaks;
use super::message::Message;
use super::options::{CameraReport, Options};
use super::reload::{Loaded, Reload};
use super::reloading::{Reloading, words};
use super::view::View;
use super::watch::{Watch, Watched};
use crate::frame::{self, Frame};
use crate::game::Game;
use crate::gpu::GpuError;
use crate::level::{Level, plain_name};
use crate::lighting::Lighting;
use crate::map::Plan;
use crate::motion::TICK_SECS;
use crate::overlay::{Contents, PlanView};
use crate::visibility::{Camera, Visibility, visible_rooms};
use crate::world::World;

/// At most this much time is caught up with in one frame, seconds: after a pause the game goes
/// on instead of racing.
const MAX_CATCH_UP_SECS: f64 = 0.25;
/// A second Esc within this time quits.
const ESCAPE_AGAIN: Duration = Duration::from_secs(3);
/// How long figures stay, so that they can be read and are seldom painted.
const FIGURES_TIME: Duration = Duration::from_millis(200);

/// Everything of a walk.
pub(super) struct Walk {
    level: Arc<Level>,
    game: Game,
    /// The game's world as it is drawn, between two ticks.
    drawn: World,
    lighting: Lighting,
    pub(super) controls: Controls,
    view: View,
    visibility: Visibility,
    frame: Frame,
    /// Made when first shown.
    plan: Option<Plan>,
    text: String,
    /// What the player can use, and how.
    prompt: String,
    /// When the text was written; `None` to write it again at once.
    written: Option<Instant>,
    figures: Figures,
    last_frame: Instant,
    /// Time that the ticks have yet to catch up with, seconds; after a frame less than a tick.
    behind_secs: f64,
    escaped: Option<Instant>,
    message: Message,
    reloading: Reloading,
    leaks: Leaks,
}

impl Walk {
    /// Begins where the game is.
    pub(super) fn new(level: Level, lighting: Lighting, game: Game, options: &Options) -> Self {
        let level = Arc::new(level);
        let reloading = Reloading::begin(options, &level, &lighting);
        let mut walk = Self {
            drawn: game.world().clone(),
            level,
            game,
            lighting,
            controls: Controls::default(),
            view: View::default(),
            visibility: Visibility::default(),
            frame: Frame::default(),
            plan: None,
            text: String::new(),
            prompt: String::new(),
            written: None,
            figures: Figures::default(),
            last_frame: Instant::now(),
            behind_secs: 0.0,
            escaped: None,
            message: Message::default(),
            reloading,
            leaks: Leaks::of(options.file),
        };
        walk.message
            .show("click to look around, F1 for help".to_owned());
        walk
    }

    /// The mouse has moved.
    pub(super) fn mouse_moved(&mut self, graphics: &Graphics, delta: (f64, f64)) {
        if let Some((left, up)) = self.controls.mouse_moved(&graphics.window, delta) {
            self.view.look(&mut self.game.player, left, up);
        }
    }

    /// A key was pressed or released; some quit.
    pub(super) fn key(
        &mut self,
        events: &ActiveEventLoop,
        graphics: &mut Graphics,
        event: &KeyEvent,
    ) {
        let PhysicalKey::Code(key) = event.physical_key else {
            return;
        };
        self.controls.key(key, event.state.is_pressed());
        if !event.state.is_pressed() || event.repeat {
            return;
        }
        self.written = None;
        match key {
            KeyCode::Escape => self.escape(events, graphics),
            KeyCode::KeyE => self.controls.interact(),
            KeyCode::F1 => self.view.help = !self.view.help,
            KeyCode::F2 => self.view.figures = !self.view.figures,
            KeyCode::F3 => self.view.outlines = !self.view.outlines,
            KeyCode::F4 => {
                let aspect = graphics.aspect();
                let camera = self.view.camera(&self.level, &mut self.game, 1.0, aspect);
                self.view.toggle_freeze(&self.game.player, camera);
            }
            KeyCode::F5 => {
                self.view.next_culling();
                self.message
                    .show(format!("culling: {}", self.view.culling_name()));
            }
            KeyCode::F6 => self.view.rooms = !self.view.rooms,
            KeyCode::F7 => self.view.lights = !self.view.lights,
            KeyCode::F8 => self.view.plan = !self.view.plan,
            KeyCode::F9 => self.view.blockers = !self.view.blockers,
            KeyCode::F10 => self.message.show(self.leaks.toggle().to_owned()),
            KeyCode::F12 => self.save_picture(graphics),
            _ => {}
        }
    }

    fn escape(&mut self, events: &ActiveEventLoop, graphics: &Graphics) {
        if self.escaped.is_some_and(|at| at.elapsed() < ESCAPE_AGAIN) {
            return events.exit();
        }
        self.escaped = Some(Instant::now());
        self.controls.release(&graphics.window);
        self.message.show("Esc again quits".to_owned());
    }

    /// The player has quit.
    pub(super) fn end(&mut self, watch: &mut Watch) {
        watch(&self.level, &mut self.game, Watched::End);
    }

    /// Draws a frame; returns whether anything can be seen.
    pub(super) fn redraw(
        &mut self,
        graphics: &mut Graphics,
        watch: &mut Watch,
        report: Option<&CameraReport>,
    ) -> Result<bool, GpuError> {
        let passed = self.last_frame.elapsed();
        self.last_frame = Instant::now();
        self.figures.frame_took(passed);
        self.advance(passed.as_secs_f64(), watch);
        let camera = self.compose(graphics.aspect());
        if let Some(report) = report {
            report(&self.level, &camera);
        }
        if let Some(took) = graphics.gpu_time() {
            self.figures.gpu_took(took);
        }
        if self.written.is_none_or(|at| at.elapsed() >= FIGURES_TIME) {
            self.write();
        }
        self.show(graphics, &camera)
    }

    /// Follows what happened to the level's file. Returns whether nothing is to be drawn for the moment, for the
    /// level is being loaded, which needs the machine.
    pub(super) fn take_news(
        &mut self,
        graphics: &mut Graphics,
        watch: &mut Watch,
    ) -> Result<bool, GpuError> {
        if let Some(message) = self.leaks.news() {
            self.message.show(message);
        }
        while let Some(news) = self.reloading.news() {
            self.written = None;
            match news {
                Reload::Began => {}
                Reload::Level(loaded) => self.replace_level(graphics, *loaded, watch)?,
                Reload::Lighting(level, lighting) => {
                    if Arc::ptr_eq(&level, &self.level) {
                        self.lighting = *lighting;
                        graphics.replace_lighting();
                    }
                }
                Reload::Bad(problems) => {
                    self.reloading.problems = figures::problems(&self.level.name, &problems);
                    log::warn!("{}", self.reloading.problems);
                }
            }
        }
        Ok(self.reloading.holds_picture())
    }

    /// Goes on in another version of the level.
    fn replace_level(
        &mut self,
        graphics: &mut Graphics,
        loaded: Loaded,
        watch: &mut Watch,
    ) -> Result<(), GpuError> {
        let (game, carried) = match self.game.carry_to(&self.level, &loaded.level) {
            Ok(carried) => carried,
            Err(error) => {
                self.reloading.problems = format!("the level before this one stays: {error}\n");
                return Ok(());
            }
        };
        let start = Instant::now();
        graphics.replace_level((&self.level, &loaded.level), &loaded.lighting)?;
        let upload = start.elapsed();
        self.game = game;
        self.drawn = self.game.world().clone();
        self.level = Arc::clone(&loaded.level);
        self.visibility = Visibility::default();
        self.frame = Frame::default();
        self.plan = None;
        self.view.thaw();
        self.leaks.level_changed();
        self.reloading.problems.clear();
        self.message.show(words(&self.level, carried));
        self.reloading.report(&loaded, upload);
        self.lighting = loaded.lighting;
        watch(&self.level, &mut self.game, Watched::Reloaded);
        Ok(())
    }

    /// Runs the ticks that fall into the time since the last frame.
    fn advance(&mut self, passed_secs: f64, watch: &mut Watch) {
        let input = self.controls.input();
        if self.view.fly(&input, passed_secs) || self.reloading.is_loading() {
            return;
        }
        self.behind_secs = (self.behind_secs + passed_secs).min(MAX_CATCH_UP_SECS);
        while self.behind_secs >= TICK_SECS {
            let input = self.controls.input();
            watch(&self.level, &mut self.game, Watched::Tick(&input));
            let start = Instant::now();
            self.game.tick(&self.level, &input);
            self.figures.tick_took(start.elapsed());
            for index in 0..self.game.events.len() {
                let event = &self.game.events[index];
                if let Some(message) = event.describe(&self.level) {
                    log::warn!("{message}");
                    self.message.show(message);
                } else if let Some(message) = event.message(&self.level) {
                    self.message.show(message);
                }
            }
            self.controls.tick_done();
            self.behind_secs -= TICK_SECS;
        }
    }

    /// Composes the frame; returns the camera that draws it.
    fn compose(&mut self, aspect: f64) -> Camera {
        let level = &self.level;
        let alpha = self.behind_secs / TICK_SECS;
        let camera = self.view.camera(level, &mut self.game, alpha, aspect);
        let culled_by = self.view.frozen().copied().unwrap_or(camera);
        self.drawn
            .put_between_ticks(level, self.game.world(), alpha);
        let world = &self.drawn;
        self.lighting.update(level, world);
        let start = Instant::now();
        visible_rooms(
            self.view.culling,
            level,
            world,
            &culled_by,
            &mut self.visibility,
        );
        self.figures.visibility_took(start.elapsed());
        let rooms = &self.visibility.rooms;
        frame::compose(level, world, &camera, rooms, &mut self.frame);
        let (game, lighting) = ((&self.game.player, world), &self.lighting);
        self.view
            .draw_debug(level, game, lighting, &camera, rooms, &mut self.frame);
        frame::add_problems(level, self.leaks.shown(), &camera, &mut self.frame);
        camera
    }

    /// Writes again what is switched on.
    fn write(&mut self) {
        let level = &self.level;
        self.written = Some(Instant::now());
        self.text.clear();
        self.prompt.clear();
        if let Some(usable) = self.game.usable(level) {
            self.prompt.push_str("E: ");
            self.prompt
                .push_str(&usable.describe(level, self.game.world()));
        }
        let (held, ahead) = (self.game.holds(), self.game.takeable(level));
        if let Some((body, does)) = held
            .map(|id| (id, "throw"))
            .or(ahead.map(|id| (id, "take")))
        {
            let gap = if self.prompt.is_empty() { "" } else { "\n" };
            let name = plain_name(&level.body(body).name);
            let _ = write!(self.prompt, "{gap}left mouse: {does} the {name}");
        }
        if self.view.figures {
            self.figures
                .write(level, &self.view, &self.frame, &mut self.text);
        }
        self.text.push_str(&self.reloading.problems);
        if self.view.blockers {
            figures::write_blockers(level, &self.game.player, &mut self.text);
        }
        if self.view.help {
            let gap = if self.text.is_empty() { "" } else { "\n" };
            self.text.push_str(gap);
            self.text.push_str(figures::HELP);
        }
    }

    /// Shows the frame and the overlay; returns whether anything can be seen.
    fn show(&mut self, graphics: &mut Graphics, camera: &Camera) -> Result<bool, GpuError> {
        let level = &self.level;
        let message = self.message.text();
        let contents = Contents {
            text: &self.text,
            message: if message.is_empty() {
                &self.prompt
            } else {
                message
            },
            plan: self.view.plan.then(|| PlanView {
                plan: self.plan.get_or_insert_with(|| Plan::of(level)),
                level,
                world: &self.drawn,
                camera,
                visible: &self.visibility.rooms,
            }),
        };
        graphics.show(level, &self.lighting, &self.frame, &contents)
    }

    fn save_picture(&mut self, graphics: &mut Graphics) {
        let saved = graphics.save_picture(&self.level, &self.lighting, &self.frame);
        self.message.show(match saved {
            Ok(path) => format!("wrote {}", path.display()),
            Err(error) => error.to_string(),
        });
    }
}
