import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './markdown.ts'

/** Names that several packages have for the same thing, and why it is not there once. */
const SAME_THING: Readonly<Record<string, string>> = {
  Picture: 'React and Solid have the same component, each in its own words',
  createClient: 'a program has one, that of its platform: Node, or fetch',
  digestOf: 'the backup reads its files anew, and the core remembers the digest of each source',
  findChromium: 'the testkit skips tests where the command refuses to go on',
  isEncryptedOrLocal: 'the client depends on no other package',
  isObject: 'the client depends on no other package',
  withRetries: 'the client depends on no other package',
}

const FUNCTION =
  /^export (?:(?:async )?function\*? (\w+)|const (\w+)(?::[^=\n]*=>[^=\n]*)? = (?:async )?(?:\([^)]*\)|\w+)(?::[^=\n]*)? =>)/gm

/** The files of sources that export a function, by its name. */
async function exportedFunctions(): Promise<Map<string, string[]>> {
  const sources = (await readdir(path.join(ROOT, 'packages'))).map((name) => `packages/${name}/src`)
  const files: string[] = []
  for (const folder of sources) {
    const names = await readdir(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    files.push(...names.filter((name) => name.endsWith('.ts')).map((name) => path.posix.join(folder, name)))
  }
  const found = new Map<string, string[]>()
  for (const file of files.toSorted()) {
    const text = await readFile(path.join(ROOT, file), 'utf8')
    for (const [, declared, assigned] of text.matchAll(FUNCTION)) {
      const name = (declared ?? assigned)!
      found.set(name, [...(found.get(name) ?? []), file])
    }
  }
  return found
}

describe('the names of exported functions', () => {
  it('mean one thing each', async () => {
    const found = await exportedFunctions()
    expect(found.size).toBeGreaterThan(1000)
    const doubled = [...found].filter(([name, files]) => new Set(files).size > 1 && !Object.hasOwn(SAME_THING, name))
    expect(doubled).toEqual([])
    // An exception goes when its second function does.
    expect(Object.keys(SAME_THING).filter((name) => (found.get(name)?.length ?? 0) < 2)).toEqual([])
  })
})
