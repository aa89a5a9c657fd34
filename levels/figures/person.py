"""Builds person.glb, the figure of the player: `blender -b --python person.py`.

A person of 1.8 m, soles at the origin, facing -z: closed pieces of a few hundred triangles around the bones of one
armature. Every action is a loop of key poses that this script computes. A standing foot moves backwards at a constant
speed, so that it rests on the ground while the body moves on: by `stride` metres in one loop of the action, which
`src/figure/clips.rs` contains too. The legs follow the feet by the law of cosines.

Unlike the level scripts this one uses Blender's axes: x to the right, y ahead, z up, metres.
"""

import math
import os

import bpy
from mathutils import Matrix, Quaternion, Vector

FRAMES = 24       # Key poses of a loop.
SIDES = {"L": -1.0, "R": 1.0}

scene = bpy.context.scene
for thing in list(bpy.data.objects):
    bpy.data.objects.remove(thing)


def rgb(r, g, b):
    """The linear colour of an sRGB colour, 0 to 255."""
    linear = [c / 255.0 / 12.92 if c <= 10 else ((c / 255.0 + 0.055) / 1.055) ** 2.4 for c in (r, g, b)]
    return (*linear, 1.0)


COLOURS = {
    "skin": rgb(222, 170, 136), "hair": rgb(74, 48, 34), "shirt": rgb(196, 92, 54), "vest": rgb(58, 96, 104),
    "trousers": rgb(62, 66, 82), "belt": rgb(44, 32, 26), "shoes": rgb(84, 58, 40), "sole": rgb(34, 30, 28),
    "eyes": rgb(30, 26, 26),
}

# --- bones ---------------------------------------------------------------------------------------

ANKLE, BALL = 0.085, 0.028
HIP = Vector((0.092, 0.0, 0.93))
# Name: parent, head, tail.
BONES = {
    "pelvis": (None, (0, 0, 0.95), (0, 0, 1.06)),
    "spine": ("pelvis", (0, 0, 1.06), (0, 0, 1.24)),
    "chest": ("spine", (0, 0, 1.24), (0, 0, 1.49)),
    "neck": ("chest", (0, 0, 1.49), (0, 0, 1.57)),
    "head": ("neck", (0, 0.005, 1.57), (0, 0.005, 1.80)),
}
for side, sign in SIDES.items():
    x = lambda v, sign=sign: sign * v
    BONES |= {
        f"thigh.{side}": ("pelvis", (x(HIP.x), 0, HIP.z), (x(0.095), 0.006, 0.50)),
        f"shin.{side}": (f"thigh.{side}", (x(0.095), 0.006, 0.50), (x(0.097), -0.01, ANKLE)),
        f"foot.{side}": (f"shin.{side}", (x(0.097), -0.01, ANKLE), (x(0.10), 0.125, BALL)),
        f"toe.{side}": (f"foot.{side}", (x(0.10), 0.125, BALL), (x(0.10), 0.20, BALL)),
        f"upper_arm.{side}": ("chest", (x(0.20), 0, 1.43), (x(0.245), -0.012, 1.15)),
        f"forearm.{side}": (f"upper_arm.{side}", (x(0.245), -0.012, 1.15), (x(0.262), 0.02, 0.90)),
        f"hand.{side}": (f"forearm.{side}", (x(0.262), 0.02, 0.90), (x(0.262), 0.035, 0.74)),
    }

armature = bpy.data.objects.new("armature", bpy.data.armatures.new("armature"))
scene.collection.objects.link(armature)
bpy.context.view_layer.objects.active = armature
bpy.ops.object.mode_set(mode="EDIT")
for name, (parent, head, tail) in BONES.items():
    bone = armature.data.edit_bones.new(name)
    bone.head, bone.tail = Vector(head), Vector(tail)
    bone.parent = armature.data.edit_bones[parent] if parent else None
bpy.ops.object.mode_set(mode="OBJECT")

# --- the body ------------------------------------------------------------------------------------

points, faces, weights = [], [], []


def ring(centre, rx, ry, normal=(0, 0, 1), sides=10, square=0.0, turn=0.0):
    """Points of an ellipse around `centre`, `rx` across and `ry` deep; `square` 0..1 makes it a rounded box."""
    normal = Vector(normal).normalized()
    across = Vector((1, 0, 0)) - normal * normal.x
    across.normalize()
    deep = normal.cross(across)
    out = []
    for k in range(sides):
        angle = 2.0 * math.pi * (k + 0.5) / sides + turn
        c, s = math.cos(angle), math.sin(angle)
        grow = 1.0 + square * (1.0 / max(abs(c), abs(s)) - 1.0)
        out.append(Vector(centre) + across * (rx * c * grow) + deep * (ry * s * grow))
    return out


def loft(rings):
    """A closed surface through rings of (points, colour of the band above, {bone: weight})."""
    base = []
    for ring_points, _, bones in rings:
        base.append(len(points))
        points.extend(ring_points)
        weights.extend([bones] * len(ring_points))
    count = len(rings[0][0])
    for (low, high), (_, colour, _) in zip(zip(base, base[1:]), rings):
        for k in range(count):
            j = (k + 1) % count
            faces.append(([low + k, low + j, high + j, high + k], colour))
    for first, colour, reverse in ((base[0], rings[0][1], True), (base[-1], rings[-1][1], False)):
        cap = [first + k for k in range(count)]
        faces.append((cap[::-1] if reverse else cap, colour))


def mix(a, b, share):
    return {a: 1.0 - share, b: share}


def torso():
    rows = [
        # Height, half width, half depth, forward, colour, weights.
        (0.835, 0.050, 0.055, -0.005, "trousers", {"pelvis": 1}),
        (0.86, 0.115, 0.088, -0.008, "trousers", {"pelvis": 1}),
        (0.92, 0.163, 0.112, -0.012, "trousers", {"pelvis": 1}),
        (0.98, 0.168, 0.113, -0.010, "trousers", {"pelvis": 1}),
        (1.035, 0.155, 0.103, -0.004, "belt", mix("pelvis", "spine", 0.15)),
        (1.07, 0.151, 0.101, -0.002, "vest", mix("pelvis", "spine", 0.5)),
        (1.13, 0.149, 0.100, 0.0, "vest", {"spine": 1}),
        (1.21, 0.160, 0.108, 0.002, "vest", mix("spine", "chest", 0.35)),
        (1.30, 0.178, 0.119, 0.002, "vest", {"chest": 1}),
        (1.38, 0.190, 0.118, -0.002, "vest", {"chest": 1}),
        (1.44, 0.176, 0.102, -0.008, "vest", {"chest": 1}),
        (1.48, 0.118, 0.082, -0.008, "shirt", {"chest": 1}),
        (1.505, 0.072, 0.066, -0.004, "shirt", mix("chest", "neck", 0.3)),
        (1.53, 0.060, 0.060, 0.0, "shirt", mix("chest", "neck", 0.6)),
    ]
    loft([(ring((0, y, z), rx, ry, sides=14, square=0.18), colour, bones) for z, rx, ry, y, colour, bones in rows])


def head():
    loft([(ring((0, y, z), r, r, sides=10), "skin", bones) for z, r, y, bones in [
        (1.49, 0.050, 0.0, mix("chest", "neck", 0.6)), (1.54, 0.050, 0.004, {"neck": 1}),
        (1.60, 0.048, 0.010, mix("neck", "head", 0.8))]])
    bones = {"head": 1}
    rows = [(1.553, 0.026, 0.030, 0.052), (1.566, 0.046, 0.054, 0.036), (1.592, 0.059, 0.078, 0.020), (1.632, 0.068, 0.091, 0.010),
            (1.676, 0.072, 0.097, 0.004), (1.718, 0.071, 0.096, 0.0), (1.755, 0.062, 0.084, -0.003),
            (1.780, 0.042, 0.058, -0.005), (1.79, 0.018, 0.025, -0.006)]
    loft([(ring((0, y, z), rx, ry, sides=14, square=0.12), "skin", bones) for z, rx, ry, y in rows])
    # Hair: a cap around the skull, which is hidden inside the skull at the face.
    cap = []
    for z, rx, ry, y in [(1.60, 0.056, 0.072, 0.012), (1.632, 0.068, 0.091, 0.010), (1.676, 0.072, 0.097, 0.004), (1.718, 0.071, 0.096, 0.0), (1.748, 0.066, 0.089, -0.003),
                         (1.775, 0.049, 0.067, -0.005), (1.789, 0.020, 0.028, -0.006)]:
        out = []
        for p in ring((0, y, z), rx, ry, sides=14, square=0.12):
            ahead = (p.y - y) / ry
            # Points further ahead than this belong to the face; the limit rises with the height.
            brow = -0.10 + 0.55 * max(0.0, (z - 1.60) / 0.118) if z < 1.74 else 2.0
            grow = 0.013 if ahead < brow else -0.012
            flat = Vector((p.x, p.y - y, 0.0)).normalized()
            out.append(p + flat * grow + Vector((0, 0, 0.014 if z > 1.74 else 0.0)))
        cap.append((out, "hair", bones))
    loft(cap)
    nose = [(1.622, 0.013, 0.012, 0.101), (1.638, 0.012, 0.013, 0.103), (1.672, 0.006, 0.008, 0.099)]
    loft([(ring((0, y, z), rx, ry, sides=6), "skin", bones) for z, rx, ry, y in nose])
    for x in (-0.031, 0.031):
        loft([(ring((x, 0.0905 + 0.002 * k, 1.672), 0.0085 - 0.003 * k, 0.0065 - 0.002 * k, normal=(0, 1, 0), sides=6), "eyes", bones)
              for k in range(2)])
        loft([(ring((x, 0.0885 + 0.003 * k, 1.694), 0.015 - 0.002 * k, 0.0045 - 0.001 * k, normal=(0, 1, 0), sides=6), "hair", bones)
              for k in range(2)])
    for x in (-0.076, 0.076):
        loft([(ring((x + k * math.copysign(0.008, x), -0.004 - 0.006 * k, 1.652), 0.022, 0.012, normal=(math.copysign(1, x), 0, 0), sides=6),
               "skin", bones) for k in (-1, 1)])


def along(a, b, share):
    return Vector(a).lerp(Vector(b), share)


def leg(side):
    thigh, shin, foot, toe = (f"{part}.{side}" for part in ("thigh", "shin", "foot", "toe"))
    hip, knee, ankle = (Vector(BONES[part][1]) for part in (thigh, shin, foot))
    top = hip + Vector((0, -0.004, 0.03))
    rows = [
        (top, 0.078, 0.090, "trousers", mix("pelvis", thigh, 0.55)),
        (along(hip, knee, 0.12), 0.086, 0.096, "trousers", {thigh: 1}),
        (along(hip, knee, 0.45), 0.077, 0.083, "trousers", {thigh: 1}),
        (along(hip, knee, 0.82), 0.062, 0.066, "trousers", {thigh: 1}),
        (along(hip, knee, 0.94), 0.058, 0.063, "trousers", mix(thigh, shin, 0.25)),
        (knee + Vector((0, 0, -0.02)), 0.056, 0.061, "trousers", mix(thigh, shin, 0.65)),
        (along(knee, ankle, 0.16), 0.057, 0.061, "trousers", {shin: 1}),
        (along(knee, ankle, 0.36) + Vector((0, -0.008, 0)), 0.059, 0.064, "trousers", {shin: 1}),
        (along(knee, ankle, 0.72), 0.050, 0.054, "trousers", {shin: 1}),
        (along(knee, ankle, 0.93), 0.050, 0.056, "trousers", {shin: 1}),
    ]
    loft([(ring(p, rx, ry, normal=(0, 0, -1), sides=10)[::1], colour, bones) for p, rx, ry, colour, bones in rows])
    x = ankle.x
    out = math.copysign(0.006, x)
    # A boot: its shaft, and from heel to toe a shoe on a sole.
    loft([(ring((x, -0.012, z), r, r * 1.12, normal=(0, 0, -1), sides=10), "shoes", bones) for z, r, bones in [
        (0.165, 0.043, {shin: 1}), (0.12, 0.042, mix(shin, foot, 0.4)), (0.075, 0.045, {foot: 1}), (0.03, 0.046, {foot: 1})]])
    for colour, rows in (("shoes", [(-0.085, 0.030, 0.030, 0.048), (-0.070, 0.040, 0.040, 0.052), (-0.02, 0.042, 0.047, 0.062), (0.04, 0.041, 0.042, 0.055),
                                    (0.09, 0.045, 0.030, 0.042), (0.125, 0.049, 0.027, 0.038), (0.165, 0.045, 0.024, 0.034), (0.19, 0.028, 0.016, 0.027)]),
                         ("sole", [(-0.090, 0.034, 0.010, 0.010), (-0.05, 0.041, 0.010, 0.010), (0.03, 0.038, 0.010, 0.010), (0.09, 0.048, 0.010, 0.010),
                                   (0.125, 0.052, 0.010, 0.010), (0.17, 0.046, 0.010, 0.010), (0.198, 0.026, 0.009, 0.010)])):
        loft([(ring((x + out * (y > 0.05), y, z), rx, rz, normal=(0, 1, 0), sides=8, square=0.45), colour,
               {toe: 1} if y > 0.13 else (mix(foot, toe, 0.5) if y > 0.1 else {foot: 1})) for y, rx, rz, z in rows])


def arm(side):
    upper, fore, hand = (f"{part}.{side}" for part in ("upper_arm", "forearm", "hand"))
    shoulder, elbow, wrist = (Vector(BONES[part][1]) for part in (upper, fore, hand))
    sign = SIDES[side]
    down = (elbow - shoulder).normalized()
    rows = [
        (shoulder + Vector((-sign * 0.052, 0, 0.046)), 0.022, 0.030, "shirt", mix("chest", upper, 0.2)),
        (shoulder + Vector((-sign * 0.034, 0, 0.038)), 0.042, 0.050, "shirt", mix("chest", upper, 0.4)),
        (shoulder + Vector((-sign * 0.010, 0, 0.014)), 0.056, 0.060, "shirt", mix("chest", upper, 0.7)),
        (along(shoulder, elbow, 0.16), 0.055, 0.058, "shirt", {upper: 1}),
        (along(shoulder, elbow, 0.50), 0.047, 0.050, "shirt", {upper: 1}),
        (along(shoulder, elbow, 0.90), 0.041, 0.044, "shirt", mix(upper, fore, 0.25)),
        (along(elbow, wrist, 0.06), 0.040, 0.043, "shirt", mix(upper, fore, 0.75)),
        (along(elbow, wrist, 0.30), 0.041, 0.043, "shirt", {fore: 1}),
        (along(elbow, wrist, 0.52), 0.039, 0.040, "shirt", {fore: 1}),
        (along(elbow, wrist, 0.56), 0.034, 0.035, "skin", {fore: 1}),
        (along(elbow, wrist, 0.90), 0.025, 0.029, "skin", {fore: 1}),
        (wrist + Vector((0, 0.002, -0.01)), 0.022, 0.031, "skin", mix(fore, hand, 0.6)),
        (wrist + Vector((0, 0.006, -0.05)), 0.021, 0.041, "skin", {hand: 1}),
        (wrist + Vector((-sign * 0.002, 0.010, -0.10)), 0.019, 0.040, "skin", {hand: 1}),
        (wrist + Vector((-sign * 0.010, 0.014, -0.145)), 0.016, 0.031, "skin", {hand: 1}),
        (wrist + Vector((-sign * 0.018, 0.016, -0.168)), 0.010, 0.018, "skin", {hand: 1}),
    ]
    loft([(ring(p, rx, ry, normal=(0, 0, -1), sides=10), colour, bones) for p, rx, ry, colour, bones in rows])
    # The thumb.
    loft([(ring(wrist + Vector((-sign * t * 0.012, 0.034 + t * 0.022, -0.025 - t * 0.065)), r, r, normal=(0, 0.3, -1), sides=6), "skin", {hand: 1})
          for t, r in [(0.0, 0.013), (0.5, 0.013), (1.0, 0.008)]])


torso()
head()
for side in SIDES:
    leg(side)
    arm(side)

mesh = bpy.data.meshes.new("person")
mesh.from_pydata([tuple(p) for p in points], [], [indices for indices, _ in faces])
slots = list(COLOURS)
for name, colour in COLOURS.items():
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = colour
    shader.inputs["Roughness"].default_value = 0.8
    mesh.materials.append(material)
mesh.polygons.foreach_set("material_index", [slots.index(colour) for _, colour in faces])
mesh.polygons.foreach_set("use_smooth", [True] * len(faces))
mesh.use_auto_smooth = True
mesh.auto_smooth_angle = math.radians(60.0)
mesh.update()

person = bpy.data.objects.new("person", mesh)
scene.collection.objects.link(person)
groups = {name: person.vertex_groups.new(name=name) for name in BONES}
for index, bones in enumerate(weights):
    for name, weight in bones.items():
        groups[name].add([index], weight, "REPLACE")
person.parent = armature
person.modifiers.new("armature", "ARMATURE").object = armature
bpy.context.view_layer.objects.active = person
bpy.ops.object.mode_set(mode="EDIT")
bpy.ops.mesh.select_all(action="SELECT")
bpy.ops.mesh.normals_make_consistent(inside=False)
bpy.ops.object.mode_set(mode="OBJECT")

# --- poses ---------------------------------------------------------------------------------------

RADIANS = math.pi / 180.0
THIGH = (Vector(BONES["shin.L"][1]) - Vector(BONES["thigh.L"][1])).length
SHIN = (Vector(BONES["foot.L"][1]) - Vector(BONES["shin.L"][1])).length


def turned(pitch=0.0, yaw=0.0, roll=0.0):
    """A rotation, degrees: pitch bends forward, yaw turns to the left, roll leans to the right."""
    return (Quaternion((0, 0, 1), yaw * RADIANS) @ Quaternion((1, 0, 0), -pitch * RADIANS) @ Quaternion((0, 1, 0), roll * RADIANS))


class Pose:
    """A pose of the bones: the rotation of each from its rest pose, in the figure's axes, and the pelvis's translation."""

    def __init__(self, drop, ahead=0.0, pelvis=None):
        self.move = Vector((0.0, ahead, -drop))
        self.turn = {name: Quaternion() for name in BONES}
        self.turn["pelvis"] = pelvis or Quaternion()

    def bend(self, name, by):
        """Rotates a bone and its children in the parent's axes."""
        parent = BONES[name][0]
        self.turn[name] = self.turn[parent] @ by

    def upright(self, spine, chest, neck, head):
        for name, by in (("spine", spine), ("chest", chest), ("neck", neck), ("head", head)):
            self.bend(name, by)

    def arm(self, side, swing, out, elbow, inwards=0.0):
        """Bends an arm: `swing` forward, `out` from the body, and the elbow, degrees."""
        sign = SIDES[side]
        self.bend(f"upper_arm.{side}", turned(pitch=-swing) @ Quaternion((0, 1, 0), -sign * out * RADIANS))
        self.bend(f"forearm.{side}", Quaternion((0, 0, 1), sign * inwards * RADIANS) @ turned(pitch=-elbow))
        self.bend(f"hand.{side}", turned(pitch=-8.0))

    def place(self, name):
        """The position of a bone's head."""
        parent, rest, _ = BONES[name]
        if parent is None:
            return Vector(rest) + self.move
        return self.place(parent) + self.turn[parent] @ (Vector(rest) - Vector(BONES[parent][1]))

    def leg(self, side, ball, pitch, toe=None, out=0.0):
        """Puts the ball of a foot at `ball`, the foot pitched (heel up is positive), and bends the leg to reach it.

        Returns the length by which the leg is too short.
        """
        foot_turn = Quaternion((0, 0, 1), -SIDES[side] * out * RADIANS) @ turned(pitch=pitch)
        rest_ankle, rest_ball = Vector(BONES[f"foot.{side}"][1]), Vector(BONES[f"toe.{side}"][1])
        ankle = Vector(ball) + foot_turn @ (rest_ankle - rest_ball)
        hip = self.place(f"thigh.{side}")
        reach = ankle - hip
        length = min(reach.length, 0.9995 * (THIGH + SHIN))
        # The knee bends forward, slightly outwards.
        ahead = Vector((SIDES[side] * math.sin(out * RADIANS), math.cos(out * RADIANS), 0.0))
        along = reach.normalized()
        ahead = (ahead - along * ahead.dot(along)).normalized()
        cosine = (THIGH ** 2 + length ** 2 - SHIN ** 2) / (2.0 * THIGH * length)
        knee = hip + along * (THIGH * cosine) + ahead * (THIGH * math.sqrt(max(0.0, 1.0 - cosine ** 2)))
        ankle_there = hip + along * length
        side_axis = along.cross(ahead)

        def aim(name, start, end):
            rest = Vector(BONES[name][2]) - Vector(BONES[name][1])
            frame = lambda y, x: Matrix((x, y, x.cross(y))).transposed()
            rest_x = Vector((1, 0, 0)) - rest.normalized() * rest.normalized().x
            y = (end - start).normalized()
            x = (-side_axis if side_axis.x < 0 else side_axis)
            x = (x - y * x.dot(y)).normalized()
            self.turn[name] = (frame(y, x) @ frame(rest.normalized(), rest_x.normalized()).inverted()).to_quaternion()

        aim(f"thigh.{side}", hip, knee)
        aim(f"shin.{side}", knee, ankle_there)
        self.turn[f"foot.{side}"] = foot_turn
        self.turn[f"toe.{side}"] = Quaternion((0, 0, 1), -SIDES[side] * out * RADIANS) @ turned(pitch=toe if toe is not None else pitch)
        return reach.length - length


def smooth(t):
    t = min(1.0, max(0.0, t))
    return t * t * (3.0 - 2.0 * t)


def wave(phase, degrees=0.0):
    return math.cos(2.0 * math.pi * phase - degrees * RADIANS)


class Gait:
    """A walking style: `stride` metres per loop, each foot on the ground for the fraction `duty` of the loop."""

    def __init__(self, **values):
        self.__dict__ |= values

    def foot(self, phase):
        """For a foot that touches down at phase 0: the distance of its ball ahead, its height, its pitch and the toes'
        pitch."""
        length = self.stride * self.duty
        begin = self.front
        if phase <= self.duty:
            t = phase / self.duty
            strike = self.strike * (1.0 - smooth(t / 0.22))
            rise = self.push * smooth((t - 0.5) / 0.5) if self.push else 0.0
            # While the foot rolls down from its heel its ball is above the ground.
            height = BALL + 0.20 * math.sin(strike * RADIANS)
            return begin - length * t, height, rise - strike, -strike
        t = (phase - self.duty) / (1.0 - self.duty)
        # From lift-off to touch-down, at both ends as fast as the ground (cubic Hermite).
        speed = -self.stride * (1.0 - self.duty)
        y0, y1 = begin - length, begin
        h = (2 * t**3 - 3 * t**2 + 1) * y0 + (t**3 - 2 * t**2 + t) * speed + (3 * t**2 - 2 * t**3) * y1 + (t**3 - t**2) * speed
        h = h * (1 - self.direct) + (y0 + (y1 - y0) * smooth(t)) * self.direct
        lift = self.lift * math.sin(math.pi * t ** self.early) ** 1.5
        down = 0.20 * math.sin(self.strike * RADIANS) * smooth((t - 0.75) / 0.25)
        pitch = self.push + (self.kick - self.push) * smooth(t / 0.35)
        pitch += (-self.strike - self.kick) * smooth((t - 0.30) / 0.70)
        return h, BALL + lift + down, pitch, self.toe_in_air(pitch, t)

    def toe_in_air(self, pitch, t):
        return pitch * smooth(t / 0.2)

    def pose(self, phase):
        bob = self.bob * wave(2.0 * phase, self.bob_at)
        sway = self.sway * wave(phase, 360.0 * self.duty * 0.5)
        twist = self.twist * wave(phase)
        pose = Pose(self.drop - bob, self.ahead, turned(pitch=self.tilt, yaw=-twist * 0.6, roll=0.0))
        pose.move.x = -sway
        pose.upright(turned(pitch=self.lean * 0.5, yaw=twist * 0.6), turned(pitch=self.lean * 0.5, yaw=twist),
                     turned(pitch=-self.lean * 0.35 + self.neck, yaw=-twist * 0.6),
                     turned(pitch=-self.lean * 0.5 - self.tilt * 0.7 + self.neck, yaw=-twist * 0.4))
        missing = 0.0
        for side, sign in SIDES.items():
            at = (phase + (0.0 if side == "L" else 0.5)) % 1.0
            ahead, height, pitch, toe = self.foot(at)
            ball = Vector((sign * self.width, ahead, height))
            missing = max(missing, pose.leg(side, ball, pitch, toe, self.out))
            # Arms swing opposite to the legs.
            swing = -self.arm_swing * wave(at, self.arm_at) + self.arm_ahead
            pose.arm(side, swing, self.arm_out, self.elbow + self.elbow_swing * -wave(at, self.arm_at), self.inwards)
        return pose, missing


GAITS = {
    "walk": Gait(stride=1.36, duty=0.60, front=0.46, strike=18.0, push=42.0, kick=30.0, lift=0.055, early=0.8, direct=0.25,
                 drop=0.040, ahead=0.0, bob=0.014, bob_at=215.0, sway=0.018, twist=5.0, tilt=2.0, lean=3.0, neck=0.0, width=0.085, out=5.0,
                 arm_swing=24.0, arm_at=10.0, arm_ahead=2.0, arm_out=3.0, elbow=18.0, elbow_swing=10.0, inwards=8.0),
    "jog": Gait(stride=2.60, duty=0.30, front=0.38, strike=8.0, push=48.0, kick=62.0, lift=0.22, early=0.72, direct=0.35,
                drop=0.075, ahead=0.0, bob=0.030, bob_at=230.0, sway=0.012, twist=9.0, tilt=5.0, lean=8.0, neck=0.0, width=0.075, out=4.0,
                arm_swing=32.0, arm_at=10.0, arm_ahead=-4.0, arm_out=9.0, elbow=82.0, elbow_swing=14.0, inwards=22.0),
    "run": Gait(stride=3.80, duty=0.225, front=0.38, strike=2.0, push=56.0, kick=85.0, lift=0.36, early=0.70, direct=0.45,
                drop=0.085, ahead=0.0, bob=0.034, bob_at=235.0, sway=0.010, twist=13.0, tilt=9.0, lean=14.0, neck=0.0, width=0.060, out=3.0,
                arm_swing=48.0, arm_at=10.0, arm_ahead=-2.0, arm_out=9.0, elbow=92.0, elbow_swing=18.0, inwards=18.0),
    "crouch_walk": Gait(stride=1.40, duty=0.50, front=0.42, strike=6.0, push=34.0, kick=30.0, lift=0.07, early=0.85, direct=0.3,
                        drop=0.47, ahead=-0.10, bob=0.012, bob_at=215.0, sway=0.02, twist=6.0, tilt=30.0, lean=34.0, neck=-12.0, width=0.11, out=14.0,
                        arm_swing=16.0, arm_at=10.0, arm_ahead=24.0, arm_out=10.0, elbow=58.0, elbow_swing=8.0, inwards=16.0),
}


def idle(phase):
    breath = wave(phase)
    pose = Pose(0.006 + 0.002 * breath, 0.02, turned(yaw=3.0))
    pose.move.x = 0.012 + 0.004 * wave(phase, 90.0)
    pose.upright(turned(pitch=1.0 - 0.4 * breath, yaw=-1.5), turned(pitch=1.0 - 1.0 * breath, yaw=-1.0), turned(pitch=0.5), turned(pitch=-2.0 + 1.2 * breath, yaw=-0.5))
    pose.leg("L", (-0.115, 0.125, BALL), 0.0, out=9.0)
    pose.leg("R", (0.112, 0.115, BALL), 0.0, out=13.0)
    for side in SIDES:
        pose.arm(side, 1.0 + 0.8 * breath, 3.0 - 0.6 * breath, 14.0, 8.0)
    return pose


def crouch(phase):
    breath = wave(phase)
    pose = Pose(0.50 + 0.003 * breath, -0.13, turned(pitch=30.0))
    pose.upright(turned(pitch=18.0), turned(pitch=16.0 - 0.8 * breath), turned(pitch=-22.0), turned(pitch=-34.0))
    pose.leg("L", (-0.15, 0.20, BALL), 0.0, out=20.0)
    pose.leg("R", (0.14, 0.02, BALL), 28.0, toe=0.0, out=16.0)
    for side in SIDES:
        pose.arm(side, 36.0 + 1.0 * breath, 12.0, 52.0, 18.0)
    return pose


def jump(phase):
    pose = Pose(0.0, 0.0, turned(pitch=4.0))
    pose.upright(turned(pitch=3.0), turned(pitch=2.0, yaw=4.0 * wave(phase) * 0.1), turned(), turned(pitch=-4.0))
    pose.leg("L", (-0.095, 0.30, 0.30), 20.0, out=4.0)
    pose.leg("R", (0.09, -0.08, 0.045), 58.0, out=4.0)
    pose.arm("L", 18.0 + 2.0 * wave(phase), 18.0, 60.0, 12.0)
    pose.arm("R", 62.0 + 2.0 * wave(phase), 14.0, 66.0, 12.0)
    return pose


def fall(phase):
    pose = Pose(-0.01, -0.02, turned(pitch=6.0))
    pose.upright(turned(pitch=5.0), turned(pitch=5.0), turned(pitch=2.0), turned(pitch=4.0))
    pose.leg("L", (-0.13, 0.26, 0.17), 18.0, out=8.0)
    pose.leg("R", (0.13, 0.06, 0.13), 38.0, out=8.0)
    for side, sign in SIDES.items():
        pose.arm(side, 22.0 + 5.0 * wave(phase, 90.0 * sign), 48.0 + 4.0 * wave(phase), 34.0, 6.0)
    return pose


ACTIONS = {name: (lambda phase, gait=gait: gait.pose(phase)) for name, gait in GAITS.items()}
ACTIONS |= {function.__name__: (lambda phase, function=function: (function(phase), 0.0)) for function in (idle, crouch, jump, fall)}
LENGTHS = {"idle": 72, "crouch": 72}

scene.render.fps = 24
armature.animation_data_create()
for bone in armature.pose.bones:
    bone.rotation_mode = "QUATERNION"


def write(name, make):
    action = bpy.data.actions.new(name)
    armature.animation_data.action = action
    frames = LENGTHS.get(name, FRAMES)
    step = 6 if frames > FRAMES else 1
    short, last = 0.0, {}
    for frame in range(0, frames + 1, step):
        pose, missing = make((frame / frames) % 1.0)
        short = max(short, missing)
        for bone in armature.pose.bones:
            parent = BONES[bone.name][0]
            rest = bone.bone.matrix_local.to_quaternion()
            local = (pose.turn[parent].inverted() if parent else Quaternion()) @ pose.turn[bone.name]
            basis = rest.inverted() @ local @ rest
            if bone.name in last and basis.dot(last[bone.name]) < 0.0:
                basis.negate()
            last[bone.name] = basis.copy()
            bone.rotation_quaternion = basis
            bone.keyframe_insert("rotation_quaternion", frame=frame)
            if parent is None:
                bone.location = rest.inverted() @ pose.move
                bone.keyframe_insert("location", frame=frame)
    for curve in action.fcurves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR" if step == 1 else "BEZIER"
    track = armature.animation_data.nla_tracks.new()
    track.name = name
    track.strips.new(name, 0, action)
    armature.animation_data.action = None
    print(f"{name}: legs are too short by up to {1000 * short:.0f} mm")


for name, make in ACTIONS.items():
    write(name, make)

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "person.glb")
bpy.ops.export_scene.gltf(
    filepath=path, export_format="GLB", export_yup=True, export_apply=False, export_cameras=False,
    export_lights=False, export_texcoords=False, export_animations=True, export_nla_strips=True, export_force_sampling=True,
    export_frame_range=False, export_skins=True, export_all_influences=False, export_optimize_animation_size=True)
triangles = sum(len(indices) - 2 for indices, _ in faces)
print(f"person.glb: {triangles} triangles, {os.path.getsize(path)} bytes")
