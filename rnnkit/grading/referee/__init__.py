"""A trusted process runs the tests; what the student wrote stays where it is fenced in."""
