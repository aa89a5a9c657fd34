//! Finds the imports between files of `src` in the sources, and checks that no file imports itself through others.
//!
//! An import is a path from `crate`, `super` or a module, in a `use` or anywhere else in the code. It refers to the
//! file that defines the named item, not to modules that only re-export the name with `pub use`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A path of modules from the crate's root, without the root's name.
type ModulePath = Vec<String>;

/// The modules of the crate, each with its code and its re-exported names.
struct Modules {
    files: BTreeMap<ModulePath, File>,
}

struct File {
    path: PathBuf,
    /// The code without comments and unit tests.
    code: String,
    /// Paths of `use`, one for each name.
    uses: Vec<ModulePath>,
    /// Paths of `pub use`, in any visibility.
    passed_on: Vec<ModulePath>,
}

impl Modules {
    fn of(root: &Path) -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let inside = path.strip_prefix(root).unwrap().with_extension("");
                let names = inside.iter().map(|name| name.to_str().unwrap().to_owned());
                let mut module: ModulePath = names.collect();
                if ["mod", "lib", "main"].contains(&module.last().unwrap().as_str()) {
                    module.pop();
                }
                let is_test = module.iter().any(|name| name == "tests");
                let is_shadowed = path.ends_with("main.rs");
                if !is_test && !is_shadowed {
                    files.insert(module, File::of(path));
                }
            }
        }
        Self { files }
    }

    /// The file that defines the item at a path in some module; `None` for items of other crates.
    fn definer(&self, from: &[String], path: &[String]) -> Option<&ModulePath> {
        let (first, rest) = path.split_first()?;
        let (mut module, mut rest) = match first.as_str() {
            "crate" | "opendoor" => (Vec::new(), rest),
            "self" => (from.to_vec(), rest),
            "super" => (from[..from.len().checked_sub(1)?].to_vec(), rest),
            _ => (from.to_vec(), path),
        };
        let is_local = rest.len() == path.len();
        let mut is_first = true;
        while let Some((name, more)) = rest.split_first() {
            if name == "super" {
                module.pop();
            } else {
                module.push(name.clone());
                if !self.files.contains_key(&module) {
                    module.pop();
                    if is_local && is_first {
                        // An item of a package, or of the module itself.
                        return None;
                    }
                    return self.passed_on(&module, name);
                }
            }
            rest = more;
            is_first = false;
        }
        self.files.get_key_value(&module).map(|(module, _)| module)
    }

    /// The file that defines a name found in a module; re-exports are followed.
    fn passed_on(&self, module: &ModulePath, name: &str) -> Option<&ModulePath> {
        let (module, file) = self.files.get_key_value(module)?;
        for path in &file.passed_on {
            let (last, folder) = path.split_last().unwrap();
            if last == name {
                return self.definer(module, path).or(Some(module));
            }
            if last == "*" {
                let from_there = self.definer(module, folder);
                let found = from_there.and_then(|there| self.passed_on(there, name));
                let there = found.filter(|at| *at != module && self.defines(at, name));
                if there.is_some() {
                    return there;
                }
            }
        }
        Some(module)
    }

    fn defines(&self, module: &ModulePath, name: &str) -> bool {
        let code = &self.files[module].code;
        let kinds = ["struct", "enum", "trait", "fn", "const", "type"];
        let mut kinds = kinds.into_iter().map(|kind| format!("{kind} {name}"));
        kinds.any(|definition| {
            let ends = code
                .match_indices(&definition)
                .map(|(at, _)| at + definition.len());
            let mut after = ends.map(|end| code[end..].chars().next());
            after.any(|next| !next.is_some_and(|c| c.is_alphanumeric() || c == '_'))
        })
    }

    /// The imported files of each file.
    fn imports(&self) -> BTreeMap<&ModulePath, BTreeSet<&ModulePath>> {
        let of_file = |(module, file): (&'_ ModulePath, &'_ File)| {
            let inline = inline_paths(&file.code);
            let paths = file.uses.iter().chain(&inline);
            let found = paths.filter_map(|path| self.definer(module, path));
            found
                .filter(|at| *at != module)
                .cloned()
                .collect::<BTreeSet<_>>()
        };
        let key = |module: &ModulePath| self.files.get_key_value(module).unwrap().0;
        self.files
            .iter()
            .map(|(module, file)| {
                let found = of_file((module, file));
                (module, found.iter().map(key).collect())
            })
            .collect()
    }
}

impl File {
    fn of(path: PathBuf) -> Self {
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let lines = text.lines().map(|line| line.split("//").next().unwrap());
        let all = lines.collect::<Vec<_>>().join("\n");
        let (mut code, mut uses, mut passed_on) = (String::new(), Vec::new(), Vec::new());
        for statement in all.split_inclusive([';', '{', '}']) {
            code.push_str(statement);
        }
        let mut rest = all.as_str();
        while let Some(at) = rest.find("use ") {
            let before = &rest[..at];
            let line = before.rsplit('\n').next().unwrap().trim();
            rest = &rest[at + 4..];
            if !(line.is_empty() || line.starts_with("pub")) || line.contains("::") {
                continue;
            }
            let (tree, after) = rest.split_once(';').unwrap();
            rest = after;
            let found = if line.is_empty() {
                &mut uses
            } else {
                &mut passed_on
            };
            expand(&tree.replace(char::is_whitespace, ""), &[], found);
        }
        Self {
            path,
            code,
            uses,
            passed_on,
        }
    }
}

/// The paths of a `use` tree: those of `a::{b, c::{d}}` are `a::b` and `a::c::d`.
fn expand(tree: &str, before: &[String], found: &mut Vec<ModulePath>) {
    let mut path = before.to_vec();
    let mut rest = tree;
    while let Some((name, more)) = rest.split_once("::") {
        if name.contains('{') {
            break;
        }
        path.push(name.to_owned());
        rest = more;
    }
    if let Some(list) = rest.strip_prefix('{') {
        let list = list.strip_suffix('}').unwrap();
        let (mut depth, mut start) = (0, 0);
        for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    if at > start {
                        expand(&list[start..at], &path, found);
                    }
                    start = at + 1;
                }
                _ => {}
            }
        }
    } else if rest == "self" {
        found.push(path);
    } else {
        path.push(rest.split("as").next().unwrap_or(rest).to_owned());
        found.push(path);
    }
}

/// Paths from `crate` or `super` in the code.
fn inline_paths(code: &str) -> Vec<ModulePath> {
    let mut found = Vec::new();
    for root in ["crate::", "super::"] {
        for (at, _) in code.match_indices(root) {
            let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
            let before = &code[..at];
            // A visibility is not an import.
            if before.ends_with("pub(in ") {
                continue;
            }
            let continues = before.chars().next_back().is_some_and(is_name);
            let end = code[at..]
                .find(|c| !is_name(c))
                .map_or(code.len(), |end| at + end);
            let path = code[at..end].trim_end_matches(':');
            if !continues {
                found.push(path.split("::").map(str::to_owned).collect());
            }
        }
    }
    found
}

/// Files that import each other, directly or through others. Removes files whose imports have all been removed, one
/// after another; the remaining files are the result.
fn in_circles<'a>(
    mut imports: BTreeMap<&'a ModulePath, BTreeSet<&'a ModulePath>>,
) -> BTreeSet<&'a ModulePath> {
    loop {
        let free = imports.iter().filter(|(_, to)| to.is_empty());
        let free: BTreeSet<&ModulePath> = free.map(|(module, _)| *module).collect();
        if free.is_empty() {
            break;
        }
        imports.retain(|module, _| !free.contains(module));
        imports
            .values_mut()
            .for_each(|to| to.retain(|at| !free.contains(at)));
    }
    // Files that only import files of a cycle are not part of one.
    loop {
        let imported: BTreeSet<&ModulePath> = imports.values().flatten().copied().collect();
        let before = imports.len();
        imports.retain(|module, _| imported.contains(module));
        if imports.len() == before {
            return imports.into_keys().collect();
        }
    }
}

#[test]
fn no_file_imports_itself_through_others() {
    let modules = Modules::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let imports = modules.imports();
    let count: usize = imports.values().map(BTreeSet::len).sum();
    assert!(
        imports.len() > 150 && count > 600,
        "{} files, {count} imports",
        imports.len()
    );
    let circles = in_circles(imports.clone());
    let told = circles.iter().map(|module| {
        let among = imports[*module].intersection(&circles);
        let among: Vec<String> = among.map(|at| at.join("::")).collect();
        let path = modules.files[*module].path.display();
        format!("{path} imports {}", among.join(", "))
    });
    let told: Vec<String> = told.collect();
    assert!(told.is_empty(), "{}", told.join("\n"));
}

#[test]
fn no_folder_imports_itself_through_others() {
    let modules = Modules::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let imports = modules.imports();
    let folders: BTreeSet<ModulePath> = imports.keys().filter_map(|at| folder_of(at)).collect();
    let mut of_folders: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> = BTreeMap::new();
    let mut examples = BTreeMap::new();
    for (module, to) in &imports {
        let Some(from) = folder_of(module).and_then(|from| folders.get(&from)) else {
            continue;
        };
        let targets = of_folders.entry(from).or_default();
        for target in to {
            let Some(at) = folder_of(target).and_then(|at| folders.get(&at)) else {
                continue;
            };
            if at != from {
                targets.insert(at);
                let path = modules.files[*module].path.display();
                let example = format!("{path} imports {}", target.join("::"));
                examples.entry((from, at)).or_insert(example);
            }
        }
    }
    assert!(folders.len() > 25, "{folders:?}");
    let circles = in_circles(of_folders);
    let among =
        |(from, to): &(&ModulePath, &ModulePath)| circles.contains(from) && circles.contains(to);
    let found = examples.iter().filter(|(ends, _)| among(ends));
    let found: Vec<&str> = found.map(|(_, example)| example.as_str()).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The top folder, or the file in `src`, of a module; `None` for the root.
fn folder_of(module: &ModulePath) -> Option<ModulePath> {
    Some(vec![module.first()?.clone()])
}

#[test]
fn cycles_are_found_and_a_path_that_only_leads_to_one_is_in_none() {
    let module = |name: &str| vec![name.to_owned()];
    let [a, b, c, d, e] = ["a", "b", "c", "d", "e"].map(module);
    let imports = BTreeMap::from([
        (&a, BTreeSet::from([&b])),
        (&b, BTreeSet::from([&c, &e])),
        (&c, BTreeSet::from([&b])),
        (&d, BTreeSet::from([&a])),
        (&e, BTreeSet::new()),
    ]);
    assert_eq!(in_circles(imports), BTreeSet::from([&b, &c]));
}

#[test]
fn nested_uses_are_read_name_by_name() {
    let mut found = Vec::new();
    expand("super::{a,b::{self,c},d::*}", &[], &mut found);
    let found: Vec<String> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(
        found,
        ["super::a", "super::b", "super::b::c", "super::d::*"]
    );
}
