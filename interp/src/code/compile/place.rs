//! Places to fields: the path through arrays and structures, folded where its indices are constant.

use promela::model::{Expr, Place, Scope};

use super::Compiler;
use crate::code::layout::Slot;
use crate::code::program::{Node, Path, Target};
use crate::code::state::{Array, Field};
use crate::ids::NodeId;

/// What a place means.
pub(super) enum Resolved {
    /// Somewhere in the state (or nowhere).
    Target(Target),
    /// A channel or an argument that never changes.
    Const(i32),
    /// One of several such channels.
    ChannelElement { first: i32, len: u32, index: NodeId },
}

impl<'m> Compiler<'_, 'm> {
    /// The value at a place.
    pub(super) fn load(&mut self, place: &'m Place) -> NodeId {
        let node = match self.resolve(place) {
            Resolved::Target(Target::Field(field)) => Node::Load(field),
            Resolved::Target(Target::Element { array, index }) => Node::Element { array, index },
            Resolved::Target(Target::Path(path)) => Node::Path(path),
            Resolved::Target(Target::Nowhere) => Node::Const(0),
            Resolved::Const(value) => Node::Const(value),
            Resolved::ChannelElement { first, len, index } => Node::ChannelElement { first, len, index },
        };
        let id = self.node(node, place.span);
        self.note_names(id, place);
        id
    }

    /// Where to store at a place.
    pub(super) fn target(&mut self, place: &'m Place) -> Target {
        match self.resolve(place) {
            Resolved::Target(target) => target,
            // Channels that are written are not constant.
            Resolved::Const(_) | Resolved::ChannelElement { .. } => Target::Nowhere,
        }
    }

    fn resolve(&mut self, place: &'m Place) -> Resolved {
        let layout = self.layout;
        let slot = match (place.scope, self.template) {
            (Scope::Global, _) => &layout.globals[place.var],
            (Scope::Local, Some(template)) => &layout.templates[template].locals[place.var],
            (Scope::Local, None) => &None,
        };
        self.resolve_slot(place, slot)
    }

    /// Follows the path of `place` from the slot of its variable.
    pub(super) fn resolve_slot(&mut self, place: &'m Place, slot: &Option<Slot>) -> Resolved {
        let Some(mut slot) = slot.as_ref() else { return Resolved::Target(Target::Nowhere) };
        let mut index = place.index.as_deref();
        let mut fields = place.fields.iter();
        let mut walk = Walk::default();
        loop {
            match slot {
                Slot::Value(field) => return Resolved::Target(self.finish(walk, *field)),
                Slot::Values(array) => return Resolved::Target(self.finish_array(walk, *array, index)),
                Slot::Constant(value) | Slot::Channel(value) => return Resolved::Const(*value),
                Slot::Channels { first, len } => {
                    let (first, len) = (*first, *len);
                    return match self.index(index) {
                        Index::Const(at) if at < len => Resolved::Const(first + at as i32),
                        Index::Const(at) => {
                            let index = self.node(Node::Const(at as i32), place.span);
                            Resolved::ChannelElement { first, len, index }
                        }
                        Index::Node(index) => Resolved::ChannelElement { first, len, index },
                    };
                }
                Slot::Struct(slots) => {
                    let Some(access) = fields.next() else { return Resolved::Target(Target::Nowhere) };
                    slot = &slots[access.field.as_u32() as usize];
                    index = access.index.as_deref();
                }
                Slot::Structs { word, local, stride, len, element } => {
                    walk.local |= *local;
                    walk.offset += word;
                    match self.index(index) {
                        Index::Const(at) if at < *len => walk.offset += at * stride,
                        Index::Const(at) => {
                            let node = self.node(Node::Const(at as i32), place.span);
                            walk.dimensions.push((node, *len, *stride));
                        }
                        Index::Node(node) => walk.dimensions.push((node, *len, *stride)),
                    }
                    let Some(access) = fields.next() else { return Resolved::Target(Target::Nowhere) };
                    slot = &element[access.field.as_u32() as usize];
                    index = access.index.as_deref();
                }
            }
        }
    }

    fn index(&mut self, index: Option<&'m Expr>) -> Index {
        let Some(index) = index else { return Index::Const(0) };
        let node = self.expr(index);
        match self.program.nodes[node] {
            Node::Const(value) if value >= 0 && !self.is_plain => Index::Const(value as u32),
            _ => Index::Node(node),
        }
    }

    fn finish(&mut self, walk: Walk, field: Field) -> Target {
        let field = walk.moved(field);
        if walk.dimensions.is_empty() {
            return Target::Field(field);
        }
        self.path(Path { first: field, dimensions: walk.dimensions, last: None })
    }

    fn finish_array(&mut self, walk: Walk, array: Array, index: Option<&'m Expr>) -> Target {
        let array = Array { first: walk.moved(array.first), ..array };
        let span = index.map_or_else(Default::default, |index| index.span);
        let node = match self.index(index) {
            Index::Const(at) if at < array.len => {
                let field = array.element(at);
                return match walk.dimensions.is_empty() {
                    true => Target::Field(field),
                    false => self.path(Path { first: field, dimensions: walk.dimensions, last: None }),
                };
            }
            Index::Const(at) => self.node(Node::Const(at as i32), span),
            Index::Node(node) => node,
        };
        if walk.dimensions.is_empty() {
            self.program.arrays.push(array);
            return Target::Element { array: self.program.arrays.len() as u32 - 1, index: node };
        }
        self.path(Path { first: array.first, dimensions: walk.dimensions, last: Some((node, array)) })
    }

    fn path(&mut self, path: Path) -> Target {
        self.program.paths.push(path);
        Target::Path(self.program.paths.len() as u32 - 1)
    }
}

enum Index {
    Const(u32),
    Node(NodeId),
}

/// What a path has gone through so far.
#[derive(Default)]
struct Walk {
    offset: u32,
    local: bool,
    dimensions: Vec<(NodeId, u32, u32)>,
}

impl Walk {
    fn moved(&self, field: Field) -> Field {
        Field { word: field.word + self.offset, local: field.local || self.local, ..field }
    }
}
