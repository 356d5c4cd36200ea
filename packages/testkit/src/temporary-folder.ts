import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A folder of its own for every test, with a manifest, so that the cache is inside of it. */
export interface TemporaryFolder {
  /** Absolute, without symbolic links. Empty before the first test. */
  readonly path: string
  write(files: Readonly<Record<string, Uint8Array | string>>): Promise<void>
  read(name: string): Promise<Buffer>
  remove(name: string): Promise<void>
  /** Lists every file but those of `node_modules` and the cache, sorted. */
  files(): Promise<string[]>
}

/** Makes a folder in the system's temporary folder before each test of the file, and removes it afterwards. */
export function useTemporaryFolder(): TemporaryFolder {
  let root = ''
  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'pixpress-')))
    await writeFile(path.join(root, 'package.json'), '{}')
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  return {
    get path() {
      return root
    },
    async write(files) {
      for (const [name, content] of Object.entries(files)) {
        await mkdir(path.dirname(path.join(root, name)), { recursive: true })
        await writeFile(path.join(root, name), content)
      }
    },
    read: (name) => readFile(path.join(root, name)),
    remove: (name) => rm(path.join(root, name)),
    async files() {
      const entries = await readdir(root, { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
        .filter((name) => !name.startsWith('node_modules/') && !name.startsWith('.cache/') && name !== 'package.json')
        .sort()
    },
  }
}
