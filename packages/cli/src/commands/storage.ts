import type { Flags } from '@pixpress/core/internal'
import { EXIT } from '../base/exit.ts'
import type { Surroundings } from '../base/output.ts'
import { installedServer, loadServer } from './serve.ts'

/**
 * `pixpress storage`: backups of the server's data folder, which the server's package makes.
 * @throws UsageError on a Node without SQLite, and what the command of the server throws
 */
export async function storage(args: readonly string[], { cwd, env, stdout }: Surroundings): Promise<number> {
  const server = await loadServer('storage', args)
  await server.storageCommand(args, { cwd, env, out: (text) => void stdout.write(text) })
  return EXIT.ok
}

/** The flags of `pixpress storage`; none where the server is not installed. */
export async function storageFlags(): Promise<Flags> {
  return (await installedServer())?.STORAGE_FLAGS ?? {}
}

/** The actions of `pixpress storage`; none where the server is not installed. */
export async function storageWords(): Promise<readonly string[]> {
  return Object.keys((await installedServer())?.STORAGE_ACTIONS ?? {})
}
