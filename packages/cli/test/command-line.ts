import { useTemporaryFolder } from '@pixpress/testkit'
import type { TemporaryFolder } from '@pixpress/testkit'
import { run } from '../src/run.ts'

/** A folder of its own for every test, in which the command can be run. */
export interface Folder extends TemporaryFolder {
  /** Runs the command here, as a person at a pipe would. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>
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

/** Makes a folder for each test of the file, in which the command can be run. */
export function useFolder(): Folder {
  const folder = useTemporaryFolder()
  return Object.assign(folder, {
    run: (args: readonly string[], options: RunOptions = {}) => command(folder.path, args, options),
  })
}
