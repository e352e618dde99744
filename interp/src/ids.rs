//! Ids of what is compiled: locations and the flat program's pieces.

use cranelift_entity::entity_impl;

/// A control location inside one proctype. Prints as `pc7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pc(u32);
entity_impl!(Pc, "pc");

/// A step that can be tried at some location. Prints as `edge7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(u32);
entity_impl!(EdgeId, "edge");

/// An expression in the flat program. Prints as `node7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);
entity_impl!(NodeId, "node");

/// An expression that stands outside of the model, in the order given. Prints as `expr2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExpressionId(u32);
entity_impl!(ExpressionId, "expr");

/// A never claim of the model, in textual order. Prints as `claim1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimId(u32);
entity_impl!(ClaimId, "claim");

/// Compiled code of one proctype, or of one process instance when all processes are known beforehand.
/// Prints as `class2`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateId(u32);
entity_impl!(TemplateId, "template");
