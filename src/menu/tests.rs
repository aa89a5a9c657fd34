//! Tests of the menu without a window, driven by keys alone and by mouse alone.

use egui::epaint::Shape;
use egui::{Event, Modifiers, PointerButton, Pos2, RawInput, Rect, Vec2};

use super::*;
use crate::settings::{KeyCode, SETTINGS};

const SIZE: Vec2 = Vec2::new(640.0, 360.0);

/// A player in front of the menu.
struct MenuUser {
    context: egui::Context,
    menu: Menu,
    settings: Settings,
    /// The texts of the last frame, and their rectangles.
    texts: Vec<(String, Rect)>,
    /// The rectangles that were cut off at the left or right side.
    cut_off: Vec<Rect>,
    command: Option<MenuCommand>,
}

impl MenuUser {
    fn at(page: Page) -> Self {
        let mut player = Self {
            context: egui::Context::default(),
            menu: Menu::at(page),
            settings: Settings::default(),
            texts: Vec::new(),
            cut_off: Vec::new(),
            command: None,
        };
        player.frames(vec![]);
        player
    }

    /// Runs some frames; the first of them gets the events.
    fn frames(&mut self, mut events: Vec<Event>) {
        for _ in 0..4 {
            let input = RawInput {
                screen_rect: Some(Rect::from_min_size(Pos2::ZERO, SIZE)),
                events: std::mem::take(&mut events),
                ..RawInput::default()
            };
            let spawns = ["player-spawn".to_owned(), "cellar-spawn".to_owned()];
            let nearby = [PathBuf::from("levels/tower.glb")];
            let info = MenuInfo {
                level: "house",
                spawns: &spawns,
                shipped: &["house", "labyrinth"],
                nearby: &nearby,
                problem: "",
            };
            let (menu, settings) = (&mut self.menu, &mut self.settings);
            let mut command = None;
            let mut output = self.context.run_ui(input, |ui| {
                command = menu.show(ui, settings, &info).or(command.take());
            });
            self.command = self.command.take().or(command);
            output.textures_delta.clear();
            self.texts.clear();
            self.cut_off.clear();
            for clipped in output.shapes {
                self.note(&clipped.shape, clipped.clip_rect);
            }
        }
    }

    fn note(&mut self, shape: &Shape, clip: Rect) {
        let rect = match shape {
            Shape::Vec(shapes) => return shapes.iter().for_each(|shape| self.note(shape, clip)),
            Shape::Text(text) => Rect::from_min_size(text.pos, text.galley.size()),
            Shape::Rect(shape) => shape.rect,
            _ => return,
        };
        if !clip.intersects(rect) {
            return;
        }
        if rect.left() < clip.left() - 1.0 || rect.right() > clip.right() + 1.0 {
            self.cut_off.push(rect);
        }
        if let Shape::Text(text) = shape {
            self.texts.push((text.galley.text().to_owned(), rect));
        }
    }

    fn press(&mut self, key: EguiKey) -> &mut Self {
        let event = |pressed| Event::Key {
            key,
            physical_key: None,
            pressed,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        self.frames(vec![event(true)]);
        self.frames(vec![event(false)]);
        self
    }

    /// Clicks on the first widget with this text.
    fn click(&mut self, text: &str) -> &mut Self {
        let found = self.texts.iter().find(|(written, _)| written == text);
        let Some((_, rect)) = found else {
            panic!("`{text}` is not among {:?}", self.texts);
        };
        let pos = rect.center();
        let button = |pressed| Event::PointerButton {
            pos,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        self.frames(vec![Event::PointerMoved(pos)]);
        self.frames(vec![button(true)]);
        self.frames(vec![button(false)]);
        self
    }
}

const DOWN: EguiKey = EguiKey::ArrowDown;
const ENTER: EguiKey = EguiKey::Enter;

#[test]
fn every_page_is_reached_and_left_by_keys_alone() {
    for (steps, page) in [Page::Levels, Page::Settings, Page::Keys, Page::Help]
        .into_iter()
        .enumerate()
    {
        let mut player = MenuUser::at(Page::Pause);
        for _ in 0..=steps {
            player.press(DOWN);
        }
        player.press(ENTER);
        assert_eq!(player.menu.page(), page);
        player.press(EguiKey::Escape);
        assert_eq!(player.menu.page(), Page::Pause);
        assert_eq!(player.command, None);
        player.press(EguiKey::Escape);
        assert_eq!(player.command, Some(MenuCommand::Resume));
    }
    let mut player = MenuUser::at(Page::Pause);
    player.press(ENTER);
    assert_eq!(player.command, Some(MenuCommand::Resume));
    let mut player = MenuUser::at(Page::Pause);
    for _ in 0..5 {
        player.press(DOWN);
    }
    player.press(ENTER);
    assert_eq!(player.command, Some(MenuCommand::Quit));
}

#[test]
fn every_page_is_reached_and_left_by_mouse_alone() {
    for (text, page) in [
        ("Levels", Page::Levels),
        ("Settings", Page::Settings),
        ("Keys", Page::Keys),
        ("Help", Page::Help),
    ] {
        let mut player = MenuUser::at(Page::Pause);
        player.click(text);
        assert_eq!(player.menu.page(), page);
        player.click("< Back");
        assert_eq!(player.menu.page(), Page::Pause);
    }
    for (text, command) in [("Resume", MenuCommand::Resume), ("Quit", MenuCommand::Quit)] {
        let mut player = MenuUser::at(Page::Pause);
        player.click(text);
        assert_eq!(player.command, Some(command));
    }
}

#[test]
fn levels_and_spawns_are_chosen_by_mouse_and_by_keys() {
    for (text, command) in [
        ("cellar", MenuCommand::StartAt("cellar-spawn".to_owned())),
        ("labyrinth", MenuCommand::OpenShipped("labyrinth")),
        (
            "tower.glb   in levels",
            MenuCommand::OpenFile(PathBuf::from("levels/tower.glb")),
        ),
    ] {
        let mut player = MenuUser::at(Page::Levels);
        player.click(text);
        assert_eq!(player.command, Some(command));
    }
    let mut player = MenuUser::at(Page::Levels);
    player.press(DOWN).press(ENTER);
    assert!(
        matches!(player.command, Some(MenuCommand::StartAt(_))),
        "{:?}",
        player.command
    );
}

#[test]
fn a_path_that_is_typed_is_opened() {
    let mut player = MenuUser::at(Page::Levels);
    player.menu.path = " \"my levels/castle.glb\" ".to_owned();
    player.click("Open");
    let path = PathBuf::from("my levels/castle.glb");
    assert_eq!(player.command, Some(MenuCommand::OpenFile(path)));
}

#[test]
fn settings_change_by_keys() {
    let mut player = MenuUser::at(Page::Settings);
    // Moves from the back button to the first setting.
    player.press(DOWN).press(EguiKey::ArrowRight);
    assert!((player.settings.mouse_speed - 1.1).abs() < 1e-9);
    player.press(DOWN).press(EguiKey::Space);
    assert!(player.settings.invert_mouse, "{:?}", player.settings);
}

#[test]
fn a_key_is_bound_by_pressing_it_and_taken_away_by_backspace() {
    let mut player = MenuUser::at(Page::Keys);
    player.click("Space");
    assert!(player.menu.waits_for_key());
    player
        .menu
        .bind(Key::Code(KeyCode::KeyJ), &mut player.settings);
    assert_eq!(player.settings.bindings.first_name(Action::Jump), "J");
    player.frames(vec![]);
    player.click("J");
    player
        .menu
        .bind(Key::Code(KeyCode::Escape), &mut player.settings);
    player.frames(vec![]);
    assert_eq!(player.settings.bindings.first_name(Action::Jump), "J");
    player.click("J");
    player
        .menu
        .bind(Key::Code(KeyCode::Backspace), &mut player.settings);
    assert_eq!(
        player.settings.bindings.first_name(Action::Jump),
        "pad south"
    );
}

#[test]
fn nothing_is_cut_off_at_the_sides_of_a_small_window() {
    for page in [
        Page::Pause,
        Page::Levels,
        Page::Settings,
        Page::Keys,
        Page::Help,
    ] {
        let player = MenuUser::at(page);
        assert!(!player.texts.is_empty());
        assert_eq!(player.cut_off, [], "{page:?}");
    }
}

/// Regression test: arrow keys stopped in number fields and changed the numbers.
#[test]
fn arrows_down_go_from_setting_to_setting_and_change_none() {
    let mut player = MenuUser::at(Page::Pause);
    player.press(DOWN).press(DOWN).press(ENTER);
    for _ in 0..4 {
        player.press(DOWN);
    }
    for _ in 0..5 {
        player.press(EguiKey::ArrowRight);
    }
    let wider = Settings {
        field_of_view_deg: 75.0,
        ..Settings::default()
    };
    assert_eq!(player.settings, wider);
    for _ in 0..30 {
        player.press(DOWN);
    }
    assert_eq!(player.settings, wider);
}

#[test]
fn every_setting_is_on_the_page() {
    let mut player = MenuUser::at(Page::Settings);
    let mut seen: Vec<String> = Vec::new();
    for _ in 0..60 {
        seen.extend(player.texts.iter().map(|(text, _)| text.clone()));
        player.press(EguiKey::Tab);
    }
    for setting in SETTINGS {
        assert!(
            seen.iter().any(|text| text == setting.label),
            "{}",
            setting.label
        );
    }
}
