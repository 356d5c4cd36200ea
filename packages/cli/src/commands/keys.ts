import type { Flags } from '@pixpress/core/internal'
import { EXIT } from '../base/exit.ts'
import type { Surroundings } from '../base/output.ts'
import { installedServer, loadServer } from './serve.ts'

/**
 * `pixpress keys`: keys of the server, which is where the command is.
 * @throws UsageError on a Node without SQLite, and what the command of the server throws
 */
export async function keys(args: readonly string[], { cwd, env, stdout }: Surroundings): Promise<number> {
  const server = await loadServer('keys', args)
  await server.keysCommand(args, { cwd, env, out: (text) => void stdout.write(text) })
  return EXIT.ok
}

/** The flags of `pixpress keys`; none where the server is not installed. */
export async function keysFlags(): Promise<Flags> {
  return (await installedServer())?.KEYS_FLAGS ?? {}
}

/** The actions of `pixpress keys`; none where the server is not installed. */
export async function keysWords(): Promise<readonly string[]> {
  return Object.keys((await installedServer())?.KEYS_ACTIONS ?? {})
}
