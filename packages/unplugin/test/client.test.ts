import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { INPUT_TYPES } from '@pixpress/core'
import { expect, it } from 'vitest'

it('client.d.ts types every tagged import beside vite/client, and no other', () => {
  const compiler = path.join(path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const project = fileURLToPath(new URL('types/tsconfig.json', import.meta.url))
  const run = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' })
  expect({ status: run.status, output: run.stdout + run.stderr }).toEqual({ status: 0, output: '' })
})

it('client.d.ts names every format that metadata can have', () => {
  const text = readFileSync(new URL('../client.d.ts', import.meta.url), 'utf8')
  const [, union = ''] = /\bformat: ((?:'[^']+'(?: \| )?)+)/.exec(text) ?? []
  const formats = [...union.matchAll(/'([^']+)'/g)].map(([, format]) => `image/${format}`)
  expect(formats.toSorted()).toEqual(INPUT_TYPES.toSorted())
})
