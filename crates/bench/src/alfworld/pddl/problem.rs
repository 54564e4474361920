//! The problem: objects, what is true at first, and the goal.
//!
//! Always holds: objects keep the order of the file, constants of the domain first; numeric facts (distances) are read
//! over.

use super::condition::{Condition, EQUAL, Literal, Typed, read_typed};
use super::domain::sections;
use super::sexp::{Form, PddlError, read};
use super::types::ROOT;

/// A problem of some domain.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) objects: Vec<Typed>,
    pub(crate) initial: Vec<Literal>,
    pub(crate) goal: Condition,
}

impl Problem {
    /// Reads a problem.
    pub(crate) fn read(text: &str) -> Result<Self, PddlError> {
        let root = read(text)?;
        let mut objects = Vec::new();
        let mut initial = Vec::new();
        let mut goal = None;
        for section in sections(&root, "problem")? {
            let (tag, rest) = section.expect_tagged("a section of the problem")?;
            match (tag, rest) {
                (":objects", rest) => objects = read_typed(rest, ROOT)?,
                (":init", rest) => {
                    for node in rest {
                        let numeric = matches!(node.expect_tagged("a fact")?,
                            (EQUAL, [left, ..]) if matches!(left.form, Form::List(_)));
                        if !numeric {
                            initial.push(Literal::read(node)?);
                        }
                    }
                }
                (":goal", [condition]) => goal = Some(Condition::read(condition)?),
                (":domain" | ":requirements" | ":metric", _) => {}
                _ => {
                    return Err(PddlError::new(section.line, format!("section `{tag}` is not supported")));
                }
            }
        }
        let goal = goal.ok_or_else(|| PddlError::new(root.line, "the problem has no `(:goal …)`"))?;
        Ok(Self { objects, initial, goal })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_read() {
        let text = "(define (problem p) (:domain d) (:objects a b - box c)
            (:init (full a) (= (distance a b) 3) (= (total-cost) 0) (not (full b)))
            (:goal (and (full b))) (:metric minimize (total-cost)))";
        let problem = Problem::read(text).unwrap();
        assert_eq!(problem.objects.len(), 3);
        assert_eq!(problem.initial.len(), 2);
        assert!(matches!(problem.goal, Condition::All(parts) if parts.len() == 1));
    }

    #[test]
    fn faults_are_named() {
        for (text, part) in [
            ("(define (problem p) (:domain d))", ":goal"),
            ("(define (problem p) (:length 3))", ":length"),
            ("(define (problem p) (:init x))", "a fact"),
        ] {
            let message = Problem::read(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
