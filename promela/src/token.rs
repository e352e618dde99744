//! Tokens: what the text is cut into ([`Raw`]), and what the grammar reads ([`Token`]).
//!
//! The preprocessor works on raw tokens, for which a keyword is a name like any other; only what it leaves is turned
//! into grammar tokens.

use logos::{Lexer, Logos};

use crate::source::Symbol;

/// A piece of text.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Raw {
    #[regex("[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    #[regex("[0-9]+")]
    Number,
    #[token("\"", string)]
    String,
    #[regex(r"'([^'\\\n]|\\[^\n])'", priority = 10)]
    Char,
    /// What stands in quotes but is no character, or a quote without its partner on the line.
    #[token("'")]
    #[regex(r"'[^'\n]*'", priority = 5)]
    BadQuote,
    BadString,
    #[regex(r"[ \t\r\x0B\x0C\x00]+")]
    Space,
    #[regex(r"\\[ \t]*\r?\n")]
    Splice,
    #[token("\n")]
    Newline,
    #[token("//", line_comment)]
    LineComment,
    #[token("/*", block_comment)]
    BlockComment,
    BadComment,
    #[token("#")]
    Hash,
    #[token("##")]
    HashHash,
    #[token("(")]
    LeftParen,
    #[token(")")]
    RightParen,
    #[token("[")]
    LeftBracket,
    #[token("]")]
    RightBracket,
    #[token("{")]
    LeftBrace,
    #[token("}")]
    RightBrace,
    #[token(",")]
    Comma,
    #[token(";")]
    Semi,
    #[token(":")]
    Colon,
    #[token("::")]
    ColonColon,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("...")]
    Ellipsis,
    #[token("->")]
    #[token("-->")]
    Arrow,
    #[token("<->")]
    Equivalent,
    #[token("[]")]
    Box,
    #[token("<>")]
    Diamond,
    #[token("=")]
    Assign,
    #[token("==")]
    EqualEqual,
    #[token("!")]
    Bang,
    #[token("!!")]
    BangBang,
    #[token("!=")]
    NotEqual,
    #[token("?")]
    Question,
    #[token("??")]
    QuestionQuestion,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token("<<")]
    ShiftLeft,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token(">>")]
    ShiftRight,
    #[token("+")]
    Plus,
    #[token("++")]
    PlusPlus,
    #[token("-")]
    Minus,
    #[token("--")]
    MinusMinus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&")]
    And,
    #[token("&&")]
    AndAnd,
    #[token("|")]
    Or,
    #[token("||")]
    OrOr,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    #[token("@")]
    At,
    /// A character that has no meaning in Promela.
    Unknown,
    /// A block of embedded C: keyword, optional precondition and braces.
    EmbeddedC,
    /// Stands for what was reported and left out; any statement and any expression.
    Placeholder,
    /// Past the last token of a file.
    End,
}

/// The rest of a string that starts here: up to its quote, or a [`Raw::BadString`] up to the end of the line.
fn string(lexer: &mut Lexer<'_, Raw>) -> Raw {
    let rest = lexer.remainder().as_bytes();
    let mut at = 0;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'"' => {
                lexer.bump(at + 1);
                return Raw::String;
            }
            b'\n' => break,
            b'\\' => {
                at += match rest.get(at + 1) {
                    Some(b'\r') if rest.get(at + 2) == Some(&b'\n') => 3,
                    Some(next) if next.is_ascii() => 2,
                    _ => 1,
                }
            }
            _ => at += 1,
        }
    }
    lexer.bump(at);
    Raw::BadString
}

fn line_comment(lexer: &mut Lexer<'_, Raw>) {
    let rest = lexer.remainder();
    let mut end = 0;
    for line in rest.split_inclusive('\n') {
        let text = line.trim_end_matches(['\n', '\r']);
        end += text.len();
        if !text.ends_with('\\') || text.len() == line.len() {
            break;
        }
        end += line.len() - text.len();
    }
    lexer.bump(end);
}

fn block_comment(lexer: &mut Lexer<'_, Raw>) -> Raw {
    let rest = lexer.remainder();
    match rest.find("*/") {
        Some(at) => {
            lexer.bump(at + 2);
            Raw::BlockComment
        }
        None => {
            lexer.bump(rest.len());
            Raw::BadComment
        }
    }
}

/// What the grammar reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Token {
    /// A name that is nothing special at this point.
    Name(Symbol),
    /// A name that a `typedef` above has declared.
    TypeName(Symbol),
    /// A name that a `proctype` above has declared.
    ProcName(Symbol),
    /// A number, a character constant, `true`, `false` or `skip`.
    Number(i32),
    Str,
    EmbeddedC,
    /// A mark that a list of expressions follows, not a model.
    StartExpressions,
    /// A mark that a formula follows, not a model.
    StartFormula,
    // Words.
    Active,
    Assert,
    Atomic,
    Bit,
    Bool,
    Break,
    Byte,
    CCode,
    CDecl,
    CExpr,
    CState,
    CTrack,
    Chan,
    DProctype,
    DStep,
    Do,
    Else,
    Empty,
    Enabled,
    Eval,
    Fi,
    For,
    Full,
    GetPriority,
    Goto,
    Hidden,
    If,
    In,
    Init,
    Inline,
    Int,
    Len,
    Local,
    Ltl,
    Mtype,
    Nempty,
    Never,
    Nfull,
    Notrace,
    NonProgress,
    Od,
    Of,
    PcValue,
    Pid,
    Printf,
    Printm,
    Priority,
    Proctype,
    Provided,
    Return,
    Run,
    Select,
    SetPriority,
    Short,
    Show,
    Timeout,
    Trace,
    Typedef,
    Unless,
    Unsigned,
    Xr,
    Xs,
    // Words and signs of temporal formulas.
    Always,
    Eventually,
    Next,
    Until,
    WeakUntil,
    Release,
    Implies,
    Equivalent,
    // Signs.
    LeftParen,
    RightParen,
    LeftBracket,
    RightBracket,
    LeftBrace,
    RightBrace,
    Comma,
    Semi,
    /// A semicolon, written or not, between declarations at the top level.
    ItemEnd,
    Arrow,
    Colon,
    ColonColon,
    Dot,
    DotDot,
    Assign,
    EqualEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Bang,
    BangBang,
    Question,
    QuestionQuestion,
    Plus,
    PlusPlus,
    Minus,
    MinusMinus,
    Star,
    Slash,
    Percent,
    And,
    AndAnd,
    Or,
    OrOr,
    Caret,
    Tilde,
    At,
}

/// Promela's reserved words. Their symbols are their positions in this list.
pub(crate) const KEYWORDS: &[(&str, Token)] = &[
    ("active", Token::Active),
    ("assert", Token::Assert),
    ("atomic", Token::Atomic),
    ("bit", Token::Bit),
    ("bool", Token::Bool),
    ("break", Token::Break),
    ("byte", Token::Byte),
    ("c_code", Token::CCode),
    ("c_decl", Token::CDecl),
    ("c_expr", Token::CExpr),
    ("c_state", Token::CState),
    ("c_track", Token::CTrack),
    ("chan", Token::Chan),
    ("D_proctype", Token::DProctype),
    ("d_step", Token::DStep),
    ("do", Token::Do),
    ("else", Token::Else),
    ("empty", Token::Empty),
    ("enabled", Token::Enabled),
    ("eval", Token::Eval),
    ("false", Token::Number(0)),
    ("fi", Token::Fi),
    ("for", Token::For),
    ("full", Token::Full),
    ("get_priority", Token::GetPriority),
    ("goto", Token::Goto),
    ("hidden", Token::Hidden),
    ("if", Token::If),
    ("in", Token::In),
    ("init", Token::Init),
    ("inline", Token::Inline),
    ("int", Token::Int),
    ("len", Token::Len),
    ("local", Token::Local),
    ("ltl", Token::Ltl),
    ("mtype", Token::Mtype),
    ("nempty", Token::Nempty),
    ("never", Token::Never),
    ("nfull", Token::Nfull),
    ("notrace", Token::Notrace),
    ("np_", Token::NonProgress),
    ("od", Token::Od),
    ("of", Token::Of),
    ("pc_value", Token::PcValue),
    ("pid", Token::Pid),
    ("printf", Token::Printf),
    ("printm", Token::Printm),
    ("priority", Token::Priority),
    ("proctype", Token::Proctype),
    ("provided", Token::Provided),
    ("return", Token::Return),
    ("run", Token::Run),
    ("select", Token::Select),
    ("set_priority", Token::SetPriority),
    ("short", Token::Short),
    ("show", Token::Show),
    ("skip", Token::Number(1)),
    ("timeout", Token::Timeout),
    ("trace", Token::Trace),
    ("true", Token::Number(1)),
    ("typedef", Token::Typedef),
    ("unless", Token::Unless),
    ("unsigned", Token::Unsigned),
    ("xr", Token::Xr),
    ("xs", Token::Xs),
];

/// Words that are operators inside an `ltl` block and ordinary names elsewhere.
pub(crate) const LTL_WORDS: &[(&str, Token)] = &[
    ("U", Token::Until),
    ("V", Token::Release),
    ("W", Token::WeakUntil),
    ("X", Token::Next),
    ("always", Token::Always),
    ("eventually", Token::Eventually),
    ("until", Token::Until),
    ("stronguntil", Token::Until),
    ("weakuntil", Token::WeakUntil),
    ("release", Token::Release),
    ("next", Token::Next),
    ("implies", Token::Implies),
    ("equivalent", Token::Equivalent),
];

/// The reserved word a symbol is, if it is one.
pub(crate) fn keyword(symbol: Symbol) -> Option<Token> {
    KEYWORDS.get(symbol.0 as usize).map(|&(_, token)| token)
}

/// The grammar token of a sign outside temporal formulas; `None` for what is not a sign of Promela.
pub(crate) fn sign(raw: Raw) -> Option<Token> {
    Some(match raw {
        Raw::LeftParen => Token::LeftParen,
        Raw::RightParen => Token::RightParen,
        Raw::LeftBracket => Token::LeftBracket,
        Raw::RightBracket => Token::RightBracket,
        Raw::LeftBrace => Token::LeftBrace,
        Raw::RightBrace => Token::RightBrace,
        Raw::Comma => Token::Comma,
        Raw::Semi => Token::Semi,
        Raw::Arrow => Token::Arrow,
        Raw::Colon => Token::Colon,
        Raw::ColonColon => Token::ColonColon,
        Raw::Dot => Token::Dot,
        Raw::DotDot => Token::DotDot,
        Raw::Assign => Token::Assign,
        Raw::EqualEqual => Token::EqualEqual,
        Raw::NotEqual => Token::NotEqual,
        Raw::Less => Token::Less,
        Raw::LessEqual => Token::LessEqual,
        Raw::Greater => Token::Greater,
        Raw::GreaterEqual => Token::GreaterEqual,
        Raw::ShiftLeft => Token::ShiftLeft,
        Raw::ShiftRight => Token::ShiftRight,
        Raw::Bang => Token::Bang,
        Raw::BangBang => Token::BangBang,
        Raw::Question => Token::Question,
        Raw::QuestionQuestion => Token::QuestionQuestion,
        Raw::Plus => Token::Plus,
        Raw::PlusPlus => Token::PlusPlus,
        Raw::Minus => Token::Minus,
        Raw::MinusMinus => Token::MinusMinus,
        Raw::Star => Token::Star,
        Raw::Slash => Token::Slash,
        Raw::Percent => Token::Percent,
        Raw::And => Token::And,
        Raw::AndAnd => Token::AndAnd,
        Raw::Or => Token::Or,
        Raw::OrOr => Token::OrOr,
        Raw::Caret => Token::Caret,
        Raw::Tilde => Token::Tilde,
        Raw::At => Token::At,
        // Operators of formulas; anywhere else the grammar refuses them.
        Raw::Box => Token::Always,
        Raw::Diamond => Token::Eventually,
        Raw::Equivalent => Token::Equivalent,
        Raw::String => Token::Str,
        Raw::EmbeddedC => Token::EmbeddedC,
        Raw::Placeholder => Token::Number(1),
        _ => return None,
    })
}

/// Whether a reader expects a blank between two spellings that were not written next to each other.
pub(crate) fn blank_between(before: &str, after: &str) -> bool {
    let wordy = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '"' || c == '\'';
    let Some(left) = before.chars().next_back() else {
        return false;
    };
    let Some(right) = after.chars().next() else {
        return false;
    };
    if matches!(after, "," | ";" | ")" | "]" | "." | "++" | "--" | "@") || matches!(left, '(' | '[' | '.' | '@') {
        return false;
    }
    if matches!(after, "(" | "[") {
        return !wordy(left) && !matches!(left, ')' | ']' | '!' | '~' | '?');
    }
    if matches!(after, "!" | "!!" | "?" | "??") {
        return !wordy(left) && left != ']';
    }
    !(matches!(left, '!' | '?' | '~') && wordy(right))
}

/// The value of a character constant, quotes included.
pub(crate) fn character(text: &str) -> i32 {
    let mut inside = text.chars().skip(1);
    let value = match (inside.next(), inside.next()) {
        (Some('\\'), Some(escaped)) => match escaped {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'f' => '\x0C',
            other => other,
        },
        (Some(plain), _) => plain,
        _ => '\0',
    };
    value as i32
}
