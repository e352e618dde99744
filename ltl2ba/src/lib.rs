//! Linear temporal logic to Büchi automata. Empty as yet: the front end reads and checks formulas, nothing verifies them.
