//! A program with its own window, event loop, wgpu device, key and HUD, which walks through a level: `cargo run
//! --release --example own_window -- [LEVEL] [--frames N]`. W A S D walk, the mouse looks around, E opens or closes the
//! nearest door of the room; the crosshair is green if there is a door.

mod hud;

use std::error::Error;
use std::sync::Arc;
use std::time::Instant;

use opendoor::frame::{FOV_DEG, Viewer};
use opendoor::game::{Game, Input, PLAYER, Start};
use opendoor::gpu::{Gpu, RenderQuality, RenderTarget, Renderer};
use opendoor::level::{Level, LinkId};
use opendoor::lighting::stored::LightFiles;
use opendoor::lighting::{Lighting, lightmap};
use opendoor::motion::{TICK_SECS, Workspace};
use opendoor::visibility::Culling;
use opendoor::wgpu::{self, CurrentSurfaceTexture};
use winit::application::ApplicationHandler;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{KeyCode, PhysicalKey};
use winit::window::{Window, WindowId};

struct App {
    level: Level,
    viewer: Viewer,
    game: Game,
    /// The workspace of the eye's queries.
    workspace: Workspace,
    input: Input,
    started: Instant,
    frames_left: u32,
    screen: Option<Screen>,
}

struct Screen {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    gpu: Gpu,
    renderer: Renderer,
    crosshair: hud::Crosshair,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let frames = args.iter().position(|arg| arg == "--frames");
    let frames = frames.and_then(|at| args.drain(at..).nth(1));
    let path = args.first().map_or("levels/house.glb", String::as_str);
    let (level, _) = opendoor::load::load(path.as_ref())?;
    let game = Game::start(&level, &Start::Default, PLAYER)?;
    let quality = lightmap::LightmapQuality::default();
    let lightmap = lightmap::load_or_bake(&level, quality, &LightFiles::cache(), &|_| {});
    let mut app = App {
        viewer: Viewer::new(Lighting::new(&level, game.world(), lightmap)),
        level,
        game,
        workspace: Workspace::default(),
        input: Input::default(),
        started: Instant::now(),
        frames_left: frames.map_or(Ok(u32::MAX), |frames| frames.parse())?,
        screen: None,
    };
    Ok(EventLoop::new()?.run_app(&mut app)?)
}

impl App {
    fn open(&self, events: &ActiveEventLoop) -> Result<Screen, Box<dyn Error>> {
        let window = Arc::new(events.create_window(Window::default_attributes())?);
        let instance = wgpu::Instance::default();
        let surface = instance.create_surface(Arc::clone(&window))?;
        let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
        let [width, height] = window.inner_size().into();
        let config = surface.get_default_config(&adapter, width, height);
        let mut config = config.ok_or("the window cannot be drawn to")?;
        // The renderer draws linear colours, which the view's format encodes.
        let format = config.format.add_srgb_suffix();
        config.view_formats = vec![format];
        surface.configure(&device, &config);
        let gpu = Gpu::from_device(device, queue);
        let quality = RenderQuality::live(&gpu);
        Ok(Screen {
            renderer: Renderer::new(&gpu, format, &self.level, &self.viewer.lighting, quality)?,
            crosshair: hud::Crosshair::new(&gpu.device, format),
            window,
            surface,
            config,
            gpu,
        })
    }

    fn nearest_door(&self) -> Option<LinkId> {
        let at = self.game.players[0].actor.state.at;
        let doors = self.level.portals_of(at.room).map(|(_, portal)| portal);
        let doors = doors.filter(|portal| self.level.link(portal.link).panel.is_some());
        let doors = doors.map(|portal| (portal.polygon.distance(at.point), portal.link));
        doors
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, link)| link)
    }

    fn key(&mut self, key: KeyCode, is_pressed: bool) {
        let amount = f64::from(u8::from(is_pressed));
        match key {
            KeyCode::KeyW => self.input.forward = amount,
            KeyCode::KeyS => self.input.forward = -amount,
            KeyCode::KeyD => self.input.right = amount,
            KeyCode::KeyA => self.input.right = -amount,
            KeyCode::KeyE if is_pressed => {
                if let Some(door) = self.nearest_door() {
                    let opens = !self.game.world().is_open(door);
                    // A door stays open while a body stands in it.
                    let _ = self.game.set_link(&self.level, door, opens);
                }
            }
            _ => {}
        }
    }

    fn draw(&mut self) -> Result<(), Box<dyn Error>> {
        while self.game.tick as f64 * TICK_SECS < self.started.elapsed().as_secs_f64() {
            self.game.tick(&self.level, &[self.input]);
        }
        let has_door = self.nearest_door().is_some();
        let Some(at) = &mut self.screen else {
            return Ok(());
        };
        let size = [at.config.width, at.config.height];
        let aspect = f64::from(size[0]) / f64::from(size[1]);
        let collision = self.game.collision(&self.level);
        let eye = self.game.players[0].eye(&collision, 1.0, &mut self.workspace);
        let camera = eye.camera(FOV_DEG, aspect);
        let world = self.game.world();
        let viewer = &mut self.viewer;
        viewer.compose(&self.level, world, &camera, (Culling::Portals, &camera));

        let CurrentSurfaceTexture::Success(texture) = at.surface.get_current_texture() else {
            let [width, height]: [u32; 2] = at.window.inner_size().into();
            (at.config.width, at.config.height) = (width.max(1), height.max(1));
            at.surface.configure(&at.gpu.device, &at.config);
            return Ok(());
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor {
            format: Some(at.config.view_formats[0]),
            ..Default::default()
        });
        let target = RenderTarget { view: &view, size };
        let mut encoder = at.gpu.device.create_command_encoder(&Default::default());
        at.renderer.draw(
            &at.gpu,
            &mut encoder,
            &viewer.lighting,
            &viewer.frame,
            target,
        )?;
        let mut pass = target.pass(&mut encoder, "hud", wgpu::LoadOp::Load, None);
        at.crosshair.draw(&mut pass, has_door);
        drop(pass);
        at.gpu.queue.submit([encoder.finish()]);
        at.gpu.queue.present(texture);
        Ok(())
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        self.screen = Some(self.open(events).expect("the window opens"));
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::KeyboardInput { event, .. } => {
                if let (PhysicalKey::Code(key), false) = (event.physical_key, event.repeat) {
                    self.key(key, event.state.is_pressed());
                }
            }
            WindowEvent::RedrawRequested => {
                self.draw().expect("the frame is drawn");
                self.frames_left = self.frames_left.saturating_sub(1);
                if self.frames_left == 0 {
                    events.exit();
                }
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion {
            delta: (right, down),
        } = event
        {
            self.game.players[0].look(-0.1 * right, -0.1 * down);
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(screen) = &self.screen {
            screen.window.request_redraw();
        }
    }
}
