//! Keys and mouse.

use winit::dpi::PhysicalPosition;
use winit::keyboard::KeyCode;
use winit::window::{CursorGrabMode, Window};

use crate::game::Input;

/// Degrees for each pixel of mouse motion.
const DEGREES_PER_PIXEL: f64 = 0.12;

/// The keys that are held, and whether the mouse turns the view.
#[derive(Debug, Default)]
pub(super) struct Controls {
    held: Vec<KeyCode>,
    /// A jump that was pressed since the last tick, however short.
    jump: bool,
    /// The same of the key that uses what is ahead.
    interact: bool,
    /// The same of the button that takes or throws a body.
    grab: bool,
    captured: bool,
    /// Where the pointer could not be locked it is put back into the middle.
    recentre: bool,
}

impl Controls {
    pub(super) fn key(&mut self, key: KeyCode, pressed: bool) {
        self.held.retain(|&held| held != key);
        if pressed {
            self.held.push(key);
            self.jump |= key == KeyCode::Space;
        }
    }

    /// The key that uses what is ahead was pressed.
    pub(super) fn interact(&mut self) {
        self.interact = true;
    }

    /// The button that takes or throws a body was pressed; it takes the mouse first.
    pub(super) fn grab(&mut self, window: &Window) {
        if self.captured {
            self.grab = true;
        } else {
            self.capture(window);
        }
    }

    /// The input by the keys that are held.
    pub(super) fn input(&self) -> Input {
        let any =
            |keys: &[KeyCode]| f64::from(u8::from(keys.iter().any(|k| self.held.contains(k))));
        Input {
            forward: any(&[KeyCode::KeyW, KeyCode::ArrowUp])
                - any(&[KeyCode::KeyS, KeyCode::ArrowDown]),
            right: any(&[KeyCode::KeyD, KeyCode::ArrowRight])
                - any(&[KeyCode::KeyA, KeyCode::ArrowLeft]),
            run: any(&[KeyCode::ShiftLeft, KeyCode::ShiftRight]) > 0.0,
            jump: self.jump || self.held.contains(&KeyCode::Space),
            crouch: any(&[KeyCode::KeyC, KeyCode::ControlLeft]) > 0.0,
            interact: self.interact,
            grab: self.grab,
        }
    }

    /// A tick has seen the input.
    pub(super) fn tick_done(&mut self) {
        self.jump = false;
        self.interact = false;
        self.grab = false;
    }

    /// Takes the mouse for looking around. X11 cannot lock a pointer: there it is confined to
    /// the window and put back into the middle.
    fn capture(&mut self, window: &Window) {
        if self.captured {
            return;
        }
        self.recentre = window.set_cursor_grab(CursorGrabMode::Locked).is_err();
        if self.recentre
            && let Err(error) = window.set_cursor_grab(CursorGrabMode::Confined)
        {
            log::warn!("the mouse cannot be kept in the window: {error}");
        }
        window.set_cursor_visible(false);
        self.captured = true;
    }

    /// Gives the mouse back and lets go of all keys.
    pub(super) fn release(&mut self, window: &Window) {
        self.held.clear();
        self.jump = false;
        self.interact = false;
        self.grab = false;
        if self.captured {
            if let Err(error) = window.set_cursor_grab(CursorGrabMode::None) {
                log::warn!("the mouse cannot be released: {error}");
            }
            window.set_cursor_visible(true);
            self.captured = false;
        }
    }

    /// How far the mouse turns the view, degrees to the left and up; `None` unless it is captured.
    pub(super) fn mouse_moved(
        &mut self,
        window: &Window,
        (right, down): (f64, f64),
    ) -> Option<(f64, f64)> {
        if !self.captured {
            return None;
        }
        if self.recentre {
            let size = window.inner_size();
            let middle = PhysicalPosition::new(size.width / 2, size.height / 2);
            if window.set_cursor_position(middle).is_err() {
                self.recentre = false;
            }
        }
        Some((-right * DEGREES_PER_PIXEL, -down * DEGREES_PER_PIXEL))
    }
}
