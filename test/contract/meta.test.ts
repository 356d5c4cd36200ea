import { readFileSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { IMAGE_TYPES, SAME_TYPE_ONLY } from '@pixpress/core'
import { detect } from '@pixpress/testkit'
import type { ImageFormat } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'
import { capabilityTable, insideTable } from './capability-table.ts'
import { BUNDLERS, CAPABILITIES, REFERENCE_KINDS, carries } from './capabilities.ts'
import type { Bundler, ReferenceKind } from './capabilities.ts'
import * as bundlers from '../../packages/unplugin/src/bundlers/index.ts'
import { DIRECTIVE_VARIANTS, SITE, composeSite } from './site.ts'

/** Entries of the package that are no bundler's. */
const OTHER_ENTRIES: ReadonlySet<string> = new Set([
  '.',
  './client',
  './eleventy',
  './html',
  './internal',
  './next',
  './package.json',
  './postcss',
  './react',
  './solid',
  './svelte',
  './types',
  './vue',
])

/** Every adapter. */
const LISTED = Object.keys(bundlers).toSorted()

interface Manifest {
  readonly exports: Readonly<Record<string, unknown>>
  readonly publishConfig: { readonly exports: Readonly<Record<string, unknown>> }
}

/** Returns the bundler whose entry this one gives under another name; `undefined` for an entry of its own. */
function aliased(entry: string): string | undefined {
  const source = readFileSync(path.join(import.meta.dirname, `../../packages/unplugin/src/${entry}.ts`), 'utf8')
  return /^export \{ default\b[^}]*\} from '\.\/(\w+)\.ts'$/m.exec(source)?.[1]
}

const KINDS = Object.keys(REFERENCE_KINDS) as ReferenceKind[]

describe('the contract', () => {
  it('is held against every bundler of the list', async () => {
    expect(Object.keys(CAPABILITIES).toSorted()).toEqual(LISTED)
    const drivers = await readdir(path.join(import.meta.dirname, 'bundlers'))
    const tests = await readdir(import.meta.dirname)
    for (const bundler of LISTED) {
      expect(drivers).toContain(`${bundler}.mjs`)
      const test = tests.includes(`${bundler}.test.ts`)
        ? await readFile(path.join(import.meta.dirname, `${bundler}.test.ts`), 'utf8')
        : ''
      expect(test).toContain(`describeContract('${bundler}')`)
    }
  })

  it.each(['exports', 'publishConfig.exports'])('finds an entry for every bundler of the list in %s', (field) => {
    const require = createRequire(import.meta.url)
    const manifest = require('unplugin-pixpress/package.json') as Manifest
    const { exports } = field === 'exports' ? manifest : manifest.publishConfig
    const entries = Object.keys(exports).filter((entry) => !OTHER_ENTRIES.has(entry))
    const names = entries.map((entry) => entry.slice(2))
    expect(names.filter((name) => aliased(name) === undefined).toSorted()).toEqual(LISTED)
    for (const name of names) expect([undefined, ...LISTED]).toContain(aliased(name))
  })

  it('finds every bundler of the list in the default export, and no other', async () => {
    const { default: pixpress, PixpressError } = await import('unplugin-pixpress')
    const members = Object.entries(pixpress).filter(([name]) => name !== 'raw')
    const names = members.flatMap(([name, make]) => {
      expect(make).toBeTypeOf('function')
      try {
        const plugins = pixpress.raw({}, { framework: name, versions: {} } as Parameters<typeof pixpress.raw>[1])
        expect(plugins.every((plugin) => name in plugin)).toBe(true)
        return [name]
      } catch (error) {
        // unplugin has functions for bundlers that there is no adapter for.
        if (!(error instanceof PixpressError)) throw error
        expect(error.message).toContain(`'${name}'`)
        for (const bundler of LISTED) expect(error.message).toContain(bundler)
        return []
      }
    })
    expect(names.toSorted()).toEqual(LISTED)
  })

  it.each(BUNDLERS)('looks at every kind of reference that %s carries', (bundler: Bundler) => {
    const { kinds, expectations } = composeSite(bundler)
    for (const kind of KINDS.filter((candidate) => carries(bundler, candidate))) {
      expect(kinds).toContain(kind)
      if (kind !== 'js-directives') expect(expectations.map((one) => one.kind)).toContain(kind)
    }
  })

  it('gives a reason for what a bundler does not carry', () => {
    for (const bundler of BUNDLERS) {
      for (const kind of KINDS)
        expect(CAPABILITIES[bundler][kind] === true || String(CAPABILITIES[bundler][kind]).length > 10).toBe(true)
    }
  })

  it('is what the documentation says', async () => {
    const page = await readFile(path.join(import.meta.dirname, '../../docs/bundlers.md'), 'utf8')
    // The formatter aligns the columns of what `capabilityTable()` prints.
    expect(unaligned(page)).toContain(unaligned(capabilityTable()))
    const formats = await readFile(path.join(import.meta.dirname, '../../docs/formats.md'), 'utf8')
    expect(unaligned(formats)).toContain(unaligned(insideTable()))
  })

  it('names the origin of every image of its site', async () => {
    const credits = await readFile(path.join(SITE, 'LICENSES.md'), 'utf8')
    const images = Object.keys(composeSite('vite').files).filter((file) => /^(?:public|src\/images)\//.test(file))
    expect(images.length).toBeGreaterThan(15)
    expect(images.filter((file) => !credits.includes(`| ${file} |`))).toEqual([])
  })

  it('has every kind of reference carried by some bundler', () => {
    for (const kind of KINDS) expect([kind, BUNDLERS.some((bundler) => carries(bundler, kind))]).toEqual([kind, true])
  })

  it('has every format that is read or written on its site', async () => {
    const inputs = new Set<ImageFormat | undefined>()
    for (const { source, becomes } of composeSite('vite').expectations) {
      if (becomes !== 'text') inputs.add(detect(await readFile(path.join(SITE, source))))
    }
    // Browsers, which must show the site, do not show JPEG XL: test/formats/extensions.test.ts has it.
    const formats = [...IMAGE_TYPES, ...SAME_TYPE_ONLY]
      .filter((type) => type !== 'image/jxl')
      .map((type) => type.slice('image/'.length).replace('+xml', ''))
    expect([...inputs].toSorted()).toEqual(formats.toSorted())
    const asked = new Set(
      DIRECTIVE_VARIANTS.map((variant) => variant.split(' ')[2]).filter((format) => format !== undefined),
    )
    // PNG comes out where PNG goes in.
    expect([...asked].toSorted()).toEqual(['avif', 'jpeg', 'webp'])
  })
})

/** Markdown whose columns are as narrow as they can be. */
const unaligned = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')
