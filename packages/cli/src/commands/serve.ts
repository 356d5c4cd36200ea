import { isBuiltin } from 'node:module'
import { PixpressError } from '@pixpress/core'
import { requireSameRelease, UsageError } from '@pixpress/core/internal'
import type { Flags } from '@pixpress/core/internal'
import { COMMAND } from '../base/same-release.ts'
import type { Surroundings } from '../base/output.ts'

/** The package of the server. */
export type Server = typeof import('@pixpress/server')

/**
 * `pixpress serve`: the server's own command line.
 * @throws UsageError on a Node without the SQLite that the server keeps its counts in
 */
export async function serveCommand(args: readonly string[], { env }: Surroundings): Promise<number> {
  const server = await loadServer('serve', args)
  return server.serve(args, env)
}

/**
 * Loads the package of the server for one of its commands.
 * @throws UsageError where it is not installed, or on a Node without SQLite unless the command's help is asked for
 */
export async function loadServer(command: 'serve' | 'keys' | 'storage', args: readonly string[]): Promise<Server> {
  const asksForHelp = args.includes('--help') || args.includes('-h')
  if (!asksForHelp && !isBuiltin('node:sqlite')) {
    throw new UsageError(
      `'pixpress ${command}' needs Node 22.13 or newer, for the database that it holds; this is ${process.versions.node}.`,
    )
  }
  // An optional dependency: package managers may leave it out.
  const server = await import('@pixpress/server').catch((error: unknown) => {
    if (error instanceof PixpressError) throw error
    throw new UsageError(`The server is not installed (npm install @pixpress/server): ${String(error)}`)
  })
  requireSameRelease(COMMAND, server.SERVER)
  return server
}

/** Loads the package of the server; `undefined` where it is not installed, or does not run on this Node. */
export function installedServer(): Promise<Server | undefined> {
  return import('@pixpress/server').catch(() => undefined)
}

/** The server's flags; none where it is not installed. */
export async function serveFlags(): Promise<Flags> {
  return (await installedServer())?.FLAGS ?? {}
}
