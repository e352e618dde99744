//! Locations of which at most one edge is executable in any state: there is one, or the guards exclude each other.
//!
//! No may be wrong: then a state is stored that a chain could pass through.

use crate::code::compare::compare;
use crate::code::program::{Argument, Edge, Guard, Location, Node, Program, Receive};
use promela::model::BinaryOp;

/// More edges than this are not compared with each other.
const MOST_EDGES: u32 = 16;

/// Whether no two edges of a location are executable in one state.
pub(super) fn are_exclusive(program: &Program, location: &Location) -> bool {
    if location.end - location.first > MOST_EDGES {
        return false;
    }
    let mut edges = location.edges().map(|edge| &program.edges[edge]);
    let mut before: Vec<&Edge> = Vec::new();
    edges.all(|edge| {
        let excluded = before.iter().all(|earlier| exclude(program, earlier.guard, edge.guard));
        before.push(edge);
        excluded
    })
}

/// Whether two guards never hold together, the second one being tried after the first.
fn exclude(program: &Program, first: Guard, second: Guard) -> bool {
    match (first, second) {
        (_, Guard::Else) => true,
        (Guard::Compare(one, field, a), Guard::Compare(other, same, b)) => {
            field == same && are_disjoint(one, a, other, b)
        }
        (Guard::Receive(one), Guard::Receive(other)) => {
            receive_different(program, &program.receives[one as usize], &program.receives[other as usize])
        }
        _ => false,
    }
}

/// Whether no value satisfies both comparisons. If any does, one at the edge of either does.
fn are_disjoint(one: BinaryOp, a: i32, other: BinaryOp, b: i32) -> bool {
    let near = |at: i32| [at.saturating_sub(1), at, at.saturating_add(1)];
    near(a).into_iter().chain(near(b)).all(|value| !(compare(one, value, a) && compare(other, value, b)))
}

/// Whether two receives take the first message of the same channel, but not the same message.
fn receive_different(program: &Program, one: &Receive, other: &Receive) -> bool {
    let is_same = match (&program.nodes[one.chan], &program.nodes[other.chan]) {
        (Node::Const(one), Node::Const(other)) => one == other,
        _ => false,
    };
    let differ = |pair: (&Argument, &Argument)| match pair {
        (&Argument::Match(one), &Argument::Match(other)) => match (&program.nodes[one], &program.nodes[other]) {
            (Node::Const(one), Node::Const(other)) => one != other,
            _ => false,
        },
        _ => false,
    };
    is_same && !one.random && !other.random && one.args.iter().zip(&other.args).any(differ)
}
