//! Sketched levels, and the code to draw them.

use opendoor::motion::close_link;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use glam::DVec3;
use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::frame::Viewer;
use opendoor::game::ThirdPerson;
use opendoor::geometry::Aabb;
use opendoor::gpu::{Gpu, Offscreen, RenderQuality, Renderer, TextureFormat};
use opendoor::level::{self, At, AuthorPoint, Level, LinkId, Material};
use opendoor::lighting::Lighting;
use opendoor::lighting::lightmap::{self, Lightmap};
use opendoor::person::Person;
use opendoor::visibility::{Camera, Culling};
use opendoor::world::World;

use crate::shared::built;

/// The device, for one test at a time: two tests at once are no faster on a software driver.
pub(crate) fn gpu() -> MutexGuard<'static, Gpu> {
    static GPU: OnceLock<Mutex<Gpu>> = OnceLock::new();
    let open = || Mutex::new(Gpu::open().unwrap_or_else(|error| panic!("{error}")));
    let gpu = GPU.get_or_init(open).lock();
    gpu.unwrap_or_else(PoisonError::into_inner)
}

/// Builds the level. The character starts near the middle of the first room; no image depends on it.
pub(crate) fn build(mut sketch: Sketch) -> Level {
    let corners = sketch.source.meshes[0].positions.iter().copied();
    let middle = Aabb::around(corners).centre();
    let beside_things = middle + DVec3::new(0.13, 0.17, 0.37);
    sketch.spawn(0, beside_things, DVec3::NEG_Z);
    built(sketch.source)
}

/// A level with its renderer, lighting and target.
pub(crate) struct Studio<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) level: &'a Level,
    pub(crate) world: World,
    pub(crate) viewer: Viewer,
    pub(crate) renderer: Renderer,
    picture: Offscreen,
    size: [u32; 2],
}

impl<'a> Studio<'a> {
    /// Opens or closes a link.
    pub(crate) fn set_link(&mut self, link: LinkId, open: bool) {
        if open {
            self.world.open(link);
        } else {
            close_link(self.level, &mut self.world, link, []).expect("no body is there");
        }
    }

    pub(crate) fn new(gpu: &'a Gpu, level: &'a Level, size: [u32; 2]) -> Self {
        Self::with(
            gpu,
            level,
            size,
            Offscreen::FORMAT,
            RenderQuality::default(),
        )
    }

    /// Creates a studio in which smooth surfaces reflect rooms.
    pub(crate) fn reflecting(gpu: &'a Gpu, level: &'a Level, size: [u32; 2]) -> Self {
        let quality = RenderQuality::high();
        Self::with(gpu, level, size, Offscreen::FORMAT, quality)
    }

    /// Creates a studio with a target of half floats, for measuring single surfaces: without bloom.
    pub(crate) fn float(gpu: &'a Gpu, level: &'a Level, size: [u32; 2]) -> Self {
        let quality = RenderQuality {
            bloom: false,
            ..RenderQuality::default()
        };
        Self::with(gpu, level, size, TextureFormat::Rgba16Float, quality)
    }

    pub(crate) fn with(
        gpu: &'a Gpu,
        level: &'a Level,
        size: [u32; 2],
        format: TextureFormat,
        quality: RenderQuality,
    ) -> Self {
        Self::lit(gpu, level, size, format, quality, lightmap::flat(level))
    }

    pub(crate) fn lit(
        gpu: &'a Gpu,
        level: &'a Level,
        size: [u32; 2],
        format: TextureFormat,
        quality: RenderQuality,
        lightmap: Lightmap,
    ) -> Self {
        let world = World::of(level);
        let lighting = Lighting::new(level, &world, lightmap);
        let renderer = Renderer::new(gpu, format, level, &lighting, quality);
        let mut viewer = Viewer::new(lighting);
        viewer.set_reflections(quality.reflects());
        Self {
            gpu,
            level,
            world,
            viewer,
            renderer: renderer.expect("the level fits the device"),
            picture: Offscreen::with_format(gpu, size, format).expect("the size is drawable"),
            size,
        }
    }

    /// A camera at `eye` (author's coordinates), in the room that contains this point, with a field of view of 90
    /// degrees.
    pub(crate) fn camera(&self, eye: [f64; 3], angles: [f64; 2]) -> Camera {
        let eye = self.level.from_author(AuthorPoint(DVec3::from_array(eye)));
        let room = level::locate(self.level, eye)
            .unwrap_or_else(|| panic!("no room holds the eye at {eye}"));
        let aspect = f64::from(self.size[0]) / f64::from(self.size[1]);
        Camera::new(At::new(room, eye), angles, 90.0, aspect)
    }

    /// Draws the view, and returns the texels of the image.
    pub(crate) fn draw(&mut self, camera: &Camera, culling: Culling) -> Vec<u8> {
        self.draw_with(camera, culling, None)
    }

    /// Draws the view with a player's figure, and returns the texels of the image.
    pub(crate) fn draw_with(
        &mut self,
        camera: &Camera,
        culling: Culling,
        seen: Option<&ThirdPerson>,
    ) -> Vec<u8> {
        let before = self.gpu.refusals();
        let viewer = &mut self.viewer;
        viewer.compose(self.level, &self.world, camera, (culling, camera));
        if let Some(seen) = seen {
            let mut person = Person::new().expect("our own figure is good");
            let world = (self.level, &self.world);
            let rooms = &viewer.visibility.rooms;
            person.add_to(world, seen, camera, rooms, &mut viewer.frame);
        }
        self.picture.draw(self.gpu, |encoder, target| {
            let Viewer {
                lighting, frame, ..
            } = &*viewer;
            self.renderer
                .draw(self.gpu, encoder, lighting, frame, target)
        });
        let pixels = self.picture.read(self.gpu).expect("the device is there");
        assert_eq!(self.gpu.refusals(), before, "the driver refused something");
        pixels
    }

    /// The number of rooms drawn in the last image.
    pub(crate) fn rooms_drawn(&self) -> usize {
        self.viewer.frame.rooms_drawn
    }

    /// The texel in column `x` and row `y` of an 8-bit image.
    pub(crate) fn texel(&self, pixels: &[u8], x: u32, y: u32) -> [u8; 4] {
        let at = (y * self.size[0] + x) as usize * 4;
        std::array::from_fn(|channel| pixels[at + channel])
    }
}

pub(crate) fn unlit(rgba: [f32; 4]) -> Material {
    Material {
        base_colour: rgba,
        unlit: true,
        ..Material::default()
    }
}

/// A square of 2 x 2 m that faces +Z, in the plane `z`.
pub(crate) fn square(z: f64) -> [[DVec3; 3]; 2] {
    let corner = |x, y| DVec3::new(x, y, z);
    let [a, b, c, d] = [
        corner(-1.0, -1.0),
        corner(1.0, -1.0),
        corner(1.0, 1.0),
        corner(-1.0, 1.0),
    ];
    [[a, b, c], [a, c, d]]
}

/// One room from -4 to 4 m around the origin with black unlit walls.
pub(crate) fn black_room(name: &str) -> (Sketch, usize) {
    let mut sketch = Sketch::new(name);
    sketch.source.materials[0] = unlit([0.0, 0.0, 0.0, 1.0]);
    let room = sketch.box_room("black", cuboid([-4.0; 3], [4.0; 3]), &[]);
    (sketch, room)
}

/// Side of a cell of the grid, metres.
const CELL: f64 = 6.0;
/// Thickness of a wall within each cell, metres.
const WALL: f64 = 0.1;
/// Start and end of a doorway along the wall, metres.
const DOOR: [f64; 2] = [2.4, 3.6];
/// Height of a doorway, metres.
const DOOR_HEIGHT: f64 = 2.2;

/// `n` by `n` furnished rooms joined by doorways, every other room with a lamp. The walls between rooms are 0.2 m
/// thick. The portals are in the middle of the walls, and each room has its half of the doorway's lining: with walls
/// without thickness, surfaces of two rooms would share an edge, and rounding would choose the visible one.
pub(crate) fn grid(n: usize) -> Level {
    grid_of(n, Material::default())
}

/// The rooms of [`grid`] with this material on all walls, floors and ceilings.
pub(crate) fn grid_of(n: usize, walls: Material) -> Level {
    let mut sketch = Sketch::new("grid");
    sketch.source.materials[0] = walls;
    let red = sketch.material(Material {
        base_colour: [0.7, 0.25, 0.15, 1.0],
        ..Material::default()
    });
    for (i, k) in (0..n * n).map(|cell| (cell / n, cell % n)) {
        let corner = DVec3::new(i as f64 * CELL, 0.0, k as f64 * CELL);
        let directions = [
            (i > 0, DVec3::NEG_X),
            (i + 1 < n, DVec3::X),
            (k > 0, DVec3::NEG_Z),
            (k + 1 < n, DVec3::Z),
        ];
        let directions: Vec<DVec3> = directions
            .into_iter()
            .filter(|w| w.0)
            .map(|w| w.1)
            .collect();
        let inside = Aabb {
            min: corner + DVec3::new(WALL, 0.0, WALL),
            max: corner + DVec3::new(CELL - WALL, 3.0, CELL - WALL),
        };
        let doors = directions
            .iter()
            .map(|&direction| doorway(corner, direction, WALL));
        let openings: Vec<Aabb> = doors.chain(cuts(corner, &inside)).collect();
        let room = sketch.box_room(&format!("r{i}{k}"), inside, &openings);
        for &direction in &directions {
            let lining = lining(
                &doorway(corner, direction, WALL),
                &doorway(corner, direction, 0.0),
            );
            sketch.mesh(room, 0, &lining);
            if direction.min_element() == 0.0 {
                sketch.portal(room, "", doorway(corner, direction, 0.0), direction);
            }
        }
        let at = |x, y, z| corner + DVec3::new(x, y, z);
        if (i + k) % 2 == 0 {
            sketch.lamp(room, at(2.0, 2.5, 3.5), 40.0);
        }
        let chest = Aabb::around([at(0.5, 0.0, 0.5), at(1.5, 1.0, 1.1)]);
        sketch.furniture(room, red, chest);
    }
    build(sketch)
}

/// The doorway in `direction` from the middle of the cell at `corner`, `inset` metres inside of it.
fn doorway(corner: DVec3, direction: DVec3, inset: f64) -> Aabb {
    let along = DVec3::new(direction.z.abs(), 0.0, direction.x.abs());
    let side = if direction.min_element() < 0.0 {
        inset
    } else {
        CELL - inset
    };
    let foot = corner + direction.abs() * side;
    let top = DVec3::Y * DOOR_HEIGHT;
    Aabb::around([foot + along * DOOR[0], foot + along * DOOR[1] + top])
}

/// The floor, ceiling and jambs between two doorways, seen from inside.
fn lining(inner: &Aabb, outer: &Aabb) -> Vec<[DVec3; 3]> {
    let tube = inner.union(*outer);
    let mut sketch = Sketch::new("tube");
    sketch.box_room("tube", tube, &[*inner, *outer]);
    let mesh = &sketch.source.meshes[0];
    let corners = mesh.triangles.iter();
    corners
        .map(|t| t.map(|i| mesh.positions[i as usize]))
        .collect()
}

/// Openings without area, which cut every face of a room along the lines of its doors. Faces that are cut differently
/// have vertices within each other's edges, and rounding opens cracks there through which other rooms are visible.
fn cuts(corner: DVec3, inside: &Aabb) -> Vec<Aabb> {
    let (min, max) = (inside.min, inside.max);
    let top = corner.y + DOOR_HEIGHT;
    let [x0, x1] = DOOR.map(|d| corner.x + d);
    let [z0, z1] = DOOR.map(|d| corner.z + d);
    let mut cuts = Vec::new();
    for y in [min.y, max.y] {
        cuts.push(cuboid([x0, y, min.z], [x1, y, min.z]));
        cuts.push(cuboid([min.x, y, z0], [min.x, y, z1]));
    }
    cuts.extend([min.x, max.x].map(|x| cuboid([x, top, z0], [x, top, z1])));
    cuts.extend([min.z, max.z].map(|z| cuboid([x0, top, z], [x1, top, z])));
    cuts
}
