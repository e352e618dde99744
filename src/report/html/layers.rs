//! A layered drawing of an automaton, top down (Sugiyama, Tagawa, Toda, 1981, in its simplest form).
//!
//! Each edge passes a box of its own with its text, so that no two texts can meet. Edges that close a cycle are turned round; a
//! vertex is below all that lead to it; edges over several layers pass a point in each; the order within a layer follows the
//! neighbours, in a few rounds. Everything is linear in the number of points, which the caller bounds.

/// Between two layers, and between two boxes of one.
const LAYER: f64 = 34.0;
const GAP: f64 = 14.0;
/// How often each layer is ordered and moved by its neighbours.
const ROUNDS: usize = 8;

/// What is to be drawn: vertices and edges by number. The first vertex is on top.
pub struct Drawing {
    /// The width of each vertex.
    pub vertices: Vec<f64>,
    /// From, to, and the width of the text.
    pub edges: Vec<(usize, usize, f64)>,
}

/// Where it is drawn.
pub struct Placed {
    /// The middle of each vertex.
    pub vertices: Vec<(f64, f64)>,
    /// By edge: the points that it passes, from end to end, and which of them is the middle of its text.
    pub edges: Vec<(Vec<(f64, f64)>, usize)>,
    pub width: f64,
    pub height: f64,
}

/// A vertex, the text of an edge, or a point that an edge passes.
struct Point {
    layer: usize,
    width: f64,
    x: f64,
    above: Vec<usize>,
    below: Vec<usize>,
}

impl Drawing {
    /// How many points it has at most.
    pub fn most_points(&self) -> usize {
        self.vertices.len() * (1 + self.edges.len())
    }

    /// Finds the places.
    pub fn place(&self) -> Placed {
        let (layers, is_back) = self.layers();
        let mut points: Vec<Point> = Vec::new();
        for (&width, &layer) in self.vertices.iter().zip(&layers) {
            points.push(Point { layer, width, x: 0.0, above: Vec::new(), below: Vec::new() });
        }
        let mut chains = Vec::new();
        for (&(from, to, width), &is_back) in self.edges.iter().zip(&is_back) {
            let (upper, lower) = if is_back { (to, from) } else { (from, to) };
            // A loop goes down to its text and up again.
            let bottom = if upper == lower { layers[upper] + 2 } else { layers[lower] };
            let text = if is_back && upper != lower { bottom - 1 } else { layers[upper] + 1 };
            let mut chain = vec![upper];
            for layer in layers[upper] + 1..bottom {
                let width = if layer == text { width } else { 0.0 };
                let above = chain[chain.len() - 1];
                let number = points.len();
                points.push(Point { layer, width, x: 0.0, above: vec![above], below: Vec::new() });
                points[above].below.push(number);
                chain.push(number);
            }
            let last = chain[chain.len() - 1];
            if upper != lower {
                points[last].below.push(lower);
                points[lower].above.push(last);
            }
            chain.push(lower);
            if is_back {
                chain.reverse();
            }
            let middle = chain.iter().position(|&point| point >= self.vertices.len() && points[point].layer == text);
            chains.push((chain, middle.unwrap_or(0)));
        }
        arrange(&mut points);
        finish(&points, self.vertices.len(), chains)
    }

    /// The layer of each vertex, an even number, and which edges lead back to where the search came from.
    fn layers(&self) -> (Vec<usize>, Vec<bool>) {
        let count = self.vertices.len();
        let mut out: Vec<Vec<usize>> = vec![Vec::new(); count];
        for (number, &(from, ..)) in self.edges.iter().enumerate() {
            out[from].push(number);
        }
        let mut is_back = vec![false; self.edges.len()];
        let (mut is_known, mut is_open) = (vec![false; count], vec![false; count]);
        let mut finished = Vec::new();
        for root in 0..count {
            if is_known[root] {
                continue;
            }
            (is_known[root], is_open[root]) = (true, true);
            let mut stack = vec![(root, 0)];
            while let Some((vertex, next)) = stack.last_mut() {
                let vertex = *vertex;
                let Some(&edge) = out[vertex].get(*next) else {
                    is_open[vertex] = false;
                    finished.push(vertex);
                    stack.pop();
                    continue;
                };
                *next += 1;
                let to = self.edges[edge].1;
                is_back[edge] = is_open[to];
                if !is_known[to] {
                    (is_known[to], is_open[to]) = (true, true);
                    stack.push((to, 0));
                }
            }
        }
        let mut layers = vec![0; count];
        for &vertex in finished.iter().rev() {
            for &edge in &out[vertex] {
                let to = self.edges[edge].1;
                if !is_back[edge] {
                    layers[to] = layers[to].max(layers[vertex] + 2);
                }
            }
        }
        (layers, is_back)
    }
}

/// Orders the points of each layer, and moves them to where their neighbours are.
fn arrange(points: &mut [Point]) {
    let height = points.iter().map(|point| point.layer + 1).max().unwrap_or(0);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); height];
    for (number, point) in points.iter().enumerate() {
        layers[point.layer].push(number);
    }
    for layer in &layers {
        pack(points, layer);
    }
    for round in 0..2 * ROUNDS {
        let is_downward = round % 2 == 0;
        for at in 0..height {
            let layer = if is_downward { at } else { height - 1 - at };
            let wanted = |point: &Point| {
                let neighbours = if is_downward { &point.above } else { &point.below };
                let sum: f64 = neighbours.iter().map(|&other| points[other].x).sum();
                if neighbours.is_empty() { point.x } else { sum / neighbours.len() as f64 }
            };
            let wishes: Vec<f64> = layers[layer].iter().map(|&number| wanted(&points[number])).collect();
            for (&number, wish) in layers[layer].iter().zip(wishes) {
                points[number].x = wish;
            }
            layers[layer].sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x));
            pack(points, &layers[layer]);
        }
    }
}

/// Pushes the points of a layer apart, in their order, about their common middle.
fn pack(points: &mut [Point], layer: &[usize]) {
    let middle =
        |points: &[Point]| layer.iter().map(|&number| points[number].x).sum::<f64>() / layer.len().max(1) as f64;
    let wanted = middle(points);
    let mut free = f64::NEG_INFINITY;
    for &number in layer {
        let half = points[number].width / 2.0;
        points[number].x = points[number].x.max(free + half);
        free = points[number].x + half + GAP;
    }
    let shift = wanted - middle(points);
    for &number in layer {
        points[number].x += shift;
    }
}

fn finish(points: &[Point], vertices: usize, chains: Vec<(Vec<usize>, usize)>) -> Placed {
    let left = points.iter().map(|point| point.x - point.width / 2.0).fold(f64::INFINITY, f64::min);
    let right = points.iter().map(|point| point.x + point.width / 2.0).fold(f64::NEG_INFINITY, f64::max);
    let layers = points.iter().map(|point| point.layer).max().unwrap_or(0);
    let at = |number: usize| (points[number].x - left, points[number].layer as f64 * LAYER);
    Placed {
        vertices: (0..vertices).map(at).collect(),
        edges: chains.into_iter().map(|(chain, text)| (chain.into_iter().map(at).collect(), text)).collect(),
        width: if right > left { right - left } else { 0.0 },
        height: layers as f64 * LAYER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_two_boxes_meet(edges in prop::collection::vec((0..6usize, 0..6usize, 1.0..80.0f64), 0..14)) {
            let drawing = Drawing { vertices: vec![30.0; 6], edges };
            let placed = drawing.place();
            let texts = placed.edges.iter().zip(&drawing.edges).map(|((points, text), edge)| (points[*text], edge.2));
            let boxes: Vec<((f64, f64), f64)> = placed.vertices.iter().map(|&at| (at, 30.0)).chain(texts).collect();
            for (number, (a, wide)) in boxes.iter().enumerate() {
                prop_assert!(a.0 - wide / 2.0 >= -1e-6 && a.0 + wide / 2.0 <= placed.width + 1e-6);
                for (b, other) in &boxes[number + 1..] {
                    let apart = (a.0 - b.0).abs() - (wide + other) / 2.0;
                    prop_assert!(a.1 != b.1 || apart > -1e-6, "{a:?} {b:?}");
                }
            }
            for ((points, _), edge) in placed.edges.iter().zip(&drawing.edges) {
                prop_assert_eq!(points[0], placed.vertices[edge.0]);
                prop_assert_eq!(points[points.len() - 1], placed.vertices[edge.1]);
            }
        }
    }

    #[test]
    fn a_loop_has_its_text_below() {
        let placed = Drawing { vertices: vec![10.0], edges: vec![(0, 0, 20.0)] }.place();
        assert_eq!(placed.edges[0].0.len(), 3);
        assert!(placed.edges[0].0[1].1 > placed.vertices[0].1);
    }

    #[test]
    fn what_follows_is_below() {
        let placed =
            Drawing { vertices: vec![10.0; 3], edges: vec![(0, 1, 5.0), (1, 2, 5.0), (0, 2, 5.0), (2, 0, 5.0)] }
                .place();
        assert!(placed.vertices[0].1 < placed.vertices[1].1 && placed.vertices[1].1 < placed.vertices[2].1);
    }
}
