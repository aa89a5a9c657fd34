//! The output files of commands: checked before the work, and written completely or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::Error;

/// The destination of a command's result. It was checked to be writable, as far as that is possible beforehand.
#[derive(Debug)]
pub(crate) struct Output {
    /// The path as the user wrote it.
    path: PathBuf,
    kind: OutputKind,
}

#[derive(Debug)]
enum OutputKind {
    /// `/dev/stdout` and `/dev/stderr`.
    Stream(Stream),
    /// A device, or a pipe that the shell opened.
    Device,
    /// A regular file, existing or not, in a folder in which files can be created.
    Regular { target: PathBuf },
    /// A regular file in a folder in which no files can be created.
    InPlace,
}

#[derive(Clone, Copy, Debug)]
enum Stream {
    Out,
    Err,
}

/// An output that is being written. A regular file gets its final name when it is finished; a writer that is dropped
/// before leaves no file.
pub(crate) struct OutputWriter {
    path: PathBuf,
    to: Option<BufWriter<Box<dyn Write>>>,
    /// The path of the unfinished file and its final path.
    unfinished: Option<(PathBuf, PathBuf)>,
    is_stream: bool,
}

impl Output {
    /// Checks that a file can be written, without changing anything.
    pub(crate) fn at(path: &Path) -> Result<Self, Error> {
        let kind = kind(path).map_err(|error| cannot_write(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            kind,
        })
    }

    /// Begins to write.
    pub(crate) fn begin(self) -> Result<OutputWriter, Error> {
        let Self { path, kind } = self;
        let is_stream = matches!(kind, OutputKind::Stream(_));
        let begun = match kind {
            OutputKind::Stream(Stream::Out) => Ok((Box::new(io::stdout()) as Box<dyn Write>, None)),
            OutputKind::Stream(Stream::Err) => Ok((Box::new(io::stderr()) as _, None)),
            OutputKind::Device => open_existing(&path).map(|file| (Box::new(file) as _, None)),
            OutputKind::InPlace => File::create(&path).map(|file| (Box::new(file) as _, None)),
            OutputKind::Regular { target } => unfinished_beside(&target)
                .map(|(file, unfinished)| (Box::new(file) as _, Some((unfinished, target)))),
        };
        let (to, unfinished) = begun.map_err(|error| cannot_write(&path, error))?;
        Ok(OutputWriter {
            path,
            to: Some(BufWriter::new(to)),
            unfinished,
            is_stream,
        })
    }

    /// Writes the whole result.
    pub(crate) fn write(self, bytes: &[u8]) -> Result<(), Error> {
        let mut writer = self.begin()?;
        writer.write(bytes)?;
        writer.finish()
    }
}

impl OutputWriter {
    /// Writes a part of the result.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let written = match &mut self.to {
            Some(to) => to.write_all(bytes),
            None => Ok(()),
        };
        written.map_err(|error| self.failed(error))
    }

    /// Completes the output: renames the unfinished file to its final name.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let flushed = match self.to.take() {
            Some(mut to) => to.flush(),
            None => Ok(()),
        };
        flushed.map_err(|error| self.failed(error))?;
        if let Some((unfinished, target)) = &self.unfinished {
            // An existing file keeps its permissions.
            if let Ok(metadata) = fs::metadata(target) {
                let _ = fs::set_permissions(unfinished, metadata.permissions());
            }
            fs::rename(unfinished, target).map_err(|error| self.failed(error))?;
            self.unfinished = None;
        }
        Ok(())
    }

    /// Returns the error of a failed write, with the file's name.
    pub(crate) fn failed(&self, error: io::Error) -> Error {
        if self.is_stream {
            Error::Output(error)
        } else {
            cannot_write(&self.path, error)
        }
    }
}

/// For encoders, which write to a [`Write`].
impl Write for OutputWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let to = self.to.as_mut();
        to.map_or(Ok(bytes.len()), |to| to.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for OutputWriter {
    fn drop(&mut self) {
        if let Some((unfinished, _)) = &self.unfinished {
            // Some systems remove a file only after it is closed. A failure to remove the unfinished file is not
            // reported.
            self.to = None;
            let _ = fs::remove_file(unfinished);
        }
    }
}

fn cannot_write(path: &Path, error: io::Error) -> Error {
    Error::Write {
        path: path.to_owned(),
        error,
    }
}

/// Returns the kind of file at a path.
fn kind(path: &Path) -> io::Result<OutputKind> {
    if path == Path::new("/dev/stdout") {
        return Ok(OutputKind::Stream(Stream::Out));
    }
    if path == Path::new("/dev/stderr") {
        return Ok(OutputKind::Stream(Stream::Err));
    }
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let target = path.to_owned();
            try_beside(&target)?;
            return Ok(OutputKind::Regular { target });
        }
        Err(error) => return Err(error),
    };
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        refuse_pipe(path, &metadata)?;
        return Ok(OutputKind::Device);
    }
    // Opens the file without truncating it.
    open_existing(path)?;
    // A symbolic link stays: its target file is replaced.
    let target = path.canonicalize()?;
    Ok(match try_beside(&target) {
        Ok(()) => OutputKind::Regular { target },
        Err(_) => OutputKind::InPlace,
    })
}

/// Refuses a named pipe, because opening it blocks until a reader opens it. A pipe that the shell opened already has
/// its reader and is accepted.
fn refuse_pipe(path: &Path, metadata: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let is_open = ["/dev/fd", "/proc/self/fd"].map(|folder| path.starts_with(folder));
        let file_type = metadata.file_type();
        if file_type.is_fifo() && !is_open.contains(&true) || file_type.is_block_device() {
            return Err(io::Error::other(
                "it is no regular file; write to a file, or to /dev/stdout and pipe that",
            ));
        }
    }
    let _ = (path, metadata);
    Ok(())
}

fn open_existing(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).open(path)
}

/// Tests whether a file can be created beside this one; the test file is removed at once.
fn try_beside(target: &Path) -> io::Result<()> {
    let (file, unfinished) = unfinished_beside(target)?;
    drop(file);
    fs::remove_file(unfinished)
}

/// Creates a new file in the folder of `target`.
fn unfinished_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    if target.file_name().is_none() {
        return Err(io::ErrorKind::NotFound.into());
    }
    let mut number = 0;
    loop {
        let name = format!(".opendoor-{}-{number}.unfinished", std::process::id());
        let path = target.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((file, path)),
            // The name is in use by a file that another run left.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 100 => {
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder of this test, deleted on drop.
    struct TestFolder(PathBuf);

    impl TestFolder {
        fn new(test: &str) -> Self {
            let name = format!("opendoor-output-{test}-{}", std::process::id());
            let folder = std::env::temp_dir().join(name);
            let _ = fs::remove_dir_all(&folder);
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        }
    }

    impl Drop for TestFolder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_check_leaves_nothing_and_a_written_file_is_whole() {
        let folder = TestFolder::new("whole");
        let path = folder.0.join("a.png");
        let output = Output::at(&path).unwrap();
        assert!(folder.names().is_empty());
        output.write(b"1234").unwrap();
        assert_eq!(
            (folder.names(), fs::read(&path).unwrap()),
            (vec!["a.png".to_owned()], b"1234".to_vec())
        );
        Output::at(&path).unwrap().write(b"5").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"5");
    }

    #[test]
    fn a_dropped_writer_leaves_the_old_file_as_it_was() {
        let folder = TestFolder::new("dropped");
        let path = folder.0.join("a.csv");
        fs::write(&path, b"old").unwrap();
        for name in ["a.csv", "b.csv"] {
            let mut writer = Output::at(&folder.0.join(name)).unwrap().begin().unwrap();
            writer.write(b"new").unwrap();
        }
        assert_eq!(
            (folder.names(), fs::read(&path).unwrap()),
            (vec!["a.csv".to_owned()], b"old".to_vec())
        );
    }

    #[test]
    fn folders_and_files_in_none_are_refused() {
        let folder = TestFolder::new("refused");
        for wrong in ["", "none/a.png", ".", "..", "file/a.png"] {
            fs::write(folder.0.join("file"), b"").unwrap();
            let path = if wrong.is_empty() {
                PathBuf::new()
            } else {
                folder.0.join(wrong)
            };
            assert!(
                matches!(Output::at(&path), Err(Error::Write { .. })),
                "{wrong}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_leads_to_the_file_that_is_written_and_a_device_stays_one() {
        let folder = TestFolder::new("links");
        let (file, link) = (folder.0.join("file"), folder.0.join("link"));
        fs::write(&file, b"old").unwrap();
        std::os::unix::fs::symlink("file", &link).unwrap();
        Output::at(&link).unwrap().write(b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let null = Path::new("/dev/null");
        Output::at(null).unwrap().write(b"new").unwrap();
        assert!(!fs::metadata(null).unwrap().is_file());
    }
}
