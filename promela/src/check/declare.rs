//! Declarations: mtype sets, structures, and variables with their types, sizes and initial values.
//!
//! Symbolic names are numbered from the last one written, which is 1; a later declaration of the same set continues
//! above. A local that is declared behind the first statement of its body gets its value at a step of its own.

use cranelift_entity::PrimaryMap;

use super::constant::{bare_name, literal};
use super::scope::Global;
use super::value::Kind;
use super::{Checker, text, unnamed_set};
use crate::ast::{self, Declarator, Initializer, TypeName, VarDecl, Visibility};
use crate::diagnostics::{channel, constant, declaration as finding, name as names, types};
use crate::ids::{ChanTypeId, MtypeSetId, StructId, VarId};
use crate::model::{BasicType, ChanType, Expr, ExprKind, Init, MtypeSet, Struct, Var, VarType};
use crate::source::Span;

/// Most elements an array may have; more would not fit in any state.
const MAX_ARRAY: i32 = 1 << 20;
/// Elements of an array whose size is a variable that says nothing: SPIN's choice.
const SIZE_OF_UNSET: i32 = 8;
/// Most slots a channel may have.
const MAX_CAPACITY: i32 = 0xffff;
/// Most names in one mtype set: 0 means none, and values are bytes.
const MAX_MTYPES: usize = 255;

/// Where a variable is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Home {
    /// At the top level.
    Global,
    /// In a structure.
    Field,
    /// In a parameter list.
    Parameter,
    /// In a body, before any statement.
    Start,
    /// In a body, behind a statement or in a block.
    Step,
}

impl Checker<'_> {
    /// `mtype[:set] = { … }`.
    pub(super) fn mtype_decl(&mut self, decl: &ast::MtypeDecl) {
        let set = match &decl.set {
            Some(name) => self.mtype_set(name),
            None => unnamed_set(),
        };
        let known = self.model.mtypes[set].names.len();
        if known + decl.names.len() > MAX_MTYPES {
            self.report(finding::too_many_mtypes(decl.span, known + decl.names.len()));
            return;
        }
        for name in decl.names.iter().rev() {
            let value = self.model.mtypes[set].names.len() + 1;
            let value = Global::Mtype(set, i32::try_from(value).unwrap_or(i32::MAX));
            if self.declare_global(&name.text, name.span, value) {
                self.model.mtypes[set].names.push(text(name));
            }
        }
    }

    /// The set of this name; a new one if it is the first mention.
    fn mtype_set(&mut self, name: &ast::Name) -> MtypeSetId {
        if let Some(&set) = self.globals.sets.get(&name.text) {
            return set;
        }
        let set = self.model.mtypes.push(MtypeSet { name: Some(text(name)), names: Vec::new() });
        self.globals.sets.insert(text(name), set);
        set
    }

    /// `typedef T { … }`.
    pub(super) fn typedef(&mut self, typedef: &ast::Typedef) {
        let mut fields: PrimaryMap<VarId, Var> = PrimaryMap::new();
        for decl in &typedef.fields {
            for declarator in &decl.declarators {
                let taken = self.globals.names.get(&declarator.name.text);
                let constant = match taken {
                    Some((Global::Var(_), _)) | None => None,
                    Some((_, place)) => Some(*place),
                };
                let earlier =
                    fields.values().find(|field| *field.name == *declarator.name.text).map(|field| field.span);
                if let Some(earlier) = earlier.or(constant) {
                    self.report(names::redeclared(&declarator.name.text, declarator.name.span, earlier));
                } else if let Some(field) = self.variable_of(decl, declarator, Home::Field) {
                    fields.push(field);
                }
            }
        }
        let name = &typedef.name;
        let id = StructId::from_u32(u32::try_from(self.model.structs.len()).unwrap_or(u32::MAX));
        if self.declare_global(&name.text, name.span, Global::Struct(id)) {
            self.model.structs.push(Struct { name: text(name), fields, span: name.span });
        }
    }

    /// A declaration at the top level.
    pub(super) fn global_vars(&mut self, decl: &VarDecl) {
        for declarator in &decl.declarators {
            let Some(var) = self.variable_of(decl, declarator, Home::Global) else {
                continue;
            };
            let id = VarId::from_u32(u32::try_from(self.model.globals.len()).unwrap_or(u32::MAX));
            let name = &declarator.name;
            if self.declare_global(&name.text, name.span, Global::Var(id)) {
                self.model.globals.push(var);
            }
        }
    }

    /// The declared variable: type, length, initial value.
    pub(super) fn variable_of(&mut self, decl: &VarDecl, declarator: &Declarator, home: Home) -> Option<Var> {
        let hidden = decl.visibility == Some(Visibility::Hidden);
        if hidden && home != Home::Global {
            self.report(finding::hidden_local(decl.span, &declarator.name.text));
        }
        let ty = self.declared_type(&decl.ty, declarator);
        let len = match &declarator.size {
            Some(size) => Some(self.array_size(size, declarator)?),
            None => None,
        };
        if home == Home::Parameter {
            self.check_parameter(declarator, ty, len);
        }
        let ty = ty?;
        let init = self.initial(declarator, ty, len, home)?;
        Some(Var {
            name: text(&declarator.name),
            ty,
            len,
            hidden,
            init,
            declared_by_step: home == Home::Step && matches!(ty, VarType::Basic(_)),
            span: declarator.name.span,
        })
    }

    fn declared_type(&mut self, ty: &TypeName, declarator: &Declarator) -> Option<VarType> {
        if let TypeName::Unsigned = ty {
            return self.unsigned(declarator).map(VarType::Basic);
        }
        if let Some(width) = &declarator.width
            && literal(width) != Some(0)
        {
            self.report(finding::width_of_other_type(width.span));
        }
        self.type_of(ty)
    }

    /// The type a name stands for; `unsigned` has no type without its width.
    fn type_of(&mut self, ty: &TypeName) -> Option<VarType> {
        Some(VarType::Basic(match ty {
            TypeName::Bit | TypeName::Bool => BasicType::Bit,
            TypeName::Byte => BasicType::Byte,
            TypeName::Pid => BasicType::Pid,
            TypeName::Short => BasicType::Short,
            TypeName::Int => BasicType::Int,
            TypeName::Chan => BasicType::Chan,
            TypeName::Unsigned => return None,
            TypeName::Mtype(None) => BasicType::Mtype(unnamed_set()),
            TypeName::Mtype(Some(set)) => BasicType::Mtype(self.mtype_set(set)),
            TypeName::User(name) => match self.globals.names.get(&name.text) {
                Some(&(Global::Struct(id), _)) => return Some(VarType::Struct(id)),
                _ => {
                    let structs = self.model.structs.values().map(|known| &*known.name);
                    let near = super::nearest::nearest(&name.text, structs);
                    let finding = names::unknown_type(name, near);
                    self.report(finding);
                    return None;
                }
            },
        }))
    }

    fn unsigned(&mut self, declarator: &Declarator) -> Option<BasicType> {
        if let Some(size) = &declarator.size {
            self.report(finding::unsigned_array(size.span));
            return None;
        }
        let Some(width) = &declarator.width else {
            self.report(finding::missing_width(&declarator.name));
            return None;
        };
        let bits = self.number(width)?;
        match u8::try_from(bits) {
            Ok(bits @ 1..=31) => Some(BasicType::Unsigned(bits)),
            _ => {
                self.report(finding::bad_width(width.span, bits));
                None
            }
        }
    }

    fn array_size(&mut self, size: &ast::Expr, declarator: &Declarator) -> Option<u32> {
        let mut len = self.constant(size, true)?;
        if len <= 0 && bare_name(size).is_some() {
            len = SIZE_OF_UNSET;
        }
        match u32::try_from(len) {
            Ok(count) if (1..=MAX_ARRAY).contains(&len) => Some(count),
            _ => {
                self.report(finding::bad_array_size(size.span, &declarator.name.text, len, MAX_ARRAY));
                None
            }
        }
    }

    fn check_parameter(&mut self, declarator: &Declarator, ty: Option<VarType>, len: Option<u32>) {
        let name = &declarator.name;
        if len.is_some() {
            self.report(crate::diagnostics::process::array_parameter(name));
        }
        if declarator.init.is_some() {
            self.report(crate::diagnostics::process::initialised_parameter(name));
        }
        if let Some(VarType::Struct(id)) = ty
            && self.holds_array(id)
        {
            self.report(crate::diagnostics::process::array_in_parameter(name, &self.model.structs[id].name));
        }
    }

    fn holds_array(&self, id: StructId) -> bool {
        self.model.structs[id]
            .fields
            .values()
            .any(|field| field.len.is_some() || matches!(field.ty, VarType::Struct(inner) if self.holds_array(inner)))
    }

    fn initial(&mut self, declarator: &Declarator, ty: VarType, len: Option<u32>, home: Home) -> Option<Init> {
        match &declarator.init {
            None => Some(Init::Zero),
            Some(Initializer::Expr(expr)) => self.initial_value_of(expr, declarator, ty),
            Some(Initializer::List(list, span)) => {
                if len.is_none() {
                    self.report(finding::list_for_scalar(*span, &declarator.name.text));
                    return None;
                }
                if home == Home::Step {
                    self.report(finding::late_list(*span, &declarator.name.text));
                    return None;
                }
                self.initial_list(list, ty, len.unwrap_or(0), *span)
            }
            Some(Initializer::Chan { capacity, fields, span }) => {
                let chan_type = self.new_chan_type(capacity, fields, *span);
                if ty != VarType::Basic(BasicType::Chan) {
                    self.report(channel::channel_for_other_type(*span, &declarator.name.text));
                    return None;
                }
                if home == Home::Step {
                    self.report(channel::late_channel(*span, &declarator.name.text));
                    return None;
                }
                if let [field] = &fields[..]
                    && let Some(VarType::Struct(id)) = self.type_of(field)
                {
                    self.chan_structs.insert(declarator.name.span, id);
                }
                chan_type.map(Init::Chan)
            }
        }
    }

    fn initial_value_of(&mut self, expr: &ast::Expr, declarator: &Declarator, ty: VarType) -> Option<Init> {
        if super::run::count(expr) > 0 {
            self.report(crate::diagnostics::process::run_in_declaration(expr.span));
            return None;
        }
        let (value, kind) = self.typed(expr)?;
        match ty {
            VarType::Basic(basic) => {
                self.assignable((&value, kind), basic, true, declarator.name.span)?;
                Some(Init::Value(value))
            }
            VarType::Struct(_) => {
                self.report(finding::value_for_structure(expr.span, &declarator.name.text));
                Some(Init::Zero)
            }
        }
    }

    fn initial_list(&mut self, list: &[ast::Expr], ty: VarType, len: u32, span: Span) -> Option<Init> {
        if list.len() > len as usize {
            self.report(finding::list_too_long(span, list.len(), len));
        }
        let mut values = Vec::with_capacity(list.len());
        for element in list.iter().take(len as usize) {
            let Some(value) = self.number(element) else {
                continue;
            };
            let value = Expr { kind: ExprKind::Const(value), span: element.span };
            if let VarType::Basic(basic) = ty {
                self.warn_truncation(&value, basic);
            }
            values.push(value);
        }
        Some(Init::List(values))
    }

    /// `[capacity] of { fields }`.
    fn new_chan_type(&mut self, capacity: &ast::Expr, fields: &[TypeName], span: Span) -> Option<ChanTypeId> {
        let slots = self.constant(capacity, false);
        let mut flat = Vec::new();
        let mut complete = true;
        for field in fields {
            complete &= self.message_type(field, span, &mut flat);
        }
        let slots = slots?;
        let Some(capacity) = u32::try_from(slots).ok().filter(|_| slots <= MAX_CAPACITY) else {
            self.report(channel::bad_capacity(capacity.span, slots, MAX_CAPACITY));
            return None;
        };
        if !complete {
            return None;
        }
        let wanted = ChanType { capacity, fields: flat };
        let known = self.model.chan_types.iter().find(|(_, ty)| **ty == wanted).map(|(id, _)| id);
        Some(known.unwrap_or_else(|| self.model.chan_types.push(wanted)))
    }

    /// Adds the values of one message field; says no to what cannot be sent.
    fn message_type(&mut self, field: &TypeName, span: Span, flat: &mut Vec<BasicType>) -> bool {
        if let TypeName::Unsigned = field {
            self.report(channel::unsigned_field(span));
            return false;
        }
        match self.type_of(field) {
            None => false,
            Some(VarType::Basic(ty)) => {
                flat.push(ty);
                true
            }
            Some(VarType::Struct(id)) => {
                let problem = self.flatten_type(id, flat);
                if let Some(problem) = problem {
                    let structure = &self.model.structs[id];
                    let finding = channel::unsendable(span, &structure.name, structure.span, problem);
                    self.report(finding);
                }
                problem.is_none()
            }
        }
    }

    /// Appends the values of a structure in order; returns what makes it unfit for a message.
    fn flatten_type(&self, id: StructId, flat: &mut Vec<BasicType>) -> Option<&'static str> {
        for field in self.model.structs[id].fields.values() {
            match field.ty {
                VarType::Basic(BasicType::Unsigned(_)) => return Some("an `unsigned` field"),
                VarType::Basic(ty) => flat.extend(std::iter::repeat_n(ty, field.len.unwrap_or(1) as usize)),
                VarType::Struct(_) if field.len.is_some() => return Some("an array of structures"),
                VarType::Struct(inner) => {
                    if let Some(problem) = self.flatten_type(inner, flat) {
                        return Some(problem);
                    }
                }
            }
        }
        None
    }

    /// Whether a value may be assigned to a place of this type (`variable`: not a field of a structure, about which SPIN
    /// says nothing); warns where it will not fit.
    pub(super) fn assignable(
        &mut self,
        (value, kind): (&Expr, Kind),
        ty: BasicType,
        variable: bool,
        place: Span,
    ) -> Option<()> {
        let constant = matches!(value.kind, ExprKind::Const(_));
        match (ty, kind) {
            (BasicType::Mtype(declared), Kind::Mtype(given)) if declared != given => {
                let refused = constant && variable && declared != unnamed_set();
                let (declared, given) = (self.set_name(declared), self.set_name(given));
                self.report(types::mixed_sets(value.span, &declared, &given, place, refused));
                (!refused).then_some(())
            }
            (BasicType::Chan, Kind::Number | Kind::Mtype(_)) if constant && variable => {
                self.report(channel::number_for_channel(value.span));
                None
            }
            _ => {
                self.warn_truncation(value, ty);
                Some(())
            }
        }
    }

    /// Warns if a number changes when it is stored.
    pub(super) fn warn_truncation(&mut self, value: &Expr, ty: BasicType) {
        let number = match &value.kind {
            ExprKind::Const(number) => *number,
            ExprKind::Unary(crate::ast::UnaryOp::Neg, inner) => match inner.kind {
                ExprKind::Const(number) => number.wrapping_neg(),
                _ => return,
            },
            _ => return,
        };
        let stored = super::value::truncated(ty, number);
        if stored != number {
            let ty = self.type_name(ty);
            self.report(constant::truncated(value.span, number, stored, &ty));
        }
    }
}
