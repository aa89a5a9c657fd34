//! The part of a picture that differs from the picture before; only this part is written.

/// A rectangle in a picture. Coordinates are texels from the picture's upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChangedRect {
    /// The position of the upper left corner: across and down.
    pub(super) at: [u32; 2],
    pub(super) size: [u32; 2],
}

/// A comparison of each picture of a film (RGB row by row from the top) with the picture before.
pub(super) struct PictureChanges {
    size: [u32; 2],
    last: Vec<u8>,
}

impl PictureChanges {
    /// Creates the comparison for pictures of this size.
    pub(super) fn new(size: [u32; 2]) -> Self {
        Self {
            size,
            last: Vec::new(),
        }
    }

    /// Returns the smallest rectangle of the next picture that contains all changes since the picture before, and its
    /// texels. The rectangle is the whole picture for the first one, and the first texel for an unchanged one.
    pub(super) fn next(&mut self, rgb: Vec<u8>) -> (ChangedRect, Vec<u8>) {
        let part = self.changed(&rgb);
        let row_bytes = 3 * self.size[0] as usize;
        let [x, y] = part.at.map(|n| n as usize);
        let [width, height] = part.size.map(|n| n as usize);
        let rows = rgb.chunks_exact(row_bytes).skip(y).take(height);
        let texels = rows.flat_map(|row| &row[3 * x..3 * (x + width)]);
        let texels = texels.copied().collect();
        self.last = rgb;
        (part, texels)
    }

    fn changed(&self, rgb: &[u8]) -> ChangedRect {
        if self.last.is_empty() {
            return ChangedRect {
                at: [0, 0],
                size: self.size,
            };
        }
        let [mut low, mut high] = [[u32::MAX; 2], [0; 2]];
        let width = self.size[0].max(1);
        let pairs = rgb.chunks_exact(3).zip(self.last.chunks_exact(3));
        for (index, _) in (0..).zip(pairs).filter(|(_, (a, b))| a != b) {
            for (axis, at) in [index % width, index / width].into_iter().enumerate() {
                low[axis] = low[axis].min(at);
                high[axis] = high[axis].max(at + 1);
            }
        }
        if high == [0; 2] {
            [low, high] = [[0; 2], [1; 2]];
        }
        ChangedRect {
            at: low,
            size: [high[0] - low[0], high[1] - low[1]],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_part_contains_all_changes_and_no_more() {
        let mut changes = PictureChanges::new([4, 3]);
        let mut picture: Vec<u8> = (0..36).collect();
        let (part, texels) = changes.next(picture.clone());
        assert_eq!((part.at, part.size), ([0, 0], [4, 3]));
        assert_eq!(texels, picture);

        let (part, texels) = changes.next(picture.clone());
        assert_eq!((part.at, part.size), ([0, 0], [1, 1]));
        assert_eq!(texels, [0, 1, 2]);

        // The third texel of the first row, and the second texel of the last row.
        picture[2 * 3] = 99;
        picture[9 * 3 + 2] = 98;
        let (part, texels) = changes.next(picture.clone());
        assert_eq!((part.at, part.size), ([1, 0], [2, 3]));
        assert_eq!(texels.len(), 18);
        assert_eq!(texels[..6], [3, 4, 5, 99, 7, 8]);
        assert_eq!(texels[12..15], [27, 28, 98]);
    }
}
