//! Triangles that the level omits before the kernel sees them.

use opendoor::author::sketch::{Sketch, cuboid};
use opendoor::build::build;

use crate::cast::v;

#[test]
fn triangles_without_area_are_left_out_and_counted() {
    let (p, q) = (v(1., 1., 1.), v(2., 1., 1.));
    let sliver = v(1.5, 1.0 + 1e-7, 1.);
    let thin = v(1.5, 1.0 + 1e-5, 1.);
    // A triangle with three corners on a line is not reported: exporters create such triangles, not authors.
    for (triangle, dropped, named) in [
        ([p, p, p], 1, 1),
        ([p, p, q], 1, 1),
        ([p, q, p], 1, 1),
        ([p, q, p + (q - p) * 0.25], 1, 0),
        ([p, q, p + (q - p) * 3.0], 1, 0),
        ([p, q, sliver], 1, 0),
        ([p, q, thin], 0, 0),
    ] {
        let mut sketch = Sketch::new("hall");
        let hall = sketch.box_room("hall", cuboid([0., 0., 0.], [4., 4., 4.]), &[]);
        sketch.mesh(hall, 0, &[triangle]);
        sketch.spawn(hall, v(3., 1., 3.), v(1., 0., 0.));
        let (level, problems) = build(sketch.source).expect("a level");
        assert_eq!(level.degenerate_triangles, dropped, "{triangle:?}");
        let codes: Vec<&str> = problems.warnings.iter().map(|w| w.code.as_str()).collect();
        assert_eq!(codes, vec!["degenerate-triangles"; named], "{triangle:?}");
        assert_eq!(level.rooms[0].triangles as usize, 12 + 1 - dropped);
    }
}
