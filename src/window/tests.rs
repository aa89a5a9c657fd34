//! A window whose graphics device is lost repeatedly. The test needs a display (for example `xvfb-run`), so it is run
//! by `cargo test --lib -- --ignored window`. A process can have only one event loop: all steps are one test.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::platform::wayland::EventLoopBuilderExtWayland;
use winit::platform::x11::EventLoopBuilderExtX11;
use winit::window::WindowId;

use super::app::{App, Stage};
use super::error::WindowError;
use super::options::{Begin, LevelChoice, LoadedGame, Make, Options, Wanted};
use super::watch::Watched;
use crate::author::grid_glb;
use crate::build::BuildCache;
use crate::game::Game;
use crate::level::Level;
use crate::lighting::{Lighting, lightmap};
use crate::load::load_bytes;
use crate::menu::Page;
use crate::problems::Problems;
use crate::settings::{Key, KeyCode, Settings, SettingsFile};
use crate::world::World;

/// The time after which a step has failed. Software drivers take a second per picture.
const PATIENCE: Duration = Duration::from_secs(120);

type TestApp<'a, 'w> = App<'a, 'w, WindowError>;

/// A step of the test: its condition, and the action that follows.
struct ScriptStep {
    name: &'static str,
    is_ready: fn(&TestApp) -> bool,
    act: fn(&mut TestApp),
}

/// An app, its remaining steps, and the time since which it waits for the first of them.
struct Scenario<'a, 'w> {
    app: TestApp<'a, 'w>,
    steps: VecDeque<ScriptStep>,
    since: Instant,
}

impl ApplicationHandler for Scenario<'_, '_> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        self.app.resumed(events);
    }

    fn window_event(&mut self, events: &ActiveEventLoop, window: WindowId, event: WindowEvent) {
        self.app.window_event(events, window, event);
    }

    fn device_event(&mut self, events: &ActiveEventLoop, device: DeviceId, event: DeviceEvent) {
        self.app.device_event(events, device, event);
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        self.app.about_to_wait(events);
        match self.steps.front() {
            Some(step) if (step.is_ready)(&self.app) => {
                (step.act)(&mut self.app);
                self.steps.pop_front();
                self.since = Instant::now();
            }
            Some(_) if self.since.elapsed() < PATIENCE => {}
            _ => events.exit(),
        }
    }
}

fn is_walking(app: &TestApp) -> bool {
    matches!(app.stage, Stage::Walking(_)) && is_shown(app)
}

fn is_shown(app: &TestApp) -> bool {
    app.graphics.as_ref().is_some_and(|it| it.has_device())
}

/// Whether the player has moved away from its start.
fn has_walked(app: &TestApp) -> bool {
    let Stage::Walking(walk) = &app.stage else {
        return false;
    };
    let begin = Game::new(&walk.level).expect("there is a spawn");
    let [from, to] = [&begin, &walk.game].map(|game| game.players[0].feet(&walk.level).0);
    from.distance(to) > 0.5
}

fn lose(app: &mut TestApp) {
    if let Some(graphics) = &app.graphics {
        graphics.lose_device();
    }
}

fn key(app: &mut TestApp, code: KeyCode, is_pressed: bool) {
    if let Stage::Walking(walk) = &mut app.stage {
        walk.controls.key(Key::Code(code), is_pressed);
    }
}

fn make() -> Make<WindowError> {
    Arc::new(|_, _| {
        let (level, _) = load_bytes("grid", &grid_glb(2, 1)).expect("it is sound");
        let game = Game::new(&level).expect("there is a spawn");
        let lighting = Lighting::new(&level, &World::of(&level), lightmap::flat(&level));
        Ok(LoadedGame {
            level: Arc::new(level),
            cache: BuildCache::default(),
            lighting,
            game,
            playback: None,
        })
    })
}

#[test]
#[ignore = "needs a display"]
fn a_lost_device_is_opened_again_and_the_walk_goes_on() {
    let steps = [
        ScriptStep {
            name: "the window opens, and the level is loaded by a device that is lost",
            is_ready: is_shown,
            act: lose,
        },
        ScriptStep {
            name: "the walk begins all the same",
            is_ready: is_walking,
            act: |app| {
                key(app, KeyCode::KeyW, true);
                lose(app);
            },
        },
        ScriptStep {
            name: "another device is opened, and the player walks on",
            is_ready: |app| is_walking(app) && has_walked(app),
            act: |app| {
                key(app, KeyCode::KeyW, false);
                app.open_menu(Page::Settings);
                lose(app);
            },
        },
        ScriptStep {
            name: "the menu is still open at its page",
            is_ready: |app| {
                is_shown(app)
                    && app
                        .menu
                        .as_ref()
                        .is_some_and(|menu| menu.page() == Page::Settings)
            },
            act: |app| app.close_menu(),
        },
        ScriptStep {
            name: "the player is where it was",
            is_ready: |app| is_walking(app) && has_walked(app),
            act: |_| {},
        },
    ];
    let options = Options {
        first: Wanted {
            level: LevelChoice::Shipped("grid"),
            begin: Begin::default(),
        },
        shipped: &["grid"],
        settings: Settings::default(),
        settings_file: SettingsFile::open(None).0,
        said: Vec::new(),
        report: None,
        camera: None,
        check: Arc::new(|_| Problems::default()),
    };
    let mut watch = |_: &Level, _: &mut Game, _: Watched| {};
    let mut scenario = Scenario {
        app: App::new(options, &mut watch, make()),
        steps: steps.into(),
        since: Instant::now(),
    };
    let mut events = EventLoop::builder();
    EventLoopBuilderExtX11::with_any_thread(&mut events, true);
    EventLoopBuilderExtWayland::with_any_thread(&mut events, true);
    let events = events.build().expect("there is a display");
    events.run_app(&mut scenario).unwrap();
    scenario.app.ended.unwrap();
    let waits_for = scenario.steps.front().map(|step| step.name);
    assert_eq!(waits_for, None);
}
