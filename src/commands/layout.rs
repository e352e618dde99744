//! `psw layout`: which bits of a state hold what.

use std::io::Write;

use interp::Model;
use interp::code::layout::{ChannelPlace, Slot};
use interp::code::state::Field;
use promela::ids::VarId;
use promela::model::Var;

use crate::cli::LayoutArgs;
use crate::load::load;
use crate::{Status, terminal};

/// Runs the command.
pub fn run(args: &LayoutArgs) -> anyhow::Result<Status> {
    let Some(loaded) = load(&args.model, false)? else { return Ok(Status::BadInput) };
    let mut out = terminal::stdout();
    write(&mut out, &loaded.model)?;
    out.flush()?;
    Ok(Status::Good)
}

fn write(out: &mut impl Write, model: &Model) -> std::io::Result<()> {
    let layout = &model.layout;
    let bytes = layout.fixed_words as usize * size_of::<interp::Word>();
    match layout.is_fixed {
        true => writeln!(out, "every state has {bytes} bytes; all processes are known before the run")?,
        false => writeln!(
            out,
            "{bytes} bytes of globals, then a block for each process and each channel created at run time"
        )?,
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
    for (nth, template) in layout.templates.values().enumerate() {
        let proc = &model.checked.proctypes[template.proctype];
        match layout.is_fixed {
            true => writeln!(out, "process {nth}, {}", proc.name)?,
            false => writeln!(out, "block of {}, {} bytes", proc.name, template.words as usize * 4)?,
        }
        field(out, "  location", template.pc)?;
        if let Some(priority) = template.priority {
            field(out, "  priority", priority)?;
        }
        let locals: Vec<(VarId, &Var)> = proc.locals.iter().collect();
        for (id, var) in locals {
            slot(out, "  ", var, &template.locals[id])?;
        }
    }
    Ok(())
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
