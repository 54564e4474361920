//! Runs programs that nobody has read: confined, limited, and on copies.
