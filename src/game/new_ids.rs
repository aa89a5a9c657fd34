//! Which thing of another version of a level is meant by a thing of this one.

use std::collections::{BTreeMap, VecDeque};

/// For each of the old things the index of the new one of its name: of several of one name the first is the first,
/// and so on.
pub(super) fn new_ids<T>(old: &[T], new: &[T], name: fn(&T) -> &String) -> Vec<Option<u32>> {
    let mut named: BTreeMap<&str, VecDeque<u32>> = BTreeMap::new();
    for (id, thing) in (0..).zip(new) {
        named.entry(name(thing)).or_default().push_back(id);
    }
    let next = |thing: &T| named.get_mut(name(thing).as_str())?.pop_front();
    old.iter().map(next).collect()
}
