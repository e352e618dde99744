//! How many channels declarations create, and their numbers: globals first, in textual order, then process by process.

use promela::ids::{ChanTypeId, VarId};
use promela::model::{CheckedModel, Init, ProcType, Var, VarType};

/// The kinds of the channels that a declaration creates, in order.
pub fn created_by(model: &CheckedModel, var: &Var, kinds: &mut Vec<ChanTypeId>) {
    for _ in 0..var.len.unwrap_or(1) {
        match (&var.init, var.ty) {
            (&Init::Chan(ty), _) => kinds.push(ty),
            (_, VarType::Struct(id)) => {
                model.structs[id].fields.values().for_each(|field| created_by(model, field, kinds));
            }
            _ => return,
        }
    }
}

/// The kinds of the channels that a process creates. Parameters create none.
pub fn of_process(model: &CheckedModel, proc: &ProcType) -> Vec<ChanTypeId> {
    let mut kinds = Vec::new();
    proc.locals.values().skip(proc.params).for_each(|var| created_by(model, var, &mut kinds));
    kinds
}

/// How many channels the globals create.
pub fn of_globals(model: &CheckedModel) -> usize {
    count(model, model.globals.values())
}

/// How many channels the globals in front of one create.
pub fn before_global(model: &CheckedModel, var: VarId) -> usize {
    count(model, model.globals.iter().take_while(|(id, _)| *id != var).map(|(_, var)| var))
}

/// How many channels the locals of a process in front of one create.
pub fn before_local(model: &CheckedModel, proc: &ProcType, var: VarId) -> usize {
    let locals = proc.locals.iter().skip(proc.params).take_while(|(id, _)| *id != var);
    count(model, locals.map(|(_, var)| var))
}

fn count<'m>(model: &'m CheckedModel, vars: impl Iterator<Item = &'m Var>) -> usize {
    let mut kinds = Vec::new();
    vars.for_each(|var| created_by(model, var, &mut kinds));
    kinds.len()
}
