import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')
const OXLINT = path.join(
  path.dirname(createRequire(path.join(ROOT, 'package.json')).resolve('oxlint/package.json')),
  'bin/oxlint',
)
const RULES = ['plain-words/opening', 'plain-words/width', 'plain-words/docstring']

type Rules = Readonly<Record<string, unknown>>

interface Override {
  readonly files: readonly string[]
  readonly rules: Rules
}

/** The lint configuration of the repository, as far as these tests read it. */
const config = JSON.parse(readFileSync(path.join(ROOT, '.oxlintrc.json'), 'utf8')) as {
  readonly jsPlugins: readonly string[]
  readonly rules: Rules
  readonly overrides: readonly Override[]
}

let folder: string
let settings: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'plain-words-'))
  settings = path.join(folder, 'all-rules.json')
  const jsPlugins = config.jsPlugins.map((file) => path.join(ROOT, file))
  const rules = Object.fromEntries(RULES.map((rule) => [rule, 'error']))
  writeFileSync(settings, JSON.stringify({ jsPlugins, plugins: [], categories: { correctness: 'off' }, rules }))
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the rule of each finding in a file of this text. */
function rulesThatFind(text: string): (string | undefined)[] {
  const cwd = mkdtempSync(path.join(folder, 'file-'))
  writeFileSync(path.join(cwd, 'a.ts'), `${text}\n`)
  const args = [OXLINT, '--config', settings, '--format', 'json']
  const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code?: string }[] }
  return diagnostics.map(({ code }) => code?.replace(/^(plain-words)\((\w+)\)$/, '$1/$2'))
}

const OPENING = ['plain-words/opening']
const WIDTH = ['plain-words/width']
const DOCSTRING = ['plain-words/docstring']

describe('the lint rule about openings', () => {
  it.each([
    '// Of the overlay, which dev servers put into pages.',
    '/** What a disk refuses is a passing failure. */',
    '// The file is read. As soon as it is there, it is parsed.',
    '/**\n * Reads the file.\n *\n * Whether it is there is not known.\n */',
    '// The reader\n// waits. Such readers\n// are few.',
    'run() // By width.',
    '/** @returns Whether the file is there. */',
    '/**\n * - Behind a slash.\n */',
    '// The file is read (By name).\n// "Beside it" is nothing. `a`. Beside it is another.',
  ])('finds %j', (text) => expect(rulesThatFind(text)).toEqual(OPENING))

  it.each([
    '// The overlay is put into pages by dev servers, as such, whether they ask or not.',
    '// Bytes are read. Offsets follow.',
    '/**\n * Reads a file.\n *\n * ```ts\n * // Of no interest\n * ```\n */',
    '/**\n * Reads a file.\n * @example\n * As.it()\n */',
    '// oxlint-disable-next-line no-empty -- As the caller wants it.',
    '// The reader waits for what\n// Of course names.',
    "run('// Of a string')",
  ])('lets %j pass', (text) => expect(rulesThatFind(text)).toEqual([]))
})

describe('the lint rule about width', () => {
  const long = 'word '.repeat(24)
  it.each([`// ${long}`.padEnd(121, '.'), `/**\n * ${long}x\n */`, `run() // ${long}`])('finds %j', (text) =>
    expect(rulesThatFind(text)).toEqual(WIDTH),
  )

  it.each([`// ${'x'.repeat(117)}`, `// See https://example.org/${'a'.repeat(120)}`, `run('${long}${long}')`])(
    'lets %j pass',
    (text) => expect(rulesThatFind(text)).toEqual([]),
  )
})

describe('the lint rule about docstrings', () => {
  it.each([
    'export function a(): void {}',
    'export class A {}',
    'export interface A {}',
    'export type A = string',
    'export const a = 1',
    'export default function a(): void {}',
    'export default {}',
    'function a(): void {}\nexport { a }',
    '// A line comment is shown by no editor.\nexport const a = 1',
    '/** Of the file: the first statement. */\n\nrun()\nexport const a = 1'.replace('Of the file', 'The file'),
  ])('finds %j', (text) => expect(rulesThatFind(text)).toEqual(DOCSTRING))

  it.each([
    '/** Says so. */\nexport function a(): void {}',
    '/** Says so. */\nexport function a(x: string): void\nexport function a(x: number): void\nexport function a(): void {}',
    '/** Says so. */\nfunction a(): void {}\nexport { a }',
    '/** Says so. */\n// oxlint-disable-next-line no-empty -- It is a list.\nexport function a(): void {}',
    "export { a } from './a.ts'",
    "export * from './a.ts'",
    'function a(): void {}\na()',
  ])('lets %j pass', (text) => expect(rulesThatFind(text)).toEqual([]))
})

describe('the lint configuration of the repository', () => {
  it('sets each of these rules once, as an error, so that no folder is exempt', () => {
    const levels = [config, ...config.overrides].flatMap(({ rules }) =>
      Object.entries(rules).filter(([rule]) => RULES.includes(rule)),
    )
    expect(levels.toSorted()).toEqual(RULES.map((rule) => [rule, 'error']).toSorted())
    expect(config.overrides.find(({ rules }) => 'plain-words/docstring' in rules)?.files).toEqual([
      'packages/*/src/**',
      'packages/*/page/**',
      'scripts/**',
    ])
  })
})
