//! The kinds of problems; their texts are stable, because scripts use them.

use std::fmt;

/// Declares [`ProblemCode`] and lists each of its values with its text once.
macro_rules! problem_codes {
    ($($name:ident = $text:literal: $about:literal,)+) => {
        /// The kind of a problem.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum ProblemCode {
            $(#[doc = concat!("`", $text, "`: ", $about)] $name,)+
        }

        impl ProblemCode {
            /// All codes, in the order of the table in `docs/levels.md`.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// The text of the code, which is the same in all versions.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)+
                }
            }
        }
    };
}

problem_codes! {
    File = "file": "the file cannot be read.",
    Container = "container": "the file is no glTF 2.0 container.",
    Json = "json": "the text is no glTF 2.0.",
    Version = "version": "another version of glTF.",
    ExtensionRequired = "extension-required": "the file needs an extension that we lack.",
    ExtensionIgnored = "extension-ignored": "an extension that we lack, or part of one.",
    BufferUri = "buffer-uri": "a buffer outside of the level's folder.",
    BufferMissing = "buffer-missing": "a buffer that is not there.",
    BufferShort = "buffer-short": "a buffer with fewer bytes than it should have.",
    Mesh = "mesh": "a broken mesh or accessor.",
    MeshOdd = "mesh-odd": "something in a mesh was left out.",
    MeshSkipped = "mesh-skipped": "a primitive was left out.",
    Scene = "scene": "the scene does not exist.",
    ChildIndex = "child-index": "a node's child does not exist.",
    NodeTwice = "node-twice": "a node in two places of the tree.",
    NameTooLong = "name-too-long": "the name of a node is too long.",
    NameAlmost = "name-almost": "a node's name almost follows the naming convention.",
    TransformInvalid = "transform-invalid": "a node's transform is none.",
    TransformOverflow = "transform-overflow": "transforms of nodes multiply to infinity.",
    FlatScale = "flat-scale": "a node's transform takes all volume away.",
    TooFar = "too-far": "something lies beyond all measure.",
    TooLarge = "too-large": "the file asks for more than a machine has.",
    Scale = "scale": "the level, or a room of it, is far from human size.",
    UpAxis = "up-axis": "the level lies on its side.",
    LevelTooLarge = "level-too-large": "the level is too large for f32.",
    MeshOutOfBounds = "mesh-out-of-bounds": "a mesh lies beyond all measure.",
    Image = "image": "a picture cannot be used.",
    ImageLarge = "image-large": "a picture has more pixels than are seen.",
    Texture = "texture": "a texture cannot be used as it is.",
    TextureTransform = "texture-transform": "a texture's transform is not the material's.",
    MaterialRange = "material-range": "a number of a material was clamped.",
    MaterialOpaque = "material-opaque": "a material with an alpha is drawn as opaque.",
    MaterialBlend = "material-blend": "a material that blends is invisible, or is that of walls.",
    MaterialProperty = "material-property": "a custom property of a material is written on an object.",
    SceneProperty = "scene-property": "a custom property of the scene is not used.",
    RoomOpen = "room-open": "the custom property `open` of a room is not used.",
    NoCustomProperties = "no-custom-properties": "no node has custom properties, and some need them.",
    Light = "light": "a light.",
    RoomLights = "room-lights": "a room has more lamps than are drawn.",
    NoLight = "no-light": "the level has no light.",
    SkinIgnored = "skin-ignored": "a skin or morph targets are not used.",
    NoRooms = "no-rooms": "the level has no room.",
    RoomNameTwice = "room-name-twice": "two rooms have one name.",
    RoomWithoutName = "room-without-name": "a room has no name.",
    RoomEmpty = "room-empty": "a room has no meshes.",
    RoomHole = "room-hole": "a room is not closed.",
    RoomCrack = "room-crack": "corners of a room nearly meet.",
    RoomInsideOut = "room-inside-out": "the faces of a room look outwards.",
    RoomsOverlap = "rooms-overlap": "two rooms fill the same space.",
    RoomUnreachable = "room-unreachable": "no portal leads to a room.",
    WallNotCut = "wall-not-cut": "an opening ends at the wall of the next room.",
    MeshOutsideRoom = "mesh-outside-room": "a mesh belongs to no room.",
    BoundIgnored = "bound-ignored": "bounds of no room.",
    BoundTooSmall = "bound-too-small": "a room reaches out of its bounds.",
    MeshInOtherRoom = "mesh-in-other-room": "a mesh stands in a room that is not its own.",
    MeshInsideOut = "mesh-inside-out": "the faces of furniture look inwards.",
    MeshHole = "mesh-hole": "a face of furniture, or a part of one, is missing.",
    FacesTurned = "faces-turned": "single faces of a room look outwards.",
    PortalOutsideRoom = "portal-outside-room": "a portal belongs to no room.",
    PortalWithoutMesh = "portal-without-mesh": "a portal has no mesh.",
    PortalMesh = "portal-mesh": "a portal's mesh cannot be read.",
    PortalPolygon = "portal-polygon": "a portal is no convex polygon.",
    PortalTwoWay = "portal-two-way": "the custom property `two_way` of a portal is not used.",
    PortalTransform = "portal-transform": "a portal's transform is no rotation and translation.",
    PortalUnknownRoom = "portal-unknown-room": "a portal leads to a room that does not exist.",
    PortalIntoItself = "portal-into-itself": "a portal leads into its own room.",
    PortalLeadsNowhere = "portal-leads-nowhere": "no room lies behind a portal.",
    PortalAmbiguous = "portal-ambiguous": "several rooms lie behind a portal.",
    PortalFar = "portal-far": "the room behind a portal does not reach it.",
    PortalBackwards = "portal-backwards": "a portal faces into its own room.",
    PortalGap = "portal-gap": "a portal does not fill its opening.",
    PortalTooLarge = "portal-too-large": "a portal reaches behind the wall around its opening.",
    PortalWallNotCut = "portal-wall-not-cut": "a portal stands at a wall without an opening.",
    PortalTwice = "portal-twice": "two portals lie on one another.",
    PortalMissing = "portal-missing": "an opening between two rooms has no portal.",
    PortalOfMovedRoom = "portal-of-moved-room": "a portal of a room that moves does not move with it.",
    MovedRoomOutside = "moved-room-outside": "a room that moves is outside of the room around it.",
    RoomTilts = "room-tilts": "a room does not stay upright while it moves.",
    NoSpawn = "no-spawn": "the level has no spawn.",
    SpawnOutside = "spawn-outside": "a spawn is in no room.",
    SpawnWithoutFloor = "spawn-without-floor": "a player falls out of the level from a spawn.",
    SpawnBlocked = "spawn-blocked": "a spawn where players have no room.",
    FloorMissing = "floor-missing": "a player can walk out over nothing.",
    NoWayBack = "no-way-back": "a player does not get out of a place again.",
    StepTooHigh = "step-too-high": "a doorway begins higher than a player climbs, or a step of a staircase.",
    SlopeTooSteep = "slope-too-steep": "a slope before a doorway is too steep to walk up.",
    DoorwayTooSmall = "doorway-too-small": "a doorway is lower or narrower than a player.",
    DoorwayBlocked = "doorway-blocked": "something solid stands in a doorway.",
    HeadroomTooLow = "headroom-too-low": "something hangs so low in a room that a player does not pass below it upright.",
    DoorOutsideRoom = "door-outside-room": "a door panel belongs to no room.",
    DoorWithoutPortal = "door-without-portal": "a door panel stands in no portal.",
    DoorTwice = "door-twice": "a portal has two door panels.",
    DoorTooLarge = "door-too-large": "a door panel reaches into too many rooms.",
    DoorWithGap = "door-with-gap": "one can see past a door panel.",
    PaneWithGap = "pane-with-gap": "one can see past a pane.",
    DoorHinge = "door-hinge": "a door turns about a place that is not at its panel.",
    DoorWithHole = "door-with-hole": "one sees the sky through a door panel.",
    MoverOutsideRoom = "mover-outside-room": "a mover belongs to no room.",
    MoverProperty = "mover-property": "a custom property of a door or mover is not used.",
    MoverTooLarge = "mover-too-large": "a mover reaches into too many rooms.",
    MoverThroughWall = "mover-through-wall": "a mover passes through something solid on its way.",
    MoverNeverStarts = "mover-never-starts": "nothing sets a mover going.",
    BodyOutsideRoom = "body-outside-room": "a body belongs to no room.",
    BodyOutside = "body-outside": "a body is in no room.",
    BodyInside = "body-inside": "a body starts inside of something solid.",
    BodyWithoutFloor = "body-without-floor": "a body falls out of the level.",
    BodyDegenerate = "body-degenerate": "a body has no volume.",
    BodyProperty = "body-property": "a custom property of a body is not used.",
    BodyExtension = "body-extension": "a part of OMI_physics_body that is not used.",
    JointBodies = "joint-bodies": "a joint holds no bodies.",
    JointProperty = "joint-property": "a custom property of a joint is not used.",
    TriggerOutsideRoom = "trigger-outside-room": "a trigger or switch belongs to no room.",
    TriggerProperty = "trigger-property": "a custom property of a trigger or switch is not used.",
    TriggerVolume = "trigger-volume": "the volume of a trigger is not closed.",
    TriggerTarget = "trigger-target": "a trigger or switch acts on something that does not exist.",
    DegenerateTriangles = "degenerate-triangles": "triangles without area were left out.",
    NeedleTriangles = "needle-triangles": "triangles are far longer than wide.",
    DuplicateTriangles = "duplicate-triangles": "triangles lie on equal ones.",
    CoplanarFaces = "coplanar-faces": "drawn faces overlap in one plane.",
}

impl fmt::Display for ProblemCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Compares the text of the code.
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
