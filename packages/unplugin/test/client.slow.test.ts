import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { INPUT_TYPES, RESIZE_METHODS } from '@pixpress/core'
import { beforeAll, expect, it } from 'vitest'
import { FITS, FORMATS } from '../src/directives/vocabulary.ts'

interface ClientTypes {
  readonly ENDINGS: readonly unknown[]
  writeEndings(): Promise<void>
}

let script: ClientTypes
beforeAll(async () => {
  script = (await import(new URL('../../../scripts/client-types.mjs', import.meta.url).href)) as ClientTypes
  // A build writes them, which unit tests do without.
  await script.writeEndings()
})

it.each(['typescript', 'typescript5'])(
  'client.d.ts types every tagged import beside vite/client, and no other: %s',
  (name) => {
    const compiler = path.join(path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), 'bin/tsc')
    const project = fileURLToPath(new URL('types/tsconfig.json', import.meta.url))
    const run = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' })
    expect({ status: run.status, output: run.stdout + run.stderr }).toEqual({ status: 0, output: '' })
  },
)

it('the endings of queries have every word of the directives', () => {
  for (const word of [...FORMATS, ...FITS, ...RESIZE_METHODS]) expect(script.ENDINGS).toContain(word)
})

it('client.d.ts names every format that metadata can have', () => {
  const text = readFileSync(new URL('../client.d.ts', import.meta.url), 'utf8')
  const [, union = ''] = /\bformat: ((?:'[^']+'(?: \| )?)+)/.exec(text) ?? []
  const formats = [...union.matchAll(/'([^']+)'/g)].map(([, format]) => `image/${format}`)
  expect(formats.toSorted()).toEqual(INPUT_TYPES.toSorted())
})
