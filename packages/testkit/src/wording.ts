import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect } from 'vitest'

/** Four words in a row. */
const FOUR_WORDS = /(?:[A-Za-z'’]+[,:;]? ){3}[A-Za-z'’]+/

/** Members of tables that the documentation is made from, which no message has. */
const DOCUMENTATION = new Set(['doc', 'shownDefault'])

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
   * @param least share of the sources' sentences that is said: it may rise, and not fall
   * @param masks what differs from run to run, with the words that stand for it
   */
  async keep(test: string, least: number, masks: Readonly<Record<string, string>> = {}): Promise<void> {
    expect(this.#mute).toEqual([])
    const said = [...this.#groups].map(([group, rows]) => `# ${group}\n\n${[...rows].join('\n')}\n`).join('\n')
    const masked = Object.entries(masks).reduce((text, [from, to]) => text.replaceAll(from, to), said)
    const { sentences, codes } = ofSources(path.join(test, '../src'))
    const rows = [...this.#groups.values()].flatMap((group) => [...group].map((row) => row.replaceAll(/\s+/g, ' ')))
    const silent = sentences.filter(({ pattern }) => !rows.some((row) => pattern.test(row)))
    const unsaid = silent.map(({ file, text }) => `${file}: ${text}`)
    const share = `${sentences.length - silent.length} of ${sentences.length} sentences of the sources are above`
    await expect(`${masked}\n# ${share}, and not these\n\n${unsaid.join('\n')}\n`).toMatchFileSnapshot(
      path.join(test, 'wording.txt'),
    )
    expect([...codes].filter((code) => !masked.includes(code))).toEqual([])
    expect(1 - silent.length / sentences.length).toBeGreaterThanOrEqual(least)
  }
}

async function outcome(call: () => unknown): Promise<string[]> {
  let said: unknown
  try {
    said = await call()
  } catch (error) {
    said = error
  }
  if (said instanceof Error) {
    const { code, error, name } = said as Error & { code?: string; error?: string }
    return [`${error ?? code ?? name}: ${said.message}`]
  }
  return [said].flat(Infinity).flatMap((each) => (typeof each === 'string' && each !== '' ? [each] : []))
}

interface Sentence {
  readonly file: string
  readonly text: string
  readonly pattern: RegExp
}

interface SyntaxNode {
  readonly type: string
  readonly value?: unknown
  readonly [member: string]: unknown
}

/** Reads the sentences of a folder of sources, with `…` for what they are filled with, and the codes of its errors. */
function ofSources(folder: string): { sentences: Sentence[]; codes: Set<string> } {
  const sentences = new Map<string, Sentence>()
  const codes = new Set<string>()
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file))
  for (const file of files.map((each) => each.replaceAll('\\', '/')).sort()) {
    const source = readFileSync(path.join(folder, file), 'utf8')
    visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }) as unknown as SyntaxNode, (node) => {
      const [code] = errorCode(node)
      if (code !== undefined) codes.add(code)
      const parts = textOf(node)
      const text = parts?.join('…').replaceAll(/\s+/g, ' ').trim() ?? ''
      if (parts === undefined || !FOUR_WORDS.test(text) || sentences.has(text)) return
      const escaped = parts.map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
      const pattern = new RegExp(escaped.join('.{0,300}?').replaceAll(/\s+/g, ' ').trim())
      sentences.set(text, { file, text, pattern })
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
