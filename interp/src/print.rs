//! What a move prints: `printf` and `printm`, executed once more with somebody listening.

use std::cell::RefCell;

use promela::model::FormatPart;

use crate::code::{Guard, Print};
use crate::eval::Env;
use crate::model::{Model, Tables, Trouble};
use crate::space::Word;
use crate::step::Move;

impl Model {
    /// What `a_move` prints when taken from the state `before`.
    pub fn printed(&self, before: &[Word], a_move: &Move) -> String {
        let edge = self.program.edges[a_move.edge];
        if matches!(edge.guard, Guard::Send(_) | Guard::Receive(_) | Guard::End) {
            return String::new();
        }
        let mut tables = Tables::default();
        self.locate(before, &mut tables);
        let Some(process) = tables.procs.get(usize::from(a_move.pid)).copied() else { return String::new() };
        let trouble = Trouble { printed: Some(RefCell::default()), ..Trouble::default() };
        let mut env = Env::new(self, &tables, usize::from(a_move.pid), process.base, &trouble);
        let mut words = before.to_vec();
        match edge.guard {
            Guard::DStep(d_step) => env.run_d_step(&mut words, d_step, None),
            _ => {
                env.run_block(&mut words, edge.effect);
            }
        }
        trouble.printed.map(RefCell::into_inner).unwrap_or_default()
    }

    /// The text of a `printf` with these values.
    pub(crate) fn format(&self, print: &Print, values: &[i32]) -> String {
        let mut args = values.iter().zip(&print.args);
        let mut text = String::new();
        for part in &print.format.parts {
            if let FormatPart::Text(plain) = part {
                text.push_str(plain);
                continue;
            }
            let Some((&value, &(_, names))) = args.next() else { break };
            text.push_str(&match part {
                FormatPart::Unsigned => (value as u32).to_string(),
                FormatPart::Hex => format!("{value:x}"),
                FormatPart::Octal => format!("{value:o}"),
                FormatPart::Char => char::from(value as u8).to_string(),
                FormatPart::Name => self.mtype_name(names, value).map_or_else(|| value.to_string(), str::to_owned),
                FormatPart::Decimal | FormatPart::Text(_) => value.to_string(),
            });
        }
        text
    }
}
