//! The command line of TextualRL.

fn main() {}
