//! `psw layout`: which bits of a state hold what.

use std::io::Write;

use interp::Model;
use interp::code::layout::{ChannelPlace, Priority, Slot};
use interp::code::state::Field;
use promela::ids::{ProcTypeId, VarId};
use promela::model::Var;
use promela::source::{Sources, Span};

use crate::cli::LayoutArgs;
use crate::load::load;
use crate::{Status, terminal};

/// Runs the command.
pub fn run(args: &LayoutArgs) -> anyhow::Result<Status> {
    let Some(loaded) = load(&args.model, false)? else { return Ok(Status::BadInput) };
    let mut out = terminal::stdout();
    write(&mut out, &loaded.model, &loaded.sources)?;
    out.flush()?;
    Ok(Status::Good)
}

fn write(out: &mut impl Write, model: &Model, sources: &Sources) -> std::io::Result<()> {
    let layout = &model.layout;
    let bytes = layout.fixed_words as usize * size_of::<interp::Word>();
    match layout.is_fixed {
        true => writeln!(out, "every state has {bytes} bytes; all processes are known before the run")?,
        false => {
            writeln!(
                out,
                "{bytes} bytes of globals, then a block for each process and each channel created at run time"
            )?;
            writeln!(out, "not all processes are known before the run: {}", unknown(model, sources))?;
        }
    }
    writeln!(out, "{:>6} {:>5} {:>5}", "word", "bit", "bits")?;
    field(out, "number of processes", layout.nr_pr)?;
    if let Some(event) = layout.event {
        field(out, "trace assertion", event)?;
    }
    if let Some(last) = layout.last {
        field(out, "_last", last)?;
    }
    for (id, var) in &model.checked.globals {
        slot(out, "", var, &layout.globals[id])?;
    }
    for (number, place) in layout.channels.iter().enumerate() {
        channel(out, model, number + 1, place)?;
    }
    for template in layout.templates.values() {
        let proc = &model.checked.proctypes[template.proctype];
        match template.pid {
            Some(pid) => {
                writeln!(out, "process {pid}, {}{}", proc.name, origin(model, sources, pid, template.proctype))?
            }
            None => writeln!(out, "block of {}, {} bytes", proc.name, template.words as usize * 4)?,
        }
        if let Some(role) = template.pid.and_then(|pid| layout.slots[pid].role) {
            field(out, "  proctype", role)?;
        }
        field(out, "  location", template.pc)?;
        match template.priority {
            Priority::Field(priority) => field(out, "  priority", priority)?,
            Priority::Constant(priority) if layout.has_priorities => {
                writeln!(out, "{:>18}    priority: always {priority}", "-")?;
            }
            Priority::Constant(_) => {}
        }
        let locals: Vec<(VarId, &Var)> = proc.locals.iter().collect();
        for (id, var) in locals {
            slot(out, "  ", var, &template.locals[id])?;
        }
    }
    Ok(())
}

/// Why not all processes are known.
fn unknown(model: &Model, sources: &Sources) -> String {
    match model.instances.unbounded {
        Some(run) if run != Span::default() => {
            format!("the run in line {} can be executed any number of times", sources.line(run))
        }
        Some(_) => "there can be more than fit".into(),
        None => "what can have the same pid has different channels, or there is too much code".into(),
    }
}

/// Where a process comes from, and who else can have its pid.
fn origin(model: &Model, sources: &Sources, pid: usize, proctype: ProcTypeId) -> String {
    let slot = &model.instances.slots[pid];
    let mut text = String::new();
    for role in slot.roles.iter().filter(|role| role.proctype == proctype) {
        let mut lines: Vec<u32> = role.created_at.iter().map(|&run| sources.line(run)).collect();
        lines.sort_unstable();
        lines.dedup();
        if !lines.is_empty() {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            text += &format!(", created in line {}", lines.join(", "));
        }
    }
    let others = slot.roles.iter().filter(|role| role.proctype != proctype);
    let others: Vec<&str> = others.map(|role| &*model.checked.proctypes[role.proctype].name).collect();
    match (others.is_empty(), slot.is_reused) {
        (false, _) => text += &format!("; or {} has this pid", others.join(", ")),
        (true, true) => text += "; the pid may be used again",
        (true, false) => {}
    }
    text
}

fn field(out: &mut impl Write, name: &str, field: Field) -> std::io::Result<()> {
    writeln!(out, "{:>6} {:>5} {:>5}  {name}", field.word, field.shift, field.bits)
}

fn slot(out: &mut impl Write, indent: &str, var: &Var, place: &Option<Slot>) -> std::io::Result<()> {
    let name = format!("{indent}{}", var.name);
    match place {
        None => writeln!(out, "{:>18}  {name}: never read, not stored", "-"),
        Some(Slot::Value(place)) => field(out, &name, *place),
        Some(Slot::Values(array)) => field(out, &format!("{name}[{}], bits of each", array.len), array.first),
        Some(Slot::Struct(_)) => writeln!(out, "{:>18}  {name}: structure", ""),
        Some(Slot::Structs { word, stride, len, .. }) => {
            writeln!(out, "{word:>6} {:>5} {:>5}  {name}[{len}]: structures of {stride} words", 0, stride * 32)
        }
        Some(Slot::Constant(value)) => writeln!(out, "{:>18}  {name}: always {value}", "-"),
        Some(Slot::Channel(number)) => writeln!(out, "{:>18}  {name}: always channel {number}", "-"),
        Some(Slot::Channels { first, len }) => {
            writeln!(out, "{:>18}  {name}[{len}]: always channels {first} to {}", "-", first + *len as i32 - 1)
        }
    }
}

fn channel(out: &mut impl Write, model: &Model, number: usize, place: &ChannelPlace) -> std::io::Result<()> {
    let shape = &model.layout.shapes[place.ty];
    if shape.capacity == 0 {
        return writeln!(out, "{:>18}  channel {number}: rendezvous, nothing stored", "-");
    }
    field(out, &format!("channel {number}: number of messages, {} at most", shape.capacity), place.len)?;
    let bits = if shape.slot_bits > 0 { u32::from(shape.slot_bits) } else { shape.slot_words * 32 };
    writeln!(out, "{:>6} {:>5} {:>5}  channel {number}: messages, bits of each", place.word, place.shift, bits)
}
