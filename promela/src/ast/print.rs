//! Trees back to text.
