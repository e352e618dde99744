//! The parser's hands: what the grammar's actions build with, and errors turned into words.
//!
//! [`Builder`] is handed to every action. It makes nodes, keeps the findings that only a whole node shows (a temporal
//! operator inside arithmetic, `full()` negated), and collects what error recovery skipped.

use lalrpop_util::{ErrorRecovery, ParseError};

use crate::ast::{
    Ast, BinaryOp, Expr, ExprKind, Ltl, LtlKind, MtypeDecl, Name, Stmt, StmtKind, UnaryOp, VarRef, VarRefPart,
};
use crate::diagnostics::{Diagnostic, syntax as code};
use crate::nesting;
use crate::separators::Spanned;
use crate::source::{Sources, Span, Symbol};
use crate::token::Token;

mod errors;
pub(crate) mod operators;
pub(crate) mod grammar {
    //! The generated parser.
    #![allow(clippy::all, missing_docs, unused, dead_code)]
    lalrpop_util::lalrpop_mod!(generated, "/grammar.rs");
    pub(crate) use generated::*;
}

/// Syntax errors beyond this number are not worth reading.
const MAX_ERRORS: usize = 100;

/// What a text can be.
pub(crate) enum Start {
    Model(Ast),
    Expressions(Vec<Expr>),
    Formula(Ltl),
}

/// Parses a model.
pub(crate) fn model(sources: &Sources, diagnostics: &mut Vec<Diagnostic>, tokens: Vec<Spanned>) -> Ast {
    match run(sources, diagnostics, None, tokens) {
        Some(Start::Model(ast)) => ast,
        _ => Ast::default(),
    }
}

/// Parses a list of expressions with commas between them.
pub(crate) fn expressions(
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
    tokens: Vec<Spanned>,
) -> Option<Vec<Expr>> {
    match run(sources, diagnostics, Some(Token::StartExpressions), tokens)? {
        Start::Expressions(list) => Some(list),
        _ => None,
    }
}

/// Parses a formula.
pub(crate) fn formula(sources: &Sources, diagnostics: &mut Vec<Diagnostic>, tokens: Vec<Spanned>) -> Option<Ltl> {
    match run(sources, diagnostics, Some(Token::StartFormula), tokens)? {
        Start::Formula(formula) => Some(formula),
        _ => None,
    }
}

fn run(
    sources: &Sources,
    diagnostics: &mut Vec<Diagnostic>,
    mark: Option<Token>,
    tokens: Vec<Spanned>,
) -> Option<Start> {
    if let Some(finding) = nesting::check(&tokens) {
        diagnostics.push(finding);
        return None;
    }
    let mut builder = Builder { sources, diagnostics: Vec::new(), syntax_errors: 0 };
    let start = tokens.first().map_or(0, |&(start, ..)| start);
    let mark = mark.map(|mark| (start, mark, start));
    let stream = mark.into_iter().chain(tokens).map(Ok::<Spanned, ()>);
    let result = grammar::StartParser::new().parse(&mut builder, stream);
    let value = result.map_err(|error| builder.syntax_error(&error)).ok();
    diagnostics.append(&mut builder.diagnostics);
    value
}

/// What the actions of the grammar build with.
pub(crate) struct Builder<'s> {
    sources: &'s Sources,
    diagnostics: Vec<Diagnostic>,
    syntax_errors: usize,
}

impl Builder<'_> {
    /// Reports what was skipped.
    pub(crate) fn recover(&mut self, recovery: ErrorRecovery<u32, Token, ()>) {
        self.syntax_error(&recovery.error);
    }

    fn syntax_error(&mut self, error: &ParseError<u32, Token, ()>) {
        self.syntax_errors += 1;
        if self.syntax_errors <= MAX_ERRORS {
            self.diagnostics.push(errors::describe(self.sources, error));
        }
    }

    pub(crate) fn name(&self, symbol: Symbol, at: u32) -> Name {
        Name { text: self.sources.name(symbol).clone(), span: Span { start: at, end: at + 1 } }
    }

    /// The text between the quotes of a string.
    pub(crate) fn string(&self, at: u32) -> Box<str> {
        let text = self.sources.text(Span { start: at, end: at + 1 });
        let text = text.strip_prefix('"').unwrap_or(&text);
        text.strip_suffix('"').unwrap_or(text).into()
    }

    pub(crate) fn embedded_c(&mut self, span: Span) {
        self.diagnostics.push(
            Diagnostic::error(&code::EMBEDDED_C, "embedded C is not run by psw")
                .at(span, "")
                .note("express this in Promela; psw explores the model itself and cannot see into C"),
        );
    }
}

/// Statements.
impl Builder<'_> {
    pub(crate) fn stmt(&self, kind: StmtKind, start: u32, end: u32) -> Box<Stmt> {
        Box::new(Stmt { labels: Vec::new(), kind, span: Span { start, end } })
    }

    /// Labels at the end of a sequence label a `skip`.
    pub(crate) fn labels_alone(&self, labels: Vec<Name>) -> Box<Stmt> {
        let span = labels.last().map_or(Span::default(), |label| label.span);
        let skip = Expr { kind: ExprKind::Const(1), span };
        Box::new(Stmt { labels, kind: StmtKind::Expr(skip), span })
    }

    pub(crate) fn misplaced_label(&mut self, labels: Vec<Name>, what: &str, start: u32, end: u32) -> Box<Stmt> {
        if let Some(label) = labels.last() {
            let message = format!("the label `{}` stands in front of {what}", label.text);
            self.diagnostics.push(
                Diagnostic::error(&code::LABEL_BEFORE_DECLARATION, message)
                    .at(label.span, "a label marks a statement")
                    .note("move the label behind it, or label a `skip`"),
            );
        }
        self.stmt(StmtKind::Error, start, end)
    }

    pub(crate) fn local_mtype(&mut self, _decl: MtypeDecl, start: u32, end: u32) -> Box<Stmt> {
        self.diagnostics.push(
            Diagnostic::error(&code::LOCAL_MTYPE, "`mtype` names are declared inside a process")
                .at(Span { start, end }, "")
                .note("move the declaration to the top level of the model"),
        );
        self.stmt(StmtKind::Error, start, end)
    }

    pub(crate) fn set_priority(&mut self, process: Expr, priority: Expr, start: u32, end: u32) -> StmtKind {
        let (process, priority) = (self.value(process), self.value(priority));
        let kind = ExprKind::SetPriority(Box::new(process), Box::new(priority));
        StmtKind::Expr(self.expr(kind, start, end))
    }
}

/// Expressions.
impl Builder<'_> {
    pub(crate) fn expr(&self, kind: ExprKind, start: u32, end: u32) -> Expr {
        Expr { kind, span: Span { start, end } }
    }

    pub(crate) fn variable(&self, name: Name) -> Expr {
        let span = name.span;
        Expr { kind: ExprKind::Var(VarRef { parts: vec![VarRefPart { name, index: None }], span }), span }
    }

    pub(crate) fn predefined(&self, name: &str, start: u32, end: u32) -> Expr {
        self.variable(Name { text: name.into(), span: Span { start, end } })
    }

    pub(crate) fn parenthesised(&self, inner: Expr, start: u32, end: u32) -> Expr {
        Expr { span: Span { start, end }, ..inner }
    }

    pub(crate) fn conditional(&mut self, c: Expr, a: Expr, b: Expr, start: u32, end: u32) -> Expr {
        let kind = ExprKind::Cond(Box::new(self.value(c)), Box::new(self.value(a)), Box::new(self.value(b)));
        self.expr(kind, start, end)
    }

    pub(crate) fn run(
        &mut self,
        proctype: Name,
        args: Vec<Expr>,
        priority: Option<Expr>,
        start: u32,
        end: u32,
    ) -> Expr {
        let args = self.values(args);
        self.expr(ExprKind::Run { proctype, args, priority: priority.map(Box::new) }, start, end)
    }

    /// An expression where `full()` and its relatives may stand.
    pub(crate) fn condition(&self, e: Expr) -> Expr {
        e
    }

    /// An expression where `full()` and its relatives may not stand.
    pub(crate) fn value(&mut self, e: Expr) -> Expr {
        if let Some((span, name)) = probe(&e) {
            self.refuse_probe(span, name);
        }
        e
    }

    /// `select`. Inside an inline, or for a variable with an underscore in its name, SPIN takes the bounds for
    /// expressions, even if they are plain numbers, and so counts instead of choosing: a sum says the same in the tree.
    pub(crate) fn select(&mut self, var: VarRef, from: Expr, to: Expr) -> StmtKind {
        let (from, to) = (self.value(from), self.value(to));
        let counts = self.sources.in_inline(from.span) || var.parts.iter().any(|part| part.name.text.contains('_'));
        if !matches!(from.kind, ExprKind::Const(_)) || !counts {
            return StmtKind::Select { var, from, to };
        }
        let span = from.span;
        let zero = Expr { kind: ExprKind::Const(0), span };
        let sum = ExprKind::Binary(BinaryOp::Add, Box::new(from), Box::new(zero));
        StmtKind::Select { var, from: Expr { kind: sum, span }, to }
    }

    pub(crate) fn values(&mut self, list: Vec<Expr>) -> Vec<Expr> {
        list.into_iter().map(|e| self.value(e)).collect()
    }

    fn refuse_probe(&mut self, span: Span, name: &str) {
        let instead = match name {
            "full" => "write `nfull(c)` for `!full(c)`",
            "nfull" => "write `full(c)` for `!nfull(c)`",
            "empty" => "write `nempty(c)` for `!empty(c)`, or compare `len(c)` with 0",
            _ => "write `empty(c)` for `!nempty(c)`, or compare `len(c)` with 0",
        };
        self.diagnostics.push(
            Diagnostic::error(&code::PROBE_IN_EXPRESSION, format!("`{name}` cannot be used in this expression"))
                .at(span, "it may only be joined with `&&` and `||`")
                .note(instead),
        );
    }
}

/// `full(c)` and its relatives on the top of an expression, below `&&` and `||` only: its place and name.
fn probe(e: &Expr) -> Option<(Span, &'static str)> {
    match &e.kind {
        ExprKind::Full(_) => Some((e.span, "full")),
        ExprKind::NotFull(_) => Some((e.span, "nfull")),
        ExprKind::Empty(_) => Some((e.span, "empty")),
        ExprKind::NotEmpty(_) => Some((e.span, "nempty")),
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, a, b) => probe(a).or_else(|| probe(b)),
        _ => None,
    }
}

/// Formulas.
impl Builder<'_> {
    pub(crate) fn parenthesised_formula(&self, inner: Ltl, start: u32, end: u32) -> Ltl {
        Ltl { span: Span { start, end }, ..inner }
    }

    pub(crate) fn atom(&self, e: Expr) -> Ltl {
        let span = e.span;
        Ltl { kind: LtlKind::Atom(e), span }
    }

    /// Reports a second `->` or `U` behind a formula that has one: it is not clear what is meant.
    fn refuse_chain(&mut self, first: Span, at: u32) {
        let span = Span { start: at, end: at + 1 };
        let sign = self.sources.text(span);
        self.diagnostics.push(
            Diagnostic::error(&code::LTL_CHAIN, format!("parentheses are needed around the operands of `{sign}`"))
                .at(span, "the second operator of a chain")
                .because(first, "`a U b U c` can be read in two ways, and so can `a -> b -> c`")
                .note("SPIN reads such chains from the left: `(a -> b) -> c`"),
        );
    }

    /// A formula without temporal operators, as an expression.
    fn state_formula(&mut self, f: Ltl, user: &str) -> Expr {
        let span = f.span;
        let kind = match f.kind {
            LtlKind::Atom(e) => return Expr { span, ..e },
            LtlKind::Not(a) => ExprKind::Unary(UnaryOp::Not, Box::new(self.state_formula(*a, user))),
            LtlKind::And(a, b) => ExprKind::Binary(
                BinaryOp::And,
                Box::new(self.state_formula(*a, user)),
                Box::new(self.state_formula(*b, user)),
            ),
            LtlKind::Or(a, b) => ExprKind::Binary(
                BinaryOp::Or,
                Box::new(self.state_formula(*a, user)),
                Box::new(self.state_formula(*b, user)),
            ),
            _ => {
                self.diagnostics.push(
                    Diagnostic::error(&code::TEMPORAL_OPERAND, format!("a temporal formula is used in {user}"))
                        .at(span, "this has a truth value on a run, not a number in a state"),
                );
                ExprKind::Error
            }
        };
        Expr { kind, span }
    }
}
