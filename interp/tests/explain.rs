//! What is explained of reduction against the table that a search goes by: in every model, a location depends on others
//! through something if and only if it is not always a cluster of its own.

mod common;

use common::{load, models};
use interp::Analysis;
use interp::analysis::dependence::explain::{OwnCluster, explain};

#[test]
fn every_dependence_has_a_reason() {
    let mut dependent = 0;
    for path in models("tests/models").iter().chain(&models("examples")) {
        for analysis in [Analysis::Full, Analysis::Plain] {
            let Some(model) = load(path, analysis) else { continue };
            let Some(found) = explain(&model) else { continue };
            if !found.is_complete {
                continue;
            }
            for place in &found.places {
                let is_local = place.clusters.iter().all(|&(_, cluster)| cluster == OwnCluster::Always);
                assert_eq!(is_local, place.shared.is_empty(), "{}, {analysis:?}: {place:?}", path.display());
                dependent += usize::from(!is_local);
            }
        }
    }
    assert!(dependent > 1_000, "{dependent} locations");
}
