//! Chains the stages and checks the tree.

fn main() {}
