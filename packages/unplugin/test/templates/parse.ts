import { parseAst } from 'rollup/parseAst'
import type { SyntaxNode } from '../../src/templates/syntax.ts'

/** The tree of a module, as bundlers give it to plugins. */
export const parse = (code: string): SyntaxNode => parseAst(code) as unknown as SyntaxNode
