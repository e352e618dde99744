//! Formulas of linear temporal logic, shared in one table.
//!
//! A formula is a number in a [`Formulas`]; equal formulas have equal numbers. The operands of a formula stand before it
//! in the table, so that whatever walks over formulas can go by rising numbers and needs no recursion.

use std::fmt;

use fxhash::FxHashMap;

/// An atomic proposition. Prints as `p7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PropId(pub u32);

impl fmt::Debug for PropId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

/// A formula of a [`Formulas`]. Prints as `f7`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FormulaId(pub(crate) u32);

impl fmt::Debug for FormulaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.0)
    }
}

/// The forms of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// `true` or `false`.
    Constant(bool),
    /// A proposition.
    Atom(PropId),
    /// `!f`.
    Not(FormulaId),
    /// `f && g`.
    And(FormulaId, FormulaId),
    /// `f || g`.
    Or(FormulaId, FormulaId),
    /// `f -> g`.
    Implies(FormulaId, FormulaId),
    /// `f <-> g`.
    Equivalent(FormulaId, FormulaId),
    /// `X f`: in the next state.
    Next(FormulaId),
    /// `<> f`: now or later.
    Eventually(FormulaId),
    /// `[] f`: now and always.
    Always(FormulaId),
    /// `f U g`: `g` now or later, and `f` until then.
    Until(FormulaId, FormulaId),
    /// `f V g`: `g` as long as there was no state with both; the dual of until.
    Release(FormulaId, FormulaId),
    /// `f W g`: `f U g`, or `f` always.
    WeakUntil(FormulaId, FormulaId),
    /// `f M g`: `f V g`, and `f` holds at some time (strong release).
    StrongRelease(FormulaId, FormulaId),
}

impl Node {
    /// The operands, in order.
    pub fn operands(self) -> impl DoubleEndedIterator<Item = FormulaId> {
        let (first, second) = match self {
            Node::Constant(_) | Node::Atom(_) => (None, None),
            Node::Not(f) | Node::Next(f) | Node::Eventually(f) | Node::Always(f) => (Some(f), None),
            Node::And(f, g)
            | Node::Or(f, g)
            | Node::Implies(f, g)
            | Node::Equivalent(f, g)
            | Node::Until(f, g)
            | Node::Release(f, g)
            | Node::WeakUntil(f, g)
            | Node::StrongRelease(f, g) => (Some(f), Some(g)),
        };
        first.into_iter().chain(second)
    }

    /// How SPIN writes the operator.
    fn sign(self) -> &'static str {
        match self {
            Node::Constant(true) => "true",
            Node::Constant(false) => "false",
            Node::Atom(_) => "",
            Node::Not(_) => "!",
            Node::And(..) => "&&",
            Node::Or(..) => "||",
            Node::Implies(..) => "->",
            Node::Equivalent(..) => "<->",
            Node::Next(_) => "X",
            Node::Eventually(_) => "<>",
            Node::Always(_) => "[]",
            Node::Until(..) => "U",
            Node::Release(..) => "V",
            Node::WeakUntil(..) => "W",
            Node::StrongRelease(..) => "M",
        }
    }
}

/// A table of formulas.
#[derive(Clone, Default, Debug)]
pub struct Formulas {
    nodes: Vec<Node>,
    ids: FxHashMap<Node, FormulaId>,
}

/// A constructor per operator.
macro_rules! constructors {
    ($($name:ident($($operand:ident),+) => $form:ident, $text:literal;)*) => {
        $(#[doc = $text] pub fn $name(&mut self, $($operand: FormulaId),+) -> FormulaId {
            self.add(Node::$form($($operand),+))
        })*
    };
}

impl Formulas {
    /// An empty table.
    pub fn new() -> Self {
        Formulas::default()
    }

    /// The formula of this form. Its operands must be of this table.
    pub fn add(&mut self, node: Node) -> FormulaId {
        let next = FormulaId(self.nodes.len() as u32);
        assert!(node.operands().all(|operand| operand < next), "an operand is of another table");
        *self.ids.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            next
        })
    }

    /// `true` or `false`.
    pub fn constant(&mut self, value: bool) -> FormulaId {
        self.add(Node::Constant(value))
    }

    /// A proposition.
    pub fn atom(&mut self, prop: PropId) -> FormulaId {
        self.add(Node::Atom(prop))
    }

    constructors! {
        not(f) => Not, "`!f`.";
        and(f, g) => And, "`f && g`.";
        or(f, g) => Or, "`f || g`.";
        implies(f, g) => Implies, "`f -> g`.";
        equivalent(f, g) => Equivalent, "`f <-> g`.";
        next(f) => Next, "`X f`.";
        eventually(f) => Eventually, "`<> f`.";
        always(f) => Always, "`[] f`.";
        until(f, g) => Until, "`f U g`.";
        release(f, g) => Release, "`f V g`.";
        weak_until(f, g) => WeakUntil, "`f W g`.";
        strong_release(f, g) => StrongRelease, "`f M g`.";
    }

    /// The form of a formula.
    pub fn node(&self, id: FormulaId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// The formulas that `root` is made of, operands before those that use them, `root` last.
    pub fn parts(&self, root: FormulaId) -> Vec<FormulaId> {
        let mut used = vec![false; root.0 as usize + 1];
        used[root.0 as usize] = true;
        for id in (0..=root.0).rev() {
            if used[id as usize] {
                for operand in self.node(FormulaId(id)).operands() {
                    used[operand.0 as usize] = true;
                }
            }
        }
        (0..=root.0).filter(|&id| used[id as usize]).map(FormulaId).collect()
    }

    /// The formula as text, with parentheses around every operand that has an operator.
    pub fn display<'a, S: AsRef<str>>(&'a self, root: FormulaId, names: &'a [S]) -> impl fmt::Display + 'a {
        Shown { formulas: self, root, names }
    }
}

struct Shown<'a, S> {
    formulas: &'a Formulas,
    root: FormulaId,
    names: &'a [S],
}

/// What is still to be written.
enum Piece {
    Formula(FormulaId, bool),
    Text(&'static str),
}

impl<S: AsRef<str>> fmt::Display for Shown<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut todo = vec![Piece::Formula(self.root, false)];
        while let Some(piece) = todo.pop() {
            let (id, inner) = match piece {
                Piece::Text(text) => {
                    f.write_str(text)?;
                    continue;
                }
                Piece::Formula(id, inner) => (id, inner),
            };
            let node = self.formulas.node(id);
            let operands: Vec<FormulaId> = node.operands().collect();
            let open = inner && !operands.is_empty();
            if open {
                f.write_str("(")?;
                todo.push(Piece::Text(")"));
            }
            match (node, operands.as_slice()) {
                (Node::Atom(prop), _) => match self.names.get(prop.0 as usize).map(AsRef::as_ref) {
                    Some(name) if inner && !is_plain(name) => write!(f, "({name})")?,
                    Some(name) => f.write_str(name)?,
                    None => write!(f, "{prop:?}")?,
                },
                (Node::Not(_), &[a]) => {
                    f.write_str("!")?;
                    todo.push(Piece::Formula(a, true));
                }
                (_, &[a]) => {
                    write!(f, "{} ", node.sign())?;
                    todo.push(Piece::Formula(a, true));
                }
                (_, &[a, b]) => {
                    let sign = [Piece::Text(" "), Piece::Text(node.sign()), Piece::Text(" ")];
                    todo.push(Piece::Formula(b, true));
                    todo.extend(sign);
                    todo.push(Piece::Formula(a, true));
                }
                _ => f.write_str(node.sign())?,
            }
        }
        Ok(())
    }
}

/// Whether an atom needs no parentheses as an operand.
pub(crate) fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_')
        || (text.starts_with('(') && text.ends_with(')') && !text[1..text.len() - 1].contains(['(', ')']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_formulas_are_one() {
        let mut f = Formulas::new();
        let (p, q) = (f.atom(PropId(0)), f.atom(PropId(1)));
        assert_eq!(f.until(p, q), f.until(p, q));
        assert_ne!(f.until(p, q), f.until(q, p));
    }

    #[test]
    fn text_leaves_nothing_to_precedence() {
        let mut f = Formulas::new();
        let (p, q) = (f.atom(PropId(0)), f.atom(PropId(1)));
        let response = f.eventually(q);
        let response = f.implies(p, response);
        let always = f.always(response);
        let not = f.not(always);
        assert_eq!(f.display(always, &["p", "x > 3"]).to_string(), "[] (p -> (<> (x > 3)))");
        assert_eq!(f.display(not, &["p", "q"]).to_string(), "!([] (p -> (<> q)))");
        assert_eq!(f.display(q, &["p", "x > 3"]).to_string(), "x > 3");
    }

    #[test]
    fn parts_come_in_order() {
        let mut f = Formulas::new();
        let (p, q) = (f.atom(PropId(0)), f.atom(PropId(1)));
        let unused = f.and(p, q);
        let used = f.or(q, q);
        assert_eq!(f.parts(used), vec![q, used]);
        assert_ne!(used, unused);
    }
}
