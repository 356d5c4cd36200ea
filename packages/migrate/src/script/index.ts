/** Reads scripts as tokens, and describes changes of texts. */
export { applyEdits, changedLines } from './edits.ts'
export type { Edit } from './edits.ts'
export { findImports } from './imports.ts'
export type { Import } from './imports.ts'
export { closerOf, isPunctuator, partsOf, stringOf, tokenize } from './tokens.ts'
export type { Piece, Stretch } from './tokens.ts'
export { writeText } from './write-text.ts'
