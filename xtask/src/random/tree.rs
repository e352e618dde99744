//! A generated model as a tree, so that it can be printed and, when it shows a difference, taken apart.
//!
//! Nothing here is checked: what a shrunk tree still means is for the two checkers to say.

/// A whole model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Model {
    /// What stands behind the first statement of an option, if it is not a semicolon: `->` or `-->`.
    pub arrow: Option<&'static str>,
    /// Names of the one mtype declaration.
    pub mtypes: Vec<String>,
    /// Structures.
    pub typedefs: Vec<Typedef>,
    /// Global variables.
    pub globals: Vec<Decl>,
    /// Global channels.
    pub chans: Vec<Chan>,
    /// Inlines.
    pub inlines: Vec<Inline>,
    /// Process types.
    pub procs: Vec<Proc>,
    /// The body of init.
    pub init: Option<Vec<Stmt>>,
    /// How many process types stand in front of init, if not all.
    pub init_at: Option<usize>,
}

/// A structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Typedef {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<Decl>,
}

/// An inline of one parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Inline {
    /// Its name.
    pub name: String,
    /// The name of its parameter.
    pub param: String,
    /// What it stands for.
    pub body: Vec<Stmt>,
}

/// A type.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Type {
    Bit,
    Bool,
    Byte,
    Short,
    Int,
    Pid,
    Unsigned(u32),
    Mtype,
    Chan,
    Struct(String),
}

/// A variable, parameter or field.
#[derive(Debug, Clone, PartialEq)]
pub struct Decl {
    /// Its type.
    pub ty: Type,
    /// Its name.
    pub name: String,
    /// The number of elements, if it is an array.
    pub size: Option<u32>,
    /// Its initial value.
    pub init: Option<Expr>,
}

/// A channel, or an array of channels.
#[derive(Debug, Clone, PartialEq)]
pub struct Chan {
    /// Its name.
    pub name: String,
    /// The number of channels, if it is an array.
    pub size: Option<u32>,
    /// How many messages it holds; 0 is a rendezvous.
    pub capacity: u32,
    /// The types of its fields.
    pub fields: Vec<Type>,
}

/// A process type.
#[derive(Debug, Clone, PartialEq)]
pub struct Proc {
    /// Its name.
    pub name: String,
    /// How many processes there are from the start.
    pub active: u32,
    /// True for a D_proctype.
    pub deterministic: bool,
    /// Its parameters.
    pub params: Vec<Decl>,
    /// Its priority.
    pub priority: Option<u32>,
    /// Its provided clause.
    pub provided: Option<Expr>,
    /// Variables that are declared before the first statement.
    pub locals: Vec<Decl>,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// A variable, an element or a field: `name[index].field[field_index]`.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// The variable.
    pub name: String,
    /// Which element of it.
    pub index: Option<Box<Expr>>,
    /// Which field of that.
    pub field: Option<(String, Option<Box<Expr>>)>,
}

/// An expression.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Expr {
    Const(i64),
    /// A name that is no variable: an mtype, `_pid`, `timeout`, and the like.
    Name(String),
    Place(Place),
    Unary(&'static str, Box<Expr>),
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `len`, `full`, `empty` and the like.
    OfChan(&'static str, Place),
    Poll {
        chan: Place,
        random: bool,
        args: Vec<Arg>,
    },
    Run {
        proc: String,
        args: Vec<Expr>,
        priority: Option<u32>,
    },
    RemoteLabel {
        proc: String,
        pid: Box<Expr>,
        label: String,
    },
    RemoteVar {
        proc: String,
        pid: Box<Expr>,
        var: String,
    },
    /// A function of a process: `enabled`, `get_priority`.
    OfPid(&'static str, Box<Expr>),
}

/// A field of a receive or a poll.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Arg {
    Const(Expr),
    Eval(Expr),
    Bind(Place),
    Any,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Stmt {
    Skip,
    True,
    Else,
    Break,
    Goto(String),
    Condition(Expr),
    Assign(Place, Expr),
    /// `++` or `--`.
    Step(Place, &'static str),
    Assert(Expr),
    Printf(Vec<Expr>),
    Printm(Expr),
    Declare(Decl),
    Send {
        chan: Place,
        sorted: bool,
        args: Vec<Expr>,
    },
    Receive {
        chan: Place,
        random: bool,
        keep: bool,
        args: Vec<Arg>,
    },
    If(Vec<Vec<Stmt>>),
    Do(Vec<Vec<Stmt>>),
    Atomic(Vec<Stmt>),
    DStep(Vec<Stmt>),
    Block(Vec<Stmt>),
    Unless(Vec<Stmt>, Vec<Stmt>),
    For {
        var: Place,
        range: Range,
        body: Vec<Stmt>,
    },
    Select {
        var: Place,
        low: Expr,
        high: Expr,
    },
    Label(String, Box<Stmt>),
    /// A use of an inline.
    Inline(String, Place),
    /// `set_priority(pid, priority)`.
    SetPriority(Expr, u32),
}

/// What a `for` goes over.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Range {
    Between(Expr, Expr),
    Array(String),
    Chan(Place),
}

impl Place {
    /// A plain variable.
    pub fn var(name: &str) -> Place {
        Place { name: name.to_string(), index: None, field: None }
    }

    /// An element of an array.
    pub fn element(name: &str, index: Expr) -> Place {
        Place { name: name.to_string(), index: Some(Box::new(index)), field: None }
    }
}

impl Stmt {
    /// The sequences that a compound statement consists of.
    pub fn bodies(&self) -> Vec<&[Stmt]> {
        match self {
            Stmt::If(options) | Stmt::Do(options) => options.iter().map(Vec::as_slice).collect(),
            Stmt::Atomic(body) | Stmt::DStep(body) | Stmt::Block(body) | Stmt::For { body, .. } => vec![body],
            Stmt::Unless(body, escape) => vec![body, escape],
            Stmt::Label(_, inner) => vec![std::slice::from_ref(inner)],
            _ => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub fn bodies_mut(&mut self) -> Vec<&mut [Stmt]> {
        match self {
            Stmt::If(options) | Stmt::Do(options) => options.iter_mut().map(Vec::as_mut_slice).collect(),
            Stmt::Atomic(body) | Stmt::DStep(body) | Stmt::Block(body) | Stmt::For { body, .. } => vec![body],
            Stmt::Unless(body, escape) => vec![body, escape],
            Stmt::Label(_, inner) => vec![std::slice::from_mut(inner)],
            _ => Vec::new(),
        }
    }
}

impl Model {
    /// The sequences of all processes and inlines, to be changed.
    pub fn bodies_mut(&mut self) -> impl Iterator<Item = &mut Vec<Stmt>> {
        let inlines = self.inlines.iter_mut().map(|inline| &mut inline.body);
        self.procs.iter_mut().map(|proc| &mut proc.body).chain(&mut self.init).chain(inlines)
    }
}

impl Chan {
    /// What makes the channel, such as `[2] of { byte }`.
    pub fn initialiser(&self) -> String {
        let fields: Vec<String> = self.fields.iter().map(Type::to_string).collect();
        format!("[{}] of {{ {} }}", self.capacity, fields.join(", "))
    }
}

impl Expr {
    /// `left op right`.
    pub fn binary(op: &'static str, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    /// The value of a plain variable.
    pub fn var(name: &str) -> Expr {
        Expr::Place(Place::var(name))
    }
}
