//! A walk through a level: input, ticks of the game, camera, visibility and frame, in this order.

mod actions;

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::device::Over;
use super::figures::{self, FrameStats};
use super::graphics::Graphics;
use super::guide::Guide;
use super::input::Controls;
use super::leaks::Leaks;
use super::message::Message;
use super::options::{CameraReport, LevelChoice, LoadedGame, Options};
use super::pace::TickClock;
use super::reload::{Loaded, Reload};
use super::reloading::{Reloading, words};
use super::replays::Replays;
use super::texts::{Texts, Told};
use super::view::{Picture, ViewOptions};
use super::watch::{Watch, Watched};
use crate::figure::FigureError;
use crate::frame::{Viewer, add_problems};
use crate::game::{FIRST_PLAYER, Game, Input, ThirdPerson};
use crate::gpu::GpuError;
use crate::level::{Level, TICKS_PER_SECOND};
use crate::map::Plan;
use crate::motion::Workspace;
use crate::overlay::{OverlayContents, PlanView};
use crate::person::Person;
use crate::settings::{Bindings, Settings};
use crate::visibility::Camera;
use crate::world::World;

/// The time for which statistics stay unchanged, so that they can be read and are seldom painted.
const FIGURES_TIME: Duration = Duration::from_millis(200);

/// The state of a walk.
pub(super) struct WalkState {
    pub(super) level: Arc<Level>,
    pub(super) game: Game,
    /// The index of the player that the window shows and drives.
    player: usize,
    /// The players' inputs of a tick.
    inputs: Vec<Input>,
    /// The workspace of the eye's queries.
    workspace: Workspace,
    /// The game's world as it is drawn, interpolated between two ticks.
    drawn: World,
    viewer: Viewer,
    pub(super) controls: Controls,
    view: ViewOptions,
    /// The plan; created when it is first shown.
    plan: Option<Plan>,
    /// The player's figure; loaded when it is first shown.
    person: Option<Result<Person, FigureError>>,
    texts: Texts,
    /// The time at which the text was written; `None` to write it again at once.
    written: Option<Instant>,
    figures: FrameStats,
    last_frame: Instant,
    /// The time that passed in the game since the last frame, seconds.
    passed_secs: f64,
    clock: TickClock,
    /// The camera of the last picture, if that picture depends only on the camera.
    still: Option<Camera>,
    pub(super) message: Message,
    guide: Guide,
    reloading: Reloading,
    leaks: Leaks,
    replays: Replays,
}

impl WalkState {
    /// Begins a walk with a loaded game, in the chosen level.
    pub(super) fn new(made: LoadedGame, of: &LevelChoice, options: &Options) -> Self {
        let LoadedGame {
            level,
            cache,
            lighting,
            game,
            playback,
        } = made;
        let reloading = Reloading::begin(of.file(), options.report, (&level, cache), &lighting);
        Self {
            drawn: game.world().clone(),
            level,
            game,
            player: FIRST_PLAYER,
            inputs: Vec::new(),
            workspace: Workspace::default(),
            viewer: Viewer::live(lighting),
            controls: Controls::default(),
            view: ViewOptions::default(),
            plan: None,
            person: None,
            texts: Texts::default(),
            written: None,
            figures: FrameStats::default(),
            last_frame: Instant::now(),
            passed_secs: 0.0,
            clock: TickClock::default(),
            still: None,
            message: Message::default(),
            guide: Guide::default(),
            reloading,
            leaks: Leaks::of(of, &options.check),
            replays: Replays::of(playback),
        }
    }

    /// Turns the view by a mouse motion.
    pub(super) fn mouse_moved(
        &mut self,
        graphics: &Graphics,
        delta: (f64, f64),
        settings: &Settings,
    ) {
        let turned = self.controls.mouse_moved(&graphics.window, delta, settings);
        if let Some((left, up)) = turned.filter(|_| self.turns()) {
            self.view
                .look(&mut self.game.players[self.player], left, up);
        }
    }

    /// Whether the player turns the view; a replay that is playing turns it instead.
    fn turns(&self) -> bool {
        !self.replays.is_playing() || self.view.is_flying()
    }

    /// Reports the end of the walk to `watch`.
    pub(super) fn end(&mut self, watch: &mut Watch) {
        watch(&self.level, &mut self.game, Watched::End);
    }

    /// Advances the game by the time since the last frame, unless it is paused.
    pub(super) fn pass_time(&mut self, stands: bool, settings: &mut Settings, watch: &mut Watch) {
        let passed = self.last_frame.elapsed();
        self.last_frame = Instant::now();
        self.figures.frame_took(passed);
        self.passed_secs = 0.0;
        if !stands {
            self.still = None;
            self.passed_secs = passed.as_secs_f64();
            self.advance(self.passed_secs, settings, watch);
        }
        let follows = !settings.knows_first_steps && !self.replays.is_playing();
        if follows && self.guide.follow(&self.game.players[self.player]) {
            settings.knows_first_steps = true;
        }
    }

    /// Draws a frame, and the menu over it if it is open; returns whether anything is visible.
    pub(super) fn redraw(
        &mut self,
        graphics: &mut Graphics,
        settings: &Settings,
        report: Option<&CameraReport>,
        menu: Option<Over>,
    ) -> Result<bool, GpuError> {
        let quality = graphics.quality();
        self.viewer.lighting.set_lamps(quality.lamps);
        self.viewer.set_reflections(quality.reflects());
        let camera = self.compose(&picture(settings, graphics.aspect(), self.clock.alpha()));
        if let Some(report) = report {
            report(&self.level, &camera);
        }
        if let Some(took) = graphics.gpu_time() {
            self.figures.gpu_took(took);
        }
        if self.written.is_none_or(|at| at.elapsed() >= FIGURES_TIME) {
            self.write(graphics.resolution_scale(), settings, &camera);
        }
        let is_unchanged = self.still.replace(camera) == Some(camera);
        let adapts = settings.exposure_adaptation;
        graphics.set_exposure_adaptation(adapts.then_some(self.passed_secs));
        match menu {
            Some(menu) => {
                let picture = (&*self.level, &self.viewer.lighting, &self.viewer.frame);
                graphics.show(picture, is_unchanged, menu)
            }
            None => self.show(graphics, settings, &camera, is_unchanged),
        }
    }

    /// Handles events of the level's file. Returns whether no frame should be drawn now, because loading the level
    /// needs the processor.
    pub(super) fn take_news(
        &mut self,
        graphics: &mut Graphics,
        watch: &mut Watch,
    ) -> Result<bool, GpuError> {
        if let Some(message) = self.leaks.news() {
            self.still = None;
            self.message.show(message);
        }
        while let Some(news) = self.reloading.news() {
            self.written = None;
            self.still = None;
            match news {
                Reload::Began => {}
                Reload::Level(loaded) => self.replace_level(graphics, *loaded, watch)?,
                Reload::Lighting(level, lighting) => {
                    if Arc::ptr_eq(&level, &self.level) {
                        self.viewer.set_lighting(*lighting);
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

    /// Continues the walk in another version of the level.
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
        self.plan = None;
        self.view.thaw();
        self.leaks.level_changed();
        self.replays.forget();
        self.reloading.problems.clear();
        let carried = carried.get(self.player).copied();
        let carried = carried.map(|carried| words(&self.level, carried));
        self.message.show(carried.unwrap_or_default());
        self.reloading.report(&loaded, upload);
        self.viewer = Viewer::live(loaded.lighting);
        watch(&self.level, &mut self.game, Watched::Reloaded);
        Ok(())
    }

    /// Runs the ticks for the time since the last frame.
    fn advance(&mut self, passed_secs: f64, settings: &Settings, watch: &mut Watch) {
        let (left, up) = self.controls.stick_turns(settings, passed_secs);
        if (left, up) != (0.0, 0.0) && self.turns() {
            self.view
                .look(&mut self.game.players[self.player], left, up);
        }
        let bindings = &settings.bindings;
        let input = self.controls.input(bindings);
        if self.view.fly(&self.level, &input, passed_secs) || self.reloading.is_loading() {
            self.controls.tick_done();
            return;
        }
        self.game.players[self.player].smooth_steps = settings.smooth_steps;
        self.clock.add_frame(passed_secs);
        while self.clock.take_tick() {
            self.next_inputs(bindings);
            let input = self.inputs.get(self.player).copied().unwrap_or_default();
            watch(&self.level, &mut self.game, Watched::Tick(&input));
            self.replays.add_tick(&self.level, &self.game, &self.inputs);
            let start = Instant::now();
            // A game that was loaded or restored since the last tick has no clock yet.
            self.game.time_bodies_by(Instant::now);
            let bodies_took = self.game.body_times();
            self.game.tick(&self.level, &self.inputs);
            self.figures.tick_took(start.elapsed());
            self.figures
                .bodies_took(&bodies_took, &self.game.body_times());
            for index in 0..self.game.events.len() {
                let event = &self.game.events[index];
                if let Some(message) = event.describe(&self.level) {
                    log::warn!("{message}");
                    self.message.show(message);
                } else if event.player.is_none_or(|player| player == self.player)
                    && let Some(message) = event.message(&self.level)
                {
                    self.message.show(message);
                }
            }
            self.controls.tick_done();
        }
    }

    /// Finds the players' inputs of the next tick: the inputs of a replay, or the input of this window's player.
    fn next_inputs(&mut self, bindings: &Bindings) {
        let (game, message) = (&mut self.game, &mut self.message);
        let played = self.replays.next_inputs(&self.level, game, message);
        self.inputs.clear();
        match played {
            Some(inputs) => self.inputs.extend_from_slice(inputs),
            None => {
                self.inputs.resize(self.player, Input::default());
                self.inputs.push(self.controls.input(bindings));
            }
        }
    }

    /// Returns the camera that draws a picture, and the third-person view if the player is drawn.
    fn camera(&mut self, picture: &Picture) -> (Camera, Option<ThirdPerson>) {
        let of_player = (self.player, &mut self.workspace);
        self.view
            .camera(&self.level, &mut self.game, of_player, picture)
    }

    /// Composes the frame; returns the camera that draws it.
    fn compose(&mut self, picture: &Picture) -> Camera {
        let (camera, seen) = self.camera(picture);
        let level = &self.level;
        let culled_by = self.view.frozen().copied().unwrap_or(camera);
        self.drawn
            .put_between_ticks(level, self.game.world(), picture.alpha);
        let world = &self.drawn;
        let ticks = self.game.tick as f64 + picture.alpha;
        self.viewer.frame.flicker_secs = Some(ticks / TICKS_PER_SECOND);
        let culling = (self.view.culling(), &culled_by);
        let took = self.viewer.compose(level, world, &camera, culling);
        self.figures.visibility_took(took);
        let Viewer {
            lighting,
            visibility,
            frame,
            ..
        } = &mut self.viewer;
        let rooms = &visibility.rooms;
        if let Some(seen) = &seen {
            let person = self.person.get_or_insert_with(Person::new);
            match person {
                Ok(person) => {
                    person.add_to((&**level, world), seen, &camera, rooms, frame);
                }
                Err(error) => self.message.show(error.to_string()),
            }
        }
        let game = (&self.game.players[self.player], world);
        self.view
            .draw_debug(level, game, lighting, &camera, rooms, frame);
        add_problems(level, self.leaks.shown(), &camera, frame);
        camera
    }

    /// Updates the texts that are switched on.
    fn write(&mut self, resolution: (f64, bool), settings: &Settings, camera: &Camera) {
        self.written = Some(Instant::now());
        let hint = match settings.knows_first_steps || self.replays.is_playing() {
            true => String::new(),
            false => self
                .guide
                .hint(&settings.bindings, self.controls.is_captured()),
        };
        let told = Told {
            player: self.player,
            view: &self.view,
            figures: &self.figures,
            frame: &self.viewer.frame,
            resolution,
            problems: &self.reloading.problems,
            hint: &hint,
            is_captured: self.controls.is_captured(),
        };
        self.texts
            .write((&self.level, &mut self.game, camera), settings, &told);
    }

    /// Shows the frame and the overlay; returns whether anything is visible.
    fn show(
        &mut self,
        graphics: &mut Graphics,
        settings: &Settings,
        camera: &Camera,
        is_unchanged: bool,
    ) -> Result<bool, GpuError> {
        let level = &self.level;
        let message = self.message.text();
        let contents = OverlayContents {
            text: &self.texts.text,
            message: if message.is_empty() {
                &self.texts.prompt
            } else {
                message
            },
            title: if settings.room_names {
                self.texts.title()
            } else {
                ""
            },
            crosshair: settings.crosshair && self.view.frozen().is_none(),
            plan: self.view.plan.then(|| PlanView {
                plan: self.plan.get_or_insert_with(|| Plan::of(level)),
                level,
                world: &self.drawn,
                camera,
                visible: &self.viewer.visibility.rooms,
            }),
        };
        let picture = (&**level, &self.viewer.lighting, &self.viewer.frame);
        graphics.show(picture, is_unchanged, Over::Contents(&contents))
    }
}

/// Returns the picture parameters of the settings.
fn picture(settings: &Settings, aspect: f64, alpha: f64) -> Picture {
    Picture {
        alpha,
        fov_deg: settings.field_of_view_deg,
        aspect,
        third_person: settings.third_person,
    }
}
