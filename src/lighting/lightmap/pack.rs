//! Packing of rectangles onto square pages: shelf by shelf, high rectangles first (E. Coffman et al., "Performance
//! bounds for level-oriented two-dimensional packing algorithms", 1980).

use std::cmp::Reverse;

/// The positions of packed rectangles.
pub(super) struct PackedRects {
    /// Texels along a page's side: a power of two.
    pub side: u32,
    /// The number of pages.
    pub pages: u32,
    /// Page and minimum corner of each rectangle, in the order of the input.
    pub places: Vec<(u32, [u32; 2])>,
}

/// Packs rectangles on the smallest page that fits all of them, at most `side` texels wide, or otherwise on several
/// pages of that size. Texel 0, 0 of page 0 stays free. No rectangle may be larger than a page less one texel.
pub(super) fn pack(sizes: &[[u32; 2]], side: u32) -> PackedRects {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&i| (Reverse(sizes[i][1]), Reverse(sizes[i][0]), i));
    let texels: u64 = sizes
        .iter()
        .map(|&[x, y]| u64::from(x) * u64::from(y))
        .sum();
    let longest = sizes.iter().flatten().max().map_or(0, |&longest| longest);
    let mut tried = (longest + 1).next_power_of_two();
    while u64::from(tried) * u64::from(tried) <= texels {
        tried *= 2;
    }
    loop {
        let packed = shelves(sizes, &order, tried.min(side));
        if packed.pages == 1 || tried >= side {
            return packed;
        }
        tried *= 2;
    }
}

fn shelves(sizes: &[[u32; 2]], order: &[usize], side: u32) -> PackedRects {
    let mut places = vec![(0, [0, 0]); sizes.len()];
    let mut page = 0;
    // The first row is reserved, because texel 0, 0 stays free.
    let (mut x, mut y, mut height) = (0, 1, 0);
    for &index in order {
        let [width, tall] = sizes[index];
        if x + width > side {
            (x, y, height) = (0, y + height, 0);
        }
        if y + tall > side {
            page += 1;
            (x, y, height) = (0, 0, 0);
        }
        places[index] = (page, [x, y]);
        x += width;
        height = height.max(tall);
    }
    PackedRects {
        side,
        pages: page + 1,
        places,
    }
}
