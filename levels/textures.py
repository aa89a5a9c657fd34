"""Textures painted with numpy: tileable, seeded, the same bytes on every run.

Every function returns an array of shape (size, size, 3) or (size, size, 5): sRGB values in 0..1,
then the height of the surface in millimetres and its roughness relative to that of the material,
from which `Level.material` makes a normal map and a roughness map. Row 0 is the bottom of the
image, as in Blender. All of them tile in both directions, except `rug`, `painting`, `clock_face`,
`window_pane`, `leaded_glass` and `flame`, which are stretched over one face (`fit=True` in
`Level.material`).
"""

import numpy as np


def cloud(size, seed, roughness=1.6, stretch=(1.0, 1.0)):
    """Tileable noise with mean 0 and deviation 1: white noise, low-passed in frequency space.

    A larger `roughness` gives softer clouds. `stretch` is (along u, along v): wood grain is
    noise that changes slowly along u.
    """
    rng = np.random.RandomState(seed)
    spectrum = np.fft.fft2(rng.standard_normal((size, size)))
    fv = np.fft.fftfreq(size)[:, None] * size * stretch[1]
    fu = np.fft.fftfreq(size)[None, :] * size * stretch[0]
    radius = np.sqrt(fu * fu + fv * fv)
    radius[0, 0] = 1.0
    spectrum = spectrum / np.maximum(radius, 1.0) ** roughness
    spectrum[0, 0] = 0.0
    noise = np.real(np.fft.ifft2(spectrum))
    return noise / noise.std()


def rgb(*channels):
    """A colour from components in 0..255."""
    return np.array(channels, dtype=float) / 255.0


def shade(colour, amount):
    """An image of one colour, made lighter and darker by a field of relative amounts."""
    return np.clip(colour * (1.0 + amount[..., None]), 0.0, 1.0)


def with_relief(picture, height, rough=0.0):
    """Adds the channels of height (millimetres) and relative roughness to an image."""
    fields = [np.broadcast_to(np.asarray(f, dtype=float), picture.shape[:2])[..., None] for f in (height, rough)]
    return np.concatenate([picture] + fields, axis=2)


def pillow(height, width, edge, depth):
    """The height of a block with rounded edges: 0 in the middle, down to -depth at its edges."""
    v = np.minimum(np.arange(height) + 0.5, height - np.arange(height) - 0.5)[:, None]
    u = np.minimum(np.arange(width) + 0.5, width - np.arange(width) - 0.5)[None, :]
    near = np.clip(np.minimum(v, u) / edge, 0.0, 1.0)
    return -depth * (1.0 - near) ** 2


def tilt(height, width, rng, amount):
    """A plane that leans at random, by at most this many millimetres from its middle to an edge."""
    v, u = np.linspace(-1.0, 1.0, height)[:, None], np.linspace(-1.0, 1.0, width)[None, :]
    return rng.uniform(-amount, amount) * v + rng.uniform(-amount, amount) * u


def plaster(size, seed, colour, strength=0.035, relief=0.8):
    """Trowelled plaster: two clouds, a soft one and a fine one."""
    soft = cloud(size, seed, 1.7)
    fine = cloud(size, seed + 1, 0.6)
    return with_relief(shade(colour, strength * soft + 0.45 * strength * fine), relief * cloud(size, seed + 2, 1.3))


def hammered(size, seed, colour, dents=1.0, patina=0.08):
    """Beaten or worn metal: shallow dents, and spots that are duller than the rest."""
    worn = cloud(size, seed, 1.4)
    return with_relief(shade(colour, 0.5 * patina * worn), dents * cloud(size, seed + 1, 1.5), patina * worn)


def grain(size, seed, colour, strength=0.10):
    """Solid timber, the grain along u."""
    long_fibre = cloud(size, seed, 1.1, (14.0, 1.0))
    rings = np.sin(6.0 * cloud(size, seed + 1, 1.8, (6.0, 1.0)))
    return with_relief(shade(colour, strength * (0.7 * long_fibre + 0.5 * rings)), 0.12 * long_fibre, 0.03 * rings)


def planks(size, seed, colour, rows=8, strength=0.09, gap=0.45):
    """Floor boards along u: every board has its own tone, its own grain and a dark joint."""
    rng = np.random.RandomState(seed)
    fibre = cloud(size, seed + 1, 1.0, (16.0, 1.0))
    # The relief has its own numbers, so that the boards do not depend on it.
    uneven = np.random.RandomState(seed + 2)
    picture, relief, rough = np.zeros((size, size, 3)), np.zeros((size, size)), np.zeros((size, size))
    height = size // rows
    for row in range(rows):
        v0, v1 = row * height, (row + 1) * height
        cut = int(rng.uniform(0.0, 1.0) * size)
        cuts = [cut, cut + int(size * rng.uniform(0.42, 0.58))]
        for start, end in ((cuts[0], cuts[1]), (cuts[1], cuts[0] + size)):
            columns = np.arange(start, end) % size
            tone = rng.uniform(-0.16, 0.12)
            warm = 1.0 + rng.uniform(-0.04, 0.04) * np.array([1.0, 0.2, -1.2])
            shift = rng.randint(size)
            piece = np.roll(fibre[v0:v1], shift, axis=1)[:, columns]
            picture[v0:v1, columns] = shade(colour * warm, tone + strength * piece)
            picture[v0:v1, columns[:2]] *= 1.0 - gap
            board = pillow(height, len(columns), 4.0, 1.6) + tilt(height, len(columns), uneven, 0.35)
            relief[v0:v1, columns] = board + 0.10 * piece
            rough[v0:v1, columns] = uneven.uniform(-0.07, 0.07) + 0.025 * piece
            rough[v0:v1, columns[:2]] = 0.3
        picture[v0:v0 + 2] *= 1.0 - gap
        rough[v0:v0 + 2] = 0.3
    return with_relief(picture, relief, rough)


def masonry(size, seed, colours, mortar, rows=8, columns=4, joint=0.05, strength=0.08, jitter=0.0, deep=4.0):
    """Courses of bricks or blocks in running bond; `jitter` makes their lengths uneven, `deep` is the depth of the joints."""
    rng = np.random.RandomState(seed)
    rough = cloud(size, seed + 1, 1.0)
    wear = cloud(size, seed + 2, 1.6)
    picture = shade(mortar, 0.06 * cloud(size, seed + 3, 0.5))
    uneven = np.random.RandomState(seed + 4)
    course = size / rows
    edge = max(1, int(round(course * joint)))
    relief = np.full((size, size), -deep)
    for row in range(rows):
        v0, v1 = int(row * course) + edge, int((row + 1) * course)
        length = size / columns
        offset = 0.5 * length * (row % 2) + rng.uniform(-jitter, jitter) * length
        ends = [offset + length * (k + rng.uniform(-jitter, jitter)) for k in range(columns)]
        ends.append(ends[0] + size)
        for start, end in zip(ends, ends[1:]):
            u = np.arange(int(start) + edge, int(end)) % size
            colour = colours[rng.randint(len(colours))] * (1.0 + rng.uniform(-0.12, 0.12))
            face = strength * (rough[v0:v1][:, u] + 0.6 * wear[v0:v1][:, u])
            # A light upper edge and a dark lower edge make the block stand out from the joint.
            face[-edge:] += 0.10
            face[:edge] -= 0.14
            picture[v0:v1, u] = shade(colour, face)
            block = pillow(v1 - v0, len(u), max(2.0, 0.10 * course), 0.7 * deep) + tilt(v1 - v0, len(u), uneven, 0.25 * deep)
            relief[v0:v1, u] = block + 0.16 * deep * rough[v0:v1][:, u]
    return with_relief(np.clip(picture, 0.0, 1.0), relief)


def tiles(size, seed, palette, count=4, grout=rgb(70, 64, 58), joint=0.02, strength=0.04, veins=0.0, deep=1.2, wavy=0.1):
    """Square tiles, coloured by their diagonal (two colours: a chequerboard).

    `deep` is the depth of the joints, `wavy` the unevenness of the tiles.
    """
    rng = np.random.RandomState(seed)
    soft = cloud(size, seed + 1, 1.5)
    vein = np.exp(-np.abs(cloud(size, seed + 2, 1.5)) * 14.0)
    uneven = np.random.RandomState(seed + 3)
    picture, relief, rough = np.tile(grout, (size, size, 1)), np.full((size, size), -deep), np.full((size, size), 0.4)
    step = size // count
    edge = max(1, int(round(step * joint)))
    for row in range(count):
        for column in range(count):
            colour = palette[(row + column) % len(palette)] * (1.0 + rng.uniform(-0.06, 0.06))
            v = slice(row * step + edge, (row + 1) * step)
            u = slice(column * step + edge, (column + 1) * step)
            shift = rng.randint(size), rng.randint(size)
            marble = np.roll(vein, shift, axis=(0, 1))[v, u]
            cloudy = np.roll(soft, shift, axis=(0, 1))[v, u]
            picture[v, u] = shade(colour, strength * cloudy + veins * marble)
            height, width = cloudy.shape
            relief[v, u] = pillow(height, width, 3.0, 0.5 * deep) + tilt(height, width, uneven, 2.0 * wavy) + wavy * cloudy
            rough[v, u] = uneven.uniform(-0.04, 0.04) + 0.02 * cloudy + 0.1 * marble * (veins != 0.0)
    return with_relief(picture, relief, rough)


def wallpaper(size, seed, ground, figure, count=4):
    """Damask: rows of leaf shapes, every second row shifted by half."""
    v, u = np.mgrid[0:size, 0:size] / size
    picture = shade(ground, 0.03 * cloud(size, seed, 0.8))
    mask = np.zeros((size, size))
    for shift in (0.0, 0.5):
        x = (u * count + shift) % 1.0 - 0.5
        y = (v * count / 1.0 + shift) % 1.0 - 0.5
        leaf = np.abs(x) / 0.22 + np.abs(y) / 0.42
        heart = np.abs(x) / 0.09 + np.abs(y + 0.04) / 0.2
        mask = np.maximum(mask, ((leaf < 1.0) & (heart > 1.0)).astype(float))
        mask = np.maximum(mask, ((heart < 0.5)).astype(float))
    picture = picture * (1.0 - mask[..., None]) + shade(figure, 0.04 * cloud(size, seed + 1, 0.8)) * mask[..., None]
    return with_relief(picture, 0.5 * mask, -0.25 * mask)


def cloth(size, seed, colour, strength=0.06):
    """Woven cloth: threads over and under, on a soft cloud."""
    v, u = np.mgrid[0:size, 0:size]
    weave = np.sin(u * np.pi / 2.0) * np.cos(v * np.pi / 2.0)
    soft = cloud(size, seed, 1.2)
    return with_relief(shade(colour, strength * 0.6 * weave + strength * soft), 0.25 * weave + 0.5 * soft)


def rug(size, seed, field, border, figure):
    """A rug with a border, a field of small diamonds and a medallion. Does not tile."""
    v, u = np.mgrid[0:size, 0:size] / (size - 1.0)
    x, y = u - 0.5, v - 0.5
    rim = np.minimum(np.minimum(u, 1.0 - u), np.minimum(v, 1.0 - v))
    picture = np.tile(field, (size, size, 1))
    small = (np.abs((u * 16.0) % 1.0 - 0.5) + np.abs((v * 16.0) % 1.0 - 0.5)) < 0.22
    picture[small] = 0.55 * field + 0.45 * figure
    medal = np.abs(x) + np.abs(y)
    picture[medal < 0.26] = figure
    picture[medal < 0.235] = border
    ring = np.sqrt(x * x + y * y)
    picture[ring < 0.13] = figure
    picture[ring < 0.115] = field
    petals = ring < 0.05 + 0.045 * np.cos(8.0 * np.arctan2(y, x))
    picture[petals] = figure
    band = rim < 0.10
    picture[band] = border
    teeth = band & (rim > 0.03) & (np.abs(((u + v) * 14.0) % 1.0 - 0.5) < 0.2)
    picture[teeth] = figure
    picture[(rim > 0.10) & (rim < 0.115)] = figure
    picture[rim < 0.015] = figure
    threads = 0.05 * np.sin(np.arange(size) * np.pi / 2.0)[:, None] + 0.05 * cloud(size, seed, 0.7)
    return np.clip(picture * (1.0 + threads[..., None]), 0.0, 1.0)


def books(size, seed):
    """One shelf of book spines, side by side; the top of the image is the shadow above them."""
    rng = np.random.RandomState(seed)
    covers = [rgb(112, 36, 30), rgb(46, 66, 52), rgb(40, 52, 84), rgb(122, 86, 44), rgb(74, 48, 34),
              rgb(150, 128, 92), rgb(60, 30, 52), rgb(32, 32, 36)]
    picture, relief = np.tile(rgb(20, 14, 10), (size, size, 1)), np.full((size, size), -12.0)
    v = np.arange(size) / size
    u = 0
    while u < size:
        width = min(int(size * rng.uniform(0.022, 0.055)), size - u)
        if size - u - width < size * 0.02:
            width = size - u
        top = rng.uniform(0.66, 0.93)
        colour = covers[rng.randint(len(covers))] * rng.uniform(0.75, 1.2)
        across = (np.arange(width) + 0.5) / width
        roundness = 0.55 + 0.45 * np.sin(np.pi * across)
        column = np.where((v < top)[:, None], roundness[None, :], 0.0)
        spine = np.tile(picture[:, u:u + width], 1)
        lit = column[..., None] > 0.0
        spine = np.where(lit, colour * column[..., None], spine)
        for band in rng.uniform(0.1, top - 0.06, rng.randint(1, 4)):
            rows = (v > band) & (v < band + 0.018)
            spine[rows] = rgb(196, 160, 84) * roundness[None, :, None]
        picture[:, u:u + width] = spine
        relief[:, u:u + width] = np.where((v < top)[:, None], 12.0 * np.sqrt(1.0 - (2.0 * across - 1.0) ** 2)[None, :], -12.0)
        u += width
    return with_relief(np.clip(picture * (1.0 + 0.05 * cloud(size, seed + 1, 0.6)[..., None]), 0.0, 1.0), relief)


def painting(size, seed, sky=(rgb(214, 178, 120), rgb(82, 108, 140)), land=rgb(58, 66, 40)):
    """A landscape: a sky, a sun and three rows of hills. Does not tile."""
    v, u = np.mgrid[0:size, 0:size] / size
    picture = sky[0] * (1.0 - v[..., None]) + sky[1] * v[..., None]
    picture += 0.05 * cloud(size, seed, 1.5, (1.0, 3.0))[..., None]
    sun = np.exp(-(((u - 0.68) ** 2 + (v - 0.62) ** 2) / 0.006))
    picture += sun[..., None] * rgb(120, 90, 40)
    ridge = cloud(size, seed + 5, 1.6)
    for layer, level in enumerate((0.52, 0.38, 0.22)):
        line = level + 0.045 * ridge[size // 4 * (layer + 1) - 1][None, :]
        ground = land * (1.45 - 0.45 * layer)
        picture = np.where((v < line)[..., None], shade(ground, 0.10 * cloud(size, seed + layer, 1.2)), picture)
    return np.clip(picture, 0.0, 1.0)


def stripes(size, first, second, count=4):
    """Diagonal hazard stripes."""
    v, u = np.mgrid[0:size, 0:size] / size
    return np.where((((u + v) * count) % 1.0 < 0.5)[..., None], first, second)


def grid(size, seed, colour, line, count=4, width=0.02, strength=0.03):
    """A measuring grid: `count` squares per repeat."""
    v, u = np.mgrid[0:size, 0:size] / size
    picture = shade(colour, strength * cloud(size, seed, 1.3))
    near = np.minimum(np.minimum((u * count) % 1.0, (-u * count) % 1.0),
                      np.minimum((v * count) % 1.0, (-v * count) % 1.0))
    picture[near < width] = line
    return with_relief(picture, np.where(near < width, -1.0, 0.0))


def window_pane(size, seed):
    """An evening sky behind glass; emissive, stretched over one face. Does not tile."""
    v, u = np.mgrid[0:size, 0:size] / size
    picture = rgb(226, 150, 92) * (1.0 - v[..., None]) + rgb(58, 84, 138) * v[..., None]
    picture += 0.04 * cloud(size, seed, 1.6, (1.0, 3.0))[..., None]
    trees = 0.16 + 0.05 * cloud(size, seed + 1, 1.3)[size // 2][None, :]
    return np.clip(np.where((v < trees)[..., None], rgb(30, 34, 36), picture), 0.0, 1.0)


def leaded_glass(size, seed, panes, lead=rgb(18, 16, 18), columns=4, rows=8):
    """Coloured glass in diamonds of lead, a border of small panes around it; emissive, stretched over one face. Does not tile."""
    rng = np.random.RandomState(seed)
    v, u = np.mgrid[0:size, 0:size] / size
    a, b = u * columns + v * rows, u * columns - v * rows
    kind = rng.randint(len(panes), size=(64, 64))
    picture = np.array(panes)[kind[np.floor(a).astype(int) % 64, np.floor(b).astype(int) % 64]]
    picture = picture * (1.0 + 0.10 * cloud(size, seed + 1, 1.2)[..., None])
    rim = np.minimum(np.minimum(u, 1.0 - u) * 1.0, np.minimum(v, 1.0 - v) * 3.0)
    border = rim < 0.14
    small = np.array(panes)[(np.floor(v * 15.0).astype(int) + (u > 0.5)) % len(panes)] * 0.8
    picture = np.where(border[..., None], small, picture)
    line = (np.abs(a % 1.0 - 0.5) > 0.46) | (np.abs(b % 1.0 - 0.5) > 0.46)
    line = np.where(border, np.abs((v * 15.0) % 1.0 - 0.5) > 0.45, line) | (np.abs(rim - 0.14) < 0.018) | (rim < 0.02)
    return np.clip(np.where(line[..., None], lead, picture), 0.0, 1.0)


def flame(size, seed):
    """A tongue of fire with its opacity as fourth channel: white at its foot, red at its tip. Stretched over one face."""
    v, u = np.mgrid[0:size, 0:size] / (size - 1.0)
    wave = 0.05 * cloud(size, seed, 1.8, (3.0, 1.0)) * v
    bend = 0.5 + 0.10 * np.sin(4.0 * v + seed) * v + wave
    half = 0.36 * np.sin(np.pi * np.clip(v, 0.0, 1.0) ** 0.55) ** 0.8 * (1.0 - 0.45 * v) + 1e-3
    across = np.abs(u - bend) / half
    body = np.clip(1.0 - across ** 2, 0.0, 1.0) * np.clip(v / 0.04, 0.0, 1.0) * np.clip((0.98 - v) / 0.10, 0.0, 1.0)
    heat = np.clip(body * (1.25 - 0.95 * v), 0.0, 1.0)[..., None]
    colour = np.clip(rgb(240, 104, 14) * (1.0 - heat) + rgb(255, 216, 104) * heat, 0.0, 1.0)
    return np.concatenate([colour, np.clip(1.6 * body, 0.0, 1.0)[..., None]], axis=2)


def clock_face(size):
    """A dial with twelve strokes and two hands at ten past ten. Stretched over one face."""
    v, u = np.mgrid[0:size, 0:size] / (size - 1.0) - 0.5
    radius, angle = np.sqrt(u * u + v * v), np.arctan2(u, v)
    picture = np.tile(rgb(232, 222, 196), (size, size, 1))
    picture[radius > 0.47] = rgb(150, 112, 56)
    picture[np.abs(radius - 0.45) < 0.008] = rgb(40, 32, 26)
    hour = np.abs((angle / (2.0 * np.pi) * 12.0 + 0.5) % 1.0 - 0.5) * radius
    picture[(radius > 0.34) & (radius < 0.43) & (hour < 0.022)] = rgb(30, 26, 24)
    for turn, length, width in ((305.0, 0.24, 0.016), (60.0, 0.36, 0.011)):
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        along, across = u * s + v * c, u * c - v * s
        picture[(along > -0.05) & (along < length) & (np.abs(across) < width * (1.15 - along / length))] = rgb(24, 20, 20)
    return picture
