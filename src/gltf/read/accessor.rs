//! Reads the numbers of accessors from buffers. The counts, offsets and strides in the file are not trusted: it is
//! checked that all bytes lie within their buffer view, and the view within its buffer.

use gltf::json::accessor::{ComponentType, Type};
use gltf::json::validation::Checked;
use gltf::json::{self, Accessor};

/// The reason why an accessor cannot be read. The caller adds the location (node, mesh, attribute).
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum AccessorError {
    #[error("there is no accessor {0}")]
    NoAccessor(usize),
    #[error("there is no bufferView {0}")]
    NoView(usize),
    #[error("bufferView {view} is of buffer {buffer}, which does not exist or could not be read")]
    NoBuffer { view: usize, buffer: usize },
    #[error(
        "bufferView {view} (byteOffset {offset}, byteLength {length}) does not fit in its buffer of {size} bytes"
    )]
    ViewOutside {
        view: usize,
        offset: u64,
        length: u64,
        size: usize,
    },
    #[error(
        "accessor {accessor} (count {count}, byteOffset {offset}, byteStride {stride}) does not fit in its bufferView {view} of {size} bytes"
    )]
    Outside {
        accessor: usize,
        count: u64,
        offset: u64,
        stride: u64,
        view: usize,
        size: usize,
    },
    #[error("byteStride {stride} of bufferView {view} is less than an element of {element} bytes")]
    Stride {
        view: usize,
        stride: usize,
        element: usize,
    },
    #[error("accessor {accessor} has type {found}, expected {expected}")]
    Type {
        accessor: usize,
        found: String,
        expected: &'static str,
    },
    #[error("accessor {accessor} has a componentType ({found}) that cannot stand here")]
    Component { accessor: usize, found: String },
    #[error(
        "accessor {accessor} has count {count} without a bufferView; at most {MAX_ZEROS} zeros are made from nothing"
    )]
    TooManyZeros { accessor: usize, count: u64 },
    #[error("sparse accessor {accessor} replaces {sparse} of its {count} elements")]
    SparseCount {
        accessor: usize,
        sparse: u64,
        count: u64,
    },
    #[error("sparse accessor {accessor} replaces element {index} of {count}")]
    SparseIndex {
        accessor: usize,
        index: u32,
        count: u64,
    },
    #[error("the level has more than {MAX_ELEMENTS} vertices and indices; split it")]
    TooMuch,
}

/// Maximum number of elements of an accessor without a buffer view. Such elements are zeros that take no space in the
/// file, so a few bytes could request any amount of memory.
const MAX_ZEROS: u64 = 1 << 20;

/// Maximum number of elements read for one level. Because several primitives may share an accessor, a small file could
/// otherwise cause hours of reading. A level with 16,384 furnished rooms needs 30 million.
const MAX_ELEMENTS: u64 = 1 << 26;

/// The buffers of a document, with its accessors and buffer views.
pub(crate) struct AccessorBuffers<'a> {
    views: &'a [json::buffer::View],
    accessors: &'a [Accessor],
    /// The bytes of each buffer, cut to its `byteLength`; `None` if it could not be read.
    bytes: &'a [Option<&'a [u8]>],
    elements_left: u64,
}

impl<'a> AccessorBuffers<'a> {
    /// The buffers of the document `root`, whose contents are `bytes`.
    pub(crate) fn new(root: &'a json::Root, bytes: &'a [Option<&'a [u8]>]) -> Self {
        Self {
            views: &root.buffer_views,
            accessors: &root.accessors,
            bytes,
            elements_left: MAX_ELEMENTS,
        }
    }

    /// The bytes of a buffer view.
    pub(crate) fn view(&self, index: usize) -> Result<&'a [u8], AccessorError> {
        let view = self.views.get(index).ok_or(AccessorError::NoView(index))?;
        let buffer = view.buffer.value();
        let bytes = self.bytes.get(buffer).copied().flatten();
        let bytes = bytes.ok_or(AccessorError::NoBuffer {
            view: index,
            buffer,
        })?;
        let (offset, length) = (view.byte_offset.unwrap_or_default().0, view.byte_length.0);
        within(bytes, offset, length).ok_or(AccessorError::ViewOutside {
            view: index,
            offset,
            length,
            size: bytes.len(),
        })
    }

    /// The elements of an accessor as vectors of `N` components; 1 for scalars. Integers are converted to floats; if
    /// the accessor is normalized, they are divided by their greatest value.
    pub(crate) fn vectors<const N: usize>(
        &mut self,
        index: usize,
    ) -> Result<Vec<[f32; N]>, AccessorError> {
        let kind = match N {
            1 => Type::Scalar,
            2 => Type::Vec2,
            3 => Type::Vec3,
            _ => Type::Vec4,
        };
        let normalized = self.accessors.get(index).is_some_and(|a| a.normalized);
        let unit = |greatest: f32| if normalized { greatest } else { 1.0 };
        // The least signed integer gives slightly less than -1, which the standard clamps.
        let signed = |x: f32, greatest: f32| {
            let x = x / unit(greatest);
            if normalized { x.max(-1.0) } else { x }
        };
        match self.component_type(index)? {
            ComponentType::F32 => self.read(index, kind, f32::from_le_bytes),
            ComponentType::U8 => self.read(index, kind, |[b]| f32::from(b) / unit(255.0)),
            ComponentType::I8 => self.read(index, kind, |b| {
                signed(f32::from(i8::from_le_bytes(b)), 127.0)
            }),
            ComponentType::U16 => self.read(index, kind, |b| {
                f32::from(u16::from_le_bytes(b)) / unit(65535.0)
            }),
            ComponentType::I16 => self.read(index, kind, |b| {
                signed(f32::from(i16::from_le_bytes(b)), 32767.0)
            }),
            found @ ComponentType::U32 => Err(AccessorError::Component {
                accessor: index,
                found: format!("{found:?}"),
            }),
        }
    }

    /// The elements of an accessor of floats, with `N` floats each.
    pub(crate) fn floats<const N: usize>(
        &mut self,
        index: usize,
        kind: Type,
    ) -> Result<Vec<[f32; N]>, AccessorError> {
        match self.component_type(index)? {
            ComponentType::F32 => self.read(index, kind, f32::from_le_bytes),
            found => Err(AccessorError::Component {
                accessor: index,
                found: format!("{found:?}"),
            }),
        }
    }

    /// Whether an accessor contains vectors of four numbers.
    pub(crate) fn is_vec4(&self, index: usize) -> bool {
        let accessor = self.accessors.get(index);
        accessor.is_some_and(|a| a.type_ == Checked::Valid(Type::Vec4))
    }

    /// The elements of an accessor of vertex indices. The caller checks that the indices are in range.
    pub(crate) fn indices(&mut self, index: usize) -> Result<Vec<u32>, AccessorError> {
        let one = match self.component_type(index)? {
            ComponentType::U8 => self.read(index, Type::Scalar, |[b]| u32::from(b)),
            ComponentType::U16 => {
                self.read(index, Type::Scalar, |b| u32::from(u16::from_le_bytes(b)))
            }
            ComponentType::U32 => self.read(index, Type::Scalar, u32::from_le_bytes),
            found => Err(AccessorError::Component {
                accessor: index,
                found: format!("{found:?}"),
            }),
        };
        one.map(|ones| ones.into_iter().map(|[i]| i).collect())
    }

    fn accessor(&self, index: usize) -> Result<&'a Accessor, AccessorError> {
        let accessors = self.accessors;
        accessors.get(index).ok_or(AccessorError::NoAccessor(index))
    }

    fn component_type(&self, index: usize) -> Result<ComponentType, AccessorError> {
        match self.accessor(index)?.component_type {
            Checked::Valid(kind) => Ok(kind.0),
            Checked::Invalid => Err(AccessorError::Component {
                accessor: index,
                found: "unknown".to_owned(),
            }),
        }
    }

    /// All elements of an accessor whose elements have `N` components of `B` bytes.
    fn read<T: Copy + Default, const N: usize, const B: usize>(
        &mut self,
        index: usize,
        expected: Type,
        component: impl Fn([u8; B]) -> T,
    ) -> Result<Vec<[T; N]>, AccessorError> {
        let accessor = self.accessor(index)?;
        check_type(index, accessor, expected)?;
        let count = accessor.count.0;
        let left = self.elements_left.checked_sub(count);
        let element = |bytes: &[u8]| {
            let mut values = [T::default(); N];
            for (value, bytes) in values.iter_mut().zip(bytes.as_chunks::<B>().0) {
                *value = component(*bytes);
            }
            values
        };
        let mut elements = match accessor.buffer_view {
            Some(view) => {
                let offset = accessor.byte_offset.unwrap_or_default().0;
                let (bytes, stride) =
                    self.element_bytes(index, view.value(), offset, count, N * B)?;
                self.elements_left = left.ok_or(AccessorError::TooMuch)?;
                bytes.chunks(stride).map(element).collect()
            }
            None if count > MAX_ZEROS => {
                return Err(AccessorError::TooManyZeros {
                    accessor: index,
                    count,
                });
            }
            None => {
                self.elements_left = left.ok_or(AccessorError::TooMuch)?;
                vec![[T::default(); N]; count as usize]
            }
        };
        if let Some(sparse) = &accessor.sparse {
            let replaced = sparse.count.0;
            if replaced > count {
                return Err(AccessorError::SparseCount {
                    accessor: index,
                    sparse: replaced,
                    count,
                });
            }
            let indices = self.sparse_indices(index, &sparse.indices, replaced)?;
            let (view, offset) = (sparse.values.buffer_view, sparse.values.byte_offset.0);
            let (bytes, stride) =
                self.element_bytes(index, view.value(), offset, replaced, N * B)?;
            for (at, bytes) in indices.into_iter().zip(bytes.chunks(stride)) {
                let outside = AccessorError::SparseIndex {
                    accessor: index,
                    index: at,
                    count,
                };
                *elements.get_mut(at as usize).ok_or(outside)? = element(bytes);
            }
        }
        Ok(elements)
    }

    fn sparse_indices(
        &self,
        accessor: usize,
        indices: &json::accessor::sparse::Indices,
        count: u64,
    ) -> Result<Vec<u32>, AccessorError> {
        let Checked::Valid(kind) = &indices.component_type else {
            return Err(AccessorError::Component {
                accessor,
                found: "unknown, of its sparse indices".to_owned(),
            });
        };
        let (view, offset, size) = (
            indices.buffer_view.value(),
            indices.byte_offset.0,
            kind.0.size(),
        );
        let (bytes, stride) = self.element_bytes(accessor, view, offset, count, size)?;
        let index = |bytes: &[u8]| {
            let mut word = [0; 4];
            for (to, from) in word.iter_mut().zip(&bytes[..size]) {
                *to = *from;
            }
            u32::from_le_bytes(word)
        };
        Ok(bytes.chunks(stride).map(index).collect())
    }

    /// The bytes from the start of the first element to the end of the last, and the stride between elements. The
    /// caller splits the bytes into chunks of the stride; each of these `count` chunks has at least `element` bytes.
    fn element_bytes(
        &self,
        accessor: usize,
        view: usize,
        offset: u64,
        count: u64,
        element: usize,
    ) -> Result<(&'a [u8], usize), AccessorError> {
        let bytes = self.view(view)?;
        let stride = self.views.get(view).and_then(|v| v.byte_stride);
        let stride = stride.map_or(element, |stride| stride.0);
        if stride < element {
            return Err(AccessorError::Stride {
                view,
                stride,
                element,
            });
        }
        if count == 0 {
            return Ok((&[], stride));
        }
        let length = (count - 1).checked_mul(stride as u64);
        let length = length.and_then(|before_last| before_last.checked_add(element as u64));
        let found = length.and_then(|length| within(bytes, offset, length));
        let outside = AccessorError::Outside {
            accessor,
            count,
            offset,
            stride: stride as u64,
            view,
            size: bytes.len(),
        };
        found.map(|bytes| (bytes, stride)).ok_or(outside)
    }
}

fn check_type(index: usize, accessor: &Accessor, expected: Type) -> Result<(), AccessorError> {
    let found = match accessor.type_ {
        Checked::Valid(found) if found == expected => return Ok(()),
        Checked::Valid(found) => format!("{found:?}").to_uppercase(),
        Checked::Invalid => "unknown".to_owned(),
    };
    Err(AccessorError::Type {
        accessor: index,
        found,
        expected: match expected {
            Type::Scalar => "SCALAR",
            Type::Vec2 => "VEC2",
            Type::Vec4 => "VEC4",
            Type::Mat4 => "MAT4",
            _ => "VEC3",
        },
    })
}

/// The `length` bytes from `offset` on; `None` if there are fewer.
fn within(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    let end = offset.checked_add(length)?;
    bytes.get(usize::try_from(offset).ok()?..usize::try_from(end).ok()?)
}
