import { FORMAT_NAMES, factsOf } from '@pixpress/core/internal'
import { INPUT_TYPES } from '@pixpress/core'
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPage } from './markdown.ts'

const mark = (fact: boolean): string => (fact ? '✓' : '–')

describe('docs/payloads.md', () => {
  it('has the table that its script makes', () => {
    const script = path.resolve(import.meta.dirname, '../../scripts/payloads-table.mjs')
    expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow()
  })
})

describe('the data of browsers', () => {
  const root = path.resolve(import.meta.dirname, '../..')

  it('is what its script makes of the caniuse-lite that is installed', () => {
    const script = path.join(root, 'scripts/browser-data.mjs')
    expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow()
  })

  it('is at most six months older than the last commit: else update caniuse-lite, and run the script', async () => {
    const text = await readFile(path.join(root, 'packages/unplugin/src/session/options/browser-data.ts'), 'utf8')
    const [, date] = /released up to ([\d-]+)/.exec(text)!
    const commit = execFileSync('git', ['log', '-1', '--format=%cI'], { cwd: root, encoding: 'utf8' })
    const days = (Date.parse(commit.trim()) - Date.parse(date!)) / 86_400_000
    expect(days).toBeLessThan(183)
  })
})

describe('docs/formats.md', () => {
  it('has a table of the facts of every format', async () => {
    const rows = [...(await readPage('docs/formats.md')).matchAll(/^\| ([A-Z][\w ]*?) +\| (.*) \|$/gm)]
    const expected = INPUT_TYPES.map(factsOf).map((row) => [
      row.label,
      row.extensions.map((extension) => `\`${extension}\``).join(' '),
      ...[row.compressed, row.writable, row.wildcard, row.alpha, row.animation].map(mark),
      row.metadata.join(', ') || '–',
    ])
    expect(expected.length).toBe(FORMAT_NAMES.length)
    expect(rows.map(([, label, cells]) => [label, ...cells!.split('|').map((cell) => cell.trim())])).toEqual(expected)
  })

  it('has the table of browsers that its script makes', () => {
    const script = path.resolve(import.meta.dirname, '../../scripts/browsers-table.mjs')
    expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow()
  })
})
