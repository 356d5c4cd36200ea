import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ResolvedConfig } from 'vite'

/** An entry of the list of files that a service worker keeps, as far as it is looked at here. */
type ManifestEntry = string | { readonly url: string; readonly revision: string | null }

/** Describes what vite-plugin-pwa lets other plugins do (`VitePluginPWAAPI`). */
interface PwaApi {
  extendManifestEntries?(extend: (entries: readonly ManifestEntry[]) => readonly ManifestEntry[]): void
}

function pwaOf({ plugins }: Pick<ResolvedConfig, 'plugins'>): PwaApi | undefined {
  return plugins.find(({ name }) => name === 'vite-plugin-pwa')?.api as PwaApi | undefined
}

/** Tells whether a plugin of the build lists files for a service worker. */
export const holdsPrecache = (config: Pick<ResolvedConfig, 'plugins'>): boolean =>
  pwaOf(config)?.extendManifestEntries !== undefined

/**
 * vite-plugin-pwa lists files of `public/` by the hash of the source before the build. The copy has another hash once
 * it is compressed; a service worker refuses a list with both, and does not install. So the copy's hash is put there.
 * @param outDir absolute path of the folder that holds the compressed copies
 */
export function updatePrecacheRevisions({ plugins, publicDir }: ResolvedConfig, outDir: string): void {
  pwaOf({ plugins })?.extendManifestEntries?.((entries) => entries.map((entry) => updated(entry, publicDir, outDir)))
}

function updated(entry: ManifestEntry, publicDir: string, outDir: string): ManifestEntry {
  if (typeof entry === 'string' || entry.revision === null) return entry
  // A revision that somebody has chosen stays.
  if (entry.revision !== hashOf(path.join(publicDir, entry.url))) return entry
  const revision = hashOf(path.join(outDir, entry.url))
  return revision === undefined ? entry : { ...entry, revision }
}

/** Workbox's revision of a file; `undefined` when it cannot be read. */
function hashOf(file: string): string | undefined {
  try {
    return createHash('md5').update(readFileSync(file)).digest('hex')
  } catch {
    return undefined
  }
}
