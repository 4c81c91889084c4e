// Package birjson reads and writes bir.json, the interchange form of BIR modules, and io.json, the inputs and expected outputs of a case.
//
// Reading is two passes over one buffer. The first checks the grammar and notes where every object and list ends; all that can be wrong
// there is a *SyntaxError (the text is garbage). The second builds the program; every value it looks at is well formed, keys may come in any
// order at no cost, and all that can be wrong is an *Error (the module is illegal). Neither pass trusts a number with memory: what is
// allocated grows with the text.
//
// Unknown keys are kept where the package ir has an Extra for them. An unknown key of an object that has none (an operand, a loop axis, a
// wait) is kept in the Extra of the object around it, under the same path: {"ins":[null,{"remote":true}]}. The writer puts it back where
// that path still exists.
//
// # Choices
//
// Where bir-json.md leaves a question open, this package answers:
//   - A name is a non-empty string without control characters. The names of functions are unique in their module.
//   - A key that stands twice in one object makes the module illegal, in unknown objects too.
//   - null is no value of any key that the dialect knows; under an unknown key it is kept.
//   - version must be 2. A file that means another schema cannot be read half right.
//   - The coeff of a term that lacks it is 0, as every missing number. Quotients and remainders of constants are folded.
//   - bir.json of others may hold memref beside addrs; the writer prints it only where the set has several locations.
//   - Two edges to one target are one edge, the stronger kind wins (walrus.md §1.3).
//   - accumulation_flag 5 and 7 say start and accumulate at once: an error.
//   - The data of x_birfuzz.const fills its location exactly.
//   - A setting that only another form of the opcode has (transpose_op of a plain DMACopy) is an unknown key: kept, without meaning.
//   - A number with a fraction or an exponent is no integer, not even 1.0. Constants and scales are written as 1.0, immediates of an integer
//     type as 1. Every other number form reads as the same value.
//   - facts that are missing and an empty list are one thing, and neither is a claim that the module is unsynchronised: who runs a program
//     without facts applies semantics §2.
//   - An undeclared register becomes a location of its own set behind the declared ones, in the order in which operands name them.
//   - The numbers of operands must fit the row; sizes beyond 2^40 bytes or elements and expressions that can leave ±2^48 are errors here,
//     so that nobody after the reader needs checked arithmetic.
package birjson
