import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect } from 'vitest'

/** Four words in a row. */
const FOUR_WORDS = /(?:[A-Za-z'’]+[,:;]? ){3}[A-Za-z'’]+/

/** Members of tables that the documentation is made from, which no message has. */
const DOCUMENTATION = new Set(['doc', 'shownDefault'])

interface Extent {
  /** The share of the sources' sentences that is said: it may rise, and not fall. */
  readonly least: number
  /** Differs from run to run, with the words that stand for it. */
  readonly masks?: readonly (readonly [differs: string | RegExp, words: string])[]
  /** Private packages that this one holds, whose sentences it says as well. */
  readonly holds?: readonly string[]
  /** Codes of errors that no call here can cause. */
  readonly without?: readonly string[]
}

/** Code, SQL and pages, which nobody reads as a sentence. */
const NO_PROSE =
  /\b(?:select|delete|insert|create|alter|redis\.call)\b.*\b(?:from|into|table|call)\b|=>|default-src|<html/

/**
 * Everything that a package says to people, from the calls that make it say so. No other test holds these words: a
 * better sentence changes the snapshot alone.
 */
export class Wording {
  readonly #groups = new Map<string, Set<string>>()
  readonly #mute: string[] = []

  /**
   * Notes what calls say, each by the error that it throws or the text, the lines or the error that it returns. A call
   * that says nothing fails the test.
   */
  async says(group: string, ...calls: readonly (() => unknown)[]): Promise<void> {
    const rows = this.#groups.get(group) ?? new Set<string>()
    this.#groups.set(group, rows)
    for (const call of calls) {
      const said = await outcome(call)
      if (said.length === 0) this.#mute.push(`${group}: ${call}`)
      for (const row of said) rows.add(row)
    }
  }

  /**
   * Compares what was said with the snapshot `wording.txt` beside the test, which ends with the sentences of the
   * sources that no call has said.
   * @param test the folder of the package's tests
   */
  async keep(test: string, { least, masks = [], holds = [], without = [] }: Extent): Promise<void> {
    expect(this.#mute).toEqual([])
    const said = [...this.#groups].map(([group, rows]) => `# ${group}\n\n${[...rows].join('\n')}\n`).join('\n')
    const masked = masks.reduce((text, [from, to]) => text.replaceAll(from, to), said)
    const folders = [path.join(test, '../src'), ...holds.map((name) => path.join(test, '../..', name, 'src'))]
    const { sentences, codes } = ofSources(folders)
    const rows = [...this.#groups.values()].flatMap((group) => [...group].map((row) => row.replaceAll(/\s+/g, ' ')))
    const silent = sentences.filter(({ parts }) => !rows.some((row) => hasInOrder(row, parts)))
    const unsaid = silent.map(({ file, text }) => `${file}: ${text}`)
    const share = `${sentences.length - silent.length} of ${sentences.length} sentences of the sources are above`
    await expect(`${masked}\n# ${share}, and not these\n\n${unsaid.join('\n')}\n`).toMatchFileSnapshot(
      path.join(test, 'wording.txt'),
    )
    expect([...codes].filter((code) => !masked.includes(code)).sort()).toEqual(without)
    expect(1 - silent.length / sentences.length).toBeGreaterThanOrEqual(least)
  }
}

/** Errors of a call that is itself wrong, such as one with arguments of another shape. */
const OF_NODE = /is not (?:a function|iterable|defined)|^Cannot (?:read|destructure|convert)/

async function outcome(call: () => unknown): Promise<string[]> {
  let said: unknown
  try {
    said = await call()
  } catch (error) {
    said = error
  }
  if (said instanceof Error) {
    if (OF_NODE.test(said.message)) return []
    const { code, error, name } = said as Error & { code?: string; error?: string }
    return [`${error ?? code ?? name}: ${said.message}`]
  }
  return [said].flat(Infinity).flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []))
}

interface Sentence {
  readonly file: string
  readonly text: string
  /** The text between what it is filled with. */
  readonly parts: readonly string[]
}

interface SyntaxNode {
  readonly type: string
  readonly value?: unknown
  readonly [member: string]: unknown
}

/** Reads the sentences of folders of sources, with `…` for what they are filled with, and the codes of its errors. */
function ofSources(folders: readonly string[]): { sentences: Sentence[]; codes: Set<string> } {
  const sentences = new Map<string, Sentence>()
  const codes = new Set<string>()
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .sort()
      .map((file) => path.join(folder, file)),
  )
  for (const absolute of files) {
    const source = readFileSync(absolute, 'utf8')
    const file = path.relative(path.join(folders[0]!, '../..'), absolute).replaceAll('\\', '/')
    visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as SyntaxNode, (node) => {
      const [code] = errorCode(node)
      if (code !== undefined) codes.add(code)
      const parts = textOf(node)
      const text = parts?.join('…').replaceAll(/\s+/g, ' ').trim() ?? ''
      if (parts === undefined || !FOUR_WORDS.test(text) || NO_PROSE.test(text) || sentences.has(text)) return
      const fixed = parts.map((part) => part.replaceAll(/\s+/g, ' ')).filter((part) => part.trim() !== '')
      sentences.set(text, { file, text, parts: fixed })
    })
  }
  return { sentences: [...sentences.values()], codes }
}

function errorCode({ type, callee, arguments: given }: SyntaxNode): string[] {
  const isError = type === 'NewExpression' && (callee as { name?: string }).name === 'PixpressError'
  const [code] = isError ? (given as readonly SyntaxNode[]) : []
  return typeof code?.value === 'string' ? [code.value] : []
}

/** Returns the texts of a literal between its expressions. */
function textOf({ type, value, quasis }: SyntaxNode): readonly string[] | undefined {
  if (type === 'Literal' && typeof value === 'string') return [value]
  if (type !== 'TemplateLiteral') return undefined
  return (quasis as readonly { value: { cooked: string } }[]).map((quasi) => quasi.value.cooked)
}

function visit(node: unknown, see: (node: SyntaxNode) => void): void {
  if (Array.isArray(node)) return node.forEach((each) => visit(each, see))
  if (typeof node !== 'object' || node === null) return
  const { type, key } = node as SyntaxNode & { key?: { name?: string } }
  if (typeof type === 'string') see(node as SyntaxNode)
  if (type === 'Property' && DOCUMENTATION.has(key?.name ?? '')) return
  if (typeof type === 'string' && /^(?:Import|ExportAll|TS(?!As|Satisfies|NonNull))/.test(type)) return
  for (const member of Object.values(node)) visit(member, see)
}

function hasInOrder(row: string, parts: readonly string[]): boolean {
  let from = 0
  return parts.every((part) => {
    const at = row.indexOf(part, from)
    from = at + part.length
    return at !== -1
  })
}
