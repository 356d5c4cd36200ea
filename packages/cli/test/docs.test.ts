import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMPRESS_FLAGS } from '../src/compress/flags.ts'
import type { Flags } from '../src/flags.ts'

const page = await readFile(path.resolve(import.meta.dirname, '../../../docs/cli.md'), 'utf8')

describe('docs/cli.md', () => {
  it('has a row for each flag of compress, and no other', () => {
    const section = page.slice(page.indexOf('## compress'), page.indexOf('## pixpress.config.ts'))
    const rows = [...section.matchAll(/^\| `(--[^`]+)`(?:, `(-\w)`)?/gm)].map(([, flag, short]) => [flag, short])
    const flags: Flags = COMPRESS_FLAGS
    const expected = Object.entries(flags).map(([name, { value, short }]) => [
      `--${name}${value === undefined ? '' : ` ${value}`}`,
      short === undefined ? undefined : `-${short}`,
    ])
    expect(rows.toSorted()).toEqual(expected.toSorted())
  })
})
