//! Ids of what a model declares. Each is a type of its own, keys a table of [`crate::model::CheckedModel`], and prints as
//! something one can search for (`proc2`, `var7`).

use cranelift_entity::entity_impl;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    };
}

id!(
    /// A proctype, `init`, or a claim's body.
    ProcTypeId,
    "proc"
);
id!(
    /// A variable in one table: the globals of the model, or the locals of one proctype.
    VarId,
    "var"
);
id!(
    /// A `typedef`.
    StructId,
    "struct"
);
id!(
    /// A kind of channel: capacity and message fields.
    ChanTypeId,
    "chantype"
);
id!(
    /// A set of mtype names; `mset0` is the unnamed one.
    MtypeSetId,
    "mset"
);
id!(
    /// A label inside one proctype.
    LabelId,
    "label"
);
