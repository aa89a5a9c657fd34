//! The kinds of problems. Their texts do not change, because scripts use them.

use std::fmt;

/// Declares [`ProblemCode`], and lists each of its values once, with its text and its description.
macro_rules! problem_codes {
    ($($name:ident = $text:literal: $about:literal,)+) => {
        /// The kind of a problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ProblemCode {
            $(#[doc = concat!("`", $text, "`: ", $about)] $name,)+
        }

        impl ProblemCode {
            /// All codes, in the order in which `opendoor check --codes` lists them.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The text of the code, which is the same in all versions.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }

            /// A description of the problem, as one sentence without a capital letter.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$name => $about,)+
                }
            }
        }
    };
}

problem_codes! {
    File = "file": "the file cannot be read; only regular files are.",
    Container = "container": "the file is no glTF 2.0 container.",
    Json = "json": "the text is no glTF 2.0.",
    Version = "version": "another version of glTF.",
    ExtensionRequired = "extension-required": "the file requires an extension that is not supported.",
    ExtensionIgnored = "extension-ignored": "an extension, or a part of one, is not supported and is ignored.",
    BufferUri = "buffer-uri": "a buffer is outside of the level's folder.",
    BufferMissing = "buffer-missing": "a buffer is absent.",
    BufferShort = "buffer-short": "a buffer has fewer bytes than it should have.",
    Mesh = "mesh": "a broken mesh or accessor.",
    MeshOdd = "mesh-odd": "something in a mesh was left out.",
    MeshSkipped = "mesh-skipped": "a primitive was left out.",
    Scene = "scene": "the scene does not exist.",
    ChildIndex = "child-index": "a node's child does not exist.",
    NodeTwice = "node-twice": "a node in two places of the tree.",
    NameTooLong = "name-too-long": "the name of a node has more than 1000 bytes.",
    NameAlmost = "name-almost": "a node's name almost follows the naming convention.",
    TransformInvalid = "transform-invalid": "a node's transform is no affine transform.",
    TransformOverflow = "transform-overflow": "transforms of nodes multiply to infinity.",
    FlatScale = "flat-scale": "a node's transform takes all volume away.",
    TooFar = "too-far": "geometry is too far from the origin.",
    TooLarge = "too-large": "the file asks for too much memory.",
    Scale = "scale": "the size of the level, or of one of its rooms, is far from human size.",
    UpAxis = "up-axis": "the level was exported with z upwards, and lies on its side.",
    LevelTooLarge = "level-too-large": "the level is too large for f32.",
    MeshOutOfBounds = "mesh-out-of-bounds": "a mesh is too far from the origin.",
    Image = "image": "a picture cannot be used.",
    ImageLarge = "image-large": "a picture has more than 4096 pixels a side.",
    Texture = "texture": "a texture cannot be used as it is.",
    TextureTransform = "texture-transform": "a texture's transform is not the material's.",
    MaterialRange = "material-range": "an out-of-range value of a material was clamped.",
    MaterialOpaque = "material-opaque": "a material with an alpha below 1 does not blend, and is drawn as opaque.",
    MaterialBlend = "material-blend": "a material blends and is that of walls, or has an alpha of 0.",
    MaterialProperty = "material-property": "a custom property of a material is written on an object.",
    SceneProperty = "scene-property": "a custom property of the scene is not used.",
    RoomOpen = "room-open": "the custom property `open` of a room is not used.",
    NoCustomProperties = "no-custom-properties": "no node has custom properties, although switches, triggers or movers need them: they were not exported.",
    Light = "light": "a light is likely a mistake; a reference to a light that the file does not contain is an error.",
    NoLight = "no-light": "the level has neither lights nor emissive surfaces.",
    SkinIgnored = "skin-ignored": "a skin or morph targets are not used.",
    NoRooms = "no-rooms": "the level has no room.",
    RoomNameTwice = "room-name-twice": "two rooms have one name.",
    RoomWithoutName = "room-without-name": "a room has no name.",
    RoomEmpty = "room-empty": "a room has no meshes.",
    RoomHole = "room-hole": "a room is not closed.",
    RoomCrack = "room-crack": "corners of a room nearly meet.",
    RoomInsideOut = "room-inside-out": "the faces of a room point outwards.",
    RoomsOverlap = "rooms-overlap": "two rooms fill the same space.",
    RoomUnreachable = "room-unreachable": "no portal leads to a room.",
    WallNotCut = "wall-not-cut": "an opening ends at the wall of the next room.",
    MeshOutsideRoom = "mesh-outside-room": "a mesh belongs to no room.",
    BoundIgnored = "bound-ignored": "a mesh of bounds belongs to no room.",
    BoundTooSmall = "bound-too-small": "a room extends beyond its bounds.",
    MeshInOtherRoom = "mesh-in-other-room": "a mesh is in another room than its parent's, or in none.",
    MeshInsideOut = "mesh-inside-out": "the faces of furniture, or of a sheet such as a picture on a wall, point the wrong way.",
    MeshHole = "mesh-hole": "closed furniture lacks a face, or a part of one.",
    FacesTurned = "faces-turned": "single faces of a room point the wrong way.",
    PortalOutsideRoom = "portal-outside-room": "a portal belongs to no room.",
    PortalWithoutMesh = "portal-without-mesh": "a portal has no mesh.",
    PortalMesh = "portal-mesh": "a portal's mesh cannot be read.",
    PortalPolygon = "portal-polygon": "a portal is no convex polygon.",
    PortalTwoWay = "portal-two-way": "the custom property `two_way` of a portal is not used.",
    PortalLeadsTo = "portal-leads-to": "the portal that a portal names in `leads_to` does not exist or does not fit.",
    PortalTransform = "portal-transform": "a portal's transform is no rotation and translation.",
    PortalUnknownRoom = "portal-unknown-room": "a portal leads to a room that does not exist.",
    PortalIntoItself = "portal-into-itself": "a portal leads into its own room.",
    PortalLeadsNowhere = "portal-leads-nowhere": "no room lies behind a portal.",
    PortalAmbiguous = "portal-ambiguous": "several rooms lie behind a portal.",
    PortalFar = "portal-far": "the room behind a portal does not reach it.",
    PortalBackwards = "portal-backwards": "a portal faces into its own room.",
    PortalGap = "portal-gap": "a portal is smaller than its opening, or beside it.",
    PortalTooLarge = "portal-too-large": "a portal is larger than its opening.",
    PortalWallNotCut = "portal-wall-not-cut": "a portal is in front of a wall without an opening.",
    PortalTwice = "portal-twice": "two portals lie on one another.",
    PortalMissing = "portal-missing": "an opening between two rooms has no portal.",
    PortalOfMovedRoom = "portal-of-moved-room": "a portal of a room that moves is not its child.",
    MovedRoomOutside = "moved-room-outside": "a room that moves is outside of the room around it on its track.",
    RoomTilts = "room-tilts": "a room that moves does not stay upright on its track.",
    NoSpawn = "no-spawn": "the level has no spawn.",
    SpawnOutside = "spawn-outside": "a spawn is in no room.",
    SpawnWithoutFloor = "spawn-without-floor": "a spawn has no ground below it.",
    SpawnBlocked = "spawn-blocked": "a spawn does not have enough room for a player.",
    FloorMissing = "floor-missing": "a player can walk out of the level over an edge.",
    NoWayBack = "no-way-back": "a player cannot get out of a place.",
    StepTooHigh = "step-too-high": "a doorway, or a step of a staircase, is higher than a player can climb.",
    SlopeTooSteep = "slope-too-steep": "a slope before a doorway is too steep to walk up.",
    DoorwayTooSmall = "doorway-too-small": "a doorway is lower or narrower than a player.",
    DoorwayBlocked = "doorway-blocked": "a solid object is in a doorway; reported at the node that fills all of it, if there is one.",
    HeadroomTooLow = "headroom-too-low": "an obstacle such as a beam is too low for an upright player, and there is no way around it.",
    DoorOutsideRoom = "door-outside-room": "a door panel belongs to no room.",
    DoorWithoutPortal = "door-without-portal": "a door panel stands in no portal.",
    DoorTwice = "door-twice": "a portal has two door panels.",
    DoorTooLarge = "door-too-large": "a door panel reaches into more than 64 rooms, or is far larger than its opening.",
    DoorWithGap = "door-with-gap": "a shut door panel leaves a gap in its opening.",
    PaneWithGap = "pane-with-gap": "a pane reaches no side of its window.",
    DoorHinge = "door-hinge": "a door turns about a hinge that is more than 0.5 m beside its panel.",
    DoorWithHole = "door-with-hole": "the sky is visible through a hole in a door panel, since a shut panel hides the room behind it.",
    MoverOutsideRoom = "mover-outside-room": "a mover belongs to no room.",
    MoverProperty = "mover-property": "a custom property or an animation of a door or mover, or the animation of a mesh that is not a mover, is not used.",
    MoverTooLarge = "mover-too-large": "a mover reaches into more than 64 rooms.",
    MoverThroughWall = "mover-through-wall": "a mover moves more than 3 cm into a solid that it does not penetrate in the authored pose.",
    MoverNeverStarts = "mover-never-starts": "a mover is locked or waits for triggers that do not exist, or a door turns by a zero angle.",
    BodyOutsideRoom = "body-outside-room": "a body belongs to no room.",
    BodyOutside = "body-outside": "the centre of a body is in no room.",
    BodyInside = "body-inside": "a body is more than 3 cm inside a solid or another body at the start.",
    BodyWithoutFloor = "body-without-floor": "a body has no ground below it.",
    BodyDegenerate = "body-degenerate": "a body has no volume, or is not closed.",
    BodyProperty = "body-property": "a custom property of a body is not used, or makes a shape that differs from the mesh.",
    BodyExtension = "body-extension": "a part of OMI_physics_body is not used.",
    JointBodies = "joint-bodies": "a joint has no effect, because its bodies do not exist or are the same body.",
    JointProperty = "joint-property": "a custom property of a joint is not used.",
    TriggerOutsideRoom = "trigger-outside-room": "a trigger or switch belongs to no room.",
    TriggerProperty = "trigger-property": "a custom property of a trigger or switch is not used.",
    TriggerVolume = "trigger-volume": "the volume of a trigger is not closed.",
    TriggerTarget = "trigger-target": "a trigger or switch acts on something that does not exist.",
    DegenerateTriangles = "degenerate-triangles": "triangles with two equal corners were left out.",
    NeedleTriangles = "needle-triangles": "triangles are far longer than wide.",
    DuplicateTriangles = "duplicate-triangles": "triangles lie on equal ones, or a mesh is a copy of another up to 5 cm beside it.",
    CoplanarFaces = "coplanar-faces": "drawn faces of two materials, or a mesh on another, overlap in one plane and flicker.",
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Compares the code's text with a text.
impl PartialEq<str> for ProblemCode {
    fn eq(&self, text: &str) -> bool {
        self.as_str() == text
    }
}

impl PartialEq<&str> for ProblemCode {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == *text
    }
}

impl serde::Serialize for ProblemCode {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
