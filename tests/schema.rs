//! Every report of `psw check --format json` is as `docs/report.schema.json` says, and `docs/json.md` tells every field.
//!
//! The check here knows only the words that the schema uses, and is stricter than a schema in one way: a field that the
//! schema does not describe is an error too, so that the description cannot fall behind.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// Writes down where `value` is not as `schema` says.
fn compare(root: &Value, schema: &Value, value: &Value, place: &str, wrong: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let found = root.pointer(name.trim_start_matches('#'));
        return match found {
            Some(found) => compare(root, found, value, place, wrong),
            None => wrong.push(format!("{name} is not defined")),
        };
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = |choice: &&Value| type_fits(resolved(root, choice), value);
        return match choices.iter().find(fits) {
            Some(choice) => compare(root, choice, value, place, wrong),
            None => wrong.push(format!("{place}: {value} is of no type that may be here")),
        };
    }
    if !type_fits(schema, value) {
        wrong.push(format!("{place}: {value} is not {}", schema["type"]));
    }
    let constant = schema.get("const");
    if constant.is_some_and(|constant| constant != value) {
        wrong.push(format!("{place}: {value} is not {}", schema["const"]));
    }
    if schema["enum"].as_array().is_some_and(|values| !values.contains(value)) {
        wrong.push(format!("{place}: {value} is not one of {}", schema["enum"]));
    }
    if schema["minimum"].as_f64().zip(value.as_f64()).is_some_and(|(least, value)| value < least) {
        wrong.push(format!("{place}: {value} is too small"));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.is_object() && value.get(name).is_none() {
            wrong.push(format!("{place}: {name} is missing"));
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(name) {
            Some(described) => compare(root, described, inner, &format!("{place}.{name}"), wrong),
            None => wrong.push(format!("{place}: {name} is not described")),
        }
    }
    for (index, inner) in value.as_array().into_iter().flatten().enumerate() {
        compare(root, &schema["items"], inner, &format!("{place}[{index}]"), wrong);
    }
}

fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let name = schema["$ref"].as_str();
    name.and_then(|name| root.pointer(name.trim_start_matches('#'))).unwrap_or(schema)
}

fn type_fits(schema: &Value, value: &Value) -> bool {
    let is = |name: &Value| match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("null") => value.is_null(),
        _ => false,
    };
    match &schema["type"] {
        Value::Null => true,
        Value::Array(names) => names.iter().any(is),
        name => is(name),
    }
}

fn schema() -> anyhow::Result<Value> {
    schema_at("docs/report.schema.json")
}

fn schema_at(path: &str) -> anyhow::Result<Value> {
    let text = std::fs::read_to_string(Path::new(ROOT).join(path))?;
    Ok(serde_json::from_str(&text)?)
}

fn faults(schema: &Value, report: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    compare(schema, schema, report, "report", &mut wrong);
    wrong
}

#[test]
fn reports_are_as_the_schema_says() -> anyhow::Result<()> {
    let schema = schema()?;
    let mut reports = 0;
    for entry in std::fs::read_dir(Path::new(ROOT).join("tests/models"))? {
        let path = entry?.path();
        for options in
            [&[][..], &["--all-errors"], &["--max-states", "2"], &["--search", "column"], &["--bitstate", "1M"]]
        {
            let mut psw = Command::new(env!("CARGO_BIN_EXE_psw"));
            let out = psw.args(["check", "--quiet", "--format", "json"]).args(options).arg(&path).output()?;
            if out.status.code() == Some(2) {
                continue;
            }
            let report: Value = serde_json::from_slice(&out.stdout)?;
            let wrong = faults(&schema, &report);
            assert!(wrong.is_empty(), "{} {options:?}:\n{}", path.display(), wrong.join("\n"));
            let code = match report["verdict"].as_str() {
                Some("holds") => 0,
                Some("violated") => 1,
                _ => 3,
            };
            assert_eq!(out.status.code(), Some(code), "{} {options:?}", path.display());
            reports += 1;
        }
    }
    assert!(reports > 300, "only {reports} reports");
    Ok(())
}

#[test]
fn reports_on_temporal_properties_are_as_the_schema_says() -> anyhow::Result<()> {
    let schema = schema()?;
    let of_ltl = &schema["$defs"]["ltl_report"];
    let folder = tempfile::tempdir()?;
    let model = folder.path().join("m.pml");
    let text = "byte x;\nactive proctype P() { do :: x < 2 -> x++ :: x == 2 -> x = 0 :: x == 0 -> break od\n\
                #ifdef STUCK\nx > 0\n#endif\n}\n\
                ltl low { [](x < 3) }\nltl again { []<>(x == 2) }\nltl never_three { [](x == 4 -> <>(x == 0)) }\n";
    std::fs::write(&model, text)?;
    let asked = [&[][..], &["<>(x == 2)"], &["--fair", "weak"], &["--search", "ndfs"], &["--max-states", "2"]];
    let fair = [&["--fair", "strong"][..], &["--fair", "P", "--fair-choice", "P[0]"]];
    for options in asked.into_iter().chain(fair).chain([&["-DSTUCK", "[](x < 3)"][..]]) {
        let mut psw = Command::new(env!("CARGO_BIN_EXE_psw"));
        let out = psw.args(["ltl", "--quiet", "--format", "json"]).arg(&model).args(options).output()?;
        let report: Value = serde_json::from_slice(&out.stdout)?;
        let mut wrong = Vec::new();
        compare(&schema, of_ltl, &report, "report", &mut wrong);
        assert!(wrong.is_empty(), "{options:?}:\n{}", wrong.join("\n"));
    }
    Ok(())
}

#[test]
fn hunt_reports_are_as_their_schema_says() -> anyhow::Result<()> {
    let schema = schema_at("docs/hunt.schema.json")?;
    for entry in std::fs::read_dir(Path::new(ROOT).join("examples"))? {
        let path = entry?.path();
        let hunt = ["hunt", "--quiet", "--format", "json", "--rounds", "6"];
        let out = Command::new(env!("CARGO_BIN_EXE_psw")).args(hunt).arg(&path).output()?;
        let report: Value = serde_json::from_slice(&out.stdout)?;
        let wrong = faults(&schema, &report);
        assert!(wrong.is_empty(), "{}:\n{}", path.display(), wrong.join("\n"));
        let code = if report["verdict"] == "violated" { 1 } else { 3 };
        assert_eq!(out.status.code(), Some(code), "{}", path.display());
    }
    Ok(())
}

#[test]
fn query_reports_are_as_their_schema_says() -> anyhow::Result<()> {
    let schema = schema_at("docs/query.schema.json")?;
    let all =
        ["--bounds-all", "--dead-states", "--dead-code", "--reachable", "_nr_pr == 1", "--invariant", "_nr_pr < 9"];
    let more = ["--bounds", "_nr_pr", "--histogram", "_nr_pr", "--max-states", "3000", "--all-witnesses", "2"];
    let mut reports = 0;
    for entry in std::fs::read_dir(Path::new(ROOT).join("examples"))? {
        let path = entry?.path();
        for search in ["bfs", "column"] {
            let mut psw = Command::new(env!("CARGO_BIN_EXE_psw"));
            psw.args(["query", "--quiet", "--format", "json", "--search", search]).args(all).args(more);
            if path.ends_with("endless_numbers.pml") {
                psw.args(["--ignore", "next, expected, data, acks", "--channel", "data"]);
            }
            let out = psw.arg(&path).output()?;
            let report: Value = serde_json::from_slice(&out.stdout)?;
            let wrong = faults(&schema, &report);
            assert!(wrong.is_empty(), "{} {search}:\n{}", path.display(), wrong.join("\n"));
            let code = match report["verdict"].as_str() {
                Some("holds") => 0,
                Some("violated") => 1,
                _ => 3,
            };
            assert_eq!(out.status.code(), Some(code), "{} {search}", path.display());
            reports += 1;
        }
    }
    assert!(reports > 20, "only {reports} reports");
    let model = Path::new(ROOT).join("examples/endless_numbers.pml");
    let mut psw = Command::new(env!("CARGO_BIN_EXE_psw"));
    let out = psw.args(["check", "--format", "json", "--ignore", "next, expected, data, acks"]).arg(model).output()?;
    let report: Value = serde_json::from_slice(&out.stdout)?;
    let wrong = faults(&schema_at("docs/report.schema.json")?, &report);
    assert!(wrong.is_empty() && report["stop_reason"] == "inconsistent", "{}", wrong.join("\n"));
    Ok(())
}

#[test]
fn explanations_of_reduction_are_as_their_schema_says() -> anyhow::Result<()> {
    let schema = schema_at("docs/reduce.schema.json")?;
    let mut kinds: Vec<String> = Vec::new();
    for folder in ["examples", "tests/models"] {
        for entry in std::fs::read_dir(Path::new(ROOT).join(folder))? {
            let path = entry?.path();
            let out =
                Command::new(env!("CARGO_BIN_EXE_psw")).args(["reduce", "--format", "json"]).arg(&path).output()?;
            if out.status.code() == Some(2) {
                continue;
            }
            assert_eq!(out.status.code(), Some(0), "{}", path.display());
            let report: Value = serde_json::from_slice(&out.stdout)?;
            let wrong = faults(&schema, &report);
            assert!(wrong.is_empty(), "{}:\n{}", path.display(), wrong.join("\n"));
            let shared = report["shared"].as_array().into_iter().flatten();
            kinds.extend(shared.filter_map(|shared| shared["kind"].as_str()).map(str::to_owned));
        }
    }
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, ["channel", "enabled", "priorities", "processes", "timeout", "variable"]);
    Ok(())
}

#[test]
fn the_check_finds_what_is_wrong() -> anyhow::Result<()> {
    let schema = schema()?;
    let model = Path::new(ROOT).join("examples/mutex_race.pml");
    let out = Command::new(env!("CARGO_BIN_EXE_psw")).args(["check", "--format", "json"]).arg(model).output()?;
    let good: Value = serde_json::from_slice(&out.stdout)?;
    assert!(faults(&schema, &good).is_empty());
    let breaks: [fn(&mut Value); 6] = [
        |report| report["version"] = 2.into(),
        |report| report["verdict"] = "perhaps".into(),
        |report| report["states"] = "many".into(),
        |report| report["depth"] = (-1).into(),
        |report| report["trace"]["steps"][0]["changes"] = Value::Null,
        |report| report["surprise"] = true.into(),
    ];
    for (number, change) in breaks.iter().enumerate() {
        let mut report = good.clone();
        change(&mut report);
        assert_eq!(faults(&schema, &report).len(), 1, "break {number}");
    }
    Ok(())
}

#[test]
fn the_page_tells_every_field() -> anyhow::Result<()> {
    let schema = schema()?;
    let page = std::fs::read_to_string(Path::new(ROOT).join("docs/json.md"))?;
    let query = std::fs::read_to_string(Path::new(ROOT).join("docs/query.md"))?;
    for (schema, pages) in [(&schema, page.clone()), (&schema_at("docs/query.schema.json")?, format!("{query}{page}"))]
    {
        let defs = schema["$defs"].as_object().into_iter().flatten().map(|(_, def)| def);
        let objects = std::iter::once(schema).chain(defs);
        for (name, _) in objects.flat_map(|object| object["properties"].as_object().into_iter().flatten()) {
            assert!(pages.contains(&format!("| `{name}` |")), "the pages say nothing about {name}");
        }
    }
    let kinds = schema["$defs"]["violation"]["properties"]["kind"]["enum"].as_array().into_iter().flatten();
    for kind in kinds.filter_map(Value::as_str) {
        assert!(page.contains(&format!("`{kind}`")), "docs/json.md says nothing about {kind}");
    }
    Ok(())
}
