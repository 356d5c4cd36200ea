import path from 'node:path'
import type { CompilationContext, ResolvedUserConfig } from '@farmfe/core'
import type { Options } from '../../session/options/options.ts'
import { openSession } from '../../session/registry.ts'
import type { Session } from '../../session/session.ts'
import { openGeneration } from './cache-generation.ts'
import type { CacheGeneration } from './cache-generation.ts'

/** Describes what the adapter needs to know of a Farm project. */
export interface FarmProject {
  readonly session: Session
  readonly root: string
  /** The path as in URLs, with a `/` at its end. */
  readonly publicPath: string
  /** Farm's template for names of assets. */
  readonly assetsFilename: string
  /** Tells whether asset modules give paths on the disk, as Farm's own do for Node. */
  readonly isForNode: boolean
  /** Absolute; the folder may be missing. */
  readonly publicDir: string
  /** Absolute. */
  readonly outDir: string
  /** Tells whether Farm copies the public folder in the end. */
  readonly copiesPublicDir: boolean
  /** Absent when Farm keeps nothing between runs. */
  readonly generation: CacheGeneration | undefined
}

/** A module's way through Farm: the project, and the hook's context. */
export interface FarmHook {
  readonly project: FarmProject
  /** Tells whether a dev server asked for the build. */
  readonly isServed: boolean
  readonly context: CompilationContext
}

/**
 * Reads a resolved configuration. Farm's Rust side fills in what is still open there (`config/output.rs`, its
 * defaults).
 */
export async function readProject({ root, compilation }: ResolvedUserConfig, options: Options): Promise<FarmProject> {
  const { output, assets, custom, mode, persistentCache } = compilation ?? {}
  const folder = root ?? process.cwd()
  const publicPath = output?.publicPath || '/'
  const assetsMode: unknown = custom?.['assets.mode']
  const session = openSession(options, folder)
  return {
    session,
    root: folder,
    publicPath: publicPath.endsWith('/') ? publicPath : `${publicPath}/`,
    assetsFilename: output?.assetsFilename ?? '[resourceName].[ext]',
    isForNode: (typeof assetsMode === 'string' ? assetsMode : JSON.stringify(output?.targetEnv)) === '"node"',
    publicDir: path.resolve(folder, assets?.publicDir ?? 'public'),
    outDir: path.resolve(folder, output?.path ?? 'dist'),
    copiesPublicDir: mode === 'production',
    generation: typeof persistentCache === 'object' ? await openGeneration(session) : undefined,
  }
}

/**
 * Tells whether the configuration is one of a dev server that hands out updates. `farm watch` has a server object as
 * well.
 */
export function hasHotUpdates({ server }: ResolvedUserConfig): boolean {
  return Boolean(server?.hmr)
}
