//! Matches objects of two versions of a level by name.

use std::collections::{BTreeMap, VecDeque};

/// Finds, for each old object, the index of the new object with the same name. Several objects with one name are
/// matched in order.
pub(super) fn new_ids<T>(old: &[T], new: &[T], name: fn(&T) -> &String) -> Vec<Option<u32>> {
    let mut named: BTreeMap<&str, VecDeque<u32>> = BTreeMap::new();
    for (id, thing) in (0..).zip(new) {
        named.entry(name(thing)).or_default().push_back(id);
    }
    let next = |thing: &T| named.get_mut(name(thing).as_str())?.pop_front();
    old.iter().map(next).collect()
}
