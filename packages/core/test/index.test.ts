import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SOURCES = fileURLToPath(new URL('../src', import.meta.url))

/** Matches imports that are loaded with the file: neither type imports nor `import()`. */
const STATIC_IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'"]*?\sfrom\s+)?'([^']+)'/gm

/** Returns every file and every package that is loaded with a file. */
function loadedBy(entry: string, seen = new Set<string>()): Set<string> {
  const file = path.relative(SOURCES, entry).replaceAll('\\', '/')
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, name = ''] of readFileSync(entry, 'utf8').matchAll(STATIC_IMPORT)) {
    if (name.startsWith('.')) loadedBy(path.join(path.dirname(entry), name), seen)
    else seen.add(name)
  }
  return seen
}

const isHeavy = (name: string): boolean =>
  ['sharp', 'svgo', '@napi-rs/image', '@jsquash/jxl'].includes(name) ||
  /^formats\/(?:index|\w+\/.*)\.ts$|^(?:metadata|quality)\//.test(name)

describe('a build that finds everything in the cache', () => {
  it.each(['index.ts', 'internal.ts', 'report/index.ts'])('loads no codec with %s', (entry) => {
    const loaded = [...loadedBy(path.join(SOURCES, entry))]
    expect(loaded.length).toBeGreaterThan(3)
    expect(loaded.filter(isHeavy)).toEqual([])
  })
})

describe('a thread', () => {
  it('loads the codecs, but not what only an SVG needs', () => {
    const loaded = [...loadedBy(path.join(SOURCES, 'engines/local/worker.ts'))]
    expect(loaded).toEqual(expect.arrayContaining(['sharp', 'formats/index.ts', 'work/steps/metadata.ts']))
    expect(loaded).not.toContain('svgo')
  })
})
