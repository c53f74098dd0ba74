// Package tools joins the protocol core with the knowledge base: the fifteen
// tools of contract §5, one file each, all alike. A tool's file holds what a
// model reads about it, turns the checked arguments into types once, makes one
// call into package kb, and encodes the answer within the caller's budget
// (decision 7.1).
package tools
