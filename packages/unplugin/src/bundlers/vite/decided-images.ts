import { parseSrcset } from '@pixpress/core/internal'
import { OF_CANDIDATES } from '../../templates/found-image.ts'
import { identifierName, keyOf, literalText, nodeOf, nodesOf, visitAll } from '../../templates/syntax.ts'
import type { SyntaxNode } from '../../templates/syntax.ts'

/** Code without the images that their authors have decided about, and what those are. */
export interface DecidedImages {
  readonly rest: string
  readonly urls: readonly string[]
  /** Specifiers of what is imported for such images alone. */
  readonly imports: readonly string[]
}

/** A part of a script. */
interface Part {
  readonly start: number
  readonly end: number
}

/** An `<img>` of a template that is kept as text. Quotes in a string may be escaped. */
const IN_TEXT = /<img\b[^<>]*?\s(?:srcset|data-pixpress)=[^<>]*>/gi

const ATTRIBUTE = /\s(src|srcset)=\\?["']([^"'\\]*)/gi

const CANDIDATES = /^src(?:set)?$/i

/** Tells whether there may be such images in a script, which then is worth parsing. */
export const mayHoldDecided = (code: string): boolean => /srcset|data-pixpress/i.test(code)

/**
 * Takes out of a compiled component what stands in an `<img>` with a `srcset` of its own, or one that is to stay as it
 * is: no other type is offered there, so none has to be made of what it names.
 */
export function takeDecided(code: string, program: SyntaxNode): DecidedImages {
  const { images, constants, imports, uses } = read(program)
  const parts = new Set<SyntaxNode>()
  const urls = new Set<string>()
  const note = (text: string, isOne: boolean): void => {
    for (const url of isOne ? [text.trim()] : parseSrcset(text).map((each) => each.url)) urls.add(url)
  }
  for (const each of images.flatMap((own) => own.filter((one) => CANDIDATES.test(keyOf(one, 'key') ?? '')))) {
    const value = nodeOf(each, 'value')
    if (value !== undefined) parts.add(value)
    note(literalText(value) ?? '', keyOf(each, 'key') === 'src')
  }
  // A text may be put together around what is imported.
  const inText = [...code.matchAll(IN_TEXT)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }))
  const isTaken = (node: SyntaxNode): boolean =>
    [...parts, ...inText].some(({ start, end }) => start <= node.start && node.end <= end)
  const isOnlyTaken = (name: string): boolean => uses.get(name)?.every(isTaken) === true
  // Compilers hoist a `srcset` that is put together from imports, one constant of another.
  for (let before = -1; before < parts.size;) {
    before = parts.size
    for (const [name, value] of constants) if (isOnlyTaken(name)) parts.add(value)
  }
  for (const part of parts) if (part.type !== 'ObjectExpression') note(literalText(part) ?? '', false)
  for (const { name, specifier } of imports) if (uses.get(name)?.some(isTaken) === true) urls.add(specifier)
  for (const { text } of inText)
    for (const [, name, value] of text.matchAll(ATTRIBUTE)) note(value!, name!.toLowerCase() === 'src')
  const only = imports.filter(({ name }) => isOnlyTaken(name))
  return {
    rest: without(code, [...parts, ...inText, ...only.map(({ statement }) => statement)]),
    urls: [...urls].filter((url) => url !== ''),
    imports: only.map(({ specifier }) => specifier),
  }
}

/** A name that a script gives to the default export of a module. */
interface DefaultImport {
  readonly name: string
  readonly specifier: string
  readonly statement: SyntaxNode
}

/** The parts of a script that images are made of. Names are taken for one thing each, wherever they stand. */
interface ScriptParts {
  /** The properties of images that their authors have decided about. */
  readonly images: readonly (readonly SyntaxNode[])[]
  readonly constants: ReadonlyMap<string, SyntaxNode>
  readonly imports: readonly DefaultImport[]
  readonly uses: ReadonlyMap<string, readonly SyntaxNode[]>
}

function read(program: SyntaxNode): ScriptParts {
  const constants = new Map<string, SyntaxNode>()
  const imports: DefaultImport[] = []
  const uses = new Map<string, SyntaxNode[]>()
  /** Second arguments: `jsx('img', {…})`, `createElementVNode('img', hoisted)`. */
  const given: SyntaxNode[] = []
  visitAll(program, (node, path) => {
    const parent = path.at(-1)
    const name = identifierName(node)
    const isDeclared = parent?.type === 'VariableDeclarator' && nodeOf(parent, 'id') === node
    if (name !== undefined && !isDeclared && parent?.type.startsWith('Import') !== true)
      uses.set(name, [...(uses.get(name) ?? []), node])
    if (node.type === 'VariableDeclarator') {
      const [own, value] = [identifierName(nodeOf(node, 'id')), nodeOf(node, 'init')]
      if (own !== undefined && value !== undefined) constants.set(own, value)
    }
    if (node.type === 'ImportDeclaration') imports.push(...defaultImport(node))
    const [type, properties] = node.type === 'CallExpression' ? nodesOf(node, 'arguments') : []
    if (properties !== undefined && literalText(type) === 'img') given.push(properties)
  })
  const images = given
    .map((each) => nodesOf(constants.get(identifierName(each) ?? '') ?? each, 'properties'))
    .filter((own) => own.some((each) => OF_CANDIDATES.has(keyOf(each, 'key') ?? '')))
  return { images, constants, imports, uses }
}

function defaultImport(statement: SyntaxNode): DefaultImport[] {
  const [only, ...more] = nodesOf(statement, 'specifiers')
  const [name, specifier] = [identifierName(nodeOf(only, 'local')), literalText(nodeOf(statement, 'source'))]
  const isDefault = only?.type === 'ImportDefaultSpecifier' && more.length === 0
  return isDefault && name !== undefined && specifier !== undefined ? [{ name, specifier, statement }] : []
}

/** Puts a line break in the place of each part, which ends any name. */
function without(code: string, parts: readonly Part[]): string {
  let rest = ''
  let copied = 0
  for (const { start, end } of parts.toSorted((a, b) => a.start - b.start)) {
    if (start < copied) continue
    rest += `${code.slice(copied, start)}\n`
    copied = end
  }
  return rest + code.slice(copied)
}
