//! References to variables: `a`, `a[i]`, `a[i].b[j].c`, resolved part by part.
//!
//! A [`Reference`] may still be a whole structure (to be flattened for a message or a parameter); a [`Place`] is one that
//! has come down to a single value.

use super::Checker;
use super::constant::literal;
use super::nearest::nearest;
use super::run;
use crate::ast::{self, VarRef, VarRefPart};
use crate::diagnostics::{name as names, process, types as finding};
use crate::ids::{StructId, VarId};
use crate::model::{BasicType, Expr, ExprKind, FieldAccess, Place, Scope, Var, VarType};
use crate::source::Span;

/// A resolved reference whose type may still be a structure.
#[derive(Clone)]
pub(super) struct Reference {
    scope: Scope,
    var: VarId,
    index: Option<Box<Expr>>,
    fields: Vec<FieldAccess>,
    /// Type of what is referred to.
    pub ty: VarType,
    /// An array without its index: how many elements it has.
    pub whole_array: Option<u32>,
    span: Span,
}

impl Reference {
    fn place(self, ty: BasicType) -> Place {
        Place { scope: self.scope, var: self.var, index: self.index, fields: self.fields, ty, span: self.span }
    }

    /// The variable, if this is one without index or field.
    pub fn bare(&self) -> Option<(Scope, VarId)> {
        (self.index.is_none() && self.fields.is_empty()).then_some((self.scope, self.var))
    }
}

impl Checker<'_> {
    /// A reference to a single value.
    pub(super) fn place(&mut self, var: &VarRef) -> Option<Place> {
        let reference = self.reference(var)?;
        self.single(reference, var)
    }

    /// A place that is read.
    pub(super) fn read_place(&mut self, var: &VarRef) -> Option<Place> {
        let place = self.place(var)?;
        self.uses.read(&place);
        Some(place)
    }

    /// A place that is written.
    pub(super) fn written_place(&mut self, var: &VarRef) -> Option<Place> {
        let place = self.place(var)?;
        self.uses.write(&place);
        Some(place)
    }

    /// Demands that a reference has come down to one value.
    pub(super) fn single(&mut self, reference: Reference, var: &VarRef) -> Option<Place> {
        if let Some(len) = reference.whole_array {
            self.report(finding::missing_index(var, len));
            return None;
        }
        match reference.ty {
            VarType::Basic(ty) => Some(reference.place(ty)),
            VarType::Struct(id) => {
                let declared = &self.model.structs[id];
                let finding = finding::whole_structure(var, &declared.name, declared.span);
                self.report(finding);
                None
            }
        }
    }

    /// Resolves a reference.
    pub(super) fn reference(&mut self, var: &VarRef) -> Option<Reference> {
        let first = var.parts.first()?;
        let Some((scope, id)) = self.lookup_var(&first.name.text) else {
            let finding = self.undeclared(&first.name);
            self.report(finding);
            return None;
        };
        let declared = self.var(scope, id).clone();
        self.reference_to(scope, id, &declared, var)
    }

    /// A place among the locals of another process.
    pub(super) fn remote_place(&mut self, id: VarId, declared: &Var, var: &VarRef) -> Option<Place> {
        let reference = self.reference_to(Scope::Local, id, declared, var)?;
        self.single(reference, var)
    }

    /// Follows indices and fields from a variable.
    fn reference_to(&mut self, scope: Scope, id: VarId, declared: &Var, var: &VarRef) -> Option<Reference> {
        let (first, rest) = var.parts.split_first()?;
        let (index, mut whole_array) = self.index(declared, first)?;
        let mut ty = declared.ty;
        let mut fields = Vec::with_capacity(rest.len());
        for part in rest {
            if let Some(len) = whole_array {
                self.report(finding::missing_index(var, len));
                return None;
            }
            let VarType::Struct(parent) = ty else {
                self.report(finding::field_of_value(part, var));
                return None;
            };
            let field = self.field(parent, part)?;
            let declared = self.model.structs[parent].fields[field].clone();
            let (index, open) = self.index(&declared, part)?;
            whole_array = open;
            ty = declared.ty;
            fields.push(FieldAccess { parent, field, index });
        }
        Some(Reference { scope, var: id, index, fields, ty, whole_array, span: var.span })
    }

    /// All single values of a reference, in order: structures and the arrays inside them are written out.
    pub(super) fn flatten(&mut self, reference: Reference, var: &VarRef) -> Option<Vec<Place>> {
        if let Some(len) = reference.whole_array {
            self.report(finding::missing_index(var, len));
            return None;
        }
        let mut leaves = Vec::new();
        self.leaves(reference, &mut leaves);
        Some(leaves)
    }

    fn leaves(&self, reference: Reference, leaves: &mut Vec<Place>) {
        match reference.ty {
            VarType::Basic(ty) => leaves.push(reference.place(ty)),
            VarType::Struct(parent) => {
                for (field, declared) in self.model.structs[parent].fields.iter() {
                    for element in 0..declared.len.unwrap_or(1) {
                        let at = ExprKind::Const(i32::try_from(element).unwrap_or(i32::MAX));
                        let index = declared.len.map(|_| Box::new(Expr { kind: at, span: reference.span }));
                        let mut inner = reference.clone();
                        inner.fields.push(FieldAccess { parent, field, index });
                        inner.ty = declared.ty;
                        self.leaves(inner, leaves);
                    }
                }
            }
        }
    }

    fn field(&mut self, parent: StructId, part: &VarRefPart) -> Option<VarId> {
        let structure = &self.model.structs[parent];
        let found = structure.fields.iter().find(|(_, field)| *field.name == *part.name.text);
        if let Some((id, _)) = found {
            return Some(id);
        }
        let near = nearest(&part.name.text, structure.fields.values().map(|field| &*field.name));
        let finding = names::unknown_field(&part.name, &structure.name, structure.span, near);
        self.report(finding);
        None
    }

    /// The index of one part: what to keep, and the length if an array stands there without one.
    fn index(&mut self, declared: &Var, part: &VarRefPart) -> Option<(Option<Box<Expr>>, Option<u32>)> {
        match (&part.index, declared.len) {
            (None, len) => Some((None, len)),
            (Some(index), None) => {
                if literal(index) == Some(0) {
                    return Some((None, None));
                }
                self.report(finding::index_of_scalar(part, declared.span));
                None
            }
            (Some(index), Some(_)) if run::count(index) > 0 => {
                self.report(process::run_in_index(index.span));
                None
            }
            (Some(index), Some(len)) => {
                let index = self.value(index)?;
                if let ExprKind::Const(at) = index.kind
                    && u32::try_from(at).map_or(true, |at| at >= len)
                {
                    self.report(finding::index_out_of_range(part, at, len, declared.span));
                }
                Some((Some(Box::new(index)), None))
            }
        }
    }

    /// The finding for a name that means nothing (or nothing fitting) here.
    pub(super) fn undeclared(&self, name: &ast::Name) -> crate::diagnostics::Diagnostic {
        if let Some(&(_, place)) = self.globals.names.get(&name.text) {
            return names::not_a_variable(name, place);
        }
        let locals = self.body.iter().flat_map(|body| body.visible());
        let globals = self.globals.names.keys().map(|known| &**known);
        names::undeclared(name, nearest(&name.text, locals.chain(globals)))
    }
}
