import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { WORKSPACE } from '@pixpress/testkit'
import { describe, expect, it } from 'vitest'

/** `from './a.ts'` and `import('./a.ts')`, types included. */
const RELATIVE_IMPORT = /(?:from |import\()'(\.[^']+)'/g

/**
 * The folders of a package's sources, each with the folders that its files import. Files of the top are everybody's.
 */
async function importedFolders(sources: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const folders = new Map<string, Set<string>>()
  const files = await readdir(sources, { recursive: true })
  for (const file of files.filter((name) => name.endsWith('.ts') && name.includes(path.sep))) {
    const own = file.split(path.sep)[0]!
    const imported = folders.get(own) ?? new Set()
    folders.set(own, imported)
    for (const [, specifier] of (await readFile(path.join(sources, file), 'utf8')).matchAll(RELATIVE_IMPORT)) {
      const parts = path.join(path.dirname(file), specifier!).split(path.sep)
      if (parts.length > 1 && parts[0] !== own && parts[0] !== '..') imported.add(parts[0]!)
    }
  }
  return folders
}

/** Everything below a folder. */
function below(folder: string, folders: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const found = new Set<string>()
  const waiting = [...(folders.get(folder) ?? [])]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue
    found.add(next)
    waiting.push(...(folders.get(next) ?? []))
  }
  return found
}

describe.each(['core', 'unplugin', 'server', 'cli', 'audit', 'migrate', 'client'])(
  'the folders of packages/%s',
  (name) => {
    it('import only folders below them', async () => {
      const folders = await importedFolders(path.join(WORKSPACE, 'packages', name, 'src'))
      expect(folders.size).toBeGreaterThan(0)
      for (const folder of folders.keys()) {
        const reached = below(folder, folders)
        expect({ folder, reaches: [...reached].filter((each) => each === folder) }).toEqual({ folder, reaches: [] })
      }
    })

    it('hold no file of more than 300 lines', async () => {
      const sources = path.join(WORKSPACE, 'packages', name, 'src')
      const files = (await readdir(sources, { recursive: true })).filter((file) => file.endsWith('.ts'))
      const long = await Promise.all(
        files.map(
          async (file) => [file, (await readFile(path.join(sources, file), 'utf8')).split('\n').length - 1] as const,
        ),
      )
      expect(long.filter(([, lines]) => lines > 300)).toEqual([])
    })
  },
)
