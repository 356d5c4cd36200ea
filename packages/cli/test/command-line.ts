import { mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { run } from '../src/run.ts'

/** A folder of its own for every test, with a manifest, so that the cache is inside of it. */
export interface Folder {
  readonly path: string
  /** Runs the command here, as a person at a pipe would. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
  write(files: Readonly<Record<string, Uint8Array | string>>): Promise<void>
  read(name: string): Promise<Buffer>
  remove(name: string): Promise<void>
  /** Every file but those of `node_modules` and the cache, sorted. */
  files(): Promise<string[]>
}

export interface RunOptions {
  readonly stdin?: Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Shows each piece of text as it is printed. */
  readonly onOutput?: (text: string) => void
}

export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** Standard output as it came. */
  readonly bytes: Buffer
}

/** Runs the command in a folder. */
export type Command = (cwd: string, args: readonly string[], options: RunOptions) => Promise<Ended>

let command: Command = inThisProcess

/** Has the tests run something else than the sources in this process: the packed command, say. */
export function useCommand(other: Command): void {
  command = other
}

async function inThisProcess(cwd: string, args: readonly string[], options: RunOptions): Promise<Ended> {
  const { stdin = new Uint8Array(), env = {}, signal = new AbortController().signal, onOutput } = options
  const out: Uint8Array[] = []
  const err: Uint8Array[] = []
  const collect = (pieces: Uint8Array[]) => ({
    write(text: string | Uint8Array) {
      pieces.push(Buffer.from(text as Uint8Array))
      onOutput?.(text.toString())
    },
  })
  const code = await run(args, {
    cwd,
    env,
    stdin: (async function* () {
      yield stdin
    })(),
    stdout: collect(out),
    stderr: collect(err),
    signal,
  })
  return ended(code, out, err)
}

export function ended(code: number, out: readonly Uint8Array[], err: readonly Uint8Array[]): Ended {
  const bytes = Buffer.concat(out)
  return { code, stdout: bytes.toString(), stderr: Buffer.concat(err).toString(), bytes }
}

export function useFolder(): Folder {
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
    run: (args, options = {}) => command(root, args, options),
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
