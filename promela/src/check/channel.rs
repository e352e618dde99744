//! Messages: channels, the fields that are sent, received and polled, and exclusive use.
//!
//! Arity is known where the channel is a variable that is declared with its own channel; then it is checked here. A
//! channel that came by assignment, parameter or message is checked when the model runs.

use std::sync::Arc;

use super::Checker;
use super::run;
use super::scope::Global;
use super::value::Kind;
use crate::ast::{self, VarRef, VarRefPart};
use crate::diagnostics::{channel as finding, claim, process, types};
use crate::ids::StructId;
use crate::model::{BasicType, ChanType, Expr, ExprKind, Init, Place, ProcKind, RecvArg, StmtKind, VarType};
use crate::source::Span;

/// A send, to be compared with the channels of the whole file.
pub(super) struct SendSite {
    fields: usize,
    span: Span,
}

impl Checker<'_> {
    /// A reference that must be a channel; it is read.
    pub(super) fn channel(&mut self, chan: &VarRef) -> Option<Place> {
        if let [part] = &chan.parts[..]
            && &*part.name.text == "STDIN"
        {
            let declared = self.lookup_var("STDIN").is_some();
            self.report(claim::stdin(chan.span, declared));
            declared.then_some(())?;
        }
        let place = self.read_place(chan)?;
        if place.ty != BasicType::Chan {
            let ty = self.type_name(place.ty);
            self.report(finding::not_a_channel(chan, &ty));
            return None;
        }
        Some(place)
    }

    /// What `len` is asked of; SPIN takes any variable.
    pub(super) fn length_of(&mut self, chan: &VarRef) -> Option<Place> {
        let place = self.read_place(chan)?;
        if place.ty != BasicType::Chan {
            let ty = self.type_name(place.ty);
            self.report(finding::length_of_number(chan, &ty));
        }
        Some(place)
    }

    /// Reports sends that fit no channel of the model.
    pub(super) fn compare_sends(&mut self) {
        let most = self.model.chan_types.values().map(|ty| ty.fields.len()).max();
        for site in std::mem::take(&mut self.sends) {
            match most {
                None => self.report(finding::no_channel(site.span)),
                Some(most) if site.fields > most => self.report(finding::too_many_sent(site.span, site.fields, most)),
                Some(_) => {}
            }
        }
    }

    /// The kind of channel a place holds from the start, if its declaration says so.
    pub(super) fn chan_type(&self, chan: &Place) -> Option<&ChanType> {
        let declared = match chan.fields.last() {
            Some(access) => &self.model.structs[access.parent].fields[access.field],
            None => self.var(chan.scope, chan.var),
        };
        match declared.init {
            Init::Chan(id) => self.model.chan_types.get(id),
            _ => None,
        }
    }

    /// `c!…`.
    pub(super) fn send(&mut self, send: &ast::Send, span: Span) -> Option<StmtKind> {
        let chan = self.channel(&send.chan);
        let mut args = Vec::with_capacity(send.args.len());
        let mut complete = true;
        for arg in &send.args {
            match self.message_field(arg) {
                Some(mut fields) => args.append(&mut fields),
                None => complete = false,
            }
        }
        let chan = chan?;
        if !complete {
            return None;
        }
        self.sends.push(SendSite { fields: args.len(), span });
        self.compare_arity(&chan, args.len(), "sent", span);
        if let Some(ty) = self.chan_type(&chan).filter(|ty| ty.fields.len() == args.len()).cloned() {
            self.compare_kinds(&args, &ty);
        }
        let args = args.into_iter().map(|(expr, _)| expr).collect();
        Some(StmtKind::Send { chan, sorted: send.sorted, args })
    }

    /// `c?…`.
    pub(super) fn recv(&mut self, recv: &ast::Recv, span: Span) -> Option<StmtKind> {
        let chan = self.channel(&recv.chan);
        let args = self.recv_args(&recv.args, true);
        let (chan, args) = (chan?, args?);
        self.compare_arity(&chan, args.len(), "received", span);
        Some(StmtKind::Recv { chan, random: recv.random, copy: recv.copy, args })
    }

    /// `c?[…]`.
    pub(super) fn poll(&mut self, poll: &ast::Poll) -> Option<ExprKind> {
        let chan = self.channel(&poll.chan);
        let args = self.recv_args(&poll.args, false);
        let (chan, args) = (chan?, args?);
        if let Some(declared) =
            self.chan_type(&chan).map(|ty| ty.fields.len()).filter(|declared| args.len() > *declared)
        {
            self.report(finding::too_many(poll.chan.span, "polled", args.len(), declared, self.declaration(&chan)));
        }
        Some(ExprKind::Poll { chan, random: poll.random, args })
    }

    /// `xr c, d` and `xs c, d`.
    pub(super) fn exclusive(&mut self, send: bool, chans: &[VarRef]) -> Option<StmtKind> {
        self.uses.any_exclusive = true;
        let mut places = Vec::new();
        for chan in chans {
            if chan.parts.iter().any(|part| part.index.is_some()) {
                self.report(finding::exclusive_element(chan));
            } else if let Some(place) = self.channel(chan) {
                self.claim_exclusive(send, &place, chan.span);
                places.push(place);
            }
        }
        (places.len() == chans.len()).then_some(StmtKind::Exclusive { send, chans: places })
    }

    /// One argument of a send: a value, or the fields of a structure.
    pub(super) fn message_field(&mut self, arg: &ast::Expr) -> Option<Vec<(Expr, Kind)>> {
        if let ast::ExprKind::Var(VarRef { parts, span }) = &arg.kind
            && let [VarRefPart { name, index: None }] = parts.as_slice()
            && &*name.text == "_"
            && self.body.as_ref().is_some_and(|body| body.proc.kind == ProcKind::Trace)
        {
            return Some(vec![(Expr { kind: ExprKind::Any, span: *span }, Kind::Number)]);
        }
        if let ast::ExprKind::Var(var) = &arg.kind
            && let Some(places) = self.structure(var)
        {
            let span = var.span;
            return places.map(|places| {
                let load = |place: Place| {
                    let kind = Kind::of(place.ty);
                    (Expr { kind: ExprKind::Load(place), span }, kind)
                };
                places.into_iter().map(load).collect()
            });
        }
        self.typed(arg).map(|typed| vec![typed])
    }

    /// The structure that a reference is as a whole.
    pub(super) fn structure_of(&mut self, var: &VarRef) -> Option<StructId> {
        match self.reference(var)?.ty {
            VarType::Struct(id) => Some(id),
            VarType::Basic(_) => None,
        }
    }

    /// The structure that the messages of a channel are declared to be.
    pub(super) fn sent_structure(&self, chan: &Place) -> Option<StructId> {
        let declared = match chan.fields.last() {
            Some(access) => &self.model.structs[access.parent].fields[access.field],
            None => self.var(chan.scope, chan.var),
        };
        self.chan_structs.get(&declared.span).copied()
    }

    /// `None`: not a structure. `Some(None)`: one that cannot be used; the finding is reported.
    pub(super) fn structure(&mut self, var: &VarRef) -> Option<Option<Vec<Place>>> {
        let first = var.parts.first()?;
        let (scope, id) = self.lookup_var(&first.name.text)?;
        if !matches!(self.var(scope, id).ty, VarType::Struct(_)) {
            return None;
        }
        let Some(reference) = self.reference(var) else {
            return Some(None);
        };
        match reference.ty {
            VarType::Struct(_) => {
                self.uses.read_var(scope, id, var.span);
                self.uses.write_var(scope, id);
                Some(self.flatten(reference, var))
            }
            VarType::Basic(_) => None,
        }
    }

    fn recv_args(&mut self, args: &[ast::RecvArg], binds: bool) -> Option<Vec<RecvArg>> {
        let mut lowered = Vec::with_capacity(args.len());
        let mut bound: Vec<(Arc<str>, Span)> = Vec::new();
        let mut complete = true;
        for arg in args {
            match arg {
                ast::RecvArg::Const(value, span) => {
                    lowered.push(RecvArg::Match(Expr { kind: ExprKind::Const(*value), span: *span }));
                }
                ast::RecvArg::Eval(expr) if run::count(expr) > 0 => {
                    self.report(process::run_in_message(expr.span));
                    complete = false;
                }
                ast::RecvArg::Eval(expr) => match self.value(expr) {
                    Some(expr) => lowered.push(RecvArg::Match(expr)),
                    None => complete = false,
                },
                ast::RecvArg::Var(var) => match self.received(var, binds) {
                    Some(mut fields) => {
                        if binds && fields.iter().any(|field| matches!(field, RecvArg::Bind(_))) {
                            complete &= self.bound_once(var, &mut bound);
                        }
                        lowered.append(&mut fields);
                    }
                    None => complete = false,
                },
            }
        }
        complete.then_some(lowered)
    }

    /// A name in a receive: a symbolic constant matches, `_` takes anything, a variable is bound.
    fn received(&mut self, var: &VarRef, binds: bool) -> Option<Vec<RecvArg>> {
        if let [part] = &var.parts[..]
            && part.index.is_none()
        {
            let name = &part.name.text;
            if &**name == "_" {
                return Some(vec![RecvArg::Any]);
            }
            if let "_pid" | "_nr_pr" | "_last" | "np_" | "_priority" = &**name {
                self.report(types::predefined_received(var.span, name));
                return None;
            }
            if let Some(kind) = self.constant_name(name) {
                return Some(vec![RecvArg::Match(Expr { kind, span: var.span })]);
            }
        }
        if let Some(places) = self.structure(var) {
            return places.map(|places| places.into_iter().map(RecvArg::Bind).collect());
        }
        let place = if binds { self.written_place(var)? } else { self.read_place(var)? };
        Some(vec![RecvArg::Bind(place)])
    }

    /// Names that are values and not variables.
    fn constant_name(&mut self, name: &Arc<str>) -> Option<ExprKind> {
        match self.globals.names.get(name) {
            Some(&(Global::Mtype(_, value), _)) if self.lookup_var(name).is_none() => Some(ExprKind::Const(value)),
            _ => None,
        }
    }

    /// A variable without index may stand in one field only: two bindings would fight.
    fn bound_once(&mut self, var: &VarRef, bound: &mut Vec<(Arc<str>, Span)>) -> bool {
        let [part] = &var.parts[..] else { return true };
        if part.index.is_some() {
            return true;
        }
        if let Some((_, earlier)) = bound.iter().find(|(name, _)| *name == part.name.text) {
            self.report(finding::bound_twice(&part.name, *earlier));
            return false;
        }
        bound.push((Arc::clone(&part.name.text), var.span));
        true
    }

    fn compare_arity(&mut self, chan: &Place, given: usize, verb: &str, span: Span) {
        let Some(declared) = self.chan_type(chan).map(|ty| ty.fields.len()) else {
            return;
        };
        if given > declared {
            self.report(finding::too_many(span, verb, given, declared, self.declaration(chan)));
        } else if given < declared {
            self.report(finding::too_few(span, verb, given, declared, self.declaration(chan)));
        }
    }

    fn compare_kinds(&mut self, args: &[(Expr, Kind)], ty: &ChanType) {
        for ((arg, kind), field) in args.iter().zip(&ty.fields) {
            let fits = match (kind, field) {
                (Kind::Mtype(given), BasicType::Mtype(declared)) => given == declared,
                (Kind::Chan, other) => *other == BasicType::Chan,
                (Kind::Number, BasicType::Chan) => false,
                _ => true,
            };
            if !fits {
                let (given, declared) = (self.kind_name(*kind), self.type_name(*field));
                self.report(finding::field_kind(arg.span, &given, &declared));
            } else {
                self.warn_truncation(arg, *field);
            }
        }
    }

    /// A kind as it is called in messages.
    pub(super) fn kind_name(&self, kind: Kind) -> String {
        match kind {
            Kind::Number => "a number".to_string(),
            Kind::Chan => "a channel".to_string(),
            Kind::Mtype(set) => format!("a name of {}", self.set_name(set)),
        }
    }

    fn declaration(&self, chan: &Place) -> Span {
        self.var(chan.scope, chan.var).span
    }

    /// Two proctypes cannot both claim to be the only one.
    fn claim_exclusive(&mut self, send: bool, chan: &Place, span: Span) {
        if chan.scope != crate::model::Scope::Global {
            return;
        }
        let Some(owner) = self.body.as_ref().map(|body| Arc::clone(&body.proc.name)) else {
            return;
        };
        let earlier = self.uses.exclusive.insert((send, chan.var), (Arc::clone(&owner), span));
        if let Some((other, place)) = earlier
            && other != owner
        {
            self.report(finding::exclusive_conflict(span, &owner, &other, place));
        }
    }
}
