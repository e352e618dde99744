//! One small model for each finding of the checker, with the finding as it is shown.

use std::collections::HashSet;

use promela::diagnostics::{Diagnostic, all_codes};
use promela::render::to_text;
use promela::source::Sources;
use promela::{Options, check, parse_text};

fn findings(model: &'static str) -> (Sources, Vec<Diagnostic>) {
    let parsed = parse_text("model.pml", model.as_bytes(), &Options::default());
    let mut findings = parsed.diagnostics;
    check(&parsed.ast, &mut findings);
    (parsed.sources, findings)
}

/// The findings of this code as they are shown.
fn shown(code: &str, model: &'static str) -> String {
    let (sources, findings) = findings(model);
    let wanted: Vec<_> = findings.iter().filter(|finding| finding.code.id == code).collect();
    assert!(!wanted.is_empty(), "no {code} in {findings:#?}");
    wanted.into_iter().map(|finding| to_text(&sources, finding, false)).collect()
}

macro_rules! findings {
    ($($test:ident $code:literal $model:literal)*) => {
        $(
            #[test]
            fn $test() {
                insta::assert_snapshot!(shown($code, $model));
            }
        )*
        const COVERED: &[&str] = &[$($code),*];
    };
}

findings! {
    undeclared "E0201" "byte count;\ninit { cuont = 1 }"
    undeclared_without_neighbour "E0201" "init { elephant = 1 }"
    redeclared "E0202" "byte x;\nactive proctype P() { byte x; x = 1 }"
    unknown_type "E0203" "typedef Point { byte x }\nPiont p;\ninit { skip }"
    unknown_field "E0204" "typedef Point { byte x; byte y }\nPoint p;\ninit { p.z = 1 }"
    not_a_variable "E0205" "mtype = { ack };\ninit { ack = 1 }"
    unknown_remote "E0206" "active proctype P() { wait: skip }\nactive proctype Q() { P[0]@waiting }"
    hidden_by_mtype "W0201" "byte ack;\nmtype = { ack };\ninit { assert(ack == 1) }"
    unused "W0202" "byte x, y;\ninit { here: x = 1 }"
    missing_index "E0301" "byte a[3];\ninit { a = 1 }"
    index_of_scalar "E0302" "byte x;\ninit { x[1] = 1 }"
    whole_structure "E0303" "typedef P { byte x }\nP a, b;\ninit { a = b }"
    field_of_value "E0304" "byte x;\ninit { x.low = 1 }"
    mixed_sets "E0305" "mtype:fruit = { apple };\nmtype:tool = { hammer };\nmtype:fruit f;\ninit { f = hammer }"
    predefined_assigned "E0306" "init { _pid = 1 }"
    read_of_underscore "E0307" "byte x;\ninit { x = _ }"
    compared_sets "W0301" "mtype:fruit = { apple };\nmtype:tool = { hammer };\ninit { assert(apple != hammer) }"
    foregone "W0302" "byte x;\ninit { do :: x >= 0 -> x-- od }"
    out_of_range "W0303" "byte a[3];\ninit { a[3] = 1 }"
    stored_sets "W0304" "mtype:fruit f;\nmtype:tool t;\ninit { f = t }"
    not_constant "E0310" "byte n;\nchan c = [n] of { byte };\ninit { skip }"
    no_value "E0311" "byte a[4 / 0];\ninit { skip }"
    truncated "W0310" "byte x = 300;\nbool b[2];\ninit { b[0] = 2; x = -1 }"
    variable_as_constant "W0311" "byte n = 3;\nbyte a[n];\ninit { a[0] = 1 }"
    division_by_zero "W0312" "byte x;\ninit { x = x / 0 }"
    bad_array_size "E0320" "byte a[0];\ninit { skip }"
    bad_width "E0321" "unsigned u : 40;\nunsigned v;\ninit { skip }"
    width_of_other "E0322" "byte x : 3;\ninit { skip }"
    unsigned_array "E0323" "unsigned u[2];\ninit { skip }"
    hidden_local "E0324" "init { hidden byte x; x = 1 }"
    list_for_scalar "E0325" "byte x = { 1, 2 };\ninit { skip }"
    late_list "E0326" "init { skip; byte a[2] = { 1, 2 }; a[0] = 1 }"
    list_too_long "W0320" "byte a[2] = { 1, 2, 3 };\ninit { a[0] = 1 }"
    value_for_structure "W0321" "typedef P { byte x = 1 }\nP p = 3;\ninit { p.x = 1 }"
    not_a_channel "E0401" "byte c;\nchan d = [1] of { byte };\ninit { c!1 }"
    too_many_sent "E0402" "chan c = [1] of { byte };\ninit { c!1,2 }"
    bound_twice "E0403" "chan c = [1] of { byte, byte };\nbyte x;\ninit { c?x,x }"
    unsendable "E0404" "typedef S { byte x }\ntypedef T { S s[2] }\nchan c = [1] of { T };\nchan d = [1] of { unsigned };\ninit { skip }"
    no_channel "E0405" "chan c;\ninit { c!1 }"
    late_channel "E0406" "init { skip; chan c = [1] of { byte }; c!1 }"
    bad_capacity "E0407" "chan c = [-1] of { byte };\ninit { skip }"
    channel_for_other "E0408" "byte c = [1] of { byte };\ninit { skip }"
    number_for_channel "E0409" "chan c;\ninit { c = 1 }"
    channel_arithmetic "E0410" "chan c = [1] of { byte };\nint x;\ninit { x = c + 1 }"
    exclusive_element "E0411" "chan c[2] = [1] of { byte };\ninit { xr c[0]; skip }"
    exclusive_conflict "E0412" "chan c = [1] of { byte };\nactive proctype P() { xs c; c!1 }\nactive proctype Q() { xs c; c!1 }"
    too_few "W0401" "chan c = [1] of { byte, byte };\ninit { c!1 }"
    too_many "W0402" "chan c = [1] of { byte };\nbyte x, y;\ninit { c?x,y }"
    field_kind "W0403" "chan c = [1] of { byte };\nchan d = [1] of { chan };\ninit { c!d; d!1 }"
    length_of_number "W0404" "byte c;\ninit { len(c) == 0 }"
    break_outside "E0501" "init { if :: skip -> break fi }"
    undefined_label "E0502" "init { goto don; done: skip }"
    duplicate_label "E0503" "init { again: skip; again: skip }"
    label_inside_braces "E0505" "byte x;\ninit { atomic { again: x = 1; x = 2 }; goto again }"
    label_before_guard "E0506" "chan c = [1] of { byte };\ninit { byte x; do :: end: c?x od }"
    across_d_step "E0507" "byte x;\ninit { again: d_step { x = 1; x = 2 }; goto again }"
    break_out_of_d_step "E0507" "byte x;\ninit { do :: d_step { x = 1; break } od }"
    break_into_d_step "E0507" "byte x;\ninit { do :: x = 1; break od; d_step { x = 1; x = 2 } }"
    goto_loop "E0508" "init { again: goto again }"
    second_else "E0509" "byte x;\ninit { if :: x == 1 :: else :: else fi }"
    unless_in_d_step "E0510" "byte x;\ninit { d_step { { x = 1 } unless { x == 2 } } }"
    label_is_variable "E0511" "byte done;\ninit { done: skip }"
    empty_range "E0512" "byte i;\ninit { for (i : 3 .. 1) { skip } }"
    bad_loop_variable "E0513" "byte a[2];\ninit { for (a[0] : 1 .. 3) { skip } }"
    not_iterable "E0514" "byte x, i;\ninit { for (i in x) { skip } }"
    not_a_message "E0515" "chan c = [2] of { byte };\nbyte m;\ninit { for (m in c) { skip } }"
    printm_of_number "E0516" "init { printm(3) }"
    else_with_exclusive "E0517" "chan c = [1] of { byte };\ninit { byte x; xr c; do :: c?x :: else -> break od }"
    plain_label_before_guard "W0501" "byte x;\ninit { do :: again: x < 3 -> x++ :: else -> break od; goto again }"
    else_with_io "W0502" "chan c = [1] of { byte };\nbyte x;\ninit { do :: c?x :: else -> break od }"
    unreachable "W0503" "byte x;\ninit { goto done; x = 1; done: skip }"
    printf_arity "W0504" "byte x;\ninit { printf(\"%d %d\", x) }"
    label_before_for "W0505" "byte i;\ninit { again: for (i : 1 .. 3) { skip }; goto again }"
    unknown_proctype "E0601" "proctype Sender() { skip }\ninit { run Sendr() }"
    argument_count "E0602" "proctype P(byte x; byte y) { x = y }\ninit { run P(1) }"
    run_misplaced "E0603" "proctype P() { skip }\ninit { run P() && run P() }"
    run_in_d_step "E0604" "proctype P() { skip }\ninit { d_step { run P() } }"
    run_in_declaration "E0605" "proctype P() { skip }\ninit { byte p = run P(); p = 1 }"
    bad_parameter "E0606" "proctype P(byte a[2]) { skip }\ninit { skip }"
    no_process "E0607" "byte x;\nproctype P() { x = 1 }"
    too_many_processes "E0608" "active [256] proctype P() { skip }"
    bad_priority "E0609" "active proctype P() priority 300 { skip }"
    bad_provided "E0610" "proctype Q() { skip }\nactive proctype P() provided (run Q() > 0) { skip }"
    argument_set "E0611" "mtype:fruit = { apple };\nmtype:tool = { hammer };\nproctype P(mtype:fruit f) { f = apple }\ninit { run P(hammer) }"
    run_outside "E0612" "proctype P() { skip }\ninit { skip }\nltl { <> (run P()) }"
    never_run "W0601" "proctype P() { skip }\ninit { skip }"
    argument_kind "W0602" "chan c = [1] of { byte };\nproctype P(byte x) { x = 1 }\ninit { run P(c) }"
    io_in_claim "E0701" "chan c = [1] of { byte };\ninit { skip }\nnever { do :: c!1 od }"
    local_in_claim "E0702" "init { skip }\nnever { byte x; do :: x == 0 od }"
    np_outside_claim "E0703" "init { np_ }"
    claim_redefined "E0704" "byte x;\ninit { x = 1 }\nltl p { <> (x == 1) }\nltl p { [] (x == 0) }"
    not_an_event "E0705" "chan c = [1] of { byte };\ninit { c!1 }\ntrace { c!1; skip }"
    second_trace "E0706" "chan c = [1] of { byte };\ninit { c!1 }\ntrace { c!1 }\nnotrace { c!1 }"
    stdin "E0707" "init { byte x; STDIN?x }"
    channel_test_in_formula "E0708" "chan c = [1] of { byte };\ninit { c!1 }\nltl { [] (empty(c)) }"
    side_effect "W0701" "byte x;\ninit { x = 1 }\nnever { do :: x = 1 od }"
    hidden_read "W0702" "hidden byte x;\ninit { x = 1; x == 1 }"
    outside_claim "W0703" "init { enabled(0) }"
    stdin_declared "W0704" "chan STDIN;\ninit { byte x; STDIN?x }"
    in_a_macro "E0201" "#define STEP count = cuont + 1\nbyte count;\ninit { STEP }"
    in_an_inline "E0201" "byte count;\ninline step() { count = cuont + 1 }\ninit { step() }"
}

/// Findings whose model is too long to print here.
const ELSEWHERE: &[&str] = &["E0327"];

#[test]
fn every_code_has_its_own_test() {
    let covered: HashSet<&str> = COVERED.iter().chain(ELSEWHERE).copied().collect();
    let own = all_codes().into_iter().filter(|code| &code.id[1..] >= "0200");
    let missing: Vec<_> = own.filter(|code| !covered.contains(code.id)).map(|code| code.id).collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
}

#[test]
fn codes_are_unique_and_explained() {
    let codes = all_codes();
    for pair in codes.windows(2) {
        assert!(pair[0].id < pair[1].id, "{} has two meanings", pair[1].id);
    }
    assert!(codes.iter().all(|code| code.explanation.trim().len() > 40), "each code is explained");
}

#[test]
fn too_many_names_for_one_set() {
    let names: Vec<String> = (0..256).map(|i| format!("m{i}")).collect();
    let model: &'static str = format!("mtype = {{ {} }}; init {{ skip }}", names.join(", ")).leak();
    let (_, findings) = findings(model);
    assert_eq!(findings.iter().map(|finding| finding.code.id).collect::<Vec<_>>(), ["E0327"]);
}
