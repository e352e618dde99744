//! A temporal formula of a model: expressions become numbered atoms, the rest is `ltl2ba`'s.
//!
//! Invariant: two atoms differ in their text. What is written alike means the same, because atoms see only globals.

use std::fmt;

use interp::ids::ExpressionId;
use interp::inspect::expression::Expressions;
use ltl2ba::{Buchi, FormulaId, Formulas, PropId, TranslateError};
use promela::model::{Expr, Ltl};
use promela::source::Sources;

use crate::report::trace;

/// A formula and its atoms.
pub struct Temporal {
    formulas: Formulas,
    root: FormulaId,
    atoms: Vec<Atom>,
}

/// An expression that a formula speaks of.
pub struct Atom {
    /// As written.
    pub text: String,
    pub id: ExpressionId,
}

impl Temporal {
    /// Takes a checked formula apart; its atoms are added to the expressions of the model.
    pub fn new(formula: &Ltl, sources: &Sources, expressions: &mut Expressions) -> Self {
        let mut formulas = Formulas::new();
        let mut atoms = Vec::new();
        let root = Reader { formulas: &mut formulas, atoms: &mut atoms, sources, expressions }.read(formula);
        Temporal { formulas, root, atoms }
    }

    pub fn atoms(&self) -> &[Atom] {
        &self.atoms
    }

    /// The table and the formula itself.
    pub fn formula(&self) -> (&Formulas, FormulaId) {
        (&self.formulas, self.root)
    }

    /// The automaton of the negated formula: it accepts the runs that violate it.
    pub fn negated(&self) -> Result<Buchi, TranslateError> {
        let mut formulas = self.formulas.clone();
        let negated = formulas.not(self.root);
        ltl2ba::translate(&formulas, negated)
    }

    /// Gives the only atom another text.
    pub fn rename_atom(&mut self, text: &str) {
        if let [atom] = self.atoms.as_mut_slice() {
            text.clone_into(&mut atom.text);
        }
    }

    /// The atoms as expressions of the model.
    pub fn expressions(&self) -> Vec<ExpressionId> {
        self.atoms.iter().map(|atom| atom.id).collect()
    }
}

/// With parentheses wherever there can be any.
impl fmt::Display for Temporal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.atoms.iter().map(|atom| atom.text.as_str()).collect();
        write!(f, "{}", self.formulas.display(self.root, &names))
    }
}

struct Reader<'a> {
    formulas: &'a mut Formulas,
    atoms: &'a mut Vec<Atom>,
    sources: &'a Sources,
    expressions: &'a mut Expressions,
}

impl Reader<'_> {
    /// Nesting is bounded by the parser.
    fn read(&mut self, formula: &Ltl) -> FormulaId {
        match formula {
            Ltl::Atom(expr) => self.atom(expr),
            Ltl::Not(f) => self.one(f, Formulas::not),
            Ltl::Next(f) => self.one(f, Formulas::next),
            Ltl::Always(f) => self.one(f, Formulas::always),
            Ltl::Eventually(f) => self.one(f, Formulas::eventually),
            Ltl::And(f, g) => self.two(f, g, Formulas::and),
            Ltl::Or(f, g) => self.two(f, g, Formulas::or),
            Ltl::Implies(f, g) => self.two(f, g, Formulas::implies),
            Ltl::Equivalent(f, g) => self.two(f, g, Formulas::equivalent),
            Ltl::Until(f, g) => self.two(f, g, Formulas::until),
            Ltl::WeakUntil(f, g) => self.two(f, g, Formulas::weak_until),
            Ltl::Release(f, g) => self.two(f, g, Formulas::release),
        }
    }

    fn one(&mut self, f: &Ltl, make: fn(&mut Formulas, FormulaId) -> FormulaId) -> FormulaId {
        let f = self.read(f);
        make(self.formulas, f)
    }

    fn two(&mut self, f: &Ltl, g: &Ltl, make: fn(&mut Formulas, FormulaId, FormulaId) -> FormulaId) -> FormulaId {
        let (f, g) = (self.read(f), self.read(g));
        make(self.formulas, f, g)
    }

    fn atom(&mut self, expr: &Expr) -> FormulaId {
        let text = trace::expanded(self.sources, expr.span);
        let text = text.unwrap_or_else(|| trace::statement(self.sources, expr.span));
        let known = self.atoms.iter().position(|atom| atom.text == text);
        let index = known.unwrap_or_else(|| {
            self.atoms.push(Atom { text, id: self.expressions.observe(expr.clone()) });
            self.atoms.len() - 1
        });
        self.formulas.atom(PropId(index as u32))
    }
}

#[cfg(test)]
mod tests {
    use promela::{Options, parse_text};

    use super::*;

    /// The formula as an `ltl` block of a model is read, with all parentheses.
    fn in_a_model(formula: &str) -> Option<String> {
        let text = format!("bool p, q, r; active proctype P() {{ p = q || r }} ltl f {{ {formula} }}");
        let mut parsed = parse_text("m.pml", text.as_bytes(), &Options::default());
        let checked = promela::check(&parsed.ast, &mut parsed.diagnostics)?;
        let mut expressions = Expressions::default();
        Some(Temporal::new(&checked.ltl[0].formula, &parsed.sources, &mut expressions).to_string())
    }

    /// The same formula as `psw ltl --automaton` reads it, without a model.
    fn alone(formula: &str) -> Option<String> {
        let parsed = ltl2ba::parse(formula).ok()?;
        Some(parsed.formulas.display(parsed.formula, &parsed.names()).to_string())
    }

    /// The grammar of the front end and the parser of `ltl2ba` agree on what a formula is and how it is read.
    #[test]
    fn blocks_of_a_model_and_formulas_alone_are_read_alike() {
        let prefixes = ["", "!", "[]", "<>", "X", "always", "eventually", "next !"];
        let infixes =
            ["&&", "||", "->", "<->", "U", "V", "W", "until", "release", "weakuntil", "implies", "equivalent"];
        let pairs_of = |words: &[&'static str]| -> Vec<[&'static str; 2]> {
            words.iter().flat_map(|&first| words.iter().map(move |&second| [first, second])).collect()
        };
        let (mut accepted, mut refused, mut wrong) = (0, 0, Vec::new());
        for [first, second] in pairs_of(&prefixes) {
            for [left, right] in pairs_of(&infixes) {
                let formula = format!("{first} p {left} {second} q {right} r");
                let (model, text) = (in_a_model(&formula), alone(&formula));
                match (&model, &text) {
                    _ if model != text => wrong.push(format!("{formula}: {model:?} in a model, {text:?} alone")),
                    (Some(_), _) => accepted += 1,
                    (None, _) => refused += 1,
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        // Chains of implications and of untils are refused.
        assert_eq!((accepted, refused), (64 * (144 - 16 - 36), 64 * (16 + 36)));
    }
}
